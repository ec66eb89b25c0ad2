//! The CC2531's image as hosts of TI's sniffer meet it, at the highest rate, overloaded, over the timer's wrap, and with
//! requests that make no sense; and our own records behind a vendor request.

use cc2531_image::{
    CLOCKS_PER_US, Dongle,
    host::{Message, crc, messages, records},
    radio::Frame,
};
use std::path::PathBuf;

const PERIOD: u64 = 192 * CLOCKS_PER_US;

fn build() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../build");
    std::env::var_os("FIRMWARE_BUILD").map_or(here, PathBuf::from)
}

fn image() -> PathBuf {
    build().join("cc2531/cc2531.ihx")
}

fn plugged(timer: u32) -> Dongle {
    let mut dongle = Dongle::new(&image(), timer);
    dongle.plug();
    dongle
}

/// SplitMix64.
struct Draw(u64);
impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
    fn octet(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

/// The n-th frame: every length 3..127 in turn, one in seven with a wrong FCS.
fn frame(draw: &mut Draw, n: u64, channel: u8) -> Frame {
    let mut psdu: Vec<u8> = (0..1 + n % 125).map(|_| draw.octet()).collect();
    let fcs_ok = draw.below(7) != 0;
    let fcs = crc(0, &psdu) ^ if fcs_ok { 0 } else { 0x5555 };
    psdu.extend(fcs.to_le_bytes());
    let rssi = -i8::try_from(draw.below(100)).expect("small");
    let correlation = u8::try_from(40 + draw.below(80)).expect("small");
    Frame { psdu, channel, rssi, correlation, fcs_ok, sfd: 0 }
}

/// Sends frames one after the other with a pause between, reading as they come.
fn send(
    dongle: &mut Dongle,
    seed: u64,
    count: u64,
    channel: u8,
    pause: u64,
    mut each: impl FnMut(&mut Dongle, u64),
) -> Vec<u8> {
    let mut draw = Draw(seed);
    let mut stream = Vec::new();
    let mut free = dongle.now() + 1_000 * CLOCKS_PER_US;
    for n in 0..count {
        // Frames begin anywhere between two ticks of a microsecond.
        free = free.max(dongle.now()) + pause + n % 37;
        let frame = frame(&mut draw, n, channel);
        free = dongle.chip().radio.transmit(frame, free);
        if n % 20 == 19 || pause > PERIOD {
            let ahead = free - dongle.now();
            dongle.run(ahead / CLOCKS_PER_US + 1);
        }
        each(dongle, n);
        stream.extend(dongle.read());
    }
    let ahead = free.saturating_sub(dongle.now());
    dongle.run(ahead / CLOCKS_PER_US + 400_000);
    stream.extend(dongle.read());
    stream
}

/// What the radio gives for a frame: the PSDU with RSSI and correlation in place of the FCS.
fn delivered(frame: &Frame) -> Vec<u8> {
    let mut psdu = frame.psdu.clone();
    let length = psdu.len();
    psdu[length - 2] = frame.rssi.wrapping_add(73).cast_unsigned();
    psdu[length - 1] = u8::from(frame.fcs_ok) << 7 | frame.correlation;
    psdu
}

#[expect(clippy::cast_possible_truncation, reason = "stamps have 32 bits")]
fn stamp(dongle: &Dongle, frame: &Frame) -> u32 {
    let (began, from) = dongle.chip().radio.timer_origin();
    from.wrapping_add((frame.sfd - began) as u32)
}

struct Status {
    heard: u32,
    dropped: u32,
    discarded: u32,
    bad_fcs: u32,
    malformed: u32,
    restarts: u32,
}

fn status(dongle: &mut Dongle) -> Status {
    let record = dongle.request(0xC0, 0xE1, 0, 0, 64, None).expect("status");
    let record = {
        let (body, check) = record.split_at(record.len() - 2);
        assert_eq!(!crc(0xFFFF, body), u16::from_le_bytes([check[0], check[1]]));
        body.to_vec()
    };
    assert_eq!((record[0], record.len()), (2, 36));
    let word = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().expect("four"));
    Status {
        heard: word(12),
        dropped: word(16),
        discarded: word(20),
        bad_fcs: word(24),
        malformed: word(28),
        restarts: word(32),
    }
}

#[test]
fn the_device_is_ours_and_answers_chapter_nine() {
    let mut dongle = plugged(0);
    let device = dongle.request(0x80, 6, 0x100, 0, 64, None).expect("device");
    assert_eq!((device.len(), &device[8..12]), (18, &[0x09, 0x12, 0x02, 0x00][..]));
    let head = dongle.request(0x80, 6, 0x200, 0, 9, None).expect("head");
    let whole = dongle.request(0x80, 6, 0x200, 0, 255, None).expect("configuration");
    assert_eq!((usize::from(head[2]), whole[18..].to_vec()), (whole.len(), vec![7, 5, 0x83, 2, 64, 0, 0]));
    let product = dongle.request(0x80, 6, 0x302, 0x409, 255, None).expect("product");
    let text: Vec<u16> = product[2..].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    assert_eq!(String::from_utf16(&text).expect("UTF-16"), "RTOscope 802.15.4 sniffer (cc2531)");
    assert_eq!(dongle.request(0x80, 8, 0, 0, 1, None), Some(vec![1]));
    assert_eq!(dongle.request(0x80, 0, 0, 0, 2, None), Some(vec![0, 0]));
    for (kind, request, value, index, length) in [
        (0x80, 6, 0x303, 0, 64),
        (0x80, 6, 0x600, 0, 10),
        (0x00, 9, 2, 0, 0),
        (0x01, 11, 1, 0, 0),
        (0x21, 0x20, 0, 0, 0),
    ] {
        assert_eq!(dongle.request(kind, request, value, index, length, None), None, "{kind:#x} {request:#x}");
    }
}

#[test]
fn tis_identity_is_another_build() {
    let mut dongle = Dongle::new(&build().join("cc2531/id-ti/cc2531.ihx"), 0);
    dongle.plug();
    let device = dongle.request(0x80, 6, 0x100, 0, 18, None).expect("device");
    assert_eq!(&device[8..12], &[0x51, 0x04, 0xAE, 0x16]);
    dongle.start(15);
}

#[test]
fn ten_thousand_frames_of_every_length_good_and_bad() {
    let mut dongle = plugged(0);
    dongle.start(20);
    let stream = send(&mut dongle, 1, 10_000, 20, PERIOD, |_, _| {});
    let heard = std::mem::take(&mut dongle.chip().radio.heard);
    assert!(dongle.chip().radio.missed.is_empty());
    assert_eq!(heard.len(), 10_000);
    let mut frames = heard.iter();
    let mut ticks = 0;
    let mut count = 0;
    let mut last = 0_u8;
    for message in messages(&stream) {
        match message {
            Message::Frame { stamp: at, psdu } => {
                let expected = frames.next().expect("no more frames than were heard");
                assert_eq!(psdu, delivered(expected));
                // To the tick of 1/32 us: the hardware takes the stamp.
                assert_eq!(at, stamp(&dongle, expected));
                // A tick of the upper bits comes before the first frame of its time.
                assert_eq!(at >> 26, u32::from(last) >> 2);
                count += 1;
            }
            Message::Tick(value) => {
                assert_eq!(value, last.wrapping_add(4));
                last = value;
                ticks += 1;
            }
        }
    }
    let status = status(&mut dongle);
    let bad = heard.iter().filter(|frame| !frame.fcs_ok).count();
    assert_eq!((status.heard, status.bad_fcs as usize, status.restarts), (10_000, bad, 0));
    assert_eq!((count, status.dropped), (10_000, 0));
    assert!(ticks > 10);
}

#[test]
fn a_host_that_stops_reading_costs_frames_and_each_is_counted() {
    let mut dongle = plugged(0);
    dongle.start(20);
    let stream = send(&mut dongle, 2, 600, 20, PERIOD, |dongle, n| {
        if n == 100 || n == 400 {
            dongle.chip().usb.reading = n == 400;
        }
    });
    let heard = std::mem::take(&mut dongle.chip().radio.heard);
    let status = status(&mut dongle);
    assert_eq!((heard.len(), status.heard), (600, 600));
    assert!(status.dropped > 200);
    let got: Vec<_> = messages(&stream).into_iter().filter(|m| matches!(m, Message::Frame { .. })).collect();
    assert_eq!(got.len(), 600 - status.dropped as usize);
    // What came is what was heard, in order, with holes.
    let mut rest = heard.iter();
    for message in got {
        let Message::Frame { stamp: at, psdu } = message else { unreachable!() };
        assert!(rest.any(|frame| delivered(frame) == psdu && stamp(&dongle, frame) == at));
    }
}

#[test]
fn the_timer_wraps_and_ticks_say_so() {
    // Three seconds before 2^32 ticks.
    let mut dongle = plugged(u32::MAX - 3_000_000 * 32);
    dongle.start(11);
    let stream = send(&mut dongle, 3, 120, 11, 40_000 * CLOCKS_PER_US, |_, _| {});
    let heard = std::mem::take(&mut dongle.chip().radio.heard);
    let (began, from) = dongle.chip().radio.timer_origin();
    let mut frames = heard.iter();
    let mut turns = 0_u64;
    let mut wraps = 0;
    for message in messages(&stream) {
        match message {
            // A host that counts a turn for each tick 0 gets every frame's time right.
            Message::Frame { stamp, psdu } => {
                let frame = frames.next().expect("a frame");
                assert_eq!(psdu, delivered(frame));
                assert_eq!(turns + u64::from(stamp), u64::from(from) + frame.sfd - began);
            }
            Message::Tick(0) => {
                turns += 1 << 32;
                wraps += 1;
            }
            Message::Tick(_) => {}
        }
    }
    assert_eq!((wraps, frames.next()), (1, None));
}

#[test]
fn our_records_hold_the_same_frames_with_more() {
    let mut dongle = plugged(u32::MAX - 2_000_000 * 32);
    dongle.request(0x40, 0xE0, 1, 0, 0, None).expect("framing");
    dongle.start(20);
    let stream = send(&mut dongle, 4, 3_000, 20, PERIOD, |_, _| {});
    let heard = std::mem::take(&mut dongle.chip().radio.heard);
    let status = status(&mut dongle);
    let (began, from) = dongle.chip().radio.timer_origin();
    let (mut count, mut statuses) = (0_u32, 0);
    for record in records(&stream) {
        match record[0] {
            1 => {
                let word = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().expect("four"));
                let time = u64::from_le_bytes(record[10..18].try_into().expect("eight"));
                let frame = &heard[word(2) as usize];
                assert_eq!(record[22..], frame.psdu[..frame.psdu.len() - 2]);
                assert_eq!((usize::from(record[21]), record[1]), (frame.psdu.len(), u8::from(frame.fcs_ok)));
                assert_eq!((record[18], record[19].cast_signed()), (frame.channel, frame.rssi));
                let quality = u32::from(frame.correlation).clamp(50, 110) - 50;
                assert_eq!(u32::from(record[20]), quality * 255 / 60);
                assert_eq!(time, (u64::from(from) + frame.sfd - began) / 32);
                assert_eq!(word(2), count + word(6), "the number is how many came before, kept or dropped");
                count += 1;
            }
            2 => statuses += 1,
            other => panic!("a record of type {other}"),
        }
    }
    assert_eq!((heard.len(), count), (3_000, 3_000 - status.dropped));
    assert!(statuses >= 6);
    println!("records at line rate: {} of 3000 dropped", status.dropped);
}

#[test]
fn channels_change_under_load() {
    let mut dongle = plugged(0);
    dongle.start(15);
    for round in 0..12 {
        let (channel, next) = if round % 2 == 0 { (15, 20) } else { (20, 15) };
        dongle.chip().radio.heard.clear();
        let stream = send(&mut dongle, 10 + round, 20, channel, PERIOD, |_, _| {});
        let heard = std::mem::take(&mut dongle.chip().radio.heard);
        let expected: Vec<_> = heard.iter().map(|frame| (stamp(&dongle, frame), delivered(frame))).collect();
        let got: Vec<_> = messages(&stream)
            .into_iter()
            .filter_map(|message| if let Message::Frame { stamp, psdu } = message { Some((stamp, psdu)) } else { None })
            .collect();
        assert_eq!((got.len(), got), (20, expected));
        // The channel changes when a frame is half received: neither it nor its stamp may turn up.
        let start = dongle.now() + 100 * CLOCKS_PER_US;
        let other = frame(&mut Draw(99), 120, channel);
        dongle.chip().radio.transmit(other, start);
        dongle.run(1_500);
        dongle.change(next);
        dongle.run(10_000);
        dongle.read();
    }
    assert_eq!(status(&mut dongle).restarts, 0);
}

#[test]
fn every_channel_and_no_other() {
    let mut dongle = plugged(0);
    dongle.start(11);
    for channel in 11..=26 {
        dongle.change(channel);
        assert_eq!(dongle.chip().radio.channel(), channel);
    }
    for bad in [0, 10, 27, 255] {
        assert_eq!(dongle.request(0x40, 0xD2, 0, 0, 0, Some(&[bad])), None);
    }
    assert_eq!(dongle.chip().radio.channel(), 26);
}

#[test]
fn requests_that_make_no_sense_are_refused_and_harm_nothing() {
    let mut dongle = plugged(0);
    // The stock firmware writes past its buffer here.
    for length in [0_usize, 2, 8, 31, 32] {
        assert_eq!(dongle.request(0x40, 0xD2, 0, 0, 0, Some(&vec![0xFF; length])), None, "{length}");
    }
    let mut draw = Draw(5);
    for _ in 0..300 {
        let kind = [0x40, 0xC0, 0x00, 0x80, 0x21, 0xA1, 0x02, 0x82][usize::try_from(draw.below(8)).expect("small")];
        let request = draw.octet();
        // Not what changes the state on purpose.
        if kind & 0x7F == 0 && matches!(request, 5 | 9) {
            continue;
        }
        let (value, index) = (u16::from(draw.octet()), u16::from(draw.octet()));
        let _ = dongle.request(kind, request, value, index, u16::from(kind & 0x80 != 0) * 64, None);
    }
    dongle.stop();
    dongle.request(0x40, 0xE0, 0, 0, 0, None).expect("framing");
    dongle.start(15);
    let stream = send(&mut dongle, 6, 30, 15, PERIOD, |_, _| {});
    assert_eq!(messages(&stream).iter().filter(|m| matches!(m, Message::Frame { .. })).count(), 30);
}

#[test]
fn what_is_too_short_is_counted_and_what_nobody_wants_is_discarded() {
    let mut dongle = plugged(0);
    dongle.start(15);
    for (n, length) in (0..).zip([0_usize, 1, 2]) {
        let start = dongle.now() + (1_000 + 1_000 * n) * CLOCKS_PER_US;
        let short = Frame { psdu: vec![0; length], channel: 15, rssi: -50, correlation: 60, fcs_ok: false, sfd: 0 };
        dongle.chip().radio.transmit(short, start);
        dongle.run(5_000);
    }
    let status_ = status(&mut dongle);
    assert_eq!((status_.heard, status_.malformed), (0, 3));
    let stream = send(&mut dongle, 7, 5, 15, PERIOD, |_, _| {});
    assert_eq!(messages(&stream).len(), 5);
    dongle.stop();
    let missed = dongle.chip().radio.missed.len();
    send(&mut dongle, 8, 5, 15, PERIOD, |_, _| {});
    assert_eq!(dongle.chip().radio.missed.len(), missed + 5);
    assert_eq!(status(&mut dongle).discarded, 0);
}

#[test]
fn a_bus_reset_in_the_middle_starts_afresh() {
    let mut dongle = plugged(0);
    for seed in 0..4 {
        dongle.start(15);
        dongle.chip().usb.reading = false;
        send(&mut dongle, 20 + seed, 10, 15, PERIOD, |_, _| {});
        dongle.chip().usb.bus_reset();
        dongle.run(10_000);
        assert_eq!(dongle.request(0x80, 8, 0, 0, 1, None), Some(vec![0]));
        assert_eq!(dongle.request(0x40, 0xD0, 0, 0, 0, None), None, "not before it is configured");
        dongle.request(0x00, 5, 7, 0, 0, None).expect("SET_ADDRESS");
        dongle.request(0x00, 9, 1, 0, 0, None).expect("SET_CONFIGURATION");
        dongle.chip().usb.reading = true;
        dongle.run(10_000);
        dongle.read();
        dongle.start(15);
        let stream = send(&mut dongle, 30 + seed, 10, 15, PERIOD, |_, _| {});
        let frames = messages(&stream).into_iter().filter(|m| matches!(m, Message::Frame { .. })).count();
        assert_eq!(frames, 10);
        dongle.stop();
        dongle.read();
    }
}

#[test]
fn energy_and_identity() {
    let mut dongle = plugged(0);
    dongle.chip().radio.noise = 20_u8.wrapping_neg();
    assert_eq!(dongle.request(0xC0, 0xE2, 0, 17, 1, None), Some(vec![93_u8.wrapping_neg()]));
    assert_eq!(dongle.request(0xC0, 0xE2, 0, 27, 1, None), None);
    let identity = dongle.request(0xC0, 0xC0, 0, 0, 256, None).expect("identity");
    assert_eq!(identity[..2], [0x31, 0x25]);
    // Receiving goes on where it was.
    dongle.start(13);
    dongle.request(0xC0, 0xE2, 0, 26, 1, None).expect("energy");
    let stream = send(&mut dongle, 9, 5, 13, PERIOD, |_, _| {});
    assert_eq!(messages(&stream).len(), 5);
}

/// From the linker's account: what the image takes, and what the chip has (256 KB of flash, of which the first 32 KB need
/// no banks; 8 KB of RAM, of which 256 octets are the 8051's own).
#[test]
fn the_image_fits() {
    let text = std::fs::read_to_string(build().join("cc2531/cc2531.mem")).expect("the linker's account");
    let taken = |what: &str| -> u32 {
        let line = text.lines().find(|line| line.trim_start().starts_with(what)).expect(what);
        line.split_whitespace().rev().nth(1).expect("size").parse().expect("a number")
    };
    assert!(taken("EXTERNAL RAM") <= 0x1F00 - 256, "some RAM is left");
    assert!(taken("ROM/EPROM/FLASH") <= 16 * 1024);
    let stack = text.lines().find(|line| line.starts_with("Stack starts at")).expect("stack");
    let room: u32 = stack.split_whitespace().rev().nth(2).expect("room").parse().expect("a number");
    assert!(room >= 128, "{stack}");
}
