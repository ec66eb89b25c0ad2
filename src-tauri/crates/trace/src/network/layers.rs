//! A place for every node: a tree by RPL parents, or by hops from the root where RPL is not seen. The same capture has
//! the same places, whatever the playhead shows.

use super::{Network, NodeId, Role};
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Fills in [`super::Node::layer`] and [`super::Node::slot`].
pub(super) fn place(network: &mut Network) {
    let above = tree(network);
    let mut below: Vec<Vec<NodeId>> = vec![Vec::new(); above.len()];
    let mut roots = Vec::new();
    for (id, above) in above.iter().enumerate() {
        match above.and_then(|above| below.get_mut(above)) {
            Some(children) => children.push(id),
            None => roots.push(id),
        }
    }
    // A root with a tree below it before nodes on their own.
    roots.sort_by_key(|&id| (Reverse(below.get(id).map_or(0, Vec::len)), id));
    let mut next = 0.0;
    for root in roots {
        descend(network, &below, root, &mut next);
    }
}

/// Leaves take the next slots, parents the middle of their children. Without recursion: a chain may be long.
fn descend(network: &mut Network, below: &[Vec<NodeId>], root: NodeId, next: &mut f64) {
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    while let Some((id, layer)) = stack.pop() {
        order.push(id);
        if let Some(node) = network.nodes.get_mut(id) {
            node.layer = layer;
        }
        stack.extend(below.get(id).into_iter().flatten().rev().map(|&child| (child, layer + 1)));
    }
    // Preorder: leaves in their order; then children before parents.
    for &id in &order {
        if below.get(id).is_none_or(Vec::is_empty) {
            if let Some(node) = network.nodes.get_mut(id) {
                node.slot = *next;
            }
            *next += 1.0;
        }
    }
    for &id in order.iter().rev() {
        let slot = |id: &NodeId| network.nodes.get(*id).map(|node| node.slot);
        let children = below.get(id).map(Vec::as_slice).unwrap_or_default();
        if let (Some(first), Some(last)) = (children.first().and_then(slot), children.last().and_then(slot))
            && let Some(node) = network.nodes.get_mut(id)
        {
            node.slot = f64::midpoint(first, last);
        }
    }
}

/// The node above each; `None` for roots.
fn tree(network: &Network) -> Vec<Option<NodeId>> {
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

/// The parent a node had for the longest time.
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
