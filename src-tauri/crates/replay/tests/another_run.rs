//! Another run: what its replicates share with those of the trace, and what not.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::Silent;
use proptest::prelude::*;
use replay::*;
use serde_json::Value;
use world::{crowd, preset, run};

fn scenario(id: &str, channel: ChannelSpec, another: AnotherRun) -> Scenario {
    let mut scenario = Scenario::new(preset(id, Value::Null), channel);
    (scenario.replicates, scenario.bounds, scenario.another) = (12, Bounds::Skip, another);
    scenario
}

const MODELS: [ChannelSpec; 3] = [
    ChannelSpec::EMPIRICAL,
    ChannelSpec::GILBERT_ELLIOTT,
    ChannelSpec::Loaded {
        base: Base::Empirical,
        response: LoadResponse::Given { loss: 0.1, rtt: 0.02 },
        tolerance: ChannelSpec::TOLERANCE,
    },
];

proptest! {
    #![proptest_config(ProptestConfig { cases: needs::cases(8), ..ProptestConfig::default() })]

    /// To be asked the second question changes nothing about the answer to the first.
    #[test]
    fn another_run_does_not_change_this_trace(seed in 0_u64..1_000, closed_loop: bool, model in 0_usize..3) {
        let replay = Replay::new(crowd(seed, closed_loop), &mut Silent).unwrap();
        let alone = run(&replay, &scenario("cocoa_plus", MODELS[model], AnotherRun::Skip));
        let both = run(&replay, &scenario("cocoa_plus", MODELS[model], AnotherRun::Compute));
        prop_assert!(alone.another.is_empty() && both.another.len() == 12);
        prop_assert_eq!(&alone.replicates, &both.replicates);
        prop_assert_eq!(alone.support, both.support);
        for name in MetricName::ALL {
            let s = both.get(name);
            prop_assert_eq!(*alone.get(name), Summary { another: None, ..*s });
        }
    }

    /// Equal algorithms meet the same other runs, whatever the number of threads.
    #[test]
    fn equal_algorithms_agree_in_another_run(seed in 0_u64..1_000, closed_loop: bool, model in 0_usize..3) {
        let replay = Replay::new(crowd(seed, closed_loop), &mut Silent).unwrap();
        let one = scenario("coap_b", MODELS[model], AnotherRun::Compute);
        let threads = |n: usize| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| run(&replay, &one));
        let (a, b) = (threads(1), threads(3));
        prop_assert_eq!(&a, &b);
        for name in MetricName::ALL {
            if let Some(d) = difference(&a, &b, name) {
                prop_assert_eq!(d.another.map(|p| (p.spread.lo, p.spread.hi)), Some((0.0, 0.0)));
            }
        }
    }

    /// Scenarios replayed together share channel states and dithers, and each gives its own result, whatever the others
    /// request.
    #[test]
    fn scenarios_together_equal_each_alone(seed in 0_u64..1_000, closed_loop: bool, model in 0_usize..3) {
        let replay = Replay::new(crowd(seed, closed_loop), &mut Silent).unwrap();
        let asked = |id: &str, replicates, another, detail| {
            let scenario = scenario(id, MODELS[model], another);
            Scenario { replicates, detail, ..scenario }
        };
        let mut scenarios = vec![
            asked("coap_default", 4, AnotherRun::Compute, Detail::Steps),
            asked("cocoa_plus", 7, AnotherRun::Skip, Detail::Metrics),
            asked("coap_default", 2, AnotherRun::Compute, Detail::Metrics),
            asked("fasor", 4, AnotherRun::Compute, Detail::Steps),
            Scenario { seed: 2, ..asked("coap_b", 3, AnotherRun::Compute, Detail::Metrics) },
        ];
        scenarios[3].bounds = Bounds::Compute;
        scenarios[1].as_recorded = vec![replay.record().associations()[0].id];
        let together = replay.run_all(&scenarios, &mut base::Silent).unwrap();
        for (scenario, result) in scenarios.iter().zip(&together) {
            prop_assert_eq!(&run(&replay, scenario), result);
        }
    }
}

/// The recorded timer over recorded fates is the trace, asked for another run or not; only models have other runs.
#[test]
fn identity_and_a_channel_without_a_model_have_no_other_run() {
    let replay = Replay::new(crowd(7, false), &mut Silent).unwrap();
    let mut as_recorded = scenario("coap_b", ChannelSpec::EMPIRICAL, AnotherRun::Compute);
    as_recorded.algorithm = Algorithm::AsRecorded;
    let result = run(&replay, &as_recorded);
    assert_eq!(result.replicates, [*replay.recorded()]);
    assert!(result.another.is_empty());
    let bounds = run(&replay, &scenario("coap_b", ChannelSpec::RECORDED, AnotherRun::Compute));
    assert!(bounds.another.is_empty() && bounds.get(MetricName::DurationMean).another.is_none());
}

/// A copy in a hundred is lost in the first half, one in two in the second. In another run of the timer that was
/// recorded there may be more of either half: its measures scatter, around what was recorded.
#[test]
fn another_run_scatters_around_the_recorded_one() {
    let requests = world::Requests::At((0..400).map(|i| world::at(i * 20_000)).collect());
    let fate = |t: base::Instant| {
        let uniform = world::noise(t.nanos() as u64);
        let half = if t < world::at(4_000_000) { 0.01 } else { 0.5 };
        if uniform < half { Fate::Lost } else { world::answered(300) }
    };
    let exchanges = world::live("coap_default", &Value::Null, &requests, &fate, &world::noise);
    let replay = Replay::new(world::record(&requests, exchanges), &mut Silent).unwrap();
    let mut asked = scenario("coap_default", ChannelSpec::EMPIRICAL, AnotherRun::Compute);
    asked.replicates = 200;
    let result = run(&replay, &asked);
    let s = result.get(MetricName::RetriesMean);
    let (recorded, another) = (s.recorded.unwrap(), s.another.unwrap());
    assert!(another.lo < recorded && recorded < another.hi, "{s:?}");
    for name in [MetricName::RetriesMean, MetricName::DurationMean, MetricName::RetransmissionRate] {
        let mean = result.another.iter().filter_map(|v| v.get(name)).sum::<f64>() / 200.0;
        assert!(
            (mean / result.get(name).mean.unwrap() - 1.0).abs() < 1e-9,
            "{name:?}: {mean} is not {:?}",
            result.get(name)
        );
    }
    let within = |name: MetricName, v: f64| v >= 0.0 && (name.unit() != "fraction" || v <= 1.0);
    assert!(result.another.iter().flat_map(Values::iter).all(|(name, v)| v.is_none_or(|v| within(name, v))));
    // Blocks of half a hundredth and of nearly one retransmission each: 24 of them, twice as uncertain as one draw of
    // them.
    let expected = 1.645 * 0.5 * recorded * 2.0 * (1.84_f64 / 24.0).sqrt();
    let half = 0.5 * (another.hi - another.lo);
    assert!((0.7..1.4).contains(&(half / expected)), "{half} is not {expected}");
    assert!(half > 2.0 * 0.5 * (s.hi90.unwrap() - s.lo90.unwrap()), "{s:?}");
}
