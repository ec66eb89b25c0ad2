//! Reassembly of fragmented datagrams (RFC 4944 §5.3, RFC 8931), bounded in time and number.

use super::Walk;
use super::assembly::{Assembly, Key, RECOVERABLE};
use super::hop::{Part, Seen};
use super::payload::{Extent, Head};
use crate::decode::lowpan::LowpanView;
use base::{FrameId, Instant, Layer, Span};
use wire::lowpan::{Frag, Rfrag};

/// Longest time between the fragments of a datagram, after which its reassembly is given up: 60 s. RFC 4944 §5.3 allows
/// 60 s from the first fragment on.
const REASSEMBLY_TIMEOUT: Span = Span::from_secs(60);

/// Most datagrams being reassembled at once; the one that has waited longest gives way.
/// Chosen here to bound memory; `cargo test --release -p trace --test bounds bounded` holds the bound.
const MAX_REASSEMBLIES: usize = 1_024;

/// Most different pieces of one datagram: offsets are multiples of 8 octets and sizes have 11 bits (RFC 4944 §5.3).
/// More are pieces that overlap, which no sender makes.
const MAX_PIECES: usize = 256;

impl Walk<'_> {
    /// Adds the RFC 4944 fragment `frag`, sent in frame `id` at `at`.
    pub(super) fn fragment(&mut self, id: FrameId, at: Instant, frag: &Frag, lowpan: &LowpanView<'_>) {
        let (src, dst) = lowpan.between;
        let key = Key { src, dst, tag: frag.tag, size: frag.size };
        let mut octets = std::mem::take(&mut self.scratch);
        octets.clear();
        if frag.first {
            let room = std::mem::take(&mut self.room.headers);
            match lowpan.decompress(self.contexts, room) {
                Ok(decompressed) => {
                    self.missing_context(id, decompressed.missing_context);
                    lowpan.append(&decompressed, &mut octets);
                    self.room.headers = decompressed;
                }
                Err(error) => {
                    self.scratch = octets;
                    return self.note(Layer::Lowpan, "malformed-6lowpan", id, &error);
                }
            }
        } else {
            octets.extend_from_slice(lowpan.rest);
        }
        self.piece(id, at, key, Some(key.size), frag.offset, &octets);
        self.scratch = octets;
    }

    /// Adds a recoverable fragment (RFC 8931): part of the compressed datagram, whose length the first one says. Tags
    /// are those of each hop, as with RFC 4944. Acknowledgements of fragments are not needed to see what was sent.
    pub(super) fn recoverable(&mut self, id: FrameId, at: Instant, rfrag: &Rfrag, lowpan: &LowpanView<'_>) {
        let ((src, dst), rest) = (lowpan.between, lowpan.rest);
        let key = Key { src, dst, tag: u16::from(rfrag.tag), size: RECOVERABLE };
        let octets = rest.get(..usize::from(rfrag.size)).unwrap_or(rest);
        // A fragment of no octets gives a datagram up (RFC 8931 §5.1.1).
        if !octets.is_empty() {
            self.piece(id, at, key, rfrag.datagram_size, usize::from(rfrag.offset), octets);
        }
    }

    /// Adds the octets of a datagram from `offset` (octets from 0) on; `total` is the datagram's length, where the
    /// fragment says it.
    fn piece(&mut self, id: FrameId, at: Instant, key: Key, total: Option<u16>, offset: usize, octets: &[u8]) {
        let size = usize::from(total.unwrap_or(u16::MAX));
        let end = offset.saturating_add(octets.len());
        if end > size || octets.is_empty() {
            self.notes.tally(Layer::Lowpan, "fragment-beyond-datagram", Some(id), None, || {
                format!("a fragment of octets {offset}..{end} of a datagram of {size} octets; left out")
            });
            return;
        }
        let is_stale = |assembly: &Assembly| (at - assembly.last).abs() > REASSEMBLY_TIMEOUT;
        while let Some(assembly) = self.open.take_oldest_if(is_stale) {
            self.close(&assembly);
            self.open.give_back(assembly);
        }
        // At most `size`.
        let range = (offset as u16, end as u16);
        let (slot, mut assembly) = match self.open.take(&key) {
            // After completion only retries of the same pieces belong to it: another first fragment with other octets
            // is another datagram with the same tag.
            Some((slot, assembly)) if !is_stale(&assembly) && assembly.may_hold(range, octets) => {
                (Some(slot), assembly)
            }
            Some((slot, assembly)) => {
                self.close(&assembly);
                self.open.give_back(assembly);
                (Some(slot), self.open.fresh(key))
            }
            None => {
                if self.open.len() >= MAX_REASSEMBLIES
                    && let Some(assembly) = self.open.take_oldest_if(|_| true)
                {
                    self.close(&assembly);
                    self.open.give_back(assembly);
                }
                (None, self.open.fresh(key))
            }
        };
        assembly.last = at;
        assembly.grow(total);
        self.add(id, &mut assembly, range, octets);
        match slot {
            Some(slot) => self.open.put_back(slot, assembly),
            None => self.open.put(assembly),
        }
    }

    fn add(&mut self, id: FrameId, assembly: &mut Assembly, range: (u16, u16), octets: &[u8]) {
        let Some(piece) = assembly.piece(range, octets, MAX_PIECES) else {
            self.notes.tally(Layer::Lowpan, "overlapping-fragments", Some(id), None, || {
                format!("more than {MAX_PIECES} different fragments of one datagram; left out")
            });
            return;
        };
        if let Some(hop) = assembly.hop {
            self.datagrams.parts.push(Part { hop, frame: id, piece });
            return;
        }
        if assembly.is_complete {
            return;
        }
        assembly.frames.push((id, piece));
        if !assembly.is_covered() {
            return;
        }
        assembly.is_complete = true;
        if let Some(head) = self.assembled(id, assembly, Extent::Whole) {
            assembly.hop = self.collect(assembly, &head, Some(id));
            if let Some(hop) = assembly.hop {
                self.datagrams.seen.push(Seen { frame: id, hop });
            }
        }
        assembly.frames.clear();
    }

    /// Returns the CoAP facts of the part of a datagram that is there; `None` where it carries none.
    fn assembled(&mut self, id: FrameId, assembly: &Assembly, extent: Extent) -> Option<Head> {
        let octets = assembly.octets.get(..assembly.size).unwrap_or(&assembly.octets);
        if assembly.key.size != RECOVERABLE {
            return self.coap_of(id, octets, extent);
        }
        let lowpan = match LowpanView::parse(octets, (assembly.key.src, assembly.key.dst)) {
            Ok(lowpan) => lowpan,
            Err(_) if extent == Extent::Beginning => return None,
            Err(error) => {
                self.note(Layer::Lowpan, "malformed-6lowpan", id, &error);
                return None;
            }
        };
        if lowpan.is_fragment() {
            return None;
        }
        self.datagram(id, &lowpan, extent)
    }

    /// Records the frames of `assembly` as one hop, and returns its position in `Datagrams::hops`.
    fn collect(&mut self, assembly: &Assembly, head: &Head, completed: Option<FrameId>) -> Option<u32> {
        let &(first, _) = assembly.frames.first()?;
        let sent = self.capture.frames.get(first.index())?.at;
        let hop = self.push(head, sent, (assembly.key.src, assembly.key.dst), completed);
        let parts = assembly.frames.iter().map(|&(frame, piece)| Part { hop, frame, piece });
        self.datagrams.parts.extend(parts);
        Some(hop)
    }

    /// Closes an assembly that gets no more fragments. One that begins as CoAP but whose rest never went on the air is
    /// still a copy that its sender tried to send.
    pub(super) fn close(&mut self, assembly: &Assembly) {
        if assembly.is_complete {
            return;
        }
        let first = assembly.frames.first().map(|&(frame, _)| frame);
        self.notes.tally(Layer::Lowpan, "incomplete-datagram", first, None, || {
            let have = assembly.held();
            match assembly.size {
                0 => format!("only {have} octets of a fragmented datagram were captured, without the first"),
                size => format!("only {have} of {size} octets of a fragmented datagram were captured"),
            }
        });
        let has_beginning = assembly.pieces.iter().any(|piece| piece.0 == 0);
        let Some(first) = first.filter(|_| has_beginning) else { return };
        if let Some(head) = self.assembled(first, assembly, Extent::Beginning) {
            self.collect(assembly, &head, None);
        }
    }
}
