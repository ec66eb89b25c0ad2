//! Timers that really ran in captures, where names tell them.

use crate::calibrate::named;
use crate::opened::samples::ran_with_hash;
use crate::runs::parameters;
use crate::view::AlgorithmChoice;
use serde_json::{Map, Value};
use std::path::Path;
use study::{Capture, Content, Timer};

/// Name of the tag that names the timer of a capture.
const TIMER: &str = "timer";

/// Timer that really ran in a capture.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Tag `timer` of the capture; `None` without one.
    tag: Option<String>,
    /// The timer, by this tag where it names a preset, else as a bundled run, by the names of folders or by a
    /// `ran.json` beside the capture.
    choice: Option<AlgorithmChoice>,
}

impl Ran {
    /// Finds the timer of `capture`, whose file is at `place`.
    pub fn of(capture: &Capture, place: &Path) -> Self {
        let tag = capture.tags.get(TIMER).cloned();
        let bundled = || {
            let Content::Hash { sha256, .. } = &capture.content else { return None };
            let (id, params) = ran_with_hash(sha256)?;
            Some(AlgorithmChoice { id: id.to_owned(), params: params.clone() })
        };
        // Two folders decide. Both are in the capture's path: where the study's file lies changes no row.
        let is_named = capture.path.matches('/').count() > 1;
        let by_name = || {
            // A broken file tells nothing, and keeps no row back: only the mark of the real run is not drawn.
            let (id, params) = named(place).ok().flatten().filter(|_| is_named)?;
            Some(AlgorithmChoice { id, params })
        };
        let choice = tag.as_deref().and_then(preset).or_else(bundled).or_else(by_name);
        Self { tag, choice }
    }

    /// The timer, where it is one of the registry.
    pub fn choice(&self) -> Option<&AlgorithmChoice> {
        self.choice.as_ref()
    }

    /// Whether it is `timer`; `None` where nothing tells.
    pub fn is(&self, timer: &Timer) -> Option<bool> {
        if self.tag.as_ref() == Some(&timer.label) {
            return Some(true);
        }
        let ran = parameters(self.choice.as_ref()?)?;
        let asked = AlgorithmChoice { id: timer.algorithm.clone(), params: timer.params.clone() };
        Some(parameters(&asked) == Some(ran))
    }
}

/// Parses `ID` or `ID:name=value,…` of a preset of the registry; `None` for other texts.
fn preset(label: &str) -> Option<AlgorithmChoice> {
    let (id, params) = label.split_once(':').unwrap_or((label, ""));
    let params = match rto::parse_overrides(params).ok()? {
        Value::Object(params) => params,
        _ => Map::new(),
    };
    rto::spec(id).map(|spec| AlgorithmChoice { id: spec.id.to_owned(), params })
}

#[cfg(test)]
mod tests {
    use super::*;
    use study::Tags;

    fn timer(label: &str) -> Timer {
        let AlgorithmChoice { id, params } = preset(label).unwrap();
        Timer { label: label.to_owned(), algorithm: id, params }
    }

    #[test]
    fn tags_and_folders_tell_and_equal_parameters_are_one_timer() {
        let ran = |path: &str, tag: Option<&str>| {
            let tags: Tags = tag.map(|tag| ("timer".to_owned(), tag.to_owned())).into_iter().collect();
            let content = Content::Hash { sha256: String::new(), log: None };
            Ran::of(&Capture { path: path.to_owned(), set: 0, tags, content }, &Path::new("nowhere").join(path))
        };
        let (default, cocoa) = (timer("coap_default"), timer("cocoa_plus"));
        let tagged = ran("a.pcap", Some("coap_default"));
        assert_eq!([&default, &cocoa].map(|timer| tagged.is(timer)), [Some(true), Some(false)]);
        // The preset's own value is no difference.
        assert_eq!(tagged.is(&timer("coap_default:ack_timeout=2")), Some(true));
        assert_eq!(tagged.is(&timer("coap_default:ack_timeout=3")), Some(false));
        assert_eq!(ran("chain/NULL-seed1/radio.log", None).is(&default), Some(true));
        assert_eq!(ran("chain/NULL-seed1/radio.log", Some("mine")).is(&cocoa), Some(false));
        assert_eq!(ran("a.pcap", None).is(&default), None);
        assert_eq!(ran("NULL-seed1/radio.log", None).is(&default), None);
        assert_eq!(ran("a.pcap", Some("mine")).is(&default), None);
        let mine = Timer { label: "mine".to_owned(), ..default };
        assert_eq!(ran("a.pcap", Some("mine")).is(&mine), Some(true));
    }
}
