//! Servers that reply to all waiting copies at once: a node that sleeps between two looks at its mailbox, a proxy that
//! is held up.
//!
//! At such a server copies share the moment of the reply, not the round trip: a copy sent later has the shorter one.
//! Detection is in `estimate::batch_server`. A copy that is sent while a recorded one waits is answered, if at all,
//! with that one; copies of which none was recorded in time share the first moment that was drawn. That moment belongs
//! to the first copy that waited, so there two algorithms need not meet the same server.

use crate::estimate::{ChannelStatistics, Donor};
use crate::model::{Fate, Index};
use base::{Instant, Span};

/// Number of recorded copies looked at before and after a moment. Chosen here: as many as the kernel looks at
/// ([`crate::estimate::NEIGHBOURS`]).
const REACH: usize = 16;
/// State of a batch-replying server: the copies that wait at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchServer {
    /// Shortest and longest plausible round trip.
    plausible: (Span, Span),
    /// Sending time of the latest answered copy, and arrival of its reply.
    waiting: Option<(Instant, Instant)>,
}

impl BatchServer {
    /// Returns the batch server of `path`; `None` where its server replies to each copy by itself.
    pub fn of(statistics: &ChannelStatistics, index: &Index, path: u32) -> Option<Self> {
        statistics.is_batch_server.get(path as usize).filter(|is_batch| **is_batch)?;
        Some(Self { plausible: index.paths.get(path as usize)?.plausible, waiting: None })
    }

    /// Forgets the copies that wait for the server's next reply.
    pub fn clear(&mut self) {
        self.waiting = None;
    }

    /// Records that a copy sent at `at` met `fate`.
    pub fn pass(&mut self, at: Instant, fate: Fate) {
        self.waiting = fate.rtt().map(|rtt| (at, at + rtt)).or(self.waiting);
    }

    /// Fate of a copy sent at `at` for which `fate` was drawn: its reply comes with those of waiting copies. `known`:
    /// copies of the path with a known fate, in order of time. Losses stay.
    pub fn moved(self, known: &[Donor], at: Instant, fate: Fate) -> Fate {
        fate.rtt().map_or(fate, |rtt| Fate::Answered { rtt: self.rtt(known, at, rtt) })
    }

    /// Round trip of a copy sent at `at` for which `rtt` was drawn, among `known` copies.
    fn rtt(self, known: &[Donor], at: Instant, rtt: Span) -> Span {
        let (shortest, longest) = self.plausible;
        let split = known.partition_point(|d| d.at <= at);
        let reply = |d: &Donor| Some((d.at, d.at + d.fate.rtt()?));
        let before = known.get(split.saturating_sub(REACH)..split).unwrap_or(&[]).iter().filter_map(reply);
        // A copy whose reply is due sooner than the shortest round trip has left the server.
        let in_time = |&(sent, reply): &(Instant, Instant)| sent <= at && reply >= at + shortest;
        if let Some(reply) = before.chain(self.waiting).filter(in_time).map(|waits| waits.1).min() {
            return reply - at;
        }
        let after = known.get(split..).unwrap_or(&[]).iter().take(REACH).filter_map(reply);
        // A server that replied earlier would have replied to these, too.
        let waiting = after.take_while(|waits| waits.0 <= at + rtt - shortest);
        waiting.map(|waits| waits.1 - at).min().filter(|&shared| shared <= longest).unwrap_or(rtt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: i64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    /// A copy sent at `sent` whose reply is in at `reply`, milliseconds.
    fn answered(sent: i64, reply: i64) -> Donor {
        Donor { at: at(sent), fate: Fate::Answered { rtt: at(reply) - at(sent) }, load: [0; 2] }
    }

    #[test]
    fn a_copy_joins_the_waiting_batch() {
        let known =
            [answered(0, 4_000), Donor { at: at(5_000), fate: Fate::Lost, load: [0; 2] }, answered(8_000, 11_000)];
        let reply = |batch_server: BatchServer, sent: i64, rtt: i64| {
            (at(sent) + batch_server.rtt(&known, at(sent), Span::from_millis(rtt))).nanos() / 1_000_000
        };
        let none = BatchServer { plausible: (Span::from_millis(600), Span::from_secs(8)), waiting: None };
        assert_eq!(reply(none, 2_000, 300), 4_000, "with the one that waits");
        assert_eq!(reply(none, 3_600, 900), 4_500, "too late for that one");
        assert_eq!(reply(none, 6_000, 1_500), 7_500, "before anything that was recorded");
        assert_eq!(
            reply(none, 6_000, 7_000),
            11_000,
            "if it still waits when a recorded one comes, then with that one"
        );
        assert_eq!(reply(none, 6_000, 4_000), 11_000, "because otherwise that one would have been answered as well");
        assert_eq!(reply(none, 2_900 - 10_000, 7_500), 400, "no copy waits longer than the longest recorded one");
        let mut batch_server = none;
        batch_server.pass(at(5_500), Fate::Answered { rtt: Span::from_millis(1_500) });
        batch_server.pass(at(5_700), Fate::Lost);
        assert_eq!(reply(batch_server, 6_000, 1_500), 7_000, "with the one that was drawn");
        assert_eq!(reply(batch_server, 6_500, 1_000), 7_500, "which is about to be answered");
    }
}
