//! The radio as a receiver (User's Guide 23) and the MAC timer that stamps its SFDs (22).

use crate::CLOCKS_PER_US;
use std::collections::VecDeque;

/// Octets on the air: 32 us each.
pub const OCTET: u64 = 32 * CLOCKS_PER_US;
/// Four octets of preamble and the SFD.
pub const SHR: u64 = 5 * OCTET;
const FIFO_SIZE: usize = 128;
const SFD: u8 = 0x02;
const RXPKTDONE: u8 = 0x40;
const RXOVERF: u8 = 0x04;

/// A frame on the air.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub psdu: Vec<u8>,
    pub channel: u8,
    pub rssi: i8,
    pub correlation: u8,
    pub fcs_ok: bool,
    /// The clock at the end of its SFD.
    pub sfd: u64,
}

pub struct Radio {
    registers: [u8; 0x80],
    timer_from: u32,
    timer_began: Option<u64>,
    capture: u32,
    select: u8,
    latched: u32,
    period: [u8; 5],
    receiving: bool,
    fifo: VecDeque<u8>,
    /// Octets left to read of each complete packet.
    complete: VecDeque<usize>,
    flags: u8,
    errors: u8,
    s1con: u8,
    air: VecDeque<Frame>,
    current: Option<(Frame, usize)>,
    heard_current: bool,
    pub missed: Vec<Frame>,
    pub heard: Vec<Frame>,
    pub noise: u8,
}

impl Radio {
    #[must_use]
    pub fn new(timer_from: u32) -> Self {
        let mut registers = [0; 0x80];
        // Values after reset that matter here.
        registers[0x00] = 0x0D;
        registers[0x15] = 0x01;
        Self {
            registers,
            timer_from,
            timer_began: None,
            capture: 0,
            select: 0,
            latched: 0,
            period: [0; 5],
            receiving: false,
            fifo: VecDeque::new(),
            complete: VecDeque::new(),
            flags: 0,
            errors: 0,
            s1con: 0,
            air: VecDeque::new(),
            current: None,
            heard_current: false,
            missed: Vec::new(),
            heard: Vec::new(),
            noise: 0,
        }
    }

    /// Puts a frame on the air, its preamble beginning at `start`; frames must not overlap. Returns when it ends.
    pub fn transmit(&mut self, mut frame: Frame, start: u64) -> u64 {
        frame.sfd = start + SHR;
        let end = frame.sfd + OCTET * (1 + frame.psdu.len() as u64);
        self.air.push_back(frame);
        end
    }

    /// The timer at a clock.
    #[expect(clippy::cast_possible_truncation, reason = "the timer has 32 bits")]
    #[must_use]
    pub fn timer(&self, clock: u64) -> u32 {
        self.timer_began.map_or(0, |began| self.timer_from.wrapping_add((clock - began) as u32))
    }

    /// The clock and the value at which the timer began.
    #[must_use]
    pub fn timer_origin(&self) -> (u64, u32) {
        (self.timer_began.expect("started"), self.timer_from)
    }

    #[must_use]
    pub fn interrupts(&self) -> bool {
        self.s1con & 3 != 0
    }

    #[must_use]
    pub fn channel(&self) -> u8 {
        let frequency = self.registers[0x0F];
        assert_eq!((frequency - 11) % 5, 0, "a frequency between channels");
        11 + (frequency - 11) / 5
    }

    fn raise(&mut self, flag: u8) {
        self.flags |= flag;
        if self.registers[0x23] & flag != 0 {
            self.s1con = 3;
        }
    }

    pub fn advance(&mut self, clock: u64) {
        while let Some(next) = self.air.front() {
            if self.current.is_some() || next.sfd - SHR > clock {
                break;
            }
            let frame = self.air.pop_front().expect("there is one");
            self.heard_current = self.receiving && frame.channel == self.channel();
            if !self.heard_current {
                self.missed.push(frame.clone());
            }
            self.current = Some((frame, 0));
        }
        // Step 0 is the SFD, then the PHR and each octet of the PSDU as it is complete.
        let due = |(frame, done): &(Frame, usize)| frame.sfd + OCTET * *done as u64;
        while let Some(step) = self.current.take_if(|step| clock >= due(step)) {
            let due = due(&step);
            let (frame, done) = step;
            if self.heard_current {
                self.octet(&frame, done, due);
            }
            if done <= frame.psdu.len() {
                self.current = Some((frame, done + 1));
            }
        }
    }

    fn octet(&mut self, frame: &Frame, step: usize, due: u64) {
        let length = frame.psdu.len();
        if step == 0 {
            self.capture = self.timer(due);
            self.raise(SFD);
            return;
        }
        if self.fifo.len() >= FIFO_SIZE {
            self.errors |= RXOVERF;
            self.receiving = false;
            self.heard_current = false;
            return;
        }
        let at = step - 1;
        self.fifo.push_back(if at == 0 {
            u8::try_from(length).expect("at most 127")
        } else if length >= 2 && at == length - 1 {
            frame.rssi.wrapping_add(73).cast_unsigned()
        } else if length >= 2 && at == length {
            u8::from(frame.fcs_ok) << 7 | frame.correlation
        } else {
            frame.psdu[at - 1]
        });
        if at == length {
            self.complete.push_back(length + 1);
            self.heard.push(frame.clone());
            self.raise(RXPKTDONE);
        }
    }

    fn flush(&mut self) {
        self.fifo.clear();
        self.complete.clear();
        self.heard_current = false;
    }

    fn strobe(&mut self, command: u8) {
        match command {
            0xE3 => {
                for (register, value) in
                    [(0x00, 0x0C), (0x09, 0x40), (0x32, 0x15), (0x7A, 0x09), (0x2E, 0x00), (0x15, 0)]
                {
                    assert_eq!(self.registers[register], value, "register {:#x}", 0x6180 + register);
                }
                self.receiving = true;
            }
            0xEF => {
                self.receiving = false;
                if self.heard_current {
                    // Cut off: what had come of it stays in the FIFO until that is flushed.
                    self.heard_current = false;
                }
            }
            0xED => self.flush(),
            _ => panic!("strobe {command:#x}"),
        }
    }

    pub fn sfr_read(&mut self, address: u8, clock: u64) -> u8 {
        match address {
            0xA2 => {
                self.latched = if self.select & 0x0F == 1 { self.capture } else { self.timer(clock) };
                self.latched.to_le_bytes()[0]
            }
            0xA3 => self.latched.to_le_bytes()[1] & 0x7F,
            0xA4..=0xA6 => (self.latched >> 15).to_le_bytes()[usize::from(address - 0xA4)],
            0xC3 => self.select,
            0x9B => self.s1con,
            0xBF => self.errors,
            0xE9 => self.flags,
            0xD9 => {
                if let Some(left) = self.complete.front_mut() {
                    *left -= 1;
                    if *left == 0 {
                        self.complete.pop_front();
                    }
                }
                self.fifo.pop_front().expect("the FIFO is read no further than it is filled")
            }
            _ => 0,
        }
    }

    pub fn sfr_write(&mut self, address: u8, value: u8, clock: u64) {
        match address {
            0x94 if value & 1 != 0 => {
                assert_eq!(self.period, [0x00, 0x80, 0x00, 0x00, 0x02], "periods of 2^15 and 2^17");
                self.timer_began = Some(clock);
            }
            0xA2..=0xA6 => {
                assert_eq!(self.select, 0x22, "only the periods are written");
                self.period[usize::from(address - 0xA2)] = value;
            }
            0xC3 => self.select = value,
            0x9B => self.s1con = value,
            0xBF => self.errors &= value,
            0xE9 => self.flags &= value,
            0xE1 => self.strobe(value),
            _ => {}
        }
    }

    pub fn register_read(&mut self, address: u16) -> u8 {
        match address {
            0x6193 => u8::from(!self.complete.is_empty()) << 6 | u8::from(!self.fifo.is_empty()) << 7,
            0x6198 => self.noise,
            0x6199 => u8::from(self.receiving),
            _ => self.registers[usize::from(address - 0x6180)],
        }
    }

    pub fn register_write(&mut self, address: u16, value: u8) {
        self.registers[usize::from(address - 0x6180)] = value;
    }
}
