//! The allowed imports among the top-level modules of each crate, lowest layer first: a module may import only modules above
//! its own line. A new edge is a decision and goes here.

/// Module and the modules it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// Every crate that keeps layers.
pub const CRATES: &[(&str, &[Layer])] = &[("base", BASE), ("live", LIVE), ("replay", REPLAY)];

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

const REPLAY: &[Layer] = &[
    ("model", &[]),
    ("stats", &["model"]),
    ("estimate", &["model"]),
    ("channel", &["estimate", "model"]),
    ("engine", &["channel", "model"]),
    ("scenario", &["channel", "engine", "estimate", "model"]),
    ("metrics", &["engine", "model", "stats"]),
    ("bounds", &["metrics", "model", "scenario", "stats"]),
    ("run", &["bounds", "channel", "engine", "estimate", "metrics", "model", "scenario", "stats"]),
    ("identify", &["model"]),
    ("calibrate", &["channel", "engine", "metrics", "model", "run", "scenario", "stats"]),
    ("sensitivity", &["estimate", "metrics", "model", "run", "scenario"]),
];
