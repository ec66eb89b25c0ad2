//! One recorded copy that may stand for one that never was.

use crate::model::{Fate, Load};
use base::Instant;

/// A recorded copy with a known fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Donor {
    pub at: Instant,
    pub fate: Fate,
    /// The load it met; 0 where nobody asked. A channel that keeps more of a copy puts the place of that here, twice.
    pub load: Load,
}

/// Donors of the background, of lost and of answered ones each. Chosen here: enough for a share within a tenth, few enough to stay local;
/// repeat with `npm run calibrate`.
pub(crate) const ENOUGH: usize = 24;
