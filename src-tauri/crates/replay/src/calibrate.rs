//! Calibration: predictions scored against real runs of the same world under several timers.
//!
//! From the trace of one run the metrics of another are predicted, for every ordered pair, and compared with the
//! other's own trace, measured by the same code ([`Replay::recorded`]). A real run meets its own random outcomes, so
//! the prediction scored is that of another run ([`AnotherRun`]). The prediction for this trace is scored beside it:
//! its intervals are too narrow for another run, because at recorded moments they keep the recorded outcomes.
//!
//! Two baselines stand beside each prediction: the *persistence* forecast (the other run is like this one) and the
//! *trace-driven* one ([`trace_driven()`]). The noise floor of every prediction is the difference of two runs with the
//! same timer ([`Line::floor`]).

mod copies;
mod score;
mod trace_driven;

pub use copies::{Chance, CopyScore, CopyTruth, Moment, score_copies};
pub use score::{Line, crps, summarise};
pub use trace_driven::trace_driven;

use crate::metrics::{MetricName, Values};
use crate::model::ChannelSpec;
use crate::run::model_error::{Kind, Known, Learned, learn};
use crate::run::{Replay, RunResult};
use crate::scenario::{Algorithm, AnotherRun, Bounds, Error, ModelErrors, Scenario};
use crate::stage::Stage;
use crate::stats::{Interval, interval, mean};
use base::Progress;

/// Metrics that are scored: completion times (seconds), retransmissions per exchange, share of needless copies, share
/// of failed exchanges. Chosen here by judgement: no experiment decides it; the time, the middle and the tail of it,
/// what it costs, what was in vain, and what fails; trust asks the same six of a twin.
pub const SCORED: [MetricName; 6] = [
    MetricName::DurationMean,
    MetricName::DurationP50,
    MetricName::DurationP95,
    MetricName::RetriesMean,
    MetricName::SpuriousAll,
    MetricName::PlrExchange,
];

/// One real run of a world: a network that ran under a timer.
#[derive(Debug)]
pub struct RealRun {
    /// Name of the run, unique within its scenario and seed.
    pub name: String,
    /// Algorithm that ran; runs with equal ones are repeats of each other.
    pub algorithm: Algorithm,
    /// Trace of the run.
    pub replay: Replay,
    /// Metrics of the whole run, where the trace has only a part of it; `None`: those of the trace count.
    pub truth: Option<Values>,
}

/// Options of the predictions of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Channels that predict, each on every pair.
    pub channels: Vec<ChannelSpec>,
    /// Seed of all random numbers of the predictions.
    pub seed: u64,
    /// Number of replicates of a modelled channel.
    pub replicates: u32,
    /// Whether intervals contain the channel's model error; excluded in order to learn it.
    pub model_error: ModelErrors,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            channels: ChannelSpec::ALL.to_vec(),
            seed: 1,
            replicates: Scenario::REPLICATES,
            model_error: ModelErrors::Include,
        }
    }
}

/// Summary of a predictive distribution of one metric, in its unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// Mean over replicates, where they have two modes over those of the likelier one; `None` for a channel without a
    /// model.
    pub mean: Option<f64>,
    /// 90 % prediction interval over replicates; for a channel without a model, the bounds of this trace.
    pub ninety: Interval,
    /// Continuous ranked probability score of the replicates against the real value, in the metric's unit, smaller is
    /// better ([`crps()`]); `None` without a real value or replicates.
    pub crps: Option<f64>,
}

/// One prediction of one metric, its baselines and the real value, in the metric's unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Name of the world (scenario).
    pub scenario: String,
    /// Seed of the world's runs.
    pub seed: u32,
    /// Name of the run whose trace was replayed.
    pub from: String,
    /// Name of the run that was predicted.
    pub to: String,
    /// Name of the channel that predicted.
    pub channel: &'static str,
    /// Metric that was predicted.
    pub metric: MetricName,
    /// Prediction for another run, the one to compare with a real run. `None` where the channel refused.
    pub another: Option<Prediction>,
    /// Prediction for this trace, with the recorded outcomes. `None` where the channel refused.
    pub this: Option<Prediction>,
    /// Value of the metric in the run `to`, in its unit; `None` where it does not apply.
    pub real: Option<f64>,
    /// Persistence forecast: the value of the metric in the run `from`, in its unit; `None` where it does not apply.
    pub persistence: Option<f64>,
    /// Value of the metric by the baseline [`trace_driven()`], in its unit; `None` where it does not apply.
    pub trace_driven: Option<f64>,
    /// Kind of model error that the prediction has, or lacks where it is to be learned; `None` without one.
    pub error: Option<Kind>,
    /// Whether both ran the same timer: such a pair is a repeat, which gives the noise floor and is not scored.
    pub repeat: bool,
}

/// A channel that refused to predict, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Name of the world (scenario).
    pub scenario: String,
    /// Seed of the world's runs.
    pub seed: u32,
    /// Name of the run whose trace the channel refused to replay.
    pub from: String,
    /// Name of the channel.
    pub channel: &'static str,
    /// Error message of the channel.
    pub reason: String,
}

/// Metrics of one real run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunValues {
    /// Name of the world (scenario).
    pub scenario: String,
    /// Seed of the world's runs.
    pub seed: u32,
    /// Name of the run.
    pub name: String,
    /// Algorithm that ran, with its parameters.
    pub algorithm: Algorithm,
    /// Values of the metrics.
    pub values: Values,
}

/// Predictions of any number of worlds, in the order in which they were added.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    /// One row per ordered pair of runs, channel and metric.
    pub rows: Vec<Row>,
    /// One entry per run and channel that refused to predict from it.
    pub refusals: Vec<Refusal>,
    /// Metrics of every run.
    pub runs: Vec<RunValues>,
}

impl Calibration {
    /// Learns model errors from predictions without them ([`Options::model_error`]): one entry per kind of
    /// which something was learned, from all channels of that kind. Repeats are left out.
    #[must_use]
    pub fn model_errors(&self) -> Vec<(Kind, Vec<Learned>)> {
        let known = |row: &Row| {
            let another = row.another?;
            Some(Known {
                world: row.scenario.clone(),
                metric: row.metric,
                mean: row.predicted()?,
                ninety: (another.ninety.lo, another.ninety.hi),
                real: row.real?,
            })
        };
        let of = |kinds: &[Kind]| -> Vec<Known> {
            let is_of = |row: &&Row| !row.repeat && row.error.is_some_and(|kind| kinds.contains(&kind));
            self.rows.iter().filter(is_of).filter_map(known).collect()
        };
        let learned = |kind: Kind| (kind, learn(&of(&[kind]), &of(kind.family())));
        Kind::ALL.map(learned).into_iter().filter(|(_, learned)| !learned.is_empty()).collect()
    }
}

impl Calibration {
    /// Adds the predictions of all ordered pairs of `runs`, which are runs of one world (name, seed). `progress` counts
    /// runs.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Param`] for a timer that does not exist. A channel that refuses is no error
    /// but a [`Refusal`].
    pub fn add(
        &mut self,
        (scenario, seed): (&str, u32),
        runs: &[RealRun],
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<(), Error> {
        let total = runs.len() as u64;
        let own: Vec<RunValues> = runs.iter().map(|run| run.values((scenario, seed))).collect();
        for (at, from) in runs.iter().enumerate() {
            let mut progress = Stage { outer: progress, done: at as u64, total };
            if progress.tick(0, 0).is_break() {
                return Err(Error::Cancelled);
            }
            self.add_from((runs, &own), (at, from), options, &mut progress)?;
        }
        self.runs.extend(own);
        if progress.tick(total, total).is_break() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Adds the predictions of all other runs from the trace of run `from`, at position `at`.
    fn add_from(
        &mut self,
        (runs, own): (&[RealRun], &[RunValues]),
        (at, from): (usize, &RealRun),
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<(), Error> {
        let Some(before) = own.get(at) else { return Ok(()) };
        let others = || runs.iter().zip(own).enumerate().filter(|(to, _)| *to != at).map(|(_, other)| other);
        let mut wanted: Vec<&Algorithm> = Vec::new();
        for (to, _) in others() {
            if !wanted.contains(&&to.algorithm) {
                wanted.push(&to.algorithm);
            }
        }
        let baselines = wanted.iter().map(|a| trace_driven(&from.replay, a, options.seed));
        let baselines: Vec<Values> = baselines.collect::<Result<_, _>>()?;
        for &channel in &options.channels {
            let results = match predict(&from.replay, &wanted, channel, options, progress) {
                Ok(results) => results,
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => {
                    self.refusals.push(Refusal {
                        scenario: before.scenario.clone(),
                        seed: before.seed,
                        from: from.name.clone(),
                        channel: channel.name(),
                        reason: error.to_string(),
                    });
                    Vec::new()
                }
            };
            for (to, real) in others() {
                let algorithm = wanted.iter().position(|a| **a == to.algorithm);
                let result = algorithm.and_then(|a| results.get(a));
                let baseline = algorithm.and_then(|a| baselines.get(a));
                self.rows.extend(SCORED.map(|metric| {
                    let row = Row {
                        scenario: before.scenario.clone(),
                        seed: before.seed,
                        from: from.name.clone(),
                        to: to.name.clone(),
                        channel: channel.name(),
                        metric,
                        real: real.values.get(metric),
                        persistence: before.values.get(metric),
                        trace_driven: baseline.and_then(|values| values.get(metric)),
                        repeat: from.algorithm == to.algorithm,
                        another: None,
                        this: None,
                        error: None,
                    };
                    match result {
                        Some(result) => row.predicted_by(result, from.replay.kind_of_error(result.scenario.channel)),
                        None => row,
                    }
                }));
            }
        }
        Ok(())
    }
}

impl RealRun {
    /// The metrics of this run of a world and its seed.
    fn values(&self, (scenario, seed): (&str, u32)) -> RunValues {
        RunValues {
            scenario: scenario.to_owned(),
            seed,
            name: self.name.clone(),
            algorithm: self.algorithm.clone(),
            values: self.truth.unwrap_or_else(|| *self.replay.recorded()),
        }
    }
}

impl Row {
    /// Point prediction in the metric's unit: the mean of this trace, on which predictions for another run are centred.
    /// The twin draws another workload in every other run: there it is their mean. `None` for a channel without a model
    /// or one that refused.
    #[must_use]
    pub fn predicted(&self) -> Option<f64> {
        if self.error.is_some_and(Kind::is_twin) { self.another?.mean } else { self.this?.mean }
    }

    /// Adds the predictions of `result`.
    fn predicted_by(self, result: &RunResult, error: Option<Kind>) -> Self {
        let summary = result.get(self.metric);
        if matches!(result.scenario.channel, ChannelSpec::Recorded { .. }) {
            // For some metrics the best value is the larger one.
            let both = summary.best.zip(summary.worst);
            let possible = both.map(|(b, w)| Interval { lo: b.min(w), hi: b.max(w) });
            let all = possible.map(|ninety| Prediction { mean: None, ninety, crps: None });
            return Self { another: all, this: all, ..self };
        }
        let likelier = result.modes.zip(summary.modes);
        let likelier = likelier.map(|(modes, [fast, slow])| if modes.slow > 0.5 { slow.mean } else { fast.mean });
        let of = |replicates: &[Values]| {
            let draws: Vec<f64> = replicates.iter().filter_map(|values| values.get(self.metric)).collect();
            let crps = self.real.and_then(|real| crps(&draws, real));
            Some(Prediction { mean: likelier.or_else(|| mean(&draws)), ninety: interval(&draws, 0.90)?, crps })
        };
        let (another, this) = (of(&result.another), of(&result.replicates));
        let another = match this.filter(|_| result.scenario.encloses()) {
            Some(this) => another.map(|own| Prediction { ninety: own.ninety.hull(this.ninety), ..own }),
            None => another,
        };
        Self { another, this, error, ..self }
    }
}

/// Replays `algorithms` in `channel` on the trace of one run.
fn predict(
    replay: &Replay,
    algorithms: &[&Algorithm],
    channel: ChannelSpec,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Vec<RunResult>, Error> {
    let scenario = |algorithm: &&Algorithm| Scenario {
        seed: options.seed,
        replicates: options.replicates,
        another: AnotherRun::Compute,
        model_error: options.model_error,
        // Only a channel without a model needs bounds: it has no replicates.
        bounds: if matches!(channel, ChannelSpec::Recorded { .. }) { Bounds::Compute } else { Bounds::Skip },
        ..Scenario::new((*algorithm).clone(), channel)
    };
    let scenarios: Vec<Scenario> = algorithms.iter().map(scenario).collect();
    replay.run_all(&scenarios, progress)
}
