//! Generic header compression (RFC 7400), routing headers (RFC 8138) and recoverable fragments (RFC 8931).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hex;

use hex::{hex, ip};
use wire::lowpan::{self, ContextTable, Dispatch, LayerKind, Rfrag, RfragAck, Routing, source_route};
use wire::{Error, Ipv6, Kind, MacAddr, ipv6};

const SHORT: MacAddr = MacAddr::Short(1);

/// The datagram `text` stands for.
fn datagram(text: &str) -> Result<Vec<u8>, Error> {
    let input = hex(text);
    let rebuilt = lowpan::decompress(&input, SHORT, SHORT, &ContextTable::EMPTY, None)?;
    Ok([&rebuilt.header, &input[rebuilt.consumed..]].concat())
}

// ------------------------------------------------------------------------------------------------------- RFC 7400

/// Appendix A: a DODAG Information Solicitation. Its checksum says that no octet is wrong.
#[test]
fn ghc_of_a_solicitation() {
    let octets =
        datagram("7f00 fe80000000000000021cdafffe002024 ff02000000000000000000000000001a df 04 9b006bde 82").unwrap();
    let header = Ipv6::parse(&octets).unwrap();
    assert_eq!((header.upper, header.payload_len, header.missing), (ipv6::ICMPV6, 8, 0));
    assert_eq!(octets[header.payload.clone()], hex("9b006bde00000000"));
    assert_eq!(ipv6::checksum(header.src, header.dst, header.upper, &octets[header.payload]), 0);
}

/// Appendix A: a neighbor solicitation of 48 octets in 26, with references into the addresses and into itself.
#[test]
fn ghc_of_a_neighbor_solicitation() {
    let octets = datagram(
        "7f00 20020db800000000000000fffe003bd3 fe80000000000000021cdafffe003023 df
         04 8700a768 82 b3f0 04 01013bd3 82 02 1f02 83 02 0600 a2db 02 2024",
    )
    .unwrap();
    let header = Ipv6::parse(&octets).unwrap();
    let expected =
        hex("8700a768 00000000 fe80000000000000021cdafffe003023 01013bd300000000 1f02000000000006 001cdafffe002024");
    assert_eq!(octets[header.payload.clone()], expected);
    assert_eq!(ipv6::checksum(header.src, header.dst, header.upper, &octets[header.payload]), 0);
}

/// UDP: ports 4 bits each, then "GET" literally, and a reference to it.
#[test]
fn ghc_of_a_udp_payload() {
    // 11nnnkkk: n = 1 + 2 octets from k + n = 3 back: nnn = 1, kkk = 0.
    let text = "7f00 20010db8000000000000000000000001 20010db8000000000000000000000002 d3 12 abcd 03 474554 c8 90 ff";
    let input = hex(text);
    let rebuilt = lowpan::decompress(&input, SHORT, SHORT, &ContextTable::EMPTY, None).unwrap();
    assert_eq!(rebuilt.spans.last().unwrap(), &(LayerKind::Udp, 34..44));
    let octets = datagram(text).unwrap();
    // Behind the stop code the datagram goes on verbatim.
    assert_eq!(octets[40..], hex("f0b1 f0b2 000f abcd 474554 474554 ff"));
}

#[test]
fn ghc_against_the_rules() {
    const ADDRESSES: &str = "20010db8000000000000000000000001 20010db8000000000000000000000002";
    let error = |code: &str| datagram(&format!("7f00 {ADDRESSES} df {code}")).unwrap_err();
    // The dictionary has 48 octets: 6 x 8 + 2 + 0 back is 50.
    assert_eq!((error("a6 c0").at, error("a6 c0").kind), (36, Kind::Invalid("GHC refers before its dictionary")));
    assert_eq!(datagram(&format!("7f00 {ADDRESSES} df a5 c6")).unwrap()[40..], hex("2001"), "48 back");
    assert_eq!(error("60").kind, Kind::Reserved("GHC byte code"));
    assert_eq!(error("91").kind, Kind::Reserved("GHC byte code"));
    assert_eq!(error("05 01").kind, Kind::Truncated { need: 5, have: 1 });
}

/// §3.2: the code makes what is behind next header and length; the length comes back from what that is.
///
/// No implementation is known that sends these, and the RFC has no example: each code is taken apart here.
#[test]
fn ghc_of_extension_headers() {
    const ADDRESSES: &str = "20010db8000000000000000000000001 20010db8000000000000000000000002";
    let behind = |text: &str| datagram(&format!("7f00 {ADDRESSES} {text}")).map(|octets| octets[40..].to_vec());

    // Hop-by-hop (0xb0: ID 0, next header inline). 06: six octets follow. 90: stop. 6 + 2 octets are one unit, length
    // 0.
    assert_eq!(behind("b0 3b 06 63040a1e0001 90").unwrap(), hex("3b 00 63040a1e0001"));

    // Destination options (0xb6: ID 3): PadN of 12 octets. 02: two octets follow. 8a: 10 + 2 zeros. 14 + 2 octets,
    // length 1.
    assert_eq!(behind("b6 3b 02 010c 8a 90").unwrap(), hex("3b 01 010c 000000000000000000000000"));

    // Routing, type 2 (0xb2: ID 1), to the source's address. 02: two octets follow. 82: 2 + 2 zeros: 6 octets so far.
    // b4 = 101 1 0100: sa = 32, na = 8. f6 = 11 110 110: 8 + 6 + 2 = 16 octets from 6 + 32 + 16 = 54 back, which is 48
    // of dictionary and those 6: where the source address begins. 22 + 2 octets, length 2.
    let routing = hex("3b 02 0201 00000000 20010db8000000000000000000000001");
    assert_eq!(behind("b2 3b 02 0201 82 b4 f6 90").unwrap(), routing);
    // An offset one further back is invalid: neither next header nor length precede the code's output.
    assert_eq!(
        behind("b2 3b 02 0201 82 b4 f7 90").unwrap_err().kind,
        Kind::Invalid("GHC refers before its dictionary")
    );

    // Fragment (0xb4: ID 2): its reserved octet is left out as the length of the others is. 83: 3 + 2 zeros.
    assert_eq!(behind("b4 3b 83 01 07 90").unwrap(), hex("3b 00 000000000007"));
    assert_eq!(behind("b4 3b 82 01 07 90").unwrap_err().kind, Kind::Invalid("fragment header is not 8 octets"));

    // Padding comes back as with RFC 6282 §4.2: of one octet, of two, of seven.
    assert_eq!(behind("b0 3b 05 1e03010203 90").unwrap(), hex("3b 00 1e03010203 00"));
    assert_eq!(behind("b0 3b 04 1e020102 90").unwrap(), hex("3b 00 1e020102 0100"));
    assert_eq!(behind("b6 3b 07 1e050102030405 90").unwrap(), hex("3b 01 1e050102030405 01050000000000"));
    let odd = behind("b2 3b 05 0300000000 90").unwrap_err();
    assert_eq!((odd.at, odd.kind), (36, Kind::Invalid("extension header is not a multiple of 8 octets")));

    // Without its stop code nobody knows where it ends; 121 x 17 = 2057 octets are more than a length can say.
    assert_eq!(behind("b0 3b 06 63040a1e0001").unwrap_err().kind, Kind::Truncated { need: 1, have: 0 });
    let long = behind(&format!("b0 3b {} 90", "8f".repeat(121))).unwrap_err();
    assert_eq!((long.at, long.kind), (36, Kind::Invalid("extension header is longer than 2048 octets")));
}

/// Next headers elided (0xb1, 0xb7): each byte code ends where the next header begins; then UDP, itself in byte code.
#[test]
fn ghc_of_a_chain() {
    let text = "7f00 20010db8000000000000000000000001 20010db8000000000000000000000002 \
                b1 06 63040a1e0001 90  b7 02 0104 82 90  d3 12 abcd 03 474554 c8";
    let octets = datagram(text).unwrap();
    assert_eq!(octets[40..], hex("3c 00 63040a1e0001  11 00 010400000000  f0b1 f0b2 000e abcd 474554 474554"));
    let header = Ipv6::parse(&octets).unwrap();
    let kinds: Vec<_> = header.extensions.iter().map(|extension| (extension.kind, extension.span.clone())).collect();
    assert_eq!((kinds, header.upper), (vec![(0, 40..48), (60, 48..56)], ipv6::UDP));
    let spans = lowpan::decompress(&hex(text), SHORT, SHORT, &ContextTable::EMPTY, None).unwrap().spans;
    let extension = LayerKind::Extension;
    let expected =
        [(LayerKind::Ipv6, 0..34), (extension(0), 34..43), (extension(60), 43..49), (LayerKind::Udp, 49..58)];
    assert_eq!(spans, expected);
}

// ------------------------------------------------------------------------------------------------------- RFC 8138

/// Page 1; a source route of two addresses of two octets, RPL packet information with everything inline, an
/// outer header by the root; then IPHC.
#[test]
fn routing_headers() {
    let payload = hex("f1 8101 0003 0004 9005 07 0180 a106 3f 7a33 3a");
    let headers = lowpan::parse(&payload).unwrap();
    assert_eq!((headers.page, headers.dispatch, headers.rest), (1, Dispatch::Iphc, 15..18));
    let contents: Vec<_> = headers.routing.iter().map(|header| header.content.clone()).collect();
    assert_eq!(
        contents,
        [
            Routing::SourceRoute { size: 2, addresses: vec![3..5, 5..7] },
            Routing::Rpi { flags: 0x80, instance: 7, sender_rank: 0x0180 },
            Routing::IpInIp { hop_limit: 63, encapsulator: 15..15 },
        ]
    );
    let root = ip("2001:db8::ff:fe00:1");
    let route = source_route(&payload, &headers.routing, root);
    assert_eq!(route, [ip("2001:db8::ff:fe00:3"), ip("2001:db8::ff:fe00:4")]);
}

/// I and K elide the instance and the low octet of the rank; an encapsulator of 8 octets; an elective header of
/// another type is passed, a critical one is where reading ends.
#[test]
fn routing_headers_in_short() {
    let headers = lowpan::parse(&hex("f1 8305 03 a906 40 0102030405060708 a3fe aabbcc 7a33")).unwrap();
    let contents: Vec<_> = headers.routing.iter().map(|header| header.content.clone()).collect();
    assert_eq!(
        contents,
        [
            Routing::Rpi { flags: 0, instance: 0, sender_rank: 0x0300 },
            Routing::IpInIp { hop_limit: 64, encapsulator: 7..15 },
            Routing::Elective { kind: 0xfe, content: 17..20 },
        ]
    );
    assert_eq!((headers.dispatch, headers.rest), (Dispatch::Iphc, 20..22));

    let bier = lowpan::parse(&hex("f1 8305 03 800f 00000001")).unwrap();
    assert_eq!((bier.dispatch, bier.rest), (Dispatch::Lorh { critical: true, kind: 15 }, 4..10));
    let cut = lowpan::parse(&hex("f1 8103 0102030405060708 01")).unwrap_err();
    assert_eq!((cut.at, cut.kind), (11, Kind::Truncated { need: 8, have: 1 }));
}

// ------------------------------------------------------------------------------------------------------- RFC 8931

#[test]
fn recoverable_fragments() {
    let first = lowpan::parse(&hex("e8 2a 8050 0123 f1 7a33")).unwrap();
    let expected = Rfrag {
        congestion: false,
        tag: 0x2a,
        ack_request: true,
        sequence: 0,
        size: 0x50,
        offset: 0,
        datagram_size: Some(0x123),
        span: 0..6,
    };
    assert_eq!((first.rfrag, first.dispatch, first.rest), (Some(expected), Dispatch::Rfrag, 6..9));
    let second = lowpan::parse(&hex("e9 2a 0450 0050 aabb")).unwrap().rfrag.unwrap();
    assert_eq!((second.congestion, second.sequence, second.offset, second.datagram_size), (true, 1, 0x50, None));

    let ack = lowpan::parse(&hex("ea 2a c0000000")).unwrap();
    let expected = RfragAck { congestion: false, tag: 0x2a, bitmap: 0xc000_0000, span: 0..6 };
    assert_eq!((ack.rfrag_ack, ack.dispatch), (Some(expected), Dispatch::RfragAck));
}
