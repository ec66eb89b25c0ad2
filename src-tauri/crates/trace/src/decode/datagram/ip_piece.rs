//! Fragments of IP datagrams, and the datagrams they make (RFC 791 §3.2, RFC 8200 §4.5).

use std::collections::BTreeMap;
use std::net::Ipv6Addr;
use wire::Ipv6;
use wire::ipv4::Ipv4;
use wire::ipv6::FRAGMENT;

/// Key that the fragments of one datagram share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    /// IP source; IPv4 as an IPv4-mapped address.
    pub(super) src: Ipv6Addr,
    /// Final destination; IPv4 as an IPv4-mapped address.
    pub(super) dst: Ipv6Addr,
    /// Identification field: 16 bits in IPv4, 32 in IPv6.
    id: u32,
    /// IP protocol number, in IPv4 only: there it is part of the key (RFC 791 §3.2, RFC 8200 §4.5).
    protocol: Option<u8>,
}

/// A fragment of an IP datagram.
pub(crate) struct Piece<'a> {
    /// Key of its datagram.
    pub(super) key: Key,
    /// IP protocol number of the datagram's payload.
    pub(super) protocol: u8,
    /// Range (start, end) in the datagram's payload, octets, as the header says it.
    pub(super) range: (usize, usize),
    is_last: bool,
    /// Octets of the fragment's payload, as far as the record holds them.
    pub(super) octets: &'a [u8],
}

impl<'a> Piece<'a> {
    /// Returns the fragment in an IPv4 packet; `None` for a whole datagram.
    pub(crate) fn of_ipv4(packet: &'a [u8], header: &Ipv4) -> Option<Self> {
        if header.fragment_offset == 0 && !header.more_fragments {
            return None;
        }
        let octets = packet.get(header.payload.clone())?;
        let start = usize::from(header.fragment_offset);
        Some(Self {
            key: Key {
                src: header.src.into(),
                dst: header.dst.into(),
                id: header.id.into(),
                protocol: Some(header.protocol),
            },
            protocol: header.protocol,
            range: (start, start + octets.len() + header.missing),
            is_last: !header.more_fragments,
            octets,
        })
    }

    /// Returns the fragment in an IPv6 packet; `None` for a whole datagram, one behind a Fragment header included (RFC
    /// 6946).
    pub(crate) fn of_ipv6(packet: &'a [u8], header: &Ipv6) -> Option<Self> {
        let fragment = header.fragment.filter(|fragment| fragment.more || fragment.offset > 0)?;
        let own = header.extensions.iter().find(|extension| extension.kind == FRAGMENT)?;
        let octets = packet.get(own.span.end..header.payload.end)?;
        let start = usize::from(fragment.offset);
        Some(Self {
            key: Key { src: header.src.into(), dst: header.final_dst().into(), id: fragment.id, protocol: None },
            protocol: *packet.get(own.span.start)?,
            range: (start, start + octets.len() + header.missing),
            is_last: !fragment.more,
            octets,
        })
    }

    /// Returns the fragment in the IP packet `octets`; `None` for a whole datagram and for damaged headers.
    pub(crate) fn of_ip(octets: &'a [u8]) -> Option<Self> {
        match octets.first()? >> 4 {
            4 => Self::of_ipv4(octets, &Ipv4::parse(octets).ok()?),
            _ => Self::of_ipv6(octets, &Ipv6::parse(octets).ok()?),
        }
    }
}

/// Datagram being reassembled from fragments.
#[derive(Default)]
pub(crate) struct Pieces {
    /// End of each fragment, and of its octets that are held, by its start. They do not overlap.
    ranges: BTreeMap<usize, (usize, usize)>,
    /// Octets covered by fragments, those that a sniffer cut off included.
    pub(super) covered: usize,
    octets: Vec<u8>,
    /// Length of the datagram's payload, octets; `None` until the last fragment came.
    pub(super) total: Option<usize>,
}

impl Pieces {
    /// Adds a fragment; `None` when it overlaps others, which discards the datagram (RFC 5722 §4). A second record of
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

    /// Returns whether nothing is missing but what the sniffer cut.
    fn is_whole(&self) -> bool {
        self.total == Some(self.covered)
    }

    /// Returns the datagram's payload up to the first octet that is not held; empty without the first fragment.
    pub(super) fn beginning(&self) -> &[u8] {
        let mut reached = 0;
        for (&from, &(_, held)) in &self.ranges {
            if from != reached {
                break;
            }
            reached = held;
        }
        self.octets.get(..reached).unwrap_or_default()
    }

    /// Returns the datagram's payload up to the first octet that a sniffer cut off, and whether one was; `None` while a
    /// fragment is missing.
    pub(crate) fn datagram(&self) -> Option<(&[u8], bool)> {
        let held = self.is_whole().then(|| self.beginning())?;
        Some((held, self.total != Some(held.len())))
    }
}
