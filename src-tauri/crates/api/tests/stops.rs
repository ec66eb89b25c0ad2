//! Law of every slow request: when it is cancelled, it fails with code `cancelled` and leaves the session as it was.
//! The next call answers with the same octets as without the cancellation.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

#[path = "requests/session_file.rs"]
mod requests;

use api::{COMMANDS, Code, DecodeOptions, Error, Progress, Reply, Session, Silent, samples};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// These ask sniffers and a recording under way, a file that is followed (`follow.rs` holds the law for those), and a
/// network of several hops (`ladder.rs` does).
const NOT_HERE: [&str; 4] = ["live_refresh", "follow_refresh", "follow_stop", "ladder"];

struct World {
    folder: tempfile::TempDir,
    file: PathBuf,
}

/// A session with the capture open and some runs, and what requests name.
struct Open {
    session: Session,
    capture: Value,
    start: i64,
    end: i64,
    run: Value,
    /// Another capture, beside runs.
    second: Value,
}

impl World {
    /// A file, so that sessions name one: eight clients behind a bottleneck.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sample = samples().iter().find(|s| s.id == "live-bottleneck-cocoa").unwrap();
        let file = folder.path().join(sample.file);
        fs::write(&file, sample.octets).unwrap();
        Self { folder, file }
    }

    fn path(&self, name: &str) -> Value {
        json!(self.folder.path().join(name))
    }

    /// A folder with one run, or the file of a study over it, without any row.
    fn study(&self, is_file: bool) -> PathBuf {
        const STUDY: &str = "replicates = 2\nanother_run = false\nchannels = [\"empirical\"]\n[[captures]]\npaths = \"*/a.pcap.gz\"\n\
                             [[timers]]\nalgorithm = \"coap_default\"\n";
        let folder = self.folder.path().join("runs");
        let _ = fs::remove_dir_all(folder.join("study"));
        fs::create_dir_all(folder.join("run")).unwrap();
        fs::copy(&self.file, folder.join("run/a.pcap.gz")).unwrap();
        let file = folder.join("study.toml");
        fs::write(&file, STUDY).unwrap();
        if is_file { file } else { folder }
    }

    /// The file of the study with its rows.
    fn ran_study(&self) -> PathBuf {
        let file = self.study(true);
        json_of(Session::default().call("study_run", json!({ "path": file }), &mut Silent));
        file
    }

    /// Begins to watch the capture, unpacked, for alerts; does nothing where the session watches it already.
    fn watch(&self, session: &Session) {
        let file = self.folder.path().join("watched.pcap");
        if !file.exists() {
            let mut octets = Vec::new();
            let packed = fs::read(&self.file).unwrap();
            std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&packed[..]), &mut octets).unwrap();
            fs::write(&file, octets).unwrap();
        }
        if json_of(session.call("follow_state", Value::Null, &mut Silent)).is_null() {
            json_of(session.call("follow_start", json!({ "path": file }), &mut Silent));
            let rules = json!(["needless > 5% for 1min", "timer-changed", "parent-changed then storm within 10min"]);
            json_of(session.call("alerts_start", json!({ "rules": rules, "source": "followed" }), &mut Silent));
        }
    }

    fn open(&self, with_runs: bool) -> Open {
        let session = Session::new(DecodeOptions::default());
        let view = json_of(session.call("open", json!({ "path": self.file }), &mut Silent));
        let (start, end) = (view["start"].as_i64().unwrap(), view["end"].as_i64().unwrap());
        let mut open = Open { session, capture: view["id"].clone(), start, end, run: Value::Null, second: Value::Null };
        if with_runs {
            let replayed = open.session.call("replay", replay(&open, "empirical"), &mut Silent);
            open.run = json_of(replayed)["runs"][0]["run"].clone();
            let other = open.session.call("open", json!({ "sample": "live-sleepy-default" }), &mut Silent);
            open.second = json_of(other)["id"].clone();
        }
        open
    }
}

fn json_of(reply: Result<Reply, Error>) -> Value {
    match reply.unwrap() {
        Reply::Json(value) => value,
        Reply::Bytes(_) => Value::Null,
    }
}

/// The octets of `reply`, without the number of a capture that is open a second time.
fn octets(name: &str, reply: Result<Reply, Error>) -> Vec<u8> {
    match reply.unwrap() {
        Reply::Json(mut value) => {
            if name == "open" {
                value["id"] = Value::Null;
            }
            value.to_string().into_bytes()
        }
        Reply::Bytes(octets) => octets,
    }
}

fn algorithms() -> Value {
    json!([{ "id": "coap_default", "params": {} }, { "id": "cocoa_plus", "params": {} }])
}

fn replay(open: &Open, channel: &str) -> Value {
    json!({
        "capture": open.capture, "algorithms": algorithms(), "channel": channel, "workload": "auto", "seed": 1,
        "replicates": 2, "baseline": null, "bounds": true,
    })
}

fn list(open: &Open) -> Value {
    json!({ "capture": open.capture, "rows": "frames", "filter": "coap", "window": null })
}

fn figure(open: &Open) -> Value {
    json!({
        "recipe": "rto_box", "captures": [{ "capture": open.capture, "name": "capture", "tags": {} }],
        "algorithms": algorithms(), "params": {}, "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2,
    })
}

fn session_file(open: &Open) -> Value {
    requests::session_file([&open.start.into(), &open.end.into()], algorithms(), 2, json!([]))
}

/// A prediction from another capture.
fn kept_prediction() -> Value {
    let run = json!({ "algorithm": "coap_default", "params": {}, "channel": "empirical", "metrics": {} });
    json!({ "capture": { "name": "before", "sha256": "00" }, "runs": [run], "conditions": null })
}

/// The requests of `replay`: every channel, and rules and a part that go ways of their own.
fn replay_requests(open: &Open) -> Vec<Value> {
    let mut all: Vec<Value> =
        ["recorded", "empirical", "gilbert_elliott", "loaded", "queued"].map(|c| replay(open, c)).into();
    let mut joined = replay(open, "empirical");
    joined["policy"] = json!({ "plimit": true });
    let mut later = replay(open, "empirical");
    later["part"] = json!({ "start": { "at": (open.start + open.end) / 2, "warm": true } });
    all.extend([joined, later]);
    all
}

/// The requests of a command, which may be several where it goes several ways.
fn requests(world: &World, name: &str, open: &Open) -> Vec<Value> {
    let capture = &open.capture;
    let (start, end) = (open.start, open.end);
    let only = |value: Value| vec![value];
    match name {
        "open" => only(json!({ "path": world.file })),
        "assume" => only(json!({
            "capture": capture, "said": [{ "association": null, "vantage": "between", "workload": null }],
        })),
        "replay" => replay_requests(open),
        "sweep" => only(json!({
            "capture": capture, "algorithm": { "id": "coap_default", "params": {} }, "parameter": "ack_timeout",
            "values": [1.0, 2.0], "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2,
        })),
        "optimise" => only(json!({
            "capture": capture, "hold_out": null, "algorithm": { "id": "coap_default", "params": {} },
            "over": ["ack_timeout"], "objective": "completion", "method": "nelder_mead", "evaluations": 4,
            "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 2,
        })),
        "sensitivity" => {
            let mut request = replay(open, "empirical");
            request["bounds"] = json!(false);
            only(request)
        }
        "channel_states" | "network" => only(json!({ "capture": capture })),
        "channel_state_series" => {
            only(json!({ "capture": capture, "association": 0, "t0": start, "t1": end, "points": 16 }))
        }
        "trust" | "halves" => only(json!({ "capture": capture })),
        "verdict" => only(replay(open, "empirical")),
        "measured" => only(json!({ "capture": capture, "algorithms": [{ "id": "coap_default", "params": {} }] })),
        "check_again" => only(json!({ "run": open.run, "capture": open.second })),
        "keep_prediction" => only(json!({ "runs": [open.run] })),
        "check_kept" => only(json!({ "prediction": kept_prediction(), "capture": open.second })),
        "alerts_look" | "alerts_stop" => {
            world.watch(&open.session);
            only(json!({ "after": 0 }))
        }
        "identify" => only(json!({ "capture": capture, "associations": [] })),
        "packet_count" => only(list(open)),
        "dissect" => only(json!({ "capture": capture, "frame": 0 })),
        "packet_row" => only(json!({ "list": list(open), "at": end - 1 })),
        "packets" => only(json!({ "list": list(open), "offset": 0, "limit": 20 })),
        "node_list" => {
            let rows = "node,x,y\nmote 1,0,0\nmote 2,10,0\n";
            std::fs::write(world.folder.path().join("nodes.csv"), rows).unwrap();
            only(json!({ "capture": capture, "path": world.path("nodes.csv") }))
        }
        "network_load" => only(json!({ "capture": capture, "t0": start, "t1": end })),
        "network_series" => only(json!({ "capture": capture, "t0": start, "t1": end, "bins": 16 })),
        "export_packets" => only(json!({ "list": list(open), "path": world.path("packets.pcapng") })),
        "export_packet_table" => {
            let columns = ["frame", "time", "src", "info", "coap.mid"];
            only(json!({ "list": list(open), "columns": columns, "path": world.path("packets.csv") }))
        }
        "export_run" => only(json!({ "run": open.run, "path": world.path("run.pcapng") })),
        "figure" => only(figure(open)),
        "export_figure" => only(json!({ "figure": figure(open), "format": "csv", "path": world.path("figure.csv") })),
        "session_read" => {
            let path = world.path("session.rtoscope.json");
            let written = json!({ "path": path, "captures": [capture], "file": session_file(open) });
            json_of(open.session.call("session_write", written, &mut Silent));
            only(json!({ "path": path }))
        }
        "report" => only(json!({ "capture": capture, "file": session_file(open), "path": null })),
        "study_find" => only(json!({ "folder": world.study(false) })),
        "study_run" => only(json!({ "path": world.study(true) })),
        "study_grid" => only(json!({ "path": world.ran_study() })),
        "study_figure" => only(json!({ "path": world.ran_study(), "kind": "scenarios" })),
        "export_study_figure" => {
            let figure = json!({ "path": world.ran_study(), "kind": "scenarios" });
            only(json!({ "figure": figure, "format": "csv", "path": world.path("study.csv") }))
        }
        "study_report" => {
            only(json!({ "study": world.ran_study(), "form": "markdown", "path": world.path("study.md") }))
        }
        other => panic!("{other} is said to take long, and has no request here"),
    }
}

/// Breaks from the `at`-th tick on.
struct Stops {
    at: usize,
    ticks: usize,
}

impl Progress for Stops {
    fn tick(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        self.ticks += 1;
        if self.ticks < self.at { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn slow() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter(|command| command.slow).map(|command| command.name)
}

fn holds_for(world: &World, name: &str) {
    let with_runs = matches!(name, "export_run" | "check_again" | "check_kept" | "keep_prediction");
    let many = requests(world, name, &world.open(with_runs)).len();
    for index in 0..many {
        let call = |open: &Open, progress: &mut dyn Progress| {
            open.session.call(name, requests(world, name, open).swap_remove(index), progress)
        };
        let mut counted = Stops { at: usize::MAX, ticks: 0 };
        let whole = octets(name, call(&world.open(with_runs), &mut counted));
        assert!(counted.ticks > 0, "{name} {index} takes long and reports no progress");
        // A thread that finds another one reporting does not report: the number of ticks differs a little from run to
        // run.
        let places: BTreeSet<usize> = [1, counted.ticks / 3].into_iter().collect();
        for at in places.into_iter().filter(|&at| at > 0) {
            // A session caches partial results, so that a second call is faster: each call has a session of its own.
            let open = world.open(with_runs);
            let captures = open.session.captures();
            let stopped = call(&open, &mut Stops { at, ticks: 0 });
            let error = stopped.err().unwrap_or_else(|| panic!("{name} {index} goes on at tick {at}"));
            assert_eq!(error.code, Code::Cancelled, "{name} {index} at tick {at}: {error}");
            assert_eq!(open.session.captures(), captures, "{name} {index}");
            let next = octets(name, call(&open, &mut Silent));
            assert_eq!(next, whole, "{name} {index} answers otherwise after it was stopped at tick {at}");
        }
    }
}

#[test]
fn opening_and_judging() {
    let world = World::new();
    ["open", "assume", "session_read"].iter().for_each(|name| holds_for(&world, name));
}

#[test]
fn replays() {
    let world = World::new();
    let rest = [
        "replay",
        "sweep",
        "optimise",
        "sensitivity",
        "figure",
        "export_figure",
        "report",
        "measured",
        "verdict",
        "check_again",
        "keep_prediction",
        "check_kept",
    ];
    rest.iter().for_each(|name| holds_for(&world, name));
}

#[test]
fn what_is_found_in_a_capture() {
    let world = World::new();
    let all = ["channel_states", "channel_state_series", "identify", "network", "network_load", "network_series"];
    all.iter().for_each(|name| holds_for(&world, name));
}

#[test]
fn alerts() {
    let world = World::new();
    ["alerts_look", "alerts_stop"].iter().for_each(|name| holds_for(&world, name));
}

#[test]
fn studies() {
    let world = World::new();
    let all = ["study_find", "study_run", "study_grid", "study_figure", "export_study_figure", "study_report"];
    all.iter().for_each(|name| holds_for(&world, name));
}

#[test]
fn packets_and_files() {
    let world = World::new();
    ["packet_count", "packet_row", "packets", "dissect"].iter().for_each(|name| holds_for(&world, name));
    for (name, file) in
        [("export_packets", "packets.pcapng"), ("export_packet_table", "packets.csv"), ("export_run", "run.pcapng")]
    {
        holds_for(&world, name);
        let path = world.folder.path().join(file);
        let export = |progress: &mut Stops| {
            let open = world.open(true);
            open.session.call(name, requests(&world, name, &open).swap_remove(0), progress)
        };
        let files = || fs::read_dir(world.folder.path()).unwrap().count();
        let mut counted = Stops { at: usize::MAX, ticks: 0 };
        assert!(export(&mut counted).is_ok() && fs::metadata(&path).unwrap().len() > 0);
        let (written, beside) = (fs::read(&path).unwrap(), files());
        // Not before it is written.
        let stopped = || export(&mut Stops { at: counted.ticks, ticks: 0 }).expect_err("stopped").code;
        assert_eq!(stopped(), Code::Cancelled);
        assert!(fs::read(&path).unwrap() == written, "{name}: the file that was there stays as it was");
        fs::remove_file(&path).unwrap();
        assert_eq!(stopped(), Code::Cancelled);
        assert!(!path.exists() && files() == beside - 1, "{name}: no part of a file stays");
    }
}

#[test]
fn the_law_is_asked_of_every_request_that_may_take_long() {
    let world = World::new();
    let open = world.open(true);
    let names: BTreeSet<&str> = slow().filter(|name| !NOT_HERE.contains(name)).collect();
    assert!(names.len() > 15);
    for name in names {
        assert!(!requests(&world, name, &open).is_empty());
    }
}
