//! Workers of a study: each takes the next capture, answers its tasks, keeps their rows.

use super::answer::{Answer, Failed, Ready, Refusal, guarded, row};
use super::ran::Ran;
use super::{StudyObserver, StudyRequest, Tally, dataset, folder_of_file};
use crate::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use study::{Capture, Plan, Row, State, Task};

/// Size of the stack of a thread, octets. Chosen here: that of the main thread on Linux. A thread that waits for a part
/// of one capture may work on another meanwhile, on the same stack.
const STACK: usize = 8 << 20;

/// State that all workers share.
struct Shared<'a> {
    plan: &'a Plan,
    out: &'a Path,
    folder: &'a Path,
    program: &'a str,
    again: bool,
    observer: StudyObserver<'a>,
    next: AtomicUsize,
    stop: AtomicBool,
    tally: Mutex<Tally>,
}

/// Runs the tasks of `plan` that have no row; returns the progress at the end, and whether the study was stopped.
///
/// # Errors
/// Where a file of rows cannot be read or written, or threads cannot be made.
pub fn run(plan: &Plan, request: &StudyRequest, observer: StudyObserver<'_>) -> Result<(Tally, bool), Error> {
    let pool = pool(request.threads)?;
    let shared = Shared {
        plan,
        out: &request.out,
        folder: folder_of_file(&request.spec),
        program: &request.program,
        again: request.again,
        observer,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        tally: Mutex::new(Tally { tasks: plan.len(), ..Tally::default() }),
    };
    // Workers are threads outside of the pool, and wait while it works for them: as many captures are held as there are
    // workers.
    let workers = pool.current_num_threads().min(plan.captures.len().max(1));
    let ended = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(|| shared.work(&pool))).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect::<Vec<Result<(), Error>>>()
    });
    ended.into_iter().collect::<Result<(), Error>>()?;
    let tally = *shared.tally.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((tally, shared.stop.load(Ordering::Relaxed)))
}

/// Makes threads for the work on captures; `None`: as many as there are cores.
///
/// # Errors
/// [`crate::Code::Internal`] where the system has none.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool, Error> {
    let mut pool = ThreadPoolBuilder::new().stack_size(STACK);
    if let Some(threads) = threads {
        pool = pool.num_threads(threads);
    }
    pool.build().map_err(Error::internal)
}

/// Rows of a capture from earlier runs, and its tasks without one.
pub struct Standing<'a> {
    /// Rows that stay, those of tasks that the study has no more included.
    pub rows: Vec<Row>,
    /// States of the rows that belong to tasks of the study.
    pub states: Vec<State>,
    /// Tasks that have no row, in the order of the plan.
    pub missing: Vec<Task<'a>>,
}

impl<'a> Standing<'a> {
    /// Reads the rows of `capture` in the folder `out`; with `again` those without an answer do not count.
    ///
    /// # Errors
    /// As [`dataset::rows_of`].
    pub fn of(out: &Path, plan: &'a Plan, capture: &'a Capture, again: bool) -> Result<Self, Error> {
        let mut rows = dataset::rows_of(out, plan, capture)?;
        if again {
            rows.retain(|row| row.state == State::Done);
        }
        let known: BTreeMap<&str, State> = rows.iter().map(|row| (row.task.as_str(), row.state)).collect();
        let (there, missing): (Vec<Task<'_>>, Vec<Task<'_>>) =
            plan.tasks(capture).into_iter().partition(|task| known.contains_key(task.key.as_str()));
        let states = there.iter().filter_map(|task| known.get(task.key.as_str()).copied()).collect();
        Ok(Self { rows, states, missing })
    }
}

/// Circumstances that the tasks of one capture share, in whichever process they are answered.
pub struct Question<'a> {
    /// The study.
    pub plan: &'a Plan,
    /// The capture.
    pub capture: &'a Capture,
    /// Path of its file.
    pub place: &'a Path,
    /// Name of the program with its commit.
    pub program: &'a str,
    /// Asked often, from several threads: `Break` stops the work.
    pub flow: &'a (dyn Fn() -> ControlFlow<()> + Sync),
}

impl Question<'_> {
    /// Answers `tasks` of the capture group by group, and gives the rows of each group to `keep`, failures included.
    /// Returns `Break` where `flow` stopped it: the group under way has no rows.
    ///
    /// # Errors
    /// As `keep` does.
    pub fn answer(
        &self,
        tasks: &[Task<'_>],
        pool: &ThreadPool,
        keep: &mut dyn FnMut(Vec<Row>) -> Result<(), Error>,
    ) -> Result<ControlFlow<()>, Error> {
        if tasks.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let Self { plan, capture, place, program, flow } = *self;
        let ran = Ran::of(capture, place);
        let mut progress = |_: u64, _: u64| flow();
        let ready = pool.install(|| guarded(|| Ready::open(plan, capture, place, &mut progress)));
        for group in groups(tasks) {
            let answers = match &ready {
                Err(Failed::Cancelled) => return Ok(ControlFlow::Break(())),
                Err(Failed::Refused(refusal)) => group.iter().map(|_| Err(refusal.clone())).collect(),
                Ok(ready) => {
                    let answer = |tasks: &[Task<'_>]| {
                        let mut progress = |_: u64, _: u64| flow();
                        pool.install(|| ready.answer(plan, tasks, &mut progress))
                    };
                    match answers(group, answer) {
                        None => return Ok(ControlFlow::Break(())),
                        Some(answers) => answers,
                    }
                }
            };
            let row = |(task, answer)| row(plan, task, &ran, program, answer);
            keep(group.iter().zip(answers).map(row).collect())?;
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Shared<'_> {
    /// Takes captures until none is left, or the study is stopped; errs where a file of rows cannot be read or written.
    fn work(&self, pool: &ThreadPool) -> Result<(), Error> {
        while !self.stop.load(Ordering::Relaxed) {
            let Some(capture) = self.plan.captures.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let done = self.capture(capture, pool);
            if done.is_err() {
                self.stop.store(true, Ordering::Relaxed);
            }
            done?;
        }
        Ok(())
    }

    /// Answers the tasks of a capture that have no row; errs where its file of rows cannot be read or written.
    fn capture(&self, capture: &Capture, pool: &ThreadPool) -> Result<(), Error> {
        let Standing { mut rows, states, missing } = Standing::of(self.out, self.plan, capture, self.again)?;
        self.count(&states, true);
        let place = self.folder.join(&capture.path);
        let flow = || self.flow();
        let question = Question { plan: self.plan, capture, place: &place, program: self.program, flow: &flow };
        let keep = &mut |new: Vec<Row>| {
            let states: Vec<State> = new.iter().map(|row| row.state).collect();
            rows.extend(new);
            dataset::keep(self.out, self.plan, capture, &mut rows)?;
            self.count(&states, false);
            Ok(())
        };
        // A stopped capture ends the worker's loop, too.
        question.answer(&missing, pool, keep).map(drop)
    }

    /// Adds rows to the progress, and reports it.
    fn count(&self, states: &[State], earlier: bool) {
        let tally = {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.rows += states.len();
            tally.earlier += if earlier { states.len() } else { 0 };
            tally.failed += states.iter().filter(|state| **state != State::Done).count();
            *tally
        };
        if (self.observer)(tally).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Asks whether to go on.
    fn flow(&self) -> ControlFlow<()> {
        if !self.stop.load(Ordering::Relaxed) {
            let tally = *self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            if (self.observer)(tally).is_continue() {
                return ControlFlow::Continue(());
            }
            self.stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Break(())
    }
}

/// Splits tasks into groups of one channel and one seed, which stand together.
pub fn groups<'a, 'b>(tasks: &'b [Task<'a>]) -> impl Iterator<Item = &'b [Task<'a>]> {
    tasks.chunk_by(|a, b| a.channel == b.channel && a.seed == b.seed)
}

/// Returns the answers of a group, one a task: all together, or, where one of them cannot be answered, each alone.
/// `None` when the study was stopped.
fn answers(
    tasks: &[Task<'_>],
    answer: impl Fn(&[Task<'_>]) -> Result<Vec<Answer>, Failed>,
) -> Option<Vec<Result<Answer, Refusal>>> {
    match guarded(|| answer(tasks)) {
        Ok(answers) => return Some(answers.into_iter().map(Ok).collect()),
        Err(Failed::Cancelled) => return None,
        Err(Failed::Refused(_)) => {}
    }
    let alone = |task: &Task<'_>| match guarded(|| answer(std::slice::from_ref(task))) {
        Ok(answers) => {
            let none = || Refusal { state: State::Crashed, reason: "no answer came".to_owned() };
            Some(answers.into_iter().next().ok_or_else(none))
        }
        Err(Failed::Cancelled) => None,
        Err(Failed::Refused(refusal)) => Some(Err(refusal)),
    };
    tasks.iter().map(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use study::{Content, Draft, Tags};

    fn plan() -> Plan {
        let text = "seeds = [1, 2]\n[[captures]]\npaths = \"*.pcap\"\n[[timers]]\nalgorithm = \"coap_default\"\n[[timers]]\n\
                    algorithm = \"cocoa_plus\"\n";
        let spec = Draft::read(text).unwrap().check(&rto::AlgorithmSet::default()).unwrap();
        let content = Content::Hash { sha256: "00".to_owned(), log: None };
        let capture = Capture { path: "a.pcap".to_owned(), set: 0, tags: Tags::new(), content };
        Plan::new(spec, vec![capture]).0
    }

    #[test]
    fn a_crash_of_one_task_is_its_row() {
        let plan = plan();
        let tasks = plan.tasks(&plan.captures[0]);
        assert_eq!(groups(&tasks).map(<[_]>::len).collect::<Vec<_>>(), [2, 2]);
        let answer = |tasks: &[Task<'_>]| -> Result<Vec<Answer>, Failed> {
            assert!(tasks.iter().all(|task| task.timer.label != "cocoa_plus"), "planted");
            Ok(tasks.iter().map(|_| Answer::default()).collect())
        };
        let answers = answers(&tasks[..2], answer).unwrap();
        let rows: Vec<Row> = tasks
            .iter()
            .zip(answers)
            .map(|(task, answer)| row(&plan, task, &Ran::default(), "program", answer))
            .collect();
        assert_eq!(rows.iter().map(|row| row.state).collect::<Vec<_>>(), [State::Done, State::Crashed]);
        assert_eq!(rows[1].reason.as_deref(), Some("a fault of this program: planted"));
        // Through the file and back.
        let folder = tempfile::tempdir().unwrap();
        let mut kept = rows.clone();
        dataset::keep(folder.path(), &plan, &plan.captures[0], &mut kept).unwrap();
        assert_eq!(dataset::rows_of(folder.path(), &plan, &plan.captures[0]).unwrap(), kept);
    }

    #[test]
    fn a_stopped_group_has_no_rows() {
        let plan = plan();
        let tasks = plan.tasks(&plan.captures[0]);
        assert!(answers(&tasks[..2], |_| Err(Failed::Cancelled)).is_none());
    }
}
