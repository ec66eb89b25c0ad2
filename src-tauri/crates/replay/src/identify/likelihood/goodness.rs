//! Goodness of fit of the best candidate, in absolute terms rather than against the other candidates.

use crate::identify::likelihood::fit::Fit;
use crate::identify::likelihood::free_description::{COARSE, log_likelihood};
use crate::identify::likelihood::observation::Observation;
use crate::identify::likelihood::timing_error::{Queueing, Seconds};

/// Goodness of fit of one candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Goodness {
    /// Mean posterior probability of being an outlier, over gaps; 0 to 1; 0 without gaps.
    pub outliers: f64,
    /// Mean error of a gap as a share of the gap; 0 without gaps.
    pub relative_error: f64,
    /// Log-likelihood ratio of a description without any algorithm against the candidate, in nats, at least 0.
    pub free_lead: f64,
    /// Number of gaps that the ratio rests on.
    pub compared: usize,
}

impl Goodness {
    /// Measures `fit` on its `observations`; `slot` is the distance between slots in seconds, 0 without slots.
    pub fn of(fit: Fit, observations: &[Observation], slot: Seconds) -> Self {
        let gaps: Vec<(&Observation, Seconds)> = observations.iter().filter_map(|o| Some((o, o.gap()?))).collect();
        let n = gaps.len().max(1) as f64;
        let outliers = gaps.iter().map(|(o, _)| fit.outlier_probability(o)).sum::<f64>() / n;
        let error = |(o, gap): &(&Observation, Seconds)| {
            let error = if o.fresh { fit.fresh } else { fit.step };
            error.equivalent_scale() / gap.max(1e-3)
        };
        let relative_error = gaps.iter().map(error).sum::<f64>() / n;
        // The free description knows nothing of replies, so gaps that one may have ended are left out.
        let whole: Vec<(&Observation, Seconds)> =
            gaps.into_iter().filter(|(o, _)| !o.missed && o.limit.is_none_or(f64::is_infinite)).collect();
        let part = |fresh: bool| -> Vec<_> { whole.iter().copied().filter(|(o, _)| o.fresh == fresh).collect() };
        let mut free_lead = 0.0;
        for fresh in [true, false] {
            free_lead += lead_of_free_description(fit, &part(fresh), fresh, slot);
        }
        Self { outliers, relative_error, free_lead, compared: whole.len() }
    }
}

/// The log-likelihood ratio of the best free description of `gaps` against `fit`, at least 0.
///
/// The free descriptions are of the logarithm of the gap (relative to the gap before, unless `fresh`), and of that
/// relative to the middle of the algorithm's timeouts: the residual. The fit is granted errors of [`COARSE`] and any
/// queueing.
fn lead_of_free_description(fit: Fit, gaps: &[(&Observation, Seconds)], fresh: bool, slot: Seconds) -> f64 {
    let coarse =
        |queueing| gaps.iter().map(|(o, gap)| fit.coarse_log_likelihood(o, COARSE * gap, queueing)).sum::<f64>();
    let claimed = Queueing::ALL.into_iter().map(coarse).fold(f64::NEG_INFINITY, f64::max);
    let log = |x: Seconds| x.max(1e-6).ln();
    let alone: Vec<(f64, Seconds)> = gaps
        .iter()
        .map(|(o, gap)| (log(*gap) - if fresh { 0.0 } else { log(o.before.unwrap_or(1.0)) }, *gap))
        .collect();
    let residual: Vec<(f64, Seconds)> = gaps
        .iter()
        .map(|(o, gap)| (log(*gap) - log(f64::midpoint(o.distribution.shortest(), o.distribution.longest())), *gap))
        .collect();
    (log_likelihood(&alone, slot).max(log_likelihood(&residual, slot)) - claimed).max(0.0)
}
