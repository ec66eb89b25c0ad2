//! Long work on a thread of its own: meanwhile other threads run Python, Ctrl C is looked for, and progress is
//! reported.

use crate::error::raised;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time between two looks for Ctrl C. Chosen here: up to a tenth of a second a person takes a reaction for immediate.
const LOOK: Duration = Duration::from_millis(50);
/// Size of the thread's stack, octets. Chosen here: that of the main thread on Linux, on which the command line does
/// the same work.
const STACK: usize = 8 << 20;

/// Progress of work on another thread, in the work's own unit (`total` 0: unknown), and the request that it stop.
#[derive(Debug, Default)]
pub struct Shared {
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
}

impl Shared {
    /// Stores progress and returns `Break` once the work is to stop.
    pub fn tick(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.flow()
    }

    /// Returns `Break` once the work is to stop; for parts of it that count in another unit.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Handles signals, then calls `report` with `done` and `total`. Raises what either raises.
    fn look(&self, py: Python<'_>, report: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        py.check_signals()?;
        let Some(report) = report else { return Ok(()) };
        report.call1((self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))).map(drop)
    }
}

/// Runs `work` on a thread of its own and returns its result. Other threads run Python meanwhile. Twenty times a second
/// signals are handled, and `report` is called with the amount done and the total (0: unknown).
///
/// # Errors
/// `KeyboardInterrupt`, or whatever else a signal handler or `report` raises, after the work has ended; otherwise the
/// error of the work, or of its panic, as an exception.
pub fn long<T: Send>(
    py: Python<'_>,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Shared) -> Result<T, api::Error> + Send,
) -> PyResult<T> {
    let shared = Shared::default();
    let report = report.map(|report| report.clone().unbind());
    let mut raised_here = None;
    let result = py.allow_threads(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let shared = &shared;
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work(shared);
                // The receiver waits for as long as this thread runs.
                let _ = sender.send(result);
            });
            let worker = worker.map_err(api::Error::internal)?;
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) if raised_here.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        let looked = Python::with_gil(|py| shared.look(py, report.as_ref().map(|r| r.bind(py))));
                        if let Err(error) = looked {
                            raised_here = Some(error);
                            shared.stop.store(true, Ordering::Relaxed);
                        }
                    }
                    // The work panicked: it sent nothing.
                    Err(RecvTimeoutError::Disconnected) => {
                        let said = worker.join().err().and_then(|panic| text(&*panic)).unwrap_or_default();
                        return Err(api::Error::internal(format!("A fault of this program: {said}")));
                    }
                }
            }
        })
    });
    match (raised_here, result) {
        (Some(error), _) => Err(error),
        (None, Ok(value)) => {
            if let Some(report) = &report {
                let total = shared.total.load(Ordering::Relaxed);
                report.bind(py).call1((total, total))?;
            }
            Ok(value)
        }
        (None, Err(error)) => Err(raised(py, &error)),
    }
}

/// Returns the message of a panic, if it is a text.
fn text(panic: &(dyn std::any::Any + Send)) -> Option<String> {
    let owned = || panic.downcast_ref::<String>().cloned();
    panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(owned)
}
