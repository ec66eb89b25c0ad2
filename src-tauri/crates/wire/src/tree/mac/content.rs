//! Beacons and commands.

use super::super::pen::Pen;
use crate::MacHeader;
use crate::ieee802154::{FrameType, beacon_fields_len};

/// The payload of a frame that carries nothing for a layer above.
pub(super) fn content(pen: &mut Pen<'_, '_>, header: &MacHeader, octets: &[u8]) {
    match header.frame_type {
        FrameType::Command if !octets.is_empty() => {
            pen.uint_as(1, "wpan.cmd", |id| format!("Command: {} ({id})", command_name(id as u8)));
            pen.octets(octets.len().saturating_sub(1), "wpan.payload", "Payload");
        }
        FrameType::Beacon if header.version < 2 && octets.len() >= 2 => {
            let fields = beacon_fields_len(octets);
            pen.word_le(
                2,
                "wpan.superframe",
                |word| format!("Superframe Specification: 0x{word:04x}"),
                |pen| {
                    pen.bits(0, 4, "wpan.beacon_order", |bits| format!("Beacon Order: {bits}"));
                    pen.bits(4, 4, "wpan.superframe_order", |bits| format!("Superframe Order: {bits}"));
                    pen.bits(8, 4, "wpan.cap", |bits| format!("Final CAP Slot: {bits}"));
                    pen.flag(12, "wpan.battery_ext", "Battery Extension");
                    pen.flag(14, "wpan.bcn_coord", "PAN Coordinator");
                    pen.flag(15, "wpan.assoc_permit", "Association Permit");
                },
            );
            pen.octets(fields.saturating_sub(2), "wpan.beacon.fields", "GTS and pending addresses");
            pen.octets(octets.len().saturating_sub(fields), "wpan.payload", "Beacon payload");
        }
        _ => pen.octets(octets.len(), "wpan.payload", "Payload"),
    }
}

/// MAC commands, Table 7-49.
const fn command_name(id: u8) -> &'static str {
    match id {
        1 => "Association Request",
        2 => "Association Response",
        3 => "Disassociation Notification",
        4 => "Data Request",
        5 => "PAN ID Conflict Notification",
        6 => "Orphan Notification",
        7 => "Beacon Request",
        8 => "Coordinator Realignment",
        9 => "GTS Request",
        _ => "unassigned or of an amendment",
    }
}
