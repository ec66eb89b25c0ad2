//! The recipes, one or two of one form in each file.

pub(crate) mod boxes;
pub(crate) mod change;
pub(crate) mod clients;
pub(crate) mod distribution;
pub(crate) mod factor;
pub(crate) mod lines;
pub(crate) mod plane;
pub(crate) mod rate;
pub(crate) mod timer;
pub(crate) mod trace;
