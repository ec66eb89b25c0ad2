//! Short lists that take no more room than their first values or a pointer.
//!
//! `smallvec` would take a word more in each list, as it stores a length beside the values: an exchange would
//! take 112 octets instead of 96, and a hop 56 instead of 48. Millions of both are held at once; their sizes are
//! asserted.

use base::FrameId;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A list that keeps a single value in place, as wide as that value: most exchanges have one copy and one reply. Reads
/// as a slice.
#[derive(Clone)]
pub struct OneOrMany<T>(Repr<T>);

/// Representation: the first value in place, several on the heap.
#[derive(Clone)]
enum Repr<T> {
    None,
    One(T),
    #[expect(clippy::box_collection, reason = "a list would be three words here, and with them wider than one value")]
    Many(Box<Vec<T>>),
}

impl<T> OneOrMany<T> {
    /// Makes an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Repr::None)
    }

    /// Makes a list of one value.
    #[must_use]
    pub const fn one(value: T) -> Self {
        Self(Repr::One(value))
    }

    /// Appends `value` behind the last one.
    pub fn push(&mut self, value: T) {
        self.0 = match std::mem::replace(&mut self.0, Repr::None) {
            Repr::None => Repr::One(value),
            Repr::One(first) => Repr::Many(Box::new(vec![first, value])),
            Repr::Many(mut values) => {
                values.push(value);
                Repr::Many(values)
            }
        };
    }
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for OneOrMany<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Repr::None => &[],
            Repr::One(value) => std::slice::from_ref(value),
            Repr::Many(values) => values,
        }
    }
}

impl<T> DerefMut for OneOrMany<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Repr::None => &mut [],
            Repr::One(value) => std::slice::from_mut(value),
            Repr::Many(values) => values,
        }
    }
}

impl<T> From<Vec<T>> for OneOrMany<T> {
    fn from(mut values: Vec<T>) -> Self {
        Self(match values.len() {
            0 | 1 => values.pop().map_or(Repr::None, Repr::One),
            _ => Repr::Many(Box::new(values)),
        })
    }
}

impl<T> FromIterator<T> for OneOrMany<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut list = Self::new();
        values.into_iter().for_each(|value| list.push(value));
        list
    }
}

impl<'a, T> IntoIterator for &'a OneOrMany<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut OneOrMany<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for OneOrMany<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for OneOrMany<T> {}

impl<T: fmt::Debug> fmt::Debug for OneOrMany<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

/// The frames of one hop: two or three where a datagram is fragmented or a frame was sent again, rarely more. Reads as
/// a slice.
#[derive(Clone)]
pub struct FrameList(Listed);

/// Most frames kept in place: as many as fit where the pointer to a list would be.
const IN_PLACE: usize = 3;

#[derive(Clone)]
enum Listed {
    InPlace {
        count: u8,
        frames: [FrameId; IN_PLACE],
    },
    #[expect(clippy::box_collection, reason = "a list would be three words here")]
    Many(Box<Vec<FrameId>>),
}

const _: () = assert!(size_of::<FrameList>() == 16);

impl Deref for FrameList {
    type Target = [FrameId];

    fn deref(&self) -> &[FrameId] {
        match &self.0 {
            Listed::InPlace { count, frames } => frames.get(..usize::from(*count)).unwrap_or_default(),
            Listed::Many(frames) => frames,
        }
    }
}

impl FromIterator<FrameId> for FrameList {
    fn from_iter<I: IntoIterator<Item = FrameId>>(values: I) -> Self {
        let mut values = values.into_iter();
        let mut frames = [FrameId::default(); IN_PLACE];
        let mut count = 0;
        for (place, frame) in frames.iter_mut().zip(values.by_ref()) {
            *place = frame;
            count += 1;
        }
        match values.next() {
            None => Self(Listed::InPlace { count, frames }),
            Some(next) => Self(Listed::Many(Box::new(frames.into_iter().chain([next]).chain(values).collect()))),
        }
    }
}

impl<'a> IntoIterator for &'a FrameList {
    type Item = &'a FrameId;
    type IntoIter = std::slice::Iter<'a, FrameId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for FrameList {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl fmt::Debug for FrameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameList, OneOrMany};
    use base::FrameId;

    #[test]
    fn frames_are_those_that_were_collected() {
        for count in 0..6 {
            let ids = || (0..count).map(|n| FrameId(10 + n));
            let frames: FrameList = ids().collect();
            assert_eq!(frames.to_vec(), ids().collect::<Vec<_>>());
            assert_eq!((&frames, format!("{frames:?}")), (&frames.clone(), format!("{:?}", frames.to_vec())));
        }
    }

    #[test]
    fn reads_as_the_list_of_what_was_pushed() {
        let mut list = OneOrMany::new();
        for n in 0..5_u32 {
            assert_eq!(list.to_vec(), (0..n).collect::<Vec<_>>());
            assert_eq!(list, (0..n).collect::<OneOrMany<_>>());
            assert_eq!(list, OneOrMany::from((0..n).collect::<Vec<_>>()));
            list.push(n);
        }
        list.iter_mut().for_each(|n| *n += 1);
        assert_eq!(format!("{list:?}"), "[1, 2, 3, 4, 5]");
    }
}
