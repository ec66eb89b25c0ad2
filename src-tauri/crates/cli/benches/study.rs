//! Rows of a study per second and core, and the share of its time that opening captures takes.
//!
//! ```text
//! npm run bench -- study [REPLICATES]
//! cargo bench -p cli --bench study -- [REPLICATES]
//! ```
//! The study is the bundled captures under ten timers, with both intervals, run by `rtoscope study run` into a new
//! folder: with one thread and with one a core, in turns. A study of one timer and one replicate over the same captures
//! costs what opening them does (decoding and preparing).

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Same as in the bench `replays`.
const TIMERS: [&str; 10] = [
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

/// Runs of each kind; their median is printed.
const TURNS: usize = 3;

/// Clock ticks a second in `/proc/self/stat` (USER_HZ, 100 on every architecture of Linux in use).
const TICKS: f64 = 100.0;

/// Seconds of processor time of children that have ended; NaN where the system does not tell.
fn processor() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    // Fields 16 and 17 of proc(5); the first behind the name is field 3.
    let ticks = behind_name.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    if stat.is_empty() { f64::NAN } else { ticks.sum::<f64>() / TICKS }
}

/// A run of a study: rows, seconds on the wall, seconds of processor time.
struct Cost {
    rows: usize,
    wall: f64,
    processor: f64,
}

/// Runs a study of `timers` into a new folder.
fn run(folder: &Path, timers: &[&str], replicates: u32, threads: usize) -> Cost {
    let traces = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../traces").replace('\\', "/");
    let mut text = format!(
        "channels = [\"empirical\"]\nreplicates = {replicates}\nanother_run = {}\n[[captures]]\n\
         paths = \"{traces}/{{scenario}}/capture.pcap.gz\"\n",
        timers.len() > 1
    );
    for timer in timers {
        text += &format!("[[timers]]\nalgorithm = \"{timer}\"\n");
    }
    let (spec, out) = (folder.join("study.toml"), folder.join("rows"));
    fs::write(&spec, text).expect("written");
    if out.is_dir() {
        fs::remove_dir_all(&out).expect("removed");
    }
    let (start, before) = (Instant::now(), processor());
    let status = Command::new(env!("CARGO_BIN_EXE_rtoscope"))
        .args(["study", "run", "--quiet", "--threads", &threads.to_string(), "--out"])
        .args([&out, &spec])
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the study does not run");
    let (wall, processor) = (start.elapsed().as_secs_f64(), processor() - before);
    let about = fs::read_to_string(out.join("study.json")).expect("read");
    Cost { rows: timers.len() * about.matches("\"path\"").count(), wall, processor }
}

fn median(costs: &mut [Cost], of: impl Fn(&Cost) -> f64) -> f64 {
    costs.sort_by(|a, b| of(a).total_cmp(&of(b)));
    costs.get(costs.len() / 2).map_or(f64::NAN, of)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let replicates: u32 = args.first().and_then(|n| n.parse().ok()).unwrap_or(200);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut one, mut all, mut opening) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        one.push(run(folder.path(), &TIMERS, replicates, 1));
        all.push(run(folder.path(), &TIMERS, replicates, cores));
        opening.push(run(folder.path(), &TIMERS[..1], 1, 1));
    }
    let rows = one.first().map_or(0, |cost| cost.rows);
    println!(
        "{rows} rows: bundled captures under {} timers, {replicates} replicates and as many of another run",
        TIMERS.len()
    );
    println!("{:>8} {:>8} {:>12} {:>8} {:>14}", "threads", "wall s", "processor s", "rows/s", "rows/s a core");
    for (threads, costs) in [(1, &mut one), (cores, &mut all)] {
        let (wall, processor) = (median(costs, |cost| cost.wall), median(costs, |cost| cost.processor));
        let (rate, a_core) = (rows as f64 / wall, rows as f64 / processor);
        println!("{threads:>8} {wall:>8.2} {processor:>12.2} {rate:>8.1} {a_core:>14.1}");
    }
    let share = median(&mut opening, |cost| cost.processor) / median(&mut one, |cost| cost.processor);
    println!("opening the captures, once each: {:.1} % of the processor time", 100.0 * share);
}
