//! One client in the simulation: slots of open exchanges, queue of requests, estimator.

mod captured;
mod expiry;
mod requests;

use super::running_median::RunningMedian;
use super::{Driver, Ending, ExchangeRun, Tally};
use crate::channel::{Aired, Met, Sent, Support};
use crate::model::{
    AssociationRecord, Blind, Dithers, ExchangeRecord, Fate, NONE, Policy, Server, WorkloadPlan, recorded_timeout,
    unexplained_close,
};
use base::{Instant, Span};
use expiry::Expiry;
use requests::Waiting;
use rto::EstimatorState;
use rto::exchange::{ClientExchange, SenderRules};
use std::collections::VecDeque;

/// Source of the timeouts of a client.
#[derive(Debug)]
pub(crate) enum Timers {
    /// The recorded gaps between copies, with the recorded NSTART.
    Recorded,
    /// An algorithm, driven exchange by exchange.
    Algorithm(Box<Driver>),
}

impl Timers {
    /// Greatest number of exchanges open at once (NSTART, RFC 7252 §4.7), at least 1 under an algorithm; the recorded
    /// one where the policy names none.
    pub fn nstart(&self, plan: &WorkloadPlan, policy: &Policy) -> u32 {
        match (self, policy.nstart) {
            (Self::Algorithm(_), Some(nstart)) => u32::from(nstart.max(1)),
            _ => plan.nstart,
        }
    }
}

/// Event that ends an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Close {
    /// A reply, `rtt` after `copy` (0 for the original); after the start of the exchange where the copy is unknown.
    Reply { copy: Option<u16>, rtt: Span },
    /// The sender gives up.
    GivenUp,
}

/// Slot of an open exchange (one of NSTART), reused.
#[derive(Debug)]
struct Place {
    exchange: u32,
    /// State machine of the exchange, under an algorithm.
    machine: ClientExchange,
    /// Start and recorded timeout of its latest copy, under recorded timers.
    latest: (Instant, Span),
    /// Fate of the latest copy.
    fate: Fate,
}

/// One association in the simulation: open exchanges, waiting requests, timers, results.
#[derive(Debug)]
pub(crate) struct Client<'a> {
    /// Position of the association in the record.
    pub path: u32,
    /// Association of the record whose requests it sends.
    pub record: &'a AssociationRecord,
    plan: &'a WorkloadPlan,
    policy: &'a Policy,
    timers: Timers,
    /// Rules of an algorithm's sender.
    rules: SenderRules,
    nstart: usize,
    dithers: &'a Dithers,
    places: Vec<Place>,
    open: usize,
    /// Requests that wait, and since when.
    queue: VecDeque<(Instant, u32)>,
    waiting: Waiting,
    /// Position in [`WorkloadPlan::timed`] of the request the clock makes ready next.
    timed: usize,
    last_rtt: Option<Span>,
    /// Round trips of exchanges answered at once.
    strong: RunningMedian,
    /// Time at which the server has the answer of each exchange; empty where it takes no longer than it did.
    served: Vec<Option<Instant>>,
    /// Timers that fired before anybody knew what becomes of their copies.
    undecided: Vec<Expiry>,
    /// Exchanges that were given up and answered later, with the time of each such reply, in order of time.
    too_late: Vec<(u32, Instant)>,
    /// Results of the exchanges, in the order of the record.
    pub runs: Vec<ExchangeRun>,
    /// Counts and sums that belong to no single exchange.
    pub tally: Tally,
}

impl<'a> Client<'a> {
    /// Client before the first event. `dithers` has the random numbers of its exchanges.
    pub fn new(
        path: u32,
        record: &'a AssociationRecord,
        plan: &'a WorkloadPlan,
        policy: &'a Policy,
        timers: Timers,
        dithers: &'a Dithers,
    ) -> Self {
        let nstart = timers.nstart(plan, policy);
        let rules = match &timers {
            Timers::Recorded => SenderRules::default(),
            Timers::Algorithm(driver) => driver.rules(policy),
        };
        Self {
            path,
            record,
            plan,
            policy,
            rules,
            timers,
            nstart: nstart as usize,
            dithers,
            places: Vec::new(),
            open: 0,
            queue: VecDeque::new(),
            waiting: Waiting::default(),
            timed: 0,
            last_rtt: None,
            strong: RunningMedian::default(),
            served: Vec::new(),
            undecided: Vec::new(),
            too_late: Vec::new(),
            runs: vec![ExchangeRun::default(); record.exchanges.len()],
            tally: Tally::default(),
        }
    }

    fn exchange(&self, exchange: u32) -> Option<&'a ExchangeRecord> {
        self.record.exchanges.get(exchange as usize)
    }

    fn run(&mut self, exchange: u32) -> Option<&mut ExchangeRun> {
        self.runs.get_mut(exchange as usize)
    }

    /// State of the estimator at `now`; `None` under recorded timers.
    pub fn state(&self, now: Instant) -> Option<EstimatorState> {
        match &self.timers {
            Timers::Recorded => None,
            Timers::Algorithm(driver) => Some(driver.state(now)),
        }
    }

    /// Opens `exchange` at `now` and returns the position of its slot. `lost`: the node had no room to keep what the
    /// estimator learned, which begins anew.
    pub fn open(&mut self, exchange: u32, now: Instant, lost: bool) -> usize {
        let place = match self.places.iter().position(|p| p.exchange == NONE) {
            Some(free) => free,
            None => {
                self.places.push(Place {
                    exchange: NONE,
                    machine: ClientExchange::new(self.rules),
                    latest: (now, Span::MAX),
                    fate: Fate::Unknown,
                });
                self.places.len() - 1
            }
        };
        let others = u32::try_from(self.open).unwrap_or(u32::MAX);
        self.open += 1;
        let (mut inflight, mut blind) = (others, 1);
        if let Timers::Algorithm(driver) = &mut self.timers {
            if lost || (others == 0 && driver.has_expired(now, self.policy)) {
                driver.forget();
            }
            if self.policy.blind != Blind::Algorithm {
                blind = driver.blind_factor(self.policy.blind, others);
                inflight = 0;
            }
        }
        if let Some(p) = self.places.get_mut(place) {
            p.exchange = exchange;
            p.machine.restart(inflight);
            p.machine.stretch_first(blind);
        }
        if let Some(run) = self.run(exchange) {
            *run = ExchangeRun { start: now, end: now, ending: Ending::Open, ..ExchangeRun::default() };
        }
        place
    }

    /// Position of the slot of an open exchange; `None` if it is not open.
    pub fn place_of(&self, exchange: u32) -> Option<usize> {
        self.places.iter().position(|p| p.exchange == exchange)
    }

    /// Number of copies of the exchange that were sent so far.
    pub fn copies(&self, exchange: u32) -> u16 {
        self.runs.get(exchange as usize).map_or(0, |r| r.copies)
    }

    /// Payload of the request in octets.
    pub fn payload(&self, exchange: u32) -> u16 {
        self.plan.payloads.get(exchange as usize).copied().unwrap_or(0)
    }

    /// Whether a recorded copy follows `copy` although the exchange is closed: its sender had handed it to
    /// the link layer when the reply came, and it was on the air only afterwards.
    pub fn resends(&self, exchange: u32, copy: u16) -> bool {
        matches!(self.timers, Timers::Recorded)
            && self.exchange(exchange).is_some_and(|e| usize::from(copy) + 1 < e.copies.len())
    }

    /// Records a copy that met `met`; returns the timeout to arm, `None` where none is.
    pub fn transmit(&mut self, exchange: u32, place: Option<usize>, now: Instant, met: Met) -> Option<Span> {
        let copy = self.copies(exchange);
        if let Some(run) = self.runs.get_mut(exchange as usize) {
            run.transmit(met);
        }
        let octets = self.payload(exchange).saturating_add(Policy::HEADER);
        let mut place = place.and_then(|place| self.places.get_mut(place));
        if let Some(p) = &mut place {
            p.fate = met.fate;
        }
        match &mut self.timers {
            Timers::Algorithm(driver) => {
                let p = place?;
                let dither = self.dithers.of(exchange, u8::try_from(copy).unwrap_or(u8::MAX));
                Some(driver.transmit(now, &mut p.machine, dither, octets))
            }
            Timers::Recorded => {
                let record = self.record.exchanges.get(exchange as usize)?;
                let over = *self.plan.over.get(exchange as usize)?;
                let timeout = recorded_timeout(record, over, usize::from(copy));
                if let Some(p) = place {
                    p.latest = (now, timeout.unwrap_or(Span::MAX));
                }
                timeout
            }
        }
    }

    /// Fate of a copy with the additional processing time of the server ([`Server`]); the same under recorded timers.
    pub fn served(&mut self, sent: &Sent, met: Met) -> Met {
        let Server { processing, repeats } = self.policy.server;
        if processing == Span::ZERO
            || self.is_pinned()
            || matches!(met.fate, Fate::RequestLost | Fate::Lost | Fate::Unknown)
        {
            return met;
        }
        self.served.resize(self.runs.len(), None);
        let Some(ready) = self.served.get_mut(sent.exchange as usize) else { return met };
        let trip = met.fate.rtt().or(self.last_rtt).unwrap_or(Span::ZERO);
        let arrival = sent.at + trip.scale(1, 2);
        let own = arrival + processing;
        let ready = *ready.insert(ready.map_or(own, |first| if repeats { own } else { first.min(own) }));
        match met.fate {
            Fate::Answered { rtt } if ready > arrival => {
                Met { fate: Fate::Answered { rtt: rtt + (ready - arrival) }, support: Support::Modelled }
            }
            _ => met,
        }
    }

    /// Round trip, from the start of the exchange, of a recorded closing reply that no known fate explains; `None`
    /// under an algorithm.
    pub fn unexplained_close(&self, exchange: u32) -> Option<Span> {
        match self.timers {
            Timers::Recorded => self.exchange(exchange).and_then(unexplained_close),
            Timers::Algorithm(_) => None,
        }
    }

    /// Moment at which the timer of the latest copy, sent at `now`, expires.
    pub fn deadline(&self, place: Option<usize>, now: Instant, timeout: Span) -> Instant {
        match (&self.timers, place.and_then(|place| self.places.get(place))) {
            (Timers::Algorithm(_), Some(p)) => p.machine.deadline(),
            _ => now + timeout,
        }
    }

    /// Whether the sender drops the exchange as it sends its latest copy, as Contiki 3.0 does after the last one.
    pub fn gives_up_at_once(&self, place: Option<usize>) -> bool {
        match (&self.timers, place.and_then(|place| self.places.get(place))) {
            (Timers::Algorithm(_), Some(p)) => !p.machine.waits(),
            _ => false,
        }
    }

    /// Whether no further copy follows when the timer of `copy` fires at `now`.
    pub fn is_last(&self, place: usize, copy: u16, now: Instant) -> bool {
        let Some(p) = self.places.get(place) else { return true };
        match self.timers {
            Timers::Recorded => self.exchange(p.exchange).is_none_or(|e| usize::from(copy) + 1 >= e.copies.len()),
            Timers::Algorithm(_) => p.machine.gives_up(now),
        }
    }

    /// Sets the fate of a copy sent earlier, which was not known until now; returns it with the processing time of the
    /// server.
    pub fn settle(&mut self, sent: &Sent, met: Met) -> Met {
        let met = self.served(sent, met);
        let (exchange, copy) = (sent.exchange, u16::from(sent.attempt));
        let last = self.copies(exchange).saturating_sub(1) == copy;
        if let Some(run) = self.run(exchange) {
            if met.fate.is_known() {
                run.unknown = run.unknown.saturating_sub(1);
            }
            if met.fate.rtt().is_some() {
                run.answered = Some(run.answered.map_or(copy, |other| other.min(copy)));
            }
            run.arrived += u16::from(met.fate.is_arrival());
            run.recorded += u16::from(met.support == Support::Recorded);
        }
        if last && let Some(place) = self.places.iter_mut().find(|place| place.exchange == exchange) {
            place.fate = met.fate;
        }
        if let Some(i) = self.undecided.iter().position(|e| (e.exchange, e.copy) == (exchange, copy)) {
            let expiry = self.undecided.swap_remove(i);
            self.judge(&expiry, met.fate);
        }
        met
    }

    /// Records when the first frame of a copy went on the air.
    pub fn air(&mut self, sent: &Sent, aired: Aired) {
        if let Some(run) = self.run(sent.exchange) {
            run.air(u16::from(sent.attempt), aired);
        }
    }

    /// Tells the estimator that the timer of the latest copy of `place` expired, and that another copy follows.
    pub fn on_timeout(&mut self, place: usize, now: Instant) {
        if let (Timers::Algorithm(driver), Some(p)) = (&mut self.timers, self.places.get_mut(place)) {
            let expiry = driver.expired(now, &mut p.machine);
            debug_assert_eq!(expiry, rto::exchange::Expiry::Retransmit, "asked by `is_last` before");
        }
    }

    /// Records that a reply arrived, `rtt` after the copy that it answers, where that is known.
    pub fn heard(&mut self, rtt: Option<Span>) {
        self.last_rtt = rtt.or(self.last_rtt);
        if let Timers::Algorithm(driver) = &mut self.timers {
            driver.heard();
        }
    }

    /// RTO of the destination as the estimator has it at `now`; `None` without a sample, and under recorded timers.
    pub fn estimate(&self, now: Instant) -> Option<Span> {
        match &self.timers {
            Timers::Recorded => None,
            Timers::Algorithm(driver) => driver.estimate(now),
        }
    }

    /// Closes `exchange` at `now`, tells the estimator and frees the slot.
    pub fn close(&mut self, exchange: u32, place: usize, now: Instant, how: Close) {
        if let Some(run) = self.run(exchange) {
            run.end = now;
            run.ending = if how == Close::GivenUp { Ending::Failed } else { Ending::Answered };
        }
        if let Close::Reply { copy: Some(0), rtt } = how
            && self.copies(exchange) == 1
        {
            self.strong.push(rtt);
        }
        let Some(p) = self.places.get_mut(place) else { return };
        p.exchange = NONE;
        self.open = self.open.saturating_sub(1);
        if let Timers::Algorithm(driver) = &mut self.timers {
            match how {
                Close::GivenUp => driver.give_up(now, &mut p.machine),
                Close::Reply { copy, rtt } => {
                    if copy == Some(0) && p.machine.flight().attempt() == 0 {
                        self.tally.answered_at_once(p.machine.flight().first_armed(), rtt);
                    }
                    driver.answered(now, &mut p.machine, copy);
                }
            }
        }
    }

    /// Ends the client's simulation: requests that still wait are dropped from the queue, and exchanges end as a
    /// capture would have it.
    pub fn finish(&mut self) {
        self.queue.clear();
        self.end_as_captured();
    }
}
