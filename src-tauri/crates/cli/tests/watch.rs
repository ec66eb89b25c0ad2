//! `watch`: a file that grows, is replaced, is cut; a program that is killed; what it tells others.

#![cfg(unix)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A storm of half an hour, unpacked, and the places where its records begin.
fn storm() -> (Vec<u8>, Vec<usize>) {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-default/capture.pcap.gz");
    let whole = Command::new("gzip").args(["-dc"]).arg(path).output().expect("gzip runs").stdout;
    let mut starts = vec![24];
    while let Some(length) = whole.get(starts[starts.len() - 1] + 8..).and_then(|rest| rest.first_chunk::<4>()) {
        let length = if whole[0] == 0xa1 { u32::from_be_bytes(*length) } else { u32::from_le_bytes(*length) };
        starts.push(starts[starts.len() - 1] + 16 + length as usize);
    }
    (whole, starts)
}

const RULES: [&str; 6] = [
    "--alert",
    "needless > 20% for 2min",
    "--alert",
    "duration_p95 per client > 30s for 3min with 5",
    "--alert",
    "parent-changed then storm within 10min",
];

fn command(path: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.args(["watch", "-q", "--format", "json", "--exchanges"]).args(RULES).args(words).arg(path);
    command
}

fn start(path: &Path, words: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut child = command(path, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rtoscope runs");
    let out = BufReader::new(child.stdout.take().expect("piped"));
    (child, out)
}

/// Lines of a run to the end of what is at `path`.
fn to_end(path: &Path, words: &[&str]) -> Vec<String> {
    let output = command(path, &[words, &["--to-end"]].concat()).output().expect("rtoscope runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// Lines until there are so many.
fn lines(out: &mut BufReader<ChildStdout>, n: usize) -> Vec<String> {
    let line = |_| {
        let mut line = String::new();
        assert!(out.read_line(&mut line).expect("UTF-8") > 0, "it ended early");
        line.trim_end().to_owned()
    };
    (0..n).map(line).collect()
}

/// Sends a signal; returns what was still said.
fn end(mut child: Child, mut out: BufReader<ChildStdout>, signal: &str) -> Vec<String> {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("UTF-8");
    let code = child.wait().expect("ends").code();
    assert_eq!(code, (signal == "-INT").then_some(0));
    rest.lines().map(str::to_owned).collect()
}

fn append(path: &Path, octets: &[u8]) {
    let mut file = fs::OpenOptions::new().append(true).open(path).expect("opened");
    file.write_all(octets).expect("written");
}

/// Lines by what they are about, each once; a line that was said twice is the same.
fn each(lines: &[String]) -> BTreeMap<(String, u64), &str> {
    let mut found = BTreeMap::new();
    for line in lines {
        let value: Value = serde_json::from_str(line).expect("JSON on each line");
        let kind = value["type"].as_str().expect("a type").to_owned();
        let number = value[if kind == "alert" { "number" } else { "record" }].as_u64().expect("a number");
        let before = found.insert((kind, number), line.as_str());
        assert!(before.is_none_or(|before| before == line), "{before:?} and {line}");
    }
    found
}

#[test]
fn a_program_that_is_killed_goes_on_and_loses_nothing() {
    let (whole, starts) = storm();
    let folder = tempfile::tempdir().expect("a folder");
    let (path, state) = (folder.path().join("growing.pcap"), folder.path().join("state.json"));
    fs::write(&path, &whole).expect("written");
    let expected = to_end(&path, &[]);
    assert!(expected.len() > 295, "{}", expected.len());
    let words = ["--state", state.to_str().expect("UTF-8")];
    let half = starts[starts.len() / 2];
    fs::write(&path, &whole[..half + 7]).expect("written");
    let mut said = Vec::new();
    // Killed when something is acknowledged; then ended in peace; then the file moves on while nobody looks.
    let (child, mut out) = start(&path, &words);
    said.extend(lines(&mut out, 40));
    said.extend(end(child, out, "-KILL"));
    // A line that was cut by the kill was not acknowledged.
    said.retain(|line| line.ends_with('}'));
    let three_quarters = starts[starts.len() * 3 / 4];
    append(&path, &whole[half + 7..three_quarters]);
    let (child, mut out) = start(&path, &words);
    let before = said.len();
    said.extend(lines(&mut out, 20));
    std::thread::sleep(Duration::from_millis(1_500));
    said.extend(end(child, out, "-INT"));
    assert!(said.len() > before + 20);
    assert!(said.len() < expected.len(), "exchanges that are open are left for the next start");
    fs::rename(&path, folder.path().join("older.pcap")).expect("renamed");
    fs::write(&path, [&whole[..24], &whole[three_quarters..]].concat()).expect("written");
    let last = to_end(&path, &words);
    let twice = last.iter().filter(|line| said.contains(line)).count();
    assert_eq!(twice, 0, "after an end in peace nothing is said twice");
    said.extend(last);
    assert!(each(&said) == each(&expected), "{} lines of {}", said.len(), expected.len());
    assert_eq!(to_end(&path, &words), [""; 0], "all was said");
}

#[test]
fn a_file_that_is_replaced_or_cut_and_a_folder_go_on() {
    let (whole, starts) = storm();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("capture.pcap");
    fs::write(&path, &whole).expect("written");
    let expected = to_end(&path, &[]);
    let border = starts[starts.len() / 2];
    let second = [&whole[..24], &whole[border..]].concat();
    for is_cut in [false, true] {
        fs::write(&path, &whole[..border - 100]).expect("written");
        let (child, mut out) = start(&path, &[]);
        let mut said = lines(&mut out, 10);
        if is_cut {
            append(&path, &whole[border - 100..border]);
            std::thread::sleep(Duration::from_millis(1_000));
            fs::write(&path, &second).expect("cut and written");
        } else {
            // The writer has the old file open and ends it after the new one is there.
            let mut old = fs::OpenOptions::new().append(true).open(&path).expect("opened");
            fs::rename(&path, folder.path().join("capture.pcap.1")).expect("renamed");
            old.write_all(&whole[border - 100..border]).expect("written");
            std::thread::sleep(Duration::from_millis(600));
            fs::write(&path, &second).expect("written");
        }
        std::thread::sleep(Duration::from_millis(2_000));
        said.extend(end(child, out, "-INT"));
        assert!(each(&said) == each(&expected), "cut: {is_cut}, {} lines of {}", said.len(), expected.len());
    }
    let numbered = folder.path().join("numbered");
    fs::create_dir(&numbered).expect("made");
    fs::write(numbered.join("a.pcap2"), &whole[..border]).expect("written");
    fs::write(numbered.join("a.pcap10"), &second).expect("written");
    fs::write(numbered.join("notes.txt"), "no capture").expect("written");
    let said = to_end(&numbered, &[]);
    assert!(each(&said) == each(&expected), "{} lines of {}", said.len(), expected.len());
}

/// Asks the endpoint.
fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("UTF-8");
    reply
}

#[test]
fn sums_are_served_and_alerts_are_handed_to_a_program() {
    let (whole, _) = storm();
    let folder = tempfile::tempdir().expect("a folder");
    let (path, program, told) =
        (folder.path().join("c.pcap"), folder.path().join("tell"), folder.path().join("told.txt"));
    fs::write(&path, &whole).expect("written");
    fs::write(&program, format!("#!/bin/sh\ncat >> {}\nexit $#\n", told.display())).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("may run");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.args(["watch", "--prometheus", "127.0.0.1:0", "--alert", "storm", "--exec"]).arg(&program).arg(&path);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rtoscope runs");
    let mut words = BufReader::new(child.stderr.take().expect("piped"));
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    words.read_line(&mut line).expect("UTF-8");
    let address = line.trim().strip_prefix("metrics at http://").and_then(|rest| rest.strip_suffix("/metrics"));
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    let alert = &lines(&mut out, 1)[0];
    assert!(alert.contains("event  storm: needless: 4") && alert.contains("16 exchanges, 29 copies"), "{alert}");
    // The alert comes before the end of the capture is read, and a busy machine takes its time.
    let ask_for_sums = || ask(&address, "GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
    let is_read = |metrics: &String| metrics.contains("rtoscope_frames_total 12163\n");
    let later = |_| {
        std::thread::sleep(Duration::from_millis(100));
        ask_for_sums()
    };
    let metrics = (0..300).map(later).find(is_read).unwrap_or_else(ask_for_sums);
    assert!(metrics.starts_with("HTTP/1.1 200 OK\r\n"), "{metrics}");
    for sum in ["rtoscope_alerts_total{alert=\"storm\"} 1\n", "rtoscope_needless_copies_total{client=\"mote 5\"} "] {
        assert!(metrics.contains(sum), "{metrics}");
    }
    let frames = metrics.lines().find_map(|line| line.strip_prefix("rtoscope_frames_total ")).expect("a sum");
    assert_eq!(frames, "12163");
    assert!(ask(&address, "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
    assert!(ask(&address, "POST /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
    assert_eq!(child.wait().expect("ends").code(), Some(0));
    let told: Value = serde_json::from_str(&fs::read_to_string(&told).expect("told")).expect("one alert");
    assert_eq!((&told["alert"], &told["number"]), (&"storm".into(), &1.into()));
    let mut rest = String::new();
    words.read_to_string(&mut rest).expect("UTF-8");
    assert!(rest.contains("12163 frames; 292 exchanges") && !rest.contains("failed, or took"), "{rest}");
}

#[test]
fn a_program_that_fails_is_counted_and_wrong_usage_is_said() {
    let (whole, _) = storm();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.pcap");
    fs::write(&path, &whole).expect("written");
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
        let output = command.arg("watch").arg(&path).arg("--to-end").args(words).output().expect("rtoscope runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = run(&["--alert", "storm", "--exec", "false"]);
    assert!(code == Some(0) && said.contains("false failed, or took longer than five minutes (1 alerts)"), "{said}");
    let (code, said) = run(&["--alert", "storm", "--exec", "/no/such/program"]);
    assert!(code == Some(0) && said.contains("could not be started") && said.contains("(1 alerts)"), "{said}");
    for (words, what) in [
        (&["--prometheus", "0.0.0.0:9464"][..], "can be reached from other machines"),
        (&["--alert", "rain"], "is no event"),
        (&["--assume-vantage", "mote 5=client"], "of all clients"),
    ] {
        let (code, said) = run(words);
        assert!(code == Some(2) && said.contains(what), "{said}");
    }
    let state = folder.path().join("state.json");
    let state = state.to_str().expect("UTF-8");
    assert_eq!(run(&["--state", state, "-q"]).0, Some(0));
    let other = folder.path().join("other.pcap");
    fs::copy(&path, &other).expect("copied");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let output = command.arg("watch").arg(&other).args(["--to-end", "--state", state]).output().expect("rtoscope runs");
    assert_eq!(output.status.code(), Some(2), "the state of another capture");
}
