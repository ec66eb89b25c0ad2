//! A recording as the window sees it: from a pipe to exchanges that grow.
#![cfg(unix)]

#[path = "requests/call.rs"]
mod requests;

use api::Session;
use requests::{call, ok};
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Until the recording has so many frames on the disk.
fn until(session: &Session, frames: u64) {
    for _ in 0..4_800 {
        if ok(session, "live_state", Value::Null)["frames"].as_f64() == Some(frames as f64) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{}", ok(session, "live_state", Value::Null));
}

/// A bundled capture, and where its first `records` records end.
fn capture(records: usize) -> (Vec<u8>, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/chain6-periodic-default/capture.pcap.gz");
    let octets = Command::new("gzip").args(["-dc"]).arg(path).output().expect("gzip runs").stdout;
    let mut end = 24;
    for _ in 0..records {
        let length = octets[end + 8..end + 12].try_into().map(u32::from_be_bytes).expect("a record");
        end += 16 + length as usize;
    }
    (octets, end)
}

#[test]
fn exchanges_grow_with_the_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let (fifo, out) = (folder.path().join("fifo"), folder.path().join("out.pcapng"));
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
    let session = Session::default();
    assert_eq!(ok(&session, "live_state", Value::Null), Value::Null);
    assert_eq!(ok(&session, "live_stop", Value::Null), Value::Null);
    assert_eq!(ok(&session, "live_refresh", Value::Null), Value::Null);
    let plan = json!({ "devices": [{ "device": format!("pipe:{}", fifo.display()), "channel": 26 }], "path": out });
    let begun = ok(&session, "live_start", plan.clone());
    assert_eq!((&begun["is_running"], &begun["trouble"]), (&json!(true), &json!("")));
    assert!(call(&session, "live_start", plan.clone()).is_err(), "one at a time");
    let (octets, first) = capture(2_000);
    let mut pipe = OpenOptions::new().write(true).open(&fifo).expect("opened");
    pipe.write_all(&octets[..first]).expect("taken");
    until(&session, 2_000);
    let before = ok(&session, "live_refresh", Value::Null);
    assert_eq!(before["frames"], 2_000);
    assert_eq!(ok(&session, "live_refresh", Value::Null), Value::Null, "nothing is new");
    let (_, end) = capture(6_000);
    pipe.write_all(&octets[first..end]).expect("taken");
    until(&session, 6_000);
    let after = ok(&session, "live_refresh", Value::Null);
    assert_eq!((&after["frames"], &after["id"]), (&json!(6_000), &before["id"]));
    assert!(after["exchanges"].as_u64() > before["exchanges"].as_u64());
    assert_eq!(ok(&session, "live_state", Value::Null)["capture"], before["id"]);
    // The recording has the same content as the file it came from.
    let part = folder.path().join("part.pcap");
    std::fs::write(&part, &octets[..end]).expect("written");
    let reference = ok(&session, "open", json!({ "path": part, "sample": null, "merge": null, "decode": null }));
    for name in ["frames", "messages", "exchanges", "copies"] {
        assert_eq!(after[name], reference[name], "{name}");
    }
    let stopped = ok(&session, "live_stop", Value::Null);
    assert_eq!((&stopped["is_running"], &stopped["frames"]), (&json!(false), &json!(6_000.0)));
    let again = call(&session, "live_start", plan).expect_err("the recording stays");
    assert!(again.message.contains("is there already"), "{}", again.message);
}

#[test]
fn what_cannot_be_recorded() {
    let session = Session::default();
    let start = |device: &str, channel: u8, path: &str| {
        call(&session, "live_start", json!({ "devices": [{ "device": device, "channel": channel }], "path": path }))
    };
    for (device, channel, path) in [("eth0", 11, "/tmp/x"), ("zep", 10, "/tmp/x"), ("zep", 11, "/nowhere/x.pcapng")] {
        let error = start(device, channel, path).expect_err(device);
        assert_eq!(error.code, api::Code::Request, "{error:?}");
    }
    assert!(call(&session, "live_start", json!({ "devices": [], "path": "/tmp/x" })).is_err());
    assert!(call(&session, "live_channel", json!({ "device": 0, "channel": 27 })).is_err());
    assert!(ok(&session, "live_devices", Value::Null).is_array());
}
