//! Nodes of the metadata in front of 802.15.4 frames.

use super::builder::TreeBuilder;
use super::ipv6::data;
use super::{Part, Trailer, Tree, Value};
use crate::link::tap::{self, Tap};
use base::Severity;

/// Writes the header of a TAP record (link type 283); returns the frame, and the kind of octets behind its payload.
/// `None` when the header cannot be read.
pub fn tap<'a>(tree: &mut Tree, part: Part<'a>) -> Option<(Part<'a>, Trailer)> {
    let header = Tap::parse(part.octets);
    let error = header.as_ref().err();
    let own = header.as_ref().map_or(part, |header| part.at(&(0..header.header_len)));
    let mut builder = TreeBuilder::protocol(tree, own, "wpan-tap", "IEEE 802.15.4 TAP", error);
    builder.uint(1, "wpan-tap.version", "Version");
    builder.uint(1, "wpan-tap.reserved", "Reserved");
    builder.uint_le(2, "wpan-tap.length", "Length");
    // A TLV with a wrong value is written as far as its value.
    while builder.left() >= 4 {
        let len = builder.peek(4).get(2..).and_then(|len| len.first_chunk()).map_or(0, |len| u16::from_le_bytes(*len));
        let len = usize::from(len);
        let padded = len.saturating_add(len.wrapping_neg() & 3);
        let whole = padded.saturating_add(4).min(builder.left());
        if whole < len.saturating_add(4) {
            break;
        }
        let kind = builder.peek(2).first_chunk().map_or(0, |kind| u16::from_le_bytes(*kind));
        let title = tap::tlv_name(kind).unwrap_or("Unknown TLV");
        builder.group(
            whole,
            "wpan-tap.tlv",
            |_| (Value::None, title.to_owned()),
            |builder| {
                builder.uint_le(2, "wpan-tap.tlv.type", "TLV Type");
                builder.uint_le(2, "wpan-tap.tlv.length", "TLV Length");
                let end = builder.pos().saturating_add(len);
                value(builder, kind, len);
                builder.octets(end.saturating_sub(builder.pos()), "wpan-tap.tlv.unknown", "Value");
                builder.rest("wpan-tap.tlv.padding", "Padding");
            },
        );
    }
    builder.close(error);
    header.ok().map(|header| (part.at(&header.frame), Trailer::from(header.fcs)))
}

fn value(builder: &mut TreeBuilder<'_, '_>, kind: u16, len: usize) {
    let float = |octets: &[u8]| f32::from_le_bytes(octets.first_chunk().copied().unwrap_or_default());
    match (kind, len) {
        (0, 1..) => {
            let kind = builder.uint(1, "wpan-tap.fcs_type", "FCS Type");
            if kind > 2 {
                builder.find(Severity::Warning, "reserved FCS type");
            }
        }
        (1, 4..) => builder
            .field(4, "wpan-tap.rss", |octets| (Value::Float(float(octets)), format!("RSS: {:.2} dBm", float(octets)))),
        (2, 4..) => {
            builder.uint_le(4, "wpan-tap.bit_rate", "Bit Rate (bit/s)");
        }
        (3, 3..) => {
            builder.uint_le(2, "wpan-tap.ch_num", "Channel");
            builder.uint(1, "wpan-tap.ch_page", "Page");
        }
        (4, 3..) => {
            builder.uint(1, "wpan-tap.sun_band", "Band");
            builder.uint(1, "wpan-tap.sun_type", "Type");
            builder.uint(1, "wpan-tap.sun_mode", "Mode");
        }
        (5, 8..) => {
            builder.uint_le(8, "wpan-tap.sof_ts", "Start of frame (ns)");
        }
        (6, 8..) => {
            builder.uint_le(8, "wpan-tap.eof_ts", "End of frame (ns)");
        }
        (7, 8..) => {
            builder.uint_le(8, "wpan-tap.asn", "ASN");
        }
        (8, 8..) => {
            builder.uint_le(8, "wpan-tap.slot_start_ts", "Start of slot (ns)");
        }
        (9, 4..) => {
            builder.uint_le(4, "wpan-tap.timeslot_length", "Timeslot length (µs)");
        }
        (10, 1..) => {
            builder.uint(1, "wpan-tap.lqi", "Link Quality Indicator");
        }
        (11, 4..) => builder.field(4, "wpan-tap.ch_freq", |octets| {
            (Value::Float(float(octets)), format!("Centre Frequency: {} kHz", float(octets)))
        }),
        _ => {}
    }
}

/// Writes preamble, start-of-frame delimiter and PHY header of a record of link type 215; returns the PSDU,
/// FCS included. `None` when they cannot be read.
pub fn nonask_phy<'a>(tree: &mut Tree, part: Part<'a>) -> Option<Part<'a>> {
    let psdu = tap::nonask_phy(part.octets);
    let own = psdu.as_ref().map_or(part, |psdu| part.at(&(0..psdu.start)));
    let mut builder = TreeBuilder::protocol(tree, own, "wpan-nonask-phy", "IEEE 802.15.4 PHY", psdu.as_ref().err());
    builder.hex(4, "wpan-nonask-phy.preamble", "Preamble");
    builder.hex(1, "wpan-nonask-phy.sfd", "Start-of-frame delimiter");
    builder.word(
        1,
        "wpan-nonask-phy.phr",
        |word| format!("PHR: 0x{word:02x}"),
        |builder| {
            builder.bits(0, 7, "wpan-nonask-phy.frame_length", |bits| format!("Frame Length: {bits}"));
        },
    );
    builder.close(psdu.as_ref().err());
    let psdu = psdu.ok()?;
    let behind = part.at(&(psdu.end..part.octets.len()));
    if !behind.octets.is_empty() {
        data(tree, behind, "Octets behind the frame");
    }
    Some(part.at(&psdu))
}
