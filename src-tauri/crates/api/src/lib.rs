//! One surface for the app and the command line: sessions, typed requests, replies, error codes.
//!
//! The window calls [`Session::call`] by name with JSON; [`COMMANDS`] lists the commands, and the TypeScript interface
//! is generated from it. The command line calls the same functions with types.

pub mod calibrate;
mod commands;
mod comparison;
mod error;
mod figure;
mod opened;
mod report_page;
mod runs;
mod session;
mod shell;
mod study;
mod tables;
#[cfg(feature = "ts")]
pub mod typescript;
pub mod view;

pub use base::{AssociationId, ExchangeId, FrameId, Instant, Progress, SharedProgress, Silent, Span};
pub use base::{read_span, split_unit};
pub use commands::{
    COMMANDS, Command, Recorder, Reply, ReplyKind, dissection, ladder, network_view, read_prediction, report_data,
    write_frames,
};
pub use comparison::{LOW_SUPPORT, comparison, differences, reservation, verdict};
pub use error::{Code, Error};
pub use figure::{proposed_tags, recipes, write as write_figure};
pub use opened::samples::{SampleFile, samples};
pub use opened::{
    ListBeside, Opened, ReadOptions, address, context, decode, decode_and_hash, decode_files, decode_merged,
    decode_octets, file_view, filter, keys, known_timers, network_of, plan_view, read_beside, sha256, stack, summary,
    utc,
};
pub use report_page::{data_of as data_of_report, page as report_page};
pub use session::Session;
pub use session::file::read_session;
pub use session::growing::{GrowingFile, Grown, HEAD_OCTETS, head_of};
pub use study::{
    GroupsAsked, StudyAnswered, StudyDocument, StudyFigureAsked, StudyJobs, StudyMissing, StudyPlace, StudyReply,
    StudyRequest, StudyTicket, Tally, folder_of as folder_of_study, study_answer, study_figure, study_figure_document,
    study_grid, study_groups, study_measures, study_report, study_rows, study_run, study_status,
};
pub use tables::TableRequest;

/// Tables of the command line, filters, and the writing of tables.
pub use table::filter::{Field, Filter, fields};
pub use table::{
    ArrowTable, Cells, ExportError, Format, Listing, Rows, Timeline, copies, copy_hops, exchanges, frames, hops,
    markdown_text, messages, seconds_f64, select, sightings, write,
};

/// Tables of the network.
pub use table::network as network_listing;

/// The registry of algorithms, and the interface that drives one estimator by hand.
pub use rto::{
    AlgorithmSpec, ParamSpec, UnimplementedProposal, Unit, drive, parse_overrides, specs, unimplemented_proposals,
};

/// One exchange with its timer, stepped by hand.
pub use rto::exchange::{Answer, ClientExchange, Expiry, SenderRules};
pub use rto::{Dither, Estimator, EstimatorState, Sample, build as build_estimator};

/// Lines that make a CoAP stack run a timer, and timers as C programs.
pub use rto::apply::{Applied, CProgram, CoapStack, ProgramOctets, coap_stacks, program_octets};

/// Files that are written whole or not at all.
pub use live::output::{OutputFile, is_same_file, replace as replace_file};

/// Text made safe to show in a terminal and in JSON.
pub use base::{is_printable, printable, printable_json, printable_lines};

/// Sniffers, and recordings of the frames that they hear.
pub use live;

/// Captures that go on, and their alerts.
pub use watch::{self, rules_of_file};

/// Reading and decoding of captures.
pub use trace::export as pcapng;
pub use trace::{
    Association, Assumed, Assumptions, Capture, DecodeOptions, Exchange, FcsChoice, Growth, ImportOptions, KnownTimers,
    Learned, LinkKey, NodeList, Pieces, Places, Tail, Trace, Vantage, Workload, analyse, open as import,
    open_node_list, read_node_list,
};
