//! Exact arithmetic: rational weights, measured quotients and random draws over integer times.

mod dither;
mod quotient;
mod ratio;

pub use dither::Dither;
pub(crate) use quotient::Quotient;
pub use ratio::Ratio;
