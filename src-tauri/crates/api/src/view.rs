//! What crosses the bridge: requests, replies and the columns of Arrow replies.
//!
//! Times are nanoseconds from the trace's epoch (`number` in TypeScript, exact below 2^53 ns);
//! durations in metrics are seconds, shares are fractions of one. TypeScript types are generated
//! from here (`npm run gen`).

use base::{AssociationId, ExchangeId, FrameId, Instant, NoteCount, Severity, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::columns::{FateKind, OutcomeKind};

/// Number of an open capture in this session.
pub type CaptureId = u32;
/// Number of a computed run in this session; runs with equal settings share a number.
pub type RunId = u32;

macro_rules! view {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(deny_unknown_fields)]
        $vis struct $name { $($body)* }
    )*};
}

macro_rules! choice {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($body:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        $vis enum $name { $($body)* }
    )*};
}

choice! {
    /// Where counterfactual copies get their fate from.
    pub enum ChannelKind {
        /// Model-free: only what was recorded; everything else stays open (bounds).
        Recorded,
        /// Borrowed from recorded copies of the same path near in time.
        Empirical,
    }
    /// When the application would have sent.
    pub enum WorkloadKind {
        /// As detected per association.
        Auto,
        /// Ready times do not depend on earlier exchanges.
        Arrivals,
        /// The next request follows the end of the previous one.
        ThinkTime,
    }
    /// What the capture could see of an association.
    pub enum VantageKind {
        /// Taken at the client.
        Client,
        /// Taken at the server.
        Server,
        /// In between.
        Between,
        /// Every hop.
        Everywhere,
    }
    /// What to step to in the transport.
    pub enum EventKind {
        /// Any copy or closing reply.
        Any,
        /// A retransmission.
        Retransmission,
        /// A retransmission that need not have been sent.
        Needless,
        /// A copy that was lost.
        Lost,
    }
}

choice! {
    /// What ends an 802.15.4 frame in a file.
    #[derive(Default)]
    pub enum FcsKind {
        /// Told from all frames of a source.
        #[default]
        Auto,
        /// Nothing.
        None,
        /// The CRC-16.
        Crc16,
        /// RSSI and correlation of a TI radio.
        Ti,
    }
    /// How a 6LoWPAN context is known.
    pub enum ContextHow {
        /// It was given.
        Given,
        /// A router advertisement says it.
        Announced,
        /// Taken to be the prefix that RPL announces.
        Rpl,
    }
}

choice! {
    /// What the rows of the packet list are.
    #[derive(Default)]
    pub enum RowKind {
        /// Every frame.
        #[default]
        Frames,
        /// Every CoAP message once.
        Messages,
    }
}

mod algorithms;

pub use algorithms::{BlindKind, OutlookRequest, OutlookView, PolicyView, PresetsRequest, PresetsView, UserPresetView};

const fn yes() -> bool {
    true
}

/// Keys on their way in: never printed, and no error repeats them.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Secrets(pub Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

impl<'de> Deserialize<'de> for Secrets {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Serde's own error would quote what it found instead.
        Vec::deserialize(deserializer).map(Self).map_err(|_| serde::de::Error::custom("keys are a list of texts"))
    }
}

view! {
    /// A capture bundled with the app.
    pub struct Sample {
        /// Opened by `{sample: id}`.
        pub id: String,
        /// Name for people.
        pub name: String,
        /// One line: what it shows.
        pub about: String,
        /// Nodes in the network.
        pub nodes: u32,
    }

    /// What the window needs at its start.
    pub struct Startup {
        /// Version of this program.
        pub version: String,
        /// Bundled captures; the first is opened when there is nothing else to open.
        pub samples: Vec<Sample>,
        /// Ids of the algorithms shown when nothing else was chosen.
        pub default_algorithms: Vec<String>,
    }

    /// How a capture is to be read where it does not say so itself. What is left out is found or has its default.
    #[derive(Default)]
    pub struct DecodeAs {
        /// What ends an 802.15.4 frame.
        #[serde(default)]
        pub fcs: FcsKind,
        /// UDP ports of CoAP; empty: 5683.
        #[serde(default)]
        pub ports: Vec<u16>,
        /// Number of the retransmission-count option.
        #[serde(default)]
        pub rc_option: Option<u16>,
        /// 6LoWPAN contexts, as `0=fd00::/64`.
        #[serde(default)]
        pub contexts: Vec<String>,
        /// Keys of 802.15.4 security, as `HEX` or `HEX:INDEX`. They are in no reply.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "string[]"))]
        pub keys: Secrets,
        /// Extended addresses by short one, as `0x1234=00:12:74:00:01:02:03:04`.
        #[serde(default)]
        pub addresses: Vec<String>,
        /// A packed file may unpack to so many times its size.
        #[serde(default)]
        pub unpack_ratio: Option<u32>,
    }

    /// A file of an open capture.
    pub struct FileView {
        /// Its name without its folder.
        pub name: String,
        /// Where it is; null for a bundled sample and the standard input.
        pub path: Option<String>,
        /// Lower-case hex SHA-256.
        pub sha256: String,
    }

    /// A sniffer, an interface or a mote.
    pub struct SourceView {
        /// For people.
        pub name: String,
        /// Frames of it.
        pub frames: u32,
        /// What ends its frames; null where each record says so, and on other links.
        pub fcs: Option<FcsKind>,
    }

    /// A 6LoWPAN context in force.
    pub struct ContextView {
        /// 0 to 15.
        pub id: u32,
        /// `fd00::/64`.
        pub prefix: String,
        /// How it is known.
        pub how: ContextHow,
    }

    /// A UDP port on which CoAP was found.
    pub struct PortView {
        /// The port.
        pub port: u16,
        /// Requests that were acknowledged from it.
        pub answered: u32,
    }

    /// How the clock of one recording runs beside that of the merged capture. Null in the one whose clock that is.
    pub struct ClockView {
        /// Its first source.
        pub source: String,
        /// Frames of the recording.
        pub frames: u32,
        /// False where too little was common to tell: its time is that of its file.
        pub aligned: bool,
        /// Frames that it and the others hold.
        pub common: u32,
        /// What it shows more, nanoseconds.
        pub offset: Option<f64>,
        /// What it gains, parts per 10^9.
        pub drift_ppb: Option<f64>,
        /// Half of the common frames agree to this, nanoseconds.
        pub residual_median: Option<f64>,
        /// 99 of 100 do to this, nanoseconds.
        pub residual_p99: Option<f64>,
    }

    /// What the motes of a simulation printed, found beside its capture.
    pub struct MoteLogView {
        /// File name.
        pub name: String,
        /// Lines of motes.
        pub lines: u32,
        /// Of these, events of the CoAP client and server that are understood.
        pub events: u32,
    }

    /// How a capture was read: found, given, or by default.
    pub struct ReadAs {
        /// What frames start with, in order of appearance.
        pub links: Vec<String>,
        /// What the user said of check sequences.
        pub fcs: FcsKind,
        /// A packed file may unpack to so many times its size.
        pub unpack_ratio: u32,
        /// Where frames came from.
        pub sources: Vec<SourceView>,
        /// 6LoWPAN contexts in force.
        pub contexts: Vec<ContextView>,
        /// UDP ports of CoAP that were named.
        pub ports: Vec<u16>,
        /// UDP ports of CoAP that were not.
        pub guessed: Vec<PortView>,
        /// Number of the retransmission-count option.
        pub rc_option: u16,
        /// How many keys were given.
        pub keys: u32,
        /// How many pairs of addresses were given.
        pub addresses: u32,
        /// Its files; several where it was merged.
        pub files: Vec<FileView>,
        /// How recordings were brought to one clock, the reference first; empty where there is one recording.
        pub clocks: Vec<ClockView>,
        /// Frames that show a transmission which another source saw too, and count once.
        pub twins: u32,
        /// Comments on the file.
        pub comments: Vec<String>,
        /// Comments on frames.
        pub frame_comments: u32,
        /// Names of addresses that the file gives.
        pub names: u32,
        /// What the motes printed, where it is beside the capture.
        pub mote_log: Option<MoteLogView>,
    }

    /// Open a capture: exactly one of `path`, `sample` and `merge`.
    #[derive(Default)]
    pub struct OpenRequest {
        /// File on disk.
        #[serde(default)]
        pub path: Option<String>,
        /// Bundled capture.
        #[serde(default)]
        pub sample: Option<String>,
        /// Several captures of one network, to be joined on one clock.
        #[serde(default)]
        pub merge: Option<Vec<String>>,
        /// How to read it; null: as it says itself.
        #[serde(default)]
        pub decode: Option<DecodeAs>,
    }

    /// Names an open capture.
    pub struct CaptureRequest {
        /// Which.
        pub capture: CaptureId,
    }

    /// A client and a server.
    pub struct AssociationView {
        /// Position in the trace; also the lane number.
        pub id: AssociationId,
        /// Client, for people: `mote 5`.
        pub client_name: String,
        /// Server, for people.
        pub server_name: String,
        /// Client address and port.
        pub client: String,
        /// Server address and port.
        pub server: String,
        /// Link-layer hops, where seen.
        pub hops: Option<u32>,
        /// Exchanges.
        pub exchanges: u32,
        /// Copies.
        pub copies: u32,
        /// Copies that need not have been sent.
        pub needless: u32,
        /// What the capture could see.
        pub vantage: VantageKind,
        /// Detected workload, `arrivals` or `think_time`.
        pub workload: WorkloadKind,
        /// Most exchanges open at once.
        pub nstart: u32,
    }

    /// An open capture.
    pub struct CaptureView {
        /// Its number in this session.
        pub id: CaptureId,
        /// File name.
        pub name: String,
        /// Path on disk; null for a bundled sample.
        pub path: Option<String>,
        /// Container and link type, for people: `pcap, IEEE 802.15.4`.
        pub format: String,
        /// Octets on disk.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        pub file_len: u64,
        /// Lower-case hex SHA-256 of the file; of several, one for each with ` + ` between.
        pub sha256: String,
        /// How it was read.
        pub read_as: ReadAs,
        /// Frames read.
        pub frames: u32,
        /// CoAP messages (each transmission by its sender once).
        pub messages: u32,
        /// Confirmable exchanges.
        pub exchanges: u32,
        /// Copies of confirmable requests.
        pub copies: u32,
        /// Earliest frame.
        pub start: Instant,
        /// Latest frame.
        pub end: Instant,
        /// Wall-clock time of the trace's epoch, ISO 8601 UTC; null for simulated time.
        pub epoch: Option<String>,
        /// Clients and servers; position = lane.
        pub associations: Vec<AssociationView>,
        /// What was skipped, repaired or not understood.
        #[serde(skip_deserializing)]
        pub notes: Vec<NoteCount>,
    }

    /// An algorithm with parameter overrides (natural units: seconds, ratios).
    pub struct AlgorithmChoice {
        /// Preset id.
        pub id: String,
        /// Overrides; empty for the preset as published.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
    }

    /// Replay a capture under other algorithms.
    pub struct ReplayRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// What to compare; when empty the six that a first comparison needs, and the user's own.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Channel model.
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed of every draw.
        pub seed: u32,
        /// Replicates, 1..=10000.
        pub replicates: u32,
        /// Position in `algorithms` that differences are taken to; null: the recorded behaviour.
        #[serde(default)]
        pub baseline: Option<u32>,
        /// Clients that stay as they were recorded.
        #[serde(default)]
        pub as_recorded: Vec<AssociationId>,
        /// Compute the model-free bounds; without them an answer comes in half the time.
        #[serde(default = "yes")]
        pub bounds: bool,
        /// The sender's other rules; the page leaves them at RFC 7252.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(skip))]
        pub policy: PolicyView,
    }

    /// One measure of one run. Null where it does not apply.
    pub struct MetricView {
        /// In the trace itself.
        pub recorded: Option<f64>,
        /// Model-free bound, the worse side for this measure.
        pub worst: Option<f64>,
        /// Model-free bound, the better side.
        pub best: Option<f64>,
        /// Mean over replicates.
        pub mean: Option<f64>,
        /// 5th percentile over replicates.
        pub lo90: Option<f64>,
        /// 95th percentile over replicates.
        pub hi90: Option<f64>,
        /// Share of copies whose fate was recorded.
        pub support: Option<f64>,
    }

    /// A paired difference to the baseline: same replicate, same weather.
    pub struct DifferenceView {
        /// Mean of the differences.
        pub mean: f64,
        /// 5th percentile.
        pub lo90: f64,
        /// 95th percentile.
        pub hi90: f64,
    }

    /// One algorithm's run.
    pub struct RunView {
        /// Its number: ask for its lanes, steps and states by it.
        pub run: RunId,
        /// The algorithm.
        pub algorithm: AlgorithmChoice,
        /// By measure name.
        pub metrics: BTreeMap<String, MetricView>,
        /// Paired differences by measure name.
        pub differences: BTreeMap<String, DifferenceView>,
        /// Share of copies whose fate was recorded, replicate 0 to R-1 together.
        pub support: f64,
        /// Per association: copies and needless copies of the replicate that is drawn.
        pub copies: Vec<u32>,
        /// See `copies`.
        pub needless: Vec<u32>,
    }

    /// What a replay gives.
    pub struct ReplayView {
        /// As asked for.
        pub capture: CaptureId,
        /// In the order asked for.
        pub runs: Vec<RunView>,
        /// Measures in display order.
        pub metrics: Vec<MetricSpec>,
    }

    /// How a measure is named and read.
    pub struct MetricSpec {
        /// Name, as in the CLI.
        pub name: String,
        /// Heading.
        pub label: String,
        /// Second line of the heading: the rule.
        pub rule: String,
        /// `s`, `fraction`, `count`, `1/s`, `octet/s`, `×`.
        pub unit: String,
        /// Smaller is better.
        pub smaller_is_better: bool,
        /// Shown by default in Compare.
        pub headline: bool,
    }

    /// Run one algorithm for several values of one parameter.
    pub struct SweepRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// What to start from.
        pub algorithm: AlgorithmChoice,
        /// The parameter.
        pub parameter: String,
        /// Its values, natural units.
        pub values: Vec<f64>,
        /// Channel model.
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed.
        pub seed: u32,
        /// Replicates.
        pub replicates: u32,
    }

    /// One value of a sweep.
    pub struct SweepPoint {
        /// The value.
        pub value: f64,
        /// By measure name, `w` and `b` (trade-off plane) among them.
        pub metrics: BTreeMap<String, MetricView>,
    }

    /// Ask for one exchange, recorded and under some runs.
    pub struct ExchangeRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Which exchange.
        pub exchange: ExchangeId,
        /// Runs to show beside the recorded behaviour.
        pub runs: Vec<RunId>,
    }

    /// One copy of an exchange.
    pub struct CopyView {
        /// When it was sent.
        pub sent: Instant,
        /// When the server had it, where known.
        pub arrived: Option<Instant>,
        /// Timer armed with it: recorded, the gap to the next copy (null for the last).
        pub timer: Option<Span>,
        /// What became of it.
        pub fate: FateKind,
        /// True RTT: this copy to its reply.
        pub rtt: Option<Span>,
        /// It need not have been sent.
        pub needless: bool,
        /// `proven`, `inferred`, `unknown`; `recorded` or `modelled` in a run.
        pub evidence: String,
    }

    /// One exchange under one behaviour.
    pub struct ExchangeSide {
        /// Null: as recorded.
        pub run: Option<RunId>,
        /// Copies in time order.
        pub copies: Vec<CopyView>,
        /// When it ended with a reply.
        pub end: Option<Instant>,
        /// How it ended.
        pub outcome: OutcomeKind,
    }

    /// One exchange, recorded and under the runs asked for.
    pub struct ExchangeView {
        /// Which.
        pub exchange: ExchangeId,
        /// Its association.
        pub association: AssociationId,
        /// Message ID.
        pub mid: u16,
        /// Token, lower-case hex.
        pub token: String,
        /// Method, `0.03`.
        pub code: String,
        /// First the recorded behaviour, then the runs in the order asked for.
        pub sides: Vec<ExchangeSide>,
    }

    /// Ask for the estimator's state at a time.
    pub struct StateRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Which run.
        pub run: RunId,
        /// Which association.
        pub association: AssociationId,
        /// When.
        pub at: Instant,
    }

    /// One line of a state panel.
    pub struct StateLine {
        /// Short name for people.
        pub label: String,
        /// Value; null: not set yet.
        pub value: Option<f64>,
        /// `s` or empty.
        pub unit: String,
        /// Instead of a number.
        pub text: Option<String>,
    }

    /// Find the next event before or after a time.
    pub struct StepRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// From here.
        pub at: Instant,
        /// What to look for.
        pub kind: EventKind,
        /// Backwards in time.
        pub backwards: bool,
    }

    /// The event found.
    pub struct StepView {
        /// When.
        pub at: Instant,
        /// Lane.
        pub association: AssociationId,
        /// Exchange.
        pub exchange: ExchangeId,
        /// Copy number from 0; null: the closing reply.
        pub copy: Option<u32>,
    }

    /// Ask for the navigator's density columns (Arrow, `NavigatorColumns`).
    pub struct NavigatorRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Equal time bins over the whole capture, 1..=4096.
        pub bins: u32,
    }

    /// Ask for the marks of all lanes in a window (Arrow, `LaneColumns`).
    pub struct LanesRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Null: as recorded.
        pub run: Option<RunId>,
        /// Window start.
        pub t0: Instant,
        /// Window end.
        pub t1: Instant,
        /// Pixels of the window: lanes denser than a copy per 3 px become bins of 4 px.
        pub px: u32,
    }

    /// Ask for RTO and RTT over time of one association (Arrow, `RtoColumns`).
    pub struct RtoRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Null: as recorded.
        pub run: Option<RunId>,
        /// Which association.
        pub association: AssociationId,
        /// Window start.
        pub t0: Instant,
        /// Window end.
        pub t1: Instant,
    }

    /// Ask for a page of the exchange table (Arrow, `ExchangeColumns`).
    pub struct ExchangesRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Only exchanges that start in this window.
        #[serde(default)]
        pub window: Option<(Instant, Instant)>,
        /// Only this association.
        #[serde(default)]
        pub association: Option<AssociationId>,
        /// Only exchanges with retransmissions.
        #[serde(default)]
        pub retransmitted: bool,
        /// Column to sort by; by start when null.
        #[serde(default)]
        pub sort: Option<String>,
        /// Largest first.
        #[serde(default)]
        pub descending: bool,
        /// First row.
        pub offset: u32,
        /// Rows.
        pub limit: u32,
    }

    /// Which rows a packet list has.
    pub struct FrameList {
        /// Which capture.
        pub capture: CaptureId,
        /// Frames or messages.
        #[serde(default)]
        pub rows: RowKind,
        /// Filter expression; blank: all.
        #[serde(default)]
        pub filter: String,
        /// Only rows of this window.
        #[serde(default)]
        pub window: Option<(Instant, Instant)>,
    }

    /// How many rows a packet list has.
    pub struct PacketCount {
        /// Rows that pass.
        pub count: u32,
        /// Rows there are.
        pub total: u32,
    }

    /// Ask for a page of a packet list (Arrow, `PacketColumns`).
    pub struct PacketsRequest {
        /// Which list.
        pub list: FrameList,
        /// First row.
        pub offset: u32,
        /// Rows.
        pub limit: u32,
    }

    /// Ask for the first row at or behind a place: exactly one of `frame`, `exchange` (its first frame) and `at`.
    pub struct PacketRowRequest {
        /// Which list.
        pub list: FrameList,
        /// Frame, from 0.
        #[serde(default)]
        pub frame: Option<FrameId>,
        /// Exchange.
        #[serde(default)]
        pub exchange: Option<ExchangeId>,
        /// Time.
        #[serde(default)]
        pub at: Option<Instant>,
    }

    /// A row of a packet list.
    pub struct PacketRow {
        /// Its position.
        pub row: u32,
        /// Its frame, from 0.
        pub frame: FrameId,
    }

    /// Ask for the decode tree of a frame.
    pub struct DissectRequest {
        /// Which capture.
        pub capture: CaptureId,
        /// Frame, from 0.
        pub frame: FrameId,
    }

    /// A frame in all its layers.
    pub struct DissectView {
        /// Which, from 0.
        pub frame: FrameId,
        /// Its time.
        pub at: Instant,
        /// Who observed it; in a Cooja log, who sent it.
        pub source: String,
        /// What the nodes stand on; the first is the frame as kept.
        pub buffers: Vec<BufferView>,
        /// Protocols and fields, parents before children.
        pub nodes: Vec<NodeView>,
        /// CoAP message it carries, or a part of.
        pub message: Option<u32>,
        /// On which hop of that message, from 1.
        pub hop: Option<u32>,
        /// Hops that were seen of it.
        pub hops: Option<u32>,
        /// Exchange of that message.
        pub exchange: Option<ExchangeId>,
    }

    /// Octets that nodes stand on.
    pub struct BufferView {
        /// `Frame`, `Decompressed`, `Reassembled`, `Decrypted`.
        pub name: String,
        /// The octets, two lower-case hex digits each.
        pub octets: String,
    }

    /// A protocol or a field of a frame.
    pub struct NodeView {
        /// 0 for a protocol, one more than its parent's for a field.
        pub depth: u32,
        /// Display-filter name.
        pub name: String,
        /// For people.
        pub label: String,
        /// As a filter would compare with it; null: nothing to compare.
        pub value: Option<String>,
        /// Buffer that it stands on.
        pub buffer: u32,
        /// First octet there.
        pub start: u32,
        /// Behind its last octet; equal to `start` for what no octet says.
        pub end: u32,
        /// `finding` is against a standard, or worth knowing.
        #[serde(skip_deserializing)]
        pub severity: Option<Severity>,
        /// What is wrong or worth knowing here.
        pub finding: Option<String>,
    }

    /// A field that filters may name.
    pub struct FieldView {
        /// As written.
        pub name: String,
        /// What it is compared with: `a whole number such as …`.
        pub kind: String,
        /// What it means.
        pub about: String,
        /// Names its values may have.
        pub values: Vec<String>,
    }

    /// How many rows a page request has in all.
    pub struct CountView {
        /// Rows.
        pub count: u32,
    }
}
