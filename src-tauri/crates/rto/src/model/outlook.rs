//! What an algorithm comes to on a path of constant round trip and independent losses.
//!
//! The estimator is driven over the path without losses until it has settled; from there one exchange is
//! worked out under loss. Its timeouts do not depend on which copies are lost, so the expectation over the
//! copies is a finite sum and exact; the one over the dither is taken by the midpoint rule, which is exact
//! for what is linear in the draw (times, as long as no timer passes the round trip).

use crate::exchange::{ClientExchange, Expiry, SenderRules};
use crate::{AlgorithmSpec, Dither, Estimator, ParamError};
use base::{Instant, Span};
use serde_json::Value;

/// A path, and the sender's rules.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Path {
    /// The round trip of every copy that is answered.
    pub rtt: Span,
    /// The probability that a copy, or the reply to it, is lost; from 0 to 1.
    pub loss: f64,
    /// From the end of an exchange to the start of the next: long gaps age estimators.
    pub gap: Span,
    /// MAX_RETRANSMIT.
    pub max_retransmit: u8,
    /// EXCHANGE_LIFETIME: the exchange ends then whatever its timers say.
    pub exchange_lifetime: Span,
}

impl Path {
    /// RFC 7252 §4.8 over `rtt` and `loss`, 1 s between exchanges.
    #[must_use]
    pub const fn new(rtt: Span, loss: f64) -> Self {
        Self {
            rtt,
            loss,
            gap: Span::from_secs(1),
            max_retransmit: SenderRules::MAX_RETRANSMIT,
            exchange_lifetime: SenderRules::EXCHANGE_LIFETIME,
        }
    }
}

/// What an exchange comes to; means over the dither, and over the exchanges of a cycle where the estimator
/// does not settle.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    /// The estimator arms the same timeouts exchange after exchange.
    pub settled: bool,
    /// The timeouts, seconds, the last included even where the sender does not wait for it.
    pub timeouts: Vec<f64>,
    /// When the sender gives up: least, mean and greatest over the draws, seconds from the first transmission.
    pub give_up: [f64; 3],
    /// The probability that it does not have to.
    pub success: f64,
    /// Seconds from the first transmission to the first reply, of exchanges that succeed; NaN where none does.
    pub completion: f64,
    /// Copies sent.
    pub copies: f64,
    /// Copies among them that were sent although one before is answered.
    pub needless: f64,
}

/// Exchanges until an estimator has settled, if it ever does: the slowest gain of the registry, 1/100, has
/// forgotten all but e⁻⁵ by then, and every other to the last nanosecond.
const WARM_UP: u32 = 512;
/// Exchanges that are averaged afterwards.
const CYCLE: u32 = 16;
/// Points of the midpoint rule over the dither.
const DRAWS: u32 = 32;

/// What `id` with `params` comes to on `path`.
///
/// # Errors
/// As [`crate::build`].
pub fn outlook(id: &str, params: &Value, path: &Path) -> Result<Outlook, ParamError> {
    let estimator = crate::build(id, params)?;
    let spec = crate::spec(id).ok_or_else(|| ParamError::Algorithm { id: id.to_owned() })?;
    Ok(of(estimator, spec, path))
}

fn of(mut estimator: Box<dyn Estimator>, spec: &AlgorithmSpec, path: &Path) -> Outlook {
    let Path { max_retransmit, exchange_lifetime, .. } = *path;
    let sender = Sender { path, rules: SenderRules { max_retransmit, exchange_lifetime, ..SenderRules::of(spec) } };
    let mut now = Instant::ZERO;
    for _ in 0..WARM_UP {
        now = sender.exchange(&mut *estimator, now) + path.gap;
    }
    let mut sum = Sum::default();
    let mut first: Option<Vec<Span>> = None;
    let mut settled = true;
    for _ in 0..CYCLE {
        for draw in 0..DRAWS {
            // The middle of each of equal parts of [0, 1).
            let dither = Dither((draw << 27) | (1 << 26));
            let (timeouts, exchange) = sender.expect(&*estimator, now, dither);
            sum.add(&timeouts, &exchange);
        }
        let ends = [Dither::NONE, Dither(u32::MAX)].map(|dither| sender.expect(&*estimator, now, dither));
        // A back-off factor chosen by the dithered timeout makes giving up jump with the draw, so the ends of
        // the dither need not be its extremes.
        for (_, end) in &ends {
            sum.give_up_range(end.give_up);
        }
        let [(timeouts, _), _] = ends;
        settled &= first.get_or_insert_with(|| timeouts.clone()).iter().zip(&timeouts).all(|(&a, &b)| near(a, b));
        now = sender.exchange(&mut *estimator, now) + path.gap;
    }
    sum.outlook(settled)
}

/// Equal up to what rounding to nanoseconds leaves of an exponential approach.
fn near(a: Span, b: Span) -> bool {
    (a - b).abs() <= Span::from_micros(1)
}

struct Sender<'a> {
    path: &'a Path,
    rules: SenderRules,
}

/// One exchange, expected over which copies are lost.
struct Expected {
    give_up: Span,
    success: f64,
    /// Seconds times probability.
    completion: f64,
    copies: f64,
    needless: f64,
}

impl Sender<'_> {
    /// An exchange in which nothing is answered, until the sender gives up.
    fn run_out(&self, estimator: &mut dyn Estimator, start: Instant, dither: Dither) -> ClientExchange {
        let (mut exchange, mut now) = (ClientExchange::new(self.rules), start);
        loop {
            exchange.transmit(now, estimator, dither);
            now = exchange.deadline();
            if exchange.expired(now, estimator) == Expiry::GaveUp {
                return exchange;
            }
        }
    }

    /// An exchange over the path without losses; returns when it ends.
    fn exchange(&self, estimator: &mut dyn Estimator, start: Instant) -> Instant {
        // Half of the dither: what is learned on a constant path hardly depends on it.
        let dither = Dither(1 << 31);
        let (mut exchange, mut now) = (ClientExchange::new(self.rules), start);
        let reply = start + self.path.rtt;
        loop {
            exchange.transmit(now, estimator, dither);
            if exchange.is_in_time(reply) {
                exchange.answered(reply, Some(0), estimator);
                return reply;
            }
            now = exchange.deadline();
            if exchange.expired(now, estimator) == Expiry::GaveUp {
                return now;
            }
        }
    }

    /// The next exchange, if it starts at `start`, expected over its losses.
    fn expect(&self, estimator: &dyn Estimator, start: Instant, dither: Dither) -> (Vec<Span>, Expected) {
        let exchange = self.run_out(&mut *estimator.clone_box(), start, dither);
        let flight = exchange.flight();
        let sent: Vec<Span> = flight.sent.iter().map(|&at| at - start).collect();
        let give_up = exchange.deadline() - start;
        let loss = if self.path.loss.is_nan() { 1.0 } else { self.path.loss.clamp(0.0, 1.0) };
        let mut e = Expected { give_up, success: 0.0, completion: 0.0, copies: 0.0, needless: 0.0 };
        // The probability that every copy before this one is lost.
        let mut before = 1.0;
        for (at, n) in sent.iter().zip(1_u32..) {
            let reply = *at + self.path.rtt;
            let answered = before * (1.0 - loss);
            let (end, ok) = if reply < give_up { (reply, true) } else { (give_up, false) };
            let copies = sent.iter().filter(|&&sent| sent <= end).count() as f64;
            if ok {
                e.success += answered;
                e.completion += answered * reply.secs_f64();
            }
            e.copies += answered * copies;
            e.needless += answered * (copies - f64::from(n));
            before *= loss;
        }
        e.copies += before * sent.len() as f64;
        (flight.armed.clone(), e)
    }
}

#[derive(Default)]
struct Sum {
    n: f64,
    timeouts: Vec<f64>,
    give_up: f64,
    range: Option<(f64, f64)>,
    success: f64,
    completion: f64,
    copies: f64,
    needless: f64,
}

impl Sum {
    fn add(&mut self, timeouts: &[Span], e: &Expected) {
        self.n += 1.0;
        // Exchanges that EXCHANGE_LIFETIME cuts short differ in length: the common part is averaged.
        if self.timeouts.is_empty() {
            self.timeouts = vec![0.0; timeouts.len()];
        }
        self.timeouts.truncate(timeouts.len());
        self.timeouts.iter_mut().zip(timeouts).for_each(|(sum, timeout)| *sum += timeout.secs_f64());
        self.give_up += e.give_up.secs_f64();
        self.give_up_range(e.give_up);
        self.success += e.success;
        self.completion += e.completion;
        self.copies += e.copies;
        self.needless += e.needless;
    }

    fn give_up_range(&mut self, end: Span) {
        let end = end.secs_f64();
        let (lo, hi) = self.range.unwrap_or((end, end));
        self.range = Some((lo.min(end), hi.max(end)));
    }

    fn outlook(self, settled: bool) -> Outlook {
        let mean = |sum: f64| sum / self.n;
        let (lo, hi) = self.range.unwrap_or((f64::NAN, f64::NAN));
        Outlook {
            settled,
            timeouts: self.timeouts.iter().map(|&sum| mean(sum)).collect(),
            give_up: [lo, mean(self.give_up), hi],
            success: mean(self.success),
            completion: if self.success > 0.0 { self.completion / self.success } else { f64::NAN },
            copies: mean(self.copies),
            needless: mean(self.needless),
        }
    }
}
