//! The end of a message: its last known place, and the evidence for it.

use super::Leg;
use crate::judge::ambiguity::{Ambiguity, ambiguities};
use crate::model::{Copy, Delivery, Evidence, Exchange, Fate, Message, Outcome, Reply};
use base::Instant;

/// End of a message's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The node of its destination had all of it. A capture does not show what a node does with it: it may drop a
    /// datagram that it cannot reassemble.
    Arrived {
        /// Time of arrival, where that was seen; a reply alone says only that it arrived.
        at: Option<Instant>,
        /// Evidence for the arrival.
        evidence: Evidence,
    },
    /// The message was lost on its way.
    Died {
        /// Position in [`super::Transit::legs`] of the leg on or behind which it was lost.
        leg: usize,
        /// Observation that shows the loss.
        loss: Loss,
        /// Grade of that evidence: no stronger than [`Loss::evidence`], and weaker where the hops may be another
        /// copy's.
        evidence: Evidence,
    },
    /// The capture cannot tell.
    Unknown {
        /// Position in [`super::Transit::legs`] of the farthest leg on which it was seen; `None` without legs.
        leg: Option<usize>,
    },
}

/// Observation that shows a loss, strongest evidence first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Loss {
    /// The Cooja log lists who received each frame: the addressed node did not receive all of them.
    NotReceived,
    /// Not all of it went on the air: a fragment was never sent.
    Incomplete,
    /// Link-layer ACKs are captured in general, and none came. The addressed node may have had it all the same, and
    /// then kept it.
    NotAcknowledged,
    /// The addressed node had it, and was not seen to send it on, though the capture sees every hop.
    NotSentOn,
}

impl Loss {
    /// Returns the grade of this evidence: proven where the record itself shows the loss of a message whose hops are
    /// certain.
    #[must_use]
    pub const fn evidence(self) -> Evidence {
        match self {
            Self::NotReceived | Self::Incomplete => Evidence::Proven,
            Self::NotAcknowledged | Self::NotSentOn => Evidence::Inferred,
        }
    }
}

/// Returns, for each of some messages of equal content, the evidence that its hops are its own: only inferred where two
/// were in one node, as it is a conclusion which of them was sent on.
pub(super) fn certainties(messages: &[&Message]) -> Vec<Evidence> {
    let all = ambiguities(messages.iter().copied().map(Some));
    all.into_iter()
        .map(|ambiguity| if ambiguity == Ambiguity::None { Evidence::Proven } else { Evidence::Inferred })
        .collect()
}

/// Returns the ending of a copy that the server had, by its hops or by a reply to it; else `None`.
pub(super) fn of_copy(copy: &Copy, message: &Message, certainty: Evidence) -> Option<Ending> {
    if let Some(at) = message.delivered() {
        return Some(Ending::Arrived { at: Some(at), evidence: certainty });
    }
    let evidence = match copy.fate {
        Fate::Answered { .. } => copy.evidence,
        Fate::ReplyLost => copy.evidence.min(Evidence::Inferred),
        Fate::RequestLost | Fate::Lost | Fate::Unknown => return None,
    };
    // The copy that a reply answers may be a guess; that is no arrival.
    (evidence > Evidence::Unknown).then_some(Ending::Arrived { at: copy.arrived, evidence })
}

/// Returns the ending of a reply that the client had; else `None`.
pub(super) fn of_reply(reply: &Reply, message: &Message, certainty: Evidence) -> Option<Ending> {
    let at = reply.arrived?;
    let evidence = if message.delivered() == Some(at) { certainty } else { Evidence::Inferred };
    Some(Ending::Arrived { at: Some(at), evidence })
}

/// Derives the ending of a message that is not known to have arrived from its farthest leg. `everywhere`: the capture
/// sees every hop, so that silence means something. `certainty`: evidence that the legs are its own.
pub(super) fn last_seen(legs: &[Leg], everywhere: bool, exchange: &Exchange, certainty: Evidence) -> Ending {
    let depth = |index: usize| std::iter::successors(Some(index), |&i| legs.get(i)?.before).take(legs.len()).count();
    let Some((index, leg)) = legs.iter().enumerate().max_by_key(|&(index, _)| (depth(index), index)) else {
        return Ending::Unknown { leg: None };
    };
    // The last messages may still have been in a queue when the capture ended.
    let over = exchange.outcome != Outcome::Open;
    let loss = match (leg.delivery, leg.arrived.is_some()) {
        (Delivery::No, true) => Some(Loss::NotReceived),
        (_, false) => (everywhere && over).then_some(Loss::Incomplete),
        (Delivery::Unlikely, true) => everywhere.then_some(Loss::NotAcknowledged),
        (Delivery::Yes, true) => (everywhere && over).then_some(Loss::NotSentOn),
        (Delivery::Unknown, true) => None,
    };
    match loss {
        Some(loss) => Ending::Died { leg: index, loss, evidence: loss.evidence().min(certainty) },
        None => Ending::Unknown { leg: Some(index) },
    }
}
