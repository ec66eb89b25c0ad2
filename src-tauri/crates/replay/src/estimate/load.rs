//! Response of losses and round trips to load, estimated from a trace.
//!
//! The load on a medium varies by itself: clients are silent while they wait for the timer of a lost copy, or send at
//! once. Copies that meet more of it are compared with copies of the same path at nearly the same time that meet less:
//!
//! * [`LoadFit::rtt`]: least-squares slope of the round trip on load, with the means of path and stretch of time
//!   subtracted from both. Another timer changes the load for good; in a trace it differs for a moment, and is as usual
//!   again before the round trip is over. So the load that others add meanwhile is a second regressor. The response is
//!   the sum of both coefficients: the lengthening where both rise together (the long-run multiplier of a distributed
//!   lag; Almon, Econometrica 33, 1965). Later load is unknown when a copy is sent, but recent load predicts it. So the
//!   current load counts with its slope without the second regressor ([`LoadFit::at_once`] of the sum), and the recent
//!   load with the rest.
//! * [`LoadFit::loss`]: logit of loss on load, with the path's own odds. A copy is lost on the air, soon after it was
//!   sent.
//!
//! Only first copies count. Their sending times are nearly independent of the state of their own path; a retransmission
//! follows a loss, so that the bad state would look like load. Standard errors are robust to correlation within a
//! stretch of time (clusters; Liang & Zeger, Biometrika 73, 1986).
//!
//! Assumption: within a stretch of time, channel changes that hit several paths at once are independent of how many of
//! their clients send. Where the estimate can be shown not to hold, or says too little, [`Unidentified`] says why and
//! nothing is extrapolated.

mod cumulative;
mod in_flight;
mod loads;
pub(crate) mod regress;
mod unidentified;

pub(crate) use in_flight::InFlightLoad;
pub(crate) use loads::Loads;
use unidentified::NEEDED;
pub use unidentified::{Response, Unidentified};

use super::local::Local;
use super::statistics::ChannelStatistics;
use crate::model::{Fate, Index, Load, Purpose, RandomStream, Record, USUAL, normals};
use base::{Cancelled, SharedProgress, Span};
use regress::{Point, beside, least_squares, logistic, within};

/// An estimate of a response, in the unit that its field names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Estimated value, in the unit of the field.
    pub value: f64,
    /// Standard error of the value, in its unit, robust to correlation within a stretch of time.
    pub error: f64,
}

/// Response of a medium to load, per copy of mean airtime that is under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoadFit {
    /// Rise of the logit of a loss per copy under way.
    pub loss: Estimate,
    /// Lengthening of a round trip under lasting load, seconds per copy under way.
    pub rtt: Estimate,
    /// Share of [`LoadFit::rtt`], 0 to 1, by which a round trip gets longer at once; the rest comes as far as the load
    /// was there lately, too.
    pub at_once: f64,
    /// Mean load that a copy met, in copies under way.
    pub mean: f64,
    /// Least and greatest load that a copy met, in this order, in copies under way: beyond it, a prediction is an
    /// extrapolation.
    pub range: (f64, f64),
    /// Standard deviation of the load within path and stretch of time, in copies under way: the variation that a
    /// response is learned from.
    pub deviation: f64,
    /// Number of first copies with a known fate.
    pub copies: u64,
    /// Number of lost copies among `copies`.
    pub lost: u64,
    /// Mean airtime of a copy and its reply together, over all hops and retries.
    pub airtime: Span,
    /// Size of the largest group of associations that hear each other.
    pub neighbours: usize,
}

/// First copies that met a like load, to show how well a response fits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoadStep {
    /// Mean load that they met, in copies under way.
    pub load: f64,
    /// Number of first copies in this step.
    pub copies: u64,
    /// Share of them that was lost, 0 to 1.
    pub lost: f64,
    /// Share that the fitted response predicts, 0 to 1, with each path's own odds.
    pub fitted: f64,
}

/// Standard deviation, before any copy is seen, of the logit of a loss on a load that differs by two of its deviations:
/// a weakly informative prior (Gelman, Jakulin, Pittau & Su, Ann. Appl. Stat. 2, 2008, §2; normal here).
const PRIOR: f64 = 2.5;
/// Least standard deviation of load to fit a response to: in copies, and as a share of the mean. Chosen here by
/// judgement: no experiment decides it; the share gives the refusal a clearer reason, for the error of a response is
/// then too large as well ([`ODDS`], [`LONGER`]); the number decides where clients hardly ever meet.
const VARIATION: (f64, f64) = (0.05, 0.01);
/// Relative increase of load whose effect a response must determine with 90 % confidence, within [`ODDS`] and
/// [`LONGER`]. Remaining uncertainty is in the spread of replicates. Chosen here by judgement: no experiment decides
/// it; only ln ODDS / MORE and LONGER / MORE count, and decide which captures are refused. `cargo test -p replay
/// --release --test loaded` plants responses that must be found.
const MORE: f64 = 0.25;
/// Largest factor of the odds of a loss left open by that increase. Chosen here by judgement: no experiment decides
/// it; half refuses captures whose wide intervals would say so themselves, double accepts responses that say next to
/// nothing.
const ODDS: f64 = 4.0;
/// Largest share of the round trip left open by that increase. Chosen here by judgement: no experiment decides it; as
/// [`ODDS`].
const LONGER: f64 = 0.5;
/// Number of standard errors in half of a 90 % interval of a normal distribution.
pub(crate) const NINETY: f64 = 1.645;
/// Number of standard errors below zero at which a response contradicts the model. Chosen here by judgement: one-sided
/// p = 0.001 for a normal error.
const WRONG: f64 = 3.0;

/// Responses that one replicate takes to be true; neither is negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Slopes {
    /// Rise of the logit of a loss per copy under way, a number of 0 or more.
    pub loss: f64,
    /// Lengthening of a round trip, seconds per copy under way.
    pub rtt: f64,
}

impl LoadFit {
    /// Draws responses for one replicate from their normal sampling distributions; those below zero count as zero,
    /// because load heals nothing.
    pub(crate) fn draw(&self, seed: u64, replicate: u32) -> Slopes {
        let words = *RandomStream::new(seed, replicate, 0, Purpose::Response).block(0);
        let [first, second] = normals([words[0], words[1]]);
        let could = |e: Estimate, normal: f64| (e.value + e.error * normal).max(0.0);
        Slopes { loss: could(self.loss, first), rtt: could(self.rtt, second) }
    }
}

/// Load model of a trace: loads, channel statistics with the load of each copy, and the fitted response.
#[derive(Debug)]
pub(crate) struct LoadModel {
    /// Loads of the recorded copies.
    pub loads: Loads,
    /// Channel statistics in which every donor has the load that it met.
    pub statistics: ChannelStatistics,
    /// Response, or the reason for which none is identified.
    pub fit: Result<LoadFit, Unidentified>,
    paths: Vec<Level>,
}

/// Loss odds and load of a path's copies on average.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Level {
    /// Logit of the share of losses.
    logit: f64,
    /// Mean load and its variance, copies.
    mean: f64,
    variance: f64,
}

impl LoadModel {
    /// Number of passes of [`LoadModel::new`].
    pub const PASSES: u64 = 3;

    /// Measures the loads of `record` and fits the response. Passes `progress` [`LoadModel::PASSES`] times, and asks it
    /// before every step; errs when cancelled.
    pub fn new(
        record: &Record,
        index: &Index,
        statistics: &ChannelStatistics,
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let fates: Vec<&[Fate]> = statistics.paths.iter().map(|p| &*p.fates).collect();
        let mut loads = Loads::measure(record, index, &fates, progress)?;
        progress.pass()?;
        let points = firsts(record, index, statistics, &loads);
        let paths = levels(statistics, &loads);
        let fit = fit(&points, &paths, &loads, progress)?;
        progress.pass()?;
        loads.at_once = fit.as_ref().map_or(1.0, |fit| fit.at_once);
        let felt = |met: &Vec<Load>| met.iter().map(|&load| loads.felt(load)).collect();
        let felt: Vec<Vec<Load>> = loads.met.iter().map(felt).collect();
        let statistics = statistics.under(index, &felt, progress)?;
        progress.pass()?;
        Ok(Self { loads, statistics, fit, paths })
    }

    /// Share of the copies of `path` that was lost, 0 to 1, drawn towards that of all paths by two copies.
    pub fn usual(&self, path: usize) -> f64 {
        chance(self.paths.get(path).copied().unwrap_or_default().logit)
    }

    /// Logit of a loss on `path` under `load` (microseconds of airtime) with a rise of `slope` per copy under way, at
    /// the `local` odds where given.
    ///
    /// The share of losses is a mean over the loads that were met. Where few copies are lost, loads with this variance
    /// make it e^(slope² · variance / 2) times the probability under the mean load (the mean of a log-normal variable).
    pub fn logit(&self, (path, local): (usize, Option<Local>), load: u32, slope: f64) -> f64 {
        let Level { mut logit, mut mean, variance } = self.paths.get(path).copied().unwrap_or_default();
        if let Some(local) = local {
            logit = (local.lost / (1.0 - local.lost)).ln();
            mean = local.load.map_or(mean, |load| 1e3 * load / self.loads.copy);
        }
        if load == USUAL {
            return logit;
        }
        let share = chance(logit);
        logit - 0.5 * slope * slope * variance * (1.0 - 2.0 * share).max(0.0) + slope * (self.loads.copies(load) - mean)
    }
}

/// Number of classes of load that are shown beside the fit. Chosen here: for display, they decide nothing.
const STEPS: usize = 5;

impl LoadModel {
    /// First copies in [`STEPS`] classes of rising load, equally many in each; empty without a fit.
    pub fn steps(&self, record: &Record, index: &Index) -> Vec<LoadStep> {
        let Ok(fit) = &self.fit else { return Vec::new() };
        let mut points = firsts(record, index, &self.statistics, &self.loads);
        points.sort_by(|a, b| a.load.total_cmp(&b.load));
        let said =
            |p: &Point| chance(self.logit((p.path, None), (p.load * self.loads.copy / 1e3) as u32, fit.loss.value));
        let step = |points: &[Point]| {
            let n = points.len() as f64;
            let mean = |of: &dyn Fn(&Point) -> f64| points.iter().map(of).sum::<f64>() / n;
            LoadStep {
                load: mean(&|p| p.load),
                copies: points.len() as u64,
                lost: mean(&|p| f64::from(u8::from(p.rtt.is_none()))),
                fitted: mean(&said),
            }
        };
        points.chunks(points.len().div_ceil(STEPS).max(1)).map(step).collect()
    }
}

/// Probability with this logit.
pub(crate) fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Per path the logit of a loss, drawn towards that of all by two copies, and the loads.
fn levels(statistics: &ChannelStatistics, loads: &Loads) -> Vec<Level> {
    // Per path the loads of copies with known fates, and the number of losses.
    let known = |(p, met): (&crate::estimate::Donors, &Vec<Load>)| {
        let known = || p.fates.iter().zip(met).filter(|(fate, _)| fate.is_known());
        let lost = known().filter(|(fate, _)| fate.rtt().is_none()).count() as f64;
        (known().map(|(_, load)| loads.copies(load[0])).collect::<Vec<f64>>(), lost)
    };
    let known: Vec<(Vec<f64>, f64)> = statistics.paths.iter().zip(&loads.met).map(known).collect();
    let (all, copies) = known.iter().fold((0.0, 0.0), |(l, n), (met, lost)| (l + lost, n + met.len() as f64));
    let share = (all + 0.5) / (copies + 1.0);
    let level = |(met, lost): &(Vec<f64>, f64)| {
        let own = (lost + 2.0 * share) / (met.len() as f64 + 2.0);
        let n = (met.len() as f64).max(1.0);
        let mean = met.iter().sum::<f64>() / n;
        let variance = met.iter().map(|load| (load - mean).powi(2)).sum::<f64>() / n;
        Level { logit: (own / (1.0 - own)).ln(), mean, variance }
    };
    known.iter().map(level).collect()
}

/// The first copies of exchanges, in order of time.
fn firsts(record: &Record, index: &Index, statistics: &ChannelStatistics, loads: &Loads) -> Vec<Point> {
    let mut points = Vec::new();
    for (path, ((a, p), donors)) in record.associations().iter().zip(&index.paths).zip(&statistics.paths).enumerate() {
        for (i, copy) in p.copies.iter().enumerate() {
            let first = a.exchanges.get(copy.exchange as usize).is_some_and(|e| e.start() == copy.at);
            let fate = donors.fates.get(i).copied().unwrap_or(Fate::Unknown);
            if first && fate.is_known() {
                let load = loads.met.get(path).and_then(|m| m.get(i)).map_or(0, |load| load[0]);
                let during = loads.during.get(path).and_then(|m| m.get(i)).map_or(0.0, |&load| load / loads.copy);
                let rtt = fate.rtt().map(Span::secs_f64);
                points.push(Point { at: copy.at, path, load: loads.copies(load), during, rtt });
            }
        }
    }
    points.sort_by_key(|p: &Point| (p.at, p.path));
    points
}

fn fit(
    points: &[Point],
    paths: &[Level],
    loads: &Loads,
    progress: &SharedProgress<'_>,
) -> Result<Result<LoadFit, Unidentified>, Cancelled> {
    let neighbours = loads.largest();
    if neighbours < 2 {
        return Ok(Err(Unidentified::Alone { paths: paths.len() }));
    }
    let copies = points.len() as u64;
    let lost = points.iter().filter(|p| p.rtt.is_none()).count() as u64;
    if copies < NEEDED.0 || lost < NEEDED.1 || copies - lost < NEEDED.2 {
        return Ok(Err(Unidentified::TooFew { copies, lost }));
    }
    let n = copies as f64;
    let mean = points.iter().map(|p| p.load).sum::<f64>() / n;
    let least = points.iter().map(|p| p.load).fold(f64::INFINITY, f64::min);
    let most = points.iter().map(|p| p.load).fold(0.0, f64::max);
    let excess = within(points, |p| Some(p.load));
    let deviation = (excess.iter().flatten().map(|x| x * x).sum::<f64>() / n).sqrt();
    let needed = VARIATION.0.max(VARIATION.1 * mean);
    if deviation < needed {
        return Ok(Err(Unidentified::NoVariation { mean, deviation, needed }));
    }
    progress.ask()?;
    let answered: Vec<Point> = points.iter().filter(|p| p.rtt.is_some()).copied().collect();
    // Beside what comes later, the load at sending has the effect of both: a·x + b·y = (a + b)·x + b·(y − x).
    let later = within(&answered, |p| Some(p.during - p.load));
    let of = |value: &dyn Fn(&Point) -> Option<f64>| beside(&within(&answered, value), &later);
    progress.ask()?;
    let rtt = least_squares(&of(&|p| Some(p.load)), &of(&|p| p.rtt));
    progress.ask()?;
    // Alone it has its own, and that of what comes later as far as it tells of it.
    let alone = least_squares(&within(&answered, |p| Some(p.load)), &within(&answered, |p| p.rtt));
    let at_once = if rtt.value > 0.0 { (alone.value / rtt.value).clamp(0.0, 1.0) } else { 1.0 };
    progress.ask()?;
    let odds = |p: &Point| paths.get(p.path).map_or(0.0, |p| p.logit);
    let loss = logistic(points, &excess, odds, PRIOR / (2.0 * deviation));
    progress.ask()?;
    let usual = answered.iter().filter_map(|p| p.rtt).sum::<f64>() / answered.len() as f64;
    let more = NINETY * MORE * mean;
    for (response, e, limit) in [(Response::Rtt, rtt, LONGER * usual / more), (Response::Loss, loss, ODDS.ln() / more)]
    {
        let Estimate { value, error } = e;
        if !error.is_finite() || error > limit {
            return Ok(Err(Unidentified::Imprecise { response, value, error, limit }));
        }
        if value < -WRONG * error {
            return Ok(Err(Unidentified::Confounded { response, value, error }));
        }
    }
    let airtime = Span::from_nanos(loads.copy as i64);
    Ok(Ok(LoadFit { loss, rtt, at_once, mean, range: (least, most), deviation, copies, lost, airtime, neighbours }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Instant, Silent};

    /// Four paths, three in a hundred copies lost, load that alternates by 0.4 around 10: its deviation of 0.2 and 24
    /// losses leave an error of 1 / (0.2 · √23) ≈ 1 of the logit per copy, where ln 4 / (1.645 · 2.5) ≈ 0.34 would do.
    #[test]
    fn an_uninformative_estimate_is_none() {
        let point = |i: usize| Point {
            at: Instant::ZERO + Span::from_secs(i as i64),
            path: i / 2 % 4,
            load: if i.is_multiple_of(2) { 9.8 } else { 10.2 },
            during: if i.is_multiple_of(2) { 9.8 } else { 10.2 },
            rtt: (i % 33 != 7).then_some(1.0 + (i % 5) as f64 * 0.01),
        };
        let points: Vec<Point> = (0..800).map(point).collect();
        let loads = Loads::of_neighbours(4);
        let why =
            fit(&points, &[Level { logit: -3.5, ..Level::default() }; 4], &loads, &SharedProgress::new(&mut Silent, 0));
        let why = why.unwrap().unwrap_err();
        let Unidentified::Imprecise { response: Response::Loss, error, limit, .. } = why else { panic!("{why}") };
        assert!((0.8..1.2).contains(&error) && (limit - 0.337).abs() < 0.001, "{why}");
    }
}
