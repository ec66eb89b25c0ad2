//! No command writes over a file that it reads: a law over every command that clap declares, whoever adds it.

use crate::args::{Misuse, OutFile};
use crate::{command, execute};
use clap::{Arg, Command};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Values of arguments that a command needs and that are no files; clap knows those with a list of values.
const VALUES: [(&str, &str); 5] =
    [("over", "rto_max"), ("exchange", "0"), ("frames", "1"), ("recipe", "early_bars"), ("command", "info")];

/// Further arguments that a command needs, where one of several options is needed.
const ALWAYS: [(&str, &str); 1] = [("dissect", "--frame=1")];

/// Arguments that another one needs beside it.
const BESIDE: [(&str, &str, &str); 2] =
    [("export", "presets", "--algorithm=coap_default"), ("ladder", "presets", "--algorithm=coap_default")];

fn capture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/live-short-default/capture.pcap.gz")
}

fn is_of<T: Clone + Send + Sync + 'static>(arg: &Arg, parser: clap::builder::ValueParser) -> bool {
    let _: std::marker::PhantomData<T> = std::marker::PhantomData;
    arg.get_action().takes_values() && arg.get_value_parser().type_id() == parser.type_id()
}

fn is_input(arg: &Arg) -> bool {
    is_of::<PathBuf>(arg, clap::value_parser!(PathBuf))
        || is_of::<api::live::Device>(arg, clap::value_parser!(api::live::Device).into())
}

fn is_output(arg: &Arg) -> bool {
    is_of::<OutFile>(arg, clap::value_parser!(OutFile).into())
}

/// Every command that has arguments of its own, with the words that call it: `study run` is two.
fn leaves(command: &Command, words: &[&str]) -> Vec<(Vec<String>, Command)> {
    let mut found = Vec::new();
    for inner in command.get_subcommands() {
        let words = [words, &[inner.get_name()]].concat();
        if inner.has_subcommands() {
            found.extend(leaves(inner, &words));
        } else {
            found.push((words.iter().map(|&word| word.to_owned()).collect(), inner.clone()));
        }
    }
    found
}

/// `--name=value`, or the value alone.
fn word(arg: &Arg, value: &Path) -> OsString {
    let device = is_of::<api::live::Device>(arg, clap::value_parser!(api::live::Device).into());
    let mut word = OsString::from(arg.get_long().map_or_else(String::new, |long| format!("--{long}=")));
    word.push(if device { "pipe:" } else { "" });
    word.push(value);
    word
}

/// The words that `command` needs besides its inputs and outputs.
fn needed(command: &Command) -> Vec<OsString> {
    let always = ALWAYS.iter().filter(|always| always.0 == command.get_name());
    let mut words: Vec<OsString> = always.map(|always| always.1.into()).collect();
    for arg in command.get_arguments().filter(|arg| arg.is_required_set() && !is_input(arg) && !is_output(arg)) {
        let id = arg.get_id().as_str();
        let listed = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
        let known = || VALUES.iter().find(|known| known.0 == id).map(|known| known.1.to_owned());
        let value = listed.or_else(known);
        let value = value.unwrap_or_else(|| panic!("say in VALUES what `{}` takes as `{id}`", command.get_name()));
        words.push(word(arg, Path::new(&value)));
    }
    words
}

/// Runs `command` with `out` as the value of `output` while `input` reads the file at `read`, and other inputs `other`.
fn refused(
    (words, command): &(Vec<String>, Command),
    (input, read): (&Arg, &Path),
    (output, out): (&Arg, &Path),
    other: &Path,
) {
    let mut line: Vec<OsString> = vec!["rtoscope".into()];
    line.extend(words.iter().map(OsString::from));
    line.extend(needed(command));
    for arg in command.get_arguments().filter(|arg| is_input(arg)) {
        if arg.get_id() == input.get_id() {
            line.push(word(arg, read));
        } else if arg.is_positional() || arg.is_required_set() {
            line.push(word(arg, other));
        }
    }
    let ids = (command.get_name(), input.get_id().as_str());
    line.extend(BESIDE.iter().filter(|also| (also.0, also.1) == ids).map(|also| also.2.into()));
    line.push(word(output, out));
    if command.get_arguments().any(|arg| arg.get_id() == "force") {
        line.push("--force".into());
    }
    let before = fs::read(read).expect("there");
    let error = execute(line.clone()).expect_err("refused");
    assert!(error.is::<Misuse>(), "{line:?}: {error:#}");
    assert_eq!(fs::read(read).expect("still there"), before, "{line:?}");
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::copy(capture(), at("input")).expect("copied");
    fs::copy(capture(), at("other")).expect("copied");
    let mut names = vec![at("input"), folder.path().join("./input")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("input", at("soft")).expect("linked");
        fs::hard_link(at("input"), at("hard")).expect("linked");
        names.extend([at("soft"), at("hard")]);
    }
    let mut cases = 0;
    for leaf in leaves(&command(), &[]) {
        let command = &leaf.1;
        let outputs: Vec<&Arg> = command.get_arguments().filter(|arg| is_output(arg)).collect();
        for input in command.get_arguments().filter(|arg| is_input(arg)) {
            for output in &outputs {
                for name in &names {
                    refused(&leaf, (input, &at("input")), (output, name), &at("other"));
                    cases += 1;
                }
            }
        }
    }
    // Twenty commands with --out, most with several inputs.
    assert!(cases > 100, "{cases} cases: the declaration has been misread");
}

#[test]
fn every_option_that_names_a_place_for_results_has_the_type_of_one() {
    for (_, command) in leaves(&command(), &[]) {
        for arg in command.get_arguments() {
            let long = arg.get_long().unwrap_or_default();
            if long == "out" || long.ends_with("-control-out") || matches!(long, "fifo" | "output") {
                assert!(is_output(arg), "{} --{long}", command.get_name());
            }
        }
    }
}

#[test]
fn nor_over_a_file_in_a_folder_that_it_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("a/b.pcap.gz");
    fs::create_dir(folder.path().join("a")).expect("made");
    fs::copy(capture(), &inside).expect("copied");
    let line: [OsString; 5] =
        ["rtoscope".into(), "calibrate".into(), folder.path().into(), "--out".into(), inside.clone().into()];
    let error = execute(line).expect_err("refused");
    assert!(error.is::<Misuse>(), "{error:#}");
    assert_eq!(fs::read(inside).expect("there"), fs::read(capture()).expect("there"));
}

#[test]
fn nor_over_what_is_read_beside_a_capture() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["capture.pcap.gz", "other.pcap.gz"] {
        fs::copy(capture(), at(name)).expect("copied");
    }
    for (name, text) in [("mote.log", "1:2:three\n"), ("nodes.csv", "node,name\n"), ("ran.json", "{}")] {
        fs::write(at(name), text).expect("written");
        for words in [&["exchanges"][..], &["replay", "--algorithm=coap_default", "--measured"]] {
            let line = std::iter::once("rtoscope").chain(words.iter().copied()).map(OsString::from);
            let files = (words.len() > 1).then(|| at("other.pcap.gz").into());
            let line = line.chain(files).chain([at("capture.pcap.gz").into(), "--out".into(), at(name).into()]);
            let error = execute(line).expect_err("refused");
            assert!(error.is::<Misuse>(), "{words:?} {name}: {error:#}");
        }
        assert_eq!(fs::read(at(name)).expect("there"), text.as_bytes());
    }
}

#[test]
fn another_place_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("rows.csv");
    for _ in 0..2 {
        let line = ["rtoscope", "exchanges", "--format=csv", "-q"].map(OsString::from);
        let line = line.into_iter().chain([capture().into(), "--out".into(), out.clone().into()]);
        execute(line).expect("written");
        assert!(fs::read_to_string(&out).expect("there").starts_with("id,client"));
    }
}

#[test]
fn two_results_do_not_go_into_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("scores");
    let word = |name: &str| OsString::from(format!("--{name}={}", out.display()));
    let line: [OsString; 5] =
        ["rtoscope".into(), "calibrate".into(), "/nowhere".into(), word("json"), word("markdown")];
    assert!(execute(line).expect_err("refused").is::<Misuse>());
}
