//! The bulk stream of TI's CC2531 sniffer, stock firmware and ours (`firmware-sniffer/PROTOCOL.md`, 4.2).
//!
//! ```text
//! frame: 0 length(2) stamp(4) n PSDU(n), whose last two octets are RSSI + 73 and FCS right (1) correlation (7)
//! tick:  1 length(2) bits 31..24 of the clock
//! ```
//!
//! The clock has 32 ticks a microsecond and 32 bits: it comes round every 134 s. Ticks come every 2.1 s, so that
//! silence does not hide a round. No mark says where a message begins: octets that are none cost the rest of their USB
//! transfer.

use super::{Decoder, Event, Heard, Reception, Stamp, Tally};

/// Octets of type and length.
const HEAD: usize = 3;

/// Octets of stamp and PHR before a PSDU.
const BEFORE: usize = 5;

/// Difference of a CC253x's RSSI register to dBm (TI SWRU191, 23.10.3).
const OFFSET: i8 = 73;

/// Period of the device's 32-bit clock, ticks of 1/32 µs.
const ROUND: u64 = 1 << 32;

/// Decoder of the stream, one transfer a call.
#[derive(Clone, Debug, Default)]
pub struct Ti {
    pending: Vec<u8>,
    channel: Option<u8>,
    /// Latest time of the device's clock, ticks of 1/32 µs with rounds included.
    ticks: Option<u64>,
    tally: Tally,
}

impl Ti {
    /// Takes the channel that the device was set to, which frames do not say.
    pub const fn set_channel(&mut self, channel: u8) {
        self.channel = Some(channel);
    }

    /// Begins the stream afresh: octets of an unfinished message are garbage.
    pub fn restart(&mut self) {
        self.tally.garbage += self.pending.len() as u64;
        self.pending.clear();
    }

    /// Time at the lower 32 bits `low`, ticks with rounds included: within half a round of the last one, so that a
    /// value far below that is of the next round.
    fn ticks_at(&mut self, low: u32) -> u64 {
        let now = match self.ticks {
            None => u64::from(low),
            Some(last) => {
                let candidate = last / ROUND * ROUND + u64::from(low);
                if candidate + ROUND / 2 < last { candidate.saturating_add(ROUND) } else { candidate }
            }
        };
        self.ticks = Some(now.max(self.ticks.unwrap_or(0)));
        now
    }

    /// Reads the message at the start of `octets`, and returns its length; `Ok(None)` where it goes on beyond them,
    /// `Err` where there is none.
    fn message(&mut self, octets: &[u8], events: &mut Vec<Event>) -> Result<Option<usize>, ()> {
        let Some((&[kind, low, high], behind)) = octets.split_first_chunk::<HEAD>() else { return Ok(None) };
        let length = usize::from(u16::from_le_bytes([low, high]));
        match kind {
            0 if (BEFORE + 3..=BEFORE + 127).contains(&length) => {
                let Some(&[a, b, c, d, phr]) = behind.first_chunk::<BEFORE>() else { return Ok(None) };
                if usize::from(phr) + BEFORE != length {
                    return Err(());
                }
                let Some(psdu) = behind.get(BEFORE..length) else { return Ok(None) };
                let Some((psdu, &[rssi, last])) = psdu.split_last_chunk::<2>() else { return Err(()) };
                let ticks = self.ticks_at(u32::from_le_bytes([a, b, c, d]));
                let reception = Reception {
                    is_good: Some(last & 0x80 != 0),
                    channel: self.channel,
                    rssi: Some((rssi as i8).saturating_sub(OFFSET)),
                    lqi: Some(lqi(last & 0x7f)),
                };
                // 1000 / 32 ns.
                let nanos = ticks.saturating_mul(125) / 4;
                self.tally.frames += 1;
                events.push(Event::Heard(Heard::psdu(psdu, reception, Stamp::Device(nanos))));
            }
            1 if length == 1 => {
                let Some(&high) = behind.first() else { return Ok(None) };
                self.ticks_at(u32::from(high) << 24);
            }
            _ => return Err(()),
        }
        Ok(Some(HEAD + length))
    }
}

/// LQI from the correlation, 255 (c − 50) / 60 within 0 to 255 (`firmware-sniffer/PROTOCOL.md`, 4.3).
fn lqi(correlation: u8) -> u8 {
    let scaled = (i32::from(correlation) - 50) * 255 / 60;
    u8::try_from(scaled.clamp(0, 255)).unwrap_or(u8::MAX)
}

impl Decoder for Ti {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        self.pending.extend(octets);
        let mut pending = std::mem::take(&mut self.pending);
        let mut rest = &pending[..];
        loop {
            match self.message(rest, events) {
                Ok(Some(length)) => rest = rest.get(length..).unwrap_or_default(),
                Ok(None) => break,
                Err(()) => {
                    self.tally.damaged += 1;
                    self.tally.garbage += rest.len() as u64;
                    rest = &[];
                    break;
                }
            }
        }
        let taken = pending.len() - rest.len();
        pending.drain(..taken);
        self.pending = pending;
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}
