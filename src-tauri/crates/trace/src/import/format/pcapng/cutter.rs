//! Borders of blocks in a file that comes in pieces.

use super::interface::Interface;
use super::packet::Packet;
use super::{LEAST, LONGEST, Order, is_known, is_section_header, kind};
use crate::import::clock;
use crate::import::piece::{Found, PieceKind};
use base::Instant;

/// Octets searched for the next block before those known to be garbage are given up.
const SEARCHED: usize = super::SEARCHED;

/// Longest name resolution block, octets, that still describes what follows; a longer one does not. Chosen here: such a
/// block is read again with every window.
const MOST_NAMES: usize = 64 * 1024;

/// Finds the borders of blocks in a file that comes in pieces, by the rules of [`super::import`].
#[derive(Default)]
pub(in crate::import) struct Cutter {
    order: Option<Order>,
    interfaces: Vec<Interface>,
}

impl std::fmt::Debug for Cutter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cutter").field("order", &self.order).field("interfaces", &self.interfaces.len()).finish()
    }
}

impl Cutter {
    /// Looks for the block that begins `octets`, and keeps the interfaces it describes.
    pub(in crate::import) fn cut(&mut self, octets: &[u8]) -> Found {
        let (order, kind, length) = match self.block(octets) {
            Ok(block) => block,
            Err(found) => return found,
        };
        let block = octets.get(..length).unwrap_or_default();
        if is_section_header(block) {
            self.order = Some(order);
            self.interfaces.clear();
            return Found::Piece(length, PieceKind::Begin);
        }
        let part = match kind {
            kind::INTERFACE => match Interface::parse(order, block, self.interfaces.len()) {
                Some(interface) => {
                    self.interfaces.push(interface);
                    PieceKind::Describe
                }
                None => PieceKind::Beside,
            },
            kind::NAME_RESOLUTION if length <= MOST_NAMES => PieceKind::Describe,
            _ => self.frame(order, kind, block).map_or(PieceKind::Beside, PieceKind::Frame),
        };
        Found::Piece(length, part)
    }

    /// Returns the time stamp of the frame in a block, from the Unix epoch; `None` where it holds no frame.
    fn frame(&self, order: Order, kind: u32, block: &[u8]) -> Option<Instant> {
        let packet = match kind {
            kind::ENHANCED_PACKET => Packet::parse(order, block, order.u32(block, 8)?)?,
            kind::PACKET => Packet::parse(order, block, order.u16(block, 8)?.into())?,
            kind::SIMPLE_PACKET => Packet::parse_simple(order, block, self.interfaces.first()?.snaplen)?,
            _ => return None,
        };
        let interface = self.interfaces.get(packet.interface as usize)?;
        Some(packet.ticks.map_or(clock::UNKNOWN, |ticks| {
            clock::unix_nanos(ticks, interface.resolution, interface.offset.clamp(-CENTURIES, CENTURIES))
        }))
    }

    /// Returns byte order, type and length in octets of the whole block that begins `octets`.
    fn block(&self, octets: &[u8]) -> Result<(Order, u32, usize), Found> {
        if octets.len() < LEAST as usize {
            return Err(Found::Cut);
        }
        let order = if is_section_header(octets) { Order::of_section(octets, 0) } else { self.order };
        let fields = order.and_then(|order| Some((order, order.u32(octets, 0)?, order.u32(octets, 4)?)));
        let (order, kind, length) = fields.ok_or(Found::Garbage)?;
        if !(LEAST..=LONGEST).contains(&length) || length % 4 != 0 {
            return Err(Found::Garbage);
        }
        let end = length as usize;
        if octets.len() < end {
            return Err(Found::Cut);
        }
        // The length stands at both ends of a block.
        if order.u32(octets, end - 4) == Some(length) { Ok((order, kind, end)) } else { Err(Found::Garbage) }
    }

    /// Returns the number of octets, at least one, before the next that begin a block of a known type with both its
    /// lengths; `None` until more come.
    pub(in crate::import) fn search(&self, octets: &[u8]) -> Option<usize> {
        let last = octets.len().checked_sub(LEAST as usize)?;
        for at in 1..=last {
            let rest = octets.get(at..).unwrap_or_default();
            let is_candidate =
                is_section_header(rest) || self.order.and_then(|order| order.u32(rest, 0)).is_some_and(is_known);
            if is_candidate && self.block(rest).is_ok() {
                return Some(at);
            }
        }
        (last > SEARCHED).then_some(last)
    }
}

/// Longest shift of time stamps, seconds, that 64 bits of nanoseconds hold.
const CENTURIES: i64 = i64::MAX / 1_000_000_000;
