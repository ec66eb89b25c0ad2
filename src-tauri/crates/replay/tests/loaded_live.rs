//! What load-aware weather predicts of real runs over a shared queue, against what those runs really met.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::Silent;
use replay::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use trace::{DecodeOptions, ImportOptions};

const RUNS: [(&str, &str); 5] = [
    ("NULL", "coap_default"),
    ("BASIC_RTO", "basic_rto_cf3"),
    ("COCOA", "cocoa_cf3"),
    ("LINUX_RTO", "linux_rto_cf3"),
    ("PEAKHOPPER_RTO", "peak_hopper_cf3"),
];

fn read(world: &Path, run: &str) -> Replay {
    let capture =
        trace::open(&world.join(run).join("capture.pcap.gz"), &ImportOptions::default(), &mut Silent).unwrap();
    Replay::from_trace(&trace::analyse(capture, &DecodeOptions::default(), &mut Silent).unwrap())
}

const METRICS: [MetricName; 5] = [
    MetricName::DurationMean,
    MetricName::DurationP50,
    MetricName::RetriesMean,
    MetricName::PlrExchange,
    MetricName::SpuriousAll,
];

#[test]
fn scores() {
    let root = std::env::var_os("RTOSCOPE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared"), PathBuf::from);
    for world in ["bottleneck-seed101", "bottleneck-seed102", "bottleneck-x-seed101", "bottleneck-x-seed102"] {
        let world = root.join("live").join(world);
        if !world.exists() {
            println!("{} is not here", world.display());
            continue;
        }
        let replays = RUNS.map(|(run, _)| read(&world, run));
        let channels = [ChannelSpec::EMPIRICAL, ChannelSpec::LOADED];
        let mut errors = vec![[0.0_f64; 5]; 3];
        for (i, replay) in replays.iter().enumerate() {
            match replay.load() {
                Ok(f) => println!("{} {}: {f:?}", world.file_name().unwrap().display(), RUNS[i].0),
                Err(why) => println!("{} {}: {why}", world.file_name().unwrap().display(), RUNS[i].0),
            }
            for (j, real) in replays.iter().enumerate() {
                if i == j {
                    continue;
                }
                let predicted = channels.map(|channel| {
                    let mut scenario =
                        Scenario::new(Algorithm::Preset { id: RUNS[j].1.into(), params: Value::Null }, channel);
                    (scenario.replicates, scenario.bounds) = (20, Bounds::Skip);
                    replay.run(&scenario, &mut Silent).ok()
                });
                for (k, name) in METRICS.into_iter().enumerate() {
                    let truth = real.recorded().get(name).unwrap_or(0.0);
                    let of = |r: &Option<RunResult>| r.as_ref().and_then(|r| r.get(name).mean);
                    let before = replay.recorded().get(name).unwrap_or(0.0);
                    let all = [Some(before), of(&predicted[0]), of(&predicted[1])];
                    for (sum, x) in errors.iter_mut().zip(all) {
                        sum[k] += (x.unwrap_or(f64::NAN) - truth).abs() / 20.0;
                    }
                    if std::env::var_os("RTOSCOPE_ALL").is_some() && k < 3 {
                        println!(
                            "  {} → {} {}: really {truth:.3}, before {before:.3}, empirical {:.3}, loaded {:.3}",
                            RUNS[i].0,
                            RUNS[j].0,
                            name.name(),
                            all[1].unwrap_or(f64::NAN),
                            all[2].unwrap_or(f64::NAN)
                        );
                    }
                }
            }
        }
        for (what, row) in ["no change", "empirical", "loaded"].iter().zip(&errors) {
            println!("{what:10} {row:.4?}");
        }
    }
}
