//! The downhill simplex of Nelder & Mead 1965, held within bounds and restarted when it has collapsed.

use super::{Axis, Found, Search};

/// Edge of a fresh simplex as a share of each axis. Chosen here; repeat with `cargo test -p rto --test optimise`.
const EDGE: f64 = 0.1;
/// A simplex narrower than this in every axis has collapsed. Chosen here, far above the spacing of doubles in [0, 1];
/// repeat with `cargo test -p rto --test optimise`.
const COLLAPSED: f64 = 1e-9;
/// A restart that gains less than this, relatively, ends the search. Chosen here, near the precision of doubles;
/// repeat with `cargo test -p rto --test optimise`.
const WORTHWHILE: f64 = 1e-12;

/// A corner of the simplex: its place and the objective there.
type Corner = (Vec<f64>, f64);

/// Minimises `objective` from `start`. Stops with the first step of the simplex after which `evaluations` were made, at
/// least one. `start` has one value per axis; a missing or illegal value is moved within bounds.
pub fn nelder_mead(axes: &[Axis], start: &[f64], evaluations: usize, objective: impl FnMut(&[f64]) -> f64) -> Found {
    let mut search = Search::new(axes, objective);
    let value = |n: usize| start.get(n).copied().unwrap_or(f64::NAN);
    let mut origin: Vec<f64> = axes.iter().enumerate().map(|(n, axis)| axis.share(value(n))).collect();
    let mut edge = EDGE;
    while search.found.evaluations < evaluations.max(1) && !(axes.is_empty() && search.found.evaluations > 0) {
        let before = search.found.value;
        origin = descend(&mut search, origin, edge, evaluations);
        // A smaller simplex of opposite orientation at the best corner leaves a fold that trapped the last one.
        edge *= -0.5;
        if before.is_finite() && before - search.found.value <= WORTHWHILE * before.abs() {
            break;
        }
    }
    search.found
}

/// Moves one simplex downhill until it collapses or the evaluations run out; returns its best corner.
fn descend<F: FnMut(&[f64]) -> f64>(
    search: &mut Search<'_, F>,
    origin: Vec<f64>,
    edge: f64,
    evaluations: usize,
) -> Vec<f64> {
    let value = search.ask(&origin);
    let mut corners: Vec<Corner> = vec![(origin.clone(), value)];
    for n in 0..origin.len() {
        if search.found.evaluations >= evaluations {
            break;
        }
        let mut corner = origin.clone();
        if let Some(share) = corner.get_mut(n) {
            *share += edge;
        }
        let value = search.ask(&corner);
        corners.push((corner, value));
    }
    loop {
        corners.sort_by(|a, b| a.1.total_cmp(&b.1));
        let complete = corners.len() > origin.len();
        let (Some(best), Some(worst)) = (corners.first().cloned(), corners.last().cloned()) else { return origin };
        let width = |n: usize| {
            let at = |corner: &Corner| corner.0.get(n).copied().unwrap_or(0.0);
            corners.iter().map(|corner| (at(corner) - at(&best)).abs()).fold(0.0, f64::max)
        };
        if !complete || search.found.evaluations >= evaluations || (0..origin.len()).all(|n| width(n) < COLLAPSED) {
            return best.0;
        }
        corners.pop();
        let centre: Vec<f64> = (0..origin.len())
            .map(|n| corners.iter().filter_map(|(at, _)| at.get(n)).sum::<f64>() / corners.len() as f64)
            .collect();
        // On the line from the worst corner through the centre of the others: 1 reflects, 2 expands, ±½ contracts.
        let mut probe = |step: f64| {
            let along = |(c, w): (&f64, &f64)| c + step * (c - w);
            let at: Vec<f64> = centre.iter().zip(&worst.0).map(along).collect();
            let value = search.ask(&at);
            (at, value)
        };
        let second = corners.last().map_or(f64::INFINITY, |corner| corner.1);
        let reflected = probe(1.0);
        let next = if reflected.1 < best.1 {
            let expanded = probe(2.0);
            Some(if expanded.1 < reflected.1 { expanded } else { reflected })
        } else if reflected.1 < second {
            Some(reflected)
        } else {
            let outside = reflected.1 < worst.1;
            let contracted = probe(if outside { 0.5 } else { -0.5 });
            (contracted.1 < reflected.1.min(worst.1)).then_some(contracted)
        };
        if let Some(corner) = next {
            corners.push(corner);
            continue;
        }
        // No point on that line is better: all corners move half way to the best one.
        corners.push(worst);
        for corner in corners.iter_mut().skip(1) {
            for (share, towards) in corner.0.iter_mut().zip(&best.0) {
                *share = f64::midpoint(*share, *towards);
            }
            corner.1 = search.ask(&corner.0);
        }
    }
}
