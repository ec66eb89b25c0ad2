//! Sniffers that send what they hear over a network.

use crate::make;
use std::collections::BTreeMap;
use std::process::Command;
use trace::{Fcs, ImportOptions, Link};

/// Field `names` of every frame of `path` in tshark; says so where it is not installed.
fn tshark(path: &std::path::Path, names: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.args(["-n", "-T", "fields", "-r"]).arg(path);
    for name in names {
        command.args(["-e", name]);
    }
    let Ok(output) = command.output() else {
        needs::skip("tshark");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// Each IoT-LAB sniffer is a source, its frames are those that Wireshark sees, and the times of the one whose clock
/// they all got are its own.
#[test]
fn iot_lab_captures_are_what_wireshark_reads() {
    let Some(index) = needs::shared("captures/INDEX.tsv") else { return };
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
    let Some(path) = needs::shared("captures/ttproto/single_zep_and_sixlo_frame.pcap") else { return };
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

/// In ZEP over UDP and IPv4, what sniffer 7 heard at `stamp` (NTP).
fn zep(stamp: u64, frame: &[u8]) -> Vec<u8> {
    let header =
        [&b"EX\x02\x01\x10\x00\x07\x01\xff"[..], &stamp.to_be_bytes(), &[0; 14], &[frame.len() as u8]].concat();
    let length = |more: usize| ((more + header.len() + frame.len()) as u16).to_be_bytes();
    let ip = [&[0x45, 0][..], &length(28), &[0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]].concat();
    let udp = [&17_754_u16.to_be_bytes()[..], &17_754_u16.to_be_bytes(), &length(8), &[0, 0]].concat();
    [ip, udp, header, frame.to_vec()].concat()
}

/// IoT-LAB's sniffer 12493 heard frames at 29.993683 and 29.999999 s and wrote 29.993683 and 29.000000.
#[test]
fn a_second_that_a_sniffer_lost_is_put_back() {
    let stamp =
        |seconds: u64, micros: u64| ((2_208_988_800 + 1_645_849_860 + seconds) << 32) + (micros << 32) / 1_000_000;
    // Put right: only the third. The fourth is of another second, the last really earlier than the one before it.
    let times = [(29, 0), (29, 993_683), (29, 0), (31, 0), (31, 5), (30, 999_999)];
    let mut file = make::Pcap::new(make::Order::Little, 101);
    for (n, &(seconds, micros)) in times.iter().enumerate() {
        file.record(1_645_849_889 + n as u32, 0, &zep(stamp(seconds, micros), &make::with_fcs(&make::data(n as u8))));
    }
    let capture = make::read(&file.octets).unwrap();
    let first = capture.frames[0].at;
    let micros: Vec<i64> = capture.frames.iter().map(|frame| (frame.at - first).nanos() / 1_000).collect();
    assert_eq!(micros, [0, 993_683, 1_000_000, 2_000_000, 2_000_005, 1_999_999]);
    assert_eq!(capture.notes.count("zep-time-carry"), 1);
}
