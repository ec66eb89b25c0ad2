//! The retransmission timer of a TCP sender: doubled by every expiry and, by the second part of
//! Karn's algorithm, in force until the next valid sample (RFC 6298 §5.5–5.7).

use crate::params::choice;
use crate::{Dither, Flight, Ratio};
use base::Span;

/// The smallest timeout that can be armed.
pub(crate) const TICK: Span = Span::from_nanos(1);

choice! {
    /// Effect of a doubled timeout on the next exchange (the second part of Karn's algorithm).
    pub(crate) enum Karn {
        /// The doubled timeout stays in force until the next valid sample (RFC 6298 §5.5–5.7).
        Kept = "kept",
        /// The doubled timeout ends with its exchange.
        Dropped = "dropped",
    }
}

/// The constants of a back-off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackOff {
    /// Factor of the timeout at every expiry.
    pub factor: Ratio,
    /// The first timeout is drawn from [1, this] times the RTO (ACK_RANDOM_FACTOR, RFC 7252 §4.8).
    pub random_factor: Ratio,
    /// Longest timeout; longer ones are cut to it.
    pub max: Span,
    /// Effect of an expiry on the next exchange.
    pub karn: Karn,
}

/// The timeout in force, perhaps backed off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    /// The timeout of the next exchange, before dithering.
    pub rto: Span,
    /// Whether `rto` was backed off since it was last computed.
    pub backed_off: bool,
}

impl Timer {
    /// Creates a timer before any sample, with the timeout `initial`, `max` at most.
    pub fn new(initial: Span, max: Span) -> Self {
        Self { rto: initial.min(max), backed_off: false }
    }

    /// Returns the timeout of the copy that `flight` has just sent.
    pub fn arm(&self, flight: &Flight, dither: Dither, b: BackOff) -> Span {
        let timeout = if flight.attempt() == 0 {
            dither.stretch(self.rto, b.random_factor)
        } else {
            b.factor.of(flight.last_armed())
        };
        timeout.min(b.max)
    }

    /// Backs off after an expiry. With several flights open every expiry doubles the one RTO, as every expiry of TCP's
    /// one timer does.
    pub fn expire(&mut self, b: BackOff) {
        if b.karn == Karn::Kept {
            self.rto = b.factor.of(self.rto).min(b.max);
            self.backed_off = true;
        }
    }

    /// Sets the timeout that a valid sample gave, from 1 ns to `max`.
    pub fn set(&mut self, rto: Span, max: Span) {
        *self = Self { rto: rto.min(max).max(TICK), backed_off: false };
    }

    /// Returns the phase of the timer; `sampled` says whether there was a sample.
    pub fn mode(&self, sampled: bool) -> &'static str {
        match sampled {
            _ if self.backed_off => "backed off",
            false => "initial",
            true => "estimating",
        }
    }
}
