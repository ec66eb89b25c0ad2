//! Statistics of samples: quantiles, ECDF, box plots, intervals of means, paired differences, the bootstrap, and tests
//! between groups. Undefined results are `None`, never NaN. No function here knows a replay; the bootstrap is given its
//! random words.

mod bootstrap;
mod boxes;
mod ecdf;
mod letters;
mod modes;
mod paired;
mod quantile;
mod range;
mod ranks;
mod shapiro;
mod student;
mod tukey;

pub use bootstrap::{bootstrap_mean, bootstrap_mean_expanded};
pub use boxes::{BoxRule, FiveNumbers, five_numbers};
pub use ecdf::Ecdf;
pub use letters::letters;
pub use modes::{boundary, share_interval};
pub use paired::{Paired, paired};
pub use quantile::{Interval, QuantileType, interval, interval_sorted, mean, quantile, quantile_sorted};
pub(crate) use quantile::{between, position, select_both};
pub use range::{studentized_range, studentized_range_quantile};
pub use ranks::{KruskalWallis, MannWhitney, kruskal_wallis, mann_whitney};
pub use shapiro::{ShapiroWilk, shapiro_wilk};
pub use student::{MeanInterval, student};
pub use tukey::{Pair, Tukey, tukey_hsd};
