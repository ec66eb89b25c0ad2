//! The empirical distribution function.

/// Empirical distribution function F(x): the share of a sample that is at most `x`. Members without a value (requests
/// that were never answered) may count in the sample, so that F ends below 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Ecdf {
    /// Distinct values, ascending, each with the number of values at most it.
    steps: Vec<(f64, usize)>,
    of: usize,
}

impl Ecdf {
    /// Function of `values` in a sample of size `of`, at least the number of values. Values that are not finite count
    /// in the size only.
    #[must_use]
    pub fn new(values: &[f64], of: usize) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut steps: Vec<(f64, usize)> = Vec::new();
        for (index, value) in sorted.iter().enumerate() {
            match steps.last_mut() {
                Some(last) if last.0 == *value => last.1 = index + 1,
                _ => steps.push((*value, index + 1)),
            }
        }
        Self { of: of.max(sorted.len()), steps }
    }

    /// F(x), 0 to 1; `None` for an empty sample.
    #[must_use]
    pub fn at(&self, x: f64) -> Option<f64> {
        let below = self.steps.partition_point(|step| step.0 <= x);
        let count = below.checked_sub(1).and_then(|i| self.steps.get(i)).map_or(0, |step| step.1);
        (self.of > 0).then(|| count as f64 / self.of as f64)
    }

    /// Points (x, F(x)) at which F rises, ascending: at most `most`, evenly thinned, the last always among them.
    #[must_use]
    pub fn steps(&self, most: usize) -> Vec<(f64, f64)> {
        let every = self.steps.len().div_ceil(most.max(1)).max(1);
        let last = self.steps.len().saturating_sub(1);
        let thinned = self.steps.iter().enumerate().filter(|(i, _)| (last - i).is_multiple_of(every));
        thinned.map(|(_, &(x, count))| (x, count as f64 / self.of as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Ecdf;

    #[test]
    fn f_is_the_share_of_values_at_most_x() {
        let f = Ecdf::new(&[3.0, 1.0, 3.0, f64::NAN], 5);
        assert_eq!(f.steps(10), [(1.0, 0.2), (3.0, 0.6)]);
        assert_eq!([0.9, 1.0, 2.9, 3.0, 9.0].map(|x| f.at(x).unwrap()), [0.0, 0.2, 0.2, 0.6, 0.6]);
        assert_eq!(Ecdf::new(&[], 0).at(1.0), None);
        assert!(Ecdf::new(&[], 0).steps(3).is_empty());
    }

    #[test]
    fn thinned_steps_are_points_of_the_function() {
        let values: Vec<f64> = (1..=1_000).map(f64::from).collect();
        let f = Ecdf::new(&values, 1_000);
        let thin = f.steps(64);
        assert!(thin.len() <= 64);
        assert_eq!(thin.last(), Some(&(1_000.0, 1.0)));
        assert!(thin.iter().all(|&(x, share)| f.at(x) == Some(share)));
    }
}
