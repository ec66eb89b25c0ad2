//! Reassembly of UDP datagrams in fragments of IP (RFC 791 §3.2, RFC 8200 §4.5), bounded in time and number. Not over
//! 802.15.4, where 6LoWPAN fragments: there they are named.

use super::Walk;
use super::payload::{Extent, Head, IpHeader};
use crate::Link;
use base::{FrameId, Instant, Layer, Span};
use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv6Addr;
use wire::Ipv6;
use wire::ipv4::Ipv4;
use wire::ipv6::{FRAGMENT, ICMPV6, TCP, UDP};

/// RFC 8200 §4.5: 60 s after the first fragment came; RFC 1122 §3.3.2: between 60 s and 120 s.
const TIMEOUT: Span = Span::from_secs(60);

/// Most datagrams being reassembled at once, of at most 64 KiB; the oldest gives way.
const MOST_OPEN: usize = 64;

/// ICMP, of which nothing is told here.
const ICMP: u8 = 1;

/// What fragments of one datagram share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    src: Ipv6Addr,
    dst: Ipv6Addr,
    id: u32,
}

/// A fragment.
pub(crate) struct Piece<'a> {
    key: Key,
    /// What the datagram is.
    protocol: u8,
    /// Where it is in the datagram, and how long.
    range: (usize, usize),
    is_last: bool,
    /// As far as the record holds it.
    octets: &'a [u8],
}

impl<'a> Piece<'a> {
    /// The fragment that an IPv4 packet carries, where it is one.
    pub(crate) fn of_ipv4(packet: &'a [u8], header: &Ipv4) -> Option<Self> {
        if header.fragment_offset == 0 && !header.more_fragments {
            return None;
        }
        let octets = packet.get(header.payload.clone())?;
        let start = usize::from(header.fragment_offset);
        Some(Self {
            key: Key { src: header.src.into(), dst: header.dst.into(), id: header.id.into() },
            protocol: header.protocol,
            range: (start, start + octets.len() + header.missing),
            is_last: !header.more_fragments,
            octets,
        })
    }

    /// The fragment that an IPv6 packet carries, where it is one: not where it is all of the datagram (RFC 6946).
    pub(crate) fn of_ipv6(packet: &'a [u8], header: &Ipv6) -> Option<Self> {
        let fragment = header.fragment.filter(|fragment| fragment.more || fragment.offset > 0)?;
        let own = header.extensions.iter().find(|extension| extension.kind == FRAGMENT)?;
        let octets = packet.get(own.span.end..header.payload.end)?;
        let start = usize::from(fragment.offset);
        Some(Self {
            key: Key { src: header.src.into(), dst: header.final_dst().into(), id: fragment.id },
            protocol: *packet.get(own.span.start)?,
            range: (start, start + octets.len() + header.missing),
            is_last: !fragment.more,
            octets,
        })
    }

    /// The fragment that the IP packet `octets` is.
    pub(crate) fn of_ip(octets: &'a [u8]) -> Option<Self> {
        match octets.first()? >> 4 {
            4 => Self::of_ipv4(octets, &Ipv4::parse(octets).ok()?),
            _ => Self::of_ipv6(octets, &Ipv6::parse(octets).ok()?),
        }
    }
}

/// What fragments of one datagram say together.
#[derive(Default)]
pub(crate) struct Pieces {
    /// Where each begins: where it ends, and up to where it is held. They are apart.
    ranges: BTreeMap<usize, (usize, usize)>,
    /// How many octets they are together, those included that are not held.
    covered: usize,
    octets: Vec<u8>,
    /// Its length, once the last fragment is there.
    total: Option<usize>,
}

impl Pieces {
    /// Add a fragment; `None` when it overlaps others, which discards the datagram (RFC 5722 §4). A second record of
    /// one that is there changes nothing.
    pub(crate) fn add(&mut self, piece: &Piece<'_>) -> Option<()> {
        let (start, end) = piece.range;
        if self.ranges.get(&start).is_some_and(|&(to, _)| to == end) {
            return Some(());
        }
        let before = self.ranges.range(..=start).next_back();
        let is_clear =
            before.is_none_or(|(_, &(to, _))| to <= start) && self.ranges.range(start..end.max(start)).next().is_none();
        let fits = self.total.is_none_or(|total| end <= total && !piece.is_last);
        if start >= end || !fits || !is_clear {
            return None;
        }
        if piece.is_last {
            self.ranges.last_key_value().is_none_or(|(_, &(to, _))| to <= end).then_some(())?;
            self.total = Some(end);
        }
        let held = start + piece.octets.len();
        if self.octets.len() < held {
            self.octets.resize(held, 0);
        }
        self.octets.get_mut(start..held)?.copy_from_slice(piece.octets);
        self.ranges.insert(start, (end, held));
        self.covered += end - start;
        Some(())
    }

    /// Whether nothing is missing but what the sniffer cut.
    fn is_whole(&self) -> bool {
        self.total == Some(self.covered)
    }

    /// The datagram up to the first octet that is not held.
    fn beginning(&self) -> &[u8] {
        let mut reached = 0;
        for (&from, &(_, held)) in &self.ranges {
            if from != reached {
                break;
            }
            reached = held;
        }
        self.octets.get(..reached).unwrap_or_default()
    }

    /// The datagram when all its fragments are there, up to the first octet that a sniffer left out; and whether one did.
    pub(crate) fn datagram(&self) -> Option<(&[u8], bool)> {
        let held = self.is_whole().then(|| self.beginning())?;
        Some((held, self.total != Some(held.len())))
    }
}

/// A datagram of which fragments were seen.
struct Open {
    key: Key,
    begun: Instant,
    pieces: Pieces,
    frames: Vec<FrameId>,
    header: IpHeader,
}

/// Datagrams being reassembled, and the frames of the one that was completed last.
#[derive(Default)]
pub(super) struct IpFragments {
    open: VecDeque<Open>,
    /// Until its hop is known: all but the completing frame.
    pub(super) joined: Vec<FrameId>,
}

impl Walk<'_> {
    /// A fragment that is left as it is.
    pub(super) fn unjoined(&mut self, id: FrameId) {
        self.notes.remark(Layer::Ipv6, "ip-fragment", Some(id), None, || {
            "fragments of IP within 6LoWPAN or a tunnel, or of what is not plain UDP, are not put together".to_owned()
        });
    }

    /// A fragment; the CoAP facts of the datagram that it completes.
    pub(super) fn ip_fragment(
        &mut self,
        id: FrameId,
        piece: &Piece<'_>,
        header: IpHeader,
        extent: Extent,
    ) -> Option<Head> {
        let frame = self.capture.frames.get(id.index())?;
        match piece.protocol {
            TCP | ICMP | ICMPV6 => return None,
            UDP if frame.link != Link::Ieee802154 => {}
            _ => {
                self.unjoined(id);
                return None;
            }
        }
        if piece.octets.len() < piece.range.1 - piece.range.0 && extent == Extent::Whole {
            self.notes.tally(Layer::Ipv6, "cut-ip-fragment", Some(id), None, || {
                "a fragment of IP is shorter than its header says; left out".to_owned()
            });
            return None;
        }
        let is_stale = |open: &Open| (frame.at - open.begun).abs() > TIMEOUT;
        while self.ip.open.front().is_some_and(is_stale)
            && let Some(stale) = self.ip.open.pop_front()
        {
            self.close_ip(&stale);
        }
        let known = self.ip.open.iter().position(|open| open.key == piece.key && !is_stale(open));
        let mut open = known.and_then(|at| self.ip.open.remove(at)).unwrap_or_else(|| Open {
            key: piece.key,
            begun: frame.at,
            pieces: Pieces::default(),
            frames: Vec::new(),
            header,
        });
        if open.pieces.add(piece).is_none() {
            self.notes.tally(Layer::Ipv6, "overlapping-ip-fragments", Some(id), None, || {
                "fragments of an IP datagram contradict each other; all of it is left out (RFC 5722 §4)".to_owned()
            });
            return None;
        }
        if let Some((octets, is_cut)) = open.pieces.datagram() {
            let extent = if is_cut { Extent::Cut } else { Extent::Whole };
            let head = self.udp(id, octets, (open.key.src, open.key.dst), open.header, extent);
            self.ip.joined = if head.is_some() { open.frames } else { Vec::new() };
            return head;
        }
        open.frames.push(id);
        if self.ip.open.len() >= MOST_OPEN
            && let Some(oldest) = self.ip.open.pop_front()
        {
            self.close_ip(&oldest);
        }
        match known {
            Some(at) => self.ip.open.insert(at.min(self.ip.open.len()), open),
            None => self.ip.open.push_back(open),
        }
        None
    }

    /// What is still incomplete gets no more fragments.
    pub(super) fn close_all_ip(&mut self) {
        while let Some(open) = self.ip.open.pop_front() {
            self.close_ip(&open);
        }
    }

    /// A datagram that gets no more fragments. As in [`Walk::close`], the beginning of a CoAP message is one that
    /// somebody tried to send.
    fn close_ip(&mut self, open: &Open) {
        let Some(&first) = open.frames.first() else { return };
        self.notes.tally(Layer::Ipv6, "incomplete-ip-datagram", Some(first), None, || {
            let have = open.pieces.covered;
            match open.pieces.total {
                Some(total) => format!("only {have} of {total} octets of a datagram in fragments of IP were captured"),
                None => format!("only {have} octets of a datagram in fragments of IP were captured, without the last"),
            }
        });
        let ends = (open.key.src, open.key.dst);
        if let Some(head) = self.udp(first, open.pieces.beginning(), ends, open.header, Extent::Beginning) {
            self.wired(open.frames.iter().copied().collect(), None, &head);
        }
    }
}
