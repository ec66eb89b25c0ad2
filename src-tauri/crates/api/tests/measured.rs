//! Measured values of real runs beside predictions: bundled worlds know theirs, open captures are recognised by their
//! network.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::view::{
    AlgorithmChoice, CaptureId, ChannelKind, MeasuredRequest, MeasuredRun, OpenRequest, PartView, PolicyView,
    ReplayRequest, TimerKnown, WorkloadKind,
};
use api::{Session, Silent};
use serde_json::json;

fn choice(id: &str, params: serde_json::Value) -> AlgorithmChoice {
    AlgorithmChoice { id: id.to_owned(), params: params.as_object().cloned().unwrap_or_default() }
}

fn open(session: &Session, name: &str) -> CaptureId {
    let path = format!("{}/../../../traces/{name}/capture.pcap.gz", env!("CARGO_MANIFEST_DIR"));
    session.open(&OpenRequest { path: Some(path), ..OpenRequest::default() }, &mut Silent).unwrap().id
}

fn measured(session: &Session, capture: CaptureId, algorithms: &[AlgorithmChoice]) -> Vec<MeasuredRun> {
    let request = MeasuredRequest { capture, algorithms: algorithms.to_vec() };
    session.measured(&request, &mut Silent).unwrap()
}

/// The first screen of Compare: CoCoA+ ends the storm, and what CoCoA really measured in that network lies inside the
/// interval of its own prediction.
#[test]
fn the_storm_really_ended_where_the_twin_says() {
    let session = Session::default();
    let request = OpenRequest { sample: Some("tsch-slow-chain5-default".to_owned()), ..OpenRequest::default() };
    let capture = session.open(&request, &mut Silent).unwrap().id;
    let ran = choice("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 }));
    let algorithms = [
        choice("cocoa_plus", json!({})),
        ran.clone(),
        choice("cocoa_demir2018", json!({})),
        choice("coap_default", json!({})),
    ];
    let runs = measured(&session, capture, &algorithms);
    let names: Vec<_> = runs.iter().map(|run| (run.name.as_str(), run.known)).collect();
    assert_eq!(
        names,
        [("Storm avoided by CoCoA", TimerKnown::Bundled), ("Storm avoided by counting", TimerKnown::Bundled)]
    );
    assert_eq!(runs[0].algorithm, Some(ran));
    assert_eq!((&runs[0].same, &runs[0].alike), (&vec![1], &vec![0, 2]), "one has all its parameters");
    assert_eq!((runs[1].same.len(), runs[1].alike.len()), (0, 0), "nobody predicts the other");
    let request = ReplayRequest {
        capture,
        algorithms: algorithms.to_vec(),
        channel: ChannelKind::Auto,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates: 200,
        baseline: None,
        part: PartView::default(),
        bounds: true,
        policy: PolicyView::default(),
    };
    let reply = session.replay(&request, &mut Silent).unwrap();
    for at in [0, 1] {
        let predicted = &reply.runs[at].metrics["duration_mean"];
        let truth = runs[0].metrics["duration_mean"];
        let (lo, hi) = predicted.another.unwrap();
        assert!(lo <= truth && truth <= hi, "{at}: {truth} outside {lo} to {hi}");
        assert!(hi < 0.5 * predicted.recorded.unwrap(), "the storm ends: {hi}");
    }
    // The verdict says so, where the reply itself does not wait for it.
    let verdict = session.verdict(&request, &mut Silent).unwrap();
    assert_eq!(verdict, api::verdict(&reply.runs, &runs, None));
    assert_eq!(verdict.headline, reply.verdict.headline);
    let best = reply.runs.iter().find(|run| verdict.headline.starts_with(&format!("{} completes", run.name))).unwrap();
    assert_eq!(best.algorithm, algorithms[2], "{verdict:?}");
    let took = runs[0].metrics["duration_mean"];
    let truth = format!("A real run of this network under {} with other parameters took {took:.1}\u{a0}s.", best.name);
    let said: Vec<&String> = verdict.details.iter().filter(|detail| !reply.verdict.details.contains(detail)).collect();
    assert_eq!(said, [&truth], "{verdict:?}");
    // A timer by itself has the same numbers; through the twin, one that did not run repeats no storm.
    assert_eq!(best.verdict.headline, api::verdict(std::slice::from_ref(best), &[], None).headline);
    assert!(best.self_replay.as_ref().unwrap().headline.ends_with("outside."), "{:?}", best.self_replay);
    let table = api::comparison(&reply, &runs, None);
    let columns: Vec<_> = table.columns.iter().map(|column| column.0).collect();
    assert!(columns.ends_with(&["measured", "measured_run"]), "{columns:?}");
    let without = api::comparison(&reply, &[], None);
    assert!(without.columns.iter().all(|column| column.0 != "measured"));
}

#[test]
fn an_open_capture_of_the_same_network_is_recognised_and_others_are_not() {
    let session = Session::default();
    let storm = open(&session, "tsch-slow-chain5-default");
    let asked = [choice("cocoa_plus", json!({})), choice("coap_default", json!({}))];
    let bundled = measured(&session, storm, &asked).len();
    // Another network, and the same capture once more.
    let chain = open(&session, "chain6-periodic-default");
    open(&session, "tsch-slow-chain5-default");
    assert_eq!(measured(&session, storm, &asked).len(), bundled);
    // A bundled run that is open too is one run, with its number.
    let calm = open(&session, "tsch-slow-chain5-cocoa");
    let runs = measured(&session, storm, &asked);
    assert_eq!((runs.len(), runs[0].capture), (bundled, Some(calm)));
    assert!(measured(&session, chain, &asked).iter().all(|run| run.capture.is_none()));
    assert_eq!(measured(&session, calm, &asked)[0].same, [1], "the storm is a real run of the default timer");
    // Files that nothing is known of: the timer is told by its timeouts.
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str, octets: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, octets).unwrap();
        let path = Some(path.to_str().unwrap().to_owned());
        session.open(&OpenRequest { path, ..OpenRequest::default() }, &mut Silent).unwrap().id
    };
    let other = api::samples().iter().find(|sample| sample.id == "tsch-slow-chain5-default").unwrap();
    let unpacked = |octets: &[u8]| {
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(octets), &mut plain).unwrap();
        plain
    };
    let unknown = copy("mine.pcap", &unpacked(other.octets));
    let runs = measured(&session, calm, &asked);
    let found = runs.iter().find(|run| run.capture == Some(unknown)).unwrap();
    assert_eq!((found.name.as_str(), found.known), ("mine.pcap", TimerKnown::Identified));
    assert!(found.same.contains(&1), "{found:?}");
    // Timer of `ran.json` beside a capture, or the reason why that cannot be read.
    std::fs::write(folder.path().join("ran.json"), r#"{"preset": "coap_default"}"#).unwrap();
    assert_eq!(
        measured(&session, calm, &asked).iter().find(|run| run.capture == Some(unknown)).unwrap().known,
        TimerKnown::Named
    );
    std::fs::write(folder.path().join("ran.json"), r#"{"preset": "#).unwrap();
    let request = MeasuredRequest { capture: calm, algorithms: asked.to_vec() };
    let why = session.measured(&request, &mut Silent).unwrap_err();
    assert!(why.message.contains("ran.json: ") && why.code == api::Code::Request, "{why:?}");
}
