//! Reports: the same data from the same capture and session, whatever was done before and wherever the file is.

use api::view::{OpenRequest, ReplayRequest, ReplayView, ReportReply, ReportView, SensitivityView, SessionFile};
use api::{Reply, Session, Silent, data_of_report, report_page};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const TEMPLATE: &str =
    "<!doctype html><script type=\"application/json\" id=\"rtoscope-report\"></script><script>x</script>";
/// Folder of the session's runs.
const FOLDER: &str = "/lab/chain5";
const KEY: &str = "000102030405060708090a0b0c0d0e0f";

fn file(sections: &[&str]) -> Value {
    json!({
        "format": "rtoscope-session", "version": 1, "program": "", "current": 0, "view": "rto", "baseline": null,
        "captures": [{
            "name": "", "sample": null, "folder": FOLDER, "files": [], "window": [0, 600_000_000_000_i64], "playhead": 300_000_000_000_i64,
            "selection": null, "association": 0, "tags": {},
            "decode": {
                "fcs": "auto", "ports": [], "rc_option": null, "contexts": [], "keys": 0, "addresses": [],
                "unpack_ratio": null,
            },
        }],
        "algorithms": [{ "id": "cocoa_plus", "params": {} }, { "id": "coap_default", "params": { "ack_timeout": 3 } }],
        "metrics": null, "what_if": null,
        "replay": { "channel": "empirical", "workload": "auto", "seed": 7, "replicates": 4 },
        "report": { "title": "</script><b>a & b</b>", "notes": "", "sections": sections },
    })
}

fn open(session: &Session, path: &Path) -> u32 {
    let decode = json!({ "keys": [KEY] });
    let request: OpenRequest = serde_json::from_value(json!({ "path": path, "decode": decode })).expect("a request");
    session.open(&request, &mut Silent).expect("opens").id
}

/// The data of a report of a capture in `folder`.
fn data(session: &Session, capture: u32, sections: &[&str]) -> String {
    let request = json!({ "capture": capture, "file": file(sections), "path": null });
    match session.call("report", request, &mut Silent) {
        Ok(Reply::Json(value)) => {
            let view: ReportView = serde_json::from_value(value).expect("a report");
            serde_json::to_string(&view).expect("a text")
        }
        other => panic!("{other:?}"),
    }
}

fn place(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("day one.pcap.gz");
    fs::write(&path, api::samples()[0].octets).expect("written");
    path
}

#[test]
fn the_data_does_not_depend_on_the_folder_nor_on_what_was_done_before() {
    let (one, two) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let first = Session::default();
    let capture = open(&first, &place(one.path()));
    let before = data(&first, capture, &[]);
    assert_eq!(data(&first, capture, &[]), before, "again");

    // Another capture was open and other runs were cached, so that numbers differ.
    let second = Session::default();
    let other = OpenRequest { sample: Some(api::samples()[1].id.to_owned()), ..OpenRequest::default() };
    second.open(&other, &mut Silent).expect("opens");
    let capture = open(&second, &place(two.path()));
    let request = json!({
        "capture": capture, "algorithms": [{ "id": "lee2016", "params": {} }], "channel": "recorded", "workload": "auto",
        "seed": 1, "replicates": 1,
    });
    let request: ReplayRequest = serde_json::from_value(request).expect("a request");
    second.replay(&request, &mut Silent).expect("replays");
    assert!(data(&second, capture, &[]) == before, "the data differs");
    for folder in [one, two] {
        assert!(!before.contains(&*folder.path().to_string_lossy()), "a folder is in the report");
        assert!(!before.contains(FOLDER), "the folder of runs is in the report");
    }
}

/// The report opens with the verdict of its replay: the page asks for it by the question of the replay.
#[test]
fn the_verdict_is_recorded_with_the_comparison() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = Session::default();
    let capture = open(&session, &place(folder.path()));
    let replies = |sections: &[&str]| -> Vec<ReportReply> {
        serde_json::from_str::<ReportView>(&data(&session, capture, sections)).expect("a report").replies
    };
    let named = |replies: &[ReportReply], name: &str| replies.iter().find(|reply| reply.name == name).cloned();
    let compared = replies(&["compare"]);
    let (replay, verdict) = (named(&compared, "replay").expect("asked"), named(&compared, "verdict").expect("asked"));
    assert_eq!(verdict.request, replay.request);
    assert!(verdict.json["headline"].as_str().is_some_and(|said| !said.is_empty()));
    assert_eq!(verdict.json["headline"], replay.json["verdict"]["headline"]);
    assert!(named(&replies(&["notes"]), "verdict").is_none(), "no comparison, no verdict on it");
}

#[test]
fn keys_are_counted_and_never_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = Session::default();
    let capture = open(&session, &place(folder.path()));
    let text = data(&session, capture, &[]);
    assert!(!text.to_lowercase().contains(KEY));
    let view: ReportView = serde_json::from_str(&text).expect("a report");
    assert_eq!(view.session.captures[0].decode.keys, 1);
    assert_eq!(
        view.command,
        "rtoscope report 'day one.pcap.gz' --key-file keys.txt --spec session.rtoscope.json --out report.html"
    );
    let path = folder.path().join("s.rtoscope.json");
    let write = json!({ "path": path, "captures": [capture], "file": file(&[]) });
    session.call("session_write", write, &mut Silent).expect("written");
    assert!(!fs::read_to_string(path).expect("a file").to_lowercase().contains(KEY));
}

#[test]
fn a_report_is_a_session_too_and_its_texts_do_not_end_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = Session::default();
    let capture = open(&session, &place(folder.path()));
    let text = data(&session, capture, &["summary"]);
    let view: ReportView = serde_json::from_str(&text).expect("a report");
    let html = report_page(TEMPLATE, &view).expect("a page");
    let inside = data_of_report(&html).expect("data");
    assert_eq!(serde_json::from_str::<ReportView>(inside).expect("a report"), view);
    assert!(!inside.contains('<'));
    assert!(html.ends_with("</script><script>x</script>"));
    assert_eq!(SessionFile::parse(&html).expect("a session"), view.session);
    assert_eq!(view.session.report.title, "</script><b>a & b</b>");
    assert!(report_page("", &view).is_err(), "built without its page");
}

#[test]
fn a_section_asks_only_for_what_it_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = Session::default();
    let capture = open(&session, &place(folder.path()));
    let names = |sections: &[&str]| -> Vec<String> {
        let view: ReportView = serde_json::from_str(&data(&session, capture, sections)).expect("a report");
        let asked = |reply: ReportReply| {
            let runs = reply.request["runs"].as_array().map_or(0, Vec::len);
            if reply.name == "lanes" { format!("lanes of {runs}") } else { reply.name }
        };
        view.replies.into_iter().map(asked).collect()
    };
    let compared = ["startup", "captures", "algorithms", "replay", "measured", "verdict", "distribution"];
    assert_eq!(names(&["compare"]), compared);
    let timeline = names(&["timeline"]);
    let lanes: Vec<&String> = timeline.iter().filter(|name| name.starts_with("lanes")).collect();
    assert_eq!(lanes, ["lanes of 3"], "recorded and two algorithms, in one question");
    assert!(!timeline.iter().any(|name| name == "rto" || name == "measured"));
}

/// A kept prediction is held against the capture of the report, where one of its timers ran there.
#[test]
fn kept_predictions_from_other_captures_are_checked() {
    let session = Session::default();
    let open = |sample: &str| {
        let request = OpenRequest { sample: Some(sample.to_owned()), ..OpenRequest::default() };
        session.open(&request, &mut Silent).expect("opens").id
    };
    let before = open("tsch-slow-chain5-default");
    let json = |name: &str, request: Value| match session.call(name, request, &mut Silent) {
        Ok(Reply::Json(value)) => value,
        other => panic!("{other:?}"),
    };
    let kept = |timers: &[(&str, Value)]| {
        let algorithms: Vec<Value> = timers.iter().map(|(id, params)| json!({ "id": id, "params": params })).collect();
        let asked = json!({
            "capture": before, "algorithms": algorithms, "channel": "empirical", "workload": "auto", "seed": 1,
            "replicates": 4, "baseline": null, "bounds": false,
        });
        let replayed = json("replay", asked);
        let runs: Vec<&Value> = replayed["runs"].as_array().expect("runs").iter().map(|run| &run["run"]).collect();
        json("keep_prediction", json!({ "runs": runs }))
    };
    let default = ("coap_default", json!({}));
    let ran = ("cocoa_demir2018", json!({ "rto_max": 32, "vbf_key": "dithered" }));
    let predictions = [kept(&[default.clone(), ran]), kept(&[("lee2016", json!({})), default])];
    let report = |capture: u32, sections: &[&str]| -> ReportView {
        let mut file = file(sections);
        file["predictions"] = json!(predictions);
        serde_json::from_value(json("report", json!({ "capture": capture, "file": file, "path": null })))
            .expect("a report")
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-cocoa/capture.pcap.gz");
    let request: OpenRequest = serde_json::from_value(json!({ "path": path })).expect("a request");
    let after = session.open(&request, &mut Silent).expect("opens").id;
    let view = report(after, &["check"]);
    let checks: Vec<&ReportReply> = view.replies.iter().filter(|reply| reply.name == "check_kept").collect();
    let [check] = checks[..] else { panic!("{} checks", checks.len()) };
    assert_eq!(check.json["algorithm"]["id"], "cocoa_demir2018");
    assert_eq!(check.json["same"], true);
    assert!(check.json["compared"].as_u64().is_some_and(|compared| compared > 10));
    assert_eq!(view.session.predictions.len(), 1, "a report keeps what it checks");
    assert!(report(before, &["check"]).session.predictions.is_empty(), "not against its own capture");
}

#[test]
fn what_the_comparison_depends_on_is_in_it() {
    let session = Session::default();
    // Several clients, so that one can be left out.
    let chain = OpenRequest { sample: Some("chain6-periodic-default".to_owned()), ..OpenRequest::default() };
    let capture = session.open(&chain, &mut Silent).expect("opens").id;
    let found = |file: Value| -> Option<SensitivityView> {
        let request = json!({ "capture": capture, "file": file, "path": null });
        let Ok(Reply::Json(view)) = session.call("report", request, &mut Silent) else { panic!("no report") };
        let view: ReportView = serde_json::from_value(view).expect("a report");
        let reply = view.replies.into_iter().find(|reply| reply.name == "sensitivity")?;
        Some(serde_json::from_value(reply.json).expect("a table"))
    };
    let table = found(file(&["sensitivity"])).expect("recorded");
    assert_eq!((table.algorithms.len(), table.replicates), (2, 4));
    let ways: Vec<&str> = table.variations.iter().map(|v| &*v.what).collect();
    assert_eq!(ways[0], "as asked");
    for kind in ["channel ", "applications send ", "without mote "] {
        assert!(ways.iter().any(|way| way.starts_with(kind)), "{kind}: {ways:?}");
    }
    // The report has the comparison as it is asked for.
    let Ok(Reply::Json(asked)) = session.call(
        "replay",
        json!({
            "capture": capture, "algorithms": file(&[])["algorithms"], "channel": "empirical", "workload": "auto",
            "seed": 7, "replicates": 4,
        }),
        &mut Silent,
    ) else {
        panic!("no replay")
    };
    let asked: ReplayView = serde_json::from_value(asked).expect("a replay");
    for (run, means) in asked.runs.iter().zip(&table.variations[0].means) {
        assert_eq!(run.metrics["duration_mean"].mean, means.get("duration_mean").copied());
    }
    // Without a model there is nothing to vary.
    let mut recorded = file(&["sensitivity"]);
    recorded["replay"]["channel"] = json!("recorded");
    assert!(found(recorded).is_none());
}

#[test]
fn every_parameter_of_what_is_shown_is_there_with_its_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = Session::default();
    let capture = open(&session, &place(folder.path()));
    let view: ReportView = serde_json::from_str(&data(&session, capture, &["parameters"])).expect("a report");
    let specs = view.replies.iter().find(|reply| reply.name == "algorithms").expect("algorithms");
    let registry = api::specs();
    for choice in &view.session.algorithms {
        let recorded =
            specs.json.as_array().into_iter().flatten().find(|spec| spec["id"] == *choice.id).expect("its spec");
        let known = registry.iter().find(|spec| spec.id == choice.id).expect("registered");
        assert_eq!(recorded["params"].as_array().map(Vec::len), Some(known.params.len()));
        assert_eq!(recorded["citation"], known.citation);
        for param in recorded["params"].as_array().into_iter().flatten() {
            assert!(param["citation"].as_str().is_some_and(|citation| !citation.is_empty()), "{param}");
        }
    }
}

#[test]
fn figures_travel_with_the_report() {
    let session = Session::default();
    let folder = tempfile::tempdir().expect("a folder");
    let capture = open(&session, &place(folder.path()));
    let with = |figures: Value| {
        let mut file = file(&["figures"]);
        file["captures"][0]["tags"] = json!({ "room": "cellar" });
        file["report"]["figures"] = figures;
        session.call("report", json!({ "capture": capture, "file": file, "path": null }), &mut Silent)
    };
    let Ok(Reply::Json(view)) = with(json!([{ "recipe": "rto_box", "params": { "box": "iqr15" } }])) else {
        panic!("no report");
    };
    let view: ReportView = serde_json::from_value(view).expect("a report");
    let figures: Vec<_> = view.replies.iter().filter(|reply| reply.name == "figure").collect();
    assert_eq!(figures.len(), 1);
    assert_eq!(
        figures[0].request["captures"],
        json!([{ "capture": 0, "name": "day one.pcap.gz", "tags": { "room": "cellar" } }])
    );
    // The figure is the one that the core draws when it is asked for it alone.
    let mut asked = figures[0].request.clone();
    asked["captures"][0]["capture"] = json!(capture);
    let Ok(Reply::Json(alone)) = session.call("figure", asked, &mut Silent) else { panic!("no figure") };
    assert_eq!(figures[0].json, alone);
    assert_eq!(with(json!([{ "recipe": "no_such_figure" }])).expect_err("refused").code, api::Code::Request);
}
