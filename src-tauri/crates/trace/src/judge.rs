//! Judging exchanges: what the capture could see, how each exchange ended, which reply answers which copy, and when
//! applications send.
//!
//! Three passes over all exchanges, with what is known of each association beside them. The exchanges of one
//! association lie far apart in a long capture: one association after the other would mostly wait for memory.

pub(crate) mod ambiguity;
mod outcome;
mod queueing;
mod reply_matching;
mod vantage;
mod workload;

use crate::decode::link::Lacks;
use crate::model::{Association, Assumptions, Exchange, Head, Message, message_at};
use base::{Cancelled, Instant, SharedProgress, Span};
use outcome::{arrive, close, given_up, head, partial, shift, weaken};
use queueing::Queueing;
use reply_matching::{ReplyMatcher, Samples};
use vantage::{PerHop, Sight, Survey};
use workload::{Gaps, settle_backlogs};

/// Facts that all associations of a capture share in judgement.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// First and last time stamp of the capture.
    pub window: (Instant, Instant),
    /// Counts from which the frames that the capture lacks are estimated.
    pub lacks: Lacks,
    /// Intervals in which a sniffer lost frames, disjoint and in order, see [`crate::model::Capture::drops`].
    pub blind: Vec<(Instant, Instant)>,
}

impl Scope {
    /// Returns whether a sniffer lost frames between these moments.
    fn is_blind(&self, from: Instant, until: Instant) -> bool {
        let next = self.blind.partition_point(|&(_, end)| end <= from);
        self.blind.get(next).is_some_and(|&(start, _)| start < until)
    }
}

/// State of an association in the second pass.
struct AssociationState {
    survey: Survey,
    /// Start of the exchange judged before, which is the next one in time.
    next: Option<Instant>,
    samples: Samples,
}

/// Returns the time by which the earliest reply is stamped before the first copy, at least zero: the error of this
/// capture's stamps.
fn clock_noise(exchange: &Exchange, messages: &[Message]) -> Span {
    let sent = |message| message_at(messages, message).map(|m| m.at);
    let earliest = exchange.replies.iter().filter_map(|reply| sent(reply.message)).min();
    let first = exchange.copies.first().and_then(|copy| sent(copy.message));
    first.zip(earliest).map_or(Span::ZERO, |(first, earliest)| (first - earliest).max(Span::ZERO))
}

/// Returns the number of steps of [`judge`].
pub(crate) const fn passes(associations: usize, exchanges: usize) -> u64 {
    3 * SharedProgress::items(exchanges) + associations as u64 + 2
}

/// Fills in fields that need all exchanges of an association: its vantage, times and workload, and outcome, fates and
/// evidence of each exchange.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks, which counts [`passes`] steps; associations and exchanges are then judged in
/// part.
pub(crate) fn judge(
    associations: &mut [Association],
    exchanges: &mut [Exchange],
    messages: &[Message],
    scope: &Scope,
    assumptions: &Assumptions,
    progress: &SharedProgress<'_>,
) -> Result<(), Cancelled> {
    let mut sights: Vec<Sight> = associations.iter().map(Sight::of).collect();
    let mut noise = Span::ZERO;
    for (index, exchange) in exchanges.iter().enumerate() {
        progress.item(index)?;
        if let Some(sight) = sights.get_mut(exchange.association.index()) {
            sight.add(exchange, messages);
        }
        noise = noise.max(clock_noise(exchange, messages));
    }
    progress.pass()?;
    let per_hop = PerHop::measure(messages);
    let state = |(sight, association): (Sight, &Association)| {
        let survey = sight.survey(assumptions.of(association).vantage, scope.lacks, per_hop);
        let samples = Samples::new(&survey, noise);
        AssociationState { survey, next: None, samples }
    };
    let mut states: Vec<AssociationState> = sights.into_iter().zip(&*associations).map(state).collect();
    // The youngest first: how one ended depends on when the next began.
    for (index, exchange) in exchanges.iter_mut().enumerate().rev() {
        progress.item(index)?;
        let Some(state) = states.get_mut(exchange.association.index()) else { continue };
        let view = &state.survey.view;
        shift(exchange, view);
        if view.is_whole() {
            arrive(exchange, view, messages);
            close(exchange, &state.survey, state.next, messages, scope.window.1);
        } else {
            partial::close(exchange, &state.survey, state.next, messages, scope.window.1);
        }
        state.samples.add(exchange, messages);
        state.next = Some(exchange.start());
    }
    progress.pass()?;
    let queueing = Queueing::measure(messages);
    let settle = |(association, state): (&mut Association, AssociationState)| {
        progress.pass()?;
        let Survey { view, given: vantage_given, hops, nstart, .. } = state.survey;
        (association.vantage, association.vantage_given, association.correction) =
            (view.vantage, vantage_given, view.correction);
        (association.hops, association.nstart) = (hops, nstart);
        let own = || association.exchanges.iter().filter_map(|id| exchanges.get(id.index()));
        let (waits, gaps) = (queueing.of(own(), messages), Gaps::of(own()));
        association.queueing = waits;
        let given = assumptions.of(association).workload;
        let (workload, rhythm, ready) = gaps.rhythm(&association.exchanges, association.queueing, given);
        (association.workload, association.rhythm, association.ready) = (workload, rhythm, ready);
        Ok(state.samples.learn(exchanges, messages))
    };
    let mut matchers: Vec<ReplyMatcher> = associations.iter_mut().zip(states).map(settle).collect::<Result<_, _>>()?;
    settle_backlogs(associations, exchanges, assumptions);
    let mut begun = vec![false; associations.len()];
    for (index, exchange) in exchanges.iter_mut().enumerate() {
        progress.item(index)?;
        let Some(matcher) = matchers.get_mut(exchange.association.index()) else { continue };
        matcher.assign(exchange, messages, scope.window.1);
        let Some(begun) = begun.get_mut(exchange.association.index()) else { continue };
        let is_next = std::mem::replace(begun, true) && matcher.is_sequential();
        // Answered before it was sent: frames are missing, or stamps are wrong by more than noise.
        let is_out_of_order = exchange.head == Head::Missing;
        exchange.head = head(exchange, matcher, is_next, scope, messages);
        if is_out_of_order || scope.is_blind(exchange.start(), exchange.end.unwrap_or_else(|| given_up(exchange))) {
            weaken(exchange, messages);
        }
    }
    Ok(())
}
