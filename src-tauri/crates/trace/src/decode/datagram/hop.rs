//! Record of one link-layer hop of one CoAP message, and what its frames say together.

use crate::decode::air_time::end_of;
use crate::lookup::Numbered;
use crate::model::{Capture, Delivery, Endpoint, Message};
use base::{FrameId, Instant};
use std::hash::{Hash, Hasher};
use std::net::Ipv6Addr;
use std::num::NonZeroU32;
use wire::coap::{Code, Token, Type};
use wire::ieee802154::MacAddr;

/// Fields of a CoAP message that are equal on all its hops; they identify it among messages of the same path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    /// Number of its source and final destination, see [`Datagrams::paths`].
    pub path: u32,
    /// Message ID of CoAP, 16 bits.
    pub mid: u16,
    /// Type: CON, NON, ACK or RST.
    pub kind: Type,
    /// Code: method, response code, or 0.00 (Empty).
    pub code: Code,
    /// Token; may be empty.
    pub token: Token,
    /// Value of the retransmission-count option: 0 for the original, 1 for the first retransmission; `None` without the
    /// option.
    pub rc: Option<u8>,
}

/// Hashes two words, token and the rest: every hop is looked up by its facts.
impl Hash for Facts {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [path, mid] = [u64::from(self.path), u64::from(self.mid)];
        let small = u64::from(self.code.0) << 8 | (self.kind as u64) << 4 | u64::from(self.rc.unwrap_or(0));
        state.write_u64(path << 32 | mid << 16 | small);
        self.token.hash(state);
    }
}

/// One link-layer hop of one CoAP message. A capture of a million frames may have as many, so that it has no list of
/// its own, and numbers in place of values that repeat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HopRecord {
    /// Fields that all hops of the message share.
    pub facts: Facts,
    /// Number of its transmitting and addressed node, see [`Datagrams::links`].
    pub link: u32,
    /// Number of the destination in the IPv6 header plus 1, see [`Datagrams::addresses`]; `None` where it is the final
    /// destination.
    pub header_dst: Option<NonZeroU32>,
    /// IPv6 hop limit, or time to live of IPv4.
    pub hop_limit: u8,
    /// Length of the CoAP payload, octets.
    pub payload: u16,
    /// Octets of all its frames, retries included, without PHY header and FCS; 0 until [`Datagrams::settle`].
    pub octets: u32,
    /// Range (start, end) of its frames in [`Datagrams::parts`]; (0, 0) until [`Datagrams::settle`].
    pub parts: (u32, u32),
    /// Position in [`Datagrams::arrivals`], set by [`Datagrams::settle`] where it has several frames; else 0 without
    /// meaning.
    pub arrivals: u32,
    /// Start of its first frame.
    pub sent: Instant,
    /// Frame that completed it; `None` when a fragment never went on the air.
    pub completed: Option<FrameId>,
}

// All hops are held at once, until messages are made of them.
const _: () = assert!(size_of::<HopRecord>() <= 64);

/// A frame of a hop, with the piece of the datagram it carried: retries carry the same piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Position of the hop in [`Datagrams::hops`].
    pub hop: u32,
    /// Frame that carried the piece.
    pub frame: FrameId,
    /// Position of the piece in its reassembly, from 0 in order of first appearance; 0 for a datagram in one frame.
    pub piece: u16,
}

/// A frame that completes a CoAP message: what a packet list shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Frame that completes the message on this hop.
    pub frame: FrameId,
    /// Position of the hop it completes in [`Datagrams::hops`].
    pub hop: u32,
}

/// All CoAP hops of a capture.
pub(crate) struct Datagrams {
    /// Messages off 802.15.4, where a datagram is a message and nothing remains to be joined; identifiers are positions
    /// here.
    pub wired: Vec<Message>,
    /// Hops on 802.15.4, in the order in which they were completed or given up.
    pub hops: Vec<HopRecord>,
    /// Frames of all hops; once settled, hop by hop and in the order of the capture.
    pub parts: Vec<Part>,
    /// Frames that complete a message, retries included, in the order of sending.
    pub seen: Vec<Seen>,
    /// Source and final destination of messages.
    pub paths: Numbered<(Endpoint, Endpoint)>,
    /// Sending and addressed node of hops.
    pub links: Numbered<(MacAddr, MacAddr)>,
    /// Destinations in IP headers.
    pub addresses: Numbered<Ipv6Addr>,
    /// Arrivals of the hops with several frames.
    pub arrivals: Vec<Arrivals>,
}

/// Times at which the receiver of a hop had all of a datagram, one for each strength of evidence.
///
/// A frame without an ACK may have arrived all the same, before the retry that was acknowledged: what the node does
/// next can come between the two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrivals {
    /// The earliest time by which every piece had been sent in a frame with at least this evidence, weakest first;
    /// [`Self::NEVER`] where one never was.
    levels: [Instant; LEVELS.len()],
}

/// Strengths of evidence, weakest first.
const LEVELS: [Delivery; 4] = [Delivery::No, Delivery::Unlikely, Delivery::Unknown, Delivery::Yes];

impl Arrivals {
    /// Value in place of a time that never came.
    const NEVER: Instant = Instant::MAX;
    /// Arrivals of a datagram of which not all pieces were sent.
    const NONE: Self = Self { levels: [Self::NEVER; LEVELS.len()] };

    fn known(&self) -> impl DoubleEndedIterator<Item = (Delivery, Instant)> {
        LEVELS.into_iter().zip(self.levels).filter(|&(_, at)| at != Self::NEVER)
    }

    /// Returns the strongest evidence of arrival, and its time; `None` when a piece never went on the air.
    pub fn best(&self) -> Option<(Delivery, Instant)> {
        self.known().next_back()
    }

    /// Returns the strongest evidence that it had arrived by `now`, and the time of arrival; `None` when there is none.
    pub fn by(&self, now: Instant) -> Option<(Delivery, Instant)> {
        self.known().rev().find(|&(_, at)| at <= now)
    }

    /// Adds a frame of the only piece, which ended at `at`.
    fn sent(&mut self, evidence: Delivery, at: Instant) {
        for (level, first) in LEVELS.into_iter().zip(&mut self.levels) {
            if evidence >= level {
                *first = (*first).min(at);
            }
        }
    }

    /// Returns the arrivals of a datagram: those of its last piece.
    fn of_pieces(pieces: &[Self]) -> Self {
        let last = |level: usize| pieces.iter().map(|piece| piece.levels[level]).max().unwrap_or(Self::NEVER);
        Self { levels: std::array::from_fn(last) }
    }
}

impl Datagrams {
    /// Sets `sent`, `octets`, `parts` and `arrivals` of each hop from its frames. `deliveries`: by frame; empty where
    /// none is known.
    pub fn settle(&mut self, capture: &Capture, deliveries: &[Delivery]) {
        self.gather();
        let mut pieces: Vec<Arrivals> = Vec::new();
        for hop in &mut self.hops {
            let (from, to) = hop.parts;
            let parts = self.parts.get(from as usize..to as usize).unwrap_or_default();
            let several = parts.len() > 1;
            pieces.clear();
            let mut first = Instant::MAX;
            for part in parts {
                let Some(frame) = capture.frames.get(part.frame.index()) else { continue };
                first = first.min(frame.at);
                hop.octets = hop.octets.saturating_add(frame.octets.end.saturating_sub(frame.octets.start));
                if hop.completed.is_none() || !several {
                    continue;
                }
                let piece = usize::from(part.piece);
                if pieces.len() <= piece {
                    pieces.resize(piece + 1, Arrivals::NONE);
                }
                let evidence = deliveries.get(part.frame.index()).copied().unwrap_or(Delivery::Unknown);
                if let Some(piece) = pieces.get_mut(piece) {
                    piece.sent(evidence, end_of(capture, part.frame));
                }
            }
            if first != Instant::MAX {
                hop.sent = first;
            }
            if several {
                // Fewer than frames, which are numbered with 32 bits.
                hop.arrivals = self.arrivals.len() as u32;
                self.arrivals.push(Arrivals::of_pieces(&pieces));
            }
        }
    }

    /// Returns the times at which the receiver of `hop` had it; valid after [`Self::settle`].
    pub fn arrivals(&self, hop: &HopRecord, capture: &Capture, deliveries: &[Delivery]) -> Arrivals {
        let (from, to) = hop.parts;
        match self.parts.get(from as usize..to as usize) {
            Some([part]) if hop.completed.is_some() => {
                let mut arrivals = Arrivals::NONE;
                let evidence = deliveries.get(part.frame.index()).copied().unwrap_or(Delivery::Unknown);
                arrivals.sent(evidence, end_of(capture, part.frame));
                arrivals
            }
            Some([_, _, ..]) => self.arrivals.get(hop.arrivals as usize).copied().unwrap_or(Arrivals::NONE),
            _ => Arrivals::NONE,
        }
    }

    /// Brings the frames of each hop together, in the order of the capture.
    fn gather(&mut self) {
        let is_gathered = self.parts.is_sorted_by_key(|part| part.hop);
        for part in &self.parts {
            if let Some(hop) = self.hops.get_mut(part.hop as usize) {
                hop.parts.1 += 1;
            }
        }
        let mut place = 0;
        for hop in &mut self.hops {
            let count = hop.parts.1;
            // Their beginning; the end moves behind each that is put there.
            hop.parts = (place, if is_gathered { place + count } else { place });
            place += count;
        }
        let parts = if is_gathered { Vec::new() } else { self.parts.clone() };
        for part in &parts {
            let Some(hop) = self.hops.get_mut(part.hop as usize) else { continue };
            if let Some(place) = self.parts.get_mut(hop.parts.1 as usize) {
                *place = *part;
            }
            hop.parts.1 += 1;
        }
        // They came in the order of sending, which is another one where several sniffers wrote one file.
        for hop in &self.hops {
            if let Some(parts) = self.parts.get_mut(hop.parts.0 as usize..hop.parts.1 as usize) {
                parts.sort_unstable_by_key(|part| part.frame);
            }
        }
    }

    /// Returns the frames of `hop`, in the order of the capture; valid after [`Self::settle`].
    pub fn frames(&self, hop: &HopRecord) -> impl Iterator<Item = FrameId> {
        let (from, to) = hop.parts;
        self.parts.get(from as usize..to as usize).unwrap_or_default().iter().map(|part| part.frame)
    }
}
