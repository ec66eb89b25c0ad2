//! Nodes of routing headers (RFC 8138) and recoverable fragments (RFC 8931).

use super::super::Value;
use super::super::builder::TreeBuilder;
use crate::ip::lowpan::{Lorh, Rfrag, RfragAck, Routing};

/// Writes a 6LoWPAN routing header.
pub(super) fn lorh(builder: &mut TreeBuilder<'_, '_>, header: &Lorh) {
    let title = match &header.content {
        Routing::SourceRoute { addresses, .. } => format!("SRH-6LoRH, {} addresses", addresses.len()),
        Routing::Rpi { instance, sender_rank, .. } => format!("RPI-6LoRH, instance {instance}, rank {sender_rank}"),
        Routing::IpInIp { hop_limit, .. } => format!("IP-in-IP-6LoRH, hop limit {hop_limit}"),
        Routing::Elective { kind, .. } => format!("Elective 6LoRH of type {kind}"),
    };
    builder.group(
        header.span.len(),
        "6lowpan.6loRH",
        |_| (Value::None, title),
        |builder| {
            let instance_elided = builder.peek(1).first().is_some_and(|first| first & 2 != 0);
            builder.word(
                1,
                "6lowpan.6loRH.head",
                |word| format!("Dispatch: 0x{word:02x}"),
                |builder| {
                    builder.bits(5, 3, "6lowpan.routingheader", |bits| {
                        format!("Routing header: {} ({bits})", if bits == 4 { "critical" } else { "elective" })
                    });
                    match &header.content {
                        Routing::SourceRoute { .. } => {
                            builder.bits(0, 5, "6lowpan.HopNuevo", |bits| format!("Addresses - 1: {bits}"))
                        }
                        Routing::Rpi { .. } => {
                            builder.flag(4, "6lowpan.6loRH.bitO", "Down");
                            builder.flag(3, "6lowpan.6loRH.bitR", "Rank Error");
                            builder.flag(2, "6lowpan.6loRH.bitF", "Forwarding Error");
                            builder.flag(1, "6lowpan.6loRH.bitI", "RPLInstanceID is elided");
                            builder.flag(0, "6lowpan.6loRH.bitK", "Sender rank is one octet");
                        }
                        Routing::IpInIp { .. } | Routing::Elective { .. } => {
                            builder.bits(0, 5, "6lowpan.rhElength", |bits| format!("Length: {bits}"));
                        }
                    }
                },
            );
            builder.uint(1, "6lowpan.rhtype", "6LoRH Type");
            match &header.content {
                Routing::SourceRoute { size, addresses } => {
                    for _ in addresses {
                        builder.bytes(*size, "6lowpan.6loRH.hop", "Address");
                    }
                }
                Routing::Rpi { .. } => {
                    if instance_elided {
                        builder.derived("6lowpan.rpl.instance", Value::Uint(0), "RPL Instance: 0x00".to_owned());
                    } else {
                        builder.hex(1, "6lowpan.rpl.instance", "RPL Instance");
                    }
                    builder.hex(builder.left(), "6lowpan.sender.rank", "Sender Rank");
                }
                Routing::IpInIp { encapsulator, .. } => {
                    builder.uint(1, "6lowpan.rhhop.limit", "Hop Limit");
                    builder.octets(encapsulator.len(), "6lowpan.6loRH.encapsulator", "Encapsulator address");
                }
                Routing::Elective { .. } => {}
            }
        },
    );
}

/// Writes dispatch and tag of a recoverable fragment or of its acknowledgement (RFC 8931 §5).
fn fragment_head(builder: &mut TreeBuilder<'_, '_>) {
    builder.word(
        1,
        "6lowpan.rfrag.head",
        |word| format!("Dispatch: 0x{word:02x}"),
        |builder| {
            builder.flag(0, "6lowpan.rfrag.congestion", "Congestion");
        },
    );
    builder.uint(1, "6lowpan.rfrag.tag", "Datagram tag");
}

/// Writes the header of a recoverable fragment.
pub(super) fn rfrag(builder: &mut TreeBuilder<'_, '_>, frag: &Rfrag) {
    let title = format!("Recoverable fragment {}, tag {}", frag.sequence, frag.tag);
    builder.group(
        frag.span.len(),
        "6lowpan.rfrag",
        |_| (Value::None, title),
        |builder| {
            fragment_head(builder);
            builder.word(
                2,
                "6lowpan.rfrag.word",
                |word| format!("Sequence and size: 0x{word:04x}"),
                |builder| {
                    builder.flag(15, "6lowpan.rfrag.ack_requested", "Ack requested");
                    builder.bits(10, 5, "6lowpan.rfrag.sequence", |bits| format!("Fragment sequence: {bits}"));
                    builder.bits(0, 10, "6lowpan.rfrag.size", |bits| format!("Fragment size: {bits}"));
                },
            );
            match frag.datagram_size {
                Some(_) => builder.uint(2, "6lowpan.rfrag.datagram_size", "Datagram size"),
                None => builder.uint(2, "6lowpan.rfrag.offset", "Fragment offset"),
            };
        },
    );
}

/// Writes the acknowledgement of recoverable fragments.
pub(super) fn rfrag_ack(builder: &mut TreeBuilder<'_, '_>, ack: &RfragAck) {
    let title = format!("Fragment acknowledgement, tag {}", ack.tag);
    builder.group(
        ack.span.len(),
        "6lowpan.rfrag_ack",
        |_| (Value::None, title),
        |builder| {
            fragment_head(builder);
            builder.hex(4, "6lowpan.rfrag.ack_bitmask", "Fragment ACK bitmask");
        },
    );
}
