//! `check-again` on bundled runs: a prediction from a run under default CoAP, held against the same network under
//! CoCoA.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn trace(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(name).join("capture.pcap.gz")
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(args).output().expect("rtoscope runs")
}

fn ok(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Predictions for a trace, in a file.
struct Predicted(tempfile::TempDir);

impl Predicted {
    fn new(first: &str, timers: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, out) = (trace(first), folder.path().join("prediction.json"));
        let mut args = vec!["replay", first.to_str().expect("a path"), "-q", "--replicates", "40"];
        args.extend(["--channel", "empirical", "--format", "json", "--out", out.to_str().expect("a path")]);
        args.extend(timers.iter().flat_map(|timer| ["--algorithm", timer]));
        ok(&args);
        Self(folder)
    }

    fn path(&self) -> String {
        self.0.path().join("prediction.json").display().to_string()
    }

    fn check(&self, second: &str, more: &[&str]) -> Output {
        run(&[&["check-again", &self.path(), trace(second).to_str().expect("a path"), "-q"], more].concat())
    }

    fn view(&self, second: &str) -> Value {
        let output = self.check(second, &["--format", "json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

fn changed(view: &Value) -> Vec<&str> {
    let changes = view["changes"].as_array().expect("changes").iter();
    changes.filter(|change| change["changed"] == true).filter_map(|change| change["what"].as_str()).collect()
}

#[test]
fn a_run_after_the_change_is_held_against_the_prediction_before_it() {
    let predicted = Predicted::new("live-ge-default", &["cocoa_cf3"]);
    let view = predicted.view("live-ge-cocoa");
    assert_eq!(view["same"], true, "{}", view["timer"]);
    assert_eq!(view["timer"], "The second capture ran cocoa_cf3 (found from its timeouts).");
    let measures = view["measures"].as_array().expect("measures");
    let held = |wanted: bool| measures.iter().filter(|measure| measure["held"] == wanted).count();
    assert_eq!(view["held"], held(true));
    assert_eq!(view["compared"], held(true) + held(false));
    // Where all replicates agree, the interval has no width and is expected to hold.
    let chance = |measure: &&Value| if measure["lo90"] == measure["hi90"] { 1.0 } else { 0.9 };
    let expected: f64 = measures.iter().filter(|measure| !measure["held"].is_null()).map(|m| chance(&m)).sum();
    let (inside, all) = (held(true), held(true) + held(false));
    let said = format!("{inside} of {all} measures fell inside their 90 % intervals; expected {expected:.1}.");
    assert_eq!(view["verdict"], said);
    assert!(all >= 15 && 2 * inside > all, "{said}");
    for measure in measures {
        let [lo, hi, value] = ["lo90", "hi90", "measured"].map(|name| measure[name].as_f64());
        let inside = lo.zip(hi).zip(value).map(|((lo, hi), value)| lo <= value && value <= hi);
        assert_eq!(measure["held"].as_bool(), inside, "{measure}");
    }
    // The link is planned with the same losses, the client sends the same requests.
    assert_eq!(changed(&view), [""; 0], "{view:#}");
}

/// Another network, another timer: all of it is said.
#[test]
fn what_changed_besides_the_timer_is_said_with_its_numbers() {
    let predicted = Predicted::new("tsch-slow-chain5-default", &["cocoa_demir2018", "coap_default"]);
    let several = predicted.check("tsch-slow-chain5-rc", &[]);
    let said = String::from_utf8_lossy(&several.stderr).into_owned();
    assert!(several.status.code() == Some(2) && said.contains("cocoa_demir2018, coap_default: name one"), "{said}");
    let table = predicted.check("tsch-slow-chain5-rc", &["--algorithm", "cocoa_demir2018"]);
    let said = String::from_utf8(table.stdout).expect("UTF-8");
    assert!(
        said.contains("\nThe second capture ran lee2016:") && said.contains("(on record), not cocoa_demir2018."),
        "{said}"
    );
    assert!(said.contains("Another timer ran than was predicted: this does not check the prediction."), "{said}");
    assert!(said.contains("besides the timer\n") && said.contains("exchanges a minute before"), "{said}");
    assert!(said.contains("Frames without an acknowledgement, every attempt,"), "{said}");
    assert!(said.contains("had the same parent for longest") || said.contains("had another parent"), "{said}");
    let rows = predicted.check("tsch-slow-chain5-rc", &["--algorithm", "cocoa_demir2018", "--format", "csv"]);
    let rows = String::from_utf8(rows.stdout).expect("UTF-8");
    assert!(rows.starts_with("kind,name,before,mean,lo90,hi90,after,said"), "{rows}");
    assert!(
        rows.contains("\nmeasure,duration_mean,") && rows.contains("\nlosses,first copies without an answer,"),
        "{rows}"
    );
}

#[test]
fn files_that_are_no_prediction_are_refused() {
    let predicted = Predicted::new("live-short-default", &["coap_default"]);
    let own = predicted.check("live-short-default", &[]);
    let said = String::from_utf8_lossy(&own.stderr).into_owned();
    assert!(own.status.code() == Some(2) && said.contains("made from this very capture"), "{said}");
    let other = predicted.check("live-short-cocoa", &["--algorithm", "cocoa_plus"]);
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.code() == Some(2) && said.contains("has no cocoa_plus; it has: coap_default"), "{said}");
    let path = predicted.path();
    std::fs::write(&path, "{\"runs\": []}").expect("written");
    let none = predicted.check("live-short-cocoa", &[]);
    let said = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(none.status.code() == Some(2) && said.contains("This is no prediction"), "{said}");
    // A prediction of an earlier version has no conditions and no verdict.
    let before = Predicted::new("live-short-default", &["coap_default"]);
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(before.path()).expect("text")).expect("JSON");
    for member in ["conditions", "verdict"] {
        assert!(document.as_object_mut().expect("an object").remove(member).is_some(), "{member}");
    }
    std::fs::write(before.path(), document.to_string()).expect("written");
    let view = before.view("live-short-cocoa");
    assert!(view["changes"].as_array().expect("changes").is_empty());
    assert!(view["reservations"].to_string().contains("does not keep the conditions"), "{view}");
}

/// Checks are collected in a table of one's own: each once, none whose timer did not run, and no other file is written
/// over.
#[test]
fn checks_are_added_to_a_calibration_table() {
    let predicted = Predicted::new("live-ge-default", &["cocoa_cf3", "coap_default"]);
    let table = predicted.0.path().join("own.csv");
    let add = |second: &str, timer: &str| {
        let table = table.to_str().expect("a path");
        let output = predicted.check(second, &["--algorithm", timer, "--format", "json", "--add", table]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), output.stdout)
    };
    let of_several: Value =
        serde_json::from_slice(&predicted.check("live-ge-cocoa", &["--format", "json"]).stdout).expect("JSON");
    assert_eq!(of_several["algorithm"]["id"], "cocoa_cf3", "of several timers the one that ran");
    let (code, said, view) = add("live-ge-cocoa", "cocoa_cf3");
    assert!(code == Some(0) && said.contains("Added to") && said.contains("1 check in this table"), "{said}");
    let view: Value = serde_json::from_slice(&view).expect("JSON");
    let first = std::fs::read_to_string(&table).expect("a table");
    assert_eq!(first.lines().count(), 1 + view["compared"].as_u64().expect("a number") as usize, "{first}");
    assert_eq!(first.lines().filter(|line| line.ends_with(",yes")).count() as u64, view["held"], "{first}");

    let (code, said, _) = add("live-ge-cocoa", "cocoa_cf3");
    assert!(code == Some(0) && said.contains("Already in"), "{said}");
    assert_eq!(std::fs::read_to_string(&table).expect("a table"), first, "the same check counts once");
    let (code, said, _) = add("live-ge-cocoa", "coap_default");
    assert!(code == Some(2) && said.contains("does not check the prediction"), "{said}");
    let (code, said, _) = add("live-ge-default-again", "coap_default");
    assert!(code == Some(0) && said.contains("2 checks in this table"), "{said}");
    let both = std::fs::read_to_string(&table).expect("a table");
    assert!(both.starts_with(&first) && both.len() > first.len(), "{both}");

    for (foreign, why) in
        [("a,b\n1,2\n".to_owned(), "line 1 is not"), (format!("{first}x,,,,,,,,,,,\n"), "is not of this program")]
    {
        std::fs::write(&table, &foreign).expect("written");
        let (code, said, _) = add("live-ge-cocoa", "cocoa_cf3");
        assert!(code == Some(2) && said.contains(why), "{said}");
        assert_eq!(std::fs::read_to_string(&table).expect("a table"), foreign);
    }
}
