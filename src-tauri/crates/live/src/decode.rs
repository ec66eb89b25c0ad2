//! Decoders of sniffer protocols, sans-IO: octets in, frames and counts out.
//!
//! No octets make a decoder panic, and none keep it from finding the next frame: invalid octets are counted in
//! [`Tally::garbage`], and reading goes on at the next message that can be recognised. Between calls a decoder holds
//! less than one message.

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
pub use record::{Answer, FirmwareRecord, Records, Status, parse as parse_record};
pub use sensniff::{GET_CHANNEL, Sensniff, set_channel as sensniff_channel};
pub use ti::Ti;
pub use zep::Zep;

use wire::tap::linktype;

/// Time of reception of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamp {
    /// Nanoseconds by the device's own clock, whose zero is arbitrary.
    Device(u64),
    /// Nanoseconds since the Unix epoch.
    Unix(i64),
    /// Nanoseconds since the Unix epoch, by a clock that may never have been set.
    Perhaps(i64),
    /// No time: the device does not say one.
    None,
}

/// A received frame, as it is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heard {
    /// Number of the device's stream: sniffer behind a ZEP port, or interface in a stream of captures. 0 for a device
    /// that has one stream, which is named after the device.
    pub stream: u32,
    /// Link type, a number of the pcap registry.
    pub link: u16,
    /// Octets of the record: metadata of its link type, frame, check sequence.
    pub octets: Vec<u8>,
    /// Length of the record on the link, octets; more than `octets` has where the sniffer cut it.
    pub on_link: u32,
    /// Time of reception, by the clock that the device has.
    pub stamp: Stamp,
    /// Number of frames that the device dropped since the one before.
    pub dropped: u32,
}

/// Radio metadata of a frame; `None` where the device does not say them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reception {
    /// True if its check sequence was right.
    pub is_good: Option<bool>,
    /// Channel number, 11 to 26.
    pub channel: Option<u8>,
    /// Received signal strength, dBm.
    pub rssi: Option<i8>,
    /// Link quality indication, 0 to 255; some devices count to 127.
    pub lqi: Option<u8>,
}

impl Heard {
    /// Makes the frame of a PSDU without its check sequence, behind TAP metadata.
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
    /// Number of frames received whole.
    pub frames: u64,
    /// Number of frames that the device heard and dropped, by its own count.
    pub dropped: u64,
    /// Number of frames that the device sent and that did not arrive whole: missing numbers that no drop explains.
    pub lost: u64,
    /// Number of messages with a wrong check, or in a form that none has.
    pub damaged: u64,
    /// Number of octets that belong to no message.
    pub garbage: u64,
}

impl Tally {
    /// Returns the sums of both.
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

/// Event that a decoder found in the octets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A frame was received.
    Heard(Heard),
    /// Device's clock, nanoseconds, at about the moment at which this was sent.
    Clock(u64),
    /// Channel that the device is on now.
    Channel(u8),
    /// Comment for the recording: a mark that a person set, or a command that was refused.
    Remark(String),
    /// Kind of device, which it identified itself as.
    Kind(&'static str),
    /// Number and name of a stream; given before its first frame.
    Stream(u32, String),
}

/// Decoder of the protocol of one device.
pub trait Decoder: Send {
    /// Takes `octets` as they came: a piece of a stream, a USB transfer, a datagram. Appends the events that they
    /// complete to `events`, in order.
    fn feed(&mut self, octets: &[u8], events: &mut Vec<Event>);

    /// Returns the counters so far.
    fn tally(&self) -> Tally;
}

/// Channels of the O-QPSK PHY at 2.4 GHz (IEEE 802.15.4-2020, 10.1.3.3).
pub const CHANNELS: std::ops::RangeInclusive<u8> = 11..=26;
