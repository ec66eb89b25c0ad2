//! The command `identify`.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::{Code, Reply, Session, Silent};
use serde_json::{Value, json};
use std::ops::ControlFlow;

fn session() -> (Session, Value) {
    let session = Session::default();
    let open = json!({ "path": null, "sample": "live-ge-cocoa" });
    let Reply::Json(view) = session.call("open", open, &mut Silent).unwrap() else { panic!("JSON") };
    (session, view["id"].clone())
}

#[test]
fn says_what_was_running() {
    let (session, capture) = session();
    let asked = json!({ "capture": capture });
    let Reply::Json(found) = session.call("identify", asked, &mut Silent).unwrap() else { panic!("JSON") };
    assert_eq!(found["trace"]["verdict"]["kind"], "identified");
    assert_eq!(found["trace"]["verdict"]["presets"][0], "cocoa_cf3");
    assert_eq!(found["clients"].as_array().unwrap().len(), 1);
    assert_eq!(found["clients"][0]["gaps"], found["trace"]["gaps"]);
}

#[test]
fn refuses_what_is_not_there_and_can_be_stopped() {
    let (session, capture) = session();
    let unknown = json!({ "capture": capture, "associations": [77] });
    assert_eq!(session.call("identify", unknown, &mut Silent).unwrap_err().code, Code::Request);
    assert_eq!(session.call("identify", json!({ "capture": 99 }), &mut Silent).unwrap_err().code, Code::Gone);
    let mut stop = |_: u64, _: u64| ControlFlow::Break(());
    let stopped = session.call("identify", json!({ "capture": capture }), &mut stop);
    assert_eq!(stopped.unwrap_err().code, Code::Cancelled);
}
