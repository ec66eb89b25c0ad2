//! Time to make exchanges of messages, with their outcomes and matched replies, and what
//! they hold: a million of them, on one core.
//!
//! `cargo bench -p trace --bench exchanges`. The peer does the least that any reconstruction by Message ID must: it
//! puts each message into a `HashMap` of the standard library by its endpoints and Message ID, and looks each up once.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

#[path = "captures/make.rs"]
#[expect(dead_code, reason = "the other benchmark says what the captures are made of")]
mod make;

use make::Maker;
use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use trace::{Association, Copy, DecodeOptions, Exchange, ImportOptions, Reply, Trace};

const ROUNDS: usize = 5;

/// Runs of the repository to repeat, and how many exchanges of them: on the radio, where a capture sees every hop, an
/// exchange takes fifteen frames.
const SOURCES: [(&str, usize); 2] = [("live-bottleneck-cocoa", 1_000_000), ("grid3x3-burst-cocoa", 100_000)];

/// Nanoseconds that this thread has had a processor (proc(5), Documentation/scheduler/sched-stats.rst), which other
/// work on the machine changes less than the time on the wall.
fn on_processor() -> Option<f64> {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split_whitespace().next()?.parse().ok()
}

/// Seconds of the shortest of some rounds.
fn best<T>(mut round: impl FnMut() -> T) -> f64 {
    let timed = (0..ROUNDS).map(|_| {
        let (start, before) = (Instant::now(), on_processor());
        let made = black_box(round());
        let wall = start.elapsed().as_secs_f64();
        let seconds = before.zip(on_processor()).map_or(wall, |(before, now)| (now - before) / 1e9);
        drop(made);
        seconds
    });
    timed.fold(f64::INFINITY, f64::min)
}

fn analyse(path: &Path) -> Trace {
    let capture = trace::open(path, &ImportOptions::default(), &mut base::Silent).expect("a capture");
    trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).expect("not cancelled")
}

/// Octets of exchanges and of the lists that have more than one value.
fn held((exchanges, associations): &(Vec<Exchange>, Vec<Association>)) -> usize {
    let beside = |exchange: &Exchange| {
        let copies = if exchange.copies.len() > 1 { exchange.copies.len() * size_of::<Copy>() } else { 0 };
        let replies = if exchange.replies.len() > 1 { exchange.replies.len() * size_of::<Reply>() } else { 0 };
        copies + replies
    };
    let lists: usize = exchanges.iter().map(beside).sum();
    let numbers: usize = associations.iter().map(|association| association.exchanges.capacity()).sum();
    exchanges.capacity() * size_of::<Exchange>() + lists + numbers * size_of::<base::ExchangeId>()
}

fn by_message_id(trace: &Trace) -> usize {
    let mut known = HashMap::new();
    for message in &trace.messages {
        known.insert((message.src(), message.dst(), message.mid), message.id);
    }
    let found = |message: &&trace::Message| known.contains_key(&(message.dst(), message.src(), message.mid));
    trace.messages.iter().filter(found).count()
}

fn main() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let folder = tempfile::tempdir().expect("a folder for captures");
    for (id, wanted) in SOURCES {
        let source = traces.join(id).join("capture.pcap.gz");
        let once = analyse(&source);
        let frames = (wanted * once.capture.frames.len()).div_ceil(once.exchanges.len());
        let path = folder.path().join(id);
        Maker::new(once.capture).write(&path, frames).expect("room for the capture");
        let trace = analyse(&path);
        fs::remove_file(&path).expect("removed");
        let made = trace::exchanges_again(&trace, &mut base::Silent).expect("not cancelled");
        assert!(made.0 == trace.exchanges, "the same again");
        let (count, octets) = (made.0.len() as f64, held(&made) as f64);
        drop(made);
        let ours = best(|| trace::exchanges_again(&trace, &mut base::Silent).expect("not cancelled"));
        let theirs = best(|| by_message_id(&trace));
        println!("{id}: {count} exchanges of {} messages, {frames} frames", trace.messages.len());
        println!("  ours      {ours:>7.3} s, {:.3} s a million exchanges", ours / count * 1e6);
        println!("  holds     {:>7.1} MB, {:.0} octets an exchange", octets / 1e6, octets / count);
        println!("  a HashMap {theirs:>7.3} s, ours takes {:.2} times as long", ours / theirs);
    }
}
