//! Timers of single papers that belong to no larger family.

pub(crate) mod accb;
pub(crate) mod basic;
pub(crate) mod fasor;
pub(crate) mod gamma;
pub(crate) mod lee2016;
