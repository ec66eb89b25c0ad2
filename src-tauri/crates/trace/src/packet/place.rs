//! The place of a frame: its message, its hop, its exchange.

use crate::analysis::Trace;
use crate::model::{Hop, Message};
use base::{Cancelled, ExchangeId, FrameId, MessageId, Progress, SharedProgress};

/// Role of a message in its exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The transmission with this position in [`crate::model::Exchange::copies`].
    Copy(usize),
    /// The reply with this position in [`crate::model::Exchange::replies`].
    Reply(usize),
}

/// The place of one frame in messages and exchanges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// CoAP message of which it carries all or a part.
    pub message: MessageId,
    /// Position of the hop in [`Message::hops`], from 0.
    pub hop: usize,
    /// Exchange of the message, and its role there; `None` for a message of no exchange.
    pub exchange: Option<(ExchangeId, Part)>,
}

/// The places of all frames of one trace.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Number of the message of each frame, plus 1; 0 for a frame of no message.
    messages: Vec<u32>,
    /// Exchange and role of each message.
    exchanges: Vec<Option<(ExchangeId, Part)>>,
}

impl Places {
    /// Indexes `trace`. `progress` counts messages and exchanges.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn of(trace: &Trace, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let [messages, exchanges] = [trace.messages.len(), trace.exchanges.len()];
        let mut shared = SharedProgress::new(progress, (messages + exchanges) as u64);
        let mut places =
            Self { messages: vec![0; trace.capture.frames.len()], exchanges: vec![None; trace.messages.len()] };
        shared.list(messages as u64, messages)?;
        for (index, message) in trace.messages.iter().enumerate() {
            shared.item(index)?;
            for frame in message.hops().flat_map(|hop| hop.frames) {
                if let Some(entry) = places.messages.get_mut(frame.index()) {
                    *entry = message.id.0.saturating_add(1);
                }
            }
        }
        shared.list(exchanges as u64, exchanges)?;
        for (index, exchange) in trace.exchanges.iter().enumerate() {
            shared.item(index)?;
            for (index, copy) in exchange.copies.iter().enumerate() {
                places.join(copy.message, exchange.id, Part::Copy(index));
            }
            for (index, reply) in exchange.replies.iter().enumerate() {
                places.join(reply.message, exchange.id, Part::Reply(index));
            }
        }
        Ok(places)
    }

    fn join(&mut self, message: MessageId, exchange: ExchangeId, part: Part) {
        if let Some(entry) = self.exchanges.get_mut(message.index()) {
            *entry = Some((exchange, part));
        }
    }

    /// Returns the place of frame `id` of `trace`, or of the frame that stands for its transmission; `None` when it
    /// carries no CoAP message.
    #[must_use]
    pub fn of_frame(&self, trace: &Trace, id: FrameId) -> Option<Place> {
        let id = trace.capture.first_sighting_of(id).unwrap_or(id);
        let message = MessageId(self.messages.get(id.index())?.checked_sub(1)?);
        let mut hops = trace.messages.get(message.index())?.hops();
        let hop = hops.position(|hop| hop.frames.contains(&id))?;
        Some(Place { message, hop, exchange: self.of_message(message) })
    }

    /// Returns the exchange that message `id` belongs to, and its role there; `None` for a message of no exchange.
    #[must_use]
    pub fn of_message(&self, id: MessageId) -> Option<(ExchangeId, Part)> {
        *self.exchanges.get(id.index())?
    }
}

impl Place {
    /// Returns the message and the hop; `None` where `trace` is another one.
    #[must_use]
    pub fn of(self, trace: &Trace) -> Option<(&Message, Hop<'_>)> {
        let message = trace.messages.get(self.message.index())?;
        Some((message, message.hop(self.hop)?))
    }
}
