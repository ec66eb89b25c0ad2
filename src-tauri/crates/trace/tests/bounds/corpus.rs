//! The committed corpus of `src-tauri/fuzz/import` through the bodies of the fuzz targets.

use crate::make;
use crate::make::{Order, Pcap, Pcapng};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use trace::fuzz::TARGETS;

fn fuzz_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/import")
}

/// Names of the entries of a directory, without extension.
fn names(dir: &Path) -> BTreeSet<String> {
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn every_file_and_every_beginning_of_it_keeps_the_laws() {
    for (name, body) in TARGETS {
        let dir = fuzz_dir().join("corpus").join(name);
        let files: BTreeSet<PathBuf> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!files.is_empty(), "{name}: no corpus");
        for file in files {
            let octets = fs::read(&file).unwrap();
            for end in (0..octets.len()).step_by(7).chain([octets.len()]) {
                body(&octets[..end]);
            }
        }
    }
}

#[test]
fn targets_bodies_and_corpora_are_the_same() {
    let bodies: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&fuzz_dir().join("fuzz_targets")), bodies);
    assert_eq!(names(&fuzz_dir().join("corpus")), bodies);
}

/// The seeds of formats that are made by hand here lie in the corpus; `RTOSCOPE_SEEDS=1` writes them again.
#[test]
fn seeds_are_what_is_made_here() {
    let zep = {
        let mut file = Pcap::new(Order::Little, 1);
        for n in 0..8_u8 {
            let psdu = make::with_fcs(&make::data(n / 2));
            let mut zep = vec![b'E', b'X', 2, 1, 16, 0, n % 2, 1, 0xff, 0xe7, 0x20, 0xb5, 0x30 + n, 0, 0, 0, 0];
            zep.resize(31, 0);
            zep.push(psdu.len() as u8);
            zep.extend(psdu);
            let udp = (8 + zep.len()) as u16;
            let mut frame = [&[0; 12][..], &[8, 0, 0x45, 0], &(20 + udp).to_be_bytes()].concat();
            frame.extend([0, 0, 0x40, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1, 0x45, 0x5a, 0x45, 0x5a]);
            frame.extend([udp.to_be_bytes(), [0, 0]].concat());
            frame.extend(zep);
            file.record(1_668_691_632 + u32::from(n), 0, &frame);
        }
        file.octets
    };
    let mut ng = Pcapng::of_talk(Order::Big, 3);
    ng.block(4, &[0, 1, 0, 8, 192, 0, 2, 1, b'a', 0, b'b', 0, 0, 0, 0, 0]);
    ng.block(10, &[0x5a, 0x4e, 0x57, 0x4b, 0, 0, 0, 0]);
    ng.simple(5, &make::with_fcs(&make::ack(1)));
    let psd = {
        let mut record = vec![3, 1, 0, 0, 0, 0x42, 0xa0, 0x4f, 0x1a, 0, 0, 0, 0, 11, 0, 10, 3, 8, 0xf6, 0xff, 0xff];
        record.extend([0xff, 0xff, 7, 0xef, 0xeb]);
        record.resize(151, 0);
        record
    };
    let text: &[(&str, &str)] = &[
        ("radio-log", "4375\t1\t2,3\t5: 0x02000131 A4\n00:04.380\t2\t-\t5: 0x02000131 A4\n"),
        ("daintree", "#Format=4\n# SNA v3\n1 1193806329.95 8 0308f6ffffffff07ffff 161 1 -25 25 632 0 1 32767\n"),
        ("nordic", "received: 02000131A4 power: -62 lqi: 180 time: 4294000\n"),
        ("dump", "10:00:00.5\n0000  41 d8 07 cd ab ff ff 01 00 01 00 01 00 01 00 7a  A...\n0010  7b 3b\n"),
        ("hex-lines", "1769853600.5 02000131a4\n1769853600.75 02 00 01\n"),
    ];
    let write = |target: &str, name: &str, octets: &[u8]| {
        let path = fuzz_dir().join("corpus").join(target).join(name);
        if std::env::var_os("RTOSCOPE_SEEDS").is_some() {
            fs::write(&path, octets).unwrap();
        }
        assert!(fs::read(&path).unwrap() == octets, "{}: write it again with RTOSCOPE_SEEDS=1", path.display());
    };
    write("file", "pcap", &Pcap::of_talk(Order::Little, 3).octets);
    write("file", "pcapng", &ng.octets);
    write("file", "zep", &zep);
    write("file", "psd", &psd);
    write("file", "snif", b"\x01SNIF\x00\x03\x02\x00\x01SNIF\x00\x03\x02\x00\x02SNIF\x00\x03\x02\x00\x03");
    write(
        "file",
        "snif-first",
        b"\xfa\x3a\x0a\x46\x00\x03\x02\x00\x01SNIF\x00\x03\x02\x00\x02SNIF\x00\x03\x02\x00\x03",
    );
    write("file", "gzip", &make::gzip(&Pcap::of_talk(Order::Big, 2).octets));
    write(
        "file",
        "zstd",
        &ruzstd::encoding::compress_to_vec(
            &Pcap::of_talk(Order::Big, 2).octets[..],
            ruzstd::encoding::CompressionLevel::Fastest,
        ),
    );
    text.iter().for_each(|(name, text)| write("file", name, text.as_bytes()));
    let twice = Pcap::of_talk(Order::Little, 8).octets;
    write("join", "same", &[&twice[..], &twice].concat());
    let log = make::log_of_talk(8);
    write("join", "logs", [log.clone(), log].concat().as_bytes());
    write("motes", "testlog", b"Random seed: 1\n65000:5:CC TX mid=1 try=0 rto=2000 est=2000\n66000:5:CC ACK mid=1 retx=0 rtt_first=1 rtt_last=1\nTEST OK\n");
    write("motes", "window", b"00:00.065\tID:5\tSRV RX mid=1 from=2\n1:00:00.065\tID:5\tAPP DONE seq=1 ok=1\n");
    write("nodes", "simulation", b"<simconf><mote><interface_config>Position<pos x=\"0\" y=\"-3.5\"/></interface_config><interface_config>MoteID<id>1</id></interface_config></mote><mote><interface_config>Position<x>1</x><y>2</y><z>0</z></interface_config><interface_config><id>2</id></interface_config></mote></simconf>");
    write("nodes", "rows", b"node;x;y;name\n1;0;0;\"the \"\"sink\"\"\"\n00:12:74:00:01:02:03:04;1.5;-2;\n2;x;1\n");
    write("nodes", "hosts", b"# hosts(5)\nfd00::1 sink alias\n0x0012 door # the door\n10.0.0.1\n");
}
