//! Names of fields that trees share with Wireshark, and the kinds of their values, by which filters are checked.

use super::Value;

/// Kind of the values that a field has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
    /// A protocol, a group, or octets without a value.
    Presence,
    /// [`Value::Bool`].
    Bool,
    /// [`Value::Uint`], [`Value::Int`], [`Value::Addr16`].
    Number,
    /// [`Value::Bytes`].
    Octets,
    /// [`Value::Text`].
    Text,
    /// [`Value::Addr64`], or eight octets.
    Eui64,
    /// [`Value::Addr48`].
    Ethernet,
    /// [`Value::Ipv6`], or the octets with which a prefix begins.
    Ipv6,
    /// [`Value::Ipv4`].
    Ipv4,
}

impl ValueKind {
    /// Returns whether a node with a name of this kind may have `value`.
    #[must_use]
    pub const fn admits(self, value: &Value) -> bool {
        match self {
            Self::Presence => true,
            Self::Bool => matches!(value, Value::Bool(_)),
            Self::Number => matches!(value, Value::Uint(_) | Value::Int(_) | Value::Addr16(_)),
            Self::Octets => matches!(value, Value::Bytes),
            Self::Text => matches!(value, Value::Text(_)),
            Self::Eui64 => matches!(value, Value::Addr64(_) | Value::Bytes),
            Self::Ethernet => matches!(value, Value::Addr48(_)),
            Self::Ipv6 => matches!(value, Value::Ipv6(_) | Value::Bytes),
            Self::Ipv4 => matches!(value, Value::Ipv4(_)),
        }
    }
}

/// Names of nodes that are Wireshark's (4.0.17: `tshark -G fields`), with the kind of their values. Left out are names
/// of our own, layers that records have and frames do not (pseudo-headers, check sequences), and names that Wireshark
/// gives to more than we do (`data`, which is the payload of most protocols; `ip.version`, which IPv6 has too).
pub fn names() -> impl Iterator<Item = (&'static str, ValueKind)> {
    NAMES.iter().flat_map(|&(kind, names)| names.split_ascii_whitespace().map(move |name| (name, kind)))
}

/// Names by kind, separated by spaces, in alphabetical order.
const NAMES: &[(ValueKind, &str)] = &[
    (
        ValueKind::Presence,
        "6lowpan _ws.malformed coap dtls eth icmpv6 icmpv6.opt icmpv6.opt.padding icmpv6.opt.reserved \
         icmpv6.rpl.opt.target.flag ip ipv6 ipv6.dstopts ipv6.fraghdr ipv6.hopopts ipv6.opt ipv6.opt.pad1 \
         ipv6.routing tcp udp wpan wpan.aux_sec.hdr wpan.channel_hopping wpan.eb_filter wpan.header_ie \
         wpan.header_ie.csl wpan.header_ie.global_time wpan.header_ie.ht1 wpan.header_ie.ht2 wpan.header_ie.rdv \
         wpan.header_ie.time_correction wpan.header_ie.unsupported wpan.header_ie.vendor_specific wpan.mlme \
         wpan.mlme.unsupported wpan.mpx wpan.payload_ie wpan.payload_ie.ietf wpan.payload_ie.termination \
         wpan.payload_ie.unknown wpan.payload_ie.vendor wpan.tsch.link_info wpan.tsch.slotframe \
         wpan.tsch.time_sync wpan.tsch.timeslot",
    ),
    (
        ValueKind::Bool,
        "6lowpan.6loRH.bitF 6lowpan.6loRH.bitI 6lowpan.6loRH.bitK 6lowpan.6loRH.bitO 6lowpan.6loRH.bitR \
         6lowpan.hc1.class 6lowpan.hc1.dst_ifc 6lowpan.hc1.dst_prefix 6lowpan.hc1.more 6lowpan.hc1.src_ifc \
         6lowpan.hc1.src_prefix 6lowpan.hc2.udp.dst 6lowpan.hc2.udp.length 6lowpan.hc2.udp.src 6lowpan.iphc.cid \
         6lowpan.iphc.dac 6lowpan.iphc.m 6lowpan.iphc.nh 6lowpan.iphc.sac 6lowpan.mesh.f 6lowpan.mesh.v \
         6lowpan.nhc.ext.nh 6lowpan.nhc.udp.checksum 6lowpan.rfrag.ack_requested 6lowpan.rfrag.congestion \
         coap.opt.object_security_kid_context_present coap.opt.object_security_kid_present icmpv6.nd.na.flag.o \
         icmpv6.nd.na.flag.r icmpv6.nd.na.flag.s icmpv6.nd.ra.flag.h icmpv6.nd.ra.flag.m icmpv6.nd.ra.flag.o \
         icmpv6.opt.6co.flag.c icmpv6.opt.prefix.flag.a icmpv6.opt.prefix.flag.l icmpv6.opt.prefix.flag.r \
         icmpv6.rpl.dao.flag.d icmpv6.rpl.dao.flag.k icmpv6.rpl.daoack.flag.d icmpv6.rpl.dio.flag.g \
         icmpv6.rpl.opt.config.auth icmpv6.rpl.opt.prefix.flag.l icmpv6.rpl.opt.transit.flag.e ip.flags.df \
         ip.flags.mf ipv6.fraghdr.more ipv6.opt.rpl.flag.f ipv6.opt.rpl.flag.o ipv6.opt.rpl.flag.r \
         wpan.ack_request wpan.assoc_permit wpan.aux_sec.asn_in_nonce wpan.aux_sec.frame_counter_suppression \
         wpan.battery_ext wpan.bcn_coord wpan.fcf.reserved wpan.ie_present wpan.long_frame_control wpan.nack \
         wpan.pan_id_compression wpan.pan_id_present wpan.pending wpan.security wpan.seqno_suppression \
         wpan.tsch.link_options.priority wpan.tsch.link_options.rx wpan.tsch.link_options.shared \
         wpan.tsch.link_options.timekeeping wpan.tsch.link_options.tx",
    ),
    (
        ValueKind::Number,
        "6lowpan.HopNuevo 6lowpan.bcast.seqnum 6lowpan.dscp 6lowpan.ecn 6lowpan.flow 6lowpan.frag.offset \
         6lowpan.frag.size 6lowpan.frag.tag 6lowpan.hc1.encoding 6lowpan.hc1.next 6lowpan.hc2.udp.encoding \
         6lowpan.hops 6lowpan.iphc.dam 6lowpan.iphc.dci 6lowpan.iphc.hlim 6lowpan.iphc.sam 6lowpan.iphc.sci \
         6lowpan.iphc.tf 6lowpan.mesh.dest16 6lowpan.mesh.hops 6lowpan.mesh.hops8 6lowpan.mesh.orig16 \
         6lowpan.next 6lowpan.nhc.ext.eid 6lowpan.nhc.ext.length 6lowpan.nhc.ext.next 6lowpan.nhc.ext.reserved \
         6lowpan.nhc.pattern 6lowpan.nhc.udp.ports 6lowpan.pagenb 6lowpan.pattern 6lowpan.rfrag.ack_bitmask \
         6lowpan.rfrag.datagram_size 6lowpan.rfrag.offset 6lowpan.rfrag.sequence 6lowpan.rfrag.size \
         6lowpan.rfrag.tag 6lowpan.rhElength 6lowpan.rhhop.limit 6lowpan.rhtype 6lowpan.routingheader \
         6lowpan.rpl.instance 6lowpan.sender.rank 6lowpan.udp.checksum 6lowpan.udp.dst 6lowpan.udp.src coap.code \
         coap.mid coap.opt.block_mflag coap.opt.block_number coap.opt.block_size coap.opt.delta \
         coap.opt.delta_ext coap.opt.end_marker coap.opt.hop_limit coap.opt.length coap.opt.length_ext \
         coap.opt.max_age coap.opt.object_security_kid_context_len coap.opt.object_security_piv_len \
         coap.opt.object_security_reserved coap.opt.observe coap.opt.size1 coap.opt.uri_port coap.token_len \
         coap.type coap.version dtls.record.content_type dtls.record.epoch dtls.record.length \
         dtls.record.sequence_number dtls.record.version eth.type icmpv6.checksum icmpv6.code \
         icmpv6.echo.identifier icmpv6.echo.sequence_number icmpv6.nd.na.flag icmpv6.nd.ra.cur_hop_limit \
         icmpv6.nd.ra.flag icmpv6.nd.ra.flag.prf icmpv6.nd.ra.reachable_time icmpv6.nd.ra.retrans_timer \
         icmpv6.nd.ra.router_lifetime icmpv6.opt.6co.context_length icmpv6.opt.6co.flag icmpv6.opt.6co.flag.cid \
         icmpv6.opt.6co.valid_lifetime icmpv6.opt.abro.valid_lifetime icmpv6.opt.abro.version_high \
         icmpv6.opt.abro.version_low icmpv6.opt.aro.registration_lifetime icmpv6.opt.aro.status icmpv6.opt.length \
         icmpv6.opt.mtu icmpv6.opt.prefix.flag icmpv6.opt.prefix.length icmpv6.opt.prefix.preferred_lifetime \
         icmpv6.opt.prefix.valid_lifetime icmpv6.opt.type icmpv6.rpl.dao.flag icmpv6.rpl.dao.flag.rsv \
         icmpv6.rpl.dao.instance icmpv6.rpl.dao.sequence icmpv6.rpl.daoack.flag icmpv6.rpl.daoack.flag.rsv \
         icmpv6.rpl.daoack.instance icmpv6.rpl.daoack.sequence icmpv6.rpl.daoack.status icmpv6.rpl.dio.dtsn \
         icmpv6.rpl.dio.flag icmpv6.rpl.dio.flag.0 icmpv6.rpl.dio.flag.mop icmpv6.rpl.dio.flag.preference \
         icmpv6.rpl.dio.instance icmpv6.rpl.dio.rank icmpv6.rpl.dio.version icmpv6.rpl.dis.flags \
         icmpv6.rpl.opt.config.def_lifetime icmpv6.rpl.opt.config.flag icmpv6.rpl.opt.config.interval_double \
         icmpv6.rpl.opt.config.interval_min icmpv6.rpl.opt.config.lifetime_unit \
         icmpv6.rpl.opt.config.max_rank_inc icmpv6.rpl.opt.config.min_hop_rank_inc icmpv6.rpl.opt.config.ocp \
         icmpv6.rpl.opt.config.pcs icmpv6.rpl.opt.config.redundancy icmpv6.rpl.opt.config.rsv \
         icmpv6.rpl.opt.length icmpv6.rpl.opt.prefix.flag icmpv6.rpl.opt.prefix.length \
         icmpv6.rpl.opt.prefix.preferred_lifetime icmpv6.rpl.opt.prefix.valid_lifetime \
         icmpv6.rpl.opt.target.prefix_length icmpv6.rpl.opt.transit.flag icmpv6.rpl.opt.transit.flag.rsv \
         icmpv6.rpl.opt.transit.pathctl icmpv6.rpl.opt.transit.pathlifetime icmpv6.rpl.opt.transit.pathseq \
         icmpv6.rpl.opt.type icmpv6.type ip.checksum ip.dsfield ip.frag_offset ip.hdr_len ip.id ip.len ip.proto \
         ip.ttl ipv6.dstopts.len ipv6.dstopts.nxt ipv6.flow ipv6.fraghdr.ident ipv6.fraghdr.nxt \
         ipv6.fraghdr.offset ipv6.fraghdr.reserved_bits ipv6.fraghdr.reserved_octet ipv6.hlim ipv6.hopopts.len \
         ipv6.hopopts.nxt ipv6.nxt ipv6.opt.length ipv6.opt.router_alert ipv6.opt.rpl.flag ipv6.opt.rpl.flag.rsv \
         ipv6.opt.rpl.instance_id ipv6.opt.rpl.sender_rank ipv6.opt.type ipv6.plen ipv6.routing.len \
         ipv6.routing.nxt ipv6.routing.rpl.cmprE ipv6.routing.rpl.cmprI ipv6.routing.rpl.pad \
         ipv6.routing.rpl.reserved ipv6.routing.segleft ipv6.routing.type ipv6.tclass ipv6.tclass.dscp \
         ipv6.tclass.ecn ipv6.version tcp.dstport tcp.srcport udp.checksum udp.dstport udp.length udp.srcport \
         vlan.id wpan.aux_sec.frame_counter wpan.aux_sec.key_id_mode wpan.aux_sec.key_index wpan.aux_sec.reserved \
         wpan.aux_sec.sec_level wpan.aux_sec.security_control_field wpan.beacon_order wpan.cap wpan.cmd \
         wpan.dst16 wpan.dst_addr_mode wpan.dst_pan wpan.fcf wpan.frame_type wpan.header_ie.csl.period \
         wpan.header_ie.csl.phase wpan.header_ie.csl.rendezvous_time wpan.header_ie.csl.wakeup_interval \
         wpan.header_ie.id wpan.header_ie.length wpan.header_ie.time_correction.time_sync_info \
         wpan.header_ie.time_correction.value wpan.header_ie.type wpan.header_ie.vendor_specific.vendor_oui \
         wpan.header_ie_tlv wpan.ietf_ie.sub_id wpan.mlme.ie wpan.mlme.ie.id wpan.mlme.ie.length \
         wpan.mlme.ie.type wpan.mpf_version wpan.payload_ie.id wpan.payload_ie.length wpan.payload_ie.type \
         wpan.payload_ie.vendor.oui wpan.payload_ie_tlv wpan.seq_no wpan.src16 wpan.src_addr_mode wpan.src_pan \
         wpan.superframe_order wpan.tsch.asn wpan.tsch.channel_offset wpan.tsch.hopping_sequence_id \
         wpan.tsch.join_metric wpan.tsch.link_options wpan.tsch.link_timeslot wpan.tsch.nb_links \
         wpan.tsch.slotframe_handle wpan.tsch.slotframe_num wpan.tsch.slotframe_size wpan.tsch.timeslot.ack_wait \
         wpan.tsch.timeslot.cca wpan.tsch.timeslot.cca_offset wpan.tsch.timeslot.id wpan.tsch.timeslot.length \
         wpan.tsch.timeslot.max_ack wpan.tsch.timeslot.max_tx wpan.tsch.timeslot.rx_ack_delay \
         wpan.tsch.timeslot.rx_offset wpan.tsch.timeslot.rx_wait wpan.tsch.timeslot.turnaround \
         wpan.tsch.timeslot.tx_ack_delay wpan.tsch.timeslot.tx_offset wpan.version",
    ),
    (
        ValueKind::Octets,
        "coap.opt.etag coap.opt.if_match coap.opt.object_security_kid coap.opt.object_security_kid_context \
         coap.opt.object_security_piv coap.opt.unknown coap.payload coap.token icmpv6.data \
         icmpv6.opt.linkaddr icmpv6.reserved ipv6.opt.padn ipv6.opt.unknown ipv6.routing.src.reserved \
         ipv6.routing.unknown_data tcp.segment_data wpan.aux_sec.key_source.bytes \
         wpan.header_ie.vendor_specific.content wpan.mic",
    ),
    (
        ValueKind::Text,
        "coap.opt.accept coap.opt.ctype coap.opt.desc coap.opt.location_path coap.opt.location_query \
         coap.opt.name coap.opt.proxy_scheme coap.opt.proxy_uri coap.opt.uri_host coap.opt.uri_path \
         coap.opt.uri_query",
    ),
    (ValueKind::Eui64, "6lowpan.mesh.dest64 6lowpan.mesh.orig64 icmpv6.opt.aro.eui64 wpan.dst64 wpan.src64"),
    (ValueKind::Ethernet, "eth.dst eth.src"),
    (
        ValueKind::Ipv6,
        "6lowpan.dst 6lowpan.src icmpv6.nd.na.target_address icmpv6.nd.ns.target_address \
         icmpv6.opt.6co.context_prefix icmpv6.opt.abro.6lbr_address icmpv6.opt.prefix icmpv6.rpl.dao.dodagid \
         icmpv6.rpl.daoack.dodagid icmpv6.rpl.dio.dagid icmpv6.rpl.opt.prefix icmpv6.rpl.opt.target.prefix \
         icmpv6.rpl.opt.transit.parent ipv6.dst ipv6.routing.rpl.full_address ipv6.routing.src.addr ipv6.src",
    ),
    (ValueKind::Ipv4, "ip.dst ip.src"),
];
