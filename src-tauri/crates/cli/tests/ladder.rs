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

#[test]
fn an_exchange_is_printed_as_the_network_twin_simulated_it() {
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["ladder", "--exchange", "6", "--algorithm", "cocoa_plus", "--channel", "twin"], more].concat()
    }
    let view =
        |more: &[&str]| -> Value { serde_json::from_str(&ok(&with(&[&["--format", "json"], more].concat()))).unwrap() };
    let (first, third) = (view(&[]), view(&["--replicate", "3"]));
    let recorded: Value = serde_json::from_str(&ok(&["ladder", "--exchange", "6", "--format", "json"])).unwrap();
    for (view, replicate) in [(&first, 1), (&third, 3)] {
        assert_eq!(view["sides"][0], recorded["sides"][0], "the recorded side is the same");
        assert_eq!(view["sides"][1]["simulated"]["replicate"], replicate);
        let copies = view["sides"][1]["copies"].as_array().unwrap();
        assert!(!copies.is_empty() && copies.iter().all(|copy| copy["transit"]["message"].is_null()));
        assert!(copies.iter().any(|copy| !copy["transit"]["legs"].as_array().unwrap().is_empty()));
    }
    assert_ne!(first["sides"][1]["copies"], third["sides"][1]["copies"], "another replicate is another run");
    assert_eq!(third, view(&["--replicate", "3"]), "the same replicate is the same");
    assert_ne!(first, view(&["--seed", "2"]), "another seed is another run");
    let text = ok(&with(&["--replicate", "3"]));
    let (above, below) =
        text.split_once("\nunder CoCoA+, channel network twin, seed 1, simulated, replicate 3: ").unwrap();
    assert!(above.contains("closed  +9.692240 s") && !above.contains("simulated"), "{above}");
    for part in ["first copy at ", "copy 1  +0.000000 s, timer ", "        frame simulated  +", "(simulated)"] {
        assert!(below.contains(part), "{part:?} is not in\n{below}");
    }
    assert!(!below.contains("(unknown)"), "{below}");
    // Other channels have one replicate, with the recorded hops of copies that are as recorded.
    let empirical = ["ladder", "--exchange", "6", "--algorithm", "coap_default", "--channel", "empirical"];
    let text = ok(&empirical);
    assert!(text.contains("\nunder ") && !text.contains("simulated"), "{text}");
    let refused = run(&[&empirical[..], &["--replicate", "2"]].concat());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("Choose the channel twin"), "{said}");
}
