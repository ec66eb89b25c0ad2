//! Frames on the air, in order of time, with their nodes and acknowledgements.

use crate::model::NodeId;
use base::{Cancelled, FrameId, Instant, SharedProgress, Span};
use std::collections::{BTreeMap, BTreeSet};
use trace::{Fcs, FrameType, Link, MacAddr, Trace};
use wire::ieee802154::MacHeader;

/// Air time of an octet at 250 kbit/s (IEEE Std 802.15.4-2020, 12.2.2).
pub(super) const OCTET: Span = Span::from_micros(32);

/// Air time of the longest frame (aMaxPHYPacketSize, IEEE Std 802.15.4-2020, 11.3), preamble and length included.
const LONGEST: Span = Span::from_micros(133 * 32);

/// Node that is not known, or none.
pub(super) const NOBODY: NodeId = NodeId::MAX;

/// One frame on the air, with its length and its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AirFrame {
    /// Number of its record in the capture.
    pub id: FrameId,
    /// Time stamp of the frame, taken as its start.
    pub at: Instant,
    /// Start plus the air time of its octets without frame check sequence.
    pub end: Instant,
    /// Sender; of an acknowledgement the node that it came from, if its frame is known.
    pub from: NodeId,
    /// Addressee; [`NOBODY`]: broadcast or not known.
    pub to: NodeId,
    /// Frame type of its MAC header.
    pub kind: FrameType,
    /// Sequence number; `None` where it is suppressed.
    pub seq: Option<u8>,
    /// Length without frame check sequence, octets.
    pub octets: u16,
    /// Whether it asks for an acknowledgement from one node.
    pub asks: bool,
    /// Position in [`Air::frames`] of the acknowledgement; `None` where there is none.
    pub acknowledgement: Option<u32>,
}

/// All readable 802.15.4 frames of a capture.
#[derive(Debug, Default)]
pub(super) struct Air {
    /// Link-layer addresses of the nodes, in ascending order.
    pub nodes: Vec<MacAddr>,
    /// The frames, in order of time; acknowledgements are among them.
    pub frames: Vec<AirFrame>,
    /// Position in `frames`, by frame of the capture; [`NOWHERE`] for others.
    place: Vec<u32>,
}

/// Place of a frame that is not in [`Air::frames`].
const NOWHERE: u32 = u32::MAX;

impl Air {
    /// Reads the frames of `trace` that are neither damaged nor seen twice.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn read(trace: &Trace, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let capture = &trace.capture;
        let mut seen = Vec::with_capacity(capture.frames.len());
        let mut nodes = BTreeSet::new();
        let mut header = MacHeader::BLANK;
        for (index, frame) in capture.frames.iter().enumerate() {
            progress.ask_at(index)?;
            let id = FrameId::at(index);
            let is_usable =
                frame.link == Link::Ieee802154 && frame.fcs != Fcs::Bad && capture.first_sighting_of(id).is_none();
            if is_usable && header.parse_next(capture.octets_of(frame)).is_ok() {
                let MacHeader { frame_type, seq, src, dst, ack_request, .. } = header;
                nodes.extend([src, dst].into_iter().filter(|&mac| is_node(mac)));
                seen.push((id, frame_type, seq, (src, dst), ack_request));
            }
        }
        let nodes: Vec<MacAddr> = nodes.into_iter().take(usize::from(NOBODY)).collect();
        progress.ask()?;
        let number = |mac: MacAddr| nodes.binary_search(&mac).map_or(NOBODY, |at| at as NodeId);
        let frames: Vec<AirFrame> = seen
            .into_iter()
            .filter_map(|(id, kind, seq, (src, dst), asks)| {
                let frame = capture.frames.get(id.index())?;
                let octets = u16::try_from(frame.octets.end.saturating_sub(frame.octets.start)).unwrap_or(u16::MAX);
                let is_ack = kind == FrameType::Ack;
                Some(AirFrame {
                    id,
                    at: frame.at,
                    end: frame.at + OCTET.scale(i64::from(octets), 1),
                    from: if is_ack { NOBODY } else { number(src) },
                    to: number(dst),
                    kind,
                    seq,
                    octets,
                    asks: !is_ack && asks && is_node(dst),
                    acknowledgement: None,
                })
            })
            .collect();
        progress.ask()?;
        Ok(Self::new(nodes, frames, capture.frames.len(), trace::acknowledgements(capture)))
    }

    /// Creates the value from frames in any order, whose identifiers are below `count`, and pairs of an acknowledgement
    /// and the frame that it belongs to.
    pub fn new(
        nodes: Vec<MacAddr>,
        mut frames: Vec<AirFrame>,
        count: usize,
        acknowledgements: impl IntoIterator<Item = (FrameId, FrameId)>,
    ) -> Self {
        frames.sort_by_key(|frame| (frame.at, frame.id));
        let mut place = vec![NOWHERE; count];
        for (frame, at) in frames.iter().zip(0_u32..) {
            if let Some(slot) = place.get_mut(frame.id.index()) {
                *slot = at;
            }
        }
        let mut air = Self { nodes, frames, place };
        for (ack, acked) in acknowledgements {
            air.match_acknowledgement(ack, acked);
        }
        air
    }

    /// Returns the frames before `until` alone, of the same nodes.
    pub fn before(mut self, until: Instant) -> Self {
        self.frames.truncate(self.frames.partition_point(|frame| frame.at < until));
        let left = self.frames.len();
        let is_left = |at: u32| (at as usize) < left;
        self.place.iter_mut().filter(|at| !is_left(**at)).for_each(|at| *at = NOWHERE);
        for frame in &mut self.frames {
            frame.acknowledgement = frame.acknowledgement.filter(|&at| is_left(at));
        }
        self
    }

    fn match_acknowledgement(&mut self, ack: FrameId, acked: FrameId) {
        let (Some(ack_at), Some(at)) = (self.place_of(ack), self.place_of(acked)) else { return };
        let Some(frame) = self.frames.get_mut(at as usize) else { return };
        frame.acknowledgement = Some(ack_at);
        let (from, to) = (frame.from, frame.to);
        if let Some(ack) = self.frames.get_mut(ack_at as usize) {
            (ack.from, ack.to) = (to, from);
        }
    }

    /// Returns the position in `frames` of a frame of the capture; `None` where it is not a frame on the air.
    pub fn place_of(&self, id: FrameId) -> Option<u32> {
        self.place.get(id.index()).copied().filter(|&at| at != NOWHERE)
    }

    /// Returns the frame at a position, from 0; `None` behind the last one.
    pub fn frame(&self, at: u32) -> Option<&AirFrame> {
        self.frames.get(at as usize)
    }

    /// Returns the positions of the frames that start within `from` (included) and `to` (excluded).
    pub fn starting(&self, from: Instant, to: Instant) -> std::ops::Range<usize> {
        let first = self.frames.partition_point(|frame| frame.at < from);
        let last = self.frames.partition_point(|frame| frame.at < to);
        first..last.max(first)
    }

    /// Returns the frames other than `own` that are on the air at some moment of `from` to `to`, with their positions.
    pub fn overlapping(&self, own: u32, from: Instant, to: Instant) -> impl Iterator<Item = (u32, &AirFrame)> {
        let range = self.starting(from - LONGEST, to);
        let frames = self.frames.get(range.clone()).unwrap_or_default();
        let numbered = (range.start as u32..).zip(frames);
        numbered.filter(move |&(at, frame)| at != own && frame.end > from)
    }

    /// Returns the number of the node with a link-layer address; `None` where no frame has that address.
    pub fn node(&self, mac: MacAddr) -> Option<NodeId> {
        self.nodes.binary_search(&mac).ok().map(|at| at as NodeId)
    }

    /// Returns the number of frames that asked for an acknowledgement, and of those of them that have one.
    pub fn acknowledged(&self) -> (u64, u64) {
        let asked = self.frames.iter().filter(|frame| frame.asks);
        asked.fold((0, 0), |(all, with), frame| (all + 1, with + u64::from(frame.acknowledgement.is_some())))
    }
}

fn is_node(mac: MacAddr) -> bool {
    !matches!(mac, MacAddr::None | MacAddr::BROADCAST)
}

/// Small tables, in order of their keys.
pub(super) type Table<K, V> = BTreeMap<K, V>;
/// Successes and trials of ordered pairs of nodes.
pub(super) type Tally = Table<(NodeId, NodeId), (u64, u64)>;
