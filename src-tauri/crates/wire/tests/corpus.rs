//! The committed corpus of `src-tauri/fuzz` through the bodies of the fuzz targets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use wire::fuzz::TARGETS;

fn fuzz_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// Names of the entries of a directory, without extension.
fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    entries
        .map(|entry| entry.expect("entry").path().file_stem().expect("name").to_string_lossy().into_owned())
        .collect()
}

#[test]
fn every_file_keeps_the_laws() {
    for (name, body) in TARGETS {
        let dir = fuzz_dir().join("corpus").join(name);
        let files: BTreeSet<PathBuf> =
            fs::read_dir(&dir).expect("corpus").map(|entry| entry.expect("entry").path()).collect();
        assert!(!files.is_empty(), "{name}: no corpus");
        for file in files {
            let octets = fs::read(&file).expect("corpus file");
            body(&octets);
            // And so does every beginning of it.
            for end in 0..octets.len() {
                body(&octets[..end]);
            }
        }
    }
}

#[test]
fn targets_bodies_and_corpora_are_the_same() {
    let bodies: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&fuzz_dir().join("fuzz_targets")), bodies);
    assert_eq!(names(&fuzz_dir().join("corpus")), bodies);
}
