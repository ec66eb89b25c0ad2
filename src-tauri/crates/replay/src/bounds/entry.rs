//! One exchange with its possible endings, and pairs of extremes.

use super::Range;
use super::endings::{Ending, PossibleEnding};
use base::Instant;

/// One exchange with its possible endings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    /// The time of its first copy.
    pub start: Range<Instant>,
    /// Whether the application may drop it, so that it does not take place.
    pub optional: bool,
    /// Its payload in octets.
    pub payload: u16,
    /// Never empty for an exchange that takes place.
    pub endings: &'a [PossibleEnding],
}

impl Entry<'_> {
    /// Whether `ending` is possible.
    pub fn may(&self, ending: Ending) -> bool {
        self.endings.iter().any(|e| e.ending == ending)
    }

    /// Whether `ending` is certain.
    pub fn must(&self, ending: Ending) -> bool {
        !self.optional && self.endings.iter().all(|e| e.ending == ending)
    }
}

/// One value for each extreme.
#[derive(Debug, Default)]
pub(super) struct Edges<T> {
    pub least: T,
    pub most: T,
}
