//! Recording what sniffers hear.

use super::follow;
use crate::opened::ReadOptions;
use crate::session::following::Following;
use crate::session::recording::Recording;
use crate::view::{CaptureView, LiveChannelRequest, LiveDevice, LiveStartRequest, LiveView};
use crate::{Error, Progress, Session};
use live::Capture;
use live::capture::{DevicePlan, Options};
use live::decode::CHANNELS;
use live::recording::Existing;
use std::path::{Path, PathBuf};

/// Answers `live_devices`: sniffers that are plugged in, and serial lines. It never fails.
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

/// Answers `live_start`: begins a recording. Errs ([`crate::Code::Request`]) while one is running, without devices, for
/// an unknown device or channel, and where the file exists or cannot be written.
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
        Ok(DevicePlan { device, channel: channel(plan.channel)? })
    };
    let plans = request.devices.iter().map(plan).collect::<Result<_, Error>>()?;
    let out = PathBuf::from(&request.path);
    // In a window the user can plug a device in again, so the recording waits for it.
    let options =
        Options { plans, out: out.clone(), existing: Existing::Kept, waits: true, duration: None, frames: None };
    let running = Capture::start(&options).map_err(|error| refused(&out, &error))?;
    let reading = ReadOptions { decode: session.options().clone(), ..ReadOptions::default() };
    let following = Following::new(&out, reading, None);
    let recording = Recording { running: Some(running), report: None, following };
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

/// Answers `live_stop`: ends the recording, and waits until it has ended; `None` without one. Never errs.
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

/// Answers `live_state`: the state of the recording; `None` without one. Never errs.
pub(crate) fn state(session: &Session, _: &()) -> Result<Option<LiveView>, Error> {
    let mut slot = session.live().lock();
    Ok(slot.as_mut().map(|recording| {
        if let Some(running) = recording.running.take_if(|running| running.is_over()) {
            recording.report = Some(running.join());
        }
        recording.view()
    }))
}

/// Answers `live_channel`: retunes a device. Errs for a channel outside 11 to 26; an unknown device is ignored.
pub(crate) fn set_channel(session: &Session, request: &LiveChannelRequest) -> Result<(), Error> {
    let wanted = channel(request.channel)?;
    if let Some(running) = session.live().lock().as_ref().and_then(|recording| recording.running.as_ref()) {
        running.set_channel(usize::try_from(request.device).unwrap_or(usize::MAX), wanted);
    }
    Ok(())
}

/// Answers `live_refresh`: the recording as a capture; `None` where nothing is new. Errs where its file cannot be read.
pub(crate) fn refresh(session: &Session, _: &(), progress: &mut dyn Progress) -> Result<Option<CaptureView>, Error> {
    let with = |act: follow::Act<'_>| {
        let mut slot = session.live().lock();
        slot.as_mut().and_then(|recording| act(&mut recording.following))
    };
    follow::grown(session, &with, progress)
}
