//! Clients that observe resources (RFC 7641).

use crate::decode::series::AllSeries;
use crate::lookup::Map;
use crate::model::{Association, Endpoint, Exchange, Message, Outcome, ReplyKind, message_at};
use base::{ExchangeId, Instant, MessageId};
use wire::coap::{Token, Type};

/// One notification of an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notification {
    /// Message that carried it; the first copy of a confirmable one.
    pub message: MessageId,
    /// Exchange of a confirmable one, in which the server is the client; `None` for the others.
    pub exchange: Option<ExchangeId>,
    /// Sequence number in its Observe option (RFC 7641 §3.4).
    pub sequence: u32,
}

/// End of an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancellation {
    /// The client rejected a notification with a reset (RFC 7641 §3.6).
    Reset,
    /// The client deregistered (RFC 7641 §3.6).
    Deregistered,
    /// The server sent an error, or a response without Observe (RFC 7641 §4.2).
    Server,
    /// The client did not acknowledge a notification (RFC 7641 §4.5).
    Silent,
}

/// A client that observes a resource (RFC 7641).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Exchange whose request registered it.
    pub registration: ExchangeId,
    /// Token of the request and of all notifications.
    pub token: Token,
    /// Notifications after the first response, in order of sending; copies of confirmable ones are left out.
    pub notifications: Vec<Notification>,
    /// Time and cause of its end; `None` where the capture shows none.
    pub cancelled: Option<(Instant, Cancellation)>,
}

/// Finds the observations that a server accepted, in order of registration. `exchanges` are judged.
pub(super) fn observations(
    exchanges: &[Exchange],
    associations: &[Association],
    messages: &[Message],
    series: &AllSeries,
) -> Vec<Observation> {
    /// Value of Observe in a request that registers (RFC 7641 §2).
    const REGISTER: u32 = 0;
    /// Value of Observe in a request that deregisters (RFC 7641 §2).
    const DEREGISTER: u32 = 1;
    let mut found: Vec<Observation> = Vec::new();
    let mut current: Map<(Endpoint, Endpoint, Token), usize> = Map::default();
    let observe = |m: &Message| series.of(m.frame).and_then(|s| s.observe);
    for exchange in exchanges.iter().filter(|e| e.code.is_request()) {
        let Some(association) = associations.get(exchange.association.index()) else { continue };
        let asked = exchange.copies.first().and_then(|c| message_at(messages, c.message)).and_then(observe);
        let key = (association.client, association.server, exchange.token);
        if asked == Some(REGISTER) {
            let accepted =
                |reply: &crate::model::Reply| message_at(messages, reply.message).and_then(observe).is_some();
            if exchange.replies.iter().any(accepted) {
                current.insert(key, found.len());
                found.push(Observation {
                    registration: exchange.id,
                    token: exchange.token,
                    notifications: Vec::new(),
                    cancelled: None,
                });
            }
        } else if asked == Some(DEREGISTER)
            && let Some(observation) = current.get(&key).and_then(|&at| found.get_mut(at))
        {
            observation.cancelled.get_or_insert((exchange.start(), Cancellation::Deregistered));
        }
    }
    let confirmable: Map<MessageId, ExchangeId> =
        exchanges.iter().filter_map(|e| Some((e.copies.first()?.message, e.id))).collect();
    let copies: Map<MessageId, ()> =
        exchanges.iter().flat_map(|e| e.copies.iter().skip(1)).map(|c| (c.message, ())).collect();
    let mut by_mid: Map<(Endpoint, Endpoint, u16), usize> = Map::default();
    for m in messages {
        if m.kind == Type::Rst {
            let cancelled = by_mid.get(&(m.src(), m.dst(), m.mid)).and_then(|&at| found.get_mut(at));
            if let Some(observation) = cancelled {
                observation.cancelled.get_or_insert((m.at, Cancellation::Reset));
            }
            continue;
        }
        if !m.code.is_response() || !matches!(m.kind, Type::Con | Type::Non) || copies.contains_key(&m.id) {
            continue;
        }
        let Some(&at) = current.get(&(m.dst(), m.src(), m.token)) else { continue };
        let Some(observation) = found.get_mut(at) else { continue };
        let registered = exchanges.get(observation.registration.index()).map_or(Instant::MAX, Exchange::start);
        let is_first = exchanges
            .get(observation.registration.index())
            .is_some_and(|e| e.replies.iter().any(|r| r.message == m.id));
        if m.at < registered || is_first || observation.cancelled.is_some_and(|(when, _)| when < m.at) {
            continue;
        }
        match observe(m) {
            Some(sequence) => {
                by_mid.insert((m.dst(), m.src(), m.mid), at);
                let exchange = confirmable.get(&m.id).copied();
                observation.notifications.push(Notification { message: m.id, exchange, sequence });
                let silent = exchange.and_then(|id| exchanges.get(id.index()));
                if let Some(e) = silent.filter(|e| e.outcome == Outcome::Abandoned) {
                    let last = e.copies.last().map_or(m.at, |c| c.sent);
                    observation.cancelled.get_or_insert((last, Cancellation::Silent));
                }
            }
            None => {
                observation.cancelled.get_or_insert((m.at, Cancellation::Server));
            }
        }
    }
    found
}

const fn responds(kind: ReplyKind) -> bool {
    matches!(kind, ReplyKind::Piggybacked | ReplyKind::Separate)
}

/// Returns whether the separate message `m` with the token of `exchange` is a notification, or a response that ends the
/// observation, rather than another answer to the request: the request has been answered by a message with another
/// Message ID, and one of the two carries Observe.
pub(crate) fn is_notification(series: &AllSeries, m: &Message, exchange: &Exchange, messages: &[Message]) -> bool {
    let first = exchange.replies.iter().find(|r| responds(r.kind)).and_then(|r| message_at(messages, r.message));
    let observe = |m: &Message| series.of(m.frame).is_some_and(|s| s.observe.is_some());
    first.is_some_and(|first| first.mid != m.mid && (observe(m) || observe(first)))
}
