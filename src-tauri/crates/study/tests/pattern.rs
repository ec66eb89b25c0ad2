//! Patterns of paths: tags, folders, mistakes with their place, and texts that are none.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use proptest::prelude::*;
use study::Pattern;

fn tags(pattern: &str, path: &str) -> Option<Vec<(String, String)>> {
    Some(Pattern::parse(pattern).unwrap().matches(path)?.into_iter().collect())
}

fn pairs(pairs: &[(&str, &str)]) -> Option<Vec<(String, String)>> {
    Some(pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
}

#[test]
fn tags_come_from_names() {
    let runs = "runs/{scenario}/{timer}-seed{seed}/radio.pcap.gz";
    let path = "runs/chain6/cocoa-seed12/radio.pcap.gz";
    assert_eq!(tags(runs, path), pairs(&[("scenario", "chain6"), ("seed", "12"), ("timer", "cocoa")]));
    assert_eq!(tags(runs, "runs/chain6/cocoa-seed/radio.pcap.gz"), None, "a tag has a character at least");
    assert_eq!(tags(runs, "runs/a/b/cocoa-seed1/radio.pcap.gz"), None, "a tag is in one name");
    assert_eq!(tags(runs, "runs/chain6/cocoa-seed12/radioXpcap.gz"), None, "a dot is a dot");
    // The leftmost tag takes what it can.
    assert_eq!(tags("{world}-{run}", "tsch-slow-default"), pairs(&[("run", "default"), ("world", "tsch-slow")]));
    assert_eq!(tags("{a}/{a}", "x/x"), pairs(&[("a", "x")]));
    assert_eq!(tags("{a}/{a}", "x/y"), None);
    assert_eq!(tags("é?/*.pcap", "éa/b.pcap"), pairs(&[]));
}

#[test]
fn any_number_of_folders() {
    for (path, is) in [("a/x.pcap", true), ("a/b/c/x.pcap", true), ("x.pcap", false), ("b/x.pcap", false)] {
        assert_eq!(tags("a/**/{run}.pcap", path).is_some(), is, "{path}");
    }
    assert_eq!(tags("**/x", "x"), pairs(&[]));
    assert_eq!(tags("a/**/b/**/c", "a/b/c"), pairs(&[]));
}

#[test]
fn folders_without_a_match_are_not_entered() {
    let pattern = Pattern::parse("../runs/{scenario}-x/*/radio.pcap").unwrap();
    assert_eq!(pattern.base(), "../runs");
    for (folder, may) in [
        ("..", true),
        ("../runs", true),
        ("../other", false),
        ("../runs/a-x", true),
        ("../runs/a", false),
        ("../runs/a-x/b", true),
        ("../runs/a-x/b/c", false),
    ] {
        assert_eq!(pattern.may_be_in(folder), may, "{folder}");
    }
    assert_eq!(Pattern::parse("/tmp/*").unwrap().base(), "/tmp");
    assert_eq!(Pattern::parse("/*").unwrap().base(), "/");
    assert_eq!(Pattern::parse("x.pcap").unwrap().base(), "");
    assert!(Pattern::parse("a/**/x").unwrap().may_be_in("a/b/c/d"));
}

#[test]
fn mistakes_have_their_place() {
    for (pattern, at, says) in [
        ("", 0, "empty"),
        ("a/{b", 2, "no }"),
        ("a/b}", 3, "no {"),
        ("a/{b c}", 3, "no name of a tag"),
        ("{}", 1, "no name of a tag"),
        ("{9}", 1, "no name of a tag"),
        ("a/x**", 3, "stands alone"),
        ("a/**", 2, "name of a file follows"),
    ] {
        let error = Pattern::parse(pattern).unwrap_err();
        assert_eq!(error.at, at, "{pattern}: {error}");
        assert!(error.problem.contains(says), "{pattern}: {error}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(pattern in any::<String>(), path in any::<String>()) {
        if let Ok(parsed) = Pattern::parse(&pattern) {
            let _ = (parsed.matches(&path), parsed.may_be_in(&path), parsed.base(), parsed.tags());
        }
    }

    #[test]
    fn nor_one_of_its_own_characters(pattern in "[a{}*?/.é-]{0,24}", path in "[a/.é-]{0,24}") {
        if let Ok(parsed) = Pattern::parse(&pattern) {
            let _ = (parsed.matches(&path), parsed.may_be_in(&path));
        }
    }

    /// Values that a path was made from come back, where separators are no part of them.
    #[test]
    fn values_come_back(a in "[a-z0-9]{1,8}", b in "[a-z0-9]{1,8}", c in "[0-9]{1,4}") {
        let path = format!("runs/{a}/{b}-seed{c}/x.pcap");
        // A value may itself hold `-seed`; these cannot.
        let found = Pattern::parse("runs/{a}/{b}-seed{c}/*.pcap").unwrap().matches(&path).unwrap();
        prop_assert_eq!(found.values().cloned().collect::<Vec<_>>(), [a.clone(), b, c]);
        let folder = format!("runs/{a}");
        let may = Pattern::parse("runs/{a}/{b}-seed{c}/*.pcap").unwrap().may_be_in(&folder);
        prop_assert!(may);
    }
}
