//! The vocabulary every other crate speaks: time in integer nanoseconds, typed identifiers,
//! notes that say what went wrong and where, progress and cancellation.
//!
//! Nothing here reads a clock, draws a random number or touches a file.

mod id;
mod made;
mod note;
mod progress;
mod time;
mod watch;

pub use id::{AssociationId, ExchangeId, FrameId, MessageId, SourceId};
pub use made::Made;
pub use note::{Layer, Note, NoteCode, NoteCount, Notes, Severity};
pub use progress::{Cancelled, Part, Progress, Silent};
pub use time::{Instant, Span};
pub use watch::Watch;
