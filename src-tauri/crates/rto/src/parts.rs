//! Parts that several estimators are built from: smoothed round trips, the TCP timer, the back-offs and the trend
//! of CoCoA's relatives.

pub(crate) mod ewma;
pub(crate) mod gradient;
pub(crate) mod timer;
pub(crate) mod vbf;
