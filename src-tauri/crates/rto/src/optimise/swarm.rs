//! A particle swarm (Kennedy & Eberhart 1995) with the constriction of Clerc & Kennedy 2002.

use super::{Axis, Found, Search};

/// Constriction of a velocity (Clerc & Kennedy 2002: χ).
const INERTIA: f64 = 0.729_844;
/// The pull of a particle's own best place and of the swarm's (Clerc & Kennedy 2002: χ·2.05).
const PULL: f64 = 1.496_180;

/// Size, length and seed of a swarm search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swarm {
    /// Key of the random draws; the same key gives the same search.
    pub seed: u64,
    /// Number of particles; 0 counts as 1.
    pub particles: usize,
    /// Moves of each particle. The objective is evaluated `particles · (1 + iterations)` times.
    pub iterations: usize,
}

/// Purpose of a draw; part of its key.
#[derive(Clone, Copy)]
enum Purpose {
    Place,
    Velocity,
    Own,
    Best,
}

impl Swarm {
    /// Draw, uniform on [0, 1), keyed by seed, purpose and place alone (splitmix64's finaliser, chained).
    fn draw(self, iteration: usize, particle: usize, axis: usize, purpose: Purpose) -> f64 {
        let key = [self.seed, iteration as u64, particle as u64, axis as u64, purpose as u64];
        let bits = key.iter().fold(0, |state: u64, &word| {
            let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// One particle.
struct Particle {
    at: Vec<f64>,
    velocity: Vec<f64>,
    best: Vec<f64>,
    value: f64,
}

/// Minimises `objective`, which gets one value per axis. NaN counts as worse than every number.
pub fn swarm(axes: &[Axis], swarm: Swarm, objective: impl FnMut(&[f64]) -> f64) -> Found {
    let mut search = Search::new(axes, objective);
    let mut particles: Vec<Particle> = (0..swarm.particles.max(1))
        .map(|n| {
            let at: Vec<f64> = (0..axes.len()).map(|axis| swarm.draw(0, n, axis, Purpose::Place)).collect();
            let towards = |(axis, at): (usize, &f64)| (swarm.draw(0, n, axis, Purpose::Velocity) - at) / 2.0;
            let velocity = at.iter().enumerate().map(towards).collect();
            let value = search.ask(&at);
            Particle { best: at.clone(), at, velocity, value }
        })
        .collect();
    for iteration in 1..=swarm.iterations {
        let Some(leader) = particles.iter().min_by(|a, b| a.value.total_cmp(&b.value)) else { break };
        let leader = leader.best.clone();
        for (n, particle) in particles.iter_mut().enumerate() {
            let (own, best) = (particle.best.iter(), leader.iter());
            let moving = particle.at.iter_mut().zip(&mut particle.velocity);
            for (axis, ((at, velocity), (own, best))) in moving.zip(own.zip(best)).enumerate() {
                let pull = |purpose| PULL * swarm.draw(iteration, n, axis, purpose);
                *velocity = INERTIA * *velocity + pull(Purpose::Own) * (own - *at) + pull(Purpose::Best) * (best - *at);
                *at += *velocity;
            }
            let value = search.ask(&particle.at);
            if value < particle.value {
                (particle.best, particle.value) = (particle.at.clone(), value);
            }
        }
    }
    search.found
}
