//! The verdict of `replay`: the same words in every form that has room for them, and none in rows that are read back.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Network twin: channels without hops are not sure enough here to name a winner.
const CHANNEL: &str = "twin";

/// `replay` of a bundled capture of whose network real runs are known.
fn replay(channel: &str, format: &str) -> Output {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/chain6-periodic-default/capture.pcap.gz");
    let timers = ["--algorithm", "lee2016", "--algorithm", "cocoa_plus:k_weak=2"];
    let settings = ["--channel", channel, "--format", format, "--replicates", "20", "-q"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let output = command.arg("replay").arg(file).args(timers).args(settings).output().expect("rtoscope runs");
    assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Standard output and standard error.
fn texts(output: Output) -> (String, String) {
    let text = |octets| String::from_utf8(octets).expect("UTF-8");
    (text(output.stdout), text(output.stderr))
}

/// The sentences of the verdict in JSON.
fn sentences(document: &Value) -> Vec<String> {
    let details = document["verdict"]["details"].as_array().expect("details");
    let all = std::iter::once(&document["verdict"]["headline"]).chain(details);
    all.map(|said| said.as_str().expect("words").to_owned()).collect()
}

#[test]
fn every_form_has_the_words_of_the_verdict_and_rows_do_not() {
    let (json, said) = texts(replay(CHANNEL, "json"));
    let document: Value = serde_json::from_str(&json).expect("JSON");
    let words = sentences(&document);
    // The numbers of the run that it names, in the digits of its interval, and what a real run took.
    let duration = &document["runs"][0]["metrics"]["duration_mean"];
    let [mean, lo, hi, recorded] =
        ["mean", "lo90", "hi90", "recorded"].map(|name| duration[name].as_f64().expect(name));
    let seconds = |value: f64| format!("{value:.2}");
    for part in [
        "RC option",
        &format!("{}\u{a0}s (90\u{a0}%: {} – {}\u{a0}s)", seconds(mean), seconds(lo), seconds(hi)),
        &seconds(recorded),
    ] {
        assert!(words[0].contains(part), "{part} is not in {words:?}");
    }
    let real = document["measured"].as_array().expect("runs").iter();
    let real = real.filter(|run| run["alike"].as_array().expect("positions").contains(&0.into()));
    let took = real.filter_map(|run| run["metrics"]["duration_mean"].as_f64()).next().expect("a real run");
    let truth =
        format!("A real run of this network under RC option with other parameters took {}\u{a0}s.", seconds(took));
    assert!(words.contains(&truth), "{truth} is not in {words:?}");

    let on_the_way = format!("verdict: {}\n  {}\n", words[0], words[1..].join("\n  "));
    assert!(said.starts_with(&on_the_way), "{said}");
    for format in ["table", "csv"] {
        let (rows, said) = texts(replay(CHANNEL, format));
        assert!(said.starts_with(&on_the_way), "{format}: {said}");
        assert!(!rows.contains(&words[0]) && rows.contains("duration_mean"), "{format}: {rows}");
    }
    let (markdown, _) = texts(replay(CHANNEL, "markdown"));
    assert!(markdown.starts_with(&format!("{}\n\n|", words.join(" "))), "{markdown}");
}

#[test]
fn bounds_name_no_timer() {
    let (json, _) = texts(replay("recorded", "json"));
    let words = sentences(&serde_json::from_str(&json).expect("JSON"));
    assert!(words.len() == 1 && words[0].contains("this channel gives bounds only"), "{words:?}");
}
