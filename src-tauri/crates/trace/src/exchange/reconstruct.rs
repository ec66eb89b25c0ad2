//! Messages to exchanges: copies grouped, replies matched.
//!
//! The state machine is keyed by endpoints and Message ID, then by token (RFC 7252 §4.2, §5.3.2).
//! A confirmable message with the Message ID of an earlier one within EXCHANGE_LIFETIME is another
//! copy of it; ACK and RST answer by Message ID; a separate response answers by token.

use super::relations::is_notification;
use crate::decode::series::AllSeries;
use crate::lookup::{Map, Recent};
use crate::model::{
    Association, CLOCK_NOISE, Copy, Correction, EXCHANGE_LIFETIME, Endpoint, Evidence, Exchange, Fate, Head, Message,
    OneOrMany, Outcome, Reply, ReplyKind, Rhythm, Vantage, Workload, message_at,
};
use base::{AssociationId, Cancelled, ExchangeId, Layer, MessageId, Notes, SharedProgress};
use wire::coap::{Token, Type};

/// Most copies, and most replies, of one exchange that are kept: [`Reply::answers`] and [`Copy::reply`] count them with
/// eight bits. No client sends as many; a loop or a replay attack does.
const MOST: usize = 255;

/// Value in place of an exchange: a token that a non-confirmable request uses.
const NO_EXCHANGE: u32 = u32::MAX;

/// Groups messages, given in the order of sending, into exchanges. Returns exchanges in order of their first copy and
/// associations in order of first appearance, neither judged yet. `back`: by number of a path, the number of the path
/// back, where there is one. In `progress` it is a stage of `units`.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(crate) fn reconstruct(
    messages: &[Message],
    back: &[Option<u32>],
    series: &AllSeries,
    notes: &mut Notes,
    (progress, units): (&mut SharedProgress<'_>, u64),
) -> Result<(Vec<Exchange>, Vec<Association>), Cancelled> {
    progress.list(units, messages.len())?;
    let mut state = Machine {
        // Room for no more than these, so that nothing is copied as they become many.
        exchanges: Vec::with_capacity(messages.iter().filter(|message| message.kind == Type::Con).count()),
        associations: Vec::new(),
        ends: Map::default(),
        by_mid: Recent::new(EXCHANGE_LIFETIME),
        by_token: Recent::new(EXCHANGE_LIFETIME),
        orphans: Recent::new(EXCHANGE_LIFETIME),
        early: Recent::new(EXCHANGE_LIFETIME),
        unrequested: Vec::new(),
        rejoined: Vec::new(),
        messages,
        series,
        notes,
    };
    for (index, message) in messages.iter().enumerate() {
        progress.item(index)?;
        let path = message.ends.path;
        state.by_mid.advance(message.at);
        state.by_token.advance(message.at);
        state.orphans.advance(message.at);
        state.early.advance(message.at);
        let back = back.get(path as usize).copied().flatten();
        match message.kind {
            Type::Con => {
                if message.code.is_response() {
                    state.separate(message, back);
                }
                state.confirmable(message, path);
            }
            Type::Non => {
                if message.code.is_response() {
                    state.separate(message, back);
                } else if message.code.is_request() {
                    // Its token is its own from now on.
                    state.by_token.insert((path, message.token), NO_EXCHANGE);
                }
            }
            Type::Ack | Type::Rst => state.by_mid(message, back),
        }
    }
    state.remark_unrequested();
    Ok((state.exchanges, state.associations))
}

struct Machine<'a> {
    exchanges: Vec<Exchange>,
    associations: Vec<Association>,
    /// Associations by number of the path from client to server.
    ends: Map<u32, AssociationId>,
    /// Last exchange by path and Message ID of its request.
    by_mid: Recent<(u32, u16)>,
    /// Last exchange by path and token of its request.
    by_token: Recent<(u32, Token)>,
    /// ACK and RST without a request so far, by Message ID and by the path that their request would have taken.
    orphans: Recent<(u32, u16)>,
    /// Responses without a request so far, by token and by the path that their request would have taken.
    early: Recent<(u32, Token)>,
    /// Acknowledgements without a request before them, in order.
    unrequested: Vec<MessageId>,
    /// Acknowledgements among them whose request followed within [`CLOCK_NOISE`].
    rejoined: Vec<MessageId>,
    messages: &'a [Message],
    series: &'a AllSeries,
    notes: &'a mut Notes,
}

impl<'a> Machine<'a> {
    fn association(&mut self, path: u32, client: Endpoint, server: Endpoint) -> AssociationId {
        *self.ends.entry(path).or_insert_with(|| {
            let id = AssociationId::at(self.associations.len());
            self.associations.push(Association {
                id,
                client,
                server,
                // Named when all are known, by what the capture calls addresses.
                client_name: String::new(),
                server_name: String::new(),
                exchanges: Vec::new(),
                vantage: Vantage::Between,
                vantage_given: false,
                correction: Correction::default(),
                queueing: None,
                workload: Workload::Arrivals,
                rhythm: Rhythm::default(),
                ready: Vec::new(),
                nstart: 1,
                hops: None,
            });
            id
        })
    }

    fn confirmable(&mut self, message: &Message, path: u32) {
        let (client, server) = (message.src(), message.dst());
        let copy = Copy {
            sent: message.at,
            message: message.id,
            arrived: message.delivered(),
            fate: Fate::Unknown,
            evidence: Evidence::Unknown,
            reply: None,
        };
        let known = self.by_mid.get(&(path, message.mid));
        if let Some(exchange) = known.and_then(|i| self.exchanges.get_mut(i as usize))
            && exchange.token == message.token
            && exchange.code == message.code
            && message.at - exchange.start() <= EXCHANGE_LIFETIME
        {
            if exchange.copies.len() < MOST {
                exchange.copies.push(copy);
            } else {
                self.leave_out(message);
            }
            return;
        }
        let association = self.association(path, client, server);
        let early = self.early_replies(message, path);
        let id = ExchangeId::at(self.exchanges.len());
        self.exchanges.push(Exchange {
            id,
            association,
            mid: message.mid,
            token: message.token,
            code: message.code,
            payload: message.payload,
            copies: OneOrMany::one(copy),
            replies: OneOrMany::new(),
            outcome: Outcome::Open,
            end: None,
            // Answered before it was sent: it had been sent before.
            head: if early.is_missing_head { Head::Missing } else { Head::Seen },
        });
        if let Some(association) = self.associations.get_mut(association.index()) {
            association.exchanges.push(id);
        }
        self.by_mid.insert((path, message.mid), id.0);
        if message.code.is_request() {
            self.by_token.insert((path, message.token), id.0);
        }
        for (reply, kind) in early.replies.into_iter().flatten() {
            self.reply(Some(id.0), reply, kind);
            if kind != ReplyKind::Separate {
                self.rejoined.push(reply.id);
            }
        }
    }

    /// Returns the replies to the first copy `request` that are stamped before it.
    fn early_replies(&self, request: &Message, path: u32) -> Early<'a> {
        let messages = self.messages;
        let found = |id: Option<u32>| id.and_then(|id| message_at(messages, MessageId(id)));
        let is_noise = |m: &Message| request.at - m.at <= CLOCK_NOISE;
        let by_mid = found(self.orphans.get(&(path, request.mid)))
            .filter(|m| m.code.is_empty() || m.token == request.token)
            .filter(|m| request.at - m.at <= EXCHANGE_LIFETIME);
        let by_token =
            found(self.early.get(&(path, request.token))).filter(|m| request.code.is_request() && is_noise(m));
        let mut replies =
            [by_mid.filter(|m| is_noise(m)).map(|m| (m, kind_by_mid(m))), by_token.map(|m| (m, ReplyKind::Separate))];
        replies.sort_by_key(|reply| reply.map(|(m, _)| m.at));
        Early { replies, is_missing_head: by_mid.is_some_and(|m| m.kind == Type::Ack && !is_noise(m)) }
    }

    fn leave_out(&mut self, message: &Message) {
        self.notes.tally(Layer::Exchange, "copies-left-out", message.frame, None, || {
            format!("an exchange has more than {MOST} copies or replies; those beyond were left out of it")
        });
    }

    /// Adds an ACK or RST, which carries the Message ID of the message it answers (RFC 7252 §4.2).
    fn by_mid(&mut self, message: &Message, back: Option<u32>) {
        let kind = kind_by_mid(message);
        let index = back.and_then(|path| self.by_mid.get(&(path, message.mid)));
        let known = index.and_then(|i| self.exchanges.get(i as usize));
        if known.is_none_or(|e| message.at - e.start() > EXCHANGE_LIFETIME) {
            return self.orphan(message, back);
        }
        self.reply(index, message, kind);
    }

    /// Keeps an ACK or RST whose message was not captured, or not yet. A reset may also be for a message that is not
    /// confirmable.
    fn orphan(&mut self, message: &Message, back: Option<u32>) {
        if let Some(path) = back {
            self.orphans.insert((path, message.mid), message.id.0);
        }
        if message.kind == Type::Ack {
            self.unrequested.push(message.id);
        }
    }

    /// Remarks on the acknowledgements that have no request, in order.
    fn remark_unrequested(&mut self) {
        self.rejoined.sort_unstable();
        let without = self.unrequested.iter().filter(|id| self.rejoined.binary_search(id).is_err());
        for message in without.filter_map(|&id| message_at(self.messages, id)) {
            self.notes.remark(Layer::Exchange, "reply-without-request", message.frame, None, || {
                "acknowledgements of messages that are not in the capture: it began later, or lacks frames".to_owned()
            });
        }
    }

    /// Adds a response in a message of its own, which carries the token of the request (RFC 7252 §5.2.2).
    fn separate(&mut self, message: &Message, back: Option<u32>) {
        let index = back.and_then(|path| self.by_token.get(&(path, message.token)));
        if let (None, Some(path)) = (index, back)
            && self.series.of(message.frame).is_none_or(|series| series.observe.is_none())
        {
            self.early.insert((path, message.token), message.id.0);
        }
        let known = index.and_then(|i| self.exchanges.get(i as usize));
        if known.is_some_and(|e| is_notification(self.series, message, e, self.messages)) {
            return;
        }
        self.reply(index, message, ReplyKind::Separate);
    }

    fn reply(&mut self, index: Option<u32>, message: &Message, kind: ReplyKind) {
        let Some(exchange) = index.and_then(|i| self.exchanges.get_mut(i as usize)) else { return };
        if exchange.start() - message.at > CLOCK_NOISE || message.at - exchange.start() > EXCHANGE_LIFETIME {
            return;
        }
        if exchange.replies.len() >= MOST {
            return self.leave_out(message);
        }
        exchange.replies.push(Reply {
            message: message.id,
            kind,
            sent: message.at.max(exchange.start()),
            arrived: None,
            answers: None,
            closing: false,
        });
    }
}

/// Replies to a first copy that were recorded before it.
struct Early<'a> {
    /// Replies that the request follows within [`CLOCK_NOISE`], in order of sending.
    replies: [Option<(&'a Message, ReplyKind)>; 2],
    /// An acknowledgement is older than that: it answers an earlier copy, which is not in the capture.
    is_missing_head: bool,
}

/// Returns the kind of a reply that carries the Message ID of the message it answers.
fn kind_by_mid(message: &Message) -> ReplyKind {
    match (message.kind, message.code.is_empty()) {
        (Type::Rst, _) => ReplyKind::Reset,
        (_, true) => ReplyKind::EmptyAck,
        (_, false) => ReplyKind::Piggybacked,
    }
}
