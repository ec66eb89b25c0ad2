//! Requests of a client before their first copy: made ready by the clock or by an end, queued, held back, dropped.

use super::{Client, Timers};
use crate::engine::Ending;
use crate::model::Trigger;
use base::{Instant, Span};

/// Waiting requests of a client that has a place for them.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Time of the next wake-up, if one is scheduled.
    wakes: Option<Instant>,
    /// The first request of the queue has been held back.
    held: bool,
    /// The client takes up the next request then ([`crate::model::WorkloadPlan::turnaround`]).
    until: Instant,
}

impl Default for Waiting {
    fn default() -> Self {
        Self { wakes: None, held: false, until: Instant::MIN }
    }
}

impl Client<'_> {
    /// Time and exchange of the request that the clock makes ready next; `None` when there is none.
    pub fn next_timed(&mut self) -> Option<(Instant, u32)> {
        let exchange = *self.plan.timed.get(self.timed)?;
        match self.plan.triggers.get(exchange as usize)? {
            Trigger::At(at) => Some((*at, exchange)),
            Trigger::After(_) => None,
        }
    }

    /// Time and exchange of the request that the clock makes ready after `exchange`, which it just has; `None` when
    /// there is none, or when another exchange's end made `exchange` ready.
    pub fn after_timed(&mut self, exchange: u32) -> Option<(Instant, u32)> {
        if self.plan.timed.get(self.timed) != Some(&exchange) {
            return None;
        }
        self.timed += 1;
        self.next_timed()
    }

    /// Gap after the end of `exchange`, and the exchange that it triggers ([`crate::model::WorkloadPlan::follower`]);
    /// `None` where it triggers none.
    pub fn follower(&self, exchange: u32) -> Option<(Span, u32)> {
        self.plan.follower(exchange)
    }

    /// Whether a slot for another exchange is free (NSTART).
    pub const fn has_place(&self) -> bool {
        self.open < self.nstart
    }

    /// Whether at least one request waits for a slot (NSTART).
    pub fn is_waiting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Time since which the first request of the queue waits; `None` if it is empty.
    pub fn waits_since(&self) -> Option<Instant> {
        self.queue.front().map(|&(since, _)| since)
    }

    /// Whether the client does as it was recorded to do, whatever the policy.
    pub fn is_pinned(&self) -> bool {
        matches!(self.timers, Timers::Recorded)
    }

    /// Earliest moment at which the algorithm, the policy and the turnaround let the next request go, slots aside.
    pub fn earliest(&self, now: Instant) -> Instant {
        match &self.timers {
            Timers::Recorded => now,
            Timers::Algorithm(driver) => driver.earliest(now, self.open, self.policy).max(self.waiting.until),
        }
    }

    /// Records that an exchange ended at `now`: the client takes its turnaround before a request that waits.
    pub fn turn_around(&mut self, now: Instant) {
        if self.is_waiting() {
            self.waiting.until = now + self.plan.turnaround;
        }
    }

    /// Records that the first request of the queue is held back at `now` although a slot is free and the client is
    /// ready for it.
    pub fn hold(&mut self, now: Instant) {
        self.waiting.held |= self.waiting.until <= now;
    }

    /// Records a wake-up at `at`; `false` when one that is no later is due already.
    pub fn wakes_at(&mut self, at: Instant) -> bool {
        let sooner = self.waiting.wakes.is_none_or(|due| at < due);
        if sooner {
            self.waiting.wakes = Some(at);
        }
        sooner
    }

    /// Records that the wake-up due at `now` happened.
    pub fn woken(&mut self, now: Instant) {
        if self.waiting.wakes == Some(now) {
            self.waiting.wakes = None;
        }
    }

    /// Puts a request in the queue at `now`; `false` when the queue is full and the request must be dropped.
    pub fn enqueue(&mut self, exchange: u32, now: Instant) -> bool {
        let limit = match &self.timers {
            Timers::Algorithm(_) => self.policy.application.limit(self.record),
            Timers::Recorded => None,
        };
        let fits = limit.is_none_or(|limit| self.queue.len() < limit as usize);
        if fits {
            self.queue.push_back((now, exchange));
        }
        fits
    }

    /// Takes the first request from the queue at `now`, and counts its wait; `None` when the queue is empty.
    pub fn dequeue(&mut self, now: Instant) -> Option<u32> {
        let (since, first) = self.queue.pop_front()?;
        self.tally.queued += i128::from((now - since).nanos());
        self.tally.held += u64::from(std::mem::take(&mut self.waiting.held));
        Some(first)
    }

    /// Records that the application dropped the request of `exchange`.
    pub fn drop_request(&mut self, exchange: u32) {
        if let Some(run) = self.run(exchange) {
            run.ending = Ending::Dropped;
        }
    }
}
