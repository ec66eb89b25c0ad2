//! RTO and RTT over time of one association.

use crate::columns::{FateKind, RTO_COLUMNS, SampleKind, TimerKind};
use crate::frame::{Data, Sheet, TableError};
use crate::timeline::Timeline;
use crate::timeline::marks::ExchangeMark;
use base::{AssociationId, ExchangeId, Instant, Span};
use replay::{StepKind, Steps};
use rto::EstimatorState;
use std::collections::BTreeMap;
use trace::{Evidence, KnownTimers, Trace};

/// Use of the reply of one exchange by the algorithm, and the algorithm's values when the exchange began.
#[derive(Clone, Copy)]
struct EstimatorUse {
    class: SampleKind,
    rto: Option<Span>,
    strong: Option<Span>,
    weak: Option<Span>,
    /// Wait of the first copy before the air.
    wait: Option<Span>,
}

/// Returns [`RTO_COLUMNS`] of the recorded behaviour, whose algorithm is not known; of its timers those of `timers`.
/// The rows are the exchanges that begin in `window`, and one on each side of it.
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn recorded(
    trace: &Trace,
    timeline: &Timeline,
    timers: &KnownTimers,
    association: AssociationId,
    window: (Instant, Instant),
) -> Result<Sheet, TableError> {
    sheet(timeline, association, window, |mark| {
        let wait = timers.get(mark.exchange, 0).and_then(|timer| timer.wait).map(|(wait, _)| wait);
        let exchange = trace.exchanges.get(mark.exchange.index());
        let closing = exchange.and_then(|e| e.replies.iter().find(|r| r.closing)).and_then(|r| r.answers);
        let evidence = exchange
            .zip(closing)
            .and_then(|(e, copy)| e.copies.get(usize::from(copy)))
            .map_or(Evidence::Unknown, |c| c.evidence);
        let class = match (mark.copies.len(), evidence) {
            (1, _) => SampleKind::Strong,
            (_, Evidence::Unknown) => SampleKind::Unknown,
            _ => SampleKind::Weak,
        };
        EstimatorUse { class, rto: None, strong: None, weak: None, wait }
    })
}

/// Returns [`RTO_COLUMNS`] of a run's first replicate, with rows as [`recorded`] has. `marks_attempts`: packets say
/// which copy was answered.
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn of_run(
    steps: &Steps,
    timeline: &Timeline,
    association: AssociationId,
    window: (Instant, Instant),
    marks_attempts: bool,
) -> Result<Sheet, TableError> {
    let uses = uses(steps, association, marks_attempts);
    sheet(timeline, association, window, |mark| {
        let none = EstimatorUse { class: SampleKind::NotSampled, rto: None, strong: None, weak: None, wait: None };
        uses.get(&mark.exchange).copied().unwrap_or(none)
    })
}

/// Use of each exchange: the state after its first copy went out, and whether its reply changed the estimator.
fn uses(steps: &Steps, association: AssociationId, marks_attempts: bool) -> BTreeMap<ExchangeId, EstimatorUse> {
    let mut uses: BTreeMap<ExchangeId, EstimatorUse> = BTreeMap::new();
    let mut before: Option<EstimatorState> = None;
    for index in 0..steps.len() {
        if steps.association.get(index) != Some(&association) {
            continue;
        }
        let (Some(&exchange), Some(&kind), Some(&attempt)) =
            (steps.exchange.get(index), steps.kind.get(index), steps.attempt.get(index))
        else {
            continue;
        };
        let state = steps.state.get(index);
        let retransmitted = steps.attempt.get(index).is_some_and(|&a| a > 0);
        match kind {
            StepKind::Transmit if attempt == 0 => {
                let first = EstimatorUse {
                    class: SampleKind::Strong,
                    rto: steps.state.rto(index),
                    strong: steps.state.value(index, "E_strong"),
                    weak: steps.state.value(index, "E_weak"),
                    wait: None,
                };
                uses.insert(exchange, first);
            }
            StepKind::Transmit if retransmitted => {
                if let Some(t) = uses.get_mut(&exchange) {
                    t.class = SampleKind::NotSampled;
                }
            }
            StepKind::Reply => {
                let changed = state.as_ref().map(|s| &s.values) != before.as_ref().map(|s| &s.values);
                if let Some(t) = uses.get_mut(&exchange).filter(|t| t.class != SampleKind::Strong) {
                    t.class = match (changed, marks_attempts) {
                        (false, _) => SampleKind::NotSampled,
                        (true, true) => SampleKind::Exact,
                        (true, false) => SampleKind::Weak,
                    };
                }
            }
            _ => {}
        }
        before = state;
    }
    uses
}

fn sheet(
    timeline: &Timeline,
    association: AssociationId,
    (t0, t1): (Instant, Instant),
    uses: impl Fn(&ExchangeMark) -> EstimatorUse,
) -> Result<Sheet, TableError> {
    let lane = timeline.lanes.get(association.index()).map(Vec::as_slice).unwrap_or_default();
    // One exchange before and one after the window, so that lines reach its edges.
    let from = lane.partition_point(|e| e.start() < t0).saturating_sub(1);
    let until = (lane.partition_point(|e| e.start() <= t1) + 1).min(lane.len());
    let rows = lane.get(from..until).unwrap_or_default();
    let uses: Vec<EstimatorUse> = rows.iter().map(uses).collect();
    let seconds = |span: Option<Span>| span.map_or(f64::NAN, Span::secs_f64);
    let first = |e: &ExchangeMark| e.copies.first().copied();
    let timer = |e: &ExchangeMark| first(e).and_then(|c| c.timer);
    // The copy whose reply closed the exchange.
    let closing = |e: &ExchangeMark| {
        let end = e.end?;
        e.copies.iter().find(|c| c.fate == FateKind::Answered && c.rtt.is_some_and(|rtt| c.sent + rtt == end))?.rtt
    };
    let early = |e: &ExchangeMark| e.copies.len() > 1 && first(e).is_some_and(|c| c.rtt.is_some());
    Sheet::new(
        RTO_COLUMNS,
        vec![
            Data::F64(rows.iter().map(|e| e.start().nanos() as f64).collect()),
            Data::U32(rows.iter().map(|e| e.exchange.0).collect()),
            Data::F64(rows.iter().map(|e| seconds(timer(e).map(|t| t.value))).collect()),
            Data::F64(rows.iter().map(|e| seconds(timer(e).map(|t| t.error()))).collect()),
            Data::U8(rows.iter().map(|e| timer(e).map_or(TimerKind::Unknown, |t| t.kind).number()).collect()),
            Data::F64(rows.iter().map(|e| seconds(e.gap(0))).collect()),
            Data::F64(uses.iter().map(|t| seconds(t.wait)).collect()),
            Data::F64(rows.iter().map(|e| seconds(closing(e))).collect()),
            Data::F64(rows.iter().map(|e| seconds(first(e).and_then(|c| c.rtt))).collect()),
            Data::U8(uses.iter().map(|t| t.class.number()).collect()),
            Data::U8(rows.iter().map(|e| u8::from(early(e))).collect()),
            Data::U8(rows.iter().map(|e| u8::from(first(e).is_some_and(|c| c.supported))).collect()),
            Data::F64(uses.iter().map(|t| seconds(t.rto)).collect()),
            Data::F64(uses.iter().map(|t| seconds(t.strong)).collect()),
            Data::F64(uses.iter().map(|t| seconds(t.weak)).collect()),
        ],
    )
}
