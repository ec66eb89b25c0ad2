//! `calibrate`: predicts real runs from one another, and scores the predictions. Only the command line asks for it.

mod lab;
mod markdown;
mod sniffer;
mod world;

pub(crate) use lab::{is_named, named};
pub use markdown::markdown;

use crate::opened::replay_of;
use crate::{Error, Progress};
use base::{AssociationId, Silent, Span};
use lab::{RunFile, World};
pub use replay::ModelErrors;
use replay::calibrate::{Calibration, CopyScore, Options, Prediction, RealRun, score_copies, summarise};
use replay::model_error::Kind;
use replay::{Algorithm, ChannelSpec, Record, Replay, Scenario, Values};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use table::{Cells, Listing};
use trace::{DecodeOptions, Endpoint, ImportOptions, Trace};

/// Folder, channels and settings of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct CalibrateRequest {
    /// Folder of runs, in one of the layouts of the module `lab`.
    pub folder: PathBuf,
    /// Names of channels to score, as [`channel_names`] has them; `-` stands for `_`. Empty: all.
    pub channels: Vec<String>,
    /// Scenarios to score, each as `SCENARIO` or `SCENARIO:SEED`. Empty: all.
    pub only: Vec<String>,
    /// Seed of every random draw.
    pub seed: u32,
    /// Number of replicates of a modelled channel, 1..=10000.
    pub replicates: u32,
    /// Treatment of the model error of network twins; excluded to learn it.
    pub model_error: ModelErrors,
    /// Number of a node of Cooja, beside which a sniffer is placed: predictions are made from the frames that it hears,
    /// and scored for the clients that it hears. `None`: from all of the capture.
    pub sniffer: Option<u32>,
}

impl CalibrateRequest {
    /// Returns the request for all of `folder`: every channel, seed 1, model error included.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            channels: Vec::new(),
            only: Vec::new(),
            seed: 1,
            replicates: Scenario::REPLICATES,
            model_error: ModelErrors::Include,
            sniffer: None,
        }
    }
}

/// Score of one channel on single copies that one run never sent.
#[derive(Clone, PartialEq, Debug)]
pub struct CopiesLine {
    /// Name of the scenario.
    pub scenario: String,
    /// Seed of the world.
    pub seed: u32,
    /// Name of the run whose trace the channel was fitted to.
    pub from: String,
    /// Name of the channel.
    pub channel: &'static str,
    /// Score of the forecasts.
    pub score: CopyScore,
}

/// Result of a calibration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibrated {
    /// Pairs of predictions and truths.
    pub calibration: Calibration,
    /// Scores of single copies, where the fate of every copy is on record.
    pub copies: Vec<CopiesLine>,
    /// Sentences about runs that were left out, with the reason.
    pub notes: Vec<String>,
}

/// Distance in time of the copies that were never sent and are scored, on each path. Chosen here by judgement: no
/// experiment decides it; a quarter of ACK_TIMEOUT (RFC 7252 §4.8), so that moments lie within every first timeout.
/// Half as far apart they take twice the time, and neighbours meet the same channel state.
const EVERY: Span = Span::from_millis(500);

/// All channels, [`ChannelSpec::Auto`] last.
fn all_channels() -> impl Iterator<Item = ChannelSpec> {
    ChannelSpec::ALL.into_iter().chain([ChannelSpec::QUEUED, ChannelSpec::Auto])
}

/// Returns the names of all channels, `auto` last.
pub fn channel_names() -> impl Iterator<Item = &'static str> {
    all_channels().map(ChannelSpec::name)
}

/// Predicts every run of a folder from every other of its world, and scores the predictions. `progress` counts runs.
///
/// # Errors
/// [`crate::Code::Request`] for a folder without two runs of one world, an unknown channel or a wrong number of
/// replicates, [`crate::Code::Capture`] for a capture that cannot be read, [`crate::Code::Cancelled`].
pub fn calibrate(request: &CalibrateRequest, progress: &mut dyn Progress) -> Result<Calibrated, Error> {
    crate::runs::check_replicates(request.replicates)?;
    let mut channels = chosen(&request.channels)?;
    if request.model_error == ModelErrors::Exclude && request.channels.is_empty() {
        // Auto says what another has said: that would be learned twice.
        channels.retain(|channel| *channel != ChannelSpec::Auto);
    }
    let options = Options {
        channels,
        seed: u64::from(request.seed),
        replicates: request.replicates,
        model_error: request.model_error,
    };
    let mut found = lab::discover(&request.folder)?;
    found.worlds.retain(|world| request.only.is_empty() || request.only.iter().any(|only| world.is_called(only)));
    if found.worlds.is_empty() {
        return Err(Error::request(format!(
            "{}: there are no two runs of one world here. Expected cooja/SCENARIO/RUN-seedN/, live/WORLD-seedN/RUN/, or an \
             index.json as in traces/.",
            request.folder.display()
        )));
    }
    let mut out = Calibrated { notes: found.notes, ..Calibrated::default() };
    let total: u64 = found.worlds.iter().map(|w| w.runs.len() as u64).sum();
    let mut done = 0;
    for world in &found.worlds {
        let count = world.runs.len() as u64;
        let mut part = Part { inner: progress, before: done, total };
        let mut runs = Vec::with_capacity(world.runs.len());
        let mut zeros = Vec::with_capacity(world.runs.len());
        for run in &world.runs {
            let (run, zero) = open(run, (&options, request.sniffer), &mut part)?;
            runs.push(run);
            zeros.push(zero);
        }
        out.calibration.add((&world.scenario, world.seed), &runs, &options, &mut part)?;
        out.copies.extend(copies(world, &runs, &zeros, &options)?);
        done += count;
    }
    Ok(out)
}

fn chosen(names: &[String]) -> Result<Vec<ChannelSpec>, Error> {
    if names.is_empty() {
        return Ok(all_channels().collect());
    }
    let find = |name: &String| {
        ChannelSpec::from_name(&name.replace('-', "_")).ok_or_else(|| {
            let known: Vec<_> = channel_names().collect();
            Error::request(format!("There is no channel `{name}`; there are: {}.", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// Progress of one world among all.
struct Part<'a> {
    inner: &'a mut dyn Progress,
    before: u64,
    total: u64,
}

impl Progress for Part<'_> {
    fn tick(&mut self, done: u64, _: u64) -> std::ops::ControlFlow<()> {
        self.inner.tick((self.before + done).min(self.total), self.total)
    }
}

/// Opens a run. Returns it with the time from its world's beginning to its time zero, `None` where unknown.
fn open(
    run: &RunFile,
    (wanted, sniffer): (&Options, Option<u32>),
    progress: &mut dyn Progress,
) -> Result<(RealRun, Option<Span>), Error> {
    if progress.tick(0, 0).is_break() {
        return Err(Error::cancelled());
    }
    let options = DecodeOptions { rc_option: run.rc_option, ..DecodeOptions::default() };
    let named = |error: Error| Error { message: format!("{}: {}", run.capture.display(), error.message), ..error };
    let whole = crate::decode(&run.capture, &ImportOptions::default(), &options, &mut Silent).map_err(named)?;
    let (trace, whole) = match sniffer {
        None => (whole, None),
        Some(beside) => {
            let octets = sniffer::heard(&run.capture, beside)?;
            let import = ImportOptions::default();
            (crate::decode_octets("one sniffer", octets, &import, &options, &mut Silent).map_err(named)?, Some(whole))
        }
    };
    let algorithm = Algorithm::Preset { id: run.preset.clone(), params: Value::Object(run.overrides.clone()) };
    let zero = trace.capture.epoch_unix_nanos.zip(world::start(&run.capture)?);
    let zero = zero.and_then(|(epoch, start)| Some(Span::from_nanos(epoch.checked_sub(start)?)));
    let replay = replay_of(&run.capture, &trace, progress)?;
    if wanted.channels.contains(&ChannelSpec::Auto) {
        replay.choose_channel(&trace, &mut base::Part::new(progress, 0, 0, 0))?;
    } else if wanted.channels.contains(&ChannelSpec::Twin) {
        replay.learn_network(&trace, &mut base::Part::new(progress, 0, 0, 0))?;
    }
    let truth = whole.map(|whole| truth(&whole, &trace, progress)).transpose()?;
    Ok((RealRun { name: run.name.clone(), algorithm, replay, truth }, zero))
}

/// Measures, on the `whole` capture, the clients that `part` of it shows.
fn truth(whole: &Trace, part: &Trace, progress: &mut dyn Progress) -> Result<Values, Error> {
    let ends: BTreeSet<(Endpoint, Endpoint)> = part.associations.iter().map(|a| (a.client, a.server)).collect();
    let record = Record::from_trace(whole, &mut base::Part::new(progress, 0, 0, 0))?;
    let is_heard = |id: AssociationId| {
        whole.associations.get(id.index()).is_some_and(|whole| ends.contains(&(whole.client, whole.server)))
    };
    let heard = record.associations().iter().filter(|association| is_heard(association.id)).cloned().collect();
    let record = Record::new(heard, record.window());
    Ok(*Replay::new(record, &mut base::Part::new(progress, 0, 0, 0))?.recorded())
}

fn copies(
    world: &World,
    runs: &[RealRun],
    zeros: &[Option<Span>],
    options: &Options,
) -> Result<Vec<CopiesLine>, Error> {
    let Some(folder) = &world.folder else { return Ok(Vec::new()) };
    let Some(truth) = world::Truth::read(folder)? else { return Ok(Vec::new()) };
    let mut lines = Vec::new();
    for (run, zero) in runs.iter().zip(zeros) {
        let Some(zero) = *zero else { continue };
        let unsent = run.replay.unsent(EVERY);
        let known = unsent.iter().filter_map(|m| Some((*m, truth.at(m.path, m.at, zero)?)));
        let (moments, truths): (Vec<_>, Vec<_>) = known.unzip();
        for &channel in &options.channels {
            if matches!(channel, ChannelSpec::Recorded { .. }) {
                continue;
            }
            // A channel that refuses has said so where pairs are predicted.
            let chances = run.replay.chances(channel, &moments, options.seed, options.replicates);
            let base_rate = run.replay.share_lost().unwrap_or(0.0);
            if let Ok(Some(chances)) = chances
                && let Some(score) = score_copies(&chances, &truths, base_rate)
            {
                let (scenario, from) = (world.scenario.clone(), run.name.clone());
                lines.push(CopiesLine { scenario, seed: world.seed, from, channel: channel.name(), score });
            }
        }
    }
    Ok(lines)
}

/// Returns the learned model errors as Markdown: one table per kind, relative errors and coverage.
#[must_use]
pub fn model_errors(calibrated: &Calibrated) -> String {
    let mut text = String::new();
    for (kind, learned) in calibrated.calibration.model_errors() {
        let _ = writeln!(
            text,
            "{}\n\n| measure | relative error (sd) | covered, world left out | pairs |\n|---|---|---|---|",
            kind.name()
        );
        for line in learned {
            let (name, covered) = (line.metric.name(), 100.0 * line.left_out);
            let _ = writeln!(text, "| {name} | {:.3} | {covered:.0} % | {} |", line.relative, line.pairs);
        }
        text.push('\n');
    }
    text
}

/// Returns the rows as JSON, one for each pair, measure and channel, in the units of measures. `lo90`, `hi90` and
/// `crps` are of another run under the same channel statistics, as `real` is one; those with `this_` are of the trace
/// of `from`, whose mean is
/// `predicted`.
#[must_use]
pub fn rows(calibrated: &Calibrated) -> Value {
    let ends = |p: Option<Prediction>| (p.map(|p| p.ninety.lo), p.map(|p| p.ninety.hi));
    let row = |r: &replay::calibrate::Row| {
        let ((lo90, hi90), (this_lo90, this_hi90)) = (ends(r.another), ends(r.this));
        json!({
            "scenario": r.scenario, "seed": r.seed, "from": r.from, "to": r.to, "channel": r.channel,
            "metric": r.metric.name(), "predicted": r.predicted(), "lo90": lo90, "hi90": hi90, "real": r.real,
            "no_change": r.persistence, "naive": r.trace_driven, "this_lo90": this_lo90,
            "this_hi90": this_hi90, "crps": r.another.and_then(|p| p.crps), "this_crps": r.this.and_then(|p| p.crps),
            "repeat": r.repeat, "model_error": r.error.map(Kind::name),
        })
    };
    calibrated.calibration.rows.iter().map(row).collect()
}

/// Returns the rows of [`rows`] as a table.
#[must_use]
pub fn listing(calibrated: &Calibrated) -> Listing {
    const TEXT: [&str; 5] = ["scenario", "from", "to", "channel", "metric"];
    const REAL: [&str; 10] =
        ["predicted", "lo90", "hi90", "real", "no_change", "naive", "this_lo90", "this_hi90", "crps", "this_crps"];
    let rows = rows(calibrated);
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    let text = |name: &'static str| {
        (name, Cells::Text(rows.iter().map(|row| row[name].as_str().map(str::to_owned)).collect()))
    };
    let real = |name: &'static str| (name, Cells::Real(rows.iter().map(|row| row[name].as_f64()).collect()));
    let seed = ("seed", Cells::Whole(rows.iter().map(|row| row["seed"].as_i64()).collect()));
    let yes = |row: &Value| Some(if row["repeat"] == true { "yes" } else { "no" }.to_owned());
    let mut columns: Vec<_> = TEXT.into_iter().map(text).collect();
    columns.insert(1, seed);
    columns.extend(REAL.into_iter().map(real));
    columns.extend([("repeat", Cells::Text(rows.iter().map(yes).collect())), text("twin")]);
    Listing { columns }
}

/// Returns the text of `path`, for people.
fn place(path: &Path) -> String {
    path.display().to_string()
}

type Overrides = Map<String, Value>;
