//! Nodes of 802.15.4 MAC frames.

mod content;

use super::builder::TreeBuilder;
use super::{Part, Tree, Value, ie};
use crate::link::ieee802154::{AuxSecurity, FrameType, fcs16};
use crate::link::security::Opened;
use crate::link::tap::{TapFcs, TiStatus};
use crate::{MacAddr, MacHeader};
use base::Severity;

/// Kind of the octets behind the MAC payload of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trailer {
    /// No octets: the frame ends with its payload.
    #[default]
    None,
    /// A frame check sequence of 16 bits.
    Crc16,
    /// A frame check sequence of 32 bits.
    Crc32,
    /// RSSI and correlation of TI's CC24xx in place of the frame check sequence, 2 octets.
    Ti,
}

impl Trailer {
    const fn len(self) -> usize {
        match self {
            Self::None => 0,
            Self::Crc16 | Self::Ti => 2,
            Self::Crc32 => 4,
        }
    }
}

impl From<TapFcs> for Trailer {
    fn from(fcs: TapFcs) -> Self {
        match fcs {
            TapFcs::None => Self::None,
            TapFcs::Crc16 => Self::Crc16,
            TapFcs::Crc32 => Self::Crc32,
        }
    }
}

/// Outcome of writing a MAC frame: its header, and the payload that is left for the layer above.
pub struct MacLayer<'a> {
    /// Header of the frame.
    pub header: MacHeader,
    /// Payload for the layer above: of a data or multipurpose frame that is not encrypted and
    /// carries any. `None` for other payloads, which have been written.
    pub payload: Option<Part<'a>>,
}

/// Writes a MAC frame; `part` is with its trailer. `None` when the header cannot be read to its end.
pub fn mac<'a>(tree: &mut Tree, part: Part<'a>, trailer: Trailer) -> Option<MacLayer<'a>> {
    let len = part.octets.len();
    let psdu = part.octets.get(..len.saturating_sub(trailer.len())).unwrap_or_default();
    let (header, error) = MacHeader::parse_partly(psdu);
    let label = format!("IEEE 802.15.4 {}, {} → {}", frame_name(&header), header.src, header.dst);
    let mut builder = TreeBuilder::protocol(tree, part, "wpan", label, error.as_ref());
    frame_control(&mut builder, &header);
    addressing(&mut builder, &header);
    if let Some(aux) = &header.aux_security {
        aux_security(&mut builder, aux);
    }
    ie::header_ies(&mut builder, &header.header_ies, psdu);
    ie::payload_ies(&mut builder, &header.payload_ies, psdu);
    if error.is_some() {
        builder.close(error.as_ref());
        return None;
    }
    let payload_len = header.payload.len();
    let carries = matches!(header.frame_type, FrameType::Data | FrameType::Multipurpose);
    let payload = (payload_len > 0 && carries && !header.is_encrypted()).then(|| part.at(&header.payload));
    if payload.is_some() {
        builder.skip(payload_len);
    } else if header.is_encrypted() {
        builder.octets(payload_len, "wpan.encrypted", "Encrypted payload");
    } else {
        let octets = psdu.get(header.payload.clone()).unwrap_or_default();
        content::content(&mut builder, &header, octets);
    }
    if header.mic_len > 0 {
        builder.bytes(header.mic_len, "wpan.mic", "MIC");
    }
    end(&mut builder, trailer, psdu);
    Some(MacLayer { header, payload })
}

/// Writes the MAC payload of a frame that was encrypted: payload IEs and, unless it is for the layer above, the rest.
pub(super) fn opened(tree: &mut Tree, part: Part<'_>, header: &MacHeader, opened: &Opened) {
    let label = format!("IEEE 802.15.4 {}, decrypted", frame_name(header));
    let mut builder = TreeBuilder::protocol(tree, part, "wpan.decrypted", label, opened.error.as_ref());
    ie::payload_ies(&mut builder, &opened.payload_ies, &opened.octets);
    let carries = matches!(header.frame_type, FrameType::Data | FrameType::Multipurpose);
    match opened.error {
        Some(_) => {}
        None if carries => builder.skip(opened.payload.len()),
        None => content::content(&mut builder, header, opened.octets.get(opened.payload.clone()).unwrap_or_default()),
    }
    builder.close(opened.error.as_ref());
}

fn frame_name(header: &MacHeader) -> &'static str {
    match header.frame_type {
        FrameType::Beacon if header.version == 2 => "Enhanced Beacon",
        FrameType::Ack if header.version == 2 => "Enhanced ACK",
        other => other.name(),
    }
}

/// Writes the frame control field: 7.2.1, and 7.3.5 for multipurpose frames.
fn frame_control(builder: &mut TreeBuilder<'_, '_>, header: &MacHeader) {
    let kind = |builder: &mut TreeBuilder<'_, '_>| {
        builder
            .bits(0, 3, "wpan.frame_type", |bits| format!("Frame Type: {} ({bits})", FrameType::of(bits as u8).name()));
    };
    let mode = |title: &'static str| {
        move |bits: u64| {
            let name = match bits {
                0 => "None",
                2 => "Short, 16 bits",
                3 => "Extended, 64 bits",
                _ => "Reserved",
            };
            format!("{title} Addressing Mode: {name} ({bits})")
        }
    };
    if header.frame_type == FrameType::Multipurpose {
        let long = builder.peek(1).first().is_some_and(|octet| octet & 8 != 0);
        let label = |word| format!("Frame Control: 0x{word:04x}");
        builder.word_le(if long { 2 } else { 1 }, "wpan.fcf", label, |builder| {
            kind(builder);
            builder.flag(3, "wpan.long_frame_control", "Long Frame Control");
            builder.bits(4, 2, "wpan.dst_addr_mode", mode("Destination"));
            builder.bits(6, 2, "wpan.src_addr_mode", mode("Source"));
            if long {
                builder.flag(8, "wpan.pan_id_present", "PAN ID Present");
                builder.flag(9, "wpan.security", "Security Enabled");
                builder.flag(10, "wpan.seqno_suppression", "Sequence Number Suppression");
                builder.flag(11, "wpan.pending", "Frame Pending");
                builder.bits(12, 2, "wpan.mpf_version", |bits| format!("Multipurpose Frame Version: {bits}"));
                builder.flag(14, "wpan.ack_request", "Acknowledgement Request");
                builder.flag(15, "wpan.ie_present", "Information Elements Present");
            }
        });
        return;
    }
    builder.word_le(
        2,
        "wpan.fcf",
        |word| format!("Frame Control: 0x{word:04x}"),
        |builder| {
            kind(builder);
            builder.flag(3, "wpan.security", "Security Enabled");
            builder.flag(4, "wpan.pending", "Frame Pending");
            builder.flag(5, "wpan.ack_request", "Acknowledgement Request");
            builder.flag(6, "wpan.pan_id_compression", "PAN ID Compression");
            builder.flag(7, "wpan.fcf.reserved", "Reserved");
            builder.flag(8, "wpan.seqno_suppression", "Sequence Number Suppression");
            builder.flag(9, "wpan.ie_present", "Information Elements Present");
            builder.bits(10, 2, "wpan.dst_addr_mode", mode("Destination"));
            builder.bits(12, 2, "wpan.version", |bits| {
                let edition = match bits {
                    0 => "2003",
                    1 => "2006",
                    2 => "2015",
                    _ => "reserved",
                };
                format!("Frame Version: {edition} ({bits})")
            });
            builder.bits(14, 2, "wpan.src_addr_mode", mode("Source"));
        },
    );
}

fn addressing(builder: &mut TreeBuilder<'_, '_>, header: &MacHeader) {
    let pan = |title: &'static str| move |pan: u64| format!("{title} PAN: 0x{pan:04x}");
    if header.seq.is_some() {
        builder.uint(1, "wpan.seq_no", "Sequence Number");
    }
    if header.dst_pan.is_some() {
        builder.uint_le_as(2, "wpan.dst_pan", pan("Destination"));
    }
    address(builder, header.dst, "wpan.dst16", "wpan.dst64", "Destination");
    if header.src_pan_inline {
        builder.uint_le_as(2, "wpan.src_pan", pan("Source"));
    }
    address(builder, header.src, "wpan.src16", "wpan.src64", "Source");
}

fn address(
    builder: &mut TreeBuilder<'_, '_>,
    address: MacAddr,
    short: &'static str,
    extended: &'static str,
    title: &str,
) {
    let label = format!("{title}: {address}");
    match address {
        MacAddr::None => {}
        MacAddr::Short(value) => builder.field(2, short, |_| (Value::Addr16(value), label)),
        MacAddr::Extended(value) => builder.field(8, extended, |_| (Value::Addr64(value), label)),
    }
}

/// Writes the auxiliary security header, 9.4.
fn aux_security(builder: &mut TreeBuilder<'_, '_>, aux: &AuxSecurity) {
    let len = aux.span.len();
    let label = format!("Auxiliary Security Header, level {}", aux.level);
    builder.group(
        len,
        "wpan.aux_sec.hdr",
        |_| (Value::None, label),
        |builder| {
            builder.word(
                1,
                "wpan.aux_sec.security_control_field",
                |word| format!("Security Control: 0x{word:02x}"),
                |builder| {
                    builder.bits(0, 3, "wpan.aux_sec.sec_level", |bits| {
                        let name = match bits {
                            0 => "no security",
                            1 => "MIC-32",
                            2 => "MIC-64",
                            3 => "MIC-128",
                            4 => "ENC",
                            5 => "ENC-MIC-32",
                            6 => "ENC-MIC-64",
                            _ => "ENC-MIC-128",
                        };
                        format!("Security Level: {name} ({bits})")
                    });
                    builder.bits(3, 2, "wpan.aux_sec.key_id_mode", |bits| {
                        let name = match bits {
                            0 => "implicit",
                            1 => "key index",
                            2 => "key source of 4 octets, key index",
                            _ => "key source of 8 octets, key index",
                        };
                        format!("Key Identifier Mode: {name} ({bits})")
                    });
                    builder.flag(5, "wpan.aux_sec.frame_counter_suppression", "Frame Counter Suppression");
                    builder.flag(6, "wpan.aux_sec.asn_in_nonce", "ASN in Nonce");
                    builder.bits(7, 1, "wpan.aux_sec.reserved", |bits| format!("Reserved: {bits}"));
                },
            );
            if aux.frame_counter.is_some() {
                builder.uint_le(4, "wpan.aux_sec.frame_counter", "Frame Counter");
            }
            match aux.key_id_mode {
                2 => builder.bytes(4, "wpan.aux_sec.key_source.bytes", "Key Source"),
                3 => builder.bytes(8, "wpan.aux_sec.key_source.bytes", "Key Source"),
                _ => {}
            }
            if aux.key_index.is_some() {
                builder.hex(1, "wpan.aux_sec.key_index", "Key Index");
            }
        },
    );
}

/// Writes the octets behind payload and MIC: check sequence or TI's status.
fn end(builder: &mut TreeBuilder<'_, '_>, trailer: Trailer, psdu: &[u8]) {
    match trailer {
        Trailer::None => {}
        Trailer::Crc16 => {
            let right = u64::from(fcs16(psdu));
            let sent = builder.uint_le_as(2, "wpan.fcs", |fcs| {
                let verdict = if fcs == right { "correct".to_owned() } else { format!("should be 0x{right:04x}") };
                format!("FCS: 0x{fcs:04x} ({verdict})")
            });
            let ok = sent == right;
            if !ok {
                builder.find(Severity::Warning, "the frame check sequence does not match");
            }
            builder.derived("wpan.fcs_ok", Value::Bool(ok), format!("FCS Valid: {ok}"));
        }
        Trailer::Crc32 => {
            builder.uint_le_as(4, "wpan.fcs32", |fcs| format!("FCS: 0x{fcs:08x}"));
        }
        Trailer::Ti => {
            let status = TiStatus::of(builder.part().octets);
            builder.field(1, "wpan.rssi", |_| {
                let rssi = status.map_or(0, |status| i64::from(status.rssi));
                (Value::Int(rssi), format!("RSSI: {rssi} (raw)"))
            });
            builder.word(
                1,
                "wpan.ti_status",
                |word| format!("FCS status and correlation: 0x{word:02x}"),
                |builder| {
                    builder.flag(7, "wpan.fcs_ok", "FCS Valid");
                    builder.bits(0, 7, "wpan.correlation", |bits| format!("Correlation: {bits}"));
                },
            );
        }
    }
}
