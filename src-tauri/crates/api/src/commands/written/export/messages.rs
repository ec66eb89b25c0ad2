//! CoAP messages that were never sent, made of recorded ones.

use super::plan::is_response_exchange;
use base::MessageId;
use trace::export::{bare, with_count};
use trace::{Code, Exchange, Packet, Places, ReplyKind, Trace, Type};

/// A message made from a recorded one, or from what is known of it.
pub(super) struct SyntheticMessage {
    pub octets: Vec<u8>,
    /// Remark on what it lacks, for a reader of the file; empty where it lacks nothing.
    pub remark: &'static str,
}

/// The messages of a trace, as octets.
#[derive(Clone, Copy)]
pub(super) struct Messages<'a> {
    pub trace: &'a Trace,
    pub places: &'a Places,
}

impl Messages<'_> {
    /// Returns the CoAP octets of a recorded message; `None` where it was not captured whole.
    fn recorded(self, id: MessageId) -> Option<Vec<u8>> {
        let message = self.trace.messages.get(id.index())?;
        Packet::read(self.trace, self.places, message.frame?).coap.map(|coap| coap.octets)
    }

    /// Returns copy `attempt` (from 0) of the request of `exchange`: what the recorded ones have in common, and its own
    /// count where they carry one.
    pub fn request(self, exchange: &Exchange, attempt: usize) -> SyntheticMessage {
        let own = exchange.copies.get(attempt).into_iter();
        let whole = own.chain(exchange.copies.iter()).find_map(|copy| self.recorded(copy.message));
        let Some(octets) = whole else {
            let Exchange { code, mid, token, .. } = *exchange;
            let remark = " Its options and payload were not captured, and are left out.";
            return SyntheticMessage { octets: bare(Type::Con, code, mid, token), remark };
        };
        SyntheticMessage { octets: self.counted(octets, attempt), remark: "" }
    }

    /// Returns the reply that ended `exchange`, as one to copy `copy` (from 0), and its form; `None` where none that
    /// could stand there was recorded whole.
    pub fn reply(self, exchange: &Exchange, copy: usize) -> Option<(Vec<u8>, ReplyKind)> {
        let replies = exchange.replies.iter();
        let reply = replies
            .filter(|reply| !is_response_exchange(self.trace, reply.message))
            .max_by_key(|reply| (reply.closing, reply.kind != ReplyKind::EmptyAck))?;
        Some((self.counted(self.recorded(reply.message)?, copy), reply.kind))
    }

    /// Returns the reply of `exchange` as [`Messages::reply`] does, else an empty acknowledgement: a timer depends only
    /// on the arrival of a reply.
    pub fn reply_or_ack(self, exchange: &Exchange, copy: usize) -> SyntheticMessage {
        let Some((octets, _)) = self.reply(exchange, copy) else {
            let remark = " No reply that could stand here was recorded: an empty acknowledgement does.";
            let Exchange { mid, token, .. } = *exchange;
            return SyntheticMessage { octets: bare(Type::Ack, Code::EMPTY, mid, token), remark };
        };
        SyntheticMessage { octets, remark: "" }
    }

    fn counted(self, octets: Vec<u8>, attempt: usize) -> Vec<u8> {
        let count = u8::try_from(attempt).unwrap_or(u8::MAX);
        with_count(&octets, self.trace.options.rc_option, count).unwrap_or(octets)
    }
}
