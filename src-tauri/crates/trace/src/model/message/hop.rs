//! The hops of a message. For most messages off 802.15.4 only the hop limit has to be kept.

use super::{Delivery, Message};
use crate::model::list::FrameList;
use base::{FrameId, Instant};
use std::fmt;
use std::net::Ipv6Addr;
use std::ops::Range;
use std::sync::Arc;
use wire::ieee802154::MacAddr;

/// One link-layer hop of one message: all frames that carried it from one node to the next
/// (fragments and link-layer retries).
#[derive(Clone, Copy, PartialEq)]
pub struct Hop<'a> {
    nodes: Nodes,
    /// Frames in the order of the capture, retries included.
    pub frames: &'a [FrameId],
    /// Start of the first frame.
    pub sent: Instant,
    /// End of the frame that completed the datagram at the addressed node: the first link-layer-acknowledged (or, in a
    /// Cooja log, received) set of fragments, else the first complete one. `None` when a fragment never went on the
    /// air.
    pub arrived: Option<Instant>,
    /// Delivery to the addressed node.
    pub delivery: Delivery,
    /// IPv6 hop limit on this hop, or time to live of IPv4.
    pub hop_limit: u8,
}

/// Nodes of a hop; shared by all hops between them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Nodes {
    /// Node that transmitted the frames of the hop.
    pub src: MacAddr,
    /// Node that the frames are addressed to.
    pub dst: MacAddr,
    /// Destination in the IP header.
    pub header_dst: Ipv6Addr,
    /// True where the hop leads to the message's destination.
    pub reaches: bool,
}

impl Hop<'_> {
    /// Returns the transmitting node; [`MacAddr::None`] off 802.15.4.
    #[must_use]
    pub fn src(&self) -> MacAddr {
        self.nodes.src
    }

    /// Returns the addressed node; [`MacAddr::None`] off 802.15.4.
    #[must_use]
    pub fn dst(&self) -> MacAddr {
        self.nodes.dst
    }

    /// Returns the destination in the IP header on this hop: below a source route the next node (RFC 6554), else the
    /// message's destination.
    #[must_use]
    pub fn header_dst(&self) -> Ipv6Addr {
        self.nodes.header_dst
    }

    /// Returns whether it leads to the message's destination, by its link-layer address; false off 802.15.4.
    pub(crate) fn reaches(&self) -> bool {
        self.nodes.reaches
    }
}

impl fmt::Debug for Hop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, frames, sent, arrived, delivery, hop_limit } = self;
        f.debug_struct("Hop")
            .field("nodes", nodes)
            .field("frames", frames)
            .field("sent", sent)
            .field("arrived", arrived)
            .field("delivery", delivery)
            .field("hop_limit", hop_limit)
            .finish()
    }
}

/// A hop as it is kept, see [`Hop`].
#[derive(Clone, Debug)]
pub(crate) struct KeptHop {
    /// Transmitting and addressed node, shared by the hops between them.
    pub nodes: Arc<Nodes>,
    /// Frames in the order of the capture, retries included.
    pub frames: FrameList,
    /// Start of the first frame.
    pub sent: Instant,
    /// Arrival, as [`Hop::arrived`] defines it.
    pub arrived: Option<Instant>,
    /// Octets of all its frames, PHY header and FCS not counted.
    pub octets: u32,
    /// Delivery to the addressed node.
    pub delivery: Delivery,
    /// Hop limit of the IP header, 0 to 255.
    pub hop_limit: u8,
}

/// The hops of a message as they are kept.
#[derive(Clone, Debug)]
pub(crate) enum KeptHops {
    /// The hop of a message off 802.15.4 that came in one frame and whose IP header has the final destination; the
    /// message has the rest.
    Plain {
        /// Octets of that frame, link header included.
        octets: u32,
        /// Hop limit of the IP header, 0 to 255.
        hop_limit: u8,
    },
    /// All hops, first seen first; never empty.
    Chain(Box<[KeptHop]>),
}

// Millions of messages are held at once, most of them with one hop.
const _: () = assert!(size_of::<KeptHop>() <= 48 && size_of::<KeptHops>() <= 16);

/// The hops of a message, first seen first.
#[derive(Clone)]
pub struct Hops<'a> {
    message: &'a Message,
    rest: Range<usize>,
}

impl Message {
    /// Returns the hops that carried it, first seen first; never empty.
    #[must_use]
    pub fn hops(&self) -> Hops<'_> {
        let count = match &self.kept {
            KeptHops::Plain { .. } => 1,
            KeptHops::Chain(hops) => hops.len(),
        };
        Hops { message: self, rest: 0..count }
    }

    /// Returns the hop with this position in [`Message::hops`], from 0; `None` behind the last one.
    #[must_use]
    pub fn hop(&self, position: usize) -> Option<Hop<'_>> {
        match &self.kept {
            KeptHops::Plain { hop_limit, .. } => (position == 0).then(|| Hop {
                nodes: Nodes { src: MacAddr::None, dst: MacAddr::None, header_dst: self.dst().addr, reaches: false },
                frames: self.frame.as_slice(),
                sent: self.at,
                arrived: Some(self.at),
                delivery: Delivery::Unknown,
                hop_limit: *hop_limit,
            }),
            KeptHops::Chain(hops) => {
                let KeptHop { nodes, frames, sent, arrived, delivery, hop_limit, .. } = hops.get(position)?;
                let (sent, arrived, delivery, hop_limit) = (*sent, *arrived, *delivery, *hop_limit);
                Some(Hop { nodes: **nodes, frames, sent, arrived, delivery, hop_limit })
            }
        }
    }

    /// Returns its hops as they are kept, for loops over all messages. Empty where the message says all of its one hop,
    /// which then has no nodes.
    pub(crate) fn chain(&self) -> &[KeptHop] {
        match &self.kept {
            KeptHops::Plain { .. } => &[],
            KeptHops::Chain(hops) => hops,
        }
    }

    /// Returns the IP hop limit on the first hop seen.
    pub(crate) fn hop_limit(&self) -> u8 {
        match &self.kept {
            KeptHops::Plain { hop_limit, .. } => *hop_limit,
            // Never empty.
            KeptHops::Chain(hops) => hops.first().map_or(0, |hop| hop.hop_limit),
        }
    }

    /// Returns each hop with the next one; none off 802.15.4.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&KeptHop, &KeptHop)> {
        self.chain().iter().zip(self.chain().iter().skip(1))
    }

    /// Returns the octets of all frames over all hops and retries, PHY header and FCS not counted.
    #[must_use]
    pub fn octets(&self) -> u32 {
        match &self.kept {
            KeptHops::Plain { octets, .. } => *octets,
            KeptHops::Chain(hops) => hops.iter().fold(0, |sum, hop| sum.saturating_add(hop.octets)),
        }
    }
}

impl<'a> Iterator for Hops<'a> {
    type Item = Hop<'a>;

    fn next(&mut self) -> Option<Hop<'a>> {
        self.rest.next().and_then(|at| self.message.hop(at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl DoubleEndedIterator for Hops<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.rest.next_back().and_then(|at| self.message.hop(at))
    }
}

impl ExactSizeIterator for Hops<'_> {}

impl fmt::Debug for Hops<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
