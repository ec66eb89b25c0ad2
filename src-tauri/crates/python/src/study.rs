//! Studies.

use crate::error::OrRaise as _;
use crate::long::long;
use crate::table::Table;
use api::{GroupsAsked, StudyReply, StudyRequest, Tally};
use pyo3::prelude::*;
use pyo3::types::PyDict;
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
    if !(level > 0.0 && level < 1.0) {
        return Err(api::Error::request(format!("The level {level} is not above 0 and below 1, such as 0.9.")))
            .or_raise(py);
    }
    let measures = api::study_measures(&measures).or_raise(py)?;
    long(py, None, |_| api::study_groups(&out, GroupsAsked { by, measures, baseline, level }).map(Table::from))
}

/// The folder of rows beside a study's file.
#[pyfunction]
pub fn study_folder(spec: PathBuf) -> PathBuf {
    api::folder_of_study(&spec)
}
