//! Conversion of a reconstructed trace to a record. The only file that knows `trace`.

use super::{AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Record, Workload};
use crate::model::{Hops, Medium, Node};
use base::{Cancelled, ExchangeId, Instant, MessageId, Progress, SharedProgress, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv6Addr;
use trace::{Association, Evidence, Exchange, MacAddr, Reply, Trace, network};

impl Record {
    /// Makes the record of a reconstructed trace. Guessed fates ([`Evidence::Unknown`]) become unknown. A reset closes
    /// its exchange: it stops the timer as an acknowledgement does (RFC 7252 §4.2). `progress` counts looks at
    /// exchanges and messages.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn from_trace(trace: &Trace, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let [exchanges, messages] = [trace.exchanges.len() as u64, trace.messages.len() as u64];
        let mut shared = SharedProgress::new(progress, 4 * exchanges + 3 * messages);
        let mut nodes: Vec<Ipv6Addr> = trace.associations.iter().flat_map(|a| [a.client.addr, a.server.addr]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let node =
            |addr: Ipv6Addr| nodes.binary_search(&addr).map_or(u32::MAX, |i| u32::try_from(i).unwrap_or(u32::MAX));
        shared.stage(exchanges, trace.associations.len() as u64)?;
        let associations = trace.associations.iter().map(|a| {
            shared.pass()?;
            Ok(association(trace, a, node(a.client.addr), node(a.server.addr)))
        });
        let record = Self::new(associations.collect::<Result<_, _>>()?, trace.capture.window());
        let late = late(trace, &mut shared)?;
        Ok(record.with_medium(medium(trace, &mut shared)?).with_late(late))
    }

    /// Makes the part of [`Record::from_trace`] that shows timers, for summaries of large captures: its notes, and the
    /// exchanges of associations with a retransmission. The others have none, and nothing is known of the medium.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn of_timers(trace: &Trace, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let mut shared = SharedProgress::new(progress, trace.associations.len() as u64);
        shared.stage(trace.associations.len() as u64, trace.associations.len() as u64)?;
        let mut record = Self { window: trace.capture.window(), ..Self::default() };
        for a in &trace.associations {
            shared.pass()?;
            let one = Self::new(vec![association(trace, a, 0, 0)], trace.capture.window());
            record.notes.merge(one.notes);
            let keep = |mut a: AssociationRecord| {
                if a.exchanges.iter().all(|e| e.copies.len() < 2) {
                    a.exchanges = Vec::new();
                }
                a
            };
            record.associations.extend(one.associations.into_iter().map(keep));
        }
        Ok(record)
    }
}

/// Arrivals of replies after the end of an exchange, to copies that are answered by an unknown one of the replies.
fn late(trace: &Trace, shared: &mut SharedProgress<'_>) -> Result<BTreeMap<ExchangeId, Vec<Instant>>, Cancelled> {
    let of = |e: &Exchange| {
        let end = e.end?;
        let came = |c: &trace::Copy| match (c.evidence, c.fate) {
            (Evidence::Unknown, Fate::Answered { rtt }) => Some(c.sent + rtt).filter(|&came| came > end),
            _ => None,
        };
        let came: Vec<Instant> = e.copies.iter().filter_map(came).collect();
        (!came.is_empty()).then_some((e.id, came))
    };
    shared.list(trace.exchanges.len() as u64, trace.exchanges.len())?;
    let all = trace.exchanges.iter().enumerate();
    all.filter_map(|(index, e)| shared.item(index).map(|()| of(e)).transpose()).collect()
}

/// Airtimes from the frames of each copy and its replies; which associations hear each other from the nodes that sent
/// and received them.
fn medium(trace: &Trace, shared: &mut SharedProgress<'_>) -> Result<Medium, Cancelled> {
    let on_air = |id: MessageId| {
        let message = trace.messages.get(id.index())?;
        let frames: usize = message.hops().map(|hop| hop.frames.len()).sum();
        // Octets of all frames, and what goes before and after each of them.
        let around = network::airtime(0).scale(i64::try_from(frames).unwrap_or(0) - 1, 1);
        Some(network::airtime(message.octets()) + around)
    };
    let mut airtimes = Vec::with_capacity(trace.exchanges.iter().map(|e| e.copies.len()).sum());
    shared.list(trace.exchanges.len() as u64, trace.exchanges.len())?;
    for (index, e) in trace.exchanges.iter().enumerate() {
        shared.item(index)?;
        for (attempt, copy) in e.copies.iter().enumerate() {
            let answers = |r: &&Reply| r.answers.map_or(r.closing && attempt == 0, |a| usize::from(a) == attempt);
            let replies = e.replies.iter().filter(answers).filter_map(|r| on_air(r.message));
            airtimes.push((e.id, copy.sent, on_air(copy.message).into_iter().chain(replies).sum()));
        }
    }
    let nodes = nodes(trace, shared)?;
    let hearing = hearing(trace, &nodes, shared)?;
    let hops = hops(trace, &nodes, shared)?;
    Ok(Medium::new(airtimes, hearing).through(passed(trace, &nodes, shared)?, hops))
}

/// Per association the nodes that sent or were sent its messages, as far as frames have link-layer addresses.
fn nodes(trace: &Trace, shared: &mut SharedProgress<'_>) -> Result<Vec<BTreeSet<MacAddr>>, Cancelled> {
    shared.stage(trace.exchanges.len() as u64, trace.associations.len() as u64)?;
    let of = |a: &Association| {
        shared.pass()?;
        let exchanges = a.exchanges.iter().filter_map(|id| trace.exchanges.get(id.index()));
        let messages = exchanges.flat_map(|e| {
            e.copies.iter().map(|c| c.message).chain(e.replies.iter().map(|r| r.message)).collect::<Vec<_>>()
        });
        let hops = messages.filter_map(|id| trace.messages.get(id.index())).flat_map(|m| m.hops());
        Ok(hops.flat_map(|hop| [hop.src(), hop.dst()]).filter(|mac| mac.iid().is_some()).collect())
    };
    trace.associations.iter().map(of).collect()
}

/// Hops of messages as the capture shows them, where associations pass `nodes`.
fn hops(trace: &Trace, nodes: &[BTreeSet<MacAddr>], shared: &mut SharedProgress<'_>) -> Result<Hops, Cancelled> {
    if nodes.iter().flatten().collect::<BTreeSet<_>>().len() < 2 {
        return Ok(Hops::Unknown);
    }
    let mut missing = 0;
    shared.list(trace.messages.len() as u64, trace.messages.len())?;
    for (index, message) in trace.messages.iter().enumerate() {
        shared.item(index)?;
        missing += u64::from(!message.from_origin && message.hops().next().is_some());
    }
    Ok(if twin::lacks_hops(missing, trace.messages.len() as u64) { Hops::Missing } else { Hops::Seen })
}

/// Nodes that several associations pass. Of those that the same associations pass, the one at which messages were
/// longest on the whole, from when they were there to when they were at the next: there is the bottleneck, if it is one
/// of them.
fn passed(trace: &Trace, nodes: &[BTreeSet<MacAddr>], shared: &mut SharedProgress<'_>) -> Result<Vec<Node>, Cancelled> {
    let mut stays: BTreeMap<MacAddr, Span> = BTreeMap::new();
    shared.list(trace.messages.len() as u64, trace.messages.len())?;
    for (index, message) in trace.messages.iter().enumerate() {
        shared.item(index)?;
        for (here, next) in message.hops().zip(message.hops().skip(1)) {
            if let (Some(came), Some(left), true) = (here.arrived, next.arrived, here.dst() == next.src()) {
                let stay = stays.entry(here.dst()).or_default();
                *stay += (left - came).max(Span::ZERO);
            }
        }
    }
    let mut found: BTreeMap<Vec<u32>, (Span, MacAddr)> = BTreeMap::new();
    let all: BTreeSet<MacAddr> = nodes.iter().flatten().copied().collect();
    for node in all {
        let paths: Vec<u32> = (0..).zip(nodes).filter(|(_, own)| own.contains(&node)).map(|(at, _)| at).collect();
        let stay = stays.get(&node).copied().unwrap_or(Span::ZERO);
        let longest = found.entry(paths).or_insert((stay, node));
        if stay > longest.0 {
            *longest = (stay, node);
        }
    }
    let shared = found.into_iter().filter(|(paths, _)| paths.len() > 1);
    Ok(shared.map(|(paths, (_, node))| Node { name: node.to_string(), paths }).collect())
}

/// Per association those that it hears: a node of one is a node of the other, or was seen to send to one of its.
/// Nothing where frames have no link-layer addresses.
fn hearing(
    trace: &Trace,
    nodes: &[BTreeSet<MacAddr>],
    shared: &mut SharedProgress<'_>,
) -> Result<Vec<Vec<u32>>, Cancelled> {
    shared.list(trace.messages.len() as u64, trace.messages.len())?;
    if nodes.iter().any(BTreeSet::is_empty) {
        return Ok(Vec::new());
    }
    let mut near: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (index, message) in trace.messages.iter().enumerate() {
        shared.item(index)?;
        for hop in message.hops() {
            near.entry(hop.src()).or_default().insert(hop.dst());
            near.entry(hop.dst()).or_default().insert(hop.src());
        }
    }
    let reach = |own: &BTreeSet<_>| -> BTreeSet<_> {
        own.iter().filter_map(|node| near.get(node)).flatten().chain(own).copied().collect()
    };
    let heard = |own: &BTreeSet<_>| {
        let reach = reach(own);
        (0..).zip(nodes).filter(|(_, other)| !other.is_disjoint(&reach)).map(|(i, _)| i).collect()
    };
    Ok(nodes.iter().map(heard).collect())
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
        error: a.correction.error,
        queue: None,
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
    let mut exchanges = Vec::with_capacity(a.exchanges.len());
    exchanges.extend(a.exchanges.iter().filter_map(of));
    exchanges
}

fn exchange(e: &Exchange, ready: Option<Instant>) -> ExchangeRecord {
    let outcome = match (e.outcome, e.end) {
        (trace::Outcome::Acked | trace::Outcome::Separate | trace::Outcome::Reset, Some(_)) => Outcome::Closed,
        (trace::Outcome::Abandoned, _) => Outcome::Abandoned,
        // An answer that the capture lacks ended it at an unknown time.
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

/// A copy of an exchange that ended at an unknown time: no reply to it ended the exchange, so the time of its reply is
/// unknown.
fn undated(c: CopyRecord) -> CopyRecord {
    CopyRecord { fate: if c.fate.rtt().is_some() { Fate::Unknown } else { c.fate }, ..c }
}

fn copy(c: &trace::Copy) -> CopyRecord {
    // A guess is open: only the evidence tells it from knowledge.
    let fate = if c.evidence == Evidence::Unknown { Fate::Unknown } else { c.fate };
    CopyRecord { sent: c.sent, fate, proven: c.evidence == Evidence::Proven }
}
