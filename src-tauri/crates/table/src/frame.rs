//! Conversion of columns to Polars and to an Arrow IPC stream.

use crate::columns::{Column, ColumnKind};
use polars::prelude::{
    Column as Series, CompatLevel, DataFrame, IpcStreamWriter, NamedFrom, PolarsError, SerWriter,
    Series as PolarsSeries,
};
use thiserror::Error;

/// Failure to build, read or write a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Polars failed; with well-formed columns only for lack of memory or disk.
    #[error("the table could not be read or written: {0}")]
    Polars(#[from] PolarsError),
    /// A column does not match its declaration in kind or length, or the columns do not in number.
    #[error("column {name} does not match its declaration")]
    Column {
        /// Name of the column.
        name: String,
    },
    /// There is no such column to sort or filter by.
    #[error("there is no column `{name}`; there are: {known}")]
    Unknown {
        /// Name of the column.
        name: String,
        /// Names of all existing columns, separated by commas.
        known: String,
    },
}

/// Values of one column, typed as declared.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Values of a [`ColumnKind::F64`].
    F64(Vec<f64>),
    /// Values of a [`ColumnKind::F32`].
    F32(Vec<f32>),
    /// Values of a [`ColumnKind::U32`].
    U32(Vec<u32>),
    /// Values of a [`ColumnKind::U16`].
    U16(Vec<u16>),
    /// Values of a [`ColumnKind::U8`].
    U8(Vec<u8>),
    /// Values of a [`ColumnKind::Text`].
    Text(Vec<String>),
}

impl Data {
    const fn kind(&self) -> ColumnKind {
        match self {
            Self::F64(_) => ColumnKind::F64,
            Self::F32(_) => ColumnKind::F32,
            Self::U32(_) => ColumnKind::U32,
            Self::U16(_) => ColumnKind::U16,
            Self::U8(_) => ColumnKind::U8,
            Self::Text(_) => ColumnKind::Text,
        }
    }

    fn series(self, name: &str) -> PolarsSeries {
        match self {
            Self::F64(v) => PolarsSeries::new(name.into(), v),
            Self::F32(v) => PolarsSeries::new(name.into(), v),
            Self::U32(v) => PolarsSeries::new(name.into(), v),
            Self::U16(v) => PolarsSeries::new(name.into(), v),
            Self::U8(v) => PolarsSeries::new(name.into(), v),
            Self::Text(v) => PolarsSeries::new(name.into(), v),
        }
    }

    /// Returns whether all numbers are positive zero.
    fn is_zero(&self) -> bool {
        match self {
            // Negative zero is not dropped: its sign would be lost.
            Self::F64(v) => v.iter().all(|value| value.to_bits() == 0),
            Self::F32(v) => v.iter().all(|value| value.to_bits() == 0),
            Self::U32(v) => v.iter().all(|&value| value == 0),
            Self::U16(v) => v.iter().all(|&value| value == 0),
            Self::U8(v) => v.iter().all(|&value| value == 0),
            Self::Text(_) => false,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::U16(v) => v.len(),
            Self::U8(v) => v.len(),
            Self::Text(v) => v.len(),
        }
    }
}

/// Table as declared by one of the constants in [`crate::columns`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    columns: &'static [Column],
    data: Vec<Data>,
}

impl Sheet {
    /// Makes a table of the values of `columns`, in their order.
    ///
    /// # Errors
    /// A column has another kind or length than declared.
    pub fn new(columns: &'static [Column], data: Vec<Data>) -> Result<Self, TableError> {
        let wrong = |name: &str| TableError::Column { name: name.to_owned() };
        if columns.len() != data.len() {
            return Err(wrong(columns.last().map_or("", |c| c.0)));
        }
        let rows = data.first().map_or(0, Data::len);
        for (column, values) in columns.iter().zip(&data) {
            if column.1 != values.kind() || values.len() != rows {
                return Err(wrong(column.0));
            }
        }
        Ok(Self { columns, data })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.data.first().map_or(0, Data::len)
    }

    /// Returns the values of column `name`; `None` where there is no such column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Data> {
        self.columns.iter().position(|c| c.0 == name).and_then(|i| self.data.get(i))
    }

    fn into_frame(self) -> Result<DataFrame, TableError> {
        let rows = self.rows();
        let series = |(column, data): (&Column, Data)| -> Series {
            let name = column.0;
            if data.is_zero() { PolarsSeries::new_null(name.into(), rows).into() } else { data.series(name).into() }
        };
        Ok(DataFrame::new(rows, self.columns.iter().zip(self.data).map(series).collect())?)
    }
}

/// Writes the sheet as an Arrow IPC stream, without compression and string views (the page's reader maps the buffers as
/// they are). A column of zeros becomes Arrow's type Null, which has a name and no octets, because the page's main
/// thread pays for every octet of a reply.
///
/// # Errors
/// [`TableError::Polars`], where memory is short.
pub fn arrow(sheet: Sheet) -> Result<Vec<u8>, TableError> {
    let mut frame = sheet.into_frame()?;
    let mut octets = Vec::new();
    IpcStreamWriter::new(&mut octets).with_compat_level(CompatLevel::oldest()).finish(&mut frame)?;
    Ok(octets)
}

#[cfg(test)]
mod tests {
    use super::{Data, Sheet, arrow};
    use crate::columns::ColumnKind::{F64, Text, U8, U32};

    #[test]
    fn a_column_of_zeros_crosses_without_octets() {
        let octets = |kind: Vec<u8>, at: Vec<f64>| {
            let names = (0..1_000).map(|_| String::new()).collect();
            let data = vec![Data::U32((0..1_000).collect()), Data::U8(kind), Data::F64(at), Data::Text(names)];
            let sheet = Sheet::new(&[("row", U32), ("kind", U8), ("at", F64), ("name", Text)], data).unwrap();
            arrow(sheet).unwrap().len()
        };
        let zeros = octets(vec![0; 1_000], vec![0.0; 1_000]);
        let (mut kinds, mut times) = (vec![0; 1_000], vec![0.0; 1_000]);
        (kinds[999], times[0]) = (1, -0.0);
        assert!(zeros + 1_000 <= octets(kinds, vec![0.0; 1_000]));
        assert!(zeros + 8_000 <= octets(vec![0; 1_000], times), "the negative zero is not the zero");
    }
}
