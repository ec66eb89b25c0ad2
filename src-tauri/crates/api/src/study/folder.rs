//! Studies of folders of runs: captures found, tags and timers read from names, the study's file written.

use super::ran::Ran;
use super::{dataset, folder_of_file, spec_of};
use crate::Error;
use crate::opened::file_sha256;
use crate::opened::samples::{Bundled, all_bundled};
use crate::view::{
    AlgorithmChoice, StudyBundledRequest, StudyFindRequest, StudyFoundCapture, StudyFoundView, StudyWriteRequest,
};
use base::Progress;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use study::{Capture, Content, Outline, OutlineSet, Pattern, Tags, guess, label, literal};

/// Deepest folder that is looked into. Chosen here: as for patterns with `**`.
const DEEPEST: usize = 24;
/// Longer files are not hashed, octets: only the hash of a bundled capture tells its timer, and those are shorter (`du -b traces/*/*`).
const LONGEST_BUNDLED: u64 = 4 << 20;
/// The timer that others are compared with, where a study has it: RFC 7252's.
const BASELINE: &str = "coap_default";
/// Timers of the study of the bundled captures, beside those that ran in them: the ones that a window shows first.
const USUAL: [&str; 4] = [BASELINE, "cocoa_plus", "rfc6298_coap", "lee2016"];
/// Replicates of that study, the default of a replay.
const REPLICATES: u32 = replay::Scenario::REPLICATES;

/// Finds the captures below a folder, and what their names say. Links to folders are not followed.
///
/// # Errors
/// [`crate::Code::Request`] for a folder that cannot be read or a pattern with a mistake; [`crate::Code::Cancelled`].
pub fn find_runs(request: &StudyFindRequest, progress: &mut dyn Progress) -> Result<StudyFoundView, Error> {
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

/// The text of a study over a folder of runs.
///
/// # Errors
/// [`crate::Code::Request`] without captures or timers, for a pattern or a timer with a mistake, or a folder that is not there.
pub fn write_study(request: &StudyWriteRequest) -> Result<String, Error> {
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
    checked(Outline { captures, ..outline(&request.name, &request.timers, request.replicates) })
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
    }
}

/// The text of an outline, once it is known to be a study.
fn checked(outline: Outline) -> Result<String, Error> {
    let text = outline.text();
    spec_of(&text, &|_, name| PathBuf::from(name))?;
    Ok(text)
}

/// Returns the path from the folder of a study's file to that of its captures, as a pattern: relative where the captures are
/// below, else absolute; errs where either is not there.
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
pub fn bundled_study(request: &StudyBundledRequest) -> Result<String, Error> {
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
    checked(Outline { captures: sets, ..outline("Bundled captures", &timers, REPLICATES) })
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
        Ok(_) => Err(Error::request(format!("{} is another file: choose another folder.", path.display()))),
        Err(_) => {
            fs::create_dir_all(folder_of_file(path)).map_err(failed)?;
            live::output::replace(path, octets).map_err(failed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::StudyTaken;
    use base::Silent;

    fn world() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let octets = crate::samples().iter().find(|sample| sample.id == "live-sleepy-default").unwrap().octets;
        for name in ["chain/default-seed1", "chain/cocoa-seed1", "grid/default-seed1"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("radio.pcap.gz"), octets).unwrap();
            fs::write(folder.path().join(name).join("README.md"), "# A run\n").unwrap();
        }
        folder
    }

    fn found(folder: &Path, patterns: Option<Vec<String>>) -> StudyFoundView {
        let request = StudyFindRequest { folder: folder.display().to_string(), patterns };
        find_runs(&request, &mut Silent).unwrap()
    }

    #[test]
    fn a_folder_is_found_edited_and_written() {
        let folder = world();
        let found_here = found(folder.path(), None);
        assert_eq!(found_here.patterns, ["{scenario}/{timer}-seed{seed}/radio.pcap.gz"]);
        assert_eq!(found_here.captures.len(), 3);
        assert_eq!(found_here.captures[0].tags["timer"], "cocoa");
        assert_eq!(found_here.captures[1].ran.as_deref(), Some("coap_default"));
        assert!(found_here.others.is_empty());
        let taken: Vec<StudyTaken> =
            found_here.captures.iter().map(|of| StudyTaken { path: of.path.clone(), tags: of.tags.clone() }).collect();
        let path = folder.path().join("mine.toml");
        let mut request = StudyWriteRequest {
            path: path.display().to_string(),
            name: "mine".to_owned(),
            folder: found_here.folder.clone(),
            patterns: found_here.patterns.clone(),
            captures: taken[1..].to_vec(),
            left_out: vec![taken[0].path.clone()],
            timers: [USUAL[0], USUAL[1]].map(choice).to_vec(),
            replicates: 3,
        };
        let text = write_study(&request).unwrap();
        assert!(text.contains("paths = \"{scenario}/{timer}-seed{seed}/radio.pcap.gz\""), "{text}");
        assert!(text.contains("exclude = \"chain/cocoa-seed1/radio.pcap.gz\""), "{text}");
        assert!(text.contains("baseline = \"coap_default\""), "{text}");
        request.captures[1].tags.insert("scenario".to_owned(), "field".to_owned());
        let text = write_study(&request).unwrap();
        assert!(
            text.contains("paths = \"grid/default-seed1/radio.pcap.gz\"\ntags = { \"scenario\" = \"field\""),
            "{text}"
        );
        // Beside the folder the way is whole, and finds the same.
        let elsewhere = tempfile::tempdir().unwrap();
        request.path = elsewhere.path().join("mine.toml").display().to_string();
        fs::write(&request.path, write_study(&request).unwrap()).unwrap();
        let spec = spec_of(&fs::read_to_string(&request.path).unwrap(), &|_, name| name.into()).unwrap();
        let captures = super::super::find::captures(&spec, elsewhere.path(), Path::new("nowhere"), &|_| {
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(captures.map_err(|_| "refused").unwrap().len(), 2);
        request.path = path.with_extension("pcap").display().to_string();
        assert!(write_study(&request).unwrap_err().message.contains(".toml"));
        request.captures.clear();
        assert!(write_study(&request).unwrap_err().message.contains("no capture"));
    }

    #[test]
    fn patterns_leave_others_and_mistakes_are_said() {
        let folder = world();
        let only = found(folder.path(), Some(vec!["chain/{run}/radio.pcap.gz".to_owned()]));
        assert_eq!((only.captures.len(), only.others.len()), (2, 1));
        let request =
            StudyFindRequest { folder: folder.path().display().to_string(), patterns: Some(vec!["{a".to_owned()]) };
        assert!(find_runs(&request, &mut Silent).unwrap_err().message.contains("no } after"));
        let request = StudyFindRequest { folder: "/nowhere/at/all".to_owned(), patterns: None };
        assert!(find_runs(&request, &mut Silent).unwrap_err().message.contains("/nowhere/at/all"));
    }

    #[test]
    fn the_bundled_captures_are_a_study() {
        let folder = tempfile::tempdir().unwrap();
        let request = StudyBundledRequest { path: folder.path().join("bundled.toml").display().to_string() };
        let text = bundled_study(&request).unwrap();
        let spec = spec_of(&text, &|_, name| name.into()).unwrap();
        assert_eq!(spec.captures.len(), all_bundled().count());
        // Each timer that ran has its column.
        assert!(spec.timers.len() > USUAL.len());
        assert_eq!(bundled_study(&request).unwrap(), text, "files that are there stay");
        let other = folder.path().join("bundled-captures/live-sleepy-default/capture.pcap.gz");
        fs::write(&other, "another").unwrap();
        assert!(bundled_study(&request).unwrap_err().message.contains("another file"));
    }
}
