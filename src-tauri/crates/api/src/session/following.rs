//! A file that is read again as it grows, and the capture that it is becoming.

use crate::opened::ReadOptions;
use crate::view::CaptureId;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use trace::Tail;

/// Slot for the file that a session follows.
#[derive(Debug, Default)]
pub(crate) struct FollowingSlot(Mutex<Option<Following>>);

/// A followed file, and the capture that it is becoming.
#[derive(Clone, Debug)]
pub(crate) struct Following {
    /// Reads the file; `None` while a thread reads.
    pub tail: Option<Tail>,
    /// Path of the file.
    pub path: PathBuf,
    /// Options with which the file is imported and decoded.
    pub reading: ReadOptions,
    /// Number of its capture; `None` before there was anything to read.
    pub capture: Option<CaptureId>,
}

impl FollowingSlot {
    /// Locks the slot. Every critical section leaves it whole, so a poisoned lock is as good as a clean one.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Following>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Following {
    /// Begins to follow the file at `path`, which is open as `capture` or (`None`) not yet.
    pub(crate) fn new(path: &Path, reading: ReadOptions, capture: Option<CaptureId>) -> Self {
        let tail = Some(Tail::new(path, &reading.import));
        Self { tail, path: path.to_owned(), reading, capture }
    }
}
