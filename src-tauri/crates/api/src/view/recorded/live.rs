//! Requests and replies about live capture.

use crate::view::{CaptureId, DecodeAs};
use serde::{Deserialize, Serialize};

view! {
    /// A device that is plugged in.
    pub struct LiveDevice {
        /// Text that opens it, for [`LivePlan::device`].
        pub device: String,
        /// Name that the device gives itself.
        pub name: String,
        /// Known to be a sniffer; a serial line may have anything at its end.
        pub is_sniffer: bool,
    }

    /// Request: follow a file that grows, a capture that is being recorded or a radio log that a simulation appends to.
    /// One file is followed at a time.
    pub struct FollowRequest {
        /// Path of the file, which need not exist yet; `-` is refused.
        pub path: String,
        /// Decode options; null: the defaults of captures.
        #[serde(default)]
        pub decode: Option<DecodeAs>,
        /// Number of the open capture that the followed one replaces; null: it becomes a new one.
        #[serde(default)]
        pub capture: Option<CaptureId>,
    }

    /// The file that is followed.
    pub struct FollowView {
        /// Path of the file.
        pub path: String,
        /// Number of its capture; null until there was something to read.
        pub capture: Option<CaptureId>,
    }

    /// One device of a recording, and its channel.
    pub struct LivePlan {
        /// Text that opens the device: [`LiveDevice::device`], or any other that `rtoscope capture --device` takes.
        pub device: String,
        /// Channel number of IEEE 802.15.4 at 2.4 GHz, 11 to 26, also for devices without channels, which ignore it.
        pub channel: u8,
    }

    /// Request: begin to record. There is one recording at a time; a second one is refused.
    pub struct LiveStartRequest {
        /// Devices, at least one.
        pub devices: Vec<LivePlan>,
        /// Path of the file to write. An existing file is not replaced: the request is then refused.
        pub path: String,
    }

    /// Request: send a device of the recording to another channel.
    pub struct LiveChannelRequest {
        /// Position of the device in [`LiveStartRequest::devices`], from 0; others are ignored.
        pub device: u32,
        /// Channel number of IEEE 802.15.4 at 2.4 GHz, 11 to 26.
        pub channel: u8,
    }

    /// Condition and counters of a device of the recording; counts are whole numbers since its beginning.
    pub struct LiveDeviceView {
        /// Text that opens the device, as [`LivePlan::device`].
        pub device: String,
        /// Condition of the device.
        pub condition: LiveCondition,
        /// Reason why it is not listened to; empty where it is.
        pub why: String,
        /// Channel number, 11 to 26; null for a device without channels.
        pub channel: Option<u8>,
        /// Number of frames heard.
        pub frames: f64,
        /// Number of frames in the last second.
        pub rate: f64,
        /// Number of frames that the device heard and dropped.
        pub dropped: f64,
        /// Number of frames that the device sent and that did not arrive.
        pub lost: f64,
        /// Number of messages with a wrong check sequence, or of no known shape.
        pub damaged: f64,
        /// Number of octets that belong to no message.
        pub garbage: f64,
        /// Number of times the device went and came back.
        pub gaps: f64,
        /// Number of times it fell silent though it should have spoken.
        pub stalls: f64,
    }

    /// State of the recording.
    pub struct LiveView {
        /// Path of the file.
        pub path: String,
        /// The recording goes on.
        pub is_running: bool,
        /// Reason why it ended, where that needs attention; else empty.
        pub trouble: String,
        /// Number of frames on the disk.
        pub frames: f64,
        /// Size of the file, octets.
        pub octets: f64,
        /// Number of frames that came and that the disk did not take.
        pub unwritten: f64,
        /// Devices, in the order of the request.
        pub devices: Vec<LiveDeviceView>,
        /// Number of the capture that shows it; null until `live_refresh` was called.
        pub capture: Option<CaptureId>,
    }
}

choice! {
    /// Condition of a device of a recording.
    pub enum LiveCondition {
        /// The device is being opened.
        Opening,
        /// The device is open, and frames are taken from it.
        Listening,
        /// Not there, and waited for.
        Gone,
        /// Not listened to any more.
        Ended,
    }
}
