//! Stepping to where two behaviours part.

use api::view::{EventKind, ExchangeView, OpenRequest, ReplayRequest, StepRequest};
use api::{ExchangeId, Instant, Reply, Session, Silent};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn a_disagreement_is_the_first_copy_that_only_one_sends() {
    let session = Session::default();
    let sample = OpenRequest { sample: Some("live-sleepy-default".to_owned()), ..OpenRequest::default() };
    let view = session.open(&sample, &mut Silent).expect("opens");
    let request: ReplayRequest = serde_json::from_value(json!({
        "capture": view.id, "algorithms": [{ "id": "cocoa_plus", "params": {} }], "channel": "empirical",
        "workload": "auto", "seed": 1, "replicates": 2,
    }))
    .expect("a request");
    let run = session.replay(&request, &mut Silent).expect("replays").runs[0].run;

    // Counted by hand: all exchanges, both sides.
    let mut expected = BTreeSet::new();
    for exchange in 0..view.exchanges {
        let asked = json!({ "capture": view.id, "exchange": exchange, "runs": [run] });
        let Ok(Reply::Json(reply)) = session.call("exchange", asked, &mut Silent) else { panic!("no exchange") };
        let sides = serde_json::from_value::<ExchangeView>(reply).expect("an exchange").sides;
        let (a, b) = (&sides[0].copies, &sides[1].copies);
        let longer = if a.len() > b.len() { a } else { b };
        if let Some(copy) = longer.get(a.len().min(b.len())) {
            expected.insert((copy.sent, ExchangeId(exchange)));
        }
    }
    assert!(expected.len() > 5, "the two disagree: {}", expected.len());

    let mut found = BTreeSet::new();
    let mut at = Instant::from_nanos(-1);
    loop {
        let step = StepRequest {
            capture: view.id,
            at,
            kind: EventKind::Disagreement,
            backwards: false,
            between: Some((None, Some(run))),
        };
        let reply = session.call("step", serde_json::to_value(step).expect("a request"), &mut Silent);
        let Ok(Reply::Json(reply)) = reply else { panic!("{reply:?}") };
        if reply.is_null() {
            break;
        }
        let step: api::view::StepView = serde_json::from_value(reply).expect("a step");
        assert!(step.at > at, "time goes on");
        at = step.at;
        found.insert((step.at, step.exchange));
    }
    let times = |set: &BTreeSet<(Instant, ExchangeId)>| set.iter().map(|e| e.0).collect::<BTreeSet<_>>();
    assert_eq!(times(&found), times(&expected));
    assert!(found.is_subset(&expected));

    let alone = json!({ "capture": view.id, "at": 0, "kind": "disagreement", "backwards": false });
    assert!(session.call("step", alone, &mut Silent).is_err(), "between whom?");
}
