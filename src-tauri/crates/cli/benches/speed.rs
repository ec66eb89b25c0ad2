//! Speed as a ratio to a peer in the same run: machines differ and are noisy, ratios less so.
//!
//! ```text
//! npm run bench
//! ```
//! Peers: reading (and unpacking) the same file and doing nothing with it; `tshark -Y coap -T fields` on the same
//! frames, where it is installed. Each pair is measured in turn, A B A B …, and the median of the ratios counts.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use api::view::{AlgorithmChoice, ChannelKind, ReplayRequest, SweepRequest, WorkloadKind};
use api::{DecodeOptions, ImportOptions, Opened, Session, Silent};
use serde_json::Map;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 7;

fn seconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Medians of A, of B, and of A/B pair by pair.
fn pair(mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64, f64) {
    a();
    b();
    let pairs: Vec<(f64, f64)> = (0..RUNS).map(|_| (seconds(&mut a), seconds(&mut b))).collect();
    let column = |f: &dyn Fn(&(f64, f64)) -> f64| median(pairs.iter().map(f).collect());
    (column(&|p| p.0), column(&|p| p.1), column(&|p| p.0 / p.1))
}

fn line(what: &str, a: f64, peer: &str, b: f64, ratio: f64) {
    println!("{what:<44} {:>9.2} ms   {peer:<34} {:>9.2} ms   ratio {ratio:.3}", a * 1e3, b * 1e3);
}

fn decode(path: &Path) -> api::Trace {
    api::decode(path, &ImportOptions::default(), &DecodeOptions::default(), &mut Silent).expect("a capture")
}

fn request(capture: u32, replicates: u32, ids: &[&str]) -> ReplayRequest {
    ReplayRequest {
        policy: api::view::PolicyView::default(),
        capture,
        algorithms: ids.iter().map(|id| AlgorithmChoice { id: (*id).to_owned(), params: Map::new() }).collect(),
        channel: ChannelKind::Empirical,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates,
        baseline: Some(0),
        part: api::view::PartView::default(),
        bounds: true,
    }
}

fn captures() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let mut all: Vec<PathBuf> = ["tsch-slow-chain5-default", "grid3x3-burst-cocoa"]
        .iter()
        .map(|name| traces.join(name).join("capture.pcap.gz"))
        .collect();
    all.extend(std::env::var_os("RTOSCOPE_BENCH").map(PathBuf::from));
    all
}

fn main() {
    println!("median of {RUNS} pairs; RTOSCOPE_BENCH=FILE adds a capture\n");
    for path in captures() {
        let trace = decode(&path);
        println!("{}: {} frames, {} exchanges", path.display(), trace.capture.frames.len(), trace.exchanges.len());
        let (a, b, ratio) =
            pair(|| drop(black_box(decode(&path))), || drop(black_box(fs::read(&path).expect("readable"))));
        line("decode and rebuild exchanges", a, "read the packed octets", b, ratio);
        let tshark = || {
            let status = Command::new("tshark")
                .args(["-o", "6lowpan.context0:fd00::/64", "-Y", "coap", "-T", "fields", "-e", "coap.mid", "-r"])
                .arg(&path)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            assert!(status.is_ok_and(|s| s.success()), "tshark reads the capture");
        };
        if Command::new("tshark").arg("--version").stdout(Stdio::null()).status().is_ok() {
            let (a, b, ratio) = pair(|| drop(black_box(decode(&path))), tshark);
            line("decode and rebuild exchanges", a, "tshark -Y coap -T fields", b, ratio);
        }

        let session = Session::default();
        let exchanges = trace.exchanges.len().max(1);
        let opened = Opened::new(trace, ImportOptions::default(), Vec::new(), &mut Silent).expect("not cancelled");
        let view = session.adopt(opened);
        // A stays, B is moved: what a hand on a slider causes.
        let mut moved = 0;
        let mut what_if = |replicates: u32| {
            moved += 1;
            let mut asked = request(view.id, replicates, &["cocoa_plus", "cocoa_plus"]);
            asked.algorithms[1].params.insert("k_strong".to_owned(), (1.0 + f64::from(moved) / 64.0).into());
            // The window asks so: bounds come with the full answer.
            asked.bounds = replicates > 20;
            drop(black_box(session.replay(&asked, &mut Silent).expect("replays")));
        };
        what_if(20);
        what_if(200);
        let (first, all): (Vec<f64>, Vec<f64>) =
            (0..RUNS).map(|_| (seconds(|| what_if(20)), seconds(|| what_if(200)))).unzip();
        let (first, all) = (median(first), median(all));
        line("what-if: B moved, 20 replicates", first, "the same, 200 replicates, bounds", all, first / all);
        println!("{:<44} {:>9.2} ms", "  the same, scaled to 10,000 exchanges", first * 1e3 * 1e4 / exchanges as f64);
        let sweep = SweepRequest {
            capture: view.id,
            algorithm: AlgorithmChoice { id: "cocoa_plus".to_owned(), params: Map::new() },
            parameter: "k_strong".to_owned(),
            values: (1..=12).map(f64::from).collect(),
            across: None,
            channel: ChannelKind::Empirical,
            workload: WorkloadKind::Auto,
            seed: 1,
            replicates: 20,
            part: api::view::PartView::default(),
            policy: api::view::PolicyView::default(),
        };
        let value = serde_json::to_value(&sweep).expect("JSON");
        let swept = || drop(black_box(session.call("sweep", value.clone(), &mut Silent)));
        println!(
            "{:<44} {:>9.2} ms\n",
            "sweep: 12 values, 20 replicates",
            median((0..RUNS).map(|_| seconds(swept)).collect()) * 1e3
        );
    }
}
