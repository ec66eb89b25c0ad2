//! Options that several commands share.

use crate::numbers::whole;
use api::view::{ChannelKind, FcsKind, VantageKind, WorkloadKind};
use clap::ValueEnum;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// File format of results that are tables; [`OutputArgs`] has it as `--format`. Repeats [`api::Format`] because the
/// crate `table` must not know clap, and without LaTeX, which only papers ask for (`study show`, `figure`).
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
    /// A Markdown table.
    Markdown,
}

impl From<Format> for api::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Table => Self::Table,
            Format::Csv => Self::Csv,
            Format::Json => Self::Json,
            Format::Parquet => Self::Parquet,
            Format::Markdown => Self::Markdown,
        }
    }
}

/// Form and place of the output.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputArgs {
    /// Form of the output.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Place of a result: a file, or standard output as `-`. Every option that names one has this type, from which
/// [`crate::inputs::check`] knows what a command writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutFile(PathBuf);

impl OutFile {
    /// Returns the path of the file; `None` is standard output.
    pub fn path(&self) -> Option<&Path> {
        Some(self.0.as_path()).filter(|path| path.as_os_str() != "-")
    }
}

impl From<OsString> for OutFile {
    fn from(name: OsString) -> Self {
        Self(name.into())
    }
}

/// The older spelling of `--format json`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct JsonArgs {
    /// Same as --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    pub json: bool,
}

impl OutputArgs {
    /// Returns the format to write: JSON where the hidden `--json` was given, otherwise that of `--format`.
    pub fn form(&self, json: JsonArgs) -> Format {
        if json.json { Format::Json } else { self.format }
    }
}

/// Captures and the options for reading them.
#[derive(clap::Args, Clone, Debug)]
pub struct CaptureArgs {
    /// Cooja radio log, pcap, pcapng and others; gzip and zstd are undone. `-`: standard input.
    #[arg(value_name = "F", required = true)]
    pub files: Vec<PathBuf>,
    /// Join several captures of one network on a common clock, found from frames that more than one of them heard.
    #[arg(long)]
    pub merge: bool,
    /// UDP port on which CoAP is spoken (repeatable).
    #[arg(long = "port", value_name = "PORT", default_values_t = [5683], value_parser = whole::<u16>(1))]
    pub ports: Vec<u16>,
    /// Number of the retransmission-count option.
    #[arg(long, value_name = "NUMBER", default_value_t = 65_020, value_parser = whole::<u16>(0))]
    pub rc_option: u16,
    /// 6LoWPAN context, as NUMBER=PREFIX/LENGTH (repeatable); otherwise learned from the routers.
    #[arg(long = "context", value_name = "N=PREFIX/LEN")]
    pub contexts: Vec<String>,
    /// Last two octets of frames of link type 195.
    #[arg(long, value_enum, default_value = "auto")]
    pub fcs: FcsKind,
    /// Key of 802.15.4 security, 32 hexadecimal digits, for all frames or those with a key index (repeatable). Other
    /// users of this machine may see it in the list of processes: see --key-file.
    #[arg(long = "key", value_name = "HEX[:INDEX]")]
    pub keys: Vec<Secret>,
    /// File with such keys, one on a line; blank lines and what follows # are skipped.
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Extended address of the node with a short one, which its key needs (repeatable); otherwise learned.
    #[arg(long = "address", value_name = "0x1234=00:12:…")]
    pub addresses: Vec<String>,
    /// Greatest factor by which a packed file may grow.
    #[arg(long, value_name = "TIMES", value_parser = whole::<u32>(1))]
    pub unpack_ratio: Option<u32>,
    /// Vantage: the place where the capture was taken, for all clients or for one (repeatable); otherwise estimated.
    #[arg(long = "assume-vantage", value_name = "[CLIENT=]client|server|between|everywhere")]
    pub vantages: Vec<Assumption<VantageKind>>,
    /// Workload, for all clients or for one (repeatable); otherwise detected from the requests.
    #[arg(long = "assume-workload", value_name = "[CLIENT=]auto|arrivals|think-time")]
    pub workloads: Vec<Assumption<WorkloadKind>>,
    /// Network stack of the nodes, of which the network twin takes what no capture shows (`trust` names the one in
    /// use); otherwise recognised.
    #[arg(long, value_name = "NAME")]
    pub stack: Option<String>,
    /// Do not print notes on standard error.
    #[arg(long, short)]
    pub quiet: bool,
}

impl CaptureArgs {
    /// Returns `words`, or the empty text under `--quiet`.
    pub fn unless_quiet<'a>(&self, words: &'a str) -> &'a str {
        if self.quiet { "" } else { words }
    }

    /// Whether one of the captures is `-`, standard input.
    pub fn is_standard_input(&self) -> bool {
        self.files.iter().any(|file| file.as_os_str() == "-")
    }
}

/// Key as given on the command line, `HEX[:INDEX]`. Its `Debug` prints no part of it, so that no error can show it.
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

/// Form of output that is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TextFormat {
    /// Indented lines.
    Text,
    /// All there is to know.
    Json,
}

/// Chance in a replay: channel, workload, seed.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct ChanceArgs {
    /// Channel: the model that gives copies that were never sent their fate; recorded: no model, results are bounds.
    #[arg(long, value_enum, default_value = "auto")]
    pub channel: ChannelKind,
    /// Workload model: the time at which the application would have sent.
    #[arg(long, value_enum, default_value = "auto")]
    pub workload: WorkloadKind,
    /// Seed of every draw: another seed is another realisation.
    #[arg(long, default_value_t = 1, value_parser = whole::<u32>(0))]
    pub seed: u32,
}

/// The model that algorithms are replayed in.
#[derive(clap::Args, Debug)]
pub struct ModelArgs {
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE")]
    pub presets: Vec<PathBuf>,
    #[command(flatten)]
    pub chance: ChanceArgs,
    /// Replicates of the modelled channel.
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(1))]
    pub replicates: u32,
}

/// Error of usage, in one sentence for the user: no capture would make this command line right. Exit code 2.
#[derive(Debug)]
pub struct Misuse(pub String);

impl std::fmt::Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// End of another program that did the work of a command and has said why it failed, with its exit code.
#[derive(Debug)]
pub struct Ended(pub u8);

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ended with exit code {}", self.0)
    }
}

impl std::error::Error for Ended {}

/// End of a recording because a sniffer was unplugged, with the report of the recording. Exit code 3; frames heard
/// until then are in the file.
#[derive(Debug)]
pub struct Unplugged(pub String);

impl std::fmt::Display for Unplugged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a sniffer is gone; what it heard until then is in the file: {}", self.0)
    }
}

impl std::error::Error for Unplugged {}

/// `[CLIENT=]VALUE`: an assumption about one client, or about all.
#[derive(Clone, Debug)]
pub struct Assumption<T> {
    /// Name, address or number of the client, as [`crate::clients::Clients::find`] takes it; `None` is all clients.
    pub client: Option<String>,
    /// The assumed vantage or workload.
    pub value: T,
}

impl<T: ValueEnum> FromStr for Assumption<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // An IPv6 address may have any colon, but no equals sign.
        let (client, value) = match text.split_once('=') {
            Some((client, value)) => (Some(client.to_owned()), value),
            None => (None, text),
        };
        let values = || {
            let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            names.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let value = T::from_str(value, false).map_err(|_| format!("`{value}` is none of {}", values()))?;
        Ok(Self { client, value })
    }
}
