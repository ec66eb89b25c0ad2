//! Requests and replies about live capture.

use crate::view::{CaptureId, DecodeAs};
use serde::{Deserialize, Serialize};

view! {
    /// A device that is there.
    pub struct LiveDevice {
        /// The text that opens it.
        pub device: String,
        /// Its own name.
        pub name: String,
        /// Known to be a sniffer; a serial line may have anything at its end.
        pub is_sniffer: bool,
    }

    /// Follow a file that grows: a capture that is being recorded, a radio log that a simulation appends to. One file is followed at a time.
    pub struct FollowRequest {
        /// File on disk. It need not be there yet.
        pub path: String,
        /// Options of reading it; without, those of captures by default.
        #[serde(default)]
        pub decode: Option<DecodeAs>,
        /// The open capture whose place it takes; a new one without.
        #[serde(default)]
        pub capture: Option<CaptureId>,
    }

    /// The file that is followed.
    pub struct FollowView {
        /// Its path.
        pub path: String,
        /// Its capture, once there was something to read.
        pub capture: Option<CaptureId>,
    }

    /// One device of a recording.
    pub struct LivePlan {
        /// As [`LiveDevice::device`], or any other that `rtoscope capture --device` takes.
        pub device: String,
        /// 11 to 26; of no meaning for what has no channels.
        pub channel: u8,
    }

    /// Begin to record. There is one recording at a time.
    pub struct LiveStartRequest {
        /// The devices.
        pub devices: Vec<LivePlan>,
        /// The file. An existing file is not replaced: the request is then refused.
        pub path: String,
    }

    /// Send a device of the recording to another channel.
    pub struct LiveChannelRequest {
        /// Number of the device, from 0.
        pub device: u32,
        /// 11 to 26.
        pub channel: u8,
    }

    /// Condition of a device of the recording.
    pub struct LiveDeviceView {
        /// Its name.
        pub device: String,
        /// Its condition.
        pub condition: LiveCondition,
        /// Why it is not listened to; empty where it is.
        pub why: String,
        /// Its channel, if it has channels.
        pub channel: Option<u8>,
        /// Frames heard.
        pub frames: f64,
        /// Frames in the last second.
        pub rate: f64,
        /// Frames that it heard and dropped.
        pub dropped: f64,
        /// Frames that it sent and that did not arrive.
        pub lost: f64,
        /// Messages with a wrong check, or of a shape that none has.
        pub damaged: f64,
        /// Octets that belong to no message.
        pub garbage: f64,
        /// Times it went and came back.
        pub gaps: f64,
        /// Times it fell silent though it should have spoken.
        pub stalls: f64,
    }

    /// State of the recording.
    pub struct LiveView {
        /// The file.
        pub path: String,
        /// Whether it goes on.
        pub is_running: bool,
        /// Why it ended, where that needs attention; else empty.
        pub trouble: String,
        /// Frames on the disk.
        pub frames: f64,
        /// Octets of the file.
        pub octets: f64,
        /// Frames that came and that the disk did not take.
        pub unwritten: f64,
        /// Its devices.
        pub devices: Vec<LiveDeviceView>,
        /// The capture that shows it, once it was requested.
        pub capture: Option<CaptureId>,
    }
}

choice! {
    /// Condition of a device.
    pub enum LiveCondition {
        /// It is being opened.
        Opening,
        /// It is being listened to.
        Listening,
        /// It is not there, and waited for.
        Gone,
        /// It is not listened to any more.
        Ended,
    }
}
