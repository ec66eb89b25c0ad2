//! Studies: captures are found and hashed, tasks run on all cores, rows kept in a dataset that a run goes on with. The
//! command line asks.
//!
//! ```text
//! DIR/study.toml                        the study, as it was written
//! DIR/study.json                        program, and the captures that were found: path, tags, hash
//! DIR/rows/scenario=NAME/KEY.parquet    one file a capture, one row a task, in order of the tasks' keys
//! ```
//!
//! A file is written again when a group of tasks (one channel, one seed, all timers) is done, so that a run that is
//! stopped or killed loses no more than the groups under way. A worker holds one capture: memory does not grow with the
//! study.

mod answer;
mod dataset;
mod figure;
mod find;
mod folder;
mod jobs;
mod ran;
mod reads;
mod report;
mod run;

use crate::Error;
use base::{Cancelled, Progress, Silent};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use study::{Draft, Plan, Row, Spec, State, groups, listing};
use table::{Cells, Listing};

pub use dataset::folder_of;
pub(crate) use figure::study_figure_slowly;
pub use figure::{StudyFigureAsked, study_figure, study_grid};
pub(crate) use folder::{bundled_study, find_runs, may_hold_presets, write_study};
pub use jobs::{StudyAnswered, StudyJobs, StudyMissing, StudyTicket, study_answer};
pub use report::{StudyDocument, study_figure_document, study_report};
pub use study::Asked as GroupsAsked;

/// Request to run a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyRequest {
    /// Path of the study's file (TOML).
    pub spec: PathBuf,
    /// Folder of its rows.
    pub out: PathBuf,
    /// Number of threads, at least 1; `None`: as many as there are cores.
    pub threads: Option<usize>,
    /// Run the tasks again whose rows have no answer.
    pub again: bool,
    /// Name of the program with its commit, kept in each row; rows of two programs are not mixed.
    pub program: String,
}

/// Progress of a study, in numbers of tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of tasks of the study.
    pub tasks: usize,
    /// Number of tasks with a row, those of earlier runs included.
    pub rows: usize,
    /// Number of rows of earlier runs.
    pub earlier: usize,
    /// Number of rows without an answer.
    pub failed: usize,
}

/// Receiver of a study's progress; called from several threads, and often. `Break` stops it at the next safe point.
pub type StudyObserver<'a> = &'a (dyn Fn(Tally) -> ControlFlow<()> + Sync);

/// Result of running a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyReply {
    /// Progress at the end.
    pub tally: Tally,
    /// The study was stopped before its end.
    pub stopped: bool,
    /// Sentences about captures that were left out, with the reason.
    pub notes: Vec<String>,
}

/// Files of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyPlace {
    /// The study's file; `None` where a folder of rows does not say it, or it is not there any more.
    pub spec: Option<PathBuf>,
    /// The folder of its rows.
    pub out: PathBuf,
}

impl StudyPlace {
    /// The study at `path`: its file, the folder of its rows, or the copy of the file in there.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let folder =
            if path.is_dir() { Some(path) } else { path.parent().filter(|folder| dataset::is_copy(folder, path)) };
        match folder {
            Some(out) => Self { spec: dataset::spec_of_folder(out), out: out.to_owned() },
            None => Self { spec: Some(path.to_owned()), out: folder_of(path) },
        }
    }
}

/// Runs the tasks of a study that have no row yet. A study that is stopped is no error.
///
/// # Errors
/// [`crate::Code::Request`] for a file that is no study, a pattern that finds nothing, a folder with the rows of
/// another program, or a file that cannot be read; [`crate::Code::Internal`] where rows cannot be written or threads
/// cannot be made.
pub fn study_run(request: &StudyRequest, observer: StudyObserver<'_>) -> Result<StudyReply, Error> {
    let Some(Begun { plan, notes, lock: _lock, .. }) = begin(request, observer)? else {
        return Ok(StudyReply { tally: Tally::default(), stopped: true, notes: Vec::new() });
    };
    let (tally, is_stopped) = run::run(&plan, request, observer)?;
    Ok(StudyReply { tally, stopped: is_stopped, notes })
}

/// A study whose folder is there, and this process's own.
struct Begun {
    /// Text of its file.
    text: String,
    plan: Plan,
    /// Sentences about captures that were left out.
    notes: Vec<String>,
    /// The folder is this process's own while this is open.
    lock: Option<std::fs::File>,
}

/// Finds the captures of a study and begins its folder, or goes on with it; `None` where `observer` stopped it. Errs as
/// [`study_run`] does before a task runs.
fn begin(request: &StudyRequest, observer: StudyObserver<'_>) -> Result<Option<Begun>, Error> {
    let text = read_text(&request.spec)?;
    let spec = spec_of(&text, &|_, name| folder_of_file(&request.spec).join(name))?;
    let captures = match find::captures(&spec, folder_of_file(&request.spec), &request.out, observer) {
        Err(find::Failed::Cancelled(Cancelled)) => return Ok(None),
        Err(find::Failed::Refused(error)) => return Err(error),
        Ok(captures) => captures,
    };
    let (plan, left_out) = Plan::new(spec, captures);
    let note = |(path, earlier)| format!("{path}: the same capture as {earlier}, run once");
    let notes = left_out.into_iter().map(note).collect();
    let lock = dataset::begin(&request.out, &request.spec, &text, &plan, &request.program)?;
    Ok(Some(Begun { text, plan, notes, lock }))
}

/// Returns the numbers of tasks of the study in the folder `out` by state, a row for each scenario and one for all.
///
/// # Errors
/// [`crate::Code::Request`] where the folder has no study, or a file of it cannot be read.
pub fn study_status(out: &Path) -> Result<Listing<String>, Error> {
    let (plan, rows) = stored(out)?;
    Ok(status_of(&plan, &rows))
}

fn status_of(plan: &Plan, rows: &[Row]) -> Listing<String> {
    let (mut counts, mut all) = (BTreeMap::<String, [i64; 7]>::new(), [0_i64; 7]);
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    for capture in &plan.captures {
        let tasks = count(plan.len() / plan.captures.len());
        for of in [counts.entry(capture.scenario().to_owned()).or_default(), &mut all] {
            of[0] += 1;
            of[1] += tasks;
        }
    }
    for row in rows {
        let at = State::ALL.iter().position(|state| *state == row.state).unwrap_or_default();
        for of in [counts.entry(row.scenario.clone()).or_default(), &mut all] {
            of[2 + at] += 1;
        }
    }
    let mut order: Vec<(String, [i64; 7])> = counts.into_iter().collect();
    order.push(("(all)".to_owned(), all));
    for (_, of) in &mut order {
        of[6] = of[1] - of[2..6].iter().sum::<i64>();
    }
    let names = order.iter().map(|(name, _)| Some(name.clone())).collect();
    let mut listing = Listing { columns: vec![("scenario".to_owned(), Cells::Text(names))] };
    let words = ["captures", "tasks"].into_iter().chain(State::ALL.map(State::word)).chain(["missing"]);
    for (at, word) in words.enumerate() {
        let cells = order.iter().map(|(_, of)| of.get(at).copied()).collect();
        listing.columns.push((word.to_owned(), Cells::Whole(cells)));
    }
    listing
}

/// Returns the rows of the study in the folder `out`, in order of path, channel, seed and timer.
///
/// # Errors
/// [`crate::Code::Request`] where the folder has no study, or a file of it cannot be read.
pub fn study_rows(out: &Path) -> Result<Listing<String>, Error> {
    Ok(Row::listing(&stored(out)?.1).0)
}

/// Returns the table of groups of the study in the folder `out`; fields that `asked` leaves empty are as the study
/// says.
///
/// # Errors
/// [`crate::Code::Request`] where the folder has no study, or a key or the baseline does not exist.
pub fn study_groups(out: &Path, mut asked: GroupsAsked) -> Result<Listing<String>, Error> {
    let (plan, rows) = stored(out)?;
    complete(&plan, &mut asked);
    let found = groups(&rows, &asked).map_err(Error::request)?;
    Ok(listing(&found, &asked))
}

/// Fills in the empty fields of `asked`: the study's measures and baseline; groups by scenario and timer, and channel
/// where there are several.
fn complete(plan: &Plan, asked: &mut GroupsAsked) {
    if asked.measures.is_empty() {
        asked.measures.clone_from(&plan.spec.measures);
    }
    if asked.by.is_empty() {
        asked.by = ["scenario", "timer"].map(str::to_owned).to_vec();
        if plan.spec.channels.len() > 1 {
            asked.by.push("channel".to_owned());
        }
    }
    if asked.by.iter().any(|by| by == "timer") {
        asked.baseline = asked.baseline.take().or_else(|| plan.spec.baseline.clone());
    }
}

/// Returns the measures called `names`, in their order.
///
/// # Errors
/// [`crate::Code::Request`] for an unknown name.
pub fn study_measures(names: &[String]) -> Result<Vec<replay::MetricName>, Error> {
    let find = |name: &String| {
        replay::MetricName::from_name(name).ok_or_else(|| {
            let known: Vec<_> = replay::MetricName::ALL.iter().map(|measure| measure.name()).collect();
            Error::request(format!("There is no measure `{name}`; there are: {}.", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// Returns the plan of the study in a folder, and the rows that belong to it; errs where there is none, or a file
/// cannot be read.
fn stored(out: &Path) -> Result<(Plan, Vec<Row>), Error> {
    read_rows(out, &mut Silent)
}

/// The same; `progress` hears of the captures whose rows are read.
fn read_rows(out: &Path, progress: &mut dyn Progress) -> Result<(Plan, Vec<Row>), Error> {
    let (text, captures) = dataset::plan_of(out)?;
    let spec = spec_of(&text, &|number, _| dataset::preset(out, number))?;
    let (plan, _) = Plan::new(spec, captures);
    let mut rows = Vec::new();
    for (done, capture) in plan.captures.iter().enumerate() {
        if progress.tick(done as u64, plan.captures.len() as u64).is_break() {
            return Err(Error::cancelled());
        }
        let mut known: BTreeMap<String, Row> =
            dataset::rows_of(out, &plan, capture)?.into_iter().map(|row| (row.task.clone(), row)).collect();
        rows.extend(plan.tasks(capture).iter().filter_map(|task| known.remove(&task.key)));
    }
    Ok((plan, rows))
}

fn read_text(path: &Path) -> Result<String, Error> {
    let refused = |error: std::io::Error| Error::request(format!("{} cannot be read: {error}.", path.display()));
    std::fs::read_to_string(path).map_err(refused)
}

fn folder_of_file(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Reads and checks the text of a study; `presets` returns the path of a preset file by position (from 0) and name.
fn spec_of(text: &str, presets: &dyn Fn(usize, &str) -> PathBuf) -> Result<Spec, Error> {
    spec_with(text, &|number, name| {
        let path = presets(number, name);
        Ok((path.display().to_string(), read_text(&path)?))
    })
}

/// Finds a preset file by position (from 0) and name; returns its name for people, and its text.
type Presets<'a> = &'a dyn Fn(usize, &str) -> Result<(String, String), Error>;

/// Reads and checks the text of a study whose preset files `presets` finds.
fn spec_with(text: &str, presets: Presets<'_>) -> Result<Spec, Error> {
    let draft = Draft::read(text).map_err(mistaken)?;
    let mut algorithms = rto::AlgorithmSet::default();
    for (number, name) in draft.presets().iter().enumerate() {
        let (shown, text) = presets(number, name)?;
        let refused = |error: rto::user::UserErrors| Error::request(format!("{shown}: {error}."));
        let is_json = Path::new(name).extension().is_some_and(|ending| ending == "json");
        let presets = if is_json { rto::user::parse_json(&text) } else { rto::user::parse_toml(&text) };
        algorithms.add(presets.map_err(refused)?).map_err(refused)?;
    }
    draft.check(&algorithms).map_err(mistaken)
}

/// Returns the error of a study with `mistakes`: the first, the others as its detail.
fn mistaken(mistakes: study::Mistakes) -> Error {
    let detail = mistakes.0.iter().skip(1).map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let first = mistakes.0.first().map(ToString::to_string).unwrap_or_default();
    let detail = Some(detail).filter(|lines| !lines.is_empty());
    Error { detail, ..Error::request(format!("The study has a mistake: {first}.")) }
}
