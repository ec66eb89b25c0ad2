//! The durable form of a prediction: the part of the JSON of `rtoscope replay --format json` that a comparison needs.

use crate::Error;
use crate::runs::{Stored, metrics};
use crate::view::{
    AlgorithmChoice, ConditionsView, KeptPrediction, MetricView, PartView, PredictedCapture, PredictedMeasure,
    PredictedRun,
};

/// Command that writes a prediction.
const HOW: &str = "`rtoscope replay FIRST --algorithm NAME --format json --out FILE` writes one";

/// Reads a kept prediction.
///
/// # Errors
/// [`crate::Code::Request`]: not such a text.
pub fn read_prediction(text: &str) -> Result<KeptPrediction, Error> {
    serde_json::from_str(text).map_err(|error| Error::request(format!("This is no prediction ({error}): {HOW}.")))
}

/// The prediction of one timer.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    /// SHA-256 of the capture that it was made from, lower-case hex.
    pub sha256: String,
    pub run: PredictedRun,
    /// Conditions of that capture; `None` where the file has none.
    pub conditions: Option<ConditionsView>,
}

impl PredictedMeasure {
    /// The 90 % interval of another run, for the second capture is one; where none was asked for, that of this trace.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        self.another_lo90.zip(self.another_hi90).or_else(|| self.lo90.zip(self.hi90))
    }
}

/// The prediction that a run of a session is.
pub(super) fn predicted(run: &Stored) -> PredictedRun {
    let measure = |metric: MetricView| PredictedMeasure {
        recorded: metric.recorded,
        mean: metric.mean,
        lo90: metric.lo90,
        hi90: metric.hi90,
        another_lo90: metric.another.map(|(lo, _)| lo),
        another_hi90: metric.another.map(|(_, hi)| hi),
    };
    let key = &run.key;
    PredictedRun {
        algorithm: key.algorithm.id.clone(),
        params: key.algorithm.params.clone(),
        channel: key.channel,
        as_recorded: key.part.as_recorded.clone(),
        start: key.part.start,
        policy: key.policy,
        metrics: metrics(&run.result).into_iter().map(|(name, metric)| (name, measure(metric))).collect(),
    }
}

impl Prediction {
    /// The prediction of one timer of `kept`; of several timers that of `wanted`.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: no prediction of that timer, or several timers and none named.
    pub fn of(kept: KeptPrediction, wanted: Option<&AlgorithmChoice>) -> Result<Self, Error> {
        let KeptPrediction { capture: PredictedCapture { sha256, .. }, mut runs, conditions } = kept;
        let names = runs.iter().map(|run| run.algorithm.clone()).collect::<Vec<_>>().join(", ");
        runs.retain(|run| wanted.is_none_or(|wanted| run.is(wanted)));
        let mut runs = runs.into_iter();
        let (run, other) = (runs.next(), runs.next());
        let Some(run) = run else {
            return Err(Error::request(match wanted {
                Some(wanted) => format!("The prediction has no {}; it has: {names}.", wanted.id),
                None => format!("The prediction has no timer: {HOW}."),
            }));
        };
        if other.is_some() {
            return Err(Error::request(format!("The prediction has several timers, {names}: name one of them.")));
        }
        Ok(Self { sha256, run, conditions })
    }

    /// Clients that kept their timer, and the start.
    pub fn part(&self) -> PartView {
        PartView { as_recorded: self.run.as_recorded.clone(), start: self.run.start }
    }
}

impl PredictedRun {
    /// Returns the predicted timer, with its parameters.
    pub(super) fn timer(&self) -> AlgorithmChoice {
        AlgorithmChoice { id: self.algorithm.clone(), params: self.params.clone() }
    }

    /// Whether this is the run of a timer: its algorithm, with at least these parameters.
    fn is(&self, wanted: &AlgorithmChoice) -> bool {
        self.algorithm == wanted.id && wanted.params.iter().all(|(name, value)| self.params.get(name) == Some(value))
    }
}
