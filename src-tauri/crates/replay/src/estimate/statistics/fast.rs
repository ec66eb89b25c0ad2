//! Tables behind the kernel weights: the exponential by interpolation, and its sums over neighbours. And the search for
//! a donor among those where it must be, for a binary search over all.

mod kernel_sums;
mod near_search;

pub(crate) use kernel_sums::{DecayTable, KernelSums, Row};
pub(crate) use near_search::near_search;
