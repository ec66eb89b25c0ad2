//! Timers of clients, and changes of them.
//!
//! The exchanges of a client are put in blocks of [`GAPS`] retransmissions. The timer of each block is identified on
//! its own ([`replay::identify`]). A client changed its timer where a block is identified as another algorithm than the
//! last block that was identified at all, or as RFC 7252's own with other constants. A block that cannot be identified
//! is no change.

use base::{AssociationId, Cancelled, ExchangeId, Instant, Progress, Span};
use replay::identify::{Clues, Verdict, family, identify};
use replay::{AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Record, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of retransmissions of a block. Chosen here: in blocks of this size no run of one timer, of those bundled and
/// of `../shared/cooja`, is taken for a change (`RTOSCOPE_ALL=1 cargo test --release -p watch --test law timer`), and
/// larger blocks find fewer changes: few clients retransmit so often.
const GAPS: usize = 30;

/// Largest number of exchanges of a block; older ones are dropped. Chosen here: a client of which one exchange in
/// twenty is retransmitted still fills its blocks.
const MOST_EXCHANGES: usize = 1_200;

/// Largest number of clients whose exchanges are kept. Chosen here: with full blocks they take some 100 MB.
const MOST_CLIENTS: usize = 512;

/// Change of the timer of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TimerChange {
    /// Name of the client.
    pub client: String,
    /// Presets that fitted the block before, the likeliest first.
    pub from: Vec<String>,
    /// Presets that fit the new block, the likeliest first.
    pub to: Vec<String>,
    /// Number of retransmissions from which the new one was identified.
    pub gaps: u64,
}

/// Blocks of the clients that have sent exchanges, by name of the client.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, transparent)]
pub(crate) struct Timers(BTreeMap<String, Block>);

/// Exchanges of a client since its timer was last identified.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    nstart: u8,
    error: i64,
    arrivals: bool,
    marked: Option<bool>,
    gaps: usize,
    exchanges: Vec<KeptExchange>,
    /// Presets of the last block that was identified, the likeliest first; empty before.
    identified: Vec<String>,
}

/// Part of an exchange that identification needs, kept until its block is full; times are nanoseconds from the Unix
/// epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptExchange {
    ready: Option<i64>,
    /// Time at which each copy was sent, its fate as a letter (`a` answered, `q` request lost, `r` reply lost, `l`
    /// lost, `u` unknown), its round trip (0 where not answered), and whether its fate is proven.
    copies: Vec<(i64, char, i64, bool)>,
    closed: Option<i64>,
    given_up: bool,
    payload: u16,
}

impl Timers {
    /// Adds an exchange of `client`, whose association in its window is `association`; times of the window are relative
    /// to `epoch`, nanoseconds from the Unix epoch. `marked`: whether copies name their number by the RC option, if
    /// known.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks: the exchange is not added.
    pub fn add(
        &mut self,
        client: &str,
        association: &AssociationRecord,
        exchange: &ExchangeRecord,
        epoch: i64,
        marked: Option<bool>,
        progress: &mut dyn Progress,
    ) -> Result<Added, Cancelled> {
        if !self.0.contains_key(client) && self.0.len() >= MOST_CLIENTS {
            return Ok(Added::LeftOut);
        }
        let block = self.0.entry(client.to_owned()).or_default();
        let before = (block.nstart, block.error, block.arrivals, block.marked, block.gaps);
        block.nstart = block.nstart.max(association.nstart);
        block.error = block.error.max(association.error.nanos());
        block.arrivals = association.workload == Workload::Arrivals;
        block.marked = match (block.marked, marked) {
            (Some(one), Some(other)) => Some(one || other),
            (one, other) => one.or(other),
        };
        block.gaps += exchange.copies.len().saturating_sub(1);
        block.exchanges.push(KeptExchange::of(exchange, epoch));
        let old = (block.exchanges.len() > MOST_EXCHANGES).then(|| block.exchanges.remove(0));
        block.gaps -= old.as_ref().map_or(0, |old| old.copies.len().saturating_sub(1));
        if block.gaps < GAPS {
            return Ok(Added::Kept);
        }
        let gaps = block.gaps as u64;
        let found = match block.identify(progress) {
            Ok(found) => found,
            Err(cancelled) => {
                block.exchanges.pop();
                block.exchanges.splice(0..0, old);
                (block.nstart, block.error, block.arrivals, block.marked, block.gaps) = before;
                return Err(cancelled);
            }
        };
        (block.gaps, block.marked) = (0, None);
        block.exchanges.clear();
        block.exchanges.shrink_to(MOST_EXCHANGES / 10);
        if found.is_empty() {
            return Ok(Added::Kept);
        }
        let before = std::mem::replace(&mut block.identified, found.clone());
        let is_other = !before.is_empty() && is_other(&before, &found);
        Ok(if is_other {
            Added::Changed(TimerChange { client: client.to_owned(), from: before, to: found, gaps })
        } else {
            Added::Kept
        })
    }

    /// Algorithms of clients that were identified: name of the client, and the likeliest preset.
    pub fn identified(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(client, block)| Some((client.as_str(), block.identified.first()?.as_str())))
    }
}

/// Returns whether presets that fit one block are of another timer than those that fit another. They may be of one
/// algorithm if it learns nothing (RFC 7252 §4.2): then other constants are another setting, not a result of other
/// round trips.
fn is_other(before: &[String], found: &[String]) -> bool {
    let family = |presets: &[String]| presets.first().and_then(|preset| family(preset));
    let is_constant = family(found) == replay::identify::family("coap_default");
    family(before) != family(found) || is_constant && !before.iter().any(|preset| found.contains(preset))
}

/// Effect of adding an exchange ([`Timers::add`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Added {
    /// The exchange was added.
    Kept,
    /// The exchange was not added: there are too many clients.
    LeftOut,
    /// The exchange was added, and completes a change.
    Changed(TimerChange),
}

impl Block {
    /// Presets that fit the block, the likeliest first; empty where it cannot be told.
    fn identify(&self, progress: &mut dyn Progress) -> Result<Vec<String>, Cancelled> {
        // Its own times are short numbers.
        let first = self.exchanges.first().and_then(|kept| kept.copies.first()).map_or(0, |copy| copy.0);
        let exchanges = (0..).zip(&self.exchanges).map(|(id, kept)| kept.record(ExchangeId(id), first)).collect();
        let association = AssociationRecord {
            id: AssociationId(0),
            client: 0,
            server: 1,
            workload: if self.arrivals { Workload::Arrivals } else { Workload::ThinkTime },
            nstart: self.nstart,
            error: Span::from_nanos(self.error),
            queue: None,
            exchanges,
        };
        let record = Record::new(vec![association], None);
        let clues = Clues { marked: self.marked, only: Vec::new() };
        Ok(match identify(&record, &clues, progress)?.trace.verdict {
            Verdict::Identified { presets, .. } => presets.into_iter().map(str::to_owned).collect(),
            Verdict::CannotTell { .. } | Verdict::NoneFits { .. } => Vec::new(),
        })
    }
}

impl KeptExchange {
    fn of(exchange: &ExchangeRecord, epoch: i64) -> Self {
        let at = |at: Instant| at.nanos().saturating_add(epoch);
        let copy = |copy: &CopyRecord| {
            let (fate, rtt) = match copy.fate {
                Fate::Answered { rtt } => ('a', rtt.nanos()),
                Fate::RequestLost => ('q', 0),
                Fate::ReplyLost => ('r', 0),
                Fate::Lost => ('l', 0),
                Fate::Unknown => ('u', 0),
            };
            (at(copy.sent), fate, rtt, copy.proven)
        };
        Self {
            ready: exchange.ready.map(at),
            copies: exchange.copies.iter().map(copy).collect(),
            closed: exchange.end.filter(|_| exchange.outcome == Outcome::Closed).map(at),
            given_up: exchange.outcome == Outcome::Abandoned,
            payload: exchange.payload,
        }
    }

    fn record(&self, id: ExchangeId, first: i64) -> ExchangeRecord {
        let at = |nanos: i64| Instant::from_nanos(nanos.saturating_sub(first));
        let copy = |&(sent, fate, rtt, proven): &(i64, char, i64, bool)| {
            let fate = match fate {
                'a' => Fate::Answered { rtt: Span::from_nanos(rtt) },
                'q' => Fate::RequestLost,
                'r' => Fate::ReplyLost,
                'l' => Fate::Lost,
                _ => Fate::Unknown,
            };
            CopyRecord { sent: at(sent), fate, proven }
        };
        let outcome = match (self.closed, self.given_up) {
            (Some(_), _) => Outcome::Closed,
            (None, true) => Outcome::Abandoned,
            (None, false) => Outcome::Open,
        };
        ExchangeRecord {
            id,
            ready: self.ready.map(at),
            copies: self.copies.iter().map(copy).collect::<Vec<_>>().into(),
            outcome,
            end: self.closed.map(at),
            payload: self.payload,
        }
    }
}
