//! The command line as other programs see it: columns, forms, exit codes.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn traces(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces").join(path)
}

fn run<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(args).output().expect("rtoscope runs")
}

fn ok<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Value {
    serde_json::from_str(&ok(args)).expect("JSON")
}

fn header(csv: &str) -> &str {
    csv.lines().next().unwrap_or_default()
}

const CAPTURE: &str = "live-ge-default/capture.pcap.gz";

#[test]
fn columns_are_an_interface() {
    let file = traces(CAPTURE);
    let file = file.to_str().expect("UTF-8");
    let csv = |args: &[&str]| ok(&[args, &[file, "--format", "csv"]].concat());
    assert_eq!(header(&csv(&["messages"])), "time,frame,src,src_port,dst,dst_port,type,code,mid,token,payload_len");
    assert_eq!(
        header(&csv(&["exchanges"])),
        "id,client,client_port,server,server_port,mid,token,code,start,end,copies,outcome,rtt,workload,vantage,head,ready,\
         ready_error,handed_over,handed_error,related"
    );
    assert_eq!(
        header(&csv(&["exchanges", "--copies"])),
        "exchange,copy,sent,fate,evidence,reply,rtt,gap,timer,timer_error,timer_from,wait,wait_error"
    );
}

#[test]
fn every_form_has_the_same_rows() {
    let file = traces(CAPTURE);
    let file = file.to_str().expect("UTF-8");
    let rows = json(&["exchanges", file, "--format", "json"]).as_array().map_or(0, Vec::len);
    assert!(rows > 100, "{rows} exchanges");
    assert_eq!(ok(&["exchanges", file, "--format", "csv"]).lines().count(), rows + 1);
    assert_eq!(ok(&["exchanges", file]).lines().count(), rows + 1);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("exchanges.parquet");
    ok(&["exchanges", file, "--format", "parquet", "--out", out.to_str().expect("UTF-8")]);
    let parquet = std::fs::read(out).expect("written");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
}

#[test]
fn replay_has_its_shape_and_repeats_itself() {
    let file = traces(CAPTURE);
    let file = file.to_str().expect("UTF-8");
    let args = [
        "replay",
        file,
        "--algorithm",
        "cocoa_plus:rto_max=60",
        "--algorithm",
        "coap_default",
        "--replicates",
        "8",
        "--seed",
        "7",
        "--format",
        "json",
    ];
    let document = json(&args);
    let runs = document["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["algorithm"], "cocoa_plus");
    assert_eq!(runs[0]["params"]["rto_max"], 60);
    assert_eq!(runs[0]["seed"], 7);
    const NAMES: [&str; 14] = [
        "exchanges",
        "failed",
        "plr_exchange",
        "retries_mean",
        "retransmission_rate",
        "early_a",
        "early_b",
        "early_c",
        "spurious_all",
        "throughput",
        "duration_mean",
        "duration_p50",
        "duration_p95",
        "goodput",
    ];
    for run in runs {
        for name in NAMES {
            let metric = run["metrics"][name].as_object().unwrap_or_else(|| panic!("{name} is missing"));
            let mut fields: Vec<_> = metric.keys().map(String::as_str).collect();
            fields.sort_unstable();
            assert_eq!(
                fields,
                [
                    "another_hi90",
                    "another_lo90",
                    "best",
                    "hi90",
                    "lo90",
                    "mean",
                    "modes",
                    "recorded",
                    "recorded_hi",
                    "recorded_lo",
                    "support",
                    "worst"
                ]
            );
        }
    }
    assert_eq!(json(&args), document, "same input, same bytes");
}

#[test]
fn exit_codes_tell_failure_from_misuse() {
    let file = traces(CAPTURE);
    let file = file.to_str().expect("UTF-8");
    let code = |args: &[&str]| run(args).status.code();
    assert_eq!(code(&["info", "/nowhere/missing.pcap"]), Some(1));
    assert_eq!(code(&["no-such-command"]), Some(2));
    assert_eq!(code(&["replay", file, "--algorithm", "no_such_algorithm"]), Some(2));
    assert_eq!(code(&["replay", file, "--algorithm", "coap_default:ack_timeout=-1"]), Some(2));
    assert_eq!(code(&["replay", file, "--as-recorded", "mote 99"]), Some(2));
}

const CHAIN: &str = "chain6-periodic-rc/capture.pcap.gz";

#[test]
fn frames_are_filtered_limited_and_shown() {
    let file = traces(CHAIN);
    let file = file.to_str().expect("UTF-8");
    let csv = |args: &[&str]| ok(&[&["frames", file, "--rc-option", "65002", "--format", "csv", "-q"], args].concat());
    let all = csv(&[]);
    assert_eq!(header(&all), "frame,time,src,dst,protocol,length,info");
    let repeated = csv(&["--filter", "coap.rc.count > 0 && coap.type == CON"]);
    assert!(repeated.lines().count() > 10 && repeated.lines().count() < all.lines().count());
    assert!(repeated.lines().skip(1).all(|line| line.contains("RC ") && line.contains("copy ")), "{repeated}");
    assert_eq!(csv(&["--filter", "coap.rc.count > 0 && coap.type == CON", "--limit", "3"]).lines().count(), 4);
    let refused = run(&["frames", file, "--filter", "coap && coap.midd == 3"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    let expected =
        "rtoscope: column 9: unknown field `coap.midd`; did you mean `coap.mid`? (`rtoscope fields` lists all)";
    assert_eq!(said.trim(), expected);
    assert!(ok(&["fields"]).contains("coap.mid"));
}

#[test]
fn messages_are_filtered_and_followed_over_their_hops() {
    let file = traces(CHAIN);
    let file = file.to_str().expect("UTF-8");
    let rows = |args: &[&str]| json(&[&["messages", file, "-q", "--format", "json"], args].concat());
    let count = |rows: &Value| rows.as_array().map_or(0, Vec::len);
    let (all, first) = (rows(&[]), rows(&["--filter", "request && copy == 1"]));
    let exchanges = json(&["exchanges", file, "-q", "--format", "json"]);
    assert_eq!(count(&first), count(&exchanges));
    assert!(count(&first) < count(&all));
    let hops = rows(&["--hops", "--filter", "exchange == 3 && request"]);
    assert!(count(&hops) > 0 && hops[0]["hop"] == 1, "{hops}");
    assert!(count(&rows(&["--sightings", "--filter", "exchange == 3"])) >= count(&hops));
}

#[test]
fn a_frame_is_shown_in_all_its_layers() {
    let file = traces(CHAIN);
    let file = file.to_str().expect("UTF-8");
    // tshark: frame 187 is CON POST, Message ID 37110, from fd00::203:3:3:3.
    let text = ok(&["dissect", file, "-q", "--frame", "187", "--hex"]);
    assert!(text.starts_with("Frame 187 at "), "{text}");
    assert!(text.contains("Message ID: 37110"), "{text}");
    assert!(text.contains("0000  "), "{text}");
    let trees = json(&["dissect", file, "-q", "--frame", "187,189", "--format", "json"]);
    assert_eq!(trees.as_array().map(Vec::len), Some(2));
    let nodes = trees[0]["nodes"].as_array().expect("nodes");
    let source = nodes.iter().find(|node| node["name"] == "ipv6.src").expect("an IPv6 source");
    assert_eq!(source["value"], "fd00::203:3:3:3");
    let message = trees[0]["message"].to_string();
    assert!(ok(&["dissect", file, "-q", "--message", &message]).matches("Message ID: 37110").count() >= 2, "its hops");
    assert_eq!(run(&["dissect", file, "--frame", "999999"]).status.code(), Some(2));
    assert_eq!(run(&["dissect", file, "--frame", "0"]).status.code(), Some(2));
    assert_eq!(run(&["dissect", file]).status.code(), Some(2));
}

#[test]
fn a_capture_may_come_through_a_pipe() {
    let file = traces(CAPTURE);
    let piped = |args: &[&str]| {
        let stdin = std::fs::File::open(&file).expect("a bundled capture");
        let output = Command::new(env!("CARGO_BIN_EXE_rtoscope")).args(args).stdin(stdin).output().expect("runs");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let path = file.to_str().expect("UTF-8");
    assert_eq!(piped(&["frames", "-", "-q"]), ok(&["frames", path, "-q"]));
    let info = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["sha256"].clone();
    assert_eq!(info(&piped(&["info", "-", "--format", "json"])), info(&ok(&["info", path, "--format", "json"])));
}

#[test]
fn drive_fills_in_the_outputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("events.json");
    let text = r#"{"vectors":[{"id":"x","preset":"coap_default","unit":"s","steps":[{"op":"fail","t":0,"u":0.5,"inflight":0}]}]}"#;
    std::fs::write(&script, text).expect("written");
    let driven = json(&["drive", script.to_str().expect("UTF-8")]);
    // RFC 7252 §4.2 with u = 0.5: 2.5 s, doubled four times.
    let step = &driven["vectors"][0]["steps"][0];
    assert_eq!(step["timers"], serde_json::json!([2.5, 5.0, 10.0, 20.0, 40.0]));
    assert_eq!(step["gave_up_after"], 77.5);
    let rows = ok(&["drive", script.to_str().expect("UTF-8"), "--format", "csv"]);
    assert_eq!(rows.lines().nth(1), Some("x,coap_default,s,fail,0.0,,,,2.5 5.0 10.0 20.0 40.0,77.5,"));
}

#[test]
fn notes_go_to_standard_error() {
    let output = run(&["messages", traces("contiki30-chain4-stock/radiolog.txt.gz").to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("note:"));
}

#[test]
fn algorithms_in_every_form() {
    let all = json(&["algorithms", "--format", "json"]);
    let all = all.as_array().expect("an array");
    assert!(all.len() >= 55, "{}", all.len());
    let table = ok(&["algorithms"]);
    for spec in all {
        let id = spec["id"].as_str().expect("an id");
        assert!(table.lines().any(|line| line.starts_with(id)), "{id}");
        // A reading says so wherever it appears.
        let line = table.lines().find(|line| line.split_whitespace().next() == Some(id)).unwrap_or_default();
        assert_eq!(line.contains("reading"), spec["reading"] == true || id.contains("reading"), "{line}");
    }
    assert!(table.contains("missing    The states, their transitions and the factors."));
    let one = ok(&["algorithms", "fasor", "RTT-CoAP"]);
    for part in ["FAST -> FAST_SLOW_FAST: acknowledged after a retransmission", "alpha", "missing"] {
        assert!(one.contains(part), "{part}");
    }
    let markdown = ok(&["algorithms", "cocoa_plus", "--format", "markdown"]);
    assert!(markdown.starts_with("## CoCoA+ (`cocoa_plus`)"), "{markdown}");
    assert!(markdown.contains("| `k_strong` | 4 x | "), "{markdown}");
    assert_eq!(json(&["algorithms", "--catalogue", "--format", "json"]).as_array().map(Vec::len), Some(15));
    let output = run(&["algorithms", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cocoa_plus"));
}

#[test]
fn presets_of_ones_own_are_listed_driven_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plant.toml");
    let path = file.to_str().expect("UTF-8");
    let preset =
        "[[preset]]\nid = \"plant\"\nname = \"Plant\"\nbase = \"coap_default\"\nparams = { ack_timeout = 3 }\n";
    std::fs::write(&file, preset).expect("written");
    assert!(ok(&["algorithms", "plant", "--presets", path]).contains("3 s"));
    let script = folder.path().join("script.json");
    let text = r#"{"vectors":[{"id":"x","preset":"plant","unit":"s","steps":[{"op":"fail","t":0,"u":0}]}]}"#;
    std::fs::write(&script, text).expect("written");
    let driven = json(&["drive", script.to_str().expect("UTF-8"), "--presets", path]);
    assert_eq!(driven["vectors"][0]["steps"][0]["timers"], serde_json::json!([3.0, 6.0, 12.0, 24.0, 48.0]));
    let capture = traces(CAPTURE);
    let capture = capture.to_str().expect("UTF-8");
    let args = ["replay", capture, "--quiet", "--presets", path, "--replicates", "2", "--format", "json"];
    let document = json(&args);
    let runs = document["runs"].as_array().expect("runs");
    assert_eq!((runs.len(), &runs[6]["algorithm"]), (7, &Value::from("plant")));
    std::fs::write(&file, preset.replace("ack_timeout", "ack_time")).expect("written");
    let output = run(&args);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("{path}:5:")) && said.contains("ack_timeout"), "{said}");
}

#[test]
fn rules_of_the_sender_are_taken_and_checked() {
    let capture = traces(CAPTURE);
    let capture = capture.to_str().expect("UTF-8");
    let base = ["replay", capture, "--quiet", "--algorithm", "coap_default", "--replicates", "2", "--format", "json"];
    let rules = ["--max-retransmit", "0", "--state-lifetime", "255", "--blind", "linear", "--probing-rate", "1"];
    let run_of = |args: &[&str]| json(args)["runs"][0].clone();
    let ruled = run_of(&[&base[..], &rules].concat());
    assert_eq!(ruled["metrics"]["retries_mean"]["mean"], 0.0);
    assert_eq!(ruled["policy"]["probing_rate"], 1);
    assert_ne!(run_of(&base)["metrics"], ruled["metrics"]);
    for wrong in [["--nstart", "0"], ["--state-lifetime", "-1"], ["--blind", "twice"]] {
        assert_eq!(run(&[&base[..], &wrong].concat()).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn figures_and_searches_take_rules_and_parts_as_replays_do() {
    let chain = traces("chain6-periodic-default/capture.pcap.gz");
    let chain = chain.to_str().expect("UTF-8");
    let base = ["--quiet", "--algorithm", "cocoa_plus", "--replicates", "2", "--format", "json"];
    let rules = ["--max-retransmit", "1", "--processing", "0.5"];
    let part = ["--as-recorded", "0,1", "--from", "331.5", "--cold"];
    let figure = |captures: &[&str], more: &[&str]| {
        let switches = ["--set", "measure=retries_mean", "--set", "x=clients"];
        json(&[&["figure", "load_lines"], captures, &base[..], &switches, more].concat())
    };
    let value = |figure: &Value, row: usize| {
        let column = figure["table"]["columns"].as_array().and_then(|all| all.iter().position(|name| name == "mean"));
        figure["table"]["rows"][row][column.expect("a mean")].as_str().and_then(|text| text.parse::<f64>().ok())
    };
    let drawn = figure(&[chain], &[&rules[..], &part].concat());
    let replayed = json(&[&["replay", chain], &base[..], &rules, &part].concat())["runs"][0].clone();
    // The figure's cell is text with every digit, the replay's a number of JSON, which is read to the last bit but one.
    let same = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| (a - b).abs() < 1e-12);
    assert!(same(value(&drawn, 0), replayed["metrics"]["retries_mean"]["recorded"].as_f64()), "{drawn} {replayed}");
    assert!(same(value(&drawn, 1), replayed["metrics"]["retries_mean"]["mean"].as_f64()), "{drawn} {replayed}");
    assert!(!same(value(&drawn, 1), value(&figure(&[chain], &[]), 1)), "as if all were replayed");
    let said = drawn["settings"].as_str().expect("said");
    for words in
        ["MAX_RETRANSMIT 1", "Longer processing 0.5 s", "2 of 5 clients as recorded (", "from 331.5 s on, timers cold"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }

    // With several captures: all, or one by its number.
    let sleepy = traces("live-sleepy-default/capture.pcap.gz");
    let sleepy = sleepy.to_str().expect("UTF-8");
    let both = [chain, sleepy];
    let said = |more: &[&str]| figure(&both, more)["settings"].as_str().unwrap_or_default().to_owned();
    let all = said(&["--from", "100", "--cold"]);
    assert_eq!(all.matches("from 100 s on, timers cold").count(), 2, "{all}");
    let one = said(&["--from", "100", "--from", "2:50", "--cold=2", "--as-recorded", "1:0"]);
    assert!(one.contains("1 of 5 clients as recorded") && one.contains("from 100 s on, timers warm"), "{one}");
    assert!(one.ends_with("from 50 s on, timers cold."), "{one}");

    for wrong in [
        &["--as-recorded", "mote 99"][..],
        &["--as-recorded", "3:0"],
        &["--as-recorded", "2:mote 99"],
        &["--from", "3:10"],
        &["--from", "0:10"],
        &["--from", "x:10"],
        &["--from", "2:10", "--cold=1"],
        &["--cold"],
    ] {
        assert_eq!(run(&[&["figure", "rto_box"], &both[..], wrong].concat()).status.code(), Some(2), "{wrong:?}");
    }

    let search = ["optimise", chain, "--quiet", "--over", "rto_initial", "--evaluations", "2", "--replicates", "2"];
    let printed = ok(&[&search[..], &rules, &["--as-recorded", "0", "--from", "131.5", "--hold-out", sleepy]].concat());
    for words in ["(searched; 1 of 5 clients as recorded (", "(held out; 1 of ", "from 131.5 s on, timers warm)"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert!(printed.contains("rules: MAX_RETRANSMIT 1, Longer processing 0.5 s, replayed: 1 of 5"), "{printed}");
}

#[test]
fn what_optimise_finds_can_be_loaded() {
    let capture = traces(CAPTURE);
    let capture = capture.to_str().expect("UTF-8");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tuned.toml");
    let path = file.to_str().expect("UTF-8");
    let base =
        ["optimise", capture, "--quiet", "--over", "k_strong,rto_initial", "--evaluations", "12", "--replicates", "2"];
    ok(&[&base[..], &["--format", "toml", "--out", path]].concat());
    assert!(ok(&["algorithms", "cocoa_plus_tuned", "--presets", path]).contains("rtoscope optimise"));
    let printed = ok(&[&base[..], &["--hold-out", capture]].concat());
    assert!(
        printed.contains("(searched)") && printed.contains("(held out)") && printed.contains("[[preset]]"),
        "{printed}"
    );
    let printed = ok(&[&base[..], &["--channel", "gilbert-elliott"]].concat());
    assert!(printed.contains("channel Gilbert–Elliott"), "{printed}");
    // A mean of what completes can be bought with what does not, and the table is not left to say it alone.
    let sleepy = traces("live-sleepy-default/capture.pcap.gz");
    let sleepy = sleepy.to_str().expect("UTF-8");
    let bought = ["optimise", sleepy, "--quiet", "--algorithm", "coap_default", "--over", "ack_timeout"];
    let printed = ok(&[&bought[..], &["--evaluations", "24", "--replicates", "4"]].concat());
    assert!(printed.contains("Paid for with worse retries_mean, spurious_all, failed."), "{printed}");
    assert_eq!(run(&[&base[..], &["--channel", "recorded"]].concat()).status.code(), Some(2));
}
