//! Requests and replies about frames: lists of them, and one in all its layers.

use crate::view::CaptureId;
use base::{ExchangeId, FrameId, Instant, Severity};
use serde::{Deserialize, Serialize};

choice! {
    /// Kind of the rows of a packet list.
    #[derive(Default)]
    pub enum RowKind {
        /// Every frame.
        #[default]
        Frames,
        /// Every CoAP message once.
        Messages,
    }
}

view! {
    /// Rows of a packet list: a capture and what is shown of it.
    pub struct FrameList {
        /// Number of the capture.
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

    /// Number of rows of a packet list.
    pub struct PacketCount {
        /// Rows that pass.
        pub count: u32,
        /// Rows there are.
        pub total: u32,
    }

    /// Ask for a page of a packet list (Arrow, `PacketColumns`).
    pub struct PacketsRequest {
        /// The list that the rows are taken from.
        pub list: FrameList,
        /// First row.
        pub offset: u32,
        /// Rows.
        pub limit: u32,
    }

    /// Ask for the first row at or behind a place: exactly one of `frame`, `exchange` (its first frame) and `at`.
    pub struct PacketRowRequest {
        /// The list that the rows are taken from.
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
        /// Number of the capture.
        pub capture: CaptureId,
        /// Frame, from 0.
        pub frame: FrameId,
    }

    /// A frame in all its layers.
    pub struct DissectView {
        /// Number of the frame, from 0.
        pub frame: FrameId,
        /// Its time.
        pub at: Instant,
        /// Sniffer that observed it; in a Cooja log, the mote that sent it.
        pub source: String,
        /// Octets that nodes refer to; the first is the frame as it is stored.
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
        /// Comments on the frame in the file.
        pub comments: Vec<String>,
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
        /// Its definition: `RFC 7252 §3`.
        pub source: Option<String>,
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
        /// Finding about this field.
        pub finding: Option<String>,
    }

    /// A field that filters may name.
    pub struct FieldView {
        /// As written.
        pub name: String,
        /// Form of the values it is compared with: `a whole number such as …`.
        pub kind: String,
        /// Meaning of the field.
        pub about: String,
        /// Names its values may have.
        pub values: Vec<String>,
    }
}
