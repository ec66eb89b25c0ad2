//! Empirical channel: nearest-neighbour bootstrap of recorded fates with an exponential kernel.
//!
//! The fate of a copy sent at time `t` on a path is sampled in three steps, each with random numbers addressed by path
//! and time:
//!
//! 1. A recorded copy within the tolerance gives its own fate ([`Support::Recorded`]).
//! 2. Otherwise a *donor* (the term of hot-deck imputation) near in time gives its fate. A donor at lag `u` weighs the
//!    measured autocorrelation `ρ(u) = s · exp(−max(u, u₀) / τ)` ([`crate::Autocorrelation`]); the background of step 3
//!    weighs `1 − max ρ`. With one donor of fate `x` the probability of a loss is `p + ρ · (x − p)`, the best linear
//!    prediction, which is exact for a two-state Markov channel. With `n` donors of equal weight it is that of `n`
//!    draws with correlation ρ (beta-binomial; Skellam, J. R. Stat. Soc. B 10, 1948). A round trip is sampled in the
//!    same way from the answered donors, with the autocorrelation of round trips.
//! 3. The *background* is a donor from a wider stretch of time: that of the [`ENOUGH`] nearest recorded copies, or,
//!    where losses are uncorrelated, of as many lost and answered ones. Donors are drawn by effective sample weights
//!    (module `effective_weights`), because a sender samples good and bad states unequally densely. A copy of the same
//!    exchange is never drawn: where there is a retransmission, a copy before it was lost for certain.
//!
//! Three things are drawn once per replicate: ambiguous fates (multiple imputation, module `ambiguity`), the weights of
//! the background (Bayesian bootstrap, module `bootstrap_weights`), and, at servers that reply to all waiting copies at
//! once, the moment of that reply (module `batch_server`).
//!
//! The background comes from the same path when that has enough copies, else from all paths of the same server, else
//! from the whole trace. The kernel of steps 2 and 3 is the module `kernel`.

use super::batch_server::BatchServer;
use super::bootstrap_weights::{BootstrapWeights, WeightedDonors};
use super::kernel::Near;
use super::sampler::{DonorFate, Sample, Sampler, draw_background, quantum, settle};
use super::{Channel, Met, Sent, Support};
use crate::estimate::{ChannelStatistics, Donor, Donors, ENOUGH, Local, SampleIndex, local, varies};
use crate::model::{Fate, Index, Moment, Purpose, RandomStream, Record, unit};
use base::Span;

/// Empirical channel in one replicate: samples fates of recorded copies near in time.
#[derive(Debug)]
pub(crate) struct Empirical<'a> {
    record: &'a Record,
    index: &'a Index,
    statistics: &'a ChannelStatistics,
    tolerance: Span,
    seed: u64,
    replicate: u32,
    paths: Vec<Option<Box<PathState>>>,
    /// Bootstrap weights by background: of each path, of each server's paths together, and of all.
    weights: Vec<Option<BootstrapWeights>>,
}

/// State of one path in one replicate.
#[derive(Debug)]
struct PathState {
    stream: RandomStream,
    own: Own,
}

/// State of the path besides its random stream.
#[derive(Debug)]
struct Own {
    /// Donors of the path, where the fates of some are imputed.
    imputed: Option<Donors>,
    /// Background of the path, as a position in `weights`.
    weighted: usize,
    batch_server: Option<BatchServer>,
}

impl<'a> Empirical<'a> {
    /// Opens the channel for one replicate of `seed`; paths are prepared when first asked about.
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

    /// Prepares `path` for this replicate. Not inlined: the code for every copy stays small.
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
            self.weights[weighted] = Some(BootstrapWeights::drawn(
                &self.copies(weighted, imputed.as_ref()).effective_weights,
                &mut stream,
                0,
            ));
        }
        let batch_server = BatchServer::of(self.statistics, self.index, path);
        Box::new(PathState { stream: self.stream(at, Purpose::Fate), own: Own { imputed, weighted, batch_server } })
    }

    /// Donors of a background; `imputed` replaces those of a path with imputed fates.
    fn copies<'d>(&'d self, weighted: usize, imputed: Option<&'d Donors>) -> &'d SampleIndex {
        let ChannelStatistics { paths, pools, all, .. } = self.statistics;
        match (paths.get(weighted), pools.get(weighted.saturating_sub(paths.len()))) {
            (Some(own), _) => &imputed.unwrap_or(own).known,
            (None, Some(pool)) => pool,
            (None, None) => all,
        }
    }

    /// Samples one donor; `None` when the trace has none.
    fn draw_donor(&self, own: &Own, (sent, now): (&Sent, Moment), words: [u32; 4]) -> Option<DonorFate> {
        let [choice, moment, choice_rtt, _] = words;
        let statistics = self.statistics;
        let path = own.imputed.as_ref().or_else(|| statistics.paths.get(sent.path as usize))?;
        let losses = Near::new(&path.known, now, statistics.loss_kernel());
        let rtts = Near::new(&path.answered, now, statistics.rtt_kernel());
        let donor = match losses.draw(unit(choice)) {
            Some(donor) => donor,
            None => self.background_donor(own, (sent, now), unit(moment))?,
        };
        let Fate::Answered { .. } = donor.fate else {
            return Some(DonorFate { fate: donor.fate, loads: Some(donor.load) });
        };
        let donor_at = rtts.draw(unit(choice_rtt)).unwrap_or(donor);
        let fate = own
            .batch_server
            .map_or(donor_at.fate, |batch_server| batch_server.moved(&path.known, sent.at, donor_at.fate));
        Some(DonorFate { fate, loads: Some([donor.load[0], donor_at.load[1]]) })
    }

    /// Background of a path with the weights of this replicate.
    fn weighted<'d>(&'d self, own: &'d Own) -> Option<WeightedDonors<'d>> {
        let weights = self.weights.get(own.weighted)?.as_ref()?;
        Some(WeightedDonors { donors: self.copies(own.weighted, own.imputed.as_ref()), weights })
    }

    /// Longer coherence time of losses and round trips, and whether losses are uncorrelated.
    fn coherence(&self) -> (Span, bool) {
        (self.statistics.loss.time.max(self.statistics.rtt.time), self.statistics.loss.even)
    }

    fn background_donor<'d>(&'d self, own: &'d Own, (sent, now): (&Sent, Moment), moment: f64) -> Option<&'d Donor> {
        // A retransmission exists because a copy before it was lost: that one does not tell how usual losses are.
        let association = self.record.associations().get(sent.path as usize)?;
        let own_copies = association.exchanges.get(sent.exchange as usize).map_or(&[][..], |exchange| &exchange.copies);
        let is_own = |donor: &Donor| own_copies.iter().any(|copy| copy.sent == donor.at);
        draw_background(self.weighted(own)?, now, self.coherence(), moment, is_own)
    }
}

impl Channel for Empirical<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.sample(sent).met
    }
}

impl Sampler for Empirical<'_> {
    fn sample(&mut self, sent: &Sent) -> Sample {
        let at = sent.path as usize;
        // Taken out while the rest of this channel is borrowed.
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
        let drawn = settle((path, fates, loads), meant, self.tolerance, Support::Sampled, words, draw_donor);
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
        let (at, losses) = (sent.path as usize, &self.statistics.loss);
        let own = self.paths.get(at)?.as_ref().and_then(|path| path.own.imputed.as_ref());
        let known = &own.or_else(|| self.statistics.paths.get(at))?.known;
        let now = self.index.paths.get(at)?.moment(sent.at);
        varies(losses).then(|| local(known, (sent.at, known.before(now)), losses, usual))
    }

    fn answered(&mut self, sent: &Sent, [near, moment]: [u32; 2]) -> Option<Donor> {
        let own = &self.paths.get(sent.path as usize)?.as_ref()?.own;
        let donors = own.imputed.as_ref().or_else(|| self.statistics.paths.get(sent.path as usize))?;
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let near = Near::new(&donors.answered, now, self.statistics.rtt_kernel()).draw(unit(near));
        let background =
            || draw_background(self.weighted(own)?, now, self.coherence(), unit(moment), |d| d.fate.rtt().is_none());
        near.or_else(background).copied()
    }
}
