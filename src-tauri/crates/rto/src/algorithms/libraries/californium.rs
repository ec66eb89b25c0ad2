//! Eclipse Californium's congestion control as it runs, quirks included: whole milliseconds, Java's
//! roundings and casts, and the message layer around the estimators, which clamps their timeouts and
//! decides when they age. Restated from the classes of `org.eclipse.californium.core.network.stack`
//! and compared with them step by step (`tests/californium.rs`).
//!
//! Versions 2.x and 3.x differ in arithmetic, in what a retransmission leaves behind and in their
//! faults, so each has its own modules that read like its source.

mod v2;
mod v3;

pub(crate) use v2::presets as cf2;
pub(crate) use v3::presets as cf3;

use crate::params::choice;
use crate::{Dither, Ratio};
use base::{Instant, Span};

/// Greatest answer of `RemoteEndpoint.getRTO`, in milliseconds (Californium 2.8 and 3.14).
const RTO_CAP: i64 = 32_000;

choice! {
    /// Samples that CoCoA takes.
    pub(crate) enum Samples {
        /// Samples of exchanges with up to two retransmissions.
        Both = "both",
        /// Samples of exchanges without retransmission.
        Strong = "strong",
    }
}

/// Class of a sample by the retransmissions of its exchange (`getExchangeEstimatorState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Sample of an exchange without retransmission.
    Strong,
    /// Sample of an exchange with one or two retransmissions.
    Weak,
    /// Sample of an exchange with more retransmissions: 3.x drops it, 2.x leaves it to the class.
    Ambiguous,
}

impl Kind {
    const fn of(retransmissions: u8) -> Self {
        match retransmissions {
            0 => Self::Strong,
            1 | 2 => Self::Weak,
            _ => Self::Ambiguous,
        }
    }
}

/// `Math.round`: to the nearest, ties towards positive infinity.
fn round(x: f64) -> i64 {
    // The cast cuts off and saturates, as Java's do; what is left is exact. `floor` would be a call on processors
    // without an instruction for it.
    let whole = x as i64;
    let rest = x - whole as f64;
    whole.saturating_add(i64::from(rest >= 0.5)).saturating_sub(i64::from(rest < -0.5))
}

/// `ReliabilityLayer.getRandomTimeout`: uniform on the whole milliseconds from `timeout` to
/// `timeout * factor`, the product in single precision and cut off.
fn dithered(timeout: i32, factor: Ratio, dither: Dither) -> i32 {
    let stretched = (timeout as f32 * factor.as_f64() as f32) as i32;
    let choices = i64::from(stretched) - i64::from(timeout) + 1;
    // Below zero Java throws; nothing is drawn then.
    timeout.saturating_add(dither.below(choices) as i32)
}

/// Milliseconds to arm: a timeout that Java computes as zero or less fires at once.
fn armed(timeout: i32) -> Span {
    Span::from_millis(i64::from(timeout)).max(Span::from_nanos(1))
}

/// The clock in whole milliseconds.
const fn clock(now: Instant) -> i64 {
    now.nanos().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounding_is_from_below(x in prop_oneof![any::<f64>(), -1e6..1e6, (-1_000_i64..1_000).prop_map(|n| n as f64 / 8.0)]) {
            let below = x.floor();
            prop_assert_eq!(round(x), (if x - below >= 0.5 { below + 1.0 } else { below }) as i64, "{}", x);
        }
    }

    #[test]
    fn java_rounds_half_up() {
        for (x, rounded) in [(0.5, 1), (-0.5, 0), (-1.5, -1), (2.4, 2), (0.499_999_999_999_999_94, 0), (-2.6, -3)] {
            assert_eq!(round(x), rounded, "{x}");
        }
    }

    #[test]
    fn dithering_covers_both_ends() {
        let three_halves = Ratio::new(3, 2);
        assert_eq!(dithered(2_000, three_halves, Dither::NONE), 2_000);
        assert_eq!(dithered(2_000, three_halves, Dither(u32::MAX)), 3_000);
        assert_eq!(dithered(1_001, three_halves, Dither(u32::MAX)), 1_501, "1501.5 is cut off");
        assert_eq!(dithered(0, three_halves, Dither(u32::MAX)), 0);
        assert_eq!(dithered(-4, three_halves, Dither(u32::MAX)), -4, "Java throws");
    }
}
