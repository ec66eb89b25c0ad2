//! Sniffers that send what they hear over a network.

#![allow(clippy::unwrap_used, reason = "tests")]

mod make;

use std::collections::BTreeMap;
use std::process::Command;
use trace::{Fcs, ImportOptions, Link};

/// Field `names` of every frame of `path` in tshark, if it is installed.
fn tshark(path: &std::path::Path, names: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.args(["-n", "-T", "fields", "-r"]).arg(path);
    for name in names {
        command.args(["-e", name]);
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// Each IoT-LAB sniffer is a source, its frames are those that Wireshark sees, and the times of the one whose clock they all got are its own.
#[test]
fn iot_lab_captures_are_what_wireshark_reads() {
    let Some(index) = make::shared("captures/INDEX.tsv") else { return };
    let folder = index.with_file_name("doc-iotlab-zep");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".pcap.gz"));
    paths.sort();
    assert!(paths.len() > 10);
    for path in paths.iter().step_by(5) {
        let fields = ["zep.device_id", "zep.channel_id", "wpan.fcs_ok", "wpan.frame_length", "zep.time"];
        let Some(lines) = tshark(path, &fields) else { return };
        let capture = trace::open(path, &ImportOptions::default(), &mut base::Silent).unwrap();
        assert_eq!(lines.len(), capture.frames.len());
        for (frame, line) in capture.frames.iter().zip(&lines) {
            assert_eq!(frame.link, Link::Ieee802154);
            assert_eq!(capture.sources[frame.source.index()].name, format!("sniffer {}", line[0]));
            assert_eq!(frame.channel.unwrap().to_string(), line[1]);
            let good = match line[2].as_str() {
                "1" | "True" => Fcs::Good,
                _ => Fcs::Bad,
            };
            assert_eq!(frame.fcs, good, "{}", path.display());
            assert_eq!((frame.octets.end - frame.octets.start).to_string(), line[3]);
            // Other clocks are brought to the first's.
            if frame.source != capture.clocks[0].source {
                continue;
            }
            // "Nov 17, 2022 13:27:12.193452999 UTC": tshark cuts what is rounded here.
            let nanos: i64 = line[4].split('.').nth(1).unwrap()[..9].parse().unwrap();
            let ours = (capture.epoch_unix_nanos.unwrap() + frame.at.nanos()).rem_euclid(1_000_000_000);
            assert!((0..=1).contains(&(ours - nanos).rem_euclid(1_000_000_000)), "{ours} {nanos}");
        }
        let mut sniffers: BTreeMap<&str, u32> = BTreeMap::new();
        lines.iter().for_each(|line| *sniffers.entry(&line[0]).or_default() += 1);
        assert_eq!(capture.sources.len(), sniffers.len());
    }
}

/// A version 3 header with a clock that counts from its start: the record's time stands.
#[test]
fn a_sniffer_whose_clock_was_not_set() {
    let Some(path) = make::shared("captures/ttproto/single_zep_and_sixlo_frame.pcap") else { return };
    let capture = trace::open(&path, &ImportOptions::default(), &mut base::Silent).unwrap();
    assert_eq!(capture.notes.count("zep-time-unset"), 1);
    assert_eq!(capture.frames[0].link, Link::Ieee802154);
    let lines = tshark(&path, &["frame.time_epoch", "wpan.frame_length"]);
    if let Some(lines) = lines {
        let seconds: f64 = lines[0][0].parse().unwrap();
        let ours = capture.epoch_unix_nanos.unwrap() as f64 / 1e9;
        assert!((seconds - ours).abs() < 1e-6, "{seconds} {ours}");
    }
}
