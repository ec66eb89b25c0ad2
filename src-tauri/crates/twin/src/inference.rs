//! Estimates the machine of a trace (nodes, MAC, links, routes, traffic, limits), each uncertain part with its
//! evidence.
//!
//! ```text
//! frames ──► air ──► slots ──► packets ──┬──► TSCH links    who sent what, how often, and with whom at the same time
//!                                        └──► CSMA links
//! messages ──► exchanges' frames ──► routes, shapes, ends   where datagrams went, and how long their frames were
//! the rest ──► background
//! both ──► limits
//! ```

mod air;
mod background;
mod csma;
mod disturbance;
mod exchanges;
mod limits;
mod links;
mod packets;
mod recorded;
mod routes;
mod shrinkage;
mod simulated;
mod tsch;
mod visits;

pub use recorded::{infer_before, recorded_frames};
pub use simulated::infer_simulated;

use crate::model::{Known, Machine, Parameter, Stack};
use air::Air;
use base::{Cancelled, Progress, SharedProgress};
use exchanges::Exchanges;
use links::Links;
use packets::Packets;
use routes::{outages, withdrawals};
use std::cmp::Reverse;
use std::fmt;
use trace::{MacAddr, Trace};
use tsch::Schedule;

/// Reason why a trace gives no machine, and what would help.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Fewer than two nodes have a link-layer address.
    #[error("the capture has no IEEE 802.15.4 frames with addresses: a twin needs a capture of the hops themselves")]
    NoFrames,
    /// Fewer than one in twenty of the frames that asked for an acknowledgement have one.
    #[error(
        "link-layer acknowledgements were not captured ({acknowledged} of {asked} frames that asked for one have it): without \
         them receptions are not known; a sniffer that keeps them would help"
    )]
    NoAcknowledgements {
        /// Number of frames that asked for an acknowledgement.
        asked: u64,
        /// Number of these whose acknowledgement was captured.
        acknowledged: u64,
    },
    /// The frames follow neither slots nor a known contention MAC.
    #[error(
        "the frames follow no slots, and no contention MAC with known constants was recognised; to say which stack the nodes run \
         would help"
    )]
    UnknownMac,
    /// The chosen stack has no MAC of the kind that the frames show.
    #[error(
        "the stack that was chosen has no MAC as the frames show it (slots, or contention): another stack, or the one that is \
         recognised, would help"
    )]
    OtherMac,
    /// More than one in ten datagrams miss a hop.
    #[error(
        "frames of hops are missing ({missing} of {datagrams} datagrams appear at a node that nobody was seen to send them \
         to, most of them at {at}): one sniffer heard part of the network; captures by others that hear who sends to {at}, \
         merged with this one, would help"
    )]
    MissingHops {
        /// Number of datagrams with a gap on their way.
        missing: u64,
        /// Number of all datagrams.
        datagrams: u64,
        /// Nodes at which most of those with a gap appear.
        at: Places,
    },
    /// Fewer clean frames than needed were seen on every link.
    #[error("no link carried {needed} clean frames: the capture is too short to say how good the links are")]
    TooFewFrames {
        /// Number of clean frames that the best link needs.
        needed: u64,
    },
    /// No association has both its nodes among those with link-layer addresses.
    #[error("the capture has no confirmable exchange between nodes with link-layer addresses")]
    NoExchanges,
}

/// Nodes that a refusal names, three at most, the one with the greatest count first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Places([Option<MacAddr>; 3]);

impl Places {
    /// Returns the nodes with the greatest of `counts`.
    fn most(counts: &air::Table<MacAddr, u64>) -> Self {
        let mut sorted: Vec<(&MacAddr, &u64)> = counts.iter().collect();
        sorted.sort_by_key(|&(mac, count)| (Reverse(*count), *mac));
        let mut places = [None; 3];
        places.iter_mut().zip(sorted).for_each(|(place, (mac, _))| *place = Some(*mac));
        Self(places)
    }

    /// Returns the link-layer addresses of the nodes.
    pub fn addresses(&self) -> impl Iterator<Item = MacAddr> {
        self.0.iter().copied().flatten()
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.addresses().map(|mac| mac.to_string()).collect();
        f.write_str(&names.join(" and "))
    }
}

/// Clean frames that a link which carries traffic needs: with 30 the 90 % interval of a reception of 0.9 is ± 0.09.
/// Chosen here (`cargo test -p twin --test machines`).
const CLEAN_FRAMES: u64 = 30;

/// Infers the machine that `trace` shows, or says why it cannot. `progress` counts stages, and is asked within them.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn infer(trace: &Trace, progress: &mut dyn Progress) -> Result<Result<Machine, Refusal>, Cancelled> {
    const STAGES: u64 = 5;
    let mut shared = SharedProgress::new(progress, STAGES);
    shared.stage(STAGES, STAGES)?;
    let air = Air::read(trace, &shared)?;
    shared.pass()?;
    let schedule = Schedule::of(&air, &shared)?;
    let back_off = schedule.as_ref().map(Schedule::longest_back_off);
    let packets = Packets::of(&air, packets::repeats(trace, back_off), &shared)?;
    shared.pass()?;
    let exchanges = Exchanges::of(trace, &air, &shared)?;
    shared.pass()?;
    let chosen = trace.assumptions.all.stack.and_then(Stack::named);
    let links = match links(&air, &packets, &exchanges, (schedule.as_ref(), chosen, &shared))? {
        Ok(links) => links,
        Err(refusal) => return Ok(Err(refusal)),
    };
    shared.pass()?;
    let background = background::of(trace, &air, &packets, (&exchanges, links.lead), &shared)?;
    let visits = visits::of(trace, &air, &packets, &exchanges.ends, &shared)?;
    let (limits, occupancy) = limits::of(trace, &air, &packets, (&visits, links.limits), &shared)?;
    let outages = outages::of(&visits, &occupancy, links.limits);
    let mut parameters = links.parameters;
    let read = |name, value, unit, observations| Parameter::exact(name, value, unit, Known::Read, observations);
    let count = packets.list.len() as u64;
    parameters.push(read("most-packets-queued", f64::from(occupancy.packets), "packets", count));
    parameters.push(read("most-neighbours-queued", f64::from(occupancy.neighbours), "neighbours", count));
    parameters.push(read("route-outages", outages.len() as f64, "", visits.len() as u64));
    let (withdrawals, after_failure) =
        withdrawals::of(trace, &air, &packets, (&exchanges, links.lead, links.mac.max_attempts()), &shared)?;
    parameters.extend(after_failure);
    parameters.extend(background::parameters(trace, &exchanges, &background));
    shared.pass()?;
    Ok(Ok(Machine {
        nodes: air.nodes.clone(),
        mac: links.mac,
        stack: links.stack,
        reception: links.reception,
        disturbance: links.disturbance,
        sensing: links.sensing,
        routes: exchanges.routes.with_outages(outages),
        withdrawals,
        ends: exchanges.ends,
        shapes: exchanges.shapes,
        shape_of: exchanges.shape_of,
        background,
        limits,
        // The shortest time seen includes the wait for the medium.
        processing: (exchanges.processing - links.turnaround).max(base::Span::ZERO),
        access: links.access,
        frames: packets.list.iter().map(|packet| packet.attempts.len() as u64).sum(),
        window: trace.capture.window().unwrap_or((base::Instant::ZERO, base::Instant::ZERO)),
        parameters,
    }))
}

/// MAC and links, unless something that they need is missing.
fn links(
    air: &Air,
    packets: &Packets,
    exchanges: &Exchanges,
    (schedule, chosen, progress): (Option<&Schedule>, Option<&'static Stack>, &SharedProgress<'_>),
) -> Result<Result<Links, Refusal>, Cancelled> {
    if let Err(refusal) = check(air, exchanges) {
        return Ok(Err(refusal));
    }
    let slotted = schedule.map(|schedule| tsch::infer(air, packets, exchanges, (schedule, chosen, progress)));
    let links = match slotted.transpose()?.flatten() {
        Some(_) if chosen.is_some_and(|stack| stack.tsch.is_none()) => return Ok(Err(Refusal::OtherMac)),
        Some(links) => Some(links),
        None if chosen.is_some_and(|stack| stack.csma.is_none()) => return Ok(Err(Refusal::OtherMac)),
        None => csma::infer(air, packets, chosen, progress)?,
    };
    Ok(match links {
        None => Err(Refusal::UnknownMac),
        Some(links) if links.clean < CLEAN_FRAMES => Err(Refusal::TooFewFrames { needed: CLEAN_FRAMES }),
        Some(links) => Ok(links),
    })
}

/// Returns whether so many datagrams `missing` a hop, of a number of `datagrams`, are too many: routes and loads would
/// be guesses. Chosen here: more than one in ten (`rtoscope calibrate`, one sniffer).
#[must_use]
pub const fn lacks_hops(missing: u64, datagrams: u64) -> bool {
    missing * 10 > datagrams
}

/// Refuses a capture that lacks facts from which every MAC and its links are inferred.
fn check(air: &Air, exchanges: &Exchanges) -> Result<(), Refusal> {
    if air.nodes.len() < 2 {
        return Err(Refusal::NoFrames);
    }
    let (asked, acknowledged) = air.acknowledged();
    // The same limit as `trace` has for single nodes: of fewer than a twentieth the sniffer keeps none, whatever the
    // links.
    if acknowledged * 20 < asked {
        return Err(Refusal::NoAcknowledgements { asked, acknowledged });
    }
    if exchanges.ends.iter().all(Option::is_none) {
        return Err(Refusal::NoExchanges);
    }
    if lacks_hops(exchanges.missing, exchanges.datagrams) {
        let at = Places::most(&exchanges.missing_at);
        return Err(Refusal::MissingHops { missing: exchanges.missing, datagrams: exchanges.datagrams, at });
    }
    Ok(())
}
