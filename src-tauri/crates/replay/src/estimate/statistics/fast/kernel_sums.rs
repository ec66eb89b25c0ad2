//! Exponential kernel by table, and its sums over neighbours.

use crate::estimate::donor::{NEIGHBOURS, SILENCE};
use crate::estimate::statistics::autocorrelation::Autocorrelation;
use crate::model::Times;

/// Table of [`Autocorrelation::at`], for the inner loop: straight lines between steps of 1/16 coherence time, less than
/// a thousandth off each; 0 beyond [`SILENCE`].
#[derive(Clone, Debug)]
pub(crate) struct DecayTable {
    /// Correlation at lag zero ([`Autocorrelation::strength`]).
    strength: f64,
    /// Shortest measured lag ([`Autocorrelation::from`]), nanoseconds: nearer copies tell as much as one that far.
    pub from: u64,
    /// Correlation at that lag.
    pub nearest: f64,
    /// Steps per nanosecond; 0 without autocorrelation.
    rate: f64,
    /// Exponential after so many steps.
    table: [f64; Self::STEPS + 1],
}

impl DecayTable {
    /// Steps of the table per coherence time. Chosen here: straight lines between them are less than a thousandth off.
    const PER_TIME: f64 = 16.0;
    /// Number of steps of the table.
    const STEPS: usize = (SILENCE * Self::PER_TIME) as usize;

    /// Table of `autocorrelation`; of no correlation where `autocorrelation` has none.
    pub fn new(autocorrelation: Autocorrelation) -> Self {
        let nanos = |span: base::Span| span.nanos().max(0) as f64;
        let is_some = autocorrelation.strength > 0.0 && nanos(autocorrelation.time) > 0.0;
        let rate = if is_some { Self::PER_TIME / nanos(autocorrelation.time) } else { 0.0 };
        let table = std::array::from_fn(|step| (-(step as f64) / Self::PER_TIME).exp());
        let from = autocorrelation.from.nanos().max(0).unsigned_abs();
        let decay = Self { strength: autocorrelation.strength, from, nearest: 0.0, rate, table };
        Self { nearest: decay.at(from), ..decay }
    }

    /// Whether there is no autocorrelation.
    pub fn is_nothing(&self) -> bool {
        self.rate == 0.0
    }

    /// Share of the correlation that is left after `nanos` nanoseconds, 0 to 1.
    fn left(&self, nanos: u64) -> f64 {
        // Signed, because a processor converts signed numbers in one step. Lags beyond their range have weight 0 in any
        // case.
        let steps = i64::try_from(nanos).unwrap_or(i64::MAX) as f64 * self.rate;
        if steps >= Self::STEPS as f64 {
            return 0.0;
        }
        // 64 bits, because a cast to 32 would add a clamp.
        let whole = steps as i64;
        match self.table.get(whole as usize..) {
            Some(&[this, next, ..]) => this + (next - this) * (steps - whole as f64),
            _ => 0.0,
        }
    }

    /// Correlation at a lag of `nanos` nanoseconds, which must be at least [`DecayTable::from`].
    pub fn at(&self, nanos: u64) -> f64 {
        self.strength * self.left(nanos)
    }
}

/// Kernel sums of one copy over its neighbours on each side, in units of its own weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Time of sending, nanoseconds since the epoch of [`base::Instant`].
    pub at: i64,
    /// Sum over this copy and those before it, [`NEIGHBOURS`] in all.
    pub before: f64,
    /// Sum over this copy and those after it, [`NEIGHBOURS`] in all.
    pub after: f64,
    /// Factor from this copy's weight to that of the next, 0 to 1; 0 for the last.
    pub step: f64,
}

/// Kernel sums of the copies of a [`SampleIndex`].
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelSums {
    /// One row per copy, in order of time; empty without autocorrelation.
    pub rows: Vec<Row>,
}

impl KernelSums {
    /// Sums for copies sent at `times`; empty without autocorrelation.
    pub fn new(times: &Times, decay: &DecayTable) -> Self {
        let times = times.nanos();
        if decay.is_nothing() || times.is_empty() {
            return Self::default();
        }
        let gaps = times.iter().zip(times.iter().skip(1)).map(|(t, next)| decay.left(next.abs_diff(*t)));
        let steps: Vec<f64> = gaps.chain([0.0]).collect();
        // Horner's scheme for all copies together, from the farthest neighbour on: the sum so far decays over one step,
        // and the next neighbour adds 1.
        let nearer = |(sum, step): (&mut f64, &f64)| *sum = 1.0 + step * *sum;
        let (mut before, mut after) = (vec![1.0; steps.len()], vec![1.0; steps.len()]);
        for reach in (1..NEIGHBOURS).rev() {
            before.get_mut(reach..).unwrap_or_default().iter_mut().zip(&steps).for_each(nearer);
            after.iter_mut().zip(steps.get(reach - 1..).unwrap_or(&[])).for_each(nearer);
        }
        let sums = before.into_iter().zip(after).zip(steps);
        let row = |(&at, ((before, after), step))| Row { at, before, after, step };
        Self { rows: times.iter().zip(sums).map(row).collect() }
    }
}
