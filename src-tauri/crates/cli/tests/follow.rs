//! `--follow`: rows of a file that grows, each once.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A capture, unpacked, and the places where its records end.
fn capture() -> (Vec<u8>, Vec<usize>) {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/live-short-default/capture.pcap.gz");
    let whole = Command::new("gzip").args(["-dc"]).arg(path).output().expect("gzip runs").stdout;
    let mut ends = vec![24];
    while let Some(length) = whole.get(ends[ends.len() - 1] + 8..).and_then(|rest| rest.first_chunk::<4>()) {
        ends.push(ends[ends.len() - 1] + 16 + u32::from_le_bytes(*length) as usize);
    }
    (whole, ends)
}

fn follow(file: &Path, words: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.args(words).arg(file).args(["--follow", "--format", "csv", "-q"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rtoscope runs");
    let out = BufReader::new(child.stdout.take().expect("piped"));
    (child, out)
}

fn stop(mut child: Child, mut out: BufReader<ChildStdout>) -> String {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("UTF-8");
    assert_eq!(child.wait().expect("ends").code(), Some(0));
    rest
}

fn line(out: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    out.read_line(&mut line).expect("UTF-8");
    line
}

#[test]
fn rows_come_as_the_file_grows_and_are_those_of_the_whole_file() {
    let (whole, ends) = capture();
    for words in [&["frames"][..], &["messages"], &["exchanges"]] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing.pcap");
        // A third, cut within a record.
        let first = ends[ends.len() / 3] + 5;
        std::fs::write(&path, &whole[..first]).expect("written");
        let (child, mut out) = follow(&path, words);
        let mut text = line(&mut out);
        assert!(text.contains(','), "a header: {text}");
        let before = line(&mut out);
        assert!(!before.is_empty(), "rows before the file has grown");
        text.push_str(&before);
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("opened");
        file.write_all(&whole[first..]).expect("written");
        drop(file);
        // Until it has looked twice; then the rest comes at the end anyhow.
        std::thread::sleep(Duration::from_millis(700));
        text.push_str(&stop(child, out));
        let asked = Command::new(env!("CARGO_BIN_EXE_rtoscope"))
            .args(words)
            .arg(&path)
            .args(["--format", "csv", "-q"])
            .output();
        let expected = String::from_utf8(asked.expect("runs").stdout).expect("UTF-8");
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let (followed, expected) = (sorted(&text), sorted(&expected));
        assert_eq!(followed.len(), expected.len(), "{words:?}");
        // A complete row does not change later, but for estimates over the whole capture.
        let key = |line: &String| line.split(',').take(6).collect::<Vec<_>>().join(",");
        let keys = |lines: &[String]| {
            let mut keys: Vec<String> = lines.iter().map(key).collect();
            keys.sort();
            keys
        };
        if words[0] == "frames" {
            assert_eq!(
                followed.iter().map(|line| line.split(',').next()).collect::<Vec<_>>(),
                expected.iter().map(|line| line.split(',').next()).collect::<Vec<_>>()
            );
        } else {
            assert_eq!(keys(&followed), keys(&expected), "{words:?}");
        }
    }
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let code = |words: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(words).stdin(Stdio::null()).output().expect("runs");
        output.status.code()
    };
    assert_eq!(code(&["frames", "-", "--follow"]), Some(2));
    assert_eq!(code(&["frames", "/nowhere/a.pcap", "--follow", "--format", "parquet", "--out", "/dev/null"]), Some(2));
    assert_eq!(code(&["exchanges", "/nowhere/a.pcap", "--follow", "--copies"]), Some(2));
}
