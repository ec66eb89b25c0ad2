//! Standards and sections that define the fields of a tree.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Standard and section that define the field or protocol `name`, such as `RFC 7252 §3`. `None` for a name that trees
/// do not have.
///
/// Section numbers of IEEE standards are those of the edition named.
#[must_use]
pub fn source(name: &str) -> Option<&'static str> {
    // The longest beginning of the name in the table decides: a source of a group holds for the fields in it.
    let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
    ends.filter_map(|end| BY_NAME.get(name.get(..end)?)).next_back().copied()
}

/// Table of [`sources`] as a map.
static BY_NAME: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| sources().collect());

/// Table of sources: name of a field, or beginning of names that ends before a dot, and standard with section.
pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES.iter().flat_map(|&(source, names)| names.split_ascii_whitespace().map(move |name| (name, source)))
}

/// Sources with the names that they define, separated by spaces; by layer, outermost first.
const SOURCES: &[(&str, &str)] = &[
    ("as RTOscope shows it; in no standard", "rtoscope _ws.malformed data"),
    ("the registry of link types, LINKTYPE_NULL", "null null.family"),
    (
        "the registry of link types, LINKTYPE_LINUX_SLL and LINKTYPE_LINUX_SLL2",
        "sll sll.etype sll.halen sll.hatype sll.ifindex sll.pkttype sll.reserved sll.src sll.unused",
    ),
    ("IEEE 802.3-2018 §3.2", "eth"),
    ("IEEE 802.3-2018 §3.2.4", "eth.dst"),
    ("IEEE 802.3-2018 §3.2.5", "eth.src"),
    ("IEEE 802.3-2018 §3.2.6", "eth.type"),
    ("IEEE 802.1Q-2018 §9.6", "vlan.id vlan.tci vlan.tpid"),
    (
        "the registry of link types, LINKTYPE_IEEE802_15_4_NONASK_PHY; IEEE 802.15.4-2015 §12.1",
        "wpan-nonask-phy wpan-nonask-phy.frame_length wpan-nonask-phy.phr wpan-nonask-phy.preamble wpan-nonask-phy.sfd",
    ),
    (
        "IEEE 802.15.4 TAP link type specification",
        "wpan-tap wpan-tap.asn wpan-tap.bit_rate wpan-tap.ch_freq wpan-tap.ch_num wpan-tap.ch_page wpan-tap.eof_ts \
         wpan-tap.fcs_type wpan-tap.length wpan-tap.lqi wpan-tap.reserved wpan-tap.rss wpan-tap.slot_start_ts \
         wpan-tap.sof_ts wpan-tap.sun_band wpan-tap.sun_mode wpan-tap.sun_type wpan-tap.timeslot_length wpan-tap.tlv \
         wpan-tap.version",
    ),
    // Medium access control.
    ("IEEE 802.15.4-2015 §7.2", "wpan"),
    ("IEEE 802.15.4-2015 §7.2.1", "wpan.fcf"),
    ("IEEE 802.15.4-2015 §7.2.1.1", "wpan.frame_type"),
    ("IEEE 802.15.4-2015 §7.2.1.2", "wpan.security"),
    ("IEEE 802.15.4-2015 §7.2.1.3", "wpan.pending"),
    ("IEEE 802.15.4-2015 §7.2.1.4", "wpan.ack_request"),
    ("IEEE 802.15.4-2015 §7.2.1.5", "wpan.pan_id_compression"),
    ("IEEE 802.15.4-2015 §7.2.1.6", "wpan.seqno_suppression"),
    ("IEEE 802.15.4-2015 §7.2.1.7", "wpan.ie_present"),
    ("IEEE 802.15.4-2015 §7.2.1.8", "wpan.dst_addr_mode"),
    ("IEEE 802.15.4-2015 §7.2.1.9", "wpan.version"),
    ("IEEE 802.15.4-2015 §7.2.1.10", "wpan.src_addr_mode"),
    (
        "IEEE 802.15.4-2015 §7.3.5, Multipurpose frame format",
        "wpan.long_frame_control wpan.mpf_version wpan.pan_id_present",
    ),
    ("IEEE 802.15.4-2015 §7.2.2", "wpan.seq_no"),
    ("IEEE 802.15.4-2015 §7.2.3", "wpan.dst_pan"),
    ("IEEE 802.15.4-2015 §7.2.4", "wpan.dst16 wpan.dst64"),
    ("IEEE 802.15.4-2015 §7.2.5", "wpan.src_pan"),
    ("IEEE 802.15.4-2015 §7.2.6", "wpan.src16 wpan.src64"),
    ("IEEE 802.15.4-2015 §7.2.9", "wpan.payload"),
    ("IEEE 802.15.4-2015 §7.2.10", "wpan.fcs wpan.fcs32 wpan.fcs_ok"),
    (
        "IEEE 802.15.4-2006 §7.2.2.1",
        "wpan.beacon wpan.superframe wpan.beacon_order wpan.superframe_order wpan.cap wpan.battery_ext wpan.bcn_coord \
         wpan.assoc_permit",
    ),
    ("IEEE 802.15.4-2015 §7.5", "wpan.cmd"),
    ("TI CC2420 data sheet §16.4", "wpan.rssi wpan.ti_status wpan.correlation"),
    ("IEEE 802.15.4-2015 §9.4", "wpan.aux_sec"),
    ("IEEE 802.15.4-2015 §9.4.1", "wpan.aux_sec.security_control_field wpan.aux_sec.reserved"),
    ("IEEE 802.15.4-2015 §9.4.1.1", "wpan.aux_sec.sec_level"),
    ("IEEE 802.15.4-2015 §9.4.1.2", "wpan.aux_sec.key_id_mode"),
    ("IEEE 802.15.4-2015 §9.4.1.3", "wpan.aux_sec.frame_counter_suppression"),
    ("IEEE 802.15.4-2015 §9.4.1.4", "wpan.aux_sec.asn_in_nonce"),
    ("IEEE 802.15.4-2015 §9.4.2", "wpan.aux_sec.frame_counter"),
    ("IEEE 802.15.4-2015 §9.4.3", "wpan.aux_sec.key_source wpan.aux_sec.key_index"),
    ("IEEE 802.15.4-2015 §9.3, Annex B", "wpan.encrypted wpan.decrypted wpan.mic"),
    ("IEEE 802.15.4-2015 §7.4.2, Table 7-7", "wpan.header_ie"),
    ("IEEE 802.15.4-2015 §7.4.2.1", "wpan.header_ie_tlv wpan.header_ie.type wpan.header_ie.id wpan.header_ie.length"),
    ("IEEE 802.15.4-2015 §7.4.2.2", "wpan.header_ie.vendor_specific"),
    ("IEEE 802.15.4-2015 §7.4.2.3", "wpan.header_ie.csl"),
    ("IEEE 802.15.4-2015 §7.4.2.6", "wpan.header_ie.rdv wpan.header_ie.csl.wakeup_interval"),
    ("IEEE 802.15.4-2015 §7.4.2.7", "wpan.header_ie.time_correction wpan.nack"),
    ("IEEE 802.15.4-2015 §7.4.3, Table 7-15", "wpan.payload_ie wpan.payload_ie_tlv"),
    ("IEEE 802.15.9-2016", "wpan.mpx"),
    ("RFC 8137 §4", "wpan.payload_ie.ietf wpan.ietf_ie.sub_id"),
    ("IEEE 802.15.4-2015 §7.4.4, Table 7-16", "wpan.mlme"),
    ("IEEE 802.15.4-2015 §7.4.4.2", "wpan.tsch.time_sync wpan.tsch.asn wpan.tsch.join_metric"),
    (
        "IEEE 802.15.4-2015 §7.4.4.3",
        "wpan.tsch.slotframe wpan.tsch.slotframe_descriptor wpan.tsch.slotframe_handle wpan.tsch.slotframe_num \
         wpan.tsch.slotframe_size wpan.tsch.nb_links wpan.tsch.link_info wpan.tsch.link_options wpan.tsch.link_timeslot \
         wpan.tsch.channel_offset",
    ),
    ("IEEE 802.15.4-2015 §7.4.4.4", "wpan.tsch.timeslot"),
    ("IEEE 802.15.4-2015 §7.4.4.6", "wpan.eb_filter"),
    ("IEEE 802.15.4-2015 §7.4.4.31", "wpan.channel_hopping wpan.tsch.hopping_sequence_id"),
    // Adaptation.
    ("RFC 4944", "6lowpan"),
    ("RFC 4944 §5.1", "6lowpan.pattern 6lowpan.ipv6 6lowpan.payload"),
    ("RFC 4944 §5.2", "6lowpan.mesh"),
    ("RFC 4944 §5.3", "6lowpan.frag"),
    ("RFC 4944 §10.1", "6lowpan.hc1"),
    ("RFC 4944 §10.2", "6lowpan.hc2"),
    ("RFC 4944 §11.1", "6lowpan.bc0 6lowpan.bcast.seqnum"),
    ("RFC 6282 §3.1.1", "6lowpan.iphc 6lowpan.next 6lowpan.hops"),
    ("RFC 6282 §3.1.2", "6lowpan.iphc.cids 6lowpan.iphc.sci 6lowpan.iphc.dci rtoscope.missing_context"),
    ("RFC 6282 §3.2.1", "6lowpan.traffic 6lowpan.dscp 6lowpan.ecn 6lowpan.flow"),
    ("RFC 6282 §3.2.2", "6lowpan.src 6lowpan.dst"),
    ("RFC 6282 §4.1", "6lowpan.nhc"),
    ("RFC 6282 §4.2", "6lowpan.nhc.ext"),
    ("RFC 6282 §4.3", "6lowpan.nhc.udp 6lowpan.udp.ports 6lowpan.udp.src 6lowpan.udp.dst 6lowpan.udp.checksum"),
    ("RFC 7400 §2", "6lowpan.nhc.ghc"),
    ("RFC 8025 §3", "6lowpan.pagenb"),
    ("RFC 8138 §4", "6lowpan.6loRH 6lowpan.routingheader 6lowpan.rhtype 6lowpan.rhElength"),
    ("RFC 8138 §5.1", "6lowpan.HopNuevo 6lowpan.6loRH.hop"),
    ("RFC 8138 §6.1", "6lowpan.rpl.instance"),
    ("RFC 8138 §6.2", "6lowpan.sender.rank"),
    ("RFC 8138 §6.3", "6lowpan.6loRH.bitO 6lowpan.6loRH.bitR 6lowpan.6loRH.bitF 6lowpan.6loRH.bitI 6lowpan.6loRH.bitK"),
    ("RFC 8138 §7", "6lowpan.rhhop.limit 6lowpan.6loRH.encapsulator"),
    ("RFC 8931 §5.1", "6lowpan.rfrag"),
    ("RFC 8931 §5.2", "6lowpan.rfrag_ack 6lowpan.rfrag.ack_bitmask"),
    // Internet.
    (
        "RFC 791 §3.1",
        "ip ip.checksum ip.dst ip.flags ip.flags_offset ip.frag_offset ip.hdr_len ip.head ip.id ip.len ip.options \
         ip.proto ip.src ip.ttl ip.version",
    ),
    ("RFC 2474 §3, RFC 3168 §5", "ip.dsfield ipv6.tclass"),
    ("RFC 8200 §3", "ipv6 ipv6.head ipv6.version ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst"),
    ("RFC 6437 §2", "ipv6.flow"),
    ("RFC 8200 §4", "ipv6.ext"),
    ("RFC 8200 §4.2", "ipv6.opt"),
    ("RFC 2711 §2.1", "ipv6.opt.router_alert"),
    ("RFC 6553 §3", "ipv6.opt.rpl"),
    ("RFC 8200 §4.3", "ipv6.hopopts"),
    ("RFC 8200 §4.4", "ipv6.routing"),
    ("RFC 2460 §4.4, RFC 6275 §6.4.1", "ipv6.routing.src"),
    ("RFC 6554 §3", "ipv6.routing.rpl"),
    ("RFC 8200 §4.5", "ipv6.fraghdr"),
    ("RFC 8200 §4.6", "ipv6.dstopts"),
    ("RFC 4443 §2.1", "icmpv6 icmpv6.type icmpv6.code icmpv6.checksum icmpv6.data"),
    ("RFC 4443 §4", "icmpv6.echo"),
    ("RFC 4861 §4", "icmpv6.reserved"),
    ("RFC 4861 §4.2", "icmpv6.nd.ra"),
    ("RFC 6275 §7.1", "icmpv6.nd.ra.flag.h"),
    ("RFC 4191 §2.2", "icmpv6.nd.ra.flag.prf"),
    ("RFC 4861 §4.3", "icmpv6.nd.ns"),
    ("RFC 4861 §4.4", "icmpv6.nd.na"),
    ("RFC 4861 §4.6", "icmpv6.opt icmpv6.opt.type icmpv6.opt.length icmpv6.opt.padding icmpv6.opt.reserved"),
    ("RFC 4861 §4.6.1", "icmpv6.opt.linkaddr"),
    ("RFC 4861 §4.6.2", "icmpv6.opt.prefix"),
    ("RFC 6275 §7.2", "icmpv6.opt.prefix.flag.r"),
    ("RFC 4861 §4.6.4", "icmpv6.opt.mtu"),
    ("RFC 6775 §4.1", "icmpv6.opt.aro"),
    ("RFC 6775 §4.2", "icmpv6.opt.6co"),
    ("RFC 6775 §4.3", "icmpv6.opt.abro"),
    ("RFC 6550 §6", "icmpv6.rpl"),
    ("RFC 6550 §6.2.1", "icmpv6.rpl.dis"),
    ("RFC 6550 §6.3.1", "icmpv6.rpl.dio"),
    ("RFC 6550 §6.4.1", "icmpv6.rpl.dao"),
    ("RFC 6550 §6.5.1", "icmpv6.rpl.daoack"),
    ("RFC 6550 §6.7.1", "icmpv6.rpl.opt"),
    ("RFC 6550 §6.7.2", "icmpv6.rpl.opt.pad1"),
    ("RFC 6550 §6.7.6", "icmpv6.rpl.opt.config"),
    ("RFC 6550 §6.7.7", "icmpv6.rpl.opt.target"),
    ("RFC 6550 §6.7.8", "icmpv6.rpl.opt.transit"),
    ("RFC 6550 §6.7.10", "icmpv6.rpl.opt.prefix"),
    // Transport and application.
    ("RFC 768", "udp udp.srcport udp.dstport udp.length udp.checksum"),
    ("RFC 9293 §3.1", "tcp tcp.srcport tcp.dstport tcp.segment_data"),
    ("RFC 6347 §4.1", "dtls dtls.record"),
    (
        "RFC 7252 §3",
        "coap coap.head coap.version coap.type coap.token_len coap.code coap.mid coap.token coap.payload \
         coap.opt.end_marker",
    ),
    ("RFC 7252 §3.1", "coap.opt"),
    ("RFC 7252 §5.4", "coap.opt.desc"),
    ("RFC 7252 §5.10.1", "coap.opt.uri_host coap.opt.uri_port coap.opt.uri_path coap.opt.uri_query"),
    ("RFC 7252 §5.10.2", "coap.opt.proxy_uri coap.opt.proxy_scheme"),
    ("RFC 7252 §5.10.3", "coap.opt.ctype"),
    ("RFC 7252 §5.10.4", "coap.opt.accept"),
    ("RFC 7252 §5.10.5", "coap.opt.max_age"),
    ("RFC 7252 §5.10.6", "coap.opt.etag"),
    ("RFC 7252 §5.10.7", "coap.opt.location_path coap.opt.location_query"),
    ("RFC 7252 §5.10.8.1", "coap.opt.if_match"),
    ("RFC 7252 §5.10.9", "coap.opt.size1"),
    ("RFC 7641 §2", "coap.opt.observe"),
    ("RFC 7959 §2.2", "coap.opt.block coap.opt.block_number coap.opt.block_mflag coap.opt.block_size"),
    ("RFC 7959 §4", "coap.opt.size2"),
    ("RFC 7967 §2", "coap.opt.no_response"),
    (
        "RFC 8613 §6.1",
        "coap.opt.object_security coap.opt.object_security_kid coap.opt.object_security_kid_context \
         coap.opt.object_security_kid_context_len coap.opt.object_security_kid_context_present \
         coap.opt.object_security_kid_present coap.opt.object_security_piv coap.opt.object_security_piv_len \
         coap.opt.object_security_reserved",
    ),
    ("RFC 8768 §3", "coap.opt.hop_limit"),
    ("RFC 9175 §2.2.1", "coap.opt.echo"),
    ("RFC 9175 §3.2.1", "coap.opt.request_tag"),
    ("Lee, Kim and Youn 2016", "coap_rc.count"),
];
