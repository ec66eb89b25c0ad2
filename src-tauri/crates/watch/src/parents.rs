//! RPL parents of nodes, and changes of them.

use base::Instant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trace::network::Network;

/// Largest number of nodes whose parent is kept. Chosen here: more than a mesh has.
const MOST: usize = 16_384;

/// Change of the parent of a node; all by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ParentChange {
    /// Node whose parent changed.
    pub node: String,
    /// Parent before the change.
    pub from: String,
    /// Parent since the change.
    pub to: String,
}

/// Last parent of each node, by names: node to parent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, transparent)]
pub(crate) struct Parents(BTreeMap<String, String>);

impl Parents {
    /// Learns the parents of a window; `record` gives the number of the record at a moment, or `None` for a moment that
    /// is not to be taken. Returns the changes with their records, in any order, and the number of parents that were
    /// left out because their nodes are too many.
    pub fn learn(
        &mut self,
        network: &Network,
        record: &dyn Fn(Instant) -> Option<u64>,
    ) -> (Vec<(u64, ParentChange)>, u64) {
        let mut changes = Vec::new();
        let mut left_out = 0;
        for node in &network.nodes {
            for parent in &node.parents {
                let Some((record, parent)) = record(parent.at).zip(network.nodes.get(parent.node)) else { continue };
                if self.0.len() >= MOST && !self.0.contains_key(&node.name) {
                    left_out += 1;
                    continue;
                }
                match self.0.insert(node.name.clone(), parent.name.clone()) {
                    Some(from) if from != parent.name => {
                        let (node, to) = (node.name.clone(), parent.name.clone());
                        changes.push((record, ParentChange { node, from, to }));
                    }
                    _ => {}
                }
            }
        }
        (changes, left_out)
    }
}
