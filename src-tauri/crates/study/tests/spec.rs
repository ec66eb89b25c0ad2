//! The file of a study: grids, keys of tasks, and texts that are none.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use proptest::prelude::*;
use rto::AlgorithmSet;
use std::collections::BTreeSet;
use study::{Capture, Content, Draft, Plan, Spec, Tags, partition};

const TEXT: &str = "channels = [\"auto\", \"empirical\"]\nseeds = [1, 2]\nreplicates = 20\n[[captures]]\npaths = \"{scenario}/*.pcap\"\n\
                    [[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\nalgorithm = \"cocoa_plus\"\ngrid = { rto_max = [32, 60], alpha = [0.25, 0.125] }\n";

fn spec(text: &str) -> Spec {
    Draft::read(text).unwrap().check(&AlgorithmSet::default()).unwrap()
}

fn capture(path: &str, sha256: &str) -> Capture {
    let tags = Tags::from([("scenario".to_owned(), "chain".to_owned())]);
    Capture { path: path.to_owned(), set: 0, tags, content: Content::Hash { sha256: sha256.to_owned(), log: None } }
}

fn keys(text: &str, captures: Vec<Capture>) -> Vec<String> {
    let (plan, _) = Plan::new(spec(text), captures);
    let keys: Vec<String> = plan.captures.iter().flat_map(|c| plan.tasks(c)).map(|task| task.key).collect();
    assert_eq!(keys.len(), plan.len());
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "no two tasks have one key");
    keys
}

#[test]
fn a_grid_is_every_value_with_every_other() {
    let labels: Vec<String> = spec(TEXT).timers.into_iter().map(|timer| timer.label).collect();
    assert_eq!(
        labels,
        [
            "coap_default",
            "cocoa_plus:alpha=0.25,rto_max=32",
            "cocoa_plus:alpha=0.25,rto_max=60",
            "cocoa_plus:alpha=0.125,rto_max=32",
            "cocoa_plus:alpha=0.125,rto_max=60",
        ]
    );
}

#[test]
fn keys_are_of_what_decides_an_answer() {
    let all = keys(TEXT, vec![capture("a/1.pcap", "11"), capture("a/2.pcap", "22")]);
    assert_eq!(all.len(), 2 * 2 * 2 * 5);
    // The path does not, and neither do a name and measures; the content, replicates and rules do.
    let moved = vec![capture("b/9.pcap", "11"), capture("c/1.pcap", "22")];
    assert_eq!(keys(&format!("name = \"x\"\nmeasures = [\"failed\"]\n{TEXT}"), moved), all);
    for text in
        [TEXT.replace("= 20", "= 21"), format!("{TEXT}[rules]\nnstart = 2\n"), format!("another_run = false\n{TEXT}")]
    {
        let other = keys(&text, vec![capture("a/1.pcap", "11"), capture("a/2.pcap", "22")]);
        assert!(other.iter().all(|key| !all.contains(key)), "{text}");
    }
    // A timer more changes no key of the others.
    let more =
        keys(&TEXT.replace("[32, 60]", "[32, 60, 90]"), vec![capture("a/1.pcap", "11"), capture("a/2.pcap", "22")]);
    assert!(all.iter().all(|key| more.contains(key)) && more.len() > all.len());
}

#[test]
fn one_content_is_run_once() {
    let (plan, left_out) = Plan::new(spec(TEXT), vec![capture("b.pcap", "11"), capture("a.pcap", "11")]);
    assert_eq!(plan.captures.len(), 1);
    assert_eq!(left_out, [("b.pcap".to_owned(), "a.pcap".to_owned())]);
}

#[test]
fn partitions_are_names_of_folders_everywhere() {
    assert_eq!(partition("chain6-x.1"), "scenario=chain6-x.1");
    assert_eq!(partition("a/b é"), "scenario=a%2Fb%20%C3%A9");
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        if let Ok(draft) = Draft::read(&text) {
            let _ = draft.check(&AlgorithmSet::default());
        }
    }

    /// A study with one octet changed is a study or has a mistake; never a panic.
    #[test]
    fn nor_a_study_with_a_change(at in 0..TEXT.len(), with in "[\\[\\]{}=\",.a-z0-9\n-]{0,3}", cut in 0_usize..4) {
        let mut text = TEXT.to_owned();
        let end = (at + cut).min(text.len());
        text.replace_range(at..end, &with);
        match Draft::read(&text) {
            Ok(draft) => if let Err(mistakes) = draft.check(&AlgorithmSet::default()) {
                prop_assert!(mistakes.0.iter().all(|mistake| mistake.at.is_some() && !mistake.problem.is_empty()));
            },
            Err(mistakes) => prop_assert!(!mistakes.0.is_empty()),
        }
    }
}
