//! A fragmented datagram, put together again from the frames of its hop.

use super::Places;
use crate::Trace;
use base::FrameId;
use wire::MacHeader;
use wire::lowpan;

/// The datagram that frame `id` completes; `None` when it does not complete one.
pub(super) fn datagram(trace: &Trace, places: &Places, id: FrameId) -> Option<Vec<u8>> {
    trace.sightings.binary_search_by_key(&id, |seen| seen.0).ok()?;
    let (_, hop) = places.of_frame(trace, id)?.of(trace)?;
    let mut pieces: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut size = 0;
    for &frame in &hop.frames {
        let octets = trace.capture.octets_of(trace.capture.frames.get(frame.index())?);
        let mac = MacHeader::parse(octets).ok()?;
        let opened = if mac.is_encrypted() { Some(trace.keyring.open(octets, &mac).ok()?) } else { None };
        let payload = match &opened {
            Some(opened) => opened.octets.get(opened.payload.clone())?,
            None => octets.get(mac.payload.clone())?,
        };
        let headers = lowpan::parse(payload).ok()?;
        let frag = headers.frag.as_ref()?;
        size = usize::from(frag.size);
        let rest = payload.get(headers.rest.clone())?;
        let piece = if frag.first {
            let (src, dst) = headers.endpoints(mac.src, mac.dst);
            let rebuilt = lowpan::decompress(rest, src, dst, &trace.contexts, Some(size)).ok()?;
            [&rebuilt.header, rest.get(rebuilt.consumed..)?].concat()
        } else {
            rest.to_vec()
        };
        pieces.push((frag.offset, piece));
    }
    let mut datagram = vec![0; size];
    for (offset, piece) in pieces {
        let end = offset.saturating_add(piece.len()).min(size);
        let len = end.saturating_sub(offset);
        datagram.get_mut(offset..end)?.copy_from_slice(piece.get(..len)?);
    }
    Some(datagram)
}
