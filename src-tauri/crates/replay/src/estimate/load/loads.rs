//! The medium that the clients of a record share: how long each copy occupies it, and which associations hear each
//! other.
//!
//! The *load* that a copy meets is what is on the air or waits in queues when it is sent: the airtime of all copies
//! within hearing that are under way, each from when it is sent until its reply is in. Copies that are lost are under
//! way for half a usual round trip. In a queue with a fixed rate this is the work ahead, on a contended medium what
//! there is to collide with.

use super::cumulative::CumulativeLoad;
use super::in_flight::InFlightLoad;
use crate::estimate::statistics::ChannelStatistics;
use crate::model::{AssociationRecord, Fate, Index, Load, Path, Policy, Record, RecordedCopy, USUAL};
use base::{Cancelled, Instant, SharedProgress, Span};

/// Time constant of the moving average of load, in median round trips: lasting load outlives the copies of which it
/// consists. Chosen here: one to four of them predict alike; repeat with
/// `cargo test -p replay --release --test loaded`.
const LASTING: i64 = 2;

/// IPv6 (RFC 8200 §3) and UDP (RFC 768) headers in octets: where frames are not known, a message is taken to be on the
/// air once and whole.
const HEADERS: u16 = 40 + 8;

/// Load of a record: the airtime of its copies, and the load that each met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    /// Loads that each copy met, by association and copy in the order of [`Index`]: load in flight, and moving average
    /// of the others' load, microseconds of airtime.
    pub met: Vec<Vec<Load>>,
    /// Mean load of the others within hearing over a usual round trip from the copy on, likewise by association and
    /// copy, nanoseconds of airtime.
    pub during: Vec<Vec<f64>>,
    /// Share of the response of round trips that is immediate, 0 to 1 ([`crate::LoadFit::at_once`]).
    pub at_once: f64,
    /// Time constant of the moving average of load.
    time_constant: Span,
    /// Airtime by association and copy, nanoseconds.
    weights: Vec<Vec<u64>>,
    /// Mean airtime of a copy by association and exchange, nanoseconds.
    usual: Vec<Vec<u64>>,
    /// Time for which a lost copy is under way, by association.
    lost: Vec<Span>,
    /// Mean in-flight load of each association, nanoseconds of airtime, and the end of its last flight.
    presence: Vec<(u64, Instant)>,
    /// Mean airtime of a copy and its reply, nanoseconds; at least 1.
    pub copy: f64,
    group_of: Vec<u32>,
    /// Groups that hear each association.
    heard_in: Vec<Vec<u32>>,
    groups: usize,
}

impl Loads {
    /// Measures the load of `record`, whose copies had these `fates` (by association and copy). Asks `progress` before
    /// every step; errs when cancelled.
    pub fn measure(
        record: &Record,
        index: &Index,
        fates: &[&[Fate]],
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let medium = record.medium();
        let paths = || record.associations().iter().zip(&index.paths);
        let airtime_of = |a: &AssociationRecord, c: &RecordedCopy| {
            let exchange = a.exchanges.get(c.exchange as usize);
            let seen = exchange.and_then(|e| medium.airtime(e.id, c.at));
            let octets = exchange.map_or(0, |e| e.payload).saturating_add(Policy::HEADER + HEADERS);
            // The request and a reply as long as its headers.
            let plain = || {
                trace::network::airtime(u32::from(octets))
                    + trace::network::airtime(u32::from(Policy::HEADER + HEADERS))
            };
            seen.unwrap_or_else(plain).nanos().unsigned_abs()
        };
        let weights = paths().map(|(a, p)| {
            progress.ask()?;
            Ok(p.copies.iter().map(|c| airtime_of(a, c)).collect())
        });
        let mut weights: Vec<Vec<u64>> = weights.collect::<Result<_, _>>()?;
        if medium.is_one_place() {
            // One sniffer sees of a lost copy only what passed it; elsewhere the copy took as much airtime as others.
            weights.iter_mut().zip(fates).for_each(|(weights, fates)| level(weights, fates));
        }
        let usual = paths().zip(&weights).map(|((a, p), weights)| usual(a.exchanges.len(), p, weights)).collect();
        let copies = weights.iter().map(Vec::len).sum::<usize>().max(1);
        let total: f64 = weights.iter().flatten().map(|&w| w as f64).sum();
        let everywhere = median(fates.iter().copied().flatten()).unwrap_or(Span::from_secs(1));
        let lost = fates.iter().map(|f| median(f.iter()).unwrap_or(everywhere).scale(1, 2)).collect();
        let (group_of, heard) = medium.groups(index.paths.len());
        let mut heard_in = vec![Vec::new(); index.paths.len()];
        for (group, heard) in (0..).zip(&heard) {
            for &path in heard {
                if let Some(groups) = heard_in.get_mut(path as usize) {
                    groups.push(group);
                }
            }
        }
        let copy = (total / copies as f64).max(1.0);
        let (met, during, presence, groups) = (Vec::new(), Vec::new(), Vec::new(), heard.len());
        let (time_constant, at_once) = (everywhere.scale(LASTING, 1), 0.0);
        let mut loads = Self {
            met,
            at_once,
            time_constant,
            during,
            weights,
            usual,
            lost,
            presence,
            copy,
            group_of,
            heard_in,
            groups,
        };
        let mut met: Vec<Vec<Load>> = index.paths.iter().map(|p| vec![[0; 2]; p.copies.len()]).collect();
        let keep = |path: usize, i: usize, load| {
            if let Some(slot) = met.get_mut(path).and_then(|m| m.get_mut(i)) {
                *slot = load;
            }
        };
        progress.ask()?;
        loads.replay((index, fates), &mut loads.in_flight(), Instant::MAX, keep);
        loads.met = met;
        loads.during = loads.during(index, fates, &heard, progress)?;
        progress.ask()?;
        loads.presence = (0..).zip(&index.paths).zip(fates).map(|((i, p), fates)| loads.present(i, p, fates)).collect();
        Ok(loads)
    }

    /// See [`Loads::during`]; `heard`: the associations in each group.
    fn during(
        &self,
        index: &Index,
        fates: &[&[Fate]],
        heard: &[Vec<u32>],
        progress: &SharedProgress<'_>,
    ) -> Result<Vec<Vec<f64>>, Cancelled> {
        let flights = |path: u32| {
            let at = path as usize;
            let copies = index.paths.get(at).map_or(&[][..], |p| &*p.copies).iter();
            let fates = fates.get(at).copied().unwrap_or(&[]).iter();
            let weights = self.weights.get(at).map_or(&[][..], Vec::as_slice).iter();
            copies.zip(fates).zip(weights).map(move |((c, &fate), &w)| (c.at, self.until(path, c.at, fate), w))
        };
        let cumulative = |heard: &Vec<u32>| {
            progress.ask()?;
            Ok(CumulativeLoad::new(heard.iter().flat_map(|&path| flights(path))))
        };
        let groups: Vec<CumulativeLoad> = heard.iter().map(cumulative).collect::<Result<_, _>>()?;
        let mean = |(path, p): (u32, &Path)| {
            progress.ask()?;
            let (at, own) = (path as usize, CumulativeLoad::new(flights(path)));
            let group = self.group_of.get(at).and_then(|&group| groups.get(group as usize));
            let usual = self.lost.get(at).map_or(Span::ZERO, |half| half.scale(2, 1)).max(Span::from_nanos(1));
            let others = |at| group.map_or(0.0, |all| (all.mean(at, usual) - own.mean(at, usual)).max(0.0));
            Ok(p.copies.iter().map(|copy| others(copy.at)).collect())
        };
        (0..).zip(&index.paths).map(mean).collect()
    }

    fn present(&self, path: u32, copies: &Path, fates: &[Fate]) -> (u64, Instant) {
        let weights = self.weights.get(path as usize).map_or(&[][..], Vec::as_slice);
        let mut sum = 0.0;
        let mut end = Instant::MIN;
        for ((copy, &fate), &weight) in copies.copies.iter().zip(fates).zip(weights) {
            let until = self.until(path, copy.at, fate);
            sum += weight as f64 * (until - copy.at).secs_f64();
            end = end.max(until);
        }
        let length = copies.copies.first().map_or(0.0, |first| (end - first.at).secs_f64());
        ((sum / length.max(1e-9)) as u64, end)
    }

    /// Mean in-flight load of `path`, nanoseconds of airtime, and the end of its last flight.
    pub fn presence(&self, path: u32) -> (u64, Instant) {
        self.presence.get(path as usize).copied().unwrap_or((0, Instant::MIN))
    }

    /// End of the last flight of all associations; [`Instant::MIN`] without copies.
    pub fn end(&self) -> Instant {
        self.presence.iter().map(|p| p.1).max().unwrap_or(Instant::MIN)
    }

    /// Adds the recorded copies sent before `since` to `in_flight`.
    pub fn under_way(
        &self,
        in_flight: &mut InFlightLoad,
        index: &Index,
        statistics: &ChannelStatistics,
        since: Instant,
    ) {
        let fates: Vec<&[Fate]> = statistics.paths.iter().map(|p| &*p.fates).collect();
        self.replay((index, &fates), in_flight, since, |_, _, _| {});
    }

    /// Loads to which a fate responds: losses to the load at sending, round trips to that for the immediate share of
    /// the response and to the moving average for the rest.
    pub fn felt(&self, [now, lately]: Load) -> Load {
        if self.at_once == 1.0 {
            return [now; 2];
        }
        let felt = self.at_once * f64::from(now) + (1.0 - self.at_once) * f64::from(lately);
        // No load is mistaken for the usual one.
        [now, (felt as u32).min(USUAL - 1)]
    }

    /// Adds `weight` nanoseconds of airtime on `path` from `at` to `until` that belong to no copy.
    pub fn continue_load(&self, in_flight: &mut InFlightLoad, path: u32, (at, until): (Instant, Instant), weight: u64) {
        for &group in self.heard_in.get(path as usize).map_or(&[][..], Vec::as_slice) {
            in_flight.add(group, at, until, weight);
        }
        if self.remembers() {
            in_flight.add(self.own(path), at, until, weight);
        }
    }

    /// Whether it matters what was under way lately.
    fn remembers(&self) -> bool {
        self.at_once != 1.0
    }

    /// Behind the groups, each association by itself.
    fn own(&self, path: u32) -> u32 {
        self.groups as u32 + path
    }

    /// Loads of associations without copies that all hear one another.
    #[cfg(test)]
    pub fn of_neighbours(associations: usize) -> Self {
        Self { copy: 1.0, heard_in: vec![vec![0]; associations], groups: 1, ..Self::default() }
    }

    /// Passes all copies sent before `since` through `in_flight`, in order of time; calls `met` with path, position and
    /// load of each.
    fn replay(
        &self,
        (index, fates): (&Index, &[&[Fate]]),
        in_flight: &mut InFlightLoad,
        since: Instant,
        mut met: impl FnMut(usize, usize, Load),
    ) {
        let mut all: Vec<(Instant, usize, usize)> = Vec::new();
        for (path, p) in index.paths.iter().enumerate() {
            let before = p.copies.iter().enumerate().take_while(|(_, copy)| copy.at < since);
            all.extend(before.map(|(i, c)| (c.at, path, i)));
        }
        all.sort_unstable();
        for (at, path, i) in all {
            let weight = self.weights.get(path).and_then(|w| w.get(i)).copied().unwrap_or(0);
            let fate = fates.get(path).and_then(|f| f.get(i)).copied().unwrap_or(Fate::Unknown);
            let through = |load| {
                met(path, i, load);
                (self.until(path as u32, at, fate), weight)
            };
            self.pass(in_flight, path as u32, at, through);
        }
    }

    /// Passes a copy sent on `path` at `at`. `then` takes the load in flight and the recent load of the others, in
    /// microseconds of airtime; it returns until when the copy itself is in flight, and its airtime in nanoseconds.
    pub fn pass(
        &self,
        in_flight: &mut InFlightLoad,
        path: u32,
        at: Instant,
        then: impl FnOnce(Load) -> (Instant, u64),
    ) {
        let group = self.group_of.get(path as usize).copied().unwrap_or(0);
        let now = in_flight.read(group, at);
        let mut lately = 0.0;
        if self.remembers() {
            // Its own is the response's effect, not its cause: a round trip that is long is under way for longer.
            in_flight.read(self.own(path), at);
            lately = (in_flight.lately(group) - in_flight.lately(self.own(path))).max(0.0);
        }
        let micros = |nanos: f64| ((nanos / 1e3) as u32).min(USUAL - 1);
        let (until, weight) = then([micros(now as f64), micros(lately)]);
        self.continue_load(in_flight, path, (at, until), weight);
    }

    /// Creates the in-flight load of an idle medium.
    pub fn in_flight(&self) -> InFlightLoad {
        if self.remembers() {
            return InFlightLoad::new(self.groups + self.group_of.len(), Some(self.time_constant));
        }
        InFlightLoad::new(self.groups, None)
    }

    /// Moment until which a copy of this fate, sent on `path` at `at`, is under way: its reply, or half a usual round
    /// trip.
    pub fn until(&self, path: u32, at: Instant, fate: Fate) -> Instant {
        at + fate.rtt().unwrap_or_else(|| self.lost.get(path as usize).copied().unwrap_or(Span::ZERO))
    }

    /// Airtime of a copy of `exchange`, nanoseconds; `recorded` is the position of the recorded copy that it equals, if
    /// any. Else it is the mean of the exchange, or of all copies.
    pub fn weight(&self, path: u32, exchange: u32, recorded: Option<usize>) -> u64 {
        let seen = recorded.and_then(|i| self.weights.get(path as usize)?.get(i));
        let usual = || self.usual.get(path as usize)?.get(exchange as usize);
        seen.or_else(usual).copied().unwrap_or(self.copy as u64)
    }

    /// Size of the largest group of associations that hear one another.
    pub fn largest(&self) -> usize {
        let mut sizes = vec![0_usize; self.groups];
        for &group in self.heard_in.iter().flatten() {
            if let Some(size) = sizes.get_mut(group as usize) {
                *size += 1;
            }
        }
        sizes.into_iter().max().unwrap_or(0)
    }

    /// Converts a load from microseconds of airtime to copies of mean airtime.
    pub fn copies(&self, load: u32) -> f64 {
        1e3 * f64::from(load) / self.copy
    }
}

/// Lost copies weigh as much as answered ones on average, where there are such.
fn level(weights: &mut [u64], fates: &[Fate]) {
    let answered = || weights.iter().zip(fates).filter(|(_, fate)| fate.rtt().is_some()).map(|(&weight, _)| weight);
    let count = answered().count() as u64;
    let Some(mean) = answered().sum::<u64>().checked_div(count) else { return };
    let lost = weights.iter_mut().zip(fates).filter(|(_, fate)| fate.is_known() && fate.rtt().is_none());
    lost.for_each(|(weight, _)| *weight = mean);
}

/// Per exchange the mean weight of its copies.
fn usual(exchanges: usize, path: &Path, weights: &[u64]) -> Vec<u64> {
    let mut sums = vec![(0_u64, 0_u64); exchanges];
    for (copy, &weight) in path.copies.iter().zip(weights) {
        if let Some((sum, count)) = sums.get_mut(copy.exchange as usize) {
            *sum = sum.saturating_add(weight);
            *count += 1;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count.max(1)).collect()
}

fn median<'a>(fates: impl Iterator<Item = &'a Fate>) -> Option<Span> {
    let mut rtts: Vec<Span> = fates.filter_map(|f| f.rtt()).collect();
    let middle = rtts.len() / 2;
    (!rtts.is_empty()).then(|| *rtts.select_nth_unstable(middle).1)
}
