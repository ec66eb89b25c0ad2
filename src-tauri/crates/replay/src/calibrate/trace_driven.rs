//! The trace-driven baseline of most studies of timers, often called naive: the recorded round trips, one after
//! another.
//!
//! Every exchange whose round trip is known has that round trip again, from its first copy on, at its recorded start;
//! the timer retransmits where it expires earlier. The baseline ignores that the recorded timer selected the round
//! trips: lost copies are left out (their exchanges appear with the round trip of the copy that got through), and
//! copies sent at other times do not meet other channel states.

use crate::channel::{Channel, Met, Sent, Support};
use crate::engine::{Client, EventQueue, NoSteps, simulate};
use crate::metrics::{Counts, Values, measure};
use crate::model::{
    AssociationRecord, ChannelSpec, CopyRecord, Dithers, ExchangeRecord, Fate, Outcome, Record, WorkloadChoice,
};
use crate::run::Replay;
use crate::scenario::{Algorithm, Error, Scenario, Setup};
use base::Instant;
use trace::OneOrMany;

/// Metrics of `algorithm` over the answered exchanges, each with its recorded round trip; dithers are drawn from
/// `seed`.
///
/// # Errors
/// [`Error::Param`] for an unknown algorithm or parameter, or a value out of range.
pub fn trace_driven(replay: &Replay, algorithm: &Algorithm, seed: u64) -> Result<Values, Error> {
    let record = Record::new(replay.record().associations().iter().map(answered).collect(), replay.record().window());
    let mut scenario = Scenario::new(algorithm.clone(), ChannelSpec::RECORDED);
    scenario.workload = WorkloadChoice::Arrivals;
    let setup = Setup::new(&record, &scenario)?;
    let mut heap = EventQueue::default();
    let mut durations = Vec::with_capacity(record.exchanges());
    let mut overall = Counts::default();
    for ((association, plan), path) in record.associations().iter().zip(&setup.plans).zip(0_u32..) {
        let dithers = Dithers::new(seed, 0, path, association.exchanges.len());
        let client = Client::new(path, association, plan, &setup.policy, setup.timers(path, association), &dithers);
        let mut client = [client];
        simulate(&mut client, &setup.policy, &mut Series(&record), &mut NoSteps, &mut heap, Instant::MAX, &mut |_| {
            Ok(())
        })?;
        let [client] = client;
        overall.merge(&Counts::of(&client.runs, &association.exchanges, client.tally, &mut durations));
    }
    Ok(measure(&overall, &mut durations))
}

/// The answered exchanges, each as one copy with its round trip.
fn answered(association: &AssociationRecord) -> AssociationRecord {
    let exchanges = association.exchanges.iter().filter_map(|e| {
        let end = e.end?;
        let closing = e.copies.iter().find(|c| c.fate.rtt().is_some_and(|rtt| c.sent + rtt == end));
        // Ambiguous replies count from the first copy, as such tools do.
        let rtt = closing.and_then(|c| c.fate.rtt()).unwrap_or_else(|| end - e.start());
        let copy = CopyRecord { sent: e.start(), fate: Fate::Answered { rtt }, proven: false };
        let (copies, end) = (OneOrMany::one(copy), Some(e.start() + rtt));
        Some(ExchangeRecord { copies, end, outcome: Outcome::Closed, ready: None, ..*e })
    });
    AssociationRecord { exchanges: exchanges.collect(), ..*association }
}

/// A channel in which the first copy of each exchange has its recorded round trip, and retransmissions are lost.
struct Series<'a>(&'a Record);

impl Channel for Series<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        let association = self.0.associations().get(sent.path as usize);
        let first = association.and_then(|a| a.exchanges.get(sent.exchange as usize)?.copies.first());
        let fate = first.filter(|_| sent.attempt == 0).map_or(Fate::Lost, |copy| copy.fate);
        Met { fate, support: Support::Sampled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::MetricName;
    use crate::model::Workload;
    use base::Silent;
    use base::{AssociationId, ExchangeId, Instant, Span};
    use serde_json::Value;

    /// Three exchanges: a round trip of 1 s; one of 2.5 s; one whose first copy was lost and whose second was answered
    /// in 0.5 s. A constant timer of 2 s (doubled) waits 2 s, then 4 s: it retransmits in the second only.
    #[test]
    fn only_timeouts_below_the_round_trip_retransmit() {
        let ms = |ms: i64| Span::from_millis(ms);
        let at = |t: i64| Instant::ZERO + ms(t);
        let copy = |t: i64, fate| CopyRecord { sent: at(t), fate, proven: true };
        let exchange = |id: u32, copies: Vec<CopyRecord>, end: i64| ExchangeRecord {
            id: ExchangeId(id),
            ready: None,
            copies: copies.into(),
            outcome: Outcome::Closed,
            end: Some(at(end)),
            payload: 0,
        };
        let after = |rtt| Fate::Answered { rtt: ms(rtt) };
        let exchanges = vec![
            exchange(0, vec![copy(0, after(1_000))], 1_000),
            exchange(1, vec![copy(10_000, after(2_500))], 12_500),
            exchange(2, vec![copy(20_000, Fate::Lost), copy(23_000, after(500))], 23_500),
        ];
        let association = AssociationRecord {
            id: AssociationId(0),
            client: 0,
            server: 1,
            workload: Workload::Arrivals,
            nstart: 1,
            error: Span::ZERO,
            queue: None,
            exchanges,
        };
        let replay = Replay::new(Record::new(vec![association], None), &mut Silent).unwrap();
        let params = serde_json::json!({ "random_factor": 1 });
        let algorithm = Algorithm::Preset { id: "coap_default".to_owned(), params };
        let values = trace_driven(&replay, &algorithm, 1).unwrap();
        assert_eq!(values.get(MetricName::RetriesMean), Some(1.0 / 3.0));
        assert_eq!(values.get(MetricName::SpuriousAll), Some(0.25));
        assert_eq!(values.get(MetricName::DurationMean), Some(4.0 / 3.0));
        assert_eq!(values.get(MetricName::PlrExchange), Some(0.0));
        let none = Algorithm::Preset { id: "no_such".to_owned(), params: Value::Null };
        assert!(trace_driven(&replay, &none, 1).is_err());
    }
}
