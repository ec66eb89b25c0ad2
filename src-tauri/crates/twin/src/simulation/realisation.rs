//! Parameters of one replicate, drawn from their posteriors.

use super::draws::{Draws, Purpose};
use crate::model::{Choice, Evidence, Mac, Machine, Matrix, Mechanism, NodeId, NodeWithdrawals};
use base::{Instant, Span, unit};

/// Distance from 0 or 1 below which a probability of disturbance is taken to be 0 or 1: effects that are certain are
/// simulated as such. Chosen here: the posterior of a pair that met ten times without an exception reaches as far.
const CERTAIN: f64 = 0.1;

/// Probability below which no draw falls, but for the very least one, which comes once in 2^32: draws are whole
/// multiples of it ([`unit`]).
pub(super) const LEAST: f64 = 1.0 / 4_294_967_296.0;

/// Longest time, either way, by which withdrawals that followed no failure are moved. In a capture no exchange begins
/// inside one: its first copy was not sent, and the second one is the first that is seen. At their recorded places they
/// would hold back too few. Chosen here: twice the length of the longest, so that the load around them stays the same.
const WITHDRAWAL_SHIFT: Span = Span::from_secs(12);

/// Parameters of one replicate.
#[derive(Clone, Debug)]
pub(super) struct Realisation {
    /// Random numbers of everything that happens.
    pub draws: Draws,
    /// Moment from which moments are counted.
    start: Instant,
    /// Probability that a clean frame from a node (row) is received at another (column).
    pub reception: Matrix<f64>,
    /// Probability that a frame of a node (row) spoils a reception of another (column).
    pub disturbance: Matrix<f64>,
    /// Probability that a frame of a node (row) is sensed by another (column).
    pub sensing: Matrix<f64>,
    /// Probability that a node withdraws its route after a first (0) and after a repeated failure (1), by node; empty
    /// where none does.
    pub withdraws: Vec<[f64; 2]>,
    /// Withdrawals that followed no failure, by node: first moment, and end, excluded.
    pub withdrawn: Vec<Vec<(Instant, Instant)>>,
    /// Greatest number of packets in all queues of a node.
    pub packets: usize,
    /// Greatest number of packets in one queue.
    pub per_neighbour: usize,
    /// Greatest number of neighbours with a queue (CSMA only).
    pub neighbours: usize,
    /// Greatest number of datagrams in the reassembly of a node.
    pub reassemblies: usize,
    /// Greatest number of transmissions of a frame, the first included.
    pub max_attempts: u8,
    /// Whether the back-off of a queue outlasts a packet that is given up (TSCH).
    pub keeps_back_off: bool,
    /// Whether frames in the air wake processors (CSMA on Cooja motes).
    pub wakes: bool,
}

impl Realisation {
    /// Draws the parameters of `replicate` of `machine` under `seed`.
    pub fn draw(machine: &Machine, seed: u64, replicate: u32) -> Self {
        let draws = Draws::new(seed, replicate);
        let matrix = |of: &Matrix<Evidence>, purpose, end| {
            let mut quantiles = Quantiles::new(end);
            of.map(|from, to, evidence| quantiles.of(evidence, unit(draws.words(purpose, 0, from, to)[0])))
        };
        let choice =
            |of: &Choice, number: NodeId| of.quantile(unit(draws.words(Purpose::Limits, 0, number, 0)[0])) as usize;
        let disturbance = matrix(&machine.disturbance, Purpose::Disturbing, CERTAIN);
        let snap = |p: f64| {
            if p < CERTAIN {
                0.0
            } else if p > 1.0 - CERTAIN {
                1.0
            } else {
                p
            }
        };
        let packets = choice(&machine.limits.packets, 0);
        let withdrawals = || machine.withdrawals.nodes.iter().zip(0..);
        Self {
            draws,
            start: machine.window.0,
            reception: matrix(&machine.reception, Purpose::Reception, LEAST),
            disturbance: disturbance.map(|_, _, p: f64| snap(p)),
            sensing: matrix(&machine.sensing, Purpose::Sensing, LEAST),
            withdraws: withdrawals().map(|(of, node)| withdraws(&draws, of, node)).collect(),
            withdrawn: withdrawals().map(|(of, node)| withdrawn(&draws, machine.window.0, of, node)).collect(),
            packets,
            neighbours: choice(&machine.limits.neighbours, 2).max(1),
            per_neighbour: choice(&machine.limits.per_neighbour, 1).min(packets.saturating_sub(1)).max(1),
            reassemblies: choice(&machine.limits.reassemblies, 3).max(1),
            max_attempts: match &machine.mac {
                Mac::Tsch(tsch) => tsch.max_attempts,
                Mac::Csma(csma) => csma.max_attempts,
            },
            keeps_back_off: true,
            wakes: true,
        }
    }

    /// Switches `mechanism` off, as far as parameters and the MAC go.
    pub fn switch_off(&mut self, mechanism: Mechanism) {
        match mechanism {
            Mechanism::Limits => {
                (self.packets, self.per_neighbour, self.neighbours) = (usize::MAX, usize::MAX, usize::MAX)
            }
            Mechanism::Collisions => self.disturbance = self.disturbance.map(|_, _, _: f64| 0.0),
            Mechanism::Losses => self.reception = self.reception.map(|_, _, p: f64| if p > 0.0 { 1.0 } else { 0.0 }),
            Mechanism::Retries => self.max_attempts = 1,
            Mechanism::KeptBackoff => self.keeps_back_off = false,
            Mechanism::WakeUps => self.wakes = false,
            Mechanism::RepeatedAnswers => {}
        }
    }

    /// Returns the address of a moment for [`Draws::words`]: microseconds since the beginning of the capture.
    pub fn moment(&self, at: Instant) -> i64 {
        (at - self.start).nanos() / 1_000
    }
}

/// Probability that `node` withdraws its route after a first and after a repeated failure.
fn withdraws(draws: &Draws, of: &NodeWithdrawals, node: NodeId) -> [f64; 2] {
    let [first, repeated, ..] = draws.words(Purpose::Withdrawal, 0, node, 0);
    [of.after_failure[0].quantile(unit(first)), of.after_failure[1].quantile(unit(repeated))]
}

/// Withdrawals of `node` that followed no failure, moved at random; `start`: moment from which moments are counted.
fn withdrawn(draws: &Draws, start: Instant, of: &NodeWithdrawals, node: NodeId) -> Vec<(Instant, Instant)> {
    let moved = |&(from, until): &(Instant, Instant)| {
        let moment = (from - start).nanos() / 1_000;
        let [word, ..] = draws.words(Purpose::WithdrawalShift, moment, node, 0);
        let shift = WITHDRAWAL_SHIFT.scale(i64::from(word) - (1 << 31), 1 << 31);
        (from + shift, until + shift)
    };
    of.recorded.iter().map(moved).collect()
}

/// Quantiles of evidence as far as they matter to a simulation: nearer to 0 or 1 than some distance, all values are
/// alike.
///
/// A posterior of few meetings has nearly all of its mass at its ends, where its inverse takes long to find. The
/// cumulative probability tells sooner on which side of an end a quantile is.
struct Quantiles {
    /// Distance from 0 and 1 within which values are alike.
    end: f64,
    /// Evidence that was asked about last, and its cumulative probabilities near 0 and near 1, as far as they were
    /// needed: pairs alike stand side by side.
    last: (Evidence, [Option<f64>; 2]),
}

impl Quantiles {
    /// Distance of a cumulative probability from that of an end within which the inverse decides. Chosen here: errors
    /// of both are far smaller (`cargo test -p twin --lib realisation`).
    const MARGIN: f64 = 1e-9;

    fn new(end: f64) -> Self {
        Self { end, last: (Evidence::default(), [None; 2]) }
    }

    /// Returns the quantile at `p`, 0 to 1, or where it is nearer to 0 or 1 than `end` any value that is, too.
    fn of(&mut self, evidence: Evidence, p: f64) -> f64 {
        // With a parameter of 1 or more at both ends the density falls off towards them.
        if evidence.is_certain() || evidence.successes >= 1.0 && evidence.failures >= 1.0 {
            return evidence.quantile(p);
        }
        if self.last.0 != evidence {
            self.last = (evidence, [None; 2]);
        }
        let (end, at) = (self.end, Evidence::inside(p));
        let [near_0, near_1] = &mut self.last.1;
        let mut is_near_0 = || {
            let mass = *near_0.get_or_insert_with(|| evidence.cumulative(end).unwrap_or(0.0));
            (at < mass - Self::MARGIN).then_some(end / 2.0)
        };
        let mut is_near_1 = || {
            let mass = *near_1.get_or_insert_with(|| evidence.cumulative(1.0 - end).unwrap_or(1.0));
            (at > mass + Self::MARGIN).then_some(1.0 - end / 2.0)
        };
        // The likelier end first: mostly one look is enough.
        let near = if evidence.mean() < 0.5 { is_near_0().or_else(is_near_1) } else { is_near_1().or_else(is_near_0) };
        near.unwrap_or_else(|| evidence.quantile(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_between_the_ends_are_those_of_the_posterior() {
        /// Largest error of the inverse of a beta distribution near its ends: one draw in 10^8 falls between it and the
        /// truth.
        const ERROR: f64 = 1e-8;
        let masses = [1e-6, 4e-5, 0.003, 0.02, 0.5, 0.999, 1.0, 7.0, 300.0, f64::INFINITY, 0.0];
        for end in [LEAST, CERTAIN] {
            let (mut within, mut quantiles) = ([0, 0, 0], Quantiles::new(end));
            for (successes, failures) in masses.iter().flat_map(|&s| masses.map(|f| (s, f))) {
                let evidence = Evidence { successes, failures };
                for p in (0..=400).map(|step| f64::from(step) / 400.0) {
                    let (own, plain) = (quantiles.of(evidence, p), evidence.quantile(p));
                    let place = |value: f64| if value < end { 0 } else { 1 + usize::from(value > 1.0 - end) };
                    let alike = own == plain || place(own) == place(plain) && place(own) != 1;
                    assert!(alike || (own - plain).abs() < ERROR, "{evidence:?} at {p}: {own} for {plain}");
                    within[place(plain)] += 1;
                }
            }
            assert!(within.iter().all(|&many| many > 1_000), "{within:?}");
        }
    }
}
