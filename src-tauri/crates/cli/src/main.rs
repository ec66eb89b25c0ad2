//! `rtoscope`: captures, exchanges and counterfactual replay without a window.

#![warn(clippy::print_stdout, clippy::print_stderr, reason = "crate::output is the one way out")]

mod args;
mod captures;
mod choices;
mod clients;
mod commands;
mod inputs;
mod numbers;
mod one_run;
mod output;
mod part;
mod policy;
mod progress;
mod rows;

use api::Span;
use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use commands::Command;
use std::any::TypeId;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "rtoscope", version = env!("RTOSCOPE_VERSION"), about = "What would have happened with another retransmission timer?")]
struct Args {
    /// The command.
    #[command(subcommand)]
    command: Command,
}

/// Exit code of a command that failed; 0 is success.
const FAILED: u8 = 1;
/// Exit code of a wrong command line, the one that clap uses.
const USAGE: u8 = 2;
/// Exit code of a recording whose sniffer was unplugged.
const UNPLUGGED: u8 = 3;

/// Returns the declaration of the command line, from which it is parsed, completed in shells and described in the
/// manual.
fn command() -> clap::Command {
    // A number below zero is a value, so that its error says what is wrong with it, and not an unknown option.
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|arg| {
            let is_option = !arg.is_positional() && arg.get_action().takes_values();
            let of_type = arg.get_value_parser().type_id();
            // Times have units behind the number, by which clap would not know one.
            let is_time = of_type == TypeId::of::<Span>() || of_type == TypeId::of::<part::Moment>();
            match is_option {
                true if is_time => arg.allow_hyphen_values(true),
                true => arg.allow_negative_numbers(true),
                false => arg,
            }
        });
        command.mut_subcommands(with_negative_numbers)
    }
    Args::command().mut_subcommands(with_negative_numbers)
}

/// Carries out a command line whose first word is the name of the program. Fails with clap's error on a wrong line,
/// also on `--help` and `--version`, with [`args::Misuse`] where an output is an input, and as the command does.
fn execute(line: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(line)?;
    inputs::check(&command, &matches)?;
    Args::from_arg_matches(&matches)?.command.run(&command)
}

fn main() -> ExitCode {
    match execute(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(asked) = error.downcast_ref::<clap::Error>() {
                let code = u8::try_from(asked.exit_code()).unwrap_or(USAGE);
                return match printed(asked) {
                    Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                        output::say(&format!("rtoscope: {error}"));
                        ExitCode::from(FAILED)
                    }
                    _ => ExitCode::from(code),
                };
            }
            if let Some(args::Ended(code)) = error.downcast_ref() {
                return ExitCode::from(*code);
            }
            if is_closed_pipe(&error) {
                return ExitCode::SUCCESS;
            }
            // On one line: a name in it may have line ends.
            output::say(&format!("rtoscope: {error:#}"));
            if let Some(detail) = error.downcast_ref::<api::Error>().and_then(|refused| refused.detail.as_ref()) {
                output::say_lines(detail);
            }
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Prints what clap says to the command line: help, version, or what is wrong with it. Fails where that cannot be
/// written.
fn printed(said: &clap::Error) -> std::io::Result<()> {
    if !said.use_stderr() {
        said.print()?;
        return std::io::stdout().flush();
    }
    // A name on the command line may have line ends, which clap would print.
    let line = std::env::args_os().map(|word| OsString::from(&*api::printable(&word.to_string_lossy())));
    command().try_get_matches_from_mut(line).as_ref().err().unwrap_or(said).print()
}

/// Exit code for `error`.
fn exit_code(error: &anyhow::Error) -> u8 {
    let is_refused = error.downcast_ref::<api::Error>().is_some_and(|refused| refused.code == api::Code::Request);
    if error.is::<args::Unplugged>() {
        UNPLUGGED
    } else if is_refused || error.is::<args::Misuse>() {
        USAGE
    } else {
        FAILED
    }
}

/// Whether writing failed because the reader of a pipe went away, as in `rtoscope … | head`. Such an end is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |io: &std::io::Error| io.kind() == std::io::ErrorKind::BrokenPipe;
    let exporting = matches!(error.downcast_ref(), Some(api::ExportError::Io(io)) if closed(io));
    exporting || error.chain().filter_map(|cause| cause.downcast_ref()).any(closed)
}

#[cfg(test)]
#[path = "../tests/inside/outputs.rs"]
mod outputs;
