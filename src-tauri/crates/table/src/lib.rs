//! Conversion of domain values to columns: Arrow for the window, tables and files for the command line.
//!
//! No other crate links Polars, whose compile time stays out of their tests.

mod cells;
pub mod columns;
mod density;
mod event;
mod export;
pub mod filter;
mod frame;
mod index;
mod ladder;
mod lanes;
mod listing;
mod marks;
pub mod network;
mod packets;
mod page;
mod paper;
pub mod rto;
mod timeline;

pub use cells::{Cells, Listing};
pub use density::navigator;
pub use event::Event;
pub use export::{ExportError, Format, write};
pub use frame::{Data, Sheet, TableError, arrow};
pub use ladder::copy_hops;
pub use lanes::{OTHERS, RECORDED, Sight, lanes};
pub use listing::{copies, exchanges, hops, messages, sightings};
pub use marks::{CopyMark, ExchangeMark, TimerMark};
pub use packets::{Rows, Summary, frames, packets, select};
pub use page::{PageQuery, count, page};
pub use timeline::{Timeline, fate, needless, outcome};
