//! Laws that every algorithm of the registry keeps, at its defaults and at the edges of its parameters.

#[path = "conformance/registry.rs"]
mod registry;

use base::{Instant, Span};
use proptest::prelude::*;
use rto::{AlgorithmSpec, Choice, Dither, Estimator, Flight, ParamError, ParamValue, Sample, Unit, algorithms, build};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// One exchange: what happens to it, not when its timers expire.
#[derive(Clone, Debug)]
struct Step {
    gap: Span,
    retransmissions: u8,
    delay: Option<Span>,
    dither: Dither,
    inflight: u32,
    answered: Option<u8>,
}

fn step() -> impl Strategy<Value = Step> {
    let nanos = |max: i64| (0..max).prop_map(Span::from_nanos);
    (
        prop_oneof![nanos(2_000_000_000), nanos(400_000_000_000)],
        0u8..6,
        proptest::option::weighted(0.8, prop_oneof![nanos(1_000_000), nanos(500_000_000), nanos(90_000_000_000)]),
        any::<u32>().prop_map(Dither),
        0u32..8,
        proptest::option::of(0u8..6),
    )
        .prop_map(|(gap, retransmissions, delay, dither, inflight, answered)| Step {
            gap,
            retransmissions,
            delay,
            dither,
            inflight,
            answered,
        })
}

/// Plays `steps` one after the other; returns everything observable.
fn play(spec: &AlgorithmSpec, estimator: &mut dyn Estimator, steps: &[Step]) -> Vec<String> {
    let (mut seen, mut now) = (Vec::new(), Instant::ZERO);
    for step in steps {
        now += step.gap;
        let mut flight = Flight::new(step.inflight);
        flight.transmit(now, estimator, step.dither);
        for _ in 0..step.retransmissions {
            now += flight.last_armed().min(Span::from_secs(3600));
            estimator.on_timeout(now, &flight);
            flight.transmit(now, estimator, step.dither);
        }
        legal(spec, &flight);
        match step.delay {
            Some(delay) => {
                now += delay;
                estimator.on_ack(now, &flight, flight.sample(now, step.answered.filter(|_| spec.marks_attempts)));
            }
            None => estimator.on_abandon(now, &flight),
        }
        seen.push(format!("{:?} {:?} {estimator:?}", flight.armed, estimator.state(now)));
    }
    seen
}

fn default_of(spec: &AlgorithmSpec, name: &str) -> Option<f64> {
    spec.params.iter().find(|param| param.name == name).and_then(|param| match param.default {
        ParamValue::Number(number) => Some(number),
        ParamValue::Text(_) => None,
    })
}

/// 1 ns ≤ timeout ≤ the declared maximum, and no shrinking unless declared.
fn legal(spec: &AlgorithmSpec, flight: &Flight) {
    let maximum = default_of(spec, "timer_max").or_else(|| default_of(spec, "rto_max")).and_then(Span::from_secs_f64);
    for &timeout in &flight.armed {
        assert!(timeout >= Span::from_nanos(1), "{}: armed {timeout}", spec.id);
        assert!(maximum.is_none_or(|maximum| timeout <= maximum), "{}: armed {timeout} > {maximum:?}", spec.id);
    }
    assert!(!spec.monotone || flight.armed.is_sorted(), "{}: back-off shrinks: {:?}", spec.id, flight.armed);
}

fn fresh(spec: &AlgorithmSpec) -> Box<dyn Estimator> {
    build(spec.id, &Value::Null).expect("defaults are legal")
}

/// Few cases in every run; a nightly profile raises `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let cases = needs::cases(64);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_same_calls_give_the_same_bytes(steps in prop::collection::vec(step(), 1..20)) {
        for spec in algorithms() {
            prop_assert_eq!(play(spec, &mut *fresh(spec), &steps), play(spec, &mut *fresh(spec), &steps), "{}", spec.id);
        }
    }

    #[test]
    fn state_changes_nothing(steps in prop::collection::vec(step(), 0..20), later in 0i64..1_000_000_000_000) {
        for spec in algorithms() {
            let mut estimator = fresh(spec);
            play(spec, &mut *estimator, &steps);
            let before = format!("{estimator:?}");
            let at = Instant::from_nanos(later);
            let state = estimator.state(at);
            prop_assert_eq!(&state, &estimator.state(at), "{}", spec.id);
            prop_assert_eq!(before, format!("{estimator:?}"), "{}", spec.id);
            prop_assert!(state.rto >= Span::from_nanos(1), "{}: rto {}", spec.id, state.rto);
            let names = |state: &rto::EstimatorState| state.values.iter().map(|(name, _)| *name).collect::<Vec<_>>();
            prop_assert_eq!(names(&state), spec.state.iter().map(|s| s.name).collect::<Vec<_>>(), "{}", spec.id);
        }
    }

    /// The RTO of `state` is the one that the next exchange starts from.
    #[test]
    fn the_state_is_the_next_timeout(steps in prop::collection::vec(step(), 0..20), idle in 0i64..400_000_000_000) {
        for spec in algorithms() {
            let mut estimator = fresh(spec);
            play(spec, &mut *estimator, &steps);
            let after: Span = steps.iter().map(|_| Span::from_secs(30_000)).sum();
            let at = Instant::ZERO + after + Span::from_nanos(idle);
            let state = estimator.state(at);
            let mut flight = Flight::new(0);
            let armed = flight.transmit(at, &mut *estimator, Dither::NONE);
            // FASOR's dithering starts above the RTO; its note on the flight has the RTO itself.
            let base = if spec.family == "fasor" { flight.memo.get().base } else { armed };
            prop_assert!(base <= state.rto && armed >= base, "{}: armed {} from {}", spec.id, armed, state.rto);
            prop_assert!(base == state.rto || Some(base.secs_f64()) == default_of(spec, "timer_max"), "{}", spec.id);
        }
    }

    #[test]
    fn clones_are_independent(steps in prop::collection::vec(step(), 0..10), more in prop::collection::vec(step(), 1..10)) {
        for spec in algorithms() {
            let mut original = fresh(spec);
            play(spec, &mut *original, &steps);
            let (before, mut copy) = (format!("{original:?}"), original.clone_box());
            prop_assert_eq!(&before, &format!("{copy:?}"));
            let there = play(spec, &mut *copy, &more);
            prop_assert_eq!(before, format!("{original:?}"), "{}: the original followed its clone", spec.id);
            prop_assert_eq!(there, play(spec, &mut *original, &more), "{}: a clone behaves differently", spec.id);
        }
    }

    /// A state machine goes only where its diagram says.
    #[test]
    fn diagrams_are_complete(steps in prop::collection::vec(step(), 1..30)) {
        for spec in algorithms() {
            let Some(diagram) = spec.diagram else { continue };
            let drawn: BTreeSet<_> = diagram.lines().filter_map(|line| line.split_once(": ")?.0.split_once(" -> ")).collect();
            let (mut estimator, mut now) = (fresh(spec), Instant::ZERO);
            let mut mode = estimator.state(now).mode;
            let mut go = |to: &'static str| {
                prop_assert!(mode == to || drawn.contains(&(mode, to)), "{}: {mode} -> {to}", spec.id);
                mode = to;
                Ok(())
            };
            for step in &steps {
                now += step.gap;
                go(estimator.state(now).mode)?;
                let mut flight = Flight::new(step.inflight);
                flight.transmit(now, &mut *estimator, step.dither);
                go(estimator.state(now).mode)?;
                for _ in 0..step.retransmissions {
                    estimator.on_timeout(now, &flight);
                    flight.transmit(now, &mut *estimator, step.dither);
                    go(estimator.state(now).mode)?;
                }
                match step.delay {
                    Some(delay) => estimator.on_ack(now + delay, &flight, flight.sample(now + delay, None)),
                    None => estimator.on_abandon(now, &flight),
                }
                now += step.delay.unwrap_or(Span::ZERO);
                go(estimator.state(now).mode)?;
            }
        }
    }

    /// NSTART > 1: overlapping flights keep their own back-off.
    #[test]
    fn flights_may_overlap(order in prop::collection::vec((0usize..4, any::<bool>()), 1..40), u in any::<u32>()) {
        for spec in algorithms() {
            let mut estimator = fresh(spec);
            let mut open: [Option<Flight>; 4] = [const { None }; 4];
            let mut now = Instant::ZERO;
            for &(slot, answer) in &order {
                now += Span::from_millis(700);
                let inflight = open.iter().flatten().count() as u32;
                match open[slot].take() {
                    None => {
                        let mut flight = Flight::new(inflight);
                        flight.transmit(now, &mut *estimator, Dither(u));
                        open[slot] = Some(flight);
                    }
                    Some(flight) if answer => estimator.on_ack(now, &flight, flight.sample(now, None)),
                    Some(mut flight) => {
                        estimator.on_timeout(now, &flight);
                        flight.transmit(now, &mut *estimator, Dither(u));
                        legal(spec, &flight);
                        open[slot] = Some(flight);
                    }
                }
            }
        }
    }
}

#[test]
fn extremes_neither_overflow_nor_panic() {
    const HUGE: Span = Span::from_nanos(i64::MAX / 4);
    let times = [Instant::MIN, Instant::from_nanos(i64::MIN / 2), Instant::ZERO, Instant::from_nanos(1), Instant::MAX];
    let samples = [Span::ZERO, Span::from_nanos(-1), Span::from_nanos(i64::MIN), Span::from_nanos(1), HUGE, Span::MAX];
    for spec in algorithms() {
        for &first in &samples {
            for &second in &samples {
                let mut estimator = fresh(spec);
                for (&now, &since) in times.iter().zip([first, second, second, first, second].iter()) {
                    for attempts in [0, 1, 2, 3, u8::MAX] {
                        let mut flight = Flight::new(u32::MAX);
                        flight.transmit(now, &mut *estimator, Dither(u32::MAX));
                        for _ in 0..40 {
                            estimator.on_timeout(now, &flight);
                            flight.transmit(now, &mut *estimator, Dither(u32::MAX));
                        }
                        legal(spec, &flight);
                        for answered in [None, Some(0), Some(u8::MAX)] {
                            estimator.on_ack(
                                now,
                                &flight,
                                Sample { since_first: since, since_last: since, attempts, answered },
                            );
                        }
                        estimator.on_abandon(now, &flight);
                        assert!(estimator.state(Instant::MAX).rto >= Span::from_nanos(1), "{}", spec.id);
                    }
                }
            }
        }
    }
}
