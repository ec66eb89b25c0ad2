//! Trust in a network twin: it is asked about the capture that it was inferred from, where the answer is known.
//!
//! * *Self-replay*: the recorded timer (the one that [`crate::identify`] finds most likely) runs over the twin, with workloads drawn as
//!   for any other timer. The measures of the capture are held against the twin's 90 % intervals. Where no known timer fits the capture
//!   this would test the timer, not the network, and is left out.
//! * *Open loop*: the recorded copies are sent again when they were recorded. No timer takes part, so what is tested is
//!   the network alone, under the very load of the capture: the share of copies that are answered, and the frames on the air.
//!
//! A twin that misses what was recorded by far is not used ([`Replay::choose_channel`]).

use crate::calibrate::{SCORED, real};
use crate::identify::{Clues, Verdict, identify};
use crate::metrics::{MetricName, Values};
use crate::model::{AssociationRecord, ChannelSpec, ExchangeRecord, Fate, Record};
use crate::run::model_error::{self, ModelError};
use crate::run::{Agreement, Check, ChosenChannel, Measure, Replay, Why};
use crate::scenario::{Algorithm, AnotherRun, Bounds, Error, ModelErrors, Scenario};
use crate::stats::{Interval, interval, mean};
use base::{Cancelled, Instant, Part, Progress, SharedProgress};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use trace::Trace;
use twin::{Copy, Ending, Machine, Simulation};

/// Replicates of a self-replay. Chosen here: the 5 % and 95 % points of 40 draws are known to a third of their distance.
const REPLICATES: u32 = 40;
/// Self-replays have a seed of their own, so that the verdict does not depend on that of a question.
const SEED: u64 = 0x7365_6c66;
/// In the open loop a recorded value outside the interval is still accepted within this share of the prediction: the error of the mean that
/// a good twin has in a storm (TWIN.md §1: 12 to 20 %). Chosen here; `rtoscope calibrate` prints how well what passes predicts.
const TOLERANCE: f64 = 0.25;
/// Shares of answered copies that differ by no more than this are alike. Chosen here: one in twenty-five.
const SHARE_TOLERANCE: f64 = 0.04;
/// Clients whose timeouts are compared with those of known timers, those with the most retransmissions: of more the recorded timer is
/// hardly known better. Chosen here: with three of the four clients of *Needless storm* another timer is the likeliest.
const CLIENTS: usize = 4;

/// Checks of a twin against its own capture.
#[derive(Clone, PartialEq, Debug)]
pub struct Trust {
    /// Timer of the self-replay, as [`crate::identify`] finds it; `None` where no known one fits, so that there is none.
    pub algorithm: Option<Algorithm>,
    /// The measures that apply.
    pub checks: Vec<Check>,
}

impl Trust {
    /// Asks the twin of `replay` about its capture; `trace` is what it was inferred from. `progress` counts parts.
    ///
    /// # Errors
    /// [`Error::NoTwin`], [`Error::TwinNotLearned`], [`Error::Cancelled`].
    pub fn of(replay: &Replay, trace: &Trace, progress: &mut dyn Progress) -> Result<Self, Error> {
        let machine = replay.machine().ok_or(Error::TwinNotLearned)??;
        let algorithm = recorded_timer(replay.record(), trace, &mut Part::new(progress, 0, 1, 3))?;
        let mut checks = match &algorithm {
            Some(algorithm) => closed_loop(replay, algorithm, &mut Part::new(progress, 1, 2, 3))?,
            None => Vec::new(),
        };
        checks.extend(open_loop(machine, replay.record(), &mut Part::new(progress, 2, 3, 3))?);
        Ok(Self { algorithm, checks })
    }

    /// The measure that disagrees most, in shares of its prediction; `None` where all agree.
    #[must_use]
    pub fn worst(&self) -> Option<&Check> {
        let off = |check: &&Check| (check.mean - check.recorded).abs() / check.mean.abs().max(f64::MIN_POSITIVE);
        let outside = self.checks.iter().filter(|check| check.agreement == Agreement::Outside);
        outside.max_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// Measures inside the twin's 90 % intervals.
    #[must_use]
    pub fn inside(&self) -> usize {
        self.checks.iter().filter(|check| check.agreement == Agreement::Inside).count()
    }
}

impl Replay {
    /// Chooses the channel that stands for [`ChannelSpec::Auto`], unless that is done: the network twin where it agrees with its own
    /// capture; else a bottleneck, where several clients share one that the round trips show; else the empirical channel. `trace` is
    /// what this replay's record was made of. `progress` counts parts.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when `progress` breaks.
    pub fn choose_channel(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<&ChosenChannel, Error> {
        if let Some(chosen) = self.chosen_channel() {
            return Ok(chosen);
        }
        self.learn_network(trace, &mut Part::new(progress, 0, 1, 4))?;
        let trust = match Trust::of(self, trace, &mut Part::new(progress, 1, 3, 4)) {
            Ok(trust) => Ok(trust),
            Err(Error::NoTwin(refusal)) => Err(refusal),
            Err(other) => return Err(other),
        };
        let why = match &trust {
            Err(refusal) => Why::NoTwin(*refusal),
            Ok(trust) => match trust.worst() {
                Some(check) => {
                    let (label, recorded, ninety) = (check.measure.label(), check.recorded, check.ninety);
                    Why::TwinDisagrees { label, recorded, ninety }
                }
                None => Why::TwinAgrees { inside: trust.inside(), measures: trust.checks.len() },
            },
        };
        let (timer, checks) = match trust {
            Ok(Trust { algorithm, checks }) => (algorithm, checks),
            Err(_) => (None, Vec::new()),
        };
        let channel = match why {
            Why::TwinAgrees { .. } => ChannelSpec::Twin,
            _ if self.shares_bottleneck(&mut Part::new(progress, 3, 4, 4))? => ChannelSpec::QUEUED,
            _ => ChannelSpec::EMPIRICAL,
        };
        Ok(self.set_chosen_channel(ChosenChannel { channel, why, timer, checks }))
    }

    /// Whether several clients share a bottleneck that the round trips show.
    fn shares_bottleneck(&self, progress: &mut dyn Progress) -> Result<bool, Cancelled> {
        let clients: BTreeSet<u32> = self.record().associations().iter().map(|a| a.client).collect();
        Ok(clients.len() > 1 && self.bottleneck(progress)?.is_ok())
    }
}

/// The timer that most likely ran, by the timeouts of the clients with the most retransmissions; `None` where no known timer fits
/// them. Where none ran out, all timers are alike.
fn recorded_timer(record: &Record, trace: &Trace, progress: &mut dyn Progress) -> Result<Option<Algorithm>, Cancelled> {
    let retransmissions = |a: &AssociationRecord| a.exchanges.iter().map(|e| e.copies.len() - 1).sum::<usize>();
    let mut clients: Vec<&AssociationRecord> = record.associations().iter().collect();
    clients.sort_by_key(|a| std::cmp::Reverse(retransmissions(a)));
    let only = clients.iter().take(CLIENTS).map(|a| a.id).collect();
    let found = identify(record, &Clues { only, ..Clues::of(trace) }, progress)?.trace;
    if matches!(found.verdict, Verdict::NoneFits { .. }) {
        return Ok(None);
    }
    let best = found.candidates.into_iter().next();
    Ok(Some(best.map_or_else(
        || Algorithm::Preset { id: "coap_default".to_owned(), params: Value::Null },
        |best| Algorithm::Preset { id: best.id.to_owned(), params: Value::Object(best.params) },
    )))
}

/// The metrics of the capture against those of other runs of its own timer, `algorithm`, over the twin.
fn closed_loop(replay: &Replay, algorithm: &Algorithm, progress: &mut dyn Progress) -> Result<Vec<Check>, Error> {
    let scenario = Scenario {
        seed: SEED,
        replicates: REPLICATES,
        another: AnotherRun::Compute,
        // The question is whether the machine is right.
        model_error: ModelErrors::Exclude,
        bounds: Bounds::Skip,
        ..Scenario::new(algorithm.clone(), ChannelSpec::Twin)
    };
    let result = replay.run(&scenario, progress)?;
    let (errors, values) = (replay.model_errors(), real(replay));
    let column =
        |name| -> Vec<f64> { result.another.iter().filter_map(|replicate: &Values| replicate.get(name)).collect() };
    let check = |name| check_metric(errors, name, values.get(name)?, &column(name));
    Ok(SCORED.into_iter().filter_map(check).collect())
}

/// Distance from a `predicted` value of the open loop at which a recorded one is still near it.
fn near(measure: Measure, predicted: f64) -> f64 {
    match measure {
        Measure::CopiesAnswered => SHARE_TOLERANCE,
        Measure::Frames | Measure::Metric(_) => TOLERANCE * predicted.abs(),
    }
}

/// Holds a `recorded` metric against the self-replay's `column`, with the error that twins have as models: intervals as they are shown.
fn check_metric(errors: &[ModelError], name: MetricName, recorded: f64, column: &[f64]) -> Option<Check> {
    /// All but one in a thousand values of a normal distribution lie within as many half widths of a 90 % interval (3.291 / 1.645): a right
    /// machine fails one of its six metrics in one capture of 170.
    const FAR: f64 = 2.0;
    let (mean, drawn) = (mean(column)?, interval(column, 0.90)?);
    let widened = |half: f64| model_error::half_width(errors, name, mean, half);
    let (below, above) = (widened(mean - drawn.lo), widened(drawn.hi - mean));
    let ninety = Interval { lo: (mean - below).max(0.0), hi: mean + above };
    let off = recorded - mean;
    let half = if off > 0.0 { above } else { below };
    let agreement = if off.abs() <= half {
        Agreement::Inside
    } else if off.abs() <= FAR * half {
        Agreement::Near
    } else {
        Agreement::Outside
    };
    Some(Check { measure: Measure::Metric(name), recorded, mean, ninety, agreement })
}

/// Holds a `recorded` value against the replicates of `measure`; `None` where it never applies.
fn check(measure: Measure, recorded: f64, column: &[f64]) -> Option<Check> {
    let (mean, ninety) = (mean(column)?, interval(column, 0.90)?);
    // A real run is one draw of many: of eight measures one is outside every second time, half a width beyond hardly ever.
    let reach = if recorded < mean { mean - ninety.lo } else { ninety.hi - mean } + (ninety.hi - ninety.lo) / 2.0;
    let agreement = if ninety.lo <= recorded && recorded <= ninety.hi {
        Agreement::Inside
    } else if (mean - recorded).abs() <= near(measure, mean).max(reach) {
        Agreement::Near
    } else {
        Agreement::Outside
    };
    Some(Check { measure, recorded, mean, ninety, agreement })
}

/// The recorded copies, sent again when they were recorded, against what they met.
fn open_loop(machine: &Machine, record: &Record, progress: &mut dyn Progress) -> Result<Vec<Check>, Cancelled> {
    let copies = Sent::all(machine, record);
    let exchanges = || record.associations().iter().flat_map(|a: &AssociationRecord| &a.exchanges);
    let fates = || exchanges().flat_map(|e: &ExchangeRecord| e.copies.iter()).map(|copy| copy.fate);
    let answered = fates().filter(|fate| matches!(fate, Fate::Answered { .. })).count();
    let unknown = fates().filter(|fate| !fate.is_known()).count();
    let mut shared = SharedProgress::new(progress, u64::from(REPLICATES));
    shared.stage(u64::from(REPLICATES), u64::from(REPLICATES))?;
    let draw = |replicate| {
        let drawn = send_again(machine, &copies, replicate, &shared)?;
        shared.pass()?;
        Ok(drawn)
    };
    let draws: Vec<(Option<f64>, f64)> = (0..REPLICATES).into_par_iter().map(draw).collect::<Result<_, Cancelled>>()?;
    let shares: Vec<f64> = draws.iter().filter_map(|draw| draw.0).collect();
    let frames: Vec<f64> = draws.iter().map(|draw| draw.1).collect();
    // Copies of unknown fate may all be lost or all be answered: of the shares between, the one that speaks for the twin.
    let (least, most) = (share(answered, copies.len()), share(answered + unknown, copies.len()));
    let nearest = mean(&shares).zip(least.zip(most)).map(|(mean, (least, most))| mean.clamp(least, most));
    let answered = nearest.and_then(|recorded| check(Measure::CopiesAnswered, recorded, &shares));
    Ok(answered.into_iter().chain(check(Measure::Frames, machine.frames as f64, &frames)).collect())
}

/// A recorded copy.
#[derive(Clone, Copy, Debug)]
struct Sent {
    at: Instant,
    path: u32,
    exchange: u32,
    shape: u32,
}

impl Sent {
    /// All copies in order of time.
    fn all(machine: &Machine, record: &Record) -> Vec<Self> {
        let mut all = Vec::new();
        for (association, path) in record.associations().iter().zip(0_u32..) {
            for (e, exchange) in association.exchanges.iter().zip(0_u32..) {
                let shape = machine.shape_of.get(e.id.index()).copied().unwrap_or(0);
                all.extend(e.copies.iter().map(|copy| Self { at: copy.sent, path, exchange, shape }));
            }
        }
        all.sort_unstable_by_key(|sent| (sent.at, sent.path, sent.exchange));
        all
    }
}

/// Share of copies that are answered in one replicate, and its frames.
fn send_again(
    machine: &Machine,
    copies: &[Sent],
    replicate: u32,
    progress: &SharedProgress<'_>,
) -> Result<(Option<f64>, f64), Cancelled> {
    /// Copies between two looks at whether to stop.
    const ASK_EVERY: u64 = 256;
    let mut simulation = Simulation::new(machine, SEED, replicate);
    let mut answered = 0;
    let mut count = |simulation: &mut Simulation<'_>, until: Instant| {
        while let Some(settled) = simulation.advance(until) {
            answered += usize::from(settled.ending == Ending::Answered);
        }
    };
    for (sent, key) in copies.iter().zip(0_u64..) {
        if key % ASK_EVERY == 0 {
            progress.ask()?;
        }
        count(&mut simulation, sent.at);
        let copy = Copy { association: sent.path, shape: sent.shape, request: sent.exchange, key };
        simulation.send_recorded(sent.at, copy);
    }
    count(&mut simulation, Instant::MAX);
    Ok((share(answered, copies.len()), simulation.statistics().frames as f64))
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
