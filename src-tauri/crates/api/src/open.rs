//! From a file to everything a session keeps of it.

use crate::motes::Motes;
use crate::packets::Lists;
use crate::reading::{self, Reading};
use crate::view::{
    AssociationView, CaptureId, CaptureView, CorrectionView, FileView, RhythmView, VantageKind, WorkloadKind,
};
use crate::{Error, Progress, SampleFile, claims};
use base::{AssociationId, CancellableOnce, Cancelled, Part, SharedProgress, Silent};
use replay::Replay;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{panic, thread};
use table::Timeline;
use trace::network::Network;
use trace::{Capture, DecodeOptions, ImportOptions, Trace};

/// A capture, decoded, indexed and ready to be replayed.
#[derive(Debug)]
pub struct Opened {
    /// What was read.
    pub trace: Trace,
    /// Ready for replay.
    pub replay: Replay,
    /// What the lanes show.
    pub recorded: Timeline,
    /// How its files were read.
    pub import: ImportOptions,
    /// Its files; several where it was merged.
    pub files: Vec<FileView>,
    /// What the motes of the simulation printed, where it is beside the capture.
    pub(crate) motes: Motes,
    pub(crate) lists: Lists,
    pub(crate) network: CancellableOnce<Network>,
}

/// A stage of opening a capture, by the percent of the bar at which it begins and ends. How they share it is how long they take for
/// large captures of radio frames; the bar itself is in octets of the file.
type Stage = (u64, u64);
const READING: Stage = (0, 20);
const DECODING: Stage = (20, 70);
const INDEXING: Stage = (70, 100);
/// Steps in which indexing tells how far it is.
const WHOLE: u64 = 10_000;
/// The part of it that takes out of a trace what replays need; the rest prepares them.
const RECORDING: Stage = (0, 25);

/// One stage of a longer way.
fn within(progress: &mut dyn Progress, (from, until): Stage, octets: u64) -> Part<'_> {
    let at = |percent: u64| u64::try_from(u128::from(octets) * u128::from(percent) / 100).unwrap_or(octets);
    Part::new(progress, at(from), at(until), octets)
}

/// Read and decode the capture at `path`.
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

/// The length of a file; 0 where nobody knows.
fn octets_of(path: &Path) -> u64 {
    std::fs::metadata(path).map(|m| m.len()).unwrap_or(0)
}

/// Read the captures at `paths`, join them on one clock, and decode them.
///
/// # Errors
/// As [`decode`].
pub fn decode_merged(paths: &[&Path], reading: &Reading, progress: &mut dyn Progress) -> Result<Trace, Error> {
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

/// Name, place and SHA-256 of a file.
///
/// # Errors
/// [`crate::Code::Capture`] when it cannot be read.
pub fn file_view(path: &Path) -> Result<FileView, Error> {
    file_view_until(path, &AtomicBool::new(false))
}

/// [`file_view`], which fails as soon as `stop` is set.
fn file_view_until(path: &Path, stop: &AtomicBool) -> Result<FileView, Error> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let refuse = |source| Error::from(trace::ImportError::Read { name: name.clone(), source });
    let sha256 = File::open(path).and_then(|inner| sha256(Stoppable { inner, stop })).map_err(refuse)?;
    Ok(FileView { name, path: Some(path.display().to_string()), sha256 })
}

/// [`file_view`], which may be stopped. `progress` counts octets.
///
/// # Errors
/// As [`file_view`]; [`crate::Code::Cancelled`].
pub(crate) fn file_view_told(path: &Path, progress: &mut dyn Progress) -> Result<FileView, Error> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let sha256 = match file_sha256(path, progress)? {
        Ok(sha256) => sha256,
        Err(source) => return Err(trace::ImportError::Read { name, source }.into()),
    };
    Ok(FileView { name, path: Some(path.display().to_string()), sha256 })
}

/// SHA-256 of the file at `path`; the error inside where it cannot be read. `progress` counts octets.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(crate) fn file_sha256(path: &Path, progress: &mut dyn Progress) -> Result<io::Result<String>, Cancelled> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return Ok(Err(error)),
    };
    let (total, mut done) = (octets_of(path), 0);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        if progress.tick(done, total).is_break() {
            return Err(Cancelled);
        }
        match file.read(&mut buffer) {
            Ok(0) => return Ok(Ok(hex(hash))),
            Ok(octets) => {
                hash.update(buffer.get(..octets).unwrap_or_default());
                done += octets as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// A file that nobody has to read to its end.
struct Stoppable<'a> {
    inner: File,
    stop: &'a AtomicBool,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("no longer wanted"));
        }
        self.inner.read(buffer)
    }
}

/// Read and decode a capture that is in memory; `name` is what its notes call it.
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

impl Opened {
    /// Open a file, or several of one network as one.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn files(paths: &[&Path], reading: &Reading, progress: &mut dyn Progress) -> Result<Self, Error> {
        let stop = AtomicBool::new(false);
        let (trace, files) = thread::scope(|scope| {
            let views = || paths.iter().map(|path| file_view_until(path, &stop)).collect::<Result<_, _>>();
            let views = scope.spawn(views);
            let trace = match paths {
                [path] => decode(path, &reading.import, &reading.decode, progress),
                _ => decode_merged(paths, reading, progress),
            };
            stop.store(trace.is_err(), Ordering::Relaxed);
            (trace, views.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
        });
        let octets = paths.iter().map(|path| octets_of(path)).sum();
        Self::indexed(trace?, reading.import, files?, &mut within(progress, INDEXING, octets))
    }

    /// Open a bundled capture.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn sample(sample: &SampleFile, reading: Option<&Reading>, progress: &mut dyn Progress) -> Result<Self, Error> {
        let octets = sample.octets.len() as u64;
        let usual = || {
            let mut usual = Reading::default();
            usual.decode.rc_option = sample.rc_option.unwrap_or(usual.decode.rc_option);
            usual
        };
        let Reading { import, decode } = reading.cloned().unwrap_or_else(usual);
        let mut reads = within(progress, READING, octets);
        let capture: Capture = trace::read(sample.file, sample.octets, Some(octets), &import, &mut reads)?;
        let trace = trace::analyse(capture, &decode, &mut within(progress, DECODING, octets))?;
        let sha256 = sha256(sample.octets).map_err(Error::internal)?;
        let files = vec![FileView { name: sample.file.to_owned(), path: None, sha256 }];
        Self::indexed(trace, import, files, &mut within(progress, INDEXING, octets))
    }

    /// Index a trace that was decoded already.
    #[must_use]
    pub fn new(trace: Trace, import: ImportOptions, files: Vec<FileView>) -> Self {
        Self::indexed(trace, import, files, &mut Silent).unwrap_or_else(|_| unreachable!("silence asks nobody to stop"))
    }

    /// [`Opened::new`], which says how far it is and may be asked to stop.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub fn indexed(
        trace: Trace,
        import: ImportOptions,
        files: Vec<FileView>,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let beside = files.first().and_then(|file| file.path.as_ref()).filter(|_| files.len() == 1);
        let motes = beside.map(|path| Motes::beside(Path::new(path), &trace)).unwrap_or_default();
        let stop = AtomicBool::new(false);
        let mut until_stopped = |_: u64, _: u64| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let (recorded, replay) = thread::scope(|scope| {
            let recorded = scope.spawn(|| Timeline::recorded(&trace, &SharedProgress::new(&mut until_stopped, 0)));
            let record = motes.record(&trace, &mut within(progress, RECORDING, WHOLE));
            let preparing = (RECORDING.1, 100);
            let replay = record.and_then(|record| Replay::prepare(record, &mut within(progress, preparing, WHOLE)));
            stop.store(replay.is_err(), Ordering::Relaxed);
            (recorded.join().unwrap_or_else(|panic| panic::resume_unwind(panic)), replay)
        });
        let (lists, network) = (Lists::default(), CancellableOnce::new());
        Ok(Self { trace, replay: replay?, recorded: recorded?, import, files, motes, lists, network })
    }

    /// SHA-256 of its file, or of each.
    #[must_use]
    pub fn sha256(&self) -> String {
        self.files.iter().map(|file| file.sha256.as_str()).collect::<Vec<_>>().join(" + ")
    }

    /// What the window shows of it under number `id`.
    #[must_use]
    pub fn view(&self, id: CaptureId) -> CaptureView {
        let capture = &self.trace.capture;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (start, end) = reading::window(capture);
        let mut notes = self.trace.notes.clone();
        notes.merge(self.replay.record().notes().clone());
        let read_as = reading::read_as(self);
        CaptureView {
            id,
            name: capture.name.clone(),
            path: self.files.first().filter(|_| self.files.len() == 1).and_then(|file| file.path.clone()),
            format: format!("{}, {}", capture.format.name(), link_name(&read_as.links)),
            file_len: capture.file_len,
            sha256: self.sha256(),
            read_as,
            frames: count(capture.frames.len()),
            messages: count(self.trace.messages.len()),
            exchanges: count(self.trace.exchanges.len()),
            copies: count(self.trace.exchanges.iter().map(|e| e.copies.len()).sum()),
            start,
            end,
            epoch: capture.epoch_unix_nanos.map(iso8601),
            associations: self.trace.associations.iter().map(|a| self.association(a.id)).collect(),
            said: claims::said(&self.trace),
            notes: notes.kinds().to_vec(),
        }
    }

    fn association(&self, id: AssociationId) -> AssociationView {
        let association = self.trace.associations.get(id.index());
        let text = |f: fn(&trace::Association) -> String| association.map_or_else(String::new, f);
        let (copies, needless) = self.recorded.needless(id);
        let mut view = AssociationView {
            id,
            client_name: text(|a| a.client_name.clone()),
            server_name: text(|a| a.server_name.clone()),
            client: text(|a| a.client.to_string()),
            server: text(|a| a.server.to_string()),
            hops: association.and_then(|a| a.hops).map(u32::from),
            exchanges: u32::try_from(association.map_or(0, |a| a.exchanges.len())).unwrap_or(u32::MAX),
            copies,
            needless,
            vantage: VantageKind::Between,
            vantage_given: false,
            correction: CorrectionView::default(),
            queueing: None,
            workload: WorkloadKind::Arrivals,
            workload_given: false,
            rhythm: RhythmView::default(),
            nstart: association.map_or(1, |a| u32::from(a.nstart)),
            application: association.and_then(|a| self.motes.application_view(&self.trace, a)),
        };
        if let Some(association) = association {
            view.claim(&self.trace, association);
        }
        view
    }
}

fn link_name(links: &[String]) -> String {
    if links.is_empty() { "no frames".to_owned() } else { links.join(" and ") }
}

/// Lower-case hex SHA-256 of everything `source` gives.
///
/// # Errors
/// When it cannot be read.
pub fn sha256(mut source: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut source, &mut hash)?;
    Ok(hex(hash))
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, octet| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{octet:02x}");
        text
    })
}

/// Nanoseconds since the Unix epoch as `2022-01-31T23:59:59.123456789Z`, proleptic Gregorian calendar
/// (days to civil date as in Richards 2013, "Explanatory Supplement to the Astronomical Almanac" §15.11).
fn iso8601(nanos: i64) -> String {
    let (seconds, rest) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Julian day number of 1970-01-01 is 2440588.
    let f = days + 2_440_588 + 1_401 + (4 * (days + 2_440_588) + 274_277) / 146_097 * 3 / 4 - 38;
    let e = 4 * f + 3;
    let h = 5 * (e % 1_461 / 4) + 2;
    let (day, month) = (h % 153 / 5 + 1, (h / 153 + 2) % 12 + 1);
    let year = e / 1_461 - 4_716 + (14 - month) / 12;
    let clock = format!("{:02}:{:02}:{:02}", time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{clock}.{rest:09}Z")
}

#[cfg(test)]
mod tests {
    use super::{iso8601, sha256};

    #[test]
    fn dates() {
        assert_eq!(iso8601(0), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(iso8601(951_782_400_000_000_001), "2000-02-29T00:00:00.000000001Z");
        assert_eq!(iso8601(1_795_251_361_088_397_000), "2026-11-21T08:56:01.088397000Z");
        assert_eq!(iso8601(-1), "1969-12-31T23:59:59.999999999Z");
    }

    #[test]
    fn digest_of_nothing() {
        // FIPS 180-4 example: SHA-256 of the empty message.
        let expect = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(&b""[..]).unwrap(), expect);
    }
}
