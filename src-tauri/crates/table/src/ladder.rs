//! Table of copies and replies hop by hop, for the command line.

use crate::cells::{Cells, Listing};
use crate::listing::{delivery, text, time, whole};
use base::{ExchangeId, Span};
use trace::Trace;
use trace::ladder::{Ending, Ladder, Leg, Loss, Node, Transit};

/// Row of the table: one hop of one copy or reply; `number` from 0, `hop` from 1.
struct Row {
    exchange: ExchangeId,
    part: &'static str,
    number: usize,
    hop: usize,
    src: String,
    dst: String,
    ending: Option<&'static str>,
    queue: Option<Span>,
    leg: Leg,
}

/// Lists each hop of each copy and each reply: `exchange part number hop src dst sent arrived delivery ending queue
/// mac_delay fragments attempts retries acknowledged duplicate hop_limit frames`; by exchange, copies before replies.
///
/// `part` is `copy` or `reply`, `number` counts from 0 and `hop` from 1; `src` and `dst` are names of nodes. `ending`
/// says the fate of the message on the hop on which it was last seen. `queue`: time the sender had held it, s; empty
/// where its arrival there was not seen, as at its origin. `mac_delay`: first frame to the end of the last
/// acknowledgement needed, s. `attempts` are frames, `retries` those of them that repeat a piece, `acknowledged` those
/// with a link-layer ACK.
#[must_use]
pub fn copy_hops(trace: &Trace) -> Listing {
    let ladders = trace.exchanges.iter().filter_map(|exchange| Ladder::of(trace, exchange.id));
    let rows: Vec<Row> = ladders.flat_map(rows).collect();
    let span = |value: &dyn Fn(&Row) -> Option<Span>| {
        Cells::Seconds(rows.iter().map(|row| value(row).map(Span::nanos)).collect())
    };
    let number =
        |value: &dyn Fn(&Row) -> usize| Cells::Whole(rows.iter().map(|r| i64::try_from(value(r)).ok()).collect());
    let retries = |row: &Row| row.leg.attempts.iter().filter(|attempt| attempt.attempt > 1).count();
    let acknowledged = |row: &Row| row.leg.attempts.iter().filter(|attempt| attempt.ack.is_some()).count();
    let frames = |row: &Row| {
        let numbers: Vec<String> = row.leg.attempts.iter().map(|a| (u64::from(a.frame.0) + 1).to_string()).collect();
        numbers.join(" ")
    };
    Listing {
        columns: vec![
            ("exchange", whole(rows.iter().map(|r| r.exchange.0))),
            ("part", text(rows.iter().map(|r| r.part))),
            ("number", number(&|r| r.number)),
            ("hop", number(&|r| r.hop)),
            ("src", text(rows.iter().map(|r| r.src.as_str()))),
            ("dst", text(rows.iter().map(|r| r.dst.as_str()))),
            ("sent", Cells::Seconds(rows.iter().map(|r| Some(time(trace, r.leg.sent))).collect())),
            ("arrived", Cells::Seconds(rows.iter().map(|r| r.leg.arrived.map(|at| time(trace, at))).collect())),
            ("delivery", text(rows.iter().map(|r| delivery(r.leg.delivery)))),
            ("ending", Cells::Text(rows.iter().map(|r| r.ending.map(str::to_owned)).collect())),
            ("queue", span(&|r| r.queue)),
            ("mac_delay", span(&|r| r.leg.mac_delay)),
            ("fragments", number(&|r| r.leg.fragments)),
            ("attempts", number(&|r| r.leg.attempts.len())),
            ("retries", number(&retries)),
            ("acknowledged", number(&acknowledged)),
            ("duplicate", number(&|r| usize::from(r.leg.duplicate))),
            ("hop_limit", whole(rows.iter().map(|r| r.leg.hop_limit))),
            ("frames", text(rows.iter().map(frames))),
        ],
    }
}

fn rows(ladder: Ladder) -> Vec<Row> {
    let Ladder { exchange, nodes, copies, replies, .. } = ladder;
    let parts = copies.into_iter().enumerate().map(|(n, p)| ("copy", n, p));
    let parts = parts.chain(replies.into_iter().enumerate().map(|(n, p)| ("reply", n, p)));
    let name = |at: usize| nodes.get(at).map_or_else(String::new, |node: &Node| node.name.clone());
    let row = |(part, number, transit): (&'static str, usize, Transit)| {
        let Transit { legs, waits, ending, .. } = transit;
        let (place, ending) = called(ending, legs.len());
        let row = |(index, leg): (usize, Leg)| Row {
            exchange,
            part,
            number,
            hop: index + 1,
            src: name(leg.from),
            dst: name(leg.to),
            ending: (Some(index) == place).then_some(ending),
            queue: waits.iter().find(|w| w.node == leg.from && w.until == leg.sent).map(|w| w.until - w.from),
            leg,
        };
        legs.into_iter().enumerate().map(row).collect::<Vec<_>>()
    };
    parts.flat_map(row).collect()
}

/// Returns the hop (from 0) on which a message was last seen, and the name of its ending.
fn called(ending: Ending, legs: usize) -> (Option<usize>, &'static str) {
    match ending {
        Ending::Arrived { .. } => (legs.checked_sub(1), "arrived"),
        Ending::Died { leg, loss, .. } => {
            let name = match loss {
                Loss::NotReceived => "not_received",
                Loss::Incomplete => "incomplete",
                Loss::NotAcknowledged => "not_acknowledged",
                Loss::NotSentOn => "not_sent_on",
            };
            (Some(leg), name)
        }
        Ending::Unknown { leg } => (leg, "unknown"),
    }
}
