//! A second, deliberately simple simulator: one exchange at a time, no heap, a world whose fates are a
//! known function of time. It makes records to replay and the truth to compare with.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

pub mod bottleneck;
pub mod contended;

use base::{AssociationId, ExchangeId, Instant, Silent, Span};
use replay::{
    Algorithm, AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Policy, Record, Replay, RunResult,
    Scenario, Workload,
};
use rto::{Dither, Flight};
use serde_json::Value;

pub const fn at(ms: i64) -> Instant {
    Instant::from_nanos(ms * 1_000_000)
}

pub const fn ms(ms: i64) -> Span {
    Span::from_millis(ms)
}

pub fn answered(rtt_ms: i64) -> Fate {
    Fate::Answered { rtt: ms(rtt_ms) }
}

/// The times at which requests become ready.
#[derive(Clone, Debug)]
pub enum Requests {
    /// At these times, queueing behind an unfinished one.
    At(Vec<Instant>),
    /// `count` of them, each this long after the end of the one before.
    After(Span, usize),
}

/// A deterministic number in [0, 1) for `n` (SplitMix64).
pub fn noise(n: u64) -> f64 {
    let mut z = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Runs `algorithm` for real in the world `fate`. NSTART 1, MAX_RETRANSMIT 4, EXCHANGE_LIFETIME 247 s.
pub fn live(
    algorithm: &str,
    params: &Value,
    requests: &Requests,
    fate: &dyn Fn(Instant) -> Fate,
    dither: &dyn Fn(u64) -> f64,
) -> Vec<ExchangeRecord> {
    let spec = rto::spec(algorithm).unwrap();
    let sender = Sender { marks: spec.marks_attempts, waits: spec.waits_after_last };
    play(rto::build(algorithm, params).unwrap(), sender, requests, fate, dither)
}

/// The properties of a sender besides its estimator.
#[derive(Clone, Copy, Debug)]
pub struct Sender {
    /// The packets tell it which copy was answered.
    pub marks: bool,
    /// True for a sender that waits for an answer to its last copy.
    pub waits: bool,
}

/// Plays as [`live`] does, with any estimator.
pub fn play(
    mut estimator: Box<dyn rto::Estimator>,
    Sender { marks, waits }: Sender,
    requests: &Requests,
    fate: &dyn Fn(Instant) -> Fate,
    dither: &dyn Fn(u64) -> f64,
) -> Vec<ExchangeRecord> {
    let count = match requests {
        Requests::At(times) => times.len(),
        Requests::After(_, count) => *count,
    };
    let mut exchanges = Vec::new();
    let mut free = at(0);
    for i in 0..count {
        let start = match requests {
            Requests::At(times) => times[i].max(free),
            Requests::After(gap, _) => free + *gap,
        };
        let mut flight = Flight::new(0);
        let mut copies: Vec<CopyRecord> = Vec::new();
        let mut now = start;
        let mut end: Option<(Instant, u8)> = None;
        let over = loop {
            let attempt = copies.len();
            if attempt > 0 {
                estimator.on_timeout(now, &flight);
            }
            let u = dither((i as u64) * 16 + attempt as u64);
            let timeout = flight.transmit(now, &mut *estimator, Dither::from_f64(u));
            let met = fate(now);
            if let Fate::Answered { rtt } = met
                && end.is_none_or(|(e, _)| now + rtt < e)
            {
                end = Some((now + rtt, attempt as u8));
            }
            copies.push(CopyRecord { sent: now, fate: met, proven: true });
            if attempt == 4 && !waits {
                estimator.on_abandon(now, &flight);
                break Err(now);
            }
            let deadline = (now + timeout).min(start + Policy::EXCHANGE_LIFETIME);
            if let Some((e, copy)) = end.filter(|&(e, _)| e < deadline) {
                estimator.on_ack(e, &flight, flight.sample(e, marks.then_some(copy)));
                break Ok(e);
            }
            now = deadline;
            if attempt == 4 || now >= start + Policy::EXCHANGE_LIFETIME {
                estimator.on_abandon(now, &flight);
                break Err(now);
            }
        };
        let (outcome, done) = match over {
            Ok(end) => (Outcome::Closed, end),
            Err(gave_up) => (Outcome::Abandoned, gave_up),
        };
        free = done;
        exchanges.push(ExchangeRecord {
            id: ExchangeId(i as u32),
            ready: match requests {
                Requests::At(times) => Some(times[i]),
                Requests::After(..) => None,
            },
            copies: copies.into(),
            outcome,
            end: over.ok(),
            payload: 10,
        });
    }
    exchanges
}

/// One association of these exchanges.
pub fn association(number: u32, workload: Workload, exchanges: Vec<ExchangeRecord>) -> AssociationRecord {
    AssociationRecord {
        id: AssociationId(number),
        client: number + 1,
        server: 0,
        workload,
        nstart: 1,
        error: Span::ZERO,
        queue: None,
        exchanges,
    }
}

pub fn record(requests: &Requests, exchanges: Vec<ExchangeRecord>) -> Record {
    let workload = match requests {
        Requests::At(_) => Workload::Arrivals,
        Requests::After(..) => Workload::ThinkTime,
    };
    Record::new(vec![association(0, workload, exchanges)], None)
}

/// Mean duration of successes, mean retransmissions, failed share, spurious share: by hand.
pub fn truth(exchanges: &[ExchangeRecord]) -> Truth {
    let n = exchanges.len() as f64;
    let done: Vec<f64> = exchanges.iter().filter_map(|e| Some((e.end? - e.start()).secs_f64())).collect();
    let copies: usize = exchanges.iter().map(|e| e.copies.len()).sum();
    let spurious: usize = exchanges
        .iter()
        .map(|e| {
            let first = e.copies.iter().position(|c| c.fate.rtt().is_some());
            first.map_or(0, |first| e.copies.len() - 1 - first)
        })
        .sum();
    Truth {
        duration: done.iter().sum::<f64>() / done.len() as f64,
        retries: (copies as f64 - n) / n,
        failed: (n - done.len() as f64) / n,
        spurious: spurious as f64 / copies as f64,
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub duration: f64,
    pub retries: f64,
    pub failed: f64,
    pub spurious: f64,
}

/// Good and bad states with exponential sojourn times drawn from `seed`; loss and round trip by state.
#[derive(Clone, Debug)]
pub struct Sojourns {
    seed: u64,
    /// Moments of change; good before the first.
    changes: Vec<Instant>,
}

impl Sojourns {
    pub fn new(seed: u64, good: f64, bad: f64, until: f64) -> Self {
        let mut changes = Vec::new();
        let mut now = 0.0;
        let mut n = 0;
        while now < until {
            let mean = if n % 2 == 0 { good } else { bad };
            now += -mean * (1.0 - noise(seed.wrapping_mul(1_000_003) + n)).ln();
            changes.push(Instant::ZERO + Span::from_secs_f64(now).unwrap());
            n += 1;
        }
        Self { seed, changes }
    }

    /// The fate of a copy sent at `at`; draws are independent per 50 ms.
    pub fn fate(&self, at: Instant, loss: [f64; 2], rtt: [f64; 2]) -> Fate {
        let bad = self.changes.partition_point(|&c| c <= at) % 2;
        let quantum = at.nanos().div_euclid(50_000_000) as u64;
        let uniform = |purpose: u64| noise(self.seed ^ quantum.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ (purpose << 56));
        if uniform(1) < loss[bad] {
            return if uniform(2) < 0.5 { Fate::RequestLost } else { Fate::ReplyLost };
        }
        // Triangular around the state's round trip, ±40 %.
        let spread = 1.0 + 0.4 * (uniform(3) + uniform(4) - 1.0);
        Fate::Answered { rtt: Span::from_secs_f64(rtt[bad] * spread).unwrap() }
    }
}

/// The world `fate`, made to agree with the `recorded` exchanges: within `tolerance` of a recorded copy, the nearest
/// one and of two equally near the earlier, a copy meets that copy's fate.
pub fn agreeing<F: Fn(Instant) -> Fate>(
    recorded: &[ExchangeRecord],
    tolerance: Span,
    fate: F,
) -> impl Fn(Instant) -> Fate + use<F> {
    let mut copies: Vec<(Instant, Fate)> =
        recorded.iter().flat_map(|e| &e.copies).map(|copy| (copy.sent, copy.fate)).collect();
    copies.sort_by_key(|c| c.0);
    move |t| {
        let far = |copy: &(Instant, Fate)| if copy.0 < t { t - copy.0 } else { copy.0 - t };
        copies.iter().filter(|c| far(c) <= tolerance).min_by_key(|c| far(c)).map_or_else(|| fate(t), |c| c.1)
    }
}

pub fn preset(id: &str, params: Value) -> Algorithm {
    Algorithm::Preset { id: id.to_owned(), params }
}

pub fn run(replay: &Replay, scenario: &Scenario) -> RunResult {
    replay.run(scenario, &mut Silent).unwrap()
}

/// Three clients that share a server and sometimes want to send several requests at once.
pub fn crowd(seed: u64, closed_loop: bool) -> Record {
    let associations = (0..3_u32)
        .map(|c| {
            let sojourns = Sojourns::new(seed ^ u64::from(c), 10.0, 4.0, 2_000.0);
            let fate = |t: Instant| sojourns.fate(t, [0.05, 0.5], [0.3, 3.0]);
            let requests = if closed_loop {
                Requests::After(ms(200), 40)
            } else {
                Requests::At((0..40).map(|i| at((i / 4) * 8_000 + (noise(seed ^ i as u64) * 100.0) as i64)).collect())
            };
            let mut requests = requests;
            if let Requests::At(times) = &mut requests {
                times.sort_unstable();
            }
            let mut exchanges = live("coap_b", &Value::Null, &requests, &fate, &|n| noise(n ^ seed << 20));
            for e in &mut exchanges {
                e.id = ExchangeId(e.id.0 + c * 1_000);
            }
            association(c, if closed_loop { Workload::ThinkTime } else { Workload::Arrivals }, exchanges)
        })
        .collect();
    Record::new(associations, None)
}
