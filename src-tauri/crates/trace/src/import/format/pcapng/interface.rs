//! Interfaces: the sources of packets, and the unit of their times.

use super::Order;
use crate::import::clock::Resolution;
use crate::import::framing::Framing;
use base::{Layer, Notes, SourceId};
use pcap_parser::pcapng::{OptionCode, parse_interfacedescriptionblock_be, parse_interfacedescriptionblock_le};

/// Packets that one interface of a section dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Drops {
    /// Number of dropped packets with a known place.
    pub(super) placed: u64,
    /// Number of all dropped packets by the statistics, whose counters only grow.
    pub(super) counted: u64,
}

/// An interface of the current section.
pub(super) struct Interface {
    /// Name of the interface: its `if_name`, else `interface` and its number.
    pub(super) name: String,
    /// Link type, a number of the pcap registry.
    pub(super) number: u16,
    /// Layout of its packets; `None` where the link type is not understood.
    pub(super) framing: Option<Framing>,
    /// Unit of its time stamps.
    pub(super) resolution: Resolution,
    /// Seconds to add to its time stamps (`if_tsoffset`).
    pub(super) offset: i64,
    /// Longest packet that is kept, octets; 0 for no limit.
    pub(super) snaplen: u32,
    /// Length of the check sequence at the end of its packets, octets (`if_fcslen`); used for Ethernet only.
    pub(super) fcs_len: usize,
    /// Source of its frames, once it has one.
    pub(super) source: Option<SourceId>,
    /// Packets that it dropped.
    pub(super) drops: Drops,
}

impl Interface {
    /// Parses an interface description block, which describes interface `index` of its section, from 0; `None` for a
    /// damaged one.
    pub(super) fn parse(order: Order, block: &[u8], index: usize) -> Option<Self> {
        /// Code of `if_fcslen`, which pcap-parser does not name.
        const FCS_LEN: OptionCode = OptionCode(13);
        let parsed = match order {
            Order::Big => parse_interfacedescriptionblock_be(block),
            Order::Little => parse_interfacedescriptionblock_le(block),
        };
        let (_, block) = parsed.ok()?;
        let value = |code| {
            let option = block.options.iter().find(|option| option.code == code)?;
            option.value().get(..usize::from(option.len))
        };
        let name = value(OptionCode::IfName).map(|name| String::from_utf8_lossy(name).trim_matches('\0').to_owned());
        let offset =
            value(OptionCode::IfTsoffset).and_then(|value| value.first_chunk()).map_or(0, |&value| match order {
                Order::Big => i64::from_be_bytes(value),
                Order::Little => i64::from_le_bytes(value),
            });
        let resolution = value(OptionCode::IfTsresol).and_then(<[u8]>::first);
        let number = (block.linktype.0 & 0xffff) as u16;
        Some(Self {
            name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("interface {index}")),
            number,
            framing: Framing::of(number),
            resolution: resolution.map_or(Resolution::MICROS, |&value| Resolution::from_tsresol(value)),
            offset,
            snaplen: block.snaplen,
            fcs_len: value(FCS_LEN).and_then(<[u8]>::first).map_or(0, |&len| usize::from(len)),
            source: None,
            drops: Drops::default(),
        })
    }

    /// Notes time stamps that cannot be times, and drops an offset beyond the range of time. `at`: offset of the block
    /// in the file, octets.
    pub(super) fn doubt_clock(&mut self, at: u64, notes: &mut Notes) {
        const SECOND: i64 = 1_000_000_000;
        let Self { name, offset, resolution, .. } = self;
        // Times are nanoseconds in 64 bits, 1677 to 2262.
        if offset.checked_mul(SECOND).is_none() {
            notes.tally(Layer::Clock, "absurd-time-offset", None, Some(at), || {
                format!("{name} moves its time stamps by {offset} s; they were read as they are")
            });
            *offset = 0;
        }
        if resolution.nanos(u64::MAX) < i128::from(SECOND) {
            notes.tally(Layer::Clock, "absurd-time-unit", None, Some(at), || {
                format!("{name} counts time in units so short that 64 bits of them are no second: its time stamps say nothing")
            });
        }
    }
}
