//! The state of a window: open captures, their runs, the recording, the set of algorithms.

pub(crate) mod alerts;
pub(crate) mod file;
pub(crate) mod following;
pub(crate) mod growing;
pub(crate) mod output;
pub(crate) mod recording;

use crate::runs::{self, Key, MOST_OCTETS, RunCache, Stored};
use crate::view::{CaptureId, CaptureView, RunId};
use crate::{Error, Opened, Progress, read_beside};
use alerts::AlertsSlot;
use following::FollowingSlot;
use recording::RecordingSlot;
use rto::AlgorithmSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trace::DecodeOptions;

/// Greatest number of cached runs for the screen. Chosen here: every algorithm shown, and the steps of moving a slider.
/// A run of 10,000 exchanges takes some megabytes.
const SHOWN_RUNS: usize = 96;
/// Greatest number of cached runs for figures. Chosen here: twelve algorithms over five captures, drawn again when a
/// switch is set.
const DRAWN_RUNS: usize = 64;

/// Open captures and their runs. Methods take `&self`: a session is shared between threads.
#[derive(Debug, Default)]
pub struct Session {
    state: Mutex<State>,
    live: RecordingSlot,
    followed: FollowingSlot,
    alerts: AlertsSlot,
    options: DecodeOptions,
    report_page: &'static str,
    program: &'static str,
}

#[derive(Debug)]
struct State {
    captures: BTreeMap<CaptureId, Arc<Opened>>,
    runs: RunCache,
    /// Runs that only figures use: they do not displace those on the screen.
    drawn: RunCache,
    algorithm_set: Arc<AlgorithmSet>,
    /// Preset files that were read, which no request may write over.
    presets: BTreeSet<PathBuf>,
    next_capture: CaptureId,
}

impl Default for State {
    fn default() -> Self {
        Self {
            captures: BTreeMap::new(),
            runs: RunCache::new(SHOWN_RUNS, MOST_OCTETS),
            drawn: RunCache::new(DRAWN_RUNS, MOST_OCTETS),
            algorithm_set: Arc::default(),
            presets: BTreeSet::new(),
            next_capture: 0,
        }
    }
}

impl State {
    /// Whether capture `id` is still `opened`: one that has grown keeps its number.
    fn is_open(&self, id: CaptureId, opened: &Arc<Opened>) -> bool {
        self.captures.get(&id).is_some_and(|now| Arc::ptr_eq(now, opened))
    }

    /// Removes all runs of capture `id`.
    fn forget_runs(&mut self, id: CaptureId) {
        self.runs.retain(|run| run.key.capture != id);
        self.drawn.retain(|run| run.key.capture != id);
    }
}

impl Session {
    /// Creates a session that decodes with `options`.
    #[must_use]
    pub fn new(options: DecodeOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Sets the page that reports are written into, as it was built from ui/report.html.
    #[must_use]
    pub fn with_report_page(self, page: &'static str) -> Self {
        Self { report_page: page, ..self }
    }

    /// Sets the program and its commit, to which rows of studies belong.
    #[must_use]
    pub fn with_program(self, program: &'static str) -> Self {
        Self { program, ..self }
    }

    /// The program and its commit; without any, the version.
    pub(crate) const fn program(&self) -> &'static str {
        if self.program.is_empty() { concat!("rtoscope ", env!("CARGO_PKG_VERSION")) } else { self.program }
    }

    /// Returns the page that reports are written into; empty without one.
    pub(crate) const fn report_page(&self) -> &'static str {
        self.report_page
    }

    /// Every critical section leaves the maps whole, so a poisoned lock is as good as a clean one.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an open capture to the session, under the next number.
    #[must_use]
    pub fn adopt(&self, opened: Opened) -> CaptureView {
        self.admit(Arc::new(opened))
    }

    /// Adds a capture that is open in another session too, under the next number.
    #[must_use]
    pub fn admit(&self, opened: Arc<Opened>) -> CaptureView {
        let mut state = self.state();
        let id = state.next_capture;
        state.next_capture = state.next_capture.wrapping_add(1);
        state.captures.insert(id, Arc::clone(&opened));
        opened.view(id)
    }

    /// Returns the recording, if there is one.
    pub(crate) const fn live(&self) -> &RecordingSlot {
        &self.live
    }

    /// Returns the file that is followed, if there is one.
    pub(crate) const fn followed(&self) -> &FollowingSlot {
        &self.followed
    }

    /// Returns the watch for alerts, if there is one.
    pub(crate) const fn alerts(&self) -> &AlertsSlot {
        &self.alerts
    }

    /// Replaces capture `id` and removes its runs; adds a new one where `id` is `None` or was closed.
    pub(crate) fn replace(&self, id: Option<CaptureId>, opened: Opened) -> CaptureView {
        let mut state = self.state();
        let Some(id) = id.filter(|id| state.captures.contains_key(id)) else {
            drop(state);
            return self.adopt(opened);
        };
        let opened = Arc::new(opened);
        state.captures.insert(id, Arc::clone(&opened));
        state.forget_runs(id);
        opened.view(id)
    }

    /// Removes a capture and its runs; one that is not open is no error.
    pub fn close(&self, id: CaptureId) {
        let mut state = self.state();
        state.captures.remove(&id);
        state.forget_runs(id);
    }

    /// Returns all open captures, in order of their numbers.
    #[must_use]
    pub fn captures(&self) -> Vec<CaptureView> {
        self.state().captures.iter().map(|(&id, opened)| opened.view(id)).collect()
    }

    /// Returns all open captures with their numbers.
    pub(crate) fn opened(&self) -> Vec<(CaptureId, Arc<Opened>)> {
        self.state().captures.iter().map(|(&id, opened)| (id, Arc::clone(opened))).collect()
    }

    /// Returns the set of all algorithms: those of the registry, and the user's presets.
    #[must_use]
    pub fn algorithm_set(&self) -> Arc<AlgorithmSet> {
        Arc::clone(&self.state().algorithm_set)
    }

    /// Remembers that presets were read from `path`.
    pub(crate) fn read_presets_from(&self, path: &Path) {
        self.state().presets.insert(path.to_owned());
    }

    /// Returns the files that no request may write over: those of the open captures and what was read beside them, mote
    /// logs and lists of nodes that a person opened, preset files, the recording, and the files that are followed and
    /// watched.
    pub(crate) fn files_read(&self) -> Vec<PathBuf> {
        let recording = self.live.lock().as_ref().map(|recording| recording.following.path.clone());
        let followed = self.followed.lock().as_ref().map(|following| following.path.clone());
        let state = self.state();
        let files = |opened: &Arc<Opened>| {
            let own = opened.files.iter().filter_map(|file| file.path.as_deref()).map(PathBuf::from);
            let list = opened.list.get().and_then(|list| list.as_ref()?.path.clone());
            let own = own.flat_map(|file| read_beside(&file).into_iter().chain([file]));
            own.chain(opened.mote_logs.path.clone()).chain(list).collect::<Vec<_>>()
        };
        state
            .captures
            .values()
            .flat_map(files)
            .chain(state.presets.iter().cloned())
            .chain(recording)
            .chain(followed)
            .chain(self.alerts.path())
            .collect()
    }

    /// Replaces the algorithm set by the result of `change`; tries again if another thread was faster. Errs as
    /// `change`.
    pub(crate) fn change_algorithms(
        &self,
        change: impl Fn(&AlgorithmSet) -> Result<AlgorithmSet, Error>,
    ) -> Result<Arc<AlgorithmSet>, Error> {
        loop {
            let before = self.algorithm_set();
            let after = Arc::new(change(&before)?);
            let mut state = self.state();
            if Arc::ptr_eq(&state.algorithm_set, &before) {
                state.algorithm_set = Arc::clone(&after);
                return Ok(after);
            }
        }
    }

    /// Returns the decode options for captures whose request names none.
    pub(crate) const fn options(&self) -> &DecodeOptions {
        &self.options
    }

    /// Returns open capture `id`.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where it is not open.
    pub(crate) fn capture(&self, id: CaptureId) -> Result<Arc<Opened>, Error> {
        self.state().captures.get(&id).cloned().ok_or_else(|| Error::gone(format!("Capture {id}")))
    }

    /// Returns run `id`.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where it is not cached any more.
    pub(crate) fn run(&self, id: RunId) -> Result<Arc<Stored>, Error> {
        self.state().runs.get(id).ok_or_else(|| Error::gone(format!("Run {id}")))
    }

    /// Returns the run with these settings and its number, if it is cached.
    pub(crate) fn cached(&self, key: &Key) -> Option<(RunId, Arc<Stored>)> {
        self.state().runs.find(key)
    }

    /// Returns the run with these settings, whether it was computed for the screen or for a figure; `None` where it is
    /// not cached.
    pub(crate) fn cached_for_figures(&self, key: &Key) -> Option<Arc<Stored>> {
        let mut state = self.state();
        state.runs.find(key).or_else(|| state.drawn.find(key)).map(|(_, run)| run)
    }

    /// Computes the runs of `keys`, in their order. Steps and lanes are shared with cached runs that have the same
    /// first replicate.
    ///
    /// # Errors
    /// As [`runs::compute`].
    pub(crate) fn compute(
        &self,
        opened: &Arc<Opened>,
        keys: Vec<Key>,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Stored>, Error> {
        let begun = {
            let state = self.state();
            let begun = |key: &Key| {
                // Cached runs are of the capture as it is now.
                let is_open = state.is_open(key.capture, opened);
                let runs = state.runs.runs().chain(state.drawn.runs());
                let runs = runs.filter(|run| is_open && run.key.begins_as(key));
                // The one with the most replicates to go on from.
                runs.max_by_key(|run| run.begun.octets()).cloned()
            };
            keys.iter().map(begun).collect()
        };
        runs::compute(opened, keys, begun, progress)
    }

    /// Adds a run of `opened` for figures, in place of those used the longest ago where there is no room. A run of a
    /// capture that has grown meanwhile is not kept.
    pub(crate) fn add_for_figures(&self, opened: &Arc<Opened>, run: Stored) -> Arc<Stored> {
        let run = Arc::new(run);
        let mut state = self.state();
        if state.is_open(run.key.capture, opened) {
            state.drawn.add(Arc::clone(&run));
            state.drawn.make_room(&[]);
        }
        run
    }

    /// Adds a run of `opened` for the screen. [`Session::make_room`] removes others.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture was closed or has grown meanwhile: the run is of what it was.
    pub(crate) fn add(&self, opened: &Arc<Opened>, run: Stored) -> Result<(RunId, Arc<Stored>), Error> {
        let mut state = self.state();
        let id = run.key.capture;
        if !state.is_open(id, opened) {
            return Err(Error::gone(format!("Capture {id} as it was asked about")));
        }
        let run = Arc::new(run);
        Ok((state.runs.add(Arc::clone(&run)), run))
    }

    /// Removes runs that there is no room for, those used the longest ago first; `in_use` stay.
    pub(crate) fn make_room(&self, in_use: &[RunId]) {
        self.state().runs.make_room(in_use);
    }
}
