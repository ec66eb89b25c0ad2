//! The allowed imports among the top-level modules of each crate, lowest layer first: a module may import only modules
//! above its own line. A new edge is a decision and goes here.

/// Module and the modules it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// Every crate that keeps layers.
pub const CRATES: &[(&str, &[Layer])] = &[
    ("base", BASE),
    ("wire", WIRE),
    ("trace", TRACE),
    ("live", LIVE),
    ("rto", RTO),
    ("twin", TWIN),
    ("replay", REPLAY),
    ("table", TABLE),
    ("study", STUDY),
    ("watch", WATCH),
    ("api", API),
    ("cli", CLI),
    ("python", PYTHON),
];

const BASE: &[Layer] = &[
    ("id", &[]),
    ("philox", &[]),
    ("printable", &[]),
    ("note", &["id", "printable"]),
    ("time", &[]),
    ("quantity", &["time"]),
    ("progress", &[]),
    ("shared_progress", &["progress"]),
    ("cancellable_once", &["progress"]),
];

const WIRE: &[Layer] = &[
    ("error", &[]),
    ("reader", &["error"]),
    ("coap", &["error", "reader"]),
    ("dtls", &["error", "reader"]),
    ("udp", &["error", "reader"]),
    ("link", &["error", "reader"]),
    ("ip", &["error", "link", "reader"]),
    ("tree", &["coap", "dtls", "error", "ip", "link", "udp"]),
    ("fuzz", &["coap", "dtls", "error", "ip", "link", "tree", "udp"]),
];

const LIVE: &[Layer] = &[
    ("clock", &[]),
    ("stop", &[]),
    ("decode", &[]),
    ("output", &[]),
    ("fuzz", &["decode"]),
    ("device", &["clock", "decode"]),
    ("recording", &["decode", "output"]),
    ("capture", &["clock", "decode", "device", "recording"]),
];

const TRACE: &[Layer] = &[
    ("lookup", &[]),
    ("model", &[]),
    ("import", &["model"]),
    ("export", &["model"]),
    ("decode", &["lookup", "model"]),
    ("exchange", &["decode", "lookup", "model"]),
    ("judge", &["decode", "lookup", "model"]),
    ("analysis", &["decode", "exchange", "import", "judge", "model"]),
    ("packet", &["analysis", "decode", "model"]),
    ("ladder", &["analysis", "decode", "judge", "model"]),
    ("node_list", &["import"]),
    ("network", &["analysis", "decode", "lookup", "model", "node_list", "packet"]),
    ("mote_log", &["analysis", "import", "model"]),
    ("fuzz", &["import", "model", "mote_log", "node_list"]),
];

const RTO: &[Layer] = &[
    ("arithmetic", &[]),
    ("limits", &["arithmetic"]),
    ("params", &["arithmetic"]),
    ("estimator", &["arithmetic"]),
    ("spec", &["arithmetic", "params", "estimator"]),
    ("exchange", &["arithmetic", "estimator", "spec"]),
    ("parts", &["arithmetic", "params", "estimator"]),
    ("algorithms", &["arithmetic", "params", "estimator", "spec", "parts"]),
    ("registry", &["params", "estimator", "spec", "algorithms"]),
    ("apply", &["arithmetic", "params", "spec"]),
    ("optimise", &["params", "spec"]),
    ("model", &["arithmetic", "params", "estimator", "spec", "exchange", "registry"]),
    ("drive", &["arithmetic", "params", "estimator", "spec", "exchange", "registry"]),
    // Tests of the guide `ADDING.md`.
    ("adding", &["spec", "registry", "model", "drive"]),
];

const TWIN: &[Layer] = &[
    ("model", &[]),
    ("behaviour", &["model"]),
    ("ways", &["model"]),
    ("inference", &["model"]),
    ("simulation", &["model"]),
];

const REPLAY: &[Layer] = &[
    ("stats", &[]),
    ("model", &[]),
    ("estimate", &["model"]),
    ("channel", &["estimate", "model"]),
    ("engine", &["channel", "model"]),
    ("scenario", &["channel", "engine", "estimate", "model"]),
    ("metrics", &["engine", "model", "stats"]),
    ("bounds", &["metrics", "model", "scenario", "stats"]),
    ("run", &["bounds", "channel", "engine", "estimate", "metrics", "model", "scenario", "stats"]),
    ("stage", &[]),
    ("identify", &["model"]),
    ("calibrate", &["channel", "engine", "metrics", "model", "run", "scenario", "stage", "stats"]),
    ("sensitivity", &["estimate", "metrics", "model", "run", "scenario", "stage"]),
    ("trust", &["calibrate", "identify", "metrics", "model", "run", "scenario", "stats"]),
];

const TABLE: &[Layer] = &[
    ("cells", &[]),
    ("columns", &[]),
    ("frame", &["columns"]),
    ("csv", &["cells", "frame"]),
    ("paper", &["cells"]),
    ("export", &["cells", "frame", "paper"]),
    ("arrow_c", &["cells", "export", "frame"]),
    ("dataset", &["cells", "export", "frame"]),
    ("listing", &["cells"]),
    ("timeline", &["cells", "columns", "frame", "listing"]),
    ("filter", &["timeline"]),
    ("ladder", &["cells", "listing"]),
    ("network", &["cells", "columns", "frame"]),
    ("packets", &["cells", "columns", "filter", "frame", "timeline"]),
];

const STUDY: &[Layer] = &[
    ("pattern", &[]),
    ("guess", &["pattern"]),
    ("outline", &[]),
    ("spec", &["pattern"]),
    ("plan", &["spec"]),
    ("row", &[]),
    ("groups", &["row"]),
];

const WATCH: &[Layer] = &[
    ("clock", &[]),
    ("exchange", &[]),
    ("parents", &[]),
    ("timers", &[]),
    ("window", &[]),
    ("clients", &["exchange"]),
    ("measure", &["exchange"]),
    ("rule", &["measure"]),
    ("sliding", &["measure"]),
    ("alert", &["exchange", "measure", "rule", "sliding"]),
    ("watch", &["alert", "clients", "clock", "exchange", "parents", "rule", "timers", "window"]),
];

const API: &[Layer] = &[
    ("error", &[]),
    ("shell", &[]),
    ("typescript", &[]),
    ("view", &["error"]),
    ("comparison", &["view"]),
    ("report_page", &["error"]),
    ("opened", &["comparison", "error", "view"]),
    ("runs", &["error", "opened", "view"]),
    ("calibrate", &["error", "opened", "runs", "view"]),
    ("session", &["error", "opened", "report_page", "runs", "view"]),
    ("figure", &["comparison", "error", "opened", "runs", "session", "shell", "view"]),
    ("study", &["calibrate", "error", "figure", "opened", "report_page", "runs", "shell", "view"]),
    ("tables", &["comparison", "error", "opened", "session", "view"]),
    (
        "commands",
        &[
            "calibrate",
            "comparison",
            "error",
            "figure",
            "opened",
            "report_page",
            "runs",
            "session",
            "shell",
            "study",
            "typescript",
            "view",
        ],
    ),
];

const CLI: &[Layer] = &[
    ("numbers", &[]),
    ("args", &["numbers"]),
    ("policy", &["numbers"]),
    ("progress", &[]),
    ("rows", &[]),
    ("inputs", &["args"]),
    ("output", &["args"]),
    ("clients", &["args"]),
    ("part", &["args", "clients"]),
    ("captures", &["args", "clients", "output", "progress"]),
    ("choices", &["args", "captures"]),
    ("one_run", &["args", "choices", "numbers", "part", "policy", "progress"]),
    (
        "commands",
        &[
            "args", "captures", "choices", "clients", "numbers", "one_run", "output", "part", "policy", "progress",
            "rows",
        ],
    ),
];

const PYTHON: &[Layer] = &[
    ("error", &[]),
    ("long", &["error"]),
    ("table", &["error"]),
    ("estimator", &["error"]),
    ("session", &["error", "long", "table"]),
    ("study", &["error", "long", "table"]),
];
