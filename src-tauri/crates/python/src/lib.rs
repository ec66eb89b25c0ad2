//! The native module `rtoscope._core`: requests of the core as JSON, tables as Arrow, estimators. The package
//! `rtoscope` in `python/` stands on it and is what people import.

mod error;
mod estimator;
mod long;
mod session;
mod study;
mod table;

use pyo3::prelude::*;

/// The core of RTOscope.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PROGRAM", study::PROGRAM)?;
    module.add_class::<session::Session>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<estimator::Estimator>()?;
    module.add_class::<estimator::Exchange>()?;
    module.add_class::<study::StudyJobs>()?;
    module.add_function(wrap_pyfunction!(session::overrides, module)?)?;
    module.add_function(wrap_pyfunction!(session::printable, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_run, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_answer, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_status, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_rows, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_groups, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_figure, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_folder, module)?)?;
    Ok(())
}
