//! Another run on the same channel: a block bootstrap over exchanges.
//!
//! The recorded fates are one outcome of many. Another run would have met like channel states at other moments, and
//! other random outcomes at recorded moments too. So each exchange of a replicate takes the place of a *source*
//! exchange of the same path: its copies meet the fates around the source, at the same distance from its beginning.
//! Near a recorded copy of the source that is its fate; elsewhere the base channel decides. Loads are still those of
//! the replicate.
//!
//! Sources are drawn in blocks of consecutive exchanges, for all paths together, which keeps dependence within a block
//! (Künsch, Ann. Stat. 17, 1989). Equally likely blocks would make replicates scatter as runs do around known
//! probabilities. These are unknown and scatter as much, so block probabilities are drawn once per replicate (Bayesian
//! bootstrap: Rubin, Ann. Stat. 9, 1981): the spread is that of the difference of two runs.

use super::sampler::{Sample, Sampler};
use super::{Channel, Met, Sent};
use crate::estimate::{Donor, Local};
use crate::model::{Purpose, RandomStream, Record, WORDS, unit};
use base::{Instant, Span};

/// Number of blocks of a trace. Chosen here: more blocks are shorter and keep less dependence; fewer estimate the
/// spread between blocks worse. The spread of this many is known to a quarter (χ² of 23), and 90 % intervals are short
/// of that by one or two in a hundred.
const BLOCKS: usize = 24;

/// A base channel whose exchanges meet the fates around resampled exchanges.
#[derive(Debug)]
pub(crate) struct BlockBootstrap<'a> {
    base: Box<dyn Sampler + 'a>,
    /// Source of each exchange of each path: its number, and how much later it began (negative: earlier).
    sources: Vec<Vec<(u32, Span)>>,
}

impl<'a> BlockBootstrap<'a> {
    /// Draws the sources of all exchanges of `record` for one replicate; fates around them come from `base`.
    pub fn new(base: Box<dyn Sampler + 'a>, record: &Record, (seed, replicate): (u64, u32)) -> Self {
        let ends = ends(record);
        let mut stream = RandomStream::new(seed, replicate, 0, Purpose::BlockBootstrap);
        let drawn = blocks(ends.len() + 1, &mut stream);
        let sources = record.associations().iter().map(|a| {
            let starts: Vec<Instant> = a.exchanges.iter().map(crate::ExchangeRecord::start).collect();
            sources(&starts, &ends, &drawn)
        });
        Self { base, sources: sources.collect() }
    }

    /// `sent` moved to the source of its exchange.
    fn moved(&self, sent: &Sent) -> Sent {
        let source = self.sources.get(sent.path as usize).and_then(|t| t.get(sent.exchange as usize));
        source.map_or(*sent, |&(exchange, later)| Sent { at: sent.at + later, exchange, ..*sent })
    }
}

/// Numbers of times that another run has each block of a record.
#[derive(Debug)]
pub(crate) struct BlockCounts {
    ends: Vec<Instant>,
    /// Number of times that each block was drawn; 1 on average.
    counts: Vec<u32>,
}

impl BlockCounts {
    /// Draws the blocks of `record` for one replicate.
    pub fn draw(record: &Record, (seed, replicate): (u64, u32)) -> Self {
        let ends = ends(record);
        let mut counts = vec![0; ends.len() + 1];
        let drawn = blocks(counts.len(), &mut RandomStream::new(seed, replicate, 0, Purpose::BlockBootstrap));
        for block in drawn {
            if let Some(count) = counts.get_mut(block) {
                *count += 1;
            }
        }
        Self { ends, counts }
    }

    /// Returns how often the block of `at` was drawn.
    pub fn of(&self, at: Instant) -> u32 {
        self.counts.get(self.ends.partition_point(|&end| end <= at)).copied().unwrap_or(1)
    }
}

/// The first moment of each block but the first.
fn ends(record: &Record) -> Vec<Instant> {
    let mut starts: Vec<Instant> =
        record.associations().iter().flat_map(|a| &a.exchanges).map(crate::ExchangeRecord::start).collect();
    starts.sort_unstable();
    let blocks = BLOCKS.min(starts.len());
    (1..blocks).filter_map(|i| starts.get(i * starts.len() / blocks).copied()).collect()
}

/// Source block of each of `count` blocks.
fn blocks(count: usize, stream: &mut RandomStream) -> Vec<usize> {
    let words = |stream: &mut RandomStream, first: u64| -> Vec<f64> {
        let blocks = (first..).take(count.div_ceil(WORDS));
        blocks.flat_map(|block| *stream.block(block)).take(count).map(unit).collect()
    };
    let mut sum = 0.0;
    let upto: Vec<f64> = words(stream, 0)
        .into_iter()
        .map(|u| {
            sum -= (1.0 - u).ln();
            sum
        })
        .collect();
    let place = |u: f64| upto.partition_point(|&upto| upto <= u * sum).min(count.saturating_sub(1));
    words(stream, 1 << 32).into_iter().map(place).collect()
}

/// Sources of one path's exchanges, which began at `starts`: the first of a block takes the first of the drawn block,
/// and so on, round and round where that one has fewer. Where the path has none in the drawn block, its exchanges keep
/// their own.
fn sources(starts: &[Instant], ends: &[Instant], drawn: &[usize]) -> Vec<(u32, Span)> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); drawn.len()];
    let block = |start: &Instant| ends.partition_point(|end| end <= start);
    let mut place = Vec::with_capacity(starts.len());
    for (start, i) in starts.iter().zip(0_u32..) {
        let at = block(start);
        if let Some(members) = members.get_mut(at) {
            place.push((at, members.len()));
            members.push(i);
        }
    }
    let source_of = |(i, &(block, nth)): (usize, &(usize, usize))| {
        let from = drawn.get(block).and_then(|&b| members.get(b)).filter(|m| !m.is_empty());
        let source = from.and_then(|m| m.get(nth % m.len())).copied().unwrap_or(i as u32);
        let later = starts.get(source as usize).zip(starts.get(i)).map_or(Span::ZERO, |(to, from)| *to - *from);
        (source, later)
    };
    place.iter().enumerate().map(source_of).collect()
}

impl Channel for BlockBootstrap<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        self.sample(sent).met
    }

    fn begin(&mut self) {
        Sampler::begin(self);
    }
}

impl Sampler for BlockBootstrap<'_> {
    fn sample(&mut self, sent: &Sent) -> Sample {
        let sent = self.moved(sent);
        self.base.sample(&sent)
    }

    fn begin(&mut self) {
        self.base.begin();
    }

    fn is_of_time(&self, path: u32) -> bool {
        self.base.is_of_time(path)
    }

    fn local(&mut self, sent: &Sent, usual: f64) -> Option<Local> {
        let sent = self.moved(sent);
        self.base.local(&sent, usual)
    }

    fn answered(&mut self, sent: &Sent, words: [u32; 2]) -> Option<Donor> {
        let sent = self.moved(sent);
        self.base.answered(&sent, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: i64) -> Instant {
        Instant::ZERO + Span::from_secs(s)
    }

    #[test]
    fn sources_are_drawn_block_by_block() {
        // Blocks of 0, 1, 2 | 10, 11 | 20.
        let starts = [0, 1, 2, 10, 11, 20].map(at);
        let ends = [at(10), at(20)];
        let taken = sources(&starts, &ends, &[1, 0, 0]);
        let secs = |s| Span::from_secs(s);
        let expected = [(3, secs(10)), (4, secs(10)), (3, secs(8)), (0, secs(-10)), (1, secs(-10)), (0, secs(-20))];
        assert_eq!(taken, expected);
        // A path without exchanges in the last block: an exchange that should take one of that block keeps its own.
        assert_eq!(sources(&starts[..3], &ends, &[2, 0, 0]), [0, 1, 2].map(|i| (i, Span::ZERO)));
        assert!(sources(&[], &[], &[0]).is_empty());
    }

    /// Each block comes up once on average. Its count varies by 1 − 1/n where blocks are drawn evenly (multinomial),
    /// and by (n − 1)/(n + 1) more for the chances being Dirichlet(1, …, 1), times (n − 1)/n as two draws agree
    /// (Johnson & Kotz 1969, Dirichlet-multinomial: n·p·(1 − p)·(n + N)/(1 + N) with N = n = 24, p = 1/24: 1.84).
    #[test]
    fn counts_vary_as_those_of_two_runs() {
        let (n, replicates) = (BLOCKS, 4_000);
        let mut squares = 0.0;
        for replicate in 0..replicates {
            let drawn = blocks(n, &mut RandomStream::new(1, replicate, 0, Purpose::BlockBootstrap));
            assert_eq!(drawn.len(), n);
            let away = |block| (drawn.iter().filter(|&&b| b == block).count() as f64 - 1.0).powi(2);
            squares += (0..n).map(away).sum::<f64>() / n as f64;
        }
        let variance = squares / f64::from(replicates);
        assert!((variance / 1.84 - 1.0).abs() < 0.05, "{variance}");
    }

    #[test]
    fn a_block_counts_for_all_its_moments() {
        let blocks = BlockCounts { ends: vec![at(10), at(20)], counts: vec![2, 0, 1] };
        assert_eq!([-5, 9, 10, 19, 20, 99].map(|s| blocks.of(at(s))), [2, 2, 0, 0, 1, 1]);
        let none = Record::new(Vec::new(), None);
        assert_eq!(BlockCounts::draw(&none, (1, 1)).of(at(5)), 1, "a record without exchanges has one block");
    }
}
