//! The order of interfaces in a recording.

use live::decode::{Heard, Reception, Stamp};
use live::recording::{Existing, Recording};
use wire::tap::linktype;

fn heard(stream: u32, link: u16) -> Heard {
    Heard { stream, link, ..Heard::psdu(&[2, 0, 1], Reception::default(), Stamp::None) }
}

/// Names and link types of the interfaces described in a pcapng file of this machine's byte order.
fn interfaces(octets: &[u8]) -> Vec<(u16, String)> {
    let (mut rest, mut found) = (octets, Vec::new());
    while let Some(head) = rest.first_chunk::<8>() {
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (block, after) = rest.split_at(word(4) as usize);
        if word(0) == 1 {
            // `if_name` is the first option.
            let length = usize::from(u16::from_le_bytes([block[18], block[19]]));
            assert_eq!(block[16..18], [2, 0]);
            let name = String::from_utf8_lossy(&block[20..20 + length]).into_owned();
            found.push((u16::from_le_bytes([block[8], block[9]]), name));
        }
        rest = after;
    }
    found
}

#[test]
fn interfaces_are_in_the_order_of_the_devices() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.pcapng");
    let mut recording = Recording::create(&path, Existing::Kept, 0).expect("made");
    for (name, link) in [("one", None), ("two", Some(linktype::IEEE802_15_4_TAP)), ("three", None), ("four", None)] {
        recording.device(name, "", link, 0).expect("announced");
    }
    // The last speaks first; the first then speaks another language than it was taken for.
    for (device, stream, link) in
        [(3, 0, 195), (2, 0, 195), (0, 0, 230), (2, 5, 195), (1, 0, linktype::IEEE802_15_4_TAP)]
    {
        recording.heard(device, 0, &heard(stream, link), "").expect("written");
    }
    recording.name_stream(3, 9, "by name".to_owned());
    recording.heard(3, 0, &heard(9, 195), "").expect("written");
    for device in 0..4 {
        recording.statistics(device, 1, true, 0, "").expect("written");
    }
    let octets = std::fs::read(&path).expect("read");
    let tap = linktype::IEEE802_15_4_TAP;
    // A known radio has its interface from the beginning, and so have the devices before it.
    let expected = [
        (tap, "one"),
        (tap, "two"),
        (195, "three"),
        (195, "four"),
        (230, "one"),
        (195, "three 5"),
        (195, "four by name"),
    ];
    assert_eq!(interfaces(&octets), expected.map(|(link, name)| (link, name.to_owned())));
    // The importer lists the sources that sent frames, in their order.
    let capture = trace::open(&path, &trace::ImportOptions::default(), &mut base::Silent).expect("read");
    let names: Vec<&str> = capture.sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "three", "four", "three 5", "four by name"]);
}
