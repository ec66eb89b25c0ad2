//! Dependencies of the crates: each is named by the sources that it is declared for.

use crate::{metadata, sources};
use std::path::Path;

/// Crates whose features alone are wanted; the workspace's Cargo.toml says why.
const PINNED: [(&str, &str); 2] = [("table", "bitflags"), ("table", "fastrand")];

#[test]
fn every_dependency_is_used() {
    for package in metadata()["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().expect("a name");
        let folder = Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder");
        let text = |folders: &[&str]| -> String {
            let there = folders.iter().map(|one| folder.join(one)).filter(|path| path.is_dir());
            there.flat_map(|path| sources(&path)).map(|(_, text)| text).collect()
        };
        let (shipped, all) = (text(&["src"]), text(&["src", "tests", "benches", "examples"]));
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let dependency_name = dependency["name"].as_str().expect("a name");
            let is_named = match dependency["kind"].as_str() {
                None => names(&shipped, dependency_name),
                Some("dev") => names(&all, dependency_name),
                // A build script is one file, which its author reads whole.
                Some(_) => continue,
            };
            let is_pinned = PINNED.contains(&(name, dependency_name));
            assert!(
                is_named != is_pinned,
                "{name} and {dependency_name}: a dependency is used, or pinned with its reason"
            );
        }
    }
}

/// Whether `text` has a path that begins with the crate `name`.
fn names(text: &str, name: &str) -> bool {
    let path = format!("{}::", name.replace('-', "_"));
    text.match_indices(&path)
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
}

#[test]
fn a_dependency_is_named_by_its_path_alone() {
    assert!(names("use serde_json::Value;", "serde-json"));
    assert!(!names("use crate::serde_json::Value; my_serde_json::x", "serde-json"));
}
