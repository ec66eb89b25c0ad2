//! The line that the window prints for a figure: in another folder, through a shell, it writes the same octets.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use api::view::{FigureLine, OpenRequest};
use api::{Reply, Session, Silent};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const SLEEPY: &str = "live-sleepy-default";
const CHAIN: &str = "chain6-periodic-default";
const STORM: &str = "tsch-slow-chain5-default";

/// A window: a session, and a folder with its captures.
struct Window {
    session: Session,
    folder: TempDir,
}

impl Window {
    fn new() -> Self {
        Self { session: Session::default(), folder: tempfile::tempdir().unwrap() }
    }

    fn call(&self, name: &str, request: Value) -> Value {
        match self.session.call(name, request, &mut Silent).unwrap() {
            Reply::Json(reply) => reply,
            Reply::Bytes(_) => panic!("{name} answers with columns"),
        }
    }

    fn sample(&self, id: &str) -> Value {
        self.call("open", json!({ "sample": id }))["id"].clone()
    }

    /// Opens the bundled capture `id` as a file called `name`.
    fn file(&self, id: &str, name: &str) -> Value {
        self.file_as(id, name, &OpenRequest::default())
    }

    fn file_as(&self, id: &str, name: &str, request: &OpenRequest) -> Value {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, octets(id)).unwrap();
        let request = OpenRequest { path: Some(path.display().to_string()), ..request.clone() };
        self.call("open", serde_json::to_value(request).unwrap())["id"].clone()
    }

    fn line(&self, figure: &Value) -> FigureLine {
        serde_json::from_value(self.call("figure_line", figure.clone())).unwrap()
    }

    /// The printed line, called in `there`, writes what the window writes; gives the line.
    fn written_again(&self, figure: &Value, there: &Path) -> String {
        let ours = self.folder.path().join("ours.csv");
        self.call("export_figure", json!({ "figure": figure, "format": "csv", "path": ours }));
        let FigureLine { command, notes } = self.line(figure);
        let command = command.unwrap_or_else(|| panic!("{notes:?}"));
        let programs = Path::new(env!("CARGO_BIN_EXE_rtoscope")).parent().unwrap();
        let output = Command::new("/bin/sh").arg("-c").arg(&command).current_dir(there).env("PATH", programs).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        let recipe = figure["recipe"].as_str().unwrap();
        let again = fs::read_to_string(there.join(format!("{recipe}.csv"))).unwrap();
        assert_eq!(again, fs::read_to_string(&ours).unwrap(), "{command}");
        assert!(again.lines().count() > 1, "{recipe} has numbers");
        command
    }
}

fn octets(id: &str) -> &'static [u8] {
    api::samples().iter().find(|known| known.id == id).unwrap().octets
}

/// A figure of `captures`, as the window asks for it, with what `more` has besides.
fn figure(recipe: &str, captures: Value, more: Value) -> Value {
    let mut figure = json!({
        "recipe": recipe, "captures": captures, "params": {},
        "algorithms": [{ "id": "coap_default", "params": {} }, { "id": "cocoa_plus", "params": {} }],
        "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 4,
    });
    figure.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    figure
}

#[test]
fn every_recipe_of_a_file_and_a_bundled_capture() {
    let window = Window::new();
    let captures = json!([
        { "capture": window.file(CHAIN, "it's day 1.pcap.gz"), "name": "Day 1, it's \"so\" $HOME", "tags": { "load": "2" } },
        { "capture": window.sample(STORM), "name": "TSCH", "tags": { "load": "3", "mac": "TSCH" } },
    ]);
    let there = tempfile::tempdir().unwrap();
    fs::write(there.path().join("it's day 1.pcap.gz"), octets(CHAIN)).unwrap();
    for recipe in api::recipes() {
        window.written_again(&figure(recipe.id, captures.clone(), json!({})), there.path());
    }
}

#[test]
fn rules_deployment_start_switches_and_parameters() {
    let window = Window::new();
    let captures =
        |part: Value| json!([{ "capture": window.sample(CHAIN), "name": "chain", "tags": {}, "part": part }]);
    let part = json!({ "as_recorded": [0, 2], "start": { "at": 331_500_000_123_i64, "warm": false } });
    let asked = figure(
        "rto_box",
        captures(part),
        json!({
            "algorithms": [{ "id": "cocoa_plus", "params": { "alpha": "1/8", "k_weak": 2 } }, { "id": "lee2016", "params": {} }],
            "channel": "loaded", "workload": "arrivals", "seed": 4_000_000_000_u32,
            "params": { "box": "iqr15", "quantile": 6 },
            "policy": {
                "nstart": 2, "max_retransmit": 0, "exchange_lifetime": 90_000_000_000_i64, "queue": 0, "blind": "linear",
                "state_lifetime": 255_000_000_000_i64, "destinations": 2, "plimit": true, "probing_rate": 7, "processing": 0,
                "repeats": true,
            },
        }),
    );
    let there = tempfile::tempdir().unwrap();
    let line = window.written_again(&asked, there.path());
    for words in [
        "rtoscope figure rto_box sample:chain6-periodic-default --name 1:chain ",
        " --algorithm cocoa_plus:alpha=1/8,k_weak=2 --algorithm lee2016 ",
        " --channel loaded --workload arrivals --seed 4000000000 ",
        " --from 331.500000123 --cold --nstart 2 --max-retransmit 0 --exchange-lifetime 90 --queue 0 --blind linear ",
        " --plimit --probing-rate 7 --processing 0 --repeats --format csv --out rto_box.csv",
    ] {
        assert!(line.contains(words), "{words}\n{line}");
    }
    assert!(line.contains("--as-recorded 'mote "), "{line}");
}

#[test]
fn groups_by_a_tag_and_captures_with_parts_of_their_own() {
    let window = Window::new();
    let part =
        |stays: u32, at: i64| json!({ "as_recorded": [stays], "start": { "at": at, "warm": at < 100_000_000_000 } });
    // The folder's name would propose a topology for the first.
    let captures = json!([
        { "capture": window.file(CHAIN, "chain6/a.pcap.gz"), "name": "a", "tags": {}, "part": part(1, 60_000_000_000) },
        { "capture": window.sample(SLEEPY), "name": "b", "tags": { "topology": "5" } },
        { "capture": window.file(STORM, "c.pcap.gz"), "name": "c", "tags": { "topology": "5" }, "part": part(0, 120_500_000_000) },
    ]);
    let asked = figure("completion_ecdf", captures, json!({ "params": { "group": "topology" } }));
    let there = tempfile::tempdir().unwrap();
    let chain = there.path().join("chain6");
    fs::create_dir(&chain).unwrap();
    fs::write(chain.join("a.pcap.gz"), octets(CHAIN)).unwrap();
    fs::write(chain.join("c.pcap.gz"), octets(STORM)).unwrap();
    let line = window.written_again(&asked, &chain);
    assert!(line.contains("--tag 1:topology= --tag 2:topology=5 --tag 3:topology=5"), "{line}");
    assert!(line.contains("--from 1:60 --from 3:120.5 --cold=3"), "{line}");
}

#[test]
fn how_captures_were_read_and_judged() {
    let window = Window::new();
    let decode = json!({
        "fcs": "crc16", "ports": [5683, 61616], "rc_option": 65_020, "contexts": ["3=fd03::/64"],
        "keys": ["00000000000000000000000000000000"], "addresses": ["0x1234=00:12:74:00:01:02:03:04"], "unpack_ratio": 300,
    });
    let request: OpenRequest = serde_json::from_value(json!({ "decode": decode })).unwrap();
    let capture = window.file_as(CHAIN, "day.pcap.gz", &request);
    let said = json!([
        { "association": null, "vantage": "client", "workload": "think_time" },
        { "association": 1, "vantage": "everywhere", "workload": null },
    ]);
    let capture = window.call("assume", json!({ "capture": capture, "said": said }))["id"].clone();
    let asked = figure("early_bars", json!([{ "capture": capture, "name": "day.pcap.gz", "tags": {} }]), json!({}));
    let there = tempfile::tempdir().unwrap();
    fs::write(there.path().join("day.pcap.gz"), octets(CHAIN)).unwrap();
    fs::write(there.path().join("keys.txt"), "00000000000000000000000000000000\n").unwrap();
    let line = window.written_again(&asked, there.path());
    assert!(
        line.starts_with("rtoscope figure early_bars day.pcap.gz --port 5683 --port 61616 --context 3=fd03::/64 "),
        "{line}"
    );
    assert!(line.contains(" --assume-workload think-time --assume-vantage 1=everywhere "), "{line}");
    assert!(!line.contains("--name") && !line.contains("00000000"), "{line}");
    assert!(window.line(&asked).notes[0].starts_with("keys.txt: "));
}

#[test]
fn presets_of_ones_own_and_two_files_of_one_name() {
    let window = Window::new();
    let presets = "[[preset]]\nid = \"mine\"\nname = \"Mine\"\nbase = \"cocoa_plus\"\ndescription = \"Mine.\"\ncitation = \"me\"\n\
                   [preset.params]\nk_weak = 2\n";
    window.call("presets", json!({ "path": null, "text": presets }));
    let captures = json!([
        { "capture": window.file(CHAIN, "one/day.pcap.gz"), "name": "day", "tags": {} },
        { "capture": window.file(SLEEPY, "two/day.pcap.gz"), "name": "two/day", "tags": {} },
    ]);
    let asked = figure("early_bars", captures, json!({ "algorithms": [{ "id": "mine", "params": {} }] }));
    let there = tempfile::tempdir().unwrap();
    fs::write(there.path().join("presets.toml"), presets).unwrap();
    let line = window.written_again(&asked, there.path());
    let path = window.folder.path().join("two/day.pcap.gz");
    assert!(line.contains(&format!(" {} ", path.display())), "{line}");
    assert!(window.line(&asked).notes[0].starts_with("presets.toml: "));
}

#[test]
fn where_no_line_says_it_all_it_is_said_why() {
    let window = Window::new();
    let why = |captures: Value| {
        let FigureLine { command, notes } = window.line(&figure("early_bars", captures, json!({})));
        assert_eq!(command, None);
        notes.join(" ")
    };
    let named = |capture: &Value| json!({ "capture": capture, "name": "x", "tags": {} });
    let usual = window.file(CHAIN, "a.pcap.gz");
    let request: OpenRequest = serde_json::from_value(json!({ "decode": {
        "fcs": "auto", "ports": [5684], "rc_option": null, "contexts": [], "keys": [], "addresses": [], "unpack_ratio": null,
    } }))
    .unwrap();
    let other = window.file_as(CHAIN, "b.pcap.gz", &request);
    assert!(why(json!([named(&usual), named(&other)])).contains("not all read in the same way"));

    let paths = ["a.pcap.gz", "b.pcap.gz"].map(|name| window.folder.path().join(name));
    let merged = window.call("open", json!({ "merge": paths }))["id"].clone();
    assert!(why(json!([named(&merged)])).contains("merged from several files"));

    let said = json!([{ "association": 0, "vantage": "between", "workload": null }]);
    let judged = window.call("assume", json!({ "capture": usual, "said": said }))["id"].clone();
    let third = window.sample(STORM);
    assert!(why(json!([named(&judged), named(&third)])).contains("set by hand"));
    assert!(why(json!([])).contains("needs a capture"));
}
