//! The auxiliary security header, 9.4.

use crate::{ByteRange, Error, Reader};

/// Auxiliary security header, 9.4.
///
/// ```text
///  0     2   3   4   5        6           7
/// +-------+-------+--------+-----------+---+---------------+------------------+
/// | level | key   | no     | ASN in    | - | frame counter | key source, key  |
/// |       | mode  | counter| nonce     |   | 0 or 4 octets | index: 0-9 octets|
/// +-------+-------+--------+-----------+---+---------------+------------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuxSecurity {
    /// Security Level, Table 9-6, 0 to 7: 1 to 3 authenticate, 4 encrypts, 5 to 7 do both.
    pub level: u8,
    /// Frame counter, a number that only grows; `None` when suppressed (TSCH uses the ASN).
    pub frame_counter: Option<u32>,
    /// Key Identifier Mode, Table 9-7, 0 to 3: implicit key, index only, source of 4 octets, source of 8.
    pub key_id_mode: u8,
    /// Key source: the last 4 (mode 2) or all 8 (mode 3) octets are the frame's, the rest are zero.
    pub key_source: [u8; 8],
    /// Key index, in modes 1 to 3.
    pub key_index: Option<u8>,
    /// Range of the whole header.
    pub span: ByteRange,
}

impl AuxSecurity {
    /// Reads the header at the cursor. Errs where it ends early.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let start = r.pos();
        let control = r.u8()?;
        let key_id_mode = (control >> 3) & 3;
        let frame_counter = if control & 0x20 == 0 { Some(r.u32_le()?) } else { None };
        let key_source = match key_id_mode {
            2 => u64::from(r.u32_be()?).to_be_bytes(),
            3 => r.array()?,
            _ => [0; 8],
        };
        let key_index = if key_id_mode == 0 { None } else { Some(r.u8()?) };
        Ok(Self { level: control & 7, frame_counter, key_id_mode, key_source, key_index, span: r.since(start) })
    }

    /// Returns whether payload IEs and payload are ciphertext: levels 4 to 7.
    #[must_use]
    pub const fn is_encrypted(&self) -> bool {
        self.level & 4 != 0
    }

    /// Length of the message integrity code at the end of the frame, octets: 0, 4, 8 or 16 (Table 9-6).
    #[must_use]
    pub const fn mic_len(&self) -> usize {
        match self.level & 3 {
            0 => 0,
            1 => 4,
            2 => 8,
            _ => 16,
        }
    }
}
