//! Files to frames, frames to CoAP messages, messages to confirmable exchanges.
//!
//! ```text
//! import ──► Capture ──► datagram ──► message ──► exchange ──► Trace
//!  files      frames      per hop     per copy    per CON      all of it, with notes
//! ```
//!
//! Deterministic: no clock, no random source, no hash-order iteration. Damaged input ends in
//! [`base::Notes`], counted and located, never in a panic.

mod analyse;
mod answers;
mod assume;
mod capture;
mod clock;
mod context;
mod datagram;
mod exchange;
pub mod export;
mod few;
mod hop;
mod import;
mod join;
mod keyring;
pub mod ladder;
mod link;
mod lookup;
mod merge;
mod message;
mod mote_log;
pub mod network;
mod outcome;
pub mod packet;
mod queueing;
mod reconstruct;
mod relate;
mod series;
mod vantage;
mod workload;

pub use analyse::analyse;
#[doc(hidden)]
pub use analyse::exchanges_again;
pub use datagram::DecodeOptions;

pub use assume::{Assumed, Assumptions};
pub use capture::{Annotations, Capture, Dropped, Fcs, Format, Frame, Link, Origin, Source, Trailer};
pub use context::ContextOrigin;
pub use exchange::{
    Association, Copy, Correction, Delay, Evidence, Exchange, Fate, Head, Outcome, Ready, Reply, ReplyKind, Rhythm,
    Vantage, Workload,
};
pub use few::Few;
pub use hop::{Hop, Hops};
#[doc(hidden)]
pub use import::fuzz;
pub use import::{FcsChoice, Growth, ImportError, ImportOptions, Tail, ZepFrame, open, read, zep};
pub use keyring::LinkKey;
pub use ladder::Ladder;
pub use link::acknowledgements;
pub use merge::{Alignment, ClockFit, ClockReport, merge};
pub use message::{Delivery, Endpoint, Message};
pub use mote_log::{Application, Event, EventKind, MoteLine, MoteLog, mote_log_beside, open_mote_log, read_mote_log};
pub use packet::{Packet, Places};
pub use relate::{
    Burst, Cancellation, Direction, Kin, Kinship, Notification, Observation, Relations, Transfer, TransferBlock,
};
pub use wire::coap::{Code, Token, Type};
pub use wire::ieee802154::{FrameType, MacAddr};

use base::{FrameId, MessageId, Notes};
use keyring::Keyring;
pub use wire::lowpan::ContextTable;

/// Everything read from one capture.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Frames and where they came from.
    pub capture: Capture,
    /// Every CoAP message, in order of first appearance: one per transmission by its sender.
    pub messages: Vec<Message>,
    /// Every frame that completes a CoAP message, retries and every hop included, in the order of
    /// the capture, with the message it belongs to.
    pub sightings: Vec<(FrameId, MessageId)>,
    /// Every confirmable exchange, in order of its first copy.
    pub exchanges: Vec<Exchange>,
    /// Client and server pairs, in order of first appearance.
    pub associations: Vec<Association>,
    /// Exchanges that belong together.
    pub relations: Relations,
    /// What was skipped, repaired or not understood, in all stages.
    pub notes: Notes,
    /// What it was decoded with.
    pub options: DecodeOptions,
    /// The 6LoWPAN contexts it was decoded with: those given and those learned.
    pub contexts: ContextTable,
    /// How each of them is known, by number.
    pub context_origins: Vec<(u8, ContextOrigin)>,
    /// What somebody says of it, see [`Trace::assume`].
    pub assumptions: Assumptions,
    /// UDP ports of `options` that nobody named, each with the requests answered there.
    pub guessed_ports: Vec<(u16, u32)>,
    /// For each path ([`message::Ends::path`]) the number of the path back, where there is one.
    pub(crate) back: Vec<Option<u32>>,
    /// Opens secured frames again when they are shown.
    pub(crate) keyring: Keyring,
    /// What all associations share.
    pub(crate) scope: outcome::Scope,
    /// Tells whether single frames reached their addressee.
    pub(crate) reception: link::Reception,
}
