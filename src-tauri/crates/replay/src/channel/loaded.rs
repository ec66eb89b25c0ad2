//! Channel under load: a base channel whose fates respond to the difference between the load now and the load they were
//! recorded under.
//!
//! If a copy meets another load than its donor, its odds of a loss are multiplied by `exp(β · Δload)`, and its round
//! trip is longer by `γ · Δload`, no shorter than the shortest of its path. Losses respond to the load at sending.
//! Round trips respond to it in part, and for the rest to the moving average of load
//! ([`crate::estimate::Loads::felt`]).
//!
//! A fate changes only as far as needed. When the probability of a loss rises from `p` to `p′`, an answered copy is
//! lost with probability `(p′ − p) / (1 − p)`; when it falls, a lost one is answered with probability `(p − p′) / p`.
//! So recorded loads keep recorded fates, and without a response this is the base channel. `p` is the local probability
//! ([`crate::estimate::Local`]), not that of the path: with the latter, loads that vary around their mean would thin
//! out bad states and add losses in good ones.
//!
//! The same exchanges are replayed, so clients in a closed loop, and those with requests left when the record ended,
//! finish at other times than in the trace, where all clients went on sending. The load of such a client is *continued*
//! at its mean: until it finished in the trace, and again beyond the end of the trace.
//!
//! All clients are simulated together, in order of time. The response is estimated ([`crate::LoadFit`]); each replicate
//! draws one from its sampling distribution.

use super::sampler::{Sample, Sampler, quantum};
use super::{Channel, Met, Recorded, Sent, Support};
use crate::estimate::{Donor, InFlightLoad, LoadModel, Local, Slopes, chance};
use crate::model::{Fate, Index, Load, Purpose, RandomStream, unit};
use base::{Instant, Span};

/// Clients that stay as recorded, and limits of the others.
#[derive(Debug)]
pub(crate) struct Pinned<'a> {
    /// Channel of the clients that stay as recorded.
    pub recorded: Recorded<'a>,
    /// Whether each path stays as recorded, in the order of the record.
    pub pinned: Vec<bool>,
    /// Position of the last exchange of each path, where more would have followed its end; else `None`.
    pub last: Vec<Option<u32>>,
    /// Beginning of the replay, if not that of the record: copies in flight then are the recorded ones. `None`: the
    /// replay begins with the record.
    pub since: Option<Instant>,
}

/// Load of a client continued beyond its last exchange.
#[derive(Clone, Copy, Debug)]
struct Continuation {
    path: u32,
    from: Instant,
    until: Instant,
}

/// A base channel under load.
#[derive(Debug)]
pub(crate) struct Loaded<'a> {
    base: Box<dyn Sampler + 'a>,
    pinned_clients: Pinned<'a>,
    load_model: &'a LoadModel,
    index: &'a Index,
    slopes: Slopes,
    tolerance: Span,
    in_flight: InFlightLoad,
    streams: Vec<RandomStream>,
    /// Last exchange of each path, where more would have followed, until its first copy is sent; then `None`.
    last: Vec<Option<u32>>,
    continuations: Vec<Continuation>,
}

impl<'a> Loaded<'a> {
    /// Opens the channel for one replicate of `seed`: fates from `base`, moved by `slopes` where loads differ from
    /// those of `load_model`.
    pub fn new(
        base: Box<dyn Sampler + 'a>,
        mut pinned_clients: Pinned<'a>,
        (load_model, index): (&'a LoadModel, &'a Index),
        slopes: Slopes,
        tolerance: Span,
        (seed, replicate): (u64, u32),
    ) -> Self {
        let streams =
            (0..index.paths.len()).map(|path| RandomStream::new(seed, replicate, path as u32, Purpose::Load)).collect();
        let (mut in_flight, last) = (load_model.loads.in_flight(), std::mem::take(&mut pinned_clients.last));
        if let Some(since) = pinned_clients.since {
            load_model.loads.under_way(&mut in_flight, index, &load_model.statistics, since);
        }
        Self {
            base,
            pinned_clients,
            load_model,
            index,
            slopes,
            tolerance,
            in_flight,
            streams,
            last,
            continuations: Vec::new(),
        }
    }

    /// Adds the continued load of clients that have finished.
    fn continue_load(&mut self, now: Instant) {
        let Self { load_model, in_flight, continuations, .. } = self;
        continuations.retain(|continuation| {
            if continuation.from <= now {
                load_model.loads.continue_load(
                    in_flight,
                    continuation.path,
                    (now, continuation.until),
                    load_model.loads.presence(continuation.path).0,
                );
            }
            continuation.from > now
        });
    }

    /// Schedules the continued load of a client whose last exchange begins: it is taken to end with its first copy.
    fn retire(&mut self, sent: &Sent, over: Instant) {
        let Some(last) = self.last.get_mut(sent.path as usize) else { return };
        if *last != Some(sent.exchange) {
            return;
        }
        *last = None;
        let (done, end) = (self.load_model.loads.presence(sent.path).1, self.load_model.loads.end());
        for (from, until) in [(over, done), (over.max(end), Instant::MAX)] {
            if from < until {
                self.continuations.push(Continuation { path: sent.path, from, until });
            }
        }
    }

    fn sampler(&mut self, sent: &Sent) -> Sample {
        let at = sent.path as usize;
        if !self.pinned_clients.pinned.get(at).copied().unwrap_or(false) {
            return self.base.sample(sent);
        }
        let near = self.near(sent);
        let loads = near.and_then(|i| self.load_model.statistics.paths.get(at)?.loads.get(i)).copied();
        Sample { met: self.pinned_clients.recorded.fate(sent), loads }
    }

    /// Position among the recorded copies of the path of the one within the tolerance.
    fn near(&self, sent: &Sent) -> Option<usize> {
        self.index.paths.get(sent.path as usize)?.near(sent.at, self.tolerance, sent.exchange).map(|(i, _)| i)
    }
}

/// Moves a fate from the loads it was met under to another.
struct Move<'m> {
    load_model: &'m LoadModel,
    /// Local loss probability, if different from that of the path.
    local: Option<Local>,
    slopes: Slopes,
    path: usize,
    shortest: Span,
    load: Load,
}

impl Move<'_> {
    /// `answered` says what a copy meets that is answered after all.
    fn fate(
        &self,
        fate: Fate,
        [lost_at, took_at]: Load,
        mut words: impl FnMut() -> [u32; 16],
        answered: impl FnOnce([u32; 2]) -> Option<Donor>,
    ) -> Fate {
        let p = |load| chance(self.load_model.logit((self.path, self.local), load, self.slopes.loss));
        // To the bit the same where nothing differs.
        let same = self.slopes.loss == 0.0 || lost_at == self.load[0];
        let (p, now) = if same { (0.0, 0.0) } else { (p(lost_at), p(self.load[0])) };
        match fate {
            Fate::Answered { .. } if now > p && unit(words()[0]) * (1.0 - p) < now - p => Fate::Lost,
            Fate::Answered { rtt } => Fate::Answered { rtt: self.stretched(rtt, took_at) },
            Fate::RequestLost | Fate::ReplyLost | Fate::Lost if now < p => {
                let words = words();
                let saved = unit(words[0]) * p < p - now;
                let donor = saved.then(|| answered([words[1], words[2]])).flatten();
                let taken = donor.and_then(|d| Some(Fate::Answered { rtt: self.stretched(d.fate.rtt()?, d.load[1]) }));
                taken.unwrap_or(fate)
            }
            Fate::RequestLost | Fate::ReplyLost | Fate::Lost | Fate::Unknown => fate,
        }
    }

    fn stretched(&self, rtt: Span, load: u32) -> Span {
        if self.slopes.rtt == 0.0 || load == self.load[1] {
            return rtt;
        }
        let more = self.slopes.rtt * (self.load_model.loads.copies(self.load[1]) - self.load_model.loads.copies(load));
        let stretched = Span::from_secs_f64(more).map_or(rtt, |more| rtt + more);
        stretched.max(self.shortest.min(rtt))
    }
}

impl Channel for Loaded<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.continue_load(sent.at);
        let drawn = self.sampler(sent);
        let weight = self.load_model.loads.weight(sent.path, sent.exchange, self.near(sent));
        let path = sent.path as usize;
        let shortest = self.index.paths.get(path).map_or(Span::ZERO, |p| p.plausible.0);
        let Self { base, load_model, in_flight, streams, tolerance, slopes, .. } = self;
        let mut met = drawn.met;
        load_model.loads.pass(in_flight, sent.path, sent.at, |load| {
            let load = load_model.loads.felt(load);
            if let (Some(loads), Some(stream)) = (drawn.loads, streams.get_mut(path)) {
                let words = || *stream.block(quantum(sent.at, *tolerance));
                let moves = slopes.loss != 0.0 && loads[0] != load[0];
                let local = if moves { base.local(sent, load_model.usual(path)) } else { None };
                let from = Move { load_model, local, slopes: *slopes, path, shortest, load };
                let moved = from.fate(met.fate, loads, words, |words| base.answered(sent, words));
                if moved != met.fate {
                    met = Met { fate: moved, support: Support::Modelled };
                }
            }
            (load_model.loads.until(sent.path, sent.at, met.fate), weight)
        });
        let over = self.load_model.loads.until(sent.path, sent.at, met.fate);
        self.retire(sent, over);
        met
    }

    fn couples(&self) -> bool {
        true
    }
}
