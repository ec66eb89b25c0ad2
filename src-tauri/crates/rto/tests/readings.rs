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

/// The largest draw.
const LARGEST: f64 = 1.0 - 1.0 / 4_294_967_296.0;

fn near(step: &Value, seconds: f64) {
    let timeout = step["rto"].as_f64().unwrap_or_else(|| panic!("no timeout in {step}"));
    assert!((timeout - seconds).abs() < 1e-6, "{timeout}, by hand {seconds}");
}

/// The blind RTO of Contiki's code, 2 s and up to 1.5 s more, is stretched by up to a half like any other. The first
/// exchange makes the entry. From the second on the exchange itself is among those that are counted: alone it doubles
/// the RTO as one other does, two others double it twice, and so on up to 32 s before the stretching.
#[test]
fn cocoa_pp_is_blind_twice_over_and_counts_itself() {
    for preset in ["cocoa_pp_code", "cocoa_pp_reading"] {
        let send = |u: f64, inflight: u32| json!({ "op": "send", "t": 0, "u": u, "inflight": inflight });
        let first = |u| steps(preset, &json!([send(u, 0)]));
        near(&first(0.0)[0], 2.0);
        // 3.5 · 1.5.
        near(&first(LARGEST)[0], 5.25);
        // NSTART 6: 2, then 2 << 1, 2 << 1, 2 << 2, 2 << 3, 2 << 4, and 2 << 5 cut to 32.
        let run = steps(preset, &json!([0, 0, 1, 2, 3, 4, 5].map(|others| send(0.0, others))));
        for (step, seconds) in run.iter().zip([2.0, 4.0, 4.0, 8.0, 16.0, 32.0, 32.0]) {
            near(step, seconds);
        }
        // 3.5 << 4 = 56, cut to 32, times 1.5.
        near(&steps(preset, &json!([send(0.0, 0), send(LARGEST, 4)]))[1], 48.0);
    }
}

/// Answers after 200 s: E = 3 · 200, cut to 60; RTO (2 + 60)/2 = 31, then (31 + 60)/2 = 45.5. The first timeout, 45.5 ·
/// 1.5 = 68.25, is not cut; before a window is full each one after it is 0.7 of the one before.
#[test]
fn cocoa_pp_cuts_retransmissions_only() {
    let slow = |t: i64| json!({ "op": "exchange", "t": t, "k": 0, "after_last_tx": 200 });
    let lost = json!({ "op": "fail", "t": 501, "u": LARGEST });
    let run = steps("cocoa_pp_code", &json!([slow(0), slow(300), lost]));
    assert!((state(&run[1], "rto") - 45.5).abs() < 1e-8);
    let timers: Vec<f64> = run[2]["timers"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    for (timer, hand) in timers.iter().zip([68.25, 47.775, 33.4425, 23.40975, 0.0]) {
        assert!((timer - hand).abs() < 1e-6, "{timers:?}");
    }
    // One window of answers after 200 s: 25,600 ticks over one window, 85 steps of 300, so 99 per cent: 1.42 · 68.25 is
    // cut. RTO 31, 45.5, 52.75, 56.375, 58.1875.
    let mut six: Vec<Value> = (0..5).map(|n| slow(300 * n)).collect();
    six.push(json!({ "op": "fail", "t": 1_401, "u": 0.9 }));
    let run = steps("cocoa_pp_code", &json!(six));
    let timers: Vec<f64> = run[5]["timers"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    assert!((timers[0] - 58.1875 * 1.45).abs() < 1e-6 && timers[1] == 60.0, "{timers:?}");
}

/// RTO 45.5 at 500 s. Idle for 500 s, more than four RTOs: 1 + 45.5/2 = 23.75; half a second later the clock still
/// counts from the last sample: 1 + 23.75/2 = 12.875, then 7.4375. A small one, 0.65 s, becomes 1 s and stays.
#[test]
fn cocoa_pp_ages_at_every_use() {
    let send = |t: f64| json!({ "op": "send", "t": t, "u": 0 });
    let slow = |t: i64| json!({ "op": "exchange", "t": t, "k": 0, "after_last_tx": 200 });
    let run = steps("cocoa_pp_code", &json!([slow(0), slow(300), send(1_000.0), send(1_000.5), send(1_001.0)]));
    for (step, seconds) in run[2..].iter().zip([23.75, 12.875, 7.4375]) {
        near(step, seconds);
    }
    // E = 3 · 0.1 = 0.3; RTO 1.15, then RTTVAR 0.0375, E = 0.25, RTO 0.7.
    let quick = |t: i64| json!({ "op": "exchange", "t": t, "k": 0, "after_last_tx": 0.1 });
    let run = steps("cocoa_pp_code", &json!([quick(0), quick(1), send(100.0), send(100.5)]));
    assert!((state(&run[1], "rto") - 0.7).abs() < 1e-8);
    near(&run[2], 1.0);
    near(&run[3], 1.0);
}

/// A clean sample after more than three retransmissions starts the strong estimator afresh.
#[test]
fn cocoa_pp_forgets() {
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
