//! Comments, names and secrets of a pcapng file (draft-ietf-opsawg-pcapng, sections 3.5, 4.5 and 4.7).

use super::Order;
use crate::import::builder::CaptureBuilder;
use base::{FrameId, Layer, printable};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Code of `opt_endofopt`, and type of `nrb_record_end`.
const END: u16 = 0;

/// Code of `opt_comment`.
const COMMENT: u16 = 1;

/// Type of `nrb_record_ipv4`.
const IPV4: u16 = 1;

/// Type of `nrb_record_ipv6`.
const IPV6: u16 = 2;

/// Iterates over options, or the records of a name resolution block, as (type, value), up to the end mark or to damage.
pub(super) fn entries(order: Order, octets: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let mut rest = octets;
    std::iter::from_fn(move || {
        let (code, length) = (order.u16(rest, 0)?, usize::from(order.u16(rest, 2)?));
        let value = rest.get(4..4 + length).filter(|_| code != END)?;
        rest = rest.get((4 + length).next_multiple_of(4)..).unwrap_or_default();
        Some((code, value))
    })
}

fn comments(order: Order, options: &[u8]) -> impl Iterator<Item = String> {
    entries(order, options).filter(|&(code, _)| code == COMMENT).map(|(_, text)| text_of(text))
}

/// Decodes text, UTF-8 by the draft; some writers end it with a zero.
fn text_of(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).trim_matches('\0').to_owned()
}

/// Keeps the comments of a section header block.
pub(super) fn of_section(order: Order, block: &[u8], builder: &mut CaptureBuilder) {
    let options = block.get(24..block.len().saturating_sub(4)).unwrap_or_default();
    builder.annotations.file.extend(comments(order, options));
}

/// Keeps the comments in `options` of the block of frame `id`.
pub(super) fn of_frame(order: Order, options: &[u8], id: FrameId, builder: &mut CaptureBuilder) {
    builder.annotations.frames.extend(comments(order, options).map(|text| (id, text)));
}

/// Keeps the names of addresses in a name resolution block: each record is an address, then names that each end in a
/// zero.
pub(super) fn names(order: Order, block: &[u8], builder: &mut CaptureBuilder) {
    let records = block.get(8..block.len().saturating_sub(4)).unwrap_or_default();
    for (kind, value) in entries(order, records) {
        let (address, names) = match kind {
            IPV4 => match value.split_first_chunk::<4>() {
                Some((address, names)) => (IpAddr::V4(Ipv4Addr::from(*address)), names),
                None => continue,
            },
            IPV6 => match value.split_first_chunk::<16>() {
                Some((address, names)) => (IpAddr::V6(Ipv6Addr::from(*address)), names),
                None => continue,
            },
            _ => continue,
        };
        for name in names.split(|&octet| octet == 0).filter(|name| !name.is_empty()) {
            builder.annotations.names.push((address, printable(&text_of(name)).into_owned()));
        }
    }
}

/// Remarks on a decryption secrets block, which is not kept; `at`: its offset in the file, octets.
pub(super) fn secrets(order: Order, block: &[u8], at: u64, builder: &mut CaptureBuilder) {
    let kind = match order.u32(block, 8) {
        Some(0x544c_534b) => "TLS or DTLS keys".to_owned(),
        Some(0x5747_4b4c) => "WireGuard keys".to_owned(),
        Some(0x5a4e_574b) => "a Zigbee network key".to_owned(),
        Some(0x5a41_504b) => "a Zigbee application key".to_owned(),
        Some(other) => format!("secrets of type {other:#010x}"),
        None => return,
    };
    builder.notes.remark(Layer::File, "secrets-not-used", None, Some(at), || {
        format!("the file holds {kind}; nothing is decrypted with it, and it is not kept")
    });
}
