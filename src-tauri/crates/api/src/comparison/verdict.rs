//! Answer of a comparison in plain sentences, from the intervals of its runs: which timer completes exchanges sooner
//! than the recorded one, or that this cannot be told. The window, the command line, reports and captions of figures
//! say it in these words.

use super::LOW_SUPPORT;
use super::numbers::{Column, percent, whole_percent};
use crate::view::replayed::metrics::spec;
use crate::view::{AnswerView, DifferenceView, MeasuredRun, MetricView, ModesView, RunView};
use replay::MetricName;
use std::collections::BTreeMap;

/// Measure by which a timer is named best.
const HEADLINE: MetricName = MetricName::DurationMean;
/// Share of needless copies, 0 to 1, from which a recorded load is called a storm. Chosen here by judgement: no
/// experiment decides it; it decides whether a sentence speaks of a storm. The bundled *Needless storm* has 62 %
/// (docs/method.md, Reply matching).
const STORM: f64 = 0.4;
/// Ratio of the means of two modes above which the slow one is called a collapse. Chosen here by judgement: no
/// experiment decides it; it decides the word only, for the two modes were found by a test of their own.
const COLLAPSE: f64 = 2.0;
/// Greatest number of timers that are named where the best cannot be told from them; more are counted. Chosen here: as
/// many as a reader keeps in mind.
const NAMED: usize = 3;

/// A timer, its name for people, and the results of its run.
#[derive(Clone, Debug)]
pub(crate) struct Contender<'a> {
    name: &'a str,
    metrics: &'a BTreeMap<String, MetricView>,
    /// Differences to the baseline, paired by replicate; `None` where none was asked for.
    differences: Option<&'a BTreeMap<String, DifferenceView>>,
    modes: Option<ModesView>,
    support: Option<f64>,
    /// True for a timer that needs packets that name the copy they answer ([`rto::AlgorithmSpec::marks_attempts`]).
    marks: bool,
    /// Real runs of this network under the timer; where there is none, under other timers of its algorithm.
    truths: Vec<Truth<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Truth<'a> {
    /// The timer ran with all its parameters.
    same: bool,
    run: &'a MeasuredRun,
}

/// A contender with a mean and an interval of a measure.
#[derive(Clone, Copy, Debug)]
struct Estimated<'a> {
    contender: &'a Contender<'a>,
    /// Position among the contenders, from 0.
    at: usize,
    mean: f64,
    ninety: (f64, f64),
}

/// Returns the verdict on the timers of a replay. `measured` are real runs of the network, by positions in `runs`;
/// `baseline` is the position, from 0, of the run that differences are taken to, `None` for the recorded behaviour.
#[must_use]
pub fn verdict(runs: &[RunView], measured: &[MeasuredRun], baseline: Option<u32>) -> AnswerView {
    let contenders: Vec<Contender<'_>> =
        runs.iter().zip(0..).map(|(run, at)| Contender::of(run, truths(measured, at))).collect();
    answer(&contenders, baseline)
}

/// Returns the verdict on timers over one capture; see [`verdict`].
pub(crate) fn answer(contenders: &[Contender<'_>], baseline: Option<u32>) -> AnswerView {
    Comparison::new(contenders, baseline).answer()
}

/// Returns the real runs beside the timer at position `at`: those under itself, else those of its algorithm.
fn truths(measured: &[MeasuredRun], at: u32) -> Vec<Truth<'_>> {
    let beside = |same: bool, positions: fn(&MeasuredRun) -> &Vec<u32>| -> Vec<Truth<'_>> {
        measured.iter().filter(|run| positions(run).contains(&at)).map(|run| Truth { same, run }).collect()
    };
    let same = beside(true, |run| &run.same);
    if same.is_empty() { beside(false, |run| &run.alike) } else { same }
}

impl<'a> Contender<'a> {
    /// Describes a timer by measures, modes and support (0 to 1) of its run, without paired differences and real runs.
    pub(crate) const fn new(
        name: &'a str,
        metrics: &'a BTreeMap<String, MetricView>,
        modes: Option<ModesView>,
        support: Option<f64>,
    ) -> Self {
        Self { name, metrics, differences: None, modes, support, marks: false, truths: Vec::new() }
    }

    fn of(run: &'a RunView, truths: Vec<Truth<'a>>) -> Self {
        let differences = Some(&run.differences);
        let timer = Self::new(&run.name, &run.metrics, run.modes, run.support).of_algorithm(&run.algorithm.id);
        Self { differences, truths, ..timer }
    }

    /// Says which algorithm of the registry the timer is, by its ID; one of the user's own needs nothing that is known.
    pub(crate) fn of_algorithm(self, id: &str) -> Self {
        Self { marks: rto::spec(id).is_some_and(|spec| spec.marks_attempts), ..self }
    }

    fn metric(&self, measure: MetricName) -> Option<&'a MetricView> {
        self.metrics.get(measure.name())
    }

    fn recorded(&self, measure: MetricName) -> Option<f64> {
        finite(self.metric(measure)?.recorded)
    }

    fn estimate(&'a self, at: usize, measure: MetricName) -> Option<Estimated<'a>> {
        let metric = self.metric(measure)?;
        let (mean, lo, hi) = (finite(metric.mean)?, finite(metric.lo90)?, finite(metric.hi90)?);
        Some(Estimated { contender: self, at, mean, ninety: (lo, hi) })
    }

    /// Returns the 90 % interval of the difference to the recorded value, whatever the baseline is.
    fn to_recorded(&self, measure: MetricName) -> Option<(f64, f64)> {
        let (metric, recorded) = (self.metric(measure)?, self.recorded(measure)?);
        Some((finite(metric.lo90)? - recorded, finite(metric.hi90)? - recorded))
    }

    /// Returns the verdict on this timer alone.
    pub(crate) fn alone(self) -> AnswerView {
        answer(&[self], None)
    }

    /// Returns the verdict on whether the recorded behaviour is a usual run of this timer through the network twin, of
    /// use where it is the timer that was running. `None` without completion times.
    pub(crate) fn self_replay(&self) -> Option<AnswerView> {
        let metric = self.metric(HEADLINE)?;
        let (recorded, another) = (self.recorded(HEADLINE)?, metric.another);
        let (lo, hi) = another.or_else(|| finite(metric.lo90).zip(finite(metric.hi90)))?;
        let column = Column::new(&spec(HEADLINE), [(lo, hi)].into_iter());
        let side = if (lo..=hi).contains(&recorded) { "inside" } else { "outside" };
        let headline = format!(
            "The twin under {} completes an exchange in {} (90\u{a0}%); recorded: {}, {side}.",
            self.name,
            column.range((lo, hi)),
            column.value(recorded)
        );
        let why = "The timer that was running, sent through the network twin: where it repeats the capture, its other answers may be \
                   believed.";
        Some(AnswerView { headline, details: vec![why.to_owned()] })
    }
}

/// Returns `value` where it is finite: others cross the bridge as null.
fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// Contenders, and the numbers of the headline's measure.
struct Comparison<'a> {
    contenders: &'a [Contender<'a>],
    /// Position of the run that differences are taken to, from 0; `None`: the recorded behaviour.
    baseline: Option<usize>,
    /// Contenders with a mean, the fastest first.
    by_mean: Vec<Estimated<'a>>,
    column: Column,
}

impl<'a> Comparison<'a> {
    fn new(contenders: &'a [Contender<'a>], baseline: Option<u32>) -> Self {
        let all = estimates(contenders, HEADLINE);
        let column = Column::new(&spec(HEADLINE), all.iter().map(|one| one.ninety));
        let mut by_mean = all;
        by_mean.sort_by(|a, b| a.mean.total_cmp(&b.mean));
        Self { contenders, baseline: baseline.map(|at| at as usize), by_mean, column }
    }

    fn answer(&self) -> AnswerView {
        let first = self.contenders.first();
        let Some(recorded) = first.and_then(|first| first.recorded(HEADLINE)) else {
            let what = if self.contenders.len() == 1 { "no time can be told" } else { "no timer can be named best" };
            return plain(format!("No exchange of this capture was completed, so {what}."));
        };
        let split = self.split();
        // A mean that may be no improvement does not stand before one that surely is.
        let surely = self.by_mean.iter().find(|one| self.sign(one) == -1);
        let Some(best) = surely.or_else(|| self.by_mean.first()) else {
            let why = if split.is_empty() { "this channel gives bounds only" } else { "each ends in two ways" };
            let recorded = self.column.value(recorded);
            let headline =
                format!("Cannot tell which timer is best: {why}. Recorded: {recorded} to complete an exchange.");
            return AnswerView { headline, details: split };
        };
        let takes = format!("{} (90\u{a0}%: {})", self.column.value(best.mean), self.column.range(best.ninety));
        let before = self.column.value(recorded);
        let (contender, name) = (best.contender, best.contender.name);
        // Where most is assumed, no mean is said as if it were known.
        if let Some(support) = contender.support.filter(|support| *support < LOW_SUPPORT) {
            return AnswerView {
                headline: format!(
                    "Cannot tell which timer is best: only {} of the copies of {name} were recorded, and the rest is the channel’s \
                     assumption.",
                    percent(support)
                ),
                details: vec![format!("Under it, {name} completes an exchange in {takes} instead of {before}.")],
            };
        }
        let copies = self.instead(best, MetricName::RetriesMean, "Retransmissions per exchange");
        let failures = self.more_failures(best);
        if surely.is_some() {
            let facts = [self.really_took(contender), needs(contender), self.storm_ends(), copies, self.rivals(best)];
            return AnswerView {
                headline: format!("{name} completes an exchange in {takes} instead of {before}."),
                details: facts.into_iter().flatten().chain(split).chain(failures).collect(),
            };
        }
        let is_other = |one: &&Estimated<'_>| one.at != best.at;
        let unclear: Vec<&Estimated<'_>> =
            self.by_mean.iter().filter(is_other).filter(|one| self.sign(one) == 0).collect();
        let best_sign = self.sign(best);
        let also =
            (best_sign == 1 && !unclear.is_empty()).then(|| format!("Cannot tell for {}.", self.ranges(&unclear)));
        AnswerView {
            headline: self.not_better(name, &takes, &before, (best_sign == 0, !unclear.is_empty())),
            details: copies.into_iter().chain(also).chain(split).chain(failures).collect(),
        }
    }

    /// Returns -1 or 1 where the difference to the recorded value, in the digits shown, is below or above zero; else 0.
    fn sign(&self, one: &Estimated<'_>) -> i8 {
        one.contender.to_recorded(HEADLINE).map_or(0, |difference| self.column.sign(difference))
    }

    /// The headline where no timer surely improves on the recorded one. `unclear`: whether the difference of the best,
    /// or of another one, includes zero.
    fn not_better(&self, name: &str, takes: &str, before: &str, unclear: (bool, bool)) -> String {
        let many = self.by_mean.len();
        match unclear {
            (true, _) if many > 1 => format!(
                "Cannot tell whether any of these {many} timers completes exchanges faster than the recorded {before}: the best, {name}, \
                 takes {takes}."
            ),
            (true, _) => {
                format!(
                    "Cannot tell whether {name} completes exchanges faster than the recorded {before}: it takes {takes}."
                )
            }
            _ if many == 1 => format!("{name} completes exchanges no faster: {takes} instead of {before}."),
            (false, true) => format!(
                "No timer is shown to complete exchanges faster than the recorded {before}: the nearest, {name}, takes {takes}."
            ),
            (false, false) => format!(
                "None of these {many} timers completes exchanges faster than the recorded {before}: the nearest, {name}, takes {takes}."
            ),
        }
    }

    /// `A real run of this network under CoCoA took 2.4 s.`
    fn really_took(&self, best: &Contender<'_>) -> Option<String> {
        let (truth, seconds) =
            best.truths.iter().find_map(|truth| Some((truth, truth.run.metrics.get(HEADLINE.name())?)))?;
        let ran = truth.run.algorithm.as_ref();
        let name = ran.map_or("a timer that is not known", |ran| rto::spec(&ran.id).map_or(&*ran.id, |spec| spec.name));
        let which = if truth.same || name != best.name { "" } else { " with other parameters" };
        Some(format!("A real run of this network under {name}{which} took {}.", self.column.value(*seconds)))
    }

    /// `Needless copies were 57 % of all: the storm ends under CoCoA+ and RFC 6298.`; `None` where there was none, or
    /// it goes on.
    fn storm_ends(&self) -> Option<String> {
        let before = self.contenders.first()?.recorded(MetricName::SpuriousAll).filter(|before| *before >= STORM)?;
        let is_over = |contender: &&Contender<'_>| {
            contender
                .metric(MetricName::SpuriousAll)
                .is_some_and(|needless| needless.modes.is_none() && needless.hi90.is_some_and(|hi| hi < before / 2.0))
        };
        let ends: Vec<String> = self.contenders.iter().filter(is_over).map(|one| one.name.to_owned()).collect();
        if ends.is_empty() {
            return None;
        }
        Some(format!("Needless copies were {} of all: the storm ends under {}.", percent(before), listed(&ends)))
    }

    /// The runs that end in two ways:
    /// `RFC 6298 ends in two ways: in 43 % of replicates (90 %: 37 – 49 %) it collapses: 2.4 s otherwise, 38.0 s then.`
    fn split(&self) -> Vec<String> {
        let sentence = |contender: &Contender<'_>| {
            let ModesView { slow, lo90, hi90, .. } = contender.modes?;
            let (calm, collapsed) = contender.metric(HEADLINE)?.modes?;
            let ends = if collapsed.mean > COLLAPSE * calm.mean { "it collapses" } else { "it ends slower" };
            Some(format!(
                "{} ends in two ways: in {} of replicates (90\u{a0}%: {} – {}) {ends}: {} otherwise, {} then.",
                contender.name,
                percent(slow),
                whole_percent(lo90),
                percent(hi90),
                self.column.value(calm.mean),
                self.column.value(collapsed.mean),
            ))
        };
        self.contenders.iter().filter_map(sentence).collect()
    }

    /// `Retransmissions per exchange: 0.16 (0.11 – 0.22) instead of 2.21.`, in the decimals of the measure's column.
    fn instead(&self, best: &Estimated<'_>, measure: MetricName, what: &str) -> Option<String> {
        let (one, recorded) = (best.contender.estimate(best.at, measure)?, best.contender.recorded(measure)?);
        let all = estimates(self.contenders, measure);
        let column = Column::new(&spec(measure), all.iter().map(|one| one.ninety));
        let (mean, range, recorded) = (column.value(one.mean), column.range(one.ninety), column.value(recorded));
        Some(format!("{what}: {mean} ({range}) instead of {recorded}."))
    }

    /// A timer that gives up early completes the rest sooner: this must not pass for an improvement.
    fn more_failures(&self, best: &Estimated<'_>) -> Option<String> {
        let (lo, _) = best.contender.to_recorded(MetricName::PlrExchange)?;
        (lo > 0.0).then(|| self.instead(best, MetricName::PlrExchange, "But it gives up on more exchanges"))?
    }

    /// Timers that the best cannot be told from: paired differences that include zero where the best is the baseline,
    /// else intervals that overlap, which claims less.
    fn rivals(&self, best: &Estimated<'_>) -> Option<String> {
        let is_paired = self.baseline == Some(best.at);
        let paired = |other: &Estimated<'_>| {
            let difference = other.contender.differences?.get(HEADLINE.name())?;
            Some((difference.lo90, difference.hi90)).filter(|_| is_paired)
        };
        let is_rival = |other: &&Estimated<'_>| match paired(other) {
            Some(difference) => self.column.sign(difference) == 0,
            None => other.ninety.0 <= best.ninety.1 && other.ninety.1 >= best.ninety.0,
        };
        let rivals: Vec<&Estimated<'_>> =
            self.by_mean.iter().filter(|other| other.at != best.at).filter(is_rival).collect();
        if rivals.is_empty() {
            return None;
        }
        let why = if is_paired { "the paired differences include zero" } else { "the intervals overlap" };
        Some(format!("Cannot tell it from {}: {why}.", self.ranges(&rivals)))
    }

    /// `A (2.6 – 4.8 s), B (3.0 – 5.0 s) and 2 more`.
    fn ranges(&self, some: &[&Estimated<'_>]) -> String {
        let named =
            some.iter().take(NAMED).map(|one| format!("{} ({})", one.contender.name, self.column.range(one.ninety)));
        let more = some.len().checked_sub(NAMED).filter(|more| *more > 0).map(|more| format!("{more} more"));
        listed(&named.chain(more).collect::<Vec<_>>())
    }
}

/// `RC option needs answers that name the copy they answer: clients and servers change.`; `None` for timers that only
/// clients run.
fn needs(contender: &Contender<'_>) -> Option<String> {
    let name = contender.name;
    contender.marks.then(|| format!("{name} needs answers that name the copy they answer: clients and servers change."))
}

const fn plain(headline: String) -> AnswerView {
    AnswerView { headline, details: Vec::new() }
}

fn estimates<'a>(contenders: &'a [Contender<'a>], measure: MetricName) -> Vec<Estimated<'a>> {
    contenders.iter().enumerate().filter_map(|(at, contender)| contender.estimate(at, measure)).collect()
}

/// `A`, `A and B`, `A, B and C`.
fn listed(items: &[String]) -> String {
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => items.concat(),
    }
}

#[cfg(test)]
mod tests;
