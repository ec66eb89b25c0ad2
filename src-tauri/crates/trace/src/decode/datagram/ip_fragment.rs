//! Reassembly of UDP datagrams in fragments of IP (RFC 791 §3.2, RFC 8200 §4.5), bounded in time and number. Not over
//! 802.15.4, where 6LoWPAN fragments: there they are named.

use super::Walk;
use super::ip_piece::{Key, Piece, Pieces};
use super::payload::{Extent, Head, IpHeader};
use crate::model::Link;
use base::{FrameId, Instant, Layer, Span};
use std::collections::VecDeque;
use wire::ipv6::{ICMPV6, TCP, UDP};

/// Time after its first fragment at which a reassembly is given up: 60 s (RFC 8200 §4.5), and between 60 s and 120 s
/// for IPv4 (RFC 1122 §3.3.2).
const TIMEOUT: Span = Span::from_secs(60);

/// Most datagrams being reassembled at once, of at most 64 KiB; the oldest gives way.
/// Chosen here: 4 MiB at most; `cargo test --release -p trace --test bounds floods` reads more.
const MOST_OPEN: usize = 64;

/// IP protocol number of ICMP (IANA, "Protocol Numbers"), which is not decoded.
const ICMP: u8 = 1;

/// A datagram of which at least one fragment was seen.
struct Open {
    key: Key,
    begun: Instant,
    pieces: Pieces,
    frames: Vec<FrameId>,
    header: IpHeader,
}

/// Datagrams being reassembled, and the frames of the one that was completed last.
#[derive(Default)]
pub(super) struct IpFragments {
    open: VecDeque<Open>,
    /// Frames of the datagram that was completed last, without the completing one; emptied when its message is
    /// recorded.
    pub(super) joined: Vec<FrameId>,
}

impl Walk<'_> {
    /// Remarks on fragment `id` that is not reassembled.
    pub(super) fn unjoined(&mut self, id: FrameId) {
        self.notes.remark(Layer::Ipv6, "ip-fragment", Some(id), None, || {
            "fragments of IP within 6LoWPAN or a tunnel, or of what is not plain UDP, are not put together".to_owned()
        });
    }

    /// Adds a fragment, and returns the CoAP facts of the datagram where this one completes it.
    pub(super) fn ip_fragment(
        &mut self,
        id: FrameId,
        piece: &Piece<'_>,
        header: IpHeader,
        extent: Extent,
    ) -> Option<Head> {
        let frame = self.capture.frames.get(id.index())?;
        match piece.protocol {
            TCP | ICMP | ICMPV6 => return None,
            UDP if frame.link != Link::Ieee802154 => {}
            _ => {
                self.unjoined(id);
                return None;
            }
        }
        if piece.octets.len() < piece.range.1 - piece.range.0 && extent == Extent::Whole {
            self.notes.tally(Layer::Ipv6, "cut-ip-fragment", Some(id), None, || {
                "a fragment of IP is shorter than its header says; left out".to_owned()
            });
            return None;
        }
        let is_stale = |open: &Open| (frame.at - open.begun).abs() > TIMEOUT;
        while self.ip.open.front().is_some_and(is_stale)
            && let Some(stale) = self.ip.open.pop_front()
        {
            self.close_ip(&stale);
        }
        let known = self.ip.open.iter().position(|open| open.key == piece.key && !is_stale(open));
        let mut open = known.and_then(|at| self.ip.open.remove(at)).unwrap_or_else(|| Open {
            key: piece.key,
            begun: frame.at,
            pieces: Pieces::default(),
            frames: Vec::new(),
            header,
        });
        if open.pieces.add(piece).is_none() {
            self.notes.tally(Layer::Ipv6, "overlapping-ip-fragments", Some(id), None, || {
                "fragments of an IP datagram contradict each other; all of it is left out (RFC 5722 §4)".to_owned()
            });
            return None;
        }
        if let Some((octets, is_cut)) = open.pieces.datagram() {
            let extent = if is_cut { Extent::Cut } else { Extent::Whole };
            let head = self.udp(id, octets, (open.key.src, open.key.dst), open.header, extent);
            self.ip.joined = if head.is_some() { open.frames } else { Vec::new() };
            return head;
        }
        open.frames.push(id);
        if self.ip.open.len() >= MOST_OPEN
            && let Some(oldest) = self.ip.open.pop_front()
        {
            self.close_ip(&oldest);
        }
        match known {
            Some(at) => self.ip.open.insert(at.min(self.ip.open.len()), open),
            None => self.ip.open.push_back(open),
        }
        None
    }

    /// Closes all incomplete datagrams.
    pub(super) fn close_all_ip(&mut self) {
        while let Some(open) = self.ip.open.pop_front() {
            self.close_ip(&open);
        }
    }

    /// Closes a datagram that gets no more fragments. As in [`Walk::close`], one that begins as CoAP counts as a
    /// message that its sender tried to send.
    fn close_ip(&mut self, open: &Open) {
        let Some(&first) = open.frames.first() else { return };
        self.notes.tally(Layer::Ipv6, "incomplete-ip-datagram", Some(first), None, || {
            let have = open.pieces.covered;
            match open.pieces.total {
                Some(total) => format!("only {have} of {total} octets of a datagram in fragments of IP were captured"),
                None => format!("only {have} octets of a datagram in fragments of IP were captured, without the last"),
            }
        });
        let ends = (open.key.src, open.key.dst);
        if let Some(head) = self.udp(first, open.pieces.beginning(), ends, open.header, Extent::Beginning) {
            self.wired(open.frames.iter().copied().collect(), None, &head);
        }
    }
}
