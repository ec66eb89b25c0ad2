//! Summary of a capture: of an open one, or of one that is decoded for nothing else.

use super::{MoteLogs, path_of, read_as, tally, timers, window};
use crate::view::{AssociationView, CaptureId, CaptureView, Correction, FileView, Rhythm, VantageKind, WorkloadKind};
use crate::{Error, Progress};
use base::Notes;
use chrono::{DateTime, SecondsFormat};
use replay::Record;
use trace::{Association, ImportOptions, KnownTimers, Trace};

/// Parts of a capture that its summary needs.
pub(crate) struct Summary<'a> {
    /// Decoded capture, with its exchanges.
    pub trace: &'a Trace,
    /// Options with which the capture was imported.
    pub import: ImportOptions,
    /// Files of the capture.
    pub files: &'a [FileView],
    /// Logs of the motes.
    pub mote_logs: &'a MoteLogs,
    /// Known timers of recorded copies.
    pub timers: &'a KnownTimers,
    /// Notes on the conversion for replays.
    pub notes: &'a Notes,
}

/// Describes a decoded capture under number 0 as [`super::Opened::view`] does, without the parts that only lanes and
/// replays need: `trace` may lack the octets of its frames ([`trace::DecodeOptions::drops_octets`]).
///
/// # Errors
/// [`crate::Code::Cancelled`].
pub fn summary(
    trace: &Trace,
    import: ImportOptions,
    files: &[FileView],
    progress: &mut dyn Progress,
) -> Result<CaptureView, Error> {
    let mote_logs = path_of(files).map(|path| MoteLogs::beside(path, trace)).unwrap_or_default();
    let record = mote_logs.limited(trace, Record::of_timers(trace, progress)?);
    let timers = timers(trace, &record, &mote_logs.timers);
    let notes = record.notes();
    Ok(Summary { trace, import, files, mote_logs: &mote_logs, timers: &timers, notes }.view(0))
}

/// Returns the SHA-256 of a file, lower-case hex; of several, one for each with ` + ` between.
pub(super) fn joined_sha256(files: &[FileView]) -> String {
    files.iter().map(|file| file.sha256.as_str()).collect::<Vec<_>>().join(" + ")
}

impl Summary<'_> {
    /// Describes the capture under number `id`.
    pub fn view(&self, id: CaptureId) -> CaptureView {
        let Self { trace, files, timers, .. } = *self;
        let capture = &trace.capture;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (start, end) = window(capture);
        let mut notes = trace.notes.clone();
        notes.merge(self.notes.clone());
        let read_as = read_as(trace, &self.import, files, self.mote_logs.log.as_ref());
        CaptureView {
            id,
            name: capture.name.clone(),
            path: files.first().filter(|_| files.len() == 1).and_then(|file| file.path.clone()),
            format: format!("{}, {}", capture.format.name(), link_name(&read_as.links)),
            file_len: capture.file_len,
            sha256: joined_sha256(files),
            read_as,
            frames: count(capture.frames.len()),
            messages: count(trace.messages.len()),
            exchanges: count(trace.exchanges.len()),
            copies: count(trace.exchanges.iter().map(|e| e.copies.len()).sum()),
            fates: tally::fates(trace),
            timers: tally::timers(trace, timers),
            coap_frames: tally::coap_frames(trace),
            start,
            end,
            telling: tally::telling(trace, (start, end)),
            epoch: capture.epoch_unix_nanos.map(iso8601),
            associations: trace.associations.iter().map(|association| self.association(association)).collect(),
            said: super::assumed_of(trace),
            notes: notes.kinds().to_vec(),
        }
    }

    fn association(&self, association: &Association) -> AssociationView {
        let tally::LaneCounts { copies, needless, lost, completion, completion_p95 } =
            tally::lane(self.trace, association);
        let mut view = AssociationView {
            id: association.id,
            client_name: association.client_name.clone(),
            server_name: association.server_name.clone(),
            client: association.client.to_string(),
            server: association.server.to_string(),
            hops: association.hops.map(u32::from),
            exchanges: u32::try_from(association.exchanges.len()).unwrap_or(u32::MAX),
            copies,
            needless,
            lost,
            completion,
            completion_p95,
            vantage: VantageKind::Between,
            vantage_given: false,
            correction: Correction::default(),
            queueing: None,
            workload: WorkloadKind::Arrivals,
            workload_given: false,
            rhythm: Rhythm::default(),
            nstart: u32::from(association.nstart),
            application: self.mote_logs.application_view(self.trace, association),
        };
        view.claim(self.trace, association);
        view
    }
}

fn link_name(links: &[String]) -> String {
    if links.is_empty() { "no frames".to_owned() } else { links.join(" and ") }
}

/// Returns nanoseconds since the Unix epoch as ISO 8601 in UTC: `2022-01-31T23:59:59.123456789Z`.
fn iso8601(nanos: i64) -> String {
    DateTime::from_timestamp_nanos(nanos).to_rfc3339_opts(SecondsFormat::Nanos, true)
}

/// Returns nanoseconds since the Unix epoch as ISO 8601 in UTC, to the millisecond: `2022-01-31T23:59:59.123Z`.
#[must_use]
pub fn utc(nanos: i64) -> String {
    DateTime::from_timestamp_nanos(nanos).to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::iso8601;

    #[test]
    fn dates() {
        assert_eq!(iso8601(0), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(iso8601(951_782_400_000_000_001), "2000-02-29T00:00:00.000000001Z");
        assert_eq!(iso8601(1_795_251_361_088_397_000), "2026-11-21T08:56:01.088397000Z");
        assert_eq!(iso8601(-1), "1969-12-31T23:59:59.999999999Z");
    }
}
