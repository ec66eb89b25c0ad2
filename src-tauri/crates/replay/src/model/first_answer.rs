//! Counts that follow from which copy of an exchange was the first to be answered.

use super::Fate;

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
    /// Counts of one exchange, whose copies had `fates`, in the order in which they were sent.
    pub fn of(fates: impl ExactSizeIterator<Item = Fate>) -> Self {
        let copies = fates.len();
        let Some(answered) = fates.enumerate().find_map(|(at, fate)| fate.rtt().map(|_| at)) else {
            return Self::default();
        };
        let is_first = answered == 0;
        Self {
            needless: (copies - answered - 1) as f64,
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
    use base::Span;

    #[test]
    fn copies_after_the_first_answered_one_are_needless() {
        let answered = Fate::Answered { rtt: Span::from_secs(9) };
        let of = |fates: &[Fate]| {
            let FirstAnswers { needless, first_copies, early } = FirstAnswers::of(fates.iter().copied());
            [needless, first_copies, early]
        };
        assert_eq!(of(&[Fate::Lost, answered, Fate::Lost, answered]), [2.0, 0.0, 0.0]);
        assert_eq!(of(&[answered, Fate::Unknown]), [1.0, 1.0, 1.0]);
        assert_eq!(of(&[answered]), [0.0, 1.0, 0.0]);
        assert_eq!(of(&[Fate::Unknown, Fate::Lost]), [0.0; 3]);
        assert_eq!(of(&[]), [0.0; 3]);
    }
}
