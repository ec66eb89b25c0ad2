//! Every format cut at each of its octets, times that cannot be, and octets that are no text: what is told, every
//! sentence of it.

use crate::make;
use crate::make::{Order, Pcap, Pcapng, gzip, log_of_talk, told};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fmt::Write;

/// The same, whatever its numbers and the octets it quotes.
fn sentence(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for word in &mut words {
        if word.starts_with(|c: char| c.is_ascii_digit()) && !word.starts_with("802.15.4") {
            let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
            word.replace_range(..end, "N");
        }
    }
    words.join(" ").replace("N N N N", "N").replace("N N", "N").replace("N N", "N")
}

/// Two records of TI's Packet Sniffer, as `import/formats.rs` explains them.
fn psd() -> Vec<u8> {
    let record = |number: u8| {
        let frame = [3, 8, 0xf6, 0xff, 0xff, 0xff, 0xff, 7, 0xef, 0xeb];
        let mut record = vec![3, number, 0, 0, 0];
        record.extend((u64::from(number) * 32_000).to_le_bytes());
        record.extend([frame.len() as u8 + 1, 0, frame.len() as u8]);
        record.extend(frame);
        record.resize(151, 0);
        record
    };
    [record(1), record(2)].concat()
}

/// Three records of foren6, without flags.
fn snif() -> Vec<u8> {
    let record = |n: u8| [b"SNIF".to_vec(), vec![0, make::data(n).len() as u8], make::data(n)].concat();
    [record(1), record(2), record(3)].concat()
}

#[test]
fn cut_at_each_octet() {
    let pcap = Pcap::of_talk(Order::Little, 8).octets;
    let nordic = "received: 02000131A4 power: -62 lqi: 180 time: 4000\r\n".repeat(3);
    let hex = "10:00:00.5\n0000  61 dc 07 cd ab 02 00 ff ff 01 02 03 04 05 06 07\n0010  08 09\n".repeat(2);
    let files: [(&str, Vec<u8>); 9] = [
        ("pcapng", Pcapng::of_talk(Order::Big, 8).octets),
        ("Cooja radio log", log_of_talk(4).into_bytes()),
        ("TI .psd", psd()),
        ("foren6 .snif", snif()),
        ("nRF sniffer log", nordic.into_bytes()),
        ("hexadecimal dump", hex.into_bytes()),
        ("pcap in gzip", gzip(&pcap)),
        ("pcap in Zstandard", compress_to_vec(&pcap[..], CompressionLevel::Fastest)),
        ("pcap", pcap),
    ];
    let mut table = String::new();
    for (name, octets) in files {
        let mut said: Vec<(String, usize)> = Vec::new();
        for end in 0..octets.len() {
            let text = sentence(&told(&octets[..end]));
            match said.iter_mut().find(|(known, _)| *known == text) {
                Some((_, cuts)) => *cuts += 1,
                None => said.push((text, 1)),
            }
        }
        writeln!(table, "{name}, {} octets", octets.len()).unwrap();
        for (text, cuts) in said {
            writeln!(table, "  {cuts} cuts").unwrap();
            table.push_str(&text);
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn times_that_cannot_be_and_octets_that_are_no_text() {
    let stamped = |ticks: u64, options: &[(u16, &[u8])]| {
        let mut file = Pcapng::new(Order::Little);
        file.interface(195, 0, options);
        for (n, frame) in make::talk(8).iter().enumerate() {
            file.enhanced(0, if n == 4 { ticks } else { 1_700_000_000_000_000 + n as u64 * 1_000 }, frame);
        }
        file.octets
    };
    let usual = 1_700_000_000_004_000;
    let (offset, far) = (i64::MAX.to_le_bytes(), (-1_i64 << 40).to_le_bytes());
    let nordic = b"received: 02000131A4 power: -62 lqi: 180 time: 4000\r\nreceived: \xff\xfe power\r\n".repeat(2);
    let hex = b"61dc07cdab0200ffff0102030405060708\nKnoten \xfcberlastet\n61dc08cdab0200ffff0102030405060708\n";
    let files: [(&str, Vec<u8>); 8] = [
        ("pcapng, one stamp of 2^64 - 1 ticks", stamped(u64::MAX, &[])),
        ("pcapng, one stamp of 0", stamped(0, &[])),
        ("pcapng, ticks of 10^-127 s", stamped(usual, &[(9, &[127])])),
        ("pcapng, ticks of 2^-127 s", stamped(usual, &[(9, &[255])])),
        ("pcapng, an offset of 2^63 - 1 s", stamped(usual, &[(14, &offset)])),
        ("pcapng, an offset of -2^40 s", stamped(usual, &[(14, &far)])),
        ("nRF sniffer log with lines that are not UTF-8", nordic),
        ("hexadecimal dump with a line that is not UTF-8", hex.to_vec()),
    ];
    let mut table = String::new();
    for (name, octets) in files {
        write!(table, "{name}\n{}", told(&octets)).unwrap();
    }
    let mut log = b"65000:5:[INFO: Main      ] fe80::205\n".to_vec();
    log.extend(b"66000:5:Knoten \xfcberlastet\n67000:\xff:\n");
    let log = trace::read_mote_log("motes", &log[..], None, &mut base::Silent).unwrap();
    writeln!(
        table,
        "mote log with octets that are not UTF-8\n    {} lines: {:?}",
        log.lines.len(),
        log.text(&log.lines[1])
    )
    .unwrap();
    for kind in log.notes.kinds() {
        writeln!(table, "    {kind}").unwrap();
    }
    insta::assert_snapshot!(table);
}
