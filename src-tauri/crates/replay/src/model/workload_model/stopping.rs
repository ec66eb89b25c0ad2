//! Clients that stop before the end of a record.

use crate::model::{AssociationRecord, ExchangeRecord};
use base::{Instant, Span};

/// Number of longest pauses of a client after which it has stopped. Chosen here: gaps of a Poisson process reach as far
/// as three times the longest of fifty in one run of twenty thousand.
const STOPPED: i64 = 3;

/// Moment after the last request of a client that stopped: [`STOPPED`] times its longest pause before `until`. `None`
/// where it did not stop, and for a client with a single request, of which that is not known.
pub(super) fn stops(association: &AssociationRecord, until: Instant) -> Option<Instant> {
    let exchanges = &association.exchanges;
    let pause = |pair: &[ExchangeRecord]| match pair {
        [before, after] => after.start() - before.start(),
        _ => Span::ZERO,
    };
    let longest = exchanges.windows(2).map(pause).max()?;
    let last = exchanges.last()?;
    let busy = last.end.unwrap_or(last.start()).max(last.start());
    (busy + longest.scale(STOPPED, 1) < until).then(|| last.start() + Span::from_micros(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CopyRecord, Fate, Outcome, Workload};
    use base::{AssociationId, ExchangeId};

    #[test]
    fn a_client_that_was_silent_for_long_has_stopped() {
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        let exchange = |secs: i64| {
            let rtt = Span::from_secs(1);
            let copy = CopyRecord { sent: at(secs), fate: Fate::Answered { rtt }, proven: true };
            let end = Some(at(secs + 1));
            let (id, outcome) = (ExchangeId(secs as u32), Outcome::Closed);
            ExchangeRecord { id, ready: None, copies: vec![copy].into(), outcome, end, payload: 1 }
        };
        let exchanges: Vec<ExchangeRecord> = [0, 10, 25, 35].map(exchange).into();
        let (id, workload) = (AssociationId(0), Workload::Arrivals);
        let association = AssociationRecord {
            id,
            client: 1,
            server: 0,
            workload,
            nstart: 1,
            error: Span::ZERO,
            queue: None,
            exchanges,
        };
        assert_eq!(stops(&association, at(82)), Some(at(35) + Span::from_micros(1)));
        assert_eq!(stops(&association, at(81)), None, "its longest pause is 15 s");
        let single = AssociationRecord { exchanges: vec![exchange(0)], ..association };
        assert_eq!(stops(&single, at(10_000)), None);
    }
}
