//! From an IP datagram to the CoAP message it carries.

use super::ip_piece::Piece;
use super::{Facts, Walk};
use crate::decode::series::Series;
use crate::model::{Endpoint, Frame};
use base::{FrameId, Layer};
use std::borrow::Cow;
use std::net::Ipv6Addr;
use wire::coap::OptionView;
use wire::ipv4::Ipv4;
use wire::ipv6::{IPV6, NESTED, TCP, UDP};
use wire::{Coap, Error, Ipv6, Udp, dtls, udp};

/// Facts of a CoAP message on one hop.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Fields that all hops share.
    pub(super) facts: Facts,
    /// Length of the CoAP payload, octets.
    pub(super) payload: u16,
    /// Destination in the IP header, where that is not the final one.
    pub(super) header_dst: Option<Ipv6Addr>,
    /// Hop limit of the outermost IP header, 0 to 255.
    pub(super) hop_limit: u8,
}

/// Fields of the IP header that may differ from hop to hop.
#[derive(Clone, Copy)]
pub(super) struct IpHeader {
    dst: Ipv6Addr,
    hop_limit: u8,
}

/// Part of a datagram that is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The whole datagram, to its last octet.
    Whole,
    /// The part that the sniffer kept of the record: the rest was sent too.
    Cut,
    /// The beginning, zeros behind it: errors that parsing meets there are not noted.
    Beginning,
}

impl Extent {
    /// Returns the part of a frame that its record holds.
    pub(super) fn of(frame: &Frame) -> Self {
        if frame.cut { Self::Cut } else { Self::Whole }
    }
}

/// Default port of CoAP over DTLS (RFC 7252 §6.2) and over TLS (RFC 8323 §8.2).
const SECURE_PORT: u16 = 5_684;

/// Length of a CoAP header before the token, octets (RFC 7252 §3).
const COAP_HEADER: usize = 4;

/// A UDP datagram, as far as its record holds it. Import and packet list read it by this one rule.
pub(crate) struct Datagram<'a> {
    /// UDP header; its spans point into the octets of the datagram, those that are missing included.
    pub(crate) header: Udp,
    /// Octets of the datagram from its UDP header on, zeros in place of those that the sniffer cut off.
    octets: Cow<'a, [u8]>,
    /// Octets of the payload that the record holds.
    held: usize,
}

/// Content of a UDP datagram on a port of CoAP.
pub(crate) enum Content {
    /// A CoAP message that could be parsed.
    Coap(Coap),
    /// An Empty message with a token, options or payload, against RFC 7252 §4.1; peers take it for what its type says.
    Odd(Coap),
    /// Records of DTLS, which are not decrypted.
    Dtls,
    /// The record ends before the CoAP token does.
    Cut,
}

impl<'a> Datagram<'a> {
    /// Reads the UDP datagram `upper`, of which the sniffer may have kept only the beginning (`is_cut`).
    ///
    /// # Errors
    /// Errors of [`Udp::parse`].
    pub(crate) fn read(upper: &'a [u8], is_cut: bool) -> Result<Self, Error> {
        let mut octets = Cow::Borrowed(upper);
        if let (true, &[_, _, _, _, high, low, ..]) = (is_cut, upper) {
            let len = usize::from(u16::from_be_bytes([high, low]));
            if len > upper.len() {
                octets.to_mut().resize(len, 0);
            }
        }
        let header = Udp::parse(&octets)?;
        let held = upper.len().saturating_sub(udp::HEADER_LEN).min(header.payload.len());
        Ok(Self { header, octets, held })
    }

    /// Returns the UDP payload, with zeros for octets that are not held.
    pub(crate) fn payload(&self) -> &[u8] {
        self.octets.get(self.header.payload.clone()).unwrap_or_default()
    }

    /// Returns whether some of the payload is not held.
    pub(crate) fn is_filled(&self) -> bool {
        self.held < self.header.payload.len()
    }

    /// Returns the content of the payload; a CoAP message has those options that are held whole, in the buffer of
    /// `list`.
    ///
    /// # Errors
    /// Errors of [`Coap::parse`].
    pub(crate) fn content(&self, list: Vec<OptionView>) -> Result<Content, Error> {
        let payload = self.payload();
        if dtls::records(payload).is_some() {
            return Ok(Content::Dtls);
        }
        let token_len = payload.first().map_or(0, |first| usize::from(first & 0xf));
        if self.is_filled() && self.held < COAP_HEADER + token_len {
            return Ok(Content::Cut);
        }
        match Coap::parse_with(payload, list) {
            Ok(mut coap) => {
                coap.options.retain(|option| option.span.end <= self.held);
                Ok(Content::Coap(coap))
            }
            Err(error) => {
                let (coap, _) = Coap::parse_partly(payload);
                let token = coap.odd_token(payload).ok_or(error)?;
                Ok(Content::Odd(Coap { token, ..coap }))
            }
        }
    }
}

impl Walk<'_> {
    /// Returns the CoAP facts of an IPv6 datagram that carries CoAP, itself or in tunnels (RFC 2473); else `None`.
    pub(super) fn coap_of(&mut self, id: FrameId, datagram: &[u8], extent: Extent) -> Option<Head> {
        self.coap_within(id, datagram, None, extent)
    }

    /// Does the same inside another header, whose hop limit is `limit`; `None` where there is none.
    fn coap_within(&mut self, id: FrameId, mut datagram: &[u8], mut limit: Option<u8>, extent: Extent) -> Option<Head> {
        for _ in 0..NESTED {
            let is_inner = limit.is_some();
            let ipv6 = self.ipv6(id, datagram, extent)?;
            // Routers on the way take from the hop limit of the outermost header (RFC 2473 §3.1).
            let hop_limit = *limit.get_or_insert(ipv6.hop_limit);
            let header = IpHeader { dst: Ipv6Addr::from(ipv6.dst), hop_limit };
            let (src, dst) = (Ipv6Addr::from(ipv6.src), Ipv6Addr::from(ipv6.final_dst()));
            let piece = Piece::of_ipv6(datagram, &ipv6);
            self.room.extensions = ipv6.extensions;
            if let Some(piece) = piece {
                if is_inner {
                    self.unjoined(id);
                    return None;
                }
                return self.ip_fragment(id, &piece, header, extent);
            }
            let upper = datagram.get(ipv6.payload).unwrap_or_default();
            match ipv6.upper {
                UDP => return self.udp(id, upper, (src, dst), header, extent),
                IPV6 => datagram = upper,
                TCP => {
                    self.tcp(id, upper);
                    return None;
                }
                _ => return None,
            }
        }
        self.notes.tally(Layer::Ipv6, "tunnels-too-deep", Some(id), None, || {
            format!("more than {NESTED} IP headers around each other; what is in them was not read")
        });
        None
    }

    fn ipv6(&mut self, id: FrameId, datagram: &[u8], extent: Extent) -> Option<Ipv6> {
        match Ipv6::parse_with(datagram, std::mem::take(&mut self.room.extensions)) {
            Ok(ipv6) => Some(ipv6),
            Err(error) => {
                if extent != Extent::Beginning {
                    self.note(Layer::Ipv6, "malformed-ipv6", id, &error);
                }
                None
            }
        }
    }

    /// Returns the CoAP facts of the UDP datagram `upper`, where its ports carry CoAP; datagrams on other ports are
    /// observed.
    pub(super) fn udp(
        &mut self,
        id: FrameId,
        upper: &[u8],
        (src, dst): (Ipv6Addr, Ipv6Addr),
        header: IpHeader,
        extent: Extent,
    ) -> Option<Head> {
        let datagram = match Datagram::read(upper, extent != Extent::Whole) {
            Ok(datagram) => datagram,
            Err(error) => {
                if extent != Extent::Beginning {
                    self.note(Layer::Udp, "malformed-udp", id, &error);
                }
                return None;
            }
        };
        let (udp, octets) = (&datagram.header, datagram.payload());
        let ports = [udp.src_port, udp.dst_port];
        if !ports.iter().any(|port| self.ports.contains(port)) {
            if ports.contains(&SECURE_PORT) {
                self.secured(id, octets);
            } else if extent == Extent::Whole {
                self.others.watch((src, udp.src_port), (dst, udp.dst_port), octets);
            }
            return None;
        }
        let coap = self.message(id, &datagram, extent)?;
        if coap.options.iter().any(|option| option.number == wire::coap::number::OSCORE) {
            self.notes.remark(Layer::Coap, "oscore", Some(id), None, || {
                "messages protected by OSCORE (RFC 8613): their true code, options and payload are inside".to_owned()
            });
        }
        if let Some(series) = Series::of(&coap, datagram.payload()) {
            self.series.push((id, series));
        }
        let payload = coap.payload.as_ref().map_or(0, |p| p.end.saturating_sub(p.start));
        let ends = (Endpoint { addr: src, port: udp.src_port }, Endpoint { addr: dst, port: udp.dst_port });
        let facts = Facts {
            path: self.datagrams.paths.number(ends),
            kind: coap.kind,
            code: coap.code,
            mid: coap.mid,
            token: coap.token,
            rc: coap.rc(octets, self.options.rc_option),
        };
        self.room.options = coap.options;
        Some(Head {
            facts,
            payload: u16::try_from(payload).unwrap_or(u16::MAX),
            header_dst: Some(header.dst).filter(|&at| at != dst),
            hop_limit: header.hop_limit,
        })
    }

    /// Returns the CoAP message of a datagram; where there is none, a note says why.
    fn message(&mut self, id: FrameId, datagram: &Datagram<'_>, extent: Extent) -> Option<Coap> {
        let coap = match datagram.content(std::mem::take(&mut self.room.options)) {
            Ok(Content::Coap(coap)) => coap,
            Ok(Content::Odd(_) | Content::Cut) | Err(_) if extent == Extent::Beginning => return None,
            Ok(Content::Odd(coap)) => {
                self.notes.tally(Layer::Coap, "empty-with-content", Some(id), None, || {
                    "an Empty message with a token, options or payload, against RFC 7252 §4.1; taken for what its type says"
                        .to_owned()
                });
                coap
            }
            Ok(Content::Dtls) => {
                self.secured(id, datagram.payload());
                return None;
            }
            Ok(Content::Cut) => {
                self.notes.tally(Layer::Coap, "cut-message", Some(id), None, || {
                    "the record ends before the token does; left out".to_owned()
                });
                return None;
            }
            Err(error) => {
                self.note(Layer::Coap, "malformed-coap", id, &error);
                return None;
            }
        };
        if datagram.is_filled() && extent == Extent::Cut {
            self.notes.remark(Layer::Coap, "cut-datagram", Some(id), None, || {
                "the sniffer cut the record; the message was read as far as it goes, its payload counts with the length \
                 that it had"
                    .to_owned()
            });
        }
        Some(coap)
    }

    /// Decodes an IP datagram off 802.15.4, where every record is a transmission of its own.
    pub(super) fn ip(&mut self, id: FrameId, frame: &Frame, octets: &[u8]) {
        let extent = Extent::of(frame);
        let head = match octets.first().map(|b| b >> 4) {
            Some(6) => self.coap_of(id, octets, extent),
            Some(4) => match Ipv4::parse(octets) {
                Ok(ipv4) => self.ipv4(id, octets, &ipv4, extent),
                Err(error) => {
                    self.note(Layer::Ipv6, "malformed-ipv4", id, &error);
                    None
                }
            },
            _ => None,
        };
        if let Some(head) = head {
            // Fragments of IP that came before, where this one completed a datagram.
            let frames = self.ip.joined.drain(..).chain([id]).collect();
            self.wired(frames, Some(id), &head);
        }
    }

    fn ipv4(&mut self, id: FrameId, octets: &[u8], ipv4: &Ipv4, extent: Extent) -> Option<Head> {
        let upper = octets.get(ipv4.payload.clone()).unwrap_or_default();
        let (src, dst) = (Ipv6Addr::from(ipv4.src), Ipv6Addr::from(ipv4.dst));
        let header = IpHeader { dst, hop_limit: ipv4.ttl };
        if let Some(piece) = Piece::of_ipv4(octets, ipv4) {
            return self.ip_fragment(id, &piece, header, extent);
        }
        match ipv4.protocol {
            UDP => self.udp(id, upper, (src, dst), header, extent),
            // 6in4 (RFC 4213).
            IPV6 => self.coap_within(id, upper, Some(ipv4.ttl), extent),
            TCP => {
                self.tcp(id, upper);
                None
            }
            _ => None,
        }
    }

    /// Remarks on DTLS, on its port or where CoAP was expected.
    fn secured(&mut self, id: FrameId, octets: &[u8]) {
        if dtls::records(octets).is_some() {
            self.notes.remark(Layer::Udp, "dtls", Some(id), None, || {
                "datagrams of DTLS: CoAP in them, if any, is encrypted".to_owned()
            });
        }
    }

    /// Remarks on CoAP over TCP or WebSockets (RFC 8323), which has no confirmable messages to analyse.
    fn tcp(&mut self, id: FrameId, segment: &[u8]) {
        let field = |at: usize| segment.get(at..at + 2).map(|port| u16::from_be_bytes([port[0], port[1]]));
        let is_coap = |port: Option<u16>| port.is_some_and(|port| port == SECURE_PORT || self.ports.contains(&port));
        let content = segment.get(12).and_then(|octet| segment.get(usize::from(octet >> 4) * 4..)).unwrap_or_default();
        if (is_coap(field(0)) || is_coap(field(2))) && !content.is_empty() {
            self.notes.remark(Layer::Coap, "coap-over-tcp", Some(id), None, || {
                "CoAP over TCP or TLS (RFC 8323) leaves retransmission to TCP: not decoded".to_owned()
            });
        } else if content.starts_with(b"GET ") && content.windows(WEBSOCKET.len()).any(|text| text == WEBSOCKET) {
            self.notes.remark(Layer::Coap, "coap-over-websockets", Some(id), None, || {
                "CoAP over WebSockets (RFC 8323) leaves retransmission to TCP: not decoded".to_owned()
            });
        }
    }
}

/// Header field that asks for CoAP when a WebSocket is opened (RFC 8323 §4.1).
const WEBSOCKET: &[u8] = b"Sec-WebSocket-Protocol: coap";
