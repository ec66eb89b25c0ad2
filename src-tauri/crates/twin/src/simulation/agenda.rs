//! Events to come, in order of time.

use base::Instant;

/// Events with their times. Those of one instant keep the order in which they were added.
///
/// A list in order and no heap: a node has one event or two to come, and most of what is added is due before most of
/// what is there, so that little is moved.
#[derive(Clone, Debug)]
pub(super) struct Agenda<T> {
    /// Latest first: the next one is taken from the end.
    events: Vec<(Instant, T)>,
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Self { events: Vec::new() }
    }
}

impl<T> Agenda<T> {
    /// Adds an event that is due at `at`.
    pub fn push(&mut self, at: Instant, event: T) {
        let place = self.events.partition_point(|(due, _)| *due > at);
        self.events.insert(place, (at, event));
    }

    /// Takes the next event and its time; `None` where there is none.
    pub fn pop(&mut self) -> Option<(Instant, T)> {
        self.events.pop()
    }

    /// Returns the time of the next event; [`Instant::MAX`] where there is none.
    pub fn next(&self) -> Instant {
        self.events.last().map_or(Instant::MAX, |(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Span, philox};

    #[test]
    fn events_come_in_order_of_time_and_then_of_adding() {
        let mut agenda = Agenda::default();
        let mut added: Vec<(Instant, u32)> = (0..500_u32)
            .map(|number| {
                let [word, ..] = philox([number, 0, 0, 0], [1, 2]);
                (Instant::ZERO + Span::from_millis(i64::from(word % 50)), number)
            })
            .collect();
        added.iter().for_each(|&(at, number)| agenda.push(at, number));
        // Numbers are those of adding.
        added.sort_unstable();
        assert_eq!(agenda.next(), added[0].0);
        assert_eq!(std::iter::from_fn(|| agenda.pop()).collect::<Vec<_>>(), added);
        assert_eq!(agenda.next(), Instant::MAX);
    }
}
