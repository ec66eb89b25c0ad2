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

/// Lists by node and destination, in this order. Every datagram of a simulation looks up one on each hop.
#[derive(Clone, PartialEq, Debug)]
struct ByNode<D, T> {
    lists: Vec<((NodeId, D), Vec<T>)>,
    /// Position in `lists` of the first one of each node, and behind the last node their number.
    first: Vec<usize>,
}

impl<D, T> Default for ByNode<D, T> {
    fn default() -> Self {
        Self { lists: Vec::new(), first: Vec::new() }
    }
}

impl<D: Copy + Ord, T> ByNode<D, T> {
    fn new(lists: BTreeMap<(NodeId, D), Vec<T>>) -> Self {
        let lists: Vec<_> = lists.into_iter().collect();
        let behind = lists.last().map_or(0, |((node, _), _)| usize::from(*node) + 1);
        let first = (0..=behind).map(|node| lists.partition_point(|((own, _), _)| usize::from(*own) < node)).collect();
        Self { lists, first }
    }

    /// Returns the list of `node` and `destination`; empty where there is none.
    fn get(&self, node: NodeId, destination: D) -> &[T] {
        let place = usize::from(node);
        let range = self.first.get(place).zip(self.first.get(place + 1)).map_or(0..0, |(&from, &to)| from..to);
        let own = self.lists.get(range).unwrap_or_default();
        let found = own.binary_search_by_key(&destination, |((_, destination), _)| *destination);
        found.ok().and_then(|at| own.get(at)).map_or(&[], |(_, list)| list)
    }
}

/// Next hops as recorded: from each moment on, one neighbour per node and destination.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Routes {
    hops: ByNode<NodeId, (Instant, NodeId)>,
    /// Beginning and end of outages, by node and destination (`None`: all), in order of time.
    outages: ByNode<Option<NodeId>, (Instant, Instant)>,
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
        Self { hops: ByNode::new(hops), outages: ByNode::default() }
    }

    /// Adds `outages`; those of one node and destination do not overlap.
    #[must_use]
    pub fn with_outages(mut self, outages: impl IntoIterator<Item = Outage>) -> Self {
        let mut all: BTreeMap<_, Vec<(Instant, Instant)>> =
            std::mem::take(&mut self.outages.lists).into_iter().collect();
        for Outage { node, destination, from, until } in outages {
            all.entry((node, destination)).or_default().push((from, until));
        }
        all.values_mut().for_each(|list| list.sort_unstable());
        self.outages = ByNode::new(all);
        self
    }

    /// Makes each outage as many times as long as `times` says of its beginning, around its middle; 0: there is none.
    /// Those of one node and destination that then overlap become one.
    #[must_use]
    pub fn with_longer_outages(mut self, times: impl Fn(Instant) -> u32) -> Self {
        for (_, list) in &mut self.outages.lists {
            let longer = |&(from, until): &(Instant, Instant)| {
                let times = i64::from(times(from));
                let more = (until - from).scale(times - 1, 2);
                (times > 0).then_some((from - more, until + more))
            };
            *list = list.iter().filter_map(longer).collect();
            list.sort_unstable();
            list.dedup_by(|next, outage| {
                let overlap = next.0 <= outage.1;
                if overlap {
                    outage.1 = outage.1.max(next.1);
                }
                overlap
            });
        }
        self
    }

    /// Returns the outages, by node and destination (`None`, any destination, first), in order of time.
    pub fn outages(&self) -> impl Iterator<Item = Outage> {
        self.outages.lists.iter().flat_map(|&((node, destination), ref list)| {
            list.iter().map(move |&(from, until)| Outage { node, destination, from, until })
        })
    }

    fn is_out(&self, node: NodeId, destination: Option<NodeId>, at: Instant) -> bool {
        let list = self.outages.get(node, destination);
        let after = list.partition_point(|&(from, _)| from <= at);
        list.get(after.wrapping_sub(1)).is_some_and(|&(_, until)| at < until)
    }

    /// Returns the neighbour to which `node` hands a datagram for `destination` at `at`: the latest recorded by then,
    /// else the first. `None` where none is recorded, and in outages.
    #[must_use]
    pub fn next(&self, node: NodeId, destination: NodeId, at: Instant) -> Option<NodeId> {
        if !self.outages.lists.is_empty() && (self.is_out(node, None, at) || self.is_out(node, Some(destination), at)) {
            return None;
        }
        let list = self.hops.get(node, destination);
        let after = list.partition_point(|&(since, _)| since <= at);
        list.get(after.saturating_sub(1)).map(|&(_, next)| next)
    }

    /// Returns all routes by node and destination: node, destination, and the neighbours in order of time, each with
    /// its beginning.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId, &[(Instant, NodeId)])> {
        self.hops.lists.iter().map(|&((node, destination), ref list)| (node, destination, list.as_slice()))
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

    #[test]
    fn outages_last_as_many_times_as_long_around_their_middle() {
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        let outage = |node, from, until| Outage { node, destination: None, from: at(from), until: at(until) };
        let routes = Routes::default().with_outages([outage(1, 10, 14), outage(1, 20, 24), outage(2, 50, 51)]);
        let longer = |times: fn(Instant) -> u32| {
            routes.clone().with_longer_outages(times).outages().map(|o| (o.node, o.from, o.until)).collect::<Vec<_>>()
        };
        assert_eq!(longer(|_| 1), [(1, at(10), at(14)), (1, at(20), at(24)), (2, at(50), at(51))]);
        assert_eq!(longer(|from| u32::from(from > Instant::ZERO + Span::from_secs(15))), longer(|_| 1)[1..]);
        assert_eq!(longer(|_| 0), []);
        assert_eq!(longer(|_| 3), [(1, at(6), at(28)), (2, at(49), at(52))], "those that overlap are one");
        let longer_first = |from| if from < Instant::ZERO + Span::from_secs(15) { 9 } else { 1 };
        assert_eq!(
            longer(longer_first)[..1],
            [(1, Instant::ZERO - Span::from_secs(6), at(30))],
            "one inside the other"
        );
        assert_eq!(routes.with_longer_outages(|_| 3).next(1, 9, at(17)), None);
    }
}
