//! Captures that need decode options: keys that stay secret, several recordings as one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(args).output().expect("rtoscope runs")
}

/// Exit code and both output streams of the command.
fn said<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> (Option<i32>, String, String) {
    let output = run(args);
    let text = |octets: Vec<u8>| String::from_utf8(octets).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn hex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex")).collect()
}

/// A pcap of link type 230 (no FCS); frames 10 ms apart, the first `start` microseconds into a second.
fn pcap(path: &Path, start: u32, frames: &[Vec<u8>]) {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
    file.extend(230_u32.to_le_bytes());
    for (n, frame) in (0_u32..).zip(frames) {
        let length = frame.len() as u32;
        for word in [1_700_000_000, start + n * 10_000, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(frame);
    }
    std::fs::write(path, file).expect("written");
}

const KEY: &str = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf";

/// Same as in `trace/tests/decode/link.rs`: sealed by OpenSSL (level 5, key index 3), a GET of node 2, the answer of
/// node 1, and before them an echo request in clear that says node 2's extended address.
const FRAMES: [&str; 3] = [
    "618800cdab01000200 7a13 3a 02124b0011223344 8000 0000",
    "699801cdab010002000d010000000385bda97a2fccfecf34a7fe589cb6d438f1061f",
    "699801cdab020001000d0900000003c75cbc3107f2e98982989717a670354ed2bb52",
];

fn sealed(folder: &Path) -> PathBuf {
    let path = folder.join("sealed.pcap");
    pcap(&path, 0, &FRAMES.map(hex));
    path
}

#[test]
fn keys_open_frames_in_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sealed(folder.path()).display().to_string();
    let address = ["--address", "0x0001=00:12:4b:00:11:22:33:55"];
    let with_key = |command: &[&str]| said(&[command, &[&path, "--key", KEY], &address].concat());
    let (_, closed, _) = said(&["messages", &path, "--format", "csv"]);
    assert_eq!(closed.lines().count(), 1, "only the head");
    let (_, opened, _) = with_key(&["messages", "--format", "csv"]);
    assert_eq!(opened.lines().count(), 3, "{opened}");
    let (_, frames, _) = with_key(&["frames", "--format", "csv", "--filter", "coap.type == ACK"]);
    assert_eq!(frames.lines().count(), 2, "{frames}");
    let (_, tree, _) = with_key(&["dissect", "--frame", "2"]);
    assert!(tree.contains("decrypted") && tree.contains("Message ID"), "{tree}");
    let (_, info, _) = with_key(&["info"]);
    assert!(info.contains("1 given, with 1 pairs of addresses"), "{info}");
}

#[test]
fn keys_come_from_a_file_too_and_only_with_their_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sealed(folder.path()).display().to_string();
    let file = folder.path().join("keys.txt");
    let messages = |key: &str| {
        std::fs::write(&file, format!("# of the test bed\n\n{key}  # mine\n")).expect("written");
        let file = file.display().to_string();
        said(&["messages", &path, "--key-file", &file, "--format", "csv"]).1.lines().count() - 1
    };
    assert_eq!(messages(&format!("{KEY}:3")), 1);
    assert_eq!(messages(&format!("{KEY}:2")), 0);
}

#[test]
fn keys_are_repeated_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sealed(folder.path()).display().to_string();
    let out = folder.path().join("out.json").display().to_string();
    let commands: [&[&str]; 5] = [
        &["info", "--format", "json"],
        &["messages"],
        &["exchanges"],
        &["dissect", "--frame", "1,2,3", "--hex"],
        &["replay", "--replicates", "2", "--format", "json", "--out", &out],
    ];
    for command in commands {
        let (_, stdout, stderr) = said(&[command, &[&path, "--key", KEY]].concat());
        let written = std::fs::read_to_string(&out).unwrap_or_default();
        for text in [stdout, stderr, written] {
            let text = text.to_lowercase().replace([' ', ':'], "");
            assert!(!text.contains(KEY) && !text.contains("192,193,194"), "{command:?}: {text}");
        }
    }
    let wrong = &KEY[1..];
    let (code, stdout, stderr) = said(&["info", &path, "--key", wrong]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("Key 1 ") && !stderr.contains(wrong) && !stdout.contains(wrong), "{stderr}");
}

/// Frames that differ: data between short addresses, the sequence number and eight octets telling them apart.
fn numbered(n: u8) -> Vec<u8> {
    [&[0x41, 0x88, n, 0xcd, 0xab, 1, 0, 2, 0, 0x3f][..], &[n; 8]].concat()
}

#[test]
fn several_recordings_are_one_on_demand() {
    let folder = tempfile::tempdir().expect("a folder");
    let [left, right] = ["left.pcap", "right.pcap"].map(|name| folder.path().join(name));
    let frames: Vec<Vec<u8>> = (0..60).map(numbered).collect();
    pcap(&left, 0, &frames[..50]);
    // The second sniffer heard the last fifty, its clock 0.1 s ahead.
    pcap(&right, 200_000, &frames[10..]);
    let [left, right] = [left, right].map(|path| path.display().to_string());
    let (code, _, stderr) = said(&["info", &left, &right]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("--merge"), "{stderr}");
    let (code, info, stderr) = said(&["info", "--merge", &left, &right]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(info.contains("left.pcap + right.pcap"), "{info}");
    assert!(info.contains("the reference") && info.contains("40 common frames"), "{info}");
    assert!(info.contains("0.100000 s, drift +0 ppb"), "{info}");
    assert!(info.contains("40 frames show a transmission that another source heard"), "{info}");
    assert_eq!(info.lines().filter(|line| line.starts_with("sha256")).count(), 2, "{info}");
    let (_, list, _) = said(&["frames", "--merge", &left, &right, "--format", "csv"]);
    assert!(list.starts_with("frame,record,time,"), "{list}");
    assert_eq!(list.lines().count(), 101);
    assert!(list.contains(",left.pcap:50,") && list.contains(",right.pcap:1,"), "{list}");
}
