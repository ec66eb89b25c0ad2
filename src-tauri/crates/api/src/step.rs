//! Stepping: the next event before or after a time, recorded or where two behaviours part.

use crate::view::{EventKind, RunId, StepRequest, StepView};
use crate::{Error, Session};
use base::{ExchangeId, Instant};
use std::collections::BTreeMap;
use table::columns::FateKind;
use table::{ExchangeMark, Timeline};

/// The next event of the recorded behaviour, or the next disagreement between two.
pub(crate) fn step(session: &Session, request: &StepRequest) -> Result<Option<StepView>, Error> {
    if request.kind == EventKind::Disagreement {
        let (a, b) = request.between.ok_or_else(|| Error::request("Disagreement is between two behaviours."))?;
        return of(session, request.capture, a, |a| {
            of(session, request.capture, b, |b| Ok(next(request, disagreements(a, b))))
        });
    }
    let opened = session.capture(request.capture)?;
    let recorded = opened.recorded.exchanges().flat_map(events).filter(|event| event.is(request.kind));
    Ok(next(request, recorded))
}

/// What `f` makes of the behaviour `run`, null for what was recorded.
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

fn next<'a>(request: &StepRequest, events: impl Iterator<Item = Event<'a>>) -> Option<StepView> {
    let events = events.filter(|event| if request.backwards { event.at < request.at } else { event.at > request.at });
    let found = if request.backwards { events.max_by_key(Event::order) } else { events.min_by_key(Event::order) };
    found.map(|event| StepView {
        at: event.at,
        association: event.mark.association,
        exchange: event.mark.exchange,
        copy: event.copy.and_then(|c| u32::try_from(c).ok()),
    })
}

/// Per exchange that one of `a` and `b` sends more copies of: the first that the other does not send.
fn disagreements<'a>(a: &'a Timeline, b: &'a Timeline) -> impl Iterator<Item = Event<'a>> {
    let by_id = |timeline: &'a Timeline| -> BTreeMap<ExchangeId, &'a ExchangeMark> {
        timeline.exchanges().map(|mark| (mark.exchange, mark)).collect()
    };
    let (a, b) = (by_id(a), by_id(b));
    let parted = |mine: &BTreeMap<ExchangeId, &'a ExchangeMark>, other: &BTreeMap<ExchangeId, &'a ExchangeMark>| {
        let first = |mark: &&'a ExchangeMark| {
            let shared = other.get(&mark.exchange).map_or(0, |twin| twin.copies.len());
            mark.copies.get(shared).map(|copy| Event { at: copy.sent, mark, copy: Some(shared) })
        };
        mine.values().filter_map(first).collect::<Vec<_>>()
    };
    let mut all = parted(&a, &b);
    all.extend(parted(&b, &a));
    all.into_iter()
}

struct Event<'a> {
    at: Instant,
    mark: &'a ExchangeMark,
    copy: Option<usize>,
}

impl Event<'_> {
    fn order(&self) -> (Instant, base::AssociationId, base::ExchangeId, Option<usize>) {
        (self.at, self.mark.association, self.mark.exchange, self.copy)
    }

    fn is(&self, kind: EventKind) -> bool {
        let copy = self.copy.and_then(|index| self.mark.copies.get(index).map(|copy| (index, copy)));
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
}

fn events(mark: &ExchangeMark) -> impl Iterator<Item = Event<'_>> {
    let copies = mark.copies.iter().enumerate().map(move |(index, c)| Event { at: c.sent, mark, copy: Some(index) });
    copies.chain(mark.end.map(|at| Event { at, mark, copy: None }))
}
