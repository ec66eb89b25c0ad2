//! The possible starts of an association's exchanges, from the possible ends of those before.

use super::Range;
use crate::model::{Trigger, WorkloadPlan};
use base::Instant;

/// Possible start of one exchange.
pub(super) struct Start {
    /// Time at which the application is ready to send it.
    pub ready: Range<Instant>,
    /// Time of the first copy: readiness, or a free NSTART slot where that is later.
    pub start: Range<Instant>,
    /// Whether so many exchanges may be waiting that the application drops this one.
    pub optional: bool,
    /// Whether every earlier exchange has surely ended before this one starts.
    pub alone: bool,
}

/// Possible starts of an association's exchanges, asked for in the order in which they are served.
pub(super) struct Starts<'a> {
    plan: &'a WorkloadPlan,
    nstart: u32,
    /// Greatest number of requests that the application lets wait.
    limit: u64,
    /// The possible end of each exchange, by its number.
    ends: Vec<Range<Instant>>,
    /// The exchange that each one follows in a closed loop.
    follows: Vec<Option<u32>>,
    slots: Slots,
    /// The latest possible end so far, after each exchange in their order.
    latest_ends: Vec<Instant>,
}

impl<'a> Starts<'a> {
    /// Starts of the `n` exchanges of `plan`; `limit` is the greatest number of requests that wait for one of `nstart`
    /// slots.
    pub fn new(plan: &'a WorkloadPlan, n: usize, nstart: u32, limit: u64) -> Self {
        let mut follows: Vec<Option<u32>> = vec![None; n];
        for (next, i) in plan.next.iter().zip(0_u32..) {
            if let Some(follows) = follows.get_mut(*next as usize) {
                *follows = Some(i);
            }
        }
        Self {
            plan,
            nstart,
            limit,
            ends: vec![Range { lo: Instant::MIN, hi: Instant::MIN }; n],
            follows,
            slots: Slots { lo: Vec::new(), hi: Vec::new(), nstart: nstart as usize },
            latest_ends: Vec::with_capacity(n),
        }
    }

    /// Possible start of exchange `i`; `None` for one that the plan does not have, or whose predecessor in a closed
    /// loop is unknown.
    pub fn of(&self, i: u32) -> Option<Start> {
        let at = i as usize;
        let ready = match *self.plan.triggers.get(at)? {
            Trigger::At(at) => Range { lo: at, hi: at },
            Trigger::After(gap) => {
                let end = *self.ends.get((*self.follows.get(at)?)? as usize)?;
                Range { lo: end.lo + gap, hi: end.hi + gap }
            }
        };
        let always = Range { lo: Instant::MIN, hi: Instant::MIN };
        let free = if self.plan.looped { always } else { self.slots.free() };
        let start = Range { lo: ready.lo.max(free.lo), hi: ready.hi.max(free.hi) };
        let optional = free.hi > ready.lo && self.limit < self.ends.len() as u64 && {
            let waiting = self.latest_ends.len() - self.latest_ends.partition_point(|&end| end <= ready.lo);
            waiting as u64 >= u64::from(self.nstart).saturating_add(self.limit)
        };
        let alone = free.hi <= ready.lo && self.latest_ends.last().is_none_or(|&end| end <= start.lo);
        Some(Start { ready, start, optional, alone })
    }

    /// Records the possible end of exchange `i`: it frees a slot, and in a closed loop triggers the next exchange.
    pub fn ended(&mut self, i: u32, end: Range<Instant>) {
        self.slots.take(end);
        self.latest_ends.push(end.hi.max(self.latest_ends.last().copied().unwrap_or(Instant::MIN)));
        if let Some(own) = self.ends.get_mut(i as usize) {
            *own = end;
        }
    }
}

/// The NSTART slots of a client (RFC 7252 §4.7), served first come, first served. A slot is free at the `nstart`-th
/// latest end of the exchanges before. That is monotone in every end, so both edges follow separately.
struct Slots {
    /// The `nstart` latest lower and upper ends so far, descending.
    lo: Vec<Instant>,
    hi: Vec<Instant>,
    nstart: usize,
}

impl Slots {
    /// The time at which a slot is free.
    fn free(&self) -> Range<Instant> {
        let nth = |ends: &[Instant]| ends.get(self.nstart - 1).copied().unwrap_or(Instant::MIN);
        Range { lo: nth(&self.lo), hi: nth(&self.hi) }
    }

    /// Takes a slot until `end`.
    fn take(&mut self, end: Range<Instant>) {
        let insert = |ends: &mut Vec<Instant>, end: Instant| {
            let at = ends.partition_point(|&e| e >= end);
            ends.insert(at, end);
            ends.truncate(self.nstart);
        };
        insert(&mut self.lo, end.lo);
        insert(&mut self.hi, end.hi);
    }
}
