//! The sender's rules beside the timer, one by one, on records worked out by hand.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

#[path = "policy/estimators.rs"]
mod estimators;
#[path = "policy/limits.rs"]
mod limits;

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

/// A run over the recorded fates in which every undetermined copy is answered fast.
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

/// The three clients of a crowd as three servers of one node.
fn one_node(seed: u64) -> Record {
    let mut associations = world::crowd(seed, false).associations().to_vec();
    associations.iter_mut().zip(0..).for_each(|(a, n)| (a.client, a.server) = (0, n));
    Record::new(associations, None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: needs::cases(24), failure_persistence: None, ..ProptestConfig::default() })]

    /// Under any rules, every request starts or is dropped, every exchange ends, time does not run backwards
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
fn a_mixed_population_equals_each_algorithm_alone() {
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
    let pinned = mixed.associations[2].get(MetricName::RetriesMean);
    assert_eq!(
        (pinned.mean, pinned.mean),
        (pinned.recorded, none.associations[2].get(MetricName::RetriesMean).recorded)
    );
    let unknown = AssociationId(99);
    let mut scenario = Scenario::new(a.clone(), ChannelSpec::EMPIRICAL);
    scenario.mixed = vec![(unknown, a)];
    assert_eq!(replay.run(&scenario, &mut Silent), Err(Error::NoAssociation(unknown)));
}

/// One request answered after 2 s: its server can be slower, and does or does not know a copy for what it is.
#[test]
fn a_slower_server() {
    // Half a second apart copies meet the same: answered 2 s later.
    let recorded = [exchanges(0, &[(0, 2_000), (500, 2_000), (60_000, 2_000)]), Vec::new()].concat();
    let replay =
        Replay::new(Record::new(vec![association(0, Workload::Arrivals, recorded)], None), &mut Silent).unwrap();
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
    // At the server at 1 s and 1.5 s; the answer is ready at 2 s: out at once to the second copy too, half a second
    // after it came.
    assert_eq!(rtts(&timers(1_000, false)), [(0, 3_000), (1, 2_500)]);
    // The server works on the second for a second again.
    assert_eq!(rtts(&timers(1_000, true)), [(0, 3_000), (1, 3_000)]);
    // Ready at 1.2 s, before the second comes: that is answered with what is stored.
    assert_eq!(rtts(&timers(200, false)), [(0, 2_200), (1, 2_000)]);
    assert_eq!(rtts(&timers(200, true)), [(0, 2_200), (1, 2_200)]);
    // Nothing is known of bounds then.
    assert!(timers(1_000, false).metrics().all(|(_, s)| s.best.is_none()));
}
