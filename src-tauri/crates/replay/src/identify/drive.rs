//! An estimator taken through what its sender lived, and asked at every copy which timeouts it could have armed.

use super::law::{Law, Seconds};
use super::observe::{Kind, Limit, Observed, Seen};
use base::{Instant, Span};
use rto::{Dither, Estimator, Flight, Sample};

/// One thing that was seen of a timer, and what the algorithm expects of it.
#[derive(Clone, Debug)]
pub(crate) struct Sighting {
    /// What was seen.
    pub seen: Glimpse,
    /// The timeouts that the algorithm could have armed.
    pub law: Law,
    /// By how much more than one timer's error the seen and the expected differ, because the expected was
    /// computed from a timeout that was itself only seen.
    pub spread: f64,
    /// The timeout follows from what the algorithm has learned or draws afresh, not from the one before.
    pub fresh: bool,
    /// The gap is two timeouts: the copy between them never went on the air.
    pub missed: bool,
    /// What may have cut the gap short, for the first copy.
    pub limit: Option<Seconds>,
    /// The gap before, if there is one.
    pub before: Option<Seconds>,
}

/// What was seen of a timer, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Glimpse {
    /// It ran out after this long.
    Gap(Seconds),
    /// It had not run out after this long.
    Longer(Seconds),
    /// It had run out after this long.
    Shorter(Seconds),
}

/// How a sender is thought to have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sender {
    /// The packets tell it which copy was answered.
    pub marks: bool,
    /// It had settled at the round trip times of the beginning before the capture began.
    pub settled: bool,
    /// How much earlier than its copies are on the air it believes to send them.
    pub delay: Span,
}

/// A timer that is known to have run this share of what is expected, and no more, says nothing.
const TELLING: f64 = 0.3;
/// A gap that misses what is expected by this share of it does not correct the expectation of the next.
const OUTLIER: f64 = 0.3;
/// A gap this many times the longest timeout may be two of them.
const TWO: f64 = 1.2;
/// It is, if the two miss it by no more than this share.
const NEAR: f64 = 0.1;
/// Exchanges that have gone before in a settled history.
const SETTLED: i64 = 40;
/// They were this far apart.
const APART: Span = Span::from_secs(5);

/// An exchange under way.
struct Open {
    exchange: u32,
    flight: Flight,
    /// Where each copy that was seen is among those of `flight`.
    places: Vec<u8>,
    /// The variance of the latest timeout, in variances of one timer's error.
    variance: f64,
}

/// Takes `estimator` through `observed` and collects what was seen of its timers.
pub(crate) fn drive(mut estimator: Box<dyn Estimator>, sender: Sender, observed: &Observed, out: &mut Vec<Sighting>) {
    let mut now = Instant::MIN;
    if sender.settled
        && let (Some(&(first, ..)), Some(rtt)) = (observed.events.first(), observed.typical)
    {
        now = settle(&mut *estimator, sender, first, rtt);
    }
    let mut open: Vec<Open> = Vec::new();
    let mut spare: Vec<Flight> = Vec::new();
    for &(at, kind, exchange) in &observed.events {
        let Some(seen) = observed.exchanges.get(exchange as usize) else { continue };
        match kind {
            Kind::First => {
                now = now.max(at - sender.delay);
                let mut flight = spare.pop().unwrap_or_default();
                flight.restart(seen.inflight);
                let mut next = Open { exchange, flight, places: Vec::new(), variance: 1.0 };
                next.transmit(now, 0, seen, &mut *estimator, out);
                open.push(next);
            }
            Kind::Again(copy) => {
                now = now.max(at - sender.delay);
                let Some(under_way) = open.iter_mut().find(|o| o.exchange == exchange) else { continue };
                estimator.on_timeout(now, &under_way.flight);
                under_way.transmit(now, copy, seen, &mut *estimator, out);
            }
            Kind::Over => {
                now = now.max(at);
                let Some(place) = open.iter().position(|o| o.exchange == exchange) else { continue };
                let Open { flight, places, .. } = open.swap_remove(place);
                if seen.end.is_some() {
                    let answered = seen.answered.filter(|_| sender.marks);
                    let answered = answered.and_then(|copy| places.get(usize::from(copy)).copied());
                    let sample = flight.sample(now, answered);
                    estimator.on_ack(now, &flight, sample);
                } else {
                    estimator.on_abandon(now, &flight);
                }
                spare.push(flight);
            }
        }
    }
}

/// As if the sender had long met round trips of `rtt`; returns when the last of them was over.
fn settle(estimator: &mut dyn Estimator, sender: Sender, first: Instant, rtt: Span) -> Instant {
    let rtt = rtt + sender.delay;
    let period = APART.max(rtt.scale(2, 1));
    let mut flight = Flight::default();
    let mut now = first;
    for back in (1..=SETTLED).rev() {
        now = first - period.scale(back, 1);
        flight.restart(0);
        flight.transmit(now, estimator, Dither(1 << 31));
        now += rtt;
        let sample = Sample { since_first: rtt, since_last: rtt, attempts: 1, answered: sender.marks.then_some(0) };
        estimator.on_ack(now, &flight, sample);
    }
    now
}

impl Open {
    /// The next copy goes out; what is known of its timer is compared with what the estimator arms.
    fn transmit(
        &mut self,
        now: Instant,
        copy: u16,
        seen: &Seen,
        estimator: &mut dyn Estimator,
        out: &mut Vec<Sighting>,
    ) {
        let index = usize::from(copy);
        let sent = seen.copies.get(index).copied().unwrap_or(now);
        let next = seen.copies.get(index + 1).map(|&next| (next - sent).secs_f64());
        let glimpse = match (next, seen.end) {
            (Some(gap), _) if index + 1 < seen.late => Some(Glimpse::Gap(gap)),
            // The copy is on the air later than `end`, to which its time was cut.
            (Some(gap), _) => Some(Glimpse::Shorter(gap)),
            (None, Some(end)) => Some(Glimpse::Longer((end - sent).secs_f64())),
            (None, None) => None,
        };
        self.places.push(u8::try_from(self.flight.sent.len()).unwrap_or(u8::MAX));
        self.flight.sent.push(now);
        let probe = |dither| {
            let mut twin = estimator.clone_box();
            twin.on_transmit(now, &self.flight, dither).secs_f64()
        };
        let Some(glimpse) = glimpse else {
            let armed = estimator.on_transmit(now, &self.flight, Dither(1 << 31));
            self.flight.armed.push(armed);
            return;
        };
        let shortest = probe(Dither::NONE);
        if let Glimpse::Longer(x) = glimpse
            && x < TELLING * shortest
        {
            let armed = estimator.on_transmit(now, &self.flight, Dither(1 << 31));
            self.flight.armed.push(armed);
            return;
        }
        let law = Law::of(shortest, probe);
        let limit = match (copy, seen.limit) {
            (0, Limit::At(at)) => Some((at - sent).secs_f64()),
            (0, Limit::None) => Some(f64::INFINITY),
            _ => None,
        };
        if let Glimpse::Gap(gap) = glimpse
            && gap > TWO * law.longest()
            && let Some(law) = self.two(now, gap, estimator)
        {
            let fresh = copy == 0 || law.is_drawn();
            out.push(Sighting { seen: glimpse, law, spread: 1.0, fresh, missed: true, limit, before: None });
            return;
        }
        let dither = match glimpse {
            Glimpse::Gap(gap) => law.draw(gap),
            Glimpse::Longer(_) | Glimpse::Shorter(_) => Dither(1 << 31),
        };
        let armed = estimator.on_transmit(now, &self.flight, dither);
        let before = (copy > 0).then(|| self.flight.last_armed().secs_f64());
        let fresh = copy == 0 || law.is_drawn();
        // What is armed, as well as it is known from what was expected and what was seen.
        let factor = before.filter(|_| !fresh).map_or(1.0, |before| armed.secs_f64() / before.max(1e-9));
        let prior = if fresh { 1.0 } else { factor * factor * self.variance };
        let spread = if fresh { 1.0 } else { (prior + 1.0).sqrt() };
        let expected = armed.secs_f64();
        let known = match glimpse {
            Glimpse::Gap(gap) if law.is_drawn() => {
                self.variance = 1.0;
                law.nearest(gap)
            }
            Glimpse::Gap(gap) if (gap - expected).abs() < OUTLIER * expected => {
                let gain = prior / (prior + 1.0);
                self.variance = gain;
                expected + gain * (gap - expected)
            }
            _ => {
                self.variance = prior;
                expected
            }
        };
        self.flight.armed.push(Span::from_secs_f64(known).unwrap_or(armed).max(Span::from_nanos(1)));
        let before = (index > 0 && index < seen.late)
            .then(|| seen.copies.get(index - 1).map(|&before| (sent - before).secs_f64()))
            .flatten();
        out.push(Sighting { seen: glimpse, law, spread, fresh, missed: false, limit, before });
    }

    /// If `gap` is the timeout of the copy just sent and that of another one, which was never on the air: their sum's
    /// law, and both have been sent.
    fn two(&mut self, now: Instant, gap: Seconds, estimator: &mut dyn Estimator) -> Option<Law> {
        let both = |dither| {
            let (mut twin, mut flight) = (estimator.clone_box(), self.flight.clone());
            let first = again(now, &mut flight, &mut *twin, dither);
            first + flight.last_armed().secs_f64()
        };
        let law = Law::of(both(Dither::NONE), both);
        let nearest = law.nearest(gap);
        if (nearest - gap).abs() > NEAR * gap {
            return None;
        }
        let first = again(now, &mut self.flight, estimator, law.draw(gap));
        if let Some(last) = self.flight.armed.last_mut() {
            *last = Span::from_secs_f64(nearest - first).unwrap_or(*last).max(Span::from_nanos(1));
        }
        self.variance = 1.0;
        Some(law)
    }
}

/// Arms the timer of the copy just sent, lets it run out and sends another; returns the first timeout, in seconds.
fn again(now: Instant, flight: &mut Flight, estimator: &mut dyn Estimator, dither: Dither) -> Seconds {
    let armed = estimator.on_transmit(now, flight, dither);
    flight.armed.push(armed);
    estimator.on_timeout(now + armed, flight);
    flight.transmit(now + armed, estimator, dither);
    armed.secs_f64()
}
