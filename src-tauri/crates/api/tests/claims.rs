//! Estimates about clients and exchanges, and the assumptions that replace them.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::view::{
    AssumeRequest, AssumedView, CaptureRequest, CaptureView, OpenRequest, StackKnownKind, VantageKind, WorkloadKind,
};
use api::{AssociationId, Code, Reply, Session, Silent};
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read as _;

fn open(session: &Session, sample: &str) -> CaptureView {
    let request = OpenRequest { sample: Some(sample.to_owned()), ..OpenRequest::default() };
    session.open(&request, &mut Silent).unwrap()
}

fn exchange(session: &Session, capture: u32, exchange: u32) -> Value {
    let asked = json!({ "capture": capture, "exchange": exchange, "runs": [] });
    let Reply::Json(view) = session.call("exchange", asked, &mut Silent).unwrap() else { panic!("JSON") };
    view
}

#[test]
fn what_is_said_holds_until_it_is_taken_back() {
    let session = Session::default();
    let before = open(&session, "chain6-periodic-default");
    assert!(before.associations.iter().all(|a| !a.vantage_given && !a.workload_given) && before.said.is_empty());
    let said = vec![AssumedView {
        association: Some(AssociationId(1)),
        vantage: Some(VantageKind::Server),
        workload: Some(WorkloadKind::Arrivals),
        stack: None,
    }];
    let after = session.assume(&AssumeRequest { capture: before.id, said: said.clone() }, &mut Silent).unwrap();
    assert_eq!(after.said, said);
    assert_ne!(after.id, before.id);
    for (was, is) in before.associations.iter().zip(&after.associations) {
        if is.id == AssociationId(1) {
            assert_eq!((is.vantage, is.vantage_given), (VantageKind::Server, true));
            assert_eq!((is.workload, is.workload_given), (WorkloadKind::Arrivals, true));
            // A capture at the server does not show when the client sends: a correction, with an error.
            assert!(is.correction.error > was.correction.error, "{:?}", is.correction);
        } else {
            assert_eq!(was, is);
        }
    }
    // The old number is gone, and an assumption about an unknown association is refused.
    let again = AssumeRequest { capture: before.id, said: Vec::new() };
    assert_eq!(session.assume(&again, &mut Silent).unwrap_err().code, Code::Gone);
    let unknown =
        vec![AssumedView { association: Some(AssociationId(999)), vantage: None, workload: None, stack: None }];
    let refused = session.assume(&AssumeRequest { capture: after.id, said: unknown }, &mut Silent);
    assert_eq!(refused.unwrap_err().code, Code::Request);
    let back = session.assume(&AssumeRequest { capture: after.id, said: Vec::new() }, &mut Silent).unwrap();
    assert_eq!(back.associations, before.associations);
    assert!(back.said.is_empty());
}

#[test]
fn a_stack_that_is_said_stands_in_the_twin_until_it_is_taken_back() {
    let session = Session::default();
    let before = open(&session, "chain6-periodic-default");
    let trust = |capture| session.trust(&CaptureRequest { capture }, &mut Silent).unwrap();
    let recognised = trust(before.id);
    let stack = recognised.stack.unwrap();
    assert_eq!((stack.id.as_str(), stack.how), ("contiki-ng-cooja", StackKnownKind::Recognised), "{}", stack.says);
    assert!(stack.says.contains("of starts on a whole millisecond"), "{}", stack.says);
    let sourced = |name: &str| recognised.parameters.iter().find(|p| p.name == name).unwrap().source.clone();
    assert!(sourced("min-back-off-exponent").unwrap().contains("CSMA_MIN_BE"));
    assert_eq!(sourced("reception"), None, "it is inferred");
    let say = |capture, stack: Option<&str>| {
        let said = AssumedView { association: None, vantage: None, workload: None, stack: stack.map(str::to_owned) };
        session.assume(&AssumeRequest { capture, said: vec![said] }, &mut Silent)
    };
    assert_eq!(say(before.id, Some("nobody-has-it")).unwrap_err().code, Code::Request);
    let after = say(before.id, Some("openthread")).unwrap();
    assert_eq!(after.said[0].stack.as_deref(), Some("openthread"));
    let chosen = trust(after.id);
    let stack = chosen.stack.unwrap();
    assert_eq!((stack.id.as_str(), stack.how), ("openthread", StackKnownKind::Chosen));
    assert!(stack.says.contains("look otherwise"), "it is not: {}", stack.says);
    let back = say(after.id, None).unwrap();
    assert_eq!(trust(back.id).parameters, recognised.parameters);
}

#[test]
fn an_exchange_says_when_it_began_and_what_it_belongs_to() {
    let session = Session::default();
    let capture = open(&session, "chain6-periodic-default");
    let wait = capture.associations[0].queueing.unwrap();
    assert!(wait.low <= wait.median && wait.median <= wait.high && wait.samples > 0);
    let view = exchange(&session, capture.id, 3);
    let start = view["sides"][0]["copies"][0]["sent"].as_f64().unwrap();
    let handed = view["handed_over"]["at"].as_f64().unwrap();
    // The wait is that of its own client; other clients may wait longer.
    assert!(handed <= start && view["handed_over"]["error"].as_f64().unwrap() > 0.0, "{view}");
    assert_eq!(view["head"], "seen");
    for relation in view["related"].as_array().unwrap() {
        assert!(relation["exchanges"].as_array().unwrap().contains(&json!(3)), "{relation}");
    }
}

/// A queue limit found in the mote log is that of the client in replays.
#[test]
fn queues_of_the_mote_log_reach_replays() {
    let folder = tempfile::tempdir().unwrap();
    let run = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/grid3x3-burst-cocoa");
    let path = folder.path().join("radiolog.txt.gz");
    std::fs::copy(run.join("radiolog.txt.gz"), &path).unwrap();
    let request = OpenRequest { path: Some(path.display().to_string()), ..OpenRequest::default() };
    let opened = |log: &str| {
        std::fs::write(folder.path().join("mote.log"), log).unwrap();
        let view = Session::default().open(&request, &mut Silent).unwrap();
        view.notes.iter().find(|note| note.code == "queue-limit").map(|note| note.first_text.clone())
    };
    let asked = "1000:5:APP REQ seq=1 class=bg m=1 q=7\n2000:6:APP REQ seq=1 class=bg m=1 q=2\n";
    assert_eq!(opened(asked), None, "nothing was dropped: more might have fitted");
    let note = opened(&format!("{asked}3000:5:APP DROP class=bg\n")).unwrap();
    assert!(note.starts_with("1 clients let at most 8 requests wait"), "{note}");
    let note = opened(&format!("{asked}3000:5:APP DROP class=bg\n4000:6:APP DROP class=bg busy=1\n")).unwrap();
    assert!(note.starts_with("2 clients let at most 0 to 8 requests wait"), "{note}");
}

/// Beside a pcap, which does not say that it is a simulation's, a mote log counts where it has the same requests.
#[test]
fn a_mote_log_beside_a_pcap_counts_where_it_is_of_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/chain6-periodic-default");
    let path = folder.path().join("capture.pcap.gz");
    std::fs::copy(run.join("capture.pcap.gz"), &path).unwrap();
    let mut truth = String::new();
    MultiGzDecoder::new(File::open(run.join("exchanges.tsv.gz")).unwrap()).read_to_string(&mut truth).unwrap();
    // Lines that motes print for each request: `later` is added to its Message ID.
    let log = |later: u16| -> String {
        let line = |row: &str| {
            let mut cells = row.split('\t');
            let (mote, mid, at) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
            let mid = mid.parse::<u16>().unwrap().wrapping_add(later);
            format!("{at}:{mote}:CC TX mid={mid} try=0 rto=2000\n{at}:{mote}:APP REQ seq=1 class=bg m=1 q=3\n")
        };
        truth.lines().skip(1).map(line).chain(["900000000:2:APP DROP class=bg\n".to_owned()]).collect()
    };
    let opened = |log: &str| {
        std::fs::write(folder.path().join("mote.log"), log).unwrap();
        let request = OpenRequest { path: Some(path.display().to_string()), ..OpenRequest::default() };
        Session::default().open(&request, &mut Silent).unwrap()
    };
    let other = opened(&log(20_000));
    assert_eq!(other.read_as.mote_log, None, "of another run");
    assert!(other.associations.iter().all(|a| a.application.is_none()));
    let own = opened(&log(0));
    assert!(own.read_as.mote_log.is_some());
    let association = own.associations.iter().find(|a| a.client_name == "mote 2").unwrap();
    let application = association.application.unwrap();
    let requests = truth.lines().filter(|row| row.starts_with("2\t")).count();
    assert_eq!((application.issued as usize, application.before_others as usize), (requests, requests));
    assert_eq!((application.most_waiting, application.dropped, application.queue), (3, 1, Some(4)));
    let note = own.notes.iter().find(|note| note.code == "queue-limit").unwrap();
    assert!(note.first_text.starts_with("1 clients let at most 4 requests wait"), "{}", note.first_text);
}
