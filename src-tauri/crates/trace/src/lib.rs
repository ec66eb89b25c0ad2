//! Files to frames, frames to CoAP messages, messages to confirmable exchanges.
//!
//! ```text
//! import ──► Capture ──► datagram ──► message ──► exchange ──► Trace
//!  files      frames      per hop     per copy    per CON      all of it, with notes
//! ```
//!
//! Deterministic: no clock, no random source, no hash-order iteration. Damaged input ends in
//! [`base::Notes`], counted and located, never in a panic.

mod analysis;
mod decode;
mod exchange;
pub mod export;
#[doc(hidden)]
pub mod fuzz;
mod import;
mod judge;
pub mod ladder;
mod lookup;
mod model;
mod mote_log;
pub mod network;
mod node_list;
pub mod packet;

#[doc(hidden)]
pub use analysis::exchanges_again;
pub use analysis::{Trace, analyse};
pub use decode::{ContextOrigin, DecodeOptions, Learned, LinkKey, acknowledgements};
pub use exchange::{
    Burst, Cancellation, Direction, ExchangeRole, ExchangeRoles, Notification, Observation, Relations, Transfer,
    TransferBlock,
};
pub use import::merge::merge;
pub use import::{
    FcsChoice, Growth, ImportError, ImportOptions, Piece, PieceKind, Pieces, Tail, ZepFrame, is_capture, open, read,
    zep,
};
pub use ladder::Ladder;
pub use model::names;
pub use model::{
    Alignment, Annotations, Association, Assumed, Assumptions, Capture, ClockFit, ClockReport, Copy, Correction, Delay,
    Delivery, Dropped, Endpoint, Evidence, Exchange, Fate, Fcs, Format, Frame, Head, Hop, Hops, KnownTimer,
    KnownTimers, Link, Message, OneOrMany, Origin, Outcome, Ready, Reply, ReplyKind, Rhythm, Source, TimerSource,
    Trailer, Vantage, Workload,
};
pub use mote_log::{Application, Event, EventKind, MoteLine, MoteLog, mote_log_beside, open_mote_log, read_mote_log};
pub use node_list::{ListedNode, NodeKey, NodeList, NodeListKind, node_lists_beside, open_node_list, read_node_list};
pub use packet::{Packet, Places};
pub use wire::coap::{Code, Token, Type};
pub use wire::ieee802154::{FrameType, MacAddr};
pub use wire::lowpan::ContextTable;
