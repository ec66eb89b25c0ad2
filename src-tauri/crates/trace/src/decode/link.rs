//! MAC header of each frame, link-layer acknowledgements, and whether the addressed node got it.

use super::air_time::end_of;
use crate::lookup::{Map, Numbered};
use crate::model::{Capture, Delivery, Fcs, Frame, Link};
use base::{Cancelled, FrameId, Instant, Layer, Notes, SharedProgress, Span};
use std::collections::VecDeque;
use wire::ieee802154::{FrameType, MacAddr, MacHeader};

/// Longest time from the end of a frame to the start of its acknowledgement. Chosen here: beyond the wait of the MAC in
/// non-beacon mode (macAckWaitDuration, 54 symbols of 16 µs: IEEE 802.15.4-2006 7.4.2) and in TSCH (macTsTxAckDelay and
/// macTsMaxAck, IEEE 802.15.4-2020 table 8-96); software acknowledgements of simulated nodes take as long as those.
const ACK_WAIT: Span = Span::from_millis(6);

/// Most unicast frames that wait for their acknowledgement at once; the oldest gives way.
/// Chosen here: a node waits for one acknowledgement at a time, and fewer nodes send within one wait.
const PENDING: usize = 32;

/// Most by which a frame may stand before one that began earlier: Cooja writes a record when a transmission ends and
/// stamps it with its start, so that it is as much as the longest frame is on the air (127 octets), rounded up.
const OUT_OF_ORDER: Span = Span::from_millis(5);

/// Most frames behind one among which its acknowledgement is looked for. Chosen here to bound time: all stations in
/// range of a dense network together send fewer in [`ACK_WAIT`].
const NEARBY: usize = 256;

/// Least share (numerator, denominator) of the acknowledgements requested of a node that must have been captured for a
/// missing one to mean that the frame was probably not received.
/// Chosen here; `cargo test --release -p trace --test truth network` scores the losses that follow.
const ACKS_CAPTURED: (u64, u64) = (1, 8);

/// Largest share (numerator, denominator) of acknowledgements without the frame that they acknowledge at which a
/// capture is taken to have every frame of its network. One sniffer misses frames beyond its range, and some within it.
/// Chosen here; `cargo test --release -p trace --test truth sniffer` scores captures of sniffers that miss frames.
const UNMATCHED: (u64, u64) = (1, 200);

struct Waiting {
    frame: FrameId,
    seq: Option<u8>,
    src: MacAddr,
    end: Instant,
}

/// Acknowledgements requested of a node, and those that were captured.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    requests: u64,
    acks: u64,
}

/// Counts from which the frames that a capture lacks are estimated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Lacks {
    /// Number of acknowledgements whose frame is not in the capture.
    pub unmatched: u64,
    /// Number of all acknowledgements.
    pub acks: u64,
}

impl Lacks {
    /// Returns whether the capture is taken to have every frame that was sent.
    pub fn nothing(self) -> bool {
        self.unmatched * UNMATCHED.1 <= self.acks * UNMATCHED.0
    }

    /// Returns the estimated share of frames that are missing, 0 to 1; 0 without acknowledgements.
    pub fn share(self) -> f64 {
        self.unmatched as f64 / self.acks.max(1) as f64
    }
}

/// The frames whose acknowledgement may still come, oldest first.
#[derive(Default)]
struct Pending(VecDeque<Waiting>);

impl Pending {
    /// Adds frame `id`, which asks for an acknowledgement.
    fn expect(&mut self, capture: &Capture, id: FrameId, header: &MacHeader) {
        if self.0.len() == PENDING {
            self.0.pop_front();
        }
        let (src, end) = (header.src, end_of(capture, id));
        self.0.push_back(Waiting { frame: id, seq: header.seq, src, end });
    }

    /// Removes and returns the frame that the acknowledgement `ack` is for.
    fn answered(&mut self, ack: &Frame, header: &MacHeader) -> Option<Waiting> {
        let hit = self.0.iter().rposition(|w| {
            w.seq == header.seq
                && (header.dst == MacAddr::None || header.dst == w.src)
                && ack.at >= w.end - Span::from_millis(1)
                && ack.at <= w.end + ACK_WAIT
        });
        hit.and_then(|hit| self.0.remove(hit))
    }
}

/// Facts of the whole capture that tell whether the addressed node got a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reception {
    /// Mote id by extended address, from a Cooja log.
    motes: Map<MacAddr, u32>,
    /// Nodes of which acknowledgements were requested.
    asked: Numbered<MacAddr>,
    /// Acknowledgements of each node, by its number in `asked`.
    counts: Vec<Asked>,
}

impl Reception {
    /// Returns whether the addressed node got frame `id`, whose acknowledgement is `wait`.
    fn judge(&self, capture: &Capture, id: FrameId, wait: Wait) -> Delivery {
        if wait == Wait::NOT {
            return Delivery::Unknown;
        }
        let heard = || {
            let (by, mote) = (capture.heard(id)?, self.motes.get(&self.asked.value(wait.node() as u32)?)?);
            Some(by.contains(mote))
        };
        // Acknowledgements of a node beyond the sniffer's range are never captured: their absence says nothing.
        let acks_captured = || {
            let counts = self.counts.get(wait.node()).copied().unwrap_or_default();
            counts.acks * ACKS_CAPTURED.1 >= counts.requests * ACKS_CAPTURED.0
        };
        match (heard(), wait == wait.acked()) {
            // An ACK without addresses may be another frame's; who received this one, the log knows.
            (Some(false), _) => Delivery::No,
            (_, true) => Delivery::Yes,
            // The radio had it, the MAC did not answer: it dropped the frame, or the channel was taken.
            (Some(true), false) if acks_captured() => Delivery::Unknown,
            (Some(true), false) => Delivery::Yes,
            (None, false) if acks_captured() => Delivery::Unlikely,
            (None, false) => Delivery::Unknown,
        }
    }

    /// Returns number and counts of a node that should acknowledge.
    fn of(&mut self, node: MacAddr) -> (u32, &mut Asked) {
        let number = self.asked.number(node);
        let at = number as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, Asked::default());
        }
        (number, &mut self.counts[at])
    }

    /// Returns whether the addressed node got frame `id`, and the frame that acknowledged it. Only frames around it are
    /// read, so that the size of the capture does not matter; the result is that of [`Links`].
    pub fn of_frame(&self, capture: &Capture, id: FrameId) -> (Delivery, Option<FrameId>) {
        let mut pending = Pending::default();
        let mut wait = Wait::NOT;
        let until = end_of(capture, id) + ACK_WAIT + OUT_OF_ORDER;
        let first = id.index().saturating_sub(PENDING);
        for (index, frame) in capture.frames.iter().enumerate().skip(first).take(2 * PENDING + NEARBY) {
            let other = FrameId::at(index);
            if other > id && frame.at > until {
                break;
            }
            let usable =
                frame.link == Link::Ieee802154 && frame.fcs != Fcs::Bad && capture.first_sighting_of(other).is_none();
            let Some(header) = usable.then(|| MacHeader::parse(capture.octets_of(frame)).ok()).flatten() else {
                continue;
            };
            if header.frame_type == FrameType::Ack {
                if pending.answered(frame, &header).is_some_and(|acked| acked.frame == id) {
                    return (self.judge(capture, id, wait.acked()), Some(other));
                }
            } else if wants_ack(&header) {
                pending.expect(capture, other, &header);
                if other == id {
                    wait = self.asked.find(header.dst).map_or(Wait::NOT, Wait::of);
                }
            }
        }
        (self.judge(capture, id, wait), None)
    }
}

/// Acknowledgement of one frame: the number of the node that should send it, and in the lowest bit
/// whether it came.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wait(u32);

impl Wait {
    /// No acknowledgement was requested, or the frame could not be read.
    const NOT: Self = Self(u32::MAX);

    /// Requested of `node` and not seen. Each node came in a frame of seven octets or more, all in 4 GiB: numbers have
    /// 30 bits.
    const fn of(node: u32) -> Self {
        Self(node << 1)
    }

    /// Returns the same with the acknowledgement seen.
    const fn acked(self) -> Self {
        Self(self.0 | 1)
    }

    /// Returns the number of the node that should acknowledge.
    const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// The link layer of one pass over all frames, in the order of sending: parses MAC headers and matches
/// acknowledgements.
pub(crate) struct Links<'a> {
    capture: &'a Capture,
    /// Notes of the link layer.
    pub notes: Notes,
    /// Header of the frame that was read last.
    header: MacHeader,
    pending: Pending,
    /// Acknowledgement of each frame; empty until a frame asks for one, as off 802.15.4.
    waits: Vec<Wait>,
    /// Facts of the whole capture, as far as it was read.
    reception: Reception,
    /// Acknowledgements with and without their frame.
    pub lacks: Lacks,
    /// Frame that the last acknowledgement was for.
    acked: Option<FrameId>,
}

/// Returns every link-layer acknowledgement of `capture` with the frame it is for, as (acknowledgement, frame), in the
/// order of the capture.
#[must_use]
pub fn acknowledgements(capture: &Capture) -> Vec<(FrameId, FrameId)> {
    let mut links = Links::new(capture);
    let mut pairs = Vec::new();
    for (index, frame) in capture.frames.iter().enumerate() {
        let id = FrameId::at(index);
        links.next(id, frame);
        pairs.extend(links.acked.take().map(|acked| (id, acked)));
    }
    pairs
}

impl<'a> Links<'a> {
    pub fn new(capture: &'a Capture) -> Self {
        Self {
            capture,
            notes: Notes::new(),
            header: MacHeader::BLANK,
            pending: Pending(VecDeque::with_capacity(PENDING)),
            waits: Vec::new(),
            reception: Reception::default(),
            lacks: Lacks::default(),
            acked: None,
        }
    }

    /// Returns the MAC header of the next frame; `None` for other links, damaged headers, bad FCS and duplicates (see
    /// [`Capture::duplicates`]).
    pub fn next(&mut self, id: FrameId, frame: &Frame) -> Option<&MacHeader> {
        // Another source's record stands for the transmission of a duplicate: counted twice, it would look like a
        // retry.
        if frame.link != Link::Ieee802154 || self.capture.first_sighting_of(id).is_some() {
            return None;
        }
        if frame.fcs == Fcs::Bad {
            self.notes.tally(Layer::Link, "bad-fcs", Some(id), None, || {
                "the frame check sequence does not match; the frame is kept and not decoded".to_owned()
            });
            return None;
        }
        if let Err(error) = self.header.parse_next(self.capture.octets_of(frame)) {
            let at = Some(error.at as u64);
            self.notes.tally(Layer::Link, "malformed-mac-header", Some(id), at, || error.to_string());
            return None;
        }
        let mote = self.capture.sources.get(frame.source.index()).and_then(|source| source.mote);
        if let (MacAddr::Extended(_), Some(mote)) = (self.header.src, mote) {
            self.reception.motes.insert(self.header.src, mote);
        }
        self.follow(id, frame);
        Some(&self.header)
    }

    /// Matches acknowledgements to the frames they acknowledge.
    fn follow(&mut self, id: FrameId, frame: &Frame) {
        let header = &self.header;
        if header.frame_type == FrameType::Ack {
            let acked = self.pending.answered(frame, header);
            self.lacks.acks += 1;
            self.lacks.unmatched += u64::from(acked.is_none());
            if let Some(acked) = acked {
                self.acked = Some(acked.frame);
                if let Some(wait) = self.waits.get_mut(acked.frame.index()) {
                    *wait = wait.acked();
                    if let Some(counts) = self.reception.counts.get_mut(wait.node()) {
                        counts.acks += 1;
                    }
                }
            }
            return;
        }
        if !wants_ack(header) {
            return;
        }
        let (node, counts) = self.reception.of(header.dst);
        counts.requests += 1;
        self.pending.expect(self.capture, id, header);
        if self.waits.is_empty() {
            self.waits = vec![Wait::NOT; self.capture.frames.len()];
        }
        if let Some(wait) = self.waits.get_mut(id.index()) {
            *wait = Wait::of(node);
        }
    }

    /// Returns whether an acknowledgement of frame `id`, which was read already, was captured.
    pub fn is_acknowledged(&self, id: FrameId) -> bool {
        self.waits.get(id.index()).is_some_and(|&wait| wait != Wait::NOT && wait == wait.acked())
    }

    /// Returns whether the addressed node got each frame, by frame, and the facts that tell it of single frames. The
    /// list is empty where no frame asked for an acknowledgement.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn deliveries(self, progress: &SharedProgress<'_>) -> Result<(Vec<Delivery>, Reception), Cancelled> {
        let Self { capture, waits, reception, .. } = self;
        let mut deliveries = Vec::with_capacity(waits.len());
        for (index, &wait) in waits.iter().enumerate() {
            progress.item(index)?;
            deliveries.push(reception.judge(capture, FrameId::at(index), wait));
        }
        Ok((deliveries, reception))
    }
}

/// Returns whether a frame asks its addressee for an acknowledgement; those to the broadcast address are never
/// acknowledged.
pub(crate) fn wants_ack(header: &MacHeader) -> bool {
    header.frame_type != FrameType::Ack && header.ack_request && header.dst != MacAddr::BROADCAST
}
