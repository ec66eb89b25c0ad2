//! Packets, of the three kinds of block that hold them.

use super::Order;

/// A packet of any of the three blocks.
pub(super) struct Packet<'a> {
    pub(super) interface: u32,
    pub(super) ticks: Option<u64>,
    pub(super) octets: &'a [u8],
    /// On the link.
    pub(super) length: u32,
    /// Options that follow it in its block.
    pub(super) options: &'a [u8],
    /// The block is shorter than the packet it announces.
    pub(super) is_short: bool,
}

impl<'a> Packet<'a> {
    /// From an enhanced packet block, or the obsolete packet block, whose fields from the time stamp on are the
    /// same. Some writers cut the packet and not its length: then what the block holds is the packet.
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

    /// From a simple packet block: of the first interface, without time, as long as its `snaplen` allows.
    pub(super) fn parse_simple(order: Order, block: &'a [u8], snaplen: u32) -> Option<Self> {
        let room = block.get(12..block.len().checked_sub(4)?)?;
        let length = order.u32(block, 8)?;
        let held = if snaplen == 0 { length } else { length.min(snaplen) } as usize;
        let octets = room.get(..held).unwrap_or(room);
        Some(Self { interface: 0, ticks: None, octets, length, options: &[], is_short: held > room.len() })
    }
}
