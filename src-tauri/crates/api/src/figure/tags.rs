//! Proposals for the tags of a capture: from its name, and from its content.

use crate::Opened;
use crate::opened::samples::samples;
use crate::view::TagView;
use std::collections::BTreeSet;

/// MAC layers and duty cycles: the word in names of runs, and the value of the tag.
const MACS: [(&str, &str); 5] =
    [("tsch", "TSCH"), ("nullmac", "nullMAC"), ("contikimac", "ContikiMAC"), ("csma", "CSMA"), ("nullrdc", "nullRDC")];

/// Words for topologies in names of runs.
const TOPOLOGIES: [&str; 8] = ["chain", "grid", "star", "linear", "random", "line", "tree", "bottleneck"];

/// Proposes tags of a capture, each key at most once.
pub(super) fn propose(opened: &Opened) -> Vec<TagView> {
    let name = opened.trace.capture.name.to_lowercase();
    let folder = opened.files.first().and_then(|file| file.path.as_deref()).map(str::to_lowercase);
    let text = folder.as_deref().unwrap_or(&name);
    let mut tags = Vec::new();
    let mut say =
        |key: &str, value: String, why: &str| tags.push(TagView { key: key.to_owned(), value, why: why.to_owned() });

    let sample = opened.files.first().filter(|f| f.path.is_none()).and_then(|_| {
        let known = samples().iter().find(|sample| sample.file == opened.trace.capture.name);
        known.map(|sample| sample.nodes)
    });
    let heard: BTreeSet<_> =
        opened.trace.associations.iter().flat_map(|a| [a.client_name.as_str(), a.server_name.as_str()]).collect();
    match (sample, opened.trace.capture.sources.len()) {
        (Some(nodes), _) => say("nodes", nodes.to_string(), "bundled capture"),
        // A mote of a simulation is a source.
        (None, motes) if motes > heard.len() => say("nodes", motes.to_string(), "motes in the log"),
        (None, _) if !heard.is_empty() => say("nodes", heard.len().to_string(), "clients and servers heard"),
        (None, _) => {}
    }
    if let Some(load) = load(opened) {
        say("load", load, "requests of the capture per second");
    }
    if let Some(topology) = TOPOLOGIES.into_iter().find_map(|topology| with_size(text, topology)) {
        say("topology", topology, "name");
    }
    if let Some((_, mac)) = MACS.into_iter().find(|(word, _)| text.contains(word)) {
        say("mac", mac.to_owned(), "name");
    }
    let words = || text.split(|c: char| !c.is_ascii_alphanumeric());
    let presets = ["default", "cocoa", "rc", "stock"];
    if let Some(preset) = presets.into_iter().find(|preset| words().any(|word| word == *preset)) {
        say("preset", preset.to_owned(), "name");
    }
    tags
}

/// Returns a topology with its size, as in `chain6` or `grid3x3`, or the bare word; `None` where `text` lacks it.
fn with_size(text: &str, word: &str) -> Option<String> {
    let at = text.find(word)?;
    let rest = text.get(at + word.len()..)?;
    let size: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == 'x').collect();
    Some(format!("{word}{}", size.trim_end_matches('x')))
}

/// Returns the exchanges started per second, with two significant digits: `0.85`.
fn load(opened: &Opened) -> Option<String> {
    let (start, end) = crate::opened::window(&opened.trace.capture);
    let seconds = (end - start).secs_f64();
    let rate = opened.trace.exchanges.len() as f64 / seconds;
    if !rate.is_finite() || rate <= 0.0 {
        return None;
    }
    let decimals = usize::try_from((1.0 - rate.log10().floor()).clamp(0.0, 6.0) as i64).unwrap_or(0);
    Some(format!("{rate:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::with_size;

    #[test]
    fn topologies_with_their_size() {
        assert_eq!(with_size("tsch-slow-chain5-default", "chain").as_deref(), Some("chain5"));
        assert_eq!(with_size("grid3x3-burst", "grid").as_deref(), Some("grid3x3"));
        assert_eq!(with_size("star-x", "star").as_deref(), Some("star"));
        assert_eq!(with_size("mesh", "star"), None);
    }
}
