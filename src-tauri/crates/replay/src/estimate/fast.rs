//! Tables behind the kernel weights: the exponential by interpolation, and its sums over neighbours.

mod kernel_sums;

pub(crate) use kernel_sums::{DecayTable, KernelSums, Row};
