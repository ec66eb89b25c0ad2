//! Requests of one client that will be ready, by the clock or after the end of another.

use crate::model::{Trigger, WorkloadPlan};
use base::Instant;

/// Requests that will be ready: the next one by the clock, and all that follow an end.
#[derive(Debug)]
pub(super) struct Coming<'a> {
    plan: &'a WorkloadPlan,
    /// Position in [`WorkloadPlan::timed`] of the request that the clock makes ready next.
    timed: usize,
    /// Request that the clock makes ready next, with its time; `None` where none is left or the next one follows an
    /// end.
    next: Option<Ready>,
    /// Requests that follow an end.
    following: Vec<Ready>,
    /// Number of requests scheduled so far.
    scheduled: u64,
}

/// Time at which a request is ready; of one instant the one scheduled first goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ready {
    at: Instant,
    order: u64,
    exchange: u32,
}

impl<'a> Coming<'a> {
    /// Requests of `plan`, none of which has been ready yet.
    pub fn new(plan: &'a WorkloadPlan) -> Self {
        let mut coming = Self { plan, timed: 0, next: None, following: Vec::new(), scheduled: 0 };
        coming.next = coming.on_the_clock();
        coming
    }

    /// `exchange`, ready at `at`, behind all that were scheduled before.
    fn ready(&mut self, at: Instant, exchange: u32) -> Ready {
        self.scheduled += 1;
        Ready { at, order: self.scheduled, exchange }
    }

    /// The next request of the clock; `None` where all have been or the next follows an end.
    fn on_the_clock(&mut self) -> Option<Ready> {
        let exchange = *self.plan.timed.get(self.timed)?;
        match *self.plan.triggers.get(exchange as usize)? {
            Trigger::At(at) => Some(self.ready(at, exchange)),
            Trigger::After(_) => None,
        }
    }

    /// Takes the next request, with the time at which it is ready; `None` where there is none (before `end`, if that is
    /// given).
    #[inline(always)]
    pub fn next_before(&mut self, end: Option<Instant>) -> Option<(Instant, u32)> {
        if !self.following.is_empty() {
            return self.next_of_both(end);
        }
        let next = self.next.filter(|ready| end.is_none_or(|end| ready.at < end))?;
        self.tick();
        Some((next.at, next.exchange))
    }

    /// Returns what [`Self::next_before`] does, where requests follow an end.
    #[inline(never)]
    fn next_of_both(&mut self, end: Option<Instant>) -> Option<(Instant, u32)> {
        let in_time = |ready: &Ready| end.is_none_or(|end| ready.at < end);
        let (i, follows) = self.first_following()?;
        match self.next.filter(|next| *next < follows) {
            Some(next) => in_time(&next).then(|| {
                self.tick();
                (next.at, next.exchange)
            }),
            None => in_time(&follows).then(|| {
                self.following.swap_remove(i);
                (follows.at, follows.exchange)
            }),
        }
    }

    /// The first of those that follow an end, and its place.
    fn first_following(&self) -> Option<(usize, Ready)> {
        match self.following[..] {
            [] => None,
            [only] => Some((0, only)),
            _ => (0..).zip(self.following.iter().copied()).min_by_key(|&(_, ready)| ready),
        }
    }

    /// Advances to the next request of the clock.
    fn tick(&mut self) {
        self.timed += 1;
        self.next = self.on_the_clock();
    }

    /// Schedules the request that follows `exchange`, which is over at `now`, in a closed loop.
    pub fn follow(&mut self, exchange: u32, now: Instant) {
        if let Some((gap, next)) = self.plan.follower(exchange) {
            let ready = self.ready(now + gap, next);
            self.following.push(ready);
        }
    }
}
