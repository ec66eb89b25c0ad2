//! Gilbert–Elliott channel: a two-state hidden Markov model in continuous time, fitted to each path
//! ([`crate::GilbertElliott`]).
//!
//! The fate of a copy is sampled so:
//!
//! 1. A recorded copy within the tolerance gives its own fate ([`Support::Recorded`]).
//! 2. Otherwise the state at that moment decides ([`super::state_path`]): the copy is lost with the loss probability of
//!    that state. The state path is drawn once per replicate, conditional on the recorded fates (forward filtering,
//!    backward sampling).
//! 3. The round trip of an answered copy is that of a donor answered in the same state, drawn as in
//!    [`super::Empirical`]; how a lost one was lost (request or reply) likewise.
//!
//! Parameters are a posterior draw per replicate. The weights of donors are drawn once per replicate (module
//! `bootstrap_weights`); at servers that reply to all waiting copies at once, copies share the moment of the reply
//! (module `batch_server`).
//!
//! Losses and round trips together inform the states ([`crate::Delay`]). Changes of delay that do not follow the state
//! are known only from answered copies near in time.

use super::batch_server::BatchServer;
use super::bootstrap_weights::{BootstrapWeights, WeightedDonors};
use super::kernel::Near;
use super::sampler::{DonorFate, Sample, Sampler, draw_background, quantum, settle};
use super::state_path::StatePath;
use super::{Channel, Met, Sent, Support};
use crate::estimate::{ChannelStates, ChannelStatistics, Donor, Local, SampleIndex, SampleIndexBuilder, observed};
use crate::model::{Fate, Index, Load, Moment, Purpose, RandomStream, Record, RecordedCopy, USUAL, unit};
use base::Span;

/// Two-state channels of all paths in one replicate.
#[derive(Debug)]
pub(crate) struct GilbertElliottChannel<'a> {
    record: &'a Record,
    index: &'a Index,
    statistics: &'a ChannelStatistics,
    model: &'a ChannelStates,
    tolerance: Span,
    seed: u64,
    replicate: u32,
    paths: Vec<Option<Box<PathState>>>,
}

/// State of one path in one replicate.
#[derive(Debug)]
struct PathState {
    stream: RandomStream,
    state_path: StatePath,
    /// Fates with the ambiguous ones imputed.
    fates: Vec<Fate>,
    /// Copies with a fate, in order of time, where the server may reply in batches; else empty.
    known: Vec<Donor>,
    /// Answered copies in the good and in the bad state.
    answered: [WeightedIndex; 2],
    lost: Lost,
    /// Loads that each recorded copy met.
    loads: Vec<Load>,
    /// Mean load in the good and in the bad state, microseconds of airtime; `None` where no copy met that state.
    usual: [Option<f64>; 2],
    batch_server: Option<BatchServer>,
}

/// Donors and their weights in this replicate.
#[derive(Debug)]
struct WeightedIndex {
    donors: SampleIndex,
    weights: BootstrapWeights,
}

impl WeightedIndex {
    /// Draws the weights from block `first` of `stream` on.
    fn new(donors: SampleIndex, stream: &mut RandomStream, first: u64) -> Self {
        let weights = BootstrapWeights::drawn(&donors.effective_weights, stream, first);
        Self { donors, weights }
    }

    fn weighted(&self) -> WeightedDonors<'_> {
        WeightedDonors { donors: &self.donors, weights: &self.weights }
    }
}

/// Kinds of losses on a path.
#[derive(Debug)]
enum Lost {
    /// All losses are of one kind, if any.
    Alike(Fate),
    /// Requests and replies were lost: the kind of each loss is drawn.
    Apart(WeightedIndex),
}

impl Lost {
    /// Draws the weights from block `first` of `stream` on.
    fn new(
        lost: SampleIndexBuilder,
        index_of: impl Fn(SampleIndexBuilder) -> SampleIndex,
        stream: &mut RandomStream,
        first: u64,
    ) -> Self {
        match lost.uniform_fate(Fate::Lost) {
            Some(fate) => Self::Alike(fate),
            None => Self::Apart(WeightedIndex::new(index_of(lost), stream, first)),
        }
    }
}

impl<'a> GilbertElliottChannel<'a> {
    /// Opens the channel for one replicate of `seed` with the posterior draw of `model` that belongs to it; paths are
    /// prepared when first asked about.
    pub fn new(
        record: &'a Record,
        index: &'a Index,
        statistics: &'a ChannelStatistics,
        model: &'a ChannelStates,
        tolerance: Span,
        (seed, replicate): (u64, u32),
    ) -> Self {
        let paths = std::iter::repeat_with(|| None).take(index.paths.len()).collect();
        Self { record, index, statistics, model, tolerance, seed, replicate, paths }
    }

    /// Prepares `path` for this replicate. Not inlined: the code for every copy stays small.
    #[inline(never)]
    fn open(&self, path: u32) -> Option<Box<PathState>> {
        let at = path as usize;
        let stream = |purpose| RandomStream::new(self.seed, self.replicate, path, purpose);
        let (own, recorded) = (self.statistics.paths.get(at)?, self.index.paths.get(at)?);
        let copies = &recorded.copies;
        let imputed = self.statistics.imputed_fates(self.record, self.index, (self.seed, self.replicate), path);
        let fates = imputed.as_ref().unwrap_or(&own.fates);
        let loads = own.loads.iter().copied().chain(std::iter::repeat([0; 2]));
        let donor = |((copy, &fate), load): ((&RecordedCopy, &Fate), Load)| Donor { at: copy.at, fate, load };
        let donors = || copies.iter().zip(fates).zip(loads.clone()).map(donor);
        let known: Option<Vec<Donor>> = imputed.as_ref().map(|_| donors().filter(|d| d.fate.is_known()).collect());
        let met = known.as_ref().map(|known| observed(known));
        let met = (known.as_deref().unwrap_or(&own.known), met.as_deref().unwrap_or_else(|| own.observed()));
        let model = self.model.path(at)?.of(self.replicate);
        let places: Vec<i64> = copies.iter().map(|copy| quantum(copy.at, self.tolerance) as i64).collect();
        let for_ranks = recorded.fast.searches.then_some(&*places);
        let state_path = StatePath::new(model, met, (self.tolerance, for_ranks), stream(Purpose::StatePath));
        let [mut good, mut worse, mut lost] = [(); 3].map(|()| SampleIndexBuilder::of(recorded));
        for (i, (donor, &place)) in donors().zip(&places).enumerate() {
            let fate = donor.fate;
            let answered = fate.rtt().is_some();
            let bad = answered && state_path.bad(place, i);
            good.next(donor, answered && !bad);
            worse.next(donor, bad);
            lost.next(donor, fate.is_known() && !answered);
        }
        let index_of = |picked: SampleIndexBuilder| picked.index_of().with_effective_weights(&own.effective_weights);
        let (mut good, worse) = (index_of(good), index_of(worse));
        if good.is_empty() && worse.is_empty() {
            // No copy of this path was answered: take the answered copies of the others.
            let others = self.statistics.all.iter().filter(|d| d.fate.rtt().is_some()).copied();
            good = SampleIndex::new(others.collect(), recorded.fast);
        }
        let mut draws = stream(Purpose::BootstrapWeights);
        // Each index has a range of random numbers of its own.
        let decay = &self.statistics.rtt_decay;
        let answered = [
            WeightedIndex::new(good.with_kernel(decay), &mut draws, 0),
            WeightedIndex::new(worse.with_kernel(decay), &mut draws, 1 << 32),
        ];
        let lost = Lost::new(lost, index_of, &mut draws, 2 << 32);
        let batch_server = BatchServer::of(self.statistics, self.index, path);
        let known = if batch_server.is_some() { met.0.to_vec() } else { Vec::new() };
        let (fates, loads) = (imputed.unwrap_or_else(|| own.fates.clone()), own.loads.clone());
        let mut sums = [(0.0, 0.0); 2];
        for (i, ((&place, fate), &load)) in places.iter().zip(&fates).zip(&loads).enumerate() {
            if fate.is_known() {
                let bad = state_path.bad(place, i);
                let (sum, count) = &mut sums[usize::from(bad)];
                (*sum, *count) = (*sum + f64::from(load[0]), *count + 1.0);
            }
        }
        let usual = sums.map(|(sum, count)| (count > 0.0).then_some(sum / count));
        Some(Box::new(PathState {
            stream: stream(Purpose::Fate),
            state_path,
            fates,
            known,
            answered,
            lost,
            loads,
            usual,
            batch_server,
        }))
    }
}

/// Donors of a path for a copy at one moment.
struct StateDonors<'p> {
    statistics: &'p ChannelStatistics,
    known: &'p [Donor],
    answered: &'p [WeightedIndex; 2],
    lost: &'p Lost,
    batch_server: Option<BatchServer>,
}

impl StateDonors<'_> {
    /// Samples a fate in a state, `bad` or not, with loss probability `loss`; `None` when nothing is known of
    /// round trips.
    fn draw(&self, now: Moment, (bad, loss): (bool, f64), [fate, moment, rtt, _]: [u32; 4]) -> Option<DonorFate> {
        if unit(fate) < loss {
            let coherence = (self.statistics.loss.time, false);
            let fate = match self.lost {
                Lost::Alike(fate) => *fate,
                Lost::Apart(lost) => draw_background(lost.weighted(), now, coherence, unit(moment), |_| false)
                    .map_or(Fate::Lost, |d| d.fate),
            };
            return Some(DonorFate { fate, loads: Some([USUAL; 2]) });
        }
        let donor = self.answered(now, bad, [rtt, moment])?;
        let fate =
            self.batch_server.map_or(donor.fate, |batch_server| batch_server.moved(self.known, now.at, donor.fate));
        Some(DonorFate { fate, loads: Some([USUAL, donor.load[1]]) })
    }

    /// Draws a copy answered in the same state.
    fn answered(&self, now: Moment, bad: bool, [near, moment]: [u32; 2]) -> Option<&Donor> {
        let Self { statistics, answered: [good, worse], .. } = self;
        let own = if bad { worse } else { good };
        // A state without answered copies takes the donors of the other.
        let pool = [own, good, worse].into_iter().find(|d| !d.donors.is_empty())?;
        let coherence = statistics.loss.time.max(statistics.rtt.time);
        let near = Near::new(&pool.donors, now, statistics.rtt_kernel()).draw(unit(near));
        near.or_else(|| draw_background(pool.weighted(), now, (coherence, false), unit(moment), |_| false))
    }
}

impl Channel for GilbertElliottChannel<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.sample(sent).met
    }
}

impl Sampler for GilbertElliottChannel<'_> {
    fn sample(&mut self, sent: &Sent) -> Sample {
        let at = sent.path as usize;
        if self.paths.get(at).is_some_and(Option::is_none) {
            self.paths[at] = self.open(sent.path);
        }
        let Some(Some(path)) = self.paths.get_mut(at) else {
            return Sample::UNKNOWN;
        };
        let PathState { stream, state_path, fates, known, answered, lost, loads, batch_server, .. } = &mut **path;
        let place = quantum(sent.at, self.tolerance);
        let words = |quarter| stream.quarter(place, quarter);
        let sampler = StateDonors { statistics: self.statistics, known, answered, lost, batch_server: *batch_server };
        // Computed only where the record does not determine the fate.
        let mut state = None;
        let own = self.index.paths.get(at);
        let now = own.map_or(Moment { at: sent.at, copies: 0 }, |path| path.moment(sent.at));
        let mut draw = |words| {
            let bad = *state.get_or_insert_with(|| state_path.bad(place as i64, now.copies));
            sampler.draw(now, (bad, state_path.to_model().loss_in(bad)), words)
        };
        let recorded = (own, &**fates, &**loads);
        let drawn = settle(recorded, (sent, now), self.tolerance, Support::Modelled, words, &mut draw);
        if let Some(batch_server) = batch_server {
            batch_server.pass(sent.at, drawn.met.fate);
        }
        drawn
    }

    fn begin(&mut self) {
        self.paths.iter_mut().flatten().filter_map(|path| path.batch_server.as_mut()).for_each(BatchServer::clear);
    }

    fn is_of_time(&self, path: u32) -> bool {
        BatchServer::of(self.statistics, self.index, path).is_none()
    }

    fn local(&mut self, sent: &Sent, _: f64) -> Option<Local> {
        let PathState { state_path, usual, .. } = &mut **self.paths.get_mut(sent.path as usize)?.as_mut()?;
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let bad = state_path.bad(quantum(sent.at, self.tolerance) as i64, now.copies);
        let lost = state_path.to_model().loss_in(bad);
        (lost > 0.0 && lost < 1.0).then_some(Local { lost, load: usual[usize::from(bad)] })
    }

    fn answered(&mut self, sent: &Sent, words: [u32; 2]) -> Option<Donor> {
        let PathState { state_path, known, answered, lost, batch_server, .. } =
            &mut **self.paths.get_mut(sent.path as usize)?.as_mut()?;
        let sampler = StateDonors { statistics: self.statistics, known, answered, lost, batch_server: *batch_server };
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let bad = state_path.bad(quantum(sent.at, self.tolerance) as i64, now.copies);
        sampler.answered(now, bad, words).copied()
    }
}
