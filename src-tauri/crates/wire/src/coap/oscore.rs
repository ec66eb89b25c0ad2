//! The value of the OSCORE option (RFC 8613 §6.1): what a protected message says in clear.

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Value of the OSCORE option: the header of a compressed COSE object. Its ranges are relative to the value.
///
/// ```text
///  0     3   4   5     8
/// +-----+---+---+-----+----------------+------------+-------------+-----------------+
/// | 000 | h | k |  n  | Partial IV: n  | s, if h    | kid context | kid, if k: rest |
/// +-----+---+---+-----+----------------+------------+-------------+-----------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Oscore {
    /// Range of the Partial IV, 1 to 5 octets: the sender sequence number of a request.
    pub partial_iv: Option<ByteRange>,
    /// Range of the key ID context.
    pub kid_context: Option<ByteRange>,
    /// Range of the key ID, which is the sender's; may be empty.
    pub kid: Option<ByteRange>,
}

impl Oscore {
    /// Reads the value of an option; spans are relative to it.
    ///
    /// # Errors
    /// A field ends early, or a reserved bit or length is used.
    pub fn parse(value: &[u8]) -> Result<Self, Error> {
        /// Greatest length of the Partial IV, octets: 6 and 7 are reserved (RFC 8613 §6.1).
        const MAX_PARTIAL_IV: u8 = 5;
        if value.is_empty() {
            return Ok(Self::default());
        }
        let mut r = Reader::new(value, Layer::Coap);
        let flags = r.u8()?;
        if flags & 0xe0 != 0 {
            return Err(r.error_at(0, Kind::Reserved("flag bits of the OSCORE option")));
        }
        if flags & 7 > MAX_PARTIAL_IV {
            return Err(r.error_at(0, Kind::Reserved("Partial IV of 6 or 7 octets")));
        }
        if flags == 0 {
            return Err(r.error_at(0, Kind::Invalid("OSCORE option with flags of zero must be empty")));
        }
        let partial_iv = if flags & 7 > 0 { Some(r.span(usize::from(flags & 7))?) } else { None };
        let kid_context = if flags & 0x10 != 0 {
            let len = r.u8()?;
            Some(r.span(usize::from(len))?)
        } else {
            None
        };
        let kid = if flags & 8 != 0 { Some(r.rest_span()) } else { None };
        if !r.is_empty() {
            return Err(r.error(Kind::Invalid("octets behind the OSCORE option's fields")));
        }
        Ok(Self { partial_iv, kid_context, kid })
    }
}
