//! When requests start in a replay whose sender is the recorded one: by the clock of their application, and behind each
//! other where they have to wait; one after the other where that is how they came.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::{ExchangeId, Instant, Silent, Span};
use replay::{Algorithm, ChannelSpec, Detail, Replay, Scenario, StepKind, Workload, WorkloadChoice};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trace::{DecodeOptions, ImportOptions};

fn replay(path: &Path) -> Replay {
    let capture = trace::open(path, &ImportOptions::default(), &mut Silent).unwrap();
    let options = DecodeOptions { rc_option: 65_002, ..DecodeOptions::default() };
    Replay::from_trace(&trace::analyse(capture, &options, &mut Silent).unwrap())
}

/// When each exchange begins under the recorded timers, if requests come as `workload` has it.
fn starts(replay: &Replay, workload: WorkloadChoice) -> BTreeMap<ExchangeId, Instant> {
    let mut scenario = Scenario::new(Algorithm::AsRecorded, ChannelSpec::RECORDED);
    (scenario.workload, scenario.detail) = (workload, Detail::Steps);
    let steps = replay.run(&scenario, &mut Silent).unwrap().steps;
    let mut starts = BTreeMap::new();
    for ((&exchange, &at), &kind) in steps.exchange.iter().zip(&steps.at).zip(&steps.kind) {
        if kind == StepKind::Transmit {
            starts.entry(exchange).or_insert(at);
        }
    }
    starts
}

/// What is off, of requests that waited and of those that did not.
#[derive(Default)]
struct Off {
    waited: Vec<Span>,
    free: Vec<Span>,
    longest_wait: Span,
    unstarted: usize,
}

fn off(replay: &Replay) -> Off {
    let mut off = Off::default();
    let (by_clock, in_loops) = (starts(replay, WorkloadChoice::Arrivals), starts(replay, WorkloadChoice::ThinkTime));
    for association in replay.record().associations() {
        let predicted = if association.workload == Workload::Arrivals { &by_clock } else { &in_loops };
        for exchange in &association.exchanges {
            // Behind an exchange whose end the capture lacks nothing follows.
            let Some(&start) = predicted.get(&exchange.id) else {
                off.unstarted += 1;
                continue;
            };
            let miss = (start - exchange.start()).abs();
            match exchange.ready {
                Some(ready) => {
                    assert!(ready <= exchange.start(), "ready before it is sent");
                    off.longest_wait = off.longest_wait.max(exchange.start() - ready);
                    off.waited.push(miss);
                }
                None => off.free.push(miss),
            }
        }
    }
    off
}

fn quantile(values: &mut [Span], percent: usize) -> Span {
    values.sort_unstable();
    values.get((values.len() * percent / 100).min(values.len().saturating_sub(1))).copied().unwrap_or(Span::ZERO)
}

#[test]
fn the_recorded_sender_starts_when_it_did() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let bundled = [
        "chain6-periodic-default",
        "grid3x3-burst-cocoa",
        "tsch-slow-chain5-default",
        "live-bottleneck-cocoa",
        "live-ge-default",
        "live-sleepy-default",
    ];
    let mut runs: Vec<(String, PathBuf)> = bundled
        .iter()
        .map(|name| {
            let folder = traces.join(name);
            let files = ["capture.pcap.gz", "radiolog.txt.gz"].map(|file| folder.join(file));
            ((*name).to_owned(), files.into_iter().find(|file| file.is_file()).unwrap())
        })
        .collect();
    let shared = std::env::var_os("RTOSCOPE_SHARED").map_or_else(|| traces.join("../../shared"), PathBuf::from);
    for run in ["cooja/event5x5-1m/default-seed1/radio.pcap.gz", "live/ge-seed101/NULL/capture.pcap.gz"] {
        let file = shared.join(run);
        if file.is_file() {
            runs.push((run.to_owned(), file));
        } else {
            println!("skipped: {} is not there", file.display());
        }
    }
    println!(
        "{:50} {:>6} {:>10} {:>10} | {:>6} {:>10} {:>10} {:>10}",
        "starts, as predicted", "free", "p50", "p99", "waited", "p50", "p95", "longest"
    );
    let (mut waited, mut free) = (0, 0);
    for (name, path) in runs {
        let mut off = off(&replay(&path));
        println!(
            "{name:50} {:>6} {:>10} {:>10} | {:>6} {:>10} {:>10} {:>10} | {:>3}",
            off.free.len(),
            quantile(&mut off.free, 50).to_string(),
            quantile(&mut off.free, 99).to_string(),
            off.waited.len(),
            quantile(&mut off.waited, 50).to_string(),
            quantile(&mut off.waited, 95).to_string(),
            off.longest_wait.to_string(),
            off.unstarted,
        );
        // Those that did not wait start when their clock says, or as long after the end before as they did.
        assert_eq!(quantile(&mut off.free, 50), Span::ZERO, "{name}");
        assert!(off.unstarted * 50 <= off.free.len() + off.waited.len(), "{name}: {} never start", off.unstarted);
        waited += off.waited.len();
        free += off.free.len();
        // Behind another one a request starts when that ends; it did within what a stack takes for that, and the channel.
        assert!(quantile(&mut off.waited, 50) <= Span::from_millis(50), "{name}");
    }
    assert!(waited > 20 && free > 500, "{waited} waited, {free} did not");
}
