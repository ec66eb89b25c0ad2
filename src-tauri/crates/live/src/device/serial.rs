//! Serial lines, by the system's own interface (POSIX, termios).

use super::{LOOK, Session, line};
use crate::clock;
use crate::decode::{Decoder, Dialogue, Event, GET_CHANNEL, Sensniff, Tally, sensniff_channel};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::termios::{OptionalActions, Termios, ioctl_tiocexcl, tcgetattr, tcsetattr};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Silence after which a device has sent all that it had; Nordic's extcap waits as long.
const SILENCE: Duration = Duration::from_millis(100);

/// Longest wait for a device to take a few octets, or to stop. Chosen here: one that takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(2);

/// Default rate of sensniff, bit/s.
const BAUD: u32 = 460_800;

/// A serial line in raw mode, with DTR up, opened exclusively.
#[derive(Debug)]
struct Port {
    file: File,
    buffer: Box<[u8]>,
}

impl Port {
    fn open(path: &Path, baud: Option<u32>) -> io::Result<Self> {
        let flags = (OFlags::NOCTTY | OFlags::NONBLOCK).bits();
        let flags = i32::try_from(flags).map_err(|_| ErrorKind::InvalidInput)?;
        let file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
        // Two programs that read one line each get half of it.
        ioctl_tiocexcl(&file)?;
        let mut settings: Termios = tcgetattr(&file)?;
        settings.make_raw();
        if let Some(baud) = baud {
            settings.set_speed(baud)?;
        }
        tcsetattr(&file, OptionalActions::Now, &settings)?;
        Ok(Self { file, buffer: vec![0; 64 * 1024].into() })
    }

    fn read(&mut self) -> io::Result<&[u8]> {
        line::read(&mut self.file, &mut self.buffer)
    }

    fn write(&mut self, mut octets: &[u8]) -> io::Result<()> {
        let until = clock::instant() + PATIENCE;
        while !octets.is_empty() {
            match self.file.write(octets) {
                Ok(taken) => octets = octets.get(taken..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock && clock::instant() < until => {
                    let wait = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
                    let _ = poll(&mut [PollFd::new(&self.file, PollFlags::OUT)], Some(&wait));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl AsFd for Port {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// Session with a sniffer that has our firmware or Nordic's.
#[derive(Debug)]
pub struct Sniffer {
    port: Port,
    dialogue: Dialogue,
    /// Time of the last octets.
    heard: Instant,
}

impl Sniffer {
    /// Opens the line, and begins the dialogue, which goes on in [`Session::look`]. Errs where the line is absent or in
    /// use.
    pub fn open(path: &Path, channel: u8) -> io::Result<Self> {
        let mut sniffer =
            Self { port: Port::open(path, None)?, dialogue: Dialogue::new(channel), heard: clock::instant() };
        sniffer.say()?;
        Ok(sniffer)
    }

    fn say(&mut self) -> io::Result<()> {
        let words = self.dialogue.take();
        self.port.write(&words)
    }
}

impl Session for Sniffer {
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        let octets = self.port.read()?;
        if octets.is_empty() {
            if clock::instant().duration_since(self.heard) >= SILENCE {
                self.dialogue.silence();
            }
        } else {
            self.dialogue.feed(octets, events);
            self.heard = clock::instant();
        }
        self.say()
    }

    fn set_channel(&mut self, channel: u8, _: &mut Vec<Event>) -> io::Result<()> {
        self.dialogue.set_channel(channel);
        self.say()
    }

    fn stop(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        self.dialogue.stop();
        self.say()?;
        let until = clock::instant() + PATIENCE;
        while clock::instant() < until {
            let octets = self.port.read()?;
            if octets.is_empty() {
                break;
            }
            self.dialogue.feed(octets, events);
        }
        Ok(())
    }

    fn tally(&self) -> Tally {
        self.dialogue.tally()
    }

    fn is_talkative(&self) -> bool {
        self.dialogue.is_talkative()
    }
}

/// Session with a sniffer that speaks sensniff's protocol.
#[derive(Debug)]
pub struct Contiki {
    port: Port,
    decoder: Sensniff,
}

impl Contiki {
    /// Opens the line and sets the channel. Errs where the line is absent or in use.
    pub fn open(path: &Path, channel: u8) -> io::Result<Self> {
        let mut port = Port::open(path, Some(BAUD))?;
        port.write(&sensniff_channel(channel))?;
        port.write(&GET_CHANNEL)?;
        Ok(Self { port, decoder: Sensniff::default() })
    }
}

impl Session for Contiki {
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        self.decoder.feed(self.port.read()?, events);
        Ok(())
    }

    fn set_channel(&mut self, channel: u8, _: &mut Vec<Event>) -> io::Result<()> {
        self.port.write(&sensniff_channel(channel))?;
        self.port.write(&GET_CHANNEL)
    }

    fn stop(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        // The device keeps sniffing without a listener, so stopping it is not needed.
        self.look(events)
    }

    fn tally(&self) -> Tally {
        self.decoder.tally()
    }
}
