//! A capture that goes on and is watched: the rules, the reader of its file, and the alerts that are kept.

use super::growing::{GrowingFile, Grown};
use crate::opened::ReadOptions;
use crate::view::{AlertSource, CaptureId};
use crate::{Error, Progress};
use base::Part;
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use watch::{Alert, Options, Rule, Watch, WatchError};

/// Octets that one look reads at most. Chosen here: half a second of work (`npm run bench -- watch` reads some 9 MB of
/// capture a second), and two minutes of 802.15.4 at its full 250 kbit/s.
pub(crate) const LOOK_OCTETS: u64 = 4 << 20;

/// Octets that are read at once, between two reports of progress. Chosen here: the work of some seven milliseconds.
const CHUNK: usize = 1 << 16;

/// Greatest number of alerts that are kept, the last ones. Chosen here: more than a person reads.
const MOST_ALERTS: usize = 1_000;

/// Slot for what is watched.
#[derive(Debug, Default)]
pub(crate) struct AlertsSlot(Mutex<Watched>);

#[derive(Debug, Default)]
struct Watched {
    /// Number of the watch, which tells one from the next.
    number: u32,
    /// Path of its file; `None` without one.
    path: Option<PathBuf>,
    /// The watch; `None` without one, and while a thread reads.
    alerting: Option<Alerting>,
}

impl AlertsSlot {
    /// Every critical section leaves it whole, so a poisoned lock is as good as a clean one.
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the path of the file that is watched, if there is one.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.lock().path.clone()
    }

    /// Replaces the watch, also one that another thread reads.
    pub(crate) fn replace(&self, alerting: Alerting) {
        let mut slot = self.lock();
        let path = Some(alerting.path.clone());
        *slot = Watched { number: slot.number.wrapping_add(1), path, alerting: Some(alerting) };
    }

    /// Takes the watch out, with its number; `None` without one, and where another thread has it.
    pub(crate) fn take(&self) -> Option<(u32, Alerting)> {
        let mut slot = self.lock();
        let number = slot.number;
        slot.alerting.take().map(|alerting| (number, alerting))
    }

    /// Puts back a watch that was taken out, unless another one has its place; without one, the slot is empty then.
    pub(crate) fn put(&self, number: u32, alerting: Option<Alerting>) {
        let mut slot = self.lock();
        if slot.number == number {
            slot.path = alerting.as_ref().map(|alerting| alerting.path.clone());
            slot.alerting = alerting;
        }
    }
}

/// A watch of one file.
#[derive(Debug)]
pub(crate) struct Alerting {
    /// Capture that is watched.
    pub source: AlertSource,
    /// Path of its file.
    pub path: PathBuf,
    /// Rules, in the order of the request.
    pub rules: Vec<Rule>,
    /// The watch.
    pub watch: Watch,
    /// The last alerts, oldest first.
    pub alerts: VecDeque<Alert>,
    /// Notes of the watch, oldest first.
    pub notes: Vec<String>,
    /// Sentence that says why nothing more is read; empty while it goes on.
    pub ended: String,
    /// Number of the open capture that it is becoming, as far as is known.
    pub capture: Option<CaptureId>,
    reading: ReadOptions,
    /// The file; `None` until it is there.
    file: Option<GrowingFile>,
}

impl Alerting {
    /// Begins to watch the file at `path` from its start.
    pub(crate) fn new(source: AlertSource, path: &Path, reading: ReadOptions, rules: Vec<Rule>) -> Self {
        Self {
            source,
            path: path.to_owned(),
            watch: Watch::new(options(&reading), rules.clone()),
            rules,
            alerts: VecDeque::new(),
            notes: Vec::new(),
            ended: String::new(),
            capture: None,
            reading,
            file: None,
        }
    }

    /// Returns whether this is a watch of the file at `path`, read with the same options, and goes on.
    pub(crate) fn goes_on(&self, path: &Path, reading: &ReadOptions) -> bool {
        let ReadOptions { import, decode } = reading;
        self.ended.is_empty() && self.path == path && self.reading.import == *import && self.reading.decode == *decode
    }

    /// Goes on under other rules: those that stay keep their state, new ones begin with the exchanges not taken yet.
    ///
    /// # Errors
    /// [`crate::Code::Capture`] where the file cannot be read again.
    pub(crate) fn with_rules(mut self, source: AlertSource, rules: Vec<Rule>) -> Result<Self, Error> {
        self.source = source;
        let texts = |rules: &[Rule]| rules.iter().map(|rule| rule.text.clone()).collect::<Vec<_>>();
        if texts(&self.rules) == texts(&rules) {
            return Ok(self);
        }
        let state = self.watch.state();
        if let Some(file) = &mut self.file {
            *file =
                GrowingFile::open(&self.path, state.place().offset).map_err(|error| unreadable(&self.path, &error))?;
        }
        self.watch =
            Watch::resume(options(&self.reading), rules.clone(), state).map_err(|error| failed(&self.path, error))?;
        self.rules = rules;
        Ok(self)
    }

    /// Returns whether octets of the file were not read yet.
    pub(crate) fn is_behind(&self) -> bool {
        self.ended.is_empty() && self.file.as_ref().is_some_and(|file| file.octets().0 < file.octets().1)
    }

    /// Reads at most `most` new octets of the file. A file that is cut, replaced or no capture ends the watch, with a
    /// sentence in [`Alerting::ended`].
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`]: nothing is lost, the next call goes on.
    pub(crate) fn read(&mut self, most: u64, progress: &mut dyn Progress) -> Result<(), Error> {
        let done = match self.ended.is_empty() {
            true => self.go_on(most, progress),
            false => Ok(()),
        };
        self.collect();
        match done {
            Err(error) if error.code != crate::Code::Cancelled => {
                self.ended = format!("{} Alerts end here.", error.message);
                Ok(())
            }
            done => done,
        }
    }

    /// Takes the exchanges that are still open as they stand, at the end of the capture.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`]: nothing is lost.
    pub(crate) fn finish(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        let done = self.watch.finish(progress).map_err(|error| failed(&self.path, error));
        self.collect();
        match done {
            Err(error) if error.code == crate::Code::Cancelled => Err(error),
            // Where the last window cannot be read, what was said before stands.
            _ => Ok(()),
        }
    }

    fn go_on(&mut self, most: u64, progress: &mut dyn Progress) -> Result<(), Error> {
        let name = self.path.display().to_string();
        // A stopped look may have left something undone.
        self.watch.push(&[], progress).map_err(|error| failed(&self.path, error))?;
        if self.file.is_none() {
            self.file = match GrowingFile::open(&self.path, 0) {
                Ok(file) => Some(file),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => return Err(unreadable(&self.path, &error)),
            };
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let (read, length) = file.octets();
        let all = (length - read).min(most);
        let mut buffer = vec![0; CHUNK];
        let mut done = 0;
        while done < most {
            if progress.tick(done.min(all), all).is_break() {
                return Err(Error::cancelled());
            }
            match file.read(&mut buffer).map_err(|error| unreadable(&self.path, &error))? {
                Grown::Octets(n) => {
                    let until = done + n as u64;
                    let mut part = Part::new(progress, done.min(all), until.min(all), all);
                    let octets = buffer.get(..n).unwrap_or_default();
                    self.watch.push(octets, &mut part).map_err(|error| failed(&self.path, error))?;
                    done = until;
                }
                Grown::End if file.is_at_path() => break,
                Grown::End if self.path.exists() => {
                    return Err(Error::capture(format!(
                        "{name} was replaced by another file; the old one was read to its end."
                    )));
                }
                Grown::End => {
                    return Err(Error::capture(format!("{name} is not there any more; it was read to its end.")));
                }
                Grown::Cut => return Err(Error::capture(format!("{name} was cut while it was watched."))),
            }
        }
        Ok(())
    }

    /// Keeps what the watch said since the last call.
    fn collect(&mut self) {
        self.alerts.extend(self.watch.take_alerts());
        self.alerts.drain(..self.alerts.len().saturating_sub(MOST_ALERTS));
        self.notes.extend(self.watch.take_notes());
    }
}

fn options(reading: &ReadOptions) -> Options {
    Options { import: reading.import, decode: reading.decode.clone(), ..Options::default() }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::capture(format!("{} cannot be read: {error}.", path.display()))
}

fn failed(path: &Path, error: WatchError) -> Error {
    match error {
        WatchError::Import(error) => Error::capture(format!("{}: {error}", path.display())),
        WatchError::Cancelled => Error::cancelled(),
    }
}
