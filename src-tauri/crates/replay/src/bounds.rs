//! Partial identification: what the record alone says about a scenario, without a model of the weather.
//!
//! # What the bounds claim
//!
//! Take every world that agrees with the record: a copy within the tolerance of a recorded copy of known
//! fate meets that fate; any other copy is lost, or answered after a round trip within the path's
//! *plausible range* (the shortest to the longest round trip recorded on it, of the whole trace where the
//! path has fewer than eight) and no earlier than the evidence allows (no reply was seen before the one
//! that closed the exchange). Take every draw of the dither. Then each measure lies between `best` and
//! `worst`.
//!
//! # How
//!
//! Interval analysis, exchange by exchange. From the interval of its start and the intervals of its
//! timeouts follow intervals for the times of its copies, from these the fates that are determined, and
//! from those every possible ending: after how many copies, which copy was the first to be answered, when.
//! Ends bound later starts (NSTART, think times). The measures are then optimised over one possible
//! ending per exchange, exactly where the measure is a ratio of sums, a mean or a quantile.
//!
//! Every step is inclusion-isotonic: wider inputs give wider outputs. Making a fate unknown widens its
//! set of possible fates, so it can only widen the bounds, for a given plausible range: *monotone
//! evidence* holds by construction.
//!
//! # What is known of the timers
//!
//! The one input that is not an interval is the estimator; module `timers` encloses what it may arm. For an
//! algorithm that does not learn (default CoAP) that is the range of its dither. One that learns is driven
//! exactly while everything it has met is determined; from the first thing on that is not, its bounds are those
//! of *any* timer: copies at any time, as many as MAX_RETRANSMIT allows. Nothing is searched for or assumed, so
//! the bounds are proved for every algorithm, and those of one that learns are often too wide to tell
//! algorithms apart: that needs a model of the weather. The claim ends where its premise does: a round trip
//! outside the plausible range, which another algorithm may well meet at other times, can put the truth outside.
//!
//! Dependence between exchanges is ignored, which loses width, never truth. In a closed loop the first
//! undetermined exchange shifts all later ones away from the recorded copies: the bounds become wide, and
//! rightly so. There are no bounds for `w` and `b`, none when requests of a closed loop would have to
//! queue (an NSTART below the recorded one), because their order is then not determined, and none where
//! starts depend on more than NSTART: with a pacer, or a policy that forgets, probes, limits all servers
//! together or has a blind rule of its own. None under load either: there recorded fates are not those of every world.

mod aggregate;
mod endings;
mod timers;

use crate::metrics::MetricName;
use crate::model::{AssociationRecord, Index, Outcome, Path, Plan, Record, Trigger};
use crate::scenario::Setup;
use aggregate::{Ensemble, Entry};
use base::{Cancelled, Instant, SharedProgress, Span};
use endings::{Room, Sender, endings, recorded_endings};
use rayon::prelude::*;
use timers::Timers;

/// Least and greatest value per measure; `None` where there is no bound.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Ranges([Option<(f64, f64)>; MetricName::COUNT]);

impl Ranges {
    pub const fn get(&self, name: MetricName) -> Option<(f64, f64)> {
        self.0[name as usize]
    }

    fn set(&mut self, name: MetricName, range: Option<(f64, f64)>) {
        self.0[name as usize] = range.filter(|(lo, hi)| lo.is_finite() && hi.is_finite());
    }
}

/// Ranges overall and per association.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Bounded {
    pub overall: Ranges,
    pub associations: Vec<Ranges>,
}

/// A closed interval of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range<T> {
    lo: T,
    hi: T,
}

/// The bounds of a scenario; passes once an association.
pub(crate) fn bound(
    record: &Record,
    index: &Index,
    setup: &Setup,
    watch: &SharedProgress<'_>,
) -> Result<Bounded, Cancelled> {
    let parts: Vec<(Option<Ensemble>, Ranges)> = record
        .associations()
        .par_iter()
        .zip(&setup.plans)
        .zip(index.paths.par_iter().enumerate())
        .map(|((association, plan), (path, known))| {
            let mut ensemble = if setup.is_pinned(path as u32) {
                Some(as_it_was(association, plan))
            } else {
                counterfactual(association, plan, known, setup, path as u32)
            };
            let ranges = ensemble.as_mut().map_or_else(Ranges::default, Ensemble::ranges);
            watch.pass().map(|()| (ensemble, ranges))
        })
        .collect::<Result<_, _>>()?;
    let associations = parts.iter().map(|p| p.1).collect();
    let mut all = Some(Ensemble::default());
    for (ensemble, _) in parts {
        all = all.zip(ensemble).map(|(mut all, ensemble)| {
            all.append(ensemble);
            all
        });
    }
    Ok(Bounded { overall: all.as_mut().map_or_else(Ranges::default, Ensemble::ranges), associations })
}

/// What happened: only which copies were answered may be unknown.
fn as_it_was(association: &AssociationRecord, plan: &Plan) -> Ensemble {
    let mut ensemble = Ensemble::default();
    for (e, over) in association.exchanges.iter().zip(&plan.over) {
        let start = e.start();
        let end = over.filter(|_| e.outcome != Outcome::Open);
        ensemble.add(&Entry {
            start: Range { lo: start, hi: start },
            optional: false,
            payload: e.payload,
            endings: &recorded_endings(e, end.map(|end| end - start)),
        });
    }
    ensemble
}

fn counterfactual(
    association: &AssociationRecord,
    plan: &Plan,
    path: &Path,
    setup: &Setup,
    number: u32,
) -> Option<Ensemble> {
    let prototype = setup.prototype(number)?;
    if prototype.paced || !setup.policy.is_plain() {
        return None;
    }
    let nstart = setup.policy.nstart.map_or(plan.nstart, |n| u32::from(n.max(1)));
    if plan.looped && nstart < plan.nstart {
        return None;
    }
    let limit = setup.policy.application.limit(association).map_or(u64::MAX, u64::from);
    let sender = Sender {
        path,
        tolerance: setup.channel.tolerance(),
        last: setup.policy.max_retransmit,
        lifetime: setup.policy.exchange_lifetime,
        waits_after_last: prototype.waits_after_last,
    };
    let mut timers = Timers::new(prototype, &sender);
    let n = association.exchanges.len();
    let mut ensemble = Ensemble::default();
    let mut ends: Vec<Range<Instant>> = vec![Range { lo: Instant::MIN, hi: Instant::MIN }; n];
    let mut follows: Vec<Option<u32>> = vec![None; n];
    for (next, i) in plan.next.iter().zip(0_u32..) {
        if let Some(slot) = follows.get_mut(*next as usize) {
            *slot = Some(i);
        }
    }
    let mut places = Places { lo: Vec::new(), hi: Vec::new(), nstart: nstart as usize };
    // The latest end so far after each.
    let mut earlier: Vec<Instant> = Vec::with_capacity(n);
    let (mut timeouts, mut room) = (Timeouts::new(), Room::default());
    // A loop's exchanges follow lower numbers; arrivals are served in order of readiness.
    let order: Vec<u32> = if plan.looped { (0..n as u32).collect() } else { plan.timed.clone() };
    for i in order {
        let at = i as usize;
        let ready = match *plan.triggers.get(at)? {
            Trigger::At(at) => Range { lo: at, hi: at },
            Trigger::After(gap) => {
                let end = *ends.get((*follows.get(at)?)? as usize)?;
                Range { lo: end.lo + gap, hi: end.hi + gap }
            }
        };
        let free = if plan.looped { Range { lo: Instant::MIN, hi: Instant::MIN } } else { places.free() };
        let start = Range { lo: ready.lo.max(free.lo), hi: ready.hi.max(free.hi) };
        // Whether so many may be waiting that this one is dropped.
        let optional = free.hi > ready.lo && limit < n as u64 && {
            let waiting = earlier.len() - earlier.partition_point(|&end| end <= ready.lo);
            waiting as u64 >= u64::from(nstart).saturating_add(limit)
        };
        let alone = free.hi <= ready.lo && earlier.last().is_none_or(|&end| end <= start.lo);
        if start.lo != start.hi || optional || !(nstart == 1 || alone) {
            timers.doubt();
        }
        timers.arm(start.lo, &mut timeouts);
        let possible = endings(&sender, i, start, &timeouts, &mut room);
        timers.learn(start.lo, &timeouts, possible);
        let mut end = possible.iter().fold(Range { lo: Instant::MAX, hi: Instant::MIN }, |r, e| Range {
            lo: r.lo.min(start.lo + e.duration.lo),
            hi: r.hi.max(start.hi + e.duration.hi),
        });
        if optional {
            end.lo = end.lo.min(ready.lo);
        }
        places.take(end);
        earlier.push(end.hi.max(earlier.last().copied().unwrap_or(Instant::MIN)));
        if let (Some(slot), Some(e)) = (ends.get_mut(at), association.exchanges.get(at)) {
            ensemble.add(&Entry { start, optional, payload: e.payload, endings: possible });
            *slot = end;
        }
    }
    Some(ensemble)
}

/// When a place becomes free, with `nstart` places taken first come first served: at the `nstart`-th
/// latest end among the exchanges before. Monotone in every end, so both edges can be worked out alone.
struct Places {
    /// The `nstart` latest lower and upper ends so far, descending.
    lo: Vec<Instant>,
    hi: Vec<Instant>,
    nstart: usize,
}

impl Places {
    fn free(&self) -> Range<Instant> {
        let nth = |ends: &[Instant]| ends.get(self.nstart - 1).copied().unwrap_or(Instant::MIN);
        Range { lo: nth(&self.lo), hi: nth(&self.hi) }
    }

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

/// Timeouts per attempt, as intervals.
type Timeouts = Vec<Range<Span>>;
