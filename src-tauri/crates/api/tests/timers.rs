//! Timers of recorded copies: what logs say, what gaps tell, and that a gap on the air is called one.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::view::{ExchangeView, LadderView, OpenRequest, TimerKind};
use api::{DecodeOptions, ImportOptions, Opened, ReadOptions, Reply, Session, Silent, Span, Trace};
use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

fn traces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces")
}

fn ask<T: DeserializeOwned>(session: &Session, name: &str, request: serde_json::Value) -> T {
    let Reply::Json(view) = session.call(name, request, &mut Silent).unwrap() else { panic!("{name} is JSON") };
    serde_json::from_value(view).unwrap()
}

/// Mote 3, MID 50205 of *Needless storm*: the client armed 2.053 s, and its second copy was on the air 6.080 s after
/// the first.
#[test]
fn an_armed_timer_is_shown_and_the_gap_on_the_air_beside_it() {
    let session = Session::default();
    let request = OpenRequest { sample: Some("tsch-slow-chain5-default".to_owned()), ..OpenRequest::default() };
    let capture = session.open(&request, &mut Silent).unwrap();
    let lane = capture.associations.iter().find(|a| a.client_name == "mote 3").unwrap();
    let of = |id: u32| -> ExchangeView {
        ask(&session, "exchange", json!({ "capture": capture.id, "exchange": id, "runs": [] }))
    };
    let found = (0..capture.exchanges).map(of).find(|e| e.association == lane.id && e.mid == 50_205).unwrap();
    let [first, second] = &found.sides[0].copies[..] else { panic!("two copies") };
    let timer = first.timer.unwrap();
    assert_eq!((timer.value, timer.known), (Span::from_millis(2_053), TimerKind::Log));
    assert!(timer.error > Span::ZERO && timer.error <= Span::from_millis(1));
    assert_eq!(first.gap.unwrap().millis(), 6_080);
    assert_eq!(second.timer.unwrap().value, Span::from_millis(4_106));
    assert_eq!(second.gap, None);
    // The copies waited for 4.027 s less and more: what the gap is longer than the timer by.
    let waited = second.wait.unwrap().value - first.wait.unwrap().value;
    assert!((waited - Span::from_millis(4_027)).abs() < Span::from_millis(3), "{waited}");
    // The start of the exchange in its client is no estimate then.
    assert_eq!(found.handed_over.at, first.sent - first.wait.unwrap().value);
    let ladder: LadderView =
        ask(&session, "ladder", json!({ "capture": capture.id, "exchange": found.exchange, "runs": [] }));
    let copy = &ladder.sides[0].copies[0];
    assert_eq!((copy.timer.unwrap().value, copy.gap.unwrap().millis(), copy.expired), (timer.value, 6_080, true));
}

fn text(path: &Path) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// Timers that clients printed, ms, by client (port or mote), Message ID and copy.
type Armed = HashMap<(i64, i64, usize), i64>;

/// From `client.csv` of a live run.
fn printed(path: &Path) -> Armed {
    let text = text(path);
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap();
    let columns = ["ev", "client", "mid", "copy", "timeout_ms"].map(column);
    lines
        .filter_map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let [ev, client, mid, copy, timeout] = columns.map(|column| cells[column]);
            let int = |text: &str| text.parse::<i64>().unwrap();
            (ev == "tx").then(|| ((int(client), int(mid), copy.parse().unwrap()), int(timeout)))
        })
        .collect()
}

/// From `exchanges.tsv` of a simulated run.
fn armed(path: &Path) -> Armed {
    let text = text(path);
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap();
    let [client, mid, timers] = ["client", "mid", "rtos_ms"].map(column);
    lines
        .flat_map(|cells| {
            let key = (cells[client].parse().unwrap(), cells[mid].parse().unwrap());
            let all: Vec<i64> = cells[timers].split(',').map(|ms| ms.parse().unwrap()).collect();
            all.into_iter().enumerate().map(move |(copy, ms)| ((key.0, key.1, copy), ms)).collect::<Vec<_>>()
        })
        .collect()
}

/// Inferred timers, the number of them whose interval holds the armed one, and the number of gaps.
fn score(capture: &Path, armed: &Armed, client: impl Fn(&Trace, usize) -> i64) -> (usize, usize, usize) {
    let octets = std::fs::read(capture).unwrap();
    let reading = ReadOptions {
        import: ImportOptions::default(),
        decode: DecodeOptions { rc_option: 65_002, ..DecodeOptions::default() },
    };
    // From memory, so that no log beside it is found.
    let trace = api::decode_octets("x.pcap.gz", octets, &reading.import, &reading.decode, &mut Silent).unwrap();
    let opened = Opened::new(trace, reading.import, Vec::new(), &mut Silent).unwrap();
    let trace = &opened.trace;
    let (mut told, mut held, mut gaps) = (0, 0, 0);
    for exchange in &trace.exchanges {
        let client = client(trace, exchange.association.index());
        for copy in 0..exchange.copies.len() {
            gaps += usize::from(copy + 1 < exchange.copies.len());
            let Some(timer) = opened.timers.get(exchange.id, copy) else { continue };
            let Some(&ms) = armed.get(&(client, i64::from(exchange.mid), copy)) else { continue };
            told += 1;
            held += usize::from((timer.value - Span::from_millis(ms)).abs() <= timer.error + Span::from_millis(1));
        }
    }
    (told, held, gaps)
}

/// Runs two levels below `root` with both files; every `step`-th where not all are asked for.
fn runs(root: &Path, file: &str) -> Vec<PathBuf> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> =
            std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()).collect();
        found.sort();
        found
    };
    folders(root).iter().flat_map(|world| folders(world)).filter(|run| run.join(file).is_file()).collect()
}

/// Intervals of 95 % about inferred timers hold what clients armed.
#[test]
fn inferred_timers_hold_what_was_armed() {
    let port = |trace: &Trace, association: usize| i64::from(trace.associations[association].client.port) - 40_001;
    let mut folders: Vec<PathBuf> =
        ["ge-default", "ge-cocoa", "ge-linux", "sleepy-default", "bottleneck-cocoa", "short-cocoa"]
            .map(|id| traces().join(format!("live-{id}")))
            .to_vec();
    let step = if needs::everything() { 1 } else { 9 };
    if let Some(root) = needs::shared("live") {
        folders.extend(runs(&root, "client.csv.gz").into_iter().step_by(step));
    }
    let (mut told, mut held) = (0, 0);
    for folder in folders {
        let capture = ["capture.pcap.gz", "client.pcap.gz"].map(|name| folder.join(name));
        let Some(capture) = capture.iter().find(|path| path.is_file()) else { continue };
        let score = score(capture, &printed(&folder.join("client.csv.gz")), port);
        let share = 100.0 * score.1 as f64 / score.0.max(1) as f64;
        println!("{:60} {:5} of {:5} gaps told, {share:5.1} % hold", folder.display(), score.0, score.2);
        // A run of few copies may miss by chance: three standard errors of a share of 95 %.
        let least = 0.95 - 3.0 * (0.95 * 0.05 / score.0.max(1) as f64).sqrt();
        assert!(score.0 == 0 || score.1 as f64 >= least * score.0 as f64, "{}: {score:?}", folder.display());
        (told, held) = (told + score.0, held + score.1);
    }
    println!("all: {told} told, {:.1} % hold", 100.0 * held as f64 / told as f64);
    assert!(told > 200, "{told}");
}

/// Where nodes queue, no gap on the air is taken for a timer: in the storm they are up to three times as long.
#[test]
fn gaps_of_networks_that_queue_are_no_timers() {
    let mote = |trace: &Trace, at: usize| trace.mote(&trace.associations[at]).map_or(-1, i64::from);
    for id in ["tsch-slow-chain5-default", "chain6-periodic-default", "grid3x3-burst-default", "grid3x3-burst-cocoa"] {
        let folder = traces().join(id);
        let armed = armed(&folder.join("exchanges.tsv.gz"));
        let (told, _, gaps) = score(&folder.join("capture.pcap.gz"), &armed, mote);
        assert_eq!(told, 0, "{id}");
        assert!(gaps > 100, "{id}");
    }
}
