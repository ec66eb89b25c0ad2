//! Row of a packet list: a frame or a message, decoded only as far as its fields are asked for.

use base::{FrameId, MessageId, Span};
use std::cell::OnceCell;
use trace::packet::{CoapMessage, Part, Place, Tree, dissect};
use trace::{Copy, Exchange, Fate, Frame, Hop, Message, Packet, Places, Trace};

/// Row of a packet list, to filter or to show; layers are decoded at the first call that asks for them.
#[derive(Debug)]
pub struct Row<'a> {
    /// Trace that it belongs to.
    pub trace: &'a Trace,
    /// Places of that trace's frames in messages and exchanges.
    pub places: &'a Places,
    /// Number of the frame: for a message, the one that completed it at its first hop, or that began it.
    pub id: FrameId,
    place: OnceCell<Option<Place>>,
    message: OnceCell<Option<&'a Message>>,
    packet: OnceCell<Packet>,
    tree: OnceCell<Tree>,
}

impl<'a> Row<'a> {
    /// Makes the row of frame `id`.
    #[must_use]
    pub fn frame(trace: &'a Trace, places: &'a Places, id: FrameId) -> Self {
        Self {
            trace,
            places,
            id,
            place: OnceCell::new(),
            message: OnceCell::new(),
            packet: OnceCell::new(),
            tree: OnceCell::new(),
        }
    }

    /// Makes the row of message `id`; `None` when there is no such message.
    #[must_use]
    pub fn message(trace: &'a Trace, places: &'a Places, id: MessageId) -> Option<Self> {
        let message = trace.messages.get(id.index())?;
        let frame = message.frame.or_else(|| message.hops().next()?.frames.first().copied())?;
        let row = Self::frame(trace, places, frame);
        let _ = row.place.set(Some(Place { message: id, hop: 0, exchange: places.of_message(id) }));
        let _ = row.message.set(Some(message));
        Some(row)
    }

    /// Returns the record of the frame; `None` where the trace has no such frame.
    #[must_use]
    pub fn record(&self) -> Option<&'a Frame> {
        self.trace.capture.frames.get(self.id.index())
    }

    /// Returns the layers of the frame, decoded at the first call.
    pub fn packet(&self) -> &Packet {
        self.packet.get_or_init(|| Packet::read(self.trace, self.places, self.id))
    }

    /// Returns the message and hop that the frame carries, or a piece of; `None` for other frames.
    pub fn place(&self) -> Option<Place> {
        *self.place.get_or_init(|| self.places.of_frame(self.trace, self.id))
    }

    /// Returns the decode tree of the frame, made at the first call.
    pub fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| dissect(self.trace, self.places, self.id))
    }

    /// Returns the CoAP message that ends in the frame, as import read it; for a row of a message, that message.
    /// `None` where none ends in it.
    pub fn message_here(&self) -> Option<&'a Message> {
        *self.message.get_or_init(|| {
            let at = self.trace.sightings.binary_search_by_key(&self.id, |&(frame, _)| frame).ok()?;
            self.trace.messages.get(self.trace.sightings.get(at)?.1.index())
        })
    }

    /// Returns the octets of that message, for its options. A frame in which none ends is not decoded.
    pub(super) fn coap(&self) -> Option<&CoapMessage> {
        self.message_here()?;
        self.packet().coap.as_ref()
    }

    /// Returns the message of the frame, and the hop on which it goes; `None` where it carries none.
    pub fn hop(&self) -> Option<(&'a Message, Hop<'a>)> {
        self.place()?.of(self.trace)
    }

    /// Returns the exchange of the frame, and the frame's part in it; `None` where it has none.
    pub fn exchange(&self) -> Option<(&'a Exchange, Part)> {
        let (id, part) = self.place()?.exchange?;
        Some((self.trace.exchanges.get(id.index())?, part))
    }

    /// Returns the number, from 0, of the copy that the frame carries or answers; `None` where it does neither,
    /// or the copy that it answers is not known.
    pub fn copy_index(&self) -> Option<usize> {
        match self.exchange()? {
            (_, Part::Copy(index)) => Some(index),
            (exchange, Part::Reply(index)) => exchange.replies.get(index)?.answers.map(usize::from),
        }
    }

    /// Returns the copy that the frame carries, not one it answers: exchange, number from 0, copy. `None` where
    /// it carries none.
    pub fn copy(&self) -> Option<(&'a Exchange, usize, &'a Copy)> {
        let (exchange, Part::Copy(index)) = self.exchange()? else { return None };
        Some((exchange, index, exchange.copies.get(index)?))
    }

    /// Returns the round-trip time from the copy that the frame carries or answers to that copy's reply; `None`
    /// where it is not known.
    pub(super) fn rtt(&self) -> Option<Span> {
        let (exchange, _) = self.exchange()?;
        match exchange.copies.get(self.copy_index()?)?.fate {
            Fate::Answered { rtt } => Some(rtt),
            _ => None,
        }
    }

    /// Returns whether the frame is a link-layer retry: the same octets went over the same hop before.
    pub fn is_retry(&self) -> bool {
        let octets = |id: FrameId| self.trace.capture.frames.get(id.index()).map(|f| self.trace.capture.octets_of(f));
        let Some((_, hop)) = self.hop() else { return false };
        // A duplicate sighting by another sniffer is no retry.
        let id = self.trace.capture.first_sighting_of(self.id).unwrap_or(self.id);
        let own = octets(id);
        hop.frames.iter().take_while(|&&earlier| earlier != id).any(|&earlier| octets(earlier) == own)
    }
}
