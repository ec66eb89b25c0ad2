//! Results: per measure what was recorded, the model-free bounds, the modelled answer and its support.

use super::model_error::{self, Kind, ModelError};
use super::modes::{Mode, Modes, Parted};
use super::{Done, MetricRanges, Replay, ReplicateMetrics};
use crate::bounds::Bounded;
use crate::engine::Steps;
use crate::metrics::{Completions, Counts, Drawn, Histogram, MetricName, Values};
use crate::model::ChannelSpec;
use crate::scenario::{ModelErrors, Scenario};
use crate::stats::{Interval, Paired, interval, mean, paired};
use base::{AssociationId, Cancelled, SharedProgress};

/// One measure of one run, in its unit. Every field is `None` where it does not apply or is not known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// Value of the trace itself, in the unit of the measure, as all fields; an expectation where it rests on fates
    /// that the capture leaves open.
    pub recorded: Option<f64>,
    /// Least value of the trace itself that its unknown fates allow.
    pub recorded_lo: Option<f64>,
    /// Greatest value of the trace itself that its unknown fates allow.
    pub recorded_hi: Option<f64>,
    /// Worst value over all worlds that the record allows under the scenario, without a model of the channel.
    pub worst: Option<f64>,
    /// Best value over all worlds that the record allows under the scenario, without a model of the channel.
    pub best: Option<f64>,
    /// Mean over the replicates in which the measure applies; `None` for a channel without a model. Where there are
    /// `modes` it is the value of no run, and is not shown.
    pub mean: Option<f64>,
    /// Lower end of the 90 % interval of these replicates ([`crate::stats::interval`]): one more is below it with 5 %.
    pub lo90: Option<f64>,
    /// Upper end of the 90 % interval of these replicates: one more is above it with 5 %.
    pub hi90: Option<f64>,
    /// 90 % interval of other runs on the same channel; `None` unless asked for ([`super::AnotherRun`]).
    pub another: Option<Interval>,
    /// The measure in replicates that end fast, and in those that end slow; `None` for a run with one mode, and for
    /// single associations.
    pub modes: Option<[Mode; 2]>,
    /// Number of replicates in which the measure applies.
    pub defined: u32,
    /// Share of copies whose fate was recorded, 0 to 1, over all replicates; for a channel without a model the least
    /// over its assumptions, and `None` for the twin.
    pub support: Option<f64>,
}

/// Measures of one association.
#[derive(Clone, PartialEq, Debug)]
pub struct AssociationResult {
    /// Identifier of the association.
    pub id: AssociationId,
    metrics: [Summary; MetricName::COUNT],
}

impl AssociationResult {
    /// Summary of measure `name`.
    #[must_use]
    pub const fn get(&self, name: MetricName) -> &Summary {
        &self.metrics[name as usize]
    }
}

/// Result of one scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct RunResult {
    /// Scenario that was run, with the chosen channel in place of [`ChannelSpec::Auto`].
    pub scenario: Scenario,
    metrics: [Summary; MetricName::COUNT],
    parted: Option<Parted>,
    /// Summaries of each association, in the order of the record.
    pub associations: Vec<AssociationResult>,
    /// Measures of each replicate, in order, for pairing. For a channel without a model: under the assumptions that
    /// undetermined copies are answered fast, answered slowly, lost.
    pub replicates: Vec<Values>,
    /// Measures of as many other runs; empty unless asked for ([`super::AnotherRun`]).
    pub another: Vec<Values>,
    /// The two modes in which replicates end; `None` where one explains them.
    pub modes: Option<Modes>,
    /// Distribution of completion times; `None` unless asked for ([`super::Scenario::completions`]).
    pub completions: Option<Completions>,
    /// Share of copies whose fate was recorded, 0 to 1; `None` without copies, and for the twin.
    pub support: Option<f64>,
    /// Number of requests dropped by the application, mean over replicates.
    pub dropped: f64,
    /// Number of replies that found their exchange closed, mean over replicates.
    pub late: f64,
    /// Number of requests held back by a pacer or a limit although a slot was free, mean over replicates.
    pub held: f64,
    /// Seconds that all requests together waited from readiness to their first transmission (for a slot, a pacer or a
    /// limit), mean over replicates: durations begin with the first transmission and do not show it.
    pub queued: f64,
    /// Steps of the first replicate; empty unless asked for. For a channel without a model, those of the optimistic
    /// assumption.
    pub steps: Steps,
}

impl RunResult {
    /// Summary of measure `name` over all associations.
    #[must_use]
    pub const fn get(&self, name: MetricName) -> &Summary {
        &self.metrics[name as usize]
    }

    /// Memory that the result takes, in octets, without its steps.
    #[must_use]
    pub fn octets(&self) -> usize {
        (self.replicates.capacity() + self.another.capacity()) * size_of::<Values>()
            + self.associations.capacity() * size_of::<AssociationResult>()
            + self.completions.as_ref().map_or(0, Completions::octets)
            + size_of::<Self>()
    }

    /// All summaries over all associations, in the order of [`MetricName::ALL`].
    pub fn metrics(&self) -> impl Iterator<Item = (MetricName, &Summary)> {
        MetricName::ALL.into_iter().map(|name| (name, self.get(name)))
    }
}

/// Paired difference of two runs in one measure, in its unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Measure that is compared.
    pub metric: MetricName,
    /// Differences `a − b`, replicate by replicate.
    pub paired: Paired,
    /// Differences `a − b` in other runs; `None` unless both were asked for.
    pub another: Option<Paired>,
    /// Differences `a − b` in the fast and in the slow mode of `a`, or of `b` where only that has two; else `None`.
    pub modes: Option<[Mode; 2]>,
}

/// Differences `a − b` in `metric`, paired by replicate: the same channel in both. `None` when the runs cannot be
/// paired (other seed, channel or number of replicates, or a channel without a model) or the measure never applies to
/// both.
#[must_use]
pub fn difference(a: &RunResult, b: &RunResult, metric: MetricName) -> Option<Difference> {
    let pairable = a.scenario.seed == b.scenario.seed
        && a.scenario.channel == b.scenario.channel
        && a.replicates.len() == b.replicates.len()
        && a.get(metric).mean.is_some()
        && b.get(metric).mean.is_some();
    if !pairable {
        return None;
    }
    let column = |values: &[Values]| -> Vec<Option<f64>> { values.iter().map(|v| v.get(metric)).collect() };
    let of = |a: &[Values], b: &[Values]| paired(&column(a), &column(b));
    let modes = a.parted.as_ref().or(b.parted.as_ref()).and_then(|parted| {
        let less = |a: &[Values], b: &[Values]| -> Vec<Option<f64>> {
            a.iter().zip(b).map(|(a, b)| Some(a.get(metric)? - b.get(metric)?)).collect()
        };
        parted.modes(&less(&a.replicates, &b.replicates), &less(&a.another, &b.another))
    });
    Some(Difference { metric, paired: of(&a.replicates, &b.replicates)?, another: of(&a.another, &b.another), modes })
}

/// All parts of the summaries of one association, or of all together.
struct Parts<'a> {
    recorded: &'a Values,
    recorded_ranges: Option<&'a MetricRanges>,
    ranges: Option<&'a MetricRanges>,
    /// Measures of each modelled replicate, in order.
    replicates: Vec<&'a Values>,
    /// Measures of the replicates of another run ([`super::AnotherRun`]), in order; empty unless asked for.
    another: Vec<&'a Values>,
    /// Modes of the replicates.
    parted: Option<&'a Parted>,
    support: Option<f64>,
    /// Whether the interval of another run encloses that of this trace ([`Scenario::encloses`]).
    encloses: bool,
}

/// Parts of a run, by kind.
#[derive(Default)]
struct Sorted {
    ranges: Option<Bounded>,
    replicates: Vec<ReplicateMetrics>,
    another: Vec<ReplicateMetrics>,
    assumed: Vec<ReplicateMetrics>,
    steps: Steps,
}

impl Sorted {
    fn of(parts: Vec<Done>) -> Self {
        let mut sorted = Self::default();
        for part in parts {
            match part {
                Done::Bounds(ranges) => sorted.ranges = Some(*ranges),
                Done::Assumed(metrics, steps) => {
                    sorted.steps.append(steps);
                    sorted.assumed.push(*metrics);
                }
                Done::Replicate(metrics, steps) => {
                    sorted.steps.append(steps);
                    sorted.replicates.push(*metrics);
                }
                Done::Another(metrics) => sorted.another.push(*metrics),
            }
        }
        sorted
    }
}

/// Assembles the result of `scenario` from its `parts`, in order of replicates; errs when cancelled.
pub(super) fn assemble(
    replay: &Replay,
    scenario: &Scenario,
    parts: Vec<Done>,
    progress: &SharedProgress<'_>,
) -> Result<RunResult, Cancelled> {
    let Sorted { ranges, mut replicates, mut another, assumed, steps } = Sorted::of(parts);
    // Replicates of the twin draw all of their luck: the two questions differ by the workload only.
    if scenario.channel != ChannelSpec::Twin {
        centre_all(&mut another, &replicates);
    }
    // Before the model error, which blurs the modes of every timer alike.
    let (parted, modes) = Parted::of(&replicates, &another).unzip();
    let stays: Vec<bool> = replay.record().associations().iter().map(|a| scenario.stays_as_recorded(a.id)).collect();
    let kind = replay.kind_of_error(scenario.channel).filter(|_| scenario.model_error == ModelErrors::Include);
    let errors = model_error::possible(kind.map_or(&[], Kind::errors), &scenario.policy);
    model_error::add((&errors, scenario.seed), &stays, &mut replicates);
    model_error::add((&errors, scenario.seed), &stays, &mut another);
    let support = |of: &dyn Fn(&ReplicateMetrics) -> Option<Counts>| -> Option<f64> {
        let mut sum = Counts::default();
        replicates.iter().filter_map(of).for_each(|c| sum.merge(&c));
        let least = assumed.iter().filter_map(|m| of(m)?.support()).min_by(f64::total_cmp);
        // Copies through the twin have no donors: support says nothing of its answers.
        if scenario.channel == ChannelSpec::Twin { None } else { sum.support().or(least) }
    };
    let since = scenario.history.until().map(|from| replay.as_recorded(Some(from), progress)).transpose()?;
    let recorded = since.as_ref().unwrap_or(replay.recorded_measured());
    let known = since.is_none().then(|| replay.recorded_ranges());
    let of_worlds = if replicates.is_empty() { &assumed } else { &replicates };
    let completions = completions(recorded.completions.as_deref(), of_worlds, &errors, parted.as_ref());
    let overall = Parts {
        recorded: &recorded.overall,
        recorded_ranges: known.map(|known| &known.overall),
        ranges: ranges.as_ref().map(|b| &b.overall),
        replicates: replicates.iter().map(|m| &m.overall).collect(),
        another: another.iter().map(|m| &m.overall).collect(),
        parted: parted.as_ref(),
        support: support(&|m| Some(m.counts)),
        encloses: scenario.encloses(),
    };
    let association = |(i, id): (usize, AssociationId)| -> Option<AssociationResult> {
        let values = |m: &'_ ReplicateMetrics| m.associations.get(i).map(|a| a.1);
        let parts = Parts {
            recorded: &recorded.associations.get(i)?.0,
            recorded_ranges: known.and_then(|known| known.associations.get(i)),
            ranges: ranges.as_ref().and_then(|b| b.associations.get(i)),
            replicates: replicates.iter().filter_map(|m| m.associations.get(i).map(|a| &a.0)).collect(),
            another: another.iter().filter_map(|m| m.associations.get(i).map(|a| &a.0)).collect(),
            parted: None,
            support: support(&values),
            encloses: scenario.encloses(),
        };
        Some(AssociationResult { id, metrics: MetricName::ALL.map(|name| parts.summary(name)) })
    };
    let ids = replay.record().associations().iter().map(|a| a.id).enumerate();
    let average = |f: &dyn Fn(&Counts) -> f64| {
        let values: Vec<f64> = of_worlds.iter().map(|m| f(&m.counts)).collect();
        mean(&values).unwrap_or(0.0)
    };
    Ok(RunResult {
        metrics: MetricName::ALL.map(|name| overall.summary(name)),
        associations: ids.filter_map(association).collect(),
        modes,
        completions,
        support: overall.support,
        dropped: average(&|c| c.dropped as f64),
        late: average(&|c| c.tally.late as f64),
        held: average(&|c| c.tally.held as f64),
        queued: average(&|c| c.tally.queued as f64 / 1e9),
        replicates: of_worlds.iter().map(|m| m.overall).collect(),
        another: another.iter().map(|m| m.overall).collect(),
        scenario: scenario.clone(),
        steps,
        parted,
    })
}

/// Distribution of completion times over `replicates` with the model `errors`, beside what was `recorded`.
fn completions(
    recorded: Option<&Histogram>,
    replicates: &[ReplicateMetrics],
    errors: &[ModelError],
    parted: Option<&Parted>,
) -> Option<Completions> {
    let drawn = |(replicate, number)| {
        Some(Drawn {
            histogram: ReplicateMetrics::completions(replicate)?,
            factor: model_error::stretch(errors, number),
            is_slow: parted.and_then(|parted| parted.is_slow(number as usize)),
        })
    };
    let drawn: Vec<Drawn<'_>> = replicates.iter().zip(0..).filter_map(drawn).collect();
    Completions::of(recorded, &drawn)
}

/// Moves `others` so that their means are those of `replicates`, for all associations together and for each.
///
/// The block bootstrap estimates the scatter of runs only. Its mean would add noise and a bias to that of this trace:
/// where a timer remembers a bad stretch for long, the worst one may come twice, and its copies no longer meet the
/// recorded outcomes.
fn centre_all(others: &mut [ReplicateMetrics], replicates: &[ReplicateMetrics]) {
    let (mut all, here): (Vec<&mut Values>, Vec<&Values>) =
        (others.iter_mut().map(|m| &mut m.overall).collect(), replicates.iter().map(|m| &m.overall).collect());
    centre(&mut all, &here);
    for i in 0..replicates.first().map_or(0, |m| m.associations.len()) {
        let here: Vec<&Values> = replicates.iter().filter_map(|m| Some(&m.associations.get(i)?.0)).collect();
        let mut one: Vec<&mut Values> =
            others.iter_mut().filter_map(|m| Some(&mut m.associations.get_mut(i)?.0)).collect();
        centre(&mut one, &here);
    }
}

/// Upwards in proportion, so that what did not happen in a run stays at none; downwards by one step, but not below
/// nothing, so that what happens in other runs only stays possible.
fn centre(others: &mut [&mut Values], here: &[&Values]) {
    for name in MetricName::ALL {
        let of_here = mean(&here.iter().filter_map(|v| v.get(name)).collect::<Vec<f64>>());
        let of_others = mean(&others.iter().filter_map(|v| v.get(name)).collect::<Vec<f64>>());
        let Some((here, there)) = of_here.zip(of_others).filter(|(_, there)| *there > 0.0) else { continue };
        let most = if name.unit() == "fraction" { 1.0 } else { f64::INFINITY };
        for values in &mut *others {
            let moved = |value: f64| if here > there { value * (here / there) } else { value - (there - here) };
            values.set(name, values.get(name).map(|value| moved(value).clamp(0.0, most)));
        }
    }
}

impl Parts<'_> {
    fn summary(&self, name: MetricName) -> Summary {
        let of = |values: &[&Values]| -> Vec<f64> { values.iter().filter_map(|v| v.get(name)).collect() };
        let all = |values: &[&Values]| -> Vec<Option<f64>> { values.iter().map(|v| v.get(name)).collect() };
        let column = of(&self.replicates);
        let ninety = interval(&column, 0.90);
        let bounds = self.ranges.and_then(|r| r.get(name));
        let (best, worst) = match bounds {
            None => (None, None),
            Some((lo, hi)) if name.more_is_better() => (Some(hi), Some(lo)),
            Some((lo, hi)) => (Some(lo), Some(hi)),
        };
        let recorded = self.recorded_ranges.and_then(|r| r.get(name));
        Summary {
            recorded: self.recorded.get(name),
            recorded_lo: recorded.map(|r| r.0),
            recorded_hi: recorded.map(|r| r.1),
            worst,
            best,
            mean: mean(&column),
            lo90: ninety.map(|i| i.lo),
            hi90: ninety.map(|i| i.hi),
            another: interval(&of(&self.another), 0.90).map(|own| match ninety.filter(|_| self.encloses) {
                Some(here) => own.hull(here),
                None => own,
            }),
            modes: self.parted.and_then(|parted| parted.modes(&all(&self.replicates), &all(&self.another))),
            defined: u32::try_from(column.len()).unwrap_or(u32::MAX),
            support: self.support,
        }
    }
}
