//! Text of a capture never acts on the reader: hostile names, comments, paths and file names through every command and
//! form.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Begins a line only where a line end of the capture has come through.
const FORGED: &str = "FORGED";

fn option(code: u16, value: &[u8]) -> Vec<u8> {
    let mut octets = [code.to_le_bytes(), (value.len() as u16).to_le_bytes()].concat();
    octets.extend(value);
    octets.resize(octets.len().next_multiple_of(4), 0);
    octets
}

fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32 + 12).to_le_bytes();
    [&kind.to_le_bytes(), &length, body, &length].concat()
}

/// A CoAP message in UDP in IPv6; `from` and `to` are last octets of addresses.
fn datagram(from: u8, to: u8, (source, target): (u16, u16), coap: &[u8]) -> Vec<u8> {
    let address = |last: u8| [&[0xfd], &[0; 14][..], &[last]].concat();
    let length = (coap.len() as u16 + 8).to_be_bytes();
    let ends = [source.to_be_bytes(), target.to_be_bytes()].concat();
    let pseudo =
        [&address(from)[..], &address(to), &[0, 0], &length, &[0, 0, 0, 17], &ends, &length, &[0, 0], coap].concat();
    let words = pseudo.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0)));
    let sum = words.fold(0, |sum, word| {
        let sum: u32 = sum + word;
        (sum & 0xffff) + (sum >> 16)
    });
    let checksum = (!(sum as u16)).to_be_bytes();
    [&[0x60, 0, 0, 0], &length[..], &[17, 64], &address(from), &address(to), &ends, &length, &checksum, coap].concat()
}

fn coap_option(number: u8, value: &[u8]) -> Vec<u8> {
    let length = value.len().min(255);
    let mut octets = match length {
        0..=12 => vec![number << 4 | length as u8],
        _ => vec![number << 4 | 13, (length - 13) as u8],
    };
    octets.extend(&value[..length]);
    octets
}

/// A capture in which everything that has a name has that of `hostile`: file, interface, nodes, comments, paths,
/// payload.
fn capture(hostile: &[u8]) -> Vec<u8> {
    let names = |last: u8| {
        let value = [
            &[0xfd][..],
            &[0; 14],
            &[last],
            &hostile.iter().map(|&o| if o == 0 { b'0' } else { o }).collect::<Vec<_>>(),
            &[0],
        ];
        option(2, &value.concat())
    };
    let mut octets = block(
        0x0a0d_0d0a,
        &[
            &0x1a2b_3c4d_u32.to_le_bytes()[..],
            &[1, 0, 0, 0],
            &[0xff; 8],
            &option(1, hostile),
            &option(4, hostile),
            &[0; 4],
        ]
        .concat(),
    );
    octets
        .extend(block(1, &[&[101, 0, 0, 0][..], &[0; 4], &option(2, hostile), &option(3, hostile), &[0; 4]].concat()));
    octets.extend(block(4, &[&names(1)[..], &names(2), &[0; 4]].concat()));
    let mut packet = |micros: u64, frame: Vec<u8>| {
        let time = [((micros >> 32) as u32).to_le_bytes(), (micros as u32).to_le_bytes()].concat();
        let length = (frame.len() as u32).to_le_bytes();
        let mut padded = frame;
        padded.resize(padded.len().next_multiple_of(4), 0);
        octets
            .extend(block(6, &[&[0; 4][..], &time, &length, &length, &padded, &option(1, hostile), &[0; 4]].concat()));
    };
    for mid in 0..8_u8 {
        let at = u64::from(mid) * 10_000_000;
        let request = [&[0x41, 1, 0, mid, mid][..], &coap_option(11, hostile), &coap_option(4, hostile)].concat();
        packet(at, datagram(1, 2, (40_000, 5_683), &request));
        packet(at + 2_500_000, datagram(1, 2, (40_000, 5_683), &request));
        let reply = [&[0x61, 0x45, 0, mid, mid, 0xff][..], hostile].concat();
        packet(at + 2_600_000, datagram(2, 1, (5_683, 40_000), &reply));
    }
    octets
}

fn rtoscope(file: &Path, words: &[&str]) -> Output {
    let (command, rest) = words.split_first().unwrap();
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).arg(command).arg(file).args(rest).output().unwrap()
}

/// Every command that says something of a capture, in every form that has text.
fn lines() -> Vec<Vec<&'static str>> {
    let rows: [&[&str]; 14] = [
        &["info"],
        &["messages"],
        &["messages", "--hops"],
        &["exchanges"],
        &["exchanges", "--copies"],
        &["frames"],
        &["network"],
        &["network", "--nodes"],
        &["identify"],
        &["identify", "--timeouts"],
        &["channel-states"],
        &["trust"],
        &["replay", "--algorithm", "coap_default", "--replicates", "2"],
        &["figure", "--algorithm", "coap_default", "--replicates", "2"],
    ];
    let mut lines: Vec<Vec<&str>> = Vec::new();
    for words in rows {
        for form in ["table", "csv", "json", "markdown"] {
            lines.push([words, &["--format", form]].concat());
        }
    }
    for form in ["text", "json"] {
        lines.push(vec!["dissect", "--frame", "1,3", "--hex", "--format", form]);
        lines.push(vec!["ladder", "--exchange", "0", "--format", form]);
        lines.push(vec!["watch", "--to-end", "--exchanges", "--alert", "failed > 1 for 1h", "--format", form]);
    }
    lines.push(vec!["figure", "--algorithm", "coap_default", "--replicates", "2", "--format", "latex"]);
    lines.push(vec!["report", "--data"]);
    lines
}

fn check(file: &Path, words: &[&str]) {
    let words: Vec<&str> = words.to_vec();
    let output = match words[0] {
        // The recipe comes before the capture.
        "figure" => {
            let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
            command.args(["figure", "early_bars"]).arg(file).args(&words[1..]).output().unwrap()
        }
        // The same goes for what is done with a study, and the recipe of its figure.
        "study" => {
            let of = if words[1] == "figure" { 3 } else { 2 };
            let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
            command.args(&words[..of]).arg(file).args(&words[of..]).output().unwrap()
        }
        _ => rtoscope(file, &words),
    };
    for (name, octets) in [("output", &output.stdout), ("errors", &output.stderr)] {
        let text = std::str::from_utf8(octets).unwrap_or_else(|_| panic!("{words:?}: {name} is no UTF-8"));
        let acts = text.chars().find(|&c| c != '\n' && !api::is_printable(c));
        assert_eq!(acts, None, "{words:?}: {name}: {text:?}");
        // HTML, pictures and code in Markdown act where that is shown, commands in LaTeX where it is set.
        let active: &[&str] = match (words.last(), name) {
            (Some(&"markdown"), "output") => &["<b>", "![p]", " `"],
            (Some(&"latex"), "output") => &["\\input{", "<b>"],
            _ => &[],
        };
        // The caption is a comment of LaTeX.
        let shown = || text.lines().filter(|line| words.last() != Some(&"latex") || !line.starts_with('%'));
        let acts = active.iter().find(|&&acts| shown().any(|line| line.contains(acts)));
        assert_eq!(acts, None, "{words:?}: {text:?}");
        let forged = text.lines().find(|line| line.trim_start().starts_with(FORGED));
        assert_eq!(forged, None, "{words:?}: {name}: {text:?}");
    }
    // A file or folder that is not there may be a wrong usage.
    let most = if file.exists() { 1 } else { 2 };
    assert!(
        output.status.code().is_some_and(|code| code <= most),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success() || !output.stderr.is_empty(), "{words:?}");
}

/// A file called by `name` in a folder of its own.
fn written(name: &[u8], hostile: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    let name = std::os::unix::ffi::OsStrExt::from_bytes(name);
    #[cfg(not(unix))]
    let name: &std::ffi::OsStr = {
        let _ = name;
        "hostile.pcapng".as_ref()
    };
    let path = folder.path().join::<&std::ffi::OsStr>(name);
    std::fs::write(&path, capture(hostile)).unwrap();
    (folder, path)
}

/// ESC, NUL, line ends, bidirectional controls, C1, tags, invalid UTF-8, quotes of every form.
const HOSTILE: &[u8] = b"\x1b]0;owned\x07\x1b[2J\0\nFORGED\r\nFORGED\x7f \xe2\x80\xaeevil\xe2\x81\xa6 \xc2\x9b31m \xf3\xa0\x81\x81 \xff\xc3 \
    =1+1|x|<b>![p](u) `c` \\input{x}`'\",;%$ \xe2\x80\xa8FORGED";

#[test]
fn nothing_that_a_capture_says_acts_on_the_reader() {
    let name: Vec<u8> = HOSTILE.iter().copied().filter(|&octet| octet != 0 && octet != b'/').collect();
    let (_folder, path) = written(&name, HOSTILE);
    for words in lines() {
        check(&path, &words);
    }
}

#[test]
fn the_capture_is_read_whole() {
    // Otherwise the test above would look at nothing.
    let (_folder, path) = written(b"x.pcapng", HOSTILE);
    let frames = rtoscope(&path, &["frames", "-q", "--format", "csv"]);
    let text = String::from_utf8(frames.stdout).unwrap();
    assert_eq!(text.lines().count(), 25, "{text}");
    assert!(text.contains(r"\033]0;owned\a\033[2J\000\nFORGED\r\nFORGED\177"), "{text}");
    let exchanges = rtoscope(&path, &["exchanges", "-q", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_slice(&exchanges.stdout).unwrap();
    assert_eq!(rows.as_array().map(Vec::len), Some(8));
    let info = String::from_utf8(rtoscope(&path, &["info", "-q"]).stdout).unwrap();
    assert!(info.contains(r"comment") && info.contains(r"\033]0;owned\a"), "{info}");
}

#[test]
fn json_and_parquet_keep_every_character() {
    let (_folder, path) = written(b"x.pcapng", "a\u{1b}\nb\u{202e}".as_bytes());
    let frames = rtoscope(&path, &["frames", "-q", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_slice(&frames.stdout).unwrap();
    assert_eq!(rows[0]["comment"], "a\u{1b}\nb\u{202e}");
}

/// The page has its data as JSON in a script, which neither ends it nor begins an element.
#[test]
fn a_page_has_no_element_of_the_capture() {
    let html = |hostile: &[u8]| {
        let (folder, path) = written(b"x.pcapng", hostile);
        let page = folder.path().join("page.html");
        let output = rtoscope(&path, &["report", "-q", "--out", page.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(page).unwrap()
    };
    let (tame, hostile) = (html(b"tame"), html(b"<b>owned</b></script><script>owned()</script><!--"));
    assert!(hostile.contains("owned"), "the page has the text");
    for begins in ["<b>", "<script", "</script", "<!--"] {
        assert_eq!(hostile.matches(begins).count(), tame.matches(begins).count(), "{begins}");
    }
}

/// Folders of runs have names too.
#[cfg(unix)]
#[test]
fn scenarios_are_names_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let scenario = "live/\u{1b}a|<b>\nFORGED-seed1";
    for (run, timer) in [("live-short-default", "NULL"), ("live-short-cocoa", "COCOA")] {
        let place = folder.path().join(scenario).join(timer);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::copy(traces.join(run).join("capture.pcap.gz"), place.join("capture.pcap.gz")).unwrap();
    }
    for form in ["table", "csv", "json", "markdown"] {
        let words = ["calibrate", "--replicates", "2", "--channel", "empirical", "--format", form];
        check(folder.path(), &words);
        let output = rtoscope(folder.path(), &words);
        assert!(String::from_utf8_lossy(&output.stdout).contains("FORGED"), "{form}: it has the scenario");
    }
    let study = folder.path().join("timers.toml");
    let text = "name = \"runs\"\nreplicates = 2\nchannels = [\"empirical\"]\n\
                [[captures]]\npaths = \"live/{scenario}-seed{seed}/{timer}/capture.pcap.gz\"\n\
                [[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\nalgorithm = \"cocoa_cf3\"\n";
    std::fs::write(&study, text).unwrap();
    check(&study, &["study", "run"]);
    for form in ["table", "csv", "json", "markdown"] {
        for words in [&["study", "status"][..], &["study", "show", "--rows"], &["study", "figure", "scenarios"]] {
            check(&study, &[words, &["--format", form]].concat());
        }
    }
    check(&study, &["study", "figure", "scenarios", "--format", "latex"]);
    check(&study, &["study", "report", "--format", "markdown"]);
    let shown = rtoscope_study(&study, "show");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("FORGED"), "the study has the scenario");
}

fn rtoscope_study(study: &Path, what: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(["study", what]).arg(study).output().unwrap()
}

/// A pattern of the shell may make an option of a file's name.
#[test]
fn wrong_options_are_named_without_acting() {
    for word in ["--x\nFORGED", "--seed\u{1b}[31m=1\nFORGED", "--channel=a\nFORGED", "\nFORGED"] {
        check(Path::new(word), &["replay"]);
        check(Path::new("x"), &["replay", word]);
    }
}

#[test]
fn errors_name_files_without_acting() {
    let missing = "/nowhere/\u{1b}[31m\nFORGED\u{202e}.pcap";
    for words in [&["info"][..], &["replay"], &["calibrate"], &["report", "--data"], &["drive"]] {
        check(Path::new(missing), words);
    }
}

proptest! {
    // Each case starts six processes: a bound, where 100,000 cases of a law are asked for.
    #![proptest_config(ProptestConfig { cases: needs::cases(12).min(5_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_string_acts_on_the_reader(
        text in "([\\x00-\\x1f\\x7f-\\u{9f}\\u{ad}\\u{200b}-\\u{200f}\\u{2028}-\\u{202e}\\u{2066}-\\u{2069}\\u{e0020}-\\u{e007f}]|\\nFORGED|[ -~é→]){1,40}",
        broken in proptest::collection::vec(any::<u8>(), 0..6),
        at in 0..60_usize,
    ) {
        let octets = [text.as_bytes(), &broken].concat();
        let (_folder, path) = written(b"x.pcapng", &octets);
        // Another command for each string: all of them in some runs of the test.
        let all = lines();
        for step in 0..6 {
            check(&path, &all[(at + step * 10) % all.len()]);
        }
    }
}
