//! The desktop window: `rtoscope-app [CAPTURE...]`.
#![cfg_attr(windows, windows_subsystem = "windows")]

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

/// Text of `--help`.
const HELP: &str = "\
The window of RTOscope: captures, exchanges and other retransmission timers.

Usage: rtoscope-app [CAPTURE...]

A CAPTURE may be a folder: the captures below it are opened as one group.

Options:
  -h, --help     Print this
  -V, --version  Print the version

`rtoscope` does the same on the command line.
";

/// Exit codes of a failure to open the window, and of a wrong command line; 0 is success.
const FAILED: u8 = 1;
const USAGE: u8 = 2;

/// Parsed command line.
enum Asked {
    /// Text to print.
    Words(String),
    /// Paths of captures to open, in order.
    Captures(Vec<OsString>),
    /// Option that does not exist.
    Unknown(String),
}

fn asked(words: impl IntoIterator<Item = OsString>) -> Asked {
    let mut captures = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("-h" | "--help") => return Asked::Words(HELP.to_owned()),
            Some("-V" | "--version") => return Asked::Words(format!("rtoscope-app {}\n", env!("RTOSCOPE_VERSION"))),
            // The rest are captures, whatever they are called.
            Some("--") => captures.extend(words.by_ref()),
            Some(option) if option.starts_with('-') => return Asked::Unknown(option.to_owned()),
            _ => captures.push(word),
        }
    }
    Asked::Captures(captures)
}

fn main() -> ExitCode {
    match asked(std::env::args_os().skip(1)) {
        Asked::Words(words) => {
            match std::io::stdout().write_all(words.as_bytes()) {
                // A reader of a pipe that goes away has read enough.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => failed(&error.to_string()),
                _ => ExitCode::SUCCESS,
            }
        }
        Asked::Unknown(option) => {
            eprintln!("rtoscope-app: there is no option `{}`; --help lists them.", api::printable(&option));
            ExitCode::from(USAGE)
        }
        Asked::Captures(captures) => match rtoscope_app::run(captures.into_iter()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(&error.to_string()),
        },
    }
}

/// Says why nothing could be done, on one line.
fn failed(why: &str) -> ExitCode {
    eprintln!("rtoscope-app: {}", api::printable(why));
    ExitCode::from(FAILED)
}
