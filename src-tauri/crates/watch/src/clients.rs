//! Sums since watching began: over all clients, and of each.

use crate::exchange::{Ended, SeenExchange};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of clients that are counted one by one; exchanges of others are in the sum of all only. Chosen here: more
/// than a mesh has, and less than a megabyte.
const MOST: usize = 4_096;

/// Sums of one client; all are counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientTotals {
    /// Number of exchanges that were taken, answered or not.
    pub exchanges: u64,
    /// Number of exchanges that a reply ended.
    pub answered: u64,
    /// Number of exchanges that the client gave up.
    pub failed: u64,
    /// Number of exchanges whose end is not known.
    pub open: u64,
    /// Number of copies of all exchanges.
    pub copies: u64,
    /// Number of copies sent while an earlier one is answered anyway.
    pub needless: u64,
    /// Number of copies that are known to have been lost, or whose replies were.
    pub lost: u64,
}

impl ClientTotals {
    fn add(&mut self, seen: &SeenExchange) {
        self.exchanges += 1;
        match seen.ended {
            Ended::Answered => self.answered += 1,
            Ended::GivenUp => self.failed += 1,
            Ended::Open => self.open += 1,
        }
        self.copies += u64::from(seen.copies);
        self.needless += u64::from(seen.needless);
        self.lost += u64::from(seen.lost);
    }
}

/// Sums since watching began; all are counts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Number of frames of the capture.
    pub frames: u64,
    /// Sums over all clients.
    pub all: ClientTotals,
    /// Sums of each client by name, of the first 4096.
    pub clients: BTreeMap<String, ClientTotals>,
    /// Number of exchanges of clients beyond these.
    pub of_other_clients: u64,
    /// Number of exchanges that were taken while later frames could still have changed them, because the window was
    /// full.
    pub early: u64,
    /// Alerts that began or happened, by name of the rule.
    pub alerts: BTreeMap<String, u64>,
    /// Number of records that could not be read, and were left out.
    pub damaged: u64,
    /// Octets between records that are no record.
    pub skipped: u64,
    /// Windows that had to end at a file of another kind, or where time moved by more than a day.
    pub ended_windows: u64,
    /// Times that the clock of the capture was set back by more than a minute.
    pub set_back: u64,
    /// Clients, nodes and rows that were not looked at because there are more of them than are kept.
    pub left_out: u64,
}

impl Totals {
    /// Adds an exchange, to the sums of all and of its client.
    pub(crate) fn add(&mut self, seen: &SeenExchange) {
        self.all.add(seen);
        if self.clients.len() < MOST || self.clients.contains_key(&seen.client) {
            self.clients.entry(seen.client.clone()).or_default().add(seen);
        } else {
            self.of_other_clients += 1;
        }
    }
}
