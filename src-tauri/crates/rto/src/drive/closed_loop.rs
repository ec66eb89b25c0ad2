//! A sender in virtual time over a scripted link: which copies go out, when, and what ends each
//! exchange. One exchange at a time (NSTART 1), as Californium's message layer does it: a timer, a copy
//! when it expires, and after the last copy one more wait.

use crate::{AlgorithmSpec, Dither, Estimator, Flight};
use base::{Instant, Span};

/// One exchange as the link will treat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripted {
    /// The pause after the end of the exchange before it.
    pub gap: Span,
    /// The draw for the first timeout; retransmissions get it as well.
    pub dither: Dither,
    /// How long the answer to each copy takes from that copy; `None` when it never comes. There are as
    /// many copies as entries, the original included.
    pub delays: Vec<Option<Span>>,
}

/// One exchange as it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// When each copy was sent, and the timeout armed for it.
    pub copies: Vec<(Instant, Span)>,
    /// The timeout the exchange started from, before dithering, as the estimator noted it.
    pub base: Span,
    /// What ended it.
    pub end: End,
    /// Retransmissions sent although the answer to an earlier copy was on its way.
    pub needless: u8,
}

/// What ended an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An answer came.
    Answered {
        /// The copy it answered; 0 is the original.
        copy: u8,
        /// How long after the original.
        after: Span,
    },
    /// Every timer expired.
    Failed,
}

/// A sender with one destination.
#[derive(Debug)]
pub struct ClosedLoop {
    waits_after_last: bool,
    marks_attempts: bool,
    estimator: Box<dyn Estimator>,
    /// The latest exchange; kept for its memory.
    flight: Flight,
    now: Instant,
}

impl ClosedLoop {
    /// A sender at time zero, using `estimator` of algorithm `spec`.
    #[must_use]
    pub fn new(spec: &AlgorithmSpec, estimator: Box<dyn Estimator>) -> Self {
        let AlgorithmSpec { waits_after_last, marks_attempts, .. } = *spec;
        Self { waits_after_last, marks_attempts, estimator, flight: Flight::new(0), now: Instant::ZERO }
    }

    /// The estimator as the last exchange left it.
    #[must_use]
    pub fn estimator(&self) -> &dyn Estimator {
        &*self.estimator
    }

    /// The end of the last exchange.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.now
    }

    /// The copies of the last exchange and their timeouts.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        &self.flight
    }

    /// Plays one exchange to its end.
    ///
    /// ```
    /// use base::Span;
    /// use rto::drive::{ClosedLoop, End, Scripted};
    /// use rto::Dither;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let spec = rto::spec("coap_default").ok_or("registered")?;
    /// let mut sender = ClosedLoop::new(spec, rto::build(spec.id, &serde_json::Value::Null)?);
    /// let slow = Some(Span::from_millis(2_500));
    /// let played = sender.exchange(&Scripted { gap: Span::ZERO, dither: Dither::NONE, delays: vec![slow; 5] });
    /// assert_eq!(played.end, End::Answered { copy: 0, after: Span::from_millis(2_500) });
    /// assert_eq!((played.copies.len(), played.needless), (2, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn exchange(&mut self, script: &Scripted) -> Played {
        let (end, needless) = self.run(script);
        let copies = self.flight.sent.iter().copied().zip(self.flight.armed.iter().copied()).collect();
        Played { copies, base: self.flight.memo.get().base, end, needless }
    }

    /// Plays one exchange without telling its copies, which are in [`flight`](Self::flight); returns
    /// [`Played::end`] and [`Played::needless`].
    pub fn run(&mut self, script: &Scripted) -> (End, u8) {
        let Self { estimator, flight, .. } = self;
        let start = self.now + script.gap;
        let mut now = start;
        flight.restart(0);
        let mut answer: Option<(Instant, u8)> = None;
        let (mut needless, mut end) = (0u8, End::Failed);
        for (copy, &delay) in (0u8..).zip(&script.delays) {
            if copy > 0 {
                estimator.on_timeout(now, flight);
            }
            needless = needless.saturating_add(u8::from(answer.is_some()));
            let timeout = flight.transmit(now, &mut **estimator, script.dither);
            answer = answer.into_iter().chain(delay.map(|delay| (now + delay, copy))).min();
            let last = usize::from(copy) + 1 == script.delays.len();
            if last && !self.waits_after_last {
                break;
            }
            let expiry = now + timeout;
            if let Some((at, copy)) = answer.filter(|&(at, _)| at <= expiry) {
                now = at;
                end = End::Answered { copy, after: at - start };
                break;
            }
            now = expiry;
        }
        match end {
            End::Answered { copy, .. } => {
                estimator.on_ack(now, flight, flight.sample(now, self.marks_attempts.then_some(copy)));
            }
            End::Failed => estimator.on_abandon(now, flight),
        }
        self.now = now;
        (end, needless)
    }
}
