//! Timers of the prototypes.

use rto::Estimator;
use rto::exchange::SenderRules;
use serde_json::json;

/// Estimator and sender's rules of the timer that a prototype calls `timer`.
pub fn estimator(timer: &str) -> (Box<dyn Estimator>, SenderRules) {
    let (id, parameters) = match timer {
        "default" => ("coap_default", json!({})),
        "contiki3s" => ("coap_contiki_ng", json!({})),
        "cocoa" => ("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 })),
        "rfc6298" => ("rfc6298_coap", json!({ "rto_min": 1, "rto_max": 60, "karn": "dropped" })),
        other => panic!("{other}"),
    };
    (rto::build(id, &parameters).unwrap(), SenderRules::of(rto::spec(id).unwrap()))
}
