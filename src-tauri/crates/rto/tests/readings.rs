//! Readings and corners that no worked example covers, computed by hand.

use rto::drive::drive;
use serde_json::{Value, json};

/// Runs one vector and returns its steps.
fn steps(preset: &str, steps: &Value) -> Vec<Value> {
    let output = drive(&json!({ "vectors": [{ "preset": preset, "unit": "s", "steps": steps }] })).expect("a vector");
    let steps = &output["vectors"][0]["steps"];
    steps.as_array().unwrap_or_else(|| panic!("{preset}: {output}")).clone()
}

fn state(step: &Value, name: &str) -> f64 {
    step["state"][name].as_f64().unwrap_or_else(|| panic!("no {name} in {step}"))
}

/// Answers 0.2 s after the original, then 0.5 s after the first retransmission, which it names.
/// E = 0.2 + 4·0.1 = 0.6, RTO = (2 + 0.6)/2 = 1.3. RTTVAR = 0.075 + 0.25·0.3 = 0.15,
/// RTT = 0.2 + 0.3/8 = 0.2375, E = 0.8375, RTO = (1.3 + 0.8375)/2 = 1.06875.
#[test]
fn a_marked_copy_is_a_strong_sample_of_pcocoa() {
    let marked = json!([
        { "op": "exchange", "t": 0, "k": 0, "after_last_tx": 0.2 },
        { "op": "exchange", "t": 2, "k": 1, "after_last_tx": 0.5, "rc": 1 },
    ]);
    let run = steps("pcocoa_reading", &marked);
    assert!((state(&run[0], "rto") - 1.3).abs() < 1e-8);
    assert!((state(&run[1], "rto") - 1.06875).abs() < 1e-8);
    assert!((state(&run[1], "rtt_strong") - 0.2375).abs() < 1e-8);
    assert!(run[1]["state"]["rtt_weak"].is_null());
    // CoCoA+ itself does not hear the mark: 1.3 + 0.5 s is a weak sample.
    let plus = steps("cocoa_plus", &marked);
    assert!((state(&plus[1], "rtt_weak") - 1.8).abs() < 1e-8);
}

/// A timer that would be negative fires at once, and the exchange goes on.
#[test]
fn accb_never_arms_a_negative_timer() {
    let run = steps(
        "accb",
        &json!([
            { "op": "exchange", "t": 0, "k": 0, "after_last_tx": 1.0 },
            { "op": "exchange", "t": 2, "k": 0, "after_last_tx": 0.01 },
            { "op": "fail", "t": 4 },
        ]),
    );
    let timers: Vec<f64> = run[2]["timers"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    assert_eq!(timers.len(), 5);
    assert!(timers.iter().all(|&timer| timer > 0.0), "{timers:?}");
    assert!(timers[4] < 1e-8, "{timers:?}");
}

/// Contiki's blind timeout: 2 s and up to 1.5 s more, doubled for every other exchange; and a clean
/// sample after more than three retransmissions starts the strong estimator afresh.
#[test]
fn cocoa_pp_starts_blind_and_forgets() {
    let run = steps("cocoa_pp_code", &json!([{ "op": "send", "t": 0, "u": 0.5, "inflight": 2 }]));
    assert_eq!(run[0]["rto"], 11.0);
    let run = steps(
        "cocoa_pp_code",
        &json!([
            { "op": "exchange", "t": 0, "k": 0, "after_last_tx": 0.5 },
            { "op": "exchange", "t": 2, "k": 2, "after_last_tx": 0.5 },
            { "op": "exchange", "t": 20, "k": 2, "after_last_tx": 0.5 },
            { "op": "exchange", "t": 60, "k": 0, "after_last_tx": 0.4 },
        ]),
    );
    assert_eq!(state(&run[1], "missed"), 2.0);
    assert_eq!((state(&run[2], "missed"), state(&run[2], "E_strong")), (0.0, 2.0));
    assert!((state(&run[3], "E_strong") - 1.2).abs() < 1e-8, "3R of a first sample");
}

/// CoAP-Eifel in ticks: 256 + 0.75·128 = 352 ticks, then shifted; without an entry nothing is written back.
#[test]
fn coap_eifel_counts_ticks() {
    let run = steps("coap_eifel_ticks", &json!([{ "op": "fail", "t": 0, "u": 0.75 }]));
    assert_eq!(run[0]["timers"], json!([2.75, 5.5, 11.0, 22.0, 0.0]));
    assert_eq!(state(&run[0], "rto"), 2.0);
}
