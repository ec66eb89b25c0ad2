//! An estimator driven through the observed events of its sender, and asked at every copy which timeouts it could have
//! armed.

use super::likelihood::observation::{Observation, TimerDuration};
use super::likelihood::timeout_distribution::TimeoutDistribution;
use super::likelihood::timing_error::Seconds;
use super::observed::{Event, FirstReply, ObservedAssociation, ObservedExchange};
use base::{Instant, Span};
use rto::exchange::{ClientExchange, Expiry, SenderRules};
use rto::{Dither, Estimator};

/// Assumptions about a sender whose timers are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sender {
    /// Whether its packets name the copy that they answer.
    pub marks: bool,
    /// Whether its estimator had settled, before the capture began, at the round trip times of the beginning.
    pub settled: bool,
    /// Time from the sending of a copy, as the estimator knows it, to its transmission on the air.
    pub delay: Span,
}

/// Least share of the shortest timeout at which a right-censored timer is an observation. Chosen here for speed: below
/// it every algorithm gives the reading a probability near 1.
const INFORMATIVE: f64 = 0.3;
/// Largest miss, as a share of the expected timeout, that updates the expectation of the next. Chosen here by
/// judgement: a larger one is an outlier.
const OUTLIER: f64 = 0.3;
/// Least multiple of the longest timeout at which a gap may hold two timeouts. Chosen here by judgement: no
/// experiment decides it; up to there a copy that came late is the simpler reason; much above it, two short timeouts
/// without a back-off are missed. [`NEAR`] decides the rest.
const TWO: f64 = 1.2;
/// Largest miss, as a share of the gap, of two timeouts that are taken for it. Chosen here by judgement: no
/// experiment decides it; double takes other long gaps for copies that never went on the air, half leaves real ones
/// as outliers; `cargo test --release -p replay --test identify_runs -- --nocapture` scores what follows.
const NEAR: f64 = 0.1;
/// Number of exchanges in a settled history. Chosen here: an average of weight 1/8 (RFC 6298 §2) keeps 0.5 % of its
/// start.
const SETTLED: i64 = 40;
/// Least time between two exchanges of a settled history. Chosen here by judgement: no experiment decides it;
/// estimators that age with time see pauses of so much before the first exchange, so that an RTO of CoCoA below 0.31
/// s ages there (after 16 RTOs). Repeat as [`NEAR`].
const APART: Span = Span::from_secs(5);
/// Dither in the middle of its range, where the true one is not known.
const MIDDLE: Dither = Dither(1 << 31);

/// An exchange under way.
struct Open {
    /// Position of the exchange among those of the association.
    index: u32,
    exchange: ClientExchange,
    /// The position of each observed copy among those of `exchange`, which also has the missed ones.
    positions: Vec<u8>,
    /// Variance of the latest timeout, as a multiple of the variance of one timer's error.
    variance: f64,
}

/// Drives `estimator` through the events of `observed` and appends the observations of its timers to `out`, in order of
/// the copies that armed them.
pub(super) fn drive(
    mut estimator: Box<dyn Estimator>,
    sender: Sender,
    observed: &ObservedAssociation,
    out: &mut Vec<Observation>,
) {
    let rules = SenderRules::observed(sender.marks);
    let mut now = Instant::MIN;
    if sender.settled
        && let (Some(&(first, ..)), Some(rtt)) = (observed.events.first(), observed.typical_rtt)
    {
        now = settle(&mut *estimator, rules, first, rtt + sender.delay);
    }
    let mut open: Vec<Open> = Vec::new();
    let mut spare: Vec<ClientExchange> = Vec::new();
    for &(at, event, index) in &observed.events {
        let Some(seen) = observed.exchanges.get(index as usize) else { continue };
        match event {
            Event::Start => {
                now = now.max(at - sender.delay);
                let mut exchange = spare.pop().unwrap_or_else(|| ClientExchange::new(rules));
                exchange.restart(seen.inflight);
                let mut next = Open { index, exchange, positions: Vec::new(), variance: 1.0 };
                next.transmit(now, 0, seen, &mut *estimator, out);
                open.push(next);
            }
            Event::Retransmission(copy) => {
                now = now.max(at - sender.delay);
                let Some(under_way) = open.iter_mut().find(|o| o.index == index) else { continue };
                if under_way.exchange.expired(now, &mut *estimator) == Expiry::Retransmit {
                    under_way.transmit(now, copy, seen, &mut *estimator, out);
                }
            }
            Event::End => {
                now = now.max(at);
                let Some(place) = open.iter().position(|o| o.index == index) else { continue };
                let Open { mut exchange, positions, .. } = open.swap_remove(place);
                if seen.end.is_some() {
                    let answered = seen.answered.and_then(|copy| positions.get(usize::from(copy)).copied());
                    exchange.answered(now, answered, &mut *estimator);
                } else {
                    exchange.cancelled(now, &mut *estimator);
                }
                spare.push(exchange);
            }
        }
    }
}

/// Drives `estimator` through [`SETTLED`] exchanges with round trips of `rtt` before `first`. Returns the end of the
/// last.
fn settle(estimator: &mut dyn Estimator, rules: SenderRules, first: Instant, rtt: Span) -> Instant {
    let period = APART.max(rtt.scale(2, 1));
    let mut exchange = ClientExchange::new(rules);
    let mut now = first;
    for back in (1..=SETTLED).rev() {
        now = first - period.scale(back, 1);
        exchange.restart(0);
        exchange.transmit(now, estimator, MIDDLE);
        now += rtt;
        exchange.answered(now, Some(0), estimator);
    }
    now
}

/// The reading of the timer of copy `index`, sent at `sent`; `None` if nothing was seen of it.
fn reading(seen: &ObservedExchange, index: usize, sent: Instant) -> Option<TimerDuration> {
    let next = seen.copies.get(index + 1).map(|&next| (next - sent).secs_f64());
    match (next, seen.end) {
        (Some(gap), _) if index + 1 < seen.late => Some(TimerDuration::Exact(gap)),
        // The next copy is on the air later than `end`, to which its time was cut.
        (Some(gap), _) => Some(TimerDuration::LeftCensored(gap)),
        (None, Some(end)) => Some(TimerDuration::RightCensored((end - sent).secs_f64())),
        (None, None) => None,
    }
}

impl Open {
    /// Sends copy `copy` and appends the observation of its timer, if there is one.
    fn transmit(
        &mut self,
        now: Instant,
        copy: u16,
        seen: &ObservedExchange,
        estimator: &mut dyn Estimator,
        out: &mut Vec<Observation>,
    ) {
        let index = usize::from(copy);
        let sent = seen.copies.get(index).copied().unwrap_or(now);
        self.positions.push(u8::try_from(self.exchange.flight().sent.len()).unwrap_or(u8::MAX));
        let reading = reading(seen, index, sent);
        let Some(reading) = reading else {
            self.exchange.transmit(now, estimator, MIDDLE);
            return;
        };
        let distribution = self.exchange.preview(now, |flight| {
            // The timeout that the estimator would arm; a copy of it is asked, so that nothing changes.
            let probe = |dither| estimator.clone_box().on_transmit(now, flight, dither).secs_f64();
            let shortest = probe(Dither::NONE);
            let is_informative = !matches!(reading, TimerDuration::RightCensored(x) if x < INFORMATIVE * shortest);
            is_informative.then(|| TimeoutDistribution::of(shortest, probe))
        });
        let Some(distribution) = distribution else {
            self.exchange.transmit(now, estimator, MIDDLE);
            return;
        };
        let limit = match (copy, seen.limit) {
            (0, FirstReply::At(at)) => Some((at - sent).secs_f64()),
            (0, FirstReply::None) => Some(f64::INFINITY),
            _ => None,
        };
        if let TimerDuration::Exact(gap) = reading
            && gap > TWO * distribution.longest()
            && let Some(distribution) = self.transmit_two(now, gap, estimator)
        {
            let fresh = copy == 0 || distribution.is_random();
            out.push(Observation { reading, distribution, spread: 1.0, fresh, missed: true, limit, before: None });
            return;
        }
        let fresh = copy == 0 || distribution.is_random();
        let spread = self.transmit_observed(now, reading, &distribution, fresh, estimator);
        let before = (index > 0 && index < seen.late)
            .then(|| seen.copies.get(index - 1).map(|&before| (sent - before).secs_f64()))
            .flatten();
        out.push(Observation { reading, distribution, spread, fresh, missed: false, limit, before });
    }

    /// Sends a copy whose timer ran out once, and arms what is known of its timeout. Returns the observation's spread.
    ///
    /// A backed-off timeout follows a scalar Kalman filter (Kalman, J. Basic Eng. 82, 1960) whose state is the timeout
    /// and whose measurement is the gap, with variances in those of one timer's error: the back-off by a factor f
    /// predicts f²·P, and the gain is P / (P + 1). A `fresh` timeout starts the filter again.
    fn transmit_observed(
        &mut self,
        now: Instant,
        reading: TimerDuration,
        distribution: &TimeoutDistribution,
        fresh: bool,
        estimator: &mut dyn Estimator,
    ) -> f64 {
        let dither = match reading {
            TimerDuration::Exact(gap) => distribution.dither_of(gap),
            TimerDuration::RightCensored(_) | TimerDuration::LeftCensored(_) => MIDDLE,
        };
        let (variance, mut spread) = (&mut self.variance, 1.0);
        self.exchange.transmit_with(now, |flight| {
            let armed = estimator.on_transmit(now, flight, dither);
            let expected = armed.secs_f64();
            let mut prior = 1.0;
            if !fresh {
                let factor = expected / flight.last_armed().secs_f64().max(1e-9);
                prior = factor * factor * *variance;
                spread = (prior + 1.0).sqrt();
            }
            let known = match reading {
                TimerDuration::Exact(gap) if distribution.is_random() => {
                    *variance = 1.0;
                    distribution.nearest(gap)
                }
                TimerDuration::Exact(gap) if (gap - expected).abs() < OUTLIER * expected => {
                    let gain = prior / (prior + 1.0);
                    *variance = gain;
                    expected + gain * (gap - expected)
                }
                _ => {
                    *variance = prior;
                    expected
                }
            };
            Span::from_secs_f64(known).unwrap_or(armed).max(Span::from_nanos(1))
        });
        spread
    }

    /// Sends a copy and a second one that never went on the air, if the sum of their timeouts explains `gap`. Returns
    /// the distribution of that sum.
    fn transmit_two(
        &mut self,
        now: Instant,
        gap: Seconds,
        estimator: &mut dyn Estimator,
    ) -> Option<TimeoutDistribution> {
        let sum = |dither| {
            let (mut exchange, mut estimator) = (self.exchange.clone(), estimator.clone_box());
            let first = transmit_and_expire(&mut exchange, now, &mut *estimator, dither);
            exchange.transmit(now + first, &mut *estimator, dither);
            first.secs_f64() + exchange.flight().last_armed().secs_f64()
        };
        let distribution = TimeoutDistribution::of(sum(Dither::NONE), sum);
        let nearest = distribution.nearest(gap);
        if (nearest - gap).abs() > NEAR * gap {
            return None;
        }
        let dither = distribution.dither_of(gap);
        let first = transmit_and_expire(&mut self.exchange, now, estimator, dither);
        let second = now + first;
        self.exchange.transmit_with(second, |flight| {
            let armed = estimator.on_transmit(second, flight, dither);
            Span::from_secs_f64(nearest - first.secs_f64()).unwrap_or(armed).max(Span::from_nanos(1))
        });
        self.variance = 1.0;
        Some(distribution)
    }
}

/// Sends a copy and lets its timer run out. Returns the timeout.
fn transmit_and_expire(
    exchange: &mut ClientExchange,
    now: Instant,
    estimator: &mut dyn Estimator,
    dither: Dither,
) -> Span {
    exchange.transmit(now, estimator, dither);
    let armed = exchange.flight().last_armed();
    // Retransmits always: the rules of a followed sender never end an exchange.
    let _ = exchange.expired(now + armed, estimator);
    armed
}
