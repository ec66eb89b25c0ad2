//! TSCH machines: slots, schedule, attempts, and links from frames that met no other.

mod schedule;
mod slots;

use super::air::{Air, AirFrame, NOBODY, Table, Tally};
use super::disturbance;
use super::exchanges::Exchanges;
use super::links::{Links, adjacent};
use super::packets::Packets;
use super::shrinkage::Priors;
use crate::model::{
    CellRule, Evidence, Known, Mac, Matrix, NodeId, Parameter, Slotframe, Stack, StackFinding, StackKnown, StackTsch,
    Tsch,
};
use base::{Cancelled, SharedProgress, Span};
use slots::{Grid, Slot};
use std::cmp::Reverse;

/// Least number of meetings, pseudo-observations of alike pairs included, that tell whether one node disturbs another.
/// Chosen here: of ten the 90 % interval of a share is ± 0.26 at most; `cargo test -p twin --test machines` repeats it
/// on bundled networks.
const FEWEST_MEETINGS: f64 = 10.0;

/// Slots and cells that the frames of a capture follow.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    grid: Grid,
    /// Slotframes, the highest priority first.
    slotframes: Vec<Slotframe>,
}

impl Schedule {
    /// Returns the schedule that the frames of `air` follow; `None` where they follow none.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn of(air: &Air, progress: &SharedProgress<'_>) -> Result<Option<Self>, Cancelled> {
        for grid in Grid::all(air) {
            if let Some(slotframes) = schedule::of(air, &grid, progress)? {
                return Ok(Some(Self { grid, slotframes }));
            }
        }
        Ok(None)
    }

    /// Returns the longest time from one attempt of a packet to the next.
    pub fn longest_back_off(&self) -> Span {
        longest_back_off(self.grid.slot, &self.slotframes)
    }
}

/// Returns the longest time from one attempt of a packet to the next in cells of `slotframes`: the longest window that
/// any stack draws, 2^7 cells (IEEE Std 802.15.4-2020, `macMaxBe`). Stacks with shorter ones have the rest for beacons,
/// broadcasts and packets to other neighbours, which may take cells before it.
pub(super) fn longest_back_off(slot: Span, slotframes: &[Slotframe]) -> Span {
    let exponents = Stack::all().iter().filter_map(|stack| Some(stack.tsch?.max_exponent));
    // A window of 0 to 2^BE − 1 cells, then the next one (`tsch_queue_backoff_inc`, tsch-queue.c).
    let cells = 1_i64 << exponents.max().unwrap_or(0).min(16);
    let period = slotframes.iter().filter(carries).map(|frame| frame.length).max().unwrap_or(0);
    slot.scale(i64::from(period), 1).scale(cells, 1)
}

/// Returns whether packets of exchanges go through cells of a slotframe; Orchestra's first slotframe is that of
/// beacons.
fn carries(frame: &&Slotframe) -> bool {
    matches!(frame.rule, CellRule::Shared | CellRule::PerReceiver { .. })
}

/// Infers a TSCH machine with the `schedule` that was found; `None` where that is of no stack. `chosen`: the stack that
/// the user states.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn infer(
    air: &Air,
    packets: &Packets,
    exchanges: &Exchanges,
    (schedule, chosen, progress): (&Schedule, Option<&'static Stack>, &SharedProgress<'_>),
) -> Result<Option<Links>, Cancelled> {
    let Schedule { grid, slotframes } = schedule.clone();
    // One without TSCH is told from its links (`inference::links`).
    let chosen = chosen.filter(|stack| stack.tsch.is_some());
    let Some((preset, known, stack)) = stack(chosen, &slotframes) else { return Ok(None) };
    let slots = grid.slots(air);
    progress.ask()?;
    let adjacent = adjacent(packets);
    let parents = parents(air, exchanges);
    let max_attempts = max_attempts(packets, air);
    let attempts = max_attempts.unwrap_or(known.max_attempts.max(longest_run(packets)));
    let listens = |frame: &AirFrame| {
        let parent = parents.get(usize::from(frame.to)).copied().flatten();
        !schedule::awaits_beacon(&slotframes, parent, grid.number(frame.at))
    };
    let met = met_one(air, &slots, &slotframes, &listens);
    progress.ask()?;
    // First with any loss as a disturbance, to find clean frames; then without the losses that clean frames have as
    // well.
    let rough = disturbance::of(air.nodes.len(), &met, &adjacent, 1.0);
    let receptions = receptions(air, packets, (&slots, &listens), &rough, attempts.min(longest_run(packets)));
    progress.ask()?;
    let proportions: Vec<(u64, u64)> = receptions.values().copied().collect();
    let prior = Priors::fit(&proportions);
    let disturbance = disturbance::of(air.nodes.len(), &met, &adjacent, prior.mean());
    let mut reception = Matrix::new(air.nodes.len());
    for (&(from, to), &(successes, trials)) in &receptions {
        reception.set(from, to, prior.posterior(successes, trials));
    }
    for &(from, to) in &adjacent {
        if reception.get(from, to) == Evidence::default() {
            reception.set(from, to, prior.posterior(0, 0));
        }
    }
    let cells: u64 = slots.iter().map(|slot| u64::from(!slot.frames.is_empty())).sum();
    let period = slotframes.iter().find(carries).map_or(1, |frame| frame.length);
    let parameters =
        parameters((&grid, &slotframes, known), (max_attempts, attempts), packets, (&prior, &proportions), cells);
    let neighbours = (0..air.nodes.len() as NodeId)
        .map(|node| (0..air.nodes.len() as NodeId).filter(|&other| adjacent.contains(&(node, other))).collect());
    let mac = Mac::Tsch(Tsch {
        slot: grid.slot,
        origin: grid.origin,
        max_attempts: attempts,
        min_exponent: known.min_exponent,
        max_exponent: known.max_exponent,
        ack_delay: known.ack_delay,
        ack_airtime: known.ack_airtime,
        parents,
        neighbours: neighbours.collect(),
        slotframes,
    });
    Ok(Some(Links {
        mac,
        stack,
        limits: &preset.limits,
        reception,
        disturbance,
        sensing: Matrix::new(air.nodes.len()),
        clean: receptions.values().map(|v| v.1).max().unwrap_or(0),
        lead: grid.slot.scale(1, 2),
        access: grid.slot.scale(i64::from(period), 1),
        turnaround: grid.slot.scale(i64::from(period), 1),
        parameters,
    }))
}

/// The stack that the user states, else Contiki-NG: Orchestra is its own, and of minimal schedules it is the commonest
/// stack.
fn stack(
    chosen: Option<&'static Stack>,
    slotframes: &[Slotframe],
) -> Option<(&'static Stack, StackTsch, StackFinding)> {
    let is_orchestra = slotframes.iter().any(|frame| matches!(frame.rule, CellRule::PerReceiver { .. }));
    let (stack, how, reason) = match chosen {
        Some(stack) => (stack, StackKnown::Chosen, String::new()),
        None if is_orchestra => {
            let lengths: Vec<String> = slotframes.iter().map(|frame| frame.length.to_string()).collect();
            let reason = format!("Orchestra's cells follow from addresses, slotframes of {} slots", lengths.join(", "));
            (Stack::all().iter().find(|stack| stack.tsch.is_some())?, StackKnown::Recognised, reason)
        }
        None => {
            let reason = "a minimal schedule is alike in all stacks".to_owned();
            (Stack::all().iter().find(|stack| stack.tsch.is_some())?, StackKnown::Assumed, reason)
        }
    };
    Some((stack, stack.tsch?, StackFinding::new(stack, how, &reason)))
}

/// Next hop of each node's requests: the last one of its route to the server that most clients ask, as far as it has
/// one. Where nodes ask several servers, the others may be behind its children.
fn parents(air: &Air, exchanges: &Exchanges) -> Vec<Option<NodeId>> {
    let mut clients: Table<NodeId, u64> = Table::new();
    exchanges.ends.iter().flatten().for_each(|ends| *clients.entry(ends.server).or_default() += 1);
    let mut servers: Vec<(NodeId, u64)> = clients.into_iter().collect();
    servers.sort_by_key(|&(server, clients)| (Reverse(clients), server));
    let parent = |node: NodeId| {
        let to = |server: NodeId| {
            let own = exchanges.routes.iter().filter(move |(from, to, _)| (*from, *to) == (node, server));
            own.filter_map(|(_, _, hops)| hops.last().map(|hop| hop.1)).next()
        };
        servers.iter().find_map(|&(server, _)| to(server))
    };
    (0..air.nodes.len() as NodeId).map(parent).collect()
}

/// Attempts after which packets are given up: the fewest after which most packets without an acknowledgement on the air
/// were not tried again, where that was seen at least twice. `None` where none was given up.
fn max_attempts(packets: &Packets, air: &Air) -> Option<u8> {
    // Per number of attempts, the packets whose last one of them was not acknowledged: those not tried again, and all.
    let mut unheard: Table<usize, (u64, u64)> = Table::new();
    for packet in packets.list.iter().filter(|packet| packet.to != NOBODY) {
        for (before, &at) in packet.attempts.iter().enumerate() {
            if air.frame(at).is_some_and(|frame| frame.acknowledgement.is_none()) {
                let (ended, all) = unheard.entry(before + 1).or_default();
                *ended += u64::from(before + 1 == packet.attempts.len());
                *all += 1;
            }
        }
    }
    // Two, because one packet may end for another reason: the capture ends, or its node restarts. Chosen here by
    // judgement: no experiment decides it; without any the preset of the stack stands, and `cargo test --release -p
    // twin --test calibration tsch` holds that attempts which are inferred are right.
    let given_up = unheard.into_iter().find(|(_, (ended, all))| *ended >= 2 && ended * 2 > *all);
    given_up.and_then(|(attempts, _)| u8::try_from(attempts).ok())
}

/// Most attempts of a packet.
fn longest_run(packets: &Packets) -> u8 {
    let unicast = packets.list.iter().filter(|packet| packet.to != NOBODY);
    unicast.map(|packet| packet.attempts.len()).max().map_or(0, |most| u8::try_from(most).unwrap_or(u8::MAX))
}

/// Tells whether the addressee of a frame listened for it.
type Listens<'a> = dyn Fn(&AirFrame) -> bool + 'a;

/// Attempts that exactly one other frame met: by its sender and the addressee of the attempt, those received and all.
fn met_one(air: &Air, slots: &[Slot], frames: &[Slotframe], listens: &Listens<'_>) -> Tally {
    let mut met: Tally = Table::new();
    for slot in slots {
        for &at in &slot.frames {
            let Some(frame) = air.frame(at).filter(|frame| frame.to != NOBODY && listens(frame)) else { continue };
            let mut others = slot.frames.iter().filter(|&&other| other != at).filter_map(|&other| air.frame(other));
            let same = |other: &&AirFrame| schedule::channel(frames, frame) == schedule::channel(frames, other);
            let (Some(other), None) = (others.find(same), others.find(same)) else { continue };
            if other.from == frame.to || other.from == frame.from {
                continue;
            }
            let (received, all) = met.entry((other.from, frame.to)).or_default();
            *received += u64::from(frame.acknowledgement.is_some());
            *all += 1;
        }
    }
    met
}

/// Receptions of frames, and of acknowledgements where the next attempt tells, that no other frame can have spoiled.
fn receptions(
    air: &Air,
    packets: &Packets,
    (slots, listens): (&[Slot], &Listens<'_>),
    disturbance: &Matrix<Evidence>,
    attempts: u8,
) -> Tally {
    let mut tally: Tally = Table::new();
    let slot_of: Table<u32, &Slot> =
        slots.iter().flat_map(|slot| slot.frames.iter().map(move |&at| (at, slot))).collect();
    // A pair of which little is known is left out whatever came of its meetings: else losses would count as disturbance
    // and receptions as clean.
    let hits = |other: NodeId, to: NodeId| {
        let known = disturbance.get(other, to);
        known.mean() > 0.5 || known.weight() < FEWEST_MEETINGS
    };
    for packet in packets.list.iter().filter(|packet| packet.to != NOBODY) {
        let (from, to) = (packet.from, packet.to);
        for (number, &at) in packet.attempts.iter().enumerate() {
            let (Some(frame), Some(slot)) = (air.frame(at), slot_of.get(&at)) else { continue };
            let others = || slot.frames.iter().filter(|&&other| other != at).filter_map(|&other| air.frame(other));
            let answers = || {
                slot.acks.iter().filter(|&&ack| Some(ack) != frame.acknowledgement).filter_map(|&ack| air.frame(ack))
            };
            let is_met = others().any(|other| other.from == to || hits(other.from, to))
                || answers().any(|ack| ack.at < frame.end && ack.from != NOBODY && hits(ack.from, to));
            if !is_met && listens(frame) {
                let (received, all) = tally.entry((from, to)).or_default();
                *received += u64::from(frame.acknowledgement.is_some());
                *all += 1;
            }
            // The last allowed attempt, or one that may have been, says nothing of its acknowledgement: no attempt
            // follows either way.
            let Some(ack) = frame.acknowledgement.and_then(|ack| air.frame(ack)) else { continue };
            if number + 1 >= usize::from(attempts) {
                continue;
            }
            let is_met = others().any(|other| other.end > ack.at && hits(other.from, from))
                || answers().any(|other| {
                    other.at < ack.end && ack.at < other.end && other.from != NOBODY && hits(other.from, from)
                });
            if !is_met {
                let (received, all) = tally.entry((to, from)).or_default();
                *received += u64::from(number + 1 == packet.attempts.len());
                *all += 1;
            }
        }
    }
    tally
}

fn parameters(
    (grid, slotframes, known): (&Grid, &[Slotframe], StackTsch),
    (max_attempts, attempts): (Option<u8>, u8),
    packets: &Packets,
    (prior, proportions): (&Priors, &[(u64, u64)]),
    cells: u64,
) -> Vec<Parameter> {
    let exact = Parameter::exact;
    let unicast = packets.list.iter().filter(|packet| packet.to != NOBODY).count() as u64;
    let trials: u64 = proportions.iter().map(|p| p.1).sum();
    let pooled = Evidence::observed(proportions.iter().map(|p| p.0).sum(), trials, prior.mean(), 1.0);
    let mut all = vec![
        exact("slot", grid.slot.secs_f64() * 1e3, "ms", Known::Computed, cells),
        exact(
            "max-attempts",
            f64::from(attempts),
            "",
            if max_attempts.is_some() { Known::Read } else { Known::Preset },
            unicast,
        ),
        exact("min-back-off-exponent", f64::from(known.min_exponent), "", Known::Preset, 0),
        exact("max-back-off-exponent", f64::from(known.max_exponent), "", Known::Preset, 0),
        Parameter::reception(&pooled, trials),
    ];
    for frame in slotframes {
        all.push(exact("slotframe", f64::from(frame.length), "slots", Known::Computed, cells));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_back_off_follows_the_slotframe() {
        let slot = Span::from_millis(10);
        let frame = |length, rule| Slotframe { length, shift: 0, rule, channels: vec![0] };
        let of = |length| longest_back_off(slot, &[frame(length, CellRule::Shared)]);
        // Contiki-NG waits for 2^5 cells of 1.01 s at most; the sequence number comes round after 256 cells at the
        // earliest.
        assert!(of(101) >= Span::from_millis(32 * 1_010) && of(101) < Span::from_millis(256 * 1_010), "{:?}", of(101));
        assert_eq!(of(101), Span::from_millis(128 * 1_010));
        // Orchestra's beacons do not count.
        let beacons = frame(397, CellRule::PerSender { slots: Vec::new() });
        let unicast = frame(17, CellRule::PerReceiver { slots: Vec::new() });
        assert_eq!(longest_back_off(slot, &[beacons, unicast]), of(17));
    }
}
