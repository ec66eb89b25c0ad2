//! Which algorithm, with which parameters: the presets as published, then the most likely ones changed one parameter
//! at a time for as long as that pays.

use super::drive::{Sender, Sighting, drive};
use super::fit::Fit;
use super::lineage::lineage;
use super::observe::Observed;
use base::{Cancelled, Progress, Span};
use rayon::prelude::*;
use rto::{AlgorithmSpec, ParamSpec, ParamValue, Unit};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// An algorithm that may have been running.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Suspect {
    /// The preset.
    pub spec: &'static AlgorithmSpec,
    /// Parameters that differ from the preset's.
    pub params: Map<String, Value>,
    /// It had settled before the capture began.
    pub settled: bool,
    /// How much earlier than its copies are on the air it believes to send them.
    pub delay: Span,
}

/// How well a suspect explains what was seen.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub suspect: Suspect,
    pub fit: Fit,
    /// The logarithm of the likelihood, less what its freedoms cost.
    pub score: f64,
    /// What was seen, as it sees it, per association.
    pub sightings: Vec<Vec<Sighting>>,
}

/// What the associations of one sender, or of senders thought to be alike, show together.
pub(crate) struct Case<'a> {
    pub observed: Vec<&'a Observed>,
    /// Copies name themselves on the wire: yes, no, or that was not looked for.
    pub marked: Option<bool>,
    /// Gaps between copies.
    pub gaps: usize,
    /// How long copies wait before they are on the air.
    pub delay: Span,
}

/// The odds against an algorithm that needs marks where there are none, or needs none where there are.
const MARKS: f64 = 20.0;
/// What a parameter with other than the preset's value costs, besides what it takes to name the value: presets are
/// what people publish and run.
const CHANGE: f64 = 1.0;
/// As many parameters change at most.
const CHANGES: usize = 8;
/// As many presets that run on the same code are looked at closely.
const KIN: usize = 2;
/// A preset this far behind the best one, in units of the number of gaps, is not looked at closely, unless it is the
/// best of its lineage.
const HOPELESS: f64 = 1.5;
/// The search for parameters looks at as many exchanges, of the clients with the most gaps; its result at all.
const SAMPLE: usize = 1500;
/// A smaller difference of logarithms is none.
const EFFECT: f64 = 0.1;
/// Candidates between two reports of progress.
const BATCH: usize = 16;

impl<'a> Case<'a> {
    /// The case of `observed`; `noise` is how far gaps are off where they do not say themselves.
    pub fn new(observed: Vec<&'a Observed>, marked: Option<bool>, noise: Option<Span>) -> Self {
        let gaps = observed.iter().map(|o| o.gaps()).sum();
        let delay = super::timeouts::noise(&observed).or(noise).unwrap_or(Span::ZERO);
        Self { observed, marked, gaps, delay }
    }

    /// The cost of one free parameter (Schwarz 1978).
    fn freedom(&self) -> f64 {
        0.5 * (self.gaps.max(2) as f64).ln()
    }

    /// How well `suspect` explains the case; `None` if it cannot be built.
    pub fn judge(&self, suspect: Suspect) -> Option<Judged> {
        let spec = suspect.spec;
        let params = Value::Object(suspect.params.clone());
        let sender = Sender { marks: spec.marks_attempts, settled: suspect.settled, delay: suspect.delay };
        let mut sightings = Vec::with_capacity(self.observed.len());
        for observed in &self.observed {
            let mut seen = Vec::new();
            drive(rto::build(spec.id, &params).ok()?, sender, observed, &mut seen);
            sightings.push(seen);
        }
        let fit = Fit::of(sightings.iter().flatten());
        let odd = self.marked.is_some_and(|marked| marked != spec.marks_attempts);
        let cost = changes(spec, &suspect.params)
            + if suspect.settled { self.freedom() } else { 0.0 }
            + if odd { MARKS.ln() } else { 0.0 };
        Some(Judged { score: fit.log_likelihood - cost, suspect, fit, sightings })
    }

    /// Every preset as it is and, of the most likely lineages, the best with other parameters.
    pub fn investigate(&self, progress: &mut dyn Progress) -> Result<Vec<Judged>, Cancelled> {
        let mut first = Vec::new();
        for spec in rto::algorithms() {
            let plain = Suspect { spec, params: Map::new(), settled: false, delay: Span::ZERO };
            if spec.learns() {
                first.push(Suspect { settled: true, delay: self.delay, ..plain.clone() });
                first.push(Suspect { delay: self.delay, ..plain.clone() });
            }
            first.push(plain);
        }
        let mut work = Work { done: 0, total: (first.len() * 4) as u64, progress };
        let mut judged = self.judge_all(first, &mut work)?;
        sort(&mut judged);
        // Of each preset its best history.
        let mut known = BTreeSet::new();
        judged.retain(|j| known.insert(j.suspect.spec.id));
        let best = judged.first().map_or(0.0, |j| j.score);
        let mut close: Vec<Judged> = Vec::new();
        for j in &judged {
            let spec = j.suspect.spec;
            let code = close.iter().filter(|c| c.suspect.spec.family == spec.family).count();
            let first = !close.iter().any(|c| lineage(c.suspect.spec.family) == lineage(spec.family));
            let near = best - j.score < HOPELESS * (self.gaps as f64 + 20.0);
            if !spec.paced && (first || near && code < KIN) {
                close.push(j.clone());
            }
        }
        let sample = self.sample();
        for start in close {
            let found = match &sample {
                Some(sample) => match sample.judge(start.suspect) {
                    Some(start) => self.judge(sample.improve(start, &mut work)?.suspect),
                    None => None,
                },
                None => Some(self.improve(start, &mut work)?),
            };
            judged.extend(found.filter(|found| !found.suspect.params.is_empty()));
        }
        sort(&mut judged);
        Ok(judged)
    }

    /// The clients with the most gaps, where all of them would take long.
    fn sample(&self) -> Option<Self> {
        let exchanges = |observed: &Observed| observed.exchanges.len();
        if self.observed.iter().map(|o| exchanges(o)).sum::<usize>() <= SAMPLE {
            return None;
        }
        let mut by_gaps = self.observed.clone();
        by_gaps.sort_by_key(|o| std::cmp::Reverse(o.gaps()));
        let mut size = 0;
        let enough = |o: &&Observed| {
            let go_on = size < SAMPLE;
            size += exchanges(o);
            go_on
        };
        Some(Self::new(by_gaps.into_iter().take_while(enough).collect(), self.marked, Some(self.delay)))
    }

    /// Changes one parameter after the other. The circumstances (how long copies wait, whether the sender had run before)
    /// are asked for only where no parameter helps: they can stand for many a parameter, and badly.
    fn improve(&self, mut best: Judged, work: &mut Work<'_>) -> Result<Judged, Cancelled> {
        let mut params = axes(best.suspect.spec, self);
        let mut circumstances = self.circumstances(best.suspect.spec);
        for _ in 0..CHANGES {
            let next = match self.change(&best, &mut params, work)? {
                None => self.change(&best, &mut circumstances, work)?,
                some => some,
            };
            let Some(next) = next else { break };
            let near = nearest(next.suspect.clone());
            best = if near.spec.id == next.suspect.spec.id { next } else { self.judge(near).unwrap_or(next) };
        }
        Ok(best)
    }

    /// The best single change, if any is better than none; `axes` without any effect are struck out.
    fn change(
        &self,
        best: &Judged,
        axes: &mut Vec<Vec<Change>>,
        work: &mut Work<'_>,
    ) -> Result<Option<Judged>, Cancelled> {
        let changes = axes.iter().enumerate().flat_map(|(axis, values)| values.iter().map(move |value| (axis, value)));
        let changed = changes.filter_map(|(axis, value)| Some((axis, value.applied(&best.suspect)?)));
        let (numbers, suspects): (Vec<usize>, Vec<Suspect>) = changed.unzip();
        let mut next: Option<Judged> = None;
        let mut matters = vec![false; axes.len()];
        for (judged, axis) in self.each(suspects, work)?.into_iter().zip(numbers) {
            let Some(judged) = judged else { continue };
            if let Some(matters) = matters.get_mut(axis) {
                *matters |= (judged.fit.log_likelihood - best.fit.log_likelihood).abs() > EFFECT;
            }
            if next.as_ref().is_none_or(|next| judged.score > next.score) {
                next = Some(judged);
            }
        }
        let mut matters = matters.into_iter();
        axes.retain(|_| matters.next().unwrap_or(true));
        Ok(next.filter(|next| next.score > best.score + EFFECT))
    }

    fn judge_all(&self, suspects: Vec<Suspect>, work: &mut Work<'_>) -> Result<Vec<Judged>, Cancelled> {
        Ok(self.each(suspects, work)?.into_iter().flatten().collect())
    }

    /// Judges all, in order.
    fn each(&self, suspects: Vec<Suspect>, work: &mut Work<'_>) -> Result<Vec<Option<Judged>>, Cancelled> {
        let mut judged = Vec::with_capacity(suspects.len());
        for batch in suspects.chunks(BATCH) {
            work.tick(batch.len())?;
            judged.par_extend(batch.par_iter().map(|suspect| self.judge(suspect.clone())));
        }
        Ok(judged)
    }
}

/// The best first; the order of the registry where they are equal.
pub(crate) fn sort(judged: &mut [Judged]) {
    judged.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// How far the search is. Nobody knows how many steps it takes, so the total gives way.
pub(crate) struct Work<'p> {
    done: u64,
    total: u64,
    progress: &'p mut dyn Progress,
}

impl Work<'_> {
    fn tick(&mut self, more: usize) -> Result<(), Cancelled> {
        let go = self.progress.tick(self.done, self.total.max(self.done + 1));
        self.done += more as u64;
        if go.is_break() { Err(Cancelled) } else { Ok(()) }
    }
}

/// A value that a part of a suspect may take.
#[derive(Clone, Debug)]
enum Change {
    Param(&'static str, Value),
    Delay(Span),
    Settled(bool),
}

impl Change {
    /// `suspect` with this change; `None` where that is no change.
    fn applied(&self, suspect: &Suspect) -> Option<Suspect> {
        let mut changed = suspect.clone();
        match self {
            Self::Param(name, value) => {
                let spec = suspect.spec.params.iter().find(|p| p.name == *name)?;
                if as_value(&spec.default) == *value {
                    changed.params.remove(*name);
                } else {
                    changed.params.insert((*name).to_owned(), value.clone());
                }
            }
            Self::Delay(delay) => changed.delay = *delay,
            Self::Settled(settled) => changed.settled = *settled,
        }
        (changed != *suspect).then_some(changed)
    }
}

/// What it takes to say how `params` differ from the preset: which of its parameters, and which of their values.
fn changes(spec: &AlgorithmSpec, params: &Map<String, Value>) -> f64 {
    let which = (spec.params.len().max(1) as f64).ln();
    let value = |name: &String| {
        let choices = spec.params.iter().find(|p| p.name == name.as_str()).map_or(0, |p| p.choices.len());
        (choices.max(usual(name).len()).max(2) - 1) as f64
    };
    params.keys().map(|name| CHANGE + which + value(name).ln()).sum()
}

/// `suspect` in terms of the preset of its family from which it differs least.
fn nearest(suspect: Suspect) -> Suspect {
    let value = |p: &ParamSpec| suspect.params.get(p.name).cloned().unwrap_or_else(|| as_value(&p.default));
    let full: Map<String, Value> = suspect.spec.params.iter().map(|p| (p.name.to_owned(), value(p))).collect();
    let kin = rto::algorithms()
        .iter()
        .filter(|s| s.family == suspect.spec.family && s.marks_attempts == suspect.spec.marks_attempts);
    let from = |spec: &'static AlgorithmSpec| {
        let same =
            |name: &str, value: &Value| spec.params.iter().any(|p| p.name == name && as_value(&p.default) == *value);
        let params: Map<String, Value> =
            full.iter().filter(|(name, value)| !same(name, value)).map(|(n, v)| (n.clone(), v.clone())).collect();
        Suspect { spec, params, ..suspect.clone() }
    };
    let all = std::iter::once(suspect.spec).chain(kin).map(from);
    all.reduce(
        |best, next| if changes(next.spec, &next.params) < changes(best.spec, &best.params) { next } else { best },
    )
    .unwrap_or(suspect)
}

fn as_value(value: &ParamValue) -> Value {
    match value {
        ParamValue::Number(number) => Value::from(*number),
        ParamValue::Text(text) => Value::from(text.clone()),
    }
}

/// Values of a parameter that people run and no preset has.
fn usual(name: &str) -> &'static [f64] {
    match name {
        "ack_timeout" | "rto_initial" => &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0, 10.0],
        "random_factor" => &[1.0, 1.25, 1.5, 2.0],
        "backoff" => &[1.25, 1.5, 2.0, 3.0],
        "rto_min" => &[0.0, 0.2, 0.5, 1.0],
        "rto_max" | "timer_max" => &[8.0, 16.0, 32.0, 60.0, 120.0],
        "lower_bound" => &[0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
        "granularity" => &[0.0, 0.01, 0.1],
        "weight" => &[0.25, 0.5, 0.75, 1.0],
        "alpha" | "beta" => &[0.125, 0.25],
        _ => &[],
    }
}

/// What may differ from the preset, one list of values for each freedom.
fn axes(spec: &'static AlgorithmSpec, case: &Case<'_>) -> Vec<Vec<Change>> {
    let mut axes: Vec<Vec<Change>> = spec.params.iter().map(|param| values(param, case)).collect();
    axes.retain(|values| !values.is_empty());
    axes
}

fn values(param: &ParamSpec, case: &Case<'_>) -> Vec<Change> {
    if param.unit == Unit::Choice {
        return param.choices.iter().map(|&choice| Change::Param(param.name, Value::from(choice))).collect();
    }
    let (Some(min), Some(max)) = (param.min, param.max) else { return Vec::new() };
    // A list of values people run; only for those is a search worth its while.
    let mut numbers: Vec<f64> = usual(param.name).to_vec();
    if param.name == "ack_timeout" {
        numbers.extend(case.first_gaps());
    }
    numbers.retain(|number| (min..=max).contains(number));
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    numbers.into_iter().map(|number| Change::Param(param.name, Value::from(number))).collect()
}

impl Case<'_> {
    /// What may differ from sender to sender that runs the same algorithm: how long its copies wait, in multiples of how
    /// far gaps are off, and whether it had run before.
    fn circumstances(&self, spec: &AlgorithmSpec) -> Vec<Vec<Change>> {
        if !spec.learns() {
            return Vec::new();
        }
        let halves = [0, 1, 2, 4, 6].map(|halves| Change::Delay(self.delay.scale(halves, 2)));
        vec![halves.to_vec(), [false, true].map(Change::Settled).to_vec()]
    }

    /// Short first gaps, in steps of 50 ms: where a constant that is dithered upwards may begin.
    fn first_gaps(&self) -> Vec<f64> {
        let exchanges = || self.observed.iter().flat_map(|o| &o.exchanges);
        let mut gaps: Vec<f64> = exchanges()
            .filter(|e| e.late > 1)
            .filter_map(|e| Some((*e.copies.get(1)? - *e.copies.first()?).secs_f64()))
            .collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let quantile = |num: usize| gaps.get(gaps.len() * num / 100).copied();
        [0, 2, 5, 10, 25, 50]
            .into_iter()
            .filter_map(quantile)
            .map(|gap| (gap * 20.0).round() / 20.0)
            .filter(|&gap| gap > 0.0)
            .collect()
    }
}
