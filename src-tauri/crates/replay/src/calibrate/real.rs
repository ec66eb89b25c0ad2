//! What a run really measured, as near as its own capture tells.

use crate::metrics::{MetricName, Values};
use crate::model::{Fate, RecordedCopy};
use crate::run::Replay;

/// Imputations that are averaged.
const DRAWS: u32 = 32;

/// [`Replay::recorded`], but for the needless copies: that counts those that are known to be needless, and a capture of one
/// side leaves many open. Here the copies of which it cannot tell are imputed as a replay imputes them ([`DRAWS`] times, and
/// averaged): both sides of a comparison then count alike.
#[must_use]
pub fn real(replay: &Replay) -> Values {
    let mut values = *replay.recorded();
    let (mut needless, mut copies) = (0, 0);
    for draw in 0..DRAWS {
        for ((path, donors), at) in replay.index().paths.iter().zip(&replay.channel_statistics().paths).zip(0_u32..) {
            let imputed = replay.channel_statistics().imputed(replay.record(), replay.index(), (0, draw), at);
            needless += count(&path.copies, imputed.as_ref().map_or(&donors.fates, |donors| &donors.fates));
            copies += path.copies.len();
        }
    }
    values.set(MetricName::SpuriousAll, (copies > 0).then(|| needless as f64 / copies as f64));
    values
}

/// Copies sent although one before them in their exchange is answered; `copies` in order of time.
fn count(copies: &[RecordedCopy], fates: &[Fate]) -> usize {
    let mut answered: Vec<bool> = Vec::new();
    let mut needless = 0;
    for (copy, fate) in copies.iter().zip(fates) {
        let at = copy.exchange as usize;
        if answered.len() <= at {
            answered.resize(at + 1, false);
        }
        if let Some(before) = answered.get_mut(at) {
            needless += usize::from(*before);
            *before |= fate.rtt().is_some();
        }
    }
    needless
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Instant, Span};

    #[test]
    fn copies_behind_an_answered_one_are_needless() {
        let lender = |ms: i64, exchange| RecordedCopy {
            at: Instant::ZERO + Span::from_millis(ms),
            fate: Fate::Unknown,
            exchange,
            silent_until: Instant::ZERO,
        };
        let answered = Fate::Answered { rtt: Span::from_secs(9) };
        // Exchange 0: lost, answered, two needless. Exchange 1, between them: answered, then nothing.
        let copies = [lender(0, 0), lender(10, 0), lender(15, 1), lender(20, 0), lender(30, 0)];
        let fates = [Fate::Lost, answered, answered, Fate::Lost, answered];
        assert_eq!(count(&copies, &fates), 2);
    }
}
