//! Fields read from messages and headers. Names, types and the cases in which a field is present are those of Wireshark
//! 4.0 where it has the field; the rest are ours.

use super::Row;
use super::field::{Field, Kind, Out, Read, Value};
use crate::timeline::needless;
use base::SourceId;
use std::net::Ipv6Addr;
use trace::packet::{Ip, MacHeader, Part, Rpl, Stop, option};
use trace::{Delivery, Fate, Fcs, FrameType, Link, MacAddr, Outcome, Type};

// Names of values with their numbers: of the standards, of `columns` (fates, outcomes), or ours (deliveries).
const FRAME_TYPES: &[(&str, i64)] = &[("beacon", 0), ("data", 1), ("ack", 2), ("command", 3), ("multipurpose", 5)];
const COAP_TYPES: &[(&str, i64)] = &[("CON", 0), ("NON", 1), ("ACK", 2), ("RST", 3)];
const PROTOCOLS: &[(&str, i64)] = &[("tcp", 6), ("udp", 17), ("icmpv6", 58)];
const RPL_CODES: &[(&str, i64)] = &[("DIS", 0), ("DIO", 1), ("DAO", 2), ("DAO-ACK", 3)];
const FATES: &[(&str, i64)] = &[("answered", 0), ("request_lost", 1), ("reply_lost", 2), ("lost", 3), ("unknown", 4)];
const OUTCOMES: &[(&str, i64)] = &[("acked", 0), ("separate", 1), ("reset", 2), ("abandoned", 3), ("open", 4)];
const DELIVERIES: &[(&str, i64)] = &[("no", 0), ("unlikely", 1), ("unknown", 2), ("yes", 3)];

macro_rules! fields {
    ($($name:literal $(| $also:literal)*, $kind:expr, $about:literal, $read:expr;)*) => {
        /// Fields read from messages and headers, by layer.
        pub static FIELDS: &[Field] = &[$(Field { name: $name, also: &[$($also),*], kind: $kind, about: $about, read: Read::Packet($read) },)*];
    };
}

fields! {
    "frame.number", Kind::Number, "Position in the file, from 1", |r, out| out(Value::Number(i64::from(r.id.0) + 1));
    "frame.len", Kind::Number, "Octets on the link, the frame check sequence included where it was captured", |r, out| {
        if let Some(frame) = r.record() {
            let fcs = if frame.link == Link::Ieee802154 && frame.fcs != Fcs::Absent { 2 } else { 0 };
            out(Value::Number(i64::from(frame.octets.end - frame.octets.start) + fcs));
        }
    };
    "frame.time_relative", Kind::Time, "Since the first record of the file", |r, out| {
        if let (Some(frame), Some(first)) = (r.record(), r.trace.capture.frames.first()) {
            out(Value::Nanos((frame.at - first.at).nanos()));
        }
    };
    "frame.time_epoch", Kind::Time, "Since 1970 UTC, where the capture has a wall clock", |r, out| {
        if let (Some(frame), Some(epoch)) = (r.record(), r.trace.capture.epoch_unix_nanos) {
            out(Value::Nanos(frame.at.nanos().saturating_add(epoch)));
        }
    };
    "frame.comment", Kind::Text, "What people and tools wrote beside the frame", |r, out| {
        for comment in r.trace.capture.annotations.of(r.id) {
            out(Value::Text(comment));
        }
    };
    "time", Kind::Time, "On the clock of the window: since the start of the trace", |r, out| {
        if let Some(frame) = r.record() {
            out(Value::Nanos(frame.at.nanos()));
        }
    };
    "time_of_day", Kind::Time, "UTC, since midnight: `time_of_day >= 13:05:00`", |r, out| {
        if let (Some(frame), Some(epoch)) = (r.record(), r.trace.capture.epoch_unix_nanos) {
            out(Value::Nanos(frame.at.nanos().saturating_add(epoch).rem_euclid(86_400_000_000_000)));
        }
    };
    "source", Kind::Text, "Who observed the frame; in a Cooja log, who sent it", |r, out| {
        let source = |id: SourceId| r.trace.capture.sources.get(id.index());
        if let Some(source) = r.record().and_then(|f| source(f.source)) {
            out(Value::Text(&source.name));
        }
    };
    "channel", Kind::Number, "802.15.4 channel", |r, out| optional(r.record().and_then(|f| f.channel), out);
    "rssi", Kind::Number, "Received signal strength, dBm", |r, out| optional(r.record().and_then(|f| f.rssi), out);
    "lqi", Kind::Number, "Link quality indicator", |r, out| optional(r.record().and_then(|f| f.lqi), out);

    "wpan", Kind::Protocol, "IEEE 802.15.4", |r, out| {
        if r.record().is_some_and(|f| f.link == Link::Ieee802154) {
            out(Value::Present);
        }
    };
    "wpan.frame_type", Kind::Name(FRAME_TYPES), "Frame type", |r, out| mac(r, |m| Some(Value::Number(match m.frame_type {
        FrameType::Beacon => 0,
        FrameType::Data => 1,
        FrameType::Ack => 2,
        FrameType::Command => 3,
        FrameType::Reserved(number) => i64::from(number),
        FrameType::Multipurpose => 5,
        FrameType::Fragment => 6,
        FrameType::Extended => 7,
    })), out);
    "wpan.version", Kind::Number, "Frame version: 0 = 2003, 1 = 2006, 2 = 2015", |r, out| mac(r, |m| Some(number(m.version)), out);
    "wpan.security", Kind::Bool, "Security enabled", |r, out| mac(r, |m| Some(Value::Flag(m.security)), out);
    "wpan.pending", Kind::Bool, "Frame pending", |r, out| mac(r, |m| Some(Value::Flag(m.frame_pending)), out);
    "wpan.ack_request", Kind::Bool, "Acknowledgement requested", |r, out| mac(r, |m| Some(Value::Flag(m.ack_request)), out);
    "wpan.pan_id_compression", Kind::Bool, "PAN ID compression", |r, out| mac(r, |m| Some(Value::Flag(m.pan_id_compression)), out);
    "wpan.seq_no", Kind::Number, "Sequence number", |r, out| mac(r, |m| m.seq.map(number), out);
    "wpan.dst_pan", Kind::Number, "Destination PAN", |r, out| mac(r, |m| m.dst_pan.map(number), out);
    "wpan.src_pan", Kind::Number, "Source PAN", |r, out| mac(r, |m| m.src_pan.map(number), out);
    "wpan.dst16", Kind::Number, "Short destination address", |r, out| mac(r, |m| short(m.dst), out);
    "wpan.src16", Kind::Number, "Short source address", |r, out| mac(r, |m| short(m.src), out);
    "wpan.dst64", Kind::Eui64, "Extended destination address", |r, out| mac(r, |m| extended(m.dst), out);
    "wpan.src64", Kind::Eui64, "Extended source address", |r, out| mac(r, |m| extended(m.src), out);
    "wpan.fcs_ok", Kind::Bool, "The frame check sequence matches", |r, out| match r.record().map(|f| f.fcs) {
        Some(Fcs::Good) => out(Value::Flag(true)),
        Some(Fcs::Bad) => out(Value::Flag(false)),
        Some(Fcs::Absent) | None => {}
    };

    "6lowpan", Kind::Protocol, "6LoWPAN", |r, out| {
        if r.packet().lowpan {
            out(Value::Present);
        }
    };
    "6lowpan.frag.size", Kind::Number, "Uncompressed size of the fragmented datagram", |r, out| optional(r.packet().frag.as_ref().map(|f| f.size), out);
    "6lowpan.frag.tag", Kind::Number, "Datagram tag", |r, out| optional(r.packet().frag.as_ref().map(|f| f.tag), out);
    "6lowpan.frag.offset", Kind::Number, "Offset of a later fragment, in octets", |r, out| {
        if let Some(frag) = r.packet().frag.as_ref().filter(|f| !f.first) {
            out(Value::Number(i64::try_from(frag.offset).unwrap_or(i64::MAX)));
        }
    };

    "ipv6", Kind::Protocol, "IPv6", |r, out| ip(r, 6, |_| Value::Present, out);
    "ipv6.src", Kind::Ipv6, "Source address", |r, out| ip(r, 6, |ip| Value::Address(ip.src), out);
    "ipv6.dst", Kind::Ipv6, "Destination address in the header; below a source route the next node", |r, out| ip(r, 6, |ip| Value::Address(ip.dst), out);
    "ipv6.addr", Kind::Ipv6, "Source or destination address", |r, out| {
        ip(r, 6, |ip| Value::Address(ip.src), out);
        ip(r, 6, |ip| Value::Address(ip.dst), out);
    };
    "ipv6.final_dst", Kind::Ipv6, "Where the datagram goes in the end: the last address of a source route", |r, out| ip(r, 6, |ip| Value::Address(ip.final_dst), out);
    "ipv6.hlim", Kind::Number, "Hop limit", |r, out| ip(r, 6, |ip| number(ip.hop_limit), out);
    "ipv6.nxt", Kind::Name(PROTOCOLS), "Next header", |r, out| ip(r, 6, |ip| number(ip.next_header), out);
    "ipv6.plen", Kind::Number, "Payload length", |r, out| ip(r, 6, |ip| number(ip.payload_len), out);
    "ip", Kind::Protocol, "IPv4", |r, out| ip(r, 4, |_| Value::Present, out);
    "ip.src", Kind::Ipv4, "Source address", |r, out| ip(r, 4, |ip| Value::Address(ip.src), out);
    "ip.dst", Kind::Ipv4, "Destination address", |r, out| ip(r, 4, |ip| Value::Address(ip.dst), out);
    "ip.addr", Kind::Ipv4, "Source or destination address", |r, out| {
        ip(r, 4, |ip| Value::Address(ip.src), out);
        ip(r, 4, |ip| Value::Address(ip.dst), out);
    };
    "ip.ttl", Kind::Number, "Time to live", |r, out| ip(r, 4, |ip| number(ip.hop_limit), out);
    "ip.proto", Kind::Name(PROTOCOLS), "Protocol", |r, out| ip(r, 4, |ip| number(ip.next_header), out);

    "udp", Kind::Protocol, "UDP", |r, out| {
        if r.packet().udp.is_some() {
            out(Value::Present);
        }
    };
    "udp.srcport", Kind::Number, "Source port", |r, out| optional(r.packet().udp.as_ref().map(|u| u.src_port), out);
    "udp.dstport", Kind::Number, "Destination port", |r, out| optional(r.packet().udp.as_ref().map(|u| u.dst_port), out);
    "udp.port", Kind::Number, "Source or destination port", |r, out| {
        if let Some(udp) = &r.packet().udp {
            out(number(udp.src_port));
            out(number(udp.dst_port));
        }
    };
    "udp.length", Kind::Number, "Length of header and payload", |r, out| optional(r.packet().udp.as_ref().map(|u| u.length), out);

    "icmpv6", Kind::Protocol, "ICMPv6", |r, out| {
        if r.packet().icmpv6.is_some() {
            out(Value::Present);
        }
    };
    "icmpv6.type", Kind::Number, "Type", |r, out| optional(r.packet().icmpv6.as_ref().map(|i| i.header.kind), out);
    "icmpv6.code", Kind::Number, "Code", |r, out| optional(r.packet().icmpv6.as_ref().map(|i| i.header.code), out);
    "rpl", Kind::Protocol, "RPL control messages", |r, out| {
        if r.packet().icmpv6.as_ref().is_some_and(|i| i.rpl.is_some()) {
            out(Value::Present);
        }
    };
    "rpl.code", Kind::Name(RPL_CODES), "Which RPL control message", |r, out| {
        if let Some(icmp) = r.packet().icmpv6.as_ref().filter(|i| i.rpl.is_some()) {
            out(number(icmp.header.code));
        }
    };
    "icmpv6.rpl.dio.rank", Kind::Number, "Rank of the sender", |r, out| {
        if let Some(Rpl::Dio(dio)) = rpl(r) {
            out(number(dio.rank));
        }
    };
    "icmpv6.rpl.dio.dagid", Kind::Ipv6, "DODAG: the root's address", |r, out| {
        if let Some(Rpl::Dio(dio)) = rpl(r) {
            out(Value::Address(dio.dodag_id.into()));
        }
    };
    "icmpv6.rpl.dao.sequence", Kind::Number, "DAO sequence number", |r, out| {
        if let Some(Rpl::Dao(dao)) = rpl(r) {
            out(number(dao.sequence));
        }
    };

    "coap", Kind::Protocol, "CoAP", |r, out| {
        if r.message_here().is_some() {
            out(Value::Present);
        }
    };
    "coap.type", Kind::Name(COAP_TYPES), "Type", |r, out| {
        if let Some(message) = r.message_here() {
            out(Value::Number(match message.kind {
                Type::Con => 0,
                Type::Non => 1,
                Type::Ack => 2,
                Type::Rst => 3,
            }));
        }
    };
    "coap.code", Kind::Code, "Method or response code", |r, out| optional(r.message_here().map(|m| m.code.0), out);
    "coap.mid", Kind::Number, "Message ID", |r, out| optional(r.message_here().map(|m| m.mid), out);
    "coap.token", Kind::Octets, "Token", |r, out| {
        // Wireshark has no field for a token of no octets.
        if let Some(message) = r.message_here().filter(|m| !m.token.is_empty()) {
            out(Value::Octets(message.token.as_slice()));
        }
    };
    "coap.token_len", Kind::Number, "Octets of the token", |r, out| {
        optional(r.message_here().and_then(|m| u8::try_from(m.token.len()).ok()), out);
    };
    "coap.payload_length", Kind::Number, "Octets of payload", |r, out| {
        optional(r.message_here().map(|m| m.payload).filter(|&payload| payload > 0), out);
    };
    "coap.opt.number", Kind::Number, "Number of an option", |r, out| {
        for view in r.coap().into_iter().flat_map(|c| &c.header.options) {
            out(number(view.number));
        }
    };
    "coap.opt.uri_host", Kind::Text, "Uri-Host", |r, out| texts(r, option::URI_HOST, out);
    "coap.opt.uri_path", Kind::Text, "Uri-Path: one value for each segment", |r, out| texts(r, option::URI_PATH, out);
    "coap.opt.uri_query", Kind::Text, "Uri-Query: one value for each argument", |r, out| texts(r, option::URI_QUERY, out);
    "coap.opt.location_path", Kind::Text, "Location-Path", |r, out| texts(r, option::LOCATION_PATH, out);
    "coap.opt.observe", Kind::Number, "Observe", |r, out| uints(r, option::OBSERVE, out);
    "coap.opt.max_age", Kind::Number, "Max-Age, seconds", |r, out| uints(r, option::MAX_AGE, out);
    "coap.opt.size1", Kind::Number, "Size1", |r, out| uints(r, option::SIZE1, out);
    "coap.opt.etag", Kind::Octets, "ETag", |r, out| {
        for value in r.coap().into_iter().flat_map(|c| c.values(option::ETAG)) {
            out(Value::Octets(value));
        }
    };
    "coap.rc.count", Kind::Number, "Retransmission count option, by the number given when the capture was opened", |r, out| {
        optional(r.message_here().and_then(|m| m.rc), out);
    };

    "message", Kind::Number, "Number of the CoAP message the frame carries or is a part of, on every hop", |r, out| {
        optional(r.place().map(|p| p.message.0), out);
    };
    "hop", Kind::Number, "On which hop of its message, from 1", |r, out| {
        optional(r.place().and_then(|p| u32::try_from(p.hop + 1).ok()), out);
    };
    "hops", Kind::Number, "Hops that were seen of its message", |r, out| {
        optional(r.hop().and_then(|(message, _)| u32::try_from(message.hops().len()).ok()), out);
    };
    "delivery", Kind::Name(DELIVERIES), "Whether the next node got the message on this hop", |r, out| {
        if let Some((_, hop)) = r.hop() {
            out(Value::Number(match hop.delivery {
                Delivery::No => 0,
                Delivery::Unlikely => 1,
                Delivery::Unknown => 2,
                Delivery::Yes => 3,
            }));
        }
    };
    "retry", Kind::Flag, "The link layer sends the same octets again", |r, out| {
        if r.place().is_some() {
            out(Value::Flag(r.is_retry()));
        }
    };
    "fragment", Kind::Flag, "A fragment", |r, out| {
        let packet = r.packet();
        let of_ip = packet.ip.is_some_and(|ip| ip.is_fragment);
        out(Value::Flag(packet.frag.is_some() || packet.rfrag.is_some() || of_ip));
    };
    "encrypted", Kind::Flag, "The payload is ciphertext and was not decrypted", |r, out| out(Value::Flag(r.packet().stop == Stop::Encrypted));
    "malformed", Kind::Flag, "Against a standard, or cut", |r, out| out(Value::Flag(matches!(r.packet().stop, Stop::Malformed(_))));
    "note" , Kind::Text, "Why decoding stopped", |r, out| match &r.packet().stop {
        Stop::Complete | Stop::Fragment => {}
        Stop::Encrypted => out(Value::Text("encrypted")),
        Stop::BadFcs => out(Value::Text("bad frame check sequence")),
        Stop::Malformed(error) => out(Value::Text(&error.to_string())),
        Stop::Unsupported(what) => out(Value::Text(what)),
    };

    "exchange", Kind::Number, "Number of the exchange, as in `rtoscope exchanges`", |r, out| optional(r.exchange().map(|e| e.0.id.0), out);
    "client", Kind::Text, "Client of the exchange", |r, out| end(r, true, out);
    "server", Kind::Text, "Server of the exchange", |r, out| end(r, false, out);
    "copy", Kind::Number, "Which copy it carries or answers, from 1: the first transmission", |r, out| {
        optional(r.copy_index().and_then(|index| u32::try_from(index + 1).ok()), out);
    };
    "copies", Kind::Number, "Copies of the exchange", |r, out| {
        optional(r.exchange().and_then(|e| u32::try_from(e.0.copies.len()).ok()), out);
    };
    "request", Kind::Flag, "A copy of a confirmable request", |r, out| part(r, |part| matches!(part, Part::Copy(_)), out);
    "reply", Kind::Flag, "A reply to one", |r, out| part(r, |part| matches!(part, Part::Reply(_)), out);
    "retransmission", Kind::Flag, "A copy after the first", |r, out| part(r, |part| matches!(part, Part::Copy(1..)), out);
    "needless" | "spurious", Kind::Flag, "A copy sent though an earlier one was answered", |r, out| {
        if let Some((exchange, index, _)) = r.copy() {
            out(Value::Flag(needless(exchange, index)));
        }
    };
    "lost", Kind::Flag, "A copy that got no reply", |r, out| {
        if let Some((_, _, copy)) = r.copy() {
            out(Value::Flag(matches!(copy.fate, Fate::RequestLost | Fate::ReplyLost | Fate::Lost)));
        }
    };
    "fate", Kind::Name(FATES), "What became of the copy", |r, out| {
        if let Some((_, _, copy)) = r.copy() {
            out(number(crate::timeline::fate(copy.fate).number()));
        }
    };
    "outcome", Kind::Name(OUTCOMES), "How the exchange ended", |r, out| {
        if let Some((exchange, _)) = r.exchange() {
            out(number(crate::timeline::outcome(exchange.outcome).number()));
        }
    };
    "unanswered", Kind::Flag, "Of an exchange that ended without a reply", |r, out| {
        if let Some((exchange, _)) = r.exchange() {
            out(Value::Flag(matches!(exchange.outcome, Outcome::Abandoned | Outcome::Open)));
        }
    };
    "rtt", Kind::Time, "From the copy it carries or answers to that copy's reply", |r, out| {
        if let Some(rtt) = r.rtt() {
            out(Value::Nanos(rtt.nanos()));
        }
    };
    "exchange.rtt", Kind::Time, "From the first copy to the closing reply", |r, out| {
        if let Some(rtt) = r.exchange().and_then(|e| e.0.rtt()) {
            out(Value::Nanos(rtt.nanos()));
        }
    };
}

fn number<'v>(value: impl Into<i64>) -> Value<'v> {
    Value::Number(value.into())
}

fn optional(value: Option<impl Into<i64>>, out: Out<'_>) {
    if let Some(value) = value {
        out(Value::Number(value.into()));
    }
}

fn mac(row: &Row<'_>, value: impl Fn(&MacHeader) -> Option<Value<'static>>, out: Out<'_>) {
    if let Some(value) = row.packet().mac.as_ref().and_then(value) {
        out(value);
    }
}

fn short(address: MacAddr) -> Option<Value<'static>> {
    match address {
        MacAddr::Short(short) => Some(number(short)),
        MacAddr::None | MacAddr::Extended(_) => None,
    }
}

fn extended(address: MacAddr) -> Option<Value<'static>> {
    match address {
        MacAddr::Extended(octets) => Some(Value::Eui64(octets)),
        MacAddr::None | MacAddr::Short(_) => None,
    }
}

fn ip(row: &Row<'_>, version: u8, value: impl Fn(Ip) -> Value<'static>, out: Out<'_>) {
    let packet = row.packet();
    for ip in packet.tunnels.iter().chain(&packet.ip).filter(|ip| ip.version == version) {
        out(value(*ip));
    }
}

fn rpl<'r>(row: &'r Row<'_>) -> Option<&'r Rpl> {
    row.packet().icmpv6.as_ref()?.rpl.as_ref()
}

fn texts(row: &Row<'_>, option: u16, out: Out<'_>) {
    for value in row.coap().into_iter().flat_map(|c| c.values(option)) {
        out(Value::Text(&String::from_utf8_lossy(value)));
    }
}

fn uints(row: &Row<'_>, option: u16, out: Out<'_>) {
    let uint =
        |value: &[u8]| (value.len() <= 4).then(|| value.iter().fold(0, |uint, &octet| uint << 8 | i64::from(octet)));
    for value in row.coap().into_iter().flat_map(|c| c.values(option)).filter_map(uint) {
        out(Value::Number(value));
    }
}

fn end(row: &Row<'_>, client: bool, out: Out<'_>) {
    let association = row.exchange().and_then(|(e, _)| row.trace.associations.get(e.association.index()));
    if let Some(association) = association {
        let (name, addr) = if client {
            (&association.client_name, association.client.addr)
        } else {
            (&association.server_name, association.server.addr)
        };
        out(Value::Text(name));
        out(Value::Text(&address(addr)));
    }
}

fn address(addr: Ipv6Addr) -> String {
    addr.to_ipv4_mapped().map_or_else(|| addr.to_string(), |v4| v4.to_string())
}

fn part(row: &Row<'_>, is: impl Fn(Part) -> bool, out: Out<'_>) {
    if let Some((_, part)) = row.exchange() {
        out(Value::Flag(is(part)));
    }
}
