//! IEEE 802.15.4 MAC frames: editions 2003, 2006, 2015 and 2020.
//!
//! Section and table numbers are those of IEEE Std 802.15.4-2015 unless an edition is named. The PSDU
//! is given without its frame check sequence: whether a capture has one is a property of the capture,
//! see [`has_valid_fcs16`].

mod address;
mod beacon;
mod fcs;
pub(crate) mod ie;
mod security;

pub use address::MacAddr;
pub(crate) use address::short_iid;
pub use beacon::beacon_fields_len;
pub use fcs::{fcs16, has_valid_fcs16};
pub use ie::{Ie, MLME, Nested, TIME_CORRECTION, TimeCorrection, nested, time_correction};
pub use security::AuxSecurity;

use crate::{ByteRange, Error, Kind, Reader};
use address::{Modes, PanIds};
use base::Layer;

/// Frame Version value of frames that follow the 2015 edition, 7.2.1.9.
const VERSION_2015: u8 = 2;

/// Frame Type field, 7.2.1.1, Table 7-1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FrameType {
    /// 0: beacon.
    Beacon,
    /// 1: data.
    Data,
    /// 2: immediate (2003, 2006) or enhanced (2015) acknowledgement.
    Ack,
    /// 3: MAC command.
    Command,
    /// 4, the one value that is reserved.
    Reserved(u8),
    /// 5, with a frame control field of its own (7.3.5).
    Multipurpose,
    /// 6: fragment or fragment acknowledgement (Frak) of the LECIM PHYs.
    Fragment,
    /// 7: the next three bits name the type.
    Extended,
}

impl FrameType {
    /// Reads the type from the low three bits of a frame's first octet.
    #[must_use]
    pub const fn of(first_octet: u8) -> Self {
        match first_octet & 7 {
            0 => Self::Beacon,
            1 => Self::Data,
            2 => Self::Ack,
            3 => Self::Command,
            5 => Self::Multipurpose,
            6 => Self::Fragment,
            7 => Self::Extended,
            other => Self::Reserved(other),
        }
    }

    /// Name of the type, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beacon => "Beacon",
            Self::Data => "Data",
            Self::Ack => "ACK",
            Self::Command => "Command",
            Self::Reserved(_) => "Reserved",
            Self::Multipurpose => "Multipurpose",
            Self::Fragment => "Fragment or Frak",
            Self::Extended => "Extended",
        }
    }
}

/// A MAC header (MHR) and, where they can be read, the payload IEs behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacHeader {
    /// Type of the frame, with its number.
    pub frame_type: FrameType,
    /// Frame Version: 0 = 2003, 1 = 2006, 2 = 2015 and later. A multipurpose frame counts its own
    /// versions from 0.
    pub version: u8,
    /// Security Enabled: the payload is secured, with [`Self::aux_security`] from the 2006 edition on.
    pub security: bool,
    /// Frame Pending: the sender has more for the recipient.
    pub frame_pending: bool,
    /// Acknowledgement Request: the sender expects an acknowledgement.
    pub ack_request: bool,
    /// PAN ID Compression as sent; the PAN IDs below have it applied already.
    pub pan_id_compression: bool,
    /// Sequence number, `None` when suppressed (2015).
    pub seq: Option<u8>,
    /// Destination PAN ID, where the frame has it.
    pub dst_pan: Option<u16>,
    /// Destination address; [`MacAddr::None`] where it is absent.
    pub dst: MacAddr,
    /// Source PAN ID, where the frame has it or says that it equals the destination's.
    pub src_pan: Option<u16>,
    /// True if the source PAN ID is in the frame.
    pub src_pan_inline: bool,
    /// Source address; [`MacAddr::None`] where it is absent.
    pub src: MacAddr,
    /// Auxiliary security header (2006 and later).
    pub aux_security: Option<AuxSecurity>,
    /// Header IEs in order, a termination IE included.
    pub header_ies: Vec<Ie>,
    /// Payload IEs in order, the termination IE included; empty when they are encrypted.
    pub payload_ies: Vec<Ie>,
    /// Length of the message integrity code at the end of the frame, octets: 0, 4, 8 or 16.
    pub mic_len: usize,
    /// Range of the MHR and the payload IEs.
    pub span: ByteRange,
    /// Range of the MAC payload, without MIC. Ciphertext when [`MacHeader::is_encrypted`].
    pub payload: ByteRange,
}

impl MacHeader {
    /// Reads the header of a frame given without its frame check sequence.
    ///
    /// # Errors
    /// The header ends early, uses a reserved value, or is a fragment or extended frame.
    pub fn parse(psdu_without_fcs: &[u8]) -> Result<Self, Error> {
        let mut header = Self::BLANK;
        header.read(psdu_without_fcs).map(|()| header)
    }

    /// Parses into an existing header, whose lists are reused: for reading one frame after the other.
    ///
    /// # Errors
    /// Errors of [`Self::parse`]; the header is then undefined.
    pub fn parse_next(&mut self, psdu_without_fcs: &[u8]) -> Result<(), Error> {
        self.header_ies.clear();
        self.payload_ies.clear();
        self.read(psdu_without_fcs)
    }

    /// Reads as much of the header as possible: the fields before the octet of the error, and that error; `None` where
    /// the header is whole. Fields behind the error are blank.
    #[must_use]
    pub fn parse_partly(psdu_without_fcs: &[u8]) -> (Self, Option<Error>) {
        let mut header = Self::BLANK;
        let error = header.read(psdu_without_fcs).err();
        (header, error)
    }

    /// Header of no frame: the start of a reading, and a value for [`Self::parse_next`] to fill.
    pub const BLANK: Self = Self {
        frame_type: FrameType::Reserved(4),
        version: 0,
        security: false,
        frame_pending: false,
        ack_request: false,
        pan_id_compression: false,
        seq: None,
        dst_pan: None,
        dst: MacAddr::None,
        src_pan: None,
        src_pan_inline: false,
        src: MacAddr::None,
        aux_security: None,
        header_ies: Vec::new(),
        payload_ies: Vec::new(),
        mic_len: 0,
        span: 0..0,
        payload: 0..0,
    };

    #[inline]
    fn read(&mut self, psdu: &[u8]) -> Result<(), Error> {
        let mut r = Reader::new(psdu, Layer::Link);
        let control = Control::read(&mut r)?;
        self.frame_type = control.frame_type;
        self.version = control.version;
        self.security = control.security;
        self.frame_pending = control.frame_pending;
        self.ack_request = control.ack_request;
        self.pan_id_compression = control.pan_id_compression;
        self.seq = if control.seq_suppressed { None } else { Some(r.u8()?) };
        self.dst_pan = if control.pans.dst { Some(r.u16_le()?) } else { None };
        self.dst = MacAddr::read(&mut r, control.modes.dst)?;
        self.src_pan_inline = control.pans.src;
        let own_pan = if control.pans.src { Some(r.u16_le()?) } else { None };
        self.src = MacAddr::read(&mut r, control.modes.src)?;
        // 7.2.1.5: a source PAN ID that is left out equals the destination's.
        self.src_pan = own_pan.or(if self.src == MacAddr::None { None } else { self.dst_pan });

        // The 2003 edition had security without a header of its own (its 7.5.8): the payload is opaque.
        let has_aux = control.security && (control.version > 0 || control.frame_type == FrameType::Multipurpose);
        self.aux_security = if has_aux { Some(AuxSecurity::read(&mut r)?) } else { None };
        self.mic_len = self.aux_security.as_ref().map_or(0, AuxSecurity::mic_len);
        if r.remaining() < self.mic_len {
            return Err(r.error(Kind::Truncated { need: self.mic_len, have: r.remaining() }));
        }
        let end = psdu.len().saturating_sub(self.mic_len);
        let mut r = Reader::within(psdu, &(r.pos()..end), Layer::Link);
        if control.ie_present {
            ie::read_header_list(&mut r, &mut self.header_ies)?;
            if self.header_ies.last().is_some_and(Ie::announces_payload_ies) && !self.is_encrypted() {
                ie::read_payload_list(&mut r, &mut self.payload_ies)?;
            }
        }
        self.span = r.since(0);
        self.payload = r.rest_span();
        Ok(())
    }

    /// Returns whether the payload is ciphertext. Security of the 2003 edition counts as such: the suite
    /// is not in the frame.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.security && self.aux_security.as_ref().is_none_or(AuxSecurity::is_encrypted)
    }
}

/// The Frame Control field, 7.2.1 (general) and 7.3.5 (multipurpose).
///
/// ```text
/// general, 2 octets, least significant first:
///  0      2   3     4     5    6     7     8      9    10  11  12  13  14  15
/// +--------+-----+-----+----+------+---+-------+-----+-------+-------+-------+
/// | type   | sec | pnd | AR | PANC | - | noSEQ | IEs | dst   | vers. | src   |
/// +--------+-----+-----+----+------+---+-------+-----+-------+-------+-------+
/// multipurpose, 1 octet, or 2 when `long`:
/// +--------+------+------+-------+-----+-----+-------+-----+-------+----+-----+
/// | type=5 | long | dst  | src   | PAN | sec | noSEQ | pnd | vers. | AR | IEs |
/// +--------+------+------+-------+-----+-----+-------+-----+-------+----+-----+
///  0      2   3    4   5   6   7    8     9     10     11   12  13   14   15
/// ```
struct Control {
    frame_type: FrameType,
    version: u8,
    security: bool,
    frame_pending: bool,
    ack_request: bool,
    pan_id_compression: bool,
    seq_suppressed: bool,
    ie_present: bool,
    modes: Modes,
    pans: PanIds,
}

impl Control {
    fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let at = r.pos();
        match FrameType::of(r.peek()?) {
            FrameType::Reserved(_) => Err(r.error_at(at, Kind::Reserved("frame type 4"))),
            FrameType::Fragment => Err(r.error_at(at, Kind::Unsupported("fragment frame (type 6)"))),
            FrameType::Extended => Err(r.error_at(at, Kind::Unsupported("extended frame (type 7)"))),
            FrameType::Multipurpose => Self::read_multipurpose(r),
            frame_type => Self::read_general(r, frame_type),
        }
    }

    fn read_general(r: &mut Reader<'_>, frame_type: FrameType) -> Result<Self, Error> {
        let at = r.pos();
        let fcf = r.u16_le()?;
        let bit = |n: u32| fcf.wrapping_shr(n) & 1 == 1;
        let field = |n: u32| (fcf.wrapping_shr(n) & 3) as u8;
        let (version, pan_id_compression) = (field(12), bit(6));
        let high = at.saturating_add(1);
        let modes = Modes::new(field(10), field(14)).ok_or_else(|| r.error_at(high, address::RESERVED_MODE))?;
        let pans = match version {
            0 | 1 => PanIds::of_2006(modes, pan_id_compression)
                .ok_or_else(|| r.error_at(at, Kind::Invalid("PAN ID compression with fewer than two addresses")))?,
            VERSION_2015 => PanIds::of_2015(modes, pan_id_compression),
            _ => return Err(r.error_at(high, Kind::Reserved("frame version 3"))),
        };
        Ok(Self {
            frame_type,
            version,
            security: bit(3),
            frame_pending: bit(4),
            ack_request: bit(5),
            pan_id_compression,
            // Bits 8 and 9 were reserved, to be ignored, before the 2015 edition.
            seq_suppressed: version == VERSION_2015 && bit(8),
            ie_present: version == VERSION_2015 && bit(9),
            modes,
            pans,
        })
    }

    fn read_multipurpose(r: &mut Reader<'_>) -> Result<Self, Error> {
        let at = r.pos();
        let long = r.peek()? & 0b1000 != 0;
        let fcf = if long { r.u16_le()? } else { u16::from(r.u8()?) };
        let bit = |n: u32| fcf.wrapping_shr(n) & 1 == 1;
        let field = |n: u32| (fcf.wrapping_shr(n) & 3) as u8;
        if field(12) != 0 {
            return Err(r.error_at(at.saturating_add(1), Kind::Reserved("multipurpose frame version")));
        }
        Ok(Self {
            frame_type: FrameType::Multipurpose,
            version: 0,
            security: bit(9),
            frame_pending: bit(11),
            ack_request: bit(14),
            pan_id_compression: false,
            seq_suppressed: bit(10),
            ie_present: bit(15),
            modes: Modes::new(field(4), field(6)).ok_or_else(|| r.error_at(at, address::RESERVED_MODE))?,
            pans: PanIds { dst: bit(8), src: false },
        })
    }
}
