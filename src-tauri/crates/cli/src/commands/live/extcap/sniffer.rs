//! The interfaces "RTOscope sniffer": frames of a sniffer, as `rtoscope capture` records them, into Wireshark's pipe.
//! One interface takes any device by name; each sniffer that is plugged in has its own.

use super::ExtcapArgs;
use super::control::{self, Toolbar};
use crate::args::{Misuse, OutFile, Unplugged};
use anyhow::{Context as _, bail};
use api::live::capture::{DevicePlan, Ended, Options, capture as record};
use api::live::decode::CHANNELS;
use api::live::recording::Existing;
use api::live::{Device, list, stop};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc;

/// Name of the interface that takes any device.
pub const ANY: &str = "rtoscope-sniffer";

/// Number of the control for the radio channel; 0 and 1 are those of the replay.
const CHANNEL: u8 = 2;

/// Returns the interfaces of all sniffers that are plugged in: name for Wireshark, name for people, device.
pub fn plugged() -> Vec<(String, String, Device)> {
    let sniffers = list().into_iter().filter(|listed| listed.is_sniffer);
    sniffers
        .map(|listed| {
            let device = listed.device.to_string();
            let place = device.rsplit(['/', ':']).next().unwrap_or_default();
            (format!("{ANY}-{place}"), format!("RTOscope sniffer {} ({device})", listed.name), listed.device)
        })
        .collect()
}

/// Returns the lines of settings that Wireshark asks for before it starts interface `name`.
pub fn settings(name: &str) -> Vec<String> {
    let mut lines = vec![
        "arg {number=0}{call=--channel}{display=Channel}{type=selector}{default=11}{tooltip=IEEE 802.15.4, 2.4 GHz}"
            .to_owned(),
    ];
    lines.extend(channels().map(|channel| {
        let default = channel == *CHANNELS.start();
        format!("value {{arg=0}}{{value={channel}}}{{display={channel}}}{{default={default}}}")
    }));
    if name == ANY {
        lines.push(
            "arg {number=1}{call=--device}{display=Device}{type=string}{required=true}\
             {tooltip=A serial line (/dev/ttyACM0, sensniff:/dev/ttyUSB0), cc2531, or zep:ADDRESS:PORT}"
                .to_owned(),
        );
    }
    lines
}

/// Returns the lines that declare the controls of Wireshark's toolbar.
pub fn controls() -> Vec<String> {
    let mut lines = vec![format!(
        "control {{number={CHANNEL}}}{{type=selector}}{{display=Channel}}{{tooltip=Where the sniffer listens}}"
    )];
    lines.extend(channels().map(|channel| {
        let default = channel == *CHANNELS.start();
        format!("value {{control={CHANNEL}}}{{value={channel}}}{{display={channel}}}{{default={default}}}")
    }));
    lines
}

fn channels() -> impl Iterator<Item = u8> {
    CHANNELS
}

/// Captures from the device of interface `name` into Wireshark's pipe, until Wireshark closes it. Fails where an option
/// is missing, the device is a pipe, cannot be opened, or goes away ([`Unplugged`] once frames came), and where
/// Wireshark's pipe cannot be written.
pub fn capture(args: &ExtcapArgs, name: &str) -> anyhow::Result<()> {
    let out = args
        .fifo
        .as_ref()
        .and_then(OutFile::path)
        .map(Path::to_owned)
        .ok_or_else(|| Misuse("--capture needs --fifo".to_owned()))?;
    let device = match plugged().into_iter().find(|plugged| plugged.0 == name) {
        Some((.., device)) => device,
        None => args.device.clone().ok_or_else(|| Misuse("--capture needs --device".to_owned()))?,
    };
    if matches!(device, Device::Pipe(_)) {
        // Its packets may have any link type, and Wireshark has been told one.
        let remedy = "Wireshark reads pipes itself: Capture > Options > Manage Interfaces > Pipes";
        return Err(Misuse(format!("`{device}` is a pipe, no sniffer; {remedy}")).into());
    }
    let asked = stop::asked()?;
    let (sender, changes) = mpsc::channel();
    if let Some(path) = args.extcap_control_in.clone() {
        control::listen(path, sender.clone());
    }
    let mut toolbar = args.extcap_control_out.as_ref().and_then(|out| Toolbar::open(out.path()?).ok());
    if let Some(toolbar) = &mut toolbar {
        // A toolbar that is gone is no reason to stop.
        let _ = toolbar.set(CHANNEL, &args.channel.to_string());
    }
    let plans = vec![DevicePlan { device, channel: args.channel }];
    let options = Options { plans, out, existing: Existing::Replaced, waits: false, duration: None, frames: None };
    let mut dropped = 0;
    let report = record(&options, |capture| {
        if asked.load(Ordering::Relaxed) {
            capture.stop();
        }
        for (control, value) in changes.try_iter() {
            let channel = String::from_utf8_lossy(&value).trim().parse();
            if let (CHANNEL, Ok(channel)) = (control, channel)
                && CHANNELS.contains(&channel)
            {
                capture.set_channel(0, channel);
            }
        }
        let tally = capture.state().tally();
        let now = tally.dropped + tally.lost;
        if let Some(toolbar) = &mut toolbar
            && now > dropped
        {
            dropped = now;
            let _ = toolbar.status(&format!("{now} frames dropped or lost"));
        }
    });
    drop(sender);
    let report = report.with_context(|| options.out.display().to_string())?;
    match report.ended {
        Ended::Asked | Ended::Reader => Ok(()),
        Ended::Devices if report.state.frames > 0 => Err(Unplugged(report.to_string().replace("\n  ", "; ")).into()),
        Ended::Devices | Ended::Disk(_) => bail!("{}", report.to_string().replace("\n  ", "; ")),
    }
}
