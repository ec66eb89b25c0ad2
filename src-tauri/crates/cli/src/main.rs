//! `rtoscope`: captures, exchanges and counterfactual replay without a window.

mod args;
mod captures;
mod choices;
mod clients;
mod commands;
mod output;
mod part;
mod policy;
mod progress;

use clap::Parser;
use commands::Command;
use std::process::ExitCode;

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "rtoscope", version, about = "What would have happened with another retransmission timer?")]
struct Args {
    /// The command.
    #[command(subcommand)]
    command: Command,
}

/// Exit codes: 0 it worked, 1 it did not, 2 it was asked the wrong way (as clap does).
const FAILED: u8 = 1;
const USAGE: u8 = 2;

fn main() -> ExitCode {
    match Args::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if is_closed_pipe(&error) {
                return ExitCode::SUCCESS;
            }
            eprintln!("rtoscope: {error:#}");
            let refused = error.downcast_ref::<api::Error>();
            if let Some(detail) = refused.and_then(|e| e.detail.as_ref()) {
                eprintln!("{detail}");
            }
            let usage =
                refused.is_some_and(|e| e.code == api::Code::Request) || error.downcast_ref::<args::Misuse>().is_some();
            ExitCode::from(if usage { USAGE } else { FAILED })
        }
    }
}

/// `rtoscope … | head` is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |io: &std::io::Error| io.kind() == std::io::ErrorKind::BrokenPipe;
    let exporting = matches!(error.downcast_ref(), Some(api::ExportError::Io(io)) if closed(io));
    exporting || error.chain().filter_map(|cause| cause.downcast_ref()).any(closed)
}
