//! Means over clients with their interval, and the worst client.

use crate::figure::cells::Figure;
use crate::figure::layout::Layout;
use crate::figure::measure::{self, Measure};
use crate::figure::settings::{across, choice, group, level};
use crate::figure::shape::{Entry, axis, listing, panel};
use crate::figure::{Drawn, Recipe};
use crate::view::{AxisKind, AxisView, MarkView};
use replay::MetricName;
use replay::stats::{mean, student};
use rto::{Choice, ParamSpec};

/// Means over clients, and the worst client.
pub(in crate::figure) const EARLY: Recipe = Recipe {
    id: "early_bars",
    title: "Early retransmissions",
    about: "Mean over clients with its interval; the square is the client with the greatest value.",
    compares: true,
    reproduces: "Ancillotti & Bruno 2017 Figs 5 and 8; with other measures 2, 3, 6, 7 and 11",
    params,
    draw,
};

fn params() -> Vec<ParamSpec> {
    vec![
        choice(
            ("measure", "Measure", "Values"),
            "Early retransmissions, or what the study's other figures show.",
            &[
                Choice::new("early", "Early timeouts"),
                measure::choice("plr_exchange"),
                measure::choice("retries_mean"),
                measure::choice("duration_mean"),
            ],
            "Ancillotti & Bruno 2017 §III.C",
        ),
        choice(
            ("denominator", "Early, of", "Values"),
            "Of first copies that were answered; of all exchanges; or of retransmitted exchanges.",
            &["answered", "all", "retransmitted"],
            "Ancillotti & Bruno 2017: Fig. 5; text; “up to 60 % of the first retransmissions”",
        ),
        choice(
            ("unit", "Mean over", "Uncertainty"),
            "Clients of all captures of a group; or captures, each with the mean of its clients.",
            &["clients", "captures"],
            "Ancillotti & Bruno 2017: squares are the maximum over nodes",
        ),
        level(0.95, "Ancillotti & Bruno 2017: 95 %"),
        across(),
        group(),
    ]
}

fn draw(figure: &Figure<'_>) -> Drawn {
    let early = figure.settings.choice("measure") == "early";
    let measure = match (early, figure.settings.choice("denominator")) {
        (false, _) => Measure::from_name(figure.settings.choice("measure")),
        (true, "all") => Measure(MetricName::EarlyB),
        (true, "retransmitted") => Measure(MetricName::EarlyC),
        (true, _) => Measure(MetricName::EarlyA),
    };
    let by_capture = figure.settings.choice("unit") == "captures";
    let level = figure.settings.number("level");
    let layout = Layout::new(figure, (0..figure.behaviours.len()).collect());
    let (mut marks, mut rows) = (Vec::new(), Vec::new());
    for (place, b, g) in layout.places() {
        let (Some(behaviour), Some(group)) = (figure.behaviours.get(b), figure.groups.get(g)) else { continue };
        let per_capture: Vec<Vec<f64>> = figure.of_group(group, b).map(|cell| cell.per_client(measure)).collect();
        let clients: Vec<f64> = per_capture.iter().flatten().copied().collect();
        let values = if by_capture { per_capture.iter().filter_map(|c| mean(c)).collect() } else { clients.clone() };
        let Some(value) = mean(&values) else { continue };
        // Shares and counts end somewhere, and so do their means.
        let greatest = if measure.label().1 == "%" { 100.0 } else { f64::INFINITY };
        let interval = student(&values, level).map(|s| [s.interval.lo.max(0.0), s.interval.hi.min(greatest)]);
        let most = clients.iter().copied().max_by(f64::total_cmp);
        marks.push(MarkView::Bar {
            series: figure.series_of(b, g),
            x: place.x,
            slot: place.slot,
            slots: place.slots,
            value,
            interval,
            most,
            label: None,
        });
        rows.push(vec![
            Entry::from(&*behaviour.name),
            Entry::from(&*group.name),
            Entry::from(values.len()),
            Entry::from(value),
            Entry::from(interval.map(|i| i[0])),
            Entry::from(interval.map(|i| i[1])),
            Entry::from(most),
        ]);
    }
    let (label, unit) = measure.label();
    let y = AxisView { low: Some(0.0), ..axis(AxisKind::Linear, &label, unit) };
    let over = if by_capture { "captures" } else { "clients" };
    let rule = format!(
        "bar: mean over {over}, line: {} % interval, square: worst client",
        crate::figure::settings::percent(level)
    );
    let missing = if marks.is_empty() && figure.captures() > 0 {
        vec!["The measure applies to no client of these captures: nothing was retransmitted, or the capture cannot tell what was answered.".to_owned()]
    } else {
        Vec::new()
    };
    Drawn {
        panels: vec![panel(&label, &rule, layout.axis(), y, marks)],
        caption: vec!["Intervals by Student, cut at what is possible; none of a single value. From a one-sided capture early retransmissions are a lower bound.".to_owned()],
        missing,
        table: listing(&["algorithm", "group", "n", "mean", "low", "high", "greatest"], &rows),
    }
}
