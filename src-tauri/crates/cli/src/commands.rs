//! The commands, each with its options in a file of its own.

mod live;
mod recorded;
mod replayed;
mod shell;
mod timers;
mod written;

use clap::Subcommand;
use live::{extcap, record, watch};
use recorded::{dissect, exchanges, info, ladder, network, packets};
use replayed::{calibrate, channel_states, check_again, identify, optimise, replay, study, trust};
use timers::{algorithms, apply, drive};
use written::{export, figure, report};

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Summary of a capture: clients, servers, how it was read, what was skipped and why.
    Info(info::InfoArgs),
    /// CoAP messages, each transmission once.
    Messages(packets::MessagesArgs),
    /// Frames, one line each; filtered.
    Frames(packets::FramesArgs),
    /// Confirmable exchanges.
    Exchanges(exchanges::ExchangesArgs),
    /// One exchange hop by hop: every frame of every copy and reply, and where they died.
    Ladder(ladder::LadderArgs),
    /// Frames in all their layers: every field with its octets.
    Dissect(dissect::DissectArgs),
    /// Nodes, links and RPL parents: load, loss, delay.
    Network(network::NetworkArgs),
    /// Fields of filter expressions.
    Fields(packets::FieldsArgs),
    /// The retransmission timers that can be replayed, and the proposals that cannot.
    Algorithms(algorithms::AlgorithmsArgs),
    /// The lines that make a CoAP stack run a timer, or the stacks that there are.
    Apply(apply::ApplyArgs),
    /// Drive estimators through scripted events, without a capture.
    Drive(drive::DriveArgs),
    /// Replay a capture under other retransmission timers.
    Replay(replay::ReplayArgs),
    /// Hold a prediction that was made before a timer was changed against a capture that was taken after it.
    CheckAgain(check_again::CheckAgainArgs),
    /// Good and bad channel states of every path, and how far the two-state model can be believed.
    // The old name, kept for scripts.
    #[command(alias = "weather")]
    ChannelStates(channel_states::ChannelStatesArgs),
    /// Hold the network twin against its own capture, and say which channel `auto` is.
    Trust(trust::TrustArgs),
    /// Name the retransmission timer that was running, and the timeouts it used.
    Identify(identify::IdentifyArgs),
    /// Score predictions against real runs of the same worlds under several timers.
    Calibrate(calibrate::CalibrateArgs),
    /// Many captures under many timers, as one dataset that a stopped run goes on with.
    Study(study::StudyArgs),
    /// Find an algorithm's parameters on a capture, and check them on another.
    Optimise(optimise::OptimiseArgs),
    /// Packets as pcapng: recorded ones, or those that another timer would have sent.
    Export(export::ExportArgs),
    /// The numbers of a figure of the studies, from several captures and replays.
    Figure(figure::FigureArgs),
    /// List the figures, with their switches.
    Figures(figure::FiguresArgs),
    /// A report of a session: one HTML file with every number, its picture and how to make it again.
    Report(report::ReportArgs),
    /// Record what sniffers hear, live.
    Capture(record::RecordArgs),
    /// Watch a capture that goes on, and say when it is not as it should be.
    Watch(watch::WatchArgs),
    /// A script that completes command lines in a shell, such as `rtoscope completions bash`.
    Completions(shell::CompletionsArgs),
    /// The manual page, such as `rtoscope man | man -l -`.
    Man(shell::ManArgs),
    /// Interface for Wireshark's extcap, to capture from RTOscope (`npm run wireshark:install -- --extcap`).
    Extcap(extcap::ExtcapArgs),
}

impl Command {
    /// Carries out the command. `line` is clap's declaration of the whole program, which `completions` and `man` print.
    ///
    /// # Errors
    /// As the command says; [`crate::args::Misuse`] and [`api::Code::Request`] are errors of usage.
    pub fn run(&self, line: &clap::Command) -> anyhow::Result<()> {
        match self {
            Self::Info(args) => info::info(args),
            Self::Messages(args) => packets::messages(args),
            Self::Frames(args) => packets::frames(args),
            Self::Exchanges(args) => exchanges::exchanges(args),
            Self::Ladder(args) => ladder::ladder(args),
            Self::Dissect(args) => dissect::dissect(args),
            Self::Network(args) => network::network(args),
            Self::Fields(args) => packets::fields(args),
            Self::Algorithms(args) => algorithms::list(args),
            Self::Apply(args) => apply::apply(args),
            Self::Drive(args) => drive::drive(args),
            Self::Replay(args) => replay::replay(args),
            Self::CheckAgain(args) => check_again::check_again(args),
            Self::ChannelStates(args) => channel_states::channel_states(args),
            Self::Trust(args) => trust::trust(args),
            Self::Identify(args) => identify::identify(args),
            Self::Calibrate(args) => calibrate::calibrate(args),
            Self::Study(args) => study::study(args),
            Self::Optimise(args) => optimise::optimise(args),
            Self::Export(args) => export::export(args),
            Self::Figure(args) => figure::figure(args),
            Self::Figures(args) => figure::list(args),
            Self::Report(args) => report::report(args),
            Self::Capture(args) => record::record(args),
            Self::Watch(args) => watch::watch(args),
            Self::Completions(args) => shell::completions(args, line),
            Self::Man(args) => shell::man(args, line),
            Self::Extcap(args) => extcap::extcap(args),
        }
    }
}
