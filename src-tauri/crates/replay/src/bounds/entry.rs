//! One exchange with its possible endings, and pairs of extremes.

use super::Range;
use super::endings::{Ending, PossibleEnding};
use base::Instant;

/// One exchange with its possible endings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    /// Time of the first copy.
    pub start: Range<Instant>,
    /// Whether the application may drop the request, so that the exchange does not take place.
    pub optional: bool,
    /// Payload of the request in octets.
    pub payload: u16,
    /// Possible endings; never empty for an exchange that takes place.
    pub endings: &'a [PossibleEnding],
}

impl Entry<'_> {
    /// Whether `ending` is one of the possible endings.
    pub fn may(&self, ending: Ending) -> bool {
        self.endings.iter().any(|e| e.ending == ending)
    }

    /// Whether the exchange takes place and `ending` is its only possible ending.
    pub fn must(&self, ending: Ending) -> bool {
        !self.optional && self.endings.iter().all(|e| e.ending == ending)
    }
}

/// A pair of values: for the least and for the greatest value of a metric.
#[derive(Debug, Default)]
pub(super) struct Edges<T> {
    /// For the least value.
    pub least: T,
    /// For the greatest value.
    pub most: T,
}
