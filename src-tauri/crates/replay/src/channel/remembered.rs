//! One weather for many runs: what a copy met is kept for the other algorithms of the same replicate.
//!
//! Where a clock makes requests ready, the first copy of an exchange goes out at the same moment under most algorithms, and meets the
//! same. Only first copies are kept: of the others few coincide, and few of those that follow the end of another exchange.

use super::sampler::Sampler;
use super::{Channel, Met, Sent};
use crate::model::Index;
use base::Instant;

/// A channel whose answers are kept.
#[derive(Debug)]
pub(crate) struct FirstCopyCache<C> {
    channel: C,
    /// By path and exchange, what the latest first copy met, and when it was sent; empty where it is not a matter of time alone.
    firsts: Vec<Vec<Option<(Instant, Met)>>>,
}

impl<C: Sampler> FirstCopyCache<C> {
    /// `coincide`: whether first copies of a path may go out together at all.
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
        let kept = self.firsts.get_mut(sent.path as usize).filter(|_| sent.attempt == 0);
        let Some(kept) = kept.and_then(|path| path.get_mut(sent.exchange as usize)) else {
            return self.channel.draw(sent).met;
        };
        match *kept {
            Some((at, met)) if at == sent.at => met,
            _ => kept.insert((sent.at, self.channel.draw(sent).met)).1,
        }
    }

    fn begin(&mut self) {
        self.channel.begin();
    }
}
