//! Times at which requests start in a replay: by the clock of their application, behind each other where they have to
//! wait, and one after the other where that is how they came. Under the algorithm that was recorded that is when they
//! did start, but for what the dither moves.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::{ExchangeId, Instant, Silent, Span};
use replay::{Algorithm, ChannelSpec, Detail, ExchangeRecord, Record, Replay, Scenario, StepKind, Workload};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use trace::{DecodeOptions, ImportOptions};

fn replay(path: &Path) -> Replay {
    let capture = trace::open(path, &ImportOptions::default(), &mut Silent).unwrap();
    let options = DecodeOptions { rc_option: 65_002, ..DecodeOptions::default() };
    Replay::new(
        Record::from_trace(&trace::analyse(capture, &options, &mut Silent).unwrap(), &mut Silent).unwrap(),
        &mut Silent,
    )
    .unwrap()
}

/// Start and end of each exchange in one realisation of default CoAP, which is what was recorded.
fn played(replay: &Replay) -> HashMap<ExchangeId, (Instant, Option<Instant>)> {
    let algorithm = Algorithm::Preset { id: "coap_default".to_owned(), params: Value::Null };
    let mut scenario = Scenario::new(algorithm, ChannelSpec::EMPIRICAL);
    (scenario.replicates, scenario.detail) = (1, Detail::Steps);
    let steps = replay.run(&scenario, &mut Silent).unwrap().steps;
    let mut played = HashMap::new();
    for ((&exchange, &at), &kind) in steps.exchange.iter().zip(&steps.at).zip(&steps.kind) {
        let (_, over) = played.entry(exchange).or_insert((at, None));
        if matches!(kind, StepKind::Reply | StepKind::GiveUp) {
            *over = Some(at);
        }
    }
    played
}

/// Starts of a run.
#[derive(Default)]
struct Starts {
    /// Requests that did not wait when they were recorded: how far their starts are from the recorded ones.
    free: Vec<Span>,
    /// Number among these that start when they did, and do not wait for another one now.
    on_time: usize,
    /// Time that requests waited for another one, as recorded and as replayed.
    waited: Vec<Span>,
    waits: Vec<Span>,
    /// In closed loops, how far the pause before a request is from the recorded one.
    pauses: Vec<Span>,
    never: usize,
}

fn starts(replay: &Replay) -> Starts {
    let mut starts = Starts::default();
    let played = played(replay);
    for association in replay.record().associations() {
        let mut before: Option<(&ExchangeRecord, Option<Instant>)> = None;
        for exchange in &association.exchanges {
            let Some(&(start, over)) = played.get(&exchange.id) else {
                starts.never += 1;
                before = None;
                continue;
            };
            match (association.workload, exchange.ready) {
                (Workload::ThinkTime, _) => {
                    if let Some((last, Some(end))) = before
                        && let Some(recorded) = last.end
                    {
                        starts.pauses.push(((start - end) - (exchange.start() - recorded)).abs());
                    }
                }
                (Workload::Arrivals, Some(ready)) => {
                    assert!(ready <= exchange.start() && ready <= start, "it starts before it is ready");
                    starts.waited.push(exchange.start() - ready);
                    starts.waits.push(start - ready);
                }
                (Workload::Arrivals, None) => {
                    starts.on_time += usize::from(start == exchange.start());
                    starts.free.push((start - exchange.start()).abs());
                }
            }
            before = Some((exchange, over));
        }
    }
    starts
}

fn median(values: &mut [Span]) -> Span {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(Span::ZERO)
}

#[test]
fn the_recorded_algorithm_starts_requests_when_they_started() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let bundled = ["chain6-periodic-default", "tsch-slow-chain5-default", "live-ge-default", "live-sleepy-default"]
        .map(|name| {
            let files = ["capture.pcap.gz", "radiolog.txt.gz"].map(|file| traces.join(name).join(file));
            (name.to_owned(), files.into_iter().find(|file| file.is_file()).unwrap())
        });
    let mut runs: Vec<(String, PathBuf)> = bundled.into();
    for run in ["cooja/event5x5-1m/default-seed1/radio.pcap.gz", "live/bottleneck-seed101/NULL/capture.pcap.gz"] {
        runs.extend(needs::shared(run).map(|file| (run.to_owned(), file)));
    }
    println!(
        "{:48} {:>6} {:>8} | {:>6} {:>10} {:>10} | {:>6} {:>10} | {:>5}",
        "", "free", "on time", "waited", "recorded", "played", "loops", "pause off", "never"
    );
    let (mut free, mut on_time, mut waited, mut pauses) = (0, 0, 0, 0);
    for (name, path) in runs {
        let mut s = starts(&replay(&path));
        let [recorded, played, pause] = [&mut s.waited, &mut s.waits, &mut s.pauses].map(|list| median(list));
        println!(
            "{name:48} {:>6} {:>7.1}% | {:>6} {:>10} {:>10} | {:>6} {:>10} | {:>5}",
            s.free.len(),
            100.0 * s.on_time as f64 / s.free.len().max(1) as f64,
            s.waited.len(),
            recorded.to_string(),
            played.to_string(),
            s.pauses.len(),
            pause.to_string(),
            s.never
        );
        assert_eq!(pause, Span::ZERO, "{name}");
        free += s.free.len();
        on_time += s.on_time;
        waited += s.waited.len();
        pauses += s.pauses.len();
    }
    assert!(on_time * 10 >= free * 8, "{on_time} of {free} start by their clock");
    assert!(waited > 5 && pauses > 200, "{waited} waited, {pauses} in loops");
}
