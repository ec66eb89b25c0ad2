//! Predictions scored against what really happened: the same world, run for real under several timers.
//!
//! From the trace of one run what another would measure is predicted, for every ordered pair, and held against the
//! other's own trace, measured by the same code ([`real`]). A real run is another run, met with its own luck, so what is
//! scored is what another run would show ([`AnotherRun`]); what would have happened in the trace itself is scored beside it,
//! because its intervals know too much: at recorded moments they keep the recorded luck. Beside each prediction stand two
//! that need no model: *no change* (the other run is like this one) and *naive* ([`naive`]). What no prediction can beat is
//! how far two runs with the same timer are from each other ([`Line::floor`]).

mod copies;
mod naive;
mod real;
mod score;

pub use copies::{Chance, CopyScore, CopyTruth, Moment, score_copies};
pub use naive::naive;
pub use real::real;
pub use score::{Line, crps, summarise};

use crate::metrics::{MetricName, Values};
use crate::model::ChannelSpec;
use crate::run::{Replay, RunResult};
use crate::scenario::{Algorithm, AnotherRun, Bounds, Error, Scenario};
use crate::stats::{Interval, interval, mean};
use base::Progress;
use std::ops::ControlFlow;

/// What is scored: completion (seconds), retransmissions per exchange, share of needless copies, share of failed exchanges.
pub const SCORED: [MetricName; 6] = [
    MetricName::DurationMean,
    MetricName::DurationP50,
    MetricName::DurationP95,
    MetricName::RetriesMean,
    MetricName::SpuriousAll,
    MetricName::PlrExchange,
];

/// One real run.
#[derive(Debug)]
pub struct RealRun {
    /// Its name among the runs of its scenario and seed.
    pub name: String,
    /// The timer that ran; equal ones make two runs repeats of each other.
    pub algorithm: Algorithm,
    /// Its trace.
    pub replay: Replay,
}

/// How to predict.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// By which channels.
    pub channels: Vec<ChannelSpec>,
    /// Seed of every draw.
    pub seed: u64,
    /// Replicates of a modelled channel.
    pub replicates: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { channels: ChannelSpec::ALL.to_vec(), seed: 1, replicates: Scenario::REPLICATES }
    }
}

/// A distribution in short.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// Mean over replicates; `None` for a channel without a model.
    pub mean: Option<f64>,
    /// 90 % of the replicates lie in here; for a channel without a model: all that is possible in this trace.
    pub ninety: Interval,
    /// Continuous ranked probability score of the replicates against what became true, in the measure's unit.
    pub crps: Option<f64>,
}

/// One prediction of one measure and what became true.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The world.
    pub scenario: String,
    /// Its seed.
    pub seed: u32,
    /// The run whose trace was replayed.
    pub from: String,
    /// The run that was predicted.
    pub to: String,
    /// By which channel.
    pub channel: &'static str,
    /// Which measure.
    pub metric: MetricName,
    /// What another run would show: what a real run is to be held against. `None` where the channel refused.
    pub another: Option<Prediction>,
    /// What would have happened in this trace, recorded luck kept.
    pub this: Option<Prediction>,
    /// What `to` really measured.
    pub real: Option<f64>,
    /// What `from` really measured.
    pub no_change: Option<f64>,
    /// See [`naive`].
    pub naive: Option<f64>,
    /// Both ran the same timer: such a pair tells the noise floor and is not scored.
    pub repeat: bool,
}

/// A channel that would not predict, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The world.
    pub scenario: String,
    /// Its seed.
    pub seed: u32,
    /// The run whose trace it would not replay.
    pub from: String,
    /// Which channel.
    pub channel: &'static str,
    /// In its words.
    pub reason: String,
}

/// What one run measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The world.
    pub scenario: String,
    /// Its seed.
    pub seed: u32,
    /// The run.
    pub name: String,
    /// The timer that ran.
    pub algorithm: Algorithm,
    /// Its measures.
    pub values: Values,
}

/// Predictions of any number of worlds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    /// By pair, channel and measure.
    pub rows: Vec<Row>,
    /// Channels that would not.
    pub refusals: Vec<Refusal>,
    /// Every run.
    pub runs: Vec<Measured>,
}

/// Passes cancellation on; says how far the whole is.
struct Within<'a> {
    outer: &'a mut dyn Progress,
    done: u64,
    total: u64,
}

impl Progress for Within<'_> {
    fn tick(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        self.outer.tick(self.done, self.total)
    }
}

impl Calibration {
    /// Adds all ordered pairs of `runs`, which are one world with one seed. `progress` counts runs.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Param`] for a timer that does not exist.
    pub fn add(
        &mut self,
        (scenario, seed): (&str, u32),
        runs: &[RealRun],
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<(), Error> {
        let total = runs.len() as u64;
        self.runs.extend(runs.iter().map(|run| Measured {
            scenario: scenario.to_owned(),
            seed,
            name: run.name.clone(),
            algorithm: run.algorithm.clone(),
            values: real(&run.replay),
        }));
        let own = self.runs.len() - runs.len();
        for (from, at_from) in runs.iter().zip(0_usize..) {
            let done = at_from as u64;
            let mut progress = Within { outer: progress, done, total };
            if progress.tick(0, 0).is_break() {
                return Err(Error::Cancelled);
            }
            let others = || runs.iter().filter(|to| !std::ptr::eq(*to, from));
            let mut wanted: Vec<&Algorithm> = Vec::new();
            for to in others() {
                if !wanted.contains(&&to.algorithm) {
                    wanted.push(&to.algorithm);
                }
            }
            let naive: Vec<Values> =
                wanted.iter().map(|a| naive(&from.replay, a, options.seed)).collect::<Result<_, _>>()?;
            for &channel in &options.channels {
                let results = match predict(&from.replay, &wanted, channel, options, &mut progress) {
                    Ok(results) => Some(results),
                    Err(Error::Cancelled) => return Err(Error::Cancelled),
                    Err(error) => {
                        let (scenario, from) = (scenario.to_owned(), from.name.clone());
                        let reason = error.to_string();
                        self.refusals.push(Refusal { scenario, seed, from, channel: channel.name(), reason });
                        None
                    }
                };
                for (to, place) in runs.iter().zip(own..).filter(|(to, _)| !std::ptr::eq(*to, from)) {
                    let measured =
                        |place: usize, metric| self.runs.get(place).and_then(|run: &Measured| run.values.get(metric));
                    let at = wanted.iter().position(|a| **a == to.algorithm);
                    let result = at.and_then(|at| results.as_ref()?.get(at));
                    let naive = at.and_then(|at| naive.get(at));
                    let rows = SCORED.map(|metric| Row {
                        scenario: scenario.to_owned(),
                        seed,
                        from: from.name.clone(),
                        to: to.name.clone(),
                        channel: channel.name(),
                        metric,
                        real: measured(place, metric),
                        no_change: measured(own + at_from, metric),
                        naive: naive.and_then(|values| values.get(metric)),
                        repeat: from.algorithm == to.algorithm,
                        another: None,
                        this: None,
                    });
                    self.rows.extend(rows.into_iter().map(|row| result.map_or(row.clone(), |r| row.filled(r))));
                }
            }
        }
        if progress.tick(total, total).is_break() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl Row {
    /// The number that is held against the real one: the mean of this trace, which other runs are moved to.
    #[must_use]
    pub fn predicted(&self) -> Option<f64> {
        self.this?.mean
    }

    fn filled(self, result: &RunResult) -> Self {
        let summary = result.get(self.metric);
        if matches!(result.scenario.channel, ChannelSpec::Recorded { .. }) {
            // Between best and worst, whichever of them is the smaller.
            let both = summary.best.zip(summary.worst);
            let possible = both.map(|(b, w)| Interval { lo: b.min(w), hi: b.max(w) });
            let all = possible.map(|ninety| Prediction { mean: None, ninety, crps: None });
            return Self { another: all, this: all, ..self };
        }
        let of = |replicates: &[Values]| {
            let draws: Vec<f64> = replicates.iter().filter_map(|values| values.get(self.metric)).collect();
            let crps = self.real.and_then(|real| crps(&draws, real));
            Some(Prediction { mean: mean(&draws), ninety: interval(&draws, 0.90)?, crps })
        };
        Self { another: of(&result.another), this: of(&result.replicates), ..self }
    }
}

/// What `channel` says of `algorithms`.
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
        // Only a channel without a model is asked for what is possible at all.
        bounds: if matches!(channel, ChannelSpec::Recorded { .. }) { Bounds::Compute } else { Bounds::Skip },
        ..Scenario::new((*algorithm).clone(), channel)
    };
    let scenarios: Vec<Scenario> = algorithms.iter().map(scenario).collect();
    replay.run_all(&scenarios, progress)
}
