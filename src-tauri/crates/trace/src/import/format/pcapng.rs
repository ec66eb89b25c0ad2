//! pcapng (draft-ietf-opsawg-pcapng): sections of either byte order, any number of interfaces, packets in
//! enhanced, simple and obsolete packet blocks.
//!
//! Blocks are delimited here, so that damage can be distinguished from the end of the file and be stepped over, and
//! packets are decoded here, so that one whose length lies is not lost; pcap-parser decodes interface descriptions
//! and their options. Time stamps are `clock`'s, see there. What people and tools wrote beside the packets, comments
//! and names, is in `annotation`, and what they counted that is not there in `drops`.

mod annotation;
mod cutter;
mod drops;
mod interface;
mod packet;

use crate::import::builder::{CaptureBuilder, Directory, RawRecord};
use crate::import::clock;
use crate::import::framing::{self, Framing, Payload};
use crate::import::stream::Stream;
use crate::import::trailer::Rule;
use crate::import::{ImportError, ImportOptions};
use crate::model::{Format, Link};
use base::Layer;
pub(in crate::import) use cutter::Cutter;
use interface::Interface;
use packet::Packet;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A section header block's type, the same in both byte orders.
const SECTION: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];

/// Offset of the byte-order magic in a section header block, octets (draft-ietf-opsawg-pcapng).
const BYTE_ORDER_AT: usize = 8;
/// Value of the byte-order magic (draft-ietf-opsawg-pcapng).
const BYTE_ORDER: u32 = 0x1a2b_3c4d;

/// Length of the shortest block, octets: type, length, and length again.
const LEAST: u32 = 12;

/// Most octets of a block; longer ones are damage: Wireshark's limit (`MAX_BLOCK_SIZE`).
const LONGEST: u32 = 16 * 1024 * 1024;

/// Octets searched for the next block before those known to be garbage are dropped. Chosen here: it bounds memory.
const SEARCHED: usize = 1024 * 1024;

/// Block types of the draft and its registry.
mod kind {
    /// Type of an Interface Description Block.
    pub(super) const INTERFACE: u32 = 1;
    /// Type of a Packet Block, obsolete.
    pub(super) const PACKET: u32 = 2;
    /// Type of a Simple Packet Block.
    pub(super) const SIMPLE_PACKET: u32 = 3;
    /// Type of a Name Resolution Block.
    pub(super) const NAME_RESOLUTION: u32 = 4;
    /// Type of an Interface Statistics Block.
    pub(super) const STATISTICS: u32 = 5;
    /// Type of an Enhanced Packet Block.
    pub(super) const ENHANCED_PACKET: u32 = 6;
    /// Type of a systemd Journal Export Block.
    pub(super) const JOURNAL: u32 = 9;
    /// Type of a Decryption Secrets Block.
    pub(super) const SECRETS: u32 = 10;
    /// Type of a Custom Block that may be copied.
    pub(super) const CUSTOM: u32 = 0xbad;
    /// Type of a Custom Block that must not be copied.
    pub(super) const CUSTOM_NO_COPY: u32 = 0x4000_0bad;
}

/// Returns whether `head` begins with a section header.
pub(in crate::import) fn is_section_header(head: &[u8]) -> bool {
    head.starts_with(&SECTION)
}

/// The byte order of a section's fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Big,
    Little,
}

impl Order {
    fn u32(self, octets: &[u8], at: usize) -> Option<u32> {
        let field = *octets.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Big => u32::from_be_bytes(field),
            Self::Little => u32::from_le_bytes(field),
        })
    }

    fn u16(self, octets: &[u8], at: usize) -> Option<u16> {
        let field = *octets.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Big => u16::from_be_bytes(field),
            Self::Little => u16::from_le_bytes(field),
        })
    }

    /// Returns the byte order of the section that begins at `at`.
    fn of_section(octets: &[u8], at: usize) -> Option<Self> {
        [Self::Big, Self::Little].into_iter().find(|order| order.u32(octets, at + BYTE_ORDER_AT) == Some(BYTE_ORDER))
    }
}

/// Result of looking for a block.
enum Found {
    /// A block: byte order of its section, type, and length in octets.
    Block(Order, u32, usize),
    /// The file ends within it.
    Cut,
    /// No block begins here.
    Garbage,
}

/// Reads all packets into `builder`.
///
/// # Errors
/// [`ImportError::HeaderCut`], [`ImportError::UnsupportedLink`] where no packet is of a known link type, and those of
/// the stream.
pub(in crate::import) fn import(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<Format, ImportError> {
    let mut reader = Reader {
        options: *options,
        interfaces: Vec::new(),
        places: BTreeMap::new(),
        sources: Directory::new(),
        understood: 0,
        other: None,
    };
    let mut order = None;
    while stream.fill(LEAST as usize)? > 0 {
        let offset = stream.offset();
        let found = judge(stream, 0, order)?;
        let Found::Block(block_order, kind, length) = found else {
            if order.is_none() {
                return Err(ImportError::HeaderCut { format: "pcapng", octets: stream.octets().len() });
            }
            let resumed = search(stream, order)?;
            let n = stream.offset() - offset;
            match (found, resumed) {
                (Found::Cut, false) => builder.note_cut(offset, || {
                    format!("the file ends within the block at octet {offset}; its last {n} octets were left out")
                }),
                _ => builder.note_garbage(offset, n),
            }
            continue;
        };
        let octets = stream.octets().get(..length).unwrap_or_default();
        if is_section_header(octets) {
            drops::settle(&reader.interfaces, builder);
            reader.interfaces.clear();
            annotation::of_section(block_order, octets, builder);
        } else if reader.block(block_order, kind, octets, offset, builder).is_break() {
            break;
        }
        order = Some(block_order);
        stream.consume(length);
    }
    drops::settle(&reader.interfaces, builder);
    match reader.other {
        Some(number) if reader.understood == 0 => {
            Err(ImportError::UnsupportedLink { number, name: framing::name(number) })
        }
        _ => Ok(Format::Pcapng),
    }
}

/// Judges the octets from `at` on in the window, in a section of `order`.
fn judge(stream: &mut Stream<'_>, at: usize, order: Option<Order>) -> Result<Found, ImportError> {
    if stream.fill(at + LEAST as usize)? < at + LEAST as usize {
        return Ok(Found::Cut);
    }
    let head = stream.octets();
    let order = match head.get(at..).is_some_and(is_section_header) {
        true => Order::of_section(head, at),
        false => order,
    };
    let Some((order, kind, length)) = order.and_then(|o| Some((o, o.u32(head, at)?, o.u32(head, at + 4)?))) else {
        return Ok(Found::Garbage);
    };
    if !(LEAST..=LONGEST).contains(&length) || length % 4 != 0 {
        return Ok(Found::Garbage);
    }
    let end = at + length as usize;
    if stream.fill(end)? < end {
        return Ok(Found::Cut);
    }
    // The length stands at both ends of a block.
    let confirmed = order.u32(stream.octets(), end - 4) == Some(length);
    Ok(if confirmed { Found::Block(order, kind, length as usize) } else { Found::Garbage })
}

/// Consumes octets, at least one, up to the next that begin a block of a known type with both its
/// lengths; false when the file ended first.
fn search(stream: &mut Stream<'_>, order: Option<Order>) -> Result<bool, ImportError> {
    let mut at = 1;
    loop {
        if stream.fill(at + LEAST as usize)? < at + LEAST as usize {
            let rest = stream.octets().len();
            stream.consume(rest);
            return Ok(false);
        }
        let head = stream.octets();
        let is_candidate = head.get(at..).is_some_and(is_section_header)
            || order.and_then(|order| order.u32(head, at)).is_some_and(is_known);
        if is_candidate && matches!(judge(stream, at, order)?, Found::Block(..)) {
            stream.consume(at);
            return Ok(true);
        }
        at += 1;
        if at > SEARCHED {
            stream.consume(at - 1);
            at = 1;
        }
    }
}

fn is_known(kind: u32) -> bool {
    use kind::*;
    matches!(
        kind,
        INTERFACE
            | PACKET
            | SIMPLE_PACKET
            | NAME_RESOLUTION
            | STATISTICS
            | ENHANCED_PACKET
            | JOURNAL
            | SECRETS
            | CUSTOM
            | CUSTOM_NO_COPY
    )
}

struct Reader {
    options: ImportOptions,
    interfaces: Vec<Interface>,
    /// Rank of each interface name: sources are sorted by their first description, not by their first packet.
    places: BTreeMap<String, u32>,
    sources: Directory<(usize, u16, String)>,
    /// Packets of a link type that is understood.
    understood: u64,
    /// The first link type that is not.
    other: Option<u16>,
}

impl Reader {
    /// Takes in one block; `Break` when the capture is full.
    fn block(
        &mut self,
        order: Order,
        kind: u32,
        octets: &[u8],
        at: u64,
        builder: &mut CaptureBuilder,
    ) -> ControlFlow<()> {
        let packet = match kind {
            kind::INTERFACE => match Interface::parse(order, octets, self.interfaces.len()) {
                Some(mut interface) => {
                    interface.doubt_clock(at, &mut builder.notes);
                    let place = self.places.len() as u32;
                    self.places.entry(interface.name.clone()).or_insert(place);
                    self.interfaces.push(interface);
                    return ControlFlow::Continue(());
                }
                None => None,
            },
            kind::ENHANCED_PACKET => order.u32(octets, 8).and_then(|interface| Packet::parse(order, octets, interface)),
            kind::PACKET => order.u16(octets, 8).and_then(|interface| Packet::parse(order, octets, interface.into())),
            kind::SIMPLE_PACKET => {
                Packet::parse_simple(order, octets, self.interfaces.first().map_or(0, |i| i.snaplen))
            }
            kind::STATISTICS => {
                drops::of_statistics(order, octets, &mut self.interfaces);
                return ControlFlow::Continue(());
            }
            kind::JOURNAL => return ControlFlow::Continue(()),
            kind::NAME_RESOLUTION => {
                annotation::names(order, octets, builder);
                return ControlFlow::Continue(());
            }
            kind::SECRETS => {
                annotation::secrets(order, octets, at, builder);
                return ControlFlow::Continue(());
            }
            _ => {
                builder.notes.tally(Layer::File, "block-not-used", None, Some(at), || {
                    format!("a block of type {kind:#x} at octet {at} has nothing that is used here")
                });
                return ControlFlow::Continue(());
            }
        };
        match packet {
            Some(packet) => {
                let id = builder.next();
                if let Some(interface) = self.interfaces.get_mut(packet.interface as usize) {
                    drops::before(order, kind, octets, packet.options, interface, builder);
                }
                let flow = self.packet(&packet, at, builder);
                if builder.next() != id {
                    annotation::of_frame(order, packet.options, id, builder);
                }
                flow
            }
            None => {
                damaged(at, "was skipped: it is too short for its type", builder);
                ControlFlow::Continue(())
            }
        }
    }

    fn packet(&mut self, packet: &Packet<'_>, at: u64, builder: &mut CaptureBuilder) -> ControlFlow<()> {
        let index = packet.interface as usize;
        let Some(interface) = self.interfaces.get_mut(index) else {
            damaged(at, "was skipped: it names an interface that its section does not describe", builder);
            return ControlFlow::Continue(());
        };
        if packet.is_short {
            damaged(at, "ends before its packet does; what it holds was taken", builder);
        }
        let held = u32::try_from(packet.octets.len()).unwrap_or(u32::MAX);
        let missing = packet.length.saturating_sub(held);
        let number = interface.number;
        let payload = match interface.framing {
            Some(framing) => {
                self.understood += 1;
                let fcs_len = if framing == Framing::Ethernet { interface.fcs_len } else { 0 };
                let end = packet.octets.len().saturating_sub(fcs_len.saturating_sub(missing as usize));
                framing.strip(number, packet.octets.get(..end).unwrap_or(packet.octets), missing)
            }
            None => {
                self.other.get_or_insert(number);
                Payload::new(Link::Other(number), packet.octets, missing)
            }
        };
        let stamp = match packet.ticks {
            Some(ticks) => clock::unix_nanos(ticks, interface.resolution, interface.offset),
            None => {
                builder.notes.tally(Layer::Clock, "no-time-stamp", Some(builder.next()), None, || {
                    "simple packet blocks have no time stamp; took the time of the record before it".to_owned()
                });
                clock::UNKNOWN
            }
        };
        let (name, sources) = (&interface.name, &mut self.sources);
        let rule = interface.framing.map_or(Rule::Recorded, |f| f.rule(self.options.fcs.forced()));
        let place = self.places.get(name).copied().unwrap_or(u32::MAX);
        let source = *interface.source.get_or_insert_with(|| {
            sources.get((index, number, name.clone()), || builder.source_at(place, name.clone(), None, rule))
        });
        builder.push(&RawRecord { at: stamp, source, payload })
    }
}

fn damaged(at: u64, why: &str, builder: &mut CaptureBuilder) {
    builder.notes.tally(Layer::File, "damaged-block", None, Some(at), || format!("the block at octet {at} {why}"));
}
