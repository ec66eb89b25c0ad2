//! What the command line takes.

use crate::assume::{PaceArg, Said, VantageArg};
use crate::calibrate::CalibrateArgs;
use crate::export::ExportArgs;
use crate::extcap::ExtcapArgs;
use crate::figure::FigureArgs;
use crate::identify::IdentifyArgs;
use crate::network::NetworkArgs;
use crate::optimise::OptimiseArgs;
use crate::part::PartArgs;
use crate::policy::PolicyArgs;
use crate::record::RecordArgs;
use crate::report::ReportArgs;
use crate::weather::WeatherArgs;
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// What would have happened with another retransmission timer?
#[derive(Parser, Debug)]
#[command(name = "rtoscope", version, about)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// What a capture holds, and what was skipped and why.
    Info(InfoArgs),
    /// CoAP messages, each transmission once.
    Messages(MessagesArgs),
    /// Frames, one line each; filtered.
    Frames(FramesArgs),
    /// Confirmable exchanges.
    Exchanges(ExchangesArgs),
    /// One exchange hop by hop: every frame of every copy and reply, and where they died.
    Ladder(LadderArgs),
    /// Frames in all their layers: every field with its octets.
    Dissect(DissectArgs),
    /// Nodes, links and RPL parents: load, loss, delay.
    Network(NetworkArgs),
    /// What filter expressions may ask of frames and messages.
    Fields(FieldsArgs),
    /// The retransmission timers that can be replayed, and the proposals that cannot.
    Algorithms(AlgorithmsArgs),
    /// Drive estimators through scripted events, without a capture.
    Drive(DriveArgs),
    /// Replay a capture under other retransmission timers.
    Replay(ReplayArgs),
    /// Good and bad spells of losses, path by path, and how far a two-state model can be believed.
    Weather(WeatherArgs),
    /// Which retransmission timer was running, and the timeouts it used.
    Identify(IdentifyArgs),
    /// Score predictions against real runs of the same worlds under several timers.
    Calibrate(CalibrateArgs),
    /// Find an algorithm's parameters on a capture, and check them on another.
    Optimise(OptimiseArgs),
    /// Packets as pcapng: recorded ones, or those that another timer would have sent.
    Export(ExportArgs),
    /// The numbers of a figure of the studies, from several captures and replays.
    Figure(FigureArgs),
    /// Which figures there are, with their switches.
    Figures,
    /// A report of a session: one HTML file with every number, its picture and how to make it again.
    Report(ReportArgs),
    /// Record what sniffers hear, live.
    Capture(RecordArgs),
    /// What Wireshark calls to capture from RTOscope (`npm run wireshark:install -- --extcap`).
    Extcap(ExtcapArgs),
    /// Record the replies that the page's tests run on.
    #[command(hide = true)]
    Fixtures(FixturesArgs),
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Aligned columns.
    Table,
    /// RFC 4180.
    Csv,
    /// An array of objects, or one object.
    Json,
    /// Apache Parquet (needs --out, or a pipe).
    Parquet,
}

/// Where and how results go.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputArgs {
    /// Form of the output.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A capture and how to read it.
#[derive(clap::Args, Clone, Debug)]
pub struct CaptureArgs {
    /// Cooja radio log, pcap, pcapng and others; gzip and zstd are undone. `-`: standard input.
    #[arg(value_name = "F", required = true)]
    pub files: Vec<PathBuf>,
    /// Join several captures of one network on a common clock, found from frames that more than one of them heard.
    #[arg(long)]
    pub merge: bool,
    /// UDP port on which CoAP is spoken (repeatable).
    #[arg(long = "port", value_name = "PORT", default_values_t = [5683])]
    pub ports: Vec<u16>,
    /// Number of the retransmission-count option.
    #[arg(long, value_name = "NUMBER", default_value_t = 65_020)]
    pub rc_option: u16,
    /// 6LoWPAN context, as NUMBER=PREFIX/LENGTH (repeatable); otherwise learned from the routers.
    #[arg(long = "context", value_name = "N=PREFIX/LEN")]
    pub contexts: Vec<String>,
    /// What the last two octets of link type 195 frames are.
    #[arg(long, value_enum, default_value = "auto")]
    pub fcs: FcsArg,
    /// Key of 802.15.4 security, 32 hexadecimal digits, for all frames or those with a key index (repeatable). Other users
    /// of this machine may see it in the list of processes: see --key-file.
    #[arg(long = "key", value_name = "HEX[:INDEX]")]
    pub keys: Vec<Secret>,
    /// File with such keys, one on a line; blank lines and what follows # are skipped.
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Extended address of the node with a short one, which its key needs (repeatable); otherwise learned.
    #[arg(long = "address", value_name = "0x1234=00:12:…")]
    pub addresses: Vec<String>,
    /// A packed file may unpack to so many times its size.
    #[arg(long, value_name = "TIMES")]
    pub unpack_ratio: Option<u32>,
    /// Where the capture was taken, for all clients or for one (repeatable); otherwise estimated.
    #[arg(long = "assume-vantage", value_name = "[CLIENT=]client|server|between|everywhere")]
    pub vantages: Vec<Said<VantageArg>>,
    /// How applications send, for all clients or for one (repeatable); otherwise told from their requests.
    #[arg(long = "assume-workload", value_name = "[CLIENT=]arrivals|think-time")]
    pub paces: Vec<Said<PaceArg>>,
    /// Do not print notes on standard error.
    #[arg(long, short)]
    pub quiet: bool,
}

impl CaptureArgs {
    /// Whether the capture comes through a pipe.
    pub fn is_standard_input(&self) -> bool {
        self.files.iter().any(|file| file.as_os_str() == "-")
    }
}

/// A text that is not printed, not even in an error about it.
#[derive(Clone)]
pub struct Secret(pub String);

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// See [`api::FcsChoice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FcsArg {
    /// Detected from the file.
    Auto,
    /// Nothing: they belong to the frame.
    None,
    /// The ITU-T CRC-16 of IEEE 802.15.4.
    Crc16,
    /// RSSI and correlation as TI CC24xx write them.
    Ti,
}

/// `info`
#[derive(clap::Args, Debug)]
pub struct InfoArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `messages`
#[derive(clap::Args, Debug)]
pub struct MessagesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what passes this filter, such as `coap.code == PUT && retransmission`; see `fields`.
    #[arg(long, value_name = "EXPR")]
    pub filter: Option<String>,
    /// Every frame that completes a message: each hop, each link-layer retry.
    #[arg(long, conflicts_with = "hops")]
    pub sightings: bool,
    /// One row per hop of each message, with the frames that carried it.
    #[arg(long)]
    pub hops: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `frames`
#[derive(clap::Args, Debug)]
pub struct FramesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what passes this filter, such as `coap.type == CON && ipv6.src == fd00::/64`.
    #[arg(long, value_name = "EXPR")]
    pub filter: Option<String>,
    /// At most this many rows.
    #[arg(long, value_name = "ROWS")]
    pub limit: Option<usize>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `dissect`
#[derive(clap::Args, Debug)]
pub struct DissectArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Frames by number, from 1, separated by commas.
    #[arg(long = "frame", value_name = "N,...", value_delimiter = ',', required_unless_present = "message")]
    pub frames: Vec<u32>,
    /// A message on all its hops, by its number in `messages --hops`.
    #[arg(long, value_name = "N", conflicts_with = "frames")]
    pub message: Option<u32>,
    /// Print the octets too.
    #[arg(long)]
    pub hex: bool,
    /// Say of every field which section of which standard defines it; JSON always says so.
    #[arg(long)]
    pub sources: bool,
    /// Form of the output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: DissectFormat,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How to print what is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DissectFormat {
    /// Indented lines.
    Text,
    /// All there is to know.
    Json,
}

/// `fields`
#[derive(clap::Args, Debug)]
pub struct FieldsArgs {
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `exchanges`
#[derive(clap::Args, Debug)]
pub struct ExchangesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what belongs together with this exchange, by its id: blocks of its transfer, its observation, the other side of a
    /// proxy or NAT, requests of the same event.
    #[arg(long, value_name = "ID", conflicts_with = "copies")]
    pub related: Option<u32>,
    /// One row per copy instead of one per exchange.
    #[arg(long)]
    pub copies: bool,
    /// One row per hop of each copy and of each reply: frames, retries, waiting, and where it ended.
    #[arg(long, requires = "copies")]
    pub hops: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `ladder`
#[derive(clap::Args, Debug)]
pub struct LadderArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Which exchange, by its id in `exchanges`.
    #[arg(long, value_name = "ID")]
    pub exchange: u32,
    /// Form of the output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: DissectFormat,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `algorithms`
#[derive(clap::Args, Debug)]
pub struct AlgorithmsArgs {
    /// Show these in full: ids of algorithms, or names from the catalogue; without, a list of all.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Only the proposals without a faithful implementation: what is known of them, what is missing.
    #[arg(long)]
    pub catalogue: bool,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Form of the output; JSON has all there is to know.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Shape,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How to print algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Shape {
    /// Aligned columns; with ids, everything about each.
    Table,
    /// A table, or with ids a section each.
    Markdown,
    /// An array of objects.
    Json,
    /// RFC 4180.
    Csv,
}

/// `drive`
#[derive(clap::Args, Debug)]
pub struct DriveArgs {
    /// Scripts: `{"vectors": [{"id", "preset", "unit", "steps": [{"op", "t", "u", …}]}]}`.
    #[arg(value_name = "EVENTS.json")]
    pub events: PathBuf,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Form of the output: by default the scripts with their outputs filled in; else a row for every step.
    #[arg(long, value_enum, default_value = "json")]
    pub format: Format,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `replay`
#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Algorithm with overrides, such as `cocoa_plus:k_weak=1,alpha=1/4` (repeatable); without, the six of a first
    /// comparison and the presets of --presets.
    #[arg(long = "algorithm", value_name = "NAME[:key=value,...]")]
    pub algorithms: Vec<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub part: PartArgs,
    /// What the answer depends on: the same with other channels, longer and shorter weather, other workloads, and without
    /// each client; and how likely each algorithm is to be the best. As text, or all of it with --format json.
    #[arg(long)]
    pub sensitivity: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// In which world algorithms are replayed.
#[derive(clap::Args, Debug)]
pub struct ModelArgs {
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    /// Where copies that were never sent get their fate from.
    #[arg(long, value_enum, default_value = "empirical")]
    pub channel: ChannelArg,
    /// When the application sends.
    #[arg(long, value_enum, default_value = "auto")]
    pub workload: WorkloadArg,
    /// Seed of every draw.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Replicates of the modelled channel.
    #[arg(long, default_value_t = 200)]
    pub replicates: u32,
}

/// See [`api::view::ChannelKind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ChannelArg {
    /// No model: bounds only.
    Recorded,
    /// Borrowed from recorded copies near in time.
    Empirical,
    /// Good and bad spells, fitted to each path.
    GilbertElliott,
    /// Empirical, moved by the load that all clients put on the medium; refused where the capture does not show how.
    Loaded,
    /// Good and bad spells, moved likewise.
    LoadedGilbertElliott,
    /// Empirical behind a bottleneck that serves all clients' messages one after the other; refused where the capture does not
    /// show how it works.
    Queued,
}

/// See [`api::view::WorkloadKind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WorkloadArg {
    /// As detected per client.
    Auto,
    /// Ready times do not depend on earlier exchanges.
    Arrivals,
    /// The next request follows the end of the previous one.
    ThinkTime,
}

/// `fixtures`
#[derive(clap::Args, Debug)]
pub struct FixturesArgs {
    /// Folder to fill; what is in it is replaced.
    pub folder: PathBuf,
}

/// The request cannot be right, whatever the capture holds.
#[derive(Debug)]
pub struct Misuse(pub String);

impl std::fmt::Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}
