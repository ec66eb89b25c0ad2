//! Nodes of a list, found among those of a network.

use super::{Network, NodeId};
use crate::node_list::{NodeKey, NodeList, NodeListKind};
use std::collections::BTreeMap;

/// Result of finding the nodes of a list in a network.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Located {
    /// Each node that was found, once, with its position in the list, in the order of the network.
    pub nodes: Vec<(NodeId, usize)>,
    /// Positions in the list of nodes that were not found, in order.
    pub unknown: Vec<usize>,
}

impl Network {
    /// Finds the nodes of `list` by number of the mote, address or name. Where several entries are of one node, the
    /// first counts.
    #[must_use]
    pub fn locate(&self, list: &NodeList) -> Located {
        let mut ids: BTreeMap<NodeKey, NodeId> = BTreeMap::new();
        for (id, node) in self.nodes.iter().enumerate() {
            let motes = node.mote.map(NodeKey::Mote);
            let macs = node.macs.iter().copied().map(NodeKey::Mac);
            let addresses = node.addresses.iter().copied().map(NodeKey::Address);
            let name = NodeKey::Name(node.name.clone());
            for key in motes.into_iter().chain(macs).chain(addresses).chain([name]) {
                ids.entry(key).or_insert(id);
            }
        }
        let mut found: BTreeMap<NodeId, usize> = BTreeMap::new();
        let mut unknown = Vec::new();
        for (at, node) in list.nodes.iter().enumerate() {
            match ids.get(&node.key) {
                Some(&id) => {
                    found.entry(id).or_insert(at);
                }
                None => unknown.push(at),
            }
        }
        Located { nodes: found.into_iter().collect(), unknown }
    }

    /// Returns whether `list`, found beside the capture, is of this network. At least half of its nodes must be there;
    /// and where it is a simulation, all motes must be in it: numbers alone, from 1 on, are alike in all simulations.
    #[must_use]
    pub fn is_of(&self, list: &NodeList) -> bool {
        let located = self.locate(list);
        let motes = self.nodes.iter().filter(|node| node.mote.is_some()).count();
        let is_whole = list.kind != NodeListKind::Simulation || located.nodes.len() == motes;
        is_whole && !located.nodes.is_empty() && located.nodes.len() * 2 >= list.nodes.len()
    }
}
