//! Number of packets and neighbours in the queues of each node: the most that was seen, and the most that may have been
//! there at a moment.

use crate::inference::air::{Air, Table};
use crate::inference::packets::Packets;
use crate::model::NodeId;
use base::{Cancelled, Instant, SharedProgress, Span};
use std::collections::BTreeMap;
use trace::{Exchange, Trace};

/// Number of moments at which a queue has to hold as many packets before this is believed. Chosen here by judgement: a
/// frame to which the acknowledgement of another one is attributed (an immediate acknowledgement names a sequence
/// number, no node) counts twice for a moment; queues that are full are so again and again.
const OFTEN: usize = 5;

/// Packets, and neighbours, that nodes held at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::inference) struct Occupancy {
    /// Greatest number of packets that were in all queues of a node, more than a few times.
    pub packets: u32,
    /// Greatest number of neighbours for which a node had packets, more than a few times.
    pub neighbours: u32,
    /// Number of packets that each node may have held: moments in order of time, each with the number from then on.
    possible: Table<NodeId, Vec<(Instant, u32)>>,
    /// Moments after which a datagram at a node may still wait when the capture ends.
    unfinished: Table<NodeId, Instant>,
}

impl Occupancy {
    /// Returns the greatest number of packets that `node` may have held just before `at`.
    pub fn possible(&self, node: NodeId, at: Instant) -> u32 {
        let list = self.possible.get(&node).map_or(&[][..], Vec::as_slice);
        let before = list.partition_point(|&(since, _)| since < at);
        list.get(before.wrapping_sub(1)).map_or(0, |&(_, held)| held)
    }

    /// Returns whether a datagram that `node` had at `at` may wait when the capture ends, as others waited there.
    pub fn may_outlast(&self, node: NodeId, at: Instant) -> bool {
        self.unfinished.get(&node).is_some_and(|&last| last < at)
    }

    /// Creates the occupancy of one node from the number that it may have held, from each moment on.
    #[cfg(test)]
    pub fn of_node(node: NodeId, course: Vec<(Instant, u32)>) -> Self {
        Self { possible: Table::from([(node, course)]), ..Self::default() }
    }

    /// Reads the occupancy of all nodes.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub(super) fn of(
        trace: &Trace,
        air: &Air,
        packets: &Packets,
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let stays = stays(trace, air, packets, progress)?;
        let mut most = Self::default();
        let mut moments: [BTreeMap<u32, usize>; 2] = Default::default();
        sweep(
            &stays,
            |stay| stay.seen,
            progress,
            |_, _, held, neighbours| {
                for (moments, number) in moments.iter_mut().zip([held, neighbours]) {
                    *moments.entry(number).or_default() += 1;
                }
            },
        )?;
        [most.packets, most.neighbours] = moments.map(|moments| often(&moments));
        sweep(
            &stays,
            |stay| stay.earliest,
            progress,
            |node, at, held, _| {
                most.possible.entry(node).or_default().push((at, held));
            },
        )?;
        let end = air.frames.iter().map(|frame| frame.end).max().unwrap_or(Instant::ZERO);
        for stay in &stays {
            let last = most.unfinished.entry(stay.node).or_insert(end);
            *last = (*last).min(end - (stay.until - stay.seen));
        }
        Ok(most)
    }
}

/// Time that a packet spends in a queue.
#[derive(Clone, Copy, Debug)]
struct Stay {
    /// Node with the queue.
    node: NodeId,
    /// Neighbour that the packet is for.
    neighbour: NodeId,
    /// Moment from which the packet was there for certain: when the node had the datagram whole, else the first frame.
    seen: Instant,
    /// Earliest moment from which the packet may have been there.
    earliest: Instant,
    /// End of its last attempt.
    until: Instant,
}

/// Stays of all packets, in order of their first attempts.
///
/// A packet that its node forwards is there from the arrival of its datagram. Copies of a request are alike, and which
/// of several a node forwarded is not known: it is there since the last of them for certain, since the first perhaps.
/// A packet that begins at the node, an answer or a request, may have waited unseen: an answer since the first copy of
/// its request. A queue serves its packets in their order, so that this one came after the one before it; where a pause
/// shows that the queue was empty in between, it came after that.
fn stays(trace: &Trace, air: &Air, packets: &Packets, progress: &SharedProgress<'_>) -> Result<Vec<Stay>, Cancelled> {
    let mut known: Table<u32, Since> = Table::new();
    for exchange in &trace.exchanges {
        progress.ask()?;
        moments(trace, air, packets, exchange, &mut known);
    }
    let pause = longest_pause(air, packets);
    let mut stays = Vec::with_capacity(packets.list.len());
    let mut before: Table<(NodeId, NodeId), Stay> = Table::new();
    for (packet, number) in packets.list.iter().zip(0_u32..) {
        progress.ask_at(number as usize)?;
        let frames = || packet.attempts.iter().filter_map(|&at| air.frame(at));
        let (Some(first), Some(last)) = (frames().next(), frames().next_back()) else { continue };
        let Since { seen, not_before } =
            known.get(&number).copied().unwrap_or(Since { seen: first.at, not_before: None });
        let key = (packet.from, packet.to);
        let is_waiting = |before: &&Stay| before.until + pause >= first.at;
        // Nothing waited before a pause.
        let after = before.get(&key).filter(is_waiting).map_or(first.at - pause, |before| before.earliest);
        let earliest = not_before.map_or(after, |not_before| not_before.max(after)).min(seen);
        let stay = Stay { node: packet.from, neighbour: packet.to, seen, earliest, until: last.end };
        before.insert(key, stay);
        stays.push(stay);
    }
    Ok(stays)
}

/// Beginning of a stay, as far as the messages of an exchange tell it.
#[derive(Clone, Copy, Debug)]
struct Since {
    /// Moment from which the packet was there for certain.
    seen: Instant,
    /// Moment before which it was not; `None` where nothing tells.
    not_before: Option<Instant>,
}

/// Adds the beginnings of the stays of all packets of `exchange`.
fn moments(trace: &Trace, air: &Air, packets: &Packets, exchange: &Exchange, known: &mut Table<u32, Since>) {
    let copies = exchange.copies.iter().map(|copy| (copy.message, false));
    let messages = || copies.clone().chain(exchange.replies.iter().map(|reply| (reply.message, true)));
    let messages = || messages().filter_map(|(id, is_answer)| Some((trace.messages.get(id.index())?, is_answer)));
    let mut arrivals: Table<(bool, NodeId), Vec<Instant>> = Table::new();
    for (message, is_answer) in messages() {
        for (node, arrived) in message.hops().filter_map(|hop| air.node(hop.dst()).zip(hop.arrived)) {
            arrivals.entry((is_answer, node)).or_default().push(arrived);
        }
    }
    for (message, is_answer) in messages() {
        for (hop, is_first) in message.hops().zip(std::iter::once(message.from_origin).chain(std::iter::repeat(false)))
        {
            let Some(node) = air.node(hop.src()) else { continue };
            // An answer begins where its request ends.
            let here = arrivals.get(&(is_answer && !is_first, node)).map_or(&[][..], Vec::as_slice);
            let here = || here.iter().copied().filter(|&arrived| arrived <= hop.sent);
            let seen = here().max().filter(|_| !is_first).unwrap_or(hop.sent);
            let since = Since { seen, not_before: here().min() };
            let numbers = hop.frames.iter().filter_map(|&id| packets.of_frame.get(air.place_of(id)? as usize));
            numbers.for_each(|&number| _ = known.entry(number).or_insert(since));
        }
    }
}

/// Longest pause between two attempts of a packet: a queue that is silent for longer is empty.
fn longest_pause(air: &Air, packets: &Packets) -> Span {
    let pauses = packets.list.iter().flat_map(|packet| packet.attempts.windows(2)).filter_map(|pair| {
        let &[one, next] = pair else { return None };
        Some(air.frame(next)?.at - air.frame(one)?.end)
    });
    pauses.max().unwrap_or(Span::ZERO)
}

/// Greatest number that at least [`OFTEN`] of `moments` reached or exceeded; zero where none was.
fn often(moments: &BTreeMap<u32, usize>) -> u32 {
    let mut above = 0;
    let is_often = |&(_, count): &(&u32, &usize)| {
        above += count;
        above >= OFTEN
    };
    moments.iter().rev().find(is_often).map_or(0, |(&number, _)| number)
}

/// Visits every change of the number of packets at a node, in order of time at each: node, moment, packets from then
/// on, neighbours that they are for. `since` is the beginning of a stay.
fn sweep(
    stays: &[Stay],
    since: impl Fn(&Stay) -> Instant,
    progress: &SharedProgress<'_>,
    mut visit: impl FnMut(NodeId, Instant, u32, u32),
) -> Result<(), Cancelled> {
    let mut edges: Table<NodeId, Vec<(Instant, i32, NodeId)>> = Table::new();
    for stay in stays.iter().filter(|stay| stay.until > since(stay)) {
        let both = [(since(stay), 1, stay.neighbour), (stay.until, -1, stay.neighbour)];
        edges.entry(stay.node).or_default().extend(both);
    }
    for (&node, list) in &mut edges {
        progress.ask()?;
        list.sort_unstable();
        let (mut held, mut queues) = (0_i32, Table::<NodeId, i32>::new());
        for &(at, change, neighbour) in list.iter() {
            held += change;
            *queues.entry(neighbour).or_default() += change;
            let neighbours = queues.values().filter(|&&packets| packets > 0).count() as u32;
            visit(node, at, u32::try_from(held).unwrap_or(0), neighbours);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Silent;

    fn at(secs: i64) -> Instant {
        Instant::ZERO + Span::from_secs(secs)
    }

    /// A stay at node 1.
    fn stay(neighbour: NodeId, [earliest, seen, until]: [i64; 3]) -> Stay {
        Stay { node: 1, neighbour, seen: at(seen), earliest: at(earliest), until: at(until) }
    }

    #[test]
    fn packets_and_neighbours_are_counted_from_the_beginning_of_each_stay() {
        let stays = [stay(2, [0, 3, 5]), stay(2, [1, 4, 7]), stay(3, [5, 5, 6])];
        let mut silent = Silent;
        let progress = SharedProgress::new(&mut silent, 1);
        let course = |since: fn(&Stay) -> Instant| {
            let mut course = Vec::new();
            sweep(&stays, since, &progress, |node, at, held, neighbours| {
                assert_eq!(node, 1);
                course.push(((at - Instant::ZERO).secs_f64() as u32, held, neighbours));
            })
            .unwrap();
            course
        };
        // A packet that leaves makes room for one that comes at the same moment.
        assert_eq!(course(|stay| stay.seen), [(3, 1, 1), (4, 2, 1), (5, 1, 1), (5, 2, 2), (6, 1, 1), (7, 0, 0)]);
        assert_eq!(course(|stay| stay.earliest)[..3], [(0, 1, 1), (1, 2, 1), (5, 1, 1)]);
    }

    #[test]
    fn a_number_is_believed_when_it_was_reached_often() {
        assert_eq!(often(&BTreeMap::from([(1, 90), (2, OFTEN), (3, OFTEN - 1)])), 2);
        assert_eq!(often(&BTreeMap::from([(1, 90), (2, 1), (9, OFTEN - 1)])), 2, "greater numbers count");
        assert_eq!(often(&BTreeMap::from([(1, 1)])), 0);
    }

    #[test]
    fn a_datagram_may_outlast_a_capture() {
        let occupancy = Occupancy { unfinished: Table::from([(1, at(90))]), ..Occupancy::default() };
        assert_eq!([90, 91].map(|secs| occupancy.may_outlast(1, at(secs))), [false, true]);
        assert!(!occupancy.may_outlast(2, at(99)), "nothing is known of that node");
    }
}
