//! Exchanges that are over.

use base::ExchangeId;
use serde::{Deserialize, Serialize};
use table::needless;
use trace::{Exchange, Fate, Outcome, Trace};

/// End of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// A reply came: an acknowledgement, a separate response or a reset.
    Answered,
    /// The client gave up.
    GivenUp,
    /// Not known: the client may still wait, or the reply that stopped it was not captured.
    #[default]
    Open,
}

/// An exchange that no later frame changes any more, as alerts need it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenExchange {
    /// Number, from 0, of the record with which it began, counted since watching began: no other exchange has it.
    pub record: u64,
    /// Time of that record, nanoseconds from the Unix epoch.
    pub time: i64,
    /// Name of the client.
    pub client: String,
    /// Name of the server.
    pub server: String,
    /// Message ID, the same in all copies.
    pub mid: u16,
    /// End of the exchange.
    pub ended: Ended,
    /// Number of copies, the first transmission included.
    pub copies: u32,
    /// Number of copies that were sent while an earlier one is answered anyway.
    pub needless: u32,
    /// Number of copies that are known to have been lost, or whose replies were.
    pub lost: u32,
    /// Number of copies whose fate is known.
    pub known: u32,
    /// Time from the first copy to the closing reply, nanoseconds; `None` where no reply closed it.
    pub duration: Option<u64>,
}

impl SeenExchange {
    /// Makes the summary of exchange `id` of a window, whose first frame is `record` at `time`; `None` where the trace
    /// has no such exchange.
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
