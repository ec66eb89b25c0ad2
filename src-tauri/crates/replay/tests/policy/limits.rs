//! Rules that hold requests back: NSTART, the aggregate limit, PROBING_RATE and pacers.

use super::*;

#[test]
fn nstart_limits_open_exchanges_and_the_queue_holds_the_rest() {
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
    // The limit that is known of the client holds, where no policy says otherwise.
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
