//! An open capture: everything that a session holds of its files.

mod claims;
mod conditions;
mod files;
mod mote_log;
mod names;
mod network;
mod packet_lists;
mod part;
mod reading;
pub(crate) mod samples;
mod summary;
mod tally;
mod timers;
mod twin;

pub use claims::stack;
pub(crate) use claims::{assumed_of, moments, related};
pub(crate) use files::{RAN, file_sha256};
pub use files::{file_view, read_beside, sha256};
pub(crate) use mote_log::MoteLogs;
pub(crate) use names::Names;
pub use network::{ListBeside, network_of, plan_view};
pub use packet_lists::filter;
pub(crate) use packet_lists::{look, rows};
use reading::read_as;
pub use reading::{ReadOptions, address, context, keys};
pub(crate) use reading::{place, window};
use summary::{Summary, joined_sha256};
pub use summary::{summary, utc};
pub use timers::known_timers;
use timers::timers;
pub(crate) use timers::{timer_view, wait_view};

use crate::view::{CaptureId, CaptureView, FileView, ReadAs};
use crate::{Error, Progress, SampleFile};
use base::{CancellableOnce, Part, SharedProgress};
use files::octets_of;
use packet_lists::PacketLists;
use replay::Replay;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{panic, thread};
use table::{Crowding, Timeline};
use trace::network::Network;
use trace::{Capture, DecodeOptions, ImportOptions, KnownTimers, Trace};

/// A capture, decoded, indexed and ready to be replayed.
#[derive(Debug)]
pub struct Opened {
    /// Decoded capture, with its exchanges and their fates.
    pub trace: Trace,
    /// The trace prepared for replays.
    pub replay: Replay,
    /// Marks of the recorded behaviour, for lanes.
    pub recorded: Timeline,
    /// Distances of copies in the recorded lanes, which decide the level of detail.
    pub(crate) crowding: Crowding,
    /// Known timers of recorded copies.
    pub timers: KnownTimers,
    /// Options with which its files were read.
    pub import: ImportOptions,
    /// Files of the capture; several where it was merged.
    pub files: Vec<FileView>,
    /// Logs of the motes of the simulation; empty where none is beside the capture.
    pub(crate) mote_logs: MoteLogs,
    /// Packet lists made so far.
    pub(crate) lists: PacketLists,
    network: CancellableOnce<Network>,
    /// List of nodes beside the capture, once it was looked for.
    pub(crate) list: OnceLock<Option<ListBeside>>,
    /// Presets of the timer that ran, which `identify` does not tell apart; empty where it cannot tell. Computed when
    /// first asked for.
    pub(crate) identified: CancellableOnce<Vec<&'static str>>,
}

/// A stage of opening a capture: per cent of the progress at which it begins and ends. Chosen here by the durations
/// measured on large captures of radio frames. The progress itself counts octets of the file.
type Stage = (u64, u64);
const READING: Stage = (0, 20);
const DECODING: Stage = (20, 70);
const INDEXING: Stage = (70, 100);
/// Number of steps in which indexing reports progress.
const WHOLE: u64 = 10_000;
/// Stage of indexing that converts the trace for replays, per cent of indexing; the rest prepares them.
const RECORDING: Stage = (0, 25);

/// Returns the progress of one stage, of a whole of `octets`.
fn within(progress: &mut dyn Progress, (from, until): Stage, octets: u64) -> Part<'_> {
    let at = |percent: u64| u64::try_from(u128::from(octets) * u128::from(percent) / 100).unwrap_or(octets);
    Part::new(progress, at(from), at(until), octets)
}

/// Reads and decodes the capture at `path`. `progress` counts octets.
///
/// # Errors
/// [`crate::Code::Capture`] when it cannot be read or is not a capture, [`crate::Code::Cancelled`].
pub fn decode(
    path: &Path,
    import: &ImportOptions,
    options: &DecodeOptions,
    progress: &mut dyn Progress,
) -> Result<Trace, Error> {
    let octets = octets_of(path);
    let capture = trace::open(path, import, &mut within(progress, READING, octets))?;
    Ok(trace::analyse(capture, options, &mut within(progress, DECODING, octets))?)
}

/// Reads the captures at `paths`, joins them on one clock, and decodes them.
///
/// # Errors
/// As [`decode`].
pub fn decode_merged(paths: &[&Path], reading: &ReadOptions, progress: &mut dyn Progress) -> Result<Trace, Error> {
    let sizes: Vec<u64> = paths.iter().map(|path| octets_of(path)).collect();
    let octets = sizes.iter().sum();
    let mut captures = Vec::new();
    let mut before = 0;
    for (path, size) in paths.iter().zip(sizes) {
        let mut reads = within(progress, READING, octets);
        captures.push(trace::open(path, &reading.import, &mut Part::new(&mut reads, before, before + size, octets))?);
        before += size;
    }
    let capture = trace::merge(captures)?;
    Ok(trace::analyse(capture, &reading.decode, &mut within(progress, DECODING, octets))?)
}

/// Reads and decodes a capture of one file, or of several of one network as one.
///
/// # Errors
/// As [`decode`].
pub fn decode_files(paths: &[&Path], reading: &ReadOptions, progress: &mut dyn Progress) -> Result<Trace, Error> {
    match paths {
        [path] => decode(path, &reading.import, &reading.decode, progress),
        _ => decode_merged(paths, reading, progress),
    }
}

/// Decodes as [`decode_files`] does, and hashes the files on a thread of its own.
///
/// # Errors
/// As [`decode`].
pub fn decode_and_hash(
    paths: &[&Path],
    reading: &ReadOptions,
    progress: &mut dyn Progress,
) -> Result<(Trace, Vec<FileView>), Error> {
    let stop = AtomicBool::new(false);
    let mut until_stopped = |_: u64, _: u64| flow(&stop);
    let (trace, files) = thread::scope(|scope| {
        let views = || paths.iter().map(|path| file_view(path, &mut until_stopped)).collect::<Result<_, _>>();
        let views = scope.spawn(views);
        let trace = decode_files(paths, reading, progress);
        stop.store(trace.is_err(), Ordering::Relaxed);
        (trace, views.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    });
    Ok((trace?, files?))
}

/// Reads and decodes a capture in memory; `name` is its name in notes. `progress` counts octets.
///
/// # Errors
/// As [`decode`].
pub fn decode_octets(
    name: &str,
    octets: Vec<u8>,
    import: &ImportOptions,
    options: &DecodeOptions,
    progress: &mut dyn Progress,
) -> Result<Trace, Error> {
    let len = octets.len() as u64;
    let capture = trace::read(name, io::Cursor::new(octets), Some(len), import, &mut within(progress, READING, len))?;
    Ok(trace::analyse(capture, options, &mut within(progress, DECODING, len))?)
}

/// Prepares the `trace` of the capture at `path` for replays and nothing else: with the queue limits of the log beside
/// it.
///
/// # Errors
/// [`crate::Code::Cancelled`].
pub(crate) fn replay_of(path: &Path, trace: &Trace, progress: &mut dyn Progress) -> Result<Replay, Error> {
    // The share of one step in the whole is not known: its progress only asks whether to go on.
    let record = MoteLogs::beside(path, trace).record(trace, &mut Part::new(progress, 0, 0, 0))?;
    Ok(Replay::new(record, &mut Part::new(progress, 0, 0, 0))?)
}

impl Opened {
    /// Opens a file, or several of one network as one.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn files(paths: &[&Path], reading: &ReadOptions, progress: &mut dyn Progress) -> Result<Self, Error> {
        let (trace, files) = decode_and_hash(paths, reading, progress)?;
        let octets = paths.iter().map(|path| octets_of(path)).sum();
        Self::new(trace, reading.import, files, &mut within(progress, INDEXING, octets))
    }

    /// Opens a bundled capture.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn sample(
        sample: &SampleFile,
        reading: Option<&ReadOptions>,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let octets = sample.octets.len() as u64;
        let usual = || {
            let mut usual = ReadOptions::default();
            usual.decode.rc_option = sample.rc_option.unwrap_or(usual.decode.rc_option);
            usual
        };
        let ReadOptions { import, decode } = reading.cloned().unwrap_or_else(usual);
        let mut reads = within(progress, READING, octets);
        let capture: Capture = trace::read(sample.file, sample.octets, Some(octets), &import, &mut reads)?;
        let trace = trace::analyse(capture, &decode, &mut within(progress, DECODING, octets))?;
        Self::of_sample(sample, trace, import, &mut within(progress, INDEXING, octets))
    }

    /// Opens as [`Opened::new`] does the `trace` of a bundled capture: with the log that is bundled with it.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub fn of_sample(
        sample: &SampleFile,
        trace: Trace,
        import: ImportOptions,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let sha256 = sha256(sample.octets).map_err(Error::internal)?;
        let files = vec![FileView { name: sample.file.to_owned(), path: None, sha256 }];
        let logs = sample.log.map(|log| MoteLogs::bundled(sample.file, log, &trace)).unwrap_or_default();
        Self::with_logs(trace, import, files, logs, progress)
    }

    /// Indexes a decoded trace and prepares it for replays.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub fn new(
        trace: Trace,
        import: ImportOptions,
        files: Vec<FileView>,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let mote_logs = path_of(&files).map(|path| MoteLogs::beside(path, &trace)).unwrap_or_default();
        Self::with_logs(trace, import, files, mote_logs, progress)
    }

    /// Indexes a decoded trace as [`Opened::new`] does, with these logs of the motes.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub(crate) fn with_logs(
        trace: Trace,
        import: ImportOptions,
        files: Vec<FileView>,
        mote_logs: MoteLogs,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let stop = AtomicBool::new(false);
        let mut until_stopped = |_: u64, _: u64| flow(&stop);
        let (recorded, replay) = thread::scope(|scope| {
            let recorded = scope.spawn(|| Timeline::recorded(&trace, &SharedProgress::new(&mut until_stopped, 0)));
            let record = mote_logs.record(&trace, &mut within(progress, RECORDING, WHOLE));
            let preparing = (RECORDING.1, 100);
            let replay = record.and_then(|record| Replay::new(record, &mut within(progress, preparing, WHOLE)));
            stop.store(replay.is_err(), Ordering::Relaxed);
            (recorded.join().unwrap_or_else(|panic| panic::resume_unwind(panic)), replay)
        });
        let replay = replay?;
        let timers = timers(&trace, replay.record(), &mote_logs.timers);
        let recorded = recorded?.with_timers(&trace, &timers);
        Ok(Self {
            crowding: Crowding::of(&recorded),
            recorded,
            trace,
            replay,
            timers,
            import,
            files,
            mote_logs,
            lists: PacketLists::default(),
            network: CancellableOnce::new(),
            list: OnceLock::new(),
            identified: CancellableOnce::new(),
        })
    }

    /// Returns the SHA-256 of the capture's file, lower-case hex; of several, one for each with ` + ` between.
    #[must_use]
    pub fn sha256(&self) -> String {
        joined_sha256(&self.files)
    }

    /// Describes the capture under number `id`.
    #[must_use]
    pub fn view(&self, id: CaptureId) -> CaptureView {
        Summary {
            trace: &self.trace,
            import: self.import,
            files: &self.files,
            mote_logs: &self.mote_logs,
            timers: &self.timers,
            notes: self.replay.record().notes(),
        }
        .view(id)
    }

    /// Describes the options with which the capture was read.
    pub(crate) fn read_as(&self) -> ReadAs {
        read_as(&self.trace, &self.import, &self.files, self.mote_logs.log.as_ref())
    }
}

/// Returns the path of a capture of one file; `None` for others.
fn path_of(files: &[FileView]) -> Option<&Path> {
    match files {
        [file] => file.path.as_ref().map(Path::new),
        _ => None,
    }
}

/// Breaks when `stop` is set: the thread beside has failed or was cancelled.
fn flow(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
