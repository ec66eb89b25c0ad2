//! Borrowed weather: a copy that never was meets what recorded copies near in time met.
//!
//! Three steps, each on keyed draws:
//!
//! 1. A recorded copy within the tolerance lends its own fate ([`Support::Recorded`]).
//! 2. Otherwise a recorded copy of the same path near in time lends its fate. Each weighs as much as its
//!    fate tells of this one's: the measured correlation ρ at its distance ([`super::Memory`]). The climate
//!    weighs what the nearest copy leaves open, 1 − ρ. With one neighbour the chance of a loss is then the
//!    best linear prediction, p + ρ·(its fate − p), exact for a two-state Markov channel; with n equally
//!    near ones it is that of n draws with correlation ρ from one spell (beta-binomial), which comes to trust
//!    them as n grows. A round trip is borrowed in the same way from the answered neighbours, under the
//!    memory of round trips.
//! 3. The *climate* is a copy from a wider stretch of time: a moment is drawn uniformly from the time spanned
//!    by the nearest recorded copies, and the first copy sent after it lends its fate. Uniform moments,
//!    because a sender samples good and bad weather unequally densely; the copy *after* the moment, not the
//!    nearest, because the gap behind a lost copy (its timeout) is long only because it was lost; and no copy of the same
//!    exchange, because of those one was lost for sure where there is a retransmission.
//!
//! Copies whose fate the capture cannot tell are imputed first, once per replicate (module `ambiguous`).
//!
//! The climate comes from the same path when that has enough copies, else from all paths of the same
//! server, else from the whole trace. Draws are keyed by path and time quantum.

use super::climate::{Climate, Donor, Donors};
use super::lend::{Drawn, ENOUGH, Lent, draw_near, neighbour, quantum, settle};
use super::loaded::Lends;
use super::{Channel, Index, Met, Sent, Support};
use crate::draw::{Lane, Purpose, unit};
use crate::record::{Fate, Record};
use base::Span;

/// Borrows from recorded copies near in time.
#[derive(Debug)]
pub(crate) struct Empirical<'a> {
    record: &'a Record,
    index: &'a Index,
    climate: &'a Climate,
    tolerance: Span,
    seed: u64,
    replicate: u32,
    lanes: Vec<Option<Box<Lane>>>,
    /// Per path with ambiguous copies: this replicate's idea of their fates.
    imputed: Vec<Option<Donors>>,
}

impl<'a> Empirical<'a> {
    pub fn new(
        record: &'a Record,
        index: &'a Index,
        climate: &'a Climate,
        tolerance: Span,
        seed: u64,
        replicate: u32,
    ) -> Self {
        let lanes = std::iter::repeat_with(|| None).take(index.paths.len()).collect();
        let imputed = vec![None; index.paths.len()];
        Self { record, index, climate, tolerance, seed, replicate, lanes, imputed }
    }

    /// Imputes the fates of `path`, the first time it is asked for.
    fn prepare(&mut self, path: u32) {
        if let Some(slot @ None) = self.imputed.get_mut(path as usize) {
            *slot = self.climate.imputed(self.record, self.index, (self.seed, self.replicate), path);
        }
    }

    fn donors(&self, path: u32) -> Option<&Donors> {
        let imputed = self.imputed.get(path as usize)?.as_ref();
        imputed.or_else(|| self.climate.paths.get(path as usize))
    }

    /// One draw of the weather; `None` when the trace has nothing to lend.
    fn borrow(&self, sent: &Sent, [choice, moment, choice_rtt, _]: [u32; 4]) -> Option<Lent> {
        let climate = self.climate;
        let path = self.donors(sent.path)?;
        let donor = match neighbour(&path.known, sent.at, &climate.loss_decay, unit(choice)) {
            Some(donor) => donor,
            None => self.climate_copy(sent, unit(moment))?,
        };
        let Fate::Answered { .. } = donor.fate else {
            return Some(Lent { fate: donor.fate, loads: Some([donor.load; 2]) });
        };
        let lender = neighbour(&path.answered, sent.at, &climate.rtt_decay, unit(choice_rtt)).unwrap_or(donor);
        Some(Lent { fate: lender.fate, loads: Some([donor.load, lender.load]) })
    }

    fn climate_copy(&self, sent: &Sent, moment: f64) -> Option<Donor> {
        let climate = self.climate;
        let path = &self.donors(sent.path)?.known;
        let pool = climate.pool_of.get(sent.path as usize).and_then(|&pool| climate.pools.get(pool));
        let enough = |donors: &&Vec<Donor>| donors.len() >= ENOUGH;
        let donors = Some(path).filter(enough).or_else(|| pool.filter(enough)).unwrap_or(&climate.all);
        // A retransmission exists because a copy before it was lost: that one does not tell how usual losses are.
        let exchange = self.record.associations().get(sent.path as usize)?.exchanges.get(sent.exchange as usize);
        let own = exchange.map_or(&[][..], |e| &e.copies);
        // At least the time in which the weather can change.
        let memory = climate.loss.time.max(climate.rtt.time);
        draw_near(donors, sent.at, memory, moment, |donor| own.iter().any(|c| c.sent == donor.at))
    }
}

impl Channel for Empirical<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.draw(sent).met
    }
}

impl Lends for Empirical<'_> {
    fn draw(&mut self, sent: &Sent) -> Drawn {
        self.prepare(sent.path);
        let at = sent.path as usize;
        // Out of its place while the rest of this channel is read.
        let mut lane = self.lanes.get_mut(at).and_then(Option::take);
        let words = || {
            let fresh = || Box::new(Lane::new(self.seed, self.replicate, sent.path, Purpose::Weather));
            *lane.get_or_insert_with(fresh).block(quantum(sent.at, self.tolerance))
        };
        let (fates, loads) = self.donors(sent.path).map_or((&[][..], &[][..]), |d| (&d.fates, &d.loads));
        let recorded = (self.index.paths.get(at), fates, loads);
        let drawn = settle(recorded, sent, self.tolerance, Support::Borrowed, words, |words| self.borrow(sent, words));
        if let Some(place) = self.lanes.get_mut(at) {
            *place = lane;
        }
        drawn
    }
}
