//! DTLS records, as far as saying that a UDP payload is one (RFC 6347 §4.1, RFC 9146 §4, RFC 9147 §4).

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// UDP port of CoAP over DTLS (RFC 7252 §6.2).
pub const COAPS_PORT: u16 = 5684;

/// Content type of a record with a connection ID (RFC 9146 §4).
const TLS12_CID: u8 = 25;

/// A DTLS record header.
///
/// ```text
/// +----------+--------------+-------------+---------------+--------------------+-------------+
/// | type (8) | version (16) | epoch (16)  | sequence (48) | CID, with type 25  | length (16) |
/// +----------+--------------+-------------+---------------+--------------------+-------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DtlsRecord {
    /// Content type: 20 to 26.
    pub content_type: u8,
    /// Version number: 0xfeff for 1.0, 0xfefd for 1.2 and, for compatibility, 1.3, 0xfefc for 1.3, 0x0100 for OpenSSL's
    /// before 1.0 was final.
    pub version: u16,
    /// Epoch, which counts changes of keys from 0; records of epoch 0 are in clear.
    pub epoch: u16,
    /// Sequence number within the epoch, 48 bits.
    pub sequence: u64,
    /// Range of the content, to the end of the record. With a connection ID, whose length the record does not state,
    /// all that is left of the datagram: connection ID, length and content.
    pub content: ByteRange,
}

impl DtlsRecord {
    /// Reads the record at the start of `octets`.
    ///
    /// # Errors
    /// The record ends early, or is not one of DTLS 1.0 to 1.3 with a header in clear.
    pub fn parse(octets: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(octets, Layer::Udp);
        let content_type = r.u8()?;
        if !(20..=26).contains(&content_type) {
            return Err(r.error_at(0, Kind::Invalid("not a DTLS content type")));
        }
        let version = r.u16_be()?;
        // 0x0100: OpenSSL's before 1.0 was final.
        if !matches!(version, 0xfeff | 0xfefd | 0xfefc | 0x0100) {
            return Err(r.error_at(1, Kind::Invalid("not a DTLS version")));
        }
        let epoch = r.u16_be()?;
        let [a, b, c, d, e, f] = r.array()?;
        let sequence = u64::from_be_bytes([0, 0, a, b, c, d, e, f]);
        let content = if content_type == TLS12_CID {
            r.rest_span()
        } else {
            let len = r.u16_be()?;
            r.span(usize::from(len))?
        };
        Ok(Self { content_type, version, epoch, sequence, content })
    }

    /// Registered name of the content type.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.content_type {
            20 => "Change Cipher Spec",
            21 => "Alert",
            22 => "Handshake",
            23 => "Application Data",
            24 => "Heartbeat",
            TLS12_CID => "Record with connection ID",
            _ => "ACK",
        }
    }
}

/// Records that fill a UDP payload, in order: offset of the record in the payload, and the record, whose range is
/// relative to that offset. `None` if the payload is empty, is no sequence of DTLS records, or begins with a unified
/// header of DTLS 1.3 (RFC 9147 §4), which any octets may resemble.
#[must_use]
pub fn records(udp_payload: &[u8]) -> Option<Vec<(usize, DtlsRecord)>> {
    let mut records = Vec::new();
    let mut at = 0usize;
    while at < udp_payload.len() {
        let record = DtlsRecord::parse(udp_payload.get(at..)?).ok()?;
        let end = at.saturating_add(record.content.end);
        records.push((at, record));
        at = end;
    }
    (!records.is_empty()).then_some(records)
}
