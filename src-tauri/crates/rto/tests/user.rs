//! Preset files: what they may say, where they are wrong, and that what they make is what they say.

use base::{Instant, Span};
use proptest::prelude::*;
use rto::user::{Position, UserError, UserPreset, parse_json, parse_toml, to_toml};
use rto::{AlgorithmSet, Dither, Flight, ParamError, ParamValue};
use serde_json::{Value, json};

const FILE: &str = r#"# Two presets of ours.
[[preset]]
id = "plant_coap"
name = "CoAP, plant"
base = "coap_default"
description = "What our gateway runs."
citation = "Plant handbook, p. 12"
[preset.params]
ack_timeout = 3
random_factor = "4/3"

[[preset]]
id = "plant_paced"
name = "Paced, plant"
base = "coap_r"
params = { service_time = 0.01, random_factor = 1.0 }
"#;

fn parsed(text: &str) -> Vec<UserPreset> {
    parse_toml(text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn set() -> AlgorithmSet {
    let mut set = AlgorithmSet::default();
    set.add(parsed(FILE)).expect("no collisions");
    set
}

#[test]
fn a_file_adds_algorithms() {
    let set = set();
    let spec = set.spec("plant_coap").expect("added");
    assert_eq!(
        (spec.name, spec.summary, spec.citation),
        ("CoAP, plant", "What our gateway runs.", "Plant handbook, p. 12")
    );
    assert_eq!((spec.family, spec.default, spec.waits_after_last), ("coap", true, true));
    let param = |name: &str| spec.params.iter().find(|p| p.name == name).expect("a parameter");
    assert_eq!(param("ack_timeout").default, ParamValue::Number(3.0));
    assert_eq!(param("random_factor").default, ParamValue::Text("4/3".to_owned()));
    assert_eq!(param("ack_timeout").citation, "Plant handbook, p. 12");
    assert_eq!(param("backoff").citation, "RFC 7252 §4.2", "the base's");
    let order: Vec<_> = set.algorithms().iter().map(|s| s.id).collect();
    assert_eq!(order[order.len() - 2..], ["plant_coap", "plant_paced"]);
    assert_eq!(order[..order.len() - 2], rto::algorithms().iter().map(|s| s.id).collect::<Vec<_>>());
    // Without texts of its own: the base's summary.
    let paced = set.spec("plant_paced").expect("added");
    assert_eq!(paced.summary, rto::spec("coap_r").expect("built in").summary);
    assert_eq!(paced.citation, "user preset plant_paced, based on coap_r");
    assert!(paced.paced);
}

#[test]
fn a_user_preset_builds_with_the_values_of_its_file() {
    let set = set();
    let first = |params: Value, u| {
        let mut estimator = set.build("plant_coap", &params).expect("legal");
        Flight::new(0).transmit(Instant::ZERO, &mut *estimator, Dither::from_f64(u))
    };
    // U[3, 4] s; overrides on top stay possible.
    assert_eq!([first(Value::Null, 0.0), first(Value::Null, 0.5)], [Span::from_secs(3), Span::from_millis(3_500)]);
    assert_eq!(first(json!({ "ack_timeout": 6 }), 0.0), Span::from_secs(6));
    let refused = set.build("plant_coap", &json!({ "ack_timeout": 0 }));
    assert!(matches!(refused, Err(ParamError::Range { .. })));
    assert_eq!(
        set.resolve("plant_paced", &json!({ "period": 10 })),
        Ok(("coap_r", json!({ "service_time": 0.01, "random_factor": 1.0, "period": 10 })))
    );
    assert_eq!(set.resolve("coap_b", &Value::Null), Ok(("coap_b", Value::Null)));
    assert!(set.resolve("plant_coap", &json!(3)).is_err());
    assert!(set.build_pacer("plant_paced", &Value::Null).expect("legal").is_some());
    assert!(set.build_pacer("plant_coap", &Value::Null).expect("legal").is_none());
    assert!(matches!(set.build("nonsense", &Value::Null), Err(ParamError::Algorithm { .. })));
}

#[test]
fn json_and_toml_give_the_same_presets() {
    let text = r#"{"preset": [
        {"id": "plant_coap", "name": "CoAP, plant", "base": "coap_default", "description": "What our gateway runs.",
         "citation": "Plant handbook, p. 12", "params": {"ack_timeout": 3, "random_factor": "4/3"}},
        {"id": "plant_paced", "name": "Paced, plant", "base": "coap_r",
         "params": {"service_time": 0.01, "random_factor": 1.0}}]}"#;
    let mut toml = parsed(FILE);
    toml.iter_mut().for_each(|preset| preset.at = None);
    assert_eq!(parse_json(text).expect("legal"), toml);
    let syntax = parse_json("{\n  \"preset\": [}").expect_err("refused").0;
    assert_eq!(syntax[0].at, Some(Position { line: 2, column: 14 }));
    let null = parse_json(r#"{"preset": [{"id": null, "name": "n", "base": "coap_b"}]}"#).expect_err("refused");
    assert_eq!(null.to_string(), "preset[0].id: expected text, found null");
}

#[test]
fn what_is_written_is_read_again() {
    let mut presets = parsed(FILE);
    presets.iter_mut().for_each(|preset| preset.at = None);
    presets[0].description = "\"quoted\" \\ \u{7f} \n [[preset]] id = 'x' é 🦀 #".to_owned();
    let mut read = parsed(&to_toml(&presets));
    read.iter_mut().for_each(|preset| preset.at = None);
    assert_eq!(read, presets);
}

#[test]
fn every_mistake_has_its_position() {
    let text = "\
[[preset]]
id = \"a b\"
name = \"\"
base = \"cocoa\"
colour = 1

[[preset]]
name = 7
base = \"coap_default\"
params = { ack_timeout = 0, backof = 2, random_factor = [1], backoff = nan, x = 1979-05-27 }
";
    let errors = parse_toml(text).expect_err("refused").0;
    let place = |e: &UserError| e.at.map_or((0, 0), |at| (at.line, at.column));
    let found: Vec<_> = errors.iter().map(|e| (place(e), e.key.as_str())).collect();
    assert_eq!(
        found,
        [
            ((2, 6), "preset[0].id"),
            ((3, 8), "preset[0].name"),
            ((4, 8), "preset[0].base"),
            ((5, 1), "preset[0].colour"),
            ((7, 1), "preset[1].id"),
            ((8, 8), "preset[1].name"),
            ((10, 12), "preset[1].params.ack_timeout"),
            ((10, 29), "preset[1].params.backof"),
            ((10, 57), "preset[1].params.random_factor"),
            ((10, 72), "preset[1].params.backoff"),
            ((10, 81), "preset[1].params.x"),
        ]
    );
    let say = |n: usize| errors[n].problem.as_str();
    assert_eq!(say(0), "`a b`: expected 1 to 40 letters, digits or _");
    assert!(say(2).starts_with("no algorithm is called `cocoa`; legal are coap_default, "), "{}", say(2));
    assert_eq!(say(3), "unknown key; legal are id, name, base, description, citation, params");
    assert_eq!(say(4), "missing");
    assert_eq!(say(5), "expected text, found 7");
    assert_eq!(say(6), "`ack_timeout` is 0, outside 0.001 to 600");
    assert_eq!(say(7), "no parameter `backof`; there are: ack_timeout, random_factor, backoff, tick");
    assert_eq!(errors[7].to_string(), format!("line 10, column 29: preset[1].params.backof: {}", say(7)));
}

#[test]
fn a_file_without_presets_is_refused() {
    let message = |text: &str| parse_toml(text).expect_err("refused").to_string();
    assert!(message("").starts_with("no presets"));
    assert!(
        message("[[preset]]\nid = \"a\nb\"").starts_with("line 2, column "),
        "{}",
        message("[[preset]]\nid = \"a\nb\"")
    );
    assert_eq!(message("preset = 3"), "line 1, column 1: preset: expected a list of tables, found 3");
    assert_eq!(message("preset = [3]"), "line 1, column 11: preset[0]: expected a table, found 3");
    assert_eq!(message("[other]\nx = 1"), "line 1, column 2: other: unknown key; legal are preset");
    assert!(message("[[preset]]\nid = \"a\"\nid = \"b\"").contains("duplicate key"));
}

#[test]
fn ids_and_names_are_unique() {
    let file =
        |id: &str, name: &str| parsed(&format!("[[preset]]\nid = \"{id}\"\nname = \"{name}\"\nbase = \"coap_b\""));
    let mut set = set();
    let before = set.algorithms().to_vec();
    for (id, name, message) in [
        ("coap_b", "New", "line 1, column 1: coap_b.id: `coap_b` is taken by coap_b (CoAP, 1 s)"),
        ("plant_coap", "New", "line 1, column 1: plant_coap.id: `plant_coap` is taken by plant_coap (CoAP, plant)"),
        ("new", "CoAP default", "line 1, column 1: new.name: `CoAP default` is taken by coap_default (CoAP default)"),
    ] {
        assert_eq!(set.add(file(id, name)).expect_err("taken").to_string(), message);
    }
    // Within one file, and then none of it is added.
    let twice = [file("one", "One"), file("one", "Two")].concat();
    assert!(set.add(twice).is_err());
    assert_eq!(set.algorithms(), before);
    // A preset made by hand is checked as well.
    let bad = UserPreset { base: "nonsense".to_owned(), ..file("by_hand", "By hand").remove(0) };
    assert!(set.add(vec![bad]).is_err());
}

proptest! {
    /// A damaged file is read or refused, never more.
    #[test]
    fn damaged_files_never_panic(at in 0..FILE.len(), cut in 0..40usize, put in "[\\[\\]{}=\"'.,#a-z0-9\n\u{e9}]{0,8}") {
        let end = (at + cut).min(FILE.len());
        let text = format!("{}{put}{}", &FILE[..at], &FILE[end..]);
        if let Err(errors) = parse_toml(&text) {
            prop_assert!(!errors.0.is_empty());
            let lines = text.lines().count() as u32 + 1;
            prop_assert!(errors.0.iter().all(|e| e.at.is_none_or(|at| (1..=lines).contains(&at.line))), "{errors}");
        }
        let _ = parse_json(&text);
    }
}
