//! Expected course of one exchange on a path of constant round trip and independent losses.
//!
//! The estimator is driven over the path without losses until it has settled. From there one exchange is
//! computed under loss. Its timeouts do not depend on which copies are lost, so the expectation over the
//! copies is an exact finite sum. The expectation over the dither is the midpoint rule, exact for quantities
//! linear in the draw (times, as long as no timer passes the round trip).

use crate::exchange::{ClientExchange, Expiry, SenderRules};
use crate::{AlgorithmSpec, Dither, Estimator, ParamError};
use base::{Instant, Span};
use serde_json::Value;

/// Path of constant round trip and independent losses, and the sender's rules.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Path {
    /// The round trip of every copy that is answered.
    pub rtt: Span,
    /// The probability that a copy, or the reply to it, is lost; from 0 to 1.
    pub loss: f64,
    /// Time from the end of an exchange to the start of the next: long gaps age estimators.
    pub gap: Span,
    /// MAX_RETRANSMIT: greatest number of retransmissions of one exchange.
    pub max_retransmit: u8,
    /// EXCHANGE_LIFETIME: the exchange ends then whatever its timers say.
    pub exchange_lifetime: Span,
}

impl Path {
    /// Creates a path of `rtt` and `loss` with the rules of RFC 7252 §4.8 and 1 s between exchanges.
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

/// Expected course of one exchange: means over the dither, and over the exchanges of a cycle where the estimator
/// does not settle.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    /// Whether the estimator arms the same timeouts exchange after exchange, to 1 µs.
    pub settled: bool,
    /// The timeouts of the copies in their order, seconds, the last included even where the sender does not wait for
    /// it.
    pub timeouts: Vec<f64>,
    /// Time of giving up: least, mean and greatest over the draws, seconds from the first transmission.
    pub give_up: [f64; 3],
    /// The probability that a reply comes before the sender gives up.
    pub success: f64,
    /// Seconds from the first transmission to the first reply, of exchanges that succeed; NaN where none does.
    pub completion: f64,
    /// Mean number of copies sent, the original included.
    pub copies: f64,
    /// Mean number of copies among them that were sent although one before is answered.
    pub needless: f64,
}

/// Number of exchanges and draws of one computation.
#[derive(Clone, Copy)]
struct Effort {
    /// Number of exchanges until an estimator has settled, if it ever does.
    warm_up: u32,
    /// Number of exchanges that are averaged afterwards.
    cycle: u32,
    /// Number of points of the midpoint rule over the dither; a power of two, so that they divide the draws evenly.
    draws: u32,
}

/// Effort of [`outlook`]. Chosen here: after 512 exchanges the slowest gain of the registry, 1/100, has forgotten all
/// but e⁻⁵, and twice the effort changes settled outlooks by less than 1 %; repeat with
/// `cargo test -p rto twice_the_effort`.
const EFFORT: Effort = Effort { warm_up: 512, cycle: 16, draws: 32 };

/// Returns the expected course of an exchange of algorithm `id` with `params` on `path`.
///
/// # Errors
/// The same as [`crate::build`].
pub fn outlook(id: &str, params: &Value, path: &Path) -> Result<Outlook, ParamError> {
    let estimator = crate::build(id, params)?;
    let spec = crate::spec(id).ok_or_else(|| ParamError::Algorithm { id: id.to_owned() })?;
    Ok(expected(estimator, spec, path, EFFORT))
}

fn expected(mut estimator: Box<dyn Estimator>, spec: &AlgorithmSpec, path: &Path, effort: Effort) -> Outlook {
    let Path { max_retransmit, exchange_lifetime, .. } = *path;
    let max_retransmit = Some(max_retransmit);
    let sender = Sender { path, rules: SenderRules { max_retransmit, exchange_lifetime, ..SenderRules::of(spec) } };
    let mut now = Instant::ZERO;
    for _ in 0..effort.warm_up {
        now = sender.exchange(&mut *estimator, now) + path.gap;
    }
    let mut sum = Sum::default();
    let mut first: Option<Vec<Span>> = None;
    let mut settled = true;
    for _ in 0..effort.cycle {
        for draw in 0..effort.draws {
            // The middle of each of equal parts of [0, 1).
            let part = u32::MAX / effort.draws + 1;
            let dither = Dither(draw * part + part / 2);
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

/// Tests equality up to 1 µs, which rounding to nanoseconds leaves of an exponential approach.
fn near(a: Span, b: Span) -> bool {
    (a - b).abs() <= Span::from_micros(1)
}

struct Sender<'a> {
    path: &'a Path,
    rules: SenderRules,
}

/// One exchange, averaged over the patterns of lost copies.
struct Expected {
    give_up: Span,
    success: f64,
    /// Sum of seconds times probability over the successful patterns.
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
        // The middle draw: on a constant path the estimate hardly depends on it.
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

    /// Timeouts and expectation of the next exchange, if it starts at `start`.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts for the presets that settle that more exchanges and draws give the same timeouts, and nearly the same
    /// means.
    #[test]
    fn twice_the_effort_changes_little() {
        let twice = Effort { warm_up: 2 * EFFORT.warm_up, cycle: 2 * EFFORT.cycle, draws: 2 * EFFORT.draws };
        let path = Path::new(Span::from_millis(700), 0.3);
        let mut compared = 0;
        for spec in crate::algorithms() {
            let [once, twice] = [EFFORT, twice].map(|effort| {
                expected(crate::build(spec.id, &Value::Null).expect("defaults are legal"), spec, &path, effort)
            });
            if !once.settled || !twice.settled {
                continue;
            }
            compared += 1;
            let pairs = once.timeouts.iter().zip(&twice.timeouts);
            let means =
                [(once.completion, twice.completion), (once.copies, twice.copies), (once.give_up[1], twice.give_up[1])];
            for (a, b) in pairs.map(|(&a, &b)| (a, b)).chain(means) {
                assert!((a - b).abs() < 0.01 * b.abs(), "{}: {once:?}, {twice:?}", spec.id);
            }
        }
        assert!(compared > 40, "{compared} presets settle");
    }
}
