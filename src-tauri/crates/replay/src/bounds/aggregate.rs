//! From possible endings of every exchange to the range of every measure: one ending per exchange is
//! chosen so that the measure is least, or greatest.

use super::endings::{Ended, Ending};
use super::{Range, Ranges};
use crate::metrics::MetricName;
use crate::stats::{between, position};
use base::Instant;
use std::collections::BTreeMap;

/// One exchange.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub start: Range<Instant>,
    /// It may not take place at all: the application may drop it.
    pub optional: bool,
    pub payload: u16,
    /// Never empty for an exchange that takes place.
    pub endings: Vec<Ended>,
}

impl Default for Entry {
    fn default() -> Self {
        Self { start: Range { lo: Instant::ZERO, hi: Instant::ZERO }, optional: true, payload: 0, endings: Vec::new() }
    }
}

impl Entry {
    fn may(&self, ending: Ending) -> bool {
        self.endings.iter().any(|e| e.ending == ending)
    }

    fn must(&self, ending: Ending) -> bool {
        !self.optional && self.endings.iter().all(|e| e.ending == ending)
    }
}

/// A contribution to a ratio of sums.
type Share = (i64, i64);

pub(super) fn aggregate(entries: &[Entry]) -> Ranges {
    let count = |f: &dyn Fn(&Entry) -> bool| entries.iter().filter(|e| f(e)).count() as f64;
    let mut r = Ranges::default();
    let started = (count(&|e| !e.optional), count(&|e| !e.endings.is_empty()));
    r.set(MetricName::Exchanges, Some(started));
    let failed = (count(&|e| e.must(Ending::Failed)), count(&|e| e.may(Ending::Failed)));
    r.set(MetricName::Failed, Some(failed));
    let flag = i64::from;
    let k = |e: &How| i64::from(e.retransmissions);
    let early = |e: &How| flag(e.answered == Some(0) && e.retransmissions > 0);
    let spurious = |e: &How| e.answered.map_or(0, |m| i64::from(e.retransmissions.saturating_sub(m)));
    let shapes = shapes(entries);
    r.set(MetricName::PlrExchange, ratio(&shapes, &|e| (flag(e.ending == Ending::Failed), 1)));
    r.set(MetricName::RetriesMean, ratio(&shapes, &|e| (k(e), 1)));
    r.set(MetricName::RetransmissionRate, ratio(&shapes, &|e| (k(e), k(e) + 1)));
    r.set(MetricName::EarlyA, ratio(&shapes, &|e| (early(e), flag(e.answered == Some(0)))));
    r.set(MetricName::EarlyB, ratio(&shapes, &|e| (early(e), 1)));
    r.set(MetricName::EarlyC, ratio(&shapes, &|e| (early(e), flag(e.retransmissions > 0))));
    r.set(MetricName::SpuriousAll, ratio(&shapes, &|e| (spurious(e), k(e) + 1)));
    rates(entries, &mut r);
    durations(entries, &mut r);
    r
}

/// An ending without its times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct How {
    ending: Ending,
    retransmissions: u16,
    answered: Option<u16>,
}

/// Exchanges that may end in the same ways, counted: there are few such kinds among many exchanges.
#[derive(Debug)]
struct Shape {
    hows: Vec<How>,
    optional: bool,
    count: i128,
}

fn shapes(entries: &[Entry]) -> Vec<Shape> {
    let mut counts: BTreeMap<(bool, Vec<How>), i128> = BTreeMap::new();
    for entry in entries {
        let how = |e: &Ended| How { ending: e.ending, retransmissions: e.retransmissions, answered: e.answered };
        *counts.entry((entry.optional, entry.endings.iter().map(how).collect())).or_default() += 1;
    }
    counts.into_iter().map(|((optional, hows), count)| Shape { hows, optional, count }).collect()
}

/// Range of Σa / Σb over one (a, b) per exchange, b ≥ a ≥ 0 or b = 1; `None` when Σb must be 0.
///
/// Dinkelbach's method on integers: with λ the ratio of the current choice, choose per exchange the
/// ending with the greatest a − λ·b; repeat until nothing improves. Exact, and few rounds.
fn ratio(shapes: &[Shape], share: &dyn Fn(&How) -> Share) -> Option<(f64, f64)> {
    let shares: Vec<(Vec<Share>, i128)> = shapes
        .iter()
        .map(|shape| (shape.hows.iter().map(share).chain(shape.optional.then_some((0, 0))).collect(), shape.count))
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

/// Throughput and goodput: successes over elapsed time, each bounded alone.
fn rates(entries: &[Entry], r: &mut Ranges) {
    let present = || entries.iter().filter(|e| !e.endings.is_empty());
    let Some(first_lo) = present().map(|e| e.start.lo).min() else { return };
    let ends =
        |e: &Entry| e.endings.iter().filter(|d| d.ending != Ending::Open).map(|d| d.duration).collect::<Vec<_>>();
    let last_hi = present().flat_map(|e| ends(e).into_iter().map(|d| e.start.hi + d.hi)).max();
    let sure = || entries.iter().filter(|e| !e.optional);
    let first_hi = sure().map(|e| e.start.hi).min();
    let last_lo = sure()
        .filter(|e| !e.may(Ending::Open))
        .filter_map(|e| ends(e).into_iter().map(|d| e.start.lo + d.lo).min())
        .max();
    let (Some(last_hi), Some(first_hi), Some(last_lo)) = (last_hi, first_hi, last_lo) else { return };
    let (longest, shortest) = ((last_hi - first_lo).secs_f64(), (last_lo - first_hi).secs_f64());
    if shortest <= 0.0 {
        return;
    }
    let sum = |f: &dyn Fn(&Entry) -> bool, weight: &dyn Fn(&Entry) -> u64| -> f64 {
        entries.iter().filter(|e| f(e)).map(weight).sum::<u64>() as f64
    };
    let range = |weight: &dyn Fn(&Entry) -> u64| {
        let least = sum(&|e| e.must(Ending::Answered), weight) / longest;
        let most = sum(&|e| e.may(Ending::Answered), weight) / shortest;
        Some((least, most))
    };
    r.set(MetricName::Throughput, range(&|_| 1));
    r.set(MetricName::Goodput, range(&|e| u64::from(e.payload)));
}

/// Mean and quantiles of the durations of successes. For the greatest value every success takes its
/// greatest duration; of the exchanges that need not succeed, a number c takes part, and of all sets of c
/// the one with the greatest durations gives the greatest mean and quantile (replacing a value by a greater
/// one lowers neither). So only the number has to be searched.
fn durations(entries: &[Entry], r: &mut Ranges) {
    let side = |greatest: bool| -> Option<[f64; 3]> {
        let mut sure: Vec<i64> = Vec::new();
        let mut maybe: Vec<i64> = Vec::new();
        for entry in entries {
            let answered = entry.endings.iter().filter(|e| e.ending == Ending::Answered).map(|e| e.duration);
            let value = if greatest { answered.map(|d| d.hi).max() } else { answered.map(|d| d.lo).min() };
            let Some(value) = value.map(base::Span::nanos) else { continue };
            if entry.must(Ending::Answered) { &mut sure } else { &mut maybe }.push(value);
        }
        sure.sort_unstable();
        // The most useful first.
        maybe.sort_unstable_by_key(|&v| if greatest { std::cmp::Reverse(v) } else { std::cmp::Reverse(-v) });
        let total: i128 = sure.iter().map(|&v| i128::from(v)).sum();
        let mut added = 0_i128;
        let mut best: Option<[f64; 3]> = None;
        for c in 0..=maybe.len() {
            if c > 0 {
                added += i128::from(maybe.get(c - 1).copied().unwrap_or(0));
            }
            let n = sure.len() + c;
            let taken = maybe.get(..c).unwrap_or(&[]);
            let (Some(p50), Some(p95)) =
                (quantile(&sure, taken, greatest, 0.5), quantile(&sure, taken, greatest, 0.95))
            else {
                continue;
            };
            let values = [(total + added) as f64 / 1e9 / n as f64, p50 / 1e9, p95 / 1e9];
            best = Some(match best {
                None => values,
                Some(b) if greatest => [b[0].max(values[0]), b[1].max(values[1]), b[2].max(values[2])],
                Some(b) => [b[0].min(values[0]), b[1].min(values[1]), b[2].min(values[2])],
            });
        }
        best
    };
    if let (Some(least), Some(most)) = (side(false), side(true)) {
        r.set(MetricName::DurationMean, Some((least[0], most[0])));
        r.set(MetricName::DurationP50, Some((least[1], most[1])));
        r.set(MetricName::DurationP95, Some((least[2], most[2])));
    }
}

/// Type-7 quantile of the union of `sure` (ascending) and `taken` (descending if `reversed`, else ascending).
fn quantile(sure: &[i64], taken: &[i64], reversed: bool, p: f64) -> Option<f64> {
    let n = sure.len() + taken.len();
    let (below, share) = position(n, p)?;
    let nth = |rank: usize| -> Option<i64> {
        let at = |i: usize| if reversed { taken.get(taken.len() - 1 - i) } else { taken.get(i) }.copied();
        // How many of the `rank + 1` smallest come from `sure`: the least i with sure[i] ≥ taken[rank − i]…
        let (mut lo, mut hi) = (rank.saturating_sub(taken.len()), rank.min(sure.len()));
        while lo < hi {
            let i = lo + (hi - lo) / 2;
            let j = rank - i;
            // Take more from `sure` while its next is smaller than the last one taken from `taken`.
            if j > 0 && sure.get(i).copied()? < at(j - 1)? { lo = i + 1 } else { hi = i }
        }
        let (i, j) = (lo, rank - lo);
        match (sure.get(i), (j < taken.len()).then(|| at(j)).flatten()) {
            (Some(&a), Some(b)) => Some(a.min(b)),
            (Some(&a), None) => Some(a),
            (None, b) => b,
        }
    };
    let low = nth(below)?;
    let high = if share > 0.0 { nth(below + 1)? } else { low };
    Some(between(low as f64, high as f64, share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats;
    use base::Span;
    use proptest::prelude::*;

    fn ended(ending: Ending, k: u16, answered: Option<u16>, lo: i64, hi: i64) -> Ended {
        let duration = Range { lo: Span::from_nanos(lo), hi: Span::from_nanos(hi) };
        Ended { ending, retransmissions: k, answered, closed_by: None, duration }
    }

    fn entry(endings: Vec<Ended>) -> Entry {
        Entry { start: Range { lo: Instant::ZERO, hi: Instant::ZERO }, optional: false, payload: 1, endings }
    }

    /// All choices of one ending per exchange.
    fn brute(entries: &[Entry], value: &dyn Fn(&[Ended]) -> Option<f64>) -> Option<(f64, f64)> {
        let mut range: Option<(f64, f64)> = None;
        let mut picks = vec![0_usize; entries.len()];
        loop {
            let chosen: Vec<Ended> = entries.iter().zip(&picks).map(|(e, &p)| e.endings[p]).collect();
            if let Some(v) = value(&chosen) {
                let (lo, hi) = range.unwrap_or((v, v));
                range = Some((lo.min(v), hi.max(v)));
            }
            let Some(i) = (0..entries.len()).find(|&i| picks[i] + 1 < entries[i].endings.len()) else { return range };
            picks[i] += 1;
            picks[..i].fill(0);
        }
    }

    fn some_entries() -> impl Strategy<Value = Vec<Entry>> {
        let ending = (0_u16..4, proptest::option::of(0_u16..4), 0_u8..4, 1_i64..20).prop_map(|(k, m, what, d)| {
            let answered = m.filter(|&m| m <= k);
            let ending = if what == 0 { Ending::Failed } else { Ending::Answered };
            ended(ending, k, answered, d * 1_000_000_000, d * 1_000_000_000)
        });
        proptest::collection::vec(proptest::collection::vec(ending, 1..4).prop_map(entry), 1..6)
    }

    proptest! {
        #[test]
        fn ranges_are_what_brute_force_finds(entries in some_entries()) {
            let r = aggregate(&entries);
            let sum = |c: &[Ended], f: &dyn Fn(&Ended) -> f64| c.iter().map(f).sum::<f64>();
            let over = |a: f64, b: f64| (b > 0.0).then(|| a / b);
            let k = |e: &Ended| f64::from(e.retransmissions);
            let early = |e: &Ended| f64::from(e.answered == Some(0) && e.retransmissions > 0);
            let quantile = |c: &[Ended], p| {
                // Endings of one exchange with the same kind differ in duration here, so the hull of a
                // success is taken by brute force too.
                let d: Vec<f64> = c.iter().filter(|e| e.ending == Ending::Answered).map(|e| e.duration.lo.secs_f64()).collect();
                stats::quantile(&d, p)
            };
            let checks: Vec<(MetricName, Option<(f64, f64)>)> = vec![
                (MetricName::RetransmissionRate, brute(&entries, &|c| over(sum(c, &k), sum(c, &|e| k(e) + 1.0)))),
                (MetricName::EarlyA, brute(&entries, &|c| over(sum(c, &early), sum(c, &|e| f64::from(e.answered == Some(0)))))),
                (MetricName::EarlyC, brute(&entries, &|c| over(sum(c, &early), sum(c, &|e| f64::from(e.retransmissions > 0))))),
                (MetricName::SpuriousAll, brute(&entries, &|c| over(sum(c, &|e| e.answered.map_or(0.0, |m| k(e) - f64::from(m))), sum(c, &|e| k(e) + 1.0)))),
                (MetricName::DurationP50, brute(&entries, &|c| quantile(c, 0.5))),
                (MetricName::DurationP95, brute(&entries, &|c| quantile(c, 0.95))),
                (MetricName::DurationMean, brute(&entries, &|c| {
                    let d: Vec<f64> = c.iter().filter(|e| e.ending == Ending::Answered).map(|e| e.duration.lo.secs_f64()).collect();
                    stats::mean(&d)
                })),
            ];
            for (name, expected) in checks {
                match (r.get(name), expected) {
                    (Some(a), Some(b)) => prop_assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9, "{}: {a:?} is not {b:?}", name.name()),
                    (a, b) => prop_assert_eq!(a, b, "{}", name.name()),
                }
            }
        }
    }
}
