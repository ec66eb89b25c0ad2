//! From possible endings of every exchange to the range of every measure: one ending per exchange is
//! chosen so that the measure is least, or greatest.
//!
//! Exchanges are added one by one and not kept: of a large capture their endings would be most of what a replay takes.

use super::endings::{Ended, Ending};
use super::{Range, Ranges};
use crate::metrics::MetricName;
use crate::stats::{between, position};
use base::{Instant, Span};
use std::collections::BTreeMap;

/// One exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub start: Range<Instant>,
    /// It may not take place at all: the application may drop it.
    pub optional: bool,
    pub payload: u16,
    /// Never empty for an exchange that takes place.
    pub endings: &'a [Ended],
}

impl Entry<'_> {
    fn may(&self, ending: Ending) -> bool {
        self.endings.iter().any(|e| e.ending == ending)
    }

    fn must(&self, ending: Ending) -> bool {
        !self.optional && self.endings.iter().all(|e| e.ending == ending)
    }
}

/// A contribution to a ratio of sums.
type Share = (i64, i64);

/// An ending without its times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct How {
    ending: Ending,
    retransmissions: u16,
    answered: Option<u16>,
}

/// What the ranges of some exchanges follow from.
#[derive(Debug, Default)]
pub(super) struct Ensemble {
    /// How many exchanges may end in the same ways: there are few such kinds among many exchanges. First those that must take place.
    shapes: [BTreeMap<Vec<How>, i128>; 2],
    moments: Moments,
    /// Exchanges that must succeed, that may, and the octets of their payloads.
    succeed: Edges<(u64, u64)>,
    /// Durations of successes, each as short as it can be, and as long.
    durations: Edges<Durations>,
    /// Room for the ways of one exchange.
    hows: Vec<How>,
}

/// One of each extreme.
#[derive(Debug, Default)]
struct Edges<T> {
    least: T,
    most: T,
}

/// Durations of successes in nanoseconds.
#[derive(Debug, Default)]
struct Durations {
    /// Of exchanges that must succeed.
    sure: Vec<i64>,
    /// Of exchanges that may.
    maybe: Vec<i64>,
}

/// The first start and the last end, at the earliest and at the latest; `None` before the first.
#[derive(Debug, Default)]
struct Moments {
    first: Edges<Option<Instant>>,
    last: Edges<Option<Instant>>,
}

fn earliest(edge: &mut Option<Instant>, other: Option<Instant>) {
    *edge = edge.iter().copied().chain(other).min();
}

fn latest(edge: &mut Option<Instant>, other: Option<Instant>) {
    *edge = (*edge).max(other);
}

impl Moments {
    fn add(&mut self, entry: &Entry<'_>) {
        let ends = || entry.endings.iter().filter(|e| e.ending != Ending::Open).map(|e| e.duration);
        if !entry.endings.is_empty() {
            earliest(&mut self.first.least, Some(entry.start.lo));
            latest(&mut self.last.most, ends().map(|d| entry.start.hi + d.hi).max());
        }
        if !entry.optional {
            earliest(&mut self.first.most, Some(entry.start.hi));
            if !entry.may(Ending::Open) {
                latest(&mut self.last.least, ends().map(|d| entry.start.lo + d.lo).min());
            }
        }
    }

    fn append(&mut self, other: &Self) {
        earliest(&mut self.first.least, other.first.least);
        earliest(&mut self.first.most, other.first.most);
        latest(&mut self.last.least, other.last.least);
        latest(&mut self.last.most, other.last.most);
    }

    /// The shortest time that all exchanges may take, and the longest, in seconds.
    fn elapsed(&self) -> Option<(f64, f64)> {
        let shortest = self.last.least? - self.first.most?;
        let longest = self.last.most? - self.first.least?;
        Some((shortest.secs_f64(), longest.secs_f64()))
    }
}

impl Ensemble {
    /// Adds an exchange.
    pub fn add(&mut self, entry: &Entry<'_>) {
        self.hows.clear();
        let how = |e: &Ended| How { ending: e.ending, retransmissions: e.retransmissions, answered: e.answered };
        self.hows.extend(entry.endings.iter().map(how));
        let shapes = &mut self.shapes[usize::from(entry.optional)];
        match shapes.get_mut(&self.hows[..]) {
            Some(count) => *count += 1,
            None => {
                shapes.insert(self.hows.clone(), 1);
            }
        }
        self.moments.add(entry);
        let (may, must) = (entry.may(Ending::Answered), entry.must(Ending::Answered));
        for (edge, counts) in [(&mut self.succeed.least, must), (&mut self.succeed.most, may)] {
            edge.0 += u64::from(counts);
            edge.1 += if counts { u64::from(entry.payload) } else { 0 };
        }
        let answered = || entry.endings.iter().filter(|e| e.ending == Ending::Answered).map(|e| e.duration);
        if let (Some(least), Some(most)) = (answered().map(|d| d.lo).min(), answered().map(|d| d.hi).max()) {
            self.durations.least.add(least, must);
            self.durations.most.add(most, must);
        }
    }

    /// Adds all that `other` has.
    pub fn append(&mut self, other: Self) {
        for (own, other) in self.shapes.iter_mut().zip(other.shapes) {
            for (hows, count) in other {
                *own.entry(hows).or_default() += count;
            }
        }
        self.moments.append(&other.moments);
        for (own, other) in
            [(&mut self.succeed.least, other.succeed.least), (&mut self.succeed.most, other.succeed.most)]
        {
            *own = (own.0 + other.0, own.1 + other.1);
        }
        self.durations.least.append(other.durations.least);
        self.durations.most.append(other.durations.most);
    }

    /// The range of every measure.
    pub fn ranges(&mut self) -> Ranges {
        let mut r = Ranges::default();
        let kinds = [false, true].into_iter().zip(&self.shapes);
        let kinds = kinds.flat_map(|(optional, kinds)| kinds.iter().map(move |(hows, count)| (hows, optional, count)));
        let shapes: Vec<Shape<'_>> = kinds.map(|(hows, optional, &count)| Shape { hows, optional, count }).collect();
        let count =
            |f: &dyn Fn(&Shape<'_>) -> bool| shapes.iter().filter(|s| f(s)).map(|s| s.count).sum::<i128>() as f64;
        r.set(MetricName::Exchanges, Some((count(&|s| !s.optional), count(&|s| !s.hows.is_empty()))));
        let fails = |how: &How| how.ending == Ending::Failed;
        let failed = (count(&|s| !s.optional && s.hows.iter().all(fails)), count(&|s| s.hows.iter().any(fails)));
        r.set(MetricName::Failed, Some(failed));
        let flag = i64::from;
        let k = |e: &How| i64::from(e.retransmissions);
        let early = |e: &How| flag(e.answered == Some(0) && e.retransmissions > 0);
        let spurious = |e: &How| e.answered.map_or(0, |m| i64::from(e.retransmissions.saturating_sub(m)));
        r.set(MetricName::PlrExchange, ratio(&shapes, &|e| (flag(e.ending == Ending::Failed), 1)));
        r.set(MetricName::RetriesMean, ratio(&shapes, &|e| (k(e), 1)));
        r.set(MetricName::RetransmissionRate, ratio(&shapes, &|e| (k(e), k(e) + 1)));
        r.set(MetricName::EarlyA, ratio(&shapes, &|e| (early(e), flag(e.answered == Some(0)))));
        r.set(MetricName::EarlyB, ratio(&shapes, &|e| (early(e), 1)));
        r.set(MetricName::EarlyC, ratio(&shapes, &|e| (early(e), flag(e.retransmissions > 0))));
        r.set(MetricName::SpuriousAll, ratio(&shapes, &|e| (spurious(e), k(e) + 1)));
        self.rates(&mut r);
        let Edges { least, most } = &mut self.durations;
        if let (Some(least), Some(most)) = rayon::join(|| least.extreme(false), || most.extreme(true)) {
            r.set(MetricName::DurationMean, Some((least[0], most[0])));
            r.set(MetricName::DurationP50, Some((least[1], most[1])));
            r.set(MetricName::DurationP95, Some((least[2], most[2])));
        }
        r
    }

    /// Throughput and goodput: successes over elapsed time, each bounded alone.
    fn rates(&self, r: &mut Ranges) {
        let Some((shortest, longest)) = self.moments.elapsed().filter(|(shortest, _)| *shortest > 0.0) else { return };
        let Edges { least, most } = &self.succeed;
        let range = |least: u64, most: u64| Some((least as f64 / longest, most as f64 / shortest));
        r.set(MetricName::Throughput, range(least.0, most.0));
        r.set(MetricName::Goodput, range(least.1, most.1));
    }
}

/// Exchanges that may end in the same ways, counted.
#[derive(Debug)]
struct Shape<'a> {
    hows: &'a [How],
    optional: bool,
    count: i128,
}

/// Range of Σa / Σb over one (a, b) per exchange, b ≥ a ≥ 0 or b = 1; `None` when Σb must be 0.
///
/// Dinkelbach's method on integers: with λ the ratio of the current choice, choose per exchange the
/// ending with the greatest a − λ·b; repeat until nothing improves. Exact, and few rounds.
fn ratio(shapes: &[Shape<'_>], share: &dyn Fn(&How) -> Share) -> Option<(f64, f64)> {
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

impl Durations {
    fn add(&mut self, duration: Span, must: bool) {
        if must { &mut self.sure } else { &mut self.maybe }.push(duration.nanos());
    }

    fn append(&mut self, mut other: Self) {
        self.sure.append(&mut other.sure);
        self.maybe.append(&mut other.maybe);
    }

    /// Mean and quantiles of the durations of successes, in seconds. For the greatest value every success takes its
    /// greatest duration; of the exchanges that need not succeed, a number c takes part, and of all sets of c
    /// the one with the greatest durations gives the greatest mean and quantile (replacing a value by a greater
    /// one lowers neither). So only the number has to be searched.
    fn extreme(&mut self, greatest: bool) -> Option<[f64; 3]> {
        let Self { sure, maybe } = self;
        // What was put together of parts in order is made of few runs, which this makes use of.
        sure.sort();
        // The most useful first.
        if greatest {
            maybe.sort_by_key(|&v| std::cmp::Reverse(v))
        } else {
            maybe.sort()
        }
        let total: i128 = sure.iter().map(|&v| i128::from(v)).sum();
        let mut added = 0_i128;
        let mut best: Option<[f64; 3]> = None;
        for c in 0..=maybe.len() {
            if c > 0 {
                added += i128::from(maybe.get(c - 1).copied().unwrap_or(0));
            }
            let n = sure.len() + c;
            let taken = maybe.get(..c).unwrap_or(&[]);
            let (Some(p50), Some(p95)) = (quantile(sure, taken, greatest, 0.5), quantile(sure, taken, greatest, 0.95))
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
    use proptest::prelude::*;

    fn ended(ending: Ending, k: u16, answered: Option<u16>, lo: i64, hi: i64) -> Ended {
        let duration = Range { lo: Span::from_nanos(lo), hi: Span::from_nanos(hi) };
        Ended { ending, retransmissions: k, answered, closed_by: None, duration }
    }

    /// The ranges of exchanges with these endings, put together of two parts.
    fn ranges(exchanges: &[Vec<Ended>]) -> Ranges {
        let part = |exchanges: &[Vec<Ended>]| {
            let mut part = Ensemble::default();
            for endings in exchanges {
                let start = Range { lo: Instant::ZERO, hi: Instant::ZERO };
                part.add(&Entry { start, optional: false, payload: 1, endings });
            }
            // What is asked of a part changes nothing.
            part.ranges();
            part
        };
        let (one, other) = exchanges.split_at(exchanges.len() / 2);
        let mut all = part(one);
        all.append(part(other));
        all.ranges()
    }

    /// All choices of one ending per exchange.
    fn brute(entries: &[Vec<Ended>], value: &dyn Fn(&[Ended]) -> Option<f64>) -> Option<(f64, f64)> {
        let mut range: Option<(f64, f64)> = None;
        let mut picks = vec![0_usize; entries.len()];
        loop {
            let chosen: Vec<Ended> = entries.iter().zip(&picks).map(|(e, &p)| e[p]).collect();
            if let Some(v) = value(&chosen) {
                let (lo, hi) = range.unwrap_or((v, v));
                range = Some((lo.min(v), hi.max(v)));
            }
            let Some(i) = (0..entries.len()).find(|&i| picks[i] + 1 < entries[i].len()) else { return range };
            picks[i] += 1;
            picks[..i].fill(0);
        }
    }

    fn some_entries() -> impl Strategy<Value = Vec<Vec<Ended>>> {
        let ending = (0_u16..4, proptest::option::of(0_u16..4), 0_u8..4, 1_i64..20).prop_map(|(k, m, what, d)| {
            let answered = m.filter(|&m| m <= k);
            let ending = if what == 0 { Ending::Failed } else { Ending::Answered };
            ended(ending, k, answered, d * 1_000_000_000, d * 1_000_000_000)
        });
        proptest::collection::vec(proptest::collection::vec(ending, 1..4), 1..6)
    }

    proptest! {
        #[test]
        fn ranges_are_what_brute_force_finds(entries in some_entries()) {
            let r = ranges(&entries);
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
