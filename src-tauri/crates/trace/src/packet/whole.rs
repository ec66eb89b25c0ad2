//! A fragmented datagram, put together again from the frames of its hop.

use super::Places;
use crate::analysis::Trace;
use crate::decode::datagram::{Piece, Pieces};
use crate::decode::lowpan::LowpanView;
use crate::model::{Hop, Link};
use base::FrameId;
use wire::ethernet::Ethernet;
use wire::{MacAddr, MacHeader};

/// Returns the hop that frame `id`, or the frame it is a duplicate sighting of, completes; `None` where it completes
/// none.
fn completed<'a>(trace: &'a Trace, places: &Places, id: FrameId) -> Option<Hop<'a>> {
    trace.sightings.binary_search_by_key(&id, |seen| seen.0).ok()?;
    Some(places.of_frame(trace, id)?.of(trace)?.1)
}

/// Returns the IPv6 datagram that a fragment of 6LoWPAN completes; `None` when it does not complete one.
pub(super) fn ipv6(trace: &Trace, places: &Places, id: FrameId) -> Option<Vec<u8>> {
    let hop = completed(trace, places, id)?;
    let mut found = Found::default();
    for &frame in hop.frames {
        found.add(trace, frame)?;
    }
    if !found.is_compressed {
        return Some(found.octets);
    }
    LowpanView::parse(&found.octets, found.between).ok()?.datagram(&trace.contexts).ok()
}

/// The octets of a datagram as far as they were found.
#[derive(Default)]
struct Found {
    octets: Vec<u8>,
    /// Ranges of the fragments, octets: of several records of one, the first counts.
    ranges: Vec<(usize, usize)>,
    /// True where the fragments are of the compressed datagram (RFC 8931).
    is_compressed: bool,
    /// Transmitting and addressed node of the hop.
    between: (MacAddr, MacAddr),
}

impl Found {
    /// Adds the fragment in `frame`; `None` where it cannot be read.
    fn add(&mut self, trace: &Trace, frame: FrameId) -> Option<()> {
        let octets = trace.capture.octets_of(trace.capture.frames.get(frame.index())?);
        let mac = MacHeader::parse(octets).ok()?;
        self.between = (mac.src, mac.dst);
        let payload = trace.keyring.payload(octets, &mac).ok()?;
        let lowpan = LowpanView::parse(&payload, self.between).ok()?;
        let rest = lowpan.rest;
        if let Some(rfrag) = &lowpan.headers.rfrag {
            self.is_compressed = true;
            self.put(rfrag.datagram_size, rfrag.offset.into(), rest.get(..usize::from(rfrag.size)).unwrap_or(rest));
            return Some(());
        }
        let frag = lowpan.headers.frag.as_ref()?;
        if frag.first {
            self.put(Some(frag.size), 0, &lowpan.datagram(&trace.contexts).ok()?);
        } else {
            self.put(Some(frag.size), frag.offset, rest);
        }
        Some(())
    }

    /// Puts `piece` at `offset` of a datagram of `total` octets, where that is known.
    fn put(&mut self, total: Option<u16>, offset: usize, piece: &[u8]) {
        let range = (offset, offset.saturating_add(piece.len()));
        let len = self.octets.len().max(total.map_or(range.1, usize::from));
        self.octets.resize(len, 0);
        if self.ranges.contains(&range) {
            return;
        }
        if let Some(place) = self.octets.get_mut(range.0..range.1) {
            place.copy_from_slice(piece);
            self.ranges.push(range);
        }
    }
}

/// Returns the UDP datagram that a fragment of IP completes, and whether sniffers cut some of it off; `None` when it
/// does not complete one.
pub(super) fn udp(trace: &Trace, places: &Places, id: FrameId) -> Option<(Vec<u8>, bool)> {
    let mut pieces = Pieces::default();
    for &frame in completed(trace, places, id)?.frames {
        let frame = trace.capture.frames.get(frame.index())?;
        let octets = trace.capture.octets_of(frame);
        let packet = match frame.link {
            Link::Ethernet => octets.get(Ethernet::parse(octets).ok()?.payload)?,
            Link::RawIp | Link::LoopbackIp => octets,
            Link::Ieee802154 | Link::Other(_) => return None,
        };
        pieces.add(&Piece::of_ip(packet)?)?;
    }
    let (datagram, is_cut) = pieces.datagram()?;
    Some((datagram.to_vec(), is_cut))
}
