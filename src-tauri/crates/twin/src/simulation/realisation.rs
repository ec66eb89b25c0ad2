//! Parameters of one replicate, drawn from their posteriors.

use super::draws::{Draws, Purpose};
use crate::model::{Choice, Evidence, Machine, Matrix, NodeId};
use base::{Instant, unit};

/// Effects that are certain are simulated as such: a probability nearer than this to 0 or 1 is taken to be 0 or 1. Chosen here: the
/// posterior of a pair that met ten times without an exception reaches as far.
const CERTAIN: f64 = 0.1;

/// Parameters of one replicate.
#[derive(Clone, Debug)]
pub(super) struct Realisation {
    /// Numbers of everything that happens.
    pub draws: Draws,
    /// Moment from which moments are counted.
    start: Instant,
    /// Probability that a clean frame is received.
    pub reception: Matrix<f64>,
    /// Probability that a frame spoils another one at a node.
    pub disturbance: Matrix<f64>,
    /// Probability that a frame is sensed.
    pub sensing: Matrix<f64>,
    /// Packets in all queues of a node.
    pub packets: usize,
    /// Packets in one queue.
    pub per_neighbour: usize,
    /// Neighbours with a queue.
    pub neighbours: usize,
}

impl Realisation {
    /// Parameters of `replicate` of `machine` under `seed`.
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
        Self {
            draws,
            start: machine.window.0,
            reception: matrix(&machine.reception, Purpose::Reception),
            disturbance: disturbance.map(|_, _, p: f64| snap(p)),
            sensing: matrix(&machine.sensing, Purpose::Sensing),
            packets,
            neighbours: choice(&machine.limits.neighbours, 2).max(1),
            per_neighbour: choice(&machine.limits.per_neighbour, 1).min(packets.saturating_sub(1)).max(1),
        }
    }

    /// Address of a moment: microseconds since the beginning of the capture.
    pub fn moment(&self, at: Instant) -> i64 {
        (at - self.start).nanos() / 1_000
    }
}
