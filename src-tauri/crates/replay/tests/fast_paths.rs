//! Fast paths: the same results as their plain forms.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::Silent;
use proptest::prelude::*;
use replay::*;
use serde_json::Value;
use world::{crowd, preset};

const CHANNELS: [ChannelSpec; 4] = [
    ChannelSpec::EMPIRICAL,
    ChannelSpec::GILBERT_ELLIOTT,
    ChannelSpec::Loaded {
        base: Base::Empirical,
        response: LoadResponse::Given { loss: 0.1, rtt: 0.02 },
        tolerance: ChannelSpec::TOLERANCE,
    },
    ChannelSpec::Loaded {
        base: Base::GilbertElliott,
        response: LoadResponse::Given { loss: 0.1, rtt: 0.02 },
        tolerance: ChannelSpec::TOLERANCE,
    },
];

/// Results of several timers, asked together, of this trace and of another run.
fn results(record: &Record, fast: FastPaths, channel: ChannelSpec, replicates: u32) -> Vec<RunResult> {
    let replay = Replay::with_fast_paths(record.clone(), fast, &mut Silent).unwrap();
    let scenario = |id: &str| {
        let mut scenario = Scenario::new(preset(id, Value::Null), channel);
        (scenario.replicates, scenario.bounds, scenario.another) = (replicates, Bounds::Skip, AnotherRun::Compute);
        scenario
    };
    let scenarios: Vec<Scenario> = ["coap_default", "cocoa_plus", "fasor"].map(scenario).into();
    replay.run_all(&scenarios, &mut Silent).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: needs::cases(8), ..ProptestConfig::default() })]

    /// Without any fast path but the kernel sums, and without each of them, results are equal.
    #[test]
    fn fast_paths_change_no_result(seed in 0_u64..1_000, closed_loop: bool, channel in 0..CHANNELS.len()) {
        let record = crowd(seed, closed_loop);
        let fast = results(&record, FastPaths::ALL, CHANNELS[channel], 4);
        let others = FastPaths::BUT_ONE.into_iter().filter(|(_, paths)| paths.kernel_sums);
        let none = [("all", FastPaths { kernel_sums: true, ..FastPaths::NONE })];
        for (name, paths) in others.chain(none) {
            // Not `prop_assert_eq!`, which would print all of both.
            prop_assert!(results(&record, paths, CHANNELS[channel], 4) == fast, "without {}", name);
        }
    }
}

/// The kernel's sums are less than a hundredth off, so few draws fall to another donor: means differ by far less than
/// replicates do. Without any fast path at all they are those without this one.
#[test]
fn kernel_sums_change_few_draws() {
    for (seed, channel) in (0..).zip(CHANNELS) {
        let record = crowd(seed, false);
        let without = results(&record, FastPaths { kernel_sums: false, ..FastPaths::ALL }, channel, 400);
        assert!(results(&record, FastPaths::NONE, channel, 400) == without, "{channel:?}");
        for (fast, plain) in results(&record, FastPaths::ALL, channel, 400).iter().zip(&without) {
            for name in MetricName::ALL {
                let values: Vec<f64> = plain.replicates.iter().filter_map(|values| values.get(name)).collect();
                let (Some(got), Some(expected)) = (fast.get(name).mean, plain.get(name).mean) else {
                    assert_eq!(fast.get(name).mean, plain.get(name).mean, "{name:?}");
                    continue;
                };
                let variance = values.iter().map(|v| (v - expected).powi(2)).sum::<f64>() / values.len() as f64;
                let bound = 0.1 * variance.sqrt() + 1e-9;
                assert!((got - expected).abs() <= bound, "{channel:?}, {name:?}: {got} is not {expected} ± {bound}");
            }
        }
    }
}
