//! The grid of the view *Study*: each timer in each scenario, beside real runs.

use super::Source;
use super::factor::factors;
use super::timers::Timers;
use super::winners::{Compared, Verdict, compared};
use crate::Error;
use crate::figure::measure::Measure;
use crate::figure::shape::small;
use crate::study::{StudyPlace, dataset, folder_of_file, read_rows, read_text, spec_of, study_measures};
use crate::view::replayed::metrics;
use crate::view::{
    AlgorithmChoice, MetricSpec, StudyCaptureView, StudyCellView, StudyGridRequest, StudyGridView, StudyRealView,
    StudyScenarioView, StudyTimerView,
};
use base::Progress;
use replay::MetricName;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use study::{Capture, Group, Plan, Row, Spec, State, unit};

/// Level of the grid's intervals, that of the rows' own.
const LEVEL: f64 = 0.9;

/// Makes the grid of a study; one that has not run has columns and no row.
///
/// # Errors
/// [`crate::Code::Request`] where there is no study, or it has no such measure, timer or channel;
/// [`crate::Code::Cancelled`].
pub fn study_grid(asked: &StudyGridRequest, progress: &mut dyn Progress) -> Result<StudyGridView, Error> {
    let place = StudyPlace::of(Path::new(&asked.path));
    let (plan, rows) = match (&place.spec, dataset::is_begun(&place.out)) {
        (Some(file), false) => {
            if progress.tick(0, 1).is_break() {
                return Err(Error::cancelled());
            }
            let spec = spec_of(&read_text(file)?, &|_, name| folder_of_file(file).join(name))?;
            (Plan { spec, captures: Vec::new() }, Vec::new())
        }
        _ => read_rows(&place.out, progress)?,
    };
    let measure = study_measures(asked.measure.as_slice())?.first().copied();
    let measure = measure.or_else(|| plan.spec.measures.first().copied()).unwrap_or(MetricName::DurationMean);
    let channel = channel(&plan.spec, asked.channel.as_deref())?;
    let ran = ran(&rows);
    let sources: BTreeSet<&str> = ran.values().copied().collect();
    let from = from(&plan.spec, asked.from.as_deref(), &sources)?;
    let timers = Timers::of(&plan.spec);
    let source = Source { plan: &plan, rows: &rows, measure: Measure(measure), level: LEVEL, timers };
    let of_channel: Vec<Row> = rows.iter().filter(|row| row.channel == channel).cloned().collect();
    let grid = Grid { source: &source, rows: &of_channel, channel, ran: &ran, from, home: place.spec.as_deref() };
    let scenarios = grid.scenarios()?;
    let inside = inside(&scenarios);
    Ok(StudyGridView {
        name: plan.spec.name.clone(),
        changed: place.spec.as_ref().is_some_and(|file| dataset::is_changed(&place.out, file)),
        file: place.spec.as_ref().map(|file| file.display().to_string()),
        folder: place.out.display().to_string(),
        program: rows.first().map(|row| row.program.clone()).unwrap_or_default(),
        tasks: small(plan.len()),
        rows: small(rows.len()),
        failed: small(rows.iter().filter(|row| row.state != State::Done).count()),
        replicates: plan.spec.replicates,
        measure: metrics::spec(measure),
        measures: measures(&plan.spec),
        from: from.map(str::to_owned),
        sources: sources.into_iter().map(str::to_owned).collect(),
        channel: channel.to_owned(),
        channels: plan.spec.channels.clone(),
        factors: factors(&source),
        timers: columns(&source),
        scenarios,
        inside,
    })
}

/// Measures to choose from: those of the study, then the others.
fn measures(spec: &Spec) -> Vec<MetricSpec> {
    let others = MetricName::ALL.into_iter().filter(|name| !spec.measures.contains(name));
    spec.measures.iter().copied().chain(others).map(metrics::spec).collect()
}

fn channel<'a>(spec: &'a Spec, asked: Option<&str>) -> Result<&'a str, Error> {
    let known = |name: &&String| asked.is_none_or(|asked| asked == name.as_str());
    spec.channels.iter().find(known).map(String::as_str).ok_or_else(|| {
        Error::request(format!("The study has no such channel; there are: {}.", spec.channels.join(", ")))
    })
}

/// Timer that ran in a capture, by the capture's path.
fn ran(rows: &[Row]) -> BTreeMap<&str, &str> {
    rows.iter().filter(|row| row.ran == Some(true)).map(|row| (row.path.as_str(), row.timer.as_str())).collect()
}

/// The timer under which captures must have been recorded that answer.
fn from<'a>(spec: &'a Spec, asked: Option<&str>, sources: &BTreeSet<&'a str>) -> Result<Option<&'a str>, Error> {
    let known = |label: &str| sources.iter().find(|source| **source == label).copied();
    match asked {
        Some("") => Ok(None),
        Some(label) => known(label)
            .map(Some)
            .ok_or_else(|| Error::request(format!("No capture of the study is known to have run under `{label}`."))),
        None => Ok(spec.baseline.as_deref().and_then(known)),
    }
}

fn columns(source: &Source<'_>) -> Vec<StudyTimerView> {
    let timers = source.plan.spec.timers.iter().zip(source.timers.series());
    timers
        .map(|(timer, series)| StudyTimerView {
            label: timer.label.clone(),
            series,
            choice: AlgorithmChoice { id: timer.algorithm.clone(), params: timer.params.clone() },
        })
        .collect()
}

/// Kind of an interval of another run.
const ANOTHER: &str = "another run";

/// Real runs inside the interval of another run that other captures predict, and all of those.
fn inside(scenarios: &[StudyScenarioView]) -> [u32; 2] {
    let mut counts = [0, 0];
    for scenario in scenarios {
        for cell in &scenario.cells {
            // The interval of a mean, or of replicates, says nothing of another run.
            let Some([lo, hi]) = cell.interval.filter(|_| cell.kind == ANOTHER) else { continue };
            for real in cell.real.iter().filter(|real| !scenario.used.contains(&real.capture)) {
                counts[0] += u32::from((lo..=hi).contains(&real.value));
                counts[1] += 1;
            }
        }
    }
    counts
}

/// Rows of one channel, and what the grid shows of them.
struct Grid<'a> {
    source: &'a Source<'a>,
    rows: &'a [Row],
    channel: &'a str,
    ran: &'a BTreeMap<&'a str, &'a str>,
    from: Option<&'a str>,
    /// The study's file.
    home: Option<&'a Path>,
}

impl Grid<'_> {
    fn scenarios(&self) -> Result<Vec<StudyScenarioView>, Error> {
        let mut by_name: BTreeMap<&str, Vec<&Capture>> = BTreeMap::new();
        for capture in &self.source.plan.captures {
            by_name.entry(capture.scenario()).or_default().push(capture);
        }
        by_name.into_iter().map(|(name, captures)| self.scenario(name, &captures)).collect()
    }

    fn scenario(&self, name: &str, captures: &[&Capture]) -> Result<StudyScenarioView, Error> {
        let is_from = |capture: &&Capture| self.ran.get(capture.path.as_str()).copied() == self.from;
        // A scenario without such a capture answers from those that it has.
        let is_filtered = self.from.is_some() && captures.iter().any(is_from);
        let is_used = |capture: &&Capture| !is_filtered || is_from(capture);
        let used: Vec<u32> =
            (0..captures.len()).filter(|&at| captures.get(at).is_some_and(is_used)).map(small).collect();
        let paths: BTreeSet<&str> = captures.iter().copied().filter(is_used).map(|of| of.path.as_str()).collect();
        let here: Vec<&Row> = self.rows.iter().filter(|row| row.scenario == name).collect();
        let rows: Vec<Row> = here.iter().filter(|row| paths.contains(row.path.as_str())).copied().cloned().collect();
        let timers = Timers::of(&self.source.plan.spec);
        let source = Source { rows: &rows, timers, ..*self.source };
        let compared = compared(&source, name, self.channel)?;
        let tasks = paths.len() * self.source.plan.spec.seeds.len();
        let cell = |timer: &study::Timer| {
            let group = compared.as_ref().and_then(|of| of.groups.iter().find(|group| of_timer(group, &timer.label)));
            let of = |row: &&Row| row.timer == timer.label;
            let rows: Vec<&Row> = rows.iter().filter(of).collect();
            let mut cell = self.cell(group, &rows, tasks);
            cell.real = self.real(captures, here.iter().copied().filter(of));
            cell
        };
        let cells: Vec<StudyCellView> = self.source.plan.spec.timers.iter().map(cell).collect();
        let (best, wins) = compared.map(|of| self.best(&of)).unwrap_or_default();
        Ok(StudyScenarioView {
            name: name.to_owned(),
            captures: captures.iter().map(|capture| self.capture(capture)).collect(),
            used,
            recorded: self.recorded(rows.iter()),
            truth: self.truth(&cells),
            cells,
            best,
            wins,
        })
    }

    /// Columns that are not worse than the best, the best first, and whether it wins.
    fn best(&self, of: &Compared) -> (Vec<u32>, bool) {
        let column = |label: &String| self.source.plan.spec.timers.iter().position(|timer| timer.label == *label);
        let Some(best) = column(&of.best) else { return (Vec::new(), false) };
        let judged = of.groups.iter().zip(&of.verdicts);
        let ties = judged.clone().filter(|(_, verdict)| **verdict == Verdict::Ties);
        let ties = ties.filter_map(|(group, _)| column(group.keys.get(1)?)).filter(|at| *at != best);
        let is_best = |group: &Group| of_timer(group, &of.best);
        let wins = judged.clone().any(|(group, verdict)| is_best(group) && *verdict == Verdict::Wins);
        (std::iter::once(best).chain(ties).map(small).collect(), wins)
    }

    fn cell(&self, group: Option<&Group>, rows: &[&Row], tasks: usize) -> StudyCellView {
        let failed: Vec<&&Row> = rows.iter().filter(|row| row.state != State::Done).collect();
        let first = failed.first();
        let [of_one, ..] = rows else { return empty(tasks) };
        let mean = group.and_then(|group| group.mean);
        // Real runs stand beside it, and so it is that of a run: the mean over runs is known better than a run can be.
        let another = another(rows, self.source.measure.0).map(|ends| (ends, ANOTHER));
        let pooled = || group.and_then(|group| group.interval).map(|of| ([of.lo, of.hi], of.method));
        let own = || {
            let of = of_one.measures.get(&self.source.measure.0).filter(|_| rows.len() == 1)?;
            of.ninety.map(|(lo, hi)| ([lo, hi], "replicates"))
        };
        let interval = another.or_else(pooled).or_else(own);
        let interval = interval.filter(|([lo, hi], _)| mean.is_some() && lo.is_finite() && hi.is_finite());
        StudyCellView {
            runs: small(group.map_or(0, |group| group.runs)),
            mean,
            interval: interval.map(|(ends, _)| ends),
            kind: interval.map_or("", |(_, kind)| kind).to_owned(),
            letters: group.and_then(|group| group.letters.clone()),
            two_modes: small(group.map_or(0, |group| group.two_modes)),
            real: Vec::new(),
            waiting: small(tasks.saturating_sub(rows.len())),
            failed: small(failed.len()),
            state: first.map_or("", |row| row.state.word()).to_owned(),
            reason: first.and_then(|row| row.reason.clone()).unwrap_or_default(),
        }
    }

    /// Recorded values of captures in which the timer of `rows` ran, one a capture.
    fn real<'r>(&self, captures: &[&Capture], rows: impl Iterator<Item = &'r Row>) -> Vec<StudyRealView> {
        let mut found = BTreeMap::new();
        for row in rows.filter(|row| row.ran == Some(true)) {
            let at = captures.iter().position(|capture| capture.path == row.path);
            if let Some((at, value)) = at.zip(self.value(row)) {
                found.insert(at, value);
            }
        }
        found.into_iter().map(|(at, value)| StudyRealView { value, capture: small(at) }).collect()
    }

    /// The recorded value of a row's capture.
    fn value(&self, row: &Row) -> Option<f64> {
        row.measures.get(&self.source.measure.0)?.recorded.filter(|value| value.is_finite())
    }

    /// The recorded value over `rows`: mean over runs of the network.
    fn recorded<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> Option<f64> {
        let mut units: BTreeMap<_, BTreeMap<&str, f64>> = BTreeMap::new();
        for row in rows {
            if let Some(value) = self.value(row) {
                units.entry(unit(row)).or_default().insert(&row.path, value);
            }
        }
        let mean = |values: Vec<f64>| replay::stats::mean(&values);
        let units: Option<Vec<f64>> = units.values().map(|of| mean(of.values().copied().collect())).collect();
        mean(units?)
    }

    /// Among columns with a prediction and real runs, the best by each.
    fn truth(&self, cells: &[StudyCellView]) -> Option<[u32; 2]> {
        let real =
            |cell: &StudyCellView| replay::stats::mean(&cell.real.iter().map(|real| real.value).collect::<Vec<f64>>());
        let both: Vec<(usize, [f64; 2])> =
            cells.iter().enumerate().filter_map(|(at, cell)| Some((at, [cell.mean?, real(cell)?]))).collect();
        let more = self.source.measure.0.more_is_better();
        let best = |kind: usize| {
            let value = |of: &&(usize, [f64; 2])| of.1.get(kind).copied().unwrap_or(f64::NAN);
            let better = |a: &&(usize, [f64; 2]), b: &&(usize, [f64; 2])| match more {
                true => value(b).total_cmp(&value(a)),
                false => value(a).total_cmp(&value(b)),
            };
            both.iter().min_by(better).filter(|_| both.len() > 1).map(|(at, _)| small(*at))
        };
        Some([best(0)?, best(1)?])
    }

    fn capture(&self, capture: &Capture) -> StudyCaptureView {
        let of: Vec<&Row> = self.source.rows.iter().filter(|row| row.path == capture.path).collect();
        let file = self.home.map(|home| folder_of_file(home).join(&capture.path)).filter(|file| file.is_file());
        let plan = self.source.plan;
        StudyCaptureView {
            path: capture.path.clone(),
            file: file.map(|file| file.display().to_string()),
            ran: self.ran.get(capture.path.as_str()).map(|label| (*label).to_owned()),
            rows: small(of.len()),
            failed: small(of.iter().filter(|row| row.state != State::Done).count()),
            tasks: small(plan.tasks(capture).len()),
        }
    }
}

fn of_timer(group: &Group, label: &str) -> bool {
    group.keys.get(1).is_some_and(|own| own == label)
}

/// Interval of another run by rows of one timer: the means of its lower and upper ends; `None` where an
/// answer has none.
fn another(rows: &[&Row], measure: MetricName) -> Option<[f64; 2]> {
    let answers = rows.iter().filter_map(|row| row.measures.get(&measure));
    let ends = answers.map(|of| of.another).collect::<Option<Vec<(f64, f64)>>>()?;
    let (lo, hi): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
    Some([replay::stats::mean(&lo)?, replay::stats::mean(&hi)?])
}

/// A cell whose tasks all wait.
fn empty(tasks: usize) -> StudyCellView {
    StudyCellView {
        runs: 0,
        mean: None,
        interval: None,
        kind: String::new(),
        letters: None,
        two_modes: 0,
        real: Vec::new(),
        waiting: small(tasks),
        failed: 0,
        state: String::new(),
        reason: String::new(),
    }
}
