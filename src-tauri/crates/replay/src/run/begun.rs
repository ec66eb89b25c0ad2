//! Replicates that a run goes on from: a first answer of few replicates becomes the whole one without running them
//! again.

use super::fast::Done;
use super::replicate::ReplicateMetrics;
use crate::bounds::{Bounded, Ranges};
use crate::engine::Steps;
use crate::scenario::Setup;

/// Greatest number of replicates that are kept to go on from. Chosen here: a first answer has
/// [`crate::Scenario::WHAT_IF`]; of more the measures of every association would take more memory than the result.
const MOST: usize = 32;

/// The bounds of a run and its first replicates, without model error and steps; empty for a run that had more
/// replicates than a first answer has.
#[derive(Clone, Debug, Default)]
pub struct Begun {
    ranges: Option<Box<Bounded>>,
    own: Vec<ReplicateMetrics>,
    another: Vec<ReplicateMetrics>,
}

impl Begun {
    /// Collects the bounds and replicates among `parts`, in their order.
    pub(super) fn of(parts: &[Done]) -> Self {
        let own = parts.iter().filter_map(|part| match part {
            Done::Replicate(measured, _) => Some(&**measured),
            Done::Bounds(_) | Done::Assumed(..) | Done::Another(_) => None,
        });
        let another = parts.iter().filter_map(|part| match part {
            Done::Another(measured) => Some(&**measured),
            Done::Bounds(_) | Done::Assumed(..) | Done::Replicate(..) => None,
        });
        if own.clone().count().max(another.clone().count()) > MOST {
            return Self::default();
        }
        let ranges = parts.iter().find_map(|part| match part {
            Done::Bounds(ranges) => Some(ranges.clone()),
            Done::Assumed(..) | Done::Replicate(..) | Done::Another(_) => None,
        });
        Self { ranges, own: own.cloned().collect(), another: another.cloned().collect() }
    }

    /// Whether bounds were kept.
    pub(super) fn is_bounded(&self) -> bool {
        self.ranges.is_some()
    }

    /// Number of replicates of this trace and of another run, in this order.
    pub(super) fn replicates(&self) -> [u32; 2] {
        [&self.own, &self.another].map(|all| u32::try_from(all.len()).unwrap_or(u32::MAX))
    }

    /// Turns the bounds and replicates that `setup` asks for into parts of its result.
    pub(super) fn parts(self, setup: &Setup) -> Vec<Done> {
        let [own, another] = setup.asked().map(|many| many as usize);
        let own = self.own.into_iter().take(own).map(|measured| Done::Replicate(Box::new(measured), Steps::default()));
        let another = self.another.into_iter().take(another).map(|measured| Done::Another(Box::new(measured)));
        let ranges = self.ranges.filter(|_| setup.wants_bounds()).map(Done::Bounds);
        ranges.into_iter().chain(own).chain(another).collect()
    }

    /// Memory that it takes, in octets.
    #[must_use]
    pub fn octets(&self) -> usize {
        let ranges =
            self.ranges.as_ref().map_or(0, |ranges| (ranges.associations.capacity() + 1) * size_of::<Ranges>());
        ranges + self.own.iter().chain(&self.another).map(ReplicateMetrics::octets).sum::<usize>()
    }
}
