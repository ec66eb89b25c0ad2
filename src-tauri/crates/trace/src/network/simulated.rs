//! The same network with other frames on the air: those of a simulation.

use super::{NOWHERE, Network, OnAir};
use base::{Instant, Span};
use std::collections::BTreeMap;
use wire::ieee802154::MacAddr;

/// Frame of a simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedFrame {
    /// Start of the frame.
    pub start: Instant,
    /// End of the frame.
    pub end: Instant,
    /// Sender.
    pub from: MacAddr,
    /// Addressee; `None`: broadcast.
    pub to: Option<MacAddr>,
    /// Whether it is the first attempt of its packet on this hop.
    pub is_first: bool,
    /// Whether the addressee received it; `false` for broadcasts.
    pub is_received: bool,
    /// Start and end of the acknowledgement that the addressee sent.
    pub acknowledgement: Option<(Instant, Instant)>,
}

impl Network {
    /// Returns the same nodes and links with `frames` on the air, which are in order of time. Frames over links that
    /// the capture does not show count for their sender and for the whole only.
    #[must_use]
    pub fn with_frames(&self, frames: impl Iterator<Item = SimulatedFrame>) -> Self {
        let number = |n: usize| u32::try_from(n).unwrap_or(NOWHERE);
        let named = self.nodes.iter().enumerate();
        let nodes: BTreeMap<MacAddr, u32> =
            named.flat_map(|(id, node)| node.macs.iter().map(move |&mac| (mac, number(id)))).collect();
        let links: BTreeMap<(u32, u32), u32> = self
            .links
            .iter()
            .enumerate()
            .map(|(id, link)| ((number(link.from), number(link.to)), number(id)))
            .collect();
        let mut on_air: Vec<OnAir> = Vec::new();
        // First attempt of the packet under way, by link: packets to one neighbour are sent one after the other.
        let mut under_way: BTreeMap<u32, usize> = BTreeMap::new();
        for frame in frames {
            let node = |mac: &MacAddr| nodes.get(mac).copied().unwrap_or(NOWHERE);
            let from = node(&frame.from);
            let link = frame.to.and_then(|to| links.get(&(from, node(&to)))).copied().unwrap_or(NOWHERE);
            let first =
                if frame.is_first { on_air.len() } else { under_way.get(&link).copied().unwrap_or(on_air.len()) };
            under_way.insert(link, first);
            let lost = frame.to.map(|_| !frame.is_received);
            let (at, airtime) = (frame.start, nanos(frame.end - frame.start));
            on_air.push(OnAir { at, link, from, airtime, first: frame.is_first, lost, delay: 0 });
            if let Some(first) = on_air.get_mut(first).filter(|first| frame.is_received && first.delay == 0) {
                first.delay = u32::try_from((frame.end - first.at).nanos() / 1_000).unwrap_or(u32::MAX);
            }
            if let Some((at, end)) = frame.acknowledgement {
                let (link, from, airtime) = (NOWHERE, NOWHERE, nanos(end - at));
                on_air.push(OnAir { at, link, from, airtime, first: true, lost: None, delay: 0 });
            }
        }
        on_air.sort_by_key(|event| event.at);
        Self {
            nodes: self.nodes.clone(),
            links: self.links.clone(),
            channels: self.channels.clone(),
            mode_of_operation: self.mode_of_operation,
            window: self.window,
            on_air,
            neighbours: self.neighbours.clone(),
        }
    }

    /// Returns the memory that its frames on the air take, octets: most of all.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.on_air.capacity() * size_of::<OnAir>()
    }
}

fn nanos(span: Span) -> u32 {
    u32::try_from(span.nanos().max(0)).unwrap_or(u32::MAX)
}
