//! Requests and replies about session files: the state of the window, written down so that it opens again elsewhere.

use crate::view::{
    AlgorithmChoice, CaptureId, ChannelKind, ColourRule, DecodeAs, FcsKind, KeptPrediction, PacketColumn, PartView,
    PolicyView, PositionView, Secrets, StartView, WorkloadKind,
};
use base::{AssociationId, ExchangeId, Instant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

choice! {
    /// Order of the lanes of *Timeline*; equal ones stand by name.
    pub enum LaneOrder {
        /// Name, ascending.
        Name,
        /// Greatest share of needless copies first.
        Needless,
        /// Greatest share of lost copies first.
        Lost,
        /// Greatest number of copies first.
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
        /// Kept predictions from other captures, held against this one.
        Check,
        /// Checks of the network twin against its own capture.
        Trust,
        /// Answers to the same question under other assumptions.
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
        /// A file with the same octets was found.
        Same,
        /// A file of that name was found, but its octets differ.
        Differs,
        /// No such file was found.
        Missing,
    }
}

view! {
    /// Session file (`*.rtoscope.json`): the exact state of the window, without the captures' octets and without
    /// keys. A field that is not listed here is refused, and so is another `version`.
    pub struct SessionFile {
        /// Always `rtoscope-session`.
        pub format: String,
        /// Version of this schema: 1.
        pub version: u32,
        /// Program that wrote it, with its version: `RTOscope 0.1.0`.
        pub program: String,
        /// Captures that were open, in the order of the library.
        pub captures: Vec<SessionCapture>,
        /// Position in `captures` of the one that was looked at, from 0.
        pub current: u32,
        /// Name of the open view: `timeline`, `compare`, …
        pub view: String,
        /// Algorithms shown, in order; the user's presets are resolved to those of the registry with parameters.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Baseline of differences: one of `algorithms`; null: the recorded behaviour.
        pub baseline: Option<AlgorithmChoice>,
        /// Settings of the replays.
        pub replay: SessionReplay,
        /// Names of the measures shown in Compare; null: the headline ones.
        pub metrics: Option<Vec<String>>,
        /// Columns of packet lists, from the left; absent: those of a new window.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub packet_columns: Option<Vec<PacketColumn>>,
        /// Rules of colour of packet lists, in order; absent: those of a new window.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub colour_rules: Option<Vec<ColourRule>>,
        /// Timer of What-if with its values; null: none.
        pub what_if: Option<AlgorithmChoice>,
        /// Further settings of that algorithm that What-if keeps beside it (C, D, E), in this order.
        #[serde(default)]
        pub kept: Vec<AlgorithmChoice>,
        /// Sweep of What-if: its drawing, parameters and measure.
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

    /// Sweep of What-if and its drawing. Null: the page's default.
    #[derive(Default)]
    pub struct SessionSweep {
        /// Kind of drawing: `plane`, `curve` or `map`.
        pub picture: Option<String>,
        /// Name of the parameter of curves and of a map's columns.
        pub over: Option<String>,
        /// Name of the parameter of a map's rows.
        pub across: Option<String>,
        /// Name of the measure of curves and maps.
        pub measure: Option<String>,
    }

    /// State of the view Figures.
    #[derive(Default)]
    pub struct SessionFigures {
        /// Name of the recipe that is shown by itself; null: all are shown beside each other.
        pub recipe: Option<String>,
        /// Values of switches that are not at their defaults, one entry per recipe that has some.
        pub switches: Vec<SessionFigure>,
        /// Positions in `captures`, from 0, of those left out of the figures of recipes that `without_by_recipe` does
        /// not name.
        pub without: Vec<u32>,
        /// Captures left out, of each recipe for which they were chosen.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<SessionWithout>>", optional))]
        pub without_by_recipe: Vec<SessionWithout>,
    }

    /// Captures left out of the figures of one recipe.
    pub struct SessionWithout {
        /// Name of the recipe.
        pub recipe: String,
        /// Positions in `captures` of those left out, from 0.
        pub captures: Vec<u32>,
    }

    /// Settings of replays that hold for all captures.
    pub struct SessionReplay {
        /// Channel model, which decides the fates of copies.
        pub channel: ChannelKind,
        /// Workload model, which decides when applications would have sent.
        pub workload: WorkloadKind,
        /// Seed of every random draw.
        pub seed: u32,
        /// Number of replicates, 1..=10000.
        pub replicates: u32,
        /// Other rules of the sender and the server.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Texts and sections of a report.
    #[derive(Default)]
    pub struct SessionReport {
        /// Heading; empty: the capture's name.
        pub title: String,
        /// Notes in the reader's own words.
        pub notes: String,
        /// Ids of the sections ([`SectionKind`]); empty: all. Reports have them in the order of that type.
        pub sections: Vec<String>,
        /// Figures of the section `figures`, in order.
        #[serde(default)]
        pub figures: Vec<SessionFigure>,
    }

    /// A figure of a report.
    pub struct SessionFigure {
        /// Name of the recipe.
        pub recipe: String,
        /// Values of switches that are not at their defaults, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
    }

    /// A capture of a session, and the state of the window for it.
    pub struct SessionCapture {
        /// Name of the capture, for people.
        pub name: String,
        /// Identifier of the bundled capture that it is; null: it is that of `files`.
        pub sample: Option<String>,
        /// Folder that it was opened with, as one of its runs; absent: it was opened by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub folder: Option<String>,
        /// Files of the capture; several where they were merged.
        pub files: Vec<SessionFileRef>,
        /// Decode options, without keys.
        pub decode: SessionDecode,
        /// Window of time, begin and end, nanoseconds from the trace's epoch.
        pub window: (Instant, Instant),
        /// Number of the selected exchange; null: none.
        pub selection: Option<ExchangeId>,
        /// Playhead, nanoseconds from the trace's epoch.
        pub playhead: Instant,
        /// Number of the association of the RTO view.
        pub association: AssociationId,
        /// Values of tags by key: `nodes`, `load`, `topology`, …
        pub tags: BTreeMap<String, String>,
        /// Moments that the reader marked, in order of time.
        #[serde(default)]
        pub flags: Vec<SessionFlag>,
        /// Numbers of the associations whose clients stay as recorded in every replay.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<AssociationId>>", optional))]
        pub as_recorded: Vec<AssociationId>,
        /// Beginning of replays; absent: that of the trace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub start: Option<StartView>,
        /// Names and places that the reader gave nodes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<SessionNode>>", optional))]
        pub nodes: Vec<SessionNode>,
        /// Choice and order of the lanes of *Timeline*; absent: all, by name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub lanes: Option<SessionLanes>,
    }

    /// Choice and order of the lanes of *Timeline*.
    pub struct SessionLanes {
        /// Order of the lanes, from the top.
        pub order: LaneOrder,
        /// Text that is part of the name or address of a client or server; lanes without it are left out. Empty: all.
        pub filter: String,
        /// Numbers of the associations whose lanes stand first, whatever the order and the filter.
        pub pinned: Vec<AssociationId>,
        /// Addresses of hosts with many lanes whose lanes are shown one by one, not folded into one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<String>>", optional))]
        pub unfolded: Vec<String>,
    }

    /// Name and place that the reader gave to a node.
    pub struct SessionNode {
        /// Name in the capture: `mote 3`, else an address.
        pub node: String,
        /// Name given by the reader; null: that of the capture.
        pub name: Option<String>,
        /// Place given by the reader; null: none.
        pub place: Option<PositionView>,
    }

    /// A moment that the reader marked.
    pub struct SessionFlag {
        /// Time, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Note of the reader.
        pub note: String,
    }

    /// Reference to a file, which is identified by its octets.
    pub struct SessionFileRef {
        /// File name without its folder.
        pub name: String,
        /// Path when the session was saved; null in a report and for a bundled capture. Elsewhere the file is looked
        /// for beside the session file, by name.
        pub path: Option<String>,
        /// SHA-256 of the file, lower-case hex.
        pub sha256: String,
        /// Size of the file, octets.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        pub octets: u64,
    }

    /// Decode options of a capture, as [`DecodeAs`] but without keys.
    #[derive(Default)]
    pub struct SessionDecode {
        /// Trailer of 802.15.4 frames.
        pub fcs: FcsKind,
        /// UDP ports of CoAP; empty: 5683.
        pub ports: Vec<u16>,
        /// Number of the retransmission-count option; null: the default.
        pub rc_option: Option<u16>,
        /// 6LoWPAN contexts that were given, each `ID=PREFIX`: `0=fd00::/64`.
        pub contexts: Vec<String>,
        /// Number of keys that were given; they are in no file and are asked for again.
        pub keys: u32,
        /// Extended addresses by short one, each as `0x1234=00:12:74:00:01:02:03:04`.
        pub addresses: Vec<String>,
        /// Greatest ratio of a packed file's unpacked size to its own; null: the default.
        pub unpack_ratio: Option<u32>,
    }

    /// Request: read a session file, and look for its captures.
    pub struct SessionReadRequest {
        /// Path of a session file, or of a report, which holds its session.
        pub path: String,
    }

    /// A session file, and the places of its captures.
    pub struct SessionView {
        /// Content of the file.
        pub file: SessionFile,
        /// Places of the captures, in the order of `file.captures`.
        pub found: Vec<FoundCapture>,
    }

    /// Place of a capture that a session file names.
    pub struct FoundCapture {
        /// Outcome of the search, of its files the worst one.
        pub state: FoundKind,
        /// Paths of its files, in their order; null: not found. Empty for a bundled capture.
        pub paths: Vec<Option<String>>,
    }

    /// Request: complete a session with what only the core knows of its captures, and write it where a path is given.
    pub struct SessionWriteRequest {
        /// Path of the file to write; null: only complete the session.
        pub path: Option<String>,
        /// Numbers of the open captures, in the order of `file.captures`.
        pub captures: Vec<CaptureId>,
        /// Session as the page knows it; names, files and decode options are filled in.
        pub file: SessionFile,
    }
}

impl SessionDecode {
    /// Returns the options of import and decoding, with the keys that the user gave again.
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
    /// Returns the part of this capture that is replayed: its clients, and the time from which they are.
    #[must_use]
    pub fn part(&self) -> PartView {
        PartView { as_recorded: self.as_recorded.clone(), start: self.start }
    }
}
