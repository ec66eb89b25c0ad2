//! The durable form of a prediction: the part of the JSON of `rtoscope replay --format json` that a comparison needs.

use crate::Error;
use crate::runs::{Stored, metrics};
use crate::view::{AlgorithmChoice, ChannelKind, ConditionsView, MetricView, PartView, PolicyView, StartView};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Prediction of one timer for a capture. Unknown members are ignored, so that later versions may add some.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    /// SHA-256 of the capture that it was made from, lower-case hex.
    pub sha256: String,
    /// Predicted timer.
    pub algorithm: AlgorithmChoice,
    /// Channel model of the replay.
    pub channel: ChannelKind,
    /// Clients that stay as recorded, and the beginning of the replay.
    pub part: PartView,
    /// Rules of the sender.
    pub policy: PolicyView,
    /// Measures by name.
    pub measures: BTreeMap<String, Measure>,
    /// Conditions of that capture; `None` where the file does not have them.
    pub conditions: Option<ConditionsView>,
}

/// A measure of a prediction, in its unit. `None` where it does not apply or was not asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Measure {
    /// Value in the first capture.
    pub recorded: Option<f64>,
    /// Mean over replicates.
    pub mean: Option<f64>,
    /// 5th percentile over replicates.
    pub lo90: Option<f64>,
    /// 95th percentile over replicates.
    pub hi90: Option<f64>,
    /// 5th percentile of another run.
    pub another_lo90: Option<f64>,
    /// 95th percentile of another run.
    pub another_hi90: Option<f64>,
}

impl Measure {
    /// Returns the 90 % interval of another run, as the second capture is one; else, where not asked for, of the trace.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        self.another_lo90.zip(self.another_hi90).or_else(|| self.lo90.zip(self.hi90))
    }
}

#[derive(Deserialize)]
struct Document {
    capture: Captured,
    runs: Vec<Run>,
    conditions: Option<ConditionsView>,
}

#[derive(Deserialize)]
struct Captured {
    sha256: String,
}

#[derive(Deserialize)]
struct Run {
    algorithm: String,
    params: Map<String, Value>,
    channel: ChannelKind,
    #[serde(default)]
    as_recorded: Vec<base::AssociationId>,
    start: Option<StartView>,
    #[serde(default)]
    policy: PolicyView,
    metrics: BTreeMap<String, Measure>,
}

impl Prediction {
    /// Returns the prediction that a run of this session makes; `sha256` and `conditions` are those of its capture.
    pub(super) fn of(run: &Stored, sha256: String, conditions: ConditionsView) -> Self {
        let measure = |metric: MetricView| Measure {
            recorded: metric.recorded,
            mean: metric.mean,
            lo90: metric.lo90,
            hi90: metric.hi90,
            another_lo90: metric.another.map(|(lo, _)| lo),
            another_hi90: metric.another.map(|(_, hi)| hi),
        };
        Self {
            sha256,
            algorithm: run.key.algorithm.clone(),
            channel: run.key.channel,
            part: run.key.part.clone(),
            policy: run.key.policy,
            measures: metrics(&run.result).into_iter().map(|(name, metric)| (name, measure(metric))).collect(),
            conditions: Some(conditions),
        }
    }

    /// Reads a prediction; of several timers, that of `wanted`.
    ///
    /// # Errors
    /// [`crate::Code::Request`] for a text without that form, no prediction of that timer, or several timers and none
    /// wanted.
    pub(super) fn read(text: &str, wanted: Option<&AlgorithmChoice>) -> Result<Self, Error> {
        let how = "`rtoscope replay FIRST --algorithm NAME --format json --out FILE` writes one";
        let document: Document = serde_json::from_str(text)
            .map_err(|error| Error::request(format!("This is no prediction ({error}): {how}.")))?;
        let names = document.runs.iter().map(|run| run.algorithm.clone()).collect::<Vec<_>>().join(", ");
        let is_wanted = |run: &&Run| wanted.is_none_or(|wanted| run.is(wanted));
        let mut runs = document.runs.iter().filter(is_wanted);
        let (run, other) = (runs.next(), runs.next());
        let Some(run) = run else {
            return Err(Error::request(match wanted {
                Some(wanted) => format!("The prediction has no {}; it has: {names}.", wanted.id),
                None => format!("The prediction has no timer: {how}."),
            }));
        };
        if other.is_some() {
            return Err(Error::request(format!("The prediction has several timers, {names}: name one of them.")));
        }
        Ok(Self {
            sha256: document.capture.sha256,
            algorithm: AlgorithmChoice { id: run.algorithm.clone(), params: run.params.clone() },
            channel: run.channel,
            part: PartView { as_recorded: run.as_recorded.clone(), start: run.start },
            policy: run.policy,
            measures: run.metrics.clone(),
            conditions: document.conditions,
        })
    }
}

impl Run {
    /// Whether this is the run of a timer: its algorithm, with at least these parameters.
    fn is(&self, wanted: &AlgorithmChoice) -> bool {
        self.algorithm == wanted.id && wanted.params.iter().all(|(name, value)| self.params.get(name) == Some(value))
    }
}
