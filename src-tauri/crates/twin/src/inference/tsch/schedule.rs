//! The schedule: one shared cell (RFC 8180), or the autonomous cells of Orchestra, computed from addresses.

use super::slots::Grid;
use crate::inference::air::{Air, AirFrame, NOBODY};
use crate::model::{CellRule, NodeId, Slotframe};
use base::{Cancelled, SharedProgress};
use std::cmp::Reverse;
use trace::{FrameType, MacAddr};

/// Longest slotframe looked for, in slots (Orchestra's beacons: 397, `orchestra-conf.h`).
const LONGEST: u32 = 401;
/// Frames that a schedule must explain, in hundredths. Chosen here: the rest are of another network or of a moment
/// before joining.
const EXPLAINED: usize = 95;
/// Least number of frames of a kind that show a slotframe. Chosen here: of 20 in random slots 19 are alike modulo 2 by
/// chance in less than one case in 20,000, and modulo more yet more seldom.
const FEWEST: usize = 20;
/// Channel offset of Orchestra's common cell (`orchestra-conf.h`).
const COMMON_CHANNEL: u8 = 0;
/// Channel offset of Orchestra's beacons (`orchestra-conf.h`).
const BEACON_CHANNEL: u8 = 1;
/// Channel offsets of Orchestra's unicast cells, by address (`orchestra-conf.h`).
const UNICAST_CHANNELS: [u8; 2] = [2, 3];

/// Returns the schedule that the frames follow, highest priority first; `None` where none does.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn of(air: &Air, grid: &Grid, progress: &SharedProgress<'_>) -> Result<Option<Vec<Slotframe>>, Cancelled> {
    let slots = || air.frames.iter().filter(|f| f.kind != FrameType::Ack).map(|f| grid.number(f.at));
    let all: Vec<(i64, i64)> = slots().map(|slot| (slot, 0)).collect();
    if let Some((length, shift)) = longest(&all, progress)? {
        let rule = CellRule::Shared;
        return Ok(Some(vec![Slotframe { length, shift, rule, channels: vec![COMMON_CHANNEL] }]));
    }
    orchestra(air, grid, progress)
}

/// Returns the channel offset of a frame under a schedule.
pub(super) fn channel(frames: &[Slotframe], frame: &AirFrame) -> u8 {
    let of = |wanted: &dyn Fn(&CellRule) -> bool, node: NodeId| {
        let slotframe = frames.iter().find(|slotframe| wanted(&slotframe.rule))?;
        slotframe.channels.get(usize::from(node)).or_else(|| slotframe.channels.first()).copied()
    };
    let channel = match frame.kind {
        FrameType::Beacon => of(&|rule| matches!(rule, CellRule::PerSender { .. }), frame.from),
        _ if frame.to != NOBODY => of(&|rule| matches!(rule, CellRule::PerReceiver { .. }), frame.to),
        _ => None,
    };
    channel.unwrap_or(COMMON_CHANNEL)
}

/// Returns whether a node whose parent is `parent` listens for its beacons in `slot`, whatever other cells it has
/// there: they come first (`tsch_schedule_get_next_active_link`, and the choice of the backup link in
/// `tsch_slot_operation`).
pub(super) fn awaits_beacon(frames: &[Slotframe], parent: Option<NodeId>, slot: i64) -> bool {
    let Some(parent) = parent else { return false };
    frames.iter().any(|frame| match &frame.rule {
        CellRule::PerSender { slots } => slots.get(usize::from(parent)).is_some_and(|&own| {
            (slot - i64::from(frame.shift) - i64::from(own)).rem_euclid(i64::from(frame.length).max(1)) == 0
        }),
        CellRule::Shared | CellRule::Common | CellRule::PerReceiver { .. } => false,
    })
}

/// Orchestra with receiver-based unicast cells: a node listens in the slot that is the last octet of its address modulo
/// the length.
fn orchestra(air: &Air, grid: &Grid, progress: &SharedProgress<'_>) -> Result<Option<Vec<Slotframe>>, Cancelled> {
    let hash = |node: NodeId| air.nodes.get(usize::from(node)).map_or(0, |&mac| i64::from(last_octet(mac)));
    let slot_of = |frame: &AirFrame| grid.number(frame.at);
    let is_attempt = |f: &&AirFrame| f.kind != FrameType::Ack && f.from != NOBODY && f.to != NOBODY;
    let unicast: Vec<(i64, i64)> = air.frames.iter().filter(is_attempt).map(|f| (slot_of(f), hash(f.to))).collect();
    let kind = |wanted: FrameType| air.frames.iter().filter(move |f| f.kind == wanted && f.to == NOBODY);
    let beacons: Vec<(i64, i64)> = kind(FrameType::Beacon).map(|f| (slot_of(f), hash(f.from))).collect();
    let broadcasts: Vec<(i64, i64)> = kind(FrameType::Data).map(|f| (slot_of(f), 0)).collect();
    let Some((unicast_length, unicast_shift)) = longest(&unicast, progress)? else { return Ok(None) };
    let numbers = |length: u16| {
        (0..air.nodes.len() as NodeId).map(|node| (hash(node) % i64::from(length.max(1))) as u16).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    if let Some((length, shift)) = longest(&beacons, progress)? {
        let rule = CellRule::PerSender { slots: numbers(length) };
        all.push(Slotframe { length, shift, rule, channels: vec![BEACON_CHANNEL] });
    }
    let channel = |node| UNICAST_CHANNELS[(hash(node) % UNICAST_CHANNELS.len() as i64) as usize];
    all.push(Slotframe {
        length: unicast_length,
        shift: unicast_shift,
        rule: CellRule::PerReceiver { slots: numbers(unicast_length) },
        channels: (0..air.nodes.len() as NodeId).map(channel).collect(),
    });
    if let Some((length, shift)) = longest(&broadcasts, progress)? {
        all.push(Slotframe { length, shift, rule: CellRule::Common, channels: vec![COMMON_CHANNEL] });
    }
    Ok(Some(all))
}

/// The longest slotframe in which (nearly) all of `seen`, slots with their own numbers, fall into the slot of their
/// number, and the slot where it begins. `None` where there is none.
fn longest(seen: &[(i64, i64)], progress: &SharedProgress<'_>) -> Result<Option<(u16, u16)>, Cancelled> {
    if seen.len() < FEWEST {
        return Ok(None);
    }
    let places = || seen.iter().map(|(slot, number)| slot - number);
    let first = places().min().unwrap_or(0);
    // Most captures fit: 2^32 slots of 10 ms are 16 months.
    let places: Vec<u32> = places().map(|place| u32::try_from(place - first).unwrap_or(u32::MAX)).collect();
    for length in (2..=LONGEST).rev() {
        progress.ask()?;
        let mut counts = [0_usize; LONGEST as usize];
        for place in &places {
            if let Some(count) = counts.get_mut((place % length) as usize) {
                *count += 1;
            }
        }
        let most = counts.iter().enumerate().max_by_key(|(shift, count)| (**count, Reverse(*shift)));
        if let Some((shift, _)) = most.filter(|(_, count)| **count * 100 >= seen.len() * EXPLAINED) {
            let shift = (first + shift as i64).rem_euclid(i64::from(length));
            return Ok(u16::try_from(length).ok().zip(u16::try_from(shift).ok()));
        }
    }
    Ok(None)
}

/// Last octet of a link-layer address, as it is written (ORCHESTRA_LINKADDR_HASH, `orchestra-conf.h`).
fn last_octet(mac: MacAddr) -> u8 {
    match mac {
        MacAddr::Extended([.., last]) => last,
        MacAddr::Short(short) => short.to_be_bytes()[1],
        MacAddr::None => 0,
    }
}
