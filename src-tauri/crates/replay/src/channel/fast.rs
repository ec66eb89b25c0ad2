//! Fast forms of the channels' inner loops. Each is held to a plain form by a law test beside it.
//!
//! | fast | plain | law |
//! |---|---|---|
//! | [`KernelWeights`]: two prefix sums | `kernel::probabilities`: every neighbour | probabilities within 1 ‰ + 2 ‰ of them |
//! | [`RefreshCache`]: cells of visited time | `RefreshProcess::last`: drawn at every query | equal |
//! | [`FirstCopyCache`]: fates of first copies | the channel that it wraps | equal |

mod first_copy_cache;
mod kernel_weights;
mod refresh_cache;

pub(crate) use first_copy_cache::FirstCopyCache;
pub(super) use kernel_weights::{KernelWeights, donor_near};
pub(super) use refresh_cache::RefreshCache;
