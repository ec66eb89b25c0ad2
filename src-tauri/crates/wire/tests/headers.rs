//! The headers around and beside 6LoWPAN: capture framings, IPv4, UDP, neighbor discovery, MAC corner cases.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hex;

use hex::{hex, ip};
use wire::ethernet::{self, Ethernet};
use wire::icmpv6;
use wire::ieee802154::{FrameType, MacHeader};
use wire::ipv4::Ipv4;
use wire::rpl::Rpl;
use wire::tap::{self, Tap, TapFcs, TiStatus, linktype};
use wire::{Ipv6, Kind, MacAddr, Udp, ipv6};

#[test]
fn tap_as_the_nrf_sniffer_writes_it() {
    let record = hex("0000 1c00  0100 0400 000038c2  0300 0300 0f0000 00  0a00 0100 c8 000000  020005");
    let tap = Tap::parse(&record).unwrap();
    assert_eq!((tap.rss_dbm, tap.channel, tap.page, tap.lqi), (Some(-46.0), Some(15), Some(0), Some(200)));
    assert_eq!((tap.fcs, tap.frame), (TapFcs::None, 28..31));
}

#[test]
fn tap_times_unknown_types_and_a_late_fcs_type() {
    let record = hex("0000 4800  0500 0800 0100000000000000  0600 0800 0200000000000000  0700 0800 0300000000000000
         0900 0400 10270000  ff7f 0100 aa000000  0300 0400 0b000000  0000 0100 01000000  0200053f2d");
    let tap = Tap::parse(&record).unwrap();
    assert_eq!((tap.sof_ns, tap.eof_ns, tap.asn, tap.slot_length_us), (Some(1), Some(2), Some(3), Some(10_000)));
    // A channel of length 4, as one writer has it.
    assert_eq!((tap.channel, tap.page), (Some(11), Some(0)));
    assert_eq!((tap.fcs, tap.fcs.len(), tap.frame), (TapFcs::Crc16, 2, 72..77));
}

#[test]
fn tap_errors() {
    let error = |text| Tap::parse(&hex(text)).unwrap_err();
    assert_eq!(error("0100 0400").kind, Kind::Unsupported("TAP version other than 0"));
    assert_eq!(error("0000 0300").kind, Kind::Invalid("TAP length is less than the header's 4 octets"));
    assert_eq!(error("0000 1c00 0100").to_string(), "802.15.4, octet 4: needs 24 octets, 2 left");
    let short_value = error("0000 0a00 0100 0200 0000 020005");
    assert_eq!((short_value.at, short_value.kind), (8, Kind::Truncated { need: 4, have: 2 }));
}

#[test]
fn phy_header_and_ti_status() {
    assert_eq!(tap::nonask_phy(&hex("00000000 a7 05 020001 31a4 ffff")), Ok(6..11));
    assert!(tap::nonask_phy(&hex("00000000 a8 00")).is_err());
    let status = TiStatus::of(&hex("020001 d9ea")).unwrap();
    assert_eq!((status.rssi, status.crc_ok, status.correlation), (-39, true, 106));
    assert_eq!(linktype::name(linktype::IEEE802_15_4_TAP), Some("IEEE802_15_4_TAP"));
    assert_eq!(linktype::name(9999), None);
}

#[test]
fn ethernet_with_and_without_tags() {
    let plain = Ethernet::parse(&hex("333300000001 0011223344 55 86dd 60")).unwrap();
    assert_eq!((plain.ethertype, plain.vlan, plain.payload), (ethernet::IPV6, None, 14..15));
    let double = Ethernet::parse(&hex("333300000001 001122334455 88a8 0064 8100 e00a 0800 45")).unwrap();
    assert_eq!((double.ethertype, double.vlan, double.payload), (ethernet::IPV4, Some(10), 22..23));
    let length = Ethernet::parse(&hex("333300000001 001122334455 0026 aaaa03")).unwrap_err();
    assert_eq!((length.at, length.kind), (12, Kind::Unsupported("802.3 length field (LLC)")));
}

#[test]
fn ipv4_with_options_and_ethernet_padding() {
    let packet = hex("46000020 abcd4000 4011 0000 0a000001 0a000002 94040000 16331633 00080000 0000");
    let header = Ipv4::parse(&packet).unwrap();
    assert_eq!((header.src, header.dst), (ip("::ffff:10.0.0.1"), ip("::ffff:10.0.0.2")));
    assert_eq!((header.protocol, header.ttl, header.payload.clone()), (17, 64, 24..32));
    assert_eq!((header.fragment_offset, header.more_fragments, header.missing), (0, false, 0));
    assert_eq!(Udp::parse(&packet[header.payload]).unwrap().dst_port, 5683);
    assert_eq!(Ipv4::parse(&packet[..28]).unwrap().missing, 4);
    let fragment = Ipv4::parse(&hex("45000014 abcd2003 4011 0000 0a000001 0a000002")).unwrap();
    assert_eq!((fragment.fragment_offset, fragment.more_fragments, fragment.id), (24, true, 0xabcd));
    assert!(Ipv4::parse(&hex("44000020 abcd4000 4011 0000 0a000001 0a000002")).is_err());
}

#[test]
fn udp_lengths() {
    assert_eq!(Udp::parse(&hex("1633 1633 000a 0000 0102 ffff")).unwrap().payload, 8..10);
    let cut = Udp::parse(&hex("1633 1633 000a 0000 01")).unwrap_err();
    assert_eq!((cut.at, cut.kind), (8, Kind::Truncated { need: 2, have: 1 }));
    assert_eq!(
        Udp::parse(&hex("1633 1633 0007 0000")).unwrap_err().to_string(),
        "UDP, octet 4: length is less than the header's 8 octets"
    );
}

/// RFC 8200 §8.1, on a segment of odd length, by hand.
#[test]
fn upper_layer_checksum() {
    let (src, dst) = (ip("::1"), ip("::2"));
    // 1 + 2 + length 9 + protocol 17 + (1 + 2 + 9 + 0x0300) = 0x0329.
    let upper = hex("0001 0002 0009 0000 03");
    assert_eq!(ipv6::checksum(src, dst, ipv6::UDP, &upper), !0x0329);
    assert_eq!(ipv6::checksum(src, dst, ipv6::UDP, &hex("0001 0002 0009 fcd6 03")), 0);
}

#[test]
fn ipv6_cut_and_padded() {
    let datagram =
        hex("60000000 0004 3b 40 fd000000000000000000000000000001 fd000000000000000000000000000002 01020304 ffff");
    let whole = Ipv6::parse(&datagram).unwrap();
    assert_eq!((whole.payload, whole.missing), (40..44, 0));
    let cut = Ipv6::parse(&datagram[..42]).unwrap();
    assert_eq!((cut.payload, cut.missing), (40..42, 2));
    assert_eq!(Ipv6::parse(&hex("45000000")).unwrap_err().kind, Kind::Invalid("IP version is not 6"));
}

/// RFC 8200 §4.5: behind a later fragment's header is no upper-layer header, whatever it says.
#[test]
fn later_fragments_end_the_chain() {
    let addresses = "fd000000000000000000000000000001 fd000000000000000000000000000002";
    let octets = hex(&format!("60000000 0010 2c 40 {addresses} 3c 00 0009 00000007 0102030405060708"));
    let header = Ipv6::parse(&octets).unwrap();
    let fragment = header.fragment.unwrap();
    assert_eq!((fragment.offset, fragment.more, fragment.id), (8, true, 7));
    assert_eq!((header.upper, header.payload), (60, 48..56));
}

/// RFC 4302 §2.2: an authentication header counts its length in units of four octets.
#[test]
fn authentication_header() {
    let addresses = "fd000000000000000000000000000001 fd000000000000000000000000000002";
    let octets = hex(&format!("60000000 0012 33 40 {addresses} 11 02 0000 00000001 00000002 aabbccdd 1633"));
    let header = Ipv6::parse(&octets).unwrap();
    assert_eq!((header.extensions[0].span.clone(), header.upper, header.payload), (40..56, 17, 56..58));
}

/// RFC 6553 §3: the RPL option is one of hop-by-hop headers; elsewhere the number means nothing.
#[test]
fn rpl_option_only_hop_by_hop() {
    let addresses = "fd000000000000000000000000000001 fd000000000000000000000000000002";
    let option = |protocol| {
        let octets = hex(&format!("60000000 0008 {protocol} 40 {addresses} 3b 00 2304 80 1e 0200"));
        Ipv6::parse(&octets).unwrap().rpl_option
    };
    assert_eq!(option("00").map(|rpi| (rpi.flags, rpi.instance, rpi.sender_rank)), Some((0x80, 30, 0x200)));
    assert_eq!(option("3c"), None);
}

/// RFC 8200 §8.1: with no segments left, the destination is the final one.
#[test]
fn final_destination() {
    let addresses = "fd000000000000000000000000000001 fd000000000000000000000000000002";
    let header = |left| {
        let route = "00000000 fd000000000000000000000000000003";
        Ipv6::parse(&hex(&format!("60000000 0018 2b 40 {addresses} 3b 02 03 {left} {route}"))).unwrap()
    };
    assert_eq!(header("01").final_dst(), ip("fd00::3"));
    assert_eq!(header("00").final_dst(), ip("fd00::2"));
}

/// RFC 6775 §4.2: context 3 is 2001:db8:1:2::/64, to be used for compression.
#[test]
fn context_option_of_a_router_advertisement() {
    let body = hex("40 00 0708 00000000 00000000  0101 020000000001
         2202 40 13 0000 2710 20010db800010002  2203 50 04 0000 0000 20010db8000100020003000000000000");
    let contexts = icmpv6::context_options(&body).unwrap();
    assert_eq!((contexts[0].id, contexts[0].compress, contexts[0].lifetime_min), (3, true, 10_000));
    assert_eq!(contexts[0].prefix.to_string(), "2001:db8:1:2::/64");
    assert_eq!((contexts[1].id, contexts[1].compress, contexts[1].lifetime_min), (4, false, 0));
    assert_eq!(contexts[1].prefix.to_string(), "2001:db8:1:2:3::/80");
    let endless = icmpv6::context_options(&hex("40000708 00000000 00000000 2200")).unwrap_err();
    assert_eq!((endless.at, endless.kind), (12, Kind::Invalid("neighbor discovery option of length 0")));
}

/// Figures of RFC 6554: addresses share 8 octets with the destination, the last one 14.
#[test]
fn source_routing_header_with_two_prefix_lengths() {
    let addresses = "fd000000000000000000000000000001 fd000000000000000002000200020002";
    // Two addresses of 8 octets, one of 2, padded with 6: 24 octets behind the first 8.
    let octets = hex(&format!(
        "60000000 0020 2b 40 {addresses} 3b 03 03 02 8e600000 0003000300030003 0004000400040004 0005 000000000000"
    ));
    let routing = Ipv6::parse(&octets).unwrap().routing.unwrap();
    assert_eq!(routing.addresses, [ip("fd00::3:3:3:3"), ip("fd00::4:4:4:4"), ip("fd00::2:2:2:5")]);
    let uneven =
        hex(&format!("60000000 0018 2b 40 {addresses} 3b 02 03 02 88000000 0003000300030003 000400040004ffff"));
    assert_eq!(Ipv6::parse(&uneven).unwrap().routing.unwrap().addresses.len(), 2);
    let uneven =
        hex(&format!("60000000 0018 2b 40 {addresses} 3b 02 03 02 88300000 0003000300030003 000400040004ffff"));
    let error = Ipv6::parse(&uneven).unwrap_err();
    assert_eq!((error.at, error.kind), (44, Kind::Invalid("source routing header is not a whole number of addresses")));
}

// -------------------------------------------------------------------------------------------------- 802.15.4

#[test]
fn reserved_and_unsupported_frames() {
    let error = |text| {
        let error = MacHeader::parse(&hex(text)).unwrap_err();
        (error.at, error.kind)
    };
    assert_eq!(error("04 00 01"), (0, Kind::Reserved("frame type 4")));
    assert_eq!(error("06 00 01"), (0, Kind::Unsupported("fragment frame (type 6)")));
    assert_eq!(error("07 00 01"), (0, Kind::Unsupported("extended frame (type 7)")));
    assert_eq!(error("01 30 01"), (1, Kind::Reserved("frame version 3")));
    assert_eq!(error("01 04 01"), (1, Kind::Reserved("addressing mode 1")));
    assert_eq!(error("41 08 01 cdab 0100"), (0, Kind::Invalid("PAN ID compression with fewer than two addresses")));
    assert_eq!(error("61 dc 01 cdab"), (5, Kind::Truncated { need: 8, have: 0 }));
    assert_eq!(FrameType::of(0x61), FrameType::Data);
}

/// Bits 8 and 9 got their meaning with frame version 2.
#[test]
fn reserved_bits_of_older_versions_are_ignored() {
    for psdu in ["418b 01 cdab 0100 0200 7a33", "419b 01 cdab 0100 0200 7a33"] {
        let mac = MacHeader::parse(&hex(psdu)).unwrap();
        assert_eq!((mac.seq, mac.dst, mac.src), (Some(1), MacAddr::Short(1), MacAddr::Short(2)));
        assert_eq!((mac.header_ies.len(), mac.payload), (0, 9..11));
    }
}

/// Level 5 (encrypted, 4 octets of MIC), key index 1 (Table 9-7, mode 1), as Thread sends data.
#[test]
fn secured_data_frame() {
    let psdu = hex("69 98 2a cdab 0100 0200  0d 04030201 01  a0a1a2a3a4a5 d0d1d2d3");
    let mac = MacHeader::parse(&psdu).unwrap();
    assert_eq!((mac.dst, mac.src), (MacAddr::Short(1), MacAddr::Short(2)));
    let aux = mac.aux_security.as_ref().unwrap();
    assert_eq!((aux.level, aux.frame_counter, aux.key_id_mode, aux.key_index), (5, Some(0x0102_0304), 1, Some(1)));
    assert_eq!((aux.span.clone(), mac.mic_len, mac.payload.clone()), (9..15, 4, 15..21));
    assert!(mac.is_encrypted());
    let cut = MacHeader::parse(&psdu[..18]).unwrap_err();
    assert_eq!((cut.at, cut.kind), (15, Kind::Truncated { need: 4, have: 3 }));
}

/// The 2003 edition secured frames without an auxiliary header: the payload is opaque.
#[test]
fn secured_2003_frame() {
    let mac = MacHeader::parse(&hex("69 88 2a cdab 0100 0200 01020304 05 a0a1")).unwrap();
    assert_eq!((mac.version, mac.aux_security.is_none(), mac.payload.clone()), (0, true, 9..16));
    assert!(mac.is_encrypted());
}

// ------------------------------------------------------------------------------------------------------- RPL

/// RFC 6550 §6.7.8: transits are about the targets right before them; two groups, the first with two parents.
#[test]
fn targets_and_their_parents() {
    let body = hex(
        "1e 80 00 2a  0504 0010 fd01  0504 0010 fd02  0604 00c0 0105  0604 0030 0105  0504 0010 fd03  0604 8000 0205",
    );
    let Rpl::Dao(dao) = Rpl::parse(2, &body).unwrap() else { panic!("not a DAO") };
    assert_eq!(
        dao.targets.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["fd01::/16", "fd02::/16", "fd03::/16"]
    );
    let transits: Vec<_> = dao.transits.iter().map(|t| (t.targets, t.path_control, t.external)).collect();
    assert_eq!(transits, [((0, 2), 0xc0, false), ((0, 2), 0x30, false), ((2, 3), 0, true)]);
}

/// RFC 6550 §6.5: the D flag announces a DODAGID.
#[test]
fn acknowledgement_of_a_local_instance() {
    let body = hex("9e 80 2a 01 fd000000000000000000000000000001");
    let Rpl::DaoAck(ack) = Rpl::parse(3, &body).unwrap() else { panic!("not a DAO-ACK") };
    assert_eq!((ack.sequence, ack.status, ack.dodag_id), (0x2a, 1, Some(ip("fd00::1"))));
    assert!(Rpl::parse(3, &body[..19]).is_err());
}

/// RFC 6550 §6.7.6, as Contiki-NG sends it.
#[test]
fn dodag_configuration() {
    let body =
        hex("00 f0 0080 08 f0 00 00 fd000000000000000201000100010001 040e 00 08 0c 00 2000 0080 0001 00 1e 003c");
    let Rpl::Dio(dio) = Rpl::parse(1, &body).unwrap() else { panic!("not a DIO") };
    let configuration = dio.configuration.unwrap();
    assert_eq!((configuration.interval_min, configuration.interval_doublings, configuration.redundancy), (12, 8, 0));
    assert_eq!((configuration.max_rank_increase, configuration.min_hop_rank_increase), (0x2000, 128));
    assert_eq!((configuration.objective, configuration.default_lifetime, configuration.lifetime_unit), (1, 30, 60));
}
