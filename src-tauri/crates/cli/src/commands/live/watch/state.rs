//! The file of `--state`: JSON that is replaced as a whole, so that it is never half-written.

use super::files::Known;
use crate::args::Misuse;
use anyhow::{Context as _, bail};
use api::watch::State;
use serde_json::{Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// State of a watch as read from the file of `--state`.
#[derive(Debug)]
pub struct Saved {
    /// Files that the watch had read and still needs, in order of their numbers.
    pub files: Vec<Known>,
    /// State of rules, clients and sums, and the place in the files from which records are read again.
    pub watch: State,
}

impl Saved {
    /// Reads the state at `place` of a watch of `path`; `None` where the file is missing or empty. Fails where it
    /// cannot be read, is no state, is the state of another capture, or of another version of the program.
    pub fn read(place: &Path, path: &Path) -> anyhow::Result<Option<Self>> {
        let about = || format!("the state in {}", place.display());
        let text = match fs::read_to_string(place) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(about),
        };
        if text.is_empty() {
            return Ok(None);
        }
        let mut value: Value = serde_json::from_str(&text).with_context(about)?;
        let watched = value.get("capture").and_then(Value::as_str).map(PathBuf::from).unwrap_or_default();
        if watched != path {
            let (place, watched, path) = (place.display(), watched.display(), path.display());
            return Err(
                Misuse(format!("{place} is the state of watching {watched}, not {path}: name another file")).into()
            );
        }
        let files = value.get("files").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let files = files.iter().filter_map(Known::from_json).collect();
        let watch: State =
            serde_json::from_value(value.get_mut("watch").map_or(Value::Null, Value::take)).with_context(about)?;
        if !watch.is_readable() {
            bail!("{} is of another version of this program: remove it to begin anew", about());
        }
        Ok(Some(Self { files, watch }))
    }

    /// Replaces the state at `place`; the first of `captures` is the path that is watched. Fails where it cannot be
    /// written.
    pub fn write(place: &Path, captures: &[PathBuf], files: &[Known], watch: State) -> anyhow::Result<()> {
        let files: Vec<Value> = files.iter().map(Known::to_json).collect();
        let watch = serde_json::to_value(watch)?;
        let value = json!({ "capture": captures.first(), "files": files, "watch": watch });
        let text = serde_json::to_string(&value)?;
        api::replace_file(place, text.as_bytes()).with_context(|| format!("cannot write {}", place.display()))
    }
}
