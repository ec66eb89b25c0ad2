//! Duration of each request on a large capture, its progress reports, and the delay until it stops when cancelled.
//!
//! ```text
//! cargo bench -p api --bench stops -- FILE [WORD]
//! ```
//! `npm run bench -- stops [FRAMES] [WORD]` makes the capture first. With WORD only the rows that have it in their
//! names.
//!
//! Every request meets a session of its own, with empty caches. It is asked once from beginning to end; what
//! counts then is the longest time in which it could not have been cancelled. Where it takes longer than [`SHORT`] it
//! is asked again and told to stop at once, in the middle of that silence, and at quarters of its time; the longest
//! time from there until it has come back is the last column. Then it is asked to its end in that session: what a
//! stopped call leaves behind must change no octet of the answer.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "../tests/requests/session_file.rs"]
mod requests;
#[path = "stops/rows.rs"]
mod rows;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use api::{COMMANDS, Code, DecodeOptions, Error, Progress, Reply, Session, Silent, sha256};
use serde_json::{Value, json};

/// A request that takes no longer need not be cancellable.
const SHORT: Duration = Duration::from_millis(250);
/// A person who stops something, or waits for it, should see so within this time.
const SOON: Duration = Duration::from_secs(1);

/// Runs of a session that some requests are about.
const SHOWN: [&str; 3] = ["cocoa_plus", "rfc6298_coap", "lee2016"];

/// Commands without a row: they ask for devices that are plugged in, and for a recording or a followed file that is
/// under way; for a second capture; or for the files of a study, whose time does not depend on this capture
/// (`tests/stops.rs` stops those).
const NOT_HERE: [&str; 21] = [
    "live_devices",
    "live_start",
    "live_stop",
    "live_state",
    "live_channel",
    "live_refresh",
    "follow_start",
    "follow_state",
    "follow_refresh",
    "follow_stop",
    "calibration_add",
    "check_again",
    "check_kept",
    "export_study_figure",
    "study_bundled",
    "study_figure",
    "study_find",
    "study_grid",
    "study_report",
    "study_run",
    "study_write",
];

/// A session with the capture open, and what requests name.
struct Open {
    session: Session,
    capture: Value,
    start: i64,
    end: i64,
    runs: Vec<Value>,
}

impl Open {
    /// Measures `row`.
    fn of(row: &Row, file: &str) -> Self {
        let session = Session::new(DecodeOptions::default());
        if row.command == "open" {
            return Self { session, capture: Value::Null, start: 0, end: 0, runs: Vec::new() };
        }
        let view = ask(&session, "open", json!({ "path": file }));
        let at = |name: &str| view[name].as_i64().unwrap();
        let (capture, start, end) = (view["id"].clone(), at("start"), at("end"));
        let mut open = Self { session, capture, start, end, runs: Vec::new() };
        if row.replayed {
            let runs = ask(&open.session, "replay", replay(&open, "empirical"))["runs"].take();
            open.runs = runs.as_array().unwrap().iter().map(|run| run["run"].clone()).collect();
        }
        open
    }

    /// A moment, as a share of the capture.
    fn at(&self, share: f64) -> i64 {
        self.start + ((self.end - self.start) as f64 * share) as i64
    }

    /// The recorded behaviour (null) and every run.
    fn behaviours(&self) -> Vec<Value> {
        std::iter::once(Value::Null).chain(self.runs.iter().cloned()).collect()
    }
}

fn ask(session: &Session, name: &str, request: Value) -> Value {
    match session.call(name, request, &mut Silent) {
        Ok(Reply::Json(value)) => value,
        Ok(Reply::Bytes(_)) => Value::Null,
        Err(error) => panic!("{name}: {error}"),
    }
}

fn algorithms() -> Value {
    SHOWN.iter().map(|id| json!({ "id": id, "params": {} })).collect::<Vec<_>>().into()
}

/// One replicate each: more replicates take longer and stop no later.
fn replay(open: &Open, channel: &str) -> Value {
    json!({
        "capture": open.capture, "algorithms": algorithms(), "channel": channel, "workload": "auto", "seed": 1,
        "replicates": 1, "baseline": null, "bounds": true,
    })
}

fn sharing(open: &Open, policy: Value) -> Value {
    let mut request = replay(open, "empirical");
    request["policy"] = policy;
    request
}

fn list(open: &Open, rows: &str, filter: &str) -> Value {
    json!({ "capture": open.capture, "rows": rows, "filter": filter, "window": null })
}

fn figure(open: &Open, recipe: &str) -> Value {
    json!({
        "recipe": recipe, "captures": [{ "capture": open.capture, "name": "capture", "tags": {} }],
        "algorithms": algorithms(), "params": {}, "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 1,
    })
}

fn session_file(open: &Open) -> Value {
    let figures = json!([{ "recipe": "rto_box", "params": {} }]);
    requests::session_file([&open.start.into(), &open.end.into()], algorithms(), 1, figures)
}

/// A question: the command, what is said of it beside, what it is about, and its request.
struct Row {
    command: &'static str,
    beside: &'static str,
    /// True for commands about runs.
    replayed: bool,
    request: Box<dyn Fn(&Open) -> Value>,
}

fn row(command: &'static str, beside: &'static str, request: impl Fn(&Open) -> Value + 'static) -> Row {
    Row { command, beside, replayed: false, request: Box::new(request) }
}

fn of_runs(command: &'static str, beside: &'static str, request: impl Fn(&Open) -> Value + 'static) -> Row {
    Row { replayed: true, ..row(command, beside, request) }
}

/// Stores the times of its ticks; from `stop_at` on it breaks.
struct Clock {
    begun: Instant,
    last: Instant,
    ticks: u64,
    /// Start of the longest time without a word, after the beginning, and its length.
    silence: (Duration, Duration),
    first: Option<(u64, u64)>,
    /// True once it has said more than one thing.
    moves: bool,
    stop_at: Option<Duration>,
}

impl Clock {
    fn new(stop_at: Option<Duration>) -> Self {
        let begun = Instant::now();
        let silence = (Duration::ZERO, Duration::ZERO);
        Self { begun, last: begun, ticks: 0, silence, first: None, moves: false, stop_at }
    }

    fn heard(&mut self) {
        let now = Instant::now();
        let silent = now - self.last;
        if silent > self.silence.1 {
            self.silence = (self.last - self.begun, silent);
        }
        self.last = now;
    }
}

impl Progress for Clock {
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.heard();
        self.ticks += 1;
        self.moves |= *self.first.get_or_insert((done, total)) != (done, total);
        match self.stop_at {
            Some(at) if self.begun.elapsed() >= at => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A capture that does not show what a channel would have to know is an answer, too.
fn refuses(error: &Error) -> bool {
    error.message.contains("cannot be identified")
}

fn digest(reply: &Result<Reply, Error>) -> String {
    match reply {
        Ok(Reply::Json(value)) => sha256(value.to_string().as_bytes()).unwrap(),
        Ok(Reply::Bytes(octets)) => sha256(&octets[..]).unwrap(),
        Err(error) if refuses(error) => error.message.clone(),
        Err(error) => panic!("{error}"),
    }
}

/// The row's line.
fn measure(row: &Row, file: &str) -> bool {
    let open = Open::of(row, file);
    let request = (row.request)(&open);
    let mut clock = Clock::new(None);
    let reply = open.session.call(row.command, request, &mut clock);
    clock.heard();
    let (took, silence) = (clock.begun.elapsed(), clock.silence);
    let (said, refused) = (digest(&reply), reply.is_err());
    drop((reply, open));
    let mut slowest = None;
    let mut answers = true;
    if took > SHORT {
        let mut open = Open::of(row, file);
        let quarters = (0..4).map(|quarter| took * quarter / 4);
        for at in quarters.chain([silence.0 + silence.1 / 2]) {
            let mut clock = Clock::new(Some(at));
            let reply = open.session.call(row.command, (row.request)(&open), &mut clock);
            // A request that was done before stopped in no time.
            let late = clock.begun.elapsed().saturating_sub(at);
            match reply {
                Ok(_) => {
                    open = Open::of(row, file);
                    break;
                }
                Err(error) if refuses(&error) => break,
                Err(error) => assert_eq!(error.code, Code::Cancelled, "{}: {error}", row.command),
            }
            slowest = slowest.max(Some(late));
        }
        answers = digest(&open.session.call(row.command, (row.request)(&open), &mut Silent)) == said;
    }
    let name = [row.command, row.beside].join(" ");
    let progress = match (clock.ticks, clock.moves) {
        (0, _) => "no",
        (_, false) => "one",
        _ => "yes",
    };
    let stopped = slowest.map_or_else(|| "-".to_owned(), |slowest| format!("{}", slowest.as_millis()));
    let silent = silence.1.as_millis();
    let soon = took < SOON || slowest.is_some_and(|slowest| slowest < SOON) && clock.moves;
    let remark = match (answers, soon) {
        (false, _) => "ANOTHER ANSWER AFTER STOPS",
        (_, false) => "late",
        _ if refused => "refused by this capture",
        _ => "",
    };
    println!("{name:<45} {:>8.2} {progress:>8} {silent:>10} {stopped:>10}  {remark}", took.as_secs_f64());
    answers
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [file, word @ ..] = &args[..] else { panic!("stops FILE [WORD]") };
    let folder = tempfile::tempdir().unwrap();
    let all = rows::rows(file, folder.path());
    let asked: BTreeSet<&str> = all.iter().map(|row| row.command).chain(NOT_HERE).collect();
    let there: BTreeSet<&str> = COMMANDS.iter().map(|command| command.name).collect();
    assert_eq!(asked, there, "every command has a row");
    println!("{:<45} {:>8} {:>8} {:>10} {:>10}", "request", "s", "progress", "silent ms", "stopped ms");
    let wanted = |row: &&Row| word.iter().all(|word| [row.command, row.beside].join(" ").contains(word));
    let wrong = all.iter().filter(wanted).filter(|row| !measure(row, file)).count();
    assert_eq!(wrong, 0, "requests that a stopped call changed");
}
