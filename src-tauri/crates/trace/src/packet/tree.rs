//! The decode tree of one frame.

use super::{Places, whole};
use crate::analysis::Trace;
use crate::model::{Fcs, Link};
use base::FrameId;
use wire::MacHeader;
use wire::tree::{self, Options, Trailer, Tree};

/// Returns every field of frame `id` with the octets it stands on; the first buffer is the frame as kept, without frame
/// check sequence. A fragmented datagram is shown at the frame that completes it. Empty for an `id` that the capture
/// lacks.
#[must_use]
pub fn dissect(trace: &Trace, places: &Places, id: FrameId) -> Tree {
    let mut tree = Tree::default();
    let Some(frame) = trace.capture.frames.get(id.index()) else { return tree };
    let options = Options {
        trailer: Trailer::None,
        contexts: &trace.contexts,
        ports: &trace.options.ports,
        rc_option: trace.options.rc_option,
    };
    let octets = trace.capture.octets_of(frame);
    let part = tree.buffer("Frame", octets);
    match frame.link {
        Link::Ieee802154 if frame.fcs == Fcs::Bad => {
            tree::mac(&mut tree, part, Trailer::None);
        }
        Link::Ieee802154 => {
            let mut outcome = tree::frame(&mut tree, part, &options);
            if outcome.encrypted
                && let Ok(header) = MacHeader::parse(octets)
                && let Ok(opened) = trace.keyring.open(octets, &header)
            {
                outcome = tree::opened(&mut tree, &header, &opened, &options);
            }
            if outcome.is_fragment()
                && let Some(datagram) = whole::ipv6(trace, places, id)
            {
                tree::datagram(&mut tree, "Reassembled", &datagram, &options);
            }
        }
        Link::Ethernet => tree::ethernet(&mut tree, part, &options),
        Link::RawIp | Link::LoopbackIp => tree::raw_ip(&mut tree, part, &options),
        Link::Other(_) => {}
    }
    if let (Link::Ethernet | Link::RawIp | Link::LoopbackIp, Some((datagram, _))) =
        (frame.link, whole::udp(trace, places, id))
    {
        let part = tree.buffer("Reassembled", &datagram);
        tree::udp(&mut tree, part, None, &options);
    }
    tree
}
