//! From a reconstructed trace to the record. The only file that knows `trace`.

use super::{AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Record, Workload};
use base::{ExchangeId, Instant};
use std::net::Ipv6Addr;
use trace::{Association, Evidence, Exchange, Trace};

impl Record {
    /// The record of a reconstructed trace. Guessed fates ([`Evidence::Unknown`]) become unknown.
    /// A reset closes its exchange: it stops the timer as an acknowledgement does (RFC 7252 §4.2).
    #[must_use]
    pub fn from_trace(trace: &Trace) -> Self {
        let mut nodes: Vec<Ipv6Addr> = trace.associations.iter().flat_map(|a| [a.client.addr, a.server.addr]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let node =
            |addr: Ipv6Addr| nodes.binary_search(&addr).map_or(u32::MAX, |i| u32::try_from(i).unwrap_or(u32::MAX));
        let associations = trace
            .associations
            .iter()
            .map(|a| association(trace, a, node(a.client.addr), node(a.server.addr)))
            .collect();
        Self::new(associations, trace.capture.window())
    }
}

fn association(trace: &Trace, a: &Association, client: u32, server: u32) -> AssociationRecord {
    AssociationRecord {
        id: a.id,
        client,
        server,
        workload: match a.workload {
            trace::Workload::Arrivals => Workload::Arrivals,
            trace::Workload::ThinkTime => Workload::ThinkTime,
        },
        nstart: a.nstart,
        exchanges: exchanges(trace, a),
    }
}

/// The exchanges of `a`, each with the moment its application wanted to send it, where that was before it could. Both
/// lists are in order of start.
fn exchanges(trace: &Trace, a: &Association) -> Vec<ExchangeRecord> {
    let mut waited = a.ready.iter().peekable();
    let of = |id: &ExchangeId| {
        while waited.next_if(|ready| ready.exchange < *id).is_some() {}
        let ready = waited.next_if(|ready| ready.exchange == *id).map(|ready| ready.at);
        trace.exchanges.get(id.index()).map(|e| exchange(e, ready))
    };
    a.exchanges.iter().filter_map(of).collect()
}

fn exchange(e: &Exchange, ready: Option<Instant>) -> ExchangeRecord {
    let outcome = match (e.outcome, e.end) {
        (trace::Outcome::Acked | trace::Outcome::Separate | trace::Outcome::Reset, Some(_)) => Outcome::Closed,
        (trace::Outcome::Abandoned, _) => Outcome::Abandoned,
        // By an answer that the capture lacks: when is not known.
        (_, None) | (trace::Outcome::Open, _) => Outcome::Open,
    };
    let is_cut_off = e.end.is_none() && !matches!(e.outcome, trace::Outcome::Abandoned | trace::Outcome::Open);
    ExchangeRecord {
        id: e.id,
        ready: ready.map(|at| at.min(e.start())),
        copies: e.copies.iter().map(copy).map(|c| if is_cut_off { undated(c) } else { c }).collect(),
        outcome,
        end: if outcome == Outcome::Closed { e.end } else { None },
        payload: e.payload,
    }
}

/// A copy of an exchange that ended nobody knows when: a reply to it did not end it, so nothing is known of when it came.
fn undated(c: CopyRecord) -> CopyRecord {
    CopyRecord { fate: if c.fate.rtt().is_some() { Fate::Unknown } else { c.fate }, ..c }
}

fn copy(c: &trace::Copy) -> CopyRecord {
    let fate = match (c.evidence, c.fate) {
        (Evidence::Unknown, _) | (_, trace::Fate::Unknown) => Fate::Unknown,
        (_, trace::Fate::Answered { rtt }) => Fate::Answered { rtt },
        (_, trace::Fate::RequestLost) => Fate::RequestLost,
        (_, trace::Fate::ReplyLost) => Fate::ReplyLost,
        (_, trace::Fate::Lost) => Fate::Lost,
    };
    CopyRecord { sent: c.sent, fate, proven: c.evidence == Evidence::Proven }
}
