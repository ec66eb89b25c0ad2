//! The conversation with a sniffer on a serial line: ours, or one with Nordic's stock firmware.
//!
//! ```text
//! open ──► sleep, echo off ──silence──► info ──┬─ "framing=…binary1" ──► framing binary 1 ──► channel, receive ──► records
//!                                              │              ╰────────────── late ──────────────╮
//!                                              └─ silence ──────────────► channel, receive ──► lines
//! ```
//!
//! A silence of half a second is taken for the answer of stock firmware, so that its frames are not missed while
//! waiting. Our firmware may be busy for longer, or the host: an answer that comes late leads on to records all the
//! same.
//!
//! Each command is followed by an empty line, which older stock firmware needs and no other minds. Octets are read as
//! lines until the answer `# framing binary 1`, and as records from the zero behind it on.

use super::{Decoder, Event, Nordic, Records, Status, Tally};

/// Answer after which records begin.
const SWITCHED: &[u8] = b"# framing binary 1\r\n";

/// Beginning of our firmware's answer to `info`.
const OURS: &[u8] = b"# rtoscope-sniffer ";

/// State of the dialogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Asked to be quiet.
    Quieting,
    /// Asked for its identity.
    Asking,
    /// Asked to speak in records.
    Switching,
    /// Receiving, in lines of text.
    Lines,
    /// Receiving, in binary records.
    Records,
}

/// Dialogue with one sniffer, sans-IO. [`Dialogue::take`] gives the octets to send.
#[derive(Clone, Debug)]
pub struct Dialogue {
    step: Step,
    channel: u8,
    lines: Nordic,
    records: Records,
    /// Octets of the unfinished line, the last 256 at most.
    heard: Vec<u8>,
    /// Octets that [`Self::take`] has not given yet.
    to_send: Vec<u8>,
    /// Number of silences while waiting for one answer.
    silences: u32,
    /// True once the device was asked to receive: lines may then be frames.
    is_receiving: bool,
}

impl Dialogue {
    /// Begins the dialogue after the line was opened; the device is to receive on `channel`.
    #[must_use]
    pub fn new(channel: u8) -> Self {
        let mut dialogue = Self {
            step: Step::Quieting,
            channel,
            lines: Nordic::default(),
            records: Records::default(),
            heard: Vec::new(),
            to_send: Vec::new(),
            silences: 0,
            is_receiving: false,
        };
        dialogue.say("");
        dialogue.say("sleep");
        dialogue.say("shell echo off");
        dialogue
    }

    /// Takes the octets to send now; empty for none. To be called after every other call.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.to_send)
    }

    /// Reports that no octet came for 100 ms, each time that this passes.
    pub fn silence(&mut self) {
        self.silences += 1;
        match self.step {
            Step::Quieting => {
                self.step = Step::Asking;
                self.silences = 0;
                self.say("info");
            }
            // A device that is busy answers late; one with stock firmware never.
            Step::Asking | Step::Switching if self.silences >= 5 => {
                self.step = Step::Lines;
                self.is_receiving = true;
                self.receive();
            }
            Step::Asking | Step::Switching | Step::Lines | Step::Records => {}
        }
    }

    /// Returns whether the device sends records, and so a status every second.
    #[must_use]
    pub const fn is_talkative(&self) -> bool {
        matches!(self.step, Step::Records)
    }

    /// Sends the sniffer to another channel.
    pub fn set_channel(&mut self, channel: u8) {
        self.channel = channel;
        if self.is_receiving {
            self.say(&format!("channel {channel}"));
            self.lines.set_channel(channel);
        }
    }

    /// Asks the device to stop receiving, and for a status where it sends records.
    pub fn stop(&mut self) {
        if self.step == Step::Records {
            self.say("status");
        }
        self.say("sleep");
    }

    /// Returns the last STATUS; `None` where none came, as from stock firmware.
    #[must_use]
    pub const fn status(&self) -> Option<Status> {
        self.records.status()
    }

    fn say(&mut self, command: &str) {
        self.to_send.extend(command.as_bytes());
        self.to_send.extend(if self.step == Step::Records { "\r\n" } else { "\r\n\r\n" }.as_bytes());
    }

    fn receive(&mut self) {
        let channel = self.channel;
        self.lines.set_channel(channel);
        self.say(&format!("channel {channel}"));
        self.say("receive");
    }

    /// Looks for the answers that lead on, in the line that `octet` goes on with.
    fn listen(&mut self, octet: u8, events: &mut Vec<Event>) {
        self.heard.push(octet);
        if octet != b'\n' {
            // A line of frames is longer; nothing here is.
            if self.heard.len() > 256 {
                self.heard.remove(0);
            }
            return;
        }
        let line = std::mem::take(&mut self.heard);
        let has = |words: &[u8]| line.windows(words.len()).any(|window| window == words);
        if matches!(self.step, Step::Asking | Step::Lines) && has(OURS) && has(b"binary1") {
            self.step = Step::Switching;
            self.silences = 0;
            self.say("framing binary 1");
        } else if self.step == Step::Switching && line.ends_with(SWITCHED) {
            self.step = Step::Records;
            self.is_receiving = true;
            events.push(Event::Kind("rtoscope-sniffer"));
            self.receive();
        }
    }
}

impl Decoder for Dialogue {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        self.silences = 0;
        for at in 0..octets.len() {
            let rest = octets.get(at..).unwrap_or_default();
            match self.step {
                Step::Records => return self.records.feed(rest, events),
                Step::Quieting | Step::Asking | Step::Switching | Step::Lines => {
                    let Some(octet) = rest.first() else { break };
                    // Frames that still come from a device that was asked to be quiet belong to an earlier session.
                    if self.is_receiving {
                        self.lines.feed(std::slice::from_ref(octet), events);
                    }
                    self.listen(*octet, events);
                }
            }
        }
    }

    fn tally(&self) -> Tally {
        self.lines.tally().plus(self.records.tally())
    }
}
