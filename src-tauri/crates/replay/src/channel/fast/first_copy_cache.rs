//! Cache of the fates of first copies, for several algorithms in the same replicate.
//!
//! If a clock makes requests ready, the first copy of an exchange goes out at the same moment under most algorithms,
//! and meets the same fate. Later copies, and exchanges that follow the end of another, seldom coincide.
//!
//! Law: `scenarios_together_equal_each_alone` in `tests/another_run.rs` holds it, and batches, equal to each scenario
//! by itself.

use crate::channel::sampler::Sampler;
use crate::channel::{Channel, Met, Sent};
use crate::model::Index;
use base::Instant;

/// A channel with cached fates of first copies.
#[derive(Debug)]
pub(crate) struct FirstCopyCache<C> {
    channel: C,
    /// Time and fate of the latest first copy, by path and exchange; empty where a fate depends on more than time.
    firsts: Vec<Vec<Option<(Instant, Met)>>>,
}

impl<C: Sampler> FirstCopyCache<C> {
    /// Wraps `channel`; `coincide` says whether first copies of a path can coincide at all.
    pub fn new(channel: C, index: &Index, coincide: impl Fn(u32) -> bool) -> Self {
        let exchanges = |path: u32, copies: &[crate::model::RecordedCopy]| {
            let is_worth = channel.is_of_time(path) && coincide(path);
            let last = copies.iter().map(|c| c.exchange).max().filter(|_| is_worth);
            last.map_or(0, |last| last as usize + 1)
        };
        let firsts = (0..).zip(&index.paths).map(|(i, path)| vec![None; exchanges(i, &path.copies)]).collect();
        Self { channel, firsts }
    }
}

impl<C: Sampler> Channel for FirstCopyCache<C> {
    fn fate(&mut self, sent: &Sent) -> Met {
        let cached = self.firsts.get_mut(sent.path as usize).filter(|_| sent.attempt == 0);
        let Some(cached) = cached.and_then(|path| path.get_mut(sent.exchange as usize)) else {
            return self.channel.sample(sent).met;
        };
        match *cached {
            Some((at, met)) if at == sent.at => met,
            _ => cached.insert((sent.at, self.channel.sample(sent).met)).1,
        }
    }

    fn begin(&mut self) {
        self.channel.begin();
    }
}
