//! The part of a capture that tells most about its timers, which is shown first.

use crate::columns::FateKind;
use base::{Instant, Span};

/// Length of the part. Chosen here: at the default timers of RFC 7252 (2 to 3 s, doubled four times, §4.8.2:
/// MAX_TRANSMIT_WAIT = 93 s) an exchange with all its copies fits, and at 900 pixels its first timer is 15 pixels long.
const LENGTH: Span = Span::from_secs(120);
/// Captures up to this length are shown whole. Chosen here: copies 2 s apart are still 6 pixels apart at 900 pixels.
const SHORT: Span = Span::from_secs(300);

/// Returns the two minutes of `start..=end` with the most needless or lost copies, the earliest of several, with those
/// copies in the middle; `None` where the capture is short or has no such copy. `copies` gives for each copy the time
/// of sending, its fate, and whether it was needless.
#[must_use]
pub fn telling(
    copies: impl IntoIterator<Item = (Instant, FateKind, bool)>,
    (start, end): (Instant, Instant),
) -> Option<(Instant, Instant)> {
    if end - start <= SHORT {
        return None;
    }
    let lost = |fate| matches!(fate, FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost);
    let copies = copies.into_iter().filter(|&(_, fate, needless)| needless || lost(fate));
    let mut sent: Vec<Instant> = copies.map(|(sent, ..)| sent).collect();
    sent.sort_unstable();
    let mut best = None;
    let mut most = 0;
    let mut until = 0;
    for (from, &first) in sent.iter().enumerate() {
        while sent.get(until).is_some_and(|&at| at - first <= LENGTH) {
            until += 1;
        }
        if until - from > most {
            most = until - from;
            best = sent.get(until - 1).map(|&last| (first, last));
        }
    }
    let (first, last) = best?;
    let latest = end - LENGTH;
    let from = first - (LENGTH - (last - first)).scale(1, 2);
    let from = from.clamp(start, latest);
    Some((from, from + LENGTH))
}
