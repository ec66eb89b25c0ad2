//! The lines of Nordic's sniffer, stock firmware of both generations and ours (`firmware-sniffer/PROTOCOL.md`, 2.2).
//!
//! ```text
//! received: PSDU power: DBM lqi: LQI time: TIME
//! ```
//!
//! The text is searched in each line, because a terminal's residue may stand before it. The PSDU ends in two octets in
//! the place of the FCS, which the stock firmware fills with others. Only frames with a right FCS are printed. TIME is
//! microseconds: 64 bits, or, of firmware before 2023, 32 with or without a sign.

use super::{Decoder, Event, Heard, Reception, Stamp, Tally};

/// Text before the octets of a frame.
const RECEIVED: &[u8] = b"received:";

/// Longest line, octets: 254 digits and the fields behind them take fewer than 350.
const LONGEST: usize = 512;

/// Period of a 32-bit clock, in its microseconds.
const ROUND: u64 = 1 << 32;

/// Decoder of these lines.
#[derive(Clone, Debug, Default)]
pub struct Nordic {
    pending: Vec<u8>,
    is_overlong: bool,
    /// Channel of the device, if it was set or reported.
    channel: Option<u8>,
    /// Last time as printed, and the sum added for rounds of a 32-bit clock; microseconds.
    last: Option<(u64, u64)>,
    /// Number of dropped frames that the device last reported; `None` before the first report.
    dropped: Option<u64>,
    /// Number of drops that the next frame reports.
    drops_to_tell: u32,
    tally: Tally,
}

/// Fields of a frame as it is printed; power in dBm, time in microseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    psdu: Vec<u8>,
    dbm: i64,
    lqi: u64,
    time: u64,
}

impl Line {
    /// Reads a line: `None` where it is no frame, an error where its fields are wrong.
    fn parse(line: &[u8]) -> Option<Result<Self, ()>> {
        let start = line.windows(RECEIVED.len()).position(|window| window == RECEIVED)?;
        let words = String::from_utf8_lossy(line.get(start + RECEIVED.len()..)?).into_owned();
        Some(Self::fields(&mut words.split_ascii_whitespace()).ok_or(()))
    }

    fn fields<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let digits = words.next()?;
        let mut value = |name: &str| words.next().filter(|&word| word == name).and_then(|_| words.next());
        let dbm = value("power:")?.parse().ok()?;
        let lqi = value("lqi:")?.parse().ok()?;
        let time = value("time:")?;
        // A signed time is the same 32 bits.
        let time =
            if time.starts_with('-') { u64::from(time.parse::<i64>().ok()? as u32) } else { time.parse().ok()? };
        let octets = hex(digits)?;
        let (psdu, _) = octets.split_last_chunk::<2>()?;
        let is_frame = (1..=125).contains(&psdu.len());
        is_frame.then(|| Self { psdu: psdu.to_vec(), dbm, lqi, time })
    }
}

/// Octets of pairs of hexadecimal digits; `None` for anything else.
fn hex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |octet: u8| char::from(octet).to_digit(16).and_then(|value| u8::try_from(value).ok());
    pairs
        .iter()
        .map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?))
        .collect::<Option<_>>()
        .filter(|_| rest.is_empty())
}

impl Nordic {
    /// Takes the channel that the device was set to, which lines do not say.
    pub const fn set_channel(&mut self, channel: u8) {
        self.channel = Some(channel);
    }

    fn line(&mut self, line: &[u8], events: &mut Vec<Event>) {
        match Line::parse(line) {
            Some(Ok(frame)) => {
                let time = self.unwrapped(frame.time);
                let reception = Reception {
                    is_good: Some(true),
                    channel: self.channel,
                    rssi: i8::try_from(frame.dbm).ok(),
                    lqi: Some(u8::try_from(frame.lqi).unwrap_or(u8::MAX)),
                };
                let heard = Heard::psdu(&frame.psdu, reception, Stamp::Device(time.saturating_mul(1_000)));
                self.tally.frames += 1;
                let dropped = self.pending_drops();
                events.push(Event::Heard(Heard { dropped, ..heard }));
            }
            Some(Err(())) => {
                self.tally.damaged += 1;
                self.tally.garbage += line.len() as u64;
            }
            // Any other line is none of ours, or a remark of our firmware.
            None => self.remark(line, events),
        }
    }

    fn remark(&mut self, line: &[u8], events: &mut Vec<Event>) {
        let Some(text) = line.strip_prefix(b"# ").and_then(|text| std::str::from_utf8(text).ok()) else { return };
        let mut words = text.split(' ');
        match (words.next(), words.next()) {
            (Some("dropped"), Some(count)) => {
                if let Ok(count) = count.parse::<u64>() {
                    // Counts from the first report: earlier drops belong to an earlier session.
                    let more = self.dropped.replace(count).map_or(0, |before| count.saturating_sub(before));
                    self.undelivered(more);
                }
            }
            (Some("channel"), Some(channel)) => {
                if let Ok(channel) = channel.parse() {
                    self.channel = Some(channel);
                    events.push(Event::Channel(channel));
                }
            }
            (Some("mark"), Some(_)) => events.push(Event::Remark(text.to_owned())),
            (Some("error"), Some(_)) => events.push(Event::Remark(format!("the device refused a command: {text}"))),
            _ => {}
        }
    }

    fn undelivered(&mut self, frames: u64) {
        self.tally.dropped += frames;
        self.drops_to_tell = self.drops_to_tell.saturating_add(u32::try_from(frames).unwrap_or(u32::MAX));
    }

    fn pending_drops(&mut self) -> u32 {
        std::mem::take(&mut self.drops_to_tell)
    }

    /// Time with the rounds of a 32-bit clock added, microseconds; a clock that is beyond 32 bits has none.
    fn unwrapped(&mut self, time: u64) -> u64 {
        let (last, mut added) = self.last.unwrap_or((time, 0));
        if last < ROUND && last.saturating_sub(time) > ROUND / 2 {
            added = added.saturating_add(ROUND);
        }
        self.last = Some((time, added));
        time.saturating_add(added)
    }
}

impl Decoder for Nordic {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        for &octet in octets {
            if octet == b'\n' || octet == b'\r' {
                let line = std::mem::take(&mut self.pending);
                if std::mem::take(&mut self.is_overlong) {
                    self.tally.damaged += 1;
                } else {
                    self.line(&line, events);
                }
                self.pending = line;
                self.pending.clear();
            } else if self.pending.len() < LONGEST {
                self.pending.push(octet);
            } else {
                self.is_overlong = true;
                self.tally.garbage += 1;
            }
        }
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}
