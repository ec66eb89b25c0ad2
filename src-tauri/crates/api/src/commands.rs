//! The commands of the bridge, one row each: speed, name, request, form and type of the reply, function.
//!
//! Dispatch ([`Session::call`]), the TypeScript interface (`npm run gen`) and the list of commands that can be
//! cancelled are made from these rows. The functions stand in the modules below, one for each part of the window.

mod algorithms;
mod apply;
mod recorded;
pub(crate) mod replayed;
mod study;
mod written;

pub use recorded::dissect::dissection;
pub use recorded::ladder::recorded as ladder;
pub use recorded::network::network_view;
pub use replayed::check_again::read_prediction;
pub use written::export::write_frames;
pub use written::report::{Recorder, data as report_data};

use crate::session::file as session_file;
#[cfg(feature = "ts")]
use crate::typescript::Types;
use crate::view::*;
use crate::{Error, Progress, Session, figure};
use recorded::{alerts, captures, dissect, exchanges, follow, ladder, live, network, packets, plots, step};
use replayed::{channel_states, distribution, replays};
use rto::apply::{Applied, CProgram};
use rto::{AlgorithmSpec, UnimplementedProposal};
use serde::Serialize;
use serde_json::Value;
use table::columns::{Column, EXCHANGE_COLUMNS, LANE_COLUMNS, NAVIGATOR_COLUMNS, PACKET_COLUMNS, RTO_COLUMNS};
use table::network::{NETWORK_LOAD_COLUMNS, NETWORK_SERIES_COLUMNS};
use written::{export, report};

/// Reply to a command.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// A JSON value, whose form is a type of [`crate::view`].
    Json(Value),
    /// An Arrow IPC stream.
    Bytes(Vec<u8>),
}

/// Form of the replies to a command.
#[derive(Clone, Copy, Debug)]
pub enum ReplyKind {
    /// A JSON value of the type that the command names.
    Json,
    /// An Arrow IPC stream with these columns, declared under this name.
    Arrow(&'static str, &'static [Column]),
}

/// One command of the bridge.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name on the wire.
    pub name: &'static str,
    /// Documentation in one line, for the TypeScript interface.
    pub doc: &'static str,
    /// Whether it may take longer than a second: it then reports progress and can be cancelled.
    pub slow: bool,
    /// Form of its successful replies.
    pub reply: ReplyKind,
    /// Declares its request in TypeScript and returns the name of the type.
    #[cfg(feature = "ts")]
    pub request_type: fn(&mut Types) -> String,
    /// Declares its JSON reply in TypeScript and returns the name of the type.
    #[cfg(feature = "ts")]
    pub reply_type: fn(&mut Types) -> String,
    run: fn(&Session, Value, &mut dyn Progress) -> Result<Reply, Error>,
}

/// Declares [`COMMANDS`].
///
/// A row is `SPEED NAME(REQUEST) -> FORM(REPLY) = FUNCTION;`. The function of a `quick` command takes the session and
/// the request; that of a `slow` one takes the progress too. The reply of form `json` is a type, that of form `arrow` a
/// list of columns.
macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $speed:ident $name:ident($request:ty) -> $form:ident $reply:tt = $function:path;)+) => {
        /// Every command of the bridge, in the order of the table.
        pub const COMMANDS: &[Command] = &[$(Command {
            name: stringify!($name),
            doc: concat!($($doc),+).trim_ascii(),
            slow: commands!(@is_slow $speed),
            reply: commands!(@kind $form $reply),
            #[cfg(feature = "ts")]
            request_type: |types| types.declare::<$request>(),
            #[cfg(feature = "ts")]
            reply_type: commands!(@reply_type $form $reply),
            run: |session, request, progress| {
                let request: $request = serde_json::from_value(request)?;
                let reply = commands!(@call $speed $function, session, request, progress);
                commands!(@reply $form $reply, reply)
            },
        }),+];
    };
    // Speed as a value.
    (@is_slow quick) => { false };
    (@is_slow slow) => { true };
    // Call of the function: only a slow one takes the progress.
    (@call quick $function:path, $session:ident, $request:ident, $progress:ident) => {{
        let _ = $progress;
        $function($session, &$request)?
    }};
    (@call slow $function:path, $session:ident, $request:ident, $progress:ident) => {
        $function($session, &$request, $progress)?
    };
    // Form of the reply as a value.
    (@kind json $reply:tt) => { ReplyKind::Json };
    (@kind arrow ($columns:ident)) => { ReplyKind::Arrow(stringify!($columns), $columns) };
    // Declaration of the reply in TypeScript; octets have none.
    (@reply_type json ($reply:ty)) => { |types| types.declare::<$reply>() };
    (@reply_type arrow $reply:tt) => { |_| String::new() };
    // The reply as the bridge takes it.
    (@reply json ($type:ty), $reply:ident) => { json::<$type>(&$reply) };
    (@reply arrow $columns:tt, $reply:ident) => { Ok(Reply::Bytes($reply)) };
}

commands! {
    /// Version, bundled captures and default algorithms, for the start of the window.
    quick startup(()) -> json(Startup) = captures::startup;
    /// Every algorithm with its parameters, the user's presets last.
    quick algorithms(()) -> json(Vec<AlgorithmSpec>) = algorithms::all;
    /// Proposals without a faithful implementation: what is known of them, what is missing.
    quick catalogue(()) -> json(Vec<UnimplementedProposal>) = algorithms::catalogue;
    /// Load a file of presets, or list the loaded ones.
    quick presets(PresetsRequest) -> json(PresetsView) = Session::presets;
    /// An algorithm on a path of constant round trip and loss.
    quick outlook(OutlookRequest) -> json(OutlookView) = Session::outlook;
    /// CoAP stacks, and for each why it cannot run a timer.
    quick coap_stacks(StacksRequest) -> json(Vec<CoapStackView>) = Session::stacks_for;
    /// The lines that make a CoAP stack run an algorithm.
    quick apply(ApplyRequest) -> json(Applied) = Session::apply;
    /// An algorithm as a C program for a CoAP stack.
    quick c_program(ApplyRequest) -> json(CProgram) = Session::c_program;
    /// Write the lines, the header or the C file of an algorithm for a CoAP stack.
    quick export_applied(ExportAppliedRequest) -> json(()) = Session::export_applied;
    /// Read a capture and rebuild its exchanges.
    slow open(OpenRequest) -> json(CaptureView) = Session::open;
    /// Forget a capture and its runs.
    quick close(CaptureRequest) -> json(()) = captures::close;
    /// Judge a capture again under assumptions of the user, under a new number.
    slow assume(AssumeRequest) -> json(CaptureView) = Session::assume;
    /// All open captures.
    quick captures(()) -> json(Vec<CaptureView>) = captures::all;
    /// Sniffers that are plugged in, and serial lines.
    quick live_devices(()) -> json(Vec<LiveDevice>) = live::devices;
    /// Begin a recording from sniffers.
    quick live_start(LiveStartRequest) -> json(LiveView) = live::start;
    /// End the recording.
    quick live_stop(()) -> json(Option<LiveView>) = live::stop;
    /// The state of the recording.
    quick live_state(()) -> json(Option<LiveView>) = live::state;
    /// Send a device to another channel.
    quick live_channel(LiveChannelRequest) -> json(()) = live::set_channel;
    /// The recording as a capture; null where nothing is new.
    slow live_refresh(()) -> json(Option<CaptureView>) = live::refresh;
    /// Follow a capture or a log on disk as it grows.
    quick follow_start(FollowRequest) -> json(FollowView) = follow::start;
    /// The file that is followed.
    quick follow_state(()) -> json(Option<FollowView>) = follow::state;
    /// The followed file as a capture; null where nothing is new.
    slow follow_refresh(()) -> json(Option<CaptureView>) = follow::refresh;
    /// End following; the file as it is then.
    slow follow_stop(()) -> json(Option<CaptureView>) = follow::stop;
    /// Errors of rules of alerts, in their order; empty for one that is right.
    quick alerts_check(AlertsCheckRequest) -> json(Vec<String>) = alerts::check;
    /// Watch the recording or the followed file for alerts.
    quick alerts_start(AlertsStartRequest) -> json(AlertsView) = alerts::start;
    /// Read what is new for alerts; null where nothing is watched.
    slow alerts_look(AlertsRequest) -> json(Option<AlertsView>) = alerts::look;
    /// End the watch; its alerts to the end of the capture.
    slow alerts_stop(AlertsRequest) -> json(Option<AlertsView>) = alerts::stop;
    /// Replay a capture under other algorithms.
    slow replay(ReplayRequest) -> json(ReplayView) = Session::replay;
    /// Distribution of completion times of runs, and their effect on single clients.
    quick distribution(DistributionRequest) -> json(DistributionView) = distribution::distribution;
    /// Real runs of the network of a capture, with their measured values.
    slow measured(MeasuredRequest) -> json(Vec<MeasuredRun>) = Session::measured;
    /// The verdict of a replay with what real runs of the network took.
    slow verdict(ReplayRequest) -> json(AnswerView) = Session::verdict;
    /// A run held against a second capture, taken after the timer was changed.
    slow check_again(CheckRunRequest) -> json(CheckAgainView) = Session::check_run;
    /// The predictions of runs as they are now, to be kept.
    slow keep_prediction(KeepPredictionRequest) -> json(KeptPrediction) = Session::keep_prediction;
    /// A kept prediction held against a second capture.
    slow check_kept(CheckKeptRequest) -> json(CheckAgainView) = Session::check_kept;
    /// Add a check to a calibration table of one's own.
    quick calibration_add(CalibrationAddRequest) -> json(OwnCalibrationView) = Session::add_to_calibration;
    /// One algorithm for several values of one parameter.
    slow sweep(SweepRequest) -> json(Vec<SweepPoint>) = replays::sweep;
    /// Search parameters that improve a measure.
    slow optimise(OptimiseRequest) -> json(OptimisedView) = Session::optimise;
    /// The same question as a replay, asked in other ways.
    slow sensitivity(ReplayRequest) -> json(SensitivityView) = Session::sensitivity;
    /// Checks of the network twin against its own capture, and the channel that the capture chooses.
    slow trust(CaptureRequest) -> json(TrustView) = Session::trust;
    /// The second half of a capture as a network twin of the first half predicts it.
    slow halves(CaptureRequest) -> json(HalvesView) = Session::halves;
    /// Good and bad states of the channel of every path, as fitted.
    slow channel_states(CaptureRequest) -> json(ChannelStatesView) = Session::channel_states;
    /// The channel states of one path over time.
    slow channel_state_series(ChannelStateSeriesRequest) -> json(ChannelStateSeries) = channel_states::series;
    /// The algorithm that was running, and its timeouts.
    slow identify(IdentifyRequest) -> json(IdentifyView) = Session::identify;
    /// Completion times of hosts with many lanes, recorded and under some runs.
    quick lane_hosts(LaneHostsRequest) -> json(Vec<Vec<HostView>>) = plots::hosts;
    /// One exchange, recorded and under some runs.
    quick exchange(ExchangeRequest) -> json(ExchangeView) = exchanges::exchange;
    /// One exchange hop by hop, recorded and under some runs.
    slow ladder(LadderRequest) -> json(LadderView) = ladder::ladder;
    /// The estimator's state at a time.
    quick state(StateRequest) -> json(Vec<StateLine>) = exchanges::state;
    /// The next event before or after a time.
    quick step(StepRequest) -> json(Option<StepView>) = step::step;
    /// Number of rows of the exchange table.
    quick exchange_count(ExchangesRequest) -> json(CountView) = exchanges::count;
    /// Position of an exchange in the exchange table.
    quick exchange_row(ExchangeRowRequest) -> json(Option<u32>) = exchanges::row;
    /// The fields of filter expressions.
    quick fields(()) -> json(Vec<FieldView>) = packets::fields;
    /// The mistake in a filter expression; null where it can be read.
    quick check_filter(CheckFilterRequest) -> json(Option<FilterMistake>) = packets::check;
    /// Number of rows of a packet list.
    slow packet_count(FrameList) -> json(PacketCount) = packets::count;
    /// Position of a frame, an exchange or a time in a packet list.
    slow packet_row(PacketRowRequest) -> json(Option<PacketRow>) = packets::row;
    /// Nodes and links of the network.
    slow network(CaptureRequest) -> json(NetworkView) = network::view;
    /// Places and names that a file gives nodes.
    slow node_list(NodeListRequest) -> json(PlanView) = network::node_list;
    /// One frame in all its layers.
    slow dissect(DissectRequest) -> json(DissectView) = dissect::frame;
    /// Write the frames of a packet list as pcapng.
    slow export_packets(ExportPacketsRequest) -> json(Exported) = export::packets;
    /// Write the rows of a packet list as a table, with the columns that are shown.
    slow export_packet_table(ExportPacketTableRequest) -> json(Exported) = export::packet_table;
    /// Write the packets that a run would have sent as pcapng.
    slow export_run(ExportRunRequest) -> json(Exported) = export::run;
    /// Every figure that can be drawn, with its switches.
    quick recipes(()) -> json(Vec<RecipeSpec>) = figure::all;
    /// Proposed tags of a capture, for figures.
    quick proposed_tags(CaptureRequest) -> json(Vec<TagView>) = figure::tags_of;
    /// A figure from captures and their replays, with its table.
    slow figure(FigureRequest) -> json(FigureView) = figure::figure;
    /// The command line that writes a figure's numbers.
    quick figure_line(FigureRequest) -> json(FigureLine) = Session::figure_line;
    /// Write the table of a figure to a file.
    slow export_figure(FigureTableRequest) -> json(()) = figure::table_file;
    /// Write a picture that the page drew to a file.
    quick export_picture(PictureRequest) -> json(()) = figure::picture;
    /// Captures of a folder of runs, with the tags that their names say.
    slow study_find(StudyFindRequest) -> json(StudyFoundView) = study::find;
    /// Write a study over a folder of runs.
    quick study_write(StudyWriteRequest) -> json(StudyRequestView) = study::write;
    /// Write the bundled captures and a study over them.
    quick study_bundled(StudyBundledRequest) -> json(StudyRequestView) = study::bundled;
    /// Run the tasks of a study that have no row yet.
    slow study_run(StudyRequestView) -> json(StudyRanView) = study::run;
    /// The rows of a study as a grid of scenarios and timers, beside real runs.
    slow study_grid(StudyGridRequest) -> json(StudyGridView) = study::grid;
    /// A figure of a study, with its table.
    slow study_figure(StudyFigureRequest) -> json(FigureView) = study::figure;
    /// Write the table of a figure of a study to a file.
    slow export_study_figure(StudyFigureTableRequest) -> json(()) = study::export_figure;
    /// Write the report of a study to a file.
    slow study_report(StudyReportRequest) -> json(()) = study::report;
    /// Read a session file, and look for its captures.
    slow session_read(SessionReadRequest) -> json(SessionView) = session_file::read;
    /// Complete a session, and write it.
    quick session_write(SessionWriteRequest) -> json(SessionFile) = session_file::write;
    /// Make a report, and write it.
    slow report(ReportRequest) -> json(ReportView) = report::report;
    /// Density over the whole capture.
    quick navigator(NavigatorRequest) -> arrow(NAVIGATOR_COLUMNS) = plots::navigator;
    /// Marks of lanes in a window.
    quick lanes(LanesRequest) -> arrow(LANE_COLUMNS) = plots::lanes;
    /// RTO and RTT over time of one association.
    quick rto(RtoRequest) -> arrow(RTO_COLUMNS) = plots::timeouts;
    /// A page of the exchange table.
    quick exchanges(ExchangesRequest) -> arrow(EXCHANGE_COLUMNS) = exchanges::page;
    /// Load of links and nodes in a window.
    slow network_load(NetworkLoadRequest) -> arrow(NETWORK_LOAD_COLUMNS) = network::load;
    /// Load and loss of the network over time.
    slow network_series(NetworkSeriesRequest) -> arrow(NETWORK_SERIES_COLUMNS) = network::series;
    /// A page of a packet list.
    slow packets(PacketsRequest) -> arrow(PACKET_COLUMNS) = packets::page;
}

impl Session {
    /// Answers the command `name` of [`COMMANDS`], with its request as JSON.
    ///
    /// # Errors
    /// [`crate::Code::Request`] for an unknown command or a malformed request, else as the command's function
    /// documents.
    pub fn call(&self, name: &str, request: Value, progress: &mut dyn Progress) -> Result<Reply, Error> {
        let command = COMMANDS.iter().find(|command| command.name == name);
        let command = command.ok_or_else(|| Error::request(format!("There is no command `{name}`.")))?;
        (command.run)(self, request, progress)
    }
}

fn json<T: Serialize>(value: &T) -> Result<Reply, Error> {
    serde_json::to_value(value).map(Reply::Json).map_err(Error::internal)
}
