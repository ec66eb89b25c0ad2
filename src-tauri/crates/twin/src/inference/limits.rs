//! Queues and buffers: how full they were seen, and the presets that allow as much.

use super::air::{Air, Table};
use super::exchanges::Exchanges;
use super::packets::Packets;
use super::visits::Visit;
use crate::model::{Choice, Limits, NodeId, StackLimits};
use base::{Cancelled, Instant, SharedProgress};
use trace::Trace;

/// Least number of whole datagrams that ended where one more than ever succeeded was being reassembled. Chosen here
/// by judgement: no experiment decides it; one or two end for reasons of their own. With fewer a limit would be
/// claimed that drops datagrams in every replicate, with more the preset of the stack stands longer.
const FEWEST_REFUSALS: usize = 3;

/// Most packets, and most neighbours, that some node was seen to hold at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Occupancy {
    /// Greatest number of packets in all queues of a node.
    pub packets: u32,
    /// Greatest number of neighbours with a packet at a node.
    pub neighbours: u32,
    /// Number of packets held, by node: moments in order of time, each with the number from then on.
    held: Table<NodeId, Vec<(Instant, u32)>>,
}

impl Occupancy {
    /// Returns the number of packets that `node` is known to have held just before `at`.
    pub fn held(&self, node: NodeId, at: Instant) -> u32 {
        let list = self.held.get(&node).map_or(&[][..], Vec::as_slice);
        let before = list.partition_point(|&(since, _)| since < at);
        list.get(before.wrapping_sub(1)).map_or(0, |&(_, held)| held)
    }

    /// Creates the occupancy of one node from the number that it held, from each moment on.
    #[cfg(test)]
    pub fn of_node(node: NodeId, course: Vec<(Instant, u32)>) -> Self {
        Self { held: Table::from([(node, course)]), ..Self::default() }
    }
}

/// Returns the limits, those of `stack` as far as what was seen allows them, and the occupancy from which they are
/// inferred.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn of(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    (exchanges, visits, stack): (&Exchanges, &[Visit], &StackLimits),
    progress: &SharedProgress<'_>,
) -> Result<(Limits, Occupancy), Cancelled> {
    let most = occupancy(trace, air, packets, exchanges, progress)?;
    let limits = Limits {
        // A ring of n places holds n - 1 (`tsch-queue.c`).
        per_neighbour: Choice::certain(u32::MAX),
        packets: StackLimits::allowing(&stack.packets, most.packets),
        neighbours: StackLimits::allowing(&stack.neighbours, most.neighbours),
        reassemblies: reassemblies(visits).unwrap_or_else(|least| StackLimits::allowing(&stack.reassemblies, least)),
        reassembly_age: stack.reassembly_age,
    };
    Ok((limits, most))
}

/// Most packets and neighbours of any node, as far as the air shows: a packet is in its queue from when the node had
/// the datagram, else from the first frame of the datagram, to the end of its last attempt.
fn occupancy(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    exchanges: &Exchanges,
    progress: &SharedProgress<'_>,
) -> Result<Occupancy, Cancelled> {
    let mut edges: Table<NodeId, Vec<(Instant, i32, NodeId)>> = Table::new();
    let messages = trace.exchanges.iter().flat_map(|exchange| {
        let copies = exchange.copies.iter().map(|copy| copy.message);
        copies.chain(exchange.replies.iter().map(|reply| reply.message))
    });
    for (index, message) in messages.filter_map(|id| trace.messages.get(id.index())).enumerate() {
        progress.ask_at(index)?;
        let mut had: Option<Instant> = None;
        for hop in message.hops() {
            let since = had.unwrap_or(hop.sent);
            had = hop.arrived;
            let places = hop.frames.iter().filter_map(|&id| air.place_of(id));
            let mut numbers: Vec<u32> = places.filter_map(|at| packets.of_frame.get(at as usize).copied()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            for packet in numbers.into_iter().filter_map(|number| packets.list.get(number as usize)) {
                let last = packet.attempts.last().and_then(|&at| air.frame(at));
                if let Some(until) = last.map(|frame| frame.end).filter(|&until| until > since) {
                    edges.entry(packet.from).or_default().extend([(since, 1, packet.to), (until, -1, packet.to)]);
                }
            }
        }
    }
    for packet in &packets.list {
        let frames = || packet.attempts.iter().filter_map(|&at| air.frame(at));
        let (Some(first), Some(last)) = (frames().next(), frames().next_back()) else { continue };
        if !exchanges.has(first) {
            edges.entry(packet.from).or_default().extend([(first.at, 1, packet.to), (last.end, -1, packet.to)]);
        }
    }
    let mut most = Occupancy::default();
    for (&node, list) in &mut edges {
        progress.ask()?;
        list.sort_unstable();
        let mut course = Vec::with_capacity(list.len());
        let (mut held, mut queues) = (0_i32, Table::<NodeId, i32>::new());
        for &(at, change, neighbour) in list.iter() {
            held += change;
            course.push((at, u32::try_from(held).unwrap_or(0)));
            *queues.entry(neighbour).or_default() += change;
            let neighbours = queues.values().filter(|&&packets| packets > 0).count() as u32;
            most.packets = most.packets.max(u32::try_from(held).unwrap_or(0));
            most.neighbours = most.neighbours.max(neighbours);
        }
        most.held.insert(node, course);
    }
    Ok(most)
}

/// Datagrams that nodes reassemble at once: certain where more never succeeded, else the least number.
fn reassemblies(visits: &[Visit]) -> Result<Choice, u32> {
    let mut by_node: Table<NodeId, Vec<Visit>> = Table::new();
    for visit in visits.iter().filter(|visit| visit.fragments > 1) {
        by_node.entry(visit.node).or_default().push(*visit);
    }
    // For every whole one: how many that succeeded were open when it began, itself included, and whether it succeeded.
    let mut begun: Vec<(u32, bool)> = Vec::new();
    for list in by_node.values() {
        for visit in list.iter().filter(|visit| visit.whole.is_some() && visit.node != visit.destination) {
            let is_open = |other: &&Visit| {
                other.went_on && other.began < visit.began && other.whole.is_some_and(|until| until > visit.began)
            };
            begun.push((list.iter().filter(is_open).count() as u32 + 1, visit.went_on));
        }
    }
    let most = begun.iter().filter(|(_, succeeded)| *succeeded).map(|(open, _)| *open).max().unwrap_or(0);
    let refused = begun.iter().filter(|&&(open, succeeded)| !succeeded && open > most).count();
    if most > 0 && refused >= FEWEST_REFUSALS { Ok(Choice::certain(most)) } else { Err(most) }
}
