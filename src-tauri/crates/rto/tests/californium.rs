//! Step by step against the real Californium 3.14: random scripts of sends, expiries and answers go
//! through its own reliability layer in virtual time (`californium/`, a Maven project of one class) and
//! through our presets, and every timeout and every variable must be the same after every event.
//!
//! Needs a JDK, Maven and, the first time, the network: `RTOSCOPE_CALIFORNIUM=1 cargo test -p rto --test californium`.

#[path = "californium/java.rs"]
mod java;

use base::{Instant, Span};
use rto::{Dither, EstimatorState, Flight};
use serde_json::Value;
use std::fmt::Write as _;

const SCRIPTS: u64 = 40;
const EVENTS: usize = 600;
/// RFC 7252 §4.8.
const MAX_RETRANSMIT: u8 = 4;

/// Their variables and ours.
const VARIABLES: [(&str, &str); 16] = [
    ("rto", "rto"),
    ("strongRto", "E_strong"),
    ("strongRto_rtt", "rtt_strong"),
    ("strongRto_rttvar", "rttvar_strong"),
    ("weakRto", "E_weak"),
    ("weakRto_rtt", "rtt_weak"),
    ("weakRto_rttvar", "rttvar_weak"),
    ("SRTT", "srtt"),
    ("RTTVAR", "rttvar"),
    ("mdev", "mdev"),
    ("mdev_max", "mdev_max"),
    ("delta", "delta"),
    ("B_value", "B"),
    ("RTT_max", "rtt_max"),
    ("RTT_previous", "rtt_prev"),
    ("RTO_min", "rto_min"),
];

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Up to so many milliseconds, not whole ones.
    fn millis(&mut self, n: u64) -> Span {
        Span::from_nanos(self.below(n * 1_000_000) as i64)
    }
}

/// Expected result of one event: the timeout if one was armed, and the state.
struct Expected {
    event: String,
    armed: Option<Span>,
    state: EstimatorState,
}

/// One random script, as text for the driver and as played by our estimator.
fn play(id: &str, seed: u64, script: &mut String, expected: &mut Vec<Expected>) {
    let mut random = Random(seed);
    let mut estimator = rto::build(id, &Value::Null).expect("a preset");
    let nstart = if seed.is_multiple_of(2) { 1 } else { 4 };
    let mut open: Vec<(u64, Flight)> = Vec::new();
    let (mut now, mut serial) = (Instant::ZERO, 0);
    for _ in 0..EVENTS {
        now += match (open.is_empty(), random.below(20)) {
            (true, 0) => Span::from_secs(600) + random.millis(2_000_000),
            (true, 1) => random.millis(590_000),
            (true, 2..=5) | (false, 0) => random.millis(100_000),
            (true, _) => random.millis(3_000),
            (false, 1..=7) => random.millis(5_000),
            (false, _) => random.millis(300),
        };
        let at = (now - Instant::ZERO).nanos();
        let mut armed = None;
        let event = if open.is_empty() || (open.len() < nstart && random.below(3) == 0) {
            let draw = random.next() as u32;
            let mut flight = Flight::new(open.len() as u32);
            armed = Some(flight.transmit(now, &mut *estimator, Dither(draw)));
            serial += 1;
            open.push((serial, flight));
            format!("send {at} {serial} {draw}")
        } else {
            let n = random.below(open.len() as u64) as usize;
            if random.below(5) < 3 {
                let (id, flight) = open.swap_remove(n);
                estimator.on_ack(now, &flight, flight.sample(now, None));
                format!("answer {at} {id}")
            } else {
                let (id, flight) = &mut open[n];
                let event = format!("expire {at} {id}");
                if flight.attempt() < MAX_RETRANSMIT {
                    estimator.on_timeout(now, flight);
                    armed = Some(flight.transmit(now, &mut *estimator, Dither::NONE));
                } else {
                    estimator.on_abandon(now, flight);
                    open.swap_remove(n);
                }
                event
            }
        };
        writeln!(script, "{event}").expect("a string");
        expected.push(Expected { event: format!("{id}: {event}"), armed, state: estimator.state(Instant::MIN) });
    }
}

/// Differences of one line of the driver; counts the numbers compared.
fn compare(expected: &Expected, line: &str, numbers: &mut usize) -> Option<String> {
    let mut words = line.split(' ');
    let millis = |text: &str| Span::from_millis(text.parse().unwrap_or_else(|_| panic!("{line}")));
    let timeout = millis(words.next().expect("a timeout"));
    let mut wrong = String::new();
    if let Some(armed) = expected.armed {
        *numbers += 1;
        if armed != timeout {
            write!(wrong, " timeout {timeout}, ours {armed}").expect("a string");
        }
    }
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or_else(|| panic!("{line}"));
        let ours = VARIABLES.iter().find(|(theirs, _)| *theirs == name).unwrap_or_else(|| panic!("{name}")).1;
        let got = expected.state.values.iter().find(|(name, _)| *name == ours).unwrap_or_else(|| panic!("{ours}")).1;
        // Californium has 0 where nothing is measured yet.
        let got = got.unwrap_or(Span::ZERO);
        // A variable without unit travels as that many seconds, to the nanosecond.
        let same = match name {
            "delta" | "B_value" => value.parse().ok().and_then(Span::from_secs_f64) == Some(got),
            _ => millis(value) == got,
        };
        *numbers += 1;
        if !same {
            write!(wrong, " {word}, ours {got}").expect("a string");
        }
    }
    (!wrong.is_empty()).then(|| format!("{}:{wrong}", expected.event))
}

#[test]
fn every_event_agrees_with_californium_3_14() {
    if !java::is_wanted() {
        return;
    }
    let (mut script, mut expected) = (String::new(), Vec::new());
    for (mode, id) in java::MODES {
        for seed in 0..SCRIPTS {
            writeln!(script, "mode {mode}").expect("a string");
            play(id, seed, &mut script, &mut expected);
        }
    }
    let printed = java::Java::compile().run(&["rtoscope.Driver"], script);
    let lines: Vec<_> = printed.lines().filter(|line| !line.starts_with("mode ")).collect();
    assert_eq!(lines.len(), expected.len());
    let mut numbers = 0;
    let wrong: Vec<_> =
        expected.iter().zip(lines).filter_map(|(expected, line)| compare(expected, line, &mut numbers)).collect();
    println!("{} events, {numbers} numbers compared, {} events differ", expected.len(), wrong.len());
    assert!(wrong.is_empty(), "{} events differ, the first: {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
    assert!(expected.len() >= 100_000 && numbers > 3 * expected.len());
}
