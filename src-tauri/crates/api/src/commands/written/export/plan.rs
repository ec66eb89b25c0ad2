//! The recorded frames that stay as they were under another timer.
//!
//! * A recorded copy stays where the run sends the same copy of the same exchange at the very same nanosecond.
//! * A recorded reply stays where the run has the same reply at the very same nanosecond, and where the copy it answers
//!   stays with its recorded fate (a reply that was lost then is lost again).
//! * A confirmable response is a copy of an exchange of its own, in which its sender is the client: that decides.
//! * What began before the run does stays, to its end.
//! * What else was recorded stays: other messages, other protocols. Link-layer acknowledgements go with their frames.

use base::{Cancelled, ExchangeId, FrameId, Instant, MessageId, SharedProgress, Span};
use replay::{Fate, StepKind, Steps, Support};
use std::collections::BTreeMap;
use trace::{Exchange, Trace, Type};

/// A copy in a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sent {
    /// Time at which the client sends it.
    pub at: Instant,
    /// Timeout armed with it; `None` where the last copy has none.
    pub timer: Option<Span>,
    /// Needless: sent while an earlier copy is answered.
    pub needless: bool,
    /// Fate in the run.
    pub fate: Fate,
    /// Source of the fate.
    pub support: Support,
    /// Position of the recorded copy that it is, from 0; `None`: it is synthetic.
    pub recorded: Option<usize>,
}

/// A reply in a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Heard {
    /// Time of arrival at the client.
    pub at: Instant,
    /// Position of the copy it answers, from 0; of the latest where it is not known.
    pub copy: usize,
    /// True for a reply that arrives when the exchange is over.
    pub late: bool,
    /// Position of the recorded reply that it is, from 0; `None`: it is synthetic.
    pub recorded: Option<usize>,
}

/// An exchange in a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Play {
    /// Copies in order of sending.
    pub copies: Vec<Sent>,
    /// Replies in order of arrival.
    pub replies: Vec<Heard>,
    /// Time of giving up; `None`: the exchange ended with a reply, or is open.
    pub gave_up: Option<Instant>,
}

/// The recorded frames that a run leaves out, and its copies.
#[derive(Debug)]
pub(super) struct ExportPlan {
    /// Exchanges of the run; those that the application did not send are missing.
    pub plays: BTreeMap<ExchangeId, Play>,
    /// Whether a frame is left out, by frame.
    leaves: Vec<bool>,
}

impl ExportPlan {
    /// Compares the steps of a run with its trace; `since` is the time at which the run begins, where that is later.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks; it passes [`ExportPlan::passes`] times.
    pub(super) fn new(
        trace: &Trace,
        steps: &Steps,
        since: Option<Instant>,
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let mut plan = Self { plays: plays(steps, progress)?, leaves: vec![false; trace.capture.frames.len()] };
        let mut leaves = vec![false; trace.messages.len()];
        let mut leave = |id: MessageId| {
            if let Some(leaves) = leaves.get_mut(id.index()) {
                *leaves = true;
            }
        };
        let replayed = |exchange: &Exchange| since.is_none_or(|since| exchange.start() >= since);
        for (index, exchange) in trace.exchanges.iter().enumerate() {
            progress.item(index)?;
            if !replayed(exchange) {
                continue;
            }
            let mut nothing = Play::default();
            let play = plan.plays.get_mut(&exchange.id).unwrap_or(&mut nothing);
            let stays = compare(trace, exchange, play);
            for (copy, _) in exchange.copies.iter().zip(stays.copies).filter(|(_, stays)| !stays) {
                leave(copy.message);
            }
            for (reply, _) in exchange.replies.iter().zip(stays.replies).filter(|(_, stays)| !stays) {
                if !is_response_exchange(trace, reply.message) {
                    leave(reply.message);
                }
            }
        }
        progress.pass()?;
        for (message, _) in trace.messages.iter().zip(leaves).filter(|(_, leaves)| *leaves) {
            message.hops().flat_map(|hop| hop.frames).for_each(|&frame| plan.leave(frame));
        }
        progress.pass()?;
        for (ack, frame) in trace::acknowledgements(&trace.capture) {
            if plan.leaves(frame) {
                plan.leave(ack);
            }
        }
        for &(duplicate, first) in &trace.capture.duplicates {
            if plan.leaves(first) {
                plan.leave(duplicate);
            }
        }
        Ok(plan)
    }

    /// Returns the number of progress steps of [`ExportPlan::new`].
    pub(super) fn passes(trace: &Trace, steps: &Steps) -> u64 {
        SharedProgress::items(steps.len()) + SharedProgress::items(trace.exchanges.len()) + 2
    }

    /// Whether frame `id` is left out.
    pub(super) fn leaves(&self, id: FrameId) -> bool {
        self.leaves.get(id.index()).copied().unwrap_or(false)
    }

    /// Returns the number of copies of the run, and of those among them with a recorded fate.
    pub(super) fn support(&self) -> (usize, usize) {
        let copies = || self.plays.values().flat_map(|play| &play.copies);
        (copies().count(), copies().filter(|sent| sent.support == Support::Recorded).count())
    }

    fn leave(&mut self, id: FrameId) {
        if let Some(leaves) = self.leaves.get_mut(id.index()) {
            *leaves = true;
        }
    }
}

/// Whether a reply is confirmable itself, and so an exchange of its own.
pub(super) fn is_response_exchange(trace: &Trace, id: MessageId) -> bool {
    trace.messages.get(id.index()).is_some_and(|message| message.kind == Type::Con)
}

/// Returns the copies and replies of the steps, by exchange; errs when cancelled.
fn plays(steps: &Steps, progress: &SharedProgress<'_>) -> Result<BTreeMap<ExchangeId, Play>, Cancelled> {
    let mut plays: BTreeMap<ExchangeId, Play> = BTreeMap::new();
    for (index, (&at, (&exchange, (&attempt, &kind)))) in
        steps.at.iter().zip(steps.exchange.iter().zip(steps.attempt.iter().zip(&steps.kind))).enumerate()
    {
        progress.item(index)?;
        let play = plays.entry(exchange).or_default();
        let copy = usize::from(attempt);
        match kind {
            StepKind::Transmit => play.copies.push(Sent {
                at,
                timer: steps.rto.get(index).copied().flatten(),
                needless: steps.needless.get(index).copied().unwrap_or(false),
                fate: steps.fate(index).unwrap_or(Fate::Unknown),
                support: steps.support.get(index).copied().flatten().unwrap_or(Support::Assumed),
                recorded: None,
            }),
            StepKind::Timeout => {}
            StepKind::Reply => play.replies.push(Heard { at, copy, late: false, recorded: None }),
            StepKind::LateReply => play.replies.push(Heard { at, copy, late: true, recorded: None }),
            StepKind::GiveUp => play.gave_up = Some(at),
        }
    }
    Ok(plays)
}

/// Recorded copies and replies of an exchange that stay, by position.
struct Stays {
    copies: Vec<bool>,
    replies: Vec<bool>,
}

/// Finds the recorded copies and replies of `exchange` again in `play`.
fn compare(trace: &Trace, exchange: &Exchange, play: &mut Play) -> Stays {
    let mut stays = Stays { copies: vec![false; exchange.copies.len()], replies: vec![false; exchange.replies.len()] };
    // A copy that carries its number can only be the recorded one with that number.
    let counted = |id: MessageId| trace.messages.get(id.index()).is_some_and(|message| message.rc.is_some());
    for (attempt, sent) in play.copies.iter_mut().enumerate() {
        let same = |&(index, copy): &(usize, &trace::Copy)| {
            copy.sent == sent.at && (index == attempt || !counted(copy.message))
        };
        let found =
            exchange.copies.iter().enumerate().find(|one| same(one) && !stays.copies.get(one.0).is_some_and(|s| *s));
        sent.recorded = found.map(|(index, _)| index);
        if let Some(stays) = sent.recorded.and_then(|index| stays.copies.get_mut(index)) {
            *stays = true;
        }
    }
    // The recorded copy whose recorded fate a copy of the run has.
    let lasting = |sent: &Sent| sent.recorded.filter(|_| sent.support == Support::Recorded);
    for heard in &mut play.replies {
        let copy = play.copies.get(heard.copy).and_then(lasting).and_then(|index| exchange.copies.get(index));
        let its_own = copy.and_then(|copy| copy.reply).map(usize::from);
        let at_that_time = || exchange.replies.iter().position(|reply| reply.arrived == Some(heard.at));
        heard.recorded = its_own.filter(|&index| index < exchange.replies.len()).or_else(at_that_time);
        if let Some(stays) = heard.recorded.and_then(|index| stays.replies.get_mut(index)) {
            *stays = true;
        }
    }
    let unchanged = play.copies.iter().all(|sent| sent.recorded.is_some())
        && stays.copies.iter().all(|stays| *stays)
        && play.replies.iter().all(|heard| heard.recorded.is_some());
    for (reply, stays) in exchange.replies.iter().zip(&mut stays.replies) {
        let of_lasting =
            |answers: u8| play.copies.iter().filter_map(lasting).any(|index| index == usize::from(answers));
        *stays = *stays || reply.answers.map_or(unchanged, of_lasting);
    }
    stays
}
