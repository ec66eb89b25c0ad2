//! Distribution of completion times of runs, and their effect on single clients.

use crate::runs::Stored;
use crate::view::{ClientEffect, ClientMean, CurveView, DistributionRequest, DistributionView, RunCurves, RunId};
use crate::{Error, Opened, Session};
use base::AssociationId;
use replay::{Completions, Curve, MetricName};
use std::sync::Arc;

/// Answers `distribution`; errs where the capture or a run is not open, and for a run of another capture.
pub(crate) fn distribution(session: &Session, request: &DistributionRequest) -> Result<DistributionView, Error> {
    let opened = session.capture(request.capture)?;
    let runs: Vec<(RunId, Arc<Stored>)> =
        request.runs.iter().map(|&id| Ok((id, session.run(id)?))).collect::<Result<_, Error>>()?;
    if runs.iter().any(|(_, run)| run.key.capture != request.capture) {
        return Err(Error::request("A run is not of this capture."));
    }
    let mut clients = clients(&opened, &runs);
    let all_clients = u32::try_from(clients.len()).unwrap_or(u32::MAX);
    clients.truncate(request.clients as usize);
    Ok(DistributionView {
        recorded: recorded(&runs),
        runs: runs.iter().map(|(id, run)| RunCurves { run: *id, curves: curves(run) }).collect(),
        clients,
        all_clients,
    })
}

/// Returns the recorded curve as the run with the most times has it: the times of a run are those at which a curve of
/// it changes.
fn recorded(runs: &[(RunId, Arc<Stored>)]) -> CurveView {
    let known = runs.iter().filter_map(|(_, run)| run.result.completions.as_ref());
    let widest = known.filter(|known| !known.recorded.is_empty()).max_by_key(|known| known.times.len());
    let (times, median) = widest.map(|known| (known.times.clone(), known.recorded.clone())).unwrap_or_default();
    CurveView { times, median, lo90: Vec::new(), hi90: Vec::new(), weight: 1.0 }
}

fn curves(run: &Stored) -> Vec<CurveView> {
    let Some(Completions { times, curves, .. }) = &run.result.completions else { return Vec::new() };
    let view = |curve: &Curve| CurveView {
        times: times.clone(),
        median: curve.median.clone(),
        lo90: curve.ninety.iter().map(|ninety| ninety.lo).collect(),
        hi90: curve.ninety.iter().map(|ninety| ninety.hi).collect(),
        weight: curve.weight,
    };
    curves.iter().map(view).collect()
}

/// Returns every client under every run, those whose mean completion time changes most first.
fn clients(opened: &Opened, runs: &[(RunId, Arc<Stored>)]) -> Vec<ClientEffect> {
    let mut all: Vec<ClientEffect> = (0..opened.trace.associations.len())
        .map(|at| {
            let id = AssociationId::at(at);
            let name = opened.trace.associations.get(at).map(|a| a.client_name.clone()).unwrap_or_default();
            let summaries = || {
                runs.iter().map(move |(_, run)| run.result.associations.iter().find(|a| a.id == id)).map(|found| {
                    found.map(|association| *association.get(MetricName::DurationMean)).unwrap_or_default()
                })
            };
            ClientEffect {
                association: id,
                name,
                recorded: summaries().find_map(|summary| summary.recorded),
                runs: summaries().map(|s| ClientMean { mean: s.mean, lo90: s.lo90, hi90: s.hi90 }).collect(),
            }
        })
        .filter(|client| client.recorded.is_some() || client.runs.iter().any(|run| run.mean.is_some()))
        .collect();
    let changed = |client: &ClientEffect| {
        let changes = client.runs.iter().filter_map(|run| Some((run.mean? - client.recorded?).abs()));
        changes.fold(0.0, f64::max)
    };
    all.sort_by(|a, b| changed(b).total_cmp(&changed(a)).then(a.association.cmp(&b.association)));
    all
}
