//! Exchanges that belong together: the blocks of a transfer, the notifications of an observation, and the two sides of
//! a proxy or NAT.

use crate::exchange::{Association, Exchange, Outcome, ReplyKind};
use crate::join::EXCHANGE_LIFETIME;
use crate::lookup::Map;
use crate::message::{Endpoint, Message};
use crate::reconstruct::message;
use crate::series::{AllSeries, Series};
use base::{AssociationId, ExchangeId, Instant, MessageId, Span};
use wire::coap::{Block, Code, Token, Type};

/// Which way the payload of a transfer goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// In requests: Block1, Q-Block1.
    Up,
    /// In responses: Block2, Q-Block2.
    Down,
}

/// One block of a transfer, as often as it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferBlock {
    /// The exchange that carried it.
    pub exchange: ExchangeId,
    /// Block number.
    pub number: u32,
    /// Where it begins in the whole payload, octets: its number times the size of blocks, which may change on the way.
    pub offset: u32,
    /// Its payload, octets.
    pub octets: u16,
    /// More blocks follow.
    pub more: bool,
}

/// A payload that was sent in blocks (RFC 7959, RFC 9177).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Between whom.
    pub association: AssociationId,
    /// Which way.
    pub direction: Direction,
    /// By Q-Block options (RFC 9177).
    pub quick: bool,
    /// Its blocks, in the order of their exchanges; with several responses to one request (Q-Block2), of those.
    pub blocks: Vec<TransferBlock>,
}

impl Transfer {
    /// The blocks in the order of the payload, each once.
    fn distinct(&self) -> Vec<TransferBlock> {
        let mut blocks = self.blocks.clone();
        blocks.sort_by_key(|b| b.offset);
        blocks.dedup_by_key(|b| b.offset);
        blocks
    }

    /// Payload in all, octets; a block that came twice counts once.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.distinct().iter().map(|b| u64::from(b.octets)).sum()
    }

    /// The last block was seen, and each one before it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut next = 0;
        let mut more = true;
        for block in self.distinct() {
            if block.offset != next {
                return false;
            }
            (next, more) = (block.offset.saturating_add(u32::from(block.octets)), block.more);
        }
        !more
    }
}

/// One notification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notification {
    /// Its message; of a confirmable one, the first copy.
    pub message: MessageId,
    /// Its exchange, from server to client, where it was confirmable.
    pub exchange: Option<ExchangeId>,
    /// Its sequence number (RFC 7641 §3.4).
    pub sequence: u32,
}

/// How an observation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancellation {
    /// The client rejected a notification with a reset (RFC 7641 §3.6).
    Reset,
    /// The client deregistered.
    Deregistered,
    /// The server sent an error, or a response without Observe (RFC 7641 §4.2).
    Server,
    /// The client did not acknowledge a notification (RFC 7641 §4.5).
    Silent,
}

/// A client that observes a resource (RFC 7641).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The exchange that registered it.
    pub registration: ExchangeId,
    /// Token of the request and of all notifications.
    pub token: Token,
    /// Notifications after the first response, in order.
    pub notifications: Vec<Notification>,
    /// When and how it ended, where the capture shows that.
    pub cancelled: Option<(Instant, Cancellation)>,
}

/// Requests of several clients that began together: all of them saw the same event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Burst {
    /// When the first began.
    pub at: Instant,
    /// Those of different clients, in order.
    pub exchanges: Vec<ExchangeId>,
}

/// All relations of a capture.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Relations {
    /// In order of their first block.
    pub transfers: Vec<Transfer>,
    /// In order of registration.
    pub observations: Vec<Observation>,
    /// A request before a proxy or NAT, and the same one behind it; in order of the latter.
    pub sides: Vec<(ExchangeId, ExchangeId)>,
    /// In order of time.
    pub events: Vec<Burst>,
}

/// Find them.
pub(crate) fn relate(
    exchanges: &[Exchange],
    associations: &[Association],
    messages: &[Message],
    series: &AllSeries,
) -> Relations {
    let mut relations = Relations {
        sides: sides(exchanges, associations),
        events: events(exchanges, associations),
        ..Relations::default()
    };
    if !series.is_empty() {
        relations.transfers = transfers(exchanges, messages, series);
        relations.observations = observations(exchanges, associations, messages, series);
    }
    relations
}

/// Requests that begin within this of an event: nodes notice one within milliseconds, and contend for the channel for
/// hundreds (IEEE 802.15.4-2020 6.2.5.1: CSMA gives up after some 40 ms, and retries).
const TOGETHER: Span = Span::from_millis(300);

/// An event is noticed by at least this share of the clients, and by three.
const SHARE: (usize, usize) = (1, 2);

/// More clients begin together than would by chance, by this factor.
const BY_CHANCE: usize = 4;

/// Where several clients begin together, much oftener than their rates make likely. Exchanges come in order of start.
fn events(exchanges: &[Exchange], associations: &[Association]) -> Vec<Burst> {
    let least = (associations.len() * SHARE.0).div_ceil(SHARE.1).max(3);
    let span = match (exchanges.first(), exchanges.last()) {
        (Some(first), Some(last)) => last.start() - first.start(),
        _ => return Vec::new(),
    };
    // Expected in a window: exchanges × window / span.
    let (all, windows) = (exchanges.len(), usize::try_from(span.nanos() / TOGETHER.nanos()).unwrap_or(0));
    let many = |count: usize| count >= least && count * windows >= BY_CHANCE * all;
    if associations.len() < least || windows == 0 || !many(associations.len()) {
        return Vec::new();
    }
    let mut bursts: Vec<Burst> = Vec::new();
    // A window that ends with each exchange in turn, and how many of each client are in it.
    let (mut from, mut clients) = (0, 0);
    let mut counts = vec![0_u32; associations.len()];
    for (at, last) in exchanges.iter().enumerate() {
        let Some(count) = counts.get_mut(last.association.index()) else { continue };
        clients += usize::from(*count == 0);
        *count += 1;
        while let Some(first) = exchanges.get(from).filter(|first| last.start() - first.start() > TOGETHER) {
            from += 1;
            let Some(count) = counts.get_mut(first.association.index()).filter(|count| **count > 0) else { continue };
            *count -= 1;
            clients -= usize::from(*count == 0);
        }
        if !many(clients) {
            continue;
        }
        let mut window: Vec<(AssociationId, ExchangeId)> =
            exchanges.iter().take(at + 1).skip(from).map(|e| (e.association, e.id)).collect();
        window.sort_unstable();
        window.dedup_by_key(|client| client.0);
        let mut ids: Vec<ExchangeId> = window.into_iter().map(|(_, id)| id).collect();
        ids.sort_unstable();
        let start = exchanges.get(from).map_or(last.start(), Exchange::start);
        match bursts.last_mut().filter(|burst| start - burst.at <= TOGETHER) {
            // The same one, still growing.
            Some(burst) => {
                burst.exchanges.extend(ids);
                burst.exchanges.sort_unstable();
                burst.exchanges.dedup();
            }
            None => bursts.push(Burst { at: start, exchanges: ids }),
        }
    }
    bursts
}

/// What tells transfers apart that are under way at the same time.
type Key = (AssociationId, Direction, Code, u64);

fn transfers(exchanges: &[Exchange], messages: &[Message], series: &AllSeries) -> Vec<Transfer> {
    let mut transfers: Vec<Transfer> = Vec::new();
    let mut current: Map<Key, (usize, Instant)> = Map::default();
    let of = |id| message(messages, id).and_then(|m| series.of(m.frame).map(|series| (series, m)));
    for exchange in exchanges {
        let request = exchange.copies.first().and_then(|copy| of(copy.message)).map(|(series, _)| *series);
        let mut add = |direction, target, block: Block, octets, quick| {
            let offset = block.num.saturating_mul(u32::from(block.size()));
            let this = TransferBlock { exchange: exchange.id, number: block.num, offset, octets, more: block.more };
            let key = (exchange.association, direction, exchange.code, target);
            let goes_on = |t: &Transfer| match t.blocks.last() {
                Some(last) => last.exchange == this.exchange || last.offset < offset || quick && block.num > 0,
                None => false,
            };
            let recent = current.get(&key).filter(|(_, at)| exchange.start() - *at <= EXCHANGE_LIFETIME);
            let open = recent.map(|&(index, _)| index).filter(|&index| transfers.get(index).is_some_and(goes_on));
            let index = open.unwrap_or(transfers.len());
            if open.is_none() {
                let association = exchange.association;
                transfers.push(Transfer { association, direction, quick, blocks: Vec::new() });
            }
            current.insert(key, (index, exchange.start()));
            if let Some(transfer) = transfers.get_mut(index).filter(|t| t.blocks.last() != Some(&this)) {
                transfer.blocks.push(this);
            }
        };
        if let Some(Series { up: Some(block), quick, target, .. }) = request
            && exchange.code.is_request()
        {
            add(Direction::Up, target, block, exchange.payload, quick);
        }
        let target = request.map_or(PLAIN, |series| series.target);
        for (response, message) in exchange.replies.iter().filter_map(|reply| of(reply.message)) {
            let Some(block) = response.down.filter(|_| exchange.code.is_request()) else { continue };
            // A payload in one block is not a transfer, unless it is the last one that was asked for.
            if block.num == 0 && !block.more {
                continue;
            }
            add(Direction::Down, target, block, message.payload, response.quick);
        }
    }
    merge_heads(transfers)
}

/// The target of a request without any of the options: the first of a transfer may ask for nothing in particular.
const PLAIN: u64 = 0;

/// The first request of a download often has no Block2 option, and so no target: its block belongs to the transfer that
/// goes on behind it.
fn merge_heads(transfers: Vec<Transfer>) -> Vec<Transfer> {
    let mut merged: Vec<Transfer> = Vec::with_capacity(transfers.len());
    for mut transfer in transfers {
        let first = transfer.blocks.first().map_or(0, |b| b.offset);
        let is_head = |t: &&mut Transfer| {
            let end = t.blocks.last().filter(|last| last.more).map(|last| last.offset + u32::from(last.octets));
            let same = t.association == transfer.association && t.direction == transfer.direction;
            same && t.direction == Direction::Down && first > 0 && end == Some(first)
        };
        match merged.iter_mut().rev().find(is_head) {
            Some(head) => head.blocks.append(&mut transfer.blocks),
            None => merged.push(transfer),
        }
    }
    merged
}

fn observations(
    exchanges: &[Exchange],
    associations: &[Association],
    messages: &[Message],
    series: &AllSeries,
) -> Vec<Observation> {
    const REGISTER: u32 = 0;
    const DEREGISTER: u32 = 1;
    let mut found: Vec<Observation> = Vec::new();
    let mut current: Map<(Endpoint, Endpoint, Token), usize> = Map::default();
    let observe = |m: &Message| series.of(m.frame).and_then(|s| s.observe);
    for exchange in exchanges.iter().filter(|e| e.code.is_request()) {
        let Some(association) = associations.get(exchange.association.index()) else { continue };
        let asked = exchange.copies.first().and_then(|c| message(messages, c.message)).and_then(observe);
        let key = (association.client, association.server, exchange.token);
        if asked == Some(REGISTER) {
            let accepted = |reply: &crate::Reply| message(messages, reply.message).and_then(observe).is_some();
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
            let cancelled = by_mid.get(&(m.src, m.dst, m.mid)).and_then(|&at| found.get_mut(at));
            if let Some(observation) = cancelled {
                observation.cancelled.get_or_insert((m.at, Cancellation::Reset));
            }
            continue;
        }
        if !m.code.is_response() || !matches!(m.kind, Type::Con | Type::Non) || copies.contains_key(&m.id) {
            continue;
        }
        let Some(&at) = current.get(&(m.dst, m.src, m.token)) else { continue };
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
                by_mid.insert((m.dst, m.src, m.mid), at);
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

/// A request that a proxy or NAT sends on is the same one: same token, code and payload, while the first side is open.
/// Behind a proxy (RFC 7252 §5.7) the client is the first side's server, and the Message ID another; behind a NAT one
/// end has another address, and the Message ID is the same. Without a token nothing tells requests of different
/// clients apart.
fn sides(exchanges: &[Exchange], associations: &[Association]) -> Vec<(ExchangeId, ExchangeId)> {
    if associations.len() < 2 {
        return Vec::new();
    }
    let mut sides = Vec::new();
    let mut recent: Map<(Token, Code, u16), Vec<ExchangeId>> = Map::default();
    let ends = |e: &Exchange| associations.get(e.association.index()).map(|a| (a.client, a.server));
    for exchange in exchanges.iter().filter(|e| !e.token.is_empty() && e.code.is_request()) {
        let Some((client, server)) = ends(exchange) else { continue };
        let open = recent.entry((exchange.token, exchange.code, exchange.payload)).or_default();
        open.retain(|&id| {
            let other = exchanges.get(id.index());
            other.is_some_and(|e| exchange.start() <= e.end.unwrap_or_else(|| e.start() + OPEN_SIDE))
        });
        let is_side = |&&id: &&ExchangeId| {
            let Some(other) = exchanges.get(id.index()) else { return false };
            let Some((their_client, their_server)) = ends(other) else { return false };
            let proxy = client.addr == their_server.addr && server != their_client;
            let nat = other.mid == exchange.mid
                && ((server == their_server && client.addr != their_client.addr)
                    || (client == their_client && server.addr != their_server.addr));
            // The answer passes the inner side first.
            let inside = exchange.end.is_none_or(|end| other.end.is_none_or(|theirs| end <= theirs));
            inside && (proxy || nat)
        };
        if let Some(&first) = open.iter().rev().find(is_side) {
            sides.push((first, exchange.id));
        }
        if open.len() < MOST_OPEN {
            open.push(exchange.id);
        }
    }
    sides
}

/// How long an exchange without an end is taken to be open: MAX_TRANSMIT_WAIT (RFC 7252 §4.8.2).
const OPEN_SIDE: Span = Span::from_secs(93);

/// Requests with the same token, code and length that are open at once and looked at.
const MOST_OPEN: usize = 64;

impl Relations {
    /// Tell each association how many of its requests began in events.
    pub(crate) fn count_events(&self, exchanges: &[Exchange], associations: &mut [Association]) {
        for id in self.events.iter().flat_map(|burst| &burst.exchanges) {
            let association = exchanges.get(id.index()).and_then(|e| associations.get_mut(e.association.index()));
            if let Some(association) = association {
                association.rhythm.in_events += 1;
            }
        }
    }

    /// The transfer that an exchange is part of.
    #[must_use]
    pub fn transfer_of(&self, exchange: ExchangeId) -> Option<&Transfer> {
        self.transfers.iter().find(|t| t.blocks.iter().any(|b| b.exchange == exchange))
    }

    /// What carries an exchange on behind a proxy or NAT.
    #[must_use]
    pub fn onward(&self, exchange: ExchangeId) -> Option<ExchangeId> {
        self.sides.iter().find(|side| side.0 == exchange).map(|side| side.1)
    }
}

const fn responds(kind: ReplyKind) -> bool {
    matches!(kind, ReplyKind::Piggybacked | ReplyKind::Separate)
}

/// Whether a message of its own is a notification for a request that has been answered, or ends those, and is not
/// another answer to it.
pub(crate) fn is_notification(series: &AllSeries, m: &Message, exchange: &Exchange, messages: &[Message]) -> bool {
    let first = exchange.replies.iter().find(|r| responds(r.kind)).and_then(|r| message(messages, r.message));
    let observe = |m: &Message| series.of(m.frame).is_some_and(|s| s.observe.is_some());
    first.is_some_and(|first| first.mid != m.mid && (observe(m) || observe(first)))
}
