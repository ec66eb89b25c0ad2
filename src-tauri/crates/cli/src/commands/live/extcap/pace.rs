//! Due times of packets that are played back, at a speed that may change on the way.

use std::time::{Duration, Instant};

/// Speed of playing a capture back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Speed {
    /// Multiple of the recorded speed, 0.1 to 1000.
    Times(f64),
    /// No waiting: as fast as the reader takes the frames, without waiting.
    Max,
}

impl Speed {
    /// Speeds to choose from in settings and toolbar. They are fixed because Wireshark 4.0 has no selector that takes
    /// typed text.
    pub const OFFERED: [&str; 9] = ["0.1", "0.5", "1", "2", "5", "10", "100", "1000", "max"];

    /// Reads a multiple from `0.1` to `1000`, or `max`. Errs with a sentence that says so.
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

/// Clock of a playback: maps times of the capture to times of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    speed: Speed,
    is_paused: bool,
    /// A moment of this machine, and the capture's time at that moment in nanoseconds.
    anchor: (Instant, f64),
}

impl Pace {
    /// Starts a clock that shows the capture's time `start`, nanoseconds, at `now`.
    pub const fn new(speed: Speed, now: Instant, start: i64) -> Self {
        Self { speed, is_paused: false, anchor: (now, start as f64) }
    }

    /// Returns the capture's time at `now`, nanoseconds.
    fn time(&self, now: Instant) -> f64 {
        let (then, time) = self.anchor;
        match self.speed {
            _ if self.is_paused => time,
            Speed::Times(times) => time + now.saturating_duration_since(then).as_secs_f64() * 1e9 * times,
            Speed::Max => time,
        }
    }

    /// Changes the speed from `now` on.
    pub fn set_speed(&mut self, speed: Speed, now: Instant) {
        self.anchor = (now, self.time(now));
        self.speed = speed;
    }

    /// Stops the clock at `now`, or lets it go on.
    pub fn pause(&mut self, is_paused: bool, now: Instant) {
        self.anchor = (now, self.time(now));
        self.is_paused = is_paused;
    }

    /// Records that a packet of the capture's time `at`, nanoseconds, is sent at `now`. At [`Speed::Max`] packets alone
    /// move the clock on.
    pub fn passed(&mut self, at: i64, now: Instant) {
        if self.speed == Speed::Max && !self.is_paused {
            self.anchor = (now, at as f64);
        }
    }

    /// Returns the wait from `now` until the packet of the capture's time `at`, nanoseconds, is due; zero where it is
    /// late, `None` while paused.
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
