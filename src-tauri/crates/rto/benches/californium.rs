//! Closed-loop exchanges per second, Californium 3.14 against ours:
//! `RTOSCOPE_CALIFORNIUM=1 cargo bench -p rto --bench californium [-- --json]`.
//!
//! The same script for all, in virtual time and on one core: each side's timers decide what is sent. Californium runs
//! twice: its whole stack (a `CoapEndpoint`: matcher, layers, serialiser, parser) and its reliability layer alone,
//! which is the least that its timers can take. Before anything is reported, all must have sent as many copies and
//! have ended at the same nanosecond. Figures are of the fastest of several passes, Californium's inside its virtual
//! machine after warming up; reading the script is not counted. Needs a JDK, Maven and, the first time, the network.

#[path = "../tests/californium/java.rs"]
mod java;

use base::Span;
use java::Java;
use rto::Dither;
use rto::drive::{ClosedLoop, Scripted};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::hint::black_box;

const EXCHANGES: u64 = 20_000;
/// The original and MAX_RETRANSMIT, RFC 7252 §4.8.
const COPIES: u64 = 5;
const WARM_UP: u32 = 20;
const PASSES: u32 = 20;

/// splitmix64's finaliser: a script without a random source.
fn draw(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A lossy path: every fifth copy is lost, round trips of 50 to 650 ms, every sixteenth up to 6 s.
fn script() -> Vec<Scripted> {
    let delay = |n: u64| {
        let (fate, time) = (draw(n), draw(!n));
        let range = if fate % 16 == 1 { 6_000_000 } else { 600_000 };
        (!fate.is_multiple_of(5)).then(|| Span::from_micros((50_000 + time % range) as i64))
    };
    let exchange = |n: u64| Scripted {
        gap: Span::from_micros((draw(n << 32) % 3_000_000) as i64),
        dither: Dither(draw(n << 33) as u32),
        delays: (0..COPIES).map(|copy| delay(n * COPIES + copy)).collect(),
    };
    (1..=EXCHANGES).map(exchange).collect()
}

fn text(script: &[Scripted]) -> String {
    let mut text = String::new();
    for exchange in script {
        write!(text, "{} {}", exchange.gap.nanos(), exchange.dither.0).expect("a string");
        for delay in &exchange.delays {
            write!(text, " {}", delay.map_or(-1, Span::nanos)).expect("a string");
        }
        text.push('\n');
    }
    text
}

/// Nanoseconds of the fastest pass, copies sent, virtual nanoseconds at the end.
type Figures = (u64, u64, i64);

#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn ours(id: &str, script: &[Scripted]) -> Figures {
    let spec = rto::spec(id).expect("registered");
    let pass = |_| {
        let mut sender = ClosedLoop::new(spec, rto::build(id, &Value::Null).expect("defaults are legal"));
        let start = std::time::Instant::now();
        let mut copies = 0;
        for exchange in script {
            black_box(sender.run(exchange));
            copies += sender.flight().sent.len();
        }
        let spent = start.elapsed();
        (spent.as_nanos() as u64, copies as u64, (sender.now() - base::Instant::ZERO).nanos())
    };
    (0..PASSES).map(pass).min().expect("there are passes")
}

/// A line of the Java side: which mode, which part of Californium, what it took.
fn theirs(line: &str) -> (&str, &str, Figures) {
    let words: Vec<_> = line.split(' ').collect();
    let [mode, part, spent, copies, end] = words[..] else { panic!("{line}") };
    let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("{line}"));
    (mode, part, (number(spent), number(copies), number(end) as i64))
}

/// One mode, in exchanges per second.
struct Row {
    mode: &'static str,
    id: &'static str,
    copies: u64,
    stack: f64,
    layer: f64,
    ours: f64,
}

fn main() {
    if !java::is_wanted() {
        return;
    }
    let as_json = std::env::args().any(|argument| argument == "--json");
    let script = script();
    let (warm_up, passes) = (WARM_UP.to_string(), PASSES.to_string());
    let (java, text) = (Java::compile(), text(&script));
    let rows = java::MODES.map(|(mode, id)| {
        // A machine of its own: what it has optimised for one mode would slow down the next.
        let printed = java.run(&["rtoscope.Bench", &warm_up, &passes, mode], text.clone());
        let mut lines = printed.lines().map(theirs);
        let (ours, copies, end) = ours(id, &script);
        let rate = |nanos: u64| EXCHANGES as f64 * 1e9 / nanos as f64;
        let mut next = |part| {
            let (its_mode, its_part, (spent, its_copies, its_end)) = lines.next().expect("a line per mode and part");
            let did = (its_mode, its_part, its_copies, its_end);
            assert_eq!(did, (mode, part, copies, end), "{id} did something else");
            rate(spent)
        };
        Row { mode, id, copies, stack: next("stack"), layer: next("layer"), ours: rate(ours) }
    });
    if as_json {
        let row = |row: &Row| {
            json!({
                "mode": row.mode, "id": row.id, "exchanges": EXCHANGES, "copies": row.copies,
                "exchanges_per_second": row.ours,
                "stack_exchanges_per_second": row.stack, "ratio_to_stack": row.ours / row.stack,
                "layer_exchanges_per_second": row.layer, "ratio_to_layer": row.ours / row.layer,
            })
        };
        let modes: Vec<_> = rows.iter().map(row).collect();
        println!("{}", json!({ "bench": "rto closed loop", "peer": "Californium 3.14.0", "modes": modes }));
    } else {
        println!("thousand exchanges per second, {EXCHANGES} exchanges");
        println!(
            "{:16}{:>9}{:>9}{:>9}{:>10}{:>10}{:>10}",
            "mode", "copies", "stack", "layer", "ours", "/ stack", "/ layer"
        );
        for Row { mode, copies, stack, layer, ours, .. } in rows {
            print!("{mode:16}{copies:>9}{:>9.0}{:>9.0}{:>10.0}", stack / 1e3, layer / 1e3, ours / 1e3);
            println!("{:>10.1}{:>10.1}", ours / stack, ours / layer);
        }
    }
}
