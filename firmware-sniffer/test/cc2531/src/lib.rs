//! The CC2531's image in an 8051 emulator (crate `i8051`), with models of what it talks to: radio and MAC timer
//! ([`radio`]), USB controller and host ([`usb`]). Written from the CC253x User's Guide (SWRU191F), not from the
//! firmware.
//!
//! Time is counted in clocks of 32 MHz, which are also the MAC timer's ticks. Each instruction is charged
//! [`CLOCKS_PER_INSTRUCTION`], more than the CC2531 takes on average, so what this CPU keeps up with, the real one
//! does.

pub mod air;
pub mod host;
pub mod radio;
pub mod usb;

use i8051::{Cpu, CpuView, MemoryMapper, PortMapper, ReadOnlyMemoryMapper};
use std::{cell::RefCell, path::Path, rc::Rc};

pub const CLOCKS_PER_INSTRUCTION: u64 = 4;
pub const CLOCKS_PER_US: u64 = 32;
/// User's Guide table 2-5: interrupt 16, RF general.
const RF_VECTOR: u16 = 0x83;
const RETI: u8 = 0x32;
/// The watchdog's second, User's Guide 18.1.
const WATCHDOG_CLOCKS: u64 = 1_000_000 * CLOCKS_PER_US;

/// Everything outside the 8051.
pub struct Chip {
    pub clock: u64,
    ram: Vec<u8>,
    sfr: [u8; 256],
    pub radio: radio::Radio,
    pub usb: usb::Usb,
    watchdog_first: bool,
    fed: u64,
}

impl Chip {
    /// The dongle's lights, green on P0_0 and red on P1_1, each driven.
    #[must_use]
    pub fn lights(&self) -> (bool, bool) {
        let driven = |port: u8, direction: u8, bit: u8| {
            let [port, direction] = [port, direction].map(|register| self.sfr[usize::from(register)] & bit != 0);
            direction && port
        };
        (driven(0x80, 0xFD, 0x01), driven(0x90, 0xFE, 0x02))
    }

    fn sfr_read(&mut self, address: u8) -> u8 {
        match address {
            // CLKCONSTA follows CLKCONCMD.
            0x9E => self.sfr[0xC6],
            0x94 | 0xA2..=0xA6 | 0xC3 | 0x9B | 0xBF | 0xD9 | 0xE9 => self.radio.sfr_read(address, self.clock),
            _ => self.sfr[usize::from(address)],
        }
    }

    fn sfr_write(&mut self, address: u8, value: u8) {
        match address {
            0xC9 => match value & 0xF0 {
                0x00 => assert_eq!(value, 0x08, "watchdog mode, one second"),
                0xA0 => self.watchdog_first = true,
                0x50 if self.watchdog_first => {
                    self.watchdog_first = false;
                    self.fed = self.clock;
                }
                _ => panic!("WDCTL = {value:#x}"),
            },
            0x94 | 0xA2..=0xA6 | 0xC3 | 0x9B | 0xBF | 0xE1 | 0xE9 => self.radio.sfr_write(address, value, self.clock),
            _ => self.sfr[usize::from(address)] = value,
        }
    }

    fn xdata_read(&mut self, address: u16) -> u8 {
        match address {
            0x0000..0x2000 => self.ram[usize::from(address)],
            0x6180..0x6200 => self.radio.register_read(address),
            0x6200..0x622C => self.usb.read(address),
            _ => panic!("read of XDATA {address:#06x}"),
        }
    }

    fn xdata_write(&mut self, address: u16, value: u8) {
        match address {
            0x0000..0x1F00 => self.ram[usize::from(address)] = value,
            0x1F00..0x2000 => panic!("{address:#06x} is the 8051's internal memory"),
            0x6180..0x6200 => self.radio.register_write(address, value),
            0x6200..0x622C => self.usb.write(address, value, self.clock),
            0x6270 => assert_eq!(value, 0x08, "prefetch"),
            _ => panic!("write of XDATA {address:#06x}"),
        }
    }
}

type Shared = Rc<RefCell<Chip>>;
struct Ports(Shared);
struct Xdata(Shared);
struct Code(Vec<u8>);

impl PortMapper for Ports {
    type WriteValue = (u8, u8);
    fn interest<C: CpuView>(&self, _: &C, address: u8) -> bool {
        // The CPU's own: SP, DPL, DPH, IEN0, PSW, ACC, B.
        !matches!(address, 0x81 | 0x82 | 0x83 | 0xA8 | 0xD0 | 0xE0 | 0xF0)
    }
    fn extend_short_read<C: CpuView>(&self, _: &C, address: u8) -> u16 {
        // MPAGE is the high octet of `movx @Ri`.
        u16::from(address) | u16::from(self.0.borrow().sfr[0x93]) << 8
    }
    fn read<C: CpuView>(&self, _: &C, address: u8) -> u8 {
        self.0.borrow_mut().sfr_read(address)
    }
    fn read_latch<C: CpuView>(&self, _: &C, address: u8) -> u8 {
        self.0.borrow().sfr[usize::from(address)]
    }
    fn prepare_write<C: CpuView>(&self, _: &C, address: u8, value: u8) -> (u8, u8) {
        (address, value)
    }
    fn write(&mut self, (address, value): (u8, u8)) {
        self.0.borrow_mut().sfr_write(address, value);
    }
}

impl MemoryMapper for Xdata {
    type WriteValue = (u16, u8);
    fn len(&self) -> u32 {
        0x1_0000
    }
    #[expect(clippy::cast_possible_truncation, reason = "addresses of XDATA have 16 bits")]
    fn read<C: CpuView>(&self, _: &C, address: u32) -> u8 {
        self.0.borrow_mut().xdata_read(address as u16)
    }
    #[expect(clippy::cast_possible_truncation, reason = "addresses of XDATA have 16 bits")]
    fn prepare_write<C: CpuView>(&self, _: &C, address: u32, value: u8) -> (u16, u8) {
        (address as u16, value)
    }
    fn write(&mut self, (address, value): (u16, u8)) {
        self.0.borrow_mut().xdata_write(address, value);
    }
}

impl ReadOnlyMemoryMapper for Code {
    fn len(&self) -> u32 {
        0x1_0000
    }
    fn read<C: CpuView>(&self, _: &C, address: u32) -> u8 {
        self.0[address as usize & 0xFFFF]
    }
}

/// A dongle with the image in it.
pub struct Dongle {
    cpu: Cpu,
    context: (Ports, Xdata, Code),
    chip: Shared,
    in_interrupt: bool,
    /// The deepest the stack has been: the highest value of SP.
    pub deepest: u8,
}

impl Dongle {
    /// Powers up. The timer begins at `timer`, as if it had run for a while.
    ///
    /// # Panics
    /// When there is no image, or it is not Intel HEX.
    #[must_use]
    pub fn new(image: &Path, timer: u32) -> Self {
        let chip = Rc::new(RefCell::new(Chip {
            clock: 0,
            // RAM is not zero after power-up.
            ram: vec![0xA5; 0x2000],
            sfr: [0; 256],
            radio: radio::Radio::new(timer),
            usb: usb::Usb::default(),
            watchdog_first: false,
            fed: 0,
        }));
        let code = intel_hex(&std::fs::read_to_string(image).expect("the image is built"));
        let mut cpu = Cpu::new();
        cpu.internal_ram = [0xA5; 256];
        Self {
            cpu,
            context: (Ports(chip.clone()), Xdata(chip.clone()), Code(code)),
            chip,
            in_interrupt: false,
            deepest: 0,
        }
    }

    pub fn chip(&self) -> std::cell::RefMut<'_, Chip> {
        self.chip.borrow_mut()
    }

    #[must_use]
    pub fn now(&self) -> u64 {
        self.chip.borrow().clock
    }

    fn step(&mut self) {
        {
            let chip = &mut *self.chip.borrow_mut();
            chip.clock += CLOCKS_PER_INSTRUCTION;
            chip.radio.advance(chip.clock);
            chip.usb.advance(chip.clock);
            assert!(chip.clock - chip.fed < WATCHDOG_CLOCKS, "the watchdog bites");
            let enabled = self.cpu.ie() & 0x80 != 0 && chip.sfr[0x9A] & 1 != 0;
            if enabled && !self.in_interrupt && chip.radio.interrupts() {
                self.in_interrupt = true;
                self.cpu.push_stack16(self.cpu.pc);
                self.cpu.pc = RF_VECTOR;
            }
        }
        let opcode = self.context.2.0[usize::from(self.cpu.pc)];
        assert!(self.cpu.step(&mut self.context), "the CPU stands still at {:#06x}", self.cpu.pc);
        self.deepest = self.deepest.max(self.cpu.sp());
        if opcode == RETI {
            self.in_interrupt = false;
        }
    }

    /// From now on the program jumps to where it is, for ever.
    pub fn hang(&mut self) {
        let here = usize::from(self.cpu.pc);
        self.context.2.0[here..here + 3].copy_from_slice(&[
            0x02,
            self.cpu.pc.to_be_bytes()[0],
            self.cpu.pc.to_be_bytes()[1],
        ]);
    }

    pub fn run(&mut self, microseconds: u64) {
        let end = self.now() + microseconds * CLOCKS_PER_US;
        while self.now() < end {
            self.step();
        }
    }

    /// Runs until something is so.
    ///
    /// # Panics
    /// When it is not within the time.
    pub fn until(&mut self, microseconds: u64, mut so: impl FnMut(&mut Chip) -> bool) {
        let end = self.now() + microseconds * CLOCKS_PER_US;
        while !so(&mut self.chip.borrow_mut()) {
            assert!(self.now() < end, "the firmware did not get there in time");
            self.step();
        }
    }
}

fn intel_hex(text: &str) -> Vec<u8> {
    let mut code = vec![0xFF; 0x1_0000];
    for line in text.lines() {
        let octets: Vec<u8> = (1..line.len() - 1)
            .step_by(2)
            .map(|at| u8::from_str_radix(&line[at..at + 2], 16).expect("hexadecimal"))
            .collect();
        assert_eq!(octets.iter().fold(0_u8, |sum, &octet| sum.wrapping_add(octet)), 0, "checksum of {line}");
        if octets[3] == 0 {
            let at = usize::from(u16::from_be_bytes([octets[1], octets[2]]));
            code[at..at + usize::from(octets[0])].copy_from_slice(&octets[4..4 + usize::from(octets[0])]);
        }
    }
    code
}
