//! Keys of secured frames, and which extended address a short one stands for: the nonce of CCM* is made of the extended
//! address of the sender (IEEE 802.15.4-2015 9.3.3.1), frames mostly carry the short one.
//!
//! Pairs are given by the user or learned from what is in clear: association responses, and link-local datagrams whose
//! IPv6 source is made of the extended address (RFC 4944 §6) in frames sent from the short one.

use super::lowpan::{LowpanView, MacPayload};
use crate::lookup::Map;
use crate::model::{Capture, Fcs, Link};
use std::fmt;
use wire::ieee802154::{FrameType, MacAddr, MacHeader};
use wire::ipv6::HEADER_LEN;
use wire::lowpan::{ContextTable, Decompressed};
use wire::security::{self, Closed, Opened};

/// A key of IEEE 802.15.4 security, and the frames it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LinkKey {
    /// AES-128 key, 16 octets.
    pub key: [u8; 16],
    /// Key Index of the frames it opens, one octet; `None`: any.
    pub index: Option<u8>,
    /// Key Source of the frames it opens, of which a source of four octets fills the last four; `None`: any.
    pub source: Option<[u8; 8]>,
}

impl LinkKey {
    /// Makes a key for all frames.
    #[must_use]
    pub const fn new(key: [u8; 16]) -> Self {
        Self { key, index: None, source: None }
    }
}

/// Omits the key: it must not end up in a log.
impl fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkKey").field("index", &self.index).field("source", &self.source).finish_non_exhaustive()
    }
}

/// The short and the extended address of one node.
type Pair = (u16, [u8; 8]);

/// Reason why a frame cannot be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sealed {
    /// No key was given for it.
    NoKey,
    /// There is a key, and the sender's extended address is not known.
    NoAddress,
    /// None of the keys that may be meant opens it.
    WrongKey,
    /// The frame lacks what the nonce needs, or its security is that of the 2003 edition.
    Unsupported(Closed),
}

/// Command frame identifier of an association response (802.15.4-2015 7.5.3).
const ASSOCIATION_RESPONSE: u8 = 2;

/// Least 16-bit value that is no short address: 0xfffe, "associated, use the extended one", and 0xffff, broadcast
/// (802.15.4-2015 7.5.3).
const NO_SHORT: u16 = 0xfffe;

/// Keys and addresses that open secured frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keyring {
    keys: Vec<LinkKey>,
    extended: Map<u16, [u8; 8]>,
}

impl Keyring {
    /// Makes the keyring of `keys`, with addresses in this order of precedence: `given`, `learned` (in an earlier part
    /// of the same capture), said in clear in this capture. Without keys no address is kept.
    pub fn learn(capture: &Capture, keys: &[LinkKey], given: &[Pair], learned: &[Pair]) -> Self {
        let mut ring = Self { keys: keys.to_vec(), extended: Map::default() };
        if ring.keys.is_empty() {
            return ring;
        }
        ring.extended.extend(learned.iter().copied());
        for frame in capture.frames.iter().filter(|frame| frame.link == Link::Ieee802154 && frame.fcs != Fcs::Bad) {
            if let Some((short, extended)) = pair(capture.octets_of(frame)) {
                ring.extended.entry(short).or_insert(extended);
            }
        }
        ring.extended.extend(given.iter().copied());
        ring
    }

    /// Returns the known pairs of short and extended address (most significant octet first), by short address.
    pub fn addresses(&self) -> Vec<(u16, [u8; 8])> {
        let known = |short| self.extended.get(&short).map(|&extended| (short, extended));
        if self.extended.is_empty() { Vec::new() } else { (0..=u16::MAX).filter_map(known).collect() }
    }

    /// Returns the MAC payload of `psdu`, opened where the frame is encrypted.
    ///
    /// # Errors
    /// [`Sealed`] where it cannot be opened.
    #[inline]
    pub fn payload<'a>(&self, psdu: &'a [u8], header: &MacHeader) -> Result<MacPayload<'a>, Sealed> {
        if header.is_encrypted() {
            return self.open(psdu, header).map(MacPayload::Opened);
        }
        Ok(MacPayload::Clear(psdu.get(header.payload.clone()).unwrap_or_default()))
    }

    /// Opens the payload of the encrypted frame `psdu` with the first key that fits.
    ///
    /// # Errors
    /// [`Sealed`] where no key opens it, or the sender's extended address is not known.
    pub fn open(&self, psdu: &[u8], header: &MacHeader) -> Result<Opened, Sealed> {
        let aux = header.aux_security.as_ref().ok_or(Sealed::Unsupported(Closed::NoSecurityHeader))?;
        let is_meant = |key: &&LinkKey| {
            key.index.is_none_or(|index| aux.key_index == Some(index))
                && key.source.is_none_or(|source| aux.key_id_mode >= 2 && aux.key_source == source)
        };
        let mut keys = self.keys.iter().filter(is_meant).peekable();
        if keys.peek().is_none() {
            return Err(Sealed::NoKey);
        }
        let source = match header.src {
            MacAddr::Extended(source) => source,
            MacAddr::Short(short) => *self.extended.get(&short).ok_or(Sealed::NoAddress)?,
            MacAddr::None => return Err(Sealed::NoAddress),
        };
        let mut error = Sealed::WrongKey;
        for key in keys {
            match security::open(psdu, header, &key.key, source) {
                Ok(opened) => return Ok(opened),
                Err(Closed::Forged) => {}
                Err(closed) => error = Sealed::Unsupported(closed),
            }
        }
        Err(error)
    }
}

/// Returns the short and the extended address of one node, where the clear frame `psdu` says both; else `None`.
pub(crate) fn pair(psdu: &[u8]) -> Option<(u16, [u8; 8])> {
    let header = MacHeader::parse(psdu).ok().filter(|header| !header.is_encrypted())?;
    let payload = psdu.get(header.payload.clone())?;
    match (header.frame_type, header.src, header.dst) {
        (FrameType::Command, _, MacAddr::Extended(dst)) => match payload {
            &[ASSOCIATION_RESPONSE, low, high, 0, ..] => {
                let short = u16::from_le_bytes([low, high]);
                (short < NO_SHORT).then_some((short, dst))
            }
            _ => None,
        },
        (FrameType::Data, MacAddr::Short(short), _) => {
            let lowpan = LowpanView::parse(payload, (header.src, header.dst)).ok()?;
            if lowpan.headers.mesh.is_some() || lowpan.headers.frag.as_ref().is_some_and(|frag| !frag.first) {
                return None;
            }
            let header = lowpan.decompress(&ContextTable::EMPTY, Decompressed::default()).ok()?.header;
            let src: &[u8; 16] = header.get(8..HEADER_LEN)?.first_chunk()?;
            // Link-local: it was not forwarded.
            let iid: &[u8; 8] = src.strip_prefix(&[0xfe, 0x80, 0, 0, 0, 0, 0, 0])?.first_chunk()?;
            let [first, b, c, d, e, f, g, h] = *iid;
            let of_short = [first, b, c, d, e, f] == [0, 0, 0, 0xff, 0xfe, 0];
            (!of_short && *iid != [0; 8]).then_some((short, [first ^ 2, b, c, d, e, f, g, h]))
        }
        _ => None,
    }
}
