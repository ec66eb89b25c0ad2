//! Following a capture or a log on disk as the window does: it grows, it is stopped, it is read as it is then.

#[path = "requests/call.rs"]
mod requests;

use api::{Code, Session};
use requests::{call, ok};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn open(session: &Session, path: &Path) -> Value {
    ok(session, "open", json!({ "path": path, "sample": null, "merge": null, "decode": null }))
}

/// The octets of a bundled capture, unpacked, and where its first `records` records end.
fn capture(records: usize) -> (Vec<u8>, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/chain6-periodic-default/capture.pcap.gz");
    let mut octets = Vec::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(path).expect("bundled")).read_to_end(&mut octets).expect("gzip");
    let mut end = 24;
    for _ in 0..records {
        let length = octets[end + 8..end + 12].try_into().map(u32::from_be_bytes).expect("a record");
        end += 16 + length as usize;
    }
    (octets, end)
}

struct Growing {
    _folder: tempfile::TempDir,
    path: PathBuf,
    octets: Vec<u8>,
}

impl Growing {
    /// A file with the first `records` records.
    fn new(records: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing.pcap");
        let (octets, end) = capture(records);
        fs::write(&path, &octets[..end]).expect("written");
        Self { _folder: folder, path, octets }
    }

    /// Appends up to octet `end`.
    fn grow(&self, end: usize) {
        let from = fs::metadata(&self.path).expect("there").len() as usize;
        let mut file = OpenOptions::new().append(true).open(&self.path).expect("opened");
        file.write_all(&self.octets[from..end]).expect("written");
    }
}

/// Two views of one content are equal but for their number.
fn same(a: &Value, b: &Value) -> bool {
    let but_number = |view: &Value| {
        let mut view = view.clone();
        view["id"] = Value::Null;
        view
    };
    but_number(a) == but_number(b)
}

#[test]
fn a_file_is_followed_to_what_it_is_when_it_is_stopped() {
    let session = Session::default();
    assert_eq!(ok(&session, "follow_state", Value::Null), Value::Null);
    assert_eq!(ok(&session, "follow_refresh", Value::Null), Value::Null);
    assert_eq!(ok(&session, "follow_stop", Value::Null), Value::Null);
    let file = Growing::new(2_000);
    let opened = open(&session, &file.path);
    let asked = json!({ "path": file.path, "capture": opened["id"] });
    let begun = ok(&session, "follow_start", asked);
    assert_eq!(begun, json!({ "path": file.path, "capture": opened["id"] }));
    // The first look takes the place of the capture that was open.
    let first = ok(&session, "follow_refresh", Value::Null);
    assert_eq!((&first["frames"], &first["id"]), (&json!(2_000), &opened["id"]));
    assert_eq!(ok(&session, "follow_refresh", Value::Null), Value::Null, "nothing is new");
    // Half of a record is nothing yet, and no damage.
    let (_, end) = capture(6_000);
    file.grow(end + 7);
    let grown = ok(&session, "follow_refresh", Value::Null);
    assert_eq!((&grown["frames"], &grown["id"]), (&json!(6_000), &opened["id"]));
    assert!(grown["exchanges"].as_u64() > opened["exchanges"].as_u64());
    let cut = |view: &Value| view["notes"].as_array().expect("notes").iter().any(|n| n["code"] == "truncated-record");
    assert!(!cut(&grown), "its writer may go on");
    // Stopped, it is what opening it gives: with the note about the end that nobody finished.
    let stopped = ok(&session, "follow_stop", Value::Null);
    assert!(cut(&stopped), "{}", stopped["notes"]);
    assert_eq!(stopped["id"], opened["id"]);
    assert!(same(&stopped, &open(&session, &file.path)), "{stopped}");
    assert_eq!(ok(&session, "follow_state", Value::Null), Value::Null);
    assert_eq!(ok(&session, "follow_refresh", Value::Null), Value::Null);
}

#[test]
fn a_file_that_is_not_there_yet_becomes_a_capture_of_its_own() {
    let session = Session::default();
    let file = Growing::new(50);
    let path = file.path.with_extension("later");
    ok(&session, "follow_start", json!({ "path": path }));
    assert_eq!(ok(&session, "follow_refresh", Value::Null), Value::Null);
    fs::copy(&file.path, &path).expect("copied");
    let view = ok(&session, "follow_refresh", Value::Null);
    assert_eq!(view["frames"], 50);
    assert_eq!(ok(&session, "follow_state", Value::Null)["capture"], view["id"]);
    // Another recording in its place is said.
    let (octets, end) = capture(20);
    fs::write(&path, &octets[..end]).expect("written");
    let anew = ok(&session, "follow_refresh", Value::Null);
    let notes = anew["notes"].as_array().expect("notes");
    assert_eq!((anew["frames"].as_u64(), &anew["id"]), (Some(20), &view["id"]));
    assert!(notes.iter().any(|note| note["code"] == "file-restarted"), "{notes:?}");
    // A capture that was closed does not come back at the end.
    ok(&session, "close", json!({ "capture": view["id"] }));
    assert_eq!(ok(&session, "follow_stop", Value::Null), Value::Null);
    assert_eq!(ok(&session, "captures", Value::Null), json!([]));
}

#[test]
fn what_cannot_be_followed_says_why() {
    let session = Session::default();
    for (path, capture) in [("", Value::Null), ("-", Value::Null), ("/x.pcap", json!(7))] {
        assert!(call(&session, "follow_start", json!({ "path": path, "capture": capture })).is_err(), "{path}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letter.txt");
    fs::write(&path, "Dear reader, this is longer than any header and no capture.").expect("written");
    ok(&session, "follow_start", json!({ "path": path }));
    let error = call(&session, "follow_refresh", Value::Null).expect_err("no capture");
    assert_eq!(error.code, Code::Capture, "{error:?}");
    // Such a file may become one: it is looked at again.
    let (octets, end) = capture(9);
    fs::write(&path, &octets[..end]).expect("written");
    assert_eq!(ok(&session, "follow_refresh", Value::Null)["frames"], 9);
}

/// Runs that were under way when the capture grew are not those of the grown one, which has the same number.
#[test]
fn runs_of_what_a_capture_was_are_none_of_what_it_has_become() {
    let file = Growing::new(2_000);
    let (_, end) = capture(6_000);
    let session = Session::default();
    let opened = open(&session, &file.path);
    ok(&session, "follow_start", json!({ "path": file.path, "capture": opened["id"] }));
    ok(&session, "follow_refresh", Value::Null);
    let request = |replicates: u32| {
        let fixed = json!({ "channel": "empirical", "workload": "auto", "seed": 1, "bounds": true, "baseline": null });
        let mut request = fixed.as_object().expect("an object").clone();
        request.insert("capture".to_owned(), opened["id"].clone());
        request.insert("replicates".to_owned(), json!(replicates));
        request.insert("algorithms".to_owned(), json!([{ "id": "cocoa_plus", "params": {} }]));
        Value::Object(request)
    };
    let mut has_grown = false;
    let mut grow = |_: u64, _: u64| {
        if !std::mem::replace(&mut has_grown, true) {
            file.grow(end);
            assert_eq!(ok(&session, "follow_refresh", Value::Null)["frames"], 6_000);
        }
        ControlFlow::Continue(())
    };
    let error = session.call("replay", request(3), &mut grow).expect_err("it has grown");
    assert_eq!(error.code, Code::Gone, "{error:?}");
    // Neither the same run nor one that goes on from it is of the shorter capture.
    let fresh = Session::default();
    open(&fresh, &file.path);
    for replicates in [3, 5] {
        let [runs, expected] =
            [&session, &fresh].map(|session| ok(session, "replay", request(replicates))["runs"][0].clone());
        for field in ["copies", "needless", "metrics"] {
            assert_eq!(runs[field], expected[field], "{field} of {replicates} replicates");
        }
    }
}

/// A stopped request changes nothing: what it would have shown is still new, and the file is still followed.
#[test]
fn a_cancelled_look_loses_nothing() {
    let file = Growing::new(4_000);
    for name in ["follow_refresh", "follow_stop"] {
        let mut after = 0;
        loop {
            let session = Session::default();
            ok(&session, "follow_start", json!({ "path": file.path }));
            if name == "follow_stop" {
                ok(&session, "follow_refresh", Value::Null);
            }
            let mut ticks = 0;
            let mut stop = |_: u64, _: u64| {
                ticks += 1;
                if ticks > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let reply = session.call(name, Value::Null, &mut stop);
            if reply.is_ok() {
                break;
            }
            assert_eq!(reply.expect_err("cancelled").code, Code::Cancelled);
            assert_ne!(ok(&session, "follow_state", Value::Null), Value::Null, "{name} after {after}");
            assert_eq!(ok(&session, name, Value::Null)["frames"], 4_000, "{name} after {after}");
            after += 1 + after / 3;
        }
        assert!(after > 3, "{name} was stopped at several places, {after}");
    }
}
