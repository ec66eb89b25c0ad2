//! Generic header compression (RFC 7400 §2), greedily: the longest copy of what is there already, runs of zeros,
//! literals.

use crate::compress::Address;

/// The static part of the dictionary.
const STATIC: [u8; 16] = [0x16, 0xfe, 0xfd, 0x17, 0xfe, 0xfd, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0];

/// Largest number of literal octets of one code (RFC 7400 §2).
const LITERALS: usize = 95;

/// The code of `octets`, with its stop code.
pub fn code(src: Address, dst: Address, octets: &[u8]) -> Vec<u8> {
    let dictionary = 48;
    let window = [&src[..], &dst, &STATIC, octets].concat();
    let (mut out, mut literals, mut at) = (vec![], vec![], dictionary);
    while at < window.len() {
        let zeros = window[at..].iter().take(17).take_while(|&&octet| octet == 0).count();
        let (from, copied) = longest(&window, at);
        let code = match () {
            () if zeros >= 2 && zeros >= copied => vec![0x80 | (zeros - 2) as u8],
            () if copied >= 3 => copy(copied, at - from - copied),
            () => {
                literals.push(window[at]);
                at += 1;
                continue;
            }
        };
        flush(&mut literals, &mut out);
        out.extend(code);
        at += if zeros >= 2 && zeros >= copied { zeros } else { copied };
    }
    flush(&mut literals, &mut out);
    out.push(0x90);
    out
}

fn flush(literals: &mut Vec<u8>, out: &mut Vec<u8>) {
    for some in literals.chunks(LITERALS) {
        out.push(some.len() as u8);
        out.extend(some);
    }
    literals.clear();
}

/// Returns start and length of the longest earlier copy of the octets at `at`.
fn longest(window: &[u8], at: usize) -> (usize, usize) {
    let len = |from: usize| {
        (0..window.len() - at).take_while(|n| from + n < at && window[from + n] == window[at + n]).count()
    };
    (0..at).map(|from| (from, len(from))).max_by_key(|&(_, len)| len).unwrap_or((0, 0))
}

/// Octets to copy, 2 or more, from so many further back than their number.
fn copy(octets: usize, back: usize) -> Vec<u8> {
    let (mut more_octets, mut more_back) = ((octets - 2) >> 3, back >> 3);
    let mut out = vec![];
    while more_octets > 0 || more_back > 0 {
        let back = more_back.min(0xf);
        out.push(0xa0 | (more_octets.min(1) << 4 | back) as u8);
        more_octets = more_octets.saturating_sub(1);
        more_back -= back;
    }
    out.push(0xc0 | (((octets - 2) & 7) << 3 | back & 7) as u8);
    out
}
