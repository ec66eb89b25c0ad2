//! One frame, layer by layer: what a packet list and its filters ask.
//!
//! Read on demand from the octets, so that a capture of a million frames costs nothing until it is looked at. A
//! fragmented datagram is read at the frame that completes it (as Wireshark shows it); the other fragments
//! say which message they belong to through [`Places`].

mod place;
mod tree;
mod whole;

pub use place::{Part, Place, Places};
pub use tree::dissect;
pub use wire::MacHeader;
pub use wire::coap::number as option;
pub use wire::rpl::Rpl;
pub use wire::tree::{Node as TreeNode, Tree, Value as TreeValue};

use crate::{Fcs, Link, Trace};
use base::FrameId;
use std::net::Ipv6Addr;
use wire::ethernet::{self, Ethernet};
use wire::icmpv6::{Icmpv6, RPL_CONTROL};
use wire::ieee802154::FrameType;
use wire::ipv4::Ipv4;
use wire::ipv6::{ICMPV6, Ipv6, UDP};
use wire::lowpan::{self, ContextTable, Dispatch, Frag};
use wire::{Coap, Udp};

/// How far the layers of a frame could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// To the end.
    Complete,
    /// A fragment that does not complete its datagram.
    Fragment,
    /// The MAC payload is ciphertext.
    Encrypted,
    /// The frame check sequence does not match: nothing behind the MAC header is believed.
    BadFcs,
    /// Against a standard, or cut: layer, octet of that layer, reason.
    Malformed(wire::Error),
    /// Well formed and not decoded here.
    Unsupported(String),
}

/// What the fixed IP header says. IPv4 addresses are IPv4-mapped (RFC 4291 §2.5.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ip {
    /// 4 or 6.
    pub version: u8,
    /// Source.
    pub src: Ipv6Addr,
    /// Destination in the header: below a source route the next node (RFC 6554).
    pub dst: Ipv6Addr,
    /// Destination in the end.
    pub final_dst: Ipv6Addr,
    /// Hop limit, or time to live.
    pub hop_limit: u8,
    /// Next Header of the fixed header, or Protocol.
    pub next_header: u8,
    /// Payload length, or total length less the header.
    pub payload_len: u16,
}

/// An ICMPv6 message; its RPL body where it has one that can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct Icmp {
    /// Type, code, checksum.
    pub header: Icmpv6,
    /// DIO, DAO, DIS, DAO-ACK.
    pub rpl: Option<Rpl>,
}

/// A CoAP message with the octets its spans point into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoapMessage {
    /// Header, options, payload.
    pub header: Coap,
    /// The UDP payload.
    pub octets: Vec<u8>,
}

impl CoapMessage {
    /// The values of all options `number`, in order.
    pub fn values(&self, number: u16) -> impl Iterator<Item = &[u8]> {
        self.header.values(&self.octets, number)
    }
}

/// The layers of one frame, outermost first; those that are not there are `None`.
#[derive(Clone, PartialEq, Debug)]
pub struct Packet {
    /// 802.15.4.
    pub mac: Option<MacHeader>,
    /// The MAC payload is 6LoWPAN.
    pub lowpan: bool,
    /// 6LoWPAN fragmentation header.
    pub frag: Option<Frag>,
    /// IPv6 or IPv4.
    pub ip: Option<Ip>,
    /// UDP.
    pub udp: Option<Udp>,
    /// ICMPv6.
    pub icmpv6: Option<Icmp>,
    /// CoAP, on the ports of the decode options.
    pub coap: Option<CoapMessage>,
    /// How far it went.
    pub stop: Stop,
}

impl Packet {
    const NOTHING: Self = Self {
        mac: None,
        lowpan: false,
        frag: None,
        ip: None,
        udp: None,
        icmpv6: None,
        coap: None,
        stop: Stop::Complete,
    };

    /// Read frame `id` of `trace`; `places` are those of the same trace.
    #[must_use]
    pub fn read(trace: &Trace, places: &Places, id: FrameId) -> Self {
        let mut packet = Self::NOTHING;
        packet.stop = match packet.frame(trace, places, id) {
            Ok(()) => packet.stop,
            Err(error) => Stop::Malformed(error),
        };
        packet
    }

    fn frame(&mut self, trace: &Trace, places: &Places, id: FrameId) -> Result<(), wire::Error> {
        let Some(frame) = trace.capture.frames.get(id.index()) else { return Ok(()) };
        let octets = trace.capture.octets_of(frame);
        let ports = &trace.options.ports[..];
        match frame.link {
            Link::Ieee802154 => {
                let header = MacHeader::parse(octets)?;
                let payload = octets.get(header.payload.clone()).unwrap_or_default();
                let carries = header.frame_type == FrameType::Data && !payload.is_empty();
                let encrypted = header.is_encrypted();
                let ends = (header.src, header.dst);
                self.mac = Some(header);
                if frame.fcs == Fcs::Bad {
                    self.stop = Stop::BadFcs;
                    return Ok(());
                }
                let whole = || whole::datagram(trace, places, id);
                if encrypted {
                    let header = self.mac.as_ref();
                    match header.map(|header| trace.keyring.open(octets, header)) {
                        Some(Ok(opened)) if carries => {
                            let payload = opened.octets.get(opened.payload.clone()).unwrap_or_default();
                            self.lowpan(payload, ends, &trace.contexts, ports, whole)?;
                        }
                        Some(Ok(_)) => {}
                        Some(Err(_)) | None => self.stop = Stop::Encrypted,
                    }
                } else if carries {
                    self.lowpan(payload, ends, &trace.contexts, ports, whole)?;
                }
                Ok(())
            }
            Link::Ethernet => {
                let ethernet = Ethernet::parse(octets)?;
                let payload = octets.get(ethernet.payload.clone()).unwrap_or_default();
                match ethernet.ethertype {
                    ethernet::IPV6 => self.ipv6(payload, ports),
                    ethernet::IPV4 => self.ipv4(payload, ports),
                    other => {
                        self.stop = Stop::Unsupported(format!("EtherType 0x{other:04x}"));
                        Ok(())
                    }
                }
            }
            Link::RawIp => match octets.first().map(|octet| octet >> 4) {
                Some(4) => self.ipv4(octets, ports),
                _ => self.ipv6(octets, ports),
            },
            Link::Other(number) => {
                self.stop = Stop::Unsupported(format!("link type {number}"));
                Ok(())
            }
        }
    }

    fn lowpan(
        &mut self,
        payload: &[u8],
        (src, dst): (wire::MacAddr, wire::MacAddr),
        contexts: &ContextTable,
        ports: &[u16],
        whole: impl Fn() -> Option<Vec<u8>>,
    ) -> Result<(), wire::Error> {
        let headers = lowpan::parse(payload)?;
        self.lowpan = headers.dispatch != Dispatch::NotLowpan;
        let (src, dst) = headers.endpoints(src, dst);
        let rest = payload.get(headers.rest.clone()).unwrap_or_default();
        if let Some(frag) = headers.frag {
            self.frag = Some(frag);
            return match whole() {
                Some(datagram) => self.ipv6(&datagram, ports),
                None => {
                    self.stop = Stop::Fragment;
                    Ok(())
                }
            };
        }
        match headers.dispatch {
            Dispatch::Iphc | Dispatch::Ipv6Uncompressed | Dispatch::Hc1 => {
                let rebuilt = lowpan::decompress(rest, src, dst, contexts, None)?;
                let mut datagram = rebuilt.header;
                datagram.extend_from_slice(rest.get(rebuilt.consumed..).unwrap_or_default());
                self.ipv6(&datagram, ports)
            }
            Dispatch::NotLowpan => Ok(()),
            other => {
                self.stop = Stop::Unsupported(format!("6LoWPAN dispatch {other:?}"));
                Ok(())
            }
        }
    }

    fn ipv6(&mut self, datagram: &[u8], ports: &[u16]) -> Result<(), wire::Error> {
        let header = Ipv6::parse(datagram)?;
        self.ip = Some(Ip {
            version: 6,
            src: header.src.into(),
            dst: header.dst.into(),
            final_dst: header.final_dst().into(),
            hop_limit: header.hop_limit,
            next_header: header.next_header,
            payload_len: header.payload_len,
        });
        let upper = datagram.get(header.payload.clone()).unwrap_or_default();
        match header.upper {
            _ if header.fragment.is_some_and(|f| f.offset > 0) => self.stop = Stop::Fragment,
            UDP => self.udp(upper, ports)?,
            ICMPV6 => {
                let icmp = Icmpv6::parse(upper)?;
                let body = upper.get(icmp.body.clone()).unwrap_or_default();
                let rpl = (icmp.kind == RPL_CONTROL).then(|| Rpl::parse(icmp.code, body));
                let (rpl, error) = match rpl {
                    Some(Ok(rpl)) => (Some(rpl), None),
                    Some(Err(error)) => (None, Some(error)),
                    None => (None, None),
                };
                self.icmpv6 = Some(Icmp { header: icmp, rpl });
                if let Some(error) = error {
                    self.stop = Stop::Malformed(error);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn ipv4(&mut self, packet: &[u8], ports: &[u16]) -> Result<(), wire::Error> {
        let header = Ipv4::parse(packet)?;
        let (src, dst) = (Ipv6Addr::from(header.src), Ipv6Addr::from(header.dst));
        self.ip = Some(Ip {
            version: 4,
            src,
            dst,
            final_dst: dst,
            hop_limit: header.ttl,
            next_header: header.protocol,
            payload_len: u16::try_from(header.payload.len()).unwrap_or(u16::MAX),
        });
        if header.fragment_offset > 0 || header.more_fragments {
            self.stop = Stop::Fragment;
        } else if header.protocol == UDP {
            self.udp(packet.get(header.payload.clone()).unwrap_or_default(), ports)?;
        }
        Ok(())
    }

    fn udp(&mut self, octets: &[u8], ports: &[u16]) -> Result<(), wire::Error> {
        let header = Udp::parse(octets)?;
        let spoken = ports.contains(&header.src_port) || ports.contains(&header.dst_port);
        let payload = octets.get(header.payload.clone()).unwrap_or_default();
        self.udp = Some(header);
        if spoken {
            self.coap = Some(CoapMessage { header: Coap::parse(payload)?, octets: payload.to_vec() });
        }
        Ok(())
    }
}
