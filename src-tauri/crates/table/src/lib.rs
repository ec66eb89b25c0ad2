//! Conversion of domain values to columns: Arrow for the window, tables and files for the command line.
//!
//! No other crate links Polars, whose compile time stays out of their tests.

mod arrow_c;
mod cells;
pub mod columns;
mod csv;
mod dataset;
mod export;
pub mod filter;
mod frame;
mod ladder;
mod listing;
pub mod network;
mod packets;
mod paper;
mod timeline;

pub use arrow_c::ArrowTable;
pub use cells::{Cells, Listing, seconds_f64};
pub use csv::read_csv;
pub use dataset::{Described, read_parquet, write_described};
pub use export::{ExportError, Format, write};
pub use frame::{Data, Sheet, TableError, arrow};
pub use ladder::copy_hops;
pub use listing::{copies, exchanges, hops, messages, sightings};
pub use packets::{ListLabels, Look, Rows, ShownColumn, Summary, frames, packets, select, shown};
pub use paper::markdown_text;
pub use timeline::density::navigator;
pub use timeline::event::Event;
pub use timeline::lanes::{OTHERS, RECORDED, Sight, lane_of_host, lanes};
pub use timeline::level::Crowding;
pub use timeline::listing::{Behaviour, run_copies, run_exchanges};
pub use timeline::marks::{CopyMark, ExchangeMark, TimerMark};
pub use timeline::page::{PageQuery, count, page, row_of};
pub use timeline::rto;
pub use timeline::telling::telling;
pub use timeline::{Timeline, completion_p95, fate, needless, outcome};
