//! Captures of any length from real ones: all frames of a recorded run again and again, later each time, with fresh
//! MAC sequence numbers, datagram tags and CoAP Message IDs, so that each round is new traffic to a decoder.

use base::Instant;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use trace::export::{Section, Writer};
use trace::{Capture, Frame, Link};
use wire::ieee802154::{FrameType, MacHeader, fcs16};
use wire::ipv4::Ipv4;
use wire::ipv6::UDP;
use wire::lowpan::{self, ContextTable};
use wire::{Ipv6, tap::linktype};

/// From the last frame of one round to the first of the next: longer than EXCHANGE_LIFETIME (RFC 7252 §4.8.2).
const PAUSE_NS: i64 = 300 * 1_000_000_000;

/// Time of the first frame, from the Unix epoch: November 2023.
const BEGIN_NS: i64 = 1_700_000_000 * 1_000_000_000;

/// Offsets of the octets of one frame that differ in each round.
#[derive(Clone, Debug, Default)]
struct Fresh {
    sequence: Option<usize>,
    tag: Option<usize>,
    mid: Option<usize>,
    /// The UDP checksum that covers the Message ID.
    checksum: Option<usize>,
}

/// Writes rounds of a capture.
pub struct Maker {
    capture: Capture,
    fresh: Vec<Fresh>,
    round_ns: i64,
    link: Link,
}

impl Maker {
    /// From a recorded run of one link type.
    pub fn new(capture: Capture) -> Self {
        let link = capture.frames.first().map_or(Link::RawIp, |frame| frame.link);
        let fresh = capture.frames.iter().map(|frame| Fresh::of(&capture, frame)).collect();
        let (first, last) = capture.window().unwrap_or((Instant::ZERO, Instant::ZERO));
        Self { round_ns: (last - first).nanos() + PAUSE_NS, capture, fresh, link }
    }

    /// Frames of one round that carry the head of a CoAP message.
    pub fn with_coap(&self) -> usize {
        self.fresh.iter().filter(|fresh| fresh.mid.is_some()).count()
    }

    /// Frames of one round.
    pub fn frames(&self) -> usize {
        self.capture.frames.len()
    }

    /// Write `frames` frames to a classic pcap file.
    pub fn write(&self, path: &Path, frames: usize) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        for word in [0xa1b2_c3d4_u32, 0x0002_0004, 0, 0, 65_535, u32::from(self.link_type())] {
            // The version is two fields of 16 bits.
            if word == 0x0002_0004 { out.write_all(&[2, 0, 4, 0])? } else { out.write_all(&word.to_le_bytes())? }
        }
        let mut octets = Vec::new();
        for (at, round, frame) in self.rounds(self.round_ns).take(frames) {
            self.renewed(frame, round, &mut octets);
            let micros = (at + BEGIN_NS) / 1_000;
            let length = octets.len() as u32;
            for word in [(micros / 1_000_000) as u32, (micros % 1_000_000) as u32, length, length] {
                out.write_all(&word.to_le_bytes())?;
            }
            out.write_all(&octets)?;
        }
        out.flush()
    }

    fn link_type(&self) -> u16 {
        match self.link {
            Link::Ieee802154 => linktype::IEEE802_15_4_WITHFCS,
            Link::Ethernet => linktype::ETHERNET,
            Link::RawIp | Link::LoopbackIp => linktype::RAW,
            Link::Other(number) => number,
        }
    }

    /// All frames again and again, a round every `round_ns`: when, which round, which frame.
    fn rounds(&self, round_ns: i64) -> impl Iterator<Item = (i64, u32, usize)> {
        let zero = self.capture.frames.iter().map(|frame| frame.at).min().unwrap_or(Instant::ZERO);
        (0_u32..).flat_map(move |round| {
            let begin = i64::from(round) * round_ns;
            self.capture.frames.iter().enumerate().map(move |(index, frame)| {
                let at = (frame.at - zero).nanos() + begin;
                (at, round, index)
            })
        })
    }

    /// Octets of a frame in a round, with their check sequence where they have one.
    fn renewed(&self, frame: usize, round: u32, octets: &mut Vec<u8>) {
        octets.clear();
        octets.extend_from_slice(self.capture.octets_of(&self.capture.frames[frame]));
        self.fresh[frame].renew(octets, round as u16);
        if self.link == Link::Ieee802154 {
            let fcs = fcs16(octets);
            octets.extend_from_slice(&fcs.to_le_bytes());
        }
    }
}

/// Write `frames` frames of several networks that ran beside each other, each an interface of one pcapng file. While
/// the slowest is through its rounds once, each has so many as stands beside it.
pub fn side_by_side(networks: &[(Maker, u32)], path: &Path, frames: usize) -> io::Result<()> {
    let out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut out = Writer::new(out, &Section { earliest: BEGIN_NS, ..Section::default() })?;
    let together = networks.iter().map(|(maker, rounds)| maker.round_ns * i64::from(*rounds)).max().unwrap_or(0);
    let mut interfaces = Vec::new();
    for (maker, rounds) in networks {
        let interface = out.interface(maker.link_type(), "", "")?;
        let mut all = maker.rounds(together / i64::from(*rounds));
        interfaces.push((all.next(), all, interface, maker));
    }
    let mut octets = Vec::new();
    for _ in 0..frames {
        let earliest = interfaces.iter_mut().min_by_key(|(next, ..)| next.map_or(i64::MAX, |(at, ..)| at));
        let Some((next, all, interface, maker)) = earliest else { break };
        let Some((at, round, frame)) = *next else { break };
        *next = all.next();
        maker.renewed(frame, round, &mut octets);
        out.packet(*interface, at + BEGIN_NS, &octets, octets.len() as u32, [])?;
    }
    out.flush()
}

impl Fresh {
    fn of(capture: &Capture, frame: &Frame) -> Self {
        let octets = capture.octets_of(frame);
        match frame.link {
            Link::Ieee802154 => Self::of_mac(octets).unwrap_or_default(),
            Link::Ethernet => Self::of_ip(octets, 14),
            Link::RawIp | Link::LoopbackIp => Self::of_ip(octets, 0),
            Link::Other(_) => Self::default(),
        }
    }

    fn of_mac(octets: &[u8]) -> Option<Self> {
        let header = MacHeader::parse(octets).ok()?;
        let mut fresh = Self { sequence: header.seq.map(|_| 2), ..Self::default() };
        if header.frame_type != FrameType::Data || header.is_encrypted() {
            return Some(fresh);
        }
        let from = header.payload.start;
        let Ok(lowpan) = lowpan::parse(octets.get(header.payload.clone())?) else { return Some(fresh) };
        fresh.tag = lowpan.frag.as_ref().map(|frag| from + frag.span.start + 2);
        let total = lowpan.frag.as_ref().map(|frag| usize::from(frag.size));
        let rest = from + lowpan.rest.start..from + lowpan.rest.end;
        let (src, dst) = lowpan.endpoints(header.src, header.dst);
        let Ok(whole) = lowpan::decompress(octets.get(rest.clone())?, src, dst, &ContextTable::EMPTY, total) else {
            return Some(fresh);
        };
        let verbatim = rest.start + whole.consumed;
        let mut datagram = whole.header.clone();
        datagram.extend_from_slice(octets.get(verbatim..rest.end)?);
        let Ok(ipv6) = Ipv6::parse(&datagram) else { return Some(fresh) };
        if ipv6.upper != UDP {
            return Some(fresh);
        }
        // Place in the frame of an octet of the datagram.
        let place = |at: usize| at.checked_sub(whole.header.len()).map(|beyond| verbatim + beyond);
        fresh.find(&datagram, ipv6.payload, place);
        if fresh.mid.is_some() && fresh.checksum.is_none() && !whole.udp_checksum_elided {
            fresh.checksum = Some(verbatim - 2);
        }
        Some(fresh)
    }

    fn of_ip(octets: &[u8], from: usize) -> Self {
        let mut fresh = Self::default();
        let datagram = octets.get(from..).unwrap_or_default();
        let payload = match datagram.first().map(|octet| octet >> 4) {
            Some(6) => Ipv6::parse(datagram).ok().filter(|ip| ip.upper == UDP).map(|ip| ip.payload),
            Some(4) => Ipv4::parse(datagram).ok().filter(|ip| ip.protocol == UDP).map(|ip| ip.payload),
            _ => None,
        };
        if let Some(payload) = payload {
            fresh.find(datagram, payload, |at| Some(from + at));
        }
        fresh
    }

    /// Message ID and checksum of CoAP in the UDP datagram at `upper`, where they are in the frame.
    fn find(&mut self, datagram: &[u8], upper: Range<usize>, place: impl Fn(usize) -> Option<usize>) {
        let port = |at: usize| datagram.get(at..at + 2).map(|port| u16::from_be_bytes([port[0], port[1]]));
        let on_coap = [port(upper.start), port(upper.start + 2)].contains(&Some(5_683));
        if on_coap && datagram.len() >= upper.start + 12 {
            self.mid = place(upper.start + 10);
            self.checksum = place(upper.start + 6);
        }
    }

    fn renew(&self, octets: &mut [u8], round: u16) {
        if let Some(octet) = self.sequence.and_then(|at| octets.get_mut(at)) {
            *octet = octet.wrapping_add(round as u8);
        }
        let mut add = |at: Option<usize>, value: u16| -> Option<(u16, u16)> {
            let field = octets.get_mut(at?..)?.first_chunk_mut()?;
            let (old, new) = (u16::from_be_bytes(*field), u16::from_be_bytes(*field).wrapping_add(value));
            *field = new.to_be_bytes();
            Some((old, new))
        };
        add(self.tag, round);
        // 4001 and 65536 have no common factor: Message IDs repeat after 65536 rounds.
        if let Some((old, new)) = add(self.mid, round.wrapping_mul(4_001)) {
            let field = self.checksum.and_then(|at| octets.get_mut(at..)?.first_chunk_mut());
            if let Some(field) = field {
                // RFC 1624, eq. 3: HC' = ~(~HC + ~m + m').
                let sum = [!u16::from_be_bytes(*field), !old, new].map(u32::from).into_iter().sum::<u32>();
                let sum = (sum & 0xffff) + (sum >> 16);
                *field = (!((sum & 0xffff) + (sum >> 16)) as u16).to_be_bytes();
            }
        }
    }
}
