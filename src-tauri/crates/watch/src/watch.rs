//! The watch: takes records into the window, windows through the pipeline, exchanges to the rules.

mod options;
mod state;
mod take;

pub use options::{Options, WatchError};
pub use state::State;

use crate::alert::{Alert, Alerts, OpenAlert};
use crate::clients::Totals;
use crate::clock::Clock;
use crate::exchange::SeenExchange;
use crate::parents::Parents;
use crate::rule::Rule;
use crate::timers::Timers;
use crate::window::{Place, Window};
use base::{Instant, Progress, Silent, Span};
use std::collections::{BTreeMap, BTreeSet};
use trace::{Assumptions, ImportError, Piece, PieceKind, Pieces, Trace};

/// Time for which fragments of a datagram may still come: the reassembly timeout of RFC 4944 §5.3.
const REASSEMBLY: Span = Span::from_secs(60);

/// Capture time between two readings of the window at least, nanoseconds. Chosen here: short beside the lifetime of
/// exchanges, for which each is waited for anyway.
const STEP: i64 = 10_000_000_000;

/// Largest window, frames, that is read at every step. A larger one waits until [`NEW`] of it is new. Chosen here: so
/// many are read in some five milliseconds.
const SMALL: usize = 4_000;

/// Part of a larger window that is new when it is read, one in so many: no frame is read more often than that. Chosen
/// here: exchanges are taken a minute and a half later at most (an eighth of ten minutes), and `npm run bench -- watch`
/// reads some eight times faster than with every step.
const NEW: usize = 8;

/// Nanoseconds by which a time stamp may differ from the one before it in one window; import refuses captures of more
/// than 104 days. Chosen here: after a day nothing is open, and clocks that are wrong by more were not set at all.
const LONGEST_STEP: u64 = 86_400_000_000_000;

/// Largest number of ports that were found to carry CoAP and are kept. Chosen here: more are a scan, not a network.
const MOST_PORTS: usize = 64;

/// Record that was cut from the file and is not in the window yet.
#[derive(Debug)]
struct Held {
    head: Vec<u8>,
    octets: Vec<u8>,
    at: Instant,
    place: Place,
}

/// Watch of one capture, which may go on over several files.
#[derive(Debug)]
pub struct Watch {
    options: Options,
    pieces: Pieces,
    /// Octets skipped in the current file that are in the totals already.
    skipped: u64,
    window: Window,
    clock: Clock,
    file: u32,
    /// Number of the next record, from 0.
    next: u64,
    /// Number of the first new record; those before it were read before a restart, and come again because later ones
    /// need them.
    known: u64,
    /// Number of the first record whose exchanges were not taken yet.
    taken: u64,
    /// Time of the last record of the last window that was read, nanoseconds, and the number of the record after it.
    read: Option<(i64, u64)>,
    /// True if a window was due and was not read to its end.
    is_interrupted: bool,
    /// Record that ends the window and waits until it was read to its end.
    held: Option<Held>,
    /// Time before which all exchanges that began were taken, nanoseconds from the Unix epoch; `None` before the first
    /// window, and after a restart until the next.
    judged: Option<i64>,
    alerts: Alerts,
    parents: Parents,
    timers: Timers,
    totals: Totals,
    exchanges: Vec<SeenExchange>,
    notes: Vec<String>,
    /// Codes of the notes that were given, each once.
    noted: BTreeSet<String>,
}

impl Watch {
    /// Begins a watch that has seen nothing; alerts are those of `rules`.
    #[must_use]
    pub fn new(options: Options, rules: Vec<Rule>) -> Self {
        Self {
            options,
            pieces: Pieces::new(),
            skipped: 0,
            window: Window::default(),
            clock: Clock::new(),
            file: 0,
            next: 0,
            known: 0,
            taken: 0,
            read: None,
            is_interrupted: false,
            held: None,
            judged: None,
            alerts: Alerts::new(rules, Default::default()),
            parents: Parents::default(),
            timers: Timers::default(),
            totals: Totals::default(),
            exchanges: Vec::new(),
            notes: Vec::new(),
            noted: BTreeSet::new(),
        }
    }

    /// Begins another file of the same capture: its octets come next. What was pushed before was taken in; after a
    /// stopped call that is so when [`Watch::push`] of no octets has succeeded.
    pub fn begin_file(&mut self) {
        self.count_skipped();
        self.pieces = Pieces::new();
        self.skipped = 0;
        self.file += 1;
    }

    /// Says that the records from before a restart do not come again; exchanges that need them are lost.
    pub fn forget_known(&mut self) {
        self.next = self.next.max(self.known);
    }

    /// Takes in the next octets of the file, a piece of any length.
    ///
    /// # Errors
    /// [`WatchError`]: the octets are no capture, or `progress` breaks.
    pub fn push(&mut self, octets: &[u8], progress: &mut dyn Progress) -> Result<(), WatchError> {
        self.pieces.push(octets);
        self.go_on(progress)?;
        // Taken out so that a piece, which borrows from it, and all the rest can be used together.
        let mut pieces = std::mem::take(&mut self.pieces);
        let done = self.cut(&mut pieces, progress);
        self.pieces = pieces;
        self.count_skipped();
        done
    }

    /// Does what a stopped call left undone. Errs as [`Watch::push`].
    fn go_on(&mut self, progress: &mut dyn Progress) -> Result<(), WatchError> {
        if let Some(Held { head, octets, at, place }) = self.held.take() {
            return self.record(&head, &octets, at, place, progress);
        }
        if self.is_interrupted { self.read_window(false, progress) } else { Ok(()) }
    }

    fn cut(&mut self, pieces: &mut Pieces, progress: &mut dyn Progress) -> Result<(), WatchError> {
        while let Some(Piece { offset, kind, octets }) = pieces.next_piece()? {
            match kind {
                PieceKind::Begin | PieceKind::Describe => {}
                PieceKind::Beside => self.window.beside(octets),
                PieceKind::Frame(at) => {
                    let octets = octets.to_vec();
                    let place = Place { file: self.file, offset };
                    self.record(pieces.head(), &octets, at, place, progress)?;
                }
            }
        }
        Ok(())
    }

    /// Takes in one record: its descriptions `head`, its octets, time stamp and place.
    fn record(
        &mut self,
        head: &[u8],
        octets: &[u8],
        at: Instant,
        place: Place,
        progress: &mut dyn Progress,
    ) -> Result<(), WatchError> {
        let before = self.window.marks.back().map(|mark| mark.time.saturating_sub(mark.shift));
        let is_far = |before: i64| at != Instant::MIN && at.nanos().abs_diff(before) > LONGEST_STEP;
        if !self.window.takes(head) || before.is_some_and(is_far) {
            if let Err(error) = self.read_window(true, progress) {
                self.held = Some(Held { head: head.to_vec(), octets: octets.to_vec(), at, place });
                return Err(error);
            }
            self.totals.ended_windows += u64::from(self.next >= self.known);
        }
        let set_back = self.clock.set_back;
        let time = self.clock.next(at);
        self.window.push(head, octets, self.next, (time, self.clock.shift), place);
        self.next += 1;
        if self.next <= self.known {
            return Ok(());
        }
        self.totals.frames += 1;
        self.totals.set_back += self.clock.set_back - set_back;
        if self.is_due(time) { self.read_window(false, progress) } else { Ok(()) }
    }

    /// Returns whether the window is to be read now. This depends on the records alone, and not on the pieces in which
    /// they came.
    fn is_due(&mut self, time: i64) -> bool {
        let (read, after) = *self.read.get_or_insert((time, self.next));
        let frames = self.window.marks.len();
        let is_much = frames <= SMALL || (self.next - after) as usize * NEW >= frames;
        frames >= self.options.most_frames || time.saturating_sub(read) >= STEP && is_much
    }

    /// Ends the watch, with the capture or before: takes the exchanges that are still open as they stand.
    ///
    /// # Errors
    /// [`WatchError`]: the window cannot be read, or `progress` breaks.
    pub fn finish(&mut self, progress: &mut dyn Progress) -> Result<(), WatchError> {
        self.push(&[], progress)?;
        self.read_window(true, progress)
    }

    /// Reads the window, and takes the exchanges that are over; at the end of a capture all of them.
    fn read_window(&mut self, is_end: bool, progress: &mut dyn Progress) -> Result<(), WatchError> {
        let Some(latest) = self.window.marks.back().map(|mark| mark.time) else { return Ok(()) };
        self.is_interrupted = true;
        let settled = self.position_after(latest.saturating_sub(self.options.longest_delay().nanos()));
        let frames = self.window.marks.len();
        let is_full = frames >= self.options.most_frames && settled < frames / 2;
        let until = if is_end { frames } else { settled.max(if is_full { frames / 2 } else { 0 }) };
        let first_early = if is_end { frames } else { settled };
        let number = |position: usize| self.window.marks.get(position).map_or(self.next, |mark| mark.ordinal);
        let (until_record, first_early) = (number(until), number(first_early));
        if until_record > self.taken
            && let Some(trace) = self.trace(progress)?
        {
            self.take(&trace, until_record, first_early, progress)?;
            self.learn(&trace);
        }
        self.taken = self.taken.max(until_record);
        let until_time = self.window.marks.get(until).map_or(latest, |mark| mark.time);
        self.alerts.advance(until_time);
        self.judged = Some(until_time.saturating_sub(self.clock.shift));
        let kept = self.position_after(until_time.saturating_sub((Options::LIFETIME + REASSEMBLY).nanos()));
        let kept = if is_end { frames } else { kept.max(if is_full { until / 2 } else { 0 }) };
        self.window.forget(kept);
        self.read = (!is_end).then_some((latest, self.next));
        self.is_interrupted = false;
        Ok(())
    }

    /// Position in the window of the first record that is later than `time`.
    fn position_after(&self, time: i64) -> usize {
        self.window.marks.partition_point(|mark| mark.time <= time)
    }

    /// Window as a trace; `None` where it cannot be read, which is counted.
    fn trace(&mut self, progress: &mut dyn Progress) -> Result<Option<Trace>, WatchError> {
        let import = self.options.import;
        let read = |octets: &[u8], progress: &mut dyn Progress| {
            trace::read("watch", octets, Some(octets.len() as u64), &import, progress)
        };
        let mut capture = match read(&self.window.file(), progress) {
            Ok(capture) => capture,
            Err(ImportError::Cancelled) => return Err(WatchError::Cancelled),
            Err(error) => return Err(error.into()),
        };
        if capture.frames.len() != self.window.marks.len() {
            // Records are numbered by their place: those that are none, whatever their headers say, must go.
            let is_whole = |file: &[u8]| read(file, &mut Silent).is_ok_and(|capture| capture.frames.len() == 1);
            self.totals.damaged += self.window.keep_if(&is_whole) as u64;
            capture = match read(&self.window.file(), progress) {
                Ok(capture) if capture.frames.len() == self.window.marks.len() => capture,
                Err(ImportError::Cancelled) => return Err(WatchError::Cancelled),
                _ => {
                    self.totals.damaged += self.window.marks.len() as u64;
                    return Ok(None);
                }
            };
        }
        let mut trace = trace::analyse(capture, &self.options.decode, progress)?;
        if self.options.assumptions != Assumptions::default() {
            trace.assume(&self.options.assumptions, progress)?;
        }
        Ok(Some(trace))
    }

    /// Keeps what later frames need of earlier ones (contexts, addresses, ports), and gives notes of kinds that are
    /// new.
    fn learn(&mut self, trace: &Trace) {
        self.options.decode.learned = trace.learned();
        for &(port, _) in &trace.guessed_ports {
            if self.options.decode.ports.len() < MOST_PORTS && !self.options.decode.ports.contains(&port) {
                self.options.decode.ports.push(port);
            }
        }
        for note in trace.notes.kinds() {
            if self.noted.insert(note.code.to_owned()) {
                self.notes.push(note.to_string());
            }
        }
    }

    fn count_skipped(&mut self) {
        let skipped = self.pieces.skipped();
        if self.next >= self.known {
            self.totals.skipped += skipped - self.skipped;
        }
        self.skipped = skipped;
    }

    /// Takes the alerts since the last call, in order of time.
    pub fn take_alerts(&mut self) -> Vec<Alert> {
        let alerts = self.alerts.take();
        for alert in alerts.iter().filter(|alert| alert.kind != crate::AlertKind::End) {
            *self.totals.alerts.entry(alert.alert.clone()).or_default() += 1;
        }
        alerts
    }

    /// Takes the exchanges since the last call, in the order in which they began; empty unless
    /// [`Options::lists_exchanges`].
    pub fn take_exchanges(&mut self) -> Vec<SeenExchange> {
        std::mem::take(&mut self.exchanges)
    }

    /// Takes the notes since the last call; each kind is given once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Returns the sums since watching began.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = self.totals.clone();
        totals.left_out += self.alerts.state.left_out;
        totals
    }

    /// Number of clients whose alert goes on, by name of the rule; a rule about all clients counts as one.
    #[must_use]
    pub fn going_on(&self) -> BTreeMap<&str, u64> {
        self.alerts.going_on()
    }

    /// Returns the alerts that go on, by the position of their rule in those that were given, then by client.
    #[must_use]
    pub fn open_alerts(&self) -> Vec<OpenAlert<'_>> {
        self.alerts.open()
    }

    /// Returns the time before which all exchanges that began were taken, and that of the last record, nanoseconds from
    /// the Unix epoch; `None` for the first where no window was read yet, for the second without a record.
    #[must_use]
    pub fn reach(&self) -> (Option<i64>, Option<i64>) {
        (self.judged, self.clock.latest())
    }

    /// Algorithms of clients that were identified: name of the client, and the likeliest preset.
    pub fn identified(&self) -> impl Iterator<Item = (&str, &str)> {
        self.timers.identified()
    }

    /// Size of the window: number of frames, number of octets.
    #[must_use]
    pub fn window(&self) -> (usize, usize) {
        (self.window.marks.len(), self.window.octets())
    }
}
