//! Options of a watch, and the reasons for which one ends.

use super::REASSEMBLY;
use base::{Cancelled, Span};
use std::fmt;
use trace::{Assumptions, DecodeOptions, ImportError, ImportOptions};

/// Largest number of frames of a window. Chosen here: 802.15.4 at its full 250 kbit/s has some 400,000 in ten minutes,
/// and a million take some 400 MB while they are read.
const MOST_FRAMES: usize = 1_000_000;

/// Options of a watch.
#[derive(Clone, Debug)]
pub struct Options {
    /// Options with which records are imported.
    pub import: ImportOptions,
    /// Options of decoding; ports and addresses that the watch learns are added to them.
    pub decode: DecodeOptions,
    /// Assumptions of a person about vantage and workload.
    pub assumptions: Assumptions,
    /// Time from its first frame after which an exchange is taken. At less than [`Options::LIFETIME`] replies and
    /// copies that come later are missed.
    pub delay: Span,
    /// Largest number of frames of a window; beyond it exchanges are taken early.
    pub most_frames: usize,
    /// True to keep exchanges for [`Watch::take_exchanges`](crate::Watch::take_exchanges).
    pub lists_exchanges: bool,
}

impl Options {
    /// EXCHANGE_LIFETIME of RFC 7252 §4.8.2: from the first copy of an exchange on, nothing belongs to it later.
    pub const LIFETIME: Span = Span::from_secs(247);

    /// Returns the time after its first frame at which an exchange is taken: the delay, and that of its fragments.
    #[must_use]
    pub fn longest_delay(&self) -> Span {
        self.delay + REASSEMBLY
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            import: ImportOptions::default(),
            decode: DecodeOptions::default(),
            assumptions: Assumptions::default(),
            delay: Self::LIFETIME,
            most_frames: MOST_FRAMES,
            lists_exchanges: false,
        }
    }
}

/// Reason why a watch cannot go on.
#[derive(Debug)]
pub enum WatchError {
    /// The octets are no capture that can be read, or the state of a watch is damaged.
    Import(ImportError),
    /// The caller asked to stop. Nothing is lost: the window is read when the next record comes.
    Cancelled,
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Import(error) => error.fmt(f),
            Self::Cancelled => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for WatchError {}

impl From<ImportError> for WatchError {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

impl From<Cancelled> for WatchError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
