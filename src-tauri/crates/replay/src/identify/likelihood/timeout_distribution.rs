//! The distribution of the timeout that an algorithm arms at one moment, over its random dither.

use crate::identify::likelihood::timing_error::{Seconds, TimingError};
use rto::Dither;

/// Distribution of a timeout over its dither, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TimeoutDistribution {
    /// A single value: the timeout has no dither.
    Point(Seconds),
    /// Uniform from the first to the second value.
    Uniform(Seconds, Seconds),
    /// Piecewise uniform, for a timeout that a limit clips: its quartiles, each piece of probability 1/4.
    Piecewise([Seconds; 5]),
}

/// Dithers at the quartiles of their range.
const QUARTILES: [Dither; 5] = [Dither::NONE, Dither(1 << 30), Dither(1 << 31), Dither(3 << 30), Dither(u32::MAX)];
/// Largest deviation of the median from the middle, as a share of the timeout, of a uniform distribution. Chosen here
/// by judgement: above rounding to milliseconds, below any limit that clips.
const MOST_BEND: f64 = 2e-3;
/// Least width of a distribution, as a share of the timeout. Chosen here by judgement: less is rounding.
const LEAST_WIDTH: f64 = 1e-6;
/// Least width of a piece in scales of the error. Chosen here for precision: below it the closed forms subtract nearly
/// equal numbers, and the piece is taken as a point.
const POINT_WIDTH: f64 = 1e-3;

impl TimeoutDistribution {
    /// Distribution of the timeouts (seconds) that `probe` arms over all dithers; `shortest` is the one that it arms
    /// for [`Dither::NONE`].
    pub fn of(shortest: Seconds, probe: impl Fn(Dither) -> Seconds) -> Self {
        let longest = probe(Dither(u32::MAX));
        let middle = probe(Dither(1 << 31));
        let linear = (middle - f64::midpoint(shortest, longest)).abs() <= MOST_BEND * longest.max(shortest);
        if linear && longest - shortest <= LEAST_WIDTH * longest {
            Self::Point(shortest)
        } else if linear {
            Self::Uniform(shortest, longest)
        } else {
            let mut at = QUARTILES.map(probe);
            at.sort_unstable_by(f64::total_cmp);
            Self::Piecewise(at)
        }
    }

    /// Whether the timeout depends on the dither.
    pub fn is_random(&self) -> bool {
        !matches!(self, Self::Point(_))
    }

    /// Shortest possible timeout, seconds.
    pub fn shortest(&self) -> Seconds {
        match *self {
            Self::Point(at) | Self::Uniform(at, _) | Self::Piecewise([at, ..]) => at,
        }
    }

    /// Longest possible timeout, seconds.
    pub fn longest(&self) -> Seconds {
        match *self {
            Self::Point(at) | Self::Uniform(_, at) | Self::Piecewise([.., at]) => at,
        }
    }

    /// Possible timeout nearest to `gap`, seconds.
    pub fn nearest(&self, gap: Seconds) -> Seconds {
        gap.clamp(self.shortest(), self.longest())
    }

    /// Dither whose timeout is nearest to `gap`: the distribution function at `gap`. The middle of its range for a
    /// timeout without dither.
    pub fn dither_of(&self, gap: Seconds) -> Dither {
        let share = |low: f64, high: f64| if high > low { ((gap - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
        match self {
            Self::Point(_) => Dither(1 << 31),
            Self::Uniform(low, high) => Dither::from_f64(share(*low, *high)),
            Self::Piecewise(at) => {
                let quarter = at.windows(2).position(|w| matches!(w, [_, high] if gap <= *high)).unwrap_or(3);
                let ends = at.get(quarter..quarter + 2).unwrap_or_default();
                let [low, high] = ends else { return Dither(1 << 31) };
                Dither::from_f64((quarter as f64 + share(*low, *high)) / 4.0)
            }
        }
    }

    /// The mean of `f` over the equally probable pieces of this distribution, each given by its ends.
    fn mean(&self, f: impl Fn(Seconds, Seconds) -> f64) -> f64 {
        match self {
            Self::Point(at) => f(*at, *at),
            Self::Uniform(low, high) => f(*low, *high),
            Self::Piecewise(at) => {
                at.windows(2).map(|w| if let [low, high] = w { f(*low, *high) } else { 0.0 }).sum::<f64>() / 4.0
            }
        }
    }

    /// Density, per second, of a timeout seen as `x`: the convolution of this distribution with `error`.
    pub fn density(&self, x: Seconds, error: TimingError) -> f64 {
        self.mean(|low, high| {
            if high - low < error.scale * POINT_WIDTH {
                error.density(x - low)
            } else if x > f64::midpoint(low, high) {
                // The difference of upper tails: both are small here, those of lower tails are near 1.
                (error.cdf(high - x) - error.cdf(low - x)) / (high - low)
            } else {
                (error.cdf(x - low) - error.cdf(x - high)) / (high - low)
            }
        })
    }

    /// Probability that a timeout is seen as less than `x` seconds: the integral of [`Self::density`].
    pub fn cdf(&self, x: Seconds, error: TimingError) -> f64 {
        self.mean(|low, high| {
            if high - low < error.scale * POINT_WIDTH {
                error.cdf(x - low)
            } else {
                (error.cdf_integral(x - low) - error.cdf_integral(x - high)) / (high - low)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identify::likelihood::timing_error::Queueing;

    const ERRORS: [TimingError; 2] =
        [TimingError::new(0.02, Queueing::Rare), TimingError { scale: 0.02, queueing: Queueing::Rare, slot: 0.19 }];

    /// The closed forms agree with a Riemann sum.
    #[test]
    fn densities_integrate_to_probabilities() {
        let distributions = [
            TimeoutDistribution::Point(2.0),
            TimeoutDistribution::Uniform(2.0, 3.0),
            TimeoutDistribution::Uniform(2.0, 2.000_01),
            TimeoutDistribution::Piecewise([0.5, 0.5, 0.5, 0.6, 0.7]),
        ];
        for (distribution, error) in distributions.into_iter().flat_map(|d| ERRORS.map(|error| (d, error))) {
            // The error is two-sided: the sum begins far below the shortest timeout.
            let mut sum = 0.0;
            for slice in -50_000..50_000 {
                let x = f64::from(slice) * 1e-4;
                sum += distribution.density(x + 0.5e-4, error) * 1e-4;
                if slice % 1_000 == 999 {
                    let cdf = distribution.cdf(x + 1e-4, error);
                    assert!((sum - cdf).abs() < 2e-4, "{distribution:?}, {error:?} at {x}: {sum} and {cdf}");
                }
            }
            assert!((sum - 1.0).abs() < 1e-3, "{distribution:?}");
        }
    }

    #[test]
    fn the_dither_of_a_gap_gives_that_gap() {
        let probe = |d: Dither| (0.4 + 0.4 * f64::from(d.0) / 4_294_967_296.0).max(0.5);
        let distribution = TimeoutDistribution::of(probe(Dither::NONE), probe);
        assert!(matches!(distribution, TimeoutDistribution::Piecewise(_)), "a least timeout clips it");
        for gap in [0.55, 0.65, 0.75] {
            let dither = distribution.dither_of(gap);
            assert!((probe(dither) - gap).abs() < 0.02, "{gap}: {dither:?}");
        }
        assert_eq!(TimeoutDistribution::of(2.0, |_| 2.0), TimeoutDistribution::Point(2.0));
        assert_eq!(TimeoutDistribution::Uniform(2.0, 3.0).dither_of(9.0), Dither(u32::MAX));
        assert_eq!(TimeoutDistribution::Uniform(2.0, 3.0).nearest(1.0), 2.0);
    }
}
