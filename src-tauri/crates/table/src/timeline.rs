//! Exchanges and copies of one behaviour, recorded or counterfactual, as lanes show them.
//! Both kinds share one type, so that they are drawn by the same rules.

pub(crate) mod density;
pub(crate) mod event;
pub(crate) mod index;
pub(crate) mod lanes;
pub(crate) mod level;
pub(crate) mod listing;
pub(crate) mod marks;
pub(crate) mod page;
pub mod rto;
pub(crate) mod tally;
pub(crate) mod telling;

use crate::columns::{FateKind, OutcomeKind};
use base::{AssociationId, Cancelled, ExchangeId, Instant, SharedProgress, Span};
use index::LaneIndex;
use marks::{CopyMark, ExchangeMark, TimerMark};
use replay::stats::quantile;
use replay::{StepKind, Steps, Support};
use std::collections::BTreeSet;
use trace::{Exchange, Fate, KnownTimers, OneOrMany, Outcome, Trace};

/// Exchanges of one behaviour, by association.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Lanes by number of the association; the exchanges of each sorted by start.
    pub lanes: Vec<Vec<ExchangeMark>>,
    /// Index of each lane.
    pub(crate) index: Vec<LaneIndex>,
}

/// Returns the 95th percentile of completion `times`, by the definition of [`replay::MetricName::DurationP95`]; `None`
/// without any.
#[must_use]
pub fn completion_p95(times: impl Iterator<Item = Span>) -> Option<Span> {
    let seconds: Vec<f64> = times.map(Span::secs_f64).collect();
    Span::from_secs_f64(quantile(&seconds, 0.95)?)
}

impl Timeline {
    /// Indexes the exchanges of each association, which must be sorted by start.
    #[must_use]
    pub fn new(mut lanes: Vec<Vec<ExchangeMark>>) -> Self {
        let index = lanes.iter_mut().map(index_lane).collect();
        Self { lanes, index }
    }

    /// Does the same as [`Timeline::new`], with one pass of `progress` for each lane; errs when it breaks.
    fn indexed(mut lanes: Vec<Vec<ExchangeMark>>, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let index =
            lanes.iter_mut().map(|lane| progress.pass().map(|()| index_lane(lane))).collect::<Result<_, _>>()?;
        Ok(Self { lanes, index })
    }

    /// Sets the timers of recorded copies that are known, on the recorded behaviour of `trace`.
    #[must_use]
    pub fn with_timers(mut self, trace: &Trace, timers: &KnownTimers) -> Self {
        for timer in timers.all() {
            let Some(exchange) = trace.exchanges.get(timer.exchange.index()) else { continue };
            let place = exchange.association.index();
            let (Some(lane), Some(index)) = (self.lanes.get_mut(place), self.index.get(place)) else { continue };
            let mark = index.place(lane, timer.exchange).and_then(|place| lane.get_mut(place));
            if let Some(copy) = mark.and_then(|mark| mark.copies.get_mut(usize::from(timer.copy))) {
                copy.timer = Some(TimerMark::known(timer));
            }
        }
        self
    }

    /// Returns the recorded behaviour, without timers ([`Timeline::with_timers`]), in [`Timeline::passes_recorded`]
    /// passes of `progress`.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` asks to stop.
    pub fn recorded(trace: &Trace, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let mut lanes: Vec<Vec<ExchangeMark>> =
            trace.associations.iter().map(|a| Vec::with_capacity(a.exchanges.len())).collect();
        for (index, exchange) in trace.exchanges.iter().enumerate() {
            progress.item(index)?;
            if let Some(lane) = lanes.get_mut(exchange.association.index()) {
                lane.push(mark(exchange));
            }
        }
        Self::indexed(lanes, progress)
    }

    /// Returns the number of passes of [`Timeline::recorded`].
    #[must_use]
    pub const fn passes_recorded(trace: &Trace) -> u64 {
        SharedProgress::items(trace.exchanges.len()) + trace.associations.len() as u64
    }

    /// Returns the number of passes of [`Timeline::of_steps`].
    #[must_use]
    pub fn passes_of_steps(steps: &Steps, lanes: usize) -> u64 {
        SharedProgress::items(steps.len()) + 2 * lanes as u64
    }

    /// Returns the behaviour of a run's first replicate, for a trace with `lanes` associations, in
    /// [`Timeline::passes_of_steps`] passes of `progress`.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` asks to stop.
    pub fn of_steps(steps: &Steps, lanes: usize, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let mut counts = vec![0; lanes];
        for (association, _) in steps.association.iter().zip(steps.begins()).filter(|&(_, begins)| begins) {
            if let Some(count) = counts.get_mut(association.index()) {
                *count += 1;
            }
        }
        let mut lanes: Vec<Vec<ExchangeMark>> = counts.into_iter().map(Vec::with_capacity).collect();
        let exchanges = steps.exchange.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut places = vec![usize::MAX; exchanges];
        for index in 0..steps.len() {
            progress.item(index)?;
            step(&mut lanes, &mut places, steps, index);
        }
        for lane in &mut lanes {
            progress.pass()?;
            lane.sort_unstable_by_key(|e| (e.start(), e.exchange));
        }
        Self::indexed(lanes, progress)
    }

    /// Returns the memory that it takes, octets. Looks at every exchange.
    #[must_use]
    pub fn octets(&self) -> usize {
        /// Octets of a list outside of its mark: a list of several has an allocation of its own.
        fn beside<T>(list: &[T]) -> usize {
            if list.len() < 2 { 0 } else { size_of::<Vec<T>>() + size_of_val(list) }
        }
        let marks = self.lanes.iter().map(|lane| lane.capacity() * size_of::<ExchangeMark>()).sum::<usize>();
        let lists = self.exchanges().map(|mark| beside(&mark.copies) + beside(&mark.late)).sum::<usize>();
        marks + lists + self.index.iter().map(LaneIndex::octets).sum::<usize>()
    }

    /// Returns the exchanges that began at `from` or later.
    #[must_use]
    pub fn since(&self, from: Instant) -> Self {
        let later = |lane: &Vec<ExchangeMark>| lane.iter().filter(|mark| mark.start() >= from).cloned().collect();
        Self::new(self.lanes.iter().map(later).collect())
    }

    /// Returns every exchange, lane by lane.
    pub fn exchanges(&self) -> impl Iterator<Item = &ExchangeMark> {
        self.lanes.iter().flatten()
    }

    /// Returns exchange `id` of association `association`; `None` where it did not begin.
    #[must_use]
    pub fn find(&self, association: AssociationId, id: ExchangeId) -> Option<&ExchangeMark> {
        let place = association.index();
        self.index.get(place)?.find(self.lanes.get(place)?, id)
    }

    /// Returns the 95th percentile of the completion times of association `association`; `None` where nothing was
    /// answered.
    #[must_use]
    pub fn completion_p95(&self, association: AssociationId) -> Option<Span> {
        let lane = self.lanes.get(association.index()).map(Vec::as_slice).unwrap_or_default();
        completion_p95(lane.iter().filter_map(|mark| Some(mark.end? - mark.start())))
    }

    /// Returns the mean and the 95th percentile of the completion times of several associations together; `None` where
    /// nothing was answered.
    #[must_use]
    pub fn completion(&self, associations: &BTreeSet<AssociationId>) -> Option<(Span, Span)> {
        let lanes = associations.iter().filter_map(|id| self.lanes.get(id.index()));
        let times: Vec<Span> = lanes.flatten().filter_map(|mark| Some(mark.end? - mark.start())).collect();
        let sum: i128 = times.iter().map(|time| i128::from(time.nanos())).sum();
        let mean = i64::try_from(sum.checked_div(times.len() as i128)?).ok()?;
        Some((Span::from_nanos(mean), completion_p95(times.into_iter())?))
    }

    /// Counts copies of association `association`: all of them, and the needless ones.
    #[must_use]
    pub fn needless(&self, association: AssociationId) -> (u32, u32) {
        self.index.get(association.index()).map_or((0, 0), LaneIndex::needless)
    }
}

/// Indexes one lane and releases its spare memory.
fn index_lane(lane: &mut Vec<ExchangeMark>) -> LaneIndex {
    lane.shrink_to_fit();
    LaneIndex::of(lane)
}

/// Adds step `index` to the marks so far; `places` has the position of each exchange in its lane, by number.
fn step(lanes: &mut [Vec<ExchangeMark>], places: &mut [usize], steps: &Steps, index: usize) {
    let (Some(&at), Some(&association), Some(&exchange), Some(&attempt), Some(&kind)) = (
        steps.at.get(index),
        steps.association.get(index),
        steps.exchange.get(index),
        steps.attempt.get(index),
        steps.kind.get(index),
    ) else {
        return;
    };
    let (Some(lane), Some(place)) = (lanes.get_mut(association.index()), places.get_mut(exchange.index())) else {
        return;
    };
    let Some(mark) = lane.get_mut(*place) else {
        if kind == StepKind::Transmit {
            *place = lane.len();
            lane.push(ExchangeMark {
                exchange,
                association,
                copies: OneOrMany::one(copy_of(steps, index, at)),
                end: None,
                late: OneOrMany::new(),
                outcome: OutcomeKind::Open,
            });
        }
        return;
    };
    match kind {
        StepKind::Transmit => mark.copies.push(copy_of(steps, index, at)),
        StepKind::Timeout => {}
        StepKind::Reply | StepKind::LateReply => {
            if let Some(copy) = mark.copies.get_mut(usize::from(attempt)) {
                copy.fate = FateKind::Answered;
                copy.rtt = steps.rtt(index).or(Some(at - copy.sent));
            }
            if kind == StepKind::Reply {
                mark.end = Some(at);
                mark.outcome = OutcomeKind::Acked;
            } else {
                mark.late.push(at);
            }
        }
        StepKind::GiveUp => mark.outcome = OutcomeKind::Abandoned,
    }
}

/// Creates the mark of a sent copy: lost until a reply to it comes.
fn copy_of(steps: &Steps, index: usize, sent: Instant) -> CopyMark {
    CopyMark {
        sent,
        arrived: None,
        timer: steps.rto.get(index).copied().flatten().map(TimerMark::armed),
        fate: FateKind::Lost,
        rtt: None,
        needless: steps.needless.get(index).copied().unwrap_or(false),
        supported: steps.support.get(index).copied().flatten() == Some(Support::Recorded),
    }
}

/// Kind of a recorded fate, for columns.
#[must_use]
pub const fn fate(fate: Fate) -> FateKind {
    match fate {
        Fate::Answered { .. } => FateKind::Answered,
        Fate::RequestLost => FateKind::RequestLost,
        Fate::ReplyLost => FateKind::ReplyLost,
        Fate::Lost => FateKind::Lost,
        Fate::Unknown => FateKind::Unknown,
    }
}

/// Kind of a recorded outcome, for columns.
#[must_use]
pub const fn outcome(outcome: Outcome) -> OutcomeKind {
    match outcome {
        Outcome::Acked => OutcomeKind::Acked,
        Outcome::Separate => OutcomeKind::Separate,
        Outcome::Reset => OutcomeKind::Reset,
        Outcome::Abandoned => OutcomeKind::Abandoned,
        Outcome::Open => OutcomeKind::Open,
    }
}

/// Returns whether copy `index` of a recorded exchange was sent although an earlier one was answered.
#[must_use]
pub fn needless(exchange: &Exchange, index: usize) -> bool {
    exchange.copies.iter().take(index).any(|copy| matches!(copy.fate, Fate::Answered { .. }))
}

fn mark(exchange: &Exchange) -> ExchangeMark {
    let copies = exchange
        .copies
        .iter()
        .enumerate()
        .map(|(index, copy)| {
            let rtt = match copy.fate {
                Fate::Answered { rtt } => Some(rtt),
                _ => None,
            };
            CopyMark {
                sent: copy.sent,
                arrived: copy.arrived,
                timer: None,
                fate: fate(copy.fate),
                rtt,
                needless: needless(exchange, index),
                supported: true,
            }
        })
        .collect();
    ExchangeMark {
        exchange: exchange.id,
        association: exchange.association,
        copies,
        end: exchange.end,
        late: exchange.replies.iter().filter(|r| !r.closing).filter_map(|r| r.arrived).collect(),
        outcome: outcome(exchange.outcome),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allocation_counter::measure;
    use base::Span;

    #[test]
    fn octets_are_those_that_a_copy_of_it_allocates() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let copy = |ms| CopyMark {
            sent: at(ms),
            arrived: None,
            timer: None,
            fate: FateKind::Answered,
            rtt: None,
            needless: ms % 2 == 1,
            supported: true,
        };
        let mark = |index: usize| {
            let start = 10 * index as i64;
            ExchangeMark {
                exchange: ExchangeId::at(index),
                association: AssociationId(0),
                copies: (0..1 + index as i64 % 4).map(|copied| copy(start + copied)).collect(),
                end: None,
                late: (0..index as i64 % 3).map(|late| at(start + late)).collect(),
                outcome: OutcomeKind::Acked,
            }
        };
        let timeline =
            Timeline::new(vec![(0..1_000).map(mark).collect(), Vec::new(), (0..77).rev().map(mark).collect()]);
        let said = timeline.octets();
        let mut again = None;
        let allocated = measure(|| again = Some(timeline.clone())).bytes_current;
        assert_eq!(again.as_ref(), Some(&timeline));
        let lists = 2 * size_of::<Vec<ExchangeMark>>().max(size_of::<LaneIndex>()) * timeline.lanes.len();
        assert!(allocated.unsigned_abs() as usize - said <= lists, "{allocated} allocated, {said} said");
    }
}
