//! The network twin as a channel: what it says of a storm that really ended, where it refuses, and that it is
//! deterministic.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::Silent;
use replay::stats::Interval;
use replay::{
    Algorithm, AnotherRun, Bounds, ChannelSpec, Detail, Error, Fate, Load, MetricName, ModelErrors, Record, Replay,
    ReplicateFrames, RunResult, Scenario, StepKind, Steps, Way, Why, difference,
};
use serde_json::{Value, json};
use std::path::Path;
use trace::Trace;

fn bundled(name: &str) -> (Trace, Replay) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(name);
    let path = ["capture.pcap.gz", "capture.pcapng.gz"].map(|file| folder.join(file)).into_iter().find(|p| p.is_file());
    let capture = trace::open(&path.unwrap(), &trace::ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap();
    let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
    (trace, replay)
}

fn preset(id: &str, params: Value) -> Algorithm {
    Algorithm::Preset { id: id.to_owned(), params }
}

fn scenario(algorithm: Algorithm, channel: ChannelSpec) -> Scenario {
    Scenario { replicates: 60, another: AnotherRun::Compute, bounds: Bounds::Skip, ..Scenario::new(algorithm, channel) }
}

/// CoCoA really ran in the same network (`shared/cooja/tsch-slow-chain5/cocoa-seed1`, bundled): from the capture of the
/// storm the twin has to know that it ends it, with the truth inside its interval.
#[test]
fn the_storm_ends_under_cocoa() {
    let (trace, replay) = bundled("tsch-slow-chain5-default");
    let (_, calm) = bundled("tsch-slow-chain5-cocoa");
    let chosen = replay.choose_channel(&trace, &mut Silent).unwrap();
    assert_eq!(chosen.channel, ChannelSpec::Twin, "{chosen}");
    assert!(matches!(chosen.why, Why::TwinAgrees { .. }));
    let cocoa = preset("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 }));
    let default = preset("coap_default", Value::Null);
    // The window asks so: with the default number of replicates.
    let ask = |algorithm| Scenario { replicates: Scenario::REPLICATES, ..scenario(algorithm, ChannelSpec::Auto) };
    let scenarios = [cocoa, default].map(ask);
    let results = replay.run_all(&scenarios, &mut Silent).unwrap();
    for name in [MetricName::DurationMean, MetricName::DurationP50, MetricName::DurationP95] {
        let truth = calm.recorded().get(name).unwrap();
        // A real run is another run (docs/method.md, "Intervals").
        let Interval { lo, hi } = results[0].get(name).another.unwrap();
        assert!(lo <= truth && truth <= hi, "{}: {truth} outside {lo} to {hi}", name.name());
    }
    let recorded = replay.recorded().get(MetricName::DurationMean).unwrap();
    let [cocoa, default] = [0, 1].map(|at: usize| results[at].get(MetricName::DurationMean).another.unwrap());
    assert!(default.lo <= recorded && recorded <= default.hi, "its own timer: {recorded} outside {default:?}");
    assert!(cocoa.hi < default.lo / 2.0, "nobody can mistake one for the other");
    assert_eq!(results[0].scenario.channel, ChannelSpec::Twin, "the result says which channel it was");
    assert_eq!(results[0].support, None, "nothing is sampled");
}

/// Channels that know nothing of hops cannot foresee that the storm ends. Asked for by name they are not sure: the ends
/// of their 90 % interval are more than ten times apart. Without the model error it is narrow, and far from the truth.
#[test]
fn channels_without_hops_are_not_sure_about_the_storm() {
    let (_, replay) = bundled("tsch-slow-chain5-default");
    let (_, calm) = bundled("tsch-slow-chain5-cocoa");
    let cocoa = preset("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 }));
    let truth = calm.recorded().get(MetricName::DurationMean).unwrap();
    for channel in [ChannelSpec::EMPIRICAL, ChannelSpec::GILBERT_ELLIOTT] {
        let [with, without] = [ModelErrors::Include, ModelErrors::Exclude].map(|model_error| {
            let asked = Scenario { model_error, replicates: 200, ..scenario(cocoa.clone(), channel) };
            replay.run(&asked, &mut Silent).unwrap().get(MetricName::DurationMean).another.unwrap()
        });
        assert!(with.lo * 10.0 < with.hi, "{channel:?}: {with:?}");
        assert!(without.hi < without.lo * 2.0 && truth * 5.0 < without.lo, "{channel:?}: {without:?}");
    }
}

/// The recorded timer is what was recorded, whatever error a channel has as a model.
#[test]
fn what_was_recorded_has_no_model_error() {
    let (trace, replay) = bundled("tsch-slow-chain5-rc");
    replay.learn_network(&trace, &mut Silent).unwrap();
    for channel in [ChannelSpec::EMPIRICAL, ChannelSpec::Twin] {
        let asked = Scenario { replicates: 3, another: AnotherRun::Skip, ..scenario(Algorithm::AsRecorded, channel) };
        let result = replay.run(&asked, &mut Silent).unwrap();
        for name in [MetricName::DurationMean, MetricName::RetriesMean] {
            let recorded = replay.recorded().get(name);
            assert!(result.replicates.iter().all(|values| values.get(name) == recorded), "{channel:?} {}", name.name());
        }
    }
}

/// A long capture is asked about its beginning only, which the checks say.
#[test]
fn a_long_capture_is_asked_about_its_beginning() {
    let Some(folder) = needs::shared("cooja/perf-grid7x7/cocoa-seed1") else { return };
    let capture = trace::open(&folder.join("radio.pcap.gz"), &trace::ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap();
    let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
    let chosen = replay.choose_channel(&trace, &mut Silent).unwrap();
    let (begin, end) = replay.record().window().unwrap();
    assert!(chosen.until.is_some_and(|until| begin < until && until < end), "{:?}", chosen.until);
    assert_eq!(chosen.channel, ChannelSpec::Twin, "{chosen}");
    let retries = |check: &&replay::Check| check.measure.name() == MetricName::RetriesMean.name();
    let part = chosen.checks.iter().find(retries).unwrap().recorded;
    let whole = replay.recorded().get(MetricName::RetriesMean).unwrap();
    assert!(part != whole && (part / whole - 1.0).abs() < 0.5, "{part} of its beginning, {whole} of all");
    let (trace, replay) = bundled("tsch-slow-chain5-default");
    assert_eq!(replay.choose_channel(&trace, &mut Silent).unwrap().until, None);
}

/// RFC 6298's timer without samples of retransmitted exchanges is metastable in the storm: real runs of it settle or
/// collapse. Both modes are told, each with its own interval; CoCoA has one.
#[test]
fn a_storm_that_may_go_on_has_two_modes() {
    let (trace, replay) = bundled("tsch-slow-chain5-default");
    replay.learn_network(&trace, &mut Silent).unwrap();
    let timers = [
        preset("rfc6298_coap", json!({ "rto_min": 1, "rto_max": 60, "karn": "dropped" })),
        preset("cocoa_demir2018", Value::Null),
    ];
    let ask = |algorithm| Scenario { replicates: 200, ..scenario(algorithm, ChannelSpec::Twin) };
    let [metastable, calm] = timers.map(|timer| replay.run(&ask(timer), &mut Silent).unwrap());
    let modes = metastable.modes.unwrap();
    assert!(modes.ninety.lo < modes.slow && modes.slow < modes.ninety.hi, "{modes:?}");
    assert!((0.2..0.8).contains(&modes.slow), "{modes:?}");
    let [fast, slow] = metastable.get(MetricName::DurationMean).modes.unwrap();
    assert!(slow.mean > 2.5 * fast.mean && slow.ninety.lo > fast.mean, "{fast:?} {slow:?}");
    let [fast, slow] = metastable.get(MetricName::RetriesMean).modes.unwrap();
    assert!(slow.mean > fast.mean && slow.another.is_some(), "every measure is told by mode");
    assert_eq!((calm.modes, calm.get(MetricName::DurationMean).modes), (None, None));
    let difference = difference(&metastable, &calm, MetricName::DurationMean).unwrap();
    let [fast, slow] = difference.modes.unwrap();
    assert!(fast.mean < difference.paired.mean && difference.paired.mean < slow.mean);
}

#[test]
fn threads_change_nothing() {
    let (trace, replay) = bundled("tsch-slow-chain5-rc");
    replay.learn_network(&trace, &mut Silent).unwrap();
    let scenario = Scenario {
        replicates: 8,
        detail: Detail::Steps,
        ..scenario(preset("cocoa_ietf_03", Value::Null), ChannelSpec::Twin)
    };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| replay.run(&scenario, &mut Silent).unwrap())
    };
    let (one, three) = (run(1), run(3));
    assert!(one == three, "the same numbers and steps");
    assert!(one.steps != Steps::default(), "the first replicate is kept");
    let firsts: Vec<_> =
        one.steps.begins().zip(&one.steps.exchange).filter(|(begins, _)| *begins).map(|(_, id)| *id).collect();
    let different: std::collections::BTreeSet<_> = firsts.iter().collect();
    assert_eq!(firsts.len(), different.len(), "no exchange begins twice, drawn ones included");
    let other = replay.run(&Scenario { seed: 2, ..scenario }, &mut Silent).unwrap();
    assert!(other.replicates != one.replicates, "another seed has other luck");
}

#[test]
fn a_capture_without_hops_has_no_twin_and_says_so() {
    let (trace, replay) = bundled("live-ge-default");
    let ask = |channel| replay.run(&scenario(preset("coap_default", Value::Null), channel), &mut Silent);
    assert_eq!(ask(ChannelSpec::Twin), Err(Error::TwinNotLearned));
    assert_eq!(ask(ChannelSpec::Auto), Err(Error::NotChosen));
    let chosen = replay.choose_channel(&trace, &mut Silent).unwrap();
    assert_eq!(chosen.channel, ChannelSpec::EMPIRICAL);
    assert!(matches!(chosen.why, Why::NoTwin(_)), "{chosen}");
    assert!(chosen.to_string().starts_with("empirical"), "{chosen}");
    assert!(matches!(ask(ChannelSpec::Twin), Err(Error::NoTwin(_))));
    let (auto, empirical) = (ask(ChannelSpec::Auto).unwrap(), ask(ChannelSpec::EMPIRICAL).unwrap());
    assert!(auto.replicates == empirical.replicates, "the chosen channel and nothing else");
}

/// Clients that stay as recorded keep their fates; the others meet the network with their load.
#[test]
fn clients_that_stay_as_recorded_are_load() {
    let (trace, replay) = bundled("tsch-slow-chain5-default");
    replay.learn_network(&trace, &mut Silent).unwrap();
    let ids: Vec<_> = replay.record().associations().iter().map(|a| a.id).collect();
    let cocoa = preset("cocoa_demir2018", Value::Null);
    let rest = Scenario { as_recorded: ids[1..].to_vec(), ..scenario(cocoa.clone(), ChannelSpec::Twin) };
    let rest = replay.run(&rest, &mut Silent).unwrap();
    let alone = replay.run(&scenario(cocoa, ChannelSpec::Twin), &mut Silent).unwrap();
    for association in &rest.associations[1..] {
        let summary = association.get(MetricName::DurationMean);
        let (mean, recorded) = (summary.mean.unwrap(), summary.recorded.unwrap());
        assert!((mean / recorded - 1.0).abs() < 1e-9, "it stayed as recorded: {mean} for {recorded}");
    }
    let mean = |result: &RunResult| result.associations[0].get(MetricName::DurationMean).mean.unwrap();
    assert!(mean(&rest) > 1.5 * mean(&alone), "one careful client in a storm: {} and {}", mean(&rest), mean(&alone));
}

/// In storing mode a client sends nothing while its route is withdrawn (`twin::Withdrawals`): copies that are in its
/// log and in no capture. The twin has as many as the log of the same run (`exchanges.tsv.gz`, of the mote).
#[test]
fn as_many_copies_never_go_on_the_air_as_in_the_log() {
    let (trace, replay) = bundled("grid3x3-burst-default");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/grid3x3-burst-default");
    let mut log = String::new();
    let file = std::fs::File::open(folder.join("exchanges.tsv.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut log).unwrap();
    let mut lines = log.lines();
    let column = lines.next().unwrap().split('\t').position(|name| name == "attempts").unwrap();
    let sent: usize = lines.map(|line| line.split('\t').nth(column).unwrap().parse::<usize>().unwrap()).sum();
    let seen: usize =
        replay.record().associations().iter().flat_map(|a| &a.exchanges).map(|exchange| exchange.copies.len()).sum();
    replay.learn_network(&trace, &mut Silent).unwrap();
    let hidden = |seed| {
        let asked = Scenario {
            replicates: 1,
            seed,
            detail: Detail::Steps,
            model_error: ModelErrors::Exclude,
            bounds: Bounds::Skip,
            ..Scenario::new(preset("coap_default", Value::Null), ChannelSpec::Twin)
        };
        let run = replay.run(&asked, &mut Silent).unwrap();
        let of = |name| run.replicates[0].get(name).unwrap();
        let all = run.steps.kind.iter().filter(|kind| **kind == StepKind::Transmit).count();
        all as f64 - of(MetricName::Exchanges) * (1.0 + of(MetricName::RetriesMean))
    };
    let draws: Vec<f64> = (0..20).map(hidden).collect();
    let (least, most) = (draws.iter().copied().fold(f64::MAX, f64::min), draws.iter().copied().fold(0.0, f64::max));
    let real = (sent - seen) as f64;
    assert!(real > 50.0 && least <= real && real <= most, "{real} in the log, {least} to {most} in the twin");
}

/// Holds the frames of a replicate to its steps: each copy was sent at the same nanosecond, and its way ends as its
/// fate says. Returns the number of frames of all ways.
fn agree(frames: &ReplicateFrames, steps: &Steps, name: &str) -> usize {
    let mut carried = 0;
    for row in (0..steps.len()).filter(|&row| steps.kind[row] == StepKind::Transmit) {
        let copy = frames.copy(steps.exchange[row], steps.attempt[row]).unwrap();
        let about = format!("{name}: {} copy {}", steps.exchange[row], steps.attempt[row]);
        assert_eq!(copy.sent, steps.at[row], "{about}");
        match steps.fate(row).unwrap() {
            Fate::Answered { rtt } => assert_eq!(copy.answered(), Some(copy.sent + rtt), "{about}"),
            Fate::RequestLost => {
                assert_eq!((copy.served(), copy.answered()), (None, None), "{about}");
                assert!(!copy.request.drops.is_empty() && copy.answer == Way::default(), "{about}: lost for no reason");
            }
            Fate::ReplyLost => {
                assert!(copy.served().is_some() && copy.answered().is_none(), "{about}");
                assert!(!copy.answer.drops.is_empty(), "{about}: its answer is lost for no reason");
            }
            // Under way when the record ends.
            Fate::Unknown => assert_eq!(copy.answered(), None, "{about}"),
            Fate::Lost => panic!("{about}: a simulation knows where it was lost"),
        }
        for (way, origin) in [(&copy.request, copy.ends.client), (&copy.answer, copy.ends.server)] {
            for hop in &way.hops {
                match hop.before {
                    Some(before) => assert_eq!(way.hops[before].to, hop.from, "{about}"),
                    None => assert_eq!(hop.from, origin, "{about}"),
                }
                assert!(hop.frames.windows(2).all(|pair| pair[0].end <= pair[1].start), "{about}");
                carried += hop.frames.len();
            }
        }
    }
    carried
}

/// The ladder of a simulated copy must tell what its lane tells: a replicate that is run again with its frames is the
/// one whose steps were kept.
#[test]
fn a_replicate_with_its_frames_is_the_one_of_the_lanes() {
    for (name, timer) in [
        ("tsch-slow-chain5-default", "cocoa_plus"),
        ("tsch-slow-chain5-default", "coap_default"),
        ("chain6-periodic-default", "coap_default"),
        ("grid3x3-burst-default", "coap_default"),
    ] {
        let (trace, replay) = bundled(name);
        replay.learn_network(&trace, &mut Silent).unwrap();
        let scenario = Scenario {
            replicates: 2,
            another: AnotherRun::Skip,
            detail: Detail::Steps,
            ..scenario(preset(timer, Value::Null), ChannelSpec::Twin)
        };
        let steps = replay.run(&scenario, &mut Silent).unwrap().steps;
        let [first, again, second] =
            [0, 0, 1].map(|replicate| replay.frames(&scenario, replicate, &mut Silent).unwrap().unwrap());
        let carried = agree(&first, &steps, name);
        let all = first.frames().iter().filter(|frame| matches!(frame.load, Load::Copy { .. })).count();
        assert_eq!(carried, all, "{name}: every frame of a copy is in one way");
        assert!(carried > 100 && first == again && first != second, "{name}: {carried} frames");
        let stepped = |replicate| replay.replicate(&scenario, replicate, &mut Silent).unwrap().unwrap();
        assert!(stepped(0) == (first, steps), "{name}: steps of the first replicate are those of the run");
        let (frames, steps) = stepped(1);
        assert!(frames == second && agree(&frames, &steps, name) > 100, "{name}: those of another are its own");
        let origins = frames.frames().iter().filter_map(|frame| match frame.load {
            Load::Copy { key, association, .. } => Some((frames.origin(key).unwrap(), association)),
            Load::Other | Load::Beacon => None,
        });
        for (origin, association) in origins {
            let recorded = &trace.exchanges[origin.request.index()];
            assert_eq!(
                recorded.association.index(),
                association as usize,
                "{name}: it repeats a request of its client"
            );
            assert!(origin.exchange == origin.request || origin.exchange.index() >= trace.exchanges.len());
        }
    }
    let (_, replay) = bundled("live-ge-default");
    let scenario = scenario(preset("coap_default", Value::Null), ChannelSpec::EMPIRICAL);
    assert_eq!(replay.frames(&scenario, 0, &mut Silent), Ok(None), "no other channel simulates frames");
}
