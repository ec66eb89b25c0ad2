//! Exact small statistics: quantiles, means, percentile intervals, paired bootstrap. Nothing here
//! produces a NaN: what is undefined is `None`.

mod bootstrap;
mod quantile;

pub use bootstrap::{Paired, paired};
pub use quantile::{Interval, interval, mean, quantile, quantile_sorted};
pub(crate) use quantile::{between, position, select};
