//! Ends and nodes that many messages share, each held once.

use super::Datagrams;
use crate::lookup::Numbered;
use crate::model::{Ends, Nodes};
use std::num::NonZeroU32;
use std::sync::Arc;
use wire::ieee802154::MacAddr;

/// Value in place of the number of a link, off 802.15.4.
pub(super) const NO_LINK: u32 = u32::MAX;

/// The ends of messages and the nodes of their hops, each made when first asked for.
pub(crate) struct Shared {
    /// Ends of each path, by its number in [`Datagrams::paths`].
    ends: Vec<Arc<Ends>>,
    /// Positions in `nodes`, by link, path, and destination in the IP header.
    numbers: Numbered<(u32, u32, Option<NonZeroU32>)>,
    nodes: Vec<Arc<Nodes>>,
}

impl Shared {
    pub(super) fn new() -> Self {
        Self { ends: Vec::new(), numbers: Numbered::new(), nodes: Vec::new() }
    }

    /// Returns the ends of `path`, which must be a number of [`Datagrams::paths`].
    pub fn ends(&mut self, path: u32, datagrams: &Datagrams) -> &Arc<Ends> {
        let ends = |path| datagrams.paths.value(path).map(|(src, dst)| Arc::new(Ends { path, src, dst }));
        self.ends.extend((self.ends.len() as u32..=path).filter_map(ends));
        &self.ends[path as usize]
    }

    /// Returns the nodes of a hop of a message on `path`; `link` and `header_dst` are those of [`super::HopRecord`].
    pub fn nodes(&mut self, link: u32, path: u32, header_dst: Option<NonZeroU32>, datagrams: &Datagrams) -> Arc<Nodes> {
        let number = self.numbers.number((link, path, header_dst)) as usize;
        if self.nodes.len() == number {
            let (src, dst) = datagrams.links.value(link).unwrap_or((MacAddr::None, MacAddr::None));
            let said = header_dst.and_then(|dst| datagrams.addresses.value(dst.get() - 1));
            let header_dst = said.unwrap_or_else(|| self.ends(path, datagrams).dst.addr);
            let there = self.ends(path, datagrams).dst.addr.octets();
            let reaches = dst.iid().is_some_and(|iid| there[8..] == iid);
            self.nodes.push(Arc::new(Nodes { src, dst, header_dst, reaches }));
        }
        Arc::clone(&self.nodes[number])
    }
}
