//! Exponential kernel over recorded copies near a moment, in its plain form: every neighbour is looked at.
//!
//! A donor at lag `t` weighs `w(t) = ρ(t) = s · exp(−max(t, t₀) / τ)`, the measured autocorrelation ([`Autocorrelation`]). The
//! background, a copy from a wider stretch of time, weighs what the nearest donor leaves, `1 − max w`. A donor is drawn with
//! probability `w / (Σ w + 1 − max w)`:
//!
//! * With one donor the probability of a loss is `p + ρ · (x − p)`, the best linear prediction from its fate `x`; it is exact for a
//!   two-state Markov channel.
//! * With `n` donors of equal weight it is that of `n` draws with correlation ρ (beta-binomial; Skellam, J. R. Stat. Soc. B 10, 1948).
//!
//! The replay uses [`super::fast::KernelWeights`], which is held to this by a law.

use crate::estimate::{Autocorrelation, Donor, NEIGHBOURS};
use base::Instant;

/// Probability of each of `donors`, in order of time, to be drawn at `at`; the background has what is left. Donors beyond
/// [`NEIGHBOURS`] on either side have none.
pub(super) fn probabilities(donors: &[Donor], at: Instant, autocorrelation: &Autocorrelation) -> Vec<f64> {
    let split = donors.partition_point(|donor| donor.at < at);
    let near = split.saturating_sub(NEIGHBOURS)..(split + NEIGHBOURS).min(donors.len());
    let weigh = |(i, donor): (usize, &Donor)| if near.contains(&i) { autocorrelation.at(donor.at - at) } else { 0.0 };
    let weights: Vec<f64> = donors.iter().enumerate().map(weigh).collect();
    let background = 1.0 - weights.iter().copied().fold(0.0, f64::max);
    let sum = weights.iter().sum::<f64>() + background;
    weights.iter().map(|weight| weight / sum).collect()
}
