//! Messages for files that people open by mistake.

use crate::make;
use crate::make::{Order, Pcap, Pcapng, gzip, read};
use std::ops::ControlFlow;
use std::path::Path;
use trace::{ImportError, ImportOptions};

fn said(octets: &[u8]) -> String {
    read(octets).unwrap_err().to_string()
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| trace::open(path, &ImportOptions::default(), &mut base::Silent).unwrap_err();
    assert!(matches!(open(folder.path()), ImportError::Directory { .. }));
    let path = folder.path().join("gone.pcap");
    assert_eq!(open(&path).to_string(), format!("There is no file {}.", path.display()));
    std::fs::write(&path, []).unwrap();
    assert!(matches!(open(&path), ImportError::Empty));
    std::fs::write(&path, gzip(&[])).unwrap();
    assert!(matches!(open(&path), ImportError::Empty));
}

#[test]
fn the_name_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("radiolog.pcap");
    std::fs::write(&path, make::log_of_talk(4)).unwrap();
    let capture = trace::open(&path, &ImportOptions::default(), &mut base::Silent).unwrap();
    assert_eq!(capture.format, trace::Format::CoojaRadioLog);
    assert_eq!((capture.name.as_str(), capture.frames.len()), ("radiolog.pcap", 4));
}

#[test]
fn a_file_without_frames_opens_with_a_note() {
    let mut pcapng = Pcapng::new(Order::Big);
    for octets in [Pcap::new(Order::Little, 195).octets, pcapng.octets.clone(), {
        pcapng.interface(195, 0, &[]);
        pcapng.octets
    }] {
        let capture = read(&octets).unwrap();
        assert_eq!((capture.frames.len(), capture.notes.count("no-frames")), (0, 1));
        assert_eq!(capture.epoch_unix_nanos, None);
    }
}

#[test]
fn headers_that_end_early_and_links_that_are_unknown() {
    let file = Pcap::new(Order::Little, 105).octets;
    assert_eq!(said(&file[..10]), "The file ends within its pcap header, after 10 octets. Nothing was read.");
    assert_eq!(
        said(&Pcapng::new(Order::Little).octets[..20]),
        "The file ends within its pcapng header, after 20 octets. Nothing was read."
    );
    let unsupported = "The frames have link type 105 (IEEE802_11 WLAN), which is not supported";
    assert!(said(&file).starts_with(unsupported));
    let mut file = Pcapng::new(Order::Little);
    file.interface(105, 0, &[]);
    file.enhanced(0, 0, &[0; 9]);
    assert!(said(&file.octets).starts_with(unsupported));
}

#[test]
fn an_import_can_be_stopped_and_says_how_far_it_is() {
    let octets = Pcap::of_talk(Order::Little, 200).octets.repeat(1_000);
    let len = octets.len() as u64;
    let mut ticks = Vec::new();
    let mut progress = |done, total| {
        ticks.push((done, total));
        ControlFlow::Continue(())
    };
    trace::read("x", &octets[..], Some(len), &ImportOptions::default(), &mut progress).unwrap();
    assert_eq!(ticks.last(), Some(&(len, len)));
    assert!(ticks.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[1].0 - pair[0].0 <= 64 * 1024));

    let packed = gzip(&octets);
    let mut most = 0;
    let mut progress = |done, _| {
        most = done;
        ControlFlow::Continue(())
    };
    trace::read("x", &packed[..], None, &ImportOptions::default(), &mut progress).unwrap();
    assert_eq!(most, packed.len() as u64, "progress counts octets of the file, not of what it unpacks to");

    for patience in 0..4 {
        let mut left = patience;
        let mut progress = |_, _| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = trace::read("x", &octets[..], Some(len), &ImportOptions::default(), &mut progress);
        assert!(matches!(stopped, Err(ImportError::Cancelled)));
    }
}
