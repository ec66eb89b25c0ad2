//! One surface for the app and the command line: sessions, typed requests, replies, error codes.
//!
//! The window calls [`Session::call`] by name with JSON; [`COMMANDS`] lists what there is and is where
//! the TypeScript interface is generated from. The command line calls the same functions with types.

mod algorithms;
pub mod calibrate;
mod claims;
mod commands;
mod comparison;
mod dissect;
mod error;
mod export;
mod figure;
mod identify;
mod kept;
mod ladder;
mod measures;
mod motes;
mod network;
mod open;
mod optimise;
mod packets;
mod params;
mod part;
mod queries;
mod reading;
mod recording;
mod report;
mod runs;
mod samples;
mod sensitivity;
mod session;
mod session_file;
mod shell;
mod step;
pub mod view;
mod weather;

pub use base::{AssociationId, ExchangeId, FrameId, Instant, Progress, SharedProgress, Silent, Span};
pub use commands::{COMMANDS, Command, ReplyKind};
pub use comparison::comparison;
pub use dissect::dissection;
pub use error::{Code, Error};
pub use export::write_frames;
pub use figure::{proposed_tags, recipes, write as write_figure};
pub use ladder::recorded as ladder;
pub use network::{network_of, network_view};
pub use open::{Opened, decode, decode_merged, decode_octets, file_view, sha256};
pub use packets::filter;
pub use reading::{Reading, address, context, keys};
pub use report::{Recorder, SECTIONS, Section, data as report_data, data_of as data_of_report, page as report_page};
pub use samples::{SampleFile, samples};
pub use session::{Reply, Session};
pub use session_file::read_session;

/// The tables of the command line and how to write them.
pub use table::filter::{Field, Filter, fields};
pub use table::{
    Cells, ExportError, Format, Listing, Rows, Timeline, copies, copy_hops, exchanges, frames, hops, messages, select,
    sightings, write,
};

/// The tables of the network.
pub use table::network as network_listing;

/// The registry of algorithms, and the interface that drives one estimator by hand.
pub use rto::{AlgorithmSpec, Dossier, ParamSpec, Unit, catalogue, drive, parse_overrides, specs};

/// Sniffers, and recording what they hear.
pub use live;

/// How captures are read and decoded.
pub use trace::export as pcapng;
pub use trace::{
    Association, Assumed, Assumptions, Capture, DecodeOptions, FcsChoice, ImportOptions, LinkKey, Places, Trace,
    Vantage, Workload, open as import,
};
