//! Places on a category axis: algorithms with groups within, or groups with algorithms within.

use super::cells::Figure;
use super::shape::{categories, small};
use crate::view::AxisView;

/// Layout of behaviours and groups on a category axis.
pub(super) struct Layout<'a> {
    figure: &'a Figure<'a>,
    by_group: bool,
    behaviours: Vec<usize>,
}

/// A place on a category axis: category, and slot of its width.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Position of the category, from 0.
    pub x: f64,
    /// Slot in the category, from 0.
    pub slot: u32,
    /// Number of slots in the category.
    pub slots: u32,
}

impl<'a> Layout<'a> {
    /// Lays out the behaviours at these positions, as the switch `across` says.
    pub(super) fn new(figure: &'a Figure<'a>, behaviours: Vec<usize>) -> Self {
        Self { figure, by_group: figure.settings.choice("across") == "group", behaviours }
    }

    /// Returns every place with the positions of its behaviour and group.
    pub(super) fn places(&self) -> impl Iterator<Item = (Place, usize, usize)> {
        let groups = self.figure.groups.len();
        self.behaviours.iter().enumerate().flat_map(move |(at, &behaviour)| {
            (0..groups).map(move |group| {
                let place = if self.by_group {
                    Place { x: group as f64, slot: small(at), slots: small(self.behaviours.len()) }
                } else {
                    Place { x: at as f64, slot: small(group), slots: small(groups) }
                };
                (place, behaviour, group)
            })
        })
    }

    /// Returns the axis of the places.
    pub(super) fn axis(&self) -> AxisView {
        let names = if self.by_group {
            self.figure.groups.iter().map(|group| group.name.clone()).collect()
        } else {
            let name = |&index: &usize| self.figure.behaviours.get(index).map_or_else(String::new, |b| b.name.clone());
            self.behaviours.iter().map(name).collect()
        };
        categories("", names)
    }
}
