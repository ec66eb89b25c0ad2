//! The variable back-off factor of the CoCoA family: large after a small timeout, small after a
//! large one.

use crate::params::choice;
use crate::{Flight, Ratio};
use base::Span;

choice! {
    /// Timeout that chooses the factor.
    pub(crate) enum Key {
        /// RTO_init: the timeout of the original before dithering.
        Initial = "initial",
        /// The timeout armed for the original, dithered and capped.
        Dithered = "dithered",
        /// The overall RTO at the time of the back-off.
        Overall = "overall",
        /// The timeout that has just expired, so the factor changes as the timeout grows.
        Current = "current",
    }
}

/// Three back-off factors, the two borders between them, and the timeout that is compared with the borders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vbf {
    /// Factor of timeouts below `low_below`.
    pub low: Ratio,
    /// Factor of timeouts from `low_below` to `high_above`.
    pub mid: Ratio,
    /// Factor of timeouts above `high_above`.
    pub high: Ratio,
    /// Border between small and medium timeouts.
    pub low_below: Span,
    /// Border between medium and large timeouts.
    pub high_above: Span,
    /// The timeout that is compared.
    pub key: Key,
}

impl Vbf {
    /// Returns the timeout of a retransmission; `overall` is the overall RTO. `Key::Initial` needs the flight's memo.
    pub fn back_off(&self, flight: &Flight, overall: Span) -> Span {
        let key = match self.key {
            Key::Initial => flight.memo.get().base,
            Key::Dithered => flight.first_armed(),
            Key::Overall => overall,
            Key::Current => flight.last_armed(),
        };
        self.factor(key).of(flight.last_armed())
    }

    /// The factor for `key`; both borders belong to the middle.
    fn factor(&self, key: Span) -> Ratio {
        if key < self.low_below {
            self.low
        } else if key > self.high_above {
            self.high
        } else {
            self.mid
        }
    }
}
