//! The vocabulary every other crate speaks: time in integer nanoseconds, typed identifiers,
//! notes that say what went wrong and where, progress and cancellation, random words by address,
//! text that is safe to read, times as people write them.
//!
//! Nothing here reads a clock, has a random state or touches a file.

mod cancellable_once;
mod id;
mod note;
mod philox;
mod printable;
mod progress;
mod quantity;
mod shared_progress;
mod time;

pub use cancellable_once::CancellableOnce;
pub use id::{AssociationId, ExchangeId, FrameId, MessageId, SourceId};
pub use note::{Layer, Note, NoteCode, NoteCount, Notes, Severity};
pub use philox::{philox, unit};
pub use printable::{is_printable, printable, printable_json, printable_lines};
pub use progress::{Cancelled, Part, Progress, Silent};
pub use quantity::{read_span, split_unit};
pub use shared_progress::{SharedProgress, Uncounted};
pub use time::{Instant, Span};
