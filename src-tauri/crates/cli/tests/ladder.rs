//! The ladder on the command line: its table, its text, its JSON.

#![allow(clippy::unwrap_used, reason = "tests")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-default/capture.pcap.gz");
    let (command, rest) = args.split_first().unwrap();
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).arg(command).arg(file).arg("-q").args(rest).output().unwrap()
}

fn ok(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn copies_hop_by_hop_are_a_table() {
    let csv = ok(&["exchanges", "--copies", "--hops", "--format", "csv"]);
    assert_eq!(
        csv.lines().next().unwrap(),
        "exchange,part,number,hop,src,dst,sent,arrived,delivery,ending,queue,mac_delay,fragments,attempts,retries,\
         acknowledged,duplicate,hop_limit,frames"
    );
    let rows: Vec<Value> = serde_json::from_str(&ok(&["exchanges", "--copies", "--hops", "--format", "json"])).unwrap();
    assert_eq!(csv.lines().count(), rows.len() + 1);
    // Every frame of every hop of every message of an exchange is in one row: as `messages --hops` lists them.
    let hops: Vec<Value> = serde_json::from_str(&ok(&["messages", "--hops", "--format", "json"])).unwrap();
    let frames =
        |rows: &[Value]| -> usize { rows.iter().map(|row| row["frames"].as_str().unwrap().split(' ').count()).sum() };
    assert!(frames(&rows) > 3_000 && frames(&rows) <= frames(&hops));
    assert!(rows.iter().all(|row| row["attempts"].as_u64() >= row["fragments"].as_u64()));
    assert_eq!(run(&["exchanges", "--hops"]).status.code(), Some(2), "hops are those of copies");
}

#[test]
fn one_exchange_is_printed_hop_by_hop() {
    let text = ok(&["ladder", "--exchange", "6"]);
    for part in [
        "exchange 6, MID 52210, token 0402, 0.03, first copy at ",
        "  node 1  mote 4, client, 00:04:00:04:00:04:00:04",
        "  node 4  mote 1, server, ",
        "copy 1  +0.000000 s, timer ",
        "copy 3  ",
        ", needless",
        "    mote 4 → mote 3  +0.000000 s, got through, MAC ",
        " retry 1: not acknowledged",
        ": acknowledged by frame ",
        "    mote 3 had it for ",
        "piggybacked response to copy ",
        ", closes the exchange",
        "closed  +9.692240 s",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let view: Value = serde_json::from_str(&ok(&["ladder", "--exchange", "6", "--format", "json"])).unwrap();
    assert_eq!(view["nodes"].as_array().unwrap().len(), 4);
    assert_eq!(view["sides"].as_array().unwrap().len(), 1);
    assert_eq!(run(&["ladder", "--exchange", "99999"]).status.code(), Some(2), "it is asked the wrong way");
}
