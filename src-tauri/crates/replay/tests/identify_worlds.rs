//! Identification of the algorithm on simulated captures: every preset over a planted channel, and senders that are not
//! in the registry.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{Instant, Silent, Span};
use replay::identify::{Clues, Identification, Verdict, family, identify};
use replay::{ExchangeRecord, Fate};
use rto::{Dither, Estimator, EstimatorState, Flight, Sample};
use serde_json::Value;
use world::{Requests, Sender, Sojourns, live, ms, noise, play, record};

/// Delays each copy by an exponential wait of 3 ms in the mean before it is on the air.
fn on_air(mut exchanges: Vec<ExchangeRecord>, seed: u64) -> Vec<ExchangeRecord> {
    for (e, number) in exchanges.iter_mut().zip(0_u64..) {
        for (copy, attempt) in e.copies.iter_mut().zip(0_u64..) {
            let u = noise(seed ^ (number * 16 + attempt) ^ (7 << 50));
            let wait = Span::from_secs_f64(-0.003 * (1.0 - u).ln()).unwrap();
            copy.sent += wait;
            if let Fate::Answered { rtt } = &mut copy.fate {
                *rtt -= wait;
            }
        }
    }
    exchanges
}

/// Two states with losses: round trips of a third of a second, and of two.
fn states(seed: u64) -> Sojourns {
    Sojourns::new(seed, 20.0, 8.0, 40_000.0)
}

const LOSS: [f64; 2] = [0.1, 0.5];
const RTT: [f64; 2] = [0.35, 1.6];

fn found(exchanges: Vec<ExchangeRecord>, marked: bool) -> Identification {
    let record = record(&Requests::After(ms(300), 0), exchanges);
    identify(&record, &Clues { marked: Some(marked), ..Clues::default() }, &mut Silent).unwrap()
}

/// 300 exchanges with `algorithm`.
fn simulated(algorithm: &str, seed: u64) -> Vec<ExchangeRecord> {
    let sojourns = states(seed);
    let fate = |t: Instant| sojourns.fate(t, LOSS, RTT);
    let exchanges = live(algorithm, &Value::Null, &Requests::After(ms(300), 300), &fate, &|n| noise(n ^ (seed << 40)));
    on_air(exchanges, seed)
}

/// Every preset of the registry is identified as its family or left open, never as another family.
#[test]
fn every_preset_is_identified_or_left_open_but_never_mistaken() {
    let mut right = 0;
    let all = rto::algorithms();
    for (spec, seed) in all.iter().zip(100..) {
        let identification = found(simulated(spec.id, seed), spec.marks_attempts);
        let truth = family(spec.id).unwrap();
        println!("{:24} {:3} gaps: {:?}", spec.id, identification.trace.gaps, identification.trace.verdict);
        match &identification.trace.verdict {
            Verdict::Identified { family, .. } => {
                assert_eq!(*family, truth, "{}: {:#?}", spec.id, identification.trace.candidates.first());
                right += 1;
            }
            Verdict::CannotTell { among, .. } => {
                assert!(among.contains(&truth), "{}: not even among {among:?}", spec.id);
            }
            Verdict::NoneFits { why, .. } => panic!("{}: {why}", spec.id),
        }
    }
    assert!(right * 10 >= all.len() * 9, "{right} of {} are identified", all.len());
}

/// A capture that begins in the middle is identified although the sender's earlier state is unknown.
#[test]
fn a_capture_that_begins_in_the_middle_is_no_other_algorithm() {
    for (algorithm, seed) in
        ["coap_default", "cocoa_plus", "cocoa_cf3", "rfc6298_coap", "linux_rto", "fasor", "lee2016"]
            .into_iter()
            .zip(500..)
    {
        let late = simulated(algorithm, seed).split_off(100);
        let identification = found(late, rto::spec(algorithm).unwrap().marks_attempts);
        match &identification.trace.verdict {
            Verdict::Identified { family: found, .. } => assert_eq!(Some(*found), family(algorithm), "{algorithm}"),
            verdict => panic!("{algorithm}: {verdict:?}"),
        }
    }
}

/// A timer that is in no paper and no implementation.
#[derive(Clone, Copy, Debug)]
enum Odd {
    /// Four times the latest round trip, 1.7 times as long after each expiry.
    Latest(Span),
    /// The same timeout again and again, another one for each exchange: 1 to 9 s, short ones more often.
    Flat,
    /// The first timeout grows with the hour.
    Clock,
}

impl Estimator for Odd {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        let (n, d) = dither.ratio();
        match self {
            Self::Latest(rtt) if flight.attempt() == 0 => rtt.scale(4, 1),
            Self::Latest(_) => flight.last_armed().scale(17, 10),
            Self::Flat if flight.attempt() == 0 => {
                let u = n as f64 / d as f64;
                Span::from_secs_f64(1.0 + 8.0 * u * u * u).unwrap()
            }
            Self::Flat => flight.last_armed(),
            Self::Clock if flight.attempt() == 0 => {
                let phase = (now.nanos().rem_euclid(600_000_000_000)) as f64 / 600e9;
                Span::from_secs_f64(1.0 + 6.0 * phase).unwrap()
            }
            Self::Clock => flight.last_armed().scale(5, 2),
        }
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, sample: Sample) {
        if let Self::Latest(rtt) = self {
            *rtt = sample.from_first().max(ms(50));
        }
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState { rto: ms(1), mode: "odd", values: Vec::new() }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(*self)
    }
}

/// Senders that the registry does not have are identified as no family.
#[test]
fn algorithms_outside_the_registry_are_not_claimed() {
    let mut none = 0;
    for (odd, seed) in [Odd::Latest(ms(600)), Odd::Flat, Odd::Clock].into_iter().zip(900..) {
        let sojourns = states(seed);
        let fate = |t: Instant| sojourns.fate(t, LOSS, RTT);
        let sender = Sender { marks: false, waits: true };
        let requests = Requests::After(ms(300), 300);
        let exchanges = play(Box::new(odd), sender, &requests, &fate, &|n| noise(n ^ (seed << 40)));
        let identification = found(on_air(exchanges, seed), false);
        println!("{odd:?}: {:?}", identification.trace.verdict);
        match &identification.trace.verdict {
            Verdict::Identified { .. } => panic!("{odd:?}: {:#?}", identification.trace.candidates.first()),
            Verdict::NoneFits { .. } => none += 1,
            Verdict::CannotTell { .. } => {}
        }
    }
    assert!(none >= 2, "{none} of 3 are known to be none of ours");
}

/// Two clients that run different algorithms are identified separately.
#[test]
fn clients_of_different_kinds_are_distinguished() {
    let algorithms = ["coap_default", "linux_rto"];
    let associations = algorithms.iter().zip(0..).map(|(algorithm, number)| {
        let exchanges = simulated(algorithm, 700 + u64::from(number));
        world::association(number, replay::Workload::ThinkTime, exchanges)
    });
    let record = replay::Record::new(associations.collect(), None);
    let identification = identify(&record, &Clues { marked: Some(false), ..Clues::default() }, &mut Silent).unwrap();
    for ((_, ranking), algorithm) in identification.clients.iter().zip(algorithms) {
        match &ranking.verdict {
            Verdict::Identified { family: found, .. } => assert_eq!(Some(*found), family(algorithm), "{algorithm}"),
            verdict => panic!("{algorithm}: {verdict:?}"),
        }
    }
    assert!(!matches!(identification.trace.verdict, Verdict::Identified { .. }), "{:?}", identification.trace.verdict);
}

/// The same record gives the same result, and a cancelled identification stops.
#[test]
fn deterministic_and_can_be_stopped() {
    let exchanges = simulated("cocoa_plus", 3);
    assert_eq!(found(exchanges.clone(), false), found(exchanges.clone(), false));
    let record = record(&Requests::After(ms(300), 0), exchanges);
    let mut stop = |done: u64, _total: u64| {
        if done > 40 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    assert!(identify(&record, &Clues::default(), &mut stop).is_err());
}

/// A capture without a retransmission leads to no claim.
#[test]
fn no_retransmission_no_claim() {
    let fate = |_: Instant| world::answered(200);
    let exchanges = live("coap_default", &Value::Null, &Requests::After(ms(300), 50), &fate, &noise);
    let identification = found(exchanges, false);
    assert!(matches!(identification.trace.verdict, Verdict::CannotTell { .. }));
    assert!(identification.timeouts.is_empty());
    let empty = identify(&replay::Record::default(), &Clues::default(), &mut Silent).unwrap();
    assert!(matches!(empty.trace.verdict, Verdict::CannotTell { .. }));
}
