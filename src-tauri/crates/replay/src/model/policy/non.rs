//! Non-confirmable messages: how often, and which of them become confirmable.
//!
//! A record holds exchanges of confirmable messages, so a replay never meets these rules; they are here for
//! senders that are simulated and for traffic that is checked against them. Sans-IO: [`NonSender`] is asked
//! before each message and notified when it went.

use base::{Instant, Span};

/// Rule for the rate of non-confirmable messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NonRule {
    /// At most PROBING_RATE towards an endpoint that does not answer (RFC 7252 §4.7).
    ProbingRate {
        /// Octets a second; [`super::Policy::PROBING_RATE`] by default.
        rate: u32,
    },
    /// At most one message per overall RTO, and 2 of any 16 consecutive ones confirmable
    /// (Betzler et al. 2014, §II.B; draft-bormann-core-cocoa-01 to -04).
    Cocoa,
    /// As [`NonRule::Cocoa`], but 1 octet a second is always allowed (draft-ietf-core-cocoa-03 §5).
    CocoaIetf03,
    /// One message per overall RTO, every eighth confirmable (Californium 1 to 3).
    Californium,
}

/// Window of consecutive messages of which [`CONFIRMABLE`] are confirmable.
const WINDOW: u32 = 16;
const CONFIRMABLE: u32 = 2;
/// Californium's period.
const EIGHTH: u32 = 8;

impl NonRule {
    /// Least time from a message of `octets` to the next, with the overall RTO `rto` at its start.
    #[must_use]
    pub fn gap(self, octets: u32, rto: Span) -> Span {
        // A rate of 0 octets a second is never: the division saturates.
        let at = |rate: u32| Span::from_secs(i64::from(octets)).scale(1, i64::from(rate));
        match self {
            Self::ProbingRate { rate } => at(rate),
            Self::Cocoa | Self::Californium => rto,
            Self::CocoaIetf03 => rto.min(at(super::Policy::PROBING_RATE)),
        }
    }

    /// Whether message number `n` (from 0) goes confirmable. Of any 16 consecutive ones two do when every
    /// eighth does, so the rules differ in what they ask for, not in what a periodic sender sends.
    #[must_use]
    pub const fn confirmable(self, n: u64) -> bool {
        let period = match self {
            Self::ProbingRate { .. } => return false,
            Self::Cocoa | Self::CocoaIetf03 => WINDOW / CONFIRMABLE,
            Self::Californium => EIGHTH,
        };
        n % period as u64 == period as u64 - 1
    }
}

/// One sender's state under a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NonSender {
    rule: NonRule,
    sent: u64,
    next: Instant,
}

impl NonSender {
    /// A sender that has sent nothing.
    #[must_use]
    pub const fn new(rule: NonRule) -> Self {
        Self { rule, sent: 0, next: Instant::MIN }
    }

    /// The earliest moment for a message that is ready at `now`, and whether it goes confirmable.
    #[must_use]
    pub fn next(&self, now: Instant) -> (Instant, bool) {
        (self.next.max(now), self.rule.confirmable(self.sent))
    }

    /// A message of `octets` went at `now`, while the overall RTO was `rto`.
    pub fn on_send(&mut self, now: Instant, octets: u32, rto: Span) {
        self.sent += 1;
        self.next = now + self.rule.gap(octets, rto);
    }

    /// The endpoint answered: PROBING_RATE is for endpoints that do not.
    pub fn on_answer(&mut self) {
        if matches!(self.rule, NonRule::ProbingRate { .. }) {
            self.next = Instant::MIN;
        }
    }
}

/// One message of recorded traffic to one endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// Start of its transmission.
    pub at: Instant,
    /// Its size.
    pub octets: u32,
    /// Whether it was confirmable.
    pub confirmable: bool,
    /// The overall RTO then.
    pub rto: Span,
    /// Whether the endpoint answered before the next message.
    pub answered: bool,
}

/// Violation of a rule by recorded traffic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breach {
    /// Message `n` came `early` too soon after the one before.
    TooSoon {
        /// Number of the message, from 0.
        n: usize,
        /// Time by which it was too early.
        early: Span,
    },
    /// Too few of the consecutive messages that end with message `n` are confirmable.
    TooFewConfirmable {
        /// Number of the message, from 0.
        n: usize,
    },
}

/// Every breach of `rule` in `traffic`, in order.
#[must_use]
pub fn breaches(rule: NonRule, traffic: &[Message]) -> Vec<Breach> {
    let (window, least) = match rule {
        NonRule::ProbingRate { .. } => (usize::MAX, 0),
        NonRule::Cocoa | NonRule::CocoaIetf03 => (WINDOW as usize, CONFIRMABLE as usize),
        NonRule::Californium => (EIGHTH as usize, 1),
    };
    let mut sender = NonSender::new(rule);
    let mut found = Vec::new();
    for (n, message) in traffic.iter().enumerate() {
        let (earliest, _) = sender.next(message.at);
        if earliest > message.at {
            found.push(Breach::TooSoon { n, early: earliest - message.at });
        }
        let last = n.checked_sub(window - 1).and_then(|from| traffic.get(from..=n));
        if last.is_some_and(|last| last.iter().filter(|m| m.confirmable).count() < least) {
            found.push(Breach::TooFewConfirmable { n });
        }
        sender.on_send(message.at, message.octets, message.rto);
        if message.answered {
            sender.on_answer();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBE: NonRule = NonRule::ProbingRate { rate: super::super::Policy::PROBING_RATE };

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    fn seen(ms: i64, octets: u32, confirmable: bool) -> Message {
        Message { at: at(ms), octets, confirmable, rto: Span::from_secs(3), answered: false }
    }

    #[test]
    fn gaps_by_rule() {
        let rto = Span::from_secs(3);
        for (octets, expected) in [(2, [2, 3, 2, 3]), (40, [40, 3, 3, 3])] {
            let rules = [PROBE, NonRule::Cocoa, NonRule::CocoaIetf03, NonRule::Californium];
            assert_eq!(rules.map(|rule| rule.gap(octets, rto).millis() / 1_000), expected, "{octets} octets");
        }
        assert_eq!(NonRule::ProbingRate { rate: 0 }.gap(1, rto), Span::MAX, "never");
    }

    #[test]
    fn probing_ends_when_the_endpoint_answers() {
        let mut sender = NonSender::new(PROBE);
        sender.on_send(at(0), 40, Span::ZERO);
        assert_eq!(sender.next(at(1_000)), (at(40_000), false));
        sender.on_answer();
        assert_eq!(sender.next(at(1_000)).0, at(1_000));
        let mut sender = NonSender::new(NonRule::Cocoa);
        sender.on_send(at(0), 40, Span::from_secs(3));
        sender.on_answer();
        assert_eq!(sender.next(at(1_000)).0, at(3_000), "one per RTO, answered or not");
    }

    #[test]
    fn a_periodic_sender_keeps_its_rule() {
        for rule in [NonRule::Cocoa, NonRule::CocoaIetf03, NonRule::Californium] {
            let confirmable = |n: u64| rule.confirmable(n);
            let traffic: Vec<_> = (0..40_u64).map(|n| seen(n as i64 * 3_000, 40, confirmable(n))).collect();
            assert_eq!(breaches(rule, &traffic), [], "{rule:?}");
            assert_eq!(traffic.iter().filter(|m| m.confirmable).count(), 5, "{rule:?}: every eighth");
        }
    }

    #[test]
    fn breaches_are_found_where_they_are() {
        let mut traffic: Vec<_> = (0..16).map(|n| seen(n * 3_000, 40, n == 3 || n == 4)).collect();
        assert_eq!(breaches(NonRule::Cocoa, &traffic), []);
        traffic[4].confirmable = false;
        assert_eq!(breaches(NonRule::Cocoa, &traffic), [Breach::TooFewConfirmable { n: 15 }]);
        // Californium wants one in eight: none among 4 to 11, …, 8 to 15.
        let n: Vec<_> = breaches(NonRule::Californium, &traffic)
            .into_iter()
            .map(|b| if let Breach::TooFewConfirmable { n } = b { n } else { 0 })
            .collect();
        assert_eq!(n, [11, 12, 13, 14, 15]);
        traffic[7].at = at(20_500);
        let soon = Breach::TooSoon { n: 7, early: Span::from_millis(500) };
        assert!(breaches(NonRule::Cocoa, &traffic).contains(&soon));
        // 40 octets at 1 octet/s: each of the 15 that follow comes 37 s (or so) too soon.
        assert_eq!(breaches(PROBE, &traffic).len(), 15);
    }
}
