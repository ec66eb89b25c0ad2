//! One server and those who wait for it, first come first served.

use base::{Instant, Span};

/// A line before one server. Asked and told in order of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    /// When the last one that came leaves.
    free: Instant,
}

impl Queue {
    pub const fn new() -> Self {
        Self { free: Instant::MIN }
    }

    /// How long one who comes at `at` waits.
    pub fn wait(&self, at: Instant) -> Span {
        self.free.max(at) - at
    }

    /// Somebody comes at `at` and takes `work` of the server's time; how long they wait for it.
    pub fn enter(&mut self, at: Instant, work: Span) -> Span {
        let wait = self.wait(at);
        self.free = at + wait + work;
        wait
    }

    /// There is more work than was told, or less.
    pub fn shift(&mut self, at: Instant, more: Span) {
        self.free = (self.free.max(at) + more).max(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_waits_for_all_before() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let ms = Span::from_millis;
        let mut line = Queue::new();
        assert_eq!(line.enter(at(0), ms(100)), ms(0));
        assert_eq!(line.enter(at(10), ms(50)), ms(90));
        assert_eq!((line.wait(at(99)), line.wait(at(149)), line.wait(at(150))), (ms(51), ms(1), ms(0)));
        line.shift(at(140), ms(20));
        assert_eq!(line.enter(at(150), ms(10)), ms(20));
        line.shift(at(160), ms(-500));
        assert_eq!(line.wait(at(160)), ms(0), "no less than nothing");
    }
}
