//! Slots of a schedule (TSCH): what a timer sends leaves with the next slot of its node, so gaps are whole slotframes,
//! whatever the timeout.

use super::law::Seconds;
use super::observe::Observed;
use std::f64::consts::TAU;

/// Slots closer than this blur nothing that timers show (IEEE 802.15.4-2020 §8.4.3.3: a timeslot has 10 ms).
const SHORTEST: Seconds = 0.05;
/// Slotframes longer than this would be longer than the timers.
const LONGEST: Seconds = 1.0;
/// From one length that is tried to the next: over [`FAR`] the phase of the shortest moves by less than a tenth.
const STEP: f64 = 5e-4;
/// Distances between copies longer than this say more about clocks than about slots.
const FAR: Seconds = 10.0;
/// How alike the phases of copies are in slots (Rayleigh's mean resultant length; 1: all alike).
const ALIKE: f64 = 0.9;
/// As many distances are enough: by chance they are that much alike, for some length, once in a million captures.
const ENOUGH: usize = 30;
/// More say no more.
const MOST: usize = 300;

/// The distance between the slots in which copies leave, if they do: the longest that explains all of them.
pub(crate) fn slot(observed: &[&Observed]) -> Option<Seconds> {
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
        let alike = alike(&some, length);
        match best {
            // Past the peak.
            Some((_, most)) if alike < ALIKE.min(most) => break,
            Some((_, most)) if alike <= most => {}
            _ if alike >= ALIKE => best = Some((length, alike)),
            _ => {}
        }
        length *= 1.0 - STEP;
    }
    best.map(|(length, _)| length)
}

/// How alike the phases of times that are `apart` are, in slots of `length`.
fn alike(apart: &[Seconds], length: Seconds) -> f64 {
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
    fn observed(moments: impl Iterator<Item = i64>) -> Observed {
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
        Observed::of(&record, usize::MAX)
    }

    /// Numbers without a pattern below `most`, whose differences have none either: multiples of squares.
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
