//! The search for the best candidate: all presets as published, then a greedy coordinate search over the parameters and
//! circumstances of the likeliest ones.

pub(crate) mod candidate;
pub(crate) mod case;
pub(crate) mod parameters;

use super::algorithm_group::algorithm_group;
use super::observed::ObservedAssociation;
use base::{Cancelled, Part, Progress, SharedProgress, Span};
use candidate::{Candidate, ScoredCandidate, sort_by_score};
use case::Case;
use parameters::{Change, axes, circumstances, nearest_preset};
use rayon::prelude::*;
use serde_json::Map;
use std::collections::BTreeSet;

/// A change that was tried: the index of its axis, the change, and the candidate with it.
type Trial = (usize, Change, ScoredCandidate);

/// Greatest number of rounds of the greedy search. Chosen here for speed.
const ROUNDS: usize = 8;
/// Greatest number of presets of one family whose parameters are searched. Chosen here for speed.
const PER_FAMILY: usize = 2;
/// Largest lag in score (nats), per gap, of a preset whose parameters are searched, unless it is the best of its
/// group. Chosen here by judgement: no experiment decides it; smaller misses families whose presets are far from the
/// parameters that ran, larger takes time; `cargo test --release -p replay --test identify_runs -- --nocapture`
/// scores what is found.
const LARGEST_LAG: f64 = 1.5;
/// Number of gaps added in [`LARGEST_LAG`]'s bound, so that few gaps leave no preset out: 30 nats in all. Chosen here
/// by judgement: no experiment decides it; repeat as [`LARGEST_LAG`].
const LAG_GAPS: f64 = 20.0;
/// Number of exchanges that the search looks at, from the clients with the most gaps; its result is scored on all.
/// Chosen here for speed.
const SAMPLE: usize = 6_000;
/// Number of best changes that are tried in pairs. Chosen here for speed.
const PAIRED: usize = 8;
/// Least gain in score, in nats. Chosen here by judgement: a tenth of what is "not worth more than a bare mention"
/// (Kass & Raftery, J. Am. Stat. Assoc. 90, 1995, p. 777).
const LEAST_GAIN: f64 = 0.1;

impl Case<'_> {
    /// Scores every preset as published and, of the likeliest groups, the best with changed parameters; in descending
    /// order of score. Errs when cancelled.
    pub fn search(&self, progress: &mut dyn Progress) -> Result<Vec<ScoredCandidate>, Cancelled> {
        let mut search = Search::begin(self, progress)?;
        search.improve_all(progress)?;
        Ok(search.scored)
    }

    /// Every preset, and each that learns also with the estimated delay, settled or not.
    fn presets(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        for spec in rto::algorithms() {
            let plain = Candidate { spec, params: Map::new(), settled: false, delay: Span::ZERO };
            if spec.learns() {
                all.push(Candidate { settled: true, delay: self.delay, ..plain.clone() });
                all.push(Candidate { delay: self.delay, ..plain.clone() });
            }
            all.push(plain);
        }
        all
    }

    /// The presets whose parameters are searched: the best of each group, and others near the best. `scored` is in
    /// descending order.
    fn promising(&self, scored: &[ScoredCandidate]) -> Vec<ScoredCandidate> {
        let best = scored.first().map_or(0.0, |c| c.score);
        let mut chosen: Vec<ScoredCandidate> = Vec::new();
        for c in scored {
            let spec = c.candidate.spec;
            let of_family = chosen.iter().filter(|c| c.candidate.spec.family == spec.family).count();
            let group = algorithm_group(spec.family);
            let first = !chosen.iter().any(|c| algorithm_group(c.candidate.spec.family) == group);
            let near = best - c.score < LARGEST_LAG * (self.gaps as f64 + LAG_GAPS);
            if !spec.paced && (first || near && of_family < PER_FAMILY) {
                chosen.push(c.clone());
            }
        }
        chosen
    }

    /// The clients with the most gaps, where there are more than [`SAMPLE`] exchanges.
    fn sample(&self) -> Option<Self> {
        let exchanges = |observed: &ObservedAssociation| observed.exchanges.len();
        if self.observed.iter().map(|o| exchanges(o)).sum::<usize>() <= SAMPLE {
            return None;
        }
        let mut by_gaps = self.observed.clone();
        by_gaps.sort_by_key(|o| std::cmp::Reverse(o.gaps()));
        let mut size = 0;
        let enough = |o: &&ObservedAssociation| {
            let go_on = size < SAMPLE;
            size += exchanges(o);
            go_on
        };
        Some(Self::new(by_gaps.into_iter().take_while(enough).collect(), self.marked, Some(self.delay)))
    }

    /// Greedy coordinate search from `best`: takes the best change of one parameter, or of two at once where one does
    /// not help, for as long as the score rises. Circumstances are changed only where no parameter helps: they can
    /// imitate many a parameter, and badly.
    fn improve(&self, mut best: ScoredCandidate, work: &mut Work<'_>) -> Result<ScoredCandidate, Cancelled> {
        let mut params = axes(best.candidate.spec, &self.first_gaps());
        let mut circumstances = circumstances(best.candidate.spec, self.delay);
        for _ in 0..ROUNDS {
            let mut trials = self.try_axes(&best, &mut params, work)?;
            if !trials.first().is_some_and(|(_, _, next)| next.score > best.score + LEAST_GAIN) {
                let circumstance = self.try_axes(&best, &mut circumstances, work)?;
                trials.extend(circumstance.into_iter().map(|(axis, change, next)| (axis + params.len(), change, next)));
                trials.sort_by(|(_, _, a), (_, _, b)| b.score.total_cmp(&a.score));
            }
            let one = trials.first().map(|(_, _, next)| next.clone());
            let next = match one.filter(|next| next.score > best.score + LEAST_GAIN) {
                None => self.try_pairs(&best, &trials, work)?,
                one => one,
            };
            let Some(next) = next else { break };
            let near = nearest_preset(next.candidate.clone());
            best = if near.spec.id == next.candidate.spec.id { next } else { self.score(near).unwrap_or(next) };
        }
        Ok(best)
    }

    /// The best change along each of `axes`, in descending order of score. Axes without any effect are removed.
    fn try_axes(
        &self,
        best: &ScoredCandidate,
        axes: &mut Vec<Vec<Change>>,
        work: &mut Work<'_>,
    ) -> Result<Vec<Trial>, Cancelled> {
        let mut trials = Vec::new();
        let mut left = Vec::new();
        for changes in std::mem::take(axes) {
            let changed = changes.iter().filter_map(|change| Some((change.clone(), change.applied(&best.candidate)?)));
            let (made, candidates): (Vec<Change>, Vec<Candidate>) = changed.unzip();
            let scored = self.score_each(candidates, work)?.into_iter().zip(made);
            let scored: Vec<(ScoredCandidate, Change)> = scored.filter_map(|(c, change)| Some((c?, change))).collect();
            let effect = |c: &ScoredCandidate| (c.fit.log_likelihood - best.fit.log_likelihood).abs() > LEAST_GAIN;
            if scored.iter().any(|(c, _)| effect(c)) {
                let most = scored.into_iter().reduce(|a, b| if b.0.score > a.0.score { b } else { a });
                trials.extend(most.map(|(c, change)| (left.len(), change, c)));
                left.push(changes);
            }
        }
        *axes = left;
        trials.sort_by(|(_, _, a), (_, _, b)| b.score.total_cmp(&a.score));
        Ok(trials)
    }

    /// The best two changes at once, if they raise the score.
    fn try_pairs(
        &self,
        best: &ScoredCandidate,
        trials: &[Trial],
        work: &mut Work<'_>,
    ) -> Result<Option<ScoredCandidate>, Cancelled> {
        let some = trials.get(..PAIRED).unwrap_or(trials);
        let pair = |(i, (axis, first, _)): (usize, &Trial)| {
            let others = some.iter().skip(i + 1).filter(|(other, ..)| other != axis);
            let both = |(_, second, _): &Trial| second.applied(&first.applied(&best.candidate)?);
            others.filter_map(both).collect::<Vec<_>>()
        };
        let candidates = some.iter().enumerate().flat_map(pair).collect();
        let scored = self.score_each(candidates, work)?.into_iter().flatten();
        let most = scored.reduce(|a, b| if b.score > a.score { b } else { a });
        Ok(most.filter(|next| next.score > best.score + LEAST_GAIN))
    }

    /// Scores all candidates in parallel, in their order; `None` for one that cannot be built. Errs when cancelled,
    /// which is asked before each.
    fn score_each(
        &self,
        candidates: Vec<Candidate>,
        work: &mut Work<'_>,
    ) -> Result<Vec<Option<ScoredCandidate>>, Cancelled> {
        let more = candidates.len() as u64;
        let (from, until) = (work.done, work.done + more);
        work.done = until;
        let mut part = Part::new(&mut *work.progress, from, until, work.total.max(until));
        let mut shared = SharedProgress::new(&mut part, more);
        shared.stage(more, more)?;
        let score = |candidate| {
            shared.ask()?;
            let scored = self.score(candidate);
            shared.pass()?;
            Ok(scored)
        };
        candidates.into_par_iter().map(score).collect()
    }
}

/// A search that may stop when the likeliest groups are searched, and go on from there.
pub(crate) struct Search<'c, 'a> {
    case: &'c Case<'a>,
    sample: Option<Case<'a>>,
    /// Scored candidates so far, in descending order of score.
    pub scored: Vec<ScoredCandidate>,
    /// Presets whose parameters are still to be searched, in the same order.
    promising: Vec<ScoredCandidate>,
    /// Number of candidates scored, and number expected.
    steps: (u64, u64),
}

impl<'c, 'a> Search<'c, 'a> {
    /// Scores every preset as published; errs when cancelled.
    pub fn begin(case: &'c Case<'a>, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let first = case.presets();
        // Chosen here for progress: the search takes some times as many as there are presets.
        let total = (first.len() * 4) as u64;
        let mut work = Work { done: 0, total, progress };
        let mut scored: Vec<ScoredCandidate> = case.score_each(first, &mut work)?.into_iter().flatten().collect();
        let steps = (work.done, total);
        sort_by_score(&mut scored);
        // Each preset keeps its best history only.
        let mut known = BTreeSet::new();
        scored.retain(|c| known.insert(c.candidate.spec.id));
        let promising = case.promising(&scored);
        Ok(Self { case, sample: case.sample(), scored, promising, steps })
    }

    /// Searches the parameters of the best preset of each of the likeliest `groups` groups; errs when cancelled.
    pub fn improve_best(&mut self, groups: usize, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        let mut known = BTreeSet::new();
        let is_best =
            |c: &ScoredCandidate| known.len() < groups && known.insert(algorithm_group(c.candidate.spec.family));
        let (best, rest) = std::mem::take(&mut self.promising).into_iter().partition(is_best);
        self.promising = rest;
        self.improve(best, progress)
    }

    /// Searches the parameters of all promising presets that are left; errs when cancelled.
    pub fn improve_all(&mut self, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        let rest = std::mem::take(&mut self.promising);
        self.improve(rest, progress)
    }

    fn improve(&mut self, starts: Vec<ScoredCandidate>, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        let (done, total) = self.steps;
        let mut work = Work { done, total, progress };
        for start in starts {
            let found = match &self.sample {
                Some(sample) => match sample.score(start.candidate) {
                    Some(start) => self.case.score(sample.improve(start, &mut work)?.candidate),
                    None => None,
                },
                None => Some(self.case.improve(start, &mut work)?),
            };
            self.scored.extend(found.filter(|found| !found.candidate.params.is_empty()));
        }
        self.steps.0 = work.done;
        sort_by_score(&mut self.scored);
        Ok(())
    }
}

/// Progress of the search in candidates. The number of steps is not known beforehand, so the total grows when passed.
struct Work<'p> {
    done: u64,
    total: u64,
    progress: &'p mut dyn Progress,
}
