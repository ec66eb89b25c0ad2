//! Captures of a study: found by its patterns, and hashed.

use super::{StudyObserver, Tally};
use crate::Error;
use crate::opened::file_sha256;
use base::Cancelled;
use std::path::{Path, PathBuf};
use study::{Capture, CaptureSet, Content, Pattern, Spec};

/// Greatest depth of folders that a pattern with `**` enters. Chosen here: deeper than people sort runs, and an end to
/// links that lead in a circle.
const DEEPEST: usize = 24;

/// End of a search without captures.
pub enum Failed {
    /// The study was stopped.
    Cancelled(Cancelled),
    /// A pattern finds nothing.
    Refused(Error),
}

/// Finds the captures of `spec`, whose patterns begin in `folder`, and hashes them; rows of the study itself, in `out`,
/// are left out. Errs where the patterns of a set find nothing, and when stopped.
pub fn captures(spec: &Spec, folder: &Path, out: &Path, observer: StudyObserver<'_>) -> Result<Vec<Capture>, Failed> {
    let own = out.canonicalize().ok();
    let mut captures = Vec::new();
    for (set, of) in spec.captures.iter().enumerate() {
        let before = captures.len();
        let mut has_met_own = false;
        for pattern in &of.paths {
            let mut paths = Vec::new();
            let base = pattern.base();
            let mut search = Search { folder, pattern, own: own.as_deref(), found: &mut paths, has_met_own: false };
            search.enter(&base, 0);
            has_met_own |= search.has_met_own;
            paths.sort();
            for path in paths {
                if observer(Tally::default()).is_break() {
                    return Err(Failed::Cancelled(Cancelled));
                }
                let is_left_out = of.exclude.iter().any(|exclude| exclude.matches(&path).is_some());
                if is_left_out || captures.iter().skip(before).any(|capture: &Capture| capture.path == path) {
                    continue;
                }
                captures.push(capture(of, set, pattern, path, folder, observer).map_err(Failed::Cancelled)?);
            }
        }
        if captures.len() == before {
            let patterns: Vec<&str> = of.paths.iter().map(Pattern::text).collect();
            let patterns = patterns.join(" or ");
            let (from, out) = (folder.display(), out.display());
            return Err(Failed::Refused(Error::request(if has_met_own {
                format!(
                    "Captures beside rows are not looked for: give the rows another folder than {out}, from which {patterns} begins."
                )
            } else {
                format!(
                    "No capture matches {patterns}, from the folder {from}; a pattern is such as runs/{{scenario}}/*.pcap."
                )
            })));
        }
    }
    Ok(captures)
}

fn capture(
    of: &CaptureSet,
    set: usize,
    pattern: &Pattern,
    path: String,
    folder: &Path,
    observer: StudyObserver<'_>,
) -> Result<Capture, Cancelled> {
    let mut tags = of.tags.clone();
    tags.extend(pattern.matches(&path).unwrap_or_default());
    let place = folder.join(&path);
    let mut until_stopped = |_: u64, _: u64| observer(Tally::default());
    let content = match file_sha256(&place, &mut until_stopped)? {
        Err(error) => Content::Unreadable(format!("cannot be read: {error}")),
        Ok(sha256) => {
            let log = trace::mote_log_beside(&place);
            let log = log.map(|log| file_sha256(&log, &mut until_stopped)).transpose()?;
            Content::Hash { sha256, log: log.and_then(Result::ok) }
        }
    };
    Ok(Capture { path, set, tags, content })
}

/// Search for the files of one pattern.
struct Search<'a> {
    folder: &'a Path,
    pattern: &'a Pattern,
    /// Folder of the study's own rows; `None`: it does not exist.
    own: Option<&'a Path>,
    found: &'a mut Vec<String>,
    /// True once the search came to the folder of the rows, which it does not enter.
    has_met_own: bool,
}

impl Search<'_> {
    /// Enters the folder at `path`; one that cannot be read has no captures.
    fn enter(&mut self, path: &str, depth: usize) {
        let place = if path.is_empty() { self.folder.to_owned() } else { self.folder.join(path) };
        let is_own = self.own.is_some_and(|own| place.canonicalize().is_ok_and(|place| place == own));
        self.has_met_own |= is_own;
        if is_own || depth > DEEPEST {
            return;
        }
        let entries = std::fs::read_dir(&place).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries {
            let Some(name) = entry.file_name().and_then(|name| name.to_str()) else { continue };
            let below = match path {
                "" => name.to_owned(),
                "/" => format!("/{name}"),
                path => format!("{path}/{name}"),
            };
            if entry.is_dir() {
                if self.pattern.may_be_in(&below) {
                    self.enter(&below, depth + 1);
                }
            } else if self.pattern.matches(&below).is_some() {
                self.found.push(below);
            }
        }
    }
}
