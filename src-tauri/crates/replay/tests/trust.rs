//! Gates of trust: a twin of a real network passes them, one that lacks a mechanism does not, and the recorded timer is
//! found quickly.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::Silent;
use replay::identify::{Clues, Verdict, family, identify, likeliest};
use replay::trust::{Halves, Trust};
use replay::{Agreement, ChannelSpec, Error, GateKind, Mechanism, Record, Replay, Subject, Why};
use std::ops::ControlFlow;
use std::path::Path;
use trace::Trace;

fn bundled(name: &str) -> (Trace, Replay) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(name);
    let path = ["capture.pcap.gz", "capture.pcapng.gz"].map(|file| folder.join(file)).into_iter().find(|p| p.is_file());
    let capture = trace::open(&path.unwrap(), &trace::ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap();
    let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
    replay.learn_network(&trace, &mut Silent).unwrap();
    (trace, replay)
}

/// Bundled captures with a network twin: TSCH in a storm and without, CSMA.
const TWINS: [&str; 3] = ["tsch-slow-chain5-default", "tsch-slow-chain5-cocoa", "grid3x3-burst-cocoa"];

#[test]
fn a_twin_of_a_real_network_passes_every_gate() {
    for name in TWINS {
        let (trace, replay) = bundled(name);
        let chosen = replay.choose_channel(&trace, &mut Silent).unwrap();
        assert!(matches!(chosen.why, Why::TwinAgrees { .. }), "{name}: {chosen}");
        let kinds: Vec<GateKind> = chosen.gates.iter().map(|gate| gate.kind).collect();
        assert_eq!(kinds, GateKind::ALL[..5], "{name}: all but halves, in order");
        for gate in &chosen.gates {
            assert!(!gate.is_closed && gate.inside <= gate.many && gate.expected <= gate.many as f64, "{name}: {gate}");
        }
        let patterns = chosen.shares.iter().filter(|share| matches!(share.subject, Subject::Pattern { .. }));
        for share in patterns {
            assert!(share.ninety.lo <= share.mean && share.mean <= share.ninety.hi, "{name}: {share:?}");
            assert!((0.0..=1.0).contains(&share.recorded) && share.observations >= 30, "{name}: {share:?}");
        }
        let senders = chosen.shares.iter().filter(|share| matches!(share.subject, Subject::Senders(_)));
        let whole: f64 = senders.map(|share| share.recorded).sum();
        assert!((whole - 1.0).abs() < 1e-9, "{name}: {whole}");
    }
}

/// The purpose of the gates: a machine without collisions, losses or retries predicts other timers wrongly
/// (docs/storm.md). Limits of queues hardly matter in these captures, and a machine without them passes.
#[test]
fn a_wrong_machine_does_not_pass() {
    let wrong = [
        ("tsch-slow-chain5-default", Mechanism::Collisions),
        ("tsch-slow-chain5-default", Mechanism::Retries),
        ("grid3x3-burst-cocoa", Mechanism::Collisions),
        ("grid3x3-burst-cocoa", Mechanism::Losses),
    ];
    for (name, mechanism) in wrong {
        let (trace, replay) = bundled(name);
        let trust = Trust::without(&replay, &trace, &[mechanism], &mut Silent).unwrap();
        assert!(trust.gates.iter().any(|gate| gate.is_closed), "{name} without {mechanism:?}: {:?}", trust.gates);
    }
}

#[test]
fn the_second_half_is_predicted_by_the_first() {
    let (trace, replay) = bundled("tsch-slow-chain5-default");
    let halves = Halves::of(&replay, &trace, &mut Silent).unwrap();
    let (begin, end) = replay.machine().unwrap().unwrap().window;
    assert!(begin < halves.middle && halves.middle < end);
    let checks = halves.checks.unwrap();
    assert!(checks.len() >= 2 && checks.iter().all(|check| check.agreement != Agreement::Outside), "{checks:?}");
    let gate = halves.gate.unwrap();
    assert!(gate.kind == GateKind::Halves && !gate.is_closed && gate.many > 20, "{gate}");
}

#[test]
fn gates_are_the_same_for_any_number_of_threads() {
    let (trace, replay) = bundled("tsch-slow-chain5-cocoa");
    let ask = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Trust::of(&replay, &trace, &mut Silent).unwrap())
    };
    assert_eq!(ask(1), ask(3));
}

/// The quick form searches the parameters of the likeliest groups only; it names the group that the whole search names,
/// and finds none where that finds none.
#[test]
fn the_quick_form_names_the_same_timer() {
    let mut compared = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| ["tsch", "grid", "chain"].iter().any(|kind| name.contains(kind)))
        .collect();
    names.sort();
    for name in names {
        let (trace, replay) = bundled(&name);
        let only = replay.record().associations().iter().take(4).map(|a| a.id).collect();
        let clues = Clues { only, ..Clues::of(&trace) };
        let whole = identify(replay.record(), &clues, &mut Silent).unwrap().trace;
        let quick = likeliest(replay.record(), &clues, &mut Silent).unwrap();
        match whole.verdict {
            Verdict::NoneFits { .. } => assert_eq!(quick, None, "{name}"),
            Verdict::Identified { family: group, .. } => {
                assert_eq!(quick.and_then(|(id, _)| family(id)), Some(group), "{name}");
                compared += 1;
            }
            // Several explain the capture as well: any of them is as good.
            Verdict::CannotTell { among, .. } => {
                let group = quick.and_then(|(id, _)| family(id)).unwrap();
                assert!(among.is_empty() || among.contains(&group), "{name}: {group} is not among {among:?}");
            }
        }
    }
    assert!(compared > 0);
}

#[test]
fn without_a_twin_there_are_no_gates() {
    let (trace, replay) = bundled("live-ge-default");
    let chosen = replay.choose_channel(&trace, &mut Silent).unwrap();
    assert!(chosen.gates.is_empty() && chosen.shares.is_empty() && chosen.channel != ChannelSpec::Twin);
    assert!(Halves::of(&replay, &trace, &mut Silent).is_err());
}

/// The search for the recorded timer asks before each candidate, and nothing is kept of a choice that was stopped.
#[test]
fn the_choice_stops_wherever_it_is_asked_to() {
    let (trace, replay) = bundled("tsch-slow-chain5-default");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Stops at the ask with this number, and returns how often it was asked.
    let stopped_at = |last: usize| {
        let mut asked = 0;
        let mut progress = |_: u64, _: u64| {
            asked += 1;
            if asked < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let stopped = pool.install(|| Trust::of(&replay, &trace, &mut progress));
        (stopped, asked)
    };
    let (whole, asks) = stopped_at(usize::MAX);
    let mut asked_of_search = 0;
    let mut count = |_: u64, _: u64| {
        asked_of_search += 1;
        ControlFlow::Continue(())
    };
    likeliest(replay.record(), &Clues::of(&trace), &mut count).unwrap();
    assert!(asked_of_search > 2 * rto::algorithms().len(), "{asked_of_search}: every preset, and changed ones");
    assert!(asks > asked_of_search, "{asks}");
    for last in [1, 2, asked_of_search / 2, asks / 2, asks - 1] {
        let (stopped, asked) = stopped_at(last);
        assert_eq!(stopped, Err(Error::Cancelled), "{last} of {asks}");
        // The work beside the search asks once more before it stops.
        assert!((last..=last + 2).contains(&asked), "{last} of {asks}: {asked}");
    }
    assert_eq!(replay.chosen_channel(), None);
    assert_eq!(Trust::of(&replay, &trace, &mut Silent), whole, "asking changes nothing");
}
