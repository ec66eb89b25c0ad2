//! Capture to trace: the stages in order.

use crate::context;
use crate::datagram::{DecodeOptions, Decoded, Walk};
use crate::keyring::Keyring;
use crate::link::{self, Links};
use crate::{Capture, Trace, join, reconstruct};
use base::{Cancelled, FrameId, Instant, Layer, MessageId, Notes, Progress};
use wire::lowpan::ContextTable;

/// Frames between two progress reports.
const STRIDE: usize = 4_096;

/// Decode every frame, join messages over their hops, rebuild exchanges.
///
/// # Errors
/// [`Cancelled`] when `progress` asks to stop; it is told frames done and frames in all.
pub fn analyse(mut capture: Capture, options: &DecodeOptions, progress: &mut dyn Progress) -> Result<Trace, Cancelled> {
    let mut notes = std::mem::take(&mut capture.notes);
    link::doubt_times(&capture, &mut notes);
    // Every stage has its own notes, so that they read in the order of the stages and not of the frames.
    let mut learned = Notes::new();
    let keyring = Keyring::learn(&capture, &options.keys, &options.addresses);
    let (contexts, context_origins) = context::learn(&capture, options, &keyring, &mut learned);
    let total = capture.frames.len();
    let mut ports = options.ports.clone();
    let (mut links, mut decoded) = walk(&capture, options, (&contexts, &keyring), &ports, progress)?;
    let guessed_ports = std::mem::take(&mut decoded.guessed);
    if !guessed_ports.is_empty() {
        ports.extend(guessed_ports.iter().map(|&(port, _)| port));
        (links, decoded) = walk(&capture, options, (&contexts, &keyring), &ports, progress)?;
        notes.remark(Layer::Udp, "port-guessed", None, None, || {
            let each =
                guessed_ports.iter().map(|(port, answered)| format!("{port} ({answered} requests acknowledged)"));
            let each: Vec<String> = each.collect();
            format!("CoAP is spoken on UDP ports that nobody named: {}; decoded as on the others", each.join(", "))
        });
    }
    notes.merge(std::mem::take(&mut links.notes));
    notes.merge(learned);
    notes.merge(decoded.notes);
    let (deliveries, reception) = links.deliveries();
    let (messages, paths, mut sightings) = join::join(&capture, &deliveries, decoded.datagrams);
    drop(deliveries);
    see_twins(&capture, &mut sightings);
    let end = capture.window().map_or(Instant::ZERO, |(_, end)| end);
    let (exchanges, associations) = reconstruct::reconstruct(&messages, &paths, end, &mut notes);
    if messages.is_empty() && total > 0 {
        notes.tally(Layer::Coap, "no-coap", None, None, || {
            format!("none of the {total} frames carries CoAP on the ports {ports:?}")
        });
    }
    // As decoded: the ports include the guessed ones.
    let options = DecodeOptions { ports, ..options.clone() };
    Ok(Trace {
        capture,
        messages,
        sightings,
        exchanges,
        associations,
        notes,
        options,
        contexts,
        context_origins,
        guessed_ports,
        keyring,
        reception,
    })
}

/// One pass over all frames.
fn walk<'a>(
    capture: &'a Capture,
    options: &DecodeOptions,
    known: (&ContextTable, &Keyring),
    ports: &[u16],
    progress: &mut dyn Progress,
) -> Result<(Links<'a>, Decoded), Cancelled> {
    let mut links = Links::new(capture);
    let mut walk = Walk::new(capture, options, known, ports);
    for (index, frame) in capture.frames.iter().enumerate() {
        if index % STRIDE == 0 && progress.tick(index as u64, capture.frames.len() as u64).is_break() {
            return Err(Cancelled);
        }
        let id = FrameId::at(index);
        let header = links.next(id, frame);
        walk.frame(id, frame, header.as_ref());
    }
    Ok((links, walk.finish()))
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
