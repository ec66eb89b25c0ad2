//! The sender's side of one confirmable message: the state machine of RFC 7252 §4.2, sans-IO.
//!
//! [`ClientExchange`] owns the [`Flight`] of one exchange and decides when a copy goes out and when the sender
//! gives up. Its driver owns the clock, the link and the estimator: it delivers events in order of time and does
//! what each call returns. Replays, enclosures, models and scripts are drivers.
//!
//! ```text
//!            transmit            expired: Retransmit
//!   Idle ──────────────► Waiting ───────────────────► Due
//!                        │  ▲  │                       │
//!              answered, │  │  │ expired: GaveUp       │ transmit
//!              cancelled │  └──┼───────────────────────┘
//!                        ▼     ▼
//!                         Over ── answered: Late
//! ```
//!
//! ```
//! use base::{Instant, Span};
//! use rto::Dither;
//! use rto::exchange::{ClientExchange, Expiry, SenderRules};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let spec = rto::spec("coap_default").ok_or("registered")?;
//! let mut estimator = rto::build(spec.id, &serde_json::Value::Null)?;
//! let mut exchange = ClientExchange::new(SenderRules::of(spec));
//! let mut now = Instant::ZERO;
//! loop {
//!     exchange.transmit(now, &mut *estimator, Dither::NONE);
//!     now = exchange.deadline();
//!     if exchange.expired(now, &mut *estimator) == Expiry::GaveUp {
//!         break;
//!     }
//! }
//! assert_eq!((exchange.flight().sent.len(), now), (5, Instant::ZERO + Span::from_secs(62)));
//! # Ok(())
//! # }
//! ```

use crate::{AlgorithmSpec, Dither, Estimator, Flight, Sample};
use base::{Instant, Span};

/// The rules of a sender besides its timeouts. [`SenderRules::default`] is RFC 7252 §4.8 for an algorithm whose
/// packets carry no mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderRules {
    /// Greatest number of retransmissions of one message (MAX_RETRANSMIT, RFC 7252 §4.8); `None` where the driver
    /// decides.
    pub max_retransmit: Option<u8>,
    /// Time from the first copy after which the exchange ends, whatever its timer says: its message ID may be
    /// used again (EXCHANGE_LIFETIME, RFC 7252 §4.8.2).
    pub exchange_lifetime: Span,
    /// Whether the sender waits one timeout after the last copy (RFC 7252 §4.2). Otherwise it gives up as it sends it
    /// ([`AlgorithmSpec::waits_after_last`]).
    pub waits_after_last: bool,
    /// Whether packets name the copy they answer ([`AlgorithmSpec::marks_attempts`]); without marks Karn's ambiguity
    /// stays in [`Sample`].
    pub marks_attempts: bool,
    /// Order of a timer and an answer of the same instant.
    pub tie: Tie,
}

/// Order of a timer that expires and an answer that arrives at the same instant.
///
/// RFC 7252 §4.2 retransmits "when the timeout is triggered" and calls a transmission successful if the
/// acknowledgement arrives "in time"; which of two simultaneous events a sender handles first is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tie {
    /// The timer expires first: a timeout T equal to the round trip D is early (T ≤ D). A timeout is triggered
    /// once its duration has passed, so only an earlier answer is in time. Replays and models use this.
    #[default]
    TimerFirst,
    /// The answer is handled first, as in the closed-loop runs of Californium 2.8 and 3.14 that
    /// `tests/vectors/cf*__cl_*.csv` record. [`crate::drive::ClosedLoop`] uses this.
    AnswerFirst,
}

impl SenderRules {
    /// Default of MAX_RETRANSMIT, a count without the original (RFC 7252 §4.8).
    pub const MAX_RETRANSMIT: u8 = 4;
    /// Default of EXCHANGE_LIFETIME (RFC 7252 §4.8.2).
    pub const EXCHANGE_LIFETIME: Span = Span::from_secs(247);

    /// Returns the rules of RFC 7252 §4.8 for the sender that `spec` describes.
    #[must_use]
    pub fn of(spec: &AlgorithmSpec) -> Self {
        let AlgorithmSpec { waits_after_last, marks_attempts, .. } = *spec;
        Self { waits_after_last, marks_attempts, ..Self::default() }
    }

    /// Returns the rules of an exchange whose copies and end are given, by a capture or by its driver: neither a number
    /// of copies nor a lifetime ends it.
    #[must_use]
    pub fn observed(marks_attempts: bool) -> Self {
        Self { max_retransmit: None, exchange_lifetime: Span::MAX, marks_attempts, ..Self::default() }
    }
}

impl Default for SenderRules {
    fn default() -> Self {
        Self {
            max_retransmit: Some(Self::MAX_RETRANSMIT),
            exchange_lifetime: Self::EXCHANGE_LIFETIME,
            waits_after_last: true,
            marks_attempts: false,
            tie: Tie::default(),
        }
    }
}

/// Consequence of an expired timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a retransmission has to be sent, and a sender that gave up has to stop"]
pub enum Expiry {
    /// The next copy is due: call [`ClientExchange::transmit`].
    Retransmit,
    /// MAX_RETRANSMIT or EXCHANGE_LIFETIME ended the exchange.
    GaveUp,
}

/// Consequence of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The answer ended the exchange; the estimator got this sample.
    Accepted(Sample),
    /// The exchange was over, or had not begun. The estimator was not called.
    Late,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Phase {
    /// No copy was sent.
    #[default]
    Idle,
    /// A timer runs.
    Waiting,
    /// The timer expired and a copy has to be sent.
    Due,
    /// Answered, given up or cancelled.
    Over,
}

/// One exchange of a client, from the first copy to its end. See the [module documentation](self).
///
/// Reused through [`ClientExchange::restart`], it allocates only while its longest flight grows. The steps of every
/// copy are always inlined, which makes the closed loop a tenth faster (`cargo bench -p rto --bench californium`).
#[derive(Clone, Debug)]
pub struct ClientExchange {
    flight: Flight,
    rules: SenderRules,
    phase: Phase,
    /// No copy follows the latest one.
    is_last: bool,
    /// Factor of the first timeout, at least 1.
    first_factor: i64,
    lifetime_ends: Instant,
    deadline: Instant,
}

impl ClientExchange {
    /// Creates an exchange that is about to start under `rules`, alone with its destination.
    #[must_use]
    pub fn new(rules: SenderRules) -> Self {
        Self {
            flight: Flight::new(0),
            rules,
            phase: Phase::Idle,
            is_last: false,
            first_factor: 1,
            lifetime_ends: Instant::MAX,
            deadline: Instant::MAX,
        }
    }

    /// Makes this an exchange about to start while `inflight` others are open to the destination, in the memory
    /// that it has. The rules stay.
    #[inline]
    pub fn restart(&mut self, inflight: u32) {
        self.flight.restart(inflight);
        self.phase = Phase::Idle;
        self.is_last = false;
        self.first_factor = 1;
        self.deadline = Instant::MAX;
    }

    /// Puts `rules` in place of those of [`ClientExchange::new`], before the first copy.
    #[inline]
    pub fn set_rules(&mut self, rules: SenderRules) {
        debug_assert_eq!(self.phase, Phase::Idle, "rules hold for a whole exchange");
        self.rules = rules;
    }

    /// Multiplies the first timeout by `factor`: the blind rules of the CoCoA drafts, applied by a sender whose
    /// algorithm has no sample yet. The algorithm goes on as if it had started from the longer timeout. Factors
    /// below 1 count as 1; call this before the first copy.
    #[inline]
    pub fn stretch_first(&mut self, factor: i64) {
        debug_assert_eq!(self.phase, Phase::Idle, "only the first timeout is stretched");
        self.first_factor = factor.max(1);
    }

    /// Returns what `ask` makes of the flight as it would be with a copy sent at `now`. Sends nothing.
    pub fn preview<T>(&mut self, now: Instant, ask: impl FnOnce(&Flight) -> T) -> T {
        let memo = self.flight.memo.get();
        self.flight.sent.push(now);
        let answer = ask(&self.flight);
        self.flight.sent.pop();
        self.flight.memo.set(memo);
        answer
    }

    /// Sends the next copy at `now` and arms the timeout that `estimator` chooses. Returns the timeout, at least
    /// 1 ns; [`deadline`](Self::deadline) says when to call [`expired`](Self::expired).
    #[inline(always)]
    pub fn transmit(&mut self, now: Instant, estimator: &mut dyn Estimator, dither: Dither) -> Span {
        self.transmit_with(now, |flight| estimator.on_transmit(now, flight, dither))
    }

    /// Sends as [`transmit`](Self::transmit) does, with the timeout that `arm` returns for the flight: a recorded one,
    /// for example. The flight that `arm` gets holds this copy and the timeouts of those before it.
    #[inline(always)]
    pub fn transmit_with(&mut self, now: Instant, arm: impl FnOnce(&Flight) -> Span) -> Span {
        debug_assert!(matches!(self.phase, Phase::Idle | Phase::Due), "a copy that is not due");
        self.flight.sent.push(now);
        let mut timeout = arm(&self.flight);
        let attempt = self.flight.attempt();
        if attempt == 0 {
            self.lifetime_ends = now + self.rules.exchange_lifetime;
            timeout = self.stretched(timeout);
        }
        self.flight.armed.push(timeout);
        let timeout = timeout.max(Span::from_nanos(1));
        self.phase = Phase::Waiting;
        self.is_last = self.rules.max_retransmit.is_some_and(|most| attempt >= most);
        self.deadline = if self.waits() { (now + timeout).min(self.lifetime_ends) } else { now };
        timeout
    }

    /// The first timeout as [`stretch_first`](Self::stretch_first) wants it, in the estimator's note as well.
    #[inline]
    fn stretched(&self, timeout: Span) -> Span {
        if self.first_factor == 1 {
            return timeout;
        }
        let mut memo = self.flight.memo.get();
        memo.base = memo.base.scale(self.first_factor, 1);
        self.flight.memo.set(memo);
        timeout.scale(self.first_factor, 1)
    }

    /// Handles the deadline: reports the timeout or the failure to `estimator` and returns the next step. `now` is
    /// [`deadline`](Self::deadline), or another moment for a sender whose own timers are recorded. For an
    /// exchange that is over this is [`Expiry::GaveUp`] and no call.
    #[inline]
    pub fn expired(&mut self, now: Instant, estimator: &mut dyn Estimator) -> Expiry {
        if self.gives_up(now) {
            self.cancelled(now, estimator);
            return Expiry::GaveUp;
        }
        estimator.on_timeout(now, &self.flight);
        self.phase = Phase::Due;
        Expiry::Retransmit
    }

    /// Handles an acknowledgement, reset or response at `now` to copy `copy` (0 is the original), where that is
    /// known; only a sender that marks its attempts learns which. Accepts whatever comes while the exchange is
    /// open: a driver with timers asks [`is_in_time`](Self::is_in_time) first or delivers in order of time.
    #[inline]
    pub fn answered(&mut self, now: Instant, copy: Option<u8>, estimator: &mut dyn Estimator) -> Answer {
        if !self.is_open() {
            return Answer::Late;
        }
        self.phase = Phase::Over;
        let sample = self.flight.sample(now, copy.filter(|_| self.rules.marks_attempts));
        estimator.on_ack(now, &self.flight, sample);
        Answer::Accepted(sample)
    }

    /// Ends the exchange without an answer: the application does not want it any more.
    #[inline]
    pub fn cancelled(&mut self, now: Instant, estimator: &mut dyn Estimator) {
        if self.is_open() {
            self.phase = Phase::Over;
            estimator.on_abandon(now, &self.flight);
        }
    }

    /// Returns the moment to call [`expired`](Self::expired) unless an answer is there before: when the timer of the
    /// latest copy expires, EXCHANGE_LIFETIME ends, or, if the sender does not wait after its last copy, when
    /// that was sent. [`Instant::MAX`] before the first copy.
    #[inline]
    #[must_use]
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Returns whether an answer at `at` ends the exchange before its deadline does, by [`SenderRules::tie`].
    #[inline(always)]
    #[must_use]
    pub fn is_in_time(&self, at: Instant) -> bool {
        let early = match self.rules.tie {
            Tie::TimerFirst => at < self.deadline,
            Tie::AnswerFirst => at <= self.deadline && self.waits(),
        };
        early && self.phase == Phase::Waiting
    }

    /// Returns whether the sender waits for an answer to the latest copy; `false` for the last one of a sender that
    /// gives up as it sends it, as Contiki 3.0 does.
    #[inline(always)]
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.rules.waits_after_last || !self.is_last
    }

    /// Returns whether the exchange ends if its deadline is handled at `now`.
    #[inline(always)]
    #[must_use]
    pub fn gives_up(&self, now: Instant) -> bool {
        self.is_last || now >= self.lifetime_ends || !self.is_open()
    }

    /// Returns whether the timeout armed for the latest copy has passed at `now`; `false` where EXCHANGE_LIFETIME or a
    /// sender that does not wait was first.
    #[inline]
    #[must_use]
    pub fn has_timed_out(&self, now: Instant) -> bool {
        self.flight.sent.last().is_some_and(|&sent| now - sent >= self.flight.last_armed())
    }

    /// Returns whether a copy was sent and the exchange has not ended.
    #[inline]
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Waiting | Phase::Due)
    }

    /// Returns the copies and their timeouts, as the estimator sees them.
    #[inline]
    #[must_use]
    pub const fn flight(&self) -> &Flight {
        &self.flight
    }

    /// Returns the rules of the sender.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> &SenderRules {
        &self.rules
    }
}
