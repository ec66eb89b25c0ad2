//! Columns that are drawn over time: density, lanes, timeouts.

use crate::view::{HostView, LaneHostsRequest, LanesRequest, NavigatorRequest, RtoRequest, RunId};
use crate::{Error, Session};
use base::AssociationId;
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv6Addr;
use table::{Sight, Timeline, arrow};
use trace::Trace;

/// Answers `navigator` with an Arrow stream; errs where the capture is not open.
pub(crate) fn navigator(session: &Session, request: &NavigatorRequest) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    Ok(arrow(table::navigator(&opened.trace, &opened.recorded, request.bins)?)?)
}

/// Returns the associations of each host, which is named by one of them: all whose clients have the same address. A
/// host of an association that does not exist has none.
fn members(trace: &Trace, hosts: &[AssociationId]) -> Vec<BTreeSet<AssociationId>> {
    let mut by_address: BTreeMap<Ipv6Addr, BTreeSet<AssociationId>> = BTreeMap::new();
    if !hosts.is_empty() {
        for association in &trace.associations {
            by_address.entry(association.client.addr).or_default().insert(association.id);
        }
    }
    let of = |id: &AssociationId| by_address.get(&trace.associations.get(id.index())?.client.addr).cloned();
    hosts.iter().map(|id| of(id).unwrap_or_default()).collect()
}

/// Answers `lane_hosts`: for each behaviour, the completion times of each host. Errs where the capture or a run is not
/// open.
pub(crate) fn hosts(session: &Session, request: &LaneHostsRequest) -> Result<Vec<Vec<HostView>>, Error> {
    let opened = session.capture(request.capture)?;
    let members = members(&opened.trace, &request.hosts);
    let of = |timeline: &Timeline| -> Vec<HostView> {
        let host = |members: &BTreeSet<AssociationId>| {
            let (completion, completion_p95) = timeline.completion(members).unzip();
            HostView { completion, completion_p95 }
        };
        members.iter().map(host).collect()
    };
    let behaviour = |run: &Option<RunId>| match run {
        Some(run) => Ok(of(&session.run(*run)?.timeline)),
        None => Ok(of(&opened.recorded)),
    };
    request.runs.iter().map(behaviour).collect()
}

/// Answers `lanes` with an Arrow stream; errs where the capture or a run is not open.
pub(crate) fn lanes(session: &Session, request: &LanesRequest) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    let stored =
        request.runs.iter().map(|id| id.map(|id| session.run(id)).transpose()).collect::<Result<Vec<_>, Error>>()?;
    let behaviours = request.runs.iter().zip(&stored).map(|(id, run)| match (id, run) {
        (Some(id), Some(run)) => (*id, &*run.timeline),
        _ => (table::RECORDED, &opened.recorded),
    });
    let LanesRequest { t0, t1, px, .. } = *request;
    let lanes = request.lanes.as_ref().map(|lanes| lanes.iter().copied().collect());
    let hosts = members(&opened.trace, &request.hosts);
    let level = opened.crowding.level(&opened.recorded, &hosts, (t0, t1), px);
    Ok(arrow(table::lanes(behaviours, &Sight { t0, t1, px, lanes, hosts, level })?)?)
}

/// Answers `rto` with an Arrow stream; errs where the capture or the run is not open.
pub(crate) fn timeouts(session: &Session, request: &RtoRequest) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    let window = (request.t0, request.t1);
    let sheet = match request.run {
        None => table::rto::recorded(&opened.trace, &opened.recorded, &opened.timers, request.association, window)?,
        Some(id) => {
            let run = session.run(id)?;
            let marks = rto::spec(&run.key.algorithm.id).is_some_and(|spec| spec.marks_attempts);
            table::rto::of_run(&run.steps, &run.timeline, request.association, window, marks)?
        }
    };
    Ok(arrow(sheet)?)
}
