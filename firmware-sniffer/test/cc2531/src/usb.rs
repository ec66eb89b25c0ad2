//! The USB controller (User's Guide 21) and the cable to the host.

use crate::CLOCKS_PER_US;
use std::collections::VecDeque;

/// A bulk transaction of 64 octets: 19 in a millisecond (USB 2.0, table 5-9).
const TRANSACTION: u64 = 53 * CLOCKS_PER_US;
const PACKET: usize = 64;
/// Octets that the host requests at once. Its controller ends a transfer there, or after a packet that is not full.
const TRANSFER: usize = 4_096;

/// Result of a control request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    Stalled,
}

#[derive(Default)]
pub struct Usb {
    index: u8,
    control: u8,
    cif: u8,
    pub address: u8,
    out: VecDeque<u8>,
    out_ready: bool,
    input: Vec<u8>,
    input_ready: Option<u64>,
    data_end: bool,
    setup_end: bool,
    sent_stall: bool,
    pub answer: Vec<u8>,
    pub outcome: Option<Outcome>,
    data: Option<Vec<u8>>,
    expects_in: bool,
    bulk: Vec<u8>,
    bulk_armed: VecDeque<Vec<u8>>,
    bulk_taken: u64,
    pub reading: bool,
    /// Complete transfers that were not read yet, and the most that the host's controller will fill.
    pub transfers: VecDeque<Vec<u8>>,
    pub room: Option<usize>,
    /// The transfer that is being filled.
    pending: Vec<u8>,
    pub empty_packets: usize,
}

impl Usb {
    pub fn advance(&mut self, clock: u64) {
        if self.input_ready.is_some_and(|at| clock >= at) {
            self.input_ready = None;
            self.answer.append(&mut self.input);
            if self.data_end {
                self.outcome = Some(Outcome::Done);
            }
        }
        let has_room = self.room.is_none_or(|room| self.transfers.len() < room);
        if self.reading && has_room && !self.bulk_armed.is_empty() && clock >= self.bulk_taken + TRANSACTION {
            self.bulk_taken = clock;
            let packet = self.bulk_armed.pop_front().expect("armed");
            self.empty_packets += usize::from(packet.is_empty());
            self.pending.extend(&packet);
            if packet.len() < PACKET || self.pending.len() == TRANSFER {
                self.transfers.push_back(std::mem::take(&mut self.pending));
            }
        }
    }

    /// The host sends a setup packet, with data that follows it.
    pub fn setup(&mut self, packet: [u8; 8], data: Option<&[u8]>) {
        if self.out_ready || self.input_ready.is_some() || self.data.is_some() {
            self.setup_end = true;
        }
        self.out = packet.into();
        self.out_ready = true;
        self.input.clear();
        self.input_ready = None;
        self.answer.clear();
        self.outcome = None;
        self.data_end = false;
        self.expects_in = packet[0] & 0x80 != 0;
        self.data = data.filter(|data| !data.is_empty()).map(<[u8]>::to_vec);
    }

    pub fn bus_reset(&mut self) {
        self.address = 0;
        self.cif |= 0x04;
        self.bulk.clear();
        self.bulk_armed.clear();
        self.pending.clear();
    }

    pub fn read(&mut self, address: u16) -> u8 {
        match (address, self.index) {
            (0x6206, _) => std::mem::take(&mut self.cif),
            (0x620E, _) => self.index,
            (0x620F, _) => self.control | (self.control & 2) << 6,
            (0x6211, 0) => {
                u8::from(self.out_ready)
                    | u8::from(self.input_ready.is_some()) << 1
                    | u8::from(self.sent_stall) << 2
                    | u8::from(self.setup_end) << 4
            }
            (0x6211, 3) => u8::from(self.bulk_armed.len() >= 2),
            (0x6216, 0) => u8::try_from(self.out.len()).expect("a packet"),
            (0x6220, _) => self.out.pop_front().expect("the FIFO is read no further than it is filled"),
            _ => panic!("read of USB {address:#06x} with index {}", self.index),
        }
    }

    pub fn write(&mut self, address: u16, value: u8, clock: u64) {
        match (address, self.index) {
            (0x6200, _) => self.address = value,
            (0x620E, _) => self.index = value,
            (0x620F, _) => self.control = value,
            (0x6211, 0) => self.control_write(value, clock),
            (0x6210, 3) => assert_eq!(value, 8, "packets of 64"),
            (0x6211, 3) => {
                if value & 0x08 != 0 {
                    self.bulk.clear();
                    self.bulk_armed.clear();
                }
                if value & 1 != 0 {
                    assert!(self.bulk_armed.len() < 2 && self.bulk.len() <= PACKET);
                    if self.bulk_armed.is_empty() {
                        self.bulk_taken = clock;
                    }
                    self.bulk_armed.push_back(std::mem::take(&mut self.bulk));
                }
            }
            (0x6212, 3) => assert_eq!(value, 0x21, "double buffered; bit 5 is written 1"),
            (0x6220, _) => self.input.push(value),
            (0x6226, _) => {
                assert!(self.bulk_armed.len() < 2);
                self.bulk.push(value);
            }
            _ => panic!("write of USB {address:#06x} with index {}", self.index),
        }
    }

    fn control_write(&mut self, value: u8, clock: u64) {
        if value & 0x80 != 0 {
            self.setup_end = false;
        }
        if value == 0 {
            self.sent_stall = false;
        }
        if value & 0x40 != 0 {
            assert!(self.out_ready, "there is no packet to give back");
            self.out_ready = false;
            self.out.clear();
            if value & 0x20 != 0 {
                self.sent_stall = true;
                self.data = None;
                self.outcome = Some(Outcome::Stalled);
            } else if value & 0x08 != 0 {
                assert!(self.data.is_none(), "ended before its data");
                self.outcome = Some(Outcome::Done);
            } else if let Some(data) = self.data.take() {
                self.out = data.into();
                self.out_ready = true;
            } else {
                assert!(self.expects_in, "neither ended nor with data to come");
            }
        }
        if value & 0x02 != 0 {
            assert!(self.input.len() <= 32 && self.input_ready.is_none());
            self.data_end = value & 0x08 != 0;
            self.input_ready = Some(clock + TRANSACTION);
        }
    }
}
