//! Files of a study: each is written beside its place and renamed.

use crate::Error;
use live::output::{OutputFile, is_same_file, replace};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use study::{Capture, Column, Content, Plan, Row, Tags, partition};
use table::Described;

/// File name of the copy of the study's file.
const SPEC: &str = "study.toml";
/// File name of the description: program and captures.
const ABOUT: &str = "study.json";
/// Folder name of the rows.
const ROWS: &str = "rows";
/// Folder name of the copies of preset files, each named by its position in the study.
const PRESETS: &str = "presets";

/// Returns the default folder of the rows of the study's file at `path`: beside it, without its extension.
#[must_use]
pub fn folder_of(path: &Path) -> PathBuf {
    match path.extension() {
        Some(_) => path.with_extension(""),
        None => path.with_extension("rows"),
    }
}

/// Returns the path of the copy of preset file `number`, from 0.
pub fn preset(out: &Path, number: usize) -> PathBuf {
    out.join(PRESETS).join(number.to_string())
}

fn refused(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::request(format!("{}: {error}.", path.display()))
}

/// Begins or goes on with the folder `out` for `plan`, made from the `text` of the file `spec` by `program`. The folder
/// is this process's own while the returned file is open; `None` where the system cannot lock folders.
///
/// # Errors
/// [`crate::Code::Request`] where another program made its rows, another process writes there, something else is there,
/// or it cannot be written.
pub fn begin(out: &Path, spec: &Path, text: &str, plan: &Plan, program: &str) -> Result<Option<fs::File>, Error> {
    let about = out.join(ABOUT);
    if let Ok(before) = fs::read_to_string(&about) {
        let before: Value = serde_json::from_str(&before).map_err(|error| refused(&about, &error))?;
        let made_by = before.get("program").and_then(Value::as_str).unwrap_or_default();
        if made_by != program {
            return Err(Error::request(format!(
                "{} has rows of {made_by}, and this is {program}: rows of two programs are not one study. Name another folder with --out.",
                out.display()
            )));
        }
    } else if fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Error::request(format!(
            "{} is a folder with other files in it: name a new one with --out.",
            out.display()
        )));
    }
    fs::create_dir_all(out.join(ROWS)).map_err(|error| refused(out, &error))?;
    let lock = fs::File::open(out).ok();
    if lock.as_ref().is_some_and(|lock| matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock))) {
        return Err(refused(out, &"another run of this study is under way here"));
    }
    let copy = out.join(SPEC);
    if !is_same_file(spec, &copy) {
        replace(&copy, text.as_bytes()).map_err(|error| refused(&copy, &error))?;
    }
    let draft = study::Draft::read(text).map_err(|error| refused(spec, &error))?;
    for (number, name) in draft.presets().iter().enumerate() {
        let (from, to) = (super::folder_of_file(spec).join(name), preset(out, number));
        let octets = fs::read(&from).map_err(|error| refused(&from, &error))?;
        fs::create_dir_all(super::folder_of_file(&to)).map_err(|error| refused(&to, &error))?;
        if !is_same_file(&from, &to) {
            replace(&to, &octets).map_err(|error| refused(&to, &error))?;
        }
    }
    let captures: Vec<Value> = plan.captures.iter().map(document_of).collect();
    let document = json!({ "form": 1, "program": program, "study": relative(out, spec), "captures": captures });
    let octets = serde_json::to_string_pretty(&document).map_err(Error::internal)? + "\n";
    replace(&about, octets.as_bytes()).map_err(|error| refused(&about, &error))?;
    Ok(lock)
}

/// Returns the relative path from the folder `out` to the file `spec`, names separated by slashes, which holds where
/// both are moved together; `None` where there is none, as between drives.
fn relative(out: &Path, spec: &Path) -> Option<String> {
    let (out, spec) = (out.canonicalize().ok()?, spec.canonicalize().ok()?);
    let (from, to): (Vec<_>, Vec<_>) = (out.components().collect(), spec.components().collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(same).map(|_| Some(".."));
    let down = to.iter().skip(same).map(|name| name.as_os_str().to_str());
    let names: Option<Vec<&str>> = up.chain(down).collect();
    names.filter(|_| same > 0).map(|names| names.join("/"))
}

/// Whether `path` is the copy of a study's file in its folder of rows.
pub fn is_copy(folder: &Path, path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == SPEC) && folder.join(ABOUT).is_file()
}

/// The file of the study whose rows are in `out`, where it is there.
pub fn spec_of_folder(out: &Path) -> Option<PathBuf> {
    let about: Value = serde_json::from_str(&fs::read_to_string(out.join(ABOUT)).ok()?).ok()?;
    let relative = about.get("study")?.as_str()?;
    out.join(relative).canonicalize().ok().filter(|spec| spec.is_file())
}

/// Whether the text of the study in `out` is not that of the file `spec`.
pub fn is_changed(out: &Path, spec: &Path) -> bool {
    fs::read(out.join(SPEC)).ok().zip(fs::read(spec).ok()).is_some_and(|(ran, now)| ran != now)
}

/// Whether a study has run into `out`.
pub fn is_begun(out: &Path) -> bool {
    out.join(ABOUT).is_file()
}

/// Returns a capture as a study's description has it.
pub fn document_of(capture: &Capture) -> Value {
    let (sha256, log, problem) = match &capture.content {
        Content::Hash { sha256, log } => (Some(sha256), log.as_ref(), None),
        Content::Unreadable(problem) => (None, None, Some(problem)),
    };
    json!({
        "path": capture.path, "set": capture.set, "tags": capture.tags,
        "sha256": sha256, "log": log, "unreadable": problem,
    })
}

/// Returns the capture that [`document_of`] describes; `None` for other documents.
pub fn capture_of(document: &Value) -> Option<Capture> {
    let text = |key: &str| document.get(key)?.as_str().map(str::to_owned);
    let tags: Tags = serde_json::from_value(document.get("tags")?.clone()).ok()?;
    let content = match text("sha256") {
        Some(sha256) => Content::Hash { sha256, log: text("log") },
        None => Content::Unreadable(text("unreadable")?),
    };
    let set = usize::try_from(document.get("set")?.as_u64()?).ok()?;
    Some(Capture { path: text("path")?, set, tags, content })
}

/// Returns the text of the study in a folder, and the captures that its last run found.
///
/// # Errors
/// [`crate::Code::Request`] where there is no study, or its description is malformed.
pub fn plan_of(out: &Path) -> Result<(String, Vec<Capture>), Error> {
    let about = out.join(ABOUT);
    let read = |path: &Path| {
        let none = "there is no study here; `rtoscope study run` makes one";
        fs::read_to_string(path).map_err(|error| Error::request(format!("{}: {none} ({error}).", out.display())))
    };
    let document: Value = serde_json::from_str(&read(&about)?).map_err(|error| refused(&about, &error))?;
    let captures = document.get("captures").and_then(Value::as_array);
    let captures: Option<Vec<Capture>> = captures.and_then(|list| list.iter().map(capture_of).collect());
    let captures = captures.ok_or_else(|| refused(&about, &"this is not the description of a study"))?;
    Ok((read(&out.join(SPEC))?, captures))
}

fn place(out: &Path, plan: &Plan, capture: &Capture) -> PathBuf {
    out.join(ROWS).join(partition(capture.scenario())).join(format!("{}.parquet", plan.file_name(capture)))
}

/// Returns the rows of a capture that are kept in a folder; empty where no task of it has run.
///
/// # Errors
/// [`crate::Code::Request`] for a file that cannot be read or is no table of rows: it is not touched.
pub fn rows_of(out: &Path, plan: &Plan, capture: &Capture) -> Result<Vec<Row>, Error> {
    let path = place(out, plan, capture);
    let octets = match fs::read(&path) {
        Ok(octets) => octets,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(refused(&path, &error)),
    };
    of_octets(octets)
        .ok_or_else(|| refused(&path, &"this is no table of a study's rows; remove it, and its tasks are run again"))
}

/// Writes the rows of a capture, after sorting them by the keys of their tasks.
///
/// # Errors
/// [`crate::Code::Internal`] where the file cannot be written.
pub fn keep(out: &Path, plan: &Plan, capture: &Capture, rows: &mut [Row]) -> Result<(), Error> {
    let path = place(out, plan, capture);
    let failed =
        |error: &dyn std::fmt::Display| Error::internal(format!("{} cannot be written: {error}.", path.display()));
    fs::create_dir_all(super::folder_of_file(&path)).map_err(|error| failed(&error))?;
    let mut file = OutputFile::create(&path).map_err(|error| failed(&error))?;
    write(rows, &mut file).map_err(|error| failed(&error))?;
    file.commit().map_err(|error| failed(&error))
}

/// Adds `new` rows to those that are kept of a capture, in the place of rows of the same tasks.
///
/// # Errors
/// As [`rows_of`] and [`keep`].
pub fn merge(out: &Path, plan: &Plan, capture: &Capture, new: Vec<Row>) -> Result<(), Error> {
    let mut rows = rows_of(out, plan, capture)?;
    let tasks: BTreeSet<&str> = new.iter().map(|row| row.task.as_str()).collect();
    rows.retain(|row| !tasks.contains(row.task.as_str()));
    rows.extend(new);
    keep(out, plan, capture, &mut rows)
}

/// Returns rows as the octets of a file of rows.
///
/// # Errors
/// [`crate::Code::Internal`] where they make no table.
pub fn octets_of(rows: &mut [Row]) -> Result<Vec<u8>, Error> {
    let mut octets = Vec::new();
    write(rows, &mut octets).map_err(Error::internal)?;
    Ok(octets)
}

/// Returns the rows of the octets of a file of rows; `None` for others.
pub fn of_octets(octets: Vec<u8>) -> Option<Vec<Row>> {
    table::read_parquet(octets).ok().and_then(|listing| Row::of_listing(&listing))
}

/// Sorts rows by the keys of their tasks, and writes them.
fn write(rows: &mut [Row], sink: &mut dyn std::io::Write) -> Result<(), table::ExportError> {
    rows.sort_by(|a, b| a.task.cmp(&b.task));
    let (listing, columns) = Row::listing(rows);
    let described: Vec<Described<'_>> =
        columns.iter().map(|Column { unit, about, .. }| Described { unit, about }).collect();
    table::write_described(&listing, &described, sink)
}
