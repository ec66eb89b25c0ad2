//! Queues and buffers: how full they were seen, and the presets that allow as much.

mod occupancy;

use super::air::{Air, Table};
use super::packets::Packets;
use super::visits::Visit;
use crate::model::{Choice, Limits, NodeId, StackLimits};
use base::{Cancelled, Instant, SharedProgress};
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
        reassemblies: reassemblies(visits, progress)?
            .unwrap_or_else(|least| StackLimits::allowing(&stack.reassemblies, least)),
        reassembly_age: stack.reassembly_age,
    };
    Ok((limits, most))
}

/// Returns the number of datagrams that nodes reassemble at once: certain where more never succeeded, else the least
/// number. `visits` are in order of [`Visit::began`].
fn reassemblies(visits: &[Visit], progress: &SharedProgress<'_>) -> Result<Result<Choice, u32>, Cancelled> {
    let mut by_node: Table<NodeId, Vec<Visit>> = Table::new();
    for visit in visits.iter().filter(|visit| visit.fragments > 1) {
        by_node.entry(visit.node).or_default().push(*visit);
    }
    // For every whole one: how many that succeeded were open when it began, itself included, and whether it succeeded.
    let mut begun: Vec<(u32, bool)> = Vec::new();
    for list in by_node.values() {
        let succeeded = list.iter().filter(|visit| visit.went_on && visit.whole.is_some_and(|at| at > visit.began));
        let (began, mut whole): (Vec<Instant>, Vec<Instant>) =
            succeeded.filter_map(|visit| visit.whole.map(|at| (visit.began, at))).unzip();
        whole.sort_unstable();
        for (index, visit) in list.iter().enumerate() {
            progress.ask_at(index)?;
            if visit.whole.is_none() || visit.node == visit.destination {
                continue;
            }
            let before = began.partition_point(|&at| at < visit.began);
            // A datagram that is whole by then began before it.
            let open = before - whole.partition_point(|&at| at <= visit.began);
            begun.push((open as u32 + 1, visit.went_on));
        }
    }
    let most = begun.iter().filter(|(_, succeeded)| *succeeded).map(|(open, _)| *open).max().unwrap_or(0);
    let refused = begun.iter().filter(|&&(open, succeeded)| !succeeded && open > most).count();
    Ok(if most > 0 && refused >= FEWEST_REFUSALS { Ok(Choice::certain(most)) } else { Err(most) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Silent, Span};

    /// Datagrams at a relay: first fragment, whole, passed on; in seconds.
    fn reassembled(times: &[(i64, Option<i64>, bool)]) -> Result<Choice, u32> {
        let at = |secs: i64| Instant::ZERO + Span::from_secs(secs);
        let visit = |&(began, whole, went_on): &(i64, Option<i64>, bool)| {
            let (began, whole) = (at(began), whole.map(at));
            Visit { node: 1, destination: 0, fragments: 2, began, whole, went_on }
        };
        let visits: Vec<Visit> = times.iter().map(visit).collect();
        reassemblies(&visits, &SharedProgress::new(&mut Silent, 1)).expect("not cancelled")
    }

    #[test]
    fn datagrams_open_at_once_are_counted() {
        // The first is whole at the moment when the second begins, and what never was whole does not count.
        assert_eq!(reassembled(&[(0, Some(2), true), (1, None, true), (2, Some(4), true)]), Err(1));
        assert_eq!(reassembled(&[(0, Some(3), true), (1, Some(2), true), (2, Some(4), true)]), Err(2));
        // Whole at once, or begun in the same moment: not open before it.
        assert_eq!(reassembled(&[(2, Some(2), true), (2, Some(4), true), (2, Some(4), true)]), Err(1));
    }

    #[test]
    fn a_limit_is_certain_where_more_failed_a_few_times() {
        let two = [(0, Some(9), true), (1, Some(9), true)];
        let third = |begin: i64| (begin, Some(10), false);
        let of = |refused: i64| reassembled(&two.into_iter().chain((2..2 + refused).map(third)).collect::<Vec<_>>());
        assert_eq!(of(FEWEST_REFUSALS as i64 - 1), Err(2));
        assert_eq!(of(FEWEST_REFUSALS as i64), Ok(Choice::certain(2)));
    }
}
