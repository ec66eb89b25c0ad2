//! Clients with several exchanges open at once (NSTART above 1, RFC 7252 §4.7).

use crate::model::{AssociationRecord, ExchangeRecord, Trigger, WorkloadChoice, WorkloadPlan};
use base::{Instant, Span};

/// Least number of requests that began beside others, and the share of all as one in so many, for the client to count
/// as one that has so many open. Chosen here: where ends are not known exactly, single requests seem to begin before
/// them (`cargo test --release -p replay --test planted_traffic`).
const FEWEST: (usize, usize) = (3, 50);

/// Moment at which an exchange gave its place to others, and its position in the association.
type Freed = (Instant, usize);

/// Exchanges of one association side by side.
pub(super) struct SideBySide {
    /// Number of exchanges that its client has open at once, at least 1.
    pub limit: usize,
    /// For each exchange the last end before it of one that had held the last place; `None` where a place was always
    /// free.
    freed: Vec<Option<Freed>>,
}

impl SideBySide {
    /// Counts the open exchanges of `association`. An end may have come sooner than it seems, by `late` at most: where
    /// the acknowledgement of a reply's last frame is lost, the capture shows the frame arrive when it is sent again.
    /// So an exchange counts as over that much before its end, or from the middle of its time on.
    pub fn of(association: &AssociationRecord, late: Span) -> Self {
        let exchanges = &association.exchanges;
        // Ends before starts at the same instant: a request that waited starts when a place is free.
        let mut edges: Vec<(Instant, bool, usize)> = Vec::with_capacity(2 * exchanges.len());
        let mut ends = Vec::with_capacity(exchanges.len());
        for (i, exchange) in exchanges.iter().enumerate() {
            let start = exchange.start();
            // The wait after a last copy leaves no trace.
            let end = exchange.end.unwrap_or_else(|| exchange.last_sent()).max(start);
            ends.push(end);
            edges.push((start, true, i));
            edges.push((end - late.min((end - start).scale(1, 2)), false, i));
        }
        edges.sort_unstable();
        let mut beside: Vec<usize> = vec![0; exchanges.len() + 1];
        let mut open = 0_usize;
        for &(_, starts, _) in &edges {
            if starts {
                if let Some(count) = beside.get_mut(open) {
                    *count += 1;
                }
                open += 1;
            } else {
                open = open.saturating_sub(1);
            }
        }
        let mut begun = 0;
        let many_begun = |&(_, count): &(usize, &usize)| {
            begun += count;
            begun >= FEWEST.0 && begun * FEWEST.1 >= exchanges.len()
        };
        let limit = beside.iter().enumerate().rev().find(many_begun).map_or(1, |(others, _)| others + 1);
        let mut freed = vec![None; exchanges.len()];
        let (mut open, mut last) = (0_usize, None);
        for (at, starts, i) in edges {
            if starts {
                if let Some(own) = freed.get_mut(i) {
                    // One more than ever: where it waited does not show.
                    *own = if open >= limit { Some((at, i)) } else { last };
                }
                open += 1;
            } else {
                if open == limit {
                    last = ends.get(i).map(|&end| (end, i));
                }
                open = open.saturating_sub(1);
            }
        }
        Self { limit, freed }
    }

    /// Returns for each of `exchanges` whether its request found a place that had been free for longer than `after`, so
    /// that it did not wait.
    pub fn are_idle(&self, exchanges: &[ExchangeRecord], after: Span) -> Vec<bool> {
        let is_idle = |(exchange, freed): (&ExchangeRecord, &Option<Freed>)| {
            let is_free = freed.is_none_or(|(at, by)| {
                exchange.start() - at > after && exchanges.get(by).is_some_and(|before| before.copies.len() == 1)
            });
            is_free && exchange.ready.is_none()
        };
        exchanges.iter().zip(&self.freed).map(is_idle).collect()
    }

    /// Returns the times from an end to the start that follows it in the same loop, of loops side by side.
    pub fn thinks(association: &AssociationRecord) -> Vec<Span> {
        let plan = WorkloadPlan::new(association, WorkloadChoice::ThinkTime, false);
        let gap = |trigger: &Trigger| match trigger {
            Trigger::After(gap) => Some(*gap),
            Trigger::At(_) => None,
        };
        plan.triggers.iter().filter_map(gap).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CopyRecord, Fate, Outcome, Workload};
    use base::{AssociationId, ExchangeId};

    const LATE: Span = Span::from_millis(410);

    /// Exchanges from the first number to the second one, milliseconds.
    fn association(exchanges: &[(i64, i64)]) -> AssociationRecord {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let exchange = |(id, &(from, until)): (u32, &(i64, i64))| {
            let fate = Fate::Answered { rtt: Span::from_millis(until - from) };
            let copies = vec![CopyRecord { sent: at(from), fate, proven: true }].into();
            let (id, end, outcome) = (ExchangeId(id), Some(at(until)), Outcome::Closed);
            ExchangeRecord { id, ready: None, copies, outcome, end, payload: 0 }
        };
        AssociationRecord {
            id: AssociationId(0),
            client: 0,
            server: 1,
            workload: Workload::Arrivals,
            nstart: 1,
            error: Span::ZERO,
            queue: None,
            exchanges: (0..).zip(exchanges).map(exchange).collect(),
        }
    }

    #[test]
    fn a_request_waits_only_while_all_places_are_taken() {
        // Two places: the third and the fourth begin beside another one, the fifth when one becomes free, the last two
        // long after.
        let times =
            [(0, 900), (100, 1_000), (2_000, 2_900), (2_100, 3_000), (2_901, 3_800), (5_000, 5_900), (5_400, 5_500)];
        let association = association(&times);
        let side_by_side = SideBySide::of(&association, LATE);
        assert_eq!(side_by_side.limit, 2);
        let idle = side_by_side.are_idle(&association.exchanges, Span::from_millis(400));
        assert_eq!(idle, [true, true, true, true, false, true, true]);
    }

    #[test]
    fn ends_that_seem_late_open_no_place() {
        let times = [(0, 900), (1_000, 2_300), (2_000, 2_900), (3_000, 4_300), (4_000, 5_200), (5_000, 5_900)];
        assert_eq!(SideBySide::of(&association(&times), LATE).limit, 1);
        assert_eq!(SideBySide::of(&association(&times), Span::ZERO).limit, 2, "as they stand");
    }

    #[test]
    fn loops_side_by_side_think_by_themselves() {
        let times = [(0, 1_000), (500, 1_500), (1_010, 2_000), (1_530, 2_500), (2_010, 3_000)];
        let association = association(&times);
        assert_eq!(SideBySide::of(&association, LATE).limit, 2);
        let thinks = SideBySide::thinks(&association);
        assert_eq!(thinks, [10, 30, 10].map(Span::from_millis));
    }
}
