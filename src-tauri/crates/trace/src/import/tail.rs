//! A file that is still being written.
//!
//! The meaning of a record can depend on records that come later: a source's trailer, the unit of sub-second fields,
//! the clocks of several sniffers and the epoch are decided from the whole file. So a file that grew is read again,
//! and what comes out is exactly what [`super::open`] gives of its whole records. That costs what an import costs;
//! 802.15.4 at its full 250 kbit/s fills 30 kB in a second and takes an hour to fill what is read in a few tenths of
//! one.

use super::{ImportError, ImportOptions, open};
use crate::model::Capture;
use base::{FrameId, Layer, Progress};
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Octets at the start by which a file is recognised again. Chosen here: more than any header, and some records.
const HEAD: usize = 4_096;

/// Octets below which a file may still become any format: the header of a pcap file has as many.
const SHORTEST: u64 = 24;

/// Follows a file that grows, such as that of `tcpdump -w` or Cooja's "Append to file".
#[derive(Clone, Debug)]
pub struct Tail {
    path: PathBuf,
    options: ImportOptions,
    seen: Option<Seen>,
}

/// State of the file at the last read.
#[derive(Clone, Copy, Debug)]
struct Seen {
    len: u64,
    /// Number of its first octets, at most [`HEAD`], and their hash.
    head: (usize, u64),
    frames: usize,
}

/// Result of a look at the file.
#[derive(Clone, Debug)]
pub enum Growth {
    /// No whole record is new.
    None,
    /// More of the same file.
    More {
        /// All frames of the file.
        capture: Box<Capture>,
        /// First frame that was not there before; the number of frames before.
        from: FrameId,
    },
    /// The file begins anew: it was cut, or another has its name now (log rotation). A note says so.
    Restarted {
        /// All frames of the new file.
        capture: Box<Capture>,
    },
}

impl Tail {
    /// Follows the file at `path`, which need not be there yet.
    #[must_use]
    pub fn new(path: &Path, options: &ImportOptions) -> Self {
        Self { path: path.to_owned(), options: ImportOptions { is_growing: true, ..*options }, seen: None }
    }

    /// Looks at the file, and reads it if it changed. A file that is not there, is empty or ends within its own header
    /// has nothing yet.
    ///
    /// # Errors
    /// As [`super::open`], once there is something to read. The next call looks again.
    pub fn poll(&mut self, progress: &mut dyn Progress) -> Result<Growth, ImportError> {
        let Some((len, head)) = self.look()? else { return Ok(Growth::None) };
        let same = self.seen.is_none_or(|seen| seen.len <= len && Self::is_head(seen.head, &head));
        if same && self.seen.is_some_and(|seen| seen.len == len) {
            return Ok(Growth::None);
        }
        let mut capture = match open(&self.path, &self.options, progress) {
            Ok(capture) => capture,
            Err(ImportError::Empty | ImportError::HeaderCut { .. } | ImportError::NotFound { .. }) => {
                return Ok(Growth::None);
            }
            Err(ImportError::Unrecognised { .. }) if len < SHORTEST => return Ok(Growth::None),
            Err(error) => return Err(error),
        };
        let before = self.seen.filter(|_| same).map_or(0, |seen| seen.frames);
        let had = self.seen.map(|seen| seen.frames);
        let frames = capture.frames.len();
        self.seen = Some(Seen { len, head: (head.len(), hash(&head)), frames });
        if !same {
            capture.notes.tally(Layer::File, "file-restarted", None, Some(0), || {
                format!(
                    "the file was cut or replaced while it was followed; the {} frames read of it before are no longer in it",
                    had.unwrap_or(0)
                )
            });
            return Ok(Growth::Restarted { capture: Box::new(capture) });
        }
        if frames <= before {
            return Ok(Growth::None);
        }
        Ok(Growth::More { capture: Box::new(capture), from: FrameId::at(before) })
    }

    /// Returns the length of the file, octets, and its first octets; `None` where there are none.
    fn look(&self) -> Result<Option<(u64, Vec<u8>)>, ImportError> {
        let failed = |source: std::io::Error| match source.kind() {
            ErrorKind::NotFound => Ok(None),
            ErrorKind::PermissionDenied => Err(ImportError::Permission { path: self.path.clone() }),
            ErrorKind::IsADirectory => Err(ImportError::Directory { path: self.path.clone() }),
            _ => Err(ImportError::Read { name: self.path.display().to_string(), source }),
        };
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) => return failed(error),
        };
        let mut head = Vec::with_capacity(HEAD);
        let read = file.metadata().and_then(|about| {
            file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
            Ok(about.len())
        });
        match read {
            Ok(_) if head.is_empty() => Ok(None),
            Ok(len) => Ok(Some((len, head))),
            Err(error) => failed(error),
        }
    }

    fn is_head((len, sum): (usize, u64), head: &[u8]) -> bool {
        head.get(..len).is_some_and(|head| hash(head) == sum)
    }
}

fn hash(octets: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(octets);
    hasher.finish()
}
