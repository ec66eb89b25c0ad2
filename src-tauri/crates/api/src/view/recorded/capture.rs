//! Requests and replies about captures: bundled ones, options of reading, results of reading.

use crate::view::{
    ApplicationView, AssumedView, CaptureId, ColourRule, Correction, Delay, Rhythm, VantageKind, WorkloadKind,
};
use base::{AssociationId, Instant, NoteCount, Span};
use serde::{Deserialize, Serialize};

/// Secret keys of a request, each `HEX` or `HEX:INDEX`: never printed, and no error repeats them.
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
        /// Stated by the user.
        Given,
        /// Announced by a router (router advertisement).
        Announced,
        /// Taken to be the prefix that RPL announces.
        Rpl,
    }
}

view! {
    /// A capture bundled with the app.
    pub struct Sample {
        /// Identifier, for [`OpenRequest::sample`].
        pub id: String,
        /// Name of the sample, for people.
        pub name: String,
        /// One line on the content of the capture.
        pub about: String,
        /// Number of nodes in the network.
        pub nodes: u32,
    }

    /// Version, bundled captures and default algorithms, for the start of the window.
    pub struct Startup {
        /// Version of this program, `MAJOR.MINOR.PATCH`.
        pub version: String,
        /// Bundled captures; the first is opened when there is nothing else to open. Empty in a build without captures.
        pub samples: Vec<Sample>,
        /// Ids of the algorithms shown when nothing else was chosen.
        pub default_algorithms: Vec<String>,
        /// Rules of colour of packet lists when none were chosen.
        pub colour_rules: Vec<ColourRule>,
    }

    /// Decode options that a capture does not state itself. Options left out are detected or have their defaults.
    #[derive(Default)]
    pub struct DecodeAs {
        /// Trailer of 802.15.4 frames of link types 195 and 230 and of Cooja's log; other formats state it themselves.
        #[serde(default)]
        pub fcs: FcsKind,
        /// UDP ports of CoAP; empty: 5683 (RFC 7252 §6.1).
        #[serde(default)]
        pub ports: Vec<u16>,
        /// Number of the retransmission-count option; null: 65020, or as the index of bundled captures says.
        #[serde(default)]
        pub rc_option: Option<u16>,
        /// 6LoWPAN contexts, each `ID=PREFIX` with an id of 0 to 15: `0=fd00::/64`.
        #[serde(default)]
        pub contexts: Vec<String>,
        /// Keys of 802.15.4 security, 32 hex digits each, as `HEX` or `HEX:INDEX` (key index). They are in no reply.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "string[]"))]
        pub keys: Secrets,
        /// Extended addresses by short one, as `0x1234=00:12:74:00:01:02:03:04`.
        #[serde(default)]
        pub addresses: Vec<String>,
        /// Greatest ratio of a packed file's unpacked size to its own; null: 250. The first 16 MiB are always allowed.
        #[serde(default)]
        pub unpack_ratio: Option<u32>,
    }

    /// A file of an open capture.
    pub struct FileView {
        /// File name without its folder.
        pub name: String,
        /// Path on disk; null for a bundled sample and the standard input.
        pub path: Option<String>,
        /// SHA-256 of the file's octets, lower-case hex.
        pub sha256: String,
    }

    /// An observer of frames: a sniffer or an interface; in a Cooja log, a mote.
    pub struct SourceView {
        /// Name for people: of the sniffer or interface, or of the mote.
        pub name: String,
        /// Number of frames that it observed, duplicate sightings included.
        pub frames: u32,
        /// Trailer of its frames; null where each record states it, and on other links.
        pub fcs: Option<FcsKind>,
    }

    /// A 6LoWPAN context in force.
    pub struct ContextView {
        /// Context identifier, 0 to 15 (RFC 6282 §3.1.2).
        pub id: u32,
        /// Prefix with its length in bits: `fd00::/64`.
        pub prefix: String,
        /// Source of the context.
        pub how: ContextHow,
    }

    /// A UDP port on which CoAP was found.
    pub struct PortView {
        /// UDP port number.
        pub port: u16,
        /// Number of requests to the port that were acknowledged from it.
        pub answered: u32,
    }

    /// Alignment of one recording's clock with that of the merged capture. The reference recording has nulls.
    pub struct ClockView {
        /// Name of the first sniffer or interface of the recording.
        pub source: String,
        /// Number of frames of the recording.
        pub frames: u32,
        /// False where common frames are too few: its times are then those of its file. True for the reference.
        pub aligned: bool,
        /// Number of frames that it and the others hold.
        pub common: u32,
        /// Time that its clock is ahead of the reference at the first common frame, nanoseconds.
        pub offset: Option<f64>,
        /// Drift of its clock against the reference, parts per 10^9, positive where the clock gains; 0 where too few
        /// frames are common to tell.
        pub drift_ppb: Option<f64>,
        /// Median absolute residual of the common frames after alignment, nanoseconds.
        pub residual_median: Option<f64>,
        /// 99th percentile of the absolute residuals, nanoseconds.
        pub residual_p99: Option<f64>,
    }

    /// Log of the motes of a simulation, found beside its capture.
    pub struct MoteLogView {
        /// File name without its folder.
        pub name: String,
        /// Number of lines that motes printed.
        pub lines: u32,
        /// Number of recognised events of CoAP clients and servers among these.
        pub events: u32,
    }

    /// Decode options with which a capture was read: detected, given, or default.
    pub struct ReadAs {
        /// Names of the link types of frames, in order of appearance.
        pub links: Vec<String>,
        /// Trailer that was asked for; `auto` where nothing was said. The trailers found are those of `sources`.
        pub fcs: FcsKind,
        /// Greatest ratio of a packed file's unpacked size to its own.
        pub unpack_ratio: u32,
        /// Observers of the frames, in order of appearance.
        pub sources: Vec<SourceView>,
        /// 6LoWPAN contexts in force.
        pub contexts: Vec<ContextView>,
        /// UDP ports of CoAP that were given, or 5683.
        pub ports: Vec<u16>,
        /// UDP ports of CoAP that were found beside those.
        pub guessed: Vec<PortView>,
        /// Number of the retransmission-count option.
        pub rc_option: u16,
        /// Number of 802.15.4 keys that were given.
        pub keys: u32,
        /// Number of pairs of a short and an extended address that were given.
        pub addresses: u32,
        /// Files of the capture; several where it was merged.
        pub files: Vec<FileView>,
        /// Clocks of the merged recordings, the reference first; empty where there is one recording.
        pub clocks: Vec<ClockView>,
        /// Number of duplicate sightings: frames that show a transmission which another source saw too. Each
        /// transmission counts once.
        pub duplicates: u32,
        /// Comments on the whole file.
        pub comments: Vec<String>,
        /// Number of comments on single frames.
        pub frame_comments: u32,
        /// Number of names of addresses that the file gives.
        pub names: u32,
        /// Log of the motes, where it is beside the capture.
        pub mote_log: Option<MoteLogView>,
    }

    /// Request: open a capture, by exactly one of `path`, `sample` and `merge`.
    #[derive(Default)]
    pub struct OpenRequest {
        /// Path of a file; null with one of the others.
        #[serde(default)]
        pub path: Option<String>,
        /// Identifier of a bundled capture ([`Sample::id`]); null with one of the others.
        #[serde(default)]
        pub sample: Option<String>,
        /// Paths of two or more captures of one network, to be joined on one clock; null with one of the others.
        #[serde(default)]
        pub merge: Option<Vec<String>>,
        /// Decode options; null: as the file states them.
        #[serde(default)]
        pub decode: Option<DecodeAs>,
    }

    /// Request about one open capture.
    pub struct CaptureRequest {
        /// Number of the capture.
        pub capture: CaptureId,
    }

    /// An association: a client endpoint with a server endpoint, and all exchanges between them.
    pub struct AssociationView {
        /// Position in the trace, from 0; also the lane number.
        pub id: AssociationId,
        /// Name of the client for people: `mote 5`.
        pub client_name: String,
        /// Name of the server for people.
        pub server_name: String,
        /// Client address and port.
        pub client: String,
        /// Server address and port.
        pub server: String,
        /// Number of link-layer hops from client to server; null where they were not seen.
        pub hops: Option<u32>,
        /// Number of confirmable exchanges.
        pub exchanges: u32,
        /// Number of copies of their requests.
        pub copies: u32,
        /// Number of needless copies: sent while an earlier copy of the exchange is answered anyway.
        pub needless: u32,
        /// Number of copies lost on the way to the server or somewhere unknown, without those whose reply was lost.
        pub lost: u32,
        /// Mean completion time of its answered exchanges, nanoseconds; null without any.
        pub completion: Option<Span>,
        /// 95th percentile of these completion times, nanoseconds; null without any.
        pub completion_p95: Option<Span>,
        /// Place on the path at which it was captured.
        pub vantage: VantageKind,
        /// The vantage was stated by the user, not estimated.
        pub vantage_given: bool,
        /// Correction from times of the capture to times of the client.
        pub correction: Correction,
        /// Delay in the client between arming the timer of a copy and its first frame on the air, nanoseconds; null
        /// where it cannot be
        /// estimated.
        pub queueing: Option<Delay>,
        /// Workload of its application: `arrivals` or `think_time`.
        pub workload: WorkloadKind,
        /// The workload was stated by the user, not detected.
        pub workload_given: bool,
        /// Timing of its requests.
        pub rhythm: Rhythm,
        /// Greatest number of exchanges that were open at once.
        pub nstart: u32,
        /// Requests of its client's application; null without a mote log beside the capture.
        pub application: Option<ApplicationView>,
    }

    /// Numbers of copies by their fate; each copy is counted in exactly one.
    #[derive(Copy, Default)]
    pub struct FateCounts {
        /// Number of answered copies that were not needless.
        pub answered: u32,
        /// Number of needless copies, of any fate.
        pub needless: u32,
        /// Number of copies that reached the server, but whose reply was lost.
        pub reply_lost: u32,
        /// Number of copies lost, on a known hop or somewhere on the way.
        pub lost: u32,
        /// Number of copies whose fate the capture does not show.
        pub unknown: u32,
    }

    /// Numbers of copies whose timer is known, and the ranges of these timers.
    #[derive(Copy, Default)]
    pub struct TimersView {
        /// Number of timers that the clients' log tells.
        pub log: u32,
        /// Number of timers inferred from gaps between copies, with an error.
        pub inferred: u32,
        /// Number of copies before a retransmission of which only the gap on the air is known.
        pub gaps: u32,
        /// Shortest and longest known timer of first copies, nanoseconds; null where none is known.
        pub first: Option<(Span, Span)>,
        /// Shortest and longest gap on the air after first copies, nanoseconds; null where there is none.
        pub first_gaps: Option<(Span, Span)>,
        /// Mean wait of first copies before the air, and mean time from the arming of their timers to the closing
        /// reply, nanoseconds, of exchanges of which both are known; null where no log tells it.
        pub wait: Option<(Span, Span)>,
    }

    /// An open capture, with its summary.
    pub struct CaptureView {
        /// Number of the capture in this session.
        pub id: CaptureId,
        /// File name without its folder; of merged captures, all names with ` + ` between.
        pub name: String,
        /// Path on disk; null for a bundled sample, the standard input and several merged files.
        pub path: Option<String>,
        /// Container and link type, for people: `pcap, IEEE 802.15.4`.
        pub format: String,
        /// Size of the file on disk, octets; of several files, their sum.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        pub file_len: u64,
        /// SHA-256 of the file, lower-case hex; of several, one for each with ` + ` between.
        pub sha256: String,
        /// Decode options with which it was read.
        pub read_as: ReadAs,
        /// Number of frames read, duplicate sightings included.
        pub frames: u32,
        /// Number of CoAP messages: each transmission by its sender once, over however many hops.
        pub messages: u32,
        /// Number of confirmable exchanges.
        pub exchanges: u32,
        /// Number of copies of confirmable requests.
        pub copies: u32,
        /// Numbers of copies of confirmable requests, by their fate.
        pub fates: FateCounts,
        /// Timers of these copies, as far as they are known.
        pub timers: TimersView,
        /// Number of frames that carry a CoAP message, or a part of one.
        pub coap_frames: u32,
        /// Time of the earliest frame, nanoseconds from the trace's epoch.
        pub start: Instant,
        /// Time of the latest frame, nanoseconds from the trace's epoch.
        pub end: Instant,
        /// Window of two minutes with the most needless or lost copies, begin and end, which is shown first; null: the
        /// whole capture is, since it is short or has no such copy.
        pub telling: Option<(Instant, Instant)>,
        /// Wall-clock time of the trace's epoch, ISO 8601 UTC with nanoseconds; null for simulated time.
        pub epoch: Option<String>,
        /// Associations of a client and a server; the position of each is its lane.
        pub associations: Vec<AssociationView>,
        /// Assumptions of the user (command `assume`).
        pub said: Vec<AssumedView>,
        /// Counted notes on input that was skipped, repaired or not understood, one entry per kind.
        #[serde(skip_deserializing)]
        pub notes: Vec<NoteCount>,
    }
}
