//! Laws of the client exchange: rules, ties, ends and calls of the estimator.

use base::{Instant, Span};
use proptest::prelude::*;
use rto::exchange::{Answer, ClientExchange, Expiry, SenderRules, Tie};
use rto::limits::Transmission;
use rto::{Dither, Estimator, EstimatorState, Flight, Sample};
use serde_json::Value;

fn at(millis: i64) -> Instant {
    Instant::ZERO + Span::from_millis(millis)
}

/// Default CoAP: 2, 4, 8, 16 and 32 s without dither.
fn coap() -> Box<dyn Estimator> {
    rto::build("coap_default", &Value::Null).expect("registered")
}

fn rules(tie: Tie) -> SenderRules {
    SenderRules { tie, ..SenderRules::default() }
}

#[test]
fn defaults_are_those_of_rfc_7252() {
    let transmission = Transmission::DEFAULT;
    assert_eq!(SenderRules::default().max_retransmit, Some(transmission.max_retransmit));
    assert_eq!(SenderRules::default().exchange_lifetime, transmission.exchange_lifetime());
}

/// An answer that arrives at the instant of the expiry, which RFC 7252 §4.2 leaves open.
#[test]
fn a_tie_goes_by_the_rule() {
    for (tie, at_expiry) in [(Tie::TimerFirst, false), (Tie::AnswerFirst, true)] {
        let mut exchange = ClientExchange::new(rules(tie));
        assert!(!exchange.is_in_time(at(0)), "nothing was asked");
        exchange.transmit(at(0), &mut *coap(), Dither::NONE);
        assert_eq!(exchange.deadline(), at(2_000));
        assert_eq!(exchange.is_in_time(at(2_000)), at_expiry, "{tie:?}");
        assert!(exchange.is_in_time(at(1_999)) && !exchange.is_in_time(at(2_001)), "{tie:?}");
    }
    assert_eq!(SenderRules::default().tie, Tie::TimerFirst);
}

#[test]
fn an_answer_after_the_end_is_late_and_teaches_nothing() {
    let mut estimator = rto::build("rfc6298", &Value::Null).expect("registered");
    let mut exchange = ClientExchange::new(SenderRules::default());
    assert_eq!(exchange.answered(at(0), None, &mut *estimator), Answer::Late);
    exchange.transmit(at(0), &mut *estimator, Dither::NONE);
    let Answer::Accepted(sample) = exchange.answered(at(300), Some(0), &mut *estimator) else { panic!("in time") };
    assert_eq!((sample.since_first, sample.answered), (Span::from_millis(300), None), "no marks");
    let learned = format!("{estimator:?}");
    assert_eq!(exchange.answered(at(400), None, &mut *estimator), Answer::Late);
    exchange.cancelled(at(400), &mut *estimator);
    assert_eq!(exchange.expired(at(400), &mut *estimator), Expiry::GaveUp);
    assert_eq!(format!("{estimator:?}"), learned);
}

/// RFC 7252 §4.8.2: EXCHANGE_LIFETIME ends an exchange between its third and fourth copies.
#[test]
fn the_lifetime_ends_an_exchange_before_its_timer() {
    let mut estimator = coap();
    let lifetime = SenderRules { exchange_lifetime: Span::from_secs(10), ..SenderRules::default() };
    let mut exchange = ClientExchange::new(lifetime);
    for (sent, deadline) in [(0, 2), (2, 6), (6, 10)] {
        exchange.transmit(at(sent * 1_000), &mut *estimator, Dither::NONE);
        assert_eq!(exchange.deadline(), at(deadline * 1_000));
        assert_eq!(exchange.has_timed_out(exchange.deadline()), deadline < 10);
        let expected = if deadline < 10 { Expiry::Retransmit } else { Expiry::GaveUp };
        assert_eq!(exchange.expired(exchange.deadline(), &mut *estimator), expected);
    }
}

/// Contiki 3.0 drops an exchange as it sends its last copy: not even an answer at that instant is in time.
#[test]
fn a_sender_that_does_not_wait_gives_up_as_it_sends_the_last_copy() {
    for tie in [Tie::TimerFirst, Tie::AnswerFirst] {
        let mut estimator = coap();
        let mut exchange =
            ClientExchange::new(SenderRules { max_retransmit: Some(1), waits_after_last: false, ..rules(tie) });
        exchange.transmit(at(0), &mut *estimator, Dither::NONE);
        assert!(exchange.waits());
        assert_eq!(exchange.expired(at(2_000), &mut *estimator), Expiry::Retransmit);
        exchange.transmit(at(2_000), &mut *estimator, Dither::NONE);
        assert!(!exchange.waits() && !exchange.is_in_time(at(2_000)) && !exchange.has_timed_out(at(2_000)));
        assert_eq!(exchange.deadline(), at(2_000));
        assert_eq!(exchange.expired(at(2_000), &mut *estimator), Expiry::GaveUp);
    }
}

/// The back-off goes on from the stretched timeout, as in draft-ietf-core-cocoa-03 §4.1.
#[test]
fn a_blind_sender_stretches_the_first_timeout_only() {
    let mut estimator = coap();
    let mut exchange = ClientExchange::new(SenderRules::default());
    exchange.stretch_first(3);
    assert_eq!(exchange.transmit(at(0), &mut *estimator, Dither::NONE), Span::from_secs(6));
    assert_eq!(exchange.expired(exchange.deadline(), &mut *estimator), Expiry::Retransmit);
    assert_eq!(exchange.transmit(exchange.deadline(), &mut *estimator, Dither::NONE), Span::from_secs(12));
    exchange.restart(0);
    assert_eq!(exchange.transmit(at(0), &mut *estimator, Dither::NONE), Span::from_secs(2));
}

/// More copies than an attempt number holds: the record alone ends an observed exchange.
#[test]
fn nothing_but_its_driver_ends_an_observed_exchange() {
    let mut estimator = coap();
    let mut exchange = ClientExchange::new(SenderRules::observed(false));
    for second in 0..300 {
        if second > 0 {
            assert_eq!(exchange.expired(at(second * 1_000), &mut *estimator), Expiry::Retransmit);
        }
        exchange.transmit(at(second * 1_000), &mut *estimator, Dither::NONE);
    }
    assert!(matches!(exchange.answered(at(300_500), None, &mut *estimator), Answer::Accepted(_)));
}

#[test]
fn a_preview_shows_the_next_copy_and_changes_nothing() {
    let mut estimator = coap();
    let mut exchange = ClientExchange::new(SenderRules::default());
    let before = exchange.clone();
    let timeout = exchange.preview(at(7), |flight| {
        assert_eq!((flight.sent.as_slice(), flight.armed.len()), ([at(7)].as_slice(), 0));
        estimator.clone_box().on_transmit(at(7), flight, Dither::NONE)
    });
    assert_eq!(exchange.flight(), before.flight());
    assert!(!exchange.is_open());
    assert_eq!(exchange.transmit(at(7), &mut *estimator, Dither::NONE), timeout);
}

/// The sender's view of [`Estimator`]: which calls came, in order.
#[derive(Clone, Debug, Default)]
struct Calls(std::sync::Arc<std::sync::Mutex<Vec<(&'static str, usize)>>>);

impl Calls {
    fn note(&self, call: &'static str, flight: &Flight) {
        self.0.lock().expect("one thread").push((call, flight.sent.len()));
    }
}

impl Estimator for Calls {
    fn on_transmit(&mut self, _: Instant, flight: &Flight, dither: Dither) -> Span {
        self.note("transmit", flight);
        // Including timeouts of nothing, which no algorithm may arm but the machine has to survive.
        Span::from_millis(i64::from(dither.0 % 10_000))
    }
    fn on_timeout(&mut self, _: Instant, flight: &Flight) {
        self.note("timeout", flight);
    }
    fn on_ack(&mut self, _: Instant, flight: &Flight, sample: Sample) {
        assert_eq!(usize::from(sample.attempts), flight.sent.len());
        self.note("ack", flight);
    }
    fn on_abandon(&mut self, _: Instant, flight: &Flight) {
        self.note("abandon", flight);
    }
    fn state(&self, _: Instant) -> EstimatorState {
        EstimatorState { rto: Span::ZERO, mode: "", values: Vec::new() }
    }
    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

fn any_rules() -> impl Strategy<Value = SenderRules> {
    let tie = prop_oneof![Just(Tie::TimerFirst), Just(Tie::AnswerFirst)];
    (0_u8..8, 0_i64..60_000, any::<bool>(), any::<bool>(), tie).prop_map(|(max_retransmit, life, waits, marks, tie)| {
        SenderRules {
            max_retransmit: Some(max_retransmit),
            exchange_lifetime: Span::from_millis(life),
            waits_after_last: waits,
            marks_attempts: marks,
            tie,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Laws of the machine, whatever the rules, the timeouts and the link: at most 1 + MAX_RETRANSMIT copies, none
    /// after EXCHANGE_LIFETIME, deadlines that never go back, one end, and everything after it late.
    #[test]
    fn every_exchange_obeys_the_rules(
        rules in any_rules(),
        draws in proptest::collection::vec(any::<u32>(), 8),
        replies in proptest::collection::vec(proptest::option::of(0_i64..30_000), 8),
        start in 0_i64..1_000_000,
    ) {
        let mut calls = Calls::default();
        let mut exchange = ClientExchange::new(rules);
        let lifetime_ends = at(start) + rules.exchange_lifetime;
        let (mut now, mut first, mut answered) = (at(start), None, false);
        for (copy, (&draw, reply)) in (0_u8..).zip(draws.iter().zip(&replies)) {
            prop_assert!(rules.max_retransmit.is_some_and(|most| copy <= most));
            prop_assert!(copy == 0 || now < lifetime_ends);
            let timeout = exchange.transmit(now, &mut calls, Dither(draw));
            prop_assert!(timeout >= Span::from_nanos(1));
            let deadline = exchange.deadline();
            prop_assert!(deadline >= now && deadline <= lifetime_ends.max(now));
            prop_assert!(deadline == (now + timeout).min(lifetime_ends) || !exchange.waits());
            first = first.into_iter().chain(reply.map(|millis| now + Span::from_millis(millis))).min();
            if let Some(reply) = first.filter(|&reply| exchange.is_in_time(reply)) {
                prop_assert!(reply <= deadline && (reply < deadline || rules.tie == Tie::AnswerFirst));
                let Answer::Accepted(sample) = exchange.answered(reply, Some(copy), &mut calls) else {
                    return Err(TestCaseError::fail("in time, but late"));
                };
                prop_assert_eq!(sample.answered, rules.marks_attempts.then_some(copy));
                prop_assert_eq!(sample.since_first, reply - at(start));
                answered = true;
                break;
            }
            let gives_up = exchange.gives_up(deadline);
            prop_assert_eq!(gives_up, Some(copy) == rules.max_retransmit || deadline >= lifetime_ends);
            now = deadline;
            match exchange.expired(now, &mut calls) {
                Expiry::Retransmit => prop_assert!(!gives_up),
                Expiry::GaveUp => {
                    prop_assert!(gives_up);
                    break;
                }
            }
        }
        prop_assert!(!exchange.is_open());
        prop_assert_eq!(exchange.answered(at(2_000_000), None, &mut calls), Answer::Late);
        let copies = exchange.flight().sent.len();
        let mut expected = vec![("transmit", 1)];
        expected.extend((1..copies).flat_map(|n| [("timeout", n), ("transmit", n + 1)]));
        expected.push((if answered { "ack" } else { "abandon" }, copies));
        prop_assert_eq!(&*calls.0.lock().expect("one thread"), &expected);

        // A reused exchange is a new one.
        exchange.restart(0);
        let mut new = ClientExchange::new(rules);
        exchange.transmit(at(7), &mut calls, Dither(draws[0]));
        new.transmit(at(7), &mut calls, Dither(draws[0]));
        prop_assert_eq!(exchange.flight(), new.flight());
        prop_assert_eq!(exchange.deadline(), new.deadline());
    }
}
