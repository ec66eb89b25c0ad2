//! Time and memory from a capture to its exchanges, as ratios to peers in the same run.
//!
//! ```text
//! cargo bench -p trace --bench captures -- [--10m] [--rounds N] [--child FILE] [--keep FOLDER]
//! cargo bench -p trace --bench captures -- --make FRAMES FILE
//! ```
//! The second only writes a capture, for the bench of the window.
//! Captures are made of recorded runs (see [`make`]). Each process is measured from outside: the time it has had a
//! processor, which other work on the machine changes less than the time on the wall, and the most memory it held;
//! three rounds, of which the middle ratio counts. Peers: `capinfos -c`, which reads records and does nothing with
//! them, and `tshark -Y coap -T fields`.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod make;

use make::Maker;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use trace::{DecodeOptions, ImportOptions};

/// Clock ticks a second in `/proc/self/stat` (USER_HZ, 100 on every architecture of Linux in use).
const TICKS: f64 = 100.0;

/// Time and memory of a process.
#[derive(Clone, Copy)]
struct Cost {
    /// Seconds on the wall.
    wall: f64,
    /// Seconds of processor time; those on the wall where the system does not tell.
    cpu: f64,
}

/// Processor time of all children that have ended.
fn children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // Fields 16 and 17 of proc(5); the first behind the name is field 3.
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / TICKS)
}

/// Run `command` so often that the time can be read; the cost of one run, and what the last one printed.
fn cost(mut command: impl FnMut() -> Command) -> (Cost, String) {
    let (start, before) = (Instant::now(), children());
    let mut runs = 0.0;
    loop {
        let output = command().stderr(Stdio::null()).output().expect("it starts");
        assert!(output.status.success(), "{:?} succeeds", command());
        runs += 1.0;
        let wall = start.elapsed().as_secs_f64();
        let cpu = children().zip(before).map_or(wall, |(now, before)| now - before);
        if cpu >= 0.5 || runs >= 20.0 {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            return (Cost { wall: wall / runs, cpu: cpu / runs }, text);
        }
    }
}

/// The middle, the least and the greatest.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    [at(values.len() / 2), at(0), at(values.len().saturating_sub(1))]
}

fn have(tool: &str) -> bool {
    Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// One pass in a process of its own: frames, messages, exchanges, seconds of import and of analysis, most memory held.
fn child(path: &Path) {
    let start = Instant::now();
    let capture = trace::open(path, &ImportOptions::default(), &mut base::Silent).expect("a capture");
    let imported = start.elapsed();
    let trace = trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).expect("not cancelled");
    let analysed = start.elapsed() - imported;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    println!(
        "{} {} {} {} {} {}",
        trace.capture.frames.len(),
        trace.messages.len(),
        trace.exchanges.len(),
        imported.as_secs_f64(),
        analysed.as_secs_f64(),
        peak.unwrap_or(f64::NAN) * 1024.0 / 1e6
    );
    for note in trace.notes.kinds() {
        eprintln!("{note}");
    }
}

/// A program that reads the same file.
struct Peer {
    tool: &'static str,
    args: &'static [&'static str],
    /// Whether it is the slower one.
    is_slower: bool,
}

const PEERS: [Peer; 2] = [
    Peer { tool: "capinfos", args: &["-c"], is_slower: false },
    Peer {
        tool: "tshark",
        args: &[
            "-o",
            "6lowpan.context0:fd00::/64",
            "-Y",
            "coap",
            "-T",
            "fields",
            "-e",
            "frame.number",
            "-e",
            "coap.mid",
            "-r",
        ],
        is_slower: true,
    },
];

/// Measures each of `rounds` rounds, one program after the other in each: a machine that others slow down slows all
/// of them.
fn measure(path: &Path, rounds: usize) {
    let program = std::env::current_exe().expect("this program");
    let ours = || {
        let mut command = Command::new(&program);
        command.arg("--child").arg(path);
        command
    };
    let peers: Vec<&Peer> = PEERS.iter().filter(|peer| have(peer.tool)).collect();
    let (mut costs, mut theirs) = (Vec::new(), vec![Vec::new(); peers.len()]);
    let mut said = String::new();
    for _ in 0..rounds {
        let cost_of_ours;
        (cost_of_ours, said) = cost(ours);
        for (peer, theirs) in peers.iter().zip(&mut theirs) {
            let (cost, _) = cost(|| {
                let mut command = Command::new(peer.tool);
                command.args(peer.args).arg(path);
                command
            });
            theirs.push((
                cost.cpu,
                if peer.is_slower { cost.cpu / cost_of_ours.cpu } else { cost_of_ours.cpu / cost.cpu },
            ));
        }
        costs.push(cost_of_ours);
    }
    let said: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[frames, messages, exchanges, import, analysis, peak] = &said[..] else { panic!("{said:?}") };
    let size = fs::metadata(path).expect("the file").len() as f64 / 1e6;
    println!("{frames:>10} frames, {size:.1} MB, {messages} CoAP messages, {exchanges} exchanges");
    let [cpu, least, most] = spread(costs.iter().map(|cost| cost.cpu).collect());
    let [wall, ..] = spread(costs.iter().map(|cost| cost.wall).collect());
    println!(
        "  ours       {cpu:>9.3} s   ({least:.3} to {most:.3}), {:.2} M frames/s; on the wall {wall:.3} s, of the last import \
         {import:.3}, analysis {analysis:.3}",
        frames / cpu / 1e6,
    );
    println!("  memory     {peak:>9.1} MB  {:>6.2} x the file", peak / size);
    for (peer, theirs) in peers.iter().zip(theirs) {
        let [cpu, ..] = spread(theirs.iter().map(|&(cpu, _)| cpu).collect());
        let [ratio, least, most] = spread(theirs.iter().map(|&(_, ratio)| ratio).collect());
        let what = if peer.is_slower { "its time is so many of ours" } else { "our time is so many of its" };
        println!("  {:<10} {cpu:>9.3} s   {ratio:.1} x ({least:.1} to {most:.1}): {what}", peer.tool);
    }
}

/// Recorded runs to repeat: one of the repository, and the largest beside it.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let beside = std::env::var_os("RTOSCOPE_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let mut largest = None;
    find(&beside.join("cooja"), &mut largest);
    let bundled = ["grid3x3-burst-cocoa", "live-bottleneck-cocoa"];
    let mut all: Vec<PathBuf> = bundled.iter().map(|id| root.join("traces").join(id).join("capture.pcap.gz")).collect();
    all.extend(largest.map(|(_, path)| path));
    all
}

/// The largest packed capture below `folder`.
fn find(folder: &Path, largest: &mut Option<(u64, PathBuf)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, largest);
        } else if path.to_string_lossy().ends_with(".pcap.gz") {
            let len = entry.metadata().map_or(0, |about| about.len());
            if largest.as_ref().is_none_or(|(most, _)| len > *most) {
                *largest = Some((len, path));
            }
        }
    }
}

/// A capture of so many frames from two runs beside each other: a mesh that eight clients cross, 15 frames an exchange,
/// and eight clients behind one bottleneck, two frames an exchange. Three rounds of the latter to one of the former
/// make one exchange of 4.5 frames.
fn make(frames: usize, path: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let network = |id: &str| {
        let source = root.join(id).join("capture.pcap.gz");
        Maker::new(trace::open(&source, &ImportOptions::default(), &mut base::Silent).expect("a recorded run"))
    };
    let networks = [(network("grid3x3-burst-cocoa"), 1), (network("live-bottleneck-cocoa"), 3)];
    make::side_by_side(&networks, path, frames).expect("room for the capture");
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--make") {
        let (frames, path) = (args.get(at + 1).and_then(|n| n.parse().ok()), args.get(at + 2));
        return make(frames.expect("--make FRAMES FILE"), Path::new(path.expect("--make FRAMES FILE")));
    }
    if let Some(at) = args.iter().position(|arg| arg == "--child") {
        return child(Path::new(args.get(at + 1).expect("--child FILE")));
    }
    let mut lengths = vec![100_000, 1_000_000];
    if args.iter().any(|arg| arg == "--10m") {
        lengths.push(10_000_000);
    }
    let rounds =
        args.iter().position(|arg| arg == "--rounds").and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(3);
    let keep = args.iter().position(|arg| arg == "--keep").and_then(|at| args.get(at + 1)).map(PathBuf::from);
    let temporary = tempfile::tempdir().expect("a folder for captures");
    let folder = keep.as_deref().unwrap_or(temporary.path());
    for source in sources() {
        let capture = trace::open(&source, &ImportOptions::default(), &mut base::Silent).expect("a recorded run");
        let maker = Maker::new(capture);
        println!(
            "\n{}: {} frames, {} of them with the head of a CoAP message",
            source.display(),
            maker.frames(),
            maker.with_coap()
        );
        for &frames in &lengths {
            let name = source.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let path = folder.join(format!("{name}-{frames}.pcap"));
            maker.write(&path, frames).expect("room for the capture");
            // Ten million frames are long enough for one.
            measure(&path, if frames > 1_000_000 { 1 } else { rounds });
            if keep.is_none() {
                fs::remove_file(&path).expect("removed");
            }
        }
    }
}
