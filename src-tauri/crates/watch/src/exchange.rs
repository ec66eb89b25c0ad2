//! An exchange that is over.

use base::ExchangeId;
use serde::{Deserialize, Serialize};
use table::needless;
use trace::{Exchange, Fate, Outcome, Trace};

/// End of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// By a reply.
    Answered,
    /// The client gave up.
    GivenUp,
    /// It is not known: the client may still wait, or the reply that stopped it was not captured.
    #[default]
    Open,
}

/// An exchange that nothing changes any more, as alerts need it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenExchange {
    /// Number of the record, from 0, with which it began, counted since watching began: no other exchange has it.
    pub record: u64,
    /// When that was, nanoseconds from the Unix epoch.
    pub time: i64,
    /// Name of the client.
    pub client: String,
    /// Name of the server.
    pub server: String,
    /// Message ID.
    pub mid: u16,
    /// Its end.
    pub ended: Ended,
    /// Number of copies.
    pub copies: u32,
    /// Copies that were sent while an earlier one is answered anyway.
    pub needless: u32,
    /// Copies that are known to have been lost, or whose replies were.
    pub lost: u32,
    /// Copies whose fate is known.
    pub known: u32,
    /// From the first copy to the closing reply, nanoseconds.
    pub duration: Option<u64>,
}

impl SeenExchange {
    /// Exchange `id` of a window.
    pub(crate) fn of(trace: &Trace, id: ExchangeId, record: u64, time: i64) -> Option<Self> {
        let exchange = trace.exchanges.get(id.index())?;
        let association = trace.associations.get(exchange.association.index())?;
        let count = |is: &dyn Fn(Fate) -> bool| exchange.copies.iter().filter(|copy| is(copy.fate)).count() as u32;
        let is_lost = |fate: Fate| matches!(fate, Fate::RequestLost | Fate::ReplyLost | Fate::Lost);
        Some(Self {
            record,
            time,
            client: association.client_name.clone(),
            server: association.server_name.clone(),
            mid: exchange.mid,
            ended: ended(exchange),
            copies: exchange.copies.len() as u32,
            needless: (0..exchange.copies.len()).filter(|&copy| needless(exchange, copy)).count() as u32,
            lost: count(&is_lost),
            known: count(&|fate| fate != Fate::Unknown),
            duration: exchange.rtt().and_then(|rtt| u64::try_from(rtt.nanos()).ok()),
        })
    }
}

const fn ended(exchange: &Exchange) -> Ended {
    match exchange.outcome {
        Outcome::Acked | Outcome::Separate | Outcome::Reset => Ended::Answered,
        Outcome::Abandoned => Ended::GivenUp,
        Outcome::Open => Ended::Open,
    }
}
