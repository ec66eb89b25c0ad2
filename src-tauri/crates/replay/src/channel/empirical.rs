//! Borrowed weather: a copy that never was meets what recorded copies near in time met.
//!
//! Three steps, each on keyed draws:
//!
//! 1. A recorded copy within the tolerance lends its own fate ([`Support::Recorded`]).
//! 2. Otherwise a recorded copy of the same path near in time lends its fate. Each weighs as much as its
//!    fate tells of this one's: the measured correlation ρ at its distance ([`super::Autocorrelation`]). The climate
//!    weighs what the nearest copy leaves open, 1 − ρ. With one neighbour the chance of a loss is then the
//!    best linear prediction, p + ρ·(its fate − p), exact for a two-state Markov channel; with n equally
//!    near ones it is that of n draws with correlation ρ from one spell (beta-binomial), which comes to trust
//!    them as n grows. A round trip is borrowed in the same way from the answered neighbours, under the
//!    memory of round trips.
//! 3. The *climate* is a copy from a wider stretch of time, that spanned by the nearest recorded copies (where nothing hints at a
//!    memory of losses: by as many lost and answered ones). Each lends as often as it tells of the weather on the whole
//!    (module `counts`): where weather lasts, in proportion to the time before it, because a sender samples good and bad weather unequally
//!    densely, and not to the time behind it, because the gap behind a lost copy (its timeout) is long only because it was lost; where
//!    it does not, as often as any other. None is a copy of the same exchange, because of those one was lost for sure where there is a
//!    retransmission.
//!
//! Copies whose fate the capture cannot tell are imputed first, once per replicate (module `ambiguous`). How often a copy stands for
//! the climate is drawn once per replicate (module `weigh`), and where servers answer together all that waits, copies share the moment
//! of their reply (module `gate`).
//!
//! The climate comes from the same path when that has enough copies, else from all paths of the same
//! server, else from the whole trace. Draws are keyed by path and time quantum.

use super::batch_server::BatchServer;
use super::bootstrap_weights::{BootstrapWeights, WeightedDonors};
use super::donor_near::{KernelWeights, donor_near};
use super::sampler::{DonorFate, Sample, Sampler, draw_background, quantum, settle};
use super::{Channel, Met, Sent, Support};
use crate::estimate::{ChannelStatistics, Donor, Donors, ENOUGH, Local, SampleIndex, local, varies};
use crate::model::{Fate, Index, Moment, Purpose, RandomStream, Record, unit};
use base::Span;

/// Borrows from recorded copies near in time.
#[derive(Debug)]
pub(crate) struct Empirical<'a> {
    record: &'a Record,
    index: &'a Index,
    statistics: &'a ChannelStatistics,
    tolerance: Span,
    seed: u64,
    replicate: u32,
    paths: Vec<Option<Box<PathState>>>,
    /// What each stock of copies counts: those of each path, of each server's paths together, and of all.
    weights: Vec<Option<BootstrapWeights>>,
}

/// One path in one replicate.
#[derive(Debug)]
struct PathState {
    stream: RandomStream,
    own: Own,
}

/// What is particular about it.
#[derive(Debug)]
struct Own {
    /// Its copies, where the fates of some are imputed.
    imputed: Option<Donors>,
    /// Which of the stocks makes its climate.
    weighted: usize,
    batch_server: Option<BatchServer>,
}

impl<'a> Empirical<'a> {
    pub fn new(
        record: &'a Record,
        index: &'a Index,
        statistics: &'a ChannelStatistics,
        tolerance: Span,
        seed: u64,
        replicate: u32,
    ) -> Self {
        let paths = std::iter::repeat_with(|| None).take(index.paths.len()).collect();
        let weights = vec![None; index.paths.len() + statistics.pools.len() + 1];
        Self { record, index, statistics, tolerance, seed, replicate, paths, weights }
    }

    fn stream(&self, of: usize, purpose: Purpose) -> RandomStream {
        RandomStream::new(self.seed, self.replicate, of as u32, purpose)
    }

    /// This replicate's idea of `path`; not inlined, so that what is done for every copy stays small.
    #[inline(never)]
    fn open(&mut self, path: u32) -> Box<PathState> {
        let (at, paths) = (path as usize, self.index.paths.len());
        let imputed = self.statistics.imputed(self.record, self.index, (self.seed, self.replicate), path);
        let own = imputed.as_ref().or_else(|| self.statistics.paths.get(at)).map_or(0, |donors| donors.known.len());
        let pool = self.statistics.pool_of.get(at).copied().unwrap_or(0);
        let pooled = self.statistics.pools.get(pool).map_or(0, |pool| pool.len());
        let weighted = match (own >= ENOUGH, pooled >= ENOUGH) {
            (true, _) => at,
            (false, true) => paths + pool,
            (false, false) => paths + self.statistics.pools.len(),
        };
        if self.weights.get(weighted).is_some_and(Option::is_none) {
            let mut stream = self.stream(weighted, Purpose::BootstrapWeights);
            self.weights[weighted] =
                Some(BootstrapWeights::drawn(&self.copies(weighted, imputed.as_ref()).counts, &mut stream, 0));
        }
        let batch_server = BatchServer::of(self.statistics, self.index, path);
        Box::new(PathState { stream: self.stream(at, Purpose::Fate), own: Own { imputed, weighted, batch_server } })
    }

    /// The copies of a stock; `imputed` where it is a path of which some are.
    fn copies<'d>(&'d self, weighted: usize, imputed: Option<&'d Donors>) -> &'d SampleIndex {
        let ChannelStatistics { paths, pools, all, .. } = self.statistics;
        match (paths.get(weighted), pools.get(weighted.saturating_sub(paths.len()))) {
            (Some(own), _) => &imputed.unwrap_or(own).known,
            (None, Some(pool)) => pool,
            (None, None) => all,
        }
    }

    /// One draw of the weather; `None` when the trace has nothing to lend.
    fn draw_donor(&self, own: &Own, (sent, now): (&Sent, Moment), words: [u32; 4]) -> Option<DonorFate> {
        let [choice, moment, choice_rtt, _] = words;
        let statistics = self.statistics;
        let path = own.imputed.as_ref().or_else(|| statistics.paths.get(sent.path as usize))?;
        let losses = KernelWeights::weighed(&path.known, now, &statistics.loss_decay);
        let rtts = KernelWeights::weighed(&path.answered, now, &statistics.rtt_decay);
        let donor = match losses.and_then(|near| near.donor_at(&path.known, unit(choice))) {
            Some(donor) => donor,
            None => self.background_donor(own, (sent, now), unit(moment))?,
        };
        let Fate::Answered { .. } = donor.fate else {
            return Some(DonorFate { fate: donor.fate, loads: Some(donor.load) });
        };
        let donor_at = rtts.and_then(|near| near.donor_at(&path.answered, unit(choice_rtt))).unwrap_or(donor);
        let fate = own
            .batch_server
            .map_or(donor_at.fate, |batch_server| batch_server.moved(&path.known, sent.at, donor_at.fate));
        Some(DonorFate { fate, loads: Some([donor.load[0], donor_at.load[1]]) })
    }

    /// The copies that make a path's climate, as this replicate counts them.
    fn weighted<'d>(&'d self, own: &'d Own) -> Option<WeightedDonors<'d>> {
        let weights = self.weights.get(own.weighted)?.as_ref()?;
        Some(WeightedDonors { donors: self.copies(own.weighted, own.imputed.as_ref()), weights })
    }

    /// At least the time in which the weather can change; and whether nothing hints at that for losses.
    fn memory(&self) -> (Span, bool) {
        (self.statistics.loss.time.max(self.statistics.rtt.time), self.statistics.loss.even)
    }

    fn background_donor(&self, own: &Own, (sent, now): (&Sent, Moment), moment: f64) -> Option<Donor> {
        // A retransmission exists because a copy before it was lost: that one does not tell how usual losses are.
        let path = self.index.paths.get(sent.path as usize)?;
        let exchange = || self.record.associations().get(sent.path as usize)?.exchanges.get(sent.exchange as usize);
        let is_own = |donor: &Donor| {
            path.sent(sent.exchange, donor.at)
                .unwrap_or_else(|| exchange().is_some_and(|e| e.copies.iter().any(|c| c.sent == donor.at)))
        };
        draw_background(self.weighted(own)?, now, self.memory(), moment, is_own)
    }
}

impl Channel for Empirical<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.draw(sent).met
    }
}

impl Sampler for Empirical<'_> {
    fn draw(&mut self, sent: &Sent) -> Sample {
        let at = sent.path as usize;
        // Out of its place while the rest of this channel is read.
        let state = self.paths.get_mut(at).and_then(Option::take);
        let mut state = state.unwrap_or_else(|| self.open(sent.path));
        let PathState { stream, own } = &mut *state;
        let place = quantum(sent.at, self.tolerance);
        let words = |quarter| stream.quarter(place, quarter);
        let donors = own.imputed.as_ref().or_else(|| self.statistics.paths.get(at));
        let (fates, loads) = donors.map_or((&[][..], &[][..]), |d| (&*d.fates, &*d.loads));
        let path = self.index.paths.get(at);
        let meant = (sent, path.map_or(Moment { at: sent.at, copies: 0 }, |path| path.moment(sent.at)));
        let draw_donor = |words| self.draw_donor(own, meant, words);
        let drawn = settle((path, fates, loads), meant, self.tolerance, Support::Borrowed, words, draw_donor);
        if let Some(batch_server) = &mut own.batch_server {
            batch_server.pass(sent.at, drawn.met.fate);
        }
        if let Some(place) = self.paths.get_mut(at) {
            *place = Some(state);
        }
        drawn
    }

    fn begin(&mut self) {
        self.paths.iter_mut().flatten().filter_map(|path| path.own.batch_server.as_mut()).for_each(BatchServer::clear);
    }

    fn is_of_time(&self, path: u32) -> bool {
        BatchServer::of(self.statistics, self.index, path).is_none()
    }

    fn local(&mut self, sent: &Sent, usual: f64) -> Option<Local> {
        let (at, memory) = (sent.path as usize, &self.statistics.loss);
        let own = self.paths.get(at)?.as_ref().and_then(|path| path.own.imputed.as_ref());
        let known = &own.or_else(|| self.statistics.paths.get(at))?.known;
        let now = self.index.paths.get(at)?.moment(sent.at);
        varies(memory).then(|| local(known, (sent.at, known.before(now)), memory, usual))
    }

    fn answered(&mut self, sent: &Sent, [near, moment]: [u32; 2]) -> Option<Donor> {
        let own = &self.paths.get(sent.path as usize)?.as_ref()?.own;
        let donors = own.imputed.as_ref().or_else(|| self.statistics.paths.get(sent.path as usize))?;
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let near = donor_near(&donors.answered, now, &self.statistics.rtt_decay, unit(near));
        near.or_else(|| {
            draw_background(self.weighted(own)?, now, self.memory(), unit(moment), |d| d.fate.rtt().is_none())
        })
    }
}
