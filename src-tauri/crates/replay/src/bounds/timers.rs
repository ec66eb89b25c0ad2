//! Enclosures of the timeouts that an estimator may arm.
//!
//! There are three, each proved given the laws that the tests check for every preset:
//!
//! * An algorithm that does not learn ([`rto::AlgorithmSpec::learns`]) always arms the same timeouts: they lie between
//!   those of the least and the greatest dither.
//! * One that learns is driven exactly while every event it has met is determined. Where no dither changes a timeout,
//!   all are known. Otherwise the first lies between those of the least and the greatest dither, and later ones are
//!   unbounded, because a back-off may depend on the dither in any way (the thresholds of CoCoA's VBF, the random
//!   choice of CoCoA++).
//! * From the first event that is not determined, its timeouts are unbounded.
//!
//! An unbounded timeout is from 1 ns to EXCHANGE_LIFETIME, which ends an exchange whatever its timer says.

use super::endings::{Ending, PossibleEnding, Sender};
use super::{Range, Timeouts};
use crate::scenario::Prototype;
use base::{Instant, Span};
use rto::exchange::{ClientExchange, Expiry, SenderRules};
use rto::{Dither, Estimator};

/// Least and greatest dither; every dither lies between them.
const DITHERS: [Dither; 2] = [Dither(0), Dither(u32::MAX)];

/// Enclosures of the timeouts of one association, as long as the state of its estimator is known.
#[derive(Debug)]
pub(super) struct Timers {
    knowledge: Knowledge,
    unbounded: Range<Span>,
    last: u8,
    marks: bool,
}

/// Knowledge of the estimator.
#[derive(Debug)]
enum Knowledge {
    /// The estimator does not learn, and always arms timeouts in these ranges.
    Timeouts(Timeouts),
    /// Every event that the estimator has met is known, and so its state is.
    State(Box<dyn Estimator>),
    /// An event was not determined: the state is unknown.
    Nothing,
}

impl Timers {
    /// Timers of a fresh association whose estimator has met nothing.
    pub fn new(prototype: &Prototype, sender: &Sender<'_>) -> Self {
        let fresh = prototype.fresh();
        let knowledge = if prototype.learns {
            Knowledge::State(fresh)
        } else {
            Knowledge::Timeouts(enclose(&*fresh, Instant::ZERO, sender.last))
        };
        let unbounded = Range { lo: Span::from_nanos(1), hi: sender.lifetime };
        Self { knowledge, unbounded, last: sender.last, marks: prototype.marks }
    }

    /// Records that an event is not determined: a learning estimator's state is unknown from now on.
    pub fn lose_track(&mut self) {
        if let Knowledge::State(_) = self.knowledge {
            self.knowledge = Knowledge::Nothing;
        }
    }

    /// Replaces `timeouts` by the enclosure of the timeouts of an exchange that is never answered. `start` is exact
    /// unless [track was lost](Self::lose_track).
    pub fn arm(&self, start: Instant, timeouts: &mut Timeouts) {
        match &self.knowledge {
            Knowledge::Timeouts(known) => timeouts.clone_from(known),
            Knowledge::State(estimator) => {
                *timeouts = enclose(&**estimator, start, self.last);
                if !are_exact(timeouts) {
                    timeouts.iter_mut().skip(1).for_each(|later| *later = self.unbounded);
                }
            }
            Knowledge::Nothing => {
                timeouts.clear();
                timeouts.resize(usize::from(self.last) + 1, self.unbounded);
            }
        }
    }

    /// Drives the estimator through the exchange, if its ending is determined; otherwise track is lost.
    pub fn learn(&mut self, start: Instant, timeouts: &Timeouts, possible: &[PossibleEnding]) {
        let Knowledge::State(estimator) = &mut self.knowledge else { return };
        let determined = match possible {
            &[ended] if ended.retransmissions == 0 || are_exact(timeouts) => {
                follow(&mut **estimator, start, ended, self.marks)
            }
            _ => None,
        };
        if determined.is_none() {
            self.lose_track();
        }
    }
}

/// Drives `estimator` through an exchange that is determined; `None` if it is not. Any dither will do: where it changes
/// a timeout there was no retransmission, and then no estimator's state depends on it (tested below).
fn follow(estimator: &mut dyn Estimator, start: Instant, ended: PossibleEnding, marks: bool) -> Option<()> {
    if ended.duration.lo != ended.duration.hi {
        return None;
    }
    let end = start + ended.duration.lo;
    let mut exchange = ClientExchange::new(SenderRules::observed(marks));
    exchange.transmit(start, estimator, Dither::NONE);
    for _ in 0..ended.retransmissions {
        let now = exchange.deadline();
        if exchange.expired(now, estimator) == Expiry::GaveUp {
            return None;
        }
        exchange.transmit(now, estimator, Dither::NONE);
    }
    match ended.ending {
        Ending::Answered if marks && ended.closed_by.is_none() => return None,
        Ending::Answered => {
            exchange.answered(end, ended.closed_by, estimator);
        }
        Ending::Failed => exchange.cancelled(end, estimator),
        Ending::Open => return None,
    }
    Some(())
}

/// Whether every timeout is known.
fn are_exact(timeouts: &Timeouts) -> bool {
    timeouts.iter().all(|t| t.lo == t.hi)
}

/// The timeouts of an unanswered exchange of at most `last` retransmissions, enclosed over independent dithers per
/// copy.
///
/// The two courses with the least and the greatest latest timeouts each go on with either extreme dither. That is
/// enough where a timeout grows with its own dither and with the timeouts before it.
fn enclose(estimator: &dyn Estimator, start: Instant, last: u8) -> Timeouts {
    let mut timeouts = Vec::with_capacity(usize::from(last) + 1);
    let mut courses = vec![(estimator.clone_box(), ClientExchange::new(SenderRules::observed(false)))];
    for attempt in 0..=last {
        let mut next: Vec<(Box<dyn Estimator>, ClientExchange)> = Vec::with_capacity(4);
        for (estimator, exchange) in &courses {
            for dither in DITHERS {
                let (mut estimator, mut exchange) = (estimator.clone_box(), exchange.clone());
                let now = if attempt == 0 { start } else { exchange.deadline() };
                if attempt > 0 && exchange.expired(now, &mut *estimator) == Expiry::GaveUp {
                    continue;
                }
                exchange.transmit(now, &mut *estimator, dither);
                next.push((estimator, exchange));
            }
        }
        // Ordered by the latest timeout, ties by the one before it.
        next.sort_by(|a, b| a.1.flight().armed.iter().rev().cmp(b.1.flight().armed.iter().rev()));
        let Some(greatest) = next.pop() else { break };
        next.truncate(1);
        let least = next.first().unwrap_or(&greatest);
        let timeout = |exchange: &ClientExchange| exchange.flight().last_armed().max(Span::from_nanos(1));
        timeouts.push(Range { lo: timeout(&least.1), hi: timeout(&greatest.1) });
        if least.1.flight() != greatest.1.flight() {
            next.push(greatest);
        }
        courses = next;
    }
    timeouts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rto::{AlgorithmSpec, algorithms};

    const LAST: u8 = 4;

    /// More cases with `PROPTEST_CASES`.
    fn config() -> ProptestConfig {
        let cases = std::env::var("PROPTEST_CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(64);
        ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
    }

    /// Earlier exchanges: the round trip in ms, the number of retransmissions, and whether there was an answer.
    type Past = Vec<(i64, u8, bool)>;

    /// An estimator with a past, and a moment after it; `dither` draws dithers.
    fn estimator(
        spec: &AlgorithmSpec,
        past: &Past,
        mut dither: impl FnMut() -> Dither,
    ) -> (Box<dyn Estimator>, Instant) {
        let mut estimator = rto::build(spec.id, &serde_json::Value::Null).expect("defaults are legal");
        let mut now = Instant::ZERO;
        for &(millis, retransmissions, answered) in past {
            now += Span::from_millis(700);
            let mut exchange = ClientExchange::new(SenderRules::observed(spec.marks_attempts));
            exchange.transmit(now, &mut *estimator, dither());
            for _ in 0..retransmissions {
                let due = exchange.deadline();
                assert_eq!(exchange.expired(due, &mut *estimator), Expiry::Retransmit);
                exchange.transmit(due, &mut *estimator, dither());
            }
            now = exchange.deadline().max(now) + Span::from_millis(millis);
            if answered {
                exchange.answered(now, Some(retransmissions), &mut *estimator);
            } else {
                exchange.cancelled(now, &mut *estimator);
            }
        }
        (estimator, now + Span::from_millis(300))
    }

    fn armed(estimator: &dyn Estimator, start: Instant, inflight: u32, draws: &[u32]) -> Vec<Span> {
        let (mut estimator, mut exchange) = (estimator.clone_box(), ClientExchange::new(SenderRules::observed(false)));
        exchange.restart(inflight);
        for (attempt, &draw) in draws.iter().enumerate() {
            let now = if attempt == 0 { start } else { exchange.deadline() };
            assert!(attempt == 0 || exchange.expired(now, &mut *estimator) == Expiry::Retransmit);
            exchange.transmit(now, &mut *estimator, Dither(draw));
        }
        exchange.flight().armed.clone()
    }

    proptest! {
        #![proptest_config(config())]

        /// The laws on which the enclosures rest, for every preset.
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

        /// The state after an exchange without a retransmission does not depend on its dither.
        #[test]
        fn the_state_after_an_answer_does_not_depend_on_the_first_dither(
            past in proptest::collection::vec((1_i64..20_000, 0_u8..4, any::<bool>()), 0..12),
            draws: [u32; 2],
            rtt in 1_i64..60_000,
        ) {
            for spec in algorithms() {
                let (estimator, now) = estimator(spec, &past, || Dither(draws[0]));
                let after = |draw: u32| {
                    let mut estimator = estimator.clone_box();
                    let mut exchange = ClientExchange::new(SenderRules::observed(spec.marks_attempts));
                    exchange.transmit(now, &mut *estimator, Dither(draw));
                    exchange.answered(now + Span::from_millis(rtt), Some(0), &mut *estimator);
                    format!("{estimator:?}")
                };
                prop_assert_eq!(after(0), after(draws[1]), "{}", spec.id);
            }
        }
    }
}
