//! One client with one exchange open at a time, and nothing else that it has a part in: most clients are like that
//! (NSTART is 1, RFC 7252 §4.7), and for them what happens next follows from what just did. A straight line through
//! exchanges and their copies, without events.
//!
//! The rules are those of [`super::simulate`], and so is every result, to the last bit: timers go before replies of the
//! same instant, replies before new requests, and of the rest what was known of first. The tests drive both.

use super::coming::Coming;
use crate::channel::{Channel, Sent};
use crate::engine::client::Timers;
use crate::engine::{Driver, Ending, ExchangeRun, RunningMedian, Tally};
use crate::model::{AssociationRecord, Dithers, Fate, Policy, WorkloadPlan};
use base::{Instant, Span};
use rto::exchange::{ClientExchange, Expiry};
use std::collections::VecDeque;

/// A client by itself with one exchange open at a time.
#[derive(Debug)]
pub(crate) struct SingleClient<'a> {
    path: u32,
    plan: &'a WorkloadPlan,
    dithers: &'a Dithers,
    driver: Box<Driver>,
    /// State machine of the one open exchange, reused.
    machine: ClientExchange,
    coming: Coming<'a>,
    /// Requests that wait, and since when; most of them that may.
    queue: VecDeque<(Instant, u32)>,
    limit: Option<u32>,
    /// Replies on their way to the open exchange, but for the first to arrive.
    others: Vec<Reply>,
    late: Late,
    tally: Tally,
}

/// A reply on its way.
#[derive(Clone, Copy, Debug)]
struct Reply {
    at: Instant,
    rtt: Span,
    copy: u16,
}

impl<'a> SingleClient<'a> {
    /// Client at `path`. Errs with `timers`, given back, where it has more than one exchange open at once, a pacer, a
    /// turnaround, recorded timers, or rules that look beyond it.
    pub fn new(
        path: u32,
        record: &'a AssociationRecord,
        plan: &'a WorkloadPlan,
        policy: &'a Policy,
        timers: Timers,
        dithers: &'a Dithers,
    ) -> Result<Self, Timers> {
        let one = timers.nstart(plan, policy) == 1 && policy.is_plain() && plan.turnaround == Span::ZERO;
        let driver = match timers {
            Timers::Algorithm(driver) if one && !driver.is_paced() => driver,
            events => return Err(events),
        };
        Ok(Self {
            path,
            plan,
            dithers,
            machine: ClientExchange::new(driver.rules(policy)),
            driver,
            coming: Coming::new(plan),
            queue: VecDeque::new(),
            limit: policy.application.limit(record),
            others: Vec::new(),
            late: Late::default(),
            tally: Tally::default(),
        })
    }

    /// CoAP payloads of the requests in octets, by exchange.
    pub fn payloads(&self) -> &'a [u16] {
        &self.plan.payloads
    }

    /// Simulates the client until no event is left. Calls `over` with the position and result of each exchange that
    /// ends; exchanges that never became ready are not reported. `strong` is the buffer for round trips of exchanges
    /// answered at once.
    pub fn simulate<C: Channel + ?Sized>(
        mut self,
        channel: &mut C,
        strong: &mut RunningMedian,
        mut over: impl FnMut(u32, ExchangeRun),
    ) -> Tally {
        strong.clear();
        while let Some((at, exchange)) = self.coming.next_before(None) {
            let mut next = Some((at, exchange));
            while let Some((start, exchange)) = next {
                let run = self.exchange(exchange, start, channel, strong);
                over(exchange, run);
                self.wait(run.end, &mut over);
                self.coming.follow(exchange, run.end);
                next = self.queue.pop_front().map(|(since, waiting)| {
                    self.tally.queued += i128::from((run.end - since).nanos());
                    (run.end, waiting)
                });
            }
        }
        self.tally
    }

    /// Queues or drops requests that become ready before `end`.
    fn wait(&mut self, end: Instant, over: &mut impl FnMut(u32, ExchangeRun)) {
        while let Some((at, exchange)) = self.coming.next_before(Some(end)) {
            if self.limit.is_none_or(|limit| self.queue.len() < limit as usize) {
                self.queue.push_back((at, exchange));
            } else {
                over(exchange, ExchangeRun { ending: Ending::Dropped, ..ExchangeRun::default() });
                self.coming.follow(exchange, at);
            }
        }
    }

    /// One exchange, from its first copy to its end.
    fn exchange<C: Channel + ?Sized>(
        &mut self,
        exchange: u32,
        start: Instant,
        channel: &mut C,
        strong: &mut RunningMedian,
    ) -> ExchangeRun {
        let Self { driver, machine, .. } = self;
        let estimator = driver.estimator();
        let payload = self.plan.payloads.get(exchange as usize).copied().unwrap_or(0);
        let mut run = ExchangeRun { start, end: start, ending: Ending::Open, ..ExchangeRun::default() };
        let mut first: Option<Reply> = None;
        let mut now = start;
        machine.restart(0);
        run.ending = loop {
            let copy = run.copies;
            let attempt = u8::try_from(copy).unwrap_or(u8::MAX);
            let met = channel.fate(&Sent { path: self.path, at: now, exchange, attempt, payload });
            run.transmit(met);
            machine.transmit(now, estimator, self.dithers.of(exchange, attempt));
            if let Fate::Answered { rtt } = met.fate {
                let reply = Reply { at: now + rtt, rtt, copy };
                match &mut first {
                    Some(first) if first.at <= reply.at => self.others.push(reply),
                    Some(first) => self.others.push(std::mem::replace(first, reply)),
                    None => first = Some(reply),
                }
            }
            if let Some(reply) = first.filter(|reply| machine.is_in_time(reply.at)) {
                now = reply.at;
                self.late.hear(reply.at, reply.rtt);
                if reply.copy == 0 && copy == 0 {
                    self.tally.answered_at_once(machine.flight().first_armed(), reply.rtt);
                    strong.push(reply.rtt);
                }
                let _accepted = machine.answered(now, u8::try_from(reply.copy).ok(), estimator);
                break Ending::Answered;
            }
            now = machine.deadline();
            if machine.waits() && machine.has_timed_out(now) {
                let Self { late, tally, .. } = self;
                let armed = machine.flight().last_armed();
                tally.expired(met.fate, copy, armed, || late.heard_before(now), || strong.median());
            }
            if machine.expired(now, estimator) == Expiry::GaveUp {
                break Ending::Failed;
            }
        };
        run.end = now;
        if run.ending == Ending::Failed {
            self.others.extend(first);
        }
        if !self.others.is_empty() {
            self.others.sort_unstable_by_key(|reply| reply.copy);
            self.tally.late += self.others.len() as u64;
            self.others.drain(..).for_each(|reply| self.late.expect(reply));
        }
        run
    }
}

/// The latest round trip that was heard of, and those that will be: replies that find their exchange closed.
#[derive(Debug, Default)]
struct Late {
    last: Option<Span>,
    /// In order of arrival, the earlier copy's first.
    waiting: Vec<(Instant, Span)>,
}

impl Late {
    /// A reply that will be late.
    fn expect(&mut self, Reply { at, rtt, .. }: Reply) {
        let place = self.waiting.partition_point(|&(other, _)| other <= at);
        self.waiting.insert(place, (at, rtt));
    }

    /// The latest round trip when a timer fires at `now`: before replies of the same instant.
    fn heard_before(&mut self, now: Instant) -> Option<Span> {
        self.arrive(|at| at < now);
        self.last
    }

    /// A reply arrives in time; behind those that were sent before it.
    fn hear(&mut self, now: Instant, rtt: Span) {
        self.arrive(|at| at <= now);
        self.last = Some(rtt);
    }

    #[inline]
    fn arrive(&mut self, has: impl Fn(Instant) -> bool) {
        if self.waiting.is_empty() {
            return;
        }
        let count = self.waiting.iter().take_while(|(at, _)| has(*at)).count();
        if let Some((_, rtt)) = self.waiting.drain(..count).next_back() {
            self.last = Some(rtt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Met, Support};
    use crate::engine::{Client, EventQueue, NoSteps, simulate};
    use crate::model::{
        Application, ChannelSpec, CopyRecord, ExchangeRecord, Outcome, Purpose, RandomStream, Record, Workload,
        WorkloadChoice,
    };
    use crate::scenario::{Algorithm, Scenario, Setup};
    use base::{AssociationId, ExchangeId};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// Times are whole steps, so that many things happen at once.
    const STEP: Span = Span::from_millis(250);

    /// A channel whose fates depend on the moment only.
    struct FatesByTime(RandomStream);

    impl Channel for FatesByTime {
        fn fate(&mut self, sent: &Sent) -> Met {
            let [fate, rtt, support, _] = self.0.quarter(sent.at.nanos() as u64, 0);
            let fate = match fate % 16 {
                0..8 => Fate::Answered { rtt: STEP.scale(i64::from(rtt % 40), 1) },
                8 => Fate::ReplyLost,
                9 => Fate::Unknown,
                _ => Fate::Lost,
            };
            Met { fate, support: if support % 2 == 0 { Support::Recorded } else { Support::Sampled } }
        }
    }

    /// Exchanges that began so many steps after the epoch and took so long, several at once where they do.
    fn record(exchanges: &[(i64, i64)]) -> Record {
        let exchange = |(id, &(start, took)): (u32, &(i64, i64))| {
            let sent = Instant::ZERO + STEP.scale(start, 1);
            let rtt = STEP.scale(took, 1);
            let copies = vec![CopyRecord { sent, fate: Fate::Answered { rtt }, proven: true }].into();
            let (ready, end, payload) = (None, Some(sent + rtt), 10);
            ExchangeRecord { id: ExchangeId(id), ready, copies, outcome: Outcome::Closed, end, payload }
        };
        let association = AssociationRecord {
            id: AssociationId(0),
            client: 0,
            server: 1,
            workload: Workload::Arrivals,
            nstart: 1,
            error: Span::ZERO,
            queue: None,
            exchanges: (0..).zip(exchanges).map(exchange).collect(),
        };
        Record::new(vec![association], None)
    }

    fn application() -> impl Strategy<Value = Application> {
        let queue = (0_u32..4).prop_map(|limit| Application::Queue { limit });
        prop_oneof![Just(Application::Recorded), Just(Application::Drop), queue]
    }

    fn policy() -> impl Strategy<Value = Policy> {
        (application(), 0_u8..6, 1_i64..200).prop_map(|(application, max_retransmit, lifetime)| Policy {
            nstart: Some(1),
            application,
            max_retransmit,
            exchange_lifetime: STEP.scale(lifetime, 1),
            ..Policy::default()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Every preset, with and without dither where it has any, lives through the same exchanges either way.
        #[test]
        fn events_would_change_nothing(
            exchanges in proptest::collection::vec((0_i64..300, 0_i64..60), 1..40),
            policy in policy(),
            workload in prop_oneof![Just(WorkloadChoice::Arrivals), Just(WorkloadChoice::ThinkTime)],
            seed: u64,
        ) {
            let record = record(&exchanges);
            let association = &record.associations()[0];
            let plain = rto::algorithms().iter().map(|spec| (spec, Value::Null));
            let even = rto::algorithms().iter().map(|spec| (spec, json!({ "random_factor": 1 })));
            for (spec, params) in plain.chain(even) {
                let mut scenario = Scenario::new(Algorithm::Preset { id: spec.id.to_owned(), params }, ChannelSpec::EMPIRICAL);
                (scenario.policy, scenario.workload, scenario.seed) = (policy, workload, seed);
                // Not every one has such a parameter.
                let Ok(setup) = Setup::new(&record, &scenario) else { continue };
                let (plan, policy) = (setup.plan(0), &setup.policy);
                let dithers = Dithers::new(seed, 0, 0, exchanges.len());
                let model = || FatesByTime(RandomStream::new(seed, 0, 0, Purpose::Fate));
                let timers = || setup.timers(0, association);
                let Ok(single) = SingleClient::new(0, association, plan, policy, timers(), &dithers) else {
                    prop_assert!(spec.paced, "{} is by itself", spec.id);
                    continue;
                };
                let mut runs = vec![ExchangeRun::default(); exchanges.len()];
                let tally = single.simulate(&mut model(), &mut RunningMedian::default(), |exchange, run| runs[exchange as usize] = run);
                let mut client = [Client::new(0, association, plan, policy, timers(), &dithers)];
                simulate(&mut client, policy, &mut model(), &mut NoSteps, &mut EventQueue::default(), Instant::MAX, &mut |_| Ok(())).unwrap();
                let [client] = client;
                prop_assert_eq!(&runs, &client.runs, "{}", spec.id);
                prop_assert_eq!(tally, client.tally, "{}", spec.id);
            }
        }
    }
}
