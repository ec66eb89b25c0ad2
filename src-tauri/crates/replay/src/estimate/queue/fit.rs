//! Service time and room of a node, fitted to the round trips of recorded copies.

use super::lattice::{self, Lattice};
use super::server::Node;
use super::trace::{Passed, QueueTrace};
use super::{Limit, QueueFit};
use crate::estimate::load::regress::{Point, STRETCHES, least_squares, stretch, within};
use crate::estimate::{Estimate, NINETY, Unidentified};
use crate::model::{Purpose, RandomStream, WORDS, unit};
use base::{Cancelled, Instant, SharedProgress, Span};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// Least number of round trips of first copies. Chosen here by judgement: no experiment decides it; three to each of
/// the [`STRETCHES`]; with fewer, the means of path and stretch leave little to explain.
const COPIES: usize = 100;
/// Least share of the differences between round trips of one path and stretch of time that a queue must explain.
/// Chosen here by judgement: no experiment decides it; half claims queues where round trips only drift together,
/// double refuses nodes that are seldom busy; the decisions that follow show in `cargo test -p replay --release
/// --test queued`.
const EXPLAINED: f64 = 0.15;
/// Share explained without a limit below which none is searched for. Chosen here by judgement, for speed.
const FAR: f64 = 0.03;
/// Largest factor between the slope of round trips on waits and 1, with 90 % confidence: 1 where the waits are those
/// of the node. Chosen here by judgement: no experiment decides it; wider, waits of another node pass, narrower,
/// service times that are known roughly are refused; repeat as [`EXPLAINED`].
const FACTOR: f64 = 1.5;
/// Least share that waits must explain where the service time was read: most of the differences. A lattice alone
/// shows that a node is busy, not with whose messages; behind one that is busy with traffic that no capture has,
/// waits explain little. Chosen here by judgement; `rtoscope calibrate DIR --channel auto` over runs behind a
/// bottleneck scores what follows.
const READ_EXPLAINED: f64 = 0.5;
/// Number of service times tried first, from a [`SPAN`]th of the longest to the longest in equal ratios. Chosen here:
/// neighbours differ by ln 200 / 39 = 0.136 in the logarithm, and the 60 steps of 0.0025 in [`FINE`] reach as far.
const COARSE: usize = 40;
/// Ratio of the longest to the shortest service time tried first. Chosen here: the longest is half the median round
/// trip, so the wait behind one message of the shortest is a 400th of it, too little to explain [`EXPLAINED`] of the
/// differences.
const SPAN: f64 = 200.0;
/// Steps tried with each limit, in units of [`STEP`] of the logarithm of the best service time: 8 % less to 49 %
/// more. The optimum is narrow where the node is hardly ever idle, because small errors add up. Chosen here by
/// judgement: no experiment decides it; without its limit a node seems faster than it is, so a service time beyond
/// the range leaves the limit unseen. `cargo test -p replay --release --test queued` plants rooms that must be found.
const WIDE: RangeInclusive<i32> = -8..=40;
/// Step of the logarithm of the service time. Chosen here by judgement: a hundredth, which the first scale of
/// [`FINE`] covers fifteen times on each side; a wider one may step over the narrow optimum with a limit.
const STEP: f64 = 0.01;
/// Number of steps of the delay beside a node that was read, from none to all that the shortest round trip leaves.
/// Chosen here by judgement: a step is a fraction of a service.
const DELAYS: u32 = 16;
/// Finer steps of the logarithm and their number on each side: a quarter of [`STEP`], then a twentieth. They also
/// give the standard error. Chosen here: the first reach the neighbours of [`COARSE`] (0.15), the second two steps of
/// the first (0.006); `cargo test -p replay --release --test queued` scores how often errors cover the planted time.
const FINE: [(f64, i32); 2] = [(0.002_5, 60), (0.000_5, 12)];
/// Number of resamples. Chosen here: a standard deviation of so many is known to a twentieth (1 / √(2 · 200)).
const RESAMPLES: u32 = 200;
/// Least gain in log-likelihood (nats) by which a limit must explain losses, for two more parameters. Chosen here: p <
/// 0.003 (χ² of 2). Behind a full queue more than half must be lost, too, and at least [`DROPS`].
const GAIN: f64 = 6.0;
/// Least number of losses behind a full queue. Chosen here by judgement: no experiment decides it; with fewer, one
/// burst of losses of another cause may pass for a limit; with more, short captures of full nodes show none.
const DROPS: f64 = 5.0;
/// Largest limit that is searched for, in messages. Chosen here by judgement, for speed: each limit tries as many
/// nodes as [`WIDE`] has steps; a larger room stays unseen, and is drawn beyond the longest queue.
const MOST: u32 = 32;

/// One way in which a node could work, and how well that fits.
#[derive(Clone, Debug)]
struct Tried {
    node: Node,
    /// Absolute differences of round trips from the prediction, seconds, by stretch of time.
    off: Vec<f64>,
}

impl Tried {
    fn sum(&self) -> f64 {
        self.off.iter().sum()
    }
}

/// Copies, their round trips, and the paths that may lead through the node.
struct Fitting<'a, 'p> {
    trace: &'a QueueTrace,
    passes: &'a [bool],
    points: Vec<(Point, u32)>,
    /// Number of paths that lead through.
    clients: usize,
    /// Differences of round trips without any node.
    none: f64,
    progress: &'a SharedProgress<'p>,
}

/// Fits a node that the paths with `passes` lead through to the round trips of `trace`; the inner error is the reason
/// for which none is identified. Asks `progress` before every node tried; errs when cancelled.
///
/// Where replies come on a lattice, the service time is read from it, and taken if its waits explain the round trips.
/// Otherwise it is the one that explains them best.
pub(super) fn fit(
    trace: &QueueTrace,
    passes: &[bool],
    progress: &SharedProgress<'_>,
) -> Result<Result<QueueFit, Unidentified>, Cancelled> {
    let points = points(trace, passes);
    let copies = points.len();
    let clients = passes.iter().filter(|&&passes| passes).count();
    if clients < 2 {
        return Ok(Err(Unidentified::Alone { paths: clients }));
    }
    if copies < COPIES {
        return Ok(Err(Unidentified::FewTrips { copies: copies as u64, needed: COPIES as u64 }));
    }
    let mut fitting = Fitting { trace, passes, points, clients, none: 0.0, progress };
    fitting.none = fitting.judged(Node { service: 0.0, ..Node::OPEN })?.sum();
    let mut trips: Vec<f64> = fitting.points.iter().filter_map(|(p, _)| p.rtt).collect();
    trips.sort_by(f64::total_cmp);
    // A round trip is two services at least.
    let longest = trips.get(copies / 2).copied().unwrap_or(1.0) / 2.0;
    if let Some(lattice) = lattice::read(&trace.arrivals(passes), longest) {
        if let Ok(read) = fitting.read(lattice)? {
            return Ok(Ok(read));
        }
        // A busy node never catches up with work that it did not have: of replies that were lost before they were made,
        // all or half.
        for every in [1, 2] {
            let trace = trace.lost_before(every);
            let points = fitting.points.clone();
            if let Ok(read) = (Fitting { trace: &trace, points, ..fitting }).read(lattice)? {
                return Ok(Ok(read));
            }
        }
    }
    fitting.searched(longest)
}

impl Fitting<'_, '_> {
    /// The node whose service time is that of `lattice`, with the delay beside it that explains round trips best.
    fn read(&self, lattice: Lattice) -> Result<Result<QueueFit, Unidentified>, Cancelled> {
        let rtts = self.points.iter().filter_map(|(p, _)| p.rtt);
        let shortest = rtts.min_by(f64::total_cmp).unwrap_or(0.0);
        let empty = |service: f64, step: u32| {
            let least = 2.0 * service;
            let rest = (shortest - least).max(0.0) * f64::from(step) / f64::from(DELAYS);
            Span::from_secs_f64(least + rest).unwrap_or(Span::MAX)
        };
        let nodes = lattice.services().into_iter().flat_map(|service| {
            let of = move |step| [true, false].map(|shared| (service, step, shared));
            (0..=DELAYS).flat_map(of)
        });
        let node = |(service, step, shared)| Node { service, shared, empty: empty(service, step), ..Node::OPEN };
        let Some(mut best) = least(self.tried(&nodes.map(node).collect::<Vec<Node>>())?) else {
            return Ok(Err(Unidentified::Alone { paths: self.clients }));
        };
        let limit = with_limit(self, &mut best, 0..=0)?;
        let error = lattice.spacing.error * best.node.service / lattice.spacing.value;
        self.finished(&best, limit, (error, true))
    }

    /// The node that explains round trips best, with a service time up to `longest` seconds.
    fn searched(&self, longest: f64) -> Result<Result<QueueFit, Unidentified>, Cancelled> {
        let step = SPAN.powf(1.0 / (COARSE - 1) as f64);
        let node = |service, shared| Node { service, shared, ..Node::OPEN };
        let coarse: Vec<Node> =
            (0..COARSE as i32).flat_map(|i| [true, false].map(|shared| node(longest / step.powi(i), shared))).collect();
        let Some(mut best) = least(self.tried(&coarse)?) else {
            return Ok(Err(Unidentified::Alone { paths: self.clients }));
        };
        // Round trips far from any queue are not one with a limit either: that long search is skipped.
        let explained = self.explained(&best);
        if explained < FAR {
            let slope = slope(&self.points, &self.trace.pass(best.node, self.passes));
            return Ok(Err(Unidentified::NoLine { service: best.node.service, explained, slope }));
        }
        let limit = with_limit(self, &mut best, WIDE)?;
        let (best, error) = self.averaged(best)?;
        self.finished(&best, limit, (error, false))
    }

    /// Refines `best` twice, with losses of unknown place before the server answered and after; returns the mean of
    /// both service times with its standard error, seconds: the truth is taken for an even draw between both.
    ///
    /// With all of them after it, as [`QueueTrace::pass`] takes them, replies that never came seem to make others wait:
    /// the planted service time was inside 78 % of 90 % intervals (`cargo test -p replay --release --test queued`).
    fn averaged(&self, best: Tried) -> Result<(Tried, f64), Cancelled> {
        let trace = self.trace.lost_before(1);
        let before = Fitting { trace: &trace, points: self.points.clone(), ..*self };
        let (Tried { node: before, .. }, _) = before.refined(best.clone())?;
        let (mut best, own) = self.refined(best)?;
        let apart = before.service - best.node.service;
        best.node.service += apart / 2.0;
        Ok((best, (own.powi(2) + apart.powi(2) / 12.0).sqrt()))
    }

    /// Searches finer and finer around `best`; returns the best node and the standard error of its service time by
    /// resampling, seconds.
    fn refined(&self, mut best: Tried) -> Result<(Tried, f64), Cancelled> {
        let mut error = 0.0;
        for (by, count) in FINE {
            let node = best.node;
            let near = (-count..=count).map(|i| Node { service: node.service * (f64::from(i) * by).exp(), ..node });
            let tried = self.tried(&near.collect::<Vec<Node>>())?;
            let own = resampled(&tried);
            // The coarser scale has covered what lies beyond the finer one.
            error = if error > 2.0 * by * node.service { error } else { own };
            best = least(tried).unwrap_or(best);
        }
        Ok((best, error))
    }

    /// Returns the fit of `best` with the standard `error` of its service time (seconds), which was read or searched
    /// for; or the reason for which its waits are not those of the round trips.
    fn finished(
        &self,
        best: &Tried,
        limit: Limit,
        (error, is_read): (f64, bool),
    ) -> Result<Result<QueueFit, Unidentified>, Cancelled> {
        let service = Estimate { value: best.node.service, error };
        let explained = self.explained(best);
        let passed = self.trace.pass(best.node, self.passes);
        let slope = slope(&self.points, &passed);
        let (low, high) = (slope.value - NINETY * slope.error, slope.value + NINETY * slope.error);
        let enough = if is_read { READ_EXPLAINED } else { EXPLAINED };
        if !(explained >= enough && low <= FACTOR && high >= 1.0 / FACTOR) {
            return Ok(Err(Unidentified::NoLine { service: service.value, explained, slope }));
        }
        Ok(Ok(QueueFit {
            service,
            limit,
            shared: best.node.shared,
            is_read,
            empty: is_read.then_some(best.node.empty),
            explained,
            slope,
            busy: busy(&passed, best.node),
            copies: self.points.len() as u64,
            clients: self.clients,
            name: None,
        }))
    }

    fn explained(&self, best: &Tried) -> f64 {
        1.0 - best.sum() / self.none.max(f64::MIN_POSITIVE)
    }

    fn tried(&self, nodes: &[Node]) -> Result<Vec<Tried>, Cancelled> {
        nodes.par_iter().map(|&node| self.judged(node)).collect()
    }

    fn judged(&self, node: Node) -> Result<Tried, Cancelled> {
        self.progress.ask()?;
        Ok(judged(self.trace, self.passes, &self.points, node))
    }
}

/// Searches for a limit of the queue together with a longer service time, by `steps` of [`STEP`]: without its limit a
/// node would be taken to be faster than it is, so that queues stay as short as they were. Replaces `best`, fitted
/// without a limit, where the limit is likelier.
fn with_limit(fitting: &Fitting<'_, '_>, best: &mut Tried, steps: RangeInclusive<i32>) -> Result<Limit, Cancelled> {
    let Fitting { trace, passes, points, .. } = fitting;
    let open = trace.pass(best.node, passes);
    let longest = open.met.iter().flat_map(|p| p.ahead).max().unwrap_or(0);
    let likelier = |tried: &Tried, gain: f64| gain - points.len() as f64 * tried.sum().max(f64::MIN_POSITIVE).ln();
    let (mut limit, mut score) = (Limit::Unseen { longest }, likelier(best, 0.0));
    let start = best.node;
    for room in 2..=longest.min(MOST) {
        let wide = steps.clone().map(|i| Node { service: start.service * (f64::from(i) * STEP).exp(), room, ..start });
        let Some(tried) = least(fitting.tried(&wide.collect::<Vec<Node>>())?) else { continue };
        let Some(gain) = gained(trace, passes, tried.node) else { continue };
        if likelier(&tried, gain) > score {
            (limit, score, *best) = (Limit::At(room), likelier(&tried, gain), tried);
        }
    }
    Ok(limit)
}

/// Utilisation of `node`, from 0 to 1: work that entered it over the time between the first arrival and the last, per
/// direction.
fn busy(passed: &Passed, node: Node) -> f64 {
    let end = passed.entries.last().map_or(Instant::ZERO, |e| e.0);
    let begin = passed.entries.first().map_or(Instant::ZERO, |e| e.0);
    let ways = if node.shared { 1.0 } else { 2.0 };
    let busy = passed.entries.iter().map(|e| e.2.secs_f64()).sum::<f64>() / ((end - begin).secs_f64() * ways).max(1e-9);
    busy.min(1.0)
}

/// The answered first copies of paths that lead through the node, in order of time, with their slots.
fn points(trace: &QueueTrace, passes: &[bool]) -> Vec<(Point, u32)> {
    let passing = trace.rows.iter().filter(|r| r.first && passes.get(r.path as usize).copied().unwrap_or(false));
    let point = |r: &super::trace::Row| {
        let rtt = r.fate.rtt()?.secs_f64();
        Some((Point { at: r.at, path: r.path as usize, load: 0.0, during: 0.0, rtt: Some(rtt) }, r.slot))
    };
    passing.filter_map(point).collect()
}

/// The points with the waits that `passed` says as their loads.
fn waiting(points: &[(Point, u32)], passed: &Passed) -> Vec<Point> {
    let wait = |slot: u32| passed.met.get(slot as usize).map_or(0.0, |p| p.wait().secs_f64());
    points.iter().map(|&(p, slot)| Point { load: wait(slot), ..p }).collect()
}

fn judged(trace: &QueueTrace, passes: &[bool], points: &[(Point, u32)], node: Node) -> Tried {
    let waiting = waiting(points, &trace.pass(node, passes));
    let mut off = vec![0.0; STRETCHES];
    for (i, rest) in within(&waiting, |p| p.rtt.map(|rtt| rtt - p.load)).into_iter().enumerate() {
        if let (Some(rest), Some(off)) = (rest, off.get_mut(stretch(i, points.len()))) {
            *off += rest.abs();
        }
    }
    Tried { node, off }
}

fn slope(points: &[(Point, u32)], passed: &Passed) -> Estimate {
    let waiting = waiting(points, passed);
    least_squares(&within(&waiting, |p| Some(p.load)), &within(&waiting, |p| p.rtt))
}

fn least(tried: Vec<Tried>) -> Option<Tried> {
    tried.into_iter().min_by(|a, b| a.sum().total_cmp(&b.sum()))
}

/// Standard error of the best service time: stretches of time are resampled (Efron, Ann. Stat. 7, 1979; leaving out one
/// after the other is not enough where absolute values are added up, §3 there). No less than the step between two that
/// were tried.
fn resampled(tried: &[Tried]) -> f64 {
    let best = |resample: u32| {
        let mut stream = RandomStream::new(0, resample, 0, Purpose::Bootstrap);
        let mut counts = [0.0; STRETCHES];
        for i in 0..STRETCHES {
            let word = stream.block((i / WORDS) as u64)[i % WORDS];
            if let Some(count) = counts.get_mut((unit(word) * STRETCHES as f64) as usize) {
                *count += 1.0;
            }
        }
        let sum = |t: &Tried| t.off.iter().zip(&counts).map(|(off, count)| off * count).sum::<f64>();
        let sums = tried.iter().map(|t| (sum(t), t.node.service));
        sums.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(f64::NAN, |least| least.1)
    };
    let all: Vec<f64> = (0..RESAMPLES).map(best).collect();
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n;
    let spread = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let step = tried.first().zip(tried.get(1)).map_or(0.0, |(a, b)| b.node.service - a.node.service);
    spread.sqrt().max(step / 12.0_f64.sqrt())
}

/// Gain in log-likelihood of losses with a chance of their own behind a full queue; `None` where too few losses support
/// it.
fn gained(trace: &QueueTrace, passes: &[bool], node: Node) -> Option<f64> {
    let passed = trace.pass(node, passes);
    // Lost and all, with room and without.
    let [mut open, mut full] = [(0.0, 0.0); 2];
    for row in &trace.rows {
        let (Some(p), true) = (passed.met.get(row.slot as usize), row.fate.is_known()) else { continue };
        if passes.get(row.path as usize).copied().unwrap_or(false) {
            let (lost, all) = if p.ahead.iter().any(|&ahead| ahead >= node.room) { &mut full } else { &mut open };
            *lost += f64::from(u8::from(row.fate.rtt().is_none()));
            *all += 1.0;
        }
    }
    let gain = likelihood(open) + likelihood(full) - likelihood((open.0 + full.0, open.1 + full.1));
    (full.0 >= DROPS && full.0 > 0.5 * full.1 && gain >= GAIN).then_some(gain)
}

/// Greatest log-likelihood of so many losses among all.
fn likelihood((lost, all): (f64, f64)) -> f64 {
    let part = |n: f64| if n > 0.0 { n * (n / all).ln() } else { 0.0 };
    part(lost) + part(all - lost)
}
