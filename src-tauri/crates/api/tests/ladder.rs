//! The ladder of a session: what runs may say of hops, and what they may not.

#![allow(clippy::unwrap_used, reason = "tests")]

use api::{Code, DecodeOptions, Progress, Reply, Session, Silent};
use serde_json::{Value, json};
use std::ops::ControlFlow;

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

/// A run of the sample through the network twin: session, capture and run.
fn through_the_twin() -> (Session, Value, Value) {
    let session = Session::new(DecodeOptions::default());
    let opened = ask(&session, "open", json!({ "sample": "tsch-slow-chain5-default" }));
    let replay = json!({
        "capture": opened["id"], "algorithms": [{ "id": "coap_default", "params": {} }],
        "channel": "twin", "workload": "auto", "seed": 3, "replicates": 7, "baseline": null, "bounds": false,
    });
    let run = ask(&session, "replay", replay)["runs"][0]["run"].clone();
    (session, opened, run)
}

/// Every copy of a run through the twin has its hops, which agree with what the run says of the copy to the nanosecond;
/// dropped ones say why.
#[test]
fn copies_of_the_twin_have_simulated_hops() {
    let (session, opened, run) = through_the_twin();
    let (mut answered, mut dropped, mut hops) = (0, 0, 0);
    for exchange in 0..opened["exchanges"].as_u64().unwrap() {
        let request = json!({ "capture": opened["id"], "exchange": exchange, "runs": [run] });
        let (detail, view) = (ask(&session, "exchange", request.clone()), ask(&session, "ladder", request));
        let [recorded, side] = list(&view["sides"]) else { panic!("two sides") };
        assert!(recorded["simulated"].is_null());
        let lane = &detail["sides"][1];
        assert_eq!((&side["end"], &side["outcome"]), (&lane["end"], &lane["outcome"]), "exchange {exchange}");
        assert_eq!(list(&side["copies"]).len(), list(&lane["copies"]).len(), "exchange {exchange}");
        if list(&side["copies"]).is_empty() {
            continue;
        }
        assert_eq!(side["simulated"], json!({ "replicate": 1, "of": 7, "seed": 3 }));
        let nodes = list(&view["nodes"]).len();
        for (copy, mark) in list(&side["copies"]).iter().zip(list(&lane["copies"])) {
            assert_eq!((&copy["sent"], &copy["rtt"]), (&mark["sent"], &mark["rtt"]), "exchange {exchange}");
            let transit = &copy["transit"];
            assert!(transit["message"].is_null() && copy["like"].is_null());
            for leg in list(&transit["legs"]) {
                assert!((leg["from"].as_u64().unwrap().max(leg["to"].as_u64().unwrap()) as usize) < nodes);
                assert!(list(&leg["frames"]).iter().all(|frame| frame["frame"].is_null()));
                hops += 1;
            }
            match copy["fate"].as_str().unwrap() {
                "answered" => {
                    answered += 1;
                    let reply = &side["replies"][copy["reply"].as_u64().unwrap() as usize];
                    let heard = reply["arrived"].as_i64().unwrap();
                    assert_eq!(heard, copy["sent"].as_i64().unwrap() + copy["rtt"].as_i64().unwrap());
                    assert_eq!(reply["closing"], json!(side["end"] == reply["arrived"]));
                    assert_eq!(reply["transit"]["ending"], "arrived");
                    assert_eq!(transit["ending"], "arrived");
                }
                "request_lost" => {
                    dropped += 1;
                    assert_eq!(transit["ending"], "dropped", "exchange {exchange}");
                    assert!(!list(&transit["drops"]).is_empty());
                }
                "reply_lost" => {
                    let reply = &side["replies"][copy["reply"].as_u64().unwrap() as usize];
                    assert_eq!(reply["transit"]["ending"], "dropped", "exchange {exchange}");
                    dropped += 1;
                }
                "unknown" => assert!(copy["rtt"].is_null()),
                other => panic!("{other}"),
            }
        }
    }
    assert!(answered > 50 && dropped > 10 && hops > 200, "{answered} answered, {dropped} dropped, {hops} hops");
}

/// A client that stays as recorded is load in the simulation: its ladder has recorded frames, and nothing of it is said
/// to be simulated.
#[test]
fn clients_that_stay_as_recorded_keep_their_hops() {
    let (session, opened, _) = through_the_twin();
    let replay = json!({
        "capture": opened["id"], "algorithms": [{ "id": "coap_default", "params": {} }], "part": { "as_recorded": [0] },
        "channel": "twin", "workload": "auto", "seed": 3, "replicates": 1, "baseline": null, "bounds": false,
    });
    let run = ask(&session, "replay", replay)["runs"][0]["run"].clone();
    let (mut kept, mut simulated) = (0, 0);
    for exchange in 0..opened["exchanges"].as_u64().unwrap() {
        let view = ask(&session, "ladder", json!({ "capture": opened["id"], "exchange": exchange, "runs": [run] }));
        let side = &view["sides"][1];
        let transits = list(&side["copies"]).iter().map(|copy| &copy["transit"]).filter(|transit| !transit.is_null());
        let frames: Vec<&Value> =
            transits.flat_map(|transit| list(&transit["legs"])).flat_map(|leg| list(&leg["frames"])).collect();
        if view["association"] == 0 {
            assert!(side["simulated"].is_null() && frames.iter().all(|frame| !frame["frame"].is_null()));
            kept += frames.len();
        } else {
            assert!(frames.iter().all(|frame| frame["frame"].is_null()));
            simulated += frames.len();
        }
    }
    assert!(kept > 50 && simulated > 50, "{kept} recorded frames, {simulated} simulated ones");
}

/// Stops at once.
struct Stopped;

impl Progress for Stopped {
    fn tick(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn a_ladder_that_was_stopped_is_the_same_when_it_is_asked_again() {
    let (session, opened, run) = through_the_twin();
    let request = json!({ "capture": opened["id"], "exchange": 5, "runs": [run] });
    let stopped = session.call("ladder", request.clone(), &mut Stopped);
    assert!(matches!(stopped, Err(error) if error.code == Code::Cancelled));
    let view = ask(&session, "ladder", request.clone());
    let (other, opened, run) = through_the_twin();
    let request = json!({ "capture": opened["id"], "exchange": 5, "runs": [run] });
    assert_eq!(view, ask(&other, "ladder", request));
    assert!(!view["sides"][1]["simulated"].is_null());
}

/// The load of a simulated replicate is that of its frames, in the columns of a recorded one.
#[test]
fn the_network_has_the_load_of_a_simulated_replicate() {
    let (session, opened, run) = through_the_twin();
    let load = |run: &Value| {
        let (t0, t1) = (&opened["start"], &opened["end"]);
        let request = json!({ "capture": opened["id"], "t0": t0, "t1": t1, "run": run });
        match session.call("network_load", request, &mut Silent).unwrap() {
            Reply::Bytes(octets) => octets,
            Reply::Json(_) => panic!("an Arrow stream"),
        }
    };
    assert_ne!(load(&run), load(&Value::Null));
    assert_eq!(load(&run), load(&run));
    let replay = json!({
        "capture": opened["id"], "algorithms": [{ "id": "coap_default", "params": {} }],
        "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 1, "baseline": null, "bounds": false,
    });
    let other = ask(&session, "replay", replay)["runs"][0].clone();
    assert!(other["simulated"].is_null());
    let request = json!({ "capture": opened["id"], "t0": 0, "t1": 1, "run": other["run"] });
    let refused = session.call("network_load", request, &mut Silent);
    assert!(matches!(refused, Err(error) if error.code == Code::Request && error.message.contains("network twin")));
}
