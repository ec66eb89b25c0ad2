//! Logs of motes: our runs', against the ground truth that was made of them by other means, and other people's.

use crate::bundle;
use base::{Instant, Span};
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use trace::{EventKind, ImportError, MoteLog, mote_log_beside, open_mote_log, read_mote_log};

/// Lines that the motes printed of one exchange: times in µs, timeouts in ms.
#[derive(Default)]
struct Printed {
    times: Vec<i64>,
    timeouts: Vec<i64>,
    result: &'static str,
}

fn open(path: &std::path::Path) -> MoteLog {
    open_mote_log(path, &mut base::Silent).unwrap()
}

/// `exchanges.tsv` of a run: client, MID, times of its copies in µs, timeouts in ms, and how it ended.
#[test]
fn events_are_those_of_the_ground_truth() {
    let mut runs = 0;
    for run in ["chain6-periodic/cocoa-seed1", "grid3x3-burst/rc-seed1", "tsch-slow-chain5/linux-seed1"] {
        let Some(truth) = needs::shared(&format!("cooja/{run}/exchanges.tsv.gz")) else { return };
        let mut text = String::new();
        GzDecoder::new(std::fs::File::open(&truth).unwrap()).read_to_string(&mut text).unwrap();
        let path = mote_log_beside(&truth.with_file_name("radio.pcap.gz")).unwrap();
        assert!(path.ends_with("mote.log.gz"));
        let log = open(&path);
        let mut copies: BTreeMap<(u32, u16), Printed> = BTreeMap::new();
        for event in log.events() {
            match event.kind {
                EventKind::Sent { mid, timeout, .. } => {
                    let exchange = copies.entry((event.mote, mid)).or_default();
                    exchange.times.push(event.at.nanos() / 1_000);
                    exchange.timeouts.push(timeout.millis());
                }
                EventKind::Answered { mid, .. } => copies.entry((event.mote, mid)).or_default().result = "acked",
                EventKind::Failed { mid } => copies.entry((event.mote, mid)).or_default().result = "failed",
                _ => {}
            }
        }
        let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let columns = lines.next().unwrap();
        let at = |name: &str| columns.iter().position(|&column| column == name).unwrap();
        let mut count = 0;
        for line in lines {
            let key = (line[at("client")].parse().unwrap(), line[at("mid")].parse().unwrap());
            let Printed { times, timeouts, result } = &copies[&key];
            let list = |text: &str| text.split(',').map(|n| n.parse::<i64>().unwrap()).collect::<Vec<_>>();
            assert_eq!(*times, list(line[at("attempt_times_us")]), "{run} {key:?}");
            assert_eq!(*timeouts, list(line[at("rtos_ms")]), "{run} {key:?}");
            if matches!(line[at("result")], "acked" | "failed") {
                assert_eq!(*result, line[at("result")], "{run} {key:?}");
            }
            count += 1;
        }
        assert_eq!(count, copies.len(), "{run}");
        runs += 1;
    }
    eprintln!("{runs} runs");
}

/// The same run's log from the window has the same lines, to the millisecond.
#[test]
fn both_forms_of_a_log_say_the_same() {
    let Some(path) = needs::shared("cooja/chain6-periodic/default-seed1/mote.log.gz") else { return };
    let (script, window) = (open(&path), open(&path.with_file_name("mote-loglistener.txt.gz")));
    assert_eq!(script.lines.len(), window.lines.len());
    for (a, b) in script.lines.iter().zip(&window.lines) {
        assert_eq!((a.mote, script.text(a).trim_end()), (b.mote, window.text(b).trim_end()));
        assert_eq!(a.at.nanos() / 1_000_000, b.at.nanos() / 1_000_000);
    }
}

#[test]
fn other_peoples_logs_are_text() {
    let Some(path) = needs::shared("captures/contiki-history/loglistener.txt") else { return };
    let log = open(&path);
    assert_eq!((log.lines[0].at, log.lines[0].mote), (Instant::ZERO + Span::from_millis(262), 8));
    assert_eq!(log.text(&log.lines[0]), "Rime started with address 0.0.0.0.0.0.0.8");
    assert_eq!(log.events().count(), 0);
}

#[test]
fn lines_of_no_mote_and_octets_of_no_text() {
    let text = b"Random seed: 1\n65000:5:caf\xe9\nhello\n66000:5:x\n64000:6:y\nTEST OK\n6";
    let log = read_mote_log("x", &text[..], None, &mut base::Silent).unwrap();
    assert_eq!(log.lines.iter().map(|line| log.text(line)).collect::<Vec<_>>(), ["caf\u{fffd}", "x", "y"]);
    assert_eq!((log.notes.count("line-of-no-mote"), log.notes.count("backward-time-stamp")), (4, 1));
    let none = read_mote_log("x", &b"prose\n"[..], None, &mut base::Silent);
    assert!(matches!(none, Err(ImportError::Unrecognised { .. })));
}

/// Columns of `exchanges.tsv` that say when each copy was handed over, and with which timer: by client and MID, µs and
/// ms.
fn truth(path: &std::path::Path) -> BTreeMap<(u32, u16), (Vec<i64>, Vec<i64>)> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let at = |name: &str| columns.iter().position(|&column| column == name).unwrap();
    let list = |text: &str| text.split(',').map(|n| n.parse::<i64>().unwrap()).collect::<Vec<_>>();
    let row = |line: Vec<&str>| {
        let key = (line[at("client")].parse().unwrap(), line[at("mid")].parse().unwrap());
        (key, (list(line[at("attempt_times_us")]), list(line[at("rtos_ms")])))
    };
    lines.map(row).collect()
}

/// Timers and waits of the copies of a capture are those of the ground truth, on whichever clock the capture is, and
/// most copies have one.
#[test]
fn timers_of_copies_are_those_that_were_armed() {
    let mut all = (0, 0);
    for bundled in bundle::bundled_with("log") {
        let trace = bundled.analyse("capture");
        let truth = truth(&bundled.file("exchanges").unwrap());
        let first = trace.capture.frames.first().unwrap().at;
        let zero = bundled.zero.unwrap();
        let timers = open(&bundled.file("log").unwrap()).timers(&trace);
        let (mut copies, mut known, mut waits, mut widest) = (0, 0, 0, Span::ZERO);
        for association in &trace.associations {
            let mote = trace.mote(association).unwrap();
            for id in &association.exchanges {
                let exchange = &trace.exchanges[id.index()];
                let (times, armed) = &truth[&(mote, exchange.mid)];
                for (number, copy) in exchange.copies.iter().enumerate() {
                    copies += 1;
                    let Some(timer) = timers.get(*id, number) else { continue };
                    known += 1;
                    // The copy of the truth that the timer is of: the one that was handed over when its wait began.
                    let sent = copy.sent - first + zero;
                    let place = if armed.len() == exchange.copies.len() {
                        number
                    } else {
                        armed.iter().position(|&ms| Span::from_millis(ms) == timer.value).unwrap()
                    };
                    assert_eq!(Span::from_millis(armed[place]), timer.value, "{} exchange {id}", bundled.id);
                    if let Some((wait, error)) = timer.wait {
                        let real = sent - Span::from_micros(times[place]);
                        assert!(
                            (wait - real).abs() <= error + Span::from_micros(1),
                            "{}: {wait} ± {error}, {real}",
                            bundled.id
                        );
                        (waits, widest) = (waits + 1, widest.max(error));
                    }
                }
            }
        }
        println!("{:28} {known} of {copies} copies have a timer, {waits} a wait, ± {widest}", bundled.id);
        assert!(known * 10 >= copies * 9, "{}: {known} of {copies}", bundled.id);
        assert!(waits == known, "{}: {waits} of {known}", bundled.id);
        all = (all.0 + copies, all.1 + known);
    }
    println!("all: {} of {}", all.1, all.0);
}

/// A log of another run, or of another mote, tells nothing.
#[test]
fn timers_need_requests_of_the_same_run() {
    let of = |id: &str| bundle::bundled().into_iter().find(|bundled| bundled.id == id).unwrap();
    let trace = of("tsch-slow-chain5-default").analyse("capture");
    let other = open(&of("grid3x3-burst-cocoa").file("log").unwrap());
    assert_eq!(other.timers(&trace).all(), []);
}
