//! Patterns that are guessed from names, and outlines that are written and read back.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use proptest::prelude::*;
use serde_json::json;
use study::{Draft, Outline, OutlineSet, Pattern, Tags, guess, literal};

fn guessed(paths: &[&str]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    guess(&paths, &|name| ["default", "cocoa", "rc"].contains(&name)).unwrap()
}

#[test]
fn names_tell_scenario_timer_and_seed() {
    let lab = ["grid/default-seed1/radio.pcap.gz", "grid/cocoa-seed2/radio.pcap.gz", "chain/rc-seed1/radio.pcap.gz"];
    assert_eq!(guessed(&lab), "{scenario}/{timer}-seed{seed}/radio.pcap.gz");
    // A timer that nobody knows, at the place of one.
    let mine = ["grid/mine-seed1/radio.pcap", "grid/yours-seed2/radio.pcap", "chain/mine-seed1/radio.pcap"];
    assert_eq!(guessed(&mine), "{scenario}/{timer}-seed{seed}/radio.pcap");
    let worlds = ["runs/grid_seed1/cocoa.pcap", "runs/grid_seed2/default.pcap", "runs/chain_seed1/cocoa.pcap"];
    assert_eq!(guessed(&worlds), "runs/{scenario}_seed{seed}/{timer}.pcap");
    let flat = ["live-ge-cocoa.pcap.gz", "live-ge-default.pcap.gz", "chain-rc.pcap.gz"];
    assert_eq!(guessed(&flat), "{scenario}-{timer}.pcap.gz");
    assert_eq!(guessed(&["a.pcap", "b.pcap"]), "{scenario}.pcap");
    assert_eq!(guessed(&["seed1.pcap", "seed22.pcap"]), "seed{seed}.pcap");
    assert_eq!(guessed(&["x/a/1.pcap", "x/b/2.pcap"]), "x/{scenario}/{scenario2}.pcap");
    assert_eq!(guessed(&["only.pcap"]), "only.pcap");
}

#[test]
fn most_files_decide() {
    let mixed = ["a/x.pcap", "b/x.pcap", "c/x.pcap", "a/log.txt", "notes.pcap"];
    assert_eq!(guessed(&mixed), "{scenario}/x.pcap");
    assert_eq!(guess(&[], &|_| false), None);
    // The name has what means something in patterns.
    assert_eq!(guessed(&["{x}/a.pcap", "{x}/b.pcap"]), "?x?/{scenario}.pcap");
    assert_eq!(guessed(&["}/a.}"]), "?/a.?");
}

#[test]
fn an_outline_is_read_back() {
    let tags: Tags = [("scenario", "a \"b\"\\\n"), ("größe", "3")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    let set = OutlineSet {
        paths: vec!["a/*.pcap".to_owned(), "b.pcap".to_owned()],
        exclude: vec!["a/x.pcap".to_owned()],
        tags: tags.clone(),
        rc_option: Some(251),
    };
    let params = json!({ "rto_max": 32, "vbf_key": "dithered" }).as_object().unwrap().clone();
    let outline = Outline {
        presets: vec!["own.toml".to_owned()],
        name: "mine".to_owned(),
        captures: vec![set, OutlineSet { paths: vec!["c.pcap".to_owned()], ..OutlineSet::default() }],
        timers: vec![("coap_default".to_owned(), serde_json::Map::new()), ("cocoa_demir2018".to_owned(), params)],
        baseline: Some("coap_default".to_owned()),
        replicates: 7,
    };
    let draft = Draft::read(&outline.text()).unwrap();
    assert_eq!(draft.presets(), ["own.toml"]);
    let spec = draft.check(&rto::AlgorithmSet::default()).unwrap();
    assert_eq!((spec.name.as_str(), spec.replicates, spec.baseline.as_deref()), ("mine", 7, Some("coap_default")));
    assert_eq!(spec.captures.len(), 2);
    assert_eq!(spec.captures[0].tags, tags);
    assert_eq!(spec.captures[0].rc_option, Some(251));
    assert_eq!(spec.captures[0].exclude[0].text(), "a/x.pcap");
    assert_eq!(spec.timers[1].label, "cocoa_demir2018:rto_max=32,vbf_key=dithered");
}

proptest! {
    #[test]
    fn a_guess_fits_a_file_at_least(paths in prop::collection::vec("[a-c{}*.-]{1,3}(/[a-c0-9{}?.-]{1,4}){0,2}", 1..6)) {
        let pattern = guess(&paths, &|name| name == "a").unwrap();
        let pattern = Pattern::parse(&pattern).unwrap();
        prop_assert!(paths.iter().any(|path| pattern.matches(path).is_some()), "{}", pattern.text());
    }

    #[test]
    fn a_literal_name_is_matched(name in "[^/]{1,12}") {
        let pattern = Pattern::parse(&literal(&name)).unwrap();
        prop_assert!(name.contains('\n') || pattern.matches(&name).is_some());
    }

    #[test]
    fn any_text_is_a_string_of_the_file(name in any::<String>()) {
        let outline = Outline { name: name.clone(), replicates: 1, ..Outline::default() };
        let text = format!("captures = []\ntimers = []\n{}", outline.text());
        let refused = Draft::read(&text).unwrap().check(&rto::AlgorithmSet::default()).unwrap_err();
        prop_assert!(refused.0.iter().all(|mistake| mistake.problem.starts_with("no ")));
    }
}
