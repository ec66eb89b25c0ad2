//! The inference on everything that is at hand: it gives a machine that can be simulated, or a reason, and never
//! panics.

#![allow(clippy::unwrap_used, reason = "tests")]

use base::{Cancelled, Instant, Silent, Span};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use twin::{Copy, Mac, Machine, Refusal, Simulation};

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path)
}

/// All files below `folder`, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { all.push(path) }
        }
    }
    all.sort();
    all
}

/// The machine of a file, or why there is none; `None` where the file holds no capture.
fn infer(path: &Path) -> Option<Result<Machine, Refusal>> {
    let capture = trace::open(path, &Default::default(), &mut Silent).ok()?;
    let trace = trace::analyse(capture, &Default::default(), &mut Silent).unwrap();
    let machine = twin::infer(&trace, &mut Silent).unwrap();
    if let Ok(machine) = &machine {
        assert_eq!((machine.ends.len(), machine.shape_of.len()), (trace.associations.len(), trace.exchanges.len()));
    }
    Some(machine)
}

/// Checks that numbers are in their ranges and that a minute of traffic can be simulated.
fn check(machine: &Machine, name: &str) {
    let nodes = machine.len();
    assert!(nodes >= 2, "{name}");
    for matrix in [&machine.reception, &machine.disturbance, &machine.sensing] {
        for (from, to, evidence) in matrix.iter() {
            let values = [evidence.mean(), evidence.quantile(0.01), evidence.quantile(0.99)];
            assert!(values.iter().all(|p| (0.0..=1.0).contains(p)), "{name}: {from} to {to}: {evidence:?}");
        }
    }
    let is_node = |node: u16| usize::from(node) < nodes;
    assert!(machine.ends.iter().flatten().all(|ends| is_node(ends.client) && is_node(ends.server)), "{name}");
    assert!(machine.routes.iter().all(|(a, b, hops)| is_node(a) && is_node(b) && hops.iter().all(|h| is_node(h.1))));
    assert!(machine.background.is_sorted_by_key(|packet| packet.at), "{name}");
    assert!(machine.background.iter().all(|p| is_node(p.from) && p.to.is_none_or(is_node)), "{name}");
    assert!(machine.processing >= Span::ZERO && machine.window.0 <= machine.window.1, "{name}");
    let mut simulation = Simulation::new(machine, 1, 0);
    let (start, count) = (machine.window.0, machine.shape_of.len().min(100));
    for (key, &shape) in machine.shape_of.iter().take(count).enumerate() {
        let association = (key % machine.ends.len()) as u32;
        simulation.send(
            start + Span::from_millis(600 * key as i64),
            Copy { association, shape, request: 0, key: key as u64 },
        );
    }
    let fates = std::iter::from_fn(|| simulation.advance(Instant::MAX)).count();
    assert_eq!(fates, count, "{name}");
}

/// Counts of outcomes of all files below `folder`, by outcome.
fn outcomes(folder: &Path) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for path in files(folder) {
        let outcome = match infer(&path) {
            None => "no capture".to_owned(),
            Some(Ok(machine)) => {
                check(&machine, &path.to_string_lossy());
                match machine.mac {
                    Mac::Tsch(_) => "TSCH".to_owned(),
                    Mac::Csma(_) => "CSMA".to_owned(),
                }
            }
            Some(Err(refusal)) => {
                assert!(refusal.to_string().len() > 20, "{refusal}");
                format!("{refusal:?}").split(' ').next().unwrap_or_default().to_owned()
            }
        };
        *counts.entry(outcome).or_default() += 1;
    }
    counts
}

#[test]
fn bundled_captures_give_machines_of_their_mac() {
    let mut seen = 0;
    // The radio logs beside them have times in whole milliseconds, which show no MAC.
    for path in files(&folder("traces")).into_iter().filter(|path| path.ends_with("capture.pcap.gz")) {
        let name = path.to_string_lossy().into_owned();
        let Some(machine) = infer(&path) else { continue };
        let kind = match &machine {
            Ok(Machine { mac: Mac::Tsch(_), .. }) => "TSCH",
            Ok(Machine { mac: Mac::Csma(_), .. }) => "CSMA",
            Err(_) => "none",
        };
        let expected = [("/tsch-", "TSCH"), ("/chain6-", "CSMA"), ("/grid3x3-", "CSMA"), ("/live-", "none")];
        if let Some((_, expected)) = expected.iter().find(|(part, _)| name.contains(part)) {
            assert_eq!(kind, *expected, "{name}: {:?}", machine.as_ref().err());
            seen += 1;
        }
        if let Ok(machine) = machine {
            check(&machine, &name);
        }
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn the_inference_stops_wherever_it_is_asked_to() {
    for name in ["tsch-slow-chain5-default", "grid3x3-burst-cocoa"] {
        let path = folder("traces").join(name).join("capture.pcap.gz");
        let capture = trace::open(&path, &Default::default(), &mut Silent).unwrap();
        let trace = trace::analyse(capture, &Default::default(), &mut Silent).unwrap();
        // Stops at the ask with this number, and returns how often it was asked.
        let stopped_at = |last: u32| {
            let mut asked = 0;
            let mut progress = |_: u64, _: u64| {
                asked += 1;
                if asked < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            (twin::infer(&trace, &mut progress), asked)
        };
        let (whole, asks) = stopped_at(u32::MAX);
        // Far more often than it has stages: once an exchange, and within every long list.
        assert!(asks as usize > trace.exchanges.len(), "{name}: {asks}");
        for last in [1, 2, 5, asks / 2, asks - 9, asks - 1, asks] {
            let (stopped, asked) = stopped_at(last);
            assert!(matches!(stopped, Err(Cancelled)), "{name}: {last} of {asks}");
            assert_eq!(asked, last, "{name}: it does not go on");
        }
        assert!(twin::infer(&trace, &mut Silent) == whole, "{name}: asking changes nothing");
    }
}

#[test]
fn radio_logs_in_milliseconds_give_a_reason() {
    let refusal = infer(&folder("traces/grid3x3-burst-cocoa/radiolog.txt.gz")).unwrap().unwrap_err();
    assert_eq!(refusal, Refusal::UnknownMac);
}

#[test]
fn damaged_files_give_reasons() {
    let counts = outcomes(&folder("src-tauri/crates/trace/tests/damaged"));
    println!("{counts:?}");
    assert!(counts.values().sum::<usize>() >= 10, "{counts:?}");
    assert_eq!(counts.get("TSCH"), None, "{counts:?}");
}

#[test]
fn public_captures_give_machines_or_reasons() {
    let Some(captures) = needs::shared("captures") else { return };
    let counts = outcomes(&captures);
    println!("{counts:?}");
    assert!(counts.values().sum::<usize>() > 300, "{counts:?}");
}

#[test]
fn one_sniffer_of_many_hops_is_told_where_another_one_would_help() {
    // In a chain, what a sniffer beside its server hears: the log says who received every frame.
    let folder = folder("traces/tsch-slow-chain5-default");
    let octets = |name: &str| {
        let mut octets = Vec::new();
        let file = std::fs::File::open(folder.join(name)).unwrap();
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(file), &mut octets).unwrap();
        octets
    };
    let log = String::from_utf8(octets("radiolog.txt.gz")).unwrap();
    let is_one = |text: &str| text.split(',').any(|node| node.trim() == "1");
    let heard: Vec<bool> = log.lines().map(|line| line.split('\t').skip(1).take(2).any(is_one)).collect();
    let whole = octets("capture.pcap.gz");
    let (mut part, mut rest) = (whole[..24].to_vec(), &whole[24..]);
    let mut frames = heard.iter();
    while rest.len() >= 16 {
        let length = rest[8..12].try_into().unwrap();
        let length = if whole[0] == 0xa1 { u32::from_be_bytes(length) } else { u32::from_le_bytes(length) };
        let (record, after) = rest.split_at(16 + length as usize);
        if *frames.next().unwrap() {
            part.extend_from_slice(record);
        }
        rest = after;
    }
    assert_eq!(frames.next(), None, "a line of the log for every frame");
    let length = part.len() as u64;
    let capture =
        trace::read("part", std::io::Cursor::new(part), Some(length), &Default::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &Default::default(), &mut Silent).unwrap();
    let refusal = twin::infer(&trace, &mut Silent).unwrap().unwrap_err();
    let Refusal::MissingHops { missing, datagrams, at } = refusal else { panic!("{refusal}") };
    assert!(missing * 4 > datagrams, "many come from further out: {missing} of {datagrams}");
    // Everything from further out passes the second node of the chain.
    let first = at.addresses().next().unwrap().to_string();
    assert!(first.ends_with('2'), "{refusal}");
    assert!(refusal.to_string().contains(&format!("others that hear who sends to {at}")), "{refusal}");
}
