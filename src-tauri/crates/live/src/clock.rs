//! This machine's clocks; nothing else in this crate reads them.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Time of now, nanoseconds since the Unix epoch; 0 for a clock before it.
#[expect(clippy::disallowed_methods, reason = "what comes from a device has the time at which it came")]
pub fn unix_nanos() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// Moment of the monotonic clock, to measure durations from.
#[expect(clippy::disallowed_methods, reason = "devices are waited for")]
pub fn instant() -> Instant {
    Instant::now()
}
