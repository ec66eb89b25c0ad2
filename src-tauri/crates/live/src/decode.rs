//! Decoders of sniffer protocols, sans-IO: octets in, frames and counts out.
//!
//! No octets make a decoder panic, and none keep it from finding the next frame: invalid octets are counted in
//! [`Tally::garbage`], and reading goes on at the next thing that can be recognised. Between calls a decoder holds less than
//! one message.

mod cobs;
mod dialogue;
mod nordic;
mod pcap;
mod record;
mod sensniff;
mod ti;
mod zep;

pub use cobs::unstuff;
pub use dialogue::Dialogue;
pub use nordic::Nordic;
pub use pcap::Pcap;
pub use record::{Answer, Record, Records, Status, parse as parse_record};
pub use sensniff::{GET_CHANNEL, Sensniff, set_channel as sensniff_channel};
pub use ti::Ti;
pub use zep::Zep;

use wire::tap::linktype;

/// Time of reception of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamp {
    /// Nanoseconds of the device's own clock, which began somewhere.
    Device(u64),
    /// Nanoseconds from the Unix epoch.
    Unix(i64),
    /// The same, by a clock that may never have been set.
    Perhaps(i64),
    /// The device does not say.
    None,
}

/// A frame as it goes to the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heard {
    /// Stream of the device: sniffer behind a ZEP port, or interface in a stream of captures; else 0, which has the device's name.
    pub stream: u32,
    /// Link type, a number of the pcap registry.
    pub link: u16,
    /// The record: metadata of its link type, frame, check sequence.
    pub octets: Vec<u8>,
    /// Octets it had on the link.
    pub on_link: u32,
    /// Time of reception.
    pub stamp: Stamp,
    /// Frames that the device dropped since the one before.
    pub dropped: u32,
}

/// Radio metadata of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reception {
    /// True if its check sequence was right; `None` where there was none to check.
    pub is_good: Option<bool>,
    /// 11 to 26.
    pub channel: Option<u8>,
    /// dBm.
    pub rssi: Option<i8>,
    /// 0 to 255.
    pub lqi: Option<u8>,
}

impl Heard {
    /// A PSDU without its check sequence, behind TAP metadata.
    #[must_use]
    pub fn psdu(psdu: &[u8], reception: Reception, stamp: Stamp) -> Self {
        let sof = match stamp {
            Stamp::Device(nanos) => Some(nanos),
            Stamp::Unix(_) | Stamp::Perhaps(_) | Stamp::None => None,
        };
        let Reception { is_good, channel, rssi, lqi } = reception;
        let octets = trace::export::tap(psdu, &trace::export::TapOf { is_good, channel, rssi, lqi, sof });
        let on_link = u32::try_from(octets.len()).unwrap_or(u32::MAX);
        Self { stream: 0, link: linktype::IEEE802_15_4_TAP, octets, on_link, stamp, dropped: 0 }
    }
}

/// Counters of a decoder since its start; none ever decreases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Frames given.
    pub frames: u64,
    /// Frames that the device heard, dropped, and says so.
    pub dropped: u64,
    /// Frames that the device sent and that did not arrive whole: numbers missing that no drop explains.
    pub lost: u64,
    /// Messages with a wrong check, or of a shape that none has.
    pub damaged: u64,
    /// Octets that belong to no message.
    pub garbage: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            frames: self.frames.saturating_add(other.frames),
            dropped: self.dropped.saturating_add(other.dropped),
            lost: self.lost.saturating_add(other.lost),
            damaged: self.damaged.saturating_add(other.damaged),
            garbage: self.garbage.saturating_add(other.garbage),
        }
    }
}

/// Something that came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A frame.
    Heard(Heard),
    /// The device's clock, in nanoseconds, at about the moment at which this was sent.
    Clock(u64),
    /// The device is on this channel now.
    Channel(u8),
    /// Comment for the recording: a mark that a person set, or a command that was refused.
    Remark(String),
    /// Kind of device.
    Kind(&'static str),
    /// Name of a stream; given before its first frame.
    Stream(u32, String),
}

/// Reads what one device says.
pub trait Decoder: Send {
    /// Takes `octets` as they came: a piece of a stream, a USB transfer, a datagram. Appends what they complete to `events`.
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>);

    /// Returns the counters so far.
    fn tally(&self) -> Tally;
}

/// Channels of the O-QPSK PHY at 2.4 GHz (IEEE 802.15.4-2020, 10.1.3.3).
pub const CHANNELS: std::ops::RangeInclusive<u8> = 11..=26;
