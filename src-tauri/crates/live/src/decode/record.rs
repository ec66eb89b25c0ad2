//! Records of our firmware (`firmware-sniffer/PROTOCOL.md`, 3).

use super::{Decoder, Event, Heard, Reception, Stamp, Tally, unstuff};

/// Longest record, octets, stuffed: a REPLY or a FRAME has fewer than 160.
const LONGEST: usize = 256;

/// Register of CRC-16/X-25 after octets that end in their own right check.
const RESIDUE: u16 = 0xf0b8;

/// A record without stuffing and check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FirmwareRecord {
    /// A received frame: FRAME, type 1.
    Frame {
        /// True if its FCS was right.
        is_good: bool,
        /// Number of the frame, from 0. It counts every frame the radio heard since power-up, those included that were
        /// dropped later.
        number: u32,
        /// Number of frames dropped since power-up, before this one.
        dropped: u32,
        /// Time of the start of its PHR, microseconds since power-up.
        time: u64,
        /// Channel number, 11 to 26.
        channel: u8,
        /// Received signal strength, dBm.
        rssi: i8,
        /// Link quality indication, 0 to 255.
        lqi: u8,
        /// PSDU without its FCS, 1 to 125 octets.
        psdu: Vec<u8>,
    },
    /// Status of the device: STATUS, type 2.
    Status(Status),
    /// Answer to a command: REPLY, type 3.
    Reply(Answer),
    /// Energy on a channel: ENERGY, type 4.
    Energy {
        /// Time of the beginning of the command, microseconds since power-up.
        time: u64,
        /// Channel number, 11 to 26.
        channel: u8,
        /// Highest energy in the channel, dBm.
        dbm: i8,
    },
    /// Press of the button: MARK, type 5.
    Mark {
        /// Time, microseconds since power-up, to within 50 ms.
        time: u64,
        /// Sequence number, from 1.
        number: u32,
    },
    /// Record of a later version, by its type.
    Unknown(u8),
}

/// Status of a device: a STATUS record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// Time at which it was sent, microseconds since power-up.
    pub time: u64,
    /// True if the device receives.
    pub receiving: bool,
    /// Channel number, 11 to 26.
    pub channel: u8,
    /// Code of the last reset's cause: 0 power, 1 pin, 2 watchdog; on the nRF52840 also 4 software, 8 lock-up.
    pub reset: u8,
    /// Number of frames heard since power-up.
    pub heard: u32,
    /// Number of these frames that were dropped because the ring was full.
    pub dropped: u32,
    /// Number of these frames that were discarded because no host was listening.
    pub discarded: u32,
    /// Number of these frames with a wrong FCS.
    pub bad_fcs: u32,
    /// Number of receptions shorter than a frame.
    pub malformed: u32,
    /// Number of times that the receiver stopped by itself and was started again.
    pub restarts: u32,
}

/// Answer to a command: a REPLY record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Time at which it was sent, microseconds since power-up.
    pub time: u64,
    /// True if the command was carried out.
    pub is_done: bool,
    /// Text of the answer, made printable.
    pub text: String,
}

/// Register of CRC-16/X-25 over `octets`, before the last complement.
fn register(octets: &[u8]) -> u16 {
    octets.iter().fold(0xffff, |crc, &octet| {
        (0..8).fold(crc ^ u16::from(octet), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0x8408 } else { crc >> 1 })
    })
}

/// Reads a record with its check, not stuffed. `None` where the check is wrong, or the form is not that of its type.
#[must_use]
pub fn parse(record: &[u8]) -> Option<FirmwareRecord> {
    let (&kind, fields) = record.split_last_chunk::<2>()?.0.split_first()?;
    if register(record) != RESIDUE {
        return None;
    }
    let mut fields = Fields(fields);
    Some(match kind {
        1 => {
            let [flags] = fields.take()?;
            let (number, dropped, time) = (fields.u32()?, fields.u32()?, fields.u64()?);
            let [channel, rssi, lqi, length] = fields.take()?;
            let psdu = fields.0.to_vec();
            if !(3..=127).contains(&length) || psdu.len() + 2 != usize::from(length) {
                return None;
            }
            FirmwareRecord::Frame {
                is_good: flags & 1 == 1,
                number,
                dropped,
                time,
                channel,
                rssi: rssi as i8,
                lqi,
                psdu,
            }
        }
        2 => {
            let time = fields.u64()?;
            let [receiving, channel, reset] = fields.take()?;
            FirmwareRecord::Status(Status {
                time,
                receiving: receiving != 0,
                channel,
                reset,
                heard: fields.u32()?,
                dropped: fields.u32()?,
                discarded: fields.u32()?,
                bad_fcs: fields.u32()?,
                malformed: fields.u32()?,
                restarts: fields.u32()?,
            })
        }
        3 => {
            let time = fields.u64()?;
            let [done] = fields.take()?;
            FirmwareRecord::Reply(Answer {
                time,
                is_done: done != 0,
                text: base::printable(&String::from_utf8_lossy(fields.0)).into_owned(),
            })
        }
        4 => {
            let time = fields.u64()?;
            let [channel, dbm] = fields.take()?;
            FirmwareRecord::Energy { time, channel, dbm: dbm as i8 }
        }
        5 => FirmwareRecord::Mark { time: fields.u64()?, number: fields.u32()? },
        other => FirmwareRecord::Unknown(other),
    })
}

/// Little-endian fields, one after the other.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

/// Decoder of records as they come over a line: stuffed, each ended by a zero.
#[derive(Clone, Debug, Default)]
pub struct Records {
    pending: Vec<u8>,
    /// True once more octets came without a zero than a record has.
    is_overlong: bool,
    /// Number and drop count of the last frame.
    last: Option<(u32, u32)>,
    /// Number of drops after that frame that a status reported and that are counted: the next frame reports them again.
    ahead: u32,
    /// Status that came last.
    status: Option<Status>,
    tally: Tally,
}

impl Records {
    /// Returns the STATUS that came last; `None` before the first.
    #[must_use]
    pub const fn status(&self) -> Option<Status> {
        self.status
    }

    /// Takes a status, received in the stream or asked for. Frames dropped after the last received one are counted from
    /// it, because no further frame may come.
    pub fn know(&mut self, status: Status) {
        self.status = Some(status);
        let Some((last, before)) = self.last else { return };
        let behind = status.heard.wrapping_sub(last).wrapping_sub(1);
        let said = status.dropped.wrapping_sub(before);
        if behind >= 1 << 31 || said >= 1 << 31 {
            return;
        }
        let dropped = said.min(behind);
        self.tally.dropped += u64::from(dropped.saturating_sub(self.ahead));
        self.ahead = self.ahead.max(dropped);
    }

    /// Ends the pending record at a zero octet.
    fn end(&mut self, events: &mut Vec<Event>) {
        let stuffed = std::mem::take(&mut self.pending);
        let is_overlong = std::mem::take(&mut self.is_overlong);
        if stuffed.is_empty() && !is_overlong {
            return;
        }
        match unstuff(&stuffed).filter(|_| !is_overlong).as_deref().and_then(parse) {
            Some(record) => self.record(record, events),
            None => {
                self.tally.damaged += 1;
                self.tally.garbage += stuffed.len() as u64 + 1;
            }
        }
        self.pending = stuffed;
        self.pending.clear();
    }

    fn record(&mut self, record: FirmwareRecord, events: &mut Vec<Event>) {
        match record {
            FirmwareRecord::Frame { is_good, number, dropped, time, channel, rssi, lqi, psdu } => {
                let before = self.account(number, dropped);
                let reception =
                    Reception { is_good: Some(is_good), channel: Some(channel), rssi: Some(rssi), lqi: Some(lqi) };
                let heard = Heard::psdu(&psdu, reception, Stamp::Device(time.saturating_mul(1_000)));
                self.tally.frames += 1;
                events.push(Event::Heard(Heard { dropped: before, ..heard }));
            }
            FirmwareRecord::Status(status) => {
                self.know(status);
                events.push(Event::Clock(status.time.saturating_mul(1_000)));
                events.push(Event::Channel(status.channel));
            }
            FirmwareRecord::Reply(answer) => {
                events.push(Event::Clock(answer.time.saturating_mul(1_000)));
                if let Some(channel) = answer.text.strip_prefix("channel ").and_then(|text| text.parse().ok()) {
                    events.push(Event::Channel(channel));
                }
                if !answer.is_done {
                    events.push(Event::Remark(format!("the device refused a command: {}", answer.text)));
                }
            }
            FirmwareRecord::Energy { channel, dbm, .. } => {
                events.push(Event::Remark(format!("energy on channel {channel}: {dbm} dBm")));
            }
            FirmwareRecord::Mark { time, number } => {
                events.push(Event::Remark(format!("mark {number} at {time} us of the device's clock")));
            }
            FirmwareRecord::Unknown(_) => {}
        }
    }

    /// Number of frames dropped between the last frame and this one; counts those missing that no drop explains. 0 for
    /// the first frame, and for a number that is not behind the last one: the device has started again.
    fn account(&mut self, number: u32, dropped: u32) -> u32 {
        let ahead = std::mem::take(&mut self.ahead);
        let Some((last, before)) = self.last.replace((number, dropped)) else { return 0 };
        let missing = number.wrapping_sub(last).wrapping_sub(1);
        let said = dropped.wrapping_sub(before);
        if missing >= 1 << 31 || said >= 1 << 31 {
            return 0;
        }
        // Frames discarded while the line was closed are in the numbers but not in the drops; a new session starts from
        // zero.
        self.tally.lost += u64::from(missing.saturating_sub(said));
        let said = said.min(missing);
        self.tally.dropped += u64::from(said.saturating_sub(ahead));
        self.ahead = ahead.saturating_sub(said);
        said
    }
}

impl Decoder for Records {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        for &octet in octets {
            if octet == 0 {
                self.end(events);
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
