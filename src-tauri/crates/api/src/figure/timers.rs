//! Timers of figures: those armed in a run, and of the recorded behaviour those that are known.

use super::cells::Figure;
use super::settings::choice;
use base::Span;
use rto::ParamSpec;
use table::ExchangeMark;
use table::columns::TimerKind;

/// Switch for recorded copies whose timer is not known.
pub(super) fn gaps() -> ParamSpec {
    choice(
        ("gaps", "Gaps on the air", "Values"),
        "Where a recorded timer is not known there is only the gap between two copies, which includes their waits in the client. Leave these copies out, or take gaps for timers.",
        &[("out", "left out"), ("in", "taken for timers")],
        "RFC 7252 §4.2: the timer starts when the client sends, not when the frame is on the air",
    )
}

/// Returns the timer of copy `index` (0 is the original) of `mark`; its gap on the air where it has none and
/// gaps are asked for, else `None`.
pub(super) fn of(figure: &Figure<'_>, mark: &ExchangeMark, index: usize) -> Option<Span> {
    let known = mark.copies.get(index)?.timer.map(|timer| timer.value);
    known.or_else(|| mark.gap(index).filter(|_| with_gaps(figure)))
}

fn with_gaps(figure: &Figure<'_>) -> bool {
    figure.settings.choice("gaps") == "in"
}

/// Returns a sentence for captions on the recorded timers of `figure`; `None` where it shows none.
pub(super) fn said(figure: &Figure<'_>) -> Option<String> {
    let (mut log, mut inferred, mut error, mut gaps) = (0_usize, 0_usize, Span::ZERO, 0_usize);
    let cells =
        (0..figure.captures()).flat_map(|c| (0..figure.behaviours.len()).filter_map(move |b| figure.cell(c, b)));
    for mark in cells.filter(|cell| cell.run.is_none()).flat_map(|cell| cell.timeline().exchanges()) {
        for (index, copy) in mark.copies.iter().enumerate() {
            match copy.timer.map(|timer| (timer.kind, timer.error())) {
                Some((TimerKind::Inferred, half)) => (inferred, error) = (inferred + 1, error.max(half)),
                Some((TimerKind::Log | TimerKind::Armed, _)) => log += 1,
                Some((TimerKind::Unknown, _)) | None => gaps += usize::from(mark.gap(index).is_some()),
            }
        }
    }
    let mut parts = Vec::new();
    if log > 0 {
        parts.push(format!("{log} from the clients’ log"));
    }
    if inferred > 0 {
        parts.push(format!("{inferred} inferred from gaps (± {error} at most)"));
    }
    if gaps > 0 {
        let what = if with_gaps(figure) { "taken for timers" } else { "left out, since copies wait in their client" };
        parts.push(format!("{gaps} known as gaps on the air only, {what}"));
    }
    (!parts.is_empty()).then(|| format!("Recorded timers: {}.", parts.join("; ")))
}
