//! Requests and replies about frames: lists of them, and one in all its layers.

use crate::view::CaptureId;
use base::{ExchangeId, FrameId, Instant, Severity};
use serde::{Deserialize, Serialize};

choice! {
    /// Kind of the rows of a packet list.
    #[derive(Default)]
    pub enum RowKind {
        /// Every frame, duplicate sightings included.
        #[default]
        Frames,
        /// Every CoAP message once.
        Messages,
    }

    /// Colour of rows of a packet list: one of the page's palette (`ui/src/tokens.css`), each in a light and a dark
    /// form.
    pub enum RuleColour {
        /// Red.
        Red,
        /// Orange.
        Orange,
        /// Yellow.
        Yellow,
        /// Green.
        Green,
        /// Blue.
        Blue,
        /// Purple.
        Purple,
        /// Grey.
        Grey,
    }
}

view! {
    /// Packet list: a capture, the kind of its rows, and their selection.
    pub struct FrameList {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Kind of the rows.
        #[serde(default)]
        pub rows: RowKind,
        /// Filter expression; blank: all rows.
        #[serde(default)]
        pub filter: String,
        /// Window of the rows, nanoseconds from the trace's epoch; null: all.
        #[serde(default)]
        pub window: Option<(Instant, Instant)>,
    }

    /// Number of rows of a packet list.
    pub struct PacketCount {
        /// Number of rows that pass filter and window.
        pub count: u32,
        /// Number of rows without filter and window.
        pub total: u32,
    }

    /// Request: a page of a packet list (Arrow, `PacketColumns`).
    pub struct PacketsRequest {
        /// The list that the rows are taken from.
        pub list: FrameList,
        /// Position of the first row, from 0.
        pub offset: u32,
        /// Greatest number of rows.
        pub limit: u32,
        /// Names of the fields whose values the column `fields` has.
        #[serde(default)]
        pub fields: Vec<String>,
        /// Filter expressions of the rules of colour, in order: the column `rule` has the position of the first that a
        /// row passes.
        #[serde(default)]
        pub rules: Vec<String>,
    }

    /// Rule of colour: rows of packet lists that pass a filter, unless an earlier rule has them, are drawn in its
    /// colour.
    pub struct ColourRule {
        /// Name for people: what the rows have in common.
        pub name: String,
        /// Filter expression.
        pub filter: String,
        /// Colour of the rows.
        pub colour: RuleColour,
        /// Whether the rule is in force.
        pub on: bool,
    }

    /// Column of packet lists.
    pub struct PacketColumn {
        /// Name: of a column that every list can have (`frame`, `time`, `kind`, `src`, `dst`, `hop`, `protocol`,
        /// `length`, `info`, `rule`), or of a field of filters.
        pub name: String,
        /// Width, px; null: that of its kind.
        pub width: Option<u32>,
    }

    /// Request: whether a filter expression can be read.
    pub struct CheckFilterRequest {
        /// Filter expression.
        pub filter: String,
    }

    /// Mistake in a filter expression.
    pub struct FilterMistake {
        /// Column, in characters, from 1.
        pub column: u32,
        /// Sentence for a person, which begins with the column.
        pub message: String,
    }

    /// Request: the first row at or after a place, which is exactly one of `frame`, `exchange` (its first frame) and
    /// `at`.
    pub struct PacketRowRequest {
        /// The list that the rows are taken from.
        pub list: FrameList,
        /// Number of the frame, from 0.
        #[serde(default)]
        pub frame: Option<FrameId>,
        /// Number of the exchange.
        #[serde(default)]
        pub exchange: Option<ExchangeId>,
        /// Time, nanoseconds from the trace's epoch.
        #[serde(default)]
        pub at: Option<Instant>,
    }

    /// A row of a packet list.
    pub struct PacketRow {
        /// Position in the list, from 0.
        pub row: u32,
        /// Number of its frame in the capture, from 0.
        pub frame: FrameId,
    }

    /// Request: the decode tree of a frame.
    pub struct DissectRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the frame, from 0.
        pub frame: FrameId,
    }

    /// A frame in all its layers.
    pub struct DissectView {
        /// Number of the frame, from 0.
        pub frame: FrameId,
        /// Time of the frame, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Name of the sniffer that observed it; in a Cooja log, of the mote that sent it.
        pub source: String,
        /// Buffers of octets that fields refer to; the first is the frame as it is stored.
        pub buffers: Vec<BufferView>,
        /// Protocols and fields in preorder: parents before children.
        pub nodes: Vec<NodeView>,
        /// Number of the CoAP message that it carries, whole or in part, from 0; null: none.
        pub message: Option<u32>,
        /// Position of the hop of that message on which the frame is, from 1; null: it carries no message.
        pub hop: Option<u32>,
        /// Number of hops of that message that were seen; null: it carries none.
        pub hops: Option<u32>,
        /// Number of the exchange of that message; null: it is part of none.
        pub exchange: Option<ExchangeId>,
        /// Comments on the frame in the file.
        pub comments: Vec<String>,
    }

    /// A buffer of octets: the frame, or one that decoding made from it.
    pub struct BufferView {
        /// Name: `Frame`, `Decompressed`, `Reassembled`, `Decrypted`.
        pub name: String,
        /// Octets, two lower-case hex digits each.
        pub octets: String,
    }

    /// A protocol or a field of a frame.
    pub struct NodeView {
        /// Depth in the tree: 0 for a protocol, one more than its parent's for a field.
        pub depth: u32,
        /// Name in filter expressions.
        pub name: String,
        /// Name and value for people.
        pub label: String,
        /// Section of the standard that defines it: `RFC 7252 §3`; null: none is known.
        pub source: Option<String>,
        /// Value as a literal of filter expressions; null: nothing to compare with.
        pub value: Option<String>,
        /// Buffer of its octets: position in [`DissectView::buffers`], from 0.
        pub buffer: u32,
        /// Position of its first octet in the buffer, from 0.
        pub start: u32,
        /// Position after its last octet; equal to `start` for a field without octets of its own.
        pub end: u32,
        /// Severity of the finding: `warning` (against a standard, or not understood) or `remark`; null without one.
        #[serde(skip_deserializing)]
        pub severity: Option<Severity>,
        /// Finding about this field in words; null: none.
        pub finding: Option<String>,
    }

    /// Field that filter expressions may name.
    pub struct FieldView {
        /// Name as written in an expression.
        pub name: String,
        /// Form of the values it is compared with, in words: `a whole number such as …`.
        pub kind: String,
        /// Meaning of the field.
        pub about: String,
        /// Names that its values may have; empty: none.
        pub values: Vec<String>,
        /// Unit of its values in columns; null: none.
        pub unit: Option<String>,
        /// Whether its values in columns are numbers, which stand to the right.
        pub numeric: bool,
    }
}
