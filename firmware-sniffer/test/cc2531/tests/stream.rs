//! Traffic through the CC2531's image: at the highest rate, overloaded, over the timer's wrap, as TI's stream and as
//! our records.

use cc2531_image::{
    CLOCKS_PER_US,
    air::{Draw, PERIOD, delivered, frame, frame_of, plugged, send, stamp, status},
    host::{Message, messages, records},
    radio::Frame,
};

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
    // Delivered frames are the heard ones, in order, with gaps.
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
    let mut wrapped = 0_u64;
    let mut wraps = 0;
    for message in messages(&stream) {
        match message {
            // A host that counts a turn for each tick 0 gets every frame's time right.
            Message::Frame { stamp, psdu } => {
                let frame = frames.next().expect("a frame");
                assert_eq!(psdu, delivered(frame));
                assert_eq!(wrapped + u64::from(stamp), u64::from(from) + frame.sfd - began);
            }
            Message::Tick(0) => {
                wrapped += 1 << 32;
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
    let stream = send(&mut dongle, 4, 10_000, 20, PERIOD, |_, _| {});
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
                assert_eq!(word(2), count + word(6), "the number counts all earlier frames, dropped ones included");
                count += 1;
            }
            2 => statuses += 1,
            other => panic!("a record of type {other}"),
        }
    }
    assert_eq!((heard.len(), count, status.dropped), (10_000, 10_000, 0));
    assert!(statuses >= 20);
}

/// Nothing but the shortest frames: the most work per microsecond on the air, more than any network makes.
#[test]
fn the_shortest_frames_without_a_pause() {
    for is_records in [false, true] {
        let mut dongle = plugged(0);
        dongle.request(0x40, 0xE0, u16::from(is_records), 0, 0, None).expect("framing");
        dongle.start(20);
        let mut draw = Draw(5);
        let mut free = dongle.now() + 1_000 * CLOCKS_PER_US;
        for _ in 0..5_000 {
            free = dongle.chip().radio.transmit(frame_of(&mut draw, 1, 20), free + PERIOD);
        }
        let ahead = free - dongle.now();
        dongle.run(ahead / CLOCKS_PER_US + 100_000);
        let status = status(&mut dongle);
        println!("records {is_records}: {} of {} dropped", status.dropped, status.heard);
        assert_eq!((status.heard, status.dropped, status.restarts), (5_000, 0, 0));
        let stream = dongle.read();
        let came = if is_records {
            records(&stream).iter().filter(|record| record[0] == 1).count()
        } else {
            messages(&stream).iter().filter(|message| matches!(message, Message::Frame { .. })).count()
        };
        assert_eq!(came, 5_000);
    }
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
fn short_frames_are_counted_and_frames_after_a_stop_are_not_heard() {
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
