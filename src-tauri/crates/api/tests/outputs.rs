//! Files that a session writes: never over what it has read, and whole or not at all.

use api::view::OpenRequest;
use api::{Code, Progress, Session, Silent};
use serde_json::{Value, json};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A session with a capture of its own, and its presets.
struct Opened {
    folder: tempfile::TempDir,
    session: Session,
    run: Value,
}

impl Opened {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let sample =
            api::samples().iter().find(|sample| sample.id == "live-short-default").unwrap_or(&api::samples()[0]);
        fs::write(folder.path().join("a.pcap.gz"), sample.octets).expect("written");
        fs::write(folder.path().join("mine.toml"), PRESETS).expect("written");
        fs::write(folder.path().join("ran.json"), r#"{"preset": "coap_default"}"#).expect("written");
        let session = Session::default().with_report_page(PAGE);
        let at = |name: &str| folder.path().join(name).display().to_string();
        let open = OpenRequest { path: Some(at("a.pcap.gz")), ..OpenRequest::default() };
        session.open(&open, &mut Silent).expect("opened");
        call(&session, "presets", json!({ "path": at("mine.toml"), "text": null })).expect("read");
        let algorithms = json!([{ "id": "coap_default", "params": {} }]);
        let replay = json!({
            "capture": 0, "algorithms": algorithms, "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2,
            "baseline": null, "bounds": false,
        });
        let reply = call(&session, "replay", replay).expect("replayed");
        Self { folder, session, run: reply["runs"][0]["run"].clone() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Every request that writes a file, writing to `path`.
    fn requests(&self, path: &Path) -> Vec<(&'static str, Value)> {
        let path = path.display().to_string();
        let list = json!({ "capture": 0, "rows": "frames", "filter": "" });
        let file = serde_json::to_value(self.first()).expect("JSON");
        let figure = json!({
            "recipe": "early_bars", "captures": [{ "capture": 0, "name": "a", "tags": {} }], "algorithms": [], "params": {},
            "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2,
        });
        vec![
            ("export_packets", json!({ "list": list, "path": path })),
            ("export_packet_table", json!({ "list": list, "columns": ["frame"], "path": path })),
            ("export_run", json!({ "run": self.run, "path": path })),
            ("export_figure", json!({ "figure": figure, "format": "csv", "path": path })),
            ("session_write", json!({ "path": path, "captures": [0], "file": file })),
            ("report", json!({ "capture": 0, "file": file, "path": path })),
        ]
    }

    fn first(&self) -> api::view::SessionFile {
        let reading = api::ReadOptions::default();
        let opened = api::Opened::files(&[&self.at("a.pcap.gz")], &reading, &mut Silent).expect("opened");
        let mut file = api::view::SessionFile::first(&opened);
        file.replay.replicates = 2;
        file.replay.channel = api::view::ChannelKind::Empirical;
        file.algorithms.truncate(1);
        file
    }
}

/// The part of the report's page that the core knows.
const PAGE: &str = "<script type=\"application/json\" id=\"rtoscope-report\"></script>";

const PRESETS: &str = "[[preset]]\nid = \"mine\"\nname = \"Mine\"\nbase = \"coap_default\"\n";

fn call(session: &Session, name: &str, request: Value) -> Result<Value, api::Error> {
    match session.call(name, request, &mut Silent)? {
        api::Reply::Json(value) => Ok(value),
        api::Reply::Bytes(_) => Ok(Value::Null),
    }
}

#[test]
fn no_request_writes_over_what_the_session_has_read() {
    let opened = Opened::new();
    let mut places = vec!["a.pcap.gz", "mine.toml", "ran.json"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.pcap.gz", opened.at("soft")).expect("linked");
        fs::hard_link(opened.at("a.pcap.gz"), opened.at("hard")).expect("linked");
        places.extend(["soft", "hard"]);
    }
    for place in places {
        let before = fs::read(opened.at(place)).expect("there");
        for (name, request) in opened.requests(&opened.at(place)) {
            let error = call(&opened.session, name, request).expect_err(name);
            assert_eq!(error.code, Code::Request, "{name}: {}", error.message);
            assert!(error.message.contains("was read here"), "{name}: {}", error.message);
            assert_eq!(fs::read(opened.at(place)).expect("still there"), before, "{name} over {place}");
        }
    }
}

#[test]
fn every_request_writes_a_whole_file_elsewhere() {
    let opened = Opened::new();
    let files = fs::read_dir(opened.folder.path()).expect("a folder").count();
    for (name, request) in opened.requests(&opened.at("out")) {
        fs::write(opened.at("out"), "old").expect("written");
        call(&opened.session, name, request).unwrap_or_else(|error| panic!("{name}: {}", error.message));
        assert!(fs::read(opened.at("out")).expect("there") != b"old", "{name}");
        assert_eq!(
            fs::read_dir(opened.folder.path()).expect("a folder").count(),
            files + 1,
            "{name} leaves nothing else"
        );
    }
}

/// Stops at the first report.
struct Stopped;

impl Progress for Stopped {
    fn tick(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn a_stopped_export_leaves_what_was_there() {
    let opened = Opened::new();
    let files = fs::read_dir(opened.folder.path()).expect("a folder").count();
    for (name, request) in opened.requests(&opened.at("out")) {
        fs::write(opened.at("out"), "old").expect("written");
        if let Err(error) = opened.session.call(name, request, &mut Stopped) {
            assert_eq!(error.code, Code::Cancelled, "{name}: {}", error.message);
            assert_eq!(fs::read(opened.at("out")).expect("there"), b"old", "{name}");
        }
        assert_eq!(fs::read_dir(opened.folder.path()).expect("a folder").count(), files + 1, "{name}");
    }
}
