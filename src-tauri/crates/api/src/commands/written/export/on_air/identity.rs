//! CoAP messages of simulated copies: recorded octets, with identifiers that no other message has.

use crate::commands::written::export::messages::{Messages, SyntheticMessage};
use base::{AssociationId, ExchangeId};
use replay::CopyOrigin;
use std::collections::{BTreeMap, BTreeSet};
use trace::export::{bare, with_ids};
use trace::{Code, Endpoint, Exchange, ReplyKind, Token, Type};

/// Identifiers and octets of the messages of a replicate. Exchanges of the record keep their Message ID and token. One
/// that only the replicate has repeats a recorded request under a new Message ID, and under a new token where its
/// client gives every exchange its own: as recorded ones these two would be copies of one exchange.
pub(super) struct Identities<'a> {
    messages: Messages<'a>,
    made: BTreeMap<(ExchangeId, u16, bool), SyntheticMessage>,
    /// Message ID and token of exchanges that only the replicate has.
    new: BTreeMap<ExchangeId, (u16, Token)>,
    /// Message IDs of separate responses that have to be new.
    separate: BTreeMap<ExchangeId, u16>,
    /// Message IDs in use, by sender; read when first needed.
    mids: Option<BTreeMap<Endpoint, Used>>,
    /// Tokens in use, by client and server.
    tokens: BTreeMap<AssociationId, BTreeSet<Token>>,
}

/// Message IDs that a sender used, and the last one that was given to it.
type Used = (BTreeSet<u16>, Option<u16>);
/// A reply as octets, its form, and whether it answered another exchange.
type Found = (Vec<u8>, ReplyKind, bool);

impl<'a> Identities<'a> {
    pub fn new(messages: Messages<'a>) -> Self {
        Self {
            messages,
            made: BTreeMap::new(),
            new: BTreeMap::new(),
            separate: BTreeMap::new(),
            mids: None,
            tokens: BTreeMap::new(),
        }
    }

    /// Returns the message of a copy, or the answer to it; `None` where its exchange was not recorded.
    pub fn message(&mut self, origin: CopyOrigin, is_answer: bool) -> Option<&SyntheticMessage> {
        let key = (origin.exchange, origin.number, is_answer);
        if !self.made.contains_key(&key) {
            let trace = self.messages.trace;
            let exchange = trace.exchanges.get(origin.request.index())?;
            let ids = self.ids(origin, exchange);
            let number = usize::from(origin.number);
            let made = if is_answer {
                self.answer(origin, exchange, ids)
            } else {
                let request = self.messages.request(exchange, number);
                SyntheticMessage { octets: with_ids(&request.octets, ids.0, ids.1)?, ..request }
            };
            self.made.insert(key, made);
        }
        self.made.get(&key)
    }

    /// Message ID and token of an exchange that sends the request of `exchange`.
    fn ids(&mut self, origin: CopyOrigin, exchange: &Exchange) -> (u16, Token) {
        if origin.exchange == origin.request {
            return (exchange.mid, exchange.token);
        }
        if let Some(&known) = self.new.get(&origin.exchange) {
            return known;
        }
        let trace = self.messages.trace;
        let association = trace.associations.get(exchange.association.index());
        let recorded =
            || association.into_iter().flat_map(|a| &a.exchanges).filter_map(|id| trace.exchanges.get(id.index()));
        let mid = match association {
            Some(association) => {
                self.unused(association.client, recorded().next_back().map_or(exchange.mid, |last| last.mid))
            }
            None => exchange.mid,
        };
        let is_own = recorded().filter(|other| other.token == exchange.token).count() == 1;
        let used =
            self.tokens.entry(exchange.association).or_insert_with(|| recorded().map(|other| other.token).collect());
        let token = if is_own { unused_token(used, exchange.token) } else { exchange.token };
        used.insert(token);
        self.new.insert(origin.exchange, (mid, token));
        (mid, token)
    }

    /// Takes the next Message ID after `last`, or after the one given last, that `sender` has not used; that one where
    /// it has used all.
    fn unused(&mut self, sender: Endpoint, last: u16) -> u16 {
        let trace = self.messages.trace;
        let all = self.mids.get_or_insert_with(|| {
            let mut all: BTreeMap<Endpoint, Used> = BTreeMap::new();
            for message in &trace.messages {
                all.entry(message.src()).or_default().0.insert(message.mid);
            }
            all
        });
        let (used, given) = all.entry(sender).or_default();
        let last = given.unwrap_or(last);
        let free = (1..=u16::MAX).map(|step| last.wrapping_add(step)).find(|mid| !used.contains(mid)).unwrap_or(last);
        used.insert(free);
        *given = Some(free);
        free
    }

    /// The answer to a copy: the recorded one of its request, else that of the exchange nearest to it with the same
    /// client and server, else an empty acknowledgement.
    fn answer(&mut self, origin: CopyOrigin, exchange: &Exchange, (mid, token): (u16, Token)) -> SyntheticMessage {
        let number = usize::from(origin.number);
        let own = self.messages.reply(exchange, number).map(|(octets, kind)| (octets, kind, false));
        let Some((octets, kind, is_others)) = own.or_else(|| self.reply_of_another(exchange, number)) else {
            let remark = " No reply that could stand here was recorded: an empty acknowledgement does.";
            return SyntheticMessage { octets: bare(Type::Ack, Code::EMPTY, mid, token), remark };
        };
        let is_recorded = !is_others && origin.exchange == origin.request;
        let remark =
            if is_others { " No reply to this request was recorded: one to another request stands here." } else { "" };
        let mid = match kind {
            ReplyKind::Separate if is_recorded => return SyntheticMessage { octets, remark },
            ReplyKind::Separate => self.separate_mid(origin.exchange, exchange),
            ReplyKind::EmptyAck | ReplyKind::Piggybacked | ReplyKind::Reset => mid,
        };
        SyntheticMessage { octets: with_ids(&octets, mid, token).unwrap_or(octets), remark }
    }

    /// New Message ID of a separate response, the same for all copies of its exchange.
    fn separate_mid(&mut self, id: ExchangeId, exchange: &Exchange) -> u16 {
        if let Some(&known) = self.separate.get(&id) {
            return known;
        }
        let server =
            self.messages.trace.associations.get(exchange.association.index()).map(|association| association.server);
        let mid = server.map_or(exchange.mid, |server| self.unused(server, exchange.mid));
        self.separate.insert(id, mid);
        mid
    }

    /// The reply of another exchange with the same client and server, of those nearest in the order of sending.
    fn reply_of_another(&self, exchange: &Exchange, copy: usize) -> Option<Found> {
        let trace = self.messages.trace;
        let all = &trace.associations.get(exchange.association.index())?.exchanges;
        let own = all.iter().position(|&id| id == exchange.id)?;
        let places = (1..all.len()).flat_map(|step| [own.checked_sub(step), own.checked_add(step)]).flatten();
        let mut others = places.filter_map(|place| trace.exchanges.get(all.get(place)?.index()));
        others.find_map(|other| self.messages.reply(other, copy)).map(|(octets, kind)| (octets, kind, true))
    }
}

/// Returns `token`, counted up until none of `used` is the same; itself where it is empty.
fn unused_token(used: &BTreeSet<Token>, token: Token) -> Token {
    let mut octets = token.as_slice().to_vec();
    // One more try than there are used ones finds a free one, unless all are used.
    for _ in 0..=used.len() {
        for octet in octets.iter_mut().rev() {
            *octet = octet.wrapping_add(1);
            if *octet != 0 {
                break;
            }
        }
        if let Some(next) = Token::from_slice(&octets).filter(|next| !used.contains(next)) {
            return next;
        }
    }
    token
}
