//! Measures over clients, nodes or load.

use crate::figure::cells::Figure;
use crate::figure::measure::{self, Measure};
use crate::figure::settings::{choice, level};
use crate::figure::shape::{Entry, axis, listing, panel};
use crate::figure::{Drawn, Recipe};
use crate::view::{AxisKind, LineLook, MarkView};
use replay::stats::{mean, student};
use rto::ParamSpec;

/// A measure over the number of clients or nodes, or the load.
pub(in crate::figure) const LOAD: Recipe = Recipe {
    id: "load_lines",
    title: "Over clients, nodes or load",
    about: "A measure over a number that captures are tagged with; the band is the interval over captures with an equal number.",
    compares: true,
    reproduces: "Ancillotti & Bruno 2017 Figs 2–8; Lee et al. 2016 Figs 9, 10, 14",
    params,
    draw,
};

fn params() -> Vec<ParamSpec> {
    vec![
        choice(("measure", "Measure", "Values"), "What is drawn.", &measure::choices(), "as Compare shows them"),
        choice(
            ("x", "Over", "Groups"),
            "Clients are counted in the capture; nodes and load are tags. On the command line also a key of your own.",
            &["clients", "nodes", "load"],
            "Lee et al. 2016: 1–100 clients; Ancillotti & Bruno 2017: 0.5–3 kbit/s",
        ),
        level(0.95, "Ancillotti & Bruno 2017: 95 %"),
    ]
}

fn draw(figure: &Figure<'_>) -> Drawn {
    let measure = Measure::from_name(figure.settings.choice("measure"));
    let key = figure.settings.choice("x");
    let level = figure.settings.number("level");
    let at = |capture: usize| -> Option<f64> {
        if key == "clients" {
            let trace = &figure.cell(capture, 0)?.opened.trace;
            let clients: std::collections::BTreeSet<_> =
                trace.associations.iter().map(|a| a.client_name.as_str()).collect();
            return Some(clients.len() as f64);
        }
        // A tag may carry its unit: `1.5 kbit/s`.
        figure.tag(capture, key)?.split_whitespace().next()?.parse().ok().filter(|x: &f64| x.is_finite())
    };
    let mut xs: Vec<f64> = (0..figure.captures()).filter_map(at).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let (mut marks, mut rows) = (Vec::new(), Vec::new());
    for (b, behaviour) in figure.behaviours.iter().enumerate() {
        let (mut points, mut band) = (Vec::new(), Vec::new());
        for &x in &xs {
            let here = (0..figure.captures()).filter(|&capture| at(capture) == Some(x));
            let values: Vec<f64> = here.filter_map(|capture| figure.cell(capture, b)?.value(measure)).collect();
            let Some(value) = mean(&values) else { continue };
            let interval = student(&values, level).map(|s| s.interval);
            points.push([x, value]);
            band.push(interval.map_or([value, value], |i| [i.lo, i.hi]));
            rows.push(vec![
                Entry::from(&*behaviour.name),
                Entry::from(x),
                Entry::from(values.len()),
                Entry::from(value),
                Entry::from(interval.map(|i| i.lo)),
                Entry::from(interval.map(|i| i.hi)),
            ]);
        }
        if !points.is_empty() {
            let series = figure.series_of(b, 0);
            marks.push(MarkView::Line {
                series,
                points,
                band,
                look: LineLook::Series,
                right: false,
                markers: true,
                labels: Vec::new(),
            });
        }
    }
    let mut missing = Vec::new();
    if xs.len() < 2 && figure.captures() > 0 {
        let say = if key == "clients" {
            "another number of clients".to_owned()
        } else {
            format!("another number as tag `{key}`")
        };
        missing
            .push(format!("A line needs captures with {say}: open more, or tag them (library at the left, or --tag)."));
    }
    let (label, unit) = measure.label();
    let mut heading = key.to_owned();
    if let Some(first) = heading.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let x = axis(AxisKind::Linear, &heading, "");
    let rule = format!("mean over captures; band: {} % interval", crate::figure::settings::percent(level));
    Drawn {
        panels: vec![panel(&label, &rule, x, axis(AxisKind::Linear, &label, unit), marks)],
        caption: vec!["Intervals by Student over captures; none where there is one.".to_owned()],
        missing,
        table: listing(&["algorithm", "x", "captures", "mean", "low", "high"], &rows),
    }
}
