//! The allowed imports among the top-level modules of each crate, lowest layer first: a module may import only modules above
//! its own line. A new edge is a decision and goes here.

/// Module and the modules it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// Every crate that keeps layers.
pub const CRATES: &[(&str, &[Layer])] = &[("base", BASE), ("trace", TRACE), ("live", LIVE)];

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
    ("network", &["analysis", "decode", "lookup", "model", "packet"]),
    ("mote_log", &["analysis", "import", "model"]),
    ("fuzz", &["import", "model", "mote_log"]),
];
