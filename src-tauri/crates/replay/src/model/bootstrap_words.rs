//! Random words for the bootstraps of [`crate::stats`], which draws none itself.

use super::{Purpose, RandomStream, WORDS};

/// Independent uniform 32-bit words for a bootstrap, by number of the resample and position in it. One `seed` gives the
/// same words everywhere.
pub fn bootstrap_words(seed: u64) -> impl FnMut(u32, usize) -> u32 {
    let stream = move |resample| RandomStream::new(seed, resample, 0, Purpose::Bootstrap);
    let (mut current, mut words) = (0, stream(0));
    move |resample, position| {
        if resample != current {
            (current, words) = (resample, stream(resample));
        }
        words.block((position / WORDS) as u64)[position % WORDS]
    }
}
