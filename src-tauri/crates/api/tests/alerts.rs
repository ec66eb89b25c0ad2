//! Alerts as the window asks for them: of a file that grows, equal to those of the whole file, through stops, other
//! rules and files that are cut or replaced.

#[path = "requests/call.rs"]
mod requests;

use api::watch::{Alert, Options, Rule, Watch};
use api::{Code, Reply, Session, Silent};
use requests::{call, ok};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const RULES: [&str; 5] = [
    "needless > 10% for 2min",
    "lost per client > 5% for 2min with 5",
    "duration_p95 of coap.code in {GET, POST, PUT} > 3s for 1min",
    "parent-changed then storm within 10min",
    "storm",
];

/// The octets of a bundled storm of half an hour, unpacked.
fn storm() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/tsch-slow-chain5-default/capture.pcap.gz");
    let mut octets = Vec::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(path).expect("bundled")).read_to_end(&mut octets).expect("gzip");
    octets
}

/// Alerts of the library over all octets at once.
fn expected(octets: &[u8]) -> Vec<Alert> {
    let rules = RULES.iter().map(|text| Rule::read(text).expect("a rule")).collect();
    let mut watch = Watch::new(Options::default(), rules);
    watch.push(octets, &mut Silent).expect("a capture");
    watch.finish(&mut Silent).expect("silent");
    watch.take_alerts()
}

/// A file with a part of the storm.
struct Growing {
    _folder: tempfile::TempDir,
    path: PathBuf,
    octets: Vec<u8>,
}

impl Growing {
    fn new(octets: Vec<u8>, part: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing.pcap");
        fs::write(&path, &octets[..part]).expect("written");
        Self { _folder: folder, path, octets }
    }

    /// Appends up to octet `end`.
    fn grow(&self, end: usize) {
        let from = fs::metadata(&self.path).expect("there").len() as usize;
        let mut file = OpenOptions::new().append(true).open(&self.path).expect("opened");
        file.write_all(&self.octets[from..end]).expect("written");
    }

    /// A session that follows the file and watches it under `rules`.
    fn watched(&self, rules: &[&str]) -> Session {
        let session = Session::default();
        ok(&session, "follow_start", json!({ "path": self.path }));
        ok(&session, "follow_refresh", Value::Null);
        let view = ok(&session, "alerts_start", json!({ "rules": rules, "source": "followed" }));
        assert_eq!((&view["capture"], &view["alerts"]), (&json!(0), &json!([])));
        session
    }
}

/// Number, rule, stage, time, words and client of an alert.
type Facts = (u64, String, String, Option<i64>, String, Option<String>);

/// Facts of an alert as the window gets it.
fn facts(alert: &Value) -> Facts {
    let text = |name: &str| alert[name].as_str().map(str::to_owned);
    let [rule, stage, words] = ["rule", "stage", "text"].map(|name| text(name).expect(name));
    (alert["number"].as_u64().expect("a number"), rule, stage, alert["time"].as_i64(), words, text("client"))
}

/// Facts of an alert of the library; times of the capture begin at `epoch`, nanoseconds since 1970.
fn facts_of(alert: &Alert, epoch: i64) -> Facts {
    let stage = serde_json::to_value(alert.kind).expect("a word").as_str().expect("a word").to_owned();
    (alert.number, alert.alert.clone(), stage, Some(alert.time - epoch), alert.text.clone(), alert.client.clone())
}

/// Time of the first record of a pcap file, nanoseconds since 1970.
fn epoch(octets: &[u8]) -> i64 {
    let field = |at: usize| {
        let field = octets[at..at + 4].try_into().expect("four octets");
        i64::from(if octets[0] == 0xa1 { u32::from_be_bytes(field) } else { u32::from_le_bytes(field) })
    };
    field(24) * 1_000_000_000 + field(28) * 1_000
}

fn alerts(view: &Value) -> &Vec<Value> {
    view["alerts"].as_array().expect("a list")
}

#[test]
fn alerts_of_a_file_that_grows_are_those_of_the_whole_file() {
    let octets = storm();
    let whole = expected(&octets);
    assert!(whole.len() > 5, "{whole:?}");
    let expected: Vec<_> = whole.iter().map(|alert| facts_of(alert, epoch(&octets))).collect();
    let length = octets.len();
    let file = Growing::new(octets, length / 9);
    let session = file.watched(&RULES);
    let mut said = Vec::new();
    let (mut went_on, mut places) = (0, 0);
    for part in 1..=9 {
        file.grow(length * part / 9);
        let after = said.last().map_or(0, |alert: &Value| alert["number"].as_u64().expect("a number"));
        let view = ok(&session, "alerts_look", json!({ "after": after }));
        assert_eq!((&view["ended"], &view["is_behind"]), (&json!(""), &json!(false)));
        let open: usize =
            view["rules"].as_array().expect("rules").iter().map(|r| r["open"].as_array().expect("open").len()).sum();
        went_on += usize::from(open > 0);
        if let (Some(judged), Some(latest)) = (view["judged"].as_i64(), view["latest"].as_i64()) {
            let (later, delay) = ((latest - judged) as f64, view["delay"].as_f64().expect("a time"));
            assert!((later - delay).abs() < 1e11, "5 to 7 minutes later: {later} ns");
            places += 1;
        }
        said.extend(alerts(&view).iter().cloned());
    }
    assert!(went_on > 0 && places > 3, "{went_on} {places}");
    // An earlier number gives them once more: a reply that was lost loses nothing.
    assert_eq!(alerts(&ok(&session, "alerts_look", json!({ "after": 0 }))), &said);
    // The file is followed no longer, and its capture stays open.
    ok(&session, "follow_stop", Value::Null);
    let last = ok(&session, "alerts_stop", json!({ "after": said.len() }));
    said.extend(alerts(&last).iter().cloned());
    assert_eq!(said.iter().map(facts).collect::<Vec<_>>(), expected);
    assert_eq!(last["judged"], last["latest"], "to the end");
    let sum: u64 =
        last["clients"].as_array().expect("clients").iter().map(|one| one["exchanges"].as_u64().expect("n")).sum();
    assert_eq!(last["all"]["exchanges"], sum);
    assert_eq!(ok(&session, "alerts_look", json!({ "after": 0 })), Value::Null);
}

#[test]
fn rules_are_changed_while_it_goes_on_and_those_that_stay_keep_their_state() {
    let octets = storm();
    let whole: Vec<_> = expected(&octets).iter().map(|alert| facts_of(alert, epoch(&octets))).collect();
    let length = octets.len();
    let file = Growing::new(octets, length / 2);
    let session = file.watched(&RULES[..4]);
    ok(&session, "alerts_look", json!({ "after": 0 }));
    let before = ok(&session, "alerts_start", json!({ "rules": RULES[..4], "source": "followed" }));
    let changed =
        ok(&session, "alerts_start", json!({ "rules": ["timer-changed", RULES[0], RULES[1]], "source": "followed" }));
    assert_eq!((&changed["alerts"], &changed["frames"]), (&before["alerts"], &before["frames"]), "what was said stays");
    file.grow(length);
    let last = ok(&session, "alerts_stop", json!({ "after": 0 }));
    let of = |facts: &[Facts]| -> Vec<_> {
        let own = facts.iter().filter(|one| RULES[..2].contains(&one.1.as_str()));
        own.map(|(_, rule, stage, time, text, client)| {
            (rule.clone(), stage.clone(), *time, text.clone(), client.clone())
        })
        .collect()
    };
    let said: Vec<_> = alerts(&last).iter().map(facts).collect();
    assert!(of(&whole).len() > 2);
    assert_eq!(of(&said), of(&whole));
    let numbers: Vec<u64> = said.iter().map(|one| one.0).collect();
    assert_eq!(numbers, (1..=said.len() as u64).collect::<Vec<_>>());
}

#[test]
fn a_rule_that_is_wrong_is_named_by_its_place() {
    let file = Growing::new(storm(), 5_000);
    let session = file.watched(&["storm"]);
    let checked = ok(
        &session,
        "alerts_check",
        json!({ "rules": ["storm", "needles > 20% for 5min", " storm", "timer-changed"] }),
    );
    let said: Vec<&str> = checked.as_array().expect("a list").iter().map(|one| one.as_str().expect("text")).collect();
    assert!(said[0].is_empty() && said[3].is_empty(), "{said:?}");
    assert!(said[1].starts_with("`needles` is no measure; there are needless,"), "{}", said[1]);
    assert_eq!(said[2], "this rule is there already");
    let refused = |rules: Value| {
        let error = call(&session, "alerts_start", json!({ "rules": rules, "source": "followed" })).expect_err("wrong");
        assert_eq!(error.code, Code::Request);
        error.message
    };
    assert!(refused(json!(["storm", "rain"])).starts_with("Rule 2, `rain`: `rain` has not the form"));
    assert!(refused(json!(["storm", "storm"])).starts_with("Rule 2, `storm`: this rule is there already"));
    assert!(refused(json!([])).contains("1 to 100 rules"));
    // The watch goes on.
    assert_eq!(ok(&session, "alerts_look", json!({ "after": 0 }))["rules"][0]["text"], "storm");
    let error = call(&session, "alerts_start", json!({ "rules": ["storm"], "source": "recording" })).expect_err("none");
    assert!(error.message.contains("Nothing is recorded"), "{error}");
}

#[test]
fn a_file_that_is_cut_replaced_or_no_capture_ends_in_a_sentence() {
    let octets = storm();
    let ends = |file: &Growing, change: &dyn Fn(&Path)| {
        let session = file.watched(&RULES);
        ok(&session, "alerts_look", json!({ "after": 0 }));
        change(&file.path);
        let ended =
            ok(&session, "alerts_look", json!({ "after": 0 }))["ended"].as_str().expect("a sentence").to_owned();
        // A watch stays ended, and begins anew when it is asked to.
        fs::write(&file.path, &file.octets).expect("written");
        assert_eq!(ok(&session, "alerts_look", json!({ "after": 0 }))["ended"], ended);
        let anew = ok(&session, "alerts_start", json!({ "rules": RULES, "source": "followed" }));
        assert_eq!((&anew["ended"], &anew["frames"]), (&json!(""), &json!(0)));
        assert!(ok(&session, "alerts_look", json!({ "after": 0 }))["frames"].as_u64() > Some(0));
        ended
    };
    let half = octets.len() / 2;
    let grown = || Growing::new(octets.clone(), half);
    let cut = ends(&grown(), &|path| fs::write(path, &octets[..30_000]).expect("cut"));
    assert!(cut.ends_with("growing.pcap was cut while it was watched. Alerts end here."), "{cut}");
    let replaced = ends(&grown(), &|path| {
        fs::write(path.with_extension("new"), &octets).expect("written");
        fs::rename(path.with_extension("new"), path).expect("renamed");
    });
    assert!(replaced.contains("was replaced by another file"), "{replaced}");
    let gone = ends(&grown(), &|path| fs::remove_file(path).expect("removed"));
    assert!(gone.contains("is not there any more"), "{gone}");
    // A file that is no capture, and one that is not there yet.
    let session = Session::default();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letter.txt");
    ok(&session, "follow_start", json!({ "path": path }));
    ok(&session, "alerts_start", json!({ "rules": RULES, "source": "followed" }));
    let view = ok(&session, "alerts_look", json!({ "after": 0 }));
    assert_eq!((&view["ended"], &view["frames"], &view["judged"]), (&json!(""), &json!(0), &Value::Null));
    fs::write(&path, "Dear reader, this is longer than any header and no capture.").expect("written");
    let ended = ok(&session, "alerts_look", json!({ "after": 0 }))["ended"].as_str().expect("a sentence").to_owned();
    assert!(ended.contains("letter.txt: A file is watched as pcap or pcapng"), "{ended}");
}

/// However often looks are stopped, and wherever, alerts are those of one look.
#[test]
fn looks_that_are_stopped_lose_nothing() {
    let octets = storm();
    let expected: Vec<_> = expected(&octets).iter().map(|alert| facts_of(alert, epoch(&octets))).collect();
    let length = octets.len();
    let file = Growing::new(octets, length);
    let session = file.watched(&RULES);
    let (mut stopped, mut after) = (0, 1);
    for name in ["alerts_look", "alerts_stop"] {
        loop {
            let mut ticks = 0;
            let mut stop = |_: u64, _: u64| {
                ticks += 1;
                if ticks > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            match session.call(name, json!({ "after": 0 }), &mut stop) {
                Ok(Reply::Json(view)) => {
                    if name == "alerts_stop" {
                        assert_eq!(alerts(&view).iter().map(facts).collect::<Vec<_>>(), expected);
                    }
                    break;
                }
                Err(error) => assert_eq!(error.code, Code::Cancelled),
                Ok(Reply::Bytes(_)) => panic!("JSON"),
            }
            stopped += 1;
            after += 1 + after / 2;
        }
        after = 1;
    }
    assert!(stopped > 6, "{stopped}");
}
