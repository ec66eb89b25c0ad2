//! The formulas of the metrics, on the exchanges of a run; the same code measures the trace and every simulation.

use super::{MetricName, Values};
use crate::engine::{Ending, ExchangeRun, Tally};
use crate::model::{ExchangeRecord, FirstAnswers};
use crate::stats::select_both;
use base::Instant;

/// Sums over exchanges, from which every metric but the quantiles follows. All but the sum of waits are integers, so
/// that the order of adding associations does not matter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Counts {
    /// Number of exchanges with a copy on the air.
    pub started: u64,
    /// Number of exchanges given up.
    pub failed: u64,
    /// Number of exchanges closed by a reply.
    pub succeeded: u64,
    /// Number of requests dropped by the application.
    pub dropped: u64,
    /// Number of copies on the air.
    pub copies: u64,
    /// Number of copies whose fate was recorded.
    pub recorded: u64,
    /// Number of exchanges with a retransmission.
    pub retried: u64,
    /// Number of exchanges whose first copy is answered.
    pub first_answered: u64,
    /// Number of exchanges retransmitted although their first copy is answered.
    pub early: u64,
    /// Number of copies sent while an earlier copy of their exchange is answered anyway (needless).
    pub spurious: u64,
    /// Number of copies that reached the server.
    pub arrived: u64,
    /// Number of exchanges of which a copy reached the server.
    pub reached: u64,
    /// Sum of the payloads of successful requests, octets.
    pub payload: u64,
    /// Sum of the durations of successes, nanoseconds.
    pub duration: i128,
    /// Start of the first exchange; [`Instant::MAX`] without exchanges.
    pub first_start: Instant,
    /// Latest end of an exchange; [`Instant::MIN`] without one that ended.
    pub last_end: Instant,
    /// Counts that belong to no single exchange.
    pub tally: Tally,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            started: 0,
            failed: 0,
            succeeded: 0,
            dropped: 0,
            copies: 0,
            recorded: 0,
            retried: 0,
            first_answered: 0,
            early: 0,
            spurious: 0,
            arrived: 0,
            reached: 0,
            payload: 0,
            duration: 0,
            first_start: Instant::MAX,
            last_end: Instant::MIN,
            tally: Tally::default(),
        }
    }
}

impl Counts {
    /// Counts of one association; appends the durations of its successes (nanoseconds) to `durations`.
    pub fn of(runs: &[ExchangeRun], exchanges: &[ExchangeRecord], tally: Tally, durations: &mut Vec<i64>) -> Self {
        let mut c = Self { tally, ..Self::default() };
        for (run, exchange) in runs.iter().zip(exchanges) {
            c.add(run, exchange.payload, durations);
        }
        c
    }

    /// Adds an exchange whose request has a `payload` in octets; appends its duration (nanoseconds) to `durations` if
    /// it succeeded.
    #[inline]
    pub fn add(&mut self, run: &ExchangeRun, payload: u16, durations: &mut Vec<i64>) {
        let copies = run.on_air();
        if copies == 0 && run.copies > 0 {
            return; // No capture has it.
        }
        match run.ending {
            Ending::Unstarted => return,
            Ending::Dropped => {
                self.dropped += 1;
                return;
            }
            Ending::Open => {}
            Ending::Failed => {
                self.failed += 1;
                self.last_end = self.last_end.max(run.end);
            }
            Ending::Answered => {
                self.succeeded += 1;
                self.last_end = self.last_end.max(run.end);
                self.payload += u64::from(payload);
                let duration = (run.end - run.start).nanos();
                self.duration += i128::from(duration);
                durations.push(duration);
            }
        }
        self.started += 1;
        self.first_start = self.first_start.min(run.start);
        self.copies += u64::from(copies);
        self.recorded += u64::from(run.recorded);
        self.retried += u64::from(copies > 1);
        self.arrived += u64::from(run.arrived);
        self.reached += u64::from(run.arrived > 0);
        if let Some(answered) = run.answered {
            // Copies after the first answered one were sent while its reply was on the way: had it
            // arrived before, they would not have been sent.
            let before = run.on_air_before(answered);
            self.spurious += u64::from(copies.saturating_sub(before).saturating_sub(1));
            self.first_answered += u64::from(before == 0);
            self.early += u64::from(before == 0 && copies > 1);
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.started += other.started;
        self.failed += other.failed;
        self.succeeded += other.succeeded;
        self.dropped += other.dropped;
        self.copies += other.copies;
        self.recorded += other.recorded;
        self.retried += other.retried;
        self.first_answered += other.first_answered;
        self.early += other.early;
        self.spurious += other.spurious;
        self.arrived += other.arrived;
        self.reached += other.reached;
        self.payload += other.payload;
        self.duration += other.duration;
        self.first_start = self.first_start.min(other.first_start);
        self.last_end = self.last_end.max(other.last_end);
        self.tally.merge(&other.tally);
    }

    /// Share of copies whose fate was recorded, 0 to 1; `None` without copies.
    pub fn support(&self) -> Option<f64> {
        ratio(self.recorded, self.copies)
    }
}

/// All metrics of `c` and of the `durations` of its successes (nanoseconds), which are reordered.
pub(crate) fn measure(c: &Counts, durations: &mut [i64]) -> Values {
    let elapsed = (c.last_end > c.first_start).then(|| (c.last_end - c.first_start).secs_f64());
    let (p50, p95) = select_both(durations, 0.5, 0.95).unzip();
    let mut v = Values::default();
    v.set(MetricName::Exchanges, Some(c.started as f64));
    v.set(MetricName::Failed, Some(c.failed as f64));
    v.set(MetricName::PlrExchange, ratio(c.failed, c.started));
    v.set(MetricName::RetriesMean, ratio(c.copies - c.started, c.started));
    v.set(MetricName::RetransmissionRate, ratio(c.copies - c.started, c.copies));
    v.set(MetricName::EarlyA, ratio(c.early, c.first_answered));
    v.set(MetricName::EarlyB, ratio(c.early, c.started));
    v.set(MetricName::EarlyC, ratio(c.early, c.retried));
    v.set(MetricName::SpuriousAll, ratio(c.spurious, c.copies));
    v.set(MetricName::Throughput, elapsed.map(|s| c.succeeded as f64 / s));
    v.set(MetricName::DurationMean, (c.succeeded > 0).then(|| c.duration as f64 / 1e9 / c.succeeded as f64));
    v.set(MetricName::DurationP50, p50.map(|ns| ns / 1e9));
    v.set(MetricName::DurationP95, p95.map(|ns| ns / 1e9));
    v.set(MetricName::Goodput, elapsed.map(|s| c.payload as f64 / s));
    v.set(MetricName::Success, ratio(c.succeeded, c.started));
    v.set(MetricName::PdrPacket, ratio(c.succeeded, c.copies));
    v.set(MetricName::SendingRate, elapsed.map(|s| c.copies as f64 / s));
    v.set(MetricName::ElapsedPerRequest, elapsed.filter(|_| c.started > 0).map(|s| s / c.started as f64));
    v.set(MetricName::Overload, ratio(c.arrived - c.reached, c.reached));
    v.set(MetricName::RtoOverRtt, (c.tally.strongs > 0).then(|| c.tally.strong / c.tally.strongs as f64));
    v.set(MetricName::IdleWait, (c.tally.good + c.tally.bad > 0).then_some(c.tally.idle as f64 / 1e9));
    v.set(MetricName::T, (c.tally.good + c.tally.bad > 0).then_some(c.tally.lost as f64 / 1e9));
    v.set(MetricName::W, (c.tally.waits > 0).then(|| c.tally.waited / c.tally.waits as f64));
    v.set(MetricName::B, ratio(c.tally.bad, c.tally.bad + c.tally.good));
    v
}

/// Adds `more` than `c` counted to the metrics of a record that rest on the first answered copies.
pub(crate) fn add_first_answers(values: &mut Values, c: &Counts, more: FirstAnswers) {
    let expected = |known: u64, more: f64| known as f64 + more;
    let share = |a: f64, b: f64| (b > 0.0).then(|| a / b);
    let early = expected(c.early, more.early);
    values.set(MetricName::EarlyA, share(early, expected(c.first_answered, more.first_copies)));
    values.set(MetricName::EarlyB, share(early, c.started as f64));
    values.set(MetricName::EarlyC, share(early, c.retried as f64));
    values.set(MetricName::SpuriousAll, share(expected(c.spurious, more.needless), c.copies as f64));
}

/// `a / b`; `None` if `b` is 0.
fn ratio(a: u64, b: u64) -> Option<f64> {
    (b > 0).then(|| a as f64 / b as f64)
}
