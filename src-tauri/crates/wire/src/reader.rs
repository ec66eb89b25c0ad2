//! A cursor over octets that never reads past the end, and names its position in errors.

use crate::{ByteRange, Error, Kind};
use base::Layer;

/// Reads fields off a slice. Positions, and so the offsets of errors, are relative to that slice.
/// A failed read does not move the cursor.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    octets: &'a [u8],
    pos: usize,
    layer: Layer,
}

impl<'a> Reader<'a> {
    /// Makes a cursor at the first octet; errors will name `layer`.
    #[must_use]
    pub const fn new(octets: &'a [u8], layer: Layer) -> Self {
        Self { octets, pos: 0, layer }
    }

    /// Makes a cursor at the start of `span` that ends where `span` ends, its positions still relative to
    /// `octets`. A span outside `octets` is cut to it.
    #[must_use]
    pub fn within(octets: &'a [u8], span: &ByteRange, layer: Layer) -> Self {
        let octets = octets.get(..span.end).unwrap_or(octets);
        Self { octets, pos: span.start.min(octets.len()), layer }
    }

    /// Offset of the next octet, from 0.
    #[must_use]
    pub const fn pos(&self) -> usize {
        self.pos
    }

    /// Returns the number of octets left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.octets.len().saturating_sub(self.pos)
    }

    /// Returns whether no octet is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// Range from `start` to the cursor.
    #[must_use]
    pub const fn since(&self, start: usize) -> ByteRange {
        start..self.pos
    }

    /// Makes an error of `kind` at the next octet.
    #[must_use]
    pub const fn error(&self, kind: Kind) -> Error {
        self.error_at(self.pos, kind)
    }

    /// Makes an error of `kind` at octet `at`.
    #[must_use]
    pub const fn error_at(&self, at: usize, kind: Kind) -> Error {
        Error { layer: self.layer, at, kind }
    }

    /// Returns the next octet, without moving.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when none is left.
    pub fn peek(&self) -> Result<u8, Error> {
        self.octets.get(self.pos).copied().ok_or_else(|| self.truncated(1))
    }

    /// Takes the next `n` octets.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer are left.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let end = self.pos.saturating_add(n);
        let taken = self.octets.get(self.pos..end).ok_or_else(|| self.truncated(n))?;
        self.pos = end;
        Ok(taken)
    }

    /// Moves past the next `n` octets, and returns their range.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer are left.
    pub fn span(&mut self, n: usize) -> Result<ByteRange, Error> {
        let start = self.pos;
        self.take(n)?;
        Ok(self.since(start))
    }

    /// Takes the next `N` octets as an array.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer are left.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let taken = self.octets.get(self.pos..).and_then(|rest| rest.first_chunk()).ok_or_else(|| self.truncated(N))?;
        self.pos = self.pos.saturating_add(N);
        Ok(*taken)
    }

    /// Takes all octets that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = self.octets.get(self.pos..).unwrap_or_default();
        self.pos = self.octets.len();
        rest
    }

    /// Moves to the end, and returns the range of all octets that were left.
    pub fn rest_span(&mut self) -> ByteRange {
        let start = self.pos;
        self.pos = self.octets.len();
        self.since(start)
    }

    /// Takes one octet.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when none is left.
    pub fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(|[octet]| octet)
    }

    /// Takes 16 bits, most significant octet first.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer than 2 octets are left.
    pub fn u16_be(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    /// Takes 16 bits, least significant octet first.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer than 2 octets are left.
    pub fn u16_le(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_le_bytes)
    }

    /// Takes 32 bits, most significant octet first.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer than 4 octets are left.
    pub fn u32_be(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    /// Takes 32 bits, least significant octet first.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer than 4 octets are left.
    pub fn u32_le(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes 64 bits, least significant octet first.
    ///
    /// # Errors
    /// [`Kind::Truncated`] when fewer than 8 octets are left.
    pub fn u64_le(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    const fn truncated(&self, need: usize) -> Error {
        self.error(Kind::Truncated { need, have: self.remaining() })
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use crate::Kind;
    use base::Layer;

    #[test]
    fn a_failed_read_stays_where_it_is() {
        let mut r = Reader::new(&[1, 2, 3], Layer::Coap);
        assert_eq!(r.u16_be(), Ok(0x0102));
        let error = r.u32_be().unwrap_err();
        assert_eq!((error.at, error.kind), (2, Kind::Truncated { need: 4, have: 1 }));
        assert_eq!(r.take(usize::MAX).unwrap_err().kind, Kind::Truncated { need: usize::MAX, have: 1 });
        assert_eq!(r.peek(), Ok(3));
        assert_eq!(r.rest(), [3]);
        assert!(r.is_empty());
    }

    #[test]
    fn positions_within_a_span_are_those_of_the_slice() {
        let mut r = Reader::within(&[0, 1, 2, 3, 4], &(1..3), Layer::Link);
        assert_eq!((r.pos(), r.remaining()), (1, 2));
        assert_eq!(r.u16_le(), Ok(0x0201));
        assert!(r.is_empty());
        assert!(Reader::within(&[0], &(4..9), Layer::Link).is_empty());
    }
}
