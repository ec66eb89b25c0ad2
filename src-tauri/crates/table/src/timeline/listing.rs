//! Tables of the exchanges and copies that runs would have sent.

use super::marks::{CopyMark, ExchangeMark};
use super::{FateKind, OutcomeKind, Timeline};
use crate::cells::{Cells, Listing};
use crate::listing::{text, time, whole};
use trace::Trace;

/// Exchanges of one timer in the first replicate of its run.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour<'a> {
    /// Name of the timer, as the command line takes it.
    pub name: &'a str,
    /// Exchanges of the timer.
    pub timeline: &'a Timeline,
}

/// Lists the exchanges of each behaviour:
/// `algorithm exchange client server mid code start end copies needless lost outcome rtt`, behaviour by behaviour.
/// `rtt` runs from the first copy to the closing reply, s. Exchanges that the application did not begin in a behaviour
/// have no row.
#[must_use]
pub fn run_exchanges(trace: &Trace, behaviours: &[Behaviour<'_>]) -> Listing {
    let rows: Vec<(&str, &ExchangeMark)> =
        behaviours.iter().flat_map(|b| b.timeline.exchanges().map(move |e| (b.name, e))).collect();
    let rows = &rows;
    let client = |e: &ExchangeMark| trace.associations.get(e.association.index());
    let recorded = |e: &ExchangeMark| trace.exchanges.get(e.exchange.index());
    let count = |e: &ExchangeMark, is: fn(&CopyMark) -> bool| i64::try_from(e.copies.iter().filter(|c| is(c)).count());
    let lost = |c: &CopyMark| matches!(c.fate, FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost);
    Listing {
        columns: vec![
            ("algorithm", text(rows.iter().map(|r| r.0))),
            ("exchange", whole(rows.iter().map(|r| r.1.exchange.0))),
            ("client", Cells::Text(rows.iter().map(|r| Some(client(r.1)?.client_name.clone())).collect())),
            ("server", Cells::Text(rows.iter().map(|r| Some(client(r.1)?.server_name.clone())).collect())),
            ("mid", Cells::Whole(rows.iter().map(|r| Some(recorded(r.1)?.mid.into())).collect())),
            ("code", Cells::Text(rows.iter().map(|r| Some(recorded(r.1)?.code.to_string())).collect())),
            ("start", Cells::Seconds(rows.iter().map(|r| Some(time(trace, r.1.start()))).collect())),
            ("end", Cells::Seconds(rows.iter().map(|r| r.1.end.map(|at| time(trace, at))).collect())),
            ("copies", Cells::Whole(rows.iter().map(|r| count(r.1, |_| true).ok()).collect())),
            ("needless", Cells::Whole(rows.iter().map(|r| count(r.1, |c| c.needless).ok()).collect())),
            ("lost", Cells::Whole(rows.iter().map(|r| count(r.1, lost).ok()).collect())),
            ("outcome", text(rows.iter().map(|r| outcome(r.1.outcome)))),
            ("rtt", Cells::Seconds(rows.iter().map(|r| r.1.end.map(|at| (at - r.1.start()).nanos())).collect())),
        ],
    }
}

/// Lists the copies of each behaviour: `algorithm exchange copy sent fate rtt timer needless recorded`, behaviour by
/// behaviour. `copy` counts from 0; `rtt` from this copy to its reply, `timer` the one that was armed, s; `needless` is
/// 1 or 0; `recorded` is 1 where the fate was recorded, 0 where the channel's model gave it.
#[must_use]
pub fn run_copies(trace: &Trace, behaviours: &[Behaviour<'_>]) -> Listing {
    let rows: Vec<(&str, &ExchangeMark, usize, &CopyMark)> = behaviours
        .iter()
        .flat_map(|b| b.timeline.exchanges().map(move |e| (b.name, e)))
        .flat_map(|(name, e)| e.copies.iter().enumerate().map(move |(index, copy)| (name, e, index, copy)))
        .collect();
    let rows = &rows;
    Listing {
        columns: vec![
            ("algorithm", text(rows.iter().map(|r| r.0))),
            ("exchange", whole(rows.iter().map(|r| r.1.exchange.0))),
            ("copy", Cells::Whole(rows.iter().map(|r| i64::try_from(r.2).ok()).collect())),
            ("sent", Cells::Seconds(rows.iter().map(|r| Some(time(trace, r.3.sent))).collect())),
            ("fate", text(rows.iter().map(|r| fate(r.3.fate)))),
            ("rtt", Cells::Seconds(rows.iter().map(|r| r.3.rtt.map(base::Span::nanos)).collect())),
            ("timer", Cells::Seconds(rows.iter().map(|r| r.3.timer.map(|timer| timer.value.nanos())).collect())),
            ("needless", whole(rows.iter().map(|r| r.3.needless))),
            ("recorded", whole(rows.iter().map(|r| r.3.supported))),
        ],
    }
}

const fn outcome(outcome: OutcomeKind) -> &'static str {
    match outcome {
        OutcomeKind::Acked => "acked",
        OutcomeKind::Separate => "separate",
        OutcomeKind::Reset => "reset",
        OutcomeKind::Abandoned => "abandoned",
        OutcomeKind::Open => "open",
    }
}

const fn fate(fate: FateKind) -> &'static str {
    match fate {
        FateKind::Answered => "answered",
        FateKind::RequestLost => "request_lost",
        FateKind::ReplyLost => "reply_lost",
        FateKind::Lost => "lost",
        FateKind::Unknown => "unknown",
    }
}
