//! Unimplemented proposals: the commands that their entries name do what the entries say.

use serde_json::Value;
use std::process::Command;

/// Output of `rtoscope`; `words` are separated by white space.
fn ok(words: &str, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rtoscope"))
        .args(words.split_whitespace())
        .args(more)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The search of each learning proposal prints a preset file, the same every time, and `replay` reads it.
#[test]
fn printed_searches_make_presets_the_same_every_time() {
    let capture = format!(
        "{}/../../../traces/live-sleepy-default/capture.pcap.gz",
        env!("CARGO_MANIFEST_DIR").replace('\\', "/")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let catalogue: Value = serde_json::from_str(&ok("algorithms --catalogue --format json", &[])).expect("JSON");
    let mut found = 0;
    for proposal in catalogue.as_array().expect("proposals") {
        let missing = proposal["missing"].as_str().expect("a text");
        let Some((_, printed)) = missing.split_once("rtoscope optimise CAPTURE ") else { continue };
        let options = printed.trim_end_matches('.');
        assert!(options.ends_with("--format toml"), "{options}");
        // Shorter than printed, in what a reader would not see: a few tries of few replicates.
        let short = ["--evaluations", "14", "--replicates", "2", "--quiet"];
        let search = || ok("optimise", &[&[&*capture], &*options.split(' ').collect::<Vec<_>>(), &short].concat());
        let first = search();
        assert_eq!(first, search(), "{}", proposal["name"]);
        let file = folder.path().join("tuned.toml");
        std::fs::write(&file, &first).expect("written");
        let presets = ["--presets", file.to_str().expect("UTF-8"), "--algorithm", "cocoa_ietf_03_tuned"];
        let rows = ok("replay --quiet --replicates 2 --format csv", &[&[&*capture], &presets[..]].concat());
        assert!(rows.contains("cocoa_ietf_03_tuned"), "{rows}");
        found += 1;
    }
    assert_eq!(found, 2, "psoCoCoA and mlCoCoA");
}
