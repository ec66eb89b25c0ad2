//! A writer for the nodes of one layer, field after field.

use super::{Finding, Node, Part, Tree, Value};
use crate::{Error, Kind};
use base::Severity;
use std::net::Ipv6Addr;

/// A cursor over the octets of a layer that leaves a node for each field it passes.
///
/// The cursor stops for good at its limit (the octet at which the parser of the layer found an error) or at the end:
/// fields that do not lie before it are not written, and read as 0.
pub(super) struct TreeBuilder<'t, 'a> {
    tree: &'t mut Tree,
    part: Part<'a>,
    pos: usize,
    limit: usize,
    depth: u8,
    /// Start and end, as offsets into the part, of the group being written.
    group: (usize, usize),
    /// Octets of that group as an integer.
    word: u64,
}

impl<'t, 'a> TreeBuilder<'t, 'a> {
    /// Begins a protocol over `part`; its parser stopped at `error`, or read all.
    pub fn protocol(
        tree: &'t mut Tree,
        part: Part<'a>,
        name: &'static str,
        label: impl Into<String>,
        error: Option<&Error>,
    ) -> Self {
        let len = part.octets.len();
        let limit = error.map_or(len, |error| error.at.min(len));
        let mut builder = Self { tree, part, pos: 0, limit, depth: 0, group: (0, len), word: 0 };
        builder.push(name, Value::None, label.into(), 0, len);
        builder.depth = 1;
        builder
    }

    /// Returns the part being written.
    pub const fn part(&self) -> Part<'a> {
        self.part
    }

    /// Returns the offset of the cursor in the part, octets.
    pub const fn pos(&self) -> usize {
        self.pos
    }

    /// Number of octets before the limit.
    pub const fn left(&self) -> usize {
        self.limit.saturating_sub(self.pos)
    }

    /// Returns whether `len` more octets lie before the limit. If not, the builder stops here for good.
    fn room(&mut self, len: usize) -> bool {
        let room = len <= self.left();
        if !room {
            self.limit = self.pos;
        }
        room
    }

    fn push(&mut self, name: &'static str, value: Value, label: String, start: usize, end: usize) -> usize {
        let len = self.part.octets.len();
        let (start, end) = (start.min(len) as u32, end.min(len) as u32);
        let span = self.part.offset.saturating_add(start)..self.part.offset.saturating_add(end.max(start));
        let index = self.tree.nodes.len();
        let depth = self.depth;
        self.tree.nodes.push(Node { depth, name, label, value, buffer: self.part.buffer, span, finding: None });
        index
    }

    /// Returns the next `len` octets, without moving; fewer at the limit.
    pub fn peek(&self, len: usize) -> &'a [u8] {
        let end = self.pos.saturating_add(len).min(self.limit);
        self.part.octets.get(self.pos..end).unwrap_or_default()
    }

    /// Writes a field of `len` octets, whose value and label come from its octets.
    pub fn field(&mut self, len: usize, name: &'static str, say: impl FnOnce(&[u8]) -> (Value, String)) {
        if self.room(len) {
            let (value, label) = say(self.peek(len));
            let end = self.pos.saturating_add(len);
            self.push(name, value, label, self.pos, end);
            self.pos = end;
        }
    }

    /// Writes and returns an integer of `len` octets, most significant first; 0 where it does not lie before the limit.
    pub fn uint_as(&mut self, len: usize, name: &'static str, label: impl FnOnce(u64) -> String) -> u64 {
        let value = if self.left() < len { 0 } else { be(self.peek(len)) };
        self.field(len, name, |_| (Value::Uint(value), label(value)));
        value
    }

    /// Writes an integer as [`Self::uint_as`] does, labelled `title: 17`.
    pub fn uint(&mut self, len: usize, name: &'static str, title: &str) -> u64 {
        self.uint_as(len, name, |value| format!("{title}: {value}"))
    }

    /// Writes an integer as [`Self::uint_as`] does, labelled `title: 0x11`.
    pub fn hex(&mut self, len: usize, name: &'static str, title: &str) -> u64 {
        let width = len.saturating_mul(2);
        self.uint_as(len, name, |value| format!("{title}: 0x{value:0width$x}"))
    }

    /// Writes and returns an integer of `len` octets, least significant first; 0 where it does not lie before the
    /// limit.
    pub fn uint_le_as(&mut self, len: usize, name: &'static str, label: impl FnOnce(u64) -> String) -> u64 {
        let value = if self.left() < len { 0 } else { le(self.peek(len)) };
        self.field(len, name, |_| (Value::Uint(value), label(value)));
        value
    }

    /// Writes an integer as [`Self::uint_le_as`] does, labelled `title: 17`.
    pub fn uint_le(&mut self, len: usize, name: &'static str, title: &str) -> u64 {
        self.uint_le_as(len, name, |value| format!("{title}: {value}"))
    }

    /// Writes `len` octets without further meaning.
    pub fn bytes(&mut self, len: usize, name: &'static str, title: &str) {
        self.field(len, name, |octets| (Value::Bytes, format!("{title}: {}", hex(octets))));
    }

    /// Writes an IPv6 address of 16 octets.
    pub fn ipv6(&mut self, name: &'static str, title: &str) {
        self.field(16, name, |octets| {
            let address = Ipv6Addr::from(octets.first_chunk().copied().unwrap_or_default());
            (Value::Ipv6(address), format!("{title}: {address}"))
        });
    }

    /// Writes a value that no octet, or not these octets alone, say: a node without octets at the cursor.
    pub fn derived(&mut self, name: &'static str, value: Value, label: String) {
        if self.pos <= self.limit {
            self.push(name, value, label, self.pos, self.pos);
        }
    }

    /// Writes a field of `len` octets with fields of its own, which `inside` writes.
    pub fn group(
        &mut self,
        len: usize,
        name: &'static str,
        say: impl FnOnce(&[u8]) -> (Value, String),
        inside: impl FnOnce(&mut Self),
    ) {
        if !self.room(len) {
            return;
        }
        let (start, end) = (self.pos, self.pos.saturating_add(len));
        let octets = self.peek(len);
        let (value, label) = say(octets);
        self.push(name, value, label, start, end);
        let outside = (self.limit, self.group, self.word);
        (self.limit, self.group, self.word) = (end, (start, end), be(octets));
        let nodes = self.tree.nodes.len();
        self.depth = self.depth.saturating_add(1);
        inside(self);
        // Octets that the fields leave are shown as they are; a group of bits alone leaves nothing.
        self.limit = end;
        if self.pos > start || self.tree.nodes.len() == nodes {
            self.rest("data", "Octets");
        }
        self.depth = self.depth.saturating_sub(1);
        (self.limit, self.group, self.word) = outside;
        self.pos = end;
    }

    /// Writes a [`Self::group`] of an integer, most significant octet first.
    pub fn word(
        &mut self,
        len: usize,
        name: &'static str,
        label: impl FnOnce(u64) -> String,
        inside: impl FnOnce(&mut Self),
    ) {
        self.group(len, name, |octets| (Value::Uint(be(octets)), label(be(octets))), inside);
    }

    /// Writes a [`Self::group`] of an integer, least significant octet first.
    pub fn word_le(
        &mut self,
        len: usize,
        name: &'static str,
        label: impl FnOnce(u64) -> String,
        inside: impl FnOnce(&mut Self),
    ) {
        let word = le(self.peek(len));
        self.group(
            len,
            name,
            |_| (Value::Uint(word), label(word)),
            |builder| {
                builder.word = word;
                inside(builder);
            },
        );
    }

    /// Returns the integer of the group being written.
    pub const fn word_value(&self) -> u64 {
        self.word
    }

    /// Writes `width` bits of the group's integer, the lowest at `shift`, which counts from the least significant.
    pub fn bits(&mut self, shift: u32, width: u32, name: &'static str, label: impl FnOnce(u64) -> String) {
        let value = self.word.wrapping_shr(shift) & !u64::MAX.wrapping_shl(width);
        let (start, end) = self.group;
        self.push(name, Value::Uint(value), label(value), start, end);
    }

    /// Writes one bit of the group's integer; `shift` counts from the least significant.
    pub fn flag(&mut self, shift: u32, name: &'static str, title: &str) {
        let value = self.word.wrapping_shr(shift) & 1 == 1;
        let (start, end) = self.group;
        self.push(name, Value::Bool(value), format!("{title}: {value}"), start, end);
    }

    /// Writes a value that belongs to all octets of the group.
    pub fn about(&mut self, name: &'static str, value: Value, label: String) {
        let (start, end) = self.group;
        self.push(name, value, label, start, end);
    }

    /// Writes `len` octets, with their number in the label; nothing for 0.
    pub fn octets(&mut self, len: usize, name: &'static str, title: &str) {
        if len > 0 {
            let plural = if len == 1 { "" } else { "s" };
            self.field(len, name, |octets| (Value::Bytes, format!("{title} ({len} octet{plural}): {}", hex(octets))));
        }
    }

    /// Moves the limit to octet `at` of the part, if that is before it.
    pub fn end_at(&mut self, at: usize) {
        self.limit = self.limit.min(at);
    }

    /// Writes all octets up to the limit, if there are any.
    pub fn rest(&mut self, name: &'static str, title: &str) {
        self.octets(self.left(), name, title);
    }

    /// Passes `len` octets that another layer writes.
    pub fn skip(&mut self, len: usize) {
        if self.room(len) {
            self.pos = self.pos.saturating_add(len);
        }
    }

    /// Puts a finding on the node written last.
    pub fn find(&mut self, severity: Severity, text: impl Into<String>) {
        if let Some(node) = self.tree.nodes.last_mut() {
            node.finding = Some(Finding { severity, text: text.into() });
        }
    }

    /// Ends a layer of which the sniffer left out the octets from `at` on; the sentence `what` says that they are
    /// missing.
    pub fn close_cut(mut self, at: usize, what: String) {
        let len = self.part.octets.len();
        self.depth = 1;
        self.limit = at.min(len);
        self.rest("data", "Octets");
        let start = self.limit.min(self.pos);
        self.push("rtoscope.cut", Value::Bytes, what.clone(), start, len);
        self.find(Severity::Remark, what);
    }

    /// Ends the layer: writes what is left of the part, and the octet and the reason of the parser's error.
    pub fn close(mut self, error: Option<&Error>) {
        let len = self.part.octets.len();
        let Some(error) = error else {
            self.limit = len;
            return self.rest("data", "Octets");
        };
        self.depth = 1;
        self.limit = error.at.min(len);
        self.rest("data", "Octets");
        let start = self.limit.min(self.pos);
        let (severity, name, what) = match error.kind {
            Kind::Unsupported(_) => (Severity::Remark, "rtoscope.unsupported", "Not decoded"),
            Kind::Truncated { .. } | Kind::Reserved(_) | Kind::Invalid(_) => {
                (Severity::Warning, "_ws.malformed", "Malformed")
            }
        };
        self.push(name, Value::Bytes, format!("{what}: {error}"), start, len);
        self.find(severity, error.to_string());
    }
}

fn be(octets: &[u8]) -> u64 {
    octets.iter().fold(0, |value, octet| value << 8 | u64::from(*octet))
}

fn le(octets: &[u8]) -> u64 {
    octets.iter().rev().fold(0, |value, octet| value << 8 | u64::from(*octet))
}

/// Hexadecimal for people, of 32 octets at most.
pub(super) fn hex(octets: &[u8]) -> String {
    use std::fmt::Write;
    /// Largest number of octets shown. Chosen here: a line of text holds them.
    const SHOWN: usize = 32;
    let mut text = String::with_capacity(octets.len().min(SHOWN).saturating_mul(2));
    for octet in octets.iter().take(SHOWN) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{octet:02x}");
    }
    if octets.len() > SHOWN {
        text.push('…');
    }
    text
}
