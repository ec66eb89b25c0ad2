//! The octets of a file, unpacked where it is gzip or Zstandard, a window at a time.

mod ahead;
mod gzip;
mod zstd;

use super::ImportError;
use ahead::Ahead;
use base::Progress;
use gzip::Gunzip;
use std::io::{self, Read};
use std::thread::Scope;
use zstd::Unzstd;

/// Octets asked of the source in one go, and between two reports of progress. Chosen here: as many as a pipe holds
/// (pipe(7)); it decides how late an import stops, and the least memory, twice as much.
pub(crate) const CHUNK: usize = 64 * 1024;

/// Octets to which a packed file may unpack in any case.
/// Chosen here: memory that any machine has.
const UNPACKED_FREELY: u64 = 16 * 1024 * 1024;

/// A source of octets.
pub(crate) type Source<'a> = Box<dyn Read + Send + 'a>;

/// A sliding window over the unpacked octets of a source.
///
/// It grows with what was really read, never with what a header announces, and a source that fails
/// half way ends there: the reason is kept for a note.
pub(crate) struct Stream<'a> {
    input: Input<'a>,
    packing: Packing,
    progress: &'a mut dyn Progress,
    /// Size of the file on disk, octets; 0 when unknown. For progress only.
    total: u64,
    /// Most times its own size to which a packed file may unpack, beyond [`UNPACKED_FREELY`].
    ratio: u32,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset of `buffer[start]` in the unpacked file, octets.
    offset: u64,
    ended: bool,
    failure: Option<io::Error>,
    unreported: usize,
}

/// Source of unpacked octets.
enum Input<'a> {
    Plain { source: Source<'a>, taken: u64 },
    Gzip(Gunzip<'a>),
    Zstd(Box<Unzstd<'a>>),
    Ahead(Ahead),
}

/// Compression of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    /// The file is not packed.
    Plain,
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Packing {
    /// Returns the compression by the magic number in `head` (RFC 1952, 2.3.1; RFC 8878, 3.1).
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::Plain,
        }
    }
}

impl Input<'_> {
    /// Reads some unpacked octets into `into`, and returns their number; 0 at the end.
    ///
    /// # Errors
    /// Errors of the source, and damage of a packed one.
    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain { source, taken } => {
                let n = read_some(source, into)?;
                *taken += n as u64;
                Ok(n)
            }
            Self::Gzip(gunzip) => gunzip.read(into),
            Self::Zstd(unzstd) => unzstd.read(into),
            Self::Ahead(ahead) => ahead.read(into),
        }
    }

    /// Returns the number of octets taken from the file on disk.
    pub(super) fn taken(&self) -> u64 {
        match self {
            Self::Plain { taken, .. } => *taken,
            Self::Gzip(gunzip) => gunzip.taken(),
            Self::Zstd(unzstd) => unzstd.taken(),
            Self::Ahead(ahead) => ahead.taken(),
        }
    }
}

/// Reads once, again after [`io::ErrorKind::Interrupted`]; the number of octets is at most `into.len()` whatever the
/// source says.
///
/// # Errors
/// Errors of the source.
pub(crate) fn read_some(source: &mut Source<'_>, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(into) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Ok(n) => return Ok(n.min(into.len())),
            Err(e) => return Err(e),
        }
    }
}

impl<'a> Stream<'a> {
    /// Opens a window at the start of `source`, behind a decompressor if its magic number says so. `total`: size on
    /// disk, octets; `ratio`: see [`super::ImportOptions::unpack_ratio`].
    ///
    /// # Errors
    /// [`ImportError::Cancelled`]. Errors of the source are kept for [`Self::failure`].
    pub(crate) fn open(
        source: Source<'a>,
        total: Option<u64>,
        ratio: u32,
        progress: &'a mut dyn Progress,
    ) -> Result<Self, ImportError> {
        let mut stream = Self {
            input: Input::Plain { source, taken: 0 },
            packing: Packing::Plain,
            progress,
            total: total.unwrap_or(0),
            ratio,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset: 0,
            ended: false,
            failure: None,
            unreported: 0,
        };
        stream.fill(4)?;
        let packing = Packing::of(stream.octets());
        if packing == Packing::Plain {
            return Ok(stream);
        }
        let packed = stream.octets().to_vec();
        (stream.start, stream.end, stream.ended, stream.packing) = (0, 0, false, packing);
        if let Input::Plain { source, taken } = stream.input {
            stream.input = match packing {
                Packing::Zstd => Input::Zstd(Box::new(Unzstd::new(source, packed, taken))),
                _ => Input::Gzip(Gunzip::new(source, packed, taken)),
            };
        }
        Ok(stream)
    }

    /// Returns the stream, unpacked on a thread of `scope` while records are read here: that takes import of a packed
    /// capture two thirds of the time. What is not packed is read here: a copy out of the page cache costs less than
    /// handing it over.
    pub(crate) fn ahead<'scope>(self, scope: &'scope Scope<'scope, '_>) -> Self
    where
        'a: 'scope,
    {
        match self.packing {
            Packing::Plain => self,
            Packing::Gzip | Packing::Zstd => Self { input: Ahead::of(self.input, scope), ..self },
        }
    }

    /// Reads until [`Self::octets`] holds `want` octets or the source ends; returns the number it holds.
    ///
    /// # Errors
    /// [`ImportError::Cancelled`] when progress breaks.
    #[inline]
    pub(crate) fn fill(&mut self, want: usize) -> Result<usize, ImportError> {
        // Nearly always it holds as much: asked some times for each record.
        let held = self.end - self.start;
        if held >= want { Ok(held) } else { self.fill_up(want) }
    }

    fn fill_up(&mut self, want: usize) -> Result<usize, ImportError> {
        while self.end - self.start < want && !self.ended {
            self.make_room();
            let room = (self.buffer.len() - self.end).min(CHUNK - self.unreported);
            let n = match self.input.read(&mut self.buffer[self.end..self.end + room]) {
                Ok(n) => n,
                Err(e) => {
                    self.failure = Some(e);
                    0
                }
            };
            self.end += n;
            self.unreported += n;
            self.check_ratio();
            self.ended = n == 0 || self.failure.is_some();
            if self.unreported >= CHUNK || self.ended {
                self.unreported = 0;
                if self.progress.tick(self.input.taken(), self.total).is_break() {
                    return Err(ImportError::Cancelled);
                }
            }
        }
        Ok(self.end - self.start)
    }

    /// Makes room behind the window: from consumed octets, once these are at least as many as have to be moved, else by
    /// a larger buffer; so that each octet is moved a constant number of times.
    fn make_room(&mut self) {
        if self.buffer.len() > self.end {
            return;
        }
        if self.start > 0 && self.start >= self.end - self.start {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        } else {
            self.buffer.resize((self.buffer.len() * 2).max(2 * CHUNK), 0);
        }
    }

    /// Returns the octets that were read and not consumed.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Drops the first `n` octets of the window.
    pub(crate) fn consume(&mut self, n: usize) {
        let n = n.min(self.end - self.start);
        self.start += n;
        self.offset += n as u64;
    }

    /// Returns the offset of the window's first octet in the unpacked file, octets.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of octets taken from the file on disk so far.
    pub(crate) fn taken(&self) -> u64 {
        self.input.taken()
    }

    /// Ends the stream where the file unpacks to far more than a capture can: a few octets may announce gigabytes.
    fn check_ratio(&mut self) {
        let unpacked = self.offset + (self.end - self.start) as u64;
        let (taken, ratio) = (self.input.taken(), self.ratio);
        let allowed = taken.saturating_mul(ratio.into()).max(UNPACKED_FREELY);
        if self.packing() != Packing::Plain && unpacked > allowed && self.failure.is_none() {
            let what = format!(
                "its first {taken} octets unpack to more than {ratio} times as much, which no recording of a network does; \
                 reading stopped there. If you trust the file, unpack it yourself and open what comes out"
            );
            self.failure = Some(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
    }

    /// Returns the compression of the source.
    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }

    /// Takes the error that ended the source early, if one did; `None` at a second call.
    pub(crate) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}
