//! Link-layer addresses, addressing modes, and the PAN IDs that a frame carries.

use crate::{Error, Kind, Reader};
use std::fmt;
use std::hash::{Hash, Hasher};

/// Error of addressing mode 1, which is reserved (7.2.1.8, Table 7-3).
pub(super) const RESERVED_MODE: Kind = Kind::Reserved("addressing mode 1");

/// Link-layer address of an 802.15.4 device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum MacAddr {
    /// Absence of an address in the frame.
    #[default]
    None,
    /// Short address, 16 bits.
    Short(u16),
    /// EUI-64, most significant octet first: the order it is printed in, not the order on the air.
    Extended([u8; 8]),
}

/// Hashes the address as one number, because every frame is looked up by its addresses.
impl Hash for MacAddr {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(match *self {
            Self::None => 0,
            Self::Short(short) => u64::from(short),
            Self::Extended(octets) => u64::from_be_bytes(octets),
        });
    }
}

impl MacAddr {
    /// Short address to which every device answers (7.2.4).
    pub const BROADCAST: Self = Self::Short(0xffff);

    /// IPv6 interface identifier derived from this address: the EUI-64 with its universal/local
    /// bit inverted (RFC 4291 App. A), or `0000:00ff:fe00:XXXX` (RFC 6282 §3.2.2; RFC 4944 §6 with an
    /// unknown PAN ID). `None` without an address.
    #[must_use]
    pub const fn iid(self) -> Option<[u8; 8]> {
        match self {
            Self::None => None,
            Self::Short(short) => Some(short_iid(short)),
            Self::Extended([first, b, c, d, e, f, g, h]) => Some([first ^ 0x02, b, c, d, e, f, g, h]),
        }
    }

    /// Reads an address in the octet order of the air, least significant first. Errs where the octets end before
    /// it does.
    pub(super) fn read(r: &mut Reader<'_>, mode: Mode) -> Result<Self, Error> {
        Ok(match mode {
            Mode::Absent => Self::None,
            Mode::Short => Self::Short(r.u16_le()?),
            Mode::Extended => Self::Extended(r.u64_le()?.to_be_bytes()),
        })
    }
}

/// Interface identifier of short address `XXXX`, `0000:00ff:fe00:XXXX` (RFC 6282 §3.2.2).
pub(crate) const fn short_iid(short: u16) -> [u8; 8] {
    let [high, low] = short.to_be_bytes();
    [0, 0, 0, 0xff, 0xfe, 0, high, low]
}

/// Writes `-` for no address, `0x1234` or `00:11:22:33:44:55:66:77`.
impl fmt::Display for MacAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("-"),
            Self::Short(short) => write!(f, "0x{short:04x}"),
            Self::Extended([first, rest @ ..]) => {
                write!(f, "{first:02x}")?;
                rest.iter().try_for_each(|octet| write!(f, ":{octet:02x}"))
            }
        }
    }
}

/// Addressing Mode field, 7.2.1.8, Table 7-3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Absent,
    Short,
    Extended,
}

impl Mode {
    const fn new(bits: u8) -> Option<Self> {
        match bits {
            0 => Some(Self::Absent),
            2 => Some(Self::Short),
            3 => Some(Self::Extended),
            _ => None,
        }
    }
}

/// Both addressing modes of a frame.
#[derive(Clone, Copy)]
pub(super) struct Modes {
    /// Mode of the destination address.
    pub dst: Mode,
    /// Mode of the source address.
    pub src: Mode,
}

impl Modes {
    /// Takes the two bits of each mode; `None` when either is reserved.
    pub fn new(dst: u8, src: u8) -> Option<Self> {
        Some(Self { dst: Mode::new(dst)?, src: Mode::new(src)? })
    }
}

/// Presence of the PAN IDs in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PanIds {
    /// True if the destination PAN ID is in the frame.
    pub dst: bool,
    /// True if the source PAN ID is in the frame.
    pub src: bool,
}

impl PanIds {
    /// Presence in frame versions 0 and 1: an address comes with its PAN ID; compression leaves out the source's
    /// and needs both addresses (802.15.4-2006, 7.2.1.1.5). `None` when the bit is set without them.
    pub fn of_2006(modes: Modes, compression: bool) -> Option<Self> {
        let (dst, src) = (modes.dst != Mode::Absent, modes.src != Mode::Absent);
        if compression && !(dst && src) { None } else { Some(Self { dst, src: src && !compression }) }
    }

    /// Presence in frame version 2: 7.2.1.5, Table 7-2.
    pub fn of_2015(modes: Modes, compression: bool) -> Self {
        use Mode::{Absent, Extended};
        let (dst, src) = match (modes.dst, modes.src, compression) {
            (Absent, Absent, compression) => (compression, false),
            (_, Absent, compression) => (!compression, false),
            (Absent, _, compression) => (false, !compression),
            (Extended, Extended, compression) => (!compression, false),
            (_, _, compression) => (true, !compression),
        };
        Self { dst, src }
    }
}

#[cfg(test)]
mod tests {
    use super::{MacAddr, Modes, PanIds};

    /// Table 7-2, row by row: destination mode, source mode, compression, destination and source PAN ID present.
    #[test]
    fn pan_id_compression_2015() {
        const TABLE: [(u8, u8, bool, bool, bool); 18] = [
            (0, 0, false, false, false),
            (0, 0, true, true, false),
            (2, 0, false, true, false),
            (3, 0, false, true, false),
            (2, 0, true, false, false),
            (3, 0, true, false, false),
            (0, 2, false, false, true),
            (0, 3, false, false, true),
            (0, 2, true, false, false),
            (0, 3, true, false, false),
            (3, 3, false, true, false),
            (3, 3, true, false, false),
            (2, 2, false, true, true),
            (2, 3, false, true, true),
            (3, 2, false, true, true),
            (2, 3, true, true, false),
            (3, 2, true, true, false),
            (2, 2, true, true, false),
        ];
        for (dst, src, compression, dst_pan, src_pan) in TABLE {
            let got = PanIds::of_2015(Modes::new(dst, src).unwrap(), compression);
            assert_eq!(got, PanIds { dst: dst_pan, src: src_pan }, "{dst} {src} {compression}");
        }
    }

    #[test]
    fn interface_identifiers() {
        let eui = MacAddr::Extended([0x00, 0x12, 0x4b, 0x00, 0x01, 0x02, 0x03, 0x04]);
        assert_eq!(eui.iid(), Some([0x02, 0x12, 0x4b, 0x00, 0x01, 0x02, 0x03, 0x04]));
        assert_eq!(MacAddr::Short(0x1234).iid(), Some([0, 0, 0, 0xff, 0xfe, 0, 0x12, 0x34]));
        assert_eq!(MacAddr::None.iid(), None);
        assert_eq!(eui.to_string(), "00:12:4b:00:01:02:03:04");
        assert_eq!(MacAddr::BROADCAST.to_string(), "0xffff");
    }
}
