//! The tree of the nodes: by RPL parents, or by hops from the root where RPL is not seen. It does not depend on the
//! playhead.

use super::{Network, NodeId, Role};
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Sets [`super::Node::above`] of every node.
pub(super) fn build(network: &mut Network) {
    let above = nodes_above(network);
    for (node, above) in network.nodes.iter_mut().zip(above) {
        node.above = above;
    }
}

/// Returns the node above each, by node; `None` for roots of the tree.
fn nodes_above(network: &Network) -> Vec<Option<NodeId>> {
    let count = network.nodes.len();
    let mut above: Vec<Option<NodeId>> = (0..count).map(|id| usual_parent(network, id)).collect();
    let mut seeds: Vec<NodeId> = (0..count).filter(|&id| network.nodes[id].role == Role::Root).collect();
    if seeds.is_empty() {
        let importance = |&id: &NodeId| {
            let met = network.neighbours.get(id).map_or(0, Vec::len);
            (network.nodes[id].server_of.len(), met, Reverse(id))
        };
        seeds.extend((0..count).max_by_key(importance));
    }
    for &seed in &seeds {
        above[seed] = None;
    }
    // Nodes with a path to a root by parents keep it.
    let arrives = |start: NodeId| {
        let way: Vec<NodeId> = std::iter::successors(Some(start), |&id| above[id]).take(count + 1).collect();
        way.len() <= count && way.last().is_some_and(|last| seeds.contains(last))
    };
    let mut placed: Vec<bool> = (0..count).map(arrives).collect();
    for (above, _) in above.iter_mut().zip(&placed).filter(|(_, placed)| !**placed) {
        *above = None;
    }
    // The others join by hops, over their busiest link with a node that is placed.
    let mut queue: VecDeque<NodeId> = (0..count).filter(|&id| placed[id]).collect();
    let busy = |one: NodeId, other: NodeId| {
        let frames = |link: Option<usize>| link.map_or(0, |link| network.links[link].frames);
        frames(network.link(one, other)) + frames(network.link(other, one))
    };
    loop {
        while let Some(id) = queue.pop_front() {
            let mut met: Vec<NodeId> = network.neighbours[id].iter().copied().filter(|&other| !placed[other]).collect();
            met.sort_by_key(|&other| (Reverse(busy(id, other)), other));
            for other in met {
                placed[other] = true;
                above[other] = Some(id);
                queue.push_back(other);
            }
        }
        let Some(alone) = (0..count).find(|&id| !placed[id]) else { return above };
        placed[alone] = true;
        queue.push_back(alone);
    }
}

/// Returns the parent that a node had for the longest time, of equals the earlier; `None` without parents.
fn usual_parent(network: &Network, id: NodeId) -> Option<NodeId> {
    let parents = &network.nodes.get(id)?.parents;
    let until = |at: usize| parents.get(at + 1).map_or(network.window.1, |next: &super::Parent| next.at);
    let mut held: Vec<(NodeId, Span, Instant)> = Vec::new();
    for (at, parent) in parents.iter().enumerate() {
        let span = until(at) - parent.at;
        match held.iter_mut().find(|entry| entry.0 == parent.node) {
            Some(entry) => entry.1 += span,
            None => held.push((parent.node, span, parent.at)),
        }
    }
    held.into_iter().max_by_key(|&(_, span, since)| (span, Reverse(since))).map(|(node, ..)| node)
}
