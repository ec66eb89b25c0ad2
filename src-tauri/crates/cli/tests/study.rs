//! `rtoscope study`: the page of the documentation, resumption, threads, and a row for every fault.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().expect("the clone")
}

fn rtoscope(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(words).current_dir(root()).output().expect("rtoscope runs")
}

fn ok(words: &[&str]) -> String {
    let output = rtoscope(words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The files of rows below `folder`, by their path in it.
fn rows(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.join("rows")];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "parquet") {
                let name = path.strip_prefix(folder).expect("inside").display().to_string();
                found.insert(name, fs::read(&path).expect("read"));
            }
        }
    }
    found
}

/// Rows of a study by state and reason.
fn states(folder: &str) -> BTreeMap<(String, String), usize> {
    let text = ok(&["study", "show", folder, "--rows", "--format", "json"]);
    let rows: Value = serde_json::from_str(&text).expect("JSON");
    let mut states = BTreeMap::new();
    for row in rows.as_array().expect("rows") {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        *states.entry((text("state"), text("path"))).or_default() += 1;
    }
    states
}

const STUDY: &str = "docs/study/timers.toml";

#[test]
fn the_page_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("timers").display().to_string();
    let page = fs::read_to_string(root().join("docs/study.md")).expect("the page");
    let (_, rest) = page.split_once("```sh\n").expect("commands");
    let (commands, _) = rest.split_once("```").expect("an end");
    let mut ran = 0;
    for line in commands.lines() {
        let line = line.replace("/tmp/timers", &out);
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], "rtoscope");
        ok(&words[1..]);
        ran += 1;
    }
    assert_eq!(ran, 8);
    let shown: Value = serde_json::from_str(&ok(&["study", "show", &out, "--format", "json"])).expect("JSON");
    // Two scenarios, three timers, two measures.
    let groups = shown.as_array().expect("groups");
    assert_eq!(groups.len(), 12);
    for group in groups {
        assert!(group["mean"].is_number() && group["runs"].as_i64() > Some(1), "{group}");
        assert_eq!(group["difference"].is_null(), group["timer"] == "coap_default", "{group}");
    }
    the_figure_has_the_numbers_of_the_table(&out, groups);
    wins_follow_from_the_differences(&out);
    let status = ok(&["study", "status", &out, "--format", "csv"]);
    assert!(status.lines().any(|line| line.starts_with("(all),7,21,21,0,0,0,0")), "{status}");
}

/// One number, but for the last digits that reading JSON leaves open.
fn near(mark: &Value, cell: &Value, factor: f64) {
    let (mark, cell) = (mark.as_f64().expect("a number"), cell.as_f64().expect("a number") * factor);
    assert!((mark - cell).abs() <= 1e-12 * cell.abs(), "{mark} is not {cell}");
}

/// Bars of `figure scenarios` against the rows of `show`.
fn the_figure_has_the_numbers_of_the_table(out: &str, groups: &[Value]) {
    for (measure, factor) in [("duration_mean", 1.0), ("spurious_all", 100.0)] {
        let words = ["study", "figure", "scenarios", out, "--measure", measure, "--format", "json"];
        let figure: Value = serde_json::from_str(&ok(&words)).expect("JSON");
        let (mut bars, mut rings) = (0, 0);
        for group in groups.iter().filter(|group| group["measure"] == measure) {
            let panels = figure["panels"].as_array().expect("panels");
            let panel = panels.iter().find(|panel| panel["title"] == group["scenario"]).expect("a panel");
            let timers = ["coap_default", "cocoa_plus:rto_max=32", "cocoa_plus:rto_max=60"];
            let at = timers.iter().position(|timer| group["timer"] == *timer).expect("a timer");
            let marks = panel["marks"].as_array().expect("marks");
            let bar = marks.iter().find(|mark| mark["mark"] == "bar" && mark["x"] == at as f64).expect("a bar");
            near(&bar["value"], &group["mean"], factor);
            near(&bar["interval"][0], &group["lo"], factor);
            near(&bar["interval"][1], &group["hi"], factor);
            assert_eq!(bar["label"], group["letters"], "{group}");
            bars += 1;
            // Default CoAP ran in two captures of `ge` and in one of `short`.
            if group["real"].is_number() {
                let dots = marks.iter().find(|mark| mark["mark"] == "dots").expect("rings");
                assert_eq!(dots["points"].as_array().map(Vec::len), Some(1), "{group}");
                assert_eq!(dots["points"][0][0], 0.0, "{group}");
                near(&dots["points"][0][1], &group["real"], factor);
                rings += 1;
            }
        }
        assert_eq!((bars, rings), (6, 2), "{measure}");
        // The table of the figure is that of the same groups.
        let csv = |words: &[&str]| ok(&[words, &["--measure", measure, "--format", "csv"]].concat());
        let (table, shown) = (
            csv(&["study", "figure", "scenarios", out]),
            csv(&["study", "show", out, "--by", "scenario,timer,channel"]),
        );
        assert_eq!(table.lines().count(), shown.lines().count());
        // After it stand the differences from the study's baseline.
        assert!(table.lines().zip(shown.lines()).all(|(own, line)| line.starts_with(own)), "{table}{shown}");
    }
}

/// `figure winners` against `show` with the best timer as baseline.
fn wins_follow_from_the_differences(out: &str) {
    let table: Value =
        serde_json::from_str(&ok(&["study", "figure", "winners", out, "--format", "json"])).expect("JSON");
    let table = &table["table"];
    let column = |name: &str| {
        let columns = table["columns"].as_array().expect("columns");
        columns.iter().position(|column| column == name).expect("a column")
    };
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let best = row[column("best")].as_str().expect("a timer");
        let shown = ok(&["study", "show", out, "--baseline", best, "--measure", "duration_mean", "--format", "json"]);
        let shown: Value = serde_json::from_str(&shown).expect("JSON");
        let is_same = |group: &&Value| ["scenario", "timer"].iter().all(|key| group[key] == row[column(key)]);
        let group = shown.as_array().expect("groups").iter().find(is_same).expect("a group");
        let number = |name: &str| row[column(name)].as_str().map(|text| text.parse::<f64>().expect("a number"));
        for name in ["mean", "difference", "difference_lo", "difference_hi"] {
            assert_eq!(number(name), group[name].as_f64(), "{name}: {row}");
        }
        if let Some(lo) = number("difference_lo") {
            assert_eq!(row[column("verdict")], if lo > 0.0 { "worse" } else { "ties" }, "{row}");
        }
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_octets_whatever_the_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let run = |name: &str, threads: &str| {
        ok(&["study", "run", STUDY, "--out", at(name).to_str().expect("UTF-8"), "--threads", threads, "-q"]);
        rows(&at(name))
    };
    let whole = run("whole", "1");
    assert_eq!(whole.len(), 7);
    assert_eq!(run("threads", "3"), whole, "threads");
    // Killed as soon as a file is there, again and again, until a run comes to its end.
    let mut kills = 0;
    for _ in 0..20 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rtoscope"))
            .args(["study", "run", STUDY, "-q", "--threads", "2", "--out"])
            .arg(at("killed"))
            .current_dir(root())
            .stderr(Stdio::null())
            .spawn()
            .expect("rtoscope runs");
        let count = || if at("killed").join("rows").is_dir() { rows(&at("killed")).len() } else { 0 };
        let before = count();
        while child.try_wait().expect("waited").is_none() {
            if count() > before {
                child.kill().expect("killed");
                kills += 1;
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.wait().expect("ended").success() {
            break;
        }
    }
    assert!(kills > 0, "no run was killed under way");
    assert_eq!(run("killed", "2"), whole, "after {kills} kills");
    // Files that are there are not written again.
    let time = |name: &str| fs::metadata(at("killed").join(name)).expect("there").modified().expect("a time");
    let before: Vec<_> = whole.keys().map(|name| time(name)).collect();
    assert_eq!(run("killed", "2"), whole);
    assert_eq!(whole.keys().map(|name| time(name)).collect::<Vec<_>>(), before);
}

#[test]
fn every_fault_is_a_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let capture = fs::read(root().join("traces/live-short-default/capture.pcap.gz")).expect("a bundled capture");
    fs::write(at("good.gz"), &capture).expect("written");
    fs::write(at("cut.gz"), &capture[..12]).expect("written");
    fs::write(at("empty.gz"), b"").expect("written");
    fs::write(at("other.gz"), b"this is a text\n").expect("written");
    // The same octets under another name: one capture.
    fs::write(at("twice.gz"), &capture).expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", at("gone.gz")).expect("linked");
    let study = "channels = [\"empirical\", \"twin\"]\nreplicates = 2\nanother_run = false\n[[captures]]\npaths = \"*.gz\"\n\
                 [[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\nalgorithm = \"cocoa_plus\"\n\
                 grid = { rto_max = [60, \"never\"] }\n";
    fs::write(at("study.toml"), study).expect("written");
    let [file, out] = [at("study.toml"), at("out")].map(|path| path.display().to_string());
    let output = rtoscope(&["study", "run", &file, "--out", &out]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("twice.gz: the same capture as good.gz, run once"), "{said}");
    let found = states(&out);
    // Per capture two channels and three timers. A plain link has no twin, and no timer has the time `never`.
    let of = |state: &str, path: &str| found.get(&(state.to_owned(), path.to_owned())).copied().unwrap_or(0);
    assert_eq!(of("done", "good.gz") + of("refused", "good.gz"), 6, "{found:?}");
    assert!(of("done", "good.gz") >= 2 && of("refused", "good.gz") >= 2, "{found:?}");
    for name in ["cut.gz", "empty.gz", "other.gz"] {
        assert_eq!(of("unreadable", name) + of("refused", name), 6, "{name}: {found:?}");
    }
    #[cfg(unix)]
    assert_eq!(of("unreadable", "gone.gz"), 6, "{found:?}");
    let captures = if cfg!(unix) { 5 } else { 4 };
    assert_eq!(found.values().sum::<usize>(), captures * 6, "rows expected are rows there");
}

#[test]
fn a_capture_that_is_read_in_two_ways_has_rows_of_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::copy(root().join("traces/live-short-default/capture.pcap.gz"), at("a.gz")).expect("copied");
    let study = "channels = [\"empirical\"]\nreplicates = 2\nanother_run = false\n[[captures]]\npaths = \"*.gz\"\n\
                 [[captures]]\npaths = \"*.gz\"\nrc_option = 65_000\n[[timers]]\nalgorithm = \"coap_default\"\n";
    fs::write(at("study.toml"), study).expect("written");
    let [file, out] = [at("study.toml"), at("out")].map(|path| path.display().to_string());
    ok(&["study", "run", &file, "--out", &out, "--threads", "2", "-q"]);
    assert_eq!(states(&out).into_values().collect::<Vec<_>>(), [2]);
    assert_eq!(rows(&at("out")).len(), 2, "a file each");
}

#[test]
fn the_report_is_that_of_the_window_and_goes_over_no_file_of_the_study() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::copy(root().join("traces/live-short-default/capture.pcap.gz"), at("a.gz")).expect("copied");
    let study = "channels = [\"empirical\"]\nreplicates = 2\nanother_run = false\n[[captures]]\npaths = \"*.gz\"\n\
                 [[timers]]\nalgorithm = \"cocoa_plus\"\ngrid = { rto_max = [32, 60], k_weak = [1, 2] }\n";
    fs::write(at("study.toml"), study).expect("written");
    ok(&["study", "run", &at("study.toml"), "-q"]);

    let session = api::Session::default().with_report_page(page::REPORT);
    let mut reports = Vec::new();
    for (form, over) in [("html", None), ("markdown", None), ("html", Some("rto_max"))] {
        let [line, window] = [at("line"), at("window")];
        let words = ["study", "report", &at("study.toml"), "--format", form, "--out", &line];
        ok(&[&words[..], &over.map_or(vec![], |over| vec!["--over", over])].concat());
        let request = serde_json::json!({ "study": at("study"), "over": over, "form": form, "path": window });
        session.call("study_report", request, &mut api::Silent).expect("a report");
        let [line, window] = [line, window].map(|path| fs::read(path).expect("read"));
        assert!(line == window, "{form} over {over:?}: the octets differ");
        reports.push(line);
    }
    assert!(reports[0] != reports[2], "the axis of the factor plot is in the report");

    for name in ["study.toml", "a.gz", "study/study.json"] {
        let before = fs::read(at(name)).expect("read");
        for words in [
            vec!["report", &at("study.toml")],
            vec!["figure", "winners", &at("study")],
            vec!["show", &at("study.toml")],
            vec!["status", &at("study.toml")],
        ] {
            let output = rtoscope(&[&["study"], &words[..], &["--out", &at(name)]].concat());
            assert_eq!(output.status.code(), Some(2), "{words:?} over {name}");
            assert_eq!(fs::read(at(name)).expect("read"), before, "{words:?} over {name}");
        }
    }
}

#[test]
fn names_never_act_on_the_reader_of_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::copy(root().join("traces/live-short-default/capture.pcap.gz"), at("a.gz")).expect("copied");
    let study = "channels = [\"empirical\"]\nreplicates = 2\nanother_run = false\n[[captures]]\npaths = \"*.gz\"\n\
                 tags = { scenario = \"</script><b>\\u202E|\" }\n[[timers]]\nalgorithm = \"coap_default\"\n";
    fs::write(at("study.toml"), study).expect("written");
    ok(&["study", "run", &at("study.toml"), "--out", &at("out"), "-q"]);
    for words in [
        vec!["study", "report", &at("out"), "--out", &at("r.html")],
        vec!["study", "figure", "winners", &at("out"), "--out", &at("f.html")],
        vec!["study", "report", &at("out"), "--out", &at("r.md")],
        vec!["study", "figure", "scenarios", &at("out"), "--out", &at("f.md")],
    ] {
        ok(&words);
        let text = fs::read_to_string(words.last().expect("a file")).expect("read");
        let is_markdown = words.last().is_some_and(|file| file.ends_with(".md"));
        // The study's file stands in a fence, as it is.
        let text: String = if is_markdown { text.split("```").step_by(2).collect() } else { text };
        assert!(!text.contains("</script><b>") && !text.contains('\u{202e}'), "{words:?}");
        if is_markdown {
            let rows = text.lines().filter(|line| line.starts_with("| &lt;/script>"));
            assert!(rows.clone().count() > 0 && rows.clone().all(|row| row.contains("\\|")), "{text}");
        }
    }
    for words in [["study", "figure", "winners", &at("out")], ["figure", "rto_box", &at("a.gz"), "--quiet"]] {
        let svg = rtoscope(&[&words[..], &["--out", &at("f.svg")]].concat());
        let said = String::from_utf8_lossy(&svg.stderr).into_owned();
        assert_eq!(svg.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("npm run -s figure"), "{words:?}: {said}");
        assert_eq!(said.contains("--out FILE.html"), words[0] == "study", "{said}");
        assert!(!Path::new(&at("f.svg")).exists(), "{words:?}");
    }
}

#[test]
fn mistakes_of_the_file_have_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("study.toml");
    let captures = "[[captures]]\npaths = \"*.pcap\"\n";
    let timer = "[[timers]]\nalgorithm = \"coap_default\"\n";
    for (text, says) in [
        (format!("{captures}[[timers]]\nalgorithm = \"cocoa\"\n"), "line 4, column 13: there is no algorithm `cocoa`"),
        (format!("[[captures]]\npaths = \"a/{{b\"\n{timer}"), "line 2, column 9: `a/{b`, octet 3: no }"),
        (format!("channel = \"auto\"\n{captures}{timer}"), "line 1, column 1: unknown field `channel`"),
        (format!("channels = [\"ether\"]\n{captures}{timer}"), "line 1, column 13: there is no channel `ether`"),
        (format!("baseline = \"lee2016\"\n{captures}{timer}"), "`lee2016` is no timer of the study"),
        ("= 1".to_owned(), "line 1, column 1"),
        (format!("{captures}{timer}"), "No capture matches *.pcap"),
    ] {
        fs::write(&file, &text).expect("written");
        let output = rtoscope(&["study", "run", file.to_str().expect("UTF-8")]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}: {said}");
        assert!(said.contains(says), "{text}: {said}");
    }
    let none = rtoscope(&["study", "status", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no study here"));
}
