//! `rtoscope report`: one file, the same octets as from the app, and no way to take the wrong capture.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::view::{OpenRequest, ReportView};
use api::{Reply, Session, Silent};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn rtoscope(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope"))
        .current_dir(folder)
        .arg("report")
        .args(arguments)
        .arg("-q")
        .output()
        .unwrap()
}

/// Writes a capture and a session of it, as the app does, and gives the data of the app's report.
fn saved(folder: &Path) -> String {
    saved_with(folder, api::samples()[0].id, |_| {})
}

/// The same of the bundled capture `sample`, with what `say` adds to the session.
fn saved_with(folder: &Path, sample: &str, say: impl Fn(&mut Value)) -> String {
    let path = folder.join("day.pcap.gz");
    let sample = api::samples().iter().find(|known| known.id == sample).unwrap();
    fs::write(&path, sample.octets).unwrap();
    let session = Session::default();
    let open = OpenRequest { path: Some(path.display().to_string()), ..OpenRequest::default() };
    let capture = session.open(&open, &mut Silent).unwrap().id;
    let mut file = json!({
        "format": "rtoscope-session", "version": 1, "program": "", "current": 0, "view": "rto",
        "baseline": { "id": "cocoa_plus", "params": {} },
        "captures": [{
            "name": "", "sample": null, "files": [], "window": [0, 600_000_000_000_i64], "playhead": 0, "selection": null,
            "association": 0, "tags": {},
            "decode": {
                "fcs": "auto", "ports": [], "rc_option": null, "contexts": [], "keys": 0, "addresses": [],
                "unpack_ratio": null,
            },
        }],
        "algorithms": [{ "id": "cocoa_plus", "params": {} }], "metrics": null, "what_if": null,
        "replay": { "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 4 },
        "report": { "title": "A day", "notes": "", "sections": [] },
    });
    say(&mut file);
    let place = folder.join("session.rtoscope.json");
    session.call("session_write", json!({ "path": place, "captures": [capture], "file": file }), &mut Silent).unwrap();
    let Ok(Reply::Json(view)) =
        session.call("report", json!({ "capture": capture, "file": file, "path": null }), &mut Silent)
    else {
        panic!("no report")
    };
    serde_json::to_string(&serde_json::from_value::<ReportView>(view).unwrap()).unwrap()
}

/// The printed line of `app`, the data of a report of `here`, makes the same data in another folder; gives the page.
fn made_again(here: TempDir, app: &str) -> (TempDir, String) {
    let there = tempfile::tempdir().unwrap();
    for name in ["day.pcap.gz", "session.rtoscope.json"] {
        fs::copy(here.path().join(name), there.path().join(name)).unwrap();
    }
    drop(here);
    let command = serde_json::from_str::<ReportView>(app).unwrap().command;
    let words: Vec<&str> = command.split(' ').skip(2).collect();
    let output = rtoscope(there.path(), &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let html = fs::read_to_string(there.path().join("report.html")).unwrap();
    let data = api::data_of_report(&html).unwrap();
    assert!(data == app.replace('<', "\\u003c"), "the data differs from the app's");
    (there, html)
}

#[test]
fn the_printed_line_makes_the_same_data_in_another_folder() {
    let here = tempfile::tempdir().unwrap();
    let app = saved(here.path());
    let (there, html) = made_again(here, &app);

    // The report is a session as well: the same file comes out.
    let again = rtoscope(there.path(), &["day.pcap.gz", "--spec", "report.html"]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(again.stdout == html.as_bytes(), "the report of a report differs");
}

#[test]
fn the_printed_line_keeps_rules_deployment_and_start_of_figures_too() {
    let here = tempfile::tempdir().unwrap();
    let app = saved_with(here.path(), "chain6-periodic-default", |file| {
        file["captures"][0]["as_recorded"] = json!([0, 2]);
        file["captures"][0]["start"] = json!({ "at": 331_500_000_000_i64, "warm": false });
        file["replay"]["policy"] = json!({ "max_retransmit": 1, "blind": "linear", "queue": 0 });
        file["report"]["sections"] = json!(["compare", "figures"]);
        file["report"]["figures"] =
            json!([{ "recipe": "rto_box", "params": {} }, { "recipe": "early_bars", "params": {} }]);
    });
    let view: ReportView = serde_json::from_str(&app).unwrap();
    let figures: Vec<_> = view.replies.iter().filter(|reply| reply.name == "figure").collect();
    assert_eq!(figures.len(), 2);
    for figure in figures {
        let said = figure.json["settings"].as_str().unwrap();
        for words in
            ["MAX_RETRANSMIT 1", "Most that wait 0", "2 of 5 clients as recorded (", "from 331.5 s on, timers cold"]
        {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert_eq!(
            figure.request["captures"][0]["part"],
            view.replies.iter().find(|r| r.name == "replay").unwrap().request["part"]
        );
    }
    let table = &view.tables[0].csv;
    let ends = ",support,difference,difference_lo90,difference_hi90,baseline,settings";
    assert!(table.lines().next().unwrap().ends_with(ends), "{table}");
    assert!(table.contains("Blind timeouts linear") && table.contains("2 of 5 clients as recorded ("), "{table}");
    let (_there, html) = made_again(here, &app);
    assert!(html.contains("2 of 5 clients as recorded ("));
}

#[test]
fn a_report_asks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    saved(folder.path());
    let output = rtoscope(folder.path(), &["day.pcap.gz", "--spec", "session.rtoscope.json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let html = String::from_utf8(output.stdout).unwrap();
    let policy =
        html.split("Content-Security-Policy\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("http") && !policy.contains('*') && !policy.contains("connect-src"), "{policy}");
    let head = html.split("<style>").next().unwrap();
    assert!(!head.contains("src=") && !head.contains("stylesheet"), "{head}");
    assert_eq!(html.matches("<script").count() - html.matches("id=\"rtoscope-report\"").count(), 1, "one script");
}

#[test]
fn another_capture_is_refused_until_it_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    saved(folder.path());
    fs::write(folder.path().join("other.pcap.gz"), api::samples()[4].octets).unwrap();
    let refused = rtoscope(folder.path(), &["other.pcap.gz", "--spec", "session.rtoscope.json", "--data"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("not what the session was made with") && said.contains("day.pcap.gz"), "{said}");
    let meant =
        rtoscope(folder.path(), &["other.pcap.gz", "--spec", "session.rtoscope.json", "--data", "--other-capture"]);
    assert!(meant.status.success(), "{}", String::from_utf8_lossy(&meant.stderr));
    let view: ReportView = serde_json::from_slice(&meant.stdout).unwrap();
    assert_eq!(view.session.captures[0].files[0].name, "other.pcap.gz");
    assert!(view.command.starts_with("rtoscope report other.pcap.gz "), "{}", view.command);
}

#[test]
fn what_is_asked_the_wrong_way_is_told() {
    let folder = tempfile::tempdir().unwrap();
    saved(folder.path());
    let spec = folder.path().join("session.rtoscope.json");
    let text = fs::read_to_string(&spec).unwrap();
    fs::write(&spec, text.replace("\"version\": 1", "\"version\": 9")).unwrap();
    let output = rtoscope(folder.path(), &["day.pcap.gz", "--spec", "session.rtoscope.json", "--data"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("version 9"));
    let output = rtoscope(folder.path(), &["--sample", "nothing", "--spec", "session.rtoscope.json", "--data"]);
    assert!(!output.status.success());
}
