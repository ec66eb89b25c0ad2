//! Studies of folders of runs: captures found, tags and timers read from names, the study's file written.

use super::ran::Ran;
use super::{dataset, folder_of_file, mistaken};
use crate::Error;
use crate::opened::file_sha256;
use crate::opened::samples::{Bundled, all_bundled};
use crate::view::{
    AlgorithmChoice, StudyBundledRequest, StudyFindRequest, StudyFoundCapture, StudyFoundView, StudyWriteRequest,
};
use base::Progress;
use rto::AlgorithmSet;
use rto::user::{UserPreset, to_toml};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use study::{Capture, Content, Draft, Outline, OutlineSet, Pattern, Tags, guess, label, literal};

/// Deepest folder that is looked into. Chosen here: as for patterns with `**`.
const DEEPEST: usize = 24;
/// Longer files are not hashed, octets: only the hash of a bundled capture tells its timer, and those are shorter
/// (`du -b traces/*/*`).
const LONGEST_BUNDLED: u64 = 4 << 20;
/// The timer that others are compared with, where a study has it: RFC 7252's.
const BASELINE: &str = "coap_default";
/// Timers of the study of the bundled captures, beside those that ran in them: the ones that a window shows first.
const USUAL: [&str; 4] = [BASELINE, "cocoa_plus", "rfc6298_coap", "lee2016"];
/// Replicates of that study, the default of a replay.
const REPLICATES: u32 = replay::Scenario::REPLICATES;
/// First line of the files of presets that are written here, by which they are known again.
const PRESETS_HEAD: &str = "# Presets of the study beside this file, written with it.";

/// Finds the captures below a folder, and what their names say. Links to folders are not followed.
///
/// # Errors
/// [`crate::Code::Request`] for a folder that cannot be read or a pattern with a mistake; [`crate::Code::Cancelled`].
pub(crate) fn find_runs(request: &StudyFindRequest, progress: &mut dyn Progress) -> Result<StudyFoundView, Error> {
    let folder = Path::new(&request.folder);
    fs::read_dir(folder).map_err(|error| Error::request(format!("{} cannot be read: {error}.", folder.display())))?;
    let mut paths = Vec::new();
    enter(folder, "", 0, &mut paths, progress)?;
    let patterns = match &request.patterns {
        Some(patterns) => patterns.clone(),
        None => guess(&paths, &is_timer).into_iter().collect(),
    };
    let parsed = parse(&patterns)?;
    let (mut captures, mut others, mut ran) = (Vec::new(), Vec::new(), BTreeMap::<String, AlgorithmChoice>::new());
    for (done, path) in paths.iter().enumerate() {
        if progress.tick(done as u64, paths.len() as u64).is_break() {
            return Err(Error::cancelled());
        }
        let Some(tags) = parsed.iter().find_map(|pattern| pattern.matches(path)) else {
            others.push(path.clone());
            continue;
        };
        let choice = ran_in(folder, path, &tags, progress)?;
        let name = choice.as_ref().map(|choice| label(&choice.id, &choice.params));
        if let Some((name, choice)) = name.clone().zip(choice) {
            ran.insert(name, choice);
        }
        captures.push(StudyFoundCapture { path: path.clone(), tags, ran: name });
    }
    let study = dataset::is_begun(folder).then(|| request.folder.clone());
    Ok(StudyFoundView {
        folder: request.folder.clone(),
        patterns,
        captures,
        others,
        ran: ran.into_values().collect(),
        study,
    })
}

/// Adds the captures of a folder; one that cannot be read has none, and neither has one with the rows of a study.
fn enter(
    folder: &Path,
    path: &str,
    depth: usize,
    found: &mut Vec<String>,
    progress: &mut dyn Progress,
) -> Result<(), Error> {
    if depth > DEEPEST || dataset::is_begun(folder) {
        return Ok(());
    }
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if progress.tick(0, 0).is_break() {
            return Err(Error::cancelled());
        }
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let below = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            enter(&entry.path(), &below, depth + 1, found, progress)?;
        } else if trace::is_capture(&entry.path()) {
            found.push(below);
        }
    }
    Ok(())
}

/// Whether a name is that of a timer: in folders of runs (`calibrate`), or a preset.
fn is_timer(name: &str) -> bool {
    crate::calibrate::is_named(name) || rto::spec(name).is_some()
}

fn parse(patterns: &[String]) -> Result<Vec<Pattern>, Error> {
    let parse = |text: &String| {
        Pattern::parse(text).map_err(|error| Error::request(format!("The pattern `{text}` has a mistake, {error}.")))
    };
    patterns.iter().map(parse).collect()
}

/// The timer that is known to have run in a capture.
fn ran_in(
    folder: &Path,
    path: &str,
    tags: &Tags,
    progress: &mut dyn Progress,
) -> Result<Option<AlgorithmChoice>, Error> {
    let place = folder.join(path);
    let is_short = fs::metadata(&place).is_ok_and(|about| about.len() <= LONGEST_BUNDLED);
    let sha256 = match is_short {
        true => file_sha256(&place, progress).map_err(|_| Error::cancelled())?.unwrap_or_default(),
        false => String::new(),
    };
    let content = Content::Hash { sha256, log: None };
    let capture = Capture { path: path.to_owned(), set: 0, tags: tags.clone(), content };
    Ok(Ran::of(&capture, &place).choice().cloned())
}

/// A study over a folder of runs, as files.
#[derive(Clone, Debug)]
pub(crate) struct StudyFiles {
    /// Text of the study.
    pub text: String,
    /// Name and text of the file of the user's presets that it uses, which lies beside it; `None` where it uses none.
    pub presets: Option<(String, String)>,
}

/// Returns a study over a folder of runs; its timers are of `algorithms`.
///
/// # Errors
/// [`crate::Code::Request`] without captures or timers, for a pattern or a timer with a mistake, or a folder that is
/// not there.
pub(crate) fn write_study(request: &StudyWriteRequest, algorithms: &AlgorithmSet) -> Result<StudyFiles, Error> {
    if request.captures.is_empty() {
        return Err(Error::request("The study has no capture: tick one at least."));
    }
    is_study_file(&request.path)?;
    let parsed = parse(&request.patterns)?;
    let prefix = prefix(Path::new(&request.path), Path::new(&request.folder))?;
    let below = |pattern: &str| if prefix.is_empty() { pattern.to_owned() } else { format!("{prefix}/{pattern}") };
    let read = |path: &str| parsed.iter().find_map(|pattern| pattern.matches(path));
    let is_as_read = request.captures.iter().all(|taken| read(&taken.path).as_ref() == Some(&taken.tags));
    let captures = if is_as_read {
        vec![OutlineSet {
            paths: request.patterns.iter().map(|pattern| below(pattern)).collect(),
            exclude: request.left_out.iter().map(|path| below(&literal(path))).collect(),
            ..OutlineSet::default()
        }]
    } else {
        // Edited by hand: a set for each combination of tags.
        let mut sets: BTreeMap<&Tags, Vec<String>> = BTreeMap::new();
        for taken in &request.captures {
            sets.entry(&taken.tags).or_default().push(below(&literal(&taken.path)));
        }
        let set =
            |(tags, paths): (&Tags, Vec<String>)| OutlineSet { paths, tags: tags.clone(), ..OutlineSet::default() };
        sets.into_iter().map(set).collect()
    };
    let is_used = |preset: &&UserPreset| request.timers.iter().any(|timer| timer.id == preset.id);
    let own: Vec<UserPreset> = algorithms.user().iter().filter(is_used).cloned().collect();
    let presets = (!own.is_empty()).then(|| {
        let stem = Path::new(&request.path).file_stem().unwrap_or_default().to_string_lossy();
        (format!("{stem}.presets.toml"), format!("{PRESETS_HEAD}\n\n{}", to_toml(&own)))
    });
    let names = presets.iter().map(|(name, _)| name.clone()).collect();
    let outline = outline(&request.name, &request.timers, request.replicates);
    let text = checked(Outline { captures, presets: names, ..outline }, algorithms)?;
    Ok(StudyFiles { text, presets })
}

/// Whether a file of presets may be written at `path`: nothing is there, or what a study wrote before.
///
/// # Errors
/// [`crate::Code::Request`] for another file.
pub(crate) fn may_hold_presets(path: &Path) -> Result<(), Error> {
    match fs::read(path) {
        Ok(there) if !there.starts_with(PRESETS_HEAD.as_bytes()) => Err(another_file(path)),
        _ => Ok(()),
    }
}

fn another_file(path: &Path) -> Error {
    Error::request(format!("{} is another file: choose another folder or name.", path.display()))
}

/// Refuses a place that may be a capture's: one without the ending of studies.
fn is_study_file(path: &str) -> Result<(), Error> {
    if Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        return Ok(());
    }
    Err(Error::request(format!("{path} is no name of a study: choose one that ends in .toml.")))
}

fn outline(name: &str, timers: &[AlgorithmChoice], replicates: u32) -> Outline {
    let baseline = timers.iter().map(|timer| label(&timer.id, &timer.params)).find(|label| label == BASELINE);
    Outline {
        name: name.to_owned(),
        captures: Vec::new(),
        timers: timers.iter().map(|timer| (timer.id.clone(), timer.params.clone())).collect(),
        baseline,
        replicates,
        presets: Vec::new(),
    }
}

/// Returns the text of an outline, once it is known to be a study whose timers are of `algorithms`.
fn checked(outline: Outline, algorithms: &AlgorithmSet) -> Result<String, Error> {
    let text = outline.text();
    Draft::read(&text).and_then(|draft| draft.check(algorithms)).map_err(mistaken)?;
    Ok(text)
}

/// Returns the path from the folder of a study's file to that of its captures, as a pattern: relative where the
/// captures are below, else absolute; errs where either is not there.
fn prefix(file: &Path, folder: &Path) -> Result<String, Error> {
    let whole = |path: &Path| {
        path.canonicalize().map_err(|error| Error::request(format!("{} cannot be read: {error}.", path.display())))
    };
    let (home, folder) = (whole(folder_of_file(file))?, whole(folder)?);
    let names = folder.strip_prefix(&home).unwrap_or(&folder);
    let names: Vec<String> = names.iter().map(|name| literal(&name.to_string_lossy())).collect();
    // The root is a name of its own.
    Ok(names.join("/").replacen("//", "/", 1))
}

/// Writes the bundled captures beside the study's file of the request; returns the study's text.
///
/// # Errors
/// [`crate::Code::Request`] where a file cannot be written, or another is in its place.
pub(crate) fn bundled_study(request: &StudyBundledRequest) -> Result<String, Error> {
    is_study_file(&request.path)?;
    let file = Path::new(&request.path);
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let home = format!("{stem}-captures");
    let folder = folder_of_file(file).join(&home);
    let (mut sets, mut timers) = (Vec::new(), USUAL.map(choice).to_vec());
    for bundled in all_bundled() {
        let own = folder.join(bundled.capture.id);
        let name = bundled.capture.file.strip_prefix(bundled.capture.id).unwrap_or(bundled.capture.file);
        let name = name.trim_start_matches('.');
        put(&own.join(name), bundled.capture.octets)?;
        if let Some(log) = bundled.capture.log {
            put(&own.join("mote.log.gz"), log)?;
        }
        if let Some((preset, overrides)) = bundled.ran {
            let ran = AlgorithmChoice { id: preset.to_owned(), params: overrides.clone() };
            if rto::spec(preset).is_some() && !timers.contains(&ran) {
                timers.push(ran);
            }
        }
        let path = literal(&format!("{home}/{}/{name}", bundled.capture.id));
        sets.push(set(&bundled, path));
    }
    checked(Outline { captures: sets, ..outline("Bundled captures", &timers, REPLICATES) }, &AlgorithmSet::default())
}

fn choice(id: &str) -> AlgorithmChoice {
    AlgorithmChoice { id: id.to_owned(), params: serde_json::Map::<String, Value>::new() }
}

fn set(bundled: &Bundled, path: String) -> OutlineSet {
    let (scenario, seed) = bundled.world.map_or((bundled.capture.id, None), |(name, seed)| (name, Some(seed)));
    let seed = seed.map(|seed| ("seed".to_owned(), seed.to_string()));
    let tags = [("scenario".to_owned(), scenario.to_owned())].into_iter().chain(seed).collect();
    OutlineSet { paths: vec![path], exclude: Vec::new(), tags, rc_option: bundled.capture.rc_option }
}

/// Writes a file that is not there; one with the same octets stays.
fn put(path: &Path, octets: &[u8]) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::request(format!("{} cannot be written: {error}.", path.display()));
    match fs::read(path) {
        Ok(there) if there == octets => Ok(()),
        Ok(_) => Err(another_file(path)),
        Err(_) => {
            fs::create_dir_all(folder_of_file(path)).map_err(failed)?;
            live::output::replace(path, octets).map_err(failed)
        }
    }
}

#[cfg(test)]
mod tests;
