//! When the application of an association sends.

use crate::exchange::{Exchange, Workload};
use base::Instant;

/// Tells arrivals from think time by whichever gaps vary less: start to start for requests that come by a clock, end to
/// start for a client that waits for its answer first.
#[derive(Default)]
pub(crate) struct Gaps {
    starts: Vec<f64>,
    thinks: Vec<f64>,
    /// Start of the exchange after this one.
    next: Option<Instant>,
}

impl Gaps {
    /// The exchange before the last one that was added, closed.
    pub fn add(&mut self, exchange: &Exchange) {
        let start = exchange.start();
        if let Some(next) = self.next.replace(start) {
            self.starts.push((next - start).secs_f64());
            self.thinks.extend(exchange.end.map(|end| (next - end).secs_f64()));
        }
    }

    /// What they say.
    pub fn workload(mut self) -> Workload {
        match (spread(&mut self.thinks), spread(&mut self.starts)) {
            (Some(think), Some(start)) if think < start => Workload::ThinkTime,
            _ => Workload::Arrivals,
        }
    }
}

/// Interquartile range, which single long gaps do not move; `None` below four values.
fn spread(values: &mut [f64]) -> Option<f64> {
    let n = values.len();
    if n < 4 {
        return None;
    }
    let mut quarter = |k: usize| *values.select_nth_unstable_by(n * k / 4, f64::total_cmp).1;
    Some(quarter(3) - quarter(1))
}
