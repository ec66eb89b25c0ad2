//! Paired differences of `replay`: to what was recorded, and to one of the timers replayed.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// `replay` of a bundled capture under two timers.
fn replay(args: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/live-ge-default/capture.pcap.gz");
    let timers = ["--algorithm", "cocoa_plus:rto_max=60", "--algorithm", "coap_default"];
    let channel = ["--channel", "empirical", "--replicates", "8", "-q"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.arg("replay").arg(file).args(timers).args(channel).args(args).output().expect("rtoscope runs")
}

fn ok(args: &[&str]) -> String {
    let output = replay(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn differences_are_paired_and_say_to_what() {
    let document =
        |args: &[&str]| -> Value { serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).expect("JSON") };
    let to_recorded = document(&[]);
    assert!(to_recorded["baseline"].is_null());
    let to_default = document(&["--baseline", "coap_default"]);
    assert_eq!(to_default["baseline"]["id"], "coap_default");
    for metric in ["duration_mean", "retries_mean", "sending_rate"] {
        let [mean, other] = [0, 1].map(|run| number(&to_default["runs"][run]["metrics"][metric]["mean"]));
        let difference =
            |document: &Value, run: usize, part: &str| number(&document["runs"][run]["differences"][metric][part]);
        assert!((difference(&to_default, 0, "mean") - (mean - other)).abs() < 1e-9, "{metric}");
        assert!(difference(&to_default, 0, "lo90") <= difference(&to_default, 0, "hi90"), "{metric}");
        assert_eq!([difference(&to_default, 1, "mean"), difference(&to_default, 1, "hi90")], [0.0, 0.0], "to itself");
        let recorded = number(&to_recorded["runs"][0]["metrics"][metric]["recorded"]);
        assert!((difference(&to_recorded, 0, "mean") - (mean - recorded)).abs() < 1e-9, "{metric}");
    }
}

#[test]
fn rows_have_them_and_a_baseline_must_be_replayed() {
    let csv = ok(&["--baseline", "cocoa_plus:rto_max=60", "--format", "csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column =
        |name: &str| header.iter().position(|cell| *cell == name).unwrap_or_else(|| panic!("no {name}: {header:?}"));
    let columns = ["algorithm", "metric", "difference", "difference_lo90", "difference_hi90", "baseline"].map(column);
    let rows: Vec<[String; 6]> = lines.map(|row| columns.map(|at| row[at].to_owned())).collect();
    let of = |algorithm: &str| {
        rows.iter().find(|row| row[0].starts_with(algorithm) && row[1] == "retries_mean").expect("a row")
    };
    assert_eq!(of("cocoa_plus")[2].parse(), Ok(0.0));
    assert!(of("coap_default")[2].parse::<f64>().is_ok_and(|difference| difference != 0.0));
    assert!(rows.iter().all(|row| row[5].starts_with("cocoa_plus")), "{rows:?}");
    let refused = replay(&["--baseline", "linux_rto"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("linux_rto"));
}
