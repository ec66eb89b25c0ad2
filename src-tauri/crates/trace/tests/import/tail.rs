//! Files that grow while they are read.

use crate::make;
use crate::make::{Order, Pcap, Pcapng, essence, log_of_talk, row};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::mpsc;
use trace::{Growth, ImportOptions, Tail, open};

fn poll(tail: &mut Tail) -> Growth {
    tail.poll(&mut base::Silent).unwrap()
}

/// However a file grows, what was whole is there, and the capture is that of the file at that moment.
#[test]
fn octet_by_octet_and_in_any_pieces() {
    let folder = tempfile::tempdir().unwrap();
    for (name, octets) in [
        ("pcap", Pcap::of_talk(Order::Big, 12).octets),
        ("pcapng", Pcapng::of_talk(Order::Little, 12).octets),
        ("log", log_of_talk(12).into_bytes()),
    ] {
        let whole = essence(&make::read(&octets).unwrap());
        for step in [1, 7, 64, 333] {
            let path = folder.path().join(format!("{name}{step}"));
            let mut tail = Tail::new(&path, &ImportOptions::default());
            assert!(matches!(poll(&mut tail), Growth::None), "not there yet");
            let mut file = File::create(&path).unwrap();
            assert!(matches!(poll(&mut tail), Growth::None), "empty");
            let mut frames = 0;
            for piece in octets.chunks(step) {
                file.write_all(piece).unwrap();
                // Less than a row is no radio log yet, and says so.
                let Ok(growth) = tail.poll(&mut base::Silent) else {
                    assert!(name == "log" && frames == 0, "{name}");
                    continue;
                };
                match growth {
                    Growth::None => {}
                    Growth::Restarted { .. } => panic!("{name}: it only grew"),
                    Growth::More { capture, from } => {
                        assert_eq!(from.index(), frames, "{name}");
                        assert!(capture.frames.len() > frames, "{name}");
                        frames = capture.frames.len();
                        assert_eq!(capture.notes.count("truncated-record"), 0, "{name}");
                        let times: Vec<_> = essence(&capture).into_iter().map(|(at, _)| at).collect();
                        let expected: Vec<_> = whole.iter().take(frames).map(|&(at, _)| at).collect();
                        assert_eq!(times, expected, "{name}");
                    }
                }
            }
            assert_eq!(frames, 12, "{name}");
            assert!(matches!(poll(&mut tail), Growth::None));
        }
    }
}

/// Another thread writes; nothing is lost, nothing comes twice.
#[test]
fn a_growing_file_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.pcap");
    let octets = Pcap::of_talk(Order::Little, 200).octets;
    let (tell, told) = mpsc::channel();
    let writer = std::thread::spawn({
        let (path, octets) = (path.clone(), octets.clone());
        move || {
            let mut file = File::create(path).unwrap();
            for piece in octets.chunks(101) {
                file.write_all(piece).unwrap();
                tell.send(()).unwrap();
            }
        }
    });
    let mut tail = Tail::new(&path, &ImportOptions::default());
    let mut frames = Vec::new();
    let mut look = |frames: &mut Vec<_>| {
        if let Growth::More { capture, from } = poll(&mut tail) {
            assert_eq!(from.index(), frames.len());
            frames.extend(essence(&capture).split_off(from.index()).into_iter().map(|(at, _)| at));
        }
    };
    while told.recv().is_ok() {
        look(&mut frames);
    }
    writer.join().unwrap();
    look(&mut frames);
    let whole = essence(&open(&path, &ImportOptions::default(), &mut base::Silent).unwrap());
    assert_eq!(frames, whole.iter().map(|&(at, _)| at).collect::<Vec<_>>());
    assert_eq!(frames.len(), 200);
}

#[test]
fn a_file_that_begins_anew_is_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("radiolog.txt");
    let mut tail = Tail::new(&path, &ImportOptions::default());
    let log =
        |from: u64| (0..5).map(|n| row(from + n, 1, "-", &make::with_fcs(&make::data(n as u8)))).collect::<String>();
    std::fs::write(&path, log(1_000)).unwrap();
    assert!(matches!(poll(&mut tail), Growth::More { .. }));
    // Cut and written again, longer than before.
    for (at, text) in [(1, log(2_000) + &log(3_000)), (2, log(4_000))] {
        std::fs::write(&path, text).unwrap();
        let Growth::Restarted { capture } = poll(&mut tail) else { panic!("{at}") };
        assert_eq!(capture.notes.count("file-restarted"), 1);
    }
    // Gone for a moment, as when it is moved away; then another one.
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(poll(&mut tail), Growth::None));
    std::fs::write(&path, log(4_000)).unwrap();
    assert!(matches!(poll(&mut tail), Growth::None), "the same again");
    OpenOptions::new().append(true).open(&path).unwrap().write_all(log(5_000).as_bytes()).unwrap();
    let Growth::More { capture, from } = poll(&mut tail) else { panic!() };
    assert_eq!((capture.frames.len(), from.index()), (10, 5));
}
