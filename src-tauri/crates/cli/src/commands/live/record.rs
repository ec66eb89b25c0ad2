//! `capture`: frames from sniffers into a pcapng file, until it is interrupted.

use crate::args::{Misuse, OutFile, Unplugged};
use crate::numbers::{between, whole};
use crate::output;
use anyhow::{Context as _, bail};
use api::live::capture::{Condition, DevicePlan, Ended, Options};
use api::live::decode::CHANNELS;
use api::live::recording::Existing;
use api::live::{Device, State, capture, list, stop};
use api::printable;
use indicatif::ProgressBar;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// `capture`
#[derive(clap::Args, Debug)]
pub struct RecordArgs {
    /// List what can be captured from.
    #[arg(long, exclusive = true)]
    pub list: bool,
    /// A sniffer (repeatable): a serial line (/dev/ttyACM0; sensniff:/dev/ttyUSB0), cc2531 or cc2531:BUS-PORT, a stream
    /// of pcap or pcapng (-, pipe:PATH), or ZEP datagrams (zep, zep:ADDRESS:PORT; without an address, from this machine
    /// only).
    #[arg(long = "device", value_name = "D", required_unless_present = "list")]
    pub devices: Vec<Device>,
    /// Its channel, 11 to 26; once for all devices, or once for each.
    #[arg(long = "channel", value_name = "C", default_value = "11", value_parser = between::<u8>(11, 26))]
    pub channels: Vec<u8>,
    /// The file, pcapng.
    #[arg(long, value_name = "F", required_unless_present = "list")]
    pub out: Option<OutFile>,
    /// Write over a file that is there.
    #[arg(long)]
    pub force: bool,
    /// End after this time, in seconds or with a unit, such as 10min.
    #[arg(long, value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Duration>,
    /// End after so many frames.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1))]
    pub frames: Option<u64>,
    /// Wait for devices that are not there, or are unplugged.
    #[arg(long)]
    pub wait: bool,
    /// Do not print how it goes.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Reads a duration as [`api::read_span`] does; the error is a sentence.
fn lasting(text: &str) -> Result<Duration, String> {
    Duration::try_from_secs_f64(api::read_span(text)?.secs_f64()).map_err(|error| error.to_string())
}

/// Records into a pcapng file until `--duration` or `--frames`, Ctrl-C, or the last device is gone. Fails on a wrong
/// option, where the file exists (without `--force`) or cannot be written, and where all sniffers went away: with
/// [`Unplugged`] if frames had come.
pub fn record(args: &RecordArgs) -> anyhow::Result<()> {
    if args.list {
        return print_list();
    }
    let out = args.out.as_ref().map(|out| out.path().unwrap_or(Path::new("/dev/stdout")).to_owned());
    let out = out.ok_or_else(|| Misuse("--out says where the recording goes".to_owned()))?;
    let plans = plans(&args.devices, &args.channels)?;
    let existing = if args.force { Existing::Replaced } else { Existing::Kept };
    let RecordArgs { duration, frames, wait: waits, .. } = *args;
    let options = Options { plans, out: out.clone(), existing, waits, duration, frames };
    let asked = stop::asked()?;
    let bar = if args.quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let report = capture(&options, |capture| {
        if asked.load(Ordering::Relaxed) {
            capture.stop();
        }
        bar.set_message(printable(&progress(&capture.state())).into_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    let report = report.with_context(|| match out.exists() {
        true if !args.force => format!("{} is there already; --force writes over it", out.display()),
        _ => out.display().to_string(),
    })?;
    match report.ended {
        Ended::Asked | Ended::Reader => {}
        // The end of a stream is what it was listened to for; a sniffer has none.
        Ended::Devices if report.state.frames > 0 && !options.plans.iter().any(|plan| plan.device.has_channel()) => {}
        Ended::Devices if report.state.frames > 0 => {
            return Err(Unplugged(report.to_string().replace("\n  ", "; ")).into());
        }
        Ended::Devices | Ended::Disk(_) => bail!("{}", report.to_string().replace("\n  ", "; ")),
    }
    if !args.quiet {
        output::say_lines(&report.to_string());
    }
    Ok(())
}

/// Pairs each device with its channel: the only one for all, or one each in order. Fails for any other number of
/// channels.
pub fn plans(devices: &[Device], channels: &[u8]) -> Result<Vec<DevicePlan>, Misuse> {
    let channel = |at: usize| match channels {
        [channel] => Ok(*channel),
        _ if channels.len() == devices.len() => Ok(channels.get(at).copied().unwrap_or(*CHANNELS.start())),
        _ => Err(Misuse(format!("{} devices need one channel, or as many", devices.len()))),
    };
    let plan = |(at, device): (usize, &Device)| Ok(DevicePlan { device: device.clone(), channel: channel(at)? });
    devices.iter().enumerate().map(plan).collect()
}

/// Returns the line of progress: frames, frames a second, frames dropped and damaged, and devices that are gone with
/// the reason.
fn progress(state: &State) -> String {
    let tally = state.tally();
    let rate: u64 = state.devices.iter().map(|device| device.rate).sum();
    let mut line = format!("{} frames, {rate} a second, {} dropped", state.frames, tally.dropped + tally.lost);
    if tally.damaged > 0 {
        line.push_str(&format!(", {} damaged", tally.damaged));
    }
    for device in &state.devices {
        if let Condition::Gone(why) | Condition::Ended(why) = &device.condition {
            line.push_str(&format!("; {}: {why}", device.device));
        }
    }
    line
}

fn print_list() -> anyhow::Result<()> {
    let found = list();
    let mut text = String::new();
    for listed in &found {
        let kind = if listed.is_sniffer { "" } else { " (a serial line; perhaps a sniffer)" };
        // A device says its own name; a tab is ours.
        let _ = writeln!(text, "{}\t{}{kind}", listed.device, printable(&listed.name));
    }
    text.push_str(
        "zep\tZEP datagrams to UDP port 17754 of this machine\n\
         -\ta stream of pcap or pcapng on the standard input; pipe:PATH from a named pipe\n",
    );
    output::octets(None, |sink| Ok(sink.write_all(text.as_bytes())?))?;
    if !found.iter().any(|listed| listed.is_sniffer) {
        output::say("No sniffer is plugged in, or none that may be opened by you.");
    }
    Ok(())
}
