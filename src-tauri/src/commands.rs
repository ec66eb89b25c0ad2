//! Commands that the page may call in this process. `call` carries every request of `api`; the others belong to the
//! window alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use api::{Error, Reply, Session};
use serde_json::Value;
use tauri::State;
use tauri::ipc::{Channel, Response};

use crate::channel::{Report, Reporter};

/// Answers request `name` of [`api::COMMANDS`] on a thread of its own: with JSON, or with the octets of an Arrow
/// stream, which the page receives as an `ArrayBuffer`. `job` is the page's number for this call, by which it can be
/// cancelled. Fails as the request does, with code `cancelled` after [`cancel`], and with `internal` where the thread
/// panicked.
#[tauri::command]
pub async fn call(
    session: State<'_, Arc<Session>>,
    jobs: State<'_, Jobs>,
    job: u32,
    name: String,
    request: Value,
    on_progress: Channel<Report>,
) -> Result<Response, Error> {
    let session = Arc::clone(&session);
    let running = jobs.start(job);
    let mut progress = Reporter::new(job, Arc::clone(&running.cancelled), on_progress);
    let work = move || session.call(&name, request, &mut progress);
    // A thread that panicked still owes the page an answer.
    let reply = tauri::async_runtime::spawn_blocking(work).await.map_err(Error::internal)??;
    Ok(match reply {
        Reply::Json(value) => Response::new(value.to_string()),
        Reply::Bytes(octets) => Response::new(octets),
    })
}

/// Asks a job to stop. Its `call` then fails with code `cancelled`; a job that has ended already keeps its answer.
#[tauri::command]
pub fn cancel(jobs: State<'_, Jobs>, job: u32) {
    jobs.cancel(job);
}

/// Returns the absolute paths of the captures named on the command line, in order.
#[tauri::command]
pub fn opened_with(paths: State<'_, OpenedWith>) -> Vec<String> {
    paths.0.clone()
}

/// State of [`opened_with`]: absolute paths of captures.
#[derive(Debug, Default)]
pub struct OpenedWith(pub Vec<String>);

/// Calls that are being worked on: the flag that cancels each, by the page's job number.
#[derive(Debug, Default)]
pub struct Jobs {
    running: Mutex<HashMap<u32, Arc<AtomicBool>>>,
    /// Told whenever a job has ended.
    ended: Condvar,
}

/// Longest wait for jobs at the end of the program. Chosen here: a job asks whether to go on some hundred times a
/// second (`npm run bench -- stops`), and nobody waits longer for a window to close.
const PATIENCE: Duration = Duration::from_secs(3);

/// Guard of a job that is being worked on; dropping it removes the job.
struct Running<'a> {
    jobs: &'a Jobs,
    job: u32,
    cancelled: Arc<AtomicBool>,
}

impl Jobs {
    /// Registers a job; an earlier one of the same number is cancelled.
    fn start(&self, job: u32) -> Running<'_> {
        let cancelled = Arc::new(AtomicBool::new(false));
        // A page that was reloaded counts from one again: the old job of this number has no listener.
        if let Some(orphan) = self.lock().insert(job, Arc::clone(&cancelled)) {
            orphan.store(true, Ordering::Relaxed);
        }
        Running { jobs: self, job, cancelled }
    }

    /// Sets the flag of a job; does nothing where there is none.
    fn cancel(&self, job: u32) {
        if let Some(cancelled) = self.lock().get(&job) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Asks all jobs to stop and waits until they have, at most [`PATIENCE`].
    pub(crate) fn end(&self) {
        let running = self.lock();
        running.values().for_each(|cancelled| cancelled.store(true, Ordering::Relaxed));
        drop(self.ended.wait_timeout_while(running, PATIENCE, |running| !running.is_empty()));
    }

    /// Every critical section above leaves the map whole, so a poisoned lock is as good as a clean one.
    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Arc<AtomicBool>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut jobs = self.jobs.lock();
        if jobs.get(&self.job).is_some_and(|current| Arc::ptr_eq(current, &self.cancelled)) {
            jobs.remove(&self.job);
            self.jobs.ended.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cancelled(running: &Running<'_>) -> bool {
        running.cancelled.load(Ordering::Relaxed)
    }

    #[test]
    fn cancel_reaches_its_job_and_no_other() {
        let jobs = Jobs::default();
        let (one, two) = (jobs.start(1), jobs.start(2));
        jobs.cancel(1);
        jobs.cancel(3);
        assert!(cancelled(&one) && !cancelled(&two));
    }

    #[test]
    fn a_reloaded_page_ends_the_jobs_of_the_old_one() {
        let jobs = Jobs::default();
        let before = jobs.start(1);
        let after = jobs.start(1);
        assert!(cancelled(&before) && !cancelled(&after));
        drop(before);
        jobs.cancel(1);
        assert!(cancelled(&after));
    }

    #[test]
    fn the_end_of_the_program_stops_jobs_and_waits_for_them() {
        let jobs = Jobs::default();
        let finished = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let running = jobs.start(1);
            let finished = &finished;
            scope.spawn(move || {
                while !cancelled(&running) {
                    std::thread::yield_now();
                }
                finished.store(true, Ordering::Relaxed);
                drop(running);
            });
            jobs.end();
            assert!(finished.load(Ordering::Relaxed));
        });
        assert!(jobs.lock().is_empty());
    }

    #[test]
    fn a_job_that_ended_is_forgotten() {
        let jobs = Jobs::default();
        drop(jobs.start(1));
        assert!(jobs.lock().is_empty());
    }
}
