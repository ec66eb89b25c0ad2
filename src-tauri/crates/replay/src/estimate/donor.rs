//! Donor: a recorded copy whose fate may be taken for a copy that was never sent (hot-deck imputation).

use crate::model::{Fate, Load};
use base::Instant;

/// A recorded copy with a known fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Donor {
    /// Time at which the client sent it.
    pub at: Instant,
    /// Fate of the copy; known for every donor that is drawn.
    pub fate: Fate,
    /// Loads that the copy met (see [`Load`]); 0 where none was computed. For a channel behind a bottleneck, the
    /// position of its transit instead, twice.
    pub load: Load,
}

/// Number of donors of the background, of lost and of answered ones each. Chosen here: enough for a share within a
/// tenth, few enough to stay local; repeat with `npm run calibrate`.
pub(crate) const ENOUGH: usize = 24;

/// Number of donors on each side with a kernel weight. Chosen here to bound the cost of a draw; repeat with `npm run
/// calibrate`.
pub(crate) const NEIGHBOURS: usize = 16;

/// Number of coherence times without a donor after which the kernel says nothing more: `exp(-4)` is a fiftieth. Chosen
/// here; repeat with `npm run calibrate`.
pub(crate) const SILENCE: f64 = 4.0;
