//! Modelled weather: good and bad spells, fitted to the recorded losses and drawn anew, given them, in every replicate.
//!
//! 1. A recorded copy within the tolerance lends its own fate ([`Support::Recorded`]).
//! 2. Otherwise the path's state at that moment decides ([`super::spells`]): the copy is lost with the chance of
//!    that state. An answered copy's round trip is borrowed from copies that were answered in that state, the way
//!    [`super::Empirical`] borrows; how a lost one was lost likewise.
//!
//! Losses alone decide the states; round trips only follow them. Where delay changes without losses this channel knows no
//! more of it than what answered copies near in time say.

use super::climate::{Climate, Donor, Donors};
use super::lend::{draw_near, neighbour};
use super::spells::Spells;
use super::{Channel, Index, Met, Sent, Support};
use crate::channel::ambiguous::impute;
use crate::draw::{Lane, Purpose, unit};
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
        let copies = self.index.paths.get(at)?;
        let lane = |purpose| Lane::new(self.seed, self.replicate, path, purpose);
        let ambiguous = self.climate.ambiguous.get(at).filter(|a| !a.is_empty());
        let imputed = ambiguous.zip(self.record.associations().get(at)).map(|(ambiguous, association)| {
            Donors::new(copies, impute(association, copies, ambiguous, Some(&mut lane(Purpose::Imputation))))
        });
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
        Some(Box::new(PathState { lane: lane(Purpose::Weather), spells, fates: donors.fates.clone(), answered, lost }))
    }
}

impl PathState {
    /// One draw of the weather; `None` when nothing is known of round trips.
    fn draw(
        &self,
        climate: &Climate,
        (bad, loss): (bool, f64),
        at: Instant,
        [fate, moment, rtt, _]: [u32; 4],
    ) -> Option<Fate> {
        if unit(fate) < loss {
            return Some(draw_near(&self.lost, at, climate.loss.time, unit(moment)).map_or(Fate::Lost, |d| d.fate));
        }
        let [good, worse] = &self.answered;
        let own = if bad { worse } else { good };
        // A state in which nothing of this path was answered takes the other's, then anybody's.
        let lenders =
            [own, good, worse, &climate.all].into_iter().find(|d| d.iter().any(|d| d.fate.rtt().is_some()))?;
        let near = neighbour(lenders, at, &climate.rtt_decay, unit(rtt));
        let memory = climate.loss.time.max(climate.rtt.time);
        let lender = near.or_else(|| draw_near(lenders, at, memory, unit(moment)))?;
        lender
            .fate
            .rtt()
            .map_or_else(|| lenders.iter().map(|d| d.fate).find(|f| f.rtt().is_some()), |_| Some(lender.fate))
    }
}

impl Channel for GilbertElliottChannel<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        const NOTHING: Met = Met { fate: Fate::Unknown, support: Support::Assumed };
        let at = sent.path as usize;
        if self.paths.get(at).is_some_and(Option::is_none) {
            self.paths[at] = self.open(sent.path);
        }
        let (Some(Some(path)), Some(recorded)) = (self.paths.get_mut(at), self.index.paths.get(at)) else {
            return NOTHING;
        };
        let mut silent_until = Instant::MIN;
        if let Some((i, copy)) = recorded.near(sent.at, self.tolerance, sent.exchange) {
            if copy.fate.is_known() {
                return Met { fate: copy.fate, support: Support::Recorded };
            }
            if let Some(&fate) = path.fates.get(i).filter(|f| f.is_known()) {
                return Met { fate, support: Support::Borrowed };
            }
            silent_until = copy.silent_until;
        }
        let bad = path.spells.bad(sent.at);
        let state = (bad, path.spells.weather().loss_in(bad));
        let quantum = sent.at.nanos().div_euclid(self.tolerance.nanos().max(1));
        // Quanta may be negative; as addresses they only have to differ.
        let words = *path.lane.block(quantum as u64);
        for &words in words.as_chunks::<4>().0 {
            match path.draw(self.climate, state, sent.at, words) {
                None => return NOTHING,
                // Such a reply would have been seen: not this weather, then.
                Some(Fate::Answered { rtt }) if sent.at + rtt + self.tolerance < silent_until => {}
                Some(fate) => return Met { fate, support: Support::Modelled },
            }
        }
        // No reply was seen for longer than any reply near in time took.
        Met { fate: Fate::Lost, support: Support::Modelled }
    }
}
