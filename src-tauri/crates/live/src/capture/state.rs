//! State of a capture and of its devices.

use super::Plan;
use crate::decode::Tally;
use std::fmt;
use std::path::PathBuf;

/// Condition of a device.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Condition {
    /// Being opened.
    #[default]
    Opening,
    /// Open and listened to.
    Listening,
    /// Absent and waited for, with the reason.
    Gone(String),
    /// Given up, with the reason.
    Ended(String),
}

/// State of a device.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceState {
    /// Its name.
    pub device: String,
    /// Kind of device, if it identified itself.
    pub kind: &'static str,
    /// Condition.
    pub condition: Condition,
    /// Its channel, where it has one.
    pub channel: Option<u8>,
    /// Counters over all sessions.
    pub tally: Tally,
    /// Frames in the last second.
    pub rate: u64,
    /// Times it went and came back.
    pub gaps: u64,
    /// Times it fell silent though it should have spoken.
    pub stalls: u64,
}

impl DeviceState {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            device: plan.device.to_string(),
            kind: "",
            condition: Condition::Opening,
            channel: plan.device.has_channel().then_some(plan.channel),
            tally: Tally::default(),
            rate: 0,
            gaps: 0,
            stalls: 0,
        }
    }
}

/// State of a capture.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Path of the file.
    pub path: PathBuf,
    /// Its devices.
    pub devices: Vec<DeviceState>,
    /// Frames on the disk.
    pub frames: u64,
    /// Octets of the file.
    pub octets: u64,
    /// Frames that came and that the disk did not take.
    pub unwritten: u64,
}

impl State {
    /// Returns the sum of all devices' counters.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.devices.iter().fold(Tally::default(), |sum, device| sum.plus(device.tally))
    }
}

/// Why a capture ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Somebody stopped it, or its time was over, or it had its frames.
    Asked,
    /// No device is left.
    Devices,
    /// The reader of the pipe has closed it.
    Reader,
    /// The disk does not take more: what it said.
    Disk(String),
}

/// Result of a capture.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The numbers at the end.
    pub state: State,
    /// Why it ended.
    pub ended: Ended,
}

impl fmt::Display for Report {
    /// Lines for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { path, devices, frames, octets, unwritten } = &self.state;
        write!(f, "{frames} frames, {octets} octets in {}", path.display())?;
        match &self.ended {
            Ended::Asked | Ended::Reader => {}
            Ended::Devices => write!(f, "; no device is left")?,
            Ended::Disk(error) => {
                write!(f, "; the disk took no more ({error}): {unwritten} frames that came after are lost")?;
            }
        }
        for device in devices {
            let Tally { frames, dropped, lost, damaged, garbage } = device.tally;
            write!(f, "\n  {}: {frames} frames, {dropped} dropped by it, {lost} lost on the way", device.device)?;
            if damaged > 0 || garbage > 0 {
                write!(f, ", {damaged} damaged messages, {garbage} octets of garbage")?;
            }
            if device.gaps > 0 {
                write!(f, ", gone {} times", device.gaps)?;
            }
            if device.stalls > 0 {
                write!(f, ", silent {} times", device.stalls)?;
            }
            if let Condition::Ended(why) | Condition::Gone(why) = &device.condition
                && !why.is_empty()
            {
                write!(f, "; {why}")?;
            }
        }
        Ok(())
    }
}
