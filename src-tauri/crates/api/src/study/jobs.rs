//! Studies whose tasks other processes answer.
//!
//! ```text
//! StudyJobs, one process          study_answer, any process, any machine
//!   missing ── tasks' keys ──►      capture found by its hash, tasks answered
//!   keep    ◄── rows ───────        … or kept there, where the folder of rows can be reached
//! ```
//!
//! Questions are texts and answers octets of Parquet: who carries them needs to know neither. Rows are those of
//! [`super::study_run`], octet for octet.

use super::answer::{Refusal, row};
use super::ran::Ran;
use super::run::{Question, Standing, groups, pool};
use super::{StudyObserver, StudyRequest, begin, dataset, folder_of_file, spec_with};
use crate::Error;
use crate::opened::file_sha256;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf, absolute};
use std::sync::{Mutex, PoisonError};
use study::{Capture, Content, Draft, Plan, Row, State, Task};

/// A study whose tasks other processes answer. Its folder is this process's own until [`StudyJobs::close`].
pub struct StudyJobs {
    plan: Plan,
    /// Folder of the study's file, absolute.
    folder: PathBuf,
    /// Folder of the rows, absolute.
    out: PathBuf,
    program: String,
    again: bool,
    study: String,
    notes: Vec<String>,
    lock: Mutex<Option<std::fs::File>>,
}

/// Tasks of a capture, and how many of them have a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StudyMissing {
    /// Number of tasks with a row.
    pub rows: usize,
    /// Number of those without an answer.
    pub failed: usize,
    /// Keys of the tasks without a row: those of one group (one channel, one seed) stand together, and are fastest
    /// answered together.
    pub groups: Vec<Vec<String>>,
}

/// Tasks of one capture, for another process.
#[derive(Clone, Copy, Debug)]
pub struct StudyTicket<'a> {
    /// The study: [`StudyJobs::study`].
    pub study: &'a str,
    /// The capture: [`StudyJobs::capture`].
    pub capture: &'a str,
    /// Keys of its tasks: of [`StudyJobs::missing`].
    pub keys: &'a [String],
    /// Path of the capture's file, with what is read beside it; `None`: where [`StudyJobs::files`] has it.
    pub place: Option<&'a Path>,
    /// Whether the rows are kept in the study's folder at once. No other process may have tasks of this capture then.
    pub keep: bool,
    /// Name of this program with its commit.
    pub program: &'a str,
}

/// Rows of some tasks of a capture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StudyAnswered {
    /// Number of rows.
    pub rows: usize,
    /// Number of those without an answer.
    pub failed: usize,
    /// The rows, for [`StudyJobs::keep`]; `None` where they are kept.
    pub octets: Option<Vec<u8>>,
}

impl StudyJobs {
    /// Finds the captures of a study, and begins its folder or goes on with it. The number of threads of `request` does
    /// not matter.
    ///
    /// # Errors
    /// As [`super::study_run`] before a task runs; [`crate::Code::Cancelled`] where `observer` breaks.
    pub fn begin(request: &StudyRequest, observer: StudyObserver<'_>) -> Result<Self, Error> {
        let begun = begin(request, observer)?.ok_or_else(Error::cancelled)?;
        let whole = |path: &Path| {
            absolute(path).map_err(|error| Error::request(format!("{} has no path: {error}.", path.display())))
        };
        let (folder, out) = (whole(folder_of_file(&request.spec))?, whole(&request.out)?);
        let draft = Draft::read(&begun.text).map_err(Error::internal)?;
        let preset = |number: usize, name: &String| {
            let path = dataset::preset(&out, number);
            Ok(json!([name, super::read_text(&path)?]))
        };
        let presets = draft.presets().iter().enumerate();
        let presets: Vec<Value> = presets.map(|(n, name)| preset(n, name)).collect::<Result<_, Error>>()?;
        let study = json!({
            "program": request.program, "text": begun.text, "presets": presets,
            "folder": text_of(&folder)?, "out": text_of(&out)?,
        });
        Ok(Self {
            plan: begun.plan,
            folder,
            out,
            program: request.program.clone(),
            again: request.again,
            study: study.to_string(),
            notes: begun.notes,
            lock: Mutex::new(begun.lock),
        })
    }

    /// Lets other processes have the folder.
    pub fn close(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Number of tasks of the study, those with a row included.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.plan.len()
    }

    /// Number of captures of the study.
    #[must_use]
    pub const fn captures(&self) -> usize {
        self.plan.captures.len()
    }

    /// Sentences about captures that were left out.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The study as text, the same for all captures.
    #[must_use]
    pub fn study(&self) -> &str {
        &self.study
    }

    /// Capture number `at`, from 0, as text.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] for a number that the study has not.
    pub fn capture(&self, at: usize) -> Result<String, Error> {
        Ok(dataset::document_of(self.get(at)?).to_string())
    }

    /// Files that are read for capture number `at`: its own first, then those beside it that are there. None for one
    /// that cannot be read.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] for a number that the study has not.
    pub fn files(&self, at: usize) -> Result<Vec<PathBuf>, Error> {
        let capture = self.get(at)?;
        if let Content::Unreadable(_) = capture.content {
            return Ok(Vec::new());
        }
        let place = self.folder.join(&capture.path);
        let ran = Some(place.with_file_name(crate::opened::RAN)).filter(|path| path.is_file());
        let log = trace::mote_log_beside(&place);
        Ok([place].into_iter().chain(log).chain(ran).collect())
    }

    /// Tasks of capture number `at` that have no row.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] for a number that the study has not, [`crate::Code::Request`] where rows cannot be read.
    pub fn missing(&self, at: usize) -> Result<StudyMissing, Error> {
        let capture = self.get(at)?;
        let Standing { states, missing, .. } = Standing::of(&self.out, &self.plan, capture, self.again)?;
        let keys = |group: &[Task<'_>]| group.iter().map(|task| task.key.clone()).collect();
        Ok(StudyMissing {
            rows: states.len(),
            failed: states.iter().filter(|state| **state != State::Done).count(),
            groups: groups(&missing).map(keys).collect(),
        })
    }

    /// Keeps rows of capture number `at` that another process has answered; those that are there stay.
    ///
    /// # Errors
    /// [`crate::Code::Request`] for octets that are no rows of it, [`crate::Code::Internal`] where they cannot be
    /// written.
    pub fn keep(&self, at: usize, octets: Vec<u8>) -> Result<(), Error> {
        let capture = self.get(at)?;
        let keys: Vec<String> = self.plan.tasks(capture).into_iter().map(|task| task.key).collect();
        let rows = dataset::of_octets(octets)
            .filter(|rows| rows.iter().all(|row| keys.contains(&row.task) && row.program == self.program));
        let none = || Error::request(format!("What came back for {} are no rows of this study.", capture.path));
        dataset::merge(&self.out, &self.plan, capture, rows.ok_or_else(none)?)
    }

    /// Keeps a row for each of the tasks `keys` of capture number `at`, which ended the processes that were to answer
    /// them; `reason` says so. Returns the number of rows.
    ///
    /// # Errors
    /// As [`StudyJobs::keep`].
    pub fn lose(&self, at: usize, keys: &[String], reason: &str) -> Result<usize, Error> {
        let capture = self.get(at)?;
        let ran = Ran::of(capture, &self.folder.join(&capture.path));
        let lost = |task: &Task<'_>| {
            let refusal = Refusal { state: State::Crashed, reason: reason.to_owned() };
            row(&self.plan, task, &ran, &self.program, Err(refusal))
        };
        let tasks = self.plan.tasks(capture);
        let rows: Vec<Row> = tasks.iter().filter(|task| keys.contains(&task.key)).map(lost).collect();
        let count = rows.len();
        dataset::merge(&self.out, &self.plan, capture, rows)?;
        Ok(count)
    }

    fn get(&self, at: usize) -> Result<&Capture, Error> {
        self.plan.captures.get(at).ok_or_else(|| Error::gone(format!("capture {at} of the study")))
    }
}

/// Answers the tasks of a ticket, on one thread. Asks `flow` often, from several threads, whether to go on.
///
/// # Errors
/// [`crate::Code::Gone`] where the file is not there or has another content, [`crate::Code::Request`] for the ticket of
/// another program or a malformed one, [`crate::Code::Internal`] where rows cannot be kept, [`crate::Code::Cancelled`]
/// where `flow` breaks: no row is kept then.
pub fn study_answer(
    ticket: &StudyTicket<'_>,
    flow: &(dyn Fn() -> ControlFlow<()> + Sync),
) -> Result<StudyAnswered, Error> {
    let study: Value = serde_json::from_str(ticket.study)?;
    let text = |key: &str| study.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("program") != ticket.program {
        return Err(Error::request(format!(
            "A worker has {}, and the study is run by {}: install the same wheel for both.",
            ticket.program,
            text("program")
        )));
    }
    let malformed = || Error::request("The ticket of the tasks is malformed.");
    let capture = dataset::capture_of(&serde_json::from_str(ticket.capture)?).ok_or_else(malformed)?;
    let presets: Vec<(String, String)> = serde_json::from_value(study.get("presets").cloned().unwrap_or_default())?;
    let spec = spec_with(text("text"), &|number, _| presets.get(number).cloned().ok_or_else(malformed))?;
    let (plan, _) = Plan::new(spec, vec![capture]);
    let capture = plan.captures.first().ok_or_else(malformed)?;
    let place = ticket.place.map_or_else(|| Path::new(text("folder")).join(&capture.path), Path::to_owned);
    is_there(capture, &place, flow)?;
    let mut tasks = plan.tasks(capture);
    tasks.retain(|task| ticket.keys.contains(&task.key));
    if tasks.len() != ticket.keys.len() {
        return Err(malformed());
    }
    let mut rows: Vec<Row> = Vec::new();
    let question = Question { plan: &plan, capture, place: &place, program: ticket.program, flow };
    let keep = &mut |new| {
        rows.extend(new);
        Ok(())
    };
    if question.answer(&tasks, &pool(Some(1))?, keep)?.is_break() || flow().is_break() {
        return Err(Error::cancelled());
    }
    let failed = rows.iter().filter(|row| row.state != State::Done).count();
    let mut answered = StudyAnswered { rows: rows.len(), failed, octets: None };
    // All at once: a process that lives on after another took over its tasks writes the same octets.
    match ticket.keep {
        true => dataset::merge(Path::new(text("out")), &plan, capture, rows)?,
        false => answered.octets = Some(dataset::octets_of(&mut rows)?),
    }
    Ok(answered)
}

/// Errs ([`crate::Code::Gone`]) unless the file at `place` and the log beside it are those of `capture`; one that
/// cannot be read is its own answer.
fn is_there(capture: &Capture, place: &Path, flow: &(dyn Fn() -> ControlFlow<()> + Sync)) -> Result<(), Error> {
    let Content::Hash { sha256, log } = &capture.content else { return Ok(()) };
    let mut progress = |_: u64, _: u64| flow();
    let mut hash = |path: &Path| file_sha256(path, &mut progress).map_err(|_| Error::cancelled());
    let own = hash(place)?.ok();
    let beside = trace::mote_log_beside(place).map(|log| hash(&log)).transpose()?.and_then(Result::ok);
    if own.as_ref() == Some(sha256) && beside == *log {
        return Ok(());
    }
    let message = format!("{}: no file with the content that the study found is there.", place.display());
    Err(Error { message, ..Error::gone("") })
}

/// The text of a path; errs where it is not UTF-8, which no message can carry.
fn text_of(path: &Path) -> Result<&str, Error> {
    path.to_str()
        .ok_or_else(|| Error::request(format!("{} is no UTF-8: other processes cannot be told.", path.display())))
}
