//! Nodes of the information elements of a MAC frame, 7.4.

use super::Value;
use super::builder::TreeBuilder;
use crate::link::ieee802154::{self, Ie, MLME, Nested};
use base::Severity;

/// Writes the header IEs of `psdu`, from the cursor on.
pub(super) fn header_ies(builder: &mut TreeBuilder<'_, '_>, list: &[Ie], psdu: &[u8]) {
    list_of(builder, list, "wpan.header_ie", "Header IEs", |builder, ie| {
        let (name, title) = header_ie(ie.id);
        element(builder, ie, name, title, |builder| {
            let label = |word| format!("IE Header: 0x{word:04x}");
            builder.word_le(2, "wpan.header_ie_tlv", label, |builder| {
                builder.bits(15, 1, "wpan.header_ie.type", |bits| format!("Type: {bits}"));
                builder.bits(7, 8, "wpan.header_ie.id", |bits| format!("ID: 0x{bits:02x}"));
                builder.bits(0, 7, "wpan.header_ie.length", |bits| format!("Length: {bits}"));
            });
            header_content(builder, ie, psdu);
        });
    });
}

/// Writes the payload IEs of `psdu`, from the cursor on.
pub(super) fn payload_ies(builder: &mut TreeBuilder<'_, '_>, list: &[Ie], psdu: &[u8]) {
    list_of(builder, list, "wpan.payload_ie", "Payload IEs", |builder, ie| {
        let (name, title) = payload_ie(ie.id);
        element(builder, ie, name, title, |builder| {
            let label = |word| format!("IE Header: 0x{word:04x}");
            builder.word_le(2, "wpan.payload_ie_tlv", label, |builder| {
                builder.bits(15, 1, "wpan.payload_ie.type", |bits| format!("Type: {bits}"));
                builder.bits(11, 4, "wpan.payload_ie.id", |bits| format!("Group ID: 0x{bits:x}"));
                builder.bits(0, 11, "wpan.payload_ie.length", |bits| format!("Length: {bits}"));
            });
            match ie.id {
                MLME => mlme(builder, ie, psdu),
                2 => {
                    builder.uint_le_as(3, "wpan.payload_ie.vendor.oui", |oui| format!("Vendor OUI: {oui:06x}"));
                }
                5 => {
                    builder.uint(1, "wpan.ietf_ie.sub_id", "Sub-ID");
                }
                _ => {}
            }
        });
    });
}

fn list_of(
    builder: &mut TreeBuilder<'_, '_>,
    list: &[Ie],
    name: &'static str,
    title: &str,
    mut each: impl FnMut(&mut TreeBuilder<'_, '_>, &Ie),
) {
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return };
    let len = last.span.end.saturating_sub(first.span.start);
    builder.group(
        len,
        name,
        |_| (Value::None, title.to_owned()),
        |builder| {
            for ie in list {
                each(builder, ie);
            }
        },
    );
}

fn element(
    builder: &mut TreeBuilder<'_, '_>,
    ie: &Ie,
    name: &'static str,
    title: &str,
    inside: impl FnOnce(&mut TreeBuilder<'_, '_>),
) {
    builder.group(ie.span.len(), name, |_| (Value::None, title.to_owned()), inside);
}

/// Field name and title of a header IE, by element ID, Table 7-7.
const fn header_ie(id: u8) -> (&'static str, &'static str) {
    match id {
        0x00 => ("wpan.header_ie.vendor_specific", "Vendor Specific IE"),
        0x1a => ("wpan.header_ie.csl", "CSL IE"),
        0x1b => ("wpan.header_ie.rit", "RIT IE"),
        0x1c => ("wpan.header_ie.dsme_pan_descriptor", "DSME PAN Descriptor IE"),
        0x1d => ("wpan.header_ie.rdv", "Rendezvous Time IE"),
        0x1e => ("wpan.header_ie.time_correction", "Time Correction IE"),
        0x21 => ("wpan.header_ie.extended_dsme_pan_descriptor", "Extended DSME PAN Descriptor IE"),
        0x22 => ("wpan.header_ie.fscd", "Fragment Sequence Context Description IE"),
        0x23 => ("wpan.header_ie.simplified_superframe", "Simplified Superframe Specification IE"),
        0x24 => ("wpan.header_ie.simplified_gts", "Simplified GTS Specification IE"),
        0x25 => ("wpan.header_ie.lecim_capabilities", "LECIM Capabilities IE"),
        0x26 => ("wpan.header_ie.trle_descriptor", "TRLE Descriptor IE"),
        0x27 => ("wpan.header_ie.rcc_capabilities", "RCC Capabilities IE"),
        0x28 => ("wpan.header_ie.rccn_descriptor", "RCCN Descriptor IE"),
        0x29 => ("wpan.header_ie.global_time", "Global Time IE"),
        0x2b => ("wpan.header_ie.da", "DA IE"),
        0x7e => ("wpan.header_ie.ht1", "Header Termination 1 IE (payload IEs follow)"),
        0x7f => ("wpan.header_ie.ht2", "Header Termination 2 IE (payload follows)"),
        _ => ("wpan.header_ie.unsupported", "Header IE"),
    }
}

/// Field name and title of a payload IE, by group ID, Table 7-15.
const fn payload_ie(id: u8) -> (&'static str, &'static str) {
    match id {
        0 => ("wpan.payload_ie.esdu", "ESDU IE"),
        MLME => ("wpan.mlme", "MLME IE"),
        2 => ("wpan.payload_ie.vendor", "Vendor Specific IE"),
        3 => ("wpan.mpx", "MPX IE"),
        5 => ("wpan.payload_ie.ietf", "IETF IE"),
        0xf => ("wpan.payload_ie.termination", "Payload Termination IE"),
        _ => ("wpan.payload_ie.unknown", "Payload IE"),
    }
}

fn header_content(builder: &mut TreeBuilder<'_, '_>, ie: &Ie, psdu: &[u8]) {
    match ie.id {
        0x00 => {
            builder.uint_le_as(3, "wpan.header_ie.vendor_specific.vendor_oui", |oui| format!("Vendor OUI: {oui:06x}"));
            builder.rest("wpan.header_ie.vendor_specific.content", "Vendor Content");
        }
        0x1a => {
            let units = |title| move |value| format!("{title}: {value} × 10 symbols");
            builder.uint_le_as(2, "wpan.header_ie.csl.phase", units("CSL Phase"));
            builder.uint_le_as(2, "wpan.header_ie.csl.period", units("CSL Period"));
            if builder.left() >= 2 {
                builder.uint_le_as(2, "wpan.header_ie.csl.rendezvous_time", units("Rendezvous Time"));
            }
        }
        0x1d => {
            builder.uint_le(2, "wpan.header_ie.csl.rendezvous_time", "Rendezvous Time");
            builder.uint_le(2, "wpan.header_ie.csl.wakeup_interval", "Wake-up Interval");
        }
        0x1e => {
            let correction = ieee802154::time_correction(psdu, ie);
            builder.word_le(
                2,
                "wpan.header_ie.time_correction.time_sync_info",
                |word| format!("Time Sync Info: 0x{word:04x}"),
                |builder| {
                    if let Some(correction) = correction {
                        let (us, nack) = (i64::from(correction.micros), correction.nack);
                        builder.about(
                            "wpan.header_ie.time_correction.value",
                            Value::Int(us),
                            format!("Time Correction: {us} µs"),
                        );
                        builder.about("wpan.nack", Value::Bool(nack), format!("NACK: {nack}"));
                    }
                },
            );
        }
        _ => {}
    }
}

/// Writes the nested IEs of an MLME IE, 7.4.4.
fn mlme(builder: &mut TreeBuilder<'_, '_>, ie: &Ie, psdu: &[u8]) {
    let (list, error) = ieee802154::nested(psdu, &ie.content);
    for nested in &list {
        let (name, title) = nested_ie(nested);
        builder.group(
            nested.span.len(),
            name,
            |_| (Value::None, title.to_owned()),
            |builder| {
                builder.word_le(
                    2,
                    "wpan.mlme.ie",
                    |word| format!("MLME Sub-IE: 0x{word:04x}"),
                    |builder| {
                        builder.bits(15, 1, "wpan.mlme.ie.type", |bits| {
                            format!("Type: {}", if bits == 1 { "long" } else { "short" })
                        });
                        if nested.long {
                            builder.bits(11, 4, "wpan.mlme.ie.id", |bits| format!("Sub-ID: 0x{bits:x}"));
                            builder.bits(0, 11, "wpan.mlme.ie.length", |bits| format!("Length: {bits}"));
                        } else {
                            builder.bits(8, 7, "wpan.mlme.ie.id", |bits| format!("Sub-ID: 0x{bits:02x}"));
                            builder.bits(0, 8, "wpan.mlme.ie.length", |bits| format!("Length: {bits}"));
                        }
                    },
                );
                nested_content(builder, nested);
            },
        );
    }
    if let Some(error) = error {
        builder.rest("data", "Octets");
        builder.find(Severity::Warning, error.to_string());
    }
}

/// Field name and title of a nested IE, by sub-ID, Tables 7-16 (short) and 7-17 (long).
const fn nested_ie(ie: &Nested) -> (&'static str, &'static str) {
    match (ie.long, ie.id) {
        (true, 9) => ("wpan.channel_hopping", "Channel Hopping IE"),
        (true, 8) => ("wpan.mlme.vendor_long", "Vendor Specific Nested IE"),
        (false, 0x1a) => ("wpan.tsch.time_sync", "TSCH Synchronization IE"),
        (false, 0x1b) => ("wpan.tsch.slotframe", "TSCH Slotframe and Link IE"),
        (false, 0x1c) => ("wpan.tsch.timeslot", "TSCH Timeslot IE"),
        (false, 0x1e) => ("wpan.eb_filter", "Enhanced Beacon Filter IE"),
        (false, 0x40) => ("wpan.mlme.vendor", "Vendor Specific Nested IE"),
        _ => ("wpan.mlme.unsupported", "Nested IE"),
    }
}

fn nested_content(builder: &mut TreeBuilder<'_, '_>, ie: &Nested) {
    match (ie.long, ie.id) {
        (false, 0x1a) => {
            builder.uint_le(5, "wpan.tsch.asn", "Absolute Slot Number");
            builder.uint(1, "wpan.tsch.join_metric", "Join Metric");
        }
        (false, 0x1b) => slotframes(builder),
        (false, 0x1c) => timeslot(builder),
        (true, 9) => {
            builder.uint_as(1, "wpan.tsch.hopping_sequence_id", |id| format!("Hopping Sequence ID: 0x{id:02x}"));
        }
        _ => {}
    }
}

/// Writes the TSCH Timeslot IE, 7.4.4.4: the ID alone, or with its timings in µs.
fn timeslot(builder: &mut TreeBuilder<'_, '_>) {
    /// Name and title of the timings before macTsMaxTx and macTsTimeslotLength, each of two octets.
    const TIMINGS: [(&str, &str); 10] = [
        ("wpan.tsch.timeslot.cca_offset", "CCA Offset"),
        ("wpan.tsch.timeslot.cca", "CCA"),
        ("wpan.tsch.timeslot.tx_offset", "TX Offset"),
        ("wpan.tsch.timeslot.rx_offset", "RX Offset"),
        ("wpan.tsch.timeslot.rx_ack_delay", "RX ACK Delay"),
        ("wpan.tsch.timeslot.tx_ack_delay", "TX ACK Delay"),
        ("wpan.tsch.timeslot.rx_wait", "RX Wait"),
        ("wpan.tsch.timeslot.ack_wait", "ACK Wait"),
        ("wpan.tsch.timeslot.turnaround", "RX/TX Turnaround"),
        ("wpan.tsch.timeslot.max_ack", "Max ACK"),
    ];
    builder.uint_as(1, "wpan.tsch.timeslot.id", |id| format!("Timeslot ID: 0x{id:02x}"));
    if builder.left() == 0 {
        return;
    }
    let micros = |title: &'static str| move |us: u64| format!("{title}: {us} µs");
    for (name, title) in TIMINGS {
        builder.uint_le_as(2, name, micros(title));
    }
    // Two octets each in the 2012 amendment, three where the last can be long.
    let wide = if builder.left() >= 6 { 3 } else { 2 };
    builder.uint_le_as(wide, "wpan.tsch.timeslot.max_tx", micros("Max TX"));
    builder.uint_le_as(wide, "wpan.tsch.timeslot.length", micros("Timeslot Length"));
}

/// Writes the TSCH Slotframe and Link IE, 7.4.4.3.
fn slotframes(builder: &mut TreeBuilder<'_, '_>) {
    /// Octets before the links of a slotframe: handle, size (2), number of links.
    const SLOTFRAME: usize = 4;
    /// Octets of a link: timeslot (2), channel offset (2), options.
    const LINK: usize = 5;
    let count = builder.uint(1, "wpan.tsch.slotframe_num", "Number of Slotframes");
    for _ in 0..count {
        let links = builder.peek(SLOTFRAME).get(3).copied().map_or(0, usize::from);
        let len = SLOTFRAME.saturating_add(links.saturating_mul(LINK));
        if builder.left() < len {
            return;
        }
        builder.group(
            len,
            "wpan.tsch.slotframe_descriptor",
            |_| (Value::None, "Slotframe".to_owned()),
            |builder| {
                builder.uint(1, "wpan.tsch.slotframe_handle", "Slotframe Handle");
                builder.uint_le(2, "wpan.tsch.slotframe_size", "Slotframe Size");
                builder.uint(1, "wpan.tsch.nb_links", "Number of Links");
                for _ in 0..links {
                    builder.group(
                        LINK,
                        "wpan.tsch.link_info",
                        |_| (Value::None, "Link".to_owned()),
                        |builder| {
                            builder.uint_le(2, "wpan.tsch.link_timeslot", "Timeslot");
                            builder.uint_le(2, "wpan.tsch.channel_offset", "Channel Offset");
                            builder.word(
                                1,
                                "wpan.tsch.link_options",
                                |word| format!("Link Options: 0x{word:02x}"),
                                |builder| {
                                    builder.flag(0, "wpan.tsch.link_options.tx", "TX Link");
                                    builder.flag(1, "wpan.tsch.link_options.rx", "RX Link");
                                    builder.flag(2, "wpan.tsch.link_options.shared", "Shared Link");
                                    builder.flag(3, "wpan.tsch.link_options.timekeeping", "Timekeeping");
                                    builder.flag(4, "wpan.tsch.link_options.priority", "Priority");
                                },
                            );
                        },
                    );
                }
            },
        );
    }
}
