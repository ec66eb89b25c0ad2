//! Everything that one client's estimator did.

use super::cells::Figure;
use super::settings::{choice, number};
use super::shape::{Entry, axis, dot_key, listing, panel, small, thinned};
use super::trace::{DOTS, POINTS, cells, cut_short};
use super::{Drawn, Recipe};
use crate::view::{AxisKind, DotShape, LineLook, MarkView};
use base::AssociationId;
use replay::StepKind;
use rto::{ParamSpec, Unit};

pub(super) const TIMER: Recipe = Recipe {
    id: "timer_trace",
    title: "What one estimator did",
    about: "Round trips, timeout, back-off and aging of one client towards one server.",
    reproduces: "no study; the most useful one for finding out why",
    params: timer_params,
    draw: draw_timer,
};

fn timer_params() -> Vec<ParamSpec> {
    vec![
        number(
            ("association", "Client", "Values"),
            "Which client and server, by their number in the Timeline, from 0.",
            Unit::Count,
            (0.0, 0.0, 1_000.0),
            "lanes of the Timeline",
        ),
        choice(("scale", "Scale", "Values"), "Of the vertical axis.", &["log", "linear"], "ms to minutes"),
    ]
}

fn draw_timer(figure: &Figure<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    let lane = figure.settings.count("association");
    let kind = if figure.settings.choice("scale") == "linear" { AxisKind::Linear } else { AxisKind::Log };
    for (c, b, cell) in cells(figure) {
        let Some(run) = &cell.run else { continue };
        let (start, _) = crate::opened::window(&cell.opened.trace.capture);
        let steps = &run.steps;
        let Some(association) = cell.opened.trace.associations.get(lane) else { continue };
        let behaviour = figure.behaviours.get(b).map_or("", |b| &b.name);
        let [mut strong, mut weak, mut line, mut backoff, mut aged]: [Vec<[f64; 2]>; 5] = Default::default();
        let mut held: Option<f64> = None;
        for index in 0..steps.len() {
            if steps.association.get(index) != Some(&association.id) {
                continue;
            }
            let (Some(&at), Some(&attempt), Some(kind)) =
                (steps.at.get(index), steps.attempt.get(index), steps.kind.get(index))
            else {
                continue;
            };
            let t = (at - start).secs_f64();
            let rto = steps.state.rto(index).map(base::Span::secs_f64);
            let mut row = |what: &str, value: f64| {
                rows.push(vec![
                    Entry::from(behaviour),
                    Entry::from(figure.name(c)),
                    Entry::from(t),
                    Entry::from(what),
                    Entry::from(value),
                ]);
            };
            let timer = steps.rto.get(index).copied().flatten().map(base::Span::secs_f64);
            match kind {
                StepKind::Transmit if attempt == 0 => {
                    // The estimate moved although nothing was heard since: it aged.
                    if let (Some(rto), Some(before)) = (rto, held)
                        && (rto - before).abs() > 1e-9
                    {
                        aged.push([t, rto]);
                        row("aging", rto);
                    }
                    if let Some(timer) = timer {
                        row("first timeout", timer);
                    }
                }
                StepKind::Transmit => {
                    if let Some(timer) = timer {
                        backoff.push([t, timer]);
                        row("back-off", timer);
                    }
                }
                StepKind::Reply => {
                    let mark =
                        cell.timeline().find(association.id, steps.exchange.get(index).copied().unwrap_or_default());
                    if let Some(mark) = mark {
                        let rtt = (at - mark.start()).secs_f64();
                        let class = if mark.copies.len() > 1 { &mut weak } else { &mut strong };
                        class.push([t, rtt]);
                        row(if mark.copies.len() > 1 { "weak round trip" } else { "strong round trip" }, rtt);
                    }
                }
                StepKind::Timeout | StepKind::LateReply | StepKind::GiveUp => {}
            }
            if let Some(rto) = rto {
                if held != Some(rto) || line.is_empty() {
                    line.push([t, rto]);
                    row("RTO", rto);
                }
                held = Some(rto);
            }
        }
        if line.is_empty() {
            continue;
        }
        let series = figure.series_of(b, 0);
        let mut dots = |points: Vec<[f64; 2]>, shape| {
            let (points, all) = thinned(points, DOTS);
            if let Some(all) = all {
                drawn
                    .caption
                    .push(format!("{behaviour}: an even selection of {all} dots is drawn; the table has all."));
            }
            MarkView::Dots { series: if matches!(shape, DotShape::Ring) { series } else { 0 }, points, shape }
        };
        let mut marks = vec![
            dots(strong, DotShape::Dot),
            dots(weak, DotShape::Triangle),
            dots(backoff, DotShape::Cross),
            dots(aged, DotShape::Ring),
        ];
        let points = ends_kept_dense(line);
        marks.insert(
            0,
            MarkView::Line { series, points, band: Vec::new(), look: LineLook::Step, right: false, markers: false },
        );
        let rule = format!("{}; {} to {}", figure.name(c), association.client_name, association.server_name);
        let y = axis(kind, "RTO and round trip", "s");
        let mut one = panel(behaviour, &rule, axis(AxisKind::Linear, "Time", "s"), y, marks);
        one.axes = Some(small(c));
        one.key = vec![
            dot_key("strong round trip", DotShape::Dot),
            dot_key("weak round trip", DotShape::Triangle),
            dot_key("back-off", DotShape::Cross),
            dot_key("aging", DotShape::Ring),
        ];
        drawn.panels.push(one);
    }
    if drawn.panels.is_empty() && figure.captures() > 0 {
        let say = if figure.behaviours.len() < 2 {
            "What was recorded shows no estimator: add an algorithm in the legend at the left.".to_owned()
        } else if cells(figure).any(|(.., cell)| cell.stays(AssociationId::at(lane))) {
            format!("Client {lane} stays as it was recorded, which shows no estimator.")
        } else {
            format!("There is no client {lane} in these captures.")
        };
        drawn.missing.push(say);
    }
    cut_short(figure, &mut drawn);
    drawn.table = listing(&["algorithm", "capture", "time_s", "what", "seconds"], &rows);
    drawn
}

/// Points of a step line: more than of a smooth one, since each is a decision.
fn ends_kept_dense(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let (some, all) = thinned(points.clone(), 4 * POINTS);
    if all.is_some() { some.into_iter().chain(points.last().copied()).collect() } else { some }
}
