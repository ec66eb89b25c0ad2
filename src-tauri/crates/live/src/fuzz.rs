//! Bodies of the fuzz targets: plain functions, run by `cargo fuzz` (`src-tauri/fuzz/live`) and, over the committed
//! corpus, by `cargo test`.

use crate::decode::{Decoder, Dialogue, Event, Nordic, Pcap, Records, Sensniff, Ti, Zep};
use wire::tap::{Tap, linktype};

/// Fuzz target: takes any octets, panics where a law is broken.
pub type Body = fn(&[u8]);

/// All targets: name of the corpus directory, and body.
pub const TARGETS: [(&str, Body); 7] = [
    ("dialogue", dialogue),
    ("nordic", nordic),
    ("pcap", pcap),
    ("records", records),
    ("sensniff", sensniff),
    ("ti", ti),
    ("zep", zep),
];

/// Asserts that a stream gives the same in pieces of any size, and counts no more than came.
fn stream<D: Decoder>(octets: &[u8], make: impl Fn() -> D) {
    let run = |piece: usize| {
        let (mut decoder, mut events) = (make(), Vec::new());
        for octets in octets.chunks(piece) {
            decoder.feed(octets, &mut events);
        }
        (events, decoder.tally())
    };
    let (events, tally) = run(octets.len().max(1));
    keeps_the_laws(octets, &events);
    assert!(tally.garbage <= octets.len() as u64, "{tally:?}");
    let frames = events.iter().filter(|event| matches!(event, Event::Heard(_))).count();
    assert_eq!(frames as u64, tally.frames);
    for piece in [1, 7] {
        assert_eq!(run(piece), (events.clone(), tally), "in pieces of {piece}");
    }
}

/// Asserts the invariants of all events.
fn keeps_the_laws(octets: &[u8], events: &[Event]) {
    let mut frames = 0;
    for event in events {
        let Event::Heard(heard) = event else { continue };
        assert!(heard.on_link as usize >= heard.octets.len());
        if heard.link == linktype::IEEE802_15_4_TAP
            && let Ok(tap) = Tap::parse(&heard.octets)
        {
            frames += heard.octets.get(tap.frame).map_or(0, <[u8]>::len);
        } else {
            frames += heard.octets.len();
        }
    }
    // A frame is no longer than the octets it came in. A check sequence that is computed adds two.
    assert!(frames <= octets.len() + 2 * events.len());
}

/// Feeds `octets` to the decoder of our records, whole and in pieces.
pub fn records(octets: &[u8]) {
    stream(octets, Records::default);
}

/// Feeds `octets` to the decoder of Nordic's lines, whole and in pieces.
pub fn nordic(octets: &[u8]) {
    stream(octets, Nordic::default);
}

/// Feeds `octets` to the decoder of sensniff's messages, whole and in pieces.
pub fn sensniff(octets: &[u8]) {
    stream(octets, Sensniff::default);
}

/// Feeds captures as from a pipe.
pub fn pcap(octets: &[u8]) {
    stream(octets, Pcap::default);
}

/// Feeds TI's stream: damage costs the rest of a transfer, so pieces matter and are not compared.
pub fn ti(octets: &[u8]) {
    let (mut decoder, mut events) = (Ti::default(), Vec::new());
    for transfer in octets.chunks(64) {
        decoder.feed(transfer, &mut events);
    }
    keeps_the_laws(octets, &events);
    assert!(decoder.tally().garbage <= octets.len() as u64);
}

/// Feeds a ZEP datagram.
pub fn zep(octets: &[u8]) {
    let (mut decoder, mut events) = (Zep::default(), Vec::new());
    decoder.feed(octets, &mut events);
    keeps_the_laws(octets, &events);
    assert!(events.len() <= 1 && (events.len() as u64) == decoder.tally().frames);
}

/// Feeds the dialogue: the first octet says after how many pieces of 16 there is a silence.
pub fn dialogue(octets: &[u8]) {
    let Some((&first, octets)) = octets.split_first() else { return };
    let (mut dialogue, mut events) = (Dialogue::new(11), Vec::new());
    for (at, piece) in octets.chunks(16).enumerate() {
        dialogue.feed(piece, &mut events);
        if at % (usize::from(first & 7) + 1) == 0 {
            dialogue.silence();
        }
        let said = dialogue.take();
        assert!(said.len() < 256 && said.is_ascii());
    }
    keeps_the_laws(octets, &events);
}
