//! The range of a ratio of sums over one possible ending per exchange.

use super::endings::Ending;

/// The contribution (a, b) of an exchange to a ratio Σa / Σb.
type Share = (i64, i64);

/// A possible ending without its times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct UntimedEnding {
    /// Kind of ending: answered, failed, or open at the end of the capture.
    pub ending: Ending,
    /// Number of copies after the first.
    pub retransmissions: u16,
    /// Index of the first copy that is answered, 0 for the original, also after the end; `None` if none is.
    pub answered: Option<u16>,
}

/// Set of possible endings, and the number of exchanges that have it.
#[derive(Debug)]
pub(super) struct EndingSet<'a> {
    /// Possible endings without their times.
    pub endings: &'a [UntimedEnding],
    /// Whether these exchanges may not take place.
    pub optional: bool,
    /// Number of exchanges with this set.
    pub count: i128,
}

/// The range of Σa / Σb over one (a, b) per exchange, b ≥ a ≥ 0 or b = 1; `None` if Σb must be 0.
///
/// Fractional programming (Dinkelbach, Management Science 13, 1967) on integers, so exact: with λ the ratio of the
/// current choice, each exchange takes the ending with the greatest a − λ·b, until nothing improves. It converges
/// superlinearly.
pub(super) fn ratio(sets: &[EndingSet<'_>], share: &dyn Fn(&UntimedEnding) -> Share) -> Option<(f64, f64)> {
    let shares: Vec<(Vec<Share>, i128)> = sets
        .iter()
        .map(|set| (set.endings.iter().map(share).chain(set.optional.then_some((0, 0))).collect(), set.count))
        .collect();
    let extreme = |sign: i128| -> Option<f64> {
        let choose = |weigh: &dyn Fn(Share) -> i128| -> (i128, i128) {
            let best = |(shares, count): &(Vec<Share>, i128)| {
                let (a, b) = shares.iter().copied().max_by_key(|&s| (weigh(s), s.1)).unwrap_or((0, 0));
                (i128::from(a) * count, i128::from(b) * count)
            };
            shares.iter().map(best).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let mut now = choose(&|s| i128::from(s.1));
        if now.1 == 0 {
            return None;
        }
        loop {
            let (a, b) = now;
            let next = choose(&|s| sign * (i128::from(s.0) * b - a * i128::from(s.1)));
            if sign * (next.0 * b - a * next.1) <= 0 || next.1 == 0 {
                return Some(a as f64 / b as f64);
            }
            now = next;
        }
    };
    Some((extreme(-1)?, extreme(1)?))
}
