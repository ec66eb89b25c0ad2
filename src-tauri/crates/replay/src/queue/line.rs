//! One server and those who wait for it, first come first served.

use base::{Instant, Span};
use std::collections::VecDeque;

/// A line before one server. Asked and told in order of time.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// When each of those inside leaves, the next one first.
    leaving: VecDeque<Instant>,
    /// When the last one that came leaves.
    free: Instant,
}

impl Line {
    pub const fn new() -> Self {
        Self { leaving: VecDeque::new(), free: Instant::MIN }
    }

    /// How many are inside at `at`, the one that is served included.
    pub fn len(&mut self, at: Instant) -> u32 {
        while self.leaving.front().is_some_and(|&leaves| leaves <= at) {
            self.leaving.pop_front();
        }
        u32::try_from(self.leaving.len()).unwrap_or(u32::MAX)
    }

    /// Somebody comes at `at` and takes `work` of the server's time; how long they wait for it.
    pub fn enter(&mut self, at: Instant, work: Span) -> Span {
        let begins = self.free.max(at);
        self.free = begins + work;
        self.leaving.push_back(self.free);
        begins - at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_waits_for_all_before() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let ms = Span::from_millis;
        let mut line = Line::new();
        assert_eq!(line.enter(at(0), ms(100)), ms(0));
        assert_eq!((line.len(at(10)), line.enter(at(10), ms(50))), (1, ms(90)));
        assert_eq!((line.len(at(99)), line.len(at(100)), line.len(at(149))), (2, 1, 1));
        assert_eq!((line.len(at(150)), line.enter(at(150), ms(1))), (0, ms(0)), "who leaves as one comes is gone");
    }
}
