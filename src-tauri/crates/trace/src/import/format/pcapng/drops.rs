//! Packets that an interface met and that are not in the file (draft-ietf-opsawg-pcapng): before a packet,
//! `epb_dropcount` (section 4.3) or the obsolete packet block's own field (appendix A); in all since the capture began,
//! `isb_ifdrop` and `isb_osdrop` (section 4.6).
//!
//! Both tell of the same packets, the first with the place where they are missing. So what is noted without a place is
//! only what the statistics have beyond that.

use super::annotation::entries;
use super::interface::{Drops, Interface};
use super::{Order, kind};
use crate::import::builder::CaptureBuilder;
use crate::model::Dropped;
use base::{FrameId, Layer};

/// Code of `epb_dropcount`, 64 bits: packets dropped since the packet before.
const BEFORE: u16 = 4;

/// Code of `isb_ifdrop`, 64 bits: packets dropped by the interface since the capture began.
const BY_INTERFACE: u16 = 5;

/// Code of `isb_osdrop`, 64 bits: packets dropped by the system since the capture began.
const BY_SYSTEM: u16 = 7;

/// Drop count of an obsolete packet block whose writer does not know it.
const UNKNOWN: u16 = u16::MAX;

/// Notes the packets that `interface` dropped before the packet in `block`, of type `kind` and with `options`, which is
/// about to become a frame.
pub(super) fn before(
    order: Order,
    kind: u32,
    block: &[u8],
    options: &[u8],
    interface: &mut Interface,
    builder: &mut CaptureBuilder,
) {
    let dropped = match kind {
        kind::PACKET => order.u16(block, 10).filter(|&dropped| dropped != UNKNOWN).map_or(0, u64::from),
        _ => value(order, options, BEFORE).unwrap_or(0),
    };
    if dropped == 0 {
        return;
    }
    interface.drops.placed = interface.drops.placed.saturating_add(dropped);
    let id = builder.next();
    note(dropped, Some(id), builder, || {
        format!("{} dropped {dropped} that it met before frame {id}: they are missing there", interface.name)
    });
}

/// Keeps the drop counts of an interface statistics block, which is of one of `interfaces`.
pub(super) fn of_statistics(order: Order, block: &[u8], interfaces: &mut [Interface]) {
    let interface = order.u32(block, 8).and_then(|index| interfaces.get_mut(index as usize));
    let options = block.get(20..block.len().saturating_sub(4)).unwrap_or_default();
    if let Some(Interface { drops, .. }) = interface {
        let of = |code| value(order, options, code).filter(|&count| count != u64::MAX).unwrap_or(0);
        drops.counted = drops.counted.max(of(BY_INTERFACE).saturating_add(of(BY_SYSTEM)));
    }
}

/// Notes the drops of `interfaces` without a known place, at the end of their section.
pub(super) fn settle(interfaces: &[Interface], builder: &mut CaptureBuilder) {
    for Interface { name, drops: Drops { placed, counted }, .. } in interfaces {
        let elsewhere = counted.saturating_sub(*placed);
        if elsewhere > 0 {
            note(elsewhere, None, builder, || {
                format!(
                    "by its statistics, {name} dropped {counted} that it met; where {elsewhere} of them are missing is not told"
                )
            });
        }
    }
}

fn note(count: u64, frame: Option<FrameId>, builder: &mut CaptureBuilder, text: impl FnOnce() -> String) {
    builder.drops.push(Dropped { before: frame, count });
    builder.notes.tally_many(count, Layer::File, "dropped-by-sniffer", frame, None, text);
}

/// Returns the value of the first option `code`, if it has 64 bits.
fn value(order: Order, options: &[u8], code: u16) -> Option<u64> {
    let (_, value) = entries(order, options).find(|&(found, _)| found == code)?;
    let octets = *value.first_chunk()?;
    Some(match order {
        Order::Big => u64::from_be_bytes(octets),
        Order::Little => u64::from_le_bytes(octets),
    })
}
