//! Point estimates of the timeouts that ran out, from the gaps between copies, with 95 % error bounds.

use super::observed::ObservedAssociation;
use crate::model::{AssociationRecord, Outcome, Workload};
use base::{AssociationId, ExchangeId, Span};
use serde::{Deserialize, Serialize};

/// A timeout that ran out, estimated from the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Timeout {
    /// Association of the sender.
    pub association: AssociationId,
    /// Exchange whose timer it was.
    pub exchange: ExchangeId,
    /// Index of the copy whose timer it was: 0 is the original.
    pub copy: u8,
    /// Estimated length of the timeout.
    pub value: Span,
    /// Half the width of the 95 % interval about `value`: both copies waited for the channel for unknown times.
    pub error: Span,
    /// Whether the timeout ended the exchange; it is then estimated from the start of the next request.
    pub last: bool,
}

/// Half-width of the central 95 % of the Laplace distribution, in scales: −ln 0.05 = 2.996.
const WITHIN: i64 = 3;
/// Least sample for a median or quartile. Chosen here by judgement: no experiment decides it; two values in each
/// quarter; with fewer, one odd gap would be the error of all timeouts.
const ENOUGH: usize = 8;
/// Least error: resolution of time stamps and scheduling of the host. Chosen here by judgement: no experiment decides
/// it; less than a back-off period of CSMA (320 µs), so that it decides mostly on wires; `cargo test --release -p
/// replay --test identify_runs -- --nocapture` holds errors against the timers that clients logged.
const STAMP: Span = Span::from_micros(200);
/// Scale of the error where no exchange has two gaps. Chosen here by judgement: about two full back-offs of CSMA of 7 ·
/// 320 µs (IEEE 802.15.4-2006 §7.5.1.4, macMinBE 3).
const UNKNOWN: Span = Span::from_millis(5);
/// Back-off factors as numerator and denominator: 2 (RFC 7252 §4.2), 3/2 and 3 (draft-ietf-core-cocoa-03 §4.2.1).
const FACTORS: [(i64, i64); 3] = [(3, 2), (2, 1), (3, 1)];

/// Estimates the scale of the Laplace error of a gap between copies: the median of |gap − factor · previous gap| over
/// the nearest of the usual back-off factors, divided by √(1 + factor²) and by ln 2. `None` where too few exchanges
/// have two gaps.
pub(super) fn noise(observed: &[&ObservedAssociation]) -> Option<Span> {
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
    // The median of the magnitude of a Laplace variable is ln 2 times its scale.
    Span::from_secs_f64(median.secs_f64() / std::f64::consts::LN_2)
}

/// Timeouts of `association` that ran out, in order of exchange and copy; `noise` is the Laplace scale of the error of
/// its gaps.
pub(super) fn timeouts(
    association: &AssociationRecord,
    observed: &ObservedAssociation,
    noise: Option<Span>,
) -> Vec<Timeout> {
    let error = noise.unwrap_or(UNKNOWN).scale(WITHIN, 1).max(STAMP);
    let think = think_time(association);
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

/// Median and interquartile range of the application's pauses between a reply and the next request; `None` where
/// requests do not follow each other.
fn think_time(association: &AssociationRecord) -> Option<(Span, Span)> {
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
