//! A frame of a capture as the record of a file.

use crate::model::{Capture, Fcs, Frame, Link};
use base::FrameId;
use wire::ieee802154::fcs16;
use wire::tap::linktype;

/// Record of a frame in a file.
pub(super) struct FileRecord {
    /// Link type, a number of the pcap registry.
    pub(super) link: u16,
    /// Octets of the record: for 802.15.4 TAP metadata, PSDU and check sequence, for other links the frame.
    pub(super) octets: Vec<u8>,
    /// Length on the link, octets: that of `octets`, and one more for a frame that was cut, as the number of missing
    /// octets is not kept.
    pub(super) on_link: u32,
}

/// Returns the link type (pcap registry) that frames of `link` are written with.
pub(super) const fn link_type(link: Link) -> u16 {
    match link {
        Link::Ieee802154 => linktype::IEEE802_15_4_TAP,
        Link::Ethernet => linktype::ETHERNET,
        Link::RawIp | Link::LoopbackIp => linktype::RAW,
        Link::Other(number) => number,
    }
}

/// Returns the time of `frame`, nanoseconds from the Unix epoch, or from the start of a simulation.
#[must_use]
pub fn unix_nanos(capture: &Capture, frame: &Frame) -> i64 {
    capture.epoch_unix_nanos.unwrap_or(0).saturating_add(frame.at.nanos())
}

/// Returns the least [`unix_nanos`] of `frames`; 0 without any.
#[must_use]
pub fn earliest(capture: &Capture, frames: &[FrameId]) -> i64 {
    let frames = frames.iter().filter_map(|id| capture.frames.get(id.index()));
    frames.map(|frame| unix_nanos(capture, frame)).min().unwrap_or(0)
}

/// Makes the record of `frame`. A good check sequence is computed again, which gives the original; a bad one, which is
/// not kept, is replaced by the complement of the right one.
pub(super) fn record(capture: &Capture, frame: &Frame) -> FileRecord {
    let frame_octets = capture.octets_of(frame);
    let octets = match frame.link {
        Link::Ieee802154 => tap_of(frame, frame_octets),
        Link::Ethernet | Link::RawIp | Link::LoopbackIp | Link::Other(_) => frame_octets.to_vec(),
    };
    let len = u32::try_from(octets.len()).unwrap_or(u32::MAX);
    FileRecord { link: link_type(frame.link), octets, on_link: len.saturating_add(u32::from(frame.cut)) }
}

/// TAP metadata of a frame; absent values are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TapOf {
    /// True where its check sequence was right; `None`: it is written without one.
    pub is_good: Option<bool>,
    /// Channel number of page 0, 11 to 26 at 2.4 GHz.
    pub channel: Option<u8>,
    /// Received signal strength, dBm.
    pub rssi: Option<i8>,
    /// Link quality indicator, 0 to 255.
    pub lqi: Option<u8>,
    /// Start of frame on the receiver's own clock, nanoseconds from any origin.
    pub sof: Option<u64>,
}

fn tap_of(frame: &Frame, psdu: &[u8]) -> Vec<u8> {
    let is_good = match frame.fcs {
        _ if frame.cut => None,
        Fcs::Absent => None,
        Fcs::Good => Some(true),
        Fcs::Bad => Some(false),
    };
    tap(psdu, &TapOf { is_good, channel: frame.channel, rssi: frame.rssi, lqi: frame.lqi, sof: None })
}

/// Returns a PSDU (without FCS) behind its TAP metadata (IEEE 802.15.4 TAP link type specification, sections 2 and 3):
/// TLVs of type, length and value, little-endian, padded to four octets. A good check sequence is computed; a bad one
/// is the complement of it.
#[must_use]
pub fn tap(psdu: &[u8], of: &TapOf) -> Vec<u8> {
    let fcs = of.is_good.map(|is_good| if is_good { fcs16(psdu) } else { !fcs16(psdu) });
    let mut tlvs = Vec::with_capacity(48);
    let mut push = |kind: u16, value: &[u8]| {
        tlvs.extend(kind.to_le_bytes());
        tlvs.extend((value.len() as u16).to_le_bytes());
        tlvs.extend(value);
        tlvs.resize(tlvs.len().next_multiple_of(4), 0_u8);
    };
    push(0, &[u8::from(fcs.is_some())]);
    if let Some(rssi) = of.rssi {
        push(1, &f32::from(rssi).to_le_bytes());
    }
    if let Some(channel) = of.channel {
        // Channel and channel page; all channels that are read are of page 0.
        push(3, &[channel, 0, 0]);
    }
    if let Some(sof) = of.sof {
        push(5, &sof.to_le_bytes());
    }
    if let Some(lqi) = of.lqi {
        push(10, &[lqi]);
    }
    let length = (tlvs.len() as u16).saturating_add(4).to_le_bytes();
    let fcs: Vec<u8> = fcs.map(u16::to_le_bytes).into_iter().flatten().collect();
    [&[0, 0], &length[..], &tlvs, psdu, &fcs].concat()
}
