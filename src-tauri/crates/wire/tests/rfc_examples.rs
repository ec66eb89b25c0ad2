//! Examples from the RFCs, and octets built by hand from their figures.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hex;

use hex::{hex, ip};
use wire::coap::{self, Coap, Code, Type, number};
use wire::lowpan::{self, ContextTable, Decompressed, Dispatch, LayerKind, Prefix};
use wire::{Error, Ipv6, Kind, MacAddr, Udp};

const EUI: MacAddr = MacAddr::Extended([0x02, 0, 0, 0, 0, 0, 0, 0x01]);

fn contexts() -> ContextTable {
    ContextTable::EMPTY
        .with(0, "fd00::/64".parse().unwrap())
        .with(3, "2001:db8:1:2:3::/80".parse().unwrap())
        .with(5, "2001:db8::/48".parse().unwrap())
}

fn decompress(text: &str) -> Result<Decompressed, Error> {
    lowpan::decompress(&hex(text), EUI, MacAddr::Short(0x1234), &contexts(), None)
}

/// The IPv6 header `text` stands for.
fn header(text: &str) -> Ipv6 {
    let input = hex(text);
    let rebuilt = decompress(text).unwrap();
    Ipv6::parse(&[&rebuilt.header, &input[rebuilt.consumed..]].concat()).unwrap()
}

// ------------------------------------------------------------------------------------------- RFC 6282 §3: IPHC

#[test]
fn traffic_class_and_flow_label() {
    let class_flow = |text| {
        let header = header(text);
        (header.traffic_class, header.flow_label)
    };
    // ECN 2, DSCP 46: 0xba in the header, 0xae in IPHC.
    assert_eq!(class_flow("6233 ae 0abcde 11"), (0xba, 0xabcde));
    assert_eq!(class_flow("6a33 8abcde 11"), (2, 0xabcde));
    assert_eq!(class_flow("7233 ae 11"), (0xba, 0));
    assert_eq!(class_flow("7a33 11"), (0, 0));
}

#[test]
fn hop_limit() {
    for (text, hops) in [("7833 11 2a", 42), ("7933 11", 1), ("7a33 11", 64), ("7b33 11", 255)] {
        assert_eq!((header(text).hop_limit, header(text).next_header), (hops, 17), "{text}");
    }
}

#[test]
fn source_addresses() {
    for (text, src) in [
        // SAC=0: 128, 64, 16 and 0 bits.
        ("7a03 11 20010db8000000000000000000000042", "2001:db8::42"),
        ("7a13 11 0212740200020202", "fe80::212:7402:2:202"),
        ("7a23 11 0042", "fe80::ff:fe00:42"),
        ("7a33 11", "fe80::1"),
        // SAC=1: unspecified, then context 0, implied by CID=0 (smoltcp refuses).
        ("7a43 11", "::"),
        ("7a53 11 0212740200020202", "fd00::212:7402:2:202"),
        // A short identifier keeps its ff:fe under a context (smoltcp leaves it out).
        ("7a63 11 1234", "fd00::ff:fe00:1234"),
        ("7a73 11", "fd00::1"),
        // CID=1: contexts 3, whose 80 bits win over the identifier's first 16, and 5, of only 48 bits.
        ("7ad3 30 11 ffff740200020202", "2001:db8:1:2:3:7402:2:202"),
        ("7ae3 50 11 1234", "2001:db8::ff:fe00:1234"),
        ("7af3 50 11", "2001:db8::1"),
    ] {
        assert_eq!(header(text).src, ip(src), "{text}");
    }
}

#[test]
fn destination_addresses() {
    for (text, dst) in [
        ("7a30 11 20010db8000000000000000000000042", "2001:db8::42"),
        ("7a31 11 0212740200020202", "fe80::212:7402:2:202"),
        ("7a32 11 0042", "fe80::ff:fe00:42"),
        ("7a33 11", "fe80::ff:fe00:1234"),
        ("7a35 11 0212740200020202", "fd00::212:7402:2:202"),
        ("7a36 11 0042", "fd00::ff:fe00:42"),
        ("7a37 11", "fd00::ff:fe00:1234"),
        ("7ab7 05 11", "2001:db8::ff:fe00:1234"),
        // M=1: 128, 48, 32 and 8 bits.
        ("7a38 11 ff0e0000000000000000000000001234", "ff0e::1234"),
        ("7a39 11 05 0123456789", "ff05::1:2345:6789"),
        ("7a3a 11 0e 123456", "ff0e::12:3456"),
        ("7a3b 11 1a", "ff02::1a"),
        // M=1, DAC=1: a prefix-based address (RFC 3306) under contexts 0 and 5 (smoltcp refuses).
        ("7a3c 11 3e 00 12345678", "ff3e:40:fd00:0:0:0:1234:5678"),
        ("7abc 05 11 75 01 00000001", "ff75:130:2001:db8::1"),
    ] {
        assert_eq!(header(text).dst, ip(dst), "{text}");
    }
}

#[test]
fn reserved_and_missing() {
    let error = |text| decompress(text).unwrap_err();
    assert_eq!(error("7a34 11").kind, Kind::Reserved("IPHC M=0 DAC=1 DAM=0"));
    assert_eq!(error("7a3d 11").kind, Kind::Reserved("IPHC M=1 DAC=1 DAM=1 to 3"));
    assert_eq!(error("7a30 11 2001").to_string(), "6LoWPAN, octet 3: needs 16 octets, 2 left");
    let nobody = lowpan::decompress(&hex("7a33 11"), MacAddr::None, EUI, &contexts(), None).unwrap_err();
    assert_eq!(nobody.kind, Kind::Invalid("address elided, but the frame has none either"));

    // Context 9 is not known: the address has a zero prefix, and the caller is told.
    let unknown = decompress("7af7 95 11").unwrap();
    assert_eq!(unknown.missing_context, Some(9));
    let header = Ipv6::parse(&unknown.header).unwrap();
    assert_eq!((header.src, header.dst), (ip("::1"), ip("2001:db8::ff:fe00:1234")));
}

// -------------------------------------------------------------------------------------------- RFC 6282 §4: NHC

#[test]
fn udp_ports_and_checksum() {
    let udp = |text: &str| {
        let input = hex(text);
        let rebuilt = decompress(text).unwrap();
        let datagram = [&rebuilt.header, &input[rebuilt.consumed..]].concat();
        let udp = Udp::parse(&datagram[Ipv6::parse(&datagram).unwrap().payload]).unwrap();
        (udp.src_port, udp.dst_port, udp.checksum, udp.length, rebuilt.udp_checksum_elided)
    };
    assert_eq!(udp("7e33 f0 1633 1634 abcd 010203"), (5683, 5684, 0xabcd, 11, false));
    assert_eq!(udp("7e33 f1 1633 b1 abcd"), (5683, 0xf0b1, 0xabcd, 8, false));
    assert_eq!(udp("7e33 f2 42 1633 abcd"), (0xf042, 5683, 0xabcd, 8, false));
    assert_eq!(udp("7e33 f3 5a abcd"), (0xf0b5, 0xf0ba, 0xabcd, 8, false));
    assert_eq!(udp("7e33 f7 5a 0102"), (0xf0b5, 0xf0ba, 0, 10, true));
}

#[test]
fn lengths_come_from_the_fragment_header() {
    let first_fragment = hex("7e33 f0 1633 1633 abcd 0102030405060708");
    let rebuilt = lowpan::decompress(&first_fragment, EUI, EUI, &contexts(), Some(200)).unwrap();
    let header = Ipv6::parse(&rebuilt.header).unwrap();
    assert_eq!((header.payload_len, header.missing), (160, 152));
    assert_eq!(rebuilt.header[44..46], [0, 160]);
    let too_short = lowpan::decompress(&first_fragment, EUI, EUI, &contexts(), Some(47)).unwrap_err();
    assert_eq!(too_short.kind, Kind::Invalid("datagram size is less than its headers"));
}

/// §4.2: what a compressor may elide of padding, a decompressor must restore.
#[test]
fn extension_headers_are_padded_to_eight_octets() {
    let hop_by_hop = |text: &str| decompress(text).unwrap().header[40..].to_vec();
    // Contiki-NG's RPL option fills the header: next header and length are all that was elided.
    assert_eq!(hop_by_hop("7e33 e0 11 06 6304 00 1e 0001"), hex("11 00 6304001e0001"));
    // Pad1 stands in for one missing octet.
    assert_eq!(hop_by_hop("7e33 e0 11 05 1e03 010203"), hex("11 00 1e03010203 00"));
    // Two short: PadN of nothing. Seven short: PadN of five octets, in a second unit of eight.
    assert_eq!(hop_by_hop("7e33 e0 11 04 1e02 0102"), hex("11 00 1e020102 0100"));
    assert_eq!(hop_by_hop("7e33 e0 11 07 1e05 0102030405"), hex("11 01 1e050102030405 01050000000000"));
    // Padding only.
    assert_eq!(hop_by_hop("7e33 e0 11 00"), hex("11 00 010400000000"));
    // Destination options alike; a routing header has no padding option to restore.
    assert_eq!(hop_by_hop("7e33 e6 11 05 1e03 010203"), hex("11 00 1e03010203 00"));
    let error = decompress("7e33 e2 11 05 0300000000").unwrap_err();
    assert_eq!((error.at, error.kind), (4, Kind::Invalid("extension header is not a multiple of 8 octets")));
}

#[test]
fn chain_of_next_headers() {
    // Hop-by-hop, routing, fragment, destination options, mobility, UDP.
    let text = "7e33 e1 06 6304 00 1e 0001  e3 06 0300 00000000  e5 00 0000 00000001  e7 04 1e02 0102 \
                e9 06 000000000000  f3 00 abcd  00";
    let header = header(text);
    let kinds: Vec<_> = header.extensions.iter().map(|extension| (extension.kind, extension.span.len())).collect();
    assert_eq!(kinds, [(0, 8), (43, 8), (44, 8), (60, 8), (135, 8)]);
    assert_eq!((header.upper, header.payload.len()), (17, 9));
    assert_eq!(header.rpl_option.unwrap().sender_rank, 1);
    assert_eq!(header.fragment.unwrap().id, 1);
    let spans = decompress(text).unwrap().spans;
    let extension = LayerKind::Extension;
    assert_eq!(
        spans,
        [
            (LayerKind::Ipv6, 0..2),
            (extension(0), 2..10),
            (extension(43), 10..18),
            (extension(44), 18..26),
            (extension(60), 26..32),
            (extension(135), 32..40),
            (LayerKind::Udp, 40..44),
        ]
    );
}

/// §3.1.1: identifiers elided in an encapsulated header derive from the header around it.
#[test]
fn ipv6_in_ipv6() {
    let text = "7e73 ee 7e77 f3 12 abcd 0000";
    let rebuilt = decompress(text).unwrap();
    let outer = Ipv6::parse(&[&rebuilt.header[..], &[0, 0]].concat()).unwrap();
    assert_eq!((outer.upper, outer.src, outer.dst), (41, ip("fd00::1"), ip("fe80::ff:fe00:1234")));
    assert_eq!(outer.payload_len, 50);
    let inner = Ipv6::parse(&[&rebuilt.header[40..], &[0, 0]].concat()).unwrap();
    assert_eq!((inner.upper, inner.src, inner.dst), (17, ip("fd00::1"), ip("fd00::ff:fe00:1234")));
    assert_eq!((inner.payload_len, &rebuilt.header[84..86]), (10, &[0, 10][..]));
}

#[test]
fn next_headers_without_a_meaning() {
    let error = |text| decompress(text).unwrap_err();
    assert_eq!(error("7e33 ea 11 00").kind, Kind::Reserved("NHC extension header ID 5 or 6"));
    assert_eq!(error("7e33 f8").kind, Kind::Reserved("next header compression ID"));
    // IANA has 10110IIN for GHC of extension headers: IDs 0 to 3.
    assert_eq!(error("7e33 b8 11 90").kind, Kind::Reserved("next header compression ID"));
    assert_eq!(error("7e33").to_string(), "6LoWPAN, octet 2: needs 1 octet, 0 left");
}

// ------------------------------------------------------------------- RFC 4944: dispatch, mesh, fragments, HC1

#[test]
fn link_level_headers_in_order() {
    // Figure 3: mesh, broadcast, first fragment, HC1.
    let octets = hex("b5 0001 0002  50 2a  c0fe 0007  42 fb");
    let headers = lowpan::parse(&octets).unwrap();
    let mesh = headers.mesh.as_ref().unwrap();
    assert_eq!((mesh.hops_left, mesh.originator, mesh.final_dst), (5, MacAddr::Short(1), MacAddr::Short(2)));
    assert_eq!(headers.endpoints(EUI, EUI), (MacAddr::Short(1), MacAddr::Short(2)));
    assert_eq!(headers.broadcast_seq, Some(0x2a));
    let frag = headers.frag.unwrap();
    assert_eq!((frag.size, frag.tag, frag.offset, frag.first, frag.span), (254, 7, 0, true, 7..11));
    assert_eq!((headers.dispatch, headers.rest), (Dispatch::Hc1, 11..13));

    let reversed = lowpan::parse(&hex("c0fe 0007 b5 0001 0002 41")).unwrap_err();
    assert_eq!((reversed.at, reversed.kind), (4, Kind::Invalid("6LoWPAN header out of order (RFC 4944 §5)")));
}

#[test]
fn dispatches() {
    let dispatch = |text| lowpan::parse(&hex(text)).unwrap();
    for (text, expected) in [
        ("00", Dispatch::NotLowpan),
        ("3f", Dispatch::NotLowpan),
        ("40", Dispatch::Esc),
        ("41", Dispatch::Ipv6Uncompressed),
        ("42", Dispatch::Hc1),
        ("43", Dispatch::Dff),
        ("51", Dispatch::Unknown(0x51)),
        ("60", Dispatch::Iphc),
        ("7f", Dispatch::Iphc),
        ("c8", Dispatch::Unknown(0xc8)),
        ("e0fe000711", Dispatch::FragN { size: 254, tag: 7, offset: 136 }),
        ("e8 00 0000 0000", Dispatch::Rfrag),
        ("eb 00 00000000", Dispatch::RfragAck),
        // RFC 8025, RFC 8138: page 1 has routing headers where page 0 has mesh headers.
        ("f1 a002 7e33", Dispatch::Iphc),
        ("f1 800f", Dispatch::Lorh { critical: true, kind: 15 }),
        ("f1 7e33", Dispatch::Iphc),
        ("f1 41", Dispatch::Unknown(0x41)),
        ("f2 60", Dispatch::Unknown(0x60)),
    ] {
        assert_eq!(dispatch(text).dispatch, expected, "{text}");
    }
    assert_eq!(dispatch("f1 7e33").page, 1);
    assert_eq!(dispatch("c0fe0007 f1 a002 60").page, 1);
    assert_eq!(lowpan::parse(&[]).unwrap_err().to_string(), "6LoWPAN, octet 0: needs 1 octet, 0 left");
    // §5.2: 0xF hops are in an octet of their own.
    assert_eq!(lowpan::parse(&hex("bf 20 0001 0002 41")).unwrap().mesh.unwrap().hops_left, 0x20);
}

#[test]
fn hc1() {
    let input = |text: &str| lowpan::decompress(&hex(text), EUI, MacAddr::Short(0x1234), &contexts(), None).unwrap();
    // All fields elided but the hop limit; UDP with compressed ports and length.
    let best = input("42 fb e0 40 12 abcd 0102");
    let header = Ipv6::parse(&[&best.header[..], &[1, 2]].concat()).unwrap();
    assert_eq!((header.src, header.dst, header.hop_limit), (ip("fe80::1"), ip("fe80::ff:fe00:1234"), 64));
    assert_eq!((header.upper, header.payload_len), (17, 10));
    assert_eq!(best.header[40..], hex("f0b1 f0b2 000a abcd"));
    assert_eq!(best.spans, [(LayerKind::Ipv6, 0..4), (LayerKind::Udp, 4..7)]);
    // No field elided, in 28 bits of class and label; next header not aligned with octets.
    let worst =
        input("42 00 2a 20010db800000000 0000000000000001 20010db800000000 0000000000000002 ba 12345 11 0 1633");
    let header = Ipv6::parse(&worst.header).unwrap();
    assert_eq!((header.traffic_class, header.flow_label, header.hop_limit), (0xba, 0x12345, 42));
    assert_eq!((header.src, header.dst, header.upper), (ip("2001:db8::1"), ip("2001:db8::2"), 17));
    // ICMPv6, and an uncompressed UDP header.
    assert_eq!(input("42 fc ff 8000").header[6..8], [58, 255]);
    assert_eq!(input("42 fa 40 1633").header[6..8], [17, 64]);
    // 4-bit source port, 16-bit destination port, inline length, in 4 + 16 + 16 + 16 bits.
    assert_eq!(input("42 fb 80 40 1 1633 000a abcd 0").header[40..], hex("f0b1 1633 000a abcd"));
}

#[test]
fn uncompressed() {
    let datagram = hex("60000000 0000 3b 40 fd000000000000000000000000000001 fd000000000000000000000000000002");
    let input = [&[0x41][..], &datagram].concat();
    let rebuilt = lowpan::decompress(&input, EUI, EUI, &contexts(), None).unwrap();
    assert_eq!((rebuilt.header, rebuilt.consumed), (datagram, 41));
}

// ----------------------------------------------------------------------------------------- RFC 7252: messages

/// Figures 16 to 18: request and piggybacked response, without and with a token.
#[test]
fn appendix_a() {
    let request = [&hex("4001 7d34 bb")[..], b"temperature"].concat();
    let message = Coap::parse(&request).unwrap();
    assert_eq!((message.kind, message.code, message.mid), (Type::Con, Code(1), 0x7d34));
    assert_eq!(message.values(&request, number::URI_PATH).collect::<Vec<_>>(), [b"temperature"]);
    assert_eq!(message.options[0].span, 4..16);

    let response = [&hex("6045 7d34 ff")[..], b"22.3 C"].concat();
    let message = Coap::parse(&response).unwrap();
    assert_eq!((message.kind, message.code.to_string().as_str()), (Type::Ack, "2.05"));
    assert_eq!(message.payload, Some(5..11));

    let request = [&hex("4101 7d35 20 bb")[..], b"temperature"].concat();
    let message = Coap::parse(&request).unwrap();
    assert_eq!((message.token.to_string().as_str(), message.header), ("20", 0..5));
}

/// Sections 3 and 4.1, with the octet at fault.
#[test]
fn message_format_errors() {
    let error = |text| {
        let error = Coap::parse(&hex(text)).unwrap_err();
        (error.at, error.kind)
    };
    assert_eq!(error(""), (0, Kind::Truncated { need: 1, have: 0 }));
    assert_eq!(error("40 01 12"), (2, Kind::Truncated { need: 2, have: 1 }));
    assert_eq!(error("80 01 1234"), (0, Kind::Invalid("CoAP version is not 1")));
    assert_eq!(error("49 01 1234 010203040506070809"), (0, Kind::Reserved("token length 9 to 15")));
    assert_eq!(error("44 01 1234 010203"), (4, Kind::Truncated { need: 4, have: 3 }));
    assert_eq!(error("40 01 1234 b3 6162"), (5, Kind::Truncated { need: 3, have: 2 }));
    assert_eq!(error("40 01 1234 d0"), (5, Kind::Truncated { need: 1, have: 0 }));
    assert_eq!(error("40 01 1234 e0 01"), (5, Kind::Truncated { need: 2, have: 1 }));
    assert_eq!(error("40 01 1234 10 f0"), (5, Kind::Reserved("option delta 15")));
    assert_eq!(error("40 01 1234 0f"), (4, Kind::Reserved("option length 15")));
    assert_eq!(error("40 01 1234 e0fef2 10"), (7, Kind::Invalid("option number over 65535")));
    assert_eq!(error("40 01 1234 e0fef3"), (4, Kind::Invalid("option number over 65535")));
    assert_eq!(error("40 01 1234 ff"), (4, Kind::Invalid("payload marker without a payload")));
    let empty = Kind::Invalid("Empty message with a token, options or payload");
    assert_eq!(error("41 00 1234 01"), (4, empty));
    assert_eq!(error("41 00 1234"), (4, empty));
    assert_eq!(error("40 00 1234 b161"), (4, empty));
    assert_eq!(error("60 00 1234 ff00"), (4, empty));
    assert!(Coap::parse(&hex("60 00 1234")).unwrap().code.is_empty());
}

/// The table of the retransmission-count option.
#[test]
fn retransmission_count() {
    const RC: u16 = 65020;
    for (options, count) in [
        ("b161 e1fce401", Some(1)),
        ("c0 e1fce302", Some(2)),
        ("e0fcef", Some(0)),
        ("e1fcefff", Some(255)),
        ("e2fcef0001", None),
        ("b161", None),
    ] {
        let octets = hex(&format!("4001 1234 {options}"));
        assert_eq!(Coap::parse(&octets).unwrap().rc(&octets, RC), count, "{options}");
    }
}

#[test]
fn option_values() {
    // Observe 0x010203, Block1 number 2, more, 64 octets; Size1 of five octets is no uint.
    let octets = hex("4001 1234 63010203 d1082a d514 0000000001");
    let message = Coap::parse(&octets).unwrap();
    assert_eq!(message.option_uint(&octets, number::OBSERVE), Some(0x010203));
    let block = message.block(&octets, number::BLOCK1).unwrap();
    assert_eq!((block.num, block.more, block.szx, block.size()), (2, true, 2, 64));
    assert_eq!(message.option_uint(&octets, number::SIZE1), None);
    assert_eq!(message.option_uint(&octets, number::BLOCK2), None);
}

#[test]
fn codes() {
    let code = |text: &str| (0..=255).map(Code).find(|code| code.to_string() == text).unwrap();
    assert!(code("0.01").is_request() && !code("0.00").is_request() && code("0.00").is_empty());
    assert!(code("2.05").is_response() && code("5.03").is_response() && !code("7.01").is_response());
    assert!(code("1.00").is_reserved() && code("6.00").is_reserved() && code("7.31").is_reserved());
    assert_eq!((code("4.04").name(), code("4.04").class(), code("4.04").detail()), (Some("Not Found"), 4, 4));
    assert_eq!(coap::Token::MAX_LEN, 8);
}

#[test]
fn prefixes_are_bits() {
    let prefix: Prefix = "2001:db8::/32".parse().unwrap();
    assert!(prefix.contains(ip("2001:db8:ffff::")) && !prefix.contains(ip("2001:db9::")));
}
