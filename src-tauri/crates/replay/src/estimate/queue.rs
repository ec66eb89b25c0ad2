//! A bottleneck: one node through which the copies and replies of several clients pass one at a time, wait while it is
//! busy, and are dropped where there is no room to wait. A border router between a mesh and everything else is one; so
//! is a medium of which every frame takes its slot.
//!
//! The node itself is hardly ever recorded. What is recorded is when copies were sent and how long their round trips
//! were. So the recorded copies are sent through a node with a given service time ([`trace`]), and the waits that
//! follow are held against the round trips ([`fit`]): the service time under which these are least off, path and
//! stretch of time taken out, is the estimate, unless replies come on a lattice whose spacing is the service time
//! ([`lattice`]). Behind how many messages copies were lost as a rule, if any, is the room it has.
//!
//! If the hops of messages are known, the nodes they pass are ([`crate::model::Node`]): the set of paths that lead
//! through one of them, and fits best, is taken. If they are not, all paths lead through the bottleneck.
//!
//! Assumptions: messages are served in the order of arrival, each in a time in proportion to its airtime; a
//! request comes to the node when it is sent, its reply when half of what the shortest round trip of the path leaves
//! beside two services is over. Traffic that was not captured is part of the channel.

mod fifo;
mod fit;
mod lattice;
mod server;
mod trace;

pub(crate) use server::{Node, QueueServer, Transit, Way, is_answered, reply_comes};
pub(crate) use trace::Passed;

use super::load::{Estimate, Loads, Unidentified};
use super::statistics::ChannelStatistics;
use crate::model::{Index, Load, Purpose, RandomStream, Record, normals, unit};
use base::{Cancelled, SharedProgress, Span};
use trace::QueueTrace;

/// Room of a node in messages, the one in service included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Copies that found this many messages were lost.
    At(u32),
    /// Not identified: at most `longest` messages were inside as far as the trace shows, and there was room for them.
    Unseen {
        /// Greatest number of messages inside.
        longest: u32,
    },
}

/// A bottleneck that a trace shows.
#[derive(Clone, PartialEq, Debug)]
pub struct QueueFit {
    /// Service time of a message of mean airtime, seconds.
    pub service: Estimate,
    /// Room of the node, in messages.
    pub limit: Limit,
    /// Whether requests and replies share one queue (half duplex); otherwise each direction has its own.
    pub shared: bool,
    /// Whether the service time was read from the lattice on which replies come ([`lattice`]), not found by what
    /// explains round trips best.
    pub is_read: bool,
    /// Round trip through the empty node, where it was found with the lattice; `None` where the shortest recorded one
    /// counts as such. A node that was never empty has not shown it.
    pub empty: Option<Span>,
    /// Share of the differences between round trips (absolute, within path and stretch of time) that the waits explain,
    /// up to 1.
    pub explained: f64,
    /// Regression of round trips on waits: seconds per second, 1 for a true queue.
    pub slope: Estimate,
    /// Utilisation: share of time in service, 0 to 1.
    pub busy: f64,
    /// Number of round trips of first copies that were looked at.
    pub copies: u64,
    /// Number of associations that lead through the node.
    pub clients: usize,
    /// Name of the node; `None` where hops are not known.
    pub name: Option<String>,
}

impl QueueFit {
    /// Draws a service time in seconds from its sampling distribution: normal, at least a fifth of the estimate.
    pub(crate) fn draw(&self, seed: u64, replicate: u32) -> f64 {
        let words = *RandomStream::new(seed, replicate, 0, Purpose::Response).block(1);
        let [normal, _] = normals([words[0], words[1]]);
        (self.service.value + self.service.error * normal).max(0.2 * self.service.value)
    }

    /// Draws the room in messages. Where no limit is identified it exceeds the longest queue: as likely to be more than
    /// twice as long as less, because its order of magnitude is unknown (1/x is Jeffreys' prior of a scale, Proc. R.
    /// Soc. A 186, 1946).
    pub(crate) fn room(&self, seed: u64, replicate: u32) -> u32 {
        match self.limit {
            Limit::At(room) => room,
            Limit::Unseen { longest } => {
                let word = RandomStream::new(seed, replicate, 0, Purpose::Response).block(1)[2];
                // The cast saturates beyond 2^32.
                (f64::from(longest + 1) / (1.0 - unit(word))) as u32
            }
        }
    }
}

/// Bottleneck of a record, and all that is needed to send other copies through it.
#[derive(Debug)]
pub(crate) struct Bottleneck {
    /// Recorded copies in order of time.
    pub trace: QueueTrace,
    /// Channel statistics whose copies hold their slot in the queue trace in place of a load.
    pub statistics: ChannelStatistics,
    /// Whether each path leads through the node, in the order of the record.
    pub passes: Vec<bool>,
    /// Fitted node, or the reason for which none is identified.
    pub fit: Result<QueueFit, Unidentified>,
}

impl Bottleneck {
    /// Fits a node to every set of paths that may lead through one, and takes the one that explains most. Asks
    /// `progress` before every step, and passes it once a set; errs when cancelled.
    pub fn new(
        record: &Record,
        index: &Index,
        statistics: &ChannelStatistics,
        loads: &Loads,
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let trace = QueueTrace::new(record, index, statistics, loads);
        let slots: Vec<Vec<Load>> = (0..)
            .zip(&index.paths)
            .map(|(path, p)| (0..p.copies.len()).filter_map(|i| trace.slot(path, i).map(|slot| [slot; 2])).collect())
            .collect();
        let statistics = statistics.under(index, &slots, progress)?;
        let paths = index.paths.len();
        let everybody = vec![true; paths];
        let mut best = (everybody.clone(), fit::fit(&trace, &everybody, progress)?);
        for node in record.medium().nodes() {
            progress.pass()?;
            let mut passes = vec![false; paths];
            for &path in &node.paths {
                if let Some(passes) = passes.get_mut(path as usize) {
                    *passes = true;
                }
            }
            let found = if passes == best.0 { best.1.clone() } else { fit::fit(&trace, &passes, progress)? };
            if let Ok(fit) = found
                && best.1.as_ref().is_ok_and(|best| best.explained <= fit.explained)
            {
                best = (passes, Ok(QueueFit { name: Some(node.name.clone()), ..fit }));
            }
        }
        let (passes, fit) = best;
        Ok(Self { trace, statistics, passes, fit })
    }
}
