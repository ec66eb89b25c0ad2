//! Timeouts one by one, over time and over transactions, with the completion of the work beside them.

use crate::figure::cells::{Cell, Figure};
use crate::figure::settings::{choice, number};
use crate::figure::shape::{Entry, axis, dot_key, line_key, listing, panel, per_cent, small, thinned};
use crate::figure::{Drawn, Recipe, timers};
use crate::view::{AxisKind, AxisView, DotShape, LineLook, MarkView};
use base::Instant;
use rto::{ParamSpec, Unit};
use table::ExchangeMark;

/// Timeouts and completion over time.
pub(in crate::figure) const TIME: Recipe = Recipe {
    id: "rto_time",
    title: "Timeouts and completion over time",
    about: "The timeout of every copy, and the share of the work that is done.",
    compares: false,
    reproduces: "Betzler et al. 2014 Fig. 2",
    params: time_params,
    draw: draw_time,
};

/// Timeouts and completion over transactions.
pub(in crate::figure) const INDEX: Recipe = Recipe {
    id: "rto_index",
    title: "Timeouts and completion over transactions",
    about: "As over time, but in the order in which transactions ended.",
    compares: false,
    reproduces: "Lee et al. 2016 Figs 11 and 13",
    params: index_params,
    draw: draw_index,
};

/// Greatest number of dots drawn of one kind in one panel. Chosen here by judgement, to bound the size of a figure;
/// the caption says how many there were, and the table has all.
pub(in crate::figure) const DOTS: usize = 1_500;
/// Greatest number of points drawn of one line. Chosen here by judgement, to bound the size of a figure: more than
/// the eye tells apart in a panel.
pub(in crate::figure) const POINTS: usize = 512;
/// Greatest number of panels of one figure; the caption says where more were asked for. Chosen here by judgement:
/// more do not fit on a page.
const PANELS: usize = 24;

fn time_params() -> Vec<ParamSpec> {
    vec![
        choice(
            ("curves", "Curves", "Values"),
            "One for all; by what was found of the workload (clocks, think time); or one for each client.",
            &["all", "workload", "client"],
            "Betzler et al. 2014: constant and burst traffic",
        ),
        choice(
            ("of", "100 % is", "Values"),
            "All exchanges of the group; or as many as the behaviour that completed most.",
            &["exchanges", "most"],
            "Betzler et al. 2014: 100 % is what CoCoA completed",
        ),
        number(
            ("burst", "Burst at", "Values"),
            "Where a burst begins, from the start of the capture; 0 for none.",
            Unit::Seconds,
            (0.0, 0.0, 86_400.0),
            "Betzler et al. 2014: 450 s",
        ),
        timers::gaps(),
    ]
}

fn index_params() -> Vec<ParamSpec> {
    vec![
        choice(
            ("show", "Dots", "Values"),
            "Timeouts of retransmitted transactions, or of all.",
            &["retransmitted", "all"],
            "Lee et al. 2016 Figs 11 and 13",
        ),
        number(
            ("cut", "Cut at", "Values"),
            "Longer timeouts are left out, and counted; 0 shows all.",
            Unit::Seconds,
            (25.0, 0.0, 600.0),
            "Lee et al. 2016 Fig. 11",
        ),
        choice(
            ("of", "100 % is", "Values"),
            "All transactions, or the successful ones.",
            &["all", "successes"],
            "the studies leave it open",
        ),
        timers::gaps(),
    ]
}

/// Returns every cell of the figure with the positions of its capture and behaviour; at most [`PANELS`] of them.
pub(in crate::figure) fn cells<'a>(figure: &'a Figure<'a>) -> impl Iterator<Item = (usize, usize, &'a Cell)> {
    let pairs = (0..figure.captures()).flat_map(|c| (0..figure.behaviours.len()).map(move |b| (c, b)));
    pairs.filter_map(|(c, b)| Some((c, b, figure.cell(c, b)?))).take(PANELS)
}

/// Adds a sentence to the caption where [`cells`] leaves panels out.
pub(in crate::figure) fn cut_short(figure: &Figure<'_>, drawn: &mut Drawn) {
    if figure.captures() * figure.behaviours.len() > PANELS {
        drawn.caption.push(format!("Only the first {PANELS} panels are drawn."));
    }
}

/// Returns the timers, seconds, at each x: of exchanges with retransmissions, then of those answered at once.
fn points_of(figure: &Figure<'_>, marks: &[(f64, &ExchangeMark)]) -> [Vec<[f64; 2]>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    for (x, mark) in marks {
        for index in 0..mark.copies.len() {
            if let Some(timer) = timers::of(figure, mark, index) {
                found[usize::from(mark.copies.len() == 1)].push([*x, timer.secs_f64()]);
            }
        }
    }
    found
}

fn dots(found: [Vec<[f64; 2]>; 2], series: u32, caption: &mut Vec<String>) -> Vec<MarkView> {
    let [retransmitted, at_once] = found.map(|points| thinned(points, DOTS));
    for (what, all) in [("retransmitted", retransmitted.1), ("answered at once", at_once.1)] {
        if let Some(all) = all {
            let say = format!("Of {all} timers of exchanges {what}, an even selection is drawn; the table has all.");
            if !caption.contains(&say) {
                caption.push(say);
            }
        }
    }
    vec![
        MarkView::Dots { series, points: at_once.0, shape: DotShape::Dot },
        MarkView::Dots { series: 0, points: retransmitted.0, shape: DotShape::Cross },
    ]
}

/// Returns the name of the curve of completed exchanges that `mark` counts for.
fn curve_of(figure: &Figure<'_>, capture: usize, cell: &Cell, mark: &ExchangeMark) -> String {
    match figure.settings.choice("curves") {
        "client" => figure.client(capture, mark.association),
        "workload" => match cell.opened.trace.associations.get(mark.association.index()).map(|a| a.workload) {
            Some(trace::Workload::ThinkTime) => "think time".to_owned(),
            _ => "arrivals".to_owned(),
        },
        _ => "completed".to_owned(),
    }
}

fn draw_time(figure: &Figure<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    let burst = figure.settings.number("burst");
    for (c, b, cell) in cells(figure) {
        let (start, _) = crate::opened::window(&cell.opened.trace.capture);
        let since = |at: Instant| (at - start).secs_f64();
        let group_of = |mark: &ExchangeMark| curve_of(figure, c, cell, mark);
        let marks: Vec<(f64, &ExchangeMark)> = cell.exchanges().into_iter().map(|m| (since(m.start()), m)).collect();
        for (x, mark) in &marks {
            for (copy, timer) in (0..mark.copies.len()).filter_map(|i| Some((i, timers::of(figure, mark, i)?))) {
                let behaviour = figure.behaviours.get(b).map_or("", |b| &b.name);
                rows.push(vec![
                    Entry::from(behaviour),
                    Entry::from(figure.name(c)),
                    Entry::from(&*figure.client(c, mark.association)),
                    Entry::from(*x),
                    Entry::from(copy),
                    Entry::from(timer.secs_f64()),
                    Entry::from(mark.end.map(since)),
                ]);
            }
        }
        let mut made = dots(points_of(figure, &marks), figure.series_of(b, 0), &mut drawn.caption);
        let mut names: Vec<String> = marks.iter().map(|(_, m)| group_of(m)).collect();
        names.sort();
        names.dedup();
        let mut key =
            vec![dot_key("timer, answered at once", DotShape::Dot), dot_key("timer, retransmitted", DotShape::Cross)];
        for (index, name) in names.iter().enumerate().take(6) {
            let ends = |cell: &Cell| -> Vec<f64> {
                let mine = cell.timeline().exchanges().filter(|m| group_of(m) == *name);
                let mut ends: Vec<f64> = mine.filter_map(|m| m.end).map(since).collect();
                ends.sort_by(f64::total_cmp);
                ends
            };
            let all = marks.iter().filter(|(_, m)| group_of(m) == *name).count();
            let of = match figure.settings.choice("of") {
                "most" => (0..figure.behaviours.len())
                    .filter_map(|b| Some(ends(figure.cell(c, b)?).len()))
                    .max()
                    .unwrap_or(all),
                _ => all,
            };
            let done = ends(cell).into_iter().enumerate();
            let points = done.map(|(i, at)| [at, 100.0 * (i + 1) as f64 / of.max(1) as f64]).collect();
            let look = if index % 2 == 0 { LineLook::Ink } else { LineLook::InkDashed };
            let series = figure.series_of(b, 0);
            made.push(MarkView::Line {
                series,
                points: ends_kept(points),
                band: Vec::new(),
                look,
                right: true,
                markers: false,
                labels: Vec::new(),
            });
            key.push(line_key(name, look));
        }
        if burst > 0.0 {
            made.push(MarkView::Rule { x: Some(burst), y: None, label: "burst".to_owned() });
        }
        let title = figure.behaviours.get(b).map_or("", |b| &b.name);
        let x = axis(AxisKind::Linear, "Time", "s");
        let y = AxisView { low: Some(0.0), ..axis(AxisKind::Linear, "Timeout", "s") };
        let mut one = panel(title, &format!("{}; completed: right axis", figure.name(c)), x, y, made);
        one.right = Some(per_cent("Completed"));
        one.axes = Some(small(c));
        one.key = key;
        drawn.panels.push(one);
    }
    drawn.caption.extend(timers::said(figure));
    cut_short(figure, &mut drawn);
    drawn.table = listing(&["algorithm", "capture", "client", "start_s", "copy", "timeout_s", "end_s"], &rows);
    drawn
}

/// Thins a line to about [`POINTS`] points; its last point always stays.
fn ends_kept(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let last = points.last().copied();
    let (mut points, all) = thinned(points, POINTS);
    if all.is_some() {
        points.extend(last);
    }
    points
}

fn draw_index(figure: &Figure<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    let (every, cut) = (figure.settings.choice("show") == "all", figure.settings.number("cut"));
    let mut left_out = 0;
    for (c, b, cell) in cells(figure) {
        let mut marks = cell.exchanges();
        marks.sort_by_key(|m| (m.close(), m.exchange));
        let successes = marks.iter().filter(|m| m.end.is_some()).count();
        let of = if figure.settings.choice("of") == "successes" { successes } else { marks.len() };
        let indexed: Vec<(f64, &ExchangeMark)> =
            marks.iter().enumerate().map(|(index, &mark)| ((index + 1) as f64, mark)).collect();
        let behaviour = figure.behaviours.get(b).map_or("", |b| &b.name);
        let mut done = 0;
        let mut points = Vec::with_capacity(marks.len());
        for (index, mark) in &indexed {
            done += usize::from(mark.end.is_some());
            let share = 100.0 * done as f64 / of.max(1) as f64;
            points.push([*index, share]);
            let last = (0..mark.copies.len()).rev().find_map(|copy| timers::of(figure, mark, copy));
            rows.push(vec![
                Entry::from(behaviour),
                Entry::from(figure.name(c)),
                Entry::from(*index),
                Entry::from(mark.copies.len().saturating_sub(1)),
                Entry::from(last.map(base::Span::secs_f64)),
                Entry::from(share),
            ]);
        }
        let mut found = points_of(figure, &indexed);
        if !every {
            found[1].clear();
        }
        if cut > 0.0 {
            for points in &mut found {
                let before = points.len();
                points.retain(|point| point[1] <= cut);
                left_out += before - points.len();
            }
        }
        let series = figure.series_of(b, 0);
        let mut made = dots(found, series, &mut drawn.caption);
        made.push(MarkView::Line {
            series,
            points: ends_kept(points),
            band: Vec::new(),
            look: LineLook::Ink,
            right: true,
            markers: false,
            labels: Vec::new(),
        });
        let x = axis(AxisKind::Linear, "Transaction, in order of ending", "");
        let y = AxisView { low: Some(0.0), ..axis(AxisKind::Linear, "Timeout", "s") };
        let mut one = panel(behaviour, &format!("{}; successful: right axis", figure.name(c)), x, y, made);
        one.right = Some(per_cent("Successful"));
        one.axes = Some(small(c));
        one.key = vec![dot_key("timer, retransmitted", DotShape::Cross), line_key("successful", LineLook::Ink)];
        if every {
            one.key.insert(0, dot_key("timer, answered at once", DotShape::Dot));
        }
        drawn.panels.push(one);
    }
    if left_out > 0 {
        drawn.caption.push(format!("{left_out} timers above {cut} s are not drawn."));
    }
    drawn.caption.extend(timers::said(figure));
    cut_short(figure, &mut drawn);
    let columns = ["algorithm", "capture", "transaction", "retransmissions", "last_timeout_s", "successful_percent"];
    drawn.table = listing(&columns, &rows);
    drawn
}
