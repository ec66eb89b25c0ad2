//! Fast forms of the channels' inner loops. Each is held to a plain form by a law test beside it, and all of them by
//! `tests/fast_paths.rs`. [`FastPaths`](crate::FastPaths) switches them off.
//!
//! | fast | plain | law |
//! |---|---|---|
//! | [`KernelWeights`]: two prefix sums | `kernel::drawn`: every neighbour | probabilities within 1 ‰ + 2 ‰ of them |
//! | [`near_search`]: donors where they must be | a binary search over all | equal |
//! | [`FirstCopyCache`]: fates of first copies | the channel that it wraps | equal |

mod first_copy_cache;
mod kernel_weights;
mod near_search;

pub(crate) use first_copy_cache::FirstCopyCache;
pub(super) use kernel_weights::KernelWeights;
pub(super) use near_search::near_search;
