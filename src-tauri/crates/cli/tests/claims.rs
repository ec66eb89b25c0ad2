//! Estimates that the command line shows, and the assumptions that replace them.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(args).output().unwrap()
}

fn ok(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn capture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(name).to_str().unwrap().to_owned()
}

fn json(args: &[&str]) -> Vec<Value> {
    serde_json::from_str::<Value>(&ok(args)).unwrap().as_array().unwrap().clone()
}

#[test]
fn a_person_knows_better() {
    let file = capture("live-ge-default/capture.pcap.gz");
    let of = |more: &[&str], key: &str| -> Vec<String> {
        let rows = json(&[&["exchanges", &file, "--format", "json"], more].concat());
        rows.iter().map(|row| row[key].as_str().unwrap().to_owned()).collect()
    };
    assert!(of(&[], "vantage").iter().all(|v| v == "client"));
    assert!(of(&[], "workload").iter().all(|v| v == "think_time"));
    assert!(of(&["--assume-vantage", "server"], "vantage").iter().all(|v| v == "server"));
    assert!(of(&["--assume-workload", "arrivals"], "workload").iter().all(|v| v == "arrivals"));
    // The assumption is about one client only.
    let rows = json(&["exchanges", &file, "--format", "json"]);
    let client = format!("{}:{}", rows[0]["client"].as_str().unwrap(), rows[0]["client_port"]);
    let said = format!("{client}=server");
    let vantages = of(&["--assume-vantage", &said], "vantage");
    assert!(vantages.iter().any(|v| v == "server"));
    let view: Value =
        serde_json::from_str(&ok(&["info", &file, "--format", "json", "--assume-vantage", &said])).unwrap();
    let given: Vec<bool> =
        view["associations"].as_array().unwrap().iter().map(|a| a["vantage_given"].as_bool().unwrap()).collect();
    assert_eq!(given.iter().filter(|&&given| given).count(), 1, "{given:?}");

    let wrong = run(&["exchanges", &file, "--assume-vantage", "beside"]);
    assert!(!wrong.status.success());
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("client, server, between, everywhere"));
    let unknown = run(&["exchanges", &file, "--assume-vantage", "mote 9=server"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there is no client `mote 9`"));
}

#[test]
fn claims_have_their_errors() {
    let file = capture("chain6-periodic-default/radiolog.txt.gz");
    let file = if Path::new(&file).exists() { file } else { capture("chain6-periodic-default/capture.pcap.gz") };
    let rows = json(&["exchanges", &file, "--format", "json"]);
    // On its way out a copy waits for the channel: its timer was armed before its first frame.
    for row in &rows {
        assert!(row["handed_over"].as_f64().unwrap() <= row["start"].as_f64().unwrap());
        assert!(row["handed_error"].as_f64().unwrap() > 0.0);
        assert_eq!(row["ready"].is_null(), row["ready_error"].is_null());
    }
    assert!(rows.iter().any(|row| row["head"] == "seen"));
    let text = ok(&["info", &file]);
    for part in [
        "vantage every hop, workload arrivals",
        "wait in client",
        "nine in ten",
        "arrivals, start to start",
        "sent the moment the one before ended",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // An exchange is related to itself at least.
    let one = json(&["exchanges", &file, "--format", "json", "--related", "3"]);
    assert!(one.iter().any(|row| row["id"] == 3));
    assert!(one.len() < rows.len());
    assert!(!run(&["exchanges", &file, "--related", "999999"]).status.success());
}
