//! What a person says of a capture that it cannot tell, or tells wrongly.

use crate::exchange::{Association, Vantage, Workload};
use crate::outcome;
use crate::{Endpoint, Evidence, Fate, Outcome, Trace};
use base::{Cancelled, Progress, SharedProgress, Silent, Span};

/// What is said of one association; `None`: as it is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Assumed {
    /// Where the capture was taken.
    pub vantage: Option<Vantage>,
    /// When its application sends.
    pub workload: Option<Workload>,
}

/// What is said of a capture, beside [`crate::DecodeOptions`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Assumptions {
    /// Of all associations.
    pub all: Assumed,
    /// Of those between this client and this server; what is `None` there is as for all.
    pub each: Vec<((Endpoint, Endpoint), Assumed)>,
}

impl Assumptions {
    /// What is said of `association`.
    #[must_use]
    pub fn of(&self, association: &Association) -> Assumed {
        let ends = (association.client, association.server);
        let own = self.each.iter().find(|each| each.0 == ends).map_or(Assumed::default(), |each| each.1);
        Assumed { vantage: own.vantage.or(self.all.vantage), workload: own.workload.or(self.all.workload) }
    }
}

impl Trace {
    /// Judge all exchanges again, with what somebody says of the capture: what was decoded stays, what became of copies
    /// and replies, times at the client and workloads are found anew.
    pub fn assume(&mut self, assumptions: &Assumptions) {
        let done = self.judge_again(assumptions, &mut Silent);
        done.unwrap_or_else(|Cancelled| unreachable!("silence asks nobody to stop"));
    }

    /// The same capture, judged as [`Trace::assume`] does. `progress` counts steps.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn assuming(&self, assumptions: &Assumptions, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        if progress.tick(0, 1).is_break() {
            return Err(Cancelled);
        }
        let mut judged = self.clone();
        judged.judge_again(assumptions, progress).map(|()| judged)
    }

    fn judge_again(&mut self, assumptions: &Assumptions, progress: &mut dyn Progress) -> Result<(), Cancelled> {
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
        let passes = outcome::passes(self.associations.len(), self.exchanges.len());
        let mut watch = SharedProgress::new(progress, passes);
        watch.stage(passes, passes)?;
        let (associations, exchanges) = (&mut self.associations, &mut self.exchanges);
        outcome::judge(associations, exchanges, &self.messages, &self.scope, assumptions, &watch)?;
        self.relations.count_events(&self.exchanges, &mut self.associations);
        self.assumptions = assumptions.clone();
        Ok(())
    }

    /// When the client sent `copy` (handed it to its network layer and armed its timer), and by how much that may be
    /// wrong: the estimated start of its first frame, less the wait in the client's queue.
    #[must_use]
    pub fn handed_over(&self, association: &Association, copy: &crate::Copy) -> (base::Instant, Span) {
        let error = association.correction.error;
        match association.queueing {
            Some(wait) => (copy.sent - wait.median, error + (wait.high - wait.median).max(wait.median - wait.low)),
            None => (copy.sent, error),
        }
    }
}
