//! Estimator steps per second on one core, for every preset: `cargo bench -p rto --bench steps [-- --json] [-- ID…]`.
//!
//! A step is one call of the engine: a transmission, an expiry, an acknowledgement or a failure. The
//! script is the same for all: 4096 exchanges, a quarter of them retransmitted, one in 64 failed. The
//! figure of a machine means little; the ratio to `coap_default`, measured just before in the same
//! round, is what to compare.

use base::{Instant, Span};
use rto::{AlgorithmSpec, Dither, Flight, algorithms, build};
use serde_json::{Value, json};
use std::hint::black_box;

const ROUNDS: usize = 25;
const EXCHANGES: usize = 4096;
/// Passes over the script per measurement.
const PASSES: u32 = 4;

/// One exchange: how many copies follow the original, when the answer comes, whether one comes at all.
struct Exchange {
    gap: Span,
    retransmissions: u8,
    delay: Span,
    answered: bool,
    dither: Dither,
}

/// splitmix64's finaliser: a script without a random source.
fn draw(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn script() -> Vec<Exchange> {
    let exchange = |n: u64| {
        let answered = !draw(n << 2).is_multiple_of(64);
        Exchange {
            gap: Span::from_millis((draw(n << 2 | 1) % 2_000) as i64),
            retransmissions: match draw(n << 2 | 2) % 16 {
                _ if !answered => 4,
                0 => 2,
                1..=3 => 1,
                _ => 0,
            },
            delay: Span::from_micros((draw(n << 2 | 3) % 400_000) as i64),
            answered,
            dither: Dither((draw(n << 2 | 3) >> 32) as u32),
        }
    };
    (0..EXCHANGES as u64).map(exchange).collect()
}

/// Nanoseconds per step.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn measure(spec: &AlgorithmSpec, script: &[Exchange]) -> f64 {
    let mut estimator = build(spec.id, &Value::Null).expect("defaults are legal");
    let (mut now, mut flight, mut steps) = (Instant::ZERO, Flight::new(0), 0_u64);
    let start = std::time::Instant::now();
    for _ in 0..PASSES {
        for exchange in script {
            now += exchange.gap;
            flight.restart(0);
            now += black_box(flight.transmit(now, &mut *estimator, exchange.dither));
            for _ in 0..exchange.retransmissions {
                estimator.on_timeout(now, &flight);
                now += black_box(flight.transmit(now, &mut *estimator, exchange.dither)).min(Span::from_secs(60));
            }
            if exchange.answered {
                let named = spec.marks_attempts.then_some(exchange.retransmissions);
                now += exchange.delay;
                estimator.on_ack(now, &flight, flight.sample(now, named));
            } else {
                estimator.on_abandon(now, &flight);
            }
            steps += 2 + 2 * u64::from(exchange.retransmissions);
        }
    }
    let spent = start.elapsed();
    black_box(&estimator);
    spent.as_secs_f64() * 1e9 / steps as f64
}

/// The least disturbed of several measurements: whatever else runs on the machine only adds.
fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let as_json = arguments.iter().any(|argument| argument == "--json");
    let wanted: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|argument| !argument.starts_with("--")).collect();
    let peer = rto::spec("coap_default").expect("registered");
    let script = script();
    let mut rows = Vec::new();
    for spec in algorithms().iter().filter(|spec| wanted.is_empty() || wanted.contains(&spec.id)) {
        let pairs: Vec<_> = (0..ROUNDS).map(|_| (measure(peer, &script), measure(spec, &script))).collect();
        let nanos = least(pairs.iter().map(|pair| pair.1));
        rows.push((spec.id, nanos, nanos / least(pairs.iter().map(|pair| pair.0))));
    }
    if as_json {
        let row = |&(id, nanos, ratio): &(&str, f64, f64)| json!({ "id": id, "steps_per_second": 1e9 / nanos, "nanoseconds_per_step": nanos, "ratio_to_coap_default": ratio });
        println!(
            "{}",
            json!({ "bench": "rto steps", "peer": peer.id, "presets": rows.iter().map(row).collect::<Vec<_>>() })
        );
    } else {
        println!("{:26}{:>12}{:>10}{:>9}", "preset", "M steps/s", "ns/step", "ratio");
        for (id, nanos, ratio) in &rows {
            println!("{id:26}{:>12.1}{nanos:>10.1}{ratio:>9.2}", 1e3 / nanos);
        }
    }
}
