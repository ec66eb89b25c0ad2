//! Real runs of the network of a capture: measured values beside predictions.

use crate::opened::samples::{BundledRun, bundled_run, siblings};
use crate::opened::window;
use crate::runs::parameters;
use crate::view::{AlgorithmChoice, CaptureId, MeasuredRequest, MeasuredRun, TimerKnown};
use crate::{Error, Opened, Progress, Session};
use base::{Cancelled, Part};
use replay::identify::{Clues, Verdict, family, identify};
use rto::AlgorithmSet;
use serde_json::Map;
use std::collections::BTreeMap;
use std::net::Ipv6Addr;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Greatest factor between the lengths of two runs of one network. Chosen here: runs of one world end together, a
/// capture of another day does not.
const LENGTHS: f64 = 1.5;

/// The timer of a real run, and the evidence for it.
#[derive(Clone, Debug)]
struct Timer {
    algorithm: Option<AlgorithmChoice>,
    known: TimerKnown,
    /// Presets that the evidence does not tell from it.
    presets: Vec<&'static str>,
}

impl Timer {
    fn of(run: &BundledRun) -> Self {
        let algorithm = AlgorithmChoice { id: run.preset.to_owned(), params: run.overrides.clone() };
        Self { algorithm: Some(algorithm), known: TimerKnown::Bundled, presets: Vec::new() }
    }
}

impl Session {
    /// Returns real runs of the network of a capture: bundled ones, and other open captures with the same clients and
    /// servers.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Request`] where a `ran.json` beside one
    /// cannot be read, [`crate::Code::Cancelled`].
    pub fn measured(&self, request: &MeasuredRequest, progress: &mut dyn Progress) -> Result<Vec<MeasuredRun>, Error> {
        let opened = self.capture(request.capture)?;
        let bundled: Vec<&BundledRun> = opened.bundled().map(|run| siblings(run).collect()).unwrap_or_default();
        let others: Vec<(CaptureId, Arc<Opened>)> = self
            .opened()
            .into_iter()
            .filter(|(id, other)| *id != request.capture && opened.is_sibling(other))
            .collect();
        let set = self.algorithm_set();
        let whole = (bundled.len() + others.len()) as u64;
        // Also where there is none: comparing captures may take as long as they are many.
        if progress.tick(0, whole).is_break() {
            return Err(Cancelled.into());
        }
        let mut runs = Vec::new();
        for (run, at) in bundled.into_iter().zip(0..) {
            let open = others.iter().find(|(_, other)| other.bundled().is_some_and(|o| o.capture.id == run.capture.id));
            let timer = Timer::of(run);
            let metrics = values_of(run, &mut Part::new(progress, at, at + 1, whole))?;
            runs.push(measured(&set, request, (&run.capture.name, open.map(|o| o.0)), timer, metrics));
        }
        let done = runs.len() as u64;
        let rest = others.into_iter().filter(|(_, other)| {
            let same_world = other.bundled().zip(opened.bundled()).is_some_and(|(a, b)| a.is_of_world(b));
            !same_world
        });
        for ((id, other), at) in rest.zip(done..) {
            let timer = other.timer(&mut Part::new(progress, at, at + 1, whole))?;
            runs.push(measured(&set, request, (&other.trace.capture.name, Some(id)), timer, metrics_of(&other)));
        }
        Ok(runs)
    }
}

/// Returns a capture as a real run, held against one predicted timer.
///
/// # Errors
/// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Request`] where a `ran.json` beside it cannot
/// be read, [`crate::Code::Cancelled`].
pub(super) fn ran(
    session: &Session,
    id: CaptureId,
    predicted: &AlgorithmChoice,
    progress: &mut dyn Progress,
) -> Result<MeasuredRun, Error> {
    let opened = session.capture(id)?;
    let timer = opened.timer(progress)?;
    let request = MeasuredRequest { capture: id, algorithms: vec![predicted.clone()] };
    let name = &opened.trace.capture.name;
    Ok(measured(&session.algorithm_set(), &request, (name, Some(id)), timer, metrics_of(&opened)))
}

fn measured(
    set: &AlgorithmSet,
    request: &MeasuredRequest,
    (name, capture): (&str, Option<CaptureId>),
    timer: Timer,
    metrics: BTreeMap<String, f64>,
) -> MeasuredRun {
    let Timer { algorithm, known, presets } = timer;
    let resolved = |choice: &AlgorithmChoice| crate::runs::resolve(set, choice).ok();
    let asked: Vec<(u32, AlgorithmChoice)> =
        (0..).zip(&request.algorithms).filter_map(|(at, choice)| Some((at, resolved(choice)?))).collect();
    let is_same = |choice: &AlgorithmChoice| {
        let untold = choice.params.is_empty() && presets.contains(&choice.id.as_str());
        untold
            || algorithm.as_ref().is_some_and(|ran| parameters(ran).is_some() && parameters(ran) == parameters(choice))
    };
    let group = algorithm.as_ref().and_then(|ran| family(&ran.id));
    let is_alike = |choice: &AlgorithmChoice| group.is_some() && family(&choice.id) == group && !is_same(choice);
    let positions = |wanted: &dyn Fn(&AlgorithmChoice) -> bool| {
        asked.iter().filter(|(_, choice)| wanted(choice)).map(|(at, _)| *at).collect()
    };
    let (same, alike) = (positions(&is_same), positions(&is_alike));
    MeasuredRun { name: name.to_owned(), capture, algorithm, known, same, alike, metrics }
}

/// Returns the measured values of a run by name of measure, those that apply.
fn metrics_of(opened: &Opened) -> BTreeMap<String, f64> {
    opened.replay.recorded().iter().filter_map(|(name, value)| Some((name.name().to_owned(), value?))).collect()
}

/// Returns the measured values of a bundled run, which is read when they are first asked for.
fn values_of(run: &BundledRun, progress: &mut dyn Progress) -> Result<BTreeMap<String, f64>, Error> {
    type Values = BTreeMap<&'static str, BTreeMap<String, f64>>;
    static KNOWN: LazyLock<Mutex<Values>> = LazyLock::new(Mutex::default);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(values) = known().get(run.capture.id) {
        return Ok(values.clone());
    }
    let values = metrics_of(&Opened::sample(&run.capture, None, progress)?);
    known().insert(run.capture.id, values.clone());
    Ok(values)
}

impl Opened {
    /// Returns the bundled run that this capture is; `None` where it is none, or of several files.
    fn bundled(&self) -> Option<&'static BundledRun> {
        bundled_run(&self.sha256())
    }

    /// Whether `other` is another run of the same network: the same clients and servers, hops that differ by one at
    /// most, the same link layer, and similar length.
    fn is_sibling(&self, other: &Self) -> bool {
        let ends = |opened: &Self| -> BTreeMap<(Ipv6Addr, Ipv6Addr), Option<u8>> {
            opened.trace.associations.iter().map(|a| ((a.client.addr, a.server.addr), a.hops)).collect()
        };
        let seconds = |opened: &Self| {
            let (start, end) = window(&opened.trace.capture);
            (end - start).secs_f64()
        };
        let (own, others) = (seconds(self), seconds(other));
        let (here, there) = (ends(self), ends(other));
        let is_as_far = |(a, b): (Option<u8>, Option<u8>)| a.zip(b).is_none_or(|(a, b)| a.abs_diff(b) <= 1);
        self.sha256() != other.sha256()
            && !here.is_empty()
            && own <= LENGTHS * others
            && others <= LENGTHS * own
            && here.keys().eq(there.keys())
            && here.values().copied().zip(there.values().copied()).all(is_as_far)
            && self.read_as().links == other.read_as().links
    }

    /// Returns the timer that ran in this capture: of a bundled run, by names of folders or `ran.json`, or identified.
    fn timer(&self, progress: &mut dyn Progress) -> Result<Timer, Error> {
        if let Some(run) = self.bundled() {
            return Ok(Timer::of(run));
        }
        let path = self.files.first().and_then(|file| file.path.as_deref());
        if let Some((id, params)) = path.map(|path| crate::calibrate::named(Path::new(path))).transpose()?.flatten() {
            let algorithm = Some(AlgorithmChoice { id, params });
            return Ok(Timer { algorithm, known: TimerKnown::Named, presets: Vec::new() });
        }
        let found = self.identified.get_or_try_init(progress, |progress| {
            let found = identify(self.replay.record(), &Clues::of(&self.trace), progress)?;
            Ok(match found.trace.verdict {
                Verdict::Identified { presets, .. } => presets,
                Verdict::CannotTell { .. } | Verdict::NoneFits { .. } => Vec::new(),
            })
        })?;
        let algorithm = found.first().map(|id| AlgorithmChoice { id: (*id).to_owned(), params: Map::new() });
        let known = if algorithm.is_some() { TimerKnown::Identified } else { TimerKnown::Unknown };
        Ok(Timer { algorithm, known, presets: found.clone() })
    }
}
