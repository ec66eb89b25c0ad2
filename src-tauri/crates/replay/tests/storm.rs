//! `docs/storm.md`: why the storm of the bundled capture *Needless storm* happens, told by the network twin with
//! mechanisms switched off. Every number and figure of the page is computed here and held against what is committed;
//! `npm run storm` renews it.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

#[path = "storm/figures.rs"]
mod figures;

use base::{Instant, Silent};
use figures::{Bar, Column, Series, bars, columns, course};
use replay::{
    Algorithm, Bounds, ChannelSpec, Detail, Mechanism, MetricName, ModelErrors, Record, Replay, RunResult, Scenario,
    StepKind, Steps,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use twin::{CellRule, Mac, Machine, Slotframe};

/// Replicates of every answer. Chosen here: a mean of the storm is then known to 0.2 s.
const REPLICATES: u32 = 60;
/// A replicate whose exchanges take longer than this on average has a storm, in seconds. Chosen here: between the modes
/// of 5 s timers.
const STORM: f64 = 6.0;
/// Fixed timeouts in seconds (ACK_TIMEOUT, RFC 7252 §4.8).
const TIMEOUTS: [u32; 8] = [1, 2, 3, 4, 5, 6, 8, 12];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn bundled(name: &str) -> Replay {
    let path = root().join("traces").join(name).join("capture.pcap.gz");
    let capture = trace::open(&path, &trace::ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &trace::DecodeOptions::default(), &mut Silent).unwrap();
    let replay = Replay::new(Record::from_trace(&trace, &mut Silent).unwrap(), &mut Silent).unwrap();
    replay.learn_network(&trace, &mut Silent).unwrap();
    replay
}

fn machine(replay: &Replay) -> &Machine {
    replay.machine().unwrap().unwrap()
}

/// Slots and seconds of a cycle of the one shared cell.
fn cycle(machine: &Machine) -> (u16, f64) {
    let Mac::Tsch(tsch) = &machine.mac else { panic!("{:?}", machine.mac) };
    let [Slotframe { length, rule: CellRule::Shared, .. }] = tsch.slotframes.as_slice() else {
        panic!("{:?}", tsch.slotframes)
    };
    (*length, tsch.slot.scale(i64::from(*length), 1).secs_f64())
}

/// Data frames in a shared cell, on average.
fn frames_a_cell(machine: &Machine) -> f64 {
    machine.frames as f64 * cycle(machine).1 / (machine.window.1 - machine.window.0).secs_f64()
}

/// A question: default CoAP without some mechanisms, or another timer.
fn question(id: &str, params: Value, without: &[Mechanism]) -> Scenario {
    let algorithm = Algorithm::Preset { id: id.to_owned(), params };
    Scenario {
        replicates: REPLICATES,
        without: without.to_vec(),
        // The machine's own spread, without the error of its predictions.
        model_error: ModelErrors::Exclude,
        bounds: Bounds::Skip,
        detail: Detail::Steps,
        ..Scenario::new(algorithm, ChannelSpec::Twin)
    }
}

/// The mechanisms of the page with their names for people, the one that matters least first.
const MECHANISMS: [(&str, &str, &[Mechanism]); 8] = [
    ("all", "everything as it is", &[]),
    ("limits", "without limits of queues", &[Mechanism::Limits]),
    ("collisions", "without collisions", &[Mechanism::Collisions]),
    ("kept", "without back-off that outlasts a drop", &[Mechanism::KeptBackoff]),
    ("losses", "without losses of clean frames", &[Mechanism::Losses]),
    ("retries", "without link-layer retries", &[Mechanism::Retries]),
    ("answers", "without answers to repeats", &[Mechanism::RepeatedAnswers]),
    ("both", "without collisions and kept back-off", &[Mechanism::Collisions, Mechanism::KeptBackoff]),
];

/// The timers that learn: key, name, preset, parameters.
fn learners() -> [(&'static str, &'static str, &'static str, Value); 3] {
    [
        ("rfc6298", "RFC 6298", "rfc6298_coap", Value::Null),
        ("cocoa", "CoCoA", "cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 })),
        ("counts", "counts", "lee2016", Value::Null),
    ]
}

/// Mean completion times of the replicates, in seconds.
fn means(result: &RunResult) -> Vec<f64> {
    result.replicates.iter().filter_map(|values| values.get(MetricName::DurationMean)).collect()
}

/// Beginning (minutes from `start`) and duration (seconds) of every exchange that was answered.
fn exchanges(steps: &Steps, start: Instant) -> Vec<(f64, f64)> {
    let mut begun = BTreeMap::new();
    let mut all = Vec::new();
    for at in 0..steps.len() {
        let (id, time) = (steps.exchange[at], steps.at[at]);
        match steps.kind[at] {
            StepKind::Transmit if steps.attempt[at] == 0 => drop(begun.insert(id, time)),
            StepKind::Reply => {
                let since = begun[&id];
                all.push(((since - start).secs_f64() / 60.0, (time - since).secs_f64()));
            }
            _ => {}
        }
    }
    all
}

/// The recorded exchanges alike.
fn recorded(replay: &Replay, start: Instant) -> Vec<(f64, f64)> {
    let all = replay.record().associations().iter().flat_map(|association| &association.exchanges);
    let answered = all.filter_map(|exchange| Some((exchange.start(), exchange.end?)));
    answered.map(|(since, end)| ((since - start).secs_f64() / 60.0, (end - since).secs_f64())).collect()
}

/// Words of the template and what stands for them.
#[derive(Default)]
struct Words(BTreeMap<String, String>);

impl Words {
    fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Mean, interval, retransmissions, needless and failed share of an answer.
    fn answer(&mut self, name: &str, result: &RunResult) {
        let summary = result.get(MetricName::DurationMean);
        let (mean, lo, hi) = (summary.mean.unwrap(), summary.lo90.unwrap(), summary.hi90.unwrap());
        self.set(&format!("{name}.mean"), format!("{mean:.1} s"));
        self.set(&format!("{name}.range"), format!("{lo:.1} to {hi:.1}"));
        let value = |of| result.get(of).mean.unwrap();
        self.set(&format!("{name}.retries"), format!("{:.2}", value(MetricName::RetriesMean)));
        self.set(&format!("{name}.needless"), percent(value(MetricName::SpuriousAll)));
        self.set(&format!("{name}.failed"), format!("{:.1} %", 100.0 * value(MetricName::PlrExchange)));
        let storms = means(result).into_iter().filter(|&mean| mean > STORM).count();
        self.set(&format!("{name}.storms"), format!("{storms} of {REPLICATES}"));
        let [least, most] = [f64::min, f64::max].map(|of| means(result).into_iter().reduce(of).unwrap());
        self.set(&format!("{name}.least"), format!("{least:.1} s"));
        self.set(&format!("{name}.most"), format!("{most:.1} s"));
    }

    /// The template with every `{word}` replaced; a word without a value is an error.
    fn fill(&self, template: &str) -> String {
        let mut text = template.to_owned();
        for (name, value) in &self.0 {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        let left = text.split('{').nth(1).and_then(|rest| rest.split('}').next());
        assert_eq!(left, None, "a word without a value");
        text
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// All answers by name.
struct Answers(BTreeMap<String, RunResult>);

impl Answers {
    fn ask(replay: &Replay) -> Self {
        let mut asked: Vec<(String, Scenario)> = Vec::new();
        for (name, _, without) in MECHANISMS {
            asked.push((name.to_owned(), question("coap_default", Value::Null, without)));
        }
        for timeout in TIMEOUTS {
            let fixed = |without| question("coap_default", json!({ "ack_timeout": timeout }), without);
            asked.push((format!("fixed{timeout}"), fixed(&[])));
            asked.push((format!("fixed{timeout}-kept"), fixed(&[Mechanism::KeptBackoff])));
        }
        for (name, _, id, params) in learners() {
            asked.push((name.to_owned(), question(id, params, &[])));
        }
        let (names, scenarios): (Vec<String>, Vec<Scenario>) = asked.into_iter().unzip();
        let results = replay.run_all(&scenarios, &mut Silent).unwrap();
        Self(names.into_iter().zip(results).collect())
    }

    fn of(&self, name: &str) -> &RunResult {
        &self.0[name]
    }

    fn mean(&self, name: &str) -> f64 {
        self.of(name).get(MetricName::DurationMean).mean.unwrap()
    }
}

/// Holds a generated file against what is committed, or writes it where `RTOSCOPE_RENEW` is set.
fn settle(path: &Path, content: &str) {
    if std::env::var_os("RTOSCOPE_RENEW").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(committed == content, "{} is stale: `npm run storm` renews it", path.display());
}

#[test]
fn the_page_says_what_the_twin_computes() {
    let (storm, calm) = (bundled("tsch-slow-chain5-default"), bundled("tsch-slow-chain5-cocoa"));
    let answers = Answers::ask(&storm);
    let (own, start) = (machine(&storm), machine(&storm).window.0);

    // Claims of the page in words, whatever the digits.
    let all = answers.mean("all");
    assert!((answers.mean("limits") / all - 1.0).abs() < 0.1, "room in queues is not the cause");
    for name in ["collisions", "kept", "losses", "retries", "answers"] {
        assert!(answers.mean(name) < 0.9 * all, "{name} is part of the storm");
    }
    assert!(answers.mean("both") < all / 4.0, "two together end it");
    let fixed = |timeout: u32| answers.mean(&format!("fixed{timeout}"));
    assert!(fixed(2) > fixed(4) && fixed(4) > fixed(6) && fixed(6) > fixed(8), "patience ends it");
    assert!(learners().iter().all(|(name, ..)| answers.mean(name) < all / 4.0), "timers that learn end it");

    let mut words = Words::default();
    answers.0.iter().for_each(|(name, result)| words.answer(name, result));
    for (name, replay, answer) in [("storm", &storm, "all"), ("calm", &calm, "cocoa")] {
        let values = replay.recorded();
        let value = |of| values.get(of).unwrap();
        words.set(&format!("{name}.mean"), format!("{:.1} s", value(MetricName::DurationMean)));
        words.set(&format!("{name}.retries"), format!("{:.2}", value(MetricName::RetriesMean)));
        words.set(&format!("{name}.needless"), percent(value(MetricName::SpuriousAll)));
        let range = answers.of(answer).get(MetricName::DurationMean);
        let mean = value(MetricName::DurationMean);
        let (lo, hi) = (range.lo90.unwrap(), range.hi90.unwrap());
        let is_inside = lo <= mean && mean <= hi;
        // With two digits: which side of an end the mean lies on has to show.
        words.set(&format!("{name}.exact"), format!("{mean:.2} s"));
        words.set(&format!("{name}.twin"), format!("{lo:.2} to {hi:.2}"));
        words.set(&format!("{name}.side"), if is_inside { "inside" } else { "outside" });
        words.set(&format!("{name}.frames"), format!("{:.2}", frames_a_cell(machine(replay))));
    }
    let (slots, seconds) = cycle(own);
    let hops = own.len() - 1;
    words.set("replicates", REPLICATES.to_string());
    words.set("threshold", format!("{STORM:.0} s"));
    words.set("slots", slots.to_string());
    words.set("cycle", format!("{:.0} ms", seconds * 1e3));
    words.set("clients", own.ends.iter().flatten().count().to_string());
    words.set("hops", hops.to_string());
    words.set("idle", format!("{:.1} s", seconds * 2.0 * hops as f64));
    let Mac::Tsch(tsch) = &own.mac else { unreachable!("it has a cycle") };
    words.set("attempts", tsch.max_attempts.to_string());
    let window = 1_u32 << tsch.max_exponent;
    words.set("window", window.to_string());
    words.set("longest", format!("{:.1} s", f64::from(window) * seconds));
    let row = |name: &str, label: &str| {
        format!(
            "| {label} | {{{name}.mean}} | {{{name}.range}} | {{{name}.retries}} | {{{name}.needless}} | {{{name}.failed}} |\n"
        )
    };
    words.set("table", words.fill(&MECHANISMS.map(|(name, label, _)| row(name, label)).concat()).trim_end());
    settle(&root().join("docs/storm.md"), &words.fill(include_str!("storm/page.txt")));

    let figures = root().join("docs/storm");
    let series = [
        Series { name: "recorded: default CoAP", dots: recorded(&storm, start) },
        Series { name: "twin: default CoAP", dots: exchanges(&answers.of("all").steps, start) },
        Series { name: "twin: CoCoA", dots: exchanges(&answers.of("cocoa").steps, start) },
    ];
    settle(&figures.join("course.svg"), &course("Time to the answer of every exchange", &series));
    let bar = |(name, label, _): (&'static str, &'static str, _)| {
        let summary = answers.of(name).get(MetricName::DurationMean);
        Bar { label, mean: summary.mean.unwrap(), range: (summary.lo90.unwrap(), summary.hi90.unwrap()) }
    };
    let drawn = MECHANISMS.map(bar);
    settle(&figures.join("mechanisms.svg"), &bars("Mean completion time under default CoAP, s", &drawn));
    let mut strips: Vec<Column> = Vec::new();
    for timeout in TIMEOUTS {
        let name = format!("fixed{timeout}");
        let without = Some(answers.mean(&format!("{name}-kept")));
        strips.push(Column { label: format!("{timeout} s"), dots: means(answers.of(&name)), without });
    }
    for (name, label, ..) in learners() {
        strips.push(Column { label: label.to_owned(), dots: means(answers.of(name)), without: None });
    }
    settle(&figures.join("timers.svg"), &columns("Mean completion time of every replicate, s", &strips));
}
