//! What the lanes show of one behaviour, recorded or counterfactual: exchanges and their copies.
//! One type for both, so that they are drawn by the same rules.

use crate::columns::{FateKind, OutcomeKind};
use crate::index::LaneIndex;
use base::{AssociationId, Cancelled, ExchangeId, Instant, SharedProgress, Silent, Span};
use replay::{StepKind, Steps, Support};
use trace::{Exchange, Fate, OneOrMany, Outcome, Trace};

/// One copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyMark {
    /// When it was sent.
    pub sent: Instant,
    /// When the server had it, if known.
    pub arrived: Option<Instant>,
    /// Timer armed with it, if known.
    pub timer: Option<Span>,
    /// What became of it.
    pub fate: FateKind,
    /// From it to its reply.
    pub rtt: Option<Span>,
    /// A copy sent before it was answered anyway.
    pub needless: bool,
    /// The fate was recorded, not modelled.
    pub supported: bool,
}

/// One exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeMark {
    /// Which.
    pub exchange: ExchangeId,
    /// Its lane.
    pub association: AssociationId,
    /// Copies in time order. Never empty.
    pub copies: OneOrMany<CopyMark>,
    /// When the closing reply arrived.
    pub end: Option<Instant>,
    /// Replies that arrived after the end.
    pub late: OneOrMany<Instant>,
    /// How it ended.
    pub outcome: OutcomeKind,
}

impl ExchangeMark {
    /// First copy.
    #[must_use]
    pub fn start(&self) -> Instant {
        self.copies.first().map_or(Instant::ZERO, |c| c.sent)
    }

    /// When nothing of it is drawn any more.
    #[must_use]
    pub fn close(&self) -> Instant {
        self.end.or_else(|| self.copies.last().map(|c| c.sent)).unwrap_or_else(|| self.start())
    }

    /// The last of its marks: late replies come after it is closed, and so may copies that were under way in the client.
    #[must_use]
    pub(crate) fn last(&self) -> Instant {
        self.late.iter().copied().chain(self.copies.iter().map(|copy| copy.sent)).fold(self.close(), Instant::max)
    }
}

/// All exchanges of one behaviour, in order of start within each association.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Per association, in its order.
    pub lanes: Vec<Vec<ExchangeMark>>,
    /// Where to look in each of them.
    pub(crate) index: Vec<LaneIndex>,
}

impl Timeline {
    /// Exchanges per association, in order of start.
    #[must_use]
    pub fn new(lanes: Vec<Vec<ExchangeMark>>) -> Self {
        silently(|watch| Self::watched(lanes, watch))
    }

    /// [`Timeline::new`], which passes once a lane.
    fn watched(mut lanes: Vec<Vec<ExchangeMark>>, watch: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let index = |lane: &mut Vec<ExchangeMark>| {
            watch.pass()?;
            lane.shrink_to_fit();
            Ok(LaneIndex::of(lane))
        };
        let index = lanes.iter_mut().map(index).collect::<Result<_, _>>()?;
        Ok(Self { lanes, index })
    }

    /// What was recorded.
    #[must_use]
    pub fn recorded(trace: &Trace) -> Self {
        silently(|watch| Self::recorded_watched(trace, watch))
    }

    /// [`Timeline::recorded`], which passes [`Timeline::passes_recorded`] times.
    ///
    /// # Errors
    /// [`Cancelled`] when `watch` says so.
    pub fn recorded_watched(trace: &Trace, watch: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let mut lanes: Vec<Vec<ExchangeMark>> =
            trace.associations.iter().map(|a| Vec::with_capacity(a.exchanges.len())).collect();
        for (index, exchange) in trace.exchanges.iter().enumerate() {
            watch.item(index)?;
            if let Some(lane) = lanes.get_mut(exchange.association.index()) {
                lane.push(mark(exchange));
            }
        }
        Self::watched(lanes, watch)
    }

    /// How often [`Timeline::recorded_watched`] passes.
    #[must_use]
    pub const fn passes_recorded(trace: &Trace) -> u64 {
        SharedProgress::items(trace.exchanges.len()) + trace.associations.len() as u64
    }

    /// What a run's first replicate did, for a trace with `lanes` associations.
    #[must_use]
    pub fn of_steps(steps: &Steps, lanes: usize) -> Self {
        silently(|watch| Self::of_steps_watched(steps, lanes, watch))
    }

    /// How often [`Timeline::of_steps_watched`] passes.
    #[must_use]
    pub fn passes_of_steps(steps: &Steps, lanes: usize) -> u64 {
        SharedProgress::items(steps.len()) + 2 * lanes as u64
    }

    /// [`Timeline::of_steps`], which passes [`Timeline::passes_of_steps`] times.
    ///
    /// # Errors
    /// [`Cancelled`] when `watch` says so.
    pub fn of_steps_watched(steps: &Steps, lanes: usize, watch: &SharedProgress<'_>) -> Result<Self, Cancelled> {
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
            watch.item(index)?;
            step(&mut lanes, &mut places, steps, index);
        }
        for lane in &mut lanes {
            watch.pass()?;
            lane.sort_unstable_by_key(|e| (e.start(), e.exchange));
        }
        Self::watched(lanes, watch)
    }

    /// Octets of memory that it takes. Looks at every exchange.
    #[must_use]
    pub fn octets(&self) -> usize {
        /// A list of several has a box of its own, with a header.
        fn beside<T>(list: &[T]) -> usize {
            if list.len() < 2 { 0 } else { size_of::<Vec<T>>() + size_of_val(list) }
        }
        let marks = self.lanes.iter().map(|lane| lane.capacity() * size_of::<ExchangeMark>()).sum::<usize>();
        let lists = self.exchanges().map(|mark| beside(&mark.copies) + beside(&mark.late)).sum::<usize>();
        marks + lists + self.index.iter().map(LaneIndex::octets).sum::<usize>()
    }

    /// The exchanges that began at `from` or later.
    #[must_use]
    pub fn since(&self, from: Instant) -> Self {
        let later = |lane: &Vec<ExchangeMark>| lane.iter().filter(|mark| mark.start() >= from).cloned().collect();
        Self::new(self.lanes.iter().map(later).collect())
    }

    /// Every exchange.
    pub fn exchanges(&self) -> impl Iterator<Item = &ExchangeMark> {
        self.lanes.iter().flatten()
    }

    /// Exchange `id` of association `association`.
    #[must_use]
    pub fn find(&self, association: AssociationId, id: ExchangeId) -> Option<&ExchangeMark> {
        let place = association.index();
        self.index.get(place)?.find(self.lanes.get(place)?, id)
    }

    /// Copies and needless copies of association `association`.
    #[must_use]
    pub fn needless(&self, association: AssociationId) -> (u32, u32) {
        self.index.get(association.index()).map_or((0, 0), LaneIndex::needless)
    }
}

/// What `make` makes, which nobody stops.
fn silently<T>(make: impl FnOnce(&SharedProgress<'_>) -> Result<T, Cancelled>) -> T {
    let made = make(&SharedProgress::new(&mut Silent, 0));
    made.unwrap_or_else(|Cancelled| unreachable!("silence asks nobody to stop"))
}

/// Add step `index` to the marks so far; `places` says where in its lane each exchange is.
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

/// A copy as it goes out: lost until a reply to it comes.
fn copy_of(steps: &Steps, index: usize, sent: Instant) -> CopyMark {
    CopyMark {
        sent,
        arrived: None,
        timer: steps.rto.get(index).copied().flatten(),
        fate: FateKind::Lost,
        rtt: None,
        needless: steps.needless.get(index).copied().unwrap_or(false),
        supported: steps.support.get(index).copied().flatten() == Some(Support::Recorded),
    }
}

/// The number of a recorded fate.
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

/// The number of a recorded outcome.
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

/// Whether copy `index` of a recorded exchange was sent though an earlier one was answered.
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
                timer: exchange.copies.get(index + 1).map(|next| next.sent - copy.sent),
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
