//! Local probability of a loss around a moment, as far as a channel knows it.

use super::donor::{Donor, ENOUGH, NEIGHBOURS};
use super::statistics::autocorrelation::Autocorrelation;
use base::{Instant, Span};

/// Probability of a loss near one moment, and the load under which it holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Local {
    /// Loss probability, between 0 and 1, exclusive.
    pub lost: f64,
    /// Mean load at that probability, microseconds of airtime; `None`: that of the path.
    pub load: Option<f64>,
}

/// Least weight of the background, so that a loss is never certain. Chosen here: small beside any correlation that
/// counts; repeat with `cargo test -p replay --release --test loaded`.
const LEAST: f64 = 0.01;

/// Local loss probability at `at` from `donors`, the copies of a path in order of time, of which `split` are before
/// `at`. Shrunk towards `usual`, the loss probability of the path (0 to 1), where donors say little.
///
/// Weighs as `channel::Empirical` draws: each donor by its correlation at its distance, and those around by what the
/// nearest leaves. Among so few donors any number may be lost by chance. Where fates of one state are correlated by s,
/// that state is known by its copies as if (1 − s) / s with the path's share were among them (the beta-binomial law;
/// Skellam, J. R. Stat. Soc. B 10, 1948).
pub(crate) fn local(
    donors: &[Donor],
    (at, split): (Instant, usize),
    autocorrelation: &Autocorrelation,
    usual: f64,
) -> Local {
    let of_path = (1.0 - autocorrelation.strength).max(LEAST) / autocorrelation.strength.max(f64::MIN_POSITIVE);
    let mut sums = [0.0; 3];
    let add = |sums: &mut [f64; 3], donor: &Donor, weight: f64| {
        let lost = f64::from(u8::from(donor.fate.rtt().is_none()));
        let more = [weight * lost, weight * f64::from(donor.load[0]), weight];
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    };
    let side = |reach: usize| {
        let from = split.saturating_sub(reach);
        donors.get(from..(split + reach).min(donors.len())).unwrap_or(&[])
    };
    side(ENOUGH / 2).iter().for_each(|donor| add(&mut sums, donor, 1.0));
    // A weighted mean: its weights stay finite without correlation.
    let own = sums[2] / (sums[2] + of_path);
    let share = sums[0] / sums[2].max(1.0);
    let around = [own * share + (1.0 - own) * usual, sums[1] / sums[2].max(1.0)];
    let mut near = [0.0; 3];
    let mut nearest: f64 = 0.0;
    for donor in side(NEIGHBOURS) {
        let weight = autocorrelation.at(donor.at - at);
        nearest = nearest.max(weight);
        add(&mut near, donor, weight);
    }
    let left = (1.0 - nearest).max(LEAST);
    let all = near[2] + left;
    Local { lost: (near[0] + left * around[0]) / all, load: Some((near[1] + left * around[1]) / all) }
}

/// Whether the local loss probability differs from that of the path: where losses are autocorrelated.
pub(crate) fn varies(autocorrelation: &Autocorrelation) -> bool {
    autocorrelation.at(Span::ZERO) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Fate;

    fn at(s: i64) -> Instant {
        Instant::ZERO + Span::from_secs(s)
    }

    fn autocorrelation(strength: f64) -> Autocorrelation {
        Autocorrelation { strength, time: Span::from_secs(20), from: Span::ZERO, pairs: 100, even: false }
    }

    /// A copy a second; all lost from 100 to 120 s, none else; the load is the second.
    fn donors() -> Vec<Donor> {
        let fate = |s| if (100..120).contains(&s) { Fate::Lost } else { Fate::Answered { rtt: Span::from_secs(1) } };
        (0..200).map(|s| Donor { at: at(s), fate: fate(s), load: [s as u32; 2] }).collect()
    }

    #[test]
    fn losses_in_a_row_raise_the_local_probability() {
        let donors = donors();
        let say = |s: i64, strength| local(&donors, (at(s), s as usize), &autocorrelation(strength), 0.1);
        let (calm, losses) = (say(50, 0.9), say(110, 0.9));
        // Donors of 94 to 125 s weigh 0.9 · e^(−lag / 20 s) each: 14.16 lost of 19.83; the background weighs 0.1, of
        // which 0.83 is lost.
        assert!(calm.lost < 0.01 && (losses.lost - 0.715).abs() < 0.001, "{calm:?}, {losses:?}");
        assert!((losses.load.unwrap() - 109.5).abs() < 1.0, "{losses:?}");
        // Nearly uncorrelated copies: 20 of 24 are lost, from 98 to 121 s, of which 24 / (24 + 999) is believed:
        // 0.1172; beside it, of those donors, 0.0157 of 0.0220.
        assert!((say(110, 0.001).lost - 0.1301).abs() < 0.000_1);
        assert!(varies(&autocorrelation(0.5)) && !varies(&autocorrelation(0.0)));
    }

    #[test]
    fn without_donors_the_probability_is_that_of_the_path() {
        let none = local(&[], (at(3), 0), &autocorrelation(0.9), 0.2);
        assert!((none.lost - 0.2).abs() < 1e-9, "{none:?}");
        let all: Vec<Donor> = donors().into_iter().filter(|d| d.fate == Fate::Lost).collect();
        let never_sure = local(&all, (at(110), 10), &autocorrelation(1.0), 0.2).lost;
        assert!(never_sure < 1.0, "{never_sure}");
    }
}
