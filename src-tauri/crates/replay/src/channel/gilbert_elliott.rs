//! Modelled weather: good and bad spells, fitted to the recorded losses and drawn anew, given them, in every replicate.
//!
//! 1. A recorded copy within the tolerance lends its own fate ([`Support::Recorded`]).
//! 2. Otherwise the path's state at that moment decides ([`super::spells`]): the copy is lost with the chance of
//!    that state. An answered copy's round trip is borrowed from copies that were answered in that state, the way
//!    [`super::Empirical`] borrows; how a lost one was lost likewise.
//!
//! How often a copy lends is drawn once per replicate (module `weigh`); where servers answer together all that waits, copies share the
//! moment of their reply (module `gate`).
//!
//! Losses and round trips together tell the states ([`crate::Delay`]). Where delay changes for reasons of its own, this
//! channel knows no more of it than what answered copies near in time say.

use super::batch_server::BatchServer;
use super::bootstrap_weights::{BootstrapWeights, WeightedDonors};
use super::donor_near::donor_near;
use super::sampler::{DonorFate, Sample, Sampler, draw_background, quantum, settle};
use super::state_path::StatePath;
use super::{Channel, Met, Sent, Support};
use crate::estimate::{ChannelStates, ChannelStatistics, Donor, Local, SampleIndex, SampleIndexBuilder, observed};
use crate::model::{Fate, Index, Load, Moment, Purpose, RandomStream, Record, RecordedCopy, USUAL, unit};
use base::Span;

/// Spells of good and bad weather per path.
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

/// One path in one replicate.
#[derive(Debug)]
struct PathState {
    stream: RandomStream,
    spells: StatePath,
    /// Fates with the ambiguous ones imputed.
    fates: Vec<Fate>,
    /// Copies with a fate, in order of time, where some may wait together.
    known: Vec<Donor>,
    /// Answered ones in good and in bad weather.
    answered: [WeightedIndex; 2],
    lost: Lost,
    /// The load each recorded copy met.
    loads: Vec<Load>,
    /// Its mean in good and in bad weather, where copies met any.
    usual: [Option<f64>; 2],
    batch_server: Option<BatchServer>,
}

/// Copies, and how much each counts in this replicate.
#[derive(Debug)]
struct WeightedIndex {
    donors: SampleIndex,
    weights: BootstrapWeights,
}

impl WeightedIndex {
    /// The numbers from block `first` on.
    fn new(donors: SampleIndex, stream: &mut RandomStream, first: u64) -> Self {
        let weights = BootstrapWeights::drawn(&donors.counts, stream, first);
        Self { donors, weights }
    }

    fn weighted(&self) -> WeightedDonors<'_> {
        WeightedDonors { donors: &self.donors, weights: &self.weights }
    }
}

/// How copies of a path were lost.
#[derive(Debug)]
enum Lost {
    /// All alike, if any: it does not matter which one lends.
    Alike(Fate),
    /// One way or another.
    Apart(WeightedIndex),
}

impl Lost {
    /// The numbers from block `first` on.
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

    /// This replicate's idea of `path`; not inlined, so that what is done for every copy stays small.
    #[inline(never)]
    fn open(&self, path: u32) -> Option<Box<PathState>> {
        let at = path as usize;
        let stream = |purpose| RandomStream::new(self.seed, self.replicate, path, purpose);
        let (own, copies) = (self.statistics.paths.get(at)?, &self.index.paths.get(at)?.copies);
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
        let mut spells = StatePath::new(model, met, (self.tolerance, &places), stream(Purpose::StatePath));
        let [mut good, mut worse, mut lost] = [(); 3].map(|()| SampleIndexBuilder::of(copies.len()));
        for (i, (donor, &place)) in donors().zip(&places).enumerate() {
            let fate = donor.fate;
            let answered = fate.rtt().is_some();
            let bad = answered && spells.bad(place, i);
            good.next(donor, answered && !bad);
            worse.next(donor, bad);
            lost.next(donor, fate.is_known() && !answered);
        }
        let index_of = |picked: SampleIndexBuilder| picked.index_of().counting(&own.counts);
        let (mut good, worse) = (index_of(good), index_of(worse));
        if good.is_empty() && worse.is_empty() {
            // Nothing of this path was answered: what others met.
            let others = self.statistics.all.iter().filter(|d| d.fate.rtt().is_some()).copied();
            good = others.collect::<Vec<_>>().into();
        }
        let mut counts = stream(Purpose::BootstrapWeights);
        // Each list has a range of its own.
        let decay = &self.statistics.rtt_decay;
        let answered = [
            WeightedIndex::new(good.with_kernel(decay), &mut counts, 0),
            WeightedIndex::new(worse.with_kernel(decay), &mut counts, 1 << 32),
        ];
        let lost = Lost::new(lost, index_of, &mut counts, 2 << 32);
        let batch_server = BatchServer::of(self.statistics, self.index, path);
        let known = if batch_server.is_some() { met.0.to_vec() } else { Vec::new() };
        let (fates, loads) = (imputed.unwrap_or_else(|| own.fates.clone()), own.loads.clone());
        let mut sums = [(0.0, 0.0); 2];
        for (i, ((&place, fate), &load)) in places.iter().zip(&fates).zip(&loads).enumerate() {
            if fate.is_known() {
                let bad = spells.bad(place, i);
                let (sum, count) = &mut sums[usize::from(bad)];
                (*sum, *count) = (*sum + f64::from(load[0]), *count + 1.0);
            }
        }
        let usual = sums.map(|(sum, count)| (count > 0.0).then_some(sum / count));
        Some(Box::new(PathState {
            stream: stream(Purpose::Fate),
            spells,
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

/// What a path lends to a copy at one moment.
struct StateDonors<'p> {
    statistics: &'p ChannelStatistics,
    known: &'p [Donor],
    answered: &'p [WeightedIndex; 2],
    lost: &'p Lost,
    batch_server: Option<BatchServer>,
}

impl StateDonors<'_> {
    /// One draw of the weather, `bad` or not, in which a copy is lost with chance `loss`; `None` when nothing is known of
    /// round trips.
    fn draw(&self, now: Moment, (bad, loss): (bool, f64), [fate, moment, rtt, _]: [u32; 4]) -> Option<DonorFate> {
        if unit(fate) < loss {
            let memory = (self.statistics.loss.time, false);
            let fate = match self.lost {
                Lost::Alike(fate) => *fate,
                Lost::Apart(lost) => draw_background(lost.weighted(), now, memory, unit(moment), |_| false)
                    .map_or(Fate::Lost, |d| d.fate),
            };
            return Some(DonorFate { fate, loads: Some([USUAL; 2]) });
        }
        let donor_at = self.answered(now, bad, [rtt, moment])?;
        let fate = self
            .batch_server
            .map_or(donor_at.fate, |batch_server| batch_server.moved(self.known, now.at, donor_at.fate));
        Some(DonorFate { fate, loads: Some([USUAL, donor_at.load[1]]) })
    }

    /// A copy that was answered in weather that was as `bad`.
    fn answered(&self, now: Moment, bad: bool, [near, moment]: [u32; 2]) -> Option<Donor> {
        let Self { statistics, answered: [good, worse], .. } = self;
        let own = if bad { worse } else { good };
        // A state in which nothing was answered takes the other's.
        let lenders = [own, good, worse].into_iter().find(|d| !d.donors.is_empty())?;
        let memory = statistics.loss.time.max(statistics.rtt.time);
        let near = donor_near(&lenders.donors, now, &statistics.rtt_decay, unit(near));
        near.or_else(|| draw_background(lenders.weighted(), now, (memory, false), unit(moment), |_| false))
    }
}

impl Channel for GilbertElliottChannel<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.draw(sent).met
    }
}

impl Sampler for GilbertElliottChannel<'_> {
    fn draw(&mut self, sent: &Sent) -> Sample {
        let at = sent.path as usize;
        if self.paths.get(at).is_some_and(Option::is_none) {
            self.paths[at] = self.open(sent.path);
        }
        let Some(Some(path)) = self.paths.get_mut(at) else {
            return Sample::UNKNOWN;
        };
        let PathState { stream, spells, fates, known, answered, lost, loads, batch_server, .. } = &mut **path;
        let place = quantum(sent.at, self.tolerance);
        let words = |quarter| stream.quarter(place, quarter);
        let sampler = StateDonors { statistics: self.statistics, known, answered, lost, batch_server: *batch_server };
        // Looked for only where the record does not say it all.
        let mut state = None;
        let own = self.index.paths.get(at);
        let now = own.map_or(Moment { at: sent.at, copies: 0 }, |path| path.moment(sent.at));
        let mut draw = |words| {
            let bad = *state.get_or_insert_with(|| spells.bad(place as i64, now.copies));
            sampler.draw(now, (bad, spells.to_model().loss_in(bad)), words)
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
        let PathState { spells, usual, .. } = &mut **self.paths.get_mut(sent.path as usize)?.as_mut()?;
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let bad = spells.bad(quantum(sent.at, self.tolerance) as i64, now.copies);
        let lost = spells.to_model().loss_in(bad);
        (lost > 0.0 && lost < 1.0).then_some(Local { lost, load: usual[usize::from(bad)] })
    }

    fn answered(&mut self, sent: &Sent, words: [u32; 2]) -> Option<Donor> {
        let PathState { spells, known, answered, lost, batch_server, .. } =
            &mut **self.paths.get_mut(sent.path as usize)?.as_mut()?;
        let sampler = StateDonors { statistics: self.statistics, known, answered, lost, batch_server: *batch_server };
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let bad = spells.bad(quantum(sent.at, self.tolerance) as i64, now.copies);
        sampler.answered(now, bad, words)
    }
}
