//! What the motes of a simulation printed, beside the capture of their radio: whether it is of that run, and what of it
//! replays and the window get.

use crate::view::{ApplicationView, MoteLogView};
use base::{AssociationId, Cancelled, Progress, Silent};
use replay::Record;
use std::collections::BTreeMap;
use std::path::Path;
use trace::{Application, Association, MoteLog, Trace};

/// What is kept of a mote log.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoteLogs {
    /// The log, as the window names it.
    pub log: Option<MoteLogView>,
    /// What applications did, by mote.
    applications: BTreeMap<u32, Application>,
}

impl MoteLogs {
    /// What lies beside the capture at `path` and is of the run in `trace`: without times and nodes of a simulation a name
    /// is chance, unless the log has the same requests.
    pub fn beside(path: &Path, trace: &Trace) -> Self {
        let capture = &trace.capture;
        let simulated = capture.epoch_unix_nanos.is_none() && capture.sources.iter().any(|s| s.mote.is_some());
        if !simulated && !trace.associations.iter().any(|association| trace.mote(association).is_some()) {
            return Self::default();
        }
        let log = trace::mote_log_beside(path).and_then(|path| trace::open_mote_log(&path, &mut Silent).ok());
        match log.filter(|log| simulated || log.is_of(trace)) {
            Some(log) => Self { log: Some(view(&log)), applications: log.applications() },
            None => Self::default(),
        }
    }

    /// What the application of the client of `association` did.
    fn application(&self, trace: &Trace, association: &Association) -> Option<&Application> {
        // Most captures have none, and every association asks.
        if self.applications.is_empty() {
            return None;
        }
        self.applications.get(&trace.mote(association)?)
    }

    /// What the window says of that.
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

    /// What a replay needs of `trace`, with the queues that the log tells of.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn record(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<Record, Cancelled> {
        let limit = |id: AssociationId| self.application(trace, trace.associations.get(id.index())?)?.limit();
        Ok(Record::convert(trace, progress)?.with_queues(limit))
    }
}

fn view(log: &MoteLog) -> MoteLogView {
    let whole = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    MoteLogView { name: log.name.clone(), lines: whole(log.lines.len()), events: whole(log.events().count()) }
}
