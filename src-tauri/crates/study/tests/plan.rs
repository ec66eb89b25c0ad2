//! Plans: captures that differ have rows in files of their own, and tasks that differ have keys of their own.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use std::collections::BTreeSet;
use study::{Capture, Content, Draft, Plan, Tags};

/// Two sets find each capture, and read it in two ways.
fn plan(captures: &[(&str, usize, &str, &str)]) -> Plan {
    let text = "seeds = [1, 2]\n[[captures]]\npaths = \"*.pcap\"\n[[captures]]\npaths = \"*.pcap\"\nrc_option = 65\n\
                [[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\nalgorithm = \"cocoa_plus\"\n";
    let spec = Draft::read(text).unwrap().check(&rto::AlgorithmSet::default()).unwrap();
    let capture = |&(path, set, sha256, run): &(&str, usize, &str, &str)| Capture {
        path: path.to_owned(),
        set,
        tags: Tags::from([("run".to_owned(), run.to_owned())]),
        content: Content::Hash { sha256: sha256.to_owned(), log: None },
    };
    Plan::new(spec, captures.iter().map(capture).collect()).0
}

#[test]
fn one_file_read_in_two_ways_is_two_captures() {
    let plan =
        plan(&[("a.pcap", 0, "00", "1"), ("a.pcap", 1, "00", "1"), ("b.pcap", 0, "00", "2"), ("c.pcap", 0, "01", "1")]);
    assert_eq!(plan.captures.len(), 4);
    let files: BTreeSet<String> = plan.captures.iter().map(|capture| plan.file_name(capture)).collect();
    assert_eq!(files.len(), 4);
    let keys: BTreeSet<String> =
        plan.captures.iter().flat_map(|capture| plan.tasks(capture)).map(|task| task.key).collect();
    assert_eq!(keys.len(), plan.len());
}

#[test]
fn one_content_with_equal_tags_is_one_capture_wherever_it_is() {
    let plan = plan(&[("a.pcap", 0, "00", "1"), ("b.pcap", 0, "00", "1")]);
    assert_eq!(plan.captures.len(), 1);
    let moved = self::plan(&[("elsewhere/a.pcap", 0, "00", "1")]);
    assert_eq!(plan.file_name(&plan.captures[0]), moved.file_name(&moved.captures[0]));
}
