//! Next hops of datagrams, by node, destination and time.

use super::NodeId;
use base::Instant;
use std::collections::BTreeMap;

/// Interval in which a node has no next hop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// Node that has no next hop.
    pub node: NodeId,
    /// Destination that it cannot reach; `None`: any.
    pub destination: Option<NodeId>,
    /// First moment of the interval, included.
    pub from: Instant,
    /// End of the interval, excluded.
    pub until: Instant,
}

/// Node, and the destination of an outage; `None`: all.
type Place = (NodeId, Option<NodeId>);

/// Next hops as recorded: from each moment on, one neighbour per node and destination.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Routes {
    hops: BTreeMap<(NodeId, NodeId), Vec<(Instant, NodeId)>>,
    /// Beginning and end of outages, by node and destination, in order of time.
    outages: BTreeMap<Place, Vec<(Instant, Instant)>>,
}

impl Routes {
    /// Creates routes from `seen`, in any order: time, node, destination, and the neighbour for which a datagram left
    /// the node.
    #[must_use]
    pub fn new(seen: impl IntoIterator<Item = (Instant, NodeId, NodeId, NodeId)>) -> Self {
        let mut hops: BTreeMap<(NodeId, NodeId), Vec<(Instant, NodeId)>> = BTreeMap::new();
        for (at, node, destination, next) in seen {
            hops.entry((node, destination)).or_default().push((at, next));
        }
        for list in hops.values_mut() {
            list.sort_unstable();
            list.dedup_by_key(|hop| hop.1);
        }
        Self { hops, outages: BTreeMap::new() }
    }

    /// Adds `outages`; those of one node and destination do not overlap.
    #[must_use]
    pub fn with_outages(mut self, outages: impl IntoIterator<Item = Outage>) -> Self {
        for Outage { node, destination, from, until } in outages {
            self.outages.entry((node, destination)).or_default().push((from, until));
        }
        for list in self.outages.values_mut() {
            list.sort_unstable();
        }
        self
    }

    /// Returns the outages, by node and destination (`None`, any destination, first), in order of time.
    pub fn outages(&self) -> impl Iterator<Item = Outage> {
        self.outages.iter().flat_map(|(&(node, destination), list)| {
            list.iter().map(move |&(from, until)| Outage { node, destination, from, until })
        })
    }

    fn is_out(&self, node: NodeId, destination: Option<NodeId>, at: Instant) -> bool {
        let Some(list) = self.outages.get(&(node, destination)) else { return false };
        let after = list.partition_point(|&(from, _)| from <= at);
        list.get(after.wrapping_sub(1)).is_some_and(|&(_, until)| at < until)
    }

    /// Returns the neighbour to which `node` hands a datagram for `destination` at `at`: the latest recorded by then,
    /// else the first. `None` where none is recorded, and in outages.
    #[must_use]
    pub fn next(&self, node: NodeId, destination: NodeId, at: Instant) -> Option<NodeId> {
        if !self.outages.is_empty() && (self.is_out(node, None, at) || self.is_out(node, Some(destination), at)) {
            return None;
        }
        let list = self.hops.get(&(node, destination))?;
        let after = list.partition_point(|&(since, _)| since <= at);
        list.get(after.saturating_sub(1)).map(|&(_, next)| next)
    }

    /// Returns all routes by node and destination: node, destination, and the neighbours in order of time, each with
    /// its beginning.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId, &[(Instant, NodeId)])> {
        self.hops.iter().map(|(&(node, destination), list)| (node, destination, list.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;

    #[test]
    fn the_latest_recorded_hop_counts() {
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        let routes = Routes::new([(at(30), 1, 9, 3), (at(10), 1, 9, 2), (at(20), 1, 9, 2)]);
        assert_eq!([0, 10, 29, 30, 99].map(|s| routes.next(1, 9, at(s))), [2, 2, 2, 3, 3].map(Some));
        assert_eq!(routes.next(2, 9, at(5)), None);
        let outages = [(Some(9), 12, 15), (None, 40, 41)].map(|(destination, from, until)| Outage {
            node: 1,
            destination,
            from: at(from),
            until: at(until),
        });
        let routes = routes.with_outages(outages);
        assert_eq!(
            [11, 12, 14, 15, 40, 41].map(|s| routes.next(1, 9, at(s)).is_some()),
            [true, false, false, true, false, true]
        );
    }
}
