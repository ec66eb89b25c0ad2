//! The medium that the clients of a record share: how long each copy occupies it, and which associations hear each
//! other.

use base::{ExchangeId, Instant, Span};

/// Two loads: the one under which a copy was lost or not, and the one to which the length of its round trip responded;
/// microseconds of airtime, or [`USUAL`].
pub(crate) type Load = [u32; 2];

/// Stands in place of a load for all loads that a path met together.
pub(crate) const USUAL: u32 = u32::MAX;

/// Hops of messages, as a capture shows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hops {
    /// Frames have no link-layer addresses.
    #[default]
    Unknown,
    /// Messages are seen on their way from node to node.
    Seen,
    /// Too many messages miss a hop on that way ([`twin::lacks_hops`]).
    Missing,
}

/// A node of the network that messages of several associations pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Name of the node.
    pub name: String,
    /// Positions of the associations in the record, ascending.
    pub paths: Vec<u32>,
}

/// Airtimes, hearing ranges and shared nodes of the medium, as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Medium {
    /// Airtime of copies and the replies to them, with all hops and link-layer retries; in order of exchange and time.
    airtimes: Vec<(ExchangeId, Instant, Span)>,
    /// Associations whose copies each one hears, itself included; empty: everybody hears everybody.
    hears: Vec<Vec<u32>>,
    /// Nodes that several associations pass, each set of associations once.
    nodes: Vec<Node>,
    hops: Hops,
}

impl Medium {
    /// Medium on which copies were as long on the air as `airtimes` says: exchange, moment of sending, time on the air
    /// over all hops with link-layer retries, the replies included; in any order. `hears`: by association, the
    /// positions of those whose copies it hears; empty where nothing is known: then everybody hears everybody.
    #[must_use]
    pub fn new(mut airtimes: Vec<(ExchangeId, Instant, Span)>, mut hears: Vec<Vec<u32>>) -> Self {
        airtimes.sort_unstable();
        for (own, heard) in (0..).zip(&mut hears) {
            heard.push(own);
            heard.sort_unstable();
            heard.dedup();
        }
        Self { airtimes, hears, nodes: Vec::new(), hops: Hops::default() }
    }

    /// Returns the medium with the nodes that messages pass, and what is seen of their hops.
    #[must_use]
    pub fn through(self, nodes: Vec<Node>, hops: Hops) -> Self {
        Self { nodes, hops, ..self }
    }

    /// Hops of messages, as the capture shows them.
    #[must_use]
    pub const fn hops(&self) -> Hops {
        self.hops
    }

    /// Nodes that several associations pass.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Restricts the medium to the associations at `positions`, ascending; these are then counted anew from 0.
    #[must_use]
    pub fn among(&self, positions: &[u32]) -> Self {
        let place = |old: &u32| positions.binary_search(old).ok().and_then(|new| u32::try_from(new).ok());
        let of = |&at: &u32| self.hears.get(at as usize).map(|heard| heard.iter().filter_map(place).collect());
        let hears = positions.iter().map_while(of).collect();
        let left = |node: &Node| Node { paths: node.paths.iter().filter_map(place).collect(), ..node.clone() };
        let nodes = self.nodes.iter().map(left).filter(|node| node.paths.len() > 1).collect();
        Self { airtimes: self.airtimes.clone(), hears, nodes, hops: self.hops }
    }

    /// Airtime of the copy of `exchange` that was sent at `sent`; `None` where it is not known.
    pub(crate) fn airtime(&self, exchange: ExchangeId, sent: Instant) -> Option<Span> {
        let at = self.airtimes.binary_search_by_key(&(exchange, sent), |&(e, at, _)| (e, at)).ok()?;
        self.airtimes.get(at).map(|a| a.2).filter(|&airtime| airtime > Span::ZERO)
    }

    /// Whether it is unknown which associations hear each other.
    pub(crate) const fn is_one_place(&self) -> bool {
        self.hears.is_empty()
    }

    /// Groups of associations that hear the same: the group of each association, and the positions of the associations
    /// heard in each group.
    pub(crate) fn groups(&self, associations: usize) -> (Vec<u32>, Vec<Vec<u32>>) {
        if self.hears.len() != associations {
            return (vec![0; associations], vec![(0..).take(associations).collect()]);
        }
        let mut heard: Vec<Vec<u32>> = self.hears.clone();
        heard.sort_unstable();
        heard.dedup();
        let group = |hears| heard.binary_search(hears).map_or(0, |i| i as u32);
        (self.hears.iter().map(group).collect(), heard)
    }
}
