//! Tables for Python: cells as lists, and all columns by Arrow's PyCapsule interface
//! (<https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>).

use crate::error::OrRaise as _;
use api::{ArrowTable, Cells, Format, Listing, seconds_f64};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::ffi::CString;
use std::sync::OnceLock;

/// Named columns of equal length.
#[pyclass(frozen, module = "rtoscope._core")]
pub struct Table {
    listing: Listing<String>,
    /// The same columns as Arrow, made at the first request.
    arrow: OnceLock<ArrowTable>,
}

impl<N: AsRef<str>> From<Listing<N>> for Table {
    fn from(listing: Listing<N>) -> Self {
        let columns = listing.columns.into_iter().map(|(name, cells)| (name.as_ref().to_owned(), cells)).collect();
        Self { listing: Listing { columns }, arrow: OnceLock::new() }
    }
}

impl Table {
    /// Returns the table as Arrow; raises where it cannot be made.
    fn arrow(&self, py: Python<'_>) -> PyResult<&ArrowTable> {
        if let Some(arrow) = self.arrow.get() {
            return Ok(arrow);
        }
        let made = py.allow_threads(|| ArrowTable::of(&self.listing)).map_err(api::Error::from).or_raise(py)?;
        // Another thread may have been faster; both are equal.
        Ok(self.arrow.get_or_init(|| made))
    }

    /// Returns the cells of a column; raises `KeyError` where there is none of this name.
    fn cells(&self, column: &str) -> PyResult<&Cells> {
        let found = self.listing.columns.iter().find(|(name, _)| name == column);
        found.map(|(_, cells)| cells).ok_or_else(|| PyKeyError::new_err(column.to_owned()))
    }
}

#[pymethods]
impl Table {
    /// Names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.listing.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Kind of each column: `str`, `int`, `float` or `seconds`.
    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        let kind = |cells: &Cells| match cells {
            Cells::Text(_) => "str",
            Cells::Whole(_) => "int",
            Cells::Seconds(_) => "seconds",
            Cells::Real(_) => "float",
        };
        self.listing.columns.iter().map(|(_, cells)| kind(cells)).collect()
    }

    fn __len__(&self) -> usize {
        self.listing.rows()
    }

    /// Cells of one column.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        match self.cells(name)? {
            Cells::Text(cells) => PyList::new(py, cells),
            Cells::Whole(cells) => PyList::new(py, cells),
            Cells::Real(cells) => PyList::new(py, cells),
            Cells::Seconds(cells) => PyList::new(py, cells.iter().map(|n| n.map(seconds_f64))),
        }
    }

    /// Cells of one column of times in nanoseconds, exact.
    fn nanoseconds<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        match self.cells(name)? {
            Cells::Seconds(cells) => PyList::new(py, cells),
            _ => Err(PyKeyError::new_err(format!("{name} is no column of times"))),
        }
    }

    /// The first `rows` rows as aligned text.
    fn text(&self, py: Python<'_>, rows: usize) -> PyResult<String> {
        let cut = |cells: &Cells| match cells {
            Cells::Text(cells) => Cells::Text(head(cells, rows)),
            Cells::Whole(cells) => Cells::Whole(head(cells, rows)),
            Cells::Seconds(cells) => Cells::Seconds(head(cells, rows)),
            Cells::Real(cells) => Cells::Real(head(cells, rows)),
        };
        let columns = self.listing.columns.iter().map(|(name, cells)| (name.as_str(), cut(cells))).collect();
        let mut text = Vec::new();
        api::write(&Listing { columns }, Format::Table, &mut text).map_err(api::Error::internal).or_raise(py)?;
        String::from_utf8(text).map_err(api::Error::internal).or_raise(py)
    }

    /// One cell as text that may be shown, with every digit; `None` where it is empty.
    fn cell(&self, column: usize, row: usize) -> PyResult<Option<String>> {
        let (_, cells) = self.listing.columns.get(column).ok_or_else(|| PyIndexError::new_err(column))?;
        Ok(cells.text(row).map(|text| api::printable(&text).into_owned()))
    }

    /// The type of the rows.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new(py, self.arrow(py)?.schema(), Some(CString::from(c"arrow_schema")))
    }

    /// All rows in one batch. A requested schema is not followed, as the interface allows: types are as they are in
    /// memory.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        PyCapsule::new(py, self.arrow(py)?.stream(), Some(CString::from(c"arrow_array_stream")))
    }
}

/// Returns the first `rows` cells, or all where there are fewer.
fn head<T: Clone>(cells: &[T], rows: usize) -> Vec<T> {
    cells.iter().take(rows).cloned().collect()
}
