//! The packet list: its rows by filter, and what filters may ask.

use crate::view::{FieldView, FrameList, PacketCount, PacketRow, PacketRowRequest, PacketsRequest, RowKind};
use crate::{Error, Opened, Progress, Session};
use base::{CancellableOnce, Cancelled, FrameId, Instant, MessageId, Part};
use std::sync::{Arc, Mutex, PoisonError};
use table::filter::{FIELDS, Field, Filter, FilterError, TREE_FIELDS};
use table::{Rows, arrow};
use trace::{Places, Trace};

/// Lists kept per capture: the one that is shown, and some that were shown before.
const KEPT_LISTS: usize = 6;

/// What the packet lists of one capture need, made when the first is asked for.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    places: CancellableOnce<Places>,
    kept: Mutex<Vec<(FrameList, Arc<[u32]>)>>,
}

impl Lists {
    pub(crate) fn places(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<&Places, Cancelled> {
        self.places.get_or_try_init(progress, |progress| Places::of(trace, progress))
    }

    fn kept(&self, list: &FrameList) -> Option<Arc<[u32]>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(other, _)| other == list).map(|(_, rows)| Arc::clone(rows))
    }

    fn keep(&self, list: &FrameList, rows: &Arc<[u32]>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| other != list);
        if kept.len() >= KEPT_LISTS {
            kept.remove(0);
        }
        kept.push((list.clone(), Arc::clone(rows)));
    }
}

impl From<FilterError> for Error {
    fn from(error: FilterError) -> Self {
        Self { at: u64::try_from(error.column).ok(), ..Self::request(error) }
    }
}

/// The filter `text` means; `None` for a blank one, which all rows pass.
///
/// # Errors
/// [`crate::Code::Request`] with the column in `at`.
pub fn filter(text: &str) -> Result<Option<Filter>, Error> {
    if text.trim().is_empty() { Ok(None) } else { Ok(Some(text.parse()?)) }
}

impl RowKind {
    const fn rows(self) -> Rows {
        match self {
            Self::Frames => Rows::Frames,
            Self::Messages => Rows::Messages,
        }
    }
}

/// Hundredths of the way to a filtered list in which it is found which frames belong to which messages.
const PLACES: u64 = 10;
const HUNDRED: u64 = 100;

/// The rows of a list, from the lists kept where it is one of them.
pub(crate) fn rows(opened: &Opened, list: &FrameList, progress: &mut dyn Progress) -> Result<Arc<[u32]>, Error> {
    if let Some(rows) = opened.lists.kept(list) {
        return Ok(rows);
    }
    let filter = filter(&list.filter)?;
    let places = opened.lists.places(&opened.trace, &mut Part::new(progress, 0, PLACES, HUNDRED))?;
    let progress = &mut Part::new(progress, PLACES, HUNDRED, HUNDRED);
    let found = table::select(&opened.trace, places, list.rows.rows(), filter.as_ref(), list.window, progress)?;
    let found: Arc<[u32]> = found.into();
    opened.lists.keep(list, &found);
    Ok(found)
}

pub(crate) fn count(session: &Session, list: &FrameList, progress: &mut dyn Progress) -> Result<PacketCount, Error> {
    let opened = session.capture(list.capture)?;
    let whole = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let total = whole(list.rows.rows().total(&opened.trace));
    Ok(PacketCount { count: whole(rows(&opened, list, progress)?.len()), total })
}

pub(crate) fn page(session: &Session, request: &PacketsRequest, progress: &mut dyn Progress) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.list.capture)?;
    let rows = rows(&opened, &request.list, progress)?;
    let from = (request.offset as usize).min(rows.len());
    let to = from.saturating_add(request.limit as usize).min(rows.len());
    let shown = rows.get(from..to).unwrap_or_default();
    let places = opened.lists.places(&opened.trace, progress)?;
    Ok(arrow(table::packets(&opened.trace, places, request.list.rows.rows(), shown)?)?)
}

/// The first row at or behind a frame, an exchange's first frame, or a time; `None` behind the last.
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

/// Those of packets first, then those of the decode tree, each by name.
pub(crate) fn fields() -> Vec<FieldView> {
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
    };
    [by_name(FIELDS), by_name(&TREE_FIELDS)].concat().into_iter().map(view).collect()
}
