//! Traffic beside the exchanges: beacons, broadcasts, control and other unicast packets, hop by hop as recorded.

use super::air::{Air, AirFrame, NOBODY, Table};
use super::exchanges::Exchanges;
use super::packets::Packets;
use crate::model::{Background, Known, NodeId, Parameter};
use base::{Cancelled, Instant, SharedProgress, Span};
use std::collections::BTreeSet;
use trace::Trace;
use wire::coap::Type;
use wire::icmpv6::{Icmpv6, RPL_CONTROL};
use wire::ieee802154::MacHeader;
use wire::ipv6::{ICMPV6, Ipv6};
use wire::lowpan;
use wire::rpl::Rpl;

/// Time within which a repeated DAO that asks for an acknowledgement, or a repeated acknowledgement, of the same node
/// is taken for a reaction to load and not replayed. Without this the recorded DAOs of a storm moved the mean
/// completion time of a calm replay by 16 %. Chosen here; `rtoscope calibrate` scores storms under other timers.
/// Without acknowledgements every DAO is sent for a reason of its own.
const REACTION: Span = Span::from_secs(60);

/// A RPL message that one frame carries.
pub(super) struct Control {
    /// Source address of the IPv6 header.
    pub src: [u8; 16],
    /// Destination address of the IPv6 header.
    dst: [u8; 16],
    /// Parsed RPL message.
    pub rpl: Rpl,
}

impl Control {
    /// Reads the message in `frame` of `trace`; `None` where it carries none that can be read.
    pub fn read(trace: &Trace, frame: &AirFrame) -> Option<Self> {
        let octets = trace.capture.octets_of(trace.capture.frames.get(frame.id.index())?);
        let header = MacHeader::parse(octets).ok()?;
        let payload = octets.get(header.payload.clone())?;
        let headers = lowpan::parse(payload).ok()?;
        let rest = payload.get(headers.rest.clone())?;
        let (src, dst) = headers.endpoints(header.src, header.dst);
        let ip = lowpan::decompress(rest, src, dst, &trace.contexts, None).ok()?;
        let mut datagram = ip.header;
        datagram.extend_from_slice(rest.get(ip.consumed..)?);
        let ip = Ipv6::parse(&datagram).ok().filter(|ip| ip.upper == ICMPV6)?;
        let message = datagram.get(ip.payload.clone())?;
        let icmp = Icmpv6::parse(message).ok().filter(|icmp| icmp.kind == RPL_CONTROL)?;
        let rpl = Rpl::parse(icmp.code, message.get(icmp.body.clone())?).ok()?;
        Some(Self { src: ip.src, dst: ip.dst, rpl })
    }

    /// Returns whether it is a DAO that asks for an acknowledgement, or such an acknowledgement.
    const fn is_acknowledged_dao(&self) -> bool {
        match &self.rpl {
            Rpl::Dao(dao) => dao.ack_request,
            Rpl::DaoAck(_) => true,
            Rpl::Dis | Rpl::Dio(_) | Rpl::Other(_) => false,
        }
    }
}

/// Returns the packets of `trace` that are not part of an exchange, in order of time. Each is put into its queue `lead`
/// before its first frame.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn of(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    (exchanges, lead): (&Exchanges, Span),
    progress: &SharedProgress<'_>,
) -> Result<Vec<Background>, Cancelled> {
    let mut latest: Table<(NodeId, NodeId, [[u8; 16]; 2]), Instant> = Table::new();
    let mut all = Vec::new();
    for (index, packet) in packets.list.iter().enumerate() {
        progress.ask_at(index)?;
        let Some(frame) = air.frame(packet.first()).filter(|frame| !exchanges.has(frame)) else { continue };
        if packet.to != NOBODY
            && let Some(control) = Control::read(trace, frame).filter(Control::is_acknowledged_dao)
        {
            let before = latest.insert((packet.from, packet.to, [control.src, control.dst]), frame.at);
            if before.is_some_and(|before| frame.at - before < REACTION) {
                continue;
            }
        }
        let to = (packet.to != NOBODY).then_some(packet.to);
        let (from, octets, is_beacon) = (packet.from, frame.octets, packet.is_beacon);
        all.push(Background { at: frame.at - lead, from, to, octets, is_beacon });
    }
    all.sort_by_key(|packet| packet.at);
    Ok(all)
}

/// Returns parameters of traffic beside single exchanges with one server; empty where there is none.
///
/// * `non-confirmable-messages`: messages that no timer sends, notifications among them. Their packets are background,
///   hop by hop at their recorded times, whatever the timers do: they occupy the medium, and nobody waits for them.
/// * `background-packets-to-nodes`: packets to one node that are part of no exchange, these among them.
/// * `servers`: nodes that answer.
pub(super) fn parameters(trace: &Trace, exchanges: &Exchanges, background: &[Background]) -> Vec<Parameter> {
    let is_background = |frames: &[base::FrameId]| {
        frames.iter().all(|frame| !exchanges.is_simulated.get(frame.index()).copied().unwrap_or(false))
    };
    let lone = trace.messages.iter().filter(|message| {
        message.kind == Type::Non
            && message.hops().all(|hop| is_background(hop.frames))
            && message.hops().next().is_some()
    });
    let (messages, all) = (lone.count(), trace.messages.len() as u64);
    let read = |name, value: usize, unit, of| Parameter::exact(name, value as f64, unit, Known::Read, of);
    let mut found = Vec::new();
    if messages > 0 {
        found.push(read("non-confirmable-messages", messages, "messages", all));
        let to_nodes = background.iter().filter(|packet| packet.to.is_some()).count();
        found.push(read("background-packets-to-nodes", to_nodes, "packets", background.len() as u64));
    }
    let servers: BTreeSet<NodeId> = exchanges.ends.iter().flatten().map(|ends| ends.server).collect();
    if servers.len() > 1 {
        found.push(read("servers", servers.len(), "nodes", trace.exchanges.len() as u64));
    }
    found
}
