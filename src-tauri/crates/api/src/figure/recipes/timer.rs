//! Timeouts, round trips, back-off and aging of one client's estimator over time.

use crate::figure::cells::{Cell, Figure};
use crate::figure::recipes::trace::{DOTS, POINTS, cells, cut_short};
use crate::figure::settings::{choice, number};
use crate::figure::shape::{Entry, axis, dot_key, listing, panel, small, thinned};
use crate::figure::{Drawn, Recipe};
use crate::view::{AxisKind, DotShape, LineLook, MarkView};
use base::{AssociationId, Span};
use replay::{StepKind, Steps};
use rto::{ParamSpec, Unit};

/// Round trips, timeout, back-off and aging of one client's estimator.
pub(in crate::figure) const TIMER: Recipe = Recipe {
    id: "timer_trace",
    title: "What one estimator did",
    about: "Round trips, timeout, back-off and aging of one client towards one server.",
    compares: false,
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

/// Points of one estimator, each as seconds since the start of the capture and a duration in seconds.
#[derive(Default)]
struct Points {
    strong: Vec<[f64; 2]>,
    weak: Vec<[f64; 2]>,
    backoff: Vec<[f64; 2]>,
    aged: Vec<[f64; 2]>,
    /// Timeout, as its new value wherever it changed.
    rto: Vec<[f64; 2]>,
}

impl Points {
    /// Reads the steps of `association` under the run of `cell`; `row` takes the rows of the table: time, kind,
    /// seconds.
    fn read(cell: &Cell, steps: &Steps, association: AssociationId, row: &mut dyn FnMut(f64, &str, f64)) -> Self {
        let (start, _) = crate::opened::window(&cell.opened.trace.capture);
        let mut points = Self::default();
        let mut held: Option<f64> = None;
        for index in 0..steps.len() {
            if steps.association.get(index) != Some(&association) {
                continue;
            }
            let (Some(&at), Some(&attempt), Some(kind)) =
                (steps.at.get(index), steps.attempt.get(index), steps.kind.get(index))
            else {
                continue;
            };
            let t = (at - start).secs_f64();
            let rto = steps.state.rto(index).map(Span::secs_f64);
            let timer = steps.rto.get(index).copied().flatten().map(Span::secs_f64);
            match kind {
                StepKind::Transmit if attempt == 0 => {
                    // The estimate changed although no reply came since: it aged.
                    if let (Some(rto), Some(before)) = (rto, held)
                        && (rto - before).abs() > 1e-9
                    {
                        points.aged.push([t, rto]);
                        row(t, "aging", rto);
                    }
                    if let Some(timer) = timer {
                        row(t, "first timeout", timer);
                    }
                }
                StepKind::Transmit => {
                    if let Some(timer) = timer {
                        points.backoff.push([t, timer]);
                        row(t, "back-off", timer);
                    }
                }
                StepKind::Reply => {
                    let exchange = steps.exchange.get(index).copied().unwrap_or_default();
                    if let Some(mark) = cell.timeline().find(association, exchange) {
                        let rtt = (at - mark.start()).secs_f64();
                        let is_weak = mark.copies.len() > 1;
                        if is_weak { &mut points.weak } else { &mut points.strong }.push([t, rtt]);
                        row(t, if is_weak { "weak round trip" } else { "strong round trip" }, rtt);
                    }
                }
                StepKind::Timeout | StepKind::LateReply | StepKind::GiveUp => {}
            }
            if let Some(rto) = rto {
                if held != Some(rto) || points.rto.is_empty() {
                    points.rto.push([t, rto]);
                    row(t, "RTO", rto);
                }
                held = Some(rto);
            }
        }
        points
    }

    /// Marks of a panel, the line first.
    fn marks(self, behaviour: &str, series: u32, caption: &mut Vec<String>) -> Vec<MarkView> {
        let mut dots = |points: Vec<[f64; 2]>, shape| {
            let (points, all) = thinned(points, DOTS);
            if let Some(all) = all {
                caption.push(format!("{behaviour}: an even selection of {all} dots is drawn; the table has all."));
            }
            MarkView::Dots { series: if matches!(shape, DotShape::Ring) { series } else { 0 }, points, shape }
        };
        let dots = [
            dots(self.strong, DotShape::Dot),
            dots(self.weak, DotShape::Triangle),
            dots(self.backoff, DotShape::Cross),
            dots(self.aged, DotShape::Ring),
        ];
        let points = thinned_steps(self.rto);
        let line = MarkView::Line {
            series,
            points,
            band: Vec::new(),
            look: LineLook::Step,
            right: false,
            markers: false,
            labels: Vec::new(),
        };
        std::iter::once(line).chain(dots).collect()
    }
}

fn draw_timer(figure: &Figure<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    let lane = figure.settings.count("association");
    let kind = if figure.settings.choice("scale") == "linear" { AxisKind::Linear } else { AxisKind::Log };
    for (c, b, cell) in cells(figure) {
        let Some(run) = &cell.run else { continue };
        let Some(association) = cell.opened.trace.associations.get(lane) else { continue };
        let behaviour = figure.behaviours.get(b).map_or("", |b| &b.name);
        let mut row = |t: f64, what: &str, value: f64| {
            rows.push(vec![
                Entry::from(behaviour),
                Entry::from(figure.name(c)),
                Entry::from(t),
                Entry::from(what),
                Entry::from(value),
            ]);
        };
        let points = Points::read(cell, &run.steps, association.id, &mut row);
        if points.rto.is_empty() {
            continue;
        }
        let marks = points.marks(behaviour, figure.series_of(b, 0), &mut drawn.caption);
        let (client, server) = figure.ends(c, association.id).unwrap_or_default();
        let rule = format!("{}; {client} to {server}", figure.name(c));
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
        drawn.missing.push(missing(figure, lane));
    }
    cut_short(figure, &mut drawn);
    drawn.table = listing(&["algorithm", "capture", "time_s", "what", "seconds"], &rows);
    drawn
}

/// Returns the reason why there is no panel.
fn missing(figure: &Figure<'_>, lane: usize) -> String {
    if figure.behaviours.len() < 2 {
        "What was recorded shows no estimator: add an algorithm (legend at the left, or --algorithm).".to_owned()
    } else if let Some((c, ..)) = cells(figure).find(|(.., cell)| cell.stays(AssociationId::at(lane))) {
        format!("{} stays as it was recorded, which shows no estimator.", figure.client(c, AssociationId::at(lane)))
    } else {
        format!("There is no client {lane} in these captures.")
    }
}

/// Thins a step line, its last point included. It has more points than a smooth line, since each is a decision.
fn thinned_steps(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let (some, all) = thinned(points.clone(), 4 * POINTS);
    if all.is_some() { some.into_iter().chain(points.last().copied()).collect() } else { some }
}
