//! Link types of captures, and the metadata that they put in front of or behind an 802.15.4 frame.

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Numbers of the link types met in captures (<https://www.tcpdump.org/linktypes.html>).
pub mod linktype {
    /// BSD loopback: 4 octets of address family, then IP.
    pub const NULL: u16 = 0;
    /// Ethernet frames (IEEE 802.3).
    pub const ETHERNET: u16 = 1;
    /// Raw IP, the number that BSD systems wrote.
    pub const RAW_BSD: u16 = 12;
    /// Raw IP, OpenBSD's number.
    pub const RAW_OPENBSD: u16 = 14;
    /// Raw IP, version by the first octet.
    pub const RAW: u16 = 101;
    /// Linux cooked capture, version 1.
    pub const LINUX_SLL: u16 = 113;
    /// 802.15.4 with FCS, or with octets that the writer took for one.
    pub const IEEE802_15_4_WITHFCS: u16 = 195;
    /// 802.15.4 behind preamble, SFD and PHR.
    pub const IEEE802_15_4_NONASK_PHY: u16 = 215;
    /// Raw IPv4, without a link header.
    pub const IPV4: u16 = 228;
    /// Raw IPv6, without a link header.
    pub const IPV6: u16 = 229;
    /// 802.15.4 without FCS, from the frame control field on.
    pub const IEEE802_15_4_NOFCS: u16 = 230;
    /// Linux cooked capture, version 2.
    pub const LINUX_SLL2: u16 = 276;
    /// 802.15.4 behind TAP metadata.
    pub const IEEE802_15_4_TAP: u16 = 283;

    /// Name of a link type, without its prefix `LINKTYPE_`; `None` for one that is not read here.
    #[must_use]
    pub const fn name(linktype: u16) -> Option<&'static str> {
        Some(match linktype {
            NULL => "NULL",
            ETHERNET => "ETHERNET",
            RAW | RAW_BSD | RAW_OPENBSD => "RAW",
            LINUX_SLL => "LINUX_SLL",
            IEEE802_15_4_WITHFCS => "IEEE802_15_4_WITHFCS",
            IEEE802_15_4_NONASK_PHY => "IEEE802_15_4_NONASK_PHY",
            IPV4 => "IPV4",
            IPV6 => "IPV6",
            IEEE802_15_4_NOFCS => "IEEE802_15_4_NOFCS",
            LINUX_SLL2 => "LINUX_SLL2",
            IEEE802_15_4_TAP => "IEEE802_15_4_TAP",
            _ => return None,
        })
    }
}

/// Kind of frame check sequence at the end of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TapFcs {
    /// No FCS; also the meaning of an absent TLV.
    #[default]
    None,
    /// ITU-T CRC of 16 bits.
    Crc16,
    /// CRC of 32 bits.
    Crc32,
}

impl TapFcs {
    /// Length of the FCS, octets: 0, 2 or 4.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a length, not a collection")]
    pub const fn len(self) -> usize {
        match self {
            Self::None => 0,
            Self::Crc16 => 2,
            Self::Crc32 => 4,
        }
    }
}

/// Metadata of link type 283 (IEEE 802.15.4 TAP, specification 1.2); fields are `None` where no TLV says them.
///
/// ```text
/// +-------------+--------------+-------------------+--------------------------------------+-------
/// | version (8) | reserved (8) | length, LE (16)   | TLV: type (16) length (16) value pad | frame
/// +-------------+--------------+-------------------+--------------------------------------+-------
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tap {
    /// Length of header and TLVs before the frame, octets.
    pub header_len: usize,
    /// Frame check sequence at the end of the frame.
    pub fcs: TapFcs,
    /// Received signal strength in dBm.
    pub rss_dbm: Option<f32>,
    /// Bit rate in bit/s.
    pub bit_rate: Option<u32>,
    /// Channel number within its page.
    pub channel: Option<u16>,
    /// Channel page, a number that names band and modulation.
    pub page: Option<u8>,
    /// Start of frame, in ns since the sniffer started.
    pub sof_ns: Option<u64>,
    /// End of frame, in ns since the sniffer started.
    pub eof_ns: Option<u64>,
    /// Absolute slot number (TSCH).
    pub asn: Option<u64>,
    /// Start of the timeslot, in ns since the sniffer started.
    pub slot_start_ns: Option<u64>,
    /// Length of a timeslot in µs.
    pub slot_length_us: Option<u32>,
    /// Link quality indication, 0 to 255.
    pub lqi: Option<u8>,
    /// Range of the frame, with its FCS if there is one.
    pub frame: ByteRange,
}

/// TLV types (IEEE 802.15.4 TAP §3).
mod tlv {
    /// Kind of frame check sequence, 1 octet.
    pub const FCS_TYPE: u16 = 0;
    /// Received signal strength, dBm as a 32-bit float.
    pub const RSS: u16 = 1;
    /// Bit rate, bit/s, 4 octets.
    pub const BIT_RATE: u16 = 2;
    /// Channel number, 2 octets, and page, 1.
    pub const CHANNEL: u16 = 3;
    /// Start of frame, nanoseconds, 8 octets.
    pub const SOF_TIME: u16 = 5;
    /// End of frame, nanoseconds, 8 octets.
    pub const EOF_TIME: u16 = 6;
    /// Absolute slot number, 8 octets.
    pub const ASN: u16 = 7;
    /// Start of the timeslot, nanoseconds, 8 octets.
    pub const SLOT_START: u16 = 8;
    /// Length of the timeslot, microseconds, 4 octets.
    pub const SLOT_LENGTH: u16 = 9;
    /// Link quality indication, 1 octet.
    pub const LQI: u16 = 10;
}

impl Tap {
    /// Length of the header before its TLVs, octets.
    const FIXED: usize = 4;

    /// Reads the metadata of a record. TLVs of unknown type are skipped; one that is longer than its
    /// type needs is read from its start.
    ///
    /// # Errors
    /// The header, a TLV or its value ends early, the version is not 0, or the FCS type is reserved.
    pub fn parse(record: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(record, Layer::Link);
        let [version, _] = r.array()?;
        if version != 0 {
            return Err(r.error_at(0, Kind::Unsupported("TAP version other than 0")));
        }
        let length_at = r.pos();
        let header_len = usize::from(r.u16_le()?);
        let tlvs_len = header_len
            .checked_sub(Self::FIXED)
            .ok_or_else(|| r.error_at(length_at, Kind::Invalid("TAP length is less than the header's 4 octets")))?;
        let mut tap = Self { header_len, ..Self::default() };
        let tlvs = r.span(tlvs_len)?;
        tap.frame = r.rest_span();
        let mut r = Reader::within(record, &tlvs, Layer::Link);
        while !r.is_empty() {
            let (kind, len) = (r.u16_le()?, usize::from(r.u16_le()?));
            let value = r.span(len)?;
            // Padding to a multiple of 4; a writer that leaves the last out is forgiven.
            r.take((len.wrapping_neg() & 3).min(r.remaining()))?;
            tap.read_value(kind, &mut Reader::within(record, &value, Layer::Link))?;
        }
        Ok(tap)
    }

    fn read_value(&mut self, kind: u16, r: &mut Reader<'_>) -> Result<(), Error> {
        match kind {
            tlv::FCS_TYPE => {
                let at = r.pos();
                self.fcs = match r.u8()? {
                    0 => TapFcs::None,
                    1 => TapFcs::Crc16,
                    2 => TapFcs::Crc32,
                    _ => return Err(r.error_at(at, Kind::Reserved("TAP FCS type"))),
                };
            }
            tlv::RSS => self.rss_dbm = Some(f32::from_bits(r.u32_le()?)),
            tlv::BIT_RATE => self.bit_rate = Some(r.u32_le()?),
            tlv::CHANNEL => {
                self.channel = Some(r.u16_le()?);
                self.page = Some(r.u8()?);
            }
            tlv::SOF_TIME => self.sof_ns = Some(r.u64_le()?),
            tlv::EOF_TIME => self.eof_ns = Some(r.u64_le()?),
            tlv::ASN => self.asn = Some(r.u64_le()?),
            tlv::SLOT_START => self.slot_start_ns = Some(r.u64_le()?),
            tlv::SLOT_LENGTH => self.slot_length_us = Some(r.u32_le()?),
            tlv::LQI => self.lqi = Some(r.u8()?),
            _ => {}
        }
        Ok(())
    }
}

/// Range of the PSDU, FCS included, of a record of link type 215.
///
/// ```text
/// +--------------------+-----------+------------------+--------
/// | preamble: 4 octets | SFD, 0xa7 | 0 | length (7)   | PSDU
/// +--------------------+-----------+------------------+--------
/// ```
///
/// # Errors
/// The record ends early or the start-of-frame delimiter is another.
pub fn nonask_phy(record: &[u8]) -> Result<ByteRange, Error> {
    /// Start-of-frame delimiter of the O-QPSK PHY (IEEE 802.15.4-2015, 12.1.2).
    const SFD: u8 = 0xa7;
    let mut r = Reader::new(record, Layer::Link);
    r.take(4)?;
    let at = r.pos();
    if r.u8()? != SFD {
        return Err(r.error_at(at, Kind::Invalid("start-of-frame delimiter is not 0xa7")));
    }
    let length = r.u8()? & 0x7f;
    r.span(usize::from(length))
}

/// Status that TI's CC24xx and CC253x put in place of the FCS of a received frame (CC2420 data sheet §16.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TiStatus {
    /// RSSI register; adding a chip-dependent offset (-45 on the CC2420, -73 on the CC2531) makes it dBm.
    pub rssi: i8,
    /// True if the FCS was right.
    pub crc_ok: bool,
    /// Correlation value, 0 to 127.
    pub correlation: u8,
}

impl TiStatus {
    /// Reads the last two octets of a frame; `None` for a shorter one.
    #[must_use]
    pub const fn of(psdu: &[u8]) -> Option<Self> {
        match psdu.last_chunk() {
            Some([rssi, status]) => {
                Some(Self { rssi: *rssi as i8, crc_ok: *status & 0x80 != 0, correlation: *status & 0x7f })
            }
            None => None,
        }
    }
}

/// Name of a TLV type (IEEE 802.15.4 TAP §3); `None` for a type that is not listed here.
#[must_use]
pub const fn tlv_name(kind: u16) -> Option<&'static str> {
    Some(match kind {
        tlv::FCS_TYPE => "FCS type",
        tlv::RSS => "Received signal strength",
        tlv::BIT_RATE => "Bit rate",
        tlv::CHANNEL => "Channel assignment",
        4 => "SUN PHY information",
        tlv::SOF_TIME => "Start of frame time stamp",
        tlv::EOF_TIME => "End of frame time stamp",
        tlv::ASN => "Absolute slot number",
        tlv::SLOT_START => "Start of slot time stamp",
        tlv::SLOT_LENGTH => "Timeslot length",
        tlv::LQI => "Link quality indicator",
        11 => "Channel centre frequency",
        12 => "Channel plan",
        13 => "PHY header",
        _ => return None,
    })
}
