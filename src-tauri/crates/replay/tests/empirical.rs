//! Empirical channel: its predictions for another timer, in worlds where all copies are independent.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod world;

use base::{ExchangeId, Instant, Silent, Span};
use replay::*;
use serde_json::{Value, json};
use world::{Requests, Truth, at, live, ms, noise, preset, record, run, truth};

/// A metric, and its true value.
type Measure = (MetricName, fn(&Truth) -> f64);

const METRICS: [Measure; 3] = [
    (MetricName::DurationMean, |t| t.duration),
    (MetricName::RetriesMean, |t| t.retries),
    (MetricName::SpuriousAll, |t| t.spurious),
];

/// Independent fates: one copy in seven is lost; round trips from 0.2 to 2.6 s, mostly in the middle.
fn independent(seed: u64, at: Instant) -> Fate {
    let word = |purpose: u64| noise(seed ^ (at.nanos() as u64).wrapping_mul(0x5851_F42D_4C95_7F2D) ^ (purpose << 56));
    if word(1) < 1.0 / 7.0 {
        return Fate::Lost;
    }
    Fate::Answered { rtt: Span::from_secs_f64(0.2 + 1.2 * (word(2) + word(3))).unwrap() }
}

/// Both timers meet the same fates at the same moments, and send their first copies at the same moments. The fates of
/// their other copies are as random in the recording as in the predicted run. Intervals that took the recorded copies
/// for the distribution would be too narrow by √2.
#[test]
fn intervals_include_the_uncertainty_of_a_short_recording() {
    // 1000 worlds settle a share of 90 % to 1 % (one standard deviation), so that 85 and 95 % are five away and chance
    // alone fails no check; 60 are enough to tell 90 from 75 %.
    let (worlds, least, most) = if needs::everything() { (1_000_u64, 0.85, 0.95) } else { (60, 0.82, 1.0) };
    let requests = Requests::At((0..200).map(|i| at(i * 20_000)).collect());
    let mut covered = [[0_u64; 2]; METRICS.len()];
    for seed in 0..worlds {
        let real = |algorithm: &str, run: u64| {
            let fate = |t: Instant| independent(seed << 8, t);
            live(algorithm, &Value::Null, &requests, &fate, &|n| noise(n ^ (seed << 20) ^ (run << 40)))
        };
        let mut scenario = Scenario::new(preset("cocoa_plus", Value::Null), ChannelSpec::EMPIRICAL);
        (scenario.seed, scenario.replicates, scenario.bounds) = (seed, 100, Bounds::Skip);
        let result = run(&Replay::new(record(&requests, real("coap_default", 0)), &mut Silent).unwrap(), &scenario);
        let other = truth(&real("cocoa_plus", 1));
        for ([count, inside], (name, of)) in covered.iter_mut().zip(METRICS) {
            let (s, real) = (result.get(name), of(&other));
            let (lo, hi) = (s.lo90.unwrap(), s.hi90.unwrap());
            *count += u64::from(lo <= real && real <= hi);
            *inside += u64::from(lo < real && real < hi);
        }
    }
    for (counts, (name, _)) in covered.into_iter().zip(METRICS) {
        let [share, inside] = counts.map(|count| count as f64 / worlds as f64);
        println!("{}: covered {share:.3} of {worlds}, {inside:.3} without the ends", name.name());
        // A share of few copies takes few values, and an end that is one of them is hit often: with its ends an
        // interval between two quantiles covers at least as much as it says, without them at most, and for a measure
        // without atoms both are one.
        assert!(share >= least && inside <= most, "{}: {share}, {inside}", name.name());
    }
}

/// A closed loop with independent losses of one copy in ten. Silences are as long as its timeouts, so most of the time
/// lies before the few copies that end one. Without autocorrelation these carry no more information than any other
/// copy. Weighted by that time, they would predict 10 % too many or too few losses for the timer that ran, from its own
/// trace.
#[test]
fn copies_after_silences_weigh_no_more_than_others() {
    let requests = Requests::After(ms(20), 1_000);
    let worlds = 16_u64;
    let mut squares = 0.0;
    for seed in 0..worlds {
        let fate = |t: Instant| {
            let word = noise((seed << 8) ^ (t.nanos() as u64).wrapping_mul(0x5851_F42D_4C95_7F2D));
            if word < 0.1 { Fate::Lost } else { world::answered(80 + (word * 100.0) as i64) }
        };
        let exchanges = live("coap_default", &Value::Null, &requests, &fate, &|n| noise(n ^ (seed << 20)));
        let mut scenario = Scenario::new(preset("coap_default", Value::Null), ChannelSpec::EMPIRICAL);
        (scenario.seed, scenario.replicates, scenario.bounds) = (seed, 24, Bounds::Skip);
        let result = run(&Replay::new(record(&requests, exchanges), &mut Silent).unwrap(), &scenario);
        let s = result.get(MetricName::RetriesMean);
        squares += (s.mean.unwrap() / s.recorded.unwrap() - 1.0).powi(2) / worlds as f64;
    }
    // Sampling error of 24 replicates of 1000 exchanges: 0.02. With copies weighted by the time before them: 0.1, the
    // sampling error of some 100 copies that end a silence.
    let away = squares.sqrt();
    println!("retransmissions of the timer that ran, from its own trace: {away:.3} away");
    assert!(away < 0.06, "{away}");
}

/// A server that answers every 10 s all that waits: each exchange has a copy at once and one 3.5 s later, and both
/// replies come together. A timer of 2.9 s sends its second copy when none was recorded; it is answered with the first.
#[test]
fn waiting_copies_are_answered_together() {
    // 4 to 8.5 s before it is answered.
    let sent = |i: i64| 10_000 * (i + 1) - 4_000 - 450 * (i * 7 % 11);
    let exchange = |i: i64| {
        let (sent, wake) = (sent(i), 10_000 * (i + 1));
        let copy = |sent| CopyRecord { sent: at(sent), fate: Fate::Answered { rtt: ms(wake - sent) }, proven: true };
        ExchangeRecord {
            id: ExchangeId(i as u32),
            ready: None,
            copies: vec![copy(sent), copy(sent + 3_500)].into(),
            outcome: Outcome::Closed,
            end: Some(at(wake)),
            payload: 10,
        }
    };
    let requests = Requests::At((0..60).map(|i| at(sent(i))).collect());
    let replay = Replay::new(record(&requests, (0..60).map(exchange).collect()), &mut Silent).unwrap();
    for channel in [ChannelSpec::EMPIRICAL, ChannelSpec::GILBERT_ELLIOTT] {
        let mut scenario =
            Scenario::new(preset("coap_default", json!({ "ack_timeout": 2.9, "random_factor": 1 })), channel);
        (scenario.replicates, scenario.bounds, scenario.detail) = (3, Bounds::Skip, Detail::Steps);
        let result = run(&replay, &scenario);
        let s = &result.steps;
        let (mut replies, mut late) = (0, 0);
        for i in 0..s.len() {
            let awake = (s.at[i] - Instant::ZERO).millis() % 10_000 == 0;
            match s.kind[i] {
                StepKind::Reply => (replies, _) = (replies + 1, assert!(awake, "{}: {:?}", channel.name(), s.at[i])),
                StepKind::LateReply => (late, _) = (late + 1, assert!(awake, "{}: {:?}", channel.name(), s.at[i])),
                StepKind::Transmit | StepKind::Timeout | StepKind::GiveUp => {}
            }
        }
        assert_eq!(replies, 60, "{}", channel.name());
        assert!(late >= 50, "{}: every second copy was answered late, {late} of them", channel.name());
    }
}
