//! Exchanges × algorithms × replicates per second, and how soon the first answer is there after a slider was moved.
//!
//! ```text
//! npm run bench
//! ```
//! `RTOSCOPE_REPLICATES=20` for a machine that has other things to do. Traces: of `traces/`, and of `../shared` where
//! that lies beside the clone; `RTOSCOPE_BENCH=FILE` adds one. Each is repeated in time, end to end, up to 10,000
//! exchanges. A word after `--` takes those only whose path has it.
//!
//! The peer is the prediction of most studies, in the same run on the same trace: the recorded round trips one after
//! another (`replay::calibrate::trace_driven`), which has no channel model and draws nothing. Both are measured in
//! turn, A B A B …, and the median of the ratios of processor time counts: a share of the machine that others have is
//! not in it.
//!
//! Then each fast path ([`FastPaths`]) is switched off, in turn with all of them on: the table has seconds of processor
//! time with it and without it, and the median of the ratios. One that is below 1.2 everywhere is not worth its code.
//!
//! The last lines are the worst of all captures and channels: what it takes at most, and what each fast path saves at
//! most.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod process;

use base::{ExchangeId, Instant, Silent, Span};
use process::{memory, processor};
use replay::{
    Algorithm, AssociationRecord, Bounds, ChannelSpec, ExchangeRecord, FastPaths, Outcome, Record, Replay, Scenario,
};
use serde_json::{Value, json};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use trace::{DecodeOptions, ImportOptions};

const EXCHANGES: usize = 10_000;
const RUNS: usize = 3;
/// Replicates of each run of the table of fast paths: the plain forms take several times as long.
const TABLE: u32 = 20;
/// One of each kind: constant, back-off that varies, smoothed, peaks, fuzzy, and Californium's.
const ALGORITHMS: [&str; 10] = [
    "coap_default",
    "coap_b",
    "cocoa_2014",
    "cocoa_plus",
    "rfc6298",
    "fasor",
    "cocoa_cf3",
    "linux_rto_cf3",
    "basic_rto_cf3",
    "peak_hopper_cf3",
];

/// Replicates of a reported answer.
fn replicates() -> u32 {
    let asked = std::env::var("RTOSCOPE_REPLICATES").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(Scenario::REPLICATES)
}

fn main() {
    let replicates = replicates();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let what = format!("{EXCHANGES} exchanges × {} algorithms × {replicates} replicates", ALGORITHMS.len());
    println!("{what} on {cores} cores");
    println!("median of {RUNS} runs; RTOSCOPE_BENCH=FILE adds a capture\n");
    let mut worst = Worst::default();
    // `cargo bench` puts `--bench` behind them.
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let mut left_out = 0;
    for path in captures() {
        if !named.is_empty() && !named.iter().any(|name| path.to_string_lossy().contains(name.as_str())) {
            continue;
        }
        let Ok(capture) = trace::open(&path, &ImportOptions::default(), &mut Silent) else {
            left_out += 1;
            continue;
        };
        let options = DecodeOptions { rc_option: 65_002, ..DecodeOptions::default() };
        let trace = trace::analyse(capture, &options, &mut Silent).expect("not cancelled");
        let record = Record::from_trace(&trace, &mut Silent).expect("not cancelled");
        let (was, grown) = (record.exchanges(), repeated(&record));
        drop((trace, record));
        let name: Vec<_> = path.components().rev().take(3).map(|c| c.as_os_str().to_string_lossy()).collect();
        println!("{}/{}: {was} exchanges, repeated to {}", name[2], name[1], grown.exchanges());
        measure(grown, &mut worst);
    }
    let Worst { all, first, gains } = worst;
    println!("at most: {what} in {:.2} s (processor {:.2} s),", all.wall, all.processor);
    println!(
        "  the first answer of {} replicates {:.0} ms after a slider moved (processor {:.0} ms), memory {:.1} MB",
        Scenario::WHAT_IF,
        first.wall * 1e3,
        first.processor * 1e3,
        memory("VmHWM:") as f64 / 1e3
    );
    println!("without a fast path, times as long at most:");
    for ((name, _), gain) in FastPaths::BUT_ONE.iter().zip(gains) {
        println!("  {name:<16} × {gain:.2}");
    }
    if left_out > 0 {
        println!("{left_out} captures are not here");
    }
}

fn captures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let bundled = ["live-bottleneck-cocoa", "grid3x3-burst-cocoa"].map(|name| root.join("traces").join(name));
    let shared =
        ["live/bottleneck-seed101/COCOA", "live/ge-seed101/COCOA"].map(|name| root.join("../shared").join(name));
    let cooja =
        ["mrm3x3-b2b/default-seed1", "perf-grid7x7/cocoa-seed1"].map(|name| root.join("../shared/cooja").join(name));
    let captures = bundled.into_iter().chain(shared).map(|run| run.join("capture.pcap.gz"));
    let captures = captures.chain(cooja.map(|run| run.join("radio.pcap.gz")));
    captures.chain(std::env::var_os("RTOSCOPE_BENCH").map(PathBuf::from)).collect()
}

/// Slowest stage.
#[derive(Default)]
struct Worst {
    /// All algorithms with all replicates.
    all: Cost,
    /// The first answer to a moved slider.
    first: Cost,
    /// Greatest ratio of each fast path.
    gains: [f64; FastPaths::BUT_ONE.len()],
}

fn measure(record: Record, worst: &mut Worst) {
    let most = replicates();
    let exchanges = record.exchanges();
    let associations = record.associations().len();
    let (own, before) = (record.clone(), memory("VmRSS:"));
    let replay = Replay::new(own, &mut Silent).expect("not cancelled");
    let ready = memory("VmRSS:");
    for channel in [ChannelSpec::EMPIRICAL, ChannelSpec::GILBERT_ELLIOTT] {
        if channel == ChannelSpec::GILBERT_ELLIOTT {
            // Once per capture, and shown in the panel of channel states.
            black_box(replay.channel_states(&mut Silent).expect("not cancelled"));
        }
        let scenario = |id: &str, params: Value| {
            let mut scenario = Scenario::new(Algorithm::Preset { id: id.to_owned(), params }, channel);
            (scenario.replicates, scenario.bounds) = (most, Bounds::Skip);
            scenario
        };
        let all: Vec<Scenario> = ALGORITHMS.iter().map(|id| scenario(id, Value::Null)).collect();
        let model = || drop(black_box(replay.run_all(&all, &mut Silent).expect("replays")));
        let naive = || {
            for scenario in &all {
                black_box(replay::calibrate::trace_driven(&replay, &scenario.algorithm, 1).expect("replays"));
            }
        };
        model();
        let runs: Vec<(Cost, Cost)> = (0..RUNS).map(|_| (cost(model), cost(naive))).collect();
        let steps = (exchanges * ALGORITHMS.len()) as f64 * f64::from(most);
        let all_done = middle(runs.iter().map(|run| run.0));
        let Cost { wall, processor } = all_done;
        let each = |cost: &Cost, steps: f64| cost.processor / steps;
        let ratio = runs.iter().map(|(a, b)| each(a, steps) / each(b, steps / f64::from(most)));
        println!(
            "  {:<16} {:>6.2} s (processor {:>6.2} s, {:>4.0} ns each): {:>6.2} million a second; naive × {:.2}",
            channel.name(),
            wall,
            processor,
            processor / steps * 1e9,
            steps / wall / 1e6,
            median(ratio)
        );
        // A hand on a slider: one parameter of one algorithm is another one each time.
        let mut moved = 0;
        let mut what_if = |replicates: u32| {
            moved += 1;
            let mut asked = scenario("cocoa_plus", json!({ "k_strong": 1.0 + f64::from(moved) / 64.0 }));
            asked.replicates = replicates;
            drop(black_box(replay.run(&asked, &mut Silent).expect("replays")));
        };
        let first = middle((0..RUNS).map(|_| cost(|| what_if(Scenario::WHAT_IF))));
        let refined = middle((0..RUNS).map(|_| cost(|| what_if(most))));
        let stops = median((0..RUNS).map(|_| stop(&replay, &all)));
        let after = |cost: Cost| format!("{:.0} ms (processor {:.0} ms)", cost.wall * 1e3, cost.processor * 1e3);
        println!(
            "  {:<16} slider moved: {} to the first answer of {} replicates, {} to {most}; stops within {:.0} ms",
            "",
            after(first),
            Scenario::WHAT_IF,
            after(refined),
            stops * 1e3,
        );
        let table: Vec<Scenario> = all.iter().map(|s| Scenario { replicates: TABLE, ..s.clone() }).collect();
        let gains = fast_paths(&replay, &record, &table);
        worst.gains.iter_mut().zip(gains).for_each(|(most, gain)| *most = most.max(gain));
        worst.all = worst.all.or(all_done);
        worst.first = worst.first.or(first);
    }
    println!(
        "  memory: {:.1} MB to replay from, {:.1} MB at most in all; {associations} associations\n",
        ready.saturating_sub(before) as f64 / 1e3,
        memory("VmHWM:") as f64 / 1e3
    );
}

/// Prints what `scenarios` cost with each fast path and without it; returns the ratios.
fn fast_paths(replay: &Replay, record: &Record, scenarios: &[Scenario]) -> [f64; FastPaths::BUT_ONE.len()] {
    let work = |replay: &Replay| cost(|| drop(black_box(replay.run_all(scenarios, &mut Silent).expect("replays"))));
    println!("  {TABLE} replicates, processor  with   without");
    FastPaths::BUT_ONE.map(|(name, but_one)| {
        let without = Replay::with_fast_paths(record.clone(), but_one, &mut Silent).expect("not cancelled");
        black_box(work(&without));
        let runs: Vec<[f64; 2]> = (0..RUNS).map(|_| [replay, &without].map(|replay| work(replay).processor)).collect();
        let [with, off] = [0, 1].map(|i| median(runs.iter().map(|run| run[i])));
        let ratio = median(runs.iter().map(|run| run[1] / run[0]));
        println!("    {name:<20} {with:>6.3} s  {off:>6.3} s  × {ratio:.2}");
        ratio
    })
}

/// Seconds of one piece of work.
#[derive(Clone, Copy, Default)]
struct Cost {
    wall: f64,
    processor: f64,
}

impl Cost {
    /// The greater of both, each on its own.
    fn or(self, other: Self) -> Self {
        Self { wall: self.wall.max(other.wall), processor: self.processor.max(other.processor) }
    }
}

/// The medians of wall and processor.
fn middle(costs: impl Iterator<Item = Cost>) -> Cost {
    let costs: Vec<Cost> = costs.collect();
    Cost { wall: median(costs.iter().map(|c| c.wall)), processor: median(costs.iter().map(|c| c.processor)) }
}

fn cost(work: impl FnOnce()) -> Cost {
    let (start, busy) = (std::time::Instant::now(), processor());
    work();
    Cost { wall: start.elapsed().as_secs_f64(), processor: processor() - busy }
}

/// The longest time between two moments at which a replay can be cancelled.
fn stop(replay: &Replay, scenarios: &[Scenario]) -> f64 {
    let (mut longest, mut before) = (0.0_f64, None);
    let mut tick = |done: u64, total: u64| {
        let now = std::time::Instant::now();
        longest = before.replace(now).map_or(longest, |before| longest.max((now - before).as_secs_f64()));
        if done * 2 < total { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    drop(black_box(replay.run_all(scenarios, &mut tick)));
    longest
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// `record` repeated in time until there are [`EXCHANGES`].
fn repeated(record: &Record) -> Record {
    let all = || record.associations().iter().flat_map(|a| &a.exchanges);
    let start = all().map(ExchangeRecord::start).min().unwrap_or(Instant::ZERO);
    let ends = all().flat_map(|e| e.copies.iter().map(|c| c.sent + c.fate.rtt().unwrap_or(Span::ZERO)).chain(e.end));
    // One minute more, for copies in flight.
    let period = ends.max().unwrap_or(start) - start + Span::from_secs(60);
    let mut grown: Vec<AssociationRecord> =
        record.associations().iter().map(|a| AssociationRecord { exchanges: Vec::new(), ..a.clone() }).collect();
    let mut order: Vec<(usize, &ExchangeRecord)> =
        record.associations().iter().enumerate().flat_map(|(i, a)| a.exchanges.iter().map(move |e| (i, e))).collect();
    order.sort_by_key(|(_, e)| e.start());
    let repetitions = if order.is_empty() { 0 } else { EXCHANGES.div_ceil(order.len()) };
    let every = (0..repetitions).flat_map(|k| order.iter().map(move |&(i, e)| (k, i, e)));
    for ((k, i, exchange), id) in every.take(EXCHANGES).zip(0_u32..) {
        let later = period.scale(k as i64, 1);
        let mut exchange = ExchangeRecord { id: ExchangeId(id), ..exchange.clone() };
        if exchange.outcome == Outcome::Open && k + 1 < repetitions {
            // Open where the trace ended; the repeated trace goes on. Left open, such exchanges would add up with every
            // repetition.
            exchange.outcome = Outcome::Abandoned;
        }
        exchange.ready = exchange.ready.map(|at| at + later);
        exchange.end = exchange.end.map(|at| at + later);
        for copy in &mut exchange.copies {
            copy.sent += later;
        }
        grown[i].exchanges.push(exchange);
    }
    grown.retain(|a| !a.exchanges.is_empty());
    Record::new(grown, None)
}
