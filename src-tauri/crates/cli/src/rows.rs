//! Rows of answers that are text for people: the same numbers as a listing.

use api::{Cells, Listing};

/// Rows under construction: one closure for each column.
pub struct Rows<'a, T>(&'a [T], Vec<(&'static str, Cells)>);

/// Begins a listing with a row for each of `items`.
pub const fn of<T>(items: &[T]) -> Rows<'_, T> {
    Rows(items, Vec::new())
}

impl<T> Rows<'_, T> {
    /// Adds a column of text.
    pub fn text(mut self, name: &'static str, cell: impl Fn(&T) -> String) -> Self {
        self.1.push((name, Cells::Text(self.0.iter().map(|item| Some(cell(item))).collect())));
        self
    }

    /// Adds a column of whole numbers.
    pub fn whole(mut self, name: &'static str, cell: impl Fn(&T) -> Option<i64>) -> Self {
        self.1.push((name, Cells::Whole(self.0.iter().map(cell).collect())));
        self
    }

    /// Adds a column of real numbers.
    pub fn real(mut self, name: &'static str, cell: impl Fn(&T) -> Option<f64>) -> Self {
        self.1.push((name, Cells::Real(self.0.iter().map(cell).collect())));
        self
    }

    /// Adds a column of times.
    pub fn seconds(mut self, name: &'static str, cell: impl Fn(&T) -> Option<api::Span>) -> Self {
        self.1.push((name, Cells::Seconds(self.0.iter().map(|item| cell(item).map(|span| span.nanos())).collect())));
        self
    }

    /// Returns the listing.
    pub fn listing(self) -> Listing {
        Listing { columns: self.1 }
    }
}
