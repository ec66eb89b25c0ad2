//! Scores of a channel on single copies that were never sent, in simulated worlds where their fate is known.

use crate::channel::Sent;
use crate::model::{ChannelSpec, Fate};
use crate::run::Replay;
use crate::scenario::{Algorithm, Error, Realisation, Scenario, Setup};
use crate::stats::quantile;
use base::{Cancelled, Instant, Silent, Span};
use rayon::prelude::*;

/// A copy that could have been sent: its path and time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Position of the association in the record, from 0.
    pub path: u32,
    /// Time of sending, at the client.
    pub at: Instant,
}

/// Predictive distribution of one copy: its fates over a channel's replicates. Replicates in which it stays unknown are
/// in no count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chance {
    /// Number of replicates in which the copy was answered.
    pub answered: u32,
    /// Number of replicates in which the copy or its reply was lost.
    pub lost: u32,
    /// Round trips of the replicates in which the copy was answered, in order of replicates.
    pub rtts: Vec<Span>,
}

/// True fate of a copy that was never sent, as a simulated world knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyTruth {
    /// The copy or its reply would have been lost.
    Lost,
    /// The copy would have been answered after this round trip.
    Answered(Span),
}

impl Replay {
    /// Moments of all paths, one each `every`, at which no copy was recorded within [`ChannelSpec::TOLERANCE`]. Path
    /// after path, in order of time; empty if `every` is not positive or the trace has no window.
    #[must_use]
    pub fn unsent(&self, every: Span) -> Vec<Moment> {
        let Some((from, to)) = self.record().window().filter(|_| every > Span::ZERO) else { return Vec::new() };
        let mut moments = Vec::new();
        for (association, path) in self.record().associations().iter().zip(0_u32..) {
            let mut sent: Vec<Instant> = association.exchanges.iter().flat_map(|e| &e.copies).map(|c| c.sent).collect();
            sent.sort_unstable();
            let mut at = from;
            while at < to {
                let next = sent.partition_point(|&s| s < at);
                let near = |i: usize| sent.get(i).is_some_and(|&s| (s - at).abs() <= ChannelSpec::TOLERANCE);
                if !near(next) && !next.checked_sub(1).is_some_and(near) {
                    moments.push(Moment { path, at });
                }
                at += every;
            }
        }
        moments
    }

    /// Fates of copies at `moments` (in order of time within each path) under `channel`, each copy alone; one entry per
    /// moment. `None` for a channel that couples copies, under which no copy is alone.
    ///
    /// # Errors
    /// As [`Replay::run`].
    pub fn chances(
        &self,
        channel: ChannelSpec,
        moments: &[Moment],
        seed: u64,
        replicates: u32,
    ) -> Result<Option<Vec<Chance>>, Error> {
        let scenario = Scenario { seed, ..Scenario::new(Algorithm::AsRecorded, channel) };
        let setup = Setup::new(self.record(), &scenario)?;
        if setup.needs_channel_states() {
            self.channel_states(&mut Silent)?;
        }
        if setup.open(self, 0, Realisation::AS_RECORDED)?.couples() {
            return Ok(None);
        }
        let ask = |replicate: u32| -> Result<Vec<Fate>, Cancelled> {
            let mut channel = setup.open(self, replicate, Realisation::AS_RECORDED)?;
            let sent = |m: &Moment| Sent { path: m.path, at: m.at, exchange: u32::MAX, attempt: 0, payload: 0 };
            Ok(moments.iter().map(|m| channel.fate(&sent(m)).fate).collect())
        };
        let all: Vec<Vec<Fate>> = (0..replicates).into_par_iter().map(ask).collect::<Result<_, _>>()?;
        let mut chances = vec![Chance::default(); moments.len()];
        for fates in all {
            for (chance, fate) in chances.iter_mut().zip(fates) {
                match fate {
                    Fate::Answered { rtt } => {
                        chance.answered += 1;
                        chance.rtts.push(rtt);
                    }
                    Fate::RequestLost | Fate::ReplyLost | Fate::Lost => chance.lost += 1,
                    Fate::Unknown => {}
                }
            }
        }
        Ok(Some(chances))
    }

    /// Share of recorded copies that were lost, 0 to 1, ambiguous ones by their likeliest fates: the base rate. `None`
    /// without copies.
    #[must_use]
    pub fn share_lost(&self) -> Option<f64> {
        let all = &self.channel_statistics().all;
        let lost = all.iter().filter(|d| d.fate.rtt().is_none()).count();
        (!all.is_empty()).then(|| lost as f64 / all.len() as f64)
    }
}

/// Mean scores over copies; smaller is better. Both are proper scoring rules (Gneiting & Raftery 2007 §3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CopyScore {
    /// Number of copies scored.
    pub copies: u32,
    /// Share of them that would have been lost, 0 to 1.
    pub lost: f64,
    /// Logarithmic score: mean of −ln(probability of the true fate, lost or answered), in nats.
    pub log_loss: f64,
    /// Logarithmic score of a forecast of the base rate for every copy, in nats.
    pub log_loss_base_rate: f64,
    /// Brier score: mean of (probability of a loss − loss)², 0 to 1 (Brier 1950).
    pub brier: f64,
    /// Brier score of a forecast of the base rate for every copy, 0 to 1.
    pub brier_base_rate: f64,
    /// Median relative error of the predicted median round trip, as a ratio (0 for none), over copies that would have
    /// been answered; `None` without one.
    pub rtt_error: Option<f64>,
}

/// Scores `chances` against the `truths` of the same copies in the same order; `base_rate` is the recorded share of
/// losses, 0 to 1. A probability is (k + ½) / (n + 1), the posterior mean under Jeffreys' prior, so that zero of n
/// replicates is not certainty. Copies without a known fate are left out; `None` when nothing is left.
#[must_use]
pub fn score_copies(chances: &[Chance], truths: &[CopyTruth], base_rate: f64) -> Option<CopyScore> {
    // A capture without losses would make one loss cost infinitely much.
    let base_rate = base_rate.clamp(1e-3, 1.0 - 1e-3);
    let (mut n, mut lost) = (0_u32, 0_u32);
    let (mut log, mut log_base, mut brier, mut brier_base) = (0.0, 0.0, 0.0, 0.0);
    let mut errors = Vec::new();
    for (chance, truth) in chances.iter().zip(truths) {
        let known = chance.answered + chance.lost;
        if known == 0 {
            continue;
        }
        let p = (f64::from(chance.lost) + 0.5) / (f64::from(known) + 1.0);
        let is_lost = *truth == CopyTruth::Lost;
        let given = |p: f64| if is_lost { p } else { 1.0 - p };
        let outcome = f64::from(u8::from(is_lost));
        n += 1;
        lost += u32::from(is_lost);
        log -= given(p).ln();
        log_base -= given(base_rate).ln();
        brier += (p - outcome).powi(2);
        brier_base += (base_rate - outcome).powi(2);
        let CopyTruth::Answered(real) = *truth else { continue };
        let rtts: Vec<f64> = chance.rtts.iter().map(|rtt| rtt.secs_f64()).collect();
        if let Some(median) = quantile(&rtts, 0.5).filter(|_| real > Span::ZERO) {
            errors.push((median - real.secs_f64()).abs() / real.secs_f64());
        }
    }
    let mean = |sum: f64| sum / f64::from(n);
    (n > 0).then(|| CopyScore {
        copies: n,
        lost: mean(f64::from(lost)),
        log_loss: mean(log),
        log_loss_base_rate: mean(log_base),
        brier: mean(brier),
        brier_base_rate: mean(brier_base),
        rtt_error: quantile(&errors, 0.5),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sharp_right_forecast_beats_the_base_rate() {
        let ms = Span::from_millis;
        let sure = |answered: u32, lost: u32| Chance { answered, lost, rtts: vec![ms(110); answered as usize] };
        let truths = [CopyTruth::Answered(ms(100)), CopyTruth::Lost];
        let score = score_copies(&[sure(99, 0), sure(0, 99)], &truths, 0.5).unwrap();
        assert_eq!((score.copies, score.lost), (2, 0.5));
        assert!((score.log_loss - -(99.5_f64 / 100.0).ln()).abs() < 1e-12);
        assert!((score.log_loss_base_rate - 2.0_f64.ln()).abs() < 1e-12);
        assert!((score.brier - 0.005_f64.powi(2)).abs() < 1e-12 && (score.brier_base_rate - 0.25).abs() < 1e-12);
        assert!((score.rtt_error.unwrap() - 0.1).abs() < 1e-9);
        assert!(score_copies(&[Chance::default()], &truths, 0.5).is_none());
    }
}
