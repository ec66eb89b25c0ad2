//! Opening secured frames: the examples of the standard, and Wireshark as a second opinion on frames made here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hex;

use aes::Aes128;
use ccm::aead::{AeadInOut, KeyInit};
use ccm::consts::{U4, U8, U13, U16};
use ccm::{Ccm, Nonce};
use hex::hex;
use std::process::Command;
use wire::MacHeader;
use wire::security::{Closed, Key, Opened, open, open_tsch};

/// IEEE 802.15.4-2006, C.2: the key, and the extended address of the sender.
const KEY: &str = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf";
const SOURCE: [u8; 8] = [0xac, 0xde, 0x48, 0, 0, 0, 0, 1];

fn key() -> Key {
    hex(KEY).try_into().unwrap()
}

fn opened(psdu: &[u8]) -> Result<Opened, Closed> {
    open(psdu, &MacHeader::parse(psdu).unwrap(), &key(), SOURCE)
}

/// C.2.1: a beacon of level 2. Superframe specification, GTS and pending fields, then 51 52 53 54, in clear.
#[test]
fn annex_c_beacon() {
    let psdu = hex("08d0 84 2143 0100000000 48deac 0205000000 55cf0000 51525354 223bc1ec841ab553");
    assert_eq!(opened(&psdu).unwrap().octets, hex("55cf0000 51525354"));
    let mut forged = psdu.clone();
    forged[3] ^= 1;
    assert_eq!(opened(&forged), Err(Closed::Forged));
}

/// C.2.2: data of level 4, encrypted and not authenticated.
#[test]
fn annex_c_data() {
    let psdu = hex("69dc 84 2143 0200000000 48deac 0100000000 48deac 0405000000 d43e022b");
    assert_eq!(opened(&psdu).unwrap().octets, hex("61626364"));
}

/// C.2.3: a command of level 6. Its identifier, 01, stays in clear; ce becomes d8.
#[test]
fn annex_c_command() {
    let psdu = hex("2bdc 84 2143 0200000000 48deac ffff 0100000000 48deac 0605000000 01 d8 4fde529061f9c6f1");
    let opened_frame = opened(&psdu).unwrap();
    assert_eq!(opened_frame.octets, hex("01 ce"));
    assert_eq!(opened_frame.payload, 0..2);
    let wrong = open(&psdu, &MacHeader::parse(&psdu).unwrap(), &[0; 16], SOURCE);
    assert_eq!(wrong, Err(Closed::Forged));
}

/// `payload` behind `header` as level 5, 6 or 7 secures it.
fn sealed(header: &[u8], payload: &[u8], nonce: [u8; 13], mic_len: usize) -> Vec<u8> {
    let mut private = payload.to_vec();
    let (key, nonce) = (key().into(), Nonce::from(nonce));
    let tag = match mic_len {
        4 => seal::<U4>(&key, &nonce, header, &mut private),
        8 => seal::<U8>(&key, &nonce, header, &mut private),
        _ => seal::<U16>(&key, &nonce, header, &mut private),
    };
    [header, &private, &tag].concat()
}

fn seal<M>(key: &ccm::aead::Key<Ccm<Aes128, M, U13>>, nonce: &Nonce<U13>, header: &[u8], private: &mut [u8]) -> Vec<u8>
where
    M: ccm::aead::array::ArraySize + ccm::TagSize,
{
    Ccm::<Aes128, M, U13>::new(key).encrypt_inout_detached(nonce, header, private.into()).unwrap().to_vec()
}

/// 6LoWPAN, IPHC with elided addresses, UDP to port 5683, CoAP GET of message ID 0x1234.
const REQUEST: &str = "7e33 f0 1633 1633 0000 40 01 1234 b1 61";

/// A data frame of each level that encrypts and authenticates, long addresses, implicit key.
fn data_frames() -> Vec<(u8, Vec<u8>)> {
    [(5, 4), (6, 8), (7, 16)]
        .map(|(level, mic_len)| {
            let counter = 0x0102_0300 + u32::from(level);
            let mut header = hex("69dc 07 cdab 0200000000 48deac 0100000000 48deac");
            header.push(level);
            header.extend_from_slice(&counter.to_le_bytes());
            let mut nonce = [0; 13];
            nonce[..8].copy_from_slice(&SOURCE);
            nonce[8..12].copy_from_slice(&counter.to_be_bytes());
            nonce[12] = level;
            (level, sealed(&header, &hex(REQUEST), nonce, mic_len))
        })
        .to_vec()
}

#[test]
fn levels_that_encrypt_and_authenticate() {
    for (level, psdu) in data_frames() {
        assert_eq!(opened(&psdu).unwrap().octets, hex(REQUEST), "level {level}");
        for octet in 0..psdu.len() {
            let mut damaged = psdu.clone();
            damaged[octet] ^= 0x10;
            if let Ok(header) = MacHeader::parse(&damaged) {
                assert!(open(&damaged, &header, &key(), SOURCE).is_err(), "level {level}, octet {octet}");
            }
        }
    }
}

/// Wireshark opens the same frames and finds the same request.
#[test]
fn wireshark_agrees() {
    const NO_FCS: u32 = 230;
    let mut pcap = hex("d4c3b2a1 0200 0400 00000000 00000000 00010000");
    pcap.extend_from_slice(&NO_FCS.to_le_bytes());
    for (_, psdu) in data_frames() {
        let len = u32::try_from(psdu.len()).unwrap();
        pcap.extend_from_slice(&[0; 8]);
        pcap.extend_from_slice(&len.to_le_bytes());
        pcap.extend_from_slice(&len.to_le_bytes());
        pcap.extend_from_slice(&psdu);
    }
    let file = std::env::temp_dir().join(format!("rtoscope-secured-{}.pcap", std::process::id()));
    std::fs::write(&file, pcap).unwrap();
    let uat = format!("uat:ieee802154_keys:\"{KEY}\",\"0\",\"No hash\"");
    let output = Command::new("tshark")
        .arg("-r")
        .arg(&file)
        .args(["-o", &uat, "-T", "fields", "-e", "wpan.aux_sec.sec_level", "-e", "coap.mid", "-e", "coap.opt.uri_path"])
        .output();
    std::fs::remove_file(&file).unwrap();
    match output {
        Ok(output) => {
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(
                text,
                "0x05\t4660\ta\n0x06\t4660\ta\n0x07\t4660\ta\n",
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Err(_) => needs::skip("tshark"),
    }
}

/// A TSCH data frame of level 5, frame counter suppressed, with a payload IE that is encrypted.
#[test]
fn slot_number_in_the_nonce() {
    // Version 2, IEs present, sequence number suppressed; header termination 1, then, encrypted, a vendor
    // IE, the payload termination IE, and the payload.
    let header = hex("09ef cdab 0200000000 48deac 0100000000 48deac 65 003f");
    let private = hex("0390 aabbcc 00f8 7e33");
    let asn = 0x01_0203_0405u64;
    let mut nonce = [0; 13];
    nonce[..8].copy_from_slice(&SOURCE);
    nonce[8..].copy_from_slice(&asn.to_be_bytes()[3..]);
    let psdu = sealed(&header, &private, nonce, 4);
    let parsed = MacHeader::parse(&psdu).unwrap();
    assert!(parsed.is_encrypted() && parsed.payload_ies.is_empty());
    assert_eq!(open(&psdu, &parsed, &key(), SOURCE), Err(Closed::NoFrameCounter));
    let opened = open_tsch(&psdu, &parsed, &key(), SOURCE, asn).unwrap();
    assert_eq!((opened.octets.as_slice(), opened.payload.clone(), opened.error), (&private[..], 7..9, None));
    assert_eq!(opened.payload_ies.iter().map(|ie| ie.id).collect::<Vec<_>>(), [2, 15]);
    assert_eq!(open_tsch(&psdu, &parsed, &key(), SOURCE, asn + 1), Err(Closed::Forged));
}
