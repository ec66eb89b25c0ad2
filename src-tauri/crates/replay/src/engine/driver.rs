//! An algorithm at work towards one destination, and what its sender remembers beside it.

use crate::model::{Blind, ExchangeRecord, Policy};
use base::{Instant, Span};
use rto::exchange::{Answer, ClientExchange, Expiry, SenderRules, Tie};
use rto::{AlgorithmSpec, Dither, Estimator, EstimatorState, Pacer};

/// Estimator and pacer of an algorithm, in one state.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Arms timeouts, and learns from exchanges.
    pub estimator: Box<dyn Estimator>,
    /// Holds first transmissions back; `None` for an algorithm without a pacer.
    pub pacer: Option<Box<dyn Pacer>>,
}

/// Event of a recorded exchange; order of variants is the order at the same instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Lived {
    Again,
    Over,
    First,
}

/// Timer, pace and memory of one sender towards one destination.
#[derive(Debug)]
pub(crate) struct Driver {
    does: Pair,
    /// Whether packets name the copy that they answer ([`rto::AlgorithmSpec::marks_attempts`]).
    pub marks: bool,
    /// Whether the sender waits one timeout after the last copy ([`rto::AlgorithmSpec::waits_after_last`]).
    pub waits_after_last: bool,
    /// Whether the algorithm keeps state between exchanges ([`rto::AlgorithmSpec::state`]).
    learns: bool,
    /// Fresh state of a new destination; `None` unless a policy forgets.
    fresh: Option<Pair>,
    /// Whether a round trip has been sampled since the state was fresh.
    sampled: bool,
    /// Time of the latest transmission, reply or give-up; `None` before the first.
    used: Option<Instant>,
    /// Octets sent since the last reply, and the time of the first of them.
    unanswered: Option<(Instant, u64)>,
    /// Whether the latest exchange was given up, and nothing has arrived since.
    silent: bool,
}

impl Driver {
    /// Driver of a fresh algorithm; without `spec` one that learns nothing, marks nothing and waits after the last
    /// copy.
    pub fn new(does: Pair, spec: Option<&rto::AlgorithmSpec>) -> Self {
        Self {
            does,
            marks: spec.is_some_and(|s| s.marks_attempts),
            waits_after_last: spec.is_none_or(|s| s.waits_after_last),
            learns: spec.is_some_and(AlgorithmSpec::learns),
            fresh: None,
            sampled: false,
            used: None,
            unanswered: None,
            silent: false,
        }
    }

    /// Keeps a copy of the fresh state, without which [`Driver::forget`] does nothing.
    pub fn may_forget(mut self) -> Self {
        self.fresh = Some(self.does.clone());
        self
    }

    /// Whether the algorithm has a pacer, which has a say in when requests go.
    pub fn is_paced(&self) -> bool {
        self.does.pacer.is_some()
    }

    /// The estimator alone, for a sender that remembers nothing beside it ([`SingleClient`](super::SingleClient)).
    pub fn estimator(&mut self) -> &mut dyn Estimator {
        &mut *self.does.estimator
    }

    /// State of the estimator at `now`, for display.
    pub fn state(&self, now: Instant) -> EstimatorState {
        self.does.estimator.state(now)
    }

    /// RTO of the estimator at `now`; `None` unless it rests on a sample.
    pub fn estimate(&self, now: Instant) -> Option<Span> {
        (self.learns && self.sampled).then(|| self.does.estimator.state(now).rto)
    }

    /// Lives through the recorded exchanges that were over by `until`, as if this driver had sent their copies. `over`:
    /// when each exchange was over, in the same order, `None` if never. Dithers are taken from the middle of their
    /// range.
    pub fn live_through(&mut self, exchanges: &[ExchangeRecord], over: &[Option<Instant>], until: Instant) {
        /// Dither in the middle of its range. Chosen here: the true one is not known, and the middle is its mean.
        const MIDDLE: Dither = Dither(1 << 31);
        let mut events: Vec<(Instant, Lived, usize)> = Vec::new();
        for (i, (e, over)) in exchanges.iter().zip(over).enumerate() {
            let Some(over) = over.filter(|&over| over <= until) else { continue };
            // Copies after the end had been handed over before it.
            let sent = e.copies.iter().map(|c| c.sent).take_while(|&at| at == e.start() || at < over);
            events.extend(sent.enumerate().map(|(k, at)| (at, if k == 0 { Lived::First } else { Lived::Again }, i)));
            events.push((over, Lived::Over, i));
        }
        events.sort_unstable();
        let rules = SenderRules::observed(self.marks);
        let mut open: Vec<(usize, ClientExchange)> = Vec::new();
        for (now, lived, i) in events {
            let Some(e) = exchanges.get(i) else { continue };
            if lived == Lived::First {
                let mut exchange = ClientExchange::new(rules);
                exchange.restart(u32::try_from(open.len()).unwrap_or(u32::MAX));
                open.push((i, exchange));
            }
            let Some(at) = open.iter().position(|o| o.0 == i) else { continue };
            let Some((_, exchange)) = open.get_mut(at) else { continue };
            match lived {
                Lived::First | Lived::Again => {
                    if lived == Lived::Again && self.expired(now, exchange) == Expiry::GaveUp {
                        continue;
                    }
                    self.transmit(now, exchange, MIDDLE, e.payload.saturating_add(Policy::HEADER));
                }
                Lived::Over => {
                    let (_, mut exchange) = open.swap_remove(at);
                    if e.end.is_some() {
                        let answered =
                            e.copies.iter().position(|c| c.fate.rtt().is_some_and(|rtt| c.sent + rtt == now));
                        self.heard();
                        self.answered(now, &mut exchange, answered.and_then(|copy| u16::try_from(copy).ok()));
                    } else {
                        self.give_up(now, &mut exchange);
                    }
                }
            }
        }
    }

    /// Starts again with the state of a new destination; nothing without [`Driver::may_forget`].
    pub fn forget(&mut self) {
        if let Some(fresh) = &self.fresh {
            self.does = fresh.clone();
            self.sampled = false;
        }
    }

    /// Whether more than the policy's state lifetime has passed since the latest transmission, closing reply or
    /// give-up; false before the first, and without a lifetime.
    pub fn has_expired(&self, now: Instant, policy: &Policy) -> bool {
        policy.state_lifetime.zip(self.used).is_some_and(|(lifetime, used)| now - used > lifetime)
    }

    /// Factor of the first timeout of an exchange with `others` exchanges open, while no round trip is sampled; else 1.
    pub fn blind_factor(&self, blind: Blind, others: u32) -> i64 {
        if self.sampled { 1 } else { blind.factor(others) }
    }

    /// Earliest moment for the next first transmission, with `open` exchanges open: as the pacer says, and under
    /// PROBING_RATE (octets per second, RFC 7252 §4.7) while the destination does not answer.
    pub fn earliest(&self, now: Instant, open: usize, policy: &Policy) -> Instant {
        let open = u32::try_from(open).unwrap_or(u32::MAX);
        let paced = self.does.pacer.as_ref().map_or(now, |pacer| pacer.earliest(now, open));
        let probing =
            policy.probing_rate.zip(self.unanswered).filter(|_| self.silent).map(|(rate, (since, octets))| {
                let seconds = Span::from_secs(i64::try_from(octets).unwrap_or(i64::MAX));
                since + seconds.scale(1, i64::from(rate))
            });
        probing.map_or(paced, |probing| paced.max(probing))
    }

    /// Sends a copy of `octets` and arms its timer; returns the timeout.
    pub fn transmit(&mut self, now: Instant, exchange: &mut ClientExchange, dither: Dither, octets: u16) -> Span {
        self.used = Some(now);
        let (since, sum) = self.unanswered.unwrap_or((now, 0));
        self.unanswered = Some((since, sum.saturating_add(u64::from(octets))));
        let timeout = exchange.transmit(now, &mut *self.does.estimator, dither);
        if let Some(pacer) = &mut self.does.pacer {
            pacer.on_transmit(now, exchange.flight());
        }
        timeout
    }

    /// Handles the timer of the latest copy: either the next copy is due, or the exchange is given up.
    pub fn expired(&mut self, now: Instant, exchange: &mut ClientExchange) -> Expiry {
        if exchange.gives_up(now) {
            self.give_up(now, exchange);
            return Expiry::GaveUp;
        }
        let expiry = exchange.expired(now, &mut *self.does.estimator);
        if let Some(pacer) = &mut self.does.pacer {
            pacer.on_timeout(now, exchange.flight());
        }
        expiry
    }

    /// Handles a reply that closes the exchange; `copy` is the copy it answers, where that is known.
    pub fn answered(&mut self, now: Instant, exchange: &mut ClientExchange, copy: Option<u16>) {
        self.used = Some(now);
        let before = (!self.sampled).then(|| self.does.estimator.state(Instant::MIN).values);
        let copy = copy.and_then(|copy| u8::try_from(copy).ok());
        let Answer::Accepted(sample) = exchange.answered(now, copy, &mut *self.does.estimator) else { return };
        // An algorithm may take an ambiguous reply for a sample: its variables change then.
        self.sampled = sample.unambiguous(now, exchange.flight()).is_some()
            || before.is_none_or(|before| before != self.does.estimator.state(Instant::MIN).values);
        if let Some(pacer) = &mut self.does.pacer {
            pacer.on_ack(now, exchange.flight(), sample);
        }
    }

    /// Records that a reply arrived, on time or late: the destination answers.
    pub fn heard(&mut self) {
        self.unanswered = None;
        self.silent = false;
    }

    /// Ends the exchange without a reply.
    pub fn give_up(&mut self, now: Instant, exchange: &mut ClientExchange) {
        self.used = Some(now);
        self.silent = true;
        exchange.cancelled(now, &mut *self.does.estimator);
        if let Some(pacer) = &mut self.does.pacer {
            pacer.on_abandon(now, exchange.flight());
        }
    }

    /// Rules of the sender under `policy`, for its client exchanges; at the same instant a timer goes before a reply.
    pub const fn rules(&self, policy: &Policy) -> SenderRules {
        SenderRules {
            max_retransmit: Some(policy.max_retransmit),
            exchange_lifetime: policy.exchange_lifetime,
            waits_after_last: self.waits_after_last,
            marks_attempts: self.marks,
            tie: Tie::TimerFirst,
        }
    }
}
