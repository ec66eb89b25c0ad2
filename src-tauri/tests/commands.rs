//! The bridge as the page sees it, on Tauri's mock runtime: what `invoke` resolves to and what it rejects with.

use api::{COMMANDS, Reply, Session, Silent};
use rtoscope_app::builder;
use rtoscope_app::commands::OpenedWith;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody, InvokeResponseBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder, mock_context, noop_assets};
use tauri::webview::InvokeRequest;
use tauri::{WebviewWindow, WebviewWindowBuilder};

/// A window without a page.
struct Window(
    #[expect(dead_code, reason = "keeps the window alive")] tauri::App<MockRuntime>,
    WebviewWindow<MockRuntime>,
);

impl Window {
    fn open(captures: &[&str]) -> Self {
        let opened_with = OpenedWith(captures.iter().map(ToString::to_string).collect());
        let app = builder(mock_builder(), Session::default(), opened_with)
            .build(mock_context(noop_assets()))
            .expect("the mock app builds");
        let window =
            WebviewWindowBuilder::new(&app, "main", Default::default()).build().expect("the mock window opens");
        Self(app, window)
    }

    /// Reply of `invoke(command, arguments)` to the page.
    fn invoke(&self, command: &str, arguments: Value) -> Result<InvokeResponseBody, Value> {
        let request = InvokeRequest {
            cmd: command.into(),
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url: "tauri://localhost".parse().expect("a URL"),
            body: InvokeBody::Json(arguments),
            headers: Default::default(),
            invoke_key: INVOKE_KEY.to_string(),
        };
        get_ipc_response(&self.1, request)
    }

    fn call(&self, name: &str, request: Value) -> Result<InvokeResponseBody, Value> {
        self.invoke("call", json!({ "job": 1, "name": name, "request": request, "onProgress": "__CHANNEL__:7" }))
    }
}

#[test]
fn a_request_nobody_knows_is_refused_by_code() {
    let refused = Window::open(&[]).call("no_such_request", Value::Null).expect_err("refused");
    let fields: Vec<_> = refused.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(fields, ["at", "code", "detail", "message"]);
    assert_eq!(refused["code"], "request");
    assert!(refused["message"].as_str().expect("a sentence").contains("no_such_request"), "{refused}");
}

#[test]
fn a_job_that_is_not_running_can_be_cancelled() {
    let reply = Window::open(&[]).invoke("cancel", json!({ "job": 3 })).expect("accepted");
    assert_eq!(reply.deserialize::<Value>().expect("JSON"), Value::Null);
}

#[test]
fn the_page_learns_what_the_command_line_named() {
    let window = Window::open(&["/captures/a.pcap", "/captures/b.log"]);
    let paths = window.invoke("opened_with", json!({})).expect("accepted").deserialize::<Vec<String>>();
    assert_eq!(paths.expect("a list"), ["/captures/a.pcap", "/captures/b.log"]);
}

// Tests of the arguments stand in src/wireshark.rs: here an installed Wireshark would start.
#[test]
fn wireshark_is_given_nothing_that_is_not_open() {
    let refused =
        Window::open(&[]).invoke("open_in_wireshark", json!({ "capture": 0, "frame": 0 })).expect_err("refused");
    assert!(refused["message"].as_str().expect("a sentence").contains("not open"), "{refused}");
}

/// Places of nodes.
const NODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tsch-slow-chain5-default/nodes.csv");

/// The smallest picture.
const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#;

/// A session of the first sample.
fn session_file(algorithm: &Value) -> Value {
    json!({
        "format": "rtoscope-session", "version": 1, "program": "", "current": 0, "view": "rto", "baseline": null,
        "captures": [{
            "name": "", "sample": api::samples()[0].id, "files": [], "window": [0, 600_000_000_000_i64], "playhead": 0,
            "selection": 3, "association": 0, "tags": { "load": "low" },
            "decode": {
                "fcs": "auto", "ports": [], "rc_option": null, "contexts": [], "keys": 0, "addresses": [],
                "unpack_ratio": null,
            },
        }],
        "algorithms": [algorithm.clone()], "metrics": null, "what_if": algorithm.clone(),
        "replay": { "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2 },
        "report": { "title": "", "notes": "", "sections": ["summary", "compare"] },
    })
}

/// Settings of a replay, with `more`.
fn with(more: Value) -> Value {
    let mut all = json!({ "capture": 0, "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2 });
    for (key, value) in more.as_object().into_iter().flatten() {
        all[key] = value.clone();
    }
    all
}

/// A request for every command of the bridge, in an order in which each can be answered.
fn script() -> Vec<(&'static str, Value)> {
    let capture = json!({ "capture": 0 });
    let window = json!({ "capture": 0, "runs": [null, 0], "t0": 0, "t1": 600_000_000_000_i64, "px": 900 });
    let rows = json!({ "capture": 0, "offset": 0, "limit": 20, "sort": "rtt", "descending": true });
    let algorithm = json!({ "id": "coap_default", "params": { "ack_timeout": 3 } });
    let timer = json!({ "algorithm": algorithm.clone(), "stack": "zephyr" });
    let session = concat!(env!("CARGO_TARGET_TMPDIR"), "/bridge.rtoscope.json");
    let file = session_file(&algorithm);
    let mut all = vec![
        ("startup", Value::Null),
        ("algorithms", Value::Null),
        ("catalogue", Value::Null),
        ("presets", json!({})),
        ("outlook", json!({ "algorithm": algorithm.clone(), "rtt": 0.5, "loss": 0.1 })),
        ("coap_stacks", json!({ "algorithm": algorithm.clone() })),
        ("apply", timer.clone()),
        ("c_program", timer.clone()),
        (
            "export_applied",
            json!({ "timer": timer, "file": "lines", "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/prj.conf") }),
        ),
        ("open", json!({ "sample": api::samples()[0].id })),
        ("captures", Value::Null),
        ("replay", with(json!({ "algorithms": [algorithm.clone()] }))),
        ("sweep", with(json!({ "algorithm": algorithm, "parameter": "ack_timeout", "values": [1.0, 2.0] }))),
        (
            "optimise",
            json!({
                "capture": 0, "hold_out": null, "algorithm": algorithm, "over": ["ack_timeout"], "objective": "completion",
                "method": "nelder_mead", "evaluations": 3, "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2,
            }),
        ),
        ("exchange", json!({ "capture": 0, "exchange": 3, "runs": [0] })),
        ("identify", capture.clone()),
        ("trust", capture.clone()),
        ("halves", capture.clone()),
        ("distribution", json!({ "capture": 0, "runs": [0], "clients": 12 })),
        ("measured", json!({ "capture": 0, "algorithms": [{ "id": "coap_default", "params": {} }] })),
        ("verdict", with(json!({ "algorithms": [algorithm.clone()] }))),
        // Refused: it is the capture that was replayed.
        ("check_again", json!({ "run": 0, "capture": 0 })),
        ("keep_prediction", json!({ "runs": [0] })),
        ("check_kept", json!({ "prediction": kept_prediction(), "capture": 0 })),
        // Refused: nothing was compared.
        ("calibration_add", json!({ "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/own.csv"), "check": no_check() })),
        ("ladder", json!({ "capture": 0, "exchange": 3, "runs": [0] })),
        ("channel_states", capture.clone()),
        (
            "channel_state_series",
            json!({ "capture": 0, "association": 0, "t0": 0, "t1": 600_000_000_000_i64, "points": 64 }),
        ),
        ("sensitivity", with(json!({ "algorithms": [algorithm.clone()] }))),
        ("network", capture.clone()),
        ("node_list", json!({ "capture": 0, "path": NODES })),
        ("network_load", json!({ "capture": 0, "t0": 0, "t1": 60_000_000_000_i64 })),
        ("network_series", json!({ "capture": 0, "t0": 0, "t1": 600_000_000_000_i64, "bins": 16 })),
        ("state", json!({ "capture": 0, "run": 0, "association": 0, "at": 300_000_000_000_i64 })),
        ("step", json!({ "capture": 0, "at": 0, "kind": "needless", "backwards": false })),
        ("exchange_count", rows.clone()),
        ("exchange_row", json!({ "list": rows.clone(), "exchange": 3 })),
        ("dissect", json!({ "capture": 0, "frame": 100 })),
        ("navigator", json!({ "capture": 0, "bins": 64 })),
        ("lanes", window.clone()),
        ("lane_hosts", json!({ "capture": 0, "runs": [null, 0], "hosts": [0] })),
        ("rto", json!({ "capture": 0, "run": 0, "association": 0, "t0": 0, "t1": 600_000_000_000_i64 })),
        ("exchanges", rows),
        ("session_write", json!({ "path": session, "captures": [0], "file": file.clone() })),
        ("session_read", json!({ "path": session })),
        ("report", json!({ "capture": 0, "file": file, "path": null })),
    ];
    all.extend(packet_requests());
    all.extend(figure_requests(&algorithm));
    all.extend(study_requests(&algorithm));
    all.extend(live_requests());
    all.extend(follow_requests());
    all.extend([
        // The capture goes on under another number.
        ("assume", json!({ "capture": 0, "said": [{ "association": 0, "vantage": "server", "workload": null }] })),
        ("close", json!({ "capture": 1 })),
    ]);
    all
}

/// Requests about packets.
fn packet_requests() -> Vec<(&'static str, Value)> {
    let list = json!({ "capture": 0, "filter": "coap && !retry", "window": [0, 600_000_000_000_i64] });
    vec![
        ("fields", Value::Null),
        ("packet_count", list.clone()),
        ("packet_row", json!({ "list": list.clone(), "exchange": 3 })),
        ("check_filter", json!({ "filter": "coap.mid == twelve" })),
        (
            "packets",
            json!({ "list": list.clone(), "offset": 20, "limit": 40, "fields": ["coap.mid"], "rules": ["needless"] }),
        ),
        (
            "export_packet_table",
            json!({
                "list": list.clone(), "columns": ["frame", "src", "coap.mid", "rule"],
                "rules": [{ "name": "Needless", "filter": "needless", "colour": "orange", "on": true }],
                "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/packets.csv"),
            }),
        ),
        ("export_packets", json!({ "list": list, "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/packets.pcapng") })),
        ("export_run", json!({ "run": 0, "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/run.pcapng") })),
    ]
}

/// A prediction from another capture.
fn kept_prediction() -> Value {
    let measures = json!({ "duration_mean": { "recorded": 2.0, "mean": 1.5, "lo90": 1.0, "hi90": 2.0 } });
    let run = json!({ "algorithm": "coap_default", "params": {}, "channel": "empirical", "metrics": measures });
    json!({ "capture": { "name": "before", "sha256": "00" }, "runs": [run], "conditions": null })
}

/// A check that held no measure against anything.
fn no_check() -> Value {
    json!({
        "verdict": "", "algorithm": { "id": "coap_default", "params": {} }, "channel": "empirical", "first": "00", "second": "01",
        "timer": "", "known": "unknown", "same": null, "compared": 0, "held": 0, "expected": 0.0, "measures": [], "changes": [],
        "reservations": [],
    })
}

/// Requests about figures.
fn figure_requests(algorithm: &Value) -> Vec<(&'static str, Value)> {
    let mut figure = with(json!({
        "recipe": "rto_box", "captures": [{ "capture": 0, "name": "storm", "tags": { "load": "low" } }], "algorithms": [algorithm],
    }));
    // Its captures are a list.
    figure.as_object_mut().expect("an object").remove("capture");
    vec![
        ("recipes", Value::Null),
        ("proposed_tags", json!({ "capture": 0 })),
        ("figure", figure.clone()),
        ("figure_line", figure.clone()),
        (
            "export_figure",
            json!({ "figure": figure, "format": "csv", "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/figure.csv") }),
        ),
        ("export_picture", json!({ "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/figure.svg"), "content": PICTURE })),
    ]
}

/// Requests about studies, over a folder with the first sample. Each is asked twice: the second run finds the rows of
/// the first.
fn study_requests(algorithm: &Value) -> Vec<(&'static str, Value)> {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/study");
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/study/bridge.toml");
    std::fs::remove_dir_all(folder).ok();
    std::fs::create_dir_all(concat!(env!("CARGO_TARGET_TMPDIR"), "/study/sleepy")).expect("a folder");
    let capture = concat!(env!("CARGO_TARGET_TMPDIR"), "/study/sleepy/capture.pcap.gz");
    std::fs::write(capture, api::samples()[0].octets).expect("written");
    let taken = json!([{ "path": "sleepy/capture.pcap.gz", "tags": { "scenario": "sleepy" } }]);
    let figure = json!({ "path": file, "kind": "scenarios", "measure": "spurious_all" });
    vec![
        ("study_find", json!({ "folder": folder })),
        (
            "study_write",
            json!({
                "path": file, "name": "bridge", "folder": folder, "patterns": ["{scenario}/capture.pcap.gz"], "captures": taken,
                "left_out": [], "timers": [algorithm], "replicates": 2,
            }),
        ),
        ("study_run", json!({ "path": file })),
        ("study_grid", json!({ "path": file })),
        ("study_figure", figure.clone()),
        (
            "export_study_figure",
            json!({ "figure": figure, "format": "csv", "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/study.csv") }),
        ),
        (
            "study_report",
            json!({ "study": file, "form": "markdown", "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/study.md") }),
        ),
        ("study_bundled", json!({ "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/study/bundled.toml") })),
    ]
}

/// Requests about recording. None succeeds here; recordings are in crates/api/tests/live.rs.
fn live_requests() -> [(&'static str, Value); 6] {
    [
        ("live_devices", Value::Null),
        ("live_start", json!({ "devices": [{ "device": "eth0", "channel": 26 }], "path": "/nowhere/live.pcapng" })),
        ("live_channel", json!({ "device": 0, "channel": 26 })),
        ("live_state", Value::Null),
        ("live_refresh", Value::Null),
        ("live_stop", Value::Null),
    ]
}

/// Requests about a file that grows, which is not there yet; those with growth are in crates/api/tests/follow.rs and
/// alerts.rs.
fn follow_requests() -> [(&'static str, Value); 8] {
    [
        ("follow_start", json!({ "path": concat!(env!("CARGO_TARGET_TMPDIR"), "/not-there-yet.pcap") })),
        ("follow_state", Value::Null),
        ("alerts_check", json!({ "rules": ["storm", "rain", "needless > 20% for 5min"] })),
        ("alerts_start", json!({ "rules": ["storm", "parent-changed"], "source": "followed" })),
        ("alerts_look", json!({ "after": 0 })),
        ("alerts_stop", json!({ "after": 0 })),
        ("follow_refresh", Value::Null),
        ("follow_stop", Value::Null),
    ]
}

/// Requests of [`script`] that nothing here can fulfil.
const REFUSED: [&str; 4] = ["live_start", "live_channel", "check_again", "calibration_add"];

#[test]
fn every_command_answers_what_the_session_answers() {
    let script = script();
    let mut asked: Vec<_> = script.iter().map(|s| s.0).collect();
    let mut known: Vec<_> = COMMANDS.iter().map(|c| c.name).collect();
    asked.sort_unstable();
    known.sort_unstable();
    assert_eq!(asked, known, "a command without a request here is a command without a test");

    let window = Window::open(&[]);
    let session = Session::default();
    for (name, request) in script {
        let expected = session.call(name, request.clone(), &mut Silent);
        let got = window.call(name, request);
        match (expected, got) {
            (Err(expected), Err(got)) if REFUSED.contains(&name) => {
                assert_eq!(got, serde_json::to_value(expected).expect("an error as JSON"), "{name}");
            }
            (Ok(Reply::Json(expected)), Ok(InvokeResponseBody::Json(got))) => {
                assert_eq!(got, expected.to_string(), "{name}");
            }
            (Ok(Reply::Bytes(expected)), Ok(InvokeResponseBody::Raw(got))) => {
                assert!(expected.len() > 100, "{name}: an Arrow stream");
                assert!(expected == got, "{name}: the octets differ");
            }
            (expected, got) => panic!("{name}: {expected:?} became {got:?}"),
        }
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_in_words() {
    let refused = Window::open(&[]).call("open", json!({ "path": "/nowhere/at/all.pcap" })).expect_err("refused");
    assert_eq!(refused["code"], "capture");
    assert!(refused["message"].as_str().expect("a sentence").contains("/nowhere/at/all.pcap"), "{refused}");
}

#[test]
fn a_request_of_the_wrong_form_is_refused() {
    let refused = Window::open(&[]).call("navigator", json!({ "capture": 0, "bin": 3 })).expect_err("refused");
    assert_eq!(refused["code"], "request");
}
