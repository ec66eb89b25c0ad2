//! Log of the motes of a simulation, beside the capture of their radio: whether it belongs to the same run, and the
//! queue limits and counts found in it.

use crate::view::{ApplicationView, MoteLogView};
use base::{AssociationId, Cancelled, Progress, Silent};
use replay::Record;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trace::{Application, Association, KnownTimers, MoteLog, Trace};

/// Name of a mote log, and the requests of its applications.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoteLogs {
    /// Description of the log for the window; `None` without one, and of a bundled excerpt.
    pub log: Option<MoteLogView>,
    /// Path of the log; `None` without one.
    pub path: Option<PathBuf>,
    /// Requests of applications, by number of the mote.
    applications: BTreeMap<u32, Application>,
    /// Timers that the clients armed, as the log says.
    pub timers: KnownTimers,
    /// Name and octets of the excerpt that is bundled with a sample.
    bundled: Option<(&'static str, &'static [u8])>,
}

impl MoteLogs {
    /// Reads the log beside the capture at `path`; empty where there is none, it cannot be read, or it belongs to
    /// another run than `trace`. Outside simulations an equal name may be chance, so that the log must then have the
    /// same requests.
    pub fn beside(path: &Path, trace: &Trace) -> Self {
        let capture = &trace.capture;
        let simulated = capture.epoch_unix_nanos.is_none() && capture.sources.iter().any(|s| s.mote.is_some());
        if !simulated && !trace.associations.iter().any(|association| trace.mote(association).is_some()) {
            return Self::default();
        }
        let path = trace::mote_log_beside(path);
        let log = path.as_deref().and_then(|path| trace::open_mote_log(path, &mut Silent).ok());
        match log.filter(|log| simulated || log.is_of(trace)) {
            Some(log) => {
                let (applications, timers) = (log.applications(), log.timers(trace));
                Self { log: Some(view(&log)), path, applications, timers, bundled: None }
            }
            None => Self::default(),
        }
    }

    /// Reads the log of a bundled capture, of which only the timers are taken: it is an excerpt.
    pub fn bundled(name: &'static str, octets: &'static [u8], trace: &Trace) -> Self {
        let len = u64::try_from(octets.len()).ok();
        let log = trace::read_mote_log(name, octets, len, &mut Silent);
        let timers = log.ok().map(|log| log.timers(trace)).unwrap_or_default();
        Self { timers, bundled: Some((name, octets)), ..Self::default() }
    }

    /// Reads the log anew for the capture under other assumptions: that beside `path`, or the bundled one.
    pub fn again(&self, path: Option<&Path>, trace: &Trace) -> Self {
        match (self.bundled, path) {
            (Some((name, octets)), _) => Self::bundled(name, octets, trace),
            (None, Some(path)) => Self::beside(path, trace),
            (None, None) => Self::default(),
        }
    }

    /// Returns the requests of the application of the client of `association`; `None` where no log has them.
    fn application(&self, trace: &Trace, association: &Association) -> Option<&Application> {
        // Most captures have none, and every association asks.
        if self.applications.is_empty() {
            return None;
        }
        self.applications.get(&trace.mote(association)?)
    }

    /// Describes the requests of the application of the client of `association`; `None` where no log has them.
    pub fn application_view(&self, trace: &Trace, association: &Association) -> Option<ApplicationView> {
        let application = self.application(trace, association)?;
        let Application { issued, queued_behind, most_waiting, dropped, .. } = *application;
        Some(ApplicationView {
            issued,
            before_others: queued_behind,
            most_waiting,
            dropped,
            queue: application.limit(),
        })
    }

    /// Converts `trace` for replays, with the queue limits found in the log.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn record(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<Record, Cancelled> {
        Ok(self.limited(trace, Record::from_trace(trace, progress)?))
    }

    /// Adds the queue limits found in the log to the record of `trace`.
    pub fn limited(&self, trace: &Trace, record: Record) -> Record {
        let limit = |id: AssociationId| self.application(trace, trace.associations.get(id.index())?)?.limit();
        record.with_queues(limit)
    }
}

fn view(log: &MoteLog) -> MoteLogView {
    let whole = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    MoteLogView { name: log.name.clone(), lines: whole(log.lines.len()), events: whole(log.events().count()) }
}
