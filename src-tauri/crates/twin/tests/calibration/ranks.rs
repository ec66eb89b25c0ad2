//! Receptions of planted networks, and their ranks within the posteriors.

use crate::build::{Dice, Tree, certain};
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF};
use twin::{Evidence, Machine, Matrix};

/// Networks.
pub const NETWORKS: u32 = 200;
/// Strengths of the prior that links have in common, as the inference assumes them: equally likely, but for those below
/// 10, under which some links would not work at all.
const STRENGTHS: [f64; 8] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 3_000.0];
/// Bins of ranks.
const BINS: usize = 20;

/// Gives the links of `machine` receptions from one beta distribution, and returns them.
pub fn plant_receptions(machine: &mut Machine, dice: &mut Dice) -> Matrix<f64> {
    let mean = 1.0 / (1.0 + (-1.0 - 2.5 * dice.unit()).exp());
    let strength = STRENGTHS[dice.between(0, STRENGTHS.len() as u32 - 1) as usize];
    let links = Beta::new(mean * strength, (1.0 - mean) * strength).unwrap();
    let is_link = machine.reception.map(|_, _, link: Evidence| link == Evidence::ALWAYS);
    let reception = is_link.map(|_, _, is: bool| if is { links.inverse_cdf(dice.unit()) } else { 0.0 });
    machine.reception = reception.map(|_, _, p: f64| certain(p));
    reception
}

/// Ranks within the posteriors, and within posteriors of twice the weight, which claim too much.
#[derive(Debug, Default)]
pub struct Ranks([[u64; BINS]; 2]);

impl Ranks {
    /// Adds those of the links of `tree`: true receptions within what was inferred.
    pub fn add(&mut self, inferred: &Machine, tree: &Tree, reception: &Matrix<f64>) {
        for (from, to, evidence) in inferred.reception.iter().filter(|(from, to, _)| tree.is_link(*from, *to)) {
            for (ranks, weight) in self.0.iter_mut().zip([1.0, 2.0]) {
                let posterior = Beta::new(evidence.successes * weight, evidence.failures * weight).unwrap();
                let rank = posterior.cdf(reception.get(from, to));
                ranks[((rank * BINS as f64) as usize).min(BINS - 1)] += 1;
            }
        }
    }

    /// Fails where the posteriors are not honest, or where ones that claim too much would not be found out.
    pub fn check(&self) {
        let [right, narrow] = &self.0;
        // A posterior that is right fails this once in a thousand choices of seeds; the seeds are fixed.
        assert!(evenness(right) > 0.001, "{right:?}: {}", evenness(right));
        assert!(evenness(narrow) < 1e-9, "too narrow posteriors are found out: {narrow:?}");
    }
}

/// Chance that ranks are as uneven as these, if they are uniform: Pearson's test.
fn evenness(ranks: &[u64; BINS]) -> f64 {
    let expected = ranks.iter().sum::<u64>() as f64 / BINS as f64;
    let chi: f64 = ranks.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    ChiSquared::new(BINS as f64 - 1.0).unwrap().sf(chi)
}
