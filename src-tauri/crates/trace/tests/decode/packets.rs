//! Packet list and decode tree see every CoAP message that import sees, and no others: frame by frame, in every capture
//! there is.

use base::{FrameId, Silent, Span};
use std::path::{Path, PathBuf};
use trace::packet::{TreeValue, dissect};
use trace::{DecodeOptions, ImportOptions, Packet, Places, Trace};

/// Number of frames that complete a message, and of duplicates among them.
#[derive(Default, PartialEq, Eq, Debug)]
struct Seen {
    frames: usize,
    duplicates: usize,
}

/// Compare each frame of `trace` as read on demand with the messages of import.
fn compare(name: &str, trace: &Trace) -> Seen {
    let places = Places::of(trace, &mut Silent).unwrap();
    let mut seen = Seen::default();
    let mut sightings = trace.sightings.iter().peekable();
    for id in (0..trace.capture.frames.len()).map(FrameId::at) {
        let at = format!("{name}, frame {}", id.0 + 1);
        let packet = Packet::read(trace, &places, id);
        let ends = sightings.next_if(|(frame, _)| *frame == id).map(|&(_, message)| &trace.messages[message.index()]);
        let Some(message) = ends else {
            assert!(packet.coap.is_none(), "{at}: no message of import ends here: {packet:?}");
            continue;
        };
        seen.frames += 1;
        seen.duplicates += usize::from(trace.capture.first_sighting_of(id).is_some());
        let place = places.of_frame(trace, id).unwrap_or_else(|| panic!("{at}: has no place"));
        assert_eq!(place.message, message.id, "{at}");
        let coap = packet.coap.unwrap_or_else(|| panic!("{at}: no CoAP, {:?}", packet.stop));
        let header = &coap.header;
        assert_eq!(
            (
                header.kind,
                header.code,
                header.mid,
                header.token,
                header.payload.as_ref().map_or(0, ExactSizeIterator::len)
            ),
            (message.kind, message.code, message.mid, message.token, usize::from(message.payload)),
            "{at}"
        );
        let tree = dissect(trace, &places, id);
        let has = |name: &str, value: u64| tree.find(name).any(|node| node.value == TreeValue::Uint(value));
        assert!(has("coap.mid", message.mid.into()) && has("coap.code", message.code.0.into()), "{at}: {tree:?}");
        let token = |octets: &[u8]| tree.find("coap.token").any(|node| tree.octets(node) == octets);
        assert!(message.token.is_empty() || token(message.token.as_slice()), "{at}: {tree:?}");
    }
    assert!(sightings.next().is_none(), "{name}: sightings are in the order of the capture");
    seen
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Compare all captures below `folder`; what is none is passed over.
fn compare_all(folder: &Path) -> Seen {
    let mut all = Seen::default();
    for path in files(folder) {
        let Ok(capture) = trace::open(&path, &ImportOptions::default(), &mut base::Silent) else { continue };
        let trace = trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap();
        let seen = compare(&path.display().to_string(), &trace);
        (all.frames, all.duplicates) = (all.frames + seen.frames, all.duplicates + seen.duplicates);
    }
    println!("{}: {all:?}", folder.display());
    all
}

#[test]
fn bundled_captures() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    assert!(compare_all(&traces).frames > 10_000);
}

#[test]
fn captures_of_others() {
    let Some(captures) = needs::shared("captures") else { return };
    let seen = compare_all(&captures);
    assert!(seen.frames > 10_000 && seen.duplicates > 1_000, "{seen:?}");
}

/// Two sniffers of one network with fragments: what both heard, both show.
#[test]
fn the_second_sniffer_shows_what_the_first_does() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let open = |name: &str| trace::open(&traces.join(name), &ImportOptions::default(), &mut base::Silent).unwrap();
    let mut first = open("contiki30-chain4-stock/radiolog.txt.gz");
    // Sniffers see it so: motes are one source, and nobody knows who received what.
    first.sources.truncate(1);
    first.sources[0].mote = None;
    first.frames.iter_mut().for_each(|frame| frame.source = base::SourceId(0));
    (first.heard, first.heard_by) = (Vec::new(), Vec::new());
    let mut second = first.clone();
    second.name = "second".to_owned();
    second.frames.iter_mut().for_each(|frame| frame.at += Span::from_micros(20));
    let alone = trace::analyse(first.clone(), &DecodeOptions::default(), &mut base::Silent).unwrap();
    let merged = trace::merge(vec![first, second]).unwrap();
    let trace = trace::analyse(merged, &DecodeOptions::default(), &mut base::Silent).unwrap();
    let seen = compare("merged", &trace);
    assert!(seen.duplicates > 100, "{seen:?}");
    assert_eq!((seen.frames, seen.duplicates), (2 * alone.sightings.len(), alone.sightings.len()));
}
