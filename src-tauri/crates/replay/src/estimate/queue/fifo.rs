//! One server with a queue, first come first served.

use base::{Instant, Span};

/// Queue of one server, served in order of arrival. Calls must be in order of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    /// Departure of the last arrival.
    free: Instant,
}

impl Queue {
    /// Queue that is empty and free at all times.
    pub const fn new() -> Self {
        Self { free: Instant::MIN }
    }

    /// Wait of an arrival at `at`; zero when the server is free.
    pub fn wait(&self, at: Instant) -> Span {
        self.free.max(at) - at
    }

    /// Adds an arrival at `at` with service time `work`; returns its wait.
    pub fn enter(&mut self, at: Instant, work: Span) -> Span {
        let wait = self.wait(at);
        self.free = at + wait + work;
        wait
    }

    /// Corrects the backlog at `at` by `more`, which may be negative; no less than nothing is left.
    pub fn shift(&mut self, at: Instant, more: Span) {
        self.free = (self.free.max(at) + more).max(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrival_waits_for_all_before_it() {
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
