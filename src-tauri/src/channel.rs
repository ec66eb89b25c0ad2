//! Reports of progress from a job to the page.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use api::Progress;
use serde::Serialize;
use tauri::ipc::Channel;

/// Shortest time between two reports of a job. Chosen here: twenty a second are more than an eye follows, and every one
/// is an evaluation in the page.
const INTERVAL: Duration = Duration::from_millis(50);

/// Message to the page: number of the job, and its progress in its own unit; `total` is 0 when unknown.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Report {
    job: u32,
    done: u64,
    total: u64,
}

/// Progress of one job that reports to the page at most once an interval, and stops the job once the page has cancelled
/// it.
pub(crate) struct Reporter {
    job: u32,
    cancelled: Arc<AtomicBool>,
    channel: Channel<Report>,
    /// Time of the last report; `None` before the first.
    reported: Option<Instant>,
}

impl Reporter {
    /// Returns the progress of job `job`, which `cancelled` stops.
    pub(crate) fn new(job: u32, cancelled: Arc<AtomicBool>, channel: Channel<Report>) -> Self {
        Self { job, cancelled, channel, reported: None }
    }
}

impl Progress for Reporter {
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        #[allow(clippy::disallowed_methods, reason = "the app may read a clock; nothing computed depends on it")]
        let now = Instant::now();
        if self.reported.is_none_or(|last| now.duration_since(last) >= INTERVAL) {
            self.reported = Some(now);
            // A page that has gone away gets no report; the job still answers.
            let _ = self.channel.send(Report { job: self.job, done, total });
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// A reporter, the flag that cancels it, and how many reports have left it.
    fn reporter() -> (Reporter, Arc<AtomicBool>, Arc<AtomicUsize>) {
        let (cancelled, sent) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let counter = Arc::clone(&sent);
        let channel = Channel::new(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        (Reporter::new(1, Arc::clone(&cancelled), channel), cancelled, sent)
    }

    #[test]
    fn a_burst_is_one_report() {
        let (mut reporter, _, sent) = reporter();
        assert!((0..100).all(|done| reporter.tick(done, 100).is_continue()));
        assert_eq!(sent.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_interval_later_there_is_another() {
        let (mut reporter, _, sent) = reporter();
        let _ = reporter.tick(0, 2);
        reporter.reported = reporter.reported.map(|last| last.checked_sub(INTERVAL).unwrap());
        let _ = reporter.tick(1, 2);
        assert_eq!(sent.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_cancelled_job_is_told_to_stop() {
        let (mut reporter, cancelled, sent) = reporter();
        cancelled.store(true, Ordering::Relaxed);
        assert!(reporter.tick(0, 1).is_break());
        assert_eq!(sent.load(Ordering::Relaxed), 0);
    }
}
