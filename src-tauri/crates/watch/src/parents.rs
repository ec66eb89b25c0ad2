//! Parents of nodes, and when they change.

use base::Instant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trace::network::Network;

/// Nodes whose parent is kept. Chosen here: more than a mesh has.
const MOST: usize = 16_384;

/// A node that has another parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ParentChange {
    pub node: String,
    pub from: String,
    pub to: String,
}

/// The last parent of each node, by names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, transparent)]
pub(crate) struct Parents(BTreeMap<String, String>);

impl Parents {
    /// Takes in what a window shows at the moments that `record` names; returns the changes with their records, in any order, and the number
    /// of nodes beyond those that are kept.
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
