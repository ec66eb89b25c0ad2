//! Posterior draws of the parameters, so that replicates scatter by what a short trace leaves unknown.
//!
//! A random walk by Metropolis et al. (J. Chem. Phys. 21, 1953) over the four numbers of [`super::curvature`]. Its
//! proposal adapts to the places visited (Haario, Saksman & Tamminen, Bernoulli 7, 2001); its draws are keyed. The
//! share of the bad state and the loss probabilities have the least informative prior, Beta(½, ½). Coherence times
//! within [`Bounds`] weigh by the information that copies at these lags carry about them (Jeffreys, Proc. R. Soc. A
//! 186, 1946). A uniform prior would outweigh a few sojourns: it draws shares towards a half, and both states towards
//! each other. A prior flat in orders of magnitude would favour the many coherence times that are too short to be seen.
//! Either way the channel would seem less autocorrelated than it is.

#![allow(clippy::needless_range_loop, reason = "matrices are written as formulae write them")]

use super::curvature::{Bounds, Point, point, to_model};
use super::fit::ordered;
use super::forward::log_likelihood;
use super::{Delay, Fit, GilbertElliott};
use crate::estimate::observation::Observed;
use crate::model::{RandomStream, normals, unit};
use base::{Cancelled, SharedProgress};

/// Number of posterior draws; replicates take them in turn. Chosen here: three of 64 lie beyond either end of a 90 %
/// interval (5 %). With half as many, one or two would say where it ends; each further one takes [`THIN`] likelihoods
/// of all copies.
const DRAWS: usize = 64;
/// Steps between two draws. Chosen here: a random walk of the best step length in d dimensions makes 0.331 / d
/// independent draws a step (Gelman, Roberts & Gilks, Bayesian Statistics 5, 1996), one in 12 steps for d = 4; the
/// rest is for posteriors that are not normal.
const THIN: usize = 40;
/// Steps before the first draw, in which the proposal adapts: sixteen adaptations. Chosen here by judgement: no
/// experiment decides it; the proposal stays as it is then, so fewer may leave it too wide or too narrow, and draws
/// alike. `cargo test -p replay --release --test gilbert_elliott` holds that planted channels are found.
const WARM: usize = 1_600;
/// Steps between two adaptations of the proposal. Chosen here by judgement: no experiment decides it; fewer see too
/// few places for a covariance of four parameters, more leave fewer adaptations in [`WARM`] steps.
const LOOK: usize = 100;

/// Number of passes of [`possible`].
pub(super) const PASSES: u64 = ((WARM + DRAWS * THIN) as u64).div_ceil(LOOK as u64);

/// Posterior draws of channels given the copies of `paths`, from their most likely `fit` on; none without copies.
/// Random numbers are those of `stream`. Passes `progress` [`PASSES`] times, and asks it before every step; errs when
/// cancelled.
pub(crate) fn possible(
    fit: &Fit,
    paths: &[Vec<Observed>],
    stream: &mut RandomStream,
    progress: &SharedProgress<'_>,
) -> Result<Vec<GilbertElliott>, Cancelled> {
    if fit.copies == 0 {
        return Ok(Vec::new());
    }
    let bounds = Bounds::of(paths);
    // Without a fitted second state the walk starts in the middle of the bounds.
    let (low, high) = bounds.coherence();
    let middle = GilbertElliott { bad: 0.3, coherence: (low * high).sqrt(), ..fit.model };
    let start = fit.two.unwrap_or(middle);
    posterior(point(&start), start.delay, &bounds, paths, (stream, progress))
}

/// [`DRAWS`] posterior draws given the copies of `paths`, from `start` on.
fn posterior(
    start: Point,
    delay: Delay,
    bounds: &Bounds,
    paths: &[Vec<Observed>],
    (stream, progress): (&mut RandomStream, &SharedProgress<'_>),
) -> Result<Vec<GilbertElliott>, Cancelled> {
    let lags = Lags::of(paths);
    let density = |at: &Point| {
        let w = to_model(at, delay);
        // Log-density under Beta(½, ½) of the logit of a probability.
        let prior = |p: f64| 0.5 * (p * (1.0 - p)).ln();
        log_likelihood(&w, paths) + prior(w.bad) + prior(w.loss_good) + prior(w.loss_bad) + lags.telling(w.coherence)
    };
    let mut at = bounds.clamp(start);
    let mut here = density(&at);
    let mut shape = Shape::new();
    let mut draws = Vec::with_capacity(DRAWS);
    for step in 0..WARM + DRAWS * THIN {
        if step.is_multiple_of(LOOK) {
            progress.pass()?;
        }
        progress.ask()?;
        let words = *stream.block(step as u64);
        let there = shape.step(&at, std::array::from_fn(|i| normals([words[2 * i], words[2 * i + 1]])[0]));
        if bounds.holds(&there) {
            let value = density(&there);
            if unit(words[8]).max(f64::MIN_POSITIVE).ln() < value - here {
                (at, here) = (there, value);
            }
        }
        if step < WARM {
            shape.visit(&at);
            if step % LOOK == LOOK - 1 {
                shape.learn();
            }
        } else if (step - WARM) % THIN == THIN - 1 {
            draws.push(ordered(to_model(&at, delay)));
        }
    }
    Ok(draws)
}

/// Sample of the lags between consecutive copies, seconds.
#[derive(Debug)]
struct Lags(Vec<f64>);

impl Lags {
    /// Largest number of lags in the sample. Chosen here by judgement, for speed.
    const POINTS: usize = 32;
    /// Least mean square in the prior, added to that of the lags, so that no coherence time is excluded. Chosen here
    /// by judgement: no experiment decides it. The mean square is at most e⁻² = 0.135, so the prior density is
    /// nowhere less than a twelfth of its greatest value; this decides where coherence times are far from all lags.
    const FLOOR: f64 = 1e-3;

    fn of(paths: &[Vec<Observed>]) -> Self {
        let mut lags: Vec<f64> = paths.iter().flat_map(|p| p.iter().skip(1).map(|c| c.gap)).collect();
        lags.sort_unstable_by(f64::total_cmp);
        let stride = lags.len().div_ceil(Self::POINTS).max(1);
        Self(lags.iter().skip(stride / 2).step_by(stride).copied().collect())
    }

    /// Logarithm of the prior density of the logarithm of a coherence time: half that of the mean square by which it
    /// moves what is left of a state, e^(−lag / coherence).
    fn telling(&self, coherence: f64) -> f64 {
        let slope = |lag: &f64| (lag / coherence * (-lag / coherence).exp()).powi(2);
        0.5 * (self.0.iter().map(slope).sum::<f64>() / self.0.len().max(1) as f64 + Self::FLOOR).ln()
    }
}

/// Proposal of the random walk: directions and lengths of steps.
#[derive(Debug)]
struct Shape {
    count: f64,
    mean: Point,
    products: [Point; 4],
    /// Lower triangle of the steps' covariance.
    factor: [Point; 4],
}

impl Shape {
    fn new() -> Self {
        let factor = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 0.4 } else { 0.0 }));
        Self { count: 0.0, mean: [0.0; 4], products: [[0.0; 4]; 4], factor }
    }

    fn step(&self, at: &Point, normal: Point) -> Point {
        std::array::from_fn(|i| at[i] + (0..=i).map(|j| self.factor[i][j] * normal[j]).sum::<f64>())
    }

    fn visit(&mut self, at: &Point) {
        self.count += 1.0;
        let before: Point = std::array::from_fn(|i| at[i] - self.mean[i]);
        for i in 0..4 {
            self.mean[i] += before[i] / self.count;
        }
        for i in 0..4 {
            for j in 0..4 {
                self.products[i][j] += before[i] * (at[j] - self.mean[j]);
            }
        }
    }

    /// Adapts the proposal to the places visited: 2.38² / 4 of their covariance (Haario et al., as above; d = 4), plus
    /// 1e-4 on the diagonal so that no direction is lost.
    fn learn(&mut self) {
        /// Factor of the covariance, 2.38² / d with d = 4.
        const SCALE: f64 = 2.38 * 2.38 / 4.0;
        let covariance =
            |i: usize, j: usize| SCALE * self.products[i][j] / self.count + if i == j { 1e-4 } else { 0.0 };
        let mut lower = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..=i {
                let rest = covariance(i, j) - (0..j).map(|k| lower[i][k] * lower[j][k]).sum::<f64>();
                lower[i][j] = if i == j { rest.max(1e-8).sqrt() } else { rest / lower[j][j] };
            }
        }
        self.factor = lower;
        // The way from the start is forgotten by halves.
        self.count /= 2.0;
        for row in &mut self.products {
            row.iter_mut().for_each(|x| *x /= 2.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::observation::Emission;
    use crate::model::Purpose;
    use base::Silent;

    /// Without visible autocorrelation (gaps of an hour) only the mean loss is known: with 30 of 100 copies lost its
    /// posterior is near a Beta distribution with mean 31/102 and deviation 0.045, whatever the states are.
    #[test]
    fn the_mean_loss_has_its_beta_posterior() {
        let copies: Vec<Observed> = (0..100)
            .map(|k| Observed { gap: 3_600.0, met: if k % 10 < 3 { Emission::Lost } else { Emission::Answered(0) } })
            .collect();
        let bounds = Bounds::new(10.0);
        let start = GilbertElliott { bad: 0.5, coherence: 1.0, loss_good: 0.2, loss_bad: 0.4, delay: Delay::NOTHING };
        let mut losses = Vec::new();
        for seed in 0..8 {
            let mut stream = RandomStream::new(seed, 0, 0, Purpose::Posterior);
            let draws = posterior(
                point(&start),
                Delay::NOTHING,
                &bounds,
                std::slice::from_ref(&copies),
                (&mut stream, &SharedProgress::new(&mut Silent, 0)),
            )
            .unwrap();
            assert!(draws.iter().all(|w| w.loss_good <= w.loss_bad));
            losses.extend(draws.iter().map(GilbertElliott::loss));
        }
        let n = losses.len() as f64;
        let mean = losses.iter().sum::<f64>() / n;
        let sd = (losses.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
        assert!((mean - 0.304).abs() < 0.02 && (0.03..0.06).contains(&sd), "{mean} ± {sd}");
        // Nothing is known of the coherence time: its orders of magnitude remain about equally likely.
        let mut stream = RandomStream::new(3, 0, 0, Purpose::Posterior);
        let draws = posterior(
            point(&start),
            Delay::NOTHING,
            &bounds,
            &[copies],
            (&mut stream, &SharedProgress::new(&mut Silent, 0)),
        )
        .unwrap();
        let short = draws.iter().filter(|w| w.coherence < 0.1).count();
        assert!((10..54).contains(&short), "{short} of {}", draws.len());
    }
}
