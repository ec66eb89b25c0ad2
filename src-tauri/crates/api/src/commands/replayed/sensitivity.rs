//! Sensitivity of a replay: the same question asked in other ways.

use crate::commands::replayed::replays::algorithms_of;
use crate::runs::{Key, check_replicates};
use crate::view::{ChannelKind, PlaceView, PresetView, ReplayRequest, SensitivityView, VariationView};
use crate::{Error, Opened, Progress, Session};
use base::Part;
use replay::sensitivity::{Change, Variation, ranking, sensitivity as vary};
use replay::{MetricName, RunResult, Scenario, Summary, WorkloadChoice};
use std::collections::BTreeMap;

/// Greatest number of replicates of a row. Chosen here: rows differ by more than the error of means over so many.
const ENOUGH: u32 = 100;
/// Least number of replicates of a row. Chosen here: with fewer the probability of being the best has steps of more
/// than a tenth.
const FEWEST: u32 = 10;
/// Exchanges times replicates of a row beyond which replicates are saved. Chosen here: a dozen rows then take about as
/// long as the answer itself, and means over so many exchanges are steady with few replicates.
const WORK: u32 = 200_000;

impl Session {
    /// Asks the question of a replay in other ways: other channels, coherence times, workloads, and without each
    /// client.
    ///
    /// # Errors
    /// As [`Session::replay`].
    pub fn sensitivity(&self, request: &ReplayRequest, progress: &mut dyn Progress) -> Result<SensitivityView, Error> {
        check_replicates(request.replicates)?;
        let opened = self.capture(request.capture)?;
        // Other channels are tried beside the one asked for, the twin among them.
        opened.prepare(ChannelKind::Auto, &mut Part::new(progress, 0, 0, 0))?;
        let algorithm_set = self.algorithm_set();
        let exchanges: usize = opened.replay.record().associations().iter().map(|a| a.exchanges.len()).sum();
        let share = WORK / u32::try_from(exchanges.max(1)).unwrap_or(u32::MAX);
        let replicates = request.replicates.min(share.clamp(FEWEST, ENOUGH));
        let scenario = |algorithm| -> Result<Scenario, Error> {
            Ok(Scenario { replicates, ..Key::new(request, &algorithm_set, algorithm)?.scenario() })
        };
        let algorithms = algorithms_of(request, &algorithm_set);
        let scenarios: Vec<Scenario> = algorithms.iter().map(scenario).collect::<Result<_, _>>()?;
        let found = vary(&opened.replay, &scenarios, progress)?;
        let asked = found.first().and_then(|v| v.answers.as_ref().ok());
        let places = |metric| {
            let places = ranking(asked.map_or(&[][..], |runs| runs), metric);
            let place = |p: &replay::sensitivity::Place| PlaceView {
                algorithm: u32::try_from(p.run).unwrap_or(u32::MAX),
                best: p.best,
                place: p.place,
            };
            (metric.name().to_owned(), places.iter().map(place).collect())
        };
        Ok(SensitivityView {
            algorithms: algorithms.clone(),
            replicates,
            variations: found.iter().map(|v| variation(&opened, v)).collect(),
            ranking: MetricName::ALL.into_iter().map(places).collect(),
        })
    }
}

fn variation(opened: &Opened, variation: &Variation) -> VariationView {
    let means = |run: &RunResult| -> BTreeMap<String, f64> {
        let one = run.metrics().filter(|(_, summary)| summary.modes.is_none());
        one.filter_map(|(name, summary)| Some((name.name().to_owned(), summary.mean?))).collect()
    };
    let modes = |run: &RunResult| -> BTreeMap<String, (f64, f64)> {
        let of = |(name, summary): (MetricName, &Summary)| {
            let [calm, collapsed] = summary.modes?;
            Some((name.name().to_owned(), (calm.mean, collapsed.mean)))
        };
        run.metrics().filter_map(of).collect()
    };
    VariationView {
        what: what(opened, variation.change),
        preset: match variation.change {
            Change::Preset { preset, most } => Some(PresetView {
                name: preset.name.to_owned(),
                value: if most { preset.range.1 } else { preset.range.0 },
                usual: preset.value,
                unit: preset.unit.to_owned(),
            }),
            _ => None,
        },
        refused: variation.answers.as_ref().err().map(ToString::to_string),
        means: variation.answers.as_ref().map_or_else(|_| Vec::new(), |runs| runs.iter().map(means).collect()),
        modes: variation.answers.as_ref().map_or_else(|_| Vec::new(), |runs| runs.iter().map(modes).collect()),
    }
}

fn what(opened: &Opened, change: Change) -> String {
    match change {
        Change::AsAsked => "as asked".to_owned(),
        Change::Channel(channel) => format!("channel {}", channel.label()),
        Change::Coherence(0.5) => "channel states last half as long".to_owned(),
        Change::Coherence(2.0) => "channel states last twice as long".to_owned(),
        Change::Coherence(factor) => format!("channel states last {factor} times as long"),
        Change::Workload(WorkloadChoice::Arrivals) => "applications send by the clock".to_owned(),
        Change::Workload(WorkloadChoice::ThinkTime) => "requests follow the end of the one before".to_owned(),
        Change::Workload(WorkloadChoice::Auto) => "applications send as detected".to_owned(),
        Change::Preset { preset, most } => {
            let value = if most { preset.range.1 } else { preset.range.0 };
            let name = preset.name.replace('-', " ").replace("back off", "back-off").replace("back offs", "back-offs");
            format!("{name} {value} {}", preset.unit).trim_end().to_owned()
        }
        Change::Without(client) => {
            let records = opened.replay.record().associations();
            let of = records.iter().find(|a| a.client == client);
            let name = of.and_then(|a| opened.trace.associations.get(a.id.index())).map(|a| &*a.client_name);
            format!("without {}", name.unwrap_or("a client"))
        }
    }
}
