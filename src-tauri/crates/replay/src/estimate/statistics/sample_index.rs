//! Index of recorded copies with a known fate, in order of time.

use crate::estimate::donor::Donor;
use crate::estimate::statistics::fast::{DecayTable, KernelSums};
use crate::model::{FastPaths, Fate, Moment, Path, Times};

/// Donors in order of time, with all that a draw among them needs.
#[derive(Clone, Debug)]
pub(crate) struct SampleIndex {
    donors: Vec<Donor>,
    /// Times of sending, in order.
    pub times: Times,
    /// Positions of the lost donors, or of the answered ones where these are fewer.
    rare: Vec<u32>,
    /// Effective sample weight of each donor, 0 to 1 (`effective_weights`).
    pub effective_weights: Vec<f32>,
    /// Kernel sums; empty unless draws near a moment are fast.
    pub with_kernel: KernelSums,
    /// Number of donors among the first `n` copies of the path, by `n`; empty where donors come from several paths.
    ranks: Vec<u32>,
    /// Switches of the fast paths of draws.
    pub fast: FastPaths,
}

impl SampleIndex {
    /// Index of `donors`, in order of time, each with weight 1.
    pub fn new(donors: Vec<Donor>, fast: FastPaths) -> Self {
        let times = Times::new(donors.iter().map(|d| d.at), fast.searches);
        let lost = donors.iter().filter(|d| d.fate.rtt().is_none()).count();
        let rarely = 2 * lost <= donors.len();
        let rare = (0..).zip(&donors).filter(|(_, d)| d.fate.rtt().is_none() == rarely).map(|(i, _)| i).collect();
        let effective_weights = vec![1.0; donors.len()];
        Self { donors, times, rare, effective_weights, with_kernel: KernelSums::default(), ranks: Vec::new(), fast }
    }

    /// Index of `donors`, in order of time, with their effective weights.
    pub fn weighted(donors: Vec<Donor>, effective_weights: Vec<f32>, fast: FastPaths) -> Self {
        Self { effective_weights, ..Self::new(donors, fast) }
    }

    /// Sets the weights of donors that were selected from the copies of a path; `effective_weights` has one for each
    /// copy of the path.
    pub fn with_effective_weights(self, effective_weights: &[f32]) -> Self {
        let copies = self.ranks.iter().zip(self.ranks.iter().skip(1)).zip(effective_weights);
        let effective_weights =
            copies.filter(|((before, after), _)| after > before).map(|(_, &weight)| weight).collect();
        Self { effective_weights, ..self }
    }

    /// Prepares draws near a moment by the kernel of `decay`, where the fast form is switched on.
    pub fn with_kernel(self, decay: &DecayTable) -> Self {
        if !self.fast.kernel_sums {
            return self;
        }
        Self { with_kernel: KernelSums::new(&self.times, decay), ..self }
    }

    /// Number of donors before `moment`, which must be a moment of their path.
    pub fn before(&self, moment: Moment) -> usize {
        if !self.fast.searches {
            return self.times.before(moment.at);
        }
        self.ranks.get(moment.copies).map_or_else(|| self.times.before(moment.at), |&rank| rank as usize)
    }

    /// Range (from, to; to is excluded) of the `enough` donors nearest to position `split`. Where losses are
    /// uncorrelated (`even`), it is wide enough for as many lost and as many answered ones, as far as there are.
    ///
    /// A copy that was never sent is often asked for because of a lost one: its client would be elsewhere in its
    /// schedule, or have nothing to repeat. That lost copy is among the nearest. Where losses are rare it would be most
    /// of the lost donors there, and losses would seem more frequent than they are. Where losses are autocorrelated,
    /// near donors are worth that bias; where they are not, farther ones are as good.
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
        // Reaches to the first and last donor where rare ones run out.
        let from = if first == 0 { Some(0) } else { place(first) };
        let to = if end == self.rare.len() { Some(self.donors.len()) } else { place(end) };
        (from.unwrap_or(near.0).min(near.0), to.unwrap_or(near.1).max(near.1))
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

/// Builder of an index from selected copies of a path, in order of time.
#[derive(Debug)]
pub(crate) struct SampleIndexBuilder {
    donors: Vec<Donor>,
    ranks: Vec<u32>,
    fast: FastPaths,
}

impl SampleIndexBuilder {
    /// Builder for copies of `path`, none of which is added yet.
    pub fn of(path: &Path) -> Self {
        let copies = path.copies.len();
        Self { donors: Vec::with_capacity(copies), ranks: Vec::with_capacity(copies + 1), fast: path.fast }
    }

    /// Adds the next copy of the path, in order of time; `is` says whether it is selected.
    pub fn next(&mut self, copy: Donor, is: bool) {
        self.ranks.push(self.donors.len() as u32);
        if is {
            self.donors.push(copy);
        }
    }

    /// Fate that all selected copies share, `none` where none is selected; `None` where fates differ.
    pub fn uniform_fate(&self, none: Fate) -> Option<Fate> {
        let fate = self.donors.first().map_or(none, |donor| donor.fate);
        self.donors.iter().all(|donor| donor.fate == fate).then_some(fate)
    }

    /// Builds the index of the selected copies, each with weight 1.
    pub fn index_of(mut self) -> SampleIndex {
        self.ranks.push(self.donors.len() as u32);
        SampleIndex { ranks: self.ranks, ..SampleIndex::new(self.donors, self.fast) }
    }
}
