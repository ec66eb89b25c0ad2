//! Reassembly of fragmented datagrams (RFC 4944 §5.3), bounded in time and number.

use super::payload::Head;
use super::{Piece, Seen, Walk};
use base::{FrameId, Instant, Layer, Span};
use wire::ieee802154::MacAddr;
use wire::lowpan;

/// A reassembly is given up after 60 s (RFC 4944 §5.3).
const REASSEMBLY_TIMEOUT: Span = Span::from_secs(60);

/// Most datagrams being reassembled at once; the oldest gives way.
const MAX_REASSEMBLIES: usize = 1_024;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) src: MacAddr,
    pub(super) dst: MacAddr,
    pub(super) tag: u16,
    pub(super) size: u16,
}

pub(super) struct Assembly {
    pub(super) key: Key,
    pub(super) octets: Vec<u8>,
    /// The uncompressed ranges that are there.
    pub(super) pieces: Vec<Piece>,
    pub(super) last: Instant,
    /// What the first fragment says, once it is there.
    pub(super) head: Option<Head>,
    pub(super) complete: Option<FrameId>,
    /// Position among the hops, once the facts are known.
    pub(super) slot: Option<usize>,
}

impl Assembly {
    pub(super) fn empty() -> Self {
        Self {
            key: Key { src: MacAddr::None, dst: MacAddr::None, tag: 0, size: 0 },
            octets: Vec::new(),
            pieces: Vec::new(),
            last: Instant::MIN,
            head: None,
            complete: None,
            slot: None,
        }
    }
}

impl Walk<'_> {
    #[expect(clippy::too_many_arguments, reason = "the fields of one fragment, used once")]
    pub(super) fn fragment(
        &mut self,
        id: FrameId,
        key: Key,
        (src, dst): (MacAddr, MacAddr),
        first: bool,
        offset: usize,
        rest: &[u8],
        at: Instant,
    ) {
        let size = usize::from(key.size);
        let (offset, octets, payload_of_first) = if first {
            match lowpan::decompress(rest, src, dst, self.contexts, Some(size)) {
                Ok(decompressed) => {
                    self.missing_context(id, decompressed.missing_context);
                    let mut octets = decompressed.header;
                    octets.extend_from_slice(rest.get(decompressed.consumed..).unwrap_or_default());
                    (0, octets, true)
                }
                Err(error) => return self.note(Layer::Lowpan, "malformed-6lowpan", id, &error),
            }
        } else {
            (offset, rest.to_vec(), false)
        };
        let end = offset.saturating_add(octets.len());
        if end > size || octets.is_empty() {
            self.notes.tally(Layer::Lowpan, "fragment-beyond-datagram", Some(id), None, || {
                format!("a fragment of octets {offset}..{end} of a datagram of {size} octets; left out")
            });
            return;
        }
        let found = self.open.iter().rposition(|a| a.key == key && (at - a.last).abs() <= REASSEMBLY_TIMEOUT);
        let index = match found {
            // After completion only retries of the same pieces belong to it: another first
            // fragment with other octets is another datagram with the same tag.
            Some(index)
                if self.open.get(index).is_some_and(|a| {
                    a.complete.is_none()
                        || a.octets.get(offset..end) == Some(&octets[..])
                            && a.pieces.iter().any(|p| p.range == (offset, end))
                }) =>
            {
                index
            }
            _ => {
                if self.open.len() >= MAX_REASSEMBLIES {
                    let oldest = self.open.remove(0);
                    self.close(oldest);
                }
                self.open.push(Assembly {
                    key,
                    octets: vec![0; size],
                    pieces: Vec::new(),
                    last: at,
                    head: None,
                    complete: None,
                    slot: None,
                });
                self.open.len() - 1
            }
        };
        let Some(mut assembly) = self.open.get_mut(index).map(|a| std::mem::replace(a, Assembly::empty())) else {
            return;
        };
        assembly.last = at;
        match assembly.pieces.iter_mut().find(|p| p.range == (offset, end)) {
            Some(piece) => piece.frames.push(id),
            None => {
                if let Some(slot) = assembly.octets.get_mut(offset..end) {
                    slot.copy_from_slice(&octets);
                }
                assembly.pieces.push(Piece { range: (offset, end), frames: vec![id] });
            }
        }
        if payload_of_first && assembly.head.is_none() {
            assembly.head = self.coap_of(id, &assembly.octets, true);
        }
        if assembly.complete.is_none() && covered(&assembly.pieces, size) {
            assembly.complete = Some(id);
            // Now that all options are there, the head may say more than the first fragment did.
            if let Some(head) = self.coap_of(id, &assembly.octets, false) {
                let (src, dst) = (assembly.key.src, assembly.key.dst);
                let first = assembly.pieces.iter().flat_map(|p| &p.frames).min().copied().unwrap_or(id);
                let hop = self.push(head, src, dst, first);
                if let Some(record) = self.hops.get_mut(hop) {
                    record.completed = Some(id);
                }
                assembly.slot = Some(hop);
                self.seen.push(Seen { frame: id, hop });
            }
        }
        if let Some(pieces) = assembly.slot.and_then(|slot| self.pieces.get_mut(slot)) {
            pieces.clone_from(&assembly.pieces);
        }
        if let Some(place) = self.open.get_mut(index) {
            *place = assembly;
        }
        if self.open.len() > MAX_REASSEMBLIES / 2 {
            let (keep, old): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.open).into_iter().partition(|a| (at - a.last).abs() <= REASSEMBLY_TIMEOUT);
            self.open = keep;
            for assembly in old {
                self.close(assembly);
            }
        }
    }

    /// An assembly that gets no more fragments. One whose first fragment was CoAP but whose rest
    /// never went on the air is still a copy somebody tried to send.
    pub(super) fn close(&mut self, assembly: Assembly) {
        if assembly.complete.is_some() {
            return;
        }
        let first = assembly.pieces.iter().flat_map(|p| &p.frames).min().copied();
        self.notes.tally(Layer::Lowpan, "incomplete-datagram", first, None, || {
            let have: usize = assembly.pieces.iter().map(|p| p.range.1 - p.range.0).sum();
            format!("only {have} of {} octets of a fragmented datagram were captured", assembly.key.size)
        });
        if let (Some(head), Some(first)) = (assembly.head, first) {
            let hop = self.push(head, assembly.key.src, assembly.key.dst, first);
            if let Some(pieces) = self.pieces.get_mut(hop) {
                *pieces = assembly.pieces;
            }
        }
    }
}

/// Whether the pieces cover `0..size` without a hole.
fn covered(pieces: &[Piece], size: usize) -> bool {
    let mut ranges: Vec<_> = pieces.iter().map(|p| p.range).collect();
    ranges.sort_unstable();
    let mut reached = 0;
    for (start, end) in ranges {
        if start > reached {
            return false;
        }
        reached = reached.max(end);
    }
    reached >= size
}
