//! Fit of one clock to another, from frames that both stamped.
//!
//! A straight line first, by repeated medians (Siegel, Robust regression using repeated medians, Biometrika 69, 1982:
//! half of the points may be wrong), then its residuals in blocks of time: crystals change their rate with temperature,
//! and clocks that NTP disciplines are slewed.

use crate::model::ClockFit;
use base::{Instant, Span};

/// Fewest common frames that tell an offset.
/// Chosen here: two may agree by chance; `cargo test --release -p trace --test import merge` scores fitted clocks
/// against the truth.
pub(super) const LEAST: usize = 3;

/// Fewest common frames that tell a drift.
/// Chosen here, scored by `cargo test --release -p trace --test import merge`.
const LEAST_FOR_DRIFT: usize = 8;

/// Shortest time between the first and the last of them that tells a drift. Chosen here: stamps that are wrong by
/// [`FINE`] then make a drift of 200 ppm, twice that of a crystal; over less time a fitted drift is worse than none.
/// Scored by `cargo test --release -p trace --test import merge`.
const SHORTEST_FOR_DRIFT: Span = Span::from_secs(5);

/// Most points that repeated medians are taken of; more are thinned out evenly.
/// Chosen here: repeated medians take quadratic time.
const POINTS: usize = 400;

/// Largest drift of a clock, parts per 10^12: crystals keep 100 ppm, the worst RC oscillators 1 %.
const FASTEST: i64 = 10_000_000_000;

/// Deviation below which a common frame is never an outlier: an 802.15.4 symbol is 16 µs, a tick of a watch crystal 31
/// µs, and logs in milliseconds are common.
const FINE: Span = Span::from_millis(1);

/// Largest deviation from a straight line between two clocks. If most frames deviate more, they are not the same
/// transmissions; single ones are left out. Chosen here by judgement: half leaves out more of clocks that NTP slews,
/// double lets more frames pass that are equal by chance; scored by `cargo test --release -p trace --test import
/// merge`.
const COARSE: Span = Span::from_millis(20);

/// Fewest common frames in a block in which the deviation from the line is measured. Chosen here: the median of 16
/// independent errors has a third of the deviation of one (1.25 / √16).
const BLOCK: usize = 16;

/// Shortest length of such a block. Chosen here by judgement: shorter blocks follow the delays of single stamps,
/// longer ones cut off what a clock does in between; `cargo test -p trace --lib a_clock_whose_rate_changes` follows a
/// change of 40 ppm.
const BLOCK_TIME: Span = Span::from_secs(10);

/// A common frame: its time on the reference clock, and on the clock that is fitted.
pub(super) type Common = (Instant, Instant);

/// Fitted clock against the reference.
pub(super) struct Clock {
    /// Reference time of the first common frame.
    start: Instant,
    /// Lead over the reference at `start`.
    offset: Span,
    /// Drift against the reference, parts per 10^12.
    drift: i64,
    /// Breakpoints of the deviation from the line: reference time and deviation, in order; empty where there are fewer
    /// than two.
    walk: Vec<(Instant, Span)>,
    /// Number of common frames that the fit rests on.
    common: usize,
    /// Number of common frames that were left out.
    outliers: usize,
    /// Median deviation after correction.
    median: Span,
    /// 99th percentile of the deviation after correction.
    p99: Span,
}

impl Clock {
    /// Fits the clock to `common`; `None` where these are too few or do not agree.
    pub(super) fn fit(common: &[Common]) -> Option<Self> {
        let mut points: Vec<(Instant, Span)> = common.iter().map(|&(there, here)| (there, here - there)).collect();
        points.sort_unstable();
        let (start, end) = (points.first()?.0, points.last()?.0);
        if points.len() < LEAST {
            return None;
        }
        let can_drift = points.len() >= LEAST_FOR_DRIFT && end - start >= SHORTEST_FOR_DRIFT;
        let drift = if can_drift { slope(&points)? } else { 0 };
        let off_line = |&(at, shown): &(Instant, Span)| shown - gained(drift, at - start);
        let offset = median(points.iter().map(off_line).collect())?;
        let spread = median(points.iter().map(|point| (off_line(point) - offset).abs()).collect())?;
        if spread > COARSE || drift.abs() > FASTEST {
            return None;
        }
        let mut clock = Self {
            start,
            offset,
            drift,
            walk: Vec::new(),
            common: 0,
            outliers: 0,
            median: Span::ZERO,
            p99: Span::ZERO,
        };
        let total = points.len();
        points.retain(|point| (off_line(point) - offset).abs() <= COARSE);
        clock.walk = clock.walk_of(&points);
        let off = |clock: &Self, &(at, shown): &(Instant, Span)| (shown - clock.shows(at)).abs();
        let spread = median(points.iter().map(|point| off(&clock, point)).collect())?;
        // Chosen here: six medians are four standard deviations of a normal error (0.674 each), beyond which lies one
        // in 20,000.
        points.retain(|point| off(&clock, point) <= spread.scale(6, 1).max(FINE));
        if points.len() < LEAST || points.len() * 2 < total {
            return None;
        }
        clock.walk = Vec::new();
        clock.walk = clock.walk_of(&points);
        let mut residuals: Vec<_> = points.iter().map(|point| off(&clock, point)).collect();
        residuals.sort_unstable();
        let rank = |percent: usize| residuals.get((residuals.len() * percent).div_ceil(100).max(1) - 1).copied();
        (clock.median, clock.p99) = (rank(50)?, rank(99)?);
        (clock.common, clock.outliers) = (points.len(), total - points.len());
        Some(clock)
    }

    /// Returns the lead of the clock over the reference at reference time `at`.
    fn shows(&self, at: Instant) -> Span {
        let walked = match self.walk.partition_point(|&(breakpoint, _)| breakpoint <= at) {
            0 => self.walk.first().map_or(Span::ZERO, |&(_, walked)| walked),
            after => match (self.walk.get(after - 1), self.walk.get(after)) {
                (Some(&(t0, w0)), Some(&(t1, w1))) => w0 + (w1 - w0).scale((at - t0).nanos(), (t1 - t0).nanos()),
                (Some(&(_, last)), None) => last,
                _ => Span::ZERO,
            },
        };
        self.offset + gained(self.drift, at - self.start) + walked
    }

    /// Returns the medians of time and residual of consecutive blocks of `points`.
    fn walk_of(&self, points: &[(Instant, Span)]) -> Vec<(Instant, Span)> {
        let mut breakpoints = Vec::new();
        let mut rest = points;
        while let Some(&(begin, _)) = rest.first() {
            let long = rest.partition_point(|&(at, _)| at - begin < BLOCK_TIME).max(BLOCK);
            let Some((block, later)) = rest.split_at_checked(long) else { break };
            let at = median(block.iter().map(|&(at, _)| at - self.start).collect());
            let left = median(block.iter().map(|&(at, shown)| shown - self.shows(at)).collect());
            if let (Some(at), Some(left)) = (at, left) {
                breakpoints.push((self.start + at, left));
            }
            rest = later;
        }
        // One block says no more than the line.
        if breakpoints.len() < 2 {
            breakpoints.clear();
        }
        breakpoints
    }

    /// Returns the reference time at which this clock shows `shown`.
    pub(super) fn correct(&self, shown: Instant) -> Instant {
        // The lead changes by less than 1 % of itself: each round gains two digits and more.
        (0..4).fold(shown - self.offset, |at, _| shown - self.shows(at))
    }

    /// Returns the largest distance of two records of one transmission, after correction: four times the 99th
    /// percentile of the deviation, but 150 µs to 10 ms.
    pub(super) fn window(&self) -> Span {
        // Chosen here by judgement: 150 µs is less than half of the shortest frame (an acknowledgement takes 352 µs),
        // so that two transmissions never fall into it; 10 ms is a time slot of TSCH (macTsTimeslotLength). Scored by
        // `cargo test --release -p trace --test import merge`.
        self.p99.scale(4, 1).clamp(Span::from_micros(150), Span::from_millis(10))
    }

    /// Returns the fit as the capture reports it.
    pub(super) fn report(&self) -> ClockFit {
        ClockFit {
            offset: self.offset,
            drift_ppb: self.drift / 1_000,
            walk: self.walk.iter().map(|&(_, walked)| walked.abs()).max().unwrap_or(Span::ZERO),
            common: self.common,
            outliers: self.outliers,
            residual_median: self.median,
            residual_p99: self.p99,
        }
    }
}

/// Returns the time that a clock of `drift` (parts per 10^12) gains in `time`.
fn gained(drift: i64, time: Span) -> Span {
    time.scale(drift, 1_000_000_000_000)
}

/// Returns the median of `values`, the lower of two middle ones; `None` without values.
fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable(middle).1)
}

/// Returns the slope of the line through `points`, parts per 10^12: the median over points of the median slope to all
/// others.
fn slope(points: &[(Instant, Span)]) -> Option<i64> {
    let step = points.len().div_ceil(POINTS);
    let thin: Vec<_> = points.iter().copied().step_by(step).collect();
    let between = |&(t0, d0): &(Instant, Span), &(t1, d1): &(Instant, Span)| {
        let (rise, run) = (i128::from((d1 - d0).nanos()), i128::from((t1 - t0).nanos()));
        (run != 0).then(|| {
            i64::try_from(rise * 1_000_000_000_000 / run).unwrap_or(if rise > 0 { i64::MAX } else { i64::MIN })
        })
    };
    median(
        thin.iter()
            .filter_map(|point| median(thin.iter().filter_map(|other| between(point, other)).collect()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock 3.25 s ahead that gains 40 ppm, with jitter of ±`jitter` ns, seen `n` times in `secs` seconds.
    fn common(n: i64, secs: i64, jitter: i64) -> Vec<Common> {
        (0..n)
            .map(|i| {
                let at = i * secs * 1_000_000_000 / n;
                let noise = (i.wrapping_mul(0x9e37_79b9) >> 7).rem_euclid(2 * jitter + 1) - jitter;
                (Instant::from_nanos(at), Instant::from_nanos(at + 3_250_000_000 + at / 25_000 + noise))
            })
            .collect()
    }

    #[test]
    fn offset_and_drift_of_a_noisy_clock() {
        let common = common(500, 600, 30_000);
        let clock = Clock::fit(&common).unwrap();
        let report = clock.report();
        assert!((report.offset - Span::from_millis(3_250)).abs() < Span::from_micros(10), "{report:?}");
        assert!((report.drift_ppb - 40_000).abs() < 30, "{report:?}");
        assert!(report.residual_p99 < Span::from_micros(45), "{report:?}");
        for (there, here) in common {
            assert!((clock.correct(here) - there).abs() < Span::from_micros(45));
        }
    }

    #[test]
    fn a_fit_tolerates_two_fifths_of_wrong_points() {
        let mut points = common(500, 600, 0);
        for (i, point) in points.iter_mut().enumerate().filter(|(i, _)| i % 5 < 2) {
            point.1 = Instant::from_nanos(point.1.nanos() + (i as i64 * 7_919_000_003) % 90_000_000_000);
        }
        let report = Clock::fit(&points).unwrap().report();
        assert!((report.offset - Span::from_millis(3_250)).abs() < Span::from_micros(2), "{report:?}");
        assert!((report.drift_ppb - 40_000).abs() < 2, "{report:?}");
        // The first of the wrong ones is wrong by nothing.
        assert_eq!((report.common, report.outliers), (301, 199));
    }

    #[test]
    fn a_clock_whose_rate_changes_is_followed() {
        // 20 ppm in the first half, -20 ppm in the second: a straight line is 3 ms off.
        let common: Vec<Common> = (0..2_000_i64)
            .map(|i| {
                let at = i * 300_000_000;
                let ahead = (300_000_000_000 - (at - 300_000_000_000).abs()) / 50_000;
                (Instant::from_nanos(at), Instant::from_nanos(at + ahead))
            })
            .collect();
        let report = Clock::fit(&common).unwrap().report();
        assert!(report.walk > Span::from_millis(1), "{report:?}");
        assert!(report.residual_p99 < Span::from_micros(120), "{report:?}");
    }

    #[test]
    fn frames_equal_by_chance_align_no_clocks() {
        let chance: Vec<Common> = (0..50_i64)
            .map(|i| {
                (Instant::from_nanos(i * 1_000_000_000), Instant::from_nanos(i * i * 77_000_000_003 % 90_000_000_000))
            })
            .collect();
        assert!(Clock::fit(&chance).is_none());
        assert!(Clock::fit(&common(2, 1, 0)).is_none());
        assert!(Clock::fit(&[]).is_none());
        let few = Clock::fit(&common(5, 1, 0)).unwrap().report();
        assert_eq!((few.drift_ppb, few.common), (0, 5));
    }
}
