//! Visible state of a capture and of its devices.

use super::DevicePlan;
use crate::decode::Tally;
use std::fmt;
use std::path::PathBuf;

/// Condition of a device.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Condition {
    /// Being opened; not listened to yet.
    #[default]
    Opening,
    /// Open and listened to.
    Listening,
    /// Absent and waited for, with the reason.
    Gone(String),
    /// Given up, with the reason.
    Ended(String),
}

/// Visible state of a device.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceState {
    /// Device in the form that [`Device`](crate::Device) reads.
    pub device: String,
    /// Kind of device; empty until it identified itself.
    pub kind: &'static str,
    /// Condition of the connection.
    pub condition: Condition,
    /// Channel number of IEEE 802.15.4, 11 to 26; `None` for a device without channels.
    pub channel: Option<u8>,
    /// Counters over all sessions of the device.
    pub tally: Tally,
    /// Frames a second, over the last second.
    pub rate: u64,
    /// Number of times that it went and came back.
    pub gaps: u64,
    /// Number of times that it fell silent though it should have spoken.
    pub stalls: u64,
}

impl DeviceState {
    /// Makes the state of a device that is being opened.
    pub(super) fn new(plan: &DevicePlan) -> Self {
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

/// Visible state of a capture.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Path of the file.
    pub path: PathBuf,
    /// States of the devices, in the order of the plans.
    pub devices: Vec<DeviceState>,
    /// Number of frames in the file.
    pub frames: u64,
    /// Length of the file, octets of whole blocks.
    pub octets: u64,
    /// Number of frames that were received and that the disk did not take.
    pub unwritten: u64,
}

impl State {
    /// Returns the sum of all devices' counters.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.devices.iter().fold(Tally::default(), |sum, device| sum.plus(device.tally))
    }
}

/// Reason for which a capture ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Stopped on request, or because its time was over or it had its frames.
    Asked,
    /// No device is left.
    Devices,
    /// Closed pipe: its reader went away.
    Reader,
    /// Failed disk, with its error.
    Disk(String),
}

/// Result of a capture.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// State at the end.
    pub state: State,
    /// Reason for the end.
    pub ended: Ended,
}

impl fmt::Display for Report {
    /// Writes a line for the capture, and one for each device.
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
