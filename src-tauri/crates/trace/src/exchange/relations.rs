//! Exchanges that belong together: the blocks of a transfer, the notifications of an observation, and the two sides of
//! a proxy or NAT.

mod event;
mod observe;
mod role;
mod transfer;

pub use event::Burst;
pub(crate) use observe::is_notification;
pub use observe::{Cancellation, Notification, Observation};
pub use role::{ExchangeRole, ExchangeRoles};
pub use transfer::{Direction, Transfer, TransferBlock};

use crate::decode::series::AllSeries;
use crate::lookup::Recent;
use crate::model::{Association, Exchange, Message};
use base::{ExchangeId, Span};
use wire::coap::{Code, Token};

/// All relations of a capture.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Relations {
    /// Block-wise transfers, in order of their first block.
    pub transfers: Vec<Transfer>,
    /// Observations, in order of registration.
    pub observations: Vec<Observation>,
    /// Pairs of a request before a proxy or NAT and the same one behind it (before, behind), in order of the latter.
    pub sides: Vec<(ExchangeId, ExchangeId)>,
    /// Events that several clients report at once, in order of time.
    pub events: Vec<Burst>,
}

/// Finds the relations of `exchanges`, which are judged and in order of their first copy.
pub(crate) fn relations_of(
    exchanges: &[Exchange],
    associations: &[Association],
    messages: &[Message],
    series: &AllSeries,
) -> Relations {
    let mut relations = Relations {
        sides: sides(exchanges, associations),
        events: event::events(exchanges, associations),
        ..Relations::default()
    };
    if !series.is_empty() {
        relations.transfers = transfer::transfers(exchanges, messages, series);
        relations.observations = observe::observations(exchanges, associations, messages, series);
    }
    relations
}

/// Pairs each request that a proxy or NAT sends on with the request before it: same token, code and payload length,
/// while the first side is open. Behind a proxy (RFC 7252 §5.7) the client is the first side's server, and the Message
/// ID another; behind a NAT one end has another address, and the Message ID is the same. Without a token nothing tells
/// requests of different clients apart.
fn sides(exchanges: &[Exchange], associations: &[Association]) -> Vec<(ExchangeId, ExchangeId)> {
    if associations.len() < 2 {
        return Vec::new();
    }
    let mut sides = Vec::new();
    // The last one of each content, and per exchange the one before it.
    let mut recent: Recent<(Token, Code, u16)> = Recent::new(OPEN_SIDE);
    let mut before: Vec<u32> = vec![NONE; exchanges.len()];
    let ends = |e: &Exchange| associations.get(e.association.index()).map(|a| (a.client, a.server));
    for exchange in exchanges.iter().filter(|e| !e.token.is_empty() && e.code.is_request()) {
        let Some((client, server)) = ends(exchange) else { continue };
        let content = (exchange.token, exchange.code, exchange.payload);
        recent.advance(exchange.start());
        let last = recent.get(&content).unwrap_or(NONE);
        recent.insert(content, exchange.id.0);
        if let Some(slot) = before.get_mut(exchange.id.index()) {
            *slot = last;
        }
        let is_side = |other: &&Exchange| {
            let Some((their_client, their_server)) = ends(other) else { return false };
            let proxy = client.addr == their_server.addr && server != their_client;
            let nat = other.mid == exchange.mid
                && ((server == their_server && client.addr != their_client.addr)
                    || (client == their_client && server.addr != their_server.addr));
            let open = exchange.start() <= other.end.unwrap_or_else(|| other.start() + OPEN_SIDE);
            // The answer passes the inner side first.
            let inside = exchange.end.is_none_or(|end| other.end.is_none_or(|theirs| end <= theirs));
            open && inside && (proxy || nat)
        };
        let earlier = |&id: &u32| before.get(id as usize).copied().filter(|&id| id != NONE);
        let chain = std::iter::successors(Some(last).filter(|&id| id != NONE), earlier).take(MOST_OPEN);
        if let Some(first) = chain.filter_map(|id| exchanges.get(id as usize)).find(is_side) {
            sides.push((first.id, exchange.id));
        }
    }
    sides
}

/// Value in place of an exchange: none.
const NONE: u32 = u32::MAX;

/// Time that an exchange without an end is taken to be open: MAX_TRANSMIT_WAIT (RFC 7252 §4.8.2).
const OPEN_SIDE: Span = Span::from_secs(93);

/// Most requests with the same token, code and length that are looked at, the youngest first.
/// Chosen here to bound time.
const MOST_OPEN: usize = 64;

impl Relations {
    /// Counts for each association its requests that began in events.
    pub(crate) fn count_events(&self, exchanges: &[Exchange], associations: &mut [Association]) {
        for id in self.events.iter().flat_map(|burst| &burst.exchanges) {
            let association = exchanges.get(id.index()).and_then(|e| associations.get_mut(e.association.index()));
            if let Some(association) = association {
                association.rhythm.in_events += 1;
            }
        }
    }

    /// Returns the transfer that `exchange` carried a block of; `None` where it carried none.
    #[must_use]
    pub fn transfer_of(&self, exchange: ExchangeId) -> Option<&Transfer> {
        self.transfers.iter().find(|t| t.blocks.iter().any(|b| b.exchange == exchange))
    }

    /// Returns the exchange behind a proxy or NAT that carries `exchange` on; `None` where none was seen.
    #[must_use]
    pub fn onward(&self, exchange: ExchangeId) -> Option<ExchangeId> {
        self.sides.iter().find(|side| side.0 == exchange).map(|side| side.1)
    }
}
