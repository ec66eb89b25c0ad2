//! Counts of a capture for its summary.

use crate::view::{FateCounts, TimersView};
use base::Span;
use table::Timeline;
use table::columns::{FateKind, TimerKind};
use trace::{KnownTimers, Trace};

/// Counts the copies of the recorded behaviour by their fate, needless ones apart.
pub(super) fn fates(recorded: &Timeline) -> FateCounts {
    let mut counts = FateCounts::default();
    for copy in recorded.exchanges().flat_map(|mark| &mark.copies) {
        let one = match copy.fate {
            _ if copy.needless => &mut counts.needless,
            FateKind::Answered => &mut counts.answered,
            FateKind::ReplyLost => &mut counts.reply_lost,
            FateKind::RequestLost | FateKind::Lost => &mut counts.lost,
            FateKind::Unknown => &mut counts.unknown,
        };
        *one = one.saturating_add(1);
    }
    counts
}

/// Counts the timers of recorded copies that are known, and measures what the air shows instead.
pub(super) fn timers(recorded: &Timeline, known: &KnownTimers) -> TimersView {
    let mut view = TimersView::default();
    let widen = |range: &mut Option<(Span, Span)>, value: Span| {
        let (low, high) = range.unwrap_or((value, value));
        *range = Some((low.min(value), high.max(value)));
    };
    let (mut waits, mut times, mut count) = (0_i128, 0_i128, 0_i128);
    for mark in recorded.exchanges() {
        for (index, copy) in mark.copies.iter().enumerate() {
            let gap = mark.gap(index);
            match copy.timer.map(|timer| timer.kind) {
                Some(TimerKind::Log | TimerKind::Armed) => view.log += 1,
                Some(TimerKind::Inferred) => view.inferred += 1,
                Some(TimerKind::Unknown) | None => view.gaps += u32::from(gap.is_some()),
            }
            if index == 0 {
                if let Some(timer) = copy.timer {
                    widen(&mut view.first, timer.value);
                }
                if let Some(gap) = gap {
                    widen(&mut view.first_gaps, gap);
                }
            }
        }
        let wait = known.get(mark.exchange, 0).and_then(|timer| timer.wait);
        if let (Some((wait, _)), Some(end)) = (wait, mark.end) {
            waits += i128::from(wait.nanos());
            times += i128::from((end - mark.start()).nanos());
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
