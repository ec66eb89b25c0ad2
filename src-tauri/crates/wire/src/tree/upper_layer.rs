//! Parts that all upper layers of an IP datagram share: the checksum over its addresses, and octets that are missing.

use super::builder::TreeBuilder;
use crate::ip::ipv6;
use base::Severity;

/// Addresses that an upper-layer checksum covers (RFC 8200 §8.1).
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Source address of the IPv6 header.
    pub src: [u8; 16],
    /// Final destination address; see [`crate::Ipv6::final_dst`].
    pub dst: [u8; 16],
}

/// Says that `octets` octets of a payload, whose length a header states, are not in the capture.
pub(super) fn not_here(octets: usize) -> String {
    let plural = if octets == 1 { " of the payload is" } else { "s of the payload are" };
    format!("{octets} octet{plural} not here")
}

/// Writes the checksum field of `upper` and verifies it where the addresses are known (RFC 8200 §8.1).
pub(super) fn checksum(
    builder: &mut TreeBuilder<'_, '_>,
    name: &'static str,
    upper: &[u8],
    protocol: u8,
    ends: Option<Ends>,
) {
    let wrong = ends.is_some_and(|ends| ipv6::checksum(ends.src, ends.dst, protocol, upper) != 0);
    let none = builder.left() >= 2 && builder.peek(2) == [0, 0];
    builder.uint_as(2, name, |sum| {
        let verdict = match (ends, wrong) {
            _ if none => " (none)",
            (None, _) => "",
            (_, false) => " (correct)",
            (_, true) => " (incorrect)",
        };
        format!("Checksum: 0x{sum:04x}{verdict}")
    });
    if wrong && !none {
        builder.find(Severity::Warning, "the checksum does not match");
    }
}
