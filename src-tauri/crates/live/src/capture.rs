//! Recording of devices until it is stopped.
//!
//! One thread listens to each device; another writes the events of all in the order of their arrival. Between them is
//! a queue without a limit, so that a slow disk delays but loses no frame.

mod listener;
mod recorder;
mod state;

pub use state::{Condition, DeviceState, Ended, Report, State};

use crate::clock;
use crate::device::Device;
use crate::recording::{Existing, Recording};
use listener::Listener;
use recorder::Recorder;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use wire::tap::linktype;

/// Assignment of a device to a capture, with the channel that it begins on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DevicePlan {
    /// Device to listen to.
    pub device: Device,
    /// Channel number, 11 to 26; ignored by devices without channels.
    pub channel: u8,
}

/// Settings of a capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Devices, each with an interface of its own in the file.
    pub plans: Vec<DevicePlan>,
    /// Path of the file, or of a pipe.
    pub out: PathBuf,
    /// Treatment of an existing file at that path.
    pub existing: Existing,
    /// True to wait for a device that is absent or goes away; false to give it up.
    pub waits: bool,
    /// Time after which the capture ends; `None` for no limit.
    pub duration: Option<Duration>,
    /// Number of frames, of all devices together, after which it ends; `None` for no limit.
    pub frames: Option<u64>,
}

/// State that the threads share, by the index of a device in [`Options::plans`].
#[derive(Debug)]
pub(crate) struct Shared {
    /// True once the capture is asked to stop.
    stop: AtomicBool,
    /// Channel that each device is to be on, 11 to 26.
    channels: Vec<AtomicU8>,
    /// Numbers that the recorder keeps for whoever asks.
    state: Mutex<State>,
}

impl Shared {
    /// Returns whether the capture was asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Asks the capture to stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the channel that a device is to be on; 0 for a device that is not there.
    pub(crate) fn channel(&self, device: usize) -> u8 {
        self.channels.get(device).map_or(0, |channel| channel.load(Ordering::Relaxed))
    }

    /// Locks the state. A lock that is poisoned is used all the same: it holds counts only.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A capture that runs in a thread, from its devices into its file or pipe.
#[derive(Debug)]
pub struct Capture {
    shared: Arc<Shared>,
    recorder: JoinHandle<Report>,
}

impl Capture {
    /// Begins to capture, in threads of its own.
    ///
    /// # Errors
    /// The file cannot be created or written.
    pub fn start(options: &Options) -> io::Result<Self> {
        let now = clock::unix_nanos();
        let mut recording = Recording::create(&options.out, options.existing, now)?;
        let mut state = State { path: options.out.clone(), ..State::default() };
        for plan in &options.plans {
            let (link, description) = if plan.device.has_channel() {
                (Some(linktype::IEEE802_15_4_TAP), format!("channel {}", plan.channel))
            } else {
                (None, String::new())
            };
            recording.device(&plan.device.to_string(), &description, link, now)?;
            state.devices.push(DeviceState::new(plan));
        }
        let channels = options.plans.iter().map(|plan| AtomicU8::new(plan.channel)).collect();
        let shared = Arc::new(Shared { stop: AtomicBool::new(false), channels, state: Mutex::new(state) });
        let (to, from) = mpsc::channel();
        for (at, plan) in options.plans.iter().enumerate() {
            let listener = Listener::new(at, plan.device.clone(), options.waits, Arc::clone(&shared), to.clone());
            thread::spawn(move || listener.run());
        }
        drop(to);
        let recorder = Recorder::new(recording, options, Arc::clone(&shared));
        Ok(Self { recorder: thread::spawn(move || recorder.run(&from)), shared })
    }

    /// Returns the state of the moment, a copy.
    #[must_use]
    pub fn state(&self) -> State {
        self.shared.state().clone()
    }

    /// Sends a device, by its index in [`Options::plans`], to another channel (11 to 26); ignored for one that is not
    /// there.
    pub fn set_channel(&self, device: usize, channel: u8) {
        if let Some(wanted) = self.shared.channels.get(device) {
            wanted.store(channel, Ordering::Relaxed);
        }
    }

    /// Asks the capture to end; [`Capture::join`] waits until it has.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Returns whether the capture has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.recorder.is_finished()
    }

    /// Waits until the capture has ended. A recorder that panicked is reported as [`Ended::Disk`].
    #[must_use]
    pub fn join(self) -> Report {
        self.recorder.join().unwrap_or_else(|_| {
            let state = self.shared.state().clone();
            Report { state, ended: Ended::Disk("the recorder failed".to_owned()) }
        })
    }
}

/// Captures to the end, on the calling thread; `watch` is called ten times a second.
///
/// # Errors
/// Errors of [`Capture::start`].
pub fn capture(options: &Options, mut watch: impl FnMut(&Capture)) -> io::Result<Report> {
    let capture = Capture::start(options)?;
    while !capture.is_over() {
        thread::sleep(Duration::from_millis(100));
        watch(&capture);
    }
    Ok(capture.join())
}
