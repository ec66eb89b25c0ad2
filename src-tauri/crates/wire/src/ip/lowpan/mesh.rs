//! The mesh addressing header (RFC 4944 §5.2).

use crate::{ByteRange, Error, MacAddr, Reader};

/// Mesh addressing header: link-layer addresses of the originator and of the final destination.
///
/// ```text
///  0    2   3   4           8
/// +----+---+---+-----------+-------------------+------------------+---------------+
/// | 10 | V | F | hops left | deep hops, if 0xF | originator: 8, 2 | final: 8, 2   |
/// +----+---+---+-----------+-------------------+------------------+---------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mesh {
    /// Hops that the frame may still travel: 0 to 14, or up to 255 with an octet of deep hops.
    pub hops_left: u8,
    /// Link-layer address of the first sender.
    pub originator: MacAddr,
    /// Link-layer address of the last receiver.
    pub final_dst: MacAddr,
    /// Range of the header.
    pub span: ByteRange,
}

impl Mesh {
    /// Hops Left value that announces an octet of deep hops.
    const DEEP: u8 = 0xf;

    /// Reads a header known to be a mesh header. Errs where it ends early.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let start = r.pos();
        let head = r.u8()?;
        let hops_left = match head & 0xf {
            Self::DEEP => r.u8()?,
            hops => hops,
        };
        // V and F: 1 is a short address, 0 an EUI-64; both most significant octet first.
        let mut address = |short| -> Result<MacAddr, Error> {
            if short { r.u16_be().map(MacAddr::Short) } else { r.array().map(MacAddr::Extended) }
        };
        let originator = address(head & 0x20 != 0)?;
        let final_dst = address(head & 0x10 != 0)?;
        Ok(Self { hops_left, originator, final_dst, span: r.since(start) })
    }
}
