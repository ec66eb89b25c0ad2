//! The CC2531's image as a host's operating system and hosts of TI's sniffer meet it: requests in their order, requests
//! that make no sense, resets.

use cc2531_image::{
    Dongle,
    air::{Draw, PERIOD, build, plugged, send},
    host::{Message, messages},
};

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

#[test]
fn green_while_receiving_and_red_from_the_first_drop() {
    let mut dongle = plugged(0);
    dongle.run(100_000);
    assert_eq!(dongle.chip().lights(), (false, false));
    dongle.start(15);
    dongle.run(100_000);
    assert_eq!(dongle.chip().lights(), (true, false));
    // The host does not read until the ring is full.
    dongle.chip().usb.reading = false;
    send(&mut dongle, 12, 100, 15, PERIOD, |_, _| {});
    assert_eq!(dongle.chip().lights(), (true, true));
    dongle.chip().usb.reading = true;
    dongle.stop();
    dongle.run(100_000);
    assert_eq!(dongle.chip().lights(), (false, false));
    dongle.start(15);
    dongle.run(100_000);
    assert_eq!(dongle.chip().lights(), (true, false), "what was dropped before is no news");
}

#[test]
#[should_panic(expected = "the watchdog bites")]
fn the_watchdog_bites_when_the_main_loop_stops() {
    let mut dongle = plugged(0);
    dongle.run(3_000_000);
    dongle.hang();
    dongle.run(1_100_000);
}

/// From the linker's account: what the image takes, and what the chip has (256 KB of flash, of which the first 32 KB
/// need no banks; 8 KB of RAM, of which 256 octets are the 8051's own).
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
