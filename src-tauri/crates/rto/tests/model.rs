//! Models: the reference model's numbers, closed forms worked out by hand, and a simulation.

use base::Span;
use rto::limits::Transmission;
use rto::model::{Outlook, Path, lee_base, lee_proposed, outlook};
use rto::{ParamError, ParamValue, Ratio, algorithms, spec};
use serde_json::{Value, json};

/// The worked examples of function `name`: arguments and result.
fn examples(name: &str) -> Vec<(Value, Value)> {
    let fixture: Value = serde_json::from_str(include_str!("vectors/functions.json")).expect("the fixture is JSON");
    let functions = fixture["functions"].as_array().cloned().unwrap_or_default();
    let found: Vec<_> =
        functions.iter().filter(|f| f["fn"] == name).map(|f| (f["args"].clone(), f["out"].clone())).collect();
    assert!(!found.is_empty(), "{name} has examples");
    found
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} is a number"))
}

fn close(got: f64, expected: f64, what: &str) {
    assert!((got - expected).abs() <= 1e-5 * expected.abs().max(1e-9), "{what}: expected {expected}, got {got}");
}

#[test]
fn derived_times() {
    for (args, out) in examples("derived") {
        let id = args["preset"].as_str().expect("a preset");
        let default = |name: &str| {
            let params = &spec(id).expect("registered").params;
            match params.iter().find(|p| p.name == name).map(|p| &p.default) {
                Some(ParamValue::Number(number)) => *number,
                other => panic!("{name} is {other:?}"),
            }
        };
        let ack_timeout = Span::from_secs_f64(default("ack_timeout")).expect("a time");
        let factor = Ratio::from_f64(default("random_factor")).expect("a ratio");
        let d = Transmission { ack_timeout, random_factor: factor, max_retransmit: 4 };
        for (name, got) in [
            ("MAX_TRANSMIT_SPAN", d.max_transmit_span()),
            ("MAX_TRANSMIT_WAIT", d.max_transmit_wait()),
            ("EXCHANGE_LIFETIME", d.exchange_lifetime()),
            ("NON_LIFETIME", d.non_lifetime()),
            ("MAX_RTT", d.max_rtt()),
        ] {
            assert_eq!(got.secs_f64(), number(&out, name), "{id} {name}");
        }
    }
}

#[test]
fn the_transmission_rate_of_lee() {
    for (name, rate, rto) in [("lee_rate_coap", "Rb", "rto_init"), ("lee_rate_proposed", "Rp", "rto_p")] {
        let model = if name == "lee_rate_coap" { lee_base } else { lee_proposed };
        for (args, out) in examples(name) {
            let n = number(&args, "n") as u8;
            let got =
                model(number(&args, "p"), number(&args, "rtt_avg"), number(&args, "i") as u32, number(&args, rto), n);
            close(got.rate, number(&out, rate), name);
            close(got.retransmissions, number(&out, "E_Sto"), name);
            close(got.waiting, number(&out, "E_Tto"), name);
        }
    }
}

fn on(id: &str, params: Value, rtt_ms: i64, loss: f64) -> Outlook {
    outlook(id, &params, &Path::new(Span::from_millis(rtt_ms), loss)).expect("a legal preset")
}

/// Default CoAP over 0.1 s with half of all copies lost. By hand: copy j goes at 2.5·(2^j − 1) s on average and is
/// the first that is answered with 0.5^(j+1); all five are lost with 1/32. Waiting: 2.5·(0/2 + 1/4 + 3/8 + 7/16 +
/// 15/32) = 3.828125 s (the E[T_to] of Lee's eq. 19), over 31/32; copies: 1/2 + 2/4 + 3/8 + 4/16 + 5/32 + 5/32.
#[test]
fn default_coap_in_closed_form() {
    let o = on("coap_default", Value::Null, 100, 0.5);
    assert!(o.settled);
    close(o.success, 31.0 / 32.0, "success");
    close(o.completion, 0.1 + 3.828_125 / (31.0 / 32.0), "completion");
    close(o.completion - 0.1, lee_base(0.5, 0.1, 1, 2.5, 4).waiting / o.success, "Lee's eq. 19");
    close(o.copies, 1.937_5, "copies");
    close(o.needless + 1.0, 1.0, "needless");
    for (got, expected) in o.timeouts.iter().zip([2.5, 5.0, 10.0, 20.0, 40.0]) {
        close(*got, expected, "timeouts");
    }
    // MAX_TRANSMIT_WAIT is the greatest.
    for (got, expected) in o.give_up.iter().zip([62.0, 77.5, 93.0]) {
        close(*got, expected, "give-up");
    }
}

/// Contiki 3.0 does not wait after the fifth copy, so a reply to it comes too late.
#[test]
fn a_sender_that_does_not_wait_never_hears_its_last_copy() {
    let o = on("coap_contiki", Value::Null, 100, 0.5);
    close(o.success, 15.0 / 16.0, "success");
    for (got, expected) in o.give_up.iter().zip([45.0, 56.25, 67.5]) {
        close(*got, expected, "give-up");
    }
}

/// A round trip of 5 s: the first timer (2 s) is early for certain, the second fires at 6 s. Two copies, one of
/// them needless; with loss q the first copy that is answered ends it 5 s later.
#[test]
fn slow_paths_are_retransmitted_into() {
    let fixed = json!({ "random_factor": 1 });
    let o = on("coap_default", fixed.clone(), 5_000, 0.0);
    assert_eq!((o.success, o.completion, o.copies, o.needless), (1.0, 5.0, 2.0, 1.0));
    // Copies at 0, 2, 6, 14, 30 s; replies at 5 (2 copies), 7 (3), 11 (3), 19 (4), 35 (5).
    let o = on("coap_default", fixed, 5_000, 0.5);
    close(o.copies, 2.0 / 2.0 + 3.0 / 4.0 + 3.0 / 8.0 + 4.0 / 16.0 + 5.0 / 32.0 + 5.0 / 32.0, "copies");
    close(o.needless, 1.0 / 2.0 + 1.0 / 4.0, "needless");
    close(o.completion, (5.0 / 2.0 + 7.0 / 4.0 + 11.0 / 8.0 + 19.0 / 16.0 + 35.0 / 32.0) / (31.0 / 32.0), "completion");
}

/// Settled timeouts of adaptive algorithms at a constant round trip R: RTTVAR decays to nothing, so RFC 6298 ends at
/// max(R, 1 s), and CoCoA's overall RTO at E_strong = R, from which the factor 3 backs off.
#[test]
fn estimators_settle_where_they_should() {
    let o = on("rfc6298", Value::Null, 300, 0.0);
    assert!(o.settled);
    close(o.timeouts[0], 1.0, "the least RTO of RFC 6298 §2.4");
    close(o.give_up[2], 31.0, "not dithered");
    let o = on("cocoa_bormann_02", json!({ "random_factor": 1 }), 300, 0.0);
    // The timer ends a hair above the round trip, so that nothing is sent in vain.
    assert!(o.timeouts[0] > 0.3 && o.timeouts[0] < 0.31, "{o:?}");
    close(o.timeouts[1] / o.timeouts[0], 3.0, "VBF below 1 s");
    assert!(o.copies >= 1.0 && o.success == 1.0);
}

#[test]
fn the_edges() {
    let all_lost = on("coap_default", Value::Null, 100, 1.0);
    assert_eq!((all_lost.success, all_lost.copies), (0.0, 5.0));
    assert!(all_lost.completion.is_nan());
    let nonsense = on("coap_default", Value::Null, 100, f64::NAN);
    assert_eq!(nonsense.success, 0.0);
    let mut path = Path::new(Span::from_millis(100), 0.9);
    path.exchange_lifetime = Span::from_secs(10);
    let cut = outlook("coap_default", &json!({ "random_factor": 1 }), &path).expect("legal");
    assert_eq!((cut.give_up, cut.timeouts.len()), ([10.0; 3], 3), "copies at 0, 2 and 6 s");
    path.max_retransmit = 0;
    assert_eq!(outlook("coap_default", &json!({ "random_factor": 1 }), &path).expect("legal").give_up, [2.0; 3]);
    assert!(matches!(outlook("nonsense", &Value::Null, &path), Err(ParamError::Algorithm { .. })));
}

/// Every preset has an outlook, and more loss is never better.
#[test]
fn every_preset_has_an_outlook() {
    for spec in algorithms() {
        for rtt in [20, 800, 6_000] {
            let all = [0.0, 0.1, 0.5, 0.9].map(|loss| on(spec.id, Value::Null, rtt, loss));
            for o in &all {
                assert!((0.0..=1.0 + 1e-9).contains(&o.success), "{} {o:?}", spec.id);
                assert!(
                    o.copies >= 1.0 - 1e-9 && o.copies <= 5.0 + 1e-9 && o.needless <= o.copies,
                    "{} {o:?}",
                    spec.id
                );
                assert!(
                    o.give_up[0] <= o.give_up[1] + 1e-9 && o.give_up[1] <= o.give_up[2] + 1e-9,
                    "{} {o:?}",
                    spec.id
                );
            }
            assert!(all.is_sorted_by(|a, b| a.success >= b.success - 1e-12), "{} {rtt}", spec.id);
            if rtt == 20 {
                assert!(
                    all[0].success > 1.0 - 1e-9 && (all[0].completion - 0.02).abs() < 1e-9,
                    "{} {:?}",
                    spec.id,
                    all[0]
                );
            }
        }
    }
}
