//! Air time of frames, and whether a capture has time for them.

use crate::model::{Capture, Link};
use base::{FrameId, Instant, Layer, Notes, Span};

/// Air time of one octet with O-QPSK at 2.4 GHz: 250 kbit/s, 32 µs an octet (IEEE Std 802.15.4-2020, 12.2.2).
pub(crate) const OCTET_AIR_TIME: Span = Span::from_micros(32);

/// Most frames that are plausibly on the air at once, on average over a whole capture: a channel carries one frame at a
/// time within radio range, and a wider network with so many senders is less likely than time stamps of another event.
/// Chosen here; it decides a warning only.
const PLAUSIBLE_REUSE: i64 = 4;

/// Most frames of a capture whose times are not doubted. Chosen here: a burst of a few frames may really overlap.
const FEWEST_FRAMES: usize = 32;

/// Warns when the frames could not have been sent within the time that their stamps span: a simulator that
/// stamps with the wall clock of its export (Cooja of Contiki 3.0 does), or a script that invents times.
pub(crate) fn doubt_times(capture: &Capture, notes: &mut Notes) {
    let Some((first, last)) = capture.window() else { return };
    let on_air: Span = (0..capture.frames.len())
        .map(FrameId::at)
        .filter(|&id| capture.first_sighting_of(id).is_none())
        .map(|id| end_of(capture, id) - capture.frames.get(id.index()).map_or(Instant::ZERO, |f| f.at))
        .sum();
    let elapsed = last - first;
    if on_air > elapsed.scale(PLAUSIBLE_REUSE, 1) && capture.frames.len() > FEWEST_FRAMES {
        notes.tally(Layer::Clock, "impossible-times", None, None, || {
            format!(
                "the frames are {on_air} long on the air, their time stamps span {elapsed}: they are not the times of \
                 sending, and timers, round trips and exchanges made of them mean nothing; of a Cooja run, open the \
                 Radio messages text log instead"
            )
        });
    }
}

/// Returns the time when the last kept octet of frame `id` had been sent; PHR and FCS are not counted. On links without
/// a known rate it is the frame's time stamp, and for an `id` that the capture lacks [`Instant::ZERO`].
pub(crate) fn end_of(capture: &Capture, id: FrameId) -> Instant {
    capture.frames.get(id.index()).map_or(Instant::ZERO, |frame| match frame.link {
        Link::Ieee802154 => {
            frame.at + OCTET_AIR_TIME.scale(i64::from(frame.octets.end.saturating_sub(frame.octets.start)), 1)
        }
        Link::Ethernet | Link::RawIp | Link::LoopbackIp | Link::Other(_) => frame.at,
    })
}
