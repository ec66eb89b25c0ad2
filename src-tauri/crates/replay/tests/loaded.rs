//! Load-aware channel: its laws, and planted responses.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{AssociationId, Instant, Silent, Span};
use replay::*;
use serde_json::Value;
use world::bottleneck::Bottleneck;
use world::contended::{Medium, requests};
use world::{at, crowd, ms, noise, preset, run};

const PLANTED: Medium = Medium { seed: 0, loss: (-3.0, 0.25), rtt: (0.4, 0.3) };

fn medium(seed: u64) -> Medium {
    Medium { seed: seed.wrapping_mul(7_919) + 1, ..PLANTED }
}

fn given(base: Base, loss: f64, rtt: f64) -> ChannelSpec {
    ChannelSpec::Loaded { base, response: LoadResponse::Given { loss, rtt }, tolerance: ChannelSpec::TOLERANCE }
}

fn scenario(algorithm: &str, channel: ChannelSpec) -> Scenario {
    let mut scenario = Scenario::new(preset(algorithm, Value::Null), channel);
    (scenario.replicates, scenario.bounds, scenario.detail) = (6, Bounds::Skip, Detail::Steps);
    scenario.model_error = ModelErrors::Exclude;
    scenario
}

/// A bound takes recorded fates as they are; under load they are not.
#[test]
fn there_are_no_bounds_under_load() {
    let replay = Replay::new(crowd(5, false), &mut Silent).unwrap();
    let mut scenario = scenario("coap_b", given(Base::Empirical, 0.1, 0.1));
    scenario.bounds = Bounds::Compute;
    assert!(run(&replay, &scenario).metrics().all(|(_, s)| s.best.is_none() && s.worst.is_none()));
}

/// Everything that a result says but for which channel it was.
fn without_scenario(mut result: RunResult) -> String {
    result.scenario.channel = ChannelSpec::RECORDED;
    format!("{result:?}")
}

#[test]
fn without_a_response_the_channel_equals_its_base() {
    for closed_loop in [false, true] {
        let replay = Replay::new(crowd(5, closed_loop), &mut Silent).unwrap();
        for algorithm in ["coap_default", "cocoa_plus", "lee2016"] {
            for (base, plain) in
                [(Base::Empirical, ChannelSpec::EMPIRICAL), (Base::GilbertElliott, ChannelSpec::GILBERT_ELLIOTT)]
            {
                let mut plain = scenario(algorithm, plain);
                let mut neutral = scenario(algorithm, given(base, 0.0, 0.0));
                for pinned in [vec![], vec![AssociationId(1)]] {
                    (plain.as_recorded, neutral.as_recorded) = (pinned.clone(), pinned);
                    assert_eq!(
                        without_scenario(run(&replay, &plain)),
                        without_scenario(run(&replay, &neutral)),
                        "{algorithm}"
                    );
                }
            }
        }
    }
}

#[test]
fn under_the_recorded_load_fates_are_as_recorded() {
    // No dither: the recorded timers again.
    let algorithm = "basic_rto_cf3";
    let record = medium(3).run(algorithm, &requests(3, 5, 60), 0);
    let replay = Replay::new(record, &mut Silent).unwrap();
    for base in [Base::Empirical, Base::GilbertElliott] {
        let result = run(&replay, &scenario(algorithm, given(base, 0.7, 0.4)));
        assert_eq!(result.support, Some(1.0));
        // The record does not hold the timers that were armed.
        for (name, s) in result.metrics().filter(|(name, _)| *name != MetricName::RtoOverRtt) {
            assert!(result.replicates.iter().all(|v| v.get(name) == s.recorded), "{}: {s:?}", name.name());
        }
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let replay = Replay::new(medium(4).run("coap_default", &requests(4, 5, 120), 0), &mut Silent).unwrap();
    let scenarios = [scenario("coap_b", ChannelSpec::LOADED), scenario("coap_b", ChannelSpec::LOADED)];
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let results = pool.install(|| replay.run_all(&scenarios, &mut Silent)).unwrap();
        assert_eq!(format!("{:?}", results[0]), format!("{:?}", results[1]));
        format!("{results:?}")
    };
    let one = bytes(1);
    assert_eq!(one, bytes(2));
    assert_eq!(one, bytes(8));
}

/// Clients that stay as recorded keep their copies, and meet the load of the others.
#[test]
fn pinned_clients_meet_the_load_of_the_others() {
    let replay = Replay::new(medium(9).run("coap_default", &requests(9, 5, 120), 0), &mut Silent).unwrap();
    let copies = replay.record().associations()[0].exchanges.iter().flat_map(|e| &e.copies);
    let mut recorded: Vec<Instant> = copies.map(|c| c.sent).collect();
    recorded.sort_unstable();
    // Eight realisations are needed: about one fate in sixteen moves, which would be chance in one with 120 copies.
    let moved = |response: f64| {
        let mut scenario = scenario("coap_b", given(Base::Empirical, response, response));
        scenario.as_recorded = vec![AssociationId(0)];
        let (mut all, mut moved) = (0, 0);
        for seed in 1..=8 {
            scenario.seed = seed;
            let s = run(&replay, &scenario).steps;
            let own = |&i: &usize| s.association[i] == AssociationId(0) && s.kind[i] == StepKind::Transmit;
            for i in (0..s.len()).filter(own) {
                assert!(recorded.binary_search(&s.at[i]).is_ok(), "a copy at another time");
                all += 1;
                moved += usize::from(s.support[i] == Some(replay::Support::Modelled));
            }
        }
        (moved, all)
    };
    let (felt, all) = moved(0.5);
    assert!(felt * 25 >= all, "{felt} fates of {all} moved with the load");
    let (felt, all) = moved(0.0);
    assert_eq!(felt, 0, "of {all}, where nothing answers to load");
}

/// At a queue a copy waits for what is there when it arrives, its reply for all that arrived meanwhile. A message takes
/// 83 ms, an exchange two of them: round trips lengthen by that much for each copy that stays in the load, and by less
/// for one that is soon gone. If both lengthened alike, a needless copy would cause more needless copies than it really
/// does.
#[test]
fn an_additional_copy_does_not_lengthen_all_later_round_trips() {
    let (service, worlds, until) = (Span::from_micros(83_333), 6, at(240_000));
    // Eight clients want to send once a second, six exchanges can be done.
    let wants = |seed: u64, client: u64| -> Vec<Instant> {
        let jitter = |n: u64| noise(seed ^ (client << 32) ^ (n << 8)) * 400.0;
        (0..280).map(|n| at(500 + (n as f64 * 1_000.0 + jitter(n)) as i64)).collect()
    };
    let (mut lasting, mut at_once, mut needless, mut longer) = (0.0, 0.0, [0.0; 2], 0.0);
    for seed in 201..201 + worlds {
        let bottleneck = Bottleneck {
            seed: seed * 7_919 + 1,
            service,
            room: 10,
            delay: ms(80),
            loss: [0.03; 2],
            tells: false,
            turnaround: ms(0),
        };
        let wants: Vec<Vec<Instant>> = (0..8).map(|client| wants(seed, client)).collect();
        let recorded = |algorithm| {
            let mut cut = bottleneck.run(algorithm, &wants, 0).0.associations().to_vec();
            cut.iter_mut()
                .for_each(|a| a.exchanges.retain(|e| e.end.is_none_or(|end| end < until) && e.start() < until));
            Replay::new(Record::new(cut, None), &mut Silent).unwrap()
        };
        let (from, real) = (recorded("cocoa_cf3"), recorded("linux_rto_cf3"));
        let fit = from.load(&mut Silent).unwrap().unwrap();
        lasting += fit.rtt.value / worlds as f64;
        at_once += fit.at_once / worlds as f64;
        let mut scenario = scenario("linux_rto_cf3", ChannelSpec::LOADED);
        (scenario.replicates, scenario.detail) = (30, Detail::Metrics);
        let result = run(&from, &scenario);
        let of = |name| (real.recorded().get(name).unwrap(), result.get(name).mean.unwrap());
        let (really, predicted) = of(MetricName::SpuriousAll);
        needless = [needless[0] + really / worlds as f64, needless[1] + predicted / worlds as f64];
        let (really, predicted) = of(MetricName::DurationMean);
        longer += (predicted / really - 1.0) / worlds as f64;
    }
    println!(
        "a round trip is {lasting:.3} s longer a copy, {at_once:.2} of it at once; needless copies {needless:.4?}; mean {longer:+.4}"
    );
    assert!((lasting / (2.0 * service.secs_f64()) - 1.0).abs() < 0.2, "{lasting}");
    assert!((0.5..0.95).contains(&at_once), "{at_once}");
    assert!((needless[1] - needless[0]).abs() < 0.01 && longer.abs() < 0.02, "{needless:?} {longer}");
}

/// Where a capture ends while requests wait, those clients would have sent more: one that is done sooner is continued,
/// so that its load stays.
#[test]
fn clients_with_requests_left_are_continued() {
    // Three times as many requests as there is room for, recorded for ten minutes.
    let each = |client: i64| (0..900).map(|n| at(n * 700 + client * 80)).collect::<Vec<Instant>>();
    let requests: Vec<_> = (0..6).map(each).collect();
    let mean = |known: bool| {
        let mut off = 0.0;
        for seed in 0..8 {
            let whole = medium(seed + 40).run("coap_default", &requests, 0);
            let mut cut = whole.associations().to_vec();
            for association in &mut cut {
                association.exchanges.retain(|e| e.end.is_none_or(|end| end < at(600_000)) && e.start() < at(590_000));
                let last = association.exchanges.last_mut().unwrap();
                assert!(last.ready.unwrap() < last.start());
                last.ready = last.ready.filter(|_| known);
            }
            let replay = Replay::new(Record::new(cut, None), &mut Silent).unwrap();
            let mut scenario = scenario("coap_default", given(Base::Empirical, PLANTED.loss.1, PLANTED.rtt.1));
            scenario.replicates = 20;
            let mean = *run(&replay, &scenario).get(MetricName::DurationMean);
            off += (mean.mean.unwrap() / mean.recorded.unwrap() - 1.0) / 8.0;
        }
        off
    };
    let (known, unknown) = (mean(true), mean(false));
    println!("the same timers again, against what was recorded: {known:+.4}; if nobody knew of more: {unknown:+.4}");
    assert!(known.abs() < 0.02 && known.abs() < 0.5 * unknown.abs(), "{known} {unknown}");
}

#[test]
fn an_unidentified_response_is_refused() {
    let refused = |record: Record| {
        let replay = Replay::new(record, &mut Silent).unwrap();
        let why = replay.load(&mut Silent).unwrap().unwrap_err();
        assert_eq!(replay.run(&scenario("coap_b", ChannelSpec::LOADED), &mut Silent), Err(Error::Unidentified(why)));
        why
    };
    // One client.
    assert_eq!(refused(medium(1).run("coap_default", &requests(1, 1, 400), 0)), Unidentified::Alone { paths: 1 });
    // Few copies.
    let why = refused(medium(1).run("coap_default", &requests(1, 4, 20), 0));
    assert!(matches!(why, Unidentified::TooFew { copies: 80, .. }), "{why}");
    // Clients that never meet: minutes apart.
    let apart = |client: i64| (0..150).map(|n| at((n * 4 + client) * 300_000)).collect();
    let why = refused(medium(2).run("coap_default", &(0..4).map(apart).collect::<Vec<_>>(), 0));
    assert!(matches!(why, Unidentified::NoVariation { deviation: 0.0, .. }), "{why}");
    assert!(why.to_string().contains("varies too little"), "{why}");
}

/// Planted responses to load are found with right standard errors, and predict real runs of another timer.
#[test]
fn planted_responses_are_found_and_predict() {
    let all = needs::everything();
    let worlds: u64 = if all { 1000 } else { 30 };
    let mut inside = [0.0_f64; 2];
    let mut found = [0.0_f64; 2];
    let mut at_once = 0.0;
    let names = [MetricName::DurationMean, MetricName::DurationP50, MetricName::RetriesMean, MetricName::SpuriousAll];
    // Really, predicted with load, without, before, covered with load, without.
    let mut sums = [[0.0_f64; 8]; 4];
    for seed in 0..worlds {
        let (medium, requests) = (medium(seed + 100), requests(seed + 100, 6, 150));
        let replay = Replay::new(medium.run("coap_default", &requests, 0), &mut Silent).unwrap();
        let fit = *replay.load(&mut Silent).unwrap().unwrap();
        at_once += fit.at_once / worlds as f64;
        for (i, (e, planted)) in [(fit.loss, PLANTED.loss.1), (fit.rtt, PLANTED.rtt.1)].into_iter().enumerate() {
            inside[i] += f64::from((e.value - planted).abs() <= 1.645 * e.error) / worlds as f64;
            found[i] += e.value / worlds as f64;
        }
        let real = Replay::new(medium.run("coap_b", &requests, 1), &mut Silent).unwrap();
        let predicted = [ChannelSpec::LOADED, ChannelSpec::EMPIRICAL].map(|channel| {
            let mut scenario = scenario("coap_b", channel);
            (scenario.replicates, scenario.seed, scenario.detail) = (100, seed, Detail::Metrics);
            run(&replay, &scenario)
        });
        for (sum, name) in sums.iter_mut().zip(names) {
            let truth = real.recorded().get(name).unwrap();
            let [with, without] = predicted.each_ref().map(|r| *r.get(name));
            let covers = |s: Summary| f64::from(s.lo90.unwrap() <= truth && truth <= s.hi90.unwrap());
            let before = with.recorded.unwrap();
            let row = [
                truth,
                with.mean.unwrap(),
                without.mean.unwrap(),
                before,
                covers(with),
                covers(without),
                with.hi90.unwrap() - with.lo90.unwrap(),
                (with.mean.unwrap() - truth).powi(2),
            ];
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / worlds as f64);
        }
    }
    println!("found {found:.4?}, in their 90 % intervals {inside:.3?}; {at_once:.3} of longer round trips at once");
    let (least, most) = if all { (0.85, 0.95) } else { (0.73, 1.0) };
    for (name, [real, with, without, before, covered, plain, width, square]) in names.iter().zip(sums) {
        println!(
            "{}: really {real:.4}, loaded {with:.4}, empirical {without:.4}, before {before:.4}, covered {covered:.3}, {plain:.3}; width {width:.4}, error {:.4}",
            name.name(),
            square.sqrt()
        );
    }
    assert!((found[0] - PLANTED.loss.1).abs() < 0.05 && (found[1] - PLANTED.rtt.1).abs() < 0.03, "{found:?}");
    // A round trip there is what was under way when it began.
    assert!(at_once > 0.9, "{at_once}");
    assert!(inside.iter().all(|share| (least..=most).contains(share)), "{inside:?}");
    for (name, [real, with, without, _, covered, ..]) in names.iter().zip(sums) {
        assert!(
            (with - real).abs() < 0.5 * (without - real).abs() || (with - real).abs() < 0.02 * real,
            "{}",
            name.name()
        );
        let least = if all { least } else { least - 0.05 };
        assert!((least..=most).contains(&covered), "{}: {covered}", name.name());
    }
}
