//! A share that was counted, with its confidence interval.

/// A count out of a total.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Share {
    /// Number of trials that had the property.
    pub hits: u64,
    /// Number of all trials.
    pub trials: u64,
}

/// Standard normal quantile of 97.5 %: two-sided 95 % intervals.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// Counts one trial, which had the property if `hit`.
    pub(crate) fn add(&mut self, hit: bool) {
        self.trials += 1;
        self.hits += u64::from(hit);
    }

    /// Returns the share, 0 to 1; `None` without trials.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.trials > 0).then(|| self.hits as f64 / self.trials as f64)
    }

    /// Returns lower and upper end of the 95 % score interval of Wilson (1927), which holds for few trials and for
    /// shares near 0 and 1. It takes trials as independent; losses come in bursts, so that it is somewhat too narrow.
    /// `None` without trials.
    #[must_use]
    pub fn interval95(self) -> Option<(f64, f64)> {
        let (p, n) = (self.value()?, self.trials as f64);
        let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        // At the ends the formula gives 0 and 1 up to rounding.
        let low = if self.hits == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if self.hits == self.trials { 1.0 } else { (centre + half).min(1.0) };
        Some((low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn score_intervals_as_published() {
        // Newcombe 1998, Statistics in Medicine 17, table I, method 3: r/n and the limits.
        for (hits, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let (lo, hi) = Share { hits, trials }.interval95().unwrap();
            assert!((lo - low).abs() < 5e-5 && (hi - high).abs() < 5e-5, "{hits}/{trials}: {lo} {hi}");
        }
        assert_eq!(Share::default().interval95(), None);
        assert_eq!(Share { hits: 7, trials: 7 }.interval95().unwrap().1, 1.0);
    }
}
