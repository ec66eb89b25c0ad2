//! Speed and memory of the network twin, asked as Compare asks it: the machine inferred, the channel chosen, replicates
//! run.
//!
//! `npm run bench -- twin [WORD]`, or `cargo bench --workspace --bench twin -- [WORD]`; with WORD only the captures
//! that have it in their paths. Captures of `../shared` that are not here are named and left out. Targets are those of
//! the twin's specification: a million data frames a second and core; 200 replicates of half an hour of a TSCH chain of
//! five in a second on two cores, of an hour of 49 CSMA nodes in 30 s, with a first answer in 2 s; a stop within 50 ms.
//! A replicate that is run again with every frame, for *Ladder* and *Network*, takes a second at most.
//!
//! Data frames of a replicate are those recorded, times what the open loop sends of them. A first answer begins with
//! nothing but the record: the machine is inferred, the channel chosen, and the first replicates are run; the whole
//! answer goes on from them. Processor times count all threads.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod process;

use base::{Progress, Silent};
use process::{memory, processor};
use replay::{AnotherRun, Begun, Bounds, ChannelSpec, Detail, Measure, Record, Replay, Scenario};
use std::fmt;
use std::hint::black_box;
use std::ops::{Add, ControlFlow};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trace::{DecodeOptions, ImportOptions};

/// A capture and what is asked of it.
struct Case {
    /// From the folder of the repository.
    path: &'static str,
    name: &'static str,
    /// Seconds that [`Scenario::REPLICATES`] may take; none where nothing is promised.
    target: Option<f64>,
    /// Repetitions, of which the median counts.
    rounds: usize,
}

const CASES: [Case; 4] = [
    Case {
        path: "traces/tsch-slow-chain5-default",
        name: "a TSCH chain of five, half an hour, in a storm",
        target: Some(1.0),
        rounds: 3,
    },
    Case {
        path: "traces/tsch-slow-chain5-cocoa",
        name: "the same chain without a storm",
        target: Some(1.0),
        rounds: 3,
    },
    Case { path: "traces/grid3x3-burst-cocoa", name: "a CSMA grid of nine, bursts", target: None, rounds: 3 },
    Case {
        path: "../shared/cooja/perf-grid7x7/cocoa-seed1",
        name: "a CSMA grid of 49, an hour",
        target: Some(30.0),
        rounds: 1,
    },
];

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("the network twin on {cores} cores; targets in brackets");
    // `cargo bench` puts `--bench` behind them.
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |case: &&Case| named.is_empty() || named.iter().any(|name| case.path.contains(name.as_str()));
    for case in CASES.iter().filter(wanted) {
        println!("\n{}: {}", case.path, case.name);
        match capture(&folder(case.path)) {
            Some(path) => measure(case, &path),
            None => println!("  skipped: it is not here"),
        }
    }
    println!("\nmemory at most {:.0} MB, captures included", memory("VmHWM:") as f64 / 1e3);
}

/// A folder of the repository, or beside it.
fn folder(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let shared = std::env::var_os("RTOSCOPE_SHARED").map(PathBuf::from);
    path.strip_prefix("../shared/").zip(shared).map_or_else(|| root.join(path), |(within, shared)| shared.join(within))
}

/// The capture in a folder.
fn capture(folder: &Path) -> Option<PathBuf> {
    ["capture.pcap.gz", "radio.pcap.gz"].map(|name| folder.join(name)).into_iter().find(|path| path.is_file())
}

fn measure(case: &Case, path: &Path) {
    let capture = trace::open(path, &ImportOptions::default(), &mut Silent).expect("a capture");
    let trace = trace::analyse(capture, &DecodeOptions::default(), &mut Silent).expect("not cancelled");
    let before = memory("VmRSS:");
    let (machine, inferring) = timed(case.rounds, || twin::infer(&trace, &mut Silent).expect("not cancelled"));
    let machine = machine.expect("a machine");
    let held = memory("VmRSS:").saturating_sub(before);
    let seconds = (machine.window.1 - machine.window.0).secs_f64();
    println!("  {} nodes, {seconds:.0} s, {} data frames recorded", machine.len(), machine.frames);
    println!("  machine inferred in {inferring}, {:.1} MB more memory", held as f64 / 1e3);
    stops(inferring, || (), |(), progress| drop(black_box(twin::infer(&trace, progress))));

    let learned = || {
        let record = Record::from_trace(&trace, &mut Silent).expect("not cancelled");
        let replay = Replay::new(record, &mut Silent).expect("not cancelled");
        replay.learn_network(&trace, &mut Silent).expect("not cancelled");
        replay
    };
    let replay = learned();
    let (chosen, choosing) = timed(1, || replay.choose_channel(&trace, &mut Silent).expect("not cancelled").clone());
    println!("  channel chosen in {choosing}: {}", chosen.channel.name());
    stops(choosing, learned, |replay, progress| drop(black_box(replay.choose_channel(&trace, progress).map(drop))));

    // The open loop sends the first frames of a long capture only.
    let sent = chosen.checks.iter().find(|check| check.measure == Measure::Frames);
    let frames = sent.map_or(0.0, |check| machine.frames as f64 * check.mean / check.recorded);
    let timer = chosen.timer.expect("there is a machine");
    let asked = |replicates, another| Scenario {
        replicates,
        another,
        detail: Detail::Steps,
        bounds: Bounds::Skip,
        ..Scenario::new(timer.clone(), ChannelSpec::Twin)
    };
    let run = |scenario: Scenario| timed(case.rounds, || drop(black_box(replay.run(&scenario, &mut Silent)))).1;
    let all = run(asked(Scenario::REPLICATES, AnotherRun::Skip));
    let rate = frames * f64::from(Scenario::REPLICATES) / all.processor / 1e6;
    let target = case.target.map_or(String::new(), |seconds| format!(" [{seconds:.0} s]"));
    println!("  {} replicates in {all}{target}", Scenario::REPLICATES);
    println!("    {frames:.0} data frames each: {rate:.2} million a second and core [1]");
    println!(
        "    with as many of another run, as Compare asks: {}",
        run(asked(Scenario::REPLICATES, AnotherRun::Compute))
    );
    let short = || asked(Scenario::WHAT_IF, AnotherRun::Compute);
    let go_on = |scenario, begun| replay.go_on(&[scenario], vec![begun], &mut Silent).expect("replays").remove(0).1;
    let (begun, first) = timed(1, || go_on(short(), Begun::default()));
    println!("    {} replicates and as many of another run: {first}", Scenario::WHAT_IF);
    println!("    first answer, with machine and channel: {} [2 s]", first + inferring + choosing);
    let rest = timed(1, || drop(black_box(go_on(asked(Scenario::REPLICATES, AnotherRun::Compute), begun.clone())))).1;
    println!("    from there to the whole answer: {rest}");
    stops(first, short, |scenario, progress| drop(black_box(replay.run(scenario, progress))));
    let one = || asked(Scenario::REPLICATES, AnotherRun::Skip);
    let (again, logging) = timed(case.rounds, || replay.frames(&one(), 0, &mut Silent).expect("replays"));
    let octets = again.as_ref().map_or(0, replay::ReplicateFrames::octets);
    println!("  one replicate again, with every frame: {logging} [1 s], {:.1} MB", octets as f64 / 1e6);
    stops(logging, one, |scenario, progress| drop(black_box(replay.frames(scenario, 0, progress))));
}

/// Seconds of one piece of work.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    processor: f64,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, processor: self.processor + other.processor }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s (processor {:.3} s)", self.wall, self.processor)
    }
}

/// The last result of `rounds` rounds, and the median of their costs.
fn timed<T>(rounds: usize, mut work: impl FnMut() -> T) -> (T, Cost) {
    let mut round = || {
        let (start, busy) = (Instant::now(), processor());
        let result = work();
        (result, Cost { wall: start.elapsed().as_secs_f64(), processor: processor() - busy })
    };
    let (mut result, cost) = round();
    let mut costs = vec![cost];
    for _ in 1..rounds {
        let (again, cost) = round();
        result = again;
        costs.push(cost);
    }
    let median = |of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(of).collect();
        values.sort_unstable_by(f64::total_cmp);
        values[values.len() / 2]
    };
    (result, Cost { wall: median(|cost| cost.wall), processor: median(|cost| cost.processor) })
}

/// Prints how long `work` goes on after it was told to stop, at eighths of its time: a person presses the button at any
/// moment.
fn stops<T>(cost: Cost, prepare: impl Fn() -> T, mut work: impl FnMut(&T, &mut dyn Progress)) {
    let late = (1..8).map(|eighth| {
        let prepared = prepare();
        let deadline = Instant::now() + Duration::from_secs_f64(cost.wall * f64::from(eighth) / 8.0);
        let mut stop = |_: u64, _: u64| {
            if Instant::now() < deadline { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        work(&prepared, &mut stop);
        Instant::now().saturating_duration_since(deadline).as_secs_f64()
    });
    println!("    stops within {:.0} ms [50]", late.fold(0.0, f64::max) * 1e3);
}
