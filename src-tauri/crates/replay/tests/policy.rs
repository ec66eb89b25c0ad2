//! The sender's rules beside the timer, one by one, on records worked out by hand.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{AssociationId, ExchangeId, Instant, Silent, Span};
use proptest::prelude::*;
use replay::*;
use serde_json::{Value, json};
use world::{Requests, answered, association, at, crowd, live, ms, preset, run};

/// Exchanges that were answered by their first copy, `rtt` after it: (ready, rtt), in ms.
fn exchanges(from: u32, ready: &[(i64, i64)]) -> Vec<ExchangeRecord> {
    let exchange = |(&(ready, rtt), id): (&(i64, i64), u32)| ExchangeRecord {
        id: ExchangeId(id),
        ready: None,
        copies: vec![CopyRecord { sent: at(ready), fate: answered(rtt), proven: true }].into(),
        outcome: Outcome::Closed,
        end: Some(at(ready + rtt)),
        payload: 10,
    };
    ready.iter().zip(from..).map(exchange).collect()
}

/// One client and one server.
fn single(ready: &[(i64, i64)]) -> Replay {
    Replay::new(Record::new(vec![association(0, Workload::Arrivals, exchanges(0, ready))], None), &mut Silent).unwrap()
}

/// One client node and one server per list.
fn node(servers: &[&[(i64, i64)]]) -> Replay {
    let part = |(list, n): (&&[(i64, i64)], u32)| AssociationRecord {
        client: 7,
        server: n,
        ..association(n, Workload::Arrivals, exchanges(n * 100, list))
    };
    Replay::new(Record::new(servers.iter().zip(0..).map(part).collect(), None), &mut Silent).unwrap()
}

/// A run over the recorded weather in which every undetermined copy is answered fast.
fn steps(replay: &Replay, id: &str, params: Value, policy: Policy) -> RunResult {
    let mut scenario = Scenario::new(preset(id, params), ChannelSpec::RECORDED);
    scenario.policy = policy;
    scenario.detail = Detail::Steps;
    run(replay, &scenario)
}

/// Per exchange: when its first copy went, in ms, and its timeout.
fn starts(result: &RunResult) -> Vec<(u32, i64, i64)> {
    let s = &result.steps;
    let originals = (0..s.len()).filter(|&i| s.kind[i] == StepKind::Transmit && s.attempt[i] == 0);
    let millis = |at: Instant| (at - Instant::ZERO).millis();
    originals.map(|i| (s.exchange[i].0, millis(s.at[i]), s.rto[i].map_or(-1, Span::millis))).collect()
}

/// A timer of exactly `seconds`.
fn fixed(seconds: f64) -> Value {
    json!({ "ack_timeout": seconds, "random_factor": 1 })
}

const POLICY: fn() -> Policy = Policy::default;

#[test]
fn nstart_and_the_queue() {
    // Three requests at 0, 10 and 20 ms, each answered after 1 s.
    let replay = single(&[(0, 1_000), (10, 1_000), (20, 1_000)]);
    let start = |nstart, application| {
        let result =
            steps(&replay, "coap_default", fixed(2.0), Policy { nstart: Some(nstart), application, ..POLICY() });
        (starts(&result).iter().map(|s| s.1).collect::<Vec<_>>(), result.dropped, result.held)
    };
    let queue = |limit| Application::Queue { limit };
    assert_eq!(start(3, queue(9)), (vec![0, 10, 20], 0.0, 0.0));
    let queued =
        |nstart| steps(&replay, "coap_default", fixed(2.0), Policy { nstart: Some(nstart), ..POLICY() }).queued;
    assert_eq!([queued(3), queued(2)], [0.0, 0.98]);
    // The third waits for the first to end; waiting for a place is not being held back.
    assert_eq!(start(2, queue(9)), (vec![0, 10, 1_000], 0.0, 0.0));
    assert_eq!(start(1, queue(9)), (vec![0, 1_000, 2_000], 0.0, 0.0));
    assert_eq!(start(1, queue(1)), (vec![0, 1_000], 1.0, 0.0));
    assert_eq!(start(2, Application::Drop), (vec![0, 10], 1.0, 0.0));
    // As it is known of the client, where no policy says otherwise.
    assert_eq!(start(1, Application::Recorded), (vec![0, 1_000, 2_000], 0.0, 0.0), "nothing is known: all wait");
    let known = |limit| Replay::new(replay.record().clone().with_queues(|_| Some(limit)), &mut Silent).unwrap();
    for (limit, starts_at) in [(0, vec![0]), (1, vec![0, 1_000]), (2, vec![0, 1_000, 2_000])] {
        let result = steps(&known(limit), "coap_default", fixed(2.0), Policy { nstart: Some(1), ..POLICY() });
        assert_eq!(starts(&result).iter().map(|s| s.1).collect::<Vec<_>>(), starts_at);
        assert_eq!(result.dropped, (3 - starts_at.len()) as f64);
    }
    let longer = Policy { nstart: Some(1), application: queue(9), ..POLICY() };
    assert_eq!(steps(&known(0), "coap_default", fixed(2.0), longer).dropped, 0.0);
}

/// Where times may be wrong by more than a channel's tolerance, copies are no nearer than that.
#[test]
fn wrong_times_widen_the_tolerance() {
    // Sent once and answered after 900 ms; now sent again after 500 ms.
    let support = |error| {
        let mut association = association(0, Workload::Arrivals, exchanges(0, &[(0, 900)]));
        association.error = error;
        let mut scenario = Scenario::new(preset("coap_default", fixed(0.5)), ChannelSpec::RECORDED);
        scenario.detail = Detail::Steps;
        run(&Replay::new(Record::new(vec![association], None), &mut Silent).unwrap(), &scenario).support
    };
    assert_eq!(support(Span::from_millis(400)), Some(0.5), "nothing is known of the second copy");
    assert_eq!(support(Span::from_millis(500)), Some(1.0), "it may have been the first");
}

#[test]
fn blind_timeouts_before_the_first_sample() {
    // Four at once before anything is answered, and two more when something was.
    let replay = single(&[(0, 900), (10, 900), (20, 900), (30, 900), (5_000, 900), (5_010, 900)]);
    let timeouts = |id: &str, params: Value, blind| {
        let result = steps(&replay, id, params, Policy { blind, ..POLICY() });
        starts(&result).iter().map(|s| s.2).collect::<Vec<_>>()
    };
    for (blind, expected) in [
        (Blind::Algorithm, [2_000; 6]),
        (Blind::Ignore, [2_000; 6]),
        (Blind::Linear, [2_000, 4_000, 6_000, 8_000, 2_000, 2_000]),
        (Blind::Power, [2_000, 4_000, 8_000, 16_000, 2_000, 2_000]),
    ] {
        assert_eq!(timeouts("coap_default", fixed(2.0), blind), expected, "{blind:?}");
    }
    // CoCoA has the linear rule of its own: the same rule from outside gives the same timeouts …
    let cocoa = |blind, rule: &str| timeouts("cocoa_ietf_03", json!({ "random_factor": 1, "blind": rule }), blind);
    let own = cocoa(Blind::Algorithm, "linear");
    assert_eq!(own[..4], [2_000, 4_000, 6_000, 8_000]);
    assert_eq!(cocoa(Blind::Linear, "linear"), own, "not applied twice");
    assert_eq!(cocoa(Blind::Power, "linear"), cocoa(Blind::Algorithm, "power"));
    // … and without any: draft-bormann-core-cocoa-01 with two open starts the third at 8 s.
    assert_eq!(cocoa(Blind::Ignore, "linear")[..4], [2_000; 4]);
    assert_eq!(cocoa(Blind::Power, "linear")[2], 8_000);
}

/// The back-off factor follows the stretched RTO, as when the rule is the algorithm's own.
#[test]
fn a_blind_exchange_backs_off_alike() {
    let mut lost = exchanges(0, &[(0, 900), (10, 900)]);
    for e in &mut lost {
        e.copies[0].fate = Fate::RequestLost;
        e.copies.push(CopyRecord { sent: at(60_000), fate: Fate::RequestLost, proven: true });
        (e.outcome, e.end) = (Outcome::Abandoned, None);
    }
    let record = AssociationRecord { nstart: 2, ..association(0, Workload::Arrivals, lost) };
    let replay = Replay::new(Record::new(vec![record], None), &mut Silent).unwrap();
    let all = |blind, rule| {
        let params = json!({ "random_factor": 1, "blind": rule, "vbf_key": "initial" });
        let result = steps(&replay, "cocoa_bormann_02", params, Policy { blind, ..POLICY() });
        result.steps.rto.iter().flatten().map(|t| t.millis()).collect::<Vec<_>>()
    };
    let own = all(Blind::Algorithm, "linear");
    assert!(own.contains(&4_000) && own.contains(&6_000), "4 s is large: the factor is 1.5: {own:?}");
    assert_eq!(all(Blind::Linear, "linear"), own);
}

#[test]
fn what_was_learned_is_forgotten() {
    // A pause of 254 s, then one of 256 s (from the last reply to the next request).
    let replay = single(&[(0, 500), (254_500, 500), (511_000, 500)]);
    let rtos = |state_lifetime| {
        let params = json!({ "random_factor": 1, "aging": "none" });
        let result = steps(&replay, "cocoa_ietf_03", params, Policy { state_lifetime, ..POLICY() });
        starts(&result).iter().map(|s| s.2).collect::<Vec<_>>()
    };
    let kept = rtos(None);
    assert_eq!((kept[0], kept[1]), (2_000, 1_750), "0.5·(0.5 + 4·0.25) + 0.5·2");
    assert!(kept[2] < kept[1]);
    assert_eq!(rtos(Some(Policy::STATE_LIFETIME)), [2_000, 1_750, 2_000]);
    assert_eq!(rtos(Some(ms(100_000))), [2_000; 3]);
}

#[test]
fn a_small_table_forgets_the_server_used_longest_ago() {
    // Servers A, B, A, C, A, B, in turn.
    let replay = node(&[&[(0, 500), (20_000, 500), (40_000, 500)], &[(10_000, 500), (50_000, 500)], &[(30_000, 500)]]);
    let rtos = |destinations| {
        let params = json!({ "random_factor": 1, "aging": "none" });
        let result = steps(&replay, "cocoa_ietf_03", params, Policy { destinations, ..POLICY() });
        // Grouped by association although they were simulated together.
        assert!(result.steps.association.is_sorted(), "{:?}", result.steps.association);
        starts(&result).iter().map(|s| (s.0, s.2)).collect::<Vec<_>>()
    };
    let all = rtos(None);
    assert_eq!(all, rtos(Some(3)), "room for all");
    assert_eq!(all[..2], [(0, 2_000), (1, 1_750)]);
    assert_eq!((all[3], all[4]), ((100, 2_000), (101, 1_750)));
    let two = rtos(Some(2));
    assert_eq!(two[..3], all[..3], "A is used often enough to stay");
    assert_eq!(two[4], (101, 2_000), "C pushed B out");
    assert!(rtos(Some(1)).iter().all(|s| s.1 == 2_000));
}

#[test]
fn plimit_holds_back_across_servers() {
    // Six servers, a request to each within 50 ms, each answered after 1 s; none is known: LAMBDA = 4.
    let lists: Vec<[(i64, i64); 1]> = (0..6).map(|n| [(n * 10, 1_000)]).collect();
    let lists: Vec<&[(i64, i64)]> = lists.iter().map(|l| &l[..]).collect();
    let replay = node(&lists);
    let start = |aggregate, application| {
        let policy = Policy { aggregate, application, ..POLICY() };
        let result = steps(&replay, "cocoa_ietf_03", json!({ "random_factor": 1 }), policy);
        (starts(&result).iter().map(|s| s.1).collect::<Vec<_>>(), result.held, result.dropped)
    };
    let queue = Application::Queue { limit: 9 };
    assert_eq!(start(Aggregate::Unlimited, queue), (vec![0, 10, 20, 30, 40, 50], 0.0, 0.0));
    // The fifth and sixth start when the first and second end, in the order in which they came.
    assert_eq!(start(Aggregate::Plimit, queue), (vec![0, 10, 20, 30, 1_000, 1_010], 2.0, 0.0));
    assert_eq!(start(Aggregate::Plimit, Application::Drop), (vec![0, 10, 20, 30], 0.0, 2.0));
}

#[test]
fn plimit_grows_with_small_timeouts() {
    // Two known servers with an RTO of 1.75 s: PLIMIT = 4·2/1.75 = 4.57, so a fifth exchange may start towards
    // them, and towards unknown servers only a fourth.
    let known: &[(i64, i64)] = &[(0, 500), (10_000, 5_000), (10_010, 5_000), (10_020, 5_000)];
    let other: &[(i64, i64)] = &[(5, 500), (10_030, 5_000), (10_040, 5_000), (10_050, 5_000)];
    let unknown: &[(i64, i64)] = &[(10_035, 5_000)];
    let replay = node(&[known, other, unknown]);
    let params = json!({ "random_factor": 1, "aging": "none" });
    let policy = Policy { aggregate: Aggregate::Plimit, max_retransmit: 0, ..POLICY() };
    let result = steps(&replay, "cocoa_ietf_03", params, policy);
    let at = |id| starts(&result).iter().find(|s| s.0 == id).unwrap().1;
    assert_eq!([at(1), at(2), at(3), at(101)], [10_000, 10_010, 10_020, 10_030]);
    assert_eq!(at(102), 10_040, "the fifth, to a known server");
    // The first to end is 1, given up after its 1.75 s: five were open, four are left, and the request to the
    // unknown server, which came first, is not one of those that may be a fifth; the known one is.
    assert_eq!(at(103), 11_750);
    assert!(at(200) > 11_750);
}

#[test]
fn probing_rate_spares_a_server_that_is_silent() {
    // Three exchanges, all lost; the third is ready long after. 14 octets a copy, five copies: 70 octets.
    let lost = |ready: i64, id| ExchangeRecord {
        id: ExchangeId(id),
        ready: Some(at(ready)),
        copies: (0..5).map(|n| CopyRecord { sent: at(ready + n), fate: Fate::RequestLost, proven: true }).collect(),
        outcome: Outcome::Abandoned,
        end: None,
        payload: 10,
    };
    let record = vec![association(0, Workload::Arrivals, vec![lost(0, 0), lost(1_000, 1), lost(500_000, 2)])];
    let replay = Replay::new(Record::new(record, Some((at(0), at(600_000)))), &mut Silent).unwrap();
    let run = |probing_rate| {
        let mut scenario = Scenario::new(preset("coap_default", fixed(1.0)), ChannelSpec::EMPIRICAL);
        scenario.policy = Policy { probing_rate, nstart: Some(1), ..POLICY() };
        scenario.detail = Detail::Steps;
        scenario.replicates = 1;
        replay.run(&scenario, &mut Silent)
    };
    let start = |rate| starts(&run(rate).unwrap()).iter().map(|s| s.1).collect::<Vec<_>>();
    // 1 + 2 + 4 + 8 + 16 = 31 s until the first is given up.
    assert_eq!(start(None), [0, 31_000, 500_000]);
    // 70 octets at 1 octet/s from the first copy on.
    assert_eq!(start(Some(Policy::PROBING_RATE)), [0, 70_000, 500_000]);
    assert_eq!(start(Some(2)), [0, 35_000, 500_000]);
    assert_eq!(run(Some(0)), Err(Error::NotPositive("PROBING_RATE")));
}

#[test]
fn a_pacer_holds_first_transmissions_back() {
    // Five requests at once; CoAP-R on a link with 10 ms service time sends one a second at first.
    let replay = single(&[(0, 100), (10, 100), (20, 100), (30, 100), (40, 100)]);
    let paced = |params: Value, policy| {
        let result = steps(&replay, "coap_r", params, policy);
        (starts(&result).iter().map(|s| s.1).collect::<Vec<_>>(), result.held, result.dropped)
    };
    let slow = json!({ "service_time": 0.01, "random_factor": 1 });
    assert_eq!(paced(slow.clone(), POLICY()), (vec![0, 1_000, 2_000, 3_000, 4_000], 4.0, 0.0));
    let drop = Policy { application: Application::Drop, ..POLICY() };
    assert_eq!(paced(slow, drop), (vec![0], 0.0, 4.0));
    // Unknown service time: 0.5 ms, 700 octets/s: a message each 50 ms.
    assert_eq!(paced(json!({ "random_factor": 1 }), POLICY()).0, [0, 50, 100, 150, 200]);
    // No bounds are claimed for what they were not worked out for.
    let result = steps(&replay, "coap_r", Value::Null, POLICY());
    assert!(result.metrics().all(|(_, s)| s.best.is_none()));
}

/// A pacer that waits for an exchange to end (BDP) is asked again when one has; nothing starves.
#[test]
fn a_window_opens_when_an_exchange_ends() {
    let ready: Vec<(i64, i64)> = (0..60).map(|n| (n * 20, 400)).collect();
    for id in ["bdp_coap_reading", "rcoap_reading", "coap_r"] {
        let replay = single(&ready);
        let result = steps(&replay, id, Value::Null, POLICY());
        let starts = starts(&result);
        assert_eq!(starts.len(), ready.len(), "{id}");
        assert!(result.held > 0.0, "{id}");
        assert!(starts.iter().zip(&ready).all(|(s, r)| s.1 >= r.0), "{id}: before it was ready");
        assert!(starts.is_sorted_by_key(|s| s.1), "{id}: first in, first out");
    }
}

/// Default CoAP under another name: without a pacer nothing changes, with one only starts do.
#[test]
fn the_defaults_change_nothing() {
    let replay = Replay::new(world::crowd(11, false), &mut Silent).unwrap();
    let result = |policy| {
        let mut scenario = Scenario::new(preset("cocoa_plus", Value::Null), ChannelSpec::EMPIRICAL);
        scenario.policy = policy;
        scenario.replicates = 4;
        scenario.detail = Detail::Steps;
        let mut result = run(&replay, &scenario);
        result.scenario.policy = POLICY();
        format!("{:?} {:?}", result.steps, result.replicates)
    };
    let default = result(POLICY());
    // Rules without an occasion: every server of its own node, room for all, a lifetime longer than the trace.
    let idle = Policy {
        aggregate: Aggregate::Plimit,
        destinations: Some(9),
        state_lifetime: Some(Span::from_secs(1_000_000)),
        ..POLICY()
    };
    assert_eq!(default, result(idle));
}

/// Where one client stays as recorded, the others on its node still share the limit with it.
#[test]
fn pinned_servers_count() {
    let lists: Vec<[(i64, i64); 1]> = (0..5).map(|n| [(n * 10, 1_000)]).collect();
    let lists: Vec<&[(i64, i64)]> = lists.iter().map(|l| &l[..]).collect();
    let replay = node(&lists);
    let mut scenario = Scenario::new(preset("coap_default", fixed(2.0)), ChannelSpec::RECORDED);
    scenario.policy = Policy { aggregate: Aggregate::Plimit, ..POLICY() };
    let run_pinned = |mut scenario: Scenario, pinned| {
        scenario.as_recorded = vec![AssociationId(pinned)];
        starts(&run(&replay, &scenario)).iter().map(|s| s.1).collect::<Vec<_>>()
    };
    scenario.detail = Detail::Steps;
    assert_eq!(run_pinned(scenario.clone(), 0), [0, 10, 20, 30, 1_000]);
    // A pinned one starts when it did, limit or not.
    assert_eq!(run_pinned(scenario, 4), [0, 10, 20, 30, 40]);
}

/// The three clients of a crowd as three servers of one node.
fn one_node(seed: u64) -> Record {
    let mut associations = world::crowd(seed, false).associations().to_vec();
    associations.iter_mut().zip(0..).for_each(|(a, n)| (a.client, a.server) = (0, n));
    Record::new(associations, None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the rules: every request starts or is dropped, every exchange ends, time does not run backwards
    /// within an association, places are not exceeded, and threads do not matter.
    #[test]
    fn no_request_is_lost(
        seed in 0_u64..1_000_000,
        algorithm in 0_usize..5,
        nstart in proptest::option::of(1_u8..4),
        blind in prop_oneof![Just(Blind::Algorithm), Just(Blind::Ignore), Just(Blind::Linear), Just(Blind::Power)],
        lifetime in proptest::option::of(1_i64..100_000),
        destinations in proptest::option::of(0_u16..4),
        probing_rate in proptest::option::of(1_u32..20),
        plimit: bool,
        drop: bool,
    ) {
        let id = ["coap_default", "cocoa_plus", "coap_r", "bdp_coap_reading", "rcoap_reading"][algorithm];
        let record = one_node(seed);
        let total = record.exchanges() as f64;
        let replay = Replay::new(record, &mut Silent).unwrap();
        let mut scenario = Scenario::new(preset(id, Value::Null), ChannelSpec::EMPIRICAL);
        scenario.policy = Policy {
            nstart,
            blind,
            state_lifetime: lifetime.map(ms),
            destinations,
            probing_rate,
            aggregate: if plimit { Aggregate::Plimit } else { Aggregate::Unlimited },
            application: if drop { Application::Drop } else { Application::Queue { limit: u32::MAX } },
            ..POLICY()
        };
        scenario.seed = seed;
        scenario.replicates = 2;
        scenario.detail = Detail::Steps;
        let bytes = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            format!("{:?}", pool.install(|| replay.run(&scenario, &mut Silent)).unwrap())
        };
        prop_assert_eq!(bytes(1), bytes(3));
        let result = run(&replay, &scenario);
        for values in &result.replicates {
            let started = values.get(MetricName::Exchanges).unwrap();
            prop_assert!(started <= total && (drop || started == total), "{id}: {started} of {total}");
        }
        let s = &result.steps;
        prop_assert!(s.association.is_sorted());
        let (mut open, mut begun) = (0_u32, 0_u32);
        for i in 0..s.len() {
            if i > 0 && s.association[i] == s.association[i - 1] {
                prop_assert!(s.at[i - 1] <= s.at[i], "{id}: time");
            } else {
                prop_assert_eq!(open, 0, "{}: an exchange did not end", id);
            }
            match s.kind[i] {
                StepKind::Transmit if s.attempt[i] == 0 => (open, begun) = (open + 1, begun + 1),
                StepKind::Reply | StepKind::GiveUp => open -= 1,
                _ => {}
            }
            prop_assert!(nstart.is_none_or(|nstart| open <= u32::from(nstart)), "{id}: NSTART");
        }
        prop_assert_eq!(open, 0);
        prop_assert_eq!(f64::from(begun), result.replicates[0].get(MetricName::Exchanges).unwrap());
    }
}

/// Each association under its own algorithm: as under that algorithm alone, because nothing couples them.
#[test]
fn populations_mix() {
    let replay = Replay::new(crowd(11, false), &mut Silent).unwrap();
    let with = |algorithm: Algorithm, mixed: Vec<(AssociationId, Algorithm)>| {
        let mut scenario = Scenario::new(algorithm, ChannelSpec::EMPIRICAL);
        (scenario.replicates, scenario.mixed) = (5, mixed);
        run(&replay, &scenario)
    };
    let (a, b) = (preset("coap_b", Value::Null), preset("cocoa_plus", Value::Null));
    let mixed = with(a.clone(), vec![(AssociationId(1), b.clone()), (AssociationId(2), Algorithm::AsRecorded)]);
    let (all_a, all_b, none) = (with(a.clone(), vec![]), with(b, vec![]), with(Algorithm::AsRecorded, vec![]));
    assert_eq!(mixed.associations[0], all_a.associations[0]);
    let means = |r: &RunResult, i: usize| MetricName::ALL.map(|m| r.associations[i].get(m).mean);
    assert_eq!(means(&mixed, 1), means(&all_b, 1));
    assert_ne!(means(&all_a, 1), means(&all_b, 1));
    let kept = mixed.associations[2].get(MetricName::RetriesMean);
    assert_eq!((kept.mean, kept.mean), (kept.recorded, none.associations[2].get(MetricName::RetriesMean).recorded));
    let unknown = AssociationId(99);
    let mut scenario = Scenario::new(a.clone(), ChannelSpec::EMPIRICAL);
    scenario.mixed = vec![(unknown, a)];
    assert_eq!(replay.run(&scenario, &mut Silent), Err(Error::NoAssociation(unknown)));
}

/// A path with round trips of 0.1 s. Californium's Linux RTO starts from 2 s and learns: cold it waits 2 s for the first copy that
/// is lost after the beginning of the replay, warm no longer than what it has learned, as a replay of the whole trace says.
#[test]
fn estimators_start_warm_or_cold() {
    let lost = at(100_000);
    let fate = |t: Instant| if t == lost { Fate::Lost } else { answered(100) };
    let requests = Requests::At((0..40).map(|i| at(i * 5_000)).collect());
    let record = world::record(&requests, live("coap_default", &Value::Null, &requests, &fate, &|_| 0.0));
    let replay = Replay::new(record, &mut Silent).unwrap();
    let first = |history: History| {
        let mut scenario = Scenario::new(preset("linux_rto_cf3", Value::Null), ChannelSpec::EMPIRICAL);
        (scenario.replicates, scenario.history, scenario.detail) = (1, history, Detail::Steps);
        let result = run(&replay, &scenario);
        let from =
            (0..result.steps.len()).find(|&i| result.steps.at[i] == lost && result.steps.rto[i].is_some()).unwrap();
        (
            result.get(MetricName::Exchanges).mean,
            result.get(MetricName::Exchanges).recorded,
            result.steps.rto[from].unwrap(),
        )
    };
    let (whole, cold) = (first(History::None), first(History::Forgotten { until: lost }));
    let warm = first(History::Learned { until: lost });
    assert_eq!(whole.0, Some(40.0));
    assert_eq!((warm.0, warm.1, cold.0), (Some(20.0), Some(20.0), Some(20.0)), "20 began before");
    assert_eq!(cold.2, ms(2_000), "ACK_TIMEOUT: nothing learned");
    assert_eq!(warm.2, whole.2, "it has met the same");
    assert!(warm.2 < ms(1_000), "{}", warm.2);
}

/// One request answered after 2 s: its server can be slower, and does or does not know a copy for what it is.
#[test]
fn a_slower_server() {
    // Half a second apart copies meet the same: answered 2 s later.
    let told = [exchanges(0, &[(0, 2_000), (500, 2_000), (60_000, 2_000)]), Vec::new()].concat();
    let replay = Replay::new(Record::new(vec![association(0, Workload::Arrivals, told)], None), &mut Silent).unwrap();
    let timers = |processing: i64, repeats: bool| {
        let server = Server { processing: ms(processing), repeats };
        let policy = Policy { server, max_retransmit: 1, nstart: Some(2), ..Policy::default() };
        let mut scenario = Scenario::new(preset("coap_default", fixed(0.5)), ChannelSpec::RECORDED);
        (scenario.policy, scenario.detail) = (policy, Detail::Steps);
        run(&replay, &scenario)
    };
    let rtts = |result: &RunResult| -> Vec<(u16, i64)> {
        let s = &result.steps;
        let own = (0..s.len()).filter(|&i| s.exchange[i] == ExchangeId(0));
        own.filter_map(|i| Some((s.attempt[i], s.rtt(i)?.millis()))).collect()
    };
    // The copy at 0.5 s meets what the one of the other exchange met there.
    assert_eq!(rtts(&timers(0, false)), [(0, 2_000), (1, 2_000)]);
    // At the server at 1 s and 1.5 s; the answer is ready at 2 s: out at once to the second copy too, half a second after it came.
    assert_eq!(rtts(&timers(1_000, false)), [(0, 3_000), (1, 2_500)]);
    // It works on the second for a second again.
    assert_eq!(rtts(&timers(1_000, true)), [(0, 3_000), (1, 3_000)]);
    // Ready at 1.2 s, before the second comes: that is answered with what is stored.
    assert_eq!(rtts(&timers(200, false)), [(0, 2_200), (1, 2_000)]);
    assert_eq!(rtts(&timers(200, true)), [(0, 2_200), (1, 2_200)]);
    // Nothing is known of bounds then.
    assert!(timers(1_000, false).metrics().all(|(_, s)| s.best.is_none()));
}
