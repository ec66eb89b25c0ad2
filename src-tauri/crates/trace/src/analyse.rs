//! Capture to trace: the stages in order.

use crate::context;
use crate::datagram::{DecodeOptions, Walk};
use crate::{Capture, Trace, join, link, reconstruct};
use base::{Cancelled, FrameId, Instant, Layer, MessageId, Progress};

/// Frames between two progress reports.
const STRIDE: usize = 4_096;

/// Decode every frame, join messages over their hops, rebuild exchanges.
///
/// # Errors
/// [`Cancelled`] when `progress` asks to stop; it is told frames done and frames in all.
pub fn analyse(mut capture: Capture, options: &DecodeOptions, progress: &mut dyn Progress) -> Result<Trace, Cancelled> {
    let mut notes = std::mem::take(&mut capture.notes);
    link::doubt_times(&capture, &mut notes);
    let links = link::view(&capture, &mut notes);
    let contexts = context::learn(&capture, &links, options, &mut notes);
    let total = capture.frames.len();
    let mut walk = Walk::new(&capture, &links, options, &contexts, &mut notes);
    for index in 0..total {
        if index % STRIDE == 0 && progress.tick(index as u64, total as u64).is_break() {
            return Err(Cancelled);
        }
        walk.frame(FrameId::at(index));
    }
    let (messages, mut sightings) = join::join(walk.finish());
    see_twins(&capture, &mut sightings);
    let end = capture.window().map_or(Instant::ZERO, |(_, end)| end);
    let (exchanges, associations) = reconstruct::reconstruct(&messages, end);
    if messages.is_empty() && total > 0 {
        notes.tally(Layer::Coap, "no-coap", None, None, || {
            format!("none of the {total} frames carries CoAP on the ports {:?}", options.ports)
        });
    }
    Ok(Trace { capture, messages, sightings, exchanges, associations, notes })
}

/// A frame whose twin completes a message completes it too.
fn see_twins(capture: &Capture, sightings: &mut Vec<(FrameId, MessageId)>) {
    if capture.twins.is_empty() {
        return;
    }
    sightings.sort_unstable();
    let message_of = |id: FrameId| {
        let at = sightings.binary_search_by_key(&id, |&(frame, _)| frame).ok()?;
        sightings.get(at).map(|&(_, message)| message)
    };
    let twins: Vec<_> = capture.twins.iter().filter_map(|&(twin, first)| Some((twin, message_of(first)?))).collect();
    sightings.extend(twins);
    sightings.sort_unstable();
}
