//! The metrics of a real run from its own capture.

use crate::metrics::{MetricName, Values};
use crate::model::{Fate, RecordedCopy};
use crate::run::Replay;

/// Number of imputations that are averaged. Chosen here by judgement: more only make the average smoother.
const DRAWS: u32 = 32;

/// Measures a real run: [`Replay::recorded`] with needless copies by multiple imputation (Rubin 1987).
///
/// `recorded` counts copies that are known to be needless, and a capture of one side leaves many ambiguous. Here those are
/// imputed as a replay imputes them, [`DRAWS`] times, and averaged, so that both sides of a comparison count alike.
#[must_use]
pub fn real(replay: &Replay) -> Values {
    let mut values = *replay.recorded();
    let (mut needless, mut copies) = (0, 0);
    for draw in 0..DRAWS {
        let statistics = replay.channel_statistics();
        for ((path, donors), at) in replay.index().paths.iter().zip(&statistics.paths).zip(0_u32..) {
            let imputed = statistics.imputed(replay.record(), replay.index(), (0, draw), at);
            needless += needless_copies(&path.copies, imputed.as_ref().map_or(&donors.fates, |donors| &donors.fates));
            copies += path.copies.len();
        }
    }
    values.set(MetricName::SpuriousAll, (copies > 0).then(|| needless as f64 / copies as f64));
    values
}

/// The number of copies sent although one before them in their exchange is answered; `copies` in order of time.
fn needless_copies(copies: &[RecordedCopy], fates: &[Fate]) -> usize {
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
    fn copies_after_an_answered_one_are_needless() {
        let copy = |ms: i64, exchange| RecordedCopy {
            at: Instant::ZERO + Span::from_millis(ms),
            fate: Fate::Unknown,
            exchange,
            silent_until: Instant::ZERO,
        };
        let answered = Fate::Answered { rtt: Span::from_secs(9) };
        // Exchange 0: lost, answered, two needless. Exchange 1, between them: answered, then nothing.
        let copies = [copy(0, 0), copy(10, 0), copy(15, 1), copy(20, 0), copy(30, 0)];
        let fates = [Fate::Lost, answered, answered, Fate::Lost, answered];
        assert_eq!(needless_copies(&copies, &fates), 2);
    }
}
