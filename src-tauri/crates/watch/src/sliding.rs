//! Sums over the last minutes.

use crate::measure::Sums;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Number of parts of the time that a rule looks back. Chosen here: an alert is at most a sixtieth of that time late.
pub(crate) const PARTS: i64 = 60;

/// Sums over the last [`PARTS`] parts, the newest last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sliding {
    /// Number of the newest part: time divided by the length of a part.
    newest: i64,
    parts: VecDeque<Sums>,
    /// Sum of `parts`, in which a late exchange counts in the newest part.
    pub total: Sums,
}

impl Sliding {
    /// Returns the sums of part `part`, which is the newest from then on; of the newest one where `part` is older.
    pub fn part(&mut self, part: i64) -> &mut Sums {
        self.advance(part);
        if self.parts.is_empty() {
            self.newest = part;
            self.parts.push_back(Sums::default());
        }
        while self.newest < part {
            self.newest += 1;
            self.parts.push_back(Sums::default());
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    /// Adds sums to part `part`.
    pub fn add(&mut self, part: i64, sums: &Sums) {
        self.part(part).merge(sums);
        self.total.merge(sums);
    }

    /// Drops the parts that are too old when `part` is the newest.
    pub fn advance(&mut self, part: i64) {
        while self.parts.front().is_some() && self.newest - (self.parts.len() as i64) < part - PARTS {
            if let Some(old) = self.parts.pop_front() {
                self.total.remove(&old);
            }
        }
    }

    /// Returns whether no exchange is in it.
    pub fn is_empty(&self) -> bool {
        self.total.exchanges == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_parts_fall_out() {
        let one = Sums { exchanges: 1, ..Sums::default() };
        let mut sliding = Sliding::default();
        for part in 0..200 {
            sliding.add(part, &one);
        }
        assert_eq!((sliding.total.exchanges, sliding.parts.len() as i64), (60, PARTS));
        sliding.advance(229);
        assert_eq!(sliding.total.exchanges, 30);
        sliding.add(1_000_000, &one);
        assert_eq!((sliding.total.exchanges, sliding.parts.len()), (1, 1), "a long pause makes no parts");
        sliding.advance(2_000_000);
        assert!(sliding.is_empty());
    }
}
