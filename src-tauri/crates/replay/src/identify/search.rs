//! Which algorithm, with which parameters: the presets as published, then the most likely ones changed one parameter
//! at a time for as long as that pays.

mod space;

use super::drive::{Sender, Sighting, drive};
use super::fit::Fit;
use super::law::Seconds;
use super::lineage::{is_ablation, lineage};
use super::observe::Observed;
use super::slots;
use base::{Cancelled, Progress, Span};
use rayon::prelude::*;
use rto::AlgorithmSpec;
use serde_json::{Map, Value};
use space::{Change, axes, changes, nearest};
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
}

/// A change that was tried: its axis, and what came of it.
type Tried = (usize, Change, Judged);

/// What the associations of one sender, or of senders thought to be alike, show together.
pub(crate) struct Case<'a> {
    pub observed: Vec<&'a Observed>,
    /// Copies name themselves on the wire: yes, no, or that was not looked for.
    pub marked: Option<bool>,
    /// Gaps between copies.
    pub gaps: usize,
    /// How long copies wait before they are on the air.
    pub delay: Span,
    /// From one slot to the next, where copies leave in such.
    pub slot: Option<Seconds>,
}

/// The odds against an algorithm that needs marks where there are none, or needs none where there are.
const MARKS: f64 = 1e4;
/// The odds against a preset that nobody runs: a reading of what was never published is ours, and a part of an algorithm
/// was tried alone in its own paper only.
const UNUSED: f64 = 100.0;
/// As many parameters change at most.
const CHANGES: usize = 8;
/// As many presets that run on the same code are looked at closely.
const KIN: usize = 2;
/// A preset this far behind the best one, in units of the number of gaps, is not looked at closely, unless it is the
/// best of its lineage.
const HOPELESS: f64 = 1.5;
/// The search for parameters looks at as many exchanges, of the clients with the most gaps; its result at all.
const SAMPLE: usize = 6_000;
/// Changes that are tried in pairs.
const PAIRED: usize = 8;
/// A smaller difference of logarithms is none.
const EFFECT: f64 = 0.1;
/// Candidates between two reports of progress.
const BATCH: usize = 16;

impl<'a> Case<'a> {
    /// The case of `observed`; `noise` is how far gaps are off where they do not say themselves.
    pub fn new(observed: Vec<&'a Observed>, marked: Option<bool>, noise: Option<Span>) -> Self {
        let gaps = observed.iter().map(|o| o.gaps()).sum();
        let delay = super::timeouts::noise(&observed).or(noise).unwrap_or(Span::ZERO);
        let slot = slots::slot(&observed);
        Self { observed, marked, gaps, delay, slot }
    }

    /// The cost of one free parameter (Schwarz 1978).
    fn freedom(&self) -> f64 {
        0.5 * (self.gaps.max(2) as f64).ln()
    }

    /// What was seen of the timers of each association, as `suspect` sees it; `None` if it cannot be built.
    pub fn sightings(&self, suspect: &Suspect) -> Option<Vec<Vec<Sighting>>> {
        self.observed.iter().map(|observed| sightings(suspect, observed)).collect()
    }

    /// How well `suspect` explains the case; `None` if it cannot be built.
    pub fn judge(&self, suspect: Suspect) -> Option<Judged> {
        let fit = Fit::of(self.sightings(&suspect)?.iter().flatten(), self.slot);
        Some(Judged { score: fit.log_likelihood - self.cost(&suspect), fit, suspect })
    }

    /// What the freedoms of `suspect` cost.
    pub fn cost(&self, suspect: &Suspect) -> f64 {
        let odd = self.marked.is_some_and(|marked| marked != suspect.spec.marks_attempts);
        changes(suspect.spec, &suspect.params)
            + if suspect.settled { self.freedom() } else { 0.0 }
            + if odd { MARKS.ln() } else { 0.0 }
            + if suspect.spec.rank == rto::Rank::C || is_ablation(suspect.spec.id) { UNUSED.ln() } else { 0.0 }
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

    /// Changes one parameter after the other, and two at once where one does not help. The circumstances (how long copies
    /// wait, whether the sender had run before) are asked for only where no parameter helps: they can stand for many a
    /// parameter, and badly.
    fn improve(&self, mut best: Judged, work: &mut Work<'_>) -> Result<Judged, Cancelled> {
        let mut params = axes(best.suspect.spec, self);
        let mut circumstances = self.circumstances(best.suspect.spec);
        for _ in 0..CHANGES {
            let mut tried = self.change(&best, &mut params, work)?;
            if !tried.first().is_some_and(|(_, _, next)| next.score > best.score + EFFECT) {
                let circumstance = self.change(&best, &mut circumstances, work)?;
                tried.extend(circumstance.into_iter().map(|(axis, change, next)| (axis + params.len(), change, next)));
                tried.sort_by(|(_, _, a), (_, _, b)| b.score.total_cmp(&a.score));
            }
            let one = tried.first().map(|(_, _, next)| next.clone());
            let next = match one.filter(|next| next.score > best.score + EFFECT) {
                None => self.pairs(&best, &tried, work)?,
                one => one,
            };
            let Some(next) = next else { break };
            let near = nearest(next.suspect.clone());
            best = if near.spec.id == next.suspect.spec.id { next } else { self.judge(near).unwrap_or(next) };
        }
        Ok(best)
    }

    /// The best change along each of `axes`, the best first; axes without any effect are struck out.
    fn change(&self, best: &Judged, axes: &mut Vec<Vec<Change>>, work: &mut Work<'_>) -> Result<Vec<Tried>, Cancelled> {
        let mut tried = Vec::new();
        let mut left = Vec::new();
        for changes in std::mem::take(axes) {
            let changed = changes.iter().filter_map(|change| Some((change.clone(), change.applied(&best.suspect)?)));
            let (made, suspects): (Vec<Change>, Vec<Suspect>) = changed.unzip();
            let judged = self.each(suspects, work)?.into_iter().zip(made);
            let judged: Vec<(Judged, Change)> = judged.filter_map(|(j, change)| Some((j?, change))).collect();
            let effect = |j: &Judged| (j.fit.log_likelihood - best.fit.log_likelihood).abs() > EFFECT;
            if judged.iter().any(|(j, _)| effect(j)) {
                let most = judged.into_iter().reduce(|a, b| if b.0.score > a.0.score { b } else { a });
                tried.extend(most.map(|(j, change)| (left.len(), change, j)));
                left.push(changes);
            }
        }
        *axes = left;
        tried.sort_by(|(_, _, a), (_, _, b)| b.score.total_cmp(&a.score));
        Ok(tried)
    }

    /// The best two changes at once, if they are better than none.
    fn pairs(&self, best: &Judged, tried: &[Tried], work: &mut Work<'_>) -> Result<Option<Judged>, Cancelled> {
        let some = tried.get(..PAIRED).unwrap_or(tried);
        let pair = |(i, (axis, first, _)): (usize, &Tried)| {
            let others = some.iter().skip(i + 1).filter(|(other, ..)| other != axis);
            let both = |(_, second, _): &Tried| second.applied(&first.applied(&best.suspect)?);
            others.filter_map(both).collect::<Vec<_>>()
        };
        let suspects = some.iter().enumerate().flat_map(pair).collect();
        let judged = self.each(suspects, work)?.into_iter().flatten();
        let most = judged.reduce(|a, b| if b.score > a.score { b } else { a });
        Ok(most.filter(|next| next.score > best.score + EFFECT))
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

/// What was seen of the timers of one association, as `suspect` sees it; `None` if it cannot be built.
pub(crate) fn sightings(suspect: &Suspect, observed: &Observed) -> Option<Vec<Sighting>> {
    let spec = suspect.spec;
    let estimator = rto::build(spec.id, &Value::Object(suspect.params.clone())).ok()?;
    let sender = Sender { marks: spec.marks_attempts, settled: suspect.settled, delay: suspect.delay };
    let mut seen = Vec::new();
    drive(estimator, sender, observed, &mut seen);
    Some(seen)
}

/// The best first; the order of the registry where they are equal.
fn sort(judged: &mut [Judged]) {
    judged.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// How far the search is. Nobody knows how many steps it takes, so the total gives way.
struct Work<'p> {
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
