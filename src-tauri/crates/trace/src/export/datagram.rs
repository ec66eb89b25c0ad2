//! A UDP datagram in IPv6 or IPv4 around a payload.

use crate::model::Endpoint;
use std::net::Ipv4Addr;
use wire::ipv6::{UDP, checksum};

/// Hop limit, or time to live, with which hosts start (IANA, "IP parameters": 64).
const HOPS: u8 = 64;

/// Returns an IP datagram with `payload` from `src` to `dst` over UDP (RFC 768), in IPv6 (RFC 8200), or in IPv4 (RFC
/// 791) where both addresses are IPv4-mapped, with checksums; `None` where `payload` is too long for one datagram.
#[must_use]
pub fn datagram(src: Endpoint, dst: Endpoint, payload: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(payload.len().checked_add(8)?).ok()?;
    let udp = |sum: u16| -> Vec<u8> {
        let fields = [src.port, dst.port, length, sum].map(u16::to_be_bytes);
        [fields.as_flattened(), payload].concat()
    };
    match (src.addr.to_ipv4_mapped(), dst.addr.to_ipv4_mapped()) {
        (Some(src), Some(dst)) => {
            let total = length.checked_add(20)?.to_be_bytes();
            let segment = udp(0);
            let segment = udp(checksum4(src, dst, &segment));
            let head = |sum: [u8; 2]| -> Vec<u8> {
                // Version 4, five words; don't fragment; UDP.
                let fixed = [0x45, 0, total[0], total[1], 0, 0, 0x40, 0, HOPS, UDP, sum[0], sum[1]];
                [&fixed[..], &src.octets(), &dst.octets()].concat()
            };
            let sum = header_checksum(&head([0, 0]));
            Some([head(sum.to_be_bytes()), segment].concat())
        }
        _ => {
            let (from, to) = (src.addr.octets(), dst.addr.octets());
            let sum = filled(checksum(from, to, UDP, &udp(0)));
            let head = [0x60, 0, 0, 0, length.to_be_bytes()[0], length.to_be_bytes()[1], UDP, HOPS];
            Some([&head[..], &from, &to, &udp(sum)].concat())
        }
    }
}

/// Returns the UDP checksum over IPv4: the pseudo-headers of IPv4 and IPv6 have the same words, but for the addresses.
fn checksum4(src: Ipv4Addr, dst: Ipv4Addr, segment: &[u8]) -> u16 {
    let wide = |address: Ipv4Addr| {
        let mut octets = [0; 16];
        octets.iter_mut().zip(address.octets()).for_each(|(at, octet)| *at = octet);
        octets
    };
    filled(checksum(wide(src), wide(dst), UDP, segment))
}

/// Replaces 0, which means that there is no checksum (RFC 768), by the equal sum 0xffff.
const fn filled(sum: u16) -> u16 {
    if sum == 0 { 0xffff } else { sum }
}

/// Returns the one's complement of the one's complement sum of a header's words (RFC 791 §3.1).
fn header_checksum(header: &[u8]) -> u16 {
    let sum: u32 = header.as_chunks::<2>().0.iter().map(|&word| u32::from(u16::from_be_bytes(word))).sum();
    // Ten words: one carry, and what that may carry.
    let once = (sum & 0xffff) + (sum >> 16);
    !(((once & 0xffff) + (once >> 16)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(addr: &str, port: u16) -> Endpoint {
        let addr: std::net::IpAddr = addr.parse().unwrap();
        let addr = match addr {
            std::net::IpAddr::V4(v4) => v4.to_ipv6_mapped(),
            std::net::IpAddr::V6(v6) => v6,
        };
        Endpoint { addr, port }
    }

    /// One's complement sum of 16-bit words, apart from the one under test.
    fn sum(octets: &[u8]) -> u16 {
        let words = octets.chunks(2).map(|w| u32::from(w[0]) * 256 + u32::from(*w.get(1).unwrap_or(&0)));
        let mut sum: u32 = words.sum();
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        sum as u16
    }

    #[test]
    fn checksums_are_whole() {
        for payload in [&b""[..], b"x", b"odd", &[0xff; 700]] {
            let six = datagram(endpoint("fd00::1", 5683), endpoint("fd00::2", 50_000), payload).unwrap();
            assert_eq!(six.len(), 48 + payload.len());
            let length = (six.len() - 40) as u8;
            let pseudo =
                [&six[8..40], &[0, 0, ((six.len() - 40) >> 8) as u8, length, 0, 0, 0, 17], &six[40..]].concat();
            assert_eq!(sum(&pseudo), 0xffff);
            let four = datagram(endpoint("10.0.0.1", 5683), endpoint("10.1.2.3", 50_000), payload).unwrap();
            assert_eq!((four.len(), sum(&four[..20])), (28 + payload.len(), 0xffff));
            let udp = four.len() - 20;
            let pseudo = [&four[12..20], &[0, 17, (udp >> 8) as u8, udp as u8], &four[20..]].concat();
            assert_eq!(sum(&pseudo), 0xffff);
        }
        assert_eq!(datagram(endpoint("fd00::1", 1), endpoint("fd00::2", 2), &[0; 65_528]), None);
    }

    #[test]
    fn a_written_datagram_is_read_back() {
        let (src, dst) = (endpoint("fd00::1", 5683), endpoint("fd00::2", 50_000));
        let octets = datagram(src, dst, b"payload").unwrap();
        let ip = wire::ipv6::Ipv6::parse(&octets).unwrap();
        assert_eq!((ip.src, ip.dst), (src.addr.octets(), dst.addr.octets()));
        let udp = wire::Udp::parse(&octets[40..]).unwrap();
        assert_eq!((udp.src_port, udp.dst_port, &octets[40..][udp.payload]), (5683, 50_000, &b"payload"[..]));
    }
}
