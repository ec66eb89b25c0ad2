//! Max–min fair shares over a routing tree, by progressive filling.

use super::Rate;
use std::collections::{BTreeMap, BTreeSet};

/// A routing tree: each node's children, and the capacity of its link towards its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Children of each node; a node without an entry is a leaf.
    pub children: BTreeMap<u32, Vec<u32>>,
    /// Capacity of each node, octets a second; a node without one gets none.
    pub capacity: BTreeMap<u32, Rate>,
}

/// Shares `budget`, the capacity of `root`, among `root` and all nodes below it; every node sends its own
/// traffic and forwards its subtree's. All shares rise together until a subtree has used up its capacity;
/// its shares stay, the others go on; then the same below. A node that appears twice counts where it
/// appears first. Returns the share of every node, octets a second.
#[must_use]
pub fn max_min(tree: &Tree, root: u32, budget: Rate) -> BTreeMap<u32, Rate> {
    let (order, children) = breadth_first(tree, root);
    let mut size: BTreeMap<u32, u64> = BTreeMap::new();
    for &node in order.iter().rev() {
        let below: u64 = children_of(&children, node).iter().filter_map(|child| size.get(child)).sum();
        size.insert(node, below + 1);
    }
    let mut budgets = BTreeMap::from([(root, budget)]);
    let mut shares = BTreeMap::new();
    for node in order {
        let mut left = budgets.get(&node).copied().unwrap_or(Rate::ZERO);
        // Per child: how high its nodes' shares may rise, its size, its capacity.
        let mut open: Vec<(Rate, u64, u32)> = children_of(&children, node)
            .iter()
            .map(|&child| {
                let size = size.get(&child).copied().unwrap_or(1);
                let capacity = tree.capacity.get(&child).copied().unwrap_or(Rate::ZERO);
                (capacity.share(size), size, child)
            })
            .collect();
        open.sort_unstable();
        let mut parts: u64 = 1 + open.iter().map(|(_, size, _)| size).sum::<u64>();
        let mut filled = open.into_iter().peekable();
        while let Some((limit, size, child)) = filled.next_if(|(limit, ..)| *limit < left.share(parts)) {
            let whole = tree.capacity.get(&child).copied().unwrap_or(limit);
            budgets.insert(child, whole);
            left = left.minus(whole);
            parts -= size;
        }
        let level = left.share(parts);
        shares.insert(node, level);
        for (_, size, child) in filled {
            budgets.insert(child, level.many(size));
        }
    }
    shares
}

fn children_of(children: &BTreeMap<u32, Vec<u32>>, node: u32) -> &[u32] {
    children.get(&node).map_or(&[], Vec::as_slice)
}

/// The nodes from the root down, and each one's children, every node once.
fn breadth_first(tree: &Tree, root: u32) -> (Vec<u32>, BTreeMap<u32, Vec<u32>>) {
    let (mut order, mut seen) = (vec![root], BTreeSet::from([root]));
    let mut children = BTreeMap::new();
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        let fresh: Vec<u32> = children_of(&tree.children, node).iter().copied().filter(|&n| seen.insert(n)).collect();
        order.extend(&fresh);
        children.insert(node, fresh);
        at += 1;
    }
    (order, children)
}
