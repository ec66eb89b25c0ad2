//! Session files: what is written is what is read, and what cannot be read is said.

use api::view::{
    AlgorithmChoice, BlindKind, ChannelKind, ColourRule, FcsKind, FoundKind, KeptPrediction, LaneOrder, OpenRequest,
    PacketColumn, PolicyView, PositionView, PredictedCapture, PredictedMeasure, PredictedRun, RuleColour, SectionKind,
    SessionCapture, SessionDecode, SessionFigure, SessionFigures, SessionFile, SessionFileRef, SessionFlag,
    SessionLanes, SessionNode, SessionReplay, SessionReport, SessionSweep, SessionView, SessionWithout, StartView,
    WorkloadKind,
};
use api::{AssociationId, ExchangeId, Instant, Reply, Session, Silent, Span};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::fs;

fn choice() -> impl Strategy<Value = AlgorithmChoice> {
    // At most 15 digits, as forms and command lines give: serde_json reads longer ones to the last bit but one.
    let decimal = any::<i32>().prop_map(|thousandths| Value::from(f64::from(thousandths) / 1e3));
    let number = prop_oneof![any::<i32>().prop_map(Value::from), decimal, "\\PC{0,8}".prop_map(Value::from)];
    ("[a-z_0-9]{1,12}", btree_map("[a-z_]{1,8}", number, 0..4))
        .prop_map(|(id, params)| AlgorithmChoice { id, params: params.into_iter().collect() })
}

fn decode() -> impl Strategy<Value = SessionDecode> {
    let fcs = prop_oneof![Just(FcsKind::Auto), Just(FcsKind::None), Just(FcsKind::Crc16), Just(FcsKind::Ti)];
    (
        fcs,
        vec(any::<u16>(), 0..3),
        option::of(any::<u16>()),
        vec("\\PC{0,20}", 0..2),
        any::<u32>(),
        option::of(any::<u32>()),
    )
        .prop_map(|(fcs, ports, rc_option, contexts, keys, unpack_ratio)| SessionDecode {
            fcs,
            ports,
            rc_option,
            addresses: contexts.clone(),
            contexts,
            keys,
            unpack_ratio,
        })
}

fn node() -> impl Strategy<Value = SessionNode> {
    // Eighths: of numbers with more digits than fifteen the reader takes the last bit as it comes.
    let number = || (-1_000_000..1_000_000_i32).prop_map(|eighths| f64::from(eighths) / 8.0);
    let place = (number(), number()).prop_map(|(x, y)| PositionView { x, y });
    ("\\PC{1,12}", option::of("\\PC{1,12}"), option::of(place)).prop_map(|(node, name, place)| SessionNode {
        node,
        name,
        place,
    })
}

fn lanes() -> impl Strategy<Value = SessionLanes> {
    let pinned = vec(any::<u16>().prop_map(|id| AssociationId(id.into())), 0..3);
    (proptest::sample::select(LaneOrder::ALL.to_vec()), "\\PC{0,12}", pinned, vec("[0-9a-f:]{2,9}", 0..3))
        .prop_map(|(order, filter, pinned, unfolded)| SessionLanes { order, filter, pinned, unfolded })
}

fn prediction() -> impl Strategy<Value = KeptPrediction> {
    let value = || option::of((-1_000_000_i32..1_000_000).prop_map(|n| f64::from(n) / 1024.0));
    let measure = (value(), value(), value(), value(), value(), value()).prop_map(
        |(recorded, mean, lo90, hi90, another_lo90, another_hi90)| PredictedMeasure {
            recorded,
            mean,
            lo90,
            hi90,
            another_lo90,
            another_hi90,
        },
    );
    let run = (choice(), btree_map("[a-z_]{1,9}", measure, 0..3)).prop_map(|(choice, metrics)| PredictedRun {
        algorithm: choice.id,
        params: choice.params,
        channel: ChannelKind::Twin,
        as_recorded: Vec::new(),
        start: None,
        policy: PolicyView::default(),
        metrics,
    });
    ("\\PC{0,12}", "[0-9a-f]{64}", vec(run, 0..3)).prop_map(|(name, sha256, runs)| KeptPrediction {
        capture: PredictedCapture { name, sha256 },
        runs,
        conditions: None,
    })
}

fn capture() -> impl Strategy<Value = SessionCapture> {
    // Times of a trace are below 2^53 ns.
    let time = || (0..1_i64 << 53).prop_map(Instant::from_nanos);
    let file = ("\\PC{1,12}", option::of("\\PC{1,20}"), "[0-9a-f]{64}", 0..1_u64 << 53)
        .prop_map(|(name, path, sha256, octets)| SessionFileRef { name, path, sha256, octets });
    let looked = (time(), time(), option::of(any::<u32>()), time(), any::<u16>());
    (
        ("\\PC{0,12}", option::of("[a-z-]{1,12}"), option::of("\\PC{1,20}"), vec(file, 0..3)),
        decode(),
        looked,
        btree_map("\\PC{1,6}", "\\PC{0,6}", 0..3),
        vec((time(), "\\PC{0,20}").prop_map(|(at, note)| SessionFlag { at, note }), 0..3),
        (
            vec(any::<u16>().prop_map(|id| AssociationId(id.into())), 0..3),
            option::of((time(), any::<bool>()).prop_map(|(at, warm)| StartView { at, warm })),
            vec(node(), 0..3),
            option::of(lanes()),
        ),
    )
        .prop_map(
            |((name, sample, folder, files), decode, (t0, t1, selection, playhead, association), tags, flags, part)| {
                SessionCapture {
                    name,
                    sample,
                    folder,
                    files,
                    decode,
                    window: (t0, t1),
                    selection: selection.map(ExchangeId),
                    playhead,
                    association: AssociationId(association.into()),
                    tags,
                    flags,
                    as_recorded: part.0,
                    start: part.1,
                    nodes: part.2,
                    lanes: part.3,
                }
            },
        )
}

fn policy() -> impl Strategy<Value = PolicyView> {
    let span = || option::of((1..1_i64 << 53).prop_map(Span::from_nanos));
    let count = || option::of(1..9_u32);
    let blind = option::of(proptest::sample::select(BlindKind::ALL.to_vec()));
    let sender = (option::of(1..=255_u8), option::of(0..=20_u8), span(), option::of(any::<u32>()), blind, span());
    let state = (option::of(1..=9_u16), any::<bool>(), count());
    (sender, state, (span(), any::<bool>(), span(), count())).prop_map(
        |(
            (nstart, max_retransmit, exchange_lifetime, queue, blind, state_lifetime),
            (destinations, plimit, probing_rate),
            (processing, repeats, service, room),
        )| PolicyView {
            nstart,
            max_retransmit,
            exchange_lifetime,
            queue,
            blind,
            state_lifetime,
            destinations,
            plimit,
            probing_rate,
            processing,
            repeats,
            service,
            room,
        },
    )
}

fn packet_column() -> impl Strategy<Value = PacketColumn> {
    ("[a-z.]{1,8}", option::of(any::<u32>())).prop_map(|(name, width)| PacketColumn { name, width })
}

fn rule() -> impl Strategy<Value = ColourRule> {
    let colour = proptest::sample::select(RuleColour::ALL.to_vec());
    ("\\PC{0,9}", "\\PC{0,9}", colour, any::<bool>()).prop_map(|(name, filter, colour, on)| ColourRule {
        name,
        filter,
        colour,
        on,
    })
}

fn session() -> impl Strategy<Value = SessionFile> {
    let sections =
        proptest::sample::subsequence(SectionKind::ALL.map(SectionKind::id).to_vec(), 0..=SectionKind::ALL.len());
    let figure = choice().prop_map(|AlgorithmChoice { id, params }| SessionFigure { recipe: id, params }).boxed();
    let name = || option::of("[a-z_]{1,8}");
    let sweep = (name(), name(), name(), name()).prop_map(|(picture, over, across, measure)| SessionSweep {
        picture,
        over,
        across,
        measure,
    });
    let left_out =
        ("[a-z]{1,3}", vec(0..3_u32, 0..3)).prop_map(|(recipe, captures)| SessionWithout { recipe, captures });
    let figures = (name(), vec(figure.clone(), 0..3), vec(0..3_u32, 0..3), vec(left_out, 0..3)).prop_map(
        |(recipe, switches, without, without_by_recipe)| SessionFigures {
            recipe,
            switches,
            without,
            without_by_recipe,
        },
    );
    let report = ("\\PC{0,20}", "(?s).{0,40}", sections, vec(figure, 0..3))
        .prop_map(|(title, notes, sections, figures)| SessionReport { title, notes, sections, figures });
    let channel = proptest::sample::select(ChannelKind::ALL.to_vec());
    let workload = proptest::sample::select(WorkloadKind::ALL.to_vec());
    let replay = (channel, workload, any::<u32>(), 1..=10_000_u32, policy()).prop_map(
        |(channel, workload, seed, replicates, policy)| SessionReplay { channel, workload, seed, replicates, policy },
    );
    (
        vec(capture(), 1..3),
        vec(choice(), 0..4),
        any::<bool>(),
        (option::of(vec("[a-z_]{1,8}", 0..3)), option::of(vec(packet_column(), 0..3)), option::of(vec(rule(), 0..3))),
        (option::of(choice()), vec(choice(), 0..3), sweep, figures, vec(prediction(), 0..2)),
        replay,
        report,
    )
        .prop_map(
            |(captures, algorithms, first, lists, (what_if, kept, sweep, figures, predictions), replay, report)| {
                let (metrics, packet_columns, colour_rules) = lists;
                SessionFile {
                    format: "rtoscope-session".to_owned(),
                    version: 1,
                    program: "RTOscope 0.0.0".to_owned(),
                    current: u32::try_from(captures.len()).unwrap_or(1) - 1,
                    captures,
                    view: "compare".to_owned(),
                    baseline: algorithms.first().filter(|_| first).cloned(),
                    algorithms,
                    replay,
                    metrics,
                    packet_columns,
                    colour_rules,
                    what_if,
                    kept,
                    sweep,
                    predictions,
                    figures,
                    report,
                }
            },
        )
}

proptest! {
    #[test]
    fn what_is_written_is_read(file in session()) {
        let text = file.text().expect("a text");
        prop_assert_eq!(SessionFile::parse(&text), Ok(file.clone()));
        prop_assert_eq!(SessionFile::parse(&text).expect("read").text(), Ok(text));
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,200}") {
        let _ = SessionFile::parse(&text);
    }
}

/// A session of the first bundled capture, as the page sends it.
fn plain() -> Value {
    let first = api::samples()[0].id;
    json!({
        "format": "rtoscope-session", "version": 1, "program": "", "current": 0, "view": "timeline", "baseline": null,
        "captures": [{
            "name": "", "sample": first, "files": [], "window": [0, 60_000_000_000_i64], "playhead": 5, "selection": 3,
            "association": 0, "tags": { "nodes": "2" },
            "decode": {
                "fcs": "auto", "ports": [], "rc_option": null, "contexts": [], "keys": 0, "addresses": [],
                "unpack_ratio": null,
            },
        }],
        "algorithms": [{ "id": "cocoa_plus", "params": { "k_weak": 2 } }], "metrics": null, "what_if": null,
        "replay": { "channel": "empirical", "workload": "auto", "seed": 7, "replicates": 3 },
        "report": { "title": "", "notes": "", "sections": [] },
    })
}

fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut value = plain();
    change(&mut value);
    SessionFile::parse(&value.to_string()).expect_err("refused").message
}

#[test]
fn what_cannot_be_read_is_said() {
    assert!(SessionFile::parse(&plain().to_string()).is_ok());
    assert!(SessionFile::parse("pcap?").expect_err("refused").message.contains("no JSON"));
    assert!(SessionFile::parse("<!doctype html>").expect_err("refused").message.contains("no report"));
    assert!(refused(|v| v["format"] = json!("something")).contains("`format`"));
    assert!(refused(|v| v["version"] = json!(2)).contains("version 2"));
    assert!(refused(|v| v["version"] = Value::Null).contains("version"));
    assert!(refused(|v| v["zoom"] = json!(1)).contains("unknown field `zoom`"));
    assert!(refused(|v| v["captures"][0]["colour"] = json!("red")).contains("unknown field `colour`"));
    assert!(refused(|v| v["replay"]["seed"] = json!(-1)).contains("-1"));
    assert!(refused(|v| v["replay"]["replicates"] = json!(0)).contains("replicates"));
    assert!(refused(|v| v["replay"]["policy"] = json!({ "room": 0 })).contains("`room` is 1 at least"));
    assert!(refused(|v| v["current"] = json!(1)).contains("capture 1"));
    assert!(refused(|v| v["report"]["sections"] = json!(["figures_of_tomorrow"])).contains("figures_of_tomorrow"));
    assert!(refused(|v| v["baseline"] = json!({ "id": "lee2016", "params": {} })).contains("baseline"));
    let missing = refused(|v| {
        v.as_object_mut().map(|fields: &mut Map<String, Value>| fields.remove("replay"));
    });
    assert!(missing.contains("missing field `replay`"), "{missing}");
}

/// Other programs (and people) write whole numbers with a point or an exponent.
#[test]
fn whole_numbers_are_read_however_they_are_written() {
    let plain = SessionFile::parse(&plain().to_string()).expect("read");
    let written = plain.text().expect("a text");
    let other = written
        .replace("60000000000", "60000000000.0")
        .replace("\"playhead\": 5", "\"playhead\": 0.5e1")
        .replace("\"version\": 1", "\"version\": 1.0")
        .replace("\"seed\": 7", "\"seed\": 7E0")
        .replace("\"replicates\": 3", "\"replicates\": 3.00")
        .replace("\"selection\": 3", "\"selection\": 3.0");
    assert_ne!(other, written);
    assert_eq!(SessionFile::parse(&other), Ok(plain.clone()));
    // Texts stay as they are, also behind an escaped quote.
    let noted = other.replace("\"notes\": \"\"", r#""notes": "2.0 \"3.0\" \\""#);
    assert_eq!(SessionFile::parse(&noted).expect("read").report.notes, r#"2.0 "3.0" \"#);
}

#[test]
fn a_number_that_is_not_whole_is_said_with_its_line() {
    let written = SessionFile::parse(&plain().to_string()).expect("read").text().expect("a text");
    for (from, to) in [("\"playhead\": 5", "\"playhead\": 5.5"), ("\"replicates\": 3", "\"replicates\": 3.25")] {
        // A whole number with a point before it is not what is wrong.
        let text = written.replace("60000000000", "60000000000.0").replace(from, to);
        let line = 1 + text.lines().position(|line| line.contains(to)).expect("the line");
        let said = SessionFile::parse(&text).expect_err("refused").message;
        assert!(said.contains(&format!("line {line} ")) && said.contains("whole nanoseconds"), "{said}");
    }
    // Above 2^53 not every whole number is a float: nothing is rounded in silence.
    let huge = written.replace("\"playhead\": 5", "\"playhead\": 1e300");
    assert!(SessionFile::parse(&huge).is_err());
}

fn ask<T: serde::de::DeserializeOwned>(session: &Session, name: &str, request: Value) -> T {
    match session.call(name, request, &mut Silent) {
        Ok(Reply::Json(reply)) => serde_json::from_value(reply).expect("the type of the reply"),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_session_finds_its_capture_where_it_was_then_beside_it_and_tells_when_it_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    for place in [&here, &there] {
        fs::create_dir(place).expect("a folder");
    }
    let octets = api::samples()[0].octets;
    fs::write(here.join("day.pcap.gz"), octets).expect("written");
    let session = Session::default();
    let open = OpenRequest { path: Some(here.join("day.pcap.gz").display().to_string()), ..OpenRequest::default() };
    let capture = session.open(&open, &mut Silent).expect("opens").id;
    let mut file = plain();
    file["captures"][0]["sample"] = Value::Null;
    let path = here.join("day.rtoscope.json").display().to_string();
    let written: SessionFile =
        ask(&session, "session_write", json!({ "path": path, "captures": [capture], "file": file }));
    assert_eq!(written.captures[0].files[0].octets, octets.len() as u64);
    let find = |folder: &std::path::Path| -> SessionView {
        ask(&Session::default(), "session_read", json!({ "path": folder.join("day.rtoscope.json") }))
    };
    assert_eq!(find(&here).file, written);
    assert_eq!(find(&here).found[0].state, FoundKind::Same);

    // Another machine: the folder it was in is not there.
    fs::copy(&path, there.join("day.rtoscope.json")).expect("copied");
    fs::rename(here.join("day.pcap.gz"), there.join("day.pcap.gz")).expect("moved");
    let found = find(&there).found;
    assert_eq!(found[0].state, FoundKind::Same);
    assert_eq!(found[0].paths, [Some(there.join("day.pcap.gz").display().to_string())]);
    assert_eq!(find(&here).found[0].state, FoundKind::Missing);

    fs::write(there.join("day.pcap.gz"), &octets[..octets.len() - 1]).expect("written");
    assert_eq!(find(&there).found[0].state, FoundKind::Differs);
}

#[test]
fn presets_of_ones_own_are_written_as_what_they_are() {
    let session = Session::default();
    let presets = "[[preset]]\nid = \"mine\"\nname = \"Mine\"\nbase = \"cocoa_plus\"\nparams = { k_weak = 3 }\n";
    session.call("presets", json!({ "text": presets }), &mut Silent).expect("presets");
    let sample = OpenRequest { sample: Some(api::samples()[0].id.to_owned()), ..OpenRequest::default() };
    let capture = session.open(&sample, &mut Silent).expect("opens").id;
    let mut file = plain();
    file["algorithms"] = json!([{ "id": "mine", "params": {} }]);
    let written: SessionFile =
        ask(&session, "session_write", json!({ "path": null, "captures": [capture], "file": file }));
    assert_eq!(written.algorithms[0].id, "cocoa_plus");
    assert_eq!(written.algorithms[0].params["k_weak"].as_f64(), Some(3.0));
}
