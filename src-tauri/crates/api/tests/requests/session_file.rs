//! A session of one capture, as tests and benchmarks write and read it.

use serde_json::{Value, json};

/// The session of a capture seen in `window`, replayed under `algorithms`, with `figures` in its report.
pub fn session_file(window: [&Value; 2], algorithms: Value, replicates: u32, figures: Value) -> Value {
    json!({
        "format": "rtoscope-session", "version": 1, "program": "", "current": 0, "view": "report",
        "captures": [{
            "name": "", "sample": null, "files": [], "window": window, "selection": null,
            "playhead": window[0], "association": 0, "tags": {},
            "decode": {
                "fcs": "auto", "ports": [], "rc_option": null, "contexts": [], "keys": 0, "addresses": [],
                "unpack_ratio": null,
            },
        }],
        "algorithms": algorithms, "baseline": null, "metrics": null, "what_if": null,
        "replay": { "channel": "empirical", "workload": "auto", "seed": 1, "replicates": replicates },
        "report": { "title": "", "notes": "", "sections": [], "figures": figures },
    })
}
