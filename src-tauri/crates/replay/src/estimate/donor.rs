//! Donor: a recorded copy whose fate may be taken for a copy that was never sent (hot-deck imputation).

use crate::model::{Fate, Load};
use base::Instant;

/// A recorded copy with a known fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Donor {
    pub at: Instant,
    pub fate: Fate,
    /// The load it met; 0 where it was not computed. For a channel behind a queue, the slot of its transit instead, twice.
    pub load: Load,
}

/// Donors of the background, of lost and of answered ones each. Chosen here: enough for a share within a tenth, few enough to stay local;
/// repeat with `npm run calibrate`.
pub(crate) const ENOUGH: usize = 24;

/// Donors on each side with a kernel weight. Chosen here to bound the cost of a draw; repeat with `npm run calibrate`.
pub(crate) const NEIGHBOURS: usize = 16;

/// Coherence times without a donor after which the kernel says nothing more: `exp(-4)` is a fiftieth. Chosen here; repeat with
/// `npm run calibrate`.
pub(crate) const SILENCE: f64 = 4.0;
