//! The thread that records the frames of all devices.

use super::listener::{ListenerEvent, Message};
use super::state::{Condition, DeviceState, Ended, Report};
use super::{Options, Shared};
use crate::clock;
use crate::decode::{Event, Heard, Stamp, Tally};
use crate::recording::Recording;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;

/// Difference from ours up to which a clock that may not be set is believed, nanoseconds: a day, as import does for ZEP
/// (`trace/src/import/zep.rs`).
const PLAUSIBLE: i64 = 86_400 * SECOND;

/// Time that devices have to deliver pending frames after a request to stop. Chosen here: well above a serial line's
/// and USB's buffers.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// State of a device beside the visible [`super::DeviceState`].
#[derive(Debug, Default)]
struct Device {
    /// Our time at the zero of the device's clock, nanoseconds since the Unix epoch.
    began: Option<i64>,
    /// Latest time by the device's own clock, nanoseconds.
    last: u64,
    /// Counters of the sessions that are over.
    before: Tally,
    /// Counters of the session that goes on.
    now: Tally,
    /// Comment for the next frame, of the events before it; empty for none.
    remark: String,
    /// Time at which the device went away, nanoseconds since the Unix epoch.
    went: Option<i64>,
    /// Time of the last octets, nanoseconds since the Unix epoch, while the device is silent and should not be.
    silent: Option<i64>,
    is_over: bool,
    /// Number of frames at the last computation of the rate.
    frames: u64,
}

impl Device {
    fn tally(&self) -> Tally {
        self.before.plus(self.now)
    }

    /// Time of `stamp`, which came at `now`; both nanoseconds since the Unix epoch.
    fn time(&mut self, stamp: Stamp, now: i64) -> i64 {
        match stamp {
            Stamp::Device(nanos) => self.device_time(nanos, now),
            Stamp::Unix(at) => at,
            Stamp::Perhaps(at) if (at - now).abs() <= PLAUSIBLE => at,
            Stamp::Perhaps(_) | Stamp::None => now,
        }
    }

    /// Time of the device's clock in ours, nanoseconds since the Unix epoch. The clock runs from where ours was when it
    /// was first heard of; one that goes back by more than a second has restarted.
    fn device_time(&mut self, nanos: u64, now: i64) -> i64 {
        if nanos.saturating_add(SECOND as u64) < self.last {
            self.began = None;
        }
        self.last = self.last.max(nanos);
        if self.began.is_none() {
            self.last = nanos;
        }
        let since = i64::try_from(nanos).unwrap_or(i64::MAX);
        let began = *self.began.get_or_insert(now.saturating_sub(since));
        began.saturating_add(since)
    }

    fn note(&mut self, text: &str) {
        if !self.remark.is_empty() {
            self.remark.push_str("; ");
        }
        self.remark.push_str(text);
    }
}

/// Recorder of a capture: writes frames and statistics of all devices, and keeps the visible state.
pub struct Recorder {
    recording: Recording,
    shared: Arc<Shared>,
    devices: Vec<Device>,
    frames: Option<u64>,
    duration: Option<Duration>,
    unwritten: u64,
    /// Reason for which nothing more is written; `None` while all is well.
    failure: Option<Ended>,
}

impl Recorder {
    /// Makes the recorder of a capture; its devices are those of [`Options::plans`], by index.
    pub fn new(recording: Recording, options: &Options, shared: Arc<Shared>) -> Self {
        let devices = options.plans.iter().map(|_| Device::default()).collect();
        let Options { frames, duration, .. } = *options;
        Self { recording, shared, devices, frames, duration, unwritten: 0, failure: None }
    }

    /// Records until no listener is left, the capture is asked to stop, or the disk fails.
    pub fn run(mut self, from: &Receiver<Message>) -> Report {
        let began = clock::instant();
        let mut second = began;
        let mut stopped = None;
        while !self.devices.iter().all(|device| device.is_over) {
            match from.recv_timeout(Duration::from_millis(100)) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let now = clock::instant();
            if now.duration_since(second) >= Duration::from_secs(1) {
                self.every_second(now.duration_since(second));
                second = now;
            }
            if self.duration.is_some_and(|duration| now.duration_since(began) >= duration) || self.has_enough() {
                self.shared.stop();
            }
            if self.shared.is_stopped() && is_overdue(&mut stopped, now) {
                break;
            }
        }
        let was_asked = self.shared.is_stopped();
        self.shared.stop();
        self.end();
        self.show();
        let ended = self.failure.unwrap_or(if was_asked { Ended::Asked } else { Ended::Devices });
        Report { state: self.shared.state().clone(), ended }
    }

    fn has_enough(&self) -> bool {
        self.frames.is_some_and(|frames| self.recording.frames() >= frames)
    }

    fn take(&mut self, Message { device: number, at, event }: Message) {
        let Some(device) = self.devices.get_mut(number) else { return };
        match event {
            ListenerEvent::Opened => {
                device.before = device.tally();
                device.silent = None;
                device.now = Tally::default();
                device.began = None;
                if let Some(went) = device.went.take() {
                    let text = format!("the device was gone for {}", tenths(at - went));
                    device.note(&text);
                    self.shown(number, |shown| shown.gaps += 1);
                }
                self.condition(number, Condition::Listening);
            }
            ListenerEvent::Came(events, tally) => {
                device.now = tally;
                if let Some(since) = device.silent.take_if(|_| !events.is_empty()) {
                    let text = format!("the device was silent for {}", tenths(at - since));
                    device.note(&text);
                }
                for event in events {
                    self.event(number, at, event);
                }
                self.show();
            }
            ListenerEvent::Stalled(long) => {
                device.silent.get_or_insert(at.saturating_sub(i64::try_from(long.as_nanos()).unwrap_or(i64::MAX)));
                self.statistics(number, at, false, "the device is silent though it should speak");
                self.shown(number, |shown| shown.stalls += 1);
            }
            ListenerEvent::Gone(why) => {
                device.went.get_or_insert(at);
                self.statistics(number, at, false, &why);
                self.condition(number, Condition::Gone(why));
            }
            ListenerEvent::Ended(why) => {
                device.is_over = true;
                self.statistics(number, at, true, &why);
                self.condition(number, Condition::Ended(why));
            }
        }
    }

    fn event(&mut self, number: usize, now: i64, event: Event) {
        let Some(device) = self.devices.get_mut(number) else { return };
        match event {
            Event::Heard(heard) => {
                let at = device.time(heard.stamp, now);
                let remark = std::mem::take(&mut device.remark);
                self.heard(number, at, &heard, &remark);
            }
            Event::Clock(nanos) => {
                device.device_time(nanos, now);
            }
            Event::Channel(channel) => self.shown(number, |shown| shown.channel = Some(channel)),
            Event::Kind(kind) => self.shown(number, |shown| shown.kind = kind),
            Event::Remark(text) => device.note(&text),
            Event::Stream(stream, name) => self.recording.name_stream(number, stream, name),
        }
    }

    fn heard(&mut self, number: usize, at: i64, heard: &Heard, remark: &str) {
        if self.failure.is_some() {
            self.unwritten += 1;
        } else if !self.has_enough()
            && let Err(error) = self.recording.heard(number, at, heard, remark)
        {
            self.unwritten += 1;
            self.failed(&error);
        }
    }

    /// Writes the statistics of a device: frames it dropped, and frames that did not arrive.
    fn statistics(&mut self, number: usize, at: i64, is_end: bool, why: &str) {
        let Some(device) = self.devices.get_mut(number) else { return };
        let tally = device.tally();
        let mut comment = std::mem::take(&mut device.remark);
        if !why.is_empty() {
            comment = if comment.is_empty() { why.to_owned() } else { format!("{comment}; {why}") };
        }
        if tally.damaged > 0 || tally.garbage > 0 {
            let Tally { damaged, garbage, .. } = tally;
            comment = format!("{comment}; {damaged} damaged messages, {garbage} octets of garbage");
        }
        let dropped = tally.dropped.saturating_add(tally.lost);
        if self.failure.is_none()
            && let Err(error) = self.recording.statistics(number, at, is_end, dropped, comment.trim_start_matches("; "))
        {
            self.failed(&error);
        }
    }

    fn failed(&mut self, error: &io::Error) {
        let ended = if error.kind() == ErrorKind::BrokenPipe { Ended::Reader } else { Ended::Disk(error.to_string()) };
        self.failure.get_or_insert(ended);
        self.shared.stop();
    }

    fn every_second(&mut self, passed: Duration) {
        let millis = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX).max(1);
        let mut state = self.shared.state();
        for (device, shown) in self.devices.iter_mut().zip(&mut state.devices) {
            let frames = device.tally().frames;
            shown.rate = (frames - device.frames).saturating_mul(1_000) / millis;
            device.frames = frames;
        }
        drop(state);
        if self.failure.is_none()
            && let Err(error) = self.recording.sync()
        {
            self.failed(&error);
        }
    }

    /// Devices that did not end in time are reported in their last state.
    fn end(&mut self) {
        let now = clock::unix_nanos();
        for number in 0..self.devices.len() {
            if self.devices.get(number).is_some_and(|device| !device.is_over) {
                self.statistics(number, now, true, "it did not answer when it was to end");
            }
        }
        if self.failure.is_none()
            && let Err(error) = self.recording.sync()
        {
            self.failed(&error);
        }
    }

    fn condition(&mut self, number: usize, condition: Condition) {
        self.shown(number, |shown| shown.condition = condition);
        self.show();
    }

    fn shown(&self, number: usize, change: impl FnOnce(&mut DeviceState)) {
        if let Some(shown) = self.shared.state().devices.get_mut(number) {
            change(shown);
        }
    }

    /// Copies all counts to the visible state.
    fn show(&mut self) {
        let mut state = self.shared.state();
        for (device, shown) in self.devices.iter().zip(&mut state.devices) {
            shown.tally = device.tally();
        }
        state.frames = self.recording.frames();
        state.octets = self.recording.octets();
        state.unwritten = self.unwritten;
    }
}

/// Seconds with one decimal, for people, from nanoseconds.
fn tenths(nanos: i64) -> String {
    let tenths = nanos / (SECOND / 10);
    format!("{}.{} s", tenths / 10, tenths % 10)
}

/// Returns whether [`GRACE_PERIOD`] has passed since `stopped`, which is set at the first call.
fn is_overdue(stopped: &mut Option<Instant>, now: Instant) -> bool {
    now.duration_since(*stopped.get_or_insert(now)) >= GRACE_PERIOD
}
