//! Routing headers (RFC 8138) and recoverable fragments (RFC 8931).

use super::super::Value;
use super::super::pen::Pen;
use crate::lowpan::{Lorh, Rfrag, RfragAck, Routing};

/// A 6LoWPAN routing header.
pub(super) fn lorh(pen: &mut Pen<'_, '_>, header: &Lorh) {
    let title = match &header.content {
        Routing::SourceRoute { addresses, .. } => format!("SRH-6LoRH, {} addresses", addresses.len()),
        Routing::Rpi { instance, sender_rank, .. } => format!("RPI-6LoRH, instance {instance}, rank {sender_rank}"),
        Routing::IpInIp { hop_limit, .. } => format!("IP-in-IP-6LoRH, hop limit {hop_limit}"),
        Routing::Elective { kind, .. } => format!("Elective 6LoRH of type {kind}"),
    };
    pen.group(
        header.span.len(),
        "6lowpan.6loRH",
        |_| (Value::None, title),
        |pen| {
            let instance_elided = pen.peek(1).first().is_some_and(|first| first & 2 != 0);
            pen.word(
                1,
                "6lowpan.6loRH.head",
                |word| format!("Dispatch: 0x{word:02x}"),
                |pen| {
                    pen.bits(5, 3, "6lowpan.routingheader", |bits| {
                        format!("Routing header: {} ({bits})", if bits == 4 { "critical" } else { "elective" })
                    });
                    match &header.content {
                        Routing::SourceRoute { .. } => {
                            pen.bits(0, 5, "6lowpan.HopNuevo", |bits| format!("Addresses - 1: {bits}"))
                        }
                        Routing::Rpi { .. } => {
                            pen.flag(4, "6lowpan.6loRH.bitO", "Down");
                            pen.flag(3, "6lowpan.6loRH.bitR", "Rank Error");
                            pen.flag(2, "6lowpan.6loRH.bitF", "Forwarding Error");
                            pen.flag(1, "6lowpan.6loRH.bitI", "RPLInstanceID is elided");
                            pen.flag(0, "6lowpan.6loRH.bitK", "Sender rank is one octet");
                        }
                        Routing::IpInIp { .. } | Routing::Elective { .. } => {
                            pen.bits(0, 5, "6lowpan.rhElength", |bits| format!("Length: {bits}"));
                        }
                    }
                },
            );
            pen.uint(1, "6lowpan.rhtype", "6LoRH Type");
            match &header.content {
                Routing::SourceRoute { size, addresses } => {
                    for _ in addresses {
                        pen.bytes(*size, "6lowpan.6loRH.hop", "Address");
                    }
                }
                Routing::Rpi { .. } => {
                    if instance_elided {
                        pen.derived("6lowpan.rpl.instance", Value::Uint(0), "RPL Instance: 0x00".to_owned());
                    } else {
                        pen.hex(1, "6lowpan.rpl.instance", "RPL Instance");
                    }
                    pen.hex(pen.left(), "6lowpan.sender.rank", "Sender Rank");
                }
                Routing::IpInIp { encapsulator, .. } => {
                    pen.uint(1, "6lowpan.rhhop.limit", "Hop Limit");
                    pen.octets(encapsulator.len(), "6lowpan.6loRH.encapsulator", "Encapsulator address");
                }
                Routing::Elective { .. } => {}
            }
        },
    );
}

/// A recoverable fragment.
pub(super) fn rfrag(pen: &mut Pen<'_, '_>, frag: &Rfrag) {
    let title = format!("Recoverable fragment {}, tag {}", frag.sequence, frag.tag);
    pen.group(
        frag.span.len(),
        "6lowpan.rfrag",
        |_| (Value::None, title),
        |pen| {
            pen.word(
                1,
                "6lowpan.rfrag.head",
                |word| format!("Dispatch: 0x{word:02x}"),
                |pen| {
                    pen.flag(0, "6lowpan.rfrag.congestion", "Congestion");
                },
            );
            pen.uint(1, "6lowpan.rfrag.tag", "Datagram tag");
            pen.word(
                2,
                "6lowpan.rfrag.word",
                |word| format!("Sequence and size: 0x{word:04x}"),
                |pen| {
                    pen.flag(15, "6lowpan.rfrag.ack_requested", "Ack requested");
                    pen.bits(10, 5, "6lowpan.rfrag.sequence", |bits| format!("Fragment sequence: {bits}"));
                    pen.bits(0, 10, "6lowpan.rfrag.size", |bits| format!("Fragment size: {bits}"));
                },
            );
            match frag.datagram_size {
                Some(_) => pen.uint(2, "6lowpan.rfrag.datagram_size", "Datagram size"),
                None => pen.uint(2, "6lowpan.rfrag.offset", "Fragment offset"),
            };
        },
    );
}

/// Its acknowledgement.
pub(super) fn rfrag_ack(pen: &mut Pen<'_, '_>, ack: &RfragAck) {
    let title = format!("Fragment acknowledgement, tag {}", ack.tag);
    pen.group(
        ack.span.len(),
        "6lowpan.rfrag_ack",
        |_| (Value::None, title),
        |pen| {
            pen.word(
                1,
                "6lowpan.rfrag.head",
                |word| format!("Dispatch: 0x{word:02x}"),
                |pen| {
                    pen.flag(0, "6lowpan.rfrag.congestion", "Congestion");
                },
            );
            pen.uint(1, "6lowpan.rfrag.tag", "Datagram tag");
            pen.hex(4, "6lowpan.rfrag.ack_bitmask", "Fragment ACK bitmask");
        },
    );
}
