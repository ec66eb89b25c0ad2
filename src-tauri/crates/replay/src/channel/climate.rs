//! How long weather lasts, and pools of recorded copies to borrow from: measured once per trace.

use super::ambiguous::{Ambiguous, Density, ambiguous, impute};
use super::counts::counts;
use super::fading::Decay;
use super::gate::together;
use super::shelf::{Donor, Picked, Shelf};
use super::spells::observed;
use super::{Index, Path};
use crate::draw::{Lane, Purpose};
use crate::medium::Load;
use crate::record::{Fate, Record};
use crate::weather::Observed;
use base::{Cancelled, Instant, SharedProgress, Span};
use std::sync::OnceLock;

/// How strongly a copy's fate tells of another's on the same path a while later:
/// `strength · exp(−lag / time)`, for lags from the shortest measured one on; nearer copies are taken to
/// tell as much as that, because nothing was measured of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Memory {
    /// The fitted correlation at lag zero, from 0 to 1. Below 1 as a rule, because within the same weather
    /// each copy still has its own luck.
    pub strength: f64,
    /// The coherence time: after this long the correlation has fallen to 1/e of its strength. Zero
    /// when there is no correlation.
    pub time: Span,
    /// The shortest lag at which it was measured.
    pub from: Span,
    /// How many pairs of copies it was measured on.
    pub pairs: u64,
    /// It was looked for, and nothing hints at it.
    pub(crate) even: bool,
}

impl Memory {
    /// Every copy on its own.
    const NONE: Self = Self { strength: 0.0, time: Span::ZERO, from: Span::ZERO, pairs: 0, even: false };

    /// The correlation at `lag`.
    #[must_use]
    pub fn at(&self, lag: Span) -> f64 {
        if self.strength <= 0.0 || self.time <= Span::ZERO {
            return 0.0;
        }
        self.strength * (-(lag.abs().max(self.from).secs_f64() / self.time.secs_f64())).exp()
    }
}

/// The copies of a path, ready to lend.
#[derive(Clone, Debug)]
pub(crate) struct Donors {
    /// The fate of each of [`Path::copies`], imputed where the capture cannot tell.
    pub fates: Vec<Fate>,
    /// The load each of them met; empty where nobody asked.
    pub loads: Vec<Load>,
    /// How much each of them tells.
    pub counts: Vec<f32>,
    /// Copies with a fate, in order of time.
    pub known: Shelf,
    /// Answered ones among them.
    pub answered: Shelf,
    /// When first asked for.
    observed: OnceLock<Vec<Observed>>,
}

impl Donors {
    pub fn new(path: &Path, fates: Vec<Fate>, loads: &[Load]) -> Self {
        let met = loads.iter().copied().chain(std::iter::repeat([0; 2]));
        let [mut known, mut answered] = [(); 2].map(|()| Picked::of(path.copies.len()));
        for ((copy, &fate), load) in path.copies.iter().zip(&fates).zip(met) {
            let donor = Donor { at: copy.at, fate, load };
            known.next(donor, fate.is_known());
            answered.next(donor, fate.rtt().is_some());
        }
        let (known, answered) = (known.shelf(), answered.shelf());
        Self { fates, loads: loads.to_vec(), counts: Vec::new(), known, answered, observed: OnceLock::new() }
    }

    /// Those with a fate, as a fit takes them.
    pub fn observed(&self) -> &[Observed] {
        self.observed.get_or_init(|| observed(&self.known))
    }

    /// The same, whose copies count so much.
    fn counting(self, counts: Vec<f32>) -> Self {
        Self { known: self.known.counting(&counts), answered: self.answered.counting(&counts), counts, ..self }
    }

    /// The same, ready to lend as the memories of losses and of round trips say.
    fn fading(self, loss: &Decay, rtt: &Decay) -> Self {
        Self { known: self.known.fading(loss), answered: self.answered.fading(rtt), ..self }
    }
}

/// The climate of a trace: how long its weather lasts, and what there is to borrow.
#[derive(Clone, Debug)]
pub struct Climate {
    /// Of losses.
    pub loss: Memory,
    /// Of round-trip times (their logarithms).
    pub rtt: Memory,
    pub(crate) loss_decay: Decay,
    pub(crate) rtt_decay: Decay,
    /// Per path: its copies, the ambiguous ones by their likeliest fates.
    pub(crate) paths: Vec<Donors>,
    /// Per path: exchanges of which the capture cannot tell which copy was answered.
    pub(crate) ambiguous: Vec<Vec<Ambiguous>>,
    /// Per path: which pool of `pools` its link (its server) has.
    pub(crate) pool_of: Vec<usize>,
    /// Per server: all its paths' copies.
    pub(crate) pools: Vec<Shelf>,
    /// All copies.
    pub(crate) all: Shelf,
    /// Per path: its server answers together all that waits.
    pub(crate) together: Vec<bool>,
}

/// A copy is paired with at most this many later ones of its path.
const REACH: usize = 24;
/// A lag class with fewer pairs says nothing.
const PAIRS: f64 = 12.0;
/// Standard errors beyond which a correlation is used. More would be asked of a claim that there is one; but to leave out one that is there
/// makes retransmissions seem safer than they are, and that errs worse than one that is not there and is small.
const USED: f64 = 1.0;
/// Lag classes double in width from 1 ms; 36 of them reach two years.
const CLASSES: usize = 36;

impl Climate {
    /// What is done with every association one after the other, in [`Climate::measure`].
    pub(crate) const PASSES: u64 = 5;

    /// Measures the climate of `record`.
    ///
    /// The memory of losses is the slope of "a later copy is lost" on "this copy is lost", both less
    /// the path's mean, in classes of lag; then an exponential is fitted through the classes, weighted
    /// by what each tells. A slope, not a correlation coefficient: that a second copy exists at some
    /// lag often *follows* from the first being lost (it is its retransmission), which would bias a
    /// coefficient but not a regression on the first. Passes [`Climate::PASSES`] times an association.
    pub(crate) fn measure(record: &Record, index: &Index, watch: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let everywhere = Density::new(index.paths.iter());
        let both = || record.associations().iter().zip(&index.paths);
        let unclear = |(association, path)| {
            let own = Density::new(std::iter::once(path));
            let late = |exchange| record.late(exchange);
            watch.pass().map(|()| ambiguous(association, path, own.as_ref().or(everywhere.as_ref()), late))
        };
        let ambiguous: Vec<Vec<Ambiguous>> = both().map(unclear).collect::<Result<_, _>>()?;
        let paths: Vec<Donors> = both()
            .zip(&ambiguous)
            .map(|((association, path), unclear)| {
                watch.pass().map(|()| Donors::new(path, impute(association, path, unclear, None), &[]))
            })
            .collect::<Result<_, _>>()?;

        let mut servers: Vec<u32> = record.associations().iter().map(|a| a.server).collect();
        servers.sort_unstable();
        servers.dedup();
        let pool_of: Vec<usize> =
            record.associations().iter().map(|a| servers.binary_search(&a.server).unwrap_or(0)).collect();
        let together = index.paths.iter().zip(&paths).map(|(path, own)| together(path, &own.fates)).collect();
        let loss =
            memory(paths.iter().map(|p| &p.known), watch, |d| Some(if d.fate.rtt().is_some() { 0.0 } else { 1.0 }))?;
        let logarithm = |d: &Donor| d.fate.rtt().map(|rtt| (rtt.nanos().max(1) as f64).ln());
        let rtt = memory(paths.iter().map(|p| &p.answered), watch, logarithm)?;
        let (loss_decay, rtt_decay) = (Decay::new(loss), Decay::new(rtt));
        let counted = counted(paths, index, (&loss, &loss_decay), (&rtt, &rtt_decay));
        let paths: Vec<Donors> = counted.map(|own| watch.pass().map(|()| own)).collect::<Result<_, _>>()?;
        let (pools, all) = pool(&paths, &pool_of, servers.len());
        Ok(Self { loss, rtt, loss_decay, rtt_decay, paths, ambiguous, pool_of, pools, all, together })
    }

    /// The same with memories that last `factor` times as long. Passes once an association.
    pub(crate) fn lasting(&self, index: &Index, factor: f64, watch: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let stretched = |memory: Memory| {
            let time = Span::from_secs_f64(memory.time.secs_f64() * factor).unwrap_or(Span::MAX);
            Memory { time, ..memory }
        };
        let (loss, rtt) = (stretched(self.loss), stretched(self.rtt));
        let (loss_decay, rtt_decay) = (Decay::new(loss), Decay::new(rtt));
        let counted = counted(self.paths.clone(), index, (&loss, &loss_decay), (&rtt, &rtt_decay));
        let paths: Vec<Donors> = counted.map(|own| watch.pass().map(|()| own)).collect::<Result<_, _>>()?;
        let (pools, all) = pool(&paths, &self.pool_of, self.pools.len());
        Ok(Self { loss, rtt, loss_decay, rtt_decay, paths, pools, all, ..self.clone() })
    }

    /// The same climate with the load that each copy met: per path and copy. Asks `watch` before every path.
    pub(crate) fn under(
        &self,
        index: &Index,
        loads: &[Vec<Load>],
        watch: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let mut paths = self.paths.iter().zip(&index.paths).zip(loads);
        let donors = |((own, path), loads): ((&Donors, &Path), &Vec<Load>)| {
            watch.ask()?;
            let own = Donors::new(path, own.fates.clone(), loads).counting(own.counts.clone());
            Ok(own.fading(&self.loss_decay, &self.rtt_decay))
        };
        let paths: Vec<Donors> = paths.by_ref().map(donors).collect::<Result<_, _>>()?;
        let (pools, all) = pool(&paths, &self.pool_of, self.pools.len());
        watch.ask()?;
        // All else of it, but not what has just been made anew.
        let (loss_decay, rtt_decay) = (self.loss_decay.clone(), self.rtt_decay.clone());
        let (ambiguous, pool_of, together) = (self.ambiguous.clone(), self.pool_of.clone(), self.together.clone());
        let Self { loss, rtt, .. } = *self;
        Ok(Self { loss, rtt, loss_decay, rtt_decay, paths, ambiguous, pool_of, pools, all, together })
    }

    /// The copies of `path` as one replicate takes them, those that the capture leaves open imputed by draws of its own
    /// lane; `None` where nothing is open, and [`Climate::paths`] says it all.
    pub(crate) fn imputed(
        &self,
        record: &Record,
        index: &Index,
        (seed, replicate): (u64, u32),
        path: u32,
    ) -> Option<Donors> {
        let fates = self.imputed_fates(record, index, (seed, replicate), path)?;
        let (own, copies) = (self.paths.get(path as usize)?, index.paths.get(path as usize)?);
        let donors = Donors::new(copies, fates, &own.loads).counting(own.counts.clone());
        Some(donors.fading(&self.loss_decay, &self.rtt_decay))
    }

    /// [`Climate::imputed`], for who wants no more than the fate of each of [`Path::copies`].
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
        let mut lane = Lane::new(seed, replicate, path, Purpose::Imputation);
        Some(impute(association, copies, unclear, Some(&mut lane)))
    }
}

/// `paths` with what their copies count, ready to lend, as the memories of losses and of round trips say.
fn counted<'a>(
    paths: Vec<Donors>,
    index: &'a Index,
    (loss, loss_decay): (&'a Memory, &'a Decay),
    (rtt, rtt_decay): (&'a Memory, &'a Decay),
) -> impl Iterator<Item = Donors> + 'a {
    let counted = move |(own, path): (Donors, &Path)| {
        let counts = counts(path, telling(loss, rtt));
        own.counting(counts).fading(loss_decay, rtt_decay)
    };
    paths.into_iter().zip(&index.paths).map(counted)
}

/// The memory that tells of more copies.
fn telling<'m>(loss: &'m Memory, rtt: &'m Memory) -> &'m Memory {
    let tells = |memory: &Memory| memory.strength * memory.time.secs_f64();
    if tells(rtt) > tells(loss) { rtt } else { loss }
}

/// The copies of all paths to each server, and of all paths, in order of time.
fn pool(paths: &[Donors], pool_of: &[usize], servers: usize) -> (Vec<Shelf>, Shelf) {
    let mut pools: Vec<Vec<(Donor, f32)>> = vec![Vec::new(); servers];
    for (path, &pool) in paths.iter().zip(pool_of) {
        if let Some(pool) = pools.get_mut(pool) {
            pool.extend(path.known.iter().copied().zip(path.known.counts.iter().copied()));
        }
    }
    for pool in &mut pools {
        pool.sort_by_key(|(donor, _)| donor.at);
    }
    let mut all = pools.concat();
    all.sort_by_key(|(donor, _)| donor.at);
    let shelf = |of: Vec<(Donor, f32)>| {
        let (donors, counts) = of.into_iter().unzip();
        Shelf::counted(donors, counts)
    };
    (pools.into_iter().map(shelf).collect(), shelf(all))
}

/// The memory of `signal` over `paths`; passes once each.
fn memory<'a>(
    paths: impl Iterator<Item = &'a Shelf>,
    watch: &SharedProgress<'_>,
    signal: impl Fn(&Donor) -> Option<f64>,
) -> Result<Memory, Cancelled> {
    // Per class: pairs, sum of x², of x·y, of lag.
    let mut classes = [[0.0_f64; 4]; CLASSES];
    for path in paths {
        watch.pass()?;
        let points: Vec<(Instant, f64)> = path.iter().filter_map(|d| Some((d.at, signal(d)?))).collect();
        let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len().max(1) as f64;
        for (i, &(at, x)) in points.iter().enumerate() {
            for &(later, y) in points.iter().skip(i + 1).take(REACH) {
                let lag = later - at;
                let Some(sums) = classes.get_mut(class(lag)) else { continue };
                sums[0] += 1.0;
                sums[1] += (x - mean) * (x - mean);
                sums[2] += (x - mean) * (y - mean);
                sums[3] += lag.secs_f64();
            }
        }
    }
    let pairs = classes.iter().map(|c| c[0]).sum::<f64>();
    let measured: Vec<(f64, f64, f64)> =
        classes.iter().filter(|c| c[0] >= PAIRS && c[1] > 0.0).map(|c| (c[3] / c[0], c[2] / c[1], c[1])).collect();
    let variance = classes.iter().map(|c| c[1]).sum::<f64>() / pairs.max(1.0);
    Ok(fit(&measured, pairs, variance))
}

/// Lag class: powers of two of a millisecond.
fn class(lag: Span) -> usize {
    let ms = u64::try_from(lag.millis()).unwrap_or(0);
    (u64::BITS - ms.leading_zeros()) as usize
}

/// The exponential through (lag, slope, weight) of least weighted squares, over a grid of coherence
/// times; none where its strength is not beyond [`USED`] standard errors.
fn fit(measured: &[(f64, f64, f64)], pairs: f64, variance: f64) -> Memory {
    let count = pairs as u64;
    let (Some(&(shortest, ..)), Some(&(longest, ..))) = (measured.first(), measured.last()) else {
        return Memory { pairs: count, ..Memory::NONE };
    };
    // Coherence time, strength, what it is known by, squared error.
    let mut best: Option<(f64, f64, f64, f64)> = None;
    let mut time = shortest.max(1e-3);
    while time <= longest.max(shortest.max(1e-3)) {
        let (mut xy, mut xx) = (0.0, 0.0);
        for &(lag, slope, weight) in measured {
            let x = (-lag / time).exp();
            xy += weight * x * slope;
            xx += weight * x * x;
        }
        let strength = if xx > 0.0 { (xy / xx).clamp(0.0, 1.0) } else { 0.0 };
        let error = |&(lag, slope, weight): &(f64, f64, f64)| {
            let miss: f64 = slope - strength * (-lag / time).exp();
            weight * miss * miss
        };
        let total: f64 = measured.iter().map(error).sum();
        if best.is_none_or(|(.., least)| total < least) {
            best = Some((time, strength, xx, total));
        }
        time *= 1.25;
    }
    let Some((time, strength, known, _)) = best else { return Memory { pairs: count, ..Memory::NONE } };
    // The error of a class's slope is the spread of y over the root of its sum of x², its weight; both have the spread of the whole.
    // A class tells of the strength by e^(−lag/time) times its slope, so their errors together are √(variance / Σ weight·e^(−2·lag/time)).
    if strength * (known / variance).sqrt() < USED {
        return Memory { pairs: count, even: true, ..Memory::NONE };
    }
    let span = |secs| Span::from_secs_f64(secs).unwrap_or(Span::MAX);
    Memory { strength, time: span(time), from: span(shortest), pairs: count, even: false }
}
