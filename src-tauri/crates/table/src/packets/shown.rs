//! Packet list as a table for files, with the columns that a reader chose.

use super::{Look, STRIDE, Summary, comments};
use crate::cells::{Cells, Listing};
use crate::columns::PacketKind;
use crate::filter::{Field, FilterError, Row, field};
use base::{Cancelled, Progress};
use trace::{Places, Trace};

/// Column of a packet list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShownColumn {
    /// Column that every packet list can have, by its name in files: those of `rtoscope frames` where it has the
    /// column.
    Own(&'static str),
    /// Values of a field.
    Field(&'static Field),
}

/// Names of the columns that are no fields. The window knows them by the same names
/// (`ui/src/state/workspace/packetlook.svelte.ts`).
const OWN: [&str; 10] = ["frame", "time", "kind", "src", "dst", "hop", "protocol", "length", "info", "rule"];

impl ShownColumn {
    /// Finds a column by name, a field of filters among them.
    ///
    /// # Errors
    /// There is none; the message has the nearest field.
    pub fn named(name: &str) -> Result<Self, FilterError> {
        OWN.iter().find(|own| **own == name).map_or_else(|| field(name).map(Self::Field), |own| Ok(Self::Own(own)))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Own(name) => name,
            Self::Field(field) => field.name,
        }
    }
}

/// Labels of a packet list that are the reader's own.
pub struct ListLabels<'a> {
    /// Names of the rules of a [`Look`], in its order.
    pub rules: &'a [String],
    /// Puts the reader's names of nodes in the place of those of the capture.
    pub say: &'a dyn Fn(&str) -> String,
}

/// Lists the rows `indices` of a packet list with `columns`; times are seconds on the clock of the trace, lengths
/// octets. Indices that are not there, and columns named twice, are left out.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks; it is told rows done and rows in all.
pub fn shown(
    trace: &Trace,
    places: &Places,
    (rows, indices): (super::Rows, &[u32]),
    columns: &[ShownColumn],
    look: &Look,
    labels: &ListLabels<'_>,
    progress: &mut dyn Progress,
) -> Result<Listing<String>, Cancelled> {
    let mut listing = Listing::default();
    for column in columns {
        if listing.columns.iter().all(|(name, _): &(String, Cells)| name != column.name()) {
            listing.columns.push((column.name().to_owned(), cells_of(*column)));
        }
    }
    for (done, &index) in indices.iter().enumerate() {
        if done % STRIDE == 0 && progress.tick(done as u64, indices.len() as u64).is_break() {
            return Err(Cancelled);
        }
        let Some(row) = rows.at(trace, places, index) else { continue };
        let summary = Summary::of(&row);
        for (name, cells) in &mut listing.columns {
            match (cells, columns.iter().find(|column| column.name() == name)) {
                (Cells::Whole(cells), _) => cells.push(whole(name, &row, &summary)),
                (Cells::Seconds(cells), _) => cells.push(row.record().map(|frame| frame.at.nanos())),
                (Cells::Text(cells), Some(ShownColumn::Field(field))) => cells.push(field.text(&row)),
                (Cells::Text(cells), _) => cells.push(text(name, &row, &summary, look, labels)),
                (Cells::Real(_), _) => {}
            }
        }
    }
    Ok(listing)
}

const fn cells_of(column: ShownColumn) -> Cells {
    match column {
        ShownColumn::Own(name) => match name.as_bytes() {
            b"frame" | b"hop" | b"length" => Cells::Whole(Vec::new()),
            b"time" => Cells::Seconds(Vec::new()),
            _ => Cells::Text(Vec::new()),
        },
        ShownColumn::Field(_) => Cells::Text(Vec::new()),
    }
}

fn whole(name: &str, row: &Row<'_>, summary: &Summary) -> Option<i64> {
    match name {
        "frame" => Some(i64::from(row.id.0) + 1),
        "hop" => i64::try_from(row.place()?.hop).ok().map(|hop| hop + 1),
        _ => Some(summary.octets.into()),
    }
}

fn text(name: &str, row: &Row<'_>, summary: &Summary, look: &Look, labels: &ListLabels<'_>) -> Option<String> {
    let said = |text: &str| Some((labels.say)(text)).filter(|text| !text.is_empty());
    match name {
        "src" => said(&summary.src),
        "dst" => said(&summary.dst),
        "protocol" => Some(summary.protocol.to_owned()),
        "kind" => Some(kind(summary.kind).to_owned()),
        "rule" => labels.rules.get(look.rule(row)?).cloned(),
        _ => match comments(row) {
            Some(comment) => Some(format!("{} ({comment})", summary.info)),
            None => Some(summary.info.clone()),
        },
    }
}

/// Returns a kind of frames in words.
const fn kind(kind: PacketKind) -> &'static str {
    match kind {
        PacketKind::Request => "request",
        PacketKind::Retransmission => "retransmission",
        PacketKind::Needless => "needless retransmission",
        PacketKind::Reply => "reply",
        PacketKind::Coap => "CoAP",
        PacketKind::Control => "ICMPv6",
        PacketKind::LinkAck => "link-layer acknowledgement",
        PacketKind::Mac => "beacon or MAC command",
        PacketKind::Encrypted => "encrypted",
        PacketKind::Damaged => "damaged",
        PacketKind::Other => "other",
    }
}
