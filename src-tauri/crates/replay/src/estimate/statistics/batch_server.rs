//! Detection of servers that answer all waiting copies at once.

use crate::model::{Fate, Path};
use base::Instant;

/// Least number of pairs of copies that identify a batch-replying server. Independent replies lie within [`APART`] of
/// each other in about a fifth of the pairs at most, in all of three in less than one of a hundred cases (0.2³). Chosen
/// here by judgement on that bound, no experiment recorded.
const PAIRS: usize = 3;
/// Least share of the pairs that are answered together, 0 to 1. Chosen here by judgement: no experiment decides it;
/// with the least number of [`PAIRS`] all have to be, of five one may be apart; lower, replies that happen to be near
/// each other pass. `rtoscope calibrate DIR` scores a world of such a server (`sleepy`).
const SHARE: f64 = 0.8;
/// Greatest time between two replies that are together, as a share (numerator, denominator) of the time between their
/// copies. Chosen here by judgement: no experiment decides it; independent replies lie so near in proportion to it,
/// see [`PAIRS`], and servers that answer one by one need some of it. Repeat as [`SHARE`].
const APART: (i64, i64) = (1, 10);

/// Whether copies of one exchange that wait at the same time are answered together, as far as the copies of `path` with
/// these `fates` show it.
pub(crate) fn is_batch_server(path: &Path, fates: &[Fate]) -> bool {
    let copies: Vec<(u32, Instant, Instant)> =
        path.copies.iter().zip(fates).filter_map(|(c, f)| Some((c.exchange, c.at, c.at + f.rtt()?))).collect();
    let (mut pairs, mut near) = (0_usize, 0_usize);
    for (first, second) in copies.iter().zip(copies.iter().skip(1)) {
        if first.0 == second.0 && first.1 < second.1 && second.1 < first.2 {
            pairs += 1;
            near += usize::from((second.2 - first.2).abs() <= (second.1 - first.1).scale(APART.0, APART.1));
        }
    }
    pairs >= PAIRS && near as f64 >= SHARE * pairs as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FastPaths, RecordedCopy};
    use base::Span;

    const fn at(ms: i64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn batch_servers_are_detected() {
        let path = |rtts: &[[i64; 2]]| {
            let mut copies = Vec::new();
            for (exchange, &rtts) in (0_u32..).zip(rtts) {
                for (sent, rtt) in [0, 2_000].into_iter().zip(rtts) {
                    let at = at(i64::from(exchange) * 10_000 + sent);
                    let fate = Fate::Answered { rtt: Span::from_millis(rtt) };
                    copies.push(RecordedCopy { at, fate, exchange, silent_until: at });
                }
            }
            let fates: Vec<Fate> = copies.iter().map(|c| c.fate).collect();
            is_batch_server(&Path::new(copies, (Span::ZERO, Span::ZERO), Span::ZERO, FastPaths::ALL), &fates)
        };
        assert!(path(&[[5_000, 3_000], [3_000, 1_010], [7_000, 5_100]]), "one moment for both");
        assert!(!path(&[[5_000, 3_000], [3_000, 1_010]]), "two pairs are not enough");
        assert!(!path(&[[5_000, 5_000], [3_000, 3_000], [7_000, 7_000]]), "one round trip for both");
        assert!(!path(&[[1_000, 1_000], [1_500, 900], [1_990, 800]]), "the reply came before the second copy");
    }
}
