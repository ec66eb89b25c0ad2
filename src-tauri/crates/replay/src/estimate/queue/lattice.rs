//! Service time read from the lattice of arrivals: a node that is busy lets one message go each service time, so that
//! replies come to their clients whole services apart, whoever they are for. Traffic that no capture has occupies
//! points of the lattice too, and shifts none.

use crate::estimate::Estimate;
use rayon::prelude::*;
use std::f64::consts::TAU;

/// Least number of gaps that make a lattice. Chosen here: the concentration of as many random phases is below 0.3 in
/// all of [`Lattice::TRIED`] (Rayleigh's test: p = exp(-n R²)).
const GAPS: usize = 100;
/// Greatest number of gaps that are looked at, spread evenly over the capture. Chosen here for speed.
const MOST_GAPS: usize = 2_000;
/// Longest gap in services. Chosen here: the phase of a longer one is lost by small errors of the service time.
const LONGEST: f64 = 8.0;
/// Least concentration of phases, up to 1. Chosen here: half of the services may be a twentieth off (concentration of a
/// normal phase error with a standard deviation of .07 turns: exp(-2 (.07 π)²) = .91).
const CONCENTRATION: f64 = 0.9;
/// Step of the logarithm of the service time. Chosen here: over [`LONGEST`] services the phase moves by a 60th of a
/// turn.
const STEP: f64 = 0.002;
/// Shortest service time that is looked for, as a share of the longest. Chosen here: that of the other search (`SPAN`
/// in `fit.rs`).
const SHORTEST: f64 = 1.0 / 200.0;

/// Lattice of arrivals behind a busy node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Lattice {
    /// Time from one point to the next, in seconds.
    pub spacing: Estimate,
    /// Component of the mean phase vector towards whole multiples, up to 1, where all gaps are exact multiples.
    pub concentration: f64,
}

impl Lattice {
    /// Number of service times tried, ln(200) / [`STEP`].
    #[cfg(test)]
    const TRIED: usize = 2_650;

    /// Service times that make this lattice, seconds: the spacing, and half of it. Where requests and replies alternate
    /// at a shared node, replies are two services apart.
    pub fn services(&self) -> [f64; 2] {
        [self.spacing.value, self.spacing.value / 2.0]
    }
}

/// Finds the lattice of `arrivals` (seconds, in order of time) with the greatest spacing up to `longest` seconds;
/// `None` where gaps are not whole multiples of any.
pub(super) fn read(arrivals: &[f64], longest: f64) -> Option<Lattice> {
    let gaps: Vec<f64> = arrivals.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)).collect();
    let every = gaps.len().div_ceil(MOST_GAPS).max(1);
    let gaps: Vec<f64> = gaps.into_iter().step_by(every).filter(|&gap| gap > 0.0).collect();
    let steps = ((1.0 / SHORTEST).ln() / STEP) as i32;
    let spacings: Vec<f64> = (0..=steps).map(|i| longest * (-f64::from(i) * STEP).exp()).collect();
    let concentrations: Vec<f64> = spacings.par_iter().map(|&spacing| concentration(&gaps, spacing)).collect();
    let first = concentrations.iter().position(|&own| own >= CONCENTRATION)?;
    // To the peak that begins here, towards shorter spacings.
    let mut peak = first;
    while concentrations.get(peak + 1).is_some_and(|next| concentrations.get(peak).is_some_and(|own| next > own)) {
        peak += 1;
    }
    let spacing = refined(&gaps, *spacings.get(peak)?)?;
    Some(Lattice { spacing, concentration: concentration(&gaps, spacing.value) })
}

/// Component of the mean phase vector of `gaps` towards whole multiples of `spacing`, of gaps that are short enough
/// (Mardia & Jupp, *Directional Statistics*, 2000, §2.3); 0 where they are few. A gap of less than half a spacing is
/// none of its multiples, and adds nothing.
fn concentration(gaps: &[f64], spacing: f64) -> f64 {
    let (mut sum, mut n) = (0.0, 0_usize);
    for gap in gaps.iter().filter(|&&gap| gap < LONGEST * spacing) {
        let towards = if *gap < spacing / 2.0 { 0.0 } else { (TAU * gap / spacing).cos() };
        (sum, n) = (sum + towards, n + 1);
    }
    // Most gaps take part, or the rest would have to be explained by something else.
    if n < GAPS || n * 2 < gaps.len() { 0.0 } else { sum / n as f64 }
}

/// Least squares of gaps on the whole numbers of services that they are: spacing and its standard error, seconds.
fn refined(gaps: &[f64], spacing: f64) -> Option<Estimate> {
    let short =
        || gaps.iter().filter(move |&&gap| gap < LONGEST * spacing).map(move |&gap| (gap, (gap / spacing).round()));
    let (sum, squares, n) =
        short().fold((0.0, 0.0, 0.0), |(sum, squares, n), (gap, k)| (sum + gap * k, squares + k * k, n + 1.0));
    let value = (squares > 0.0).then(|| sum / squares)?;
    let rest: f64 = short().map(|(gap, k)| (gap - k * value).powi(2)).sum();
    Some(Estimate { value, error: (rest / (n - 1.0) / squares).sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Purpose, RandomStream, unit};

    fn uniform(seed: u64) -> impl FnMut() -> f64 {
        let mut stream = RandomStream::new(seed, 0, 0, Purpose::Bootstrap);
        let mut at = 0;
        move || {
            at += 1;
            unit(stream.block(at)[0])
        }
    }

    /// Arrivals from a node that is always busy: some places go to requests and to others' traffic. `jitter`: seconds,
    /// at most.
    fn busy(seed: u64, spacing: f64, jitter: f64) -> Vec<f64> {
        let mut draw = uniform(seed);
        let mut all: Vec<f64> = (0..1_200)
            .filter_map(|place| {
                let own = draw() < 0.4;
                own.then(|| 10.0 + f64::from(place) * spacing + draw() * jitter)
            })
            .collect();
        all.sort_by(f64::total_cmp);
        all
    }

    #[test]
    fn a_busy_node_shows_its_service_time() {
        for (seed, spacing) in [(1, 0.0833), (2, 0.05), (3, 0.0121)] {
            let read = read(&busy(seed, spacing, 0.002_f64.min(spacing / 10.0)), 0.7).unwrap();
            assert!((read.spacing.value - spacing).abs() <= 4.0 * read.spacing.error.max(1e-6), "{read:?} {spacing}");
            assert!(read.concentration > 0.95, "{read:?}");
        }
    }

    #[test]
    fn alternating_messages_leave_half_the_spacing_open() {
        let arrivals: Vec<f64> = (0..400).map(|n| f64::from(n) * 0.1).collect();
        let [whole, half] = read(&arrivals, 0.7).unwrap().services();
        // Every gap is one place: a longer spacing does not explain it.
        assert!((whole - 0.1).abs() < 1e-9 && (half - 0.05).abs() < 1e-9, "{whole} {half}");
    }

    /// No lattice in arrivals at random, nor where the jitter is as large as a service.
    #[test]
    fn random_arrivals_are_no_lattice() {
        for seed in 0..40 {
            let mut draw = uniform(seed);
            let mut at = 0.0;
            let random: Vec<f64> = (0..600)
                .map(|_| {
                    at -= 0.15 * (1.0 - draw()).ln();
                    at
                })
                .collect();
            assert_eq!(read(&random, 0.7), None, "{seed}");
            assert_eq!(read(&busy(seed, 0.05, 0.05), 0.7), None, "{seed}");
        }
        assert_eq!(((1.0 / SHORTEST).ln() / STEP) as usize + 1, Lattice::TRIED);
    }
}
