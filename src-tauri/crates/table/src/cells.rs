//! Tables in memory: named columns of optional cells.

/// Cells of one column of a listing; `None` where the column does not apply.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Text as it was read; writers of text make it printable.
    Text(Vec<Option<String>>),
    /// Whole numbers, such as counts and positions.
    Whole(Vec<Option<i64>>),
    /// Times or durations in nanoseconds, written as seconds.
    Seconds(Vec<Option<i64>>),
    /// Real numbers, in the unit of the column.
    Real(Vec<Option<f64>>),
}

/// A table of named columns, all of the same length. Names are `String` where the input decides them, such as tags.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<N = &'static str> {
    /// Name and cells of each column, in order.
    pub columns: Vec<(N, Cells)>,
}

impl<N> Default for Listing<N> {
    fn default() -> Self {
        Self { columns: Vec::new() }
    }
}

impl<N: From<&'static str>> Listing<N> {
    /// Adds a column with the same text in every row; to be called on a table that has a column.
    pub fn say(&mut self, name: &'static str, words: &str) {
        let cells = vec![Some(words.to_owned()); self.rows()];
        self.columns.push((name.into(), Cells::Text(cells)));
    }
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Text(v) => v.len(),
            Self::Whole(v) | Self::Seconds(v) => v.len(),
            Self::Real(v) => v.len(),
        }
    }

    /// Returns the cell of row `row`, from 0, as text with every digit; `None` where it does not apply or is not there.
    #[must_use]
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Text(v) => v.get(row)?.clone(),
            Self::Whole(v) => v.get(row)?.map(|n| n.to_string()),
            Self::Seconds(v) => v.get(row)?.map(seconds),
            Self::Real(v) => v.get(row)?.map(|x| x.to_string()),
        }
    }

    /// Returns whether the cells are numbers.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

/// Writes nanoseconds as seconds, with the fewest of 3, 6 or 9 decimals that are exact.
pub(crate) fn seconds(nanos: i64) -> String {
    let text = base::Span::from_nanos(nanos).to_string();
    text.strip_suffix(" s").map_or(text.clone(), str::to_owned)
}

/// Converts nanoseconds to the nearest number of seconds: the one that is read from the digits of [`seconds`].
///
/// Beyond 2^53 ns a quotient of doubles is rounded twice. Whole seconds and the rest are exact and are added with one
/// rounding that decides: the error of the rest, below 2^-54, is smaller than the distance of any such sum from the
/// middle between two doubles, at least 2^9 / (10^9 × 2^30).
#[must_use]
pub fn seconds_f64(nanos: i64) -> f64 {
    /// Largest magnitude up to which all whole nanoseconds are doubles.
    const EXACT: u64 = 1 << 53;
    /// Nanoseconds in a second.
    const SECOND: i64 = 1_000_000_000;
    if nanos.unsigned_abs() <= EXACT {
        nanos as f64 / 1e9
    } else {
        (nanos / SECOND) as f64 + (nanos % SECOND) as f64 / 1e9
    }
}

impl<N> Listing<N> {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.1.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{seconds, seconds_f64};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn seconds_are_those_of_the_digits(nanos: i64, small in -20_000_000_000_000_000_i64..20_000_000_000_000_000) {
            for nanos in [nanos, small] {
                prop_assert_eq!(seconds_f64(nanos), seconds(nanos).parse::<f64>().unwrap());
            }
        }
    }
}
