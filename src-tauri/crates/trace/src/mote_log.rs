//! Output of the motes of a simulation: the application's side of a run, beside the capture of its radio.
//!
//! ```text
//! 65000:5:text                  COOJA.testlog: µs, mote, as Cooja's log_all.js writes it, among what other scripts wrote
//! 00:00.065 TAB ID:5 TAB text   the Mote output window, File > Save to file: ms
//! ```
//!
//! Times are the simulation's, as in its radio log. [`Event`] has the lines that the CoAP client and server of
//! RTOscope's own runs print; other lines are text.

mod event;
mod timers;

pub use event::{Event, EventKind};

use crate::analysis::Trace;
use crate::import::format::cooja;
use crate::import::format::line::{Lines, number};
use crate::import::stream::{Packing, Stream};
use crate::import::{ImportError, ImportOptions};
use crate::model::Association;
use base::{Instant, Layer, Notes, Progress};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Log of lines that motes printed, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct MoteLog {
    /// File name without its folder.
    pub name: String,
    /// Lines of motes, in the order of the file.
    pub lines: Vec<MoteLine>,
    /// Text of all lines, one after the other.
    text: String,
    /// Notes on lines that were skipped.
    pub notes: Notes,
}

/// A line that a mote printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoteLine {
    /// Time from the start of the simulation.
    pub at: Instant,
    /// Number of the mote.
    pub mote: u32,
    /// Range of its text in [`MoteLog`].
    text: Range<usize>,
}

impl MoteLog {
    /// Returns the text of `line`, without time and mote.
    #[must_use]
    pub fn text(&self, line: &MoteLine) -> &str {
        self.text.get(line.text.clone()).unwrap_or_default()
    }

    /// Returns the events that its lines tell, in the order of the file; other lines are passed over.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        self.lines.iter().filter_map(|line| {
            let kind = EventKind::parse(self.text(line))?;
            Some(Event { at: line.at, mote: line.mote, kind })
        })
    }
}

/// Counts of what the application of one mote did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Application {
    /// Number of requests issued.
    pub issued: u32,
    /// Number of those that were issued while more waited behind them.
    pub queued_behind: u32,
    /// Greatest number of messages that waited at once behind a request.
    pub most_waiting: u32,
    /// Number of requests that were answered.
    pub answered: u32,
    /// Number of requests that were given up.
    pub failed: u32,
    /// Number of messages that were discarded before they became requests.
    pub dropped: u32,
    /// Number of those that were discarded because another was under way, and nothing queues.
    pub dropped_busy: u32,
}

impl Application {
    /// Returns the length of its queue, messages, where drops tell it: as many as wait behind a request that was just
    /// taken from the full queue, and that one; 0 where it drops while busy and queues nothing. `None` without a drop.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        match (self.dropped, self.dropped_busy) {
            (0, _) => None,
            (_, 0) => Some(self.most_waiting.saturating_add(1)),
            _ => Some(0),
        }
    }
}

impl MoteLog {
    /// Counts the requests and drops of the applications, by mote. No capture shows how many messages they queued and
    /// dropped.
    #[must_use]
    pub fn applications(&self) -> BTreeMap<u32, Application> {
        let mut all: BTreeMap<u32, Application> = BTreeMap::new();
        for event in self.events() {
            let counted =
                matches!(event.kind, EventKind::Asked { .. } | EventKind::Done { .. } | EventKind::Dropped { .. });
            if !counted {
                continue;
            }
            let application = all.entry(event.mote).or_default();
            match event.kind {
                EventKind::Asked { waiting, .. } => {
                    application.issued += 1;
                    application.queued_behind += u32::from(waiting > 0);
                    application.most_waiting = application.most_waiting.max(waiting);
                }
                EventKind::Done { answered: true, .. } => application.answered += 1,
                EventKind::Done { answered: false, .. } => application.failed += 1,
                EventKind::Dropped { busy } => {
                    application.dropped += 1;
                    application.dropped_busy += u32::from(busy);
                }
                _ => {}
            }
        }
        all
    }
}

impl MoteLog {
    /// Returns whether it is of the run that `trace` shows: it has at least half of the requests of motes there, and at
    /// least one, by Message ID.
    #[must_use]
    pub fn is_of(&self, trace: &Trace) -> bool {
        let sent = |event: Event| match event.kind {
            EventKind::Sent { mid, .. } => Some((event.mote, mid)),
            _ => None,
        };
        let sent: BTreeSet<(u32, u16)> = self.events().filter_map(sent).collect();
        let motes = trace.associations.iter().filter_map(|a| Some((trace.mote(a)?, &a.exchanges)));
        let exchanges = motes.flat_map(|(mote, ids)| ids.iter().map(move |id| (mote, id)));
        let requests = exchanges.filter_map(|(mote, id)| Some((mote, trace.exchanges.get(id.index())?.mid)));
        let (all, found) =
            requests.fold((0, 0), |(all, found), request| (all + 1, found + usize::from(sent.contains(&request))));
        found > 0 && found * 2 >= all
    }
}

impl Trace {
    /// Returns the mote id of the client of `association` in a simulation: the source of its frames in a log, else by
    /// its address; `None` for other nodes.
    #[must_use]
    pub fn mote(&self, association: &Association) -> Option<u32> {
        self.mote_by_source(association).or_else(|| association.client.mote().map(u32::from))
    }

    fn mote_by_source(&self, association: &Association) -> Option<u32> {
        let exchanges = association.exchanges.iter().filter_map(|id| self.exchanges.get(id.index()));
        let copies = exchanges.flat_map(|exchange| &exchange.copies);
        let own = copies.filter_map(|c| self.messages.get(c.message.index())).find(|m| m.from_origin)?;
        let first = own.hops().next()?.frames.first().copied()?;
        let frame = self.capture.frames.get(first.index())?;
        self.capture.sources.get(frame.source.index())?.mote
    }
}

/// File names of mote logs, the one with the finest times first; [`mote_log_beside`] looks for no others.
const NAMES: [&str; 6] =
    ["COOJA.testlog", "mote.log", "mote-loglistener.txt", "loglistener.txt", "mote-output.txt", "motes.txt"];

/// Returns the mote log in the folder of the capture at `capture`, plain or packed; `None` where there is none.
#[must_use]
pub fn mote_log_beside(capture: &Path) -> Option<PathBuf> {
    let packed = |name: &str| ["", ".gz", ".zst"].map(|end| capture.with_file_name(format!("{name}{end}")));
    NAMES.into_iter().flat_map(packed).find(|path| path.is_file())
}

/// Reads the mote log at `path`, plain or packed.
///
/// # Errors
/// As [`crate::open`], and [`ImportError::Unrecognised`] where no line is one of a mote.
pub fn open_mote_log(path: &Path, progress: &mut dyn Progress) -> Result<MoteLog, ImportError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let refuse = |source| ImportError::Read { name: name.clone(), source };
    let file = File::open(path).map_err(refuse)?;
    let len = file.metadata().map_err(refuse)?.len();
    read_mote_log(&base::printable(&name), file, Some(len), progress)
}

/// Reads a mote log called `name` from `source`; `len` is its length in octets, where that is known.
///
/// # Errors
/// As [`open_mote_log`].
pub fn read_mote_log(
    name: &str,
    source: impl Read + Send,
    len: Option<u64>,
    progress: &mut dyn Progress,
) -> Result<MoteLog, ImportError> {
    let mut stream = Stream::open(Box::new(source), len, ImportOptions::default().unpack_ratio, progress)?;
    let mut log = MoteLog { name: name.to_owned(), ..MoteLog::default() };
    let mut lines = Lines::default();
    let mut last = None;
    while let Some((place, line)) = lines.next(&mut stream, &mut log.notes)? {
        match parse(line) {
            Some((at, mote, text)) => {
                if last.is_some_and(|last| at < last) {
                    log.notes.tally(Layer::Clock, "backward-time-stamp", None, Some(place.offset), || {
                        format!(
                            "line {} is stamped earlier than the one before it: are these several runs?",
                            place.line
                        )
                    });
                }
                last = Some(at);
                let start = log.text.len();
                log.text.push_str(&String::from_utf8_lossy(text));
                log.lines.push(MoteLine { at, mote, text: start..log.text.len() });
            }
            None if line.is_empty() => {}
            None => log.notes.remark(Layer::File, "line-of-no-mote", None, Some(place.offset), || {
                let line = String::from_utf8_lossy(line.get(..60).unwrap_or(line)).into_owned();
                format!("line {} is the simulation's or a script's, not a mote's: \"{line}\"", place.line)
            }),
        }
    }
    if let Some(failure) = stream.failure() {
        let code = if stream.packing() == Packing::Plain { "read-error" } else { "damaged-file" };
        log.notes.tally(Layer::File, code, None, Some(stream.taken()), || {
            format!("{failure}; what came before it was read")
        });
    }
    if log.lines.is_empty() {
        let what = "No line of this is a mote's: TIME:MOTE:TEXT as in COOJA.testlog, or TIME, ID:MOTE and TEXT with tabs \
                    between, as the Mote output window saves it.";
        return Err(ImportError::Unrecognised { what: what.to_owned() });
    }
    Ok(log)
}

/// Parses time, mote and text of a line of either form; `None` for other lines.
fn parse(line: &[u8]) -> Option<(Instant, u32, &[u8])> {
    let mut columns = line.splitn(3, |&octet| octet == b'\t');
    if let (Some(at), Some(id), Some(text)) = (columns.next(), columns.next(), columns.next())
        && let Some(mote) = id.strip_prefix(b"ID:").and_then(|id| number(id.trim_ascii()))
    {
        return Some((cooja::time(at.trim_ascii())?, mote, text));
    }
    let mut parts = line.splitn(3, |&octet| octet == b':');
    let (micros, mote, text) = (number::<i64>(parts.next()?)?, number(parts.next()?)?, parts.next()?);
    Some((Instant::from_nanos(micros.checked_mul(1_000)?), mote, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_forms() {
        let at = |millis: i64| Instant::from_nanos(millis * 1_000_000);
        let line = b"65000:5:[INFO: Main      ] Tentative link-local IPv6 address: fe80::205:5:5:5";
        let text = b"[INFO: Main      ] Tentative link-local IPv6 address: fe80::205:5:5:5";
        assert_eq!(parse(line), Some((at(65), 5, &text[..])));
        assert_eq!(parse(b"01:37.142\tID:3\tCC TX mid=1"), Some((at(97_142), 3, &b"CC TX mid=1"[..])));
        assert_eq!(parse(b"1:01:37.142\tID:3\ta\tb"), Some((at(3_697_142), 3, &b"a\tb"[..])));
        assert_eq!(parse(b"97142\tID:3\t"), Some((at(97_142), 3, &b""[..])));
        for no in
            [&b"Random seed: 1"[..], b"TEST OK", b"Test ended at simulation time: 900000000", b"-- Log Listener", b""]
        {
            assert_eq!(parse(no), None);
        }
    }
}
