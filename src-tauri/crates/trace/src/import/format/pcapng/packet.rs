//! Packets, of the three kinds of block that hold them.

use super::Order;

/// A packet of an enhanced, simple or obsolete packet block.
pub(super) struct Packet<'a> {
    /// Number of its interface in the section, from 0.
    pub(super) interface: u32,
    /// Time stamp in the unit of its interface; `None` in simple packet blocks.
    pub(super) ticks: Option<u64>,
    /// Octets that the block holds.
    pub(super) octets: &'a [u8],
    /// Length on the link, octets.
    pub(super) length: u32,
    /// Options that follow it in its block.
    pub(super) options: &'a [u8],
    /// The block is shorter than the packet it announces.
    pub(super) is_short: bool,
}

impl<'a> Packet<'a> {
    /// Parses an enhanced packet block, or the obsolete packet block, whose fields from the time stamp on are the same;
    /// `None` for a block too short for its fields. Some writers cut the packet and not its length: then what the block
    /// holds is the packet.
    pub(super) fn parse(order: Order, block: &'a [u8], interface: u32) -> Option<Self> {
        let room = block.get(28..block.len().checked_sub(4)?)?;
        let held = order.u32(block, 20)? as usize;
        Some(Self {
            interface,
            ticks: Some(u64::from(order.u32(block, 12)?) << 32 | u64::from(order.u32(block, 16)?)),
            octets: room.get(..held).unwrap_or(room),
            length: order.u32(block, 24)?,
            options: room.get(held.next_multiple_of(4)..).unwrap_or_default(),
            is_short: held > room.len(),
        })
    }

    /// Parses a simple packet block: of interface 0, without time, cut to `snaplen` octets (0 for no limit).
    pub(super) fn parse_simple(order: Order, block: &'a [u8], snaplen: u32) -> Option<Self> {
        let room = block.get(12..block.len().checked_sub(4)?)?;
        let length = order.u32(block, 8)?;
        let held = if snaplen == 0 { length } else { length.min(snaplen) } as usize;
        let octets = room.get(..held).unwrap_or(room);
        Some(Self { interface: 0, ticks: None, octets, length, options: &[], is_short: held > room.len() })
    }
}
