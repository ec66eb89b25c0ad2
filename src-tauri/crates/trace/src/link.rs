//! Per frame: its MAC header, how long it was on the air, and whether the addressed node got it.

use crate::message::Delivery;
use crate::{Capture, Fcs, Link};
use base::{FrameId, Instant, Layer, Notes, Span};
use std::collections::HashMap;
use wire::ieee802154::{FrameType, MacAddr, MacHeader};

/// 802.15.4 O-QPSK at 2.4 GHz: 250 kbit/s, 32 µs an octet (IEEE 802.15.4-2020 table 12-1).
const OCTET_AIR_TIME: Span = Span::from_micros(32);

/// An acknowledgement follows its frame within the MAC's wait: 54 symbols of 16 µs in non-beacon
/// mode (macAckWaitDuration, IEEE 802.15.4-2006 7.4.2), 2.4 ms in TSCH (macTsTxAckDelay + macTsMaxAck,
/// IEEE 802.15.4-2020 table 8-96), and software ACKs of simulated nodes take as long; twice that is the limit here.
const ACK_WAIT: Span = Span::from_millis(6);

/// Unicast frames kept while their acknowledgement may still come.
const PENDING: usize = 32;

/// With at least this share of requested link-layer ACKs captured, a missing one means that the
/// frame was probably not received.
const ACKS_CAPTURED: (u64, u64) = (1, 2);

/// What the link layer says of every frame of a capture.
pub(crate) struct LinkView {
    /// MAC headers; `None` for other links, damaged headers, bad FCS and twins (see [`Capture::twins`]).
    pub headers: Vec<Option<MacHeader>>,
    /// Whether the addressed node got the frame.
    pub delivery: Vec<Delivery>,
}

/// A channel carries one frame at a time within radio range. A network so wide that this many nodes send
/// at once, on average and for the whole capture, is less likely than time stamps of another event.
const PLAUSIBLE_REUSE: i64 = 4;

/// Warn when the frames could not have been sent within the time that their stamps span: a simulator that
/// stamps with the wall clock of its export (Cooja of Contiki 3.0 does), or a script that invents times.
pub(crate) fn doubt_times(capture: &Capture, notes: &mut Notes) {
    let Some((first, last)) = capture.window() else { return };
    let on_air: Span = (0..capture.frames.len())
        .map(FrameId::at)
        .filter(|&id| capture.twin_of(id).is_none())
        .map(|id| end_of(capture, id) - capture.frames.get(id.index()).map_or(Instant::ZERO, |f| f.at))
        .sum();
    let elapsed = last - first;
    if on_air > elapsed.scale(PLAUSIBLE_REUSE, 1) && capture.frames.len() > PENDING {
        notes.tally(Layer::Clock, "impossible-times", None, None, || {
            format!(
                "the frames are {on_air} long on the air, their time stamps span {elapsed}: they are not the times of \
                 sending, and timers, round trips and exchanges made of them mean nothing; of a Cooja run, open the \
                 Radio messages text log instead"
            )
        });
    }
}

/// When the last octet of frame `id` was on the air. Links without a known rate: its time stamp.
pub(crate) fn end_of(capture: &Capture, id: FrameId) -> Instant {
    capture.frames.get(id.index()).map_or(Instant::ZERO, |frame| match frame.link {
        Link::Ieee802154 => {
            frame.at + OCTET_AIR_TIME.scale(i64::from(frame.octets.end.saturating_sub(frame.octets.start)), 1)
        }
        Link::Ethernet | Link::RawIp | Link::Other(_) => frame.at,
    })
}

struct Waiting {
    frame: FrameId,
    seq: Option<u8>,
    src: MacAddr,
    end: Instant,
}

/// Parse every MAC header and match acknowledgements to the frames they acknowledge.
pub(crate) fn view(capture: &Capture, notes: &mut Notes) -> LinkView {
    let mut headers = Vec::with_capacity(capture.frames.len());
    let mut motes: HashMap<MacAddr, u32> = HashMap::new();
    for (index, frame) in capture.frames.iter().enumerate() {
        let id = FrameId::at(index);
        // Another source's record stands for the transmission: counted twice, it would look like a retry.
        if frame.link != Link::Ieee802154 || capture.twin_of(id).is_some() {
            headers.push(None);
            continue;
        }
        if frame.fcs == Fcs::Bad {
            notes.tally(Layer::Link, "bad-fcs", Some(id), None, || {
                "the frame check sequence does not match; the frame is kept and not decoded".to_owned()
            });
            headers.push(None);
            continue;
        }
        match MacHeader::parse(capture.octets_of(frame)) {
            Ok(header) => {
                if let (MacAddr::Extended(_), Some(mote)) =
                    (header.src, capture.sources.get(frame.source.index()).and_then(|s| s.mote))
                {
                    motes.insert(header.src, mote);
                }
                headers.push(Some(header));
            }
            Err(error) => {
                notes.tally(Layer::Link, "malformed-mac-header", Some(id), Some(error.at as u64), || error.to_string());
                headers.push(None);
            }
        }
    }
    let delivery = match_acks(capture, &headers, &motes);
    LinkView { headers, delivery }
}

fn match_acks(capture: &Capture, headers: &[Option<MacHeader>], motes: &HashMap<MacAddr, u32>) -> Vec<Delivery> {
    let mut pending: Vec<Waiting> = Vec::with_capacity(PENDING);
    let mut acked = vec![false; headers.len()];
    let (mut requests, mut acks) = (0_u64, 0_u64);
    for (index, header) in headers.iter().enumerate() {
        let id = FrameId::at(index);
        let Some(header) = header else { continue };
        let Some(frame) = capture.frames.get(index) else { continue };
        if header.frame_type == FrameType::Ack {
            let hit = pending.iter().rposition(|w| {
                w.seq == header.seq
                    && (header.dst == MacAddr::None || header.dst == w.src)
                    && frame.at >= w.end - Span::from_millis(1)
                    && frame.at <= w.end + ACK_WAIT
            });
            if let Some(hit) = hit {
                acks += 1;
                if let Some(flag) = acked.get_mut(pending.remove(hit).frame.index()) {
                    *flag = true;
                }
            }
        } else if wants_ack(header) {
            requests += 1;
            if pending.len() == PENDING {
                pending.remove(0);
            }
            pending.push(Waiting { frame: id, seq: header.seq, src: header.src, end: end_of(capture, id) });
        }
    }
    let acks_captured = requests > 0 && acks * ACKS_CAPTURED.1 >= requests * ACKS_CAPTURED.0;
    let judge = |(index, header): (usize, &Option<MacHeader>)| {
        let Some(header) = header.as_ref().filter(|header| wants_ack(header)) else { return Delivery::Unknown };
        let acked = acked.get(index) == Some(&true);
        let heard = capture.heard(FrameId::at(index)).zip(motes.get(&header.dst)).map(|(by, mote)| by.contains(mote));
        match (heard, acked) {
            // An ACK without addresses may be another frame's; who received this one, the log knows.
            (Some(false), _) => Delivery::No,
            (_, true) => Delivery::Yes,
            // The radio had it, the MAC did not answer: it dropped the frame, or the channel was taken.
            (Some(true), false) if acks_captured => Delivery::Unknown,
            (Some(true), false) => Delivery::Yes,
            (None, false) if acks_captured => Delivery::Unlikely,
            (None, false) => Delivery::Unknown,
        }
    };
    headers.iter().enumerate().map(judge).collect()
}

fn wants_ack(header: &MacHeader) -> bool {
    header.frame_type != FrameType::Ack && header.ack_request && header.dst != MacAddr::BROADCAST
}
