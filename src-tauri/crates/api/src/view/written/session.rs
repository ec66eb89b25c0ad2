//! Session files and reports: what a reader looks at, written down so that it opens again elsewhere.

use crate::view::{
    AlgorithmChoice, CaptureId, ChannelKind, DecodeAs, FcsKind, KeptPrediction, PartView, PolicyView, PositionView,
    Secrets, StartView, WorkloadKind,
};
use base::{AssociationId, ExchangeId, Instant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

choice! {
    /// Order of the lanes of *Timeline*, equal ones by name.
    pub enum LaneOrder {
        /// By name.
        Name,
        /// Greatest share of needless copies first.
        Needless,
        /// Greatest share of lost copies first.
        Lost,
        /// Most copies first.
        Copies,
        /// Longest mean completion first.
        Completion,
    }

    /// A section of a report, in the order of reports.
    pub enum SectionKind {
        /// The capture, the question and the answer in short.
        Summary,
        /// The reader's own words.
        Notes,
        /// Lanes of the recorded behaviour and of every run.
        Timeline,
        /// Every measure of every run.
        Compare,
        /// Checks of the network twin against its own capture.
        Trust,
        /// The same question asked in other ways.
        Sensitivity,
        /// Figures that the session names.
        Figures,
        /// Timeouts and round trips of one association over time.
        Rto,
        /// Parameters of the algorithms.
        Parameters,
        /// The command that makes the report again.
        Reproduce,
    }
    /// Outcome of the search for a capture that a session file names, from best to worst.
    pub enum FoundKind {
        /// The same octets.
        Same,
        /// Something is there under its name, but its octets differ.
        Differs,
        /// Nothing.
        Missing,
    }
}

view! {
    /// A session file (`*.rtoscope.json`): the exact state of the window, without the captures' octets and without
    /// keys. A field that is not listed here is refused, and so is another `version`.
    pub struct SessionFile {
        /// Always `rtoscope-session`.
        pub format: String,
        /// Version of this schema: 1.
        pub version: u32,
        /// Program that wrote it: `RTOscope 0.1.0`.
        pub program: String,
        /// The captures that were open, in the order of the library.
        pub captures: Vec<SessionCapture>,
        /// Position in `captures` of the one that is looked at.
        pub current: u32,
        /// Open view: `timeline`, `compare`, …
        pub view: String,
        /// Algorithms shown, in order, in terms of the registry: presets of one's own are resolved.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Baseline of differences: one of `algorithms`, or null for the recorded behaviour.
        pub baseline: Option<AlgorithmChoice>,
        /// Settings of the replays.
        pub replay: SessionReplay,
        /// Measures shown in Compare; null: the headline ones.
        pub metrics: Option<Vec<String>>,
        /// The experiment of What-if; null: none.
        pub what_if: Option<AlgorithmChoice>,
        /// Settings of the same algorithm that What-if keeps beside it: C, D, E.
        #[serde(default)]
        pub kept: Vec<AlgorithmChoice>,
        /// The sweep of What-if.
        #[serde(default)]
        pub sweep: SessionSweep,
        /// Predictions that were kept, to hold second captures against.
        #[serde(default)]
        pub predictions: Vec<KeptPrediction>,
        /// State of the view Figures.
        #[serde(default)]
        pub figures: SessionFigures,
        /// Texts and sections of the report.
        pub report: SessionReport,
    }

    /// The sweep of What-if and its drawing; null: the page's default.
    #[derive(Default)]
    pub struct SessionSweep {
        /// `plane`, `curve` or `map`.
        pub picture: Option<String>,
        /// Parameter of curves and of a map's columns.
        pub over: Option<String>,
        /// Parameter of a map's rows.
        pub across: Option<String>,
        /// Measure of curves and maps.
        pub measure: Option<String>,
    }

    /// State of the view Figures.
    #[derive(Default)]
    pub struct SessionFigures {
        /// The recipe looked at; null: the first.
        pub recipe: Option<String>,
        /// Switches that are not at their defaults, of every recipe that has some.
        pub switches: Vec<SessionFigure>,
        /// Positions in `captures` of those left out.
        pub without: Vec<u32>,
    }

    /// Settings of replays.
    pub struct SessionReplay {
        /// Channel model.
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed of every draw.
        pub seed: u32,
        /// Replicates, 1..=10000.
        pub replicates: u32,
        /// The sender's and the server's other rules.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Texts and sections of a report.
    #[derive(Default)]
    pub struct SessionReport {
        /// Heading; empty: the capture's name.
        pub title: String,
        /// The reader's own words.
        pub notes: String,
        /// Sections, in order ([`SectionKind`]); empty: all.
        pub sections: Vec<String>,
        /// Figures of its section of figures, in order.
        #[serde(default)]
        pub figures: Vec<SessionFigure>,
    }

    /// A figure of a report.
    pub struct SessionFigure {
        /// Name of the recipe.
        pub recipe: String,
        /// Switches that are not at their defaults.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
    }

    /// A capture and what was looked at in it.
    pub struct SessionCapture {
        /// Name for people.
        pub name: String,
        /// Bundled capture it is; null: `files`.
        pub sample: Option<String>,
        /// Its files; several where they were merged.
        pub files: Vec<SessionFileRef>,
        /// Decode options.
        pub decode: SessionDecode,
        /// Window, nanoseconds from the trace's epoch.
        pub window: (Instant, Instant),
        /// Selected exchange.
        pub selection: Option<ExchangeId>,
        /// Playhead.
        pub playhead: Instant,
        /// Association of the RTO view.
        pub association: AssociationId,
        /// Tags: `nodes`, `load`, `topology`, …
        pub tags: BTreeMap<String, String>,
        /// Moments the reader marked, in order.
        #[serde(default)]
        pub flags: Vec<SessionFlag>,
        /// Clients that stay as they were recorded, whatever is replayed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<AssociationId>>", optional))]
        pub as_recorded: Vec<AssociationId>,
        /// Beginning of replays; without, that of the trace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub start: Option<StartView>,
        /// Names and places that the reader gave nodes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<SessionNode>>", optional))]
        pub nodes: Vec<SessionNode>,
        /// Choice and order of the lanes of *Timeline*; without: all, by name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub lanes: Option<SessionLanes>,
    }

    /// Choice and order of the lanes of *Timeline*.
    pub struct SessionLanes {
        /// Order from the top.
        pub order: LaneOrder,
        /// Part of the name or address of a client or server; lanes without it are left out.
        pub filter: String,
        /// Lanes that stand first, whatever the order and the filter.
        pub pinned: Vec<AssociationId>,
    }

    /// Name and place that the reader gave a node.
    pub struct SessionNode {
        /// Its name in the capture: `mote 3`, else an address.
        pub node: String,
        /// The reader's name; null: that of the capture.
        pub name: Option<String>,
        /// Its place; null: none.
        pub place: Option<PositionView>,
    }

    /// A moment the reader marked.
    pub struct SessionFlag {
        /// When, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// The reader's note.
        pub note: String,
    }

    /// A file, identified by its octets.
    pub struct SessionFileRef {
        /// Its name without its folder.
        pub name: String,
        /// Its path when it was saved; elsewhere it is looked for beside the session file, by name.
        pub path: Option<String>,
        /// Lower-case hex SHA-256.
        pub sha256: String,
        /// Octets.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        pub octets: u64,
    }

    /// Decode options of a capture, as [`DecodeAs`] but without keys.
    #[derive(Default)]
    pub struct SessionDecode {
        /// Trailer of 802.15.4 frames.
        pub fcs: FcsKind,
        /// UDP ports of CoAP.
        pub ports: Vec<u16>,
        /// Number of the retransmission-count option.
        pub rc_option: Option<u16>,
        /// 6LoWPAN contexts that were given.
        pub contexts: Vec<String>,
        /// Number of keys that were given. They are asked for again.
        pub keys: u32,
        /// Extended addresses by short one.
        pub addresses: Vec<String>,
        /// A packed file may unpack to so many times its size.
        pub unpack_ratio: Option<u32>,
    }

    /// Read a session file, and look for its captures.
    pub struct SessionReadRequest {
        /// Path of the file; a report will do too.
        pub path: String,
    }

    /// A session file, and where its captures are.
    pub struct SessionView {
        /// As it stands.
        pub file: SessionFile,
        /// Per capture.
        pub found: Vec<FoundCapture>,
    }

    /// Place of a capture of a session file.
    pub struct FoundCapture {
        /// The worst of its files.
        pub state: FoundKind,
        /// Path of each file; null: not found. Empty for a bundled capture.
        pub paths: Vec<Option<String>>,
    }

    /// Complete a session with what only the core knows of its captures, and write it where a path is given.
    pub struct SessionWriteRequest {
        /// Path to write; null: only complete it.
        pub path: Option<String>,
        /// The open captures, in the order of `file.captures`.
        pub captures: Vec<CaptureId>,
        /// The session as the page knows it; names, files and decode options are filled in.
        pub file: SessionFile,
    }

    /// Make the data of a report, and write the report where a path is given.
    pub struct ReportRequest {
        /// The open capture that is `file.current`.
        pub capture: CaptureId,
        /// The session to report.
        pub file: SessionFile,
        /// Path of the page; null: it is not written.
        pub path: Option<String>,
    }

    /// Everything a report shows: equal captures, sessions and programs give equal octets.
    pub struct ReportView {
        /// Always `rtoscope-report`.
        pub format: String,
        /// Version of this schema: 1.
        pub version: u32,
        /// Program that made it.
        pub program: String,
        /// The session, with this capture alone and without folders.
        pub session: SessionFile,
        /// Makes this report again.
        pub command: String,
        /// Recorded replies of the core, from which the report's page answers its views.
        pub replies: Vec<ReportReply>,
        /// Tables to be saved.
        pub tables: Vec<ReportTable>,
    }

    /// One answer of the core.
    pub struct ReportReply {
        /// Command.
        pub name: String,
        /// Its request.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        pub request: serde_json::Value,
        /// The reply; null where it is an Arrow stream.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        pub json: serde_json::Value,
        /// The Arrow stream, base64.
        pub arrow: Option<String>,
    }

    /// A table in two forms.
    pub struct ReportTable {
        /// File name without ending: `compare`.
        pub name: String,
        /// RFC 4180.
        pub csv: String,
        /// Apache Parquet, base64.
        pub parquet: String,
    }
}

impl SessionDecode {
    /// Options of import, with the keys that the user gave again.
    #[must_use]
    pub fn with_keys(&self, keys: Vec<String>) -> DecodeAs {
        DecodeAs {
            fcs: self.fcs,
            ports: self.ports.clone(),
            rc_option: self.rc_option,
            contexts: self.contexts.clone(),
            keys: Secrets(keys),
            addresses: self.addresses.clone(),
            unpack_ratio: self.unpack_ratio,
        }
    }
}

impl SessionCapture {
    /// The clients of this capture that are replayed, and the time from which they are.
    #[must_use]
    pub fn part(&self) -> PartView {
        PartView { as_recorded: self.as_recorded.clone(), start: self.start }
    }
}
