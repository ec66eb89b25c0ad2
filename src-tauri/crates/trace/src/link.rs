//! Per frame: its MAC header, how long it was on the air, and whether the addressed node got it.

use crate::lookup::Map;
use crate::message::Delivery;
use crate::{Capture, Fcs, Frame, Link};
use base::{FrameId, Instant, Layer, Notes, Span};
use std::collections::VecDeque;
use std::iter::Peekable;
use std::slice;
use wire::ieee802154::{FrameType, MacAddr, MacHeader};

/// 802.15.4 O-QPSK at 2.4 GHz: 250 kbit/s, 32 µs an octet (IEEE 802.15.4-2020 table 12-1).
const OCTET_AIR_TIME: Span = Span::from_micros(32);

/// An acknowledgement follows its frame within the MAC's wait: 54 symbols of 16 µs in non-beacon
/// mode (macAckWaitDuration, IEEE 802.15.4-2006 7.4.2), 2.4 ms in TSCH (macTsTxAckDelay + macTsMaxAck,
/// IEEE 802.15.4-2020 table 8-96), and software ACKs of simulated nodes take as long; twice that is the limit here.
const ACK_WAIT: Span = Span::from_millis(6);

/// Unicast frames kept while their acknowledgement may still come.
const PENDING: usize = 32;

/// With at least this share of requested link-layer ACKs captured, a missing one means that the
/// frame was probably not received.
const ACKS_CAPTURED: (u64, u64) = (1, 2);

/// A channel carries one frame at a time within radio range. A network so wide that this many nodes send
/// at once, on average and for the whole capture, is less likely than time stamps of another event.
const PLAUSIBLE_REUSE: i64 = 4;

/// Warn when the frames could not have been sent within the time that their stamps span: a simulator that
/// stamps with the wall clock of its export (Cooja of Contiki 3.0 does), or a script that invents times.
pub(crate) fn doubt_times(capture: &Capture, notes: &mut Notes) {
    let Some((first, last)) = capture.window() else { return };
    let on_air: Span = (0..capture.frames.len())
        .map(FrameId::at)
        .filter(|&id| capture.twin_of(id).is_none())
        .map(|id| end_of(capture, id) - capture.frames.get(id.index()).map_or(Instant::ZERO, |f| f.at))
        .sum();
    let elapsed = last - first;
    if on_air > elapsed.scale(PLAUSIBLE_REUSE, 1) && capture.frames.len() > PENDING {
        notes.tally(Layer::Clock, "impossible-times", None, None, || {
            format!(
                "the frames are {on_air} long on the air, their time stamps span {elapsed}: they are not the times of \
                 sending, and timers, round trips and exchanges made of them mean nothing; of a Cooja run, open the \
                 Radio messages text log instead"
            )
        });
    }
}

/// When the last octet of frame `id` was on the air. Links without a known rate: its time stamp.
pub(crate) fn end_of(capture: &Capture, id: FrameId) -> Instant {
    capture.frames.get(id.index()).map_or(Instant::ZERO, |frame| match frame.link {
        Link::Ieee802154 => {
            frame.at + OCTET_AIR_TIME.scale(i64::from(frame.octets.end.saturating_sub(frame.octets.start)), 1)
        }
        Link::Ethernet | Link::RawIp | Link::Other(_) => frame.at,
    })
}

struct Waiting {
    frame: FrameId,
    seq: Option<u8>,
    src: MacAddr,
    end: Instant,
}

/// What is known of the acknowledgement of one frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// None was asked for, or the frame could not be read.
    Not,
    /// It was asked for and did not come.
    Silent,
    /// It came.
    Acked,
}

/// Reads the frames of a capture in order: MAC headers, and which of them were acknowledged.
pub(crate) struct Links<'a> {
    capture: &'a Capture,
    /// What was noted on the way, apart from the notes of the stages that run at the same time.
    pub notes: Notes,
    pending: VecDeque<Waiting>,
    waits: Vec<Wait>,
    /// The twins still to come, see [`Capture::twins`].
    twins: Peekable<slice::Iter<'a, (FrameId, FrameId)>>,
    /// Of a Cooja log: which mote has which address.
    motes: Map<MacAddr, u32>,
    requests: u64,
    acks: u64,
    /// The frame that the last acknowledgement was for.
    acked: Option<FrameId>,
}

/// Every link-layer acknowledgement of `capture` with the frame it is for, in order.
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
            pending: VecDeque::with_capacity(PENDING),
            waits: Vec::with_capacity(capture.frames.len()),
            twins: capture.twins.iter().peekable(),
            motes: Map::default(),
            requests: 0,
            acks: 0,
            acked: None,
        }
    }

    /// The MAC header of the next frame; `None` for other links, damaged headers, bad FCS and twins (see
    /// [`Capture::twins`]).
    pub fn next(&mut self, id: FrameId, frame: &Frame) -> Option<MacHeader> {
        let header = self.read(id, frame);
        let wait = header.as_ref().map_or(Wait::Not, |header| self.follow(id, frame, header));
        self.waits.push(wait);
        header
    }

    fn read(&mut self, id: FrameId, frame: &Frame) -> Option<MacHeader> {
        // Another source's record stands for the transmission of a twin: counted twice, it would look like a retry.
        while self.twins.next_if(|&&(twin, _)| twin < id).is_some() {}
        if frame.link != Link::Ieee802154 || self.twins.next_if(|&&(twin, _)| twin == id).is_some() {
            return None;
        }
        if frame.fcs == Fcs::Bad {
            self.notes.tally(Layer::Link, "bad-fcs", Some(id), None, || {
                "the frame check sequence does not match; the frame is kept and not decoded".to_owned()
            });
            return None;
        }
        match MacHeader::parse(self.capture.octets_of(frame)) {
            Ok(header) => {
                let mote = self.capture.sources.get(frame.source.index()).and_then(|source| source.mote);
                if let (MacAddr::Extended(_), Some(mote)) = (header.src, mote) {
                    self.motes.insert(header.src, mote);
                }
                Some(header)
            }
            Err(error) => {
                let at = Some(error.at as u64);
                self.notes.tally(Layer::Link, "malformed-mac-header", Some(id), at, || error.to_string());
                None
            }
        }
    }

    /// Match acknowledgements to the frames they acknowledge.
    fn follow(&mut self, id: FrameId, frame: &Frame, header: &MacHeader) -> Wait {
        if header.frame_type == FrameType::Ack {
            let hit = self.pending.iter().rposition(|w| {
                w.seq == header.seq
                    && (header.dst == MacAddr::None || header.dst == w.src)
                    && frame.at >= w.end - Span::from_millis(1)
                    && frame.at <= w.end + ACK_WAIT
            });
            if let Some(acked) = hit.and_then(|hit| self.pending.remove(hit)) {
                self.acks += 1;
                self.acked = Some(acked.frame);
                if let Some(wait) = self.waits.get_mut(acked.frame.index()) {
                    *wait = Wait::Acked;
                }
            }
            return Wait::Not;
        }
        if !wants_ack(header) {
            return Wait::Not;
        }
        self.requests += 1;
        if self.pending.len() == PENDING {
            self.pending.pop_front();
        }
        self.pending.push_back(Waiting { frame: id, seq: header.seq, src: header.src, end: end_of(self.capture, id) });
        Wait::Silent
    }

    /// Whether the addressed node got each frame.
    pub fn deliveries(self) -> Vec<Delivery> {
        let Self { capture, waits, motes, requests, acks, .. } = self;
        let acks_captured = requests > 0 && acks * ACKS_CAPTURED.1 >= requests * ACKS_CAPTURED.0;
        let heard = |index: usize| {
            let by = capture.heard(FrameId::at(index))?;
            let header = MacHeader::parse(capture.octets_of(capture.frames.get(index)?)).ok()?;
            motes.get(&header.dst).map(|mote| by.contains(mote))
        };
        let judge = |(index, &wait): (usize, &Wait)| match wait {
            Wait::Not => Delivery::Unknown,
            Wait::Silent | Wait::Acked => match (heard(index), wait == Wait::Acked) {
                // An ACK without addresses may be another frame's; who received this one, the log knows.
                (Some(false), _) => Delivery::No,
                (_, true) => Delivery::Yes,
                // The radio had it, the MAC did not answer: it dropped the frame, or the channel was taken.
                (Some(true), false) if acks_captured => Delivery::Unknown,
                (Some(true), false) => Delivery::Yes,
                (None, false) if acks_captured => Delivery::Unlikely,
                (None, false) => Delivery::Unknown,
            },
        };
        waits.iter().enumerate().map(judge).collect()
    }
}

fn wants_ack(header: &MacHeader) -> bool {
    header.frame_type != FrameType::Ack && header.ack_request && header.dst != MacAddr::BROADCAST
}
