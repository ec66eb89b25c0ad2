//! A recording that runs, and the capture that it is becoming.

use crate::view::{
    CaptureId, CaptureView, LiveChannelRequest, LiveCondition, LiveDevice, LiveDeviceView, LiveStartRequest, LiveView,
};
use crate::{Error, Opened, Progress, Session, open};
use base::Part;
use live::Capture;
use live::capture::{Condition, DeviceState, Ended, Options, Plan, Report, State};
use live::decode::CHANNELS;
use live::recording::Existing;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use trace::{DecodeOptions, Growth, ImportOptions, Tail};

/// The recording of a session.
#[derive(Debug, Default)]
pub(crate) struct Slot(Mutex<Option<Recording>>);

/// One recording, running or over.
#[derive(Debug)]
struct Recording {
    running: Option<Capture>,
    report: Option<Report>,
    /// Reads the file as it grows; taken out while somebody reads.
    tail: Option<Tail>,
    path: PathBuf,
    capture: Option<CaptureId>,
}

impl Slot {
    /// Every critical section leaves it whole.
    fn lock(&self) -> MutexGuard<'_, Option<Recording>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is plugged in.
pub(crate) fn devices() -> Vec<LiveDevice> {
    let found = live::list().into_iter();
    found
        .map(|listed| LiveDevice {
            device: listed.device.to_string(),
            name: listed.name,
            is_sniffer: listed.is_sniffer,
        })
        .collect()
}

/// Begin.
pub(crate) fn start(session: &Session, request: &LiveStartRequest) -> Result<LiveView, Error> {
    let mut slot = session.live().lock();
    if slot.as_ref().is_some_and(|recording| recording.running.as_ref().is_some_and(|running| !running.is_over())) {
        return Err(Error::request("A recording is running already; stop it first."));
    }
    if request.devices.is_empty() {
        return Err(Error::request("A recording needs a device."));
    }
    let plan = |plan: &crate::view::LivePlan| {
        let device = plan.device.parse().map_err(Error::request)?;
        Ok(Plan { device, channel: channel(plan.channel)? })
    };
    let plans = request.devices.iter().map(plan).collect::<Result<_, Error>>()?;
    let out = PathBuf::from(&request.path);
    // In a window somebody is there to plug a device in again.
    let options =
        Options { plans, out: out.clone(), existing: Existing::Kept, waits: true, duration: None, frames: None };
    let running = Capture::start(&options).map_err(|error| refused(&out, &error))?;
    let tail = Some(Tail::new(&out, &ImportOptions::default()));
    let recording = Recording { running: Some(running), report: None, tail, path: out, capture: None };
    Ok(slot.insert(recording).view())
}

fn channel(channel: u8) -> Result<u8, Error> {
    let is_one = CHANNELS.contains(&channel);
    is_one
        .then_some(channel)
        .ok_or_else(|| Error::request(format!("There is no channel {channel}; 11 to 26 there are.")))
}

fn refused(out: &Path, error: &std::io::Error) -> Error {
    let path = out.display();
    Error::request(match error.kind() {
        std::io::ErrorKind::AlreadyExists => format!("{path} is there already and stays; choose another name."),
        _ => format!("{path} cannot be written: {error}."),
    })
}

/// End it, and wait until it has ended.
pub(crate) fn stop(session: &Session) -> Option<LiveView> {
    let running = session.live().lock().as_mut()?.running.take();
    let report = running.map(|running| {
        running.stop();
        running.join()
    });
    let mut slot = session.live().lock();
    let recording = slot.as_mut()?;
    recording.report = report.or(recording.report.take());
    Some(recording.view())
}

/// How it does.
pub(crate) fn state(session: &Session) -> Option<LiveView> {
    let mut slot = session.live().lock();
    let recording = slot.as_mut()?;
    if let Some(running) = recording.running.take_if(|running| running.is_over()) {
        recording.report = Some(running.join());
    }
    Some(recording.view())
}

/// Move a device.
pub(crate) fn set_channel(session: &Session, request: &LiveChannelRequest) -> Result<(), Error> {
    let wanted = channel(request.channel)?;
    if let Some(running) = session.live().lock().as_ref().and_then(|recording| recording.running.as_ref()) {
        running.set_channel(usize::try_from(request.device).unwrap_or(usize::MAX), wanted);
    }
    Ok(())
}

/// Read what is new on the disk: the capture as it is now, in the place of the one before; `None` where nothing is new, or
/// somebody is reading already.
pub(crate) fn refresh(
    session: &Session,
    options: &DecodeOptions,
    progress: &mut dyn Progress,
) -> Result<Option<CaptureView>, Error> {
    let (mut tail, path, before) = {
        let mut slot = session.live().lock();
        let Some(recording) = slot.as_mut() else { return Ok(None) };
        let Some(tail) = recording.tail.take() else { return Ok(None) };
        (tail, recording.path.clone(), recording.capture)
    };
    let read = read(&mut tail, &path, options, progress);
    let opened = match read {
        Ok(opened) => opened,
        Err(error) => {
            put_back(session, &path, tail, before);
            return Err(error);
        }
    };
    let view = opened.map(|opened| session.replace(before, opened));
    put_back(session, &path, tail, view.as_ref().map(|view| view.id).or(before));
    Ok(view)
}

/// Unless another recording has begun meanwhile.
fn put_back(session: &Session, path: &Path, tail: Tail, capture: Option<CaptureId>) {
    if let Some(recording) = session.live().lock().as_mut().filter(|recording| recording.path == path) {
        recording.tail = Some(tail);
        recording.capture = capture;
    }
}

fn read(
    tail: &mut Tail,
    path: &Path,
    options: &DecodeOptions,
    progress: &mut dyn Progress,
) -> Result<Option<Opened>, Error> {
    let capture = match tail.poll(progress)? {
        Growth::None => return Ok(None),
        Growth::More { capture, .. } | Growth::Anew { capture } => *capture,
    };
    // Hundredths of the way.
    let [decoded, read, all] = [60, 70, 100];
    let trace = trace::analyse(capture, options, &mut Part::new(progress, 0, decoded, all))?;
    // Of the file as it is now, which may have grown since.
    let files = vec![open::file_view_told(path, &mut Part::new(progress, decoded, read, all))?];
    let mut indexing = Part::new(progress, read, all, all);
    Opened::indexed(trace, ImportOptions::default(), files, &mut indexing).map(Some)
}

impl Recording {
    fn view(&self) -> LiveView {
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
            path: self.path.display().to_string(),
            is_running: self.running.is_some(),
            trouble,
            frames: state.frames as f64,
            octets: state.octets as f64,
            unwritten: state.unwritten as f64,
            devices: state.devices.iter().map(device).collect(),
            capture: self.capture,
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
