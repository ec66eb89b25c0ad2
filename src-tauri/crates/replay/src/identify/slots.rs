//! Detection of the slots of a TSCH schedule. A retransmission leaves in the next slot of its node, so gaps are whole
//! slotframes, whatever the timeout.
//!
//! The statistic is the mean resultant length of the phases of inter-departure times, as in Rayleigh's test of circular
//! uniformity (Mardia & Jupp, Directional Statistics, 2000), scanned over slot lengths as a periodogram.

use super::likelihood::timing_error::Seconds;
use super::observed::ObservedAssociation;
use std::f64::consts::TAU;

/// Shortest slot distance that is looked for, seconds. Chosen here by judgement: five timeslots of 10 ms (Contiki-NG,
/// `tsch_timeslot_timing_us_10000`); closer ones blur timers too little to matter.
const SHORTEST: Seconds = 0.05;
/// Longest slot distance, seconds. Chosen here: half of ACK_TIMEOUT (RFC 7252 §4.8); beyond, no gap would show a timer.
const LONGEST: Seconds = 1.0;
/// Relative step of the scan. Chosen here: over [`FAR`] the phase in the shortest slot moves by FAR / SHORTEST · STEP =
/// 0.1 cycles.
const STEP: f64 = 5e-4;
/// Longest inter-departure time used, seconds. Chosen here by judgement: over longer ones clock drift moves the phase.
const FAR: Seconds = 10.0;
/// Least mean resultant length, 0 to 1, of departures in slots. Chosen here by judgement: with [`ENOUGH`] times, chance
/// gives P(R ≥ 0.9) ≈ exp(−n·R²) = 3e-11 for one length (Rayleigh), 2e-7 over the 6000 lengths of the scan.
const CONCENTRATED: f64 = 0.9;
/// Least number of inter-departure times; see [`CONCENTRATED`].
const ENOUGH: usize = 30;
/// Greatest number of inter-departure times looked at. Chosen here for speed.
const MOST: usize = 300;

/// Distance in seconds between the slots in which copies leave: the longest that fits, because every divisor of it fits
/// too. `None` where they leave at any time, or too few copies tell.
pub(crate) fn slot(observed: &[&ObservedAssociation]) -> Option<Seconds> {
    let exchanges = observed.iter().flat_map(|o| &o.exchanges);
    let mut sent: Vec<_> = exchanges.flat_map(|e| e.copies.get(..e.late).unwrap_or_default()).copied().collect();
    sent.sort_unstable();
    let apart = sent.windows(2).filter_map(|pair| Some((*pair.get(1)? - *pair.first()?).secs_f64()));
    let apart: Vec<Seconds> = apart.filter(|&d| d > SHORTEST / 2.0 && d < FAR).collect();
    if apart.len() < ENOUGH {
        return None;
    }
    let some: Vec<Seconds> = apart.iter().step_by(apart.len().div_ceil(MOST)).copied().collect();
    let mut length = LONGEST;
    let mut best: Option<(Seconds, f64)> = None;
    while length >= SHORTEST {
        let concentration = mean_resultant_length(&some, length);
        match best {
            // Past the peak of the first length that fits.
            Some((_, most)) if concentration < CONCENTRATED.min(most) => break,
            Some((_, most)) if concentration <= most => {}
            _ if concentration >= CONCENTRATED => best = Some((length, concentration)),
            _ => {}
        }
        length *= 1.0 - STEP;
    }
    best.map(|(length, _)| length)
}

/// The mean resultant length R = |Σ exp(2πi·d / length)| / n of the times `apart`: 1 where all are whole multiples of
/// `length` up to one phase, near 0 without a pattern.
fn mean_resultant_length(apart: &[Seconds], length: Seconds) -> f64 {
    let (cos, sin) = apart.iter().fold((0.0, 0.0), |(cos, sin), d| {
        let phase = TAU * d / length;
        (cos + phase.cos(), sin + phase.sin())
    });
    f64::hypot(cos, sin) / apart.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Workload};
    use base::{AssociationId, ExchangeId, Instant, Span};

    /// Exchanges of one copy that leave at these moments, in microseconds.
    fn observed(moments: impl Iterator<Item = i64>) -> ObservedAssociation {
        let exchange = |(at, id): (i64, u32)| {
            let sent = Instant::ZERO + Span::from_micros(at);
            let copies = vec![CopyRecord { sent, fate: Fate::Unknown, proven: false }].into();
            let end = Some(sent + Span::from_millis(10));
            ExchangeRecord { id: ExchangeId(id), ready: None, copies, outcome: Outcome::Closed, end, payload: 0 }
        };
        let exchanges = moments.zip(0..).map(exchange).collect();
        let id = AssociationId(0);
        let workload = Workload::Arrivals;
        let (error, queue) = (Span::ZERO, None);
        let record = AssociationRecord { id, client: 0, server: 1, workload, nstart: 1, error, queue, exchanges };
        ObservedAssociation::of(&record, usize::MAX)
    }

    /// Aperiodic numbers below `most`, with aperiodic differences: multiples of squares.
    fn some(n: i64, most: i64) -> i64 {
        n * n * 7_368_787 % most
    }

    #[test]
    fn slots_are_found_and_irregular_times_have_none() {
        let times = |n: i64| n * 3_000_000 + some(n, 2_500_000);
        let slotted = observed((0..120).map(|n| (times(n) / 190_000 + 1) * 190_000 + some(n, 3_000)));
        let found = slot(&[&slotted]).unwrap();
        assert!((found - 0.19).abs() < 0.001, "{found}");
        assert_eq!(slot(&[&observed((0..120).map(times))]), None);
        assert_eq!(slot(&[&observed((0..20).map(|n| n * 190_000))]), None, "too few");
    }
}
