//! The allowed imports among the top-level modules of each crate, lowest layer first: a module may import only modules above
//! its own line. A new edge is a decision and goes here.

/// Module and the modules it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// Every crate that keeps layers.
pub const CRATES: &[(&str, &[Layer])] = &[("base", BASE), ("rto", RTO), ("live", LIVE), ("replay", REPLAY)];

const BASE: &[Layer] = &[
    ("id", &[]),
    ("note", &["id"]),
    ("time", &[]),
    ("progress", &[]),
    ("shared_progress", &["progress"]),
    ("cancellable_once", &["progress"]),
];

const RTO: &[Layer] = &[
    ("arithmetic", &[]),
    ("limits", &["arithmetic"]),
    ("params", &["arithmetic"]),
    ("estimator", &["arithmetic"]),
    ("spec", &["params", "estimator"]),
    ("unimplemented", &[]),
    ("exchange", &["arithmetic", "estimator", "spec"]),
    ("parts", &["arithmetic", "params", "estimator"]),
    ("algorithms", &["arithmetic", "params", "estimator", "spec", "parts"]),
    ("registry", &["params", "estimator", "spec", "algorithms"]),
    ("user", &["spec", "registry"]),
    ("algorithm_set", &["params", "estimator", "spec", "registry", "user"]),
    ("optimise", &["params", "spec"]),
    ("model", &["arithmetic", "params", "estimator", "spec", "exchange", "registry"]),
    ("drive", &["arithmetic", "params", "estimator", "spec", "exchange", "algorithm_set"]),
    // Tests of the guide `ADDING.md`.
    ("adding", &["spec", "registry", "model", "drive"]),
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
    ("stats", &[]),
    ("model", &[]),
    ("estimate", &["model"]),
    ("channel", &["estimate", "model"]),
    ("engine", &["channel", "model"]),
    ("scenario", &["channel", "engine", "estimate", "model"]),
    ("metrics", &["engine", "model", "stats"]),
    ("bounds", &["metrics", "model", "scenario", "stats"]),
    ("run", &["bounds", "channel", "engine", "estimate", "metrics", "model", "scenario", "stats"]),
    ("identify", &["model"]),
    ("calibrate", &["channel", "engine", "metrics", "model", "run", "scenario", "stats"]),
    ("sensitivity", &["metrics", "model", "run", "scenario"]),
];
