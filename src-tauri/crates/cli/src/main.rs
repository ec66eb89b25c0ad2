//! `rtoscope`: captures, exchanges and counterfactual replay without a window.

mod algorithms;
mod args;
mod assume;
mod calibrate;
mod capture;
mod clients;
mod dissect;
mod drive;
mod export;
mod extcap;
mod figure;
mod fixtures;
mod identify;
mod ladder;
mod network;
mod optimise;
mod output;
mod packets;
mod part;
mod policy;
mod progress;
mod record;
mod replay;
mod report;
mod sensitivity;
mod weather;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// Exit codes: 0 it worked, 1 it did not, 2 it was asked the wrong way (as clap does).
const FAILED: u8 = 1;
const USAGE: u8 = 2;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if is_closed_pipe(&error) {
                return ExitCode::SUCCESS;
            }
            eprintln!("rtoscope: {error:#}");
            let told = error.downcast_ref::<api::Error>();
            if let Some(detail) = told.and_then(|e| e.detail.as_ref()) {
                eprintln!("{detail}");
            }
            let usage =
                told.is_some_and(|e| e.code == api::Code::Request) || error.downcast_ref::<args::Misuse>().is_some();
            ExitCode::from(if usage { USAGE } else { FAILED })
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Info(info) => capture::info(info),
        Command::Messages(messages) => packets::messages(messages),
        Command::Frames(frames) => packets::frames(frames),
        Command::Network(network) => network::network(network),
        Command::Dissect(dissect) => dissect::dissect(dissect),
        Command::Fields(fields) => packets::fields(fields),
        Command::Exchanges(exchanges) => capture::exchanges(exchanges),
        Command::Ladder(args) => ladder::ladder(args),
        Command::Algorithms(algorithms) => algorithms::list(algorithms),
        Command::Drive(drive) => drive::drive(drive),
        Command::Replay(replay) => replay::replay(replay),
        Command::Weather(args) => weather::weather(args),
        Command::Identify(identify) => identify::identify(identify),
        Command::Calibrate(args) => calibrate::calibrate(args),
        Command::Optimise(optimise) => optimise::optimise(optimise),
        Command::Export(export) => export::export(export),
        Command::Figure(figure) => figure::figure(figure),
        Command::Figures => figure::list(),
        Command::Report(report) => report::report(report),
        Command::Capture(record) => record::record(record),
        Command::Extcap(extcap) => extcap::extcap(extcap),
        Command::Fixtures(fixtures) => fixtures::record(&fixtures.folder),
    }
}

/// `rtoscope … | head` is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |io: &std::io::Error| io.kind() == std::io::ErrorKind::BrokenPipe;
    let exporting = matches!(error.downcast_ref(), Some(api::ExportError::Io(io)) if closed(io));
    exporting || error.chain().filter_map(|cause| cause.downcast_ref()).any(closed)
}
