//! Packet lists of one capture: rows by filter, cached.

use super::Opened;
use crate::view::{FrameList, RowKind};
use crate::{Error, Progress};
use base::{CancellableOnce, Cancelled, Part};
use std::sync::{Arc, Mutex, PoisonError};
use table::filter::{Filter, FilterError, field};
use table::{Look, Rows};
use trace::{Places, Trace};

/// Greatest number of lists cached per capture. Chosen here: the one that is shown, and some that were shown before.
const CACHED_LISTS: usize = 6;

/// Packet lists of one capture, each made when it is first requested.
#[derive(Debug, Default)]
pub(crate) struct PacketLists {
    places: CancellableOnce<Places>,
    /// Rows by list, the one made longest ago first.
    cached: Mutex<Vec<(FrameList, Arc<[u32]>)>>,
}

impl PacketLists {
    /// Returns the message, hop and exchange of every frame.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub(crate) fn places(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<&Places, Cancelled> {
        self.places.get_or_try_init(progress, |progress| Places::of(trace, progress))
    }

    fn cached(&self, list: &FrameList) -> Option<Arc<[u32]>> {
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        cached.iter().find(|(other, _)| other == list).map(|(_, rows)| Arc::clone(rows))
    }

    fn insert(&self, list: &FrameList, rows: &Arc<[u32]>) {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        cached.retain(|(other, _)| other != list);
        if cached.len() >= CACHED_LISTS {
            cached.remove(0);
        }
        cached.push((list.clone(), Arc::clone(rows)));
    }
}

impl From<FilterError> for Error {
    fn from(error: FilterError) -> Self {
        Self { at: u64::try_from(error.column).ok(), ..Self::request(error) }
    }
}

/// Parses a filter expression; `None` for a blank one, which all rows pass.
///
/// # Errors
/// [`crate::Code::Request`] with the column of the mistake, from 1, in `at`.
pub fn filter(text: &str) -> Result<Option<Filter>, Error> {
    if text.trim().is_empty() { Ok(None) } else { Ok(Some(text.parse()?)) }
}

impl RowKind {
    /// Returns the same kind of rows as `table` has it.
    pub(crate) const fn rows(self) -> Rows {
        match self {
            Self::Frames => Rows::Frames,
            Self::Messages => Rows::Messages,
        }
    }
}

/// Share of matching frames to messages in the work on a filtered list, per cent. Chosen here by judgement; it moves
/// the progress bar only.
const PLACES: u64 = 10;
const HUNDRED: u64 = 100;

/// Returns the rows of a list: positions of frames or messages in the trace, from 0, ascending.
///
/// # Errors
/// [`crate::Code::Request`] for a mistake in the filter; [`crate::Code::Cancelled`].
pub(crate) fn rows(opened: &Opened, list: &FrameList, progress: &mut dyn Progress) -> Result<Arc<[u32]>, Error> {
    if let Some(rows) = opened.lists.cached(list) {
        return Ok(rows);
    }
    let filter = filter(&list.filter)?;
    let places = opened.lists.places(&opened.trace, &mut Part::new(progress, 0, PLACES, HUNDRED))?;
    let progress = &mut Part::new(progress, PLACES, HUNDRED, HUNDRED);
    let found = table::select(&opened.trace, places, list.rows.rows(), filter.as_ref(), list.window, progress)?;
    let found: Arc<[u32]> = found.into();
    opened.lists.insert(list, &found);
    Ok(found)
}

/// Reads the fields and rules of colour that a list is shown with. Errs for an unknown field, and for a mistake in a
/// rule, which it names by its position, from 1.
pub(crate) fn look<'a>(
    fields: impl IntoIterator<Item = &'a String>,
    rules: impl IntoIterator<Item = &'a String>,
) -> Result<Look, Error> {
    let fields = fields.into_iter().map(|name| field(name)).collect::<Result<_, FilterError>>();
    let rule = |(index, text): (usize, &String)| {
        let named = |error: FilterError| Error::request(format!("Rule of colour {}: {error}", index + 1));
        text.parse::<Filter>().map_err(named)
    };
    Ok(Look {
        fields: fields.map_err(|error| Error::request(error.message))?,
        rules: rules.into_iter().enumerate().map(rule).collect::<Result<_, _>>()?,
    })
}
