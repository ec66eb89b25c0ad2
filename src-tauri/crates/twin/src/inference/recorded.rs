//! The frames of a capture in the form of a simulation's log, so that both can be measured alike
//! ([`crate::Behaviour`]), and the machine that a part of a capture shows.

use super::air::{Air, NOBODY};
use super::exchanges::Exchanges;
use super::packets::{self, Packets};
use super::tsch::{Schedule, longest_back_off};
use super::{Refusal, limits, visits};
use crate::model::{Load, Mac, Machine, SimulatedFrame, Stack};
use base::{Cancelled, Instant, Progress, SharedProgress};
use trace::{FrameType, Trace};

/// Returns the frames of `trace`, from which `machine` was inferred, as a simulation of it would log them, in order of
/// time. Receptions are known by their acknowledgements only; exchanges are named by their numbers.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn recorded_frames(
    trace: &Trace,
    machine: &Machine,
    progress: &mut dyn Progress,
) -> Result<Vec<SimulatedFrame>, Cancelled> {
    let shared = SharedProgress::new(progress, 1);
    let air = Air::read(trace, &shared)?;
    let back_off = match &machine.mac {
        Mac::Tsch(tsch) => Some(longest_back_off(tsch.slot, &tsch.slotframes)),
        Mac::Csma(_) => None,
    };
    let packets = Packets::of(&air, packets::repeats(trace, back_off), &shared)?;
    let loads = loads(trace, &shared)?;
    let mut frames = Vec::with_capacity(air.frames.len());
    for packet in &packets.list {
        shared.ask()?;
        for (&at, attempt) in packet.attempts.iter().zip(1_u8..=u8::MAX) {
            let Some(frame) = air.frame(at) else { continue };
            let acknowledgement = frame.acknowledgement.and_then(|at| air.frame(at)).map(|ack| (ack.at, ack.end));
            let own = loads.get(frame.id.index()).copied().flatten();
            let other = if frame.kind == FrameType::Beacon { Load::Beacon } else { Load::Other };
            frames.push(SimulatedFrame {
                start: frame.at,
                end: frame.end,
                from: frame.from,
                to: Some(frame.to).filter(|&to| to != NOBODY),
                octets: frame.octets,
                channel: 0,
                attempt,
                load: own.unwrap_or(other),
                is_received: acknowledgement.is_some(),
                handed_up: None,
                acknowledgement,
                is_acknowledged: acknowledgement.is_some(),
            });
        }
    }
    debug_assert!(frames.iter().all(|frame| usize::from(frame.from) < machine.len()));
    frames.sort_by_key(|frame| frame.start);
    Ok(frames)
}

/// Loads by frame of the capture; `None` for frames that belong to no exchange.
fn loads(trace: &Trace, progress: &SharedProgress<'_>) -> Result<Vec<Option<Load>>, Cancelled> {
    let mut loads = vec![None; trace.capture.frames.len()];
    for (exchange, key) in trace.exchanges.iter().zip(0_u64..) {
        progress.ask()?;
        let association = exchange.association.0;
        let copies = exchange.copies.iter().map(|copy| (copy.message, false));
        let replies = exchange.replies.iter().map(|reply| (reply.message, true));
        for (message, is_answer) in copies.chain(replies) {
            let hops = trace.messages.get(message.index()).into_iter().flat_map(|message| message.hops());
            for frame in hops.flat_map(|hop| hop.frames) {
                if let Some(slot) = loads.get_mut(frame.index()) {
                    *slot = Some(Load::Copy { key, association, is_answer, datagram: 0, fragment: 0, fragments: 1 });
                }
            }
        }
    }
    Ok(loads)
}

/// Returns `machine`, inferred from `trace`, with its MAC, links and limits as the frames before `until` alone show
/// them. Everything that is no parameter stays as recorded: nodes, routes, withdrawals, frame lengths, background.
///
/// The inner error is the reason why the frames give no machine, as from [`crate::infer`].
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn infer_before(
    trace: &Trace,
    machine: &Machine,
    until: Instant,
    progress: &mut dyn Progress,
) -> Result<Result<Machine, Refusal>, Cancelled> {
    let shared = SharedProgress::new(progress, 1);
    let air = Air::read(trace, &shared)?.before(until);
    let schedule = Schedule::of(&air, &shared)?;
    let back_off = schedule.as_ref().map(Schedule::longest_back_off);
    let packets = Packets::of(&air, packets::repeats(trace, back_off), &shared)?;
    let exchanges = Exchanges::of(trace, &air, &shared)?;
    let chosen = trace.assumptions.all.stack.and_then(Stack::named);
    let links = match super::links(&air, &packets, &exchanges, (schedule.as_ref(), chosen, &shared))? {
        Ok(links) => links,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut visits = visits::of(trace, &air, &packets, &exchanges.ends, &shared)?;
    visits.retain(|visit| visit.began < until);
    let (limits, _) = limits::of(trace, &air, &packets, (&visits, links.limits), &shared)?;
    Ok(Ok(Machine {
        mac: links.mac,
        stack: links.stack,
        reception: links.reception,
        disturbance: links.disturbance,
        sensing: links.sensing,
        limits,
        access: links.access,
        parameters: links.parameters,
        ..machine.clone()
    }))
}
