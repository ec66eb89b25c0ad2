//! Files to frames.
//!
//! ```text
//! file ──► stream ──► sniff ──► pcap | pcapng | cooja … ──► link, zep ──► builder ──► Capture
//!          unpack     magic     records, or rows            framing       trailer
//!          window                                           off           epoch
//! ```
//!
//! The format of a file is told from its content, never from its name. Everything streams through one window that
//! grows with what was read, never with what a header announces. Damage costs the records it touches and leaves a
//! note that says where; only a file of which nothing can be read is an [`ImportError`].
//!
//! A new format is one file in `format`, one arm in `sniff` and one in `records`.

mod builder;
mod clock;
mod error;
pub(crate) mod format;
mod framing;
pub(crate) mod merge;
mod piece;
mod pieces;
mod sniff;
pub(crate) mod stream;
mod tail;
mod trailer;
mod zep;

pub use error::ImportError;
pub use piece::{Piece, PieceKind};
pub use pieces::Pieces;
pub use tail::{Growth, Tail};
pub use zep::{ZepFrame, datagram as zep};

use crate::model::{Capture, Format};
use base::{Layer, Progress};
use builder::CaptureBuilder;
use clock::Origin;
use format::{cooja, dcf, hex, nordic, pcap, pcapng, psd, snif};
use sniff::Kind;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::thread;
use stream::{Packing, Stream};
use trailer::Trailer;

/// Options of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Trailer of 802.15.4 frames.
    pub fcs: FcsChoice,
    /// Greatest ratio of unpacked to packed size, for a packed file that unpacks to more than 16 MiB; beyond it
    /// reading stops, as of a decompression bomb. Chosen here: the default is 250, as captures and logs are rarely
    /// packed to less than a fiftieth.
    pub unpack_ratio: u32,
    /// The file is still being written: an incomplete last record is no damage, see [`Tail`].
    is_growing: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { fcs: FcsChoice::Auto, unpack_ratio: 250, is_growing: false }
    }
}

/// Meaning of the last two octets of an 802.15.4 frame, where records do not say it: link types 195, 215 and 230, ZEP,
/// Cooja's log, `.psd`, `.snif`, `.dcf` and hexadecimal dumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FcsChoice {
    /// Decided from all frames of each source; but link type 230 has no trailer, and `.psd` has RSSI and correlation.
    #[default]
    Auto,
    /// They are part of the frame: there is no check sequence.
    None,
    /// They are the CRC-16 of the frame.
    Crc16,
    /// They are RSSI and correlation, as TI's CC24xx and CC253x leave them.
    TiMetadata,
}

impl ImportOptions {
    /// Returns the options with `fcs`.
    #[must_use]
    pub const fn with_fcs(mut self, fcs: FcsChoice) -> Self {
        self.fcs = fcs;
        self
    }

    /// Returns the options with `unpack_ratio`; [`u32::MAX`] for no limit.
    #[must_use]
    pub const fn with_unpack_ratio(mut self, unpack_ratio: u32) -> Self {
        self.unpack_ratio = unpack_ratio;
        self
    }
}

impl FcsChoice {
    fn forced(self) -> Option<Trailer> {
        match self {
            Self::Auto => None,
            Self::None => Some(Trailer::Absent),
            Self::Crc16 => Some(Trailer::Crc16),
            Self::TiMetadata => Some(Trailer::TiStatus),
        }
    }
}

/// Reads the capture at `path`, or from the standard input where it is `-`. `progress` counts octets read of the file
/// on disk.
///
/// # Errors
///
/// [`ImportError`] when nothing could be read; its text says why and what to do.
pub fn open(path: &Path, options: &ImportOptions, progress: &mut dyn Progress) -> Result<Capture, ImportError> {
    if path.as_os_str() == "-" {
        return read("standard input", std::io::stdin(), None, options, progress);
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let refuse = |e: std::io::Error| match e.kind() {
        ErrorKind::NotFound => ImportError::NotFound { path: path.to_owned() },
        ErrorKind::PermissionDenied => ImportError::Permission { path: path.to_owned() },
        ErrorKind::IsADirectory => ImportError::Directory { path: path.to_owned() },
        _ => ImportError::Read { name: name.clone(), source: e },
    };
    let about = fs::metadata(path).map_err(refuse)?;
    if about.is_dir() {
        return Err(ImportError::Directory { path: path.to_owned() });
    }
    let file = File::open(path).map_err(refuse)?;
    // A pipe has no length.
    let len = about.is_file().then_some(about.len());
    read(&base::printable(&name), file, len, options, progress)
}

/// Whether the file at `path` begins as a capture does, packed or not. Its beginning is read, nothing else.
#[must_use]
pub fn is_capture(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|about| about.is_file());
    let Some(file) = File::open(path).ok().filter(|_| is_file) else { return false };
    let mut silent = base::Silent;
    let stream = Stream::open(Box::new(file), None, ImportOptions::default().unpack_ratio, &mut silent);
    let Ok(mut stream) = stream else { return false };
    let head = stream.fill(sniff::HEAD);
    let octets = stream.octets();
    head.is_ok() && sniff::sniff(octets.get(..sniff::HEAD).unwrap_or(octets)).is_ok()
}

/// Reads a capture called `name` from `source`; `len` is its length in octets, where that is known.
///
/// # Errors
///
/// As [`open`].
pub fn read(
    name: &str,
    source: impl Read + Send,
    len: Option<u64>,
    options: &ImportOptions,
    progress: &mut dyn Progress,
) -> Result<Capture, ImportError> {
    thread::scope(|scope| {
        let stream = Stream::open(Box::new(source), len, options.unpack_ratio, progress)?;
        frames(name, stream.ahead(scope), len, options)
    })
}

/// Reads the records of `stream` into `builder`; returns the format, and the origin of its times.
fn records(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<(Format, Origin), ImportError> {
    let head = stream.octets();
    Ok(match sniff::sniff(head.get(..sniff::HEAD).unwrap_or(head))? {
        Kind::Pcap(layout) => (pcap::import(layout, stream, builder, options)?, Origin::Unix),
        Kind::Pcapng => (pcapng::import(stream, builder, options)?, Origin::Unix),
        Kind::Cooja => (cooja::import(stream, builder, options)?, Origin::Simulation),
        Kind::Psd => (psd::import(stream, builder, options)?, Origin::Simulation),
        Kind::Snif => (snif::import(stream, builder, options)?, Origin::Simulation),
        Kind::Daintree => (dcf::import(stream, builder, options)?, Origin::Unix),
        Kind::Nordic => (nordic::import(stream, builder, options)?, Origin::Simulation),
        Kind::Hex => hex::import(stream, builder, options)?,
    })
}

/// Reads the frames of `stream`, in any known format.
fn frames(
    name: &str,
    mut stream: Stream<'_>,
    len: Option<u64>,
    options: &ImportOptions,
) -> Result<Capture, ImportError> {
    let mut builder = CaptureBuilder::new(options);
    stream.fill(sniff::HEAD)?;
    let head = stream.octets();
    if head.is_empty()
        && let Some(source) = stream.failure()
    {
        return Err(ImportError::Read { name: name.to_owned(), source });
    }
    if stream.packing() == Packing::Plain {
        builder.expect(len.unwrap_or(0));
    }
    let (format, origin) = match records(&mut stream, &mut builder, options) {
        Ok(read) => read,
        // Too little of a packed file came out to be a capture: then the packing is what is wrong with it.
        Err(error) if !matches!(error, ImportError::Cancelled) => {
            return Err(match stream.failure() {
                Some(source) => ImportError::Read { name: name.to_owned(), source },
                None => error,
            });
        }
        Err(error) => return Err(error),
    };
    if let Some(failure) = stream.failure() {
        let (code, at) = match (stream.packing(), failure.kind()) {
            (Packing::Plain, _) => ("read-error", stream.offset()),
            (_, ErrorKind::FileTooLarge) => ("unpack-limit", stream.taken()),
            (Packing::Gzip, _) => ("damaged-gzip", stream.taken()),
            (Packing::Zstd, _) => ("damaged-zstd", stream.taken()),
        };
        builder.notes.tally(Layer::File, code, None, Some(at), || format!("{failure}; what came before it was read"));
    }
    builder.finish(name.to_owned(), format, len.unwrap_or(stream.taken()), origin)
}
