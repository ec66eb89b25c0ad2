//! Capture files made for a test, and what it takes to read them.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::{self, Read};
use trace::{Capture, ImportError, ImportOptions};

/// Byte order of a file's fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Big,
    Little,
}

impl Order {
    pub fn u16(self, n: u16) -> [u8; 2] {
        if self == Self::Big { n.to_be_bytes() } else { n.to_le_bytes() }
    }

    pub fn u32(self, n: u32) -> [u8; 4] {
        if self == Self::Big { n.to_be_bytes() } else { n.to_le_bytes() }
    }

    pub fn u64(self, n: u64) -> [u8; 8] {
        if self == Self::Big { n.to_be_bytes() } else { n.to_le_bytes() }
    }
}

/// ITU-T CRC-16, bit by bit, apart from the one under test.
pub fn with_fcs(psdu: &[u8]) -> Vec<u8> {
    let mut crc = 0_u16;
    for octet in psdu {
        crc ^= u16::from(*octet);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0x8408 } else { crc >> 1 };
        }
    }
    [psdu, &crc.to_le_bytes()].concat()
}

/// Data frame `n` of a small network, without check sequence: different for each `n`, 23 to 59 octets.
pub fn data(n: u8) -> Vec<u8> {
    let header = [0x61, 0xdc, n, 0xcd, 0xab, 2, 0, 2, 0, 2, 0, 2, 0, 1, 0, 1, 0, 1, 0, 1, 0];
    let body = (0..2 + n % 37).map(|i| i.wrapping_mul(n) ^ 0x5a);
    header.into_iter().chain(body).collect()
}

/// The acknowledgement of [`data`] frame `n`, without check sequence.
pub fn ack(n: u8) -> Vec<u8> {
    vec![2, 0, n]
}

/// Data frames and their acknowledgements, with check sequences.
pub fn talk(frames: u8) -> Vec<Vec<u8>> {
    (0..frames).map(|n| with_fcs(&if n % 2 == 0 { data(n) } else { ack(n - 1) })).collect()
}

/// A classic pcap file of microseconds.
pub struct Pcap {
    pub order: Order,
    pub octets: Vec<u8>,
    /// Offset of each record.
    pub records: Vec<usize>,
}

impl Pcap {
    pub fn new(order: Order, link: u32) -> Self {
        Self::with_magic(order, 0xa1b2_c3d4, link)
    }

    pub fn with_magic(order: Order, magic: u32, link: u32) -> Self {
        let head = [order.u32(magic).to_vec(), order.u16(2).to_vec(), order.u16(4).to_vec(), vec![0; 8]];
        let octets = [head.concat(), order.u32(4096).to_vec(), order.u32(link).to_vec()].concat();
        Self { order, octets, records: Vec::new() }
    }

    pub fn record(&mut self, seconds: u32, fraction: u32, frame: &[u8]) {
        self.cut_record(seconds, fraction, frame, frame.len() as u32);
    }

    pub fn cut_record(&mut self, seconds: u32, fraction: u32, frame: &[u8], length: u32) {
        self.records.push(self.octets.len());
        for field in [seconds, fraction, frame.len() as u32, length] {
            self.octets.extend(self.order.u32(field));
        }
        self.octets.extend(frame);
    }

    /// [`talk`], one frame each 100 ms from 1 700 000 000 s on.
    pub fn of_talk(order: Order, frames: u8) -> Self {
        let mut file = Self::new(order, 195);
        for (n, frame) in talk(frames).iter().enumerate() {
            let n = n as u32;
            file.record(1_700_000_000 + n / 10, n % 10 * 100_000 + 7, frame);
        }
        file
    }
}

/// A pcapng file.
pub struct Pcapng {
    pub order: Order,
    pub octets: Vec<u8>,
    /// Offset of each block.
    pub blocks: Vec<usize>,
}

impl Pcapng {
    pub fn new(order: Order) -> Self {
        let mut file = Self { order, octets: Vec::new(), blocks: Vec::new() };
        file.section(order);
        file
    }

    pub fn section(&mut self, order: Order) {
        self.order = order;
        let body = [order.u32(0x1a2b_3c4d).to_vec(), order.u16(1).to_vec(), order.u16(0).to_vec(), vec![0xff; 8]];
        self.block(0x0a0d_0d0a, &body.concat());
    }

    pub fn block(&mut self, kind: u32, body: &[u8]) {
        self.blocks.push(self.octets.len());
        let padded = body.len().next_multiple_of(4);
        let length = self.order.u32(12 + padded as u32);
        self.octets.extend(self.order.u32(kind));
        self.octets.extend(length);
        self.octets.extend(body);
        self.octets.resize(self.octets.len() + padded - body.len(), 0);
        self.octets.extend(length);
    }

    pub fn interface(&mut self, link: u16, snaplen: u32, options: &[(u16, &[u8])]) {
        let order = self.order;
        let mut body = [order.u16(link).to_vec(), order.u16(0).to_vec(), order.u32(snaplen).to_vec()].concat();
        for (code, value) in options {
            body.extend(order.u16(*code));
            body.extend(order.u16(value.len() as u16));
            body.extend(*value);
            body.resize(body.len().next_multiple_of(4), 0);
        }
        if !options.is_empty() {
            body.extend([0; 4]);
        }
        self.block(1, &body);
    }

    pub fn enhanced(&mut self, interface: u32, ticks: u64, frame: &[u8]) {
        let fields = [interface, (ticks >> 32) as u32, ticks as u32, frame.len() as u32, frame.len() as u32];
        self.block(6, &[self.fields(&fields), frame.to_vec()].concat());
    }

    pub fn obsolete(&mut self, interface: u16, ticks: u64, frame: &[u8]) {
        let head = [self.order.u16(interface).to_vec(), vec![0; 2]].concat();
        let fields = [(ticks >> 32) as u32, ticks as u32, frame.len() as u32, frame.len() as u32];
        self.block(2, &[head, self.fields(&fields), frame.to_vec()].concat());
    }

    pub fn simple(&mut self, length: u32, held: &[u8]) {
        self.block(3, &[self.order.u32(length).to_vec(), held.to_vec()].concat());
    }

    fn fields(&self, fields: &[u32]) -> Vec<u8> {
        fields.iter().flat_map(|&n| self.order.u32(n)).collect()
    }

    /// [`talk`] as in [`Pcap::of_talk`].
    pub fn of_talk(order: Order, frames: u8) -> Self {
        let mut file = Self::new(order);
        file.interface(195, 0, &[(2, b"wpan0")]);
        for (n, frame) in talk(frames).iter().enumerate() {
            file.enhanced(0, 1_700_000_000_000_007 + n as u64 * 100_000, frame);
        }
        file
    }
}

/// A row of Cooja's radio log, as `RadioLogger.toString` writes it.
pub fn row(ms: u64, from: u32, to: &str, frame: &[u8]) -> String {
    let digits: Vec<_> =
        frame.chunks(4).map(|group| group.iter().map(|octet| format!("{octet:02X}")).collect::<String>()).collect();
    format!("{ms}\t{from}\t{to}\t{}: 0x{}\n", frame.len(), digits.join(" "))
}

/// [`talk`] as a radio log.
pub fn log_of_talk(frames: u8) -> String {
    talk(frames).iter().enumerate().map(|(n, frame)| row(n as u64 * 100, 1 + n as u32 % 2, "-", frame)).collect()
}

/// Packed with gzip, by one encoder by name: which one flate2 uses depends on who else is in the build, and the tests
/// tell octets apart.
pub fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(octets);
    // RFC 1952 2.3: deflate, no flags, no time, unknown system.
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    file.extend(miniz_oxide::deflate::compress_to_vec(octets, 6));
    file.extend(crc.sum().to_le_bytes());
    file.extend((octets.len() as u32).to_le_bytes());
    file
}

/// A source that gives `step` octets at a time.
pub struct Drip<'a> {
    pub octets: &'a [u8],
    pub step: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.step.min(self.octets.len()).min(into.len());
        let (now, later) = self.octets.split_at(n);
        into[..n].copy_from_slice(now);
        self.octets = later;
        Ok(n)
    }
}

pub fn read(octets: &[u8]) -> Result<Capture, ImportError> {
    read_with(octets, &ImportOptions::default())
}

pub fn read_with(octets: &[u8], options: &ImportOptions) -> Result<Capture, ImportError> {
    trace::read("test", octets, Some(octets.len() as u64), options, &mut base::Silent)
}

/// Octets and absolute time of every frame: what must not depend on the container.
pub fn essence(capture: &Capture) -> Vec<(i64, Vec<u8>)> {
    let epoch = capture.epoch_unix_nanos.unwrap_or(0);
    capture.frames.iter().map(|frame| (epoch + frame.at.nanos(), capture.octets_of(frame).to_vec())).collect()
}

/// Meaning of [`talk`]: its frames without check sequence.
pub fn meaning(frames: u8) -> Vec<Vec<u8>> {
    (0..frames).map(|n| if n % 2 == 0 { data(n) } else { ack(n - 1) }).collect()
}

/// Returns the report on `octets`: why nothing was read, or how much was and what was not.
pub fn told(octets: &[u8]) -> String {
    match read(octets) {
        Err(error) => format!("    {error}\n"),
        Ok(capture) => {
            let notes = capture.notes.kinds().iter().map(|kind| format!("    {kind}\n")).collect::<String>();
            format!("    {} frames, {}\n{notes}", capture.frames.len(), capture.format.name())
        }
    }
}
