//! Timers of recorded copies: from a client's log, else inferred from the gaps between copies where the error is small.

use super::MoteLogs;
use crate::Error;
use crate::view::{TimerView, WaitView};
use base::{ExchangeId, Progress};
use replay::Record;
use replay::identify::gap_timeouts;
use std::path::Path;
use table::TimerMark;
use trace::{KnownTimer, KnownTimers, MacAddr, TimerSource, Trace};

/// Largest error of an inferred timer, as a share of it (numerator, denominator): the gap is the timer to a twentieth.
/// Chosen here: a dithered timer of RFC 7252 §4.8 spreads over half of its least value, and an error of a tenth of that
/// does not hide it.
/// `cargo test --release -p api --test timers -- --nocapture` prints how often the bounds hold.
const SMALL: (i64, i64) = (1, 20);

/// Returns the known timers of `trace`; `log` holds printed ones, `record` is the same trace for replays.
#[must_use]
pub(super) fn timers(trace: &Trace, record: &Record, log: &KnownTimers) -> KnownTimers {
    // Where a log tells timers of a client, what it leaves open is left open.
    let mut told = vec![false; trace.associations.len()];
    let association = |timer: &KnownTimer| trace.exchanges.get(timer.exchange.index()).map(|e| e.association.index());
    for place in log.all().iter().filter_map(association) {
        if let Some(told) = told.get_mut(place) {
            *told = true;
        }
    }
    let mut list = log.all().to_vec();
    for timeout in gap_timeouts(record) {
        let known = told.get(timeout.association.index()).copied().unwrap_or(false);
        if known
            || timeout.error > timeout.value.scale(SMALL.0, SMALL.1)
            || !at_once(trace, &timeout)
            || !follows(trace, &timeout)
        {
            continue;
        }
        list.push(KnownTimer {
            exchange: timeout.exchange,
            copy: u16::from(timeout.copy),
            value: timeout.value,
            error: timeout.error,
            source: TimerSource::Inferred,
            wait: None,
        });
    }
    KnownTimers::new(list)
}

/// Whether the client sends at once: in a network of 802.15.4 a copy waits in the queue of its node for a time that no
/// capture of the air bounds.
fn at_once(trace: &Trace, timeout: &replay::identify::Timeout) -> bool {
    let first = || {
        let copy = trace.exchanges.get(timeout.exchange.index())?.copies.first()?;
        trace.messages.get(copy.message.index())?.hops().next()
    };
    first().is_some_and(|hop| hop.src() == MacAddr::None)
}

/// Whether the copy and the next one of the capture were sent in succession, as far as their counts (RC option) say.
fn follows(trace: &Trace, timeout: &replay::identify::Timeout) -> bool {
    let count = |copy: usize| {
        let copy = trace.exchanges.get(timeout.exchange.index())?.copies.get(copy)?;
        trace.messages.get(copy.message.index())?.rc
    };
    let copy = usize::from(timeout.copy);
    match (count(copy), count(copy + 1)) {
        (Some(this), Some(next)) => this.checked_add(1) == Some(next),
        _ => true,
    }
}

/// Converts a timer for the bridge; `None` stays.
pub(crate) fn timer_view(timer: Option<TimerMark>) -> Option<TimerView> {
    timer.map(|timer| TimerView { value: timer.value, error: timer.error(), known: timer.kind })
}

/// Returns the wait of recorded copy `copy` (from 0) of `exchange` before the air; `None` where no log tells it.
pub(crate) fn wait_view(timers: &KnownTimers, exchange: ExchangeId, copy: usize) -> Option<WaitView> {
    let (value, error) = timers.get(exchange, copy)?.wait?;
    Some(WaitView { value, error })
}

/// Returns the known timers of a decoded trace; `path` is its file, beside which the clients' log may lie.
///
/// # Errors
/// [`crate::Code::Cancelled`].
pub fn known_timers(trace: &Trace, path: Option<&Path>, progress: &mut dyn Progress) -> Result<KnownTimers, Error> {
    let log = path.map(|path| MoteLogs::beside(path, trace)).unwrap_or_default();
    Ok(timers(trace, &Record::from_trace(trace, progress)?, &log.timers))
}
