//! Processor time of a replay as the product does it: by `rtoscope replay`, and by the request that the app sends.
//!
//! ```text
//! npm run bench -- replays [FRAMES]
//! cargo bench -p cli --bench replays -- FILE [REPLICATES]
//! ```
//! Both compute everything that is shown: bounds, the interval of this trace and that of another run, support. The
//! command line is a process of its own, which also reads the capture; what reading takes (`rtoscope info`) stands
//! above the table. The app's request is asked of a session in which the capture is open, twice with different seeds,
//! because the first also fits the channel. The exchanges of FILE are counted, not assumed.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use api::view::{AlgorithmChoice, ChannelKind, PartView, PolicyView, ReplayRequest, WorkloadKind};
use api::{Opened, ReadOptions, Session, Silent};
use serde_json::Map;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// One of each kind, as in the bench `replicates`: constant, back-off that varies, smoothed, peaks, fuzzy, and
/// Californium's.
const ALGORITHMS: [&str; 10] = [
    "coap_default",
    "coap_b",
    "cocoa_2014",
    "cocoa_plus",
    "rfc6298",
    "fasor",
    "cocoa_cf3",
    "linux_rto_cf3",
    "basic_rto_cf3",
    "peak_hopper_cf3",
];

const CHANNELS: [(ChannelKind, &str); 4] = [
    (ChannelKind::Empirical, "empirical"),
    (ChannelKind::GilbertElliott, "gilbert-elliott"),
    (ChannelKind::Loaded, "loaded"),
    (ChannelKind::Queued, "queued"),
];

/// Replicates of a reported answer.
const REPLICATES: u32 = 200;

/// Clock ticks a second in `/proc/self/stat` (USER_HZ, 100 on every architecture of Linux in use).
const TICKS: f64 = 100.0;

/// Seconds of processor time: of this process, and of its children that have ended.
fn processor() -> (f64, f64) {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(|f| f.parse().unwrap_or(0.0)).collect();
    // Fields 14 to 17 of proc(5); the first behind the name is field 3.
    let of = |field: usize| fields.get(field - 3).copied().unwrap_or(0.0) / TICKS;
    (of(14) + of(15), of(16) + of(17))
}

/// Seconds on the wall and of processor time.
fn cost(work: impl FnOnce()) -> [f64; 2] {
    let (start, (own, children)) = (Instant::now(), processor());
    work();
    let (own_now, children_now) = processor();
    [start.elapsed().as_secs_f64(), own_now - own + children_now - children]
}

/// Runs the command line; returns whether it succeeded, and what it said.
fn command(words: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let done = command.args(words).arg("--quiet").stdout(Stdio::null()).output().expect("it starts");
    (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let Some(file) = args.first() else {
        println!("replays needs a capture: npm run bench -- replays");
        return;
    };
    let replicates: u32 = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(REPLICATES);
    let opened = Opened::files(&[Path::new(file)], &ReadOptions::default(), &mut Silent).expect("a capture");
    let exchanges = opened.trace.exchanges.len();
    let session = Session::default();
    let capture = session.adopt(opened).id;
    let steps = exchanges as f64 * ALGORITHMS.len() as f64 * f64::from(replicates);
    println!(
        "{exchanges} exchanges × {} algorithms × {replicates} replicates, bounds and both intervals",
        ALGORITHMS.len()
    );
    let [wall, cpu] = cost(|| assert!(command(&["info", file]).0, "it is read"));
    println!("reading alone: {wall:.2} s (processor {cpu:.2} s)\n");
    println!("{:<16} {:<14} {:>8} {:>11} {:>9}", "channel", "asked by", "s", "processor s", "ns each");
    let line = |channel: &str, by: &str, [wall, cpu]: [f64; 2]| {
        println!("{channel:<16} {by:<14} {wall:>8.2} {cpu:>11.2} {:>9.0}", cpu / steps * 1e9);
    };
    let count = replicates.to_string();
    for (channel, name) in CHANNELS {
        let mut words = vec!["replay", file, "--channel", name, "--replicates", &count];
        ALGORITHMS.iter().for_each(|id| words.extend(["--algorithm", id]));
        let mut said = (true, String::new());
        let spent = cost(|| said = command(&words));
        if !said.0 {
            println!("{name:<16} {}", said.1.lines().last().unwrap_or_default());
            continue;
        }
        line(name, "command line", spent);
        for (seed, by) in [(1, "app, first"), (2, "app, again")] {
            let request = ReplayRequest {
                policy: PolicyView::default(),
                capture,
                algorithms: ALGORITHMS.map(|id| AlgorithmChoice { id: id.to_owned(), params: Map::new() }).into(),
                channel,
                workload: WorkloadKind::Auto,
                seed,
                replicates,
                baseline: None,
                part: PartView::default(),
                bounds: true,
            };
            let spent = cost(|| drop(black_box(session.replay(&request, &mut Silent).expect("replays"))));
            line(name, by, spent);
        }
    }
}
