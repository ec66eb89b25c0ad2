//! Trailer of 802.15.4 frames: the meaning of their last two octets.
//!
//! Link type 195 promises a check sequence, and Cooja's log says nothing. What is really there is one of: the
//! ITU-T CRC-16; the status that TI's CC24xx and CC253x radios leave in its place (see [`TiStatus`]); or
//! nothing (Cooja before 2015, foren6). One frame cannot tell: a status matches a CRC by chance, and half of all
//! CRCs look like a status. All frames of a source can.

pub(super) use crate::model::Trailer;
use crate::model::{Fcs, Frame};
use base::{FrameId, Layer, Notes};
use wire::ieee802154::has_valid_fcs16;
use wire::tap::TiStatus;

/// Length of a CRC-16 or of a TI status, octets.
const LEN: u32 = 2;

/// Octets of the shortest frame without its trailer: frame control and sequence number.
const LEAST: usize = 3;

/// Frame type of an acknowledgement, in the low three bits of a frame (IEEE 802.15.4-2020, table 7-1).
const ACK: u8 = 2;

/// Signal strength above which most values of a source are raw: sniffers that write dBm have most frames below, the
/// CC24xx's raw register (dBm + 45 or + 73) has most of them above.
/// Chosen here between the two ranges; `cargo test --release -p trace --test import formats` reads files of both kinds.
const RAW_ABOVE: i8 = -20;

/// Offset from the CC253x's RSSI register to dBm (CC253x user's guide, SWRU191).
const CC253X_OFFSET: i8 = -73;

/// Rule that decides the trailer of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// Each record says its trailer, which was cut off already.
    Recorded,
    /// The user states the trailer.
    Given(Trailer),
    /// All frames of the source decide together.
    Detect {
        /// True where the container promises a check sequence: link type 195 or 215, or ZEP.
        promised: bool,
    },
}

/// Counts over the frames of one source that decide their trailer.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Evidence {
    /// Whole frames long enough to have a trailer.
    frames: u32,
    /// Number of these with a matching CRC.
    crc: u32,
    /// Number of these with bit 7 of the last octet set and a correlation as a CC24xx reports it.
    ti: u32,
    /// Number of `ti` with an RSSI above [`RAW_ABOVE`].
    raw: u32,
    /// Number of `ti` with the status before the status, as the radio's register has it.
    overwritten: u32,
    /// Acknowledgements of three octets: no trailer.
    short_acks: u32,
    /// Acknowledgements of five octets: two octets of trailer.
    long_acks: u32,
    /// Records that lack exactly two octets of their frame.
    lacking: u32,
    /// Records that lack octets.
    cut: u32,
    /// Number of all records.
    all: u32,
}

impl Evidence {
    /// Counts a frame that lacks `missing` octets; returns the state of its CRC, should its last two octets be one.
    pub(super) fn count(&mut self, psdu: &[u8], missing: u32) -> Fcs {
        self.all += 1;
        if missing > 0 {
            self.cut += 1;
            self.lacking += u32::from(missing == LEN);
        }
        let is_ack = psdu.first().is_some_and(|fcf| fcf & 7 == ACK);
        self.short_acks += u32::from(is_ack && psdu.len() == LEAST);
        self.long_acks += u32::from(is_ack && psdu.len() == LEAST + LEN as usize);
        let Some(status) = TiStatus::of(psdu).filter(|_| psdu.len() >= LEAST + LEN as usize) else {
            return Fcs::Absent;
        };
        if missing > 0 {
            return Fcs::Absent;
        }
        self.frames += 1;
        // Correlation is about 50 for the worst frames and 110 for the best (CC253x user's guide, SWRU191; CC2420 data
        // sheet); leave room below. Chosen here by judgement: a CRC passes in 42 of 100 cases (bit 7, and 108 of 128).
        let is_ti = status.crc_ok && status.correlation >= 20;
        self.ti += u32::from(is_ti);
        self.raw += u32::from(is_ti && status.rssi > RAW_ABOVE);
        self.overwritten += u32::from(is_ti && is_overwritten(psdu));
        match has_valid_fcs16(psdu) {
            true => {
                self.crc += 1;
                Fcs::Good
            }
            false => Fcs::Bad,
        }
    }

    /// Returns whether there was any 802.15.4 frame.
    pub(super) const fn is_any(&self) -> bool {
        self.all > 0
    }

    /// Returns the trailer of this source's frames.
    fn trailer(&self) -> Trailer {
        let Self { frames, crc, ti, short_acks, long_acks, .. } = *self;
        let share = |part: u32, percent: u64| u64::from(part) * 100 >= u64::from(frames) * percent && part > 0;
        // Chosen here: half, for a CRC matches by chance in one of 65,536 frames, and damaged frames are fewer than
        // whole ones.
        if share(crc, 50) {
            Trailer::Crc16
        } else if self.is_stripped() || short_acks > long_acks {
            Trailer::Absent
        } else if share(ti, 80) {
            // Chosen here: of CRCs 42 % look like a status, and of statuses only those of damaged frames do not.
            Trailer::TiStatus
        } else if share(crc, 5) {
            // A noisy place: chance would give one in 65 536. Chosen here by judgement; below, nothing is cut off.
            Trailer::Crc16
        } else {
            Trailer::Absent
        }
    }

    /// Returns whether every record lacks two octets of its frame: the writer counted a check sequence it did not have
    /// (Cooja 2.7).
    fn is_stripped(&self) -> bool {
        self.all > 0 && self.lacking == self.all
    }

    /// Returns whether the sniffer wrote the radio's status over the end of the payload, and then a status behind it.
    fn is_overwritten(&self) -> bool {
        // Chosen here as for the status itself: the rest are damaged frames.
        self.overwritten > 0 && u64::from(self.overwritten) * 10 >= u64::from(self.frames) * 8
    }

    /// Returns whether single frames have a CRC although the source has none: two captures merged into one. Chosen
    /// here: chance makes one in 65 536, so that one in 1,000, and three of them, is no chance.
    fn is_mixed(&self) -> bool {
        self.crc >= 3 && self.crc > self.frames / 1_000
    }
}

/// Returns whether a frame that ends in a status has the raw form of the same before it: sensniff on the Z1, whose
/// driver leaves RSSI (dBm + 45, CC2420 data sheet, section 23) and correlation where the frame ends, without making it
/// longer.
fn is_overwritten(psdu: &[u8]) -> bool {
    match psdu {
        [.., raw, raw_correlation, dbm, correlation] => {
            let raw = (*raw as i8).checked_sub(45);
            raw_correlation & 0x80 != 0 && (raw_correlation ^ correlation) & 0x7f == 0 && raw == Some(*dbm as i8)
        }
        _ => false,
    }
}

/// Trailer of a source as decided, ready to apply to its frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    trailer: Trailer,
    /// True where single frames have a CRC, which is cut, although the source has none.
    mixed: bool,
    /// True where records lack the check sequence only, not octets of the frame.
    stripped: bool,
    /// Offset from a TI radio's RSSI to dBm.
    rssi_offset: i8,
}

impl Verdict {
    /// Decides by `evidence` under `rule`, with a note where the file claims otherwise;
    /// `None` where every record was explicit.
    pub(super) fn of(rule: Rule, evidence: &Evidence, name: &str, notes: &mut Notes) -> Option<Self> {
        let (trailer, promised) = match rule {
            Rule::Recorded => return None,
            Rule::Given(trailer) => (trailer, false),
            Rule::Detect { promised } => (evidence.trailer(), promised),
        };
        let raw = trailer == Trailer::TiStatus && evidence.raw > evidence.ti / 2;
        let detected = matches!(rule, Rule::Detect { .. });
        let verdict = Self {
            trailer,
            mixed: detected && trailer == Trailer::Absent && evidence.is_mixed(),
            stripped: detected && evidence.is_stripped(),
            rssi_offset: if raw { CC253X_OFFSET } else { 0 },
        };
        if trailer == Trailer::TiStatus && detected && evidence.is_overwritten() {
            let n = evidence.overwritten;
            notes.tally(Layer::Link, "payload-overwritten", None, None, || {
                format!(
                    "{n} frames of {name} have the radio's raw status in place of the last two octets of their payload, as \
                     sensniff on a Z1 writes them: those octets are lost, and checksums over them do not match"
                )
            });
        }
        match trailer {
            _ if evidence.all == 0 => {}
            Trailer::TiStatus => notes.remark(Layer::Link, "ti-status", None, None, || {
                let unit = if raw { "its raw register, taken as dBm + 73" } else { "taken as dBm" };
                format!(
                    "frames of {name} end in a TI radio's status instead of a check sequence; signal strength is {unit}"
                )
            }),
            Trailer::Absent if promised => notes.remark(Layer::Link, "no-fcs", None, None, || {
                format!(
                    "frames of {name} have no check sequence although their link type promises one; nothing was cut off"
                )
            }),
            _ => {}
        }
        Some(verdict)
    }

    /// Returns the trailer of the frames.
    pub(super) const fn trailer(self) -> Trailer {
        self.trailer
    }

    /// Cuts the trailer of `frame`, whose octets are `psdu` and whose record lacks `missing` octets.
    /// On entry [`Frame::fcs`] is what [`Evidence::count`] returned.
    pub(super) fn apply(self, frame: &mut Frame, psdu: &[u8], missing: u32, id: FrameId, notes: &mut Notes) {
        let trailer = match frame.fcs {
            Fcs::Good if self.mixed => Trailer::Crc16,
            _ => self.trailer,
        };
        let len = frame.octets.end - frame.octets.start;
        if missing > 0 {
            // The record ends before the trailer does: cut only what is there of it.
            let trailer = if trailer == Trailer::Absent && !self.stripped { 0 } else { LEN };
            frame.octets.end -= trailer.saturating_sub(missing).min(len);
            frame.cut = missing > trailer;
            frame.fcs = Fcs::Absent;
            return;
        }
        match (trailer, TiStatus::of(psdu)) {
            (Trailer::Crc16, _) if len >= LEAST as u32 + LEN => frame.octets.end -= LEN,
            (Trailer::TiStatus, Some(status)) if len >= LEAST as u32 + LEN => {
                frame.octets.end -= LEN;
                frame.rssi = Some(status.rssi.saturating_add(self.rssi_offset));
                frame.lqi = Some(status.correlation);
                frame.fcs = if status.crc_ok { Fcs::Good } else { Fcs::Bad };
            }
            _ => frame.fcs = Fcs::Absent,
        }
        if frame.fcs == Fcs::Bad {
            bad_fcs(id, notes);
        }
    }
}

/// Notes a frame that was damaged on the air.
pub(super) fn bad_fcs(id: FrameId, notes: &mut Notes) {
    notes.tally(Layer::Link, "bad-fcs", Some(id), None, || {
        "the check sequence does not match: the frame was damaged on the air or by the sniffer".to_owned()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::ieee802154::fcs16;

    fn with_crc(mut psdu: Vec<u8>) -> Vec<u8> {
        let fcs = fcs16(&psdu).to_le_bytes();
        psdu.extend(fcs);
        psdu
    }

    fn verdict(frames: &[Vec<u8>]) -> (Trailer, bool) {
        let mut evidence = Evidence::default();
        for frame in frames {
            evidence.count(frame, 0);
        }
        (evidence.trailer(), evidence.is_mixed())
    }

    #[test]
    fn crc_wins_over_what_looks_like_a_status() {
        let frames: Vec<_> = (0..100).map(|i| with_crc(vec![0x41, 0xd8, i, 1, 2, 3])).collect();
        assert_eq!(verdict(&frames), (Trailer::Crc16, true));
    }

    #[test]
    fn a_noisy_place_still_has_a_crc() {
        let mut frames: Vec<_> = (0..100).map(|i| with_crc(vec![0x41, 0xd8, i, 1, 2, 3])).collect();
        frames.iter_mut().skip(20).for_each(|f| f[3] ^= 0x10);
        assert_eq!(verdict(&frames).0, Trailer::Crc16);
    }

    #[test]
    fn status_and_nothing() {
        let ti: Vec<_> = (0..100).map(|i| vec![0x41, 0xd8, i, 1, 2, 200, 0x80 | 107]).collect();
        assert_eq!(verdict(&ti).0, Trailer::TiStatus);
        let none: Vec<_> = (0..100).map(|i| vec![2, 0, i]).collect();
        assert_eq!(verdict(&none), (Trailer::Absent, false));
        assert_eq!(verdict(&[]).0, Trailer::Absent);
    }

    #[test]
    fn frames_with_a_crc_among_many_without() {
        let mut frames: Vec<_> = (0..250).map(|i| vec![0x41, 0xc8, i, 1, 2, 3, 0, 0, 0]).collect();
        frames.extend((0..5).map(|i| with_crc(vec![0x41, 0xd8, i, 1])));
        assert_eq!(verdict(&frames), (Trailer::Absent, true));
    }
}
