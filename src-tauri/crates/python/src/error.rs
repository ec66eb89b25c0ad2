//! Errors of the core as exceptions of `rtoscope.errors`.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::GILOnceCell;

/// The function `_of` of `rtoscope.errors`, which makes the exception from code, message, detail and place; imported
/// once.
static MAKE: GILOnceCell<Py<PyAny>> = GILOnceCell::new();

/// Returns the exception for an error of the core: its code, message, further lines and place. Where `rtoscope.errors`
/// cannot be imported (an interpreter that is ending) it is a `RuntimeError` with the message.
pub fn raised(py: Python<'_>, error: &api::Error) -> PyErr {
    let code = serde_json::to_value(error.code).ok().and_then(|code| code.as_str().map(str::to_owned));
    let make = || -> PyResult<PyErr> {
        let make = MAKE.get_or_try_init(py, || py.import("rtoscope.errors")?.getattr("_of").map(Bound::unbind))?;
        let arguments = (code, &error.message, error.detail.as_deref(), error.at);
        Ok(PyErr::from_value(make.bind(py).call1(arguments)?))
    };
    make().unwrap_or_else(|_| PyRuntimeError::new_err(error.message.clone()))
}

/// Conversion of errors of the core to Python exceptions, for calls that hold the interpreter's lock.
pub trait OrRaise<T> {
    /// Returns the value, or the exception for the error.
    ///
    /// # Errors
    /// The exception that [`raised`] makes.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, api::Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error))
    }
}
