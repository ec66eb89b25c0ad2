//! sensniff's serial protocol, version 2 (Contiki's `examples/sensniff`): messages of magic, version, command, length
//! and data.
//!
//! ```text
//! C1 1F FE 72  2  command  length(2, big-endian)  data
//! ```
//!
//! A frame's data is the PSDU without FCS, the RSSI in dBm and `0x80 | LQI`, bit 7 telling that the FCS was right. The
//! device has no clock.

use super::{CHANNELS, Decoder, Event, Heard, Reception, Stamp, Tally};

/// First octets of a message.
const MAGIC: [u8; 4] = [0xc1, 0x1f, 0xfe, 0x72];

/// Octets before the data: magic, version, command, length.
const HEAD: usize = 8;

/// Longest data, octets: a PSDU without FCS, RSSI and LQI.
const LONGEST: usize = 127;

/// Message that asks for the channel.
pub const GET_CHANNEL: [u8; 6] = [0xc1, 0x1f, 0xfe, 0x72, 2, 0x81];

/// Message that sends the device to `channel`, 11 to 26.
#[must_use]
pub fn set_channel(channel: u8) -> [u8; 9] {
    [0xc1, 0x1f, 0xfe, 0x72, 2, 0x84, 0, 1, channel]
}

/// Decoder of these messages.
#[derive(Clone, Debug, Default)]
pub struct Sensniff {
    pending: Vec<u8>,
    channel: Option<u8>,
    tally: Tally,
}

impl Sensniff {
    /// Reads the message at the start of `octets` and returns its length; `Ok(None)` where more octets are needed,
    /// `Err` where it is none.
    fn message(&mut self, octets: &[u8], events: &mut Vec<Event>) -> Result<Option<usize>, ()> {
        let known = octets.len().min(MAGIC.len());
        if octets.get(..known) != MAGIC.get(..known) {
            return Err(());
        }
        let Some(&[_, _, _, _, version, command, high, low]) = octets.first_chunk::<HEAD>() else { return Ok(None) };
        let length = usize::from(u16::from_be_bytes([high, low]));
        if version != 2 || length > LONGEST {
            return Err(());
        }
        let Some(data) = octets.get(HEAD..HEAD + length) else { return Ok(None) };
        match (command, data) {
            (0x00, [psdu @ .., rssi, lqi]) if !psdu.is_empty() => {
                let reception = Reception {
                    is_good: Some(lqi & 0x80 != 0),
                    channel: self.channel,
                    rssi: Some(*rssi as i8),
                    lqi: Some(lqi & 0x7f),
                };
                self.tally.frames += 1;
                events.push(Event::Heard(Heard::psdu(psdu, reception, Stamp::None)));
            }
            (0x01, &[channel]) if CHANNELS.contains(&channel) => {
                self.channel = Some(channel);
                events.push(Event::Channel(channel));
            }
            (0x02 | 0x03, [_]) => {}
            (0x7f, []) => events.push(Event::Remark("the device refused a command".to_owned())),
            _ => return Err(()),
        }
        Ok(Some(HEAD + length))
    }
}

impl Decoder for Sensniff {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        self.pending.extend(octets);
        let mut pending = std::mem::take(&mut self.pending);
        let mut rest = &pending[..];
        while !rest.is_empty() {
            match self.message(rest, events) {
                Ok(Some(length)) => rest = rest.get(length..).unwrap_or_default(),
                Ok(None) => break,
                Err(()) => {
                    if rest.starts_with(&MAGIC) {
                        self.tally.damaged += 1;
                    }
                    // Octets that cannot begin a magic number are garbage.
                    let next = rest.iter().skip(1).position(|&octet| octet == MAGIC[0]);
                    let skipped = next.map_or(rest.len(), |at| at + 1);
                    self.tally.garbage += skipped as u64;
                    rest = rest.get(skipped..).unwrap_or_default();
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
