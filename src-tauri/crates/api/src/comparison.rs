//! The result of a replay as a table: a row per algorithm and measure.

use crate::view::{AlgorithmChoice, MetricView, ReplayView};
use table::{Cells, Listing};

/// A row per algorithm and measure, in the order of the reply. `lo90` to `hi90` is what would have happened in this trace with the
/// recorded luck; `another_lo90` to `another_hi90` is what another run under the same channel statistics would show. Rules and a part of the capture that are not as
/// usual are a column more.
#[must_use]
pub fn comparison(reply: &ReplayView) -> Listing {
    let rows: Vec<(&AlgorithmChoice, &str, &MetricView)> = reply
        .runs
        .iter()
        .flat_map(|run| {
            let found = |spec: &'_ crate::view::MetricSpec| run.metrics.get_key_value(&spec.name);
            reply.metrics.iter().filter_map(found).map(move |(name, m)| (&run.algorithm, name.as_str(), m))
        })
        .collect();
    let text = |f: fn(&AlgorithmChoice, &str) -> String| Cells::Text(rows.iter().map(|r| Some(f(r.0, r.1))).collect());
    let real = |f: fn(&MetricView) -> Option<f64>| Cells::Real(rows.iter().map(|r| f(r.2)).collect());
    let mut listing = Listing {
        columns: vec![
            ("algorithm", text(|algorithm, _| name(algorithm))),
            ("metric", text(|_, metric| metric.to_owned())),
            ("recorded", real(|m| m.recorded)),
            ("worst", real(|m| m.worst)),
            ("best", real(|m| m.best)),
            ("mean", real(|m| m.mean)),
            ("lo90", real(|m| m.lo90)),
            ("hi90", real(|m| m.hi90)),
            ("another_lo90", real(|m| m.another.map(|a| a.0))),
            ("another_hi90", real(|m| m.another.map(|a| a.1))),
            ("support", real(|m| m.support)),
        ],
    };
    if let Some(settings) = &reply.settings {
        listing.say("settings", settings);
    }
    listing
}

/// As the command line takes it: `cocoa_plus:k_weak=1`.
fn name(algorithm: &AlgorithmChoice) -> String {
    if algorithm.params.is_empty() {
        return algorithm.id.clone();
    }
    let params: Vec<String> = algorithm.params.iter().map(|(k, v)| format!("{k}={v}")).collect();
    format!("{}:{}", algorithm.id, params.join(","))
}
