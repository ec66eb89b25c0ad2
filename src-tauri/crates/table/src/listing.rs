//! Tables of the command line. The names of their columns are an interface that other programs read.

use crate::cells::{Cells, Listing};
use base::{ExchangeId, FrameId, Instant, MessageId};
use std::net::Ipv6Addr;
use trace::{
    Copy, Delivery, Evidence, Exchange, ExchangeRole, Fate, Head, Hop, KnownTimer, KnownTimers, Message, Outcome,
    TimerSource, Trace, Type, Vantage, Workload,
};

/// Value of a column of times, nanoseconds: since the Unix epoch, or since the start of the simulation where the
/// capture has no wall clock.
pub(crate) fn time(trace: &Trace, at: Instant) -> i64 {
    at.nanos().saturating_add(trace.capture.epoch_unix_nanos.unwrap_or(0))
}

fn address(addr: Ipv6Addr) -> String {
    addr.to_ipv4_mapped().map_or_else(|| addr.to_string(), |v4| v4.to_string())
}

const fn kind(kind: Type) -> &'static str {
    match kind {
        Type::Con => "CON",
        Type::Non => "NON",
        Type::Ack => "ACK",
        Type::Rst => "RST",
    }
}

/// Column of texts that all apply.
pub(crate) fn text<T: Into<String>>(values: impl Iterator<Item = T>) -> Cells {
    Cells::Text(values.map(|v| Some(v.into())).collect())
}

/// Column of whole numbers that all apply.
pub(crate) fn whole<T: Into<i64>>(values: impl Iterator<Item = T>) -> Cells {
    Cells::Whole(values.map(|v| Some(v.into())).collect())
}

/// Lists each CoAP message once: `time frame src src_port dst dst_port type code mid token payload_len`.
/// Time and frame are those of the record that completed it at the first hop seen; `dst` is the final destination.
/// Restricted to the messages that `keep` names.
#[must_use]
pub fn messages(trace: &Trace, keep: &dyn Fn(MessageId) -> bool) -> Listing {
    let rows: Vec<Row<'_>> = trace
        .messages
        .iter()
        .filter(|message| keep(message.id))
        .filter_map(|message| message.frame.map(|frame| Row { frame, message, dst: message.dst().addr }))
        .collect();
    list(trace, &rows)
}

/// Lists every frame that completes a CoAP message: each hop, each link-layer retry. `dst` is the destination in the
/// IPv6 header on that hop, as in Wireshark's `ipv6.dst`: below a source route the next node. Restricted to frames that
/// `keep` names.
#[must_use]
pub fn sightings(trace: &Trace, keep: &dyn Fn(FrameId) -> bool) -> Listing {
    let row = |&(frame, id): &(FrameId, MessageId)| {
        let message = trace.messages.get(id.index())?;
        let hop = message.hops().find(|hop| hop.frames.contains(&frame));
        Some(Row { frame, message, dst: hop.map_or(message.dst().addr, |hop| hop.header_dst()) })
    };
    let rows: Vec<Row<'_>> = trace.sightings.iter().filter(|seen| keep(seen.0)).filter_map(row).collect();
    list(trace, &rows)
}

struct Row<'a> {
    frame: FrameId,
    message: &'a Message,
    dst: Ipv6Addr,
}

fn list(trace: &Trace, rows: &[Row<'_>]) -> Listing {
    let at = |frame: FrameId| trace.capture.frames.get(frame.index()).map(|f| time(trace, f.at));
    Listing {
        columns: vec![
            ("time", Cells::Seconds(rows.iter().map(|r| at(r.frame)).collect())),
            ("frame", whole(rows.iter().map(|r| i64::from(r.frame.0) + 1))),
            ("src", text(rows.iter().map(|r| address(r.message.src().addr)))),
            ("src_port", whole(rows.iter().map(|r| r.message.src().port))),
            ("dst", text(rows.iter().map(|r| address(r.dst)))),
            ("dst_port", whole(rows.iter().map(|r| r.message.dst().port))),
            ("type", text(rows.iter().map(|r| kind(r.message.kind)))),
            ("code", text(rows.iter().map(|r| r.message.code.to_string()))),
            ("mid", whole(rows.iter().map(|r| r.message.mid))),
            ("token", text(rows.iter().map(|r| r.message.token.to_string()))),
            ("payload_len", whole(rows.iter().map(|r| r.message.payload))),
        ],
    }
}

/// Returns the name of a delivery in tables.
pub(crate) const fn delivery(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::No => "no",
        Delivery::Unlikely => "unlikely",
        Delivery::Unknown => "unknown",
        Delivery::Yes => "yes",
    }
}

/// Lists the hops of each message that `keep` names: `message hop src dst sent arrived delivery hop_limit frames`.
/// `hop` counts from 1, `src` and `dst` are link-layer addresses; `frames` are numbers, fragments and retries included.
#[must_use]
pub fn hops(trace: &Trace, keep: &dyn Fn(MessageId) -> bool) -> Listing {
    let kept = trace.messages.iter().filter(|message| keep(message.id));
    let rows: Vec<(&Message, usize, Hop<'_>)> =
        kept.flat_map(|message| message.hops().enumerate().map(move |(i, hop)| (message, i, hop))).collect();
    let frames = |hop: &Hop<'_>| {
        let numbers: Vec<String> = hop.frames.iter().map(|id| (u64::from(id.0) + 1).to_string()).collect();
        numbers.join(" ")
    };
    Listing {
        columns: vec![
            ("message", whole(rows.iter().map(|r| r.0.id.0))),
            ("hop", Cells::Whole(rows.iter().map(|r| i64::try_from(r.1 + 1).ok()).collect())),
            ("src", text(rows.iter().map(|r| r.2.src().to_string()))),
            ("dst", text(rows.iter().map(|r| r.2.dst().to_string()))),
            ("sent", Cells::Seconds(rows.iter().map(|r| Some(time(trace, r.2.sent))).collect())),
            ("arrived", Cells::Seconds(rows.iter().map(|r| r.2.arrived.map(|at| time(trace, at))).collect())),
            ("delivery", text(rows.iter().map(|r| delivery(r.2.delivery)))),
            ("hop_limit", whole(rows.iter().map(|r| r.2.hop_limit))),
            ("frames", text(rows.iter().map(|r| frames(&r.2)))),
        ],
    }
}

const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Acked => "acked",
        Outcome::Separate => "separate",
        Outcome::Reset => "reset",
        Outcome::Abandoned => "abandoned",
        Outcome::Open => "open",
    }
}

const fn workload(workload: Workload) -> &'static str {
    match workload {
        Workload::Arrivals => "arrivals",
        Workload::ThinkTime => "think_time",
    }
}

const fn vantage(vantage: Vantage) -> &'static str {
    match vantage {
        Vantage::Client => "client",
        Vantage::Server => "server",
        Vantage::Between => "between",
        Vantage::Everywhere => "everywhere",
    }
}

/// Lists confirmable exchanges: `id client client_port server server_port mid token code start end copies outcome rtt
/// workload vantage head ready ready_error handed_over handed_error related`.
/// `rtt` runs from the first copy to the closing reply, s. `ready` is the time at which the application wanted to send,
/// where the request waited for another one; `handed_over` the time at which the client armed the first copy's timer,
/// before it was on the air; both with their errors, s. `related` names related exchanges, see [`related`]. Restricted
/// to exchanges that `keep` names.
#[must_use]
pub fn exchanges(trace: &Trace, keep: &dyn Fn(ExchangeId) -> bool) -> Listing {
    let kept = trace.exchanges.iter().filter(|e| keep(e.id));
    let rows: Vec<(&Exchange, &trace::Association)> =
        kept.filter_map(|e| trace.associations.get(e.association.index()).map(|a| (e, a))).collect();
    let rows = &rows;
    let roles = trace.relations.roles();
    let claims: Vec<Claims> = rows.iter().map(|(e, a)| Claims::of(trace, e, a)).collect();
    Listing {
        columns: vec![
            ("id", whole(rows.iter().map(|r| r.0.id.0))),
            ("client", text(rows.iter().map(|r| address(r.1.client.addr)))),
            ("client_port", whole(rows.iter().map(|r| r.1.client.port))),
            ("server", text(rows.iter().map(|r| address(r.1.server.addr)))),
            ("server_port", whole(rows.iter().map(|r| r.1.server.port))),
            ("mid", whole(rows.iter().map(|r| r.0.mid))),
            ("token", text(rows.iter().map(|r| r.0.token.to_string()))),
            ("code", text(rows.iter().map(|r| r.0.code.to_string()))),
            ("start", Cells::Seconds(rows.iter().map(|r| Some(time(trace, r.0.start()))).collect())),
            ("end", Cells::Seconds(rows.iter().map(|r| r.0.end.map(|at| time(trace, at))).collect())),
            ("copies", Cells::Whole(rows.iter().map(|r| i64::try_from(r.0.copies.len()).ok()).collect())),
            ("outcome", text(rows.iter().map(|r| outcome(r.0.outcome)))),
            ("rtt", Cells::Seconds(rows.iter().map(|r| r.0.rtt().map(base::Span::nanos)).collect())),
            ("workload", text(rows.iter().map(|r| workload(r.1.workload)))),
            ("vantage", text(rows.iter().map(|r| vantage(r.1.vantage)))),
            ("head", text(rows.iter().map(|r| head(r.0.head)))),
            ("ready", Cells::Seconds(claims.iter().map(|c| c.ready.map(|r| time(trace, r.at))).collect())),
            ("ready_error", Cells::Seconds(claims.iter().map(|c| c.ready.map(|r| r.error.nanos())).collect())),
            ("handed_over", Cells::Seconds(claims.iter().map(|c| Some(time(trace, c.handed_over.0))).collect())),
            ("handed_error", Cells::Seconds(claims.iter().map(|c| Some(c.handed_over.1.nanos())).collect())),
            ("related", text(rows.iter().map(|r| related(roles.of(r.0.id))))),
        ],
    }
}

/// Returns the estimated start of an exchange in its client.
struct Claims {
    ready: Option<trace::Ready>,
    handed_over: (Instant, base::Span),
}

impl Claims {
    fn of(trace: &Trace, exchange: &Exchange, association: &trace::Association) -> Self {
        let ready = association.ready.binary_search_by_key(&exchange.id, |ready| ready.exchange);
        let none = (exchange.start(), base::Span::ZERO);
        Self {
            ready: ready.ok().and_then(|at| association.ready.get(at).copied()),
            handed_over: exchange.copies.first().map_or(none, |copy| trace.handed_over(association, copy)),
        }
    }
}

const fn head(head: Head) -> &'static str {
    match head {
        Head::Seen => "seen",
        Head::Perhaps => "perhaps",
        Head::Missing => "missing",
    }
}

/// Returns the roles of an exchange, each as a word and the number of the relation: `transfer:3`, `observation:0`,
/// `notification:0`, `onward:2` (a proxy or NAT sent it on), `behind:2`, `event:7`.
pub fn related(role: impl Iterator<Item = ExchangeRole>) -> String {
    let words: Vec<String> = role.map(role_name).collect();
    words.join(" ")
}

/// Formats one role as in [`related`].
#[must_use]
pub fn role_name(role: ExchangeRole) -> String {
    match role {
        ExchangeRole::Block(at) => format!("transfer:{at}"),
        ExchangeRole::Registration(at) => format!("observation:{at}"),
        ExchangeRole::Notification(at) => format!("notification:{at}"),
        ExchangeRole::Before(at) => format!("onward:{at}"),
        ExchangeRole::Behind(at) => format!("behind:{at}"),
        ExchangeRole::Event(at) => format!("event:{at}"),
    }
}

/// Lists copies: `exchange copy sent fate evidence reply rtt gap timer timer_error timer_from wait wait_error`. `copy`
/// counts from 0; `reply` is the frame that completed the reply at its first hop seen; `rtt` from this copy to its
/// reply, `gap` on the air to the next copy, s. `timer` is what was armed, with half its 95 % interval, s, where
/// `timer_from` says so: `log` or `inferred`; `wait` runs from then to the first frame on the air, s.
#[must_use]
pub fn copies(trace: &Trace, timers: &KnownTimers) -> Listing {
    let rows: Vec<(&Exchange, usize, &Copy)> =
        trace.exchanges.iter().flat_map(|e| e.copies.iter().enumerate().map(move |(i, c)| (e, i, c))).collect();
    let rows = &rows;
    let fate = |fate: Fate| match fate {
        Fate::Answered { .. } => "answered",
        Fate::RequestLost => "request_lost",
        Fate::ReplyLost => "reply_lost",
        Fate::Lost => "lost",
        Fate::Unknown => "unknown",
    };
    let evidence = |evidence: Evidence| match evidence {
        Evidence::Proven => "proven",
        Evidence::Inferred => "inferred",
        Evidence::Unknown => "unknown",
    };
    let reply = |exchange: &Exchange, copy: &Copy| {
        let reply = exchange.replies.get(usize::from(copy.reply?))?;
        let frame = trace.messages.get(reply.message.index())?.frame?;
        Some(i64::from(frame.0) + 1)
    };
    let known: Vec<Option<&KnownTimer>> = rows.iter().map(|r| timers.get(r.0.id, r.1)).collect();
    let gap = |exchange: &Exchange, index: usize| {
        Some((exchange.copies.get(index + 1)?.sent - exchange.copies.get(index)?.sent).nanos())
    };
    let rtt = |copy: &Copy| match copy.fate {
        Fate::Answered { rtt } => Some(rtt.nanos()),
        _ => None,
    };
    Listing {
        columns: vec![
            ("exchange", whole(rows.iter().map(|r| r.0.id.0))),
            ("copy", Cells::Whole(rows.iter().map(|r| i64::try_from(r.1).ok()).collect())),
            ("sent", Cells::Seconds(rows.iter().map(|r| Some(time(trace, r.2.sent))).collect())),
            ("fate", text(rows.iter().map(|r| fate(r.2.fate)))),
            ("evidence", text(rows.iter().map(|r| evidence(r.2.evidence)))),
            ("reply", Cells::Whole(rows.iter().map(|r| reply(r.0, r.2)).collect())),
            ("rtt", Cells::Seconds(rows.iter().map(|r| rtt(r.2)).collect())),
            ("gap", Cells::Seconds(rows.iter().map(|r| gap(r.0, r.1)).collect())),
            ("timer", Cells::Seconds(known.iter().map(|k| k.map(|t| t.value.nanos())).collect())),
            ("timer_error", Cells::Seconds(known.iter().map(|k| k.map(|t| t.error.nanos())).collect())),
            ("timer_from", Cells::Text(known.iter().map(|k| k.map(|t| source(t.source).to_owned())).collect())),
            ("wait", Cells::Seconds(known.iter().map(|k| Some(k.as_ref()?.wait?.0.nanos())).collect())),
            ("wait_error", Cells::Seconds(known.iter().map(|k| Some(k.as_ref()?.wait?.1.nanos())).collect())),
        ],
    }
}

const fn source(source: TimerSource) -> &'static str {
    match source {
        TimerSource::Log => "log",
        TimerSource::Inferred => "inferred",
    }
}
