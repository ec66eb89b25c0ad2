//! Requests and replies about captures: what is bundled, how files are read, what was found in them.

use crate::view::{ApplicationView, AssumedView, CaptureId, Correction, Delay, Rhythm, VantageKind, WorkloadKind};
use base::{AssociationId, Instant, NoteCount, Span};
use serde::{Deserialize, Serialize};

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

choice! {
    /// Trailer of 802.15.4 frames in a file.
    #[derive(Default)]
    pub enum FcsKind {
        /// Detected from all frames of a source.
        #[default]
        Auto,
        /// Nothing: the octets belong to the frame.
        None,
        /// The ITU-T CRC-16 of IEEE 802.15.4.
        Crc16,
        /// RSSI and correlation, as TI CC24xx radios write them.
        Ti,
    }
    /// Source of a 6LoWPAN context.
    pub enum ContextHow {
        /// It was given.
        Given,
        /// A router advertisement says it.
        Announced,
        /// Taken to be the prefix that RPL announces.
        Rpl,
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

    /// Version, bundled captures and default algorithms, for the start of the window.
    pub struct Startup {
        /// Version of this program.
        pub version: String,
        /// Bundled captures; the first is opened when there is nothing else to open.
        pub samples: Vec<Sample>,
        /// Ids of the algorithms shown when nothing else was chosen.
        pub default_algorithms: Vec<String>,
    }

    /// Decode options that a capture does not state itself. Options left out are detected or have their defaults.
    #[derive(Default)]
    pub struct DecodeAs {
        /// Trailer of 802.15.4 frames.
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
        /// Its path; null for a bundled sample and the standard input.
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
        /// Trailer of its frames; null where each record states it, and on other links.
        pub fcs: Option<FcsKind>,
    }

    /// A 6LoWPAN context in force.
    pub struct ContextView {
        /// 0 to 15.
        pub id: u32,
        /// `fd00::/64`.
        pub prefix: String,
        /// Its source.
        pub how: ContextHow,
    }

    /// A UDP port on which CoAP was found.
    pub struct PortView {
        /// The port.
        pub port: u16,
        /// Requests that were acknowledged from it.
        pub answered: u32,
    }

    /// Alignment of the clock of one recording with that of the merged capture. Null for the reference recording.
    pub struct ClockView {
        /// Its first source.
        pub source: String,
        /// Frames of the recording.
        pub frames: u32,
        /// False where common frames are too few: its times are then those of its file.
        pub aligned: bool,
        /// Frames that it and the others hold.
        pub common: u32,
        /// Offset, nanoseconds.
        pub offset: Option<f64>,
        /// Drift, parts per 10^9.
        pub drift_ppb: Option<f64>,
        /// Half of the common frames agree to this, nanoseconds.
        pub residual_median: Option<f64>,
        /// 99 of 100 do to this, nanoseconds.
        pub residual_p99: Option<f64>,
    }

    /// Log of the motes of a simulation, found beside its capture.
    pub struct MoteLogView {
        /// File name.
        pub name: String,
        /// Lines of motes.
        pub lines: u32,
        /// Recognised events of CoAP clients and servers among these.
        pub events: u32,
    }

    /// Decode options with which a capture was read: detected, given, or default.
    pub struct ReadAs {
        /// Link types of frames, in order of appearance.
        pub links: Vec<String>,
        /// Trailer that was asked for.
        pub fcs: FcsKind,
        /// A packed file may unpack to so many times its size.
        pub unpack_ratio: u32,
        /// Observers of the frames.
        pub sources: Vec<SourceView>,
        /// 6LoWPAN contexts in force.
        pub contexts: Vec<ContextView>,
        /// UDP ports of CoAP that were named.
        pub ports: Vec<u16>,
        /// UDP ports of CoAP that were not.
        pub guessed: Vec<PortView>,
        /// Number of the retransmission-count option.
        pub rc_option: u16,
        /// Number of keys that were given.
        pub keys: u32,
        /// Number of pairs of addresses that were given.
        pub addresses: u32,
        /// Its files; several where it was merged.
        pub files: Vec<FileView>,
        /// Clocks of the merged recordings, the reference first; empty where there is one recording.
        pub clocks: Vec<ClockView>,
        /// Frames that show a transmission which another source saw too, and count once.
        pub duplicates: u32,
        /// Comments on the file.
        pub comments: Vec<String>,
        /// Comments on frames.
        pub frame_comments: u32,
        /// Names of addresses that the file gives.
        pub names: u32,
        /// Log of the motes, where it is beside the capture.
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
        /// Decode options; null: as the file states them.
        #[serde(default)]
        pub decode: Option<DecodeAs>,
    }

    /// Names an open capture.
    pub struct CaptureRequest {
        /// Number of the capture.
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
        /// Copies that were lost on the way to the server.
        pub lost: u32,
        /// Mean completion of its answered exchanges, nanoseconds; null without any.
        pub completion: Option<Span>,
        /// 95th percentile of them, nanoseconds; null without any.
        pub completion_p95: Option<Span>,
        /// Place on the path at which it was captured.
        pub vantage: VantageKind,
        /// That was said, not estimated.
        pub vantage_given: bool,
        /// Correction from times of the capture to times of the client.
        pub correction: Correction,
        /// Delay in the client between arming the timer of a copy and its first frame on the air; null where it cannot be
        /// estimated.
        pub queueing: Option<Delay>,
        /// When its application sends, `arrivals` or `think_time`.
        pub workload: WorkloadKind,
        /// That was said, not found.
        pub workload_given: bool,
        /// Timing of its requests.
        pub rhythm: Rhythm,
        /// Most exchanges open at once.
        pub nstart: u32,
        /// Requests of its client's application, where a log is beside the capture.
        pub application: Option<ApplicationView>,
    }

    /// Copies by their fate; each is in one of them.
    #[derive(Copy, Default)]
    pub struct FateCounts {
        /// Answered, and not needless.
        pub answered: u32,
        /// Needless, whatever became of it.
        pub needless: u32,
        /// Reached the server; its reply was lost.
        pub reply_lost: u32,
        /// Lost, on a known hop or somewhere on the way.
        pub lost: u32,
        /// The capture cannot tell.
        pub unknown: u32,
    }

    /// Known timers of recorded copies.
    #[derive(Copy, Default)]
    pub struct TimersView {
        /// Timers that the clients' log says.
        pub log: u32,
        /// Timers inferred from gaps, with an error.
        pub inferred: u32,
        /// Copies before a retransmission of which only the gap on the air is known.
        pub gaps: u32,
        /// Shortest and longest known timer of first copies.
        pub first: Option<(Span, Span)>,
        /// Shortest and longest gap on the air after first copies.
        pub first_gaps: Option<(Span, Span)>,
        /// Mean wait of first copies before the air, and mean time from the arming of their timers to the closing reply, of exchanges
        /// of which both are known; null where no log tells it.
        pub wait: Option<(Span, Span)>,
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
        /// Decode options with which it was read.
        pub read_as: ReadAs,
        /// Frames read.
        pub frames: u32,
        /// CoAP messages (each transmission by its sender once).
        pub messages: u32,
        /// Confirmable exchanges.
        pub exchanges: u32,
        /// Copies of confirmable requests.
        pub copies: u32,
        /// Copies by their fate.
        pub fates: FateCounts,
        /// Known timers.
        pub timers: TimersView,
        /// Frames that carry a CoAP message, or a part of one.
        pub coap_frames: u32,
        /// Earliest frame.
        pub start: Instant,
        /// Latest frame.
        pub end: Instant,
        /// Two minutes with the most needless or lost copies, which are shown first; null: the whole capture is, since it is short or
        /// has no such copy.
        pub telling: Option<(Instant, Instant)>,
        /// Wall-clock time of the trace's epoch, ISO 8601 UTC; null for simulated time.
        pub epoch: Option<String>,
        /// Clients and servers; position = lane.
        pub associations: Vec<AssociationView>,
        /// Assumptions of the user, see `assume`.
        pub said: Vec<AssumedView>,
        /// Counts of what was skipped, repaired or not understood.
        #[serde(skip_deserializing)]
        pub notes: Vec<NoteCount>,
    }
}
