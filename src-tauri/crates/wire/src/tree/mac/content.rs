//! Nodes of beacons and commands.

use super::super::builder::TreeBuilder;
use crate::MacHeader;
use crate::link::ieee802154::{FrameType, beacon_fields_len};

/// Writes the payload of a frame that carries nothing for a layer above.
pub(super) fn content(builder: &mut TreeBuilder<'_, '_>, header: &MacHeader, octets: &[u8]) {
    match header.frame_type {
        FrameType::Command if !octets.is_empty() => {
            builder.uint_as(1, "wpan.cmd", |id| format!("Command: {} ({id})", command_name(id as u8)));
            builder.octets(octets.len().saturating_sub(1), "wpan.payload", "Payload");
        }
        FrameType::Beacon if header.version < 2 && octets.len() >= 2 => {
            let fields = beacon_fields_len(octets);
            builder.word_le(
                2,
                "wpan.superframe",
                |word| format!("Superframe Specification: 0x{word:04x}"),
                |builder| {
                    builder.bits(0, 4, "wpan.beacon_order", |bits| format!("Beacon Order: {bits}"));
                    builder.bits(4, 4, "wpan.superframe_order", |bits| format!("Superframe Order: {bits}"));
                    builder.bits(8, 4, "wpan.cap", |bits| format!("Final CAP Slot: {bits}"));
                    builder.flag(12, "wpan.battery_ext", "Battery Extension");
                    builder.flag(14, "wpan.bcn_coord", "PAN Coordinator");
                    builder.flag(15, "wpan.assoc_permit", "Association Permit");
                },
            );
            builder.octets(fields.saturating_sub(2), "wpan.beacon.fields", "GTS and pending addresses");
            builder.octets(octets.len().saturating_sub(fields), "wpan.payload", "Beacon payload");
        }
        _ => builder.octets(octets.len(), "wpan.payload", "Payload"),
    }
}

/// Name of a MAC command, Table 7-49.
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
