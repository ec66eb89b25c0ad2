//! Tests of a fit: its forecasts, each made from what was met before, against what was met.
//!
//! If the model is right, "lost" less its forecast is noise: nothing that is known beforehand tells of it. Three things
//! that should tell nothing are asked, each summed into a χ² statistic. Parameters fitted to the same copies make the
//! true degrees of freedom fewer than those used here, so the tests err on the side of the model.

use super::GilbertElliott;
use super::forward::Filter;
use crate::estimate::observation::Observed;

/// Number of groups of forecasts, and of stretches of the trace. Chosen here: ten copies a group where two states are
/// just claimed (100 copies), and an even number, as `survival` needs.
const GROUPS: usize = 10;
/// Number of lags, from 1, at which forecast errors are compared with each other; even, as `survival` needs. Chosen
/// here by judgement: no experiment decides it; autocorrelation left over shows at the first lags most, and each
/// further lag takes power from the test.
const LAGS: usize = 6;
/// Tests of a fit's forecast errors by χ²: the p-value of each, 0 to 1, is the probability of errors at least as large
/// if the model is right.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Residuals {
    /// p-value, 0 to 1, of the test whether copies with similar forecasts are lost as often as forecast.
    pub calibration: f64,
    /// p-value, 0 to 1, of the test whether errors are uncorrelated: the model has taken up all autocorrelation.
    pub error_correlation: f64,
    /// p-value, 0 to 1, of the test whether losses are as many as forecast in every tenth of the trace: the parameters
    /// hold throughout.
    pub drift: f64,
}

impl Residuals {
    /// Level of each test. Chosen here: a model is rejected when one of three p-values is below it, which happens to at
    /// most 1 % of true models (Bonferroni).
    pub const LEVEL: f64 = 0.01 / 3.0;

    /// Residuals of `model` on the copies of `paths`, path after path, each in order of time.
    pub(crate) fn new(model: &GilbertElliott, paths: &[Vec<Observed>]) -> Self {
        let mut errors: Vec<Error> = Vec::new();
        let mut lagged = [(0.0_f64, 0.0_f64); LAGS];
        for copies in paths {
            let mut filter = Filter::new(model);
            let from = errors.len();
            errors.extend(copies.iter().map(|&copy| {
                let bad = filter.next(copy).before;
                let forecast = bad * model.loss_bad + (1.0 - bad) * model.loss_good;
                Error::new(forecast, copy.lost())
            }));
            let path = &errors[from..];
            for (lag, (sum, variance)) in (1..).zip(&mut lagged) {
                for (earlier, later) in path.iter().zip(path.iter().skip(lag)) {
                    *sum += earlier.scaled() * later.scaled();
                    *variance += 1.0;
                }
            }
        }
        let error_correlation = lagged.iter().filter(|(_, n)| *n > 0.0).map(|(sum, n)| sum * sum / n).sum();
        let drift = grouped(&errors);
        errors.sort_by(|a, b| a.forecast.total_cmp(&b.forecast));
        Self {
            calibration: survival(GROUPS, grouped(&errors)),
            error_correlation: survival(LAGS, error_correlation),
            drift: survival(GROUPS, drift),
        }
    }

    /// Whether no test rejects the model.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.calibration.min(self.error_correlation).min(self.drift) >= Self::LEVEL
    }
}

/// One forecast and its error.
#[derive(Clone, Copy, Debug)]
struct Error {
    forecast: f64,
    error: f64,
    variance: f64,
}

impl Error {
    fn new(forecast: f64, lost: bool) -> Self {
        let variance = (forecast * (1.0 - forecast)).max(1e-12);
        Self { forecast, error: f64::from(u8::from(lost)) - forecast, variance }
    }

    fn scaled(&self) -> f64 {
        self.error / self.variance.sqrt()
    }
}

/// Squared sum of errors over its variance, summed over [`GROUPS`] equal groups in order.
fn grouped(errors: &[Error]) -> f64 {
    let size = errors.len().div_ceil(GROUPS).max(1);
    let group = |errors: &[Error]| {
        let (error, variance) = errors.iter().fold((0.0, 0.0), |(e, v), x| (e + x.error, v + x.variance));
        // A variance below 1 would make a single loss a surprise where next to none is expected.
        error * error / variance.max(1.0)
    };
    errors.chunks(size).map(group).sum()
}

/// Chance that χ² with an even number of degrees of freedom exceeds `x`: e^(−x/2) Σ (x/2)^i / i! for i below half of
/// them (Abramowitz & Stegun 26.4.5).
fn survival(degrees: usize, x: f64) -> f64 {
    let half = x / 2.0;
    let terms = (1..degrees / 2).scan(1.0, |term, i| {
        *term *= half / i as f64;
        Some(*term)
    });
    ((-half).exp() * (1.0 + terms.sum::<f64>())).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chi_squared_agrees_with_the_tables() {
        // Upper 5 % points: 12.592 for 6 and 18.307 for 10 degrees (Abramowitz & Stegun, table 26.8).
        assert!((survival(6, 12.592) - 0.05).abs() < 1e-4);
        assert!((survival(10, 18.307) - 0.05).abs() < 1e-4);
        assert_eq!(survival(10, 0.0), 1.0);
    }
}
