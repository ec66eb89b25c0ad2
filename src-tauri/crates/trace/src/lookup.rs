//! Hash maps, numbered values, and a map of recent values.

use base::{Instant, Span};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A hash map with a hash that costs a multiplication for each eight octets. Never iterated over, so that nothing
/// depends on its order.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Folded>>;

/// Hasher that multiplies to 128 bits and folds the halves together, as wyhash does (Wang Yi, `wyhash` final 4).
#[derive(Clone, Copy, Default)]
pub(crate) struct Folded(u64);

impl Folded {
    /// Multiplier, an odd number with half of its bits set: the secret `_wyp[0]` of wyhash.
    const SECRET: u64 = 0xa076_1d64_78bd_642f;

    fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ Self::SECRET) * u128::from(Self::SECRET.rotate_left(31));
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for Folded {
    fn write(&mut self, octets: &[u8]) {
        let (words, rest) = octets.as_chunks();
        for &word in words {
            self.add(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(u64::from(n));
    }

    fn write_u16(&mut self, n: u16) {
        self.add(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.add(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Values numbered from 0 in the order of their first appearance.
#[derive(Clone, Debug)]
pub(crate) struct Numbered<K> {
    numbers: Map<K, u32>,
    values: Vec<K>,
    /// The number given last: often the next one too.
    last: u32,
}

impl<K> Default for Numbered<K> {
    fn default() -> Self {
        Self { numbers: Map::default(), values: Vec::new(), last: 0 }
    }
}

impl<K: Copy + Eq + Hash> Numbered<K> {
    /// Numbering without any value yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of `value`, the next one at its first appearance.
    pub fn number(&mut self, value: K) -> u32 {
        if self.value(self.last) != Some(value) {
            self.last = *self.numbers.entry(value).or_insert_with(|| {
                self.values.push(value);
                // Fewer than frames, which are numbered with 32 bits.
                (self.values.len() - 1) as u32
            });
        }
        self.last
    }

    /// Returns the number of `value`, if it has one; the next call for the same value is faster.
    pub fn recall(&mut self, value: K) -> Option<u32> {
        if self.value(self.last) != Some(value) {
            self.last = *self.numbers.get(&value)?;
        }
        Some(self.last)
    }

    /// Returns the number of `value`, if it has one.
    pub fn find(&self, value: K) -> Option<u32> {
        self.numbers.get(&value).copied()
    }

    /// Returns the value with a number that [`Self::number`] returned; else `None`.
    pub fn value(&self, number: u32) -> Option<K> {
        self.values.get(number as usize).copied()
    }

    /// Returns the number of distinct values.
    pub fn len(&self) -> usize {
        self.values.len()
    }
}

/// Last value of each key within `span`, for keys that come in order of time. Memory is bounded by what came within
/// twice the span, however long the capture is.
pub(crate) struct Recent<K> {
    span: Span,
    young: Map<K, u32>,
    /// Values inserted before `since`.
    old: Map<K, u32>,
    /// Time of the last change of generations.
    since: Instant,
}

impl<K: Eq + Hash> Recent<K> {
    /// An empty map of values that are kept for at least `span`.
    pub fn new(span: Span) -> Self {
        Self { span, young: Map::default(), old: Map::default(), since: Instant::MIN }
    }

    /// Moves time on to `now`, and forgets values that are certainly older than the span. A step back changes nothing.
    pub fn advance(&mut self, now: Instant) {
        if now - self.since > self.span {
            // Everything in `old` came before `since`.
            self.old.clear();
            std::mem::swap(&mut self.old, &mut self.young);
            self.since = now;
        }
    }

    /// Returns the last value of `key`, surely one of the last span, perhaps an older one; `None` where none is held.
    pub fn get(&self, key: &K) -> Option<u32> {
        self.young.get(key).or_else(|| self.old.get(key)).copied()
    }

    /// Sets the value of `key`, at the time of the last [`Self::advance`].
    pub fn insert(&mut self, key: K, value: u32) {
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_last_span_are_kept_and_older_ones_dropped() {
        let mut recent = Recent::new(Span::from_secs(10));
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        for n in 0..1_000_u32 {
            recent.advance(at(i64::from(n)));
            recent.insert(n, n);
            for back in 0..=10_u32.min(n) {
                assert_eq!(recent.get(&(n - back)), Some(n - back), "{back} s before {n} s");
            }
            assert!(recent.young.len() + recent.old.len() <= 23);
        }
        recent.advance(at(900));
        assert_eq!(recent.get(&999), Some(999), "time that steps back forgets nothing");
    }

    #[test]
    fn numbers_are_those_of_first_appearance() {
        let mut numbered = Numbered::new();
        let numbers: Vec<u32> = ["a", "b", "a", "c", "b"].into_iter().map(|value| numbered.number(value)).collect();
        assert_eq!((numbers, numbered.len()), (vec![0, 1, 0, 2, 1], 3));
        assert_eq!((numbered.value(2), numbered.find("b"), numbered.find("d")), (Some("c"), Some(1), None));
    }
}
