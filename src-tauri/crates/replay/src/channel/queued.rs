//! Channel behind a bottleneck: a base channel whose round trips change by how much longer or shorter the copy and its
//! reply wait at one node than those of the donor.
//!
//! All copies and replies of all clients pass the node in order of time ([`crate::QueueFit`]). Every fate comes from a
//! donor, and the donor's transit of the node follows from the recorded copies. A round trip is longer by the
//! additional wait of request and reply together. A message that finds no room is lost if it finds more ahead than the
//! donor did. A copy whose donor was dropped at the node is answered where there is room, or lost with the loss
//! probability of copies that find room. So where everything is sent as recorded, every fate is as recorded.
//!
//! The wait of a reply depends on what is sent before it reaches the node, so it is unknown when the request is sent:
//! this channel defers ([`Channel::defers`]) and settles a copy when its reply comes to the node.
//!
//! Clients that had more to send and finish sooner than in the trace are continued, as under
//! [`super::Loaded`]: with copies at their mean rate.

use super::loaded::Pinned;
use super::sampler::{Sampler, quantum};
use super::{Aired, Channel, Met, Sent, Settled, Support};
use crate::estimate::{Bottleneck, Loads, Node, Passed, QueueServer, Transit, Way, is_answered, reply_comes};
use crate::model::{Fate, Purpose, RandomStream, unit};
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A base channel behind a bottleneck, in one replicate.
#[derive(Debug)]
pub(crate) struct Queued<'a> {
    base: Box<dyn Sampler + 'a>,
    pinned_clients: Pinned<'a>,
    bottleneck: &'a Bottleneck,
    loads: &'a Loads,
    /// Transits of recorded copies through the node.
    passed: Passed,
    server: QueueServer,
    tolerance: Span,
    streams: Vec<RandomStream>,
    /// Copies per second of each path.
    rates: Vec<f64>,
    /// Loss probability of copies that find room.
    chance: f64,
    /// Arrivals at the node by time; continued clients last, the rest in order of sending.
    coming: BinaryHeap<Reverse<(Instant, bool, u64)>>,
    jobs: BTreeMap<u64, Job>,
    sent: u64,
    /// Number of copies that are not settled.
    owed: usize,
}

/// An arrival at the node.
#[derive(Clone, Copy, Debug)]
enum Job {
    /// The reply to a copy.
    Reply { copy: Copy, settles: bool },
    /// The reply to a copy of a continued client.
    Echo { work: Span },
    /// Work at the node beyond that of the known copies; negative where there is less.
    Unseen { more: Span },
    /// A copy of a continued client.
    Continuation { path: u32, until: Instant },
}

/// A copy under way.
#[derive(Clone, Copy, Debug)]
struct Copy {
    sent: Sent,
    met: Met,
    work: Span,
    /// Transits of the donors of the loss and of the round trip.
    donors: [Option<Transit>; 2],
    /// Wait of the request at the node.
    waited: Span,
    /// Whether the copy keeps its recorded fate, and takes part in the queue only.
    pinned: bool,
}

impl<'a> Queued<'a> {
    /// Opens the channel for one replicate of `seed`: fates from `base`, with the waits at `node` exchanged for those
    /// of the replicate.
    pub fn new(
        base: Box<dyn Sampler + 'a>,
        pinned_clients: Pinned<'a>,
        (bottleneck, loads): (&'a Bottleneck, &'a Loads),
        node: Node,
        tolerance: Span,
        (seed, replicate): (u64, u32),
    ) -> Self {
        let passed = bottleneck.trace.pass(node, &bottleneck.passes);
        let paths = bottleneck.passes.len();
        let streams = (0..paths).map(|path| RandomStream::new(seed, replicate, path as u32, Purpose::Load)).collect();
        let (rates, chance) = bottleneck.trace.habits(&passed, &bottleneck.passes, node.room);
        Self {
            base,
            pinned_clients,
            bottleneck,
            loads,
            passed,
            server: QueueServer::new(node),
            tolerance,
            streams,
            rates,
            chance,
            coming: BinaryHeap::new(),
            jobs: BTreeMap::new(),
            sent: 0,
            owed: 0,
        }
    }

    fn schedule(&mut self, at: Instant, job: Job) {
        self.sent += 1;
        self.jobs.insert(self.sent, job);
        self.coming.push(Reverse((at, matches!(job, Job::Unseen { .. }), self.sent)));
    }

    fn words(&mut self, sent: &Sent) -> [u32; 16] {
        let place = quantum(sent.at, self.tolerance);
        self.streams.get_mut(sent.path as usize).map_or([0; 16], |stream| *stream.block(place))
    }

    /// Fate of a copy whose donor was dropped, where there is room now: answered, unless it is lost with
    /// [`Queued::chance`]. Also returns the transit of the donor.
    fn rescued(&mut self, sent: &Sent, [word, near, moment]: [u32; 3]) -> Option<(Met, Option<Transit>)> {
        if unit(word) < self.chance {
            return None;
        }
        let donor = self.base.answered(sent, [near, moment])?;
        Some((Met { fate: donor.fate, support: Support::Modelled }, self.transit(donor.load[1])))
    }

    fn shortest(&self, path: u32) -> Span {
        self.bottleneck.trace.shortest(path).min(self.server.node.empty)
    }

    fn transit(&self, slot: u32) -> Option<Transit> {
        self.passed.met.get(slot as usize).copied()
    }

    /// Handles a request at the node. Returns its fate if that is known already.
    fn request(&mut self, mut copy: Copy) -> Option<Met> {
        let sent = copy.sent;
        let ahead = self.server.ahead(Way::Request, sent.at);
        let before = copy.donors[0].map_or(0, |donor| donor.ahead[0]);
        if !self.server.has_room(ahead) {
            return match copy.met.fate {
                Fate::Answered { .. } if ahead <= before => self.enter(copy),
                Fate::Answered { .. } => Some(Met { fate: Fate::RequestLost, support: Support::Modelled }),
                _ => Some(copy.met),
            };
        }
        let lost = matches!(copy.met.fate, Fate::RequestLost | Fate::ReplyLost | Fate::Lost);
        if lost && !self.server.has_room(before) {
            let words = self.words(&sent);
            if let Some((met, donor)) = self.rescued(&sent, [words[0], words[1], words[2]]) {
                (copy.met, copy.donors[1]) = (met, donor);
                // The reason for which the donor was dropped does not hold here.
                copy.donors[0] = donor;
            }
        }
        self.enter(copy)
    }

    fn enter(&mut self, mut copy: Copy) -> Option<Met> {
        let Copy { sent, met, work, donors, .. } = copy;
        copy.waited = self.server.enter(Way::Request, sent.at, work);
        if !is_answered(met.fate) {
            return Some(met);
        }
        let left = sent.at + copy.waited + work;
        let expected = met.fate.rtt().map(|rtt| donors[1].map_or(rtt, |donor| rtt + (copy.waited - donor.waited[0])));
        let comes = reply_comes(sent.at, left, self.shortest(sent.path), work, expected);
        // A copy that is lost may be so because its reply was dropped.
        let dropped = donors[0].is_some_and(|donor| !self.server.has_room(donor.ahead[1]));
        let settles = !copy.pinned && (met.fate.rtt().is_some() || (met.fate.is_known() && dropped));
        self.owed += usize::from(settles);
        self.schedule(comes, Job::Reply { copy, settles });
        if settles { None } else { Some(met) }
    }

    /// Handles a reply at the node at time `at`. Returns the settled copy, if this settles one.
    fn reply(&mut self, at: Instant, copy: Copy, settles: bool) -> Option<Settled> {
        let Copy { sent, mut met, work, mut donors, waited, .. } = copy;
        let ahead = self.server.ahead(Way::Reply, at);
        let before = donors[0].map_or(0, |donor| donor.ahead[1]);
        if settles && met.fate.rtt().is_none() && self.server.has_room(ahead) {
            let words = self.words(&sent);
            if let Some((rescued, from)) = self.rescued(&sent, [words[3], words[4], words[5]]) {
                (met, donors[1]) = (rescued, from);
            }
        }
        let answered = met.fate.rtt();
        if self.server.has_room(ahead) || (answered.is_some() && ahead <= before) {
            let more = self.server.enter(Way::Reply, at, work);
            if let Some(rtt) = answered {
                met = self.waited(&sent, met, rtt, donors[1], waited + more, at);
            }
        } else if answered.is_some() {
            met = Met { fate: Fate::ReplyLost, support: Support::Modelled };
        }
        settles.then(|| self.settled(sent, met))
    }

    /// Fate of an answered copy that waits `now` in all, and whose reply is at the node at `at`.
    fn waited(&self, sent: &Sent, met: Met, rtt: Span, donor: Option<Transit>, now: Span, at: Instant) -> Met {
        let shortest = self.shortest(sent.path).min(rtt);
        let moved = donor.map_or(rtt, |donor| rtt + (now - donor.wait())).max(shortest).max(at - sent.at);
        if moved == rtt { met } else { Met { fate: Fate::Answered { rtt: moved }, support: Support::Modelled } }
    }

    fn settled(&mut self, sent: Sent, met: Met) -> Settled {
        self.owed -= 1;
        self.retire(&sent, met.fate);
        Settled { sent, met, aired: Aired::AsSent }
    }

    /// Continues a closed loop whose last exchange begins. That exchange counts as over when its first copy is.
    fn retire(&mut self, sent: &Sent, fate: Fate) {
        let Some(last) = self.pinned_clients.last.get_mut(sent.path as usize) else { return };
        if *last != Some(sent.exchange) {
            return;
        }
        *last = None;
        let over = self.loads.until(sent.path, sent.at, fate);
        let until = self.loads.presence(sent.path).1;
        if over < until {
            self.schedule(over, Job::Continuation { path: sent.path, until });
        }
        let end = over.max(self.loads.end());
        self.schedule(end, Job::Continuation { path: sent.path, until: Instant::MAX });
    }

    /// Handles a copy of a continued client at `at`, and schedules the next.
    fn continuation(&mut self, at: Instant, path: u32, until: Instant) {
        let rate = self.rates.get(path as usize).copied().unwrap_or(0.0);
        let work = self.server.work(self.bottleneck.trace.share(path));
        let ahead = self.server.ahead(Way::Request, at);
        if self.server.has_room(ahead) {
            let waited = self.server.enter(Way::Request, at, work);
            let comes = reply_comes(at, at + waited + work, self.shortest(path), work, None);
            self.schedule(comes, Job::Echo { work });
        }
        let next = Span::from_secs_f64(1.0 / rate).map(|gap| at + gap).filter(|&next| rate > 0.0 && next < until);
        if let Some(next) = next {
            self.schedule(next, Job::Continuation { path, until });
        }
    }

    /// Fate of the base channel, with the transits of the donors of loss and round trip.
    fn sampler(&mut self, sent: &Sent) -> (Met, [Option<Transit>; 2]) {
        let at = sent.path as usize;
        if self.pinned_clients.pinned.get(at).copied().unwrap_or(false) {
            let path = self.pinned_clients.recorded.index.paths.get(at);
            let near = path.and_then(|p| p.near(sent.at, self.tolerance, sent.exchange));
            let slot = near.map(|(i, _)| i).and_then(|i| self.bottleneck.trace.slot(sent.path, i));
            let donor = slot.and_then(|slot| self.transit(slot));
            return (self.pinned_clients.recorded.fate(sent), [donor; 2]);
        }
        let drawn = self.base.sample(sent);
        let donors = drawn.loads.map_or([None; 2], |loads| loads.map(|slot| self.transit(slot)));
        (drawn.met, donors)
    }
}

impl Channel for Queued<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        let pinned = self.pinned_clients.pinned.get(sent.path as usize).copied().unwrap_or(false);
        let (met, donors) = self.sampler(sent);
        if !self.bottleneck.passes.get(sent.path as usize).copied().unwrap_or(false) {
            return met;
        }
        let work = self.server.work(self.bottleneck.trace.share(sent.path));
        let copy = Copy { sent: *sent, met, work, donors, waited: Span::ZERO, pinned };
        let known = self.request(copy);
        if pinned {
            return met;
        }
        match known {
            Some(met) => {
                self.retire(sent, met.fate);
                met
            }
            None => Met { fate: Fate::Unknown, support: Support::Assumed },
        }
    }

    fn couples(&self) -> bool {
        true
    }

    fn defers(&self) -> bool {
        true
    }

    fn settle(&mut self, by: Instant) -> Option<Settled> {
        // Continued clients send without end: stop when no copy is left to settle.
        while (by < Instant::MAX || self.owed > 0)
            && let Some(&Reverse((at, _, number))) = self.coming.peek().filter(|next| next.0.0 <= by)
        {
            self.coming.pop();
            match self.jobs.remove(&number)? {
                Job::Reply { copy, settles } => {
                    if let Some(settled) = self.reply(at, copy, settles) {
                        return Some(settled);
                    }
                }
                Job::Echo { work } => {
                    let ahead = self.server.ahead(Way::Reply, at);
                    if self.server.has_room(ahead) {
                        self.server.enter(Way::Reply, at, work);
                    }
                }
                Job::Continuation { path, until } => self.continuation(at, path, until),
                Job::Unseen { more } => self.server.shift(Way::Reply, at, more),
            }
        }
        None
    }

    fn begin(&mut self) {
        self.base.begin();
        self.server = QueueServer::new(self.server.node);
        self.coming.clear();
        self.jobs.clear();
        self.owed = 0;
        let since = self.pinned_clients.since.unwrap_or(Instant::MIN);
        // State of the node at the beginning of the replay.
        for &(at, way, work) in self.passed.entries.iter().filter(|entry| entry.0 < since) {
            self.server.enter(way, at, work);
        }
        for (at, more) in self.passed.unseen.clone() {
            if at >= since {
                self.schedule(at, Job::Unseen { more });
            }
        }
    }
}
