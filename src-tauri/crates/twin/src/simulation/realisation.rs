//! Parameters of one replicate, drawn from their posteriors.

use super::draws::{Draws, Purpose};
use crate::model::{Choice, Evidence, Mac, Machine, Matrix, Mechanism, NodeId, NodeWithdrawals};
use base::{Instant, Span, unit};

/// Distance from 0 or 1 below which a probability of disturbance is taken to be 0 or 1: effects that are certain are
/// simulated as such. Chosen here: the posterior of a pair that met ten times without an exception reaches as far.
const CERTAIN: f64 = 0.1;

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
        let matrix = |of: &Matrix<Evidence>, purpose| {
            of.map(|from, to, evidence: Evidence| evidence.quantile(unit(draws.words(purpose, 0, from, to)[0])))
        };
        let choice =
            |of: &Choice, number: NodeId| of.quantile(unit(draws.words(Purpose::Limits, 0, number, 0)[0])) as usize;
        let disturbance = matrix(&machine.disturbance, Purpose::Disturbing);
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
            reception: matrix(&machine.reception, Purpose::Reception),
            disturbance: disturbance.map(|_, _, p: f64| snap(p)),
            sensing: matrix(&machine.sensing, Purpose::Sensing),
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
