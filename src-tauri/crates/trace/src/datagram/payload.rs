//! From an IP datagram to the CoAP message it carries.

use super::{Facts, Walk};
use crate::message::Endpoint;
use base::{FrameId, Instant, Layer};
use std::net::Ipv6Addr;
use wire::ieee802154::MacAddr;
use wire::ipv4::Ipv4;
use wire::ipv6::UDP;
use wire::{Coap, Ipv6, Udp};

/// What is told of a CoAP message on one hop.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) facts: Facts,
    pub(super) payload: u16,
    /// Destination in the IP header, where that is not the final one.
    pub(super) header_dst: Option<Ipv6Addr>,
    pub(super) hop_limit: u8,
}

/// What the IP header says on one hop, where hops may differ.
#[derive(Clone, Copy)]
pub(super) struct IpHeader {
    dst: Ipv6Addr,
    hop_limit: u8,
}

impl Walk<'_> {
    /// The CoAP facts of an IPv6 datagram, if it carries CoAP. `partial`: only its beginning is
    /// there, zeros behind it, so that errors further on mean nothing.
    pub(super) fn coap_of(&mut self, id: FrameId, datagram: &[u8], partial: bool) -> Option<Head> {
        let ipv6 = match Ipv6::parse(datagram) {
            Ok(ipv6) => ipv6,
            Err(error) => {
                if !partial {
                    self.note(Layer::Ipv6, "malformed-ipv6", id, &error);
                }
                return None;
            }
        };
        if ipv6.upper != UDP || ipv6.fragment.is_some() {
            return None;
        }
        let (src, dst) = (Ipv6Addr::from(ipv6.src), Ipv6Addr::from(ipv6.final_dst()));
        let header = IpHeader { dst: Ipv6Addr::from(ipv6.dst), hop_limit: ipv6.hop_limit };
        let upper = datagram.get(ipv6.payload.clone()).unwrap_or_default();
        self.udp(id, upper, src, dst, header, partial)
    }

    pub(super) fn udp(
        &mut self,
        id: FrameId,
        upper: &[u8],
        src: Ipv6Addr,
        dst: Ipv6Addr,
        header: IpHeader,
        partial: bool,
    ) -> Option<Head> {
        let udp = match Udp::parse(upper) {
            Ok(udp) => udp,
            Err(error) => {
                if !partial {
                    self.note(Layer::Udp, "malformed-udp", id, &error);
                }
                return None;
            }
        };
        if !self.options.ports.contains(&udp.src_port) && !self.options.ports.contains(&udp.dst_port) {
            return None;
        }
        let octets = upper.get(udp.payload.clone()).unwrap_or_default();
        let coap = match Coap::parse(octets) {
            Ok(coap) => coap,
            Err(error) => {
                if !partial {
                    self.note(Layer::Coap, "malformed-coap", id, &error);
                }
                return None;
            }
        };
        let payload = coap.payload.as_ref().map_or(0, |p| p.end.saturating_sub(p.start));
        Some(Head {
            facts: Facts {
                path: self
                    .datagrams
                    .paths
                    .number((Endpoint { addr: src, port: udp.src_port }, Endpoint { addr: dst, port: udp.dst_port })),
                kind: coap.kind,
                code: coap.code,
                mid: coap.mid,
                token: coap.token,
                rc: coap.rc(octets, self.options.rc_option),
            },
            payload: u16::try_from(payload).unwrap_or(u16::MAX),
            header_dst: Some(header.dst).filter(|&at| at != dst),
            hop_limit: header.hop_limit,
        })
    }

    /// An IP datagram off 802.15.4: every record is a transmission of its own.
    pub(super) fn ip(&mut self, id: FrameId, at: Instant, octets: &[u8]) {
        let head = match octets.first().map(|b| b >> 4) {
            Some(6) => self.coap_of(id, octets, false),
            Some(4) => match Ipv4::parse(octets) {
                Ok(ipv4) if ipv4.protocol == UDP && !ipv4.more_fragments && ipv4.fragment_offset == 0 => {
                    let (src, dst) = (Ipv6Addr::from(ipv4.src), Ipv6Addr::from(ipv4.dst));
                    let upper = octets.get(ipv4.payload.clone()).unwrap_or_default();
                    self.udp(id, upper, src, dst, IpHeader { dst, hop_limit: ipv4.ttl }, false)
                }
                Ok(_) => None,
                Err(error) => {
                    self.note(Layer::Ipv6, "malformed-ipv4", id, &error);
                    None
                }
            },
            _ => None,
        };
        if let Some(head) = head {
            self.whole(id, at, (MacAddr::None, MacAddr::None), &head);
        }
    }
}
