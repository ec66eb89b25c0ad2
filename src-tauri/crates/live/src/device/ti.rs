//! Requests to the CC2531, over [`super::usb`] or a model of the dongle.
//!
//! Order of TI's hosts: identity, power on, wait for it, an unknown request, channel in two parts, start
//! (`firmware-sniffer/PROTOCOL.md`, 4.1). Our firmware is recognised by its identity and set to send records.

use super::Session;
use crate::clock;
use crate::decode::{Decoder, Event, FirmwareRecord, Records, Tally, Ti, parse_record};
use std::io::{self, ErrorKind};
use std::time::Duration;

/// Numbers of vendor requests to the device (`firmware-sniffer/PROTOCOL.md`, 4.1).
mod request {
    /// Asks for the identity.
    pub(super) const IDENTITY: u8 = 0xc0;
    /// Switches the power of the radio; index 4 on, 0 off.
    pub(super) const POWER: u8 = 0xc5;
    /// Asks for the power: 4 on, 0 off.
    pub(super) const IS_POWERED: u8 = 0xc6;
    /// Does nothing; TI's hosts send it.
    pub(super) const UNKNOWN: u8 = 0xc9;
    /// Starts receiving; frames come on the bulk endpoint.
    pub(super) const START: u8 = 0xd0;
    /// Stops receiving.
    pub(super) const STOP: u8 = 0xd1;
    /// Sets the channel, at index 0; index 1 takes a 0.
    pub(super) const CHANNEL: u8 = 0xd2;
    /// Chooses the protocol of the stream: value 1 for records, ours only.
    pub(super) const FRAMING: u8 = 0xe0;
    /// Asks for a STATUS record with its check, not stuffed, ours only.
    pub(super) const STATUS: u8 = 0xe1;
}

/// Answer of our firmware to [`request::IDENTITY`]: the chip, a name, the version of the framing, two zeros.
const OURS: [u8; 8] = [0x31, 0x25, b'R', b'T', b'O', 1, 0, 0];

/// Number of looks, 10 ms apart, after which a radio without power is given up. Chosen here: a fifth of a second.
const LOOKS: u32 = 20;

/// Transport to a CC2531: vendor requests, and the stream of its bulk endpoint.
pub trait Wire {
    /// Sends a vendor request, and returns the answer, `length` octets at most.
    ///
    /// # Errors
    /// The request is refused or the device is gone.
    fn ask(&mut self, request: u8, value: u16, index: u16, length: u16) -> io::Result<Vec<u8>>;

    /// Sends a vendor request with `data`.
    ///
    /// # Errors
    /// The request is refused or the device is gone.
    fn send(&mut self, request: u8, value: u16, index: u16, data: &[u8]) -> io::Result<()>;

    /// Reads the next transfer of the stream; empty where none came within a tenth of a second.
    ///
    /// # Errors
    /// The device is gone.
    fn read(&mut self) -> io::Result<Vec<u8>>;

    /// Waits 10 ms between looks; a model need not.
    fn rest(&mut self) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Protocol that the device speaks, with its decoder.
#[derive(Debug)]
enum Spoken {
    Ti(Ti),
    Records(Records),
}

impl Spoken {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        match self {
            Self::Ti(ti) => ti.feed(octets, events),
            Self::Records(records) => records.feed(octets, events),
        }
    }
}

/// Session with a CC2531 that sniffs.
#[derive(Debug)]
pub struct Sniffer<W> {
    wire: W,
    spoken: Spoken,
}

impl<W: Wire> Sniffer<W> {
    /// Starts the device on `channel`, 11 to 26.
    ///
    /// # Errors
    /// The device refuses, is gone, or has no power after 20 looks.
    pub fn start(mut wire: W, channel: u8) -> io::Result<Self> {
        let is_ours = wire.ask(request::IDENTITY, 0, 0, 256)? == OURS;
        wire.send(request::POWER, 0, 4, &[])?;
        let mut looks = 0;
        while wire.ask(request::IS_POWERED, 0, 0, 1)?.first() != Some(&4) {
            looks += 1;
            if looks == LOOKS {
                return Err(io::Error::new(ErrorKind::TimedOut, "the radio of the dongle does not get its power"));
            }
            wire.rest();
        }
        wire.send(request::UNKNOWN, 0, 0, &[])?;
        let spoken = if is_ours {
            wire.send(request::FRAMING, 1, 0, &[])?;
            Spoken::Records(Records::default())
        } else {
            Spoken::Ti(Ti::default())
        };
        let mut sniffer = Self { wire, spoken };
        sniffer.go_to(channel)?;
        sniffer.wire.send(request::START, 0, 0, &[])?;
        Ok(sniffer)
    }

    fn go_to(&mut self, channel: u8) -> io::Result<()> {
        self.wire.send(request::CHANNEL, 0, 0, &[channel])?;
        self.wire.send(request::CHANNEL, 0, 1, &[0])?;
        if let Spoken::Ti(ti) = &mut self.spoken {
            ti.set_channel(channel);
        }
        Ok(())
    }
}

impl<W: Wire> Session for Sniffer<W> {
    fn look(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        let octets = self.wire.read()?;
        self.spoken.feed(&octets, events);
        Ok(())
    }

    fn set_channel(&mut self, channel: u8, events: &mut Vec<Event>) -> io::Result<()> {
        match &self.spoken {
            // Moves while receiving; no frame is labelled with a channel it was not heard on.
            Spoken::Records(_) => self.go_to(channel)?,
            Spoken::Ti(_) => {
                self.wire.send(request::STOP, 0, 0, &[])?;
                // Frames received before the change of channel are read before it.
                loop {
                    let octets = self.wire.read()?;
                    if octets.is_empty() {
                        break;
                    }
                    self.spoken.feed(&octets, events);
                }
                if let Spoken::Ti(ti) = &mut self.spoken {
                    ti.restart();
                }
                self.go_to(channel)?;
                self.wire.send(request::START, 0, 0, &[])?;
            }
        }
        events.push(Event::Channel(channel));
        Ok(())
    }

    fn stop(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        self.wire.send(request::STOP, 0, 0, &[])?;
        // A bound for a dongle that goes on sending. Chosen here by judgement: no experiment decides it; what the
        // dongle and the transfers hold comes in far less.
        let until = clock::instant() + Duration::from_secs(2);
        while clock::instant() < until {
            let octets = self.wire.read()?;
            if octets.is_empty() {
                break;
            }
            self.spoken.feed(&octets, events);
        }
        if let Spoken::Records(records) = &mut self.spoken {
            let status = self.wire.ask(request::STATUS, 0, 0, 38)?;
            if let Some(FirmwareRecord::Status(status)) = parse_record(&status) {
                records.know(status);
                events.push(Event::Remark(format!(
                    "heard {} frames since power-up, dropped {}, discarded {}",
                    status.heard, status.dropped, status.discarded
                )));
            }
        }
        self.wire.send(request::POWER, 0, 0, &[])
    }

    fn tally(&self) -> Tally {
        match &self.spoken {
            Spoken::Ti(ti) => ti.tally(),
            Spoken::Records(records) => records.tally(),
        }
    }

    fn is_talkative(&self) -> bool {
        matches!(self.spoken, Spoken::Records(_))
    }
}
