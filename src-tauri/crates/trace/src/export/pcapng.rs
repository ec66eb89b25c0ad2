//! pcapng, written: one little-endian section, interfaces, enhanced packet blocks (draft-ietf-opsawg-pcapng,
//! sections 4.1 to 4.3).

use std::io::{self, Write};

/// Block types (section 11.1).
mod kind {
    /// Type of a Section Header Block.
    pub(super) const SECTION: u32 = 0x0a0d_0d0a;
    /// Type of an Interface Description Block.
    pub(super) const INTERFACE: u32 = 1;
    /// Type of an Interface Statistics Block.
    pub(super) const STATISTICS: u32 = 5;
    /// Type of an Enhanced Packet Block.
    pub(super) const ENHANCED_PACKET: u32 = 6;
}

/// Options (sections 3.5, 4.1 to 4.3, 4.6).
mod option {
    /// Code of `opt_endofopt`: no options follow.
    pub(super) const END: u16 = 0;
    /// Code of `opt_comment`, UTF-8 text.
    pub(super) const COMMENT: u16 = 1;
    /// Code of `shb_userappl`, the name of the writing program.
    pub(super) const USER_APPLICATION: u16 = 4;
    /// Code of `if_name`, UTF-8 text.
    pub(super) const NAME: u16 = 2;
    /// Code of `if_description`, UTF-8 text.
    pub(super) const DESCRIPTION: u16 = 3;
    /// Code of `if_tsresol`, the unit of time stamps.
    pub(super) const RESOLUTION: u16 = 9;
    /// Code of `if_tsoffset`, seconds added to time stamps.
    pub(super) const OFFSET: u16 = 14;
    /// Code of `epb_dropcount`, packets dropped since the one before.
    pub(super) const PACKET_DROPS: u16 = 4;
    /// Code of `isb_starttime`, a time stamp in two words.
    pub(super) const START: u16 = 2;
    /// Code of `isb_endtime`, a time stamp in two words.
    pub(super) const STOP: u16 = 3;
    /// Code of `isb_ifrecv`, a count of 64 bits.
    pub(super) const RECEIVED: u16 = 4;
    /// Code of `isb_ifdrop`, a count of 64 bits.
    pub(super) const DROPPED: u16 = 5;
}

/// Nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;

/// Content of a section header block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// The program that writes it.
    pub application: String,
    /// Comments on the whole file.
    pub comments: Vec<String>,
    /// Time of the earliest packet, nanoseconds from the Unix epoch. Time stamps have no sign: where this is negative,
    /// `if_tsoffset` moves all of them.
    pub earliest: i64,
}

/// Optional facts of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extra<'c> {
    /// Packets of the same interface that were dropped since the one before; 0 is not written.
    pub dropped: u64,
    /// Comment; not written where it is empty.
    pub comment: &'c str,
}

/// Counters of an interface, for an interface statistics block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics<'c> {
    /// Time of the counters, nanoseconds from the Unix epoch.
    pub at: i64,
    /// Start of reception, nanoseconds from the Unix epoch.
    pub began: i64,
    /// End of reception, nanoseconds from the Unix epoch; `None` while it goes on.
    pub ended: Option<i64>,
    /// Number of packets received.
    pub received: u64,
    /// Number of packets that the interface dropped for want of room.
    pub dropped: u64,
    /// Comment; not written where it is empty.
    pub comment: &'c str,
}

/// Writes a pcapng file block by block.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    /// `if_tsoffset` of all interfaces, seconds.
    offset: i64,
    interfaces: u32,
}

impl<W: Write> Writer<W> {
    /// Begins a file with its section header.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn new(sink: W, section: &Section) -> io::Result<Self> {
        let offset = section.earliest.min(0).div_euclid(SECOND);
        let mut writer = Self { sink, offset, interfaces: 0 };
        let mut body = Vec::new();
        body.extend(0x1a2b_3c4d_u32.to_le_bytes());
        // Version 1.0; the length of the section is not known yet.
        body.extend([1, 0, 0, 0]);
        body.extend((-1_i64).to_le_bytes());
        for comment in &section.comments {
            push(&mut body, option::COMMENT, comment.as_bytes());
        }
        push(&mut body, option::USER_APPLICATION, section.application.as_bytes());
        push(&mut body, option::END, &[]);
        writer.block(kind::SECTION, &body)?;
        Ok(writer)
    }

    /// Describes the next interface, of link type `link` (pcap registry); returns its number, from 0. Time stamps count
    /// nanoseconds.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn interface(&mut self, link: u16, name: &str, description: &str) -> io::Result<u32> {
        let mut body = Vec::new();
        body.extend(link.to_le_bytes());
        // Reserved; no limit on the length of packets.
        body.extend([0; 6]);
        push(&mut body, option::NAME, name.as_bytes());
        if !description.is_empty() {
            push(&mut body, option::DESCRIPTION, description.as_bytes());
        }
        push(&mut body, option::RESOLUTION, &[9]);
        if self.offset != 0 {
            push(&mut body, option::OFFSET, &self.offset.to_le_bytes());
        }
        push(&mut body, option::END, &[]);
        self.block(kind::INTERFACE, &body)?;
        let number = self.interfaces;
        self.interfaces = number.saturating_add(1);
        Ok(number)
    }

    /// Writes a packet of interface `interface`, captured at `at` nanoseconds from the Unix epoch; `on_link`: its
    /// length there, octets.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn packet<'c>(
        &mut self,
        interface: u32,
        at: i64,
        octets: &[u8],
        on_link: u32,
        comments: impl IntoIterator<Item = &'c str>,
    ) -> io::Result<()> {
        let mut body = self.packet_body(interface, at, octets, on_link);
        let mut comments = comments.into_iter().peekable();
        if comments.peek().is_some() {
            comments.for_each(|comment| push(&mut body, option::COMMENT, comment.as_bytes()));
            push(&mut body, option::END, &[]);
        }
        self.block(kind::ENHANCED_PACKET, &body)
    }

    /// Writes a packet as [`Writer::packet`] does, with the facts of `extra`.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn received(
        &mut self,
        interface: u32,
        at: i64,
        octets: &[u8],
        on_link: u32,
        extra: Extra<'_>,
    ) -> io::Result<()> {
        let mut body = self.packet_body(interface, at, octets, on_link);
        let before = body.len();
        if !extra.comment.is_empty() {
            push(&mut body, option::COMMENT, extra.comment.as_bytes());
        }
        if extra.dropped != 0 {
            push(&mut body, option::PACKET_DROPS, &extra.dropped.to_le_bytes());
        }
        if body.len() != before {
            push(&mut body, option::END, &[]);
        }
        self.block(kind::ENHANCED_PACKET, &body)
    }

    /// Writes the counters of interface `interface`.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn statistics(&mut self, interface: u32, statistics: &Statistics<'_>) -> io::Result<()> {
        let mut body = Vec::with_capacity(96);
        body.extend(interface.to_le_bytes());
        body.extend(self.ticks(statistics.at));
        if !statistics.comment.is_empty() {
            push(&mut body, option::COMMENT, statistics.comment.as_bytes());
        }
        push(&mut body, option::START, &self.ticks(statistics.began));
        if let Some(ended) = statistics.ended {
            push(&mut body, option::STOP, &self.ticks(ended));
        }
        push(&mut body, option::RECEIVED, &statistics.received.to_le_bytes());
        push(&mut body, option::DROPPED, &statistics.dropped.to_le_bytes());
        push(&mut body, option::END, &[]);
        self.block(kind::STATISTICS, &body)
    }

    /// Returns the sink, which the caller may inspect but must not move.
    pub const fn sink(&mut self) -> &mut W {
        &mut self.sink
    }

    fn packet_body(&self, interface: u32, at: i64, octets: &[u8], on_link: u32) -> Vec<u8> {
        let mut body = Vec::with_capacity(octets.len() + 64);
        body.extend(interface.to_le_bytes());
        body.extend(self.ticks(at));
        body.extend(len32(octets).to_le_bytes());
        body.extend(on_link.max(len32(octets)).to_le_bytes());
        body.extend(octets);
        pad(&mut body);
        body
    }

    /// Returns the time stamp of `at` as a packet block has it: upper half, then lower half.
    fn ticks(&self, at: i64) -> [u8; 8] {
        let ticks = i128::from(at) - i128::from(self.offset) * i128::from(SECOND);
        let [a, b, c, d, e, f, g, h] = u64::try_from(ticks).unwrap_or(0).to_le_bytes();
        [e, f, g, h, a, b, c, d]
    }

    /// Flushes the sink.
    ///
    /// # Errors
    /// When the sink fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }

    /// Writes a block; `body` is a multiple of four octets long. One write, so that a reader of a pipe sees whole
    /// blocks.
    fn block(&mut self, kind: u32, body: &[u8]) -> io::Result<()> {
        let length = len32(body).saturating_add(12).to_le_bytes();
        self.sink.write_all(&[&kind.to_le_bytes(), &length, body, &length].concat())
    }
}

fn len32(octets: &[u8]) -> u32 {
    u32::try_from(octets.len()).unwrap_or(u32::MAX)
}

fn pad(body: &mut Vec<u8>) {
    body.resize(body.len().next_multiple_of(4), 0);
}

/// Appends an option. Its length has 16 bits: a longer value is cut at the end of a character.
fn push(body: &mut Vec<u8>, code: u16, value: &[u8]) {
    let is_inside = |&end: &usize| value.get(end).is_some_and(|octet| octet & 0xc0 == 0x80);
    let mut end = value.len().min(usize::from(u16::MAX));
    while end < value.len() && is_inside(&end) {
        end -= 1;
    }
    let value = value.get(..end).unwrap_or(value);
    body.extend(code.to_le_bytes());
    body.extend((value.len() as u16).to_le_bytes());
    body.extend(value);
    pad(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(earliest: i64, at: i64, comment: &str) -> crate::model::Capture {
        let section = Section { application: "test".to_owned(), comments: vec!["all of it".to_owned()], earliest };
        let mut octets = Vec::new();
        let mut writer = Writer::new(&mut octets, &section).unwrap();
        assert_eq!(writer.interface(101, "one", "").unwrap(), 0);
        assert_eq!(writer.interface(1, "two", "what it is").unwrap(), 1);
        writer.packet(1, at, &[1, 2, 3, 4, 5], 9, [comment]).unwrap();
        writer.packet(0, at, &[0x60], 1, []).unwrap();
        let len = octets.len() as u64;
        crate::read("x", &octets[..], Some(len), &crate::ImportOptions::default(), &mut base::Silent).unwrap()
    }

    #[test]
    fn a_written_file_is_read_back() {
        for (earliest, at) in [(0, 1_795_251_361_088_397_123), (0, 0), (-1_500_000_001, -1_500_000_001)] {
            let capture = written(earliest, at, "grün");
            let [first, second] = &capture.frames[..] else { panic!("{:?}", capture.frames) };
            assert_eq!(capture.epoch_unix_nanos.unwrap_or(0) + first.at.nanos(), at);
            assert_eq!((capture.octets_of(first), first.cut), (&[1, 2, 3, 4, 5][..], true));
            assert_eq!((capture.octets_of(second), second.cut), (&[0x60][..], false));
            assert_eq!(capture.annotations.file, ["all of it"]);
            assert_eq!(capture.annotations.frames, [(base::FrameId(0), "grün".to_owned())]);
            let names: Vec<_> = capture.sources.iter().map(|source| source.name.as_str()).collect();
            assert_eq!(names, ["one", "two"]);
            assert!(capture.notes.kinds().is_empty(), "{:?}", capture.notes);
        }
    }

    #[test]
    fn a_long_comment_ends_with_a_character() {
        let capture = written(0, 0, &"ü".repeat(40_000));
        assert_eq!(capture.annotations.frames[0].1, "ü".repeat(32_767));
    }
}
