//! Traffic for the tests, and what must become of it.

use crate::{CLOCKS_PER_US, Dongle, host::crc, radio::Frame};
use std::path::PathBuf;

/// The shortest pause between two frames: 12 symbols (IEEE 802.15.4-2020, aTurnaroundTime).
pub const PERIOD: u64 = 192 * CLOCKS_PER_US;

/// Folder of the images that `make` has built.
pub fn build() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../build");
    std::env::var_os("FIRMWARE_BUILD").map_or(here, PathBuf::from)
}

/// The image for the CC2531.
pub fn image() -> PathBuf {
    build().join("cc2531/cc2531.ihx")
}

/// A dongle that has been plugged in.
pub fn plugged(timer: u32) -> Dongle {
    let mut dongle = Dongle::new(&image(), timer);
    dongle.plug();
    dongle
}

/// SplitMix64.
pub struct Draw(pub u64);
impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
    pub fn octet(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

/// The n-th frame: every length 3..127 in turn, one in seven with a wrong FCS.
pub fn frame(draw: &mut Draw, n: u64, channel: u8) -> Frame {
    frame_of(draw, 1 + n % 125, channel)
}

/// A frame of so many octets before its FCS.
pub fn frame_of(draw: &mut Draw, payload: u64, channel: u8) -> Frame {
    let mut psdu: Vec<u8> = (0..payload).map(|_| draw.octet()).collect();
    let fcs_ok = draw.below(7) != 0;
    let fcs = crc(0, &psdu) ^ if fcs_ok { 0 } else { 0x5555 };
    psdu.extend(fcs.to_le_bytes());
    let rssi = -i8::try_from(draw.below(100)).expect("small");
    let correlation = u8::try_from(40 + draw.below(80)).expect("small");
    Frame { psdu, channel, rssi, correlation, fcs_ok, sfd: 0 }
}

/// Sends frames one after the other with a pause between, reading as they come.
pub fn send(
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

/// Octets that the radio delivers for a frame: the PSDU with RSSI and correlation in place of the FCS.
pub fn delivered(frame: &Frame) -> Vec<u8> {
    let mut psdu = frame.psdu.clone();
    let length = psdu.len();
    psdu[length - 2] = frame.rssi.wrapping_add(73).cast_unsigned();
    psdu[length - 1] = u8::from(frame.fcs_ok) << 7 | frame.correlation;
    psdu
}

/// The stamp a frame must have.
#[expect(clippy::cast_possible_truncation, reason = "stamps have 32 bits")]
pub fn stamp(dongle: &Dongle, frame: &Frame) -> u32 {
    let (began, from) = dongle.chip().radio.timer_origin();
    from.wrapping_add((frame.sfd - began) as u32)
}

/// Contents of a STATUS record.
pub struct Status {
    pub heard: u32,
    pub dropped: u32,
    pub discarded: u32,
    pub bad_fcs: u32,
    pub malformed: u32,
    pub restarts: u32,
}

/// Asks for a STATUS record.
pub fn status(dongle: &mut Dongle) -> Status {
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
