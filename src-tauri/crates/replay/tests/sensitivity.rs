//! Sensitivity analysis and rankings on planted captures.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{Instant, Silent};
use replay::sensitivity::{Change, Variation, ranking, sensitivity};
use replay::*;
use serde_json::{Value, json};
use std::path::Path;
use trace::Trace;
use world::{Requests, answered, association, at, live, noise, preset};

/// Two clients with round trips of 0.4 s: one loses nothing, the other every third copy or so.
fn two_clients() -> Record {
    let client = |number: u32, lost: f64| {
        let fate = |t: Instant| {
            let uniform = noise((t.nanos() as u64).wrapping_mul(0x5851_F42D_4C95_7F2D) ^ u64::from(number));
            if uniform < lost { Fate::Lost } else { answered(400) }
        };
        let requests = Requests::At((0..80).map(|i| at(i * 120_000 + i64::from(number) * 300)).collect());
        let mut exchanges =
            live("coap_default", &Value::Null, &requests, &fate, &|n| noise(n ^ u64::from(number) << 32));
        exchanges.iter_mut().for_each(|e| e.id.0 += number * 1_000);
        association(number, Workload::Arrivals, exchanges)
    };
    Record::new(vec![client(0, 0.0), client(1, 0.3)], None)
}

fn timer(seconds: f64) -> Scenario {
    let algorithm = preset("coap_default", json!({ "ack_timeout": seconds, "random_factor": 1 }));
    let mut scenario = Scenario::new(algorithm, ChannelSpec::EMPIRICAL);
    (scenario.replicates, scenario.bounds) = (40, Bounds::Skip);
    scenario
}

#[test]
fn the_planted_winner_is_found() {
    let replay = Replay::new(two_clients(), &mut Silent).unwrap();
    // No timer of these is shorter than a round trip, so the shortest is best; two of them are the same.
    let scenarios = [3.0, 0.6, 1.2, 0.6].map(timer);
    let runs = replay.run_all(&scenarios, &mut Silent).unwrap();
    let places = ranking(&runs, MetricName::DurationMean);
    assert_eq!(places.iter().map(|p| p.run).collect::<Vec<_>>(), [1, 3, 2, 0]);
    assert!((places.iter().map(|p| p.best).sum::<f64>() - 1.0).abs() < 1e-12, "{places:?}");
    assert!((places.iter().map(|p| p.place).sum::<f64>() - 10.0).abs() < 1e-9, "1 + 2 + 3 + 4: {places:?}");
    assert_eq!(
        (places[0].best, places[0].place),
        (places[1].best, places[1].place),
        "the same timer, the same channel"
    );
    assert!(places[0].best > 0.45 && places[0].place < 1.6 && places[3].place > 3.9, "{places:?}");
    // A run without the metric is left out: a channel without a model has no replicates to rank.
    let recorded = Scenario { channel: ChannelSpec::RECORDED, ..timer(0.6) };
    let runs = replay.run_all(&[recorded, timer(1.2)], &mut Silent).unwrap();
    assert_eq!(
        ranking(&runs, MetricName::DurationMean).iter().map(|p| (p.run, p.best)).collect::<Vec<_>>(),
        [(1, 1.0)]
    );
}

#[test]
fn a_result_that_depends_on_one_client_is_reported() {
    let replay = Replay::new(two_clients(), &mut Silent).unwrap();
    let asked = [timer(1.0), timer(2.5)];
    let all = sensitivity(&replay, &asked, &mut Silent).unwrap();
    let retries = |change: Change| -> Vec<f64> {
        let variation = all.iter().find(|v| v.change == change).unwrap();
        variation.answers.as_ref().unwrap().iter().map(|r| r.get(MetricName::RetriesMean).mean.unwrap()).collect()
    };
    let base = retries(Change::AsAsked);
    let plain = replay.run_all(&asked, &mut Silent).unwrap();
    for (with, without) in base.iter().zip(&plain) {
        assert_eq!(Some(*with), without.get(MetricName::RetriesMean).mean, "the first is what was asked");
    }
    // Half of the exchanges are those of the client that loses copies: without it none is left, without the other twice
    // as many.
    let clients = replay.record().associations().iter().map(|a| a.client).collect::<Vec<_>>();
    assert!(retries(Change::Without(clients[1])).iter().all(|&r| r == 0.0));
    for (with, alone) in base.iter().zip(retries(Change::Without(clients[0]))) {
        assert!((alone / with - 2.0).abs() < 0.2, "{alone} of {with}");
    }
    // Every other channel and workload is there once, or says why not.
    let channels = all.iter().filter(|v| matches!(v.change, Change::Channel(_))).count();
    assert_eq!(channels, ChannelSpec::ALL.len() - 2, "all but the one asked for and the one without a model");
    assert_eq!(all.iter().filter(|v| matches!(v.change, Change::Workload(_))).count(), 2);
    let refused = all.iter().find(|v| v.change == Change::Channel(ChannelSpec::LOADED)).unwrap();
    assert!(matches!(refused.answers, Err(Error::Unidentified(_))), "{:?}", refused.change);
}

/// The bundled storm, whose network twin is learned.
fn storm() -> (Trace, Replay) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-default/capture.pcap.gz");
    let capture = trace::open(&folder, &trace::ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap();
    let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
    replay.learn_network(&trace, &mut Silent).unwrap();
    (trace, replay)
}

/// Parameters of the machine that no capture shows are varied over the values of known stacks, and only where the twin
/// answers.
#[test]
fn presets_of_the_twin_are_varied() {
    let (_, replay) = storm();
    let presets = replay.presets();
    let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
    assert!(names.contains(&"max-back-off-exponent") && !names.contains(&"max-attempts"), "read here: {names:?}");
    assert!(presets.iter().all(|p| p.range.0 < p.range.1 && p.value.is_none_or(|v| p.range.0 <= v && v <= p.range.1)));
    let algorithm = Algorithm::Preset { id: "coap_default".to_owned(), params: Value::Null };
    let ask = |channel| Scenario { replicates: 4, ..Scenario::new(algorithm.clone(), channel) };
    let varied = |channel| {
        let variations = sensitivity(&replay, &[ask(channel)], &mut Silent).unwrap();
        let preset = |v: &Variation| matches!(v.change, Change::Preset { .. });
        let asked = v_mean(&variations[0]);
        let others: Vec<f64> = variations.iter().filter(|v| preset(v)).map(v_mean).collect();
        (asked, others)
    };
    let (asked, others) = varied(ChannelSpec::Twin);
    assert!(others.len() >= presets.len(), "{others:?}");
    assert!(others.iter().any(|mean| (mean - asked).abs() > 0.01 * asked), "{asked} {others:?}");
    assert!(varied(ChannelSpec::EMPIRICAL).1.is_empty());
}

/// A question to the channel that the capture chose, here the network twin, is answered under every change that is not
/// another channel: without one of the clients, too, whose node forwards what the others send.
#[test]
fn the_chosen_twin_answers_without_each_client() {
    let (trace, replay) = storm();
    replay.choose_channel(&trace, &mut Silent).unwrap();
    let algorithm = Algorithm::Preset { id: "coap_default".to_owned(), params: Value::Null };
    let asked = Scenario { replicates: 10, ..Scenario::new(algorithm, ChannelSpec::Auto) };
    let all = sensitivity(&replay, &[asked], &mut Silent).unwrap();
    let refused = all.iter().filter(|v| v.answers.is_err() && !matches!(v.change, Change::Channel(_)));
    assert_eq!(refused.map(|v| v.change).collect::<Vec<_>>(), []);
    let without: Vec<&Variation> = all.iter().filter(|v| matches!(v.change, Change::Without(_))).collect();
    assert_eq!(without.len(), 4);
    for variation in without {
        let result = &variation.answers.as_ref().unwrap()[0];
        assert_eq!((result.scenario.channel, result.associations.len()), (ChannelSpec::Twin, 3));
        // A quarter of the requests less is a milder storm.
        assert!(v_mean(variation) < v_mean(&all[0]), "{:?}: {}", variation.change, v_mean(variation));
    }
}

fn v_mean(variation: &Variation) -> f64 {
    variation.answers.as_ref().unwrap()[0].get(MetricName::DurationMean).mean.unwrap()
}
