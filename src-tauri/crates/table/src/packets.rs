//! Packet list: rows that pass a filter, and their cells.

mod shown;
mod summary;

pub use shown::{ListLabels, ShownColumn, shown};
pub use summary::Summary;

use crate::cells::{Cells, Listing};
use crate::columns::PACKET_COLUMNS;
use crate::filter::{Field, Filter, Row};
use crate::frame::{Data, Sheet, TableError};
use base::{Cancelled, FrameId, Instant, MessageId, Progress};
use trace::{Places, Trace};

/// Rows between two progress reports. Chosen here by judgement: no experiment decides it; fewer reports take no time
/// beside the rows, and the rows between two decide how late a selection stops.
const STRIDE: usize = 4_096;

/// Value of the columns `exchange` and `message` where there is none.
const NONE: u32 = u32::MAX;

/// Value of the column `rule` for a row that passes no rule.
const NO_RULE: u8 = u8::MAX;

/// End of each value in the column `fields`: a control character, which values do not have ([`base::printable`]).
const END: char = '\u{1f}';

/// Choices of a reader about the rows of a packet list, beside the columns that every list has.
#[derive(Debug, Default)]
pub struct Look {
    /// Fields whose values are columns.
    pub fields: Vec<&'static Field>,
    /// Rules of colour, in order: the first that a row passes decides. At most 254 decide.
    pub rules: Vec<Filter>,
}

impl Look {
    /// Returns the values of the fields in `row`, each printable and ended by [`END`].
    fn values(&self, row: &Row<'_>) -> String {
        let mut all = String::new();
        for field in &self.fields {
            all.push_str(&base::printable(&field.text(row).unwrap_or_default()));
            all.push(END);
        }
        all
    }

    /// Returns the position of the first rule that `row` passes, from 0; `None` where it passes none.
    #[must_use]
    pub fn rule(&self, row: &Row<'_>) -> Option<usize> {
        self.rules.iter().position(|rule| rule.passes(row))
    }
}

/// Kind of rows of a packet list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// All frames, in the order of the capture.
    Frames,
    /// All CoAP messages, each once, in the frame that completed it first.
    Messages,
}

impl Rows {
    /// Returns the number of rows without a filter.
    #[must_use]
    pub fn total(self, trace: &Trace) -> usize {
        match self {
            Self::Frames => trace.capture.frames.len(),
            Self::Messages => trace.messages.len(),
        }
    }

    /// Makes row `index`, from 0; `None` for a message that is not there.
    #[must_use]
    pub fn at<'a>(self, trace: &'a Trace, places: &'a Places, index: u32) -> Option<Row<'a>> {
        match self {
            Self::Frames => Some(Row::frame(trace, places, FrameId(index))),
            Self::Messages => Row::message(trace, places, MessageId(index)),
        }
    }
}

/// Returns the indices of the rows that pass `filter` and lie in `window` (ends included), in order.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks; it is told rows tried and rows in all.
pub fn select(
    trace: &Trace,
    places: &Places,
    rows: Rows,
    filter: Option<&Filter>,
    window: Option<(Instant, Instant)>,
    progress: &mut dyn Progress,
) -> Result<Vec<u32>, Cancelled> {
    let total = rows.total(trace);
    let mut passed = Vec::new();
    for index in 0..total {
        if index % STRIDE == 0 && progress.tick(index as u64, total as u64).is_break() {
            return Err(Cancelled);
        }
        let index = u32::try_from(index).unwrap_or(NONE);
        let Some(row) = rows.at(trace, places, index) else { continue };
        let at = row.record().map_or(Instant::ZERO, |frame| frame.at);
        if window.is_none_or(|(t0, t1)| (t0..=t1).contains(&at)) && filter.is_none_or(|f| f.passes(&row)) {
            passed.push(index);
        }
    }
    Ok(passed)
}

/// Returns the rows `indices` as columns ([`PACKET_COLUMNS`]), with the values and rules of `look`; indices that are
/// not there are left out.
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn packets(trace: &Trace, places: &Places, rows: Rows, indices: &[u32], look: &Look) -> Result<Sheet, TableError> {
    let rows: Vec<(Row<'_>, Summary)> = summaries(trace, places, rows, indices).collect();
    let small = |n: Option<usize>| n.and_then(|n| u8::try_from(n + 1).ok()).unwrap_or(0);
    macro_rules! column {
        ($kind:ident, $value:expr) => {
            Data::$kind(rows.iter().map(|(row, summary)| $value(row, summary)).collect())
        };
    }
    Sheet::new(
        PACKET_COLUMNS,
        vec![
            column!(U32, |r: &Row<'_>, _| r.id.0),
            column!(F64, |r: &Row<'_>, _| r.record().map_or(f64::NAN, |f| f.at.nanos() as f64)),
            column!(Text, |_, s: &Summary| s.src.clone()),
            column!(Text, |_, s: &Summary| s.dst.clone()),
            column!(Text, |_, s: &Summary| s.protocol.to_owned()),
            column!(U32, |_, s: &Summary| s.octets),
            column!(Text, |_, s: &Summary| s.info.clone()),
            column!(U8, |_, s: &Summary| s.kind.number()),
            column!(U32, |r: &Row<'_>, _| r.place().map_or(NONE, |p| p.message.0)),
            column!(U8, |r: &Row<'_>, _| small(r.place().map(|p| p.hop))),
            column!(U32, |r: &Row<'_>, _| r.exchange().map_or(NONE, |e| e.0.id.0)),
            column!(U8, |r: &Row<'_>, _| small(r.copy_index())),
            column!(U8, |r: &Row<'_>, _| r.copy().map_or(u8::MAX, |c| crate::timeline::fate(c.2.fate).number())),
            column!(Text, |r: &Row<'_>, _| comments(r).unwrap_or_default()),
            column!(Text, |r: &Row<'_>, _| look.values(r)),
            column!(U8, |r: &Row<'_>, _| look.rule(r).and_then(|n| u8::try_from(n).ok()).unwrap_or(NO_RULE)),
        ],
    )
}

fn summaries<'a>(
    trace: &'a Trace,
    places: &'a Places,
    rows: Rows,
    indices: &'a [u32],
) -> impl Iterator<Item = (Row<'a>, Summary)> {
    indices.iter().filter_map(move |&index| {
        let row = rows.at(trace, places, index)?;
        let summary = Summary::of(&row);
        Some((row, summary))
    })
}

/// Lists the rows `indices` like tshark's summary: `frame time src dst protocol length info`; frames count from 1.
/// `time` is seconds since the first record, `length` octets. Merged captures say in `record` where each frame was,
/// `a.pcap:17`; captures in which people commented frames have a last column `comment`.
#[must_use]
pub fn frames(trace: &Trace, places: &Places, rows: Rows, indices: &[u32]) -> Listing {
    let first = trace.capture.frames.first().map_or(Instant::ZERO, |f| f.at);
    let rows: Vec<(Row<'_>, Summary)> = summaries(trace, places, rows, indices).collect();
    let text = |of: fn(&Summary) -> &str| Cells::Text(rows.iter().map(|(_, s)| Some(of(s).to_owned())).collect());
    let mut listing = Listing {
        columns: vec![
            ("frame", Cells::Whole(rows.iter().map(|(r, _)| Some(i64::from(r.id.0) + 1)).collect())),
            ("time", Cells::Seconds(rows.iter().map(|(r, _)| r.record().map(|f| (f.at - first).nanos())).collect())),
            ("src", text(|s| &s.src)),
            ("dst", text(|s| &s.dst)),
            ("protocol", text(|s| s.protocol)),
            ("length", Cells::Whole(rows.iter().map(|(_, s)| Some(i64::from(s.octets))).collect())),
            ("info", text(|s| &s.info)),
        ],
    };
    let capture = &trace.capture;
    if !capture.origins.is_empty() {
        let origin = |row: &Row<'_>| {
            let origin = capture.origins.get(row.id.index())?;
            let name = capture.files.get(usize::from(origin.file))?;
            Some(format!("{name}:{}", u64::from(origin.record.0) + 1))
        };
        listing.columns.insert(1, ("record", Cells::Text(rows.iter().map(|(row, _)| origin(row)).collect())));
    }
    if !capture.annotations.frames.is_empty() {
        listing.columns.push(("comment", Cells::Text(rows.iter().map(|(row, _)| comments(row)).collect())));
    }
    listing
}

/// Returns the comments that people and tools attached to the frame of `row`, if any.
fn comments(row: &Row<'_>) -> Option<String> {
    let comments: Vec<&str> = row.trace.capture.annotations.of(row.id).collect();
    (!comments.is_empty()).then(|| comments.join("; "))
}
