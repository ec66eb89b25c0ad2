//! Closed exchanges of which the capture cannot tell which copy was answered.
//!
//! To leave their copies out would be wrong quietly: in a one-sided capture nearly every lost copy is in
//! such an exchange (lost, retransmitted, one reply), so the rest looks like a path without losses. So their
//! fates are imputed, afresh in every replicate (multiple imputation, Rubin 1987), and the uncertainty
//! shows in the intervals: the closing reply answers one of the open copies, the others are lost. With the
//! same loss odds for all, the chances are in proportion to how usual the implied round trips are: a
//! kernel density of the logarithms of certain round trips, mixed with a uniform one, because round trips
//! longer than the timeout are never certain and must not be ruled out.
//!
//! Imputed fates count as borrowed, never as recorded.

use super::Path;
use crate::draw::{Lane, unit};
use crate::plan::unexplained_close;
use crate::record::{AssociationRecord, Fate, Outcome};
use base::Span;

/// One such exchange.
#[derive(Clone, Debug)]
pub(crate) struct Ambiguous {
    /// Its position in the association.
    exchange: u32,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Position in [`Path::copies`].
    copy: usize,
    /// The round trip, if this is the answered one.
    rtt: Span,
    /// The chance of that.
    chance: f64,
}

/// Share of the uniform density in the mixture.
const UNIFORM: f64 = 0.05;
/// Certain round trips that make a density.
const ENOUGH: usize = 8;
/// Points that stand for a density.
const POINTS: usize = 128;

/// Logarithms of round trips, smoothed.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    points: Vec<f64>,
    width: f64,
    span: f64,
}

impl Density {
    /// Of the certain round trips of `paths`; `None` when there are too few.
    pub fn new<'a>(paths: impl Iterator<Item = &'a Path>) -> Option<Self> {
        let certain = paths.flat_map(|p| &p.copies).filter_map(|c| c.fate.rtt());
        let mut logs: Vec<f64> = certain.map(log).collect();
        if logs.len() < ENOUGH {
            return None;
        }
        logs.sort_unstable_by(f64::total_cmp);
        let n = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let sd = (logs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
        // Scott's rule (Scott 1992 §6.3), no narrower than 5 %.
        let width = (1.06 * sd * n.powf(-0.2)).max(0.05);
        let stride = logs.len().div_ceil(POINTS);
        // Even in rank, from the middle of the first group on.
        let points: Vec<f64> = logs.iter().skip(stride / 2).step_by(stride).copied().collect();
        let reach = logs.last().zip(logs.first()).map_or(0.0, |(a, b)| a - b);
        Some(Self { points, width, span: reach + 6.0 })
    }

    fn at(&self, rtt: Span) -> f64 {
        let x = log(rtt);
        let kernel = |p: &f64| (-0.5 * ((x - p) / self.width).powi(2)).exp();
        let norm = self.points.len() as f64 * self.width * std::f64::consts::TAU.sqrt();
        (1.0 - UNIFORM) * self.points.iter().map(kernel).sum::<f64>() / norm + UNIFORM / self.span
    }
}

fn log(rtt: Span) -> f64 {
    (rtt.nanos().max(1) as f64).ln()
}

/// The ambiguous exchanges of a path.
pub(crate) fn ambiguous(association: &AssociationRecord, path: &Path, density: Option<&Density>) -> Vec<Ambiguous> {
    let mut by_exchange: Vec<Vec<usize>> = vec![Vec::new(); association.exchanges.len()];
    for (i, copy) in path.copies.iter().enumerate().filter(|(_, c)| !c.fate.is_known()) {
        if let Some(copies) = by_exchange.get_mut(copy.exchange as usize) {
            copies.push(i);
        }
    }
    let mut found = Vec::new();
    for ((e, open), exchange) in association.exchanges.iter().zip(by_exchange).zip(0_u32..) {
        let (Some(end), Some(_)) = (e.end, unexplained_close(e)) else { continue };
        let candidate = |i: usize| {
            let rtt = end - path.copies.get(i)?.at;
            (rtt >= Span::ZERO).then(|| Candidate { copy: i, rtt, chance: density.map_or(1.0, |d| d.at(rtt)) })
        };
        let mut candidates: Vec<Candidate> = open.into_iter().filter_map(candidate).collect();
        let total: f64 = candidates.iter().map(|c| c.chance).sum();
        candidates.iter_mut().for_each(|c| c.chance /= total);
        if !candidates.is_empty() {
            found.push(Ambiguous { exchange, candidates });
        }
    }
    found
}

/// The fates of a path's copies with the ambiguous ones imputed: by draws of `lane`, or the likeliest.
/// Open copies of abandoned exchanges had no reply in time: lost. What is left open stays unknown.
pub(crate) fn impute(
    association: &AssociationRecord,
    path: &Path,
    ambiguous: &[Ambiguous],
    mut lane: Option<&mut Lane>,
) -> Vec<Fate> {
    let abandoned =
        |exchange: u32| association.exchanges.get(exchange as usize).is_some_and(|e| e.outcome == Outcome::Abandoned);
    let settle =
        |c: &super::index::Lender| if !c.fate.is_known() && abandoned(c.exchange) { Fate::Lost } else { c.fate };
    let mut fates: Vec<Fate> = path.copies.iter().map(settle).collect();
    for case in ambiguous {
        let answered = match &mut lane {
            Some(lane) => {
                let mut left = unit(lane.block(u64::from(case.exchange))[0]);
                let drawn = case.candidates.iter().position(|c| {
                    left -= c.chance;
                    left < 0.0
                });
                drawn.unwrap_or(case.candidates.len() - 1)
            }
            None => {
                let likelier = |a: &(usize, &Candidate), b: &(usize, &Candidate)| a.1.chance.total_cmp(&b.1.chance);
                case.candidates.iter().enumerate().max_by(likelier).map_or(0, |(i, _)| i)
            }
        };
        for (i, c) in case.candidates.iter().enumerate() {
            if let Some(fate) = fates.get_mut(c.copy) {
                *fate = if i == answered { Fate::Answered { rtt: c.rtt } } else { Fate::Lost };
            }
        }
    }
    fates
}
