//! Formats of sniffers and of people, beside pcap: what is in their files, and that it is what other files of the same
//! recording hold.

use crate::make;
use crate::make::{read, read_with, with_fcs};
use trace::{Fcs, FcsChoice, Format, ImportOptions, Link};

fn open(path: &std::path::Path) -> trace::Capture {
    trace::open(path, &ImportOptions::default(), &mut base::Silent)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn frames(capture: &trace::Capture) -> Vec<Vec<u8>> {
    capture.frames.iter().map(|frame| capture.octets_of(frame).to_vec()).collect()
}

fn millis(capture: &trace::Capture) -> Vec<i64> {
    capture.frames.iter().map(|frame| frame.at.nanos() / 1_000_000).collect()
}

#[test]
fn ti_packet_sniffer_records_are_as_many_as_fit() {
    let Some(index) = needs::shared("captures/INDEX.tsv") else { return };
    for entry in std::fs::read_dir(index.with_file_name("ti-psd-star")).unwrap() {
        let path = entry.unwrap().path();
        let capture = open(&path);
        assert_eq!(capture.format, Format::Psd);
        assert_eq!(capture.frames.len() as u64, capture.file_len / 151, "{}", path.display());
        let bare = capture.frames.iter().filter(|frame| frame.rssi.is_none()).count();
        assert!(bare * 100 < capture.frames.len(), "{bare} frames too short for a status");
        let bad = capture.frames.iter().filter(|frame| frame.fcs == Fcs::Bad).count();
        assert!(bad * 20 < capture.frames.len(), "{bad} bad frames");
        let (first, last) = capture.window().unwrap();
        let secs = (last - first).secs_f64();
        assert!((60.0..86_400.0).contains(&secs), "{}: {secs} s", path.display());
        assert_eq!(capture.notes.count("backward-time-stamp"), 0);
    }
}

/// TestControl_2_160422.psd begins with these two records, read off its hex dump: 0x1a4fa042 and 0x306ac362 ticks; 441
/// 425 986 / 32 are 13 794 562.0625 µs.
#[test]
fn a_ti_packet_sniffer_record_octet_by_octet() {
    let record = |number: u8, ticks: u32, frame: &[u8]| {
        let mut record = vec![3, number, 0, 0, 0];
        record.extend(u64::from(ticks).to_le_bytes());
        record.extend([frame.len() as u8 + 1, 0, frame.len() as u8]);
        record.extend(frame);
        record.resize(151, 0);
        record
    };
    let beacon_request = [3, 8, 0xf6, 0xff, 0xff, 0xff, 0xff, 7, 0xef, 0xeb];
    let file = [record(1, 0x1a4f_a042, &beacon_request), record(2, 0x306a_c362, &beacon_request)].concat();
    for cut in [0, 30] {
        let capture = read(&[&file[..], &file[151..151 + cut]].concat()).unwrap();
        assert_eq!(frames(&capture), [&beacon_request[..8], &beacon_request[..8]]);
        // -17 - 73 dBm; correlation 0x6b.
        let first = &capture.frames[0];
        assert_eq!((first.rssi, first.lqi, first.fcs), (Some(-90), Some(0x6b), Fcs::Good));
        assert_eq!(first.at.nanos(), 13_794_562_062);
        assert_eq!(capture.notes.count("truncated-record"), u64::from(cut > 0));
    }
}

/// foren6 saved this recording in both formats.
#[test]
fn a_snif_file_holds_what_its_pcap_holds() {
    let Some(snif) = needs::shared("captures/foren6-gui-testdata/24-06-2013.snif") else { return };
    let (snif, pcap) = (open(&snif), open(&snif.with_extension("pcap")));
    assert_eq!(snif.format, Format::Snif);
    let (ours, theirs) = (frames(&snif), frames(&pcap));
    eprintln!("{} and {} frames", ours.len(), theirs.len());
    let common = ours.iter().filter(|frame| theirs.binary_search(frame).is_ok() || theirs.contains(frame)).count();
    assert!(common * 100 >= ours.len() * 95, "{common} of {} and {}", ours.len(), theirs.len());
    assert_eq!(snif.notes.count("no-time-stamps"), 1);
    // The first record has a mark of its own, and is the first frame of both files.
    assert_eq!(ours[0], theirs[0]);
    let other = open(&needs::shared("captures/foren6-gui-testdata/radiolog.snif").unwrap());
    assert!(other.frames.len() > 20_000);
    assert_eq!(other.octets_of(&other.frames[0]), other.octets_of(&other.frames[1]));
    assert_eq!((snif.notes.count("garbage-skipped"), other.notes.count("garbage-skipped")), (0, 0));
}

#[test]
fn daintree_packets() {
    let Some(path) = needs::shared("captures/killerbee/zigbee-network-key-ota.dcf") else { return };
    let capture = open(&path);
    let first = &capture.frames[0];
    assert_eq!((capture.frames.len(), capture.format), (4, Format::Daintree));
    assert_eq!(capture.octets_of(first).len(), 28);
    assert_eq!((first.rssi, first.lqi, first.channel, first.fcs), (Some(-25), Some(161), Some(25), Fcs::Good));
    assert_eq!(capture.epoch_unix_nanos, Some(1_193_806_329_955_520_000));
    let empty = open(&path.with_file_name("test_dt_dump.dcf"));
    assert_eq!((empty.frames.len(), empty.notes.count("no-frames")), (0, 1));
}

#[test]
fn nordic_sniffer_logs() {
    let text = "channel 26\r\nreceive\r\n\
                received: 02000131A4 power: -62 lqi: 180 time: 4294000000\r\n\
                received: 61DC07CDAB0200FFFF power: -63 lqi: 176 time: 4294960000\r\n\
                received: 02000731A4 power: -62 lqi: 180 time: 32704\r\n\
                received: 0 power: -62 lqi: 180 time: 32704\r\n";
    let capture = read(text.as_bytes()).unwrap();
    assert_eq!(capture.format, Format::NordicLog);
    assert_eq!(frames(&capture), [&[2, 0, 1][..], &[0x61, 0xdc, 7, 0xcd, 0xab, 2, 0], &[2, 0, 7]]);
    assert_eq!(millis(&capture), [4_294_000, 4_294_960, 4_295_000], "the counter came round");
    assert_eq!((capture.frames[1].rssi, capture.frames[1].lqi), (Some(-63), Some(176)));
    assert_eq!(capture.notes.count("row-skipped"), 3);
}

/// Our own frames as `text2pcap` reads them, as tshark prints them, and one a line.
#[test]
fn hexadecimal_in_its_forms() {
    let frame = with_fcs(&make::data(20));
    let ack = with_fcs(&make::ack(20));
    let meaning = [make::data(20), make::ack(20)];
    let digits = |octets: &[u8], between: &str| {
        octets.iter().map(|octet| format!("{octet:02x}")).collect::<Vec<_>>().join(between)
    };
    let dump = |octets: &[u8]| -> String {
        octets.chunks(16).enumerate().map(|(n, row)| format!("{:04x}  {}  ab cd\n", n * 16, digits(row, " "))).collect()
    };
    // Text beside a short row can be read as octets only where the row has room: leave it out there.
    let plain = |octets: &[u8]| dump(octets).replace("  ab cd", "");
    for (text, stamped) in [
        (format!("{}\n{}\n", plain(&frame), plain(&ack)), 0),
        (format!("10:00:00.5\n{}10:00:00.75\n{}", plain(&frame), plain(&ack)), 2),
        (format!("2026-01-31 10:00:00.5\n{}1769853600.75\n{}", plain(&frame), plain(&ack)), 2),
        (format!("# a comment\n{}\n{}\n", digits(&frame, ""), digits(&ack, " ")), 0),
        (format!("0x{}\n0x{}", digits(&frame, ""), digits(&ack, "")), 0),
        (format!("1769853600.5 {}\n1769853600.75 {}\n", digits(&frame, ""), digits(&ack, "")), 2),
    ] {
        let capture = read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}{e}"));
        assert_eq!(capture.format, Format::HexDump);
        assert_eq!(frames(&capture), meaning, "{text}");
        assert_eq!(capture.notes.count("no-time-stamp"), 2 - stamped, "{text}");
        if stamped == 2 {
            assert_eq!((capture.frames[1].at - capture.frames[0].at).millis(), 250, "{text}");
        }
        let kept = read_with(text.as_bytes(), &ImportOptions::default().with_fcs(FcsChoice::None)).unwrap();
        assert_eq!(frames(&kept), [frame.clone(), ack.clone()]);
    }
}

/// A datagram with plausible lengths is one; the same with another length is a PSDU.
#[test]
fn hexadecimal_of_ip() {
    let ip = "6000000000041140fe800000000000000000000000000001ff020000000000000000000000000001deadbeef";
    let capture = read(ip.as_bytes()).unwrap();
    assert_eq!(capture.frames[0].link, Link::RawIp);
    let capture = read(format!("{ip}00").as_bytes()).unwrap();
    assert_eq!(capture.frames[0].link, Link::Ieee802154);
    let capture = read(format!("{}86dd{ip}", "00".repeat(12)).as_bytes()).unwrap();
    assert_eq!(capture.frames[0].link, Link::Ethernet);
}

#[test]
fn rows_of_a_dump_that_do_not_fit_are_left_out() {
    let text = "0000 41 d8 07 cd ab ff ff 01 00 01 00 01 00 01 00 7a\n0020 01 02\nprose between\n0010 03 04\n";
    let capture = read_with(text.as_bytes(), &ImportOptions::default().with_fcs(FcsChoice::None)).unwrap();
    assert_eq!(capture.octets.len(), 18, "offset 0x20 does not follow 0x10; 0x10 does");
    assert_eq!(capture.notes.count("row-skipped"), 2);
}
