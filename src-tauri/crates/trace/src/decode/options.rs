//! Options of decoding.

use super::keyring::LinkKey;
use std::net::Ipv6Addr;

/// Options that decoding needs beside the frames.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeOptions {
    /// UDP ports that are decoded as CoAP (RFC 7252 §6.1: 5683). Others are found by the messages there, and added in
    /// the second pass.
    pub ports: Vec<u16>,
    /// Number of the retransmission-count option. The default is the first number of the
    /// experimental range (RFC 7252 §12.2) that is elective, safe to forward and no cache key.
    pub rc_option: u16,
    /// 6LoWPAN contexts: number (0 to 15), prefix and its length in bits. Those not given are learned from RPL and
    /// neighbour discovery.
    pub contexts: Vec<(u8, Ipv6Addr, u8)>,
    /// Keys of secured 802.15.4 frames.
    pub keys: Vec<LinkKey>,
    /// Pairs of short and extended address (most significant octet first), beside those that the capture says: keys
    /// alone do not open the frames of a node of which only the short address is known.
    pub addresses: Vec<(u16, [u8; 8])>,
    /// Facts from an earlier part of the same capture. Contexts that routers announce in this part, and contexts and
    /// addresses that are given, take precedence.
    pub learned: Learned,
    /// Drops the octets of the frames once they are decoded, a third of the memory; for summaries, which show no frame.
    pub drops_octets: bool,
}

/// Facts that frames tell of later frames: a capture that is read in parts hands them on ([`crate::Trace::learned`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Learned {
    /// 6LoWPAN contexts by number: number (0 to 15), prefix and its length in bits.
    pub contexts: Vec<(u8, Ipv6Addr, u8)>,
    /// Pairs of short and extended address, by short address; empty where no key was given.
    pub addresses: Vec<(u16, [u8; 8])>,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            ports: vec![5683],
            rc_option: 65_020,
            contexts: Vec::new(),
            keys: Vec::new(),
            addresses: Vec::new(),
            learned: Learned::default(),
            drops_octets: false,
        }
    }
}
