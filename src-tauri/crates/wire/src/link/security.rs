//! Opening secured 802.15.4 frames: CCM* (IEEE Std 802.15.4-2015 9.3, Annex B; 802.15.4-2006 7.6.3).
//!
//! Keys, and the extended address that a short one stands for, belong to the caller. AES and CCM are
//! RustCrypto's.

use crate::link::ieee802154::{AuxSecurity, FrameType, Ie, ie};
use crate::{ByteRange, Error, MacHeader, Reader};
use aes::Aes128;
use base::Layer;
use ccm::aead::{AeadInOut, KeyInit};
use ccm::consts::{U4, U8, U13, U16};
use ccm::{Ccm, Nonce, Tag, TagSize};
use std::fmt;

/// AES key, 128 bits.
pub type Key = [u8; 16];

/// Content of a secured frame after decryption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Octets of the MAC payload in clear: payload IEs and the payload behind them. Ranges below are relative to
    /// it.
    pub octets: Vec<u8>,
    /// Payload IEs in order, the termination IE included.
    pub payload_ies: Vec<Ie>,
    /// Range of the payload behind the payload IEs, for the layer above.
    pub payload: ByteRange,
    /// Error in the payload IEs; `payload` is then everything behind the last readable one.
    pub error: Option<Error>,
}

/// Reason for which a frame was not opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// The frame has no auxiliary security header: it is not secured, or by the rules of 2003.
    NoSecurityHeader,
    /// The frame counter is suppressed: [`open_tsch`] and the slot number are needed.
    NoFrameCounter,
    /// The message integrity code does not match: wrong key, wrong source address, or a damaged frame.
    Forged,
    /// The header is not that of these octets.
    Mismatch,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSecurityHeader => "the frame has no auxiliary security header",
            Self::NoFrameCounter => "the frame counter is suppressed and the absolute slot number is not known",
            Self::Forged => "the message integrity code does not match: wrong key or source address, or damage",
            Self::Mismatch => "the header is of another frame",
        })
    }
}

impl std::error::Error for Closed {}

/// Opens a frame secured with a frame counter. `psdu` is without its FCS, `header` its parsed header,
/// `source` the extended address of its sender, most significant octet first.
///
/// Level 4 authenticates nothing: any key opens the frame, but only the right one yields a payload that parses.
///
/// # Errors
/// See [`Closed`].
pub fn open(psdu: &[u8], header: &MacHeader, key: &Key, source: [u8; 8]) -> Result<Opened, Closed> {
    let aux = header.aux_security.as_ref().ok_or(Closed::NoSecurityHeader)?;
    let counter = aux.frame_counter.ok_or(Closed::NoFrameCounter)?;
    open_with(psdu, header, aux, key, counter_nonce(source, counter, aux.level))
}

/// Opens a TSCH frame whose nonce holds the absolute slot number `asn` (40 bits) instead of a frame counter
/// (802.15.4-2015 9.3.3.2). The others are as for [`open`].
///
/// # Errors
/// See [`Closed`].
pub fn open_tsch(psdu: &[u8], header: &MacHeader, key: &Key, source: [u8; 8], asn: u64) -> Result<Opened, Closed> {
    let aux = header.aux_security.as_ref().ok_or(Closed::NoSecurityHeader)?;
    open_with(psdu, header, aux, key, tsch_nonce(source, asn))
}

/// Nonce of source address, frame counter and security level, each most significant octet first (9.3.3.1).
fn counter_nonce(source: [u8; 8], counter: u32, level: u8) -> [u8; 13] {
    let [a, b, c, d, e, f, g, h] = source;
    let [i, j, k, l] = counter.to_be_bytes();
    [a, b, c, d, e, f, g, h, i, j, k, l, level]
}

/// Nonce of source address and slot number of 40 bits (9.3.3.2).
fn tsch_nonce(source: [u8; 8], asn: u64) -> [u8; 13] {
    let [a, b, c, d, e, f, g, h] = source;
    let [_, _, _, i, j, k, l, m] = asn.to_be_bytes();
    [a, b, c, d, e, f, g, h, i, j, k, l, m]
}

fn open_with(psdu: &[u8], header: &MacHeader, aux: &AuxSecurity, key: &Key, nonce: [u8; 13]) -> Result<Opened, Closed> {
    let (body, mic) = psdu.split_at_checked(header.payload.end).ok_or(Closed::Mismatch)?;
    // Encrypted payload IEs are in the payload; those in clear are of the MHR's span, and of the private payload.
    let start = header.payload_ies.first().map_or(header.payload.start, |ie| ie.span.start);
    let payload = body.get(start..).ok_or(Closed::Mismatch)?;
    let open = open_payload_len(header, payload);
    let (authenticated, private) = body.split_at_checked(start.saturating_add(open)).ok_or(Closed::Mismatch)?;
    // Levels below 4 authenticate all and encrypt nothing (9.3.4).
    let (authenticated, mut private) =
        if aux.is_encrypted() { (authenticated, private.to_vec()) } else { (body, Vec::new()) };
    if mic.len() != aux.mic_len() {
        return Err(Closed::Mismatch);
    }
    match aux.mic_len() {
        4 => verify::<U4>(key, nonce, authenticated, &mut private, mic),
        8 => verify::<U8>(key, nonce, authenticated, &mut private, mic),
        16 => verify::<U16>(key, nonce, authenticated, &mut private, mic),
        // Level 4 is the key stream alone, which is its own inverse; level 0 is nothing.
        _ if aux.is_encrypted() => key_stream(key, nonce, &mut private),
        _ => Some(()),
    }
    .ok_or(Closed::Forged)?;
    let octets = if aux.is_encrypted() {
        let mut octets = payload.get(..open).unwrap_or_default().to_vec();
        octets.append(&mut private);
        octets
    } else {
        payload.to_vec()
    };
    Ok(Opened::of(octets, header))
}

/// Length of the start of the MAC payload that stays in clear, octets (9.3.2, Table 9-1; 2006: Table 95): all of a
/// beacon's but its payload, and the identifier of a command, before the 2015 edition.
fn open_payload_len(header: &MacHeader, payload: &[u8]) -> usize {
    const VERSION_2015: u8 = 2;
    match header.frame_type {
        FrameType::Command if header.version < VERSION_2015 => 1,
        FrameType::Beacon if header.version < VERSION_2015 => crate::link::ieee802154::beacon_fields_len(payload),
        _ => 0,
    }
    .min(payload.len())
}

fn verify<M>(key: &Key, nonce: [u8; 13], authenticated: &[u8], private: &mut [u8], mic: &[u8]) -> Option<()>
where
    M: ccm::aead::array::ArraySize + TagSize,
{
    let tag = Tag::<M>::try_from(mic).ok()?;
    let cipher = Ccm::<Aes128, M, U13>::new(&(*key).into());
    cipher.decrypt_inout_detached(&Nonce::from(nonce), authenticated, private.into(), &tag).ok()
}

/// CCM*'s encryption without authentication (Annex B.4.1.3): CCM's key stream, its tag left out.
fn key_stream(key: &Key, nonce: [u8; 13], private: &mut [u8]) -> Option<()> {
    let cipher = Ccm::<Aes128, U4, U13>::new(&(*key).into());
    cipher.encrypt_inout_detached(&Nonce::from(nonce), &[], private.into()).ok().map(drop)
}

impl Opened {
    fn of(octets: Vec<u8>, header: &MacHeader) -> Self {
        let mut payload_ies = Vec::new();
        let mut r = Reader::new(&octets, Layer::Link);
        let announced = header.header_ies.last().is_some_and(Ie::announces_payload_ies);
        let error = if announced { ie::read_payload_list(&mut r, &mut payload_ies).err() } else { None };
        let payload = match &error {
            Some(_) => payload_ies.last().map_or(0, |ie: &Ie| ie.span.end)..octets.len(),
            None => r.rest_span(),
        };
        Self { octets, payload_ies, payload, error }
    }
}
