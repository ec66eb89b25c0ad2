//! Columns that are drawn over time: density, lanes, timeouts.

use crate::view::{LanesRequest, NavigatorRequest, RtoRequest};
use crate::{Error, Session};
use table::{Sight, arrow};

/// Answers `navigator` with an Arrow stream; errs where the capture is not open.
pub(crate) fn navigator(session: &Session, request: &NavigatorRequest) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    Ok(arrow(table::navigator(&opened.trace, &opened.recorded, request.bins)?)?)
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
    let level = opened.crowding.level(&opened.recorded, t0, t1, px);
    Ok(arrow(table::lanes(behaviours, &Sight { t0, t1, px, lanes, level })?)?)
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
