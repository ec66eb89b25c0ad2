//! Captures put side by side in one, on their wall clocks, and sorted by time.

use crate::import::ImportError;
use crate::model::{Capture, Dropped, Frame, Origin};
use base::{FrameId, Layer, SourceId, Span};

/// Appends all of `captures` in their order to the first, in whose epoch times are then.
///
/// # Errors
/// [`ImportError::Empty`] without captures.
pub(super) fn by_side(captures: Vec<Capture>) -> Result<Capture, ImportError> {
    let mut captures = captures.into_iter();
    let mut all = captures.next().ok_or(ImportError::Empty)?;
    let rest: Vec<_> = captures.collect();
    if rest.is_empty() {
        return Ok(all);
    }
    let octets = rest.iter().map(|capture| capture.octets.len()).sum();
    let frames = rest.iter().map(|capture| capture.frames.len()).sum();
    all.octets.reserve_exact(octets);
    all.frames.reserve_exact(frames);
    all.origins = (0..all.frames.len()).map(|record| Origin { file: 0, record: FrameId::at(record) }).collect();
    all.files = vec![all.name.clone()];
    for capture in rest {
        append(&mut all, capture);
    }
    all.name = all.files.join(" + ");
    Ok(all)
}

fn append(all: &mut Capture, mut capture: Capture) {
    let (sources, frames, octets) = (all.sources.len(), all.frames.len(), all.octets.len());
    let file = u16::try_from(all.files.len()).unwrap_or(u16::MAX);
    let id = |id: FrameId| FrameId::at(frames + id.index());
    if octets + capture.octets.len() > u32::MAX as usize || frames + capture.frames.len() >= u32::MAX as usize {
        all.notes.tally(Layer::File, "too-large", None, None, || {
            format!("a trace holds at most 4 GiB of frames; {} was left out", capture.name)
        });
        return;
    }
    let apart = match (all.epoch_unix_nanos, capture.epoch_unix_nanos) {
        (Some(ours), Some(theirs)) => Span::from_nanos(theirs.saturating_sub(ours)),
        (ours, theirs) => {
            if ours.is_some() != theirs.is_some() {
                all.notes.remark(Layer::Clock, "no-wall-clock", None, None, || {
                    "one of the captures counts from the start of a simulation, the others do not".to_owned()
                });
            }
            Span::ZERO
        }
    };
    let shift = octets as u32;
    all.octets.append(&mut capture.octets);
    all.frames.extend(capture.frames.into_iter().map(|frame| Frame {
        at: frame.at + apart,
        octets: frame.octets.start + shift..frame.octets.end + shift,
        source: SourceId::at(sources + frame.source.index()),
        ..frame
    }));
    let name = capture.name;
    all.sources.extend(capture.sources.into_iter().map(|mut source| {
        // Names are made distinct.
        if all.files.len() == 1 || source.mote.is_none() {
            source.name = format!("{} of {name}", source.name);
        }
        source.file = file;
        source
    }));
    hear(all, frames, capture.heard, &capture.heard_by);
    all.annotations.file.append(&mut capture.annotations.file);
    all.annotations.names.append(&mut capture.annotations.names);
    all.annotations.names.sort_by_key(|&(address, _)| address);
    all.annotations.frames.extend(capture.annotations.frames.into_iter().map(|(frame, text)| (id(frame), text)));
    let dropped = |dropped: Dropped| Dropped { before: dropped.before.map(id), ..dropped };
    all.drops.extend(capture.drops.into_iter().map(dropped));
    capture.notes.renumber(id);
    all.notes.merge(capture.notes);
    all.file_len = all.file_len.saturating_add(capture.file_len);
    let records = all.frames.len() - frames;
    all.origins.extend((0..records).map(|record| Origin { file, record: FrameId::at(record) }));
    all.files.push(name);
}

/// Appends receivers where both captures tell them; else forgets all.
fn hear(all: &mut Capture, frames: usize, heard: Vec<std::ops::Range<u32>>, heard_by: &[u32]) {
    if all.heard.len() == frames && heard.len() == all.frames.len() - frames {
        let shift = u32::try_from(all.heard_by.len()).unwrap_or(u32::MAX);
        all.heard.extend(heard.into_iter().map(|r| r.start.saturating_add(shift)..r.end.saturating_add(shift)));
        all.heard_by.extend_from_slice(heard_by);
        return;
    }
    if !(all.heard.is_empty() && heard.is_empty()) {
        all.notes.tally(Layer::File, "receivers-dropped", None, None, || {
            "not every capture tells who received its frames; that was not used".to_owned()
        });
    }
    all.heard = Vec::new();
    all.heard_by = Vec::new();
}

/// Sorts the frames by time, and renumbers everything that names them.
pub(super) fn sort(capture: &mut Capture) {
    let mut order: Vec<u32> = (0..FrameId::at(capture.frames.len()).0).collect();
    order.sort_by_key(|&at| capture.frames.get(at as usize).map(|frame| frame.at));
    let mut new = vec![FrameId(0); order.len()];
    for (to, &from) in order.iter().enumerate() {
        if let Some(new) = new.get_mut(from as usize) {
            *new = FrameId::at(to);
        }
    }
    let id = |id: FrameId| new.get(id.index()).copied().unwrap_or(id);
    capture.frames = permuted(&capture.frames, &order);
    capture.origins = permuted(&capture.origins, &order);
    capture.heard = permuted(&capture.heard, &order);
    capture.annotations.frames.iter_mut().for_each(|(frame, _)| *frame = id(*frame));
    capture.annotations.frames.sort_by_key(|&(frame, _)| frame);
    capture.drops.iter_mut().for_each(|dropped| dropped.before = dropped.before.map(id));
    capture.notes.renumber(id);
    // The first frame of a transmission in the new order stands for all.
    let pairs = capture.duplicates.iter().map(|&(duplicate, first)| (id(duplicate), id(first))).collect();
    capture.duplicates = super::duplicates::settle(pairs);
}

fn permuted<T: Clone>(items: &[T], order: &[u32]) -> Vec<T> {
    order.iter().filter_map(|&at| items.get(at as usize).cloned()).collect()
}
