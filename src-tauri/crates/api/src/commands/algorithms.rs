//! Algorithms without a capture: the user's presets, and the outlook of an algorithm on an ideal path.

use crate::runs::resolve;
use crate::view::{OutlookRequest, OutlookView, PresetsRequest, PresetsView, UserPresetView};
use crate::{Error, Session};
use base::Span;
use rto::model::{Path as ModelPath, outlook};
use rto::user::{UserErrors, UserPreset, parse_json, parse_toml};
use rto::{AlgorithmSet, AlgorithmSpec, UnimplementedProposal};
use serde_json::Value;
use std::io::Read as _;
use std::path::Path;

/// Greatest size of a preset file, octets. Chosen here: a larger file is something else. It bounds the memory that a
/// wrong file takes.
const MAX_FILE: u64 = 1 << 20;
/// Longest round trip of an outlook, seconds: EXCHANGE_LIFETIME (RFC 7252 §4.8.2), after which no reply counts.
const MAX_RTT: f64 = 247.0;

impl Session {
    /// Loads presets: a preset of the user's that has the id of a loaded one is replaced, so that a file can be
    /// edited and loaded again. With a mistake nothing is loaded. With neither path nor text only lists.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: both path and text, a file that cannot be read or is larger than 1 MiB, or mistakes
    /// in it, each with its place in the detail.
    pub fn presets(&self, request: &PresetsRequest) -> Result<PresetsView, Error> {
        let (name, text, json) = match (&request.path, &request.text) {
            (None, None) => return Ok(view(&self.algorithm_set(), Vec::new())),
            (Some(path), None) => {
                let path = Path::new(path);
                let json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
                let text = read(path)?;
                self.read_presets_from(path);
                (path.display().to_string(), text, json)
            }
            (None, Some(text)) => ("the text".to_owned(), text.clone(), text.trim_start().starts_with('{')),
            (Some(_), Some(_)) => return Err(Error::request("Name either a path or a text.")),
        };
        let presets = if json { parse_json(&text) } else { parse_toml(&text) };
        let presets = presets.map_err(|errors| mistakes(&name, &errors))?;
        let loaded: Vec<String> = presets.iter().map(|mine| mine.id.clone()).collect();
        let algorithm_set = self.change_algorithms(|before| {
            let others = before.user().iter().filter(|mine| !loaded.contains(&mine.id)).cloned();
            with(others.collect())
                .and_then(|mut algorithm_set| algorithm_set.add(presets.clone()).map(|()| algorithm_set))
                .map_err(|errors| mistakes(&name, &errors))
        })?;
        Ok(view(&algorithm_set, loaded))
    }

    /// Computes timeouts and success of an algorithm on a path of constant round trip and loss
    /// ([`rto::model::outlook`]).
    ///
    /// # Errors
    /// [`crate::Code::Request`] for an unknown algorithm or parameter, a round trip or a loss out of range.
    pub fn outlook(&self, request: &OutlookRequest) -> Result<OutlookView, Error> {
        let choice = resolve(&self.algorithm_set(), &request.algorithm)?;
        let rtt = Span::from_secs_f64(request.rtt).filter(|&rtt| rtt > Span::ZERO && request.rtt <= MAX_RTT);
        let rtt = rtt.ok_or_else(|| Error::request(format!("A round trip is more than 0 and at most {MAX_RTT} s.")))?;
        if !(0.0..=1.0).contains(&request.loss) {
            return Err(Error::request("A loss is a probability, 0 to 1."));
        }
        let path = ModelPath::new(rtt, request.loss);
        let found = outlook(&choice.id, &Value::Object(choice.params), &path).map_err(Error::request)?;
        Ok(OutlookView {
            settled: found.settled,
            timeouts: found.timeouts,
            give_up: found.give_up,
            success: found.success,
            completion: Some(found.completion).filter(|seconds| seconds.is_finite()),
            copies: found.copies,
            needless: found.needless,
        })
    }
}

fn with(presets: Vec<UserPreset>) -> Result<AlgorithmSet, UserErrors> {
    let mut algorithm_set = AlgorithmSet::default();
    algorithm_set.add(presets)?;
    Ok(algorithm_set)
}

fn view(algorithm_set: &AlgorithmSet, loaded: Vec<String>) -> PresetsView {
    let mine = |mine: &UserPreset| UserPresetView { id: mine.id.clone(), base: mine.base.clone() };
    PresetsView {
        loaded,
        mine: algorithm_set.user().iter().map(mine).collect(),
        algorithms: algorithm_set.algorithms().to_vec(),
    }
}

fn read(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_string(&mut text));
    match read {
        Ok(octets) if octets as u64 > MAX_FILE => {
            Err(Error::request(format!("{} is larger than 1 MiB: not a file of presets.", path.display())))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(Error::request(format!("{} cannot be read: {error}.", path.display()))),
    }
}

/// Describes mistakes in a preset file, one line each, as compilers do: `FILE:LINE:COLUMN: KEY: problem`.
fn mistakes(name: &str, errors: &UserErrors) -> Error {
    let line = |error: &rto::user::UserError| {
        let at = error.at.map_or_else(String::new, |at| format!("{}:{}:", at.line, at.column));
        let key = if error.key.is_empty() { String::new() } else { format!("{}: ", error.key) };
        format!("{name}:{at} {key}{}", error.problem)
    };
    let lines: Vec<String> = errors.0.iter().map(line).collect();
    let message = match lines.as_slice() {
        [only] => format!("The presets were not loaded: {only}."),
        all => format!("The presets of {name} were not loaded: {} mistakes.", all.len()),
    };
    let detail = (lines.len() > 1).then(|| lines.join("\n"));
    Error { detail, ..Error::request(message) }
}

/// Answers `algorithms`: every algorithm, the user's presets last. Never errs.
pub(super) fn all(session: &Session, _: &()) -> Result<Vec<AlgorithmSpec>, Error> {
    Ok(session.algorithm_set().algorithms().to_vec())
}

/// Answers `catalogue`: the proposals without a faithful implementation. Never errs.
pub(super) fn catalogue(_: &Session, _: &()) -> Result<Vec<UnimplementedProposal>, Error> {
    Ok(rto::unimplemented_proposals().to_vec())
}
