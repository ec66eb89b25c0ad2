//! Search for the next or previous event of a behaviour from the playhead, without a scan of the whole capture.

use crate::timeline::Timeline;
use crate::timeline::marks::ExchangeMark;
use base::{AssociationId, ExchangeId, Instant};

/// Event of an exchange: a copy is sent, or its reply arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event<'a> {
    /// Time of the event.
    pub at: Instant,
    /// Exchange to which it belongs.
    pub mark: &'a ExchangeMark,
    /// Number of the copy, from 0; `None` for the closing reply.
    pub copy: Option<usize>,
}

impl<'a> Event<'a> {
    /// Returns all events of an exchange: its copies in order, then the closing reply.
    pub fn of(mark: &'a ExchangeMark) -> impl Iterator<Item = Self> {
        let copies = mark.copies.iter().enumerate().map(move |(index, c)| Self { at: c.sent, mark, copy: Some(index) });
        copies.chain(mark.end.map(|at| Self { at, mark, copy: None }))
    }

    /// Sort key: time, then association, exchange and copy.
    #[must_use]
    pub const fn order(&self) -> (Instant, AssociationId, ExchangeId, Option<usize>) {
        (self.at, self.mark.association, self.mark.exchange, self.copy)
    }
}

impl Timeline {
    /// Returns the first event later than `at` among those that `of` picks from an exchange; `None` where there is
    /// none.
    pub fn next_event<'a, I: Iterator<Item = Event<'a>>>(
        &'a self,
        at: Instant,
        of: impl Fn(&'a ExchangeMark) -> I,
    ) -> Option<Event<'a>> {
        let mut best: Option<Event<'a>> = None;
        for (lane, index) in self.lanes.iter().zip(&self.index) {
            for mark in lane.get(index.beyond(at)..).unwrap_or_default() {
                // Exchanges stand in order of start, so later ones have no earlier event.
                if best.is_some_and(|best| mark.start() > best.at) {
                    break;
                }
                best = best.into_iter().chain(of(mark).filter(|event| event.at > at)).min_by_key(Event::order);
            }
        }
        best
    }

    /// Returns the last event earlier than `at` among those that `of` picks from an exchange; `None` where there is
    /// none.
    pub fn previous_event<'a, I: Iterator<Item = Event<'a>>>(
        &'a self,
        at: Instant,
        of: impl Fn(&'a ExchangeMark) -> I,
    ) -> Option<Event<'a>> {
        let mut best: Option<Event<'a>> = None;
        for (lane, index) in self.lanes.iter().zip(&self.index) {
            let until = lane.partition_point(|mark| mark.start() < at);
            for (place, mark) in lane.iter().enumerate().take(until).rev() {
                // No mark of this exchange or of an earlier one is as late.
                if best.is_some_and(|best| index.reach(place).is_some_and(|reach| reach < best.at)) {
                    break;
                }
                best = best.into_iter().chain(of(mark).filter(|event| event.at < at)).max_by_key(Event::order);
            }
        }
        best
    }

    /// Returns the first copy of an exchange that `other` does not send: the moment from which both behaviours differ;
    /// `None` where it sends them all.
    #[must_use]
    pub fn parts_from<'a>(other: &Self, mark: &'a ExchangeMark) -> Option<Event<'a>> {
        let shared = other.find(mark.association, mark.exchange).map_or(0, |twin| twin.copies.len());
        mark.copies.get(shared).map(|copy| Event { at: copy.sent, mark, copy: Some(shared) })
    }
}

#[cfg(test)]
mod tests {
    use super::Event;
    use crate::columns::{FateKind, OutcomeKind};
    use crate::timeline::Timeline;
    use crate::timeline::marks::{CopyMark, ExchangeMark};
    use base::{AssociationId, ExchangeId, Instant, Span};
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};
    use trace::OneOrMany;

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    /// Draws two lanes of exchanges in order of start, each with copies in order and perhaps an end.
    fn timelines() -> impl Strategy<Value = Timeline> {
        let one = (0_i64..150, vec(0_i64..60, 0..4), 0_i64..90);
        vec(vec(one, 0..12), 2).prop_map(|lanes| {
            let mut number = 0;
            let lanes = lanes.into_iter().enumerate().map(|(lane, mut drawn)| {
                drawn.sort_by_key(|one| one.0);
                let mark = |(start, gaps, end): (i64, Vec<i64>, i64)| {
                    number += 1;
                    let mut sent: Vec<i64> = gaps.iter().map(|gap| start + gap).chain([start]).collect();
                    sent.sort_unstable();
                    ExchangeMark {
                        exchange: ExchangeId(number),
                        association: AssociationId::at(lane),
                        copies: sent.into_iter().map(copy).collect(),
                        end: (end % 3 > 0).then(|| at(start + end)),
                        late: OneOrMany::new(),
                        outcome: OutcomeKind::Acked,
                    }
                };
                drawn.into_iter().map(mark).collect()
            });
            Timeline::new(lanes.collect())
        })
    }

    fn copy(sent: i64) -> CopyMark {
        CopyMark {
            sent: at(sent),
            arrived: None,
            timer: None,
            fate: FateKind::Answered,
            rtt: None,
            needless: sent % 4 == 0,
            supported: true,
        }
    }

    fn needless(mark: &ExchangeMark) -> impl Iterator<Item = Event<'_>> {
        Event::of(mark).filter(|event| event.copy.is_some_and(|copy| event.mark.copies[copy].needless))
    }

    proptest! {
        #[test]
        fn is_what_a_look_at_everything_finds(timeline in timelines(), other in timelines(), from in -5_i64..260) {
            let from = at(from);
            let all = || timeline.exchanges().flat_map(Event::of);
            let later = all().filter(|event| event.at > from).min_by_key(Event::order);
            let earlier = all().filter(|event| event.at < from).max_by_key(Event::order);
            prop_assert_eq!(timeline.next_event(from, Event::of), later);
            prop_assert_eq!(timeline.previous_event(from, Event::of), earlier);

            let some = || timeline.exchanges().flat_map(needless);
            let later = some().filter(|event| event.at > from).min_by_key(Event::order);
            let earlier = some().filter(|event| event.at < from).max_by_key(Event::order);
            prop_assert_eq!(timeline.next_event(from, needless), later);
            prop_assert_eq!(timeline.previous_event(from, needless), earlier);

            for mark in timeline.exchanges() {
                let twin = other.lanes[mark.association.index()].iter().find(|e| e.exchange == mark.exchange);
                let extra = mark.copies.get(twin.map_or(0, |twin| twin.copies.len())).map(|copy| copy.sent);
                prop_assert_eq!(Timeline::parts_from(&other, mark).map(|event| event.at), extra);
            }
        }
    }
}
