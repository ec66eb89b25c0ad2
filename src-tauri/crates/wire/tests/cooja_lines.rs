//! Frames as Cooja logged them (Contiki-NG and Contiki 3.0), decoded from MAC to application.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hex;

use hex::{hex, ip};
use wire::coap::{Coap, Type, number};
use wire::icmpv6::{Icmpv6, RPL_CONTROL};
use wire::ieee802154::{FrameType, has_valid_fcs16};
use wire::lowpan::{self, ContextTable, Dispatch};
use wire::rpl::Rpl;
use wire::{Ipv6, MacAddr, MacHeader, Udp, ipv6};

/// The long address of a mote.
const fn mote(id: u8) -> MacAddr {
    MacAddr::Extended([0, id, 0, id, 0, id, 0, id])
}

struct Decoded {
    mac: MacHeader,
    datagram: Vec<u8>,
}

impl Decoded {
    /// Decode an unfragmented frame given without FCS.
    fn of(psdu: &[u8], prefix: &str) -> Self {
        let mac = MacHeader::parse(psdu).unwrap();
        let payload = &psdu[mac.payload.clone()];
        let headers = lowpan::parse(payload).unwrap();
        assert_eq!(headers.dispatch, Dispatch::Iphc);
        let contexts = ContextTable::EMPTY.with(0, prefix.parse().unwrap());
        let rest = &payload[headers.rest];
        let rebuilt = lowpan::decompress(rest, mac.src, mac.dst, &contexts, None).unwrap();
        let datagram = [&rebuilt.header, &rest[rebuilt.consumed..]].concat();
        Self { mac, datagram }
    }

    fn with_fcs(text: &str) -> Self {
        let psdu = hex(text);
        assert!(has_valid_fcs16(&psdu));
        Self::of(&psdu[..psdu.len() - 2], "fd00::/64")
    }

    fn ipv6(&self) -> Ipv6 {
        let header = Ipv6::parse(&self.datagram).unwrap();
        let upper = &self.datagram[header.payload.clone()];
        assert_eq!(ipv6::checksum(header.src, header.final_dst(), header.upper, upper), 0);
        header
    }

    fn upper(&self) -> &[u8] {
        &self.datagram[self.ipv6().payload]
    }

    fn coap(&self) -> &[u8] {
        let udp = Udp::parse(self.upper()).unwrap();
        assert_eq!((udp.src_port, udp.dst_port), (5683, 5683));
        &self.upper()[udp.payload]
    }
}

#[test]
fn dio() {
    let frame = Decoded::with_fcs(
        "41D8FACD ABFFFF01 00010001 0001007A 3B3A1A9B 01E52000 F0008008 F00000FD 00000000 00000002 01000100
         01000104 0E00080C 00200000 80000100 1E003C08 1E4040FF FFFFFFFF FFFFFF00 000000FD 00000000 00000000
         00000000 000000B8 4F",
    );
    assert_eq!((frame.mac.frame_type, frame.mac.version, frame.mac.seq), (FrameType::Data, 1, Some(0xfa)));
    assert_eq!((frame.mac.dst, frame.mac.src), (MacAddr::BROADCAST, mote(1)));
    assert_eq!((frame.mac.dst_pan, frame.mac.src_pan), (Some(0xabcd), Some(0xabcd)));
    let header = frame.ipv6();
    assert_eq!((header.src, header.dst), (ip("fe80::201:1:1:1"), ip("ff02::1a")));
    let icmpv6 = Icmpv6::parse(frame.upper()).unwrap();
    assert_eq!((icmpv6.kind, icmpv6.code), (RPL_CONTROL, 1));
    let Rpl::Dio(dio) = Rpl::parse(icmpv6.code, &frame.upper()[icmpv6.body]).unwrap() else { panic!("not a DIO") };
    assert_eq!((dio.instance, dio.version, dio.rank, dio.mode_of_operation), (0, 240, 128, 1));
    assert_eq!(dio.dodag_id, ip("fd00::201:1:1:1"));
    assert_eq!(dio.prefixes[0].prefix.to_string(), "fd00::/64");
    assert!(dio.prefixes[0].autonomous && !dio.prefixes[0].on_link && !dio.prefixes[0].router_address);
}

#[test]
fn request_with_a_compressed_rpl_option() {
    let frame = Decoded::with_fcs(
        "61DCE7CD AB020002 00020002 00030003 00030003 007EF500 02010001 00010001 E1066304 0000033D F0163316
         33B4EF40 0390F4B1 73FF6E3D 332C733D 312C633D 62672C74 3D363732 35382C76 7778797A 61626364 65666768
         696A6B6C 6D6E6F70 71727374 75765C3F",
    );
    assert!(frame.mac.ack_request);
    assert_eq!((frame.mac.dst, frame.mac.src), (mote(2), mote(3)));
    let header = frame.ipv6();
    assert_eq!((header.src, header.dst), (ip("fd00::203:3:3:3"), ip("fd00::201:1:1:1")));
    let option = header.rpl_option.unwrap();
    assert_eq!((option.flags, option.instance, option.sender_rank, option.span), (0, 0, 0x033d, 42..48));
    let octets = frame.coap();
    let message = Coap::parse(octets).unwrap();
    assert_eq!((message.kind, message.code.to_string().as_str(), message.mid), (Type::Con, "0.03", 0x90f4));
    assert_eq!(message.values(octets, number::URI_PATH).next(), Some(&b"s"[..]));
    assert_eq!(message.payload.map(|span| span.len()), Some(48));
}

/// Mote 4 sends a datagram of 161 octets in two fragments.
#[test]
fn two_fragments() {
    let first =
        hex("61DC28CD AB010001 00010001 00040004 00040004 00C0A100 007EF700 E1066304 001E025E F0163316 3378D842
         03776D04 01B173FF 6E3D342C 733D312C 633D6267 2C743D36 39373336 2C767778 797A6162 63646566 6768696A
         6B6C6D6E 6F707172 73747576 7778797A 61626364 65666768 696A6B6C 6D6E6F70 71727315 50");
    let second =
        hex("61DC29CD AB010001 00010001 00040004 00040004 00E0A100 00117475 76777879 7A616263 64656667 68696A6B
         6C6D6E6F 707172CA 2E");
    let mut pieces = vec![];
    for psdu in [&first, &second] {
        assert!(has_valid_fcs16(psdu));
        let psdu = &psdu[..psdu.len() - 2];
        let mac = MacHeader::parse(psdu).unwrap();
        let payload = psdu[mac.payload.clone()].to_vec();
        pieces.push((mac, lowpan::parse(&payload).unwrap(), payload));
    }
    let (mac, headers, payload) = &pieces[0];
    let frag = headers.frag.as_ref().unwrap();
    assert_eq!((frag.size, frag.tag, frag.first), (161, 0, true));
    let rest = &payload[headers.rest.clone()];
    let contexts = ContextTable::EMPTY.with(0, "fd00::/64".parse().unwrap());
    let rebuilt = lowpan::decompress(rest, mac.src, mac.dst, &contexts, Some(usize::from(frag.size))).unwrap();
    let mut datagram = [&rebuilt.header, &rest[rebuilt.consumed..]].concat();

    let (_, headers, payload) = &pieces[1];
    assert_eq!(headers.dispatch, Dispatch::FragN { size: 161, tag: 0, offset: 136 });
    assert_eq!(datagram.len(), 136);
    datagram.extend(&payload[headers.rest.clone()]);
    let whole = Decoded { mac: mac.clone(), datagram };
    let message = Coap::parse(whole.coap()).unwrap();
    assert_eq!((message.mid, message.token.to_string().as_str()), (0x776d, "0401"));
}

/// Non-storing RPL: the root routes a DAO acknowledgement through motes 2 and 3 to 4.
#[test]
fn source_routing_header() {
    let frame = Decoded::with_fcs(
        "61dcffcd ab020002 00020002 00010001 00010001 007ef700 e23a1603 02992000 00030003 00030003 04000400
         04000400 009b0375 a30000f1 003d06",
    );
    let header = frame.ipv6();
    assert_eq!(header.dst, ip("fd00::202:2:2:2"));
    let routing = header.routing.as_ref().unwrap();
    assert_eq!((routing.kind, routing.segments_left), (3, 2));
    assert_eq!(routing.addresses, [ip("fd00::203:3:3:3"), ip("fd00::204:4:4:4")]);
    assert_eq!(header.final_dst(), ip("fd00::204:4:4:4"));
    let icmpv6 = Icmpv6::parse(frame.upper()).unwrap();
    let Rpl::DaoAck(ack) = Rpl::parse(icmpv6.code, &frame.upper()[icmpv6.body]).unwrap() else { panic!("not an ACK") };
    assert_eq!((ack.instance, ack.sequence, ack.status), (0, 0xf1, 0));
}

#[test]
fn dao_with_transit_information() {
    let frame = Decoded::with_fcs(
        "61dcddcd ab020002 00020002 00030003 00030003 007a333a 9b023aa2 1e4000f1 fd000000 00000000 02010001
         00010001 05120080 fd000000 00000000 02030003 00030003 06040000 0000c9f9",
    );
    let icmpv6 = Icmpv6::parse(frame.upper()).unwrap();
    let Rpl::Dao(dao) = Rpl::parse(icmpv6.code, &frame.upper()[icmpv6.body]).unwrap() else { panic!("not a DAO") };
    assert_eq!((dao.instance, dao.ack_request, dao.sequence), (30, false, 0xf1));
    assert_eq!(dao.dodag_id, Some(ip("fd00::201:1:1:1")));
    assert_eq!(dao.targets[0].to_string(), "fd00::203:3:3:3/128");
    assert_eq!((dao.transits[0].path_lifetime, dao.transits[0].parent), (0, None));
    assert_eq!((dao.transits[0].targets, dao.transits[0].external), ((0, 1), false));
}

// ------------------------------------------------------------------------------------------------------- TSCH

#[test]
fn enhanced_beacon() {
    let psdu = hex("40EBCDAB FFFF0100 01000100 0100003F 1188061A 0E000000 0000011C 0001C800 011B001B A6");
    let mac = MacHeader::parse(&psdu[..psdu.len() - 2]).unwrap();
    assert!(has_valid_fcs16(&psdu));
    assert_eq!((mac.frame_type, mac.version, mac.seq), (FrameType::Beacon, 2, None));
    assert_eq!((mac.dst_pan, mac.dst, mac.src), (Some(0xabcd), MacAddr::BROADCAST, mote(1)));
    // Header Termination 1, then MLME's nested IEs (group 1).
    assert_eq!(mac.header_ies.iter().map(|ie| ie.id).collect::<Vec<_>>(), [0x7e]);
    assert_eq!(mac.payload_ies.iter().map(|ie| (ie.id, ie.content.len())).collect::<Vec<_>>(), [(1, 17)]);
    assert!(mac.payload.is_empty());
}

#[test]
fn enhanced_acknowledgement() {
    let psdu = hex("022E3ACD AB020002 00020002 00020F00 00F2F4");
    let mac = MacHeader::parse(&psdu[..psdu.len() - 2]).unwrap();
    assert_eq!((mac.frame_type, mac.seq), (FrameType::Ack, Some(0x3a)));
    assert_eq!((mac.dst_pan, mac.dst, mac.src), (Some(0xabcd), mote(2), MacAddr::None));
    // Time correction, 7.4.2.7; no termination, as nothing follows.
    assert_eq!(mac.header_ies.iter().map(|ie| (ie.id, ie.content.clone())).collect::<Vec<_>>(), [(0x1e, 15..17)]);
    assert_eq!(mac.span, 0..17);
}

#[test]
fn request_with_a_token_in_a_2015_frame() {
    let frame = Decoded::with_fcs(
        "21EC47CD AB010001 00010001 00020002 00020002 007EF700 E1066304 00000148 F0163316 33DDF242 032F7D02
         01B173FF 6E3D322C 733D312C 633D6267 2C743D31 39313038 372C7778 797A6162 63646566 9B19",
    );
    // Both addresses long and the compression bit clear: only the destination's PAN ID is there.
    assert!(!frame.mac.pan_id_compression);
    assert_eq!((frame.mac.dst_pan, frame.mac.src_pan), (Some(0xabcd), Some(0xabcd)));
    let message = Coap::parse(frame.coap()).unwrap();
    assert_eq!((message.mid, message.token.to_string().as_str()), (0x2f7d, "0201"));
}

// ------------------------------------------------------------------------------------------------- Contiki 3.0

#[test]
fn acknowledgement_without_fcs() {
    let mac = MacHeader::parse(&hex("020049")).unwrap();
    assert_eq!((mac.frame_type, mac.seq, mac.payload), (FrameType::Ack, Some(0x49), 3..3));
}

/// The hop-by-hop header is not compressed: IPHC ends at the next header field.
#[test]
fn request_with_an_uncompressed_rpl_option() {
    let psdu = hex("61DC6ECD AB030003 00030003 00040004 00040004 007AF500 00020100 01000100 01110063 04001E05 6E163316
         33003F97 34400370 0EB173FF 6E3D342C 733D362C 696A6B6C 6D6E6F70 71727374 75767778 797A6162 63646566
         6768696A 6B6C6D6E 6F707172 73747576");
    let frame = Decoded::of(&psdu, "aaaa::/64");
    let header = frame.ipv6();
    assert_eq!((header.src, header.dst), (ip("aaaa::204:4:4:4"), ip("aaaa::201:1:1:1")));
    assert_eq!((header.next_header, header.upper), (ipv6::HOP_BY_HOP, ipv6::UDP));
    assert_eq!(header.rpl_option.unwrap().sender_rank, 0x056e);
    let message = Coap::parse(frame.coap()).unwrap();
    assert_eq!((message.kind, message.mid), (Type::Con, 0x700e));
}

#[test]
fn piggybacked_response() {
    let psdu =
        hex("61DC17CD AB020002 00020002 00010001 00010001 007AF700 00110063 04801E01 00163316 33000C20 9C6044F9 2E");
    let frame = Decoded::of(&psdu, "aaaa::/64");
    let option = frame.ipv6().rpl_option.unwrap();
    assert_eq!((option.flags, option.instance), (0x80, 30));
    let message = Coap::parse(frame.coap()).unwrap();
    assert_eq!((message.kind, message.code.to_string().as_str(), message.mid), (Type::Ack, "2.04", 0xf92e));
}
