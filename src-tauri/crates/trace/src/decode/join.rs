//! Hops to messages: every transmission by a sender once, followed over the nodes that carried it.
//!
//! A hop sent by the message's own source starts a message, unless the datagram had come back to it in
//! a routing loop. A hop sent by another node is that node forwarding: it belongs to the likeliest
//! message of the same content that reached the node with one hop more to go and was not forwarded by
//! it yet (see [`likeliest`]). A capture that begins mid-path sees neither; there, each hop on the
//! first link seen is a message of its own.

mod finish;

use super::datagram::{Arrivals, Datagrams, Facts, HopRecord, Seen, Shared};
use crate::lookup::Recent;
use crate::model::{Capture, Delivery, EXCHANGE_LIFETIME, Message};
use base::{Cancelled, FrameId, Instant, MessageId, SharedProgress, Span};
use std::cmp::Reverse;
use wire::ieee802154::MacAddr;

/// Most hops of messages of equal content that one hop is compared with, the youngest messages first. More within
/// EXCHANGE_LIFETIME are a flood.
/// Chosen here to bound time; `cargo test --release -p trace --test bounds bounded` holds the bound.
const MOST_COMPARED: u16 = 512;

/// Most hops of one message: as many as a hop limit allows (RFC 8200 §3). More are a flood, and begin another message.
const MOST_HOPS: u16 = 255;

/// Longest time that one hop missing from the capture takes. Chosen here: half the shortest time between two copies
/// that is recommended (RFC 8085 §3.1.1: 1 s), so that a hop is seldom taken for one of the next copy.
const MISSED_HOP: Span = Span::from_millis(500);

/// Messages joined from the hops of a capture.
pub(crate) struct Joined {
    /// Messages in order of first appearance; identifiers are positions.
    pub messages: Vec<Message>,
    /// Number of the path back, where there is one, by number of a path.
    pub back: Vec<Option<u32>>,
    /// Each frame that completes a message, with that message, in the order of the capture.
    pub sightings: Vec<(FrameId, MessageId)>,
}

/// Follows messages over their hops, and puts those off 802.15.4, which have one hop, among them. `deliveries`: by
/// frame; empty where none is known. In `progress` it is two stages of `units` each.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(crate) fn join(
    capture: &Capture,
    deliveries: &[Delivery],
    mut datagrams: Datagrams,
    mut shared: Shared,
    (progress, units): (&mut SharedProgress<'_>, u64),
) -> Result<Joined, Cancelled> {
    let wired = std::mem::take(&mut datagrams.wired);
    let reverse = |path: u32| datagrams.paths.value(path).and_then(|(src, dst)| datagrams.paths.find((dst, src)));
    let back = (0..datagrams.paths.len() as u32).map(reverse).collect();
    let (mut messages, mut sightings) = follow(capture, deliveries, datagrams, &mut shared, (progress, units))?;
    progress.ask()?;
    let followed = messages.len();
    if messages.is_empty() {
        messages = wired;
    } else {
        let behind = |(at, message)| Message { id: MessageId::at(followed + at), ..message };
        messages.extend(wired.into_iter().enumerate().map(behind));
    }
    sightings.extend(messages.iter().skip(followed).filter_map(|message| Some((message.frame?, message.id))));
    put_in_order(&mut messages, &mut sightings);
    progress.ask()?;
    sightings.sort_unstable();
    Ok(Joined { messages, back, sightings })
}

/// Sorts messages by their first transmission; identifiers are positions.
fn put_in_order(messages: &mut [Message], sightings: &mut [(FrameId, MessageId)]) {
    let key = |message: &Message| (message.at, message.hops().next().and_then(|hop| hop.frames.first().copied()));
    if messages.is_sorted_by_key(key) {
        return;
    }
    messages.sort_unstable_by_key(key);
    let mut places = vec![MessageId(0); messages.len()];
    for (at, message) in messages.iter_mut().enumerate() {
        places[message.id.index()] = MessageId::at(at);
        message.id = MessageId::at(at);
    }
    for (_, message) in sightings {
        *message = places[message.index()];
    }
}

/// Messages, and the frames that complete each with its identifier.
type Followed = (Vec<Message>, Vec<(FrameId, MessageId)>);

/// Returns the messages of all hops on 802.15.4, in the order of their first.
fn follow(
    capture: &Capture,
    deliveries: &[Delivery],
    mut datagrams: Datagrams,
    shared: &mut Shared,
    (progress, units): (&mut SharedProgress<'_>, u64),
) -> Result<Followed, Cancelled> {
    progress.list(units, datagrams.hops.len())?;
    datagrams.settle(capture, deliveries);
    let seen = std::mem::take(&mut datagrams.seen);
    let order = out_of_order(&datagrams);

    let mut joiner = Joiner {
        capture,
        deliveries,
        datagrams: &datagrams,
        drafts: Vec::with_capacity(datagrams.hops.len()),
        next: vec![NONE; datagrams.hops.len()],
        by_content: Recent::new(EXCHANGE_LIFETIME),
        drained: vec![Instant::MIN; datagrams.links.len()],
    };
    let mut draft_of: Vec<u32> = vec![NONE; datagrams.hops.len()];
    for position in 0..datagrams.hops.len() {
        progress.item(position)?;
        let hop = order.as_ref().map_or(position as u32, |order| order[position].2);
        draft_of[hop as usize] = joiner.add(hop);
    }
    let sighting = |seen: Seen| (seen.frame, MessageId(draft_of[seen.hop as usize]));
    let sightings = seen.into_iter().map(sighting).collect();
    // Gone before the messages are made, which is when most is held.
    drop((order, draft_of));
    // Sorted by first transmission already; identifiers are positions.
    let drafts = joiner.drafts.len();
    progress.list(units, drafts)?;
    let mut messages = Vec::with_capacity(drafts);
    for index in 0..drafts {
        progress.item(index)?;
        messages.push(joiner.finish(index, shared));
    }
    Ok((messages, sightings))
}

/// Returns start, first frame and position of all hops in the order of sending; `None` where they are in that order.
fn out_of_order(datagrams: &Datagrams) -> Option<Vec<(Instant, Option<FrameId>, u32)>> {
    let key = |hop: &HopRecord| (hop.sent, datagrams.frames(hop).next());
    if datagrams.hops.is_sorted_by_key(key) {
        return None;
    }
    let numbered = |(hop, number): (&HopRecord, u32)| (hop.sent, datagrams.frames(hop).next(), number);
    let mut order: Vec<_> = datagrams.hops.iter().zip(0..).map(numbered).collect();
    order.sort_unstable();
    Some(order)
}

/// Value in place of a position: no hop, no draft.
const NONE: u32 = u32::MAX;

/// A message being joined: a chain of hops.
#[derive(Clone, Copy)]
struct Draft {
    /// Position of its first hop.
    first: u32,
    /// Position of its last hop so far.
    last: u32,
    /// Number of its hops so far.
    hops: u16,
    from_origin: bool,
    /// Index of the draft of the same content before it; [`NONE`] where there is none.
    alike: u32,
}

struct Joiner<'a> {
    capture: &'a Capture,
    deliveries: &'a [Delivery],
    datagrams: &'a Datagrams,
    drafts: Vec<Draft>,
    /// Position of the next hop of its message, or [`NONE`], by hop.
    next: Vec<u32>,
    /// Last draft of each content within EXCHANGE_LIFETIME.
    by_content: Recent<Facts>,
    /// Latest time, by link, at which a datagram that its sender forwarded there had reached that sender.
    drained: Vec<Instant>,
}

impl<'a> Joiner<'a> {
    fn hop(&self, index: u32) -> &'a HopRecord {
        &self.datagrams.hops[index as usize]
    }

    fn ends(&self, hop: &HopRecord) -> (MacAddr, MacAddr) {
        self.datagrams.links.value(hop.link).unwrap_or_default()
    }

    fn src(&self, hop: &HopRecord) -> MacAddr {
        self.ends(hop).0
    }

    fn dst(&self, hop: &HopRecord) -> MacAddr {
        self.ends(hop).1
    }

    fn arrivals(&self, hop: &HopRecord) -> Arrivals {
        self.datagrams.arrivals(hop, self.capture, self.deliveries)
    }

    /// Returns the hops of a draft, in order.
    fn hops(&self, draft: u32) -> impl Iterator<Item = &'a HopRecord> + use<'a, '_> {
        let first = self.drafts[draft as usize].first;
        let next = |&hop: &u32| Some(self.next[hop as usize]).filter(|&next| next != NONE);
        std::iter::successors(Some(first), next).map(|hop| self.hop(hop))
    }

    /// Adds a hop to the message it belongs to, and returns that message's draft.
    fn add(&mut self, index: u32) -> u32 {
        let record = self.hop(index);
        if self.ends(record) == (MacAddr::None, MacAddr::None) {
            // Without addresses forwarding cannot be seen: the hop is a message of its own.
            return self.begin(index, true, NONE);
        }
        self.by_content.advance(record.sent);
        let alike = self.by_content.get(&record.facts).unwrap_or(NONE);
        if let Some(at) = self.place(record, alike) {
            let drained = &self.drained[record.link as usize];
            self.drained[record.link as usize] = (*drained).max(self.reached(at, record).1);
            let draft = &mut self.drafts[at as usize];
            self.next[draft.last as usize] = index;
            draft.last = index;
            draft.hops += 1;
            return at;
        }
        let from_origin = self.src(record) == MacAddr::None || self.is_origin(record);
        let at = self.begin(index, from_origin, alike);
        self.by_content.insert(record.facts, at);
        at
    }

    /// Begins a message with a hop, and returns its draft.
    fn begin(&mut self, index: u32, from_origin: bool, alike: u32) -> u32 {
        self.drafts.push(Draft { first: index, last: index, hops: 1, from_origin, alike });
        // At most as many as frames, which are numbered with 32 bits.
        (self.drafts.len() - 1) as u32
    }

    /// Returns the drafts of the same content within EXCHANGE_LIFETIME, `alike` and older, youngest first; at most
    /// [`MOST_COMPARED`] hops of them.
    fn recent(&self, record: &HopRecord, alike: u32) -> impl Iterator<Item = u32> + use<'_, 'a> {
        let sent = record.sent;
        let (mut draft, mut compared) = (alike, 0);
        std::iter::from_fn(move || {
            loop {
                let this = draft;
                let Draft { first, hops, alike, .. } = *self.drafts.get(this as usize)?;
                compared += hops;
                if compared > MOST_COMPARED || sent - self.hop(first).sent > EXCHANGE_LIFETIME {
                    return None;
                }
                draft = alike;
                if hops < MOST_HOPS {
                    return Some(this);
                }
            }
        })
    }

    /// Returns the draft that `record` is another hop of; `None` when it begins one.
    fn place(&self, record: &HopRecord, alike: u32) -> Option<u32> {
        let src = self.src(record);
        if src == MacAddr::None || alike == NONE {
            return None;
        }
        let recent = || self.recent(record, alike);
        let routed = recent().filter(|&d| self.awaits(d, src, record.hop_limit));
        // The source itself begins a message, unless the datagram came back to it in a routing loop.
        if self.is_origin(record) {
            return self.likeliest(routed, record);
        }
        let bridged = recent().filter(|&d| self.hops(d).all(|hop| self.src(hop) != src));
        // Already forwarded, or a fragment too many was missing from the capture: a duplicate of the latest.
        let touched = |&d: &u32| {
            let draft = &self.drafts[d as usize];
            (draft.from_origin || self.src(self.hop(draft.first)) != src)
                && self.hops(d).any(|hop| self.dst(hop) == src || self.src(hop) == src)
        };
        let by_hops = self.likeliest(routed, record).or_else(|| self.likeliest(bridged, record));
        by_hops.or_else(|| recent().find(|&d| self.skipped(d, record))).or_else(|| recent().find(touched))
    }

    /// Returns whether a draft was on its way to the node that sends `record`, and only hops in between are missing: as
    /// many as the hop limit says, of which none took long.
    fn skipped(&self, draft: u32, record: &HopRecord) -> bool {
        let last = self.hop(self.drafts[draft as usize].last);
        let between = i64::from(last.hop_limit) - i64::from(record.hop_limit) - 1;
        let src = self.src(record);
        between > 0
            && self.hops(draft).all(|hop| self.src(hop) != src && self.dst(hop) != src)
            && record.sent - last.sent <= MISSED_HOP.scale(between + 1, 1)
    }

    /// Returns which of `candidates` the node that sends `record` forwards. What surely reached it comes before what
    /// perhaps did, and what may still be in its queue before what the queue has gone past. Then the oldest, as
    /// forwarding queues are first in, first out; but of those that perhaps never reached the queue the youngest, as
    /// most stay there for less than the time between two copies.
    fn likeliest(&self, candidates: impl Iterator<Item = u32>, record: &HopRecord) -> Option<u32> {
        let drained = self.drained[record.link as usize];
        candidates
            .map(|d| (self.reached(d, record), d))
            .filter(|((delivery, _), _)| *delivery != Delivery::No)
            .max_by_key(|&((delivery, at), d)| {
                let sure = delivery == Delivery::Yes;
                (delivery, at >= drained, sure.then_some(Reverse(d)), d)
            })
            .map(|(_, d)| d)
    }

    /// Returns whether the transmitting node is the IPv6 source: its interface identifier is derived from its
    /// link-layer address (RFC 4944 §6).
    fn is_origin(&self, record: &HopRecord) -> bool {
        let Some((src, _)) = self.datagrams.paths.value(record.facts.path) else { return false };
        self.src(record).iid().is_some_and(|iid| src.addr.octets()[8..] == iid)
    }

    /// Returns whether a hop led to `node`, which sends it on with `limit` hops to go, and no hop on from there was
    /// seen. Routers take one from the hop limit (RFC 8200 §3), which distinguishes the two visits of a datagram that
    /// passes a node twice.
    fn awaits(&self, draft: u32, node: MacAddr, limit: u8) -> bool {
        self.hops(draft).any(|h| self.dst(h) == node && h.hop_limit.checked_sub(1) == Some(limit))
            && self.hops(draft).all(|h| (self.src(h), h.hop_limit) != (node, limit))
    }

    /// Returns the strongest evidence that a draft had reached the node that sends `record` by then, and the time of
    /// arrival.
    fn reached(&self, draft: u32, record: &HopRecord) -> (Delivery, Instant) {
        let src = self.src(record);
        let to_it = self.hops(draft).filter(|hop| self.dst(hop) == src);
        to_it.filter_map(|hop| self.arrivals(hop).by(record.sent)).max().unwrap_or((Delivery::No, Instant::MIN))
    }
}
