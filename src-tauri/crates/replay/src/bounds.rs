//! Partial identification: bounds of every metric that the record alone implies, without a model of the channel
//! (Manski, Partial Identification of Probability Distributions, 2003).
//!
//! # Claim
//!
//! Consider every world that agrees with the record. There, a copy within the tolerance of a recorded copy of known
//! fate has that fate. Any other copy is lost, or answered after a round trip within the path's *plausible range* and
//! no earlier than the evidence allows (no reply was seen before the one that closed the exchange). The plausible range
//! is from the shortest to the longest recorded round trip of the path, or of the whole trace where the path has fewer
//! than eight. Consider every dither. Then each metric lies between `best` and `worst`.
//!
//! # Method
//!
//! Interval analysis (Moore, Interval Analysis, 1966), exchange by exchange. The interval of the start and those of the
//! timeouts imply intervals for the times of the copies. These imply which fates are determined, and so every possible
//! ending: after how many copies, which copy was answered first, when. Ends bound later starts (NSTART, think times).
//! Each metric is then optimised over one possible ending per exchange: exactly where it is a ratio of sums, a mean or
//! a quantile.
//!
//! Every step is inclusion-isotonic: wider inputs give wider outputs. An unknown fate has a larger set of possible
//! fates, so less evidence never narrows the bounds, for a given plausible range (*monotone evidence*).
//!
//! # Timers
//!
//! The estimator is the one input that is not an interval; module `timers` encloses its timeouts. For an algorithm that
//! does not learn (default CoAP) the enclosure is the range of its dither. One that learns is driven exactly while
//! every event it has met is determined. From then on its bounds are those of *any* timer: copies at any time, as many
//! as MAX_RETRANSMIT allows. So the bounds are proved for every algorithm, and for one that learns they are often too
//! wide to rank algorithms, which takes a model of the channel. A round trip outside the plausible range, which another
//! algorithm may meet at other times, can put the truth outside the bounds.
//!
//! # Limits
//!
//! Dependence between exchanges is ignored, which widens the bounds. In a closed loop the first undetermined exchange
//! shifts all later ones away from the recorded copies, so the bounds become wide.
//!
//! There are no bounds for `w`, `t`, `idle_wait` and `rto_over_rtt`, which need the timeouts that a timer arms and not
//! only when they expire; nor for `overload`, because fates do not say where a copy was lost. There are none where
//! requests of a closed loop would have to queue (an NSTART below the recorded one), because their order is not
//! determined. There are none where starts depend on more than NSTART: with a pacer, or a policy that forgets, probes,
//! limits all servers together or has a blind rule of its own. There are none under load, where recorded fates do not
//! hold in every world.

mod aggregate;
mod durations;
mod elapsed;
mod endings;
mod entry;
mod ratio;
mod starts;
mod timers;

use crate::metrics::MetricName;
use crate::model::{AssociationRecord, Index, Outcome, Path, Record, WorkloadPlan};
use crate::scenario::Setup;
use aggregate::Ensemble;
use base::{Cancelled, Instant, SharedProgress, Span};
use endings::{Scratch, Sender, endings, recorded_endings};
use entry::Entry;
use rayon::prelude::*;
use starts::{Start, Starts};
use timers::Timers;

/// Least and greatest value of each metric, in its unit; `None` where no bound is claimed or one would not be finite.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Ranges([Option<(f64, f64)>; MetricName::COUNT]);

impl Ranges {
    /// Returns the least and the greatest value of `name`, in its unit; `None` where no bound is claimed.
    pub const fn get(&self, name: MetricName) -> Option<(f64, f64)> {
        self.0[name as usize]
    }

    fn set(&mut self, name: MetricName, range: Option<(f64, f64)>) {
        self.0[name as usize] = range.filter(|(lo, hi)| lo.is_finite() && hi.is_finite());
    }
}

/// Ranges of the metrics over all associations together, and of each alone.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Bounded {
    /// Ranges over all exchanges; no bound where an association has none.
    pub overall: Ranges,
    /// Ranges of each association, in the order of the record.
    pub associations: Vec<Ranges>,
}

/// A closed interval of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range<T> {
    lo: T,
    hi: T,
}

/// Computes the bounds of a scenario, association by association on all threads. Reports one step of progress per
/// association; errs when cancelled.
pub(crate) fn bound(
    record: &Record,
    index: &Index,
    setup: &Setup,
    progress: &SharedProgress<'_>,
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
            progress.pass().map(|()| (ensemble, ranges))
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

/// The exchanges of an association as recorded; only which copies were answered may be unknown.
fn as_it_was(association: &AssociationRecord, plan: &WorkloadPlan) -> Ensemble {
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

/// The possible outcomes of the exchanges of an association under another sender; `None` where bounds are not claimed.
fn counterfactual(
    association: &AssociationRecord,
    plan: &WorkloadPlan,
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
    let mut starts = Starts::new(plan, n, nstart, limit);
    let mut ensemble = Ensemble::default();
    let (mut timeouts, mut scratch) = (Timeouts::new(), Scratch::default());
    // The exchanges of a closed loop follow lower numbers; arrivals are served in order of readiness.
    let order: Vec<u32> = if plan.looped { (0..n as u32).collect() } else { plan.timed.clone() };
    for i in order {
        let Start { ready, start, optional, alone } = starts.of(i)?;
        if start.lo != start.hi || optional || !(nstart == 1 || alone) {
            timers.lose_track();
        }
        timers.arm(start.lo, &mut timeouts);
        let possible = endings(&sender, i, start, &timeouts, &mut scratch);
        timers.learn(start.lo, &timeouts, possible);
        let mut end = possible.iter().fold(Range { lo: Instant::MAX, hi: Instant::MIN }, |r, e| Range {
            lo: r.lo.min(start.lo + e.duration.lo),
            hi: r.hi.max(start.hi + e.duration.hi),
        });
        if optional {
            end.lo = end.lo.min(ready.lo);
        }
        if let Some(e) = association.exchanges.get(i as usize) {
            ensemble.add(&Entry { start, optional, payload: e.payload, endings: possible });
        }
        starts.ended(i, end);
    }
    Some(ensemble)
}

/// Enclosure of the timeout of each copy, the original first.
type Timeouts = Vec<Range<Span>>;
