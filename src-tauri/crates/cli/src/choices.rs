//! Algorithms named on the command line: presets, and `NAME[:key=value,...]`.

use crate::args::Misuse;
use crate::captures::read_text;
use api::view::{AlgorithmChoice, PresetsRequest};
use api::{AlgorithmSpec, DecodeOptions, Session};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Returns a session that knows the built-in algorithms and the presets of `files` (TOML or JSON; `-` is standard
/// input). Fails where a file cannot be read or is no preset file.
pub fn session(options: DecodeOptions, files: &[PathBuf]) -> anyhow::Result<Session> {
    let session = Session::new(options);
    for file in files {
        let request = match file.as_os_str() == "-" {
            true => PresetsRequest { path: None, text: Some(read_text(file)?) },
            false => PresetsRequest { path: Some(file.display().to_string()), text: None },
        };
        session.presets(&request)?;
    }
    Ok(session)
}

/// Parses `NAME[:key=value,...]`: the ID of an algorithm of `session` with overridden parameters. Bounds of values are
/// checked when the algorithm is built.
///
/// # Errors
/// [`Misuse`] for an unknown algorithm or a malformed parameter.
pub fn choice(session: &Session, text: &str) -> anyhow::Result<AlgorithmChoice> {
    let (id, overrides) = text.split_once(':').map_or((text, None), |(id, rest)| (id, Some(rest)));
    let algorithm_set = session.algorithm_set();
    if algorithm_set.spec(id).is_none() {
        return Err(unknown(id, algorithm_set.algorithms()).into());
    }
    let params = match overrides.map(api::parse_overrides) {
        None => Map::new(),
        Some(Ok(Value::Object(params))) => params,
        Some(Ok(other)) => return Err(Misuse(format!("`{other}` is not a list of parameters")).into()),
        Some(Err(error)) => return Err(Misuse(error.to_string()).into()),
    };
    Ok(AlgorithmChoice { id: id.to_owned(), params })
}

/// Returns the error for an algorithm `id` that does not exist, which lists the IDs of `specs`.
pub fn unknown(id: &str, specs: &[AlgorithmSpec]) -> Misuse {
    let known: Vec<_> = specs.iter().map(|s| s.id).collect();
    Misuse(format!("there is no algorithm `{id}`; there are: {}", known.join(", ")))
}
