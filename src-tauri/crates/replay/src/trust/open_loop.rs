//! The open loop: recorded copies are sent again when they were recorded, and what the twin makes of them is held
//! against the capture. No timer takes part. Retransmissions are sent whatever became of the copies before them, though
//! they were recorded because those had no answer. So nothing is asked that compares copies of one exchange.

use super::judge;
use super::{Budget, SEED};
use crate::model::{AssociationRecord, ExchangeRecord, Fate, Record};
use crate::run::{Check, Measure};
use crate::stats::mean;
use base::{Cancelled, Instant, Progress, SharedProgress, Span};
use rayon::prelude::*;
use twin::{Behaviour, Copy, Ending, Machine, Mechanism, Simulation};

/// Part of a capture that is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Beginning of the simulation, with empty queues.
    pub begin: Instant,
    /// Moment from which on copies and frames count.
    pub from: Instant,
    /// Moment before which copies and frames count.
    pub until: Instant,
}

impl Window {
    /// Window from the beginning of the capture until `frames` of its frames are over, whose `starts` are given in
    /// order.
    pub fn first(starts: impl Iterator<Item = Instant>, frames: usize) -> Self {
        let until = starts.into_iter().nth(frames).unwrap_or(Instant::MAX);
        Self { begin: Instant::MIN, from: Instant::MIN, until }
    }

    /// Window from `middle` to the end. The simulation begins 93 s before it, so that its queues are as full as they
    /// were.
    pub fn second_half(middle: Instant) -> Self {
        /// Time simulated before the window. Chosen here: queues forget within seconds; an exchange may last 93 s
        /// (MAX_TRANSMIT_WAIT, RFC 7252 §4.8.2).
        const WARM_UP: Span = Span::from_secs(93);
        Self { begin: middle - WARM_UP, from: middle, until: Instant::MAX }
    }

    fn counts(&self, at: Instant) -> bool {
        self.from <= at && at < self.until
    }
}

/// Result of one replicate of the open loop.
#[derive(Debug)]
pub(super) struct Drawn {
    /// Share of the copies that are answered, 0 to 1; `None` without copies.
    answered: Option<f64>,
    /// Attempts, senders and forwarding of the simulated frames.
    pub behaviour: Behaviour,
}

/// A recorded copy.
#[derive(Clone, Copy, Debug)]
struct Sent {
    at: Instant,
    path: u32,
    exchange: u32,
    shape: u32,
}

/// Recorded copies within a window, ready to be sent again.
#[derive(Debug)]
pub(super) struct OpenLoop<'a> {
    machine: &'a Machine,
    window: Window,
    /// Copies in order of time.
    copies: Vec<Sent>,
}

impl<'a> OpenLoop<'a> {
    /// Prepares the copies of `record` in `window` for `machine`.
    pub fn new(machine: &'a Machine, record: &Record, window: Window) -> Self {
        let mut copies = Vec::new();
        for (association, path) in record.associations().iter().zip(0_u32..) {
            for (e, exchange) in association.exchanges.iter().zip(0_u32..) {
                let shape = machine.shape_of.get(e.id.index()).copied().unwrap_or(0);
                copies.extend(e.copies.iter().map(|copy| Sent { at: copy.sent, path, exchange, shape }));
            }
        }
        copies.retain(|sent| window.begin <= sent.at && sent.at < window.until);
        copies.sort_unstable_by_key(|sent| (sent.at, sent.path, sent.exchange));
        Self { machine, window, copies }
    }

    /// Sends the copies in as many replicates as `budget` allows, in order, with the mechanisms `without` switched off;
    /// errs when cancelled.
    pub fn draw(
        &self,
        budget: Budget,
        without: &[Mechanism],
        progress: &mut dyn Progress,
    ) -> Result<Vec<Drawn>, Cancelled> {
        let mut shared = SharedProgress::new(progress, u64::from(budget.replicates));
        shared.stage(u64::from(budget.replicates), u64::from(budget.replicates))?;
        let draw = |replicate| {
            let drawn = self.replicate(replicate, without, &shared)?;
            shared.pass()?;
            Ok(drawn)
        };
        (0..budget.replicates).into_par_iter().map(draw).collect()
    }

    fn replicate(
        &self,
        replicate: u32,
        without: &[Mechanism],
        progress: &SharedProgress<'_>,
    ) -> Result<Drawn, Cancelled> {
        /// Number of copies between two looks at whether to stop. Chosen here for a quick stop; it changes no result.
        const ASK_EVERY: usize = 256;
        let mut simulation = Simulation::new(self.machine, SEED, replicate).without(without).with_log();
        let (mut all, mut answered) = (0_usize, 0_usize);
        let mut count = |simulation: &mut Simulation<'_>, until: Instant| {
            while let Some(settled) = simulation.advance(until) {
                let sent = usize::try_from(settled.key).ok().and_then(|key| self.copies.get(key));
                if !sent.is_some_and(|sent| self.window.counts(sent.at)) {
                    continue;
                }
                all += 1;
                answered += usize::from(settled.ending == Ending::Answered);
            }
        };
        for (key, sent) in self.copies.iter().enumerate() {
            if key % ASK_EVERY == 0 {
                progress.ask()?;
            }
            count(&mut simulation, sent.at);
            let copy = Copy { association: sent.path, shape: sent.shape, request: sent.exchange, key: key as u64 };
            simulation.send_recorded(sent.at, copy);
        }
        count(&mut simulation, Instant::MAX);
        progress.ask()?;
        let behaviour = Behaviour::of(self.machine, simulation.take_log(), (self.window.from, self.window.until));
        Ok(Drawn { answered: share(answered, all), behaviour })
    }

    /// Holds the measures of `record` against those of the `draws`; `frames` is the number of frames recorded within
    /// the window. Measures that do not apply are left out.
    pub fn checks(&self, record: &Record, frames: u64, draws: &[Drawn]) -> Vec<Check> {
        let seen = Seen::of(record, &self.window);
        let column = |of: fn(&Drawn) -> Option<f64>| -> Vec<f64> { draws.iter().filter_map(of).collect() };
        // Copies of unknown fate may all be lost or all be answered: of the values between, the one that speaks for the
        // twin.
        let within = |measure, range: Option<(f64, f64)>, column: &[f64]| {
            let nearest = mean(column).zip(range).map(|(mean, (least, most))| mean.clamp(least, most))?;
            judge::measure(measure, nearest, column)
        };
        let answered = within(Measure::CopiesAnswered, seen.answered(), &column(|drawn| drawn.answered));
        let all: Vec<f64> = draws.iter().map(|drawn| drawn.behaviour.frames as f64).collect();
        let frames = judge::measure(Measure::Frames, frames as f64, &all);
        [answered, frames].into_iter().flatten().collect()
    }
}

/// Recorded fates within a window.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    copies: usize,
    answered: usize,
    unknown: usize,
}

impl Seen {
    fn of(record: &Record, window: &Window) -> Self {
        let mut seen = Self::default();
        let exchanges = record.associations().iter().flat_map(|a: &AssociationRecord| &a.exchanges);
        for exchange in exchanges {
            seen.add(exchange, window);
        }
        seen
    }

    fn add(&mut self, exchange: &ExchangeRecord, window: &Window) {
        for copy in exchange.copies.iter().filter(|copy| window.counts(copy.sent)) {
            self.copies += 1;
            self.answered += usize::from(matches!(copy.fate, Fate::Answered { .. }));
            self.unknown += usize::from(!copy.fate.is_known());
        }
    }

    fn answered(&self) -> Option<(f64, f64)> {
        share(self.answered, self.copies).zip(share(self.answered + self.unknown, self.copies))
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
