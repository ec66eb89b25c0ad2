//! Which timeouts an estimator may arm, as far as what it has met is determined.
//!
//! Three kinds of enclosure, each a proof given the laws that the tests hold every preset to:
//!
//! * An algorithm that does not learn ([`rto::AlgorithmSpec::learns`]) arms the same timeouts for ever: they
//!   lie between those of the least and the greatest draws.
//! * One that learns is driven exactly while all it has met is determined. Where no draw changes anything the
//!   timeouts are known; otherwise the first lies between those of the least and the greatest draw, and the
//!   later ones may be anything, because a back-off may depend on the draw as it likes (the thresholds of
//!   CoCoA's VBF, the chance of CoCoA++).
//! * From the first thing on that is not determined, its timeouts may be anything.
//!
//! *Anything* is from 1 ns to EXCHANGE_LIFETIME, which ends an exchange whatever its timer says.

use super::endings::{Ended, Ending, Sender};
use super::{Range, Timeouts};
use crate::scenario::Prototype;
use base::{Instant, Span};
use rto::{Dither, Estimator, Flight};

/// The least and the greatest draw.
const DITHERS: [Dither; 2] = [Dither(0), Dither(u32::MAX)];

/// The timers of one association.
#[derive(Debug)]
pub(super) struct Timers {
    knows: Knows,
    anything: Range<Span>,
    last: u8,
    marks: bool,
}

/// What is known of the estimator.
#[derive(Debug)]
enum Knows {
    /// It arms these, whatever happens.
    Timeouts(Timeouts),
    /// All it has met, so its state.
    State(Box<dyn Estimator>),
    /// Nothing.
    Nothing,
}

impl Timers {
    pub fn new(prototype: &Prototype, sender: &Sender<'_>) -> Self {
        let fresh = prototype.fresh();
        let knows = if prototype.learns {
            Knows::State(fresh)
        } else {
            Knows::Timeouts(enclose(&*fresh, Instant::ZERO, sender.last))
        };
        let anything = Range { lo: Span::from_nanos(1), hi: sender.lifetime };
        Self { knows, anything, last: sender.last, marks: prototype.marks }
    }

    /// Something is not determined that a learning estimator would have learned from.
    pub fn doubt(&mut self) {
        if let Knows::State(_) = self.knows {
            self.knows = Knows::Nothing;
        }
    }

    /// Puts the timeouts of an exchange, if it runs to the end, in place of `timeouts`. `start` is exact unless there is
    /// [doubt](Self::doubt).
    pub fn arm(&self, start: Instant, timeouts: &mut Timeouts) {
        match &self.knows {
            Knows::Timeouts(known) => timeouts.clone_from(known),
            Knows::State(estimator) => {
                *timeouts = enclose(&**estimator, start, self.last);
                if !are_exact(timeouts) {
                    timeouts.iter_mut().skip(1).for_each(|later| *later = self.anything);
                }
            }
            Knows::Nothing => {
                timeouts.clear();
                timeouts.resize(usize::from(self.last) + 1, self.anything);
            }
        }
    }

    /// Takes in how the exchange ended, if that is determined; else there is doubt.
    pub fn learn(&mut self, start: Instant, timeouts: &Timeouts, possible: &[Ended]) {
        let Knows::State(estimator) = &mut self.knows else { return };
        let determined = match possible {
            &[ended] if ended.retransmissions == 0 || are_exact(timeouts) => {
                follow(&mut **estimator, start, ended, self.marks)
            }
            _ => None,
        };
        if determined.is_none() {
            self.doubt();
        }
    }
}

/// Drives `estimator` through a determined exchange; `None` when it is not. Where a draw matters there was no
/// retransmission, and the first draw leaves nothing behind.
fn follow(estimator: &mut dyn Estimator, start: Instant, ended: Ended, marks: bool) -> Option<()> {
    if ended.duration.lo != ended.duration.hi {
        return None;
    }
    let end = start + ended.duration.lo;
    let mut flight = Flight::new(0);
    let mut now = start + flight.transmit(start, estimator, Dither::NONE);
    for _ in 0..ended.retransmissions {
        estimator.on_timeout(now, &flight);
        now += flight.transmit(now, estimator, Dither::NONE);
    }
    match ended.ending {
        Ending::Answered => {
            let answered = if marks { Some(ended.closed_by?) } else { None };
            estimator.on_ack(end, &flight, flight.sample(end, answered));
        }
        Ending::Failed => estimator.on_abandon(end, &flight),
        Ending::Open => return None,
    }
    Some(())
}

fn are_exact(timeouts: &Timeouts) -> bool {
    timeouts.iter().all(|t| t.lo == t.hi)
}

/// The timeouts of an unanswered exchange under the least and the greatest draws, independent per copy.
///
/// Of the two flights with the least and the greatest latest timeouts each goes on with either draw: enough
/// where a timeout grows with its own draw and with the timeouts before it.
fn enclose(estimator: &dyn Estimator, start: Instant, last: u8) -> Timeouts {
    let mut timeouts = Vec::with_capacity(usize::from(last) + 1);
    let mut lanes = vec![(estimator.clone_box(), Flight::new(0), start)];
    for attempt in 0..=last {
        let mut next: Vec<(Box<dyn Estimator>, Flight, Instant)> = Vec::with_capacity(4);
        for (estimator, flight, now) in &lanes {
            for dither in DITHERS {
                let (mut estimator, mut flight) = (estimator.clone_box(), flight.clone());
                if attempt > 0 {
                    estimator.on_timeout(*now, &flight);
                }
                let timeout = flight.transmit(*now, &mut *estimator, dither).max(Span::from_nanos(1));
                next.push((estimator, flight, *now + timeout));
            }
        }
        // The latest timeout first, of equal ones the one before it.
        next.sort_by(|a, b| a.1.armed.iter().rev().cmp(b.1.armed.iter().rev()));
        let Some(greatest) = next.pop() else { break };
        next.truncate(1);
        let least = next.first().unwrap_or(&greatest);
        let timeout = |flight: &Flight| flight.last_armed().max(Span::from_nanos(1));
        timeouts.push(Range { lo: timeout(&least.1), hi: timeout(&greatest.1) });
        if least.1 != greatest.1 {
            next.push(greatest);
        }
        lanes = next;
    }
    timeouts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rto::{AlgorithmSpec, algorithms};

    const LAST: u8 = 4;

    /// `PROPTEST_CASES` for a longer hunt.
    fn config() -> ProptestConfig {
        let cases = std::env::var("PROPTEST_CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(64);
        ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
    }

    /// Round trips and retransmissions before them; none: given up.
    type Past = Vec<(i64, u8, bool)>;

    /// An estimator with a past, and the moment after it. `dither` draws.
    fn estimator(
        spec: &AlgorithmSpec,
        past: &Past,
        mut dither: impl FnMut() -> Dither,
    ) -> (Box<dyn Estimator>, Instant) {
        let mut estimator = rto::build(spec.id, &serde_json::Value::Null).expect("defaults are legal");
        let mut now = Instant::ZERO;
        for &(millis, retransmissions, answered) in past {
            now += Span::from_millis(700);
            let mut flight = Flight::new(0);
            let mut due = now + flight.transmit(now, &mut *estimator, dither());
            for _ in 0..retransmissions {
                estimator.on_timeout(due, &flight);
                due += flight.transmit(due, &mut *estimator, dither());
            }
            now = due.max(now) + Span::from_millis(millis);
            if answered {
                estimator.on_ack(now, &flight, flight.sample(now, spec.marks_attempts.then_some(retransmissions)));
            } else {
                estimator.on_abandon(now, &flight);
            }
        }
        (estimator, now + Span::from_millis(300))
    }

    fn armed(estimator: &dyn Estimator, start: Instant, inflight: u32, draws: &[u32]) -> Vec<Span> {
        let (mut estimator, mut flight, mut now) = (estimator.clone_box(), Flight::new(inflight), start);
        for (attempt, &draw) in draws.iter().enumerate() {
            if attempt > 0 {
                estimator.on_timeout(now, &flight);
            }
            now += flight.transmit(now, &mut *estimator, Dither(draw)).max(Span::from_nanos(1));
        }
        flight.armed
    }

    proptest! {
        #![proptest_config(config())]

        /// The three laws on which the enclosures rest, for every preset.
        #[test]
        fn every_draw_is_enclosed(
            past in proptest::collection::vec((1_i64..20_000, 0_u8..4, any::<bool>()), 0..12),
            seeds: u32,
            draws in proptest::collection::vec(any::<u32>(), usize::from(LAST) + 1),
            inflight in 0_u32..5,
        ) {
            for spec in algorithms() {
                let mut n = seeds;
                let draw = || { n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223); Dither(n) };
                let (estimator, now) = estimator(spec, &past, draw);
                let timeouts = enclose(&*estimator, now, LAST);
                let found = armed(&*estimator, now, 0, &draws);
                let first = timeouts[0];
                prop_assert!(first.lo <= found[0] && found[0] <= first.hi, "{}: {} not in {first:?}", spec.id, found[0]);
                if are_exact(&timeouts) {
                    let exact: Vec<Span> = timeouts.iter().map(|t| t.lo).collect();
                    prop_assert_eq!(&found, &exact, "{}: a draw matters", spec.id);
                }
                if !spec.learns() {
                    let fresh = rto::build(spec.id, &serde_json::Value::Null).expect("defaults are legal");
                    let timeouts = enclose(&*fresh, Instant::ZERO, LAST);
                    let found = armed(&*estimator, now, inflight, &draws);
                    let within = timeouts.iter().zip(&found).all(|(t, &f)| t.lo <= f && f <= t.hi);
                    prop_assert!(within, "{}: {found:?} not in {timeouts:?}", spec.id);
                }
            }
        }

        /// What is learned does not depend on draws that did not matter: those of an exchange without a
        /// retransmission.
        #[test]
        fn a_first_draw_leaves_nothing_behind(
            past in proptest::collection::vec((1_i64..20_000, 0_u8..4, any::<bool>()), 0..12),
            draws: [u32; 2],
            rtt in 1_i64..60_000,
        ) {
            for spec in algorithms() {
                let (estimator, now) = estimator(spec, &past, || Dither(draws[0]));
                let after = |draw: u32| {
                    let (mut estimator, mut flight) = (estimator.clone_box(), Flight::new(0));
                    flight.transmit(now, &mut *estimator, Dither(draw));
                    let end = now + Span::from_millis(rtt);
                    estimator.on_ack(end, &flight, flight.sample(end, spec.marks_attempts.then_some(0)));
                    format!("{estimator:?}")
                };
                prop_assert_eq!(after(0), after(draws[1]), "{}", spec.id);
            }
        }
    }
}
