//! Next hops of datagrams, by node, destination and time.

use super::NodeId;
use base::Instant;
use std::collections::BTreeMap;

/// Next hops as recorded: from each moment on, one neighbour per node and destination.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Routes {
    hops: BTreeMap<(NodeId, NodeId), Vec<(Instant, NodeId)>>,
}

impl Routes {
    /// Routes of `seen`: a datagram for a destination left a node for a neighbour at some moment. In any order.
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
        Self { hops }
    }

    /// Neighbour to which `node` hands a datagram for `destination` at `at`: the latest recorded by then, else the first. `None`
    /// where none is recorded.
    #[must_use]
    pub fn next(&self, node: NodeId, destination: NodeId, at: Instant) -> Option<NodeId> {
        let list = self.hops.get(&(node, destination))?;
        let after = list.partition_point(|&(since, _)| since <= at);
        list.get(after.saturating_sub(1)).map(|&(_, next)| next)
    }

    /// All routes: node, destination, and the neighbours with their beginnings.
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
    }
}
