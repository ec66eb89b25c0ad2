//! The command `identify`.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::view::{CaptureId, OpenRequest};
use api::{Code, Reply, Session, Silent};
use serde_json::json;
use std::ops::ControlFlow;

fn session() -> (Session, CaptureId) {
    let session = Session::default();
    let request = OpenRequest { sample: Some("live-sleepy-default".to_owned()), ..OpenRequest::default() };
    let capture = session.open(&request, &mut Silent).unwrap().id;
    (session, capture)
}

#[test]
fn says_what_was_running() {
    let (session, capture) = session();
    let asked = json!({ "capture": capture });
    let Reply::Json(found) = session.call("identify", asked, &mut Silent).unwrap() else { panic!("JSON") };
    assert_eq!(found["trace"]["verdict"]["kind"], "identified");
    assert_eq!(found["trace"]["verdict"]["families"], json!(["coap"]));
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
