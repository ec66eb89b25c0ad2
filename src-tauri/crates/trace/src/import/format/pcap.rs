//! Classic pcap (draft-ietf-opsawg-pcap): microseconds and nanoseconds, both byte orders, and the
//! "modified" form with 24-octet record headers. Of the file header not read: version, time zone, accuracy.
//!
//! Records are walked here and not by pcap-parser: whether a record header is believed depends on the header
//! behind it and on the time before it, and after damage the search for the next one looks at every
//! octet, which a parser that consumes record by record cannot do.

use crate::import::builder::{CAPTURE, CaptureBuilder, RawRecord};
use crate::import::clock::{self, SubSecond};
use crate::import::framing::{self, Framing};
use crate::import::piece::{self, PieceKind};
use crate::import::stream::Stream;
use crate::import::{ImportError, ImportOptions};
use crate::model::Format;
use base::{FrameId, Instant, Layer, Span};

/// Length of the file header, octets.
const FILE_HEADER: usize = 24;

/// Most octets of a record; longer ones are damage: Wireshark's limit for most link types
/// (`WTAP_MAX_PACKET_SIZE_STANDARD`).
const LONGEST: u32 = 256 * 1024;

/// Most by which a record after damage may precede the last good one. Chosen here: a day, for clocks that are set back.
const BEFORE: Span = Span::from_secs(86_400);

/// Most by which a record after damage may follow the last good one. Chosen here: a month, for recordings with long
/// silences.
const AFTER: Span = Span::from_secs(30 * 86_400);

/// Octets searched for the next record before those known to be garbage are dropped. Chosen here: it bounds memory.
const SEARCHED: usize = 1024 * 1024;

/// Layout of the file, from its magic number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) struct Layout {
    big_endian: bool,
    nanoseconds: bool,
    /// Length of a record header, octets: 16 or 24.
    header: usize,
}

impl Layout {
    /// Reads the layout from the first octets of a file; `None` when they are not pcap's.
    pub(in crate::import) fn of(head: &[u8]) -> Option<Self> {
        let layout = |big_endian, nanoseconds, header| Some(Self { big_endian, nanoseconds, header });
        match head.first_chunk()? {
            [0xa1, 0xb2, 0xc3, 0xd4] => layout(true, false, 16),
            [0xd4, 0xc3, 0xb2, 0xa1] => layout(false, false, 16),
            [0xa1, 0xb2, 0x3c, 0x4d] => layout(true, true, 16),
            [0x4d, 0x3c, 0xb2, 0xa1] => layout(false, true, 16),
            // Alexey Kuznetsov's modified format.
            [0xa1, 0xb2, 0xcd, 0x34] => layout(true, false, 24),
            [0x34, 0xcd, 0xb2, 0xa1] => layout(false, false, 24),
            _ => None,
        }
    }

    fn u32(self, octets: &[u8], at: usize) -> Option<u32> {
        let field = *octets.get(at..)?.first_chunk()?;
        Some(if self.big_endian { u32::from_be_bytes(field) } else { u32::from_le_bytes(field) })
    }

    /// Reads the record header at octet `at`; `None` where it is not complete.
    fn header(self, octets: &[u8], at: usize) -> Option<Header> {
        octets.get(at..at + self.header)?;
        Some(Header {
            seconds: self.u32(octets, at)?,
            fraction: self.u32(octets, at + 4)?,
            held: self.u32(octets, at + 8)?,
            length: self.u32(octets, at + 12)?,
        })
    }
}

/// Header of a record, 16 octets, in the byte order of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Header {
    seconds: u32,
    fraction: u32,
    /// Octets in the record (`incl_len`).
    held: u32,
    /// Octets on the link (`orig_len`).
    length: u32,
}

impl Header {
    /// Returns whether a record can begin with this header. All zeros are none: a hole in a file would be records
    /// without end.
    fn is_possible(self) -> bool {
        let zero = self.seconds == 0 && self.fraction == 0 && self.held == 0 && self.length == 0;
        self.held <= LONGEST && !zero
    }

    /// Returns the time stamp without its sub-second field.
    fn at(self) -> Instant {
        clock::classic(self.seconds, 0)
    }

    /// Returns whether the time may follow `last`: from [`BEFORE`] earlier to [`AFTER`] later.
    fn is_near(self, last: Instant) -> bool {
        let later = self.at() - last;
        later <= AFTER && Span::ZERO - later <= BEFORE
    }

    /// Returns whether the lengths confirm each other. Cooja 2.7 counts a check sequence it does not write.
    fn is_whole(self, snaplen: u32) -> bool {
        let is_cut = self.held == snaplen && self.length > snaplen;
        self.held > 0 && (self.length == self.held || self.length == self.held + 2 || is_cut)
    }
}

/// Result of looking for a record.
enum Found {
    /// A record with this header.
    Record(Header),
    /// The file ends within it.
    Cut,
    /// No record begins here.
    Garbage,
}

/// Reads all records into `builder`.
///
/// # Errors
/// [`ImportError::HeaderCut`], [`ImportError::UnsupportedLink`], and those of the stream.
pub(in crate::import) fn import(
    layout: Layout,
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<Format, ImportError> {
    let octets = stream.fill(FILE_HEADER)?;
    let fields = layout.u32(stream.octets(), 16).zip(layout.u32(stream.octets(), 20));
    let Some((snaplen, word)) = fields else {
        return Err(ImportError::HeaderCut { format: "pcap", octets });
    };
    // The upper half of the word says whether and how long a check sequence is; the type is below.
    let number = (word & 0xffff) as u16;
    let Some(framing) = Framing::of(number) else {
        return Err(ImportError::UnsupportedLink { number, name: framing::name(number) });
    };
    stream.consume(FILE_HEADER);
    let source = builder.source(CAPTURE.to_owned(), None, framing.rule(options.fcs.forced()));
    let mut walk = Walk { layout, snaplen, last: None };
    let mut fractions = Fractions::default();
    while stream.fill(layout.header)? > 0 {
        let offset = stream.offset();
        let found = walk.judge(stream, 0)?;
        let Found::Record(header) = found else {
            let resumed = walk.search(stream)?;
            let n = stream.offset() - offset;
            match (found, resumed) {
                (Found::Cut, false) => builder.note_cut(offset, || {
                    format!("the file ends within the record at octet {offset}; its last {n} octets were left out")
                }),
                _ => builder.note_garbage(offset, n),
            }
            continue;
        };
        let (nanos, how) = clock::sub_second(header.fraction, layout.nanoseconds);
        fractions.count(how, header.fraction, builder);
        let at = clock::classic(header.seconds, nanos);
        walk.last = Some(at);
        let end = layout.header + header.held as usize;
        let octets = stream.octets().get(layout.header..end).unwrap_or_default();
        let payload = framing.strip(number, octets, header.length.saturating_sub(header.held));
        if builder.push(&RawRecord { at, source, payload }).is_break() {
            break;
        }
        stream.consume(end);
    }
    fractions.settle(builder);
    Ok(Format::Pcap { big_endian: layout.big_endian, nanoseconds: layout.nanoseconds })
}

/// The walk from record to record.
struct Walk {
    layout: Layout,
    /// Longest record by the file header, octets; some writers exceed it.
    snaplen: u32,
    /// Time of the last record.
    last: Option<Instant>,
}

impl Walk {
    /// Judges the octets from `at` on in the window. A header whose time follows the last record's is believed when
    /// another header can follow its octets, or when its lengths agree. At another time, as where a clock was
    /// set, its lengths must agree and the header that follows must confirm it.
    fn judge(&self, stream: &mut Stream<'_>, at: usize) -> Result<Found, ImportError> {
        stream.fill(at + self.layout.header)?;
        let Some(header) = self.layout.header(stream.octets(), at) else { return Ok(Found::Cut) };
        if !header.is_possible() {
            return Ok(Found::Garbage);
        }
        let end = at + self.layout.header + header.held as usize;
        if stream.fill(end + self.layout.header)? < end {
            return Ok(Found::Cut);
        }
        let next = self.layout.header(stream.octets(), end);
        let can_follow = next.is_none_or(Header::is_possible);
        let confirms = can_follow && next.is_none_or(|next| next.is_near(header.at()) || next.is_whole(self.snaplen));
        let is_whole = header.is_whole(self.snaplen);
        let believed = match self.last {
            Some(last) if header.is_near(last) => is_whole || can_follow,
            Some(_) => is_whole && confirms,
            None => confirms,
        };
        Ok(if believed { Found::Record(header) } else { Found::Garbage })
    }

    /// Consumes octets, at least one, up to the next that begin a record beyond doubt: its lengths agree,
    /// its time is near the last one, and another such header or the end of the file follows it.
    /// False when the file ended first.
    fn search(&self, stream: &mut Stream<'_>) -> Result<bool, ImportError> {
        let mut at = 1;
        loop {
            if stream.fill(at + self.layout.header)? < at + self.layout.header {
                let rest = stream.octets().len();
                stream.consume(rest);
                return Ok(false);
            }
            if self.is_certain(stream, at)? {
                stream.consume(at);
                return Ok(true);
            }
            at += 1;
            if at > SEARCHED {
                stream.consume(at - 1);
                at = 1;
            }
        }
    }

    /// Returns whether a record that fits the last one begins at `at`, with another one, or the end of the file, behind
    /// it.
    fn is_certain(&self, stream: &mut Stream<'_>, at: usize) -> Result<bool, ImportError> {
        let is_sane = |header: &Header| {
            let (_, how) = clock::sub_second(header.fraction, self.layout.nanoseconds);
            let is_near = self.last.is_none_or(|last| header.is_near(last));
            header.is_possible() && header.is_whole(self.snaplen) && is_near && how != SubSecond::Nonsense
        };
        let Some(header) = self.layout.header(stream.octets(), at).filter(is_sane) else { return Ok(false) };
        let end = at + self.layout.header + header.held as usize;
        if stream.fill(end + self.layout.header)? < end {
            return Ok(false);
        }
        let next = self.layout.header(stream.octets(), end);
        Ok(next.is_none_or(|next| next.is_possible() && next.is_near(header.at())))
    }
}

/// Unit of the sub-second fields of a file that announces microseconds.
///
/// A field below 10^6 can be either; in a file of nanoseconds one in a thousand is. Frames with such fields are
/// remembered until the file is read.
#[derive(Default)]
struct Fractions {
    /// Frames whose field was read as declared.
    as_declared: Vec<FrameId>,
    /// Fields that are nanoseconds for certain.
    nanos: usize,
    /// True once [`Self::ENOUGH`] fields were in the declared unit and none in nanoseconds.
    settled: bool,
}

impl Fractions {
    /// Least frames in the declared unit that settle it. Chosen here: in a file of nanoseconds all of them would be
    /// below 10^6 by chance once in 10^12288.
    const ENOUGH: usize = 4_096;

    /// Counts a field that was read in the way `how`.
    fn count(&mut self, how: SubSecond, field: u32, builder: &mut CaptureBuilder) {
        let id = builder.next();
        let mut note = |code, text: &str| {
            builder
                .notes
                .tally(Layer::Clock, code, Some(id), None, || format!("its sub-second field is {field}: {text}"));
        };
        match how {
            SubSecond::AsDeclared if self.settled => {}
            SubSecond::AsDeclared => {
                self.as_declared.push(id);
                if self.as_declared.len() >= Self::ENOUGH && self.nanos == 0 {
                    (self.settled, self.as_declared) = (true, Vec::new());
                }
            }
            SubSecond::Nanos => {
                self.nanos += 1;
                note(
                    "nanoseconds-in-microseconds",
                    "nanoseconds where the file header announces microseconds; read so",
                );
            }
            SubSecond::Float => note(
                "float-microseconds",
                "the bits of a floating-point number of microseconds, as IoT-LAB's sniffer wrote in 2021; read so",
            ),
            SubSecond::Nonsense => {
                note("bad-sub-second", "more than a second; the record counts as on its full second")
            }
        }
    }

    /// Reads fields again as nanoseconds where most of the file's are.
    fn settle(self, builder: &mut CaptureBuilder) {
        if self.nanos > self.as_declared.len() {
            for id in self.as_declared {
                builder.shrink_fraction(id);
            }
        }
    }
}

/// Finds the borders of records in a file that comes in pieces. Unlike [`import`] it does not wait for the record
/// behind.
#[derive(Debug)]
pub(in crate::import) struct Cutter {
    layout: Layout,
    /// Longest record by the file header, octets; `None` until that header is there.
    snaplen: Option<u32>,
    /// Time of the last record.
    last: Option<Instant>,
}

impl Cutter {
    /// Begins at the header of the file.
    pub(in crate::import) const fn new(layout: Layout) -> Self {
        Self { layout, snaplen: None, last: None }
    }

    /// Looks for the piece that begins `octets`: the header of the file, then records.
    pub(in crate::import) fn cut(&mut self, octets: &[u8]) -> piece::Found {
        let Some(snaplen) = self.snaplen else {
            let Some(snaplen) = self.layout.u32(octets, 16).filter(|_| octets.len() >= FILE_HEADER) else {
                return piece::Found::Cut;
            };
            self.snaplen = Some(snaplen);
            return piece::Found::Piece(FILE_HEADER, PieceKind::Begin);
        };
        let Some(header) = self.layout.header(octets, 0) else { return piece::Found::Cut };
        let end = self.layout.header + header.held as usize;
        // Its lengths need no header behind it, which may come much later.
        let is_near = self.last.is_none_or(|last| header.is_near(last));
        let is_believed = header.is_possible() && (is_near || header.is_whole(snaplen));
        if !is_believed {
            return piece::Found::Garbage;
        }
        if octets.len() < end {
            return piece::Found::Cut;
        }
        let (nanos, _) = clock::sub_second(header.fraction, self.layout.nanoseconds);
        let at = clock::classic(header.seconds, nanos);
        self.last = Some(at);
        piece::Found::Piece(end, PieceKind::Frame(at))
    }

    /// Returns the number of octets, at least one, before the next that begin a record beyond doubt, or that can be
    /// dropped as garbage; `None` until more come.
    pub(in crate::import) fn search(&self, octets: &[u8]) -> Option<usize> {
        let is_sane = |header: &Header| {
            let (_, how) = clock::sub_second(header.fraction, self.layout.nanoseconds);
            let is_near = self.last.is_none_or(|last| header.is_near(last));
            let is_whole = header.is_whole(self.snaplen.unwrap_or(LONGEST));
            header.is_possible() && is_whole && is_near && how != SubSecond::Nonsense
        };
        let last = octets.len().checked_sub(self.layout.header)?;
        for at in 1..=last {
            let Some(header) = self.layout.header(octets, at).filter(is_sane) else { continue };
            // The one behind it confirms it.
            let next = self.layout.header(octets, at + self.layout.header + header.held as usize)?;
            if next.is_possible() && next.is_near(header.at()) {
                return Some(at);
            }
        }
        // Octets that were looked at are no record, and need not be looked at again.
        (last > SEARCHED).then_some(last)
    }
}
