//! The allowed imports among the top-level modules of each crate, lowest layer first: a module may import only modules above
//! its own line. A new edge is a decision and goes here.

/// Module and the modules it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// Every crate that keeps layers.
pub const CRATES: &[(&str, &[Layer])] = &[("base", BASE), ("live", LIVE), ("api", API), ("cli", CLI)];

const BASE: &[Layer] = &[
    ("id", &[]),
    ("note", &["id"]),
    ("time", &[]),
    ("progress", &[]),
    ("shared_progress", &["progress"]),
    ("cancellable_once", &["progress"]),
];

const LIVE: &[Layer] = &[
    ("clock", &[]),
    ("stop", &[]),
    ("decode", &[]),
    ("fuzz", &["decode"]),
    ("device", &["clock", "decode"]),
    ("recording", &["decode"]),
    ("capture", &["clock", "decode", "device", "recording"]),
];

const API: &[Layer] = &[
    ("error", &[]),
    ("shell", &[]),
    ("samples", &[]),
    ("typescript", &[]),
    ("view", &["error"]),
    ("comparison", &["view"]),
    ("recording", &["view"]),
    ("report_page", &["error", "view"]),
    ("opened", &["error", "samples", "view"]),
    ("runs", &["error", "opened", "view"]),
    ("calibrate", &["error", "opened", "runs", "view"]),
    ("session", &["error", "opened", "recording", "runs", "view"]),
    ("session_file", &["error", "opened", "report_page", "runs", "samples", "session", "view"]),
    ("figure", &["error", "opened", "runs", "samples", "session", "session_file", "shell", "view"]),
    (
        "commands",
        &[
            "comparison",
            "error",
            "figure",
            "opened",
            "recording",
            "report_page",
            "runs",
            "samples",
            "session",
            "session_file",
            "shell",
            "typescript",
            "view",
        ],
    ),
];

const CLI: &[Layer] = &[
    ("args", &[]),
    ("policy", &[]),
    ("progress", &[]),
    ("output", &["args"]),
    ("choices", &["args"]),
    ("clients", &["args"]),
    ("part", &["args", "clients", "policy"]),
    ("captures", &["args", "clients", "progress"]),
    ("commands", &["args", "captures", "choices", "clients", "output", "part", "policy", "progress"]),
];
