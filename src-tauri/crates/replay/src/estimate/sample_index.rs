//! Recorded copies in order of time, and where a moment lies among them.

use super::donor::Donor;
use super::kernel::{DecayTable, KernelSums};
use crate::model::{Fate, Moment, Times};

/// Donors in order of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleIndex {
    donors: Vec<Donor>,
    pub times: Times,
    /// Places of the lost ones, or of the answered ones where these are fewer.
    rare: Vec<u32>,
    /// How much each of them tells ([`super::counts`]).
    pub counts: Vec<f32>,
    /// Of those that are asked for a neighbour.
    pub with_kernel: KernelSums,
    /// For each number of copies of its path, how many donors are among the first so many; empty where it is not of one path.
    ranks: Vec<u32>,
}

impl SampleIndex {
    /// `donors` must be in order of time, with what each counts.
    pub fn counted(donors: Vec<Donor>, counts: Vec<f32>) -> Self {
        Self { counts, ..donors.into() }
    }

    /// The same, picked of the copies of a path that count so much.
    pub fn counting(self, counts: &[f32]) -> Self {
        let copies = self.ranks.iter().zip(self.ranks.iter().skip(1)).zip(counts);
        let counts = copies.filter(|((before, after), _)| after > before).map(|(_, &count)| count).collect();
        Self { counts, ..self }
    }

    /// The same, ready to lend as `decay` says.
    pub fn with_kernel(self, decay: &DecayTable) -> Self {
        Self { with_kernel: KernelSums::new(&self.times, decay), ..self }
    }

    /// How many donors are before `moment`, which is one of their path.
    pub fn before(&self, moment: Moment) -> usize {
        self.ranks.get(moment.copies).map_or_else(|| self.times.before(moment.at), |&rank| rank as usize)
    }

    /// The places of the `enough` donors nearest to `split`; where the weather is `even`, those of as many lost and as many answered ones,
    /// as far as there are.
    ///
    /// Who asks for a copy that never was often does so because of a copy that was lost: its client would be at another point, or have
    /// nothing to repeat. That one is among the nearest. Where few are lost it would be most of them, and losses seem more usual than they
    /// are. Where the weather changes that is worth what the nearest know of it; where it does not, those farther away know as much.
    pub fn around(&self, split: usize, enough: usize, even: bool) -> (usize, usize) {
        let nearest = |split: usize, count: usize| {
            let from = split.saturating_sub(enough / 2).min(count.saturating_sub(enough));
            (from, (from + enough).min(count))
        };
        let near = nearest(split, self.donors.len());
        if !even || self.rare.is_empty() {
            return near;
        }
        let (first, end) = nearest(self.rare.partition_point(|&place| (place as usize) < split), self.rare.len());
        let place = |i: usize| self.rare.get(i).map(|&place| place as usize);
        // All there are: nothing more is known before the first and behind the last.
        let from = if first == 0 { Some(0) } else { place(first) };
        let to = if end == self.rare.len() { Some(self.donors.len()) } else { place(end) };
        (from.unwrap_or(near.0).min(near.0), to.unwrap_or(near.1).max(near.1))
    }
}

impl From<Vec<Donor>> for SampleIndex {
    /// `donors` must be in order of time; each counts as much as any other.
    fn from(donors: Vec<Donor>) -> Self {
        let times = Times::new(donors.iter().map(|d| d.at));
        let lost = donors.iter().filter(|d| d.fate.rtt().is_none()).count();
        let rarely = 2 * lost <= donors.len();
        let rare = (0..).zip(&donors).filter(|(_, d)| d.fate.rtt().is_none() == rarely).map(|(i, _)| i).collect();
        let counts = vec![1.0; donors.len()];
        Self { donors, times, rare, counts, with_kernel: KernelSums::default(), ranks: Vec::new() }
    }
}

impl std::ops::Deref for SampleIndex {
    type Target = [Donor];

    fn deref(&self) -> &[Donor] {
        &self.donors
    }
}

impl<'d> IntoIterator for &'d SampleIndex {
    type Item = &'d Donor;
    type IntoIter = std::slice::Iter<'d, Donor>;

    fn into_iter(self) -> Self::IntoIter {
        self.donors.iter()
    }
}

/// Some of the copies of a path, picked in order of time.
#[derive(Debug)]
pub(crate) struct SampleIndexBuilder {
    donors: Vec<Donor>,
    ranks: Vec<u32>,
}

impl SampleIndexBuilder {
    /// Of a path that has so many `copies`.
    pub fn of(copies: usize) -> Self {
        Self { donors: Vec::with_capacity(copies), ranks: Vec::with_capacity(copies + 1) }
    }

    /// The next copy of the path, and whether it is one of them.
    pub fn next(&mut self, copy: Donor, is: bool) {
        self.ranks.push(self.donors.len() as u32);
        if is {
            self.donors.push(copy);
        }
    }

    /// The fate that all of those have that are picked so far; `none` where there are none.
    pub fn uniform_fate(&self, none: Fate) -> Option<Fate> {
        let fate = self.donors.first().map_or(none, |donor| donor.fate);
        self.donors.iter().all(|donor| donor.fate == fate).then_some(fate)
    }

    /// Those picked, of all copies of the path.
    pub fn index_of(mut self) -> SampleIndex {
        self.ranks.push(self.donors.len() as u32);
        SampleIndex { ranks: self.ranks, ..SampleIndex::from(self.donors) }
    }
}
