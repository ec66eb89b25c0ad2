//! A machine from the log of a simulation: what the inference learns of a network that is known.

use super::Refusal;
use super::air::{Air, AirFrame, NOBODY, OCTET, Table};
use super::exchanges::Exchanges;
use super::links::Links;
use super::packets::Packets;
use super::tsch::Schedule;
use crate::model::{Background, Load, Machine, NodeId, Routes, SimulatedFrame};
use base::{Cancelled, FrameId, Instant, Progress, SharedProgress};
use trace::FrameType;

/// Infers the MAC, the links, the routes and the background of `machine` again, from the frames of a simulation of it
/// ([`crate::Simulation::with_log`]), as from a capture that has all of them. Everything else is taken from `machine`:
/// nodes, clients, servers, frame lengths, limits.
///
/// The inner error is the reason why the frames give no machine, as from [`crate::infer`]; `progress` is asked within.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn infer_simulated(
    machine: &Machine,
    log: &[SimulatedFrame],
    progress: &mut dyn Progress,
) -> Result<Result<Machine, Refusal>, Cancelled> {
    let shared = SharedProgress::new(progress, 1);
    let air = air(machine, log);
    let repeats = |_: &AirFrame, frame: &AirFrame| frame_of(log, frame).is_some_and(|frame| frame.attempt > 1);
    let packets = Packets::of(&air, repeats, &shared)?;
    let exchanges = exchanges(machine, log);
    let links = match super::links(&air, &packets, &exchanges, (Schedule::of(&air, &shared)?.as_ref(), None, &shared))?
    {
        Ok(links) => links,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let background = background(&air, &packets, log, &links);
    Ok(Ok(Machine {
        mac: links.mac,
        stack: links.stack,
        reception: links.reception,
        disturbance: links.disturbance,
        sensing: links.sensing,
        routes: exchanges.routes,
        background,
        access: links.access,
        frames: log.len() as u64,
        parameters: links.parameters,
        ..machine.clone()
    }))
}

/// The frame of the log that `frame` was made of; `None` for acknowledgements.
fn frame_of<'a>(log: &'a [SimulatedFrame], frame: &AirFrame) -> Option<&'a SimulatedFrame> {
    log.get(frame.id.index())
}

fn air(machine: &Machine, log: &[SimulatedFrame]) -> Air {
    let mut numbers: Table<NodeId, u8> = Table::new();
    let mut frames = Vec::with_capacity(log.len() * 2);
    // Acknowledgements come after all frames in the numbering of a capture, whatever their time.
    let mut acknowledgements = Vec::new();
    for (index, frame) in log.iter().enumerate() {
        let number = numbers.entry(frame.from).or_default();
        *number = number.wrapping_add(u8::from(frame.attempt <= 1));
        let own = AirFrame {
            id: FrameId::at(index),
            at: frame.start,
            end: frame.end,
            from: frame.from,
            to: frame.to.unwrap_or(NOBODY),
            kind: if frame.load == Load::Beacon { FrameType::Beacon } else { FrameType::Data },
            seq: Some(*number),
            octets: frame.octets,
            asks: frame.to.is_some(),
            acknowledgement: None,
        };
        frames.push(own);
        if let Some((at, end)) = frame.acknowledgement {
            let id = FrameId::at(log.len() + acknowledgements.len());
            let octets = u16::try_from((end - at).nanos() / OCTET.nanos()).unwrap_or(u16::MAX);
            let (kind, asks) = (FrameType::Ack, false);
            acknowledgements
                .push((own.id, AirFrame { id, at, end, from: own.to, to: own.from, kind, octets, asks, ..own }));
        }
    }
    let pairs: Vec<(FrameId, FrameId)> = acknowledgements.iter().map(|(acked, ack)| (ack.id, *acked)).collect();
    frames.extend(acknowledgements.into_iter().map(|(_, ack)| ack));
    let count = frames.len();
    Air::new(machine.nodes.clone(), frames, count, pairs)
}

fn exchanges(machine: &Machine, log: &[SimulatedFrame]) -> Exchanges {
    let hop = |frame: &SimulatedFrame| {
        let Load::Copy { association, is_answer, .. } = frame.load else { return None };
        let ends = machine.ends.get(association as usize).copied().flatten()?;
        Some((frame.start, frame.from, if is_answer { ends.client } else { ends.server }, frame.to?))
    };
    Exchanges {
        ends: machine.ends.clone(),
        routes: Routes::new(log.iter().filter_map(hop)),
        is_simulated: log.iter().map(|frame| matches!(frame.load, Load::Copy { .. })).collect(),
        ..Exchanges::default()
    }
}

fn background(air: &Air, packets: &Packets, log: &[SimulatedFrame], links: &Links) -> Vec<Background> {
    let of = |frame: &AirFrame| {
        let frame = frame_of(log, frame).filter(|frame| !matches!(frame.load, Load::Copy { .. }))?;
        let at: Instant = frame.start - links.lead;
        let is_beacon = frame.load == Load::Beacon;
        Some(Background { at, from: frame.from, to: frame.to, octets: frame.octets, is_beacon })
    };
    let mut all: Vec<Background> = packets.list.iter().filter_map(|p| of(air.frame(p.first())?)).collect();
    all.sort_by_key(|packet| packet.at);
    all
}
