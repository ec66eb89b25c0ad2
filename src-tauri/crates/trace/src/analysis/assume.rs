//! Judging a trace again under the assumptions of a person.

use super::Trace;
use crate::judge;
use crate::model::{Association, Assumptions, Copy, Evidence, Fate, Outcome};
use base::{Cancelled, Instant, Progress, SharedProgress, Span};

impl Trace {
    /// Judges all exchanges again under `assumptions`. Messages stay as they are; fates, arrivals, times at the client
    /// and workloads are estimated again. `progress` counts steps.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks; the exchanges are then judged in part.
    pub fn assume(&mut self, assumptions: &Assumptions, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        for exchange in &mut self.exchanges {
            (exchange.outcome, exchange.end) = (Outcome::Open, None);
            for copy in &mut exchange.copies {
                copy.sent = self.messages.get(copy.message.index()).map_or(copy.sent, |m| m.at);
                (copy.fate, copy.evidence, copy.reply) = (Fate::Unknown, Evidence::Unknown, None);
            }
            for reply in &mut exchange.replies {
                (reply.arrived, reply.answers, reply.closing) = (None, None, false);
            }
        }
        let passes = judge::passes(self.associations.len(), self.exchanges.len());
        let mut shared = SharedProgress::new(progress, passes);
        shared.stage(passes, passes)?;
        let (associations, exchanges) = (&mut self.associations, &mut self.exchanges);
        judge::judge(associations, exchanges, &self.messages, &self.scope, assumptions, &shared)?;
        self.relations.count_events(&self.exchanges, &mut self.associations);
        self.assumptions = assumptions.clone();
        Ok(())
    }

    /// Returns a copy of the trace, judged as [`Trace::assume`] does. `progress` counts steps.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn assuming(&self, assumptions: &Assumptions, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        if progress.tick(0, 1).is_break() {
            return Err(Cancelled);
        }
        let mut judged = self.clone();
        judged.assume(assumptions, progress).map(|()| judged)
    }

    /// Returns the time when the client sent `copy` (handed it to its network layer and armed its timer), and the
    /// error of that time: wrong: the estimated start of its first frame, less the wait in the client's queue.
    #[must_use]
    pub fn handed_over(&self, association: &Association, copy: &Copy) -> (Instant, Span) {
        let error = association.correction.error;
        match association.queueing {
            Some(wait) => (copy.sent - wait.median, error + (wait.high - wait.median).max(wait.median - wait.low)),
            None => (copy.sent, error),
        }
    }
}
