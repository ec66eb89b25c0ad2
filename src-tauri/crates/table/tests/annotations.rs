//! Comments and other annotations of pcapng files, in the packet list and in filters.

use base::Silent;
use serde_json::Value;
use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::process::Command;
use table::Rows;
use table::filter::Filter;
use trace::export::{RAW_IP, Section, Writer};
use trace::{DecodeOptions, ImportOptions, Places, Trace};

const COMMENTS: [&[&str]; 4] = [&[], &["lost its parent", "and again"], &["Nächster Versuch"], &[]];

/// A confirmable request for nothing, from `fd00::1` to `fd00::2`.
fn request(mid: u16) -> Vec<u8> {
    let [src, dst]: [Ipv6Addr; 2] = [1, 2].map(|host| Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, host));
    let mut packet = vec![0x60, 0, 0, 0, 0, 12, 17, 64];
    packet.extend([src.octets(), dst.octets()].concat());
    packet.extend([0x16, 0x34, 0x16, 0x33, 0, 12, 0, 0, 0x40, 0x01]);
    packet.extend(mid.to_be_bytes());
    packet
}

/// Four packets, two of them with comments, and a name for `fd00::1` (draft-ietf-opsawg-pcapng, section 4.5).
fn file() -> Vec<u8> {
    let mut octets = Vec::new();
    let section = Section { application: "test".to_owned(), ..Section::default() };
    let mut writer = Writer::new(&mut octets, &section).expect("memory");
    let interface = writer.interface(RAW_IP, "lab", "").expect("memory");
    for (n, comments) in (0_u16..).zip(COMMENTS) {
        let packet = request(n);
        let at = 1_700_000_000_000_000_000 + i64::from(n) * 1_000_000_000;
        writer.packet(interface, at, &packet, packet.len() as u32, comments.iter().copied()).expect("memory");
    }
    // A record of 16 + 5 octets, padded to 24, then the end of the records.
    let mut names = vec![2, 0, 21, 0];
    names.extend(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 1).octets());
    names.extend(b"root\0\0\0\0\0\0\0\0");
    let length = (names.len() as u32 + 12).to_le_bytes();
    for part in [&4_u32.to_le_bytes()[..], &length, &names, &length] {
        octets.extend_from_slice(part);
    }
    octets
}

fn trace() -> Trace {
    let capture =
        trace::read("annotated", &file()[..], None, &ImportOptions::default(), &mut Silent).expect("a capture");
    trace::analyse(capture, &DecodeOptions::default(), &mut Silent).expect("not cancelled")
}

#[test]
fn packet_lists_show_comments_and_names() {
    let trace = trace();
    let places = Places::of(&trace, &mut Silent).expect("not cancelled");
    let rows: Vec<u32> = (0..4).collect();
    let sheet =
        table::packets(&trace, &places, Rows::Frames, &rows, &table::Look::default()).expect("columns as declared");
    let column = |name: &str| sheet.column(name).unwrap_or_else(|| panic!("no column {name}"));
    assert_eq!(
        format!("{:?}", column("comment")),
        r#"Text(["", "lost its parent; and again", "Nächster Versuch", ""])"#
    );
    assert!(format!("{:?}", column("src")).contains("\"root (fd00::1)\""));
    assert!(format!("{:?}", column("dst")).contains("\"fd00::2\""));
}

/// Frames, from 1, that pass `text`.
fn passing(trace: &Trace, text: &str) -> Vec<u32> {
    let filter: Filter = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    let rows = table::select(
        trace,
        &Places::of(trace, &mut Silent).expect("not cancelled"),
        Rows::Frames,
        Some(&filter),
        None,
        &mut Silent,
    );
    rows.expect("not cancelled").into_iter().map(|row| row + 1).collect()
}

#[test]
fn comments_can_be_filtered_for_as_in_wireshark() {
    let trace = trace();
    let expected: [(&str, &[u32]); 5] = [
        ("frame.comment", &[2, 3]),
        ("!frame.comment", &[1, 4]),
        ("frame.comment contains \"again\"", &[2]),
        ("frame.comment matches \"nächster\"", &[3]),
        ("frame.comment == \"lost its parent\"", &[2]),
    ];
    for (text, frames) in expected {
        assert_eq!(passing(&trace, text), frames, "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("annotated.pcapng");
    std::fs::write(&path, file()).expect("written");
    for (text, frames) in expected {
        let mut tshark = Command::new("tshark");
        let Ok(output) = tshark.args(["-n", "-Y", text, "-T", "json", "-e", "frame.number", "-r"]).arg(&path).output()
        else {
            return needs::skip("tshark");
        };
        let theirs: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let number = |row: &Value| row["_source"]["layers"]["frame.number"][0].as_str()?.parse().ok();
        let theirs: Vec<u32> = theirs.as_array().expect("rows").iter().filter_map(number).collect();
        assert_eq!(theirs, frames, "tshark: {text}");
    }
}
