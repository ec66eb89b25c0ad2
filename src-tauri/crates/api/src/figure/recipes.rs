//! The recipes, one file each or two that share a form.

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
