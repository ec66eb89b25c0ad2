//! Events that several clients report at once.

use crate::exchange::{Association, Exchange};
use base::{AssociationId, ExchangeId, Instant, Span};

/// Requests of several clients that began together: all of them saw the same event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Burst {
    /// When the first began.
    pub at: Instant,
    /// Those of different clients, in order.
    pub exchanges: Vec<ExchangeId>,
}

/// Requests that begin within this of an event: nodes notice one within milliseconds, and contend for the channel for
/// hundreds (IEEE 802.15.4-2020 6.2.5.1: CSMA gives up after some 40 ms, and retries).
const TOGETHER: Span = Span::from_millis(300);

/// An event is noticed by at least this share of the clients, and by three.
const SHARE: (usize, usize) = (1, 2);

/// More clients begin together than would by chance, by this factor.
const BY_CHANCE: usize = 4;

/// Where several clients begin together, much oftener than their rates make likely. Exchanges come in order of start.
pub(super) fn events(exchanges: &[Exchange], associations: &[Association]) -> Vec<Burst> {
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
