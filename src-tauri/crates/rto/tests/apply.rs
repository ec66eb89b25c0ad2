//! Lines for stacks: what is written is what was asked for, and what a stack would clamp or ignore is refused.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use rto::apply::{Applied, ApplyError, ChosenTimer, CoapStack, Refusal, coap_stacks};
use serde_json::{Map, Value, json};

fn stack(id: &str) -> &'static CoapStack {
    coap_stacks().iter().find(|stack| stack.id == id).unwrap()
}

/// Lines of `stack` for a preset with parameters.
fn apply(stack: &CoapStack, id: &str, params: &Value, max_retransmit: u8, nstart: u8) -> Result<Applied, ApplyError> {
    let params: Map<String, Value> = params.as_object().cloned().unwrap_or_default();
    stack.apply(&ChosenTimer { algorithm: rto::spec(id).unwrap(), params: &params, max_retransmit, nstart })
}

#[test]
fn default_coap_with_other_parameters() {
    let mut all = String::new();
    for stack in coap_stacks() {
        let random_factor = if stack.id == "wakaama" { 1.0 } else { 1.25 };
        let asked = json!({ "ack_timeout": 4, "random_factor": random_factor });
        let applied = apply(stack, "coap_default", &asked, 3, 1).unwrap();
        all += &applied.text;
        applied.remarks.iter().for_each(|remark| all += &format!("note: {remark}\n"));
        all += "\n";
    }
    insta::assert_snapshot!(all);
}

#[test]
fn algorithms_of_a_stack_s_own() {
    let californium = stack("californium");
    for (preset, mode) in [
        ("cocoa_cf3", "COCOA"),
        ("cocoa_strong_cf3", "COCOA_STRONG"),
        ("basic_rto_cf3", "BASIC_RTO"),
        ("linux_rto_cf3", "LINUX_RTO"),
        ("peak_hopper_cf3", "PEAKHOPPER_RTO"),
    ] {
        let text = apply(californium, preset, &Value::Null, 4, 1).unwrap().text;
        assert!(text.contains(&format!("COAP.CONGESTION_CONTROL_ALGORITHM={mode}\n")), "{text}");
    }
    let changed = apply(californium, "cocoa_cf3", &json!({ "k_weak": 2 }), 4, 1).unwrap_err();
    assert!(changed.to_string().contains("k_weak cannot be set"), "{changed}");
    // The stack's own reading of default CoAP is default CoAP there.
    assert!(apply(stack("libcoap"), "coap_libcoap431", &Value::Null, 4, 1).is_ok());
    let elsewhere = apply(stack("riot"), "coap_libcoap431", &Value::Null, 4, 1);
    assert_eq!(elsewhere.unwrap_err().0, Refusal::Algorithm);
}

/// Values that the stacks' sources clamp, ignore or refuse, each with a word of the reason.
#[test]
fn values_that_would_be_lost_are_refused() {
    for (id, params, max_retransmit, nstart, reason) in [
        ("libcoap", json!({ "ack_timeout": 0.5 }), 4, 1, "ignores values below 1 s"),
        ("libcoap", json!({}), 0, 1, "ignores 0"),
        ("zephyr", json!({ "ack_timeout": 0.5 }), 4, 1, "range 1000 100000"),
        ("zephyr", json!({}), 0, 1, "range 1 100"),
        ("openthread", json!({ "ack_timeout": 0.999 }), 4, 1, "OT_COAP_MIN_ACK_TIMEOUT"),
        ("openthread", json!({ "backoff": 1.5 }), 4, 1, "cannot be set to 1.5"),
        ("openthread", json!({}), 20, 1, "not all together"),
        ("contiki-ng", json!({ "backoff": 3 }), 4, 1, "cannot be set to 3"),
        ("contiki", json!({ "ack_timeout": 0.4 }), 4, 1, "from 1 to 255"),
        ("riot", json!({}), 4, 2, "NSTART 1, which cannot be set to 2"),
        ("aiocoap", json!({}), 4, 2, "NSTART 1, which cannot be set to 2"),
        ("californium", json!({}), 0, 1, "from 1 to 20"),
        ("wakaama", json!({}), 4, 1, "ACK_RANDOM_FACTOR 1, which cannot be set to 1.5"),
    ] {
        let refused = apply(stack(id), "coap_default", &params, max_retransmit, nstart);
        let message = refused.map(|applied| applied.text).expect_err(id).to_string();
        assert!(message.contains(reason), "{id}: {message}");
    }
}

#[test]
fn a_rounded_value_is_said() {
    let applied = apply(stack("riot"), "coap_default", &json!({ "ack_timeout": 2.0004 }), 4, 1).unwrap();
    assert!(applied.text.contains("CONFIG_COAP_ACK_TIMEOUT_MS=2000\n"), "{}", applied.text);
    assert!(
        applied.remarks.iter().any(|remark| remark.contains("becomes 2 instead of 2.0004")),
        "{:?}",
        applied.remarks
    );
}

#[test]
fn no_timeout_is_cut_by_californium() {
    // 10 s * 1.5 * 2^4 = 240 s; without the line it would be 60 s (ReliabilityLayer.java, l. 459).
    let text = apply(stack("californium"), "coap_default", &json!({ "ack_timeout": 10 }), 4, 1).unwrap().text;
    assert!(text.contains("COAP.MAX_ACK_TIMEOUT=240000[ms]\n"), "{text}");
}

#[test]
fn every_algorithm_has_lines_or_a_reason_on_every_stack() {
    let (mut written, mut refused) = (0, 0);
    for stack in coap_stacks() {
        for spec in rto::algorithms() {
            match apply(stack, spec.id, &Value::Null, 4, 1) {
                Ok(applied) => {
                    assert!(
                        applied.text.contains(spec.name) && applied.text.contains(&stack.version),
                        "{}",
                        applied.text
                    );
                    let left = ["{steps}", "{decimal}", "{whole}", "{thousandths}", "{numerator}", "{denominator}"];
                    assert!(!left.iter().any(|place| applied.text.contains(place)), "{}", applied.text);
                    assert!(
                        applied.sources.len() >= 3 && applied.sources.iter().all(|source| source.contains(['.', '/']))
                    );
                    assert!(applied.remarks.iter().all(|remark| remark.ends_with('.')), "{:?}", applied.remarks);
                    written += 1;
                }
                Err(error) => {
                    assert!(error.to_string().starts_with(&stack.name), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(written >= 30 && refused > written, "{written} written, {refused} refused");
}

/// The first number behind `name` and `=`, white space or `(` in a text.
fn number(text: &str, name: &str) -> f64 {
    let rest = &text[text.find(name).unwrap_or_else(|| panic!("{name}: {text}")) + name.len()..];
    let digits = rest.trim_start_matches([' ', '=', '(']);
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    digits[..end].parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(needs::cases(500)))]

    /// Numbers read back out of the lines are those asked for, within half a step of the stack.
    #[test]
    fn what_is_written_is_what_was_asked(ms in 1_000_i32..100_000, percent in 101_i32..400, max_retransmit in 1_u8..20) {
        let (ack_timeout, random_factor) = (f64::from(ms) / 1e3, f64::from(percent) / 1e2);
        let asked = json!({ "ack_timeout": ack_timeout, "random_factor": random_factor });
        let text = |id| apply(stack(id), "coap_default", &asked, max_retransmit, 1).map(|applied| applied.text);
        let near = |got: f64, asked: f64, step: f64| (got - asked).abs() <= step / 2.0 + 1e-9;

        let riot = text("riot").unwrap();
        prop_assert!(near(number(&riot, "CONFIG_COAP_ACK_TIMEOUT_MS") / 1e3, ack_timeout, 1e-3));
        prop_assert!(near(number(&riot, "CONFIG_COAP_RANDOM_FACTOR_1000") / 1e3, random_factor, 1e-3));
        prop_assert_eq!(number(&riot, "CONFIG_COAP_MAX_RETRANSMIT"), f64::from(max_retransmit));

        let zephyr = text("zephyr").unwrap();
        prop_assert!(near(number(&zephyr, "CONFIG_COAP_INIT_ACK_TIMEOUT_MS") / 1e3, ack_timeout, 1e-3));
        prop_assert!(near(number(&zephyr, "CONFIG_COAP_ACK_RANDOM_PERCENT") / 1e2, random_factor, 1e-2));

        // `TxParameters::ValidateFor` multiplies in 32 bits.
        let waits = (1_u64 << (max_retransmit + 1)) - 1;
        let least = (ms as u64).saturating_mul(waits);
        match text("openthread") {
            Ok(openthread) => {
                let n = number(&openthread, ".mAckRandomFactorNumerator");
                let d = number(&openthread, ".mAckRandomFactorDenominator");
                prop_assert!(near(n / d, random_factor, 1.0 / 60.0), "{}", openthread);
                prop_assert!(n <= 255.0 && d <= 255.0, "eight bits: {}", openthread);
                prop_assert!(least * n as u64 <= u64::from(u32::MAX), "overflows: {}", openthread);
            }
            // No numerator that is written here is above 240.
            Err(refused) => prop_assert!(least * 240 > u64::from(u32::MAX), "{}", refused),
        }

        let libcoap = text("libcoap").unwrap();
        let part = |name: &str| {
            let inside = libcoap.split(name).nth(1).unwrap().split(['{', '}']).nth(1).unwrap();
            let parts: Vec<f64> = inside.split(',').map(|part| part.trim().parse().unwrap()).collect();
            parts[0] + parts[1] / 1e3
        };
        prop_assert!(near(part("coap_session_set_ack_timeout"), ack_timeout, 1e-3), "{}", libcoap);
        prop_assert!(near(part("coap_session_set_ack_random_factor"), random_factor, 1e-3), "{}", libcoap);

        let californium = text("californium").unwrap();
        prop_assert!(near(number(&californium, "COAP.ACK_TIMEOUT") / 1e3, ack_timeout, 1e-3));
        let longest = ack_timeout * random_factor * 2_f64.powi(i32::from(max_retransmit));
        prop_assert!(number(&californium, "COAP.MAX_ACK_TIMEOUT") / 1e3 >= longest - 1e-6, "{}", californium);

        let aiocoap = text("aiocoap").unwrap();
        prop_assert!(near(number(&aiocoap, "ACK_TIMEOUT"), ack_timeout, 1e-6), "{}", aiocoap);
        prop_assert!(near(number(&aiocoap, "ACK_RANDOM_FACTOR"), random_factor, 1e-6), "{}", aiocoap);
    }
}

#[test]
fn a_name_from_a_preset_file_stays_in_its_comment() {
    let mut algorithm = rto::spec("coap_default").unwrap().clone();
    algorithm.name = "Mine\nCONFIG_COAP=n";
    let params = Map::new();
    let choice = ChosenTimer { algorithm: &algorithm, params: &params, max_retransmit: 4, nstart: 1 };
    let text = stack("zephyr").apply(&choice).unwrap().text;
    assert!(text.starts_with("# Mine\\nCONFIG_COAP=n, for Zephyr "), "{text}");
}
