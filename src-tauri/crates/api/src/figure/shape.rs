//! Small makers of axes, panels, keys and tables.

use crate::view::{AxisKind, AxisView, DotShape, KeyView, LineLook, MarkView, PanelView};
use table::{Cells, Listing};

/// Makes a category axis of `names`.
pub(crate) fn categories(label: &str, names: Vec<String>) -> AxisView {
    AxisView { label: label.to_owned(), categories: names, ..axis(AxisKind::Category, "", "") }
}

/// Makes an axis of numbers, as wide as the data.
pub(crate) fn axis(kind: AxisKind, label: &str, unit: &str) -> AxisView {
    AxisView { label: label.to_owned(), unit: unit.to_owned(), kind, categories: Vec::new(), low: None, high: None }
}

/// Makes an axis from 0 to 100 %.
pub(crate) fn per_cent(label: &str) -> AxisView {
    AxisView { low: Some(0.0), high: Some(100.0), ..axis(AxisKind::Linear, label, "%") }
}

/// Makes a panel with its title and the description `rule` of its marks, without key, second axis or shared axes.
pub(crate) fn panel(title: &str, rule: &str, x: AxisView, y: AxisView, marks: Vec<MarkView>) -> PanelView {
    PanelView { title: title.to_owned(), rule: rule.to_owned(), x, y, right: None, marks, key: Vec::new(), axes: None }
}

/// Makes an entry of a key for a dot.
pub(crate) fn dot_key(text: &str, dot: DotShape) -> KeyView {
    KeyView { text: text.to_owned(), dot: Some(dot), line: None }
}

/// Makes an entry of a key for a line.
pub(crate) fn line_key(text: &str, line: LineLook) -> KeyView {
    KeyView { text: text.to_owned(), dot: None, line: Some(line) }
}

/// Converts a count for the bridge; saturates at 2^32 - 1.
pub(crate) fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A cell of a table that is being made: text, count or number (`None`: does not apply).
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Text(String),
    Whole(usize),
    Real(Option<f64>),
}

impl From<&str> for Entry {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for Entry {
    fn from(count: usize) -> Self {
        Self::Whole(count)
    }
}

impl From<f64> for Entry {
    fn from(value: f64) -> Self {
        Self::Real(Some(value))
    }
}

impl From<Option<f64>> for Entry {
    fn from(value: Option<f64>) -> Self {
        Self::Real(value)
    }
}

/// Makes a table of `rows` under `columns`; the kind of a column follows from its first row.
pub(crate) fn listing(columns: &[&'static str], rows: &[Vec<Entry>]) -> Listing {
    let column = |index: usize| {
        let cells = || rows.iter().map(move |row| row.get(index));
        match rows.first().and_then(|row| row.get(index)) {
            Some(Entry::Whole(_)) => Cells::Whole(
                cells()
                    .map(|cell| match cell {
                        Some(Entry::Whole(count)) => i64::try_from(*count).ok(),
                        _ => None,
                    })
                    .collect(),
            ),
            Some(Entry::Real(_)) => Cells::Real(
                cells()
                    .map(|cell| match cell {
                        Some(Entry::Real(value)) => *value,
                        _ => None,
                    })
                    .collect(),
            ),
            Some(Entry::Text(_)) | None => Cells::Text(
                cells()
                    .map(|cell| match cell {
                        Some(Entry::Text(text)) => Some(text.clone()),
                        _ => None,
                    })
                    .collect(),
            ),
        }
    };
    Listing { columns: columns.iter().enumerate().map(|(index, &name)| (name, column(index))).collect() }
}

/// Returns every `k`th of `points`, so that at most `most` are drawn; and the number of all, where some are left out.
pub(crate) fn thinned(points: Vec<[f64; 2]>, most: usize) -> (Vec<[f64; 2]>, Option<usize>) {
    let every = points.len().div_ceil(most.max(1));
    if every <= 1 {
        return (points, None);
    }
    let all = points.len();
    (points.into_iter().step_by(every).collect(), Some(all))
}
