//! Timers that the motes of a log armed, matched to the copies of a capture of the same run.
//!
//! A client prints when it hands a copy to the network and arms its timer; the copy is on the air later, behind what
//! its node has to send already. Requests are matched by mote and Message ID. Within one, copies leave in the order in
//! which they were handed over, but some never leave: a copy has a timer only where one matching is possible.
//!
//! Log and capture may count time from different moments. No copy is on the air before it was handed over, and none
//! reaches the server after the server printed it: these two bound the difference.

use super::{EventKind, MoteLog};
use crate::analysis::Trace;
use crate::model::{Copy, Exchange, KnownTimer, KnownTimers, TimerSource};
use base::{Instant, Span};
use std::collections::BTreeMap;

/// Error of a printed timer, half the width of its range: the timer and the clock that it is set by are whole
/// milliseconds, cut off.
const PRINTED: Span = Span::from_millis(1);

/// A copy as its client handed it to the network.
#[derive(Clone, Copy)]
struct Handed {
    at: Instant,
    copy: u8,
    timeout: Span,
}

/// The requests of a log, by mote and Message ID: for each the requests in order, and their copies in order. A Message
/// ID comes again after 65,535 others.
type Requests = BTreeMap<(u32, u16), Vec<Vec<Handed>>>;

/// Bounds of the difference of the clocks: time of the capture less that of the log.
#[derive(Clone, Copy)]
struct Clock {
    /// Lower bound; `None` where no arrival at the server was printed.
    least: Option<Span>,
    /// Upper bound: the least difference between the first frame of a copy and its handing over.
    most: Span,
}

impl Clock {
    /// Returns the wait of a copy that was handed over at `handed` (log) and on the air at `sent` (capture), and half
    /// the width of its range; `None` where the difference is not bounded from below, or the bounds contradict each
    /// other.
    fn wait(self, handed: Instant, sent: Instant) -> Option<(Span, Span)> {
        let width = self.most - self.least.filter(|&least| least <= self.most)?;
        let half = width.scale(1, 2);
        Some((sent - handed - self.most + half, half))
    }

    /// Returns whether a copy that was handed over at `handed` may have been on the air at `sent`.
    fn allows(self, handed: Instant, sent: Instant) -> bool {
        sent - handed >= self.least.unwrap_or(self.most).min(self.most)
    }
}

impl MoteLog {
    /// Returns the timers of the copies of `trace` that its clients printed; a copy that is not matched without doubt
    /// has none.
    #[must_use]
    pub fn timers(&self, trace: &Trace) -> KnownTimers {
        let requests = self.requests();
        let exchanges: Vec<(u32, &Exchange)> = trace
            .associations
            .iter()
            .filter_map(|association| Some((trace.mote(association)?, association)))
            .flat_map(|(mote, association)| association.exchanges.iter().map(move |&id| (mote, id)))
            .filter_map(|(mote, id)| Some((mote, trace.exchanges.get(id.index())?)))
            .collect();
        let Some(clock) = self.clock(&requests, &exchanges) else { return KnownTimers::default() };
        let mut list = Vec::new();
        for (mote, exchange) in exchanges {
            let Some(request) = request(&requests, mote, exchange, clock) else { continue };
            let seen_at_client = trace
                .associations
                .get(exchange.association.index())
                .is_some_and(|association| association.correction.error == Span::ZERO);
            for (number, (copy, place)) in
                exchange.copies.iter().zip(matched(trace, exchange, request, clock)).enumerate()
            {
                let Some(handed) = place.and_then(|place| request.get(place)) else { continue };
                list.push(KnownTimer {
                    exchange: exchange.id,
                    copy: u16::try_from(number).unwrap_or(u16::MAX),
                    value: handed.timeout,
                    error: PRINTED,
                    source: TimerSource::Log,
                    wait: clock.wait(handed.at, copy.sent).filter(|_| seen_at_client),
                });
            }
        }
        KnownTimers::new(list)
    }

    fn requests(&self) -> Requests {
        let mut requests = Requests::new();
        for event in self.events() {
            let EventKind::Sent { mid, copy, timeout } = event.kind else { continue };
            let of_mid = requests.entry((event.mote, mid)).or_default();
            let handed = Handed { at: event.at, copy, timeout };
            match of_mid.last_mut() {
                Some(last) if last.last().is_some_and(|before| before.copy < copy) => last.push(handed),
                _ => of_mid.push(vec![handed]),
            }
        }
        requests
    }

    /// Bounds the difference of the clocks by requests that are unmistakable; `None` without one.
    fn clock(&self, requests: &Requests, exchanges: &[(u32, &Exchange)]) -> Option<Clock> {
        let mut received: BTreeMap<(u32, u16), Vec<Instant>> = BTreeMap::new();
        for event in self.events() {
            if let EventKind::Received { mid, from } = event.kind {
                received.entry((from, mid)).or_default().push(event.at);
            }
        }
        let mut times: BTreeMap<(u32, u16), u32> = BTreeMap::new();
        for &(mote, exchange) in exchanges {
            *times.entry((mote, exchange.mid)).or_default() += 1;
        }
        let mut most: Option<Span> = None;
        let mut arrivals: Vec<Span> = Vec::new();
        for &(mote, exchange) in exchanges {
            let key = (mote, exchange.mid);
            // One copy in the log and one in the capture: there is no other matching.
            let (Some([request]), Some(1)) = (requests.get(&key).map(Vec::as_slice), times.get(&key)) else { continue };
            let ([handed], 1) = (request.as_slice(), exchange.copies.len()) else { continue };
            let Some(copy) = exchange.copies.first() else { continue };
            most = most.into_iter().chain([copy.sent - handed.at]).min();
            if let (Some(&[printed]), Some(arrived)) = (received.get(&key).map(Vec::as_slice), copy.arrived) {
                arrivals.push(arrived - printed);
            }
        }
        // The server had some copies before the frame that is known to have brought them: a retry of one that was not
        // acknowledged. The middle of all is below the difference, unless that is so of half of them.
        arrivals.sort_unstable();
        let least = arrivals.get(arrivals.len() / 2).copied();
        most.map(|most| Clock { least, most })
    }
}

/// Returns the request of the log that `exchange` of `mote` shows: of several with its Message ID the last that was
/// handed over before.
fn request<'a>(requests: &'a Requests, mote: u32, exchange: &Exchange, clock: Clock) -> Option<&'a [Handed]> {
    let of_mid = requests.get(&(mote, exchange.mid))?;
    let before = |request: &&Vec<Handed>| request.first().is_some_and(|first| clock.allows(first.at, exchange.start()));
    of_mid.iter().rev().find(before).map(Vec::as_slice)
}

/// Returns, by copy of `exchange`, its position in `request` where only one is possible.
fn matched(trace: &Trace, exchange: &Exchange, request: &[Handed], clock: Clock) -> Vec<Option<usize>> {
    let copies: Vec<&Copy> = exchange.copies.iter().collect();
    let none = || vec![None; copies.len()];
    let count = |copy: &Copy| trace.messages.get(copy.message.index()).and_then(|message| message.rc);
    let counted: Option<Vec<u8>> =
        copies.iter().enumerate().map(|(index, copy)| count(copy).or((index == 0).then_some(0))).collect();
    if let Some(counted) = counted.filter(|counted| counted.windows(2).all(|pair| pair.first() < pair.last())) {
        return counted.iter().map(|number| request.iter().position(|handed| handed.copy == *number)).collect();
    }
    let may = |place: usize, copy: &Copy| request.get(place).is_some_and(|handed| clock.allows(handed.at, copy.sent));
    if copies.len() > request.len() || !copies.iter().enumerate().all(|(place, copy)| may(place, copy)) {
        return none();
    }
    // The earliest matching gives every copy its own place; the latest takes from the end whatever was handed over by
    // then.
    let mut latest = none();
    let mut end = request.len();
    for (copy, place) in copies.iter().zip(&mut latest).rev() {
        let Some(found) = (0..end).rev().find(|&candidate| may(candidate, copy)) else { return none() };
        (*place, end) = (Some(found), found);
    }
    latest.iter().enumerate().map(|(place, latest)| latest.filter(|&latest| latest == place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    #[test]
    fn the_wait_is_known_to_half_the_width_of_the_clock() {
        let clock = Clock { least: Some(Span::from_millis(-30)), most: Span::from_millis(10) };
        // Somewhere between 90 and 130 ms.
        assert_eq!(clock.wait(at(1_000), at(1_100)), Some((Span::from_millis(110), Span::from_millis(20))));
        assert!(clock.allows(at(1_000), at(970)) && !clock.allows(at(1_000), at(969)));
        let one_sided = Clock { least: None, ..clock };
        assert_eq!(one_sided.wait(at(1_000), at(1_100)), None, "without the other bound, no error can be said");
        let torn = Clock { least: Some(Span::from_millis(11)), ..clock };
        assert_eq!(torn.wait(at(1_000), at(1_100)), None, "two clocks that do not run alike");
    }
}
