//! `rtoscope calibrate` over the bundled runs: `docs/calibration.md` shows what it prints.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn calibrate(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope"))
        .arg("calibrate")
        .arg(root().join("traces"))
        .args(args)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn docs_show_what_is_printed() {
    let page = std::fs::read_to_string(root().join("docs/calibration.md")).unwrap();
    let (_, rest) = page.split_once("<!-- calibration -->").unwrap();
    let (shown, _) = rest.split_once("<!-- /calibration -->").unwrap();
    let printed = text(&calibrate(&["--markdown"]));
    assert_eq!(shown.trim(), printed.trim(), "`npm run calibrate` renews it");
}

#[test]
fn rows_have_the_columns_that_were_promised_for_every_pair() {
    let args = ["--json", "--only", "ge", "--replicates", "20"];
    let printed = text(&calibrate(&args));
    assert_eq!(printed, text(&calibrate(&args)), "the same every time");
    let rows: Vec<Value> = serde_json::from_str(&printed).unwrap();
    let columns = [
        "scenario",
        "seed",
        "from",
        "to",
        "channel",
        "metric",
        "predicted",
        "lo90",
        "hi90",
        "real",
        "no_change",
        "naive",
    ];
    // Beside them: what would have happened in the trace of `from` itself, the scores of both, whether they ran the
    // same timer, and the kind of model error.
    let beside = ["this_lo90", "this_hi90", "crps", "this_crps", "repeat", "model_error"];
    let mut expected = [&columns[..], &beside].concat();
    expected.sort_unstable();
    for row in &rows {
        let mut names: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, expected);
    }
    // Four runs: twelve ordered pairs, six measures each, by every channel.
    let channels: std::collections::BTreeSet<&str> = rows.iter().map(|r| r["channel"].as_str().unwrap()).collect();
    assert_eq!(rows.len(), 12 * 6 * channels.len());
    // `no_change` of one pair is the real value of the opposite pair.
    for row in &rows {
        let other =
            rows.iter().find(|r| r["from"] == row["to"] && r["to"] == row["from"] && r["metric"] == row["metric"]);
        assert_eq!(row["no_change"], other.unwrap()["real"]);
    }
    let one = |row: &&Value| row["from"] == "NULL" && row["to"] == "COCOA" && row["metric"] == "retries_mean";
    let row = rows.iter().filter(one).find(|row| row["channel"] == "empirical").unwrap();
    // 52 retransmissions in 263 exchanges, as the client logged (traces/live-ge-cocoa/README.md).
    assert!((row["real"].as_f64().unwrap() - 52.0 / 263.0).abs() < 0.01, "{row}");
}

#[test]
fn what_cannot_be_is_refused() {
    let output = calibrate(&["--channel", "crystal-ball"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("empirical"));
    let output = calibrate(&["--only", "atlantis"]);
    assert_eq!(output.status.code(), Some(2));
}
