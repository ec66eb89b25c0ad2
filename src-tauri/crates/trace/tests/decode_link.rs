//! What is read of 802.15.4 frames that are not one plain datagram each.

#![allow(clippy::unwrap_used, reason = "tests")]

use trace::{DecodeOptions, ImportOptions, LinkKey, Outcome, Trace};
use wire::tap::linktype;

fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(|digit| !digit.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Analyse frames without check sequence, 10 ms apart.
fn analyse(frames: &[Vec<u8>], options: &DecodeOptions) -> Trace {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
    file.extend(u32::from(linktype::IEEE802_15_4_NOFCS).to_le_bytes());
    for (n, frame) in (0_u32..).zip(frames) {
        let length = frame.len() as u32;
        for word in [1_700_000_000, n * 10_000, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(frame);
    }
    let capture = trace::read("made", &file[..], None, &ImportOptions::default(), &mut base::Silent).unwrap();
    trace::analyse(capture, options, &mut base::Silent).unwrap()
}

const KEY: [u8; 16] = [0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf];

/// Sealed by OpenSSL (Python's cryptography, AESCCM): level 5, key index 3; a GET of node 2, whose extended address is
/// 00124b0011223344, and the answer of node 1, which is 00124b0011223355.
const SEALED: [&str; 2] = [
    "699801cdab010002000d010000000385bda97a2fccfecf34a7fe589cb6d438f1061f",
    "699801cdab020001000d0900000003c75cbc3107f2e98982989717a670354ed2bb52",
];

/// In clear, from node 2 with its extended address as IPv6 source: an ICMPv6 echo request.
const HELLO: &str = "618800cdab01000200 7a13 3a 02124b0011223344 8000 0000";

#[test]
fn secured_frames_open_with_their_key() {
    let frames: Vec<Vec<u8>> = [HELLO, SEALED[0], SEALED[1]].into_iter().map(hex).collect();
    let counts = |options: &DecodeOptions| {
        let trace = analyse(&frames, options);
        let counts = ["encrypted", "wrong-key", "encrypted-by-unknown"].map(|code| trace.notes.count(code));
        (trace.messages.len(), counts, trace.exchanges.first().map(|exchange| exchange.outcome))
    };
    let with = |keys: &[LinkKey]| DecodeOptions { keys: keys.to_vec(), ..DecodeOptions::default() };

    assert_eq!(counts(&DecodeOptions::default()), (0, [2, 0, 0], None));
    // Node 2 said its extended address, node 1 did not.
    assert_eq!(counts(&with(&[LinkKey::new(KEY)])), (1, [0, 0, 1], Some(Outcome::Open)));
    assert_eq!(counts(&with(&[LinkKey::new([0; 16])])), (0, [0, 1, 1], None));
    let other = LinkKey { index: Some(2), ..LinkKey::new(KEY) };
    assert_eq!(counts(&with(&[other])), (0, [2, 0, 0], None));
    let mine = LinkKey { index: Some(3), ..LinkKey::new(KEY) };
    let mut options = with(&[LinkKey::new([1; 16]), mine]);
    options.addresses = vec![(1, [0, 0x12, 0x4b, 0, 0x11, 0x22, 0x33, 0x55])];
    assert_eq!(counts(&options), (2, [0, 0, 0], Some(Outcome::Acked)));
    options.addresses[0].1[7] = 0x56;
    assert_eq!(counts(&options), (1, [0, 1, 0], Some(Outcome::Open)), "the address is part of the nonce");
    assert!(!format!("{options:?}").contains("192, 193"), "a key is not printed");
}

#[test]
fn an_association_says_both_addresses() {
    // Association response (802.15.4-2006 7.3.2): to the extended address, short address 2, success.
    let response = hex("63cc 05 cdab 4433221100 4b1200 5533221100 4b1200 02 0200 00");
    let frames = [response, hex(SEALED[0])];
    let options = DecodeOptions { keys: vec![LinkKey::new(KEY)], ..DecodeOptions::default() };
    assert_eq!(analyse(&frames, &options).messages.len(), 1);
}
