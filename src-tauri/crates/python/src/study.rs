//! Studies, run here or by other processes.

use crate::error::OrRaise as _;
use crate::long::long;
use crate::table::Table;
use api::view::StudyFigureKind;
use api::{GroupsAsked, StudyAnswered, StudyFigureAsked, StudyReply, StudyRequest, StudyTicket, Tally};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// Name and version of the program with its commit, as rows of a study have it: the same as that of the command line.
pub const PROGRAM: &str = concat!("rtoscope ", env!("RTOSCOPE_VERSION"));

/// Runs the tasks of a study that have no row yet. Progress counts rows.
#[pyfunction]
#[pyo3(signature = (spec, out, threads = None, again = false, progress = None))]
pub fn study_run<'py>(
    py: Python<'py>,
    spec: PathBuf,
    out: PathBuf,
    threads: Option<usize>,
    again: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let request = StudyRequest { spec, out, threads, again, program: PROGRAM.to_owned() };
    let done = long(py, progress, |shared| {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let watch = |tally: Tally| shared.tick(count(tally.rows), count(tally.tasks));
        api::study_run(&request, &watch)
    });
    let StudyReply { tally: Tally { tasks, rows, earlier, failed }, notes, .. } = done?;
    let reply = PyDict::new(py);
    for (key, value) in [("tasks", tasks), ("rows", rows), ("earlier", earlier), ("failed", failed)] {
        reply.set_item(key, value)?;
    }
    reply.set_item("notes", notes)?;
    Ok(reply)
}

/// A study whose tasks other processes answer. Captures have numbers, from 0.
#[pyclass(frozen, module = "rtoscope._core")]
pub struct StudyJobs(api::StudyJobs);

#[pymethods]
impl StudyJobs {
    /// Finds the captures of a study, and begins its folder or goes on with it.
    #[new]
    #[pyo3(signature = (spec, out, again = false))]
    fn new(py: Python<'_>, spec: PathBuf, out: PathBuf, again: bool) -> PyResult<Self> {
        let request = StudyRequest { spec, out, threads: None, again, program: PROGRAM.to_owned() };
        long(py, None, |shared| api::StudyJobs::begin(&request, &|_| shared.flow()).map(Self))
    }

    /// Lets other processes have the folder.
    fn close(&self) {
        self.0.close();
    }

    /// Number of tasks, those with a row included.
    #[getter]
    fn tasks(&self) -> usize {
        self.0.tasks()
    }

    /// Number of captures.
    #[getter]
    fn captures(&self) -> usize {
        self.0.captures()
    }

    /// Sentences about captures that were left out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes().to_vec()
    }

    /// The study, as `study_answer` takes it.
    #[getter]
    fn study(&self) -> &str {
        self.0.study()
    }

    /// A capture, as `study_answer` takes it.
    fn capture(&self, py: Python<'_>, at: usize) -> PyResult<String> {
        self.0.capture(at).or_raise(py)
    }

    /// Files that are read for a capture, its own first.
    fn files(&self, py: Python<'_>, at: usize) -> PyResult<Vec<PathBuf>> {
        self.0.files(at).or_raise(py)
    }

    /// Number of rows of a capture, number of those without an answer, and the keys of the tasks that have no row, by
    /// group.
    fn missing(&self, py: Python<'_>, at: usize) -> PyResult<(usize, usize, Vec<Vec<String>>)> {
        let missing = py.allow_threads(|| self.0.missing(at)).or_raise(py)?;
        Ok((missing.rows, missing.failed, missing.groups))
    }

    /// Keeps rows that another process has answered.
    fn keep(&self, py: Python<'_>, at: usize, octets: Vec<u8>) -> PyResult<()> {
        py.allow_threads(|| self.0.keep(at, octets)).or_raise(py)
    }

    /// Keeps a row with a reason for each of some tasks, and returns their number.
    fn lose(&self, py: Python<'_>, at: usize, keys: Vec<String>, reason: &str) -> PyResult<usize> {
        py.allow_threads(|| self.0.lose(at, &keys, reason)).or_raise(py)
    }
}

/// Answers tasks of a capture: number of rows, number of those without an answer, and the rows where they are not kept.
#[pyfunction]
#[pyo3(signature = (study, capture, keys, place = None, keep = false, progress = None))]
pub fn study_answer<'py>(
    py: Python<'py>,
    study: &str,
    capture: &str,
    keys: Vec<String>,
    place: Option<PathBuf>,
    keep: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(usize, usize, Option<Bound<'py, PyBytes>>)> {
    let ticket = StudyTicket { study, capture, keys: &keys, place: place.as_deref(), keep, program: PROGRAM };
    let StudyAnswered { rows, failed, octets } =
        long(py, progress, |shared| api::study_answer(&ticket, &|| shared.flow()))?;
    Ok((rows, failed, octets.map(|octets| PyBytes::new(py, &octets))))
}

/// Counts of tasks by scenario.
#[pyfunction]
pub fn study_status(py: Python<'_>, out: PathBuf) -> PyResult<Table> {
    long(py, None, |_| api::study_status(&out).map(Table::from))
}

/// The rows of a study.
#[pyfunction]
pub fn study_rows(py: Python<'_>, out: PathBuf) -> PyResult<Table> {
    long(py, None, |_| api::study_rows(&out).map(Table::from))
}

/// Statistics of groups of rows.
#[pyfunction]
pub fn study_groups(
    py: Python<'_>,
    out: PathBuf,
    by: Vec<String>,
    measures: Vec<String>,
    baseline: Option<String>,
    level: f64,
) -> PyResult<Table> {
    let level = share(level).or_raise(py)?;
    let measures = api::study_measures(&measures).or_raise(py)?;
    long(py, None, |_| api::study_groups(&out, GroupsAsked { by, measures, baseline, level }).map(Table::from))
}

/// A figure over the rows of a study: its series, panels and caption as JSON, and its table.
#[pyfunction]
pub fn study_figure(
    py: Python<'_>,
    out: PathBuf,
    recipe: &str,
    measure: Option<String>,
    over: Option<String>,
    level: f64,
) -> PyResult<(String, Table)> {
    let known = |error: serde_json::Error| api::Error::request(format!("There is no such figure: {error}."));
    let kind: StudyFigureKind = serde_json::from_value(recipe.into()).map_err(known).or_raise(py)?;
    let measure = api::study_measures(measure.as_slice()).or_raise(py)?.first().copied();
    let asked = StudyFigureAsked { kind, measure, over, level: share(level).or_raise(py)? };
    long(py, None, |_| {
        let (view, table) = api::study_figure(&out, &asked)?;
        Ok((serde_json::to_string(&view).map_err(api::Error::internal)?, table.into()))
    })
}

/// Returns a confidence level, or an error unless it is above 0 and below 1.
fn share(level: f64) -> Result<f64, api::Error> {
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    Err(api::Error::request(format!("The level {level} is not above 0 and below 1, such as 0.9.")))
}

/// The folder of rows beside a study's file.
#[pyfunction]
pub fn study_folder(spec: PathBuf) -> PathBuf {
    api::folder_of_study(&spec)
}
