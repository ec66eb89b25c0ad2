//! A sender in virtual time over a scripted link: which copies go out, when, and what ends each
//! exchange. One exchange at a time (NSTART 1), as Californium's message layer does it: a timer, a copy
//! when it expires, and after the last copy one more wait.

use crate::exchange::{ClientExchange, Expiry, SenderRules, Tie};
use crate::{AlgorithmSpec, Dither, Estimator, Flight};
use base::{Instant, Span};

/// Script of one exchange: its start and the fate of its copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripted {
    /// Pause after the end of the previous exchange.
    pub gap: Span,
    /// The draw for the first timeout; retransmissions get it as well.
    pub dither: Dither,
    /// Delay of the answer to each copy, from that copy; `None` when it never comes. There are as
    /// many copies as entries, the original included.
    pub delays: Vec<Option<Span>>,
}

/// Course of one exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Time at which each copy was sent and the timeout armed for it, in order.
    pub copies: Vec<(Instant, Span)>,
    /// The timeout the exchange started from, before dithering, as the estimator noted it.
    pub base: Span,
    /// Ending of the exchange.
    pub end: End,
    /// Number of retransmissions sent although the answer to an earlier copy was on its way.
    pub needless: u8,
}

/// Ending of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An answer came before the sender gave up.
    Answered {
        /// The copy that it answered; 0 is the original.
        copy: u8,
        /// Time from the original to the answer.
        after: Span,
    },
    /// Every timer expired, and no answer came.
    Failed,
}

/// A sender with one destination.
#[derive(Debug)]
pub struct ClosedLoop {
    estimator: Box<dyn Estimator>,
    rules: SenderRules,
    /// The latest exchange; reused for its memory.
    exchange: ClientExchange,
    now: Instant,
}

impl ClosedLoop {
    /// Creates a sender at time zero, using `estimator` of algorithm `spec`.
    ///
    /// A script says how many copies there are, so MAX_RETRANSMIT follows from it, and no EXCHANGE_LIFETIME cuts
    /// it short. An answer at the instant of an expiry is in time, as in Californium's runs ([`Tie::AnswerFirst`]).
    #[must_use]
    pub fn new(spec: &AlgorithmSpec, estimator: Box<dyn Estimator>) -> Self {
        let rules = SenderRules { exchange_lifetime: Span::MAX, tie: Tie::AnswerFirst, ..SenderRules::of(spec) };
        Self { estimator, rules, exchange: ClientExchange::new(rules), now: Instant::ZERO }
    }

    /// Returns the estimator as the last exchange left it.
    #[must_use]
    pub fn estimator(&self) -> &dyn Estimator {
        &*self.estimator
    }

    /// Returns the end of the last exchange; zero before any.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Returns the copies of the last exchange and their timeouts.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        self.exchange.flight()
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
        let flight = self.flight();
        let copies = flight.sent.iter().copied().zip(flight.armed.iter().copied()).collect();
        Played { copies, base: flight.memo.get().base, end, needless }
    }

    /// Plays one exchange without collecting its copies, which are in [`flight`](Self::flight). Returns
    /// [`Played::end`] and [`Played::needless`].
    pub fn run(&mut self, script: &Scripted) -> (End, u8) {
        let Self { estimator, exchange, .. } = self;
        let max_retransmit = u8::try_from(script.delays.len().saturating_sub(1)).unwrap_or(u8::MAX);
        exchange.restart(0);
        exchange.set_rules(SenderRules { max_retransmit: Some(max_retransmit), ..self.rules });
        let start = self.now + script.gap;
        let mut now = start;
        let mut answer: Option<(Instant, u8)> = None;
        let (mut needless, mut end) = (0u8, End::Failed);
        for (copy, &delay) in (0u8..).zip(&script.delays) {
            needless = needless.saturating_add(u8::from(answer.is_some()));
            exchange.transmit(now, &mut **estimator, script.dither);
            answer = answer.into_iter().chain(delay.map(|delay| (now + delay, copy))).min();
            if let Some((at, copy)) = answer.filter(|&(at, _)| exchange.is_in_time(at)) {
                now = at;
                end = End::Answered { copy, after: at - start };
                exchange.answered(now, Some(copy), &mut **estimator);
                break;
            }
            now = exchange.deadline();
            if exchange.expired(now, &mut **estimator) == Expiry::GaveUp {
                break;
            }
        }
        self.now = now;
        (end, needless)
    }
}
