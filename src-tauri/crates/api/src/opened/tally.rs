//! Counts of a capture for its summary.

use crate::view::{FateCounts, TimersView};
use base::{Instant, Span};
use trace::{Association, Copy, Fate, KnownTimers, TimerSource, Trace};

/// Counts the recorded copies by their fate, needless ones apart.
pub(super) fn fates(trace: &Trace) -> FateCounts {
    let mut counts = FateCounts::default();
    for exchange in &trace.exchanges {
        for (index, copy) in exchange.copies.iter().enumerate() {
            let one = match copy.fate {
                _ if table::needless(exchange, index) => &mut counts.needless,
                Fate::Answered { .. } => &mut counts.answered,
                Fate::ReplyLost => &mut counts.reply_lost,
                Fate::RequestLost | Fate::Lost => &mut counts.lost,
                Fate::Unknown => &mut counts.unknown,
            };
            *one = one.saturating_add(1);
        }
    }
    counts
}

/// Finds the two minutes of `window` with the most needless or lost copies ([`table::telling`]); `None`: show all.
pub(super) fn telling(trace: &Trace, window: (Instant, Instant)) -> Option<(Instant, Instant)> {
    let copies = trace.exchanges.iter().flat_map(|exchange| {
        let copy =
            |(index, copy): (usize, &Copy)| (copy.sent, table::fate(copy.fate), table::needless(exchange, index));
        exchange.copies.iter().enumerate().map(copy)
    });
    table::telling(copies, window)
}

/// Numbers of one association: copies, needless and lost ones, completion times.
#[derive(Debug, Default)]
pub(super) struct LaneCounts {
    /// Number of copies of all its exchanges.
    pub copies: u32,
    /// Number of needless copies.
    pub needless: u32,
    /// Number of copies that were lost before the server or somewhere unknown.
    pub lost: u32,
    /// Mean completion time of answered exchanges; `None` without any.
    pub completion: Option<Span>,
    /// 95th percentile of the completion times of answered exchanges; `None` without any.
    pub completion_p95: Option<Span>,
}

/// Counts the copies of `association` as orders of lanes need them, and averages its completion times.
pub(super) fn lane(trace: &Trace, association: &Association) -> LaneCounts {
    let mut counts = LaneCounts::default();
    let mut times: Vec<Span> = Vec::new();
    for exchange in association.exchanges.iter().filter_map(|id| trace.exchanges.get(id.index())) {
        for (index, copy) in exchange.copies.iter().enumerate() {
            counts.copies = counts.copies.saturating_add(1);
            counts.needless = counts.needless.saturating_add(u32::from(table::needless(exchange, index)));
            let is_lost = matches!(copy.fate, Fate::RequestLost | Fate::Lost);
            counts.lost = counts.lost.saturating_add(u32::from(is_lost));
        }
        times.extend(exchange.end.map(|end| end - exchange.start()));
    }
    let sum: i128 = times.iter().map(|time| i128::from(time.nanos())).sum();
    let mean = sum.checked_div(times.len() as i128);
    counts.completion = mean.map(|nanos| Span::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX)));
    counts.completion_p95 = table::completion_p95(times.into_iter());
    counts
}

/// Counts the known timers of recorded copies, and measures the gaps on the air where none is known.
pub(super) fn timers(trace: &Trace, known: &KnownTimers) -> TimersView {
    let mut view = TimersView::default();
    let widen = |range: &mut Option<(Span, Span)>, value: Span| {
        let (low, high) = range.unwrap_or((value, value));
        *range = Some((low.min(value), high.max(value)));
    };
    let (mut waits, mut times, mut count) = (0_i128, 0_i128, 0_i128);
    for exchange in &trace.exchanges {
        let mut next = exchange.copies.iter().skip(1);
        for (index, copy) in exchange.copies.iter().enumerate() {
            let gap = next.next().map(|next| next.sent - copy.sent);
            let timer = known.get(exchange.id, index);
            match timer.map(|timer| timer.source) {
                Some(TimerSource::Log) => view.log += 1,
                Some(TimerSource::Inferred) => view.inferred += 1,
                None => view.gaps += u32::from(gap.is_some()),
            }
            if index == 0 {
                if let Some(timer) = timer {
                    widen(&mut view.first, timer.value);
                }
                if let Some(gap) = gap {
                    widen(&mut view.first_gaps, gap);
                }
            }
        }
        let wait = known.get(exchange.id, 0).and_then(|timer| timer.wait);
        if let (Some((wait, _)), Some(end)) = (wait, exchange.end) {
            waits += i128::from(wait.nanos());
            times += i128::from((end - exchange.start()).nanos());
            count += 1;
        }
    }
    let mean = |sum: i128| i64::try_from(sum / count.max(1)).map_or(Span::ZERO, Span::from_nanos);
    view.wait = (count > 0).then(|| (mean(waits), mean(waits + times)));
    view
}

/// Counts the frames that carry a CoAP message, or a part of one.
pub(super) fn coap_frames(trace: &Trace) -> u32 {
    let frames = trace.messages.iter().flat_map(|message| message.hops()).flat_map(|hop| hop.frames.iter().copied());
    let mut carries = vec![false; trace.capture.frames.len()];
    for frame in frames {
        if let Some(one) = carries.get_mut(frame.index()) {
            *one = true;
        }
    }
    u32::try_from(carries.iter().filter(|&&carries| carries).count()).unwrap_or(u32::MAX)
}
