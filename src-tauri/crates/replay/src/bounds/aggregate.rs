//! The range of every metric over one possible ending per exchange, chosen so that the metric is least or greatest.
//!
//! Exchanges are added one by one and not stored: the endings of a large capture would take most of a replay's memory.

use super::Ranges;
use super::durations::{Durations, Extreme};
use super::elapsed::Elapsed;
use super::endings::{Ending, PossibleEnding};
use super::entry::{Edges, Entry};
use super::ratio::{EndingSet, UntimedEnding, ratio};
use crate::metrics::MetricName;
use std::collections::BTreeMap;

/// Sums and lists over exchanges from which the ranges of all metrics follow.
#[derive(Debug, Default)]
pub(super) struct Ensemble {
    /// Number of exchanges by their set of possible endings; few sets occur among many exchanges. First those of
    /// exchanges that must take place, then of optional ones.
    sets: [BTreeMap<Vec<UntimedEnding>, i128>; 2],
    elapsed: Elapsed,
    /// Number of exchanges that must succeed, and that may, each with the octets of their payloads.
    succeed: Edges<(u64, u64)>,
    /// Least and greatest number of copies, and of exchanges.
    sent: Edges<(u64, u64)>,
    /// The shortest and the longest durations of successes.
    durations: Edges<Durations>,
    /// Buffer for the endings of one exchange.
    endings: Vec<UntimedEnding>,
}

impl Ensemble {
    /// Adds one exchange with its possible endings.
    pub fn add(&mut self, entry: &Entry<'_>) {
        self.endings.clear();
        let untimed = |e: &PossibleEnding| UntimedEnding {
            ending: e.ending,
            retransmissions: e.retransmissions,
            answered: e.answered,
        };
        self.endings.extend(entry.endings.iter().map(untimed));
        let sets = &mut self.sets[usize::from(entry.optional)];
        match sets.get_mut(&self.endings[..]) {
            Some(count) => *count += 1,
            None => {
                sets.insert(self.endings.clone(), 1);
            }
        }
        self.elapsed.add(entry);
        let (may, must) = (entry.may(Ending::Answered), entry.must(Ending::Answered));
        for (edge, counts) in [(&mut self.succeed.least, must), (&mut self.succeed.most, may)] {
            edge.0 += u64::from(counts);
            edge.1 += if counts { u64::from(entry.payload) } else { 0 };
        }
        let copies = || entry.endings.iter().map(|e| u64::from(e.retransmissions) + 1);
        if let (Some(least), Some(most)) = (copies().min(), copies().max()) {
            let must = !entry.optional;
            self.sent.least.0 += if must { least } else { 0 };
            self.sent.least.1 += u64::from(must);
            self.sent.most.0 += most;
            self.sent.most.1 += 1;
        }
        let answered = || entry.endings.iter().filter(|e| e.ending == Ending::Answered).map(|e| e.duration);
        if let (Some(least), Some(most)) = (answered().map(|d| d.lo).min(), answered().map(|d| d.hi).max()) {
            self.durations.least.add(least, must);
            self.durations.most.add(most, must);
        }
    }

    /// Adds the exchanges of `other`.
    pub fn append(&mut self, other: Self) {
        for (own, other) in self.sets.iter_mut().zip(other.sets) {
            for (endings, count) in other {
                *own.entry(endings).or_default() += count;
            }
        }
        self.elapsed.append(&other.elapsed);
        for (own, other) in [
            (&mut self.succeed.least, other.succeed.least),
            (&mut self.succeed.most, other.succeed.most),
            (&mut self.sent.least, other.sent.least),
            (&mut self.sent.most, other.sent.most),
        ] {
            *own = (own.0 + other.0, own.1 + other.1);
        }
        self.durations.least.append(other.durations.least);
        self.durations.most.append(other.durations.most);
    }

    /// Returns the range of every metric that follows from endings, durations and elapsed time.
    pub fn ranges(&mut self) -> Ranges {
        let mut r = Ranges::default();
        let endings = [false, true].into_iter().zip(&self.sets);
        let endings = endings
            .flat_map(|(optional, endings)| endings.iter().map(move |(endings, count)| (endings, optional, count)));
        let sets: Vec<EndingSet<'_>> =
            endings.map(|(endings, optional, &count)| EndingSet { endings, optional, count }).collect();
        let count =
            |f: &dyn Fn(&EndingSet<'_>) -> bool| sets.iter().filter(|s| f(s)).map(|s| s.count).sum::<i128>() as f64;
        r.set(MetricName::Exchanges, Some((count(&|s| !s.optional), count(&|s| !s.endings.is_empty()))));
        let fails = |e: &UntimedEnding| e.ending == Ending::Failed;
        let failed = (count(&|s| !s.optional && s.endings.iter().all(fails)), count(&|s| s.endings.iter().any(fails)));
        r.set(MetricName::Failed, Some(failed));
        let flag = i64::from;
        let k = |e: &UntimedEnding| i64::from(e.retransmissions);
        let early = |e: &UntimedEnding| flag(e.answered == Some(0) && e.retransmissions > 0);
        let spurious = |e: &UntimedEnding| e.answered.map_or(0, |m| i64::from(e.retransmissions.saturating_sub(m)));
        r.set(MetricName::PlrExchange, ratio(&sets, &|e| (flag(e.ending == Ending::Failed), 1)));
        r.set(MetricName::RetriesMean, ratio(&sets, &|e| (k(e), 1)));
        r.set(MetricName::RetransmissionRate, ratio(&sets, &|e| (k(e), k(e) + 1)));
        r.set(MetricName::EarlyA, ratio(&sets, &|e| (early(e), flag(e.answered == Some(0)))));
        r.set(MetricName::EarlyB, ratio(&sets, &|e| (early(e), 1)));
        r.set(MetricName::EarlyC, ratio(&sets, &|e| (early(e), flag(e.retransmissions > 0))));
        r.set(MetricName::SpuriousAll, ratio(&sets, &|e| (spurious(e), k(e) + 1)));
        let answered = |e: &UntimedEnding| flag(e.ending == Ending::Answered);
        r.set(MetricName::Success, ratio(&sets, &|e| (answered(e), 1)));
        r.set(MetricName::PdrPacket, ratio(&sets, &|e| (answered(e), k(e) + 1)));
        r.set(MetricName::B, bad_timeouts(&sets));
        self.rates(&mut r);
        let Edges { least, most } = &mut self.durations;
        if let (Some(least), Some(most)) =
            rayon::join(|| least.extreme(Extreme::Least), || most.extreme(Extreme::Greatest))
        {
            r.set(MetricName::DurationMean, Some((least[0], most[0])));
            r.set(MetricName::DurationP50, Some((least[1], most[1])));
            r.set(MetricName::DurationP95, Some((least[2], most[2])));
        }
        r
    }

    /// Rates: successes, payloads and copies over elapsed time, and this over exchanges; each bounded alone.
    fn rates(&self, r: &mut Ranges) {
        let Some((shortest, longest)) = self.elapsed.range().filter(|(shortest, _)| *shortest > 0.0) else { return };
        let Edges { least, most } = &self.succeed;
        let range = |least: u64, most: u64| Some((least as f64 / longest, most as f64 / shortest));
        r.set(MetricName::Throughput, range(least.0, most.0));
        r.set(MetricName::Goodput, range(least.1, most.1));
        let Edges { least, most } = &self.sent;
        r.set(MetricName::SendingRate, range(least.0, most.0));
        if least.1 > 0 {
            r.set(MetricName::ElapsedPerRequest, Some((shortest / most.1 as f64, longest / least.1 as f64)));
        }
    }
}

/// Range of B (share of bad timeouts; Allman and Paxson, SIGCOMM 1999). Of an exchange with k retransmissions whose
/// copy m is the first that is answered, the timers of the copies m to k − 1 expired: that of m badly, and the record
/// does not say how many of the others. The timer of the last copy expires if the exchange fails, unless its lifetime
/// ends before or the sender does not wait: a bad one in the numerator makes the greatest ratio greater, and a good one
/// the least smaller.
fn bad_timeouts(sets: &[EndingSet<'_>]) -> Option<(f64, f64)> {
    let expired = |e: &UntimedEnding| i64::from(e.retransmissions) + i64::from(e.ending == Ending::Failed);
    let least = |e: &UntimedEnding| i64::from(e.answered.is_some_and(|m| m < e.retransmissions));
    let most = |e: &UntimedEnding| e.answered.map_or(0, |m| (expired(e) - i64::from(m)).max(0));
    let (least, _) = ratio(sets, &|e| (least(e), expired(e)))?;
    let (_, most) = ratio(sets, &|e| (most(e), expired(e)))?;
    Some((least, most))
}

#[cfg(test)]
mod tests {
    use super::super::Range;
    use super::*;
    use crate::stats;
    use base::{Instant, Span};
    use proptest::prelude::*;

    fn ended(ending: Ending, k: u16, answered: Option<u16>, lo: i64, hi: i64) -> PossibleEnding {
        let duration = Range { lo: Span::from_nanos(lo), hi: Span::from_nanos(hi) };
        PossibleEnding { ending, retransmissions: k, answered, closed_by: None, duration }
    }

    /// The ranges of exchanges with these endings, appended from two parts.
    fn ranges(exchanges: &[Vec<PossibleEnding>]) -> Ranges {
        let part = |exchanges: &[Vec<PossibleEnding>]| {
            let mut part = Ensemble::default();
            for endings in exchanges {
                let start = Range { lo: Instant::ZERO, hi: Instant::ZERO };
                part.add(&Entry { start, optional: false, payload: 1, endings });
            }
            // Asking a part for its ranges changes nothing.
            part.ranges();
            part
        };
        let (one, other) = exchanges.split_at(exchanges.len() / 2);
        let mut all = part(one);
        all.append(part(other));
        all.ranges()
    }

    /// The range of `value` over all choices of one ending per exchange.
    fn brute(entries: &[Vec<PossibleEnding>], value: &dyn Fn(&[PossibleEnding]) -> Option<f64>) -> Option<(f64, f64)> {
        let mut range: Option<(f64, f64)> = None;
        let mut picks = vec![0_usize; entries.len()];
        loop {
            let chosen: Vec<PossibleEnding> = entries.iter().zip(&picks).map(|(e, &p)| e[p]).collect();
            if let Some(v) = value(&chosen) {
                let (lo, hi) = range.unwrap_or((v, v));
                range = Some((lo.min(v), hi.max(v)));
            }
            let Some(i) = (0..entries.len()).find(|&i| picks[i] + 1 < entries[i].len()) else { return range };
            picks[i] += 1;
            picks[..i].fill(0);
        }
    }

    fn some_entries() -> impl Strategy<Value = Vec<Vec<PossibleEnding>>> {
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
            let sum = |c: &[PossibleEnding], f: &dyn Fn(&PossibleEnding) -> f64| c.iter().map(f).sum::<f64>();
            let over = |a: f64, b: f64| (b > 0.0).then(|| a / b);
            let k = |e: &PossibleEnding| f64::from(e.retransmissions);
            let early = |e: &PossibleEnding| f64::from(e.answered == Some(0) && e.retransmissions > 0);
            let quantile = |c: &[PossibleEnding], p| {
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
