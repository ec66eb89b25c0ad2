//! Records of CoAP messages: off 802.15.4 the message, on it one record per hop and the frames of
//! that hop, link-layer retries among them.

use super::hop::{HopRecord, Part, Seen};
use super::payload::Head;
use super::{Walk, shared};
use crate::model::{Delivery, EXCHANGE_LIFETIME, Frame, FrameList, KeptHop, KeptHops, Link, Message};
use base::{FrameId, Instant, MessageId, Span};
use std::num::NonZeroU32;
use std::sync::Arc;
use wire::ieee802154::MacAddr;

/// Longest time between a frame and its next link-layer retry, which has the same octets and sequence number. With CSMA
/// a retry comes within milliseconds, under a TSCH schedule with one shared cell a second within two minutes (2^7
/// cells). Equal octets are one message as long as no other may have its Message ID (RFC 7252 §4.8.2), and of its
/// copies one in 256 meets the sequence number of the copy before.
const RETRY_WINDOW: Span = EXCHANGE_LIFETIME;

/// Last CoAP frame between two nodes, which tells a retry from a new transmission.
#[derive(Clone, Copy)]
pub(super) struct LastSent {
    seq: u8,
    /// Latest attempt.
    frame: FrameId,
    hop: u32,
}

impl Walk<'_> {
    /// Returns whether `id` repeats the last CoAP frame between its two nodes; if so, adds it to that frame's hop.
    pub(super) fn is_retry(
        &mut self,
        id: FrameId,
        frame: &Frame,
        seq: Option<u8>,
        between: (MacAddr, MacAddr),
    ) -> bool {
        let same = |last: &LastSent| {
            seq == Some(last.seq)
                && self.capture.frames.get(last.frame.index()).is_some_and(|before| {
                    (frame.at - before.at).abs() <= RETRY_WINDOW
                        && self.capture.octets_of(before) == self.capture.octets_of(frame)
                })
        };
        let link = self.datagrams.links.recall(between);
        let last = link.and_then(|link| self.last.get_mut(link as usize)?.as_mut()).filter(|last| same(last));
        let Some(last) = last else { return false };
        last.frame = id;
        let hop = last.hop;
        self.datagrams.parts.push(Part { hop, frame: id, piece: 0 });
        self.datagrams.seen.push(Seen { frame: id, hop });
        true
    }

    /// Keeps frame `id` as the last CoAP frame between two nodes; `hop` is its position in `Datagrams::hops`.
    pub(super) fn remember(&mut self, id: FrameId, seq: Option<u8>, between: (MacAddr, MacAddr), hop: u32) {
        let link = self.datagrams.links.number(between) as usize;
        if self.last.len() <= link {
            self.last.resize(link + 1, None);
        }
        if let Some(last) = self.last.get_mut(link) {
            *last = seq.map(|seq| LastSent { seq, frame: id, hop });
        }
    }

    /// Adds a CoAP message off 802.15.4, in one frame or in fragments of IP. Forwarding is not seen there, so it has
    /// this hop alone. `completed`: the frame that ends it; without one only its beginning was captured.
    pub(super) fn wired(&mut self, frames: FrameList, completed: Option<FrameId>, head: &Head) {
        let Head { facts, payload, hop_limit, .. } = *head;
        let header_dst = self.header_dst(head);
        let frame = |id: &FrameId| self.capture.frames.get(id.index());
        let sent = frames.iter().filter_map(frame).map(|f| f.at).min().unwrap_or(Instant::ZERO);
        let arrived = completed.as_ref().and_then(frame).map(|f| f.at);
        let octets = frames.iter().filter_map(frame).map(|f| f.octets.end.saturating_sub(f.octets.start)).sum();
        let on_loopback = frames.first().and_then(frame).is_some_and(|first| self.is_on_loopback(first));
        let kept = match (&frames[..], completed, header_dst) {
            (&[only], Some(last), None) if only == last => KeptHops::Plain { octets, hop_limit },
            _ => KeptHops::Chain(Box::new([KeptHop {
                nodes: self.shared.nodes(shared::NO_LINK, facts.path, header_dst, &self.datagrams),
                frames,
                sent,
                arrived,
                octets,
                delivery: Delivery::Unknown,
                hop_limit,
            }])),
        };
        let message = Message {
            id: MessageId::at(self.datagrams.wired.len()),
            at: sent,
            frame: completed,
            ends: Arc::clone(self.shared.ends(facts.path, &self.datagrams)),
            kind: facts.kind,
            code: facts.code,
            mid: facts.mid,
            token: facts.token,
            payload,
            rc: facts.rc,
            kept,
            from_origin: true,
            on_loopback,
        };
        self.datagrams.wired.push(message);
    }

    /// Returns whether a host sent `frame` to itself. Linux's loopback interface has the address 00:00:00:00:00:00,
    /// which its `is_valid_ether_addr` (`linux/etherdevice.h`) refuses for every station.
    fn is_on_loopback(&self, frame: &Frame) -> bool {
        match frame.link {
            Link::LoopbackIp => true,
            Link::Ethernet => self.capture.octets_of(frame).starts_with(&[0; 12]),
            Link::Ieee802154 | Link::RawIp | Link::Other(_) => false,
        }
    }

    /// Returns the number for [`HopRecord::header_dst`].
    fn header_dst(&mut self, head: &Head) -> Option<NonZeroU32> {
        head.header_dst.and_then(|dst| NonZeroU32::new(self.datagrams.addresses.number(dst) + 1))
    }

    /// Adds the hop of a CoAP message that fits one frame, and returns its position in `Datagrams::hops`.
    pub(super) fn whole(&mut self, id: FrameId, at: Instant, between: (MacAddr, MacAddr), head: &Head) -> u32 {
        let hop = self.push(head, at, between, Some(id));
        self.datagrams.parts.push(Part { hop, frame: id, piece: 0 });
        self.datagrams.seen.push(Seen { frame: id, hop });
        hop
    }

    /// Adds a hop without its frames, and returns its position in `Datagrams::hops`; `between`: transmitting and
    /// addressed node.
    pub(super) fn push(
        &mut self,
        head: &Head,
        sent: Instant,
        between: (MacAddr, MacAddr),
        completed: Option<FrameId>,
    ) -> u32 {
        // Fewer than frames, which are numbered with 32 bits.
        let hop = self.datagrams.hops.len() as u32;
        let link = self.datagrams.links.number(between);
        let header_dst = self.header_dst(head);
        let Head { facts, payload, hop_limit, .. } = *head;
        self.datagrams.hops.push(HopRecord {
            facts,
            link,
            header_dst,
            hop_limit,
            payload,
            octets: 0,
            parts: (0, 0),
            arrivals: 0,
            sent,
            completed,
        });
        hop
    }
}
