//! `rtoscope network` as other programs see it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-default/radiolog.txt.gz");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.arg("network").arg(file).arg("--quiet").args(args).output().expect("rtoscope runs")
}

fn ok(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn columns_are_an_interface() {
    let header = |args: &[&str]| ok(&[args, &["--format", "csv"]].concat()).lines().next().map(str::to_owned);
    let links = "from,to,frames,unique,acked,loss,loss_lo95,loss_hi95,loss_by,delivered,attempts,delay_p50,delay_p95,airtime,messages,copies,needless,rssi,lqi";
    assert_eq!(header(&[]).as_deref(), Some(links));
    assert_eq!(header(&["--links"]).as_deref(), Some(links));
    let nodes = "name,role,heard,mac,addresses,client,server,frames,broadcasts,airtime,rank,parent,parent_by,parent_changes,x,y,listed";
    assert_eq!(header(&["--nodes"]).as_deref(), Some(nodes));
    assert_eq!(header(&["--parents"]).as_deref(), Some("time,node,parent"));
}

#[test]
fn a_chain_in_every_form() {
    let links: Value = serde_json::from_str(&ok(&["--links", "--format", "json"])).expect("JSON");
    let rows = links.as_array().expect("rows");
    // Five motes in a line: four pairs, both directions.
    assert_eq!(rows.len(), 8);
    assert_eq!(ok(&[]).lines().count(), 9);
    // The log's own columns, counted with awk: 1816 frames from mote 1 to mote 2, 1018 of them without 2 in `to`.
    assert_eq!((&rows[0]["from"], &rows[0]["to"]), (&Value::from("mote 1"), &Value::from("mote 2")));
    assert_eq!((&rows[0]["frames"], &rows[0]["loss_by"]), (&Value::from(1_816), &Value::from("log")));
    assert_eq!(rows[0]["loss"].as_f64(), Some((1_018.0 / 1_816.0 * 1e4_f64).round() / 1e4));
    let all: Value = serde_json::from_str(&ok(&["--format", "json"])).expect("JSON");
    assert_eq!(all["links"].as_array().map(Vec::len), Some(8));
    assert_eq!(all["nodes"].as_array().map(Vec::len), Some(5));
    assert_eq!(all["mode_of_operation"], 1);
}

#[test]
fn one_listing_at_a_time() {
    assert_eq!(run(&["--links", "--nodes"]).status.code(), Some(2));
    assert_eq!(run(&["--nodes", "--parents"]).status.code(), Some(2));
}
