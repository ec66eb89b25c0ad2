//! The timeouts that were used, from the gaps between copies.

use super::observe::Observed;
use crate::model::{AssociationRecord, Outcome, Workload};
use base::{AssociationId, ExchangeId, Span};

/// A timeout that ran out, as the capture shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeout {
    /// Whose.
    pub association: AssociationId,
    /// Of which exchange.
    pub exchange: ExchangeId,
    /// Of which copy: 0 is the original.
    pub copy: u8,
    /// How long it was.
    pub value: Span,
    /// Half the width of the interval about `value` that holds the timeout with 95 % probability: both copies waited
    /// for the channel, and nobody saw how long.
    pub error: Span,
    /// It ended the exchange: known from when the next request followed.
    pub last: bool,
}

/// 95 % of Laplace's distribution are within three scales (−ln 0.05).
const WITHIN: i64 = 3;
/// As many pairs of gaps say how far gaps are off.
const ENOUGH: usize = 8;
/// Time stamps are no better than this: a capture's own resolution and the host's scheduling.
const STAMP: Span = Span::from_micros(200);
/// Where no exchange has two gaps: a few back-off periods of CSMA (IEEE 802.15.4-2006 §7.5.1.4: macMinBE 3, of 320 µs).
const UNKNOWN: Span = Span::from_millis(5);
/// What timers are multiplied by, as numerator and denominator: RFC 7252 §4.2, and CoCoA's (draft-ietf-core-cocoa-03
/// §4.2.1).
const FACTORS: [(i64, i64); 3] = [(3, 2), (2, 1), (3, 1)];

/// By how much a gap between copies differs from the timeout, as the scale of Laplace's distribution: the median miss
/// of a gap against a usual multiple of the gap before. `None` where too few exchanges have two gaps.
pub(crate) fn noise(observed: &[&Observed]) -> Option<Span> {
    let mut misses: Vec<Span> = Vec::new();
    for exchange in observed.iter().flat_map(|o| &o.exchanges) {
        let on_time = exchange.copies.get(..exchange.late).unwrap_or_default();
        for gaps in on_time.windows(3) {
            let [a, b, c] = gaps else { continue };
            let (before, gap) = (*b - *a, *c - *b);
            let miss = |(num, den): (i64, i64)| {
                let scale = ((num * num + den * den) as f64).sqrt() / den as f64;
                Span::from_secs_f64((gap - before.scale(num, den)).abs().secs_f64() / scale).unwrap_or(Span::MAX)
            };
            misses.extend(FACTORS.into_iter().map(miss).min());
        }
    }
    if misses.len() < ENOUGH {
        return None;
    }
    let middle = misses.len() / 2;
    let median = *misses.select_nth_unstable(middle).1;
    // The median of a Laplace variable's magnitude is ln 2 of its scale.
    Span::from_secs_f64(median.secs_f64() / std::f64::consts::LN_2)
}

/// The timeouts of `association`; `noise` is how far its gaps are off.
pub(crate) fn timeouts(association: &AssociationRecord, observed: &Observed, noise: Option<Span>) -> Vec<Timeout> {
    let error = noise.unwrap_or(UNKNOWN).scale(WITHIN, 1).max(STAMP);
    let think = think(association);
    let mut all = Vec::new();
    for (seen, record) in observed.exchanges.iter().zip(&association.exchanges) {
        let timeout = |copy: usize, value: Span, error: Span, last: bool| Timeout {
            association: association.id,
            exchange: record.id,
            copy: u8::try_from(copy).unwrap_or(u8::MAX),
            value,
            error,
            last,
        };
        let on_time = seen.copies.get(..seen.late).unwrap_or_default();
        for (copy, pair) in on_time.windows(2).enumerate() {
            if let [sent, next] = pair {
                all.push(timeout(copy, *next - *sent, error, false));
            }
        }
        let next = association.exchanges.get(seen.number + 1);
        if let (Some((pause, spread)), Some(next), Outcome::Abandoned) = (think, next, record.outcome) {
            let value = next.start() - record.last_sent() - pause;
            if value > Span::ZERO {
                all.push(timeout(record.copies.len() - 1, value, error + spread, true));
            }
        }
    }
    all
}

/// How long the application pauses between requests, and how far from that the middle half of its pauses is; `None`
/// where requests do not follow each other.
fn think(association: &AssociationRecord) -> Option<(Span, Span)> {
    if association.workload != Workload::ThinkTime || association.nstart > 1 {
        return None;
    }
    let pairs = association.exchanges.windows(2);
    let mut pauses: Vec<Span> = pairs.filter_map(|pair| Some(pair.get(1)?.start() - pair.first()?.end?)).collect();
    pauses.sort_unstable();
    let quarter = |k: usize| pauses.get(pauses.len() * k / 4).copied();
    let (low, middle, high) = (quarter(1)?, quarter(2)?, quarter(3)?);
    (pauses.len() >= ENOUGH).then_some((middle, high - low))
}
