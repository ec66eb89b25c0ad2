//! Waiting against needless retransmissions.

use crate::figure::cells::Figure;
use crate::figure::measure::Measure;
use crate::figure::settings::group;
use crate::figure::shape::{Entry, axis, line_key, listing, panel};
use crate::figure::{Drawn, Recipe};
use crate::view::{AxisKind, AxisView, LineLook, MarkView};
use replay::MetricName;
use replay::stats::interval;
use rto::ParamSpec;

/// Waiting (W) against bad timeouts (B).
pub(in crate::figure) const PLANE: Recipe = Recipe {
    id: "wait_plane",
    title: "Waiting against bad timeouts",
    about: "W, round trips waited for a real loss, against B, timeouts of copies that were answered after all; low is good in both.",
    compares: true,
    reproduces: "Allman & Paxson 1999, W and B",
    params,
    draw,
};

fn params() -> Vec<ParamSpec> {
    vec![group()]
}

/// Returns the Pareto front by x: those of `points` that no other one betters in both coordinates.
fn front(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let better = |a: &[f64; 2], b: &[f64; 2]| a[0] <= b[0] && a[1] <= b[1] && a != b;
    let mut best: Vec<[f64; 2]> =
        points.iter().filter(|p| !points.iter().any(|other| better(other, p))).copied().collect();
    best.sort_by(|a, b| a[0].total_cmp(&b[0]));
    best.dedup();
    best
}

fn draw(figure: &Figure<'_>) -> Drawn {
    let (w, b) = (Measure(MetricName::W), Measure(MetricName::B));
    let mut drawn = Drawn::default();
    let mut rows = Vec::new();
    for (g, group) in figure.groups.iter().enumerate() {
        let (mut marks, mut points) = (Vec::new(), Vec::new());
        for (index, behaviour) in figure.behaviours.iter().enumerate() {
            let cells: Vec<_> = figure.of_group(group, index).collect();
            let mean = |measure: Measure| {
                let values: Vec<f64> = cells.iter().filter_map(|cell| cell.value(measure)).collect();
                replay::stats::mean(&values)
            };
            let (Some(x), Some(y)) = (mean(w), mean(b)) else { continue };
            let ninety = |measure: Measure| {
                let values: Vec<f64> = cells.iter().flat_map(|cell| cell.replicates(measure)).flatten().collect();
                interval(&values, 0.90).filter(|_| values.len() > 1).map(|i| [i.lo, i.hi])
            };
            let (across, along) = (ninety(w), ninety(b));
            points.push([x, y]);
            marks.push(MarkView::Point { series: figure.series_of(index, g), at: [x, y], across, along });
            let ends = |ends: Option<[f64; 2]>| [Entry::from(ends.map(|e| e[0])), Entry::from(ends.map(|e| e[1]))];
            let mut row = vec![Entry::from(&*behaviour.name), Entry::from(&*group.name), Entry::from(x)];
            row.extend(ends(across));
            row.push(Entry::from(y));
            row.extend(ends(along));
            rows.push(row);
        }
        if points.is_empty() {
            continue;
        }
        let front = front(&points);
        if front.len() > 1 {
            let line = MarkView::Line {
                series: 0,
                points: front,
                band: Vec::new(),
                look: LineLook::Thin,
                right: false,
                markers: false,
                labels: Vec::new(),
            };
            marks.insert(0, line);
        }
        let x = AxisView { low: Some(0.0), ..axis(AxisKind::Linear, "W, timeout per round trip", "×") };
        let y = AxisView { low: Some(0.0), ..axis(AxisKind::Linear, "B, bad timeouts", "%") };
        let mut made = panel(&group.name, "marker: mean, bars: 90 % of replicates; lower left is better", x, y, marks);
        made.key = vec![line_key("Pareto front", LineLook::Thin)];
        drawn.panels.push(made);
    }
    if drawn.panels.is_empty() && figure.captures() > 0 {
        drawn.missing.push(
            "W needs timeouts of copies that were really lost, in a capture that can tell: none here.".to_owned(),
        );
    }
    drawn.table = listing(&["algorithm", "group", "w", "w_low", "w_high", "b_percent", "b_low", "b_high"], &rows);
    drawn
}

#[cfg(test)]
mod tests {
    use super::front;

    #[test]
    fn nothing_on_the_front_is_bettered() {
        let points = [[1.0, 9.0], [2.0, 4.0], [3.0, 5.0], [4.0, 1.0], [4.0, 2.0], [2.0, 4.0]];
        assert_eq!(front(&points), [[1.0, 9.0], [2.0, 4.0], [4.0, 1.0]]);
    }
}
