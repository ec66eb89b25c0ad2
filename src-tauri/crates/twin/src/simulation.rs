//! The network twin: sans-IO discrete-event simulation of one replicate of a [`Machine`].
//!
//! ```text
//! caller ──send──► network layer ──packets──► MAC ──frames──► air
//!        ◄─Settled─ routes, server,  ◄─received, gone──        reception, collisions,
//!                   reassembly                                 acknowledgements
//! ```

mod agenda;
mod csma;
mod draws;
mod network;
mod packet;
mod realisation;
mod tsch;

pub use network::{Copy, Ending, Settled};

use crate::model::{Background, Mac, Machine, Mechanism, SimulatedDrop, SimulatedFrame};
use base::Instant;
use csma::CsmaMac;
use network::Network;
use packet::{Cargo, Event, Over, Packet};
use realisation::Realisation;
use tsch::TschMac;

/// Counts of one simulation; every packet that was put into a queue is sent, dropped or still there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Number of frames on the air, acknowledgements not counted.
    pub frames: u64,
    /// Number of packets put into a queue.
    pub queued: u64,
    /// Number of packets that left their queue acknowledged, or as a broadcast.
    pub sent: u64,
    /// Number of packets dropped after the last attempt, or for a channel that stayed busy.
    pub exhausted: u64,
    /// Number of packets that found no room.
    pub refused: u64,
    /// Number of packets still in queues.
    pub waiting: u64,
    /// Number of requests that reached a server, repeats included.
    pub served: u64,
}

/// One replicate of a machine, advanced by its caller in order of time.
#[derive(Debug)]
pub struct Simulation<'m> {
    machine: &'m Machine,
    realisation: Realisation,
    network: Network<'m>,
    mac: MacState<'m>,
    /// Position in [`Machine::background`] of the next packet.
    background: usize,
    events: Vec<Event>,
    statistics: Statistics,
}

/// State of the medium access control of all nodes.
#[derive(Debug)]
enum MacState<'m> {
    Tsch(TschMac<'m>),
    Csma(CsmaMac<'m>),
}

impl<'m> MacState<'m> {
    fn new(machine: &'m Machine) -> Self {
        match &machine.mac {
            Mac::Tsch(tsch) => Self::Tsch(TschMac::new(tsch, machine.len())),
            Mac::Csma(csma) => Self::Csma(CsmaMac::new(csma, machine.len())),
        }
    }
}

impl<'m> Simulation<'m> {
    /// Creates a replicate of `machine` at the beginning of its capture: parameters are drawn from their posteriors,
    /// queues are empty. `replicate`: its number from 0.
    #[must_use]
    pub fn new(machine: &'m Machine, seed: u64, replicate: u32) -> Self {
        let realisation = Realisation::draw(machine, seed, replicate);
        Self {
            machine,
            network: Network::new(machine, realisation.reassemblies),
            realisation,
            mac: MacState::new(machine),
            background: 0,
            events: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Switches `mechanisms` off, from its beginning on.
    #[must_use]
    pub fn without(mut self, mechanisms: &[Mechanism]) -> Self {
        for &mechanism in mechanisms {
            self.realisation.switch_off(mechanism);
            self.network.switch_off(mechanism);
        }
        self
    }

    /// Makes each outage of a route as many times as long as `times` says of its beginning; 0: there is none.
    #[must_use]
    pub fn with_longer_outages(mut self, times: impl Fn(Instant) -> u32) -> Self {
        self.network.lengthen_outages(times);
        self
    }

    /// Goes back to the beginning: the same parameters, the same luck and the same mechanisms, without a log.
    pub fn restart(&mut self) {
        self.network.restart();
        self.mac = MacState::new(self.machine);
        (self.background, self.statistics) = (0, Statistics::default());
    }

    /// Keeps a log of its frames and drops from here on; without it nothing is kept.
    #[must_use]
    pub fn with_log(mut self) -> Self {
        self.keep_log();
        self
    }

    /// Keeps a log from here on, as [`Simulation::with_log`] does.
    pub fn keep_log(&mut self) {
        match &mut self.mac {
            MacState::Tsch(mac) => mac.keep_log(),
            MacState::Csma(mac) => mac.keep_log(),
        }
        self.network.keep_drops();
    }

    /// Returns the frames since the last call whose acknowledgements are decided, each slot's or in the order of their
    /// ends; none without [`Simulation::with_log`].
    pub fn take_log(&mut self) -> Vec<SimulatedFrame> {
        let over = match &mut self.mac {
            MacState::Tsch(mac) => mac.take_log(),
            MacState::Csma(mac) => mac.take_log(),
        };
        over.into_iter().map(|over| logged(&self.network, over)).collect()
    }

    /// Returns the parts of copies and answers that were dropped since the last call, in order of time; none without
    /// [`Simulation::with_log`].
    pub fn take_drops(&mut self) -> Vec<SimulatedDrop> {
        self.network.take_drops()
    }

    /// Takes a copy of a request that leaves its client at `at`, no earlier than the moment advanced to.
    /// [`Simulation::advance`] returns its fate.
    pub fn send(&mut self, at: Instant, copy: Copy) {
        self.network.request(at, copy, false);
        self.flush();
    }

    /// Takes a copy as [`Simulation::send`] does, one that is known to have gone on the air: its client was attached to
    /// the network.
    pub fn send_recorded(&mut self, at: Instant, copy: Copy) {
        self.network.request(at, copy, true);
        self.flush();
    }

    /// Advances to `until` at most, and returns the next copy whose fate is settled by then, `None` where there is
    /// none. With [`Instant::MAX`] it goes on until no copy is unsettled.
    pub fn advance(&mut self, until: Instant) -> Option<Settled> {
        loop {
            if let Some(settled) = self.network.settled() {
                return Some(settled);
            }
            if until == Instant::MAX && !self.network.is_busy() {
                return None;
            }
            let (network, background, mac) = (self.network.next(), self.next_background(), self.next_frame());
            let next = network.min(background).min(mac);
            if next > until || next == Instant::MAX {
                return None;
            }
            // A packet that enters a queue at the very start of a slot is too late for it.
            if mac == next {
                self.frame();
            } else if network == next {
                self.network.step(&self.realisation);
            } else {
                self.put_background();
            }
            self.flush();
        }
    }

    /// Returns the counts so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let waiting = match &self.mac {
            MacState::Tsch(mac) => mac.waiting(),
            MacState::Csma(mac) => mac.waiting(),
        };
        Statistics { waiting, served: self.network.served(), ..self.statistics }
    }

    fn next_background(&self) -> Instant {
        self.machine.background.get(self.background).map_or(Instant::MAX, |packet| packet.at)
    }

    fn next_frame(&self) -> Instant {
        match &self.mac {
            MacState::Tsch(mac) => mac.next(),
            MacState::Csma(mac) => mac.next(),
        }
    }

    fn put_background(&mut self) {
        let Some(&Background { at, from, to, octets, is_beacon }) = self.machine.background.get(self.background) else {
            return;
        };
        self.background += 1;
        let cargo = if is_beacon { Cargo::Beacon } else { Cargo::Nothing };
        self.network.put(at, from, Packet::new(to, octets, cargo));
    }

    /// Puts the next frames on the air.
    fn frame(&mut self) {
        match &mut self.mac {
            MacState::Tsch(mac) => mac.step(&self.realisation, &mut self.events),
            MacState::Csma(mac) => mac.step(&self.realisation, &mut self.events),
        }
        for event in self.events.drain(..) {
            match event {
                Event::Sent { .. } => self.statistics.frames += 1,
                Event::Gone { dropped: None, .. } => self.statistics.sent += 1,
                Event::Gone { dropped: Some(_), .. } => self.statistics.exhausted += 1,
                Event::Received { .. } => {}
            }
            self.network.on(event, &self.realisation);
        }
    }

    /// Puts the packets of the network layer into the queues of the MAC.
    fn flush(&mut self) {
        while let Some((at, node, packet)) = self.network.take_packet() {
            let cargo = packet.cargo;
            let taken = match &mut self.mac {
                MacState::Tsch(mac) => mac.enqueue(at, node, packet, &self.realisation),
                MacState::Csma(mac) => mac.enqueue(at, node, packet, &self.realisation),
            };
            if taken {
                self.statistics.queued += 1;
            } else {
                self.statistics.refused += 1;
                self.network.refused(at, node, cargo);
            }
        }
    }
}

fn logged(network: &Network<'_>, over: Over) -> SimulatedFrame {
    let Over { packet, from, start, airtime, channel, is_received, handed_up, acknowledgement, is_acknowledged } = over;
    SimulatedFrame {
        start,
        end: start + airtime,
        from,
        to: packet.to,
        octets: packet.octets,
        channel,
        attempt: packet.attempts,
        load: network.load(packet.cargo),
        is_received,
        handed_up,
        acknowledgement,
        is_acknowledged,
    }
}
