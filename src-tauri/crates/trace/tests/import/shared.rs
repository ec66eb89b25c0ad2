//! Real captures, where this machine has them: see [`needs::shared`].

use std::collections::BTreeMap;
use trace::{Capture, Fcs, ImportOptions};

fn open(path: &std::path::Path) -> Capture {
    trace::open(path, &ImportOptions::default(), &mut base::Silent)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every capture has as many frames as its index says, which Wireshark counted.
#[test]
fn as_many_frames_as_wireshark() {
    let Some(index) = needs::shared("captures/INDEX.tsv") else { return };
    let text = std::fs::read_to_string(&index).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns: BTreeMap<_, _> = lines.next().unwrap().into_iter().enumerate().map(|(at, name)| (name, at)).collect();
    let mut files = 0;
    for line in lines {
        let field = |name| line[columns[name]];
        if field("container").is_empty() {
            continue;
        }
        let path = index.with_file_name(field("set")).join(field("file"));
        let capture = open(&path);
        assert_eq!(capture.frames.len().to_string(), field("frames"), "{}", path.display());
        match field("fcs") {
            // A capture with a few bad frames, or one of several that were merged, has other counts.
            "real16" => {
                let good = capture.frames.iter().filter(|frame| frame.fcs == Fcs::Good).count();
                assert_eq!(good.to_string(), field("crc_ok"), "{}", path.display());
            }
            "TI-CC24xx" if capture.frames.len() > 1 => {
                assert_eq!(capture.notes.count("ti-status"), 1, "{}", path.display());
            }
            _ => {}
        }
        files += 1;
    }
    eprintln!("{files} captures");
}

/// A run's text log and its pcap hold the same frames; their times differ by a constant.
#[test]
fn a_radio_log_and_its_pcap_hold_the_same() {
    for run in ["chain6-periodic/default-seed1", "chain6-periodic/rc-seed1", "contiki30-chain4/stock-seed1"] {
        let Some(log) = needs::shared(&format!("cooja/{run}/radiolog.txt.gz")) else { return };
        let (log, pcap) = (open(&log), open(&log.with_file_name("radio.pcap.gz")));
        assert_eq!(log.frames.len(), pcap.frames.len());
        let start = log.frames[0].at;
        if run.starts_with("contiki30") {
            // Its pcap is in the order in which rows were drawn, and has the time at which they were.
            let octets = |capture: &Capture| capture.frames.iter().map(|f| capture.octets_of(f).to_vec()).collect();
            let [mut rows, mut records]: [Vec<_>; 2] = [octets(&log), octets(&pcap)];
            rows.sort();
            records.sort();
            assert!(rows == records);
            continue;
        }
        for (row, record) in log.frames.iter().zip(&pcap.frames) {
            assert_eq!(log.octets_of(row), pcap.octets_of(record));
            assert!(((row.at - start) - (record.at - pcap.frames[0].at)).abs() < base::Span::from_millis(1));
        }
        assert_eq!(log.epoch_unix_nanos, None);
        assert_eq!(log.heard.len(), log.frames.len());
    }
}
