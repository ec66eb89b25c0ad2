//! The view *Study* over the bridge: a folder of runs becomes a study, is stopped, goes on, and is shown with its real
//! runs.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::{Code, Error, Progress, Reply, Session, Silent, StudyAnswered, StudyJobs, StudyRequest, StudyTicket};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn call(name: &str, request: Value, progress: &mut dyn Progress) -> Result<Value, Error> {
    match Session::default().call(name, request, progress)? {
        Reply::Json(value) => Ok(value),
        Reply::Bytes(_) => panic!("{name} answers with JSON"),
    }
}

fn ok(name: &str, request: Value) -> Value {
    call(name, request, &mut Silent).unwrap()
}

/// Two bundled real runs of one world under the default timer and CoCoA, and a file without any exchange.
fn runs(folder: &Path) {
    for (id, run) in [("live-sleepy-default", "sleepy/default-seed1"), ("live-sleepy-cocoa", "sleepy/cocoa-seed1")] {
        fs::create_dir_all(folder.join(run)).unwrap();
        let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
        fs::copy(traces.join(id).join("capture.pcap.gz"), folder.join(run).join("radio.pcap.gz")).unwrap();
    }
    fs::create_dir_all(folder.join("broken/default-seed1")).unwrap();
    // A header of pcap (802.15.4 with its check sequence, link type 195) and no frame.
    let header: [&[u8]; 4] = [&[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0], &[0; 8], &[0xff, 0xff, 0, 0], &[195, 0, 0, 0]];
    fs::write(folder.join("broken/default-seed1/radio.pcap.gz"), header.concat()).unwrap();
}

/// Asserts that the intervals of the second scenario in `all`, from both captures, are those of another run: means of
/// those in `each`, from one capture. The mean over runs is known better than a run can be.
fn assert_intervals_of_a_run(all: &Value, each: [&Value; 2]) {
    let cell = |grid: &Value, at: usize| grid["scenarios"][1]["cells"][at].clone();
    for (at, end) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert_eq!(cell(all, at)["kind"], "another run");
        let interval = |grid: &Value| cell(grid, at)["interval"][end].as_f64().unwrap();
        let mean = f64::midpoint(interval(each[0]), interval(each[1]));
        assert!((interval(all) - mean).abs() <= 1e-12 * mean, "end {end} of column {at}");
    }
}

#[test]
fn a_folder_becomes_a_study_that_is_stopped_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    runs(folder.path());
    let mut found = ok("study_find", json!({ "folder": folder.path() }));
    assert_eq!(found["patterns"], json!(["{scenario}/{timer}-seed{seed}/radio.pcap.gz"]));
    let ran = found["ran"].as_array().unwrap().clone();
    assert_eq!(
        ran.iter().map(|timer| timer["id"].as_str().unwrap()).collect::<Vec<_>>(),
        ["coap_default", "cocoa_cf3"]
    );
    let mut taken = found["captures"].take();
    for capture in taken.as_array_mut().unwrap() {
        capture.as_object_mut().unwrap().remove("ran");
    }
    let file = folder.path().join("mine.toml");
    let written = json!({
        "path": file, "name": "mine", "folder": folder.path(), "patterns": found["patterns"], "captures": taken, "left_out": [],
        "timers": ran, "replicates": 5,
    });
    let place = ok("study_write", written);
    let before = ok("study_grid", place.clone());
    assert_eq!((&before["tasks"], before["timers"].as_array().unwrap().len()), (&json!(0), 2));

    // Stopped when the first rows are there.
    let mut first = |rows: u64, _: u64| if rows > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    assert_eq!(call("study_run", place.clone(), &mut first).unwrap_err().code, Code::Cancelled);
    let half = ok("study_grid", place.clone());
    let rows = half["rows"].as_u64().unwrap();
    assert!((1..6).contains(&rows) && half["tasks"] == 6, "{rows} rows");

    // Opened by its folder it goes on, and counts the rows of before.
    let out = json!({ "path": folder.path().join("mine") });
    let mut last = (0, 0);
    let mut rest = |done: u64, total: u64| {
        last = (done, total);
        ControlFlow::Continue(())
    };
    let ran = call("study_run", out.clone(), &mut rest).unwrap();
    assert_eq!(last, (6 - rows, 6 - rows), "progress is that of the rest");
    assert_eq!([&ran["tasks"], &ran["rows"], &ran["failed"]], [6, 6, 2]);
    let grid = ok("study_grid", out.clone());
    assert_eq!(grid["file"], json!(file.canonicalize().unwrap()));
    assert_eq!([&grid["from"], &grid["sources"][1]], ["coap_default", "cocoa_cf3"]);

    let (broken, sleepy) = (&grid["scenarios"][0], &grid["scenarios"][1]);
    assert_eq!(broken["cells"][0]["state"], "refused");
    assert!(!broken["cells"][0]["reason"].as_str().unwrap().is_empty());
    // Answers come from the run under the default timer; each timer's real run is beside them.
    assert_eq!(sleepy["captures"].as_array().unwrap().len(), 2);
    assert_eq!(sleepy["used"], json!([1]));
    let cells = sleepy["cells"].as_array().unwrap();
    for cell in cells {
        assert_eq!(cell["real"].as_array().unwrap().len(), 1, "{cell}");
        assert_eq!(cell["kind"], "another run", "one capture has the interval of its own rows");
        let (mean, ends) = (cell["mean"].as_f64().unwrap(), cell["interval"].as_array().unwrap());
        assert!(ends[0].as_f64().unwrap() <= mean && mean <= ends[1].as_f64().unwrap());
    }
    // The same numbers as `study show` has in its rows.
    assert_eq!(sleepy["recorded"], cells[0]["real"][0]["value"], "the rule is the recorded baseline");
    assert_eq!(cells[1]["real"][0]["capture"], 0);
    assert_eq!(
        grid["inside"][1], 1,
        "the prediction of CoCoA can be held against a run, that of the baseline against itself cannot"
    );

    // The better of both in truth, by the recorded values.
    let real = [0, 1].map(|at: usize| cells[at]["real"][0]["value"].as_f64().unwrap());
    let predicted = [0, 1].map(|at: usize| cells[at]["mean"].as_f64().unwrap());
    let best = |of: [f64; 2]| u64::from(of[1] < of[0]);
    assert_eq!(sleepy["truth"], json!([best(predicted), best(real)]));
    assert!(broken.get("truth").is_none_or(Value::is_null));

    // From all captures each cell has both.
    let all = ok("study_grid", json!({ "path": out["path"], "from": "" }));
    assert_eq!(all["scenarios"][1]["used"], json!([0, 1]));
    assert_intervals_of_a_run(&all, [&grid, &ok("study_grid", json!({ "path": out["path"], "from": "cocoa_cf3" }))]);
    let refused = call("study_grid", json!({ "path": out["path"], "from": "lee2016" }), &mut Silent).unwrap_err();
    assert!(refused.message.contains("lee2016"));

    // No table is written over the rows.
    let about = folder.path().join("mine/study.json");
    let figure = json!({ "path": out["path"], "kind": "winners" });
    let over = json!({ "figure": figure, "format": "json", "path": about });
    assert!(call("export_study_figure", over, &mut Silent).unwrap_err().message.contains("file of the study itself"));
    let table = folder.path().join("winners.csv");
    ok("export_study_figure", json!({ "figure": figure, "format": "csv", "path": table }));
    assert!(fs::read_to_string(table).unwrap().starts_with("scenario,timer,channel,measure"));

    // A changed file is said, and a folder that lost its file shows its rows and does not run.
    fs::write(&file, format!("{}\n", fs::read_to_string(&file).unwrap())).unwrap();
    assert_eq!(ok("study_grid", out.clone())["changed"], true);
    fs::remove_file(&file).unwrap();
    let orphan = ok("study_grid", out.clone());
    assert_eq!((&orphan["rows"], orphan.get("file").filter(|file| !file.is_null())), (&json!(6), None));
    assert!(call("study_run", out, &mut Silent).unwrap_err().message.contains("open the file of the study"));
}

const REPORTED: &str = "name = \"reported\"\nchannels = [\"empirical\"]\nreplicates = 2\nanother_run = false\n\
                        presets = [\"mine.toml\"]\n[[captures]]\npaths = \"{scenario}/{timer}-seed{seed}/radio.pcap.gz\"\n\
                        [[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\nalgorithm = \"mine\"\n";
const MINE: &str = "[[preset]]\nid = \"mine\"\nname = \"Mine\"\nbase = \"coap_default\"\n";

#[test]
fn a_report_is_written_and_never_over_what_the_study_reads() {
    let folder = tempfile::tempdir().unwrap();
    runs(folder.path());
    let at = |name: &str| folder.path().join(name);
    for (name, text) in
        [("study.toml", REPORTED), ("mine.toml", MINE), ("sleepy/default-seed1/mote.log", ""), ("kept.md", "old")]
    {
        fs::write(at(name), text).unwrap();
    }
    let study = at("study.toml");
    ok("study_run", json!({ "path": study }));
    let request =
        |study: &Path, name: &str| json!({ "study": study, "form": "markdown", "over": null, "path": at(name) });

    let rows = files(&at("study")).into_keys().next().unwrap();
    let rows = Path::new("study").join(rows).display().to_string();
    let own = ["study.toml", "mine.toml", "study/study.toml", "study/study.json", "study/presets/0", &rows];
    let beside = ["sleepy/default-seed1/radio.pcap.gz", "sleepy/default-seed1/mote.log"];
    for name in own.into_iter().chain(beside) {
        let before = fs::read(at(name)).unwrap();
        // A study is named by its file, or by the folder of its rows.
        for study in [&study, &at("study")] {
            let refused = call("study_report", request(study, name), &mut Silent).unwrap_err();
            assert_eq!(refused.code, Code::Request, "{name}: {refused}");
            assert!(refused.message.contains("file of the study itself"), "{name}: {refused}");
            let figure = json!({ "path": study, "kind": "winners" });
            let table = json!({ "figure": figure, "format": "csv", "path": at(name) });
            assert!(call("export_study_figure", table, &mut Silent).is_err(), "{name}");
        }
        assert!(fs::read(at(name)).unwrap() == before, "{name} has changed");
    }

    // Stopped between reading and writing it leaves what was there.
    for tick in [1, 4] {
        let mut ticks = 0;
        let mut stops = |_: u64, total: u64| {
            ticks += 1;
            assert!(total > 0, "the whole is known");
            if ticks < tick { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let stopped = call("study_report", request(&study, "kept.md"), &mut stops).unwrap_err();
        assert_eq!(stopped.code, Code::Cancelled);
        assert_eq!(fs::read(at("kept.md")).unwrap(), b"old");
    }
    ok("study_report", request(&study, "kept.md"));
    let text = fs::read_to_string(at("kept.md")).unwrap();
    assert!(text.starts_with("# reported\n") && text.contains("## How to repeat it"), "{text}");

    // A program without the report's page says so, and writes nothing.
    let page = json!({ "study": study, "form": "html", "path": at("new.html") });
    assert_eq!(call("study_report", page, &mut Silent).unwrap_err().code, Code::Internal);
    assert!(!at("new.html").exists());
}

#[test]
fn no_study_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let refused = call("study_grid", json!({ "path": folder.path() }), &mut Silent).unwrap_err();
    assert!(refused.message.contains("there is no study here"), "{refused}");
    let refused = call("study_run", json!({ "path": "/nowhere/study.toml" }), &mut Silent).unwrap_err();
    assert!(refused.message.contains("/nowhere/study.toml"), "{refused}");
}

const JOBS: &str = "channels = [\"empirical\"]\nseeds = [1, 2, 3]\nreplicates = 5\n[[captures]]\n\
                    paths = \"{scenario}/{timer}-seed{seed}/radio.pcap.gz\"\n[[timers]]\nalgorithm = \"coap_default\"\n\
                    [[timers]]\nalgorithm = \"cocoa_plus\"\n";

/// Files of rows of a folder, by their path.
fn files(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let inside = |folder: &Path| {
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let found = inside(&out.join("rows")).into_iter().flat_map(|scenario| inside(&scenario));
    found.map(|file| (file.strip_prefix(out).unwrap().to_owned(), fs::read(&file).unwrap())).collect()
}

fn request(spec: &Path, out: &Path, again: bool) -> StudyRequest {
    StudyRequest { spec: spec.to_owned(), out: out.to_owned(), threads: Some(1), again, program: "this".to_owned() }
}

fn begin(spec: &Path, out: &Path, again: bool) -> StudyJobs {
    StudyJobs::begin(&request(spec, out, again), &|_| ControlFlow::Continue(())).unwrap()
}

fn answer(
    jobs: &StudyJobs,
    at: usize,
    keys: &[String],
    place: Option<&Path>,
    keep: bool,
) -> Result<StudyAnswered, Error> {
    let capture = jobs.capture(at)?;
    let ticket = StudyTicket { study: jobs.study(), capture: &capture, keys, place, keep, program: "this" };
    api::study_answer(&ticket, &|| ControlFlow::Continue(()))
}

#[test]
fn tasks_that_other_processes_answer_are_the_same_octets() {
    let folder = tempfile::tempdir().unwrap();
    runs(folder.path());
    let at = |name: &str| folder.path().join(name);
    fs::write(at("study.toml"), JOBS).unwrap();
    let spec = at("study.toml");
    api::study_run(&request(&spec, &at("whole"), false), &|_| ControlFlow::Continue(())).unwrap();
    let whole = files(&at("whole"));
    assert_eq!(whole.len(), 3);

    let jobs = begin(&spec, &at("out"), false);
    assert_eq!((jobs.tasks(), jobs.captures()), (18, 3));
    let groups = jobs.missing(0).unwrap().groups;
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2], "a group a seed");
    // The first in one piece, which keeps its rows; it has no exchange.
    let done = answer(&jobs, 0, &groups.concat(), None, true).unwrap();
    assert_eq!(done, StudyAnswered { rows: 6, failed: 6, octets: None });
    // The second in pieces that come back, last first.
    for group in jobs.missing(1).unwrap().groups.iter().rev() {
        let octets = answer(&jobs, 1, group, None, false).unwrap().octets.unwrap();
        jobs.keep(1, octets.clone()).unwrap();
        let error = jobs.keep(0, octets).unwrap_err();
        assert!(error.message.contains("are no rows of this study"), "rows of another capture: {error}");
    }
    // The third from a copy, in folders whose names say which timer ran, as its own do.
    let copy = at("elsewhere/sleepy/default-seed1");
    fs::create_dir_all(&copy).unwrap();
    let from = &jobs.files(2).unwrap()[0];
    fs::copy(from, copy.join("radio.pcap.gz")).unwrap();
    let groups = jobs.missing(2).unwrap().groups;
    let done = answer(&jobs, 2, &groups.concat(), Some(&copy.join("radio.pcap.gz")), true).unwrap();
    assert_eq!((done.rows, done.failed), (6, 0));
    assert_eq!(files(&at("out")), whole);
    assert_eq!(jobs.missing(2).unwrap().groups, Vec::<Vec<String>>::new());
    assert_eq!(jobs.missing(3).unwrap_err().code, Code::Gone);

    // While it is open nobody else has the folder; then others go on with it.
    let run = || api::study_run(&request(&spec, &at("out"), false), &|_| ControlFlow::Continue(()));
    assert!(run().unwrap_err().message.contains("another run"));
    jobs.close();
    assert_eq!(run().unwrap().tally.earlier, 18);
}

#[test]
fn tickets_that_are_refused_and_tasks_that_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    runs(folder.path());
    let at = |name: &str| folder.path().join(name);
    fs::write(at("study.toml"), JOBS).unwrap();
    let jobs = begin(&at("study.toml"), &at("out"), false);
    let keys = jobs.missing(1).unwrap().groups.concat();
    let other = at("other.pcap");
    fs::write(&other, b"another content").unwrap();
    assert_eq!(answer(&jobs, 1, &keys, Some(&other), false).unwrap_err().code, Code::Gone);
    assert_eq!(answer(&jobs, 1, &keys, Some(&at("nothing")), false).unwrap_err().code, Code::Gone);
    // A log that was not there when the study began decides answers.
    let log = jobs.files(1).unwrap()[0].with_file_name("mote.log");
    fs::write(&log, b"").unwrap();
    assert_eq!(answer(&jobs, 1, &keys, None, false).unwrap_err().code, Code::Gone);
    fs::remove_file(&log).unwrap();
    assert_eq!(answer(&jobs, 1, &["no key".to_owned()], None, false).unwrap_err().code, Code::Request);
    let capture = jobs.capture(1).unwrap();
    let ticket =
        StudyTicket { study: jobs.study(), capture: &capture, keys: &keys, place: None, keep: true, program: "other" };
    let error = api::study_answer(&ticket, &|| ControlFlow::Continue(())).unwrap_err();
    assert_eq!((error.code, error.message.contains("install the same wheel")), (Code::Request, true), "{error}");
    let ticket = StudyTicket { program: "this", ..ticket };
    let stopped = api::study_answer(&ticket, &|| ControlFlow::Break(())).unwrap_err();
    assert_eq!(stopped.code, Code::Cancelled);
    assert!(jobs.keep(1, b"no table".to_vec()).is_err());
    assert!(files(&at("out")).is_empty(), "nothing of this was kept");

    assert_eq!(jobs.lose(1, &keys[..2], "its worker died").unwrap(), 2);
    let missing = jobs.missing(1).unwrap();
    assert_eq!((missing.rows, missing.failed, missing.groups.concat().len()), (2, 2, 4));
    jobs.close();
    // Lost tasks are run again where that is asked for.
    let jobs = begin(&at("study.toml"), &at("out"), true);
    let keys = jobs.missing(1).unwrap().groups.concat();
    assert_eq!(keys.len(), 6);
    assert_eq!(answer(&jobs, 1, &keys, None, true).unwrap().failed, 0);
    assert_eq!(jobs.missing(1).unwrap().rows, 6);
}
