//! The committed corpus of `src-tauri/fuzz/live` through the bodies of the fuzz targets.

use live::fuzz::TARGETS;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn fuzz_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/live")
}

/// Names of the entries of a directory, without extension.
fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).expect("a folder");
    entries
        .map(|entry| entry.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect()
}

#[test]
fn every_file_and_every_beginning_of_it_keeps_the_laws() {
    for (name, body) in TARGETS {
        let dir = fuzz_dir().join("corpus").join(name);
        let files: BTreeSet<PathBuf> =
            fs::read_dir(&dir).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
        assert!(!files.is_empty(), "{name}: no corpus");
        for file in files {
            let octets = fs::read(&file).expect("it is read");
            (0..=octets.len()).for_each(|end| body(octets.get(..end).unwrap_or_default()));
        }
    }
}

#[test]
fn targets_bodies_and_corpora_are_the_same() {
    let bodies: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&fuzz_dir().join("fuzz_targets")), bodies);
    assert_eq!(names(&fuzz_dir().join("corpus")), bodies);
}

/// Files of the corpus, cut, joined, and with octets changed: nearer to what a reader believes than chance is.
/// `PROPTEST_CASES` says how many.
mod changed {
    use super::{TARGETS, fs, fuzz_dir};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn corpus() -> Vec<(usize, Vec<u8>)> {
        let files = |at: usize| {
            let folder = fuzz_dir().join("corpus").join(TARGETS[at].0);
            let mut paths: Vec<_> =
                fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
            paths.sort();
            paths.into_iter().map(move |path| (at, fs::read(path).expect("it is read")))
        };
        (0..TARGETS.len()).flat_map(files).collect()
    }

    proptest! {
        #[test]
        fn files_of_the_corpus(
            pieces in vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
            changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            of in any::<prop::sample::Index>(),
        ) {
            thread_local!(static CORPUS: Vec<(usize, Vec<u8>)> = corpus());
            CORPUS.with(|corpus| {
                let target = of.get(corpus).0;
                let own: Vec<&Vec<u8>> = corpus.iter().filter(|(at, _)| *at == target).map(|(_, octets)| octets).collect();
                let mut octets: Vec<u8> = Vec::new();
                for (file, from, to) in &pieces {
                    let file = file.get(&own);
                    let (a, b) = (from.index(file.len() + 1), to.index(file.len() + 1));
                    octets.extend(file.get(a.min(b)..a.max(b)).unwrap_or_default());
                }
                for (at, octet) in &changes {
                    if !octets.is_empty() {
                        *at.get_mut(&mut octets[..]) = *octet;
                    }
                }
                TARGETS[target].1(&octets);
            });
        }
    }
}
