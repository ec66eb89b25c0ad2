//! Plain data of every stage: frames, messages with their hops, exchanges, and what a person assumes of them. No
//! algorithms.

mod assumptions;
mod capture;
mod clock_report;
mod exchange;
mod list;
mod message;
pub mod names;
mod timer;

pub use assumptions::{Assumed, Assumptions};
pub use capture::{Annotations, Capture, Dropped, Fcs, Format, Frame, Link, Origin, Source, Trailer};
pub use clock_report::{Alignment, ClockFit, ClockReport};
pub use exchange::{
    Association, Copy, Correction, Delay, Evidence, Exchange, Fate, Head, Outcome, Ready, Reply, ReplyKind, Rhythm,
    Vantage, Workload,
};
pub(crate) use exchange::{CLOCK_NOISE, EXCHANGE_LIFETIME};
pub(crate) use list::FrameList;
pub use list::OneOrMany;
pub use message::{Delivery, Endpoint, Hop, Hops, Message};
pub(crate) use message::{Ends, KeptHop, KeptHops, Nodes, message_at};
pub use timer::{KnownTimer, KnownTimers, TimerSource};
