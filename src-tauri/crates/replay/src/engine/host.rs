//! State shared by the associations of one client node: the aggregate limit, and the bounded table of destinations.

use super::Client;
use crate::model::{Aggregate, Policy};
use base::{Instant, Span};
use std::collections::BTreeMap;

/// One client node: the associations that share its address.
#[derive(Debug, Default)]
pub(crate) struct Host {
    /// Number of exchanges open to all servers together.
    open: u32,
    /// RTO of each destination, by path, of which there is a sample.
    estimates: BTreeMap<u32, Span>,
    /// Destinations with state, as positions of their paths, the least recently used first.
    destinations: Vec<u32>,
    /// Time since which requests wait, by the position of the client among those simulated together.
    waiting: BTreeMap<u32, Instant>,
}

impl Host {
    /// Hosts of `clients`, and for each client the position of its host.
    pub fn of(clients: &[Client<'_>]) -> (Vec<Self>, Vec<usize>) {
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        let whose = clients.iter().map(|client| {
            let next = numbers.len();
            *numbers.entry(client.record.client).or_insert(next)
        });
        let whose: Vec<usize> = whose.collect();
        let mut hosts = Vec::new();
        hosts.resize_with(numbers.len(), Self::default);
        (hosts, whose)
    }

    /// Whether the limit on all open exchanges ([`Aggregate`]) leaves room for one more on `path`.
    pub fn admits(&self, path: u32, policy: &Policy) -> bool {
        match policy.aggregate {
            Aggregate::Unlimited => true,
            Aggregate::Plimit => {
                let known = self.estimates.len();
                let sum: Span = self.estimates.values().copied().sum();
                let mean = sum.scale(1, i64::try_from(known.max(1)).unwrap_or(i64::MAX));
                let mean = self.estimates.contains_key(&path).then_some(mean);
                u64::from(self.open) < rto::limits::plimit(u32::try_from(known).unwrap_or(u32::MAX), mean)
            }
        }
    }

    /// Records that an exchange starts on `path`; returns whether the destination's state was lost for want of room, or
    /// never known. `false` where the table has no limit.
    pub fn start(&mut self, path: u32, policy: &Policy) -> bool {
        self.open += 1;
        let Some(room) = policy.destinations else { return false };
        let known = self.destinations.iter().position(|&known| known == path);
        if let Some(at) = known {
            self.destinations.remove(at);
        }
        self.destinations.push(path);
        while self.destinations.len() > usize::from(room.max(1)) {
            let lost = self.destinations.remove(0);
            self.estimates.remove(&lost);
        }
        known.is_none()
    }

    /// Updates the RTO of the destination of `path`; `None` removes it.
    pub fn learn(&mut self, path: u32, estimate: Option<Span>) {
        match estimate {
            Some(rto) => self.estimates.insert(path, rto),
            None => self.estimates.remove(&path),
        };
    }

    /// Records that an exchange ended.
    pub fn end(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Records since when the first request of `client` waits; `None` if none does.
    pub fn waits(&mut self, client: u32, since: Option<Instant>) {
        match since {
            Some(since) => self.waiting.insert(client, since),
            None => self.waiting.remove(&client),
        };
    }

    /// Positions of the clients with waiting requests, the longest waiting first.
    pub fn queue(&self) -> Vec<u32> {
        let mut waiting: Vec<(Instant, u32)> = self.waiting.iter().map(|(&client, &since)| (since, client)).collect();
        waiting.sort_unstable();
        waiting.into_iter().map(|(_, client)| client).collect()
    }
}
