//! Pages of the exchange table.

use crate::columns::{EXCHANGE_COLUMNS, FateKind};
use crate::frame::{Data, Sheet, TableError};
use crate::timeline::Timeline;
use crate::timeline::marks::{CopyMark, ExchangeMark};
use base::{AssociationId, ExchangeId, Instant, Span};
use std::cmp::Ordering;
use trace::Trace;

/// Selection and order of exchanges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageQuery {
    /// Window in which they start, ends included; `None` for all.
    pub window: Option<(Instant, Instant)>,
    /// Association of the exchanges; `None` for all.
    pub association: Option<AssociationId>,
    /// True to keep only exchanges with retransmissions.
    pub retransmitted: bool,
    /// Name of the column to sort by; `start` when `None`.
    pub sort: Option<String>,
    /// True for the largest first.
    pub descending: bool,
    /// Number of rows to skip.
    pub offset: usize,
    /// Largest number of rows to return.
    pub limit: usize,
}

/// Returns the number of exchanges of the query, on all pages.
#[must_use]
pub fn count(recorded: &Timeline, query: &PageQuery) -> usize {
    recorded.exchanges().filter(|e| wanted(e, query)).count()
}

fn wanted(exchange: &ExchangeMark, query: &PageQuery) -> bool {
    query.window.is_none_or(|(t0, t1)| (t0..=t1).contains(&exchange.start()))
        && query.association.is_none_or(|a| a == exchange.association)
        && (!query.retransmitted || exchange.copies.len() > 1)
}

fn needless(exchange: &ExchangeMark) -> usize {
    exchange.copies.iter().filter(|c| c.needless).count()
}

fn lost(exchange: &ExchangeMark) -> usize {
    let dead = |fate| matches!(fate, FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost);
    exchange.copies.iter().filter(|c| dead(c.fate)).count()
}

/// Text with a digit a copy, in order of sending.
fn each_copy(exchange: &ExchangeMark, digit: impl Fn(&CopyMark) -> u8) -> String {
    exchange.copies.iter().map(|copy| char::from(b'0' + digit(copy))).collect()
}

fn rtt(exchange: &ExchangeMark) -> Option<Span> {
    exchange.end.map(|end| end - exchange.start())
}

/// Returns the rows of a page as columns ([`EXCHANGE_COLUMNS`]); equal rows are in order of time.
///
/// # Errors
/// [`TableError::Unknown`] for a column that cannot be sorted by.
pub fn page(trace: &Trace, recorded: &Timeline, query: &PageQuery) -> Result<Sheet, TableError> {
    let rows: Vec<_> = ordered(trace, recorded, query)?.into_iter().skip(query.offset).take(query.limit).collect();
    sheet(trace, &rows)
}

/// Position, from 0, of an exchange among all rows of the query; `None` where it is not among them.
///
/// # Errors
/// As [`page`].
pub fn row_of(
    trace: &Trace,
    recorded: &Timeline,
    query: &PageQuery,
    exchange: ExchangeId,
) -> Result<Option<usize>, TableError> {
    Ok(ordered(trace, recorded, query)?.iter().position(|row| row.exchange == exchange))
}

/// All exchanges of the query, in its order; errs as [`page`].
fn ordered<'a>(trace: &Trace, recorded: &'a Timeline, query: &PageQuery) -> Result<Vec<&'a ExchangeMark>, TableError> {
    let mut rows: Vec<&ExchangeMark> = recorded.exchanges().filter(|e| wanted(e, query)).collect();
    let column = query.sort.as_deref().unwrap_or("start");
    let key = comparison(trace, column)?;
    rows.sort_by(|a, b| {
        let order = key(a, b);
        let order = if query.descending { order.reverse() } else { order };
        order.then_with(|| (a.start(), a.exchange).cmp(&(b.start(), b.exchange)))
    });
    Ok(rows)
}

type Comparison<'a> = Box<dyn Fn(&ExchangeMark, &ExchangeMark) -> Ordering + 'a>;

fn comparison<'a>(trace: &'a Trace, column: &str) -> Result<Comparison<'a>, TableError> {
    let association = |e: &ExchangeMark| trace.associations.get(e.association.index());
    let exchange = |e: &ExchangeMark| trace.exchanges.get(e.exchange.index());
    Ok(match column {
        "start" => Box::new(|a, b| a.start().cmp(&b.start())),
        "end" => Box::new(|a, b| a.end.cmp(&b.end)),
        "exchange" => Box::new(|a, b| a.exchange.cmp(&b.exchange)),
        "association" | "client" => Box::new(|a, b| a.association.cmp(&b.association)),
        "server" => Box::new(move |a, b| association(a).map(|x| x.server).cmp(&association(b).map(|x| x.server))),
        "mid" => Box::new(move |a, b| exchange(a).map(|x| x.mid).cmp(&exchange(b).map(|x| x.mid))),
        "token" => Box::new(move |a, b| exchange(a).map(|x| x.token).cmp(&exchange(b).map(|x| x.token))),
        "code" => Box::new(move |a, b| exchange(a).map(|x| x.code.0).cmp(&exchange(b).map(|x| x.code.0))),
        "payload" => Box::new(move |a, b| exchange(a).map(|x| x.payload).cmp(&exchange(b).map(|x| x.payload))),
        "copies" => Box::new(|a, b| a.copies.len().cmp(&b.copies.len())),
        "needless" | "flags" => Box::new(|a, b| needless(a).cmp(&needless(b))),
        "lost" | "fates" => Box::new(|a, b| lost(a).cmp(&lost(b))),
        "outcome" => Box::new(|a, b| a.outcome.cmp(&b.outcome)),
        "rtt" => Box::new(|a, b| rtt(a).cmp(&rtt(b))),
        other => {
            let known: Vec<_> = EXCHANGE_COLUMNS.iter().map(|c| c.0).collect();
            return Err(TableError::Unknown { name: other.to_owned(), known: known.join(", ") });
        }
    })
}

fn sheet(trace: &Trace, rows: &[&ExchangeMark]) -> Result<Sheet, TableError> {
    let exchange = |e: &ExchangeMark| trace.exchanges.get(e.exchange.index());
    let association = |e: &ExchangeMark| trace.associations.get(e.association.index());
    let small = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
    let number = |e: &ExchangeMark| u16::try_from(e.association.0).unwrap_or(u16::MAX);
    macro_rules! column {
        ($kind:ident, $value:expr) => {
            Data::$kind(rows.iter().map(|&e| $value(e)).collect())
        };
    }
    Sheet::new(
        EXCHANGE_COLUMNS,
        vec![
            column!(U32, |e: &ExchangeMark| e.exchange.0),
            column!(U16, number),
            column!(Text, |e| association(e).map_or_else(String::new, |a| a.client_name.clone())),
            column!(Text, |e| association(e).map_or_else(String::new, |a| a.server_name.clone())),
            column!(U16, |e| exchange(e).map_or(0, |x| x.mid)),
            column!(Text, |e| exchange(e).map_or_else(String::new, |x| x.token.to_string())),
            column!(Text, |e| exchange(e).map_or_else(String::new, |x| x.code.to_string())),
            column!(F64, |e: &ExchangeMark| e.start().nanos() as f64),
            column!(F64, |e: &ExchangeMark| e.end.map_or(f64::NAN, |at| at.nanos() as f64)),
            column!(U8, |e: &ExchangeMark| small(e.copies.len())),
            column!(U8, |e| small(needless(e))),
            column!(U8, |e| small(lost(e))),
            column!(Text, |e| each_copy(e, |copy| copy.fate.number())),
            column!(Text, |e| each_copy(e, |copy| u8::from(copy.needless))),
            column!(U8, |e: &ExchangeMark| e.outcome.number()),
            column!(F64, |e| rtt(e).map_or(f64::NAN, Span::secs_f64)),
            column!(U16, |e| exchange(e).map_or(0, |x| x.payload)),
        ],
    )
}
