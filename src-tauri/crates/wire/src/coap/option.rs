//! Options (RFC 7252 §3.1).

use crate::{ByteRange, Error, Kind, Reader};

/// An option: its number and where it is.
///
/// ```text
///  0       4        8
/// +-------+--------+----------------+------------------+---------
/// | delta | length | delta, 13 or 14: | length, 13 or 14: | value
/// |       |        | 1 or 2 octets    | 1 or 2 octets     |
/// +-------+--------+------------------+-------------------+------
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionView {
    /// Option number: the sum of the deltas up to this option.
    pub number: u16,
    /// Range of the whole option: delta, length and value.
    pub span: ByteRange,
    /// Range of the value, the end of `span`; may be empty.
    pub value: ByteRange,
}

/// Octet that ends the options, before a payload (RFC 7252 §3).
const PAYLOAD_MARKER: u8 = 0xff;

/// Reads options up to the payload marker, on which the cursor stops, or to the end. Errs where an option ends early,
/// uses a reserved delta or length, or has a number over 65535.
pub(super) fn read_list(r: &mut Reader<'_>, list: &mut Vec<OptionView>) -> Result<(), Error> {
    let mut number = 0u16;
    while !r.is_empty() && r.peek()? != PAYLOAD_MARKER {
        let start = r.pos();
        let head = r.u8()?;
        let delta = extended(r, start, head >> 4, "option delta 15")?;
        let length = extended(r, start, head & 0xf, "option length 15")?;
        number = u32::from(number)
            .checked_add(delta)
            .and_then(|sum| u16::try_from(sum).ok())
            .ok_or_else(|| r.error_at(start, Kind::Invalid("option number over 65535")))?;
        let value = r.span(length as usize)?;
        list.push(OptionView { number, span: r.since(start), value });
    }
    Ok(())
}

/// A delta or length from its nibble and the octets it announces: at most 65535 + 269.
fn extended(r: &mut Reader<'_>, start: usize, nibble: u8, reserved: &'static str) -> Result<u32, Error> {
    match nibble {
        0..=12 => Ok(u32::from(nibble)),
        13 => Ok(u32::from(r.u8()?).saturating_add(13)),
        14 => Ok(u32::from(r.u16_be()?).saturating_add(269)),
        _ => Err(r.error_at(start, Kind::Reserved(reserved))),
    }
}

/// The value of a Block1 or Block2 option (RFC 7959 §2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block {
    /// Block number, from 0; 20 bits in the option.
    pub num: u32,
    /// True if more blocks follow.
    pub more: bool,
    /// Size exponent, 0 to 7; 7 is reserved over UDP.
    pub szx: u8,
}

impl Block {
    /// Block size in octets: 16 to 1024 (2048 for the reserved exponent).
    #[must_use]
    pub const fn size(self) -> u16 {
        16u16.wrapping_shl(self.szx as u32)
    }
}

impl From<u32> for Block {
    fn from(value: u32) -> Self {
        Self { num: value >> 4, more: value & 8 != 0, szx: (value & 7) as u8 }
    }
}
