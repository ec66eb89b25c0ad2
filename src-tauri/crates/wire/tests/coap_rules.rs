//! CoAP past the message format: rules of RFC 7252, the OSCORE option, DTLS, and telling CoAP from anything else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hex;

use hex::hex;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use wire::coap::{Coap, Oscore, check, plausible, registry};
use wire::dtls::{self, DtlsRecord};

const RC_OPTION: u16 = 65_020;

fn issues(text: &str) -> Vec<(&'static str, usize)> {
    let octets = hex(text);
    let message = Coap::parse(&octets).unwrap();
    check::issues(&message, &octets, RC_OPTION).into_iter().map(|issue| (issue.code, issue.at)).collect()
}

#[test]
fn every_issue() {
    for (text, expected) in [
        ("40 01 0001 b1 61", vec![]),
        // Classes 1 and 7; a request method that is not assigned.
        ("40 21 0001", vec![("coap-reserved-class", 1)]),
        ("40 e1 0001", vec![("coap-reserved-class", 1)]),
        ("40 1f 0001", vec![("coap-unassigned-code", 1)]),
        // §4.3, Table 1: a request in an ACK, an Empty NON, a Reset with a code.
        ("60 01 0001", vec![("coap-type-and-code", 0)]),
        ("50 00 0001", vec![("coap-type-and-code", 0)]),
        ("70 45 0001", vec![("coap-type-and-code", 0)]),
        // ETag of 9 octets; Uri-Port twice; number 0; critical 9999; Uri-Path ff; Uri-Port 00.
        ("40 45 0001 49 000102030405060708", vec![("coap-option-length", 4)]),
        ("40 01 0001 71 01 01 02", vec![("coap-option-repeated", 6)]),
        ("40 01 0001 00", vec![("coap-option-reserved", 4)]),
        ("40 01 0001 e0 2602", vec![("coap-option-critical-unknown", 4)]),
        ("40 01 0001 b1 ff", vec![("coap-option-not-utf8", 4)]),
        ("40 01 0001 71 00", vec![("coap-option-leading-zeros", 4)]),
        // Block2 with SZX 7; OSCORE with a reserved bit.
        ("40 01 0001 d1 0a 07", vec![("coap-block-size", 4)]),
        ("40 02 0001 91 20", vec![("coap-oscore", 4)]),
        // Elective and unknown, and the retransmission count: nothing wrong.
        ("40 01 0001 e1 fcef 05", vec![]),
    ] {
        assert_eq!(issues(text), expected, "{text}");
    }
    let codes: BTreeSet<_> = check::CODES.into_iter().collect();
    assert_eq!(codes.len(), check::CODES.len());
}

#[test]
fn registry_is_sorted_and_found() {
    assert!(registry::OPTIONS.is_sorted_by_key(|option| option.number));
    assert!(registry::CONTENT_FORMATS.is_sorted_by_key(|(number, _)| *number));
    assert_eq!(registry::option(292).unwrap().name, "Request-Tag");
    assert_eq!(registry::content_format(11542), Some("application/vnd.oma.lwm2m+tlv"));
    assert_eq!((registry::option(13), registry::content_format(1)), (None, None));
}

/// RFC 8613, Appendix C: test vectors 4, 5, 6, 7 and 8.
#[test]
fn oscore_option() {
    let parsed = |text| Oscore::parse(&hex(text)).unwrap();
    let expect = |partial_iv, kid_context, kid| Oscore { partial_iv, kid_context, kid };
    assert_eq!(parsed("0914"), expect(Some(1..2), None, Some(2..2)));
    assert_eq!(parsed("091400"), expect(Some(1..2), None, Some(2..3)));
    assert_eq!(parsed("19140837cbf3210017a2d3"), expect(Some(1..2), Some(3..11), Some(11..11)));
    assert_eq!(parsed(""), expect(None, None, None));
    assert_eq!(parsed("0100"), expect(Some(1..2), None, None));
    for wrong in ["00", "20", "06000000000000", "0110 00", "1002 00"] {
        assert!(Oscore::parse(&hex(wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn dtls_records() {
    // A ClientHello's record header, then an alert in the same datagram.
    let octets = hex("16 fefd 0000 000000000001 0003 010203  15 fefd 0001 000000000002 0002 0228");
    let records = dtls::records(&octets).unwrap();
    let expected = DtlsRecord { content_type: 22, version: 0xfefd, epoch: 0, sequence: 1, content: 13..16 };
    assert_eq!((records.len(), &records[0]), (2, &(0, expected)));
    assert_eq!((records[1].0, records[1].1.name(), records[1].1.epoch), (16, "Alert", 1));
    // RFC 9146: a connection ID of unknown length.
    assert_eq!(dtls::records(&hex("19 fefd 0001 000000000000 c0ffee 0001 aa")).unwrap()[0].1.content, 11..17);
    assert_eq!(dtls::records(&hex("16 0303 0000 000000000001 0000")), None, "TLS is not DTLS");
    assert_eq!(dtls::records(&octets[..20]), None);
    assert_eq!(dtls::records(&[]), None);
}

/// Octets of a linear congruential generator (Knuth's MMIX constants), the high ones.
fn random(seed: &mut u64) -> u8 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 56) as u8
}

/// Random payloads of 1 to 64 octets; of the first 2 million 872 are plausible, one in 2300. `RTOSCOPE_PAYLOADS` says
/// how many are tried.
#[test]
fn random_octets_are_rarely_plausible() {
    let asked = std::env::var("RTOSCOPE_PAYLOADS").ok().map(|n| n.parse().expect("a number of payloads"));
    let (mut seed, mut hits, total) = (1u64, 0u32, asked.unwrap_or(100_000u32));
    for _ in 0..total {
        let len = usize::from(random(&mut seed) & 63) + 1;
        let octets: Vec<u8> = (0..len).map(|_| random(&mut seed)).collect();
        hits += u32::from(plausible(&octets));
    }
    eprintln!("{hits} of {total} random payloads are plausible");
    assert!(hits < total / 1_000, "{hits} of {total}");
}

/// UDP payloads of real captures by tshark, those that it takes for CoAP (`coap`) or for another protocol.
fn payloads(file: &Path, filter: &str) -> Vec<Vec<u8>> {
    let arguments = ["-Y", filter, "-T", "fields", "-e", "udp.payload"];
    let Ok(output) = Command::new("tshark").arg("-r").arg(file).args(arguments).output() else { return Vec::new() };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter(|line| !line.is_empty() && !line.contains(','))
        .map(|line| hex(&line.replace(':', "")))
        .collect()
}

#[test]
fn real_payloads() {
    let Some(captures) = needs::shared("captures") else { return };
    if Command::new("tshark").arg("-v").output().is_err() {
        return needs::skip("tshark");
    }
    let files = |folders: &[&str]| -> Vec<_> {
        let folders = folders.iter().filter_map(|folder| std::fs::read_dir(captures.join(folder)).ok());
        let mut files: Vec<_> = folders.flatten().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    };
    // nDPI's capture has CoAP on port 17500, which Wireshark takes for Dropbox's.
    let (mut others, mut wrong) = (0u32, 0u32);
    for file in files(&["ndpi", "polimi-iot-challenge", "coap-sll2"]) {
        let filter = "udp && !coap && !icmp && !icmpv6 && !(udp.port in {17500, 5683}) && udp.payload";
        for payload in payloads(&file, filter) {
            others += 1;
            wrong += u32::from(plausible(&payload));
        }
    }
    let (mut messages, mut missed) = (0u32, 0u32);
    for file in files(&["ndpi", "ioppytest", "coap-sll2", "student-coap-f", "oscoap-interop", "ttproto"]) {
        let filter = "udp && (coap || udp.port == 17500) && !_ws.malformed && !icmp && !icmpv6 && udp.payload";
        for payload in payloads(&file, filter) {
            messages += 1;
            missed += u32::from(!plausible(&payload));
        }
    }
    eprintln!("{wrong} of {others} payloads that are not CoAP are plausible; {missed} of {messages} that are, are not");
    assert!(wrong <= others / 500, "{wrong} of {others}");
    // The misses use codes and options that were never registered, or put octets behind an Empty message.
    assert!(missed <= messages / 20, "{missed} of {messages}");
}
