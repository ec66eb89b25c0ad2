//! TI's stream, sensniff's, ZEP, and captures in pipes: against octets laid out by hand from the formats' descriptions.

use live::decode::{Decoder, Event, Heard, Pcap, Sensniff, Stamp, Ti, Zep};
use proptest::prelude::*;
use wire::tap::Tap;

/// An acknowledgement of sequence number 0x31 and its FCS, as ZEP captures of IoT-LAB have it.
const ACK: [u8; 5] = [2, 0, 0x31, 0xa4, 0xb4];

fn heard(decoder: &mut impl Decoder, octets: &[u8]) -> Vec<Heard> {
    let mut events = Vec::new();
    decoder.feed(octets, &mut events);
    events.into_iter().filter_map(|event| if let Event::Heard(heard) = event { Some(heard) } else { None }).collect()
}

fn psdu(heard: &Heard) -> &[u8] {
    let tap = Tap::parse(&heard.octets).expect("TAP");
    let frame = &heard.octets[tap.frame];
    &frame[..frame.len() - 2]
}

/// A frame of TI's stream.
fn ti(ticks: u32, psdu: &[u8], rssi: u8, status: u8) -> Vec<u8> {
    let n = psdu.len() as u8 + 2;
    [&[0, n + 5, 0][..], &ticks.to_le_bytes(), &[n], psdu, &[rssi, status]].concat()
}

#[test]
fn ti_frames_and_ticks() {
    let mut decoder = Ti::default();
    decoder.set_channel(20);
    // 13 dBm below the offset of 73, FCS right, correlation 110; then a wrong one, correlation 50.
    let got = heard(&mut decoder, &[ti(64, &ACK[..3], 13, 0x80 | 110), ti(96, &[1], 0, 50)].concat());
    let taps: Vec<Tap> = got.iter().map(|heard| Tap::parse(&heard.octets).expect("TAP")).collect();
    assert_eq!((psdu(&got[0]), psdu(&got[1])), (&ACK[..3], &[1][..]));
    assert_eq!((taps[0].rss_dbm, taps[0].lqi, taps[0].channel), (Some(-60.0), Some(255), Some(20)));
    assert_eq!((taps[1].rss_dbm, taps[1].lqi), (Some(-73.0), Some(0)));
    assert_eq!((got[0].stamp, got[1].stamp), (Stamp::Device(2_000), Stamp::Device(3_000)));
    assert!(wire::ieee802154::has_valid_fcs16(&got[0].octets[taps[0].frame.clone()]));
    assert!(!wire::ieee802154::has_valid_fcs16(&got[1].octets[taps[1].frame.clone()]));
    // Two wraps of the clock without a frame, seen from the ticks every 2^26.
    for tick in 1..128_u32 {
        assert!(heard(&mut decoder, &[1, 1, 0, (tick * 4) as u8]).is_empty());
    }
    let [later] = &heard(&mut decoder, &ti(0xfc00_0040, &ACK[..3], 0, 0x80))[..] else { panic!() };
    let ticks = (1_u64 << 32) + 0xfc00_0040;
    assert_eq!(later.stamp, Stamp::Device(ticks * 1_000 / 32));
    // A round without ticks in between.
    let [round] = &heard(&mut decoder, &ti(5, &ACK[..3], 0, 0x80))[..] else { panic!() };
    assert_eq!(round.stamp, Stamp::Device(((2_u64 << 32) + 5) * 1_000 / 32));
    assert_eq!(decoder.tally().garbage, 0);
}

#[test]
fn ti_messages_across_transfers_and_damage() {
    let frame = ti(1, &ACK[..3], 0, 0x80);
    let mut decoder = Ti::default();
    assert!(heard(&mut decoder, &frame[..7]).is_empty());
    assert_eq!(heard(&mut decoder, &frame[7..]).len(), 1);
    // A length that does not fit costs the transfer, no more.
    let mut wrong = frame.clone();
    wrong[7] ^= 1;
    assert!(heard(&mut decoder, &[wrong, frame.clone()].concat()).is_empty());
    assert_eq!(heard(&mut decoder, &frame).len(), 1);
    assert_eq!((decoder.tally().frames, decoder.tally().damaged, decoder.tally().garbage), (2, 1, 26));
}

#[test]
fn sensniff_messages() {
    let magic = [0xc1, 0x1f, 0xfe, 0x72, 2];
    let frame = [&magic[..], &[0, 0, 5, 2, 0, 0x31, 0xc4, 0x80 | 105]].concat();
    let channel = [&magic[..], &[1, 0, 1, 26]].concat();
    let mut decoder = Sensniff::default();
    let got = heard(&mut decoder, &[&b"printf\xc1\x1f"[..], &channel, &frame, b"\xc1", &frame].concat());
    assert_eq!(got.len(), 2);
    let tap = Tap::parse(&got[0].octets).expect("TAP");
    assert_eq!(
        (psdu(&got[0]), tap.rss_dbm, tap.lqi, tap.channel),
        (&[2, 0, 0x31][..], Some(-60.0), Some(105), Some(26))
    );
    assert_eq!(got[0].stamp, Stamp::None);
    // 6 and 2 octets before, 1 between.
    assert_eq!((decoder.tally().garbage, decoder.tally().damaged), (9, 0));
    // Longer than any frame is none.
    assert!(heard(&mut decoder, &[&magic[..], &[0, 1, 5]].concat()).is_empty());
    assert_eq!(heard(&mut decoder, &frame).len(), 1);
    assert_eq!(decoder.tally().damaged, 1);
}

#[test]
fn zep_datagrams() {
    // 0xe720b530.31862 is 2022-11-17 13:27:12.193453 UTC, see the importer's test.
    let mut v2 = vec![b'E', b'X', 2, 1, 16, 0x31, 0x22, 1, 0xff, 0xe7, 0x20, 0xb5, 0x30, 0x31, 0x86, 0x22, 0xc4];
    v2.extend([0; 14]);
    v2.push(5);
    let good = [2, 0, 1, 0x31, 0xa4];
    v2.extend(good);
    let mut decoder = Zep::default();
    let [got] = &heard(&mut decoder, &v2)[..] else { panic!() };
    let tap = Tap::parse(&got.octets).expect("TAP");
    assert_eq!((got.stream, tap.channel), (0x3122, Some(16)));
    let Stamp::Perhaps(at) = got.stamp else { panic!("{:?}", got.stamp) };
    assert_eq!(at / 1_000, 1_668_691_632_193_453);
    assert_eq!(got.octets[tap.frame.clone()], good);
    // An acknowledgement is no frame and no damage; a cut frame is damage.
    assert!(heard(&mut decoder, &[b'E', b'X', 2, 2, 0, 0, 0, 1]).is_empty());
    assert_eq!(decoder.tally().damaged, 0);
    assert!(heard(&mut decoder, &v2[..v2.len() - 1]).is_empty());
    assert!(heard(&mut decoder, b"hello").is_empty());
    assert_eq!((decoder.tally().frames, decoder.tally().damaged), (1, 2));
}

fn pcap(order: fn(u32) -> [u8; 4], magic: u32, records: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let mut file = [magic, 0, 0, 0, 65_535, 0x3000_00c3].map(order).concat();
    for (seconds, fraction, octets) in records {
        file.extend([*seconds, *fraction, octets.len() as u32, octets.len() as u32 + 1].map(order).concat());
        file.extend(*octets);
    }
    file
}

#[test]
fn pcap_of_either_order_and_unit() {
    let records: [(u32, u32, &[u8]); 2] = [(7, 999_999, &ACK), (1_700_000_000, 5, &[1, 2])];
    for order in [u32::to_be_bytes as fn(u32) -> [u8; 4], u32::to_le_bytes] {
        for (magic, unit) in [(0xa1b2_c3d4, 1_000), (0xa1b2_3c4d, 1)] {
            let got = heard(&mut Pcap::default(), &pcap(order, magic, &records));
            let expected: Vec<_> = records
                .iter()
                .map(|&(s, f, octets)| {
                    let at = i64::from(s) * 1_000_000_000 + i64::from(f) * unit;
                    (195, octets.to_vec(), octets.len() as u32 + 1, Stamp::Unix(at))
                })
                .collect();
            let got: Vec<_> = got.into_iter().map(|h| (h.link, h.octets, h.on_link, h.stamp)).collect();
            assert_eq!(got, expected);
        }
    }
}

#[test]
fn pcap_goes_on_after_garbage() {
    let one: [(u32, u32, &[u8]); 1] = [(1_700_000_000, 0, &ACK)];
    let file = pcap(u32::to_le_bytes, 0xa1b2_c3d4, &one);
    let mut decoder = Pcap::default();
    let got = heard(&mut decoder, &[&file[..], &[0xff; 33], &file[24..]].concat());
    assert_eq!(got.len(), 2);
    assert_eq!((decoder.tally().damaged, decoder.tally().garbage), (1, 33));
}

fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32 + 12).to_le_bytes();
    [&kind.to_le_bytes()[..], &length, body, &length].concat()
}

#[test]
fn pcapng_with_two_interfaces() {
    let section = block(0x0a0d_0d0a, &[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
    // Link 230, microseconds; link 283, 2^-20 s, an hour ahead.
    let first = block(1, &[230, 0, 0, 0, 0, 0, 0, 0]);
    let options = [9, 0, 1, 0, 0x94, 0, 0, 0, 14, 0, 8, 0, 0x10, 0x0e, 0, 0, 0, 0, 0, 0];
    let second = block(1, &[&[0x1b, 1, 0, 0, 0, 0, 0, 0][..], &options].concat());
    let packet = |interface: u8, ticks: u32| {
        let mut body = vec![interface, 0, 0, 0, 0, 0, 0, 0];
        body.extend(ticks.to_le_bytes());
        body.extend([3, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0x31, 0]);
        block(6, &body)
    };
    let mut damaged = packet(0, 9);
    let end = damaged.len() - 1;
    damaged[end] = 1;
    let file = [section, first, second, packet(0, 1_500_000), damaged, block(5, &[0; 12]), packet(1, 3 << 19)].concat();
    for piece in [1, 13, file.len()] {
        let (mut decoder, mut got) = (Pcap::default(), Vec::new());
        for octets in file.chunks(piece) {
            got.extend(heard(&mut decoder, octets));
        }
        let got: Vec<_> = got.into_iter().map(|h| (h.stream, h.link, h.octets, h.on_link, h.stamp)).collect();
        let second = 1_000_000_000;
        assert_eq!(
            got,
            [
                (0, 230, vec![2, 0, 0x31], 9, Stamp::Unix(second * 3 / 2)),
                (1, 283, vec![2, 0, 0x31], 9, Stamp::Unix(second * 3_600 + second * 3 / 2)),
            ]
        );
        assert_eq!(decoder.tally().damaged, 1);
    }
}

#[test]
fn pcapng_names_and_drops_go_on() {
    let section = block(0x0a0d_0d0a, &[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
    // Link 195; `if_name` "roof".
    let interface = block(1, &[&[195, 0, 0, 0, 0, 0, 0, 0, 2, 0, 4, 0][..], b"roof", &[0; 4]].concat());
    // Three octets and one of padding, then `epb_dropcount` 5, behind a comment.
    let mut body = vec![0; 12];
    body.extend([3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0x31, 0]);
    let plain = block(6, &body);
    body.extend([1, 0, 1, 0, b'x', 0, 0, 0, 4, 0, 8, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let dropped = block(6, &body);
    // `isb_ifdrop` 7 in all: two more than packets reported; a repeated report adds none.
    let statistics = block(5, &[&[0; 12][..], &[5, 0, 8, 0, 7, 0, 0, 0, 0, 0, 0, 0]].concat());
    let (mut decoder, mut events) = (Pcap::default(), Vec::new());
    decoder.feed(&[section, interface, plain, dropped, statistics.clone(), statistics].concat(), &mut events);
    assert_eq!(events.remove(0), Event::Stream(0, "roof".to_owned()));
    let counts = events.iter().map(|event| if let Event::Heard(heard) = event { heard.dropped } else { 99 });
    assert_eq!(counts.collect::<Vec<_>>(), [0, 5]);
    assert_eq!((decoder.tally().frames, decoder.tally().dropped, decoder.tally().damaged), (2, 7, 0));
}

proptest! {
    /// No octets, in no pieces, make it panic; the counts add up.
    #[test]
    fn anything(octets in proptest::collection::vec(any::<u8>(), 0..600)) {
        for (_, body) in live::fuzz::TARGETS {
            body(&octets);
        }
    }

    /// Frames between garbage are found again by every reader that has a mark to look for.
    #[test]
    fn sensniff_between_garbage(pieces in proptest::collection::vec(proptest::collection::vec(0_u8..0xc0, 0..40), 1..6)) {
        let frame = [0xc1, 0x1f, 0xfe, 0x72, 2, 0, 0, 5, 2, 0, 0x31, 0xc4, 0xff];
        let stream: Vec<u8> = pieces.iter().flat_map(|piece| [&piece[..], &frame].concat()).collect();
        let mut decoder = Sensniff::default();
        prop_assert_eq!(heard(&mut decoder, &stream).len(), pieces.len());
        prop_assert_eq!(decoder.tally().garbage, pieces.iter().map(|piece| piece.len() as u64).sum::<u64>());
    }
}
