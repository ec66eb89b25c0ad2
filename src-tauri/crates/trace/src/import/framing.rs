//! Link types: headers that a capture puts around a frame, taken off.
//!
//! Numbers and layouts: <https://www.tcpdump.org/linktypes.html>.

use super::trailer::{Rule, Trailer};
use crate::model::{Fcs, Link};
use flate2::Crc;
use wire::ieee802154::has_valid_fcs16;
use wire::tap::{Tap, TapFcs, linktype, nonask_phy};

/// Link type of OpenBSD's loopback.
const LOOP: u16 = 108;
/// ARPHRD type of Linux's loopback interface (`linux/if_arp.h`).
const ARPHRD_LOOPBACK: u16 = 772;

/// A link type that is understood, with its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framing {
    /// 195: a PSDU, with a trailer that may be a check sequence.
    Ieee802154,
    /// 215: preamble, SFD and length, then as 195.
    Ieee802154Phy,
    /// 230: a PSDU without check sequence.
    Ieee802154NoFcs,
    /// 283: TLVs, then a PSDU.
    Ieee802154Tap,
    /// 1: Ethernet II frames.
    Ethernet,
    /// 12, 14, 101, 228, 229: an IPv4 or IPv6 header.
    RawIp,
    /// 0: the writer's address family, in its own byte order, then IP.
    Null,
    /// 108: the address family in network byte order, then IP.
    Loop,
    /// 113: Linux cooked capture v1.
    Sll,
    /// 276: Linux cooked capture v2.
    Sll2,
}

/// Content of a record without its framing.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Payload<'a> {
    /// First header of the octets.
    pub(super) link: Link,
    /// The frame, as far as the record holds it.
    pub(super) octets: &'a [u8],
    /// 802.15.4 channel number, 11 to 26 at 2.4 GHz; `None` where the record does not say it.
    pub(super) channel: Option<u8>,
    /// Received signal strength, dBm.
    pub(super) rssi: Option<i8>,
    /// Link quality indicator, 0 to 255.
    pub(super) lqi: Option<u8>,
    /// Octets of the frame that the record does not hold.
    pub(super) missing: u32,
    /// State of the check sequence where the record tells it; else [`Fcs::Absent`], and the source's [`Rule`] decides.
    pub(super) fcs: Fcs,
}

impl<'a> Payload<'a> {
    /// A payload without metadata; `missing`: octets that the record does not hold.
    pub(super) fn new(link: Link, octets: &'a [u8], missing: u32) -> Self {
        Self { link, octets, missing, channel: None, rssi: None, lqi: None, fcs: Fcs::Absent }
    }
}

impl Framing {
    /// Returns the framing of link type `number`, if it is understood.
    pub(super) fn of(number: u16) -> Option<Self> {
        Some(match number {
            linktype::NULL => Self::Null,
            linktype::ETHERNET => Self::Ethernet,
            linktype::RAW_BSD | linktype::RAW_OPENBSD | linktype::RAW | linktype::IPV4 | linktype::IPV6 => Self::RawIp,
            LOOP => Self::Loop,
            linktype::LINUX_SLL => Self::Sll,
            linktype::LINUX_SLL2 => Self::Sll2,
            linktype::IEEE802_15_4_WITHFCS => Self::Ieee802154,
            linktype::IEEE802_15_4_NONASK_PHY => Self::Ieee802154Phy,
            linktype::IEEE802_15_4_NOFCS => Self::Ieee802154NoFcs,
            linktype::IEEE802_15_4_TAP => Self::Ieee802154Tap,
            _ => return None,
        })
    }

    /// Returns the rule for the trailer of its frames; `forced` is the user's choice.
    pub(super) fn rule(self, forced: Option<Trailer>) -> Rule {
        match (self, forced) {
            (Self::Ieee802154 | Self::Ieee802154Phy, None) => Rule::Detect { promised: true },
            (Self::Ieee802154 | Self::Ieee802154Phy | Self::Ieee802154NoFcs, Some(trailer)) => Rule::Given(trailer),
            _ => Rule::Recorded,
        }
    }

    /// Takes the framing off `octets`, a record of link type `number` that lacks `missing` octets. Where it is damaged
    /// or holds no frame, the payload is the whole record, of [`Link::Other`].
    pub(super) fn strip(self, number: u16, octets: &[u8], missing: u32) -> Payload<'_> {
        let psdu = |octets| Payload::new(Link::Ieee802154, octets, missing);
        let ip = |octets| Payload::new(Link::RawIp, octets, missing);
        let payload = match self {
            Self::Ieee802154 | Self::Ieee802154NoFcs => Some(psdu(octets)),
            Self::Ieee802154Phy => nonask_phy(octets).ok().and_then(|span| octets.get(span)).map(psdu),
            Self::Ieee802154Tap => tap(octets, missing),
            Self::Ethernet => Some(Payload::new(Link::Ethernet, octets, missing)),
            Self::RawIp => Some(ip(octets)),
            Self::Null | Self::Loop => null(octets).map(ip),
            Self::Sll => protocol(octets, 14, 16).map(|packet| Payload::new(cooked(octets, 2), packet, missing)),
            Self::Sll2 => protocol(octets, 0, 20).map(|packet| Payload::new(cooked(octets, 8), packet, missing)),
        };
        payload.unwrap_or(Payload::new(Link::Other(number), octets, missing))
    }
}

/// Returns the frame behind TAP metadata, without the check sequence that it announces; `None` for damaged metadata.
fn tap(octets: &[u8], missing: u32) -> Option<Payload<'_>> {
    let tap = Tap::parse(octets).ok()?;
    let frame = octets.get(tap.frame)?;
    let len = tap.fcs.len();
    // A cut record loses octets of its check sequence first.
    let held = len.saturating_sub(missing as usize);
    let psdu = frame.get(..frame.len().saturating_sub(held))?;
    let valid = match tap.fcs {
        _ if missing > 0 || frame.len() < len => None,
        TapFcs::None => None,
        TapFcs::Crc16 => Some(has_valid_fcs16(frame)),
        TapFcs::Crc32 => frame.split_last_chunk().map(|(psdu, &fcs)| fcs32(psdu) == u32::from_le_bytes(fcs)),
    };
    Some(Payload {
        link: Link::Ieee802154,
        octets: psdu,
        missing: missing.saturating_sub(len as u32),
        channel: tap.channel.and_then(|channel| u8::try_from(channel).ok()),
        rssi: tap.rss_dbm.filter(|rss| (-128.0..128.0).contains(rss)).map(|rss| rss.round() as i8),
        lqi: tap.lqi,
        fcs: valid.map_or(Fcs::Absent, |valid| if valid { Fcs::Good } else { Fcs::Bad }),
    })
}

/// Returns the 32-bit check sequence (IEEE 802.15.4-2015, 7.2.10): that of Ethernet, over at least four octets.
fn fcs32(psdu: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(psdu);
    crc.update([0; 4].get(psdu.len()..).unwrap_or_default());
    crc.sum()
}

/// Returns the IP packet behind a BSD loopback header; `None` for another family. The families are those of the
/// writers: `AF_INET` 2 everywhere, `AF_INET6` 10 on Linux, 23 on Windows, 24, 28 and 30 on the BSDs and macOS.
fn null(octets: &[u8]) -> Option<&[u8]> {
    let (family, ip) = octets.split_first_chunk()?;
    let known = |family| matches!(family, 2 | 10 | 23 | 24 | 28 | 30);
    (known(u32::from_le_bytes(*family)) || known(u32::from_be_bytes(*family))).then_some(ip)
}

/// Returns the IP packet behind a cooked header of `len` octets with its EtherType at octet `at`; `None` for another
/// EtherType.
fn protocol(octets: &[u8], at: usize, len: usize) -> Option<&[u8]> {
    match octets.get(at..at + 2)? {
        [0x08, 0x00] | [0x86, 0xdd] => octets.get(len..),
        _ => None,
    }
}

/// Returns the link of an IP packet behind a cooked header with the ARPHRD type of its interface at octet `at`.
fn cooked(octets: &[u8], at: usize) -> Link {
    if octets.get(at..at + 2) == Some(&ARPHRD_LOOPBACK.to_be_bytes()) { Link::LoopbackIp } else { Link::RawIp }
}

/// Returns the name of a link type in the pcap registry.
pub(super) fn name(number: u16) -> &'static str {
    if let Some(name) = linktype::name(number) {
        return name;
    }
    match number {
        3 => "AX25",
        6 => "IEEE802_5 Token Ring",
        9 => "PPP",
        10 => "FDDI",
        50 => "PPP_HDLC",
        51 => "PPP_ETHER",
        108 => "LOOP",
        105 => "IEEE802_11 WLAN",
        119 => "IEEE802_11_PRISM",
        127 => "IEEE802_11_RADIOTAP",
        147..=162 => "USER0 to USER15, private use",
        163 => "IEEE802_11_AVS",
        187 => "BLUETOOTH_HCI_H4",
        189 => "USB_LINUX",
        192 => "PPI",
        201 => "BLUETOOTH_HCI_H4_WITH_PHDR",
        220 => "USB_LINUX_MMAPPED",
        227 => "CAN_SOCKETCAN",
        239 => "NFLOG",
        249 => "USBPCAP",
        251 => "BLUETOOTH_LE_LL",
        252 => "WIRESHARK_UPPER_PDU",
        253 => "NETLINK",
        254 => "BLUETOOTH_LINUX_MONITOR",
        256 => "BLUETOOTH_LE_LL_WITH_PHDR",
        270 => "LORATAP",
        272 => "NORDIC_BLE",
        _ => "not one RTOscope knows",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tap_metadata_and_check_sequence() {
        let tlvs = [
            &[0, 0, 1, 0, 1, 0, 0, 0][..],
            &[1, 0, 4, 0, 0, 0, 0x88, 0xc2],
            &[3, 0, 3, 0, 26, 0, 0, 0],
            &[10, 0, 1, 0, 200, 0, 0, 0],
        ];
        let mut record = [&[0, 0, 36, 0][..], &tlvs.concat(), &[2, 0, 1, 0x31, 0xa4]].concat();
        let strip = |record: &[u8], missing| {
            let payload = Framing::Ieee802154Tap.strip(283, record, missing);
            (payload.octets.to_vec(), payload.fcs, payload.rssi, payload.channel, payload.lqi, payload.missing)
        };
        assert_eq!(strip(&record, 0), (vec![2, 0, 1], Fcs::Good, Some(-68), Some(26), Some(200), 0));
        assert_eq!(strip(&record[..40], 1), (vec![2, 0, 1], Fcs::Absent, Some(-68), Some(26), Some(200), 0));
        assert_eq!(strip(&record[..38], 3).5, 1);
        record[38] ^= 1;
        assert_eq!(strip(&record, 0).1, Fcs::Bad);
        assert_eq!(Framing::Ieee802154Tap.strip(283, &record[..35], 0).link, Link::Other(283));
    }

    #[test]
    fn fcs32_is_that_of_ethernet() {
        assert_eq!(fcs32(b"123456789"), 0xcbf4_3926);
        assert_eq!(fcs32(b"12"), fcs32(b"12\0\0"));
    }

    #[test]
    fn cooked_headers_come_off() {
        let strip = |number: u16, octets: &[u8]| {
            let payload = Framing::of(number).unwrap().strip(number, octets, 0);
            (payload.link, payload.octets.to_vec())
        };
        for family in [[2, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 30]] {
            assert_eq!(strip(0, &[&family[..], &[0x45, 0]].concat()), (Link::RawIp, vec![0x45, 0]));
        }
        assert_eq!(strip(0, &[7, 7, 7, 7, 0x45]).0, Link::Other(0));
        assert_eq!(strip(0, &[2]).0, Link::Other(0));
        let mut sll = vec![0; 16];
        sll[14..].copy_from_slice(&[0x86, 0xdd]);
        sll.push(0x60);
        assert_eq!(strip(113, &sll), (Link::RawIp, vec![0x60]));
        assert_eq!(strip(113, &sll[..15]).0, Link::Other(113));
        let mut sll2 = vec![0; 20];
        sll2[..2].copy_from_slice(&[0x08, 0x00]);
        sll2.push(0x45);
        assert_eq!(strip(276, &sll2), (Link::RawIp, vec![0x45]));
        assert_eq!(strip(101, &[0x60, 1]), (Link::RawIp, vec![0x60, 1]));
        let phy = [0, 0, 0, 0, 0xa7, 3, 2, 0, 9];
        assert_eq!(strip(215, &phy), (Link::Ieee802154, vec![2, 0, 9]));
        assert_eq!(strip(215, &phy[..8]).0, Link::Other(215));
    }
}
