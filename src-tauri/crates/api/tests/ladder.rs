//! The ladder of a session: what runs may say of hops, and what they may not.

#![allow(clippy::unwrap_used, reason = "tests")]

use api::{DecodeOptions, Reply, Session, Silent};
use serde_json::{Value, json};

fn ask(session: &Session, name: &str, request: Value) -> Value {
    match session.call(name, request, &mut Silent) {
        Ok(Reply::Json(value)) => value,
        other => panic!("{name}: {other:?}"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// Every copy that a run draws along hops is one that was recorded within the channel's 10 ms, moved by the difference;
/// every other has no hops at all.
#[test]
fn runs_borrow_hops_and_invent_none() {
    let session = Session::new(DecodeOptions::default());
    let opened = ask(&session, "open", json!({ "sample": "tsch-slow-chain5-default" }));
    let capture = opened["id"].clone();
    let replay = json!({
        "capture": capture, "algorithms": [{ "id": "cocoa_plus", "params": {} }, { "id": "coap_default", "params": {} }],
        "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 1, "baseline": null,
        "bounds": false,
    });
    let runs: Vec<Value> =
        list(&ask(&session, "replay", replay)["runs"]).iter().map(|run| run["run"].clone()).collect();
    let (mut recorded, mut modelled) = (0, 0);
    for exchange in 0..opened["exchanges"].as_u64().unwrap() {
        let request = json!({ "capture": capture, "exchange": exchange, "runs": runs });
        let view = ask(&session, "ladder", request);
        assert_eq!(list(&view["sides"]).len(), 3);
        let truth = &view["sides"][0];
        assert!(truth["run"].is_null() && list(&truth["copies"]).iter().all(|copy| !copy["transit"].is_null()));
        for side in &list(&view["sides"])[1..] {
            for copy in list(&side["copies"]) {
                if copy["like"].is_null() {
                    modelled += 1;
                    assert!(copy["transit"].is_null() && copy["reply"].is_null() && copy["evidence"] == "unknown");
                    continue;
                }
                recorded += 1;
                assert!(copy["like"]["shift"].as_i64().unwrap().abs() <= 10_000_000);
                let transit = &copy["transit"];
                if copy["like"]["exchange"] == json!(exchange) {
                    let own = &truth["copies"][usize::try_from(copy["like"]["copy"].as_u64().unwrap()).unwrap()];
                    assert_eq!(transit["message"], own["transit"]["message"]);
                    assert_eq!(copy["fate"], own["fate"]);
                    let frames = |transit: &Value| -> Vec<Value> {
                        let legs = list(&transit["legs"]).iter();
                        legs.flat_map(|leg| list(&leg["frames"]).iter().map(|frame| frame["frame"].clone())).collect()
                    };
                    assert_eq!(frames(transit), frames(&own["transit"]));
                }
                if !transit.is_null() {
                    assert_eq!(
                        transit["legs"][0]["sent"], copy["sent"],
                        "moved to the time of the counterfactual copy"
                    );
                }
            }
        }
    }
    // Clients that think between requests are soon at other times than recorded: most copies are modelled.
    assert!(recorded > 20 && modelled > 100, "{recorded} recorded, {modelled} modelled");
}

#[test]
fn neighbours_are_those_of_the_same_client() {
    let session = Session::new(DecodeOptions::default());
    let opened = ask(&session, "open", json!({ "sample": "tsch-slow-chain5-default" }));
    let view = |exchange: &Value| ask(&session, "ladder", json!({ "capture": opened["id"], "exchange": exchange }));
    let first = view(&json!(0));
    let (mut walked, mut at) = (1, first.clone());
    assert!(first["previous"].is_null() && first["place"] == 0);
    while !at["next"].is_null() {
        let next = view(&at["next"]);
        assert_eq!((&next["previous"], &next["association"]), (&at["exchange"], &first["association"]));
        (walked, at) = (walked + 1, next);
    }
    assert_eq!(first["of"], walked);
    let gone = session.call("ladder", json!({ "capture": opened["id"], "exchange": 1_000_000 }), &mut Silent);
    assert!(matches!(gone, Err(error) if error.code == api::Code::Gone));
}
