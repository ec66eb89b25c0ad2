//! Tables from the parts of a reply: one row for each item, one closure for each column.

use api::{Cells, Listing};

/// Table under construction: the items, one row each, and the columns so far with their cells.
pub struct Rows<'a, T>(&'a [T], Vec<(&'static str, Cells)>);

/// Begins a table without columns, with a row for each of `items`, in their order.
pub const fn of<T>(items: &[T]) -> Rows<'_, T> {
    Rows(items, Vec::new())
}

impl<T> Rows<'_, T> {
    /// Adds a column of text called `name`.
    pub fn text(mut self, name: &'static str, cell: impl Fn(&T) -> String) -> Self {
        self.1.push((name, Cells::Text(self.0.iter().map(|item| Some(cell(item))).collect())));
        self
    }

    /// Adds a column of whole numbers called `name`; `None` is an empty cell.
    pub fn whole(mut self, name: &'static str, cell: impl Fn(&T) -> Option<i64>) -> Self {
        self.1.push((name, Cells::Whole(self.0.iter().map(cell).collect())));
        self
    }

    /// Adds a column of real numbers called `name`, their unit as `cell` has it; `None` is an empty cell.
    pub fn real(mut self, name: &'static str, cell: impl Fn(&T) -> Option<f64>) -> Self {
        self.1.push((name, Cells::Real(self.0.iter().map(cell).collect())));
        self
    }

    /// Adds a column of durations called `name`, written in seconds; `None` is an empty cell.
    pub fn seconds(mut self, name: &'static str, cell: impl Fn(&T) -> Option<api::Span>) -> Self {
        self.1.push((name, Cells::Seconds(self.0.iter().map(|item| cell(item).map(|span| span.nanos())).collect())));
        self
    }

    /// Returns the table, its columns in the order in which they were added.
    pub fn listing(self) -> Listing {
        Listing { columns: self.1 }
    }
}
