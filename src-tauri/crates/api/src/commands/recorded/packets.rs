//! Packet lists and the fields of filters.

use crate::opened::{look, rows};
use crate::view::{
    CheckFilterRequest, ColourRule, FieldView, FilterMistake, FrameList, PacketCount, PacketRow, PacketRowRequest,
    PacketsRequest, RuleColour,
};
use crate::{Error, Progress, Session};
use base::{FrameId, Instant, MessageId};
use table::arrow;
use table::filter::{FIELDS, Field, Filter, FilterError, TREE_FIELDS};
use trace::Trace;

/// Answers `packet_count`; errs where the capture is not open, for a mistake in the filter, and when cancelled.
pub(crate) fn count(session: &Session, list: &FrameList, progress: &mut dyn Progress) -> Result<PacketCount, Error> {
    let opened = session.capture(list.capture)?;
    let whole = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let total = whole(list.rows.rows().total(&opened.trace));
    Ok(PacketCount { count: whole(rows(&opened, list, progress)?.len()), total })
}

/// Rules of colour of a window in which none were chosen: name, filter and colour, in order. Chosen here: what makes
/// timers worse stands first, and each rule repeats what the glyph or the text of its rows says.
const FIRST_RULES: [(&str, &str, RuleColour); 6] = [
    ("Malformed", "malformed || wpan.fcs_ok == false", RuleColour::Red),
    ("Needless copy", "needless", RuleColour::Orange),
    ("Lost copy", "lost", RuleColour::Purple),
    ("Error", "coap.code >= 4.00 || coap.type == RST", RuleColour::Yellow),
    ("ACK", "wpan.frame_type == ack || coap.type == ACK && coap.code == 0.00", RuleColour::Grey),
    ("Reply", "reply", RuleColour::Green),
];

/// Returns the rules of colour of a window in which none were chosen.
pub(crate) fn first_rules() -> Vec<ColourRule> {
    let rule = |(name, filter, colour): (&str, &str, _)| ColourRule {
        name: name.to_owned(),
        filter: filter.to_owned(),
        colour,
        on: true,
    };
    FIRST_RULES.map(rule).to_vec()
}

/// Answers `packets` with an Arrow stream; errs as [`count`] and [`look`].
pub(crate) fn page(session: &Session, request: &PacketsRequest, progress: &mut dyn Progress) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.list.capture)?;
    let look = look(&request.fields, &request.rules)?;
    let rows = rows(&opened, &request.list, progress)?;
    let from = (request.offset as usize).min(rows.len());
    let to = from.saturating_add(request.limit as usize).min(rows.len());
    let shown = rows.get(from..to).unwrap_or_default();
    let places = opened.lists.places(&opened.trace, progress)?;
    Ok(arrow(table::packets(&opened.trace, places, request.list.rows.rows(), shown, &look)?)?)
}

/// Answers `packet_row`: the first row at or after a frame, the first frame of an exchange, or a time; `None` after the
/// last row. Errs as [`count`], and for not exactly one place.
pub(crate) fn row(
    session: &Session,
    request: &PacketRowRequest,
    progress: &mut dyn Progress,
) -> Result<Option<PacketRow>, Error> {
    let opened = session.capture(request.list.capture)?;
    let rows = rows(&opened, &request.list, progress)?;
    let trace = &opened.trace;
    let kind = request.list.rows.rows();
    let places = opened.lists.places(trace, progress)?;
    let frame_of = |index: u32| kind.at(trace, places, index).map(|row| row.id);
    let wanted = match (request.frame, request.exchange, request.at) {
        (Some(frame), None, None) => Some(frame),
        (None, Some(exchange), None) => {
            let copy = trace.exchanges.get(exchange.index()).and_then(|e| e.copies.first());
            copy.and_then(|copy| first_frame(trace, copy.message))
        }
        (None, None, Some(at)) => {
            let time = |id: FrameId| trace.capture.frames.get(id.index()).map_or(Instant::MIN, |f| f.at);
            let found = rows.iter().position(|&index| frame_of(index).is_some_and(|id| time(id) >= at));
            return Ok(found.and_then(|at| packet_row(&rows, at, frame_of)));
        }
        _ => return Err(Error::request("Name either a frame, an exchange or a time.")),
    };
    let found = wanted.and_then(|wanted| rows.iter().position(|&index| frame_of(index).is_some_and(|id| id >= wanted)));
    Ok(found.and_then(|at| packet_row(&rows, at, frame_of)))
}

fn packet_row(rows: &[u32], at: usize, frame_of: impl Fn(u32) -> Option<FrameId>) -> Option<PacketRow> {
    Some(PacketRow { row: u32::try_from(at).ok()?, frame: frame_of(*rows.get(at)?)? })
}

fn first_frame(trace: &Trace, message: MessageId) -> Option<FrameId> {
    trace.messages.get(message.index())?.hops().filter_map(|hop| hop.frames.first()).min().copied()
}

/// Answers `check_filter`: the mistake in an expression; `None` where it can be read. Never errs.
pub(crate) fn check(_: &Session, request: &CheckFilterRequest) -> Result<Option<FilterMistake>, Error> {
    let mistake = |error: FilterError| FilterMistake {
        column: u32::try_from(error.column).unwrap_or(u32::MAX),
        message: error.to_string(),
    };
    Ok(request.filter.parse::<Filter>().err().map(mistake))
}

/// Answers `fields`: the fields of packets, then those of the decode tree, each by name. Never errs.
pub(crate) fn fields(_: &Session, _: &()) -> Result<Vec<FieldView>, Error> {
    let by_name = |fields: &'static [Field]| {
        let mut fields: Vec<&Field> = fields.iter().collect();
        fields.sort_by_key(|field| field.name);
        fields
    };
    let view = |field: &Field| FieldView {
        name: field.name.to_owned(),
        kind: field.kind.to_string(),
        about: field.about.to_owned(),
        values: field.kind.names().into_iter().map(str::to_owned).collect(),
        unit: field.kind.unit().map(str::to_owned),
        numeric: field.kind.is_numeric(),
    };
    Ok([by_name(FIELDS), by_name(&TREE_FIELDS)].concat().into_iter().map(view).collect())
}
