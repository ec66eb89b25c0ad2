//! `--follow`: rows of a file that is still being written, as they come.
//!
//! The file is read again when it has grown ([`api::Tail`]). Each row is printed once. A frame and a message are
//! complete when they are there; an exchange is when nothing can come that changes it: it was answered, or its lifetime
//! is over, or following ends.

use crate::args::{CaptureArgs, Format, Misuse, OutputArgs};
use crate::{captures, output};
use api::live::stop;
use api::{Growth, Listing, Silent, Span, Tail, Trace};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// Time between two looks at the file. Chosen here: a person sees no delay, and a processor no load.
const LOOK: Duration = Duration::from_millis(250);

/// `--follow`
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct FollowArgs {
    /// Go on as the file grows, until Ctrl-C: a capture that is being recorded, a radio log that a simulation appends
    /// to. A row is printed once, when it is complete. As table, CSV, or JSON with an object on each line.
    #[arg(long, conflicts_with = "merge")]
    pub follow: bool,
}

/// Table that `--follow` prints: its complete rows, and their contents.
pub struct Followed<'a> {
    /// Returns the numbers of the rows of the trace that are complete; of all rows where the second argument says that
    /// nothing more comes.
    pub complete: &'a dyn Fn(&Trace, bool) -> anyhow::Result<Vec<u32>>,
    /// Returns the table of the rows with these numbers, ascending.
    pub rows: &'a dyn Fn(&Trace, &[u32]) -> anyhow::Result<Listing>,
}

/// Prints each row of the file once, when it is complete, until Ctrl-C; then the rows that are not complete, and the
/// notes. Fails for several files, standard input, Parquet and Markdown, and where the file cannot be read or decoded.
pub fn follow(args: &CaptureArgs, out: &OutputArgs, followed: &Followed<'_>) -> anyhow::Result<()> {
    let [path] = &args.files[..] else {
        return Err(Misuse("--follow follows one file".to_owned()).into());
    };
    if args.is_standard_input() {
        return Err(Misuse("standard input is followed to its end anyhow: --follow needs a file".to_owned()).into());
    }
    if matches!(out.format, Format::Parquet | Format::Markdown) {
        return Err(Misuse("--follow prints a table, CSV or JSON".to_owned()).into());
    }
    let asked = stop::asked()?;
    let reading = captures::reading(args)?;
    let mut tail = Tail::new(path, &reading.import);
    let mut printed = Printed::default();
    if !path.exists() && !args.quiet {
        output::say(&format!("waiting for {}, which is not there yet", path.display()));
    }
    output::octets(out.out.as_ref(), |sink| {
        let mut last: Option<Trace> = None;
        while !asked.load(Ordering::Relaxed) {
            match tail.poll(&mut Silent)? {
                Growth::None => {}
                Growth::More { capture, .. } => last = Some(captures::judged(*capture, &reading, args)?),
                Growth::Restarted { capture } => {
                    output::say("the file began anew");
                    printed.shown.clear();
                    last = Some(captures::judged(*capture, &reading, args)?);
                }
            }
            if let Some(trace) = last.as_ref().filter(|trace| printed.frames != Some(trace.capture.frames.len())) {
                printed.frames = Some(trace.capture.frames.len());
                printed.print(sink, trace, out.format, followed, false)?;
            }
            thread::sleep(LOOK);
        }
        match &last {
            Some(trace) => {
                printed.print(sink, trace, out.format, followed, true)?;
                captures::tell_notes(trace, args);
            }
            None => output::say(&format!("nothing came in {}", path.display())),
        }
        Ok(())
    })
}

/// Record of the rows that were printed.
#[derive(Default)]
struct Printed {
    shown: BTreeSet<u32>,
    /// Number of frames of the trace when rows were last looked for; `None` before the first look.
    frames: Option<usize>,
    /// Whether the header was printed.
    header: bool,
}

impl Printed {
    fn print(
        &mut self,
        sink: &mut dyn Write,
        trace: &Trace,
        format: Format,
        followed: &Followed<'_>,
        is_end: bool,
    ) -> anyhow::Result<()> {
        let complete = (followed.complete)(trace, is_end)?;
        let new: Vec<u32> = complete.into_iter().filter(|row| !self.shown.contains(row)).collect();
        if new.is_empty() && self.header {
            return Ok(());
        }
        let listing = (followed.rows)(trace, &new)?;
        let mut text = Vec::new();
        let form = match format {
            Format::Json => api::Format::Json,
            Format::Csv => api::Format::Csv,
            _ => api::Format::Table,
        };
        api::write(&listing, form, &mut text)?;
        let text = String::from_utf8(text)?;
        let lines = text.lines();
        match format {
            // An object on each line, without the brackets of an array around them.
            Format::Json => {
                for line in lines.filter(|line| line.starts_with('{')) {
                    writeln!(sink, "{}", line.trim_end_matches(','))?;
                }
            }
            _ => {
                for line in lines.skip(usize::from(self.header)) {
                    writeln!(sink, "{line}")?;
                }
            }
        }
        self.header = true;
        self.shown.extend(new);
        Ok(sink.flush()?)
    }
}

/// Returns the numbers of the exchanges that nothing changes any more: answered ones, and those older than
/// EXCHANGE_LIFETIME (247 s, RFC 7252 §4.8.2); all of them at the end.
pub fn settled_exchanges(trace: &Trace, is_end: bool) -> Vec<u32> {
    const EXCHANGE_LIFETIME: Span = Span::from_secs(247);
    let last = trace.capture.window().map(|(_, end)| end);
    let is_over = |exchange: &&api::Exchange| {
        let old = last.is_some_and(|last| last - exchange.start() > EXCHANGE_LIFETIME);
        is_end || exchange.end.is_some() || old
    };
    trace.exchanges.iter().filter(is_over).map(|exchange| exchange.id.0).collect()
}
