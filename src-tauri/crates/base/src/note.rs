//! Notes: what was skipped, repaired or not understood, counted and located, never swallowed.

use crate::{FrameId, printable};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Layer of processing at which an event was noticed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The capture file and its records.
    File,
    /// Time stamps: clocks, their order and alignment.
    Clock,
    /// Link-layer framing below 6LoWPAN: 802.15.4, TAP, Ethernet.
    Link,
    /// 6LoWPAN: compressed headers and fragments.
    Lowpan,
    /// IPv6 and its extension headers.
    Ipv6,
    /// UDP headers.
    Udp,
    /// CoAP messages.
    Coap,
    /// Message and exchange reconstruction.
    Exchange,
    /// Counterfactual replay of a record.
    Replay,
}

impl Layer {
    /// All layers, in the order of processing: the file first, the replay last.
    pub const ALL: [Self; 9] = [
        Self::File,
        Self::Clock,
        Self::Link,
        Self::Lowpan,
        Self::Ipv6,
        Self::Udp,
        Self::Coap,
        Self::Exchange,
        Self::Replay,
    ];
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "file",
            Self::Clock => "clock",
            Self::Link => "802.15.4",
            Self::Lowpan => "6LoWPAN",
            Self::Ipv6 => "IPv6",
            Self::Udp => "UDP",
            Self::Coap => "CoAP",
            Self::Exchange => "exchange",
            Self::Replay => "replay",
        })
    }
}

/// Kind of event: a short stable name in kebab case, such as `truncated-record`.
pub type NoteCode = &'static str;

/// Meaning of a note for the reader.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A fact about the reading of the capture; no data is missing.
    Remark,
    /// Something was skipped, repaired or not understood.
    Warning,
}

/// One event that a reader of the capture has to know: its place, and what was done about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The layer that noticed.
    pub layer: Layer,
    /// Stable name of the kind.
    pub code: NoteCode,
    /// Frame that the note concerns; `None` where it concerns no single frame.
    pub frame: Option<FrameId>,
    /// Octet offset: into the file where `frame` is `None`, else into the frame.
    pub offset: Option<u64>,
    /// Event, place and treatment, in one sentence for a person.
    pub text: String,
}

/// Notes of one kind: how many, and the first as an example.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NoteCount {
    /// The layer that noticed.
    pub layer: Layer,
    /// Stable name of the kind.
    pub code: NoteCode,
    /// Meaning for the reader.
    pub severity: Severity,
    /// Number of times that it occurred.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub count: u64,
    /// Frame of the first one.
    pub first_frame: Option<FrameId>,
    /// Octet offset of the first one (into the file where `first_frame` is null).
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub first_offset: Option<u64>,
    /// Text of the first one, with escapes for what is not printable ([`printable`]).
    pub first_text: String,
}

/// All notes of an import or a run, in the order of their kinds' first appearance.
/// Every note is counted; the text of the first of each kind is kept, so that a file with a
/// million damaged records costs a counter.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Notes {
    kinds: Vec<NoteCount>,
}

impl Notes {
    /// Creates an empty collection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts `note` as a warning, keeping its text when it is the first of its kind.
    pub fn push(&mut self, note: Note) {
        self.count_as(Severity::Warning, note);
    }

    fn count_as(&mut self, severity: Severity, note: Note) {
        match self.kinds.iter_mut().find(|k| k.code == note.code && k.layer == note.layer) {
            Some(kind) => kind.count = kind.count.saturating_add(1),
            None => self.kinds.push(NoteCount {
                layer: note.layer,
                code: note.code,
                severity,
                count: 1,
                first_frame: note.frame,
                first_offset: note.offset,
                // A note may quote what a file says.
                first_text: printable(&note.text).into_owned(),
            }),
        }
    }

    /// Counts a remark ([`Severity::Remark`]); otherwise as [`Notes::tally`].
    pub fn remark(
        &mut self,
        layer: Layer,
        code: NoteCode,
        frame: Option<FrameId>,
        offset: Option<u64>,
        text: impl FnOnce() -> String,
    ) {
        self.tally_as(Severity::Remark, (layer, code, frame, offset), text);
    }

    fn tally_as(
        &mut self,
        severity: Severity,
        (layer, code, frame, offset): (Layer, NoteCode, Option<FrameId>, Option<u64>),
        text: impl FnOnce() -> String,
    ) {
        match self.kinds.iter_mut().find(|k| k.code == code && k.layer == layer) {
            Some(kind) => kind.count = kind.count.saturating_add(1),
            None => self.count_as(severity, Note { layer, code, frame, offset, text: text() }),
        }
    }

    /// Counts a warning whose text is only needed when it is the first of its kind. `offset` is an octet of `frame`, or
    /// of the file without one.
    pub fn tally(
        &mut self,
        layer: Layer,
        code: NoteCode,
        frame: Option<FrameId>,
        offset: Option<u64>,
        text: impl FnOnce() -> String,
    ) {
        self.tally_as(Severity::Warning, (layer, code, frame, offset), text);
    }

    /// Counts `count` warnings of one kind at once, as [`Notes::tally`] counts one; a `count` of 0 adds nothing.
    pub fn tally_many(
        &mut self,
        count: u64,
        layer: Layer,
        code: NoteCode,
        frame: Option<FrameId>,
        offset: Option<u64>,
        text: impl FnOnce() -> String,
    ) {
        let Some(more) = count.checked_sub(1) else { return };
        self.tally(layer, code, frame, offset, text);
        if let Some(kind) = self.kinds.iter_mut().find(|k| k.code == code && k.layer == layer) {
            kind.count = kind.count.saturating_add(more);
        }
    }

    /// Adds the counts of `other`. Kinds that are new here follow the present ones, in their order.
    pub fn merge(&mut self, other: Self) {
        for theirs in other.kinds {
            match self.kinds.iter_mut().find(|k| k.code == theirs.code && k.layer == theirs.layer) {
                Some(kind) => kind.count = kind.count.saturating_add(theirs.count),
                None => self.kinds.push(theirs),
            }
        }
    }

    /// Replaces the frame numbers of the examples by `new` ones.
    pub fn renumber(&mut self, new: impl Fn(FrameId) -> FrameId) {
        for kind in &mut self.kinds {
            kind.first_frame = kind.first_frame.map(&new);
        }
    }

    /// The kinds, in order of first appearance.
    #[must_use]
    pub fn kinds(&self) -> &[NoteCount] {
        &self.kinds
    }

    /// Returns the number of notes of kind `code`, over all layers.
    #[must_use]
    pub fn count(&self, code: &str) -> u64 {
        self.kinds.iter().filter(|k| k.code == code).map(|k| k.count).sum()
    }

    /// Returns whether there are no notes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

impl fmt::Display for NoteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {} {}: ", self.count, self.layer, self.code)?;
        if let Some(frame) = self.first_frame {
            write!(f, "frame {}: ", u64::from(frame.0) + 1)?;
        }
        f.write_str(&self.first_text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Layer, Notes, Severity};
    use crate::FrameId;

    #[test]
    fn first_of_each_kind_is_kept_and_all_are_counted() {
        let mut notes = Notes::new();
        for i in 0..1_000 {
            notes.tally(Layer::Link, "bad-fcs", Some(FrameId(i)), None, || format!("frame {i}"));
        }
        notes.tally(Layer::File, "truncated-record", None, Some(12), || "tail".to_owned());
        assert_eq!(notes.kinds().len(), 2);
        assert_eq!(notes.count("bad-fcs"), 1_000);
        assert_eq!(notes.kinds()[0].first_text, "frame 0");
        notes.remark(Layer::Lowpan, "context-learned", None, None, || "fd00::/64".to_owned());
        assert_eq!(notes.kinds()[0].severity, Severity::Warning);
        assert_eq!(notes.kinds()[2].severity, Severity::Remark);
        assert_eq!(notes.kinds()[0].to_string(), "1000 × 802.15.4 bad-fcs: frame 1: frame 0");
    }
}
