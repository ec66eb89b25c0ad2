//! "What really happened" is what [`replay::Replay::recorded`] measures of a run's own trace. Here it is held against
//! what the clients of that run logged, and, for needless copies, against the link that knows which copies were
//! answered.
//!
//! The bundled runs always; of the runs beside the repository a sample, and with `RTOSCOPE_ALL` all of them.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use base::{Silent, Span};
use flate2::read::MultiGzDecoder;
use replay::stats::{mean as stats_mean, quantile};
use replay::{MetricName, Record, Replay, Scenario};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::Read as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use trace::{Assumed, Assumptions, DecodeOptions, ImportOptions, Outcome, Trace, Vantage};

fn text(path: &Path) -> Option<String> {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).ok()?).read_to_string(&mut text).unwrap();
    Some(text)
}

/// The rows of a table with a head, by column.
fn rows(text: &str, separator: char) -> impl Iterator<Item = HashMap<&str, &str>> {
    let head: Vec<&str> = text.lines().next().unwrap().split(separator).collect();
    text.lines().skip(1).map(move |line| head.iter().copied().zip(line.split(separator)).collect())
}

fn number(row: &HashMap<&str, &str>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

/// The ground truth of a run from its logs.
#[derive(Default)]
struct Logged {
    started: usize,
    copies: usize,
    failed: usize,
    durations: Vec<f64>,
    needless: Option<usize>,
    /// Mote and Message ID of every exchange that failed, where the log names them.
    given_up: BTreeSet<(u16, u16)>,
}

/// The client's log of a live run, and the link's.
fn live(run: &Path) -> Option<Logged> {
    let mut logged = Logged::default();
    let mut begun: BTreeMap<(String, String), f64> = BTreeMap::new();
    for row in rows(&text(&run.join("client.csv.gz"))?, ',') {
        let key = (row["client"].to_owned(), row["i"].to_owned());
        match row["ev"] {
            "tx" => {
                logged.copies += 1;
                if row["copy"] == "0" {
                    logged.started += 1;
                    begun.insert(key, number(&row, "epoch"));
                }
            }
            "rx" if row["kind"] == "ACK" => logged.durations.push(number(&row, "epoch") - begun[&key]),
            "rx" => logged.failed += 1,
            _ => {}
        }
    }
    let mut up: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut answered: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    for row in rows(&text(&run.join("proxy.csv.gz"))?, ',') {
        let key = (row["client"].to_owned(), row["mid"].to_owned());
        match row["dir"] {
            "up" => *up.entry(key).or_default() += 1,
            "down" if row["fate"] == "FWD" => {
                answered.entry(key).or_default().insert(row["reply_of_copy"].parse().unwrap());
            }
            _ => {}
        }
    }
    let needless = |(key, first): (&(String, String), &usize)| up[key].saturating_sub(first + 1);
    let firsts = answered.iter().filter_map(|(key, copies)| Some((key, copies.first()?)));
    logged.needless = Some(firsts.map(needless).sum());
    Some(logged)
}

/// The motes' log of a simulated run.
fn cooja(run: &Path) -> Option<Logged> {
    let mut logged = Logged::default();
    for row in rows(&text(&run.join("exchanges.tsv.gz"))?, '\t') {
        logged.started += 1;
        logged.copies += number(&row, "attempts") as usize;
        match row["result"] {
            "acked" => logged.durations.push((number(&row, "t_end_us") - number(&row, "t_first_us")) / 1e6),
            "failed" => {
                logged.failed += 1;
                logged.given_up.insert((row["client"].parse().unwrap(), row["mid"].parse().unwrap()));
            }
            _ => {}
        }
    }
    Some(logged)
}

/// Corrects a log for answers that came after a mote had given up: where no copy was due any more, the air does not
/// tell that nobody waited (`given_up` and `given_up_absent` of `trace/tests/truth/cooja.rs`). Returns how many.
fn answered_too_late(logged: &mut Logged, trace: &Trace) -> usize {
    let before = logged.failed;
    for exchange in &trace.exchanges {
        let client = trace.associations[exchange.association.index()].client.addr;
        let given_up = logged.given_up.contains(&(client.segments()[7], exchange.mid));
        if let (true, Outcome::Acked, Some(end)) = (given_up, exchange.outcome, exchange.end) {
            logged.failed -= 1;
            logged.durations.push((end - exchange.copies[0].sent).secs_f64());
        }
    }
    before - logged.failed
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(name)
}

fn runs() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = below(&folder("traces"));
    let step = if needs::everything() { 1 } else { 24 };
    for name in ["live", "cooja"] {
        let Some(root) = needs::shared(name) else { continue };
        let all: Vec<PathBuf> = below(&root).iter().flat_map(|world| below(world)).collect();
        found.extend(all.into_iter().step_by(step));
    }
    found
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    paths
}

/// Numbers of copies that motes sent and that may never have got on the air, lowest and highest: exactly in bundled
/// runs, where `trace` is held against the motes' logs (`trace/tests/truth/cooja.rs`), else up to what the simulation
/// counted, which also counts copies that waited for the air until the next was sent.
fn never_on_the_air(run: &Path) -> RangeInclusive<usize> {
    let of = |(name, copies): (&str, usize)| run.ends_with(name).then_some(copies..=copies);
    let known = [
        ("traces/tsch-slow-chain5-default", 3),
        ("traces/grid3x3-burst-default", 66),
        ("traces/grid3x3-burst-cocoa", 34),
        ("traces/grid3x3-burst-rc", 42),
    ];
    let counted = || {
        let summary = std::fs::read(run.join("summary.json")).ok()?;
        let summary: serde_json::Value = serde_json::from_slice(&summary).ok()?;
        summary["attempts_without_own_frame"].as_u64()
    };
    known.into_iter().find_map(of).unwrap_or_else(|| 0..=counted().map_or(0, |copies| copies as usize))
}

#[test]
fn what_a_trace_measures_is_what_its_clients_logged() {
    let mut checked = 0;
    println!("{:<44} mean s   95 % s   retries  failed   needless: taken as, known (range), link", "trace − log");
    for run in runs() {
        let Some(mut logged) = live(&run).or_else(|| cooja(&run)) else { continue };
        let file = ["capture.pcap.gz", "radio.pcap.gz"].iter().map(|f| run.join(f)).find(|p| p.is_file());
        let Some(file) = file else { continue };
        let capture = trace::open(&file, &ImportOptions::default(), &mut Silent).unwrap();
        let options = DecodeOptions { rc_option: 65_002, ..DecodeOptions::default() };
        let trace = trace::analyse(capture, &options, &mut Silent).unwrap();
        let late = answered_too_late(&mut logged, &trace);
        let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
        let got = |name| replay.recorded().get(name).unwrap_or(0.0);
        let started = logged.started as f64;
        let retries = (logged.copies - logged.started) as f64 / started;
        let failed = logged.failed as f64 / started;
        let apart = |name, truth: Option<f64>| got(name) - truth.unwrap_or(0.0);
        let mean = apart(MetricName::DurationMean, stats_mean(&logged.durations));
        let tail = apart(MetricName::DurationP95, quantile(&logged.durations, 0.95));
        let name = run.components().rev().take(2).map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let name = format!("{}/{}", name[1], name[0]);
        let scenario = Scenario::new(replay::Algorithm::AsRecorded, replay::ChannelSpec::RECORDED);
        let range = *replay.run(&scenario, &mut Silent).unwrap().get(MetricName::SpuriousAll);
        let truth = logged.needless.map(|n| n as f64 / logged.copies as f64);
        let real = got(MetricName::SpuriousAll);
        println!(
            "{name:<44} {mean:+.4}  {tail:+.4}  {:+.4}  {:+.4}  {late:>4}  {real:.4} ({:.4} to {:.4}), {truth:.4?}",
            got(MetricName::RetriesMean) - retries,
            got(MetricName::PlrExchange) - failed,
            range.recorded_lo.unwrap_or(f64::NAN),
            range.recorded_hi.unwrap_or(f64::NAN),
        );
        // Motes count from their application, the capture from the air: some ten milliseconds of waiting for it, and in
        // bursts copies that never got there. Californium's copies are captured as they leave.
        let (least, share) = if logged.needless.is_some() { (0.002, 0.01) } else { (0.1, 0.25) };
        let near = |apart: f64, truth: f64| apart.abs() < least + share * truth;
        let truth_mean = stats_mean(&logged.durations).unwrap();
        // Where copies never got on the air, as many exchanges at most begin later there, and a quantile of the trace
        // is one of the log at a share that is off by as much: between one retransmission and two it may stand on
        // either side.
        let on_the_air: usize = trace.exchanges.iter().map(|exchange| exchange.copies.len()).sum();
        let absent = logged.copies.checked_sub(on_the_air).filter(|copies| never_on_the_air(&run).contains(copies));
        let absent =
            absent.unwrap_or_else(|| panic!("{name}: {on_the_air} of {} copies", logged.copies)) as f64 / started;
        let [low, high] = [-absent, absent].map(|off| quantile(&logged.durations, (0.95 + off).min(1.0)).unwrap());
        let p95 = got(MetricName::DurationP95);
        let is_between = low - least - share * low < p95 && p95 < high + least + share * high;
        assert!(near(mean, truth_mean) && is_between, "{name}");
        // Each exchange of which nothing got on the air is one first copy fewer.
        let sent = on_the_air as f64 / trace.exchanges.len() as f64 - 1.0;
        assert!((got(MetricName::RetriesMean) - sent).abs() < 1e-9, "{name}");
        assert!((got(MetricName::PlrExchange) - failed).abs() < 0.01, "{name}");
        let result = replay.run(&scenario, &mut Silent).unwrap();
        for metric in [MetricName::SpuriousAll, MetricName::EarlyA, MetricName::EarlyB, MetricName::EarlyC] {
            let summary = result.get(metric);
            let of = (summary.recorded, summary.recorded_lo, summary.recorded_hi);
            let (Some(recorded), Some(lo), Some(hi)) = of else { continue };
            assert!(lo - 1e-9 <= recorded && recorded <= hi + 1e-9, "{name}: {metric:?} {recorded}, {lo} to {hi}");
        }
        if let Some(truth) = truth {
            assert!(range.recorded_lo.unwrap() - 0.02 < truth && truth < range.recorded_hi.unwrap() + 0.02, "{name}");
            // An expectation over what the capture allows; the link of a saturated run also drops what the capture saw
            // leave.
            assert!((real - truth).abs() < 0.03, "{name}: {real}, really {truth}");
        }
        checked += 1;
    }
    assert!(checked >= 10, "{checked} runs");
}

/// The record keeps the error of times that are known only up to one.
#[test]
fn clock_errors_reach_the_record() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/live-ge-default/capture.pcap.gz");
    let capture = trace::open(&path, &ImportOptions::default(), &mut Silent).unwrap();
    let mut trace = trace::analyse(capture, &DecodeOptions::default(), &mut Silent).unwrap();
    let errors = |trace: &trace::Trace| -> Vec<Span> {
        Record::from_trace(trace, &mut Silent).unwrap().associations().iter().map(|a| a.error).collect()
    };
    assert!(errors(&trace).iter().all(|&error| error == Span::ZERO), "taken at the client");
    let all = Assumed { vantage: Some(Vantage::Server), ..Assumed::default() };
    trace.assume(&Assumptions { all, each: Vec::new() }, &mut Silent).unwrap();
    assert_eq!(errors(&trace), trace.associations.iter().map(|a| a.correction.error).collect::<Vec<_>>());
    assert!(errors(&trace).iter().all(|&error| error > Span::ZERO));
}
