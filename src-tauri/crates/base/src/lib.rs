//! The vocabulary every other crate speaks: time in integer nanoseconds, typed identifiers,
//! notes that say what went wrong and where, and the one trait for progress and cancellation.
//!
//! Nothing here reads a clock, draws a random number or touches a file.

mod id;
mod note;
mod progress;
mod time;

pub use id::{AssociationId, ExchangeId, FrameId, MessageId, SourceId};
pub use note::{Layer, Note, NoteCode, NoteCount, Notes, Severity};
pub use progress::{Cancelled, Progress, Silent};
pub use time::{Instant, Span};
