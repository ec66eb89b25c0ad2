//! When the next packet is due, at a speed that may change on the way.

use std::time::{Duration, Instant};

/// Speed as a multiple of the recorded one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Speed {
    /// So many times.
    Times(f64),
    /// As fast as it goes.
    Max,
}

impl Speed {
    /// Speeds in settings and toolbar: Wireshark 4.0 has no list to type into.
    pub const OFFERED: [&str; 9] = ["0.1", "0.5", "1", "2", "5", "10", "100", "1000", "max"];

    /// `0.1` to `1000`, or `max`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim() == "max" {
            return Ok(Self::Max);
        }
        match text.trim().parse() {
            Ok(times) if (0.1..=1_000.0).contains(&times) => Ok(Self::Times(times)),
            _ => Err(format!("`{text}` is neither a number from 0.1 to 1000 nor max")),
        }
    }
}

/// Maps the capture's time to this machine's.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    speed: Speed,
    is_paused: bool,
    /// A moment of this machine and the capture's time then, nanoseconds.
    anchor: (Instant, f64),
}

impl Pace {
    /// From the capture's time `start` on.
    pub const fn new(speed: Speed, now: Instant, start: i64) -> Self {
        Self { speed, is_paused: false, anchor: (now, start as f64) }
    }

    /// The capture's time at `now`.
    fn time(&self, now: Instant) -> f64 {
        let (then, time) = self.anchor;
        match self.speed {
            _ if self.is_paused => time,
            Speed::Times(times) => time + now.saturating_duration_since(then).as_secs_f64() * 1e9 * times,
            Speed::Max => time,
        }
    }

    /// Go on at another speed.
    pub fn set_speed(&mut self, speed: Speed, now: Instant) {
        self.anchor = (now, self.time(now));
        self.speed = speed;
    }

    /// Stops, or goes on.
    pub fn pause(&mut self, is_paused: bool, now: Instant) {
        self.anchor = (now, self.time(now));
        self.is_paused = is_paused;
    }

    /// A packet of the capture's time `at` goes out now: from there on time is counted where nothing counts it.
    pub fn passed(&mut self, at: i64, now: Instant) {
        if self.speed == Speed::Max && !self.is_paused {
            self.anchor = (now, at as f64);
        }
    }

    /// Time that a packet of the capture's time `at` has to wait at `now`; `None` while paused.
    pub fn wait(&self, at: i64, now: Instant) -> Option<Duration> {
        match self.speed {
            _ if self.is_paused => None,
            Speed::Max => Some(Duration::ZERO),
            Speed::Times(times) => {
                let ahead = (at as f64 - self.time(now)).max(0.0) / times / 1e9;
                Some(Duration::try_from_secs_f64(ahead).unwrap_or(Duration::MAX))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn speeds() {
        assert_eq!(Speed::parse("max"), Ok(Speed::Max));
        assert_eq!(Speed::parse(" 0.1"), Ok(Speed::Times(0.1)));
        for wrong in ["0", "0.05", "1001", "-1", "nan", "fast", ""] {
            assert!(Speed::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Speed::OFFERED.iter().all(|offered| Speed::parse(offered).is_ok()));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "any moment will do")]
    fn time_goes_on_through_changes() {
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let mut pace = Pace::new(Speed::Times(10.0), start, 100 * SECOND);
        assert_eq!(pace.wait(100 * SECOND, start), Some(Duration::ZERO));
        assert_eq!(pace.wait(120 * SECOND, start), Some(Duration::from_secs(2)));
        assert_eq!(pace.wait(120 * SECOND, after(1)), Some(Duration::from_secs(1)));
        // At 110 s of the capture: half speed.
        pace.set_speed(Speed::Times(0.5), after(1));
        assert_eq!(pace.wait(120 * SECOND, after(1)), Some(Duration::from_secs(20)));
        // At 111 s: an hour's pause.
        pace.pause(true, after(3));
        assert_eq!(pace.wait(120 * SECOND, after(4)), None);
        pace.pause(false, after(3_603));
        assert_eq!(pace.wait(120 * SECOND, after(3_603)), Some(Duration::from_secs(18)));
        // Once late, late: nothing is dropped.
        assert_eq!(pace.wait(120 * SECOND, after(9_999)), Some(Duration::ZERO));
        // Back from full speed, time goes on with the last packet.
        pace.set_speed(Speed::Max, after(10_000));
        pace.passed(5_000 * SECOND, after(10_001));
        pace.set_speed(Speed::Times(1.0), after(10_001));
        assert_eq!(pace.wait(5_002 * SECOND, after(10_001)), Some(Duration::from_secs(2)));
    }
}
