//! Sums since watching began: of all clients, and of each.

use crate::exchange::{Ended, SeenExchange};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Clients that are counted each; the exchanges of others are in the sum only. Chosen here: more than a mesh has, and less than a
/// megabyte.
const MOST: usize = 4_096;

/// Sums of one client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientTotals {
    /// Exchanges.
    pub exchanges: u64,
    /// Answered ones.
    pub answered: u64,
    /// Those that the client gave up.
    pub failed: u64,
    /// Those whose end is not known.
    pub open: u64,
    /// Copies.
    pub copies: u64,
    /// Copies sent while an earlier one is answered anyway.
    pub needless: u64,
    /// Copies that are known to have been lost, or whose replies were.
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

/// Sums since watching began.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Frames.
    pub frames: u64,
    /// Sums of all clients.
    pub all: ClientTotals,
    /// Sums of each client by name, the first [`MOST`].
    pub clients: BTreeMap<String, ClientTotals>,
    /// Exchanges of clients beyond these.
    pub of_other_clients: u64,
    /// Exchanges that were taken before nothing could change them any more, because the window was full.
    pub early: u64,
    /// Alerts, by name of the rule.
    pub alerts: BTreeMap<String, u64>,
    /// Records that could not be read among others, and were left out.
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
    pub(crate) fn add(&mut self, seen: &SeenExchange) {
        self.all.add(seen);
        if self.clients.len() < MOST || self.clients.contains_key(&seen.client) {
            self.clients.entry(seen.client.clone()).or_default().add(seen);
        } else {
            self.of_other_clients += 1;
        }
    }
}
