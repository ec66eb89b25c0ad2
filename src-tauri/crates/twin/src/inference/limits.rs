//! Queues and buffers: how full they were seen, and the presets that allow as much.

mod occupancy;

use super::air::{Air, Table};
use super::packets::Packets;
use super::visits::Visit;
use crate::model::{Choice, Limits, NodeId, StackLimits};
use base::{Cancelled, SharedProgress};
pub(super) use occupancy::Occupancy;
use trace::Trace;

/// Least number of whole datagrams that ended where one more than ever succeeded was being reassembled. Chosen here
/// by judgement: no experiment decides it; one or two end for reasons of their own. With fewer a limit would be
/// claimed that drops datagrams in every replicate, with more the preset of the stack stands longer.
const FEWEST_REFUSALS: usize = 3;

/// Returns the limits, those of `stack` as far as what was seen allows them, and the occupancy from which they are
/// inferred.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn of(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    (visits, stack): (&[Visit], &StackLimits),
    progress: &SharedProgress<'_>,
) -> Result<(Limits, Occupancy), Cancelled> {
    let most = Occupancy::of(trace, air, packets, progress)?;
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
