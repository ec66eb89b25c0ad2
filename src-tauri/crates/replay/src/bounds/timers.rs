//! Which timeouts an estimator may arm.

use super::endings::{Ended, Ending, Sender};
use super::{Range, Timeouts};
use crate::channel::Path;
use crate::record::AssociationRecord;
use crate::run::Prototype;
use base::{Instant, Span};
use rto::{Dither, Estimator, Flight};

/// The least and the greatest draw.
const DITHERS: [Dither; 2] = [Dither(0), Dither(u32::MAX)];

/// An estimator driven exactly, with the least and the greatest dither, as long as what it meets is
/// determined.
#[derive(Debug)]
pub(super) struct Exact {
    lanes: [Box<dyn Estimator>; 2],
    last: u8,
    marks: bool,
}

impl Exact {
    pub fn new(prototype: &Prototype, last: u8) -> Self {
        Self { lanes: [prototype.fresh(), prototype.fresh()], last, marks: prototype.marks }
    }

    /// The timeouts of an exchange that starts at `start`, if it runs to the end.
    pub fn timeouts(&mut self, start: Instant) -> Timeouts {
        let mut ranges = Vec::with_capacity(usize::from(self.last) + 1);
        for (lane, dither) in self.lanes.iter().zip(DITHERS) {
            let mut flight = Flight::new(0);
            run_out(&mut *lane.clone_box(), &mut flight, start, dither, self.last);
            widen(&mut ranges, &flight.armed);
        }
        ranges
    }

    /// Takes in how the exchange ended, if that is determined; else the estimator's state no longer is.
    pub fn learn(mut self, start: Instant, timeouts: &Timeouts, possible: &[Ended]) -> Option<Self> {
        let &[ended] = possible else { return None };
        let fixed_timers = timeouts.iter().all(|t| t.lo == t.hi);
        if ended.duration.lo != ended.duration.hi || (ended.retransmissions > 0 && !fixed_timers) {
            return None;
        }
        let end = start + ended.duration.lo;
        for (lane, dither) in self.lanes.iter_mut().zip(DITHERS) {
            let mut flight = Flight::new(0);
            let mut now = start;
            now += flight.transmit(now, &mut **lane, dither);
            for _ in 0..ended.retransmissions {
                lane.on_timeout(now, &flight);
                now += flight.transmit(now, &mut **lane, dither);
            }
            match ended.ending {
                Ending::Answered => {
                    let answered = if self.marks { Some(ended.closed_by?) } else { None };
                    lane.on_ack(end, &flight, flight.sample(end, answered));
                }
                Ending::Failed => lane.on_abandon(end, &flight),
                Ending::Open => return None,
            }
        }
        Some(self)
    }
}

/// Every timeout an estimator armed under histories that span what may happen, per attempt.
#[derive(Debug)]
pub(super) struct Reach {
    timeouts: Timeouts,
}

/// How an exchange of an extreme history goes.
#[derive(Clone, Copy, Debug)]
enum Fortune {
    /// The first copy is answered in the shortest plausible time.
    Fast,
    /// The first copy is answered after the longest plausible time.
    Slow,
    /// Copies up to this one are lost; the next is answered fast.
    Lost(u8),
}

/// The histories: what happens to the `i`-th exchange.
const HISTORIES: [fn(usize) -> Fortune; 8] = [
    |_| Fortune::Fast,
    |_| Fortune::Slow,
    |_| Fortune::Lost(u8::MAX),
    |_| Fortune::Lost(0),
    |i| if i % 2 == 0 { Fortune::Fast } else { Fortune::Slow },
    |i| if i % 2 == 0 { Fortune::Fast } else { Fortune::Lost(1) },
    |i| if i / 8 % 2 == 0 { Fortune::Fast } else { Fortune::Slow },
    |i| if i / 8 % 2 == 0 { Fortune::Slow } else { Fortune::Fast },
];

impl Reach {
    /// Drives fresh estimators through [`HISTORIES`], started at the recorded starts (idle times matter to
    /// some), alone and with all other places taken.
    pub fn new(
        prototype: &Prototype,
        association: &AssociationRecord,
        path: &Path,
        sender: &Sender<'_>,
        nstart: u32,
    ) -> Self {
        let mut timeouts = Vec::new();
        let company = if nstart > 1 { vec![0, nstart - 1] } else { vec![0] };
        for inflight in company {
            for history in HISTORIES {
                for dither in DITHERS {
                    let mut estimator = prototype.fresh();
                    let mut free = Instant::MIN;
                    for (i, e) in association.exchanges.iter().enumerate() {
                        let start = e.start().max(free);
                        let mut probe = Flight::new(inflight);
                        run_out(&mut *estimator.clone_box(), &mut probe, start, dither, sender.last);
                        widen(&mut timeouts, &probe.armed);
                        let fortune = history(i);
                        free = live(&mut *estimator, inflight, start, dither, fortune, path, sender, prototype.marks);
                    }
                }
            }
        }
        Self { timeouts }
    }

    pub fn timeouts(&self) -> Timeouts {
        self.timeouts.clone()
    }
}

/// One exchange of a history; returns its end.
#[expect(clippy::too_many_arguments, reason = "one call; a struct would only rename them")]
fn live(
    estimator: &mut dyn Estimator,
    inflight: u32,
    start: Instant,
    dither: Dither,
    fortune: Fortune,
    path: &Path,
    sender: &Sender<'_>,
    marks: bool,
) -> Instant {
    let (answered, rtt) = match fortune {
        Fortune::Fast => (0, path.plausible.0),
        Fortune::Slow => (0, path.plausible.1),
        Fortune::Lost(copy) => (copy.saturating_add(1), path.plausible.0),
    };
    let mut flight = Flight::new(inflight);
    let mut now = start;
    let mut arrives = None;
    for attempt in 0..=sender.last {
        if attempt > 0 {
            estimator.on_timeout(now, &flight);
        }
        let timeout = flight.transmit(now, estimator, dither).max(Span::from_nanos(1));
        if attempt == answered {
            arrives = Some(now + rtt);
        }
        if let Some(end) = arrives.filter(|&end| end < now + timeout) {
            let sample = flight.sample(end, if marks { Some(answered) } else { None });
            estimator.on_ack(end, &flight, sample);
            return end;
        }
        now = (now + timeout).min(start + sender.lifetime);
        if now >= start + sender.lifetime {
            break;
        }
    }
    estimator.on_abandon(now, &flight);
    now
}

/// Sends every copy, unanswered.
fn run_out(estimator: &mut dyn Estimator, flight: &mut Flight, start: Instant, dither: Dither, last: u8) {
    let mut now = start;
    for attempt in 0..=last {
        if attempt > 0 {
            estimator.on_timeout(now, flight);
        }
        now += flight.transmit(now, estimator, dither).max(Span::from_nanos(1));
    }
}

fn widen(ranges: &mut Timeouts, armed: &[Span]) {
    for (i, &timeout) in armed.iter().enumerate() {
        let timeout = timeout.max(Span::from_nanos(1));
        match ranges.get_mut(i) {
            Some(range) => *range = Range { lo: range.lo.min(timeout), hi: range.hi.max(timeout) },
            None => ranges.push(Range { lo: timeout, hi: timeout }),
        }
    }
}
