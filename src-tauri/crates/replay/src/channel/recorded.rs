//! No model: recorded copies and nothing else.

use super::{Channel, Met, Sent, Support};
use crate::model::{Fate, Index};
use base::Span;

/// Assumption about a copy that the record does not determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assume {
    /// The copy is lost.
    Lost,
    /// The copy is answered in the shortest plausible time that the evidence allows; lost if it allows none.
    Fast,
    /// The copy is answered after the longest plausible time; lost if the evidence allows none.
    Slow,
    /// Nothing: the fate stays unknown.
    Nothing,
}

/// Channel without a model: a copy near a recorded one takes its fate; any other meets an assumption.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded<'a> {
    /// Recorded copies by path.
    pub index: &'a Index,
    /// Largest distance in time to a recorded copy whose fate a copy takes.
    pub tolerance: Span,
    /// Assumption about all other copies.
    pub assume: Assume,
}

impl Channel for Recorded<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        let Some(path) = self.index.paths.get(sent.path as usize) else {
            return Met { fate: Fate::Unknown, support: Support::Assumed };
        };
        let near = path.near(sent.at, self.tolerance, sent.exchange).map(|(_, copy)| copy);
        if let Some(copy) = near
            && copy.fate.is_known()
        {
            return Met { fate: copy.fate, support: Support::Recorded };
        }
        // The trace replayed as it was takes every copy as the record has it, unknown fates included.
        if near.is_some() && self.assume == Assume::Nothing {
            return Met { fate: Fate::Unknown, support: Support::Recorded };
        }
        let (low, high) = path.plausible;
        let floor = near.map_or(Span::ZERO, |copy| copy.silent_until - copy.at);
        let fate = match self.assume {
            Assume::Nothing => Fate::Unknown,
            Assume::Fast if floor <= high => Fate::Answered { rtt: low.max(floor) },
            Assume::Slow if floor <= high => Fate::Answered { rtt: high },
            Assume::Lost | Assume::Fast | Assume::Slow => Fate::Lost,
        };
        Met { fate, support: Support::Assumed }
    }
}
