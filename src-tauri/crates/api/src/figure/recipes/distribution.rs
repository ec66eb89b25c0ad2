//! Distribution functions.

use crate::figure::cells::Figure;
use crate::figure::settings::{choice, group};
use crate::figure::shape::{Entry, axis, listing, panel, per_cent};
use crate::figure::{Drawn, Recipe};
use crate::view::{AxisKind, LineLook, MarkView};
use replay::stats::Ecdf;
use rto::ParamSpec;

/// Distribution functions of completion times.
pub(in crate::figure) const COMPLETION: Recipe = Recipe {
    id: "completion_ecdf",
    title: "Completion times",
    about: "Share of exchanges that are closed after a time, from first copy to closing reply.",
    compares: true,
    reproduces: "the distributions behind the exchange durations of Betzler et al. 2014 Tables II–VII",
    params,
    draw,
};

/// Greatest number of steps drawn of one curve. Chosen here: more than a panel has pixels across.
const STEPS: usize = 512;

fn params() -> Vec<ParamSpec> {
    vec![
        choice(
            ("of", "100 % is", "Values"),
            "All exchanges, so that failures keep a curve below 100 %; or those that were closed.",
            &["all", "closed"],
            "the study leaves it open",
        ),
        choice(("scale", "Scale", "Values"), "Of the time axis.", &["log", "linear"], "ms to minutes"),
        group(),
    ]
}

fn draw(figure: &Figure<'_>) -> Drawn {
    let all = figure.settings.choice("of") != "closed";
    let kind = if figure.settings.choice("scale") == "linear" { AxisKind::Linear } else { AxisKind::Log };
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    for (g, group) in figure.groups.iter().enumerate() {
        let mut marks = Vec::new();
        for (b, behaviour) in figure.behaviours.iter().enumerate() {
            let exchanges: Vec<_> = figure.of_group(group, b).flat_map(|cell| cell.timeline().exchanges()).collect();
            let times: Vec<f64> =
                exchanges.iter().filter_map(|e| Some((e.end? - e.start()).secs_f64())).filter(|t| *t > 0.0).collect();
            let ecdf = Ecdf::new(&times, if all { exchanges.len() } else { times.len() });
            let points: Vec<[f64; 2]> = ecdf.steps(STEPS).into_iter().map(|(x, share)| [x, 100.0 * share]).collect();
            for [x, share] in &points {
                rows.push(vec![
                    Entry::from(&*behaviour.name),
                    Entry::from(&*group.name),
                    Entry::from(*x),
                    Entry::from(*share),
                ]);
            }
            if !points.is_empty() {
                let series = figure.series_of(b, g);
                marks.push(MarkView::Line {
                    series,
                    points,
                    band: Vec::new(),
                    look: LineLook::Step,
                    right: false,
                    markers: false,
                    labels: Vec::new(),
                });
            }
        }
        let rule = if all { "share of all exchanges closed" } else { "share of closed exchanges" };
        let (x, y) = (axis(kind, "Time from first copy", "s"), per_cent("Closed"));
        if !marks.is_empty() {
            drawn.panels.push(panel(&group.name, rule, x, y, marks));
        }
    }
    if drawn.panels.is_empty() && figure.captures() > 0 {
        drawn.missing.push("No exchange of these captures was closed.".to_owned());
    }
    drawn.table = listing(&["algorithm", "group", "time_s", "closed_percent"], &rows);
    drawn
}
