//! A 6LoWPAN compressor that can produce every encoding RFC 6282 allows for a datagram, and extension headers in byte
//! code (RFC 7400).

use crate::{Choices, ghc};
use wire::MacAddr;
use wire::lowpan::{ContextTable, Prefix};

pub type Address = [u8; 16];

/// A datagram, and what a compressor may assume about it.
#[derive(Clone, Debug)]
pub struct Datagram {
    pub src_link: MacAddr,
    pub dst_link: MacAddr,
    pub contexts: ContextTable,
    pub traffic_class: u8,
    pub flow_label: u32,
    pub hop_limit: u8,
    pub src: Address,
    pub dst: Address,
    pub extensions: Vec<Extension>,
    pub udp: Option<(u16, u16, u16)>,
    pub payload: Vec<u8>,
}

/// An extension header: its number and ID, and its octets behind next header and length.
#[derive(Clone, Debug)]
pub struct Extension {
    pub protocol: u8,
    pub id: u8,
    pub body: Vec<u8>,
    /// Number of trailing octets of `body` that are a padding option.
    pub padding: usize,
}

/// `prefix` before `iid`, prefix bits first: RFC 6282 §3.1.1.
pub fn join(prefix: Prefix, iid: [u8; 8]) -> Address {
    let mut address = [[0; 8], iid].concat();
    for bit in 0..usize::from(prefix.len) {
        let mask = 0x80 >> (bit % 8);
        address[bit / 8] = address[bit / 8] & !mask | prefix.octets[bit / 8] & mask;
    }
    address.try_into().unwrap()
}

pub fn short(low: [u8; 2]) -> [u8; 8] {
    [0, 0, 0, 0xff, 0xfe, 0, low[0], low[1]]
}

/// An encoding of an address: SAC/DAC, SAM/DAM, context, inline octets.
type Encoding = (bool, u8, u8, Vec<u8>);

/// Encodings 1 to 3 of a unicast address under `prefix`.
fn modes(address: Address, prefix: Prefix, link: MacAddr) -> Vec<(u8, Vec<u8>)> {
    let (inline64, inline16) = (address[8..].try_into().unwrap(), address[14..].try_into().unwrap());
    let mut modes = vec![];
    if join(prefix, inline64) == address {
        modes.push((1, inline64.to_vec()));
    }
    if join(prefix, short(inline16)) == address {
        modes.push((2, inline16.to_vec()));
    }
    if link.iid().is_some_and(|iid| join(prefix, iid) == address) {
        modes.push((3, vec![]));
    }
    modes
}

fn unicast_encodings(address: Address, link: MacAddr, contexts: &ContextTable) -> Vec<Encoding> {
    let mut all: Vec<Encoding> = vec![(false, 0, 0, address.to_vec())];
    all.extend(modes(address, Prefix::LINK_LOCAL, link).into_iter().map(|(mode, inline)| (false, mode, 0, inline)));
    for (id, prefix) in contexts.0.iter().enumerate() {
        if let Some(prefix) = prefix {
            all.extend(modes(address, *prefix, link).into_iter().map(|(mode, inline)| (true, mode, id as u8, inline)));
        }
    }
    all
}

fn multicast_encodings(a: Address, contexts: &ContextTable) -> Vec<Encoding> {
    let zero = |range: std::ops::Range<usize>| a[range].iter().all(|octet| *octet == 0);
    let mut all = vec![(false, 0, 0, a.to_vec())];
    if zero(2..11) {
        all.push((false, 1, 0, [&a[1..2], &a[11..]].concat()));
    }
    if zero(2..13) {
        all.push((false, 2, 0, [&a[1..2], &a[13..]].concat()));
    }
    if a[1] == 2 && zero(2..15) {
        all.push((false, 3, 0, vec![a[15]]));
    }
    for (id, prefix) in contexts.0.iter().enumerate() {
        if prefix.is_some_and(|prefix| prefix.len.min(64) == a[3] && join(prefix, [0; 8])[..8] == a[4..12]) {
            all.push((true, 0, id as u8, [&a[1..3], &a[12..]].concat()));
        }
    }
    all
}

impl Datagram {
    /// Uncompressed, as RFC 8200 has it.
    pub fn octets(&self) -> Vec<u8> {
        let mut chain = vec![];
        for (i, extension) in self.extensions.iter().enumerate() {
            chain.push(self.protocol(i + 1));
            chain.push(if extension.protocol == 44 { 0 } else { ((extension.body.len() + 2) / 8 - 1) as u8 });
            chain.extend(&extension.body);
        }
        if let Some((src, dst, checksum)) = self.udp {
            for field in [src, dst, 8 + self.payload.len() as u16, checksum] {
                chain.extend(field.to_be_bytes());
            }
        }
        chain.extend(&self.payload);
        let mut out = (6 << 28 | u32::from(self.traffic_class) << 20 | self.flow_label).to_be_bytes().to_vec();
        out.extend((chain.len() as u16).to_be_bytes());
        out.extend([self.protocol(0), self.hop_limit]);
        out.extend(self.src);
        out.extend(self.dst);
        out.extend(chain);
        out
    }

    /// The protocol of header `i` behind the fixed one.
    fn protocol(&self, i: usize) -> u8 {
        let upper = if self.udp.is_some() { 17 } else { 200 };
        self.extensions.get(i).map_or(upper, |extension| extension.protocol)
    }

    /// Ways to write traffic class and flow label (RFC 6282 §3.1.1, TF).
    fn traffic_encodings(&self) -> Vec<(u8, Vec<u8>)> {
        let (ecn, dscp) = (self.traffic_class & 3, self.traffic_class >> 2);
        let flow = self.flow_label.to_be_bytes();
        let mut tf = vec![(0, vec![ecn << 6 | dscp, flow[1], flow[2], flow[3]])];
        if dscp == 0 {
            tf.push((1, vec![ecn << 6 | flow[1], flow[2], flow[3]]));
        }
        if self.flow_label == 0 {
            tf.push((2, vec![ecn << 6 | dscp]));
        }
        if self.flow_label == 0 && self.traffic_class == 0 {
            tf.push((3, vec![]));
        }
        tf
    }

    /// Compressed in one of the ways RFC 6282 and RFC 7400 §3.2 allow. Returns how many octets precede what is
    /// verbatim, and whether the UDP checksum was left out.
    pub fn compress(&self, choices: &mut Choices) -> (Vec<u8>, usize, bool) {
        // Behind the first header that is not compressed, none is.
        let chain_len = self.extensions.len() + usize::from(self.udp.is_some());
        let compressed = choices.below(chain_len + 1);

        let tf = self.traffic_encodings();
        let mut hlim = vec![(0, vec![self.hop_limit])];
        for (mode, value) in [(1, 1), (2, 64), (3, 255)] {
            if self.hop_limit == value {
                hlim.push((mode, vec![]));
            }
        }
        let mut sources = unicast_encodings(self.src, self.src_link, &self.contexts);
        if self.src == [0; 16] {
            sources.push((true, 0, 0, vec![]));
        }
        let multicast = self.dst[0] == 0xff;
        let destinations = if multicast {
            multicast_encodings(self.dst, &self.contexts)
        } else {
            unicast_encodings(self.dst, self.dst_link, &self.contexts)
        };
        let (tf, tf_inline) = choices.of(&tf);
        let (hlim, hlim_inline) = choices.of(&hlim);
        let (sac, sam, sci, src_inline) = choices.of(&sources);
        let (dac, dam, dci, dst_inline) = choices.of(&destinations);
        let cid = sci != 0 || dci != 0 || choices.yes();
        let nhc = compressed > 0;
        let mut out = vec![
            0x60 | tf << 3 | u8::from(nhc) << 2 | hlim,
            u8::from(cid) << 7 | u8::from(sac) << 6 | sam << 4 | u8::from(multicast) << 3 | u8::from(dac) << 2 | dam,
        ];
        if cid {
            out.push(sci << 4 | dci);
        }
        out.extend(tf_inline);
        if !nhc {
            out.push(self.protocol(0));
        }
        out.extend(hlim_inline);
        out.extend(src_inline);
        out.extend(dst_inline);

        let mut uncompressed_len = 40;
        for (i, extension) in self.extensions.iter().take(compressed).enumerate() {
            let next_is_compressed = i + 1 < compressed;
            // RFC 7400 §3.2.
            let in_code = extension.id < 4 && choices.yes();
            out.push(if in_code { 0xb0 } else { 0xe0 } | extension.id << 1 | u8::from(next_is_compressed));
            if !next_is_compressed {
                out.push(self.protocol(i + 1));
            }
            let elide = choices.below(extension.padding.min(1) + 1) * extension.padding;
            let body = &extension.body[..extension.body.len() - elide];
            if in_code {
                out.extend(ghc::code(self.src, self.dst, body));
            } else {
                out.push(body.len() as u8);
                out.extend(body);
            }
            uncompressed_len += 2 + extension.body.len();
        }
        let mut elided = false;
        if let Some((src, dst, checksum)) = self.udp
            && compressed == chain_len
        {
            let (p, inline) = choices.of(&port_encodings(src, dst));
            elided = checksum == 0;
            out.push(0xf0 | u8::from(elided) << 2 | p);
            out.extend(inline);
            if !elided {
                out.extend(checksum.to_be_bytes());
            }
            uncompressed_len += 8;
        }
        let consumed = out.len();
        out.extend(&self.octets()[uncompressed_len..]);
        (out, consumed, elided)
    }
}

/// Ways to write the ports of UDP (RFC 6282 §4.3.3, P).
fn port_encodings(src: u16, dst: u16) -> Vec<(u8, Vec<u8>)> {
    let [s, d] = [src.to_be_bytes(), dst.to_be_bytes()];
    let mut ports = vec![(0, [s, d].concat())];
    if d[0] == 0xf0 {
        ports.push((1, vec![s[0], s[1], d[1]]));
    }
    if s[0] == 0xf0 {
        ports.push((2, vec![s[1], d[0], d[1]]));
    }
    if src & 0xfff0 == 0xf0b0 && dst & 0xfff0 == 0xf0b0 {
        ports.push((3, vec![s[1] << 4 | d[1] & 0xf]));
    }
    ports
}
