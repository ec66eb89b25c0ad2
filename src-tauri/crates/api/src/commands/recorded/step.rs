//! Stepping: the next event before or after a time, recorded or where two behaviours part.

use crate::view::{EventKind, RunId, StepRequest, StepView};
use crate::{Error, Session};
use table::columns::FateKind;
use table::{Event, ExchangeMark, Timeline};

/// Answers `step`: the next event of the recorded behaviour, or the next disagreement between two; `None` where there
/// is none. Errs where the capture or a run is not open, and for a disagreement without two behaviours.
pub(crate) fn step(session: &Session, request: &StepRequest) -> Result<Option<StepView>, Error> {
    if request.kind == EventKind::Disagreement {
        let (a, b) = request.between.ok_or_else(|| Error::request("Disagreement is between two behaviours."))?;
        return of(session, request.capture, a, |a| {
            of(session, request.capture, b, |b| Ok(disagreement(request, a, b)))
        });
    }
    let opened = session.capture(request.capture)?;
    let found = next(request, &opened.recorded, |mark| Event::of(mark).filter(|event| is(event, request.kind)));
    Ok(found.map(view))
}

/// Applies `f` to the marks of behaviour `run`; `None` is the recorded one.
fn of<T>(
    session: &Session,
    capture: crate::view::CaptureId,
    run: Option<RunId>,
    f: impl FnOnce(&Timeline) -> Result<T, Error>,
) -> Result<T, Error> {
    match run {
        Some(id) => f(&session.run(id)?.timeline),
        None => f(&session.capture(capture)?.recorded),
    }
}

/// Returns the event before or after the playhead among those that `of` picks from an exchange of `timeline`.
fn next<'a, I: Iterator<Item = Event<'a>>>(
    request: &StepRequest,
    timeline: &'a Timeline,
    of: impl Fn(&'a ExchangeMark) -> I,
) -> Option<Event<'a>> {
    if request.backwards { timeline.previous_event(request.at, of) } else { timeline.next_event(request.at, of) }
}

/// Returns the next copy that one of `a` and `b` sends and the other does not.
fn disagreement(request: &StepRequest, a: &Timeline, b: &Timeline) -> Option<StepView> {
    let mine = next(request, a, |mark| Timeline::parts_from(b, mark).into_iter());
    let theirs = next(request, b, |mark| Timeline::parts_from(a, mark).into_iter());
    let both = mine.into_iter().chain(theirs);
    let found = if request.backwards { both.max_by_key(Event::order) } else { both.min_by_key(Event::order) };
    found.map(view)
}

fn view(event: Event<'_>) -> StepView {
    StepView {
        at: event.at,
        association: event.mark.association,
        exchange: event.mark.exchange,
        copy: event.copy.and_then(|copy| u32::try_from(copy).ok()),
    }
}

fn is(event: &Event<'_>, kind: EventKind) -> bool {
    let copy = event.copy.and_then(|index| event.mark.copies.get(index).map(|copy| (index, copy)));
    match (kind, copy) {
        (EventKind::Any, _) => true,
        (EventKind::Disagreement, _) | (_, None) => false,
        (EventKind::Retransmission, Some((index, _))) => index > 0,
        (EventKind::Needless, Some((_, copy))) => copy.needless,
        (EventKind::Lost, Some((_, copy))) => {
            matches!(copy.fate, FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost)
        }
    }
}
