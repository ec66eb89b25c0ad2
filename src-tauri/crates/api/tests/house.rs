//! The doors between the rooms: which crate may use which, who may link Polars, and which module of a crate may import
//! which.

#[path = "house/comments.rs"]
mod comments;
#[path = "house/dependencies.rs"]
mod dependencies;
#[path = "house/layers.rs"]
mod layers;
#[path = "house/modules.rs"]
mod modules;

use modules::Modules;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Crate, the workspace crates it may depend on, and its third-party crates. Versions and features are
/// Cargo.toml's business; a new name here is a decision.
const HOUSE: &[(&str, &[&str], &[&str])] = &[
    ("base", &[], &["serde", "ts-rs"]),
    ("wire", &["base"], &["aes", "ccm"]),
    ("trace", &["base", "wire"], &["flate2", "pcap-parser", "quick-xml", "ruzstd", "serde", "thiserror", "ts-rs"]),
    ("live", &["base", "trace", "wire"], &["nusb", "rustix", "signal-hook"]),
    ("rto", &["base"], &["serde", "serde_json", "toml", "ts-rs"]),
    ("twin", &["base", "trace", "wire"], &["statrs", "thiserror", "toml"]),
    ("replay", &["base", "rto", "trace", "twin"], &["rayon", "serde", "serde_json", "statrs", "thiserror", "ts-rs"]),
    (
        "table",
        &["base", "replay", "rto", "trace"],
        &[
            "bitflags",
            "fastrand",
            "polars",
            "polars-arrow",
            "polars-parquet",
            "regex",
            "serde",
            "serde_json",
            "thiserror",
            "ts-rs",
        ],
    ),
    ("study", &["replay", "rto", "table"], &["regex", "serde", "serde_json", "sha2", "toml"]),
    ("watch", &["base", "replay", "table", "trace"], &["serde", "toml"]),
    (
        "api",
        &["base", "live", "replay", "rto", "study", "table", "trace", "watch"],
        &["base64", "chrono", "clap", "flate2", "rayon", "serde", "serde_json", "sha2", "ts-rs"],
    ),
    ("fixtures", &["api"], &["anyhow", "serde_json"]),
    ("page", &[], &[]),
    ("needs", &[], &[]),
    ("python", &["api"], &["pyo3", "serde", "serde_json"]),
    ("cli", &["api", "page"], &["anyhow", "clap", "clap_complete", "clap_mangen", "indicatif", "serde_json"]),
    ("rtoscope-app", &["api", "page"], &["gtk", "serde", "serde_json", "tauri", "tauri-plugin-dialog", "webkit2gtk"]),
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

/// Per package: the names of its ordinary dependencies.
fn doors() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let mut doors = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let normal = |d: &&Value| d["kind"].is_null();
        let names = package["dependencies"].as_array().into_iter().flatten().filter(normal).map(|d| text(&d["name"]));
        doors.insert(text(&package["name"]), names.collect());
    }
    doors
}

#[test]
fn every_edge_is_in_the_plan() {
    let doors = doors();
    let planned: BTreeSet<&str> = HOUSE.iter().map(|room| room.0).collect();
    assert_eq!(doors.keys().map(String::as_str).collect::<BTreeSet<_>>(), planned, "rooms");
    for (room, inner, outer) in HOUSE {
        let allowed: BTreeSet<&str> = inner.iter().chain(*outer).copied().collect();
        let used: BTreeSet<&str> = doors[*room].iter().map(String::as_str).collect();
        let extra: Vec<_> = used.difference(&allowed).collect();
        assert!(extra.is_empty(), "{room} depends on {extra:?}; if that is right, say so in HOUSE");
        let stale: Vec<_> = allowed.difference(&used).collect();
        assert!(stale.is_empty(), "{room} no longer depends on {stale:?}; take it out of HOUSE");
    }
}

#[test]
fn modules_import_in_one_direction() {
    for (room, layers) in layers::CRATES {
        let modules =
            Modules::read(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(room).join("src"));
        let planned: BTreeSet<String> = layers.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(modules.top(), planned, "modules of {room}");
        let allowed: BTreeSet<(String, String)> =
            layers.iter().flat_map(|(a, to)| to.iter().map(|b| ((*a).to_owned(), (*b).to_owned()))).collect();
        let edges = modules.top_edges();
        let extra: Vec<_> = edges.difference(&allowed).collect();
        assert!(extra.is_empty(), "{room}: imports {extra:?} are not in house/layers.rs");
        let stale: Vec<_> = allowed.difference(&edges).collect();
        assert!(stale.is_empty(), "{room}: imports {stale:?} are gone; take them out of house/layers.rs");
        for (at, (name, to)) in layers.iter().enumerate() {
            let below: Vec<&str> = layers.iter().take(at).map(|(name, _)| *name).collect();
            assert!(to.iter().all(|b| below.contains(b)), "{room}: {name} stands below a module that it imports");
        }
        assert!(modules.cycles().is_empty(), "{room}: {:?}", modules.cycles());
    }
}

#[test]
fn a_cycle_is_found_also_through_re_exports() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("lib.rs", "mod high;\nmod low;\npub use high::Thing;\n");
    write("high.rs", "use crate::low::{self, Part};\npub struct Thing(Part);\n");
    write("low.rs", "pub struct Part;\n#[cfg(test)]\nmod tests {\n    use crate::Thing;\n}\n");
    assert!(Modules::read(folder.path()).cycles().is_empty());
    write("low.rs", "pub struct Part;\nfn up(_: &crate::Thing) {}\n");
    assert_eq!(Modules::read(folder.path()).cycles(), [["high", "low"]]);
}

/// Most modules of one folder: about a dozen, so that it reads as a table of contents.
const MOST_MODULES: usize = 14;

#[test]
fn folders_hold_about_a_dozen_modules() {
    for (room, ..) in HOUSE.iter().filter(|room| room.0 != "rtoscope-app") {
        let src = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(room).join("src");
        let mut modules = BTreeMap::<std::path::PathBuf, BTreeSet<std::path::PathBuf>>::new();
        for (path, _) in sources(&src) {
            let mut module = path.with_extension("");
            if module == src.join("lib") || module == src.join("main") {
                continue;
            }
            while module != src {
                let folder = module.parent().expect("below src").to_path_buf();
                modules.entry(folder.clone()).or_default().insert(module);
                module = folder;
            }
        }
        for (folder, modules) in modules {
            assert!(modules.len() <= MOST_MODULES, "{} has {} modules", folder.display(), modules.len());
        }
    }
}

/// Most lines of a source, so that one file is about one thing.
const MOST_LINES: usize = 400;

#[test]
fn sources_fit_in_a_head() {
    for (folder, kinds) in SOURCES {
        for (path, text) in files(&root().join(folder), kinds) {
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{}: {lines} lines, of {MOST_LINES}", path.display());
        }
    }
}

/// Folders of sources from the top of the project, with the endings of their names.
const SOURCES: [(&str, &[&str]); 7] = [
    ("src-tauri/crates", &["rs", "py"]),
    ("src-tauri/src", &["rs"]),
    ("src-tauri/tests", &["rs"]),
    ("ui/src", PAGE),
    ("ui/test", PAGE),
    ("scripts", PAGE),
    ("wireshark", PAGE),
];
const PAGE: &[&str] = &["ts", "svelte", "mjs", "cjs", "lua", "css"];

fn root() -> std::path::PathBuf {
    std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
}

/// Every source of Rust below `folder`, with its text.
fn sources(folder: &std::path::Path) -> Vec<(std::path::PathBuf, String)> {
    files(folder, &["rs"])
}

/// Every file of these `kinds` below `folder`, with its text; without generated ones.
fn files(folder: &std::path::Path, kinds: &[&str]) -> Vec<(std::path::PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder of sources").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "gen") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| kinds.iter().any(|kind| e == *kind)) {
                let text = std::fs::read_to_string(&path).expect("a source");
                found.push((path, text));
            }
        }
    }
    found
}

#[test]
fn only_table_links_polars_and_only_the_app_links_tauri() {
    for (room, names) in doors() {
        assert!(room == "table" || !names.contains("polars"), "{room}");
        assert!(room == "rtoscope-app" || !names.iter().any(|n| n.starts_with("tauri")), "{room}");
    }
}

#[test]
fn polars_has_no_lazy_engine() {
    // `lazy` with any file format brings a network stack into the tree.
    let manifest = include_str!("../../../Cargo.toml");
    let polars = manifest.lines().find(|l| l.starts_with("polars = ")).expect("polars is declared");
    assert!(polars.contains("default-features = false"));
    assert!(!polars.contains("\"lazy\""));
}

/// Below `api` only `live` reads a clock, because it is input and output, and only through one file.
#[test]
fn there_is_one_door_to_the_clock() {
    let crates = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut doors = Vec::new();
    for room in ["base", "wire", "trace", "rto", "twin", "replay", "table", "live", "watch"] {
        for (path, text) in sources(&crates.join(room).join("src")) {
            if text.contains("clippy::disallowed_methods") {
                doors.push(path.strip_prefix(crates).expect("inside").to_string_lossy().into_owned());
            }
        }
    }
    assert_eq!(doors, ["live/src/clock.rs"]);
}

#[test]
fn nothing_is_called_utils() {
    const NAMES: [&str; 5] = ["utils", "helpers", "common", "types", "manager"];
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the workspace").flatten() {
            let path = entry.path();
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
            if path.is_dir() {
                if !["target", "gen", "corpus"].contains(&stem.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                assert!(!NAMES.contains(&stem.as_str()), "{}", path.display());
            }
        }
    }
}

/// Files are written through `live::output`, which is whole or nothing; what else opens one for writing is listed, with
/// the reason.
#[test]
fn there_is_one_door_to_files_that_are_written() {
    const OTHERS: [(&str, &str); 6] = [
        ("crates/live/src/output.rs", "the door"),
        ("crates/live/src/recording.rs", "a recording that must not exist yet"),
        ("crates/live/src/device/pipe.rs", "a pipe that is listened to"),
        ("crates/live/src/device/serial.rs", "a serial line"),
        ("crates/cli/src/commands/live/extcap/control.rs", "Wireshark's pipe"),
        ("src/wireshark.rs", "a new file among temporary ones"),
    ];
    const DOORS: [&str; 8] = [
        "File::create",
        "fs::write(",
        "fs::rename(",
        "fs::copy(",
        "fs::remove_file(",
        "OpenOptions::new()",
        "File::options()",
        "set_len(0)",
    ];
    let top = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut found = BTreeSet::new();
    let rooms = ["base", "wire", "trace", "rto", "twin", "replay", "table", "live", "watch", "api", "cli"];
    let mut folders: Vec<_> = rooms.iter().map(|room| top.join("crates").join(room).join("src")).collect();
    folders.push(top.join("src"));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the workspace").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            // Tests stand at the end of a file.
            let shipped = text.split("mod tests {").next().unwrap_or_default().replace("OutputFile::", "");
            if DOORS.iter().any(|door| shipped.contains(door)) {
                found.insert(path.strip_prefix(top).expect("inside").to_string_lossy().replace('\\', "/"));
            }
        }
    }
    assert_eq!(found, OTHERS.iter().map(|(path, _)| (*path).to_owned()).collect());
}
