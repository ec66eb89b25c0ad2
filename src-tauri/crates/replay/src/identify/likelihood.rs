//! Likelihood of one observation, and of a description without an algorithm.

pub(crate) mod fit;
pub(crate) mod free_description;
pub(crate) mod goodness;
pub(crate) mod observation;
pub(crate) mod timeout_distribution;
pub(crate) mod timing_error;
