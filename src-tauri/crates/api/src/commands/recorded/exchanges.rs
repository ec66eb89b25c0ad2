//! Pages of the exchange table, single exchanges, and states of estimators.

use crate::opened;
use crate::view::{
    CopyView, CountView, ExchangeRequest, ExchangeRowRequest, ExchangeSide, ExchangeView, ExchangesRequest, RunId,
    StateLine, StateRequest,
};
use crate::{Error, Session};
use base::Span;
use rto::{AlgorithmSpec, EstimatorState, Unit};
use table::columns::OutcomeKind;
use table::{ExchangeMark, PageQuery, arrow};
use trace::{Evidence, KnownTimers};

fn query(request: &ExchangesRequest) -> PageQuery {
    PageQuery {
        window: request.window,
        association: request.association,
        retransmitted: request.retransmitted,
        sort: request.sort.clone(),
        descending: request.descending,
        offset: request.offset as usize,
        limit: request.limit as usize,
    }
}

/// Answers `exchanges` with an Arrow stream; errs where the capture is not open, and for an unknown column.
pub(crate) fn page(session: &Session, request: &ExchangesRequest) -> Result<Vec<u8>, Error> {
    let opened = session.capture(request.capture)?;
    Ok(arrow(table::page(&opened.trace, &opened.recorded, &query(request))?)?)
}

/// Answers `exchange_count`; errs where the capture is not open.
pub(crate) fn count(session: &Session, request: &ExchangesRequest) -> Result<CountView, Error> {
    let opened = session.capture(request.capture)?;
    let count = table::count(&opened.recorded, &query(request));
    Ok(CountView { count: u32::try_from(count).unwrap_or(u32::MAX) })
}

/// Answers `exchange_row`: position from 0; errs where the capture is not open, and for an unknown column.
pub(crate) fn row(session: &Session, request: &ExchangeRowRequest) -> Result<Option<u32>, Error> {
    let opened = session.capture(request.list.capture)?;
    let row = table::row_of(&opened.trace, &opened.recorded, &query(&request.list), request.exchange)?;
    Ok(row.and_then(|row| u32::try_from(row).ok()))
}

/// Answers `exchange`; errs where the capture, the exchange or a run is not open.
pub(crate) fn exchange(session: &Session, request: &ExchangeRequest) -> Result<ExchangeView, Error> {
    let opened = session.capture(request.capture)?;
    let gone = || Error::gone(format!("Exchange {}", request.exchange));
    let exchange = opened.trace.exchanges.get(request.exchange.index()).ok_or_else(gone)?;
    let association = exchange.association;
    let mark = opened.recorded.find(association, exchange.id).ok_or_else(gone)?;
    let timers = &opened.timers;
    let mut sides = vec![side(None, mark, timers, |index| recorded_evidence(exchange, index))];
    for &id in &request.runs {
        let run = session.run(id)?;
        let modelled = |supported: bool| if supported { "recorded" } else { "modelled" };
        sides.push(match run.timeline.find(association, exchange.id) {
            Some(mark) => {
                let evidence = |index: usize| modelled(mark.copies.get(index).is_some_and(|c| c.supported)).to_owned();
                side(Some(id), mark, timers, evidence)
            }
            // The application did not send it in this run.
            None => ExchangeSide { run: Some(id), copies: Vec::new(), end: None, outcome: OutcomeKind::Open },
        });
    }
    let (ready, handed_over) = opened::moments(&opened.trace, timers, exchange);
    Ok(ExchangeView {
        exchange: exchange.id,
        association,
        mid: exchange.mid,
        token: exchange.token.to_string(),
        code: exchange.code.to_string(),
        head: exchange.head,
        ready,
        handed_over,
        related: opened::related(&opened.trace, exchange.id),
        sides,
    })
}

fn recorded_evidence(exchange: &trace::Exchange, index: usize) -> String {
    match exchange.copies.get(index).map(|c| c.evidence) {
        Some(Evidence::Proven) => "proven",
        Some(Evidence::Inferred) => "inferred",
        Some(Evidence::Unknown) | None => "unknown",
    }
    .to_owned()
}

fn side(
    run: Option<RunId>,
    mark: &ExchangeMark,
    timers: &KnownTimers,
    evidence: impl Fn(usize) -> String,
) -> ExchangeSide {
    let copies = mark.copies.iter().enumerate().map(|(index, copy)| CopyView {
        sent: copy.sent,
        arrived: copy.arrived,
        timer: opened::timer_view(copy.timer),
        gap: mark.gap(index),
        wait: run.is_none().then(|| opened::wait_view(timers, mark.exchange, index)).flatten(),
        fate: copy.fate,
        rtt: copy.rtt,
        needless: copy.needless,
        evidence: evidence(index),
    });
    ExchangeSide { run, copies: copies.collect(), end: mark.end, outcome: mark.outcome }
}

/// Answers `state`: the estimator's state after the last step of the association at or before the time. Empty for a
/// client that stays as recorded, and before the first copy of a warm replay. Errs where the run is not open.
pub(crate) fn state(session: &Session, request: &StateRequest) -> Result<Vec<StateLine>, Error> {
    let run = session.run(request.run)?;
    if run.key.part.as_recorded.contains(&request.association) {
        return Ok(Vec::new());
    }
    let steps = &run.steps;
    let own = steps.of(request.association);
    let until = own.start + steps.at.get(own.clone()).unwrap_or_default().partition_point(|&at| at <= request.at);
    let last = (own.start..until).rev().find_map(|i| steps.state.get(i));
    let spec = rto::spec(&run.key.algorithm.id);
    let algorithm = &run.key.algorithm;
    match last {
        Some(state) => Ok(lines(&state, spec)),
        // The state that was learned before the replay is recorded with the first copy.
        None if run.key.part.start.is_some_and(|start| start.warm) => Ok(Vec::new()),
        // Before its first exchange the estimator is in its initial state.
        None => {
            let params = serde_json::Value::Object(algorithm.params.clone());
            let fresh = rto::build(&algorithm.id, &params).map_err(Error::request)?;
            Ok(lines(&fresh.state(request.at), spec))
        }
    }
}

fn lines(state: &EstimatorState, spec: Option<&AlgorithmSpec>) -> Vec<StateLine> {
    let line = |label: &str, value: Option<Span>, unit: &str| StateLine {
        label: label.to_owned(),
        value: value.map(Span::secs_f64),
        unit: unit.to_owned(),
        text: None,
    };
    let mut lines = vec![line("next RTO", Some(state.rto), "s")];
    for (name, value) in &state.values {
        let known = spec.and_then(|s| s.state.iter().find(|v| v.name == *name));
        if *name == "rto" {
            continue;
        }
        let unit = if known.is_none_or(|v| matches!(v.unit, Unit::Seconds)) { "s" } else { "" };
        lines.push(line(known.map_or(name, |v| v.label), *value, unit));
    }
    if !state.mode.is_empty() {
        let text = Some(state.mode.to_owned());
        lines.push(StateLine { label: "mode".to_owned(), value: None, unit: String::new(), text });
    }
    lines
}
