//! RTO and RTT over time of one association.

use crate::columns::{FateKind, RTO_COLUMNS, SampleKind};
use crate::frame::{Data, Sheet, TableError};
use crate::timeline::Timeline;
use crate::timeline::marks::ExchangeMark;
use base::{AssociationId, ExchangeId, Instant, Span};
use replay::{StepKind, Steps};
use rto::EstimatorState;
use std::collections::BTreeMap;
use trace::{Evidence, Trace};

/// Use of the reply of one exchange by the algorithm, and the algorithm's state when the exchange began.
struct EstimatorUse {
    class: SampleKind,
    rto: Option<Span>,
    strong: Option<Span>,
    weak: Option<Span>,
}

/// Recorded behaviour: timers are the gaps between copies, the algorithm is not known.
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn recorded(
    trace: &Trace,
    timeline: &Timeline,
    association: AssociationId,
    window: (Instant, Instant),
) -> Result<Sheet, TableError> {
    sheet(timeline, association, window, |mark| {
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
        EstimatorUse { class, rto: None, strong: None, weak: None }
    })
}

/// A run's first replicate. `marks_attempts`: packets mark which copy was answered.
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
        let none = EstimatorUse { class: SampleKind::NotSampled, rto: None, strong: None, weak: None };
        uses.get(&mark.exchange).map_or(none, |t| EstimatorUse {
            class: t.class,
            rto: t.rto,
            strong: t.strong,
            weak: t.weak,
        })
    })
}

/// Per exchange: the state after its first copy went out, and whether its reply changed the estimator.
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
            Data::F64(rows.iter().map(|e| seconds(first(e).and_then(|c| c.timer))).collect()),
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
