//! `extcap`: what Wireshark calls to list interfaces and to capture from them (its manual, "extcap").
//!
//! Wireshark starts the program once for each question: which interfaces there are, which link types and settings one
//! has, and at last to capture from it into a pipe. [`interfaces`] is the list of what can be captured from.

mod control;
mod pace;
mod replay;
mod sniffer;

use crate::args::{Misuse, OutFile};
use crate::numbers::between;
use crate::output;
use api::live::Device;
use clap::ArgAction;
use std::path::PathBuf;

/// `extcap`; names and meaning are Wireshark's.
#[derive(clap::Args, Debug)]
pub struct ExtcapArgs {
    /// List the interfaces.
    #[arg(long)]
    pub extcap_interfaces: bool,
    /// Wireshark's version.
    #[arg(long, value_name = "VERSION", num_args = 0..=1)]
    pub extcap_version: Option<Option<String>>,
    /// The interface that is meant.
    #[arg(long, value_name = "INTERFACE")]
    pub extcap_interface: Option<String>,
    /// List its link types.
    #[arg(long)]
    pub extcap_dlts: bool,
    /// List its settings.
    #[arg(long)]
    pub extcap_config: bool,
    /// Capture from it.
    #[arg(long)]
    pub capture: bool,
    /// Pipe that frames are written to.
    #[arg(long, value_name = "PIPE")]
    pub fifo: Option<OutFile>,
    /// A capture filter: to be verified without --capture, else to be used.
    #[arg(long, value_name = "FILTER")]
    pub extcap_capture_filter: Option<String>,
    /// Pipe of messages from the toolbar.
    #[arg(long, value_name = "PIPE")]
    pub extcap_control_in: Option<PathBuf>,
    /// Pipe of messages to the toolbar.
    #[arg(long, value_name = "PIPE")]
    pub extcap_control_out: Option<OutFile>,
    /// The capture to replay.
    #[arg(long, value_name = "F")]
    pub file: Option<PathBuf>,
    /// Speed as a multiple of the recorded one: 0.1 to 1000, or max.
    #[arg(long, value_name = "TIMES", default_value = "1", value_parser = pace::Speed::parse)]
    pub speed: pace::Speed,
    /// Begin again when it ends.
    #[arg(long = "loop", action = ArgAction::SetTrue)]
    pub again: bool,
    /// The sniffer to listen to, as `rtoscope capture` takes it.
    #[arg(long, value_name = "D")]
    pub device: Option<Device>,
    /// Its channel.
    #[arg(long, value_name = "C", default_value = "11", value_parser = between::<u8>(11, 26))]
    pub channel: u8,
}

/// Link type as Wireshark lists it: DLT number, DLT name, name for people.
type Link = (u16, &'static str, &'static str);

/// Link type that every interface delivers: IEEE 802.15.4 TAP, LINKTYPE 283.
const TAP: Link = (283, "IEEE802_15_4_TAP", "IEEE 802.15.4 TAP");

/// Interface in Wireshark's list.
struct Interface {
    /// Name by which Wireshark calls it (`--extcap-interface`).
    value: String,
    /// Name in Wireshark's window.
    display: String,
    /// Link types that its packets may have.
    links: &'static [Link],
    /// Returns the `arg` and `value` lines of its settings; the argument is [`Interface::value`].
    settings: fn(&str) -> Vec<String>,
    /// Captures into the pipe of `--fifo`; the second argument is [`Interface::value`].
    capture: fn(&ExtcapArgs, &str) -> anyhow::Result<()>,
}

/// Returns all interfaces: the replay, the sniffer that takes any device by name, and one for each sniffer that is
/// plugged in.
fn interfaces() -> Vec<Interface> {
    let sniffer = |value: String, display: String| Interface {
        value,
        display,
        links: &[TAP],
        settings: sniffer::settings,
        capture: sniffer::capture,
    };
    let mut interfaces = vec![
        Interface {
            value: "rtoscope-replay".to_owned(),
            display: "RTOscope replay".to_owned(),
            links: &[TAP],
            settings: replay::settings,
            capture: replay::capture,
        },
        sniffer(sniffer::ANY.to_owned(), "RTOscope sniffer".to_owned()),
    ];
    interfaces.extend(sniffer::plugged().into_iter().map(|(value, display, _)| sniffer(value, display)));
    interfaces
}

/// Answers one call of Wireshark on standard output, or captures. Fails on an unknown interface, a capture filter, or a
/// missing option.
pub fn extcap(args: &ExtcapArgs) -> anyhow::Result<()> {
    if args.extcap_interfaces {
        let mut lines = vec![format!("extcap {{version={}}}{{display=RTOscope}}", env!("CARGO_PKG_VERSION"))];
        let line = |of: &Interface| format!("interface {{value={}}}{{display={}}}", of.value, of.display);
        lines.extend(interfaces().iter().map(line));
        // Controls are of the program: Wireshark shows them for all its interfaces.
        lines.extend(replay::controls());
        lines.extend(sniffer::controls());
        return print(&lines);
    }
    let name = args.extcap_interface.as_deref();
    let name =
        name.ok_or_else(|| Misuse("Wireshark is to call this; --extcap-interfaces is where it begins".into()))?;
    let interface = interfaces().into_iter().find(|interface| interface.value == name);
    let interface = interface.ok_or_else(|| Misuse(format!("there is no interface `{name}`")))?;
    let is_filtered = args.extcap_capture_filter.as_deref().is_some_and(|filter| !filter.trim().is_empty());
    if args.extcap_dlts {
        let lines = interface.links.iter();
        let line =
            |(number, link, display): &Link| format!("dlt {{number={number}}}{{name={link}}}{{display={display}}}");
        print(&lines.map(line).collect::<Vec<_>>())
    } else if args.extcap_config {
        print(&(interface.settings)(name))
    } else if args.capture {
        if is_filtered {
            return Err(Misuse("this interface has no capture filters; a display filter does it".to_owned()).into());
        }
        (interface.capture)(args, name)
    } else if is_filtered {
        // The contract of extcap: any printed line is an error in the filter.
        print(&["This interface has no capture filters: use a display filter.".to_owned()])
    } else {
        Ok(())
    }
}

/// Prints lines for Wireshark, made printable, because names that devices report are in them.
fn print(lines: &[String]) -> anyhow::Result<()> {
    output::text(&lines.iter().map(|line| format!("{}\n", api::printable(line))).collect::<String>(), None)
}
