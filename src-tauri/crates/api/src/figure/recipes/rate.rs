//! The transmission-rate model of Lee et al. against the rate measured.

use crate::figure::cells::{Cell, Figure};
use crate::figure::recipes::trace::{cells, cut_short};
use crate::figure::settings::{choice, number};
use crate::figure::shape::{Entry, axis, line_key, listing, panel, small};
use crate::figure::{Drawn, Recipe, timers};
use crate::view::{AxisKind, AxisView, LineLook, MarkView};
use replay::stats::mean;
use rto::model::{lee_base, lee_proposed};
use rto::{ParamSpec, Unit};
use table::ExchangeMark;

/// The rate model of Lee et al. (2016) beside the measured rate.
pub(in crate::figure) const MODEL: Recipe = Recipe {
    id: "rate_model",
    title: "Rate model against measured rate",
    about: "Copies a second as measured, and as the model says from the loss, round trip and timeout of the same window.",
    compares: false,
    reproduces: "Lee et al. 2016 Fig. 12, eqs. 20 and 24 (reconstructed: the equations did not survive)",
    params,
    draw,
};

fn params() -> Vec<ParamSpec> {
    vec![
        number(
            ("window", "Window", "Values"),
            "Exchanges of one client over which loss, round trip and rate are taken.",
            Unit::Count,
            (30.0, 5.0, 500.0),
            "our choice",
        ),
        choice(
            ("model", "Model", "Values"),
            "Eq. 24 for the algorithm it is about and eq. 20 for the others; or one of them for all.",
            &[("by_algorithm", "by algorithm"), ("base", "base"), ("proposed", "proposed")],
            "Lee et al. 2016 eqs. 20, 24",
        ),
        timers::gaps(),
    ]
}

/// One window of exchanges: position of its end, measured and modelled copies per second, share of answered copies.
struct Window {
    index: f64,
    measured: f64,
    modelled: f64,
    success: f64,
}

/// MAX_RETRANSMIT of the experiments of Lee et al. (2016).
const RETRANSMIT: u8 = 4;

fn window(figure: &Figure<'_>, part: &[&ExchangeMark], index: usize, proposed: bool) -> Option<Window> {
    let copies = || part.iter().flat_map(|e| &e.copies);
    let seconds = (part.last()?.start() - part.first()?.start()).secs_f64();
    let known = copies().filter(|c| !matches!(c.fate, table::columns::FateKind::Unknown)).count();
    let answered = copies().filter(|c| c.rtt.is_some()).count();
    let rtts: Vec<f64> = copies().filter_map(|c| c.rtt).map(base::Span::secs_f64).collect();
    let timers: Vec<f64> = part.iter().filter_map(|e| timers::of(figure, e, 0)).map(base::Span::secs_f64).collect();
    if known == 0 || seconds <= 0.0 {
        return None;
    }
    let success = answered as f64 / known as f64;
    let (rtt, rto) = (mean(&rtts).filter(|&rtt| rtt > 0.0)?, mean(&timers)?);
    // i: packets answered at once between two losses.
    let at_once = part.iter().filter(|e| e.copies.len() == 1).count();
    let lost = part.len().saturating_sub(at_once).max(1);
    let packets = u32::try_from(at_once / lost).unwrap_or(u32::MAX).max(1);
    let model = if proposed { lee_proposed } else { lee_base };
    Some(Window {
        index: index as f64,
        // The window's last exchange begins the next one.
        measured: (copies().count() - part.last()?.copies.len()) as f64 / seconds,
        modelled: model(success, rtt, packets, rto, RETRANSMIT).rate,
        success,
    })
}

/// Returns the windows of every client, in order of their ends.
fn windows(figure: &Figure<'_>, cell: &Cell, size: usize, proposed: bool) -> Vec<Window> {
    let mut found = Vec::new();
    for lane in &cell.timeline().lanes {
        let marks: Vec<&ExchangeMark> = lane.iter().collect();
        // A window for every tenth of one.
        let step = (size / 10).max(1);
        for from in (0..=marks.len().saturating_sub(size)).step_by(step) {
            if let Some(part) = marks.get(from..from + size) {
                found.extend(window(figure, part, from + size, proposed));
            }
        }
    }
    found.sort_by(|a, b| a.index.total_cmp(&b.index));
    found
}

/// Returns the means of `of` over the windows that end at one index, as points (index, mean).
fn merged(windows: &[Window], of: impl Fn(&Window) -> f64) -> Vec<[f64; 2]> {
    let chunks = windows.chunk_by(|a, b| a.index.total_cmp(&b.index).is_eq());
    chunks.filter_map(|chunk| Some([chunk.first()?.index, mean(&chunk.iter().map(&of).collect::<Vec<_>>())?])).collect()
}

fn draw(figure: &Figure<'_>) -> Drawn {
    let size = figure.settings.count("window");
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    for (capture, b, cell) in cells(figure) {
        let Some(behaviour) = figure.behaviours.get(b) else { continue };
        let proposed = match figure.settings.choice("model") {
            "base" => false,
            "proposed" => true,
            _ => behaviour.family.starts_with("lee"),
        };
        let found = windows(figure, cell, size, proposed);
        if found.is_empty() {
            continue;
        }
        let (measured, modelled) = (merged(&found, |w| w.measured), merged(&found, |w| w.modelled));
        let success = merged(&found, |w| w.success);
        for ((m, r), p) in measured.iter().zip(&modelled).zip(&success) {
            rows.push(vec![
                Entry::from(&*behaviour.name),
                Entry::from(figure.name(capture)),
                Entry::from(m[0]),
                Entry::from(m[1]),
                Entry::from(r[1]),
                Entry::from(p[1]),
            ]);
        }
        let line = |points, look| MarkView::Line {
            series: figure.series_of(b, 0),
            points,
            band: Vec::new(),
            look,
            right: false,
            markers: false,
            labels: Vec::new(),
        };
        let marks = vec![line(measured, LineLook::Series), line(modelled, LineLook::InkDashed)];
        let x = axis(AxisKind::Linear, "Exchange of a client", "");
        let y = AxisView { low: Some(0.0), ..axis(AxisKind::Linear, "Copies", "1/s") };
        let equation = if proposed { 24 } else { 20 };
        let rule = format!("{}; eq. {equation}, windows of {size}", figure.name(capture));
        let mut made = panel(&behaviour.name, &rule, x, y, marks);
        made.key = vec![line_key("model", LineLook::InkDashed)];
        made.axes = Some(small(capture));
        drawn.panels.push(made);
    }
    cut_short(figure, &mut drawn);
    if drawn.panels.is_empty() && figure.captures() > 0 {
        drawn.missing.push(format!(
            "A window needs {size} exchanges of one client with answers and known timers: make it smaller, or choose an algorithm (recorded timers need a log, or gaps that are taken for them)."
        ));
    }
    drawn.caption.extend(timers::said(figure));
    drawn.caption.push(
        "The model takes the share of answered copies for p, the mean round trip and mean first timeout of the window, and the exchanges answered at once per retransmitted one for i. It knows no think time: where clients wait between requests, it lies above."
            .to_owned(),
    );
    drawn.table =
        listing(&["algorithm", "capture", "exchange", "measured_per_s", "model_per_s", "answered_share"], &rows);
    drawn
}
