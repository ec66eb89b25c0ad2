//! Modelled weather: good and bad spells, fitted to the recorded losses and drawn anew, given them, in every replicate.
//!
//! 1. A recorded copy within the tolerance lends its own fate ([`Support::Recorded`]).
//! 2. Otherwise the path's state at that moment decides ([`super::spells`]): the copy is lost with the chance of
//!    that state. An answered copy's round trip is borrowed from copies that were answered in that state, the way
//!    [`super::Empirical`] borrows; how a lost one was lost likewise.
//!
//! Losses and round trips together tell the states ([`crate::Delay`]). Where delay changes for reasons of its own, this
//! channel knows no more of it than what answered copies near in time say.

use super::climate::{Climate, Donor};
use super::lend::{Drawn, Lent, draw_near, neighbour, quantum, settle};
use super::loaded::Lends;
use super::spells::Spells;
use super::{Channel, Index, Met, Sent, Support};
use crate::draw::{Lane, Purpose, unit};
use crate::medium::USUAL;
use crate::record::{Fate, Record};
use crate::weather::Weather;
use base::{Instant, Span};

/// Spells of good and bad weather per path.
#[derive(Debug)]
pub(crate) struct GilbertElliottChannel<'a> {
    record: &'a Record,
    index: &'a Index,
    climate: &'a Climate,
    weather: &'a Weather,
    tolerance: Span,
    seed: u64,
    replicate: u32,
    paths: Vec<Option<Box<PathState>>>,
}

/// One path in one replicate.
#[derive(Debug)]
struct PathState {
    lane: Lane,
    spells: Spells,
    /// Fates with the ambiguous ones imputed.
    fates: Vec<Fate>,
    /// Answered copies in good and in bad weather.
    answered: [Vec<Donor>; 2],
    /// Lost ones.
    lost: Vec<Donor>,
    /// The load each recorded copy met.
    loads: Vec<u64>,
}

impl<'a> GilbertElliottChannel<'a> {
    pub fn new(
        record: &'a Record,
        index: &'a Index,
        climate: &'a Climate,
        weather: &'a Weather,
        tolerance: Span,
        (seed, replicate): (u64, u32),
    ) -> Self {
        let paths = std::iter::repeat_with(|| None).take(index.paths.len()).collect();
        Self { record, index, climate, weather, tolerance, seed, replicate, paths }
    }

    fn open(&self, path: u32) -> Option<Box<PathState>> {
        let at = path as usize;
        let lane = |purpose| Lane::new(self.seed, self.replicate, path, purpose);
        let imputed = self.climate.imputed(self.record, self.index, (self.seed, self.replicate), path);
        let donors = imputed.as_ref().or_else(|| self.climate.paths.get(at))?;
        let weather = self.weather.path(at)?.of(self.replicate);
        let mut spells = Spells::new(weather, &donors.known, self.tolerance, lane(Purpose::Spells));
        let mut answered = [Vec::new(), Vec::new()];
        let mut lost = Vec::new();
        for donor in &donors.known {
            if donor.fate.rtt().is_some() {
                answered[usize::from(spells.bad(donor.at))].push(*donor);
            } else {
                lost.push(*donor);
            }
        }
        if answered.iter().all(Vec::is_empty) {
            // Nothing of this path was answered: what others met.
            answered[0].extend(self.climate.all.iter().filter(|d| d.fate.rtt().is_some()));
        }
        let (fates, loads) = (donors.fates.clone(), donors.loads.clone());
        Some(Box::new(PathState { lane: lane(Purpose::Weather), spells, fates, answered, lost, loads }))
    }
}

/// What a path lends to a copy at one moment.
struct Lend<'p> {
    climate: &'p Climate,
    answered: &'p [Vec<Donor>; 2],
    lost: &'p [Donor],
}

impl Lend<'_> {
    /// One draw of the weather, `bad` or not, in which a copy is lost with chance `loss`; `None` when nothing is known of
    /// round trips.
    fn draw(&self, at: Instant, (bad, loss): (bool, f64), [fate, moment, rtt, _]: [u32; 4]) -> Option<Lent> {
        let Self { climate, answered: [good, worse], lost } = *self;
        if unit(fate) < loss {
            let fate = draw_near(lost, at, climate.loss.time, unit(moment), |_| false).map_or(Fate::Lost, |d| d.fate);
            return Some(Lent { fate, loads: Some([USUAL; 2]) });
        }
        let own = if bad { worse } else { good };
        // A state in which nothing was answered takes the other's.
        let lenders = [own, good, worse].into_iter().find(|d| !d.is_empty())?;
        let memory = climate.loss.time.max(climate.rtt.time);
        let near = neighbour(lenders, at, &climate.rtt_decay, unit(rtt));
        let lender = near.or_else(|| draw_near(lenders, at, memory, unit(moment), |_| false))?;
        Some(Lent { fate: lender.fate, loads: Some([USUAL, lender.load]) })
    }
}

impl Channel for GilbertElliottChannel<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.draw(sent).met
    }
}

impl Lends for GilbertElliottChannel<'_> {
    fn draw(&mut self, sent: &Sent) -> Drawn {
        let at = sent.path as usize;
        if self.paths.get(at).is_some_and(Option::is_none) {
            self.paths[at] = self.open(sent.path);
        }
        let Some(Some(path)) = self.paths.get_mut(at) else {
            return Drawn::UNKNOWN;
        };
        let PathState { lane, spells, fates, answered, lost, loads } = &mut **path;
        let words = || *lane.block(quantum(sent.at, self.tolerance));
        let lend = Lend { climate: self.climate, answered, lost };
        // Looked for only where the record does not say it all.
        let mut state = None;
        let mut draw = |words| {
            let bad = *state.get_or_insert_with(|| spells.bad(sent.at));
            lend.draw(sent.at, (bad, spells.weather().loss_in(bad)), words)
        };
        let recorded = (self.index.paths.get(at), &**fates, &**loads);
        settle(recorded, sent, self.tolerance, Support::Modelled, words, &mut draw)
    }
}
