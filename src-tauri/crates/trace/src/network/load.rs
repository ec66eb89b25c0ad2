//! Sums over windows of time: the load of links and nodes at the playhead, and over time.

use super::{LinkId, Network, NodeId, OnAir, Share};
use base::{Instant, Span};

/// Load of a link in a window.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LinkLoad {
    /// Number of frames, every attempt counted.
    pub frames: u32,
    /// Number of first attempts among the frames.
    pub unique: u32,
    /// Share of the frames of known fate that were lost.
    pub lost: Share,
    /// Air time of the frames.
    pub airtime: Span,
    /// Number of distinct frames that arrived, and the sum of their delays from the first attempt.
    pub arrived: (u32, Span),
}

impl LinkLoad {
    /// Returns the mean time from the first attempt to arrival; `None` where none arrived.
    #[must_use]
    pub fn delay(&self) -> Option<Span> {
        let (count, sum) = self.arrived;
        (count > 0).then(|| sum.scale(1, i64::from(count)))
    }
}

/// Air time that a node sent and could hear in a window.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NodeLoad {
    /// Number of frames that the node sent.
    pub frames: u32,
    /// Air time of the frames that the node sent.
    pub sent: Span,
    /// Air time of this node and of those that it has links with: the channel as it finds it. Immediate
    /// acknowledgements name no sender; they count where the simulator's log does.
    pub around: Span,
}

/// Sums of one window.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Window {
    /// Load of each link, by [`LinkId`].
    pub links: Vec<LinkLoad>,
    /// Load of each node, by [`NodeId`].
    pub nodes: Vec<NodeLoad>,
    /// Number of frames of all types and senders.
    pub frames: u32,
    /// Air time of all channels together.
    pub airtime: Span,
}

/// Subject of a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// Frames of the whole network.
    All,
    /// Frames of one link.
    Link(LinkId),
    /// One node: the air time of its neighbourhood, and the frames and losses of its own links.
    Node(NodeId),
}

/// One bin of a series.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bin {
    /// Number of frames, every attempt counted.
    pub frames: u32,
    /// Number of attempts after the first.
    pub retries: u32,
    /// Share of the frames of known fate that were lost.
    pub lost: Share,
    /// Air time of the frames. A frame counts where it begins.
    pub airtime: Span,
}

impl Network {
    fn during(&self, t0: Instant, t1: Instant) -> &[OnAir] {
        let from = self.on_air.partition_point(|event| event.at < t0);
        let to = self.on_air.partition_point(|event| event.at <= t1);
        self.on_air.get(from..to).unwrap_or_default()
    }

    /// Sums the frames that began in `t0..=t1`.
    #[must_use]
    pub fn load(&self, t0: Instant, t1: Instant) -> Window {
        let mut sums = Window {
            links: vec![LinkLoad::default(); self.links.len()],
            nodes: vec![NodeLoad::default(); self.nodes.len()],
            ..Window::default()
        };
        for event in self.during(t0, t1) {
            let air = Span::from_nanos(i64::from(event.airtime));
            sums.frames = sums.frames.saturating_add(1);
            sums.airtime += air;
            if let Some(link) = sums.links.get_mut(event.link as usize) {
                link.frames = link.frames.saturating_add(1);
                link.unique = link.unique.saturating_add(u32::from(event.first));
                link.airtime += air;
                if let Some(lost) = event.lost {
                    link.lost.add(lost);
                }
                if event.delay > 0 {
                    let (count, sum) = &mut link.arrived;
                    *count = count.saturating_add(1);
                    *sum += Span::from_micros(i64::from(event.delay));
                }
            }
            if let Some(node) = sums.nodes.get_mut(event.from as usize) {
                node.frames = node.frames.saturating_add(1);
                node.sent += air;
            }
        }
        let sent: Vec<Span> = sums.nodes.iter().map(|node| node.sent).collect();
        for (node, met) in sums.nodes.iter_mut().zip(&self.neighbours) {
            node.around = met.iter().filter_map(|&id| sent.get(id)).copied().sum();
        }
        sums
    }

    /// Sums the frames of `focus` that began in `t0..=t1` in `bins` equal parts of that time, at least one, in order.
    #[must_use]
    pub fn series(&self, t0: Instant, t1: Instant, bins: usize, focus: Focus) -> Vec<Bin> {
        let mut sums = vec![Bin::default(); bins.max(1)];
        let (length, count) = (i128::from((t1 - t0).nanos()).max(1), sums.len() as i128);
        let met = match focus {
            Focus::Node(node) => self.neighbours.get(node).map(Vec::as_slice).unwrap_or_default(),
            Focus::All | Focus::Link(_) => &[],
        };
        for event in self.during(t0, t1) {
            let link = self.links.get(event.link as usize);
            let (hears, counts) = match focus {
                Focus::All => (true, true),
                Focus::Link(id) => (event.link as usize == id, event.link as usize == id),
                Focus::Node(node) => {
                    (met.contains(&(event.from as usize)), link.is_some_and(|l| l.from == node || l.to == node))
                }
            };
            let place = i128::from((event.at - t0).nanos()) * count / length;
            let Some(bin) = usize::try_from(place.min(count - 1)).ok().and_then(|place| sums.get_mut(place)) else {
                continue;
            };
            if hears {
                bin.airtime += Span::from_nanos(i64::from(event.airtime));
            }
            if counts {
                bin.frames = bin.frames.saturating_add(1);
                bin.retries = bin.retries.saturating_add(u32::from(link.is_some() && !event.first));
                if let Some(lost) = event.lost {
                    bin.lost.add(lost);
                }
            }
        }
        sums
    }
}
