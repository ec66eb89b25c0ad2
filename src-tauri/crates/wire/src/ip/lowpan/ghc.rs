//! Generic header compression (RFC 7400 §2): a byte code of literals, zeros and back-references.

use super::Rebuild;
use crate::{ByteRange, Error, Kind};

/// End of the dictionary that each header starts with, behind source and destination address (RFC 7400 §2).
const STATIC: [u8; 16] = [0x16, 0xfe, 0xfd, 0x17, 0xfe, 0xfd, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0];

/// Octets of output at which expansion ends in an error. No datagram is longer; the guard is against byte code that
/// grows without end (at most 30 octets an octet).
const LIMIT: usize = 0xffff;

/// Appends to the output what the byte code at the cursor stands for, up to a stop code or the end of the
/// input; returns whether it was a stop code. `addresses` is the range of the output with source and destination
/// of the IPv6 header before it. Errs on a reserved code, on a reference before the dictionary, and past [`LIMIT`].
///
/// ```text
/// 0kkkkkkk  k literal octets follow, k < 96      1000nnnn  nnnn + 2 zeros
/// 10010000  stop                                 101nssss  sa += ssss000, na += n000
/// 11nnnkkk  copy nnn + na + 2 octets from kkk + sa + that many octets back; then sa = na = 0
/// ```
pub(super) fn expand(rebuild: &mut Rebuild<'_>, addresses: &ByteRange) -> Result<bool, Error> {
    let mut window = [rebuild.out.get(addresses.clone()).unwrap_or_default(), &STATIC].concat();
    let start = window.len();
    let (mut more_back, mut more_octets) = (0usize, 0usize);
    let mut is_stopped = false;
    while !is_stopped && !rebuild.r.is_empty() {
        let at = rebuild.r.pos();
        let code = rebuild.r.u8()?;
        match code {
            0..96 => window.extend_from_slice(rebuild.r.take(usize::from(code))?),
            0x80..=0x8f => window.resize(window.len().saturating_add(usize::from(code & 0xf)).saturating_add(2), 0),
            0x90 => is_stopped = true,
            0xa0..=0xbf => {
                more_back = more_back.saturating_add(usize::from(code & 0xf) << 3);
                more_octets = more_octets.saturating_add(usize::from(code & 0x10) >> 1);
            }
            0xc0..=0xff => {
                let octets = usize::from(code >> 3 & 7).saturating_add(more_octets).saturating_add(2);
                let back = usize::from(code & 7).saturating_add(more_back).saturating_add(octets);
                (more_back, more_octets) = (0, 0);
                let from = window.len().checked_sub(back);
                let from =
                    from.ok_or_else(|| rebuild.r.error_at(at, Kind::Invalid("GHC refers before its dictionary")))?;
                // `back` is at least `octets`, so that the copy does not overlap itself.
                let copy = window.get(from..from.saturating_add(octets)).unwrap_or_default().to_vec();
                window.extend_from_slice(&copy);
            }
            _ => return Err(rebuild.r.error_at(at, Kind::Reserved("GHC byte code"))),
        }
        if window.len() > LIMIT {
            return Err(rebuild.r.error_at(at, Kind::Invalid("GHC makes more than a datagram")));
        }
    }
    rebuild.out.extend_from_slice(window.get(start..).unwrap_or_default());
    Ok(is_stopped)
}
