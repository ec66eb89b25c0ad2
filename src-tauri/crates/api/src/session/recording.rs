//! The recording of a session: running or over, and the capture that it is becoming.

use super::following::Following;
use crate::view::{LiveCondition, LiveDeviceView, LiveView};
use live::Capture;
use live::capture::{Condition, DeviceState, Ended, Report, State};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Slot for the recording of a session; empty before the first one.
#[derive(Debug, Default)]
pub(crate) struct RecordingSlot(Mutex<Option<Recording>>);

/// One recording, running or over.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The capture under way; `None` when it is over.
    pub running: Option<Capture>,
    /// Report of its end; `None` while it is under way.
    pub report: Option<Report>,
    /// The file that it writes, followed as it grows.
    pub following: Following,
}

impl RecordingSlot {
    /// Locks the slot. Every critical section leaves it whole, so a poisoned lock is as good as a clean one.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Recording>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recording {
    /// Describes the recording: state, counters, devices.
    pub(crate) fn view(&self) -> LiveView {
        let state = match (&self.running, &self.report) {
            (Some(running), _) => running.state(),
            (None, Some(report)) => report.state.clone(),
            (None, None) => State::default(),
        };
        let trouble = match self.report.as_ref().map(|report| &report.ended) {
            Some(Ended::Disk(error)) => {
                format!(
                    "The disk took no more ({error}). What was written before is whole; free some room and start again."
                )
            }
            Some(Ended::Devices) => "No device is left to listen to.".to_owned(),
            Some(Ended::Asked | Ended::Reader) | None => String::new(),
        };
        LiveView {
            path: self.following.path.display().to_string(),
            is_running: self.running.is_some(),
            trouble,
            frames: state.frames as f64,
            octets: state.octets as f64,
            unwritten: state.unwritten as f64,
            devices: state.devices.iter().map(device).collect(),
            capture: self.following.capture,
        }
    }
}

fn device(state: &DeviceState) -> LiveDeviceView {
    let (condition, why) = match &state.condition {
        Condition::Opening => (LiveCondition::Opening, ""),
        Condition::Listening => (LiveCondition::Listening, ""),
        Condition::Gone(why) => (LiveCondition::Gone, why.as_str()),
        Condition::Ended(why) => (LiveCondition::Ended, why.as_str()),
    };
    LiveDeviceView {
        device: state.device.clone(),
        condition,
        why: why.to_owned(),
        channel: state.channel,
        frames: state.tally.frames as f64,
        rate: state.rate as f64,
        dropped: state.tally.dropped as f64,
        lost: state.tally.lost as f64,
        damaged: state.tally.damaged as f64,
        garbage: state.tally.garbage as f64,
        gaps: state.gaps as f64,
        stalls: state.stalls as f64,
    }
}
