//! Channel statistics of a trace: autocorrelations, and indices of recorded copies to sample from. Measured once per
//! trace.

pub(crate) mod ambiguity;
pub(crate) mod autocorrelation;
pub(crate) mod batch_server;
pub(crate) mod effective_weights;
pub(crate) mod fast;
pub(crate) mod sample_index;

use super::donor::Donor;
use super::observation::{Observed, observed};
use crate::model::{
    AssociationRecord, FastPaths, Fate, FirstAnswers, Index, Load, Path, Purpose, RandomStream, Record,
};
use ambiguity::{Ambiguous, Density, ambiguous, first_answers, impute};
use autocorrelation::{Autocorrelation, estimate_autocorrelation};
use base::{Cancelled, Instant, SharedProgress, Span};
use batch_server::is_batch_server;
use effective_weights::effective_weights;
use fast::DecayTable;
use sample_index::{SampleIndex, SampleIndexBuilder};
use std::sync::OnceLock;

/// The copies of a path as donors.
#[derive(Clone, Debug)]
pub(crate) struct Donors {
    /// Fates of [`Path::copies`], imputed where the capture cannot tell; unknown where that is impossible.
    pub fates: Vec<Fate>,
    /// Loads that [`Path::copies`] met; empty where none were computed.
    pub loads: Vec<Load>,
    /// Effective sample weights of [`Path::copies`], 0 to 1.
    pub effective_weights: Vec<f32>,
    /// Copies with a known fate, in order of time.
    pub known: SampleIndex,
    /// Answered ones among them, in order of time.
    pub answered: SampleIndex,
    /// Computed when first asked for.
    observed: OnceLock<Vec<Observed>>,
}

impl Donors {
    /// Donors of `path` with these fates and, if they were computed, loads, by copy; without sample weights and
    /// kernels.
    pub fn new(path: &Path, fates: Vec<Fate>, loads: &[Load]) -> Self {
        let met = loads.iter().copied().chain(std::iter::repeat([0; 2]));
        let [mut known, mut answered] = [(); 2].map(|()| SampleIndexBuilder::of(path));
        for ((copy, &fate), load) in path.copies.iter().zip(&fates).zip(met) {
            let donor = Donor { at: copy.at, fate, load };
            known.next(donor, fate.is_known());
            answered.next(donor, fate.rtt().is_some());
        }
        let (known, answered) = (known.index_of(), answered.index_of());
        Self { fates, loads: loads.to_vec(), effective_weights: Vec::new(), known, answered, observed: OnceLock::new() }
    }

    /// Observations of the copies with a known fate, for a fit.
    pub fn observed(&self) -> &[Observed] {
        self.observed.get_or_init(|| observed(&self.known))
    }

    /// Sets the effective weights of the copies.
    fn with_effective_weights(self, effective_weights: Vec<f32>) -> Self {
        Self {
            known: self.known.with_effective_weights(&effective_weights),
            answered: self.answered.with_effective_weights(&effective_weights),
            effective_weights,
            ..self
        }
    }

    /// Prepares draws by the kernels of losses and of round trips.
    fn with_kernel(self, loss: &DecayTable, rtt: &DecayTable) -> Self {
        Self { known: self.known.with_kernel(loss), answered: self.answered.with_kernel(rtt), ..self }
    }
}

/// Kernel of a draw near a moment: an autocorrelation, exact and by table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel<'a> {
    /// Autocorrelation as the fitted exponential, for exact weights.
    pub autocorrelation: &'a Autocorrelation,
    /// Table of that autocorrelation by lag, for fast draws.
    pub table: &'a DecayTable,
}

/// Number of imputations that the recorded metrics average. Chosen here by judgement: of *Needless storm* the share of
/// needless copies is within 0.0002 of its exact expectation.
const DRAWS: u32 = 32;

/// Channel statistics of a trace: autocorrelation of losses and of round trips, and the recorded copies to sample from.
#[derive(Clone, Debug)]
pub struct ChannelStatistics {
    /// Autocorrelation of losses, over pairs of copies of one path.
    pub loss: Autocorrelation,
    /// Autocorrelation of the logarithms of round-trip times.
    pub rtt: Autocorrelation,
    /// Table of the autocorrelation of losses.
    pub(crate) loss_decay: DecayTable,
    /// Table of the autocorrelation of round trips.
    pub(crate) rtt_decay: DecayTable,
    /// Copies by path, the ambiguous ones by their likeliest fates.
    pub(crate) paths: Vec<Donors>,
    /// Exchanges by path of which the capture cannot tell which copy was answered.
    pub(crate) ambiguous: Vec<Vec<Ambiguous>>,
    /// Position in `pools` of the server of each path.
    pub(crate) pool_of: Vec<usize>,
    /// Copies of all paths to each server, in order of time.
    pub(crate) pools: Vec<SampleIndex>,
    /// Copies of the whole trace, in order of time.
    pub(crate) all: SampleIndex,
    /// Whether the server of each path replies to all waiting copies at once.
    pub(crate) is_batch_server: Vec<bool>,
}

impl ChannelStatistics {
    /// Kernel of draws of losses.
    pub(crate) const fn loss_kernel(&self) -> Kernel<'_> {
        Kernel { autocorrelation: &self.loss, table: &self.loss_decay }
    }

    /// Kernel of draws of round trips.
    pub(crate) const fn rtt_kernel(&self) -> Kernel<'_> {
        Kernel { autocorrelation: &self.rtt, table: &self.rtt_decay }
    }

    /// Number of passes over every association in [`ChannelStatistics::measure`].
    pub(crate) const PASSES: u64 = 5;

    /// Measures the channel statistics of `record`.
    ///
    /// The autocorrelation of losses is the slope of "a later copy is lost" on "this copy is lost", both less
    /// the path's mean, in classes of lag; then an exponential is fitted through the classes, weighted
    /// by what each tells. A slope, not a correlation coefficient: that a second copy exists at some
    /// lag often *follows* from the first being lost (it is its retransmission), which would bias a
    /// coefficient but not a regression on the first. Passes [`ChannelStatistics::PASSES`] times an association.
    pub(crate) fn measure(record: &Record, index: &Index, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let everywhere = Density::new(index.paths.iter());
        let both = || record.associations().iter().zip(&index.paths);
        let unclear = |(association, path)| {
            let own = Density::new(std::iter::once(path));
            let late = |exchange| record.late(exchange);
            progress.pass().map(|()| ambiguous(association, path, own.as_ref().or(everywhere.as_ref()), late))
        };
        let ambiguous: Vec<Vec<Ambiguous>> = both().map(unclear).collect::<Result<_, _>>()?;
        let paths: Vec<Donors> = both()
            .zip(&ambiguous)
            .map(|((association, path), unclear)| {
                progress.pass().map(|()| Donors::new(path, impute(association, path, unclear, None), &[]))
            })
            .collect::<Result<_, _>>()?;

        let mut servers: Vec<u32> = record.associations().iter().map(|a| a.server).collect();
        servers.sort_unstable();
        servers.dedup();
        let pool_of: Vec<usize> =
            record.associations().iter().map(|a| servers.binary_search(&a.server).unwrap_or(0)).collect();
        let is_batch_server =
            index.paths.iter().zip(&paths).map(|(path, own)| is_batch_server(path, &own.fates)).collect();
        let loss = estimate_autocorrelation(paths.iter().map(|p| &*p.known), progress, |d| {
            Some(if d.fate.rtt().is_some() { 0.0 } else { 1.0 })
        })?;
        let logarithm = |d: &Donor| d.fate.rtt().map(|rtt| (rtt.nanos().max(1) as f64).ln());
        let rtt = estimate_autocorrelation(paths.iter().map(|p| &*p.answered), progress, logarithm)?;
        let (loss_decay, rtt_decay) = (DecayTable::new(loss), DecayTable::new(rtt));
        let weighted = weighted(paths, index, (&loss, &loss_decay), (&rtt, &rtt_decay));
        let paths: Vec<Donors> = weighted.map(|own| progress.pass().map(|()| own)).collect::<Result<_, _>>()?;
        let (pools, all) = pool(&paths, &pool_of, servers.len(), index.fast);
        Ok(Self { loss, rtt, loss_decay, rtt_decay, paths, ambiguous, pool_of, pools, all, is_batch_server })
    }

    /// Returns the same statistics with coherence times longer by `factor`. Passes `progress` once an association; errs
    /// when cancelled.
    pub(crate) fn with_duration(
        &self,
        index: &Index,
        factor: f64,
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let stretched = |autocorrelation: Autocorrelation| {
            let time = Span::from_secs_f64(autocorrelation.time.secs_f64() * factor).unwrap_or(Span::MAX);
            Autocorrelation { time, ..autocorrelation }
        };
        let (loss, rtt) = (stretched(self.loss), stretched(self.rtt));
        let (loss_decay, rtt_decay) = (DecayTable::new(loss), DecayTable::new(rtt));
        let weighted = weighted(self.paths.clone(), index, (&loss, &loss_decay), (&rtt, &rtt_decay));
        let paths: Vec<Donors> = weighted.map(|own| progress.pass().map(|()| own)).collect::<Result<_, _>>()?;
        let (pools, all) = pool(&paths, &self.pool_of, self.pools.len(), index.fast);
        Ok(Self { loss, rtt, loss_decay, rtt_decay, paths, pools, all, ..self.clone() })
    }

    /// Returns the same statistics with the load that each copy met, by path and copy. Asks `progress` before every
    /// path; errs when cancelled.
    pub(crate) fn under(
        &self,
        index: &Index,
        loads: &[Vec<Load>],
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let mut paths = self.paths.iter().zip(&index.paths).zip(loads);
        let donors = |((own, path), loads): ((&Donors, &Path), &Vec<Load>)| {
            progress.ask()?;
            let own = Donors::new(path, own.fates.clone(), loads).with_effective_weights(own.effective_weights.clone());
            Ok(own.with_kernel(&self.loss_decay, &self.rtt_decay))
        };
        let paths: Vec<Donors> = paths.by_ref().map(donors).collect::<Result<_, _>>()?;
        let (pools, all) = pool(&paths, &self.pool_of, self.pools.len(), index.fast);
        progress.ask()?;
        // Field by field: a clone of the whole would copy the indices that were just replaced.
        let (loss_decay, rtt_decay) = (self.loss_decay.clone(), self.rtt_decay.clone());
        let (ambiguous, pool_of, is_batch_server) =
            (self.ambiguous.clone(), self.pool_of.clone(), self.is_batch_server.clone());
        let Self { loss, rtt, .. } = *self;
        Ok(Self { loss, rtt, loss_decay, rtt_decay, paths, ambiguous, pool_of, pools, all, is_batch_server })
    }

    /// Donors of `path` in one replicate: ambiguous fates are imputed by draws from a stream of their own; `None` where
    /// nothing is ambiguous, so that [`ChannelStatistics::paths`] holds.
    pub(crate) fn imputed(
        &self,
        record: &Record,
        index: &Index,
        (seed, replicate): (u64, u32),
        path: u32,
    ) -> Option<Donors> {
        let fates = self.imputed_fates(record, index, (seed, replicate), path)?;
        let (own, copies) = (self.paths.get(path as usize)?, index.paths.get(path as usize)?);
        let donors = Donors::new(copies, fates, &own.loads).with_effective_weights(own.effective_weights.clone());
        Some(donors.with_kernel(&self.loss_decay, &self.rtt_decay))
    }

    /// Fates alone of [`ChannelStatistics::imputed`], by [`Path::copies`]; `None` where nothing is ambiguous.
    pub(crate) fn imputed_fates(
        &self,
        record: &Record,
        index: &Index,
        (seed, replicate): (u64, u32),
        path: u32,
    ) -> Option<Vec<Fate>> {
        let at = path as usize;
        let unclear = self.ambiguous.get(at).filter(|unclear| !unclear.is_empty())?;
        let (association, copies) = (record.associations().get(at)?, index.paths.get(at)?);
        let mut stream = RandomStream::new(seed, replicate, path, Purpose::Imputation);
        Some(impute(association, copies, unclear, Some(&mut stream)))
    }

    /// Per path: by how much [`FirstAnswers`] with ambiguous fates imputed exceed those of known fates alone, over
    /// exchanges that begin `since` then; the mean of [`DRAWS`] imputations (Rubin 1987), as replays draw them.
    pub(crate) fn beyond_known(&self, record: &Record, index: &Index, since: Instant) -> Vec<FirstAnswers> {
        let path = |((at, association), path): ((u32, &AssociationRecord), &Path)| {
            let mut more = FirstAnswers::default();
            for draw in 0..DRAWS {
                let Some(fates) = self.imputed_fates(record, index, (0, draw), at) else { break };
                more.add(first_answers(association, path, &fates, since), 1.0 / f64::from(DRAWS));
            }
            if self.ambiguous.get(at as usize).is_some_and(|unclear| !unclear.is_empty()) {
                let known: Vec<Fate> = path.copies.iter().map(|copy| copy.fate).collect();
                more.add(first_answers(association, path, &known, since), -1.0);
            }
            more
        };
        (0..).zip(record.associations()).zip(&index.paths).map(path).collect()
    }
}

/// `paths` with effective weights and kernels after the autocorrelations of losses and of round trips.
fn weighted<'a>(
    paths: Vec<Donors>,
    index: &'a Index,
    (loss, loss_decay): (&'a Autocorrelation, &'a DecayTable),
    (rtt, rtt_decay): (&'a Autocorrelation, &'a DecayTable),
) -> impl Iterator<Item = Donors> + 'a {
    let weighted = move |(own, path): (Donors, &Path)| {
        let effective_weights = effective_weights(path, telling(loss, rtt));
        own.with_effective_weights(effective_weights).with_kernel(loss_decay, rtt_decay)
    };
    paths.into_iter().zip(&index.paths).map(weighted)
}

/// The autocorrelation with the greater integral over the lag.
fn telling<'m>(loss: &'m Autocorrelation, rtt: &'m Autocorrelation) -> &'m Autocorrelation {
    let tells = |autocorrelation: &Autocorrelation| autocorrelation.strength * autocorrelation.time.secs_f64();
    if tells(rtt) > tells(loss) { rtt } else { loss }
}

/// The copies of all paths to each server, and of all paths, in order of time.
fn pool(paths: &[Donors], pool_of: &[usize], servers: usize, fast: FastPaths) -> (Vec<SampleIndex>, SampleIndex) {
    let mut pools: Vec<Vec<(Donor, f32)>> = vec![Vec::new(); servers];
    for (path, &pool) in paths.iter().zip(pool_of) {
        if let Some(pool) = pools.get_mut(pool) {
            pool.extend(path.known.iter().copied().zip(path.known.effective_weights.iter().copied()));
        }
    }
    for pool in &mut pools {
        pool.sort_by_key(|(donor, _)| donor.at);
    }
    let mut all = pools.concat();
    all.sort_by_key(|(donor, _)| donor.at);
    let index_of = |of: Vec<(Donor, f32)>| {
        let (donors, effective_weights) = of.into_iter().unzip();
        SampleIndex::weighted(donors, effective_weights, fast)
    };
    (pools.into_iter().map(index_of).collect(), index_of(all))
}
