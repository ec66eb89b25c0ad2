//! Round trips: the crate reads back every encoding of every field that a test-only encoder writes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod coap;
mod compress;
mod ghc;
mod lowpan;
mod mac;

/// Picks among the encodings that are valid for a value, so that all of them are met.
pub(crate) struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    fn new(octets: Vec<u8>) -> Self {
        Self(octets.into_iter())
    }

    /// A number below `n`; 0 when the choices have run out.
    fn below(&mut self, n: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % n
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Draws one of `options`, of which there must be at least one.
    fn of<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }
}
