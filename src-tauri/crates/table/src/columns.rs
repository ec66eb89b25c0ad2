//! Columns that cross the bridge as Arrow: names, kinds, and the meaning of their numbers.
//!
//! No 64-bit integers and no nulls: times are `f64` nanoseconds (exact below 2^53), a value that does not apply is NaN.
//! So the page reads every column as a typed array without a copy. One that is zero in every row crosses without octets
//! (see [`crate::arrow`]).

use serde::{Deserialize, Serialize};

macro_rules! numbered {
    ($($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant,)* }

        impl $name {
            /// All variants, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Number that stands for the variant in a column, from 0.
            #[must_use]
            pub const fn number(self) -> u8 {
                self as u8
            }
        }
    )*};
}

numbered! {
    /// Kind of a mark in a lane. The number in the `kind` column is the position here.
    pub enum MarkKind {
        /// A copy: `t0` sent, `t1` sent, `fate`, `needless`.
        Copy,
        /// The reply that closed the exchange: `t0` its arrival.
        Closing,
        /// A reply after the exchange was closed: `t0` its arrival.
        Late,
        /// Bar of an exchange: `t0` first copy, `t1` closing reply, else last copy; `fate` that of the first copy,
        /// `supported` = 1 when the fate of some copy was recorded.
        Span,
        /// Level of detail: `t0`..`t1` one column of pixels; `up` counts copies that were not needless, `down` needless
        /// ones, and `_lost` and `_unknown` those of each that were lost or are of unknown fate.
        Bin,
    }
    /// Level of detail of lanes. The number in the `level` column is the position here.
    pub enum LaneLevel {
        /// Columns of pixels in which copies are counted.
        Columns,
        /// Exchanges as spans with their copies.
        Spans,
        /// Single copies, with flags.
        Single,
    }
    /// Fate of a copy. The number in a `fate` column is the position here.
    pub enum FateKind {
        /// Reply to the copy arrived.
        Answered,
        /// Copy did not reach the server.
        RequestLost,
        /// Copy reached the server, its reply did not arrive.
        ReplyLost,
        /// Reply to the copy did not arrive; the lost direction is not known.
        Lost,
        /// Not known: the capture cannot tell.
        Unknown,
    }
    /// Use of an RTT by the estimator. The number in a `class` column is the position here.
    pub enum SampleKind {
        /// Strong: no retransmission, so the RTT is unambiguous.
        Strong,
        /// Weak: measured from the first copy, after a retransmission.
        Weak,
        /// Known exactly because the packet says which copy was answered.
        Exact,
        /// Not used by this algorithm, though seen in the capture.
        NotSampled,
        /// Not known which copy was answered.
        Unknown,
    }
    /// Origin of a timer. The number in a `known` column is the position here.
    pub enum TimerKind {
        /// None known: there is a gap on the air at most.
        Unknown,
        /// Timer armed in a run.
        Armed,
        /// Said by the client's log.
        Log,
        /// Inferred from gaps between copies, with an error.
        Inferred,
    }
    /// Kind of a frame in the packet list. The number in its `kind` column is the position here.
    pub enum PacketKind {
        /// First copy of a confirmable request, or a part of it.
        Request,
        /// Later copy of such a request.
        Retransmission,
        /// Later copy that need not have been sent.
        Needless,
        /// Reply to a confirmable request.
        Reply,
        /// CoAP outside of the exchanges.
        Coap,
        /// ICMPv6, with RPL.
        Control,
        /// Acknowledgement of the link layer.
        LinkAck,
        /// Beacon or MAC command.
        Mac,
        /// Ciphertext that no known key opens.
        Encrypted,
        /// Malformed, or with a bad frame check sequence.
        Damaged,
        /// Packet of no other kind.
        Other,
    }
    /// Outcome of an exchange. The number in an `outcome` column is the position here.
    pub enum OutcomeKind {
        /// Ended by an acknowledgement.
        Acked,
        /// Ended by a separate response.
        Separate,
        /// Ended by a reset.
        Reset,
        /// Given up by the client.
        Abandoned,
        /// Not ended within the trace.
        Open,
    }
}

/// Type of an Arrow column, which decides the typed array it becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// `Float64Array`: times, values. NaN where it does not apply.
    F64,
    /// `Float32Array`: values of single precision.
    F32,
    /// `Uint32Array`: positions and counts.
    U32,
    /// `Uint16Array`: positions and counts up to 65,535.
    U16,
    /// `Uint8Array`: small numbers, flags and positions in lists of names.
    U8,
    /// `string[]`: texts.
    Text,
}

/// Name and kind of one column of an Arrow reply.
pub type Column = (&'static str, ColumnKind);

use ColumnKind::{F32, F64, Text, U8, U16, U32};

/// Columns of the density over the whole capture, one row a bin: `t0` start of the bin, ns; the others are counts in
/// it.
pub const NAVIGATOR_COLUMNS: &[Column] =
    &[("t0", F64), ("frames", F32), ("copies", F32), ("needless", F32), ("lost", F32)];

/// Columns of marks; see [`MarkKind`]. `run` = 2^32 - 1 as recorded, `lane` = association, `t0` and `t1` ns,
/// `supported` = 1 when the fate was recorded, not modelled, `level` a [`LaneLevel`], the same in all rows. Values that
/// do not apply to a kind are 0. Lane 2^16 - 1 has the tallest columns of the lanes that were not asked for, and lane
/// 2^16 - 2 - n the marks of all associations of host n.
///
/// Sorted so that marks drawn alike stand together: behaviour by behaviour as asked, in each lane by lane; in a lane
/// spans (those supported first), copies (those not needless first), closing and late replies, or columns only; each in
/// order of `t0`.
pub const LANE_COLUMNS: &[Column] = &[
    ("run", U32),
    ("lane", U16),
    ("kind", U8),
    ("t0", F64),
    ("t1", F64),
    ("exchange", U32),
    ("fate", U8),
    ("needless", U8),
    ("supported", U8),
    ("up", F32),
    ("up_lost", F32),
    ("up_unknown", F32),
    ("down", F32),
    ("down_lost", F32),
    ("down_unknown", F32),
    ("level", U8),
];

/// Columns of the RTO view, one row per exchange: `t` first copy, ns; `first_timer` armed with it and `first_error`,
/// half its 95 % interval (s, NaN: not known), `known` a [`TimerKind`]; `first_gap` to the second copy on the air (s,
/// NaN: there was none); `wait` of the first copy before the air (s, NaN: not known); `rtt` true RTT of the copy that
/// closed it, `true_rtt` of the first copy (s, NaN: not known), `class` a [`SampleKind`]; `needless` = 1 when the first
/// retransmission was needless, `supported` = 1 when the fate of the first copy was recorded. `rto`, `strong`, `weak`:
/// the estimator's values before dithering at `t` (s, NaN: none).
pub const RTO_COLUMNS: &[Column] = &[
    ("t", F64),
    ("exchange", U32),
    ("first_timer", F64),
    ("first_error", F64),
    ("known", U8),
    ("first_gap", F64),
    ("wait", F64),
    ("rtt", F64),
    ("true_rtt", F64),
    ("class", U8),
    ("needless", U8),
    ("supported", U8),
    ("rto", F64),
    ("strong", F64),
    ("weak", F64),
];

/// Columns of the packet list, one row per frame (or message). `frame` counts from 0, `t` is ns, `octets` are those
/// kept without a check sequence; `message` and `exchange` are 2^32 - 1, and `hop` and `copy` (from 1) are 0, where
/// there is none; `kind` a [`PacketKind`]; `fate` a [`FateKind`] of the copy that the frame carries, 255 when it
/// carries none. `fields` has the values of the fields that were asked for, each ended by U+001F; `rule` is the
/// position of the first rule of colour that the row passes, 255 when it passes none.
pub const PACKET_COLUMNS: &[Column] = &[
    ("frame", U32),
    ("t", F64),
    ("src", Text),
    ("dst", Text),
    ("protocol", Text),
    ("octets", U32),
    ("info", Text),
    ("kind", U8),
    ("message", U32),
    ("hop", U8),
    ("exchange", U32),
    ("copy", U8),
    ("fate", U8),
    ("comment", Text),
    ("fields", Text),
    ("rule", U8),
];

/// Columns of the table view, one row per exchange. `start` and `end` ns, `rtt` s, both NaN without a closing reply;
/// `payload` octets; counts of copies stop at 255. `fates` and `flags` have a digit a copy, in order of sending: the
/// number of its [`FateKind`], and 1 where it was needless. `outcome` an [`OutcomeKind`].
pub const EXCHANGE_COLUMNS: &[Column] = &[
    ("exchange", U32),
    ("association", U16),
    ("client", Text),
    ("server", Text),
    ("mid", U16),
    ("token", Text),
    ("code", Text),
    ("start", F64),
    ("end", F64),
    ("copies", U8),
    ("needless", U8),
    ("lost", U8),
    ("fates", Text),
    ("flags", Text),
    ("outcome", U8),
    ("rtt", F64),
    ("payload", U16),
];
