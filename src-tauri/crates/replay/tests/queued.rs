//! Channel behind a bottleneck: its laws, and planted nodes.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{AssociationId, Instant, Silent, Span};
use replay::model_error::Kind;
use replay::*;
use serde_json::Value;
use std::path::Path;
use world::bottleneck::Bottleneck;
use world::contended::requests;
use world::{crowd, ms, noise, preset, run};

/// 50 ms a message, and room for eight.
const PLANTED: Bottleneck =
    Bottleneck { seed: 0, service: ms(50), room: 8, delay: ms(60), loss: [0.03; 2], tells: false, turnaround: ms(0) };

fn bottleneck(seed: u64) -> Bottleneck {
    Bottleneck { seed: seed.wrapping_mul(7_919) + 1, ..PLANTED }
}

/// `clients` that want to send once in 1.2 s or so, now and then all at once.
fn wants(seed: u64, clients: u64, count: u64) -> Vec<Vec<Instant>> {
    let own = |client: u64| {
        let time = |n: u64| {
            let together = noise(seed ^ (n << 20) ^ (3 << 60)) < 0.3;
            let spread = if together { 60.0 } else { 1_200.0 };
            let us = (n as f64 * 1_200.0 + noise(seed ^ (client << 32) ^ n) * spread) * 1e3;
            Instant::ZERO + Span::from_micros(us as i64)
        };
        (0..count).map(time).collect()
    };
    (0..clients).map(own).collect()
}

fn given(service: i64, room: u32) -> ChannelSpec {
    let response = LoadResponse::Queue { service: Some(ms(service)), room: Some(room) };
    ChannelSpec::Loaded { base: Base::Empirical, response, tolerance: ChannelSpec::TOLERANCE }
}

fn scenario(algorithm: &str, channel: ChannelSpec) -> Scenario {
    let mut scenario = Scenario::new(preset(algorithm, Value::Null), channel);
    (scenario.replicates, scenario.bounds, scenario.detail) = (6, Bounds::Skip, Detail::Steps);
    scenario.model_error = ModelErrors::Exclude;
    scenario
}

/// Under every node: also one that contradicts the record, and one whose service time exceeds a round trip.
#[test]
fn copies_sent_as_recorded_meet_recorded_fates() {
    let (record, dropped) = Bottleneck { room: 4, ..bottleneck(3) }.run("basic_rto_cf3", &wants(3, 8, 60), 0);
    assert!(dropped > 5, "{dropped}");
    let replay = Replay::new(record, &mut Silent).unwrap();
    for channel in [given(50, 8), given(20, 3), given(120, 64), given(400, 2), given(400, 1), given(3_000, 5)] {
        // No dither: the recorded timers again.
        let result = run(&replay, &scenario("basic_rto_cf3", channel));
        assert_eq!(result.support, Some(1.0), "{channel:?}");
        // The record does not hold the timers that were armed.
        for (name, s) in result.metrics().filter(|(name, _)| *name != MetricName::RtoOverRtt) {
            assert!(result.replicates.iter().all(|v| v.get(name) == s.recorded), "{channel:?} {}: {s:?}", name.name());
        }
    }
}

#[test]
fn results_depend_neither_on_threads_nor_on_repetition() {
    let replay = Replay::new(crowd(5, true), &mut Silent).unwrap();
    let scenarios: Vec<Scenario> =
        ["coap_default", "cocoa_plus", "cocoa_plus"].map(|a| scenario(a, given(100, 4))).to_vec();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| replay.run_all(&scenarios, &mut Silent).unwrap())
    };
    // First on many threads: the queue is estimated once, and no job waits for another that estimates it.
    let many = format!("{:?}", on(8));
    let once = on(1);
    assert_eq!(format!("{once:?}"), many);
    assert_eq!(format!("{once:?}"), format!("{:?}", on(3)));
    assert_eq!(format!("{:?}", once[1].replicates), format!("{:?}", once[2].replicates));
}

/// Clients that stay as recorded keep their fates, and occupy the node for the others.
#[test]
fn pinned_clients_meet_recorded_fates() {
    let (record, _) = bottleneck(4).run("coap_default", &wants(4, 6, 60), 0);
    let replay = Replay::new(record, &mut Silent).unwrap();
    let mut asked = scenario("linux_rto_cf3", given(50, 8));
    asked.as_recorded = vec![AssociationId(1), AssociationId(4)];
    let result = run(&replay, &asked);
    for at in [1, 4] {
        let own = &result.associations[at];
        for name in MetricName::ALL {
            let s = own.get(name);
            assert!(
                result.associations.len() == 6 && s.lo90 == s.recorded && s.hi90 == s.recorded,
                "{}: {s:?}",
                name.name()
            );
        }
    }
}

/// Without waiting no queue is identified, and nothing is run.
#[test]
fn an_unidentified_queue_is_refused() {
    let apart = |client: i64| (0..150).map(|n| Instant::ZERO + Span::from_millis((n * 4 + client) * 300_000)).collect();
    let (record, _) = bottleneck(2).run("coap_default", &(0..4).map(apart).collect::<Vec<_>>(), 0);
    let replay = Replay::new(record, &mut Silent).unwrap();
    let why = replay.bottleneck(&mut Silent).unwrap().unwrap_err();
    assert!(matches!(why, Unidentified::NoLine { .. }), "{why}");
    let refused = replay.run(&scenario("coap_b", ChannelSpec::QUEUED), &mut Silent);
    assert!(matches!(refused, Err(Error::Unidentified(Unidentified::NoLine { .. }))), "{refused:?}");
    // With the service time and the room given, it runs.
    assert!(replay.run(&scenario("coap_b", given(50, 8)), &mut Silent).is_ok());
    // Round trips that answer to load without a queue: a tenth of a second for each copy under way, at once.
    let medium = world::contended::Medium { seed: 5, loss: (-3.0, 0.25), rtt: (0.4, 0.0) };
    let why = Replay::new(medium.run("coap_default", &requests(5, 6, 150), 0), &mut Silent)
        .unwrap()
        .bottleneck(&mut Silent)
        .unwrap()
        .cloned()
        .unwrap_err();
    assert!(matches!(why, Unidentified::NoLine { .. }), "{why}");
}

/// A trace without a network twin: frames of Ethernet, in which round trips decide on a channel.
fn without_twin() -> trace::Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/live-ge-default/capture.pcap.gz");
    let capture = trace::open(&path, &trace::ImportOptions::default(), &mut Silent).unwrap();
    trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap()
}

/// The first 40,000 copies are asked before all: a node that all share is still found, and none where nobody waits.
#[test]
fn auto_finds_the_bottleneck_of_a_long_capture() {
    let trace = without_twin();
    let apart =
        |client: i64| (0..10_500).map(|n| Instant::ZERO + Span::from_millis((n * 4 + client) * 75_000)).collect();
    let worlds =
        [(wants(7, 6, 7_200), ChannelSpec::QUEUED), ((0..4).map(apart).collect::<Vec<_>>(), ChannelSpec::EMPIRICAL)];
    for (wants, channel) in worlds {
        let (record, _) = bottleneck(7).run("coap_default", &wants, 0);
        let exchanges = record.associations().iter().flat_map(|a| &a.exchanges);
        assert!(exchanges.map(|e| e.copies.len()).sum::<usize>() > 40_000);
        let replay = Replay::new(record, &mut Silent).unwrap();
        assert_eq!(replay.choose_channel(&trace, &mut Silent).unwrap().channel, channel);
    }
}

/// Where several clients share a path, every channel without hops has a model error, whether *auto* took it or it was
/// asked for by name: its intervals are wider, and its mean is the same. One client alone has none.
#[test]
fn every_channel_has_a_model_error_where_several_clients_share_a_path() {
    let trace = without_twin();
    for clients in [1, 6] {
        let (record, _) = bottleneck(7).run("coap_default", &wants(7, clients, 100), 0);
        let replay = Replay::new(record, &mut Silent).unwrap();
        let chosen = replay.choose_channel(&trace, &mut Silent).unwrap();
        let is_shared = clients > 1;
        let kind = if chosen.channel == ChannelSpec::QUEUED { Kind::SharedQueued } else { Kind::Shared };
        assert_eq!(chosen.error, is_shared.then_some(kind));
        assert_eq!(chosen.to_string().contains("with wider intervals"), is_shared, "{chosen}");
        let p95 = |channel, model_error| {
            let result = run(&replay, &Scenario { model_error, replicates: 200, ..scenario("coap_b", channel) });
            let p95 = result.get(MetricName::DurationP95);
            (p95.mean.unwrap(), p95.hi90.unwrap() - p95.lo90.unwrap())
        };
        let [chosen, auto] = [chosen.channel, ChannelSpec::Auto].map(|channel| p95(channel, ModelErrors::Include));
        assert_eq!(chosen, auto);
        let loaded = [ChannelSpec::LOADED, ChannelSpec::LOADED_GILBERT_ELLIOTT, ChannelSpec::QUEUED];
        let named = [ChannelSpec::EMPIRICAL, ChannelSpec::GILBERT_ELLIOTT];
        for channel in named.into_iter().chain(loaded.into_iter().filter(|_| is_shared)) {
            let [with, without] = [ModelErrors::Include, ModelErrors::Exclude].map(|error| p95(channel, error));
            if is_shared {
                assert!(with.1 > without.1, "{channel:?}: {with:?} {without:?}");
                assert!((with.0 / without.0 - 1.0).abs() < 0.01, "{channel:?}: {with:?} {without:?}");
            } else {
                assert_eq!(with, without, "{channel:?}");
            }
        }
    }
}

#[test]
fn a_service_time_or_room_of_zero_is_refused() {
    let replay = Replay::new(crowd(5, false), &mut Silent).unwrap();
    for channel in [given(0, 4), given(-1, 4), given(10, 0)] {
        assert!(matches!(replay.run(&scenario("coap_b", channel), &mut Silent), Err(Error::NotPositive(_))));
    }
}

/// Planted nodes are found with right standard errors, and predict real runs of another timer.
#[test]
fn planted_nodes_are_found_and_predict() {
    let all = needs::everything();
    // 1000 worlds settle a share of 90 % to 1 %, so that 85 and 95 % are five standard deviations away.
    let worlds: u64 = if all { 1_000 } else { 6 };
    let (mut inside, mut rooms, mut unseen, mut found) = (0.0, 0, 0, 0.0);
    let names = [MetricName::DurationMean, MetricName::DurationP50, MetricName::RetriesMean, MetricName::SpuriousAll];
    // Really, behind a queue, without, before; covered behind a queue, and without.
    let mut sums = [[0.0_f64; 6]; 4];
    for seed in 0..worlds {
        // A capture does not tell how many of the losses were of requests: any share of them, from none to all.
        let share = noise(seed ^ (5 << 60));
        let (bottleneck, wants) = (bottleneck(seed + 100), wants(seed + 100, 6, 150));
        let bottleneck = Bottleneck { loss: [share, 1.0 - share].map(|share| 0.06 * share), ..bottleneck };
        let (record, _) = bottleneck.run("coap_default", &wants, 0);
        let replay = Replay::new(record, &mut Silent).unwrap();
        let fit = replay.bottleneck(&mut Silent).unwrap().unwrap().clone();
        assert!(fit.shared, "{fit:?}");
        found += fit.service.value / worlds as f64;
        inside += f64::from((fit.service.value - 0.05).abs() <= 1.645 * fit.service.error) / worlds as f64;
        match fit.limit {
            Limit::At(8) => rooms += 1,
            Limit::At(_) => {}
            Limit::Unseen { .. } => unseen += 1,
        }
        let real = Replay::new(bottleneck.run("basic_rto_cf3", &wants, 1).0, &mut Silent).unwrap();
        let predicted = [ChannelSpec::QUEUED, ChannelSpec::EMPIRICAL].map(|channel| {
            let mut scenario = scenario("basic_rto_cf3", channel);
            (scenario.replicates, scenario.seed, scenario.detail) = (30, seed, Detail::Metrics);
            run(&replay, &scenario)
        });
        for (sum, name) in sums.iter_mut().zip(names) {
            let truth = real.recorded().get(name).unwrap();
            let [with, without] = predicted.each_ref().map(|r| *r.get(name));
            let covers = |s: Summary| f64::from(s.lo90.unwrap() <= truth && truth <= s.hi90.unwrap());
            let row = [
                truth,
                with.mean.unwrap(),
                without.mean.unwrap(),
                with.recorded.unwrap(),
                covers(with),
                covers(without),
            ];
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / worlds as f64);
        }
    }
    // Where the queue was full at times: needless copies of a short timer, behind room for four.
    let (mut full, mut drops) = (0, 0);
    let crowded: u64 = if all { 40 } else { 4 };
    for seed in 0..crowded {
        let bottleneck = Bottleneck { room: 5, ..bottleneck(seed + 300) };
        let (record, dropped) = bottleneck.run("basic_rto_cf3", &wants(seed + 300, 8, 150), 0);
        let fit = Replay::new(record, &mut Silent).unwrap().bottleneck(&mut Silent).unwrap().unwrap().clone();
        assert!((fit.service.value - 0.05).abs() < 0.002, "{fit:?}");
        full += u32::from(fit.limit == Limit::At(5));
        drops += dropped;
    }
    println!("room of 5 found {full} of {crowded} times, {drops} dropped");
    assert!(u64::from(full) * 10 >= crowded * 9, "{full}");
    println!(
        "service {found:.5} s, inside its 90 % interval {inside:.3}; room found {rooms}, not seen {unseen}, of {worlds}"
    );
    for (name, [real, with, without, before, covered, plain]) in names.iter().zip(sums) {
        println!(
            "{}: really {real:.4}, queued {with:.4}, empirical {without:.4}, before {before:.4}; covered {covered:.3}, {plain:.3}",
            name.name()
        );
    }
    assert!((found - 0.05).abs() < 0.001, "{found}");
    assert!(!all || (0.85..=0.95).contains(&inside), "{inside}");
    // Needless copies make needless copies wait: without the queue most of that is missed.
    for [real, with, without, ..] in [sums[2], sums[3]] {
        assert!((with - real).abs() < 0.6 * (without - real).abs(), "{real} {with} {without}");
    }
}

/// A node with more to do than it can: 83 ms a message, eight clients that want to send once a second.
fn saturated(seed: u64) -> (Bottleneck, Vec<Vec<Instant>>) {
    let own = |client: u64| {
        let time = |n: u64| {
            Instant::ZERO + Span::from_micros((n * 1_000_000) as i64 + (noise(seed ^ (client << 32) ^ n) * 4e5) as i64)
        };
        (0..120).map(time).collect()
    };
    let seed_of_bottleneck = seed.wrapping_mul(7_919) + 1;
    let bottleneck =
        Bottleneck { seed: seed_of_bottleneck, service: ms(83), room: 11, delay: ms(80), turnaround: ms(6), ..PLANTED };
    (bottleneck, (0..8).map(own).collect())
}

/// A node that is hardly ever idle shows its service time by the lattice on which replies come, and round trips of
/// another timer are what the other clients leave, less the turnaround of the own one. Medians are whole services (7 %
/// of them), and of two runs of the same world one in three has another one: the mean over replicates lies between two,
/// and the interval has to reach the right one.
#[test]
fn a_saturated_node_is_read_from_its_lattice() {
    let (worlds, most) = if needs::everything() { (200_u64, 0.95) } else { (5, 1.0) };
    let (mut covered, mut all, mut off) = (0, 0, [0.0_f64; 3]);
    let median = |of: &Values| of.get(MetricName::DurationP50).unwrap();
    for seed in 0..worlds {
        let (bottleneck, wants) = saturated(seed);
        for (from, to) in
            [("coap_default", "cocoa_cf3"), ("linux_rto_cf3", "coap_default"), ("cocoa_cf3", "basic_rto_cf3")]
        {
            let replay = Replay::new(bottleneck.run(from, &wants, 0).0, &mut Silent).unwrap();
            let fit = replay.bottleneck(&mut Silent).unwrap().unwrap().clone();
            assert!(fit.is_read && fit.shared, "{from} {seed}: {fit:?}");
            assert!((fit.service.value - 0.083).abs() < 1e-4, "{from} {seed}: {fit:?}");
            let real = Replay::new(bottleneck.run(to, &wants, 1).0, &mut Silent).unwrap();
            let mut asked = scenario(to, ChannelSpec::QUEUED);
            (asked.replicates, asked.seed, asked.detail, asked.another) =
                (20, seed, Detail::Metrics, AnotherRun::Compute);
            let result = run(&replay, &asked);
            for name in [MetricName::DurationMean, MetricName::DurationP50, MetricName::RetriesMean] {
                let (truth, summary) = (real.recorded().get(name).unwrap(), result.get(name));
                let ninety = summary.another.unwrap();
                println!("{from} {to} {} {truth:.4} {ninety:?}", name.name());
                let here = summary.lo90.unwrap()..=summary.hi90.unwrap();
                assert!(ninety.lo <= *here.start() && *here.end() <= ninety.hi, "{ninety:?} {here:?}");
                covered += u32::from(ninety.lo <= truth && truth <= ninety.hi);
                all += 1;
            }
            let again = Replay::new(bottleneck.run(to, &wants, 2).0, &mut Silent).unwrap();
            off[0] += (result.get(MetricName::DurationP50).mean.unwrap() - median(real.recorded())).abs();
            off[1] += median(real.recorded());
            off[2] += (median(again.recorded()) - median(real.recorded())).abs();
        }
    }
    println!(
        "covered {covered} of {all}; medians {:.1} % off, repeats {:.1} %",
        100.0 * off[0] / off[1],
        100.0 * off[2] / off[1]
    );
    let share = f64::from(covered) / f64::from(all);
    assert!((0.8..=most).contains(&share), "{covered} of {all}");
    assert!(off[0] < 2.0 * off[2], "{off:?}");
}
