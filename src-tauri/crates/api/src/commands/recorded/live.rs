//! Recording what sniffers hear.

use crate::opened::file_view;
use crate::session::recording::Recording;
use crate::view::{CaptureId, CaptureView, LiveChannelRequest, LiveDevice, LiveStartRequest, LiveView};
use crate::{Error, Opened, Progress, Session};
use base::Part;
use live::Capture;
use live::capture::{Options, Plan};
use live::decode::CHANNELS;
use live::recording::Existing;
use std::path::{Path, PathBuf};
use trace::{DecodeOptions, Growth, ImportOptions, Tail};

/// Lists sniffers that are plugged in, and serial lines.
pub(crate) fn devices(_: &Session, _: &()) -> Result<Vec<LiveDevice>, Error> {
    let found = live::list().into_iter();
    let devices = found
        .map(|listed| LiveDevice {
            device: listed.device.to_string(),
            name: listed.name,
            is_sniffer: listed.is_sniffer,
        })
        .collect();
    Ok(devices)
}

/// Begins a recording.
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
    // In a window the user can plug a device in again, so the recording waits for it.
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

/// Ends the recording, and waits until it has ended.
pub(crate) fn stop(session: &Session, _: &()) -> Result<Option<LiveView>, Error> {
    let running = session.live().lock().as_mut().and_then(|recording| recording.running.take());
    // Not under the lock: joining waits for the devices.
    let report = running.map(|running| {
        running.stop();
        running.join()
    });
    let mut slot = session.live().lock();
    Ok(slot.as_mut().map(|recording| {
        recording.report = report.or(recording.report.take());
        recording.view()
    }))
}

/// Returns the state of the recording.
pub(crate) fn state(session: &Session, _: &()) -> Result<Option<LiveView>, Error> {
    let mut slot = session.live().lock();
    Ok(slot.as_mut().map(|recording| {
        if let Some(running) = recording.running.take_if(|running| running.is_over()) {
            recording.report = Some(running.join());
        }
        recording.view()
    }))
}

/// Sends a device to another channel.
pub(crate) fn set_channel(session: &Session, request: &LiveChannelRequest) -> Result<(), Error> {
    let wanted = channel(request.channel)?;
    if let Some(running) = session.live().lock().as_ref().and_then(|recording| recording.running.as_ref()) {
        running.set_channel(usize::try_from(request.device).unwrap_or(usize::MAX), wanted);
    }
    Ok(())
}

/// Reads what is new on the disk. The capture as it is now takes the place of the one before; `None` where nothing is new, or
/// another thread is reading.
pub(crate) fn refresh(session: &Session, _: &(), progress: &mut dyn Progress) -> Result<Option<CaptureView>, Error> {
    let (mut tail, path, before) = {
        let mut slot = session.live().lock();
        let Some(recording) = slot.as_mut() else { return Ok(None) };
        let Some(tail) = recording.tail.take() else { return Ok(None) };
        (tail, recording.path.clone(), recording.capture)
    };
    let read = read(&mut tail, &path, session.options(), progress);
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

/// Returns the reader to the recording, unless another recording has begun meanwhile.
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
        Growth::More { capture, .. } | Growth::Restarted { capture } => *capture,
    };
    // Hundredths of the work.
    let [decoded, read, all] = [60, 70, 100];
    let trace = trace::analyse(capture, options, &mut Part::new(progress, 0, decoded, all))?;
    // The hash is that of the file as it is now, which may have grown since.
    let files = vec![file_view(path, &mut Part::new(progress, decoded, read, all))?];
    let mut indexing = Part::new(progress, read, all, all);
    Opened::new(trace, ImportOptions::default(), files, &mut indexing).map(Some)
}
