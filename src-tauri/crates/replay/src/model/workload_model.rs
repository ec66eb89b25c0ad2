//! Model of when applications send, and workloads drawn from it.
//!
//! A capture shows when requests were sent, not when they were wanted: in a network that cannot keep up, most wait for
//! the one before them, and an application with a short queue drops some that leave no trace at all. A timer that ends
//! the congestion would send those. So under the network twin the recorded starts of requests that did not wait are
//! kept, and what came between is drawn from the gaps of all clients of one server, which run one program.

mod gaps;
mod side_by_side;
mod stopping;

use super::workload::{NONE, Trigger, WorkloadPlan, timed};
use super::{AssociationRecord, ExchangeRecord, Purpose, RandomStream, Record, Workload};
use base::{ExchangeId, Instant, Span};
use gaps::{median, pauses, pool, regularity};
use side_by_side::SideBySide;
use std::collections::BTreeSet;
use stopping::stops;

/// Time from an end, beside the usual wait for the medium, within which a request counts as following it. Chosen here:
/// back-to-back clients of Cooja take less (`rtoscope calibrate` scores the workloads that follow for every run).
const FOLLOWS: Span = Span::from_millis(130);
/// Time without an open exchange, beside the usual wait for the medium, after which a client counts as idle: a queue
/// and its back-off are over. Chosen here, repeated as [`FOLLOWS`] is.
const IDLE: Span = Span::from_millis(400);
/// Time within which clients must start to react to one event. Chosen here, as [`FOLLOWS`] is.
const EVENT: Span = Span::from_millis(120);
/// Least number of clients of one event, and as a share of all clients. Chosen here, as [`FOLLOWS`] is.
const EVENT_CLIENTS: (usize, f64) = (3, 0.35);
/// Number of standard deviations of a Poisson number above its mean that an event must exceed: more clients than
/// chance brings together. Chosen here by judgement: no experiment decides it; it counts where clients are many and
/// busy, else [`EVENT_CLIENTS`] asks for more. Repeat as [`FOLLOWS`].
const BY_CHANCE: f64 = 5.0;
/// Share of a client's requests in events, 0 to 1, from which on its starts are kept as recorded: to draw them again
/// would end the events. Chosen here: the bursts of `shared/cooja` reach 0.2 to 0.5, periodic reports 0.01 (`cargo test
/// -p replay --lib workload_model`).
const IN_EVENTS: f64 = 0.1;
/// Greatest factor, beside [`SOME`] more, by which the number of exchanges may grow when they are faster. Chosen
/// here, to bound memory: a timer under which a client would send more than four times as often is cut short.
const FASTER: usize = 4;
/// Number of exchanges that may be added in any case; see [`FASTER`]. Chosen here by judgement: enough for a client
/// that was captured with a few.
const SOME: usize = 100;

/// Shortest time from handing a packet to a CSMA MAC to its frame. Chosen here: the turnaround of Cooja's motes
/// (`twin/stacks/contiki-ng-cooja.toml`), for every stack.
const ACCESS: Span = Span::from_millis(2);

/// Part of the recorded starts that a draw keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// Starts of requests that did not wait.
    Known,
    /// No start, unless clients react to common events.
    Nothing,
}

/// Model of one association's application.
#[derive(Clone, Debug)]
struct Application {
    workload: Workload,
    /// Exchanges open at once; in a closed loop the loops side by side.
    loops: usize,
    /// Whether its client was idle before each exchange.
    is_idle: Vec<bool>,
    /// Time at which its client wanted each exchange, as far as that shows: the beginning of the event that it belongs
    /// to, else its start.
    wanted: Vec<Instant>,
    /// From start to start of idle clients; from end to start in a closed loop. In order of length.
    gaps: Vec<Span>,
    /// Whether requests begin together with those of other clients ([`IN_EVENTS`]).
    has_events: bool,
    /// End of its sending: that of the record, or sooner for a client that stopped.
    until: Instant,
}

/// Models of the applications of a record, by association.
#[derive(Clone, Debug)]
pub(crate) struct WorkloadModel {
    applications: Vec<Application>,
    until: Instant,
}

/// Workload of one association in one replicate. Exchanges beyond the recorded ones repeat their requests, in order.
#[derive(Clone, Debug)]
pub(crate) struct DrawnWorkload {
    /// Association with the drawn exchanges.
    pub record: AssociationRecord,
    /// Events that make them ready.
    pub plan: WorkloadPlan,
    /// Recorded exchange whose request each exchange sends.
    pub requests: Vec<ExchangeId>,
}

impl DrawnWorkload {
    fn new(record: AssociationRecord, plan: WorkloadPlan) -> Self {
        let requests = record.exchanges.iter().map(|e| e.id).collect();
        Self { record, plan, requests }
    }

    /// Gives exchanges that repeat a request identifiers of their own, from `next` on, which then is the next free one:
    /// they are no exchange of the trace.
    pub fn number(&mut self, next: &mut u32) {
        let mut seen = BTreeSet::new();
        for exchange in self.record.exchanges.iter_mut().filter(|e| !seen.insert(e.id)) {
            exchange.id = ExchangeId(*next);
            *next = next.saturating_add(1);
        }
    }
}

impl WorkloadModel {
    /// Models of the applications of `record`. `access`: usual wait for the medium before a frame.
    pub fn new(record: &Record, access: Span) -> Self {
        let events = events(record);
        let mut applications: Vec<Application> =
            record.associations().iter().map(|a| Application::new(a, access, &events)).collect();
        pool(record, &mut applications);
        let until = record.window().map_or(Instant::MAX, |window| window.1);
        for (association, application) in record.associations().iter().zip(&mut applications) {
            application.until = stops(association, until).unwrap_or(until);
        }
        Self { applications, until }
    }

    /// Greatest number of exchanges that a client has open at once.
    pub fn most_open(&self) -> usize {
        self.applications.iter().map(|application| application.loops).max().unwrap_or(1)
    }

    /// End of the record: nothing is sent after it.
    pub const fn until(&self) -> Instant {
        self.until
    }

    /// Draws the workload of the association at `path` in one replicate; `plan` is that of the trace, `draws` are seed
    /// and replicate. The recorded one, where the capture shows no gaps.
    pub fn draw(
        &self,
        record: &AssociationRecord,
        plan: &WorkloadPlan,
        (path, keep): (u32, Keep),
        draws: (u64, u32),
    ) -> DrawnWorkload {
        let stream = RandomStream::new(draws.0, draws.1, path, Purpose::Workload);
        let Some(application) = self.applications.get(path as usize).filter(|a| !a.gaps.is_empty()) else {
            return DrawnWorkload::new(record.clone(), plan.clone());
        };
        match application.workload {
            Workload::Arrivals => application.arrivals(record, plan, keep, &stream, application.until),
            Workload::ThinkTime => application.closed_loop(record, plan, &stream),
        }
    }
}

impl Application {
    fn new(association: &AssociationRecord, access: Span, events: &[Event]) -> Self {
        let exchanges = &association.exchanges;
        let before = |i: usize| i.checked_sub(1).and_then(|i| exchanges.get(i));
        let numbered = || exchanges.iter().enumerate();
        let is_idle = |(i, e): (usize, &ExchangeRecord)| {
            let Some(before) = before(i) else { return true };
            let is_free = before.end.is_some_and(|end| e.start() - end > IDLE + access);
            is_free && e.ready.is_none() && before.copies.len() == 1
        };
        let think = |(i, e): (usize, &ExchangeRecord)| Some(e.start() - before(i)?.end?);
        let side_by_side = SideBySide::of(association, IDLE + access);
        let (is_idle, thinks): (Vec<bool>, Vec<Span>) = if side_by_side.limit > 1 {
            (side_by_side.are_idle(exchanges, IDLE + access), SideBySide::thinks(association))
        } else {
            (numbered().map(is_idle).collect(), numbered().filter_map(think).collect())
        };
        let free: Vec<Span> = thinks.iter().copied().filter(|&think| think > FOLLOWS + access).collect();
        let from_start: Vec<Span> = numbered().filter_map(|(i, e)| Some(e.start() - before(i)?.start())).collect();
        // In a storm nearly all requests wait for the one before them, as in a closed loop; but the few that do not
        // come after a large part of a period, while the pauses of a closed loop are short.
        let is_congested = free.len() * 5 < thinks.len() * 4
            && median(&free).zip(median(&from_start)).is_some_and(|(think, start)| think > start.scale(1, 4));
        let workload = if is_congested { Workload::Arrivals } else { association.workload };
        let mut gaps: Vec<Span> = match workload {
            Workload::Arrivals => {
                let gap = |(i, e): (usize, &ExchangeRecord)| {
                    let both = is_idle.get(i).copied()? && is_idle.get(i.checked_sub(1)?).copied()?;
                    both.then(|| Some(e.start() - before(i)?.start()))?
                };
                numbered().filter_map(gap).collect()
            }
            Workload::ThinkTime => pauses(thinks),
        };
        gaps.sort_unstable();
        let event = |at: Instant| {
            events.binary_search_by(|event| event.place(at)).ok().and_then(|place| events.get(place)).copied()
        };
        let in_events = exchanges.iter().filter(|e| event(e.start()).is_some()).count();
        let has_events = in_events as f64 > IN_EVENTS * exchanges.len() as f64;
        // Clients of an event start together. What lies between their frames are back-offs, which the twin draws again.
        let wanted = |e: &ExchangeRecord| event(e.start()).map_or(e.start(), |event| event.from - ACCESS);
        let wanted = exchanges.iter().map(wanted).collect();
        Self { workload, loops: side_by_side.limit, is_idle, wanted, gaps, has_events, until: Instant::MAX }
    }

    /// Requests that come by the clock: recorded ones where they are kept, drawn ones between them and after the last.
    fn arrivals(
        &self,
        record: &AssociationRecord,
        plan: &WorkloadPlan,
        keep: Keep,
        stream: &RandomStream,
        until: Instant,
    ) -> DrawnWorkload {
        let keeps = keep == Keep::Known || self.has_events;
        let mut drawn = Drawn { record, list: Vec::with_capacity(record.exchanges.len()), words: 0 };
        let half = regularity(&self.gaps) / 2.0;
        let fixed: Vec<usize> = if keeps {
            (0..record.exchanges.len()).filter(|&i| self.is_idle.get(i).copied().unwrap_or(false)).collect()
        } else {
            vec![0]
        };
        for (k, &i) in fixed.iter().enumerate() {
            let Some(&start) = self.wanted.get(i) else { continue };
            drawn.push(i, start);
            let next = fixed.get(k + 1).copied();
            let after = next.and_then(|next| self.wanted.get(next)).copied();
            if keeps && next == Some(i + 1) || keeps && next.is_none() && i + 1 == record.exchanges.len() {
                continue;
            }
            if self.has_events {
                // Requests that waited for an event are not drawn: they came with it.
                for between in i + 1..next.unwrap_or(record.exchanges.len()) {
                    let ready = record.exchanges.get(between).map(|e| e.ready.unwrap_or_else(|| e.start()));
                    drawn.push(between, ready.unwrap_or(start));
                }
                continue;
            }
            let end = after.unwrap_or(until);
            let mut at = start;
            let mut gap = self.gap(stream, &mut drawn.words);
            for between in i + 1.. {
                at += gap;
                gap = self.gap(stream, &mut drawn.words);
                // A kept start ends a gap, too: of a regular clock the last drawn start is not right before it.
                let nearest = after.and_then(|_| Span::from_secs_f64(gap.secs_f64() * half)).unwrap_or(Span::ZERO);
                if at + nearest >= end || drawn.list.len() > FASTER * record.exchanges.len() + SOME {
                    break;
                }
                // Requests are those of the record, in their order.
                drawn.push(between % record.exchanges.len().max(1), at);
            }
        }
        let triggers: Vec<Trigger> = drawn.list.iter().map(|&(_, at)| Trigger::At(at)).collect();
        drawn.workload(plan, triggers, 0)
    }

    /// Closed loops side by side that go on: each request follows the end before it in its loop by a pause.
    fn closed_loop(&self, record: &AssociationRecord, plan: &WorkloadPlan, stream: &RandomStream) -> DrawnWorkload {
        let count = FASTER * record.exchanges.len() + SOME;
        let mut drawn = Drawn { record, list: Vec::with_capacity(count), words: 0 };
        let mut triggers = Vec::with_capacity(count);
        for k in 0..count {
            let first = record.exchanges.get(k).filter(|_| k < self.loops).map(ExchangeRecord::start);
            drawn.push(k % record.exchanges.len().max(1), first.unwrap_or(Instant::ZERO));
            triggers.push(match first {
                Some(first) => Trigger::At(first),
                None => Trigger::After(self.gap(stream, &mut drawn.words)),
            });
        }
        drawn.workload(plan, triggers, self.loops)
    }

    /// A gap of the capture, drawn from a resample of them: few gaps say little of their distribution, and replicates
    /// differ by as much (the bootstrap, Efron 1979).
    fn gap(&self, stream: &RandomStream, words: &mut u64) -> Span {
        let place = |word: u32| (u64::from(word) * self.gaps.len() as u64) >> 32;
        let [word, ..] = stream.quarter(*words, 0);
        *words += 1;
        let [resampled, ..] = stream.quarter(place(word), 1);
        let at = place(resampled);
        // At least a microsecond: a loop of gaps without length would not end.
        self.gaps.get(at as usize).copied().unwrap_or(Span::MAX).max(Span::from_micros(1))
    }
}

/// A workload being drawn: recorded exchanges with their new times.
struct Drawn<'a> {
    record: &'a AssociationRecord,
    list: Vec<(usize, Instant)>,
    /// Number of random words used.
    words: u64,
}

impl Drawn<'_> {
    fn push(&mut self, exchange: usize, at: Instant) {
        self.list.push((exchange, at));
    }

    /// The workload with these `triggers`; `loops`: number of closed loops side by side, 0 where requests come by the
    /// clock.
    fn workload(self, plan: &WorkloadPlan, triggers: Vec<Trigger>, loops: usize) -> DrawnWorkload {
        let of = |&(i, _): &(usize, Instant)| self.record.exchanges.get(i).cloned();
        let exchanges: Vec<ExchangeRecord> = self.list.iter().filter_map(of).collect();
        let payloads = exchanges.iter().map(|e| e.payload).collect();
        let looped = loops > 0;
        let next = (loops..loops + exchanges.len())
            .map(|next| if looped && next < exchanges.len() { next as u32 } else { NONE });
        let plan = WorkloadPlan {
            next: next.collect(),
            timed: timed(&triggers),
            over: vec![None; exchanges.len()],
            payloads,
            nstart: plan.nstart,
            looped,
            triggers,
            turnaround: Span::ZERO,
        };
        DrawnWorkload::new(AssociationRecord { exchanges, ..self.record.clone() }, plan)
    }
}

/// Time in which several clients started together.
#[derive(Clone, Copy, Debug)]
struct Event {
    from: Instant,
    until: Instant,
}

impl Event {
    /// Order of the event and `at`: equal while it lasts.
    fn place(&self, at: Instant) -> std::cmp::Ordering {
        if at < self.from {
            std::cmp::Ordering::Greater
        } else if at > self.until {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Equal
        }
    }
}

/// Events that several clients react to, in order: more of them start within [`EVENT`] than chance brings together.
fn events(record: &Record) -> Vec<Event> {
    let of = |a: &AssociationRecord| a.exchanges.iter().map(|e| (e.start(), a.client)).collect::<Vec<_>>();
    let mut starts: Vec<(Instant, u32)> = record.associations().iter().flat_map(of).collect();
    starts.sort_unstable();
    let mut clients: Vec<u32> = starts.iter().map(|start| start.1).collect();
    clients.sort_unstable();
    clients.dedup();
    let (Some(first), Some(last)) = (starts.first(), starts.last()) else { return Vec::new() };
    let usual = starts.len() as f64 * EVENT.secs_f64() / (last.0 - first.0).secs_f64().max(EVENT.secs_f64());
    let by_chance = usual + 1.0 + BY_CHANCE * usual.sqrt();
    let least = (EVENT_CLIENTS.0 as f64).max(EVENT_CLIENTS.1 * clients.len() as f64).max(by_chance);
    let mut events = Vec::new();
    let mut rest = starts.as_slice();
    while let Some(&(from, _)) = rest.first() {
        let near = rest.partition_point(|&(at, _)| at <= from + EVENT);
        let (group, after) = rest.split_at(near);
        let mut own: Vec<u32> = group.iter().map(|start| start.1).collect();
        own.sort_unstable();
        own.dedup();
        if own.len() as f64 >= least {
            events.push(Event { from, until: group.last().map_or(from, |start| start.0) });
            rest = after;
        } else {
            rest = rest.split_first().map_or(&[], |(_, rest)| rest);
        }
    }
    events
}
