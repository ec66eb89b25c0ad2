//! Data of a figure: every capture under every behaviour, the recorded one first, and captures in groups.

mod caption;

use super::measure::Measure;
use super::settings::Settings;
use crate::opened::{Names, window};
use crate::runs::{Key, Stored, check_replicates, resolve};
use crate::view::{AlgorithmChoice, FigureCapture, FigureRequest, FigureSeries, PartView};
use crate::{Error, Opened, Progress, Session};
use base::{AssociationId, Instant};
use replay::{Algorithm, Bounds, ChannelSpec, RunResult, Scenario, Summary};
use std::ops::ControlFlow;
use std::sync::Arc;
use table::{ExchangeMark, Timeline};

/// A behaviour of a figure: the recorded one, or an algorithm.
pub(super) struct Behaviour {
    /// Name for people, with the values that are its own.
    pub name: String,
    /// Algorithm as it was asked for; `None`: the recorded behaviour.
    pub choice: Option<AlgorithmChoice>,
    /// Id of the algorithm's family; empty for the recorded behaviour.
    pub family: &'static str,
    order: Option<u32>,
    variant: u32,
    reading: bool,
}

/// A group: captures that a figure takes for runs of one setting.
pub(super) struct Group {
    /// Name for people: a tag with its value, or that of the capture.
    pub name: String,
    /// Positions of the captures in the request, from 0.
    pub members: Vec<usize>,
}

/// One capture under one behaviour.
pub(super) struct Cell {
    /// Capture of the cell.
    pub opened: Arc<Opened>,
    /// The replay; `None`: as recorded.
    pub run: Option<Arc<Stored>>,
    recorded: Arc<Recorded>,
    part: PartView,
}

/// Recorded exchanges and measures of the part of a capture that the figure shows.
struct Recorded {
    /// Exchanges from the beginning of the part on; `None`: all exchanges of the capture.
    later: Option<Timeline>,
    /// Recorded measures of every association.
    result: RunResult,
}

impl Cell {
    /// Returns its exchanges: of the first replicate, or of the trace.
    pub(super) fn timeline(&self) -> &Timeline {
        let recorded = || self.recorded.later.as_ref().unwrap_or(&self.opened.recorded);
        self.run.as_ref().map_or_else(recorded, |run| &run.timeline)
    }

    /// Whether a client of a replay stays as it was recorded.
    pub(super) fn stays(&self, association: AssociationId) -> bool {
        self.run.is_some() && self.part.as_recorded.contains(&association)
    }

    fn result(&self) -> &RunResult {
        self.run.as_ref().map_or(&self.recorded.result, |run| &run.result)
    }

    fn of_summary(&self, summary: &Summary) -> Option<f64> {
        if self.run.is_some() { summary.mean } else { summary.recorded }
    }

    /// Returns the begin and the end of the time that the figure shows.
    pub(super) fn window(&self) -> (Instant, Instant) {
        let (start, end) = window(&self.opened.trace.capture);
        (self.part.from().map_or(start, |from| from.max(start).min(end)), end)
    }

    /// Returns `measure` of all clients as figures show it: recorded, or mean over replicates; `None` where undefined.
    pub(super) fn value(&self, measure: Measure) -> Option<f64> {
        measure.of(|name| self.of_summary(self.result().get(name)))
    }

    /// Returns `measure` of every client to which it applies, as figures show it, in the order of the record.
    pub(super) fn per_client(&self, measure: Measure) -> Vec<f64> {
        let result = self.result();
        let of = |a: &replay::AssociationResult| measure.of(|name| self.of_summary(a.get(name)));
        result.associations.iter().filter_map(of).collect()
    }

    /// Returns `measure` in every replicate; of the recorded behaviour, one value.
    pub(super) fn replicates(&self, measure: Measure) -> Vec<Option<f64>> {
        match &self.run {
            Some(run) => run.result.replicates.iter().map(|v| measure.of_values(v)).collect(),
            None => vec![self.value(measure)],
        }
    }

    /// Returns the share of copies whose fate was recorded, 0 to 1; 1 for the recorded behaviour, `None` through the
    /// network twin, which samples none.
    pub(super) fn support(&self) -> Option<f64> {
        self.run.as_ref().map_or(Some(1.0), |run| run.result.support)
    }

    /// Returns all exchanges in order of start.
    pub(super) fn exchanges(&self) -> Vec<&ExchangeMark> {
        let mut all: Vec<&ExchangeMark> = self.timeline().exchanges().collect();
        all.sort_by_key(|e| (e.start(), e.exchange));
        all
    }
}

/// All cells of a figure, and the settings of its drawing.
pub(super) struct Figure<'a> {
    request: &'a FigureRequest,
    /// Values of its switches.
    pub settings: Settings,
    /// Behaviours; the recorded one is the first.
    pub behaviours: Vec<Behaviour>,
    /// Groups of captures, in the order of the figure.
    pub groups: Vec<Group>,
    /// Capture by capture, each with all behaviours.
    cells: Vec<Cell>,
    /// Capture by capture, the names of the client and the server of each association.
    ends: Vec<Vec<(String, String)>>,
}

/// Progress of one capture's replays among those of all.
struct Share<'a> {
    inner: &'a mut dyn Progress,
    done: u64,
    of: u64,
}

/// Steps in which a capture's replays report progress.
const WHOLE: u64 = 1_000;

impl Progress for Share<'_> {
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        let share = u128::from(WHOLE) * u128::from(done.min(total)) / u128::from(total.max(1));
        self.inner.tick(self.done * WHOLE + u64::try_from(share).unwrap_or(WHOLE), self.of * WHOLE)
    }
}

impl<'a> Figure<'a> {
    /// Replays the captures of a request where no cached run serves. Errs for an unknown algorithm or a value out of
    /// range, where a capture is not open, and when cancelled.
    pub(super) fn gather(
        session: &Session,
        request: &'a FigureRequest,
        settings: Settings,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        check_replicates(request.replicates)?;
        let algorithm_set = session.algorithm_set();
        let mut behaviours = vec![Behaviour {
            name: "Recorded".to_owned(),
            choice: None,
            family: "",
            order: None,
            variant: 0,
            reading: false,
        }];
        for choice in &request.algorithms {
            let place = algorithm_set.algorithms().iter().position(|spec| spec.id == choice.id);
            let spec = place.and_then(|place| algorithm_set.algorithms().get(place));
            let spec = spec.ok_or_else(|| Error::request(format!("There is no algorithm `{}`.", choice.id)))?;
            let same = |b: &&Behaviour| b.choice.as_ref().is_some_and(|c| c.id == choice.id && !c.params.is_empty());
            let before = behaviours.iter().filter(same).count();
            behaviours.push(Behaviour {
                name: spec.named(&choice.params),
                choice: Some(choice.clone()),
                family: spec.family,
                order: place.and_then(|place| u32::try_from(place).ok()),
                variant: if choice.params.is_empty() { 0 } else { u32::try_from(before + 1).unwrap_or(1) },
                reading: spec.reading,
            });
        }
        let (mut cells, mut ends) = (Vec::new(), Vec::new());
        for (index, asked) in request.captures.iter().enumerate() {
            let opened = session.capture(asked.capture)?;
            let mut share = Share { inner: &mut *progress, done: index as u64, of: request.captures.len() as u64 };
            let runs = runs(session, request, &opened, asked, &mut share)?;
            let recorded = Arc::new(recorded(&opened, &asked.part, &mut share)?);
            let cell = |run| Cell {
                opened: Arc::clone(&opened),
                run,
                recorded: Arc::clone(&recorded),
                part: asked.part.clone(),
            };
            ends.push(Names::of(&asked.nodes).ends(&opened.trace.associations));
            cells.push(cell(None));
            cells.extend(runs.into_iter().map(|run| cell(Some(run))));
        }
        let groups = groups(request, settings.choice("group"));
        Ok(Self { request, settings, behaviours, groups, cells, ends })
    }

    /// Returns the cell of capture `capture` under behaviour `behaviour`, both by position from 0; `None` where either
    /// does not exist.
    pub(super) fn cell(&self, capture: usize, behaviour: usize) -> Option<&Cell> {
        self.cells.get(capture * self.behaviours.len() + behaviour).filter(|_| behaviour < self.behaviours.len())
    }

    /// Returns the cells of all captures of a group under a behaviour.
    pub(super) fn of_group(&self, group: &Group, behaviour: usize) -> impl Iterator<Item = &Cell> {
        group.members.iter().filter_map(move |&capture| self.cell(capture, behaviour))
    }

    /// Returns the position of a behaviour of a group in [`Figure::series`], from 0.
    pub(super) fn series_of(&self, behaviour: usize, group: usize) -> u32 {
        super::shape::small(behaviour * self.groups.len() + group)
    }

    /// Returns the name of a capture in this figure; empty for one that does not exist.
    pub(super) fn name(&self, capture: usize) -> &str {
        self.request.captures.get(capture).map_or("", |c| &c.name)
    }

    /// Returns the names of the client and the server of an association, as the window has them; `None` where there is
    /// none.
    pub(super) fn ends(&self, capture: usize, id: AssociationId) -> Option<(&str, &str)> {
        let (client, server) = self.ends.get(capture)?.get(id.index())?;
        Some((client, server))
    }

    /// Returns the name of the client of an association; its number where there is none.
    pub(super) fn client(&self, capture: usize, id: AssociationId) -> String {
        self.ends(capture, id).map_or_else(|| id.to_string(), |(client, _)| client.to_owned())
    }

    /// Returns the value of tag `key` of the capture at position `capture`, from 0; `None` where it has no such tag.
    pub(super) fn tag(&self, capture: usize, key: &str) -> Option<&str> {
        self.request.captures.get(capture)?.tags.get(key).map(String::as_str)
    }

    /// Whether some clients stay as recorded while others run an algorithm.
    pub(super) fn is_mixed(&self) -> bool {
        !self.request.algorithms.is_empty() && self.request.captures.iter().any(|c| !c.part.as_recorded.is_empty())
    }

    /// Returns the number of captures.
    pub(super) fn captures(&self) -> usize {
        self.request.captures.len()
    }

    /// Returns the series: for each behaviour, its groups.
    pub(super) fn series(&self) -> Vec<FigureSeries> {
        let one = |behaviour: &Behaviour, (index, group): (usize, &Group)| FigureSeries {
            name: if self.groups.len() > 1 {
                format!("{}, {}", behaviour.name, group.name)
            } else {
                behaviour.name.clone()
            },
            behaviour: behaviour.name.clone(),
            captures: group.name.clone(),
            algorithm: behaviour.choice.as_ref().map(|choice| choice.id.clone()),
            order: behaviour.order,
            variant: behaviour.variant,
            group: super::shape::small(index),
            reading: behaviour.reading,
        };
        self.behaviours.iter().flat_map(|b| self.groups.iter().enumerate().map(move |g| one(b, g))).collect()
    }
}

/// Measures the recorded behaviour in `part` of a capture; errs when cancelled.
fn recorded(opened: &Opened, part: &PartView, progress: &mut dyn Progress) -> Result<Recorded, Error> {
    let scenario = Scenario {
        bounds: Bounds::Skip,
        history: part.history(),
        ..Scenario::new(Algorithm::AsRecorded, ChannelSpec::RECORDED)
    };
    let result = opened.replay.run_all(&[scenario], progress)?.into_iter().next();
    Ok(Recorded {
        later: part.from().map(|from| opened.recorded.since(from)),
        result: result.ok_or_else(|| Error::internal("A run is missing."))?,
    })
}

/// Returns the replays of one capture, in the order of the request; errs as [`Figure::gather`].
fn runs(
    session: &Session,
    request: &FigureRequest,
    opened: &Arc<Opened>,
    asked: &FigureCapture,
    progress: &mut dyn Progress,
) -> Result<Vec<Arc<Stored>>, Error> {
    request.policy.check()?;
    let algorithm_set = session.algorithm_set();
    let key = |choice: &AlgorithmChoice| -> Result<Key, Error> {
        Ok(Key {
            capture: asked.capture,
            algorithm: resolve(&algorithm_set, choice)?,
            channel: request.channel,
            workload: request.workload,
            seed: request.seed,
            replicates: request.replicates,
            part: asked.part.clone(),
            bounds: Bounds::Skip,
            policy: request.policy,
            replicate: 0,
        })
    };
    let keys = request.algorithms.iter().map(key).collect::<Result<Vec<_>, _>>()?;
    let with_bounds = |key: &Key| Key { bounds: Bounds::Compute, ..key.clone() };
    let mut found: Vec<Option<Arc<Stored>>> = keys
        .iter()
        .map(|key| session.cached_for_figures(key).or_else(|| session.cached_for_figures(&with_bounds(key))))
        .collect();
    let missing: Vec<Key> = keys.iter().zip(&found).filter(|(_, run)| run.is_none()).map(|(k, _)| k.clone()).collect();
    let made = session.compute(opened, missing, progress)?;
    let mut made = made.into_iter().map(|run| session.add_for_figures(opened, run));
    for run in &mut found {
        if run.is_none() {
            *run = made.next();
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// Groups the captures by the value of tag `key`, numbers ascending; those without the tag are groups of their own.
fn groups(request: &FigureRequest, key: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, asked) in request.captures.iter().enumerate() {
        let tag = asked.tags.get(key).filter(|_| key != "capture");
        let name = tag.map_or_else(|| asked.name.clone(), |value| format!("{key} {value}"));
        match groups.iter_mut().find(|group| group.name == name && tag.is_some()) {
            Some(group) => group.members.push(index),
            None => groups.push(Group { name, members: vec![index] }),
        }
    }
    let numeric = |group: &Group| {
        let value = request.captures.get(*group.members.first()?)?.tags.get(key)?;
        value.parse::<f64>().ok()
    };
    if groups.iter().all(|group| numeric(group).is_some()) {
        groups.sort_by(|a, b| numeric(a).unwrap_or(0.0).total_cmp(&numeric(b).unwrap_or(0.0)));
    }
    groups
}
