//! The recorded copies in order of time, and what each met at a node that is taken to work in some way.

use super::server::{Node, QueueServer, Transit, Way, beside, is_answered, reply_comes};
use crate::estimate::{ChannelStatistics, Loads};
use crate::model::{Fate, Index, Record};
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A recorded copy, as a row of the queue trace.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Row {
    /// Time at which the client sent it.
    pub at: Instant,
    /// Position of the association in the record.
    pub path: u32,
    /// Position among all copies, path by path.
    pub slot: u32,
    /// Fate, ambiguous ones by the likeliest.
    pub fate: Fate,
    /// Whether the copy is the first of its exchange.
    pub first: bool,
    /// Airtime of the copy and its reply in that of the mean copy.
    pub share: f64,
    /// Shortest round trip of its path.
    pub shortest: Span,
}

/// Replies on their way to the node: when they come, and which copy they answer. At one instant the corrections come
/// last.
type Coming = BinaryHeap<Reverse<(Instant, bool, usize)>>;

/// Recorded copies of all paths, in order of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueueTrace {
    /// Copies in order of time, then of path.
    pub(super) rows: Vec<Row>,
    /// Slot of the first copy of each path.
    firsts: Vec<u32>,
    /// Airtime of a copy and its reply in that of the mean, by path.
    shares: Vec<f64>,
    /// Shortest round trip by path. Where hops do not tell paths apart it is that of all: a path that always waits does
    /// not show its own.
    shortest: Vec<Span>,
}

impl QueueTrace {
    /// Collects the copies of `record`, with fates from `statistics` and airtimes from `loads`.
    pub fn new(record: &Record, index: &Index, statistics: &ChannelStatistics, loads: &Loads) -> Self {
        let shares = shares(record, index, statistics, loads);
        let all = index.paths.iter().map(|p| p.plausible.0).min().unwrap_or(Span::ZERO);
        let hops = !record.medium().nodes().is_empty();
        let shortest: Vec<Span> = index.paths.iter().map(|p| if hops { p.plausible.0 } else { all }).collect();
        let mut rows = Vec::new();
        let mut firsts = Vec::with_capacity(index.paths.len());
        for (path, ((a, p), donors)) in (0..).zip(record.associations().iter().zip(&index.paths).zip(&statistics.paths))
        {
            firsts.push(rows.len() as u32);
            for (i, copy) in p.copies.iter().enumerate() {
                rows.push(Row {
                    at: copy.at,
                    path,
                    slot: rows.len() as u32,
                    fate: donors.fates.get(i).copied().unwrap_or(Fate::Unknown),
                    first: a.exchanges.get(copy.exchange as usize).is_some_and(|e| e.start() == copy.at),
                    share: shares.get(path as usize).copied().unwrap_or(1.0),
                    shortest: shortest.get(path as usize).copied().unwrap_or(Span::ZERO),
                });
            }
        }
        rows.sort_by_key(|row| (row.at, row.path, row.slot));
        Self { rows, firsts, shares, shortest }
    }

    /// Returns the trace in which one in `every` losses of unknown place happened before the request reached the node,
    /// so that no reply came; [`Self::pass`] takes the reply to have been lost otherwise.
    pub fn lost_before(&self, every: usize) -> Self {
        let mut rows = self.rows.clone();
        let lost = rows.iter_mut().filter(|row| row.fate == Fate::Lost);
        lost.step_by(every.max(1)).for_each(|row| row.fate = Fate::RequestLost);
        Self { rows, ..self.clone() }
    }

    /// Airtime of a copy of `path` and its reply in that of the mean.
    pub fn share(&self, path: u32) -> f64 {
        self.shares.get(path as usize).copied().unwrap_or(1.0)
    }

    /// Shortest round trip of `path`.
    pub fn shortest(&self, path: u32) -> Span {
        self.shortest.get(path as usize).copied().unwrap_or(Span::ZERO)
    }

    /// Slot of copy `copy` of a path; `None` for an unknown path.
    pub fn slot(&self, path: u32, copy: usize) -> Option<u32> {
        self.firsts.get(path as usize).map(|&first| first.saturating_add(copy as u32))
    }

    /// Arrivals of replies at their clients, of the paths with `passes`: seconds from the first one, in order of time.
    pub fn arrivals(&self, passes: &[bool]) -> Vec<f64> {
        let passing = self.rows.iter().filter(|row| passes.get(row.path as usize).copied().unwrap_or(false));
        let mut all: Vec<Instant> = passing.filter_map(|row| Some(row.at + row.fate.rtt()?)).collect();
        all.sort_unstable();
        let Some(&first) = all.first() else { return Vec::new() };
        all.into_iter().map(|at| (at - first).secs_f64()).collect()
    }

    /// Sends the recorded copies through `node`. `passes` says of each path whether it leads through it.
    pub fn pass(&self, node: Node, passes: &[bool]) -> Passed {
        let mut server = QueueServer::new(node);
        let mut met = vec![Transit::default(); self.rows.len()];
        let mut entries = Vec::with_capacity(2 * self.rows.len());
        let mut unseen = Vec::new();
        let mut coming = Coming::new();
        let mut next = |coming: &mut Coming, server: &mut QueueServer, met: &mut [Transit], entries: &mut Vec<_>| {
            let Some(Reverse((at, is_correction, i))) = coming.pop() else { return };
            if is_correction {
                if let Some(&(at, more)) = unseen.get(i) {
                    server.shift(Way::Reply, at, more);
                }
                return;
            }
            let Some(row) = self.rows.get(i) else { return };
            let Some(transit) = met.get_mut(row.slot as usize) else { return };
            let ahead = server.ahead(Way::Reply, at);
            transit.ahead[1] = ahead;
            if server.has_room(ahead) || row.fate.rtt().is_some() {
                let work = server.work(row.share);
                transit.waited[1] = server.enter(Way::Reply, at, work);
                entries.push((at, Way::Reply, work));
                if let Some(rtt) = row.fate.rtt() {
                    // Departure by the recorded arrival at the client. A difference from the model is work ahead of it
                    // that is not recorded, or less work than assumed.
                    let left = row.at + rtt - beside(row.shortest.min(node.empty), work);
                    let more = (left - at - work - transit.waited[1]).max(-work).min(work);
                    coming.push(Reverse((at, true, unseen.len())));
                    unseen.push((at, more));
                }
            }
        };
        for (i, row) in self.rows.iter().enumerate() {
            if !passes.get(row.path as usize).copied().unwrap_or(false) {
                continue;
            }
            while coming.peek().is_some_and(|next| next.0.0 <= row.at) {
                next(&mut coming, &mut server, &mut met, &mut entries);
            }
            let ahead = server.ahead(Way::Request, row.at);
            let Some(transit) = met.get_mut(row.slot as usize) else { continue };
            transit.ahead[0] = ahead;
            if !server.has_room(ahead) && row.fate.rtt().is_none() {
                continue;
            }
            let work = server.work(row.share);
            transit.waited[0] = server.enter(Way::Request, row.at, work);
            entries.push((row.at, Way::Request, work));
            if is_answered(row.fate) {
                let left = row.at + transit.waited[0] + work;
                coming.push(Reverse((
                    reply_comes(row.at, left, row.shortest.min(node.empty), work, row.fate.rtt()),
                    false,
                    i,
                )));
            }
        }
        while !coming.is_empty() {
            next(&mut coming, &mut server, &mut met, &mut entries);
        }
        Passed { met, entries, unseen }
    }
}

/// Per path the mean airtime of answered copies, with their replies, in that of all: of lost ones part was not on the
/// air, or not seen.
fn shares(record: &Record, index: &Index, statistics: &ChannelStatistics, loads: &Loads) -> Vec<f64> {
    let paths = (0..).zip(index.paths.iter().zip(&statistics.paths)).take(record.associations().len());
    let sums: Vec<(f64, f64)> = paths
        .map(|(path, (p, donors))| {
            let answered = p.copies.iter().zip(&donors.fates).enumerate().filter(|(_, (_, fate))| fate.rtt().is_some());
            answered.fold((0.0, 0.0), |(sum, n), (i, (c, _))| {
                (sum + loads.weight(path, c.exchange, Some(i)) as f64, n + 1.0)
            })
        })
        .collect();
    let (sum, n) = sums.iter().fold((0.0, 0.0), |(sum, n), own| (sum + own.0, n + own.1));
    let mean = if n > 0.0 { sum / n } else { 1.0 };
    sums.into_iter().map(|(sum, n)| if n > 0.0 && mean > 0.0 { sum / n / mean } else { 1.0 }).collect()
}

impl QueueTrace {
    /// Copies per second of each path (0 with fewer than two); and the share of copies, 0 to 1, that is lost although
    /// there is room for them and their replies.
    pub fn habits(&self, passed: &Passed, passes: &[bool], room: u32) -> (Vec<f64>, f64) {
        let mut paths = vec![(0.0, Instant::MAX, Instant::MIN); self.firsts.len()];
        let (mut lost, mut all) = (0.0, 0.0);
        for row in &self.rows {
            if let Some((count, from, to)) = paths.get_mut(row.path as usize) {
                *count += 1.0;
                (*from, *to) = ((*from).min(row.at), (*to).max(row.at));
            }
            let found_room =
                passed.met.get(row.slot as usize).is_some_and(|p| p.ahead.iter().all(|&ahead| ahead < room));
            if found_room && row.fate.is_known() && passes.get(row.path as usize).copied().unwrap_or(false) {
                lost += f64::from(u8::from(row.fate.rtt().is_none()));
                all += 1.0;
            }
        }
        let habit = |(count, from, to): (f64, Instant, Instant)| {
            let length = if count > 1.0 { (to - from).secs_f64() } else { f64::INFINITY };
            count / length.max(1e-9)
        };
        (paths.into_iter().map(habit).collect(), lost / f64::max(all, 1.0))
    }
}

/// Transits of copies through a node, and arrivals there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    /// Transit of each copy, by slot.
    pub met: Vec<Transit>,
    /// Arrivals in order of time: moment, direction and service time.
    pub entries: Vec<(Instant, Way, Span)>,
    /// Corrections of the backlog that replies revealed, in order of time: moment of the arrival, and difference, at
    /// most one message.
    pub unseen: Vec<(Instant, Span)>,
}
