//! One grammar for every command: forms, standard input, numbers and units, empty answers, completions and the manual.

use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn capture() -> String {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/live-short-default/capture.pcap.gz");
    path.to_str().expect("UTF-8").to_owned()
}

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(words).output().expect("rtoscope runs")
}

fn with_input(words: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("rtoscope runs");
    // A program that refuses its command line reads nothing.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    assert_eq!(code(output), Some(0), "{}", said(output));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Commands that print rows, with what they need.
fn rows() -> Vec<Vec<String>> {
    let file = capture();
    let traces = format!("{}/../../../traces", env!("CARGO_MANIFEST_DIR"));
    let lines: [&[&str]; 17] = [
        &["info", &file],
        &["messages", &file],
        &["exchanges", &file],
        &["frames", &file],
        &["network", &file],
        &["fields"],
        &["figures"],
        &["algorithms"],
        &["algorithms", "cocoa_plus"],
        &["identify", &file],
        &["identify", &file, "--timeouts"],
        &["channel-states", &file],
        &["trust", &file],
        &["replay", &file, "--algorithm", "coap_default", "--replicates", "2"],
        &["figure", "early_bars", &file, "--algorithm", "coap_default", "--replicates", "2"],
        &["optimise", &file, "--over", "rto_max", "--evaluations", "3", "--replicates", "2"],
        &["calibrate", &traces, "--only", "short", "--channel", "empirical", "--replicates", "2"],
    ];
    lines.iter().map(|line| line.iter().map(|&word| word.to_owned()).collect()).collect()
}

#[test]
fn rows_come_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in rows() {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        for form in ["table", "csv", "json", "markdown", "parquet"] {
            let file = folder.path().join("rows");
            let output = run(&[&words[..], &["--format", form, "--out", file.to_str().expect("UTF-8")]].concat());
            assert_eq!(code(&output), Some(0), "{words:?} as {form}: {}", said(&output));
            assert!(output.stdout.is_empty(), "{words:?} as {form}");
            let octets = std::fs::read(&file).expect("written");
            let text = String::from_utf8_lossy(&octets);
            match form {
                "json" => drop(serde_json::from_str::<Value>(&text).expect("JSON")),
                "parquet" => assert!(octets.starts_with(b"PAR1") && octets.ends_with(b"PAR1"), "{words:?}"),
                "csv" => assert!(text.lines().next().is_some_and(|head| !head.contains(' ')), "{words:?}: {text}"),
                "markdown" if words[0] != "calibrate" => assert!(text.contains('|'), "{words:?}: {text}"),
                _ => {}
            }
            std::fs::remove_file(&file).expect("removed");
            // And to standard output as `-`.
            if form == "csv" {
                assert_eq!(out(&run(&[&words[..], &["--format", "csv", "--out", "-"]].concat())), text, "{words:?}");
            }
        }
    }
}

#[test]
fn the_older_spelling_of_json_is_still_read() {
    let file = capture();
    for command in ["identify", "channel-states", "trust"] {
        let forms =
            [&["--json"][..], &["--format", "json"]].map(|form| out(&run(&[&[command, &file, "-q"], form].concat())));
        assert_eq!(forms[0], forms[1], "{command}");
    }
}

const EVENTS: &str = r#"{"vectors": [{"id": "mine", "preset": "coap_default", "unit": "s", "steps": [STEP]}]}"#;

fn drive(step: &str) -> Output {
    with_input(&["drive", "-"], EVENTS.replace("STEP", step).as_bytes())
}

#[test]
fn drive_reads_standard_input_and_every_field() {
    let good = drive(r#"{"op": "exchange", "t": 0, "u": 0.5, "k": 1, "after_last_tx": 0.25, "rc": null}"#);
    let driven: Value = serde_json::from_str(&out(&good)).expect("JSON");
    assert_eq!(driven["vectors"][0]["steps"][0]["rtt_from_first"], json!(2.75));
    for (step, field) in [
        (r#"{"op": "exchange", "t": 0, "u": "x", "after_last_tx": 1}"#, "`u` is \"x\", not a number"),
        (r#"{"op": "exchange", "t": 0, "u": 5, "after_last_tx": 1}"#, "`u` is 5, not a draw from 0 to 1"),
        (r#"{"op": "exchange", "t": 0, "k": 1.7, "after_last_tx": 1}"#, "`k` is 1.7, not a whole number from 0"),
        (r#"{"op": "exchange", "t": 0, "k": -1, "after_last_tx": 1}"#, "`k` is -1, not a whole number from 0"),
        (r#"{"op": "exchange", "t": 0, "k": 256, "after_last_tx": 1}"#, "`k` is 256, too large"),
        (r#"{"op": "exchange", "t": 0, "k": 1, "rc": 2, "after_last_tx": 1}"#, "`rc` is 2, but the last copy is 1"),
        (r#"{"op": "exchange", "t": -1, "after_last_tx": 1}"#, "`t` is -1, below zero"),
        (r#"{"op": "exchange", "t": 0}"#, "no `after_last_tx`"),
        (r#"{"op": "fail", "t": 0, "max_retransmit": "4"}"#, "`max_retransmit` is \"4\", not a whole number from 0"),
        (r#"{"op": "send", "t": 0, "k": 1}"#, "there is no field `k`; there are op, t, u, inflight"),
        (r#"{"op": "fail", "t": 0, "rc": 1}"#, "there is no field `rc`; there are op, t, u, inflight, max_retransmit"),
        (r#"{"op": "sned", "t": 0}"#, "`op` is `sned`, not exchange, fail or send"),
        (r#"{"t": 0}"#, "no `op`"),
        (r#"{"op": "exchange", "t": 0, "K": 1, "after_last_tx": 1}"#, "there is no field `K`; there are op, t, u, "),
        ("7", "no `t`"),
    ] {
        let output = drive(step);
        assert_eq!(code(&output), Some(2), "{step}");
        let said = said(&output);
        assert!(said.starts_with("rtoscope: standard input: vector `mine`: step 0: "), "{said}");
        assert!(said.contains(field), "{step}: {said}");
    }
    let back = r#"{"op": "exchange", "t": 5, "after_last_tx": 1}, {"op": "exchange", "t": 1, "after_last_tx": 1}"#;
    assert!(said(&drive(back)).contains("step 1: `t` is before that of the step before"), "{}", said(&drive(back)));
    for (input, why) in [
        (&b"\xff\xfe\x00binary"[..], "standard input"),
        (b"{", "is not JSON"),
        (br#"{"steps": []}"#, "expected an object with an array `vectors`"),
        (br#"{"vectors": [{"preset": "none_such", "steps": []}]}"#, "vector 0: no algorithm is called `none_such`"),
        (br#"{"vectors": [{"preset": "coap_default", "param": {}, "steps": []}]}"#, "there is no field `param`"),
        (br#"{"vectors": [{"preset": "coap_default", "unit": 7, "steps": []}]}"#, "`unit` is 7, not a text"),
    ] {
        let output = with_input(&["drive", "-"], input);
        assert_eq!(code(&output), Some(2), "{why}: {}", said(&output));
        assert!(said(&output).contains(why), "{why}: {}", said(&output));
    }
    // One vector that cannot be run does not keep the others back.
    let both = r#"{"vectors": [{"preset": "none_such", "steps": []}, {"preset": "coap_default", "steps": [{"op": "send", "t": 0}]}]}"#;
    let output = with_input(&["drive", "-"], both.as_bytes());
    assert_eq!(code(&output), Some(2));
    let driven: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(driven["vectors"][1]["steps"][0]["rto"], 2.0);
}

#[test]
fn numbers_below_zero_are_values_and_times_have_units() {
    let file = capture();
    for (words, why) in [
        (&["--seed", "-1"][..], "seed must be at least 0"),
        (&["--replicates", "0"], "replicates must be at least 1"),
        (&["--replicates", "many"], "replicates must be a whole number, not `many`"),
        (&["--max-retransmit", "21"], "max-retransmit must be at most 20"),
        (&["--nstart", "-3"], "nstart must be at least 1"),
        (&["--from", "-5"], "a time is not below zero"),
        (&["--from", "-5min"], "a time is not below zero"),
        (&["--service", "-1ms"], "a time is not below zero"),
        (&["--state-lifetime", "-1s"], "a time is not below zero"),
        (&["--from", "5 parsecs"], "`parsecs` is no unit of time"),
        (&["--probing-rate", "1.5"], "not a whole number of octets"),
    ] {
        let output = run(&[&["replay", &file], words].concat());
        assert_eq!(code(&output), Some(2), "{words:?}");
        assert!(said(&output).contains(why), "{words:?}: {}", said(&output));
    }
    let numbers = |from: &str| {
        let words = ["replay", &file, "-q", "--algorithm", "coap_default", "--replicates", "2", "--from", from];
        out(&run(&[&words[..], &["--format", "csv"]].concat()))
    };
    assert_eq!(numbers("60"), numbers("1min"));
    assert_eq!(numbers("60"), numbers("60000ms"));
}

#[test]
fn empty_answers_say_so() {
    let file = capture();
    let refused = |words: &[&str], code_is: i32, why: &str| {
        let output = run(words);
        assert_eq!(code(&output), Some(code_is), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(why), "{words:?}: {}", said(&output));
    };
    refused(&["replay", &file, "--from", "99999", "--replicates", "2"], 2, "is beyond the end of the capture");
    // The same wherever a part is replayed.
    let late = ["--from", "99999", "--algorithm", "coap_default"];
    for words in [&["replay", &file][..], &["export", &file, "--out", "-"], &["figure", "early_bars", &file]] {
        refused(&[words, &late].concat(), 2, "is beyond the end of the capture");
    }
    refused(&["optimise", &file, "--over", "rto_max", "--from", "99999"], 2, "is beyond the end of the capture");
    let held_out = ["--hold-out", &file, "--from", "2:99999"];
    refused(
        &[&["optimise", &file, "--over", "rto_max"], &held_out[..]].concat(),
        2,
        "is beyond the end of the capture",
    );
    refused(&["frames", &file, "--limit", "0"], 2, "limit must be at least 1");
    refused(&["watch", &file, "--to-end"], 1, "packed with gzip");
    refused(&["watch", "/nowhere/mistyped.pcap", "--to-end"], 1, "cannot read /nowhere/mistyped.pcap");
    refused(&["identify", &file, "--top", "0"], 2, "top must be at least 1");
    refused(&["ladder", &file, "--exchange", "999999"], 2, "there is no exchange 999999; the capture has 0 to ");
    refused(&["frames", &file, "--filter", "coap.midd == 1"], 2, "did you mean `coap.mid`?");
    refused(&["frames", &file, "--filter", "zzz == 1"], 2, "`rtoscope fields` lists all");
    refused(&["frames", &file, "--filter", "coap.mid == 70000"], 0, "no frame passes the filter");
    // A capture without exchanges.
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("empty.pcapng");
    let empty = empty.to_str().expect("UTF-8");
    out(&run(&["export", &file, "--filter", "coap.type == RST && coap.type == CON", "--out", empty]));
    let none = "the capture has no confirmable exchange";
    refused(&["exchanges", empty], 0, none);
    refused(&["frames", empty], 0, "the capture has no frame");
    refused(&["messages", empty], 0, "the capture has no CoAP message");
    refused(&["replay", empty], 2, none);
    refused(&["optimise", empty, "--over", "rto_max"], 2, none);
    refused(&["ladder", empty, "--exchange", "0"], 2, none);
    refused(&["identify", empty], 0, "no timeout ran out in this capture");
    refused(&["channel-states", empty], 0, "no path with confirmable exchanges");
    for recipe in ["rto_time", "rto_index", "factor_box"] {
        refused(&["figure", recipe, empty, "--algorithm", "coap_default", "-q"], 0, "note: ");
    }
    let kept = folder.path().join("prediction.json");
    let kept = kept.to_str().expect("UTF-8");
    let predict = ["replay", &file, "--algorithm", "coap_default", "--channel", "empirical", "--replicates", "2"];
    out(&run(&[&predict[..], &["--format", "json", "--out", kept]].concat()));
    refused(&["check-again", kept, empty], 2, "The capture has no confirmable exchange");
    refused(&["replay", "-", "--measured", "-"], 2, "standard input can be read once");
}

#[test]
fn a_gzip_that_ends_early_is_called_one() {
    let whole = std::fs::read(capture()).expect("a bundled capture");
    // Two octets are its mark. Of the middle some cuts are enough; of head and tail every one.
    let cuts = (3..400).chain((400..whole.len() - 200).step_by(997)).chain(whole.len() - 20..whole.len());
    for cut in cuts.step_by(7) {
        let output = with_input(&["info", "-"], &whole[..cut]);
        let all = format!("{}{}", said(&output), String::from_utf8_lossy(&output.stdout));
        assert!(all.contains("gzip"), "cut at {cut} of {}: {all}", whole.len());
    }
}

#[test]
fn a_replay_over_a_chosen_channel_says_how_far_it_is_trusted() {
    let file = capture();
    let output = run(&["replay", &file, "-q", "--replicates", "2", "--format", "json"]);
    let document: Value = serde_json::from_str(&out(&output)).expect("JSON");
    let trust = document["chosen"]["trust"].as_str().expect("a level");
    assert!(["low", "medium", "high"].contains(&trust), "{trust}");
    assert_eq!(document["reservations"][1], format!("trust: {trust}"));
}

#[test]
fn a_replay_says_its_reservations() {
    let file = capture();
    let words = ["replay", &file, "-q", "--replicates", "2", "--channel", "empirical", "--format", "json"];
    let output = run(&words);
    let document: Value = serde_json::from_str(&out(&output)).expect("JSON");
    let reservations = document["reservations"].as_array().expect("a list");
    assert!(reservations[0].as_str().is_some_and(|said| said.starts_with("channel: ")), "{reservations:?}");
    for reservation in reservations {
        assert!(said(&output).contains(reservation.as_str().expect("words")), "{reservation}");
    }
    let low = |run: &Value| {
        let supports =
            run["metrics"].as_object().expect("measures").values().filter_map(|metric| metric["support"].as_f64());
        supports.fold(1.0, f64::min) < api::LOW_SUPPORT
    };
    let rests =
        reservations.iter().any(|said| said.as_str().is_some_and(|said| said.contains("mostly on what the channel")));
    let any = document["runs"].as_array().expect("runs").iter().any(low);
    assert!(!rests || any, "a reservation without a row of low support");
    // The page hatches by the same bound.
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/views/compare/columns.ts"));
    assert!(page.expect("the page's source").contains(&format!("LOW_SUPPORT = {};", api::LOW_SUPPORT)));
}

#[test]
fn completions_and_manual_know_every_command() {
    let help = out(&run(&["--help"]));
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands: Vec<&str> =
        commands.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&run(&["completions", shell]));
        for command in commands.iter().filter(|&&command| command != "help") {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let page = out(&run(&["man"]));
    assert!(page.contains(".TH rtoscope 1"), "{page}");
    for command in &commands {
        assert!(page.replace('\\', "").contains(&format!("rtoscope-{command}")), "{command}");
    }
    assert!(out(&run(&["man", "replay"])).replace('\\', "").contains("--seed"), "options");
    let page = out(&run(&["man", "study", "run"])).replace('\\', "");
    assert!(page.contains(".TH rtoscope-study-run 1") && page.contains("--again"), "{page}");
    assert_eq!(code(&run(&["man", "study", "walk"])), Some(2));
    assert_eq!(code(&run(&["man", "no-such-command"])), Some(2));
    assert_eq!(code(&run(&["completions", "tcsh"])), Some(2));
}

#[test]
fn the_version_names_the_commit() {
    let version = out(&run(&["--version"]));
    let rest =
        version.trim().strip_prefix(concat!("rtoscope ", env!("CARGO_PKG_VERSION"), " (")).expect("the version first");
    let commit = rest.strip_suffix(')').expect("in brackets");
    let hex: String = commit.chars().take_while(char::is_ascii_hexdigit).collect();
    let is_named = hex.len() == 12 && matches!(&commit[12..], "" | ", or changed since");
    assert!(is_named || commit == "commit unknown", "{version}");
}

#[cfg(unix)]
#[test]
fn a_write_that_fails_leaves_what_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("rows.csv");
    std::fs::write(&place, "what was there").expect("written");
    // A file may have 512 or 1024 octets, and no signal ends the program.
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\"";
    let words = ["exchanges", &capture(), "-q", "--format", "csv", "--out", place.to_str().expect("UTF-8")];
    let output =
        Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_rtoscope")]).args(words).output().expect("sh runs");
    assert_eq!(code(&output), Some(1), "{}", said(&output));
    assert!(said(&output).contains("cannot write"), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(&place).expect("there"), "what was there");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "no part of a file is left");
}

#[cfg(unix)]
#[test]
fn standard_streams_are_files_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pcap.gz");
    std::fs::copy(capture(), &file).expect("copied");
    let before = std::fs::read(&file).expect("there");
    // `rtoscope frames - --out a < a`, and `rtoscope frames a >> a`.
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let from = std::fs::File::open(&file).expect("opened");
    let output = command.args(["frames", "-", "--out"]).arg(&file).stdin(from).output().expect("runs");
    assert_eq!(code(&output), Some(2), "{}", said(&output));
    let onto = std::fs::OpenOptions::new().append(true).open(&file).expect("opened");
    let status =
        Command::new(env!("CARGO_BIN_EXE_rtoscope")).arg("frames").arg(&file).stdout(onto).status().expect("runs");
    assert_eq!(status.code(), Some(2));
    assert_eq!(std::fs::read(&file).expect("there"), before);
    // A list of nodes comes by standard input too; a study has a place, and says so.
    let named = with_input(
        &["network", &capture(), "--nodes", "--plan", "-", "--format", "csv"],
        b"node,x,y,name\n1,0,0,hall\n",
    );
    assert_eq!(code(&named), Some(0), "{}", said(&named));
    for command in ["run", "status", "show", "report"] {
        let output = with_input(&["study", command, "-"], b"");
        assert_eq!(code(&output), Some(2), "{command}: {}", said(&output));
        assert!(said(&output).contains("standard input cannot be a study"), "{command}: {}", said(&output));
    }
    // Devices and pipes are written to as they are.
    assert_eq!(code(&run(&["frames", &capture(), "-q", "--out", "/dev/null"])), Some(0));
    assert!(out(&run(&["frames", &capture(), "-q", "--out", "/dev/stdout"])).lines().count() > 100);
    let folder_as_place = run(&["frames", &capture(), "-q", "--out", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(code(&folder_as_place), Some(1));
    assert!(said(&folder_as_place).contains("this is a folder"), "{}", said(&folder_as_place));
}

#[test]
fn a_report_needs_no_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("day.pcap.gz");
    std::fs::copy(capture(), &file).expect("copied");
    let output = Command::new(env!("CARGO_BIN_EXE_rtoscope"))
        .current_dir(folder.path())
        .args(["report", "day.pcap.gz", "--data", "-q"])
        .output()
        .expect("runs");
    let data: Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(data["format"], "rtoscope-report");
    assert_eq!(data["command"], "rtoscope report day.pcap.gz --out report.html");
    assert_eq!(data["session"]["algorithms"].as_array().map(Vec::len), Some(6));
}
