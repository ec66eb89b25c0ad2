//! Outages of routes: times in which a node has no next hop, so that whatever reaches it ends there.
//!
//! A datagram that ends at a node may have found a queue full, or no room for its fragments, which the simulation does
//! by itself. Several in succession that ended while there was room show that the node had no route: to one destination
//! (a lost DAO), or to any (a lost parent, RFC 6550 §8.2.2).

use crate::inference::air::Table;
use crate::inference::limits::Occupancy;
use crate::inference::visits::Visit;
use crate::model::{NodeId, Outage, StackLimits};
use base::{Instant, Span};
use std::collections::BTreeSet;

/// Least number of datagrams for one destination that end at a node in succession, although its queues have room.
/// Chosen here: one that ends so for a reason of its own is rarer than one in fifty in the worst runs of
/// `shared/cooja`, and two in succession by chance are one in 2,500.
const SAME: usize = 2;
/// Least number of datagrams, for several destinations, that end at a node in succession. Chosen here by judgement:
/// no experiment decides it; twice [`SAME`], because destinations beyond one neighbour fail together for a bad link,
/// too, and not only for a missing route. `rtoscope calibrate DIR --channel twin` scores the outages that follow.
const SEVERAL: usize = 4;
/// Longest time by which an outage reaches beyond its first and its last visit, half way to the visits before and
/// after at most. Chosen here by judgement: no experiment decides it; it decides outages between rare datagrams only,
/// where longer ones would stop copies of other timers that the route may have carried. Repeat as [`SEVERAL`].
const EDGE: Span = Span::from_secs(10);

/// Returns all outages that `visits`, in order of their beginning, show. Those that ended where `occupancy` may have
/// filled a queue of `stack`, or fragments its buffers, show none: in a storm they come in succession.
pub(in crate::inference) fn of(visits: &[Visit], occupancy: &Occupancy, stack: &StackLimits) -> Vec<Outage> {
    let mut by_node: Table<NodeId, Vec<(Instant, NodeId, bool)>> = Table::new();
    let buffered = buffered(visits, stack.reassembly_age);
    for visit in visits {
        let has_room =
            |at| occupancy.possible(visit.node, at) < stack.full() && !may_lack_room(visit, at, &buffered, stack);
        let is_told = |at: &Instant| visit.went_on || has_room(*at) && !occupancy.may_outlast(visit.node, *at);
        if let Some(at) = visit.whole.filter(|_| visit.node != visit.destination).filter(is_told) {
            by_node.entry(visit.node).or_default().push((at, visit.destination, visit.went_on));
        }
    }
    let mut outages = Vec::new();
    for (&node, list) in &mut by_node {
        list.sort_unstable();
        for (from, until, destinations) in runs(list.iter().copied(), SEVERAL) {
            if destinations.len() > 1 {
                outages.push(Outage { node, destination: None, from, until });
            }
        }
        let destinations: BTreeSet<NodeId> = list.iter().map(|visit| visit.1).collect();
        for destination in destinations {
            let own = list.iter().copied().filter(|visit| visit.1 == destination);
            for (from, until, _) in runs(own, SAME) {
                outages.push(Outage { node, destination: Some(destination), from, until });
            }
        }
    }
    outages
}

/// Times in which each node may have had a buffer for the fragments of a datagram, in order of their beginning.
fn buffered(visits: &[Visit], age: Span) -> Table<NodeId, Vec<(Instant, Instant)>> {
    let mut times: Table<NodeId, Vec<(Instant, Instant)>> = Table::new();
    for visit in visits.iter().filter(|visit| visit.fragments > 1) {
        let expires = visit.began + age;
        let until = visit.whole.map_or(expires, |whole| whole.min(expires));
        times.entry(visit.node).or_default().push((visit.began, until));
    }
    times
}

/// Returns whether a node with the smallest buffers of `stack` may have given up the fragments of `visit` before they
/// were whole, `at` last: for their age, or because as many other datagrams as it reassembles at once had all of them
/// when the first fragment came. `buffered`: see there.
fn may_lack_room(
    visit: &Visit,
    at: Instant,
    buffered: &Table<NodeId, Vec<(Instant, Instant)>>,
    stack: &StackLimits,
) -> bool {
    let age = stack.reassembly_age;
    let fewest = stack.reassemblies.iter().copied().min().unwrap_or(1).max(1) as usize;
    let list = buffered.get(&visit.node).map_or(&[][..], Vec::as_slice);
    let from = list.partition_point(|&(began, _)| began <= visit.began - age);
    let until = list.partition_point(|&(began, _)| began <= visit.began);
    let is_open = |&&(_, until): &&(Instant, Instant)| until > visit.began;
    // Its own buffer is among them.
    let open = list.get(from..until).unwrap_or_default().iter().filter(is_open).count();
    visit.fragments > 1 && (at - visit.began > age || open > fewest)
}

/// Stretches of at least `least` visits that did not go on: beginning and end, half way to the visits before and after,
/// and the destinations.
fn runs(
    visits: impl Iterator<Item = (Instant, NodeId, bool)>,
    least: usize,
) -> Vec<(Instant, Instant, BTreeSet<NodeId>)> {
    let mut found = Vec::new();
    let mut last_good: Option<Instant> = None;
    let mut run: Vec<(Instant, NodeId)> = Vec::new();
    let middle = |a: Instant, b: Instant| a + (b - a).scale(1, 2);
    let mut close = |run: &mut Vec<(Instant, NodeId)>, before: Option<Instant>, after: Option<Instant>| {
        if let (true, Some(&(first, _)), Some(&(last, _))) = (run.len() >= least, run.first(), run.last()) {
            let from = before.map_or(first - EDGE, |before| middle(before, first).max(first - EDGE));
            let until = after.map_or(last + EDGE, |after| middle(last, after).min(last + EDGE));
            found.push((from, until, run.iter().map(|visit| visit.1).collect()));
        }
        run.clear();
    };
    for (at, destination, went_on) in visits {
        if went_on {
            close(&mut run, last_good, Some(at));
            last_good = Some(at);
        } else {
            run.push((at, destination));
        }
    }
    close(&mut run, last_good, None);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stack;

    /// Limits of Contiki-NG, whose smallest queue holds seven packets.
    fn stack() -> StackLimits {
        Stack::named("contiki-ng-cooja").unwrap().limits.clone()
    }

    fn visit(secs: i64, destination: NodeId, went_on: bool) -> Visit {
        let at = Instant::ZERO + Span::from_secs(secs);
        Visit { node: 0, destination, fragments: 1, began: at, whole: Some(at), went_on }
    }

    #[test]
    fn one_drop_is_no_outage_and_two_are() {
        let visits = [visit(1, 5, true), visit(3, 5, false), visit(4, 5, true), visit(6, 5, false), visit(8, 5, false)];
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        let outage = Outage { node: 0, destination: Some(5), from: at(5), until: at(18) };
        assert_eq!(of(&visits, &Occupancy::default(), &stack()), [outage]);
    }

    #[test]
    fn drops_at_a_full_queue_are_none() {
        let visits = [visit(1, 5, true), visit(6, 5, false), visit(8, 5, false), visit(9, 5, true)];
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        assert_eq!(of(&visits, &Occupancy::of_node(0, vec![(at(2), 3)]), &stack()).len(), 1);
        assert_eq!(
            of(&visits, &Occupancy::of_node(0, vec![(at(2), 7)]), &stack()),
            [],
            "the queue of a small stack is full"
        );
    }

    #[test]
    fn drops_of_fragments_without_room_are_none() {
        let age = stack().reassembly_age;
        let fragmented = |secs, lasted: Span| {
            let visit = visit(secs, 5, false);
            Visit { fragments: 2, whole: Some(visit.began + lasted), ..visit }
        };
        let quick = [fragmented(6, Span::ZERO), fragmented(60, Span::ZERO)];
        assert_eq!(of(&quick, &Occupancy::default(), &stack()).len(), 1);
        let late = quick.map(|visit| Visit { whole: Some(visit.began + age + Span::from_millis(1)), ..visit });
        assert_eq!(of(&late, &Occupancy::default(), &stack()), [], "given up before they were whole");
        let fewest = *stack().reassemblies.iter().min().unwrap();
        let open = |at: i64| (0..fewest).map(move |_| Visit { whole: None, ..fragmented(at, Span::ZERO) });
        let soon = |at: i64| fragmented(at, Span::from_millis(1));
        let crowded: Vec<Visit> = open(6).chain([soon(6)]).chain(open(60)).chain([soon(60)]).collect();
        assert_eq!(of(&crowded, &Occupancy::default(), &stack()), [], "others had all buffers");
    }

    #[test]
    fn drops_to_many_are_an_outage_of_the_node() {
        let mut visits: Vec<Visit> = (0..5).map(|n| visit(10 + n, n as NodeId + 1, false)).collect();
        visits.insert(0, visit(8, 9, true));
        visits.push(visit(16, 1, true));
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        assert_eq!(
            of(&visits, &Occupancy::default(), &stack()),
            [Outage { node: 0, destination: None, from: at(9), until: at(15) }]
        );
    }
}
