//! Predictions of the load-aware channel for real runs over a shared queue, against those runs.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::Silent;
use replay::*;
use serde_json::Value;
use std::path::Path;
use trace::{DecodeOptions, ImportOptions};

/// Runs of a world, and the presets of their clients.
const RUNS: [(&str, &str); 5] = [
    ("NULL", "coap_default"),
    ("BASIC_RTO", "basic_rto_cf3"),
    ("COCOA", "cocoa_cf3"),
    ("LINUX_RTO", "linux_rto_cf3"),
    ("PEAKHOPPER_RTO", "peak_hopper_cf3"),
];
const METRICS: [MetricName; 4] =
    [MetricName::DurationMean, MetricName::DurationP50, MetricName::RetriesMean, MetricName::SpuriousAll];

fn read(run: &Path) -> Replay {
    let capture = trace::open(&run.join("capture.pcap.gz"), &ImportOptions::default(), &mut Silent).unwrap();
    Replay::new(
        Record::from_trace(&trace::analyse(capture, &DecodeOptions::default(), &mut Silent).unwrap(), &mut Silent)
            .unwrap(),
        &mut Silent,
    )
    .unwrap()
}

/// Eight clients, one queue of fixed rate for both directions: from the run of each timer, what the others' runs show.
/// The mean absolute error over all ordered pairs is held against "nothing changes" and against the same channel
/// without load.
#[test]
fn a_shared_queue_is_predicted() {
    for name in ["bottleneck-seed101", "bottleneck-seed102", "bottleneck-x-seed101", "bottleneck-x-seed102"] {
        let Some(world) = needs::shared(&format!("live/{name}")) else { continue };
        let replays = RUNS.map(|(run, _)| read(&world.join(run)));
        // Errors by channel: no change, without load, with it.
        let mut errors = [[0.0_f64; METRICS.len()]; 3];
        for (i, replay) in replays.iter().enumerate() {
            let fit = replay.load(&mut Silent).unwrap().unwrap();
            println!("{name} {}: loss {:?}, rtt {:?}, load {:.1}", RUNS[i].0, fit.loss, fit.rtt, fit.mean);
            for (j, real) in replays.iter().enumerate().filter(|&(j, _)| j != i) {
                let predicted = [ChannelSpec::EMPIRICAL, ChannelSpec::LOADED].map(|channel| {
                    let algorithm = Algorithm::Preset { id: RUNS[j].1.to_owned(), params: Value::Null };
                    let mut scenario = Scenario::new(algorithm, channel);
                    (scenario.replicates, scenario.bounds) = (20, Bounds::Skip);
                    replay.run(&scenario, &mut Silent).unwrap()
                });
                for (k, metric) in METRICS.into_iter().enumerate() {
                    let truth = real.recorded().get(metric).unwrap();
                    let [without, with] = predicted.each_ref().map(|r| r.get(metric).mean.unwrap());
                    for (sum, x) in errors.iter_mut().zip([replay.recorded().get(metric).unwrap(), without, with]) {
                        sum[k] += (x - truth).abs() / 20.0;
                    }
                }
            }
        }
        for (what, row) in ["no change", "empirical", "loaded"].iter().zip(&errors) {
            println!("{name} {what}: {row:.4?}");
        }
        if !name.contains("-x-") {
            // Foreign traffic is a channel change that no client's load explains; without it, load explains most.
            assert!(errors[2][0] < 0.5 * errors[0][0].min(errors[1][0]), "{name}: {errors:?}");
        }
    }
}
