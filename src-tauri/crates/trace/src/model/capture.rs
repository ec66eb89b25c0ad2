//! Frames of a capture file, in the order of its records.

use super::clock_report::ClockReport;
use base::{FrameId, Instant, Notes, SourceId};
use std::net::IpAddr;
use std::ops::Range;

/// Container format of a capture file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Classic pcap, of any byte order and unit of time.
    Pcap {
        /// True where header and record fields are big-endian (as Cooja writes them).
        big_endian: bool,
        /// True where time stamps count nanoseconds rather than microseconds.
        nanoseconds: bool,
    },
    /// pcapng, of any number of sections.
    Pcapng,
    /// Text log of Cooja's "Radio messages" window (File > Save to file).
    CoojaRadioLog,
    /// TI Packet Sniffer's `.psd`.
    Psd,
    /// Captures of foren6, `.snif`.
    Snif,
    /// Captures of Daintree's sniffer, `.dcf`.
    Daintree,
    /// Text that Nordic's 802.15.4 sniffer prints.
    NordicLog,
    /// Octets as hexadecimal digits.
    HexDump,
}

impl Format {
    /// Returns the name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pcap { nanoseconds: false, .. } => "pcap",
            Self::Pcap { nanoseconds: true, .. } => "pcap (ns)",
            Self::Pcapng => "pcapng",
            Self::CoojaRadioLog => "Cooja radio log",
            Self::Psd => "TI Packet Sniffer .psd",
            Self::Snif => "foren6 .snif",
            Self::Daintree => "Daintree .dcf",
            Self::NordicLog => "nRF sniffer log",
            Self::HexDump => "hexadecimal dump",
        }
    }
}

/// First header of a frame's octets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// An IEEE 802.15.4 PSDU, its FCS already cut off.
    Ieee802154,
    /// An Ethernet II header, with its VLAN tags.
    Ethernet,
    /// An IPv4 or IPv6 header.
    RawIp,
    /// An IPv4 or IPv6 header of a packet that a host sent to itself, over its loopback interface.
    LoopbackIp,
    /// A link type that is not decoded: its number in the pcap registry. The record is kept, with its octets as they
    /// are, so that frame numbers stay those of the file.
    Other(u16),
}

/// State of the frame check sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fcs {
    /// No check sequence was captured.
    Absent,
    /// The check sequence matches, or the sniffer says so.
    Good,
    /// The check sequence does not match, or the sniffer says so.
    Bad,
}

/// Trailer of the frames of an 802.15.4 source in its file; [`Capture::octets`] are without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trailer {
    /// No trailer: the last octets are payload.
    Absent,
    /// The CRC-16 of the frame.
    Crc16,
    /// RSSI and correlation of a TI radio (CC24xx, CC253x) in place of the check sequence.
    TiStatus,
}

/// One captured frame; its octets live in [`Capture::octets`].
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// Start of the frame (its SFD) on the clock of its source, or the record's time stamp; from the epoch of the
    /// capture.
    pub at: Instant,
    /// Range in [`Capture::octets`] of the PSDU without FCS, or of the whole frame on other links.
    pub octets: Range<u32>,
    /// Sniffer or interface that recorded the frame; in a Cooja log the mote that sent it. Position in
    /// [`Capture::sources`].
    pub source: SourceId,
    /// First header of the octets.
    pub link: Link,
    /// True where the record holds fewer octets than were on the link.
    pub cut: bool,
    /// 802.15.4 channel number, 11..=26 in the 2.4 GHz band; `None` where the record does not say it.
    pub channel: Option<u8>,
    /// Received signal strength, dBm; `None` where the record does not say it.
    pub rssi: Option<i8>,
    /// Link quality indicator, a number 0..=255; TI radios put a correlation of 0..=127 in its place. `None` where the
    /// record does not say it.
    pub lqi: Option<u8>,
    /// State of the frame check sequence.
    pub fcs: Fcs,
}

// Millions of them are held at once.
const _: () = assert!(size_of::<Frame>() <= 40);

/// A sniffer, an interface of a capture file, or a Cooja mote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Name for people: `mote 3`, `wpan0`, `interface 0`.
    pub name: String,
    /// Cooja mote id, where this is a mote.
    pub mote: Option<u32>,
    /// Position of its file in [`Capture::files`]; 0 where there is one.
    pub file: u16,
    /// Trailer of its frames, as detected or as the user says; `None` where each record says it, and on other links.
    pub trailer: Option<Trailer>,
}

/// Origin of a frame of merged captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Position of its file in [`Capture::files`].
    pub file: u16,
    /// Number of its record there, from 0.
    pub record: FrameId,
}

/// Comments and names that people and tools wrote beside the frames of a pcapng file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// Comments on the whole file, in its order.
    pub file: Vec<String>,
    /// Comments on frames, by frame; a frame may have several.
    pub frames: Vec<(FrameId, String)>,
    /// Names of addresses, by address; one may have several, in the order of the file.
    pub names: Vec<(IpAddr, String)>,
}

impl Annotations {
    /// Returns the first name of `address`; IPv4 addresses are not mapped. `None` without one.
    #[must_use]
    pub fn name_of(&self, address: IpAddr) -> Option<&str> {
        let at = self.names.partition_point(|&(named, _)| named < address);
        self.names.get(at).filter(|&&(named, _)| named == address).map(|(_, name)| name.as_str())
    }

    /// Returns the comments on frame `id`, in the order of the file.
    pub fn of(&self, id: FrameId) -> impl Iterator<Item = &str> {
        let start = self.frames.partition_point(|&(at, _)| at < id);
        self.frames.iter().skip(start).take_while(move |&&(at, _)| at == id).map(|(_, text)| text.as_str())
    }
}

/// Frames that a sniffer met but lost: they are not in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// Frame before which they are missing, after the last one of the same source; `None` where the place is not known.
    pub before: Option<FrameId>,
    /// Number of frames lost.
    pub count: u64,
}

/// Frames of a capture file, or of several merged ones.
#[derive(Clone, Debug)]
pub struct Capture {
    /// File name without its folder.
    pub name: String,
    /// Container format; of the first file where several were merged.
    pub format: Format,
    /// Size of the files on disk, octets.
    pub file_len: u64,
    /// Nanoseconds from the Unix epoch to [`Instant::ZERO`]; `None` when the capture has no wall clock: times are the
    /// simulation's own (then [`Instant::ZERO`] is the start of the simulation).
    pub epoch_unix_nanos: Option<i64>,
    /// Octets of all frames, back to back, at most 4 GiB; empty where they were dropped after decoding.
    pub octets: Vec<u8>,
    /// Frames in the order of their records. Times may step back (Cooja writes a record when a
    /// transmission ends but stamps it with its start).
    pub frames: Vec<Frame>,
    /// Sources of the frames, by [`SourceId`].
    pub sources: Vec<Source>,
    /// Receivers in a Cooja radio log, by frame: the mote ids that received it undisturbed (the log's receivers
    /// column), as a range of `heard_by`. Empty for other formats.
    pub heard: Vec<Range<u32>>,
    /// Mote ids of the receivers of all frames, see `heard`.
    pub heard_by: Vec<u32>,
    /// Comments and names beside the frames.
    pub annotations: Annotations,
    /// Losses that sniffers report.
    pub drops: Vec<Dropped>,
    /// Duplicate sightings: frames that show a transmission which another source recorded too, each with the frame that
    /// stands for it (duplicate, first), by duplicate. See [`crate::merge`].
    pub duplicates: Vec<(FrameId, FrameId)>,
    /// Alignment of the clocks of several sniffers; empty where there is one recording.
    pub clocks: Vec<ClockReport>,
    /// Names of the captures that this was merged from; empty where it is one file.
    pub files: Vec<String>,
    /// Origin of each frame in one of `files`, by frame; empty where this is one file.
    pub origins: Vec<Origin>,
    /// Notes on records that import skipped or repaired.
    pub notes: Notes,
}

impl Capture {
    /// Returns the octets of `frame`: PSDU without FCS, or the whole frame on other links. Empty where octets were
    /// dropped after decoding.
    #[must_use]
    pub fn octets_of(&self, frame: &Frame) -> &[u8] {
        self.octets.get(frame.octets.start as usize..frame.octets.end as usize).unwrap_or(&[])
    }

    /// Returns the mote ids that received frame `id` undisturbed; `None` where the format does not tell.
    #[must_use]
    pub fn heard(&self, id: FrameId) -> Option<&[u32]> {
        let range = self.heard.get(id.index())?;
        self.heard_by.get(range.start as usize..range.end as usize)
    }

    /// Returns the frame that stands for the transmission of the duplicate sighting `id`; `None` where `id` is none.
    #[must_use]
    pub fn first_sighting_of(&self, id: FrameId) -> Option<FrameId> {
        let at = self.duplicates.binary_search_by_key(&id, |&(duplicate, _)| duplicate).ok()?;
        self.duplicates.get(at).map(|&(_, first)| first)
    }

    /// Returns the intervals (start, end) in which some sniffer lost frames, in order and disjoint: frames missing from
    /// the capture then may have been on the air. All of time where the place of a loss is not known.
    pub(crate) fn blind(&self) -> Vec<(Instant, Instant)> {
        let known = |id: &FrameId| id.index() < self.frames.len();
        let mut drops: Vec<FrameId> = self.drops.iter().filter_map(|dropped| dropped.before).filter(known).collect();
        if drops.len() < self.drops.len() {
            // The place of these drops is unknown.
            return vec![(Instant::MIN, Instant::MAX)];
        }
        drops.sort_unstable();
        drops.dedup();
        let mut drops = drops.into_iter().peekable();
        let mut last = vec![Instant::MIN; self.sources.len()];
        let mut all: Vec<(Instant, Instant)> = Vec::new();
        for (id, frame) in (0..).map(FrameId).zip(&self.frames) {
            if drops.peek().is_none() {
                break;
            }
            let before =
                last.get_mut(frame.source.index()).map_or(Instant::MIN, |own| std::mem::replace(own, frame.at));
            all.extend(drops.next_if_eq(&id).map(|_| (before.min(frame.at), frame.at)));
        }
        all.sort_unstable();
        all.dedup_by(|next, last| {
            let meet = next.0 <= last.1;
            if meet {
                last.1 = last.1.max(next.1);
            }
            meet
        });
        all
    }

    /// Returns the earliest and the latest time stamp; `None` without frames.
    #[must_use]
    pub fn window(&self) -> Option<(Instant, Instant)> {
        let first = self.frames.first()?.at;
        Some(self.frames.iter().fold((first, first), |(first, last), f| (first.min(f.at), last.max(f.at))))
    }
}
