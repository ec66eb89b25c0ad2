//! Rules about the state of estimators: before the first sample, its lifetime, its room, and what it knows at the
//! start.

use super::*;

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
fn a_blind_exchange_backs_off_from_the_stretched_rto() {
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
fn estimator_state_expires() {
    // A pause of 254 s, then one of 256 s (from the last reply to the next request).
    let replay = single(&[(0, 500), (254_500, 500), (511_000, 500)]);
    let rtos = |state_lifetime| {
        let params = json!({ "random_factor": 1, "aging": "none" });
        let result = steps(&replay, "cocoa_ietf_03", params, Policy { state_lifetime, ..POLICY() });
        starts(&result).iter().map(|s| s.2).collect::<Vec<_>>()
    };
    let unlimited = rtos(None);
    assert_eq!((unlimited[0], unlimited[1]), (2_000, 1_750), "0.5·(0.5 + 4·0.25) + 0.5·2");
    assert!(unlimited[2] < unlimited[1]);
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

/// A path with round trips of 0.1 s. Californium's Linux RTO starts from 2 s and learns: cold it waits 2 s for the
/// first copy that is lost after the beginning of the replay, warm no longer than what it has learned, as a replay of
/// the whole trace says.
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
