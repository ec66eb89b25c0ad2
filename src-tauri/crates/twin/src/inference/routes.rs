//! Routes that fail: times in which nodes pass nothing on, and times in which they withdraw their own route.

pub(super) mod outages;
pub(super) mod withdrawals;
