//! ZEP, the Zigbee Encapsulation Protocol: 802.15.4 frames that a sniffer sent in UDP datagrams, as RIOT's and
//! IoT-LAB's do.
//!
//! There is no specification. Layouts and readings are Wireshark's (`packet-zep.c`):
//!
//! ```text
//! v1  "EX" 1 channel device(2) mode LQI reserved(7) length                                       PSDU
//! v2  "EX" 2 type channel device(2) mode LQI NTP time(8) sequence(4) reserved(10) length         PSDU
//!     "EX" 2 2 sequence(4)                                                     an acknowledgement, no PSDU
//! ```
//!
//! A version above 2 reads as 2, a type other than 2 as data. Each device is a source of its own: it has its own
//! clock.

use super::framing::Payload;
use crate::model::Link;
use base::{Instant, Span};
use wire::ethernet::Ethernet;
use wire::ipv4::Ipv4;
use wire::{Ipv6, ethernet, ipv6};

/// UDP port that Wireshark registers for ZEP (`packet-zep.c`). On others, lengths must agree too.
const PORT: u16 = 17_754;

/// First octets of a ZEP datagram.
const MARK: &[u8] = b"EX";

/// Length of a UDP header, octets (RFC 768).
const UDP: usize = 8;

/// Seconds from the epoch of NTP (RFC 5905, section 6: 1900) to that of Unix.
const NTP_TO_UNIX: i64 = 2_208_988_800;

/// Largest distance from the record's time at which a sniffer's time is believed: then its clock was set. Chosen here:
/// one day.
pub(super) const PLAUSIBLE: Span = Span::from_secs(86_400);

/// A frame that came in ZEP.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Zep<'a> {
    /// Device number of the sniffer.
    pub(super) device: u16,
    /// Time when the sniffer heard it, by its own clock, from the Unix epoch; `None` in version 1, which has no time.
    pub(super) at: Option<Instant>,
    /// The frame, with channel and LQI.
    pub(super) payload: Payload<'a>,
}

/// Returns the frame that `payload`, an Ethernet frame or an IP datagram, carries in ZEP; `None` where it carries none.
pub(super) fn find<'a>(payload: &Payload<'a>) -> Option<Zep<'a>> {
    let packet = match payload.link {
        Link::Ethernet => {
            let frame = Ethernet::parse(payload.octets).ok()?;
            let is_ip = matches!(frame.ethertype, ethernet::IPV4 | ethernet::IPV6);
            payload.octets.get(frame.payload).filter(|_| is_ip)?
        }
        Link::RawIp | Link::LoopbackIp => payload.octets,
        Link::Ieee802154 | Link::Other(_) => return None,
    };
    if is_plainly_other(packet) {
        return None;
    }
    let udp = match packet.first()? >> 4 {
        4 => Ipv4::parse(packet).ok().filter(|ip| ip.protocol == ipv6::UDP && ip.fragment_offset == 0)?.payload,
        6 => Ipv6::parse(packet).ok().filter(|ip| ip.upper == ipv6::UDP && ip.fragment.is_none())?.payload,
        _ => return None,
    };
    let udp = packet.get(udp)?;
    let zep = udp.get(UDP..)?;
    let header = Header::parse(zep)?;
    let port = |at: usize| udp.get(at..at + 2).is_some_and(|port| port == PORT.to_be_bytes());
    let promised = u16::from_be_bytes(*udp.get(4..)?.first_chunk()?);
    let agrees = usize::from(promised) == UDP + header.octets + header.length;
    if !(agrees || port(0) || port(2)) {
        return None;
    }
    let behind = zep.get(header.octets..)?;
    let octets = behind.get(..header.length).unwrap_or(behind);
    let missing = (header.length - octets.len()) as u32;
    let payload =
        Payload { channel: Some(header.channel), lqi: header.lqi, ..Payload::new(Link::Ieee802154, octets, missing) };
    Some(Zep { device: header.device, at: header.at, payload })
}

/// Returns whether an IP datagram without options and extension headers, as most are, lacks ZEP's mark at its place.
fn is_plainly_other(packet: &[u8]) -> bool {
    let has_no_mark =
        |header: usize| packet.get(header + UDP..header + UDP + MARK.len()).is_none_or(|mark| mark != MARK);
    match packet {
        [0x45, ..] => has_no_mark(20),
        [0x60..=0x6f, _, _, _, _, _, ipv6::UDP, ..] => has_no_mark(ipv6::HEADER_LEN),
        _ => false,
    }
}

/// Frame of a ZEP datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZepFrame<'a> {
    /// Device number of the sniffer.
    pub device: u16,
    /// Time by the sniffer's clock, from the Unix epoch if that was ever set; `None` in version 1, which has no time.
    pub at: Option<Instant>,
    /// Channel number as the sniffer says it, 11 to 26 at 2.4 GHz.
    pub channel: u8,
    /// Link quality indicator, 0 to 255, where the sniffer says it.
    pub lqi: Option<u8>,
    /// True where the frame ends in its check sequence; else it ends in a TI radio's status.
    pub ends_in_fcs: bool,
    /// The frame, those two octets included; at most 127 octets.
    pub psdu: &'a [u8],
}

/// Returns the frame in the payload of a UDP datagram; `None` where it is no ZEP, is cut, or is an acknowledgement.
#[must_use]
pub fn datagram(payload: &[u8]) -> Option<ZepFrame<'_>> {
    let Header { octets, channel, device, lqi, at, ends_in_fcs, length } = Header::parse(payload)?;
    let psdu = payload.get(octets..octets + length)?;
    Some(ZepFrame { device, at, channel, lqi, ends_in_fcs, psdu })
}

struct Header {
    /// Length of the header, octets: 16 in version 1, else 32.
    octets: usize,
    channel: u8,
    device: u16,
    lqi: Option<u8>,
    at: Option<Instant>,
    /// True in mode 1.
    ends_in_fcs: bool,
    /// Length of the frame, octets, at most 127.
    length: usize,
}

impl Header {
    fn parse(zep: &[u8]) -> Option<Self> {
        let (octets, fields) = match zep {
            [b'E', b'X', 1, fields @ ..] => (16, fields),
            // An acknowledgement has no frame.
            [b'E', b'X', 2..=255, 2, ..] => return None,
            [b'E', b'X', 2..=255, _, fields @ ..] => (32, fields),
            _ => return None,
        };
        let &[channel, high, low, mode, lqi, ..] = fields else { return None };
        let is_first = octets == 16;
        Some(Self {
            octets,
            channel,
            device: u16::from_be_bytes([high, low]),
            // Mode 0: the frame ends in a TI radio's status; 1: in its check sequence. What Wireshark shows as LQI:
            lqi: ((mode != 0) == is_first).then_some(lqi),
            at: if is_first { None } else { ntp(u64::from_be_bytes(*zep.get(9..)?.first_chunk()?)) },
            ends_in_fcs: mode != 0,
            length: usize::from(zep.get(octets - 1)? & 0x7f),
        })
    }
}

/// Decodes an NTP time stamp (RFC 5905, section 6), seconds and 2^-32 s since 1900, to the nearest nanosecond from the
/// Unix epoch.
fn ntp(stamp: u64) -> Option<Instant> {
    let seconds = i64::from((stamp >> 32) as u32) - NTP_TO_UNIX;
    let nanos = ((stamp & 0xffff_ffff) * 1_000_000_000 + (1 << 31)) >> 32;
    let nanos = seconds.checked_mul(1_000_000_000)?.checked_add(i64::try_from(nanos).ok()?)?;
    Some(Instant::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Fcs;

    /// An Ethernet frame with IPv4 and UDP to `port` around `zep`.
    fn ethernet(port: u16, zep: &[u8]) -> Vec<u8> {
        let udp = (UDP + zep.len()) as u16;
        let mut frame = vec![0; 12];
        frame.extend([0x08, 0x00, 0x45, 0]);
        frame.extend((20 + udp).to_be_bytes());
        frame.extend([0, 0, 0x40, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]);
        frame.extend([port.to_be_bytes(), port.to_be_bytes(), udp.to_be_bytes(), [0, 0]].concat());
        frame.extend(zep);
        frame
    }

    /// ZEP of an acknowledgement that IoT-LAB's sniffer 12578 heard on channel 16; 0xe720b530.31862 is
    /// 2022-11-17 13:27:12.193453 UTC, which tshark 4.0.17 shows for such a header.
    fn v2(psdu: &[u8]) -> Vec<u8> {
        let mut zep = vec![b'E', b'X', 2, 1, 16, 0x31, 0x22, 1, 0xff, 0xe7, 0x20, 0xb5, 0x30, 0x31, 0x86, 0x22, 0xc4];
        zep.extend([0, 0, 0, 7]);
        zep.extend([0; 10]);
        zep.push(psdu.len() as u8);
        zep.extend(psdu);
        zep
    }

    const ACK: [u8; 5] = [2, 0, 1, 0x31, 0xa4];

    fn found(octets: &[u8]) -> Option<(u16, Vec<u8>, u32)> {
        find(&Payload::new(Link::Ethernet, octets, 0))
            .map(|zep| (zep.device, zep.payload.octets.to_vec(), zep.payload.missing))
    }

    #[test]
    fn version_2_of_iot_lab() {
        let frame = ethernet(17_754, &v2(&ACK));
        let zep = find(&Payload::new(Link::Ethernet, &frame, 0)).unwrap();
        assert_eq!(zep.at, Some(Instant::from_nanos(1_668_691_632_193_453_000)));
        assert_eq!((zep.device, zep.payload.octets), (12_578, &ACK[..]));
        assert_eq!((zep.payload.channel, zep.payload.lqi, zep.payload.fcs), (Some(16), None, Fcs::Absent));
        assert_eq!(find(&Payload::new(Link::RawIp, &frame[14..], 0)).unwrap(), zep);
        assert_eq!(find(&Payload::new(Link::Ieee802154, &frame, 0)), None);
    }

    #[test]
    fn any_port_where_the_lengths_agree() {
        assert_eq!(found(&ethernet(5_000, &v2(&ACK))), Some((12_578, ACK.to_vec(), 0)));
        let longer = [&v2(&ACK)[..], &[0]].concat();
        assert_eq!(found(&ethernet(5_000, &longer)), None);
        assert_eq!(found(&ethernet(17_754, &longer)), Some((12_578, ACK.to_vec(), 0)));
    }

    #[test]
    fn version_1_and_3_and_acknowledgements() {
        let mut v1 = vec![b'E', b'X', 1, 26, 0, 3, 1, 200];
        v1.extend([0; 7]);
        v1.push(0x80 | 5);
        v1.extend(ACK);
        let frame = ethernet(17_754, &v1);
        let zep = find(&Payload::new(Link::Ethernet, &frame, 0)).unwrap();
        assert_eq!((zep.device, zep.at, zep.payload.lqi), (3, None, Some(200)));
        let mut v3 = v2(&ACK);
        (v3[2], v3[3]) = (3, 7);
        assert_eq!(found(&ethernet(17_754, &v3)), Some((12_578, ACK.to_vec(), 0)));
        assert_eq!(found(&ethernet(17_754, &[b'E', b'X', 2, 2, 0, 0, 0, 1])), None);
    }

    #[test]
    fn cut_zep_counts_missing_octets_and_other_payloads_are_none() {
        let frame = ethernet(17_754, &v2(&ACK));
        assert_eq!(found(&frame[..frame.len() - 2]), Some((12_578, ACK[..3].to_vec(), 2)));
        for end in 0..frame.len() - 5 {
            assert_eq!(found(&frame[..end]), None, "{end}");
        }
    }
}
