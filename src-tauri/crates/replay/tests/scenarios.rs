//! Scenarios worked out by hand, and how runs behave at the edges.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{ExchangeId, Silent};
use replay::*;
use serde_json::{Value, json};
use world::{answered, association, at, crowd, preset, run};

/// One exchange over a path of 3 s, default CoAP: its timer (2 to 3 s) fires before the reply.
#[test]
fn a_slow_path_makes_one_needless_retransmission() {
    let e = ExchangeRecord {
        id: ExchangeId(0),
        ready: None,
        copies: vec![CopyRecord { sent: at(0), fate: answered(3_000), proven: true }].into(),
        outcome: Outcome::Closed,
        end: Some(at(3_000)),
        payload: 12,
    };
    let replay =
        Replay::new(Record::new(vec![association(0, Workload::Arrivals, vec![e])], None), &mut Silent).unwrap();
    // Recorded: one copy, nothing needless.
    assert_eq!(replay.recorded().get(MetricName::SpuriousAll), Some(0.0));
    for channel in [ChannelSpec::RECORDED, ChannelSpec::EMPIRICAL] {
        let mut scenario = Scenario::new(preset("coap_default", Value::Null), channel);
        scenario.detail = Detail::Steps;
        scenario.replicates = 10;
        let result = run(&replay, &scenario);
        for (name, expected) in [
            (MetricName::Exchanges, 1.0),
            (MetricName::Failed, 0.0),
            (MetricName::PlrExchange, 0.0),
            (MetricName::RetriesMean, 1.0),
            (MetricName::RetransmissionRate, 0.5),
            (MetricName::EarlyA, 1.0),
            (MetricName::EarlyB, 1.0),
            (MetricName::EarlyC, 1.0),
            (MetricName::SpuriousAll, 0.5),
            (MetricName::DurationMean, 3.0),
            (MetricName::DurationP50, 3.0),
            (MetricName::DurationP95, 3.0),
            (MetricName::Throughput, 1.0 / 3.0),
            (MetricName::Goodput, 4.0),
            (MetricName::Success, 1.0),
            (MetricName::PdrPacket, 0.5),
            (MetricName::SendingRate, 2.0 / 3.0),
            (MetricName::ElapsedPerRequest, 3.0),
            (MetricName::B, 1.0),
        ] {
            for v in &result.replicates {
                assert_eq!(v.get(name), Some(expected), "{} {}", channel.name(), name.name());
            }
            let s = result.get(name);
            assert_eq!((s.best, s.worst), (Some(expected), Some(expected)), "{}: determined", name.name());
        }
        // Its one timer expired badly; the exchange took more than one copy.
        for (name, expected) in [(MetricName::T, Some(0.0)), (MetricName::IdleWait, Some(0.0))] {
            assert_eq!(result.replicates[0].get(name), expected, "{}", name.name());
        }
        assert_eq!(result.replicates[0].get(MetricName::RtoOverRtt), None, "no exchange was answered at once");
        assert_eq!(result.get(MetricName::W).mean, None, "no good timeout");
        let s = &result.steps;
        let copies: Vec<(bool, Option<Support>)> =
            (0..s.len()).filter(|&i| s.kind[i] == StepKind::Transmit).map(|i| (s.needless[i], s.support[i])).collect();
        let second = if channel == ChannelSpec::RECORDED { Support::Assumed } else { Support::Sampled };
        assert_eq!(copies, vec![(false, Some(Support::Recorded)), (true, Some(second))]);
        assert_eq!(result.support, Some(0.5));
        if channel == ChannelSpec::EMPIRICAL {
            assert_eq!(
                s.kind.iter().filter(|k| **k == StepKind::LateReply).count(),
                1,
                "the duplicate is answered too"
            );
            assert_eq!(result.late, 1.0);
        }
    }
}

/// Four exchanges answered at once, the last of them late, then a lost first copy: the timer of 2 s waited for 1.75 s
/// longer than the median of the four takes, and twice as long as the latest round trip.
#[test]
fn idle_wait_is_beyond_the_median_round_trip() {
    let exchange = |i: u32, copies: Vec<CopyRecord>, end: i64| ExchangeRecord {
        id: ExchangeId(i),
        ready: None,
        copies: copies.into(),
        outcome: Outcome::Closed,
        end: Some(at(end)),
        payload: 10,
    };
    let mut exchanges: Vec<ExchangeRecord> = (0..)
        .zip([100, 300, 200, 1_000])
        .map(|(i, rtt)| {
            let sent = i64::from(i) * 10_000;
            exchange(i, vec![CopyRecord { sent: at(sent), fate: answered(rtt), proven: true }], sent + rtt)
        })
        .collect();
    let lost = CopyRecord { sent: at(40_000), fate: Fate::RequestLost, proven: true };
    exchanges.push(exchange(4, vec![lost, CopyRecord { sent: at(42_000), fate: answered(500), proven: true }], 42_500));
    let record = Record::new(vec![association(0, Workload::Arrivals, exchanges)], None);
    let algorithm = preset("coap_default", json!({"ack_timeout": 2.0, "random_factor": 1}));
    for replay in [
        Replay::new(record.clone(), &mut Silent).unwrap(),
        Replay::with_fast_paths(record.clone(), FastPaths::NONE, &mut Silent).unwrap(),
    ] {
        let result = run(&replay, &Scenario::new(algorithm.clone(), ChannelSpec::RECORDED));
        let only = |name| result.replicates[0].get(name);
        assert_eq!((only(MetricName::IdleWait), only(MetricName::W)), (Some(1.75), Some(2.0)));
        assert_eq!(replay.recorded().get(MetricName::IdleWait), Some(1.75), "gaps stand for its timers");
    }
}

/// A lost first copy, a second that is answered, a third never sent: worked out by hand.
#[test]
fn a_lost_copy_costs_one_timeout() {
    let copies = vec![
        CopyRecord { sent: at(0), fate: Fate::RequestLost, proven: true },
        CopyRecord { sent: at(2_000), fate: answered(500), proven: true },
    ];
    let e = ExchangeRecord {
        id: ExchangeId(0),
        ready: None,
        copies: copies.into(),
        outcome: Outcome::Closed,
        end: Some(at(2_500)),
        payload: 10,
    };
    let replay =
        Replay::new(Record::new(vec![association(0, Workload::Arrivals, vec![e])], None), &mut Silent).unwrap();
    let scenario = |timeout: f64| {
        let mut s = Scenario::new(
            preset("coap_default", json!({"ack_timeout": timeout, "random_factor": 1})),
            ChannelSpec::RECORDED,
        );
        s.detail = Detail::Steps;
        s
    };
    // The same timer: determined.
    let same = run(&replay, &scenario(2.0));
    assert_eq!(
        (same.get(MetricName::DurationMean).best, same.get(MetricName::DurationMean).worst),
        (Some(2.5), Some(2.5))
    );
    assert_eq!(same.support, Some(1.0));
    // Its first timer waited 2 s for a copy that was lost; no round trip before says how long would have been enough.
    let only = |name| same.replicates[0].get(name);
    assert_eq!((only(MetricName::T), only(MetricName::IdleWait)), (Some(2.0), Some(0.0)));
    assert_eq!((same.get(MetricName::B).best, same.get(MetricName::B).worst), (Some(0.0), Some(0.0)));
    assert_eq!((only(MetricName::PdrPacket), only(MetricName::Overload)), (Some(0.5), Some(0.0)));
    // Within the tolerance of 10 ms: the fate is the same copy's, the time is not.
    let near = run(&replay, &scenario(2.005));
    assert_eq!(
        (near.get(MetricName::DurationMean).best, near.get(MetricName::DurationMean).worst),
        (Some(2.505), Some(2.505))
    );
    // A timer of 1 s: copies at 0 (lost), 1 (undetermined), 3, 7, 15 s, give-up at 31 s. The only plausible
    // round trip is 0.5 s, so it ends at 1.5 s at best; at worst all are lost.
    let other = run(&replay, &scenario(1.0));
    let get = |m| (other.get(m).best, other.get(m).worst);
    assert_eq!(get(MetricName::Failed), (Some(0.0), Some(1.0)));
    assert_eq!(get(MetricName::RetriesMean), (Some(1.0), Some(4.0)));
    assert_eq!(get(MetricName::DurationMean), (Some(1.5), Some(15.5)), "answered by the last copy at worst");
    assert_eq!(get(MetricName::SpuriousAll), (Some(0.0), Some(0.0)), "0.5 s is shorter than every timer");
    assert_eq!(get(MetricName::EarlyA), (None, None), "the first copy is lost for certain");
}

/// A client that stays as recorded keeps its recorded metrics; the others change.
#[test]
fn a_mixed_population_leaves_the_others_as_they_were() {
    let record = crowd(5, false);
    let replay = Replay::new(record.clone(), &mut Silent).unwrap();
    let stays = record.associations()[1].id;
    let mut scenario = Scenario::new(preset("cocoa_plus", Value::Null), ChannelSpec::EMPIRICAL);
    scenario.as_recorded = vec![stays];
    scenario.replicates = 4;
    let result = run(&replay, &scenario);
    for name in MetricName::ALL {
        let s = result.associations[1].get(name);
        assert_eq!(s.mean.is_some(), s.recorded.is_some(), "{}", name.name());
        if let (Some(mean), Some(recorded)) = (s.mean, s.recorded) {
            assert!((mean - recorded).abs() < 1e-12, "{}: {mean} {recorded}", name.name());
        }
    }
    assert_ne!(
        result.associations[0].get(MetricName::RetriesMean).mean,
        result.associations[0].get(MetricName::RetriesMean).recorded
    );
    scenario.as_recorded = vec![base::AssociationId(99)];
    assert_eq!(replay.run(&scenario, &mut Silent), Err(Error::NoAssociation(base::AssociationId(99))));
}

#[test]
fn cancelling_stops_and_progress_is_complete() {
    let replay = Replay::new(crowd(5, false), &mut Silent).unwrap();
    let mut scenario = Scenario::new(preset("coap_b", Value::Null), ChannelSpec::EMPIRICAL);
    scenario.replicates = 100;
    let mut seen = Vec::new();
    let mut all = |done, total| {
        seen.push((done, total));
        std::ops::ControlFlow::Continue(())
    };
    replay.run(&scenario, &mut all).unwrap();
    assert_eq!(seen.first(), Some(&(0, 101)), "bounds and 100 replicates");
    assert_eq!(seen.last(), Some(&(101, 101)));
    let mut stop =
        |done, _| if done > 0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) };
    assert_eq!(replay.run(&scenario, &mut stop), Err(Error::Cancelled));
}

#[test]
fn an_empty_record_has_no_metrics() {
    for record in [Record::default(), Record::new(vec![association(0, Workload::Arrivals, Vec::new())], None)] {
        let replay = Replay::new(record, &mut Silent).unwrap();
        for channel in [ChannelSpec::RECORDED, ChannelSpec::EMPIRICAL] {
            let result = run(&replay, &Scenario::new(preset("cocoa_plus", Value::Null), channel));
            assert_eq!(result.get(MetricName::Exchanges).recorded, Some(0.0));
            assert_eq!(result.get(MetricName::PlrExchange).recorded, None);
            assert_eq!(result.get(MetricName::DurationMean).mean, None);
            assert_eq!(result.support, None);
        }
    }
    let unknown = Scenario::new(preset("no_such_thing", Value::Null), ChannelSpec::RECORDED);
    assert!(matches!(
        Replay::new(Record::default(), &mut Silent).unwrap().run(&unknown, &mut Silent),
        Err(Error::Param(_))
    ));
}

/// A retransmission may wait in the sender's link layer while the reply comes in, and be on the air only
/// after the close. What was recorded is reproduced all the same.
#[test]
fn a_copy_on_the_air_after_the_close_is_kept() {
    let copies = vec![
        CopyRecord { sent: at(0), fate: answered(2_100), proven: true },
        CopyRecord { sent: at(2_150), fate: answered(400), proven: true },
    ];
    let closed = |id: u32, copies: Vec<CopyRecord>, end| ExchangeRecord {
        id: ExchangeId(id),
        ready: None,
        copies: copies.into(),
        outcome: Outcome::Closed,
        end: Some(at(end)),
        payload: 10,
    };
    let next = vec![CopyRecord { sent: at(2_120), fate: answered(300), proven: true }];
    let exchanges = vec![closed(0, copies, 2_100), closed(1, next, 2_420)];
    for workload in [Workload::Arrivals, Workload::ThinkTime] {
        let replay =
            Replay::new(Record::new(vec![association(0, workload, exchanges.clone())], None), &mut Silent).unwrap();
        let mut scenario = Scenario::new(Algorithm::AsRecorded, ChannelSpec::RECORDED);
        scenario.detail = Detail::Steps;
        let result = run(&replay, &scenario);
        let s = &result.steps;
        let story: Vec<(u32, StepKind, base::Instant)> = (0..s.len())
            .filter(|&i| s.kind[i] != StepKind::Timeout)
            .map(|i| (s.exchange[i].0, s.kind[i], s.at[i]))
            .collect();
        assert_eq!(
            story,
            vec![
                (0, StepKind::Transmit, at(0)),
                (0, StepKind::Reply, at(2_100)),
                (1, StepKind::Transmit, at(2_120)),
                (0, StepKind::Transmit, at(2_150)),
                (1, StepKind::Reply, at(2_420)),
                (0, StepKind::LateReply, at(2_550)),
            ]
        );
        assert_eq!(result.support, Some(1.0));
        let s = result.get(MetricName::SpuriousAll);
        assert_eq!((s.recorded, s.best, s.worst), (Some(1.0 / 3.0), Some(1.0 / 3.0), Some(1.0 / 3.0)));
    }
}

fn constant(rtt: i64, count: i64) -> Replay {
    let exchange = |i: i64| ExchangeRecord {
        id: ExchangeId(i as u32),
        ready: None,
        copies: vec![CopyRecord { sent: at(i * 60_000), fate: answered(rtt), proven: true }].into(),
        outcome: Outcome::Closed,
        end: Some(at(i * 60_000 + rtt)),
        payload: 10,
    };
    Replay::new(
        Record::new(vec![association(0, Workload::Arrivals, (0..count).map(exchange).collect())], None),
        &mut Silent,
    )
    .unwrap()
}

/// A timeout equal to the round trip is early (`rto::exchange::Tie`): the timer goes first.
#[test]
fn a_timer_goes_before_a_reply_of_the_same_instant() {
    for (rtt, retries) in [(1_999, 0.0), (2_000, 1.0)] {
        let scenario = Scenario::new(preset("coap_default", json!({"random_factor": 1})), ChannelSpec::RECORDED);
        let result = run(&constant(rtt, 1), &scenario);
        let s = result.get(MetricName::RetriesMean);
        assert_eq!((s.best, s.worst), (Some(retries), Some(retries)), "{rtt} ms");
        assert_eq!(result.replicates[0].get(MetricName::EarlyA), Some(retries), "{rtt} ms");
        assert_eq!(result.get(MetricName::DurationMean).worst, Some(rtt as f64 / 1e3), "{rtt} ms");
    }
}

/// A round trip longer than any first timeout: the reply is ambiguous to an algorithm that does not mark its
/// copies, so Karn's rule leaves it without a sample, whatever the trace knows. One that marks them learns.
#[test]
fn only_marking_algorithms_learn_which_copy_was_answered() {
    for (algorithm, average, learns) in [("rfc6298_coap", "srtt", false), ("lee2016", "rtt", true)] {
        let mut scenario = Scenario::new(preset(algorithm, Value::Null), ChannelSpec::EMPIRICAL);
        scenario.replicates = 1;
        scenario.detail = Detail::Steps;
        let result = run(&constant(3_200, 1), &scenario);
        let state = result.steps.state.get(result.steps.len() - 1).unwrap();
        let (_, measured) = state.values.iter().find(|(name, _)| *name == average).unwrap();
        assert_eq!(measured.is_some(), learns, "{algorithm}: {state:?}");
    }
}
