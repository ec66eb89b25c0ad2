//! ZEP datagrams, versions 1 to 3; [`trace::zep`] reads their headers.

use super::{Decoder, Event, Heard, Reception, Stamp, Tally};
use wire::ieee802154::has_valid_fcs16;
use wire::tap::TiStatus;

/// Decoder of datagrams, one a call. The stream of a frame is the number of the sniffer in its datagram.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zep {
    tally: Tally,
}

impl Decoder for Zep {
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>) {
        let Some(frame) = trace::zep(octets) else {
            // An acknowledgement carries no frame and is no damage.
            if !matches!(octets, [b'E', b'X', 2..=255, 2, ..]) {
                self.tally.damaged += 1;
                self.tally.garbage += octets.len() as u64;
            }
            return;
        };
        let Some((psdu, _)) = frame.psdu.split_last_chunk::<2>().filter(|(psdu, _)| !psdu.is_empty()) else {
            self.tally.damaged += 1;
            self.tally.garbage += octets.len() as u64;
            return;
        };
        let is_good = if frame.ends_in_fcs {
            Some(has_valid_fcs16(frame.psdu))
        } else {
            TiStatus::of(frame.psdu).map(|status| status.crc_ok)
        };
        let reception = Reception { is_good, channel: Some(frame.channel), rssi: None, lqi: frame.lqi };
        let stamp = frame.at.map_or(Stamp::None, |at| Stamp::Perhaps(at.nanos()));
        self.tally.frames += 1;
        events.push(Event::Heard(Heard { stream: u32::from(frame.device), ..Heard::psdu(psdu, reception, stamp) }));
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}
