//! Summary of a frame in one line.

use crate::columns::PacketKind;
use crate::filter::Row;
use crate::timeline::needless;
use std::fmt::Write as _;
use std::net::IpAddr;
use trace::packet::{CoapMessage, Icmp, Part, Rpl, Stop, option};
use trace::{Annotations, FrameType, Link, MacAddr, Packet};

/// Source, destination, protocol, length and text of a frame, as a packet list shows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Name of the source node: the mote's number, else its network address with the name that the file gives it, else
    /// its link-layer address; empty where the frame names none.
    pub src: String,
    /// Destination, in the form of `src`.
    pub dst: String,
    /// Name of the innermost protocol that was read.
    pub protocol: &'static str,
    /// Length of the frame as kept, octets, without a frame check sequence.
    pub octets: u32,
    /// Summary of the frame for people, without its addresses.
    pub info: String,
    /// Kind of the frame, which decides its colour.
    pub kind: PacketKind,
}

impl Summary {
    /// Summarises a row: its ends, protocol, kind and a line of text.
    #[must_use]
    pub fn of(row: &Row<'_>) -> Self {
        let packet = row.packet();
        let (src, dst) = ends(packet, &row.trace.capture.annotations);
        let protocol = protocol(row, packet);
        let mut info = info(row, packet);
        if row.is_retry() {
            info.push_str(", link-layer retry");
        }
        let octets = row.record().map_or(0, |f| f.octets.end.saturating_sub(f.octets.start));
        Self { src, dst, protocol, octets, info, kind: kind(row, packet) }
    }
}

fn ends(packet: &Packet, annotations: &Annotations) -> (String, String) {
    if let Some(ip) = packet.ip {
        let [src, dst] = [ip.src, ip.final_dst].map(|address| address.to_canonical());
        return (named(src, annotations), named(dst, annotations));
    }
    let mac = |address: MacAddr| match address {
        MacAddr::None => String::new(),
        MacAddr::BROADCAST => "broadcast".to_owned(),
        other => trace::names::name_of_mac(other),
    };
    packet.mac.as_ref().map_or_else(Default::default, |header| (mac(header.src), mac(header.dst)))
}

/// Name of a node, with the address where people named it: such a name does not tell which address it was, and a mote
/// has one of each scope.
fn named(address: IpAddr, annotations: &Annotations) -> String {
    let name = trace::names::name_of_address(address, annotations);
    match annotations.name_of(address) {
        Some(given) if given == name => format!("{name} ({address})"),
        _ => name,
    }
}

fn protocol(row: &Row<'_>, packet: &Packet) -> &'static str {
    match (&packet.coap, &packet.icmpv6, &packet.udp, packet.ip) {
        (Some(_), ..) => "CoAP",
        (_, Some(icmp), ..) if icmp.rpl.is_some() => "RPL",
        (_, Some(_), ..) => "ICMPv6",
        (_, _, Some(_), _) => "UDP",
        (.., Some(ip)) if ip.version == 4 => "IPv4",
        (.., Some(_)) => "IPv6",
        _ if packet.lowpan => "6LoWPAN",
        _ => match row.record().map(|f| f.link) {
            Some(Link::Ieee802154) => "802.15.4",
            Some(Link::Ethernet) => "Ethernet",
            Some(Link::RawIp | Link::LoopbackIp) => "IP",
            Some(Link::Other(_)) | None => "other",
        },
    }
}

fn kind(row: &Row<'_>, packet: &Packet) -> PacketKind {
    match &packet.stop {
        Stop::Malformed(_) | Stop::BadFcs => return PacketKind::Damaged,
        Stop::Encrypted => return PacketKind::Encrypted,
        Stop::Complete | Stop::Fragment | Stop::Unsupported(_) => {}
    }
    match row.exchange() {
        Some((exchange, Part::Copy(index))) if needless(exchange, index) => return PacketKind::Needless,
        Some((_, Part::Copy(0))) => return PacketKind::Request,
        Some((_, Part::Copy(_))) => return PacketKind::Retransmission,
        Some((_, Part::Reply(_))) => return PacketKind::Reply,
        None => {}
    }
    match packet.mac.as_ref().map(|mac| mac.frame_type) {
        _ if row.place().is_some() => PacketKind::Coap,
        _ if packet.icmpv6.is_some() => PacketKind::Control,
        Some(FrameType::Ack) => PacketKind::LinkAck,
        Some(FrameType::Beacon | FrameType::Command) => PacketKind::Mac,
        _ => PacketKind::Other,
    }
}

fn info(row: &Row<'_>, packet: &Packet) -> String {
    match &packet.stop {
        Stop::Malformed(error) => return format!("malformed: {error}"),
        Stop::BadFcs => return "the frame check sequence does not match".to_owned(),
        Stop::Unsupported(what) => return format!("{what}, not decoded"),
        Stop::Encrypted => {
            let octets = packet.mac.as_ref().map_or(0, |mac| mac.payload.len());
            return format!("{octets} octets, encrypted");
        }
        Stop::Fragment | Stop::Complete => {}
    }
    if let Some(coap) = &packet.coap {
        return coap_info(row, coap);
    }
    if let Some(icmp) = &packet.icmpv6 {
        return icmp_info(icmp);
    }
    if let Some(udp) = &packet.udp {
        return format!("{} → {}, {} octets", udp.src_port, udp.dst_port, udp.payload.len());
    }
    if let Some(mut text) = fragment_info(packet) {
        if let Some((message, _)) = row.hop() {
            let _ = write!(text, ", {} {}, MID {}", message.kind, method(message.code), message.mid);
            text.push_str(&role(row));
        }
        return text;
    }
    if let Some(ip) = packet.ip {
        return format!("protocol {}, {} octets", ip.next_header, ip.payload_len);
    }
    match &packet.mac {
        Some(mac) => {
            let seq = mac.seq.map_or_else(String::new, |seq| format!(", sequence number {seq}"));
            match mac.frame_type {
                FrameType::Ack => format!("acknowledgement{seq}"),
                FrameType::Beacon => format!("beacon{seq}"),
                FrameType::Command => format!("MAC command{seq}"),
                _ => format!("{} octets{seq}", mac.payload.len()),
            }
        }
        None => String::new(),
    }
}

fn fragment_info(packet: &Packet) -> Option<String> {
    match (&packet.frag, &packet.rfrag, packet.ip) {
        (Some(frag), ..) => {
            Some(format!("fragment of {} octets from {}, tag 0x{:04x}", frag.size, frag.offset, frag.tag))
        }
        (_, Some(rfrag), _) => {
            Some(format!("recoverable fragment {} from {}, tag 0x{:02x}", rfrag.sequence, rfrag.offset, rfrag.tag))
        }
        (.., Some(ip)) if ip.is_fragment => Some(format!("fragment of IP, {} octets", ip.payload_len)),
        _ => None,
    }
}

/// Method or response code for people: `PUT`, `2.04 Changed`.
fn method(code: trace::Code) -> String {
    match code.name() {
        Some(name) if code.is_request() || code.is_empty() => name.to_owned(),
        Some(name) => format!("{code} {name}"),
        None => code.to_string(),
    }
}

fn coap_info(row: &Row<'_>, coap: &CoapMessage) -> String {
    let header = &coap.header;
    let mut text = format!("{} {}, MID {}", header.kind, method(header.code), header.mid);
    if !header.token.is_empty() {
        let _ = write!(text, ", token {}", header.token);
    }
    let mut list = |number: u16, first: &str, next: &str| {
        for (index, value) in coap.values(number).enumerate() {
            let _ = write!(
                text,
                "{}{}",
                if index == 0 { first } else { next },
                base::printable(&String::from_utf8_lossy(value))
            );
        }
    };
    list(option::URI_PATH, ", /", "/");
    list(option::URI_QUERY, "?", "&");
    if let Some(rc) = header.rc(&coap.octets, row.trace.options.rc_option) {
        let _ = write!(text, ", RC {rc}");
    }
    text.push_str(&role(row));
    text
}

/// Formats the role of the message in its exchange: `, copy 2 of 3, needless`.
fn role(row: &Row<'_>) -> String {
    match row.exchange() {
        Some((exchange, Part::Copy(index))) => {
            let copies = exchange.copies.len();
            let of = if copies > 1 { format!(", copy {} of {copies}", index + 1) } else { String::new() };
            of + if needless(exchange, index) { ", needless" } else { "" }
        }
        Some((exchange, Part::Reply(index))) => {
            let answers = exchange.replies.get(index).and_then(|reply| reply.answers);
            match answers {
                Some(copy) if exchange.copies.len() > 1 => format!(", answers copy {}", u32::from(copy) + 1),
                _ => String::new(),
            }
        }
        None => String::new(),
    }
}

fn icmp_info(icmp: &Icmp) -> String {
    match &icmp.rpl {
        Some(Rpl::Dis) => "DIS".to_owned(),
        Some(Rpl::Dio(dio)) => format!("DIO, rank {}, version {}", dio.rank, dio.version),
        Some(Rpl::Dao(dao)) => format!("DAO, sequence {}", dao.sequence),
        Some(Rpl::DaoAck(ack)) => format!("DAO-ACK, sequence {}, status {}", ack.sequence, ack.status),
        Some(Rpl::Other(code)) => format!("RPL code 0x{code:02x}"),
        None => icmp.header.name().map_or_else(|| format!("type {}", icmp.header.kind), str::to_owned),
    }
}
