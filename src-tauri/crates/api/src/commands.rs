//! The command table: name, request, reply. `commands.ts` is generated from it.

use table::columns::{Column, EXCHANGE_COLUMNS, LANE_COLUMNS, NAVIGATOR_COLUMNS, PACKET_COLUMNS, RTO_COLUMNS};
use table::network::{NETWORK_LOAD_COLUMNS, NETWORK_SERIES_COLUMNS};

/// What a command answers with.
#[derive(Clone, Copy, Debug)]
pub enum ReplyKind {
    /// JSON of this TypeScript type.
    Json(&'static str),
    /// An Arrow IPC stream with these columns, under this type name.
    Arrow(&'static str, &'static [Column]),
}

/// One command of the bridge.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name on the wire.
    pub name: &'static str,
    /// TypeScript type of the request; `null` without one.
    pub request: &'static str,
    /// What it answers with.
    pub reply: ReplyKind,
    /// May take longer than a moment: reports progress and can be cancelled.
    pub slow: bool,
    /// One line of documentation.
    pub doc: &'static str,
}

const fn json(
    name: &'static str,
    request: &'static str,
    reply: &'static str,
    slow: bool,
    doc: &'static str,
) -> Command {
    Command { name, request, reply: ReplyKind::Json(reply), slow, doc }
}

const fn arrow(
    name: &'static str,
    request: &'static str,
    columns: (&'static str, &'static [Column]),
    slow: bool,
    doc: &'static str,
) -> Command {
    Command { name, request, reply: ReplyKind::Arrow(columns.0, columns.1), slow, doc }
}

/// Every command, in the order of the sentence "open, see, ask".
pub const COMMANDS: &[Command] = &[
    json("startup", "null", "Startup", false, "What the window needs at its start."),
    json(
        "algorithms",
        "null",
        "AlgorithmSpec[]",
        false,
        "Every algorithm with its parameters, the user's presets last.",
    ),
    json(
        "catalogue",
        "null",
        "UnimplementedProposal[]",
        false,
        "Proposals without a faithful implementation: known, missing.",
    ),
    json("presets", "PresetsRequest", "PresetsView", false, "Load a file of presets; or which there are."),
    json("outlook", "OutlookRequest", "OutlookView", false, "An algorithm on a path of constant round trip and loss."),
    json("open", "OpenRequest", "CaptureView", true, "Read a capture and rebuild its exchanges."),
    json("close", "CaptureRequest", "null", false, "Forget a capture and its runs."),
    json("assume", "AssumeRequest", "CaptureView", true, "Judge a capture by what is said of it, under a new number."),
    json("captures", "null", "CaptureView[]", false, "All open captures."),
    json("live_devices", "null", "LiveDevice[]", false, "Sniffers that are plugged in, and serial lines."),
    json("live_start", "LiveStartRequest", "LiveView", false, "Begin to record what sniffers hear."),
    json("live_stop", "null", "LiveView | null", true, "End the recording."),
    json("live_state", "null", "LiveView | null", false, "How the recording does."),
    json("live_channel", "LiveChannelRequest", "null", false, "Send a device to another channel."),
    json("live_refresh", "null", "CaptureView | null", true, "The recording as a capture; null where nothing is new."),
    json("replay", "ReplayRequest", "ReplayView", true, "Replay a capture under other algorithms."),
    json("sweep", "SweepRequest", "SweepPoint[]", true, "One algorithm for several values of one parameter."),
    json("optimise", "OptimiseRequest", "OptimisedView", true, "Search parameters that improve a measure."),
    json("sensitivity", "ReplayRequest", "SensitivityView", true, "What the answer to a replay depends on."),
    json("weather", "CaptureRequest", "WeatherView", true, "Good and bad spells of every path, as fitted."),
    json("weather_series", "WeatherSeriesRequest", "WeatherSeries", true, "How the weather of a path went."),
    json("identify", "IdentifyRequest", "IdentifyView", true, "Which algorithm was running, and its timeouts."),
    json("exchange", "ExchangeRequest", "ExchangeView", false, "One exchange, recorded and under some runs."),
    json("ladder", "LadderRequest", "LadderView", false, "One exchange hop by hop, recorded and under some runs."),
    json("state", "StateRequest", "StateLine[]", false, "The estimator's state at a time."),
    json("step", "StepRequest", "StepView | null", false, "The next event before or after a time."),
    json("exchange_count", "ExchangesRequest", "CountView", false, "Rows of the exchange table in all."),
    json("fields", "null", "FieldView[]", false, "What filter expressions may ask."),
    json("packet_count", "FrameList", "PacketCount", true, "Rows of a packet list."),
    json("packet_row", "PacketRowRequest", "PacketRow | null", true, "Where in a packet list something is."),
    json("network", "CaptureRequest", "NetworkView", true, "Nodes and links of the network."),
    json("dissect", "DissectRequest", "DissectView", false, "One frame in all its layers."),
    json("export_packets", "ExportPacketsRequest", "Exported", true, "Write the frames of a packet list as pcapng."),
    json("export_run", "ExportRunRequest", "Exported", true, "Write what a run would have sent as pcapng."),
    json("recipes", "null", "RecipeSpec[]", false, "Every figure that can be drawn, with its switches."),
    json("proposed_tags", "CaptureRequest", "TagView[]", false, "What may be said of a capture in figures."),
    json("figure", "FigureRequest", "FigureView", true, "A figure from captures and their replays, with its table."),
    json("figure_line", "FigureRequest", "FigureLine", false, "The command line that writes a figure's numbers."),
    json("export_figure", "FigureTableRequest", "null", true, "Write the table of a figure to a file."),
    json("export_picture", "PictureRequest", "null", false, "Write a picture that the page drew to a file."),
    json("session_read", "SessionReadRequest", "SessionView", true, "Read a session file, and look for its captures."),
    json("session_write", "SessionWriteRequest", "SessionFile", false, "Complete a session, and write it."),
    json("report", "ReportRequest", "ReportView", true, "Make a report, and write it."),
    arrow(
        "navigator",
        "NavigatorRequest",
        ("NavigatorColumns", NAVIGATOR_COLUMNS),
        false,
        "Density over the whole capture.",
    ),
    arrow("lanes", "LanesRequest", ("LaneColumns", LANE_COLUMNS), false, "Marks of lanes in a window."),
    arrow("rto", "RtoRequest", ("RtoColumns", RTO_COLUMNS), false, "RTO and RTT over time of one association."),
    arrow(
        "exchanges",
        "ExchangesRequest",
        ("ExchangeColumns", EXCHANGE_COLUMNS),
        false,
        "A page of the exchange table.",
    ),
    arrow(
        "network_load",
        "NetworkLoadRequest",
        ("NetworkLoadColumns", NETWORK_LOAD_COLUMNS),
        true,
        "What links and nodes carried in a window.",
    ),
    arrow(
        "network_series",
        "NetworkSeriesRequest",
        ("NetworkSeriesColumns", NETWORK_SERIES_COLUMNS),
        true,
        "Load and loss of the network over time.",
    ),
    arrow("packets", "PacketsRequest", ("PacketColumns", PACKET_COLUMNS), true, "A page of a packet list."),
];
