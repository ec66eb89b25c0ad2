//! Several recordings of one network to one capture on one clock.
//!
//! ```text
//! captures ──► side by side ──► common frames ──► clock of each recording ──► duplicates ──► one Capture
//!              wall clocks      anchor            fit                         duplicate
//! ```
//!
//! Two sniffers that hear one transmission record the same octets. Their clocks are aligned by frames that each of them
//! recorded once. Frames with the same octets at the same time on the common clock are *duplicate sightings* of one
//! transmission. They stay, each with its own source, signal strength and time; [`Capture::duplicates`] names the frame
//! that stands for the transmission, so that it counts once.
//!
//! A recording has one clock: a sniffer, an interface, or a whole Cooja log, whose sources are senders.
//! Only 802.15.4 is matched: a datagram on a wire passes two interfaces one after the other, a frame on the air is
//! heard everywhere at once (300 m are 1 µs).

mod anchor;
mod duplicates;
mod fit;
mod side;

use crate::import::ImportError;
use crate::import::clock::LONGEST;
use crate::model::{Alignment, Capture, ClockReport, Link};
use anchor::Groups;
use base::{FrameId, Layer, SourceId, Span};
use fit::Clock;

/// Joins `captures` of one network, on the clock of the recording that has most in common with the others.
///
/// Frames come in the order of their common time; of one capture alone, in the order of the file. [`Capture::clocks`]
/// says how clocks differ, [`Capture::duplicates`] what was heard twice. Who received a frame ([`Capture::heard`]) is
/// kept only where every capture tells. What several sniffers or interfaces recorded in one file, [`crate::open`] joins
/// so.
///
/// # Errors
/// [`ImportError::Empty`] without captures, [`ImportError::TooLong`] when they are too far apart in time.
pub fn merge(captures: Vec<Capture>) -> Result<Capture, ImportError> {
    let is_one = captures.len() == 1;
    let mut capture = side::by_side(captures)?;
    align(&mut capture);
    if let Some((first, last)) = capture.window()
        && last - first > LONGEST
    {
        let days = (last - first).nanos() / Span::from_secs(86_400).nanos();
        return Err(ImportError::TooLong { days: days.unsigned_abs() });
    }
    if !is_one {
        side::sort(&mut capture);
    }
    Ok(capture)
}

/// Brings all recordings of `capture` to one clock, and links the duplicate sightings of one transmission. Leaves a
/// capture of one recording, and one whose recordings have nothing in common, as it is.
pub(crate) fn align(capture: &mut Capture) {
    let recordings = recordings(capture);
    let count = recordings.iter().flatten().max().map_or(0, |last| last + 1);
    if count < 2 {
        return;
    }
    let mut groups = Groups::of(capture, &recordings, count);
    let mut frames: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (index, frame) in (0..).zip(&capture.frames) {
        if let Some(&Some(recording)) = recordings.get(frame.source.index())
            && let Some(frames) = frames.get_mut(recording)
        {
            frames.push(index);
        }
    }
    let report = |capture: &Capture, recording: usize, alignment| {
        let own = frames.get(recording).map(Vec::as_slice).unwrap_or_default();
        let first = own.first().and_then(|&at| capture.frames.get(at as usize));
        ClockReport { source: first.map(|frame| frame.source).unwrap_or_default(), frames: own.len(), alignment }
    };
    let reference = groups.reference();
    let mut clocks = vec![report(capture, reference, Alignment::Reference)];
    groups.take(reference);
    groups.join(capture, reference, Span::ZERO);
    while let Some(next) = groups.next() {
        let common = groups.common(capture, next);
        let Some(clock) = Clock::fit(&common) else {
            clocks.push(report(capture, next, Alignment::Unaligned { common: common.len() }));
            continue;
        };
        for &at in frames.get(next).into_iter().flatten() {
            if let Some(frame) = capture.frames.get_mut(at as usize) {
                frame.at = clock.correct(frame.at);
            }
        }
        groups.join(capture, next, clock.window());
        clocks.push(report(capture, next, Alignment::Fitted(clock.report())));
    }
    capture.duplicates = groups.duplicates();
    // Interfaces of one file that have nothing in common listened to different things: nothing to say.
    let is_said = |clock: &ClockReport| match clock.alignment {
        Alignment::Reference => false,
        Alignment::Fitted(_) => true,
        Alignment::Unaligned { common } => common >= fit::LEAST || capture.files.len() > 1,
    };
    if clocks.iter().any(is_said) {
        clocks.retain(|clock| is_said(clock) || clock.alignment == Alignment::Reference);
        capture.clocks = clocks;
        note(capture);
    }
}

/// Returns the recording of each source, numbered from 0, by source; `None` for sources without 802.15.4 frames.
pub(crate) fn recordings(capture: &Capture) -> Vec<Option<usize>> {
    let mut recordings = vec![None; capture.sources.len()];
    let mut heard = vec![false; capture.sources.len()];
    for frame in capture.frames.iter().filter(|frame| frame.link == Link::Ieee802154) {
        if let Some(heard) = heard.get_mut(frame.source.index()) {
            *heard = true;
        }
    }
    let mut count = 0;
    // Motes of one file have the simulation's clock.
    let mut simulation = None;
    for (at, source) in capture.sources.iter().enumerate().filter(|&(at, _)| heard.get(at) == Some(&true)) {
        let shared = simulation.filter(|&(file, _)| source.mote.is_some() && file == source.file);
        let recording = shared.map_or(count, |(_, recording)| recording);
        if source.mote.is_some() {
            simulation = Some((source.file, recording));
        }
        count = count.max(recording + 1);
        if let Some(slot) = recordings.get_mut(at) {
            *slot = Some(recording);
        }
    }
    recordings
}

/// Notes the alignment of clocks and the duplicate sightings.
fn note(capture: &mut Capture) {
    let Capture { notes, sources, clocks, duplicates, .. } = capture;
    let name = |id: SourceId| sources.get(id.index()).map_or("a source", |source| source.name.as_str());
    let Some(reference) = clocks.first() else { return };
    for clock in clocks.iter() {
        match clock.alignment {
            Alignment::Reference => {}
            Alignment::Fitted(fit) => notes.remark(Layer::Clock, "clock-aligned", None, None, || {
                format!(
                    "the clock of {} was {} apart from that of {} and gained {} ppb; {} common frames agree to {} (median) and {} \
                     (99 %) after correction",
                    name(clock.source),
                    fit.offset,
                    name(reference.source),
                    fit.drift_ppb,
                    fit.common,
                    fit.residual_median,
                    fit.residual_p99
                )
            }),
            Alignment::Unaligned { common } => {
                notes.tally(Layer::Clock, "clock-not-aligned", None, None, || {
                    format!(
                        "{} and {} have {common} frames in common that tell how their clocks differ, too few; its time is \
                         that of its file, and what both heard counts twice",
                        name(clock.source),
                        name(reference.source)
                    )
                });
            }
        }
    }
    if let Some(&(duplicate, first)) = duplicates.first() {
        notes.remark(Layer::Link, "duplicate-sightings", Some(duplicate), None, || {
            let total = duplicates.len();
            format!(
                "shows the transmission that frame {} shows, heard by another source; {total} such frames count once",
                number(first)
            )
        });
    }
}

/// Returns the number of a frame from 1, as people count.
fn number(id: FrameId) -> u64 {
    u64::from(id.0) + 1
}
