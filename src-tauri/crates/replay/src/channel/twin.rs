//! Channel through the network twin: copies are sent through a simulation of the network, frame by frame.
//!
//! Copies of clients that stay as recorded are sent as load, and keep their recorded fates.

use super::{Aired, Channel, FrameLog, Met, Recorded, Sent, Settled, Support};
use crate::model::Fate;
use base::Instant;
use twin::{Copy, Ending, SimulatedFrame, Simulation, Ways};

/// Channel through the network twin, in one replicate.
#[derive(Debug)]
pub(crate) struct TwinChannel<'a> {
    simulation: Simulation<'a>,
    /// Frame lengths of each exchange of each path, as positions in [`twin::Machine::shapes`].
    shapes: Vec<Vec<u32>>,
    /// Whether each path stays as recorded.
    pinned: Vec<bool>,
    recorded: Recorded<'a>,
    /// Copies that were sent through the simulation, by their key in it.
    sent: Vec<Sent>,
    /// Whether a log of frames is kept.
    keeps_log: bool,
}

impl<'a> TwinChannel<'a> {
    /// Sends copies through `simulation`. `shapes`: frame lengths of every exchange of every path
    /// ([`twin::Machine::shapes`]); `pinned`: whether each path stays as recorded, in `recorded`.
    pub fn new(
        simulation: Simulation<'a>,
        shapes: Vec<Vec<u32>>,
        (pinned, recorded): (Vec<bool>, Recorded<'a>),
    ) -> Self {
        Self { simulation, shapes, pinned, recorded, sent: Vec::new(), keeps_log: false }
    }

    fn is_pinned(&self, path: u32) -> bool {
        self.pinned.get(path as usize).copied().unwrap_or(false)
    }
}

impl Channel for TwinChannel<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        let own = self.shapes.get(sent.path as usize).and_then(|shapes| shapes.get(sent.exchange as usize));
        let (association, shape) = (sent.path, own.copied().unwrap_or(0));
        let copy = Copy { association, shape, request: sent.exchange, key: self.sent.len() as u64 };
        self.sent.push(*sent);
        if self.is_pinned(sent.path) {
            self.simulation.send_recorded(sent.at, copy);
            return self.recorded.fate(sent);
        }
        self.simulation.send(sent.at, copy);
        Met { fate: Fate::Unknown, support: Support::Assumed }
    }

    fn couples(&self) -> bool {
        true
    }

    fn defers(&self) -> bool {
        true
    }

    fn settle(&mut self, by: Instant) -> Option<Settled> {
        loop {
            let settled = self.simulation.advance(by)?;
            let Some(&sent) = usize::try_from(settled.key).ok().and_then(|key| self.sent.get(key)) else { continue };
            if self.is_pinned(sent.path) {
                continue;
            }
            let fate = match settled.ending {
                Ending::Answered => Fate::Answered { rtt: settled.at - sent.at },
                Ending::RequestLost => Fate::RequestLost,
                Ending::AnswerLost => Fate::ReplyLost,
            };
            let aired = settled.aired.map_or(Aired::Never, Aired::At);
            return Some(Settled { sent, met: Met { fate, support: Support::Modelled }, aired });
        }
    }

    fn begin(&mut self) {
        self.simulation.restart();
        self.sent.clear();
        if self.keeps_log {
            self.simulation.keep_log();
        }
    }

    fn keep_log(&mut self) {
        self.keeps_log = true;
    }

    fn take_log(&mut self, until: Instant) -> Option<FrameLog> {
        let simulation = &mut self.simulation;
        self.keeps_log.then(|| {
            let (mut frames, mut drops) = (simulation.take_log(), simulation.take_drops());
            // A frame that begins before the end of the run is simulated whole, but nobody learns of it.
            let over = |frame: &SimulatedFrame| frame.handed_up.map_or(frame.end, |at| at.max(frame.end));
            frames.retain(|frame| over(frame) <= until);
            drops.retain(|drop| drop.at <= until);
            FrameLog { ways: Ways::new(frames, drops), copies: std::mem::take(&mut self.sent) }
        })
    }
}
