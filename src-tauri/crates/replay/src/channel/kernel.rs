//! Exponential kernel over recorded copies near a moment.
//!
//! A donor at lag `u` weighs `w = ρ(u) = s · exp(−max(u, u₀) / τ)`, the measured autocorrelation ([`Autocorrelation`]).
//! The background, a copy from a wider stretch of time, weighs what the nearest donor leaves, `1 − max w`. A donor is
//! drawn with probability `w / (Σ w + 1 − max w)`:
//!
//! * With one donor the probability of a loss is `p + ρ · (x − p)`, the best linear prediction from its fate `x`; it is
//!   exact for a two-state Markov channel.
//! * With `n` donors of equal weight it is that of `n` draws with correlation ρ (beta-binomial; Skellam, J. R. Stat.
//!   Soc. B 10, 1948).
//!
//! Donors are those nearer than `u₀`, at most [`NEIGHBOURS`] on each side, and beyond them as many again, up to the
//! first silence of [`SILENCE`] coherence times.

use super::fast::KernelWeights;
use crate::estimate::{Autocorrelation, Donor, Kernel, NEIGHBOURS, SILENCE, SampleIndex};
use crate::model::Moment;
use base::Instant;

/// Donors near one moment, before one is drawn.
///
/// A draw branches on random numbers, which no processor foresees: weights of further donors of the same moment are
/// better summed before the first draw than after it. Inlined, so that they stay in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<'d> {
    donors: &'d SampleIndex,
    moment: Moment,
    kernel: Kernel<'d>,
    /// Sums of their weights; `None` without autocorrelation, and in the plain form.
    weights: Option<KernelWeights>,
}

impl<'d> Near<'d> {
    /// Donors near `moment`. Fast `donors` must have been prepared with the table of `kernel`
    /// ([`SampleIndex::with_kernel`]).
    #[inline(always)]
    pub fn new(donors: &'d SampleIndex, moment: Moment, kernel: Kernel<'d>) -> Self {
        let weights = if donors.fast.kernel_sums { KernelWeights::weighed(donors, moment, kernel.table) } else { None };
        Self { donors, moment, kernel, weights }
    }

    /// Draws a donor by `choice`, uniform on [0, 1); `None` stands for the background.
    #[inline(always)]
    pub fn draw(&self, choice: f64) -> Option<&'d Donor> {
        let Self { donors, moment, kernel, weights } = self;
        if donors.fast.kernel_sums {
            return weights.as_ref()?.donor_at(donors, choice);
        }
        drawn(donors, (moment.at, donors.before(*moment)), kernel.autocorrelation, choice)
    }
}

/// Plain form of [`Near::draw`]: returns the donor to which `choice`, uniform on [0, 1), falls at `at`, before which
/// `split` of `donors` were sent; `None` for the background. Weights are laid end to end: those of the donors nearer
/// than `u₀`, of those before them, nearest first, of those after them, and of the background.
pub(super) fn drawn<'d>(
    donors: &'d [Donor],
    (at, split): (Instant, usize),
    autocorrelation: &Autocorrelation,
    choice: f64,
) -> Option<&'d Donor> {
    let is_close = |donor: &&Donor| (donor.at - at).abs() < autocorrelation.from;
    let weight = |donor: &Donor| autocorrelation.at(donor.at - at);
    let (earlier, later) = donors.split_at_checked(split)?;
    let near = donors.get(split.saturating_sub(NEIGHBOURS)..donors.len().min(split + NEIGHBOURS))?;
    let neighbours = || {
        let before = up_to_silence(earlier.iter().rev().skip_while(is_close), at, autocorrelation);
        let after = up_to_silence(later.iter().skip_while(is_close), at, autocorrelation);
        near.iter().filter(is_close).chain(before).chain(after)
    };
    let (sum, most) =
        neighbours().map(weight).fold((0.0, 0.0_f64), |(sum, most), weight| (sum + weight, most.max(weight)));
    let mut left = choice * (sum + 1.0 - most);
    let holds_choice = |donor: &&Donor| {
        left -= weight(donor);
        left < 0.0
    };
    neighbours().find(holds_choice)
}

/// The first [`NEIGHBOURS`] of `outwards`, which leads away from `at`, up to the first silence.
fn up_to_silence<'d>(
    outwards: impl Iterator<Item = &'d Donor>,
    at: Instant,
    autocorrelation: &Autocorrelation,
) -> impl Iterator<Item = &'d Donor> {
    let silence = SILENCE * autocorrelation.time.secs_f64();
    let heard = move |last: &mut Instant, donor: &'d Donor| {
        let gap = (donor.at - std::mem::replace(last, donor.at)).abs();
        (gap.secs_f64() < silence).then_some(donor)
    };
    outwards.take(NEIGHBOURS).scan(at, heard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Fate;
    use base::Span;

    const SECOND: Span = Span::from_secs(1);

    fn donor(ms: i64) -> Donor {
        Donor { at: Instant::ZERO + Span::from_millis(ms), fate: Fate::Lost, load: [0; 2] }
    }

    /// Share of 10 000 even draws at `at` that fall to one of `donors`, all before it.
    fn drawn_share(donors: &[Donor], at: Span, strength: f64) -> f64 {
        let autocorrelation = Autocorrelation { strength, time: SECOND, from: Span::ZERO, pairs: 100, even: false };
        let moment = (Instant::ZERO + at, donors.len());
        (0..10_000).filter(|&i| drawn(donors, moment, &autocorrelation, f64::from(i) / 1e4).is_some()).count() as f64
            / 1e4
    }

    #[test]
    fn one_neighbour_weighs_its_correlation() {
        let rho = 0.5 * (-1.0_f64).exp();
        let got = drawn_share(&[donor(0)], SECOND, 0.5);
        assert!((got - rho).abs() < 1e-3, "{got} is not {rho}");
        assert_eq!(drawn_share(&[donor(0)], Span::from_secs(5), 0.5), 0.0, "forgotten after four coherence times");
        assert_eq!(drawn_share(&[donor(0)], SECOND, 0.0), 0.0);
    }

    #[test]
    fn many_donors_outweigh_the_background() {
        // n draws with correlation ρ: nρ / (nρ + 1 − ρ).
        let donors: Vec<Donor> = (0..10).map(|_| donor(0)).collect();
        let rho = 0.5 * (-1.0_f64).exp();
        let expected = 10.0 * rho / (10.0 * rho + 1.0 - rho);
        let got = drawn_share(&donors, SECOND, 0.5);
        assert!((got - expected).abs() < 1e-3, "{got} is not {expected}");
    }
}
