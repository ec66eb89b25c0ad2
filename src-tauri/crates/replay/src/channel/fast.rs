//! Fast forms of the channels' inner loops. Each is held to a plain form by a law test beside it, and all of them by
//! `tests/fast_paths.rs`. [`FastPaths`](crate::FastPaths) switches them off.
//!
//! | fast | plain | law |
//! |---|---|---|
//! | [`KernelWeights`]: two prefix sums | `kernel::drawn`: every neighbour | probabilities within 1 ‰ + 2 ‰ of them |
//! | [`FirstCopyCache`]: fates of first copies | the channel that it wraps | equal |

mod first_copy_cache;
mod kernel_weights;

pub(crate) use first_copy_cache::FirstCopyCache;
pub(super) use kernel_weights::KernelWeights;
