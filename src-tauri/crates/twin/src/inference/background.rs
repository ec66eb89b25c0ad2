//! Traffic beside the exchanges: beacons, broadcasts, control and other unicast packets, hop by hop as recorded.

use super::air::{Air, AirFrame, NOBODY, Table};
use super::exchanges::Exchanges;
use super::packets::Packets;
use crate::model::{Background, NodeId};
use base::{Instant, Span};
use trace::Trace;
use wire::ieee802154::MacHeader;
use wire::lowpan;

/// A control packet that repeats one of the same node within this is a reaction to load: replaying those of a storm in a calm world
/// cost 16 % of its mean (TWIN.md §2).
const REACTION: Span = Span::from_secs(60);

/// Source and destination of a datagram, and its next header with type and code.
type Datagram = (Vec<u8>, [u8; 3]);

/// Packets of `trace` that are not part of an exchange. Each is put into its queue `lead` before its first frame.
pub(super) fn of(trace: &Trace, air: &Air, packets: &Packets, exchanges: &Exchanges, lead: Span) -> Vec<Background> {
    let is_simulated = |frame: &AirFrame| exchanges.is_simulated.get(frame.id.index()).copied().unwrap_or(false);
    let mut latest: Table<(NodeId, NodeId, Datagram), Instant> = Table::new();
    let mut all = Vec::new();
    for packet in &packets.list {
        let Some(frame) = air.frame(packet.first()).filter(|frame| !is_simulated(frame)) else { continue };
        if packet.to != NOBODY
            && let Some(datagram) = datagram(trace, frame)
        {
            let before = latest.insert((packet.from, packet.to, datagram), frame.at);
            if before.is_some_and(|before| frame.at - before < REACTION) {
                continue;
            }
        }
        let to = (packet.to != NOBODY).then_some(packet.to);
        let (from, octets, is_beacon) = (packet.from, frame.octets, packet.is_beacon);
        all.push(Background { at: frame.at - lead, from, to, octets, is_beacon });
    }
    all.sort_by_key(|packet| packet.at);
    all
}

/// Ends and kind of the datagram in `frame`; `None` where it carries none that can be read.
fn datagram(trace: &Trace, frame: &AirFrame) -> Option<Datagram> {
    let octets = trace.capture.octets_of(trace.capture.frames.get(frame.id.index())?);
    let header = MacHeader::parse(octets).ok()?;
    let payload = octets.get(header.payload.clone())?;
    let headers = lowpan::parse(payload).ok()?;
    let rest = payload.get(headers.rest.clone())?;
    let (src, dst) = headers.endpoints(header.src, header.dst);
    let ip = lowpan::decompress(rest, src, dst, &trace.contexts, None).ok()?;
    let ends = ip.header.get(8..40)?.to_vec();
    let next = *ip.header.get(6)?;
    let message = rest.get(ip.consumed..)?;
    let [kind, code] = [0, 1].map(|at| message.get(at).copied().unwrap_or(0));
    Some((ends, [next, kind, code]))
}
