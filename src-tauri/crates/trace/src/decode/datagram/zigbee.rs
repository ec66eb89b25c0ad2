//! Network header of ZigBee, recognised so that a capture without CoAP can say what it holds.

use wire::ieee802154::{MacAddr, MacHeader};

/// Length of the header without its optional fields, octets: frame control, destination, source, radius, sequence
/// number. ZigBee Specification (document 05-3474-21) §3.3.1.
const HEADER: usize = 8;
/// Protocol version of ZigBee 2006 and later (`nwkcProtocolVersion`, §3.5.1).
const VERSION: u16 = 2;

/// Whether the payload of a frame begins as a data or command frame of ZigBee's network layer does. MAC addresses are
/// short ones there, but for a device that joins (§3.6.1).
pub(super) fn is_network_header(header: &MacHeader, payload: &[u8]) -> bool {
    let Some(&[low, high]) = payload.first_chunk::<2>() else { return false };
    // §3.3.1.1: frame type, protocol version, discover route, flags; the last two bits are reserved.
    let control = u16::from_le_bytes([low, high]);
    let (kind, version, discover, reserved) = (control & 3, (control >> 2) & 0xf, (control >> 6) & 3, control >> 14);
    payload.len() >= HEADER
        && kind < 2
        && version == VERSION
        && discover < 2
        && reserved == 0
        && matches!((header.src, header.dst), (MacAddr::Short(_), MacAddr::Short(_)))
}
