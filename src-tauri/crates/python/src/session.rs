//! Open captures and their runs.

use crate::error::OrRaise as _;
use crate::long::long;
use crate::table::Table;
use api::view::{MeasuredRequest, ReplayRequest};
use api::{DecodeOptions, Reply, TableRequest};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

/// Open captures and their runs; requests and replies are the texts of JSON that the window exchanges with the core.
#[pyclass(frozen, module = "rtoscope._core")]
pub struct Session(api::Session);

/// Parses a request; fails on malformed JSON, and on an unknown or missing field.
fn request<T: DeserializeOwned>(text: &str) -> Result<T, api::Error> {
    Ok(serde_json::from_str(text)?)
}

/// Writes a reply as JSON.
fn reply(value: &impl serde::Serialize) -> Result<String, api::Error> {
    serde_json::to_string(value).map_err(api::Error::internal)
}

#[pymethods]
impl Session {
    #[new]
    fn new() -> Self {
        Self(api::Session::new(DecodeOptions::default()))
    }

    /// Answers a command of the core.
    #[pyo3(signature = (command, request, progress = None))]
    fn call(
        &self,
        py: Python<'_>,
        command: &str,
        request: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let request = self::request(request).or_raise(py)?;
        long(py, progress, |shared| {
            match self.0.call(command, request, &mut |done, total| shared.tick(done, total))? {
                Reply::Json(value) => reply(&value),
                Reply::Bytes(_) => Err(api::Error::request(format!("`{command}` answers in octets, not in JSON."))),
            }
        })
    }

    /// A table of a capture.
    #[pyo3(signature = (capture, request, progress = None))]
    fn table(
        &self,
        py: Python<'_>,
        capture: u32,
        request: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let request: TableRequest = self::request(request).or_raise(py)?;
        long(py, progress, |shared| {
            self.0.table(capture, &request, &mut |done, total| shared.tick(done, total)).map(Table::from)
        })
    }

    /// Replays a capture: the reply, its table of measures, its table of differences to the baseline, and its
    /// reservation.
    #[pyo3(signature = (request, progress = None))]
    fn replay(
        &self,
        py: Python<'_>,
        request: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, Table, Table, Option<String>)> {
        let request: ReplayRequest = self::request(request).or_raise(py)?;
        long(py, progress, |shared| {
            let mut view = self.0.replay(&request, &mut |done, total| shared.tick(done, total))?;
            let algorithms = view.runs.iter().map(|run| run.algorithm.clone()).collect();
            let asked = MeasuredRequest { capture: request.capture, algorithms };
            let measured = self.0.measured(&asked, &mut |_: u64, _: u64| shared.flow())?;
            view.verdict = api::verdict(&view.runs, &measured, request.baseline);
            let metrics = api::comparison(&view, &measured, request.baseline);
            let differences = api::differences(&view, request.baseline);
            let reservation = api::reservation(&view, request.channel);
            Ok((reply(&view)?, metrics.into(), differences.into(), reservation))
        })
    }
}

/// The overrides of `NAME:key=value,...` as a text of JSON.
#[pyfunction]
pub fn overrides(py: Python<'_>, text: &str) -> PyResult<String> {
    let params = api::parse_overrides(text).map_err(api::Error::request).or_raise(py)?;
    reply(&params).or_raise(py)
}

/// A text of a capture as it may be shown: control characters escaped.
#[pyfunction]
pub fn printable(text: &str) -> String {
    api::printable(text).into_owned()
}
