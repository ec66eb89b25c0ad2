//! `rtoscope identify` on bundled captures.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn identify(capture: &str, arguments: &[&str]) -> Output {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(capture).join("capture.pcap.gz");
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).arg("identify").arg(path).arg("-q").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_californium_client_with_cocoa_is_told() {
    let said = text(&identify("live-ge-cocoa", &[]));
    assert!(said.starts_with("all clients: Family CoCoA: CoCoA, Californium 3"), "{said}");
    // The table below it says families by the same names; ids are for programs.
    let families: Vec<&str> = said.lines().skip(2).map(|line| line.get(31..46).unwrap().trim()).collect();
    assert_eq!(families.len(), 5, "{said}");
    let known = ["CoCoA", "CoCoA++", "RFC 6298", "Linux", "Peak-Hopper", "Basic RTO", "CoAP", "Balandina γ"];
    assert!(families[0] == "CoCoA" && families.iter().all(|family| known.contains(family)), "{families:?}");
}

#[test]
fn families_that_are_left_are_named_too() {
    let said = text(&identify("grid3x3-burst-default", &["--top", "1"]));
    assert!(said.contains(": Cannot tell among CoAP, ECOAP RPL: "), "{said}");
}

#[test]
fn json_has_rankings_and_timeouts() {
    let found: Value = serde_json::from_str(&text(&identify("live-ge-default", &["--json"]))).unwrap();
    assert_eq!(found["trace"]["verdict"]["kind"], "identified");
    assert_eq!(found["trace"]["verdict"]["families"][0], "coap");
    let first = &found["trace"]["candidates"][0];
    assert_eq!((&first["family"], &first["family_name"]), (&Value::from("coap"), &Value::from("CoAP")));
    // RFC 7252 §4.8: the first timeout is 2 to 3 s.
    let timeouts = found["timeouts"].as_array().unwrap();
    let first = timeouts.iter().filter(|t| t["copy"] == 0 && t["last"] == false);
    let seconds: Vec<f64> = first.map(|t| t["value"].as_f64().unwrap() / 1e9).collect();
    assert!(!seconds.is_empty() && seconds.iter().all(|s| (1.99..3.01).contains(s)), "{seconds:?}");
}

#[test]
fn timeouts_are_listed_with_their_errors() {
    let list = text(&identify("live-ge-default", &["--timeouts"]));
    assert!(list.starts_with("client  exchange  copy"), "{list}");
    assert!(list.lines().count() > 20);
}

#[test]
fn one_client_or_a_wrong_name() {
    let one = text(&identify("live-bottleneck-cocoa", &["--client", "10.77.0.11", "--top", "1"]));
    assert_eq!(one.lines().filter(|line| !line.starts_with(' ')).count(), 1, "one ranking: {one}");
    let wrong = identify("live-ge-default", &["--client", "nobody"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("there is no client `nobody`"));
}
