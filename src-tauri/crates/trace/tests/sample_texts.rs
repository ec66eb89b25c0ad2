//! Numbers in the sentences about bundled captures, counted from the logs of the clients, the link and the motes; and
//! beside them what the program counts, which sees the capture alone.

#![allow(clippy::unwrap_used, reason = "tests")]

mod bundle;

use bundle::{Bundled, Table, bundled};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use trace::{Evidence, Fate};

/// The sentence about each bundled capture.
fn sentences() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/index.json");
    let index: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |trace: &Value, key: &str| trace[key].as_str().unwrap().to_owned();
    index["traces"].as_array().unwrap().iter().map(|trace| (text(trace, "id"), text(trace, "about"))).collect()
}

fn the(id: &str) -> Bundled {
    bundled().into_iter().find(|bundled| bundled.id == id).unwrap()
}

/// Retransmissions, and the needless ones: a copy before them is answered. Of one exchange, by whether each copy is
/// answered.
fn count<'a>(exchanges: impl Iterator<Item = &'a Vec<bool>>) -> (usize, usize) {
    exchanges.fold((0, 0), |(all, needless), answered| {
        let after = |first: usize| answered.len() - 1 - first;
        (all + answered.len() - 1, needless + answered.iter().position(|&it| it).map_or(0, after))
    })
}

/// Copies with an answer that the link let through, by its log.
fn logged(bundled: &Bundled) -> BTreeMap<(i64, i64), Vec<bool>> {
    let mut exchanges: BTreeMap<_, Vec<bool>> = BTreeMap::new();
    let proxy = Table::read(&bundled.file("proxy").unwrap(), ',');
    for row in proxy.rows() {
        let copies = exchanges.entry((row.int("client").unwrap(), row.int("mid").unwrap())).or_default();
        let is_up = row.text("dir") == "up";
        let copy = usize::try_from(row.int(if is_up { "copy" } else { "reply_of_copy" }).unwrap()).unwrap();
        copies.resize(copies.len().max(copy + 1), false);
        copies[copy] |= !is_up && row.text("fate") == "FWD";
    }
    exchanges
}

/// Counts by the program; and number of exchanges in which it does not know of a copy, before another one, whether it
/// is answered.
fn counted(bundled: &Bundled) -> ((usize, usize), usize) {
    let trace = bundled.analyse("capture");
    let answered =
        |copy: &trace::Copy| matches!(copy.fate, Fate::Answered { .. }) && copy.evidence != Evidence::Unknown;
    let copies: Vec<Vec<bool>> = trace.exchanges.iter().map(|e| e.copies.iter().map(answered).collect()).collect();
    let is_open = |e: &trace::Exchange| {
        let before = e.copies.len() - 1;
        e.copies[..before].iter().any(|copy| copy.evidence == Evidence::Unknown || copy.fate == Fate::Unknown)
    };
    (count(copies.iter()), trace.exchanges.iter().filter(|&e| is_open(e)).count())
}

#[test]
fn sentences_about_live_captures_are_what_the_link_logged() {
    let sentences = sentences();
    let (mut all, mut open) = (BTreeMap::new(), BTreeMap::new());
    for id in ["live-sleepy-default", "live-sleepy-cocoa", "live-short-default", "live-short-cocoa"] {
        let bundled = the(id);
        let truth = count(logged(&bundled).values());
        let ((sent, needless), unknown) = counted(&bundled);
        println!("{id}: logged {truth:?}, counted {:?}, {unknown} exchanges open", (sent, needless));
        assert_eq!(sent, truth.0, "{id}: retransmissions");
        // Where one reply came after several copies, times cannot tell which copy it answers: the program leaves those
        // open.
        assert!(needless.abs_diff(truth.1) <= unknown, "{id}: {needless} counted, {} logged, {unknown} open", truth.1);
        all.insert(id, truth);
        open.insert(id, (needless, unknown));
    }
    let said =
        |id: &str, text: String| assert!(sentences[id].contains(&text), "{id}: {text:?} is not in {:?}", sentences[id]);
    let (sent, needless) = all["live-sleepy-default"];
    said("live-sleepy-default", format!("{needless} of {sent} retransmissions were needless"));
    let (fewer, still) = all["live-sleepy-cocoa"];
    said("live-sleepy-cocoa", format!("{fewer} retransmissions, {still} of them needless, instead of {sent}"));
    let (short, none) = all["live-short-default"];
    assert_eq!(none, 0);
    said("live-short-default", format!("every one of the {short} retransmissions was needed"));
    let (short, needless) = all["live-short-cocoa"];
    said("live-short-cocoa", format!("{needless} of {short} retransmissions were needless"));
    // The log is right about the sleepy server: one reply after two copies may answer either, and the capture leaves
    // three such open.
    assert_eq!((all["live-sleepy-default"].1, open["live-sleepy-default"]), (35, (33, 3)));
}

#[test]
fn sentences_about_simulated_captures_are_what_the_motes_logged() {
    let sentences = sentences();
    // Attempts of each exchange, and which of them its answer named: the first is not numbered.
    let rows = |id: &str| -> Vec<(i64, i64)> {
        let table = Table::read(&the(id).file("exchanges").unwrap(), '\t');
        table.rows().map(|row| (row.int("attempts").unwrap(), row.int("rc").unwrap_or(0))).collect()
    };
    let retransmissions = |id: &str| rows(id).iter().map(|(attempts, _)| attempts - 1).sum::<i64>();
    let said =
        |id: &str, text: String| assert!(sentences[id].contains(&text), "{id}: {text:?} is not in {:?}", sentences[id]);
    let (storm, calm) = (retransmissions("tsch-slow-chain5-default"), retransmissions("tsch-slow-chain5-cocoa"));
    said("tsch-slow-chain5-cocoa", format!("{calm} retransmissions instead of {storm}"));
    let earlier = rows("grid3x3-burst-rc").iter().filter(|(attempts, rc)| *rc < attempts - 1).count();
    said("grid3x3-burst-rc", format!("{earlier} answers are to an earlier copy"));
}
