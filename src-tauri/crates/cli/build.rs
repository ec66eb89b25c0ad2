//! Sets `RTOSCOPE_VERSION`: the version, and the commit that the program was built from.
//!
//! Nothing is run for it, so that a build needs no git. The commit is, in this order, that of the variable
//! `RTOSCOPE_COMMIT`, which a packager sets who knows that the tree is clean; the one that `git archive` wrote into
//! `commit` beside this file; the one that `.git` names, which the tree may differ from. Cargo runs this again when one
//! of them changed, and not otherwise.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Called from the build script of `python` too, which keeps the same version.
pub fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=commit");
    println!("cargo::rerun-if-env-changed=RTOSCOPE_COMMIT");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let here = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    println!("cargo::rustc-env=RTOSCOPE_VERSION={version} ({})", commit(&here));
}

fn commit(here: &Path) -> String {
    if let Some(given) = env::var("RTOSCOPE_COMMIT").ok().filter(|given| is_commit(given)) {
        return short(&given);
    }
    if let Some(archived) = read(&here.join("commit")).filter(|text| is_commit(text)) {
        return short(&archived);
    }
    match here.ancestors().find_map(head) {
        Some(commit) => format!("{}, or changed since", short(&commit)),
        None => "commit unknown".to_owned(),
    }
}

/// The commit that is checked out in `folder`, if it is the top of a work tree.
fn head(folder: &Path) -> Option<String> {
    let git = folder.join(".git");
    // In a linked work tree it is a file that says where the folder is.
    let git = match read(&git) {
        Some(text) => folder.join(text.strip_prefix("gitdir: ")?),
        None => Some(git).filter(|git| git.is_dir())?,
    };
    let common = read(&git.join("commondir")).map_or_else(|| git.clone(), |path| git.join(path));
    watched(&git.join("HEAD"));
    let head = read(&git.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref: ") else { return is_commit(&head).then_some(head) };
    watched(&common.join(name));
    watched(&common.join("packed-refs"));
    let packed = || {
        let lines = read(&common.join("packed-refs"))?;
        let line = lines.lines().find(|line| line.split(' ').nth(1) == Some(name))?.to_owned();
        line.split(' ').next().map(str::to_owned)
    };
    read(&common.join(name)).or_else(packed).filter(|commit| is_commit(commit))
}

/// Has cargo look at a file that is there: one that is not would be built for every time.
fn watched(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// Whether a text is the hexadecimal name of a commit.
fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.chars().all(|c| c.is_ascii_hexdigit())
}

fn short(commit: &str) -> String {
    commit.chars().take(12).collect()
}
