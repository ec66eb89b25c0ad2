//! Trust in a network twin: it is asked about the capture that it was inferred from, where the answer is known.
//!
//! * *Self-replay*: the recorded timer (the one that [`crate::identify`] finds most likely) runs over the twin, with
//!   workloads drawn as for any other timer. The measures of the capture are held against the twin's 90 % intervals.
//!   Where no known timer fits the capture this would test the timer, not the network, and is left out.
//! * *Open loop*: the recorded copies are sent again when they were recorded. No timer takes part, so what is tested is
//!   the network alone, under the very load of the capture: the share of copies that are answered, and the frames
//!   on the air.
//! * *Attempt patterns*, *senders at once*, *forwarding*: how packets fare on each link, how often nodes send at once,
//!   and what is passed on, of the same replicates. Nothing is fitted to them.
//! * *Halves*: what the first half of the capture says of the second ([`Halves`]); asked for by itself, since it needs
//!   a twin of its own.
//!
//! A twin that misses what was recorded by far is not used ([`Replay::choose_channel`]). Self-replay and open loop
//! decide by their worst measure; patterns, senders and forwarding by the share of observations that the twin places
//! elsewhere. Halves decide nothing.

mod halves;
mod judge;
mod open_loop;
mod shares;

pub use halves::Halves;

use crate::calibrate::SCORED;
use crate::identify::{Clues, likeliest};
use crate::metrics::Values;
use crate::model::{AssociationRecord, ChannelSpec, Record};
use crate::run::model_error::Kind;
use crate::run::{Agreement, Check, ChosenChannel, Gate, GateKind, Measure, Replay, Share, Why};
use crate::scenario::{Algorithm, AnotherRun, Bounds, Error, ModelErrors, Scenario};
use base::{Cancelled, Instant, Part, Progress, SharedProgress};
use open_loop::{Drawn, OpenLoop, Window};
use serde_json::Value;
use trace::Trace;
use twin::{Behaviour, Machine, Mechanism};

/// Seed of self-replays and open loops: one of their own, so that the verdict does not depend on the seed of a
/// question.
const SEED: u64 = 0x7365_6c66;
/// Number of clients whose timeouts are compared with those of known timers, those with the most retransmissions: with
/// more of them the recorded timer is hardly known better. Chosen here: with three of the four clients of *Needless
/// storm* another timer is the likeliest.
const CLIENTS: usize = 4;
/// Number of frames of a capture that the self-replay and the open loop go over, from its beginning on: a busy hour has
/// more than any check needs. Chosen here: of 40,000 frames a share of one in a hundred is known to 0.1 %.
const MOST_FRAMES: usize = 40_000;
/// Number of copies of a capture, from its beginning on, that are asked for a bottleneck before all are. Chosen here,
/// for speed: no run of `../shared` has a quarter as many, so that the choice is made of all of those; `rtoscope trust`
/// on five million frames took 168 s where all 1.1 million exchanges were fitted, and takes 43 s.
const MOST_COPIES: usize = 40_000;

/// Number of replicates that checks may cost.
#[derive(Clone, Copy, Debug)]
struct Budget {
    replicates: u32,
}

impl Budget {
    /// Greatest number of replicates. Chosen here: the ends of a 90 % interval of 40 draws are known to a third of
    /// their distance.
    const MOST: u32 = 40;
    /// Least number of replicates: the range of 19 draws is a 90 % interval of one more ([`crate::stats::interval`]).
    const LEAST: u32 = 19;
    /// Number of frames of all replicates together, between these limits. Chosen here: a quarter of a second on one
    /// core (`npm run bench -- twin`).
    const FRAMES: u64 = 500_000;

    /// Budget for replicates of `frames` frames each.
    fn of(frames: u64) -> Self {
        let fit = u32::try_from(Self::FRAMES / frames.max(1)).unwrap_or(u32::MAX);
        Self { replicates: fit.clamp(Self::LEAST, Self::MOST) }
    }
}

/// Checks of a network twin against its own capture.
#[derive(Clone, PartialEq, Debug)]
pub struct Trust {
    /// Timer of the self-replay, as [`crate::identify`] finds it; `None` where no known one fits, so that there is no
    /// self-replay.
    pub algorithm: Option<Algorithm>,
    /// End of the part of the capture that checks and shares are about; `None`: the whole capture.
    pub until: Option<Instant>,
    /// Measures that apply: those of the self-replay, then those of the open loop.
    pub checks: Vec<Check>,
    /// Shares, those of one gate together, in the order of [`GateKind`].
    pub shares: Vec<Share>,
    /// Checks and shares counted, in the order of [`GateKind`].
    pub gates: Vec<Gate>,
}

impl Trust {
    /// Asks the twin of `replay` about its capture; `trace` is the one that it was inferred from. `progress` counts
    /// parts.
    ///
    /// # Errors
    /// [`Error::NoTwin`], [`Error::TwinNotLearned`], [`Error::Cancelled`].
    pub fn of(replay: &Replay, trace: &Trace, progress: &mut dyn Progress) -> Result<Self, Error> {
        Self::without(replay, trace, &[], progress)
    }

    /// Asks as [`Trust::of`] does, of the twin without some `mechanisms`, which is a wrong one: to see what the gates
    /// catch.
    ///
    /// # Errors
    /// As [`Trust::of`].
    pub fn without(
        replay: &Replay,
        trace: &Trace,
        mechanisms: &[Mechanism],
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let machine = replay.machine().ok_or(Error::TwinNotLearned)??;
        let mut first = Part::new(progress, 0, 2, 3);
        let mut shared = SharedProgress::new(&mut first, 2);
        shared.stage(2, 2)?;
        // Neither needs the other, and the search for the timer seldom has work for more than one thread.
        let (algorithm, sent) = rayon::join(
            || {
                recorded_timer(replay.record(), trace, &mut shared.uncounted())
                    .and_then(|found| shared.pass().map(|()| found))
            },
            || OpenRun::of(replay.record(), trace, (machine, mechanisms), &mut shared.uncounted()),
        );
        let (algorithm, OpenRun { until, recorded, open, draws }) = (algorithm?, sent?);
        shared.pass()?;
        let mut checks = match &algorithm {
            Some(algorithm) => {
                let mut progress = Part::new(progress, 2, 3, 3);
                if let Some(until) = until {
                    let part = replay.until(until, &mut Part::new(&mut progress, 0, 1, 4))?;
                    let frames = u64::try_from(MOST_FRAMES).unwrap_or(u64::MAX);
                    closed_loop(&part, frames, algorithm, mechanisms, &mut Part::new(&mut progress, 1, 4, 4))?
                } else {
                    closed_loop(replay, machine.frames, algorithm, mechanisms, &mut progress)?
                }
            }
            None => Vec::new(),
        };
        checks.extend(open.checks(replay.record(), recorded.frames, &draws));
        let drawn: Vec<&Behaviour> = draws.iter().map(|drawn: &Drawn| &drawn.behaviour).collect();
        let (shares, of_shares) = shares::compare(&recorded, &drawn);
        let of_checks =
            [GateKind::SelfReplay, GateKind::OpenLoop].into_iter().filter_map(|kind| counted(kind, &checks));
        let gates = of_checks.chain(of_shares).collect();
        Ok(Self { algorithm, until, checks, shares, gates })
    }

    /// Measure that disagrees most, by the difference as a share of its prediction; `None` where all agree.
    #[must_use]
    pub fn worst(&self) -> Option<&Check> {
        let off = |check: &&Check| (check.mean - check.recorded).abs() / check.mean.abs().max(f64::MIN_POSITIVE);
        self.checks.iter().filter(|check| is_outside(check)).max_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// Number of measures inside the twin's 90 % intervals.
    #[must_use]
    pub fn inside(&self) -> usize {
        self.checks.iter().filter(|check| check.agreement == Agreement::Inside).count()
    }

    /// Reason why the twin is used, or is not.
    fn why(&self) -> Why {
        if let Some(check) = self.worst() {
            let (label, recorded, ninety) = (check.measure.label(), check.recorded, check.ninety);
            return Why::TwinDisagrees { label, recorded, ninety };
        }
        let closed = self.gates.iter().filter(|gate| gate.is_closed);
        let worst = closed.filter_map(|gate| Some((gate.kind, gate.misplaced?)));
        match worst.max_by(|(_, a), (_, b)| a.share.total_cmp(&b.share)) {
            Some((gate, misplaced)) => Why::TwinMisplaces { gate, misplaced },
            None => Why::TwinAgrees { inside: self.inside(), measures: self.checks.len() },
        }
    }
}

fn is_outside(check: &Check) -> bool {
    check.agreement == Agreement::Outside
}

/// Gate of the measures of one `kind`; `None` where none applies.
fn counted(kind: GateKind, checks: &[Check]) -> Option<Gate> {
    let is_closed_loop = |check: &Check| matches!(check.measure, Measure::Metric(_));
    let own = || checks.iter().filter(|check| is_closed_loop(check) == (kind == GateKind::SelfReplay));
    let many = own().count();
    (many > 0).then(|| Gate {
        kind,
        inside: own().filter(|check| check.agreement == Agreement::Inside).count(),
        many,
        expected: 0.9 * many as f64,
        misplaced: None,
        is_closed: own().any(is_outside),
    })
}

/// The open loop over the beginning of a capture, and the behaviour that is held against it.
struct OpenRun<'a> {
    /// End of that beginning; `None`: the whole capture.
    until: Option<Instant>,
    recorded: Behaviour,
    open: OpenLoop<'a>,
    draws: Vec<Drawn>,
}

impl<'a> OpenRun<'a> {
    /// Sends the copies of `record` through `machine` without some `mechanisms`; errs when cancelled.
    fn of(
        record: &Record,
        trace: &Trace,
        (machine, mechanisms): (&'a Machine, &[Mechanism]),
        progress: &mut dyn Progress,
    ) -> Result<Self, Cancelled> {
        let log = twin::recorded_frames(trace, machine, progress)?;
        let window = Window::first(log.iter().map(|frame| frame.start), MOST_FRAMES);
        let until = (log.len() > MOST_FRAMES).then_some(window.until);
        let recorded = Behaviour::of(machine, log, (window.from, window.until));
        let open = OpenLoop::new(machine, record, window);
        let draws = open.draw(Budget::of(recorded.frames), mechanisms, progress)?;
        Ok(Self { until, recorded, open, draws })
    }
}

impl Replay {
    /// Chooses the channel that stands for [`ChannelSpec::Auto`], unless that is done: the network twin where it agrees
    /// with its own capture; else a bottleneck, where several clients share one that the round trips show; else the
    /// empirical channel. `trace` is the one that this replay's record was made of. `progress` counts parts.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when `progress` breaks.
    pub fn choose_channel(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<&ChosenChannel, Error> {
        if let Some(chosen) = self.chosen_channel() {
            return Ok(chosen);
        }
        self.learn_network(trace, &mut Part::new(progress, 0, 1, 4))?;
        let trust = match Trust::of(self, trace, &mut Part::new(progress, 1, 3, 4)) {
            Ok(trust) => Ok(trust),
            Err(Error::NoTwin(refusal)) => Err(refusal),
            Err(other) => return Err(other),
        };
        let why = match &trust {
            Err(refusal) => Why::NoTwin(*refusal),
            Ok(trust) => trust.why(),
        };
        let channel = match why {
            Why::TwinAgrees { .. } => ChannelSpec::Twin,
            _ if self.shares_bottleneck(&mut Part::new(progress, 3, 4, 4))? => ChannelSpec::QUEUED,
            _ => ChannelSpec::EMPIRICAL,
        };
        let error = self.kind_of_error(channel);
        let (mut timer, mut until, mut checks, mut shares, mut gates) = Default::default();
        if let Ok(trust) = trust {
            Trust { algorithm: timer, until, checks, shares, gates } = trust;
        }
        let chosen = ChosenChannel { channel, why, error, timer, until, checks, shares, gates };
        Ok(self.set_chosen_channel(chosen))
    }

    /// Whether several clients share a bottleneck that the round trips show: those of the first [`MOST_COPIES`] copies
    /// already, and those of all.
    fn shares_bottleneck(&self, progress: &mut dyn Progress) -> Result<bool, Cancelled> {
        if self.record().clients() < 2 {
            return Ok(false);
        }
        if let Some(end) = self.record().time_of_copy(MOST_COPIES) {
            let beginning = self.until(end, &mut Part::new(progress, 0, 1, 8))?;
            if beginning.bottleneck(&mut Part::new(progress, 1, 1, 8))?.is_err() {
                return Ok(false);
            }
        }
        Ok(self.bottleneck(&mut Part::new(progress, 2, 6, 8))?.is_ok())
    }
}

/// The timer that most likely ran, by the timeouts of the clients with the most retransmissions; `None` where no known
/// timer fits them. Where none ran out, all timers are alike.
fn recorded_timer(record: &Record, trace: &Trace, progress: &mut dyn Progress) -> Result<Option<Algorithm>, Cancelled> {
    let retransmissions = |a: &AssociationRecord| a.exchanges.iter().map(|e| e.copies.len() - 1).sum::<usize>();
    let mut clients: Vec<&AssociationRecord> = record.associations().iter().collect();
    clients.sort_by_key(|a| std::cmp::Reverse(retransmissions(a)));
    let only = clients.iter().take(CLIENTS).map(|a| a.id).collect();
    let found = likeliest(record, &Clues { only, ..Clues::of(trace) }, progress)?;
    Ok(found.map(|(id, params)| Algorithm::Preset { id: id.to_owned(), params: Value::Object(params) }))
}

/// The metrics of the capture of `replay`, or of its part, against those of other runs of its own timer, `algorithm`,
/// over the twin without some `mechanisms`. `frames`: number of its frames.
fn closed_loop(
    replay: &Replay,
    frames: u64,
    algorithm: &Algorithm,
    mechanisms: &[Mechanism],
    progress: &mut dyn Progress,
) -> Result<Vec<Check>, Error> {
    let scenario = Scenario {
        seed: SEED,
        replicates: Budget::of(frames).replicates,
        another: AnotherRun::Only,
        // The question is whether the machine is right.
        model_error: ModelErrors::Exclude,
        bounds: Bounds::Skip,
        without: mechanisms.to_vec(),
        ..Scenario::new(algorithm.clone(), ChannelSpec::Twin)
    };
    let result = replay.run(&scenario, progress)?;
    let errors = replay.kind_of_error(ChannelSpec::Twin).map_or(&[][..], Kind::errors);
    let values = *replay.recorded();
    let column =
        |name| -> Vec<f64> { result.another.iter().filter_map(|replicate: &Values| replicate.get(name)).collect() };
    let check = |name| judge::metric(errors, name, values.get(name)?, &column(name));
    Ok(SCORED.into_iter().filter_map(check).collect())
}
