//! From the octets of one frame to its layers.

use super::{CoapMessage, Icmp, Ip, Packet, Places, Stop, whole};
use crate::analysis::Trace;
use crate::decode::datagram::{Content, Datagram, Piece};
use crate::decode::lowpan::LowpanView;
use crate::model::{Fcs, Frame, Link};
use base::FrameId;
use std::net::Ipv6Addr;
use wire::ethernet::{self, Ethernet};
use wire::icmpv6::{Icmpv6, RPL_CONTROL};
use wire::ieee802154::{FrameType, MacAddr, MacHeader};
use wire::ipv4::Ipv4;
use wire::ipv6::{ICMPV6, IPV6, Ipv6, NESTED, UDP};
use wire::lowpan::Dispatch;
use wire::rpl::Rpl;

/// Reads the layers of frame `id`; none where the capture lacks it.
pub(super) fn packet(trace: &Trace, places: &Places, id: FrameId) -> Packet {
    let Some(frame) = trace.capture.frames.get(id.index()) else { return Packet::NOTHING };
    let mut reader = PacketReader { trace, places, id, is_cut: frame.cut, packet: Packet::NOTHING };
    if let Err(error) = reader.frame(frame) {
        reader.packet.stop = Stop::Malformed(error);
    }
    reader.packet
}

struct PacketReader<'a> {
    trace: &'a Trace,
    places: &'a Places,
    id: FrameId,
    /// True where the sniffer kept only the beginning of the octets that are being read.
    is_cut: bool,
    packet: Packet,
}

impl PacketReader<'_> {
    fn frame(&mut self, frame: &Frame) -> Result<(), wire::Error> {
        let octets = self.trace.capture.octets_of(frame);
        match frame.link {
            Link::Ieee802154 => self.mac(octets, frame.fcs),
            Link::Ethernet => {
                let ethernet = Ethernet::parse(octets)?;
                let payload = octets.get(ethernet.payload.clone()).unwrap_or_default();
                match ethernet.ethertype {
                    ethernet::IPV6 => self.ipv6(payload),
                    ethernet::IPV4 => self.ipv4(payload),
                    other => self.unsupported(format!("EtherType 0x{other:04x}")),
                }
            }
            Link::RawIp | Link::LoopbackIp => match octets.first().map(|octet| octet >> 4) {
                Some(4) => self.ipv4(octets),
                _ => self.ipv6(octets),
            },
            Link::Other(number) => self.unsupported(format!("link type {number}")),
        }
    }

    fn unsupported(&mut self, what: String) -> Result<(), wire::Error> {
        self.packet.stop = Stop::Unsupported(what);
        Ok(())
    }

    fn mac(&mut self, octets: &[u8], fcs: Fcs) -> Result<(), wire::Error> {
        let header = self.packet.mac.insert(MacHeader::parse(octets)?);
        let (is_data, ends) = (header.frame_type == FrameType::Data, (header.src, header.dst));
        if fcs == Fcs::Bad {
            self.packet.stop = Stop::BadFcs;
            return Ok(());
        }
        let Ok(payload) = self.trace.keyring.payload(octets, header) else {
            self.packet.stop = Stop::Encrypted;
            return Ok(());
        };
        if is_data && !payload.is_empty() { self.lowpan(&payload, ends) } else { Ok(()) }
    }

    fn lowpan(&mut self, payload: &[u8], between: (MacAddr, MacAddr)) -> Result<(), wire::Error> {
        let lowpan = LowpanView::parse(payload, between)?;
        self.packet.lowpan = lowpan.headers.dispatch != Dispatch::NotLowpan;
        (self.packet.frag, self.packet.rfrag) = (lowpan.headers.frag.clone(), lowpan.headers.rfrag.clone());
        if lowpan.is_fragment() {
            // Only whole fragments make a datagram.
            self.is_cut = false;
            return match whole::ipv6(self.trace, self.places, self.id) {
                Some(datagram) => self.ipv6(&datagram),
                None => self.fragment(),
            };
        }
        match lowpan.headers.dispatch {
            _ if lowpan.is_ip() => self.ipv6(&lowpan.datagram(&self.trace.contexts)?),
            Dispatch::NotLowpan | Dispatch::RfragAck => Ok(()),
            other => self.unsupported(format!("6LoWPAN dispatch {other:?}")),
        }
    }

    /// Ends at a fragment that completes no datagram.
    fn fragment(&mut self) -> Result<(), wire::Error> {
        self.packet.stop = Stop::Fragment;
        Ok(())
    }

    /// Reads an IPv6 datagram and those in it, to the innermost, whose ends import gives the message.
    fn ipv6(&mut self, mut datagram: &[u8]) -> Result<(), wire::Error> {
        for _ in 0..NESTED {
            let header = Ipv6::parse(datagram)?;
            let is_fragment = Piece::of_ipv6(datagram, &header).is_some();
            self.enter(Ip {
                version: 6,
                src: header.src.into(),
                dst: header.dst.into(),
                final_dst: header.final_dst().into(),
                hop_limit: header.hop_limit,
                next_header: header.next_header,
                payload_len: header.payload_len,
                is_fragment,
            });
            let upper = datagram.get(header.payload).unwrap_or_default();
            match header.upper {
                _ if is_fragment => return self.ip_fragment(),
                UDP => return self.udp(upper),
                IPV6 => datagram = upper,
                ICMPV6 => return self.icmpv6(upper),
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Enters `ip`: the header before it becomes a tunnel.
    fn enter(&mut self, ip: Ip) {
        self.packet.tunnels.extend(self.packet.ip.replace(ip));
    }

    fn ipv4(&mut self, packet: &[u8]) -> Result<(), wire::Error> {
        let header = Ipv4::parse(packet)?;
        let (src, dst) = (Ipv6Addr::from(header.src), Ipv6Addr::from(header.dst));
        let is_fragment = Piece::of_ipv4(packet, &header).is_some();
        self.enter(Ip {
            version: 4,
            src,
            dst,
            final_dst: dst,
            hop_limit: header.ttl,
            next_header: header.protocol,
            payload_len: u16::try_from(header.payload.len()).unwrap_or(u16::MAX),
            is_fragment,
        });
        match header.protocol {
            _ if is_fragment => self.ip_fragment(),
            UDP => self.udp(packet.get(header.payload).unwrap_or_default()),
            IPV6 => self.ipv6(packet.get(header.payload).unwrap_or_default()),
            _ => Ok(()),
        }
    }

    /// Reads the datagram that a fragment of IP completes, or ends at the fragment.
    fn ip_fragment(&mut self) -> Result<(), wire::Error> {
        match whole::udp(self.trace, self.places, self.id) {
            Some((datagram, is_cut)) => {
                self.is_cut = is_cut;
                self.udp(&datagram)
            }
            None => self.fragment(),
        }
    }

    fn icmpv6(&mut self, octets: &[u8]) -> Result<(), wire::Error> {
        let header = Icmpv6::parse(octets)?;
        let body = octets.get(header.body.clone()).unwrap_or_default();
        let rpl = (header.kind == RPL_CONTROL).then(|| Rpl::parse(header.code, body)).transpose();
        let (rpl, error) = rpl.map_or_else(|error| (None, Some(error)), |rpl| (rpl, None));
        self.packet.icmpv6 = Some(Icmp { header, rpl });
        error.map_or(Ok(()), Err)
    }

    fn udp(&mut self, octets: &[u8]) -> Result<(), wire::Error> {
        let datagram = Datagram::read(octets, self.is_cut)?;
        let ports = [datagram.header.src_port, datagram.header.dst_port];
        self.packet.udp = Some(datagram.header.clone());
        if !ports.iter().any(|port| self.trace.options.ports.contains(port)) {
            return Ok(());
        }
        match datagram.content(Vec::new())? {
            Content::Coap(header) | Content::Odd(header) => {
                self.packet.coap = Some(CoapMessage { header, octets: datagram.payload().to_vec() });
                Ok(())
            }
            Content::Cut => self.unsupported("CoAP cut by the sniffer before its token".to_owned()),
            Content::Dtls => Ok(()),
        }
    }
}
