//! Any stream of pcap or pcapng: output of `tcpdump -w -`, of whsniff, or of another sniffer's program.
//!
//! Records go to the disk as they are, link type and time stamp included. Each interface is a stream, by the name it
//! has there, and the drops that it reports are counted. Octets behind damage are searched for the next possible
//! record.

use super::{Decoder, Event, Heard, Stamp, Tally};

/// Longest packet, octets; longer ones are damage (Wireshark's `WTAP_MAX_PACKET_SIZE_STANDARD`).
const LONGEST: usize = 256 * 1024;

/// A day in seconds: a record behind damage that is farther than this from the one before is none. Chosen here by
/// judgement: frames are seldom as far apart, and four random octets lie within it in 4 of 100,000 cases (2 · 86,400
/// of 2³²).
const DAY: i64 = 86_400;

/// Format of the stream, once its first octets are known; `nanos` is the unit of fractions of a second, nanoseconds.
#[derive(Clone, Debug)]
enum Format {
    Pcap { is_big: bool, nanos: i64, link: u16 },
    Pcapng { is_big: bool, interfaces: Vec<Interface> },
}

#[derive(Clone, Copy, Debug)]
struct Interface {
    link: u16,
    /// Resolution of time stamps, `if_tsresol`.
    resolution: u8,
    /// Offset of time stamps, seconds.
    offset: i64,
    /// Number of frames that it reported as dropped.
    dropped: u64,
}

/// Structure at the start of the octets.
enum Found {
    /// A complete structure of this many octets.
    Whole(usize),
    /// Not enough octets yet.
    Short,
    /// No structure that is valid.
    Nothing,
}

/// Decoder of the stream.
#[derive(Clone, Debug, Default)]
pub struct Pcap {
    pending: Vec<u8>,
    format: Option<Format>,
    /// Second of the last record, since the Unix epoch.
    last: Option<i64>,
    /// True from damage to the next record.
    is_lost: bool,
    tally: Tally,
}

fn u32_at(octets: &[u8], at: usize, is_big: bool) -> Option<u32> {
    let field = *octets.get(at..)?.first_chunk()?;
    Some(if is_big { u32::from_be_bytes(field) } else { u32::from_le_bytes(field) })
}

fn u16_at(octets: &[u8], at: usize, is_big: bool) -> Option<u16> {
    let field = *octets.get(at..)?.first_chunk()?;
    Some(if is_big { u16::from_be_bytes(field) } else { u16::from_le_bytes(field) })
}

/// Options of a block as code and value, up to the last or the first that is cut.
fn options(mut rest: &[u8], is_big: bool) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let code = u16_at(rest, 0, is_big).filter(|&code| code != 0)?;
        let length = usize::from(u16_at(rest, 2, is_big)?);
        let value = rest.get(4..4 + length)?;
        rest = rest.get(4 + length.next_multiple_of(4)..).unwrap_or_default();
        Some((code, value))
    })
}

/// Value of an option of eight octets that counts; 0 without it.
fn number_of<'a>(wanted: u16, options: impl Iterator<Item = (u16, &'a [u8])>, is_big: bool) -> u64 {
    let mut found = options.filter(|&(code, _)| code == wanted).filter_map(|(_, value)| value.first_chunk());
    found.next().map_or(0, |&value| if is_big { u64::from_be_bytes(value) } else { u64::from_le_bytes(value) })
}

impl Pcap {
    fn next(&mut self, octets: &[u8], events: &mut Vec<Event>) -> Found {
        match &mut self.format {
            None => self.begin(octets),
            Some(Format::Pcap { is_big, nanos, link }) => {
                let (is_big, nanos, link) = (*is_big, *nanos, *link);
                self.record(octets, is_big, nanos, link, events)
            }
            Some(Format::Pcapng { .. }) => self.block(octets, events),
        }
    }

    fn begin(&mut self, octets: &[u8]) -> Found {
        let Some(magic) = octets.first_chunk::<4>() else { return Found::Short };
        let (is_big, nanos) = match *magic {
            [0xa1, 0xb2, 0xc3, 0xd4] => (true, 1_000),
            [0xd4, 0xc3, 0xb2, 0xa1] => (false, 1_000),
            [0xa1, 0xb2, 0x3c, 0x4d] => (true, 1),
            [0x4d, 0x3c, 0xb2, 0xa1] => (false, 1),
            [0x0a, 0x0d, 0x0d, 0x0a] => {
                let Some(order) = u32_at(octets, 8, true) else { return Found::Short };
                let is_big = order == 0x1a2b_3c4d;
                if !is_big && order != 0x4d3c_2b1a {
                    return Found::Nothing;
                }
                self.format = Some(Format::Pcapng { is_big, interfaces: Vec::new() });
                return Found::Whole(0);
            }
            _ => return Found::Nothing,
        };
        let Some(link) = u32_at(octets, 20, is_big) else { return Found::Short };
        self.format = Some(Format::Pcap { is_big, nanos, link: (link & 0xffff) as u16 });
        Found::Whole(24)
    }

    /// Reads a record of classic pcap.
    fn record(&mut self, octets: &[u8], is_big: bool, nanos: i64, link: u16, events: &mut Vec<Event>) -> Found {
        let field = |at| u32_at(octets, at, is_big);
        let (Some(seconds), Some(fraction), Some(captured), Some(on_link)) = (field(0), field(4), field(8), field(12))
        else {
            return Found::Short;
        };
        let second = i64::from(seconds);
        let is_near = !self.is_lost || self.last.is_none_or(|last| (second - last).abs() <= DAY);
        let length = captured as usize;
        let fits = length <= LONGEST && captured <= on_link && on_link as usize <= LONGEST;
        if !fits || !is_near || i64::from(fraction).saturating_mul(nanos) >= 1_000_000_000 {
            return Found::Nothing;
        }
        let Some(frame) = octets.get(16..16 + length) else { return Found::Short };
        self.last = Some(second);
        self.is_lost = false;
        let at = second * 1_000_000_000 + i64::from(fraction) * nanos;
        let octets = frame.to_vec();
        self.heard(Heard { stream: 0, link, octets, on_link, stamp: Stamp::Unix(at), dropped: 0 }, events);
        Found::Whole(16 + length)
    }

    /// Reads a block of pcapng.
    fn block(&mut self, octets: &[u8], events: &mut Vec<Event>) -> Found {
        let Some(Format::Pcapng { is_big, .. }) = &mut self.format else { return Found::Nothing };
        let is_section = octets.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]);
        if is_section {
            let Some(order) = u32_at(octets, 8, true) else { return Found::Short };
            match order {
                0x1a2b_3c4d => *is_big = true,
                0x4d3c_2b1a => *is_big = false,
                _ => return Found::Nothing,
            }
        }
        let is_big = *is_big;
        let (Some(kind), Some(length)) = (u32_at(octets, 0, is_big), u32_at(octets, 4, is_big)) else {
            return Found::Short;
        };
        let length = length as usize;
        let is_known = is_section || (1..=10).contains(&kind) || kind & 0x7fff_ffff == 0xbad || kind == 0x4000_0bad;
        if length < 12 || !length.is_multiple_of(4) || length > LONGEST + 4_096 || (self.is_lost && !is_known) {
            return Found::Nothing;
        }
        let Some(block) = octets.get(..length) else { return Found::Short };
        if u32_at(block, length - 4, is_big) != Some(length as u32) {
            return Found::Nothing;
        }
        self.is_lost = false;
        let Some(body) = block.get(8..length - 4) else { return Found::Nothing };
        if self.body(kind, is_section, is_big, body, events).is_none() {
            self.tally.damaged += 1;
            self.tally.garbage += length as u64;
        }
        Found::Whole(length)
    }

    /// Reads the body of a block; `None` where it is shorter than its type needs, or of an interface that was not
    /// described.
    fn body(&mut self, kind: u32, is_section: bool, is_big: bool, body: &[u8], events: &mut Vec<Event>) -> Option<()> {
        let Some(Format::Pcapng { interfaces, .. }) = &mut self.format else { return None };
        let (number, stamp, captured, on_link, frame) = match kind {
            _ if is_section => {
                interfaces.clear();
                return Some(());
            }
            1 => {
                let (described, name) = Interface::read(body, is_big)?;
                if let (Some(name), Ok(stream)) = (name, u32::try_from(interfaces.len())) {
                    events.push(Event::Stream(stream, name));
                }
                interfaces.push(described);
                return Some(());
            }
            5 => {
                let number = u32_at(body, 0, is_big)?;
                // Since the interface was opened: drops that packets reported are included.
                let reported = number_of(5, options(body.get(12..)?, is_big), is_big);
                let interface = interfaces.get_mut(number as usize)?;
                self.tally.dropped += reported.saturating_sub(interface.dropped);
                interface.dropped = interface.dropped.max(reported);
                return Some(());
            }
            6 => {
                let number = u32_at(body, 0, is_big)?;
                let stamp = (u32_at(body, 4, is_big)?, u32_at(body, 8, is_big)?);
                (number, Some(stamp), u32_at(body, 12, is_big)?, u32_at(body, 16, is_big)?, body.get(20..)?)
            }
            3 => {
                let on_link = u32_at(body, 0, is_big)?;
                let frame = body.get(4..)?;
                (0, None, on_link.min(frame.len() as u32), on_link, frame)
            }
            2 => {
                let number = u32::from(u16_at(body, 0, is_big)?);
                let stamp = (u32_at(body, 4, is_big)?, u32_at(body, 8, is_big)?);
                (number, Some(stamp), u32_at(body, 12, is_big)?, u32_at(body, 16, is_big)?, body.get(20..)?)
            }
            _ => return Some(()),
        };
        let from = interfaces.get_mut(number as usize)?;
        let rest = frame.get((captured as usize).next_multiple_of(4)..).unwrap_or_default();
        let frame = frame.get(..captured as usize)?;
        let dropped = if kind == 6 { number_of(4, options(rest, is_big), is_big) } else { 0 };
        from.dropped = from.dropped.saturating_add(dropped);
        let from = *from;
        let stamp = stamp.map_or(Stamp::None, |(high, low)| from.time(u64::from(high) << 32 | u64::from(low)));
        let octets = frame.to_vec();
        let (link, on_link) = (from.link, on_link.max(captured));
        let dropped = u32::try_from(dropped).unwrap_or(u32::MAX);
        self.heard(Heard { stream: number, link, octets, on_link, stamp, dropped }, events);
        Some(())
    }

    fn heard(&mut self, heard: Heard, events: &mut Vec<Event>) {
        self.tally.frames += 1;
        self.tally.dropped = self.tally.dropped.saturating_add(heard.dropped.into());
        events.push(Event::Heard(heard));
    }
}

impl Interface {
    /// Reads the body of an interface description block; returns the interface and its name, if any.
    fn read(body: &[u8], is_big: bool) -> Option<(Self, Option<String>)> {
        let mut interface = Self { link: u16_at(body, 0, is_big)?, resolution: 6, offset: 0, dropped: 0 };
        let mut name = None;
        for (code, value) in options(body.get(8..)?, is_big) {
            match (code, value) {
                (2, value) if !value.is_empty() => {
                    name = Some(base::printable(&String::from_utf8_lossy(value)).into_owned());
                }
                (9, &[resolution]) => interface.resolution = resolution,
                (14, value) => {
                    if let Some(&offset) = value.first_chunk() {
                        interface.offset = if is_big { i64::from_be_bytes(offset) } else { i64::from_le_bytes(offset) };
                    }
                }
                _ => {}
            }
        }
        Some((interface, name))
    }

    /// Time of a time stamp (`if_tsresol`: a power of ten, or with its upper bit of two).
    fn time(self, ticks: u64) -> Stamp {
        let exponent = u32::from(self.resolution & 0x7f);
        let base: i128 = if self.resolution & 0x80 == 0 { 10 } else { 2 };
        let Some(unit) = base.checked_pow(exponent) else { return Stamp::None };
        let nanos = i128::from(ticks).checked_mul(1_000_000_000).map(|nanos| nanos / unit);
        let nanos = nanos.map(|nanos| nanos + i128::from(self.offset) * 1_000_000_000);
        nanos.and_then(|nanos| i64::try_from(nanos).ok()).map_or(Stamp::None, Stamp::Unix)
    }
}

impl Decoder for Pcap {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        self.pending.extend(octets);
        let mut pending = std::mem::take(&mut self.pending);
        let mut rest = &pending[..];
        while !rest.is_empty() {
            let had_format = self.format.is_some();
            match self.next(rest, events) {
                Found::Whole(0) if had_format => break,
                Found::Whole(length) => rest = rest.get(length..).unwrap_or_default(),
                Found::Short => break,
                Found::Nothing => {
                    if !self.is_lost {
                        self.tally.damaged += 1;
                    }
                    self.is_lost = true;
                    self.tally.garbage += 1;
                    rest = rest.get(1..).unwrap_or_default();
                }
            }
        }
        let taken = pending.len() - rest.len();
        pending.drain(..taken);
        self.pending = pending;
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}
