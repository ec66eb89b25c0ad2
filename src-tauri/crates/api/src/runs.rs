//! Counterfactual runs: asked for, kept, compared.

use crate::view::{
    AlgorithmChoice, CaptureId, ChannelKind, DifferenceView, MetricView, PartView, PolicyView, ReplayRequest,
    ReplayView, RunId, RunView, SweepPoint, SweepRequest, WorkloadKind,
};
use crate::{Error, Opened, Progress, Session, measures};
use base::{AssociationId, Part, SharedProgress};
use rayon::prelude::*;
use replay::stats::Interval;
use replay::{
    Algorithm, AnotherRun, Bounds, ChannelSpec, Detail, MetricName, RunResult, Scenario, Steps, Summary,
    WorkloadChoice, difference,
};
use rto::Roster;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::Timeline;

/// More would be a slip of the finger.
const MAX_REPLICATES: u32 = 10_000;
/// Settings of one sweep.
const MAX_SWEEP: usize = 256;

/// Settings that decide a run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    pub capture: CaptureId,
    /// In terms of the registry, so that equal settings are one run under whichever name.
    pub algorithm: AlgorithmChoice,
    pub channel: ChannelKind,
    pub workload: WorkloadKind,
    pub seed: u32,
    pub replicates: u32,
    pub part: PartView,
    pub bounds: Bounds,
    pub policy: PolicyView,
}

/// A run that is kept for its lanes and states.
#[derive(Debug)]
pub(crate) struct Stored {
    pub key: Key,
    /// Without its steps.
    pub result: RunResult,
    /// Those of its first replicate. They are most of what a run takes, and the same in all runs that begin alike.
    pub steps: Arc<Steps>,
    /// The same, for its lanes.
    pub timeline: Arc<Timeline>,
    /// Octets of these two.
    pub shared_octets: usize,
}

impl Key {
    /// Whether the first replicate is the same: what else is asked for makes no difference to it.
    pub(crate) fn begins_as(&self, other: &Self) -> bool {
        *self == Self { replicates: self.replicates, bounds: self.bounds, ..other.clone() }
    }

    /// What `request` asks of `algorithm`.
    pub(crate) fn new(request: &ReplayRequest, roster: &Roster, algorithm: &AlgorithmChoice) -> Result<Self, Error> {
        request.policy.check()?;
        Ok(Self {
            capture: request.capture,
            algorithm: crate::algorithms::resolve(roster, algorithm)?,
            channel: request.channel,
            workload: request.workload,
            seed: request.seed,
            replicates: request.replicates,
            part: request.part.clone(),
            bounds: if request.bounds { Bounds::Compute } else { Bounds::Skip },
            policy: request.policy,
        })
    }

    pub(crate) fn scenario(&self) -> Scenario {
        let algorithm =
            Algorithm::Preset { id: self.algorithm.id.clone(), params: Value::Object(self.algorithm.params.clone()) };
        let mut scenario = Scenario::new(algorithm, self.policy.at_the_bottleneck(channel(self.channel)));
        scenario.workload = match self.workload {
            WorkloadKind::Auto => WorkloadChoice::Auto,
            WorkloadKind::Arrivals => WorkloadChoice::Arrivals,
            WorkloadKind::ThinkTime => WorkloadChoice::ThinkTime,
        };
        scenario.seed = u64::from(self.seed);
        scenario.replicates = self.replicates;
        scenario.as_recorded.clone_from(&self.part.as_recorded);
        scenario.history = self.part.history();
        scenario.bounds = self.bounds;
        scenario.another = match self.bounds {
            Bounds::Compute => AnotherRun::Compute,
            Bounds::Skip => AnotherRun::Skip,
        };
        scenario.policy = self.policy.policy();
        scenario.detail = Detail::Steps;
        scenario
    }
}

pub(crate) const fn channel(kind: ChannelKind) -> ChannelSpec {
    match kind {
        ChannelKind::Recorded => ChannelSpec::RECORDED,
        ChannelKind::Empirical => ChannelSpec::EMPIRICAL,
        ChannelKind::GilbertElliott => ChannelSpec::GILBERT_ELLIOTT,
        ChannelKind::Loaded => ChannelSpec::LOADED,
        ChannelKind::LoadedGilbertElliott => ChannelSpec::LOADED_GILBERT_ELLIOTT,
        ChannelKind::Queued => ChannelSpec::QUEUED,
    }
}

/// Replayed when nobody says what: one of each kind that a first comparison needs. All that are shown by default
/// would take three times as long.
const REPLAYED: [&str; 6] = ["coap_default", "coap_b", "rfc6298_coap", "cocoa_ietf_03", "cocoa_plus", "lee2016"];

/// [`REPLAYED`], and what the user asked for by loading it.
fn default_algorithms(roster: &Roster) -> Vec<AlgorithmChoice> {
    let ids = REPLAYED.into_iter().chain(roster.user().iter().map(|mine| mine.id.as_str()));
    ids.map(|id| AlgorithmChoice { id: id.to_owned(), params: Map::new() }).collect()
}

/// The algorithms that `request` names, or those of a first comparison.
pub(crate) fn algorithms_of(request: &ReplayRequest, roster: &Roster) -> Vec<AlgorithmChoice> {
    if request.algorithms.is_empty() { default_algorithms(roster) } else { request.algorithms.clone() }
}

pub(crate) fn check_replicates(replicates: u32) -> Result<(), Error> {
    if (1..=MAX_REPLICATES).contains(&replicates) {
        Ok(())
    } else {
        Err(Error::request(format!("{replicates} replicates: 1 to {MAX_REPLICATES} are possible.")))
    }
}

/// Replay a capture under several algorithms, those that are kept already from memory.
pub(crate) fn replay(
    session: &Session,
    request: &ReplayRequest,
    progress: &mut dyn Progress,
) -> Result<ReplayView, Error> {
    check_replicates(request.replicates)?;
    let opened = session.capture(request.capture)?;
    let roster = session.roster();
    let algorithms = algorithms_of(request, &roster);
    let keys: Vec<Key> =
        algorithms.iter().map(|algorithm| Key::new(request, &roster, algorithm)).collect::<Result<_, _>>()?;
    let kept: Vec<Option<(RunId, Arc<Stored>)>> = keys.iter().map(|key| session.kept(key)).collect();
    let missing: Vec<Key> = keys.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(k, _)| k.clone()).collect();
    let made: Vec<(RunId, Arc<Stored>)> =
        make(session, &opened, missing, progress)?.into_iter().map(|run| session.keep(run)).collect();
    let lanes = opened.trace.associations.len();
    let mut runs: Vec<(RunId, Arc<Stored>)> = Vec::with_capacity(keys.len());
    for (key, kept) in keys.iter().zip(kept) {
        // Two that ask the same are shown as one.
        let found = kept.or_else(|| made.iter().find(|(_, run)| run.key == *key).cloned());
        runs.push(found.ok_or_else(|| Error::internal("A run was asked for and not made."))?);
    }
    let in_use: Vec<RunId> = runs.iter().map(|(id, _)| *id).collect();
    session.make_room(&in_use);
    let baseline = match request.baseline {
        Some(index) => {
            let run = runs.get(index as usize).map(|(_, stored)| Arc::clone(stored));
            Some(run.ok_or_else(|| Error::request(format!("There is no algorithm {index} to compare with.")))?)
        }
        None => None,
    };
    let views = runs
        .iter()
        .zip(&algorithms)
        .map(|((id, stored), algorithm)| view(*id, stored, algorithm, baseline.as_deref(), lanes))
        .collect();
    let rules = request.policy.said().map(|rules| format!("Rules: {rules}."));
    let part = request.part.said(&opened).map(|part| format!("Replayed: {part}."));
    let said: Vec<String> = rules.into_iter().chain(part).collect();
    Ok(ReplayView {
        capture: request.capture,
        runs: views,
        metrics: measures::specs(),
        settings: Some(said.join(" ")).filter(|said| !said.is_empty()),
    })
}

/// Makes the runs of `keys`, in their order. What one did in its first replicate is taken from a kept run that begins as it does.
pub(crate) fn make(
    session: &Session,
    opened: &Opened,
    keys: Vec<Key>,
    progress: &mut dyn Progress,
) -> Result<Vec<Stored>, Error> {
    let begun: Vec<Option<Arc<Stored>>> = keys.iter().map(|key| session.begun(key)).collect();
    let scenario = |(key, begun): (&Key, &Option<Arc<Stored>>)| {
        let scenario = key.scenario();
        Scenario { detail: if begun.is_some() { Detail::Metrics } else { scenario.detail }, ..scenario }
    };
    let scenarios: Vec<Scenario> = keys.iter().zip(&begun).map(scenario).collect();
    // Lanes take about as long as a replicate whose steps are kept.
    let replicates: u64 = keys.iter().map(|key| u64::from(key.replicates)).sum();
    let laying = begun.iter().filter(|begun| begun.is_none()).count() as u64;
    let whole = replicates + laying;
    let results = opened.replay.run_all(&scenarios, &mut Part::new(progress, 0, replicates, whole))?;
    let lanes = opened.trace.associations.len();
    let own = results.iter().zip(&begun).filter(|(_, begun)| begun.is_none());
    let passes = own.map(|(result, _)| Timeline::passes_of_steps(&result.steps, lanes)).sum();
    let mut progress = Part::new(progress, replicates, whole, whole);
    let mut watch = SharedProgress::new(&mut progress, laying);
    watch.stage(laying, passes)?;
    let run = |((key, begun), mut result): ((Key, Option<Arc<Stored>>), RunResult)| {
        let own = std::mem::take(&mut result.steps);
        if let Some(begun) = begun {
            let (steps, timeline) = (Arc::clone(&begun.steps), Arc::clone(&begun.timeline));
            return Ok(Stored { key, result, steps, timeline, shared_octets: begun.shared_octets });
        }
        let timeline = Timeline::of_steps(&own, lanes, &watch)?;
        let shared_octets = own.octets() + timeline.octets();
        Ok(Stored { key, result, steps: Arc::new(own), timeline: Arc::new(timeline), shared_octets })
    };
    // Those of several runs are made at once.
    keys.into_par_iter().zip(begun).zip(results).map(run).collect()
}

fn view(id: RunId, run: &Stored, algorithm: &AlgorithmChoice, baseline: Option<&Stored>, lanes: usize) -> RunView {
    let counts: Vec<(u32, u32)> = (0..lanes).map(|lane| run.timeline.needless(AssociationId::at(lane))).collect();
    RunView {
        run: id,
        algorithm: algorithm.clone(),
        metrics: metrics(&run.result),
        differences: match baseline {
            Some(baseline) => differences(&run.result, &baseline.result),
            None => differences_to_recorded(&run.result),
        },
        support: run.result.support.unwrap_or(0.0),
        copies: counts.iter().map(|c| c.0).collect(),
        needless: counts.iter().map(|c| c.1).collect(),
    }
}

pub(crate) fn metrics(result: &RunResult) -> BTreeMap<String, MetricView> {
    result.metrics().map(|(name, summary)| (name.name().to_owned(), metric(summary))).collect()
}

fn metric(summary: &Summary) -> MetricView {
    MetricView {
        recorded: summary.recorded,
        worst: summary.worst,
        best: summary.best,
        mean: summary.mean,
        lo90: summary.lo90,
        hi90: summary.hi90,
        another: summary.another.map(ends),
        support: summary.support,
    }
}

fn ends(interval: Interval) -> (f64, f64) {
    (interval.lo, interval.hi)
}

pub(crate) fn differences(run: &RunResult, baseline: &RunResult) -> BTreeMap<String, DifferenceView> {
    MetricName::ALL
        .into_iter()
        .filter_map(|name| difference(run, baseline, name))
        .map(|d| {
            let paired = d.paired;
            let another = d.another.map(|another| ends(another.spread));
            let view = DifferenceView { mean: paired.mean, lo90: paired.spread.lo, hi90: paired.spread.hi, another };
            (d.metric.name().to_owned(), view)
        })
        .collect()
}

/// Differences to what was recorded, which is the same in every replicate.
fn differences_to_recorded(run: &RunResult) -> BTreeMap<String, DifferenceView> {
    run.metrics()
        .filter_map(|(name, m)| {
            let recorded = m.recorded?;
            let less = |value: f64| value - recorded;
            let another = m.another.map(|i| (less(i.lo), less(i.hi)));
            let view = DifferenceView { mean: less(m.mean?), lo90: less(m.lo90?), hi90: less(m.hi90?), another };
            Some((name.name().to_owned(), view))
        })
        .collect()
}

/// One algorithm for several values of one parameter. Nothing is kept.
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
    let base = crate::algorithms::resolve(&session.roster(), &request.algorithm)?;
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
        };
        Scenario { detail: Detail::Metrics, ..key.scenario() }
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
    use crate::view::{ChannelKind, OpenRequest, PolicyView};
    use base::Silent;

    pub(crate) fn open(session: &Session) -> CaptureId {
        let request = OpenRequest { sample: samples().first().map(|s| s.id.to_owned()), ..OpenRequest::default() };
        session.open(&request, &mut Silent).unwrap().id
    }

    pub(crate) fn made(
        session: &Session,
        capture: CaptureId,
        channel: ChannelKind,
        seed: u32,
        quick: bool,
    ) -> Arc<Stored> {
        let request = ReplayRequest {
            capture,
            algorithms: vec![AlgorithmChoice { id: "cocoa_plus".to_owned(), params: Map::new() }],
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
            let quick = made(&session, id, channel, 1, true);
            let whole = made(&session, id, channel, 1, false);
            assert!(Arc::ptr_eq(&quick.steps, &whole.steps) && Arc::ptr_eq(&quick.timeline, &whole.timeline));
            let alone = made(&other, alone, channel, 1, false);
            assert!(!alone.steps.is_empty());
            assert_eq!((&whole.steps, &whole.timeline), (&alone.steps, &alone.timeline));
            assert_eq!(metrics(&whole.result), metrics(&alone.result));
            assert!(!Arc::ptr_eq(&made(&session, id, channel, 2, true).steps, &quick.steps), "another seed");
        }
    }
}
