//! Studies: many captures under many timers, as one table.
//!
//! ```text
//! TOML ──► Draft ──► Spec ──► Plan ──► Task ──► Row ──► Listing (Parquet)
//!          text      checked  captures  key      result   └─► group ──► Listing (tables of groups)
//! ```
//!
//! Nothing here reads a file, a clock or a thread: [`Draft::read`] takes a text, [`Pattern`] takes names of files,
//! [`Row::listing`] gives a table. Who runs the tasks (`api::study`) does the rest.

mod groups;
mod guess;
mod outline;
mod pattern;
mod plan;
mod row;
mod spec;

pub use groups::{Asked, Difference, FEW, Group, Interval, Real, Unit, groups, listing, unit};
pub use guess::{guess, literal};
pub use outline::{Outline, OutlineSet};
pub use pattern::{Pattern, PatternError};
pub use plan::{Capture, Content, Plan, Task, partition};
pub use row::{Column, Estimate, Row, State};
pub use spec::{CaptureSet, Draft, Mistake, Mistakes, Part, Rules, Spec, Timer, label};

/// Tags of a capture: values that its path or the study states of it, by name.
pub type Tags = std::collections::BTreeMap<String, String>;
