//! Replays of a capture under other algorithms, and sweeps of their parameters.

use crate::comparison::{self, Contender};
use crate::runs::{Key, Stored, check_replicates, differences, first_algorithms, metrics, modes, resolve, run_modes};
use crate::view::{
    AlgorithmChoice, AnswerView, CaptureRequest, ChannelKind, DifferenceView, HalvesView, MeasuredRequest, ModeView,
    ReplayRequest, ReplayView, RunId, RunView, SweepPoint, SweepRequest, TrustView, replayed::metrics as measures,
};
use crate::{Error, Progress, Session};
use base::{AssociationId, Part};
use replay::{Bounds, RunResult, Scenario};
use rto::AlgorithmSet;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Greatest number of settings of one sweep. Chosen here by judgement: no experiment decides it; the window asks for
/// 49 at most (7 by 7 values), and each setting is a whole replay.
const MAX_SWEEP: usize = 256;

/// Returns the algorithms that `request` names, or those of a first comparison.
pub(crate) fn algorithms_of(request: &ReplayRequest, algorithm_set: &AlgorithmSet) -> Vec<AlgorithmChoice> {
    if request.algorithms.is_empty() { first_algorithms(algorithm_set) } else { request.algorithms.clone() }
}

impl Session {
    /// Checks the network twin of a capture against that capture, and chooses a channel.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Cancelled`].
    pub fn trust(&self, request: &CaptureRequest, progress: &mut dyn Progress) -> Result<TrustView, Error> {
        self.capture(request.capture)?.trust(progress)
    }

    /// Simulates replicate `number` (from 0) of run `run` through the network twin again, and returns the number of a
    /// run that shows it: its steps, lanes and frames are that replicate's, its results those of `run`. That of the
    /// first replicate is `run` itself.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the run is not open, [`crate::Code::Request`] where its copies do not pass the
    /// network twin or there is no such replicate, [`crate::Code::Cancelled`].
    pub fn replicate(&self, run: RunId, number: u32, progress: &mut dyn Progress) -> Result<RunId, Error> {
        let stored = self.run(run)?;
        if stored.key.replicate == number {
            return Ok(run);
        }
        let key = Key { replicate: number, ..stored.key.clone() };
        if let Some((id, _)) = self.cached(&key) {
            return Ok(id);
        }
        let opened = self.capture(key.capture)?;
        let (id, _) = self.add(&opened, stored.of_replicate(&opened, number, progress)?)?;
        self.make_room(&[run, id]);
        Ok(id)
    }

    /// Predicts the second half of a capture by a network twin of the first half.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Cancelled`].
    pub fn halves(&self, request: &CaptureRequest, progress: &mut dyn Progress) -> Result<HalvesView, Error> {
        self.capture(request.capture)?.halves(progress)
    }

    /// Replays a capture under several algorithms. Cached runs are not computed again. `progress` counts replicates.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open or grew meanwhile, [`crate::Code::Request`] for an unknown
    /// algorithm, a value out of range, a baseline that is none, or a channel that the capture does not support,
    /// [`crate::Code::Cancelled`].
    pub fn replay(&self, request: &ReplayRequest, progress: &mut dyn Progress) -> Result<ReplayView, Error> {
        check_replicates(request.replicates)?;
        let opened = self.capture(request.capture)?;
        let algorithm_set = self.algorithm_set();
        let algorithms = algorithms_of(request, &algorithm_set);
        let keys: Vec<Key> = algorithms
            .iter()
            .map(|algorithm| Key::new(request, &algorithm_set, algorithm))
            .collect::<Result<_, _>>()?;
        let cached: Vec<Option<(RunId, Arc<Stored>)>> = keys.iter().map(|key| self.cached(key)).collect();
        let missing: Vec<Key> =
            keys.iter().zip(&cached).filter(|(_, cached)| cached.is_none()).map(|(k, _)| k.clone()).collect();
        let computed = self.compute(&opened, missing, progress)?.into_iter().map(|run| self.add(&opened, run));
        let computed: Vec<(RunId, Arc<Stored>)> = computed.collect::<Result<_, _>>()?;
        let lanes = opened.trace.associations.len();
        let mut runs: Vec<(RunId, Arc<Stored>)> = Vec::with_capacity(keys.len());
        for (key, cached) in keys.iter().zip(cached) {
            // Equal settings are shown as one run.
            let found = cached.or_else(|| computed.iter().find(|(_, run)| run.key == *key).cloned());
            runs.push(found.ok_or_else(|| Error::internal("A run was asked for and not computed."))?);
        }
        let in_use: Vec<RunId> = runs.iter().map(|(id, _)| *id).collect();
        self.make_room(&in_use);
        let baseline = match request.baseline {
            Some(index) => {
                let run = runs.get(index as usize).map(|(_, stored)| Arc::clone(stored));
                Some(run.ok_or_else(|| Error::request(format!("There is no algorithm {index} to compare with.")))?)
            }
            None => None,
        };
        let chosen = opened.chosen(request.channel, runs.iter().map(|(_, stored)| stored.result.support));
        let through = chosen.as_ref().map_or(request.channel, |chosen| chosen.channel);
        let name = |algorithm: &AlgorithmChoice| {
            let spec = algorithm_set.algorithms().iter().find(|spec| spec.id == algorithm.id);
            spec.map_or_else(|| algorithm.id.clone(), |spec| spec.named(&algorithm.params))
        };
        let views: Vec<RunView> = runs
            .iter()
            .zip(&algorithms)
            .map(|((id, stored), algorithm)| {
                let timer = (algorithm.clone(), name(algorithm));
                view(*id, stored, timer, baseline.as_deref(), (lanes, through))
            })
            .collect();
        let rules = request.policy.said().map(|rules| format!("Rules: {rules}."));
        let part = request.part.said(&opened).map(|part| format!("Replayed: {part}."));
        let said: Vec<String> = rules.into_iter().chain(part).collect();
        Ok(ReplayView {
            capture: request.capture,
            verdict: comparison::verdict(&views, &[], request.baseline),
            runs: views,
            chosen,
            metrics: measures::specs(),
            settings: Some(said.join(" ")).filter(|said| !said.is_empty()),
        })
    }

    /// Returns the verdict of a replay together with measured values of real runs of the network
    /// ([`Session::measured`]). Cached runs are not computed again.
    ///
    /// # Errors
    /// As [`Session::replay`].
    pub fn verdict(&self, request: &ReplayRequest, progress: &mut dyn Progress) -> Result<AnswerView, Error> {
        let reply = self.replay(request, &mut Part::new(progress, 0, 1, 2))?;
        let algorithms = reply.runs.iter().map(|run| run.algorithm.clone()).collect();
        let asked = MeasuredRequest { capture: request.capture, algorithms };
        let measured = self.measured(&asked, &mut Part::new(progress, 1, 2, 2))?;
        Ok(comparison::verdict(&reply.runs, &measured, request.baseline))
    }
}

/// Describes a run of a timer with its name: differences to `baseline` (`None`: recorded), counts of `lanes` lanes,
/// through `channel`.
fn view(
    id: RunId,
    run: &Stored,
    (algorithm, name): (AlgorithmChoice, String),
    baseline: Option<&Stored>,
    (lanes, channel): (usize, ChannelKind),
) -> RunView {
    let metrics = metrics(&run.result);
    let modes = run_modes(&run.result);
    let contender = Contender::new(&name, &metrics, modes, run.result.support).of_algorithm(&algorithm.id);
    let self_replay = contender.self_replay().filter(|_| channel == ChannelKind::Twin);
    let verdict = contender.alone();
    let counts: Vec<(u32, u32)> = (0..lanes).map(|lane| run.timeline.needless(AssociationId::at(lane))).collect();
    RunView {
        run: id,
        algorithm,
        name,
        verdict,
        self_replay,
        metrics,
        differences: match baseline {
            Some(baseline) => differences(&run.result, &baseline.result),
            None => differences_to_recorded(&run.result),
        },
        modes,
        simulated: run.simulated(),
        support: run.result.support,
        copies: counts.iter().map(|c| c.0).collect(),
        needless: counts.iter().map(|c| c.1).collect(),
        completion_p95: (0..lanes).map(|lane| run.timeline.completion_p95(AssociationId::at(lane))).collect(),
    }
}

/// Returns the differences to the recorded values, which are the same in every replicate.
fn differences_to_recorded(run: &RunResult) -> BTreeMap<String, DifferenceView> {
    run.metrics()
        .filter_map(|(name, m)| {
            let recorded = m.recorded?;
            let less = |value: f64| value - recorded;
            let another = m.another.map(|i| (less(i.lo), less(i.hi)));
            let mode = |mode: ModeView| ModeView {
                mean: less(mode.mean),
                lo90: less(mode.lo90),
                hi90: less(mode.hi90),
                another: mode.another.map(|(lo, hi)| (less(lo), less(hi))),
            };
            let modes = m.modes.map(modes).map(|(fast, slow)| (mode(fast), mode(slow)));
            let view = DifferenceView { mean: less(m.mean?), lo90: less(m.lo90?), hi90: less(m.hi90?), another, modes };
            Some((name.name().to_owned(), view))
        })
        .collect()
}

/// Answers `sweep`: replays one algorithm for several values of one or two parameters; caches nothing. Errs where the
/// capture is not open, and for too many settings, an unknown parameter or a value out of range.
pub(crate) fn sweep(
    session: &Session,
    request: &SweepRequest,
    progress: &mut dyn Progress,
) -> Result<Vec<SweepPoint>, Error> {
    check_replicates(request.replicates)?;
    request.policy.check()?;
    let others = request.across.as_ref().map_or(1, |across| across.values.len());
    let many = request.values.len().saturating_mul(others);
    if many > MAX_SWEEP {
        return Err(Error::request(format!("{many} settings: at most {MAX_SWEEP} are possible.")));
    }
    if request.across.as_ref().is_some_and(|across| across.parameter == request.parameter) {
        return Err(Error::request("A sweep of two parameters needs two."));
    }
    let opened = session.capture(request.capture)?;
    opened.prepare(request.channel, &mut Part::new(progress, 0, 0, 0))?;
    let base = resolve(&session.algorithm_set(), &request.algorithm)?;
    let across: Vec<Option<f64>> =
        request.across.as_ref().map_or_else(|| vec![None], |across| across.values.iter().copied().map(Some).collect());
    let settings: Vec<(f64, Option<f64>)> =
        across.iter().flat_map(|&other| request.values.iter().map(move |&value| (value, other))).collect();
    let scenario = |&(value, other): &(f64, Option<f64>)| {
        let mut algorithm = base.clone();
        algorithm.params.insert(request.parameter.clone(), Value::from(value));
        if let (Some(across), Some(other)) = (&request.across, other) {
            algorithm.params.insert(across.parameter.clone(), Value::from(other));
        }
        let key = Key {
            capture: request.capture,
            algorithm,
            channel: request.channel,
            workload: request.workload,
            seed: request.seed,
            replicates: request.replicates,
            part: request.part.clone(),
            bounds: Bounds::Skip,
            policy: request.policy,
            replicate: 0,
        };
        key.scenario()
    };
    let scenarios: Vec<Scenario> = settings.iter().map(scenario).collect();
    let results = opened.replay.run_all(&scenarios, progress)?;
    let point = |(&(value, across), result): (&(f64, Option<f64>), &RunResult)| SweepPoint {
        value,
        across,
        metrics: metrics(result),
    };
    Ok(settings.iter().zip(&results).map(point).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::samples;
    use crate::view::{CaptureId, OpenRequest, PartView, PolicyView, WorkloadKind};
    use base::Silent;

    pub(crate) fn open(session: &Session) -> CaptureId {
        let request = OpenRequest { sample: samples().first().map(|s| s.id.to_owned()), ..OpenRequest::default() };
        session.open(&request, &mut Silent).unwrap().id
    }

    pub(crate) fn replayed(
        session: &Session,
        capture: CaptureId,
        channel: ChannelKind,
        seed: u32,
        quick: bool,
    ) -> Arc<Stored> {
        let request = ReplayRequest {
            capture,
            algorithms: vec![AlgorithmChoice { id: "cocoa_plus".to_owned(), params: serde_json::Map::new() }],
            channel,
            workload: WorkloadKind::Auto,
            seed,
            replicates: if quick { 2 } else { 5 },
            baseline: None,
            part: PartView::default(),
            bounds: !quick,
            policy: PolicyView::default(),
        };
        let run = session.replay(&request, &mut Silent).unwrap().runs.remove(0).run;
        session.run(run).unwrap()
    }

    #[test]
    fn runs_that_begin_alike_share_what_they_would_have_done_alone() {
        for channel in [ChannelKind::Recorded, ChannelKind::Empirical, ChannelKind::GilbertElliott] {
            let [session, other] = [(); 2].map(|()| Session::default());
            let [id, alone] = [&session, &other].map(open);
            let quick = replayed(&session, id, channel, 1, true);
            let whole = replayed(&session, id, channel, 1, false);
            assert!(Arc::ptr_eq(&quick.steps, &whole.steps) && Arc::ptr_eq(&quick.timeline, &whole.timeline));
            let alone = replayed(&other, alone, channel, 1, false);
            assert!(!alone.steps.is_empty());
            assert_eq!((&whole.steps, &whole.timeline), (&alone.steps, &alone.timeline));
            assert_eq!(metrics(&whole.result), metrics(&alone.result));
            assert!(!Arc::ptr_eq(&replayed(&session, id, channel, 2, true).steps, &quick.steps), "another seed");
        }
    }
}
