//! A medium that several clients share, simulated step by step: the more copies are under way, the more are lost and
//! the longer they take. Independent of the engine: one list of clients, the earliest event next.

use super::{association, noise};
use base::{ExchangeId, Instant, Span};
use replay::{CopyRecord, ExchangeRecord, Fate, Outcome, Policy, Record, Workload};
use rto::{Dither, Estimator, Flight};
use serde_json::Value;

/// Response of a medium to load.
#[derive(Clone, Copy, Debug)]
pub struct Medium {
    pub seed: u64,
    /// Logit of a loss with nothing else under way, and its rise per copy.
    pub loss: (f64, f64),
    /// Seconds of a round trip with nothing else under way, and its rise per copy.
    pub rtt: (f64, f64),
}

struct Client {
    requests: Vec<Instant>,
    done: Vec<ExchangeRecord>,
    free: Instant,
    estimator: Box<dyn Estimator>,
    open: Option<Open>,
}

struct Open {
    start: Instant,
    flight: Flight,
    copies: Vec<CopyRecord>,
    deadline: Instant,
    end: Option<(Instant, u8)>,
}

impl Client {
    fn next(&self) -> Option<Instant> {
        match &self.open {
            Some(open) => Some(open.end.map_or(open.deadline, |(end, _)| end.min(open.deadline))),
            None => Some((*self.requests.get(self.done.len())?).max(self.free)),
        }
    }

    fn close(&mut self, now: Instant, answered: Option<u8>, marks: bool, number: usize) {
        let open = self.open.take().unwrap();
        match answered {
            Some(copy) => self.estimator.on_ack(now, &open.flight, open.flight.sample(now, marks.then_some(copy))),
            None => self.estimator.on_abandon(now, &open.flight),
        }
        self.free = now;
        self.done.push(ExchangeRecord {
            id: ExchangeId((number * 10_000 + self.done.len()) as u32),
            ready: Some(self.requests[self.done.len()]),
            copies: open.copies.into(),
            outcome: if answered.is_some() { Outcome::Closed } else { Outcome::Abandoned },
            end: answered.map(|_| now),
            payload: 10,
        });
    }
}

impl Medium {
    /// `requests` of each client under `algorithm`; `run` tells runs with other dithers apart.
    pub fn run(&self, algorithm: &str, requests: &[Vec<Instant>], run: u64) -> Record {
        let spec = rto::spec(algorithm).unwrap();
        let fresh = || rto::build(algorithm, &Value::Null).unwrap();
        let client = |requests: &Vec<Instant>| Client {
            requests: requests.clone(),
            done: Vec::new(),
            free: Instant::MIN,
            estimator: fresh(),
            open: None,
        };
        let mut clients: Vec<Client> = requests.iter().map(client).collect();
        let mut under_way: Vec<(Instant, Instant)> = Vec::new();
        while let Some((now, i)) = clients.iter().enumerate().filter_map(|(i, c)| Some((c.next()?, i))).min() {
            let c = &mut clients[i];
            let number = c.done.len() as u64;
            match &mut c.open {
                None => {
                    let (flight, copies) = (Flight::new(0), Vec::new());
                    c.open = Some(Open { start: now, flight, copies, deadline: now, end: None });
                }
                Some(open) => {
                    if let Some((_, copy)) = open.end.filter(|&(end, _)| end < open.deadline) {
                        c.close(now, Some(copy), spec.marks_attempts, i);
                        continue;
                    }
                    if open.copies.len() == 5 || now >= open.start + Policy::EXCHANGE_LIFETIME {
                        c.close(now, None, false, i);
                        continue;
                    }
                    c.estimator.on_timeout(now, &open.flight);
                }
            }
            let Some(open) = &mut c.open else { continue };
            let attempt = open.copies.len() as u64;
            let u = noise((run << 50) ^ ((i as u64) << 40) ^ (number * 16 + attempt) ^ self.seed.wrapping_mul(977));
            let timeout = open.flight.transmit(now, &mut *c.estimator, Dither::from_f64(u));
            let fate = self.fate(i as u64, now, &mut under_way);
            if let Fate::Answered { rtt } = fate
                && open.end.is_none_or(|(end, _)| now + rtt < end)
            {
                open.end = Some((now + rtt, attempt as u8));
            }
            open.copies.push(CopyRecord { sent: now, fate, proven: true });
            open.deadline = (now + timeout).min(open.start + Policy::EXCHANGE_LIFETIME);
        }
        let all = clients.into_iter().zip(0..).map(|(c, n)| association(n, Workload::Arrivals, c.done));
        Record::new(all.collect(), None)
    }

    fn fate(&self, client: u64, now: Instant, under_way: &mut Vec<(Instant, Instant)>) -> Fate {
        under_way.retain(|&(_, until)| until > now);
        let load = under_way.iter().filter(|&&(from, _)| from < now).count() as f64;
        let place = now.nanos().div_euclid(10_000_000) as u64;
        let uniform = |purpose: u64| {
            noise(self.seed ^ (client << 48) ^ (purpose << 56) ^ place.wrapping_mul(0x5851_F42D_4C95_7F2D))
        };
        let lost = uniform(1) < 1.0 / (1.0 + (-(self.loss.0 + self.loss.1 * load)).exp());
        let usual = self.rtt.0 * (0.7 + 0.6 * uniform(2)) + self.rtt.1 * load;
        let rtt = Span::from_secs_f64(usual).unwrap();
        under_way.push((now, now + if lost { rtt.scale(1, 2) } else { rtt }));
        if lost { Fate::Lost } else { Fate::Answered { rtt } }
    }
}

/// `count` requests of each of `clients`, most at their own times, now and then all at once.
pub fn requests(seed: u64, clients: u64, count: u64) -> Vec<Vec<Instant>> {
    let own = |client: u64| {
        let time = |n: u64| {
            let together = noise(seed ^ (n << 20) ^ (3 << 60)) < 0.3;
            let spread = if together { 200.0 } else { 6_000.0 };
            let ms = n as f64 * 6_000.0 + noise(seed ^ (client << 32) ^ n) * spread;
            Instant::ZERO + Span::from_millis(ms as i64)
        };
        (0..count).map(time).collect()
    };
    (0..clients).map(own).collect()
}
