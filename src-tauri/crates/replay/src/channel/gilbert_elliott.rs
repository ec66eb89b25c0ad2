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
use super::lend::{Sample, Sampler, DonorFate, draw_near, quantum, settle};
use super::neighbour::neighbour;
use super::state_path::StatePath;
use super::weigh::{WeightedDonors, BootstrapWeights};
use super::{Channel, Met, Sent, Support};
use crate::estimate::{ChannelStatistics, Donor, Local, SampleIndexBuilder, SampleIndex, ChannelStates, observed};
use crate::model::{Fate, Index, RandomStream, RecordedCopy, Load, Moment, Purpose, Record, USUAL, unit};
use base::Span;

/// Spells of good and bad weather per path.
#[derive(Debug)]
pub(crate) struct GilbertElliottChannel<'a> {
    record: &'a Record,
    index: &'a Index,
    climate: &'a ChannelStatistics,
    weather: &'a ChannelStates,
    tolerance: Span,
    seed: u64,
    replicate: u32,
    paths: Vec<Option<Box<PathState>>>,
}

/// One path in one replicate.
#[derive(Debug)]
struct PathState {
    lane: RandomStream,
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
    gate: Option<BatchServer>,
}

/// Copies, and how much each counts in this replicate.
#[derive(Debug)]
struct WeightedIndex {
    donors: SampleIndex,
    weights: BootstrapWeights,
}

impl WeightedIndex {
    /// The numbers from block `first` on.
    fn new(donors: SampleIndex, lane: &mut RandomStream, first: u64) -> Self {
        let weights = BootstrapWeights::drawn(&donors.counts, lane, first);
        Self { donors, weights }
    }

    fn stock(&self) -> WeightedDonors<'_> {
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
    fn new(lost: SampleIndexBuilder, shelf: impl Fn(SampleIndexBuilder) -> SampleIndex, lane: &mut RandomStream, first: u64) -> Self {
        match lost.alike(Fate::Lost) {
            Some(fate) => Self::Alike(fate),
            None => Self::Apart(WeightedIndex::new(shelf(lost), lane, first)),
        }
    }
}

impl<'a> GilbertElliottChannel<'a> {
    pub fn new(
        record: &'a Record,
        index: &'a Index,
        climate: &'a ChannelStatistics,
        weather: &'a ChannelStates,
        tolerance: Span,
        (seed, replicate): (u64, u32),
    ) -> Self {
        let paths = std::iter::repeat_with(|| None).take(index.paths.len()).collect();
        Self { record, index, climate, weather, tolerance, seed, replicate, paths }
    }

    /// This replicate's idea of `path`; not inlined, so that what is done for every copy stays small.
    #[inline(never)]
    fn open(&self, path: u32) -> Option<Box<PathState>> {
        let at = path as usize;
        let lane = |purpose| RandomStream::new(self.seed, self.replicate, path, purpose);
        let (own, copies) = (self.climate.paths.get(at)?, &self.index.paths.get(at)?.copies);
        let imputed = self.climate.imputed_fates(self.record, self.index, (self.seed, self.replicate), path);
        let fates = imputed.as_ref().unwrap_or(&own.fates);
        let loads = own.loads.iter().copied().chain(std::iter::repeat([0; 2]));
        let donor = |((copy, &fate), load): ((&RecordedCopy, &Fate), Load)| Donor { at: copy.at, fate, load };
        let donors = || copies.iter().zip(fates).zip(loads.clone()).map(donor);
        let known: Option<Vec<Donor>> = imputed.as_ref().map(|_| donors().filter(|d| d.fate.is_known()).collect());
        let met = known.as_ref().map(|known| observed(known));
        let met = (known.as_deref().unwrap_or(&own.known), met.as_deref().unwrap_or_else(|| own.observed()));
        let weather = self.weather.path(at)?.of(self.replicate);
        let places: Vec<i64> = copies.iter().map(|copy| quantum(copy.at, self.tolerance) as i64).collect();
        let mut spells = StatePath::new(weather, met, (self.tolerance, &places), lane(Purpose::StatePath));
        let [mut good, mut worse, mut lost] = [(); 3].map(|()| SampleIndexBuilder::of(copies.len()));
        for (i, (donor, &place)) in donors().zip(&places).enumerate() {
            let fate = donor.fate;
            let answered = fate.rtt().is_some();
            let bad = answered && spells.bad(place, i);
            good.next(donor, answered && !bad);
            worse.next(donor, bad);
            lost.next(donor, fate.is_known() && !answered);
        }
        let shelf = |picked: SampleIndexBuilder| picked.shelf().counting(&own.counts);
        let (mut good, worse) = (shelf(good), shelf(worse));
        if good.is_empty() && worse.is_empty() {
            // Nothing of this path was answered: what others met.
            let others = self.climate.all.iter().filter(|d| d.fate.rtt().is_some()).copied();
            good = others.collect::<Vec<_>>().into();
        }
        let mut counts = lane(Purpose::BootstrapWeights);
        // Each list has a range of its own.
        let decay = &self.climate.rtt_decay;
        let answered =
            [WeightedIndex::new(good.fading(decay), &mut counts, 0), WeightedIndex::new(worse.fading(decay), &mut counts, 1 << 32)];
        let lost = Lost::new(lost, shelf, &mut counts, 2 << 32);
        let gate = BatchServer::of(self.climate, self.index, path);
        let known = if gate.is_some() { met.0.to_vec() } else { Vec::new() };
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
            lane: lane(Purpose::Fate),
            spells,
            fates,
            known,
            answered,
            lost,
            loads,
            usual,
            gate,
        }))
    }
}

/// What a path lends to a copy at one moment.
struct StateDonors<'p> {
    climate: &'p ChannelStatistics,
    known: &'p [Donor],
    answered: &'p [WeightedIndex; 2],
    lost: &'p Lost,
    gate: Option<BatchServer>,
}

impl StateDonors<'_> {
    /// One draw of the weather, `bad` or not, in which a copy is lost with chance `loss`; `None` when nothing is known of
    /// round trips.
    fn draw(&self, now: Moment, (bad, loss): (bool, f64), [fate, moment, rtt, _]: [u32; 4]) -> Option<DonorFate> {
        if unit(fate) < loss {
            let memory = (self.climate.loss.time, false);
            let fate = match self.lost {
                Lost::Alike(fate) => *fate,
                Lost::Apart(lost) => {
                    draw_near(lost.stock(), now, memory, unit(moment), |_| false).map_or(Fate::Lost, |d| d.fate)
                }
            };
            return Some(DonorFate { fate, loads: Some([USUAL; 2]) });
        }
        let lender = self.answered(now, bad, [rtt, moment])?;
        let fate = self.gate.map_or(lender.fate, |gate| gate.moved(self.known, now.at, lender.fate));
        Some(DonorFate { fate, loads: Some([USUAL, lender.load[1]]) })
    }

    /// A copy that was answered in weather that was as `bad`.
    fn answered(&self, now: Moment, bad: bool, [near, moment]: [u32; 2]) -> Option<Donor> {
        let Self { climate, answered: [good, worse], .. } = self;
        let own = if bad { worse } else { good };
        // A state in which nothing was answered takes the other's.
        let lenders = [own, good, worse].into_iter().find(|d| !d.donors.is_empty())?;
        let memory = climate.loss.time.max(climate.rtt.time);
        let near = neighbour(&lenders.donors, now, &climate.rtt_decay, unit(near));
        near.or_else(|| draw_near(lenders.stock(), now, (memory, false), unit(moment), |_| false))
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
        let PathState { lane, spells, fates, known, answered, lost, loads, gate, .. } = &mut **path;
        let place = quantum(sent.at, self.tolerance);
        let words = |quarter| lane.quarter(place, quarter);
        let lend = StateDonors { climate: self.climate, known, answered, lost, gate: *gate };
        // Looked for only where the record does not say it all.
        let mut state = None;
        let own = self.index.paths.get(at);
        let now = own.map_or(Moment { at: sent.at, copies: 0 }, |path| path.moment(sent.at));
        let mut draw = |words| {
            let bad = *state.get_or_insert_with(|| spells.bad(place as i64, now.copies));
            lend.draw(now, (bad, spells.weather().loss_in(bad)), words)
        };
        let recorded = (own, &**fates, &**loads);
        let drawn = settle(recorded, (sent, now), self.tolerance, Support::Modelled, words, &mut draw);
        if let Some(gate) = gate {
            gate.pass(sent.at, drawn.met.fate);
        }
        drawn
    }

    fn begin(&mut self) {
        self.paths.iter_mut().flatten().filter_map(|path| path.gate.as_mut()).for_each(BatchServer::clear);
    }

    fn is_of_time(&self, path: u32) -> bool {
        BatchServer::of(self.climate, self.index, path).is_none()
    }

    fn local(&mut self, sent: &Sent, _: f64) -> Option<Local> {
        let PathState { spells, usual, .. } = &mut **self.paths.get_mut(sent.path as usize)?.as_mut()?;
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let bad = spells.bad(quantum(sent.at, self.tolerance) as i64, now.copies);
        let lost = spells.weather().loss_in(bad);
        (lost > 0.0 && lost < 1.0).then_some(Local { lost, load: usual[usize::from(bad)] })
    }

    fn answered(&mut self, sent: &Sent, words: [u32; 2]) -> Option<Donor> {
        let PathState { spells, known, answered, lost, gate, .. } =
            &mut **self.paths.get_mut(sent.path as usize)?.as_mut()?;
        let lend = StateDonors { climate: self.climate, known, answered, lost, gate: *gate };
        let now = self.index.paths.get(sent.path as usize)?.moment(sent.at);
        let bad = spells.bad(quantum(sent.at, self.tolerance) as i64, now.copies);
        lend.answered(now, bad, words)
    }
}
