//! Counts that follow from which copy of an exchange was the first to be answered.

/// Sums over exchanges; whole numbers for known fates, expectations where fates have probabilities.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct FirstAnswers {
    /// Number of copies sent although an earlier copy of their exchange is answered.
    pub needless: f64,
    /// Number of exchanges whose first copy is answered.
    pub first_copies: f64,
    /// Number of exchanges whose first copy is answered and which were retransmitted all the same.
    pub early: f64,
}

impl FirstAnswers {
    /// Counts of one exchange of `copies`, of which the one at `answered`, from 0, is the first that is answered;
    /// `None`: none is.
    pub fn of(copies: usize, answered: Option<usize>) -> Self {
        let Some(answered) = answered else { return Self::default() };
        let is_first = answered == 0;
        Self {
            needless: copies.saturating_sub(answered + 1) as f64,
            first_copies: f64::from(u8::from(is_first)),
            early: f64::from(u8::from(is_first && copies > 1)),
        }
    }

    /// Adds `other`, `weight` times.
    pub fn add(&mut self, other: Self, weight: f64) {
        self.needless += weight * other.needless;
        self.first_copies += weight * other.first_copies;
        self.early += weight * other.early;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_after_the_first_answered_one_are_needless() {
        let of = |copies, answered| {
            let FirstAnswers { needless, first_copies, early } = FirstAnswers::of(copies, answered);
            [needless, first_copies, early]
        };
        assert_eq!(of(4, Some(1)), [2.0, 0.0, 0.0]);
        assert_eq!(of(2, Some(0)), [1.0, 1.0, 1.0]);
        assert_eq!(of(1, Some(0)), [0.0, 1.0, 0.0]);
        assert_eq!(of(2, None), [0.0; 3]);
        assert_eq!(of(0, None), [0.0; 3]);
    }
}
