//! All frames of one message on one hop, and the waiting between hops.

use super::node::Nodes;
use crate::analysis::Trace;
use crate::decode::air_time::end_of;
use crate::decode::lowpan::LowpanView;
use crate::model::{Delivery, Hop, Message};
use base::{FrameId, Instant, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wire::{MacAddr, MacHeader};

/// One message on one link-layer hop.
#[derive(Clone, PartialEq, Debug)]
pub struct Leg {
    /// Sending node: position in [`super::Ladder::nodes`].
    pub from: usize,
    /// Addressed node: position in [`super::Ladder::nodes`].
    pub to: usize,
    /// Position of the leg of the same message that took it to `from`, where that was seen.
    pub before: Option<usize>,
    /// Start of its first frame.
    pub sent: Instant,
    /// End of the frame that completed the datagram at `to`, see [`Hop::arrived`]; `None` when a fragment never went on
    /// the air. `delivery` says if `to` got it.
    pub arrived: Option<Instant>,
    /// Whether the message arrived at `to`, as far as the capture shows it.
    pub delivery: Delivery,
    /// Number of distinct fragments seen; 1 for a datagram in one frame.
    pub fragments: usize,
    /// Frames that carried it, in the order of the capture.
    pub attempts: Vec<Attempt>,
    /// Time from the start of the first frame to the end of the acknowledgement that left nothing to send: channel
    /// access, air time, retries. `None` when not every fragment is seen to be acknowledged.
    pub mac_delay: Option<Span>,
    /// True where the message had been sent on this link before, with the same hop limit.
    pub duplicate: bool,
    /// Hop limit of the IPv6 header on this hop, 0 to 255.
    pub hop_limit: u8,
}

/// One frame of a leg.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Frame in which this attempt was made.
    pub frame: FrameId,
    /// Number of the piece of the datagram it carries, from 0, in the order of the datagram among the pieces seen.
    pub fragment: usize,
    /// Ordinal of this sending of the piece on this hop, from 1. The first is no retry.
    pub attempt: usize,
    /// MAC sequence number: a link-layer retry has that of the attempt before it.
    pub seq: Option<u8>,
    /// Start of the frame.
    pub start: Instant,
    /// Time when its last octet was on the air: 32 µs an octet from `start` (250 kbit/s), PHR and FCS not counted;
    /// `start` where the rate is not known.
    pub end: Instant,
    /// Delivery to the addressed node.
    pub delivery: Delivery,
    /// Frame that acknowledged it, and the end of that frame; `None`: none was captured.
    pub ack: Option<(FrameId, Instant)>,
}

/// Reason why a message was in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// The message waited to be sent on: processing, queue, and the channel access before the first frame.
    Queue,
    /// The request was answered: processing, queue and channel access of the reply.
    Turnaround,
}

/// A message in a node, between its arrival and the first frame that took it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The node: position in [`super::Ladder::nodes`].
    pub node: usize,
    /// Time of its arrival in the node; for a turnaround, of the request's.
    pub from: Instant,
    /// Start of the first frame that took it on.
    pub until: Instant,
    /// Reason for the wait.
    pub kind: WaitKind,
}

/// Returns the legs of `message`, one for each of [`Message::hops`]; `request`: it goes from client to server.
pub(super) fn legs(trace: &Trace, nodes: &Nodes, message: &Message, request: bool) -> Vec<Leg> {
    let hops: Vec<Hop<'_>> = message.hops().collect();
    let leg = |(index, hop): (usize, &Hop<'_>)| {
        let (from, to) = nodes.ends(hop, request);
        let attempts = attempts(trace, hop);
        let same =
            |other: &Hop<'_>| (other.src(), other.dst(), other.hop_limit) == (hop.src(), hop.dst(), hop.hop_limit);
        Leg {
            from,
            to,
            before: before(&hops, index),
            sent: hop.sent,
            arrived: hop.arrived,
            delivery: hop.delivery,
            fragments: attempts.iter().map(|a| a.fragment + 1).max().unwrap_or(1),
            mac_delay: acknowledged(hop, &attempts).map(|at| at - hop.sent),
            attempts,
            duplicate: hop.src() != MacAddr::None && hops.iter().take(index).any(same),
            hop_limit: hop.hop_limit,
        }
    };
    hops.iter().enumerate().map(leg).collect()
}

/// Returns the position of the hop that took the message to the sender of hop `index`: the one with one hop more to go
/// (RFC 8200 §3), else any; of several the last one before.
fn before(hops: &[Hop<'_>], index: usize) -> Option<usize> {
    let hop = hops.get(index)?;
    if hop.src() == MacAddr::None {
        return None;
    }
    let leads = |other: &Hop<'_>| other.dst() == hop.src() && other.sent <= hop.sent;
    let routed = |other: &Hop<'_>| leads(other) && other.hop_limit.checked_sub(1) == Some(hop.hop_limit);
    let last = |which: &dyn Fn(&Hop<'_>) -> bool| hops.iter().take(index).rposition(which);
    last(&routed).or_else(|| last(&leads))
}

/// Returns the attempts of a hop, one for each of its frames.
fn attempts(trace: &Trace, hop: &Hop<'_>) -> Vec<Attempt> {
    let capture = &trace.capture;
    let read: Vec<(FrameId, usize, Option<u8>)> = hop
        .frames
        .iter()
        .map(|&id| {
            let (offset, seq) = piece(trace, id).unwrap_or_default();
            (id, offset, seq)
        })
        .collect();
    let mut offsets: Vec<usize> = read.iter().map(|r| r.1).collect();
    offsets.sort_unstable();
    offsets.dedup();
    let mut sent: BTreeMap<usize, usize> = BTreeMap::new();
    read.into_iter()
        .filter_map(|(id, offset, seq)| {
            let frame = capture.frames.get(id.index())?;
            let (delivery, ack) = trace.reception.of_frame(capture, id);
            let attempt = sent.entry(offset).or_default();
            *attempt += 1;
            Some(Attempt {
                frame: id,
                fragment: offsets.binary_search(&offset).unwrap_or_default(),
                attempt: *attempt,
                seq,
                start: frame.at,
                end: end_of(capture, id),
                delivery,
                ack: ack.map(|ack| (ack, end_of(capture, ack))),
            })
        })
        .collect()
}

/// Returns the offset in its datagram of the piece that frame `id` carries, and the frame's sequence number.
fn piece(trace: &Trace, id: FrameId) -> Option<(usize, Option<u8>)> {
    let octets = trace.capture.octets_of(trace.capture.frames.get(id.index())?);
    let header = MacHeader::parse(octets).ok()?;
    let payload = trace.keyring.payload(octets, &header).ok()?;
    let lowpan = LowpanView::parse(&payload, (header.src, header.dst)).ok()?;
    Some((lowpan.offset(), header.seq))
}

/// Returns the end of the acknowledgement that left no piece unacknowledged; `None` where a piece has none.
fn acknowledged(hop: &Hop<'_>, attempts: &[Attempt]) -> Option<Instant> {
    // A piece that never went on the air was not acknowledged.
    hop.arrived?;
    let mut first: BTreeMap<usize, Option<Instant>> = BTreeMap::new();
    for attempt in attempts {
        let acked = attempt.ack.map(|(_, at)| at);
        let known = first.entry(attempt.fragment).or_default();
        *known = match (*known, acked) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    let all: Option<Vec<Instant>> = first.into_values().collect();
    all?.into_iter().max()
}

/// Returns the waits of the message in nodes: only where its arrival was seen, and only until it was first sent on.
pub(super) fn waits(legs: &[Leg]) -> Vec<Wait> {
    let wait = |(index, leg): (usize, &Leg)| {
        let before = legs.get(leg.before?)?;
        let again = legs.iter().take(index).any(|other| other.before == leg.before);
        let from = before.arrived.filter(|&at| at <= leg.sent && before.delivery == Delivery::Yes && !again)?;
        Some(Wait { node: leg.from, from, until: leg.sent, kind: WaitKind::Queue })
    };
    legs.iter().enumerate().filter_map(wait).collect()
}

/// Returns the wait from the arrival of the request at the server's node to the first frame of the reply; `None` where
/// either was not seen.
pub(super) fn turnaround(arrived: Option<Instant>, first: Option<&Leg>, server: usize) -> Option<Wait> {
    let first = first.filter(|leg| leg.from == server)?;
    let from = arrived.filter(|&at| at <= first.sent)?;
    Some(Wait { node: server, from, until: first.sent, kind: WaitKind::Turnaround })
}
