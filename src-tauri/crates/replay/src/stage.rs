//! Progress of an operation in stages: reports the stage and passes cancellation on.

use base::Progress;
use std::ops::ControlFlow;

/// One stage of an operation: reports `done` of `total` stages, independent of the progress within it.
pub(crate) struct Stage<'a> {
    /// Progress of the whole operation.
    pub outer: &'a mut dyn Progress,
    /// Number of stages that are done.
    pub done: u64,
    /// Number of all stages.
    pub total: u64,
}

impl Progress for Stage<'_> {
    fn tick(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        self.outer.tick(self.done, self.total)
    }
}
