//! A first answer and the whole one: a run that goes on from its first replicates is the run of all of them.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::Silent;
use replay::*;
use serde_json::Value;
use std::path::Path;
use world::{crowd, preset};

const FIRST: u32 = 5;
const WHOLE: u32 = 14;

fn asked(replicates: u32, channel: ChannelSpec) -> [Scenario; 2] {
    ["coap_default", "cocoa_plus"].map(|id| Scenario {
        replicates,
        another: AnotherRun::Compute,
        completions: CompletionTimes::Keep,
        detail: Detail::Steps,
        ..Scenario::new(preset(id, Value::Null), channel)
    })
}

/// Runs `channel` at once and in two parts, on so many `threads`, and returns the results of the whole.
fn in_parts(replay: &Replay, channel: ChannelSpec, threads: usize) -> Vec<RunResult> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let nothing = vec![Begun::default(); 2];
        let first = replay.go_on(&asked(FIRST, channel), nothing, &mut Silent).unwrap();
        let whole = replay.run_all(&asked(WHOLE, channel), &mut Silent).unwrap();
        // Values of the first answer are the first values of the whole one.
        for ((first, _), whole) in first.iter().zip(&whole) {
            assert_eq!(first.replicates.len(), FIRST as usize);
            let is_centred = channel != ChannelSpec::Twin;
            assert_eq!(first.replicates, whole.replicates[..FIRST as usize]);
            assert!(is_centred || first.another == whole.another[..FIRST as usize]);
            assert_eq!(first.steps, whole.steps);
        }
        let begun: Vec<Begun> = first.into_iter().map(|(_, begun)| begun).collect();
        assert!(begun.iter().all(|begun| begun.octets() > 0));
        // Only one of two goes on: the other begins at its first replicate.
        for kept in [begun.clone(), vec![begun[0].clone(), Begun::default()]] {
            let mut rest = replay.go_on(&asked(WHOLE, channel), kept.clone(), &mut Silent).unwrap();
            for (((rest, _), whole), kept) in rest.iter_mut().zip(&whole).zip(&kept) {
                assert_eq!(rest.steps.is_empty(), kept.octets() > 0, "the first replicate is not run again");
                rest.steps = whole.steps.clone();
            }
            assert!(rest.iter().map(|(rest, _)| rest).eq(&whole), "{channel:?}");
        }
        // Fewer than there are: those.
        let fewer = replay.go_on(&asked(2, channel), begun, &mut Silent).unwrap();
        assert_eq!(fewer[0].0.replicates, whole[0].replicates[..2]);
        whole
    })
}

#[test]
fn channels_go_on() {
    let replay = Replay::new(crowd(5, false), &mut Silent).unwrap();
    for channel in [ChannelSpec::EMPIRICAL, ChannelSpec::GILBERT_ELLIOTT] {
        assert_eq!(in_parts(&replay, channel, 1), in_parts(&replay, channel, 3));
    }
    let without = asked(WHOLE, ChannelSpec::RECORDED);
    let whole = replay.run_all(&without, &mut Silent).unwrap();
    let again = replay.go_on(&without, vec![Begun::default(); 2], &mut Silent).unwrap();
    let (again, bounded): (Vec<_>, Vec<_>) = again.into_iter().unzip();
    assert_eq!(again, whole);
    // A channel without a model has bounds to go on from, and no replicates.
    let once_more = replay.go_on(&without, bounded, &mut Silent).unwrap();
    assert!(once_more.into_iter().map(|(result, _)| result).eq(whole));
}

#[test]
fn the_network_twin_goes_on() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-cocoa/capture.pcap.gz");
    let capture = trace::open(&path, &trace::ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap();
    let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
    replay.learn_network(&trace, &mut Silent).unwrap();
    assert_eq!(in_parts(&replay, ChannelSpec::Twin, 1), in_parts(&replay, ChannelSpec::Twin, 3));
}
